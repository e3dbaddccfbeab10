#!/bin/sh
# --target=spec beside the texts of NVIDIA's languages, as rows that were read there: what a text takes or not.
# option_texts.txt: the ARB options (NV_vertex_program2_option, NV_vertex_program3, NV_fragment_program_option,
# NV_fragment_program2); a row is dialect, + or -, the statements; v0 is ARB_vertex_program alone.
# typed_texts.txt: NV_gpu_program4, NV_gpu_program5, their stages, the options of these; its head says what rows are.
# cost: 2
. tests/cli/tap.inc
B=${B:-build}
GP5=${GP5:-$B/gp5}

# Programs in a folder, and beside them what is expected of each, a line each: +, or -.
arb_programs() {
    awk -v folder="$1" '
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
            print $2, $0
        }' tests/cli/option_texts.txt
}

typed_programs() {
    awk -v folder="$1" '
        function operands(shape, of,  text, i) {
            if (shape == "z") return of ", x, y, -0, 1"
            if (shape == "t") return of ", texture[0], 2D"
            if (shape == "d") return of ", " of ", " of ", texture[0], 2D"
            for (i = 1; i <= length(shape); i++)
                text = text (i > 1 ? ", " : "") of (substr(shape, i, 1) == "s" ? ".x" : "")
            return text
        }
        function row(dialect, sign, text,  file, key, options, bare) {
            print sign, dialect, sign, text
            key = dialect; bare = sub(/!$/, "", key)
            file = sprintf("%s/%04d", folder, ++rows)
            for (options = opening[key]; match(text, /^OPTION [^;]*;/); text = substr(text, RLENGTH + 2))
                options = options substr(text, 1, RLENGTH) "\n"
            printf "%s\n%s", header[key], options >file
            if (!bare) printf "%s%s", stage[key], (key == "pg" ? "" : names[key]) >file
            if (key == "pg" && text !~ /^(PASSTHROUGH|VERTICES_OUT|PRIMITIVE_OUT|INVOCATIONS)/)
                text = names[key] text
            print text "\nEND" >file
            close(file)
        }
        function typed(dialect, op, modifier, has, result, shape, of) {
            row(dialect, has ? "+" : "-", op modifier " " result ", " operands(shape, of) ";")
        }
        BEGIN {
            n = split("v4 NVvp4.0 f4 NVfp4.0 g4 NVgp4.0 v5 NVvp5.0 f5 NVfp5.0 g5 NVgp5.0 tc NVtcp5.0 te NVtep5.0 " \
                      "c5 NVcp5.0 pg NVgp5.0 sh NVcp5.0 st NVcp5.0", word, " ")
            for (i = 1; i < n; i += 2) {
                header[word[i]] = "!!" word[i + 1]
                names[word[i]] = "TEMP a, b, m[8]; INT TEMP n; PARAM p[4] = { program.local[0..3] };\n" \
                                 (word[i] ~ /4/ ? "" : "LONG TEMP d, e;\n")
            }
            stage["g4"] = stage["g5"] = "PRIMITIVE_IN TRIANGLES; PRIMITIVE_OUT TRIANGLE_STRIP; VERTICES_OUT 4;\n"
            stage["tc"] = "VERTICES_OUT 4;\n"; stage["te"] = "TESS_MODE TRIANGLES;\n"; stage["c5"] = "GROUP_SIZE 32;\n"
            opening["pg"] = "OPTION NV_geometry_shader_passthrough;\n"
            stage["pg"] = "PRIMITIVE_IN TRIANGLES; PASSTHROUGH result.position;\n"
            stage["sh"] = "GROUP_SIZE 8; SHARED_MEMORY 64; SHARED s[] = { program.sharedmem };\n"
            opening["st"] = "OPTION NV_shader_storage_buffer;\n"
            stage["st"] = "GROUP_SIZE 8; STORAGE s[] = { program.storage[0] };\n"
            all = "1D 2D 3D CUBE RECT ARRAY1D ARRAY2D SHADOW1D SHADOW2D SHADOWRECT SHADOWCUBE SHADOWARRAY1D " \
                  "SHADOWARRAY2D BUFFER"
        }
        /^#/ { next }
        $1 ~ /^table/ {
            d = $1 == "table4" ? "v4" : "v5"
            for (i = 1; i <= 5; i++) has[i] = substr($3, i, 1)
            typed(d, $2, ".F", has[1] != "-", "a", $4, "b"); typed(d, $2, ".S", has[2] != "-", "a", $4, "b")
            typed(d, $2, ".U", has[2] != "-", "a", $4, "b"); typed(d, $2, ".CC", has[3] != "-", "a", $4, "b")
            typed(d, $2, ".SAT", has[4] != "-", "a", $4, "b"); typed(d, $2, "H", has[5] != "-", "a", $4, "b")
            if (d == "v4") next
            typed(d, $2, ".F32", has[1] != "-", "a", $4, "b"); typed(d, $2, ".S32", has[2] != "-", "a", $4, "b")
            if ($4 ~ /[td]/) next
            typed(d, $2, ".F64", has[1] == "6", "d", $4, "e"); typed(d, $2, ".S64", has[2] == "6", "d", $4, "e")
            next
        }
        $1 == "forbid" {
            bad = " "; for (i = 5; i <= NF; i++) bad = bad $i " "
            n = split(all, target, " ")
            for (i = 1; i <= n; i++)
                row($2, index(bad, " " target[i] " ") ? "-" : "+",
                    $3 " a, " ($4 == "d" ? "b, b, b" : "b") ", texture[0], " target[i] ";")
            next
        }
        { row($1, $2, substr($0, length($1) + 4)) }' tests/cli/typed_texts.txt
}

# What --target=spec says of each, beside the row; those where it is not what the row says.
unlike() {
    mkdir "$work/$1"
    "$1_programs" "$work/$1" >"$work/$1.rows"
    "$GP5" check --target=spec --json "$work/$1"/* |
        sed 's/.*"valid":true.*/+/;s/.*"valid":false.*/-/' >"$work/$1.given"
    equals "$1: each row has its answer" "$(wc -l <"$work/$1.rows")" "$(wc -l <"$work/$1.given")"
    equals "$1: --target=spec takes and refuses what the texts do" "" \
        "$(paste -d' ' "$work/$1.given" "$work/$1.rows" | awk '$1 != $2')"
}

unlike arb
check "arb: there are hundreds" test "$(wc -l <"$work/arb.given")" -ge 390
unlike typed

# NVIDIA's driver (580.159.04) was asked all of the typed ones; typed_texts.driver has those of which it says something
# else than the text.
"$GP5" check --json "$work/typed"/* | sed 's/.*"valid":true.*/+/;s/.*"valid":false.*/-/' >"$work/nvidia.given"
awk 'NR == FNR { other[$0] = 1; next }
     { row = substr($0, 3); print (row in other) != ($1 == "+") ? "+" : "-", row }' \
    tests/cli/typed_texts.driver "$work/typed.rows" >"$work/nvidia.rows"
equals "typed: what NVIDIA's driver takes and refuses" "" \
    "$(paste -d' ' "$work/nvidia.given" "$work/nvidia.rows" | awk '$1 != $2')"
check "typed: there are hundreds" test "$(wc -l <"$work/typed.given")" -ge 1500
done_testing
