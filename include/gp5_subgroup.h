/* gp5: the subgroup operations: what the invocations of a subgroup tell each other.
 *
 * The reference of KHR_shader_subgroup (basic, vote, ballot, arithmetic, shuffle, shuffle_relative,
 * clustered, quad), NV_shader_subgroup_partitioned, SPV_KHR_subgroup_rotate, ARB_shader_ballot,
 * ARB_shader_group_vote and NV_shader_thread_shuffle. docs/subgroups.md has the table of operations;
 * eval/subgroup/definition.c defines each of them, a lane at a time. This header is part of gp5.h: include
 * that.
 *
 * A result that the documents leave undefined is never computed: its lane gets a reason, and the bits 0.
 * Lanes that are not active have no result: nothing is written for them. No function here keeps state,
 * allocates, or prints; each may be called by many threads at once. The caller's
 * floating-point environment does not matter and is left as it was, but for exception flags. */
#ifndef GP5_SUBGROUP_H
#define GP5_SUBGROUP_H

#include "gp5.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { GP5_SUBGROUP_MAX_SIZE = 128 };

/* ---- types --------------------------------------------------------------------------------------------- */

/* X(ID, name, bytes an element takes). Values are arrays of elements: bool as a byte (0 is false, all else
 * is true; results are 0 or 1), half as the 16 bits of one, the rest as C has it. */
#define GP5_SUBGROUP_TYPE_LIST(X)                                                                           \
    X(BOOL, "bool", 1)                                                                                      \
    X(I8, "int8", 1) X(U8, "uint8", 1) X(I16, "int16", 2) X(U16, "uint16", 2)                               \
    X(I32, "int32", 4) X(U32, "uint32", 4) X(I64, "int64", 8) X(U64, "uint64", 8)                           \
    X(F16, "half", 2) X(F32, "float", 4) X(F64, "double", 8)

enum gp5_subgroup_type {
#define GP5_SUBGROUP_X(ID, name, bytes) GP5_SUBGROUP_##ID,
    GP5_SUBGROUP_TYPE_LIST(GP5_SUBGROUP_X)
#undef GP5_SUBGROUP_X
    GP5_SUBGROUP_TYPE_COUNT
};

/* Sets of types: bit n is type n. */
enum {
    GP5_SUBGROUP_NO_TYPE = 0,
    GP5_SUBGROUP_BOOLS = 1,
    GP5_SUBGROUP_INTEGERS = 0x1fe,
    GP5_SUBGROUP_FLOATS = 0xe00,
    GP5_SUBGROUP_NUMBERS = 0xffe,
    GP5_SUBGROUP_BITS = 0x1ff,          /* and or xor: integers bitwise, booleans logically */
    GP5_SUBGROUP_ANY = 0xfff,
    GP5_SUBGROUP_WORDS = 0x460,         /* int, uint, float: all that ARB_shader_ballot moves */
    GP5_SUBGROUP_WORDS_BOOLS = 0x461    /* and bool: NV_shader_thread_shuffle */
};

/* ---- operations ---------------------------------------------------------------------------------------- */

enum gp5_subgroup_class {
    GP5_SUBGROUP_VARIABLE, GP5_SUBGROUP_BASIC, GP5_SUBGROUP_VOTE, GP5_SUBGROUP_BALLOTS, GP5_SUBGROUP_REDUCE,
    GP5_SUBGROUP_INCLUSIVE, GP5_SUBGROUP_EXCLUSIVE, GP5_SUBGROUP_CLUSTERED, GP5_SUBGROUP_PARTITIONED,
    GP5_SUBGROUP_PARTITIONED_INCLUSIVE, GP5_SUBGROUP_PARTITIONED_EXCLUSIVE, GP5_SUBGROUP_PARTITION_OF,
    GP5_SUBGROUP_SHUFFLES, GP5_SUBGROUP_RELATIVE, GP5_SUBGROUP_ROTATION, GP5_SUBGROUP_QUAD, GP5_SUBGROUP_SHUFFLES_NV
};

enum gp5_subgroup_arithmetic {
    GP5_SUBGROUP_NOT_ARITHMETIC, GP5_SUBGROUP_OP_ADD, GP5_SUBGROUP_OP_MUL, GP5_SUBGROUP_OP_MIN, GP5_SUBGROUP_OP_MAX,
    GP5_SUBGROUP_OP_AND, GP5_SUBGROUP_OP_OR, GP5_SUBGROUP_OP_XOR
};

/* What a call reads of struct gp5_subgroup_operands. */
enum {
    GP5_SUBGROUP_TAKES_VALUE = 1, GP5_SUBGROUP_TAKES_INDEX = 2, GP5_SUBGROUP_TAKES_BALLOT = 4,
    GP5_SUBGROUP_TAKES_CLUSTER = 8, GP5_SUBGROUP_TAKES_WIDTH = 16,
    GP5_SUBGROUP_ARB = 32               /* of ARB_shader_ballot: an error in groups of more than 64 */
};

/* What a result is: nothing; a value of the operand's type, by component; or one a lane, whatever the
 * components. */
enum gp5_subgroup_answer {
    GP5_SUBGROUP_NOTHING, GP5_SUBGROUP_A_VALUE, GP5_SUBGROUP_A_BOOL, GP5_SUBGROUP_A_UINT, GP5_SUBGROUP_A_BALLOT,
    GP5_SUBGROUP_A_UINT64
};

/* One family of arithmetic: seven operations of one operator. */
#define GP5_SUBGROUP_FAMILY(X, OP, op, Op, spirv, TYPES)                                                    \
    X(OP, op, "subgroup" Op, spirv " Reduce", REDUCE, OP_##OP, TYPES, 1, A_VALUE)                           \
    X(INCLUSIVE_##OP, "inclusive_" op, "subgroupInclusive" Op, spirv " InclusiveScan", INCLUSIVE, OP_##OP,  \
      TYPES, 1,                                                                                             \
      A_VALUE)                                                                                              \
    X(EXCLUSIVE_##OP, "exclusive_" op, "subgroupExclusive" Op, spirv " ExclusiveScan", EXCLUSIVE, OP_##OP,  \
      TYPES, 1,                                                                                             \
      A_VALUE)                                                                                              \
    X(CLUSTERED_##OP, "clustered_" op, "subgroupClustered" Op, spirv " ClusteredReduce", CLUSTERED,         \
      OP_##OP, TYPES, 9,                                                                                    \
      A_VALUE)                                                                                              \
    X(PARTITIONED_##OP, "partitioned_" op, "subgroupPartitioned" Op "NV", spirv " PartitionedReduceNV",     \
      PARTITIONED,                                                                                          \
      OP_##OP, TYPES, 5, A_VALUE)                                                                           \
    X(PARTITIONED_INCLUSIVE_##OP, "partitioned_inclusive_" op, "subgroupPartitionedInclusive" Op "NV",      \
      spirv " PartitionedInclusiveScanNV", PARTITIONED_INCLUSIVE, OP_##OP, TYPES, 5, A_VALUE)               \
    X(PARTITIONED_EXCLUSIVE_##OP, "partitioned_exclusive_" op, "subgroupPartitionedExclusive" Op "NV",      \
      spirv " PartitionedExclusiveScanNV", PARTITIONED_EXCLUSIVE, OP_##OP, TYPES, 5, A_VALUE)

/* X(ID, name, GLSL, SPIR-V, class, arithmetic, types of the value, operands, answer). Where SPIR-V has an
 * instruction a kind of type, they stand with bars between. */
#define GP5_SUBGROUP_OPERATIONS(X)                                                                          \
    X(SIZE, "size", "gl_SubgroupSize", "SubgroupSize", VARIABLE, NOT_ARITHMETIC, NO_TYPE, 0, A_UINT)        \
    X(INVOCATION, "invocation", "gl_SubgroupInvocationID", "SubgroupLocalInvocationId", VARIABLE,           \
      NOT_ARITHMETIC,                                                                                       \
      NO_TYPE, 0, A_UINT)                                                                                   \
    X(ID, "id", "gl_SubgroupID", "SubgroupId", VARIABLE, NOT_ARITHMETIC, NO_TYPE, 0, A_UINT)                \
    X(COUNT, "count", "gl_NumSubgroups", "NumSubgroups", VARIABLE, NOT_ARITHMETIC, NO_TYPE, 0, A_UINT)      \
    X(EQ_MASK, "eq_mask", "gl_SubgroupEqMask", "SubgroupEqMask", VARIABLE, NOT_ARITHMETIC, NO_TYPE, 0,      \
      A_BALLOT)                                                                                             \
    X(GE_MASK, "ge_mask", "gl_SubgroupGeMask", "SubgroupGeMask", VARIABLE, NOT_ARITHMETIC, NO_TYPE, 0,      \
      A_BALLOT)                                                                                             \
    X(GT_MASK, "gt_mask", "gl_SubgroupGtMask", "SubgroupGtMask", VARIABLE, NOT_ARITHMETIC, NO_TYPE, 0,      \
      A_BALLOT)                                                                                             \
    X(LE_MASK, "le_mask", "gl_SubgroupLeMask", "SubgroupLeMask", VARIABLE, NOT_ARITHMETIC, NO_TYPE, 0,      \
      A_BALLOT)                                                                                             \
    X(LT_MASK, "lt_mask", "gl_SubgroupLtMask", "SubgroupLtMask", VARIABLE, NOT_ARITHMETIC, NO_TYPE, 0,      \
      A_BALLOT)                                                                                             \
    X(SIZE_ARB, "size_arb", "gl_SubGroupSizeARB", "SubgroupSize", VARIABLE, NOT_ARITHMETIC, NO_TYPE, 32,    \
      A_UINT)                                                                                               \
    X(INVOCATION_ARB, "invocation_arb", "gl_SubGroupInvocationARB", "SubgroupLocalInvocationId", VARIABLE,  \
      NOT_ARITHMETIC, NO_TYPE, 32, A_UINT)                                                                  \
    X(EQ_MASK_ARB, "eq_mask_arb", "gl_SubGroupEqMaskARB", "SubgroupEqMaskKHR", VARIABLE, NOT_ARITHMETIC,    \
      NO_TYPE, 32,                                                                                          \
      A_UINT64)                                                                                             \
    X(GE_MASK_ARB, "ge_mask_arb", "gl_SubGroupGeMaskARB", "SubgroupGeMaskKHR", VARIABLE, NOT_ARITHMETIC,    \
      NO_TYPE, 32,                                                                                          \
      A_UINT64)                                                                                             \
    X(GT_MASK_ARB, "gt_mask_arb", "gl_SubGroupGtMaskARB", "SubgroupGtMaskKHR", VARIABLE, NOT_ARITHMETIC,    \
      NO_TYPE, 32,                                                                                          \
      A_UINT64)                                                                                             \
    X(LE_MASK_ARB, "le_mask_arb", "gl_SubGroupLeMaskARB", "SubgroupLeMaskKHR", VARIABLE, NOT_ARITHMETIC,    \
      NO_TYPE, 32,                                                                                          \
      A_UINT64)                                                                                             \
    X(LT_MASK_ARB, "lt_mask_arb", "gl_SubGroupLtMaskARB", "SubgroupLtMaskKHR", VARIABLE, NOT_ARITHMETIC,    \
      NO_TYPE, 32,                                                                                          \
      A_UINT64)                                                                                             \
    X(ELECT, "elect", "subgroupElect", "OpGroupNonUniformElect", BASIC, NOT_ARITHMETIC, NO_TYPE, 0, A_BOOL) \
    X(BARRIER, "barrier", "subgroupBarrier", "OpControlBarrier", BASIC, NOT_ARITHMETIC, NO_TYPE, 0, NOTHING)\
    X(MEMORY_BARRIER, "memory_barrier", "subgroupMemoryBarrier", "OpMemoryBarrier", BASIC, NOT_ARITHMETIC,  \
      NO_TYPE, 0,                                                                                           \
      NOTHING)                                                                                              \
    X(MEMORY_BARRIER_BUFFER, "memory_barrier_buffer", "subgroupMemoryBarrierBuffer", "OpMemoryBarrier",     \
      BASIC,                                                                                                \
      NOT_ARITHMETIC, NO_TYPE, 0, NOTHING)                                                                  \
    X(MEMORY_BARRIER_SHARED, "memory_barrier_shared", "subgroupMemoryBarrierShared", "OpMemoryBarrier",     \
      BASIC,                                                                                                \
      NOT_ARITHMETIC, NO_TYPE, 0, NOTHING)                                                                  \
    X(MEMORY_BARRIER_IMAGE, "memory_barrier_image", "subgroupMemoryBarrierImage", "OpMemoryBarrier", BASIC, \
      NOT_ARITHMETIC, NO_TYPE, 0, NOTHING)                                                                  \
    X(ALL, "all", "subgroupAll", "OpGroupNonUniformAll", VOTE, NOT_ARITHMETIC, BOOLS, 1, A_BOOL)            \
    X(ANY_TRUE, "any", "subgroupAny", "OpGroupNonUniformAny", VOTE, NOT_ARITHMETIC, BOOLS, 1, A_BOOL)       \
    X(ALL_EQUAL, "all_equal", "subgroupAllEqual", "OpGroupNonUniformAllEqual", VOTE, NOT_ARITHMETIC, ANY,   \
      1, A_BOOL)                                                                                            \
    X(ALL_ARB, "all_arb", "allInvocationsARB", "OpSubgroupAllKHR", VOTE, NOT_ARITHMETIC, BOOLS, 1, A_BOOL)  \
    X(ANY_ARB, "any_arb", "anyInvocationARB", "OpSubgroupAnyKHR", VOTE, NOT_ARITHMETIC, BOOLS, 1, A_BOOL)   \
    X(ALL_EQUAL_ARB, "all_equal_arb", "allInvocationsEqualARB", "OpSubgroupAllEqualKHR", VOTE,              \
      NOT_ARITHMETIC, BOOLS,                                                                                \
      1, A_BOOL)                                                                                            \
    X(BROADCAST, "broadcast", "subgroupBroadcast", "OpGroupNonUniformBroadcast", BALLOTS, NOT_ARITHMETIC,   \
      ANY, 3,                                                                                               \
      A_VALUE)                                                                                              \
    X(BROADCAST_FIRST, "broadcast_first", "subgroupBroadcastFirst", "OpGroupNonUniformBroadcastFirst",      \
      BALLOTS,                                                                                              \
      NOT_ARITHMETIC, ANY, 1, A_VALUE)                                                                      \
    X(READ_INVOCATION_ARB, "read_invocation_arb", "readInvocationARB", "OpSubgroupReadInvocationKHR",       \
      BALLOTS,                                                                                              \
      NOT_ARITHMETIC, WORDS, 35, A_VALUE)                                                                   \
    X(READ_FIRST_INVOCATION_ARB, "read_first_invocation_arb", "readFirstInvocationARB",                     \
      "OpSubgroupFirstInvocationKHR", BALLOTS, NOT_ARITHMETIC, WORDS, 33, A_VALUE)                          \
    X(BALLOT, "ballot", "subgroupBallot", "OpGroupNonUniformBallot", BALLOTS, NOT_ARITHMETIC, BOOLS, 1,     \
      A_BALLOT)                                                                                             \
    X(BALLOT_ARB, "ballot_arb", "ballotARB", "OpSubgroupBallotKHR", BALLOTS, NOT_ARITHMETIC, BOOLS, 33,     \
      A_UINT64)                                                                                             \
    X(INVERSE_BALLOT, "inverse_ballot", "subgroupInverseBallot", "OpGroupNonUniformInverseBallot", BALLOTS, \
      NOT_ARITHMETIC, NO_TYPE, 4, A_BOOL)                                                                   \
    X(BALLOT_BIT_EXTRACT, "ballot_bit_extract", "subgroupBallotBitExtract",                                 \
      "OpGroupNonUniformBallotBitExtract",                                                                  \
      BALLOTS, NOT_ARITHMETIC, NO_TYPE, 6, A_BOOL)                                                          \
    X(BALLOT_BIT_COUNT, "ballot_bit_count", "subgroupBallotBitCount",                                       \
      "OpGroupNonUniformBallotBitCount Reduce",                                                             \
      BALLOTS, NOT_ARITHMETIC, NO_TYPE, 4, A_UINT)                                                          \
    X(BALLOT_INCLUSIVE_BIT_COUNT, "ballot_inclusive_bit_count", "subgroupBallotInclusiveBitCount",          \
      "OpGroupNonUniformBallotBitCount InclusiveScan", BALLOTS, NOT_ARITHMETIC, NO_TYPE, 4, A_UINT)         \
    X(BALLOT_EXCLUSIVE_BIT_COUNT, "ballot_exclusive_bit_count", "subgroupBallotExclusiveBitCount",          \
      "OpGroupNonUniformBallotBitCount ExclusiveScan", BALLOTS, NOT_ARITHMETIC, NO_TYPE, 4, A_UINT)         \
    X(BALLOT_FIND_LSB, "ballot_find_lsb", "subgroupBallotFindLSB", "OpGroupNonUniformBallotFindLSB",        \
      BALLOTS,                                                                                              \
      NOT_ARITHMETIC, NO_TYPE, 4, A_UINT)                                                                   \
    X(BALLOT_FIND_MSB, "ballot_find_msb", "subgroupBallotFindMSB", "OpGroupNonUniformBallotFindMSB",        \
      BALLOTS,                                                                                              \
      NOT_ARITHMETIC, NO_TYPE, 4, A_UINT)                                                                   \
    GP5_SUBGROUP_FAMILY(X, ADD, "add", "Add", "OpGroupNonUniformIAdd|FAdd", NUMBERS)                        \
    GP5_SUBGROUP_FAMILY(X, MUL, "mul", "Mul", "OpGroupNonUniformIMul|FMul", NUMBERS)                        \
    GP5_SUBGROUP_FAMILY(X, MIN, "min", "Min", "OpGroupNonUniformSMin|UMin|FMin", NUMBERS)                   \
    GP5_SUBGROUP_FAMILY(X, MAX, "max", "Max", "OpGroupNonUniformSMax|UMax|FMax", NUMBERS)                   \
    GP5_SUBGROUP_FAMILY(X, AND, "and", "And", "OpGroupNonUniformBitwiseAnd|LogicalAnd", BITS)               \
    GP5_SUBGROUP_FAMILY(X, OR, "or", "Or", "OpGroupNonUniformBitwiseOr|LogicalOr", BITS)                    \
    GP5_SUBGROUP_FAMILY(X, XOR, "xor", "Xor", "OpGroupNonUniformBitwiseXor|LogicalXor", BITS)               \
    X(PARTITION, "partition", "subgroupPartitionNV", "OpGroupNonUniformPartitionNV", PARTITION_OF,          \
      NOT_ARITHMETIC, ANY,                                                                                  \
      1, A_BALLOT)                                                                                          \
    X(SHUFFLE, "shuffle", "subgroupShuffle", "OpGroupNonUniformShuffle", SHUFFLES, NOT_ARITHMETIC, ANY, 3,  \
      A_VALUE)                                                                                              \
    X(SHUFFLE_XOR, "shuffle_xor", "subgroupShuffleXor", "OpGroupNonUniformShuffleXor", SHUFFLES,            \
      NOT_ARITHMETIC, ANY,                                                                                  \
      3, A_VALUE)                                                                                           \
    X(SHUFFLE_UP, "shuffle_up", "subgroupShuffleUp", "OpGroupNonUniformShuffleUp", RELATIVE,                \
      NOT_ARITHMETIC, ANY, 3,                                                                               \
      A_VALUE)                                                                                              \
    X(SHUFFLE_DOWN, "shuffle_down", "subgroupShuffleDown", "OpGroupNonUniformShuffleDown", RELATIVE,        \
      NOT_ARITHMETIC,                                                                                       \
      ANY, 3, A_VALUE)                                                                                      \
    X(ROTATE, "rotate", "subgroupRotate", "OpGroupNonUniformRotateKHR", ROTATION, NOT_ARITHMETIC, ANY, 3,   \
      A_VALUE)                                                                                              \
    X(CLUSTERED_ROTATE, "clustered_rotate", "subgroupClusteredRotate",                                      \
      "OpGroupNonUniformRotateKHR ClusterSize",                                                             \
      ROTATION, NOT_ARITHMETIC, ANY, 11, A_VALUE)                                                           \
    X(QUAD_BROADCAST, "quad_broadcast", "subgroupQuadBroadcast", "OpGroupNonUniformQuadBroadcast", QUAD,    \
      NOT_ARITHMETIC, ANY, 3, A_VALUE)                                                                      \
    X(QUAD_SWAP_HORIZONTAL, "quad_swap_horizontal", "subgroupQuadSwapHorizontal",                           \
      "OpGroupNonUniformQuadSwap 0", QUAD,                                                                  \
      NOT_ARITHMETIC, ANY, 1, A_VALUE)                                                                      \
    X(QUAD_SWAP_VERTICAL, "quad_swap_vertical", "subgroupQuadSwapVertical", "OpGroupNonUniformQuadSwap 1",  \
      QUAD,                                                                                                 \
      NOT_ARITHMETIC, ANY, 1, A_VALUE)                                                                      \
    X(QUAD_SWAP_DIAGONAL, "quad_swap_diagonal", "subgroupQuadSwapDiagonal", "OpGroupNonUniformQuadSwap 2",  \
      QUAD,                                                                                                 \
      NOT_ARITHMETIC, ANY, 1, A_VALUE)                                                                      \
    X(SHUFFLE_NV, "shuffle_nv", "shuffleNV", "", SHUFFLES_NV, NOT_ARITHMETIC, WORDS_BOOLS, 19, A_VALUE)     \
    X(SHUFFLE_UP_NV, "shuffle_up_nv", "shuffleUpNV", "", SHUFFLES_NV, NOT_ARITHMETIC, WORDS_BOOLS, 19,      \
      A_VALUE)                                                                                              \
    X(SHUFFLE_DOWN_NV, "shuffle_down_nv", "shuffleDownNV", "", SHUFFLES_NV, NOT_ARITHMETIC, WORDS_BOOLS,    \
      19, A_VALUE)                                                                                          \
    X(SHUFFLE_XOR_NV, "shuffle_xor_nv", "shuffleXorNV", "", SHUFFLES_NV, NOT_ARITHMETIC, WORDS_BOOLS, 19, A_VALUE)

enum gp5_subgroup_op {
#define GP5_SUBGROUP_X(ID, name, glsl, spirv, class_, arithmetic, types, operands, answer) GP5_SUBGROUP_DO_##ID,
    GP5_SUBGROUP_OPERATIONS(GP5_SUBGROUP_X)
#undef GP5_SUBGROUP_X
    GP5_SUBGROUP_OP_COUNT
};

/* A row of the table. */
struct gp5_subgroup_info {
    const char *name, *glsl, *spirv;    /* spirv is "" where it has none */
    enum gp5_subgroup_class group;
    enum gp5_subgroup_arithmetic arithmetic;
    unsigned types;                     /* GP5_SUBGROUP_BOOLS ...: bit n for type n */
    unsigned operands;                  /* GP5_SUBGROUP_TAKES_... */
    enum gp5_subgroup_answer answer;
};

/* The row of an operation, of static life; NULL for a number that is none. */
GP5_API const struct gp5_subgroup_info *gp5_subgroup_info(enum gp5_subgroup_op op);

/* The operation of that name or GLSL name; GP5_SUBGROUP_OP_COUNT when there is none. */
GP5_API enum gp5_subgroup_op gp5_subgroup_find(const char *name);

/* "int32", and the bytes of an element; NULL and 0 for a number that is no type. */
GP5_API const char *gp5_subgroup_type_name(enum gp5_subgroup_type type);
GP5_API size_t gp5_subgroup_type_size(enum gp5_subgroup_type type);

/* What a barrier orders (GL_KHR_shader_subgroup, 8.18): an execution barrier waits for every active
 * invocation; a memory barrier orders one invocation's accesses to these kinds of memory as the others of
 * its subgroup see them. Zeros for what is no barrier. */
enum { GP5_SUBGROUP_BUFFER_MEMORY = 1, GP5_SUBGROUP_SHARED_MEMORY = 2, GP5_SUBGROUP_IMAGE_MEMORY = 4 };
struct gp5_subgroup_barrier {
    bool execution;
    unsigned memory;
};
GP5_API struct gp5_subgroup_barrier gp5_subgroup_barrier(enum gp5_subgroup_op op);

/* ---- why a result is undefined ------------------------------------------------------------------------- */

/* X(ID, text). Where several hold, the first in this order is told. */
#define GP5_SUBGROUP_REASONS(X)                                                                             \
    X(DEFINED, "")                                                                                          \
    X(ABOVE_64, "the 64-bit form knows no group of more than 64 lanes")                                     \
    X(CLUSTER_NOT_POWER_OF_TWO, "the cluster size is no power of two")                                      \
    X(CLUSTER_TOO_LARGE, "the cluster is larger than the group")                                            \
    X(NO_QUAD, "a group of fewer than four lanes has no quad")                                              \
    X(NOT_UNIFORM, "the operand must be the same in all active lanes and is not")                           \
    X(PARTITION_WITHOUT_SELF, "the lane's ballot lacks its own bit: no valid partition")                    \
    X(PARTITION_PEER_DIFFERS, "a lane of the lane's ballot has another ballot: no valid partition")         \
    X(PARTITION_ELSEWHERE, "other lanes' ballots are no valid partition")                                   \
    X(WIDTH, "the width is no power of two from 2 to 32")                                                   \
    X(INDEX_RANGE, "the index is out of range")                                                             \
    X(SOURCE_OUTSIDE, "the source lane is outside the group")                                               \
    X(SOURCE_INACTIVE, "the source lane is not active")                                                     \
    X(NO_BIT, "no bit is set")                                                                              \
    X(ALL_NAN, "every value is a NaN")

enum gp5_subgroup_reason {
#define GP5_SUBGROUP_X(ID, text) GP5_SUBGROUP_##ID,
    GP5_SUBGROUP_REASONS(GP5_SUBGROUP_X)
#undef GP5_SUBGROUP_X
    GP5_SUBGROUP_REASON_COUNT
};

/* A clause without a full stop; "" for DEFINED, NULL for a number that is no reason. */
GP5_API const char *gp5_subgroup_reason_text(enum gp5_subgroup_reason reason);

/* ---- a call -------------------------------------------------------------------------------------------- */

/* Bit i % 32 of word[i / 32] is lane i: the uvec4 of GLSL. */
struct gp5_ballot {
    uint32_t word[4];
};

struct gp5_subgroup {
    unsigned size;              /* gl_SubgroupSize: 1, 2, 4 ... 128 */
    unsigned lanes;             /* that exist: the last group of a work group may have fewer than size; 0: size */
    struct gp5_ballot active;   /* which execute the call; no other bits than those of lanes that exist */
    unsigned id, count;         /* gl_SubgroupID, gl_NumSubgroups; a count of 0 means 1 */
    unsigned max_size;          /* SubgroupMaxSize where the Kernel capability is declared, a power of two from size
                                 * to 128; 0: not declared. Only rotations without a cluster look at it. */
};

/* In which order floats are added and multiplied, and halves. The documents allow any; integers do not
 * care. */
enum gp5_subgroup_order {
    GP5_SUBGROUP_SEQUENTIAL,    /* lane after lane from the lowest: ((x0 + x1) + x2) + x3 */
    GP5_SUBGROUP_DOUBLING       /* by rank r among the lanes that take part, x[r] += x[r - d] for d = 1, 2, 4 ...; an
                                 * exclusive scan starts from the values moved up by one rank, the identity first.
                                 * What NVIDIA's compiler writes. */
};

/* All arrays are the caller's and only read. Those of lanes that are not active may hold anything; one
 * that the operation does not take may be NULL. */
struct gp5_subgroup_operands {
    enum gp5_subgroup_type type;
    unsigned components;                /* 1 to 4; 0 means 1 */
    const void *value;                  /* components planes of size elements, one after another */
    const uint64_t *index;              /* size numbers: id, index, mask or delta, of whatever unsigned type */
    const struct gp5_ballot *ballot;    /* size ballots */
    const uint64_t *width;              /* size numbers: of shuffleNV and its like */
    uint64_t cluster;
    enum gp5_subgroup_order order;
};

/* All arrays are the caller's; none may overlap an operand. What belongs to active lanes is written; the rest of
 * the size keeps its values, but may be read and written back. */
struct gp5_subgroup_result {
    void *value;        /* A_VALUE: planes as the operand's. A_BOOL: size bytes. A_UINT: size uint32_t. A_BALLOT:
                         * size struct gp5_ballot. A_UINT64: size uint64_t. Not looked at for NOTHING. */
    uint8_t *reason;    /* enum gp5_subgroup_reason: A_VALUE: a plane a component, else size; may not be NULL */
    uint8_t *peer;      /* the lane that the reason is about, as `reason` laid out, 255 when it is about none; or
                         * NULL */
    uint8_t *valid;     /* size bytes: threadIdValid of shuffleNV and its like (0 where the reason is WIDTH, and then
                         * undefined as well); or NULL */
};

enum gp5_subgroup_status {
    GP5_SUBGROUP_OK,            /* every result is defined */
    GP5_SUBGROUP_UNDEFINED,     /* some are not: see the reasons */
    GP5_SUBGROUP_ERROR_64,      /* the 64-bit forms in a group of more than 64 lanes: reasons are written, values not */
    GP5_SUBGROUP_BAD_OP,        /* from here on: nothing is written */
    GP5_SUBGROUP_BAD_GROUP,     /* a size, an active lane, an id that cannot be */
    GP5_SUBGROUP_BAD_TYPE,      /* the operation is not there for this type */
    GP5_SUBGROUP_BAD_OPERAND    /* an array is missing, or the components are more than 4 */
};

/* Executes one operation for the active lanes of a group. */
GP5_API enum gp5_subgroup_status gp5_subgroup_apply(enum gp5_subgroup_op op, const struct gp5_subgroup *group,
                                                    const struct gp5_subgroup_operands *in,
                                                    const struct gp5_subgroup_result *out);

/* The same by the definitions alone, without the faster ways that lead there: bit for bit the same
 * answers. */
GP5_API enum gp5_subgroup_status gp5_subgroup_define(enum gp5_subgroup_op op, const struct gp5_subgroup *group,
                                                     const struct gp5_subgroup_operands *in,
                                                     const struct gp5_subgroup_result *out);

/* OpGroupNonUniformRotateKHR of Execution scope Workgroup (SPV_KHR_subgroup_rotate): the lanes are the
 * invocations of a work group by their local index, and rotate within blocks of the cluster's, else the
 * subgroup's size. */
struct gp5_workgroup {
    uint32_t invocations;
    const uint32_t *active;     /* bit i % 32 of word i / 32: whether invocation i executes the call */
    unsigned size, max_size;    /* as of struct gp5_subgroup */
};

/* op is ROTATE or CLUSTERED_ROTATE; arrays have `invocations` elements a plane; `peer` and `valid` are not
 * looked at. */
GP5_API enum gp5_subgroup_status gp5_subgroup_rotate_workgroup(enum gp5_subgroup_op op,
                                                               const struct gp5_workgroup *group,
                                                               const struct gp5_subgroup_operands *in,
                                                               const struct gp5_subgroup_result *out);

/* Whether the ballots of the active lanes are a valid partition (NV_shader_subgroup_partitioned, 3.8):
 * DEFINED, or the reason of the first lane at fault; lane and peer (both may be NULL) say which. The group
 * must be one that apply takes. */
GP5_API enum gp5_subgroup_reason gp5_subgroup_check_partition(const struct gp5_subgroup *group,
                                                              const struct gp5_ballot *ballot, unsigned *lane,
                                                              unsigned *peer);

/* ---- judging a driver ---------------------------------------------------------------------------------- */

enum gp5_subgroup_verdict {
    GP5_SUBGROUP_SAME,          /* the reference's bits (any NaN where that has a NaN) */
    GP5_SUBGROUP_ALLOWED,       /* other bits, that some order of the operation, either zero, another partition with NaN
                                 * or a flushed denormal accounts for */
    GP5_SUBGROUP_ANYTHING,      /* undefined: no bits are wrong */
    GP5_SUBGROUP_WRONG
};

enum { GP5_SUBGROUP_MAY_FLUSH = 1 };    /* denormals may count and come as zeros of their sign */

/* Judges what a driver answered. `answer` is laid out as the result's value, `verdict` as its reasons; for
 * active lanes alone. The statuses are those of apply. A floating-point sum or product is ALLOWED within
 * the bound over all orders that gp5_subgroup_bound gives; it is a necessary condition, and exact where
 * the bound says so. */
GP5_API enum gp5_subgroup_status gp5_subgroup_judge(enum gp5_subgroup_op op, const struct gp5_subgroup *group,
                                                    const struct gp5_subgroup_operands *in, const void *answer,
                                                    unsigned flags, uint8_t *verdict);

/* What the sum (OP_ADD) or product (OP_MUL) of these floats may be, in whatever order and association,
 * each step rounded to nearest in the type. */
struct gp5_subgroup_bound {
    double low, high;           /* a result that is finite lies in between; low > high: it cannot be finite */
    bool minus_infinity, plus_infinity, nan;    /* may come */
    bool exact;                 /* every order gives the same bits, but for the sign of zero */
};
GP5_API bool gp5_subgroup_bound(enum gp5_subgroup_arithmetic arithmetic, enum gp5_subgroup_type type,
                                const void *values, size_t count, unsigned flags, struct gp5_subgroup_bound *bound);

#ifdef __cplusplus
}
#endif

#endif
