/* How large loops are for the driver's compiler, and how often a count lets them run (loop_size.h). */
#include "model/const/loop_size.h"
#include "model/tables.h"
#include "eval/numeric/words.h"

uint32_t model_loop_operations(const struct trips *t, uint32_t from, uint32_t to)
{
    return t->costs[to] - t->costs[from];
}

bool model_loop_count(const struct trips *t, const struct insn *rep, uint32_t *count)
{
    struct operand o;
    uint64_t word;
    uint32_t bits;
    float f;

    if (!rep->nsrc)
        return false;
    o = *program_operand(t->p, rep->src);
    if (o.kind == OPND_CONSTANT)
        o.flags &= (uint16_t)~OPND_NEGATE;      /* as eval/decode/flow.c */
    if (type_table[rep->type].bytes != 4 || !model_known_operand(t->known, &o, 0, rep->type, &word))
        return false;
    bits = (uint32_t)word;
    f = num_float(bits);
    if (type_table[rep->type].is_float)
        *count = f >= 1 ? f < 65536 ? (uint32_t)f : UINT32_MAX : 0;
    else
        *count = (int32_t)bits > 0 ? bits : 0;
    return true;
}

uint32_t model_loop_saving(uint32_t size, uint32_t own)
{
    return 100 * own / (size + own);
}

static void overwrite(const struct trips *t, struct known *known, uint32_t from, uint32_t to)
{
    for (uint32_t i = from; i < to; i++)
        model_known_overwrite(known, program_insn(t->p, i));
}

/* From the beginning of a loop's body to one in it, through the IFs and loops around that. */
static void come_to_nested(const struct trips *t, struct known *known, uint32_t rep, uint32_t inner)
{
    overwrite(t, known, rep + 1, program_insn(t->p, rep)->dst.partner);
    for (uint32_t i = rep + 1; i < inner; i++) {
        const struct insn *insn = program_insn(t->p, i);
        uint32_t last = insn->dst.partner;
        switch (insn->op) {
        case OP_REP:
            overwrite(t, known, i, last);
            i = last > inner ? i : last;
            break;
        case OP_IF:     /* into the side that it stands in, over one that it does not */
            if (last < inner) {
                overwrite(t, known, i, last);
                i = last;
                if (program_insn(t->p, last)->op == OP_ELSE && program_insn(t->p, last)->dst.partner < inner) {
                    overwrite(t, known, last, program_insn(t->p, last)->dst.partner);
                    i = program_insn(t->p, last)->dst.partner;
                }
            }
            break;
        default:
            model_known_step(known, insn, NULL);
            break;
        }
    }
}

/* How often a loop in it runs, as it is known there in any round. */
static bool nested_count(const struct trips *t, uint32_t rep, uint32_t inner, uint32_t *count)
{
    struct known known;
    struct trips there = {t->p, t->costs, &known, t->no_memory};
    bool found;

    if (model_loop_count(t, program_insn(t->p, inner), count))
        return true;
    if (!model_known_copy(&known, t->known)) {
        if (t->no_memory)
            *t->no_memory = true;
        return false;
    }
    come_to_nested(t, &known, rep, inner);
    found = model_loop_count(&there, program_insn(t->p, inner), count);
    model_known_drop_copy(&known);
    return found;
}

/* Whether a jump's test is known before its loop, and no round of that sets the flags. */
static bool knows_jump(const struct gp5_program *p, const struct known *known, uint32_t rep, const struct insn *jump,
                       bool *passes)
{
    for (uint32_t i = rep + 1; i < program_insn(p, rep)->dst.partner; i++) {
        const struct insn *insn = program_insn(p, i);
        if (insn->cc_update == (jump->condition.cc & 1) + 1 || insn->op == OP_CAL || insn->op == OP_CALI)
            return false;
    }
    return model_known_jump(known, jump, passes);
}

uint32_t model_end_of_body(const struct gp5_program *p, uint32_t rep)
{
    uint32_t end = program_insn(p, rep)->dst.partner, depth = 0;

    for (uint32_t i = rep + 1; i < end; i++) {
        const struct insn *insn = program_insn(p, i);
        depth += insn->op == OP_IF || insn->op == OP_REP;
        depth -= insn->op == OP_ENDIF || insn->op == OP_ENDREP;
        if (insn->op == OP_CONT && !depth && !condition_restricts(&insn->condition))
            return i;
    }
    return end;
}

/* Whether a jump stands in an IF of its loop: that ends behind it. */
static bool stands_in_if(const struct gp5_program *p, uint32_t jump)
{
    uint32_t depth = 0;

    for (uint32_t i = jump + 1; i < program_insn(p, jump)->dst.partner; i++) {
        uint16_t op = program_insn(p, i)->op;
        if (!depth && (op == OP_ELSE || op == OP_ENDIF))
            return true;
        depth += op == OP_IF || op == OP_REP;
        depth -= op == OP_ENDIF || op == OP_ENDREP;
    }
    return false;
}

bool model_goes_round_anyway(const struct gp5_program *p, const struct known *known, uint32_t i)
{
    const struct insn *insn = program_insn(p, i);
    bool passes = false;

    if (insn->op != OP_CONT || insn->dst.partner == NO_INDEX)     /* the driver takes one outside of loops */
        return false;
    if (!condition_restricts(&insn->condition))
        return !stands_in_if(p, i) && model_end_of_body(p, program_insn(p, insn->dst.partner)->dst.partner) == i;
    return insn->dst.partner == i + 1 && knows_jump(p, known, program_insn(p, i + 1)->dst.partner, insn, &passes) &&
           passes;
}

bool model_is_single_round(const struct gp5_program *p, uint32_t rep, uint32_t count)
{
    return count == 1 && program_insn(p, rep)->nsrc;
}

bool model_may_have_copies(const struct trips *t, uint32_t rep, uint32_t count, uint32_t *size, uint32_t *nested)
{
    uint32_t body = model_end_of_body(t->p, rep), inner;

    *size = *nested = 0;
    for (uint32_t i = rep + 1; i < body; i++) {
        const struct insn *insn = program_insn(t->p, i);
        if (count > 1 && (insn->op == OP_CAL || insn->op == OP_CALI))
            return false;       /* tests/recordings/patterns/calls.txt, loop_changes_apart */
        if (insn->op == OP_REP && count > 1 && insn->nsrc) {
            if (!nested_count(t, rep, i, &inner))
                return false;
            *nested = inner > *nested ? inner : *nested;
        }
    }
    *size = model_loop_operations(t, rep + 1, body);
    return true;
}
