#include "eval/block_ends.h"
#include "eval/decode.h"
#include "eval/known.h"

/* Whether a result's flags may say that something was carried or overflowed. */
static bool may_carry(const struct insn *insn)
{
    switch (insn->op) {
    case OP_MOV: case OP_AND: case OP_OR: case OP_XOR: case OP_NOT:
        return false;
    default:
        return !type_table[insn->type].is_float && !op_compares(insn->op);
    }
}

bool eval_block_ends_new(struct block_ends *e, const struct gp5_program *p)
{
    *e = (struct block_ends){.indexed = eval_indexed(p)};
    for (uint32_t i = 0; i < p->insns.count; i++) {
        const struct insn *insn = program_insn(p, i);
        if (insn->cc_update && may_carry(insn))
            e->carries[insn->cc_update - 1] = true;
    }
    return e->indexed != NULL;
}

void eval_block_ends_free(struct block_ends *e)
{
    gp5_free(e->indexed);
    e->indexed = NULL;
}

/* Whether the compiler knows that a test passes because nothing carries. */
static bool passes_always(const struct condition *test, const struct block_ends *e)
{
    return (test->rule == CC_NCF || test->rule == CC_NOF) && !e->carries[test->cc & 1];
}

/* A write under a test is a jump over it where it loads or comes to memory (also an array that computed indices reach), or sets flags. */
bool eval_jumps_over(const struct insn *insn, const struct block_ends *e)
{
    const struct result *r = &insn->dst;

    if (!condition_restricts(&r->condition) || insn->cc_update)
        return condition_restricts(&r->condition);
    if (r->condition.rule == CC_FL || passes_always(&r->condition, e))
        return false;
    switch (insn->op) {
    case OP_LDS: case OP_ATOMS: case OP_LOAD: case OP_ATOM:
        return true;
    default:
        return r->kind == OPND_SYMBOL && e->indexed[r->ref];
    }
}

/* Buffers, images and counters have a bound to look at; integers of 64 bits are divided, and roots of doubles taken, by loops. */
bool eval_ends_block(const struct insn *insn)
{
    switch (insn->op) {
    case OP_IF: case OP_ELSE: case OP_ENDIF: case OP_REP: case OP_ENDREP:
        return true;
    case OP_BRK: case OP_CONT: case OP_CAL: case OP_CALI: case OP_RET:
        return insn->condition.rule != CC_FL;
    case OP_LDB: case OP_STB: case OP_ATOMB: case OP_ATOMCTR: case OP_ATOMCTROP: case OP_LOADIM: case OP_ATOMIM: case OP_MEMBAR:
        return true;
    case OP_DIV: case OP_MOD:
        return insn->type == DT_S64 || insn->type == DT_U64;
    case OP_RSQ:
        return insn->type == DT_F64;
    default:
        return false;
    }
}
