/* Which variables hold copies with a sign while choices.c goes through a program: over IF, ELSE and ENDIF, calls, and loops that are unrolled. */
#include "eval/choices.h"
#include "eval/forward.h"
#include "eval/live_solve.h"

#include <string.h>

/* The variable that a copy is one of, or NO_INDEX. */
static uint32_t copied_variable(const struct chooser *c, uint32_t copy)
{
    struct operand o;

    return copy != NO_INDEX && eval_copies_with_sign(c->d, copy / 4, copy % 4, &o) ? eval_copy_source(c, &o, copy % 4) : NO_INDEX;
}

static uint32_t first_copy(const struct chooser *c, uint32_t source)
{
    const uint32_t *first = shared_map_at(&c->copied, source);

    return first && *first ? *first - 1u : NO_INDEX;
}

static void set_first_copy(struct chooser *c, uint32_t source, uint32_t var)
{
    uint32_t first = var + 1u;          /* 0 of NO_INDEX */

    shared_map_put(&c->copied, source, &first);
}

static void put_held(struct chooser *c, uint32_t var, uint32_t to)
{
    uint32_t from = copied_variable(c, c->held[var]), source = copied_variable(c, to), is_copy = to != NO_INDEX;

    if (c->held[var] == to)
        return;
    if (from != NO_INDEX && c->previous[var] != NO_INDEX)
        c->next[c->previous[var]] = c->next[var];
    else if (from != NO_INDEX)
        set_first_copy(c, from, c->next[var]);
    if (from != NO_INDEX && c->next[var] != NO_INDEX)
        c->previous[c->next[var]] = c->previous[var];
    c->held[var] = to;
    shared_map_put(&c->holds, var, &is_copy);
    if (source == NO_INDEX)
        return;
    c->previous[var] = NO_INDEX;
    c->next[var] = first_copy(c, source);
    if (c->next[var] != NO_INDEX)
        c->previous[c->next[var]] = var;
    set_first_copy(c, source, var);
}

static void note_found(void *user, uint32_t var, void *value)
{
    struct chooser *c = user;

    (void)value;
    c->failed |= eval_push(c->d, &c->found, &var) == NO_INDEX;
}

static void note_copies(void *user, uint32_t source, void *value)
{
    struct chooser *c = user;

    (void)source;
    for (uint32_t var = *(const uint32_t *)value - 1u; var != NO_INDEX; var = c->next[var])
        note_found(c, var, NULL);
}

/* Of the registers that a call writes CAL leaves alone the components that it does not. */
static bool is_called_over(const struct chooser *c, uint32_t var)
{
    return program_insn(c->d->p, c->call)->op == OP_CALI || eval_called_component(c->live, c->call, var);
}

static void note_called(void *user, uint32_t var, void *value)
{
    if (is_called_over(user, var))
        note_found(user, var, value);
}

static void note_called_copies(void *user, uint32_t source, void *value)
{
    if (is_called_over(user, source))
        note_copies(user, source, value);
}

static uint32_t found(const struct chooser *c, size_t at)
{
    return *(const uint32_t *)vec_at(&c->found, at);
}

/* Nothing is known to be a copy any more. */
static void forget_all(struct chooser *c)
{
    c->found.count = 0;
    shared_map_each_apart(&c->holds, NULL, note_found, c);
    for (size_t k = 0; k < c->found.count; k++)
        c->held[found(c, k)] = NO_INDEX;
    shared_map_free(&c->holds);
    shared_map_free(&c->copied);
}

void eval_hold_copy(struct chooser *c, uint32_t var, uint32_t to)
{
    size_t at = c->sides.count && c->held[var] != to ? vec_grow(&c->written) : 0;

    if (at == SIZE_MAX)
        c->failed = true;
    else if (c->sides.count && c->held[var] != to)
        *(struct earlier *)vec_at(&c->written, at) = (struct earlier){var, c->held[var]};
    put_held(c, var, to);
    c->version[var]++;
}

static void note_first_side(void *user, uint32_t i, uint32_t var)
{
    struct chooser *c = user;

    (void)i;
    if (var != NO_INDEX)
        c->sided[var] |= 1;
}

static void note_second_side(void *user, uint32_t i, uint32_t var)
{
    struct chooser *c = user;

    (void)i;
    if (var != NO_INDEX)
        c->sided[var] |= 2;
}

/* Copies of what one side alone of the IF at `begin` writes, from before it; a side that has been looked at is looked at no more. */
static void note_parted(void *user, uint32_t i, uint32_t var)
{
    struct chooser *c = user;

    (void)i;
    if (var == NO_INDEX || !c->sided[var])
        return;
    for (uint32_t copy = c->sided[var] == 3 ? NO_INDEX : first_copy(c, var); copy != NO_INDEX; copy = c->next[copy])
        if (c->held[copy] / 4 < c->begin && c->far[c->held[copy] / 4] >> c->held[copy] % 4 & 1)
            note_found(c, copy, NULL);
    c->sided[var] = 0;
}

static void forget_found(struct chooser *c);

/* Behind an IF a copy that was made before it of what another block had left is none where one side of the IF writes that. */
static void part_copies(struct chooser *c, uint32_t begin, uint32_t end)
{
    uint32_t otherwise = program_insn(c->d->p, begin)->partner;

    c->found.count = 0;
    c->begin = begin;
    for (uint32_t i = begin + 1; i < end; i++)
        eval_live_each_written(c->live, i, i < otherwise ? note_first_side : note_second_side, c);
    for (uint32_t i = begin + 1; i < end; i++)
        eval_live_each_written(c->live, i, note_parted, c);
    forget_found(c);
}

/* Goes back to where the innermost IF begins; at its end what its sides wrote is not known. */
static void end_side(struct chooser *c, bool both)
{
    size_t from = ((struct side *)vec_at(&c->sides, c->sides.count - 1))->from;

    for (size_t i = c->written.count; i-- > from;) {
        const struct earlier *e = vec_at(&c->written, i);
        put_held(c, e->var, both ? NO_INDEX : e->held);
    }
    c->sides.count -= both;
    if (!c->sides.count)
        c->written.count = 0;
}

/* Whether a subroutine is called here alone: it stands in the place of the call then. */
static bool is_called_once(const struct chooser *c, const struct insn *call)
{
    return !c->indirect && call->op == OP_CAL && call->partner < c->d->p->insns.count && c->calls[call->partner] == 1;
}

/* What was found holds no copies any more. */
static void forget_found(struct chooser *c)
{
    for (size_t k = 0; k < c->found.count; k++)
        if (c->held[found(c, k)] != NO_INDEX)
            eval_hold_copy(c, found(c, k), NO_INDEX);
}

/* What a subroutine writes is a copy no more behind the call; nor, unless it stands in the place of the call and all lanes run it, is what copies
 * that. */
static void go_over_call(struct chooser *c, uint32_t i, const struct insn *call)
{
    bool stands_here = !condition_restricts(&call->condition) && is_called_once(c, call);
    const struct shared_bits *written = call->condition.rule != CC_FL ? eval_written_by_call(c->live, i) : NULL;

    c->found.count = 0;
    c->call = i;
    if (written)
        shared_map_each_of(&c->holds, written, note_called, c);
    if (written && !stands_here)
        shared_map_each_of(&c->copied, written, note_called_copies, c);
    forget_found(c);
    c->called++;
}

static void note_written(void *user, uint32_t i, uint32_t var)
{
    struct chooser *c = user;

    (void)i;
    if (var == NO_INDEX)
        return;
    c->version[var]++;
    note_found(c, var, NULL);
    for (uint32_t copy = first_copy(c, var); copy != NO_INDEX; copy = c->next[copy])
        note_found(c, copy, NULL);
}

/* What these instructions write is no copy, nor is what copies that. */
static void forget_written(struct chooser *c, uint32_t from, uint32_t end)
{
    c->found.count = 0;
    for (uint32_t i = from; i < end && i < c->d->p->insns.count; i++) {
        const struct shared_bits *written = op_calls(program_insn(c->d->p, i)->op) ? eval_written_by_call(c->live, i) : NULL;
        if (written) {
            c->called++;
            shared_map_each_of(&c->holds, written, note_found, c);
            shared_map_each_of(&c->copied, written, note_copies, c);
        } else {
            eval_live_each_written(c->live, i, note_written, c);
        }
    }
    forget_found(c);
}

/* In a loop that is not unrolled what its rounds write is no copy, nor is what copies that. */
static void go_around(struct chooser *c, uint32_t rep)
{
    forget_written(c, rep + 1, program_insn(c->d->p, rep)->partner);
}

/* Between copies of a body what lanes pass by that go on at a CONT is no copy. */
static void go_to_next(struct chooser *c, uint32_t end)
{
    uint32_t first = end;

    for (uint32_t i = end; i-- > 0 && eval_form(c->d, i) != FORM_OPEN && eval_form(c->d, i) != FORM_NEXT;)
        if (program_insn(c->d->p, i)->op == OP_CONT && program_insn(c->d->p, i)->partner == end && eval_form(c->d, i) != FORM_KNOWN)
            first = i;
    forget_written(c, first, end);
}

/* A BRK or CONT that some lanes take out of a round of a loop that runs. */
static void go_over_jump(struct chooser *c, uint32_t i)
{
    const struct gp5_program *p = c->d->p;
    const struct insn *insn = program_insn(p, i);
    uint32_t rep = insn->partner < p->insns.count ? program_insn(p, insn->partner)->partner : NO_INDEX;
    const struct insn *loop = rep < i ? program_insn(p, rep) : NULL;

    if (!loop || loop->op != OP_REP || eval_form(c->d, i) == FORM_KNOWN || eval_form(c->d, rep) == FORM_OPEN)
        return;
    c->jump = i;
    if (insn->op == OP_CONT && !(loop->nsrc && program_operand(p, loop->src)->kind == OPND_CONSTANT))
        go_around(c, rep);
}

/* Whether a phase of a loop ends here and another one follows. */
static bool is_between_phases(const struct chooser *c, uint32_t i)
{
    uint32_t rep = program_insn(c->d->p, i)->partner;

    return eval_form(c->d, i) == FORM_PHASE && rep < i && program_insn(c->d->p, rep)->partner != i;
}

/* Choices go over IF, ELSE and ENDIF, over calls, through loops that are unrolled, and where no round writes into others and, without a CONT, out of them. */
void eval_follow_choices(struct chooser *c, uint32_t i, unsigned op)
{
    uint8_t form = eval_form(c->d, i);
    bool ends = false;
    size_t at;

    switch (op) {
    case OP_IF:
        if (form == FORM_KNOWN)     /* there is but one way */
            break;
        at = vec_grow(&c->sides);
        if (at == SIZE_MAX)
            c->failed = true;
        else
            *(struct side *)vec_at(&c->sides, at) = (struct side){c->written.count, i};
        break;
    case OP_ELSE: case OP_ENDIF:
        if (c->sides.count && form != FORM_KNOWN) {
            uint32_t begin = eval_choice_side(c);
            end_side(c, op == OP_ENDIF);
            if (op == OP_ENDIF)
                part_copies(c, begin, i);
        }
        break;
    case OP_REP:
        if (form != FORM_OPEN)
            go_around(c, i);
        break;
    case OP_ENDREP:
        c->jump = 0;
        if (is_between_phases(c, i)) {
            go_around(c, program_insn(c->d->p, i)->partner);
            break;
        }
        ends = c->jumped[i] == OP_CONT && form != FORM_NEXT;
        if (form == FORM_NEXT && c->jumped[i])
            go_to_next(c, i);
        else if (form != FORM_NEXT && (c->jumped[i] || form != FORM_LAST))
            go_around(c, program_insn(c->d->p, i)->partner);
        break;
    case OP_BRK: case OP_CONT: go_over_jump(c, i); break;
    case OP_CAL: case OP_CALI: go_over_call(c, i, program_insn(c->d->p, i)); break;
    case OP_RET: ends = true; break;
    default: break;
    }
    if (ends || (i + 1 < c->d->p->insns.count && (c->live->label[i + 1] || i + 1 == c->live->entry)))
        forget_all(c);
}

uint32_t eval_choice_side(const struct chooser *c)
{
    return c->sides.count ? ((const struct side *)vec_at(&c->sides, c->sides.count - 1))->at : 0;
}
