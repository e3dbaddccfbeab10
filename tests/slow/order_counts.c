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
static void add(struct finder *f, const struct held *h, struct count n)
{
    const struct made *m = h->first == NO_INDEX ? NULL : &f->made[h->first];
    if (!m || h->several || m->several || m->turned)
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

/* A choice that is not in a loop, nor of what a caller made. */
static bool is_plain_choice(const struct finder *f, uint32_t place, unsigned c)
{
    uint32_t v = slow_order_target(f, slow_order_insn(f, place), c);
    return v != NO_INDEX && f->reach.useful[place] >> c & 1 && slow_order_chooses(f, place, c) && f->held[(size_t)place * f->nvars + v].first != NO_INDEX &&
           !f->held[(size_t)place * f->nvars + v].outer && !is_in_loop(f, f->plan->place[place].insn);
}

/* The components of operand k that result r is computed of, if anybody reads it: neither comparisons that are known nor copies. */
static unsigned reads_for(const struct finder *f, uint32_t place, unsigned k, unsigned r)
{
    const struct slow_place *here = &f->plan->place[place];
    const struct insn *insn = slow_order_insn(f, place);
    bool known = op_compares(insn->op) && here->known >> r & 1;
    bool computes = !known && f->reach.useful[place] >> r & 1 && slow_order_copied(here, insn, r) < 0;
    return computes ? slow_made_of(f->p, insn, k, r) : 0;
}

void slow_order_count(struct finder *f, uint32_t place)
{
    const struct insn *insn = slow_order_insn(f, place);
    unsigned useful = f->reach.useful[place], moved = insn->width ? (1u << insn->width) - 1 : 15;
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
                    add(f, &h, !once && !narrow && slow_order_adds_zero(f, insn, r) ? as_one : by(f, insn, k));
                seen |= narrow && !once && read >> c & 1 ? of : 0;
            }
        }
    }
    for (unsigned c = 0; c < 4; c++)
        if (is_plain_choice(f, place, c))
            add(f, &f->now[slow_order_target(f, insn, c)], as_pair);
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
