#!/bin/sh
# piglit's parser tests, where they are installed, as a witness for --target=spec: each says "# FAIL" where a program
# must not load. Those that differ are the ones that docs/language.md names, and the texts decide.
# cost: 2
. tests/cli/tap.inc
B=${B:-build}
GP5=${GP5:-$B/gp5}
mkdir "$work/texts"
for folder in /usr/lib/*/piglit/tests /usr/lib/*/piglit/generated_tests /usr/lib/piglit/tests \
    /usr/lib/piglit/generated_tests; do
    for file in "$folder"/asmparsertest/shaders/*/*.txt; do
        # Some begin with empty lines, which piglit passes over.
        [ ! -f "$file" ] || sed '/./,$!d' "$file" >"$work/texts/$(basename "$(dirname "$file")")_$(basename "$file")"
    done
done
count=$(ls "$work/texts" | wc -l)
if [ "$count" = 0 ]; then skip "piglit's parser tests" "piglit is not installed"; done_testing; fi
check "there are hundreds" test "$count" -ge 400
(cd "$work/texts" && for file in *; do
    head -n 20 "$file" | grep -q '^# *FAIL' && echo "$file false" || echo "$file true"
done) >"$work/wanted"
(cd "$work/texts" && "$GP5" check --target=spec --json *) |
    sed 's/.*"file":"\([^"]*\)","valid":\([a-z]*\).*/\1 \2/' >"$work/given"
diff "$work/wanted" "$work/given" | sed -n 's/^> //p' >"$work/unlike"
# A fragment program, which piglit loads as a vertex program, and two more.
equals "--target=spec says what piglit says, but for what the texts decide" "ARBvp1.0_arbfp.txt true
ARBvp1.0_astack-08.txt false
ARBvp1.0_astack-09.txt false" "$(cat "$work/unlike")"
for name in ARBvp1.0_arbfp astack-08 astack-09; do
    check "$name stands in docs/language.md" grep -q "$name" docs/language.md
done
done_testing
