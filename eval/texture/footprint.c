/* Which texels of a level a place is made of, and how much of each. A weight is split in two in one direction after the
 * other, each time rounded to 1/256, and the two halves of a split add up to what was split: by levels first, then by
 * z, x and y. Of a tie the part rounds up that the comments name. */
#include "eval/texture/sample.h"

#include <string.h>

enum { CORNER_SHARE = 85 };     /* of 256: a third */

static bool is_seamless(const struct gp5_texture *t)
{
    return t->sampler.seamless && (t->kind == GP5_TEXTURE_CUBE || t->kind == GP5_TEXTURE_ARRAYCUBE);
}

/* w * f / 256, to the nearest, ties up. */
static int32_t part(int32_t w, uint32_t f)
{
    return (w * (int32_t)f + 128) >> 8;
}

static unsigned dimensions(unsigned kind)
{
    switch (kind) {
    case GP5_TEXTURE_1D: case GP5_TEXTURE_ARRAY1D: return 1;
    case GP5_TEXTURE_3D: return 3;
    default: return 2;
    }
}

struct position {
    struct axis axis[3];
    int64_t i[3];               /* the first texel of two, or the only one */
    uint32_t fraction[3];
    unsigned n;
    bool seamless;              /* of a cube: what is beyond a face stands on the next one */
};

static void find_place(const struct sample *s, const struct texel_level *l, bool linear, struct position *p)
{
    const struct gp5_texture *t = s->view->texture;

    memset(p, 0, sizeof *p);
    p->n = dimensions(t->kind);
    p->seamless = is_seamless(t);
    for (unsigned k = 0; k < p->n; k++) {
        p->axis[k] = (struct axis){l->size[k], p->seamless ? GP5_WRAP_CLAMP_TO_BORDER : t->sampler.wrap[k],
                                   t->kind != GP5_TEXTURE_RECT};     /* a seam is no edge to stop at */
        p->i[k] = linear ? eval_coord_linear(&p->axis[k], s->st[k], s->offset[k], &p->fraction[k])
                         : eval_coord_nearest(&p->axis[k], s->st[k], s->offset[k]);
        if (p->seamless && !linear && !s->offset[k] && p->i[k] == (int64_t)l->size[k])
            p->i[k]--;          /* on the edge itself */
    }
}

/* Of a seamless cube. At a corner there is none. */
static struct tap over_seam(const struct sample *s, const struct position *p, unsigned x, unsigned y)
{
    int64_t texel[2] = {p->i[0] + x, p->i[1] + y};
    uint32_t face = s->layer % 6;
    struct tap tap = {.border = !eval_over_seam(&face, texel, p->axis[0].size)};

    tap.at[0] = (uint32_t)texel[0];
    tap.at[1] = (uint32_t)texel[1];
    tap.at[2] = s->layer / 6 * 6 + face;
    return tap;
}

/* The texel that is so many behind the place's first. */
static struct tap tap_at(const struct sample *s, const struct position *p, unsigned x, unsigned y, unsigned z)
{
    unsigned behind[3] = {x, y, z};
    struct tap tap = {.at = {0, 0, s->layer}};

    if (p->seamless)
        return over_seam(s, p, x, y);
    for (unsigned k = 0; k < p->n; k++)
        if (!eval_coord_wrap(&p->axis[k], p->i[k] + behind[k], &tap.at[k]))
            tap.border = true;
    return tap;
}

/* The texel so many behind the first is looked at where the fraction leads to it. */
static void put(struct quad *q, const struct sample *s, const struct position *p, unsigned x, unsigned y, unsigned z,
                int32_t weight)
{
    struct tap tap;
    bool looked_at = (!x || p->fraction[0]) && (!y || p->fraction[1]);

    if (!looked_at && !p->seamless)
        return;
    tap = tap_at(s, p, x, y, z);
    tap.looked_at = looked_at;
    tap.weight = weight;
    q->tap[q->n++] = tap;
}

/* Where three faces of a seamless cube meet there is no fourth texel: the three share its weight, what is left over
 * goes to the one on the face itself, which stands across from it. */
static void share_corner(struct quad *q, unsigned corner)
{
    int32_t weight = q->tap[corner].weight, share = part(weight, CORNER_SHARE);

    for (unsigned i = 0; i < 4; i++)
        q->tap[i].weight += i == (corner ^ 3) ? weight - 2 * share : share;
    q->tap[corner] = q->tap[3];
    q->n = 3;
}

/* Drops the texels that nobody looks at; of a cube a corner's share of them was needed. */
static void close_quad(struct quad *q)
{
    unsigned n = 0;

    for (unsigned i = 0; i < q->n; i++)
        if (q->tap[i].border)
            share_corner(q, i);
    for (unsigned i = 0; i < q->n; i++)
        if (q->tap[i].looked_at)
            q->tap[n++] = q->tap[i];
    q->n = n;
}

/* A plane of a level: the greater x rounds up, then the greater y of it, and the lesser y of the lesser x. */
static void add_plane(struct footprint *f, const struct sample *s, const struct texel_level *l,
                      const struct position *p, unsigned z, int32_t weight)
{
    struct quad *q = &f->quad[f->n];
    int32_t right = part(weight, p->fraction[0]), left = weight - right;
    int32_t high = p->n > 1 ? part(right, p->fraction[1]) : 0;
    int32_t low = p->n > 1 ? part(left, 256 - p->fraction[1]) : left;

    q->level = l;
    q->n = 0;
    put(q, s, p, 0, 0, z, low);
    put(q, s, p, 1, 0, z, right - high);
    put(q, s, p, 0, 1, z, left - low);
    put(q, s, p, 1, 1, z, high);
    if (p->seamless)
        close_quad(q);
    f->n++;
}

void eval_footprint_add(struct footprint *f, const struct sample *s, uint32_t level, uint32_t weight, bool linear)
{
    const struct texel_level *l = &s->view->level[level];
    struct position p;
    int32_t near;

    find_place(s, l, linear, &p);
    if (p.n < 3) {
        add_plane(f, s, l, &p, 0, (int32_t)weight);
        return;
    }
    near = part((int32_t)weight, 256 - p.fraction[2]);  /* the lesser z rounds up */
    add_plane(f, s, l, &p, 0, near);
    if (p.fraction[2])
        add_plane(f, s, l, &p, 1, (int32_t)weight - near);
}

void eval_footprint_gather(struct footprint *f, const struct sample *s)
{
    static const uint8_t order[4][2] = {{0, 1}, {1, 1}, {1, 0}, {0, 0}};
    const struct texel_level *l = &s->view->level[0];
    struct position p;

    find_place(s, l, true, &p);
    f->n = 1;
    f->quad[0].level = l;
    f->quad[0].n = 4;
    for (unsigned k = 0; k < 4; k++)
        f->quad[0].tap[k] = tap_at(s, &p, order[k][0], order[k][1], 0);
}

void eval_footprint_of_one(struct footprint *f, const struct sample *s, const struct quad *four, unsigned k)
{
    bool corner = is_seamless(s->view->texture) && four->tap[k].border;
    struct quad *q = &f->quad[0];

    *f = (struct footprint){.n = 1, .filtered = true};
    *q = (struct quad){.level = four->level, .tap = {four->tap[corner ? k ^ 2 : k]}, .n = 1};
    q->tap[0].weight = ONE_LEVEL - (corner ? 2 * CORNER_SHARE : 0);
    for (unsigned i = 1; corner && i < 4; i += 2) {
        q->tap[q->n] = four->tap[k ^ i];
        q->tap[q->n++].weight = CORNER_SHARE;
    }
}
