#include "tests/tools/spirv.h"

#include <string.h>

static void add(struct spirv_words *w, uint32_t word)
{
    if (w->count < SPIRV_SECTION)
        w->word[w->count++] = word;
    else
        w->overflow = true;
}

void spirv_put(struct spirv_words *w, unsigned op, const uint32_t *operands, size_t count)
{
    add(w, (uint32_t)(count + 1) << 16 | op);
    for (size_t i = 0; i < count; i++)
        add(w, operands[i]);
}

uint32_t spirv_id(struct spirv *m)
{
    return ++m->ids;
}

/* Where an instruction's result stands: behind its type, if it has one. */
static bool is_same(const uint32_t *at, unsigned op, uint32_t type, const uint32_t *operands, size_t count)
{
    size_t skip = type ? 3 : 2;
    return at[0] == ((uint32_t)(count + skip) << 16 | op) && (!type || at[1] == type)
           && (!count || !memcmp(at + skip, operands, count * sizeof *operands));
}

uint32_t spirv_global(struct spirv *m, unsigned op, uint32_t type, const uint32_t *operands, size_t count)
{
    struct spirv_words *g = &m->globals;
    for (size_t i = 0; i < g->count && !g->overflow; i += g->word[i] >> 16)
        if (is_same(&g->word[i], op, type, operands, count))
            return g->word[i + (type ? 2 : 1)];
    uint32_t id = spirv_id(m);
    add(g, (uint32_t)(count + (type ? 3 : 2)) << 16 | op);
    if (type)
        add(g, type);
    add(g, id);
    for (size_t i = 0; i < count; i++)
        add(g, operands[i]);
    return id;
}

uint32_t spirv_do(struct spirv *m, unsigned op, uint32_t type, const uint32_t *operands, size_t count)
{
    uint32_t id = spirv_id(m);
    add(&m->body, (uint32_t)(count + 3) << 16 | op);
    add(&m->body, type);
    add(&m->body, id);
    for (size_t i = 0; i < count; i++)
        add(&m->body, operands[i]);
    return id;
}

void spirv_capability(struct spirv *m, uint32_t capability)
{
    for (size_t i = 0; i + 1 < m->capabilities.count; i += 2)
        if (m->capabilities.word[i + 1] == capability)
            return;
    SPIRV_PUT(&m->capabilities, SPV_OP_CAPABILITY, capability);
}

/* Names are bytes in words, with a zero at the end. */
static size_t pack(const char *text, uint32_t words[16])
{
    size_t size = strlen(text) + 1;
    memset(words, 0, 16 * sizeof *words);
    memcpy(words, text, size < 64 ? size : 63);
    return (size + 3) / 4;
}

void spirv_extension(struct spirv *m, const char *name)
{
    uint32_t words[16];
    size_t count = pack(name, words);
    spirv_put(&m->extensions, SPV_OP_EXTENSION, words, count);
}

static void add_all(uint32_t *words, size_t *count, const struct spirv_words *section)
{
    memcpy(words + *count, section->word, section->count * sizeof *words);
    *count += section->count;
}

size_t spirv_finish(const struct spirv *m, uint32_t version, uint32_t function, const uint32_t local[3],
                    uint32_t words[SPIRV_MODULE])
{
    enum { COMPUTE = 5, LOGICAL = 0, GLSL450 = 1, LOCAL_SIZE = 17, ROOM = 128 };
    struct spirv_words entry = {.count = 0};
    uint32_t operands[64] = {COMPUTE, function};
    size_t count = 2 + pack("main", operands + 2), total = 0;
    const uint32_t header[5] = {0x07230203, version, 0, m->ids + 1, 0};
    memcpy(operands + count, m->interface, m->interfaces * sizeof *operands);
    SPIRV_PUT(&entry, SPV_OP_MEMORY_MODEL, LOGICAL, GLSL450);
    spirv_put(&entry, SPV_OP_ENTRY_POINT, operands, count + m->interfaces);
    SPIRV_PUT(&entry, SPV_OP_EXECUTION_MODE, function, LOCAL_SIZE, local[0], local[1], local[2]);
    if (m->capabilities.overflow || m->extensions.overflow || m->decorations.overflow || m->globals.overflow ||
        m->body.overflow ||
        m->capabilities.count + m->extensions.count + m->decorations.count + m->globals.count + m->body.count + ROOM >
            SPIRV_MODULE)
        return 0;
    memcpy(words, header, sizeof header);
    total = 5;
    add_all(words, &total, &m->capabilities);
    add_all(words, &total, &m->extensions);
    add_all(words, &total, &entry);
    add_all(words, &total, &m->decorations);
    add_all(words, &total, &m->globals);
    add_all(words, &total, &m->body);
    return total;
}
