# Makes the programs of templates: awk -f expand.awk FILE...
#
# A template is a program. Lines that begin with //! or #! speak of it:
#     //! NAME: VALUE VALUE ...            each VALUE in turn in the place of the word NAME
#     //! NAME,NAME: VALUE;VALUE VALUE;VALUE     several at once
#     //! in INPUTS                        what it is run on (tests/tools/programs_case.c), NAMEs replaced; $(A*B) is a product
#     //! if NAME==VALUE ... //! end       lines of some only (!= as well)
# All products of the lines' values are programs, named KIND/FAMILY/VALUE-VALUE... by the file and its folder.
function replace(text, words, values, n,    i, out, at, word) {
    out = ""
    while (match(text, /[A-Za-z_][A-Za-z_0-9]*/)) {
        word = substr(text, RSTART, RLENGTH)
        if (word in values)
            word = values[word]
        out = out substr(text, 1, RSTART - 1) word
        text = substr(text, RSTART + RLENGTH)
    }
    return out text
}
function products(text,    e, a) {
    while (match(text, /\$\([0-9*]*\)/)) {
        e = substr(text, RSTART + 2, RLENGTH - 3)
        v = 1
        n_ = split(e, a, "*")
        for (i_ = 1; i_ <= n_; i_++)
            v *= a[i_]
        text = substr(text, 1, RSTART - 1) v substr(text, RSTART + RLENGTH)
    }
    return text
}
function emit(k,    i, j, count, names, vals, parts, name, show, cond, c) {
    if (k <= nparams) {
        count = split(choices[k], one_, " ")
        for (i = 1; i <= count; i++)
            parts_[k, i] = one_[i]
        for (i = 1; i <= count; i++) {
            chosen[k] = parts_[k, i]
            emit(k + 1)
        }
        return
    }
    delete table
    name = ""
    for (j = 1; j <= nparams; j++) {
        c = split(params[j], names, ",")
        if (c == 1)
            vals[1] = chosen[j]
        else
            split(chosen[j], vals, ";")
        for (i = 1; i <= c; i++) {
            gsub(/~/, " ", vals[i])
            table[names[i]] = vals[i]
        }
        show = vals[1]
        gsub(/[^A-Za-z0-9.+-]/, "", show)
        name = name (j > 1 ? "-" : "") show
    }
    if (name == "")
        name = "0"
    while ((family "/" name) in seen)
        name = name "x"
    seen[family "/" name] = 1
    print "@case " family "/" name
    print "@in " products(replace(inputs, 0, table, 0))
    skip = 0
    for (i = 1; i <= nlines; i++) {
        if (lines[i] ~ /^(\/\/|#)! if /) {
            cond = lines[i]
            sub(/^(\/\/|#)! if /, "", cond)
            negated = index(cond, "!=") > 0
            split(cond, c_, /[!=]=/)
            skip = (table[c_[1]] == c_[2]) == negated
        } else if (lines[i] ~ /^(\/\/|#)! end/) {
            skip = 0
        } else if (!skip) {
            print replace(replace(lines[i], 0, table, 0), 0, table, 0)
        }
    }
    print "@end"
}
function finish() {
    if (family != "")
        emit(1)
    nparams = nlines = 0
    inputs = ""
}
FNR == 1 {
    finish()
    n = split(FILENAME, path, "/")
    family = path[n]
    sub(/\.[a-z]*$/, "", family)
    family = path[n - 1] "/" family
}
/^(\/\/|#)! in / { sub(/^(\/\/|#)! in /, ""); inputs = $0; next }
/^(\/\/|#)! [A-Z0-9_,]+: / {
    sub(/^(\/\/|#)! /, "")
    nparams++
    params[nparams] = substr($0, 1, index($0, ":") - 1)
    choices[nparams] = substr($0, index($0, ":") + 2)
    next
}
{ lines[++nlines] = $0 }
END { finish() }
