# Writes tables of the words of asm/*.def, so that nothing is filled when a program is read:
#   awk -f asm/gen/words.awk asm/isa.def asm/keywords.def asm/modifiers.def asm/bindings.def
# For asm/words.c slots by a hash of a word's first eight letters: opcodes and keywords, modifiers, the longer ones; for
# parser/binding.c lists of rows that begin with the same words. The hashes are those of asm/words.h and binding.c.
BEGIN {
    SLOTS = 512
    BINDING_SLOTS = 256
    for (i = 32; i < 127; i++)
        code[sprintf("%c", i)] = i
}

function quarter(text, from,    i, n) {
    for (i = 3; i >= 0; i--)
        n = n * 256 + code[substr(text, from + i, 1)]
    return n
}

# words_slot() of asm/words.h
function slot_of(text) {
    return int((quarter(text, 1) * 790121 + quarter(text, 5) * 564971) % 4294967296 / 8388608)
}

function letters(text,    i, out) {
    for (i = 1; i <= length(text); i++)
        out = out (i > 1 ? ", " : "") "'" substr(text, i, 1) "'"
    return out
}

function place(table, text, id,    slot) {
    if (length(text) > 8) {
        longer = longer "    " id ",\n"
        nlonger++
        return
    }
    slot = slot_of(text)
    while ((table, slot) in taken)
        slot = (slot + 1) % SLOTS
    taken[table, slot] = "{" letters(text) "}, " id
}

function list(table,    slot) {
    print "static const struct word_slot " table "[WORD_SLOTS] = {"
    for (slot = 0; slot < SLOTS; slot++)
        if ((table, slot) in taken)
            print "    [" slot "] = {" taken[table, slot] "},"
    print "};"
}

# words_hash() of parser/binding.c
function hash(from, text,    i) {
    for (i = 1; i <= length(text); i++)
        from = (from * 33 + code[substr(text, i, 1)]) % 65536
    return from
}

function argument(line) {
    sub(/^[^(]*\(/, "", line)
    sub(/[,)].*/, "", line)
    return line
}

function quoted(line) {
    sub(/^[^"]*"/, "", line)
    sub(/".*/, "", line)
    return line
}

/^[ \t]*OP\([A-Z]/ { place("statements", argument($0), "OP_" argument($0)); ops++ }
/^[ \t]*KEYWORD\([A-Z]/ { place("statements", argument($0), "OP_COUNT + KEY_" argument($0)); keys++ }
/^[ \t]*MODIFIER\([A-Z]/ {
    modifiers++
    text = quoted($0)
    place("modifiers", text, "MOD_" argument($0))
    if (text == "F16X2" || text == "F16X4") # these two are written with a small x as well
        place("modifiers", "F16x" substr(text, 5), "MOD_" argument($0))
}
/^[ \t]*BINDING\([A-Z]/ {
    row[nrows++] = "BIND_" argument($0)
    text = quoted($0)
    gsub(/\[[^\]]*\]/, "", text)
    n = split(text, word, ".")
    h = hash(0, word[1])
    for (i = 2; i <= n && i <= (word[2] == "matrix" ? 3 : 2); i++)
        h = hash(h, word[i])
    slot[nrows - 1] = h % BINDING_SLOTS
}

END {
    print "/* Written by asm/gen/words.awk. */"
    print "#ifdef WORDS_OF_STATEMENTS"
    print "_Static_assert(WORD_SLOTS == " SLOTS ", \"as words.awk has it\");"
    print "_Static_assert(OP_COUNT == " ops " && KEY_COUNT == " keys " && MOD_UNKNOWN - MOD_NONE - 1 == " modifiers ","
    print "               \"words.awk found all rows\");"
    list("statements")
    list("modifiers")
    print "static const uint16_t longer[" nlonger "] = {"
    printf "%s", longer
    print "};"
    print "#else"
    print "_Static_assert(BIND_COUNT == " nrows " && BIND_CONSTANT == 0, \"words.awk found all rows\");"
    print "enum { BINDING_SLOTS = " BINDING_SLOTS " };"
    print "static const uint16_t binding_next[BIND_COUNT] = {"
    # upwards in a list, as they stand in the table; the first one is no word
    for (i = nrows - 1; i > 0; i--) {
        if (slot[i] in head)
            print "    [" row[i] "] = " head[slot[i]] ","
        head[slot[i]] = row[i]
    }
    print "};"
    print "static const uint16_t binding_head[BINDING_SLOTS] = {"
    for (i = 0; i < BINDING_SLOTS; i++)
        if (i in head)
            print "    [" i "] = " head[i] ","
    print "};"
    print "#endif"
}
