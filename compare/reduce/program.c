/* What can go of a program: blocks, statements, what stands around a block, names, tests and modifiers, operands.
 * Pieces are found in the parsed program and cut out of the text, which is parsed and checked again. */
#include "compare/reduce/reduce.h"

#include "asm/program.h"
#include "gp5.h"

struct subject {
    struct edits edits;
    const gp5_program *p;
    uint32_t *statement;        /* of an instruction */
};

typedef void pass(struct subject *s);

/* ---- statements ---------------------------------------------------------------------------------------------- */

/* Where a statement ends: where the next one begins. */
static size_t statement_end(const gp5_program *p, uint32_t i)
{
    return i + 1 < p->nstatements ? program_statement(p, i + 1).span.offset : p->size;
}

static void cut_statements(struct subject *s, uint32_t first, uint32_t last)
{
    edits_cut(&s->edits, program_statement(s->p, first).span.offset, statement_end(s->p, last), "", 0);
}

static bool opens(const struct insn *insn)
{
    return (insn->op == OP_IF || insn->op == OP_REP) && insn->dst.partner != NO_INDEX;
}

/* The instruction that closes a block; `middle` gets its ELSE, or NO_INDEX. */
static uint32_t closing(const gp5_program *p, const struct insn *insn, uint32_t *middle)
{
    const struct insn *partner = program_insn(p, insn->dst.partner);
    *middle = partner->op == OP_ELSE ? insn->dst.partner : NO_INDEX;
    return partner->op == OP_ELSE ? partner->dst.partner : insn->dst.partner;
}

static void blocks(struct subject *s)
{
    for (uint32_t i = 0; i < s->p->insns.count; i++) {
        const struct insn *insn = program_insn(s->p, i);
        uint32_t middle, end = opens(insn) ? closing(s->p, insn, &middle) : NO_INDEX;
        if (end == NO_INDEX || end >= s->p->insns.count)
            continue;
        cut_statements(s, s->statement[i], s->statement[end]);
        edits_close(&s->edits);
    }
}

static void statements(struct subject *s)
{
    for (uint32_t i = 0; i < s->p->nstatements; i++)
        if (program_statement(s->p, i).kind != STMT_END) {
            cut_statements(s, i, i);
            edits_close(&s->edits);
        }
}

/* One side of an IF, or a loop's body, without what stands around it. */
static void unwrap(struct subject *s, bool second)
{
    for (uint32_t i = 0; i < s->p->insns.count; i++) {
        const struct insn *insn = program_insn(s->p, i);
        uint32_t middle = NO_INDEX, end = opens(insn) ? closing(s->p, insn, &middle) : NO_INDEX;
        if (end == NO_INDEX || end >= s->p->insns.count || (second && middle == NO_INDEX))
            continue;
        if (second) {
            cut_statements(s, s->statement[i], s->statement[middle]);
            cut_statements(s, s->statement[end], s->statement[end]);
        } else {
            cut_statements(s, s->statement[i], s->statement[i]);
            cut_statements(s, s->statement[middle == NO_INDEX ? end : middle], s->statement[end]);
        }
        edits_close(&s->edits);
    }
}

static void first_sides(struct subject *s)
{
    unwrap(s, false);
}

static void second_sides(struct subject *s)
{
    unwrap(s, true);
}

/* TEMP a, b, c: one of the names. */
static void cut_name(struct subject *s, const struct statement *st, uint32_t k)
{
    size_t from = program_symbol(s->p, st->ref + k)->span.offset, to = st->span.offset + st->span.length;
    if (k + 1 < st->count)
        to = program_symbol(s->p, st->ref + k + 1)->span.offset;
    else
        while (from > st->span.offset && s->p->text[from] != ',')
            from--;
    edits_cut(&s->edits, from, to, "", 0);
}

static void names(struct subject *s)
{
    for (uint32_t i = 0; i < s->p->nstatements; i++) {
        const struct statement whole_st = program_statement(s->p, i), *st = &whole_st;
        for (uint32_t k = 0; st->kind == STMT_DECLARATION && st->count > 1 && k < st->count; k++) {
            cut_name(s, st, k);
            edits_close(&s->edits);
        }
    }
}

static bool names_it(const struct gp5_program *p, const struct insn *insn, uint32_t symbol)
{
    bool any = insn->dst.written && insn->dst.kind == OPND_SYMBOL && insn->dst.ref == symbol;
    for (uint32_t i = 0; i < insn->nsrc && !any; i++) {
        const struct operand *o = program_operand(p, insn->src + i);
        any = operand_named_kind(o) == OPND_SYMBOL && o->ref == symbol;
    }
    return any;
}

/* A name with all instructions that have it. */
static void variables(struct subject *s)
{
    for (uint32_t i = 0; i < s->p->nstatements; i++) {
        const struct statement whole_st = program_statement(s->p, i), *st = &whole_st;
        for (uint32_t k = 0; st->kind == STMT_DECLARATION && k < st->count; k++) {
            if (st->count > 1)
                cut_name(s, st, k);
            else
                cut_statements(s, i, i);
            for (uint32_t n = 0; n < s->p->insns.count; n++)
                if (names_it(s->p, program_insn(s->p, n), st->ref + k))
                    cut_statements(s, s->statement[n], s->statement[n]);
            edits_close(&s->edits);
        }
    }
}

/* ---- within an instruction ------------------------------------------------------------------------------------- */

/* A piece with the dot or blanks before it. */
static void drop(struct subject *s, struct span span, bool dot)
{
    size_t from = span.offset;
    if (!span.length)
        return;
    while (dot && from && s->p->text[from - 1] == '.')
        from--;
    edits_cut(&s->edits, from, span.offset + span.length, "", 0);
    edits_close(&s->edits);
}

static void drop_test(struct subject *s, const struct insn *insn)
{
    if (!insn->condition.written && !insn->dst.condition.written)
        return;
    struct span span = program_test_span(s->p, insn);
    size_t from = span.offset, to = from + span.length;
    while (from && (s->p->text[from - 1] == '(' || s->p->text[from - 1] == ' '))
        from--;
    while (to < s->p->size && s->p->text[from] == '(' && s->p->text[to - 1] != ')')
        to++;
    edits_cut(&s->edits, from, to, "", 0);
    edits_close(&s->edits);
}

static void modifiers(struct subject *s)
{
    for (uint32_t i = 0; i < s->p->insns.count; i++) {
        const struct insn *insn = program_insn(s->p, i);
        for (uint32_t k = 0; k < insn->nmodifiers; k++)
            drop(s, program_modifier_span(s->p, insn, k), true);
        if (insn->dst.written) {
            struct span span = program_result_span(s->p, insn);
            drop_test(s, insn);
            drop(s, program_suffix(s->p, span), true);
        } else {
            drop_test(s, insn);
        }
    }
}

/* Signs and bars, then the swizzle. */
static void signs(struct subject *s)
{
    for (uint32_t i = 0; i < s->p->operands.count; i++) {
        const struct operand *o = program_operand(s->p, i);
        struct span base = program_base(s->p, o);
        if (!operand_has_sign(o) || !base.length || !o->span.length)
            continue;
        edits_cut(&s->edits, o->span.offset, o->span.offset + o->span.length, s->p->text + base.offset, base.length);
        edits_close(&s->edits);
    }
}

static void swizzles(struct subject *s)
{
    for (uint32_t i = 0; i < s->p->operands.count; i++) {
        const struct operand *o = program_operand(s->p, i);
        if (o->nswizzle)
            drop(s, program_suffix(s->p, program_base(s->p, o)), true);
    }
}

static void each_operand(struct subject *s, const char *in)
{
    for (uint32_t i = 0; i < s->p->operands.count; i++) {
        const struct operand *o = program_operand(s->p, i);
        if ((o->kind != OPND_SYMBOL && o->kind != OPND_BINDING) || o->span.length <= strlen(in))
            continue;
        edits_cut(&s->edits, o->span.offset, o->span.offset + o->span.length, in, strlen(in));
        edits_close(&s->edits);
    }
}

static void ones(struct subject *s)
{
    each_operand(s, "1");
}

static void zeros(struct subject *s)
{
    each_operand(s, "0");
}

/* MOV of an operand in place of what is computed of it. */
static void moves(struct subject *s, uint32_t operand)
{
    for (uint32_t i = 0; i < s->p->insns.count; i++) {
        const struct insn *insn = program_insn(s->p, i);
        if (!insn->dst.written || insn->nsrc < 2 || operand >= insn->nsrc)
            continue;
        const struct operand *first = program_operand(s->p, insn->src), *o = first + operand;
        size_t dst = program_next_token(s->p, program_result_span(s->p, insn).offset);
        if (!o->span.length || first->span.offset < dst)
            continue;
        edits_cut(&s->edits, insn->span.offset, dst, "MOV ", 4);
        edits_cut(&s->edits, first->span.offset, insn->span.offset + insn->span.length, s->p->text + o->span.offset,
                  o->span.length);
        edits_close(&s->edits);
    }
}

static void first_operands(struct subject *s)
{
    moves(s, 0);
}

static void second_operands(struct subject *s)
{
    moves(s, 1);
}

/* ---- variables ------------------------------------------------------------------------------------------------- */

static void replace_span(struct subject *s, struct span span, const char *in, size_t nin)
{
    edits_cut(&s->edits, span.offset, span.offset + span.length, in, nin);
}

/* Where an operand names a variable, without what stands around the name. */
static bool names_symbol(const gp5_program *p, const struct operand *o, uint32_t symbol, struct span *name)
{
    if (o->kind != OPND_SYMBOL || o->ref != symbol || o->nindices)
        return false;
    *name = program_base(p, o);
    name->length = (uint32_t)strlen(program_symbol(p, symbol)->name);
    return true;
}

static bool is_temporary(const struct symbol *s)
{
    return s->kind == SYM_TEMP && !s->array && !s->implicit;
}

/* A variable that MOV alone writes: what it was given, wherever it is read. */
static void copies(struct subject *s)
{
    struct span name;
    for (uint32_t i = 0; i < s->p->insns.count; i++) {
        const struct insn *insn = program_insn(s->p, i);
        if (insn->op != OP_MOV || insn->nsrc != 1 || insn->dst.kind != OPND_SYMBOL || insn->nmodifiers ||
            !is_temporary(program_symbol(s->p, insn->dst.ref)))
            continue;
        struct span from = program_operand(s->p, insn->src)->span;
        cut_statements(s, s->statement[i], s->statement[i]);
        for (uint32_t k = insn->src + 1; k < s->p->operands.count; k++)
            if (names_symbol(s->p, program_operand(s->p, k), insn->dst.ref, &name))
                replace_span(s, name, s->p->text + from.offset, from.length);
        edits_close(&s->edits);
    }
}

/* One temporary as another one, the first. */
static void merge(struct subject *s)
{
    const struct symbol *first = NULL;
    for (uint32_t k = 0; k < s->p->symbols.count; k++) {
        const struct symbol *symbol = program_symbol(s->p, k);
        struct span name;
        bool any = false;
        if (!is_temporary(symbol))
            continue;
        if (!first) {
            first = symbol;
            continue;
        }
        for (uint32_t i = 0; i < s->p->insns.count; i++) {
            const struct insn *insn = program_insn(s->p, i);
            if (!insn->dst.written || insn->dst.kind != OPND_SYMBOL || insn->dst.ref != k)
                continue;
            name = (struct span){program_result_span(s->p, insn).offset, (uint32_t)strlen(symbol->name)};
            replace_span(s, name, first->name, strlen(first->name));
            any = true;
        }
        for (uint32_t i = 0; i < s->p->operands.count; i++)
            if (names_symbol(s->p, program_operand(s->p, i), k, &name)) {
                replace_span(s, name, first->name, strlen(first->name));
                any = true;
            }
        if (any)
            edits_close(&s->edits);
    }
}

/* ---- all of it --------------------------------------------------------------------------------------------------- */

static bool index_statements(struct subject *s)
{
    s->statement = gp5_malloc((s->p->insns.count + 1) * sizeof *s->statement);
    if (!s->statement)
        return false;
    memset(s->statement, 0, (s->p->insns.count + 1) * sizeof *s->statement);
    for (uint32_t i = 0; i < s->p->nstatements; i++)
        if (program_statement(s->p, i).kind == STMT_INSTRUCTION)
            s->statement[program_statement(s->p, i).ref] = i;
    return true;
}

static bool run_pass(struct reduction *r, size_t from, size_t *to, pass *pass)
{
    struct subject s = {.p = NULL};
    size_t behind = r->size - *to;
    gp5_program *p = gp5_parse(r->text + from, *to - from);
    s.p = p;
    bool ok = p && index_statements(&s), any = false;
    r->no_memory |= !ok;
    if (ok) {
        edits_begin(&s.edits, r, from);
        pass(&s);
        any = edits_try(&s.edits);
        *to = r->size - behind;
    }
    gp5_free(s.statement);
    gp5_program_free(p);
    return any;
}

bool reduce_region(struct reduction *r, size_t from, size_t *to)
{
    static pass *const passes[] = {
        blocks, variables, statements, first_sides, second_sides, statements, names, modifiers, signs, swizzles,
        first_operands, second_operands, copies, ones, zeros, merge, names};
    bool any = false;
    for (size_t i = 0; i < sizeof passes / sizeof *passes && !reduce_over(r); i++)
        any |= run_pass(r, from, to, passes[i]);
    return any;
}

/* As gp5 fmt writes it, where it is then still what it was. */
bool reduce_print(struct reduction *r, size_t from, size_t *to)
{
    size_t size = 0, behind = r->size - *to;
    gp5_program *p = gp5_parse(r->text + from, *to - from);
    char *printed = p ? gp5_format(p, &size) : NULL, *text = printed ? gp5_malloc(r->size + size + 1) : NULL;
    bool taken = false;
    if (text) {
        memcpy(text, r->text, from);
        memcpy(text + from, printed, size);
        memcpy(text + from + size, r->text + *to, behind);
        text[from + size + behind] = 0;
        taken = reduce_offer(r, text, from + size + behind);
        *to = r->size - behind;
    }
    gp5_free(text);
    gp5_text_free(printed);
    gp5_program_free(p);
    return taken;
}

void reduce_program(struct reduction *r)
{
    size_t to = r->size;
    while (reduce_region(r, 0, &to))
        ;
    reduce_print(r, 0, &to);
}
