/* Instructions as expressions: the rows of ops.def. */
#include "translate/translate.h"

#include <string.h>

enum form { EACH, APART, SCALAR, FOUR, THREE, COMPARE, PACKS, WORDS };
enum { F = 1, I = 2, D = 4, L = 8, A = 15 };

static const struct row {
    uint16_t op;
    uint8_t types, form;
    uint32_t needs;
    const char *text[4];
} rows[] = {
#define ROW(op, types, form, needs, ...) {OP_##op, types, form, needs, {__VA_ARGS__}},
#include "translate/ops.def"
#undef ROW
};

static const struct row *find(const struct tr *t, unsigned op, enum tr_type type)
{
    static const uint8_t classes[T_TYPES] = {[T_FLOAT] = F, [T_INT] = I, [T_UINT] = I,
                                             [T_DOUBLE] = D, [T_INT64] = L, [T_UINT64] = L};

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].op == op && rows[i].types & classes[type] &&
            (!(rows[i].needs & (IN_ORDER | IS_NEWER)) || tr_has(t, rows[i].needs)))
            return &rows[i];
    return NULL;
}

/* {xyz} */
static unsigned letters(const char **at, uint8_t components[4])
{
    unsigned n = 0;

    for (++*at; **at != '}'; ++*at)
        if (n < 4)
            components[n++] = (uint8_t)(strchr("xyzw", **at) - "xyzw");
    ++*at;
    return n;
}

/* Of neighbours that the modifier names. */
static const char *derivative(struct tr *t)
{
    bool fine = t->insn->flags & INSN_FINE, coarse = t->insn->flags & INSN_COARSE;

    if ((fine || coarse) && !tr_has(t, HAS_GPU5))
        tr_refuse(t, t->where, "a derivative of certain neighbours, which %s cannot say", t->target->name);
    if (t->stage != STAGE_FRAGMENT)
        tr_refuse(t, t->where, "a derivative in the %s stage", profile_table[t->p->profile].stage);
    return tr_text(t, "dFd%c%s", t->insn->op == OP_DDX ? 'x' : 'y', fine ? "Fine" : coarse ? "Coarse" : "");
}

/* Of the first operand: a sign is that of the type, and not that of its bits. */
static const char *bits(struct tr *t, const uint8_t *component)
{
    enum tr_type type = operand_has_sign(program_operand(t->p, t->insn->src)) ? tr_operand_type(t->insn, 0) : T_UINT;

    return tr_cast(t, tr_operand(t, 0, type, component, 1), type, T_UINT, 1);
}

/* A row's text for these components. */
static const char *expand(struct tr *t, const char *text, enum tr_type type, const uint8_t *components, unsigned n)
{
    const char *out = "";

    for (const char *at = text; *at;) {
        const char *next = strchr(at, '%');
        if (!next)
            return *out ? tr_text(t, "%s%s", out, at) : at;
        const char *value;
        uint8_t own[4];
        char what = next[1];
        const char *rest = next + 2;
        if (what == '%') {
            value = "%";
        } else if (what == 'u') {
            letters(&rest, own);
            value = bits(t, own);
        } else if (what == 'd') {
            value = derivative(t);
        } else if (what == 'V') {
            value = tr_type_name(type, n);
        } else {
            unsigned count = *rest == '{' ? letters(&rest, own) : 0;
            unsigned k = (unsigned)(what - 'a');
            enum tr_type of = t->copied ? type : tr_operand_type(t->insn, k);
            value = tr_operand(t, k, of, count ? own : components, count ? count : n);
        }
        out = tr_text(t, "%s%.*s%s", out, (int)(next - at), at, value);
        at = rest;
    }
    return out;
}

static const char *compare(struct tr *t, const struct row *row, enum tr_type type, const uint8_t *components,
                           unsigned n)
{
    const char *a = tr_operand(t, 0, type, components, n), *b = tr_operand(t, 1, type, components, n);
    const char *sign = type == T_FLOAT || type == T_DOUBLE ? "" : "-";      /* TRUE is all ones */

    if (n == 1)
        return tr_text(t, "%s%s(%s %s %s)", sign, tr_type_name(type, 1), a, row->text[1], b);
    return tr_text(t, "%s%s(%s(%s, %s))", sign, tr_type_name(type, n), row->text[0], a, b);
}

static const char *of_three(struct tr *t, const struct row *row, enum tr_type type, const uint8_t *components,
                            unsigned n)
{
    static const uint8_t xyz[3] = {0, 1, 2};
    const char *vector = expand(t, row->text[0], type, xyz, 3);
    char text[5];

    if (components[n - 1] == 3) {
        if (n == 1)
            return row->text[1];
        vector = tr_text(t, "vec4(%s, %s)", vector, row->text[1]);
        return n == 4 ? vector : tr_text(t, "%s.%s", vector, tr_letters(components, n, text));
    }
    return n == 3 ? vector : tr_text(t, "(%s).%s", vector, tr_letters(components, n, text));
}

/* Of integers the high half, or the product of the low 24 bits. */
static const char *multiply_part(struct tr *t, const uint8_t *components, unsigned n, enum tr_type type)
{
    const char *parts[4];

    if (!tr_has(t, HAS_GPU5) || type >= T_DOUBLE || type == T_FLOAT) {
        tr_refuse(t, t->where, "MUL of a part of the bits, which %s cannot say", t->target->name);
        return "0";
    }
    for (unsigned i = 0; i < n; i++) {
        const char *a = tr_operand(t, 0, type, &components[i], 1), *b = tr_operand(t, 1, type, &components[i], 1);
        if (t->insn->flags & INSN_HI) {
            t->needed |= NEED_HIGH;
            parts[i] = tr_text(t, "gp5_high(%s, %s)", a, b);
        } else if (type == T_INT) {
            parts[i] = tr_text(t, "bitfieldExtract(%s, 0, 24) * bitfieldExtract(%s, 0, 24)", a, b);
        } else {
            parts[i] = tr_text(t, "(%s & 0xffffffu) * (%s & 0xffffffu)", a, b);
        }
    }
    return tr_join(t, type, parts, n);
}

/* Bits, which a variable of 64 takes for a number of the instruction's type. */
static const char *packed(struct tr *t, const char *text, enum tr_type *type, bool *scalar)
{
    *scalar = true;
    if (program_is_long(t->p, t->insn->dst.kind, t->insn->dst.ref)) {
        *type = tr_result_type(t->insn);
        text = tr_cast(t, text, T_UINT, *type, 1);
    }
    return text;
}

const char *tr_expression(struct tr *t, const uint8_t *components, unsigned n, enum tr_type *type, bool *scalar)
{
    const struct insn *insn = t->insn;
    const char *parts[4];

    *type = tr_result_type(insn);
    *scalar = false;
    t->copied = tr_copies(t, insn);
    if (t->copied)
        *type = (enum tr_type)t->symbols[program_operand(t->p, insn->src)->ref].type;
    if (op_is(insn->op, K_TEXTURE))
        return tr_texture(t, components, n, type);
    if (op_is(insn->op, K_IMAGE_LOAD | K_IMAGE_QUERY))
        return tr_image_load(t, components, n, type);
    if (op_loads(insn->op))
        return tr_load(t, components, n, type);
    if (insn->op == OP_CVT)
        return tr_convert(t, components, n, type);
    if (op_is(insn->op, K_INTERPOLATION))
        return tr_interpolated(t, components, n, type);
    if (op_votes(insn->op))
        return tr_vote(t, components, n, type);
    if (op_is(insn->op, K_SHUFFLE | K_MATCH | K_QUAD))
        return tr_exchanged(t, components, n, type);
    const struct row *row = find(t, insn->op, t->copied ? T_FLOAT : tr_type_of(insn->type));
    if (!row)
        return NULL;
    if (insn->flags & (INSN_HI | INSN_S24 | INSN_U24))
        return multiply_part(t, components, n, *type);
    t->needed |= insn->op == OP_RCC ? NEED_RCC : insn->op == OP_LOG && row->needs & HAS_BITS ? NEED_LOG : 0;
    if (row->form == PACKS)
        *type = T_UINT;
    if (insn->flags & INSN_PREC)
        t->precise = true;
    if (!tr_has(t, row->needs)) {
        tr_refuse(t, t->where, "%s, which %s cannot say", op_table[insn->op].name, t->target->name);
        return "0.0";
    }
    if (insn->op == OP_CMP && (*type == T_UINT || *type == T_UINT64))
        return tr_operand(t, 2, *type, components, n);      /* nothing is below 0 */
    switch ((enum form)row->form) {
    case EACH:
        if (insn->op == OP_ABS && (*type == T_UINT || *type == T_UINT64))
            return tr_operand(t, 0, *type, components, n);
        return expand(t, row->text[0], *type, components, n);
    case PACKS: return packed(t, expand(t, row->text[0], *type, components, 1), type, scalar);
    case SCALAR: *scalar = true; return expand(t, row->text[0], *type, components, 1);
    case COMPARE: return compare(t, row, *type, components, n);
    case THREE: return of_three(t, row, *type, components, n);
    case APART: case FOUR: case WORDS: break;
    }
    for (unsigned i = 0; i < n; i++) {
        parts[i] = expand(t, row->text[row->form == APART ? 0 : components[i]], *type, &components[i], 1);
        if (row->form == WORDS)
            parts[i] = tr_cast(t, parts[i], T_UINT, *type, 1);
    }
    return tr_join(t, *type, parts, n);
}
