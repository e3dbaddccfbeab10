/* Instructions that look at other lanes: shuffles, votes, matches, quads. */
#include "tests/oracle/internal.h"

#include "eval/kernels/kernel.h"

#include "tests/oracle/scalar_soft.h"

#include <string.h>

struct gathered {
    struct oracle_lane **lanes;           /* NULL where a lane is not here */
    struct oracle_value src[ORACLE_WARP][3][4];
};

bool oracle_is_cross_lane(unsigned op)
{
    switch (op) {
    case OP_SHFUP: case OP_SHFDOWN: case OP_SHFIDX: case OP_SHFXOR:
    case OP_TGALL: case OP_TGANY: case OP_TGEQ: case OP_TGBALLOT: case OP_MATCH:
    case OP_QSWZ0: case OP_QSWZ1: case OP_QSWZ2: case OP_QSWZ3: case OP_QSWZX: case OP_QSWZY:
        return true;
    default: return oracle_is_group(op);
    }
}

static uint64_t boolean(const struct insn *insn, bool yes)
{
    return !yes ? 0 : insn->type == DT_F32 || insn->type == DT_F16 ? 0x3f800000 : 0xffffffff;
}

/* ---- shuffles: docs/semantics.md, "Shuffles" -------------------------------------------------------------------- */

static void shuffle(const struct gathered *g, const struct insn *insn, unsigned lane, struct oracle_value r[4])
{
    const struct oracle_value *index = &g->src[lane][1][0], *mask = &g->src[lane][2][0];
    int id = (int)lane, by = (int)(index->bits & 31), clamp = (int)(mask->bits & 31),
        segment = (int)(mask->bits >> 8 & 31);
    int least = id & segment, most = least | (clamp & ~segment), from;
    bool there;
    switch (insn->op) {
    case OP_SHFUP: from = id - by; there = from >= most; break;
    case OP_SHFDOWN: from = id + by; there = from <= most; break;
    case OP_SHFIDX: from = least | (by & ~segment); there = from <= most; break;
    default: from = id ^ by; there = from <= most; break;
    }
    if (!there)
        from = id;
    r[0] = (struct oracle_value){.bits = boolean(insn, there), .undef = index->undef || mask->undef};
    r[1] = (struct oracle_value){.undef = true};
    if (g->lanes[from])
        r[1] = g->src[from][0][0];
    r[1].undef |= r[0].undef;
    r[2] = r[3] = (struct oracle_value){.undef = true};
}

/* ---- votes ------------------------------------------------------------------------------------------------------ */

static bool counts(const struct oracle_program *p, const struct insn *insn, uint64_t bits)
{
    struct soft x;
    if (oracle_operand_type(insn, 0) != DT_F32)
        return (uint32_t)bits != 0;
    x = soft_unpack(bits, 32, p->nvidia);
    return x.kind == SOFT_INFINITY || (x.kind == SOFT_NUMBER && x.sig != 0) || (x.kind == SOFT_NAN && !p->nvidia);
}

static void vote(const struct gathered *g, const struct oracle_program *p, const struct insn *insn,
                 struct oracle_value r[4])
{
    for (unsigned c = 0; c < 4; c++) {
        uint32_t ballot = 0;
        unsigned here = 0, set = 0;
        r[c] = (struct oracle_value){0};
        for (unsigned i = 0; i < ORACLE_WARP; i++) {
            if (!g->lanes[i])
                continue;
            here++;
            r[c].undef |= g->src[i][0][c].undef;
            if (counts(p, insn, g->src[i][0][c].bits)) {
                set++;
                ballot |= 1u << i;
            }
        }
        switch (insn->op) {
        case OP_TGBALLOT: r[c].bits = ballot; break;
        case OP_TGALL: r[c].bits = boolean(insn, set == here); break;
        case OP_TGANY: r[c].bits = boolean(insn, set > 0); break;
        default: r[c].bits = boolean(insn, set == 0 || set == here); break;
        }
    }
}

static void match(const struct gathered *g, const struct oracle_program *p, const struct insn *insn, unsigned lane,
                  struct oracle_value r[4])
{
    bool all = program_has_modifier(p->text, insn, MOD_ALL);
    for (unsigned c = 0; c < 4; c++) {
        uint32_t same = 1u << lane, here = 0;
        r[c] = (struct oracle_value){0};
        for (unsigned i = 0; i < ORACLE_WARP; i++) {
            if (!g->lanes[i])
                continue;
            here |= 1u << i;
            r[c].undef |= g->src[i][0][c].undef;
            if (g->src[i][0][c].bits == g->src[lane][0][c].bits)    /* floats too: docs/semantics.md */
                same |= 1u << i;
        }
        r[c].undef |= p->nvidia && c > 1;
        r[c].bits = all && same != here ? 0 : all && c != 1 ? UINT32_MAX : same;
    }
}

/* ---- quads ------------------------------------------------------------------------------------------------------ */

static void quad(const struct gathered *g, const struct oracle_program *p, const struct insn *insn, unsigned lane,
                 struct oracle_value r[4])
{
    unsigned first = lane & ~3u, from = first + (insn->op - OP_QSWZ0);
    bool whole = g->lanes[first] && g->lanes[first + 1] && g->lanes[first + 2] && g->lanes[first + 3];
    if (insn->op == OP_QSWZX)
        from = lane ^ 1;
    if (insn->op == OP_QSWZY)
        from = lane ^ 2;
    for (unsigned c = 0; c < 4; c++) {
        r[c] = (struct oracle_value){0};
        if (!whole)
            continue;
        r[c].bits = oracle_sum(p, DT_F32, g->src[from][0][c].bits, g->src[lane][1][c].bits);
        r[c].bits = oracle_saturate(p, DT_F32, insn->flags, r[c].bits);
        r[c].undef = g->src[from][0][c].undef || g->src[lane][1][c].undef;
    }
}

/* ---- all of them ------------------------------------------------------------------------------------------------ */

/* Votes of floats look at the low half of what is read of a SHORT variable; those of halves at the half that stands
 * there, and count nothing else. */
static uint64_t low_half(const struct oracle_program *p, const struct insn *insn, const struct operand *o,
                         uint64_t single)
{
    bool of_short = oracle_is_short(p, o->kind, o->ref),
         half = oracle_is_short(p, insn->dst.kind, insn->dst.ref) ||
                ((insn->type == DT_F16 || insn->flags & INSN_HALF) && !oracle_drops_half(p, insn));
    if (!p->nvidia || !op_votes(insn->op) || oracle_operand_type(insn, 0) != DT_F32 || (!half && !of_short))
        return single;
    if (half)
        return of_short ? oracle_apply(p, EVAL_OP_HALF, DT_F32, single, 0, 0) : 0;
    return soft_widened(single);
}

/* Of a SHORT variable other lanes get the half that it holds, as a word: a float in another one. */
static uint64_t shuffled(const struct oracle_program *p, const struct insn *insn, const struct operand *o,
                         uint64_t bits)
{
    if (!op_shuffles(insn->op) || oracle_operand_type(insn, 0) != DT_F32 || !oracle_is_short(p, o->kind, o->ref))
        return bits;
    return oracle_is_short(p, insn->dst.kind, insn->dst.ref) ? soft_widened(soft_narrowed(bits)) : soft_narrowed(bits);
}

static bool gather(struct gathered *g, const struct oracle_program *p, const struct insn *insn)
{
    memset(g->src, 0, sizeof g->src);
    for (unsigned i = 0; i < ORACLE_WARP; i++)
        for (unsigned k = 0; g->lanes[i] && k < insn->nsrc; k++) {
            const struct operand *o = program_operand(p->text, insn->src + k);
            unsigned type = oracle_operand_type(insn, k);
            if (!oracle_fetch(g->lanes[i], o, type, g->src[i][k]))
                return oracle_fail(g->lanes[i]->group, ORACLE_NOT_EVALUATED, "this operand", insn);
            for (unsigned c = 0; c < 4; c++)
                g->src[i][k][c].bits =
                    low_half(p, insn, o, oracle_moved(p, type, o->flags & OPND_SIGNS, g->src[i][k][c].bits));
            if (k == 0)
                g->src[i][0][0].bits = shuffled(p, insn, o, g->src[i][0][0].bits);
        }
    return true;
}

/* docs/semantics.md, "Shuffles" and "MATCH": the driver's mask holds back the predicate alone, the value is written
 * whatever it says, and z and w never are. */
static bool write_result(struct oracle_lane *l, const struct insn *insn, const struct oracle_program *p,
                         struct oracle_value r[4])
{
    struct insn value = *insn;
    unsigned type = oracle_result_type(insn);
    bool shuffle = op_shuffles(insn->op);
    if (!p->nvidia || !(shuffle || insn->op == OP_MATCH) || oracle_goes_by_copy(p, insn))
        return oracle_write(l, insn, type, 15, r, NULL);
    value.dst.condition = (struct condition){0};
    return oracle_write(l, insn, type, 1, r, NULL) && oracle_write(l, &value, type, 2, r, NULL);
}

bool oracle_exchange(struct oracle_lane *lanes[ORACLE_WARP], const struct insn *insn)
{
    struct oracle_value r[ORACLE_WARP][4];
    struct gathered g = {.lanes = lanes};
    const struct oracle_program *p = NULL;
    for (unsigned i = 0; i < ORACLE_WARP; i++)
        p = lanes[i] ? lanes[i]->group->program : p;
    if (oracle_is_group(insn->op))
        return oracle_exchange_group(lanes, insn);
    if (!gather(&g, p, insn))
        return false;
    for (unsigned i = 0; i < ORACLE_WARP; i++) {
        if (!lanes[i])
            continue;
        switch (insn->op) {
        case OP_TGALL: case OP_TGANY: case OP_TGEQ: case OP_TGBALLOT: vote(&g, p, insn, r[i]); break;
        case OP_MATCH: match(&g, p, insn, i, r[i]); break;
        case OP_QSWZ0: case OP_QSWZ1: case OP_QSWZ2: case OP_QSWZ3: case OP_QSWZX: case OP_QSWZY:
            quad(&g, p, insn, i, r[i]);
            break;
        default: shuffle(&g, insn, i, r[i]);
        }
    }
    for (unsigned i = 0; i < ORACLE_WARP; i++)
        if (lanes[i] && !write_result(lanes[i], insn, p, r[i]))
            return false;
    return true;
}
