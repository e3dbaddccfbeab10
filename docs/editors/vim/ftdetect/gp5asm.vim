" A program is known by its header; the endings that belong to it alone need none.
autocmd BufNewFile,BufRead *.gp5,*.vfp,*.tcp,*.tep,*.shader_test setfiletype gp5asm
autocmd BufNewFile,BufRead *.vp,*.fp,*.gp,*.cp,*.asm,*.txt
  \ if getline(1) =~# '^!!\%(ARB[vf]p\|NV[a-z]*p\|VP\|FP\)\d\.\d' | set filetype=gp5asm | endif
