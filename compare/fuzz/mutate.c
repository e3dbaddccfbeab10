/* Breaking programs. A text is taken as tokens, or as lines; each mutation changes one place. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "compare/fuzz/internal.h"

struct token {
    size_t start, size;
    enum token_kind { WORD, NUMBER, PUNCTUATION } kind;
};

enum { TOKENS = 4096 };

struct broken {
    struct fuzz_random *random;
    struct fuzz_text *text;
    struct token *tokens;
    size_t count;
};

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$';
}

/* The header is left out: without it there is little to judge. */
static void take_tokens(struct broken *b)
{
    const char *s = b->text->bytes;
    size_t i = strcspn(s, "\n");
    b->count = 0;
    while (i < b->text->size && b->count < TOKENS) {
        size_t start = i;
        if (isspace((unsigned char)s[i])) {
            i++;
            continue;
        }
        enum token_kind kind = isdigit((unsigned char)s[i]) ? NUMBER : is_word(s[i]) ? WORD : PUNCTUATION;
        if (kind == PUNCTUATION)
            i += s[i] == '.' && s[i + 1] == '.' ? 2 : 1;
        else
            while (i < b->text->size && is_word(s[i]))
                i++;
        b->tokens[b->count++] = (struct token){start, i - start, kind};
    }
}

static void replace(struct broken *b, size_t start, size_t size, const char *with, size_t with_size)
{
    struct fuzz_text made = {0};
    fuzz_text_add(&made, b->text->bytes, start);
    fuzz_text_add(&made, with, with_size);
    fuzz_text_add(&made, b->text->bytes + start + size, b->text->size - start - size);
    b->text->failed |= made.failed;
    if (made.failed) {
        fuzz_text_free(&made);
        return;
    }
    fuzz_text_free(b->text);
    *b->text = made;
}

static const struct token *pick(const struct broken *b)
{
    return &b->tokens[fuzz_below(b->random, (unsigned)b->count)];
}

/* One of a kind, or NULL after some looking. */
static const struct token *pick_kind(const struct broken *b, enum token_kind kind)
{
    for (int i = 0; i < 40; i++) {
        const struct token *t = pick(b);
        if (t->kind == kind)
            return t;
    }
    return NULL;
}

static bool is(const struct broken *b, const struct token *t, const char *word)
{
    return t->size == strlen(word) && memcmp(b->text->bytes + t->start, word, t->size) == 0;
}

static bool replace_word(struct broken *b, const struct token *t, const char *word)
{
    if (!t)
        return false;
    replace(b, t->start, t->size, word, strlen(word));
    return true;
}

/* ---- tokens ------------------------------------------------------------------------------------------------------ */

static bool delete_token(struct broken *b)
{
    return replace_word(b, pick(b), "");
}

static bool double_token(struct broken *b)
{
    struct token t = *pick(b);
    char copy[64];
    if (t.size + 1 > sizeof copy)
        return false;
    copy[0] = ' ';
    memcpy(copy + 1, b->text->bytes + t.start, t.size);
    replace(b, t.start + t.size, 0, copy, t.size + (t.kind != PUNCTUATION));
    return true;
}

static bool swap_tokens(struct broken *b)
{
    if (b->count < 2)
        return false;
    struct token one = b->tokens[fuzz_below(b->random, (unsigned)b->count - 1)], two = *pick(b);
    if (fuzz_chance(b->random, 60))
        two = b->tokens[(size_t)(pick(b) - b->tokens)];
    if (two.start < one.start) {
        struct token t = one;
        one = two;
        two = t;
    }
    char first[64], second[64];
    if (one.start == two.start || one.size > sizeof first || two.size > sizeof second)
        return false;
    memcpy(first, b->text->bytes + one.start, one.size);
    memcpy(second, b->text->bytes + two.start, two.size);
    replace(b, two.start, two.size, first, one.size);
    replace(b, one.start, one.size, second, two.size);
    return true;
}

static bool copy_token(struct broken *b)
{
    struct token from = *pick(b), to = *pick(b);
    char copy[64];
    if (from.size > sizeof copy)
        return false;
    memcpy(copy, b->text->bytes + from.start, from.size);
    replace(b, to.start, to.size, copy, from.size);
    return true;
}

static bool foreign_token(struct broken *b)
{
    static const char *const words[] = {
        "MOV", "R0", "R9", "x", "xyzw", "0", "1.5", "-", ",", ";", ".", "[", "]", "(", ")", "{", "}", "|", "=", ":",
        "..", "END", "TEMP",
        "OPTION", "IF", "ENDIF", "ELSE", "ENDREP", "REP", "BRK", "RET", "CAL", "NE", "result", "vertex", "fragment",
        "program", "local",
        "texture", "2D", "state", "primitive", "A0", "H0", "D0", "SHORT", "INT", "PARAM", "ATTRIB", "OUTPUT", "foo",
        "CC", "SAT", "F", "U",
        "position", "color", "#", "@", "%", "\"", "!!", "+", "*", "inf", "handle", "offset", "image", "EMIT", "BAR",
        "KIL", "TEX",
    };
    return replace_word(b, pick(b), FUZZ_PICK(b->random, words));
}

static bool insert_token(struct broken *b)
{
    static const char *const words[] = {
        " ,", " ;", " .", " x", " -", " |", " R0", " 1", " (", " )", " [0]", ".x", ".xyzw", " (NE.x)", " {1}"};
    const struct token *t = pick(b);
    const char *word = FUZZ_PICK(b->random, words);
    replace(b, t->start + t->size, 0, word, strlen(word));
    return true;
}

static bool big_number(struct broken *b)
{
    static const char *const numbers[] = {
        "4", "8", "16", "32", "64", "96", "191", "192", "255", "256", "1023", "1024", "4096", "65536", "-1",
                                          "2147483648", "4294967296", "99999999999999999999", "0x100000000", "1e39",
                                          "1.5", "1e", "08", "0x", "1x"};
    return replace_word(b, pick_kind(b, NUMBER), FUZZ_PICK(b->random, numbers));
}

static bool misspell(struct broken *b)
{
    const struct token *t = pick_kind(b, WORD);
    if (!t || t->size > 60)
        return false;
    char word[64];
    size_t n = t->size, at = fuzz_below(b->random, (unsigned)n);
    memcpy(word, b->text->bytes + t->start, n);
    switch (fuzz_below(b->random, 4)) {
    case 0:
        memmove(word + at, word + at + 1, n - at - 1);
        n--;
        break;
    case 1:
        memmove(word + at + 1, word + at, n - at);
        word[at] = (char)('A' + fuzz_below(b->random, 26));
        n++;
        break;
    case 2:
        word[at] = (char)((islower((unsigned char)word[at]) ? 'a' : 'A') + (int)fuzz_below(b->random, 26));
        break;
    default:
        for (size_t i = 0; i < n; i++)
            word[i] = (char)(isupper((unsigned char)word[i]) ? tolower((unsigned char)word[i])
                                                             : toupper((unsigned char)word[i]));
        break;
    }
    replace(b, t->start, t->size, word, n);
    return true;
}

/* ---- words that belong together ---------------------------------------------------------------------------------- */

static bool is_listed(const struct broken *b, const struct token *t, const char *const *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (is(b, t, list[i]))
            return true;
    return false;
}

/* A word of a list becomes another word of the list. */
static bool exchange(struct broken *b, const char *const *list, size_t count)
{
    for (int i = 0; i < 60; i++) {
        const struct token *t = pick(b);
        if (is_listed(b, t, list, count))
            return replace_word(b, t, list[fuzz_below(b->random, (unsigned)count)]);
    }
    return false;
}

#define EXCHANGE(name, ...)                                                                                            \
    static bool name(struct broken *b)                                                                                 \
    {                                                                                                                  \
        static const char *const list[] = {__VA_ARGS__};                                                               \
        return exchange(b, list, sizeof list / sizeof *list);                                                          \
    }

EXCHANGE(exchange_modifier, "F", "U", "S", "F32", "S32", "U32", "F16", "F64", "S64", "U64", "U8", "S16", "CC", "CC1",
         "SAT", "SSAT", "PREC", "HI", "TRUNC", "FLR", "F32X2", "U32X4", "S8", "ADD", "MIN", "EXCH", "INCR", "COH",
         "NTC", "ANY", "U24", "SPARSE", "ROUND")
EXCHANGE(exchange_opcode, "MOV", "ADD", "MUL", "MAD", "MIN", "MAX", "DP3", "DP4", "RCP", "RSQ", "EX2", "SIN", "SLT",
         "SGE", "SEQ", "FLR", "FRC", "ABS", "LIT", "DST", "SWZ", "XPD", "CMP", "LRP", "AND", "OR", "SHL", "SHR", "NOT",
         "I2F", "DIV", "MOD", "TEX", "TXB", "TXL", "TXP", "TXF", "TXQ", "TXD", "KIL", "IF", "REP", "DDX", "LDC", "LDB",
         "STB", "CVT", "BFE", "BTC", "EMIT", "BAR", "TGALL", "SHFUP", "PK2H", "UP2H", "ARL", "POW", "NRM")
EXCHANGE(exchange_target, "1D", "2D", "3D", "CUBE", "RECT", "SHADOW1D", "SHADOW2D", "SHADOWCUBE", "ARRAY1D", "ARRAY2D",
         "ARRAYCUBE", "BUFFER", "2DMS", "RENDERBUFFER", "SHADOWARRAY2D")
EXCHANGE(exchange_declaration, "TEMP", "PARAM", "ATTRIB", "OUTPUT", "ADDRESS", "ALIAS", "BUFFER4", "BUFFER", "CBUFFER",
         "STORAGE", "SHARED", "COUNTER", "TEXTURE", "IMAGE", "SHORT", "LONG", "INT", "UINT", "FLOAT", "FLAT", "OPTION")
EXCHANGE(exchange_swizzle, "x", "y", "z", "w", "r", "a", "xyzw", "xy", "xyz", "wzyx", "xx", "rgba", "xyr", "q", "xyxy",
         "xyzwx", "yx", "wzy", "rgb")
EXCHANGE(exchange_rule, "EQ", "GE", "GT", "LE", "LT", "NE", "TR", "FL", "NAN", "LEG", "CF", "NOF", "AB", "EQ1", "NE2",
         "UN")
EXCHANGE(exchange_name, "R0", "R1", "R2", "R3", "H0", "D0", "D1", "IT", "UT", "FT", "A0", "a0", "o0", "p0", "ps", "arr",
         "cb", "sb", "bf", "sm", "ctr", "as")
EXCHANGE(exchange_binding, "position", "color", "texcoord", "attrib", "fogcoord", "clip", "normal", "id", "primary",
         "secondary", "front", "back", "pointsize", "local", "env", "buffer", "layer", "facing", "row", "mvp",
         "modelview", "light", "ambient", "invocation", "vertex", "fragment", "primitive", "localid", "globalid",
         "depth", "instance", "result", "program", "state", "matrix")

/* ---- lines ------------------------------------------------------------------------------------------------------- */

/* The line that a place is in, with its line end. */
static void line_of(const struct broken *b, size_t at, size_t *start, size_t *size)
{
    const char *s = b->text->bytes;
    *start = at;
    while (*start > 0 && s[*start - 1] != '\n')
        --*start;
    *size = strcspn(s + *start, "\n");
    *size += *start + *size < b->text->size;
}

static bool delete_line(struct broken *b)
{
    size_t start, size;
    line_of(b, pick(b)->start, &start, &size);
    replace(b, start, size, "", 0);
    return true;
}

static bool move_line(struct broken *b, bool keep)
{
    size_t start, size, to, to_size;
    line_of(b, pick(b)->start, &start, &size);
    char *copy = malloc(size);
    if (!copy) {
        b->text->failed = true;
        return false;
    }
    memcpy(copy, b->text->bytes + start, size);
    line_of(b, pick(b)->start, &to, &to_size);
    if (keep || to < start) {
        if (!keep)
            replace(b, start, size, "", 0);
        replace(b, to, 0, copy, size);
    } else if (to > start) {
        replace(b, to, 0, copy, size);
        replace(b, start, size, "", 0);
    }
    free(copy);
    return true;
}

static bool move_any_line(struct broken *b)
{
    return move_line(b, false);
}

static bool double_line(struct broken *b)
{
    return move_line(b, true);
}

static bool drop_option(struct broken *b)
{
    for (int i = 0; i < 60; i++) {
        const struct token *t = pick(b);
        if (is(b, t, "OPTION")) {
            size_t start, size;
            line_of(b, t->start, &start, &size);
            replace(b, start, size, "", 0);
            return true;
        }
    }
    return false;
}

static bool cut_text(struct broken *b)
{
    const struct token *t = pick(b);
    replace(b, t->start, b->text->size - t->start, "", 0);
    return true;
}

static bool change_byte(struct broken *b)
{
    static const char bytes[] = ".,;:[](){}|-+=#!@~?\\'\"<>*/&^%$ \t\r\n\001\200\377aZ09_";
    size_t first = strcspn(b->text->bytes, "\n"), span = b->text->size - first;
    size_t at = first + fuzz_below(b->random, (unsigned)(span ? span : 1));
    char c = bytes[fuzz_below(b->random, sizeof bytes - 1)];
    replace(b, at, at < b->text->size ? fuzz_below(b->random, 2) : 0, &c, 1);
    return true;
}

static const struct {
    const char *name;
    bool (*change)(struct broken *b);
    unsigned weight;
} mutations[] = {
    {"delete", delete_token, 12}, {"double", double_token, 8}, {"swap", swap_tokens, 8}, {"copy", copy_token, 8},
    {"foreign", foreign_token, 8}, {"insert", insert_token, 6}, {"number", big_number, 10}, {"misspell", misspell, 8},
    {"modifier", exchange_modifier, 10}, {"opcode", exchange_opcode, 10}, {"target", exchange_target, 5},
    {"keyword", exchange_declaration, 7}, {"swizzle", exchange_swizzle, 8}, {"rule", exchange_rule, 4},
    {"name", exchange_name, 9}, {"binding", exchange_binding, 8}, {"drop-line", delete_line, 5},
    {"move-line", move_any_line, 7},
    {"double-line", double_line, 4}, {"drop-option", drop_option, 6}, {"cut", cut_text, 2}, {"byte", change_byte, 4},
};
enum { MUTATIONS = sizeof mutations / sizeof *mutations };

static size_t draw(struct fuzz_random *r)
{
    unsigned all = 0;
    for (size_t i = 0; i < MUTATIONS; i++)
        all += mutations[i].weight;
    unsigned at = fuzz_below(r, all);
    size_t i = 0;
    while (at >= mutations[i].weight)
        at -= mutations[i++].weight;
    return i;
}

const char *fuzz_break(struct fuzz_random *r, struct fuzz_text *text)
{
    struct broken b = {.random = r, .text = text, .tokens = malloc(TOKENS * sizeof(struct token))};
    const char *what = NULL;
    if (!b.tokens || text->failed) {
        text->failed = true;
        free(b.tokens);
        return NULL;
    }
    take_tokens(&b);
    for (int i = 0; i < 8 && !what && b.count; i++) {
        size_t k = draw(r);
        if (mutations[k].change(&b))
            what = mutations[k].name;
    }
    free(b.tokens);
    return what;
}
