/* Programs that the driver at hand has not beside their translations, which it draws: what the evaluator makes of a
 * program is what the driver makes of its translation.
 *
 *   translate_proof [--to=LANGUAGE] [--rounds=N] [--functions=exact|driver] [--measure] [--show] [-v] FILE...
 *   translate_proof --shaders=DIR ...       another producer's shaders, DIR/NUMBER.glsl, in the place of translations
 *   translate_proof --write=DIR [--to=LANGUAGE] FILE...         for another compiler, any stage: DIR/FILE-NUMBER.vert
 *
 * Every vertex and fragment program in each file (gp5_find_program) that NVIDIA's driver takes gets N x 256 inputs,
 * but for plain ARB programs that Mesa takes, which translate_live proves bit by bit. One that reads its variables
 * before it writes them gets inputs there, and one without results gives its variables, or what its addresses and
 * condition codes choose. Buffers are compared as well; warps have as many lanes as the driver's subgroups. Words are
 * to be equal, NaNs both NaN; floats within 4 units in the last place, or both below 1e-30; what a program of whole
 * numbers gives is compared by bits. A NaN that became 0, 1 or -1 is counted apart: Mesa's compiler takes 0 * x for 0,
 * and llvmpipe's clamp() takes a NaN for one of its bounds. By default functions that drivers approximate are computed
 * in double precision by the shader itself (proof_functions.c): words may be those of the evaluator's --semantics=spec
 * or of =ideal, whose functions are exact as well. With --functions=driver they are the driver's own. --measure tells
 * how far off =ideal each program is at most: in units in the last place, as a part of the value, and by how much. A
 * line a program that is not the same, with --show both texts; the last line counts. Exit status: 0, 1 something
 * differs, 77 no driver. */
#include "asm/arena.h"
#include "compare/script/data.h"
#include "tests/tools/proof.h"

#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Of vectors within 2,048 that are reflected: 4 units of the largest. */
#define REFLECTED 0x1p-10f

struct totals {
    unsigned programs, same, ideal, different, refused, not_compiled, invalid, open, mesa;
    unsigned long long words, undefined, lost;
};

struct run {
    struct totals t;
    struct driver *driver;
    enum gp5_language language;
    unsigned rounds, subgroup;
    bool own_functions, measure, show, verbose;
    const char *folder;  /* write there, and draw nothing */
    const char *shaders; /* the N-th program's is N.glsl there, and not its translation */

    const char *file; /* the program at hand */
    unsigned number;
    struct proof *proofs;
    char *text;
    size_t size;
    uint8_t rows[PROOF_PARAMETERS]; /* of gp5_state */
    char why[600], refusal[400];
    bool by_ideal, failed, did_not_run, rejected, stopped; /* by the driver: refused, or ended without results */
    double ulps, part, apart;
};

/* ---- comparing --------------------------------------------------------------------------------------------------- */

/* A word that is not what the evaluator gives. */
struct miss {
    const char *binding;
    size_t element;
    unsigned component;
};

struct judge {
    const struct proof *p;
    double ulps, part, apart; /* the largest that was seen: also of the differences themselves */
    unsigned long long lost;  /* NaNs */
    struct miss *missed;      /* by --semantics=spec; what =ideal gives is right as well */
    size_t count, room;
    bool again;               /* it is =ideal's turn */
};

static float of_bits(uint32_t bits)
{
    float f;
    memcpy(&f, &bits, sizeof f);
    return f;
}

static int64_t place_of(uint32_t bits)
{
    return bits & 0x80000000 ? -(int64_t)(bits & 0x7fffffff) : (int64_t)bits;
}

/* A denormal, which the driver takes for 0 where it computes. */
static bool flushed(uint32_t bits)
{
    return (bits & 0x7fffffff) < 0x00800000;
}

static bool alike(const void *user, const struct subject_difference *d)
{
    struct judge *j = (struct judge *)(uintptr_t)user;
    float a = of_bits(d->ours), b = of_bits(d->theirs);

    if (subject_same(NULL, d))
        return true;
    bool scalar = strstr(d->binding, "fogcoord") || strstr(d->binding, "pointsize") || strstr(d->binding, "clip[");
    if (scalar && d->component)
        return true; /* of which only x is anything */
    if (fabsf(a) < 1e-30f && fabsf(b) < 1e-30f)
        return !j->p->whole || !((d->ours | d->theirs) << 1) || (!j->p->only_whole && b == 0 && flushed(d->ours));
    if (isnan(a) && (b == 0 || fabsf(b) == 1)) {
        j->lost++;
        return true;
    }
    double ulps = fabs((double)(place_of(d->ours) - place_of(d->theirs)));
    double part = fabs((double)a - (double)b) / fmax(fabs((double)a), 1e-30);
    if (isfinite(a) && isfinite(b)) {
        j->ulps = fmax(j->ulps, ulps);
        j->part = fmax(j->part, part);
        j->apart = fmax(j->apart, fabs((double)a - (double)b));
    }
    return ulps <= 4 || (j->p->reflects && fabsf(a - b) <= REFLECTED);
}

/* Whether a word that =ideal does not give was one that =spec gave: misses come in the order of the words. */
static bool alike_either(const void *user, const struct subject_difference *d)
{
    struct judge *j = (struct judge *)(uintptr_t)user;

    if (alike(user, d))
        return true;
    if (j->again) {
        for (size_t i = 0; i < j->count; i++)
            if (j->missed[i].element == d->element && j->missed[i].component == d->component &&
                !strcmp(j->missed[i].binding, d->binding))
                return false;
        return true;
    }
    if (j->count == j->room) {
        size_t room = j->room * 2 + 64;
        struct miss *more = realloc(j->missed, room * sizeof *more);
        if (!more)
            return false;
        j->missed = more;
        j->room = room;
    }
    j->missed[j->count++] = (struct miss){d->binding, d->element, d->component};
    return false;
}

static bool judge(struct run *r, struct judge *j, const struct subject_got *got, enum gp5_semantics semantics,
                  unsigned round)
{
    struct subject_verdict v;

    j->lost = 0;
    subject_compare(&j->p->subject, semantics, got, alike_either, j, &v);
    r->ulps = fmax(r->ulps, j->ulps);
    r->part = fmax(r->part, j->part);
    r->apart = fmax(r->apart, j->apart);
    if (v.ran && !v.different) {
        r->t.words += v.compared;
        r->t.undefined += v.undefined;
        r->t.lost += j->lost;
        return true;
    }
    const struct subject_difference *f = &v.first[0];
    if (!v.ran || !f->binding)
        snprintf(r->why, sizeof r->why, "%s", v.message);
    else
        snprintf(r->why, sizeof r->why,
                 "%s.%c: %08x (%g) by the evaluator, %08x (%g) by the translation, %llu of %llu words, round %u, "
                 "element %zu",
                 f->binding, "xyzw"[f->component % 4], f -> ours, (double)of_bits(f->ours), f -> theirs,
                 (double)of_bits(f->theirs), (unsigned long long)v.different, (unsigned long long)v.compared, round,
                 f->element);
    r->did_not_run |= !v.ran;
    return false;
}

static bool take(void *user, size_t index, const struct driver_case *c, const struct driver_result *result)
{
    struct run *r = user;
    const struct proof *p = &r->proofs[index];
    struct subject_got got;

    (void)c;
    subject_take(&p->subject, result, &got);
    if (result->status != DRIVER_RAN) {
        r->rejected = result->status == DRIVER_REJECTED;
        r->stopped = !r->rejected;
        snprintf(r->why, sizeof r->why, "%s: %.400s %.100s", driver_status_name(result->status), result->message,
                 result->detail);
        return false;
    }
    struct judge j = {.p = p, .again = r->measure};
    bool same = judge(r, &j, &got, r->measure ? GP5_SEMANTICS_IDEAL : GP5_SEMANTICS_SPEC, (unsigned)index) ||
                r->measure;
    if (!same && p->functions && !r->did_not_run) {
        j.again = true;
        same = r->by_ideal = judge(r, &j, &got, GP5_SEMANTICS_IDEAL, (unsigned)index);
    }
    free(j.missed);
    r->failed |= !same;
    return same;
}

/* ---- a program --------------------------------------------------------------------------------------------------- */

static bool keep(void *user, const char *bytes, size_t size)
{
    struct run *r = user;

    r->text = malloc(size + 1);
    if (r->text) {
        memcpy(r->text, bytes, size);
        r->text[size] = 0;
    }
    r->size = size;
    return r->text != NULL;
}

static bool remember_row(void *user, const struct gp5_interface_entry *e)
{
    struct run *r = user;
    bool state = e->kind == GP5_INTERFACE_PARAMETER && !strcmp(e->name, "gp5_state");
    const char *row = state ? strstr(e->binding, "row[") : NULL;

    if (row && e->element < PROOF_PARAMETERS)
        r->rows[e->element] = (uint8_t)(row[4] - '0');
    return true;
}

static bool refuse(void *user, const struct gp5_diagnostic *d)
{
    struct run *r = user;

    snprintf(r->refusal, sizeof r->refusal, "%u:%u: %.300s", d->line, d->column, d->message);
    return true;
}

static void tell(const struct run *r, const char *verdict, const char *why)
{
    printf("%s#%u\t%s\t%.*s\n", r->file, r->number, verdict, (int)strcspn(why, "\n"), why);
}

static void draw(struct run *r, const struct gp5_program *program, const char *text, size_t size)
{
    struct driver_case *cases = calloc(r->rounds ? r->rounds : 1, sizeof *cases);

    for (unsigned i = 0; cases && i < r->rounds; i++) {
        proof_make(&r->proofs[i], program, text, size, i, r->measure, r->subgroup);
        r->proofs[i].driver.program = r->text;
        r->proofs[i].driver.program_size = r->size;
    }
    const char *open = r->proofs[0].why;
    bool again = cases && !open;
    while (again) {
        r->failed = r->rejected = r->stopped = false;
        for (unsigned i = 0; i < r->rounds; i++)
            cases[i] = r->proofs[i].driver;
        driver_run(r->driver, cases, r->rounds, take, r);
        again = r->rejected;
        for (unsigned i = 0; again && i < r->rounds; i++)
            again = proof_drop(&r->proofs[i], r->why);
        if (again && r->proofs[0].driver.vertices.result_count == 0) {
            open = "it has no results";
            again = false;
        }
    }
    free(cases);
    if (open || r->did_not_run || r->stopped) {
        r->t.open++;
        if (r->verbose)
            tell(r, "open", open ? open : r->why);
    } else if (r->rejected) {
        r->t.not_compiled++;
        tell(r, "not compiled", r->why);
    } else if (r->failed) {
        r->t.different++;
        tell(r, "different", r->why);
        if (r->show)
            printf("%.*s\n%s\n", (int)size, text, r->text);
    } else {
        r->t.same++;
        r->t.ideal += r->by_ideal;
        if (r->by_ideal && r->verbose)
            tell(r, "ideal", r->why);
    }
    if (r->measure)
        printf("%s#%u\t%.0f ulp\t%.3g of the value\t%.3g\n", r->file, r->number, r->ulps, r->part, r->apart);
}

/* Another producer's shader in the place of the translation. */
static bool load(struct run *r)
{
    char path[600];

    snprintf(path, sizeof path, "%s/%u.glsl", r->shaders, r->number);
    FILE *f = fopen(path, "rb");
    r->text = calloc(1, 1 << 20);
    r->size = f && r->text ? fread(r->text, 1, (1 << 20) - 1, f) : 0;
    if (f)
        fclose(f);
    return r->size != 0;
}

static void save(struct run *r, enum program_stage stage)
{
    static const char *const ends[] = {[STAGE_VERTEX] = "vert",     [STAGE_CONTROL] = "tesc",
                                       [STAGE_EVALUATION] = "tese", [STAGE_GEOMETRY] = "geom",
                                       [STAGE_FRAGMENT] = "frag",   [STAGE_COMPUTE] = "comp"};
    char path[600];

    snprintf(path, sizeof path, "%s/%s-%u.%s", r->folder, r->file, r->number, ends[stage]);
    FILE *f = fopen(path, "wb");
    bool ok = f && fwrite(r->text, 1, r->size, f) == r->size;
    if (f)
        fclose(f);
    r->t.same += ok;
    r->t.open += !ok;
}

static void one(struct run *r, const char *text, size_t size)
{
    struct gp5_program *p = gp5_parse(text, size);
    size_t more;
    char *shown = p && !r->folder && gp5_valid(p, GP5_TARGET_NVIDIA) ? proof_complete(p, text, size, &more) : NULL;
    if (shown) {
        gp5_program_free(p);
        p = gp5_parse(shown, more);
        text = shown;
        size = more;
    }
    struct gp5_translate_options how = {
        .size = sizeof how, .to = r->language, .round_halves = true, .write = keep, .each = refuse,
        .entry = remember_row, .user = r};
    enum program_stage stage = p ? profile_table[p->profile].stage_id : STAGE_COMPUTE;

    r->t.programs++;
    r->text = NULL;
    r->why[0] = r->refusal[0] = 0;
    r->by_ideal = r->failed = r->did_not_run = r->rejected = r->stopped = false;
    r->ulps = r->part = r->apart = 0;
    if (p && !r->folder && !r->shaders && profile_in(p->profile, AVP | AFP) && gp5_valid(p, GP5_TARGET_MESA)) {
        r->t.mesa++;
    } else if (!p || (!r->folder && stage != STAGE_VERTEX && stage != STAGE_FRAGMENT) ||
               !gp5_valid(p, GP5_TARGET_NVIDIA)) {
        r->t.invalid++;
        if (r->verbose)
            printf("%s#%u\tinvalid\t\n", r->file, r->number);
        if (r->verbose && shown)
            printf("%s\n", shown);
    } else if (r->shaders ? !load(r) : gp5_translate(p, &how) != GP5_TRANSLATED) {
        r->t.refused++;
        tell(r, "refused", r->refusal);
    } else if (r->folder) {
        save(r, stage);
    } else {
        char *longer = proof_with_state(r->text, r->size, r->rows, &r->size);
        free(r->text);
        r->text = longer;
        if (r->own_functions) {
            longer = proof_with_functions(r->text, r->size, &r->size);
            free(r->text);
            r->text = longer;
        }
        draw(r, p, text, size);
    }
    free(r->text);
    free(shown);
    gp5_program_free(p);
    fflush(stdout);
}

static bool every(struct run *r, const char *name)
{
    const char *error;
    size_t size;
    char *bytes = data_read_file(name, SIZE_MAX, &size, &error);

    if (!bytes) {
        fprintf(stderr, "%s: %s\n", name, error);
        return false;
    }
    size_t offset = 0, length;
    r->file = strrchr(name, '/') ? strrchr(name, '/') + 1 : name;
    for (r->number = 1; gp5_find_program(bytes, size, &offset, &length); r->number++, offset += length)
        one(r, bytes + offset, length);
    gp5_free(bytes);
    return true;
}

/* Lanes of the driver's subgroups; 0 where it tells none. */
static bool read_size(void *user, size_t index, const struct driver_case *c, const struct driver_result *r)
{
    (void)index, (void)c;
    if (r->status == DRIVER_RAN && r->storage_count == 1 && r->storage[0].size == 4)
        memcpy(user, r->storage[0].data, 4);
    return true;
}

static unsigned subgroup_size(struct driver *driver)
{
    static const char text[] = "#version 450\n#extension GL_ARB_shader_ballot : require\n"
                               "layout(local_size_x = 32) in;\nlayout(std430, binding = 0) buffer B { uint size; };\n"
                               "void main() { size = gl_SubGroupSizeARB; }\n";
    const struct driver_buffer storage = {.binding = 0, .size = 4, .bring_back = true};
    const struct driver_case c = {.stage = DRIVER_COMPUTE,
                                  .language = DRIVER_GLSL,
                                  .program = text,
                                  .program_size = sizeof text - 1,
                                  .groups = {1, 1, 1},
                                  .storage = &storage,
                                  .storage_count = 1};
    uint32_t size = 0;

    driver_run(driver, &c, 1, read_size, &size);
    return size <= 32 ? size : 0;
}

static bool find_language(const char *name, enum gp5_language *language)
{
    for (unsigned i = 0; i < GP5_LANGUAGES; i++)
        if (!strcmp(gp5_language_name((enum gp5_language)i), name)) {
            *language = (enum gp5_language)i;
            return true;
        }
    return false;
}

int main(int argc, char **argv)
{
    static const struct option options[] = {{"to", required_argument, NULL, 't'},
                                            {"rounds", required_argument, NULL, 'r'},
                                            {"functions", required_argument, NULL, 'f'},
                                            {"measure", no_argument, NULL, 'm'},
                                            {"show", no_argument, NULL, 's'},
                                            {"write", required_argument, NULL, 'w'},
                                            {"shaders", required_argument, NULL, 'S'},
                                            {0}};
    struct run r = {.language = GP5_TO_GLSL450COMPAT, .rounds = 4, .own_functions = true};
    struct driver_options open = {.context = "egl", .timeout_ms = 5000};
    char *reason = NULL;
    int c;

    while ((c = getopt_long(argc, argv, "v", options, NULL)) != -1)
        if (c == 't' ? !find_language(optarg, &r.language) : c == '?')
            return 2;
        else if (c == 'r')
            r.rounds = (unsigned)atoi(optarg);
        else if (c == 'f')
            r.own_functions = !strcmp(optarg, "exact");
        else if (c == 'w')
            r.folder = optarg;
        else if (c == 'S')
            r.shaders = optarg;
        else if (c == 'm')
            r.measure = true;
        else if (c == 's')
            r.show = true;
        else if (c == 'v')
            r.verbose = true;
    if (r.language != GP5_TO_GLSL450COMPAT)
        r.own_functions = false;
    r.proofs = calloc(r.rounds ? r.rounds : 1, sizeof *r.proofs);
    if (!r.proofs || (!r.folder && driver_open(&open, &r.driver, &reason) != DRIVER_OPENED)) {
        printf("%s\n", reason ? reason : "out of memory");
        return 77;
    }
    r.subgroup = r.driver ? subgroup_size(r.driver) : 0;
    for (int i = optind; i < argc; i++)
        if (!every(&r, argv[i]))
            return 2;
    const struct totals *t = &r.t;
    printf("%u programs, %u same (%u of them by ideal), %u different, %u not compiled, %u refused, %u open, %u of no "
           "such stage or invalid; %llu words, %llu undefined, %llu NaNs lost\n",
           t->programs, t->same, t->ideal, t->different, t->not_compiled, t->refused, t->open, t->invalid, t->words,
           t->undefined, t->lost);
    driver_close(r.driver);
    free(r.proofs);
    return t->different || t->not_compiled ? 1 : 0;
}
