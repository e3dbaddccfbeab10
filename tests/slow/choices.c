/* Choices between words of copies with signs, over IF and through loops that are unrolled, and negations of negations: docs/numbers.md, "Pairs and single
 * instructions". */
#include "tests/slow/joined.h"

#include <stdlib.h>

/* Both of what a CMP chooses from are the same copy, or the same absolute value. */
static bool same_copy(const struct joiner *j, const struct operand *a, const struct operand *b, unsigned c)
{
    uint32_t words = slow_held_by(j, a, c).words;
    struct operand o;
    if (!words || slow_held_by(j, b, c).words != words || (a->flags | b->flags) & (OPND_NEGATE | OPND_NEGATE_INNER))
        return false;
    return !((a->flags | b->flags) & OPND_ABSOLUTE) || (slow_signed_copy(j->p, &j->plan->place[(words - 1) / 4], (words - 1) % 4, &o) && o.flags & OPND_ABSOLUTE && !(o.flags & OPND_NEGATE));
}

/* The register that an operand is, or is a copy of, how often that had been written then, and the signs that it has of it. */
struct source {
    uint32_t variable, version;
    bool copied, magnitude, minus;
};

static bool find_source(const struct joiner *j, const struct operand *o, unsigned c, uint32_t words, struct source *s)
{
    struct operand from;
    *s = (struct source){.copied = words != 0};
    if (words) {
        if (!slow_copies_with_sign(j->p, &j->plan->place[(words - 1) / 4], (words - 1) % 4, &from))
            return false;
        s->variable = slow_operand_variable(j, &from, (words - 1) % 4);
        s->version = j->copied[words - 1];
        s->magnitude = from.flags & OPND_ABSOLUTE;
        s->minus = slow_negates(&from);
    } else {
        s->variable = slow_operand_variable(j, o, c);
        s->version = s->variable == NO_INDEX ? 0 : j->version[s->variable];
    }
    if (o && o->flags & OPND_ABSOLUTE) {
        s->magnitude = true;
        s->minus = false;
    }
    s->minus ^= o && slow_negates(o);
    return s->variable != NO_INDEX;
}

static bool is_same(const struct source *a, const struct source *b)
{
    return (a->copied || b->copied) && a->variable == b->variable && a->version == b->version && a->magnitude == b->magnitude && a->minus == b->minus;
}

void slow_find_same(struct joiner *j, uint32_t place)
{
    const struct insn *insn = slow_insn_at(j, place);
    struct slow_place *s = &j->plan->place[place];
    for (unsigned c = 0; condition_restricts(&insn->dst.condition) && insn->dst.kind == OPND_SYMBOL && c < 4; c++) {
        uint32_t v = slow_variable(j->p, insn->dst.kind, insn->dst.ref, insn->dst.nindices != 0, c), words = v == NO_INDEX ? 0 : j->held[v].words;
        struct operand o;
        struct source now, then;
        if (insn->dst.mask >> c & 1 && words && slow_copied_operand(j->p, s, c, &o) >= 0 && find_source(j, &o, c, slow_held_by(j, &o, c).words, &now) &&
            find_source(j, NULL, c, words, &then) && is_same(&now, &then))
            s->same |= (uint8_t)(1u << c);
    }
}

/* Also halves in a word, and doubles that are narrowed. */
static bool gives_floats(const struct insn *insn)
{
    bool packs = insn->op == OP_PK2H || insn->op == OP_PK2US || insn->op == OP_PK4B || insn->op == OP_PK4UB;
    return packs || slow_is_float(insn->op == OP_CVT ? insn->type : slow_result_type(insn));
}

/* A component that is copied to itself. */
static bool moves_itself(const struct joiner *j, uint32_t place, unsigned c)
{
    const struct result *r = &slow_insn_at(j, place)->dst;
    struct operand o;
    return slow_copied_operand(j->p, &j->plan->place[place], c, &o) >= 0 && !operand_has_sign(&o) && o.kind == r->kind && o.ref == r->ref &&
           !o.nindices && !r->nindices && (o.swizzle >> 2 * c & 3) == c;
}

/* Whether what is written is an element that registers choose, known ones too: the write is a branch. */
static bool is_by_address(const struct joiner *j, const struct insn *insn)
{
    const struct result *r = &insn->dst;
    return (r->nindices && program_index(j->p->text, r->index)->mode == INDEX_RELATIVE) || (r->kind == OPND_SYMBOL && j->p->by_address && j->p->by_address[r->ref]);
}

static bool may_copy(unsigned op)
{
    return op == OP_MOV || op == OP_ABS || op == OP_MUL || op == OP_DST || op == OP_MIN || op == OP_MAX;
}

void slow_find_choices(struct joiner *j, uint32_t place)
{
    const struct insn *insn = slow_insn_at(j, place);
    struct slow_place *s = &j->plan->place[place];
    bool lanes = !slow_is_memory(insn->op) && !slow_is_image(insn->op) && !slow_is_texture(insn->op) && !slow_looks_at_others(insn->op);
    bool shuffle = op_shuffles(insn->op), reads = false, moves = false;
    struct operand copied;
    bool element = is_by_address(j, insn);
    bool vote = insn->op == OP_TGALL || insn->op == OP_TGANY || insn->op == OP_TGEQ;
    for (unsigned c = 0; insn->op == OP_CMP && insn->type == DT_F32 && !slow_is_half(j->p, insn) && !(insn->flags & (INSN_SAT | INSN_SSAT)) && c < 4; c++) {
        const struct operand *o = program_operand(j->p->text, insn->src + 1);
        bool chosen = (s->chosen[0] | s->chosen[1] | s->chosen[2] | s->computed) >> c & 1;
        if (!(insn->dst.mask >> c & 1) || chosen || same_copy(j, o, o + 1, c))
            continue;
        struct source x, y;
        if (find_source(j, o, c, slow_held_by(j, o, c).words, &x) && find_source(j, o + 1, c, slow_held_by(j, o + 1, c).words, &y) && is_same(&x, &y) && (x.magnitude || x.minus)) {
            s->chosen[1] |= (uint8_t)(1u << c);        /* nothing to choose */
            continue;
        }
        for (unsigned k = 0; k < 2; k++)
            if (!(insn->flags & INSN_PREC && slow_is_short(j->p, o[k].kind, o[k].ref)))
                s->of_words[k] |= (uint8_t)((slow_held_by(j, o + k, c).words != 0) << c);
    }
    if (may_copy(insn->op) && insn->type == DT_F32 && condition_restricts(&insn->dst.condition) && insn->dst.condition.rule != CC_FL && !s->settled &&
        (!s->computed || insn->op == OP_DST) && !element && slow_is_single(j, insn) && !insn->cc_update && !(insn->flags & (INSN_SAT | INSN_SSAT | INSN_PREC | INSN_HALF)))
        for (unsigned c = 0; c < 4; c++)
            if (insn->dst.mask >> c & 1 && !(s->same >> c & 1) && !moves_itself(j, place, c) && slow_copied_operand(j->p, s, c, &copied) >= 0)
                s->of_words[0] |= (uint8_t)((slow_held_by(j, &copied, c).words != 0) << c);
    for (unsigned k = 0; k < insn->nsrc; k++) {
        const struct operand *o = program_operand(j->p->text, insn->src + k);
        reads |= o->kind == OPND_SYMBOL && insn->dst.kind == OPND_SYMBOL && o->ref == insn->dst.ref;
        moves |= insn->op == OP_MOV && operand_has_sign(o);
    }
    if (!condition_restricts(&insn->dst.condition) || insn->dst.condition.rule == CC_FL || insn->cc_update || element || !slow_is_single(j, insn) ||
             !gives_floats(insn) || !(lanes || shuffle || vote) ||
             (reads && (!lanes || moves || !slow_is_float(insn->type))))
        return;
    for (unsigned c = 0; c < 4; c++) {
        uint32_t v = slow_variable(j->p, insn->dst.kind, insn->dst.ref, false, c);
        bool kept = shuffle && !slow_goes_by_copy(j->p, insn) && c > 0;
        if (insn->dst.mask >> c & 1 && !((s->settled | s->same) >> c & 1) && v != NO_INDEX && !kept && j->held[v].words && (j->held[v].words - 1) / 4 >= j->jump && (!j->depth || (j->held[v].words - 1) / 4 >= j->ifs[j->depth - 1]) && !moves_itself(j, place, c))
            s->over_words |= (uint8_t)(1u << c);
    }
}

static bool is_negation(const struct operand *o)
{
    return slow_negates(o) && !(o->flags & OPND_ABSOLUTE);
}

void slow_find_undone(struct joiner *j, uint32_t place)
{
    const struct insn *insn = slow_insn_at(j, place);
    struct slow_place *s = &j->plan->place[place];
    bool tested = condition_restricts(&insn->dst.condition);
    if (insn->dst.kind != OPND_SYMBOL || (insn->cc_update && tested) || insn->flags & (INSN_PREC | INSN_HALF) || insn->type != DT_F32 ||
        program_symbol(j->p->text, insn->dst.ref)->size == SIZE_SHORT)
        return;
    for (unsigned c = 0; c < 4; c++) {
        struct operand now, before;
        bool stays = tested && !is_by_address(j, insn) && !((s->passes & s->settled) >> c & 1);
        int k = insn->dst.mask >> c & 1 && !stays ? slow_copied_operand(j->p, s, c, &now) : -1;
        uint32_t words = k >= 0 && is_negation(&now) && !slow_is_short(j->p, now.kind, now.ref) ? slow_held_by(j, &now, c).words : 0;
        if (words && slow_copies_with_sign(j->p, &j->plan->place[(words - 1) / 4], (words - 1) % 4, &before) && is_negation(&before)) {
            s->undone |= (uint8_t)(1u << c);
            s->undone_of[c] = (uint8_t)k;
        }
    }
}

/* ---- over flow -------------------------------------------------------------------------------------------------------------------------- */

static void forget_words(struct joiner *j)
{
    for (uint32_t v = 0; v < j->reach.nvars; v++)
        j->held[v].words = 0;
}

static void begin_if(struct joiner *j, uint32_t place)
{
    uint32_t n = j->reach.nvars, *begins = realloc(j->begins, (size_t)(j->depth + 1) * 2 * n * sizeof *begins + 1);
    uint32_t *ifs = realloc(j->ifs, (j->depth + 1) * sizeof *ifs);
    j->begins = begins ? begins : j->begins;
    j->ifs = ifs ? ifs : j->ifs;
    if (!begins || !ifs) {
        j->failed = true;
        return;
    }
    ifs[j->depth] = place;
    begins += (size_t)j->depth++ * 2 * n;
    for (uint32_t v = 0; v < n; v++) {
        begins[v] = j->held[v].words;
        begins[n + v] = 0;
    }
}

static void end_side(struct joiner *j, bool both)
{
    uint32_t n = j->reach.nvars, *begins = j->begins + (size_t)(j->depth - 1) * 2 * n;
    for (uint32_t v = 0; v < n; v++) {
        begins[n + v] |= j->held[v].words != begins[v];
        j->held[v].words = both && begins[n + v] ? 0 : begins[v];
    }
    j->depth -= both;
}

/* Which sides of an IF write each variable: 1, 2 behind its ELSE. */
static uint8_t *sides_of(const struct joiner *j, uint32_t from, uint32_t end)
{
    uint8_t *sides = calloc(j->reach.nvars + 1, 1);
    uint32_t depth = 0;
    uint8_t now = 1;
    for (uint32_t i = from + 1; sides && i < end; i++) {
        const struct insn *insn = slow_insn_at(j, i);
        bool flows = !j->plan->place[i].straight;
        depth += flows && insn->op == OP_IF;
        depth -= flows && insn->op == OP_ENDIF && depth;
        now = flows && insn->op == OP_ELSE && !depth ? 2 : now;
        for (unsigned c = 0; insn->dst.kind == OPND_SYMBOL && c < 4; c++) {
            uint32_t v = slow_written(j->p, insn) >> c & 1 ? slow_variable(j->p, insn->dst.kind, insn->dst.ref, insn->dst.nindices != 0, c) : NO_INDEX;
            if (v != NO_INDEX)
                sides[v] |= now;
        }
    }
    return sides;
}

/* Copies from before an IF, of what a block before them made, are none behind it where one side of it wrote that. */
static void part(struct joiner *j, uint32_t from, uint32_t end)
{
    uint8_t *sides = sides_of(j, from, end);
    for (uint32_t v = 0; sides && v < j->reach.nvars; v++) {
        uint32_t words = j->held[v].words, source = NO_INDEX;
        struct operand o;
        if (words && (words - 1) / 4 < from && j->apart[(words - 1) / 4] >> (words - 1) % 4 & 1 &&
            slow_copies_with_sign(j->p, &j->plan->place[(words - 1) / 4], (words - 1) % 4, &o))
            source = slow_operand_variable(j, &o, (words - 1) % 4);
        if (source != NO_INDEX && (sides[source] == 1 || sides[source] == 2))
            j->held[v].words = 0;
    }
    j->failed |= !sides;
    free(sides);
}

/* The components that a subroutine writes, and what it calls. */
static void find_called(const struct joiner *j, const struct insn *call, uint32_t *written, unsigned depth)
{
    uint32_t n = (uint32_t)j->p->text->insns.count;
    for (uint32_t i = 0; i < n && depth < SLOW_CALLS; i++)
        for (uint32_t k = i; j->p->label[i] && slow_calls(j->p, call, i) && k < n && (k == i || !j->p->label[k]); k++) {
            const struct insn *insn = program_insn(j->p->text, k);
            for (unsigned c = 0; insn->dst.kind == OPND_SYMBOL && insn->dst.condition.rule != CC_FL && c < 4; c++) {
                uint32_t v = slow_written(j->p, insn) >> c & 1 ? slow_variable(j->p, insn->dst.kind, insn->dst.ref, insn->dst.nindices != 0, c) : NO_INDEX;
                if (v != NO_INDEX)
                    written[v] = 1;
            }
            if (insn->op == OP_CAL || insn->op == OP_CALI)
                find_called(j, insn, written, depth + 1);
        }
}

/* What a subroutine writes is no copy behind the call; nor is what copies that, but where it is the only call and no lane stays out. */
static void go_over_call(struct joiner *j, const struct insn *call)
{
    bool here = call->op == OP_CAL && !condition_restricts(&call->condition);
    for (uint32_t i = 0; i < j->plan->count; i++) {
        const struct insn *other = slow_insn_at(j, i);
        here &= other == call || (other->op != OP_CALI && (other->op != OP_CAL || other->partner != call->partner));
    }
    uint32_t *written = calloc(j->reach.nvars + 1, sizeof *written);
    if (!written) {
        j->failed = true;
        return;
    }
    if (call->condition.rule != CC_FL && call->op == OP_CAL)
        find_called(j, call, written, 0);
    else if (call->condition.rule != CC_FL)
        slow_forget_called(j, call, written, 0);
    for (uint32_t v = 0; v < j->reach.nvars; v++) {
        uint32_t words = j->held[v].words, from = NO_INDEX;
        struct operand o;
        if (words && !here &&
            slow_copies_with_sign(j->p, &j->plan->place[(words - 1) / 4], (words - 1) % 4, &o))
            from = slow_operand_variable(j, &o, (words - 1) % 4);
        if (written[v] || (from != NO_INDEX && written[from]))
            j->held[v].words = 0;
        j->version[v]++;
    }
    free(written);
}

/* What the rounds of a loop write is no copy in it, nor is what copies that. */
static void forget_written(struct joiner *j, uint32_t from, uint32_t to)
{
    uint32_t *written = calloc(j->reach.nvars + 1, sizeof *written);
    if (!written) {
        j->failed = true;
        return;
    }
    for (uint32_t i = from; i < to; i++) {
        const struct insn *insn = slow_insn_at(j, i);
        if (insn->op == OP_CAL || insn->op == OP_CALI)
            slow_forget_called(j, insn, written, 0);
        for (unsigned c = 0; insn->dst.kind == OPND_SYMBOL && c < 4; c++) {
            uint32_t v = slow_written(j->p, insn) >> c & 1 ? slow_variable(j->p, insn->dst.kind, insn->dst.ref, insn->dst.nindices != 0, c) : NO_INDEX;
            if (v != NO_INDEX)
                written[v] = 1;
        }
    }
    for (uint32_t v = 0; v < j->reach.nvars; v++) {
        uint32_t words = j->held[v].words, from = NO_INDEX;
        struct operand o;
        j->version[v] += written[v] != 0;
        if (words && slow_copies_with_sign(j->p, &j->plan->place[(words - 1) / 4], (words - 1) % 4, &o))
            from = slow_operand_variable(j, &o, (words - 1) % 4);
        if (written[v] || (from != NO_INDEX && written[from]))
            j->held[v].words = 0;
    }
    free(written);
}

static void go_into_loop(struct joiner *j, uint32_t rep)
{
    forget_written(j, rep + 1, j->plan->place[rep].to);
}

/* Between two rounds of a loop that is unrolled: what stands behind the first CONT of the one that ends. */
static void go_to_round(struct joiner *j, uint32_t end)
{
    uint32_t first = end;
    for (uint32_t i = end; i-- > j->plan->place[end].loop && !(slow_insn_at(j, i)->op == OP_ENDREP);)
        if (slow_insn_at(j, i)->op == OP_CONT && j->plan->place[i].loop == j->plan->place[end].loop && !j->plan->place[i].straight)
            first = i;
    forget_written(j, first, end);
}

/* Lanes leave a round of a loop that runs: no copy from before that is written over, and where the run tells how many rounds there are and
 * lanes go on there, what rounds copy is words no more. */
static void go_over_jump(struct joiner *j, uint32_t place)
{
    const struct slow_place *here = &j->plan->place[place];
    const struct insn *rep = here->loop == NO_INDEX ? NULL : slow_insn_at(j, here->loop);
    if (!rep || here->straight || j->plan->place[here->loop].straight)
        return;
    j->jump = place;
    if (slow_insn_at(j, place)->op == OP_CONT && !(rep->nsrc && program_operand(j->p->text, rep->src)->kind == OPND_CONSTANT))
        go_into_loop(j, here->loop);
}

/* Whether another phase of the loop comes behind a place. */
static bool goes_to_phase(const struct joiner *j, uint32_t place)
{
    uint32_t loop = j->plan->place[place].loop;
    for (unsigned n = 1; loop != NO_INDEX && j->plan->place[loop].phased && n < SLOW_PHASES; n++)
        if (j->plan->place[loop].phase[n] == place + 1)
            return true;
    return false;
}

/* Whether a round of a loop may end at a CONT. */
static bool goes_on(const struct joiner *j, uint32_t rep)
{
    for (uint32_t i = rep + 1; i < j->plan->place[rep].to; i++) {
        unsigned op = slow_insn_at(j, i)->op;
        if (op == OP_CONT && !j->plan->place[i].straight)
            return true;
    }
    return false;
}

void slow_follow_words(struct joiner *j, uint32_t place)
{
    const struct slow_place *here = &j->plan->place[place];
    bool clear = false;
    switch (slow_insn_at(j, place)->op) {
    case OP_IF:
        if (!here->straight)
            begin_if(j, place);
        break;
    case OP_ELSE: case OP_ENDIF:
        if (!here->straight && j->depth) {
            uint32_t from = j->ifs[j->depth - 1];
            end_side(j, slow_insn_at(j, place)->op == OP_ENDIF);
            if (slow_insn_at(j, place)->op == OP_ENDIF)
                part(j, from, place);
        }
        break;
    case OP_REP:
        if (!here->straight)
            go_into_loop(j, place);
        break;
    case OP_ENDREP:
        j->jump = 0;
        if (!goes_to_phase(j, place) && !here->straight && place + 1 < j->plan->place[here->loop].to)
            go_to_round(j, place);
        else if (goes_to_phase(j, place) || !here->straight)
            go_into_loop(j, here->loop);
        clear = !goes_to_phase(j, place) && !here->straight && place + 1 >= j->plan->place[here->loop].to && goes_on(j, here->loop);
        break;
    case OP_BRK: case OP_CONT: go_over_jump(j, place); break;
    case OP_CAL: case OP_CALI: go_over_call(j, slow_insn_at(j, place)); break;
    case OP_RET: clear = true; break;
    default: break;
    }
    if (clear || (place + 1 < j->plan->count && slow_begins_part(j->p, j->plan, place + 1)))
        forget_words(j);
}
