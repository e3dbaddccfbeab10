/* LOADIM, STOREIM, ATOMIM and IMQ of one lane: EXT_shader_image_load_store, and docs/semantics.md, "Images", for what
 * the driver does otherwise. Texels are found by walking over those before them. */
#include "tests/oracle/internal.h"

/* One image as an instruction sees it. */
struct image {
    struct oracle_texture *texture;
    const struct gp5_format_info *format;
    unsigned kind;              /* enum gp5_texture_kind that the program has to say */
    bool one_of_layers;         /* of a texture that has several: arrays and 3D */
    uint32_t w, h, d;           /* that it reaches */
    uint64_t first;             /* byte of its first texel */
};

enum lookup { FOUND, NOTHING_BOUND, WRONG_KIND, BEYOND };

bool oracle_is_image(unsigned op)
{
    return op == OP_LOADIM || op == OP_STOREIM || op == OP_ATOMIM || op == OP_IMQ || op == OP_IMQS;
}

static uint32_t smaller(uint32_t n, uint32_t level)
{
    for (; level && n > 1; level--)
        n /= 2;
    return n;
}

static unsigned texel_bytes(const struct gp5_format_info *f)
{
    return f->bits ? f->components * f->bits / 8u : 4;
}

/* The sizes of a level; layers and faces are as many in each. */
static void measure(const struct gp5_texture *t, uint32_t level, uint32_t *w, uint32_t *h, uint32_t *d)
{
    *w = smaller(t->size[0], level);
    *h = t->kind == GP5_TEXTURE_ARRAY1D ? t->size[1] : smaller(t->size[1], level);
    *d = t->kind == GP5_TEXTURE_3D ? smaller(t->size[2], level) : t->size[2];
}

static bool look(const struct oracle_launch *launch, uint64_t unit, struct image *i)
{
    const struct gp5_image *image = NULL;
    uint32_t w, h, d;
    for (size_t k = 0; k < launch->nimages; k++)
        if (launch->images[k].unit == unit)
            image = &launch->images[k];
    *i = (struct image){0};
    for (size_t k = 0; image && k < launch->ntextures; k++)
        if (launch->textures[k].texture.unit == image->texture)
            i->texture = &launch->textures[k];
    if (!i->texture || image->level >= i->texture->texture.levels)
        return false;
    i->format = gp5_format_info(image->format);
    i->kind = i->texture->texture.kind;
    if (!i->format || texel_bytes(i->format) != texel_bytes(gp5_format_info(i->texture->texture.format)))
        return false;
    for (uint32_t level = 0; level < image->level; level++) {
        measure(&i->texture->texture, level, &w, &h, &d);
        i->first += (uint64_t)w * h * d * texel_bytes(i->format);
    }
    measure(&i->texture->texture, image->level, &i->w, &i->h, &i->d);
    if (image->layered || i->kind < GP5_TEXTURE_3D || i->kind == GP5_TEXTURE_RECT || i->kind == GP5_TEXTURE_BUFFER)
        return true;
    i->one_of_layers = i->kind != GP5_TEXTURE_CUBE;
    i->kind = i->kind == GP5_TEXTURE_ARRAY1D ? GP5_TEXTURE_1D : GP5_TEXTURE_2D;
    i->first += (uint64_t)i->w * i->h * image->layer * texel_bytes(i->format);
    i->d = 1;
    return image->layer < i->texture->texture.size[2];
}

static unsigned kind_of_target(unsigned target)
{
    switch (target) {
    case TARGET_1D: return GP5_TEXTURE_1D;
    case TARGET_2D: return GP5_TEXTURE_2D;
    case TARGET_3D: return GP5_TEXTURE_3D;
    case TARGET_CUBE: return GP5_TEXTURE_CUBE;
    case TARGET_RECT: return GP5_TEXTURE_RECT;
    case TARGET_ARRAY1D: return GP5_TEXTURE_ARRAY1D;
    case TARGET_ARRAY2D: return GP5_TEXTURE_ARRAY2D;
    case TARGET_ARRAYCUBE: return GP5_TEXTURE_ARRAYCUBE;
    case TARGET_BUFFER: return GP5_TEXTURE_BUFFER;
    default: return GP5_TEXTURE_KINDS;
    }
}

/* The image that an operand names: of a unit, or of an element of a variable. */
static bool find(struct oracle_lane *l, const struct insn *insn, const struct operand *o, struct image *i,
                 enum lookup *t, bool *undef)
{
    const struct gp5_program *p = l->group->program->text;
    int64_t element = 0, n = 0, unit = -1;
    *undef = false;
    if (o->kind == OPND_HANDLE) {
        struct operand variable = *o;
        struct oracle_value v[4];
        variable.kind = OPND_SYMBOL;
        if (o->flags & OPND_EXTERNAL || !oracle_fetch(l, &variable, DT_U64, v))
            return false;
        *undef = v[0].undef;
        for (size_t k = l->group->launch->nimages; k-- > 0;)
            if (v[0].bits && l->group->launch->images[k].handle == v[0].bits)
                unit = l->group->launch->images[k].unit;
        *t = unit < 0                                          ? WRONG_KIND
             : !look(l->group->launch, (uint64_t)unit, i)      ? NOTHING_BOUND
             : i->kind == kind_of_target(insn->texture_target) ? FOUND
                                                               : WRONG_KIND;
        return true;
    }
    if (o->kind != OPND_IMAGE)
        return false;
    if (!(o->flags & OPND_BY_NAME)) {
        unit = program_binding(p, o->ref)->first[0];
    } else {
        const struct symbol *s = program_symbol(p, o->ref);
        if (o->nindices && !oracle_index(l, program_index(p, o->index), &element, undef))
            return false;
        for (uint32_t k = 0; k < s->nbindings; k++) {
            const struct binding *b = program_binding(p, s->binding + k);
            for (uint32_t u = b->first[0]; u <= b->last[0]; u++, n++)
                unit = n == element ? (int64_t)u : unit;
        }
    }
    if (unit < 0)
        *t = WRONG_KIND;
    else if (!look(l->group->launch, (uint64_t)unit, i))
        *t = NOTHING_BOUND;
    else
        *t = i->kind == kind_of_target(insn->texture_target) ? FOUND : WRONG_KIND;
    return true;
}

/* ---- values ----------------------------------------------------------------------------------------------------- */

struct tap {
    struct image image;
    enum lookup lookup;
    bool undef;                  /* what says where it is */
    uint64_t at;
};

static bool sizes_differ(const struct insn *insn, const struct image *i, bool values)
{
    return !values && type_table[insn->type].bytes * (unsigned)insn->width != texel_bytes(i->format);
}

static bool locate(struct oracle_lane *l, const struct insn *insn, const struct operand *image,
                   const struct operand *where, bool values, struct tap *p)
{
    struct oracle_value c[4];
    struct image *i = &p->image;
    unsigned used;
    bool nvidia = l->group->program->nvidia;
    if (!find(l, insn, image, i, &p->lookup, &p->undef) || !oracle_fetch(l, where, DT_S32, c))
        return false;
    switch (insn->texture_target) {
    case TARGET_1D: case TARGET_BUFFER: used = 1; break;
    case TARGET_2D: case TARGET_RECT: used = 3; break;
    case TARGET_ARRAY1D: used = nvidia ? 5 : 7; break;
    default: used = 7;
    }
    for (unsigned k = 0; k < 3; k++) {
        p->undef |= (used >> k & 1) && c[k].undef;
        c[k].bits = used >> k & 1 ? (uint32_t)c[k].bits : 0;
    }
    if (p->lookup)
        return true;
    if (!nvidia && values && oracle_has_floats(i->format) != oracle_is_float(insn->type)) {
        p->lookup = WRONG_KIND;
        return true;
    }
    uint64_t step = values ? texel_bytes(i->format) : type_table[insn->type].bytes * (uint64_t)insn->width;
    uint64_t row = (uint64_t)i->w * texel_bytes(i->format);
    if ((!nvidia && sizes_differ(insn, i, values)) || c[1].bits >= i->h || c[2].bits >= i->d ||
        (c[0].bits + 1) * step > row)
        p->lookup = BEYOND;
    p->at = i->first + (c[2].bits * i->h + c[1].bits) * row + c[0].bits * step;
    return true;
}

static bool *undef_of(const struct tap *p, uint64_t at)
{
    return &p->image.texture->undef[(p->at + at) / 4];
}

static bool any_undef(const struct tap *p, unsigned at, unsigned bytes)
{
    bool any = false;
    for (unsigned k = 0; k < bytes; k++)
        any |= *undef_of(p, at + k);
    return any;
}

/* A defined value that covers a part of a word leaves the word as it was, if less than a texel of values is stored. */
static void mark(const struct tap *p, unsigned at, unsigned bytes, bool undef)
{
    for (uint64_t word = (p->at + at) / 4; word <= (p->at + at + bytes - 1) / 4; word++)
        if (undef || (word * 4 >= p->at + at && word * 4 + 4 <= p->at + at + bytes))
            p->image.texture->undef[word] = undef;
}

/* ---- instructions ----------------------------------------------------------------------------------------------- */

static bool moves_values(const struct oracle_program *p, const struct insn *insn)
{
    for (uint32_t k = 0; k < insn->nmodifiers; k++) {
        uint8_t class = modifier_table[program_modifier(p->text, insn->modifier + k)->id].class;
        if (class == MC_SIZED || class == MC_VECTOR)
            return false;
    }
    return true;
}

/* What w becomes when fewer bytes are loaded. */
static uint64_t last(const struct oracle_lane *l, const struct insn *insn, const struct tap *p)
{
    bool handle = program_operand(l->group->program->text, insn->src + 1)->kind == OPND_HANDLE;
    bool late = handle || insn->type == DT_F16 || (insn->width > 1 && type_table[insn->type].bytes != 4);
    unsigned kind = p->lookup == NOTHING_BOUND ? GP5_KIND_UINT
                    : p->image.format           ? p->image.format->kind
                                                : GP5_KIND_UINT;
    if (!l->group->program->nvidia)
        return oracle_is_float(insn->type) ? 0x3f800000 : 1;
    return late ? 0 : kind == GP5_KIND_FLOAT || kind == GP5_KIND_PACKED_FLOAT ? 0x3f800000 : 1;
}

/* Components that are a number, whichever texel it is: beyond those that are loaded, but for w, which the image decides
 * of types that came first. */
static bool is_filled(const struct insn *insn, bool values, unsigned c)
{
    bool later = insn->type == DT_F16 || (insn->width > 1 && type_table[insn->type].bytes < 4);
    return !values && c >= insn->width && (c != 3 || later);
}

static bool load(struct oracle_lane *l, const struct insn *insn, bool values)
{
    const struct gp5_program *text = l->group->program->text;
    struct oracle_value r[4] = {{0}};
    struct tap p = {0};
    unsigned type = oracle_register_type(insn->type);
    uint8_t *texel;
    if (!locate(l, insn, program_operand(text, insn->src + 1), program_operand(text, insn->src), values, &p))
        return false;
    texel = p.lookup ? NULL : p.image.texture->texture.data + p.at;
    for (unsigned c = 0; c < 4; c++) {
        unsigned at = c * type_table[insn->type].bytes, bits = 0;
        r[c].undef = p.undef || p.lookup == WRONG_KIND || (p.lookup && !l->group->program->nvidia);
        if (values && p.lookup != NOTHING_BOUND && p.lookup != WRONG_KIND) {
            bool there = oracle_texel_field(p.image.format, c, &at, &bits);
            r[c].bits = there ? texel ? oracle_number_of(p.image.format, oracle_bits_at(texel, at, bits), bits) : 0
                        : c < 3 ? 0 : oracle_has_floats(p.image.format) ? 0x3f800000 : 1;
            if (there && texel)
                r[c].undef |= p.image.format->bits ? any_undef(&p, at / 8, bits / 8) : any_undef(&p, 0, 4);
        } else if (!values && c < insn->width) {
            r[c].bits = texel ? oracle_get(texel + at, insn->type) : 0;
            r[c].undef |= texel && any_undef(&p, at, type_table[insn->type].bytes);
        } else if (!values) {
            r[c].bits = c < 3 ? 0 : last(l, insn, &p);
        }
        if (l->group->program->nvidia && is_filled(insn, values, c))      /* a number, whichever texel it is */
            r[c].undef = false;
        r[c].bits = oracle_saturate(l->group->program, type, insn->flags, r[c].bits);
    }
    return oracle_write(l, insn, type, 15, r, NULL);
}

static void store_values(const struct tap *p, const struct insn *insn, const struct oracle_program *program,
                         const struct oracle_value v[4])
{
    uint8_t *texel = p->image.texture->texture.data + p->at;
    bool is_signed = program->nvidia ? p->image.format->kind == GP5_KIND_SINT : type_table[insn->type].is_signed;
    bool undef[4] = {false};
    unsigned at, bits;
    for (unsigned c = 0; c < 4; c++)
        if (oracle_texel_field(p->image.format, c, &at, &bits)) {
            oracle_set_bits(texel, at, bits, oracle_code_of(p->image.format, (uint32_t)v[c].bits, bits, is_signed));
            undef[at / 32] |= v[c].undef;
        }
    for (unsigned k = 0; k < texel_bytes(p->image.format); k += 4)
        mark(p, k, texel_bytes(p->image.format) < 4 ? texel_bytes(p->image.format) : 4, undef[k / 4]);
}

static bool store(struct oracle_lane *l, const struct insn *insn, bool values)
{
    const struct oracle_program *program = l->group->program;
    struct operand stored = oracle_stored(program, insn, insn->src + 1), *data = &stored;
    unsigned type = oracle_register_type(insn->type);
    bool has_sign = data->flags & OPND_SIGNS;
    struct oracle_value v[4], half[4];
    struct tap p = {0};
    bool halves = false;
    if (!oracle_fetch(l, data, type, v) || (insn->type == DT_F16 && !oracle_stored_halves(l, data, half, &halves)) ||
        !locate(l, insn, program_operand(program->text, insn->src), program_operand(program->text, insn->src + 2),
                values, &p))
        return false;
    oracle_note_use(l, p.undef || p.lookup == WRONG_KIND);
    if (p.lookup)
        return true;
    for (unsigned c = 0; c < 4; c++)
        v[c].bits = oracle_moved(program, type, has_sign, v[c].bits);
    if (values) {
        store_values(&p, insn, program, v);
        return true;
    }
    for (unsigned c = 0; c < insn->width; c++) {
        unsigned bytes = type_table[insn->type].bytes;
        oracle_put(p.image.texture->texture.data + p.at + c * bytes, halves ? DT_U16 : insn->type,
                   halves ? half[c].bits : v[c].bits);
        mark(&p, c * bytes, bytes, v[c].undef);
    }
    return true;
}

static bool atomic(struct oracle_lane *l, const struct insn *insn)
{
    const struct oracle_program *program = l->group->program;
    struct oracle_value v[4], r[4] = {{0}};
    struct tap p = {0};
    unsigned bytes = type_table[insn->type].bytes;
    bool fresh;
    if (insn->type == DT_F16) {
        if (!locate(l, insn, program_operand(program->text, insn->src + 2),
                    program_operand(program->text, insn->src + 1), false, &p))
            return false;
        struct oracle_bytes m = {.unit = 4};
        if (!p.lookup)
            m = (struct oracle_bytes){p.image.texture->texture.data, p.image.texture->texture.bytes,
                                      p.image.texture->undef, 4};
        return oracle_atomic_halves(l, insn, &m, p.lookup ? 0 : (uint32_t)p.at, p.undef || p.lookup == WRONG_KIND);
    }
    if (!oracle_atomic_operand(l, insn, v) || !locate(l, insn, program_operand(program->text, insn->src + 2),
                                                      program_operand(program->text, insn->src + 1), false, &p))
        return false;
    oracle_note_use(l, p.undef || p.lookup == WRONG_KIND);
    if (!p.lookup) {
        uint8_t *texel = p.image.texture->texture.data + p.at;
        r[0].undef = any_undef(&p, 0, bytes);
        fresh = v[0].undef || (insn->atomic == MOD_CSWAP && v[1].undef) || (insn->atomic != MOD_EXCH && r[0].undef);
        r[0].bits = oracle_get(texel, insn->type);
        oracle_put(texel, insn->type, oracle_changed(l, insn, r[0].bits, v[0].bits, v[1].bits, false));
        mark(&p, 0, bytes, fresh);
    }
    for (unsigned c = 1; c < 4; c++)
        r[c].undef = true;
    return oracle_write(l, insn, insn->type, program->nvidia ? 1 : 15, r, NULL);
}

/* Width, height, depth; of arrays the number of layers comes next, of cubes the number of cubes. */
static bool size(struct oracle_lane *l, const struct insn *insn)
{
    struct oracle_value r[4] = {{0}};
    struct image i = {0};
    enum lookup t;
    bool undef, nvidia = l->group->program->nvidia;
    unsigned n = 3;
    if (!find(l, insn, program_operand(l->group->program->text, insn->src), &i, &t, &undef))
        return false;
    switch (insn->texture_target) {
    case TARGET_1D: case TARGET_BUFFER: n = 1; break;
    case TARGET_2D: case TARGET_RECT: case TARGET_CUBE: case TARGET_ARRAY1D: n = 2; break;
    default: break;
    }
    r[0].bits = i.w;
    r[1].bits = insn->texture_target == TARGET_ARRAY1D ? i.d : n > 1 ? i.h : 0;
    r[2].bits = n < 3 ? 0 : insn->texture_target == TARGET_ARRAYCUBE ? i.d / 6 : i.d;
    if (insn->op == OP_IMQS) {  /* of these targets no image has more than one sample */
        r[0].bits = n = 1;
        r[1].bits = r[2].bits = 0;
    } else if (i.one_of_layers) /* docs/semantics.md, "Images": the driver gives 1 for the layers */
        r[n].bits = 1;
    for (unsigned c = 0; c < 4; c++) {
        r[c].bits = t ? 0 : r[c].bits;
        r[c].undef = undef || t == WRONG_KIND || (!nvidia && (t || c >= n));
    }
    return oracle_write(l, insn, DT_S32, 15, r, NULL);
}

bool oracle_image(struct oracle_lane *l, const struct insn *insn)
{
    bool values = moves_values(l->group->program, insn), ok = false;
    if (kind_of_target(insn->texture_target) != GP5_TEXTURE_KINDS && type_table[insn->type].bytes * insn->width <= 16)
        switch (insn->op) {
        case OP_LOADIM: ok = load(l, insn, values); break;
        case OP_STOREIM: ok = store(l, insn, values); break;
        case OP_ATOMIM: ok = atomic(l, insn); break;
        default: ok = size(l, insn);
        }
    return ok || oracle_fail(l->group, ORACLE_NOT_EVALUATED, "this image", insn);
}
