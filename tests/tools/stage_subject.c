#include "tests/tools/stage_subject.h"

#include "compare/driver/reference_launch.h"

#include <stdlib.h>
#include <string.h>

/* ---- what a driver gave ------------------------------------------------------------------------------------------ */

static void take(struct subject_got *got, const struct driver_output *outputs, size_t count)
{
    for (size_t i = 0; i < count && got->nplanes < SUBJECT_PLANES; i++) {
        got->bytes[got->nplanes] = outputs[i].size;
        got->data[got->nplanes++] = outputs[i].data;
    }
}

void subject_take(const struct subject *s, const struct driver_result *r, struct subject_got *got)
{
    *got = (struct subject_got){.status = r->status};
    if (r->status != DRIVER_RAN)
        return;
    take(got, r->vertices, r->vertex_count);
    take(got, r->colors, r->color_count);
    if (s->c.stage == DRIVER_FRAGMENT)
        take(got, &(struct driver_output){0, r->coverage, r->coverage_size}, 1);
    take(got, r->storage, r->storage_count);
    take(got, r->counters, r->counter_count);
    take(got, r->textures, r->texture_count);
}

static uint32_t is_nan(uint32_t word)
{
    return (word & 0x7fffffff) > 0x7f800000;
}

static void mix(uint32_t *hash, const void *data, size_t size)
{
    const uint8_t *bytes = data;

    for (size_t i = 0; i < size; i++)
        *hash = (*hash ^ bytes[i]) * 16777619u;
}

uint32_t subject_hash(const struct subject *s)
{
    const struct driver_case *c = &s->c;
    uint32_t hash = 2166136261u;

    mix(&hash, c->program, c->program_size);
    for (size_t i = 0; i < c->vertices.input_count; i++)
        mix(&hash, c->vertices.inputs[i].data, c->vertices.inputs[i].size);
    for (size_t i = 0; i < c->raster.attribute_count; i++)
        mix(&hash, c->raster.attributes[i].values, c->raster.attributes[i].size);
    return hash;
}

static void put(FILE *out, uint32_t word)
{
    fwrite(&word, sizeof word, 1, out);
}

void subject_write(FILE *out, const struct subject *s, const struct subject_got *got)
{
    put(out, subject_hash(s));
    put(out, (uint32_t)got->status);
    put(out, (uint32_t)got->nplanes);
    for (size_t i = 0; i < got->nplanes; i++) {
        put(out, (uint32_t)got->bytes[i]);
        for (size_t k = 0; k + 4 <= got->bytes[i]; k += 4) {
            uint32_t word;
            memcpy(&word, got->data[i] + k, sizeof word);
            put(out, is_nan(word) ? 0x7fc00000 : word);
        }
        fwrite(got->data[i] + got->bytes[i] / 4 * 4, 1, got->bytes[i] % 4, out);
    }
}

static bool get(FILE *in, uint32_t *word)
{
    return fread(word, sizeof *word, 1, in) == 1;
}

uint8_t *subject_read(FILE *in, uint32_t *hash, struct subject_got *got)
{
    uint32_t status, planes, bytes, used = 0;
    uint8_t *data = malloc(1);

    *got = (struct subject_got){0};
    bool ok = data && get(in, hash) && get(in, &status) && status < DRIVER_STATUSES && get(in, &planes) &&
              planes <= SUBJECT_PLANES;
    for (uint32_t i = 0; ok && i < planes; i++) {
        ok = get(in, &bytes) && bytes <= 1 << 24;
        uint8_t *larger = ok ? realloc(data, used + bytes + 1) : NULL;
        if ((ok = larger != NULL)) {
            data = larger;
            ok = fread(data + used, 1, bytes, in) == bytes;
            got->bytes[i] = bytes;
            used += bytes;
        }
    }
    if (!ok) {
        free(data);
        return NULL;
    }
    got->status = (enum driver_status)status;
    got->nplanes = planes;
    for (uint32_t i = 0, at = 0; i < planes; at += (uint32_t)got->bytes[i++])
        got->data[i] = data + at;
    return data;
}

/* ---- the reference ----------------------------------------------------------------------------------------------- */

struct reference_side {
    struct gp5_array inputs[SUBJECT_ARRAYS + 1], results[SUBJECT_ARRAYS];
    size_t room;                /* elements of each result */
    uint32_t *words[SUBJECT_ARRAYS], *undefined[SUBJECT_ARRAYS];
    uint32_t *patch, *tesscoord;
    uint8_t *covered;
};

static size_t elements_of(const struct subject_got *got, size_t plane)
{
    return got->bytes[plane] / 16;
}

static size_t plane_count(const struct subject *s)
{
    return s->c.stage == DRIVER_FRAGMENT ? s->c.raster.color_outputs : s->c.vertices.result_count;
}

static void give_inputs(const struct subject *s, struct gp5_launch *l, struct reference_side *side)
{
    const struct driver_vertices *v = &s->c.vertices;
    const struct driver_raster *f = &s->c.raster;
    bool fragment = s->c.stage == DRIVER_FRAGMENT;
    size_t count = fragment ? (size_t)f->width * f->height : v->count;

    for (size_t i = 0; i < (fragment ? f->attribute_count : v->input_count); i++)
        if (s->reads[i])
            side->inputs[l->ninputs++] = (struct gp5_array){
                .binding = s->reads[i],
                .words = (uint32_t *)(uintptr_t)(fragment ? f->attributes[i].values : v->inputs[i].data),
                .count = count};
    l->inputs = side->inputs;
}

/* Where the driver put the points of the patches; without it, where they are to be. */
static bool give_points(const struct subject *s, const gp5_executable *x, const struct subject_got *got,
                        struct gp5_launch *l, struct reference_side *side)
{
    float levels[6], *points = NULL;

    memcpy(levels, s->c.vertices.levels, sizeof levels);
    size_t each = got ? 0 : gp5_tessellate(x, levels, levels + 4, &points),
           n = got ? elements_of(got, 0) : each * l->patches;
    if (each == SIZE_MAX)
        return false;
    l->count = (uint32_t)n;
    l->patch = side->patch = calloc(n + 1, sizeof *side->patch);
    side->tesscoord = calloc(4 * n + 1, 4);
    for (size_t i = 0; side->patch && side->tesscoord && i < n; i++) {
        if (got) {
            memcpy(&side->tesscoord[4 * i], got->data[s->tesscoord] + 16 * i, 16);
            memcpy(&side->patch[i], got->data[s->patch] + 16 * i, 4);
        } else {
            memcpy(&side->tesscoord[4 * i], points + 3 * (i % each), 12);
            side->patch[i] = (uint32_t)(i / each);
        }
    }
    gp5_text_free((char *)points);
    if (!side->patch || !side->tesscoord)
        return false;
    side->inputs[l->ninputs++] =
        (struct gp5_array){.binding = "vertex.tesscoord", .words = side->tesscoord, .count = n};
    return true;
}

static unsigned vertices_of(enum driver_assembly a)
{
    static const unsigned vertices[DRIVER_ASSEMBLIES] = {1, 2, 3, 4, 6, 1};

    return vertices[a];
}

static bool prepare(const struct subject *s, const gp5_executable *x, const struct subject_got *got,
                    struct gp5_launch *l, struct reference_side *side)
{
    const struct driver_vertices *v = &s->c.vertices;
    size_t unique = 0;
    bool ok = true;

    give_inputs(s, l, side);
    l->count = v->count;
    switch (s->c.stage) {
    case DRIVER_GEOMETRY: l->count = v->count / vertices_of(v->assembly); break;
    case DRIVER_TESS_CONTROL:
    case DRIVER_TESS_EVALUATION:
        l->patch_vertices = v->patch_vertices;
        l->count = l->patches = v->count / v->patch_vertices;
        if (s->c.stage == DRIVER_TESS_EVALUATION)
            ok = give_points(s, x, got, l, side);
        break;
    case DRIVER_FRAGMENT:
        l->width = s->c.raster.width;
        l->height = s->c.raster.height;
        l->points = s->c.raster.primitive == DRIVER_POINTS;
        l->covered = side->covered = calloc(l->width, l->height);
        break;
    default: break;
    }
    side->room =
        s->c.stage == DRIVER_FRAGMENT ? (size_t)l->width * l->height : (size_t)gp5_result_count(x, l->count, 1);
    for (size_t i = 0; i < plane_count(s); i++) {
        size_t k = 0;
        for (; k < i && (!s->planes[i].binding || !s->planes[k].binding ||
                         strcmp(s->planes[k].binding, s->planes[i].binding)); k++)
            ;
        if (!s->planes[i].binding || k < i) {
            side->words[i] = k < i ? side->words[k] : NULL;
            side->undefined[i] = k < i ? side->undefined[k] : NULL;
            continue;
        }
        size_t count = s->planes[i].vertex < 0 && s->c.stage == DRIVER_TESS_CONTROL ? l->count : side->room;
        side->words[i] = calloc(4 * side->room + 4, 4);
        side->undefined[i] = calloc(4 * side->room + 4, 4);
        ok = ok && side->words[i] && side->undefined[i];
        side->results[unique++] = (struct gp5_array){.binding = s->planes[i].binding, .words = side->words[i],
                                                     .count = count, .undefined = side->undefined[i]};
    }
    l->results = side->results;
    l->nresults = unique;
    return ok;
}

static void side_free(struct reference_side *side, size_t planes)
{
    for (size_t i = 0; i < planes; i++) {
        bool again = false;
        for (size_t k = 0; k < i; k++)
            again |= side->words[k] == side->words[i];
        if (!again) {
            free(side->words[i]);
            free(side->undefined[i]);
        }
    }
    free(side->patch);
    free(side->tesscoord);
    free(side->covered);
}

/* ---- both ---------------------------------------------------------------------------------------------------------
 */

bool subject_same(const void *user, const struct subject_difference *d)
{
    (void)user;
    return d->ours == d->theirs || (is_nan(d->ours) && is_nan(d->theirs));
}

struct comparison {
    subject_alike_fn *alike;
    const void *user;
    struct subject_verdict *v;
};

static void compare_word(struct comparison *c, const char *binding, size_t at, uint32_t ours, uint32_t undefined,
                         uint32_t theirs)
{
    struct subject_verdict *v = c->v;

    if (undefined) {
        v->undefined++;
        return;
    }
    struct subject_difference d = {binding, at / 4, at % 4, ours, theirs};
    v->compared++;
    if (c->alike(c->user, &d))
        return;
    if (v->different < 3)
        v->first[v->different] = d;
    v->different++;
}

/* The words of a plane in the order in which they were captured. */
static void compare_plane(struct comparison *c, const struct subject *s, const struct subject_got *got, size_t i,
                          const struct reference_side *side, size_t made)
{
    const struct subject_plane *p = &s->planes[i];
    bool control = s->c.stage == DRIVER_TESS_CONTROL;
    size_t theirs = elements_of(got, i);

    if (control && s->patch ? theirs < made : control ? theirs != 2 * made : theirs != made) {
        c->v->different++;
        snprintf(c->v->message, sizeof c->v->message, "%zu elements of %s, the driver has %zu", made, p->binding,
                 theirs);
        return;
    }
    for (size_t e = 0; e < theirs; e++) {
        uint32_t patch = (uint32_t)e / 2;
        if (control && s->patch)
            memcpy(&patch, got->data[s->patch] + 16 * e, sizeof patch);
        if (control && patch >= made)
            continue;
        size_t from = !control ? e : p->vertex < 0 ? patch : patch * s->threads + (size_t)p->vertex;
        if (side->covered && !side->covered[e])
            continue;
        for (unsigned k = 0; k < 4; k++) {
            uint32_t word;
            memcpy(&word, got->data[i] + 16 * e + 4 * k, 4);
            compare_word(c, p->binding, 4 * e + k, side->words[i][4 * from + k], side->undefined[i][4 * from + k],
                         word);
        }
    }
}

static void compare_output(struct comparison *c, const struct output *o, const struct subject_got *got, size_t plane)
{
    for (size_t k = 0; k + 4 <= o->size && o->size == got->bytes[plane]; k += 4) {
        uint32_t ours, theirs;
        memcpy(&ours, o->data + k, 4);
        memcpy(&theirs, got->data[plane] + k, 4);
        compare_word(c, output_kind_name(o->kind), k / 4, ours, o->undefined ? o->undefined[k / 4] : 0, theirs);
    }
}

static void compare_all(struct comparison *c, const struct subject *s, const struct subject_got *got,
                        const struct reference_side *side, const struct outcome *o, size_t made)
{
    size_t plane = 0;

    for (; plane < plane_count(s); plane++)
        if (s->planes[plane].binding)
            compare_plane(c, s, got, plane, side, made);
    if (side->covered) {
        for (size_t i = 0; i < got->bytes[plane]; i++)
            compare_word(c, "coverage", 4 * i, side->covered[i], 0, got->data[plane][i]);
        plane++;
    }
    for (size_t i = 0; i < o->count && plane < got->nplanes; i++)
        if (i >= s->c.storage_count || s->c.storage[i].bring_back)     /* storage comes first */
            compare_output(c, &o->outputs[i], got, plane++);
}

static void fail(struct subject_verdict *v, const char *message)
{
    snprintf(v->message, sizeof v->message, "%s", message ? message : "out of memory");
}

/* What is done with the reference's results once they are there. */
typedef void use_fn(void *user, const struct reference_side *side, const struct outcome *o, size_t made);

static void run_reference(const struct subject *s, enum gp5_semantics semantics, const struct subject_got *got,
                          use_fn *use, void *user, struct subject_verdict *v)
{
    struct gp5_run_options options = {
        .semantics = semantics, .track_undefined = true, .jobs = 1, .warp = s->warp};
    struct driver_case buffers = s->c;
    struct reference_side side = {0};
    struct reference_launch launch;
    struct outcome o;
    struct gp5_state state;
    char *message = NULL;
    size_t offset;
    gp5_program *program = gp5_parse(s->c.program, s->c.program_size);
    gp5_executable *x = program ? gp5_prepare(program, &options, &message, &offset) : NULL;

    *v = (struct subject_verdict){0};
    if (!x)
        fail(v, message);
    gp5_text_free(message);
    outcome_init(&o);
    gp5_state_init(&state);
    state.clamp_vertex_color = false;
    buffers.stage = DRIVER_COMPUTE;     /* buffers, textures and parameters alone */
    bool ok = x && reference_launch(&launch, &buffers, true, &o);
    if (ok) {
        launch.gl.state = &state;
        v->ran = prepare(s, x, got, &launch.gl, &side);
        if (!v->ran) {
            fail(v, NULL);
        } else if (gp5_execute(x, &launch.gl, &options, &o.report) != GP5_RUN_OK) {
            fail(v, o.report.message);
            v->ran = false;
        } else {
            use(user, &side, &o,
                s->c.stage == DRIVER_GEOMETRY       ? o.report.elements[0]
                : s->c.stage == DRIVER_TESS_CONTROL ? launch.gl.count
                                                    : side.room);
        }
        reference_launch_free(&launch);
    }
    side_free(&side, plane_count(s));
    outcome_free(&o);
    gp5_executable_free(x);
    gp5_program_free(program);
}

struct compared { struct comparison c; const struct subject *s; const struct subject_got *got; };

static void compare_results(void *user, const struct reference_side *side, const struct outcome *o, size_t made)
{
    struct compared *c = user;

    compare_all(&c->c, c->s, c->got, side, o, made);
}

void subject_compare(const struct subject *s, enum gp5_semantics semantics, const struct subject_got *got,
                     subject_alike_fn *alike, const void *user, struct subject_verdict *v)
{
    if (got->nplanes < plane_count(s)) {
        *v = (struct subject_verdict){0};
        fail(v, "results are missing");
        return;
    }
    run_reference(s, semantics, got, compare_results, &(struct compared){{alike, user, v}, s, got}, v);
}

/* ---- digests
 * ------------------------------------------------------------------------------------------------------------- */

static void mix_word(uint32_t *hash, uint32_t word)
{
    word = is_nan(word) ? 0x7fc00000 : word;
    mix(hash, &word, sizeof word);
}

/* Of control programs one of the two that are of a patch. */
uint32_t subject_digest(const struct subject *s, const struct subject_got *got)
{
    unsigned each = s->c.stage == DRIVER_TESS_CONTROL ? 2 : 1;
    uint32_t digest = subject_hash(s);

    for (size_t e = 0; e < elements_of(got, 0); e += each) {
        uint32_t hash = 2166136261u, word;
        for (size_t i = 0; i < plane_count(s); i++)
            for (unsigned k = 0; s->planes[i].binding && k < 4; k++) {
                memcpy(&word, got->data[i] + 16 * e + 4 * k, 4);
                mix_word(&hash, word);
            }
        digest += hash;
    }
    return digest;
}

struct digested { const struct subject *s; uint32_t digest; };

static void digest_results(void *user, const struct reference_side *side, const struct outcome *o, size_t made)
{
    struct digested *d = user;
    bool control = d->s->c.stage == DRIVER_TESS_CONTROL;

    (void)o;
    d->digest = subject_hash(d->s);
    for (size_t e = 0; e < made; e++) {
        uint32_t hash = 2166136261u;
        for (size_t i = 0; i < plane_count(d->s); i++) {
            const struct subject_plane *p = &d->s->planes[i];
            size_t from = !control || p->vertex < 0 ? e : e * d->s->threads + (size_t)p->vertex;
            for (unsigned k = 0; p->binding && k < 4; k++)
                mix_word(&hash, side->words[i][4 * from + k]);
        }
        d->digest += hash;
    }
}

uint32_t subject_own_digest(const struct subject *s, enum gp5_semantics semantics)
{
    struct subject_verdict v;
    struct digested d = {s, 0};

    run_reference(s, semantics, NULL, digest_results, &d, &v);
    return d.digest;
}
