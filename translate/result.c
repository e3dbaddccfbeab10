/* Instructions as statements: what is computed goes into the result's components, clamped, under a test, and into a
 * condition code. */
#include "asm/facts.h"
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
    const char *carry;          /* bits of carry and overflow, or NULL */
    unsigned part;              /* which component of those this one is, plus 1; 0: all */
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
    if ((type == T_FLOAT || type == T_DOUBLE) && t->insn->flags & INSN_SAT)
        return tr_text(t, "clamp(%s, 0.0, 1.0)", value);
    if ((type == T_FLOAT || type == T_DOUBLE) && t->insn->flags & INSN_SSAT)
        return tr_text(t, "clamp(%s, -1.0, 1.0)", value);
    return value;
}

/* Fixed point of !!FP1.0: 10 bits of fraction, from -2 to just below 2; the options only promise no less. Halves where
 * they are to be rounded. */
static const char *rounded(struct tr *t, const char *value, enum tr_type type)
{
    if (type != T_FLOAT)
        return value;
    if (t->insn->flags & INSN_FIXED && t->generation == GEN_REGISTER)
        return tr_text(t, "clamp(floor((%s) * 1024.0 + 0.5) / 1024.0, -2.0, 1.9990234375)", value);
    bool moved = t->insn->op == OP_MOV && t->insn->flags & INSN_HALF;
    if (!t->half || !(moved || eval_is_half_of(t->p, false, t->insn)))
        return value;
    if (!tr_has(t, HAS_GPU5))
        tr_refuse(t, t->where, "a result of half precision that is to be rounded, which %s cannot say",
                  t->target->name);
    t->needed |= NEED_HALF;
    return tr_text(t, "gp5_half(%s)", value);
}

/* A result that a computed index chooses. */
static void store_chosen(struct tr *t, const struct assignment *a, const char *value)
{
    value = tr_stored(t, value, a->type, a->to.type, a->n);
    for (uint32_t i = 0; i < a->to.choices; i++) {
        struct tr_base one = a->to;
        one.text = a->to.each[i];
        tr_line(t, "%sif ((%s) == %u) %s = %s;", i ? "else " : "", a->to.at, i,
                target_of(t, &one, a->components, a->n), value);
    }
}

static void store(struct tr *t, const struct assignment *a, const char *value)
{
    if (a->has_to && a->to.choices)
        store_chosen(t, a, value);
    else if (a->has_to)
        tr_line(t, "%s = %s;", target_of(t, &a->to, a->components, a->n),
                tr_stored(t, value, a->type, a->to.type, a->n));
}

static void update(struct tr *t, const struct assignment *a, const char *value)
{
    char letters[5];

    tr_letters(a->components, a->n, letters);
    if (t->flag_bits) {
        t->needed |= a->type == T_FLOAT ? NEED_FLAGS : a->type < T_DOUBLE ? NEED_FLAGS_INT : NEED_FLAGS_WIDE;
        if (!tr_has(t, HAS_INTEGERS))
            tr_refuse(t, t->where, "a condition code of integers, which %s cannot say", t->target->name);
        if (a->type == T_UINT || a->type == T_UINT64)
            value = tr_text(t, "%s(%s)", tr_type_name(a->type == T_UINT ? T_INT : T_INT64, a->n), value);
        value = tr_text(t, "gp5_flags(%s)", value);
        if (a->carry && a->part)
            value = tr_text(t, "%s | gp5_k.%c", value, "xyzw"[a->part - 1]);
        else if (a->carry)
            value = tr_text(t, "%s | gp5_k", value);
    } else if (a->type != T_FLOAT) {
        value = tr_text(t, "%s(%s)", tr_type_name(T_FLOAT, a->n), value);
    }
    tr_line(t, "gp5_cc%u.%s = %s;", t->insn->cc_update - 1u, letters, value);
}

/* The value, before anything is written. */
static void hold(struct tr *t, const struct assignment *a)
{
    const char *type = tr_type_name(a->type, a->n), *value = constructed(t, a);

    if (tr_has(t, IN_ORDER | HAS_GPU5) && a->type == T_FLOAT)
        tr_line(t, "precise %s gp5_v; gp5_v = %s;", type, value);
    else
        tr_line(t, "%s gp5_v = %s;", type, value);
    if (a->carry)
        tr_line(t, "%s gp5_k = %s;", tr_type_name(T_UINT, a->n), a->carry);
}

/* A statement, or two where a condition code is written as well. */
static void write(struct tr *t, const struct assignment *a)
{
    if (!t->insn->cc_update && !a->to.choices) {
        store(t, a, constructed(t, a));
        return;
    }
    tr_line(t, "{");
    t->depth++;
    hold(t, a);
    if (!t->insn->cc_update) {
        store(t, a, "gp5_v");
        t->depth--;
        tr_line(t, "}");
        return;
    }
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

/* What asks other lanes for their values has to be asked whatever the test says. */
static bool asks_others(const struct insn *insn)
{
    return op_is(insn->op, K_SAMPLE | K_DERIVATIVE | K_VOTE | K_MATCH | K_SHUFFLE | K_QUAD) || insn->op == OP_LOD;
}

static void write_tested(struct tr *t, struct assignment *a)
{
    const struct condition *c = &t->insn->dst.condition;

    if (same_test(c, a->components, a->n) && !asks_others(t->insn)) {
        const char *test = tr_test(t, c, a->components[0]);
        bool one = !t->insn->cc_update && !a->to.choices;
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
    hold(t, a);
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
        bool block = t->insn->cc_update || a->to.choices;
        part.components[0] = a->components[i];
        part.part = a->n > 1 ? i + 1 : 0;
        const char *value = a->n > 1 ? tr_text(t, "gp5_v.%c", "xyzw"[i]) : "gp5_v";
        tr_line(t, "if %s%s", tests[i], block ? " {" : "");
        t->depth++;
        if (t->insn->cc_update)
            update(t, &part, value);
        store(t, &part, value);
        t->depth--;
        if (block)
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
    tr_line(t, insn->op == OP_DEMOTE ? "gp5_demoted = true;" : "discard;");
    t->depth--;
}

/* A fragment that goes on as a helper is discarded at the end, where nobody can tell before. */
static void demote(struct tr *t, const struct insn *insn)
{
    if (t->stage != STAGE_FRAGMENT)
        tr_refuse(t, t->where, "DEMOTE in the %s stage", profile_table[t->p->profile].stage);
    else if (t->tells_helpers)
        tr_refuse(t, t->where, "DEMOTE in a program that writes memory or asks for helpers");
    t->needed |= NEED_DEMOTED;
    kill(t, insn);
}

/* Sums of pairs of addresses. */
static bool ara(struct tr *t, struct assignment *a)
{
    static const uint8_t first[4] = {0, 1, 0, 1}, second[4] = {2, 3, 2, 3};
    const char *parts[4];

    for (unsigned i = 0; i < a->n; i++)
        parts[i] = tr_text(t, "%s + %s", tr_operand(t, 0, T_INT, &first[a->components[i]], 1),
                           tr_operand(t, 0, T_INT, &second[a->components[i]], 1));
    a->value = tr_join(t, T_INT, parts, a->n);
    a->type = T_INT;
    return true;
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
    case OP_ARR:
        value = tr_operand(t, 0, T_FLOAT, a->components, a->n);
        t->needed |= tr_has(t, HAS_INTEGERS) ? 0 : NEED_ROUND;
        a->value = tr_text(t, "%s(%s(%s))", tr_type_name(T_INT, a->n),
                           tr_has(t, HAS_INTEGERS) ? "roundEven" : "gp5_even", value);
        break;
    case OP_ARA:
        return ara(t, a);
    default:
        return false;
    }
    a->type = T_INT;
    return true;
}

/* An operand of a sum as it is added, without its minus. */
static const char *addend(struct tr *t, unsigned k, uint8_t component, bool *minus)
{
    struct operand o = *program_operand(t->p, t->insn->src + k);

    *minus = operand_negates(&o);
    o.flags &= (uint32_t)~(unsigned)(OPND_NEGATE | OPND_NEGATE_INNER);
    return tr_value(t, &o, tr_type_of(t->insn->type), &component, 1);
}

/* The words that are added, and whether one more is: a subtraction adds the complement and one. */
static const char *carry_of_one(struct tr *t, uint8_t component)
{
    const struct insn *insn = t->insn;
    enum tr_type type = tr_type_of(insn->type), word = type >= T_DOUBLE ? T_UINT64 : T_UINT;
    bool minus[3] = {false, false, false};
    const char *v[3] = {"0u", "0u", "0u"}, *zero = word == T_UINT ? "0u" : "0ul", *one = word == T_UINT ? "1u" : "1ul";

    for (unsigned k = 0; k < insn->nsrc && k < 3; k++)
        v[k] = tr_cast(t, addend(t, k, component, &minus[k]), type, word, 1);
    if (insn->op == OP_SUB)
        minus[1] = !minus[1];
    if (insn->op == OP_ADD || insn->op == OP_SUB) {
        if (minus[0] && minus[1])
            tr_refuse(t, t->where, "the carry and overflow of two numbers that are turned around");
        return tr_text(t, "gp5_carry(%s%s, %s%s, %s)", minus[0] ? "~" : "", v[0], minus[1] ? "~" : "", v[1],
                       minus[0] || minus[1] ? one : zero);
    }
    if (minus[2] || (insn->op == OP_SAD && (minus[0] || minus[1])))
        tr_refuse(t, t->where, "the carry and overflow of %s with a sign", op_table[insn->op].name);
    if (insn->op == OP_MAD)
        return tr_text(t, "gp5_carry(%s%s * %s, %s, %s)", minus[0] != minus[1] ? "-" : "", v[0], v[1], v[2], zero);
    const char *name = tr_type_name(type, 1);
    const char *a = tr_text(t, "%s(%s)", name, v[0]), *b = tr_text(t, "%s(%s)", name, v[1]);
    return tr_text(t, "gp5_carry(%s(%s > %s ? %s - %s : %s - %s), %s, %s)", tr_type_name(word, 1), a, b, a, b, b, a,
                   v[2], zero);
}

/* Flags beyond zero and sign come of sums: the bits of each component, or NULL. */
static const char *carry_of(struct tr *t, const struct assignment *a)
{
    const struct insn *insn = t->insn;
    enum tr_type type = tr_type_of(insn->type);
    const char *parts[4];

    if (!t->flag_bits || !insn->cc_update || type == T_FLOAT || type == T_DOUBLE || !op_has(insn->op, A_SUM))
        return NULL;
    t->needed |= type >= T_DOUBLE ? NEED_CARRY_WIDE : NEED_CARRY;
    for (unsigned i = 0; i < a->n; i++)
        parts[i] = carry_of_one(t, a->components[i]);
    return tr_join(t, T_UINT, parts, a->n);
}

static void stack(struct tr *t, const struct insn *insn)
{
    t->needed |= NEED_STACK;
    if (insn->op == OP_PUSHA) {
        static const uint8_t all[4] = {0, 1, 2, 3};
        tr_line(t, "if (gp5_pushed < 32) gp5_stack[gp5_pushed++] = %s;", tr_operand(t, 0, T_INT, all, 4));
    } else {
        tr_line(t, "if (gp5_pushed > 0) %s = gp5_stack[--gp5_pushed];", tr_result_base(t, insn).text);
    }
}

/* Which one it is; what was there before goes into a name of its own. */
static const char *atomic(struct tr *t, enum tr_type *type)
{
    return op_is(t->insn->op, K_IMAGE_ATOMIC) ? tr_image_atomic(t, type)
           : op_is(t->insn->op, K_COUNTER)    ? tr_counter(t, type)
                                              : tr_atomic(t, type);
}

static void compute(struct tr *t, const struct insn *insn)
{
    struct assignment a = {.has_to = insn->dst.kind != OPND_CC};

    if (insn->dst.condition.rule == CC_FL && !op_is_atomic(insn->op))
        return;
    if (!a.has_to && !insn->cc_update && !op_is_atomic(insn->op))
        return;                 /* nothing is written: RC and HC without an update of the condition code */
    a.to = a.has_to ? tr_result_base(t, insn) : (struct tr_base){.count = 4};
    a.n = components_of(&a.to, insn->dst.mask, a.components);
    if (a.n == 0)
        return;
    bool before = op_is_atomic(insn->op);
    if (before) {               /* what changes memory does so whatever the test says */
        tr_line(t, "{");
        t->depth++;
    }
    if (!to_address(t, &a)) {
        a.value = before ? atomic(t, &a.type) : tr_expression(t, a.components, a.n, &a.type, &a.scalar);
        a.scalar |= before;
        if (!a.value) {
            tr_refuse(t, t->where, "%s, which %s cannot say", op_table[insn->op].name, t->target->name);
            return;
        }
        a.value = clamped(t, rounded(t, a.value, a.type), a.type);
        a.carry = carry_of(t, &a);
    }
    if (condition_restricts(&insn->dst.condition))
        write_tested(t, &a);
    else
        write(t, &a);
    if (before) {
        t->depth--;
        tr_line(t, "}");
    }
}

void tr_instruction(struct tr *t, const struct insn *insn)
{
    t->insn = insn;
    t->where = insn->span;
    if (insn->op == OP_KIL)
        kill(t, insn);
    else if (insn->op == OP_DEMOTE)
        demote(t, insn);
    else if (insn->op == OP_PUSHA || insn->op == OP_POPA)
        stack(t, insn);
    else if (op_stores(insn->op))
        tr_store(t, insn);
    else if (op_is(insn->op, K_IMAGE_STORE))
        tr_image_store(t, insn);
    else
        compute(t, insn);
    if (insn->op == OP_PK64)
        tr_keep_index(t, insn);
}
