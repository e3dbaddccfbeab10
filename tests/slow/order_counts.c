/* Doubles that are pairs of registers of 32 bits (order.c): those that more integers of 64 bits, tests and the like make, read and meet in halves than
 * others do as one register. */
#include "tests/slow/order.h"

struct count {
    unsigned whole, halves;
};

static const struct count none, as_one = {.whole = 1}, as_pair = {.halves = 1};

/* How an instruction that converts, or computes with doubles, reads one of its operands. */
static struct count by_conversion(const struct insn *insn)
{
    if (slow_is_float(insn->type2) || (slow_is_float(insn->type) && slow_bytes(insn->type2) == 8))
        return as_one;
    return slow_bytes(insn->type) == 8 && slow_bytes(insn->type2) == 8 ? none : as_pair;
}

bool slow_order_divides(const struct insn *insn)
{
    return (insn->type == DT_S64 || insn->type == DT_U64) && (insn->op == OP_MOD || insn->op == OP_DIV);
}

static struct count by_double(const struct insn *insn, unsigned k)
{
    if (insn->op == OP_CMP && k > 0)
        return as_pair;
    if (insn->op == OP_RCP || insn->op == OP_DIV)
        return none;
    return insn->op == OP_FRC || insn->op == OP_SSG ? (struct count){.whole = 2} : as_one;
}

static struct count by(const struct finder *f, const struct insn *insn, unsigned k)
{
    bool is_long = program_is_long(f->p->text, insn->dst.kind, insn->dst.ref), wide = slow_bytes(insn->type) == 8;
    bool is_signed = slow_order_is_signed(insn, program_operand(f->p->text, insn->src));
    if (insn->op == OP_CVT)
        return by_conversion(insn);
    if (insn->op == OP_UP64 || (insn->op == OP_MOV && slow_order_is_copy(f->p, insn) && is_long && !is_signed))
        return none;
    if (!wide || (insn->op == OP_MOV && !slow_is_float(insn->type)))
        return slow_is_float(insn->type) ? as_one : as_pair;
    if (slow_is_float(insn->type))
        return by_double(insn, k);
    if (slow_order_divides(insn))
        return (struct count){.halves = 2};
    if (insn->op == OP_CMP && k == 0)
        return none;
    return slow_order_is_pair(f, insn) || op_compares(insn->op) ? as_pair : as_one;
}

/* Through copies it is what was copied that is read, but for doubles with signs. */
static void add(struct finder *f, uint32_t place, const struct held *h, struct count n)
{
    const struct made *m = h->first == NO_INDEX ? NULL : &f->made[h->first];
    if (!m || h->several || m->several || m->turned || slow_order_is_taken(f, place, h->first))
        return;
    f->made[m->at].whole += n.whole;
    f->made[m->at].halves += n.halves;
}

static bool is_in_loop(const struct finder *f, uint32_t insn)
{
    unsigned ends = 0;
    for (uint32_t i = insn; i-- && !f->p->label[i + 1];) {
        unsigned op = program_insn(f->p->text, i)->op;
        ends += op == OP_ENDREP;
        if (op == OP_REP && !ends)
            return true;
        ends -= op == OP_REP;
    }
    return false;
}

/* A choice that is not in a loop; and not of what a caller made. */
static bool is_choice(const struct finder *f, uint32_t place, unsigned c)
{
    uint32_t v = slow_order_target(f, slow_order_insn(f, place), c);
    return v != NO_INDEX && f->reach.useful[place] >> c & 1 && slow_order_chooses(f, place, c) && f->held[(size_t)place * f->nvars + v].first != NO_INDEX &&
           !is_in_loop(f, f->plan->place[place].insn);
}

static bool is_plain_choice(const struct finder *f, uint32_t place, unsigned c)
{
    return is_choice(f, place, c) && !f->held[(size_t)place * f->nvars + slow_order_target(f, slow_order_insn(f, place), c)].outer;
}

/* The components of operand k that result r is computed of, if anybody reads it, and it is no number. */
static unsigned reads_for(const struct finder *f, uint32_t place, unsigned k, unsigned r)
{
    const struct slow_place *here = &f->plan->place[place];
    const struct insn *insn = slow_order_insn(f, place);
    bool computes = (f->reach.settled[place] & ~slow_numbers(here)) >> r & 1;
    return computes ? slow_made_of(f->p, insn, k, r) : 0;
}

/* The operand that result r copies, of integers of 64 bits the same of MIN and MAX as well; or -1. */
static int copied(const struct finder *f, uint32_t place, unsigned r)
{
    const struct insn *insn = slow_order_insn(f, place);
    const struct operand *o = program_operand(f->p->text, insn->src);
    int k = slow_order_copied(&f->plan->place[place], insn, r);
    bool integers = insn->type == DT_S64 || insn->type == DT_U64;
    if (k >= 0 || !integers || (insn->op != OP_MIN && insn->op != OP_MAX) || o[0].kind != OPND_SYMBOL || o[1].kind != OPND_SYMBOL)
        return k;
    return o[0].ref == o[1].ref && o[0].swizzle == o[1].swizzle && o[0].flags == o[1].flags && !o[0].nindices && !o[1].nindices ? 0 : -1;
}

/* Into 32 bits a copy takes one of the two registers; CMP.U64 is none yet. */
static struct count by_copy(const struct finder *f, const struct insn *insn)
{
    bool integers = insn->type == DT_S64 || insn->type == DT_U64;
    if (integers && !program_is_long(f->p->text, insn->dst.kind, insn->dst.ref))
        return as_pair;
    return insn->type == DT_U64 && insn->op == OP_CMP ? as_pair : none;
}

/* How result r is made of operand k. */
static struct count by_result(const struct finder *f, uint32_t place, unsigned k, unsigned r, bool once)
{
    const struct insn *insn = slow_order_insn(f, place);
    int from = once ? -1 : copied(f, place, r);
    if (from >= 0)
        return (unsigned)from == k ? by_copy(f, insn) : none;
    if (!once && slow_bytes(insn->type) == 8 && slow_order_adds_zero(f, insn, r))
        return program_is_long(f->p->text, insn->dst.kind, insn->dst.ref) ? as_one : as_pair;
    return by(f, insn, k);
}

void slow_order_count(struct finder *f, uint32_t place)
{
    const struct insn *insn = slow_order_insn(f, place);
    unsigned useful = f->reach.settled[place], moved = insn->width ? (1u << insn->width) - 1 : 15;
    bool once = insn->dst.kind == OPND_NONE || useful & SLOW_ACTS, narrow = slow_bytes(insn->type) < 8 && !slow_is_float(insn->type);
    for (unsigned k = 0; k < insn->nsrc; k++) {
        const struct operand *o = program_operand(f->p->text, insn->src + k);
        unsigned seen = 0;
        for (unsigned r = 0; r < (once ? 1u : 4u); r++) {
            unsigned read = once ? moved : reads_for(f, place, k, r);
            for (unsigned c = 0; c < 4; c++) {
                unsigned of = 1u << (o->swizzle >> 2 * c & 3);
                struct held h = slow_order_held(f, o, c);
                if (read >> c & 1 && !(seen & of))
                    add(f, place, &h, by_result(f, place, k, r, once));
                seen |= narrow && !once && read >> c & 1 ? of : 0;
            }
        }
    }
    for (unsigned c = 0; c < 4; c++)
        if (is_choice(f, place, c))
            add(f, place, &f->now[slow_order_target(f, insn, c)], as_pair);
}

/* MOV.S64 of a parameter is made as a pair. */
static bool extends(const struct finder *f, const struct insn *insn)
{
    const struct operand *o = program_operand(f->p->text, insn->src);
    return insn->op == OP_MOV && insn->type == DT_S64 && !operand_has_sign(o) && o->kind == OPND_SYMBOL && program_symbol(f->p->text, o->ref)->kind == SYM_PARAM;
}

/* ABS and CVT of integers of 64 bits. */
static bool moves_words(const struct insn *insn)
{
    if ((insn->type != DT_S64 && insn->type != DT_U64) || (insn->type2 != DT_S64 && insn->type2 != DT_U64))
        return false;
    return insn->op == OP_CVT || (insn->op == OP_ABS && insn->type == DT_S64);
}

bool slow_order_is_split(const struct finder *f, uint32_t result, bool meets)
{
    const struct made *m = &f->made[result], *from = &f->made[m->at];
    const struct insn *insn = slow_order_insn(f, m->at / 4);
    bool chosen, packs, pair = slow_order_is_pair(f, insn), same = m->at == result && meets;
    unsigned whole = from->whole + (same && m->meets_whole), halves = from->halves + (same && m->paired);
    if (m->turned || m->several || (m->source != LOADED && m->source != RESULT))
        return false;
    chosen = is_plain_choice(f, m->at / 4, m->at % 4) || extends(f, insn) || (insn->op == OP_CMP && insn->type == DT_F64);
    packs = !chosen && (insn->op == OP_PK64 || (op_compares(insn->op) && (insn->type == DT_U64 || insn->type == DT_S64)));
    if (m->source == RESULT && !chosen && moves_words(insn))
        return true;
    if (m->source == RESULT && !chosen && !packs && (!pair || slow_order_adds_zero(f, insn, m->at % 4)))
        return false;
    if (m->source == RESULT && slow_order_negates(f, insn, m->at % 4))
        return true;
    if (m->source == RESULT) {
        whole += packs;
        halves += chosen || (pair && !slow_order_divides(insn));
    }
    return halves && halves >= whole;
}
