/* Atomic operations on buffers, shared memory and counters: a call where GLSL has one, else a loop around a comparison
 * and swap. */
#include "translate/translate.h"

#include <string.h>

enum form { CALL, LOOP };

static const struct row {
    uint8_t operation, type, form;
    const char *text;
} rows[] = {
#define ATOMIC(operation, type, form, text) {MOD_##operation, DT_##type, form, text},
#include "translate/atomics.def"
#undef ATOMIC
};

static const struct row *find_as(unsigned operation, unsigned type)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].operation == operation && rows[i].type == type)
            return &rows[i];
    return NULL;
}

static const struct row *find(const struct insn *insn)
{
    unsigned type = insn->type & DT_MASK;
    const struct row *row = find_as(insn->atomic, type);

    return row || type != DT_S32 ? row : find_as(insn->atomic, DT_U32);
}

/* The operand's word: of halves two that are packed in it. */
static const char *word_of(struct tr *t, unsigned k, uint8_t component)
{
    enum tr_type type = (t->insn->type & DT_MASK) == DT_F16 ? T_UINT : tr_type_of(t->insn->type);

    return tr_cast(t, tr_operand(t, k, type, &component, 1), type, T_UINT, 1);
}

static const char *arguments(struct tr *t, const char *element)
{
    if (t->insn->atomic == MOD_CSWAP)
        return tr_text(t, "%s, %s, %s", element, word_of(t, 0, 0), word_of(t, 0, 1));
    return tr_text(t, "%s, %s", element, word_of(t, 0, 0));
}

/* %v by the value. */
static const char *next(struct tr *t, const char *text, const char *value)
{
    const char *at = strstr(text, "%v");

    if (!at)
        return text;
    return tr_text(t, "%.*s%s%s", (int)(at - text), text, value, next(t, at + 2, value));
}

static void loop(struct tr *t, const struct row *row, const char *element)
{
    const char *value = word_of(t, 0, 0);

    tr_line(t, "uint gp5_c = %s;", element);
    tr_line(t, "do {");
    t->depth++;
    tr_line(t, "gp5_o = gp5_c;");
    tr_line(t, "gp5_c = atomicCompSwap(%s, gp5_o, %s);", element, next(t, row->text, value));
    t->depth--;
    tr_line(t, "} while (gp5_c != gp5_o);");
}

static void on_element(struct tr *t, const struct row *row, const char *element)
{
    if (row->form == LOOP)
        loop(t, row, element);
    else
        tr_line(t, "gp5_o = atomic%s(%s);", row->text, arguments(t, element));
}

const char *tr_atomic(struct tr *t, enum tr_type *type)
{
    const struct insn *insn = t->insn;
    const struct row *row = find(insn);
    struct tr_place p;

    *type = T_UINT;
    if (!row || insn->width == 4) {
        tr_refuse(t, t->where, "an atomic operation on %s, which %s has not",
                  type_table[insn->type & DT_MASK].bytes == 8 ? "64 bits" : "numbers of this type", t->target->name);
        return "0u";
    }
    if (!tr_find_place(t, program_operand(t->p, insn->src + 1), &p))
        return "0u";
    if (p.space == SPACE_CONSTANT)
        tr_refuse(t, t->where, "an atomic operation on a buffer of constants");
    tr_line(t, "uint gp5_o = 0u;");
    for (uint32_t i = 0; i < p.count; i++) {
        if (p.which)
            tr_line(t, "%sif ((%s) == %u) {", i ? "} else " : "", p.which, i);
        t->depth += p.which ? 1 : 0;
        on_element(t, row, tr_word(t, &p, i, 0));
        t->depth -= p.which ? 1 : 0;
    }
    if (p.which)
        tr_line(t, "}");
    return "gp5_o";
}

/* ---- counters --------------------------------------------------------------------------------------------------- */

const char *tr_counter(struct tr *t, enum tr_type *type)
{
    static const char *const names[MOD_COUNT] = {
        [MOD_INCR] = "Increment",   [MOD_DECR] = "Decrement",   [MOD_GET] = "",
        [MOD_ADD] = "AddARB",       [MOD_MIN] = "MinARB",       [MOD_MAX] = "MaxARB",
        [MOD_AND] = "AndARB",       [MOD_OR] = "OrARB",         [MOD_XOR] = "XorARB",
        [MOD_EXCH] = "ExchangeARB", [MOD_CSWAP] = "CompSwapARB"};
    const struct insn *insn = t->insn;
    const struct operand *o = program_operand(t->p, insn->src);
    const struct symbol *s = o->kind == OPND_SYMBOL ? program_symbol(t->p, o->ref) : NULL;
    const struct index *index = o->nindices ? program_index(t->p, o->index) : NULL;
    const struct binding *b = s && s->nbindings == 1 ? program_binding(t->p, s->binding) : NULL;
    unsigned operation = insn->atomic ? insn->atomic : MOD_INCR;

    *type = T_UINT;
    if (!tr_has(t, HAS_GPU5) || !names[operation] || !b || !b->nindices || b->range[0] || s->kind != SYM_COUNTER ||
        (insn->op == OP_ATOMCTROP && operation != MOD_CSWAP && insn->nsrc < 2)) {
        tr_refuse(t, t->where, "%s of this counter, which %s has not", op_table[insn->op].name, t->target->name);
        return "0u";
    }
    uint32_t at =
        (b->nindices > 1 ? b->first[1] : 0) + (index && index->mode != INDEX_RELATIVE ? (uint32_t)index->offset : 0);
    struct tr_memory *m = tr_use_memory(t, SPACE_COUNTER, b->first[0]);
    if (!m || b->first[0] > 0 || at > 7) { /* gl_MaxAtomicCounterBindings, gl_MaxAtomicCounterBufferSize */
        tr_refuse(t, t->where, "a counter beyond those that there are for sure");
        return "0u";
    }
    m->words = at >= m->words ? at + 1 : m->words;
    bool computed = index && index->mode == INDEX_RELATIVE;
    m->computed |= computed;
    const char *name = tr_memory_name(t, SPACE_COUNTER, b->first[0]);
    const char *counter =
        computed ? tr_text(t, "%s[%s]", name, tr_index(t, index, at)) : tr_text(t, "%s[%u]", name, at);
    if (insn->op == OP_ATOMCTR) {
        tr_line(t, "uint gp5_o = atomicCounter%s(%s);", names[operation], counter);
        return "gp5_o";
    }
    static const uint8_t x = 0, y = 1;
    t->needed |= NEED_COUNTERS;
    const char *more = operation == MOD_CSWAP ? tr_text(t, ", %s", tr_operand(t, 1, T_UINT, &y, 1)) : "";
    tr_line(t, "uint gp5_o = atomicCounter%s(%s, %s%s);", names[operation], counter, tr_operand(t, 1, T_UINT, &x, 1),
            more);
    return "gp5_o";
}
