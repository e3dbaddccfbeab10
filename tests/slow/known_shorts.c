/* What is known of SHORT variables (docs/numbers.md, "What the compiler computes"): a word, whose low half is made a single where it is read as
 * a float; a denormal one is a zero then, but to half arithmetic. */
#include "tests/slow/follow.h"

#include "tests/scalar_soft.h"

static bool is_short(const struct slow_knowledge *k, unsigned kind, uint32_t ref)
{
    const struct symbol *s = kind == OPND_SYMBOL ? program_symbol(k->p->text, ref) : NULL;
    return s && s->kind == SYM_TEMP && !s->array && s->size == SIZE_SHORT;
}

struct slow_known *slow_of_short(const struct slow_knowledge *k, unsigned kind, uint32_t ref, unsigned c)
{
    return is_short(k, kind, ref) && k->value ? slow_of_any(k, ref, c) : NULL;
}

static bool is_half(const struct insn *insn)
{
    return insn->type == DT_F16 || insn->flags & INSN_HALF;
}

static bool rounds(const struct slow_knowledge *k, const struct insn *insn)
{
    bool to_short = insn->dst.kind == OPND_SYMBOL && program_symbol(k->p->text, insn->dst.ref)->size == SIZE_SHORT;
    if (insn->op == OP_MOV || insn->op == OP_ABS)       /* of a half another one */
        return to_short && slow_is_float(insn->type);
    return shape_table[op_table[insn->op].shape].result != RC_NONE && insn->op != OP_CVT &&
           (is_half(insn) || (to_short && slow_is_float(insn->type)));
}

uint32_t slow_known_float(uint32_t half, bool denormals)
{
    half &= half & 0x7c00 || denormals ? 0xffff : 0x8000;
    return soft_widened(half);
}

bool slow_known_short(const struct slow_knowledge *k, const struct operand *o, unsigned c, unsigned type, struct slow_known *out)
{
    const struct slow_known *v = slow_of_short(k, o->kind, o->ref, c);
    uint32_t single, half;
    *out = (struct slow_known){0};
    if (!v || !v->known || !k->now || o->nindices || slow_bytes(type) != 4)
        return false;
    if (slow_reads_word(k->now, type)) {
        *out = *v;
        out->bits = slow_sign(k->p, type, o->flags, v->bits);
        out->known = !v->half;
        return out->known;
    }
    if (k->now->flags & INSN_PREC || k->now->op == OP_PK2H)
        return false;
    out->known = true;
    out->elsewhere = v->elsewhere;
    single = slow_known_float((uint32_t)v->bits & 0xffff, rounds(k, k->now));
    half = (uint32_t)v->bits & 0xffff;
    if (k->now->op == OP_CVT)
        out->bits = slow_sign(k->p, type, o->flags, half & 0x7c00 ? half : half & 0x8000);
    else
        out->bits = (single & 0x7fffffff) > 0x7f800000 ? single : slow_sign(k->p, type, o->flags, single);
    return true;
}

static bool copies(const struct insn *insn)
{
    bool narrows = insn->op == OP_CVT && insn->type == DT_F16 && insn->type2 == DT_F32 && (!insn->rounding || insn->rounding == MOD_ROUND);
    return ((insn->op == OP_MOV || insn->op == OP_ABS || insn->op == OP_ROUND) && insn->type == DT_F32) || (insn->op == OP_ROUND && is_half(insn)) || narrows;
}

static bool is_left(unsigned op)
{
    return op == OP_CVT || op == OP_UP2H || op == OP_UP2US || op == OP_UP4B || op == OP_UP4UB || op == OP_TRUNC || op == OP_LRP || op == OP_XPD ||
           op == OP_LIT || op == OP_RCC;
}

static struct slow_known component(const struct slow_knowledge *k, const struct insn *insn, unsigned c)
{
    struct slow_operands s;
    slow_look_up(k, insn, &s);
    return slow_known_component(k, insn, &s, c, NULL);
}

struct slow_known slow_known_to_short(const struct slow_knowledge *k, const struct insn *insn, unsigned c, struct slow_place *place)
{
    const struct operand *o = insn->nsrc ? program_operand(k->p->text, insn->src) : NULL;
    struct slow_known r = {0};
    struct insn half = *insn;
    if (!o || insn->dst.nindices || insn->flags & INSN_SSAT || insn->nsrc > 3)
        return r;
    if (insn->op == OP_MOV && !o->flags && !(insn->flags & INSN_SAT) && is_short(k, o->kind, o->ref))
        return o->nindices ? r : *slow_of_short(k, o->kind, o->ref, o->swizzle >> 2 * c & 3);
    if (copies(insn)) {
        half.op = insn->op == OP_ABS ? OP_ABS : OP_MOV;
        half.type = DT_F32;
        r = component(k, &half, c);
        r.known &= !r.loose;
        r.bits = soft_narrowed(r.bits);
        if (place && r.known && insn->op == OP_ROUND) {
            place->computed |= (uint8_t)(1u << c);
            place->word[c] = slow_known_float((uint32_t)r.bits, true);
        }
        return r;
    }
    if (!slow_is_float(slow_result_type(insn))) {
        if (insn->op != OP_PK2H)
            r = component(k, insn, c);
        r.known &= !r.loose;
        return r;
    }
    half.flags |= INSN_HALF;
    if ((insn->type != DT_F32 && !is_half(insn)) || is_left(insn->op))
        return r;
    r = component(k, &half, c);
    r.known &= !r.loose;
    if (r.known && place) {
        place->computed |= (uint8_t)(1u << c);
        place->word[c] = r.bits;
    }
    r.bits = soft_narrowed(r.bits);
    r.half = true;
    return r;
}

void slow_short_part(const struct slow_knowledge *k, const struct insn *insn, unsigned c, struct slow_place *place)
{
    struct slow_place part = {.part = 0};
    struct insn half = *insn;
    struct slow_operands s;
    if ((insn->op != OP_MAD && insn->op != OP_DIV && insn->op != OP_POW && insn->op != OP_CMP && insn->op != OP_LIT) || (insn->type != DT_F32 && insn->type != DT_F16) || insn->flags & INSN_SSAT)
        return;
    half.flags |= INSN_HALF;
    slow_look_up(k, &half, &s);
    slow_known_component(k, &half, &s, c, &part);
    place->part |= part.part;
    place->chosen[2] |= insn->flags & (INSN_PREC | INSN_SAT) ? 0 : part.chosen[2];
    place->over |= part.over;
    place->over_minus |= part.over_minus;
    place->word[c] = part.part >> c & 1 ? part.word[c] : place->word[c];
}

void slow_note_shorts(const struct slow_knowledge *k, const struct insn *insn, struct slow_place *place)
{
    for (unsigned n = 0; n < insn->nsrc && n < 3; n++) {
        const struct operand *o = program_operand(k->p->text, insn->src + n);
        for (unsigned c = 0; !o->nindices && is_short(k, o->kind, o->ref) && c < 4; c++) {
            const struct slow_known *v = slow_of_short(k, o->kind, o->ref, c);
            place->shorts[n] |= (uint8_t)(v->known << c);
            place->halves[n][c] = (uint16_t)v->bits;
        }
    }
}
