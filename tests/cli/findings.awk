# Rows of a Markdown table from what tests/tools/subgroup_spirv_run.c or tests/tools/subgroup_glsl_replay.c printed into files whose names end in
# ".SIZE": what became of each operation, over all its cases, where that is not as the reference has it. Operations of which the same
# is to be said share a row. awk -F'\t' -f tests/cli/findings.awk FILE.SIZE ...
FNR == 1 { size = FILENAME; sub(/.*\./, "", size); sizes = sizes (sizes ? ", " : "") size; next }
{
    op = $1; type = $2; form = $3; sub(/ x[2-4]$/, "", type); sub(/\/.*/, "", form)
    if (!(op in all)) name[++ops] = op
    if (!has[op, type]++) all[op] = all[op] ", " type
    cases[op]++
    if ($4 == "right") next
    bad[op]++
    kind[op, $4]++
    at[op, $4, form] = 1
    lanes[op, size] = 1
    among[op, type] = 1
}
# Those words of a list for which the array has an element.
function which(array, prefix, words,   n, i, word, text) {
    n = split(words, word, ", ")
    for (i = 1; i <= n; i++)
        if ((prefix SUBSEP word[i]) in array) text = text (text ? ", " : "") word[i]
    return text
}
function what(op,   n, i, list, text) {
    if (kind[op, "crashed"] == cases[op]) return "ends the process"
    n = split("crashed,hung,rejected,unsupported,gl error,garbled,out of memory,not run,wrong,whole group", list, ",")
    for (i = 1; i <= n; i++)
        if (kind[op, list[i]])
            text = text (text ? "; " : "") says[list[i]] " (" which(at, op SUBSEP list[i], "straight, if, nested, loop") ")"
    return text
}
BEGIN {
    n = split("hung,rejected,unsupported,gl error,garbled,out of memory,not run,wrong", list, ",")
    for (i = 1; i <= n; i++) says[list[i]] = list[i]
    says["crashed"] = "ends the process"; says["whole group"] = "the result of the whole group"
}
END {
    for (o = 1; o <= ops; o++) {
        op = name[o]
        if (!bad[op]) continue
        all[op] = substr(all[op], 3)
        types = which(among, op, all[op])
        row = (types == all[op] || kind[op, "crashed"] == cases[op] ? "all" : types) " | " which(lanes, op, sizes) \
            " | " what(op)
        if (!(row in members)) order[++rows] = row
        members[row] = members[row] (members[row] ? ", " : "") "`" op "`"
    }
    # Lines of at most 120 columns: the operations of a row may stand in several.
    for (r = 1; r <= rows; r++) {
        n = split(members[order[r]], member, ", ")
        line = ""
        for (i = 1; i <= n; i++) {
            if (line && length("| " line ", " member[i] " | " order[r] " |") > 120) {
                print "| " line " | " order[r] " |"
                line = ""
            }
            line = line (line ? ", " : "") member[i]
        }
        print "| " line " | " order[r] " |"
    }

}
