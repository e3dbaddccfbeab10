/* Counting (asm/stats.h). */
#include "asm/access.h"
#include "asm/live.h"
#include "asm/stats.h"

#include <stdlib.h>
#include <string.h>

const struct metric_info metric_table[METRIC_COUNT] = {
#define METRIC(id, group, key, text) [METRIC_##id] = {group, key, text},
#include "asm/stats.def"
#undef METRIC
};

/* ---- classes ----------------------------------------------------------------------------------------------------- */

static bool takes(const struct op_info *op, unsigned class)
{
    const struct shape_info *shape = &shape_table[op->shape];
    for (unsigned i = 0; i < shape->nsrc; i++)
        if (shape->src[i] == class)
            return true;
    return false;
}

/* METRIC_MOVES ... METRIC_OTHERS. */
static enum metric class_of(unsigned op)
{
    switch (op_table[op].kind) {
    case K_MOVE: case K_ADDRESS: return METRIC_MOVES;
    case K_FUNCTION: return METRIC_FUNCTIONS;
    case K_COMPARISON: return METRIC_COMPARISONS;
    case K_LOGIC: return METRIC_LOGIC;
    case K_FLOW: case K_KILL: case K_DEMOTE: return METRIC_FLOW;
    case K_LOAD: case K_STORE: case K_ATOMIC: case K_COUNTER: return METRIC_MEMORY;
    case K_FENCE: case K_BARRIER: return METRIC_BARRIERS;
    case K_VOTE: case K_MATCH: case K_SHUFFLE: case K_QUAD: return METRIC_WARP;
    case K_SAMPLE: case K_GATHER: case K_FETCH: case K_QUERY: return METRIC_TEXTURES;
    case K_IMAGE_LOAD: case K_IMAGE_STORE: case K_IMAGE_ATOMIC: case K_IMAGE_QUERY: return METRIC_IMAGES;
    case K_INTERPOLATION: case K_DERIVATIVE: return METRIC_DERIVATIVES;
    case K_EMIT: return METRIC_OTHERS;
    case K_SUBGROUP: return op_table[op].shape == SHAPE_NONE ? METRIC_BARRIERS : METRIC_WARP;
    default: return METRIC_ARITHMETIC;
    }
}

/* ---- different things of a kind ---------------------------------------------------------------------------------- */

/* What is counted once however often it is named: 64-bit keys, sorted in the end. */
struct keys {
    struct vec list;            /* uint64_t */
    bool failed;
};

static void add_key(struct keys *keys, uint64_t key)
{
    size_t at = vec_grow(&keys->list);
    if (at == SIZE_MAX)
        keys->failed = true;
    else
        *(uint64_t *)vec_at(&keys->list, at) = key;
}

static int compare_keys(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

/* Key: binding and indices. A range stands for each of what it covers, up to a thousand: no driver has more. */
static void add_binding(struct keys *keys, const struct binding *b)
{
    enum { MOST_COVERED = 1024 };
    unsigned last = b->nindices ? b->nindices - 1u : 0;
    uint32_t from = b->nindices ? b->first[last] : 0, to = b->nindices && b->range[last] ? b->last[last] : from;
    uint64_t outer = b->nindices > 1 ? b->first[0] : 0;
    for (uint32_t i = from, n = 0; i <= to && n < MOST_COVERED; i++, n++)
        add_key(keys, (uint64_t)b->kind << 48 | (outer & 0xffff) << 32 | i);
}

static void count_bindings(const struct gp5_program *program, struct keys *keys, struct stats *s)
{
    for (uint32_t i = 0; i < program->bindings.count; i++) {
        const struct binding *b = program_binding(program, i);
        unsigned class = binding_table[b->kind].class;
        if (b->kind != BIND_CONSTANT && (class == BC_ATTRIB || class == BC_PARAM || class == BC_RESULT))
            add_binding(keys, b);
    }
    uint64_t *list = keys->list.data;
    if (keys->list.count)
        qsort(list, keys->list.count, sizeof *list, compare_keys);
    for (size_t i = 0; i < keys->list.count; i++) {
        if (i > 0 && list[i] == list[i - 1])
            continue;
        unsigned class = binding_table[list[i] >> 48].class;
        s->value[class == BC_ATTRIB ? METRIC_ATTRIBUTES : class == BC_PARAM ? METRIC_PARAMETERS : METRIC_RESULTS]++;
    }
}

/* ---- variables --------------------------------------------------------------------------------------------------- */

static void count_symbols(const struct gp5_program *program, struct stats *s)
{
    for (uint32_t i = 0; i < program->symbols.count; i++) {
        const struct symbol *symbol = program_symbol(program, i);
        switch ((enum symbol_kind)symbol->kind) {
        case SYM_TEMP:
            s->value[METRIC_TEMPORARIES]++;
            s->value[METRIC_TEMPORARIES_USED] += symbol->uses || symbol->written;
            s->value[METRIC_ARRAY_ELEMENTS] += symbol->array ? symbol->array_size : 0;
            break;
        case SYM_ADDRESS:
            s->value[METRIC_ADDRESSES]++;
            break;
        case SYM_LABEL:
            s->value[METRIC_LABELS] += symbol->defined;
            break;
        default:
            break;
        }
    }
}

/* ---- instructions ------------------------------------------------------------------------------------------------ */

static void count_type(const struct insn *insn, struct stats *s)
{
    const struct op_info *op = &op_table[insn->op];
    bool typed = op->types || op->modifiers & (M_CVT | M_STORAGE | M_ATOMIC | M_COUNTER);
    if (!typed)
        return;
    switch (insn->type & DT_MASK) {
    case DT_NONE: break;
    case DT_F16: s->value[METRIC_TYPE_F16]++; break;
    case DT_F32: s->value[METRIC_TYPE_F32]++; break;
    case DT_F64: s->value[METRIC_TYPE_F64]++; break;
    case DT_S64: case DT_U64: s->value[METRIC_TYPE_INT64]++; break;
    default: s->value[METRIC_TYPE_INT]++; break;
    }
}

static void add_unit(const struct gp5_program *program, const struct operand *o, uint64_t *units)
{
    const struct binding *b = NULL;
    uint32_t extra = 0;
    if (!(o->flags & OPND_BY_NAME)) {
        b = program_binding(program, o->ref);
    } else {
        const struct symbol *s = program_symbol(program, o->ref);
        b = s->nbindings ? program_binding(program, s->binding) : NULL;
        if (b && o->nindices && program_index(program, o->index)->mode == INDEX_CONSTANT)
            extra = (uint32_t)program_index(program, o->index)->offset;
    }
    uint32_t unit = b && b->nindices ? b->first[0] + extra : extra;
    if (b && unit < 64)
        *units |= UINT64_C(1) << unit;
}

struct counter {
    const struct gp5_program *program;
    struct stats *stats;
    uint64_t units, image_units;
    uint64_t depth, loops;
};

static void count_texture(struct counter *c, const struct insn *insn)
{
    struct stats *s = c->stats;
    for (unsigned i = 0; i < insn->nsrc; i++) {
        const struct operand *o = program_operand(c->program, insn->src + i);
        if (o->kind == OPND_TEXTURE)
            add_unit(c->program, o, &c->units);
        else if (o->kind == OPND_IMAGE)
            add_unit(c->program, o, &c->image_units);
        else if (o->kind == OPND_HANDLE)
            s->value[METRIC_HANDLES]++;
    }
    s->value[METRIC_SAMPLES] += op_is(insn->op, K_SAMPLE);
    s->value[METRIC_GATHERS] += op_is(insn->op, K_GATHER);
    s->value[METRIC_FETCHES] += op_is(insn->op, K_FETCH);
    s->value[METRIC_QUERIES] += op_is(insn->op, K_QUERY | K_IMAGE_QUERY);
}

static void count_memory(struct counter *c, const struct insn *insn)
{
    const struct op_info *op = &op_table[insn->op];
    struct stats *s = c->stats;
    uint64_t bytes = (uint64_t)type_table[insn->type & DT_MASK].bytes * (insn->width ? insn->width : 1);
    enum metric where = takes(op, OC_STORAGE)   ? METRIC_STORAGE
                        : takes(op, OC_SHARED)  ? METRIC_SHARED
                        : takes(op, OC_CBUFFER) ? METRIC_CONSTANT
                        : takes(op, OC_COUNTER) ? METRIC_COUNTERS
                                                : METRIC_GLOBAL;
    if (!takes(op, OC_IMAGE))
        s->value[where]++;
    if (op_is_atomic(insn->op)) {
        s->value[METRIC_ATOMICS]++;
    } else if (shape_table[op->shape].result == RC_NONE) {
        s->value[METRIC_STORES]++;
        s->value[METRIC_BYTES_STORED] += takes(op, OC_IMAGE) ? 0 : bytes;
    } else {
        s->value[METRIC_LOADS]++;
        s->value[METRIC_BYTES_LOADED] += takes(op, OC_IMAGE) ? 0 : bytes;
    }
}

static void deepest(uint64_t *most, uint64_t now)
{
    if (now > *most)
        *most = now;
}

static void count_flow(struct counter *c, const struct insn *insn)
{
    struct stats *s = c->stats;
    unsigned shape = op_table[insn->op].shape;
    if (insn->op == OP_IF || shape == SHAPE_REP) {
        deepest(&s->value[METRIC_NESTING], ++c->depth);
        s->value[insn->op == OP_IF ? METRIC_BRANCHES : METRIC_LOOPS]++;
    }
    if (shape == SHAPE_REP)
        deepest(&s->value[METRIC_LOOP_NESTING], ++c->loops);
    if (insn->op == OP_ENDREP || insn->op == OP_ENDLOOP) {
        c->loops -= c->loops > 0;
        c->depth -= c->depth > 0;
    }
    if (insn->op == OP_ENDIF)
        c->depth -= c->depth > 0;
    s->value[METRIC_CALLS] += op_calls(insn->op);
    s->value[METRIC_DISCARDS] += shape == SHAPE_KIL;
}

static void count_insn(struct counter *c, const struct insn *insn)
{
    const struct op_info *op = &op_table[insn->op];
    struct stats *s = c->stats;
    s->value[METRIC_INSTRUCTIONS]++;
    s->value[class_of(insn->op)]++;
    s->value[METRIC_CONDITIONS] += insn->cc_update != 0;
    s->ops[insn->op]++;
    count_type(insn, s);
    if (takes(op, OC_TEXTURE) || takes(op, OC_IMAGE))
        count_texture(c, insn);
    if (op_is(insn->op, K_LOAD | K_STORE | K_ANY_ATOMIC | K_IMAGE_LOAD | K_IMAGE_STORE))
        count_memory(c, insn);
    count_flow(c, insn);
}

/* ---- texture indirections ---------------------------------------------------------------------------------------- */

/* ARB_fragment_program, issue 24: texture instructions and the arithmetic behind them make a node; an instruction that
 * takes its coordinate from what its node has written, or writes what the node's arithmetic has touched, begins the
 * next one. What the node did to a variable stands beside the node's number, so that a new one begins with nothing. */
enum { WRITTEN = 1, TOUCHED = 2, NODE = 4 };

struct chain {
    const struct gp5_program *program;
    uint64_t node;
    uint64_t *state;            /* a symbol: the node's number * NODE | WRITTEN | TOUCHED */
};

static unsigned state_of(const struct chain *c, uint32_t symbol)
{
    bool counts = c->state[symbol] / NODE == c->node && program_symbol(c->program, symbol)->kind == SYM_TEMP;
    return counts ? (unsigned)(c->state[symbol] % NODE) : 0;
}

static void mark(struct chain *c, uint32_t symbol, unsigned how)
{
    c->state[symbol] = c->node * NODE | state_of(c, symbol) | how;
}

static void follow(struct chain *c, const struct insn *insn)
{
    struct access reads[MOST_READS], write;
    bool always, dependent = false, texture = takes(&op_table[insn->op], OC_TEXTURE) || insn->op == OP_KIL;
    unsigned nreads = asm_reads(c->program, insn, reads);
    bool writes = asm_writes(c->program, insn, &write, &always);
    for (unsigned r = 0; r < nreads; r++)
        dependent |= state_of(c, reads[r].symbol) & WRITTEN;
    dependent |= writes && state_of(c, write.symbol) & TOUCHED;
    c->node += texture && dependent;
    for (unsigned r = 0; r < nreads && !texture; r++)
        mark(c, reads[r].symbol, TOUCHED);
    if (writes)
        mark(c, write.symbol, texture ? WRITTEN : WRITTEN | TOUCHED);
}

static bool count_indirections(const struct gp5_program *program, uint64_t *count)
{
    size_t size = (program->symbols.count + 1) * sizeof(uint64_t);
    struct chain c = {program, 1, gp5_malloc(size)};
    if (!c.state)
        return false;
    memset(c.state, 0, size);
    for (uint32_t i = 0; i < program->insns.count; i++)
        follow(&c, program_insn(program, i));
    gp5_free(c.state);
    *count = c.node;
    return true;
}

/* ---- all of it --------------------------------------------------------------------------------------------------- */

static bool count_live(const struct gp5_program *program, struct stats *s)
{
    uint32_t components = 0;
    enum live_status status = asm_live(program, &components, &s->live_at);
    s->value[METRIC_LIVE] = status == LIVE_COUNTED ? components : NOT_COUNTED;
    return status != LIVE_NO_MEMORY;
}

static unsigned count_bits(uint64_t bits)
{
    return (unsigned)__builtin_popcountll(bits);
}

bool asm_stats(const struct gp5_program *program, struct stats *s)
{
    struct counter c = {.program = program, .stats = s};
    struct keys keys = {.failed = false};
    memset(s, 0, sizeof *s);
    vec_init(&keys.list, sizeof(uint64_t));
    for (uint32_t i = 0; i < program->insns.count; i++)
        if (program_insn(program, i)->op < OP_COUNT)    /* not what an error left */
            count_insn(&c, program_insn(program, i));
    count_symbols(program, s);
    count_bindings(program, &keys, s);
    vec_free(&keys.list);
    s->value[METRIC_CONSTANTS] = program->constants_written;
    s->value[METRIC_UNITS] = count_bits(c.units);
    s->value[METRIC_IMAGE_UNITS] = count_bits(c.image_units);
    s->value[METRIC_SHARED_BYTES] = program->shared_memory;
    s->value[METRIC_INVOCATIONS] = program->has_group_size ? (uint64_t)program->group_size[0] * program->group_size[1] *
                                                             program->group_size[2] : 0;
    bool typed = profile_table[program->profile].typed;
    bool fragment = profile_table[program->profile].stage_id == STAGE_FRAGMENT;
    bool good = typed || !fragment || count_indirections(program, &s->value[METRIC_INDIRECTIONS]);
    return good && !keys.failed && count_live(program, s);
}
