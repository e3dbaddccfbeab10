/* Factors that are known to be 1.0 or -1.0, of doubles to be 0 too: docs/numbers.md, "Pairs and single instructions". */
#include "tests/slow/follow.h"
#include "tests/slow/looks.h"

void slow_note_ones(const struct slow_knowledge *k, const struct insn *insn, struct slow_place *place)
{
    bool several = insn->op == OP_DP2 || insn->op == OP_DP3 || insn->op == OP_DP4 || insn->op == OP_DPH || insn->op == OP_DP2A ||
                   insn->op == OP_X2D || insn->op == OP_DST || insn->op == OP_LRP || insn->op == OP_RFL;
    for (unsigned n = 0; several && (insn->type == DT_F32 || (insn->type == DT_F16 && insn->op == OP_DST)) && n < insn->nsrc; n++)
        for (unsigned c = 0; c < 4; c++) {
            struct slow_known v;
            if (!slow_known_operand(k, program_operand(k->p->text, insn->src + n), c, DT_F32, &v) || v.loose)
                continue;
            place->one[n] |= (uint8_t)(((uint32_t)v.bits << 1 == 0x7f000000u) << c);
            place->minus[n] |= (uint8_t)(((uint32_t)v.bits == 0xbf800000u) << c);
        }
}

/* 1 or -1 where component c of an operand is that number, in a LONG variable that singles are multiplied with; or 0. */
static int long_unit(const struct slow_knowledge *k, const struct operand *o, unsigned c)
{
    const struct slow_known *v = slow_held(k, o, c);
    int unit = 0;
    if (!v || program_symbol(k->p->text, o->ref)->size != SIZE_LONG)
        return 0;
    if (v->known && !v->loose && (v->bits | 1ull << 63) == 0xbff0000000000000)
        unit = v->bits >> 63 ? -1 : 1;
    else if (v->look.sign & (UNIT | MINUS_UNIT))
        unit = v->look.sign & UNIT ? 1 : -1;
    if (o->flags & OPND_NEGATE_INNER)
        unit = -unit;
    if (o->flags & OPND_ABSOLUTE && unit)
        unit = 1;
    return o->flags & OPND_NEGATE ? -unit : unit;
}

static unsigned component_of(const struct slow_knowledge *k, const struct insn *insn, unsigned n, unsigned c)
{
    unsigned mask = slow_made_of(k->p, insn, n, c);
    return mask ? (unsigned)__builtin_ctz(mask) : 0;
}

/* 1 or -1 where factor n is that, or 0. */
static int unit_of(const struct slow_knowledge *k, const struct insn *insn, const struct slow_operands *s, bool known, unsigned n, unsigned c)
{
    unsigned from = component_of(k, insn, n, c);
    uint64_t one = slow_bytes(insn->type) == 8 ? 0x3ff0000000000000 : 0x3f800000, sign = slow_bytes(insn->type) == 8 ? 1ull << 63 : 1u << 31;
    if (known)
        return (s->value[n][from].bits | sign) != (one | sign) ? 0 : s->value[n][from].bits & sign ? -1 : 1;
    return insn->type == DT_F32 && !slow_has_half_form(insn) && insn->op != OP_MAD ? long_unit(k, program_operand(k->p->text, insn->src + n), from) : 0;
}

void slow_note_units(const struct slow_knowledge *k, const struct insn *insn, const struct slow_operands *s, const bool known[3], unsigned c,
                     struct slow_place *place)
{
    uint8_t bit = (uint8_t)(1u << c);
    uint64_t first = s->value[0][component_of(k, insn, 0, c)].bits;
    if (!slow_is_float(insn->type) || (insn->op != OP_MUL && insn->op != OP_DIV && insn->op != OP_MAD))
        return;
    for (unsigned n = 0; n < 2 && insn->type == DT_F64 && insn->op != OP_DIV; n++)
        place->zero[n] |= known[n] && s->value[n][component_of(k, insn, n, c)].bits << 1 == 0 ? bit : 0;
    for (unsigned n = insn->op == OP_DIV; n < 2; n++) {
        int unit = unit_of(k, insn, s, known[n], n, c);
        place->one[n] |= unit ? bit : 0;
        place->minus[n] |= unit < 0 ? bit : 0;
        if (unit)
            break;
    }
    if (insn->op == OP_DIV && known[0] && first << 33 == (uint64_t)0x3f800000 << 33) {
        place->over |= bit;
        place->over_minus |= first >> 31 ? bit : 0;
    }
}

uint16_t slow_unit_in_long(const struct slow_program *p, const struct insn *insn, const struct slow_known *r)
{
    if (!r->known || r->loose || slow_result_type(insn) != DT_F32 || !program_is_long(p->text, insn->dst.kind, insn->dst.ref))
        return 0;
    return (uint32_t)r->bits == 0x3f800000 ? UNIT : (uint32_t)r->bits == 0xbf800000 ? MINUS_UNIT : 0;
}
