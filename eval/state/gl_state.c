/* state.*: what the application's GL context holds (struct gp5_state), as the vectors that programs see. Products,
 * halfway vectors and inverses are made here from what was set; they are computed in doubles and rounded once. */
#include "eval/state/gl_state.h"
#include "eval/numeric/words.h"

#include <math.h>
#include <string.h>

static const float identity[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};

void gp5_state_init(struct gp5_state *s)
{
    static const struct gp5_material material = {.ambient = {0.2f, 0.2f, 0.2f, 1}, .diffuse = {0.8f, 0.8f, 0.8f, 1},
                                                 .specular = {0, 0, 0, 1}, .emission = {0, 0, 0, 1}};

    memset(s, 0, sizeof *s);
    memcpy(s->modelview, identity, sizeof identity);
    memcpy(s->projection, identity, sizeof identity);
    for (unsigned i = 0; i < GP5_TEXTURE_COORDS; i++) {
        memcpy(s->texture[i], identity, sizeof identity);
        s->texgen[i].eye[0][0] = s->texgen[i].object[0][0] = 1;
        s->texgen[i].eye[1][1] = s->texgen[i].object[1][1] = 1;
    }
    for (unsigned i = 0; i < GP5_PROGRAM_MATRICES; i++)
        memcpy(s->program[i], identity, sizeof identity);
    s->front = s->back = material;
    for (unsigned i = 0; i < GP5_LIGHTS; i++) {
        struct gp5_light *l = &s->light[i];
        *l = (struct gp5_light){.ambient = {0, 0, 0, 1},
                                .diffuse = {0, 0, 0, 1},
                                .specular = {0, 0, 0, 1},
                                .position = {0, 0, 1, 0},
                                .spot_direction = {0, 0, -1},
                                .spot_cutoff = 180,
                                .attenuation = {1, 0, 0}};
        for (unsigned c = 0; c < 3 && !i; c++)
            l->diffuse[c] = l->specular[c] = 1;
    }
    for (unsigned c = 0; c < 4; c++)
        s->light_model_ambient[c] = c < 3 ? 0.2f : 1;
    s->fog_density = s->fog_end = 1;
    s->point_size = s->point_fade_threshold = s->point_attenuation[0] = 1;
    s->depth_range[1] = 1;
    s->clamp_vertex_color = s->clamp_fragment_color = true;
}

/* ---- matrices ------------------------------------------------------------------------------------------ */

static bool is_matrix(uint16_t kind)
{
    return kind != BIND_STATE_MATRIX_NORMALSCALE && strncmp(binding_table[kind].words, "state.matrix", 12) == 0;
}

static bool has_row(uint16_t kind)
{
    return strstr(binding_table[kind].words, ".row[") != NULL;
}

static void multiply(const float a[16], const float b[16], double out[16])
{
    for (unsigned column = 0; column < 4; column++)
        for (unsigned row = 0; row < 4; row++) {
            double sum = 0;
            for (unsigned k = 0; k < 4; k++)
                sum += (double)a[k * 4 + row] * b[column * 4 + k];
            out[column * 4 + row] = sum;
        }
}

/* The determinant of what is left of a matrix without one row and one column. */
static double minor(const double m[16], unsigned without_row, unsigned without_column)
{
    double a[9];
    unsigned n = 0;

    for (unsigned column = 0; column < 4; column++)
        for (unsigned row = 0; row < 4; row++)
            if (column != without_column && row != without_row)
                a[n++] = m[column * 4 + row];
    return a[0] * (a[4] * a[8] - a[5] * a[7]) - a[3] * (a[1] * a[8] - a[2] * a[7]) + a[6] * (a[1] * a[5] - a[2] * a[4]);
}

/* Of a singular matrix infinities or NaNs: the GL leaves them undefined. */
static void invert(const double m[16], double out[16])
{
    double determinant = 0;

    for (unsigned row = 0; row < 4; row++)
        for (unsigned column = 0; column < 4; column++)
            out[row * 4 + column] = ((row + column) % 2 ? -1 : 1) * minor(m, row, column);
    for (unsigned row = 0; row < 4; row++)
        determinant += m[row] * out[row * 4];
    for (unsigned i = 0; i < 16; i++)
        out[i] = out[i] / determinant + 0.0;       /* no zero is negative */
}

/* The matrix of a binding, before what its modifiers do. */
static void base_matrix(const struct gp5_state *s, const char *name, uint32_t index, double out[16])
{
    const float *m = identity;

    if (!strncmp(name, "mvp", 3)) {
        multiply(s->projection, s->modelview, out);
        return;
    }
    if (!strncmp(name, "modelview", 9))
        m = s->modelview;
    else if (!strncmp(name, "projection", 10))
        m = s->projection;
    else if (!strncmp(name, "texture", 7) && index < GP5_TEXTURE_COORDS)
        m = s->texture[index];
    else if (!strncmp(name, "program", 7) && index < GP5_PROGRAM_MATRICES)
        m = s->program[index];
    for (unsigned i = 0; i < 16; i++)
        out[i] = (double)m[i];
}

static float matrix_value(const struct gp5_state *s, uint16_t kind, uint32_t index, unsigned component)
{
    const char *words = binding_table[kind].words;
    bool inverse = strstr(words, ".inverse") || strstr(words, ".invtrans"), transposed = strstr(words, "trans") != NULL;
    unsigned row = index >> 16 & 3;
    double base[16], m[16];

    base_matrix(s, words + strlen("state.matrix."), index & 0xffff, base);
    if (inverse)
        invert(base, m);
    else
        memcpy(m, base, sizeof m);
    return (float)(transposed ? m[row * 4 + component] : m[component * 4 + row]);
}

/* ---- lights -------------------------------------------------------------------------------------------- */

/* The halfway vector of a light and the viewer, who is at infinity on the z axis: for positional lights too. */
static float half_vector(const struct gp5_light *l, unsigned component)
{
    double v[3], length = 0;

    if (component == 3)
        return 1;
    for (unsigned c = 0; c < 3; c++)
        length += (double)l->position[c] * l->position[c];
    length = sqrt(length);
    for (unsigned c = 0; c < 3; c++)
        v[c] = (length > 0 ? l->position[c] / length : 0) + (c == 2);
    length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    return (float)(length > 0 ? v[component] / length : 0);
}

static float spot_direction(const struct gp5_light *l, unsigned component)
{
    const double degree = 0.017453292519943295;

    return component < 3           ? l->spot_direction[component]
           : l->spot_cutoff == 180 ? -1
                                   : (float)cos(l->spot_cutoff * degree);
}

static float scene_color(const struct gp5_state *s, const struct gp5_material *m, unsigned c)
{
    return c == 3 ? m->diffuse[3] : (float)((double)s->light_model_ambient[c] * m->ambient[c] + m->emission[c]);
}

/* Of a product w is the material's. */
static float product(const float light[4], const float material[4], unsigned c)
{
    return c == 3 ? material[3] : light[c] * material[c];
}

static float light_value(const struct gp5_state *s, uint16_t kind, const struct gp5_light *l, unsigned c)
{
    switch (kind) {
    case BIND_STATE_LIGHT_AMBIENT: return l->ambient[c];
    case BIND_STATE_LIGHT_DIFFUSE: return l->diffuse[c];
    case BIND_STATE_LIGHT_SPECULAR: return l->specular[c];
    case BIND_STATE_LIGHT_POSITION: return l->position[c];
    case BIND_STATE_LIGHT_ATTENUATION: return c < 3 ? l->attenuation[c] : l->spot_exponent;
    case BIND_STATE_LIGHT_SPOT_DIRECTION: return spot_direction(l, c);
    case BIND_STATE_LIGHT_HALF: return half_vector(l, c);
    case BIND_STATE_LIGHTPROD_AMBIENT:
    case BIND_STATE_LIGHTPROD_FRONT_AMBIENT: return product(l->ambient, s->front.ambient, c);
    case BIND_STATE_LIGHTPROD_DIFFUSE:
    case BIND_STATE_LIGHTPROD_FRONT_DIFFUSE: return product(l->diffuse, s->front.diffuse, c);
    case BIND_STATE_LIGHTPROD_SPECULAR:
    case BIND_STATE_LIGHTPROD_FRONT_SPECULAR: return product(l->specular, s->front.specular, c);
    case BIND_STATE_LIGHTPROD_BACK_AMBIENT: return product(l->ambient, s->back.ambient, c);
    case BIND_STATE_LIGHTPROD_BACK_DIFFUSE: return product(l->diffuse, s->back.diffuse, c);
    case BIND_STATE_LIGHTPROD_BACK_SPECULAR: return product(l->specular, s->back.specular, c);
    default: return 0;
    }
}

/* ---- the rest ------------------------------------------------------------------------------------------ */

static float material_value(const struct gp5_state *s, uint16_t kind, unsigned c)
{
    switch (kind) {
    case BIND_STATE_MATERIAL_AMBIENT: case BIND_STATE_MATERIAL_FRONT_AMBIENT: return s->front.ambient[c];
    case BIND_STATE_MATERIAL_DIFFUSE: case BIND_STATE_MATERIAL_FRONT_DIFFUSE: return s->front.diffuse[c];
    case BIND_STATE_MATERIAL_SPECULAR: case BIND_STATE_MATERIAL_FRONT_SPECULAR: return s->front.specular[c];
    case BIND_STATE_MATERIAL_EMISSION: case BIND_STATE_MATERIAL_FRONT_EMISSION: return s->front.emission[c];
    case BIND_STATE_MATERIAL_SHININESS:
    case BIND_STATE_MATERIAL_FRONT_SHININESS: return c ? c == 3 : s->front.shininess;
    case BIND_STATE_MATERIAL_BACK_AMBIENT: return s->back.ambient[c];
    case BIND_STATE_MATERIAL_BACK_DIFFUSE: return s->back.diffuse[c];
    case BIND_STATE_MATERIAL_BACK_SPECULAR: return s->back.specular[c];
    case BIND_STATE_MATERIAL_BACK_EMISSION: return s->back.emission[c];
    case BIND_STATE_MATERIAL_BACK_SHININESS: return c ? c == 3 : s->back.shininess;
    case BIND_STATE_LIGHTMODEL_AMBIENT: return s->light_model_ambient[c];
    case BIND_STATE_LIGHTMODEL_SCENECOLOR:
    case BIND_STATE_LIGHTMODEL_FRONT_SCENECOLOR: return scene_color(s, &s->front, c);
    case BIND_STATE_LIGHTMODEL_BACK_SCENECOLOR: return scene_color(s, &s->back, c);
    default: return 0;
    }
}

static float fog_value(const struct gp5_state *s, unsigned c)
{
    const float value[4] = {s->fog_density, s->fog_start, s->fog_end, 1 / (s->fog_end - s->fog_start)};

    return value[c];
}

static float point_value(const struct gp5_state *s, unsigned c)
{
    const float value[4] = {s->point_size, s->point_size_min, s->point_size_max, s->point_fade_threshold};

    return value[c];
}

static float depth_value(const struct gp5_state *s, unsigned c)
{
    const float value[4] = {s->depth_range[0], s->depth_range[1], s->depth_range[1] - s->depth_range[0], 1};

    return value[c];
}

/* What belongs to a unit, a coordinate set or a plane. */
static float numbered_value(const struct gp5_state *s, uint16_t kind, unsigned n, unsigned c)
{
    switch (kind) {
    case BIND_STATE_TEXGEN_EYE_S: return s->texgen[n].eye[0][c];
    case BIND_STATE_TEXGEN_EYE_T: return s->texgen[n].eye[1][c];
    case BIND_STATE_TEXGEN_EYE_R: return s->texgen[n].eye[2][c];
    case BIND_STATE_TEXGEN_EYE_Q: return s->texgen[n].eye[3][c];
    case BIND_STATE_TEXGEN_OBJECT_S: return s->texgen[n].object[0][c];
    case BIND_STATE_TEXGEN_OBJECT_T: return s->texgen[n].object[1][c];
    case BIND_STATE_TEXGEN_OBJECT_R: return s->texgen[n].object[2][c];
    case BIND_STATE_TEXGEN_OBJECT_Q: return s->texgen[n].object[3][c];
    case BIND_STATE_TEXENV_COLOR: return s->texenv_color[n][c];
    case BIND_STATE_CLIP_PLANE: return s->clip_plane[n][c];
    default: return 0;
    }
}

static float value_of(const struct gp5_state *s, uint16_t kind, uint32_t index, unsigned c)
{
    unsigned n = index & 7;

    if (is_matrix(kind))
        return matrix_value(s, kind, index, c);
    if (!strncmp(binding_table[kind].words, "state.light[", 12) ||
        !strncmp(binding_table[kind].words, "state.lightprod", 15))
        return light_value(s, kind, &s->light[n], c);
    switch (kind) {
    case BIND_STATE_FOG_COLOR: return s->fog_color[c];
    case BIND_STATE_FOG_PARAMS: return fog_value(s, c);
    case BIND_STATE_POINT_SIZE: return point_value(s, c);
    case BIND_STATE_POINT_ATTENUATION: return c < 3 ? s->point_attenuation[c] : 1;
    case BIND_STATE_DEPTH_RANGE: return depth_value(s, c);
    case BIND_STATE_MATRIX_NORMALSCALE: return c % 3 == 0;
    default: break;
    }
    if (!strncmp(binding_table[kind].words, "state.material", 14) ||
        !strncmp(binding_table[kind].words, "state.lightmodel", 16))
        return material_value(s, kind, c);
    return numbered_value(s, kind, n, c);
}

/* ---- bindings ------------------------------------------------------------------------------------------ */

bool eval_is_state(uint16_t kind)
{
    const char *words = kind < BIND_COUNT ? binding_table[kind].words : "";

    return !strncmp(words, "state.", 6) && strncmp(words, "state.thread.", 13);
}

bool eval_state_is_open(uint16_t kind, unsigned component, bool nvidia)
{
    return !nvidia && kind == BIND_STATE_POINT_SIZE && component == 2;
}

uint32_t eval_state_rows(uint16_t kind)
{
    return is_matrix(kind) && !has_row(kind) ? 4 : 1;
}

uint32_t eval_state_index(const struct binding *b, uint32_t at)
{
    bool row = is_matrix(b->kind) && has_row(b->kind);
    uint32_t number = b->nindices > row ? b->first[0] : 0, first = row ? b->first[b->nindices - 1] : 0;

    return is_matrix(b->kind) ? number | (first + at) << 16 : number + at;
}

/* NVIDIA's driver: its unit vectors are a little short, and compute programs have no points. A pixel has one sample, an
 * integer, in its middle. */
uint32_t eval_state_word(const struct gp5_state *state, uint16_t kind, uint32_t index, unsigned component, bool nvidia)
{
    if (kind == BIND_STATE_MULTISAMPLE_SAMPLES || kind == BIND_STATE_MULTISAMPLE_POSITIONS)
        return kind == BIND_STATE_MULTISAMPLE_SAMPLES ? component == 0 : component < 2 ? 0x3f000000 : 0;
    if (nvidia && kind == BIND_STATE_POINT_SIZE)
        return 0;
    if (nvidia && kind == BIND_STATE_LIGHT_HALF && component < 3)
        return num_word(half_vector(&state->light[index & 7], component) * 0x1.ffff7p-1f);
    return num_word(value_of(state, kind, index, component));
}
