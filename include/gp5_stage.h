/* gp5: what a stage of a graphics program is launched with: arrays of inputs and results by binding, and the state of a
 * GL context behind the bindings state.*. Included by gp5.h. Nothing of a GL is needed for any of it. */
#ifndef GP5_STAGE_H
#define GP5_STAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Values of one input or result of a stage. `binding` is what the program's text writes: "vertex.texcoord[0]",
 * "result.color.secondary", "v[OPOS]"; a name that is left out of it ("vertex.texcoord") is that of index 0. `words`
 * are four raw 32-bit words an element, x y z w, of which a scalar has the first. Inputs are read and results written
 * in place; the memory is the caller's. */
struct gp5_array {
    const char *binding;
    uint32_t *words;            /* count x 4 */
    size_t count;               /* elements: vertices, fragments ... */
    uint8_t stream;             /* of results of geometry programs: the vertex stream, 0 to 3 */
    bool wide;                  /* of an attribute that the program declares LONG: count x 8 words, each component of 64
                                 * bits, its low word first */
    uint32_t *undefined;        /* of results: NULL, or count x 4 words: the origin of each word that is undefined
                                 * after the run (an index into the report's origins, from 1), 0 where it is defined */
};

/* The state of a GL context that programs read as state.*, in the units of the GL calls that set it; matrices are
 * column-major, as glLoadMatrixf takes them. Positions and planes are in eye space, as the GL keeps them. */
enum { GP5_LIGHTS = 8, GP5_TEXTURE_COORDS = 8, GP5_TEXTURE_UNITS = 8, GP5_CLIP_PLANES = 8, GP5_PROGRAM_MATRICES = 8 };

struct gp5_material {
    float ambient[4], diffuse[4], specular[4], emission[4], shininess;
};

struct gp5_light {
    float ambient[4], diffuse[4], specular[4];
    float position[4], spot_direction[3];
    float spot_exponent, spot_cutoff;       /* cutoff in degrees: 0 to 90, or 180 */
    float attenuation[3];                   /* constant, linear, quadratic */
};

struct gp5_texgen {
    float eye[4][4], object[4][4];          /* planes of s t r q */
};

struct gp5_state {
    float modelview[16], projection[16], texture[GP5_TEXTURE_COORDS][16], program[GP5_PROGRAM_MATRICES][16];
    struct gp5_material front, back;
    struct gp5_light light[GP5_LIGHTS];
    float light_model_ambient[4];
    struct gp5_texgen texgen[GP5_TEXTURE_COORDS];
    float texenv_color[GP5_TEXTURE_UNITS][4];
    float fog_color[4], fog_density, fog_start, fog_end;
    float clip_plane[GP5_CLIP_PLANES][4];
    float point_size, point_size_min, point_size_max, point_fade_threshold, point_attenuation[3];
    float depth_range[2];
    bool clamp_vertex_color;                /* results that are colours are clamped to 0..1 when a vertex stage ends */
    bool clamp_fragment_color;
};

#ifdef __cplusplus
}
#endif

#endif
