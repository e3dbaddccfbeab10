/* Loads and stores of buffers and of shared memory: words at byte offsets, numbers of other sizes made of them. */
#include "translate/translate.h"

#include <string.h>

/* Storage and counters are all stages', constants each stage's own. */
const char *tr_memory_name(struct tr *t, enum tr_space space, uint32_t number)
{
    return space == SPACE_STORAGE   ? tr_text(t, "gp5_storage%u", number)
           : space == SPACE_COUNTER ? tr_text(t, "gp5_counter%u", number)
                                    : tr_text(t, "%sbuffer%u", t->stage_prefix, number);
}

enum { MOST_BUFFERS = 14, MOST_WORDS = 16384, FIRST_BINDING = 18, BINDINGS_OF_STAGE = 11 };

struct tr_memory *tr_use_memory(struct tr *t, enum tr_space space, uint32_t number)
{
    for (size_t i = 0; i < t->memory.count; i++) {
        struct tr_memory *m = vec_at(&t->memory, i);
        if (m->space == space && m->number == number)
            return m;
    }
    size_t at = vec_grow(&t->memory);
    if (at == SIZE_MAX) {
        t->arena.failed = true;
        return NULL;
    }
    struct tr_memory *m = vec_at(&t->memory, at);
    *m = (struct tr_memory){.space = (uint8_t)space, .number = number};
    return m;
}

/* ---- where it is ------------------------------------------------------------------------------------------------ */

static bool find_buffers(struct tr *t, const struct operand *o, const struct symbol *s, struct tr_place *p)
{
    const struct binding *b = s->nbindings ? program_binding(t->p, s->binding) : NULL;

    if (!b || s->nbindings > 1) {
        tr_refuse(t, o->span, "%s, which is no single buffer", s->name);
        return false;
    }
    if (p->shared) {
        p->offset = b->nindices ? b->first[0] : 0;
        return true;
    }
    p->number = b->nindices ? b->first[0] : 0;
    p->count = b->nindices && b->range[0] && b->last[0] >= b->first[0] ? b->last[0] - b->first[0] + 1 : 1;
    p->offset = b->nindices > 1 ? b->first[1] : 0;
    if (p->number + p->count > MOST_BUFFERS) {
        tr_refuse(t, o->span, "a buffer beyond the %d that there are for sure", MOST_BUFFERS);
        return false;
    }
    return true;
}

/* One of several: a number goes to that one, what is computed stays. */
static void choose(struct tr *t, const struct index *index, struct tr_place *p)
{
    if (index->mode == INDEX_RELATIVE) {
        p->which = tr_index(t, index, 0);
    } else if ((uint32_t)index->offset < p->count) {
        p->number += (uint32_t)index->offset;
        p->count = 1;
    } else {
        tr_refuse(t, index->span, "a buffer that is not there");
    }
}

bool tr_find_place(struct tr *t, const struct operand *o, struct tr_place *p)
{
    const struct symbol *s = o->kind == OPND_SYMBOL ? program_symbol(t->p, o->ref) : NULL;
    const struct index *index = NULL;

    *p = (struct tr_place){.count = 1};
    if (!s || (s->kind != SYM_STORAGE && s->kind != SYM_SHARED && s->kind != SYM_CBUFFER)) {
        tr_refuse(t, o->span, "memory by its address, which %s has not", t->target->name);
        return false;
    }
    p->space = s->kind == SYM_CBUFFER ? SPACE_CONSTANT : SPACE_STORAGE;
    p->shared = s->kind == SYM_SHARED;
    if (p->space == SPACE_STORAGE && !tr_has(t, HAS_GPU5))
        tr_refuse(t, o->span, "a buffer that is written, which %s has not", t->target->name);
    tr_needs_bits(t, o->span, "a buffer of words");
    if (!find_buffers(t, o, s, p))
        return false;
    if (s->two_indices && o->nindices)
        choose(t, program_index(t->p, o->index), p);
    if (o->nindices > s->two_indices)
        index = program_index(t->p, o->index + o->nindices - 1u);
    if (index && index->mode == INDEX_RELATIVE)
        p->at = tr_index(t, index, p->offset);
    else if (index)
        p->offset += (uint32_t)index->offset;
    if (p->at)
        p->offset = 0;
    if (p->shared && (!t->p->has_shared_memory || (!p->at && p->offset >= t->p->shared_memory)))
        tr_refuse(t, o->span, "shared memory that is not there");
    return true;
}

static const char *array_of(struct tr *t, const struct tr_place *p, uint32_t buffer, uint32_t last)
{
    struct tr_memory *m = p->shared ? NULL : tr_use_memory(t, p->space, p->number + buffer);

    if (!m)
        return "gp5_shared";
    if (p->at)
        m->computed = true;
    else if (last >= m->words)
        m->words = last + 1;
    if (t->insn->flags & INSN_COHERENT)
        m->coherent = true;
    if (t->insn->flags & INSN_VOLATILE)
        m->is_volatile = true;
    return tr_memory_name(t, p->space, p->number + buffer);
}

const char *tr_word(struct tr *t, const struct tr_place *p, uint32_t buffer, uint32_t k)
{
    uint32_t word = p->offset / 4 + k;
    const char *array = array_of(t, p, buffer, word);

    if (p->space == SPACE_CONSTANT && !p->shared) {
        if (!p->at && word >= MOST_WORDS)
            tr_refuse(t, t->where, "a constant buffer of more than 65,536 bytes");
        if (!p->at)
            return tr_text(t, "%s[%u].%c", array, word / 4, "xyzw"[word % 4]);
        const char *at = k ? tr_text(t, "((%s) >> 2) + %u", p->at, k) : tr_text(t, "(%s) >> 2", p->at);
        return tr_text(t, "%s[(%s) >> 2][(%s) & 3]", array, at, at);
    }
    if (p->shared && !p->at && word > t->p->shared_memory / 4) {
        tr_refuse(t, t->where, "shared memory that is not there");
        word = 0;
    }
    if (!p->at)
        return tr_text(t, "%s[%u]", array, word);
    return k ? tr_text(t, "%s[((%s) >> 2) + %u]", array, p->at, k) : tr_text(t, "%s[(%s) >> 2]", array, p->at);
}

/* ---- loads ------------------------------------------------------------------------------------------------------ */

/* Word k of whichever buffer it is. */
static const char *read_word(struct tr *t, const struct tr_place *p, uint32_t k)
{
    const char *text = "";

    if (!p->which)
        return tr_word(t, p, 0, k);
    for (uint32_t i = 0; i < p->count; i++)
        text = i + 1 < p->count ? tr_text(t, "%s(%s) == %u ? %s : ", text, p->which, i, tr_word(t, p, i, k))
                                : tr_text(t, "%s%s", text, tr_word(t, p, i, k));
    return tr_text(t, "(%s)", text);
}

/* The bit where a number of less than a word begins; and in which word. */
static const char *bit_of(struct tr *t, const struct tr_place *p, unsigned bytes, unsigned width, unsigned c,
                          uint32_t *word)
{
    unsigned at = bytes * c;

    *word = at / 4;
    if (bytes * width >= 4)
        return tr_text(t, "%u", at % 4 * 8);
    *word = 0;
    if (!p->at)
        return tr_text(t, "%u", (p->offset % 4 + at) % 4 * 8);
    return at ? tr_text(t, "(((%s) & 3) * 8 + %u)", p->at, 8 * at) : tr_text(t, "(((%s) & 3) * 8)", p->at);
}

static const char *part(struct tr *t, const struct tr_place *p, unsigned c, enum tr_type type)
{
    const struct insn *insn = t->insn;
    unsigned bytes = type_table[insn->type & DT_MASK].bytes;
    uint32_t k;
    const char *bit = bit_of(t, p, bytes, insn->width ? insn->width : 1, c, &k), *word = read_word(t, p, k);

    if ((insn->type & DT_MASK) == DT_F16) {
        if (!tr_has(t, HAS_GPU5))
            tr_refuse(t, t->where, "halves in memory, which %s cannot say", t->target->name);
        return tr_text(t, "unpackHalf2x16(%s >> %s).x", word, bit);
    }
    if (type == T_INT)
        return tr_text(t, "(int(%s << (%u - %s)) >> %u)", word, 32 - 8 * bytes, bit, 32 - 8 * bytes);
    return tr_text(t, "(%s >> %s & 0x%xu)", word, bit, bytes == 1 ? 0xffu : 0xffffu);
}

static const char *number(struct tr *t, const struct tr_place *p, unsigned c, enum tr_type type)
{
    unsigned bytes = type_table[t->insn->type & DT_MASK].bytes;

    if (bytes < 4)
        return part(t, p, c, type);
    if (bytes == 4)
        return tr_cast(t, read_word(t, p, c), T_UINT, type, 1);
    const char *two = tr_text(t, "uvec2(%s, %s)", read_word(t, p, 2 * c), read_word(t, p, 2 * c + 1));
    return type == T_DOUBLE ? tr_text(t, "packDouble2x32(%s)", two)
                            : tr_text(t, "%s(packUint2x32(%s))", tr_type_name(type, 1), two);
}

const char *tr_load(struct tr *t, const uint8_t *components, unsigned n, enum tr_type *type)
{
    static const char *const zeros[T_TYPES] = {"0.0", "0", "0u", "0.0lf", "int64_t(0)", "0ul"};
    const struct insn *insn = t->insn;
    const char *parts[4];
    struct tr_place p;

    *type = tr_type_of(insn->type);
    if (!tr_find_place(t, program_operand(t->p, insn->src), &p))
        return "0.0";
    for (unsigned i = 0; i < n; i++)
        parts[i] = components[i] < (insn->width ? insn->width : 1) ? number(t, &p, components[i], *type) : zeros[*type];
    return tr_join(t, *type, parts, n);
}

/* ---- stores ----------------------------------------------------------------------------------------------------- */

/* A statement for whichever buffer it is: %w is word k. */
static void store_word(struct tr *t, const struct tr_place *p, uint32_t k, const char *before, const char *after)
{
    if (!p->which) {
        tr_line(t, "%s%s%s;", before, tr_word(t, p, 0, k), after);
        return;
    }
    for (uint32_t i = 0; i < p->count; i++)
        tr_line(t, "%sif ((%s) == %u) %s%s%s;", i ? "else " : "", p->which, i, before, tr_word(t, p, i, k), after);
}

/* Its neighbours in the word may be another thread's. */
static void store_part(struct tr *t, const struct tr_place *p, unsigned c, enum tr_type type)
{
    const struct insn *insn = t->insn;
    unsigned bytes = type_table[insn->type & DT_MASK].bytes;
    const char *mask = bytes == 1 ? "0xffu" : "0xffffu", *value;
    const uint8_t component = (uint8_t)c;
    uint32_t k;
    const char *bit = bit_of(t, p, bytes, insn->width ? insn->width : 1, c, &k);

    if ((insn->type & DT_MASK) == DT_F16)
        value = tr_text(t, "packHalf2x16(vec2(%s, 0.0))", tr_operand(t, 0, T_FLOAT, &component, 1));
    else
        value = tr_cast(t, tr_operand(t, 0, type, &component, 1), type, T_UINT, 1);
    store_word(t, p, k, "atomicAnd(", tr_text(t, ", ~(%s << %s))", mask, bit));
    store_word(t, p, k, "atomicOr(", tr_text(t, ", (%s & %s) << %s)", value, mask, bit));
}

void tr_store(struct tr *t, const struct insn *insn)
{
    enum tr_type type = tr_type_of(insn->type);
    unsigned bytes = type_table[insn->type & DT_MASK].bytes;
    struct tr_place p;

    if (!tr_find_place(t, program_operand(t->p, insn->src + 1), &p))
        return;
    if (p.space == SPACE_CONSTANT)
        tr_refuse(t, insn->span, "a store into a buffer of constants");
    for (uint8_t c = 0; c < (insn->width ? insn->width : 1); c++) {
        if (bytes < 4) {
            store_part(t, &p, c, type);
            continue;
        }
        const char *value = tr_operand(t, 0, type, &c, 1);
        if (bytes == 4) {
            store_word(t, &p, c, "", tr_text(t, " = %s", tr_cast(t, value, type, T_UINT, 1)));
            continue;
        }
        value = type == T_DOUBLE ? tr_text(t, "unpackDouble2x32(%s)", value)
                                 : tr_text(t, "unpackUint2x32(uint64_t(%s))", value);
        store_word(t, &p, 2u * c, "", tr_text(t, " = %s.x", value));
        store_word(t, &p, 2u * c + 1, "", tr_text(t, " = %s.y", value));
    }
}

/* ---- operands --------------------------------------------------------------------------------------------------- */

/* BUFFER: a word in all four; BUFFER4: a vector. */
struct tr_base tr_buffer_operand(struct tr *t, const struct operand *o, const struct symbol *s)
{
    const struct index *index = o->nindices ? program_index(t->p, o->index + o->nindices - 1u) : NULL;
    bool vectors = s->kind == SYM_BUFFER4;
    struct tr_place p = {.space = SPACE_CONSTANT, .count = 1};

    tr_needs_bits(t, o->span, "a buffer of words");
    if (!find_buffers(t, o, s, &p) || p.count > 1 || s->two_indices) {
        tr_refuse(t, o->span, "%s, which is no single buffer", s->name);
        return (struct tr_base){.text = "uvec4(0u)", .type = T_UINT, .count = 4};
    }
    if (index && index->mode == INDEX_RELATIVE)
        p.at = tr_index(t, index, p.offset);
    uint32_t at = p.offset + (index && !p.at ? (uint32_t)index->offset : 0);
    uint32_t last = vectors ? 4 * at + 3 : at;
    if (!p.at && last >= MOST_WORDS)
        tr_refuse(t, o->span, "a constant buffer of more than 65,536 bytes");
    const char *array = array_of(t, &p, 0, last);
    const char *text = vectors ? p.at ? tr_text(t, "%s[%s]", array, p.at) : tr_text(t, "%s[%u]", array, at)
                       : p.at ? tr_text(t, "uvec4(%s[(%s) >> 2][(%s) & 3])", array, p.at, p.at)
                               : tr_text(t, "uvec4(%s[%u].%c)", array, at / 4, "xyzw"[at % 4]);
    return (struct tr_base){.text = text, .type = T_UINT, .count = 4};
}

/* ---- declarations ----------------------------------------------------------------------------------------------- */

int tr_memory_point(const struct tr *t, const struct tr_memory *m)
{
    if (m->space != SPACE_CONSTANT)
        return (int)m->number;
    return tr_has(t, HAS_LOCATIONS) ? (int)(FIRST_BINDING + BINDINGS_OF_STAGE * (t->stage - 1u) + m->number) : -1;
}

static void declare(struct tr *t, const struct tr_memory *m)
{
    const char *name = tr_memory_name(t, (enum tr_space)m->space, m->number), *at = "";

    switch (m->space) {
    case SPACE_STORAGE:
        tr_printf(&t->declarations, "layout(std430, binding = %u) %s%sbuffer gp5_block_storage%u { uint %s[]; };\n",
                  m->number, m->coherent ? "coherent " : "", m->is_volatile ? "volatile " : "", m->number, name);
        break;
    case SPACE_CONSTANT:
        if (m->number >= BINDINGS_OF_STAGE)
            tr_refuse(t, t->where, "a constant buffer for which there is no binding point");
        if (tr_has(t, HAS_LOCATIONS))
            at = tr_text(t, ", binding = %d", tr_memory_point(t, m));
        tr_printf(&t->declarations, "layout(std140%s) uniform %sblock_buffer%u { uvec4 %s[%u]; };\n", at,
                  t->stage_prefix, m->number, name, m->computed ? MOST_WORDS / 4 : (m->words + 3) / 4);
        break;
    case SPACE_COUNTER:
        tr_printf(&t->declarations, "layout(binding = %u, offset = 0) uniform atomic_uint %s[%u];\n", m->number, name,
                  m->computed && m->words < 8 ? 8 : m->words);
        break;
    }
}

void tr_declare_memory(struct tr *t)
{
    for (size_t i = 0; i < t->memory.count; i++)
        declare(t, vec_at(&t->memory, i));
}
