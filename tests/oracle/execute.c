/* One instruction of one lane. */
#include "eval/kernels/kernel.h"
#include "tests/oracle/flow.h"

#include "tests/oracle/scalar_soft.h"

#include <string.h>

/* Carry and overflow as the instruction has it. A negated operand makes a sum a difference: of -a and -b that of b from
 * -a. */
static void carry(const struct insn *insn, struct oracle_value s[3][4], const struct operand *o, unsigned c,
                  struct oracle_flags *f)
{
    uint64_t x[3] = {s[0][c].bits, s[1][c].bits, s[2][c].bits},
             mask = oracle_bytes(insn->type) == 8 ? ~0ull : 0xffffffff;
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
    oracle_carry(insn, x, difference, &f->o, &f->c);
}

/* The operands of an instruction as it takes them. */
static bool fetch_all(struct oracle_lane *l, const struct insn *insn, struct oracle_value src[3][4])
{
    const struct oracle_program *p = l->group->program;
    for (unsigned k = 0; k < insn->nsrc; k++) {
        const struct operand *o = program_operand(p->text, insn->src + k);
        unsigned type = oracle_operand_type(insn, k);
        bool has_sign = o->flags & OPND_SIGNS;
        struct operand plain = *o;
        if (insn->op == OP_ABS && p->nvidia && !oracle_is_float(insn->type))
            plain.flags &= (uint16_t)~OPND_NEGATE;     /* measured: docs/numbers.md */
        if (!oracle_fetch(l, &plain, type, src[k]))
            return false;
        oracle_literal_halves(p, insn, o, src[k]);
        bool moves = insn->op == OP_MOV || insn->op == OP_CVT || (insn->op == OP_DST && !oracle_is_half(p, insn));
        for (unsigned c = 0; moves && c < 4; c++)
            src[k][c].bits = oracle_moved(p, type, has_sign, src[k][c].bits);
    }
    return true;
}

/* The flags of a result of this type. */
static void find_flags(struct oracle_lane *l, const struct insn *insn, unsigned type, struct oracle_value src[3][4],
                       const struct oracle_value r[4], struct oracle_flags flags[4])
{
    const struct oracle_program *p = l->group->program;
    bool half = p->nvidia && oracle_is_short(p, insn->dst.kind, insn->dst.ref) && type == DT_F32 &&
                !oracle_sets_flags_alone(p, insn) && (insn->op == OP_MOV || insn->op == OP_ABS || insn->op == OP_DST);
    for (unsigned c = 0; c < 4; c++) {
        uint64_t bits = oracle_unclamped(p, insn, src, c, r[c].bits);
        flags[c] = oracle_flags_of(p, type, half ? oracle_apply(p, EVAL_OP_HALF, DT_F32, bits, 0, 0) : bits);
        if (oracle_op_adds(insn->op) && !oracle_is_float(insn->type))
            carry(insn, src, program_operand(p->text, insn->src), c, &flags[c]);
    }
    if (insn->op != OP_CVT || insn->type != DT_F16)
        return;
    for (unsigned c = 0; c < 4; c++) {
        if (p->nvidia && insn->dst.kind == OPND_SYMBOL && program_is_long(p->text, insn->dst.kind, insn->dst.ref)) {
            /* where its bits become those of a single */
            flags[c] = oracle_flags_of(p, DT_S32, r[c].bits & 0xffff);
        } else {        /* of the half, not of its bits */
            struct soft h = soft_unpack(r[c].bits & 0xffff, 16, false);
            flags[c] = oracle_flags_of(p, DT_F32, soft_pack(h, 32, SOFT_NEAREST, false, 0x7fffffff));
        }
    }
}

/* A single made of a double, in a LONG variable: it is clamped when it has been widened. */
static bool clamps_widened(const struct oracle_program *p, const struct insn *insn)
{
    return p->nvidia && insn->op == OP_CVT && insn->type == DT_F32 && insn->type2 == DT_F64 &&
           insn->flags & (INSN_SAT | INSN_SSAT) && program_is_long(p->text, insn->dst.kind, insn->dst.ref);
}

static bool computed(struct oracle_lane *l, const struct insn *insn)
{
    const struct oracle_program *p = l->group->program;
    struct oracle_value src[3][4] = {{{0}}}, r[4];
    struct oracle_flags flags[4];
    struct insn plain = *insn;
    unsigned type = oracle_result_type(insn);
    bool late = clamps_widened(p, insn);
    plain.flags &= ~(uint32_t)(late ? INSN_SAT | INSN_SSAT : 0);
    if (insn->nsrc > 3 || !fetch_all(l, insn, src))
        return false;
    memset(r, 0, sizeof r);
    if (!oracle_compute(p, &plain, src, r))
        return false;
    for (unsigned c = 0; c < 4; c++)
        oracle_finish_short(p, insn, &r[c]);
    if (insn->op == OP_PK2H && !oracle_pack_halves(l, insn, r))
        return false;
    for (unsigned c = 0; late && c < 4; c++)
        r[c].bits = oracle_saturate(p, DT_F64, insn->flags, oracle_resize(p, r[c].bits, DT_F32, false, true));
    if (late)
        type = DT_F64;
    if (insn->cc_update)
        find_flags(l, insn, type, src, r, flags);
    return oracle_write(l, insn, type, 15, r, insn->cc_update ? flags : NULL);
}

/* Selectors of their own signs, 0 and 1. The driver multiplies and adds: a.c * m + k. */
static bool swizzled(struct oracle_lane *l, const struct insn *insn)
{
    const struct oracle_program *p = l->group->program;
    const struct operand *o = program_operand(p->text, insn->src);
    struct operand base = *o;
    struct oracle_value a[4], r[4] = {{0}};
    base.kind = o->base_kind;
    base.flags = 0;
    base.swizzle = 0xe4;
    if (!oracle_fetch(l, &base, DT_F32, a))
        return false;
    for (unsigned c = 0; c < 4; c++) {
        unsigned select = operand_selector(o, c) & 7;
        uint64_t one = operand_selector(o, c) & SWZ_NEGATE ? 0xbf800000 : 0x3f800000;
        bool taken = select <= SWZ_W;
        if (!p->nvidia) {
            r[c] = taken ? a[select] : (struct oracle_value){.bits = select == SWZ_ONE ? 0x3f800000 : 0};
            r[c].bits ^= operand_selector(o, c) & SWZ_NEGATE ? 0x80000000 : 0;
        } else if (oracle_is_half(p, insn)) {
            uint64_t h = soft_narrowed(a[taken ? select : 0].bits);
            struct soft x = soft_unpack(h, 16, false);
            struct soft sum = soft_add(soft_mul(x, soft_unpack(taken ? one : 0, 32, false)),
                                       soft_unpack(select == SWZ_ONE ? one : 0, 32, false));
            h = soft_pack(sum, 16, SOFT_NEAREST, false, 0x7fff);
            r[c].bits = soft_widened(h);
            r[c].undef = a[taken ? select : 0].undef;
        } else {
            struct soft x = soft_unpack(a[taken ? select : 0].bits, 32, true),
                        m = soft_unpack(taken ? one : 0, 32, true);
            struct soft sum = soft_add(soft_mul(x, m), soft_unpack(select == SWZ_ONE ? one : 0, 32, true));
            r[c].bits = soft_pack(sum, 32, SOFT_NEAREST, true, 0x7fffffff);
            r[c].undef = a[taken ? select : 0].undef;
        }
        r[c].bits = oracle_saturate(p, DT_F32, insn->flags, r[c].bits);
        oracle_finish_short(p, insn, &r[c]);
    }
    return oracle_write(l, insn, DT_F32, 15, r, NULL);
}

/* docs/numbers.md: .SAT of RCP.F64 and DIV.F64 into a LONG variable under a test. */
static bool divides_unclamped(const struct oracle_lane *l, const struct insn *insn)
{
    return l->group->program->nvidia && insn->type == DT_F64 && (insn->op == OP_RCP || insn->op == OP_DIV) &&
           insn->flags & INSN_SAT && program_is_long(l->group->program->text, insn->dst.kind, insn->dst.ref) &&
           condition_restricts(&insn->dst.condition) && !insn->cc_update;
}

bool oracle_execute(struct oracle_lane *l, const struct insn *written)
{
    struct insn form = oracle_short_form(l->group->program, written), *insn = &form;
    if (divides_unclamped(l, insn))
        insn->flags &= ~(uint32_t)INSN_SAT;
    switch (insn->op) {
    case OP_IF: case OP_ELSE: case OP_ENDIF: case OP_BRK: case OP_CONT: case OP_CAL: case OP_CALI: case OP_RET:
        return oracle_branch(l, insn);
    case OP_REP: return oracle_repeat(l, insn);
    case OP_ENDREP: return oracle_next_iteration(l);
    default: break;
    }
    l->pc++;
    /* a subgroup is never apart here */
    if (insn->op == OP_MEMBAR || insn->op == OP_SGBAR || insn->op == OP_SGMEMBAR)
        return true;
    if (oracle_is_memory(insn->op))
        return oracle_memory(l, insn);
    if (insn->op == OP_ATOMCTR || insn->op == OP_ATOMCTROP)
        return oracle_counter(l, insn);
    if (oracle_is_image(insn->op) || oracle_is_texture(insn->op)) {
        if (!(oracle_is_image(insn->op) ? oracle_image : oracle_texture)(l, insn))
            return false;
        if (insn->flags & INSN_SPARSE) {        /* no texture of a launch is sparse: all texels are there */
            l->resident = true;
            l->resident_undef = false;
        }
        return true;
    }
    if (insn->op == OP_SWZ ? swizzled(l, insn) : computed(l, insn))
        return true;
    return oracle_fail(l->group, ORACLE_NOT_EVALUATED, op_table[insn->op].name, insn);
}
