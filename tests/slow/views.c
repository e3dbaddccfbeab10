/* What tests see of flags of numbers that the compiler knows: in the block that set them the number, elsewhere the flags, or nothing but
 * whether it is zero; and what becomes of carries that are tested more than once. docs/numbers.md, "Condition codes". */
#include "tests/slow/follow.h"

#include <string.h>

enum { WHOLE = 16, LONG_WHOLE = 32, NOT_BELOW = 1, ABOVE = 2, BELOW = 8, MINUS_WHOLE = 256 };

/* Not where none is ever taken; loads and stores that look at their buffer's size, divisions that are subroutines. */
bool slow_ends_block(const struct insn *insn)
{
    bool wide_integer = insn->type == DT_S64 || insn->type == DT_U64;
    switch (insn->op) {
    case OP_BRK: case OP_CONT: case OP_RET: case OP_CAL: case OP_CALI:
        return insn->condition.rule != CC_FL;
    case OP_MEMBAR: case OP_LDB: case OP_STB: case OP_ATOMB: case OP_LOADIM: case OP_ATOMIM: case OP_ATOMCTR: case OP_ATOMCTROP:
        return true;
    case OP_DIV: case OP_MOD:
        return wide_integer;
    case OP_RSQ:
        return insn->type == DT_F64;
    default:
        return op_flows(insn->op);
    }
}

/* A test for what never was carried. */
static bool tests_nothing(const struct slow_program *p, const struct condition *c)
{
    for (uint32_t i = 0; i < p->text->insns.count; i++) {
        const struct insn *insn = program_insn(p->text, i);
        bool plain = insn->op == OP_MOV || op_is_logic(insn->op) || op_compares(insn->op);
        if (insn->cc_update == c->cc + 1u && !plain && !slow_is_float(insn->type))
            return false;
    }
    return c->rule == CC_NCF || c->rule == CC_NOF;
}

/* Its test is a branch, behind which another block begins. */
bool slow_branches(const struct slow_program *p, const struct insn *insn)
{
    const struct condition *test = &insn->dst.condition;
    bool element = insn->dst.kind == OPND_SYMBOL && (p->by_address ? p->by_address : p->indexed)[insn->dst.ref];
    if (insn->cc_update || test->rule == CC_FL || !condition_restricts(test))
        return insn->cc_update && condition_restricts(test);
    if (element)
        return true;
    return (insn->op == OP_LDS || insn->op == OP_ATOMS || insn->op == OP_LOAD || insn->op == OP_ATOM) && !tests_nothing(p, test);
}

static uint8_t set(const struct insn *insn)
{
    return insn->cc_update ? (uint8_t)(insn->dst.mask << (insn->cc_update == 2 ? 4 : 0)) : 0;
}

static bool is_main(const struct slow_program *p, uint32_t at)
{
    for (uint32_t i = 0; i < p->text->symbols.count; i++) {
        const struct symbol *s = program_symbol(p->text, i);
        if (s->kind == SYM_LABEL && s->defined && s->instruction == at && strcmp(s->name, "main") == 0)
            return true;
    }
    return false;
}

static bool is_reached(const struct slow_program *p, uint32_t at)
{
    bool reached = is_main(p, at);
    for (uint32_t i = 0; i < p->text->insns.count; i++) {
        const struct insn *insn = program_insn(p->text, i);
        reached |= insn->op == OP_CALI || (insn->op == OP_CAL && insn->partner == at);
    }
    return reached;
}

uint8_t slow_set_more_than_once(const struct slow_program *p)
{
    uint8_t block = 0, earlier = 0, more = 0;
    bool reached = true;
    for (uint32_t i = 0; i < p->text->insns.count; i++) {
        const struct insn *insn = program_insn(p->text, i);
        if (p->label[i] || slow_ends_block(insn) || slow_branches(p, insn)) {
            earlier |= block;
            block = 0;
        }
        if (p->label[i])
            reached = is_reached(p, i);
        if (!reached)
            continue;
        more |= set(insn) & (condition_restricts(&insn->dst.condition) ? block | earlier : earlier);
        block |= set(insn);
    }
    return more;
}

/* ---- one test ----------------------------------------------------------------------------------------------------------- */

static unsigned selected(const struct condition *c, unsigned i)
{
    return (c->nswizzle ? c->swizzle : 0xe4) >> 2 * i & 3;
}

/* The components that are looked at, from the lowest on. */
static unsigned in_order(const struct condition *c, unsigned list[4])
{
    unsigned n = 0;
    for (unsigned k = 0; k < 4; k++) {
        bool looked = false;
        for (unsigned i = 0; i < 4; i++)
            looked |= selected(c, i) == k;
        if (looked)
            list[n++] = k;
    }
    return n;
}

bool slow_tests_itself(const struct slow_program *p, const struct insn *insn)
{
    uint8_t rule = insn->dst.condition.rule;
    bool carry = rule == CC_CF || rule == CC_NCF || rule == CC_OF || rule == CC_NOF;
    return slow_tests_others(p, insn) && insn->cc_update == (insn->dst.condition.cc & 1) + 1 && !(carry && slow_carryless(p, insn));
}

unsigned slow_turn_of(const struct insn *insn, unsigned c)
{
    return selected(&insn->dst.condition, c);
}

enum seen { SEEN_NUMBER, SEEN_FLAGS, SEEN_ZERO };

/* What a result that is written component by component sees of a number of its own block. */
static enum seen seen_by_result(const struct slow_knowledge *k, const struct insn *insn, unsigned i, enum seen elsewhere)
{
    unsigned lowest = 3;
    bool own = true;
    if (!slow_apart(k->p, insn) && !(slow_tests_others(k->p, insn) && slow_bytes(slow_result_type(insn)) == 8))
        return SEEN_NUMBER;
    for (unsigned c = 0; c < 4; c++) {
        unsigned looked = selected(&insn->dst.condition, c);
        if (!(insn->dst.mask >> c & 1))
            continue;
        own &= looked == c;
        if (looked < lowest)
            lowest = looked;
    }
    if (i == lowest)
        return SEEN_NUMBER;
    return own && slow_tests_itself(k->p, insn) ? elsewhere : SEEN_FLAGS;
}

static enum seen seen_elsewhere(const struct slow_knowledge *k, unsigned at)
{
    return k->value[at].computed && k->p->several >> at & 1 ? SEEN_ZERO : SEEN_FLAGS;
}

static enum seen seen_as(const struct slow_knowledge *k, const struct condition *c, unsigned i, const struct insn *result)
{
    unsigned at = (c->cc & 1) * 4u + i, list[4], n = in_order(c, list);
    enum seen elsewhere = seen_elsewhere(k, at);
    if (!(k->near >> at & 1) || !k->value[at].computed)
        return elsewhere;
    if (result)
        return seen_by_result(k, result, i, elsewhere);
    return n == 1 || list[1] == i ? SEEN_NUMBER : elsewhere;
}

bool slow_sees(const struct slow_knowledge *k, const struct condition *c, unsigned i, const struct insn *result, bool *passes)
{
    unsigned at = (c->cc & 1) * 4u + i;
    const struct slow_known *f = &k->value[at];
    enum seen as = seen_as(k, c, i, result);
    bool flags = as == SEEN_FLAGS, zero_alone = as == SEEN_ZERO;
    bool single = slow_is_float(f->type), sound = f->known && !f->may_overflow;
    uint32_t w = (uint32_t)f->bits, m = w & 0x7fffffff;
    bool nan = single && m > 0x7f800000 && !zero_alone, zero = single ? m < (flags ? 0x00800000u : 1u) : f->bits == 0;
    bool negative = !nan && !zero && !zero_alone && f->type != DT_U32 && w >> 31;
    switch (c->rule) {
    case CC_EQ: *passes = zero && !nan; return f->known;
    case CC_NE: *passes = !zero || nan; return f->known;
    case CC_LT: *passes = negative; return sound;
    case CC_GE: *passes = !nan && !negative; return sound;
    case CC_GT: *passes = !nan && !negative && !zero; return sound;
    case CC_LE: *passes = !nan && (negative || zero); return sound;
    case CC_SF: case CC_NSF:
        *passes = (negative || (nan && flags)) == (c->rule == CC_SF);
        return f->known;
    case CC_NAN: case CC_LEG:
        *passes = nan == (c->rule == CC_NAN);
        return f->known || (f->type != DT_NONE && !single && type_table[f->type].bytes == 4);     /* an integer is none, a half may be one */
    default: return false;
    }
}

/* Tests that see the number, where the flags do not show it. */
static void see_number(const struct slow_knowledge *k, const struct condition *c, const struct insn *result, struct slow_place *place)
{
    for (unsigned i = 0; place && condition_restricts(c) && i < 4; i++) {
        unsigned at = (c->cc & 1) * 4u + i;
        const struct slow_known *f = &k->value[at];
        bool pass = false;
        enum seen as = seen_as(k, c, i, result);
        if (!f->known || !f->computed || !(k->near >> at & 1) || (as != SEEN_NUMBER && as == seen_elsewhere(k, at)) ||
            !(slow_is_float(f->type) || k->p->several >> at & 1) || !slow_sees(k, c, i, result, &pass))
            continue;
        place->fixed |= (uint8_t)(1u << i);
        place->fixed_passes |= pass ? (uint8_t)(1u << i) : 0;
    }
}

/* ---- carries ------------------------------------------------------------------------------------------------------------ */

static bool of_carries(const struct condition *c)
{
    return c->rule == CC_CF || c->rule == CC_NCF || c->rule == CC_OF || c->rule == CC_NOF;
}

/* Of CF and NCF, or of OF and NOF. */
static void keep(struct slow_knowledge *k, unsigned rule, uint8_t bit, bool turns)
{
    for (unsigned other = CC_CF; other <= CC_NOF; other++)
        if ((other == CC_CF || other == CC_NCF) == (rule == CC_CF || rule == CC_NCF))
            k->spent[other - CC_CF] = turns ? k->spent[other - CC_CF] | bit : k->spent[other - CC_CF] & (uint8_t)~bit;
}

/* One use of a carry or an overflow; whether it is found the other way round. */
static bool use(struct slow_knowledge *k, unsigned rule, uint8_t bit, bool turns)
{
    bool found = k->spent[rule - CC_CF] & bit;
    keep(k, rule, bit, turns);
    return turns && found;
}

void slow_note_flow(struct slow_knowledge *k, const struct insn *insn, struct slow_place *place)
{
    const struct condition *c = &insn->condition;
    unsigned list[4], n = in_order(c, list);
    bool forward = c->rule == CC_CF || c->rule == CC_NOF;
    see_number(k, c, NULL, place);
    if (condition_restricts(c) && c->rule != CC_FL)
        k->orders &= c->cc & 1 ? 0x0f : 0xf0;       /* a jump by it has its own way of asking */
    if (!of_carries(c) || insn->op == OP_CAL || insn->op == OP_CALI)
        return;
    for (unsigned i = 0; i < n; i++) {
        uint8_t bit = (uint8_t)(1u << ((c->cc & 1) * 4 + list[i]));
        bool first_of_if = insn->op == OP_IF && i == 0;
        if (k->sums & bit && use(k, c->rule, bit, forward == first_of_if) && place)
            place->turned |= (uint8_t)(1u << list[i]);
    }
}

void slow_note_test(struct slow_knowledge *k, const struct insn *insn, struct slow_place *place)
{
    see_number(k, &insn->dst.condition, insn, place);
}

/* Whether components wait for those behind them, which are made of them: not in sums and differences, where all are one result, nor in a variable of another size. */
static bool anybody_waits(const struct slow_knowledge *k, const struct insn *insn)
{
    bool wide = insn->dst.kind == OPND_SYMBOL && program_symbol(k->p->text, insn->dst.ref)->size == SIZE_LONG;
    if (op_votes(insn->op) || insn->op == OP_ADD || insn->op == OP_SUB || insn->op == OP_DST || insn->dst.nindices || wide == (slow_bytes(slow_result_type(insn)) != 8))
        return false;
    for (unsigned n = 0; n < insn->nsrc; n++)
        if (slow_made_of(k->p, insn, n, 0) != slow_made_of(k->p, insn, n, 1) || slow_made_of(k->p, insn, n, 1) != slow_made_of(k->p, insn, n, 2) ||
            slow_made_of(k->p, insn, n, 2) != slow_made_of(k->p, insn, n, 3))
            return true;
    return false;
}

static bool is_made_of(const struct slow_knowledge *k, const struct insn *insn, unsigned c, unsigned of)
{
    if (insn->op == OP_LIT)
        return c == 2 && of == 1;
    for (unsigned n = 0; anybody_waits(k, insn) && n < insn->nsrc; n++) {
        const struct operand *o = program_operand(k->p->text, insn->src + n);
        if (o->kind != insn->dst.kind || o->kind == OPND_EXTENDED || o->ref != insn->dst.ref || o->nindices)
            continue;
        for (unsigned i = 0; i < 4; i++)       /* of one component of the operand alone */
            if (slow_made_of(k->p, insn, n, c) == 1u << i && (o->swizzle >> 2 * i & 3) == of)
                return true;
    }
    return false;
}

/* After how many others component c is written: it waits for all behind it that are made of it, in whose turn others wait. */
static unsigned waits(const struct slow_knowledge *k, const struct insn *insn, unsigned c)
{
    unsigned turn = 0;
    for (unsigned i = c + 1; i < 4; i++)
        if (is_made_of(k, insn, i, c) && waits(k, insn, i) >= turn)
            turn = waits(k, insn, i) + 1;
    return turn;
}

/* What an instruction passes on: MOV, and integers with 0 or by 1; or NULL. */
static const struct operand *passed_on(const struct slow_knowledge *k, const struct insn *insn, unsigned c)
{
    const struct operand *a = insn->nsrc ? program_operand(k->p->text, insn->src) : NULL;
    bool adds = insn->op == OP_ADD || insn->op == OP_SUB || insn->op == OP_OR || insn->op == OP_XOR;
    struct slow_known v;
    if (insn->op == OP_MOV)
        return a;
    if ((!adds && insn->op != OP_MUL) || !slow_is_word_type(insn->type) || insn->flags & (INSN_HI | INSN_SAT | INSN_SSAT))
        return NULL;
    if (a[1].kind == OPND_CONSTANT && slow_known_operand(k, a + 1, c, insn->type, &v) && v.bits == (adds ? 0u : 1u))
        return a;
    return insn->op != OP_SUB && a->kind == OPND_CONSTANT && slow_known_operand(k, a, c, insn->type, &v) && v.bits == (adds ? 0u : 1u) ? a + 1 : NULL;
}

static bool copies_itself(const struct slow_knowledge *k, const struct insn *insn, unsigned c)
{
    const struct operand *o = passed_on(k, insn, c);
    return o && o->kind == insn->dst.kind && o->ref == insn->dst.ref && !o->nindices && !insn->dst.nindices && !operand_has_sign(o) &&
           (o->swizzle >> 2 * c & 3) == c;
}

/* A word of a constant buffer: of one that registers choose MOV alone passes it on. */
static bool is_constant_word(const struct gp5_program *p, const struct insn *insn, const struct operand *o)
{
    if (o->kind == OPND_BINDING)
        return program_binding(p, o->ref)->kind == BIND_INVOCATION_GROUPCOUNT || program_binding(p, o->ref)->kind == BIND_INVOCATION_GROUPSIZE;
    if (o->kind != OPND_SYMBOL || (insn->op != OP_MOV && o->nindices && program_index(p, o->index)->mode == INDEX_RELATIVE))
        return false;
    return program_symbol(p, o->ref)->kind != SYM_TEMP && program_symbol(p, o->ref)->kind != SYM_OUTPUT;
}

/* What stands there already is not known, and what comes is, or is a word of a constant buffer. */
static bool chooses_number(const struct slow_knowledge *k, const struct insn *insn, unsigned c, bool known)
{
    const struct operand *o = passed_on(k, insn, c);
    const struct slow_known *old = insn->dst.nindices ? NULL : slow_of_register(k, insn->dst.kind, insn->dst.ref, c);
    if (old && old->known)
        return false;
    return known || (o && is_constant_word(k->p->text, insn, o) && !operand_has_sign(o));
}

/* Not what is a branch, or sets flags itself. */
static bool is_choice(const struct insn *insn)
{
    bool branches = slow_is_load(insn) || op_is_atomic(insn->op) || insn->op == OP_LOADIM || op_shuffles(insn->op);
    return !insn->cc_update && (!branches || insn->op == OP_LDC);
}

/* To an element in memory each component has an IF, which turns CF and NOF around, where this block has set them; those after the first one find its flag turned. */
void slow_note_branches(struct slow_knowledge *k, const struct insn *insn, struct slow_place *place)
{
    const struct condition *test = &insn->dst.condition;
    bool forward = test->rule == CC_CF || test->rule == CC_NOF;
    if (!slow_is_in_memory(k->p, &insn->dst) || !condition_restricts(test) || !is_choice(insn))
        return;
    uint8_t before = forward ? k->spent[test->rule - CC_CF] : 0, first = 0;
    for (unsigned n = 0; n < 16; n++) {
        unsigned c = n % 4;
        uint8_t flag = (uint8_t)(1u << ((test->cc & 1) * 4 + selected(test, c))), here = flag & k->near;
        if (!(insn->dst.mask >> c & 1) || waits(k, insn, c) != n / 4 || copies_itself(k, insn, c))
            continue;
        if (place && forward && (before | (first & k->near)) & flag & k->sums)
            place->inverse |= (uint8_t)(1u << c);
        if (of_carries(test))
            keep(k, test->rule, here & k->sums, forward);
        first = first ? first : flag;
        for (unsigned i = 0; i < 2; i++)
            k->turned_orders[i] &= (uint8_t)~(here & k->orders);
    }
}

void slow_note_turns(struct slow_knowledge *k, const struct insn *insn, const struct slow_known r[4], struct slow_place *place)
{
    const struct condition *test = &insn->dst.condition;
    if (!is_choice(insn) || slow_is_in_memory(k->p, &insn->dst))
        return;
    for (unsigned c = 0; condition_restricts(test) && test->rule != CC_FL && test->rule != CC_OF && test->rule != CC_NOF && c < 4; c++)
        if (insn->dst.mask >> c & 1 && !copies_itself(k, insn, c))     /* by another rule the overflow is made anew */
            keep(k, CC_OF, (uint8_t)(1u << ((test->cc & 1) * 4 + selected(test, c))) & (k->sums | k->wide_sums), false);
    if (!of_carries(test))
        return;
    for (unsigned n = 0; n < 16; n++) {
        unsigned c = n % 4;
        uint8_t bit = (uint8_t)(1u << ((test->cc & 1) * 4 + selected(test, c))) & (k->sums | k->wide_sums);
        bool turns;
        if (!(insn->dst.mask >> c & 1) || waits(k, insn, c) != n / 4 || copies_itself(k, insn, c) || (insn->op == OP_LIT && (c == 0 || c == 3)))
            continue;
        turns = (test->rule == CC_CF || test->rule == CC_NOF) == chooses_number(k, insn, c, r[c].known);
        if (place && turns && k->spent[test->rule - CC_CF] & bit)
            place->inverse |= (uint8_t)(1u << c);
        keep(k, test->rule, bit & k->near, turns);
    }
}

/* ---- orders ---------------------------------------------------------------------------------------------------------------- */

/* Whether component c is a sum, no difference, of two terms that are no numbers but 0. */
static bool adds_unknown(const struct slow_knowledge *k, const struct insn *insn, unsigned c)
{
    bool open[3] = {false}, minus[3] = {false};
    for (unsigned n = 0; n < insn->nsrc; n++) {
        struct slow_known v;
        open[n] = !slow_known_operand(k, program_operand(k->p->text, insn->src + n), c, insn->type, &v) || !v.bits;
        minus[n] = program_operand(k->p->text, insn->src + n)->flags & OPND_NEGATE;
    }
    if (insn->op == OP_ADD || insn->op == OP_SUB)
        return open[0] && open[1] && !minus[0] && minus[1] == (insn->op == OP_SUB);
    return (open[0] || open[1]) && open[2] && !minus[2];
}

static void choose_by_order(struct slow_knowledge *k, const struct insn *insn, const struct slow_known r[4], struct slow_place *place)
{
    const struct condition *test = &insn->dst.condition;
    uint8_t *own = test->rule == CC_LT ? &k->turned_orders[0] : test->rule == CC_GE ? &k->turned_orders[1] : NULL;
    for (unsigned n = 0; n < 16; n++) {
        unsigned c = n % 4;
        uint8_t bit, here;
        bool turns;
        if (!(insn->dst.mask >> c & 1) || waits(k, insn, c) != n / 4 || copies_itself(k, insn, c))
            continue;
        bit = (uint8_t)(1u << ((test->cc & 1) * 4 + selected(test, c))) & k->orders;
        here = bit & k->near;
        turns = own && (test->rule == CC_GE) == chooses_number(k, insn, c, r[c].known);
        if (place && own && *own & bit && (turns || !here))
            place->inverse |= (uint8_t)(1u << c);
        for (unsigned i = 0; i < 2; i++)
            k->turned_orders[i] &= (uint8_t)~here;
        if (turns)
            *own |= here;
    }
}

/* LT, and GE that chooses between a number and what is not known, turn what they look at; other tests make it anew. */
void slow_note_orders(struct slow_knowledge *k, const struct insn *insn, const struct slow_known r[4], struct slow_place *place)
{
    bool is_long = insn->dst.kind == OPND_SYMBOL && program_symbol(k->p->text, insn->dst.ref)->size == SIZE_LONG, tested = condition_restricts(&insn->dst.condition);
    bool wide = insn->type == DT_S64 || insn->type == DT_U64;
    bool sums = !tested && slow_op_adds(insn->op) && (wide ? is_long || insn->dst.kind == OPND_CC : slow_is_word_type(insn->type) && !is_long);
    uint8_t these = set(insn);
    if (tested && is_choice(insn) && !slow_is_in_memory(k->p, &insn->dst))
        choose_by_order(k, insn, r, place);
    k->orders &= (uint8_t)~these;
    for (unsigned i = 0; i < 2; i++)
        k->turned_orders[i] &= (uint8_t)~these;
    for (unsigned c = 0; sums && these && c < 4; c++)
        if (insn->dst.mask >> c & 1 && adds_unknown(k, insn, c))
            k->orders |= these & (uint8_t)(0x11u << c);
}

/* ---- what sets flags ------------------------------------------------------------------------------------------------------- */

void slow_note_flags(struct slow_knowledge *k, const struct insn *insn, const struct slow_known r[4])
{
    uint8_t these = set(insn), known = 0, itself = 0;
    bool tested = condition_restricts(&insn->dst.condition), words = slow_is_word_type(insn->type);
    bool is_long = insn->dst.kind == OPND_SYMBOL && program_symbol(k->p->text, insn->dst.ref)->size == SIZE_LONG;
    for (unsigned c = 0; c < 4; c++) {
        known |= r[c].known ? (uint8_t)(1u << c) : 0;
        itself |= r[c].known && r[c].faint && insn->op == OP_SUB ? (uint8_t)(1u << c) : 0;      /* a component less itself */
    }
    known = insn->cc_update == 2 ? (uint8_t)(known << 4) : known;
    itself = insn->cc_update == 2 ? (uint8_t)(itself << 4) : itself;
    if (these && tested)
        k->near &= insn->cc_update == 2 ? 0x0f : 0xf0;
    else
        k->near |= these;
    k->sums &= (uint8_t)~these;
    k->wide_sums &= (uint8_t)~these;
    if (slow_op_adds(insn->op) && words && !tested && !is_long) {
        k->sums |= these & (uint8_t)~(known & k->p->several);
        k->wide_sums |= these & itself;
    }
    if (slow_op_adds(insn->op) && (insn->type == DT_S64 || insn->type == DT_U64) && !tested && (is_long || insn->dst.kind == OPND_CC))
        k->wide_sums |= these & (uint8_t)~(known & k->p->several & (uint8_t)~itself);
    for (unsigned rule = 0; rule < 4; rule++)
        k->spent[rule] &= (uint8_t)~these;
}

bool slow_is_narrowed(const struct slow_program *p, const struct insn *insn)
{
    if (insn->op == OP_AND || insn->op == OP_OR)        /* -1 of what nobody knows is a word like others */
        return false;
    for (unsigned n = 0; op_compares(insn->op) && n < insn->nsrc; n++) {        /* of single registers nobody knows that they are the same */
        const struct operand *o = program_operand(p->text, insn->src + n);
        if (o->kind != OPND_CONSTANT && (o->kind != OPND_SYMBOL || program_symbol(p->text, o->ref)->size != SIZE_LONG))
            return false;
    }
    return slow_bytes(slow_result_type(insn)) == 8 && insn->dst.kind == OPND_SYMBOL && program_symbol(p->text, insn->dst.ref)->size == SIZE_DEFAULT;
}

bool slow_is_number(const struct slow_program *p, const struct insn *insn, const struct slow_known *v)
{
    unsigned type = slow_result_type(insn);
    bool single = type == DT_F32;
    if (v->weak || v->elsewhere)
        return false;
    if (slow_bytes(type) != 4)
        return slow_is_narrowed(p, insn) && !(insn->flags & INSN_PREC);
    if (single && (insn->op == OP_SSG || insn->op == OP_DIV || insn->op == OP_XPD))
        return false;
    if (single && (insn->op == OP_FLR || insn->op == OP_CEIL || insn->op == OP_TRUNC || insn->op == OP_ROUND))
        return (v->bits & 0x7fffffff) != 0x7f800000;
    return single ? !(insn->flags & INSN_PREC) : !slow_op_adds(insn->op);
}

/* Tests that pass since the instruction carries nothing: all do but for those of integer sums into variables of their size. */
uint32_t slow_carryless(const struct slow_program *p, const struct insn *insn)
{
    const struct symbol *to = insn->dst.kind == OPND_SYMBOL ? program_symbol(p->text, insn->dst.ref) : NULL;
    bool of_its_size = insn->dst.kind == OPND_CC || (to && to->size == SIZE_LONG) == (slow_bytes(insn->type) == 8);
    return slow_op_adds(insn->op) && !slow_is_float(insn->type) && of_its_size ? 0 : 1u << CC_NCF | 1u << CC_NOF | 1u << CC_BLE;
}

uint32_t slow_always(const struct slow_program *p, const struct insn *insn, const struct slow_known *v)
{
    unsigned type = slow_result_type(insn);
    uint32_t rules = slow_carryless(p, insn);
    if (v->known || insn->flags & (INSN_PREC | INSN_HALF))
        return rules;
    if (type == DT_F32 && v->look.sign & NOT_BELOW)
        rules |= 1u << CC_GE | 1u << CC_NSF;
    if (type == DT_F32 && v->look.sign & ABOVE)
        rules |= 1u << CC_GT | 1u << CC_NE;
    if (type == DT_F32 && v->look.sign & BELOW)
        rules |= 1u << CC_LT | 1u << CC_NE;
    if (type != DT_F32 && v->look.sign & (type == DT_S64 ? LONG_WHOLE : WHOLE) && !slow_op_adds(insn->op))
        rules |= 1u << CC_GE | 1u << CC_NSF;
    if (type == DT_S32 && v->look.sign & MINUS_WHOLE && !(v->look.sign & WHOLE && !slow_op_adds(insn->op)))
        rules |= 1u << SLOW_NOT_ABOVE_PASSES;
    return rules;
}
