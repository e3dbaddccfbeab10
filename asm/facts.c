/* Facts of an instruction that hang on nothing but the program: types of operands and results, which components it
 * reads and writes, what it is to NVIDIA's driver. */
#include "asm/facts.h"

/* ---- operands and results ------------------------------------------------------------------------------ */

enum op_flow eval_op_flow(enum gp5_op op)
{
    if (op >= OP_COUNT)
        return op > OP_COUNT ? FLOW_EACH : FLOW_NONE;
    if (op_table[op].option == OPTION_GP5_subgroup)
        return FLOW_NONE;
    switch (op) {
    case OP_DST: case OP_LIT: case OP_NRM: case OP_RFL: case OP_X2D: case OP_XPD: case OP_PK64: case OP_UP64:
        return FLOW_ALL;
    case OP_BFE: case OP_BFI:
        return FLOW_BITS;
    case OP_TGALL: case OP_TGANY: case OP_TGEQ: case OP_TGBALLOT: case OP_MATCH:
    case OP_SHFUP: case OP_SHFDOWN: case OP_SHFIDX: case OP_SHFXOR:
    case OP_QSWZ0:
    case OP_QSWZ1:
    case OP_QSWZ2:
    case OP_QSWZ3:
    case OP_QSWZX:
    case OP_QSWZY:
    case OP_DDX:
    case OP_DDY:
    case OP_LOAD:
    case OP_ATOM: return FLOW_NONE;
    default:
        break;
    }
    switch (op_table[op].shape) {
    case SHAPE_V_V: case SHAPE_V_VV: case SHAPE_V_VVV: case SHAPE_V_VS:
        return FLOW_EACH;
    case SHAPE_R_V: case SHAPE_R_S: case SHAPE_R_SS: case SHAPE_R_VV: case SHAPE_R_VVV: case SHAPE_V_S:
        return FLOW_ALL;
    default:
        return FLOW_NONE;
    }
}

uint8_t eval_component_reads(unsigned op, unsigned k, unsigned c)
{
    enum op_flow flow = eval_op_flow(op);
    uint8_t class = op < OP_COUNT && k < 4 ? shape_table[op_table[op].shape].src[k] : OC_VECTOR;

    if (class == OC_SCALAR)
        return !((op == OP_EXP || op == OP_LOG) && c == 3);    /* which is 1.0 */
    if (op < OP_COUNT && op_table[op].option == OPTION_GP5_subgroup)
        return op_table[op].shape == SHAPE_R_V || op_table[op].shape == SHAPE_R_VS ||
                       (k == 1 && op_table[op].shape == SHAPE_V_VV)
                   ? 1
                   : (uint8_t)(1u << c);
    switch (op) {
    case OP_SFL: case OP_STR: return 0;
    case OP_DP2: case OP_PK2H: case OP_PK2US: return 3;
    case OP_DP2A: return k == 2 ? 1 : 3;
    case OP_DP3: return 7;
    case OP_DPH: return k == 0 ? 7 : 15;
    case OP_DST: return c == 1 ? 2 : (c == 2 && k == 0) ? 4 : (c == 3 && k == 1) ? 8 : 0;
    case OP_NRM: return c < 3 ? 7 : 15;     /* the driver scales all four */
    case OP_RFL: return c < 3 ? 7 : 0;
    case OP_XPD: return c < 3 ? (uint8_t)(7 & ~(1u << c)) : 8;  /* and computes a w of the two w */
    case OP_X2D: return k == 0 ? (uint8_t)(1u << (c & 1)) : k == 1 ? 3 : c & 1 ? 12 : 3;
    case OP_LIT: return c == 1 ? 1 : c == 2 ? 11 : 0;
    case OP_UP64: return c < 2 ? 1 : 2;
    case OP_PK64: return c & 1 ? 12 : 3;
    case OP_SHFUP: case OP_SHFDOWN: case OP_SHFIDX: case OP_SHFXOR: return 1;
    case OP_TGALL: case OP_TGANY: case OP_TGEQ: case OP_TGBALLOT: case OP_MATCH: return (uint8_t)(1u << c);
    case OP_ATOMIM: case OP_ATOMCTROP:
        if (k == (op == OP_ATOMCTROP))      /* not its place */
            return (uint8_t)(1u << c);
        break;
    default: break;
    }
    if (flow == FLOW_EACH || (flow == FLOW_BITS && k > 0))
        return (uint8_t)(1u << c);
    return flow == FLOW_BITS ? 3 : 15;
}

uint8_t eval_untouched(const struct insn *insn)
{
    switch (insn->op) {
    case OP_SHFUP: case OP_SHFDOWN: case OP_SHFIDX: case OP_SHFXOR:
    case OP_MATCH: return eval_fills_element(insn) ? 0 : 12;
    case OP_SCS: return 12;
    case OP_RFL: return 8;
    default: return 0;
    }
}

uint8_t eval_register_type(uint8_t type)
{
    switch (type) {
    case DT_F16: return DT_F32;
    case DT_S8: case DT_S16: return DT_S32;
    case DT_U8: case DT_U16: return DT_U32;
    case DT_NONE: return DT_F32;
    default: return type;
    }
}

/* CVT reads and writes half floats as bits. */
static uint8_t conversion_type(uint8_t type)
{
    return type == DT_F16 ? DT_U32 : eval_register_type(type);
}

uint8_t eval_operand_type(const struct insn *insn, unsigned k)
{
    bool wide = type_table[insn->type].bytes == 8;

    switch (insn->op) {
    case OP_SAD:        /* the third one is unsigned, as is the result */
        return k < 2 ? eval_register_type(insn->type) : wide ? DT_U64 : DT_U32;
    case OP_CVT:
        return conversion_type(insn->type2);
    case OP_FLR: case OP_CEIL: case OP_ROUND: case OP_TRUNC:
        return wide ? DT_F64 : DT_F32;
    case OP_SHFUP: case OP_SHFDOWN: case OP_SHFIDX: case OP_SHFXOR:
        return k == 0 ? eval_register_type(insn->type) : DT_U32;
    case OP_PK64:
        return DT_U32;
    case OP_UP64:
        return DT_U64;
    case OP_PK2H: case OP_PK2US: case OP_PK4B: case OP_PK4UB:
        return DT_F32;
    default:
        return eval_register_type(insn->type);
    }
}

uint8_t eval_result_type(const struct insn *insn)
{
    switch (insn->op) {
    case OP_SAD:
        return type_table[insn->type].bytes == 8 ? DT_U64 : DT_U32;
    case OP_CVT:
        return conversion_type(insn->type);
    case OP_TGBALLOT: case OP_MATCH:
        return DT_U32;
    case OP_PK64:
        return type_table[insn->type].is_float ? DT_F64 : type_table[insn->type].is_signed ? DT_S64 : DT_U64;
    case OP_I2F:
        return type_table[insn->type].bytes == 8 ? DT_F64 : DT_F32;
    case OP_UP2H: case OP_UP2US: case OP_UP4B: case OP_UP4UB:
        return DT_F32;
    default:
        return eval_register_type(insn->type);
    }
}

bool eval_packs(unsigned op)
{
    switch (op) {
    case OP_PK2H: case OP_PK2US: case OP_PK4B: case OP_PK4UB: case OP_PK64: case OP_UP2H: case OP_UP2US: case OP_UP4B:
    case OP_UP4UB: case OP_UP64:
        return true;
    default: return false;
    }
}

/* A float instruction that writes a SHORT variable is half arithmetic; MOV is a copy whatever it writes. */
bool eval_is_half_of(const struct gp5_program *p, bool nvidia, const struct insn *insn)
{
    if (insn->op == OP_MOV || eval_packs(insn->op) || insn->flags & EVAL_INSN_SINGLE ||
        (nvidia && (eval_drops_half(p, insn) || insn->op == OP_CVT)) || eval_operand_type(insn, 0) != DT_F32 ||
        eval_result_type(insn) != DT_F32)
        return false;
    return insn->type == DT_F16 || insn->flags & INSN_HALF ||
           (insn->dst.kind == OPND_SYMBOL && program_symbol(p, insn->dst.ref)->size == SIZE_SHORT &&
            !(insn->flags & INSN_SINGLE && nvidia));
}

bool eval_is_short_of(const struct gp5_program *p, uint8_t kind, uint32_t ref)
{
    const struct symbol *s = kind == OPND_SYMBOL ? program_symbol(p, ref) : NULL;

    return s && s->size == SIZE_SHORT && (s->kind == SYM_TEMP || s->kind == SYM_OUTPUT) && !s->array;
}

bool eval_is_literal(const struct gp5_program *p, const struct operand *o)
{
    return o->kind == OPND_CONSTANT || (o->kind == OPND_BINDING && program_binding(p, o->ref)->kind == BIND_CONSTANT);
}

struct operand eval_as_added(const struct gp5_program *p, const struct insn *insn, unsigned n)
{
    struct operand o = *program_operand(p, insn->src + n);

    if (insn->op == OP_SUB && n == 1 && insn->type == DT_S32)
        o.flags ^= OPND_NEGATE;
    return o;
}

bool eval_loads_given(const struct gp5_program *p, const struct insn *insn)
{
    const struct operand *o = insn->op == OP_LDC ? program_operand(p, insn->src) : NULL;

    for (unsigned k = 0; o && k < o->nindices; k++)
        if (program_index(p, o->index + k)->mode == INDEX_RELATIVE)
            return false;
    return o != NULL;
}

bool eval_reads_half(const struct insn *insn)
{
    return insn->op == OP_CVT && insn->type2 == DT_F16;
}

/* ---- results ------------------------------------------------------------------------------------------- */

bool eval_clamps_nothing(const struct gp5_program *p, const struct insn *insn)
{
    return insn->flags & INSN_SSAT && insn->type == DT_F64 && !program_is_long(p, insn->dst.kind, insn->dst.ref);
}

bool eval_tests_nothing(const struct gp5_program *p, const struct insn *insn)
{
    return insn->flags & INSN_SSAT && program_is_long(p, insn->dst.kind, insn->dst.ref);
}

bool eval_is_filled(const struct gp5_program *p, const struct insn *insn, unsigned c)
{
    switch (insn->op) {
    case OP_LDB: case OP_LDS: case OP_LDC: case OP_LOAD: return insn->width && c >= insn->width;
    case OP_LOADIM:     /* what w gets the image decides, but of the types that came later: image.c, filled() */
        return eval_image_moves_bytes(p, insn) && c >= insn->width &&
               (c < 3 || insn->type == DT_F16 || (insn->width > 1 && type_table[insn->type].bytes < 4));
    default: return false;
    }
}

uint8_t eval_load_mask(const struct gp5_program *p, const struct insn *insn)
{
    bool wide = program_is_long(p, insn->dst.kind, insn->dst.ref);
    uint8_t mask = insn->dst.mask, pair = mask & 3;

    if ((insn->op != OP_LOAD && insn->op != OP_LDS) || type_table[insn->type].bytes < 4)
        return mask;
    if (type_table[insn->type].bytes == 8 && insn->width == 4)
        return !wide ? mask : mask & 1 ? 15 : 0;
    return insn->width == 2 && mask & 12 && pair && pair != 3 ? mask | 3 : mask;
}

bool eval_image_moves_bytes(const struct gp5_program *p, const struct insn *insn)
{
    for (uint32_t i = 0; i < insn->nmodifiers; i++) {
        uint8_t class = modifier_table[program_modifier(p, insn->modifier + i)->id].class;
        if (class == MC_SIZED || class == MC_VECTOR)
            return true;
    }
    return false;
}

/* A number of 64 bits goes to a variable of 32, or one of 32 to a LONG one: by way of another register, of which the
 * driver's compiler has x alone. */
static bool is_resized(const struct gp5_program *p, const struct insn *insn)
{
    bool wide = type_table[insn->type].bytes == 8;

    if (insn->type == DT_F16 || insn->dst.kind != OPND_SYMBOL ||
        (insn->op != OP_ATOM && insn->op != OP_ATOMB && insn->op != OP_ATOMS))
        return false;
    return wide ? program_symbol(p, insn->dst.ref)->size == SIZE_DEFAULT
                : program_is_long(p, OPND_SYMBOL, insn->dst.ref);
}

/* ATOM and ATOMS write x whatever the mask names, and a test on the result holds back the operation itself. */
bool eval_atomic_is_direct(const struct gp5_program *p, const struct insn *insn)
{
    return (insn->op == OP_ATOM || insn->op == OP_ATOMS) && !is_resized(p, insn);
}

struct gives eval_atomic_gives(const struct gp5_program *p, const struct insn *insn)
{
    uint8_t mask = insn->dst.mask, others = mask & 14;
    bool any = eval_atomic_is_direct(p, insn) && !(insn->type == DT_F16 && insn->width == 4),
         lone = !(mask & (mask - 1)) && !condition_restricts(&insn->dst.condition);

    if (!is_resized(p, insn) || (type_table[insn->type].bytes == 8 && lone))
        others = 0;
    return (struct gives){.value = any ? mask != 0 : mask & 1, .stray = others};
}

uint8_t eval_atomic_written(const struct gp5_program *p, const struct insn *insn)
{
    struct gives gives = eval_atomic_gives(p, insn);

    return gives.value | gives.stray;
}

/* ATOMB gives what it found of halves to SHORT variables alone, of singles to all others. */
bool eval_gives_nothing(const struct gp5_program *p, const struct insn *insn)
{
    bool to_short = insn->dst.kind == OPND_SYMBOL && program_symbol(p, insn->dst.ref)->size == SIZE_SHORT;

    return insn->op == OP_ATOMB && (insn->type == DT_F16 ? !to_short : insn->type == DT_F32 && to_short);
}

static uint8_t test_swizzle(const struct condition *test)
{
    return test->nswizzle ? test->swizzle : 0xe4;
}

bool eval_tests_several(const struct condition *test)
{
    uint8_t swizzle = test_swizzle(test);

    return condition_restricts(test) && swizzle != (swizzle & 3) * 0x55;
}

uint8_t eval_first_alone(const struct condition *test)
{
    uint8_t read = 0, ordered = 0, last = 0;
    unsigned n = 0;

    for (unsigned c = 0; c < 4; c++)
        read |= (uint8_t)(1u << (test_swizzle(test) >> 2 * c & 3));
    for (uint8_t c = 0; c < 4; c++)
        if (read >> c & 1) {
            ordered |= (uint8_t)(c << 2 * n++);
            last = c;
        }
    for (; n < 4; n++)
        ordered |= (uint8_t)(last << 2 * n);
    return ordered;
}

bool eval_has_steps(const struct insn *insn)
{
    switch (insn->op) {
    case OP_DP2: case OP_DP3: case OP_DP4: case OP_DPH: case OP_DP2A: case OP_X2D: case OP_RFL: case OP_NRM:
        return (insn->type == DT_F32 || insn->type == DT_F16) && !(insn->flags & INSN_PREC);
    default: return false;
    }
}

enum insn_precision eval_precision(const struct gp5_program *p, const struct insn *insn)
{
    const struct symbol *s = insn->dst.kind == OPND_SYMBOL ? program_symbol(p, insn->dst.ref) : NULL;
    uint8_t size = s ? s->size : SIZE_DEFAULT;

    if (insn->type == DT_F64)
        return size == SIZE_LONG ? PREC_DOUBLE : PREC_NONE;
    if (size == SIZE_LONG)
        return PREC_NONE;
    if (eval_drops_half(p, insn))
        return size == SIZE_SHORT ? PREC_NONE : PREC_SINGLE;
    if (insn->type == DT_F16 || insn->flags & INSN_HALF)
        return PREC_HALF;
    if (insn->type != DT_F32)
        return PREC_NONE;
    return size == SIZE_SHORT ? PREC_HALF : PREC_SINGLE;
}

enum insn_precision eval_sum_precision(const struct gp5_program *p, bool nvidia, const struct insn *insn)
{
    bool widened =
        insn->type == DT_F32 && program_is_long(p, insn->dst.kind, insn->dst.ref) && !eval_is_half_of(p, nvidia, insn);

    return widened ? PREC_SINGLE : eval_precision(p, insn);
}

/* Whether operand k names the variable that is written, and whether as it stands there. */
bool eval_names_result(const struct gp5_program *p, const struct insn *insn, unsigned k, bool *as_it_stands)
{
    const struct operand *o = program_operand(p, insn->src + k);
    const struct result *r = &insn->dst;

    *as_it_stands = o->swizzle == 0xe4;
    return o->kind == OPND_SYMBOL && o->ref == r->ref && o->nindices == r->nindices &&
           (!o->nindices || (program_index(p, o->index)->mode == INDEX_CONSTANT &&
                             program_index(p, o->index)->offset == program_index(p, r->index)->offset));
}

/* CVT looks at words and writes words, but a half that it converts is that of the float. To doubles and in memory a
 * word is a word, but of four halves. */
bool eval_is_read_as_word(const struct insn *insn, uint8_t type)
{
    switch (insn->op) {
    case OP_ATOMB: case OP_ATOMS:
    case OP_ATOM: return !type_table[type].is_float || insn->type != DT_F16 || insn->width != 4;
    case OP_CVT: return insn->type2 != DT_F16;
    case OP_UP2H: case OP_UP2US: case OP_UP4B: case OP_UP4UB: return true;
    default: return !type_table[type].is_float || type_table[type].bytes == 8;
    }
}

bool eval_is_sum(unsigned op)
{
    return op == OP_ADD || op == OP_SUB || op == OP_MAD || op == OP_SAD;
}

bool eval_is_register(const struct gp5_program *p, const struct operand *o)
{
    uint16_t kind = o->kind == OPND_BINDING ? program_binding(p, o->ref)->kind : BIND_INVOCATION_GROUPCOUNT;

    if (o->kind == OPND_SYMBOL)
        return program_symbol(p, o->ref)->kind == SYM_TEMP;
    return binding_table[kind].class == BC_ATTRIB && kind != BIND_INVOCATION_GROUPCOUNT &&
           kind != BIND_INVOCATION_GROUPSIZE;
}
