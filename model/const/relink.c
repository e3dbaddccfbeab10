/* Partners and labels of a program that was unrolled. */
#include "model/const/specialize.h"

struct open_block { uint32_t insn, first, breaks, continues; };

static void patch(struct gp5_program *p, uint32_t list, uint32_t to)
{
    while (list != NO_INDEX) {
        uint32_t next = program_insn(p, list)->dst.partner;
        program_insn(p, list)->dst.partner = to;
        list = next;
    }
}

/* The innermost loop of the blocks that are open. */
static struct open_block *loop_of(struct gp5_program *p, struct vec *open)
{
    for (size_t i = open->count; i--;) {
        struct open_block *b = vec_at(open, i);
        if (program_insn(p, b->first)->op == OP_REP)
            return b;
    }
    return NULL;
}

static bool close_loop(struct unrolled *to, struct vec *open, uint32_t i)
{
    struct gp5_program *p = &to->program;
    struct open_block *b = open->count ? vec_at(open, open->count - 1) : NULL;
    uint8_t form = *(uint8_t *)vec_at(&to->form, i);

    if (!b)
        return false;
    if (b->insn == b->first || *(uint8_t *)vec_at(&to->form, b->insn) == FORM_NEXT)
        program_insn(p, b->insn)->dst.partner = i;  /* REP: its end; an end: the next copy's */
    patch(p, b->continues, i);
    b->continues = NO_INDEX;
    b->insn = i;
    program_insn(p, i)->dst.partner = b->first;
    if (form == FORM_NEXT)
        return true;
    patch(p, b->breaks, i);
    open->count--;
    return true;
}

static bool match(const struct gp5_program *from, struct unrolled *to, const uint32_t *map, struct vec *open)
{
    struct gp5_program *p = &to->program;

    for (uint32_t i = 0; i < p->insns.count; i++) {
        struct insn *insn = program_insn(p, i);
        struct open_block *b = open->count ? vec_at(open, open->count - 1) : NULL;
        size_t at;
        switch (insn->op) {
        case OP_IF: case OP_REP:
            at = vec_grow(open);
            if (at == SIZE_MAX)
                return false;
            *(struct open_block *)vec_at(open, at) = (struct open_block){i, i, NO_INDEX, NO_INDEX};
            break;
        case OP_ELSE: case OP_ENDIF:
            if (!b)
                break;
            program_insn(p, b->insn)->dst.partner = i;
            insn->dst.partner = b->first;
            b->insn = i;
            if (insn->op == OP_ENDIF)
                open->count--;
            break;
        case OP_ENDREP:
            close_loop(to, open, i);
            break;
        case OP_BRK: case OP_CONT:
            b = insn->dst.partner == NO_INDEX ? NULL : loop_of(p, open);
            if (b) {
                insn->dst.partner = insn->op == OP_BRK ? b->breaks : b->continues;
                *(insn->op == OP_BRK ? &b->breaks : &b->continues) = i;
            }
            break;
        case OP_CAL:
            if (insn->dst.partner != NO_INDEX && insn->dst.partner < from->insns.count)
                insn->dst.partner = map[insn->dst.partner];
            else if (insn->dst.partner != NO_INDEX)
                insn->dst.partner = (uint32_t)p->insns.count;
            break;
        default:
            break;
        }
    }
    return true;
}

static bool move_labels(const struct gp5_program *from, struct unrolled *to, const uint32_t *map)
{
    struct gp5_program *p = &to->program;
    size_t n = from->symbols.count;

    for (uint32_t i = 0; i < n; i++) {
        size_t at = vec_grow(&p->symbols);
        struct symbol *s;
        if (at == SIZE_MAX)
            return false;
        s = vec_at(&p->symbols, at);
        *s = *program_symbol(from, i);
        if (s->kind == SYM_LABEL && s->defined)
            s->instruction = s->instruction < from->insns.count ? map[s->instruction] : (uint32_t)p->insns.count;
    }
    return true;
}

bool model_link_unrolled(const struct gp5_program *from, struct unrolled *to, const uint32_t *map)
{
    struct vec open;
    bool ok;

    vec_init(&open, sizeof(struct open_block));
    ok = move_labels(from, to, map) && match(from, to, map, &open);
    vec_free(&open);
    return ok;
}
