/* What both programs of a case get: numbers among which are all sorts, parameters, state, arrays of vertices,
 * textures. */
#define GL_GLEXT_PROTOTYPES
#include "tests/tools/translate_gl_own.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compare/script/data.h"

/* ---- numbers ---------------------------------------------------------------------------------------------------- */

static struct tg_given given;

struct tg_given *tg_given(void)
{
    return &given;
}

static uint64_t seed, drawn;

static uint32_t next(void)
{
    return (uint32_t)(data_random(seed, drawn++) >> 16);
}

void tg_begin_numbers(uint64_t from)
{
    seed = from;
    drawn = 0;
}

float tg_of_bits(uint32_t bits)
{
    float f;
    memcpy(&f, &bits, sizeof f);
    return f;
}

bool tg_is_nan(uint32_t w)
{
    return (w & 0x7fffffff) > 0x7f800000;
}

/* A third are what breaks things: NaN, infinities, denormals, both zeros, the largest, whole numbers and halves. */
static float any_number(void)
{
    static const uint32_t special[] = {0x7fc00000, 0xffc00000, 0x7f800000, 0xff800000, 1,
                                       0x80000001, 0x007fffff, 0,          0x80000000, 0x7f7fffff,
                                       0xff7fffff, 0x3f800000, 0xbf800000, 0x3f000000, 0x40000000,
                                       0x42fe0000, 0x43000000, 0xc3000000, 0x00800000, 0x7f7ffffe};
    uint32_t r = next();

    if (r % 3 == 0)
        return tg_of_bits(special[next() % (sizeof special / sizeof *special)]);
    if (r % 3 == 1)
        return (float)(int)(next() % 2001 - 1000) / 250.0f;
    return r & 8 ? tg_of_bits(next()) : ldexpf((float)(next() & 0xffffff) / 16777216.0f, (int)(next() % 20) - 10);
}

static float tame_number(void)
{
    return (float)(int)(next() % 2001 - 1000) / 250.0f;
}

/* ---- parameters and state --------------------------------------------------------------------------------------- */

void tg_set_parameters(GLenum target)
{
    GLint envs = 0, locals = 0;

    glGetProgramivARB(target, GL_MAX_PROGRAM_ENV_PARAMETERS_ARB, &envs);
    glGetProgramivARB(target, GL_MAX_PROGRAM_LOCAL_PARAMETERS_ARB, &locals);
    for (int i = 0; i < TG_PARAMETERS; i++) {
        if (i < envs)
            glProgramEnvParameter4fvARB(target, (GLuint)i, given.env[i]);
        if (i < locals)
            glProgramLocalParameter4fvARB(target, (GLuint)i, given.local[i]);
    }
    glGetError();
}

static void random_matrix(GLenum mode)
{
    float m[16];

    glMatrixMode(mode);
    for (int i = 0; i < 16; i++)
        m[i] = tame_number();
    glLoadMatrixf(m);
}

static void four(float v[4])
{
    for (int i = 0; i < 4; i++)
        v[i] = tame_number();
}

static void random_parameters(void)
{
    for (unsigned i = 0; i < TG_PARAMETERS; i++)
        for (unsigned c = 0; c < 4; c++) {
            given.env[i][c] = next() & 1 ? any_number() : tame_number();
            given.local[i][c] = next() & 1 ? any_number() : tame_number();
        }
    for (unsigned i = 0; given.constants && i < given.constants->count; i++)
        memcpy(given.env[HIDDEN_FIRST + i], given.constants->value[i], sizeof given.env[0]);
}

void tg_set_state(void)
{
    static const GLenum planes[] = {GL_S, GL_T, GL_R, GL_Q};
    static const GLenum material[] = {GL_AMBIENT, GL_DIFFUSE, GL_SPECULAR, GL_EMISSION};
    float v[4];

    random_matrix(GL_MODELVIEW);
    random_matrix(GL_PROJECTION);
    for (GLenum n = 0; n < 8; n++) {
        random_matrix(GL_MATRIX0_ARB + n);
        glActiveTexture(GL_TEXTURE0 + n);
        random_matrix(GL_TEXTURE);
        for (unsigned k = 0; k < 4; k++) {
            four(v);
            glTexGenfv(planes[k], GL_EYE_PLANE, v);
            four(v);
            glTexGenfv(planes[k], GL_OBJECT_PLANE, v);
        }
        four(v);
        glTexEnvfv(GL_TEXTURE_ENV, GL_TEXTURE_ENV_COLOR, v);
        GLenum light = GL_LIGHT0 + n;
        for (unsigned k = 0; k < 3; k++) {
            four(v);
            glLightfv(light, (GLenum[]){GL_AMBIENT, GL_DIFFUSE, GL_SPECULAR}[k], v);
        }
        four(v);
        glLightfv(light, GL_POSITION, v);
        four(v);
        glLightfv(light, GL_SPOT_DIRECTION, v);
        glLightf(light, GL_SPOT_EXPONENT, (float)(next() % 128));
        glLightf(light, GL_SPOT_CUTOFF, (float)(next() % 90));
        glLightf(light, GL_CONSTANT_ATTENUATION, fabsf(tame_number()));
        glLightf(light, GL_LINEAR_ATTENUATION, fabsf(tame_number()));
        glLightf(light, GL_QUADRATIC_ATTENUATION, fabsf(tame_number()));
        double plane[4] = {tame_number(), tame_number(), tame_number(), tame_number()};
        glClipPlane(GL_CLIP_PLANE0 + n, plane);
    }
    glActiveTexture(GL_TEXTURE0);
    for (unsigned face = 0; face < 2; face++) {
        for (unsigned k = 0; k < 4; k++) {
            four(v);
            glMaterialfv(face ? GL_BACK : GL_FRONT, material[k], v);
        }
        glMaterialf(face ? GL_BACK : GL_FRONT, GL_SHININESS, (float)(next() % 129));
    }
    four(v);
    glLightModelfv(GL_LIGHT_MODEL_AMBIENT, v);
    four(v);
    glFogfv(GL_FOG_COLOR, v);
    glFogf(GL_FOG_DENSITY, ldexpf(1, (int)(next() % 4)));
    glFogf(GL_FOG_START, tame_number());
    glFogf(GL_FOG_END, tame_number());
    glPointSize(1);
    glPointParameterf(GL_POINT_SIZE_MIN, fabsf(tame_number()));
    glPointParameterf(GL_POINT_SIZE_MAX, fabsf(tame_number()));
    glPointParameterf(GL_POINT_FADE_THRESHOLD_SIZE, fabsf(tame_number()));
    v[0] = 1;
    glPointParameterfv(GL_POINT_DISTANCE_ATTENUATION, v);
    glDepthRange(0.25, 0.75);
    random_parameters();
    glGetError();
}

/* ---- vertices --------------------------------------------------------------------------------------------------- */

void tg_give_arrays(void)
{
    for (unsigned i = 0; i < TG_ARRAYS; i++)
        for (unsigned k = 0; k < TG_COUNT; k++)
            for (unsigned c = 0; c < 4; c++)
                given.values[i][k][c] = any_number();
    /* What the GL fills in. */
    for (unsigned k = 0; k < TG_COUNT; k++) {
        given.values[1][k][3] = given.values[3][k][3] = given.values[4][k][3] = 1;
        given.values[4][k][1] = given.values[4][k][2] = 0;
    }
    if (!given.vertices)
        glGenBuffers(1, &given.vertices);
    glBindBuffer(GL_ARRAY_BUFFER, given.vertices);
    glBufferData(GL_ARRAY_BUFFER, sizeof given.values, given.values, GL_STREAM_DRAW);
    char *at = NULL;
    size_t step = sizeof given.values[0];
    glVertexPointer(4, GL_FLOAT, 16, at);
    glEnableClientState(GL_VERTEX_ARRAY);
    glNormalPointer(GL_FLOAT, 16, at + step);
    glEnableClientState(GL_NORMAL_ARRAY);
    glColorPointer(4, GL_FLOAT, 16, at + 2 * step);
    glEnableClientState(GL_COLOR_ARRAY);
    glSecondaryColorPointer(3, GL_FLOAT, 16, at + 3 * step);
    glEnableClientState(GL_SECONDARY_COLOR_ARRAY);
    glFogCoordPointer(GL_FLOAT, 16, at + 4 * step);
    glEnableClientState(GL_FOG_COORDINATE_ARRAY);
    for (unsigned n = 0; n < 8; n++) {
        glClientActiveTexture(GL_TEXTURE0 + n);
        glTexCoordPointer(4, GL_FLOAT, 16, at + (5 + n) * step);
        glEnableClientState(GL_TEXTURE_COORD_ARRAY);
    }
    for (unsigned n = 1; n < 16; n++) {
        glVertexAttribPointer(n, 4, GL_FLOAT, GL_FALSE, 16, at + (13 + n) * step);
        glEnableVertexAttribArray(n);
    }
}

/* Where the arrays of a core translation's inputs are: what no location has of its own. */
void tg_give_core_arrays(const struct tg_case *c)
{
    static const struct { const char *binding; unsigned array, size;
    } places[] = {{"vertex.position", 0, 4},
                  {"vertex.normal", 1, 3},
                  {"vertex.color.primary", 2, 4},
                  {"vertex.color.secondary", 3, 3},
                  {"vertex.fogcoord", 4, 1}};
    size_t step = (size_t)TG_COUNT * 16;

    for (unsigned n = 0; n < 16; n++)
        glDisableVertexAttribArray(n);
    glDisableClientState(GL_VERTEX_ARRAY);
    for (size_t i = 0; i < c->ninputs; i++) {
        unsigned array = 0, size = 4, n;
        if (sscanf(c->inputs[i].binding, "vertex.texcoord[%u]", &n) == 1)
            array = 5 + n;
        else if (sscanf(c->inputs[i].binding, "vertex.attrib[%u]", &n) == 1)
            array = n ? 13 + n : 0;
        for (size_t k = 0; k < sizeof places / sizeof *places; k++)
            if (!strcmp(places[k].binding, c->inputs[i].binding)) {
                array = places[k].array;
                size = places[k].size;
            }
        glVertexAttribPointer((GLuint)c->inputs[i].location, (GLint)size, GL_FLOAT, GL_FALSE, 16,
                              (const void *)(uintptr_t)(array * step));
        glEnableVertexAttribArray((GLuint)c->inputs[i].location);
    }
}

/* ---- textures --------------------------------------------------------------------------------------------------- */

enum { TEXELS = 8 };

static void texel_data(float (*texels)[4], unsigned n, bool is_depth)
{
    for (unsigned i = 0; i < n; i++)
        for (unsigned k = 0; k < 4; k++)
            texels[i][k] = is_depth ? (float)(next() % 256) / 255.0f : any_number();
}

static bool is_shadow_unit(const struct gp5_program *p, unsigned unit, unsigned target)
{
    for (uint32_t i = 0; i < p->insns.count; i++) {
        const struct insn *insn = program_insn(p, i);
        if (!insn->texture_target || !insn->nsrc)
            continue;
        const struct operand *o = program_operand(p, insn->src + insn->nsrc - 1u);
        if (o->kind == OPND_TEXTURE && !(o->flags & OPND_BY_NAME) && insn->texture_target == target &&
            (program_binding(p, o->ref)->nindices ? program_binding(p, o->ref)->first[0] : 0) == unit)
            return true;
    }
    return false;
}

void tg_set_textures(const struct gp5_program *p)
{
    static GLuint names[8][5];
    static const GLenum targets[] = {GL_TEXTURE_1D, GL_TEXTURE_2D, GL_TEXTURE_3D, GL_TEXTURE_CUBE_MAP,
                                     GL_TEXTURE_RECTANGLE};
    static const unsigned shadows[] = {TARGET_SHADOW1D, TARGET_SHADOW2D, 0, 0, TARGET_SHADOWRECT};
    static float texels[TEXELS * TEXELS * TEXELS][4];

    if (!names[0][0])
        glGenTextures(8 * 5, names[0]);
    for (unsigned unit = 0; unit < 8; unit++) {
        glActiveTexture(GL_TEXTURE0 + unit);
        for (unsigned k = 0; k < 5; k++) {
            bool shadow = shadows[k] && is_shadow_unit(p, unit, shadows[k]);
            GLenum format = shadow ? GL_DEPTH_COMPONENT : GL_RGBA, inner = shadow ? GL_DEPTH_COMPONENT32F : GL_RGBA32F;
            glBindTexture(targets[k], names[unit][k]);
            glTexParameteri(targets[k], GL_TEXTURE_MIN_FILTER, k == 4 ? GL_NEAREST : GL_NEAREST_MIPMAP_NEAREST);
            glTexParameteri(targets[k], GL_TEXTURE_MAG_FILTER, GL_NEAREST);
            glTexParameteri(targets[k], GL_TEXTURE_COMPARE_MODE, shadow ? GL_COMPARE_REF_TO_TEXTURE : GL_NONE);
            glTexParameteri(targets[k], GL_TEXTURE_COMPARE_FUNC, GL_LEQUAL);
            for (GLint level = 0, n = TEXELS; n; level++, n /= 2) {
                if (shadow && k == 0) {
                    texel_data(texels, TEXELS, true);
                    glTexImage1D(targets[k], level, (GLint)inner, n, 0, format, GL_FLOAT, texels);
                    continue;
                }
                texel_data(texels, (unsigned)(k == 2 ? n * n * n : n * n), shadow);
                if (k == 0)
                    glTexImage1D(targets[k], level, (GLint)inner, n, 0, format, GL_FLOAT, texels);
                else if (k == 2)
                    glTexImage3D(targets[k], level, (GLint)inner, n, n, n, 0, format, GL_FLOAT, texels);
                else if (k == 3)
                    for (GLenum face = 0; face < 6; face++)
                        glTexImage2D(GL_TEXTURE_CUBE_MAP_POSITIVE_X + face, level, (GLint)inner, n, n, 0, format,
                                     GL_FLOAT, texels);
                else if (k == 1 || level == 0)
                    glTexImage2D(targets[k], level, (GLint)inner, n, n, 0, format, GL_FLOAT, texels);
            }
        }
    }
    glActiveTexture(GL_TEXTURE0);
}
