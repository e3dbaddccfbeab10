#!/bin/bash
# gp5 run --png and its like, and pictures of letters in place of thousands of numbers.
B=${B:-build}
GP5=${GP5:-$B/gp5}
. tests/cli/tap.inc

status() { "$@" >/dev/null 2>&1; echo $?; }
# The width and the height that a PNG file says it has.
size_of() { od -An -tu1 -j16 -N8 "$1" | awk '{ print $3 * 256 + $4 "x" $7 * 256 + $8 }'; }
is_png() { test "$(head -c 8 "$1" | od -An -tx1 | tr -d ' ')" = 89504e470d0a1a0a; }

cat >"$work/disc.fp" <<'EOT'
!!ARBfp1.0
TEMP d, c;
SUB d, fragment.texcoord[0], 0.5;
MUL d, d, d;
ADD d.x, d.x, d.y;
SUB d.x, 0.2, d.x;
KIL d.x;
MOV c.xy, fragment.texcoord[0];
MOV result.color, c;
END
EOT
equals "three pictures of a program" 0 "$(status "$GP5" run --size=120,50 --png="$work/a.png" \
    --png-undefined="$work/b.png" --png-covered="$work/c.png" "$work/disc.fp")"
for name in a b c; do
    check "$name.png is a PNG file" is_png "$work/$name.png"
    equals "$name.png has its size" 120x50 "$(size_of "$work/$name.png")"
done
check "they differ" sh -c "! cmp -s '$work/a.png' '$work/b.png' && ! cmp -s '$work/b.png' '$work/c.png'"
"$GP5" run --size=120,50 --png=- --output=coverage="$work/coverage" "$work/disc.fp" >"$work/out.png" 2>"$work/err"
equals "a picture needs result.color among what is asked for" 2 $?
check "and says so" grep -q 'no result.color is among the results' "$work/err"
equals "one stage with inputs" 0 \
    "$(status "$GP5" run --size=30,20 --points --png="$work/d.png" "$work/disc.fp")"
equals "has its size" 30x20 "$(size_of "$work/d.png")"
equals "a script" 0 "$(status "$GP5" run --png="$work/e.png" examples/spotlight.shader_test)"
equals "has its window" 8x8 "$(size_of "$work/e.png")"
equals "a script that draws arrays of vertices" 0 \
    "$(status "$GP5" run --png="$work/g.png" tests/suites/draw/points.shader_test)"
equals "has its window too" 16x16 "$(size_of "$work/g.png")"
equals "nothing is drawn" 2 "$(status "$GP5" run --png="$work/f.png" examples/scan.shader_test)"
check "no file then" test ! -e "$work/f.png"
equals "no such folder" 2 "$(status "$GP5" run --png="$work/nowhere/a.png" "$work/disc.fp")"
equals "one picture of two files" 2 "$(status "$GP5" run --png="$work/a.png" "$work/disc.fp" "$work/disc.fp")"

"$GP5" run --size=500,400 "$work/disc.fp" >"$work/out"
check "200,000 fragments are no page of numbers" test "$(wc -l <"$work/out")" -lt 45
check "but letters" grep -q '^ *|  *[?.:=+*%@-]' "$work/out"
check "with what they mean" grep -q 'a letter is 8 x 17 pixels' "$work/out"
"$GP5" run --size=500,400 --points "$work/disc.fp" >"$work/out"
check "so with inputs of one's own" test "$(wc -l <"$work/out")" -lt 45
"$GP5" run --size=8,8 "$work/disc.fp" >"$work/out"
check "few ones are numbers" test "$(grep -c '^ *|' "$work/out")" = 0

if [ -x "$B/tests/liar" ]; then
    { printf '[require]\nSIZE 40 30\n[fragment program]\n'; sed '1a# liar: honest' "$work/disc.fp"
      printf '[test]\nclear color 0 0 0 0\nclear\n'\
'interpolate texcoord 0 (0, 0, 0, 1) (1, 0, 0, 1) (0, 1, 0, 1) (1, 1, 0, 1)\n'
      printf 'draw rect -1 -1 2 2\n'; } >"$work/liar.shader_test"
    GP5_GL_WORKER=$B/tests/liar "$GP5" compare --driver=egl "$work/liar.shader_test" >"$work/out"
    equals "a driver with another picture" 1 $?
    check "where they differ is a picture" grep -q '^    |#' "$work/out"
    check "and few differences are numbers" test "$(wc -l <"$work/out")" -lt 60
else
    skip "a driver with another picture" "$B/tests/liar is not built"
fi
done_testing
