/* From a parsed program to steps. */
#include "eval/decode/decode.h"
#include "eval/decode/loop_index.h"
#include "eval/decode/variables.h"
#include "eval/decode/vertex_arrays.h"
#include "eval/decode/temp_alloc.h"
#include "asm/label.h"
#include "eval/decode/half_storage.h"
#include "eval/texture/texture.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- the whole ----------------------------------------------------------------------------------------- */

static bool label(struct decoder *d, uint32_t i, enum label_kind kind)
{
    struct step *s;

    if (d->nesting)
        return eval_refuse(d, program_insn(d->p, i)->span, "a label inside a block");
    d->first_step = false;
    s = eval_step(d, kind == LABEL_RETURNS ? STEP_RET : STEP_JOIN);
    if (s)
        s->test.swizzle = 0xe4;
    return s != NULL;
}

static bool decode_all(struct decoder *d, const uint8_t *labels)
{
    uint32_t n = (uint32_t)d->p->insns.count;
    struct step *end;

    if (!eval_begin_address_stack(d, d->model.entry))
        return false;
    for (uint32_t i = 0; i < n; i++) {
        if (labels[i] && i > 0 && !label(d, i, labels[i]))
            return false;
        d->step_of[i] = (uint32_t)d->steps.count;
        if (!eval_decode_instruction(d, i))
            return false;
        if (d->layout.failed || d->layout.full)
            return eval_out_of_memory(d);
    }
    d->step_of[n] = (uint32_t)d->steps.count;
    d->insn = n ? n - 1 : 0;
    d->first_step = false;
    end = eval_step(d, STEP_END);
    if (d->nesting)
        return eval_refuse(d, (struct span){(uint32_t)d->p->size, 0}, "a program that ends inside a block");
    return end != NULL;
}

static bool ends_round(const struct step *s)
{
    return s->kind == STEP_REP || s->kind == STEP_ENDREP || s->kind == STEP_NEXT;
}

/* Jumps to steps, ops to pointers. */
static void link(struct decoder *d)
{
    struct gp5_executable *x = d->x;

    for (uint32_t i = 0; i < x->nsteps; i++) {
        struct step *s = &x->steps[i];
        switch (s->kind) {
        case STEP_LANE: case STEP_RAW:
            s->op = &x->ops[s->ref];
            break;
        case STEP_SHUFFLE: case STEP_VOTE: case STEP_MATCH: case STEP_QUAD: case STEP_KILL:
            s->op = s->target == NO_STEP ? NULL : &x->ops[s->target];
            break;
        case STEP_IF: case STEP_OUT: case STEP_OUT_ELSE: case STEP_PART: case STEP_PART_OTHERWISE:
        case STEP_ELSE: case STEP_PART_ELSE:
        case STEP_REP:
        case STEP_ENDREP:
        case STEP_NEXT:
        case STEP_BRK: case STEP_BRK_ON:
        case STEP_CONT: case STEP_AGAIN:
        case STEP_CAL: case STEP_BRA:
            s->target = d->step_of[s->target];
            if (s->kind == STEP_REP || s->kind == STEP_ENDREP || s->kind == STEP_NEXT)
                while (!ends_round(&x->steps[s->target]))   /* their own step comes after what reads the count */
                    s->target++;
            break;
        default:
            break;
        }
    }
    for (uint32_t i = 0; i < x->ncallees; i++)
        x->callees[i].step = d->step_of[x->callees[i].step];
}

static void *take(struct decoder *d, struct vec *v, uint32_t *count)
{
    void *copy = arena_alloc(&d->x->arena, v->count * v->element + 1);

    if (!copy) {
        eval_out_of_memory(d);
        return NULL;
    }
    if (v->count)
        memcpy(copy, v->data, v->count * v->element);
    *count = (uint32_t)v->count;
    return copy;
}

static bool hand_over(struct decoder *d, uint32_t entry)
{
    struct gp5_executable *x = d->x;
    uint32_t ntracks, nnames;

    x->steps = take(d, &d->steps, &x->nsteps);
    x->ops = take(d, &d->ops, &x->nops);
    x->tracks = take(d, &d->tracks, &ntracks);
    x->writes = take(d, &d->writes, &x->nwrites);
    x->gathers = take(d, &d->gathers, &x->ngathers);
    x->repeats = take(d, &d->repeats, &x->nrepeats);
    x->accesses = take(d, &d->accesses, &x->naccesses);
    x->exchanges = take(d, &d->exchanges, &x->nexchanges);
    x->groups = take(d, &d->groups, &x->ngroups);
    x->indirects = take(d, &d->indirects, &x->nindirects);
    x->chosen = take(d, &d->chosen, &x->nchosen);
    x->callees = take(d, &d->callees, &x->ncallees);
    x->texture_calls = take(d, &d->textures, &x->ntexture_calls);
    x->units = take(d, &d->units, &x->nunits);
    x->slots = take(d, &d->slots, &x->nslots);
    x->passed = take(d, &d->passed, &x->npassed);
    x->constants = take(d, &d->layout.constants, &x->nconstants);
    x->sources = take(d, &d->layout.sources, &x->nsources);
    x->names = take(d, &d->layout.names, &nnames);
    if (d->no_memory)
        return false;
    x->nplanes = d->layout.nplanes;
    x->entry = d->address_stack ? 0 : d->step_of[entry];
    x->nframes = d->deepest + 1 + (d->has_parts ? WARP_LANES : 0);     /* each lane waits in one frame of a side */
    x->parts = d->has_parts;
    for (uint32_t i = 0; i < x->nsteps; i++)
        if (x->steps[i].kind == STEP_CAL || x->steps[i].kind == STEP_CALI) {
            x->nframes *= EVAL_CALL_DEPTH + 1;
            break;
        }
    link(d);
    return true;
}

static void init(struct decoder *d)
{
    vec_init(&d->steps, sizeof(struct step));
    vec_init(&d->ops, sizeof(struct lane_op));
    vec_init(&d->tracks, sizeof(struct op_track));
    vec_init(&d->writes, sizeof(struct write));
    vec_init(&d->gathers, sizeof(struct gather));
    vec_init(&d->repeats, sizeof(struct repeat));
    vec_init(&d->accesses, sizeof(struct access));
    vec_init(&d->exchanges, sizeof(struct exchange));
    vec_init(&d->groups, sizeof(struct group_call));
    vec_init(&d->slots, sizeof(struct buffer_slot));
    vec_init(&d->indirects, sizeof(struct indirect));
    vec_init(&d->chosen, sizeof(struct chosen));
    vec_init(&d->callees, sizeof(struct callee));
    vec_init(&d->textures, sizeof(struct texture_call));
    vec_init(&d->units, sizeof(uint32_t));
    vec_init(&d->indexed, sizeof(struct loop_index));
    vec_init(&d->passed, sizeof(struct passed_result));
    vec_init(&d->regions, sizeof(struct vertex_region));
}

static void finish(struct decoder *d)
{
    vec_free(&d->steps);
    vec_free(&d->ops);
    vec_free(&d->tracks);
    vec_free(&d->writes);
    vec_free(&d->gathers);
    vec_free(&d->repeats);
    vec_free(&d->accesses);
    vec_free(&d->exchanges);
    vec_free(&d->groups);
    vec_free(&d->slots);
    vec_free(&d->indirects);
    vec_free(&d->chosen);
    vec_free(&d->callees);
    vec_free(&d->textures);
    vec_free(&d->units);
    vec_free(&d->indexed);
    vec_free(&d->passed);
    vec_free(&d->regions);
    eval_keeping_free(&d->keeping);
    eval_layout_free(&d->layout);
    model_free(&d->model);
}

/* Planes that the machine itself uses. */
static void reserve(struct decoder *d)
{
    d->x->cc_plane[0] = eval_layout_planes(&d->layout, 4 * CONDITION_CODES);    /* in a row */
    for (unsigned cc = 1; cc < CONDITION_CODES; cc++)
        d->x->cc_plane[cc] = d->x->cc_plane[0] + 4 * cc;
}

/* Who looks for races asks which results of atomic operations are used. */
static bool find_useful(struct decoder *d)
{
    d->useful = d->x->options.track_races ? model_useful(&d->model) : NULL;
    return d->useful || !d->x->options.track_races || eval_out_of_memory(d);
}

static bool run(struct decoder *d)
{
    const uint8_t *labels = d->model.labels;

    if (!eval_layout_init(&d->layout, d->p))
        return eval_out_of_memory(d);
    d->step_of = arena_alloc(&d->layout.arena, (d->p->insns.count + 1u) * sizeof *d->step_of);
    if (!d->step_of)
        return eval_out_of_memory(d);
    reserve(d);
    if (!eval_find_shorts(d) || !find_useful(d) || !eval_find_keepers(d, labels) || !eval_place_results(d) ||
        !eval_decode_passthrough(d) || !decode_all(d, labels) || !hand_over(d, d->model.entry))
        return false;
    eval_find_unwritten(d);
    return true;
}

bool eval_decode(struct gp5_executable *x, char *message, size_t size, size_t *offset)
{
    struct decoder d = {.p = x->program, .x = x};
    bool ok;

    init(&d);
    vec_reserve(&d.steps, x->program->insns.count + x->program->insns.count / 4);
    vec_reserve(&d.ops, 2 * x->program->insns.count);
    vec_reserve(&d.tracks, 2 * x->program->insns.count);
    ok = model_run_passes(&d.model, x->program, x->passes, x->options.semantics == GP5_SEMANTICS_NVIDIA) ||
         eval_out_of_memory(&d);
    d.p = d.model.p;
    ok = ok && run(&d);
    if (!ok) {
        snprintf(message, size, "%s", d.message);
        *offset = d.offset;
    }
    finish(&d);
    return ok;
}
