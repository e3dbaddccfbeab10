/* Registers that are known numbers wherever they index: `MOV.U A.x, 0;` before all flow, and nothing that runs sets A.x
 * to anything else. An array that these alone index is one that numbers index (sroa.c). */
#include "model/sroa/const_index.h"

#include "asm/arena.h"
#include "model/tables.h"
#include "asm/label.h"

#include <string.h>

static bool is_flow(uint16_t op)
{
    switch (op) {
    case OP_IF: case OP_ELSE: case OP_ENDIF: case OP_REP: case OP_ENDREP: case OP_BRK: case OP_CONT: case OP_CAL:
    case OP_CALI: case OP_RET: case OP_KIL:
        return true;
    default:
        return false;
    }
}

/* ---- what runs ---------------------------------------------------------------------------------------------- */

struct regions {
    const uint8_t *label;
    uint32_t *todo, ntodo;
    uint32_t *skip;             /* of each instruction: where flow goes on, behind a side of IF (TR) or IF (FL) that
                                 * never runs; or 0 */
    uint8_t *runs;
};

static void skip_side(const struct gp5_program *p, struct regions *r, uint32_t at)
{
    const struct insn *insn = program_insn(p, at);
    uint32_t other = insn->op == OP_IF ? insn->partner : NO_INDEX, n = (uint32_t)p->insns.count;

    if (other >= n)
        return;
    if (insn->condition.rule == CC_FL)
        r->skip[at] = other;
    else if (!condition_restricts(&insn->condition) && program_insn(p, other)->op == OP_ELSE &&
             program_insn(p, other)->partner < n)
        r->skip[other] = program_insn(p, other)->partner;
}

/* Running into a label returns. */
static void enter(struct regions *r, uint32_t at, uint32_t n)
{
    if (at >= n || r->runs[at])
        return;
    r->runs[at] = 1;
    r->todo[r->ntodo++] = at;
}

static void follow(const struct gp5_program *p, struct regions *r)
{
    uint32_t n = (uint32_t)p->insns.count;

    while (r->ntodo) {
        uint32_t at = r->todo[--r->ntodo];
        do {
            const struct insn *insn = program_insn(p, at);
            r->runs[at] = 1;
            skip_side(p, r, at);
            if (insn->op == OP_CAL)
                enter(r, insn->partner, n);
            for (uint32_t i = 0; insn->op == OP_CALI && i < n; i++)
                if (r->label[i])
                    enter(r, i, n);
            at = r->skip[at] ? r->skip[at] - 1 : at;
        } while (++at < n && !r->label[at] && !r->runs[at]);
    }
}

static bool find_what_runs(struct known_indices *k)
{
    size_t n = k->p->insns.count;
    uint8_t *label = gp5_malloc(n + 1);
    struct regions r = {.label = label,
                        .todo = gp5_malloc((n + 1) * sizeof *r.todo),
                        .skip = gp5_malloc((n + 1) * sizeof *r.skip),
                        .runs = k->runs};
    bool ok = label && r.todo && r.skip;

    if (ok) {
        memset(k->runs, 0, n + 1);
        memset(r.skip, 0, (n + 1) * sizeof *r.skip);
        k->entry = eval_labels(k->p, true, label);
        for (k->main_end = k->entry + (k->entry < n); k->main_end < n && !label[k->main_end]; k->main_end++)
            ;
        enter(&r, k->entry, (uint32_t)n);
        follow(k->p, &r);
    }
    gp5_free(label);
    gp5_free(r.todo);
    gp5_free(r.skip);
    return ok;
}

/* ---- what is known ------------------------------------------------------------------------------------------ */

/* Whether component c of a result is a literal integer, and which. */
static bool is_literal(const struct gp5_program *p, const struct insn *insn, unsigned c, uint32_t *value)
{
    const struct operand *o = insn->nsrc ? program_operand(p, insn->src) : NULL;

    if (insn->op != OP_MOV || (insn->type != DT_U32 && insn->type != DT_S32) || insn->flags & (INSN_SAT | INSN_SSAT) ||
        !o || o->kind != OPND_CONSTANT || o->nindices || operand_has_sign(o) ||
        condition_restricts(&insn->dst.condition))
        return false;
    *value = (uint32_t)eval_constant_word(program_constant(p, o->ref), o->swizzle >> 2 * c & 3, insn->type);
    return true;
}

/* `from`: the instruction, or the outermost loop around it. */
static void look_at_write(struct known_indices *k, uint32_t at, bool straight, uint32_t from)
{
    const struct insn *insn = program_insn(k->p, at);
    const struct result *r = &insn->dst;

    for (unsigned c = 0; r->kind == OPND_SYMBOL && c < 4; c++) {
        struct known_index *x = &k->of[4 * (size_t)r->ref + c];
        uint32_t value = 0;
        bool literal;
        if (!(r->mask >> c & 1) && insn->op == OP_MOV)      /* shuffles, loads and atomic operations write others too */
            continue;
        literal = is_literal(k->p, insn, c, &value);
        if (!x->written)
            *x = (struct known_index){
                .written = true, .known = literal && straight, .at = at, .value = value, .until = NO_INDEX};
        else if (!literal || x->value != value)
            x->until = from < x->until ? from : x->until;
    }
}

static void find_known(struct known_indices *k)
{
    uint32_t n = (uint32_t)k->p->insns.count;
    uint32_t depth = 0, loop = 0;
    bool straight = true;

    memset(k->of, 0, (4 * k->p->symbols.count + 1) * sizeof *k->of);
    for (uint32_t i = k->entry; i < n; i++) {
        uint16_t op = program_insn(k->p, i)->op;
        straight &= k->runs[i] && !is_flow(op);
        loop = op == OP_REP && !depth ? i : loop;
        depth += op == OP_REP;
        depth -= op == OP_ENDREP && depth;
        if (k->runs[i])
            look_at_write(k, i, straight, i >= k->main_end ? 0 : depth ? loop : i);
    }
    for (uint32_t i = 0; i < k->entry && i < n; i++)
        if (k->runs[i])
            look_at_write(k, i, false, 0);
}

bool eval_known_indices_new(struct known_indices *k, const struct gp5_program *p)
{
    *k = (struct known_indices){
        .p = p, .runs = gp5_malloc(p->insns.count + 1), .of = gp5_malloc((4 * p->symbols.count + 1) * sizeof *k->of)};
    if (!k->runs || !k->of || !find_what_runs(k))
        return false;
    find_known(k);
    return true;
}

void eval_known_indices_free(struct known_indices *k)
{
    gp5_free(k->runs);
    gp5_free(k->of);
}

bool eval_index_is_known(const struct known_indices *k, const struct index *x, uint32_t at, uint32_t array_size,
                         uint32_t *element)
{
    const struct symbol *s =
        x->mode == INDEX_RELATIVE && x->register_kind == OPND_SYMBOL ? program_symbol(k->p, x->reg) : NULL;
    const struct known_index *of;
    int64_t named;

    if (!s || s->kind != SYM_TEMP || s->array || s->size != SIZE_DEFAULT || x->element.used)
        return false;
    of = &k->of[4 * (size_t)x->reg + x->component];
    named = (int64_t)(int32_t)of->value + x->offset;
    if (!of->known || (at >= k->entry && at < k->main_end ? at > of->until : of->until != NO_INDEX) ||
        (at >= k->entry && at <= of->at) || named < 0 || named >= (int64_t)array_size)
        return false;
    *element = (uint32_t)named;
    return true;
}
