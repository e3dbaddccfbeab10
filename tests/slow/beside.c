/* Results that some who read them see otherwise (docs/numbers.md, "Conversions"): doubles that registers become which a copy put the sign of a LONG operand
 * on, and the low words of what CVT made 64-bit integers of. What they see is remembered beside the result. */
#include "tests/slow/plan.h"

#include <stdlib.h>
#include <string.h>

enum seen_as { AS_IT_IS, AS_DOUBLE, AS_WORD };

static bool is_plain(const struct slow_program *p, unsigned kind, uint32_t ref, unsigned nindices, unsigned size)
{
    const struct symbol *s = kind == OPND_SYMBOL && !nindices ? program_symbol(p->text, ref) : NULL;
    return s && s->kind == SYM_TEMP && !s->array && s->size == size;
}

static bool turns_sign(const struct slow_program *p, const struct slow_place *place, unsigned c, struct operand *o)
{
    const struct insn *insn = program_insn(p->text, place->insn);
    bool copies = insn->type == DT_F32 && (insn->op == OP_MOV || insn->op == OP_ABS || insn->op == OP_MUL) && slow_copied_operand(p, place, c, o) >= 0;
    return copies && is_plain(p, o->kind, o->ref, o->nindices, SIZE_LONG) && (o->flags & OPND_ABSOLUTE || operand_negates(o));
}

/* How component c of what a place writes is seen by those who do not see it as it is. */
static enum seen_as seen_as(const struct slow_program *p, const struct slow_place *place, unsigned c)
{
    const struct insn *insn = program_insn(p->text, place->insn);
    const struct result *r = &insn->dst;
    struct operand o;
    if (!p->nvidia || !(r->mask >> c & 1) || (place->known | place->computed) >> c & 1 || insn->flags & (INSN_SAT | INSN_SSAT) ||
        (condition_restricts(&r->condition) && !(place->passes >> c & 1)))
        return AS_IT_IS;
    if (insn->op == OP_CVT)
        return (insn->type == DT_S64 || insn->type == DT_U64) && insn->type2 == DT_F32 && is_plain(p, r->kind, r->ref, r->nindices, SIZE_LONG) ? AS_WORD : AS_IT_IS;
    return is_plain(p, r->kind, r->ref, r->nindices, SIZE_DEFAULT) && turns_sign(p, place, c, &o) ? AS_DOUBLE : AS_IT_IS;
}

bool slow_is_viewed(const struct slow_program *p, const struct slow_place *place, unsigned c)
{
    return seen_as(p, place, c) != AS_IT_IS;
}

/* Whether an operation of 32 bits takes the number that CVT to 32 bits would make: where both have a sign, or neither. */
static bool takes_number(const struct slow_program *p, const struct insn *insn, unsigned type, const struct insn *by)
{
    const struct operand *a = program_operand(p->text, insn->src), *b = a + 1;
    if (by->type == DT_U64)
        return type == DT_U32;
    if (type != DT_S32 || insn->op == OP_AND || insn->op == OP_BFE)
        return false;
    return !(insn->flags & INSN_S24) || insn->nsrc < 2 || a->kind != b->kind || a->ref != b->ref;
}

static bool looks(const struct slow_program *p, const struct insn *insn, unsigned k, const struct insn *by, enum seen_as how)
{
    unsigned type = slow_operand_type(insn, k);
    if (insn->dst.kind == OPND_NONE || op_is_atomic(insn->op) || op_shuffles(insn->op) || op_votes(insn->op))
        return false;
    if (how == AS_DOUBLE)
        return insn->op != OP_CVT && insn->op != OP_RCP && type == DT_F64;
    return how == AS_WORD && takes_number(p, insn, type, by);
}

/* The part of the program that a place belongs to: where it begins. */
static uint32_t part_of(const struct slow_program *p, const struct slow_plan *plan, uint32_t place)
{
    while (place && !slow_begins_part(p, plan, place))
        place--;
    return place;
}

bool slow_find_views(struct slow_plan *plan, const struct slow_program *p)
{
    bool any = false;
    for (uint32_t i = 0; i < plan->count && !any; i++)
        for (unsigned c = 0; c < 4; c++)
            any |= slow_is_viewed(p, &plan->place[i], c);
    if (!any)
        return true;
    if (!slow_find_half_reach(plan, p, TOLD_VIEWS))
        return false;
    for (uint32_t i = 0; i < plan->count; i++) {
        const struct insn *insn = program_insn(p->text, plan->place[i].insn);
        for (unsigned k = 0; k < insn->nsrc && k < 3; k++)
            for (unsigned c = 0; c < 4; c++) {
                uint32_t *by = &plan->place[i].viewed[k][c];
                const struct slow_place *from = *by ? &plan->place[*by - 1] : NULL;
                unsigned written = program_operand(p->text, insn->src + k)->swizzle >> 2 * c & 3;
                if (from && (part_of(p, plan, i) != part_of(p, plan, *by - 1) || !looks(p, insn, k, program_insn(p->text, from->insn), seen_as(p, from, written))))
                    *by = 0;
            }
    }
    return true;
}

bool slow_remember_views(struct slow_lane *l, const struct insn *insn, struct slow_value src[3][4], struct slow_value r[4])
{
    const struct slow_program *p = l->group->program;
    struct slow_value v[4] = {{0}};
    struct insn number = *insn;
    struct operand o;
    bool ok = true;
    number.type = insn->type == DT_U64 ? DT_U32 : DT_S32;
    for (unsigned c = 0; ok && c < 4; c++)
        switch (seen_as(p, l->here, c)) {
        case AS_IT_IS: break;
        case AS_DOUBLE:
            ok = turns_sign(p, l->here, c, &o) && slow_register(l, &o, v);
            r[c].beside = slow_sign(p, DT_F64, o.flags & OPND_SIGNS, slow_resize(p, slow_resize(p, v[c].bits, DT_F32, true, false), DT_F64, false, true));
            break;
        case AS_WORD:
            ok = slow_compute(p, &number, src, v);
            r[c].beside = v[c].bits & 0xffffffff;
            break;
        }
    return ok;
}

bool slow_take_views(struct slow_lane *l, const struct operand *o, unsigned k, unsigned type, struct slow_value v[4])
{
    const struct slow_program *p = l->group->program;
    struct slow_value held[4];
    for (unsigned c = 0; k < 3 && c < 4; c++)
        if (l->here->viewed[k][c]) {
            if (!slow_register(l, o, held))
                return false;
            v[c].bits = slow_sign(p, type, o->flags, held[c].beside);
        }
    return true;
}
