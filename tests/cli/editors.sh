#!/bin/bash
# What editors get: the generated files say what the tables say, they are well-formed, and they colour a program as they
# should (tests/cli/editors/sample.cp, tests/cli/editors/vim.txt).
#     tests/cli/editors.sh --rebase      writes tests/cli/editors/vim.txt anew
. tests/cli/tap.inc
B=${B:-build}
vim_syntax=docs/editors/vim/syntax/gp5asm.vim textmate=docs/editors/vscode/syntaxes/gp5asm.tmLanguage.json

# The group of each word of the sample, as vim sees it.
colours() {
    cat >"$work/dump.vim" <<'VIM'
set nocompatible
let &runtimepath = getcwd() . '/docs/editors/vim,' . &runtimepath
filetype plugin on
syntax on
execute 'edit' 'tests/cli/editors/sample.cp'
let lines = [&filetype . ' ' . &commentstring]
for number in range(1, line('$'))
  let words = []
  let column = 0
  while 1
    let column = match(getline(number), '[A-Za-z0-9_.$!#]\+', column)
    if column < 0 | break | endif
    let word = matchstr(getline(number), '[A-Za-z0-9_$!#]\+\|\.', column)
    call add(words, word . '=' . substitute(synIDattr(synID(number, column + 1, 1), 'name'), 'gp5', '', ''))
    let column += len(word)
  endwhile
  call add(lines, join(words))
endfor
call writefile(lines, $colours)
qa!
VIM
    colours=$1 timeout 600 vim -es -u NONE -i NONE -S "$work/dump.vim" </dev/null >/dev/null 2>&1
}
has_vim() { command -v vim >/dev/null 2>&1 && vim --version 2>/dev/null | grep -q '+syntax'; }
if [ "${1:-}" = --rebase ]; then
    colours tests/cli/editors/vim.txt
    exit
fi

"$B/syntax" vim >"$work/vim"
"$B/syntax" textmate >"$work/textmate"
check "$vim_syntax is up to date (else: make docs)" diff "$vim_syntax" "$work/vim"
check "$textmate is up to date (else: make docs)" diff "$textmate" "$work/textmate"
missing=$(sed -n 's/^    OP(\([A-Z0-9]*\),.*/\1/p' asm/isa.def | while read -r op; do
    grep -q "[ |(]$op\([|\\) ]\|$\)" "$vim_syntax" && grep -q "[(|:]$op[|)]" "$textmate" || echo "$op"
done)
equals "every opcode stands in both" "" "$missing"

if has_vim; then
    colours "$work/colours"
    check "vim: the colours of the sample" diff tests/cli/editors/vim.txt "$work/colours"
else
    skip "vim: the colours of the sample" "no vim with syntax"
fi
if command -v python3 >/dev/null 2>&1; then
    for file in docs/editors/vscode/*.json $textmate; do
        check "$file is JSON" python3 -m json.tool "$file" /dev/null
    done
    check "TextMate: patterns compile, and take what they should" python3 - "$textmate" <<'PYTHON'
import json, re, sys
rules = json.load(open(sys.argv[1]))["patterns"]
def scopes(line):
    """As an editor does: the rule that matches first, and of those the one that stands first."""
    found, at = [], 0
    while at < len(line):
        best = None
        for rule in rules:
            m = re.compile(rule["match"]).search(line, at)
            if m and m.end() > m.start() and (best is None or m.start() < best[0].start()):
                best = (m, rule)
        if not best:
            break
        m, rule = best
        if "captures" in rule:
            for n, c in rule["captures"].items():
                if m.group(int(n)):
                    found.append((m.group(int(n)), c["name"]))
        else:
            found.append((m.group(0), rule["name"]))
        at = m.end()
    return dict(found)
expected = {
    "!!NVcp5.0": {"!!NVcp5.0": "keyword.control.directive.gp5asm"},
    "MUL_SAT a.xyz, b; # MOV": {"MUL_SAT": "keyword.operator.opcode.gp5asm", "xyz": "variable.other.member.gp5asm",
                                "# MOV": "comment.line.number-sign.gp5asm"},
    "ADD.U32.CC a, 0x1f;": {"ADD": "keyword.operator.opcode.gp5asm", ".U32.CC": "storage.modifier.gp5asm",
                            "0x1f": "constant.numeric.gp5asm"},
    "OPTION NV_internal;": {"OPTION": "storage.type.gp5asm", "NV_internal": "support.constant.option.gp5asm"},
    "TEX c, fragment.texcoord[0], texture[1], 2D;": {
        "TEX": "keyword.operator.opcode.gp5asm", "fragment": "variable.language.gp5asm",
        "texcoord": "support.variable.gp5asm",
        "2D": "constant.other.target.gp5asm", "1": "constant.numeric.gp5asm"},
    "BB7: IF NE1.x;": {"BB7": "entity.name.label.gp5asm", "IF": "keyword.operator.opcode.gp5asm",
                       "NE1": "keyword.control.condition.gp5asm"},
    "LONG TEMP ADDED;": {"LONG": "storage.type.gp5asm", "TEMP": "storage.type.gp5asm"},
}
for line, words in expected.items():
    got = scopes(line)
    for word, scope in words.items():
        assert got.get(word) == scope, (line, word, got)
assert "ADDED" not in scopes("LONG TEMP ADDED;")
PYTHON
else
    skip "JSON" "no python3"
fi
done_testing
