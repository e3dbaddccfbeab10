/* The statements that do what one instruction of OPTION GP5_subgroup does. All of them work under divergence and in warps
 * with fewer lanes: which lanes there are is asked (TGBALLOT) where it matters, and no lane reads one that is not active.
 *
 * Reductions and scans go along a list: every lane points at the next lower one that takes part, adds what that lane holds,
 * and takes over its pointer; after five steps all is added. SHFIDX with the clamp 30 helps: no lane points at 31, so that
 * the pointer of the first lane, -1, is out of range, and it gets its own value and FALSE.
 * The sums are those of GP5_SUBGROUP_DOUBLING. */
#include "asm/lower.h"

#include <stdio.h>
#include <string.h>

static const char letters[] = "xyzw";
typedef char operand_text[128];

enum { WARP = 32 };

/* ---- small parts -------------------------------------------------------------------------------------------------- */

static void need(struct lowering *l, enum gp5_option option)
{
    l->options |= UINT64_C(1) << option;
}

static void active_lanes(struct lowering *l)
{
    need(l, OPTION_NV_shader_thread_group);
    lower_emit(l, "TGBALLOT.U %M.x, 1;");
}

/* A shuffle of 32 bits into T.y, or .xy with the predicate. */
static void shuffle_word(struct lowering *l, const char *op, const char *mask, const char *value, const char *index,
                         unsigned clamp)
{
    need(l, OPTION_NV_shader_thread_shuffle);
    lower_emit(l, "%s.U %T.%s, %s, %s, %u;", op, mask, value, index, clamp);
}

/* The same of a value of whatever size; a 64-bit one comes in D.x. */
static void shuffle(struct lowering *l, const char *op, const char *mask, const char *value, const char *index,
                    unsigned clamp)
{
    if (!lower_is_wide(l)) {
        shuffle_word(l, op, mask, value, index, clamp);
        return;
    }
    need(l, OPTION_NV_shader_thread_shuffle);
    lower_emit(l, "UP64.F %W.xy, %s;", value);
    lower_emit(l, "%s.U %T.%s, %W.x, %s, %u;", op, mask, index, clamp);
    lower_emit(l, "%s.U %W.y, %W.y, %s, %u;", op, index, clamp);
    lower_emit(l, "MOV.U %W.x, %T.y;");
    lower_emit(l, "PK64.U %D.x, %W;");
}

static const char *shuffled(struct lowering *l, operand_text text)
{
    snprintf(text, sizeof(operand_text), "%s", lower_is_wide(l) ? l->name[LOWER_D] : l->name[LOWER_T]);
    strcat(text, lower_is_wide(l) ? ".x" : ".y");
    return text;
}

static const char *move_of(const struct lowering *l)
{
    return lower_is_wide(l) ? "MOV.U64" : "MOV.U";
}

static unsigned components(const struct lowering *l, unsigned list[4])
{
    unsigned n = 0;
    for (unsigned c = 0; c < 4; c++)
        if (l->insn->dst.mask >> c & 1)
            list[n++] = c;
    return n;
}

/* A shuffle straight to the result. */
static void shuffle_to_result(struct lowering *l, const char *op, const char *value, const char *index, unsigned clamp,
                              unsigned c)
{
    operand_text to, from;
    lower_target(l, c, to);
    if (lower_is_direct(l) && lower_target_is_y(l, c)) {
        need(l, OPTION_NV_shader_thread_shuffle);
        lower_emit(l, "%s.U %s, %s, %s, %u;", op, to, value, index, clamp);
        return;
    }
    shuffle(l, op, "y", value, index, clamp);
    lower_emit(l, "%s %s, %s;", move_of(l), to, shuffled(l, from));
}

static const char *name_of(const struct lowering *l, enum lower_temporary t, char c, operand_text text)
{
    snprintf(text, sizeof(operand_text), "%s.%c", l->name[t], c);
    return text;
}

/* ---- shuffles ------------------------------------------------------------------------------------------------------ */

static void move_all(struct lowering *l, const char *op, const char *index, unsigned clamp)
{
    unsigned list[4], n = components(l, list);
    for (unsigned i = 0; i < n; i++) {
        operand_text value;
        lower_value(l, 0, list[i], value);
        shuffle_to_result(l, op, value, index, clamp, list[i]);
    }
    lower_finish(l);
}

static void plain_shuffle(struct lowering *l, const char *op, unsigned clamp)
{
    operand_text index;
    move_all(l, op, lower_word(l, 1, "z", index), clamp);
}

static void first(struct lowering *l)
{
    operand_text index;
    active_lanes(l);
    lower_emit(l, "BTFL.U %M.y, %M.x;");
    move_all(l, "SHFIDX", name_of(l, LOWER_M, 'y', index), 31);
}

static bool cluster_size(struct lowering *l, unsigned k, uint32_t *size)
{
    if (lower_literal(l, k, size) && *size && *size <= WARP && !(*size & (*size - 1)))
        return true;
    l->refusal = "a cluster whose size is no power of two up to 32";
    return false;
}

static void rotate(struct lowering *l, bool clustered)
{
    operand_text index;
    uint32_t size = WARP;
    if (clustered && !cluster_size(l, 2, &size))
        return;
    need(l, OPTION_NV_shader_thread_group);
    lower_word(l, 1, "z", index);
    lower_emit(l, "ADD.U %M.y, invocation.threadid.x, %s;", index);
    move_all(l, "SHFIDX", name_of(l, LOWER_M, 'y', index), (WARP - size) << 8 | 31);
}

/* shuffleNV and its like: the mask is made of the width. */
static void shuffle_nv(struct lowering *l, const char *op, bool up)
{
    operand_text value, index, width, mask, to;
    const struct result *r = &l->insn->dst;
    uint32_t size;
    need(l, OPTION_NV_shader_thread_shuffle);
    lower_value(l, 0, 0, value);
    lower_word(l, 1, "z", index);
    if (lower_literal(l, 2, &size)) {
        if (size < 2 || size > WARP || size & (size - 1)) {
            l->refusal = "a width that is no power of two from 2 to 32";
            return;
        }
        snprintf(mask, sizeof mask, "%u", (WARP - size) << 8 | (up ? 0u : 31u));
    } else {
        lower_emit(l, "MAD.S %M.y, %s, -256, %u;", lower_word(l, 2, "w", width), up ? 8192u : 8223u);
        name_of(l, LOWER_M, 'y', mask);
    }
    bool plain = !r->condition.written && r->kind == OPND_SYMBOL && !r->nindices && !(r->mask & 12) &&
                 program_symbol(l->p, r->ref)->kind == SYM_TEMP && program_symbol(l->p, r->ref)->size == SIZE_DEFAULT;
    const char *type = l->insn->type == DT_F32 ? "F" : l->insn->type == DT_S32 ? "S" : "U";
    if (plain) {
        snprintf(to, sizeof to, "%.*s", (int)(r->span.length < 100 ? r->span.length : 100), l->p->text + r->span.offset);
        lower_emit(l, "%s.%s %s, %s, %s, %s;", op, type, to, value, index, mask);
        return;
    }
    lower_emit(l, "%s.%s %V.xy, %s, %s, %s;", op, type, value, index, mask);
    if (!lower_is_direct(l)) {
        lower_finish(l);
        return;
    }
    lower_emit(l, "MOV.U %s, %V;", lower_target(l, r->mask & 2 ? 1 : 0, to));
}

/* ---- reductions and scans ------------------------------------------------------------------------------------------ */

struct scan {
    char op[16];                /* "ADD.F.PREC" */
    bool idempotent;            /* a op a is a: the own value does no harm */
    bool integer_sum;           /* MAD selects */
    int64_t identity;           /* the bits of the value */
    unsigned steps;             /* 2^steps lanes */
    unsigned cluster;           /* 0: none */
    bool partitioned, exclusive, reduces;
};

static const char *type_suffix(const struct lowering *l, bool precise)
{
    switch (l->insn->type) {
    case DT_S32: return ".S";
    case DT_U32: return ".U";
    case DT_S64: return ".S64";
    case DT_U64: return ".U64";
    case DT_F64: return precise ? ".F64.PREC" : ".F64";
    case DT_F16: return precise ? ".F16.PREC" : ".F16";
    default: return precise ? ".F.PREC" : ".F";
    }
}

/* What changes nothing, as the bits of the value. */
static int64_t identity(const struct lowering *l)
{
    bool wide = lower_is_wide(l), is_float = type_table[l->insn->type].is_float,
         is_signed = type_table[l->insn->type].is_signed;
    switch (l->insn->atomic) {
    case MOD_MUL: return !is_float ? 1 : wide ? 0x3ff0000000000000 : 0x3f800000;
    case MOD_AND: return -1;
    case MOD_MIN:
        if (is_float)
            return wide ? 0x7ff0000000000000 : 0x7f800000;
        return !is_signed ? -1 : wide ? INT64_MAX : INT32_MAX;
    case MOD_MAX:
        if (is_float)
            return wide ? -0x10000000000000 : -0x800000;
        return !is_signed ? 0 : wide ? INT64_MIN : INT32_MIN;
    default: return 0;
    }
}

/* As an operand of CMP.S or CMP.S64; literals of more than 32 bits are put together in D.z. */
static const char *put_identity(struct lowering *l, int64_t bits, operand_text text)
{
    if (bits >= INT32_MIN && bits <= INT32_MAX && !(lower_is_wide(l) && (bits > 1 || bits < -1))) {
        snprintf(text, sizeof(operand_text), "%d", (int)bits);
        return text;
    }
    lower_emit(l, "MOV.U %W.x, %x;", (unsigned)(uint64_t)bits);
    lower_emit(l, "MOV.U %W.y, %x;", (unsigned)((uint64_t)bits >> 32));
    lower_emit(l, "PK64.U %D.z, %W;");
    return name_of(l, LOWER_D, 'z', text);
}

static bool describe(struct lowering *l, struct scan *s)
{
    bool is_float = type_table[l->insn->type].is_float, wide = lower_is_wide(l);
    unsigned id = l->insn->atomic;
    uint32_t size = WARP;
    memset(s, 0, sizeof *s);
    s->idempotent = id == MOD_MIN || id == MOD_MAX || id == MOD_AND || id == MOD_OR;
    s->integer_sum = id == MOD_ADD && !is_float && !wide;
    s->identity = identity(l);
    snprintf(s->op, sizeof s->op, "%s%s", modifier_table[id].text, type_suffix(l, is_float && !s->idempotent));
    s->partitioned = l->insn->op == OP_SGREDP || l->insn->op == OP_SGISCANP || l->insn->op == OP_SGXSCANP;
    s->exclusive = l->insn->op == OP_SGXSCAN || l->insn->op == OP_SGXSCANP;
    s->reduces = l->insn->op == OP_SGRED || l->insn->op == OP_SGREDC || l->insn->op == OP_SGREDP;
    if (l->insn->op == OP_SGREDC) {
        if (!cluster_size(l, 1, &size))
            return false;
        s->cluster = size == WARP ? 0 : size;
    }
    while (1u << s->steps < size)
        s->steps++;
    return true;
}

/* M.x: the lanes that take part with this one; M.y: the next lower one of them, or -1. */
static void find_lanes(struct lowering *l, const struct scan *s, bool asked)
{
    operand_text ballot;
    if (!asked)
        active_lanes(l);
    if (s->cluster) {
        lower_emit(l, "AND.U %M.y, invocation.threadid.x, %x;", ~(s->cluster - 1));
        lower_emit(l, "SHL.U %M.y, %u, %M.y;", (1u << s->cluster) - 1);
        lower_emit(l, "AND.U %M.x, %M.x, %M.y;");
    }
    if (s->partitioned)
        lower_emit(l, "AND.U %M.x, %M.x, %s;", lower_word(l, 1, "z", ballot));
    lower_emit(l, "AND.U %M.y, %M.x, invocation.threadltmask.x;");
    lower_emit(l, "BTFM.U %M.y, %M.y;");
}

/* to = value op what a shuffle brought, where it brought something. */
static void add_shuffled(struct lowering *l, const struct scan *s, const char *to, const char *value)
{
    operand_text from;
    shuffled(l, from);
    if (s->idempotent) {
        lower_emit(l, "%s %s, %s, %s;", s->op, to, value, from);
    } else if (s->integer_sum) {
        lower_emit(l, "MAD.U %s, -%T.x, %T.y, %s;", to, value);
    } else {
        lower_emit(l, "%s %s, %s, %s;", s->op, from, value, from);
        lower_emit(l, lower_is_wide(l) ? "CMP.S64 %s, %T.x, %s, %s;" : "CMP.S %s, %T.x, %s, %s;", to, from, value);
    }
}

static enum lower_temporary values(const struct lowering *l)
{
    return lower_is_wide(l) ? LOWER_L : LOWER_V;
}

/* Along the list; the result of a scan goes where it belongs, that of a reduction stays in V or L. */
static void along_list(struct lowering *l, const struct scan *s, const operand_text source[4])
{
    unsigned list[4], n = components(l, list);
    operand_text from[4], lane, to;
    memcpy(from, source, sizeof from);
    name_of(l, LOWER_M, 'y', lane);
    if (s->exclusive)
        for (unsigned i = 0; i < n; i++) {
            operand_text moved, nothing;
            shuffle(l, "SHFIDX", "xy", from[i], lane, 30);
            name_of(l, values(l), letters[list[i]], to);
            put_identity(l, s->identity, nothing);
            lower_emit(l, lower_is_wide(l) ? "CMP.S64 %s, %T.x, %s, %s;" : "CMP.S %s, %T.x, %s, %s;", to,
                       shuffled(l, moved), nothing);
            l->used |= 1u << values(l);
            memcpy(from[i], to, sizeof to);
        }
    for (unsigned step = 0; step < s->steps; step++) {
        bool last = step + 1 == s->steps;
        for (unsigned i = 0; i < n; i++) {
            if (last && !s->reduces)
                lower_target(l, list[i], to);
            else
                name_of(l, values(l), letters[list[i]], to);
            l->used |= 1u << values(l);
            shuffle(l, "SHFIDX", s->idempotent ? "y" : "xy", from[i], lane, 30);
            add_shuffled(l, s, to, from[i]);
            memcpy(from[i], to, sizeof to);
        }
        if (!last)
            lower_emit(l, "SHFIDX.U %M.y, %M.y, %M.y, 30;");
    }
}

/* Every lane gets what the highest lane of M.x holds. */
static void from_last(struct lowering *l)
{
    unsigned list[4], n = components(l, list);
    operand_text lane, value;
    lower_emit(l, "BTFM.U %M.y, %M.x;");
    for (unsigned i = 0; i < n; i++)
        shuffle_to_result(l, "SHFIDX", name_of(l, values(l), letters[list[i]], value), name_of(l, LOWER_M, 'y', lane), 31,
                          list[i]);
}

/* A whole warp: five exchanges. */
static void butterfly(struct lowering *l, const struct scan *s, const operand_text source[4])
{
    unsigned list[4], n = components(l, list);
    operand_text from[4], to, moved, distance;
    memcpy(from, source, sizeof from);
    for (unsigned step = 0; step < s->steps; step++) {
        snprintf(distance, sizeof distance, "%u", 1u << step);
        for (unsigned i = 0; i < n; i++) {
            if (step + 1 == s->steps)
                lower_target(l, list[i], to);
            else
                name_of(l, values(l), letters[list[i]], to);
            l->used |= 1u << values(l);
            shuffle(l, "SHFXOR", "y", from[i], distance, 31);
            lower_emit(l, "%s %s, %s, %s;", s->op, to, from[i], shuffled(l, moved));
            memcpy(from[i], to, sizeof to);
        }
    }
}

static void scan(struct lowering *l)
{
    unsigned list[4], n = components(l, list);
    operand_text source[4];
    struct scan s;
    if (!describe(l, &s))
        return;
    memset(source, 0, sizeof source);
    for (unsigned i = 0; i < n; i++) {
        lower_value(l, 0, list[i], source[i]);
        if (l->insn->type == DT_F16) {  /* to the nearest half, and back */
            operand_text half;
            name_of(l, LOWER_V, letters[list[i]], half);
            lower_emit(l, "CVT.F16.F32 %V.%c, %s;", letters[list[i]], source[i]);
            lower_emit(l, "CVT.F32.F16 %V.%c, %V.%c;", letters[list[i]], letters[list[i]]);
            memcpy(source[i], half, sizeof half);
        }
    }
    if (s.steps == 0) {         /* clusters of one lane */
        operand_text to;
        for (unsigned i = 0; i < n; i++)
            lower_emit(l, "%s %s, %s;", move_of(l), lower_target(l, list[i], to), source[i]);
        lower_finish(l);
        return;
    }
    bool branch = s.reduces && !s.partitioned && l->cc >= 0;
    if (branch) {
        active_lanes(l);
        lower_emit(l, "SEQ.U.CC%d %M.w, %M.x, 0xffffffff;", l->cc);
        lower_emit(l, "IF NE%d.w;", l->cc);
        butterfly(l, &s, source);
        lower_emit(l, "ELSE;");
    }
    find_lanes(l, &s, branch);
    along_list(l, &s, source);
    if (s.reduces)
        from_last(l);
    if (branch)
        lower_emit(l, "ENDIF;");
    lower_finish(l);
}

/* ---- equality ------------------------------------------------------------------------------------------------------ */

/* M.z or (64-bit) M.z: whether the lane holds what lane M.y holds. */
static void compare_with_lane(struct lowering *l, const char *value, const char *modifier)
{
    operand_text lane, from;
    shuffle(l, "SHFIDX", "y", value, name_of(l, LOWER_M, 'y', lane), 31);
    lower_emit(l, "SEQ%s%s %M.z, %s, %s;", type_suffix(l, false), modifier, value, shuffled(l, from));
}

static void all_equal(struct lowering *l)
{
    unsigned list[4], n = components(l, list);
    bool match = l->allow_internal && !lower_is_wide(l), as_float = type_table[l->insn->type].is_float;
    operand_text value, to;
    if (match) {
        need(l, OPTION_NV_internal);
    } else {
        active_lanes(l);
        lower_emit(l, "BTFL.U %M.y, %M.x;");
    }
    for (unsigned i = 0; i < n; i++) {
        lower_value(l, 0, list[i], value);
        lower_target(l, list[i], to);
        if (match) {
            lower_emit(l, "MATCH.ALL%s %M.z, %s;", as_float ? ".F" : ".U", value);
            if (as_float) {
                lower_emit(l, "SNE.U %M.z, %M.z, 0;");
                lower_emit(l, "AND.U %s, %M.z, 0x3f800000;", to);
            } else {
                lower_emit(l, "SNE.U %s, %M.z, 0;", to);
            }
        } else {
            compare_with_lane(l, value, "");
            lower_emit(l, "TGALL%s %s, %M.z;", as_float && !lower_is_wide(l) ? ".F" : ".U", to);
        }
    }
    lower_finish(l);
}

/* One pass a distinct value: all lanes with the value of the lowest lane that is left. A NaN is equal to nothing, so that
 * the lane which was asked is added. */
static void distinct_values(struct lowering *l, const char *value, const char *to)
{
    bool as_float = type_table[l->insn->type].is_float;
    active_lanes(l);
    lower_emit(l, "REP.S;");
    lower_emit(l, "BTFL.U %M.y, %M.x;");
    compare_with_lane(l, value, "");
    if (as_float) {
        lower_emit(l, "SEQ.U %M.w, invocation.threadid.x, %M.y;");
        lower_emit(l, "OR.U %M.z, %M.z, %M.w;");
    }
    lower_emit(l, "TGBALLOT.U %M.w, %M.z;");
    lower_emit(l, "SNE.U.CC%d %M.z, %M.z, 0;", l->cc);
    lower_emit(l, "MOV.U %s (NE%d.z), %M.w;", to, l->cc);
    lower_emit(l, "XOR.U.CC%d %M.x, %M.x, %M.w;", l->cc);
    lower_emit(l, "BRK (EQ%d.x);", l->cc);
    lower_emit(l, "ENDREP;");
}

static void partition(struct lowering *l)
{
    operand_text value, to;
    unsigned mask = l->insn->dst.mask;
    lower_value(l, 0, 0, value);
    if (l->allow_internal && !lower_is_wide(l)) {
        need(l, OPTION_NV_internal);
        if (mask & 1)
            lower_emit(l, "MATCH.ANY%s %s, %s;", type_table[l->insn->type].is_float ? ".F" : ".U", lower_target(l, 0, to),
                       value);
    } else if (l->cc < 0) {
        l->refusal = "the program uses both condition code registers, and a loop needs one";
        return;
    } else if (mask & 1) {
        /* The value is read until the last pass: the result must not stand in its place. */
        const struct operand *o = program_operand(l->p, l->insn->src);
        operand_text found;
        lower_target(l, 0, to);
        if (lower_is_direct(l) && !(o->kind == OPND_SYMBOL && o->ref == l->insn->dst.ref)) {
            distinct_values(l, value, to);
        } else {
            distinct_values(l, value, name_of(l, LOWER_T, 'z', found));
            lower_emit(l, "MOV.U %s, %T.z;", to);
        }
    }
    for (unsigned c = 1; c < 4; c++)
        if (mask >> c & 1)
            lower_emit(l, "MOV.U %s, 0;", lower_target(l, c, to));
    lower_finish(l);
}

/* ---- ballots and votes ---------------------------------------------------------------------------------------------- */

static void vote(struct lowering *l, const char *op)
{
    unsigned list[4], n = components(l, list);
    operand_text value, to;
    for (unsigned i = 0; i < n; i++) {
        lower_value(l, 0, list[i], value);
        lower_emit(l, "%s%s %s, %s;", op, type_suffix(l, false), lower_target(l, list[i], to), value);
    }
    lower_finish(l);
}

static void ballot(struct lowering *l)
{
    const struct operand *o = program_operand(l->p, l->insn->src);
    bool wide = lower_is_wide(l);
    unsigned mask = l->insn->dst.mask;
    operand_text value, to;
    need(l, OPTION_NV_shader_thread_group);
    if (mask & 1) {
        if (wide && o->kind == OPND_SYMBOL && program_symbol(l->p, o->ref)->size == SIZE_LONG) {
            l->refusal = "a ballot of a LONG variable";
            return;
        }
        if (wide) {
            lower_emit(l, "TGBALLOT.U %M.x, %s;", lower_word(l, 0, "z", value));
            lower_emit(l, "CVT.U64.U32 %s, %M.x;", lower_target(l, 0, to));
        } else {
            lower_value(l, 0, 0, value);
            lower_emit(l, "TGBALLOT%s %s, %s;", type_suffix(l, false), lower_target(l, 0, to), value);
        }
    }
    for (unsigned c = 1; c < 4; c++)
        if (mask >> c & 1)
            lower_emit(l, "%s %s, 0;", move_of(l), lower_target(l, c, to));
    lower_finish(l);
}

/* The answer stands in one place and goes to every component of the mask. */
static void spread(struct lowering *l, const char *statement)
{
    unsigned list[4], n = components(l, list);
    operand_text to;
    char line[300];
    for (unsigned i = 0; i < n; i++) {
        lower_target(l, list[i], to);
        snprintf(line, sizeof line, statement, to);
        lower_emit(l, "%s", line);
    }
    lower_finish(l);
}

static void of_ballot(struct lowering *l, const char *op, const char *lanes)
{
    operand_text ballot;
    char line[300];
    lower_word(l, 0, "z", ballot);
    if (lanes) {
        need(l, OPTION_NV_shader_thread_group);
        lower_emit(l, "AND.U %M.x, %s, %s;", ballot, lanes);
        name_of(l, LOWER_M, 'x', ballot);
    }
    snprintf(line, sizeof line, "%s.U %%s, %s%s;", op, ballot, strcmp(op, "SNE") ? "" : ", 0");
    spread(l, line);
}

static void ballot_bit(struct lowering *l)
{
    operand_text ballot, index;
    char line[300];
    uint32_t bit;
    lower_word(l, 0, "z", ballot);
    if (lower_literal(l, 1, &bit) && bit < WARP) {
        lower_emit(l, "AND.U %M.x, %s, %u;", ballot, 1u << bit);
    } else {
        lower_emit(l, "SHL.U %M.x, 1, %s;", lower_word(l, 1, "w", index));
        lower_emit(l, "AND.U %M.x, %M.x, %s;", ballot);
    }
    snprintf(line, sizeof line, "SNE.U %%s, %s, 0;", name_of(l, LOWER_M, 'x', ballot));
    spread(l, line);
}

static void elect(struct lowering *l)
{
    operand_text lane;
    char line[300];
    active_lanes(l);
    lower_emit(l, "BTFL.U %M.y, %M.x;");
    snprintf(line, sizeof line, "SEQ.U %%s, invocation.threadid.x, %s;", name_of(l, LOWER_M, 'y', lane));
    if (l->insn->type == DT_F32) {
        lower_emit(l, "SEQ.U %M.z, invocation.threadid.x, %M.y;");
        snprintf(line, sizeof line, "AND.U %%s, %s, 0x3f800000;", name_of(l, LOWER_M, 'z', lane));
    }
    spread(l, line);
}

static void variable(struct lowering *l)
{
    static const struct { uint8_t id; const char *statement, *wide; } rows[] = {
        {MOD_SIZE, "MOV.U %s, state.thread.warpsize.x;", "state.thread.warpsize.x"},
        {MOD_LANE, "MOV.U %s, invocation.threadid.x;", "invocation.threadid.x"},
        {MOD_ID, "SHR.U %s, invocation.localindex.x, 5;", NULL},
        {MOD_EQMASK, "MOV.U %s, invocation.threadeqmask.x;", "invocation.threadeqmask.x"},
        {MOD_GEMASK, "MOV.U %s, invocation.threadgemask.x;", "invocation.threadgemask.x"},
        {MOD_GTMASK, "MOV.U %s, invocation.threadgtmask.x;", "invocation.threadgtmask.x"},
        {MOD_LEMASK, "MOV.U %s, invocation.threadlemask.x;", "invocation.threadlemask.x"},
        {MOD_LTMASK, "MOV.U %s, invocation.threadltmask.x;", "invocation.threadltmask.x"}};
    const uint32_t *g = l->p->group_size;
    uint64_t count = ((uint64_t)(g[0] ? g[0] : 1) * (g[1] ? g[1] : 1) * (g[2] ? g[2] : 1) + 31) / 32;
    bool wide = lower_is_wide(l);
    char line[300];
    need(l, OPTION_NV_shader_thread_group);
    snprintf(line, sizeof line, "%s %%s, %u;", move_of(l), (unsigned)count);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (rows[i].id != l->insn->atomic)
            continue;
        if (wide && rows[i].wide)
            snprintf(line, sizeof line, "CVT.U64.U32 %%s, %s;", rows[i].wide);
        else
            snprintf(line, sizeof line, "%s", rows[i].statement);
        if (wide && !rows[i].wide) {
            lower_emit(l, "SHR.U %M.x, invocation.localindex.x, 5;");
            operand_text id;
            snprintf(line, sizeof line, "CVT.U64.U32 %%s, %s;", name_of(l, LOWER_M, 'x', id));
        }
    }
    spread(l, line);
}

/* ---- all of them ---------------------------------------------------------------------------------------------------- */

void lower_instruction(struct lowering *l)
{
    enum { QUAD = (32 - 4) << 8 | 31 };
    switch (l->insn->op) {
    case OP_SGVAR: variable(l); break;
    case OP_SGELECT: elect(l); break;
    case OP_SGBAR: lower_emit(l, "MEMBAR;"); break;
    case OP_SGMEMBAR: lower_emit(l, l->insn->atomic == MOD_SHARED ? "MEMBAR.CTA;" : "MEMBAR;"); break;
    case OP_SGALL: vote(l, "TGALL"); break;
    case OP_SGANY: vote(l, "TGANY"); break;
    case OP_SGEQ: all_equal(l); break;
    case OP_SGBCAST: plain_shuffle(l, "SHFIDX", 31); break;
    case OP_SGFIRST: first(l); break;
    case OP_SGBALLOT: ballot(l); break;
    case OP_SGBINV: of_ballot(l, "SNE", "invocation.threadeqmask.x"); break;
    case OP_SGBBIT: ballot_bit(l); break;
    case OP_SGBCNT: of_ballot(l, "BTC", NULL); break;
    case OP_SGBCNTI: of_ballot(l, "BTC", "invocation.threadlemask.x"); break;
    case OP_SGBCNTX: of_ballot(l, "BTC", "invocation.threadltmask.x"); break;
    case OP_SGBLSB: of_ballot(l, "BTFL", NULL); break;
    case OP_SGBMSB: of_ballot(l, "BTFM", NULL); break;
    case OP_SGRED: case OP_SGREDC: case OP_SGREDP: case OP_SGISCAN: case OP_SGISCANP: case OP_SGXSCAN: case OP_SGXSCANP:
        scan(l);
        break;
    case OP_SGPART: partition(l); break;
    case OP_SGSHFIDX: plain_shuffle(l, "SHFIDX", 31); break;
    case OP_SGSHFXOR: plain_shuffle(l, "SHFXOR", 31); break;
    case OP_SGSHFUP: plain_shuffle(l, "SHFUP", 0); break;
    case OP_SGSHFDN: plain_shuffle(l, "SHFDOWN", 31); break;
    case OP_SGROT: rotate(l, false); break;
    case OP_SGROTC: rotate(l, true); break;
    case OP_SGQBCAST: plain_shuffle(l, "SHFIDX", QUAD); break;
    case OP_SGQSWAPH: move_all(l, "SHFXOR", "1", QUAD); break;
    case OP_SGQSWAPV: move_all(l, "SHFXOR", "2", QUAD); break;
    case OP_SGQSWAPD: move_all(l, "SHFXOR", "3", QUAD); break;
    case OP_SGNVIDX: shuffle_nv(l, "SHFIDX", false); break;
    case OP_SGNVUP: shuffle_nv(l, "SHFUP", true); break;
    case OP_SGNVDOWN: shuffle_nv(l, "SHFDOWN", false); break;
    case OP_SGNVXOR: shuffle_nv(l, "SHFXOR", false); break;
    default: l->refusal = "this instruction"; break;
    }
}
