/* What tests of condition codes see of numbers that the driver's compiler knows, where blocks set them and test them, and what becomes of
 * carries that are tested more than once: docs/numbers.md, "Condition codes". */
#include "eval/known.h"
#include "eval/decode.h"
#include "eval/traits.h"

#include <string.h>

static uint8_t flags_set(const struct insn *insn)
{
    return insn->cc_update ? (uint8_t)(insn->dst.mask << (insn->cc_update - 1u) * 4) : 0;
}

enum { LABELLED = 1, ENTERED = 2 };

/* Where labels stand, and to which of them lanes come: to main, and to what is called. */
static void mark_labels(const struct gp5_program *p, uint8_t *marks)
{
    uint8_t indirect = 0;

    for (uint32_t i = 0; i < p->insns.count; i++) {
        const struct insn *insn = program_insn(p, i);
        if (insn->op == OP_CALI)
            indirect = ENTERED;
        if (insn->op == OP_CAL && insn->partner <= p->insns.count)
            marks[insn->partner] |= ENTERED;
    }
    for (uint32_t i = 0; i < p->symbols.count; i++) {
        const struct symbol *s = program_symbol(p, i);
        if (s->kind == SYM_LABEL && s->defined && s->instruction <= p->insns.count)
            marks[s->instruction] |= (uint8_t)(LABELLED | indirect | (strcmp(s->name, "main") ? 0 : ENTERED));
    }
}

/* What a write under a test leaves of an earlier one counts. */
bool eval_flags_set_often(const struct gp5_program *p, const struct block_ends *ends, uint8_t *several)
{
    uint8_t here = 0, before = 0, *marks = gp5_malloc(p->insns.count + 1);
    bool entered = true;

    if (!marks)
        return false;
    memset(marks, 0, p->insns.count + 1);
    mark_labels(p, marks);
    *several = 0;
    for (uint32_t i = 0; i < p->insns.count; i++) {
        const struct insn *insn = program_insn(p, i);
        bool labelled = marks[i] & LABELLED;
        uint8_t set = flags_set(insn);
        if (eval_ends_block(insn) || eval_jumps_over(insn, ends) || labelled) {
            before |= here;
            here = 0;
        }
        if (labelled)
            entered = marks[i] & ENTERED;
        if (!entered || insn->dst.condition.rule == CC_FL)
            continue;
        *several |= before & set;
        if (condition_restricts(&insn->dst.condition))
            *several |= here & set;
        here |= set;
    }
    gp5_free(marks);
    return true;
}

/* ---- tests --------------------------------------------------------------------------------------------------------- */

/* How a test sees a component of a condition code that is a number known to the compiler: in the block that set it as that number, whose
 * denormals are no zeros and whose NaN has no sign; in another block by the flags; and there as nothing but zero or not, where other blocks
 * set that component too. */
enum view { VIEW_NUMBER, VIEW_FLAGS, VIEW_ZERO };

/* Of a test of flow that looks at several components only the second lowest is seen as in this block. */
static enum view view_of(const struct known *k, unsigned i, bool is_there)
{
    if (!k->values[i].computed)
        return VIEW_FLAGS;
    if (k->near >> i & 1 && is_there)
        return VIEW_NUMBER;
    return k->several >> i & 1 ? VIEW_ZERO : VIEW_FLAGS;
}

/* Component i of a condition code. Carry and overflow are not followed, so tests that look at them are not known. */
static bool test_component(const struct known *k, unsigned i, uint8_t rule, enum view view, bool *passes)
{
    const struct known_value *v = &k->values[i];
    bool is_float = type_table[v->type].is_float, sound = v->known && !v->may_overflow;
    uint32_t magnitude = v->word & 0x7fffffffu;
    bool nan = is_float && magnitude > 0x7f800000u && view != VIEW_ZERO;
    bool zero = !is_float ? !v->word : view == VIEW_FLAGS ? magnitude < 0x00800000u : !magnitude;
    bool negative = !nan && !zero && v->type != DT_U32 && v->word >> 31 && view != VIEW_ZERO;
    bool sign = negative || (nan && view == VIEW_FLAGS);

    switch (rule) {
    case CC_EQ: *passes = !nan && zero; return v->known;
    case CC_NE: *passes = nan || !zero; return v->known;
    case CC_LT: *passes = negative; return sound;
    case CC_GE: *passes = !nan && !negative; return sound;
    case CC_GT: *passes = !nan && !negative && !zero; return sound;
    case CC_LE: *passes = !nan && (negative || zero); return sound;
    case CC_SF: *passes = sign; return v->known;
    case CC_NSF: *passes = !sign; return v->known;
    case CC_NAN:    /* an integer is none, whatever it is */
        *passes = nan;
        return v->known || (v->type != DT_NONE && !is_float);
    case CC_LEG:
        *passes = !nan;
        return v->known || (v->type != DT_NONE && !is_float);
    default: return false;
    }
}

static uint8_t swizzle_of(const struct condition *test)
{
    return test->nswizzle ? test->swizzle : 0xe4;
}

/* The component that a test's cth one looks at, as in `values`. */
static unsigned looks_at(const struct condition *test, unsigned c)
{
    return (test->cc & 1) * 4u + (swizzle_of(test) >> 2 * c & 3);
}

/* Whether a test of flow sees a component of this block as what it is. */
static bool sees(const struct condition *test, unsigned i)
{
    return !eval_tests_several(test) || (eval_first_alone(test) >> 2 & 3) == (i & 3);
}

bool eval_known_test(const struct known *k, const struct condition *test, bool *passes)
{
    bool all_known = true;

    *passes = test->rule == CC_TR || test->rule == CC_NONE;
    if (*passes || test->rule == CC_FL)
        return true;
    for (unsigned c = 0; c < 4; c++) {
        unsigned i = looks_at(test, c);
        bool pass = false;
        if (!test_component(k, i, test->rule, view_of(k, i, sees(test, i)), &pass))
            all_known = false;
        else if (pass)
            *passes = true;
    }
    return *passes || all_known;
}

bool eval_tests_several(const struct condition *test)
{
    uint8_t swizzle = swizzle_of(test);

    return condition_restricts(test) && swizzle != (swizzle & 3) * 0x55;
}

uint8_t eval_first_alone(const struct condition *test)
{
    uint8_t read = 0, ordered = 0, last = 0;
    unsigned n = 0;

    for (unsigned c = 0; c < 4; c++)
        read |= (uint8_t)(1u << (swizzle_of(test) >> 2 * c & 3));
    for (uint8_t c = 0; c < 4; c++)
        if (read >> c & 1) {
            ordered |= (uint8_t)(c << 2 * n++);
            last = c;
        }
    for (; n < 4; n++)
        ordered |= (uint8_t)(last << 2 * n);
    return ordered;
}

bool eval_known_jump(const struct known *k, const struct insn *jump, bool *passes)
{
    const struct condition *test = &jump->condition;
    bool all_known = true;
    uint8_t ordered = eval_first_alone(test);

    if (!eval_tests_several(test))
        return eval_known_test(k, test, passes);
    *passes = true;
    for (unsigned c = 0; c < 4; c++) {
        bool pass = false;
        unsigned i = (test->cc & 1) * 4u + (ordered >> 2 * c & 3);
        if (!test_component(k, i, test->rule, view_of(k, i, sees(test, i)), &pass))
            all_known = false;
        else if (pass != (c == 0))
            *passes = false;
    }
    return !*passes || all_known;
}

void eval_known_uses(const struct known *k, const struct condition *test, uint8_t mask, uint32_t uses[4])
{
    for (unsigned c = 0; (test->rule == CC_GT || test->rule == CC_LT) && c < 4; c++)
        if (mask >> c & 1)
            uses[c] = k->values[looks_at(test, c)].trait.sum;
}

/* ---- tests of a result ---------------------------------------------------------------------------------------------------- */

/* Whether a test passes for the sign that is known of a result. */
static bool always_passes(const struct known_value *v, uint8_t rule)
{
    switch (rule) {
    case CC_GE: case CC_NSF: return v->passes & 1u << CC_GE;
    case CC_GT: case CC_LT: case CC_NE: case CC_NCF: case CC_NOF: case CC_BLE: return v->passes & 1u << rule;
    default: return false;
    }
}

/* Or fails, since nothing is ever carried. */
static bool never_passes(const struct known_value *v, uint8_t rule)
{
    switch (rule) {
    case CC_CF: return v->passes & 1u << CC_NCF;
    case CC_OF: return v->passes & 1u << CC_NOF;
    case CC_AB: return v->passes & 1u << CC_BLE;
    default: return false;
    }
}

/* Whether a result sets the flags that it is tested by, several of them. */
static bool tests_itself(const struct insn *insn)
{
    const struct condition *test = &insn->dst.condition;

    return insn->cc_update == (test->cc & 1) + 1 && eval_tests_others(insn) && (test->rule < CC_CF || test->rule > CC_NOF);
}

/* What such a result sees in the block that set the flags as the number is one component alone: the first that it writes, where each is tested
 * by its own flags, or else the lowest that is looked at. */
static enum view view_of_result(const struct known *k, const struct insn *insn, unsigned at)
{
    const struct condition *test = &insn->dst.condition;
    uint8_t mask = insn->dst.mask;
    enum view view = view_of(k, at, true);
    bool by_own = true;
    unsigned lowest = 3;

    if (view != VIEW_NUMBER || !eval_writes_apart(k->p, insn))
        return view;
    for (unsigned c = 0; c < 4; c++) {
        unsigned looked = swizzle_of(test) >> 2 * c & 3;
        if (!(mask >> c & 1))
            continue;
        by_own &= looked == c;
        lowest = looked < lowest ? looked : lowest;
    }
    return (at & 3) == lowest ? VIEW_NUMBER : by_own && tests_itself(insn) ? view_of(k, at, false) : VIEW_FLAGS;
}

uint8_t eval_turns(const struct insn *insn, uint8_t order[4])
{
    const struct condition *test = &insn->dst.condition;
    uint8_t n = 0;

    for (unsigned pass = 0; pass < 2; pass++)
        for (uint8_t c = 0; c < 4; c++)
            if (insn->dst.mask >> c & 1 && ((swizzle_of(test) >> 2 * c & 3) < c) == (pass == 0))
                order[n++] = c;
    return n;
}

/* Whether a component is written before the test of component c looks at its flags. */
static bool is_set_before(const struct insn *insn, bool in_turn, unsigned c, unsigned looked)
{
    uint8_t order[4], n = eval_turns(insn, order);

    if (!in_turn)
        return insn->cc_update && insn->dst.mask & ((1u << c) - 1) & 1u << looked;
    for (unsigned i = 0; i < n && order[i] != c; i++)
        if (order[i] == looked)
            return true;
    return false;
}

/* Those that know of no carry pass and fail as before when results without one have been written. */
static bool looks_at_carry(uint8_t rule)
{
    switch (rule) {
    case CC_CF: case CC_NCF: case CC_OF: case CC_NOF: case CC_AB: case CC_BLE: return true;
    default: return false;
    }
}

/* The components of a result whose test looks at flags of known numbers, or is known to pass, and those whose test passes or fails for
 * certain. Where another block set the flags that the result sets, components are written in turn. */
static void settle(const struct known *k, const struct insn *insn, struct folded *folded)
{
    const struct result *r = &insn->dst;

    if (insn->flags & INSN_SSAT && program_is_long(k->p, r->kind, r->ref))
        return;                 /* the driver does not look at the test */
    for (unsigned c = 0; condition_restricts(&r->condition) && c < 4; c++) {
        unsigned at = looks_at(&r->condition, c);
        uint8_t bit = (uint8_t)(1u << c & r->mask);
        if (bit && !(k->near >> at & 1) && tests_itself(insn))
            folded->in_turn = true;
        if (r->condition.rule == CC_FL)
            folded->fails |= bit;
    }
    for (unsigned c = 0; condition_restricts(&r->condition) && c < 4; c++) {
        unsigned at = looks_at(&r->condition, c);
        uint8_t bit = (uint8_t)(1u << c & r->mask);
        bool passes;
        if (folded->in_turn && is_set_before(insn, true, c, at & 3) && !looks_at_carry(r->condition.rule))
            continue;
        if (k->values[at].known || always_passes(&k->values[at], r->condition.rule) || never_passes(&k->values[at], r->condition.rule))
            folded->settled |= bit;
        if (!is_set_before(insn, folded->in_turn, c, at & 3) &&
            test_component(k, at, r->condition.rule, view_of_result(k, insn, at), &passes))
            *(passes ? &folded->passes : &folded->fails) |= bit;
    }
}

/* Tests of flags of this block that see more of a number than the flags show. */
static void find_fixed(const struct known *k, const struct insn *insn, const struct condition *test, bool flow, struct folded *folded)
{
    for (unsigned i = 0; condition_restricts(test) && i < 4; i++) {
        unsigned at = (test->cc & 1) * 4u + i;
        const struct known_value *v = &k->values[at];
        bool passes = false, differs = type_table[v->type].is_float || k->several >> at & 1;
        enum view view = flow ? view_of(k, at, sees(test, at)) : view_of_result(k, insn, at);
        if (!v->known || !differs || (view_of(k, at, false) == view && view != VIEW_NUMBER) || !test_component(k, at, test->rule, view, &passes))
            continue;
        folded->fixed |= (uint8_t)(1u << i);
        folded->fixed_passes |= (uint8_t)(passes << i);
    }
}

/* ---- tests of carry and overflow ----------------------------------------------------------------------------------------- */

/* The driver's compiler turns the carry or overflow of a sum around in its place where it wants it the other way, and the next such use finds
 * it turned. Which uses these are was found with 250 sequences of tests: of CF and NOF that of the lowest component by IF, of NCF and OF all
 * others. What is used as it stands is made anew. Each of the four rules has a copy of its own. */
static bool turns(uint8_t rule, bool lowest_of_if)
{
    return (rule == CC_CF || rule == CC_NOF) == lowest_of_if;
}

/* Carry has one state for CF and NCF, overflow for OF and NOF. */
static uint8_t *state_of(struct known *k, uint8_t rule)
{
    return &k->spent[rule - CC_CF];
}

static void set_state(struct known *k, uint8_t rule, uint8_t bit, bool turned)
{
    bool carry = rule == CC_CF || rule == CC_NCF;

    for (unsigned i = 0; i < 2; i++) {
        uint8_t *state = state_of(k, carry ? (i ? CC_NCF : CC_CF) : i ? CC_NOF : CC_OF);
        *state = turned ? *state | bit : *state & (uint8_t)~bit;
    }
}

/* Components of a condition code that a test of flow finds turned. */
static uint8_t find_turned(struct known *k, const struct insn *insn)
{
    const struct condition *test = &insn->condition;
    uint8_t lowest = eval_first_alone(test), spent, found = 0;

    if (test->rule < CC_CF || test->rule > CC_NOF || insn->op == OP_CAL || insn->op == OP_CALI)
        return 0;
    spent = *state_of(k, test->rule);
    for (unsigned n = 0; n < 4; n++) {
        unsigned i = lowest >> 2 * n & 3;
        uint8_t bit = (uint8_t)(1u << ((test->cc & 1) * 4 + i));
        if (!(k->sums & bit) || (n && i == (lowest >> 2 * (n - 1) & 3u)))
            continue;
        if (turns(test->rule, insn->op == OP_IF && n == 0)) {
            found |= spent & bit ? (uint8_t)(1u << i) : 0;
            set_state(k, test->rule, bit, true);
        } else {
            set_state(k, test->rule, bit, false);
        }
    }
    return found;
}

/* Components of a result in the order in which the driver writes them: MOV and shifts put off those that later ones still read. */
static uint8_t writing_order(const struct gp5_program *p, const struct insn *insn, uint8_t order[4])
{
    const struct operand *o = insn->nsrc ? program_operand(p, insn->src) : NULL;
    const struct result *r = &insn->dst;
    bool own = o && (insn->op == OP_MOV || insn->op == OP_SHL || insn->op == OP_SHR) && o->kind == r->kind && o->ref == r->ref && !o->nindices && !r->nindices;
    uint8_t late = 0, n = 0;

    for (uint8_t c = 0; own && c < 4; c++)
        for (unsigned i = c + 1u; i < 4; i++)
            late |= r->mask >> i & 1 && (o->swizzle >> 2 * i & 3) == c ? (uint8_t)(1u << c) : 0;
    if (insn->op == OP_LIT)
        late = 2;
    for (unsigned pass = 0; pass < 2; pass++)
        for (uint8_t c = 0; c < 4; c++)
            if (r->mask >> c & 1 && (late >> c & 1) == pass && !(own && insn->op == OP_MOV && !operand_has_sign(o) && (o->swizzle >> 2 * c & 3) == c))
                order[n++] = c;
    return n;
}

/* Not what is a branch, or sets flags itself. */
static bool is_choice(const struct insn *insn)
{
    switch (insn->op) {
    case OP_LDB: case OP_LDS: case OP_LOAD: case OP_ATOM: case OP_ATOMB: case OP_ATOMS: case OP_ATOMCTR: case OP_ATOMCTROP: case OP_LOADIM: case OP_ATOMIM:
    case OP_SHFUP: case OP_SHFDOWN: case OP_SHFIDX: case OP_SHFXOR:
        return false;
    default:
        return !insn->cc_update;
    }
}

/* A choice between a number, or a word of a constant buffer, and what is not known has the two the other way round. */
static bool is_number(const struct known *k, const struct insn *insn, unsigned c, bool known)
{
    const struct operand *o = insn->nsrc ? program_operand(k->p, insn->src) : NULL;
    const struct symbol *s = o && o->kind == OPND_SYMBOL ? program_symbol(k->p, o->ref) : NULL;
    const struct result *r = &insn->dst;
    bool constant = insn->op == OP_MOV && !operand_has_sign(o) && s && s->kind != SYM_TEMP && s->kind != SYM_OUTPUT;

    if (r->kind == OPND_SYMBOL && !r->nindices && k->first[r->ref] != NO_INDEX && k->values[k->first[r->ref] + c].known)
        return false;
    return known || constant;
}

void eval_known_turn(struct known *k, const struct insn *insn, const struct known_value v[4], struct folded *folded)
{
    const struct condition *test = &insn->dst.condition;
    uint8_t order[4], n;

    if (test->rule < CC_CF || test->rule > CC_NOF || !is_choice(insn))
        return;
    n = writing_order(k->p, insn, order);
    for (unsigned i = 0; i < n; i++) {
        uint8_t c = order[i], bit = (uint8_t)(1u << looks_at(test, c)) & (k->sums | k->wide_sums);
        bool turned = turns(test->rule, is_number(k, insn, c, v[c].known));
        if (insn->op == OP_LIT && (c == 0 || c == 3))
            continue;
        if (folded && turned && *state_of(k, test->rule) & bit)
            folded->again |= (uint8_t)(1u << c);
        set_state(k, test->rule, bit & k->near, turned);
    }
}

/* Not those of known numbers, unless nothing else sets the flags. */
static void set_sums(struct known *k, const struct insn *insn, const struct known_value v[4])
{
    uint8_t set = flags_set(insn), type = insn->type, numbers = 0;
    bool sums = eval_is_sum(insn->op) && !condition_restricts(&insn->dst.condition), sum = sums && (type == DT_S32 || type == DT_U32);

    for (unsigned c = 0; set && c < 4; c++)
        numbers |= v[c].known ? (uint8_t)(1u << ((insn->cc_update - 1u) * 4 + c)) : 0;
    k->sums &= (uint8_t)~set;
    k->sums |= sum ? set & (uint8_t)~(numbers & k->several) : 0;
    k->wide_sums &= (uint8_t)~set;
    k->wide_sums |= sums && (type == DT_S64 || type == DT_U64) ? set & (uint8_t)~(numbers & k->several) : 0;
    for (unsigned rule = 0; set && rule < 4; rule++)
        k->spent[rule] &= (uint8_t)~set;
}

void eval_known_write(struct known *k, const struct insn *insn, struct folded *folded)
{
    if (folded) {
        settle(k, insn, folded);
        find_fixed(k, insn, &insn->dst.condition, false, folded);
    }
}

void eval_known_set_flags(struct known *k, const struct insn *insn, const struct known_value v[4])
{
    uint8_t set = flags_set(insn);

    if (condition_restricts(&insn->dst.condition))
        k->near &= set ? (uint8_t)(0xf << (insn->cc_update == 1 ? 4 : 0)) : 0xff;
    else
        k->near |= set;
    set_sums(k, insn, v);
}

bool eval_known_flow(struct known *k, const struct insn *insn, struct folded *folded)
{
    uint8_t turned = find_turned(k, insn);

    if (!folded || !condition_restricts(&insn->condition))
        return false;
    find_fixed(k, insn, &insn->condition, true, folded);
    folded->inverted = turned;
    return folded->fixed || folded->inverted;
}
