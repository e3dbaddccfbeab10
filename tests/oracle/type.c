#include "tests/oracle/scalar_model.h"
#include "tests/oracle/internal.h"

bool oracle_is_float(unsigned type)
{
    return type == DT_F16 || type == DT_F32 || type == DT_F64;
}

int oracle_bytes(unsigned type)
{
    return type == DT_F64 || type == DT_S64 || type == DT_U64 ? 8 : 4;
}

/* 8 and 16 bits live in registers of 32; halves in singles. */
static uint8_t in_register(unsigned type)
{
    switch (type) {
    case DT_NONE: case DT_F16: return DT_F32;
    case DT_S8: case DT_S16: return DT_S32;
    case DT_U8: case DT_U16: return DT_U32;
    default: return (uint8_t)type;
    }
}

/* CVT takes and gives halves as bits (NV_gpu_program5, CVT). */
static uint8_t converted(unsigned type)
{
    return type == DT_F16 ? DT_U32 : in_register(type);
}

uint8_t oracle_operand_type(const struct insn *insn, unsigned k)
{
    if (op_shuffles(insn->op) && k > 0)
        return DT_U32;
    switch (insn->op) {
    case OP_SAD: return k < 2 ? in_register(insn->type) : oracle_bytes(insn->type) == 8 ? DT_U64 : DT_U32;
    case OP_CVT: return converted(insn->type2);
    case OP_FLR: case OP_CEIL: case OP_ROUND: case OP_TRUNC: return oracle_bytes(insn->type) == 8 ? DT_F64 : DT_F32;
    case OP_PK64: return DT_U32;
    case OP_UP64: return DT_U64;
    case OP_PK2H: case OP_PK2US: case OP_PK4B: case OP_PK4UB: return DT_F32;
    default: return in_register(insn->type);
    }
}

uint8_t oracle_result_type(const struct insn *insn)
{
    switch (insn->op) {
    case OP_SAD: return oracle_bytes(insn->type) == 8 ? DT_U64 : DT_U32;
    case OP_CVT: return converted(insn->type);
    case OP_I2F: return oracle_bytes(insn->type) == 8 ? DT_F64 : DT_F32;
    case OP_TGBALLOT: case OP_MATCH: return DT_U32;
    case OP_PK64: return oracle_is_float(insn->type) ? DT_F64 : type_table[insn->type].is_signed ? DT_S64 : DT_U64;
    case OP_UP2H: case OP_UP2US: case OP_UP4B: case OP_UP4UB: return DT_F32;
    default: return in_register(insn->type);
    }
}

unsigned oracle_component_reads(const struct oracle_program *p, const struct insn *insn, unsigned k, unsigned c)
{
    enum { X = 1, Y = 2, Z = 4, W = 8, XY = 3, XYZ = 7, ALL = 15 };
    unsigned own = 1u << c;
    if (oracle_is_texture(insn->op))      /* and there may be an offset behind what its shape has */
        return ALL;
    if (shape_table[op_table[insn->op].shape].src[k] == OC_SCALAR)
        return X;
    switch (insn->op) {
    case OP_SFL: case OP_STR: return 0;
    case OP_DP2: case OP_PK2H: case OP_PK2US: return XY;
    case OP_DP3: return XYZ;
    case OP_DP4: case OP_PK4B: case OP_PK4UB: return ALL;
    case OP_DPH: return k == 0 ? XYZ : ALL;
    case OP_DP2A: return k == 2 ? X : XY;
    case OP_DST: return c == 0 ? 0 : c == 1 ? Y : c == 2 ? (k == 0 ? Z : 0) : k == 1 ? W : 0;
    case OP_LIT: return c == 1 ? X : c == 2 ? X | Y | W : 0;
    case OP_NRM: return c == 3 ? (p->nvidia ? ALL : 0) : XYZ;
    case OP_RFL: return c == 3 ? 0 : XYZ;
    case OP_XPD: return c == 3 ? (p->nvidia ? W : 0) : XYZ & ~own;
    case OP_X2D: return k == 0 ? (c & 1 ? Y : X) : k == 1 ? XY : c & 1 ? Z | W : XY;
    case OP_BFE: case OP_BFI: return k == 0 ? XY : own;
    case OP_PK64: return c & 1 ? Z | W : XY;
    case OP_UP64: return c < 2 ? X : Y;
    default: return own;
    }
}

/* Between registers and operations of different sizes: floats are converted, integers extended or cut. */
uint64_t oracle_resize(const struct oracle_program *p, uint64_t bits, unsigned type, bool from_wide, bool to_wide)
{
    struct kernel_request w = {.op = OP_CVT, .semantics = p->nvidia ? GP5_SEMANTICS_NVIDIA : GP5_SEMANTICS_SPEC};
    uint64_t src[3][4] = {{bits, bits, bits, bits}}, r[4];
    if (from_wide == to_wide)
        return bits;
    if (!oracle_is_float(type))
        return !to_wide ? (uint32_t)bits
               : type == DT_S32 || type == DT_S64 ? (uint64_t)(int64_t)(int32_t)(uint32_t)bits : (uint32_t)bits;
    w.type = to_wide ? DT_F64 : DT_F32;
    w.type2 = from_wide ? DT_F64 : DT_F32;
    return scalar_model(&w, src, r) ? r[0] : 0;
}
