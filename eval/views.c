/* Results that some instructions see otherwise than as they are (docs/numbers.md, "Conversions"). A sign that is put on a LONG operand by a copy into a
 * register of 32 bits is put on the double that operations on doubles make of the register, so that no NaN loses its bits to it and nothing is flushed. And
 * of what CVT makes 64-bit integers of, some operations on 32 bits take the number of 32 bits that it would make. */
#include "eval/views.h"

#include "eval/decoders.h"
#include "eval/half_reach.h"
#include "eval/keeping.h"
#include "eval/sources.h"

#include <string.h>

static bool is_variable(const struct gp5_program *p, uint8_t kind, uint32_t ref, uint8_t nindices, unsigned size)
{
    return kind == OPND_SYMBOL && !nindices && program_symbol(p, ref)->kind == SYM_TEMP && !program_symbol(p, ref)->array && program_symbol(p, ref)->size == size;
}

/* The operand that component c of a result is a copy of, with the signs that come to it; false: it is none of a LONG variable, or has none. */
static bool copies_with_sign(const struct decoder *d, uint32_t i, unsigned c, struct operand *from)
{
    const struct insn *insn = program_insn(d->p, i);
    bool flip = false;
    int k = 0;

    if (insn->op == OP_MUL)
        k = eval_copied_factor(d, i, c, &flip);
    else if (insn->op != OP_MOV && insn->op != OP_ABS)
        k = -1;
    if (k < 0 || insn->type != DT_F32 || insn->flags & (INSN_SAT | INSN_SSAT))
        return false;
    *from = *program_operand(d->p, insn->src + (uint32_t)k);
    if (!is_variable(d->p, from->kind, from->ref, from->nindices, SIZE_LONG))
        return false;
    from->flags ^= flip ? OPND_NEGATE : 0;
    if (insn->op == OP_ABS)
        from->flags = (uint16_t)((from->flags & ~(OPND_NEGATE | OPND_NEGATE_INNER)) | OPND_ABSOLUTE);
    return from->flags & OPND_ABSOLUTE || operand_negates(from);
}

static bool makes_integer(const struct insn *insn)
{
    return insn->op == OP_CVT && (insn->type == DT_S64 || insn->type == DT_U64) && insn->type2 == DT_F32 && !(insn->flags & (INSN_SAT | INSN_SSAT));
}

uint8_t eval_viewed(const struct decoder *d, uint32_t i)
{
    const struct insn *insn = program_insn(d->p, i);
    const struct folded *folded = eval_folded_at(d, i);
    const struct result *r = &insn->dst;
    struct operand from;
    uint8_t mask = 0, passes = folded ? folded->passes : 0, known = folded ? folded->known : 0;

    if (makes_integer(insn) && is_variable(d->p, r->kind, r->ref, r->nindices, SIZE_LONG))
        mask = r->mask & (uint8_t)~known;
    for (unsigned c = 0; c < 4 && is_variable(d->p, r->kind, r->ref, r->nindices, SIZE_DEFAULT); c++)
        mask |= (uint8_t)((r->mask >> c & 1 && !(known >> c & 1) && copies_with_sign(d, i, c, &from)) << c);
    return condition_restricts(&r->condition) ? mask & passes : mask;
}

/* Of an operation of 32 bits with the sign of the conversion; seen not to be so of AND and BFE of S32, nor of MUL.S24 of twice the same. */
static bool takes_number(const struct gp5_program *p, const struct insn *insn, uint8_t type, bool is_signed)
{
    const struct operand *o = program_operand(p, insn->src);
    bool same = insn->nsrc > 1 && o[0].kind == o[1].kind && o[0].ref == o[1].ref;

    if (type != (is_signed ? DT_S32 : DT_U32))
        return false;
    return !is_signed || (insn->op != OP_AND && insn->op != OP_BFE && !(insn->flags & INSN_S24 && same));
}

static bool sees(const struct decoder *d, uint32_t i, unsigned k, uint32_t writer)
{
    const struct insn *insn = program_insn(d->p, i), *by = program_insn(d->p, writer);
    uint8_t type = eval_operand_type(insn, k);

    if (insn->dst.kind == OPND_NONE || op_votes(insn->op) || op_shuffles(insn->op) || op_is_atomic(insn->op))
        return false;
    if (by->op != OP_CVT)
        return insn->op != OP_CVT && insn->op != OP_RCP && type == DT_F64;
    return takes_number(d->p, insn, type, by->type == DT_S64);
}

/* Within a part of the program: a subroutine sees none of it. */
static void look_at(struct decoder *d, struct views *v, const struct half_reach *reach, uint32_t i)
{
    const struct insn *insn = program_insn(d->p, i);

    for (unsigned k = 0; k < insn->nsrc && k < 3; k++)
        for (unsigned c = 0; c < 4; c++) {
            uint32_t by = reach->of[i][k][c];
            unsigned from = program_operand(d->p, insn->src + k)->swizzle >> 2 * c & 3;
            if (by == NO_INDEX || d->live->region[by] != d->live->region[i] || !(eval_viewed(d, by) >> from & 1) || !sees(d, i, k, by))
                continue;
            v->of[i][k][c] = 4 * by + from;
            v->kept[by][from] = 0;      /* somebody asks */
        }
}

static bool worth_it(const struct decoder *d)
{
    bool any = false;

    for (uint32_t i = 0; i < d->p->insns.count && !any; i++)
        any = eval_viewed(d, i) != 0;
    return any;
}

bool eval_find_views(struct decoder *d)
{
    size_t n = d->p->insns.count;
    struct half_reach reach = {0};
    struct views *v;
    bool ok;

    if (!eval_has(d, PASS_forward_conv) || !worth_it(d))
        return true;
    v = d->views = gp5_malloc(sizeof *v);
    if (!v)
        return eval_out_of_memory(d);
    *v = (struct views){gp5_malloc(n * sizeof *v->of + 1), gp5_malloc(n * sizeof *v->kept + 1)};
    if (!v->of || !v->kept || !eval_liveness(d))
        return eval_out_of_memory(d);
    memset(v->of, 0xff, n * sizeof *v->of);
    memset(v->kept, 0xff, n * sizeof *v->kept);
    ok = eval_find_half_reach(d, d->live, REACH_VIEWS, &reach);
    for (uint32_t i = 0; ok && i < n; i++)
        look_at(d, v, &reach, i);
    eval_half_reach_free(&reach);
    return ok;
}

void eval_views_free(struct views *v)
{
    if (!v)
        return;
    gp5_free(v->of);
    gp5_free(v->kept);
    gp5_free(v);
}

/* The double that a register becomes, with the sign. */
static bool widen(struct decoder *d, uint32_t i, unsigned c, struct fetched *f)
{
    struct kernel_request wider = eval_request(d, OP_CVT, DT_F64);
    struct operand o, plain;

    if (!copies_with_sign(d, i, c, &o))
        return true;
    plain = o;
    plain.flags &= (uint16_t)~OPND_SIGNS;
    wider.type2 = DT_F32;
    return eval_fetch(d, &plain, DT_F32, (uint8_t)(1u << c), false, f) && eval_map(d, wider, (uint8_t)(1u << c), f, 0, 0) &&
           eval_map(d, eval_request(d, OP_MOV, DT_F64), (uint8_t)(1u << c), f, o.flags & OPND_ABSOLUTE ? 0x80000000u : 0, operand_negates(&o) ? 0x80000000u : 0);
}

/* The number of 32 bits. */
static bool narrow(struct decoder *d, const struct insn *insn, unsigned c, struct fetched *f)
{
    struct insn part = *insn;

    part.type = insn->type == DT_U64 ? DT_U32 : DT_S32;
    return eval_fetch(d, program_operand(d->p, insn->src), DT_F32, (uint8_t)(1u << c), false, f) &&
           eval_map(d, eval_request_of(d, &part, OP_CVT), (uint8_t)(1u << c), f, 0, 0);
}

bool eval_keep_views(struct decoder *d, uint32_t i)
{
    const struct insn *insn = program_insn(d->p, i);

    for (unsigned c = 0; d->views && c < 4; c++) {
        bool wide = insn->op != OP_CVT;
        struct kernel_request want = eval_request(d, OP_MOV, wide ? DT_U64 : DT_U32);
        struct lane_op op = {.n = 1};
        struct fetched f;
        if (d->views->kept[i][c] == NO_PLANE)
            continue;
        if (!(wide ? widen(d, i, c, &f) : narrow(d, insn, c, &f)))
            return false;
        op.src[0][0] = f.plane[c];
        op.dst[0] = d->views->kept[i][c] = eval_kept_planes(d, wide ? 2 : 1);
        if (!eval_raw(d, &want, &op, NULL))
            return false;
    }
    return true;
}

/* What component `from` of a variable is to the instruction at hand, as this type. */
static uint32_t view_of(const struct decoder *d, const struct operand *o, uint8_t type, unsigned from)
{
    const struct insn *insn = program_insn(d->p, d->insn);

    for (unsigned k = 0; k < insn->nsrc && k < 3; k++) {
        const struct operand *x = program_operand(d->p, insn->src + k);
        bool same = x->kind == o->kind && x->ref == o->ref && !x->nindices && eval_operand_type(insn, k) == type;
        for (unsigned c = 0; same && c < 4; c++) {
            uint32_t by = (x->swizzle >> 2 * c & 3) == from ? d->views->of[d->insn][k][c] : NO_INDEX;
            if (by != NO_INDEX)
                return d->views->kept[by / 4][by % 4];
        }
    }
    return NO_PLANE;
}

void eval_take_views(const struct decoder *d, const struct operand *o, uint8_t type, uint8_t needed, uint32_t plane[4])
{
    for (unsigned c = 0; d->views && o->kind == OPND_SYMBOL && !o->nindices && c < 4; c++) {
        uint32_t seen = needed >> c & 1 ? view_of(d, o, type, o->swizzle >> 2 * c & 3) : NO_PLANE;
        if (seen != NO_PLANE)
            plane[c] = seen;
    }
}
