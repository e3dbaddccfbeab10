/* TXF, TXQ, and TEX and TXL without a filter, of one lane: docs/textures.md. Coordinates are rational numbers, in integers of 128 bits. */
#include "tests/slow/internal.h"

#include <string.h>

typedef __int128 wide;

/* A texture as an instruction sees it. `why` is set where the text promises nothing. */
struct sampled {
    const struct gp5_texture *texture;
    bool why, open;             /* open: the element of a variable is undefined */
};

struct spot {
    uint32_t level;
    wide at[3];
};

static unsigned kind_of(unsigned target, unsigned *coordinates, bool *array)
{
    *array = target == TARGET_ARRAY1D || target == TARGET_ARRAY2D || target == TARGET_ARRAYCUBE || target == TARGET_ARRAY2DMS;
    switch (target) {
    case TARGET_1D: *coordinates = 1; return GP5_TEXTURE_1D;
    case TARGET_2D: *coordinates = 2; return GP5_TEXTURE_2D;
    case TARGET_3D: *coordinates = 3; return GP5_TEXTURE_3D;
    case TARGET_RECT: *coordinates = 2; return GP5_TEXTURE_RECT;
    case TARGET_ARRAY1D: *coordinates = 1; return GP5_TEXTURE_ARRAY1D;
    case TARGET_ARRAY2D: *coordinates = 2; return GP5_TEXTURE_ARRAY2D;
    case TARGET_BUFFER: *coordinates = 1; return GP5_TEXTURE_BUFFER;
    case TARGET_2DMS: *coordinates = 2; return GP5_TEXTURE_2DMS;
    case TARGET_ARRAY2DMS: *coordinates = 2; return GP5_TEXTURE_ARRAY2DMS;
    case TARGET_CUBE: *coordinates = 0; return GP5_TEXTURE_CUBE;            /* for TXQ */
    case TARGET_ARRAYCUBE: *coordinates = 0; return GP5_TEXTURE_ARRAYCUBE;
    default: return GP5_TEXTURE_KINDS;
    }
}

static bool find(struct slow_lane *l, const struct operand *o, unsigned kind, struct sampled *s)
{
    const struct slow_launch *launch = l->group->launch;
    const struct gp5_program *p = l->group->program->text;
    int64_t element = 0, n = 0, unit = -1;
    memset(s, 0, sizeof *s);
    if (o->kind != OPND_TEXTURE)
        return false;
    if (!(o->flags & OPND_BY_NAME)) {
        unit = program_binding(p, o->ref)->first[0];
    } else {
        const struct symbol *y = program_symbol(p, o->ref);
        if (o->nindices && !slow_index(l, program_index(p, o->index), &element, &s->open))
            return false;
        for (uint32_t k = 0; k < y->nbindings; k++)
            for (uint32_t u = program_binding(p, y->binding + k)->first[0]; u <= program_binding(p, y->binding + k)->last[0]; u++) {
                if (n <= element || element < 0)        /* the last one for what is beyond */
                    unit = u;
                n++;
            }
        s->why = element < 0 || element >= n;
    }
    for (size_t k = 0; k < launch->ntextures; k++)
        if (launch->textures[k].texture.unit == unit && launch->textures[k].texture.kind == kind)
            s->texture = &launch->textures[k].texture;
    s->why |= !s->texture;
    return true;
}

static uint32_t half_of(uint32_t n)
{
    return n > 1 ? n / 2 : n;
}

static void sizes(const struct gp5_texture *t, uint32_t level, uint32_t size[3])
{
    memcpy(size, t->size, 3 * sizeof *size);
    for (; level; level--) {
        size[0] = half_of(size[0]);
        size[1] = half_of(size[1]);
        if (t->kind == GP5_TEXTURE_3D)
            size[2] = half_of(size[2]);
    }
}

/* ---- numbers ------------------------------------------------------------------------------------------------------------ */

/* A float times 2^bits, towards minus infinity or zero; what has no number here is 0, what is large is cut off. */
static wide scaled(uint32_t f, int bits, bool down)
{
    int e = (int)(f >> 23 & 255) - 150 + bits;
    wide m = (f & 0x7fffff) | 0x800000;
    if ((f >> 23 & 255) == 0)           /* denormals are zero */
        return 0;
    if ((f & 0x7fffffff) > 0x7f800000)
        return 0;
    if (e > 60)
        e = 60;
    if (f >> 31)
        m = -m;
    if (e >= 0)
        return m * ((wide)1 << e);
    if (e < -40)
        return m < 0 && down ? -1 : 0;
    wide unit = (wide)1 << -e, q = m / unit;
    return down && q * unit > m ? q - 1 : q;
}

static wide remainder_of(wide n, wide of)
{
    return ((n % of) + of) % of;
}

/* The texel for number i; -1 for the border. */
static wide wrapped(wide i, uint32_t size, unsigned wrap)
{
    switch (wrap) {
    case GP5_WRAP_REPEAT: return remainder_of(i, size);
    case GP5_WRAP_MIRRORED_REPEAT:
        i = remainder_of(i, (wide)2 * size);
        return i < size ? i : 2 * (wide)size - 1 - i;
    case GP5_WRAP_CLAMP_TO_BORDER: return i < 0 || i >= size ? -1 : i;
    case GP5_WRAP_MIRROR_CLAMP_TO_EDGE:
        if (i < 0)
            i = -1 - i;
        break;
    default: break;
    }
    return i < 0 ? 0 : i >= size ? size - 1 : i;
}

static wide layer_of(uint32_t f, uint32_t layers)
{
    wide halves = scaled(f, 1, true), n = (halves + 1) / 2;
    bool tie = halves % 2 != 0 && scaled(f, 24, true) == halves * ((wide)1 << 23);
    if (f >> 31 || halves < 1)
        return 0;
    if (tie && n % 2)
        n--;
    return n < layers ? n : layers - 1;
}

/* ---- instructions ------------------------------------------------------------------------------------------------------- */

static void nothing(struct slow_value r[4], bool open)
{
    for (unsigned c = 0; c < 4; c++)
        r[c] = (struct slow_value){.bits = c == 3 ? 0x3f800000 : 0, .open = open};
}

/* A texel that there is, or 0. */
static void read_texel(const struct gp5_texture *t, const struct spot *p, struct slow_value r[4])
{
    const struct gp5_format_info *f = gp5_format_info(t->format);
    uint32_t size[3], word[4] = {0};
    uint64_t at = 0, bytes = f->bits ? f->components * f->bits / 8u : 4;
    bool there = p->level < t->levels, whole = f->kind == GP5_KIND_UINT || f->kind == GP5_KIND_SINT || f->kind == GP5_KIND_PACKED_UINT;
    for (uint32_t level = 0; there && level < p->level; level++) {
        sizes(t, level, size);
        at += (uint64_t)size[0] * size[1] * size[2] * bytes;
    }
    sizes(t, p->level < t->levels ? p->level : 0, size);
    for (unsigned k = 0; k < 3; k++)
        there &= p->at[k] >= 0 && p->at[k] < size[k];
    if (there)
        slow_texel(f, t->data + at + (((uint64_t)p->at[2] * size[1] + (uint64_t)p->at[1]) * size[0] + (uint64_t)p->at[0]) * bytes, word);
    for (unsigned c = 0; c < 4; c++)
        r[c] = (struct slow_value){.bits = c < f->components ? word[c] : c < 3 ? 0 : whole ? 1 : 0x3f800000};
    if (t->format == GP5_FORMAT_DEPTH32F)
        r[1] = r[2] = r[0];
}

/* Texel offsets: numbers, or a vector of which four bits count. */
static bool offsets(struct slow_lane *l, const struct insn *insn, unsigned n, wide out[3], bool *open)
{
    for (unsigned k = 0; k < 3; k++)
        out[k] = k < insn->ntexture_offsets ? insn->texture_offset[k] : 0;
    for (unsigned k = 0; k < insn->nsrc; k++) {
        const struct operand *o = program_operand(l->group->program->text, insn->src + k);
        struct slow_value v[4];
        if (!(o->flags & OPND_OFFSET))
            continue;
        if (!slow_fetch(l, o, DT_S32, v))
            return false;
        for (unsigned c = 0; c < n; c++) {
            out[c] = (wide)remainder_of((int32_t)v[c].bits + 8, 16) - 8;
            *open |= v[c].open;
        }
    }
    return true;
}

static bool query(const struct sampled *s, const struct slow_value v[4], bool array, unsigned target, bool nvidia,
                  struct slow_value r[4])
{
    unsigned n = target == TARGET_1D || target == TARGET_BUFFER ? 1
                 : target == TARGET_3D || target == TARGET_ARRAY2D || target == TARGET_ARRAYCUBE || target == TARGET_ARRAY2DMS ? 3 : 2;
    uint32_t size[3] = {1, 1, 0}, levels = s->texture ? s->texture->levels : 1;
    bool there = v[0].bits < levels;
    if (s->texture)
        sizes(s->texture, there ? (uint32_t)v[0].bits : 0, size);
    if (array && target == TARGET_ARRAY1D)
        size[1] = size[2];
    if (target == TARGET_ARRAYCUBE)
        size[2] /= 6;
    for (unsigned c = 0; c < 4; c++) {
        uint64_t bits = c == 3 ? levels : there && (c < n || !s->texture || target == TARGET_2DMS) ? size[c] : 0;
        r[c] = (struct slow_value){.bits = bits, .open = v[0].open || s->open || (!nvidia && (s->why || !there || c >= n))};
    }
    return true;
}

/* The level that a sampler without a linear filter takes. */
static uint32_t level_of(const struct gp5_texture *t, wide lod)
{
    const struct gp5_sampler *y = &t->sampler;
    uint32_t most, least;
    wide high, low, last = (wide)(t->levels - 1) * 256;
    memcpy(&most, &y->max_lod, 4);
    memcpy(&least, &y->min_lod, 4);
    high = scaled(most, 8, false);
    low = scaled(least, 8, false);
    lod = lod > high ? high : lod;
    lod = lod < low ? low : lod;
    lod = lod > last ? last : lod;
    return lod <= 0 || y->min_filter == GP5_FILTER_NEAREST ? 0 : (uint32_t)((lod + 128) / 256);
}

/* TEX and TXL: false where a filter would mix texels. */
static bool sample(const struct insn *insn, const struct sampled *s, const struct slow_value v[4], unsigned n, bool array,
                   const wide offset[3], struct slow_value r[4])
{
    const struct gp5_texture *t = s->texture;
    uint32_t bias, size[3];
    struct spot p = {0};
    if (t->sampler.mag_filter != GP5_FILTER_NEAREST || t->sampler.compare ||
        (t->sampler.min_filter != GP5_FILTER_NEAREST && t->sampler.min_filter != GP5_FILTER_NEAREST_MIPMAP_NEAREST))
        return false;
    memcpy(&bias, &t->sampler.bias, 4);
    p.level = level_of(t, insn->op == OP_TXL ? scaled((uint32_t)v[3].bits, 8, false) + scaled(bias, 8, false) : 0);
    sizes(t, p.level, size);
    for (unsigned k = 0; k < n; k++) {
        uint32_t f = (uint32_t)v[k].bits;
        bool repeats = t->sampler.wrap[k] == GP5_WRAP_REPEAT || t->sampler.wrap[k] == GP5_WRAP_MIRRORED_REPEAT;
        int bits = t->kind == GP5_TEXTURE_RECT ? 24 : size[k] > 8192 ? 22 : 21;
        if (repeats && (f & 0x7fffffff) == 0x7f800000)
            f = 0;
        wide u = scaled(f, bits, true) * (t->kind == GP5_TEXTURE_RECT ? 1 : size[k]);
        u -= remainder_of(u, (wide)1 << bits);
        p.at[k] = wrapped(u / ((wide)1 << bits) + offset[k], size[k], t->sampler.wrap[k]);
        if (p.at[k] < 0)
            return false;       /* a border */
    }
    if (array)
        p.at[2] = layer_of((uint32_t)v[n].bits, size[2]);
    read_texel(t, &p, r);
    return true;
}

static void fetch(const struct insn *insn, const struct sampled *s, const struct slow_value v[4], unsigned n, bool array,
                  const wide offset[3], struct slow_value r[4])
{
    struct spot p = {.level = insn->texture_target == TARGET_BUFFER ? 0 : (uint32_t)v[3].bits};
    for (unsigned k = 0; k < n; k++)
        p.at[k] = (int32_t)v[k].bits + offset[k];
    if (array)
        p.at[2] = (int32_t)v[n].bits;
    read_texel(s->texture, &p, r);
}

/* A sample stands as a slice of its layer. */
static void fetch_sample(const struct sampled *s, const struct slow_value v[4], bool array, struct slow_value r[4])
{
    struct gp5_texture slices = *s->texture;
    struct spot p = {.at = {(int32_t)v[0].bits, (int32_t)v[1].bits, array ? (int32_t)v[2].bits : 0}};
    wide n = s->texture->samples, sample = remainder_of((int32_t)v[3].bits, n);
    p.at[2] = p.at[2] < 0 ? -1 : p.at[2] * n + sample;
    slices.size[2] *= s->texture->samples;
    read_texel(&slices, &p, r);
}

/* TXQS has no operand but the texture. */
static bool count_samples(struct slow_lane *l, const struct insn *insn, unsigned kind)
{
    struct slow_value r[4] = {{0}};
    struct sampled s;
    if (!find(l, program_operand(l->group->program->text, insn->src), kind, &s) || !l->group->program->nvidia)
        return slow_fail(l->group, SLOW_NOT_EVALUATED, "this use of a texture", insn);
    r[0] = (struct slow_value){.bits = s.texture ? s.texture->samples : 1, .open = s.open};
    for (unsigned c = 1; c < 4; c++)
        r[c].open = s.open;
    return slow_write(l, insn, DT_S32, 15, r, NULL);
}

bool slow_is_texture(unsigned op)
{
    return op == OP_TXF || op == OP_TXFMS || op == OP_TXQS || op == OP_TXQ || op == OP_TEX || op == OP_TXL;
}

bool slow_texture(struct slow_lane *l, const struct insn *insn)
{
    const struct gp5_program *p = l->group->program->text;
    bool nvidia = l->group->program->nvidia, array, open = false, whole = insn->op == OP_TXF || insn->op == OP_TXFMS || insn->op == OP_TXQ, ok = true;
    unsigned n = 0, kind = kind_of(insn->texture_target, &n, &array);
    struct slow_value v[4], r[4];
    struct sampled s;
    wide offset[3];
    if (insn->op == OP_TXQS)
        return count_samples(l, insn, kind);
    ok = kind != GP5_TEXTURE_KINDS && !(insn->flags & INSN_LODCLAMP) && (insn->op == OP_TXQ || n) &&
         slow_fetch(l, program_operand(p, insn->src), whole ? DT_S32 : DT_F32, v) &&
         find(l, program_operand(p, insn->src + 1), kind, &s) && offsets(l, insn, n, offset, &open) && nvidia;
    if (!ok)
        return slow_fail(l->group, SLOW_NOT_EVALUATED, "this use of a texture", insn);
    for (unsigned k = 0; k < 4; k++)
        open |= (k < n + array || (k == 3 && insn->op != OP_TEX && kind != GP5_TEXTURE_BUFFER)) && v[k].open;
    if (insn->op == OP_TXQ)
        return query(&s, v, array, insn->texture_target, nvidia, r) && slow_write(l, insn, DT_S32, 15, r, NULL);
    if (!s.texture)
        nothing(r, false);
    else if (insn->op == OP_TXFMS)
        fetch_sample(&s, v, array, r);
    else if (insn->op == OP_TXF)
        fetch(insn, &s, v, n, array, offset, r);
    else if (!sample(insn, &s, v, n, array, offset, r))
        return slow_fail(l->group, SLOW_NOT_EVALUATED, "a filter that mixes texels", insn);
    for (unsigned c = 0; c < 4; c++) {
        r[c].open |= open || s.open;
        r[c].bits = slow_saturate(l->group->program, insn->type, insn->flags & (INSN_SAT | INSN_SSAT), r[c].bits);
    }
    return slow_write(l, insn, insn->type, 15, r, NULL);
}
