/* Flow: the program's statements in order, as functions. A subroutine is a function of its own; BRA becomes a block
 * that is left out, where blocks fit into each other, or else a loop over numbered blocks (branch.c). */
#include "asm/label.h"
#include "translate/translate.h"

#include <string.h>

struct walk {
    struct tr *t;
    uint32_t looked;            /* comments before this statement go where `to` says */
    struct tr_text *to;
    unsigned depth;
    uint32_t insn;              /* the next instruction */
    bool returned;              /* a RET without a test, outside of all blocks: up to the next function nothing runs */
};

static struct tr_text *place_of(struct tr *t, unsigned kind)
{
    return kind == STMT_INSTRUCTION || kind == STMT_LABEL || kind == STMT_END ? &t->body : &t->variables;
}

/* A comment stands before what follows it, or behind what it follows on a line. */
static void comment(struct walk *w, uint32_t i)
{
    struct tr *t = w->t;
    const struct statement whole_s = program_statement(t->p, i), *s = &whole_s;

    if (i >= w->looked) {
        uint32_t next = i;
        while (next < t->p->nstatements) {
            const struct statement whole_n = program_statement(t->p, next), *n = &whole_n;
            if (n->kind != STMT_COMMENT && n->kind != STMT_BLANK)
                break;
            next++;
        }
        w->looked = next;
        w->to = next < t->p->nstatements ? place_of(t, program_statement(t->p, next).kind) : &t->body;
    }
    struct tr_text *to = s->trailing ? t->out : w->to;
    if (s->trailing && to->size && to->bytes[to->size - 1] == '\n') {
        to->size--;
        tr_puts(to, "  ");
        t->depth = 0;
    } else {
        t->depth = to == &t->body ? w->depth : 0;
    }
    t->out = to;
    tr_comment(t, s->span);
}

/* ---- functions -------------------------------------------------------------------------------------------------- */

static bool is_main(const struct symbol *s)
{
    return strcmp(s->name, "main") == 0;
}

/* A label that is called, or where the program begins: what stands there is a function. */
static bool begins_function(const struct tr *t, uint32_t symbol)
{
    return t->symbols[symbol].called && !t->numbered_blocks;
}

static void open_function(struct walk *w, const char *name)
{
    struct tr *t = w->t;

    tr_printf(&t->body, "void %s()\n{\n", name);
    w->depth = 1;
}

static void close_function(struct walk *w)
{
    tr_puts(&w->t->body, "}\n");
}

/* What runs into a label goes on there. */
static void label(struct walk *w, uint32_t symbol)
{
    struct tr *t = w->t;

    if (!begins_function(t, symbol))
        return;
    t->depth = w->depth;
    if (!w->returned)
        tr_line(t, "%s();", t->symbols[symbol].name);
    w->returned = false;
    close_function(w);
    open_function(w, t->symbols[symbol].name);
}

static void test_line(struct tr *t, const struct insn *insn, const char *what)
{
    if (insn->condition.rule == CC_FL)
        return;
    if (condition_restricts(&insn->condition))
        tr_line(t, "if (%s) %s;", tr_test_any(t, &insn->condition), what);
    else
        tr_line(t, "%s;", what);
}

static const char *count(struct tr *t, const struct insn *insn, uint8_t component)
{
    const struct operand *o = program_operand(t->p, insn->src);
    enum tr_type type = insn->op == OP_LOOP ? T_FLOAT : tr_type_of(insn->type);
    uint8_t c = insn->op == OP_LOOP ? component : 0;
    const char *value = tr_value(t, o, type, &c, 1);

    return type == T_FLOAT ? tr_text(t, "int(floor(%s))", value) : type == T_INT ? value : tr_text(t, "int(%s)", value);
}

/* The register that a LOOP counts in: the innermost loop's. */
static const char *loop_register(const struct tr *t)
{
    for (uint32_t i = 0; i < t->p->symbols.count; i++)
        if (program_symbol(t->p, i)->kind == SYM_ADDRESS && program_symbol(t->p, i)->implicit)
            return t->symbols[i].name;
    return NULL;
}

static void repeat(struct walk *w, const struct insn *insn)
{
    struct tr *t = w->t;
    unsigned n = t->loops++;

    if (insn->op == OP_LOOP) {
        const char *name = loop_register(t);
        const char *times = count(t, insn, 0), *first = count(t, insn, 1), *step = count(t, insn, 2);
        tr_line(t, "for (int gp5_n%u = %s, gp5_i%u = %s, gp5_s%u = %s; gp5_n%u > 0; gp5_n%u--, gp5_i%u += gp5_s%u) {",
                n, times, n, first, n, step, n, n, n, n);
        if (name) {
            t->depth++;
            tr_line(t, "%s.x = gp5_i%u;", name, n);
            t->depth--;
        }
    } else if (insn->nsrc) {
        tr_line(t, "for (int gp5_n%u = %s; gp5_n%u > 0; gp5_n%u--) {", n, count(t, insn, 0), n, n);
    } else {
        tr_line(t, "for (;;) {");
    }
    size_t at = vec_grow(&t->open_loops);
    if (at == SIZE_MAX)
        t->arena.failed = true;
    else
        *(uint32_t *)vec_at(&t->open_loops, at) = insn->op == OP_LOOP ? n : NO_INDEX;
    t->depth++;
}

static void end_repeat(struct tr *t)
{
    t->depth--;
    tr_line(t, "}");
    if (t->open_loops.count)
        t->open_loops.count--;
    /* The register is the outer loop's again. */
    for (size_t i = t->open_loops.count; i-- > 0;) {
        uint32_t n = *(uint32_t *)vec_at(&t->open_loops, i);
        if (n != NO_INDEX) {
            if (loop_register(t))
                tr_line(t, "%s.x = gp5_i%u;", loop_register(t), n);
            return;
        }
    }
}

static void call(struct tr *t, const struct insn *insn)
{
    const struct operand *o = program_operand(t->p, insn->src);
    const char *name = t->symbols[o->ref].name;

    if (!name) {
        tr_refuse(t, insn->span, "a call of what is no label");
        return;
    }
    test_line(t, insn, tr_text(t, "%s()", name));
}

/* A jump ahead: what is jumped over is a block under the opposite test. */
static void branch(struct tr *t, const struct insn *insn)
{
    const struct operand *o = program_operand(t->p, insn->src);
    uint32_t target = program_symbol(t->p, o->ref)->instruction;
    size_t at = vec_grow(&t->open_blocks);

    if (at == SIZE_MAX) {
        t->arena.failed = true;
        return;
    }
    *(uint32_t *)vec_at(&t->open_blocks, at) = target;
    if (insn->condition.rule == CC_FL)
        tr_line(t, "if (true) {");
    else
        tr_line(t, "if (!(%s)) {", condition_restricts(&insn->condition) ? tr_test_any(t, &insn->condition) : "true");
    t->depth++;
}

/* Whether it was flow. */
static bool flow(struct walk *w, const struct insn *insn)
{
    struct tr *t = w->t;

    t->insn = insn;
    t->where = insn->span;
    switch (insn->op) {
    case OP_IF:
        tr_line(t, "if (%s) {", tr_test_any(t, &insn->condition));
        t->depth++;
        return true;
    case OP_ELSE:
        t->depth--;
        tr_line(t, "} else {");
        t->depth++;
        return true;
    case OP_ENDIF:
        t->depth--;
        tr_line(t, "}");
        return true;
    case OP_REP: case OP_LOOP: repeat(w, insn); return true;
    case OP_ENDREP: case OP_ENDLOOP: end_repeat(t); return true;
    case OP_BRK: case OP_CONT:
        if (!t->open_loops.count)
            tr_refuse(t, insn->span, "%s outside of a loop", op_table[insn->op].name);
        test_line(t, insn, insn->op == OP_BRK ? "break" : "continue");
        return true;
    case OP_RET: test_line(t, insn, "return"); return true;
    case OP_CAL: call(t, insn); return true;
    case OP_CALI: tr_call_chosen(t, insn); return true;
    case OP_BRA: branch(t, insn); return true;
    default: return tr_stage_instruction(t, insn);
    }
}

static void end_blocks(struct walk *w)
{
    struct tr *t = w->t;

    while (t->open_blocks.count && *(uint32_t *)vec_at(&t->open_blocks, t->open_blocks.count - 1) <= w->insn) {
        t->open_blocks.count--;
        w->depth--;
        t->depth = w->depth;
        tr_line(t, "}");
    }
}

static void instruction(struct walk *w, uint32_t i)
{
    struct tr *t = w->t;

    w->insn = i;
    if (t->numbered_blocks) {
        tr_numbered(t, i);
        w->depth = 3;
        return;
    }
    if (w->returned)
        return;
    end_blocks(w);
    t->depth = w->depth;
    const struct insn *insn = program_insn(t->p, i);
    t->insn = insn;
    t->where = insn->span;
    tr_take_turns(t, i);
    if (!flow(w, insn))
        tr_instruction(t, insn);
    w->returned = insn->op == OP_RET && !insn->condition.written && t->depth == 1;
    w->depth = t->depth;
    w->insn = i + 1;
}

static void statement(struct walk *w, uint32_t i)
{
    struct tr *t = w->t;
    const struct statement whole_s = program_statement(t->p, i), *s = &whole_s;

    switch ((enum statement_kind)s->kind) {
    case STMT_COMMENT:
        comment(w, i);
        break;
    case STMT_DECLARATION:
        t->out = &t->variables;
        t->depth = 0;
        for (uint32_t k = 0; k < s->count; k++)
            tr_declare_symbol(t, s->ref + k);
        break;
    case STMT_LABEL:
        t->out = &t->body;
        w->insn = program_symbol(t->p, s->ref)->instruction;
        if (!t->numbered_blocks)
            end_blocks(w);
        label(w, s->ref);
        break;
    case STMT_INSTRUCTION:
        t->out = &t->body;
        instruction(w, s->ref);
        break;
    default:
        break;
    }
    t->depth = 0;
    arena_free(&t->scratch);
    arena_init(&t->scratch);
}

/* ---- which way it is said --------------------------------------------------------------------------------------- */

/* Labels that are called, and `main`. */
static bool find_functions(struct tr *t)
{
    bool any = false;

    for (uint32_t i = 0; i < t->p->insns.count; i++) {
        const struct insn *insn = program_insn(t->p, i);
        if (insn->op != OP_CAL || !insn->nsrc)
            continue;
        struct tr_symbol *ts = &t->symbols[program_operand(t->p, insn->src)->ref];
        if (!ts->called)
            ts->name = tr_name(t, program_symbol(t->p, program_operand(t->p, insn->src)->ref)->name);
        ts->called = any = true;
    }
    tr_find_subroutines(t);
    for (uint32_t i = 0; i < t->p->symbols.count; i++)
        any = any || t->symbols[i].called;
    for (uint32_t i = 0; i < t->p->symbols.count; i++) {
        const struct symbol *s = program_symbol(t->p, i);
        if (s->kind == SYM_LABEL && s->defined && is_main(s) && s->instruction) {
            t->symbols[i].called = any = true;
            t->symbols[i].name = tr_name(t, s->name);
            t->entry = t->symbols[i].name;
        }
    }
    return any;
}

/* Whether all jumps go ahead, and no two of them over a part of each other. */
static bool branches_nest(struct tr *t, bool functions, bool *any)
{
    struct vec open;
    bool nest = !functions;

    vec_init(&open, sizeof(uint32_t));
    *any = false;
    for (uint32_t i = 0; i < t->p->insns.count; i++) {
        const struct insn *insn = program_insn(t->p, i);
        while (open.count && *(uint32_t *)vec_at(&open, open.count - 1) <= i)
            open.count--;
        if (insn->op != OP_BRA || !insn->nsrc)
            continue;
        uint32_t target = program_symbol(t->p, program_operand(t->p, insn->src)->ref)->instruction;
        *any = true;
        if (target <= i || (open.count && target > *(uint32_t *)vec_at(&open, open.count - 1)))
            nest = false;
        size_t at = vec_grow(&open);
        if (at == SIZE_MAX)
            t->arena.failed = true;
        else
            *(uint32_t *)vec_at(&open, at) = target;
    }
    vec_free(&open);
    return nest;
}

static bool has_returns(const struct tr *t)
{
    for (uint32_t i = 0; i < t->p->insns.count; i++)
        if (program_insn(t->p, i)->op == OP_RET)
            return true;
    return false;
}

/* Functions are called before they stand there. */
static void prototypes(struct tr *t)
{
    for (uint32_t i = 0; i < t->p->symbols.count; i++)
        if (t->symbols[i].called)
            tr_printf(&t->functions, "void %s();\n", t->symbols[i].name);
}

void tr_program(struct tr *t)
{
    struct walk w = {.t = t, .depth = 1};
    const struct symbol *label;
    if (!program_recursion(t->p, &label))
        t->arena.failed = true;
    if (label)
        tr_refuse(t, label->span, "%s leads to a call of itself, and %s has no recursion", label->name,
                  t->target->name);
    bool functions = find_functions(t), branches, nest = branches_nest(t, functions, &branches);

    t->numbered_blocks = branches && !nest;
    for (uint32_t i = 0; i < t->p->symbols.count; i++)
        if (program_symbol(t->p, i)->implicit) {
            t->out = &t->variables;
            tr_declare_symbol(t, i);
        }
    /* A function of its own where something is left to do behind it. */
    bool own = functions || has_returns(t) || t->numbered_blocks;
    t->out_of_main = own;
    t->depth = 0;
    if (functions && !t->numbered_blocks)
        prototypes(t);
    if (own)
        open_function(&w, "gp5_program");
    if (t->numbered_blocks)
        tr_open_blocks(t);
    for (uint32_t i = 0; i < t->p->nstatements && !t->refusal; i++)
        statement(&w, i);
    t->out = &t->body;
    w.insn = UINT32_MAX;
    t->depth = w.depth;
    if (t->numbered_blocks)
        tr_close_blocks(t);
    else
        end_blocks(&w);
    if (own) {
        close_function(&w);
        tr_put(&t->functions, t->body.bytes, t->body.size);
        t->functions.failed |= t->body.failed;
        t->body.size = 0;
        t->depth = 1;
        tr_line(t, "%s();", t->entry && !t->numbered_blocks ? t->entry : "gp5_program");
    }
    t->depth = 1;
    tr_epilogue(t);
}
