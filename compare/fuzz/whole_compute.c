/* Instructions that compute within a lane. */
#include <string.h>

#include "asm/facts.h"
#include "compare/fuzz/whole_internal.h"

enum {
    F = 1, S = 2, U = 4, D = 8, L = 16, M = 32, I32 = S | U, I = S | U | L | M, FD = F | D, ANY = F | S | U | D | L | M
};
enum { SAT = 1, CC = 2, PRECISE = 4 /* may be contracted */, TYPED = 8 /* the name says the type */ };

/* Letters of a shape: v a vector, s a scalar; 2 of a vector as small numbers. */
static const struct row {
    const char *name, *shape;
    unsigned types, flags, weight;
} rows[] = {
    {"MOV", "v", ANY, SAT | CC, 4}, {"ABS", "v", ANY, SAT | CC, 2}, {"SSG", "v", FD, CC, 1},
    {"FLR", "v", ANY, CC, 1}, {"CEIL", "v", ANY, CC, 1}, {"ROUND", "v", ANY, CC, 1}, {"TRUNC", "v", ANY, CC, 1},
    {"FRC", "v", FD, SAT | CC, 1}, {"I2F", "v", I, CC, 2},
    {"ADD", "vv", ANY, SAT | CC | PRECISE, 8}, {"SUB", "vv", ANY, SAT | CC | PRECISE, 6},
    {"MUL", "vv", ANY, SAT | CC | PRECISE, 8},
    {"MUL.HI", "vv", I32, CC, 2}, {"MUL.S24", "vv", S, CC | TYPED, 1}, {"MUL.U24", "vv", U, CC | TYPED, 1},
    {"MAD", "vvv", ANY, SAT | CC, 5}, {"MIN", "vv", ANY, SAT | CC, 3}, {"MAX", "vv", ANY, SAT | CC, 3},
    {"CMP", "vvv", ANY, CC, 4}, {"LRP", "vvv", F, SAT | CC, 2}, {"DIV", "vs", ANY, CC | PRECISE, 3},
    {"MOD", "vs", I, CC, 2},
    {"SAD", "vvv", I, CC, 2}, {"DP2", "vv", F, SAT | CC, 1}, {"DP2A", "vvv", F, CC, 1}, {"DP3", "vv", F, SAT | CC, 1},
    {"DP4", "vv", F, SAT | CC, 2}, {"DPH", "vv", F, CC, 1}, {"DST", "vv", F, CC, 1}, {"NRM", "v", F, CC, 1},
    {"RFL", "vv", F, CC, 1},
    {"X2D", "vvv", F, CC, 1}, {"XPD", "vv", F, CC, 1}, {"LIT", "v", F, CC, 1}, {"RCP", "s", FD, SAT | CC, 2},
    {"RSQ", "s", F, SAT | CC, 2}, {"RCC", "s", F, CC, 1}, {"EX2", "s", F, SAT | CC, 2}, {"LG2", "s", F, CC, 2},
    {"POW", "ss", F, CC, 1}, {"SIN", "s", F, SAT | CC, 1}, {"COS", "s", F, SAT | CC, 1}, {"SCS", "s", F, CC, 1},
    {"SEQ", "vv", ANY, CC, 2}, {"SFL", "vv", ANY, CC, 1}, {"SGE", "vv", ANY, CC, 2}, {"SGT", "vv", ANY, CC, 2},
    {"SLE", "vv", ANY, CC, 2}, {"SLT", "vv", ANY, CC, 2}, {"SNE", "vv", ANY, CC, 2}, {"STR", "vv", ANY, CC, 1},
    {"AND", "vv", I, CC, 4}, {"OR", "vv", I, CC, 3}, {"XOR", "vv", I, CC, 3}, {"NOT", "v", I, CC, 2},
    {"SHL", "vs", I, CC, 3}, {"SHR", "vs", I, CC, 3}, {"BFE", "2v", I32, CC, 2}, {"BFI", "2vv", I32, CC, 2},
    {"BFR", "v", I32, CC, 1},
    {"BTC", "v", I32, CC, 1}, {"BTFL", "v", I32, CC, 1}, {"BTFM", "v", I32, CC, 1},
    {"PK2H", "v", F, 0, 1}, {"PK2US", "v", F, 0, 1}, {"PK4B", "v", F, 0, 1}, {"PK4UB", "v", F, 0, 1},
    {"UP2H", "s", F, SAT | CC, 1}, {"UP2US", "s", F, CC, 1}, {"UP4B", "s", F, CC, 1}, {"UP4UB", "s", F, CC, 1},
};

static const struct { unsigned bit; const char *name; bool wide, number; } types[] = {
    {F, "F", false, true}, {S, "S", false, false}, {U, "U", false, false}, {D, "F64", true, true},
    {L, "S64", true, false},
    {M, "U64", true, false}, {F, "F32", false, true}, {S, "S32", false, false}, {U, "U32", false, false}};

/* What a driver may round together, and what may stand between. */
static const struct row products[] = {
    {"MUL", "vv", FD, SAT | CC | PRECISE, 10}, {"ADD", "vv", FD, SAT | CC | PRECISE, 8},
    {"SUB", "vv", FD, SAT | CC | PRECISE, 4},
    {"MOV", "v", F | S | U | D, SAT | CC, 6}, {"MAD", "vvv", FD, SAT | CC, 2}, {"DIV", "vs", F, CC | PRECISE, 1},
    {"ABS", "v", FD, CC, 1},
    {"MAX", "vv", FD, CC, 1}, {"DP3", "vv", F, CC, 1}, {"SLT", "vv", F, CC, 1}, {"CMP", "vvv", F, CC, 1},
    {"ADD", "vv", S | U, CC, 1}};

static const struct row *pick_product(struct whole_grow *g)
{
    unsigned at = fuzz_below(g->random, 37);
    for (size_t i = 0; i < sizeof products / sizeof *products - 1; i++) {
        if (at < products[i].weight)
            return &products[i];
        at -= products[i].weight;
    }
    return &products[sizeof products / sizeof *products - 1];
}

static const struct row *pick_row(struct whole_grow *g)
{
    if (g->settings->products && fuzz_chance(g->random, 90))
        return pick_product(g);
    unsigned total = 0;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        total += rows[i].weight;
    unsigned at = fuzz_below(g->random, total);
    for (size_t i = 0;; i++) {
        if (at < rows[i].weight)
            return &rows[i];
        at -= rows[i].weight;
    }
}

static unsigned pick_type(struct whole_grow *g, unsigned allowed)
{
    unsigned i;
    do
        i = fuzz_below(g->random, sizeof types / sizeof *types);
    while (!(types[i].bit & allowed) || (g->settings->products && types[i].wide && fuzz_chance(g->random, 50)) ||
           (types[i].wide && fuzz_chance(g->random, 40) && allowed & (F | S | U)));
    return i;
}

/* ---- operands ---------------------------------------------------------------------------------------------------- */

static void put_swizzle(struct whole_grow *g, bool scalar)
{
    static const char letters[] = "xyzw";
    if (scalar || fuzz_chance(g->random, 20)) {
        fuzz_text_printf(g->body, ".%c", letters[fuzz_below(g->random, 4)]);
    } else if (fuzz_chance(g->random, 40)) {
        fuzz_text_put(g->body, ".");
        for (int i = 0; i < 4; i++)
            fuzz_text_printf(g->body, "%c", letters[fuzz_below(g->random, 4)]);
    }
}

static void put_literal(struct whole_grow *g, bool number, bool vector)
{
    static const char *const numbers[] = {
        "0.0", "1.0", "-1.0", "0.5", "2.0", "-3.25", "1e30", "1e-30", "0.1", "16777217.0", "3", "-7"};
    static const char *const integers[] = {
        "0", "1", "-1", "2", "3", "5", "7", "31", "32", "40", "255", "0x7fffffff", "0x80000000", "-100", "65536"};
    if (vector && fuzz_chance(g->random, 40)) {
        fuzz_text_put(g->body, "{");
        for (unsigned i = 0, n = 1 + fuzz_below(g->random, 4); i < n; i++)
            fuzz_text_printf(g->body, "%s%s", i ? ", " : "",
                             number ? FUZZ_PICK(g->random, numbers) : FUZZ_PICK(g->random, integers));
        fuzz_text_put(g->body, "}");
        if (fuzz_chance(g->random, 30))
            put_swizzle(g, false);
    } else {
        fuzz_text_put(g->body, number ? FUZZ_PICK(g->random, numbers) : FUZZ_PICK(g->random, integers));
    }
}

static void put_base(struct whole_grow *g, unsigned type)
{
    static const char *const attributes[] = {
        "invocation.localid", "invocation.globalid", "invocation.groupid", "invocation.groupcount",
                                             "invocation.groupsize", "invocation.localindex", "invocation.threadid",
                                             "invocation.threadltmask", "invocation.threadgemask",
                                             "invocation.threadeqmask"};
    unsigned at = fuzz_below(g->random, g->settings->products && fuzz_chance(g->random, 80) ? 72 : 100);
    bool wide = types[type].wide != fuzz_chance(g->random, 12);
    if (at < 72)
        fuzz_text_printf(g->body, wide ? "D%u" : "R%u", fuzz_below(g->random, wide ? 3 : 5));
    else if (at < 78)
        fuzz_text_printf(g->body, "arr[%u]", fuzz_below(g->random, 4));
    else if (at < 84)
        fuzz_text_printf(g->body, "arr[A.x%s]", fuzz_chance(g->random, 10) ? " + 1" : "");
    else if (at < 88)
        fuzz_text_printf(g->body, "ps[%u]", fuzz_below(g->random, 5));
    else if (at < 90)
        fuzz_text_put(g->body, "ps[A.x]");
    else if (at < 93)
        fuzz_text_printf(g->body, "program.local[%u]", fuzz_below(g->random, 4));
    else if (at < 95) {
        unsigned number = fuzz_below(g->random, 16);
        const char *form = fuzz_chance(g->random, 50) ? "cv[%u]" : "cw[%u]";
        fuzz_text_printf(g->body, form, number);
    } else if (at < 96)
        fuzz_text_put(g->body, fuzz_chance(g->random, 50) ? "cv[A.x + 2]" : "cw[A.x + 3]");
    else
        fuzz_text_put(g->body, FUZZ_PICK(g->random, attributes));
}

static void put_operand(struct whole_grow *g, unsigned type, bool scalar, bool may_sign)
{
    unsigned literals = g->settings->says_literals ? g->settings->literals : g->settings->driver ? 4 : 15;
    unsigned sign = may_sign ? fuzz_below(g->random, 10) : 9;
    if (fuzz_chance(g->random, literals)) {
        put_literal(g, types[type].number, !scalar);
        return;
    }
    fuzz_text_put(g->body, sign == 0 || sign == 2 ? "-" : "");
    fuzz_text_put(g->body, sign == 1 || sign == 2 ? "|" : "");
    put_base(g, type);
    put_swizzle(g, scalar);
    fuzz_text_put(g->body, sign == 1 || sign == 2 ? "|" : "");
}

/* Two small numbers, most of the time. */
static void put_small(struct whole_grow *g)
{
    unsigned most = g->settings->driver ? 16 : 34;
    if (fuzz_chance(g->random, 60)) {
        unsigned reg2 = fuzz_below(g->random, most);
        unsigned reg = fuzz_below(g->random, most);
        fuzz_text_printf(g->body, "{%u, %u, 0, 0}", reg, reg2);
    } else
        fuzz_text_printf(g->body, "N");
}

/* ---- results ----------------------------------------------------------------------------------------------------- */

static void put_destination(struct whole_grow *g, bool wide, bool conditional)
{
    static const char *const masks[] = {"", "", "", "", ".x", ".y", ".xy", ".zw", ".xyz", ".w", ".yw", ".xz"};
    static const char *const tests[] = {
        "EQ", "NE", "LT", "GE", "GT", "LE", "NAN", "LEG", "CF", "NCF", "OF", "NOF", "SF", "NSF", "AB",
                                        "BLE", "TR", "FL"};
    static const char *const components[] = {"", ".x", ".y", ".wzyx", ".xxyy", ".w"};
    bool long_one = wide != fuzz_chance(g->random, 10);
    unsigned at = fuzz_below(g->random, 100);
    if (at < 86)
        fuzz_text_printf(g->body, long_one ? "D%u" : "R%u", fuzz_below(g->random, long_one ? 3 : 5));
    else
        fuzz_text_put(g->body, at < 93 ? "arr[2]" : "arr[A.x]");
    fuzz_text_put(g->body, FUZZ_PICK(g->random, masks));
    if (conditional && fuzz_chance(g->random, 15)) {
        const char *component = FUZZ_PICK(g->random, components);
        const char *form = fuzz_chance(g->random, 25) ? "1" : "";
        const char *test = FUZZ_PICK(g->random, tests);
        fuzz_text_printf(g->body, " (%s%s%s)", test, form, component);
    }
}

/* ---- instructions ------------------------------------------------------------------------------------------------ */

static void put_conversion(struct whole_grow *g)
{
    static const char *const to[] = {"F16", "F32", "F64", "S8", "S16", "S32", "S64", "U8", "U16", "U32", "U64"};
    static const char *const rounding[] = {"", "", ".ROUND", ".CEIL", ".FLR", ".TRUNC"};
    unsigned d = fuzz_below(g->random, 11), s = fuzz_below(g->random, 11);
    bool wide_to = strstr(to[d], "64"), wide_from = strstr(to[s], "64");
    const char *suffix = to[d][0] == 'F' && d > 0 && fuzz_chance(g->random, 15) ? ".SAT"
                         : fuzz_chance(g->random, 10) ? ".CC" : "";
    const char *round = FUZZ_PICK(g->random, rounding);
    fuzz_text_printf(g->body, "CVT.%s.%s%s%s ", to[d], to[s], round, suffix);
    put_destination(g, wide_to, true);
    fuzz_text_put(g->body, ", ");
    fuzz_text_printf(g->body, wide_from ? "D%u" : "R%u", fuzz_below(g->random, wide_from ? 3 : 5));
    put_swizzle(g, false);
    fuzz_text_put(g->body, ";\n");
}

static void put_swz(struct whole_grow *g)
{
    static const char *const selectors[] = {"x", "y", "z", "w", "-x", "-w", "0", "1", "-1", "x", "y"};
    fuzz_text_put(g->body, fuzz_chance(g->random, 20) ? "SWZ.F.SAT " : "SWZ.F ");
    put_destination(g, false, true);
    fuzz_text_printf(g->body, ", R%u", fuzz_below(g->random, 5));
    for (int i = 0; i < 4; i++)
        fuzz_text_printf(g->body, ", %s", FUZZ_PICK(g->random, selectors));
    fuzz_text_put(g->body, ";\n");
}

/* Between two words and one of 64 bits. */
static void put_words(struct whole_grow *g)
{
    if (fuzz_chance(g->random, 50)) {
        unsigned reg2 = fuzz_below(g->random, 5);
        const char *form = fuzz_chance(g->random, 30) ? ".y" : "";
        unsigned reg = fuzz_below(g->random, 3);
        fuzz_text_printf(g->body, "PK64.U D%u%s, R%u;\n", reg, form, reg2);
    } else {
        unsigned reg2 = fuzz_below(g->random, 3);
        unsigned reg = fuzz_below(g->random, 5);
        fuzz_text_printf(g->body, "UP64.U R%u, D%u;\n", reg, reg2);
    }
}

static bool special(struct whole_grow *g)
{
    unsigned at = fuzz_below(g->random, 100);
    if (at < 8)
        put_conversion(g);
    else if (at < 10)
        put_swz(g);
    else if (at < 12)
        put_words(g);
    return at < 12;
}

static bool takes_sign(const struct whole_grow *g, const struct row *row, unsigned type)
{
    bool copies = strcmp(row->name, "MOV") == 0;
    if (strncmp(row->name, "UP", 2) == 0)
        return false;
    return !(copies && types[type].number && !g->settings->spec &&
             !g->settings->contract); /* a negation of a negation is a copy */
}

static void put_row(struct whole_grow *g, const struct row *row)
{
    unsigned type = pick_type(g, row->types), clamp = fuzz_below(g->random, 100);
    bool precise = row->flags & PRECISE && types[type].number && !g->settings->spec && !g->settings->contract;
    fuzz_text_printf(g->body, row->flags & TYPED ? "%s" : "%s.%s", row->name, types[type].name);
    if (precise || fuzz_chance(g->random, 4))
        fuzz_text_put(g->body, ".PREC");
    if (row->flags & SAT && types[type].number && clamp < 16)
        fuzz_text_put(g->body, clamp < 8 ? ".SAT" : ".SSAT");
    if (row->flags & CC && fuzz_chance(g->random, 15))
        fuzz_text_put(g->body, fuzz_chance(g->random, 25) ? ".CC1" : fuzz_chance(g->random, 30) ? ".CC0" : ".CC");
    fuzz_text_put(g->body, " ");
    put_destination(g, types[type].wide, true);
    for (const char *c = row->shape; *c; c++) {
        fuzz_text_put(g->body, ", ");
        if (*c == '2')
            put_small(g);
        else
            put_operand(g, type, *c == 's', takes_sign(g, row, type));
    }
    fuzz_text_put(g->body, ";\n");
}

void whole_compute(struct whole_grow *g)
{
    if ((!g->settings->products || fuzz_chance(g->random, 20)) && special(g))
        return;
    put_row(g, pick_row(g));
}

void whole_table(struct whole_grow *g)
{
    struct fuzz_opcode o;
    char shape[sizeof o.operands] = "";
    while (!fuzz_computes(fuzz_below(g->random, OP_COUNT), &o))
        ;
    for (size_t i = 0; o.operands[i]; i++)
        shape[i] = i == 0 && eval_op_flow(o.op) == FLOW_BITS ? '2' : strchr("VFNU", o.operands[i]) ? 'v' : 's';
    struct row row = {.name = o.name, .shape = shape};
    row.types =
        (o.types & T_F ? F : 0) | (o.types & T_F64 ? D : 0) | (o.types & T_I ? I32 : 0) | (o.types & T_I64 ? L | M : 0);
    row.flags =
        PRECISE | (o.modifiers & M_CC ? CC : 0) | (o.modifiers & M_SAT && strchr("=F", op_number(o.op, 0)) ? SAT : 0);
    put_row(g, &row);
}
