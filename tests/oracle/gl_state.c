/* state.*: what a GL context begins with, out of the state tables of the OpenGL specification (compatibility profile)
 * and ARB_vertex_program's table of how state becomes four numbers. The first row that the words match counts; `?`
 * stands for a bracket. */
#include "tests/oracle/internal.h"

#include <fnmatch.h>
#include <string.h>

struct initial {
    const char *words;
    bool light_zero;            /* of GL_LIGHT0 alone */
    float value[4];
};

static const struct initial initial[] = {
    {"state.material*.ambient", false, {0.2f, 0.2f, 0.2f, 1}},
    {"state.material*.diffuse", false, {0.8f, 0.8f, 0.8f, 1}},
    {"state.material*", false, {0, 0, 0, 1}},       /* specular, emission, shininess */
    {"state.light??.diffuse", true, {1, 1, 1, 1}},
    {"state.light??.specular", true, {1, 1, 1, 1}},
    {"state.light??.position", false, {0, 0, 1, 0}},
    {"state.light??.attenuation", false, {1, 0, 0, 0}},
    {"state.light??.spot.direction", false, {0, 0, -1, -1}},    /* w: the cosine of 180 degrees */
    {"state.light??.half", false, {0, 0, 1, 1}},
    {"state.light??.*", false, {0, 0, 0, 1}},
    {"state.lightmodel.ambient", false, {0.2f, 0.2f, 0.2f, 1}},
    {"state.lightmodel*.scenecolor", false, {0.2f * 0.2f, 0.2f * 0.2f, 0.2f * 0.2f, 1}},
    {"state.lightprod??*.diffuse", true, {0.8f, 0.8f, 0.8f, 1}},
    {"state.lightprod??*", false, {0, 0, 0, 1}},
    {"state.texgen*.s", false, {1, 0, 0, 0}},
    {"state.texgen*.t", false, {0, 1, 0, 0}},
    {"state.fog.params", false, {1, 0, 1, 1}},      /* density, start, end, 1 / (end - start) */
    {"state.point.size", false, {1, 0, 0, 1}},      /* size, least, greatest (the implementation's), threshold */
    {"state.point.attenuation", false, {1, 0, 0, 1}},
    {"state.depth.range", false, {0, 1, 1, 1}},     /* near, far, far - near */
    {"state.matrix.normalscale", false, {1, 0, 0, 1}},
    {"state.*", false, {0, 0, 0, 0}},               /* texgen r and q, texenv, fog.color, clip */
};

/* docs/semantics.md: what the driver has in compute programs. */
static const struct initial measured[] = {
    {"state.light??.half", false, {0, 0, 0x1.ffff7p-1f, 1}},
    {"state.point.size", false, {0, 0, 0, 0}},
};

static const struct initial *find(const struct initial *list, size_t n, const char *words, bool zero)
{
    for (size_t i = 0; i < n; i++)
        if (!fnmatch(list[i].words, words, 0) && (!list[i].light_zero || zero))
            return &list[i];
    return NULL;
}

static bool starts(const char *words, const char *with)
{
    return !strncmp(words, with, strlen(with));
}

bool oracle_is_state(unsigned kind)
{
    return starts(binding_table[kind].words, "state.") && !starts(binding_table[kind].words, "state.thread.");
}

static bool is_matrix(unsigned kind)
{
    return starts(binding_table[kind].words, "state.matrix.") && !strstr(binding_table[kind].words, "normalscale");
}

unsigned oracle_state_rows(unsigned kind)
{
    return is_matrix(kind) && !strstr(binding_table[kind].words, ".row") ? 4 : 1;
}

struct oracle_value oracle_state(const struct oracle_program *p, const struct binding *b, uint32_t at, unsigned c)
{
    const char *words = binding_table[b->kind].words;
    bool zero = !b->nindices || b->first[0] == 0;
    const struct initial *row = p->nvidia ? find(measured, sizeof measured / sizeof *measured, words, zero) : NULL;
    struct oracle_value v = {.undef = !p->nvidia && !strcmp(words, "state.point.size") && c == 2};
    uint32_t word;
    if (!row)
        row = find(initial, sizeof initial / sizeof *initial, words, zero);
    memcpy(&word, &row->value[c], sizeof word);
    if (is_matrix(b->kind))     /* the identity, whichever it is and however it is turned round */
        word = (oracle_state_rows(b->kind) > 1 ? at : b->first[b->nindices - 1] + at) == c ? 0x3f800000 : 0;
    v.bits = word;
    return v;
}
