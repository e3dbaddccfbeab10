/* The tables of the language: profiles, opcodes, modifiers, options, bindings, condition tests, texture targets.
 * Everything here is constant; the rows stand in the .def files. */
#ifndef GP5_ASM_ISA_H
#define GP5_ASM_ISA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- profiles ---------------------------------------------------------------------------------------------------- */

/* A profile here is a dialect of the language: a header, and in ARB programs the option that makes another of it. A
 * program begins in the dialect of its header and moves to the option's where that OPTION stands. */
enum gp5_profile {
    PROFILE_NONE,
#define PROFILE(id, bit, name, header, option, stage, generation) PROFILE_##id,
#include "asm/profiles.def"
#undef PROFILE
    PROFILE_COUNT
};

enum profile_bits {
#define PROFILE(id, bit, name, header, option, stage, generation) bit = 1 << PROFILE_##id,
#include "asm/profiles.def"
#undef PROFILE
    ARB_VP = AVP | AVP2 | AVP3,
    ARB_FP = AFP | AFP1 | AFP2,
    ARB_ALL = ARB_VP | ARB_FP,
    GPU40 = VP4 | GP4 | FP4,
    GPU41 = VP41 | GP41 | FP41,
    GPU4 = GPU40 | GPU41,
    GPU5 = VP5 | TCP5 | TEP5 | GP5 | FP5 | CP5,
    NV_ALL = GPU4 | GPU5,
    NV_VP = VP4 | VP41 | VP5,
    NV_GP = GP4 | GP41 | GP5,
    NV_FP = FP4 | FP41 | FP5,
    NV_TESS = TCP5 | TEP5,
    OLD_VP = VP10 | VP11 | VP20,        /* registers by number */
    OLD_ALL = OLD_VP | FP10,
    ANY_VP = ARB_VP | NV_VP | OLD_VP,
    ANY_FP = ARB_FP | NV_FP | FP10,
    SUFFIXED = AVP2 | AVP3 | AFP1 | AFP2 | VP20 | FP10, /* C, _SAT, R, H behind the name, and condition codes */
    CONDITIONS = NV_ALL | SUFFIXED,     /* tests and | | */
    NUMBERS = CONDITIONS | OLD_VP,      /* where one component is asked for a number has none */
    LABELS = NV_ALL | AVP2 | AVP3 | AFP2 | VP20,
    COLOURS = ARB_FP | NV_FP            /* components may be called r g b a */
};

static inline bool profile_in(unsigned profile, uint32_t set)
{
    return set >> profile & 1;
}

enum program_stage {
    STAGE_NONE, STAGE_VERTEX, STAGE_CONTROL, STAGE_EVALUATION, STAGE_GEOMETRY, STAGE_FRAGMENT, STAGE_COMPUTE
};
enum generation { GEN_NONE, GEN_REGISTER, GEN_ARB, GEN_NV4, GEN_NV41, GEN_NV5 };

struct profile_info {
    const char *name;           /* "cp5" */
    const char *header;         /* "!!NVcp5.0" */
    const char *stage;          /* "compute" */
    uint8_t option;             /* enum gp5_option that makes this dialect, or OPTION_NONE */
    uint8_t stage_id;           /* enum program_stage */
    uint8_t generation;         /* enum generation */
    bool typed;                 /* dotted modifiers and typed variables (NV_gpu_program4 and later) */
};
extern const struct profile_info profile_table[PROFILE_COUNT];

/* The dialect of the header that a text begins with, or PROFILE_NONE. */
enum gp5_profile asm_find_profile(const char *text, size_t size);
/* The same behind blanks, line ends and comments, where Mesa reads an ARB program's header; *header says where. */
enum gp5_profile asm_find_late_profile(const char *text, size_t size, size_t *header);

/* The dialect that a program of `profile` has after OPTION `option`: another one, or the same. */
enum gp5_profile asm_profile_with(enum gp5_profile profile, unsigned option);

/* ---- data types -------------------------------------------------------------------------------------------------- */

enum data_type {
    DT_NONE, DT_F16, DT_F32, DT_F64, DT_S8, DT_S16, DT_S32, DT_S64, DT_U8, DT_U16, DT_U32, DT_U64, DT_COUNT,
    DT_X2 = 0x20, DT_X4 = 0x40, DT_MASK = 0x1f
};

struct type_info {
    const char *name;
    uint8_t bytes;
    bool is_float, is_signed;
};
extern const struct type_info type_table[DT_COUNT];

/* Which types an opcode takes (isa.def's column). */
enum type_bits { T_F = 1, T_F64 = 2, T_I = 4, T_I64 = 8, T_SHORT = 16 /* S8 U8 S16 U16 */ };

/* ---- modifiers --------------------------------------------------------------------------------------------------- */

enum gp5_modifier {
    MOD_NONE,
#define MODIFIER(id, text, class, value) MOD_##id,
#include "asm/modifiers.def"
#undef MODIFIER
    MOD_UNKNOWN,
    MOD_COUNT
};

enum modifier_class {
    MC_TYPE, MC_SIZED, MC_VECTOR, MC_CC, MC_CLAMP, MC_ROUNDING, MC_MUL, MC_FLAG, MC_ACCESS, MC_SCOPE, MC_DERIVATIVE,
    MC_TEXTURE, MC_ATOMIC, MC_COUNTER, MC_MATCH,
    MC_OPERATOR, MC_VARIABLE, MC_MEMORY         /* of the subgroup operations */
};

struct modifier_info {
    const char *text;
    uint8_t class;              /* enum modifier_class */
    uint32_t value;             /* by class: enum data_type with DT_X2/DT_X4, insn_flags, condition code */
};
extern const struct modifier_info modifier_table[MOD_COUNT];

/* What an opcode takes besides its types (isa.def's column). */
enum modifier_bits {
    M_CC = 1, M_SAT = 2, M_HALF = 4 /* R and H end the name */, M_CVT = 8, M_MUL = 16, M_STORAGE = 32, M_COHERENT = 64,
    M_ATOMIC = 128, M_COUNTER = 256, M_CTA = 512, M_TEX = 1024, M_MATCH = 2048, M_DERIVATIVE = 4096,
    M_OPERATOR = 8192 /* ADD MUL MIN MAX AND OR XOR */, M_VARIABLE = 16384 /* SIZE LANE ... */,
    M_MEMORY = 32768 /* BUFFER SHARED IMAGE */, M_FIXED = 65536 /* X ends the name */,
    M_COUNTER_OPERATION = 131072 /* an atomic operation of U or U32 */,
    M_FRAGMENT = 262144 /* none: it is of fragment programs alone, though others read it */
};

/* ---- shapes ------------------------------------------------------------------------------------------------------ */

enum operand_class {
    OC_NONE,
    OC_VECTOR,          /* four components */
    OC_SCALAR,          /* one: its component must be written, unless it is a scalar constant */
    OC_EXTENDED,        /* SWZ: operand and four selectors */
    OC_STORAGE,         /* an element of a STORAGE variable */
    OC_SHARED,          /* of a SHARED variable */
    OC_CBUFFER,         /* of a CBUFFER variable */
    OC_COUNTER,         /* of a COUNTER variable */
    OC_THREAD,          /* of memory of the thread's own, which no declaration gives */
    OC_TEXTURE,         /* texture unit, target and offset */
    OC_IMAGE,           /* image unit; the target follows the last operand */
    OC_CONDITION,       /* IF: a bare test */
    OC_OPTIONAL_CONDITION,  /* BRK CONT RET: a test in parentheses, or nothing */
    OC_LABEL,           /* CAL: label and an optional test */
    OC_SUBROUTINE,      /* CALI */
    OC_OPTIONAL_VECTOR, /* REP */
    OC_KILL,            /* KIL: a vector or a test */
    OC_ADDRESS          /* an address register */
};

enum result_class {
    RC_NONE,
    RC_VECTOR,          /* each component its own value */
    RC_SCALAR,          /* one value, written to every enabled component */
    RC_ADDRESS          /* an address register */
};

/* SHAPE(id, result, number of operands, their classes, flow). The flow says which operand components a result
 * component is made of, for what tracks values: EACH the same component, ALL any, LANES also of other lanes, MEMORY an
 * address. */
#define GP5_SHAPES(SHAPE)                                                                   \
    SHAPE(V_V, VECTOR, 1, VECTOR, NONE, NONE, NONE)                                         \
    SHAPE(V_S, VECTOR, 1, SCALAR, NONE, NONE, NONE)                                         \
    SHAPE(V_E, VECTOR, 1, EXTENDED, NONE, NONE, NONE)                                       \
    SHAPE(V_VV, VECTOR, 2, VECTOR, VECTOR, NONE, NONE)                                      \
    SHAPE(V_VS, VECTOR, 2, VECTOR, SCALAR, NONE, NONE)                                      \
    SHAPE(V_VVV, VECTOR, 3, VECTOR, VECTOR, VECTOR, NONE)                                   \
    SHAPE(R_V, SCALAR, 1, VECTOR, NONE, NONE, NONE)                                         \
    SHAPE(R_S, SCALAR, 1, SCALAR, NONE, NONE, NONE)                                         \
    SHAPE(R_SS, SCALAR, 2, SCALAR, SCALAR, NONE, NONE)                                      \
    SHAPE(R_VV, SCALAR, 2, VECTOR, VECTOR, NONE, NONE)                                      \
    SHAPE(R_VVV, SCALAR, 3, VECTOR, VECTOR, VECTOR, NONE)                                   \
    SHAPE(R_N, SCALAR, 0, NONE, NONE, NONE, NONE)                                           \
    SHAPE(R_VS, SCALAR, 2, VECTOR, SCALAR, NONE, NONE)                                      \
    SHAPE(V_VSS, VECTOR, 3, VECTOR, SCALAR, SCALAR, NONE)                                   \
    SHAPE(V_SSS, VECTOR, 3, SCALAR, SCALAR, SCALAR, NONE)                                   \
    SHAPE(N_S, NONE, 1, SCALAR, NONE, NONE, NONE)                                           \
    SHAPE(N_V, NONE, 1, VECTOR, NONE, NONE, NONE)                                           \
    SHAPE(A_V, ADDRESS, 1, VECTOR, NONE, NONE, NONE)                                        \
    SHAPE(A_A, ADDRESS, 1, ADDRESS, NONE, NONE, NONE)                                       \
    SHAPE(A_N, ADDRESS, 0, NONE, NONE, NONE, NONE)                                          \
    SHAPE(N_A, NONE, 1, ADDRESS, NONE, NONE, NONE)                                          \
    SHAPE(V_NV, VECTOR, 2, COUNTER, VECTOR, NONE, NONE)                                     \
    SHAPE(V_B, VECTOR, 1, STORAGE, NONE, NONE, NONE)                                        \
    SHAPE(N_VB, NONE, 2, VECTOR, STORAGE, NONE, NONE)                                       \
    SHAPE(V_VB, VECTOR, 2, VECTOR, STORAGE, NONE, NONE)                                     \
    SHAPE(V_H, VECTOR, 1, SHARED, NONE, NONE, NONE)                                         \
    SHAPE(N_VH, NONE, 2, VECTOR, SHARED, NONE, NONE)                                        \
    SHAPE(V_VH, VECTOR, 2, VECTOR, SHARED, NONE, NONE)                                      \
    SHAPE(V_L, VECTOR, 1, THREAD, NONE, NONE, NONE)                                         \
    SHAPE(N_VL, NONE, 2, VECTOR, THREAD, NONE, NONE)                                        \
    SHAPE(V_K, VECTOR, 1, CBUFFER, NONE, NONE, NONE)                                        \
    SHAPE(N_VS, NONE, 2, VECTOR, SCALAR, NONE, NONE)                                        \
    SHAPE(V_N, VECTOR, 1, COUNTER, NONE, NONE, NONE)                                        \
    SHAPE(V_T, VECTOR, 1, TEXTURE, NONE, NONE, NONE)                                        \
    SHAPE(V_VT, VECTOR, 2, VECTOR, TEXTURE, NONE, NONE)                                     \
    SHAPE(V_VVVT, VECTOR, 4, VECTOR, VECTOR, VECTOR, TEXTURE)                               \
    SHAPE(V_I, VECTOR, 1, IMAGE, NONE, NONE, NONE)                                          \
    SHAPE(V_VI, VECTOR, 2, VECTOR, IMAGE, NONE, NONE)                                       \
    SHAPE(V_VVI, VECTOR, 3, VECTOR, VECTOR, IMAGE, NONE)                                    \
    SHAPE(N_IVV, NONE, 3, IMAGE, VECTOR, VECTOR, NONE)                                      \
    SHAPE(NONE, NONE, 0, NONE, NONE, NONE, NONE)                                            \
    SHAPE(COND, NONE, 1, OPTIONAL_CONDITION, NONE, NONE, NONE)                              \
    SHAPE(IF, NONE, 1, CONDITION, NONE, NONE, NONE)                                         \
    SHAPE(REP, NONE, 1, OPTIONAL_VECTOR, NONE, NONE, NONE)                                  \
    SHAPE(CALL, NONE, 1, LABEL, NONE, NONE, NONE)                                           \
    SHAPE(CALLI, NONE, 1, SUBROUTINE, NONE, NONE, NONE)                                     \
    SHAPE(KIL, NONE, 1, KILL, NONE, NONE, NONE)

enum op_shape {
#define SHAPE(id, result, n, a, b, c, d) SHAPE_##id,
    GP5_SHAPES(SHAPE)
#undef SHAPE
    SHAPE_COUNT
};

struct shape_info {
    uint8_t result;             /* enum result_class */
    uint8_t nsrc;
    uint8_t src[4];             /* enum operand_class */
};
extern const struct shape_info shape_table[SHAPE_COUNT];

/* ---- opcodes ----------------------------------------------------------------------------------------------------- */

enum gp5_op {
#define OP(name, shape, numbers, types, type, mods, profiles, gated, option, kind, traits, data, gives, cost, folds,   \
           meaning, spec) \
    OP_##name,
#include "asm/isa.def"
#undef OP
    OP_COUNT,
    OP_UNKNOWN = OP_COUNT
};

/* What an opcode is: who carries it out, what it does beside giving a result, and where it is counted. A bit each, so
 * that one may ask for several; a row has one. */
enum opcode_kind {
    K_ARITHMETIC = 1, K_MOVE = 2, K_FUNCTION = 4, K_COMPARISON = 8, K_LOGIC = 16,
    K_LANES = 31,               /* these compute within a lane: a kernel of eval/kernels */
    K_ADDRESS = 1 << 5,         /* of an address register */
    K_FLOW = 1 << 6,            /* decides what runs next */
    K_KILL = 1 << 7, K_DEMOTE = 1 << 8, K_EMIT = 1 << 9,
    K_LOAD = 1 << 10, K_STORE = 1 << 11, K_ATOMIC = 1 << 12,    /* of words, by address or at an offset */
    K_COUNTER = 1 << 13,        /* atomic counters */
    K_FENCE = 1 << 14, K_BARRIER = 1 << 15,
    K_VOTE = 1 << 16, K_MATCH = 1 << 17, K_SHUFFLE = 1 << 18, K_QUAD = 1 << 19,     /* they ask other lanes */
    K_SAMPLE = 1 << 20, K_GATHER = 1 << 21, K_FETCH = 1 << 22, K_QUERY = 1 << 23,
    K_TEXTURE = K_SAMPLE | K_GATHER | K_FETCH | K_QUERY,
    K_IMAGE_LOAD = 1 << 24, K_IMAGE_STORE = 1 << 25, K_IMAGE_ATOMIC = 1 << 26, K_IMAGE_QUERY = 1 << 27,
    K_IMAGE = K_IMAGE_LOAD | K_IMAGE_STORE | K_IMAGE_ATOMIC | K_IMAGE_QUERY,
    K_ANY_ATOMIC = K_ATOMIC | K_COUNTER | K_IMAGE_ATOMIC,
    K_INTERPOLATION = 1 << 28,  /* an attribute at another place */
    K_DERIVATIVE = 1 << 29,
    K_SUBGROUP = 1 << 30        /* of OPTION GP5_subgroup */
};

/* What is true of an opcode; A_NONE where nothing of this is. */
enum op_trait {
    A_NONE = 1,
    A_COMMUTES = 2,             /* the first two operands may change places (of two NaNs either one comes out) */
    A_COPIES = 4,               /* the result is the operand, but for its sign */
    A_CHOOSES = 8,              /* the result is one of the operands */
    A_SUM = 16,                 /* integers carry out of it */
    A_STEPS = 32,               /* several products, which the driver's compiler sums one after the other */
    A_BITWISE = 64,             /* each bit of the result is made of the same bit of the operands */
    A_ORDERS = 128,             /* TRUE where the operands stand in an order: of NaNs FALSE */
    A_EQUALS = 256,             /* TRUE or FALSE where they are equal */
    A_ROUNDS = 512,             /* a float to a whole number, which may be an integer's */
    A_DIVIDES = 1024,
    A_PACKS = 2048,             /* floats to one word */
    A_UNPACKS = 4096,           /* and back */
    A_PAIRS = 1 << 13,          /* two words and one of 64 bits */
    A_OPENS = 1 << 14, A_CLOSES = 1 << 15,  /* a block of statements */
    A_LOOPS = 1 << 16,          /* and that is a loop */
    A_JUMPS = 1 << 17,          /* goes elsewhere, maybe under a test */
    A_CALLS = 1 << 18,
    A_INTERNAL = 1 << 19,       /* OPTION NV_internal gives it roundings and, of integers, clamps */
    A_STACK = 1 << 20,          /* puts an address register on the stack of them, or takes it from there */
    A_UNBUILT = 1 << 21,        /* not evaluated yet */
    A_COMPARES = A_ORDERS | A_EQUALS
};

/* Which components of its operands a component of the result is made of: a nibble for each component of the result, x
 * the lowest, of each operand 16 bits. */
enum op_reads {
    READS_ = 0, READS_NONE = 0, READS_EACH = 0x8421, READS_X = 0x1111, READS_XY = 0x3333, READS_XYZ = 0x7777,
    READS_XYZW = 0xffff, READS_XYXY = 0x2121, READS_XY_ZW = 0xc3c3, READS_XXYY = 0x2211,
    READS_DST_A = 0x0420, READS_DST_B = 0x8020,
    READS_XXX = 0x0111, READS_LIT = 0x0b10, READS_NRM = 0xf777,     /* the driver scales all four */
    READS_RFL = 0x0777, READS_XPD = 0x8356      /* it computes a w of the two w */
};

/* How a lane's kernel gets its operands (eval/kernels/kernel.h has each); what no lane kernel does has no flow. */
enum op_flow { FLOW_NONE, FLOW_EACH, FLOW_ALL, FLOW_BITS };

/* isa.def's column of data: the flow, and what is read. EACH: of vectors the same component. */
#define OP_DATA(flow, a, b, c)                                                                                        \
    ((uint64_t)FLOW_##flow << 56 | (uint64_t)READS_##a | (uint64_t)READS_##b << 16 | (uint64_t)READS_##c << 32 |      \
     UINT64_C(1) << 63)
#define OP_DATA3(flow, a, b, c, ...) OP_DATA(flow, a, b, c)
#define DATA_EACH OP_DATA(EACH, EACH, EACH, EACH)
#define DATA_EACH_OF(...) OP_DATA3(EACH, __VA_ARGS__, , , )
#define DATA_BITS OP_DATA(BITS, XY, EACH, EACH)
#define DATA_ALL(...) OP_DATA3(ALL, __VA_ARGS__, , , )
#define DATA_APART(...) OP_DATA3(NONE, __VA_ARGS__, , , )   /* not in a kernel */
#define DATA_ANY OP_DATA(NONE, XYZW, XYZW, XYZW)

/* Components of a result that an instruction defines, and in the upper half those that the driver writes. */
enum op_gives { GIVES_NOTHING = 0x1f0, GIVES_XYZW = 0xff, GIVES_XYZ = 0x77, GIVES_XY = 0x33, GIVES_XYZ_W = 0xf7 };

/* What it costs in a loop: the operations that the driver's compiler makes of it, and those for each component. A
 * SINGLE_COST is that of single precision alone: in others it is an operation a component. */
struct op_cost {
    uint8_t once, each;
    bool single, stated;
};
#define COST(once, each) {once, each, false, true}
#define SINGLE_COST(once, each) {once, each, true, true}

/* In which types the driver's compiler computes it of constants, and whether it then comes to other words than the
 * instruction does. */
enum op_folds { F_NEVER = 1, F_SINGLE = 2, F_HALF = 4, F_DOUBLE = 8, F_WORD = 16, F_LONG = 32, F_ALL = 62,
                F_OTHERWISE = 64 };

struct op_info {
    const char *name;
    const char *numbers;        /* isa.def's column; see op_number */
    uint8_t shape;              /* enum op_shape */
    uint8_t types;              /* enum type_bits */
    uint8_t default_type;       /* enum data_type; DT_NONE without one */
    uint32_t modifiers;         /* enum modifier_bits */
    uint32_t profiles;          /* enum profile_bits: where it exists */
    uint32_t gated;             /* in which of these it needs its option */
    uint8_t option;             /* enum gp5_option */
    struct op_cost cost;
    uint8_t folds;              /* enum op_folds */
    uint16_t gives;             /* enum op_gives */
    uint32_t kind;              /* enum opcode_kind */
    uint32_t traits;            /* enum op_trait */
    uint64_t data;              /* see op_reads and op_flow */
    const char *meaning, *spec;
};
extern const struct op_info op_table[OP_COUNT];

/* Whether an opcode is of one of these kinds, and whether one of these traits is true of it. The evaluator's own
 * operations, from OP_COUNT on, have neither. */
static inline bool op_is(unsigned op, uint32_t kinds)
{
    return op < OP_COUNT && op_table[op].kind & kinds;
}

static inline bool op_has(unsigned op, uint32_t traits)
{
    return op < OP_COUNT && op_table[op].traits & traits;
}

/* How much deeper the statements behind it stand: IF and REP open a block, ENDIF and ENDREP close one. */
static inline int op_nesting(unsigned op)
{
    return op_has(op, A_OPENS) - op_has(op, A_CLOSES);
}

/* ADD and SUB. */
static inline bool op_adds(unsigned op)
{
    return op_has(op, A_SUM) && shape_table[op_table[op].shape].nsrc == 2;
}

/* What the result (place 0) or the nth operand (place n, from 1 on) is of: the letter of isa.def's column of
 * numbers. */
static inline char op_number(unsigned op, unsigned place)
{
    const char *letter = op_table[op].numbers;
    for (; place && letter[1]; place--)
        letter++;
    return *letter;
}

/* How it is written, such as "SHL result, vector, scalar". */
void asm_describe_op(enum gp5_op op, char *text, size_t size);

/* By name, exact and case-sensitive, without suffixes; OP_UNKNOWN if there is none. */
enum gp5_op asm_find_op(const char *name, size_t length);

/* ---- options and bindings ---------------------------------------------------------------------------------------- */

enum gp5_option {
    OPTION_NONE,
#define OPTION(id, profiles, meaning) OPTION_##id,
#include "asm/options.def"
#undef OPTION
    OPTION_COUNT,
    OPTION_UNKNOWN = OPTION_COUNT
};

struct option_info {
    const char *name;
    uint32_t profiles;
    const char *meaning;
};
extern const struct option_info option_table[OPTION_COUNT];

/* Options of which one is enough: where a table names the first of them, any will do. */
#define INTERLOCK_OPTIONS                                                                                             \
    (UINT64_C(1) << OPTION_NV_pixel_interlock_ordered | UINT64_C(1) << OPTION_NV_pixel_interlock_unordered |          \
     UINT64_C(1) << OPTION_NV_sample_interlock_ordered | UINT64_C(1) << OPTION_NV_sample_interlock_unordered)

/* Whether a program with these options, a bit each, has what `option` turns on. */
static inline bool asm_option_open(uint64_t options, unsigned option)
{
    return option == OPTION_NONE || options >> option & 1 ||
           (option == OPTION_NV_pixel_interlock_ordered && options & INTERLOCK_OPTIONS);
}

/* With one of these a compute program's lanes form quads. */
#define DERIVATIVE_GROUP_OPTIONS \
    (UINT64_C(1) << OPTION_NV_derivative_group_quads | UINT64_C(1) << OPTION_NV_derivative_group_linear)

/* Whether an opcode that needs an option has it, or another that brings it. */
static inline bool asm_op_open(unsigned op, uint64_t options)
{
    bool derivative = op == OP_DDX || op == OP_DDY;
    return asm_option_open(options, op_table[op].option) || (derivative && options & DERIVATIVE_GROUP_OPTIONS);
}
enum gp5_option asm_find_option(const char *name, size_t length);

enum gp5_binding {
#define BINDING(id, words, class, components, type, profiles, option) BIND_##id,
#include "asm/bindings.def"
#undef BINDING
    BIND_COUNT,
    BIND_UNKNOWN = BIND_COUNT
};

enum binding_class {
    BC_ATTRIB, BC_PARAM, BC_RESULT, BC_BUFFER, BC_STORAGE, BC_SHARED, BC_COUNTER, BC_SUBROUTINE, BC_TEXTURE, BC_IMAGE,
    BC_VERTEX
};

struct binding_info {
    const char *words;
    uint8_t class;              /* enum binding_class */
    uint8_t components;
    char type;                  /* 'F' 'S' 'U' 'N' */
    uint32_t profiles;
    uint8_t option;
};
extern const struct binding_info binding_table[BIND_COUNT];

/* ---- condition tests --------------------------------------------------------------------------------------------- */

/* NV_gpu_program4 2.X.4.3, over the flags S (sign) Z (zero) O (overflow) C (carry) of a component. */
#define GP5_CC_RULES(RULE)                              \
    RULE(EQ, "!S & Z")                                  \
    RULE(NE, "S | !Z")                                  \
    RULE(LT, "(S & !Z) ^ O")                            \
    RULE(GE, "!(S ^ O)")                                \
    RULE(GT, "(!S ^ O) & !Z")                           \
    RULE(LE, "S ^ (Z | O)")                             \
    RULE(NAN, "S & Z")                                  \
    RULE(LEG, "!S | !Z")                                \
    RULE(CF, "C")                                       \
    RULE(NCF, "!C")                                     \
    RULE(OF, "O")                                       \
    RULE(NOF, "!O")                                     \
    RULE(SF, "S")                                       \
    RULE(NSF, "!S")                                     \
    RULE(AB, "C & !Z")                                  \
    RULE(BLE, "!C | Z")                                 \
    RULE(TR, "1")                                       \
    RULE(FL, "0")                                       \
    RULE(RESIDENT, "the last sparse access was resident")   \
    RULE(NONRESIDENT, "it was not")

enum cc_rule {
    CC_NONE,
#define RULE(id, meaning) CC_##id,
    GP5_CC_RULES(RULE)
#undef RULE
    CC_COUNT
};
extern const char *const cc_rule_names[CC_COUNT];

/* The rule that `text` names (EQ, EQ0, EQ1 ...), with the condition code in *cc and whether a digit was written; or
 * CC_NONE. */
enum cc_rule asm_find_cc_rule(const char *text, size_t length, unsigned *cc, bool *cc_written);

/* ---- texture targets --------------------------------------------------------------------------------------------- */

#define GP5_TEXTURE_TARGETS(TARGET)                                                                             \
    TARGET(1D, "1D", 1) TARGET(2D, "2D", 2) TARGET(3D, "3D", 3) TARGET(CUBE, "CUBE", 3) TARGET(RECT, "RECT", 2) \
    TARGET(SHADOW1D, "SHADOW1D", 1) TARGET(SHADOW2D, "SHADOW2D", 2) TARGET(SHADOWRECT, "SHADOWRECT", 2)         \
    TARGET(SHADOWCUBE, "SHADOWCUBE", 3) TARGET(ARRAY1D, "ARRAY1D", 2) TARGET(ARRAY2D, "ARRAY2D", 3)             \
    TARGET(ARRAYCUBE, "ARRAYCUBE", 4) TARGET(SHADOWARRAY1D, "SHADOWARRAY1D", 2)                                 \
    TARGET(SHADOWARRAY2D, "SHADOWARRAY2D", 3) TARGET(SHADOWARRAYCUBE, "SHADOWARRAYCUBE", 4)                     \
    TARGET(BUFFER, "BUFFER", 1) TARGET(2DMS, "2DMS", 2) TARGET(ARRAY2DMS, "ARRAY2DMS", 3)                       \
    TARGET(RENDERBUFFER, "RENDERBUFFER", 2) TARGET(EXTERNAL, "EXTERNAL", 2)

enum gp5_texture_target {
    TARGET_NONE,
#define TARGET(id, text, coordinates) TARGET_##id,
    GP5_TEXTURE_TARGETS(TARGET)
#undef TARGET
    TARGET_COUNT
};

struct target_info { const char *text; uint8_t coordinates; };
extern const struct target_info target_table[TARGET_COUNT];
enum gp5_texture_target asm_find_target(const char *text, size_t length);

#endif
