# Who calls whom between files, and the circles in it, from the symbols of objects.
# Reads lines "FILE NM-LINE" (nm -g of the file's object before which the file's name stands). Prints, by -v show=:
#   calls     a line "CALLER CALLED SYMBOL" for each
#   circles   a line "COUNT FILE..." for each circle of calls (a strongly connected component of more than one file)
$NF != $1 {
    kind = $(NF - 1)
    if (kind == "U" || kind == "w")
        used[$1 SUBSEP $NF]
    else if (kind ~ /^[A-Z]$/)
        home[$NF] = $1
}
END {
    for (pair in used) {
        split(pair, part, SUBSEP)
        to = home[part[2]]
        if (to == "" || to == part[1])
            continue
        if (show == "calls")
            print part[1], to, part[2]
        if (!((part[1], to) in edge)) {
            edge[part[1], to]
            next_of[part[1], ++out[part[1]]] = to
        }
        file[part[1]]
        file[to]
    }
    if (show == "circles")
        for (name in file)
            if (!(name in number))
                visit(name)
}

# Tarjan's algorithm.
function visit(name,    i, to, members, count)
{
    number[name] = low[name] = ++last
    stack[++depth] = name
    waits[name] = 1
    for (i = 1; i <= out[name]; i++) {
        to = next_of[name, i]
        if (!(to in number)) {
            visit(to)
            if (low[to] < low[name])
                low[name] = low[to]
        } else if (waits[to] && number[to] < low[name])
            low[name] = number[to]
    }
    if (low[name] != number[name])
        return
    do {
        to = stack[depth--]
        waits[to] = 0
        members = members " " to
        count++
    } while (to != name)
    if (count > 1)
        print count members
}
