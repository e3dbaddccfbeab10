/* Who reads what a component of a LONG variable holds from one instruction of a block on: found once for all, backwards over the blocks (order_alike.c asks). */
#include "eval/live_blocks.h"
#include "eval/order.h"

#include <string.h>

static const uint32_t nobody = 0, behind_block = UINT32_MAX;

/* What is known so far of a variable's component in the block at hand. */
struct life {
    struct readers_of_value now;
    uint32_t block;             /* 1 more than that, or 0 */
};

struct backwards {
    struct walk *w;
    struct life *lives;
    struct shared_bits out;     /* wanted behind the last of these blocks */
    uint32_t block, last;
};

static uint32_t slot_of_operand(const struct walk *w, const struct operand *o)
{
    return eval_order_slot(w, o->kind, o->ref, o->nindices != 0, 0);
}

static struct life *life_of(struct backwards *b, uint32_t slot)
{
    struct life *life = &b->lives[slot];
    uint32_t end = shared_bits_has(&b->out, slot) ? behind_block : nobody;

    if (life->block != b->last + 1)
        *life = (struct life){{behind_block, end, end}, b->last + 1};
    return life;
}

/* Whether an instruction acts on memory, so that what stands before it and what stands behind it are computed apart. */
static bool parts(const struct walk *w, uint32_t i)
{
    const struct insn *insn = program_insn(w->d->p, i);
    bool loads = (insn->op == OP_LDB || insn->op == OP_LDS || insn->op == OP_LOAD) && eval_order_settled(w, i);

    return loads || (w->live->useful[i] & LIVE_EFFECT && insn->op != OP_BAR && !op_flows(insn->op));
}

/* Whether an instruction needs what it reads where it stands: memory takes it, or it goes on as it is. */
static bool needs_here(const struct walk *w, uint32_t i)
{
    const struct insn *insn = program_insn(w->d->p, i);
    bool called = type_table[insn->type].bytes == 8 && (insn->op == OP_RCP || insn->op == OP_RSQ || insn->op == OP_DIV || insn->op == OP_MOD);

    return called || insn->op == OP_MOV || insn->op == OP_UP64 || w->live->useful[i] & LIVE_EFFECT;
}

/* The components of a variable that instruction i reads by operand k. */
static uint8_t reads_of(const struct walk *w, uint32_t i, unsigned k)
{
    const struct insn *insn = program_insn(w->d->p, i);
    const struct operand *o = program_operand(w->d->p, insn->src + k);
    uint8_t useful = eval_order_settled(w, i) & (uint8_t)~eval_known_numbers(w->d, i), of = useful ? eval_operand_reads(insn, k, useful) : 0, mask = 0;

    for (unsigned c = 0; c < 4; c++)
        mask |= (uint8_t)((of >> c & 1u) << (o->swizzle >> 2 * c & 3));
    return mask;
}

static void note_reads(struct backwards *b, uint32_t i)
{
    const struct insn *insn = program_insn(b->w->d->p, i);

    for (unsigned k = 0; k < insn->nsrc; k++) {
        uint32_t slot = slot_of_operand(b->w, program_operand(b->w->d->p, insn->src + k));
        uint8_t mask = slot == NO_INDEX ? 0 : reads_of(b->w, i, k);
        for (unsigned c = 0; c < 4; c++)
            if (mask >> c & 1) {
                struct readers_of_value *r = &life_of(b, slot + c)->now;
                r->first = i;
                r->last = r->last == nobody ? i : r->last;
                r->here = r->here == nobody && needs_here(b->w, i) ? i : r->here;
            }
    }
}

/* Whether no test keeps back what an instruction writes. */
static bool is_sure(const struct walk *w, uint32_t i)
{
    const struct insn *insn = program_insn(w->d->p, i);

    return eval_tests_nothing(w->d->p, insn) || !condition_restricts(&insn->dst.condition);
}

/* What reads behind the instruction is noted for what it writes; before a write that stands for certain nobody reads any more. */
static void note_writes(struct backwards *b, uint32_t i)
{
    const struct insn *insn = program_insn(b->w->d->p, i);
    const struct result *r = &insn->dst;
    uint32_t slot = eval_order_slot(b->w, r->kind, r->ref, r->nindices != 0, 0);
    bool sure = is_sure(b->w, i);

    for (unsigned c = 0; slot != NO_INDEX && c < 4; c++) {
        struct life *life = life_of(b, slot + c);
        b->w->readers[4 * i + c] = life->now;
        if (sure && eval_written(b->w->live, insn) >> c & 1)
            life->now = (struct readers_of_value){behind_block, nobody, nobody};
    }
}

/* A block, and those behind it that memory alone parts from it, are one. */
static void follow_back(struct backwards *b)
{
    const struct liveness *l = b->w->live;
    uint32_t block = b->block;

    if (block + 1 == l->nblocks || eval_flow_begins(l, block + 1)) {
        shared_bits_free(&b->out);
        b->out = eval_live_out(l, block);
        b->w->failed |= b->out.failed;
        b->last = block;
    }
    for (uint32_t i = l->start[block + 1]; i-- > l->start[block];) {
        note_writes(b, i);
        note_reads(b, i);
    }
}

bool eval_order_find_readers(struct walk *w)
{
    uint32_t n = (uint32_t)w->d->p->insns.count;
    struct backwards b = {.w = w, .lives = gp5_malloc((w->live->nvars + 1u) * sizeof *b.lives)};

    w->readers = gp5_malloc((4 * (size_t)n + 1) * sizeof *w->readers);
    w->next_part = gp5_malloc((n + 1u) * sizeof *w->next_part);
    if (!b.lives || !w->readers || !w->next_part) {
        gp5_free(b.lives);
        return false;
    }
    memset(b.lives, 0, (w->live->nvars + 1u) * sizeof *b.lives);
    w->next_part[n] = n;
    for (uint32_t i = n; i--;)
        w->next_part[i] = parts(w, i) ? i : w->next_part[i + 1];
    b.out = shared_bits_none(w->live->nvars);
    for (b.block = w->live->nblocks; b.block--;)
        follow_back(&b);
    w->failed |= b.out.failed;
    shared_bits_free(&b.out);
    gp5_free(b.lives);
    return true;
}

bool eval_order_are_apart(const struct walk *w, uint32_t from, uint32_t to)
{
    return w->next_part[from + 1] < to;
}

static bool writes(const struct walk *w, uint32_t i, uint32_t slot)
{
    const struct insn *insn = program_insn(w->d->p, i);

    return eval_order_slot(w, insn->dst.kind, insn->dst.ref, insn->dst.nindices != 0, 0) == (slot & ~3u) && eval_written(w->live, insn) >> slot % 4 & 1;
}

static bool reads(const struct walk *w, uint32_t i, uint32_t slot)
{
    const struct insn *insn = program_insn(w->d->p, i);
    bool any = false;

    for (unsigned k = 0; k < insn->nsrc; k++)
        any |= slot_of_operand(w, program_operand(w->d->p, insn->src + k)) == (slot & ~3u) && reads_of(w, i, k) >> slot % 4 & 1;
    return any;
}

bool eval_order_reads_first(const struct walk *w, uint32_t from, uint32_t to, uint32_t slot)
{
    uint32_t depth = 0;

    for (uint32_t i = from; i < to; i++) {
        const struct insn *insn = program_insn(w->d->p, i);
        bool plain = eval_form(w->d, i) == FORM_PLAIN;
        depth += plain && (insn->op == OP_IF || insn->op == OP_REP);
        depth -= plain && (insn->op == OP_ENDIF || insn->op == OP_ENDREP);
        if (reads(w, i, slot) || (w->live->useful[i] && writes(w, i, slot) && !is_sure(w, i)))
            return true;
        if (writes(w, i, slot) && !depth)
            return false;
    }
    return false;
}

/* The same up to an instruction that writes the component itself: what reads it by then. */
static struct readers readers_by(const struct walk *w, uint32_t from, uint32_t i, uint32_t slot)
{
    struct readers r = {false, false, false, false};

    for (uint32_t j = from + 1; j <= i; j++) {
        bool any = reads(w, j, slot);
        r.before |= any && j < i;
        r.needs |= any && (needs_here(w, j) || eval_order_are_apart(w, from, j));
        if (writes(w, j, slot) && is_sure(w, j))
            break;
    }
    return r;
}

struct readers eval_order_readers(const struct walk *w, uint32_t i, uint32_t at)
{
    const struct result *r = &program_insn(w->d->p, at / 4)->dst;
    uint32_t slot = eval_order_slot(w, r->kind, r->ref, r->nindices != 0, at % 4), from = at / 4, needed;
    const struct readers_of_value *v = &w->readers[at];

    if (slot == NO_INDEX || w->block_of[from] != w->block)
        return (struct readers){false, false, false, false};
    if (from < i && writes(w, i, slot))
        return readers_by(w, from, i, slot);
    needed = v->last > w->next_part[from + 1] ? v->last : v->here;
    return (struct readers){v->first < i, v->last > i, needed != nobody, needed > i};
}
