/* Texture instructions, a lane at a time: from operands to what is sampled. */
#include "eval/numeric/words.h"
#include "eval/texture/sample.h"

#include <string.h>

#define ONE 0x3f800000u

static int32_t integer(const struct warp *w, uint32_t plane, unsigned lane)
{
    return (int32_t)PLANE(w->base, plane)[lane];
}

unsigned eval_texture_operands(const struct texture_call *t, uint32_t plane[TEXTURE_OPERANDS])
{
    unsigned n = 0;

    for (unsigned k = 0; k < t->nvectors; k++)
        for (unsigned c = 0; c < 4; c++)
            plane[n++] = t->vector[k][c];
    for (unsigned c = 0; t->moved && c < 3; c++)
        plane[n++] = t->offset_plane[c];
    if (t->unit_index != NO_PLANE)
        plane[n++] = t->unit_index;
    if (t->handle != NO_PLANE)
        plane[n++] = t->handle;
    return n;
}

unsigned eval_texture_dimensions(unsigned kind)
{
    switch (kind) {
    case GP5_TEXTURE_1D: case GP5_TEXTURE_ARRAY1D: case GP5_TEXTURE_BUFFER: return 1;
    case GP5_TEXTURE_3D: case GP5_TEXTURE_CUBE: case GP5_TEXTURE_ARRAYCUBE: return 3;
    default: return 2;
    }
}

static bool is_array(unsigned kind)
{
    return kind == GP5_TEXTURE_ARRAY1D || kind == GP5_TEXTURE_ARRAY2D || kind == GP5_TEXTURE_ARRAYCUBE ||
           kind == GP5_TEXTURE_ARRAY2DMS;
}

/* Of colors the driver compares what stands as a depth could: one number of 16 or 32 bits. */
static bool is_compared(unsigned format)
{
    const struct gp5_format_info *info = gp5_format_info(format);

    return info->components == 1 && info->bits >= 16;
}

/* ---- offsets ------------------------------------------------------------------------------------------------ */

/* The bits of an offset that count, with their sign. */
static int32_t keep_bits(int32_t offset, unsigned bits)
{
    uint32_t sign = UINT32_C(1) << (bits - 1), low = (uint32_t)offset & (sign * 2 - 1);

    return (int32_t)(low ^ sign) - (int32_t)sign;
}

/* A variable offset has four bits, a gather's six. */
static void find_offsets(const struct warp *w, const struct texture_call *t, unsigned lane, int32_t offset[3],
                         struct texture_result *r)
{
    unsigned bits = t->op == OP_TXG ? 6 : 4, n = eval_texture_dimensions(t->kind);

    for (unsigned i = 0; i < 3; i++) {
        int32_t wanted = t->moved && i < n ? integer(w, t->offset_plane[i], lane) : t->offset[i];
        offset[i] = t->moved ? keep_bits(wanted, bits) : wanted;
        if (wanted != offset[i] && !r->fault)
            r->fault = TEXTURE_OFFSET;
    }
}

/* ---- what is sampled ---------------------------------------------------------------------------------------- */

/* The component in which a layer stands, and behind it the reference: a component of 4 and more is the second vector's.
 */
static unsigned layer_component(unsigned kind)
{
    return kind == GP5_TEXTURE_ARRAY1D ? 1 : kind == GP5_TEXTURE_ARRAY2D || kind == GP5_TEXTURE_ARRAY2DMS ? 2 : 3;
}

unsigned eval_texture_reference(unsigned kind)
{
    switch (kind) {
    case GP5_TEXTURE_CUBE: case GP5_TEXTURE_ARRAY2D: return 3;
    case GP5_TEXTURE_ARRAYCUBE: return 4;
    default: return 2;
    }
}

static void find_place(const struct warp *w, const struct texture_call *t, unsigned lane, struct sample *s)
{
    float direction[3];
    uint32_t layers = s->view->texture->size[2], face = 0;
    unsigned n = eval_texture_dimensions(t->kind);

    for (unsigned i = 0; i < n; i++)
        s->st[i] = direction[i] = eval_texture_value(w, t->vector[0][i], lane);
    if (is_array(t->kind))
        s->layer = eval_coord_layer(eval_texture_value(w, t->vector[0][layer_component(t->kind)], lane),
                                    eval_texture_is_cube(t->kind) ? layers / 6 : layers);
    if (eval_texture_is_cube(t->kind)) {
        eval_cube_face(direction, &face, s->st);
        s->layer = s->layer * 6 + face;
    }
    if (t->shadow) {
        unsigned c = eval_texture_reference(t->kind);
        s->reference = eval_texture_value(w, c < 4 ? t->vector[0][c] : t->vector[1][c - 4], lane);
        s->compares = s->view->texture->sampler.compare != GP5_COMPARE_NONE && is_compared(s->view->texture->format);
    }
}

/* ---- instructions ------------------------------------------------------------------------------------------- */

/* What there is where no texture is. It has a level. */
static void fill_nothing(const struct warp *w, const struct texture_call *t, unsigned lane, uint32_t word[4])
{
    static const uint32_t texel[4] = {0, 0, 0, ONE}, size[4] = {1, 1, 0, 1}, none[4] = {0, 0, 0, 1},
                          samples[4] = {1, 0, 0, 0};
    bool first = t->op == OP_TXQ && !integer(w, t->vector[0][0], lane);

    memcpy(word, t->op == OP_TXQS ? samples : t->op != OP_TXQ ? texel : first ? size : none, sizeof texel);
}

/* TXQ: the size of a level, 0 of one that is not there; and how many levels there are. */
static void query(const struct warp *w, const struct texture_call *t, unsigned lane, struct texture_result *r)
{
    const struct texture_view *v = r->view;
    int32_t level = integer(w, t->vector[0][0], lane);
    unsigned n = t->kind == GP5_TEXTURE_1D || t->kind == GP5_TEXTURE_BUFFER ? 1
                 : t->kind == GP5_TEXTURE_3D || t->kind == GP5_TEXTURE_ARRAY2D || t->kind == GP5_TEXTURE_ARRAYCUBE ||
                   t->kind == GP5_TEXTURE_ARRAY2DMS ? 3 : 2;

    memset(r->word, 0, sizeof r->word);
    r->word[3] = v->texture->levels;
    if (!w->worker->run->flush)
        r->open = (uint8_t)(15u << n & 15);
    if (level < 0 || (uint32_t)level >= v->texture->levels) {
        r->fault = TEXTURE_LEVEL;
        return;
    }
    for (unsigned i = 0; i < n; i++)
        r->word[i] = v->level[level].size[i];
    if (t->kind == GP5_TEXTURE_2DMS)
        r->word[2] = 1;
    if (t->kind == GP5_TEXTURE_ARRAY1D)
        r->word[1] = v->level[level].size[2];
    if (t->kind == GP5_TEXTURE_ARRAYCUBE)
        r->word[2] /= 6;
}

static bool has_levels(const struct gp5_sampler *s)
{
    return s->min_filter != GP5_FILTER_NEAREST && s->min_filter != GP5_FILTER_LINEAR;
}

/* TXF and TXFMS: a texel that is not there is 0 in what the format has. */
static void fetch_nothing(const struct texture_view *v, uint32_t word[4])
{
    memset(word, 0, 4 * sizeof *word);
    if (gp5_format_info(v->texture->format)->components < 4)
        word[3] = eval_format_is_float(v->texture->format) ? ONE : 1;
}

static void fetch_tap(struct texture_result *r, const struct texel_level *level, const struct tap *tap)
{
    struct footprint *f = &r->place[0];
    struct sample s = {.view = r->view};

    r->nplaces = f->n = f->quad[0].n = 1;
    f->quad[0].level = level;
    f->quad[0].tap[0] = *tap;
    eval_fetch_tap(&s, level, tap, r->word);
}

/* The samples of a layer stand as its slices. Of a number beyond them the driver takes the low bits. */
static void fetch_sample(const struct warp *w, const struct texture_call *t, unsigned lane, struct texture_result *r)
{
    const struct gp5_texture *texture = r->view->texture;
    uint32_t layer = is_array(t->kind) ? PLANE(w->base, t->vector[0][2])[lane] : 0;
    uint32_t sample = PLANE(w->base, t->vector[0][3])[lane];
    struct tap tap = {.at = {0, 0, layer * texture->samples + sample % texture->samples}, .weight = 256};
    int32_t offset[3];
    bool there = layer < texture->size[2];

    find_offsets(w, t, lane, offset, r);
    if (sample >= texture->samples && !r->fault)
        r->fault = TEXTURE_SAMPLE;
    for (unsigned i = 0; i < 2; i++) {
        int64_t at = integer(w, t->vector[0][i], lane) + (int64_t)offset[i];
        tap.at[i] = (uint32_t)at;
        there &= at >= 0 && at < texture->size[i];
    }
    if (!there) {
        r->fault = TEXTURE_OUTSIDE;
        fetch_nothing(r->view, r->word);
        return;
    }
    fetch_tap(r, &r->view->level[0], &tap);
}

static void fetch(const struct warp *w, const struct texture_call *t, unsigned lane, struct texture_result *r)
{
    const struct texture_view *v = r->view;
    struct tap tap = {.weight = 256};
    int32_t level = t->kind == GP5_TEXTURE_BUFFER ? 0 : integer(w, t->vector[0][3], lane), offset[3];
    bool there = level >= 0 && (uint32_t)level < v->texture->levels;
    unsigned n = eval_texture_dimensions(t->kind);

    find_offsets(w, t, lane, offset, r);
    if (there && level && !has_levels(&v->texture->sampler) && !r->fault)
        r->fault = TEXTURE_LEVEL;
    for (unsigned i = 0; there && i < 3; i++) {
        int64_t at = i < n ? integer(w, t->vector[0][i], lane) + (int64_t)offset[i] : 0;
        if (i == 2 && is_array(t->kind))
            at = integer(w, t->vector[0][layer_component(t->kind)], lane);
        tap.at[i] = (uint32_t)at;
        there = at >= 0 && at < v->level[level].size[i];
    }
    if (!there) {
        r->fault = TEXTURE_OUTSIDE;
        fetch_nothing(v, r->word);
        return;
    }
    fetch_tap(r, &v->level[level], &tap);
}

/* TXG: a component of four texels, or four comparisons; TXGO: of the first of them with four offsets. */
static void gather(const struct warp *w, const struct texture_call *t, unsigned lane, struct sample *s,
                   struct texture_result *r)
{
    bool apart = t->op == OP_TXGO;

    r->nplaces = apart ? 4 : 1;
    for (unsigned k = 0; k < 4; k++) {
        struct footprint *f = &r->place[apart ? k : 0], one;
        uint32_t word[4];
        if (apart) {
            int32_t x = integer(w, t->vector[1][k], lane), y = integer(w, t->vector[2][k], lane);
            s->offset[0] = keep_bits(x, 6);
            s->offset[1] = keep_bits(y, 6);
            if ((s->offset[0] != x || s->offset[1] != y) && !r->fault)
                r->fault = TEXTURE_OFFSET;
        }
        if (apart || !k)
            eval_footprint_gather(f, s);
        if (apart) {
            f->quad[0].tap[0] = f->quad[0].tap[3];
            f->quad[0].n = 1;
        }
        eval_footprint_of_one(&one, s, &f->quad[0], apart ? 0 : k);
        eval_filter(s, &one, word);
        r->word[k] = word[s->compares ? 0 : t->component];
        if (one.quad[0].tap[0].border && t->component == 3 && s->view->texture->format == GP5_FORMAT_RGB10_A2UI)
            r->word[k] &= 0xff;         /* of a border's alpha no more */
    }
}

void eval_texture_lane(const struct warp *w, const struct texture_call *t, unsigned lane, struct texture_result *r)
{
    struct sample s = {.st = {0}};

    r->nplaces = 0;
    r->open = 0;
    r->view = s.view = eval_texture_find(w, t, lane, &r->fault);
    if (!r->view) {
        fill_nothing(w, t, lane, r->word);
        return;
    }
    if (t->op == OP_TXQ) {
        query(w, t, lane, r);
        return;
    }
    if (t->op == OP_TXQS) {
        memset(r->word, 0, sizeof r->word);
        r->word[0] = r->view->texture->samples;
        r->open = w->worker->run->flush ? 0 : 14;
        return;
    }
    if (t->op == OP_TXF || t->op == OP_TXFMS) {
        (t->op == OP_TXF ? fetch : fetch_sample)(w, t, lane, r);
        return;
    }
    find_offsets(w, t, lane, s.offset, r);
    find_place(w, t, lane, &s);
    if (t->op == OP_TXG || t->op == OP_TXGO) {
        gather(w, t, lane, &s, r);
        return;
    }
    if (t->op == OP_LOD) {
        eval_texture_lod_query(w, t, &s, lane, r);
        return;
    }
    r->nplaces = 1;
    eval_sample(&s, eval_texture_lod(w, t, &s, lane, r), &r->place[0], r->word);
}
