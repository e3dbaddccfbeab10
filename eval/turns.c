/* Results that set flags under a test of several components: the driver's compiler takes them apart (docs/numbers.md, "Condition codes"). */
#include "eval/decode.h"

static uint8_t swizzle_of(const struct condition *test)
{
    return test->nswizzle ? test->swizzle : 0xe4;
}

bool eval_tests_others(const struct insn *insn)
{
    const struct condition *test = &insn->dst.condition;
    uint8_t swizzle = swizzle_of(test), looks_at = 0;

    for (unsigned c = 0; c < 4; c++)
        if (insn->dst.mask >> c & 1)
            looks_at |= (uint8_t)(1u << (swizzle >> 2 * c & 3));
    return insn->cc_update && condition_restricts(test) && looks_at & (looks_at - 1) && insn->dst.kind != OPND_CC;
}

bool eval_writes_apart(const struct gp5_program *p, const struct insn *insn)
{
    return eval_tests_others(insn) && !program_is_long(p, insn->dst.kind, insn->dst.ref);
}

/* The component that component c is tested by: those of the same one are written together, the lowest ones first. */
static unsigned turn_of(const struct insn *insn, unsigned c)
{
    return swizzle_of(&insn->dst.condition) >> 2 * c & 3;
}

uint8_t eval_turn(const struct insn *insn, unsigned turn)
{
    uint8_t mask = 0;

    for (unsigned c = 0; c < 4; c++)
        mask |= turn_of(insn, c) == turn ? (uint8_t)(1u << c & insn->dst.mask) : 0;
    return mask;
}

/* The component that component c of a result is tested by, if the result sets that before, or 4. */
static unsigned looks_behind(const struct insn *insn, uint8_t early, unsigned c)
{
    unsigned at = turn_of(insn, c);
    return insn->dst.mask >> at & 1 && turn_of(insn, at) < at && !(early >> c & 1) ? at : 4;
}

/* Those that are written with component c, at the latest: who still looks at what they replace. */
static uint8_t write_together(const struct insn *insn, uint8_t early, uint8_t left, unsigned c)
{
    uint8_t group = (uint8_t)(1u << c), before = 0;

    while (group != before) {
        before = group;
        for (unsigned i = 0; i < 4; i++)
            if (left >> i & 1 && group >> turn_of(insn, i) & 1 && looks_behind(insn, early, i) == 4)
                group |= (uint8_t)(1u << i);
    }
    return group;
}

unsigned eval_turns(const struct insn *insn, uint8_t early, uint8_t groups[4])
{
    uint8_t left = insn->dst.mask;
    unsigned n = 0;

    while (left) {
        uint8_t group = 0;      /* all who can be: their carries look at operands that others of them replace */
        for (unsigned c = 0; c < 4; c++) {
            bool ready = true;
            uint8_t some = left >> c & 1 ? write_together(insn, early, left, c) : 0;
            for (unsigned i = 0; i < 4; i++) {
                unsigned behind = some >> i & 1 ? looks_behind(insn, early, i) : 4;
                ready &= behind == 4 || !(left >> behind & 1);
            }
            group |= ready ? some : 0;
        }
        groups[n++] = group = group ? group : left;
        left &= (uint8_t)~group;
    }
    return n;
}

bool eval_is_turn_before(const struct insn *insn, unsigned c, unsigned other)
{
    return insn->dst.mask >> other & 1 && turn_of(insn, other) < turn_of(insn, c);
}

uint8_t eval_tested_in_turn(const struct insn *insn, const struct folded *folded, uint8_t useful)
{
    uint8_t tested = 0;

    for (unsigned turn = 4; folded && folded->in_turn && turn-- > 0;)
        if ((useful | tested) & eval_turn(insn, turn) & ~folded->early && insn->dst.mask >> turn & 1 && turn_of(insn, turn) < turn)
            tested |= (uint8_t)(1u << turn);
    return tested;
}

/* Whether a later turn reads a scalar operand again: not of what takes a subroutine of the compiler's, which is computed once. */
static bool reads_scalar_again(const struct insn *insn)
{
    return insn->op == OP_SHL || insn->op == OP_SHR || ((insn->op == OP_RCP || insn->op == OP_DIV) && insn->type == DT_F64);
}

/* Component c of an operand that is the result's variable, or 4. */
static unsigned component_read(const struct gp5_program *p, const struct insn *insn, unsigned n, unsigned c)
{
    const struct operand *o = program_operand(p, insn->src + n);
    const struct result *r = &insn->dst;
    bool scalar = shape_table[op_table[insn->op].shape].src[n] == OC_SCALAR, divides = (insn->op == OP_DIV || insn->op == OP_MOD) && insn->type != DT_F64;

    if (divides || o->kind != r->kind || o->ref != r->ref || o->nindices != r->nindices || (scalar && !reads_scalar_again(insn)))
        return 4;
    if (r->nindices && (program_index(p, r->index)->mode != INDEX_CONSTANT || program_index(p, o->index)->mode != INDEX_CONSTANT ||
                        program_index(p, r->index)->offset != program_index(p, o->index)->offset))
        return 4;
    return o->swizzle >> (scalar ? 0 : 2 * c) & 3;
}

bool eval_operand_reads_turn(const struct gp5_program *p, const struct insn *insn, unsigned n, unsigned c)
{
    unsigned read = component_read(p, insn, n, c);
    return read < 4 && eval_is_turn_before(insn, c, read);
}

bool eval_reads_turn(const struct gp5_program *p, const struct insn *insn, unsigned c)
{
    for (unsigned i = 0; i < insn->nsrc; i++)
        if (eval_operand_reads_turn(p, insn, i, c))
            return true;
    return false;
}

bool eval_reads_turns(const struct gp5_program *p, const struct insn *insn)
{
    if (insn->dst.kind != OPND_SYMBOL || insn->dst.nindices > 1 || type_table[insn->type].bytes != 8 ||
        (insn->op == OP_CVT && type_table[insn->type2].bytes != 8) || insn->nsrc > 3 ||
         !eval_tests_others(insn) ||
        !program_is_long(p, insn->dst.kind, insn->dst.ref))
        return false;
    for (unsigned c = 0; c < 4; c++)
        if (insn->dst.mask >> c & 1 && eval_reads_turn(p, insn, c))
            return true;
    return false;
}

bool eval_sees_turns(const struct insn *insn)
{
    const struct condition *test = &insn->dst.condition;
    bool sees = false;

    for (unsigned c = 0; c < 4; c++)
        sees |= insn->dst.mask >> c & 1 && (swizzle_of(test) >> 2 * c & 3) != c;
    return sees && insn->cc_update == (test->cc & 1) + 1;
}
