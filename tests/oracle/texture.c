/* Texture instructions of one lane: which operand holds what, which texture is reached, what is undefined
 * (docs/numbers.md, "Textures"). Places, weights and sums are in sampling.c. */
#include "tests/oracle/texture_call.h"
#include "tests/oracle/scalar_soft.h"

#include "eval/numeric/sfu.h"

#include <string.h>

#define ONE 0x3f800000u

static bool read_target(struct oracle_call *c)
{
    static const struct { uint8_t target, shadow, kind, n;
    } targets[] = {{TARGET_1D, TARGET_SHADOW1D, GP5_TEXTURE_1D, 1},
                   {TARGET_2D, TARGET_SHADOW2D, GP5_TEXTURE_2D, 2},
                   {TARGET_3D, 0, GP5_TEXTURE_3D, 3},
                   {TARGET_CUBE, TARGET_SHADOWCUBE, GP5_TEXTURE_CUBE, 3},
                   {TARGET_RECT, TARGET_SHADOWRECT, GP5_TEXTURE_RECT, 2},
                   {TARGET_ARRAY1D, TARGET_SHADOWARRAY1D, GP5_TEXTURE_ARRAY1D, 1},
                   {TARGET_ARRAY2D, TARGET_SHADOWARRAY2D, GP5_TEXTURE_ARRAY2D, 2},
                   {TARGET_ARRAYCUBE, TARGET_SHADOWARRAYCUBE, GP5_TEXTURE_ARRAYCUBE, 3},
                   {TARGET_BUFFER, 0, GP5_TEXTURE_BUFFER, 1},
                   {TARGET_2DMS, 0, GP5_TEXTURE_2DMS, 2},
                   {TARGET_ARRAY2DMS, 0, GP5_TEXTURE_ARRAY2DMS, 2}};
    unsigned target = c->insn->texture_target;
    for (size_t i = 0; i < sizeof targets / sizeof *targets; i++) {
        if (target != targets[i].target && (!targets[i].shadow || target != targets[i].shadow))
            continue;
        c->kind = targets[i].kind;
        c->n = targets[i].n;
        c->shadow = target == targets[i].shadow;
        c->cube = c->n == 3 && c->kind != GP5_TEXTURE_3D;
        c->array = c->kind == GP5_TEXTURE_ARRAY1D || c->kind == GP5_TEXTURE_ARRAY2D ||
                   c->kind == GP5_TEXTURE_ARRAYCUBE || c->kind == GP5_TEXTURE_ARRAY2DMS;
        return true;
    }
    return false;
}

/* ---- which texture ---------------------------------------------------------------------------------------------- */

static bool find_by_handle(struct oracle_lane *l, struct oracle_call *c)
{
    const struct oracle_launch *launch = l->group->launch;
    struct operand o = *c->texture;
    struct oracle_value v[4];
    o.kind = OPND_SYMBOL;
    if (o.flags & OPND_EXTERNAL || !oracle_fetch(l, &o, DT_U64, v))
        return false;
    c->component = operand_selector(&o, 0) ? (operand_selector(&o, 0) - 1u) & 3 : 0;
    c->undef |= v[0].undef;
    for (size_t k = launch->ntextures; k-- > 0;)
        if (v[0].bits && launch->textures[k].texture.handle == v[0].bits)
            c->found = &launch->textures[k];
    if (c->found && c->found->texture.kind != c->kind)
        c->found = NULL;
    c->why = c->lost = !c->found;
    return true;
}

static bool find_by_unit(struct oracle_lane *l, struct oracle_call *c)
{
    const struct oracle_launch *launch = l->group->launch;
    const struct gp5_program *p = l->group->program->text;
    const struct operand *o = c->texture;
    int64_t element = 0, n = 0, unit = -1;
    bool undef = false;
    if (!(o->flags & OPND_BY_NAME)) {
        const struct binding *b = program_binding(p, o->ref);
        unit = b->nindices ? b->first[0] : 0;
    } else {
        const struct symbol *y = program_symbol(p, o->ref);
        if (o->nindices && !oracle_index(l, program_index(p, o->index), &element, &undef))
            return false;
        for (uint32_t k = 0; k < y->nbindings; k++) {
            const struct binding *b = program_binding(p, y->binding + k);
            for (uint32_t u = b->nindices ? b->first[0] : 0; u <= (b->nindices ? b->last[0] : 0); u++, n++)
                if (n <= element || element < 0)        /* the last one for what is beyond */
                    unit = u;
        }
        c->why = element < 0 || element >= n;
    }
    c->component = o->nswizzle == 1 ? o->swizzle & 3 : 0;
    c->undef |= undef;
    for (size_t k = launch->ntextures; k-- > 0;)
        if (launch->textures[k].texture.unit == unit)
            c->found = &launch->textures[k];
    if (c->found && c->found->texture.kind != c->kind)
        c->found = NULL;
    c->why |= !c->found;
    return true;
}

/* What an instruction asks of a texture that this one does not have. */
static bool differs(const struct oracle_call *c)
{
    const struct gp5_texture *t = &c->found->texture;
    unsigned op = c->insn->op, numbers = gp5_format_info(t->format)->kind;
    bool whole = oracle_whole_numbers(t), depth = t->format == GP5_FORMAT_DEPTH32F,
         compares = t->sampler.compare != GP5_COMPARE_NONE;
    if (op == OP_TXQ || op == OP_TXQS)
        return false;
    if (whole ? c->insn->type != (numbers == GP5_KIND_SINT ? DT_S32 : DT_U32) : !type_table[c->insn->type].is_float)
        return true;
    if (op == OP_TXF || op == OP_TXFMS)
        return false;
    return (whole && oracle_mixes(t)) || (c->shadow ? !depth || !compares : depth && compares);
}

/* ---- operands --------------------------------------------------------------------------------------------------- */

/* The components of vector k that mean something. */
static unsigned used_of(const struct oracle_call *c, unsigned k)
{
    unsigned op = c->insn->op, place = (1u << c->n) - 1;
    bool level = op == OP_TXB || op == OP_TXL || op == OP_TXP || op == OP_TXFMS ||
                 (op == OP_TXF && c->kind != GP5_TEXTURE_BUFFER);
    if (op == OP_TXQ)
        return 1;
    if (k == 0) {
        if (c->array)
            place |= 1u << oracle_texture_layer(c);
        if (c->shadow && oracle_texture_reference(c) < 4)
            place |= 1u << oracle_texture_reference(c);
        return level && c->nvectors == 1 ? place | 8 : place;
    }
    if (op == OP_TXGO)
        return 15;
    if (op == OP_TXD)
        return place | (k == 2 && c->insn->flags & INSN_LODCLAMP ? 8u : 0);
    return c->shadow && oracle_texture_reference(c) == 4 && (op == OP_TXL || op == OP_TXB) ? 3 : 1;
}

static bool fetch_operands(struct oracle_lane *l, struct oracle_call *c)
{
    const struct gp5_program *p = l->group->program->text;
    unsigned op = c->insn->op;
    for (unsigned k = 0; k < c->insn->nsrc; k++) {
        const struct operand *o = program_operand(p, c->insn->src + k);
        bool whole = op == OP_TXF || op == OP_TXFMS || op == OP_TXQ || (op == OP_TXGO && c->nvectors > 0);
        if (o->flags & OPND_OFFSET) {
            c->moves = c->kind != GP5_TEXTURE_BUFFER;           /* which has no offset */
            if (!oracle_fetch(l, o, DT_S32, c->moved))
                return false;
        } else if (o->kind == OPND_TEXTURE || o->kind == OPND_HANDLE) {
            c->texture = o;
        } else if (c->nvectors == 3 || !oracle_fetch(l, o, whole ? DT_S32 : DT_F32, c->v[c->nvectors++])) {
            return false;
        } else {
            for (unsigned i = 0; !whole && l->group->program->nvidia && i < 4; i++)     /* denormals are zero */
                if (!(c->v[c->nvectors - 1][i].bits & 0x7f800000))
                    c->v[c->nvectors - 1][i].bits &= 0x80000000;
        }
    }
    for (unsigned k = 0; k < c->nvectors; k++)
        for (unsigned i = 0; i < 4; i++)
            c->undef |= used_of(c, k) >> i & 1 && c->v[k][i].undef;
    for (unsigned i = 0; c->moves && i < c->n; i++)
        c->undef |= c->moved[i].undef;
    if (!c->texture || (c->texture->kind == OPND_HANDLE ? !find_by_handle(l, c) : !find_by_unit(l, c)))
        return false;
    c->why |= c->found && differs(c);
    return true;
}

/* Of an offset so many bits count, with their sign. */
static int32_t offset_of(struct oracle_call *c, uint64_t bits, unsigned n)
{
    int32_t wanted = (int32_t)(uint32_t)bits, all = 1 << n, kept = (int32_t)(((int64_t)wanted % all + all) % all);
    kept = kept >= all / 2 ? kept - all : kept;
    c->why |= kept != wanted;
    return kept;
}

static void find_offset(struct oracle_call *c, int32_t offset[3])
{
    for (unsigned i = 0; i < 3; i++) {
        offset[i] = i < c->insn->ntexels ? insn_texel(c->insn, i) : 0;
        if (c->moves)
            offset[i] = i < c->n ? offset_of(c, c->moved[i].bits, c->insn->op == OP_TXG ? 6 : 4) : 0;
    }
}

/* ---- places ----------------------------------------------------------------------------------------------------- */

static uint32_t times(const struct oracle_program *p, uint64_t a, uint64_t b)
{
    return (uint32_t)oracle_apply(p, OP_MUL, DT_F32, a, b, 0);
}

static uint32_t nearest_layer(uint32_t f, uint32_t layers)
{
    oracle_wide halves = oracle_scaled(f, 1, true), n = (halves + 1) / 2;
    bool tie = halves % 2 != 0 && oracle_scaled(f, 24, true) == halves * ((oracle_wide)1 << 23);
    if (f >> 31 || halves < 1)
        return 0;
    if (tie && n % 2)
        n--;
    return n < layers ? (uint32_t)n : layers - 1;
}

static void find_place(const struct oracle_program *p, const struct oracle_call *c, struct oracle_sampled *s)
{
    uint32_t at[4], face = 0, layers = s->texture->size[2];
    unsigned reference = oracle_texture_reference(c);
    for (unsigned i = 0; i < 4; i++)
        at[i] = (uint32_t)c->v[0][i].bits;
    if (c->array)
        s->layer = nearest_layer(at[oracle_texture_layer(c)], c->cube ? layers / 6 : layers);
    if (c->shadow) {
        s->reference = reference < 4 ? at[reference] : (uint32_t)c->v[1][0].bits;
        s->compares = s->texture->sampler.compare != GP5_COMPARE_NONE &&
                      gp5_format_info(s->texture->format)->components == 1 &&
                      gp5_format_info(s->texture->format)->bits >= 16;
    }
    if (c->insn->op == OP_TXP && !c->cube) {
        uint32_t by = eval_sfu_rcp(at[3]);
        for (unsigned i = 0; i < c->n; i++)
            at[i] = times(p, at[i], by);
        if (c->shadow && reference < 3)
            s->reference = times(p, s->reference, by);
    }
    for (unsigned i = 0; i < c->n; i++)
        s->at[i] = oracle_float(at[i]);
    s->n = c->cube ? 2 : c->n;
    if (!c->cube)
        return;
    uint64_t greatest = oracle_apply(p, OP_MAX, DT_F32, at[0] & 0x7fffffff, at[1] & 0x7fffffff, 0);
    greatest = oracle_apply(p, OP_MAX, DT_F32, greatest, at[2] & 0x7fffffff, 0);
    for (unsigned i = 0; i < 3; i++)
        at[i] = times(p, at[i], eval_sfu_rcp((uint32_t)greatest));
    oracle_face(at, &face, s->at);
    s->layer = s->layer * 6 + face;
}

/* ---- instructions ----------------------------------------------------------------------------------------------- */

static void set_words(struct oracle_value r[4], uint32_t x, uint32_t y, uint32_t z, uint32_t w)
{
    const uint32_t words[4] = {x, y, z, w};
    for (unsigned c = 0; c < 4; c++)
        r[c] = (struct oracle_value){.bits = words[c]};
}

static void query(struct oracle_call *c, bool nvidia, struct oracle_value r[4])
{
    unsigned n = c->kind == GP5_TEXTURE_1D || c->kind == GP5_TEXTURE_BUFFER ? 1
                 : c->kind == GP5_TEXTURE_3D || (c->array && c->kind != GP5_TEXTURE_ARRAY1D) ? 3 : 2;
    uint32_t size[3] = {1, 1, 0}, levels = c->found ? c->found->texture.levels : 1;
    bool there = c->v[0][0].bits < levels;
    if (c->found)
        oracle_level_size(&c->found->texture, there ? (uint32_t)c->v[0][0].bits : 0, size);
    if (c->kind == GP5_TEXTURE_ARRAY1D && c->found)
        size[1] = size[2];
    if (c->kind == GP5_TEXTURE_ARRAYCUBE)
        size[2] /= 6;
    c->why |= !there;
    for (unsigned i = 0; i < 4; i++) {
        bool has = i < n || !c->found || (c->kind == GP5_TEXTURE_2DMS && c->found);
        r[i] = (struct oracle_value){.bits = i == 3         ? levels
                                             : there && has ? size[i]
                                                            : 0,
                                     .undef = !nvidia && i >= n && c->found && i < 4};
    }
}

static void fetch(struct oracle_call *c, struct oracle_sampled *s, struct oracle_value r[4])
{
    struct gp5_texture slices = *s->texture;
    struct oracle_tap tap = {.level = c->kind == GP5_TEXTURE_BUFFER ? 0 : (uint32_t)c->v[0][3].bits};
    uint32_t size[3];
    bool there;
    for (unsigned k = 0; k < c->n; k++)
        tap.at[k] = (int32_t)c->v[0][k].bits + (int64_t)s->offset[k];
    if (c->array)
        tap.at[2] = c->kind == GP5_TEXTURE_ARRAY1D ? (int32_t)c->v[0][1].bits : (int32_t)c->v[0][2].bits;
    if (c->insn->op == OP_TXFMS) {          /* samples stand as slices of their layer */
        int64_t n = slices.samples, sample = (int32_t)c->v[0][3].bits;
        c->why |= sample < 0 || sample >= n;
        there = tap.at[2] >= 0 && tap.at[2] < slices.size[2];
        tap.level = 0;
        tap.at[2] = there ? tap.at[2] * n + (sample % n + n) % n : -1;
        slices.size[2] *= slices.samples;
        s->texture = &slices;
    } else {
        c->why |= tap.level && tap.level < slices.levels && !oracle_has_levels(&slices);
    }
    there = tap.level < slices.levels;
    oracle_level_size(&slices, there ? tap.level : 0, size);
    for (unsigned k = 0; k < 3; k++)
        there &= tap.at[k] >= 0 && tap.at[k] < size[k];
    c->why |= !there;
    oracle_fetch_texel(s, &tap, r);
}

static void gather(struct oracle_call *c, struct oracle_sampled *s, struct oracle_value r[4])
{
    struct oracle_value word[4];
    bool undef = false;
    for (unsigned k = 0; k < 4; k++) {
        struct oracle_tap four[4];
        if (c->insn->op == OP_TXGO) {
            s->offset[0] = offset_of(c, c->v[1][k].bits, 6);
            s->offset[1] = offset_of(c, c->v[2][k].bits, 6);
        }
        oracle_four_texels(s, four);
        unsigned which = c->insn->op == OP_TXGO ? 3 : k;
        oracle_gathered(s, four, which, word);
        if (four[which].border && s->texture->format == GP5_FORMAT_RGB10_A2UI)      /* eight bits of a border's alpha */
            word[3].bits &= 0xff;
        r[k].bits = word[s->compares ? 0 : c->component].bits;
        undef |= word[0].undef;
    }
    for (unsigned k = 0; k < 4; k++)
        r[k].undef = undef;
}

static void execute(const struct oracle_program *p, struct oracle_call *c, struct oracle_value r[4])
{
    struct oracle_sampled s = {.flush = p->nvidia,
                               .texture = c->found ? &c->found->texture : NULL,
                               .undef = c->found ? c->found->undef : NULL};
    unsigned op = c->insn->op;
    memset(r, 0, 4 * sizeof *r);
    if (op == OP_TXQS) {
        set_words(r, c->found ? c->found->texture.samples : 1, 0, 0, 0);
        for (unsigned i = 1; i < 4; i++)
            r[i].undef = !p->nvidia && c->found;
        return;
    }
    if (op == OP_TXQ) {
        query(c, p->nvidia, r);
        return;
    }
    if (!c->found) {
        set_words(r, 0, 0, 0, ONE);
        return;
    }
    find_offset(c, s.offset);
    if (op == OP_TXF || op == OP_TXFMS) {
        fetch(c, &s, r);
        return;
    }
    find_place(p, c, &s);
    if (op == OP_TXG || op == OP_TXGO)
        gather(c, &s, r);
    else
        oracle_sample_at(&s, oracle_texture_level(c, s.texture), r);
}

bool oracle_is_texture(unsigned op)
{
    switch (op) {
    case OP_TEX: case OP_TXB: case OP_TXD: case OP_TXF: case OP_TXFMS: case OP_TXG: case OP_TXGO: case OP_TXL:
    case OP_TXP: case OP_TXQ:
    case OP_TXQS: return true;
    default: return false;
    }
}

/* TXL and TXB of one vector whose level has no component of its own. */
static bool shares_component(const struct oracle_call *c)
{
    return (c->insn->op == OP_TXB || c->insn->op == OP_TXL) && c->shadow && c->nvectors == 1 &&
           oracle_texture_reference(c) == 3;
}

bool oracle_texture(struct oracle_lane *l, const struct insn *insn)
{
    const struct oracle_program *p = l->group->program;
    struct oracle_call c = {.insn = insn};
    struct oracle_value r[4];
    bool asks = insn->op == OP_TXQ || insn->op == OP_TXQS;
    unsigned type = asks ? DT_S32 : insn->type == DT_F16 ? DT_F32 : insn->type;
    if (!read_target(&c) || (insn->flags & INSN_LODCLAMP && insn->op != OP_TXD) || !fetch_operands(l, &c) ||
        shares_component(&c))
        return oracle_fail(l->group, ORACLE_NOT_EVALUATED, "this use of a texture", insn);
    execute(p, &c, r);
    for (unsigned i = 0; i < 4; i++) {
        r[i].undef |= c.undef || c.lost || (c.why && !p->nvidia);
        if (insn->type == DT_F16)
            r[i].bits = soft_widened(soft_narrowed((uint32_t)r[i].bits));
        r[i].bits = oracle_saturate(p, type, insn->flags & (INSN_SAT | INSN_SSAT), r[i].bits);
    }
    return oracle_write(l, insn, type, 15, r, NULL);
}
