/* From results to variables: tests, flags and what is written. */
#include "tests/slow/plan.h"

#include <string.h>

/* Of a NaN: `flow` believes that it is not below zero where it does not ask for its sign, nor for LT; a choice between numbers never does. */
static bool passes(unsigned rule, struct slow_flags f, bool flow, bool choice)
{
    bool nan = f.s && f.z;
    if (nan && choice)
        f.above = f.below = false;
    if (nan && flow)
        f.below = false;
    if (f.not_below && rule == CC_SF && (flow || choice))
        f.s = false;
    if (nan && choice)
        f.not_below = false;
    switch (rule) {         /* NV_gpu_program4, the table of condition code tests */
    case CC_EQ: return !f.s && f.z;
    case CC_NE: return f.s || !f.z;
    case CC_LT: return ((f.s && !f.z) != f.o && !f.not_below) || f.below;
    case CC_GE: return f.s == f.o || f.not_below;
    case CC_GT: return ((f.s == f.o && !f.z) || f.above) && !f.not_above;
    case CC_LE: return f.s != (f.z || f.o) || f.not_above;
    case CC_NAN: return f.s && f.z;
    case CC_LEG: return !f.s || !f.z;
    case CC_CF: return f.c != f.other_carry;
    case CC_NCF: return f.c == f.other_carry;
    case CC_OF: return f.o != f.other_overflow;
    case CC_NOF: return f.o == f.other_overflow;
    case CC_SF: return f.s && !f.no_sign;
    case CC_NSF: return !f.s || f.no_sign || f.not_below;
    case CC_AB: return f.c != f.other_above && !f.z;
    case CC_BLE: return f.c == f.other_above || f.z;
    case CC_FL: return false;
    default: return true;
    }
}

static bool looks(const struct condition *c)
{
    return c->rule != CC_NONE && c->rule != CC_TR && c->rule != CC_FL;
}

bool slow_test(struct slow_lane *l, const struct condition *c, unsigned component, bool *open)
{
    const struct insn *insn = program_insn(l->group->program->text, l->here->insn);
    unsigned i = c->swizzle >> 2 * component & 3;
    bool flow = op_flows(insn->op);
    struct slow_flags f;
    bool branch;
    if (c->rule == CC_RESIDENT || c->rule == CC_NONRESIDENT) {
        *open |= l->resident_open;
        return l->resident == (c->rule == CC_RESIDENT);
    }
    f = l->cc[c->cc][i];
    *open |= looks(c) && f.open;
    if (l->here->fixed >> i & 1 && looks(c))
        return l->here->fixed_passes >> i & 1;
    branch = flow || insn->cc_update ||
             (l->group->program->by_address && insn->dst.kind == OPND_SYMBOL && l->group->program->by_address[insn->dst.ref]);
    return passes(c->rule, f, branch, l->here->choice >> component & 1) !=
           (((flow ? l->here->turned >> i : l->here->inverse >> component) & 1) && looks(c));
}

bool slow_test_any(struct slow_lane *l, const struct condition *c, bool *open)
{
    bool any = false;
    for (unsigned i = 0; i < 4; i++)
        any |= slow_test(l, c, i, open);
    return any;
}

/* ---- results ------------------------------------------------------------------------------------------------------ */

/* The register that an instruction writes; *out stays NULL where it writes none (beyond its array). */
static bool destination(struct slow_lane *l, const struct insn *insn, struct slow_value (**out)[4], bool *wide, bool *lost)
{
    const struct slow_program *p = l->group->program;
    const struct result *r = &insn->dst;
    int64_t e = 0;
    bool open = false;
    *out = NULL;
    *wide = *lost = false;
    if (r->kind == OPND_CC)
        return true;
    if (r->kind != OPND_SYMBOL || p->first[r->ref] == NO_INDEX || r->nindices > 1)
        return false;
    const struct symbol *s = program_symbol(p->text, r->ref);
    *wide = s->size == SIZE_LONG;
    if (r->nindices && !slow_index(l, program_index(p->text, r->index), &e, &open))
        return false;
    if (e >= 0 && (uint64_t)e < slow_elements(s))
        *out = &l->registers[p->first[r->ref] + (uint64_t)e];
    *lost = !*out;
    slow_use(l, open);
    return true;
}

/* Of an element of an array that computed indices reach the driver's CVT to 8 or 16 bits writes those alone. */
static uint64_t kept_bits(const struct slow_lane *l, const struct insn *insn, unsigned c)
{
    const struct slow_program *p = l->group->program;
    const struct symbol *s = insn->dst.kind == OPND_SYMBOL ? program_symbol(p->text, insn->dst.ref) : NULL;
    if (!p->nvidia || insn->op != OP_CVT || !s || s->size == SIZE_LONG)
        return 0;
    if (!p->indexed[insn->dst.ref])
        return type_table[insn->type].bytes < 4 && slow_apart(p, insn) && (!(l->here->settled >> c & 1) || slow_is_guarded(p, (uint32_t)(l->here - p->plan->place))) ? 0xffff0000 : 0;
    switch (insn->type) {
    case DT_S8: case DT_U8: return 0xffffff00;
    case DT_F16: case DT_S16: case DT_U16: return 0xffff0000;
    default: return 0;
    }
}

bool slow_write(struct slow_lane *l, const struct insn *insn, unsigned type, unsigned components,
                struct slow_value result[4], const struct slow_flags flags[4])
{
    const struct slow_program *p = l->group->program;
    struct slow_value (*to)[4];
    struct slow_flags next[4], before[4], turns[4];      /* after the result, before it, and after the turns so far */
    struct slow_value moved[4];
    uint64_t sized[4] = {0};        /* as the variable holds it, a SHORT one too */
    bool half = p->nvidia && insn->op == OP_CVT && insn->type == DT_F16;    /* its bits are taken for a single's */
    bool wide, lost;
    struct condition condition = insn->dst.condition;
    for (unsigned c = 0; c < 4; c++)
        if (slow_lacks(p, insn, c))
            result[c] = (struct slow_value){.open = true};
        else
            components &= ~(slow_untouched(p, insn) & 1u << c);
    components &= insn->dst.mask & ~(l->here ? slow_moves_nothing(p, l->here->insn) : 0u);
    if (!components)
        return true;
    if (!destination(l, insn, &to, &wide, &lost) || !slow_moved_halves(l, insn, moved))
        return slow_fail(l->group, SLOW_NOT_EVALUATED, "this result", insn);
    if (p->nvidia && wide && insn->flags & INSN_SSAT)       /* measured: docs/semantics.md */
        condition = (struct condition){0};
    if (insn->cc_update)
        memcpy(next, l->cc[insn->cc_update - 1], sizeof next);
    if (insn->cc_update)
        memcpy(before, next, sizeof before);
    for (unsigned k = 0; k < 16; k++) {
        unsigned c = k & 3, turn = k >> 2;
        bool open = false, pass;
        if (insn->cc_update && c == 0)         /* those of the turn before have all looked */
            memcpy(turns, next, sizeof turns);
        if (!(components >> c & 1) || (l->here->in_turn ? slow_turn_of(insn, c) : c) != turn)
            continue;
        if (l->here->in_turn && insn->cc_update)
            memcpy(l->cc[insn->cc_update - 1], l->here->as_before >> c & 1 ? before : turns, sizeof turns);
        pass = l->decided ? l->decided_on >> c & 1 : slow_test(l, &condition, c, &open);
        open &= !((l->here->settled | l->here->passes | l->here->fails) >> c & 1);   /* known to pass or to fail, whatever decides it is not undefined */
        slow_use(l, pass && lost);
        if (!pass && to && l->here->over_words >> c & 1) {
            (*to)[c].bits = (*to)[c].words;
            (*to)[c].open = (*to)[c].words_open;
        }
        if (pass && to) {
            uint64_t kept = kept_bits(l, insn, c), old = (*to)[c].bits;
            bool was_open = (*to)[c].open;
            (*to)[c] = result[c];
            for (unsigned as = 0; as < 2; as++)
                if ((*to)[c].view[as].place != (uint32_t)(l->here - p->plan->place) + 1)
                    (*to)[c].view[as].kind = VIEW_NONE;
            (*to)[c].bits = slow_resize(p, result[c].bits, half ? DT_F32 : type, slow_bytes(type) == 8, wide);
            if (p->nvidia && !wide && insn->flags & INSN_SAT && type == DT_F64 && !slow_apart(p, insn))
                (*to)[c].bits = slow_saturate(p, DT_F32, INSN_SAT, (*to)[c].bits);
            (*to)[c].bits = ((*to)[c].bits & ~kept) | (old & kept);
            (*to)[c].open = result[c].open || result[c].above || (kept && was_open);
            (*to)[c].above = false;
            sized[c] = (*to)[c].bits;
            if (p->nvidia && !slow_write_short(l, insn, c, moved, &(*to)[c]))
                return slow_fail(l->group, SLOW_NOT_EVALUATED, "this result", insn);
        }
        if (pass && insn->cc_update) {
            next[c] = flags ? flags[c] : slow_flags_of(p, type, result[c].bits);
            if (to && p->nvidia && wide != (slow_bytes(type) == 8) && (wide || !half))    /* measured: docs/numbers.md */
                next[c] = slow_flags_of(p, slow_is_float(type) || half ? (wide ? DT_F64 : DT_F32) : wide ? DT_S64 : DT_S32, sized[c]);
            if (to && !wide && slow_bytes(type) == 8 && l->here->answers.signless >> c & 1) {     /* a number of 64 bits in 32 */
                next[c].s = false;
                next[c].z = slow_is_float(type) ? !(sized[c] & 0x7fffffff) : !(uint32_t)sized[c];
            }
            if (to && !wide && slow_bytes(type) == 8 && l->here->answers.positive >> c & 1)
                next[c].s = false;
            if (slow_apart(p, insn))
                next[c].o = next[c].c = next[c].other_carry = next[c].other_overflow = next[c].other_above = false;
            next[c].open = result[c].open;
        }
        if (open && to)                 /* whichever way the test went, nobody can say */
            (*to)[c].open = (*to)[c].word_open = true;
        if (open && insn->cc_update)
            next[c].open = true;
    }
    if (insn->cc_update)
        memcpy(l->cc[insn->cc_update - 1], next, sizeof next);
    return true;
}
