" :make judges the program; :cnext goes to the next error.
let current_compiler = 'gp5'
CompilerSet makeprg=gp5\ check\ %:S
CompilerSet errorformat=%f:%l:%c:\ %trror:\ %m,%f:%l:%c:\ %tarning:\ %m,%f:%l:%c:\ %tote:\ %m,%-G%.%#
