/* Reductions and scans.
 *
 * They go along a list: every lane points at the next lower one that takes part, adds what that lane holds,
 * and takes over its pointer; after five steps all is added. SHFIDX with the clamp 30 helps: no lane points at 31, so
 * that the pointer of the first lane, -1, is out of range, and it gets its own value and FALSE. The sums are those of
 * GP5_SUBGROUP_DOUBLING. */
#include "asm/lower/lower.h"

#include <stdio.h>
#include <string.h>

struct scan {
    char op[16];                /* "ADD.F.PREC" */
    bool idempotent;            /* a op a is a: the own value does no harm */
    bool integer_sum;           /* MAD selects */
    bool half;                  /* every lane adds something, so that every lane rounds */
    int64_t identity;           /* the bits of the value */
    unsigned steps;             /* 2^steps lanes */
    unsigned cluster;           /* 0: none */
    bool partitioned, exclusive, reduces;
};

static int64_t extreme(const struct type_info *type, bool greatest)
{
    unsigned bits = type->bytes * 8u;
    if (type->is_float)
        return type->bytes == 8 ? greatest ? 0x7ff0000000000000 : -0x10000000000000 : greatest ? 0x7f800000 : -0x800000;
    if (!type->is_signed)
        return !greatest ? 0 : bits < 32 ? (INT64_C(1) << bits) - 1 : -1;
    int64_t most = (int64_t)(UINT64_MAX >> (65 - bits));
    return greatest ? most : -most - 1;
}

/* What changes nothing, as the bits of the value. */
static int64_t identity(const struct lowering *l)
{
    const struct type_info *type = &type_table[l->insn->type];
    switch (l->insn->atomic) {
    case MOD_MUL: return !type->is_float ? 1 : type->bytes == 8 ? 0x3ff0000000000000 : 0x3f800000;
    case MOD_AND: return type->is_signed ? -1 : extreme(type, true);
    case MOD_MIN: return extreme(type, true);
    case MOD_MAX: return extreme(type, false);
    default: return 0;
    }
}

/* As an operand of CMP.S or CMP.S64; literals of more than 32 bits are put together in D.z. */
static const char *put_identity(struct lowering *l, int64_t bits, lower_operand_text text)
{
    if (bits >= INT32_MIN && bits <= INT32_MAX && !(lower_is_wide(l) && (bits > 1 || bits < -1))) {
        snprintf(text, sizeof(lower_operand_text), "%d", (int)bits);
        return text;
    }
    lower_emit(l, "MOV.U %W.x, %x;", (unsigned)(uint64_t)bits);
    lower_emit(l, "MOV.U %W.y, %x;", (unsigned)((uint64_t)bits >> 32));
    lower_emit(l, "PK64.U %D.z, %W;");
    return lower_name(l, LOWER_D, 'z', text);
}

static bool describe(struct lowering *l, struct scan *s)
{
    bool is_float = type_table[l->insn->type].is_float, wide = lower_is_wide(l);
    unsigned id = l->insn->atomic;
    uint32_t size = LOWER_WARP;
    memset(s, 0, sizeof *s);
    s->idempotent = id == MOD_MIN || id == MOD_MAX || id == MOD_AND || id == MOD_OR;
    s->integer_sum = id == MOD_ADD && !is_float && !wide;
    s->half = l->insn->type == DT_F16 && !s->idempotent;
    s->identity = identity(l);
    snprintf(s->op, sizeof s->op, "%s%s", modifier_table[id].text, lower_type_suffix(l, is_float && !s->idempotent));
    s->partitioned = l->insn->op == OP_SGREDP || l->insn->op == OP_SGISCANP || l->insn->op == OP_SGXSCANP;
    s->exclusive = l->insn->op == OP_SGXSCAN || l->insn->op == OP_SGXSCANP;
    s->reduces = l->insn->op == OP_SGRED || l->insn->op == OP_SGREDC || l->insn->op == OP_SGREDP;
    if (l->insn->op == OP_SGREDC) {
        if (!lower_cluster_size(l, 1, &size))
            return false;
        s->cluster = size == LOWER_WARP ? 0 : size;
    }
    while (1u << s->steps < size)
        s->steps++;
    return true;
}

/* M.x: the lanes that take part with this one; M.y: the next lower one of them, or -1. */
static void find_lanes(struct lowering *l, const struct scan *s, bool asked)
{
    lower_operand_text ballot;
    if (!asked)
        lower_active_lanes(l);
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
    lower_operand_text from;
    lower_shuffled(l, from);
    if (s->idempotent) {
        lower_emit(l, "%s %s, %s, %s;", s->op, to, value, from);
    } else if (s->integer_sum) {
        lower_emit(l, "MAD.U %s, -%T.x, %T.y, %s;", to, value);
    } else if (s->half) {
        lower_emit(l, "CMP.S %T.y, %T.x, %T.y, %s;", l->insn->atomic == MOD_ADD ? "0x80000000" : "0x3f800000");
        lower_emit(l, "%s %s, %s, %T.y;", s->op, to, value);
    } else {
        lower_emit(l, "%s %s, %s, %s;", s->op, from, value, from);
        lower_emit(l, lower_is_wide(l) ? "CMP.S64 %s, %T.x, %s, %s;" : "CMP.S %s, %T.x, %s, %s;", to, from, value);
    }
}

/* Along the list; the result of a scan goes where it belongs, that of a reduction stays in V or L. */
static void along_list(struct lowering *l, const struct scan *s, const lower_operand_text source[4])
{
    unsigned list[4], n = lower_components(l, list);
    lower_operand_text from[4], lane, to;
    memcpy(from, source, sizeof from);
    lower_name(l, LOWER_M, 'y', lane);
    if (s->exclusive)
        for (unsigned i = 0; i < n; i++) {
            lower_operand_text moved, nothing;
            lower_shuffle(l, "SHFIDX", "xy", from[i], lane, 30);
            lower_name(l, lower_values(l), lower_letters[list[i]], to);
            put_identity(l, s->identity, nothing);
            lower_emit(l, lower_is_wide(l) ? "CMP.S64 %s, %T.x, %s, %s;" : "CMP.S %s, %T.x, %s, %s;", to,
                       lower_shuffled(l, moved), nothing);
            l->used |= 1u << lower_values(l);
            memcpy(from[i], to, sizeof to);
        }
    for (unsigned step = 0; step < s->steps; step++) {
        bool last = step + 1 == s->steps;
        for (unsigned i = 0; i < n; i++) {
            if (last && !s->reduces)
                lower_target(l, list[i], to);
            else
                lower_name(l, lower_values(l), lower_letters[list[i]], to);
            l->used |= 1u << lower_values(l);
            lower_shuffle(l, "SHFIDX", s->idempotent ? "y" : "xy", from[i], lane, 30);
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
    unsigned list[4], n = lower_components(l, list);
    lower_operand_text lane, value;
    lower_emit(l, "BTFM.U %M.y, %M.x;");
    for (unsigned i = 0; i < n; i++)
        lower_shuffle_to_result(l, "SHFIDX", lower_name(l, lower_values(l), lower_letters[list[i]], value),
                                lower_name(l, LOWER_M, 'y', lane), 31, list[i]);
}

/* A whole warp: five exchanges. */
static void butterfly(struct lowering *l, const struct scan *s, const lower_operand_text source[4])
{
    unsigned list[4], n = lower_components(l, list);
    lower_operand_text from[4], to, moved, distance;
    memcpy(from, source, sizeof from);
    for (unsigned step = 0; step < s->steps; step++) {
        snprintf(distance, sizeof distance, "%u", 1u << step);
        for (unsigned i = 0; i < n; i++) {
            if (step + 1 == s->steps)
                lower_target(l, list[i], to);
            else
                lower_name(l, lower_values(l), lower_letters[list[i]], to);
            l->used |= 1u << lower_values(l);
            lower_shuffle(l, "SHFXOR", "y", from[i], distance, 31);
            lower_emit(l, "%s %s, %s, %s;", s->op, to, from[i], lower_shuffled(l, moved));
            memcpy(from[i], to, sizeof to);
        }
    }
}

/* Clusters of one lane. A half is rounded: the shuffle keeps that from being taken for a copy. */
static void alone(struct lowering *l, const lower_operand_text source[4])
{
    unsigned list[4], n = lower_components(l, list);
    lower_operand_text to, same;
    for (unsigned i = 0; i < n; i++) {
        lower_target(l, list[i], to);
        if (l->insn->type == DT_F16) {
            lower_shuffle(l, "SHFXOR", "y", source[i], "0", 31);
            lower_emit(l, "MIN.F16 %s, %s, %s;", to, source[i], lower_shuffled(l, same));
        } else {
            lower_emit(l, "%s %s, %s;", lower_move_of(l), to, source[i]);
        }
    }
    lower_finish(l);
}

/* Sums and products of short integers wrap. */
static void wrap(struct lowering *l)
{
    unsigned list[4], n = lower_components(l, list);
    lower_operand_text to;
    for (unsigned i = 0; i < n; i++) {
        lower_target(l, list[i], to);
        lower_extend(l, to, to);
    }
}

void lower_scan(struct lowering *l)
{
    unsigned list[4], n = lower_components(l, list);
    lower_operand_text source[4];
    struct scan s;
    if (!describe(l, &s))
        return;
    memset(source, 0, sizeof source);
    for (unsigned i = 0; i < n; i++) {
        lower_value(l, 0, list[i], source[i]);
        if (lower_is_small(l)) {
            lower_operand_text word;
            lower_extend(l, lower_name(l, LOWER_V, lower_letters[list[i]], word), source[i]);
            l->used |= 1u << LOWER_V;
            memcpy(source[i], word, sizeof word);
        }
    }
    if (s.steps == 0) {
        alone(l, source);
        return;
    }
    bool branch = s.reduces && !s.partitioned && l->cc >= 0;
    if (branch) {
        lower_active_lanes(l);
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
    if (lower_is_small(l) && !s.idempotent && l->insn->atomic != MOD_XOR)
        wrap(l);
    lower_finish(l);
}

