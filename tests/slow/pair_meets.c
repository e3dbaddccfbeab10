/* Which values meet others where ways come together, and are wanted there: no pair is made with them from block to block (docs/numbers.md, "Pairs and
 * single instructions"). Each write has a number, and each meeting of a variable where a place begins. */
#include "tests/slow/joined.h"

#include <stdlib.h>
#include <string.h>

enum { NOWHERE = UINT32_MAX };

struct meet {
    const struct joiner *j;
    uint32_t n, vars;
    uint32_t *states;           /* of each place and variable: the number of what it holds; 0: it was there before */
    bool *reached, *met;        /* of each place; of each number */
    bool *called, *late, *spoilt;       /* of each variable: a subroutine writes it, behind its first block; and such a call does, and it is wanted */
    uint32_t *head;             /* of each place: the REP whose rounds begin there, or NO_INDEX */
};

static const struct slow_place *place_of(const struct meet *m, uint32_t place)
{
    return &m->j->plan->place[place];
}

static uint32_t meeting(const struct meet *m, uint32_t place, uint32_t v)
{
    return 1 + 4 * m->n + place * m->vars + v;
}

static bool in_subroutine(const struct meet *m, uint32_t place)
{
    return place < m->j->reach.entry || place >= m->j->reach.main_end;
}

static bool wanted(const struct meet *m, uint32_t place, uint32_t v)
{
    return slow_in_set(m->j->reach.live + (size_t)place * m->j->reach.words, v);
}

static bool is_call(const struct meet *m, uint32_t place)
{
    const struct insn *insn = slow_insn_at(m->j, place);
    return (insn->op == OP_CAL || insn->op == OP_CALI) && !place_of(m, place)->straight;
}

/* The variable that a place writes with component c. */
static uint32_t written(const struct meet *m, uint32_t place, unsigned c)
{
    const struct insn *insn = slow_insn_at(m->j, place);
    if (insn->dst.kind == OPND_NONE || !(slow_written(m->j->p, insn) & ~(unsigned)place_of(m, place)->fails & 1u << c))
        return NO_INDEX;
    return slow_variable(m->j->p, insn->dst.kind, insn->dst.ref, insn->dst.nindices != 0, c);
}

static bool may_write(const struct meet *m, uint32_t place, uint32_t v)
{
    for (unsigned c = 0; c < 4; c++)
        if (written(m, place, c) == v)
            return true;
    return is_call(m, place) && m->called[v] && slow_call_writes(m->j->p, slow_insn_at(m->j, place), v, 0);
}

static void look_at_subroutines(struct meet *m)
{
    bool late = false;
    for (uint32_t i = 0; i < m->n; i++) {
        late = slow_ends_block(slow_insn_at(m->j, i)) || (!slow_begins_part(m->j->p, m->j->plan, i) && (late || m->j->reach.leads[i]));
        for (unsigned c = 0; in_subroutine(m, i) && c < 4; c++) {
            uint32_t v = written(m, i, c);
            if (v == NO_INDEX)
                continue;
            m->called[v] = true;
            m->late[v] |= late;
        }
    }
}

static void find_heads(struct meet *m)
{
    for (uint32_t i = 0; i < m->n; i++)
        m->head[i] = NO_INDEX;
    for (uint32_t i = 0; i + 1 < m->n; i++) {
        const struct slow_place *rep = place_of(m, i);
        if (slow_insn_at(m->j, i)->op != OP_REP || rep->straight)
            continue;
        m->head[i + 1] = i;
        for (unsigned k = 0; rep->phased && k < SLOW_PHASES; k++)
            if (rep->phase[k] < m->n)
                m->head[rep->phase[k]] = i;
    }
}

static bool loop_writes(const struct meet *m, uint32_t rep, uint32_t v)
{
    for (uint32_t i = rep; i < m->n && i < place_of(m, rep)->to; i++)
        if (may_write(m, i, v))
            return true;
    return false;
}

static void go_to(struct meet *m, uint32_t from, uint32_t to, const uint32_t *state)
{
    uint32_t *into = m->states + (size_t)to * m->vars;
    bool back = to <= from, first = !back && !m->reached[to];
    for (uint32_t v = 0; v < m->vars; v++) {
        if (first || into[v] == state[v]) {
            into[v] = first ? state[v] : into[v];
            continue;
        }
        if (wanted(m, to, v))
            m->met[state[v]] = true;
        if (back || into[v] == meeting(m, to, v))
            continue;
        if (wanted(m, to, v))
            m->met[into[v]] = true;
        into[v] = meeting(m, to, v);
    }
    m->reached[to] = true;
}

static bool copies_itself(const struct meet *m, uint32_t place, unsigned c, uint32_t v)
{
    const struct insn *insn = slow_insn_at(m->j, place);
    const struct operand *o = program_operand(m->j->p->text, insn->src);
    return slow_own_copy(m->j, place, c) == 0 && insn->op == OP_MOV && !operand_has_sign(o) && slow_operand_variable(m->j, o, c) == v;
}

static void pass_over(struct meet *m, uint32_t place, uint32_t *state)
{
    const struct insn *insn = slow_insn_at(m->j, place);
    for (unsigned c = 0; c < 4; c++) {
        uint32_t v = written(m, place, c);
        if (v != NO_INDEX && !copies_itself(m, place, c, v))
            state[v] = 1 + 4 * place + c;
    }
    unsigned outcome = place_of(m, place)->outcome;
    for (uint32_t v = 0; is_call(m, place) && outcome != TEST_FAILS && v < m->vars; v++)
        if (state[v] && m->called[v] && slow_call_writes(m->j->p, insn, v, 0)) {
            if (place + 1 < m->n && wanted(m, place + 1, v)) {
                m->spoilt[v] |= m->late[v];
                m->met[state[v]] |= m->late[v] || (condition_restricts(&insn->condition) && outcome != TEST_PASSES);
            }
            state[v] = meeting(m, place, v);
        }
}

static void go_through(struct meet *m, uint32_t place, uint32_t *state)
{
    uint32_t *here = m->states + (size_t)place * m->vars, to[8];
    unsigned count = slow_successors(m->j->p, m->j->plan, place, to);
    bool runs = slow_has_first_round(m->j->p, place_of(m, place), slow_insn_at(m->j, place));
    for (uint32_t v = 0; m->head[place] != NO_INDEX && v < m->vars; v++)
        if (here[v] && loop_writes(m, m->head[place], v)) {
            m->met[here[v]] |= wanted(m, place, v);
            here[v] = meeting(m, place, v);
        }
    memcpy(state, here, m->vars * sizeof *state);
    pass_over(m, place, state);
    for (unsigned k = 0; k < count; k++)
        if (to[k] < m->n && !slow_begins_part(m->j->p, m->j->plan, to[k]) && (to[k] == place + 1 || !runs))
            go_to(m, place, to[k], state);
}

/* What made an operand, over copies in the block that a place stands in: NOWHERE where it is of that block, or no variable. */
static uint32_t made_before(const struct meet *m, uint32_t place, const struct operand *o, unsigned c, uint32_t *var)
{
    uint32_t v = slow_operand_variable(m->j, o, c), begin = place;
    while (!m->j->reach.leads[begin])
        begin--;
    while (v != NO_INDEX && place-- > begin) {
        const struct insn *insn = slow_insn_at(m->j, place);
        for (unsigned k = 0; k < 4; k++) {
            int from;
            if (written(m, place, k) != v || copies_itself(m, place, k, v))
                continue;
            from = slow_own_copy(m->j, place, k);
            if (from < 0)
                return NOWHERE;
            v = slow_operand_variable(m->j, program_operand(m->j->p->text, insn->src + (unsigned)from), k);
            break;
        }
    }
    *var = v;
    return v == NO_INDEX ? NOWHERE : m->states[(size_t)begin * m->vars + v];
}

/* What PK2US made in another block of what is not above 0 is no known 0 to a division where it meets others. */
static void forget_packed(const struct meet *m, uint32_t place)
{
    const struct insn *insn = slow_insn_at(m->j, place);
    struct slow_place *s = &m->j->plan->place[place];
    for (unsigned c = 0; slow_divides_by_known(m->j, place) && c < 4; c++) {
        uint32_t v = slow_operand_variable(m->j, program_operand(m->j->p->text, insn->src + 1), c), at = place, id;
        bool here = false;
        if (!(s->chosen[0] >> c & 1) || v == NO_INDEX)
            continue;
        while (!m->j->reach.leads[at])
            for (unsigned k = (at--, 0); k < 4; k++)
                here |= written(m, at, k) == v && !copies_itself(m, at, k, v);
        id = m->states[(size_t)at * m->vars + v];
        if (here || !id || id > 4 * m->n || !m->met[id])
            continue;
        if (place_of(m, (id - 1) / 4)->packed)
            s->chosen[0] &= (uint8_t)~(1u << c);
    }
}

static void settle(const struct meet *m, struct slow_meets *out)
{
    for (uint32_t i = 0; i < m->n; i++)
        forget_packed(m, i);
    for (uint32_t i = 0; i < m->n; i++)
        for (unsigned c = 0; c < 4; c++) {
            const struct operand *o = slow_pair_source(m->j, i, c);
            uint32_t v, id = o && (c == 0 || (slow_insn_at(m->j, i)->op == OP_MIN && slow_insn_at(m->j, i)->dst.mask >> c & 1)) ? made_before(m, i, o, c, &v) : NOWHERE;
            out->result[i] |= (uint8_t)(m->met[1 + 4 * i + c] << c);
            if (id != NOWHERE && (m->met[id] || m->spoilt[v] || (!id && in_subroutine(m, i))))
                out->source[i] |= (uint8_t)(1u << c);
        }
}

int slow_own_copy(const struct joiner *j, uint32_t place, unsigned c)
{
    const struct insn *insn = slow_insn_at(j, place);
    const struct symbol *s = insn->dst.kind == OPND_SYMBOL ? program_symbol(j->p->text, insn->dst.ref) : NULL;
    bool flip;
    if (!s || s->size != SIZE_DEFAULT || condition_restricts(&insn->dst.condition) || insn->flags & (INSN_SAT | INSN_SSAT | INSN_HALF) || slow_bytes(insn->type) != 4)
        return -1;
    switch (insn->op) {
    case OP_MOV: case OP_ABS: return 0;
    case OP_MUL: return insn->type == DT_F32 ? slow_copied_factor(j->p, &j->plan->place[place], insn, c, &flip) : -1;
    default: return -1;
    }
}

bool slow_find_meets(const struct joiner *j, struct slow_meets *out)
{
    struct meet m = {.j = j, .n = j->plan->count, .vars = j->reach.nvars};
    size_t all = (size_t)(m.n + 1) * m.vars;
    uint32_t *state = malloc(m.vars * sizeof *state);
    bool ok;
    m.states = calloc(all, sizeof *m.states);
    m.reached = calloc(m.n + 1, sizeof *m.reached);
    m.met = calloc(all + 4 * (size_t)m.n + 8, sizeof *m.met);
    m.called = calloc(3 * (size_t)m.vars, sizeof *m.called);
    m.head = calloc(m.n + 1, sizeof *m.head);
    out->result = calloc(m.n + 1, 1);
    out->source = calloc(m.n + 1, 1);
    ok = state && m.states && m.reached && m.met && m.called && m.head && out->result && out->source;
    if (ok) {
        m.late = m.called + m.vars;
        m.spoilt = m.late + m.vars;
        look_at_subroutines(&m);
        find_heads(&m);
        for (uint32_t i = 0; i < m.n; i++)
            m.reached[i] = i == 0 || i == j->reach.entry || slow_begins_part(j->p, j->plan, i);
        for (uint32_t i = 0; i < m.n; i++)
            if (m.reached[i])
                go_through(&m, i, state);
        m.met[0] = false;
        settle(&m, out);
    }
    free(state);
    free(m.states);
    free(m.reached);
    free(m.met);
    free(m.called);
    free(m.head);
    return ok;
}
