/* The program's statements in order: declarations to the top, instructions into functions. */
#include "translate/translate.h"

struct walk {
    struct tr *t;
    uint32_t looked;            /* comments before this statement go where `to` says */
    struct tr_text *to;
    unsigned depth;
};

static struct tr_text *place_of(struct tr *t, const struct statement *s)
{
    return s->kind == STMT_INSTRUCTION || s->kind == STMT_LABEL || s->kind == STMT_END ? &t->body : &t->variables;
}

/* A comment stands before what follows it, or behind what it follows on a line. */
static void comment(struct walk *w, uint32_t i)
{
    struct tr *t = w->t;
    const struct statement *s = program_statement(t->p, i);

    if (i >= w->looked) {
        uint32_t next = i;
        while (next < t->p->statements.count) {
            const struct statement *n = program_statement(t->p, next);
            if (n->kind != STMT_COMMENT && n->kind != STMT_BLANK)
                break;
            next++;
        }
        w->looked = next;
        w->to = next < t->p->statements.count ? place_of(t, program_statement(t->p, next)) : &t->body;
    }
    struct tr_text *to = s->trailing ? t->out : w->to;
    unsigned depth = t->depth;
    if (s->trailing && to->size && to->bytes[to->size - 1] == '\n') {
        to->size--;
        tr_puts(to, "  ");
        t->depth = 0;
    } else {
        t->depth = to == &t->body ? w->depth : 0;
    }
    t->out = to;
    tr_comment(t, s->span);
    t->depth = depth;
}

static void statement(struct walk *w, uint32_t i)
{
    struct tr *t = w->t;
    const struct statement *s = program_statement(t->p, i);

    switch ((enum statement_kind)s->kind) {
    case STMT_COMMENT:
        comment(w, i);
        break;
    case STMT_DECLARATION:
        t->out = &t->variables;
        for (uint32_t k = 0; k < s->count; k++)
            tr_declare_symbol(t, s->ref + k);
        break;
    case STMT_INSTRUCTION:
        t->out = &t->body;
        t->depth = w->depth;
        tr_instruction(t, program_insn(t->p, s->ref));
        w->depth = t->depth;
        t->depth = 0;
        break;
    default:
        break;
    }
    arena_free(&t->scratch);
    arena_init(&t->scratch);
}

void tr_program(struct tr *t)
{
    struct walk w = {.t = t, .depth = 1};

    for (uint32_t i = 0; i < t->p->symbols.count; i++)
        if (program_symbol(t->p, i)->implicit) {
            t->out = &t->variables;
            tr_declare_symbol(t, i);
        }
    t->depth = 0;
    for (uint32_t i = 0; i < t->p->statements.count && !t->refusal; i++)
        statement(&w, i);
    t->out = &t->body;
    t->depth = 1;
    tr_epilogue(t);
}
