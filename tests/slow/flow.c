/* One lane, instruction by instruction, until it has to wait for others. */
#include "tests/slow/plan.h"

#include "tests/scalar_soft.h"

#include <string.h>

static const struct slow_place *place(const struct slow_lane *l, uint32_t pc)
{
    return &l->group->program->plan->place[pc];
}

static const struct insn *at(const struct slow_lane *l, uint32_t pc)
{
    return program_insn(l->group->program->text, place(l, pc)->insn);
}

/* ---- loops ------------------------------------------------------------------------------------------------------------ */

/* REP's count, rounded down; nothing for what is not above 0. */
static uint64_t trips(const struct slow_program *p, unsigned type, uint64_t bits)
{
    struct soft x;
    __int128 n;
    switch (type) {
    case DT_U32: return p->nvidia && (int32_t)(uint32_t)bits < 0 ? 0 : bits;    /* the driver takes it for signed */
    case DT_S32: return (int32_t)(uint32_t)bits > 0 ? bits : 0;
    case DT_S64: return (int64_t)bits > 0 ? (bits > UINT32_MAX ? UINT32_MAX : bits) : 0;
    case DT_U64: return bits > UINT32_MAX ? UINT32_MAX : bits;
    default:
        x = soft_integral(soft_unpack(bits, slow_bytes(type) * 8, false), SOFT_DOWN);
        n = soft_to_int(x, 0, UINT32_MAX, 0);
        return (uint64_t)n;
    }
}

static bool push(struct slow_lane *l, const struct insn *insn, struct slow_block b)
{
    if (l->depth == sizeof l->blocks / sizeof *l->blocks)
        return slow_fail(l->group, SLOW_NOT_EVALUATED, "this depth of blocks", insn);
    l->blocks[l->depth++] = b;
    return true;
}

/* Where the next copies of a loop in phases begin. */
static uint32_t phase_of(const struct slow_place *rep, uint64_t left, bool first)
{
    unsigned n = rep->phases.once && !first;
    while (rep->phases.rounds[n] > left)
        n++;
    return rep->phase[n];
}

/* How often a loop without a count runs. */
static bool count_by_itself(struct slow_lane *l, struct slow_block *b)
{
    const struct slow_counter *c = &l->here->phases.counter;
    const struct gp5_program *p = l->group->program->text;
    const struct insn *test = program_insn(p, l->here->insn + 1);
    struct slow_value v[2][4];
    for (unsigned k = 0; k < 2; k++) {
        if (!slow_fetch(l, program_operand(p, test->src + k), test->type, v[k]))
            return slow_fail(l->group, SLOW_NOT_EVALUATED, "this count", test);
        slow_use(l, v[k][c->component].open);
    }
    b->turns = slow_counter_turns(c, v[0][c->component].bits, v[1][c->component].bits);
    b->endless = false;
    return true;
}

static bool repeat(struct slow_lane *l, const struct insn *insn)
{
    struct slow_block b = {.pc = l->pc, .loop = true, .endless = insn->nsrc == 0};
    struct slow_value v[4];
    if (insn->nsrc) {
        unsigned type = slow_operand_type(insn, 0);
        struct operand o = *program_operand(l->group->program->text, insn->src);
        if (o.kind == OPND_CONSTANT && l->group->program->nvidia)
            o.flags &= (uint16_t)~OPND_NEGATE;      /* docs/semantics.md: a literal's sign is ignored */
        if (!slow_fetch(l, &o, type, v))
            return slow_fail(l->group, SLOW_NOT_EVALUATED, "this count", insn);
        slow_use(l, v[0].open);
        b.turns = trips(l->group->program, type, v[0].bits);
    }
    if (l->here->phased && l->here->phases.counts && !count_by_itself(l, &b))
        return false;
    if (b.turns == 0 && !b.endless) {
        l->pc = l->here->to;
        return true;
    }
    l->pc = l->here->phased ? phase_of(l->here, b.turns, true) : l->pc + 1;
    return push(l, insn, b);
}

/* The innermost loop, without what was called in it. */
static struct slow_block *innermost(struct slow_lane *l)
{
    return l->depth && l->blocks[l->depth - 1].loop ? &l->blocks[l->depth - 1] : NULL;
}

/* From the end of a copy of the body. */
static bool next_turn(struct slow_lane *l, uint32_t end)
{
    struct slow_block *b = &l->blocks[l->depth - 1];
    const struct slow_place *rep = place(l, b->pc);
    b->turn++;
    b->side = 0;
    if (!b->endless && b->turn >= b->turns) {
        l->depth--;
        l->pc = rep->to;
    } else if (place(l, end)->again != NO_INDEX) {
        l->pc = place(l, end)->again;
    } else if (rep->phased) {
        l->pc = phase_of(rep, b->turns - b->turn, false);
    } else {
        return slow_fail(l->group, SLOW_NOT_EVALUATED, "more rounds than were foreseen", at(l, b->pc));
    }
    return true;
}

/* ---- calls -------------------------------------------------------------------------------------------------------------- */

/* ARB_shader_subroutine: the label whose number the parameter has; with nothing chosen the last one of the type. */
static bool chosen_label(const struct slow_group *g, const struct symbol *variable, uint64_t element, uint32_t *label)
{
    const struct gp5_program *p = g->program->text;
    const struct slow_launch *launch = g->launch;
    const char *type = program_symbol(p, variable->instruction)->name;
    uint32_t parameter = NO_INDEX;
    bool found = false;
    for (uint32_t i = 0; i < variable->nbindings && parameter == NO_INDEX; i++) {
        const struct binding *b = program_binding(p, variable->binding + i);
        uint64_t n = b->range[0] ? b->last[0] - b->first[0] + 1u : 1;
        if (element < n)
            parameter = b->first[0] + (uint32_t)element;
        else
            element -= n;
    }
    for (uint32_t i = 0; i < p->symbols.count && parameter != NO_INDEX; i++) {
        const struct symbol *s = program_symbol(p, i);
        if (s->kind != SYM_SUBROUTINE_TYPE || strcmp(s->name, type))
            continue;
        for (uint32_t k = 0; k < s->nbindings; k++) {
            const struct symbol *l = program_symbol(p, program_operand(p, s->binding + k)->ref);
            if (launch->nsubroutines && (parameter >= launch->nsubroutines || l->number != launch->subroutines[parameter]))
                continue;
            *label = l->instruction;
            found = true;
        }
    }
    return found;
}

/* Where an instruction calls to; NO_INDEX: nowhere. */
static bool callee(struct slow_lane *l, const struct insn *insn, uint32_t *to)
{
    const struct gp5_program *p = l->group->program->text;
    const struct operand *o = program_operand(p, insn->src);
    const struct symbol *s = insn->op == OP_CALI && o->kind == OPND_SYMBOL ? program_symbol(p, o->ref) : NULL;
    int64_t element = 0;
    bool open = false;
    *to = l->here->to;
    if (insn->op == OP_CAL)
        return *to != NO_INDEX;
    *to = NO_INDEX;
    if (!s || (o->nindices && !slow_index(l, program_index(p, o->index), &element, &open)))
        return false;
    slow_use(l, open || !l->group->launch->nsubroutines);
    if (element < 0 || element >= (int64_t)(s->array ? s->array_size : 1)) {
        slow_use(l, true);
        return true;
    }
    if (!chosen_label(l->group, s, (uint64_t)element, to))
        return false;
    *to = *to < p->insns.count ? l->group->program->plan->first[*to] : l->group->program->plan->count;
    return true;
}

static bool call(struct slow_lane *l, const struct insn *insn)
{
    uint32_t to;
    struct slow_block b = {.pc = l->pc};
    if (l->calls == SLOW_CALLS) {       /* undefined: the call does not happen */
        slow_use(l, true);
        l->pc++;
        return true;
    }
    if (!callee(l, insn, &to))
        return slow_fail(l->group, SLOW_NOT_EVALUATED, "this call", insn);
    if (to == NO_INDEX) {
        l->pc++;
        return true;
    }
    l->calls++;
    l->called = true;
    l->pc = to;
    return push(l, insn, b);
}

static void back(struct slow_lane *l)
{
    while (l->depth && l->blocks[l->depth - 1].loop)
        l->depth--;
    if (!l->depth) {
        l->state = LANE_ENDED;
        return;
    }
    l->calls--;
    l->called = false;
    l->pc = l->blocks[--l->depth].pc + 1;
}

/* ---- instructions --------------------------------------------------------------------------------------------------------- */

/* docs/semantics.md: the driver's BRK, CONT and RET with a test of several components want the lowest of these to pass and no other. */
static bool lowest_alone(struct slow_lane *l, const struct condition *c, bool *open)
{
    unsigned swizzle = c->nswizzle ? c->swizzle : 0xe4, lowest = 3;
    bool pass = true;
    for (unsigned i = 0; i < 4; i++)
        lowest = (swizzle >> 2 * i & 3) < lowest ? swizzle >> 2 * i & 3 : lowest;
    for (unsigned i = 0; i < 4; i++)
        pass &= slow_test(l, c, i, open) == ((swizzle >> 2 * i & 3) == lowest);
    return pass;
}

static bool looks_at_several(const struct condition *c)
{
    unsigned swizzle = c->nswizzle ? c->swizzle : 0xe4;
    return condition_restricts(c) && swizzle != (swizzle & 3) * 0x55;
}

/* docs/semantics.md: CONT as a loop's last instruction. */
static bool leaves_at_bottom(const struct slow_lane *l, const struct insn *insn)
{
    return insn->op == OP_CONT && l->group->program->nvidia && insn->partner == l->here->insn + 1 && insn->condition.rule != CC_FL;
}

/* CALI likewise. */
static bool leaves_by_call(const struct slow_lane *l, const struct insn *insn)
{
    const struct slow_place *next = l->pc + 1 < l->group->program->plan->count ? place(l, l->pc + 1) : NULL;
    return insn->op == OP_CALI && l->group->program->nvidia && condition_restricts(&insn->condition) && insn->condition.rule != CC_FL &&
           next && at(l, l->pc + 1)->op == OP_ENDREP && next->insn == l->here->insn + 1 && !next->straight;
}

/* From the loop that a lane has just left straight to the next round of the one around it. */
static bool join_party(struct slow_lane *l)
{
    const struct slow_block *left = &l->blocks[l->depth];
    struct slow_block *b = innermost(l);
    struct slow_party party = {.warp = l->warp, .rep = left->pc, .brk = l->here->party, .turn = left->turn};
    if (!b)
        return true;
    party.before = b->party;
    party.outer_turn = b->turn;
    for (unsigned i = 0; i < l->depth; i++)     /* where it is in all that is around */
        party.around = (party.around ^ l->blocks[i].pc ^ l->blocks[i].turn << 20 ^ l->blocks[i].side << 40) * 0x100000001b3u + l->blocks[i].party;
    return slow_new_party(l->group, &party, &b->party);
}

static bool flow(struct slow_lane *l, const struct insn *insn)
{
    bool leaves = insn->op == OP_BRK || insn->op == OP_CONT || insn->op == OP_RET, open = false, pass = true;
    if (leaves && l->group->program->nvidia && looks_at_several(&insn->condition))
        pass = lowest_alone(l, &insn->condition, &open);
    else if (insn->op != OP_ELSE && insn->op != OP_ENDIF)
        pass = slow_test_any(l, &insn->condition, &open);
    slow_use(l, open);
    if (l->here->outcome != TEST_LOOKED_AT)
        pass = l->here->outcome == TEST_PASSES;
    switch (insn->op) {
    case OP_IF:
        if (l->here->parts && innermost(l)) {
            if (innermost(l)->side >> 60)
                return slow_fail(l->group, SLOW_NOT_EVALUATED, "so many ways in one round", insn);
            innermost(l)->side = innermost(l)->side * 3 + 1 + !pass;
        }
        l->pc = pass ? l->pc + 1 : l->here->to;
        return true;
    case OP_ELSE: l->pc = l->here->to; return true;
    case OP_BRK: case OP_CONT:
        if (!pass && !leaves_at_bottom(l, insn))
            break;
        if (!innermost(l))
            return slow_fail(l->group, SLOW_NOT_EVALUATED, "this outside of a loop", insn);
        if (insn->op == OP_CONT && pass)
            return next_turn(l, l->here->to);
        l->pc = place(l, innermost(l)->pc)->to;
        l->depth--;
        return l->here->party == 0 || join_party(l);
    case OP_CAL: case OP_CALI:
        if (pass)
            return call(l, insn);
        if (leaves_by_call(l, insn) && innermost(l)) {
            l->pc = place(l, innermost(l)->pc)->to;
            l->depth--;
            return true;
        }
        break;
    case OP_RET:
        if (pass) {
            back(l);
            return true;
        }
        break;
    default: break;
    }
    l->pc++;
    return true;
}

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

/* What a comparison leaves a subroutine as: 1 for true in some components. */
static bool leave(struct slow_lane *l, const struct insn *insn, unsigned type, struct slow_value r[4])
{
    unsigned leaves = l->here->leaves;
    for (unsigned c = 0; c < 4; c++)
        if (leaves >> c & 1)
            r[c].bits = r[c].bits != 0;
    return slow_write(l, insn, slow_bytes(type) == 8 ? DT_U64 : DT_U32, leaves, r, NULL) && slow_write(l, insn, type, 15 & ~leaves, r, NULL);
}

static bool computed(struct slow_lane *l, const struct insn *insn, const struct operands_kept *kept)
{
    const struct slow_program *p = l->group->program;
    struct slow_value src[3][4] = {{{0}}}, r[4];
    struct slow_flags flags[4], *given = NULL;
    unsigned type = slow_result_type(insn);
    if (insn->nsrc > 3)
        return false;
    for (unsigned k = 0; k < insn->nsrc; k++) {
        const struct operand *o = program_operand(p->text, insn->src + k);
        bool has_sign = o->flags & OPND_SIGNS;
        struct operand plain = *o;
        if (insn->op == OP_ABS && p->nvidia && !slow_is_float(insn->type))
            plain.flags &= (uint16_t)~OPND_NEGATE;     /* measured: docs/numbers.md */
        if (!slow_fetch(l, &plain, slow_operand_type(insn, k), src[k]))
            return false;
        slow_literal_halves(p, insn, o, src[k]);
        for (unsigned c = 0; (insn->op == OP_MOV || insn->op == OP_CVT || insn->op == OP_DST) && c < 4; c++)
            src[k][c].bits = slow_moved(p, slow_operand_type(insn, k), has_sign, src[k][c].bits);
    }
    memset(r, 0, sizeof r);
    if (kept)
        for (unsigned k = 0; k < insn->nsrc; k++)
            memcpy(src[k], kept->whole >> k & 1 ? src[k] : kept->s[k], sizeof src[k]);
    slow_known_nans(l, insn, src);
    for (unsigned k = 0; p->nvidia && insn->op == OP_CMP && k < 2; k++)
        for (unsigned c = 0; c < 4; c++)
            if (l->here->of_words[k] >> c & 1)
                src[k + 1][c].bits = slow_sign(p, DT_F32, program_operand(p->text, insn->src + k + 1)->flags & OPND_SIGNS, src[k + 1][c].words);
    if (!slow_compute(p, insn, src, r))
        return false;
    slow_clamp_above(l, insn, src, r);
    slow_order_nans(l, insn, src, r);
    if (!slow_rewrite(l, insn, src, r))
        return false;
    if (!slow_copy_under_test(l, insn, r))
        return false;
    for (unsigned c = 0; p->nvidia && c < 4; c++)
        slow_finish_short(p, insn, l->here, &r[c]);
    if (l->here->leaves)
        return leave(l, insn, type, r);
    if (!slow_view_result(l, insn, src, r) || !slow_pack_words(l, insn, r))
        return false;
    if (slow_widened_copy(l, insn, r))
        type = DT_F64;
    slow_sides(l, insn, src, r);
    for (unsigned c = 0; insn->cc_update && c < 4; c++) {
        bool sums = insn->op == OP_ADD || insn->op == OP_SUB || insn->op == OP_MAD || insn->op == OP_SAD;
        flags[c] = slow_flags_of(p, type, r[c].bits);
        if (slow_adds(p, insn))
            slow_carries(l, insn, src, c, &flags[c]);
        else if (sums && !slow_is_float(insn->type))
            plain_carry(insn, src, program_operand(p->text, insn->src), c, &flags[c]);
        slow_answer(l, c, &r[c], &flags[c]);
        given = flags;
    }
    if (insn->op == OP_CVT && insn->type == DT_F16 && insn->cc_update) {        /* of the half, not of its bits */
        for (unsigned c = 0; c < 4; c++) {
            struct soft h = soft_unpack(r[c].bits & 0xffff, 16, false);
            flags[c] = slow_flags_of(p, DT_F32, soft_pack(h, 32, SOFT_NEAREST, false, 0x7fffffff));
        }
        given = flags;
    }
    return slow_write(l, insn, type, 15, r, given);
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
            uint64_t h = soft_pack(soft_unpack(a[taken ? select : 0].bits, 32, false), 16, SOFT_NEAREST, false, 0x7fff);
            struct soft x = soft_unpack(h, 16, false);
            struct soft sum = soft_add(soft_mul(x, soft_unpack(taken ? one : 0, 32, false)), soft_unpack(select == SWZ_ONE ? one : 0, 32, false));
            h = soft_pack(sum, 16, SOFT_NEAREST, false, 0x7fff);
            r[c].bits = soft_pack(soft_unpack(h, 16, false), 32, SOFT_NEAREST, false, 0x7fffffff);
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

bool slow_execute(struct slow_lane *l, const struct insn *written)
{
    struct insn form = slow_short_form(l->group->program, written), *insn = &form;
    struct insn own = *insn;
    if (insn->type == DT_F32 && insn->flags & INSN_SAT && slow_apart(l->group->program, insn)) {   /* docs/numbers.md */
        own.flags &= ~(uint32_t)INSN_SAT;
        insn = &own;
    }
    switch (insn->op) {
    case OP_IF: case OP_ELSE: case OP_ENDIF: case OP_BRK: case OP_CONT: case OP_CAL: case OP_CALI: case OP_RET:
        return flow(l, insn);
    case OP_REP: return repeat(l, insn);
    case OP_ENDREP: return next_turn(l, l->pc);
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
    if (slow_in_two(l->group->program, insn)) {
        struct insn half = *insn;
        struct operands_kept kept = {.whole = 0};
        for (unsigned k = 0; k < 3; k++) {
            const struct operand *o = program_operand(l->group->program->text, insn->src + k);
            kept.whole |= o->swizzle == 0xe4 ? (uint8_t)(1u << k) : 0;
            if (!slow_fetch(l, o, DT_F32, kept.s[k]))
                return false;
        }
        half.dst.mask &= 5;
        if (!computed(l, &half, NULL))
            return slow_fail(l->group, SLOW_NOT_EVALUATED, op_table[insn->op].name, insn);
        half.dst.mask = insn->dst.mask & 10;
        return computed(l, &half, &kept) || slow_fail(l->group, SLOW_NOT_EVALUATED, op_table[insn->op].name, insn);
    }
    if (insn->op == OP_SWZ ? swizzled(l, insn) : computed(l, insn, NULL))
        return true;
    return slow_fail(l->group, SLOW_NOT_EVALUATED, op_table[insn->op].name, insn);
}

bool slow_advance(struct slow_lane *l)
{
    const struct slow_program *p = l->group->program;
    while (l->state == LANE_RUNS) {
        const struct insn *insn;
        uint32_t here = l->pc;
        if (here >= p->plan->count || (!l->called && p->label[place(l, here)->insn])) {
            back(l);
            continue;
        }
        insn = at(l, here);
        l->here = place(l, here);
        l->called = false;
        if (slow_looks_at_others(insn->op) || slow_orders_lanes(l, insn)) {
            l->state = LANE_MEETS;
        } else if (insn->op == OP_BAR) {
            l->state = LANE_AT_BARRIER;
        } else {
            if (++l->executed > SLOW_LIMIT_OF_A_LANE)
                return slow_fail(l->group, SLOW_LIMIT, "too many instructions", insn);
            if (!slow_execute(l, insn))
                return false;
        }
        if (p->in_step)
            break;
    }
    return true;
}

/* Along the blocks from the outside: the earlier loop or call, the earlier party, turn and side, at last the earlier instruction. */
int slow_order(const struct slow_lane *a, const struct slow_lane *b)
{
    for (unsigned i = 0;; i++) {
        uint32_t pa = i < a->depth ? a->blocks[i].pc : a->pc, pb = i < b->depth ? b->blocks[i].pc : b->pc;
        if (pa != pb)
            return (pa < pb) != slow_is_swapped(a, pa, pb) ? -1 : 1;
        if (i >= a->depth || i >= b->depth)
            return (i < a->depth) - (i < b->depth);
        if (a->blocks[i].party != b->blocks[i].party)
            return a->blocks[i].party < b->blocks[i].party ? -1 : 1;
        if (a->blocks[i].turn != b->blocks[i].turn)
            return a->blocks[i].turn < b->blocks[i].turn ? -1 : 1;
        if (a->blocks[i].side != b->blocks[i].side)
            return a->blocks[i].side < b->blocks[i].side ? -1 : 1;
    }
}
