/* Texture instructions: what one asks for, and the textures of a launch that it may reach. */
#ifndef GP5_EVAL_TEXTURE_H
#define GP5_EVAL_TEXTURE_H

#include "eval/machine/warp_state.h"
#include "eval/numeric/words.h"
#include "eval/texture/texel.h"

/* A texture instruction. */
struct texture_call {
    uint16_t op;                /* enum gp5_op */
    uint8_t kind;               /* enum gp5_texture_kind of its target */
    bool shadow;                /* a SHADOW target */
    bool arb;                   /* of an ARB program: what no texture stands behind is defined there */
    bool quads;                 /* fragments: the level comes from differences over quads */
    bool clamped;               /* LODCLAMP; of TXD the least level stands in w of the third vector */
    uint8_t level, least;       /* components of the level or bias, and of LODCLAMP's; 4 and more: of the second */
    bool moved;                 /* offset(): planes, else the numbers below */
    uint8_t type;               /* enum data_type: F32 S32 U32 */
    uint8_t component;          /* TXG, TXGO: which one of the texels */
    uint8_t n, comp[4];
    uint32_t dst[4];
    uint8_t nvectors;
    uint32_t vector[3][4];      /* planes of the operands before the texture */
    uint32_t direction[3];      /* of a cube, as the program gives it: in vector[0] it is divided by its greatest
                                 * component */
    uint32_t offset_plane[4];
    int8_t offset[3];
    uint32_t units, nunits;     /* in the executable's `units`: those of a variable, one without */
    uint32_t unit_index;        /* plane, or NO_PLANE */
    int64_t unit_offset;
    uint32_t handle;            /* the first of a pair of planes, or NO_PLANE */
};

enum { MAX_TEXTURE_LEVELS = 15 };

/* A texture of the launch with its levels. */
struct texture_view {
    const struct gp5_texture *texture;
    struct texel_level level[MAX_TEXTURE_LEVELS];
    struct memory memory;       /* its data, with the shadow */
    bool plain, idle;           /* sampled a warp at a time, by `texels` (warp.c); nothing hangs on the level */
    struct texel_plane texels;
};

/* Why the value of an access is not what a texture's texels say. */
enum texture_fault {
    TEXTURE_FINE,
    TEXTURE_NO_HANDLE,          /* the handle is none of a texture's */
    TEXTURE_BEYOND_ARRAY,       /* the index is beyond an array of textures */
    TEXTURE_UNBOUND,            /* nothing is bound to the unit */
    TEXTURE_OTHER_TARGET,       /* the texture is of another kind than the instruction says */
    TEXTURE_OTHER_NUMBERS,      /* the type of the instruction is not that of the texture */
    TEXTURE_INTEGER_FILTER,     /* a filter that mixes texels, on integers: GL calls the texture incomplete */
    TEXTURE_NO_COMPARISON,      /* a SHADOW target on a texture that compares nothing, or has no depth */
    TEXTURE_COMPARISON,         /* another target on a texture that compares */
    TEXTURE_OFFSET,             /* an offset of more texels than there may be */
    TEXTURE_OUTSIDE,            /* TXF: the texel is outside, or the level is not there */
    TEXTURE_LEVEL,              /* TXQ: the level is not there; TXF: no level but the first without a filter that has
                                 * them */
    TEXTURE_SAMPLE,             /* TXFMS: the texel has no such sample */
    TEXTURE_QUAD,               /* a derivative of a quad of which not every lane is active */
    TEXTURE_FAULTS
};

/* texture.c */
struct decoder;
struct insn;
bool eval_decode_texture(struct decoder *d, const struct insn *insn);

/* resolve.c: the textures of a launch, into run->sampled. False without memory. */
bool eval_textures_map(struct run *run);
/* A view of a texture that has none yet. */
void eval_texture_look(struct texture_view *v, const struct gp5_texture *texture);
/* The texture that a lane reaches; NULL where there is none. */
const struct texture_view *eval_texture_reach(const struct warp *w, const struct texture_call *t, unsigned lane,
                                              enum texture_fault *fault);
/* The same, and whether it is one for this instruction. `fault` says what is wrong with it, or TEXTURE_FINE. */
const struct texture_view *eval_texture_find(const struct warp *w, const struct texture_call *t, unsigned lane,
                                             enum texture_fault *fault);
/* Whether the driver was measured to do one thing where the text leaves it open. */
bool eval_texture_fault_is_open(const struct warp *w, const struct texture_call *t, enum texture_fault fault);
const char *eval_texture_reason(enum texture_fault fault);

/* texture.c */
void eval_texture(struct warp *w, const struct step *s);
/* What an active lane gets. */
struct texture_result;
void eval_texture_lane(const struct warp *w, const struct texture_call *t, unsigned lane, struct texture_result *r);
/* The planes that an instruction reads; how many. */
enum { TEXTURE_OPERANDS = 20 };
unsigned eval_texture_operands(const struct texture_call *t, uint32_t plane[TEXTURE_OPERANDS]);
unsigned eval_texture_dimensions(unsigned kind);      /* coordinates of a place; of a cube those of a direction */
unsigned eval_texture_reference(unsigned kind);       /* the component that a reference stands in; 4: the second
                                                       * vector's x */
/* shadow_texture.c: before the step runs. */
bool eval_track_texture(struct warp *w, const struct step *s,      /* whether it has been done, too */
                        const struct texture_view *plain);

/* A number among the operands; kinds of six faces. */
static inline float eval_texture_value(const struct warp *w, uint32_t plane, unsigned lane)
{
    return num_float(PLANE(w->base, plane)[lane]);
}

static inline bool eval_texture_is_cube(unsigned kind)
{
    return kind == GP5_TEXTURE_CUBE || kind == GP5_TEXTURE_ARRAYCUBE;
}

#endif
