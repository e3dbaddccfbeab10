#!/bin/bash
# gp5 lsp: recorded messages of a client, and what is answered; a real client where there is one (neovim).
. tests/cli/tap.inc

say() { printf 'Content-Length: %d\r\n\r\n%s' "$(printf %s "$1" | wc -c)" "$1"; }
# request ID METHOD PARAMS; of a place in the document: at ID METHOD LINE CHARACTER [MORE]
request() { say "{\"jsonrpc\":\"2.0\",\"id\":$1,\"method\":\"$2\",\"params\":$3}"; }
notification() { say "{\"jsonrpc\":\"2.0\",\"method\":\"$1\",\"params\":$2}"; }
at() {
    request "$1" "textDocument/$2" \
        "{\"textDocument\":{\"uri\":\"file:///a.gp5\"},\"position\":{\"line\":$3,\"character\":$4}${5:-}}"
}
open() {
    notification textDocument/didOpen \
        "{\"textDocument\":{\"uri\":\"file:///a.gp5\",\"languageId\":\"gp5asm\",\"version\":1,\"text\":\"$1\"}}"
}
begin() { request 0 initialize "{\"capabilities\":{}${1:-}}"; notification initialized '{}'; }
end() { request 99 shutdown null; notification exit null; }
# Messages in, the answers a line each in $work/out; the answer to one by its id.
serve() { gp5 lsp "$@" | tr -d '\r' | sed 's/}Content-Length: [0-9]*$/}/; /^Content-Length/d; /^$/d' >"$work/out"; }
answer() { grep "\"id\":$1," "$work/out"; }
has() { check "$1" grep -qF -- "$3" <(answer "$2"); }
lacks() { check "$1" sh -c '! grep -qF -- "$1" "$2"' - "$3" <(answer "$2"); }
range() { echo "{\"start\":{\"line\":$1,\"character\":$2},\"end\":{\"line\":$1,\"character\":$3}}"; }

text='!!NVcp5.0\n# x é𝄞\nOPTION NV_shader_storage_buffer;\nGROUP_SIZE 32;\nSTORAGE b[] = { program.storage[0] };\n'
text=$text'TEMP x;\nMOV.U x.x, invocation.localindex;\nADD.U.CC x.x,x.x, 1;\nSTB.U32 x.x, b[x.x];\nEND\n'

{ begin; open "$text"
  at 1 hover 7 1; at 2 hover 7 9; at 3 hover 6 15; at 4 hover 2 9; at 5 hover 1 2
  at 6 definition 7 9; at 7 references 7 9 ',"context":{"includeDeclaration":true}'
  at 8 references 7 9 ',"context":{"includeDeclaration":false}'; at 9 documentHighlight 4 8
  at 10 documentSymbol 0 0; at 11 formatting 0 0
  at 12 prepareRename 8 15; at 13 rename 7 9 ',"newName":"lane"'; at 14 rename 7 9 ',"newName":"b"'
  at 15 rename 7 9 ',"newName":"2x"'; at 16 rename 7 9 ',"newName":"TEMP"'; at 17 rename 7 9
  at 18 completion 7 1; at 19 completion 7 5; at 20 completion 2 9; at 21 completion 7 14; at 22 completion 1 3
  at 23 implementation 0 0; at 24 hover -1 0; at 25 hover 900 900
  request 26 textDocument/hover '{"textDocument":{"uri":"file:///other"},"position":{"line":0,"character":0}}'
  end; } | serve
equals "it ends well" 0 "${PIPESTATUS[1]}"
has "what it can" 0 '"hoverProvider":true'
has "positions are UTF-16 unless the client offers bytes" 0 '"positionEncoding":"utf-16"'
check "a program without errors has none" grep -q '"diagnostics":\[\],' "$work/out"
has "hover: an opcode's form" 1 'ADD result, vector, vector'
has "and its text's range" 1 "\"range\":$(range 7 0 3)"
has "hover: a declaration" 2 'TEMP x;'
has "hover: a binding" 3 'invocation.localindex'
has "hover: an option" 4 'NV_shader_storage_buffer'
has "hover: nothing in a comment" 5 '"result":null'
has "definition" 6 "$(range 5 5 6)"
equals "references with the declaration" 6 "$(answer 7 | grep -o '"uri"' | wc -l)"
equals "and without" 5 "$(answer 8 | grep -o '"uri"' | wc -l)"
equals "highlights" 2 "$(answer 9 | grep -o '"range"' | wc -l)"
has "the outline has the program" 10 '"name":"!!NVcp5.0"'
has "and its names" 10 '"name":"b","detail":"STORAGE"'
has "formatting is gp5 fmt's" 11 'ADD.U.CC x.x, x.x, 1;'
has "what can be renamed" 12 "$(range 8 15 16)"
equals "renaming edits each place" 6 "$(answer 13 | grep -o '"newText":"lane"' | wc -l)"
has "not into a name that is there" 14 'the program has that name already'
has "nor into no name" 15 'begins with no digit'
has "nor into a keyword" 16 'is no keyword'
has "nor into nothing" 17 'newName is missing'
has "completion: opcodes" 18 '"label":"MOV"'
has "with what they need" 18 'needs OPTION NV_shader_thread_shuffle;'
has "and keywords" 18 '"label":"TEMP"'
lacks "not those of other stages" 18 '"label":"EMIT"'
has "completion: modifiers" 19 '"label":"CC"'
lacks "not those that it does not take" 19 '"label":"CTA"'
has "completion: options" 20 '"label":"NV_shader_thread_shuffle"'
lacks "not one that is there" 20 '"label":"NV_shader_storage_buffer"'
has "completion: names" 21 '"label":"x"'
has "and bindings" 21 '"label":"invocation.localindex"'
has "completion: nothing in a comment" 22 '"result":[]'
has "an unknown method" 23 '"code":-32601'
has "no position" 24 '"code":-32602'
has "a position beyond the end is the end" 25 '"result":null'
has "an unknown document" 26 'no document of that name is open'

# Errors while one types; closing takes them away.
{ begin; open '!!NVcp5.0\nGROUP_SIZE 1;\nMOV.U x.x, 1;\nEND\n'
  notification textDocument/didChange '{"textDocument":{"uri":"file:///a.gp5","version":2},'\
'"contentChanges":[{"text":"!!NVcp5.0\nGROUP_SIZE 1;\nTEMP x;\n# é𝄞\nMOV.U x.x, 1; MOV.U é.x, 1;\nEND\n"}]}'
  notification textDocument/didClose '{"textDocument":{"uri":"file:///a.gp5"}}'; end; } | serve
grep publishDiagnostics "$work/out" >"$work/published"
check "the first has an undeclared x" sh -c 'sed -n 1p "$1" | grep -qF "$2"' - "$work/published" "$(range 2 6 7)"
check "with the version" grep -q '"version":1' "$work/published"
check "the second another error" sh -c 'sed -n 2p "$1" | grep -q "\"line\":4,\"character\":20"' - "$work/published"
check "closed, none is left" sh -c 'sed -n 3p "$1" | grep -qF "\"diagnostics\":[]}"' - "$work/published"

# Positions in bytes, where a client offers them: é has two, the clef four, where UTF-16 counts one and two.
{ request 0 initialize '{"capabilities":{"general":{"positionEncodings":["utf-8","utf-16"]}}}'
  open '!!NVcp5.0\nTEMP x; # é𝄞\nMOV.U x, é;\nEND\n'; end; } | serve
has "agreed" 0 '"positionEncoding":"utf-8"'
check "an error at é" grep -q '"line":2,"character":9' "$work/out"

# A hint that is safe to follow is an edit; one line's errors have no other line's.
actions() {
    request "$1" textDocument/codeAction \
        "{\"textDocument\":{\"uri\":\"file:///a.gp5\"},\"range\":$(range "$2" 0 9),\"context\":{\"diagnostics\":[]}}"
}
{ begin; open '!!NVcp5.0\nGROUP_SIZE 1;\nTEMP colour;\nMOV.U color.x, 1;\nEND\n'; actions 1 3; actions 2 2
  request 3 textDocument/codeAction '{"textDocument":{"uri":"file:///a.gp5"}}'; end; } | serve
has "a misspelt name" 1 'replace color by colour'
has "as an edit" 1 "{\"range\":$(range 3 6 11),\"newText\":\"colour\"}"
has "not of another line" 2 '"result":[]'
has "no range" 3 '"code":-32602'

# Targets; scripts of several programs.
vp='!!ARBvp1.0\nTEMP TEMP;\nMOV result.position, vertex.position;\nEND\n'
{ begin ',"initializationOptions":{"target":"mesa"}'; open "$vp"; end; } | serve
check "a client names the target" grep -q '"severity":1' "$work/out"
{ begin; open "$vp"; end; } | serve --target=spec
check "or the command" grep -q '"severity":1' "$work/out"
{ begin; open "[vertex program]\\n!!ARBvp1.0\\nMOV result.position, vertex.position;\\nEND\\n"\
"[fragment program]\\n!!ARBfp1.0\\nMOV result.colour, 1;\\nEND\\n[test]\\n"
  at 1 documentSymbol 0 0; end; } | serve
check "an error in a script's second program" grep -q '"start":{"line":6,"character":' "$work/out"
equals "both are in the outline" 2 "$(answer 1 | grep -o '"name":"!!ARB.p1.0"' | wc -l)"

# What no client should say.
{ at 1 hover 0 0; say 'no JSON'; say '{"jsonrpc":"2.0","id":2}'; say '[]'; begin; end; } | serve
has "a request before initialize" 1 '"code":-32002'
check "no JSON" grep -q '"code":-32700' "$work/out"
has "no method" 2 '"code":-32600'
has "and it goes on" 99 '"result":null'
begin | serve
check "a stream that ends early is no good end" sh -c 'printf "" | gp5 lsp; test $? = 1'
check "a length that is none" sh -c 'printf "Content-Length: x\r\n\r\n" | gp5 lsp; test $? = 1'
check "a text shorter than it says" sh -c 'printf "Content-Length: 900\r\n\r\n{}" | gp5 lsp; test $? = 1'
check "no files" sh -c 'gp5 lsp x.gp5 </dev/null 2>&1 | grep -q "takes no files"'

if command -v nvim >/dev/null; then
    printf '!!NVcp5.0\nGROUP_SIZE 32;\nTEMP x;\nMOV.U y.x, 1;\nEND\n' >"$work/a.gp5"
    cat >"$work/client.lua" <<'L'
local function wait(what) return vim.wait(20000, what, 20) end
wait(function() return #vim.diagnostic.get(0, { severity = 1 }) > 0 end)
local found = vim.diagnostic.get(0, { severity = 1 })[1]
print("diagnostic " .. found.lnum .. " " .. found.message:sub(1, 40))
local at = { textDocument = vim.lsp.util.make_text_document_params(0), position = { line = 3, character = 1 } }
local answer = vim.lsp.buf_request_sync(0, "textDocument/hover", at, 20000)
local _, first = next(answer)
print("hover " .. first.result.contents.value:gsub("\n", " "):sub(1, 30))
vim.api.nvim_buf_set_lines(0, 3, 4, false, { "MOV.U x.x, 1;" })
print("mended " .. tostring(wait(function() return #vim.diagnostic.get(0, { severity = 1 }) == 0 end)))
L
    HOME=$work timeout 120 nvim --headless -u NONE -n -c "set runtimepath^=$PWD/docs/editors/vim" \
        -c 'filetype plugin on' -c "edit $work/a.gp5" -c "luafile $work/client.lua" -c 'qa!' \
        >"$work/nvim" 2>&1
    check "neovim shows the error" grep -q 'diagnostic 3 ' "$work/nvim"
    check "and what MOV does" grep -q 'hover .*MOV result, vector' "$work/nvim"
    check "and that it is mended" grep -q 'mended true' "$work/nvim"
else
    skip "neovim as the client" "nvim is not installed"
fi
done_testing
