/* What most instructions are like: an opcode with modifiers that were judged before, registers without an index, small
 * whole numbers. For these a few comparisons say what the checks of check_operands.c and check_result.c would say,
 * nothing; all else goes there. */
#include "asm/check/check_internal.h"

#include <string.h>

/* ---- opcodes and modifiers --------------------------------------------------------------------------------------- */

enum { MOST_MODIFIERS = 2 };

/* All that check_opcode, check_modifiers and check_stage look at but for the options; 0 for what is not kept. */
static uint32_t key_of(const struct checker *c, const struct insn *insn)
{
    uint32_t key = insn->op | UINT32_C(1) << 31;
    _Static_assert(OP_COUNT <= 1 << 10 && MOD_COUNT <= 1 << 8, "a key has room for them");
    if (insn->nmodifiers > MOST_MODIFIERS || insn->flags & INSN_BROKEN)
        return 0;
    for (unsigned i = 0; i < insn->nmodifiers; i++) {
        const struct modifier *m = program_modifier(c->program, insn->modifier + i);
        key |= (uint32_t)m->id << (10 + 8 * i) | (uint32_t)m->suffix << (26 + i) | UINT32_C(1) << (28 + i);
    }
    return key;
}

static unsigned place_of(uint32_t key)
{
    return key * UINT32_C(0x9e3779b1) >> 25;
}

const struct checked_head *check_known_head(const struct checker *c, const struct insn *insn)
{
    uint32_t key = key_of(c, insn);
    const struct checked_head *head = &c->heads[place_of(key)];
    return key && head->key == key ? head : NULL;
}

/* Its operands are vectors and scalars, and the opcode asks no more of them than its shape says. */
static bool is_ordinary(unsigned op)
{
    switch (op) {
    case OP_ARL: case OP_CVT: case OP_SGREDC: case OP_SGROTC: case OP_PK64: case OP_UP64:
    case OP_PK2H: case OP_PK2US: case OP_PK4B: case OP_PK4UB: case OP_UP2H: case OP_UP2US: case OP_UP4B: case OP_UP4UB:
        return false;
    default:
        break;
    }
    const struct shape_info *shape = &shape_table[op_table[op].shape];
    for (unsigned i = 0; i < shape->nsrc; i++)
        if (shape->src[i] != OC_VECTOR && shape->src[i] != OC_SCALAR)
            return false;
    return shape->result != RC_ADDRESS && !op_is(op, K_INTERPOLATION);
}

void check_keep_head(struct checker *c, const struct insn *insn)
{
    uint32_t key = key_of(c, insn);
    bool vectors = false;
    for (unsigned i = 0; i < insn->nmodifiers; i++)     /* the letters of F16x2 say which of two spellings it is */
        vectors |= modifier_table[program_modifier(c->program, insn->modifier + i)->id].class == MC_VECTOR;
    if (key && !vectors && !(op_table[insn->op].modifiers & M_FRAGMENT))
        c->heads[place_of(key)] =
            (struct checked_head){key, is_ordinary(insn->op), op_is(insn->op, K_FLOW | K_FENCE)};
}

void check_forget(struct checker *c)
{
    memset(c->heads, 0, sizeof c->heads);
    memset(c->right_below, 0, sizeof c->right_below);
    memset(c->right_without, 0, sizeof c->right_without);
}

/* ---- results and operands ---------------------------------------------------------------------------------------- */

void check_plain_symbol(const struct checker *c, struct symbol *s)
{
    bool number = s->kind == SYM_PARAM && profile_in(c->profile, NUMBERS);      /* it may stand for one */
    s->plain = (s->kind == SYM_TEMP || s->kind == SYM_ATTRIB || s->kind == SYM_PARAM || s->kind == SYM_OUTPUT) &&
               !number && !s->array && !s->per_vertex && !s->broken && s->type == TYPE_NONE;
}

static bool is_plain_result(const struct checker *c, const struct result *r)
{
    if (!r->word || r->bad_mask || r->rgba || r->condition.written || r->kind != OPND_SYMBOL)
        return false;
    const struct symbol *s = program_symbol(c->program, r->ref);
    return s->plain && (s->kind == SYM_TEMP || s->kind == SYM_OUTPUT);
}

/* Small whole numbers go with instructions of all types, and all numbers with ARB programs. */
static bool is_plain_constant(const struct checker *c, const struct operand *o)
{
    const struct constant *k = program_constant(c->program, o->ref);
    if (!c->typed)
        return !o->nswizzle;
    for (unsigned i = 0; i < k->count; i++)
        if (!(k->is_integer >> i & 1) || k->negative || k->value[i].u > UINT32_MAX)
            return false;
    return !(k->scalar && o->nswizzle);
}

static bool is_plain_operand(const struct checker *c, const struct operand *o, unsigned class)
{
    if (!o->word || o->flags & ~(unsigned)OPND_NEGATE || (o->nswizzle != 1 && class != OC_VECTOR))
        return false;
    if (o->kind == OPND_CONSTANT)
        return is_plain_constant(c, o);
    const struct symbol *s = program_symbol(c->program, o->ref);
    return o->kind == OPND_SYMBOL && s->plain && s->kind != SYM_OUTPUT;
}

bool check_ordinary(struct checker *c, const struct insn *insn)
{
    const struct shape_info *shape = &shape_table[op_table[insn->op].shape];
    bool plain = is_plain_result(c, &insn->dst);
    c->misplaced = NULL;
    if (plain)
        program_symbol(c->program, insn->dst.ref)->written = true;
    else
        check_result(c, insn);
    for (unsigned i = 0; i < insn->nsrc; i++) {
        const struct operand *o = program_operand(c->program, insn->src + i);
        unsigned class = i < shape->nsrc ? shape->src[i] : OC_NONE;
        if (is_plain_operand(c, o, class))
            continue;
        plain = false;
        check_operand(c, insn, o, class);
    }
    if (c->misplaced)
        check_error(c, FOR_ALL, c->misplaced->span, "memory stands where a register is expected");
    return plain;
}
