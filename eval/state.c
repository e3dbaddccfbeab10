/* state.*: what the application's GL context holds. A launch says nothing of it, so that it is what a new context has (the initial values
 * of the OpenGL specification's state tables, in the compatibility profile). */
#include "eval/state.h"
#include "eval/numeric/words.h"

#include <string.h>

struct state { uint16_t kind; float value[4]; };

/* By kind; of lights and their products the first light's differ (light_zero). */
static const struct state initial[] = {
    {BIND_STATE_MATERIAL_AMBIENT, {0.2f, 0.2f, 0.2f, 1}},
    {BIND_STATE_MATERIAL_DIFFUSE, {0.8f, 0.8f, 0.8f, 1}},
    {BIND_STATE_MATERIAL_SPECULAR, {0, 0, 0, 1}},
    {BIND_STATE_MATERIAL_EMISSION, {0, 0, 0, 1}},
    {BIND_STATE_MATERIAL_SHININESS, {0, 0, 0, 1}},
    {BIND_STATE_MATERIAL_FRONT_AMBIENT, {0.2f, 0.2f, 0.2f, 1}},
    {BIND_STATE_MATERIAL_FRONT_DIFFUSE, {0.8f, 0.8f, 0.8f, 1}},
    {BIND_STATE_MATERIAL_FRONT_SPECULAR, {0, 0, 0, 1}},
    {BIND_STATE_MATERIAL_FRONT_EMISSION, {0, 0, 0, 1}},
    {BIND_STATE_MATERIAL_FRONT_SHININESS, {0, 0, 0, 1}},
    {BIND_STATE_MATERIAL_BACK_AMBIENT, {0.2f, 0.2f, 0.2f, 1}},
    {BIND_STATE_MATERIAL_BACK_DIFFUSE, {0.8f, 0.8f, 0.8f, 1}},
    {BIND_STATE_MATERIAL_BACK_SPECULAR, {0, 0, 0, 1}},
    {BIND_STATE_MATERIAL_BACK_EMISSION, {0, 0, 0, 1}},
    {BIND_STATE_MATERIAL_BACK_SHININESS, {0, 0, 0, 1}},
    {BIND_STATE_LIGHT_AMBIENT, {0, 0, 0, 1}},
    {BIND_STATE_LIGHT_DIFFUSE, {0, 0, 0, 1}},
    {BIND_STATE_LIGHT_SPECULAR, {0, 0, 0, 1}},
    {BIND_STATE_LIGHT_POSITION, {0, 0, 1, 0}},
    {BIND_STATE_LIGHT_ATTENUATION, {1, 0, 0, 0}},
    {BIND_STATE_LIGHT_SPOT_DIRECTION, {0, 0, -1, -1}},
    {BIND_STATE_LIGHT_HALF, {0, 0, 1, 1}},
    {BIND_STATE_LIGHTMODEL_AMBIENT, {0.2f, 0.2f, 0.2f, 1}},
    {BIND_STATE_LIGHTMODEL_SCENECOLOR, {0.2f * 0.2f, 0.2f * 0.2f, 0.2f * 0.2f, 1}},
    {BIND_STATE_LIGHTMODEL_FRONT_SCENECOLOR, {0.2f * 0.2f, 0.2f * 0.2f, 0.2f * 0.2f, 1}},
    {BIND_STATE_LIGHTMODEL_BACK_SCENECOLOR, {0.2f * 0.2f, 0.2f * 0.2f, 0.2f * 0.2f, 1}},
    {BIND_STATE_LIGHTPROD_AMBIENT, {0, 0, 0, 1}},
    {BIND_STATE_LIGHTPROD_DIFFUSE, {0, 0, 0, 1}},
    {BIND_STATE_LIGHTPROD_SPECULAR, {0, 0, 0, 1}},
    {BIND_STATE_LIGHTPROD_FRONT_AMBIENT, {0, 0, 0, 1}},
    {BIND_STATE_LIGHTPROD_FRONT_DIFFUSE, {0, 0, 0, 1}},
    {BIND_STATE_LIGHTPROD_FRONT_SPECULAR, {0, 0, 0, 1}},
    {BIND_STATE_LIGHTPROD_BACK_AMBIENT, {0, 0, 0, 1}},
    {BIND_STATE_LIGHTPROD_BACK_DIFFUSE, {0, 0, 0, 1}},
    {BIND_STATE_LIGHTPROD_BACK_SPECULAR, {0, 0, 0, 1}},
    {BIND_STATE_TEXGEN_EYE_S, {1, 0, 0, 0}},
    {BIND_STATE_TEXGEN_EYE_T, {0, 1, 0, 0}},
    {BIND_STATE_TEXGEN_EYE_R, {0, 0, 0, 0}},
    {BIND_STATE_TEXGEN_EYE_Q, {0, 0, 0, 0}},
    {BIND_STATE_TEXGEN_OBJECT_S, {1, 0, 0, 0}},
    {BIND_STATE_TEXGEN_OBJECT_T, {0, 1, 0, 0}},
    {BIND_STATE_TEXGEN_OBJECT_R, {0, 0, 0, 0}},
    {BIND_STATE_TEXGEN_OBJECT_Q, {0, 0, 0, 0}},
    {BIND_STATE_TEXENV_COLOR, {0, 0, 0, 0}},
    {BIND_STATE_FOG_COLOR, {0, 0, 0, 0}},
    {BIND_STATE_FOG_PARAMS, {1, 0, 1, 1}},
    {BIND_STATE_CLIP_PLANE, {0, 0, 0, 0}},
    {BIND_STATE_POINT_SIZE, {1, 0, 0, 1}},          /* z is open */
    {BIND_STATE_POINT_ATTENUATION, {1, 0, 0, 1}},
    {BIND_STATE_DEPTH_RANGE, {0, 1, 1, 1}},
    {BIND_STATE_MATRIX_NORMALSCALE, {1, 0, 0, 1}},
};

static const struct state light_zero[] = {
    {BIND_STATE_LIGHT_DIFFUSE, {1, 1, 1, 1}},
    {BIND_STATE_LIGHT_SPECULAR, {1, 1, 1, 1}},
    {BIND_STATE_LIGHTPROD_DIFFUSE, {0.8f, 0.8f, 0.8f, 1}},
    {BIND_STATE_LIGHTPROD_FRONT_DIFFUSE, {0.8f, 0.8f, 0.8f, 1}},
    {BIND_STATE_LIGHTPROD_BACK_DIFFUSE, {0.8f, 0.8f, 0.8f, 1}},
};

/* What NVIDIA's driver was measured to do otherwise: its unit vectors are a little short, and compute programs have no points. */
static const struct state measured[] = {
    {BIND_STATE_LIGHT_HALF, {0, 0, 0x1.ffff7p-1f, 1}},
    {BIND_STATE_POINT_SIZE, {0, 0, 0, 0}},
};

static const struct state *find(const struct state *list, size_t n, uint16_t kind)
{
    for (size_t i = 0; i < n; i++)
        if (list[i].kind == kind)
            return &list[i];
    return NULL;
}

static bool is_matrix(uint16_t kind)
{
    return kind != BIND_STATE_MATRIX_NORMALSCALE && strncmp(binding_table[kind].words, "state.matrix", 12) == 0;
}

static bool has_row(uint16_t kind)
{
    return strstr(binding_table[kind].words, ".row[") != NULL;
}

bool eval_is_state(uint16_t kind)
{
    return is_matrix(kind) || find(initial, sizeof initial / sizeof *initial, kind);
}

bool eval_state_is_open(uint16_t kind, unsigned component, bool nvidia)
{
    return !nvidia && kind == BIND_STATE_POINT_SIZE && component == 2;
}

uint32_t eval_state_rows(uint16_t kind)
{
    return is_matrix(kind) && !has_row(kind) ? 4 : 1;
}

/* Every matrix is the identity, whichever it is and however it is turned round. */
static float matrix_value(const struct binding *b, uint32_t at, unsigned component)
{
    uint32_t row = has_row(b->kind) && b->nindices ? b->first[b->nindices - 1] + at : at;

    return row == component;
}

uint32_t eval_state_word(const struct binding *b, uint32_t at, unsigned component, bool nvidia)
{
    const struct state *s = nvidia ? find(measured, sizeof measured / sizeof *measured, b->kind) : NULL;

    if (!s)
        s = b->nindices && b->first[0] ? NULL : find(light_zero, sizeof light_zero / sizeof *light_zero, b->kind);
    if (!s)
        s = find(initial, sizeof initial / sizeof *initial, b->kind);
    return num_word(is_matrix(b->kind) || !s ? matrix_value(b, at, component) : s->value[component]);
}
