#!/bin/sh
# examples/translate: two ARB programs as shaders of a core context, with all that they want given by the interface's
# tables alone, draw the same picture as the programs themselves.
# cost: 1
. tests/cli/tap.inc
B=${B:-build}
case $B in /*) ;; *) B=$PWD/$B ;; esac
draw=$B/examples/translate/draw folder=$PWD/examples/translate

for part in vp fp; do
    check "hill.$part is translated" "$B/gp5" translate --to=glsl450 "--interface=$work/$part.json" \
        -o "$work/$part.glsl" "$folder/hill.$part"
done
cd "$work" || exit 2
"$draw" shaders.ppm vp.glsl vp.json fp.glsl fp.json >out 2>&1
status=$?
"$draw" --arb programs.ppm "$folder/hill.vp" "$folder/hill.fp" >>out 2>&1
older=$?
if [ $status = 77 ] || [ $older = 77 ]; then
    skip "what they draw" "$(cat out)"
    done_testing
fi
equals "shaders are drawn in a core context" 0 $status
equals "programs in an older one" 0 $older
note "$(cat out)"
check "the picture is the same" cmp shaders.ppm programs.ppm
colors=$(tail -c +16 shaders.ppm | od -An -v -tu1 -w3 | sort -u | wc -l)
check "and has more than 500 colours ($colors)" test "$colors" -gt 500
sed 's/"state.fog.color"/"state.fog.colour"/' fp.json >other.json
"$draw" none.ppm vp.glsl vp.json fp.glsl other.json >out 2>&1
equals "a binding that the application does not know" 1 $?
check "is named" grep -q 'other.json: state.fog.colour' out
sed '/"offset": 16,/s/16/32/' fp.json >moved.json
"$draw" moved.ppm vp.glsl vp.json fp.glsl moved.json
check "the table decides: with another offset the picture is another" sh -c '! cmp -s shaders.ppm moved.ppm'
done_testing
