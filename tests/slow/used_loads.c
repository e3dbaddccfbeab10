/* Loads that something has used: docs/numbers.md, "Comparisons in subroutines". */
#include "tests/slow/leaving.h"

static bool is_of(const struct operand *o, uint32_t symbol)
{
    return !o->nindices && o->ref == symbol && (o->kind == OPND_SYMBOL || o->kind == OPND_EXTENDED);
}

static bool sets(const struct insn *insn, uint32_t symbol, unsigned c)
{
    return insn->dst.kind == OPND_SYMBOL && !insn->dst.nindices && insn->dst.ref == symbol && insn->dst.mask >> c & 1;
}

/* Components of a place's result that component c of a variable goes into by operand k; of a store, those that it takes. */
static unsigned goes_into(const struct leaving *x, uint32_t place, unsigned k, uint32_t symbol, unsigned c)
{
    const struct insn *insn = slow_leaving_at(x, place);
    const struct operand *o = program_operand(x->p->text, insn->src + k);
    unsigned useful = x->reach.useful[place], results = 0;
    bool stores = op_stores(insn->op);
    bool one_word = !k && insn->width <= 1 && (insn->op == OP_ATOM || insn->op == OP_ATOMB || insn->op == OP_ATOMS);
    if (!is_of(o, symbol))
        return 0;
    for (unsigned r = 0; r < 4; r++) {
        unsigned from = useful >> r & 1 || (useful & SLOW_ACTS && insn->dst.kind == OPND_NONE) ? slow_made_of(x->p, insn, k, r) : 0;
        from = one_word && from ? 1 : from;
        if (stores && !k)
            from = r < insn->width ? 1u << r : 0;
        if (o->kind == OPND_EXTENDED)
            results |= (useful >> r & 1 && (o->extended[r] & 7u) == c) << r;
        else
            for (unsigned i = 0; i < 4; i++)
                results |= (from >> i & 1 && (o->swizzle >> 2 * i & 3) == c) << r;
    }
    return results;
}

/* Which components of an array computed indices write in what runs. */
static unsigned written_by_index(const struct leaving *x, uint32_t array)
{
    unsigned set = 0;
    for (uint32_t i = 0; i < x->plan->count; i++) {
        const struct result *r = &slow_leaving_at(x, i)->dst;
        if (x->runs[i] && r->kind == OPND_SYMBOL && r->ref == array && r->nindices && program_index(x->p->text, r->index)->mode != INDEX_CONSTANT)
            set |= r->mask;
    }
    return set;
}

/* The last LDB before it loads nothing that anybody wants. */
static bool follows_dead_load(const struct leaving *x, uint32_t place)
{
    while (place && !slow_leaving_begins(x, place) && slow_leaving_at(x, place - 1)->op != OP_LDB)
        place--;
    return place && !slow_leaving_begins(x, place) && !x->reach.useful[place - 1];
}

/* A result goes to an array that the text indexes by a register, where somebody may find it. */
static bool is_for_array(const struct leaving *x, uint32_t place)
{
    const struct result *r = &slow_leaving_at(x, place)->dst;
    if (r->kind != OPND_SYMBOL || !x->p->by_address || !x->p->by_address[r->ref])
        return false;
    return r->nindices ? slow_array_is_reached(x, r->ref) : x->reach.useful[place] != 0;
}

/* Components of a result that are in memory, of an array that computed indices reach: those that they write, to what is written over (`over`). */
static unsigned in_memory(const struct leaving *x, uint32_t place, bool over)
{
    const struct result *r = &slow_leaving_at(x, place)->dst;
    if (!is_for_array(x, place) || follows_dead_load(x, place))
        return 0;
    return over ? written_by_index(x, r->ref) : 15;
}

/* Components that a place copies from one register to another, whatever their signs. */
static unsigned copied_words(const struct leaving *x, const struct insn *insn, unsigned k)
{
    const struct operand *o = program_operand(x->p->text, insn->src + k);
    const struct symbol *to = insn->dst.kind == OPND_SYMBOL ? program_symbol(x->p->text, insn->dst.ref) : NULL;
    bool words = slow_bytes(insn->type) == 4, whole = words && !slow_is_float(insn->type), same;
    if (o->kind == OPND_EXTENDED || !to || to->kind != SYM_TEMP || to->size != SIZE_DEFAULT || insn->cc_update || insn->flags & (INSN_SAT | INSN_SSAT | INSN_HALF))
        return 0;
    switch (insn->op) {
    case OP_MOV: case OP_ABS: return words ? 15 : 0;
    case OP_DST: return words ? 12 : 0;
    case OP_CVT:
        same = words && insn->type2 != DT_NONE && slow_bytes(insn->type2) == 4 && slow_is_float(insn->type) == slow_is_float(insn->type2);
        return same ? 15 : 0;
    case OP_MUL: return insn->type == DT_F32 && slow_reads_number(x->p, insn, 1 - k, 0x3f800000) ? 15 : 0;
    case OP_ADD: case OP_OR: return whole && slow_reads_zero(x->p, insn, 1 - k) ? 15 : 0;
    default: return 0;
    }
}

/* Component c of a variable at a place: components that something else is made of it in, and (`copies`) those that it is copied to. */
static unsigned made_of_it(const struct leaving *x, uint32_t place, uint32_t symbol, unsigned c, bool ended, bool over, unsigned *copies)
{
    const struct insn *insn = slow_leaving_at(x, place);
    unsigned made = 0;
    *copies = 0;
    for (unsigned k = 0; k < insn->nsrc; k++) {
        unsigned results = goes_into(x, place, k, symbol, c) & ~slow_truth_tested(x, place), same = 0;
        bool sign = insn->op == OP_ABS || operand_has_sign(program_operand(x->p->text, insn->src + k));
        if (results && !(sign && ended))
            same = copied_words(x, insn, k) & ~in_memory(x, place, over);
        *copies |= results & same;
        made |= results & ~same;
    }
    return made;
}

static bool looks_at_bound(const struct insn *insn)
{
    switch (insn->op) {
    case OP_LDB: case OP_STB: case OP_ATOMB: case OP_ATOMIM: case OP_LOADIM: case OP_ATOMCTR: case OP_MEMBAR: return true;
    default: return false;
    }
}

static bool computes_with_copy(const struct leaving *x, uint32_t from, uint32_t to, unsigned copies)
{
    uint32_t symbol = slow_leaving_at(x, from)->dst.ref;
    for (uint32_t i = from + 1; copies && i < to; i++)
        for (unsigned c = 0; c < 4; c++) {
            unsigned more;
            if (copies >> c & 1 && made_of_it(x, i, symbol, c, false, false, &more))
                return true;
            if (sets(slow_leaving_at(x, i), symbol, c))
                copies &= ~(1u << c);
        }
    return false;
}

static bool is_empty_if(const struct leaving *x, uint32_t place)
{
    return slow_leaving_at(x, place)->op == OP_IF && slow_leaving_at(x, place + 1)->op == OP_ENDIF && x->plan->place[place + 1].insn == x->plan->place[place].insn + 1;
}

/* Lanes may go different ways there: flow but for calls and loops, what is jumped over by a test, images. */
static bool goes_apart(const struct leaving *x, uint32_t place)
{
    const struct insn *insn = slow_leaving_at(x, place);
    bool memory = is_for_array(x, place);
    switch (insn->op) {
    case OP_LOADIM: case OP_STOREIM: case OP_ATOMIM: return true;
    case OP_CAL: case OP_REP: case OP_ENDREP: case OP_IF: case OP_ELSE: case OP_ENDIF: return false;
    case OP_LDB: case OP_LDS: case OP_ATOMB: case OP_ATOMS: memory = true; break;
    default:
        if (op_flows(insn->op))
            return !x->plan->place[place].straight;
    }
    return (memory || insn->cc_update) && insn->dst.condition.rule != CC_FL && slow_truth_tested(x, place);
}

/* Since it was loaded, in its block, something was computed of it. */
bool slow_was_used(const struct leaving *x, uint32_t place, uint32_t symbol, unsigned c)
{
    const struct result *result = &slow_leaving_at(x, place)->dst;
    bool over = result->kind == OPND_SYMBOL && result->ref == symbol, used = false, ended = false;
    uint32_t asks = place, rep = NO_INDEX;
    const struct operand *o;
    unsigned copies, k;
    while (!slow_leaving_begins(x, place) && place--) {
        const struct insn *insn = slow_leaving_at(x, place);
        uint32_t text = x->plan->place[place].insn;
        bool within;
        if (rep == NO_INDEX && (goes_apart(x, place) || insn->op == OP_REP))
            return false;
        if (insn->op == OP_ENDREP && rep == NO_INDEX)
            rep = program_insn(x->p->text, text)->partner;
        within = rep != NO_INDEX;
        if (!within && slow_comes_from_call(x, place, symbol, c))
            return used;
        rep = text == rep ? NO_INDEX : rep;
        if (within)
            continue;
        used |= made_of_it(x, place, symbol, c, ended, over, &copies) || (copies && computes_with_copy(x, place, asks, copies));
        ended |= looks_at_bound(insn);
        if (!sets(insn, symbol, c))
            continue;
        k = insn->op == OP_MUL && slow_reads_number(x->p, insn, 0, 0x3f800000);
        if ((insn->op != OP_MOV && insn->op != OP_MUL) || !(copied_words(x, insn, k) & ~in_memory(x, place, false)) || condition_restricts(&insn->dst.condition))
            return used && (insn->op == OP_LDB || insn->op == OP_ATOMB || op_shuffles(insn->op));
        o = program_operand(x->p->text, insn->src + k);
        if (o->kind != OPND_SYMBOL || o->nindices)
            return false;
        symbol = o->ref;
        c = o->swizzle >> 2 * c & 3;
        for (uint32_t i = place + 1; !used && i < asks; i++) {     /* what is copied goes on */
            used = made_of_it(x, i, symbol, c, false, false, &copies);
            if (sets(slow_leaving_at(x, i), symbol, c))
                break;
        }
    }
    return used && !slow_leaving_main(x, asks);
}

/* What goes into a LONG variable, or an array that the text indexes by a register, takes component c of what main leaves there by its sign, before that is gone. */
static bool is_taken(const struct leaving *x, uint32_t place, unsigned c)
{
    const struct result *r = &slow_leaving_at(x, place)->dst;
    if (r->kind != OPND_SYMBOL || r->nindices)
        return false;
    while (++place < x->reach.main_end) {
        const struct insn *insn = slow_leaving_at(x, place);
        bool keeps = program_is_long(x->p->text, insn->dst.kind, insn->dst.ref) || (insn->dst.kind == OPND_SYMBOL && x->p->by_address && x->p->by_address[insn->dst.ref]);
        for (unsigned k = 0; keeps && k < insn->nsrc; k++)
            if (operand_has_sign(program_operand(x->p->text, insn->src + k)) && goes_into(x, place, k, r->ref, c))
                return true;
        if (sets(insn, r->ref, c) && !condition_restricts(&insn->dst.condition))
            return false;
    }
    return false;
}

bool slow_asks_used(const struct leaving *x, uint32_t place, unsigned c)
{
    const struct operand *o = program_operand(x->p->text, slow_leaving_at(x, place)->src);
    return o->kind == OPND_SYMBOL && !o->nindices && slow_was_used(x, place, o->ref, o->swizzle >> 2 * c & 3) &&
           (slow_leaving_at(x, place)->op == OP_CMP || !is_taken(x, place, c));
}

bool slow_copies_used(const struct leaving *x, uint32_t place, const struct operand *o, unsigned c)
{
    return slow_leaving_main(x, place) && slow_was_used(x, place, o->ref, o->swizzle >> 2 * c & 3);
}

/* ---- results that a subroutine writes over what main uses ----------------------------------------------------------------- */

static bool parts(const struct leaving *x, uint32_t place)
{
    const struct insn *insn = slow_leaving_at(x, place);
    const struct operand *o = program_operand(x->p->text, insn->src);
    bool useful = x->reach.useful[place];
    struct slow_knowledge nothing = {.p = x->p, .at = NO_INDEX};
    struct slow_known rounds;
    switch (insn->op) {
    case OP_IF:
        return condition_restricts(&insn->condition) && insn->condition.rule != CC_FL && !is_empty_if(x, place);
    case OP_REP: return !(insn->nsrc && o->kind == OPND_CONSTANT && slow_known_operand(&nothing, o, 0, DT_S32, &rounds) && rounds.bits <= 1);
    case OP_CAL: case OP_CALI: case OP_RET: case OP_BRK: case OP_CONT: return insn->condition.rule != CC_FL;
    case OP_RSQ: case OP_DIV: return useful && insn->type == DT_F64;
    default: return useful && looks_at_bound(insn);
    }
}

/* In a loop of the text. */
static bool stands_in_loop(const struct leaving *x, uint32_t place)
{
    uint32_t text = x->plan->place[place].insn;
    for (uint32_t i = x->plan->place[x->part[place]].insn; i < text; i++)
        if (program_insn(x->p->text, i)->op == OP_REP && program_insn(x->p->text, i)->partner > text)
            return true;
    return false;
}

/* Flow, or a look at a bound, stands before it in its subroutine, and it is in no IF and no loop. */
static bool in_later_block(const struct leaving *x, uint32_t place)
{
    bool later = false;
    unsigned open = 0;
    for (uint32_t i = x->part[place]; i < place; i++) {
        if (slow_leaving_at(x, i)->op == OP_IF)
            open++;
        else if (open && slow_leaving_at(x, i)->op == OP_ENDIF)
            open--;
        later |= parts(x, i);
    }
    return later && !open && !stands_in_loop(x, place);
}

static bool takes(const struct leaving *x, uint32_t place)
{
    bool any = false;
    for (unsigned k = 0; k < slow_leaving_at(x, place)->nsrc; k++)
        any |= goes_into(x, place, k, x->symbol, x->c) != 0;
    return any;
}

static uint32_t part_called(const struct leaving *x, const struct insn *insn)
{
    return insn->op == OP_CAL && insn->partner != NO_INDEX ? x->plan->first[insn->partner] : NO_INDEX;
}

static bool takes_first(const struct leaving *x, uint32_t first)
{
    for (uint32_t i = first; i < x->plan->count && (i == first || !slow_leaving_begins(x, i)) && !(first == x->part[x->place] && i == x->place); i++) {
        if (takes(x, i))
            return true;
        if (sets(slow_leaving_at(x, i), x->symbol, x->c))
            return false;
    }
    return false;
}

static bool comes_to(const struct leaving *x, uint32_t first, uint32_t part)
{
    bool any = first == part;
    for (uint32_t i = first; !any && i < x->plan->count && (i == first || !slow_leaving_begins(x, i)); i++)
        any = part_called(x, slow_leaving_at(x, i)) == part;
    return any;
}

bool slow_writes_over_used(const struct leaving *x)
{
    const struct insn *own = slow_leaving_at(x, x->place);
    bool loaded = false, ended = false, used = false;
    if (x->in_array || slow_leaving_main(x, x->place) || !op_compares(own->op) || program_is_long(x->p->text, own->dst.kind, own->dst.ref) || !in_later_block(x, x->place))
        return false;
    for (uint32_t i = 0; i < x->plan->count; i++) {
        const struct insn *insn = slow_leaving_at(x, i);
        if (x->runs[i] && (insn->op == OP_DIV || insn->op == OP_MOD) && (insn->type == DT_S64 || insn->type == DT_U64))
            return false;
    }
    for (uint32_t i = x->reach.entry; i < x->reach.main_end; i++) {
        const struct insn *insn = slow_leaving_at(x, i);
        uint32_t called = part_called(x, insn);
        bool here = called != NO_INDEX && comes_to(x, called, x->part[x->place]);
        used |= loaded && ended && (takes(x, i) || (called != NO_INDEX && takes_first(x, called)));
        if (here && used)
            return true;
        ended |= x->reach.useful[i] && looks_at_bound(insn);
        if (here || sets(insn, x->symbol, x->c)) {
            loaded = insn->op == OP_LDB;
            ended = false;
        }
    }
    return false;
}
