/* Which operation of a subgroup an instruction of OPTION GP5_subgroup is. */
#include "tests/oracle/internal.h"
#include "tests/oracle/subgroup_model.h"

#define FAMILY(op)                                                                                 \
    {                                                                                              \
        GP5_SUBGROUP_DO_##op, GP5_SUBGROUP_DO_INCLUSIVE_##op, GP5_SUBGROUP_DO_EXCLUSIVE_##op,      \
            GP5_SUBGROUP_DO_CLUSTERED_##op, GP5_SUBGROUP_DO_PARTITIONED_##op,                      \
            GP5_SUBGROUP_DO_PARTITIONED_INCLUSIVE_##op, GP5_SUBGROUP_DO_PARTITIONED_EXCLUSIVE_##op \
    }

int oracle_group_kind(unsigned op)
{
    switch (op) {
    case OP_SGRED: return 0;
    case OP_SGISCAN: return 1;
    case OP_SGXSCAN: return 2;
    case OP_SGREDC: return 3;
    case OP_SGREDP: return 4;
    case OP_SGISCANP: return 5;
    case OP_SGXSCANP: return 6;
    default: return -1;
    }
}

static const uint8_t adds[] = FAMILY(ADD), muls[] = FAMILY(MUL), mins[] = FAMILY(MIN), maxs[] = FAMILY(MAX),
                     ands[] = FAMILY(AND), ors[] = FAMILY(OR), xors[] = FAMILY(XOR);

unsigned oracle_group_of_family(unsigned operator, int kind)
{
    switch (operator) {
    case MOD_ADD: return adds[kind];
    case MOD_MUL: return muls[kind];
    case MOD_MIN: return mins[kind];
    case MOD_MAX: return maxs[kind];
    case MOD_AND: return ands[kind];
    case MOD_OR: return ors[kind];
    default: return xors[kind];
    }
}

static unsigned variable_of(unsigned which, bool wide)
{
    switch (which) {
    case MOD_SIZE: return GP5_SUBGROUP_DO_SIZE;
    case MOD_LANE: return GP5_SUBGROUP_DO_INVOCATION;
    case MOD_ID: return GP5_SUBGROUP_DO_ID;
    case MOD_SUBGROUPS: return GP5_SUBGROUP_DO_COUNT;
    case MOD_EQMASK: return wide ? GP5_SUBGROUP_DO_EQ_MASK_ARB : GP5_SUBGROUP_DO_EQ_MASK;
    case MOD_GEMASK: return wide ? GP5_SUBGROUP_DO_GE_MASK_ARB : GP5_SUBGROUP_DO_GE_MASK;
    case MOD_GTMASK: return wide ? GP5_SUBGROUP_DO_GT_MASK_ARB : GP5_SUBGROUP_DO_GT_MASK;
    case MOD_LEMASK: return wide ? GP5_SUBGROUP_DO_LE_MASK_ARB : GP5_SUBGROUP_DO_LE_MASK;
    default: return wide ? GP5_SUBGROUP_DO_LT_MASK_ARB : GP5_SUBGROUP_DO_LT_MASK;
    }
}

unsigned oracle_group_operation(const struct insn *insn)
{
    bool wide = type_table[insn->type].bytes == 8;
    if (oracle_group_kind(insn->op) >= 0)
        return oracle_group_of_family(insn->atomic, oracle_group_kind(insn->op));
    switch (insn->op) {
    case OP_SGVAR: return variable_of(insn->atomic, wide);
    case OP_SGELECT: return GP5_SUBGROUP_DO_ELECT;
    case OP_SGALL: return GP5_SUBGROUP_DO_ALL;
    case OP_SGANY: return GP5_SUBGROUP_DO_ANY_TRUE;
    case OP_SGEQ: return GP5_SUBGROUP_DO_ALL_EQUAL;
    case OP_SGBCAST: return GP5_SUBGROUP_DO_BROADCAST;
    case OP_SGFIRST: return GP5_SUBGROUP_DO_BROADCAST_FIRST;
    case OP_SGBALLOT: return wide ? GP5_SUBGROUP_DO_BALLOT_ARB : GP5_SUBGROUP_DO_BALLOT;
    case OP_SGBINV: return GP5_SUBGROUP_DO_INVERSE_BALLOT;
    case OP_SGBBIT: return GP5_SUBGROUP_DO_BALLOT_BIT_EXTRACT;
    case OP_SGBCNT: return GP5_SUBGROUP_DO_BALLOT_BIT_COUNT;
    case OP_SGBCNTI: return GP5_SUBGROUP_DO_BALLOT_INCLUSIVE_BIT_COUNT;
    case OP_SGBCNTX: return GP5_SUBGROUP_DO_BALLOT_EXCLUSIVE_BIT_COUNT;
    case OP_SGBLSB: return GP5_SUBGROUP_DO_BALLOT_FIND_LSB;
    case OP_SGBMSB: return GP5_SUBGROUP_DO_BALLOT_FIND_MSB;
    case OP_SGPART: return GP5_SUBGROUP_DO_PARTITION;
    case OP_SGSHFIDX: return GP5_SUBGROUP_DO_SHUFFLE;
    case OP_SGSHFXOR: return GP5_SUBGROUP_DO_SHUFFLE_XOR;
    case OP_SGSHFUP: return GP5_SUBGROUP_DO_SHUFFLE_UP;
    case OP_SGSHFDN: return GP5_SUBGROUP_DO_SHUFFLE_DOWN;
    case OP_SGROT: return GP5_SUBGROUP_DO_ROTATE;
    case OP_SGROTC: return GP5_SUBGROUP_DO_CLUSTERED_ROTATE;
    case OP_SGQBCAST: return GP5_SUBGROUP_DO_QUAD_BROADCAST;
    case OP_SGQSWAPH: return GP5_SUBGROUP_DO_QUAD_SWAP_HORIZONTAL;
    case OP_SGQSWAPV: return GP5_SUBGROUP_DO_QUAD_SWAP_VERTICAL;
    case OP_SGQSWAPD: return GP5_SUBGROUP_DO_QUAD_SWAP_DIAGONAL;
    case OP_SGNVIDX: return GP5_SUBGROUP_DO_SHUFFLE_NV;
    case OP_SGNVUP: return GP5_SUBGROUP_DO_SHUFFLE_UP_NV;
    case OP_SGNVDOWN: return GP5_SUBGROUP_DO_SHUFFLE_DOWN_NV;
    default: return GP5_SUBGROUP_DO_SHUFFLE_XOR_NV;
    }
}

bool oracle_group_compares(unsigned op)
{
    return op == GP5_SUBGROUP_DO_ALL_EQUAL || op == GP5_SUBGROUP_DO_PARTITION;
}
