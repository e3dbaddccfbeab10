/* Instructions as statements: what is computed goes into the result's components, clamped, under a test, and into a
 * condition code. */
#include "translate/translate.h"

/* What is written at once. */
struct assignment {
    struct tr_base to;
    bool has_to;                /* false: only a condition code */
    uint8_t components[4];
    unsigned n;
    const char *value;
    enum tr_type type;
    bool scalar;                /* the value is one number for all components */
};

static const char *constructed(struct tr *t, const struct assignment *a)
{
    return a->scalar && a->n > 1 ? tr_text(t, "%s(%s)", tr_type_name(a->type, a->n), a->value) : a->value;
}

static const char *target_of(struct tr *t, const struct tr_base *to, const uint8_t *components, unsigned n)
{
    char letters[5];

    if (to->count == 1 || (n == to->count && n == 4))
        return to->text;
    return tr_text(t, "%s.%s", to->text, tr_letters(components, n, letters));
}

/* Components of the result that there are. */
static unsigned components_of(const struct tr_base *to, uint8_t mask, uint8_t components[4])
{
    unsigned n = 0;

    for (uint8_t c = 0; c < 4; c++)
        if (mask >> c & 1 && (to->count > 1 ? c < to->count : c == to->component))
            components[n++] = c;
    return n;
}

static const char *clamped(struct tr *t, const char *value, enum tr_type type)
{
    if (type == T_FLOAT && t->insn->flags & INSN_SAT)
        return tr_text(t, "clamp(%s, 0.0, 1.0)", value);
    if (type == T_FLOAT && t->insn->flags & INSN_SSAT)
        return tr_text(t, "clamp(%s, -1.0, 1.0)", value);
    return value;
}

static void store(struct tr *t, const struct assignment *a, const char *value)
{
    if (a->has_to)
        tr_line(t, "%s = %s;", target_of(t, &a->to, a->components, a->n),
                tr_cast(t, value, a->type, a->to.type, a->n));
}

static void update(struct tr *t, const struct assignment *a, const char *value)
{
    char letters[5];

    tr_letters(a->components, a->n, letters);
    tr_line(t, "gp5_cc%u.%s = %s;", t->insn->cc_update - 1u, letters, value);
}

/* A statement, or two where a condition code is written as well. */
static void write(struct tr *t, const struct assignment *a)
{
    if (!t->insn->cc_update) {
        store(t, a, constructed(t, a));
        return;
    }
    tr_line(t, "{");
    t->depth++;
    tr_line(t, "%s gp5_v = %s;", tr_type_name(a->type, a->n), constructed(t, a));
    update(t, a, "gp5_v");
    store(t, a, "gp5_v");
    t->depth--;
    tr_line(t, "}");
}

static bool same_test(const struct condition *c, const uint8_t *components, unsigned n)
{
    for (unsigned i = 1; i < n; i++)
        if ((c->swizzle >> 2 * components[i] & 3) != (c->swizzle >> 2 * components[0] & 3))
            return false;
    return true;
}

/* What asks its neighbours for their values has to be asked whatever the test says. */
static bool has_derivatives(const struct insn *insn)
{
    return op_table[insn->op].modifiers & M_TEX || insn->op == OP_DDX || insn->op == OP_DDY;
}

static void write_tested(struct tr *t, struct assignment *a)
{
    const struct condition *c = &t->insn->dst.condition;

    if (same_test(c, a->components, a->n) && !has_derivatives(t->insn)) {
        const char *test = tr_test(t, c, a->components[0]);
        bool one = !t->insn->cc_update;
        if (one) {
            tr_line(t, "if %s", test);
            t->depth++;
            write(t, a);
            t->depth--;
        } else {
            tr_line(t, "if %s", test);
            write(t, a);
        }
        return;
    }
    /* All tests come before what is written, which may be what they look at. */
    const char *tests[4];
    struct assignment part = *a;
    tr_line(t, "{");
    t->depth++;
    tr_line(t, "%s gp5_v = %s;", tr_type_name(a->type, a->n), constructed(t, a));
    for (unsigned i = 0; i < a->n; i++)
        tests[i] = tr_test(t, c, a->components[i]);
    if (t->insn->cc_update && a->n > 1) {
        tr_line(t, "bvec%u gp5_t = bvec%u(%s, %s%s%s%s%s);", a->n, a->n, tests[0], tests[1], a->n > 2 ? ", " : "",
                a->n > 2 ? tests[2] : "", a->n > 3 ? ", " : "", a->n > 3 ? tests[3] : "");
        for (unsigned i = 0; i < a->n; i++)
            tests[i] = tr_text(t, "(gp5_t.%c)", "xyzw"[i]);
    }
    part.n = 1;
    part.scalar = false;
    for (unsigned i = 0; i < a->n; i++) {
        part.components[0] = a->components[i];
        const char *value = a->n > 1 ? tr_text(t, "gp5_v.%c", "xyzw"[i]) : "gp5_v";
        tr_line(t, "if %s%s", tests[i], t->insn->cc_update ? " {" : "");
        t->depth++;
        if (t->insn->cc_update)
            update(t, &part, value);
        store(t, &part, value);
        t->depth--;
        if (t->insn->cc_update)
            tr_line(t, "}");
    }
    t->depth--;
    tr_line(t, "}");
}

static void kill(struct tr *t, const struct insn *insn)
{
    const struct operand *o = insn->nsrc ? program_operand(t->p, insn->src) : NULL;
    uint8_t components[4];
    unsigned n = 0;
    uint8_t seen = 0;

    if (!o) {
        tr_line(t, "if (%s)", tr_test_any(t, &insn->condition));
    } else {
        for (uint8_t c = 0; c < 4; c++) {
            uint8_t from = o->kind == OPND_EXTENDED ? c : (uint8_t)(o->swizzle >> 2 * c & 3);
            if (!(seen >> from & 1))
                components[n++] = c;
            seen |= (uint8_t)(1u << from);
        }
        const char *value = tr_value(t, o, T_FLOAT, components, n);
        if (n == 1)
            tr_line(t, "if (%s < 0.0)", value);
        else
            tr_line(t, "if (any(lessThan(%s, vec%u(0.0))))", value, n);
    }
    t->depth++;
    tr_line(t, "discard;");
    t->depth--;
}

/* A register of addresses takes whole numbers. */
static bool to_address(struct tr *t, struct assignment *a)
{
    const char *value;

    switch (t->insn->op) {
    case OP_ARL:
        value = tr_operand(t, 0, T_FLOAT, a->components, a->n);
        a->value = tr_text(t, "%s(floor(%s))", tr_type_name(T_INT, a->n), value);
        break;
    default:
        return false;
    }
    a->type = T_INT;
    return true;
}

static void compute(struct tr *t, const struct insn *insn)
{
    struct assignment a = {.has_to = insn->dst.kind != OPND_CC};

    if (insn->dst.condition.rule == CC_FL)
        return;
    a.to = a.has_to ? tr_result_base(t, &insn->dst) : (struct tr_base){.count = 4};
    a.n = components_of(&a.to, insn->dst.mask, a.components);
    if (a.n == 0)
        return;
    if (!to_address(t, &a)) {
        a.value = tr_expression(t, a.components, a.n, &a.type, &a.scalar);
        if (!a.value) {
            tr_refuse(t, t->where, "%s, which %s cannot say", op_table[insn->op].name, t->target->name);
            return;
        }
        a.value = clamped(t, a.value, a.type);
    }
    if (condition_restricts(&insn->dst.condition))
        write_tested(t, &a);
    else
        write(t, &a);
}

void tr_instruction(struct tr *t, const struct insn *insn)
{
    t->insn = insn;
    t->where = insn->span;
    if (insn->op == OP_KIL)
        kill(t, insn);
    else
        compute(t, insn);
}
