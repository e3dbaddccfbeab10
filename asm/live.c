/* Liveness (asm/live.h): backwards over the instructions until nothing changes. Sets are kept where a jump leads, and
 * nowhere else; a branch adds the set of its target to what runs along. */
#include "asm/access.h"
#include "asm/live.h"

#include <string.h>

enum { MOST_WORDS = 1 << 23, MOST_ROUNDS = 64 };

/* Two targets that are no instruction: behind any call, and any label. */
enum { RETURN_SET, LABEL_SET, FIRST_SET };

struct live {
    const struct gp5_program *program;
    uint32_t *set_of;           /* an instruction: its set, or NO_INDEX; one more for the end of the program */
    uint32_t *bit_of;           /* a symbol: its first bit, or NO_INDEX */
    uint64_t *sets, *now;       /* `words` each */
    size_t nsets, words;
    bool changed;
    uint32_t most, most_at;
};

static const struct insn *at(const struct live *l, uint32_t i)
{
    return program_insn(l->program, i);
}

static bool is_loop(const struct insn *insn)
{
    return op_table[insn->op].shape == SHAPE_REP;
}

/* ---- where jumps lead -------------------------------------------------------------------------------------------- */

/* The instruction that a branch may go to besides the next; NO_INDEX if there is none. */
static uint32_t target_of(const struct live *l, uint32_t i)
{
    const struct insn *insn = at(l, i);
    uint32_t to = insn->dst.partner;
    if (to == NO_INDEX)
        return NO_INDEX;
    switch (insn->op) {
    case OP_IF: return at(l, to)->op == OP_ELSE ? to + 1 : to;
    case OP_ELSE: return to;
    case OP_BRK: return to + 1;
    case OP_CONT: return to;
    case OP_CAL: case OP_BRA: return to;
    case OP_ENDREP: case OP_ENDLOOP: return to + 1;
    default: return is_loop(insn) && insn->nsrc ? to + 1 : NO_INDEX;
    }
}

static bool falls_through(const struct insn *insn)
{
    return insn->op != OP_ELSE && (!op_has(insn->op, A_JUMPS) || condition_restricts(&insn->condition));
}

static void add_set(struct live *l, uint32_t insn)
{
    if (insn <= l->program->insns.count && l->set_of[insn] == NO_INDEX)
        l->set_of[insn] = (uint32_t)l->nsets++;
}

/* ---- sets -------------------------------------------------------------------------------------------------------- */

static uint64_t *set(const struct live *l, uint32_t n)
{
    return l->sets + n * l->words;
}

static void join(const struct live *l, uint64_t *to, const uint64_t *from)
{
    for (size_t i = 0; i < l->words; i++)
        to[i] |= from[i];
}

static void keep(struct live *l, uint32_t n)
{
    uint64_t *kept = set(l, n);
    for (size_t i = 0; i < l->words; i++) {
        uint64_t both = kept[i] | l->now[i];
        l->changed |= both != kept[i];
        kept[i] = both;
    }
}

static void change(const struct live *l, const struct access *access, bool alive)
{
    uint32_t bit = l->bit_of[access->symbol];
    if (bit == NO_INDEX)
        return;
    uint64_t bits = (uint64_t)access->mask << bit % 64;     /* four bits never cross a word */
    if (alive)
        l->now[bit / 64] |= bits;
    else
        l->now[bit / 64] &= ~bits;
}

static uint32_t count(const struct live *l)
{
    uint32_t n = 0;
    for (size_t i = 0; i < l->words; i++)
        n += (uint32_t)__builtin_popcountll(l->now[i]);
    return n;
}

/* ---- backwards --------------------------------------------------------------------------------------------------- */

static void leave(struct live *l, uint32_t i)
{
    const struct insn *insn = at(l, i);
    uint32_t target = target_of(l, i);
    if (!falls_through(insn))
        memset(l->now, 0, l->words * sizeof *l->now);
    if (target <= l->program->insns.count)
        join(l, l->now, set(l, l->set_of[target]));
    if (insn->op == OP_RET)
        join(l, l->now, set(l, RETURN_SET));
    if (insn->op == OP_CALI)
        join(l, l->now, set(l, LABEL_SET));
}

static void step(struct live *l, uint32_t i)
{
    const struct insn *insn = at(l, i);
    struct access reads[MOST_READS], write;
    bool always;
    if (op_calls(insn->op))
        keep(l, RETURN_SET);
    leave(l, i);
    if (asm_writes(l->program, insn, &write, &always) && always)
        change(l, &write, false);
    unsigned nreads = asm_reads(l->program, insn, reads);
    for (unsigned r = 0; r < nreads; r++)
        change(l, &reads[r], true);
    if (l->set_of[i] != NO_INDEX)
        keep(l, l->set_of[i]);
    uint32_t alive = count(l);
    if (alive >= l->most) {
        l->most = alive;
        l->most_at = i;
    }
}

static void keep_labels(struct live *l)
{
    for (uint32_t i = 0; i < l->program->symbols.count; i++) {
        const struct symbol *s = program_symbol(l->program, i);
        if (s->kind == SYM_LABEL && s->defined && s->instruction < l->program->insns.count)
            join(l, set(l, LABEL_SET), set(l, l->set_of[s->instruction]));
    }
}

static void settle(struct live *l)
{
    for (unsigned round = 0; round < MOST_ROUNDS && (round == 0 || l->changed); round++) {
        l->changed = false;
        l->most = 0;
        memset(l->now, 0, l->words * sizeof *l->now);
        for (uint32_t i = (uint32_t)l->program->insns.count; i-- > 0;)
            step(l, i);
        keep_labels(l);
    }
}

/* ---- room -------------------------------------------------------------------------------------------------------- */

static size_t number_bits(struct live *l)
{
    size_t bits = 0;
    for (uint32_t i = 0; i < l->program->symbols.count; i++) {
        const struct symbol *s = program_symbol(l->program, i);
        bool counts = s->kind == SYM_TEMP && !s->array;
        l->bit_of[i] = counts ? (uint32_t)bits : NO_INDEX;
        bits += counts ? 4 : 0;
    }
    return bits;
}

static void number_sets(struct live *l)
{
    uint32_t n = (uint32_t)l->program->insns.count;
    for (uint32_t i = 0; i <= n; i++)
        l->set_of[i] = NO_INDEX;
    l->nsets = FIRST_SET;
    for (uint32_t i = 0; i < n; i++)
        add_set(l, target_of(l, i));
    for (uint32_t i = 0; i < l->program->symbols.count; i++) {
        const struct symbol *s = program_symbol(l->program, i);
        if (s->kind == SYM_LABEL && s->defined)
            add_set(l, s->instruction);
    }
}

enum live_status asm_live(const struct gp5_program *program, uint32_t *components, uint32_t *insn)
{
    struct live l = {.program = program};
    enum live_status status = LIVE_NO_MEMORY;
    l.set_of = gp5_malloc((program->insns.count + 1) * sizeof *l.set_of);
    l.bit_of = gp5_malloc((program->symbols.count + 1) * sizeof *l.bit_of);
    if (l.set_of && l.bit_of) {
        l.words = (number_bits(&l) + 63) / 64 + 1;
        number_sets(&l);
        size_t words = (l.nsets + 1) * l.words, work = program->insns.count * l.words;
        status = words > MOST_WORDS || work > (size_t)MOST_WORDS * 8 ? LIVE_TOO_LARGE : LIVE_NO_MEMORY;
        l.sets = status == LIVE_TOO_LARGE ? NULL : gp5_malloc(words * sizeof *l.sets);
        if (l.sets) {
            memset(l.sets, 0, words * sizeof *l.sets);
            l.now = l.sets + l.nsets * l.words;
            settle(&l);
            *components = l.most;
            *insn = l.most_at;
            status = l.changed ? LIVE_TOO_LARGE : LIVE_COUNTED;
        }
    }
    gp5_free(l.set_of);
    gp5_free(l.bit_of);
    gp5_free(l.sets);
    return status;
}
