/* Runs of steps as machine code, for AVX-512 or for AVX2.
 *
 * Between two places where flow can go, a step of arithmetic needs nothing of the machine but the active lanes.
 * Such steps become one function: planes are loaded into vector registers when an operation first reads them and
 * stored at the end, or when another one needs the registers. Each row of ops.c computes what its kernel
 * computes. The one thing put off is the NaN that every NaN becomes: arithmetic does not care which one it reads, so
 * that a chain of multiply-adds makes it only when something else reads the value (`any_nan`).
 *
 * A function goes over the lanes at once or, where the planes are too many for the registers, where values have 64
 * bits and with AVX2, in parts.
 *
 * The kernels stay: steps that are jumped to, that are watched or read something undefined, and machines that give no
 * executable memory run by them. */
#include "eval/jit/jit_internal.h"
#include "asm/arena.h"
#include "eval/jit/x86_scalar.h"

#include <string.h>

#if NATIVE_MEMORY

enum { MOST_CODE = 64 << 20 };

/* ---- functions ----------------------------------------------------------------------------------------- */

struct counting {
    struct native_builder *b;
    uint32_t run, planes;
};

static bool count_plane(void *user, uint32_t plane, bool wide, bool written)
{
    struct counting *c = user;

    (void)wide;
    (void)written;
    if (c->b->seen[plane] != c->run && !c->b->constant[plane]) {
        c->b->seen[plane] = c->run;
        c->planes++;
    }
    return false;
}

/* How the steps from `first` to b->end go over the lanes. */
static enum native_layout choose_layout(struct native_builder *b, uint32_t first)
{
    struct counting c = {.b = b, .run = first + 1};

    for (uint32_t i = first; i < b->end; i++) {
        if (eval_native_is_wide(b, &b->x->steps[i]))
            return LAYOUT_WIDE;
        eval_native_planes(b, &b->x->steps[i], count_plane, &c);
    }
    return b->code.avx2 || (c.planes > NATIVE_MOST_SLOTS / 2 && !b->tables) ? LAYOUT_PART : LAYOUT_WHOLE;
}

/* Chains of doubles are long: so many steps are a section, which all lanes do before any goes on, so that several
 * lanes' are on their way; and fewer where components are done by themselves. */
enum { WIDE_SECTION = 16, BY_COMPONENT = 10 };

static bool next_section(struct native_builder *b)
{
    if (!eval_native_pack_all(b))
        return false;
    b->frames = true;
    eval_native_pause(b);
    eval_native_resume(b);
    return true;
}

/* The steps from `first` on, over all lanes, or (go_on) over those that are left. `trusting`: false where that cannot
 * be. */
static bool body(struct native_builder *b, uint32_t first, bool trusting, bool go_on)
{
    uint32_t since = first;     /* where the section begins */
    bool stored, between = b->tables && b->code.avx2;   /* look-ups are */
    bool sections = b->layout == LAYOUT_WIDE && b->code.avx2 && !go_on, apart;

    b->trusting = trusting;
    b->stored = b->frames = false;
    b->spills = b->layout != LAYOUT_WIDE;
    if ((between || b->layout == LAYOUT_WIDE) && b->masked)
        x86_gpr(&b->code, X86_MOV, false, R9, RSI);
    b->passing = !between;
    if (b->passing)
        b->pass = eval_native_begin_lanes(b, go_on);
    for (b->at = first; b->at < b->end; b->at++) {
        const struct step *s = &b->x->steps[b->at];
        if (!between || !eval_native_tables(b, s) || b->reuse[b->at] & NATIVE_REUSED)
            eval_native_resume(b);
        apart = sections && b->at == since &&
                eval_native_by_component(b, b->end - since < BY_COMPONENT ? b->end : since + BY_COMPONENT);
        if (!apart)
            eval_native_step(b, s);
        if (sections && (apart || b->at - since >= WIDE_SECTION) && b->at + 1 < b->end && next_section(b))
            since = b->at + 1;
    }
    stored = b->stored;
    eval_native_resume(b);
    eval_native_release(b);
    b->trusting = b->passing = false;
    eval_native_next_lanes(b, b->pass);
    eval_native_leave(b);
    eval_native_wide_rare(b);
    return !stored;
}

/* Whether there is something to trust in: multiply-adds of doubles, and nothing that looks at doubles as integers. */
static bool has_fused(const struct native_builder *b, uint32_t first)
{
    bool found = false;

    for (uint32_t i = first; i < b->end; i++) {
        const struct native_shape *shape = eval_native_shape_of(b, &b->x->steps[i]);
        if (shape->bits)
            return false;
        found |= shape->fused;
    }
    return found;
}

static void leave_out(struct gp5_executable *x)
{
    for (uint32_t i = 0; i < x->nsteps; i++) {
        const struct step *s = &x->steps[i];
        if ((s->kind == STEP_LANE || s->kind == STEP_RAW) && !eval_native_in_avx2(x->tracks[s->ref].native))
            x->tracks[s->ref].native = 0;
    }
}

/* Base in rdi, the active lanes in esi. Returns where the function begins in the code.
 *
 * With multiply-adds of doubles it is there twice: trusting that no NaN comes up, and not. What is wrong is found at
 * the end, so nothing may have been stored before. */
static size_t function(struct native_builder *b, uint32_t first, bool masked)
{
    size_t start = b->code.size, steps;
    bool trusted = false;

    b->masked = masked;
    b->code.halved = b->layout == LAYOUT_WIDE;
    eval_native_enter(b);
    eval_native_begin(b);
    steps = b->code.size;
    b->doubt = 0;
    if (b->layout == LAYOUT_WIDE && has_fused(b, first)) {
        trusted = body(b, first, true, false);
        if (!trusted && !b->code.failed)
            b->code.size = steps;
    }
    if (trusted)
        x86_bind(&b->code, &b->doubt);
    body(b, first, false, trusted);
    return start;
}

/* Where the run that begins here ends; `worth`: how many of its steps do something. */
static uint32_t run_end(const struct native_builder *b, uint32_t first, uint32_t *worth, uint8_t *mode)
{
    const struct gp5_executable *x = b->x;
    uint32_t i = first, last = first;
    bool wide = false, tables = false;

    *worth = 0;
    *mode = FLOAT_ANY;
    for (; i < x->nsteps && (i == first || !(b->landing[i] & LANDING)) && eval_native_is(b, &x->steps[i]); i++) {
        const struct step *s = &x->steps[i];
        uint8_t wanted = eval_native_mode(b, s);
        if (s->quick == STEP_NOTHING)
            continue;
        if (wanted != FLOAT_ANY && *mode != FLOAT_ANY && wanted != *mode)
            break;
        wide |= eval_native_is_wide(b, s);
        tables |= eval_native_tables(b, s) != 0;
        if (wide && tables)
            break;      /* they go over the lanes in different ways */
        if (wanted != FLOAT_ANY)
            *mode = wanted;
        ++*worth;
        last = i + 1;
    }
    return last;
}

enum { MOST_STRAIGHT = 8 };

/* Where a run with blocks in it, or with writes that test or set flags, ends that begins here: those, and little
 * between and before them. 0: there is none. */
static uint32_t flow_end(const struct native_builder *b, uint32_t first)
{
    const struct gp5_executable *x = b->x;
    uint32_t i = first, end = 0, straight = 0, behind = first;  /* a block */

    while (i < x->nsteps && (i == behind || !(b->landing[i] & LANDING))) {
        const struct step *s = &x->steps[i];
        if (b->block_end[i] && !(b->landing[i] & LANDING_LEAVES)) {
            i = end = behind = b->block_end[i];
            straight = 0;
            continue;
        }
        if (eval_native_has_flags(x, s)) {
            end = ++i;
            straight = 0;
            continue;
        }
        if (++straight > MOST_STRAIGHT)
            break;
        if (s->quick != STEP_NOTHING &&
            (s->kind == STEP_WRITE ? !eval_native_writes(x, s)
                                   : !eval_native_is(b, s) || eval_native_is_wide_alone(b, s)))
            break;
        i++;
    }
    return end;
}

static uint8_t mode_of_run(const struct native_builder *b, uint32_t first)
{
    for (uint32_t i = first; i < b->end; i++) {
        const struct step *s = &b->x->steps[i];
        if ((s->kind == STEP_LANE || s->kind == STEP_RAW) && eval_native_is(b, s) && !eval_native_is_wide(b, s) &&
            eval_native_mode(b, s) != FLOAT_ANY)
            return s->mode;
    }
    return FLOAT_ANY;
}

static void find_tables(struct native_builder *b, uint32_t first)
{
    b->tables = 0;
    for (uint32_t i = first; i < b->end; i++)
        b->tables |= eval_native_tables(b, &b->x->steps[i]);
    if (b->tables && b->spares < NATIVE_KEPT)
        b->spares = NATIVE_KEPT;
}

struct pending { uint32_t step; size_t all, some, flow; struct native_run run; uint8_t mode; };

/* The run that begins at b->at: its end, or 0 where there is none. */
static bool translate_run(struct native_builder *b, uint32_t first, bool flow, struct pending *p)
{
    uint32_t worth, end;

    *p = (struct pending){.step = first, .all = SIZE_MAX, .some = SIZE_MAX, .flow = SIZE_MAX};
    b->end = flow_end(b, first);
    if (b->end) {
        p->mode = b->mode = mode_of_run(b, first);
        find_tables(b, first);
        b->flow = true;
        p->flow = eval_native_flow(b, first);
        b->flow = false;
        return true;
    }
    b->end = run_end(b, first, &worth, &p->mode);
    if (!worth)
        return false;
    for (end = b->end; end < b->x->nsteps && b->x->steps[end].quick == STEP_NOTHING;)
        end++;
    b->last = !b->calls && end < b->x->nsteps && b->x->steps[end].kind == STEP_END;
    find_tables(b, first);
    b->layout = (uint8_t)choose_layout(b, first);
    b->first = first;
    if (b->tables && eval_native_make_numbers(b))
        eval_native_find_reuse(b);
    p->all = function(b, first, false);
    if (flow)
        p->some = function(b, first, true);
    return true;
}

static bool translate_runs(struct native_builder *b, struct vec *found, bool flow)
{
    const struct gp5_executable *x = b->x;

    for (uint32_t i = 0; i < x->nsteps;) {
        struct pending p;
        size_t at;

        if (x->steps[i].quick == STEP_NOTHING || !translate_run(b, i, flow, &p)) {
            i++;
            continue;
        }
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

/* Where a function stands in the code, as a pointer to it. */
static void *entry(const void *code, size_t at)
{
    return at == SIZE_MAX ? NULL : (char *)(uintptr_t)code + at;
}

static void install(struct gp5_executable *x, const struct native_builder *b, const struct vec *found)
{
    struct native *n = arena_alloc(&x->arena, sizeof *n);
    struct native_run *runs = arena_alloc(&x->arena, found->count * sizeof *runs);

    if (!n || !runs)
        return;
    *n = (struct native){
        .runs = runs, .nruns = (uint32_t)found->count, .spares = b->spares, .size = b->code.size};
    n->code = eval_native_publish(&b->code);
    if (!n->code)
        return;
    for (uint32_t i = 0; i < n->nruns; i++) {
        const struct pending *p = vec_at(found, i);
        struct step *s = &x->steps[p->step];
        const void *all = entry(n->code, p->all), *some = entry(n->code, p->some), *flow = entry(n->code, p->flow);
        runs[i] = p->run;
        memcpy(&runs[i].all, &all, sizeof all);
        memcpy(&runs[i].some, &some, sizeof some);
        memcpy(&runs[i].flow, &flow, sizeof flow);
        s->quick = STEP_NATIVE;
        s->native = i;
        s->mode = p->mode;
    }
    x->native = n;
}

static bool builder_init(struct native_builder *b)
{
    const struct gp5_executable *x = b->x;
    uint32_t n = x->nplanes + NATIVE_SPARES + 2;

    b->code.most = MOST_CODE;
    b->constant = arena_alloc(&b->arena, n * sizeof *b->constant);
    b->slot_of = arena_alloc(&b->arena, n);
    b->spilled = arena_alloc(&b->arena, n);
    b->kept = arena_alloc(&b->arena, n);
    b->landing = arena_alloc(&b->arena, x->nsteps + 2u);
    b->elsewhere = arena_alloc(&b->arena, n);
    b->reuse = arena_alloc(&b->arena, x->nsteps + 1u);
    b->packed_at = arena_alloc(&b->arena, n);
    b->seen = arena_alloc(&b->arena, n * sizeof *b->seen);
    b->block_end = arena_alloc(&b->arena, (x->nsteps + 1u) * sizeof *b->block_end);
    b->blocks = arena_alloc(&b->arena, (x->nframes + 1u) * sizeof *b->blocks);
    if (b->arena.failed)
        return false;
    memset(b->slot_of, NO_SLOT, n);
    memset(b->kept + x->nplanes, true, n - x->nplanes);
    for (uint32_t i = 0; i < x->nsources; i++)
        b->kept[x->sources[i].plane] = true;
    for (uint32_t i = 0; i < x->nsteps; i++)
        b->calls |= x->steps[i].kind == STEP_CAL || x->steps[i].kind == STEP_CALI;
    for (unsigned i = 0; i < NATIVE_MOST_PACKED; i++)
        b->packed[i].plane = NO_PLANE;
    for (uint32_t i = 0; i < x->nconstants; i++)
        b->constant[x->constants[i].plane] = i + 1;
    for (unsigned i = 0; i < NATIVE_MOST_SLOTS; i++)
        b->slots[i] = (struct native_slot){.plane = NO_PLANE};
    for (uint32_t i = 0; i < x->nwrites; i++)
        b->carries |= x->writes[i].carry != NULL;
    eval_find_landings(x, b->landing);
    eval_native_find_blocks(b);
    if (b->code.avx2)
        eval_native_find_elsewhere(b);
    if (b->code.avx2)
        x86_avx2_words(&b->code, native_words, NATIVE_WORDS, NATIVE_SIGN, NATIVE_SIGN_WORD);
    for (unsigned i = 0; i < NATIVE_WORDS && !b->code.avx2; i++)
        x86_word(&b->code, native_words[i]);
    eval_native_find_tables(b);
    return !b->code.failed;
}

void eval_native_build(struct gp5_executable *x, bool avx2)
{
    struct native_builder b = {.x = x, .code.avx2 = avx2};
    struct vec found;
    bool flow = false;

    vec_init(&found, sizeof(struct pending));
    eval_native_wide_begin(&b);
    if (avx2)
        leave_out(x);
    for (uint32_t i = 0; i < x->nsteps; i++)
        flow |= (step_is_flow(&x->steps[i]) && x->steps[i].kind != STEP_END) || x->steps[i].kind == STEP_CALI ||
                x->steps[i].kind == STEP_KILL;
    if (eval_native_find_shapes(&b) && eval_native_find_uses(&b) && builder_init(&b) &&
        translate_runs(&b, &found, flow))
        install(x, &b, &found);
    vec_free(&found);
    vec_free(&b.rare);
    x86_free(&b.code);
    arena_free(&b.arena);
}

#else

void eval_native_build(struct gp5_executable *x, bool avx2)
{
    (void)x;
    (void)avx2;
}

#endif
