/* Subroutines in the walk through a program: what is known where they begin and behind them. */
#include "model/state.h"
#include "model/ir/operand_walk.h"
#include "model/ir/bsearch.h"
#include "model/const/sccp.h"

#include <stdlib.h>

/* A place in the text, and the parts: the last one of the text comes first. */
struct text_place {
    const struct part *parts;
    uint32_t from;
};

static bool begins_there(const void *user, uint32_t part)
{
    const struct text_place *at = user;

    return at->parts[part].from <= at->from;
}

uint32_t eval_part_at(const struct unroller *u, uint32_t from)
{
    uint32_t first = eval_first_that(u->nparts, begins_there, &(struct text_place){u->parts, from});

    return first < u->nparts && u->parts[first].from == from ? first : u->nparts;
}

/* The type of what CALI calls, or NO_INDEX. */
static uint32_t type_called(const struct unroller *u, const struct insn *call)
{
    const struct operand *o = program_operand(u->from, call->src);

    return o->kind == OPND_SYMBOL ? program_symbol(u->from, o->ref)->instruction : NO_INDEX;
}

/* The next of the parts from number k on that a call may be one of, or nparts: of CALI, those that its type has. */
static uint32_t next_called(const struct unroller *u, const struct insn *call, uint32_t k)
{
    uint32_t only = call->op == OP_CAL ? eval_part_at(u, call->partner) : 0, type, first;

    if (call->op == OP_CAL)
        return only >= k ? only : u->nparts;
    type = type_called(u, call);
    if (type == NO_INDEX)
        return u->nparts;
    first = u->first_of[type];
    first += eval_first_from(u->of_type + first, u->first_of[type + 1] - first, k);
    return first < u->first_of[type + 1] ? u->of_type[first] : u->nparts;
}

/* Each once; how many there are then. */
static uint32_t each_once(uint32_t *list, uint32_t n)
{
    uint32_t kept = 0;

    if (n)
        qsort(list, n, sizeof *list, eval_by_number);
    for (uint32_t i = 0; i < n; i++)
        if (!kept || list[kept - 1] != list[i])
            list[kept++] = list[i];
    return kept;
}

struct adding {
    const struct unroller *u;
    struct list *to;
};

static void add_variable(void *user, const struct named *named)
{
    const struct adding *a = user;

    if (named->kind != OPND_SYMBOL || a->u->known.first[named->ref] == NO_INDEX)
        return;
    for (unsigned c = 0; c < 4; c++)
        if (a->to->at)
            a->to->at[a->to->n + c] = a->u->known.first[named->ref] + c;
    a->to->n += 4;
}

/* What an instruction writes, its calls, and the variables that it reads; without room they are counted. */
static void look_at_one(const struct unroller *u, uint32_t i, struct part *part)
{
    const struct insn *insn = program_insn(u->from, i);
    uint32_t at[8];
    unsigned writes = eval_known_written(&u->known, insn, at);

    for (unsigned k = 0; k < writes; k++, part->written.n++)
        if (part->written.at)
            part->written.at[part->written.n] = at[k];
    if (insn->op == OP_CAL || insn->op == OP_CALI) {
        if (part->calls.at)
            part->calls.at[part->calls.n] = i;
        part->calls.n++;
    }
    eval_each_read(u->from, insn, &(struct naming){add_variable, &(struct adding){u, &part->read}});
}

/* What the instructions of a part write and read, and its calls. */
static bool look_at_part(struct unroller *u, struct part *part)
{
    if (part->written.at)
        return true;
    for (uint32_t i = part->from; i < part->to; i++)
        look_at_one(u, i, part);
    part->written.at =
        gp5_malloc(((size_t)part->written.n + part->calls.n + part->read.n + 1) * sizeof *part->written.at);
    if (!part->written.at) {
        part->written.n = part->calls.n = part->read.n = 0;
        u->failed = true;
        return false;
    }
    part->calls.at = part->written.at + part->written.n;
    part->read.at = part->calls.at + part->calls.n;
    part->written.n = part->calls.n = part->read.n = 0;
    for (uint32_t i = part->from; i < part->to; i++)
        look_at_one(u, i, part);
    part->written.n = each_once(part->written.at, part->written.n);
    part->read.n = each_once(part->read.at, part->read.n);
    return true;
}

/* Parts are looked at together: those that calls may be one of, which are added, and those that they call, each once.
 */
static void begin_look(struct unroller *u)
{
    u->looks++;
    u->called->count = 0;
}

static void add_part(struct unroller *u, uint32_t k)
{
    if (u->parts[k].seen == u->looks)
        return;
    u->parts[k].seen = u->looks;
    u->failed |= model_push(u->d, u->called, &k) == NO_INDEX;
}

static void add_called(struct unroller *u, const struct insn *call)
{
    for (uint32_t k = next_called(u, call, 0); k < u->nparts; k = next_called(u, call, k + 1))
        if (!u->parts[k].busy)
            add_part(u, k);
}

/* And so on, as deep as calls nest; all of them are looked at then. */
static bool add_all_called(struct unroller *u)
{
    size_t at = 0;

    for (unsigned level = 0; level < EVAL_CALL_DEPTH; level++)
        for (size_t end = u->called->count; at < end; at++) {
            struct part *part = &u->parts[*(uint32_t *)vec_at(u->called, at)];
            if (!look_at_part(u, part))
                return false;
            for (uint32_t i = 0; i < part->calls.n; i++)
                add_called(u, program_insn(u->from, part->calls.at[i]));
        }
    for (; at < u->called->count; at++)
        if (!look_at_part(u, &u->parts[*(uint32_t *)vec_at(u->called, at)]))
            return false;
    return true;
}

/* What they write is as `exit` says, or not known. */
static void take_written(struct unroller *u, const struct known *exit)
{
    if (!add_all_called(u))
        return;
    for (size_t at = 0; at < u->called->count; at++) {
        const struct part *part = &u->parts[*(uint32_t *)vec_at(u->called, at)];
        for (uint32_t i = 0; i < part->written.n; i++)
            eval_known_take(&u->known, part->written.at[i], exit);
    }
}

/* Of what is known, what they look at: the rest would be compared at each of many calls for nothing. */
static void give_touched(struct unroller *u, const struct known *from, struct known *to)
{
    if (!add_all_called(u))
        return;
    for (size_t at = 0; at < u->called->count; at++) {
        const struct part *part = &u->parts[*(uint32_t *)vec_at(u->called, at)];
        for (uint32_t i = 0; i < part->written.n; i++)
            eval_known_put(to, part->written.at[i], *eval_known_at(from, part->written.at[i]));
        for (uint32_t i = 0; i < part->read.n; i++)
            eval_known_put(to, part->read.at[i], *eval_known_at(from, part->read.at[i]));
    }
}

static bool known_at_call(struct unroller *u, struct part *part, struct known *to)
{
    struct known plain;

    if (!eval_known_copy(&plain, &u->known))
        return false;
    eval_known_forget_copies(&plain);
    if (eval_known_nothing(to, &plain)) {
        for (uint32_t i = 0; i < KNOWN_FLAGS; i++)
            eval_known_put(to, i, *eval_known_at(&plain, i));
        begin_look(u);
        add_part(u, (uint32_t)(part - u->parts));
        give_touched(u, &plain, to);
        eval_known_drop_copy(&plain);
        return true;
    }
    eval_known_drop_copy(&plain);
    return false;
}

/* A part from what all its calls know, to see what is known behind it. */
static void look_into(struct unroller *u, struct part *part)
{
    struct unroller around = *u;
    bool left = false;

    part->busy = u->dry = true;
    u->depth++;
    u->inside = part;
    u->breaks = u->rounds = NULL;
    u->branches = u->loop_branches = u->loops = 0;
    u->conts = false;
    if (eval_known_copy(&u->known, &part->entry.known)) {
        if (eval_walk(u, part->from, part->to)) {
            eval_known_forget_copies(&u->known);
            eval_walk_meet(u, &part->exit, &left);
        }
        eval_known_drop_copy(&u->known);
    } else {
        u->failed = true;
    }
    around.learnt |= u->learnt | left;
    around.failed = u->failed;
    around.looks = u->looks;
    *u = around;
    part->busy = false;
}

/* One of the parts that a call may be one of, from what is known before it. */
static void call_part(struct unroller *u, struct part *part)
{
    bool changed = false;
    struct known plain;

    if (part->busy || u->depth == EVAL_CALL_DEPTH) {    /* it calls itself, or is never reached */
        eval_known_forget(&u->known);
        return;
    }
    if (!known_at_call(u, part, &plain)) {
        u->failed = true;
        return;
    }
    if (!eval_meet(&part->entry, &plain, &changed))
        u->failed = true;
    eval_known_drop_copy(&plain);
    u->learnt |= changed;
    if (changed && !u->failed)
        look_into(u, part);
    begin_look(u);
    add_part(u, (uint32_t)(part - u->parts));
    take_written(u, part->exit.any ? &part->exit.known : NULL);
}

void eval_walk_call(struct unroller *u, const struct insn *call)
{
    struct meet_point after = {.any = false};
    struct known before;

    if (u->dead)
        return;
    if (!eval_known_copy(&before, &u->known)) {
        u->failed = true;
        return;
    }
    if (condition_restricts(&call->condition) || call->op == OP_CALI)
        eval_walk_join(u, &after);
    for (uint32_t k = next_called(u, call, 0); k < u->nparts && !u->failed; k = next_called(u, call, k + 1)) {
        eval_known_set(&u->known, &before);
        call_part(u, &u->parts[k]);
        eval_walk_join(u, &after);
    }
    if (after.any && !u->failed)
        eval_known_set(&u->known, &after.known);
    meet_point_free(&after);
    eval_known_drop_copy(&before);
}

void eval_walk_forget(struct unroller *u, uint32_t from, uint32_t to)
{
    begin_look(u);
    for (uint32_t i = from; i < to; i++) {
        const struct insn *insn = program_insn(u->from, i);
        eval_known_overwrite(&u->known, insn);
        if (op_calls(insn->op))
            add_called(u, insn);
    }
    take_written(u, NULL);
}

/* The parts of each subroutine type. */
static bool find_types(struct unroller *u)
{
    uint32_t nsymbols = (uint32_t)u->from->symbols.count, n = 0;

    for (uint32_t i = 0; i < nsymbols; i++)
        n += program_symbol(u->from, i)->kind == SYM_SUBROUTINE_TYPE ? program_symbol(u->from, i)->nbindings : 0;
    u->first_of = gp5_malloc((nsymbols + 1) * sizeof *u->first_of);
    u->of_type = gp5_malloc((n + 1) * sizeof *u->of_type);
    if (!u->first_of || !u->of_type)
        return model_out_of_memory(u->d);
    n = 0;
    for (uint32_t i = 0; i < nsymbols; i++) {
        const struct symbol *type = program_symbol(u->from, i);
        u->first_of[i] = n;
        for (uint32_t k = 0; type->kind == SYM_SUBROUTINE_TYPE && k < type->nbindings; k++) {
            uint32_t part =
                eval_part_at(u, program_symbol(u->from, program_operand(u->from, type->binding + k)->ref)->instruction);
            if (part < u->nparts)
                u->of_type[n++] = part;
        }
        if (n > u->first_of[i])
            qsort(u->of_type + u->first_of[i], n - u->first_of[i], sizeof *u->of_type, eval_by_number);
    }
    u->first_of[nsymbols] = n;
    return true;
}

bool eval_find_parts(struct unroller *u)
{
    uint32_t n = (uint32_t)u->from->insns.count, labels = 0, to = n;

    for (uint32_t i = 0; i < n; i++)
        labels += u->labels[i];
    u->parts = gp5_malloc((labels + 1u) * sizeof *u->parts);
    if (!u->parts)
        return model_out_of_memory(u->d);
    for (uint32_t i = n; i--;)
        if (u->labels[i]) {
            u->parts[u->nparts++] = (struct part){.from = i, .to = to};
            to = i;
        }
    return find_types(u);
}

void eval_parts_free(struct unroller *u)
{
    for (uint32_t k = 0; k < u->nparts; k++) {
        meet_point_free(&u->parts[k].entry);
        meet_point_free(&u->parts[k].exit);
        gp5_free(u->parts[k].written.at);
    }
    gp5_free(u->parts);
    gp5_free(u->first_of);
    gp5_free(u->of_type);
}

void eval_walk_calls(struct unroller *u)
{
    uint32_t to = (uint32_t)u->from->insns.count;

    for (uint32_t k = 0; k < u->nparts; k++)
        if (u->parts[k].from > u->entry && u->parts[k].from < to)
            to = u->parts[k].from;
    u->dry = true;
    do {
        u->learnt = false;
        eval_known_forget(&u->known);
        u->placed = 0;
        eval_walk(u, u->entry, to);
    } while (u->learnt && !u->failed);
    u->dry = u->changed = false;
    eval_known_forget(&u->known);
    u->placed = 0;
}
