#!/bin/sh
# --target=spec beside the texts of the ARB options of NVIDIA (NV_vertex_program2_option, NV_vertex_program3,
# NV_fragment_program_option, NV_fragment_program2): option_texts.txt has a row for each binding, form and range that
# was read there: dialect, + or - as the text takes it or not, the statements. v0 is ARB_vertex_program alone.
# cost: 2
. tests/cli/tap.inc
B=${B:-build}
GP5=${GP5:-$B/gp5}
mkdir "$work/rows"
awk -v folder="$work/rows" '
    BEGIN {
        option["v2"] = "NV_vertex_program2"; option["v3"] = "NV_vertex_program3"
        option["f1"] = "NV_fragment_program"; option["f2"] = "NV_fragment_program2"
    }
    {
        file = sprintf("%s/%04d", folder, NR)
        vertex = $1 ~ /^v/
        print vertex ? "!!ARBvp1.0" : "!!ARBfp1.0" >file
        if ($1 in option) print "OPTION " option[$1] ";" >file
        print vertex ? "ADDRESS A; TEMP a; PARAM p[4] = { program.env[0..3] };" \
                     : "TEMP a; PARAM q = program.local[0];" >file
        print substr($0, 6) >file
        print vertex ? "MOV result.position, vertex.position;" : "MOV result.depth.z, q.x;" >file
        print "END" >file
        close(file)
    }' tests/cli/option_texts.txt
"$GP5" check --target=spec --json "$work/rows"/* | sed 's/.*"valid":true.*/+/;s/.*"valid":false.*/-/' >"$work/given"
equals "each row has its answer" "$(wc -l <tests/cli/option_texts.txt)" "$(wc -l <"$work/given")"
check "there are hundreds" test "$(wc -l <"$work/given")" -ge 390
paste -d' ' "$work/given" tests/cli/option_texts.txt | awk '$1 != $3' >"$work/unlike"
equals "--target=spec takes and refuses what the texts do" "" "$(cat "$work/unlike")"
done_testing
