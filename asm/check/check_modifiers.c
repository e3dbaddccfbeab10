/* The modifiers of an instruction, from left to right, as the driver meets them. */
#include "asm/check/fix.h"
#include "asm/check/check_internal.h"

/* What has been seen of one instruction. */
struct seen {
    unsigned types, clamps, ccs, roundings, atomics, muls;
    bool high;                  /* MUL.HI */
};

static bool is_memory(const struct op_info *op)
{
    return (op->modifiers & (M_STORAGE | M_ATOMIC)) != 0;
}

/* Which opcodes take a type, and which type: T_F means F, F32 and F16. */
static bool takes_type(const struct checker *c, const struct op_info *op, const struct modifier_info *info)
{
    unsigned type = info->value & DT_MASK;
    bool sized = info->class != MC_TYPE;
    if (op->modifiers & M_CVT)
        return info->class == MC_SIZED;
    if (op->modifiers & M_COUNTER_OPERATION)
        return info->class != MC_VECTOR && (type == DT_U32 || type == DT_S32);
    if (op->modifiers & M_ATOMIC)   /* which of them go with atomics is said behind the last modifier */
        return sized;
    if (op->modifiers & M_STORAGE) {
        if (!sized)
            return (op->types & (type == DT_F32 ? T_F : T_I)) != 0 ||
                   (op->kind == K_IMAGE_LOAD && has_option(c, OPTION_EXT_shader_image_load_formatted));
        if (type == DT_F16)
            return has_option(c, OPTION_NV_gpu_program5_mem_extended);
        if (info->class == MC_VECTOR && type_table[type].bytes < 4)
            return has_option(c, OPTION_NV_gpu_program5_mem_extended);
        return true;
    }
    if (info->class == MC_VECTOR || (sized && profile_table[c->profile].generation < GEN_NV5))
        return false;
    switch (type) {
    case DT_F16:
    case DT_F32: return (op->types & T_F) != 0;
    case DT_F64: return (op->types & T_F64) != 0;
    case DT_S32:
    case DT_U32: return (op->types & T_I) != 0;
    case DT_S64:
    case DT_U64: return (op->types & T_I64) != 0;
    case DT_S8:
    case DT_U8:
    case DT_S16:
    case DT_U16: return (op->types & T_SHORT) != 0;
    default: return false;
    }
}

static bool is_bitwise(unsigned id)
{
    return id == MOD_AND || id == MOD_OR || id == MOD_XOR;
}

/* What an atomic works on, with the options that there are. */
static bool is_atomic_type(const struct checker *c, const struct insn *insn)
{
    bool wide = !op_is(insn->op, K_IMAGE_ATOMIC);
    if (insn->width > 1)
        return insn->type == DT_F16 && has_option(c, OPTION_NV_shader_atomic_fp16_vector);
    switch (insn->type) {
    case DT_U32:
    case DT_S32: return true;
    case DT_U64: return wide;
    case DT_S64: return wide && has_option(c, OPTION_NV_shader_atomic_int64);
    case DT_F32: return has_option(c, OPTION_NV_shader_atomic_float);
    case DT_F64: return wide && has_option(c, OPTION_NV_shader_atomic_float64);
    default: return false;
    }
}

static bool is_atomic_operation(const struct checker *c, const struct insn *insn)
{
    unsigned op = insn->atomic;
    if (insn->type == DT_U64 && op != MOD_ADD && op != MOD_EXCH && op != MOD_CSWAP &&
        !has_option(c, OPTION_NV_shader_atomic_int64))
        return false;
    if (insn->type == DT_F16)
        return op == MOD_ADD || op == MOD_MIN || op == MOD_MAX || op == MOD_EXCH;
    if (type_table[insn->type].is_float)
        return op == MOD_ADD || op == MOD_EXCH;
    return insn->type == DT_U32 || (op != MOD_IWRAP && op != MOD_DWRAP);
}

static struct diag *unsupported(struct checker *c, const struct insn *insn, struct span span)
{
    return check_error(c, FOR_ALL, span, "%s does not take the modifier %.*s", op_table[insn->op].name,
                       check_length(span), check_text(c, span));
}

static void check_type(struct checker *c, const struct insn *insn, const struct modifier *m, struct seen *seen)
{
    const struct op_info *op = &op_table[insn->op];
    const struct modifier_info *info = &modifier_table[m->id];
    if (!takes_type(c, op, info)) {
        struct diag *d = unsupported(c, insn, modifier_span(insn, m));
        if ((op->modifiers & M_STORAGE) && (info->value & DT_MASK) == DT_F16)
            diag_hint(d, "OPTION NV_gpu_program5_mem_extended allows it");
        else if (is_memory(op) && info->class == MC_TYPE)
            diag_hint(d, "memory instructions take a size as well: F32, S32, U32 ...");
        return;
    }
    seen->types++;
    if (op->modifiers & M_CVT) {
        if (seen->types == 3)
            check_error(c, FOR_ALL, modifier_span(insn, m),
                        "CVT takes two types, that of the result and that of the operand");
    } else if (seen->types == 2) {
        check_error(c, FOR_ALL, modifier_span(insn, m), "%s has two types: one says all of it", op->name);
    }
}

/* Of the subgroup reductions; the names are those of the atomic operations, and MUL. */
static bool is_operator(unsigned id)
{
    return id == MOD_ADD || id == MOD_MUL || id == MOD_MIN || id == MOD_MAX || is_bitwise(id);
}

static void check_operator(struct checker *c, const struct insn *insn, const struct modifier *m, struct seen *seen)
{
    if (!(op_table[insn->op].modifiers & M_OPERATOR))
        unsupported(c, insn, modifier_span(insn, m));
    else if (seen->atomics++)
        check_error(c, FOR_ALL, modifier_span(insn, m), "%s does one operation", op_table[insn->op].name);
}

/* TXD takes a clamp everywhere, TEX and TXB in fragment programs. */
static void check_clamp(struct checker *c, const struct insn *insn, struct span span)
{
    bool fragment = in_stage(c, STAGE_FRAGMENT);
    if (insn->op == OP_TXD || (fragment && (insn->op == OP_TEX || insn->op == OP_TXB)))
        return;
    check_error(c, FOR_NVIDIA, span, "LODCLAMP goes with TXD, and with TEX and TXB in fragment programs");
}

static void check_class(struct checker *c, const struct insn *insn, const struct modifier *m, struct seen *seen)
{
    const struct op_info *op = &op_table[insn->op];
    struct span span = modifier_span(insn, m);
    switch ((enum modifier_class)modifier_table[m->id].class) {
    case MC_TYPE:
    case MC_SIZED:
    case MC_VECTOR:
        check_type(c, insn, m, seen);
        break;
    case MC_CC:
        if (!(op->modifiers & M_CC))
            diag_hint(unsupported(c, insn, span), "%s does not set condition codes", op->name);
        else if (seen->ccs++)
            check_error(c, FOR_ALL, span, "an instruction sets one condition code register at most");
        break;
    case MC_CLAMP:
        if (!(op->modifiers & M_SAT))
            unsupported(c, insn, span);
        else if (seen->clamps++)
            check_error(c, FOR_ALL, span, "SAT and SSAT exclude each other and stand once at most");
        break;
    case MC_ROUNDING:
        if (!(op->modifiers & M_CVT)) {
            bool internal = has_option(c, OPTION_NV_internal) && op_has(insn->op, A_INTERNAL);
            check_error(c, internal ? FOR_SPEC : FOR_ALL, span, "only CVT takes a rounding: %s rounds to nearest",
                        op->name);
        } else if (seen->roundings++) {
            check_error(c, FOR_SPEC, span, "CVT takes one rounding");
        }
        break;
    case MC_MUL:
        if (!(op->modifiers & M_MUL))
            check_error(c, FOR_ALL, span, "only MUL takes %.*s", check_length(span), check_text(c, span));
        else if (seen->muls++)
            check_error(c, FOR_ALL, span, "HI, S24 and U24 exclude each other");
        seen->high |= m->id == MOD_HI;
        break;
    case MC_ACCESS:
        if (!is_memory(op) || insn->op == OP_LDC)
            check_error(c, FOR_ALL, span, "only loads, stores and atomics take %.*s", check_length(span),
                        check_text(c, span));
        break;
    case MC_SCOPE:
        if (!(op->modifiers & M_CTA))
            unsupported(c, insn, span);
        break;
    case MC_DERIVATIVE:
        if (!(op->modifiers & M_DERIVATIVE) || !has_option(c, OPTION_ARB_derivative_control))
            unsupported(c, insn, span);
        break;
    case MC_TEXTURE:
        if (!(op->modifiers & M_TEX) && !(m->id == MOD_SPARSE && op_is(insn->op, K_QUERY)))
            unsupported(c, insn, span);
        else if (m->id == MOD_LODCLAMP)
            check_clamp(c, insn, span);
        break;
    case MC_ATOMIC:
        if (op->modifiers & M_OPERATOR && is_operator(m->id))
            check_operator(c, insn, m, seen);
        else if (!(op->modifiers & (M_ATOMIC | M_COUNTER_OPERATION)))
            unsupported(c, insn, span);
        else if (seen->atomics++)
            check_error(c, FOR_ALL, span, "%s does one operation", op->name);
        break;
    case MC_COUNTER:
        if (!(op->modifiers & M_COUNTER))
            unsupported(c, insn, span);
        break;
    case MC_MATCH:
        if (!(op->modifiers & M_MATCH))
            unsupported(c, insn, span);
        break;
    case MC_OPERATOR:
        check_operator(c, insn, m, seen);
        break;
    case MC_VARIABLE:
        if (!(op->modifiers & M_VARIABLE))
            unsupported(c, insn, span);
        else if (seen->atomics++)
            check_error(c, FOR_ALL, span, "%s gives one variable", op->name);
        break;
    case MC_MEMORY:
        if (!(op->modifiers & M_MEMORY) || seen->atomics++)
            unsupported(c, insn, span);
        break;
    case MC_FLAG:
        break;
    }
}

/* UP2H and its like make floats, whatever their type says of the word that they unpack; TGBALLOT makes none. */
static bool makes_float(const struct insn *insn)
{
    char number = op_number(insn->op, 0);
    return number == 'F' || (number == '=' && type_table[insn->type].is_float);
}

/* What can only be said when all of them are known; the driver reports it at the token behind them. */
static void check_together(struct checker *c, const struct insn *insn, const struct seen *seen)
{
    const struct op_info *op = &op_table[insn->op];
    uint32_t end = insn->nmodifiers
                       ? span_end(program_modifier_span(c->program, insn, insn->nmodifiers - 1u))
                       : span_end(insn_name(insn));
    uint32_t next = check_next_token(c, end);
    struct span word = {insn->span.offset, end - insn->span.offset};
    struct diag *d = NULL;
    if (is_memory(op) && seen->types == 0 && !op_is(insn->op, K_IMAGE_STORE)) {
        d = check_error(c, FOR_ALL, word, "%s needs to know what it moves", op->name);
        diag_hint(d, "add a size: %s.U32, %s.F32X4 ...", op->name, op->name);
    } else if ((op->modifiers & M_ATOMIC) && seen->atomics == 0) {
        d = check_error(c, FOR_ALL, word, "%s needs an operation", op->name);
        diag_hint(d, "add ADD, MIN, MAX, AND, OR, XOR, EXCH or CSWAP");
    } else if ((op->modifiers & M_COUNTER_OPERATION) && seen->atomics == 0) {
        d = check_error(c, FOR_ALL, word, "%s needs an operation", op->name);
        diag_hint(d, "add ADD, MIN, MAX, AND, OR, XOR, EXCH or CSWAP");
    } else if ((op->modifiers & M_COUNTER_OPERATION) && insn->type != DT_U32) {
        d = check_error(c, FOR_ALL, word, "%s works on unsigned integers", op->name);
        diag_hint(d, "add U");
    } else if ((op->modifiers & M_OPERATOR) && seen->atomics == 0) {
        d = check_error(c, FOR_ALL, word, "%s needs an operation", op->name);
        diag_hint(d, "add ADD, MUL, MIN, MAX, AND, OR or XOR");
    } else if ((op->modifiers & M_OPERATOR) && is_bitwise(insn->atomic) && type_table[insn->type].is_float) {
        d = check_error(c, FOR_ALL, word, "%s is of integers: add S or U", modifier_table[insn->atomic].text);
    } else if ((op->modifiers & M_VARIABLE) && seen->atomics == 0) {
        d = check_error(c, FOR_ALL, word, "%s needs to know which variable", op->name);
        diag_hint(d, "add SIZE, LANE, ID, COUNT, EQMASK, GEMASK, GTMASK, LEMASK or LTMASK");
    } else if ((op->modifiers & M_ATOMIC) && !is_atomic_type(c, insn)) {
        d = check_error(c, FOR_ALL, word, "%s does not work on this type", op->name);
        diag_hint(d, "U32 and S32 are there always; U64, S64, F32, F64, F16X2 and F16X4 with an option");
    } else if ((op->modifiers & M_ATOMIC) && !is_atomic_operation(c, insn)) {
        d = check_error(c, FOR_ALL, word, "%s has no %s of this type", op->name, modifier_table[insn->atomic].text);
        diag_hint(d, "floats have ADD and EXCH, halves MIN and MAX as well; IWRAP and DWRAP are of U32");
    } else if ((op->modifiers & M_CVT) && seen->types < 2) {
        d = check_error(c, FOR_ALL, word, "CVT needs two types, that of the result and that of the operand");
        diag_hint(d, "as in CVT.S32.F32");
    } else if ((op->modifiers & M_MATCH) && insn->atomic == 0) {
        d = check_error(c, FOR_ALL, word, "%s needs to know what it matches", op->name);
        diag_hint(d, "add ANY or ALL");
    } else if (seen->clamps && !(op->modifiers & M_CVT) && !makes_float(insn)) {
        bool internal = has_option(c, OPTION_NV_internal) && !(insn->flags & (INSN_SSAT | INSN_HI)) &&
                        op_has(insn->op, A_INTERNAL);
        d = check_error(c, internal ? FOR_SPEC : FOR_ALL, word,
                        "integers do not saturate: SAT and SSAT go with a float result");
    } else if (seen->clamps && insn->op == OP_CVT && !type_table[insn->type].is_float &&
               (insn->flags & INSN_SSAT || !has_option(c, OPTION_NV_internal))) {
        d = check_error(c, FOR_DRIVER, word, "the driver clamps no integers");
        diag_hint(d, "with OPTION NV_internal it takes SAT");
    } else if (seen->high &&
               (seen->types == 0 || type_table[insn->type].is_float || type_table[insn->type].bytes > 4)) {
        d = check_error(c, FOR_ALL, word, "HI is of integers: add S or U");
    } else if (seen->muls > (seen->high ? 1u : 0u) && seen->types) {
        d = check_error(c, FOR_ALL, word, "S24 and U24 say the type already");
    }
    check_position(d, next);
}

/* Programs before 5.0 have what types the memory with the options that bring memory. */
static bool is_known_before_5(const struct checker *c, unsigned id)
{
    unsigned type = modifier_table[id].value & DT_MASK;
    bool memory = has_option(c, OPTION_NV_parameter_buffer_object2) || has_option(c, OPTION_NV_shader_buffer_load);
    switch ((enum modifier_class)modifier_table[id].class) {
    case MC_SIZED: return memory && type != DT_F16 && type != DT_S64 && type != DT_U64;
    case MC_VECTOR: return type == DT_F16 || (memory && type_table[type].bytes < 8);
    case MC_ACCESS: return false;
    case MC_COUNTER: return has_option(c, OPTION_NV_shader_atomic_counters);
    case MC_MATCH: return has_option(c, OPTION_NV_internal);
    default: return id != MOD_PREC && id != MOD_IWRAP && id != MOD_DWRAP && id != MOD_EXCH && id != MOD_CSWAP;
    }
}

static bool is_known(const struct checker *c, unsigned id)
{
    switch (id) {
    case MOD_UNKNOWN: return false;
    case MOD_FINE:
    case MOD_COARSE: return has_option(c, OPTION_ARB_derivative_control);
    case MOD_SPARSE:
    case MOD_LODCLAMP: return has_option(c, OPTION_EXT_sparse_texture2);
    case MOD_F16X2:
    case MOD_F16X4:
        return has_option(c, OPTION_NV_shader_atomic_fp16_vector) ||
               has_option(c, OPTION_NV_gpu_program5_mem_extended);
    case MOD_CTA: return profile_table[c->profile].stage_id == STAGE_COMPUTE;
    default:
        if (profile_table[c->profile].generation < GEN_NV5 && !is_known_before_5(c, id))
            return false;
        return modifier_table[id].class < MC_OPERATOR || has_option(c, OPTION_GP5_subgroup);
    }
}

static void check_unknown(struct checker *c, const struct insn *insn, const struct modifier *m)
{
    struct diag *d = check_error(c, FOR_ALL, modifier_span(insn, m), "there is no modifier %.*s",
                                 check_length(modifier_span(insn, m)), check_text(c, modifier_span(insn, m)));
    if (m->id == MOD_FINE || m->id == MOD_COARSE)
        diag_hint(d, "it needs OPTION ARB_derivative_control");
    else if (m->id == MOD_SPARSE || m->id == MOD_LODCLAMP)
        diag_hint(d, "it needs OPTION EXT_sparse_texture2");
    else {
        bool only;
        const char *meant = asm_suggest_modifier(c->program, modifier_span(insn, m), &only);
        fix_word(d, modifier_span(insn, m), meant, only);
    }
}

/* RC_SAT at the end of the name: that the opcode takes them the scanner knows. */
static void take_suffix(const struct modifier *m, struct seen *seen)
{
    switch ((enum modifier_class)modifier_table[m->id].class) {
    case MC_CC: seen->ccs++; break;
    case MC_CLAMP: seen->clamps++; break;
    default: seen->types++; break;
    }
}

void check_modifiers(struct checker *c, const struct insn *insn)
{
    struct seen seen = {0};
    for (unsigned i = 0; i < insn->nmodifiers; i++) {
        const struct modifier *m = program_modifier(c->program, insn->modifier + i);
        if (m->suffix) {
            take_suffix(m, &seen);
            continue;
        }
        if (!c->typed) {
            struct diag *d = check_error(c, FOR_ALL, modifier_span(insn, m), "opcodes have no modifiers in %s programs",
                                         profile_table[c->profile].stage);
            uint8_t shape = op_table[insn->op].shape;       /* CAL and BRA take the dot for a label */
            check_position(d, modifier_span(insn, m).offset - (shape != SHAPE_CALL));
        }
        else if (!is_known(c, m->id))
            check_unknown(c, insn, m);
        else if (m->id == MOD_F16X2 || m->id == MOD_F16X4) {
            if (check_text(c, modifier_span(insn, m))[3] == 'x')       /* emulators write it so */
                diag_hint(check_error(c, FOR_DRIVER, modifier_span(insn, m), "there is no modifier %.*s",
                                      check_length(modifier_span(insn, m)), check_text(c, modifier_span(insn, m))),
                          "the driver knows %s, with a capital X", modifier_table[m->id].text);
            check_class(c, insn, m, &seen);
        }
        else
            check_class(c, insn, m, &seen);
    }
    if (c->typed)
        check_together(c, insn, &seen);
}
