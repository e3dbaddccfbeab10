/* SHORT variables as the driver has them (docs/semantics.md, "SHORT variables and half arithmetic"): registers of 32
 * bits. A float that is written there is made a half, in the low bits; who reads it as a float takes the low bits for
 * one, or what was only copied there as it was; who reads it as an integer takes all 32. */
#include "tests/oracle/internal.h"

#include "tests/oracle/scalar_soft.h"

bool oracle_is_short(const struct oracle_program *p, unsigned kind, uint32_t ref)
{
    const struct symbol *s = kind == OPND_SYMBOL ? program_symbol(p->text, ref) : NULL;
    return p->nvidia && s && s->size == SIZE_SHORT && p->first[ref] != NO_INDEX && !s->array;
}

static bool converts(const struct insn *insn, unsigned to, unsigned from)
{
    return insn->op == OP_CVT && insn->type == to && insn->type2 == from && !insn->cc_update &&
           (!insn->rounding || insn->rounding == MOD_ROUND) &&
           !(insn->flags & (to == DT_F16 ? INSN_SSAT : INSN_SAT | INSN_SSAT));
}

bool oracle_sets_flags_alone(const struct oracle_program *p, const struct insn *insn)
{
    return insn->cc_update && insn->dst.kind == OPND_SYMBOL &&
           program_symbol(p->text, insn->dst.ref)->kind == SYM_TEMP && !p->read[insn->dst.ref];
}

static bool clamps_behind_flags(const struct oracle_program *p, const struct insn *insn)
{
    return insn->flags & INSN_SAT && oracle_sets_flags_alone(p, insn) &&
           (insn->type == DT_F32 || insn->type == DT_F16) && insn->op != OP_CMP &&
           shape_table[op_table[insn->op].shape].result != RC_SCALAR;
}

struct insn oracle_short_form(const struct oracle_program *p, const struct insn *insn)
{
    struct insn form = *insn;
    const struct operand *o = insn->nsrc ? program_operand(p->text, insn->src) : NULL;
    bool to_short = oracle_is_short(p, insn->dst.kind, insn->dst.ref);
    if (!p->nvidia)
        return form;
    if (clamps_behind_flags(p, insn))
        form.flags &= ~(uint32_t)INSN_SAT;
    if (to_short && insn->type == DT_F16 && insn->width == 1 &&
        (insn->op == OP_LDB || insn->op == OP_LDS || insn->op == OP_LDC || insn->op == OP_LOAD)) {
        form.type = DT_U16;
    } else if (oracle_drops_half(p, insn)) {
        form.type = DT_F32;
        form.flags = (form.flags & ~(uint32_t)INSN_HALF) | ORACLE_SINGLE;
    } else if (p->nvidia && insn->type == DT_F16 &&
               (insn->op == OP_ABS || insn->op == OP_ROUND || insn->op == OP_TRUNC)) {
        form.type = DT_F32;     /* they take no notice of it */
    } else if (to_short ? converts(insn, DT_F16, DT_F32)
                        : converts(insn, DT_F32, DT_F16) && o && oracle_is_short(p, o->kind, o->ref)) {
        form.op = OP_MOV;
        form.type = form.type2 = DT_F32;
        form.rounding = 0;
    }
    return form;
}

bool oracle_moves_short(const struct oracle_program *p, const struct insn *insn)
{
    const struct operand *o = program_operand(p->text, insn->src);
    return insn->op == OP_MOV && !o->flags && !(insn->flags & (INSN_SAT | INSN_SSAT)) &&
           oracle_is_short(p, o->kind, o->ref);
}

/* Whether an instruction leaves all 32 bits there: of an integer, or of a conversion. */
static bool leaves_word(const struct insn *insn)
{
    switch (insn->op) {
    case OP_CVT: case OP_PK2H: case OP_PK2US: case OP_PK4B: case OP_PK4UB: case OP_ATOMB: case OP_ATOMS: case OP_ATOM:
        return true;
    default: return !oracle_is_float(oracle_result_type(insn)) || oracle_bytes(oracle_result_type(insn)) == 8;
    }
}

/* Whether it looks at all 32 bits of an operand that is fetched as `type`. */
static bool reads_word(const struct insn *insn, unsigned type)
{
    switch (insn->op) {
    case OP_CVT: return insn->type2 != DT_F16;
    case OP_UP2H: case OP_UP2US: case OP_UP4B: case OP_UP4UB: return true;
    case OP_ATOMB:
    case OP_ATOMS:
    case OP_ATOM:
        return insn->type != DT_F16 || insn->width != 4 || !oracle_is_float(type);
    default: return !oracle_is_float(type) || oracle_bytes(type) == 8;
    }
}

/* What converts the register's half. */
static bool takes_half(const struct insn *insn)
{
    bool rounds = insn->op == OP_FLR || insn->op == OP_CEIL, to_integer = !oracle_is_float(oracle_result_type(insn));
    return insn->op == OP_ROUND || insn->op == OP_TRUNC || (rounds && to_integer) || insn->flags & INSN_PREC;
}

void oracle_read_short(const struct oracle_lane *l, unsigned type, struct oracle_value *v)
{
    struct insn form = oracle_short_form(l->group->program, oracle_insn_at(l, l->here));
    if (reads_word(&form, type)) {
        v->bits = v->word;
        v->undef = v->word_undef;
    } else if (form.op == OP_CVT) {
        v->bits = soft_narrowed(v->bits);
    } else if (takes_half(&form)) {
        v->bits = soft_widened(soft_narrowed(v->bits));
    }
}

static bool is_constant(const struct oracle_program *p, const struct operand *o)
{
    return o->kind == OPND_CONSTANT ||
           (o->kind == OPND_BINDING && program_binding(p->text, o->ref)->kind == BIND_CONSTANT);
}

/* What is only copied there stays the float that it was. */
static bool copies(const struct oracle_program *p, const struct insn *insn)
{
    if (insn->flags & (INSN_SAT | INSN_SSAT) || condition_restricts(&insn->dst.condition))
        return false;
    switch (insn->op) {
    case OP_MOV: case OP_ABS: case OP_ROUND: return !is_constant(p, program_operand(p->text, insn->src));
    case OP_UP4B: case OP_UP4UB: case OP_UP2US: case OP_LDB: case OP_LDS: case OP_LDC: case OP_LOAD: case OP_DST:
        return true;
    default: return false;
    }
}

/* What single precision makes, and what stands in memory as integers, has zeros above the half. */
static bool clears_upper(const struct insn *insn, bool of_half)
{
    if (insn->flags & (INSN_SAT | INSN_SSAT) || condition_restricts(&insn->dst.condition))
        return false;
    switch (insn->op) {
    case OP_MOV: case OP_ABS: return !of_half;
    case OP_ROUND: case OP_TRUNC: case OP_FLR: case OP_CEIL: case OP_I2F: case OP_UP4B: case OP_UP4UB: case OP_UP2US:
        return true;
    case OP_LDB: case OP_LDS: case OP_LDC: case OP_LOAD: return insn->type != DT_F16;
    default: return false;
    }
}

unsigned oracle_onto_itself(const struct oracle_program *p, const struct insn *insn)
{
    const struct operand *o = insn->nsrc ? program_operand(p->text, insn->src) : NULL;
    unsigned same = 0;
    if (insn->op != OP_MOV || insn->cc_update || !oracle_is_short(p, insn->dst.kind, insn->dst.ref) ||
        !oracle_moves_short(p, insn) || o->ref != insn->dst.ref)
        return 0;
    for (unsigned c = 0; c < 4; c++)
        same |= (o->swizzle >> 2 * c & 3) == c ? 1u << c : 0;
    return same;
}

bool oracle_write_short(struct oracle_lane *l, const struct insn *insn, unsigned c, struct oracle_value *to)
{
    const struct oracle_program *p = l->group->program;
    struct oracle_value from[4];
    if (!oracle_is_short(p, insn->dst.kind, insn->dst.ref))
        return true;
    if (oracle_moves_short(p, insn)) {
        if (!oracle_register(l, program_operand(p->text, insn->src), from))
            return false;
        *to = from[c];
    } else if (leaves_word(insn)) {
        to->word = to->bits & 0xffffffff;
        to->word_undef = to->undef;
        to->bits = soft_widened(to->bits);
        if (insn->op != OP_PK2H || insn->cc_update || insn->flags & (INSN_SAT | INSN_SSAT) ||
            condition_restricts(&insn->dst.condition))
            return true;
        /* the float is the x that it packs */
        if (!oracle_fetch(l, program_operand(p->text, insn->src), DT_F32, from))
            return false;
        to->bits = from[0].bits;
        to->undef = from[0].undef;
    } else {
        to->word = soft_narrowed(to->bits);
        to->word_undef = to->undef || !clears_upper(insn, p->of_half[l->here] >> c & 1);
    }
    return true;
}

/* ---- where halves may stand ------------------------------------------------------------------------------------- */

/* The components of a result that half arithmetic makes, or that are copies of such. */
static uint8_t makes_halves(const struct oracle_program *p, const struct insn *insn, const uint8_t *halves, uint8_t *of)
{
    const struct operand *o = insn->nsrc ? program_operand(p->text, insn->src) : NULL;
    bool loads = insn->op == OP_LDB || insn->op == OP_LDS || insn->op == OP_LDC || insn->op == OP_LOAD;
    *of = 0;
    for (unsigned c = 0; o && o->kind == OPND_SYMBOL && c < 4; c++)
        if (halves[o->ref] >> (o->swizzle >> 2 * c & 3) & 1)
            *of |= (uint8_t)(1u << c);
    if (insn->op == OP_UP2H || (insn->op == OP_CVT && insn->type2 == DT_F16 && insn->type == DT_F32))
        return insn->dst.mask;
    if (insn->op == OP_MOV && o && o->kind == OPND_SYMBOL)
        return insn->dst.mask & (oracle_is_short(p, o->kind, o->ref) ? 15 : *of);
    if (loads && insn->type == DT_F16)
        return insn->dst.mask & (uint8_t)((1u << insn->width) - 1);
    if (insn->op == OP_ABS || insn->op == OP_ROUND || insn->op == OP_TRUNC || insn->op == OP_CVT || op_votes(insn->op))
        return 0;
    return insn->type == DT_F16 || insn->flags & INSN_HALF ? insn->dst.mask : 0;
}

/* Once through the text: a component may hold such a half behind what makes one, up to where the main program writes
 * something else to it for certain. */
void oracle_find_halves(struct oracle_program *p)
{
    uint8_t *halves = p->of_half + p->text->insns.count;
    unsigned nesting = 0;
    bool in_main = true;
    for (uint32_t i = 0; i < p->text->insns.count; i++) {
        const struct insn *written = program_insn(p->text, i);
        struct insn insn = oracle_short_form(p, written);
        const struct result *r = &insn.dst;
        uint8_t made = makes_halves(p, &insn, halves, &p->of_half[i]);
        in_main &= i == 0 || !p->label[i];
        nesting += insn.op == OP_IF || insn.op == OP_REP;
        nesting -= insn.op == OP_ENDIF || insn.op == OP_ENDREP;
        if (r->kind != OPND_SYMBOL || shape_table[op_table[insn.op].shape].result == RC_NONE)
            continue;
        halves[r->ref] |= made;
        if (!nesting && in_main && !r->nindices && !condition_restricts(&r->condition))
            halves[r->ref] &= (uint8_t)~(r->mask & ~made);
    }
}

/* ---- halves in memory and in words ------------------------------------------------------------------------------ */

bool oracle_stored_halves(struct oracle_lane *l, const struct operand *o, struct oracle_value half[4], bool *are)
{
    struct operand plain = *o;
    *are = oracle_is_short(l->group->program, o->kind, o->ref);
    plain.flags = 0;
    if (!*are)
        return true;
    if (!oracle_register(l, &plain, half))
        return false;
    for (unsigned c = 0; c < 4; c++)
        half[c].bits = half[c].word & 0xffff;
    return true;
}

bool oracle_pack_halves(struct oracle_lane *l, const struct insn *insn, struct oracle_value r[4])
{
    const struct operand *o = program_operand(l->group->program->text, insn->src);
    struct oracle_value half[4];
    bool are = false;
    if (insn->cc_update || o->flags)
        return true;
    if (!oracle_stored_halves(l, o, half, &are))
        return false;
    for (unsigned c = 0; are && c < 4; c++)
        r[c].bits = half[0].bits | half[1].bits << 16;
    return true;
}

/* ---- clamps ----------------------------------------------------------------------------------------------------- */

bool oracle_drops_half(const struct oracle_program *p, const struct insn *insn)
{
    return p->nvidia && insn->flags & INSN_SSAT && (insn->type == DT_F16 || insn->flags & INSN_HALF) &&
           insn->op != OP_CVT && !program_is_long(p->text, insn->dst.kind, insn->dst.ref);
}

/* The driver clamps a half with .SSAT to 0, or nobody knows to what. */
static bool loses_clamp(const struct oracle_program *p, const struct insn *insn, bool *zero)
{
    static const uint16_t zeros[] = {OP_ADD, OP_SUB, OP_MUL, OP_MAD,  OP_MIN, OP_MAX, OP_FLR, OP_CEIL, OP_FRC, OP_CMP,
                                     OP_SLT, OP_LRP, OP_DP2, OP_DP2A, OP_DP3, OP_DP4, OP_DPH, OP_XPD,  OP_X2D, OP_SWZ};
    bool clamped = insn->op == OP_MOV || insn->op == OP_ABS || insn->op == OP_ROUND || insn->op == OP_TRUNC;
    *zero = false;
    for (size_t i = 0; i < sizeof zeros / sizeof *zeros; i++)
        *zero |= zeros[i] == insn->op;
    return insn->flags & INSN_SSAT && !(insn->flags & ORACLE_SINGLE) && !clamped &&
           oracle_is_short(p, insn->dst.kind, insn->dst.ref) && !leaves_word(insn);
}

void oracle_finish_short(const struct oracle_program *p, const struct insn *insn, struct oracle_value *v)
{
    bool zero;
    if (!oracle_is_short(p, insn->dst.kind, insn->dst.ref))
        return;
    if (loses_clamp(p, insn, &zero)) {
        v->bits = zero ? 0 : v->bits;
        v->undef = zero ? false : true;
        return;
    }
    if (leaves_word(insn) || copies(p, insn) || oracle_sets_flags_alone(p, insn))
        return;
    switch (insn->op) {
    case OP_TRUNC:
        v->bits = soft_widened(soft_pack(soft_unpack(v->bits, 32, false), 16, SOFT_ZERO, false, 0x7fff));
        break;
    case OP_MOV: case OP_ABS: case OP_ROUND: case OP_MUL: case OP_UP4B: case OP_UP4UB: case OP_UP2US:
        v->bits = soft_widened(soft_narrowed(v->bits));
        break;
    default:
        if (insn->flags & ORACLE_SINGLE)
            v->bits = soft_widened(soft_narrowed(v->bits));
    }
}
