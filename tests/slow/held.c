/* What variables hold that a later instruction may take in (joined.c): products, copies, negations. */
#include "tests/slow/joined.h"

const struct held slow_nothing = {.product = NO_INDEX, .source = NO_INDEX};

const struct insn *slow_insn_at(const struct joiner *j, uint32_t place)
{
    return program_insn(j->p->text, j->plan->place[place].insn);
}

const struct symbol *slow_target(const struct slow_program *p, const struct insn *insn)
{
    return insn->dst.kind == OPND_SYMBOL && !insn->dst.nindices ? program_symbol(p->text, insn->dst.ref) : NULL;
}

enum precision slow_precision_of(const struct slow_program *p, const struct insn *insn)
{
    const struct symbol *s = slow_target(p, insn);
    unsigned size = s ? s->size : SIZE_DEFAULT;
    if (insn->type == DT_F64 || size == SIZE_LONG)
        return insn->type == DT_F64 && size == SIZE_LONG ? DOUBLE : NONE;
    if (slow_drops_half(p, insn))
        return size == SIZE_SHORT ? NONE : SINGLE;
    if (insn->type == DT_F16 || insn->flags & INSN_HALF)
        return HALF;
    return insn->type != DT_F32 ? NONE : size == SIZE_SHORT ? HALF : SINGLE;
}

bool slow_negates(const struct operand *o)
{
    return !(o->flags & OPND_NEGATE) != !(o->flags & OPND_NEGATE_INNER);
}

/* ---- copies ------------------------------------------------------------------------------------------------------------------------ */

int slow_copied_factor(const struct slow_program *p, const struct slow_place *place, const struct insn *insn, unsigned c, bool *flip)
{
    *flip = false;
    if (!p->nvidia || (insn->op != OP_MUL && insn->op != OP_DIV) || (insn->type != DT_F32 && insn->type != DT_F16 && (insn->type != DT_F64 || insn->op == OP_DIV)) ||
        (insn->flags & INSN_PREC && (insn->op != OP_DIV || insn->type != DT_F32 || slow_is_half(p, insn))) || !((place->one[0] | place->one[1]) >> c & 1))
        return -1;
    *flip = place->minus[place->one[0] >> c & 1 ? 0 : 1] >> c & 1;
    return place->one[0] >> c & 1 ? 1 : 0;
}

/* DST: of y the other factor where one is 1.0; z and w are copies. */
static int copied_distance(const struct slow_program *p, const struct slow_place *place, const struct insn *insn, unsigned c, bool *flip)
{
    if (!p->nvidia || (slow_precision_of(p, insn) != SINGLE && (slow_precision_of(p, insn) != HALF || c != 1)) || insn->flags & INSN_PREC)
        return -1;
    for (unsigned k = 0; c == 1 && k < 2; k++)
        if (place->one[k] & 2) {
            *flip = place->minus[k] >> 1 & 1;
            return 1 - (int)k;
        }
    return c == 1 ? -1 : (int)c - 2;
}

/* Whether a test may keep the component back. */
static bool is_tested(const struct slow_program *p, const struct slow_place *place, const struct insn *insn, unsigned c)
{
    return condition_restricts(&insn->dst.condition) && !slow_looks_at_no_test(p, insn) && !(place->passes >> c & 1);
}

/* Whether somebody looks at flags of component c; of a division under .PREC whatever is known of the test. */
static bool shows_flags(const struct joiner *j, uint32_t at, unsigned c)
{
    const uint8_t *flags = slow_insn_at(j, at)->flags & INSN_PREC ? j->reach.flags : j->reach.asked;
    return flags[at] >> c & 1;
}

/* The operand that component c is a copy of, but for its sign; -1: none. */
int slow_copied(const struct joiner *j, uint32_t at, unsigned c, bool *negative)
{
    const struct slow_program *p = j->p;
    const struct slow_place *place = &j->plan->place[at];
    const struct insn *insn = slow_insn_at(j, at);
    bool wide = type_table[insn->type].bytes == 8, flip = false;
    int k = insn->op == OP_MOV ? 0 : insn->op == OP_DST ? copied_distance(p, place, insn, c, &flip) : slow_copied_factor(p, place, insn, c, &flip);
    const struct operand *o;
    bool from_wide, to_wide = insn->dst.kind == OPND_SYMBOL && program_symbol(p->text, insn->dst.ref)->size == SIZE_LONG;
    *negative = false;
    if (k < 0 || is_tested(p, place, insn, c) || shows_flags(j, at, c) || insn->type == DT_F16 ||
        insn->flags & (INSN_SAT | INSN_SSAT | INSN_HALF))
        return -1;
    o = program_operand(p->text, insn->src + (uint32_t)k);
    from_wide = o->kind == OPND_SYMBOL && program_symbol(p->text, o->ref)->size == SIZE_LONG;
    if (o->flags & OPND_ABSOLUTE || (!slow_is_float(insn->type) && slow_negates(o)) || from_wide != wide || to_wide != wide)
        return -1;
    *negative = slow_negates(o) != flip;
    return k;
}

/* ---- what is held ------------------------------------------------------------------------------------------------------------------ */

uint32_t slow_operand_variable(const struct joiner *j, const struct operand *o, unsigned c)
{
    return slow_variable(j->p, o->kind, o->ref, o->nindices != 0, o->swizzle >> 2 * c & 3);
}

struct held slow_held_by(const struct joiner *j, const struct operand *o, unsigned c)
{
    uint32_t v = slow_operand_variable(j, o, c);
    return v == NO_INDEX ? slow_nothing : j->held[v];
}

void slow_keep(struct joiner *j, struct held h)
{
    if (h.product != NO_INDEX)
        j->stays[h.product] |= (uint8_t)(slow_insn_at(j, h.product)->op == OP_UP2US ? 5u << (h.c & 1) : 1u << h.c);     /* x and z are one */
}

bool slow_is_unpacked_number(const struct joiner *j, struct held h)
{
    const struct insn *made = slow_insn_at(j, h.product);
    return (made->op == OP_UP2US || made->op == OP_UP4UB) && slow_is_short(j->p, made->dst.kind, made->dst.ref);
}

/* Who reads a half product as a single keeps no sum from it. */
static void keep_from(struct joiner *j, const struct insn *reader, struct held h)
{
    bool single = !reader || reader->op == OP_MOV || slow_drops_half(j->p, reader) ||
                  !(slow_is_half(j->p, reader) || reader->type == DT_F16 || reader->op == OP_PK2H);
    if (h.product != NO_INDEX && !(single && slow_is_widened(j, h)) && !slow_is_unpacked_number(j, h))
        slow_keep(j, h);
}

void slow_keep_behind(struct joiner *j, struct held h)
{
    keep_from(j, NULL, h);
}

static void keep_indices(struct joiner *j, uint32_t first, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        const struct index *x = program_index(j->p->text, first + i);
        uint32_t v = x->mode == INDEX_RELATIVE ? slow_variable(j->p, x->register_kind, x->reg, x->element.used, x->component) : NO_INDEX;
        if (v != NO_INDEX)
            slow_keep(j, j->held[v]);
    }
}

/* Whether component c is the product of two numbers. */
bool slow_is_product(const struct joiner *j, uint32_t at, unsigned c)
{
    const struct slow_place *place = &j->plan->place[at];
    const struct insn *insn = slow_insn_at(j, at);
    const struct symbol *s = slow_target(j->p, insn);
    enum precision precision = slow_precision_of(j->p, insn);
    bool flip, prec = insn->flags & INSN_PREC && !(insn->op == OP_DIV && precision == SINGLE);
    bool shown = shows_flags(j, at, c) && !slow_is_widened(j, (struct held){.product = at});     /* flags look at the half */
    if (!s || is_tested(j->p, place, insn, c) || shown || prec || insn->flags & (INSN_SAT | INSN_SSAT))
        return false;
    switch (insn->op) {
    case OP_MUL: return precision != NONE && slow_copied_factor(j->p, place, insn, c, &flip) < 0;
    case OP_DIV: return (precision == SINGLE || precision == HALF) && slow_copied_factor(j->p, place, insn, c, &flip) < 0;
    case OP_NRM: return precision == SINGLE || precision == HALF;
    case OP_DST: return c == 1 && (precision == HALF || precision == SINGLE) && !((place->one[0] | place->one[1]) & 2);
    case OP_UP2US: case OP_UP4UB: return s->size != SIZE_LONG && insn->type != DT_F16 && !(insn->flags & INSN_HALF);
    default: return false;
    }
}

static struct held of_number(const struct joiner *j, uint32_t place, const struct slow_number *x)
{
    return x->from == NUMBER_OPERAND ? slow_held_by(j, program_operand(j->p->text, slow_insn_at(j, place)->src + x->operand), x->c) : slow_nothing;
}

static enum precision of_held(const struct joiner *j, struct held h)
{
    const struct insn *made = slow_insn_at(j, h.product);
    return made->op == OP_UP2US || made->op == OP_UP4UB ? SINGLE : slow_precision_of(j->p, made);
}

enum precision slow_sum_precision(const struct joiner *j, uint32_t place)
{
    const struct insn *sum = slow_insn_at(j, place);
    enum precision precision = slow_precision_of(j->p, sum);
    return precision == NONE && sum->type == DT_F32 ? SINGLE : precision;       /* it is widened behind the rounding */
}

bool slow_is_widened(const struct joiner *j, struct held h)
{
    const struct symbol *s = slow_target(j->p, slow_insn_at(j, h.product));
    return of_held(j, h) == HALF && s && s->size == SIZE_DEFAULT;
}

bool slow_finds_widened(const struct joiner *j, uint32_t place, struct held h)
{
    return slow_is_mixed(j, place, h) && slow_is_widened(j, h);
}

bool slow_is_mixed(const struct joiner *j, uint32_t place, struct held h)
{
    return of_held(j, h) == HALF && slow_sum_precision(j, place) == SINGLE;
}

bool slow_turns(const struct joiner *j, uint32_t place, const struct slow_number *x, struct held h)
{
    const struct operand *o = x->from == NUMBER_OPERAND ? program_operand(j->p->text, slow_insn_at(j, place)->src + x->operand) : NULL;
    if (o && o->flags & OPND_ABSOLUTE)
        return !(o->flags & OPND_NEGATE) == x->negative;
    return h.negative ^ (o && slow_negates(o)) ^ x->negative;
}

/* Whether a sum may take in what one of its numbers holds. */
bool slow_may_take(const struct joiner *j, uint32_t place, const struct slow_number *x, struct held *h)
{
    const struct operand *o = program_operand(j->p->text, slow_insn_at(j, place)->src + x->operand);
    *h = of_number(j, place, x);
    if (h->product == NO_INDEX || h->word)
        return false;
    if (o->flags & OPND_ABSOLUTE && !(slow_finds_widened(j, place, *h) && !slow_is_short(j->p, o->kind, o->ref)))
        return false;           /* of products a magnitude goes in where it is one of halves in a register of 32 bits */
    return slow_is_mixed(j, place, *h) ? !h->turned && !(slow_turns(j, place, x, *h) && slow_is_short(j->p, o->kind, o->ref)) : of_held(j, *h) == slow_sum_precision(j, place);
}

/* Who reads the magnitude of a half product keeps it from sums. */
static void note_bare(struct joiner *j, const struct operand *o, struct held h)
{
    if (h.product != NO_INDEX && o->flags & OPND_ABSOLUTE && slow_is_widened(j, h))
        j->readers[h.product].bare |= (uint8_t)(1u << h.c);
}

static void look_at_number(struct joiner *j, uint32_t place, const struct slow_rounding *r, const struct slow_number *x, bool counts)
{
    struct held h;
    struct readers *of;
    const struct operand *o;
    if (r->what != ROUND_SUM || !slow_may_take(j, place, x, &h)) {
        h = of_number(j, place, x);
        keep_from(j, slow_insn_at(j, place), h);
        if (x->from == NUMBER_OPERAND)
            note_bare(j, program_operand(j->p->text, slow_insn_at(j, place)->src + x->operand), h);
        return;
    }
    of = &j->readers[h.product];
    o = program_operand(j->p->text, slow_insn_at(j, place)->src + x->operand);
    if (!counts && slow_is_mixed(j, place, h) && !slow_is_widened(j, h) && slow_is_short(j->p, o->kind, o->ref))
        slow_keep(j, h);        /* twice widened */
    if (!counts)
        return;
    of->sums[h.c] = of->sums[h.c] < 2 ? of->sums[h.c] + 1 : 2;
    if (j->asked[place] >> r->slot & 1 || (slow_is_mixed(j, place, h) && !slow_is_widened(j, h)))
        of->compared |= (uint8_t)(1u << h.c);
}

bool slow_same_product(const struct joiner *j, uint32_t place, const struct slow_rounding *r)
{
    struct held a = of_number(j, place, &r->a), z = of_number(j, place, &r->z);
    return a.product != NO_INDEX && a.product == z.product && a.c == z.c;
}

/* What sums read, of the components that anybody needs; those that are made of rounds. */
static uint8_t look_at_rounds(struct joiner *j, uint32_t place, uint8_t useful)
{
    struct slow_rounding rounds[SLOW_ROUNDINGS];
    uint32_t seen = 0;
    uint8_t made = 0;
    for (unsigned c = 0; c < 4; c++) {
        unsigned n = useful >> c & 1 ? slow_summed(j->p, &j->plan->place[place], c, rounds) : 0;
        made |= (uint8_t)((n > 0) << c);
        for (unsigned k = 0; k < n; k++) {
            const struct slow_rounding *r = &rounds[k];
            uint32_t bit = 1u << (r->slot + (r->what == ROUND_SUM ? 0 : SLOW_SLOTS));
            bool fresh = !(seen & bit);
            seen |= bit;
            if (!fresh)
                continue;
            look_at_number(j, place, r, &r->a, true);
            if (r->what == ROUND_PRODUCT || r->what == ROUND_BOTH)
                look_at_number(j, place, r, &r->b, true);
            if (r->what == ROUND_BOTH || r->what == ROUND_SUM)
                look_at_number(j, place, r, &r->z, !slow_same_product(j, place, r));
        }
    }
    return made;
}


/* Products that something else than such a sum, or a copy, reads stay. */
void slow_look_at_reads(struct joiner *j, uint32_t place)
{
    const struct insn *insn = slow_insn_at(j, place);
    uint8_t useful = j->reach.useful[place] & (uint8_t)~(insn->dst.kind == OPND_NONE ? 0 : j->plan->place[place].fails);
    useful &= (uint8_t)~look_at_rounds(j, place, useful);
    for (unsigned k = 0; k < insn->nsrc; k++) {
        const struct operand *o = program_operand(j->p->text, insn->src + k);
        unsigned components = slow_reads(j->p, insn, k, useful);
        bool negative;
        for (unsigned c = 0; c < 4; c++)
            if (components >> c & 1 && slow_copied(j, place, c, &negative) != (int)k && !(slow_left_out(j->p, &j->plan->place[place], k) >> c & 1)) {
                struct held h = slow_held_by(j, o, c);
                keep_from(j, insn, h);
                note_bare(j, o, h);
            }
        for (unsigned c = 0; o->kind == OPND_EXTENDED && c < 4; c++) {
            uint32_t v = slow_variable(j->p, o->base_kind, o->ref, o->nindices != 0, c);
            if (v != NO_INDEX)
                slow_keep(j, j->held[v]);
        }
        keep_indices(j, o->index, o->nindices);
    }
    keep_indices(j, insn->dst.index, insn->dst.nindices);
}

struct held slow_copy_of(const struct joiner *j, const struct operand *o, unsigned c, bool negative)
{
    struct held h = slow_held_by(j, o, c);
    uint32_t v = slow_operand_variable(j, o, c);
    h.negative ^= negative;
    if (h.source != NO_INDEX && j->version[h.source] == h.version) {
        h.negated ^= negative;
    } else {
        h.source = negative ? v : NO_INDEX;
        h.negated = negative && v != NO_INDEX;
        h.version = v == NO_INDEX ? 0 : j->version[v];
    }
    h.copied = true;
    return h;
}

bool slow_is_single(const struct joiner *j, const struct insn *insn)
{
    const struct symbol *s = slow_target(j->p, insn);
    return s && s->kind == SYM_TEMP && s->size == SIZE_DEFAULT;
}

/* Copies with a sign, and plain copies of these. */
static void note_words(struct joiner *j, uint32_t place, struct held fresh[4])
{
    const struct insn *insn = slow_insn_at(j, place);
    const struct operand *o = insn->nsrc ? program_operand(j->p->text, insn->src) : NULL;
    bool to_short = !insn->dst.nindices && slow_is_short(j->p, insn->dst.kind, insn->dst.ref), of_short = o && slow_is_short(j->p, o->kind, o->ref);
    bool copies = insn->op == OP_MOV && (slow_bytes(insn->type) == 4 || insn->type == DT_F16) && (slow_is_single(j, insn) || to_short) &&
                  (slow_is_float(insn->type) || !(to_short || of_short)) && !condition_restricts(&insn->dst.condition) &&
                  !(insn->flags & (INSN_SAT | INSN_SSAT)) && !operand_has_sign(program_operand(j->p->text, insn->src));
    bool moves_shorts = to_short || of_short;
    for (unsigned c = 0; c < 4; c++) {
        struct operand o;
        uint32_t v = slow_variable(j->p, insn->dst.kind, insn->dst.ref, insn->dst.nindices != 0, c);
        j->plan->place[place].on_words &= (uint8_t)~(1u << c);      /* what was decided since may undo a copy that it was made on */
        fresh[c].words = copies ? slow_held_by(j, program_operand(j->p->text, insn->src), c).words : 0;
        if (j->plan->place[place].same >> c & 1 && v != NO_INDEX)
            fresh[c].words = j->held[v].words;
        else if (!copies && !moves_shorts && !is_tested(j->p, &j->plan->place[place], insn, c) && slow_is_single(j, insn) && slow_copied_operand(j->p, &j->plan->place[place], c, &o) >= 0 && !operand_has_sign(&o))
            fresh[c].words = slow_held_by(j, &o, c).words;      /* a copy by way of another instruction */
        else if (!copies && slow_signed_copy(j->p, &j->plan->place[place], c, &o)) {
            j->plan->place[place].on_words |= (uint8_t)((!moves_shorts && slow_held_by(j, &o, c).words) << c);
            v = slow_operand_variable(j, &o, c);
            fresh[c].words = place * 4 + c + 1;
            j->copied[place * 4 + c] = v == NO_INDEX ? 0 : j->version[v];
        }
    }
}

/* The block in which a number was made that is written now: that of what it copies, whatever its sign. */
static uint32_t made_in(const struct joiner *j, uint32_t place, unsigned c)
{
    const struct insn *insn = slow_insn_at(j, place);
    struct operand o;
    uint32_t v = NO_INDEX;
    if (insn->dst.mask >> c & 1 && !is_tested(j->p, &j->plan->place[place], insn, c) && slow_copied_operand(j->p, &j->plan->place[place], c, &o) >= 0)
        v = slow_operand_variable(j, &o, c);
    return v == NO_INDEX ? j->part : j->born[v];
}

/* What a copy holds whose word goes into a SHORT variable or comes out of one. */
static struct held carry(struct joiner *j, const struct insn *insn, const struct operand *o, struct held h)
{
    bool of_short = slow_is_short(j->p, o->kind, o->ref), to_short = slow_is_short(j->p, insn->dst.kind, insn->dst.ref);
    if (!slow_is_float(insn->type)) {
        h.word ^= of_short != to_short;
    } else if (h.word) {
        slow_keep(j, h);
        h.product = NO_INDEX;
    } else {
        h.turned |= of_short && !to_short && h.negative;
    }
    return h;
}

void slow_look_at_writes(struct joiner *j, uint32_t place)
{
    const struct insn *insn = slow_insn_at(j, place);
    struct held fresh[4];
    uint32_t born[4];
    bool copy[4] = {false};
    uint8_t written = insn->dst.kind == OPND_NONE ? 0 : slow_written(j->p, insn) & (uint8_t)~(j->plan->place[place].fails | slow_untouched(j->p, insn));
    for (unsigned c = 0; c < 4; c++) {
        bool negative;
        int k = slow_copied(j, place, c, &negative);
        fresh[c] = slow_nothing;
        if (j->plan->place[place].computed >> c & 1) {
            fresh[c].given = slow_given(j, place, c, &slow_nothing, -1, false);
            continue;
        }
        if (slow_is_product(j, place, c)) {
            fresh[c].product = place;
            fresh[c].c = (uint8_t)c;
            fresh[c].far = slow_is_far(j, place, c);
            j->made_far[place] = (uint8_t)((j->made_far[place] & ~(1u << c)) | (unsigned)fresh[c].far << c);
        } else if (k >= 0) {
            copy[c] = true;
            const struct operand *o = program_operand(j->p->text, insn->src + (uint32_t)k);
            fresh[c] = carry(j, insn, o, slow_copy_of(j, o, c, negative));
        }
        fresh[c].given = slow_given(j, place, c, &fresh[c], k, negative);
    }
    note_words(j, place, fresh);
    for (unsigned c = 0; c < 4; c++)
        born[c] = made_in(j, place, c);
    for (unsigned c = 0; c < 4; c++) {
        uint32_t v = slow_variable(j->p, insn->dst.kind, insn->dst.ref, insn->dst.nindices != 0, c);
        if (!(written >> c & 1))
            continue;
        if (v == NO_INDEX) {
            if (copy[c])
                slow_keep(j, fresh[c]);      /* to where nobody follows it */
            continue;
        }
        if (is_tested(j->p, &j->plan->place[place], insn, c) && j->reach.useful[place] >> c & 1)
            slow_keep(j, j->held[v]);        /* some of the old value stays */
        j->held[v] = fresh[c];
        j->version[v]++;
        j->born[v] = born[c];
        j->apart[place] = (uint8_t)((j->apart[place] & ~(1u << c)) | (unsigned)(born[c] != j->part) << c);
    }
}
