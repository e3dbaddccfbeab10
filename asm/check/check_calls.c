/* Recursion: no driver has a stack for it. The text between two labels is a piece; a piece goes on into the next one
 * unless it ends with a RET, and calls others. A cycle of these has a call in it, since going on leads only
 * forwards. */
#include "asm/check/check_internal.h"

struct piece {
    uint32_t label;             /* its symbol */
    uint32_t first, last;       /* instructions: [first, last) */
    uint32_t next;              /* the instruction that the walk goes on with */
    uint8_t state;              /* 0 not seen, 1 on the path, 2 done */
    bool ends;                  /* a RET without a test outside of all blocks */
    bool went_on;
};

struct calls {
    const struct gp5_program *program;
    bool failed;
};

static bool collect(struct calls *c, struct vec *pieces)
{
    for (uint32_t i = 0; i < c->program->others.count; i++) {
        const struct statement *s = program_other(c->program, i);
        if (s->kind != STMT_LABEL)
            continue;
        size_t at = vec_grow(pieces);
        if (at == SIZE_MAX) {
            c->failed = true;
            return false;
        }
        uint32_t first = program_symbol(c->program, s->ref)->instruction;
        *(struct piece *)vec_at(pieces, at) = (struct piece){.label = s->ref, .first = first, .next = first};
        if (at)
            ((struct piece *)vec_at(pieces, at - 1))->last = first;
    }
    if (pieces->count)
        ((struct piece *)vec_at(pieces, pieces->count - 1))->last = (uint32_t)c->program->insns.count;
    return true;
}

/* Up to the RET: nothing behind it runs. */
static void cut(const struct calls *c, struct piece *piece)
{
    uint32_t depth = 0;
    for (uint32_t i = piece->first; i < piece->last; i++) {
        const struct insn *insn = program_insn(c->program, i);
        depth += op_has(insn->op, A_OPENS);
        depth -= depth && op_has(insn->op, A_CLOSES);
        if (insn->op == OP_RET && depth == 0 && !insn->condition.written) {
            piece->last = i;
            piece->ends = true;
            return;
        }
    }
}

/* Labels stand in the order of the text, and so do their instructions; of several at one place the first goes on into
 * the others. */
static struct piece *piece_of(struct vec *pieces, const struct symbol *label)
{
    size_t low = 0, high = pieces->count;
    if (!label->defined)
        return NULL;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (((struct piece *)vec_at(pieces, middle))->first < label->instruction)
            low = middle + 1;
        else
            high = middle;
    }
    return low < pieces->count ? vec_at(pieces, low) : NULL;
}

/* The piece that this one leads to next, or NULL. */
static struct piece *step(const struct calls *c, struct vec *pieces, struct piece *piece)
{
    while (piece->next < piece->last) {
        const struct insn *insn = program_insn(c->program, piece->next++);
        if (insn->op != OP_CAL || insn->nsrc == 0)
            continue;
        const struct operand *o = program_operand(c->program, insn->src);
        struct piece *called = o->kind == OPND_LABEL ? piece_of(pieces, program_symbol(c->program, o->ref)) : NULL;
        if (called)
            return called;
    }
    if (piece->went_on || piece->ends || piece == vec_at(pieces, pieces->count - 1))
        return NULL;
    piece->went_on = true;
    return piece + 1;
}

static bool walk(struct calls *c, struct vec *pieces, struct vec *path, struct piece *start)
{
    struct piece *at = start;
    at->state = 1;
    while (at) {
        struct piece *to = step(c, pieces, at);
        if (to && to->state == 1)
            return true;
        if (to && to->state == 0) {
            size_t slot = vec_grow(path);
            if (slot == SIZE_MAX) {
                c->failed = true;
                return false;
            }
            *(struct piece **)vec_at(path, slot) = at;
            to->state = 1;
            at = to;
        } else if (!to) {
            at->state = 2;
            at = path->count ? *(struct piece **)vec_at(path, --path->count) : NULL;
        }
    }
    return false;
}

bool program_recursion(const struct gp5_program *program, const struct symbol **label)
{
    struct calls c = {.program = program};
    struct vec pieces, path;
    vec_init(&pieces, sizeof(struct piece));
    vec_init(&path, sizeof(struct piece *));
    *label = NULL;
    if (collect(&c, &pieces)) {
        for (size_t i = 0; i < pieces.count; i++)
            cut(&c, vec_at(&pieces, i));
        for (size_t i = 0; i < pieces.count && !*label; i++) {
            struct piece *start = vec_at(&pieces, i);
            if (start->state == 0 && walk(&c, &pieces, &path, start))
                *label = program_symbol(program, start->label);
        }
    }
    vec_free(&path);
    vec_free(&pieces);
    return !c.failed;
}

void check_calls(struct checker *c)
{
    const struct symbol *label;
    if (!program_recursion(c->program, &label))
        c->program->diags.failed = true;
    if (!label)
        return;
    c->reported = 0;
    check_position(check_error(c, FOR_DRIVER, label->span, "%s leads to a call of itself: there is no recursion",
                               label->name),
                   (uint32_t)c->program->size);
}
