/* The operands and results of an instruction that is lowered, as text. */
#include "asm/lower/lower.h"

#include <stdio.h>
#include <string.h>

static const char letters[] = "xyzw";
enum { TEXT = 128 };

bool lower_is_wide(const struct lowering *l)
{
    return type_table[l->insn->type].bytes == 8;
}

/* A path without the letters behind it. */
static struct span without_suffix(const struct lowering *l, struct span span)
{
    span.length = program_suffix(l->p, span).offset - span.offset;
    while (span.length && strchr(" \t\r\n.", l->p->text[span.offset + span.length - 1]))
        span.length--;
    return span;
}

static struct span base_of(const struct lowering *l, const struct operand *o)
{
    struct span base = program_base(l->p, o);
    return o->nswizzle ? without_suffix(l, base) : base;
}

static bool is_scalar_constant(const struct lowering *l, const struct operand *o)
{
    return o->kind == OPND_CONSTANT && program_constant(l->p, o->ref)->scalar;
}

/* A component of an operand with its signs. */
static void describe(const struct lowering *l, const struct operand *o, unsigned c, char text[TEXT])
{
    struct span base = base_of(l, o);
    bool bars = o->flags & OPND_ABSOLUTE;
    char component[3] = {'.', letters[o->swizzle >> 2 * c & 3], 0};
    snprintf(text, TEXT, "%s%s%s%.*s%s%s", o->flags & OPND_NEGATE ? "-" : "", bars ? "|" : "",
             o->flags & OPND_NEGATE_INNER ? "-" : "", (int)base.length, l->p->text + base.offset,
             is_scalar_constant(l, o) ? "" : component, bars ? "|" : "");
}

static bool too_long(struct lowering *l, const struct operand *o)
{
    if (o->span.length + 8 < TEXT && !memchr(l->p->text + o->span.offset, '#', o->span.length))
        return false;
    l->refusal = "an operand of this length or with a comment in it";
    return true;
}

/* A register of the operation's size that is read as it stands. */
static bool is_plain(const struct lowering *l, const struct operand *o, bool wide)
{
    if (o->flags & (OPND_SIGNS | OPND_PLUS))
        return false;
    if (o->kind == OPND_BINDING)
        return !wide && binding_table[program_binding(l->p, o->ref)->kind].class == BC_ATTRIB;
    if (o->kind != OPND_SYMBOL)
        return false;
    const struct symbol *s = program_symbol(l->p, o->ref);
    for (unsigned i = 0; i < o->nindices; i++)
        if (program_index(l->p, o->index + i)->mode != INDEX_CONSTANT)
            return false;
    return s->kind == SYM_TEMP && (s->size == SIZE_LONG) == wide;
}

static const char *move_type(const struct lowering *l)
{
    switch (l->insn->type) {
    case DT_F64: return "F64";
    case DT_S64: return "S64";
    case DT_U64: return "U64";
    case DT_S8: case DT_S16: case DT_S32: return "S";
    case DT_U8: case DT_U16: case DT_U32: return "U";
    default: return "F";
    }
}

static const struct operand *operand(const struct lowering *l, unsigned k)
{
    return program_operand(l->p, l->insn->src + k);
}

const char *lower_value(struct lowering *l, unsigned k, unsigned c, char text[TEXT])
{
    const struct operand *o = operand(l, k);
    bool wide = lower_is_wide(l);
    text[0] = 0;
    if (too_long(l, o))
        return text;
    describe(l, o, c, text);
    if (is_plain(l, o, wide))
        return text;
    enum lower_temporary copy = wide ? LOWER_L : LOWER_V;
    lower_emit(l, wide ? "MOV.%s %L.%c, %s;" : "MOV.%s %V.%c, %s;", move_type(l), letters[c], text);
    snprintf(text, TEXT, "%s.%c", l->name[copy], letters[c]);
    return text;
}

bool lower_literal(const struct lowering *l, unsigned k, uint32_t *value)
{
    const struct operand *o = operand(l, k);
    if (o->kind != OPND_CONSTANT || o->flags & OPND_SIGNS)
        return false;
    const struct constant *constant = program_constant(l->p, o->ref);
    unsigned i = constant->scalar ? 0 : o->swizzle & 3;
    if (i >= constant->count || !(constant->is_integer >> i & 1) || constant->negative >> i & 1 ||
        constant->value[i].u > UINT32_MAX)
        return false;
    *value = (uint32_t)constant->value[i].u;
    return true;
}

const char *lower_word(struct lowering *l, unsigned k, const char *spare, char text[TEXT])
{
    const struct operand *o = operand(l, k);
    uint32_t value;
    text[0] = 0;
    if (too_long(l, o))
        return text;
    if (lower_literal(l, k, &value)) {
        snprintf(text, TEXT, "%u", value);
        return text;
    }
    describe(l, o, 0, text);
    if (is_plain(l, o, false))
        return text;
    char copy[8];
    snprintf(copy, sizeof copy, "%s", spare);
    bool narrowed = o->kind == OPND_SYMBOL && program_symbol(l->p, o->ref)->size == SIZE_LONG;
    lower_emit(l, narrowed ? "MOV.U64 %W.%s, %s;" : "MOV.U %W.%s, %s;", copy, text);
    snprintf(text, TEXT, "%s.%s", l->name[LOWER_W], copy);
    return text;
}

/* ---- results ----------------------------------------------------------------------------------------------------- */

static bool results_are_wide(const struct lowering *l)
{
    switch (l->insn->op) {
    case OP_SGEQ:
    case OP_SGPART: return false;
    default: return lower_is_wide(l);
    }
}

/* One component of a register of the right size, always written: nothing has to stand between. */
bool lower_is_direct(const struct lowering *l)
{
    const struct result *r = &l->insn->dst;
    if (r->kind != OPND_SYMBOL || l->insn->cc_update || r->condition.written ||
        program_result_span(l->p, l->insn).length > 64 || (r->mask & (r->mask - 1)))
        return false;
    for (unsigned i = 0; i < r->nindices; i++)
        if (program_index(l->p, r->index + i)->mode != INDEX_CONSTANT)
            return false;
    const struct symbol *s = program_symbol(l->p, r->ref);
    return s->kind == SYM_TEMP && s->size == (results_are_wide(l) ? SIZE_LONG : SIZE_DEFAULT);
}

/* The destination without its mask and test. */
static struct span result_base(const struct lowering *l)
{
    const struct result *r = &l->insn->dst;
    struct span span = program_result_span(l->p, l->insn);
    const char *test = memchr(l->p->text + span.offset, '(', span.length);
    if (test)
        span.length = (uint32_t)(test - l->p->text) - span.offset;
    while (span.length && strchr(" \t\r\n", l->p->text[span.offset + span.length - 1]))
        span.length--;
    return r->mask_written ? without_suffix(l, span) : span;
}

const char *lower_target(struct lowering *l, unsigned c, char text[TEXT])
{
    struct span base = result_base(l);
    if (lower_is_direct(l)) {
        snprintf(text, TEXT, "%.*s.%c", (int)base.length, l->p->text + base.offset, letters[c]);
        return text;
    }
    enum lower_temporary at = results_are_wide(l) ? LOWER_L : LOWER_V;
    l->used |= 1u << at;
    snprintf(text, TEXT, "%s.%c", l->name[at], letters[c]);
    return text;
}

bool lower_target_is_y(const struct lowering *l, unsigned c)
{
    return c == 1 && !results_are_wide(l) && l->insn->dst.mask == 2;
}

/* The type in which a result is copied: what sizes and condition codes go by. */
static const char *result_type(const struct lowering *l)
{
    switch (l->insn->op) {
    case OP_SGEQ: case OP_SGALL: case OP_SGANY: case OP_SGELECT:
        return !strcmp(move_type(l), "F") || !strcmp(move_type(l), "S") ? move_type(l) : "U";
    case OP_SGPART:
        return "U";
    default:
        return move_type(l);
    }
}

void lower_finish(struct lowering *l)
{
    const struct result *r = &l->insn->dst;
    static const char *const updates[] = {"", ".CC0", ".CC1"};
    struct span base = result_base(l);
    char mask[8], condition[64] = "";
    unsigned n = 0;
    if (!r->written || lower_is_direct(l))
        return;
    if (program_result_span(l->p, l->insn).length > 64) {
        l->refusal = "a destination of this length";
        return;
    }
    for (unsigned c = 0; c < 4; c++)
        if (r->mask >> c & 1)
            mask[n++] = letters[c];
    mask[n] = 0;
    if (r->condition.written) {
        char swizzle[6] = ".xyzw";
        for (unsigned c = 0; c < 4; c++)
            swizzle[c + 1] = letters[r->condition.swizzle >> 2 * c & 3];
        snprintf(condition, sizeof condition, " (%s%u%s)", cc_rule_names[r->condition.rule], r->condition.cc, swizzle);
    }
    char to[72];
    snprintf(to, sizeof to, "%.*s", (int)base.length, l->p->text + base.offset);
    lower_emit(l, results_are_wide(l) ? "MOV.%s%s %s.%s%s, %L;" : "MOV.%s%s %s.%s%s, %V;", result_type(l),
               updates[l->insn->cc_update], to, mask, condition);
}
