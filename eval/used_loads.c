/* What has been loaded and is used: a vote whose result nobody reads with a sign, or a choice, that asks it again is no predicate (predicates.c), and a
 * subroutine that writes over it holds no truth in its later blocks (truth_ways.c). */
#include "eval/known_values.h"
#include "eval/readers.h"
#include "eval/truths.h"

static bool names(const struct operand *o, uint32_t symbol)
{
    return (o->kind == OPND_SYMBOL || o->kind == OPND_EXTENDED) && o->ref == symbol && !o->nindices;
}

/* Components of an array that computed indices write in what runs. */
static uint8_t written_by_index(const struct truth_search *s, uint32_t array)
{
    uint8_t mask = 0;

    for (uint32_t k = s->named_of[array]; k < s->named_of[array + 1]; k++) {
        uint32_t i = s->named[k];
        const struct result *r = &program_insn(s->p, i)->dst;
        if ((eval_in_main(s, i) || s->called[s->part[i]]) && r->kind == OPND_SYMBOL && r->ref == array && r->nindices && program_index(s->p, r->index)->mode != INDEX_CONSTANT)
            mask |= r->mask;
    }
    return mask;
}

/* Whether anything sets a register that indexes. */
static bool is_set(const struct truth_search *s, const struct readers *r, const struct index *x)
{
    uint32_t variable = eval_variable(s->l, x->register_kind, x->reg, false, x->component);

    return x->mode != INDEX_RELATIVE || variable == NO_INDEX || eval_first_behind(&r->writes, variable, 0) != NO_INDEX;
}

/* Whether an array that registers index is read, or indexed by a register that anything sets, in what runs. */
static bool is_reached(const struct truth_search *s, uint32_t array)
{
    const struct readers *readers = eval_readers(s->d);
    bool any = false;

    for (uint32_t k = s->named_of[array]; readers && k < s->named_of[array + 1] && !any; k++) {
        uint32_t i = s->named[k];
        const struct insn *insn = program_insn(s->p, i);
        const struct result *r = &insn->dst;
        if (!eval_in_main(s, i) && !s->called[s->part[i]])
            continue;
        for (unsigned n = 0; n < r->nindices && r->kind == OPND_SYMBOL && r->ref == array; n++)
            any |= program_index(s->p, r->index + n)->mode != INDEX_CONSTANT && is_set(s, readers, program_index(s->p, r->index + n));
        for (unsigned n = 0; n < insn->nsrc; n++) {
            const struct operand *o = program_operand(s->p, insn->src + n);
            any |= s->l->useful[i] && (o->kind == OPND_SYMBOL || o->kind == OPND_HANDLE) && o->ref == array;
        }
    }
    return any || !readers;
}

/* Whether what LDB has loaded last before an instruction is of no use to anybody. */
static bool is_behind_dead_load(const struct truth_search *s, uint32_t at)
{
    while (at && !s->l->label[at] && program_insn(s->p, at - 1)->op != OP_LDB)
        at--;
    return at && !s->l->label[at] && !s->l->useful[at - 1];
}

/* Whether a result goes to an array that the text indexes by a register, and somebody may read it there. */
static bool goes_to_array(const struct truth_search *s, uint32_t at)
{
    const struct result *r = &program_insn(s->p, at)->dst;

    return r->kind == OPND_SYMBOL && eval_is_indexed(s->d, r->ref) && (r->nindices ? is_reached(s, r->ref) : s->l->useful[at] != 0);
}

/* Components of a result that are stored, as those of arrays that computed indices reach; of what a vote or a choice asks that writes over it (`over`)
 * those that such indices write. */
static uint8_t stored(const struct truth_search *s, uint32_t at, bool over)
{
    const struct result *r = &program_insn(s->p, at)->dst;

    if (!goes_to_array(s, at) || is_behind_dead_load(s, at))
        return 0;
    return over ? written_by_index(s, r->ref) : 15;
}

static bool is_register(const struct truth_search *s, const struct result *r)
{
    const struct symbol *to = r->kind == OPND_SYMBOL ? program_symbol(s->p, r->ref) : NULL;

    return to && to->kind == SYM_TEMP && to->size == SIZE_DEFAULT;
}

/* Components of the result that are copies of operand k between registers, with a sign or without. */
static uint8_t copies_words(const struct truth_search *s, const struct insn *insn, unsigned k)
{
    const struct operand *o = program_operand(s->p, insn->src + k);
    bool words = type_table[insn->type].bytes == 4;

    if (o->kind == OPND_EXTENDED || !is_register(s, &insn->dst) || insn->cc_update || insn->flags & (INSN_SAT | INSN_SSAT | INSN_HALF))
        return 0;
    switch (insn->op) {
    case OP_MOV: case OP_ABS: return words ? 15 : 0;
    case OP_DST: return words ? 12 : 0;
    case OP_CVT: return words && insn->type2 != DT_NONE && type_table[insn->type2].bytes == 4 && type_table[insn->type].is_float == type_table[insn->type2].is_float ? 15 : 0;
    case OP_MUL: return insn->type == DT_F32 && eval_is_written(s->p, insn, 1 - k, 0x3f800000) ? 15 : 0;
    case OP_ADD: case OP_OR: return words && !type_table[insn->type].is_float && eval_is_zero(s->p, insn, 1 - k) ? 15 : 0;
    default: return 0;
    }
}

static uint8_t copies(const struct truth_search *s, uint32_t at, unsigned k, bool over)
{
    return copies_words(s, program_insn(s->p, at), k) & (uint8_t)~stored(s, at, over);
}

/* Components of the result that are made of a component of operand k. */
static uint8_t reading(const struct truth_search *s, uint32_t at, unsigned k, unsigned component)
{
    const struct operand *o = program_operand(s->p, program_insn(s->p, at)->src + k);
    uint8_t results = 0;

    if (op_stores(program_insn(s->p, at)->op) && !k) {
        for (unsigned c = 0; c < program_insn(s->p, at)->width; c++)
            results |= (uint8_t)(((o->swizzle >> 2 * c & 3) == component) << c);
        return results;
    }
    if (o->kind != OPND_EXTENDED)
        return eval_components_reading(s, at, k, component);
    for (unsigned c = 0; c < 4; c++)
        results |= (uint8_t)(((o->extended[c] & ~SWZ_NEGATE) == SWZ_X + (int)component) << c);
    return results & s->l->useful[at];
}

/* Components of the result that are computed of a component of a variable, and those that are copies of it. A copy with a sign is made where its block ends (`ended`). */
static uint8_t computed(const struct truth_search *s, uint32_t at, uint32_t symbol, unsigned component, bool ended, bool over, uint8_t *copied)
{
    const struct insn *insn = program_insn(s->p, at);
    uint8_t made = 0;

    *copied = 0;
    for (unsigned k = 0; k < insn->nsrc; k++) {
        const struct operand *o = program_operand(s->p, insn->src + k);
        uint8_t results = names(o, symbol) ? (uint8_t)(reading(s, at, k, component) & ~eval_truth_tested(s, at)) : 0;
        bool sign = operand_has_sign(o) || insn->op == OP_ABS;
        uint8_t copy = results && !(sign && ended) ? copies(s, at, k, over) : 0;
        *copied |= results & copy;
        made |= results & (uint8_t)~copy;
    }
    return made;
}

static bool ends_block(const struct insn *insn)
{
    switch (insn->op) {
    case OP_LDB: case OP_STB: case OP_ATOMB: case OP_LOADIM: case OP_ATOMIM: case OP_ATOMCTR: case OP_MEMBAR: return true;
    default: return false;
    }
}

static bool writes(const struct insn *insn, uint32_t symbol, unsigned component)
{
    return insn->dst.kind == OPND_SYMBOL && insn->dst.ref == symbol && !insn->dst.nindices && insn->dst.mask >> component & 1;
}

/* Whether something computes with a component of a variable between two instructions, as it stands at the first. */
static bool is_computed_with(const struct truth_search *s, uint32_t from, uint32_t to, uint32_t symbol, unsigned component)
{
    uint8_t copied;

    for (uint32_t i = from + 1; i < to; i++) {
        if (computed(s, i, symbol, component, false, false, &copied))
            return true;
        if (writes(program_insn(s->p, i), symbol, component))
            return false;
    }
    return false;
}

/* Whether something computes with a copy of it between two instructions. */
static bool is_copy_used(const struct truth_search *s, uint32_t from, uint32_t to, uint8_t copied)
{
    uint32_t symbol = program_insn(s->p, from)->dst.ref;
    uint8_t copy, left = copied;

    for (uint32_t i = from + 1; left && i < to; i++)
        for (unsigned c = 0; c < 4; c++) {
            if (left >> c & 1 && computed(s, i, symbol, c, false, false, &copy))
                return true;
            if (writes(program_insn(s->p, i), symbol, c))
                left &= (uint8_t)~(1u << c);
        }
    return false;
}

static bool is_image(uint16_t op)
{
    return op == OP_LOADIM || op == OP_ATOMIM || op == OP_STOREIM;
}

/* A write that is jumped over where its test fails, and images: these end the block. */
static bool jumps(const struct truth_search *s, uint32_t at)
{
    const struct insn *insn = program_insn(s->p, at);
    const struct result *r = &insn->dst;
    bool tested = r->condition.rule != CC_FL && eval_truth_tested(s, at);

    return is_image(insn->op) || (tested && (insn->cc_update || insn->op == OP_LDB || insn->op == OP_ATOMB || insn->op == OP_LDS || insn->op == OP_ATOMS ||
                                             goes_to_array(s, at)));
}

/* Whether nothing stands in an IF in the text. */
static bool holds_nothing(const struct truth_search *s, uint32_t at)
{
    const struct vec *origin = &s->d->unrolled.origin;

    return program_insn(s->p, at + 1)->op == OP_ENDIF &&
           (!s->d->unrolled.used || *(const uint32_t *)vec_at(origin, at + 1) == *(const uint32_t *)vec_at(origin, at) + 1);
}

/* Whether a component has been loaded in its block, by a call too, or before its subroutine, and something has computed with it since. Calls end no block, nor loops
 * of nothing but arithmetic. */
bool eval_is_used(const struct truth_search *s, uint32_t at, uint32_t symbol, unsigned component)
{
    const struct result *r = &program_insn(s->p, at)->dst;
    bool used = false, ended = false, over = r->kind == OPND_SYMBOL && r->ref == symbol;
    uint32_t asked = at, loop = NO_INDEX;
    const struct operand *o;
    uint8_t copied;
    unsigned k;

    while (at && !s->l->label[at]) {
        const struct insn *insn = program_insn(s->p, --at);
        bool plain = eval_form(s->d, at) == FORM_PLAIN, leaves = insn->op == OP_BRK || insn->op == OP_CONT || insn->op == OP_RET || insn->op == OP_CALI;
        if (loop == NO_INDEX && ((plain && leaves) || jumps(s, at)))
            return false;
        if (insn->op == OP_REP && loop == NO_INDEX)
            return false;
        if (insn->op == OP_ENDREP && loop == NO_INDEX)
            loop = insn->partner;
        if (loop == NO_INDEX && eval_call_leaves(s, at, symbol, component))
            return used;
        if (loop != NO_INDEX) {
            loop = at == loop ? NO_INDEX : loop;
            continue;
        }
        used |= computed(s, at, symbol, component, ended, over, &copied) || (copied && is_copy_used(s, at, asked, copied));
        ended |= ends_block(insn);
        if (!writes(insn, symbol, component))
            continue;
        k = insn->op == OP_MUL && copies(s, at, 1, false);
        if ((insn->op != OP_MOV && insn->op != OP_MUL) || !copies(s, at, k, false) || condition_restricts(&insn->dst.condition))
            return used && (insn->op == OP_LDB || insn->op == OP_ATOMB || op_shuffles(insn->op));
        o = program_operand(s->p, insn->src + k);
        if (o->kind != OPND_SYMBOL || o->nindices)
            return false;
        symbol = o->ref;
        component = o->swizzle >> 2 * component & 3;
        used |= is_computed_with(s, at, asked, symbol, component);
    }
    return used && !eval_in_main(s, asked);
}

/* Whether anybody reads a component of a result of the main program with a sign, into a LONG variable or an array that the text indexes by a register, before all of it
 * is written over. */
static bool is_read(const struct truth_search *s, uint32_t at, unsigned component)
{
    const struct result *r = &program_insn(s->p, at)->dst;

    for (uint32_t i = at + 1; r->kind == OPND_SYMBOL && !r->nindices && i < s->l->main_end; i++) {
        const struct insn *insn = program_insn(s->p, i);
        bool keeps = program_is_long(s->p, insn->dst.kind, insn->dst.ref) || (insn->dst.kind == OPND_SYMBOL && eval_is_indexed(s->d, insn->dst.ref));
        for (unsigned k = 0; keeps && k < insn->nsrc; k++) {
            const struct operand *o = program_operand(s->p, insn->src + k);
            if (names(o, r->ref) && operand_has_sign(o) && reading(s, i, k, component))
                return true;
        }
        if (writes(insn, r->ref, component) && !condition_restricts(&insn->dst.condition))
            return false;
    }
    return false;
}

uint8_t eval_asks_used(const struct truth_search *s, uint32_t at)
{
    const struct insn *insn = program_insn(s->p, at);
    const struct operand *o = program_operand(s->p, insn->src);
    uint8_t mask = 0;

    for (unsigned c = 0; c < 4 && o->kind == OPND_SYMBOL && !o->nindices; c++)
        if (insn->dst.mask >> c & 1 && eval_is_used(s, at, o->ref, o->swizzle >> 2 * c & 3) && (insn->op == OP_CMP || !is_read(s, at, c)))
            mask |= (uint8_t)(1u << c);
    return mask;
}

bool eval_copies_used(const struct truth_search *s, uint32_t at, const struct operand *o, unsigned c)
{
    return eval_in_main(s, at) && eval_is_used(s, at, o->ref, o->swizzle >> 2 * c & 3);
}

/* ---- what a subroutine writes over ---------------------------------------------------------------------------------------- */

static bool divides_words(const struct insn *insn)
{
    return (insn->op == OP_DIV || insn->op == OP_MOD) && (insn->type == DT_U64 || insn->type == DT_S64);
}

static bool runs_once(const struct truth_search *s, const struct insn *insn)
{
    struct known none = {.p = s->p};
    uint64_t word;

    return insn->nsrc && program_operand(s->p, insn->src)->kind == OPND_CONSTANT && eval_known_operand(&none, program_operand(s->p, insn->src), 0, DT_S32, &word) && word <= 1;
}

/* Whether a block ends with it that others of its subroutine follow. */
static bool parts_blocks(const struct truth_search *s, uint32_t i)
{
    const struct insn *insn = program_insn(s->p, i);

    switch (insn->op) {
    case OP_IF: return condition_restricts(&insn->condition) && insn->condition.rule != CC_FL && !holds_nothing(s, i);
    case OP_CAL: case OP_CALI: case OP_BRK: case OP_CONT: case OP_RET: return insn->condition.rule != CC_FL;
    case OP_REP: return !runs_once(s, insn);
    case OP_DIV: case OP_RSQ: return insn->type == DT_F64 && s->l->useful[i];
    default: return ends_block(insn) && s->l->useful[i];
    }
}

static bool is_behind_block(const struct truth_search *s, uint32_t at)
{
    uint32_t depth = 0;
    bool behind = false;

    for (uint32_t i = s->part[at]; i < at; i++) {
        const struct insn *insn = program_insn(s->p, i);
        uint8_t form = eval_form(s->d, i);
        bool ends = insn->op == OP_ENDREP && form != FORM_NEXT && (form != FORM_PHASE || program_insn(s->p, insn->partner)->partner == i);
        depth += insn->op == OP_IF || insn->op == OP_REP;
        depth -= depth && (insn->op == OP_ENDIF || ends);
        behind |= parts_blocks(s, i);
    }
    return behind && !depth;
}

static bool reads(const struct truth_search *s, uint32_t at, uint32_t symbol)
{
    const struct insn *insn = program_insn(s->p, at);
    bool any = false;

    for (unsigned k = 0; k < insn->nsrc; k++)
        any |= names(program_operand(s->p, insn->src + k), symbol) && reading(s, at, k, s->component);
    return any;
}

/* Whether a subroutine, before an instruction, reads the component that it is called with. */
static bool reads_first(const struct truth_search *s, uint32_t label, uint32_t until, uint32_t symbol)
{
    for (uint32_t i = label; i < until && (i == label || !s->l->label[i]); i++) {
        if (reads(s, i, symbol))
            return true;
        if (writes(program_insn(s->p, i), symbol, s->component))
            return false;
    }
    return false;
}

/* Whether a subroutine is the one at hand, or calls it. */
static bool leads_to(const struct truth_search *s, uint32_t label, uint32_t part)
{
    uint32_t n = (uint32_t)s->p->insns.count;
    bool any = label == part;

    for (uint32_t i = label; !any && i < n && (i == label || !s->l->label[i]); i++)
        any = program_insn(s->p, i)->op == OP_CAL && program_insn(s->p, i)->partner == part;
    return any;
}

static bool divides_anywhere(const struct truth_search *s)
{
    for (uint32_t i = 0; i < s->p->insns.count; i++)
        if (divides_words(program_insn(s->p, i)) && (eval_in_main(s, i) || s->called[s->part[i]]))
            return true;
    return false;
}

bool eval_writes_over_used(const struct truth_search *s)
{
    const struct result *r = &program_insn(s->p, s->at)->dst;
    uint32_t n = (uint32_t)s->p->insns.count, part = s->part[s->at];
    bool loaded = false, ended = false, used = false;

    if (s->array != NO_INDEX || eval_in_main(s, s->at) || !op_compares(program_insn(s->p, s->at)->op) || program_is_long(s->p, r->kind, r->ref) || !is_behind_block(s, s->at) || divides_anywhere(s))
        return false;
    for (uint32_t i = s->l->entry; i < s->l->main_end; i++) {
        const struct insn *insn = program_insn(s->p, i);
        bool calls = insn->op == OP_CAL && insn->partner < n, leads = calls && leads_to(s, insn->partner, part);
        used |= loaded && ended && (reads(s, i, r->ref) || (calls && reads_first(s, insn->partner, insn->partner == part ? s->at : n, r->ref)));
        if (leads && used)
            return true;
        ended |= ends_block(insn) && s->l->useful[i];
        if (leads || writes(insn, r->ref, s->component)) {
            loaded = insn->op == OP_LDB;
            ended = false;
        }
    }
    return false;
}
