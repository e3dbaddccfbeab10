/* One instruction of one lane. */
#include "eval/kernel.h"
#include "tests/slow/flow.h"

#include "tests/scalar_soft.h"

#include <string.h>

/* Carry and overflow as the instruction has it. A negated operand makes a sum a difference: of -a and -b that of b from -a. */
static void plain_carry(const struct insn *insn, struct slow_value s[3][4], const struct operand *o, unsigned c, struct slow_flags *f)
{
    uint64_t x[3] = {s[0][c].bits, s[1][c].bits, s[2][c].bits}, mask = slow_bytes(insn->type) == 8 ? ~0ull : 0xffffffff;
    bool na = o[0].flags & OPND_NEGATE, nb = o[1].flags & OPND_NEGATE, difference = insn->op == OP_SUB;
    if ((insn->op == OP_ADD && nb) || (insn->op == OP_SUB && nb && !na)) {
        x[1] = (0 - x[1]) & mask;
        difference = insn->op == OP_ADD;
    } else if (insn->op == OP_ADD && na) {
        uint64_t swap = (0 - x[0]) & mask;
        x[0] = x[1];
        x[1] = swap;
        difference = true;
    }
    slow_carry(insn, x, difference, &f->o, &f->c);
}

/* Operands of an instruction that is done in two halves, as they were before the first; `whole`: those that are read again. */
struct operands_kept {
    uint8_t whole;
    struct slow_value s[3][4];
};

/* Truths of a subroutine: 1 and -1 in some components; flags are those of the number. */
static bool leave(struct slow_lane *l, const struct insn *insn, unsigned type, struct slow_value r[4])
{
    unsigned leaves = l->here->leaves;
    bool is_long = program_is_long(l->group->program->text, insn->dst.kind, insn->dst.ref);
    struct insn plain = *insn;
    struct slow_flags flags[4];
    struct slow_value truth[4];
    memcpy(truth, r, sizeof truth);
    plain.cc_update = 0;
    for (unsigned c = 0; c < 4; c++) {
        uint32_t high = slow_bytes(type) == 8 ? (uint32_t)(r[c].bits >> 32) : (uint32_t)r[c].bits;
        bool copies = insn->op == OP_MOV && !(l->here->of_truth >> c & 1);
        if (leaves >> c & 1 && !copies)
            truth[c].bits = !r[c].bits ? 0 : high >> 31 ? UINT32_MAX : 1;
        else if (leaves >> c & 1)
            r[c].bits = r[c].bits ? 0x3f800000u : 0;
        truth[c].open |= leaves >> c & 1 && is_long && !copies;
        flags[c] = slow_flags_of(l->group->program, type, r[c].bits);
    }
    return slow_write(l, insn, type, insn->cc_update ? 15 : 15 & ~leaves, r, insn->cc_update ? flags : NULL) &&
           slow_write(l, &plain, DT_S32, leaves, truth, NULL);
}

/* What is unpacked, with its signs: docs/numbers.md, "Packing". */
static uint64_t signed_word(const struct slow_program *p, const struct insn *insn, const struct operand *o, uint64_t word)
{
    bool magnitude = o->flags & OPND_ABSOLUTE && (insn->type == DT_NONE || slow_is_float(insn->type) || type_table[insn->type].is_signed), minus = operand_negates(o);
    uint64_t tops = insn->op == OP_UP2H ? 0x80008000 : slow_is_short(p, o->kind, o->ref) ? 0x8000 : 0x80000000;
    if (tops == 0x8000 && (magnitude || minus)) {
        word &= 0xffff;
        if ((word & 0x7fff) > 0x7c00)
            return 0x7fff;
    }
    word = ((word & 0xffffffff) & (magnitude ? ~tops : UINT64_MAX)) ^ (minus ? tops : 0);
    return tops == 0x80000000 ? slow_moved(p, DT_F32, magnitude || minus, word) : word;
}

static bool is_signed_word(const struct slow_program *p, const struct insn *insn, const struct operand *o)
{
    bool unpacks = insn->op == OP_UP2H || insn->op == OP_UP2US || insn->op == OP_UP4B || insn->op == OP_UP4UB;
    bool literal = o->kind == OPND_CONSTANT || (o->kind == OPND_BINDING && program_binding(p->text, o->ref)->kind == BIND_CONSTANT);
    return p->nvidia && unpacks && o->flags & OPND_SIGNS && !literal;
}

/* The operands of an instruction as it takes them; those that were kept before stand as they were. */
static bool fetch_all(struct slow_lane *l, const struct insn *insn, const struct operands_kept *kept, struct slow_value src[3][4])
{
    const struct slow_program *p = l->group->program;
    for (unsigned k = 0; k < insn->nsrc; k++) {
        const struct operand *o = program_operand(p->text, insn->src + k);
        bool has_sign = o->flags & OPND_SIGNS;
        unsigned bare = p->nvidia ? slow_bare(p, l->here, o, slow_operand_type(insn, k)) : 0;
        struct operand plain = *o;
        if (insn->op == OP_ABS && p->nvidia && !slow_is_float(insn->type))
            plain.flags &= (uint16_t)~OPND_NEGATE;     /* measured: docs/numbers.md */
        if (is_signed_word(p, insn, o))
            plain.flags &= (uint16_t)~OPND_SIGNS;
        if (p->nvidia && slow_is_subtracted(insn, k))
            plain.flags ^= OPND_NEGATE;
        if (!slow_fetch(l, &plain, slow_operand_type(insn, k), src[k]))
            return false;
        for (unsigned c = 0; p->nvidia && slow_is_subtracted(insn, k) && c < 4; c++)
            src[k][c].bits = (uint32_t)-src[k][c].bits;
        if (!slow_take_views(l, &plain, k, slow_operand_type(insn, k), src[k]))
            return false;
        for (unsigned c = 0; is_signed_word(p, insn, o) && c < 4; c++)
            src[k][c].bits = signed_word(p, insn, o, src[k][c].bits);
        slow_literal_halves(p, insn, o, src[k]);
        for (unsigned c = 0; (insn->op == OP_MOV || insn->op == OP_CVT || insn->op == OP_DST) && c < 4; c++)
            src[k][c].bits = slow_moved(p, slow_operand_type(insn, k), has_sign && !(bare >> c & 1), src[k][c].bits);
        if (!slow_view_truths(l, insn, k, src[k]))
            return false;
    }
    for (unsigned k = 0; kept && k < insn->nsrc; k++)
        memcpy(src[k], kept->whole >> k & 1 ? src[k] : kept->s[k], sizeof src[k]);
    if (insn->nsrc && !slow_ask_truths(l, insn, src[0]))
        return false;
    slow_known_nans(l, insn, src);
    for (unsigned k = 0; p->nvidia && insn->op == OP_CMP && k < 2; k++)
        for (unsigned c = 0; c < 4; c++)
            if (l->here->of_words[k] >> c & 1) {
                src[k + 1][c].bits = slow_sign(p, DT_F32, program_operand(p->text, insn->src + k + 1)->flags & OPND_SIGNS, src[k + 1][c].words);
                src[k + 1][c].open = src[k + 1][c].words_open;
            }
    return true;
}

/* The flags of a result of this type; `shown`: components that are 1.0 to them. */
static void find_flags(struct slow_lane *l, const struct insn *insn, unsigned type, struct slow_value src[3][4], const struct slow_value r[4], unsigned shown,
                       bool widened, struct slow_flags flags[4])
{
    const struct slow_program *p = l->group->program;
    bool half = p->nvidia && slow_is_short(p, insn->dst.kind, insn->dst.ref) && type == DT_F32 && !slow_sets_flags_alone(p, insn) &&
                (insn->op == OP_MOV || insn->op == OP_ABS || insn->op == OP_DST);
    for (unsigned c = 0; c < 4; c++) {
        struct slow_value seen = r[c];
        seen.bits = shown >> c & 1 ? 0x3f800000 : slow_unclamped(p, insn, src, c, seen.bits);
        flags[c] = slow_flags_of(p, type, half ? slow_apply(p, EVAL_OP_HALF, DT_F32, seen.bits, 0, 0) : seen.bits);
        if (slow_adds(p, insn))
            slow_carries(l, insn, src, c, &flags[c]);
        else if (slow_op_adds(insn->op) && !slow_is_float(insn->type))
            plain_carry(insn, src, program_operand(p->text, insn->src), c, &flags[c]);
        if (!widened)       /* of doubles that were singles they are as they come out */
            slow_answer(l, c, &seen, &flags[c]);
    }
    if (insn->op != OP_CVT || insn->type != DT_F16)
        return;
    for (unsigned c = 0; c < 4; c++) {
        if (p->nvidia && insn->dst.kind == OPND_SYMBOL && program_is_long(p->text, insn->dst.kind, insn->dst.ref)) {   /* where its bits become those of a single */
            flags[c] = slow_flags_of(p, DT_S32, r[c].bits & 0xffff);
        } else {        /* of the half, not of its bits */
            struct soft h = soft_unpack(r[c].bits & 0xffff, 16, false);
            flags[c] = slow_flags_of(p, DT_F32, soft_pack(h, 32, SOFT_NEAREST, false, 0x7fffffff));
        }
    }
}

/* A single made of a double, in a LONG variable: it is clamped when it has been widened. */
static bool clamps_widened(const struct slow_program *p, const struct insn *insn)
{
    return p->nvidia && insn->op == OP_CVT && insn->type == DT_F32 && insn->type2 == DT_F64 && insn->flags & (INSN_SAT | INSN_SSAT) &&
           program_is_long(p->text, insn->dst.kind, insn->dst.ref);
}

static bool computed(struct slow_lane *l, const struct insn *insn, const struct operands_kept *kept)
{
    const struct slow_program *p = l->group->program;
    struct slow_value src[3][4] = {{{0}}}, r[4];
    struct slow_flags flags[4];
    struct insn plain = *insn;
    unsigned type = slow_result_type(insn), shown;
    bool widened, late = clamps_widened(p, insn);
    plain.flags &= ~(uint32_t)(late ? INSN_SAT | INSN_SSAT : 0);
    if (insn->nsrc > 3 || !fetch_all(l, insn, kept, src))
        return false;
    memset(r, 0, sizeof r);
    if (!slow_compute(p, &plain, src, r))
        return false;
    slow_divide_few(l, insn, src, r);
    for (unsigned c = 0; c < 4; c++)       /* a sign, as it seems, that the absolute value of the least number has kept */
        if (l->here->absolute_word >> c & 1 && src[0][c].bits >> 31 & 1)
            r[c].bits = insn->flags & INSN_SAT ? 0 : r[c].bits ^ 0x80000000;
    shown = slow_clamp_above(l, insn, src, r);
    slow_order_nans(l, insn, src, r);
    if (!slow_rewrite(l, insn, src, r) || !slow_copy_under_test(l, insn, r))
        return false;
    for (unsigned c = 0; insn->op != OP_CMP && c < 4; c++) {
        struct operand o;
        int k = l->here->of_words[0] >> c & 1 ? slow_copied_operand(p, l->here, c, &o) : -1;
        if (k >= 0) {
            r[c].bits = slow_sign(p, DT_F32, o.flags & OPND_SIGNS, src[k][c].words);
            r[c].open = src[k][c].words_open;
        }
    }
    slow_clamp_copy(l, insn, src, r);
    for (unsigned c = 0; p->nvidia && c < 4; c++)
        slow_finish_short(p, insn, l->here, &r[c]);
    if (!slow_make_of_truths(l, insn, r))
        return false;
    if (l->here->leaves && (insn->op != OP_MOV || insn->cc_update || l->here->of_truth))
        return leave(l, insn, type, r);
    if (!slow_view_result(l, insn, src, r) || !slow_pack_words(l, insn, r))
        return false;
    for (unsigned c = 0; late && c < 4; c++)
        r[c].bits = slow_saturate(p, DT_F64, insn->flags, slow_resize(p, r[c].bits, DT_F32, false, true));
    widened = late || slow_widened_copy(l, insn, src, r);
    if (widened)
        type = DT_F64;
    slow_sides(l, insn, src, r);
    if (!slow_remember_views(l, insn, src, r))
        return false;
    if (insn->cc_update)
        find_flags(l, insn, type, src, r, shown, widened, flags);
    l->decided = slow_loses_test(p, insn);
    l->decided_on = l->decided ? slow_lost_outcome(insn, src) : 0;
    bool written = slow_write(l, insn, type, 15, r, insn->cc_update ? flags : NULL);
    l->decided = false;
    return written;
}

/* Selectors of their own signs, 0 and 1. The driver multiplies and adds: a.c * m + k. */
static bool swizzled(struct slow_lane *l, const struct insn *insn)
{
    const struct slow_program *p = l->group->program;
    const struct operand *o = program_operand(p->text, insn->src);
    struct operand base = *o;
    struct slow_value a[4], r[4] = {{0}};
    base.kind = o->base_kind;
    base.flags = 0;
    base.swizzle = 0xe4;
    if (!slow_fetch(l, &base, DT_F32, a))
        return false;
    for (unsigned c = 0; c < 4; c++) {
        unsigned select = o->extended[c] & 7;
        uint64_t one = o->extended[c] & SWZ_NEGATE ? 0xbf800000 : 0x3f800000;
        bool taken = select <= SWZ_W;
        if (!p->nvidia) {
            r[c] = taken ? a[select] : (struct slow_value){.bits = select == SWZ_ONE ? 0x3f800000 : 0};
            r[c].bits ^= o->extended[c] & SWZ_NEGATE ? 0x80000000 : 0;
        } else if (slow_is_half(p, insn)) {
            uint64_t h = soft_narrowed(a[taken ? select : 0].bits);
            struct soft x = soft_unpack(h, 16, false);
            struct soft sum = soft_add(soft_mul(x, soft_unpack(taken ? one : 0, 32, false)), soft_unpack(select == SWZ_ONE ? one : 0, 32, false));
            h = soft_pack(sum, 16, SOFT_NEAREST, false, 0x7fff);
            r[c].bits = soft_widened(h);
            r[c].open = a[taken ? select : 0].open;
        } else {
            struct soft x = soft_unpack(a[taken ? select : 0].bits, 32, true), m = soft_unpack(taken ? one : 0, 32, true);
            struct soft sum = soft_add(soft_mul(x, m), soft_unpack(select == SWZ_ONE ? one : 0, 32, true));
            r[c].bits = soft_pack(sum, 32, SOFT_NEAREST, true, 0x7fffffff);
            r[c].open = a[taken ? select : 0].open;
        }
        r[c].bits = slow_saturate(p, DT_F32, insn->flags, r[c].bits);
        slow_finish_short(p, insn, l->here, &r[c]);
    }
    return slow_write(l, insn, DT_F32, 15, r, NULL);
}

/* docs/numbers.md: .SAT of RCP.F64 and DIV.F64 into a LONG variable under a test. */
static bool divides_unclamped(const struct slow_lane *l, const struct insn *insn)
{
    const struct symbol *s = insn->dst.kind == OPND_SYMBOL ? program_symbol(l->group->program->text, insn->dst.ref) : NULL;
    return l->group->program->nvidia && insn->type == DT_F64 && (insn->op == OP_RCP || insn->op == OP_DIV) && insn->flags & INSN_SAT && s &&
           s->size == SIZE_LONG && condition_restricts(&insn->dst.condition) && !insn->cc_update && !l->here->settled;
}

/* X2D whose x and z are written before its y and w are computed; both are tested by what was there. */
static bool computed_in_two(struct slow_lane *l, const struct insn *insn)
{
    struct insn half = *insn;
    struct operands_kept kept = {.whole = 0};
    struct slow_flags before[2][4], first[2][4];
    for (unsigned k = 0; k < 3; k++) {
        const struct operand *o = program_operand(l->group->program->text, insn->src + k);
        kept.whole |= o->swizzle == 0xe4 ? (uint8_t)(1u << k) : 0;
        if (!slow_fetch(l, o, DT_F32, kept.s[k]))
            return false;
    }
    half.dst.mask &= 5;
    memcpy(before, l->cc, sizeof before);
    if (!computed(l, &half, NULL))
        return false;
    memcpy(first, l->cc, sizeof first);
    memcpy(l->cc, before, sizeof before);
    half.dst.mask = insn->dst.mask & 10;
    if (!computed(l, &half, &kept))
        return false;
    for (unsigned c = 0; insn->cc_update && c < 4; c += 2)
        l->cc[insn->cc_update - 1][c] = first[insn->cc_update - 1][c];
    return true;
}

/* Components of a quotient whose clamp nobody sees, and the others. */
static bool computed_unclamped(struct slow_lane *l, const struct insn *insn)
{
    struct insn some = *insn;
    some.dst.mask = insn->dst.mask & (uint8_t)~l->here->unclamped;
    if (some.dst.mask && !computed(l, &some, NULL))
        return false;
    some.dst.mask = insn->dst.mask & l->here->unclamped;
    some.flags &= ~(uint32_t)INSN_SAT;
    return computed(l, &some, NULL);
}

static bool computed_in_turn(struct slow_lane *l, const struct insn *insn)
{
    unsigned code = insn->cc_update ? insn->cc_update - 1u : 0;
    struct slow_flags before[4], after[4];
    bool apart = insn->cc_update && !l->here->in_turn;      /* later turns look at flags as they were */
    memcpy(before, l->cc[code], sizeof before);
    memcpy(after, before, sizeof after);
    for (unsigned turn = 0; turn < 4; turn++) {
        struct insn some = *insn;
        some.dst.mask = 0;
        for (unsigned c = 0; c < 4; c++)
            some.dst.mask |= slow_turn_of(insn, c) == turn ? insn->dst.mask & 1u << c : 0;
        if (apart)
            memcpy(l->cc[code], before, sizeof before);
        if (some.dst.mask && !computed(l, &some, NULL))
            return false;
        for (unsigned c = 0; c < 4; c++)
            if (some.dst.mask >> c & 1)
                after[c] = l->cc[code][c];
    }
    if (apart)
        memcpy(l->cc[code], after, sizeof after);
    return true;
}

static bool executed(struct slow_lane *l, const struct insn *written)
{
    struct insn form = slow_short_form(l->group->program, written), *insn = &form;
    struct insn own = *insn;
    if (((insn->type == DT_F32 || insn->type == DT_F64) && insn->flags & INSN_SAT && slow_apart(l->group->program, insn)) || divides_unclamped(l, insn)) {   /* docs/numbers.md */
        own.flags &= ~(uint32_t)INSN_SAT;
        insn = &own;
    }
    switch (insn->op) {
    case OP_IF: case OP_ELSE: case OP_ENDIF: case OP_BRK: case OP_CONT: case OP_CAL: case OP_CALI: case OP_RET:
        return slow_branch(l, insn);
    case OP_REP: return slow_repeat(l, insn);
    case OP_ENDREP: return slow_next_turn(l, l->pc);
    default: break;
    }
    l->pc++;
    if (insn->op == OP_MEMBAR || insn->op == OP_SGBAR || insn->op == OP_SGMEMBAR)     /* a subgroup is never apart here */
        return true;
    if (slow_is_memory(insn->op))
        return slow_memory(l, insn);
    if (insn->op == OP_ATOMCTR || insn->op == OP_ATOMCTROP)
        return slow_counter(l, insn);
    if (slow_is_image(insn->op) || slow_is_texture(insn->op)) {
        if (!(slow_is_image(insn->op) ? slow_image : slow_texture)(l, insn))
            return false;
        if (insn->flags & INSN_SPARSE) {        /* no texture of a launch is sparse: all texels are there */
            l->resident = true;
            l->resident_open = false;
        }
        return true;
    }
    if (slow_in_two(l->group->program, insn) ? computed_in_two(l, insn)
        : slow_computes_in_turn(l, insn)     ? computed_in_turn(l, insn)
        : l->here->unclamped                 ? computed_unclamped(l, insn)
        : insn->op == OP_SWZ                 ? swizzled(l, insn)
                                             : computed(l, insn, NULL))
        return true;
    return slow_fail(l->group, SLOW_NOT_EVALUATED, op_table[insn->op].name, insn);
}

bool slow_execute(struct slow_lane *l, const struct insn *written)
{
    const struct slow_place *place = l->here;
    if (!executed(l, written))
        return false;
    slow_end_ones(l, place);
    return true;
}
