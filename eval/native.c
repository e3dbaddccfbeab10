/* Runs of steps as machine code.
 *
 * Between two places where flow can go, a step of arithmetic needs nothing of the machine but the active lanes.
 * Such steps become one function: planes are loaded into vector registers when an operation first reads them and
 * stored at the end, or when another one needs the registers. Each row of native_ops.c computes what its kernel
 * computes. The one thing put off is the NaN that every NaN becomes: arithmetic does not care which one it reads, so
 * that a chain of multiply-adds makes it only when something else reads the value (`loose`).
 *
 * The kernels stay: steps that are jumped to, that are watched or tracked, and machines that give no executable
 * memory run by them. */
#if !defined(_DEFAULT_SOURCE)
#define _DEFAULT_SOURCE     /* MAP_ANONYMOUS */
#endif
#include "eval/native.h"

#include "asm/arena.h"

#include <string.h>

#if defined(__x86_64__) && (defined(__linux__) || defined(__FreeBSD__))
#include <sys/mman.h>

enum { MOST_CODE = 64 << 20, LOOK_AHEAD = 24, NO_SLOT = 255 };

/* What a register may hold in place of the one NaN: in no lane, in those under the mask, in all. */
enum looseness { LOOSE_NOWHERE, LOOSE_ACTIVE, LOOSE_EVERYWHERE };

struct slot {
    uint32_t plane;             /* NO_PLANE: free */
    bool dirty;
    uint8_t loose;              /* enum looseness */
};

struct builder {
    const struct gp5_executable *x;
    struct x86_code code;
    uint32_t *constant;         /* of each plane: 1 + its index in x->constants, or 0 */
    uint8_t *slot_of;           /* of each plane, or NO_SLOT */
    uint8_t *landing;           /* steps that flow goes to */
    struct slot slots[NATIVE_SLOTS];
    uint32_t pinned;            /* slots of the operation at hand */
    bool masked;
    uint32_t at, end;           /* steps: this one, the run's end */
};

/* ---- which steps --------------------------------------------------------------------------------------- */

static bool is_copy(const struct gp5_executable *x, const struct step *s)
{
    const struct write *out = &x->writes[s->ref];

    return s->kind == STEP_WRITE && s->test.rule == CC_NONE && out->registers && !out->cc_update &&
           out->index == NO_PLANE;
}

static bool has_signs(const struct lane_op *op)
{
    return (op->clear[0] | op->clear[1] | op->clear[2] | op->flip[0] | op->flip[1] | op->flip[2]) != 0;
}

static bool is_native(const struct gp5_executable *x, const struct step *s)
{
    struct native_shape shape;
    uint8_t way;

    if (s->quick == STEP_NOTHING)
        return true;
    if (s->kind == STEP_WRITE)
        return is_copy(x, s);
    if ((s->kind != STEP_LANE && s->kind != STEP_RAW) || s->wide)
        return false;
    way = x->tracks[s->ref].native;
    if (!way)
        return false;
    eval_native_shape(way, &shape);
    return !(shape.copies && has_signs(s->op));     /* a copy with a sign is arithmetic */
}

static bool is_flow(const struct step *s)
{
    return s->kind >= STEP_IF && s->kind <= STEP_END;
}

static void find_landings(struct builder *b)
{
    const struct gp5_executable *x = b->x;

    b->landing[x->entry] = 1;
    for (uint32_t i = 0; i < x->ncallees; i++)
        b->landing[x->callees[i].step] = 1;
    for (uint32_t i = 0; i < x->nsteps; i++)
        if (is_flow(&x->steps[i]) && x->steps[i].target < x->nsteps) {
            b->landing[x->steps[i].target] = 1;
            b->landing[x->steps[i].target + 1] = 1;
        }
}

/* ---- planes in registers ------------------------------------------------------------------------------- */

static unsigned mask_of(const struct builder *b, unsigned half, bool under_mask)
{
    return b->masked && under_mask ? NATIVE_LANES + half : 0;
}

static struct x86_place memory(uint32_t plane, unsigned half)
{
    return (struct x86_place){X86_MEMORY, (uint32_t)(plane * WARP_LANES * sizeof(uint32_t) + 64 * half)};
}

/* Every NaN becomes the one. */
static void settle(struct builder *b, unsigned slot)
{
    struct slot *s = &b->slots[slot];

    for (unsigned h = 0; h < 2 && s->loose; h++) {
        unsigned r = 2 * slot + h;
        x86_vector(&b->code, X86_CMPPS, NATIVE_K, r, x86_reg(r), mask_of(b, h, s->loose == LOOSE_ACTIVE), 3);
        x86_vector(&b->code, X86_LOAD, r, 0, x86_reg(NATIVE_NAN), NATIVE_K, 0);
    }
    s->loose = LOOSE_NOWHERE;
}

static void release(struct builder *b, unsigned slot)
{
    struct slot *s = &b->slots[slot];

    if (s->plane == NO_PLANE)
        return;
    if (s->dirty) {
        settle(b, slot);
        for (unsigned h = 0; h < 2; h++)
            x86_vector(&b->code, X86_STORE, 2 * slot + h, 0, memory(s->plane, h), 0, 0);
    }
    b->slot_of[s->plane] = NO_SLOT;
    *s = (struct slot){.plane = NO_PLANE};
}

static bool touches(const struct gp5_executable *x, const struct step *s, uint32_t plane)
{
    if (s->quick == STEP_NOTHING)
        return false;
    if (s->kind == STEP_WRITE) {
        const struct write *out = &x->writes[s->ref];
        for (unsigned i = 0; i < out->n; i++)
            if (out->to[i] == plane || out->from[i] == plane)
                return true;
        return false;
    }
    for (unsigned i = 0; i < 4; i++)
        if (s->op->src[0][i] == plane || s->op->src[1][i] == plane || s->op->src[2][i] == plane ||
            (i < s->op->n && s->op->dst[i] == plane))
            return true;
    return false;
}

/* How soon a plane is wanted again. */
static uint32_t distance(const struct builder *b, uint32_t plane)
{
    uint32_t i = b->at + 1;

    while (i < b->end && i < b->at + LOOK_AHEAD && !touches(b->x, &b->x->steps[i], plane))
        i++;
    return i < b->end ? i - b->at : LOOK_AHEAD;
}

/* A slot for a plane: a free one, or that of what is wanted last. */
static unsigned take_slot(struct builder *b, uint32_t plane)
{
    unsigned best = NO_SLOT;
    uint32_t far = 0;

    for (unsigned i = 0; i < NATIVE_SLOTS && best == NO_SLOT; i++)
        if (b->slots[i].plane == NO_PLANE)
            best = i;
    for (unsigned i = 0; i < NATIVE_SLOTS && (best == NO_SLOT || far); i++)
        if (!(b->pinned >> i & 1)) {
            uint32_t d = distance(b, b->slots[i].plane) * 2 + !b->slots[i].dirty;
            if (d > far) {
                far = d;
                best = i;
            }
        }
    release(b, best);
    b->slots[best] = (struct slot){.plane = plane};
    b->slot_of[plane] = (uint8_t)best;
    return best;
}

/* The slot of a plane, which stays until the operation is done. */
static unsigned hold(struct builder *b, uint32_t plane, bool load)
{
    unsigned slot = b->slot_of[plane];

    if (slot == NO_SLOT) {
        slot = take_slot(b, plane);
        for (unsigned h = 0; load && h < 2; h++)
            x86_vector(&b->code, X86_LOAD, 2 * slot + h, 0, memory(plane, h), 0, 0);
    }
    b->pinned |= 1u << slot;
    return slot;
}

static unsigned read_plane(struct builder *b, uint32_t plane, bool any_nan)
{
    unsigned slot = hold(b, plane, true);

    if (!any_nan)
        settle(b, slot);
    return slot;
}

static void wrote(struct builder *b, unsigned slot, bool loose, bool under_mask)
{
    struct slot *s = &b->slots[slot];
    bool merged = b->masked && under_mask;

    s->dirty = true;
    if (loose)
        s->loose = merged && s->loose != LOOSE_EVERYWHERE ? LOOSE_ACTIVE : LOOSE_EVERYWHERE;
    else
        s->loose = LOOSE_NOWHERE;
}

/* The slot of a result. Lanes that keep what they have keep the one NaN. */
static unsigned hold_result(struct builder *b, uint32_t plane, bool loose, bool under_mask)
{
    bool merged = b->masked && under_mask;
    unsigned slot = hold(b, plane, merged);

    if (merged && !loose && b->slots[slot].loose == LOOSE_EVERYWHERE)
        settle(b, slot);
    return slot;
}

/* What is copied: a copy in all lanes cannot say in which of them it is loose. */
static unsigned read_copied(struct builder *b, uint32_t plane, bool under_mask, bool *loose)
{
    unsigned slot = read_plane(b, plane, !b->masked || under_mask);

    *loose = b->slots[slot].loose != LOOSE_NOWHERE;
    return slot;
}

/* ---- steps --------------------------------------------------------------------------------------------- */

/* The register of operand k: with its signs in one of the operation's own. */
static unsigned with_signs(struct builder *b, const struct lane_op *op, unsigned k, unsigned reg, bool floats)
{
    if (!floats || !(op->clear[k] | op->flip[k]))
        return reg;
    x86_vector(&b->code, X86_TERNARY, NATIVE_SIGNED + k, NATIVE_NAN, x86_reg(reg), 0,
               op->clear[k] ? op->flip[k] ? 0xbb : 0x88 : 0x99);
    return NATIVE_SIGNED + k;
}

static void component(struct builder *b, const struct lane_op *op, uint8_t way, const struct native_shape *shape,
                      unsigned i, bool under_mask)
{
    unsigned slot[3] = {0}, d;
    uint32_t known = b->constant[op->src[1][i]];
    bool loose = shape->loose;

    b->pinned = 0;
    for (unsigned k = 0; k < shape->nsrc; k++)
        slot[k] = shape->copies ? read_copied(b, op->src[k][i], under_mask, &loose)
                                : read_plane(b, op->src[k][i], shape->floats && !(shape->selects && k > 0));
    d = hold_result(b, op->dst[i], loose, under_mask);
    for (unsigned h = 0; h < 2; h++) {
        struct native_call call = {.d = 2 * d + h, .mask = mask_of(b, h, under_mask)};
        if (shape->nsrc > 1 && known)
            call.known = &b->x->constants[known - 1].word;
        for (unsigned k = 0; k < shape->nsrc; k++)
            call.src[k] = with_signs(b, op, k, 2 * slot[k] + h, shape->floats);
        eval_native_component(&b->code, way, &call);
    }
    wrote(b, d, loose, under_mask);
}

static void terms(struct builder *b, const struct lane_op *op, uint8_t way, const struct native_shape *shape,
                  bool under_mask)
{
    unsigned slot[2][4], last = 0, d[4];

    b->pinned = 0;
    for (unsigned k = 0; k < 2; k++)
        for (unsigned i = 0; i < shape->terms; i++)
            slot[k][i] = read_plane(b, op->src[k][i], true);
    if (shape->last)
        last = read_plane(b, op->src[1][shape->last], true);
    for (unsigned i = 0; i < op->n; i++)
        d[i] = hold_result(b, op->dst[i], true, under_mask);
    for (unsigned h = 0; h < 2; h++) {
        for (unsigned i = 0; i < shape->terms; i++) {
            unsigned x = with_signs(b, op, 0, 2 * slot[0][i] + h, true);
            eval_native_term(&b->code, way, i, x, with_signs(b, op, 1, 2 * slot[1][i] + h, true));
        }
        if (shape->last)
            eval_native_last(&b->code, with_signs(b, op, 1, 2 * last + h, true));
        for (unsigned i = 0; i < op->n; i++)
            x86_vector(&b->code, X86_LOAD, 2 * d[i] + h, 0, x86_reg(NATIVE_TEMP), mask_of(b, h, under_mask), 0);
    }
    for (unsigned i = 0; i < op->n; i++)
        wrote(b, d[i], true, under_mask);
}

static void copy_planes(struct builder *b, const struct write *out)
{
    for (unsigned i = 0; i < out->n; i++)
        for (unsigned high = 0; high <= (out->wide ? 1u : 0u); high++) {
            unsigned from, to;
            bool loose;
            b->pinned = 0;
            from = read_copied(b, out->from[i] + high, true, &loose);
            to = hold_result(b, out->to[i] + high, loose, true);
            for (unsigned h = 0; h < 2; h++)
                x86_vector(&b->code, X86_LOAD, 2 * to + h, 0, x86_reg(2 * from + h), mask_of(b, h, true), 0);
            wrote(b, to, loose, true);
        }
}

static void translate(struct builder *b, const struct step *s)
{
    struct native_shape shape;
    uint8_t way;

    if (s->quick == STEP_NOTHING)
        return;
    if (s->kind == STEP_WRITE) {
        copy_planes(b, &b->x->writes[s->ref]);
        return;
    }
    way = b->x->tracks[s->ref].native;
    eval_native_shape(way, &shape);
    if (shape.terms) {
        terms(b, s->op, way, &shape, s->kind == STEP_LANE);
        return;
    }
    for (unsigned i = 0; i < s->op->n; i++)
        component(b, s->op, way, &shape, i, s->kind == STEP_LANE);
}

/* ---- functions ----------------------------------------------------------------------------------------- */

/* base in rdi, the active lanes in esi. Returns where the function begins in the code. */
static size_t function(struct builder *b, uint32_t first, bool masked)
{
    static const uint8_t masks[] = {0xc5, 0xfb, 0x92, 0xce,     /* kmovd k1, esi */
                                    0xc1, 0xee, 0x10,           /* shr esi, 16 */
                                    0xc5, 0xfb, 0x92, 0xd6};    /* kmovd k2, esi */
    static const uint8_t leave[] = {0xc5, 0xf8, 0x77, 0xc3};    /* vzeroupper, ret */
    size_t start = b->code.size;

    b->masked = masked;
    if (masked)
        x86_bytes(&b->code, masks, sizeof masks);
    x86_vector(&b->code, X86_TERNARY, NATIVE_NAN, NATIVE_NAN, x86_reg(NATIVE_NAN), 0, 0xff);
    x86_vector(&b->code, X86_SHIFT, X86_SHR, NATIVE_NAN, x86_reg(NATIVE_NAN), 0, 1);
    for (b->at = first; b->at < b->end; b->at++)
        translate(b, &b->x->steps[b->at]);
    for (unsigned i = 0; i < NATIVE_SLOTS; i++)
        release(b, i);
    x86_bytes(&b->code, leave, sizeof leave);
    return start;
}

/* Where the run that begins here ends; `worth`: how many of its steps do something. */
static uint32_t run_end(const struct builder *b, uint32_t first, uint32_t *worth, uint8_t *mode)
{
    const struct gp5_executable *x = b->x;
    uint32_t i = first, last = first;

    *worth = 0;
    *mode = FLOAT_ANY;
    for (; i < x->nsteps && (i == first || !b->landing[i]) && is_native(x, &x->steps[i]); i++) {
        const struct step *s = &x->steps[i];
        if (s->quick == STEP_NOTHING)
            continue;
        if (s->mode != FLOAT_ANY && *mode != FLOAT_ANY && s->mode != *mode)
            break;
        if (s->mode != FLOAT_ANY)
            *mode = s->mode;
        ++*worth;
        last = i + 1;
    }
    return last;
}

struct pending { uint32_t step; size_t all, some; struct native_run run; uint8_t mode; };

static bool translate_runs(struct builder *b, struct vec *found, bool flow)
{
    struct gp5_executable *x = (struct gp5_executable *)(uintptr_t)b->x;

    for (uint32_t i = 0; i < x->nsteps;) {
        struct pending p = {.step = i};
        uint32_t worth;
        size_t at;

        if (x->steps[i].quick == STEP_NOTHING) {
            i++;
            continue;
        }
        b->end = run_end(b, i, &worth, &p.mode);
        if (!worth) {
            i++;
            continue;
        }
        p.all = function(b, i, false);
        p.some = flow ? function(b, i, true) : SIZE_MAX;
        if (b->code.failed)
            return found->count > 0;    /* what is there serves */
        p.run.steps = b->end - i;
        for (uint32_t k = i; k < b->end; k++)
            p.run.counts += x->steps[k].counts;
        at = vec_grow(found);
        if (at == SIZE_MAX)
            return false;
        *(struct pending *)vec_at(found, at) = p;
        i = b->end;
    }
    return found->count > 0;
}

typedef void (*run_fn)(uint32_t *base, uint32_t lanes);

static run_fn entry(const void *code, size_t at)
{
    const void *p = (const char *)code + at;
    run_fn f;

    memcpy(&f, &p, sizeof f);
    return f;
}

/* Written first, executable then: never both. */
static void *publish(const struct x86_code *c)
{
    void *code = mmap(NULL, c->size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (code == MAP_FAILED)
        return NULL;
    memcpy(code, c->bytes, c->size);
    if (mprotect(code, c->size, PROT_READ | PROT_EXEC) == 0)
        return code;
    munmap(code, c->size);
    return NULL;
}

static void install(struct gp5_executable *x, const struct builder *b, const struct vec *found)
{
    struct native *n = arena_alloc(&x->arena, sizeof *n);
    struct native_run *runs = arena_alloc(&x->arena, found->count * sizeof *runs);

    if (!n || !runs)
        return;
    *n = (struct native){.runs = runs, .nruns = (uint32_t)found->count, .size = b->code.size};
    n->code = publish(&b->code);
    if (!n->code)
        return;
    for (uint32_t i = 0; i < n->nruns; i++) {
        const struct pending *p = vec_at(found, i);
        struct step *s = &x->steps[p->step];
        runs[i] = p->run;
        runs[i].all = entry(n->code, p->all);
        runs[i].some = p->some == SIZE_MAX ? NULL : entry(n->code, p->some);
        s->quick = STEP_NATIVE;
        s->target = i;
        s->mode = p->mode;
    }
    x->native = n;
}

static bool builder_init(struct builder *b)
{
    const struct gp5_executable *x = b->x;

    b->code.most = MOST_CODE;
    b->constant = gp5_malloc((x->nplanes + 1u) * sizeof *b->constant);
    b->slot_of = gp5_malloc(x->nplanes + 1u);
    b->landing = gp5_malloc(x->nsteps + 2u);
    if (!b->constant || !b->slot_of || !b->landing)
        return false;
    memset(b->constant, 0, (x->nplanes + 1u) * sizeof *b->constant);
    memset(b->slot_of, NO_SLOT, x->nplanes + 1u);
    memset(b->landing, 0, x->nsteps + 2u);
    for (uint32_t i = 0; i < x->nconstants; i++)
        b->constant[x->constants[i].plane] = i + 1;
    for (unsigned i = 0; i < NATIVE_SLOTS; i++)
        b->slots[i] = (struct slot){.plane = NO_PLANE};
    find_landings(b);
    for (unsigned i = 0; i < NATIVE_WORDS; i++)
        x86_word(&b->code, native_words[i]);
    return !b->code.failed;
}

void eval_native_build(struct gp5_executable *x)
{
    struct builder b = {.x = x};
    struct vec found;
    bool flow = false;

    vec_init(&found, sizeof(struct pending));
    for (uint32_t i = 0; i < x->nsteps; i++)
        flow |= is_flow(&x->steps[i]) && x->steps[i].kind != STEP_END;
    flow |= x->profile == PROFILE_ARBFP;        /* KIL */
    if (builder_init(&b) && translate_runs(&b, &found, flow))
        install(x, &b, &found);
    vec_free(&found);
    x86_free(&b.code);
    gp5_free(b.constant);
    gp5_free(b.slot_of);
    gp5_free(b.landing);
}

void eval_native_free(struct gp5_executable *x)
{
    if (x->native)
        munmap(x->native->code, x->native->size);
    x->native = NULL;
}

#else

void eval_native_build(struct gp5_executable *x)
{
    (void)x;
}

void eval_native_free(struct gp5_executable *x)
{
    (void)x;
}

#endif
