/* What the texts of NV_gpu_program4, NV_gpu_program5 and of their stages forbid in an instruction, and NVIDIA's driver
 * takes: forms of texture instructions, numbers of the wrong kind, results that pass through, sizes. The rows are those
 * of tests/cli/option_texts.txt. */
#include "asm/check/check_internal.h"
#include "asm/check/fix.h"

#include <string.h>

/* ---- texture instructions ---------------------------------------------------------------------------------------- */

#define T(id) (UINT64_C(1) << TARGET_##id)

static const uint64_t shadows = T(SHADOW1D) | T(SHADOW2D) | T(SHADOWRECT) | T(SHADOWCUBE) | T(SHADOWARRAY1D) |
                                T(SHADOWARRAY2D) | T(SHADOWARRAYCUBE),
                      cubes = T(CUBE) | T(ARRAYCUBE), fetched = T(BUFFER) | T(2DMS) | T(ARRAY2DMS) | T(RENDERBUFFER),
                      gathered = T(2D) | T(RECT) | T(ARRAY2D) | T(SHADOW2D) | T(SHADOWRECT) | T(SHADOWARRAY2D);

/* The targets that an instruction does not take. */
static uint64_t forbidden_targets(unsigned op)
{
    switch (op) {
    case OP_TEX:
    case OP_TXD:
    case OP_LOD: return fetched;
    case OP_TXB:
    case OP_TXL:
    case OP_TXP: return fetched | T(SHADOWCUBE) | T(SHADOWARRAY2D);
    case OP_TXF: return shadows | cubes | T(2DMS) | T(ARRAY2DMS) | T(RENDERBUFFER);
    case OP_TXG: return ~(gathered | cubes | T(SHADOWCUBE) | T(SHADOWARRAYCUBE));
    case OP_TXGO: return ~gathered;
    default: return 0;
    }
}

static bool has_offset(const struct checker *c, const struct insn *insn, struct span *span)
{
    for (uint32_t i = 0; i < insn->nsrc; i++) {
        const struct operand *o = program_operand(c->program, insn->src + i);
        if (o->flags & OPND_OFFSET) {
            *span = o->span;
            return true;
        }
    }
    return false;
}

static void check_texture_text(struct checker *c, const struct insn *insn)
{
    uint64_t target = UINT64_C(1) << insn->texture_target;
    const char *name = op_table[insn->op].name, *text = target_table[insn->texture_target].text;
    bool early = generation_of(c) == GEN_NV4 && target & (T(ARRAYCUBE) | T(SHADOWARRAYCUBE));
    struct span offset;

    if (forbidden_targets(insn->op) & target || early)
        check_error(c, FOR_SPEC, program_target_span(c->program, insn),
                    "by the specifications %s does not take the target %s", name, text);
    for (unsigned i = 0; insn->op == OP_TXGO && i < insn->ntexels; i++)
        if (insn_texel(insn, i))
            check_error(c, FOR_SPEC, program_target_span(c->program, insn),
                        "TXGO has its offsets in its operands, and none in numbers");
    if (!has_offset(c, insn, &offset))
        return;
    if (target & (cubes | T(SHADOWCUBE) | T(SHADOWARRAYCUBE)))
        check_error(c, FOR_SPEC, offset, "by the specifications the target %s has no texel offsets", text);
}

/* ---- operands and results ---------------------------------------------------------------------------------------- */

static bool is_long(const struct checker *c, unsigned kind, uint32_t ref)
{
    return kind == OPND_SYMBOL && program_symbol(c->program, ref)->size == SIZE_LONG;
}

/* The binding that an operand reads, if it is of one. */
static const struct binding *binding_of(const struct checker *c, unsigned kind, uint32_t ref)
{
    if (kind == OPND_BINDING)
        return program_binding(c->program, ref);
    const struct symbol *s = kind == OPND_SYMBOL ? program_symbol(c->program, ref) : NULL;
    return s && s->nbindings == 1 && (s->kind == SYM_ATTRIB || s->kind == SYM_OUTPUT)
               ? program_binding(c->program, s->binding) : NULL;
}

static void check_first_operand(struct checker *c, const struct insn *insn)
{
    const struct operand *o = program_operand(c->program, insn->src);
    const struct binding *b = binding_of(c, o->kind, o->ref);
    const char *name = op_table[insn->op].name;

    if (insn->op == OP_UP64 && !is_long(c, o->kind, o->ref))
        check_error(c, FOR_SPEC, o->span, "UP64 reads 64 bits: of a LONG variable");
    if (insn->op == OP_LDC && (o->kind != OPND_SYMBOL || program_symbol(c->program, o->ref)->kind != SYM_CBUFFER))
        check_error(c, FOR_SPEC, o->span, "by the specifications LDC reads a CBUFFER variable");
    if (op_is(insn->op, K_INTERPOLATION) && b && (b->kind == BIND_FRAGMENT_FACING || b->kind == BIND_PRIMITIVE_ID))
        check_error(c, FOR_SPEC, o->span, "by the specifications %s does not interpolate %.*s", name,
                    check_length(b->span), check_text(c, b->span));
}

/* The bytes of shared memory that a constant index and a type say. */
static void check_shared_end(struct checker *c, const struct insn *insn)
{
    for (uint32_t i = 0; i < insn->nsrc; i++) {
        const struct operand *o = program_operand(c->program, insn->src + i);
        const struct symbol *s = o->kind == OPND_SYMBOL ? program_symbol(c->program, o->ref) : NULL;
        if (!s || s->kind != SYM_SHARED || o->nindices != 1 || s->nbindings == 0)
            continue;
        const struct index *index = program_index(c->program, o->index);
        const struct binding *b = program_binding(c->program, s->binding);
        uint64_t bytes = (uint64_t)type_table[insn->type].bytes * (insn->width ? insn->width : 1),
                 at = (b->nindices ? b->first[0] : 0) + (uint64_t)(index->offset > 0 ? index->offset : 0);
        if (index->mode == INDEX_CONSTANT && at + bytes > c->program->shared_memory)
            check_error(c, FOR_SPEC, o->span, "%llu bytes from %llu on reach beyond the shared memory of %u",
                        (unsigned long long)bytes, (unsigned long long)at, c->program->shared_memory);
    }
}

static void check_geometry(struct checker *c, const struct insn *insn)
{
    bool passes = has_option(c, OPTION_NV_geometry_shader_passthrough),
         emits = insn->op == OP_EMIT || insn->op == OP_EMITS || insn->op == OP_ENDPRIM;

    if (passes && emits)
        check_position(check_error(c, FOR_ALL, insn_name(insn), "vertices pass through here: %s has no place",
                                   op_table[insn->op].name),
                       check_next_token(c, span_end(insn_name(insn))));
    else if (!passes && insn->op == OP_EMITS && c->primitive_out != STAGE_WORD_POINTS)
        check_error(c, FOR_SPEC, insn_name(insn), "EMITS is of programs with PRIMITIVE_OUT POINTS");
}

/* ---- modifiers --------------------------------------------------------------------------------------------------- */

static void check_modifier_text(struct checker *c, const struct insn *insn)
{
    const struct op_info *op = &op_table[insn->op];
    bool quad = op_is(insn->op, K_QUAD);
    unsigned counters = 0;

    for (unsigned i = 0; i < insn->nmodifiers; i++) {
        const struct modifier *m = program_modifier(c->program, insn->modifier + i);
        struct span span = program_modifier_span(c->program, insn, i);
        uint8_t class = modifier_table[m->id].class;
        counters += class == MC_COUNTER;
        if ((quad && (class == MC_CC || class == MC_CLAMP)) ||
            (m->id == MOD_F16 && !m->suffix && !(op->modifiers & (M_CVT | M_STORAGE))))
            check_error(c, FOR_SPEC, span, "by the specifications %s does not take %.*s", op->name, check_length(span),
                        check_text(c, span));
    }
    if (insn->flags & INSN_FIXED)
        check_error(c, FOR_SPEC, insn_name(insn), "from 4.0 on no opcode ends in X");
    if (op->modifiers & M_COUNTER && !counters)
        check_error(c, FOR_SPEC, insn_name(insn), "by the specifications ATOMCTR says INCR, DECR or GET");
}

static void check_test_text(struct checker *c, const struct insn *insn, const struct condition *condition)
{
    bool resident = condition->rule == CC_RESIDENT || condition->rule == CC_NONRESIDENT;
    if (!resident)
        return;
    struct span rule = check_first_word(c, program_test_span(c->program, insn));
    if (generation_of(c) < GEN_NV5)
        check_error(c, FOR_SPEC, rule, "RESIDENT and NONRESIDENT come with 5.0");
    if (!has_option(c, OPTION_EXT_sparse_texture2))
        fix_option(c->program,
                   check_error(c, FOR_NVIDIA, rule, "%.*s needs OPTION EXT_sparse_texture2", check_length(rule),
                               check_text(c, rule)),
                   "EXT_sparse_texture2");
}

void check_typed_text(struct checker *c, const struct insn *insn)
{
    if (insn->flags & INSN_BROKEN)
        return;
    check_modifier_text(c, insn);
    check_test_text(c, insn, &insn->condition);
    check_test_text(c, insn, &insn->dst.condition);
    if (insn->texture_target && op_is(insn->op, K_TEXTURE))
        check_texture_text(c, insn);
    if (insn->op == OP_PK64 && !is_long(c, insn->dst.kind, insn->dst.ref))
        check_error(c, FOR_SPEC, check_result_span(c, insn), "PK64 writes 64 bits: to a LONG variable");
    if (insn->nsrc)
        check_first_operand(c, insn);
    if (c->program->shared_memory)
        check_shared_end(c, insn);
    if (in_stage(c, STAGE_GEOMETRY))
        check_geometry(c, insn);
}

/* What PASSTHROUGH names no instruction writes. The driver says so at the end. */
void check_passed(struct checker *c)
{
    for (uint32_t i = 0; i < c->program->nstatements; i++) {
        const struct statement s = program_statement(c->program, i);
        const struct binding *b =
            s.kind == STMT_PASSTHROUGH && s.ref != NO_INDEX ? program_binding(c->program, s.ref) : NULL;
        for (uint32_t k = 0; b && k < c->program->insns.count; k++) {
            const struct insn *insn = program_insn(c->program, k);
            const struct binding *written = binding_of(c, insn->dst.kind, insn->dst.ref);
            if (!written || b->kind != written->kind ||
                (b->nindices && written->nindices &&
                 (b->first[0] > written->first[0] || written->first[0] > b->last[0])))
                continue;
            c->reported = 0;
            check_position(check_error(c, FOR_ALL, check_result_span(c, insn),
                                       "%.*s passes through: no instruction writes it", check_length(b->span),
                                       check_text(c, b->span)),
                           (uint32_t)c->program->size);
            return;
        }
    }
}
