/* CALI: subroutines that the application chooses. Their numbers are uniforms, and a call is a choice among the labels
 * of the variable's type: the last of them where no number is one of theirs, as drivers do. */
#include "translate/translate.h"

#include <string.h>

/* The labels of a type, in order: a type grows with each declaration of its name. */
static const struct symbol *label_of(const struct tr *t, const struct symbol *s, uint32_t k, uint32_t *symbol)
{
    const char *name = program_symbol(t->p, s->instruction)->name;

    for (uint32_t i = 0; i < t->p->symbols.count; i++) {
        const struct symbol *type = program_symbol(t->p, i);
        if (type->kind != SYM_SUBROUTINE_TYPE || strcmp(type->name, name))
            continue;
        if (k < type->nbindings) {
            *symbol = program_operand(t->p, type->binding + k)->ref;
            return program_symbol(t->p, *symbol);
        }
        k -= type->nbindings;
    }
    return NULL;
}

static const struct symbol *variable_of(const struct tr *t, const struct insn *insn)
{
    const struct operand *o = insn->nsrc ? program_operand(t->p, insn->src) : NULL;
    const struct symbol *s = o && o->kind == OPND_SYMBOL ? program_symbol(t->p, o->ref) : NULL;

    return s && s->kind == SYM_SUBROUTINE ? s : NULL;
}

/* Whether the instruction stands in a subroutine: behind a label that is called and is not where the program begins. */
static bool in_subroutine(const struct tr *t, uint32_t insn)
{
    const struct symbol *last = NULL;

    for (uint32_t i = 0; i < t->p->symbols.count; i++) {
        const struct symbol *s = program_symbol(t->p, i);
        bool begins = s->kind == SYM_LABEL && s->defined && (t->symbols[i].called || !strcmp(s->name, "main"));
        if (begins && s->instruction <= insn && (!last || s->instruction >= last->instruction))
            last = s;
    }
    return last && strcmp(last->name, "main");
}

/* A subroutine that chooses one may lead to itself, where a call goes back in the text: GLSL has no recursion. */
static void check_circles(struct tr *t)
{
    const struct insn *chooses = NULL;
    bool back = false;

    for (uint32_t i = 0; i < t->p->insns.count; i++) {
        const struct insn *insn = program_insn(t->p, i);
        const struct symbol *s = insn->op == OP_CALI ? variable_of(t, insn) : NULL, *label;
        uint32_t symbol;
        for (uint32_t k = 0; s && (label = label_of(t, s, k, &symbol)) != NULL; k++)
            back = back || (label->instruction <= i && in_subroutine(t, i));
        if (insn->op == OP_CAL && insn->nsrc)
            back = back || (program_symbol(t->p, program_operand(t->p, insn->src)->ref)->instruction <= i &&
                            in_subroutine(t, i));
        if (s && !chooses && in_subroutine(t, i))
            chooses = insn;
    }
    if (chooses && back)
        tr_refuse(t, chooses->span, "a subroutine that may lead to a call of itself, and %s has no recursion",
                  t->target->name);
}

void tr_find_subroutines(struct tr *t)
{
    for (uint32_t i = 0; i < t->p->insns.count; i++) {
        const struct insn *insn = program_insn(t->p, i);
        const struct symbol *s = insn->op == OP_CALI ? variable_of(t, insn) : NULL, *label;
        uint32_t symbol;
        for (uint32_t k = 0; s && (label = label_of(t, s, k, &symbol)) != NULL; k++) {
            if (!t->symbols[symbol].called)
                t->symbols[symbol].name = tr_name(t, label->name);
            t->symbols[symbol].called = t->chooses = true;
        }
    }
    if (t->chooses)
        check_circles(t);
}

/* Which parameter chooses: a number, or one that is computed. */
static const char *number_of(struct tr *t, const struct insn *insn, const struct symbol *s)
{
    const struct operand *o = program_operand(t->p, insn->src);
    const struct index *index = o->nindices ? program_index(t->p, o->index) : NULL;
    const struct binding *b = s->nbindings ? program_binding(t->p, s->binding) : NULL;
    uint32_t at, count = s->elements ? s->elements : 1;

    if (!b || s->nbindings > 1 || o->nindices > 1) {
        tr_refuse(t, insn->span, "subroutines that stand in no row");
        return "0";
    }
    uint32_t first = b->nindices ? b->first[0] : 0;
    if (first + count > 1024)
        tr_refuse(t, insn->span, "more than 1,024 subroutines to choose");
    at = first + (index && index->mode != INDEX_RELATIVE ? (uint32_t)index->offset : 0);
    if (first + count > t->subroutines)
        t->subroutines = first + count;
    if (at >= t->subroutines) {
        tr_refuse(t, insn->span, "a subroutine that is not there");
        return "0";
    }
    if (index && index->mode == INDEX_RELATIVE)
        return tr_text(t, "%ssubroutine[clamp(%s, %u, %u)]", t->stage_prefix, tr_index(t, index, first), first,
                       first + count - 1);
    return tr_text(t, "%ssubroutine[%u]", t->stage_prefix, at);
}

void tr_call_chosen(struct tr *t, const struct insn *insn)
{
    const struct symbol *s = variable_of(t, insn), *label;
    uint32_t symbol, k = 0;

    if (!s || !tr_has(t, HAS_INTEGERS) || t->numbered_blocks) {
        tr_refuse(t, insn->span, "CALI, which %s cannot say", t->target->name);
        return;
    }
    if (insn->condition.rule == CC_FL)
        return;
    if (condition_restricts(&insn->condition)) {
        tr_line(t, "if (%s) {", tr_test_any(t, &insn->condition));
        t->depth++;
    }
    tr_line(t, "switch (%s) {", number_of(t, insn, s));
    while ((label = label_of(t, s, k, &symbol)) != NULL) {
        uint32_t next;
        const char *name = t->symbols[symbol].name;
        bool last = !label_of(t, s, ++k, &next);
        if (!symbol_is_numbered(label) || !name) {
            tr_refuse(t, insn->span, "%s, which has no number", label->name);
            return;
        }
        tr_line(t, "%s%u: %s(); break;", last ? "default: case " : "case ", label->number, name);
    }
    tr_line(t, "}");
    if (condition_restricts(&insn->condition)) {
        t->depth--;
        tr_line(t, "}");
    }
}

void tr_declare_subroutines(struct tr *t)
{
    if (!t->subroutines)
        return;
    if (tr_has(t, HAS_LOCATIONS) && !tr_has(t, HAS_COMPAT))
        tr_printf(&t->declarations, "layout(location = %u) ", 128 * (t->stage - 1u));
    tr_printf(&t->declarations, "uniform int %ssubroutine[%u];\n", t->stage_prefix, t->subroutines);
}
