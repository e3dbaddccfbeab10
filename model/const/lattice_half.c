/* What the driver's compiler knows of SHORT variables (tests/tools/opsweep_short.c): the word of a literal, which is a
 * half that is made a single where it is read as a float; a denormal one is a zero then. Half arithmetic does not see
 * through that, unless half arithmetic made it. */
#include "model/tables.h"
#include "eval/numeric/half_memory.h"
#include "model/const/lattice.h"

static bool is_half(const struct insn *insn)
{
    return insn->type == DT_F16 || insn->flags & INSN_HALF;
}

/* Whether an instruction rounds what it reads to half, or puts a sign on a half that goes to a SHORT variable again. */
static bool rounds(const struct known *k, const struct insn *insn)
{
    const struct result *r = &insn->dst;
    bool to_short = r->kind == OPND_SYMBOL && program_symbol(k->p, r->ref)->size == SIZE_SHORT;

    if (insn->op == OP_MOV || insn->op == OP_ABS)
        return to_short && type_table[insn->type].is_float;
    return shape_table[op_table[insn->op].shape].result != RC_NONE && insn->op != OP_CVT &&
           (is_half(insn) || (to_short && type_table[insn->type].is_float));
}

bool model_known_short(const struct known *k, const struct operand *o, unsigned c, uint8_t type, uint64_t *word)
{
    const struct known_value *v = model_known_at(k, k->first[o->ref] + c);
    uint32_t half = (uint32_t)v->word & 0xffff;

    if (!v->known || !k->now || o->nindices || type_table[type].bytes != 4)
        return false;
    if (eval_is_read_as_word(k->now, type)) {
        *word = v->word;
        return !v->half;
    }
    if (k->now->flags & INSN_PREC || k->now->op == OP_PK2H)
        return false;
    half = half & 0x7c00 || rounds(k, k->now) ? half : half & 0x8000;
    *word = k->now->op == OP_CVT ? half : eval_half_to_float((uint16_t)half);
    return true;
}

/* What is copied into a SHORT variable, and made a half there; ROUND does nothing to what is known. */
static bool copies(const struct insn *insn)
{
    bool narrows = insn->op == OP_CVT && insn->type == DT_F16 && insn->type2 == DT_F32 &&
                   (!insn->rounding || insn->rounding == MOD_ROUND);

    return ((insn->op == OP_MOV || insn->op == OP_ABS || insn->op == OP_ROUND) && insn->type == DT_F32) ||
           (insn->op == OP_ROUND && is_half(insn)) || narrows;
}

/* What the compiler leaves to run time there. */
static bool is_left(unsigned op)
{
    switch (op) {
    case OP_CVT: case OP_UP2H: case OP_UP2US: case OP_UP4B: case OP_UP4UB: case OP_TRUNC: case OP_LRP: case OP_XPD:
    case OP_LIT: case OP_RCC:
        return true;
    default:
        return false;
    }
}

bool model_known_to_short(const struct known *k, const struct insn *insn, unsigned c, struct known_value *v,
                          struct folded *folded)
{
    const struct operand *o = insn->nsrc ? program_operand(k->p, insn->src) : NULL;
    struct insn half = *insn;

    if (!o || insn->dst.nindices || insn->flags & INSN_SSAT || insn->nsrc > 3)
        return false;
    if (insn->op == OP_MOV && !o->flags && !(insn->flags & INSN_SAT) && model_known_is_short(k, o->kind, o->ref)) {
        const struct known_value *from =
            o->nindices ? NULL : model_known_at(k, k->first[o->ref] + (o->swizzle >> 2 * c & 3));
        v->word = from ? from->word : 0;
        v->half = from && from->half;
        v->of_any = from && from->of_any;
        return from && from->known;
    }
    if (copies(insn)) {
        half = *insn;
        half.op = insn->op == OP_ABS ? OP_ABS : OP_MOV;
        half.type = DT_F32;
        if (!model_known_component(k, &half, c, v, NULL))
            return false;
        v->word = eval_float_to_half((uint32_t)v->word);
        if (folded && insn->op == OP_ROUND && !v->absorbed && model_has(k->passes, PASS_fold)) {
            folded->mask |= (uint8_t)(1u << c);
            folded->of_any |= (uint8_t)(v->of_any << c);
            folded->word[c] = eval_half_to_float((uint16_t)v->word);
        }
        return !v->absorbed;
    }
    if (!type_table[eval_result_type(insn)].is_float)
        return insn->op != OP_PK2H && model_known_component(k, insn, c, v, NULL) && !v->absorbed;
    if (insn->type != DT_F32 && !is_half(insn))
        return false;
    half.flags |= INSN_HALF;
    if (is_left(insn->op) || !model_known_component(k, &half, c, v, NULL) || v->absorbed)
        return false;
    if (folded && model_has(k->passes, PASS_fold)) {
        folded->mask |= (uint8_t)(1u << c);
        folded->of_any |= (uint8_t)(v->of_any << c);
        folded->word[c] = v->word;
    }
    v->word = eval_float_to_half((uint32_t)v->word);
    v->half = true;
    return true;
}

void model_known_shorts(const struct known *k, const struct insn *insn, struct folded *folded)
{
    for (unsigned n = 0; model_has(k->passes, PASS_fold) && n < insn->nsrc && n < 3; n++) {
        const struct operand *o = program_operand(k->p, insn->src + n);
        if (o->nindices || !model_known_is_short(k, o->kind, o->ref))
            continue;
        for (unsigned c = 0; c < 4; c++) {
            const struct known_value *v = model_known_at(k, k->first[o->ref] + c);
            if (!v->known)
                continue;
            folded->of_any |= v->of_any ? 15 : 0;
            folded->shorts[n] |= (uint8_t)(1u << c);
            folded->halves[n][c] = (uint16_t)v->word;
        }
    }
}
