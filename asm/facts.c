/* Facts of an instruction that hang on nothing but the program: types of operands and results, which components it
 * reads and writes, what it is to NVIDIA's driver. */
#include "asm/facts.h"

/* ---- operands and results ------------------------------------------------------------------------------ */

enum op_flow eval_op_flow(unsigned op)
{
    if (op >= OP_COUNT)
        return op > OP_COUNT ? FLOW_EACH : FLOW_NONE;
    return (enum op_flow)(op_table[op].data >> 56 & 0x7f);
}

uint8_t eval_component_reads(unsigned op, unsigned k, unsigned c)
{
    if (op >= OP_COUNT)
        return op > OP_COUNT ? (uint8_t)(1u << c) : 15;
    if (k < 4 && shape_table[op_table[op].shape].src[k] == OC_SCALAR && eval_op_flow(op) != FLOW_ALL)
        return 1;
    return k < 3 ? op_table[op].data >> (16 * k + 4 * c) & 15 : 15;
}

uint8_t eval_untouched(const struct insn *insn)
{
    return insn->op >= OP_COUNT || eval_fills_element(insn) ? 0 : (uint8_t)(15 & ~(op_table[insn->op].gives >> 4));
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

/* Of the result (place 0) or an operand (from 1 on), by isa.def's letter. What decodes memory and textures knows the
 * types of addresses and coordinates by itself. */
static uint8_t number_type(const struct insn *insn, unsigned place)
{
    bool wide = type_table[insn->type].bytes == 8;

    switch (op_is(insn->op, K_LANES | K_VOTE | K_MATCH | K_SHUFFLE) ? op_number(insn->op, place) : '=') {
    case 'F': return wide ? DT_F64 : DT_F32;
    case 'U': return wide ? DT_U64 : DT_U32;
    case 'W': case 'H': return DT_U32;
    case 'D': return DT_U64;
    case 'L': return type_table[insn->type].is_float ? DT_F64 : type_table[insn->type].is_signed ? DT_S64 : DT_U64;
    case '2': return conversion_type(insn->type2);
    default: return insn->op == OP_CVT ? conversion_type(insn->type) : eval_register_type(insn->type);
    }
}

uint8_t eval_operand_type(const struct insn *insn, unsigned k)
{
    return number_type(insn, k + 1);
}

uint8_t eval_result_type(const struct insn *insn)
{
    return number_type(insn, 0);
}

bool eval_packs(unsigned op)
{
    return op_has(op, A_PACKS | A_UNPACKS | A_PAIRS);
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
    if (op_is(insn->op, K_LOAD))
        return insn->width && c >= insn->width;
    /* of images: what w gets the image decides, but of the types that came later: image.c, filled() */
    return op_is(insn->op, K_IMAGE_LOAD) && eval_image_moves_bytes(p, insn) && c >= insn->width &&
           (c < 3 || insn->type == DT_F16 || (insn->width > 1 && type_table[insn->type].bytes < 4));
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

    if (insn->type == DT_F16 || insn->dst.kind != OPND_SYMBOL || !op_is(insn->op, K_ATOMIC))
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
    return op_has(insn->op, A_STEPS) && (insn->type == DT_F32 || insn->type == DT_F16) && !(insn->flags & INSN_PREC);
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

/* CVT looks at words and writes words, but a half that it converts is that of the float. To doubles and in memory a
 * word is a word, but of four halves. */
bool eval_is_read_as_word(const struct insn *insn, uint8_t type)
{
    if (op_is(insn->op, K_ATOMIC))
        return !type_table[type].is_float || insn->type != DT_F16 || insn->width != 4;
    if (insn->op == OP_CVT)
        return insn->type2 != DT_F16;
    return op_has(insn->op, A_UNPACKS) || !type_table[type].is_float || type_table[type].bytes == 8;
}

bool eval_is_sum(unsigned op)
{
    return op_has(op, A_SUM);
}

bool eval_is_register(const struct gp5_program *p, const struct operand *o)
{
    uint16_t kind = o->kind == OPND_BINDING ? program_binding(p, o->ref)->kind : BIND_INVOCATION_GROUPCOUNT;

    if (o->kind == OPND_SYMBOL)
        return program_symbol(p, o->ref)->kind == SYM_TEMP;
    return binding_table[kind].class == BC_ATTRIB && kind != BIND_INVOCATION_GROUPCOUNT &&
           kind != BIND_INVOCATION_GROUPSIZE;
}
