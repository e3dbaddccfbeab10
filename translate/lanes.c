/* What is asked of neighbours: attributes elsewhere in a pixel, votes, ballots and shuffles of a warp, a thread's place
 * in it. A warp is the target's, of as many threads as it has. */
#include "asm/binding_name.h"
#include "translate/translate.h"

#include <string.h>

/* ---- interpolation ---------------------------------------------------------------------------------------------- */

static const char *elsewhere(struct tr *t, const char *input)
{
    static const uint8_t xy[2] = {0, 1};

    switch (t->insn->op) {
    case OP_IPAC:
        return tr_text(t, "interpolateAtCentroid(%s)", input);
    case OP_IPAO:
        return tr_text(t, "interpolateAtOffset(%s, %s)", input, tr_operand(t, 1, T_FLOAT, xy, 2));
    default:
        return tr_text(t, "interpolateAtSample(%s, %s)", input, tr_operand(t, 1, T_INT, xy, 1));
    }
}

/* GLSL takes the input itself. */
static struct tr_base input(struct tr *t, const struct binding *b, uint32_t at, struct span where)
{
    struct tr_base base = {.text = "vec4(0.0)", .count = 4};
    uint16_t kind = b ? asm_canonical_binding(b->kind) : 0;

    if (kind == BIND_FRAGMENT_ATTRIB || kind == BIND_FRAGMENT_TEXCOORD || kind == BIND_FRAGMENT_COLOR_PRIMARY ||
        kind == BIND_FRAGMENT_COLOR_SECONDARY || kind == BIND_FRAGMENT_FOGCOORD)
        base = tr_input(t, b, at, where);
    else
        tr_refuse(t, where, "%s of something else than an interpolated input", op_table[t->insn->op].name);
    base.text = elsewhere(t, base.text);
    return base;
}

const char *tr_interpolated(struct tr *t, const uint8_t *components, unsigned n, enum tr_type *type)
{
    const struct operand *o = program_operand(t->p, t->insn->src);
    const struct symbol *s = o->kind == OPND_SYMBOL ? program_symbol(t->p, o->ref) : NULL;
    const struct index *index = o->nindices ? program_index(t->p, o->index + o->nindices - 1u) : NULL;
    struct tr_base base;
    uint32_t at = 0;

    *type = T_FLOAT;
    if (!tr_has(t, HAS_GPU5))
        tr_refuse(t, t->where, "%s, which %s has not", op_table[t->insn->op].name, t->target->name);
    if (s && s->kind == SYM_ATTRIB && s->array && index && index->mode == INDEX_RELATIVE) {
        const char *chooses = tr_index(t, index, 0), *text = "";
        for (uint32_t e = 0; e < s->elements; e++) {
            const struct binding *b = tr_element(t, s, e, &at);
            base = input(t, b, at, o->span);
            text = e + 1 < s->elements ? tr_text(t, "%s(%s) == %u ? %s : ", text, chooses, e, base.text)
                                       : tr_text(t, "%s%s", text, base.text);
        }
        base.text = tr_text(t, "(%s)", text);
    } else if (s && s->kind == SYM_ATTRIB) {
        const struct binding *b = tr_element(t, s, index && s->array ? (uint32_t)index->offset : 0, &at);
        base = input(t, b, at, o->span);
    } else {
        base = input(t, o->kind == OPND_BINDING ? program_binding(t->p, o->ref) : NULL, 0, o->span);
    }
    return tr_value_of(t, o, &base, T_FLOAT, components, n);
}

/* ---- votes ------------------------------------------------------------------------------------------------------ */

const char *tr_vote(struct tr *t, const uint8_t *components, unsigned n, enum tr_type *type)
{
    const struct insn *insn = t->insn;
    enum tr_type of = tr_operand_type(insn, 0);
    const char *parts[4];
    bool ballot = insn->op == OP_TGBALLOT;

    *type = ballot ? T_UINT : tr_type_of(insn->type);
    if (!tr_has(t, HAS_GPU5))
        tr_refuse(t, t->where, "%s, which %s has not", op_table[insn->op].name, t->target->name);
    t->needed |= ballot ? NEED_BALLOT : NEED_VOTES;
    for (unsigned i = 0; i < n; i++) {
        const char *test = tr_text(t, "%s != %s", tr_operand(t, 0, of, &components[i], 1),
                                   of == T_FLOAT ? "0.0"
                                   : of == T_INT ? "0"
                                                 : "0u");
        if (ballot)
            parts[i] = tr_text(t, "unpackUint2x32(ballotARB(%s)).x", test);
        else
            parts[i] = tr_text(t, "%s%s(%s(%s))", *type == T_FLOAT ? "" : "-", tr_type_name(*type, 1),
                               insn->op == OP_TGALL   ? "allInvocationsARB"
                               : insn->op == OP_TGANY ? "anyInvocationARB"
                                                      : "allInvocationsEqualARB",
                               test);
    }
    return tr_join(t, *type, parts, n);
}

/* ---- shuffles, matches, swizzles of a quad ----------------------------------------------------------------------- */

static const char *value_of(struct tr *t, uint8_t component)
{
    enum tr_type type = tr_operand_type(t->insn, 0);

    return tr_cast(t, tr_operand(t, 0, type, &component, 1), type, T_UINT, 1);
}

/* x: whether there is such a lane; y: its value. */
static const char *shuffle(struct tr *t, enum tr_type type)
{
    static const uint8_t x = 0;
    unsigned way = t->insn->op == OP_SHFUP ? 0 : t->insn->op == OP_SHFDOWN ? 1 : t->insn->op == OP_SHFIDX ? 2 : 3;

    t->needed |= NEED_SHUFFLE;
    return tr_text(t, "gp5_shuffle(%uu, %s, %s, %s, %s)", way, value_of(t, 0), tr_operand(t, 1, T_UINT, &x, 1),
                   tr_operand(t, 2, T_UINT, &x, 1), type == T_FLOAT ? "0x3f800000u" : "0xffffffffu");
}

static const char *match(struct tr *t)
{
    static const uint8_t x = 0;
    enum tr_type type = tr_operand_type(t->insn, 0);
    const char *value;

    if (type >= T_DOUBLE)
        value = tr_text(t, "unpackUint2x32(%s)",
                        tr_cast(t, tr_operand(t, 0, type, &x, 1), type, T_UINT64, 1));
    else
        value = tr_text(t, "uvec2(%s, 0u)", value_of(t, 0));
    t->needed |= NEED_MATCH;
    return tr_text(t, "gp5_match(%s, %s)", value, program_has_modifier(t->p, t->insn, MOD_ALL) ? "true" : "false");
}

/* Which bits of a lane's number are dropped, and which are turned. Without flow all lanes of a quad are here, also
 * helpers, of which ballots may not tell. */
static const char *quad(struct tr *t)
{
    static const uint8_t all[4] = {0, 1, 2, 3};
    unsigned op = t->insn->op, turned = op == OP_QSWZX ? 1 : op == OP_QSWZY ? 2 : op - OP_QSWZ0;

    t->needed |= NEED_QUAD;
    return tr_text(t, "gp5_quad(%s, %s, %uu, %uu, %s)", tr_operand(t, 0, T_FLOAT, all, 4),
                   tr_operand(t, 1, T_FLOAT, all, 4), op == OP_QSWZX || op == OP_QSWZY ? 0 : 3, turned,
                   t->flows ? "false" : "true");
}

const char *tr_exchanged(struct tr *t, const uint8_t *components, unsigned n, enum tr_type *type)
{
    unsigned op = t->insn->op;
    enum tr_type from = op_is(op, K_QUAD) ? T_FLOAT : T_UINT;
    char letters[5];

    *type = tr_result_type(t->insn);
    if (!tr_has(t, HAS_GPU5)) {
        tr_refuse(t, t->where, "%s, which %s has not", op_table[op].name, t->target->name);
        return "0";
    }
    t->needed |= NEED_BALLOT;
    const char *text = op_is(op, K_QUAD) ? quad(t) : op_is(op, K_MATCH) ? match(t) : shuffle(t, *type);
    if (n < 4)
        text = tr_text(t, "%s.%s", text, tr_letters(components, n, letters));
    return tr_cast(t, text, from, *type, n);
}

/* ---- a thread's place ------------------------------------------------------------------------------------------- */

static const struct {
    const char *word, *text;
} threads[] = {{"threadid", "gl_SubGroupInvocationARB"},
               {"threadeqmask", "unpackUint2x32(gl_SubGroupEqMaskARB).x"},
               {"threadltmask", "unpackUint2x32(gl_SubGroupLtMaskARB).x"},
               {"threadlemask", "unpackUint2x32(gl_SubGroupLeMaskARB).x"},
               {"threadgtmask", "unpackUint2x32(gl_SubGroupGtMaskARB).x"},
               {"threadgemask", "unpackUint2x32(gl_SubGroupGeMaskARB).x"},
               {"thread.warpsize", "gl_SubGroupSizeARB"},
               {"clocklo", "clock2x32ARB().x"},
               {"clockhi", "clock2x32ARB().y"}};

bool tr_thread(struct tr *t, uint16_t kind, struct tr_base *base)
{
    const char *words = binding_table[kind].words, *dot = strchr(words, '.');

    for (size_t i = 0; dot && tr_has(t, HAS_GPU5) && i < sizeof threads / sizeof *threads; i++)
        if (!strcmp(dot + 1, threads[i].word)) {
            t->needed |= words[strlen(words) - 7] == 'c' ? NEED_CLOCK : NEED_BALLOT;
            *base = (struct tr_base){.text = threads[i].text, .type = T_UINT, .count = 1};
            return true;
        }
    return false;
}
