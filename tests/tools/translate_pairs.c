/* link: EGL GL */
/* GLSL of every stage, what NVIDIA's compiler made of it, and what `gp5 translate` makes of that: whether the last one
 * comes to the same as the first one on a live driver, with the same inputs (tests/corpus/stages.tar.xz).
 *
 *   translate_pairs [--to=LANGUAGE] [--all] [--seed=N] FOLDER NAME.STAGE...      FOLDER has asm/ and glsl/
 *
 * Whole numbers are to be the same; floats, which NVIDIA's compiler sums in another order and computes functions of in
 * its own way, at most 1 / 2,000 of their size or of 1 apart. A line a pair that is not: NAME VERDICT TEXT, with --all
 * one each; the last line counts. Exit status: 0, 1 something is not the same, 77 there is no driver for it. */
#include "tests/tools/translate_pairs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gp5.h"

/* As <GL/gl.h> has them. */
enum { POINTS = 0, LINES = 1, TRIANGLES = 4, LINES_ADJACENCY = 10, TRIANGLES_ADJACENCY = 12 };

static const struct {
    const char *glsl, *assembly;
    enum tp_stage stage;
} stages[] = {{"vert", "vp", TP_VERTEX},   {"tesc", "tcp", TP_CONTROL}, {"tese", "tep", TP_EVALUATION},
              {"geom", "gp", TP_GEOMETRY}, {"frag", "fp", TP_FRAGMENT}, {"comp", "cp", TP_COMPUTE}};

/* ---- texts ------------------------------------------------------------------------------------------------------ */

static char *read_file(const char *folder, const char *room, const char *name, const char *end)
{
    char path[600];
    FILE *f;
    char *text = calloc(1, 1 << 18);

    snprintf(path, sizeof path, "%s/%s/%s.%s", folder, room, name, end);
    f = fopen(path, "rb");
    if (!f || !text || !fread(text, 1, (1 << 18) - 1, f)) {
        perror(path);
        exit(2);
    }
    fclose(f);
    return text;
}

static void replace(char *text, const char *what, const char *by)
{
    char *at = what ? strstr(text, what) : NULL;

    if (!at)
        return;
    memmove(at + strlen(by), at + strlen(what), strlen(at + strlen(what)) + 1);
    memcpy(at, by, strlen(by));
}

/* llvmpipe ends where it compiles a fetch from an array of samples beside other textures, and beside 16 of them it
 * fetches something else from samples: these are left out of both. */
static void drop_fetch(char *text, const char *sampler)
{
    char words[80];

    snprintf(words, sizeof words, "texelFetch(%s,", sampler);
    for (char *at; (at = strstr(text, words)) != NULL;) {
        char *end = at + strlen("texelFetch(");
        for (unsigned depth = 1; *end && depth; end++)
            depth += *end == '(' ? 1 : *end == ')' ? -1u : 0;
        memmove(at + 9, end, strlen(end) + 1);
        memcpy(at, "vec4(0.0)", 9);
    }
}

static int by_name(const void *a, const void *b)
{
    const struct tp_resource *x = a, *y = b;
    bool p = strchr(x->name, '[') != NULL, q = strchr(y->name, '[') != NULL;

    return p != q ? q - p : strcmp(x->name, y->name);
}

/* Samplers and images without a handle of their own have theirs in program.local, behind the uniforms of other types:
 * the elements of arrays first, then by their names. */
static void find_resources(struct tp_case *c, const char *text)
{
    for (const char *at = text; (at = strstr(at, "uniform ")); at++) {
        char type[32], name[32];
        int used = 0;
        if (sscanf(at + 8, "%31[a-zA-Z0-9] %31[a-zA-Z0-9]%n", type, name, &used) != 2 ||
            (!strstr(type, "sampler") && !strstr(type, "image")))
            continue;
        const char *back = at, *format = NULL;
        while (back > text && back[-1] != ';' && back[-1] != '\n')
            back--;
        unsigned elements = at[8 + used] == '[' ? (unsigned)atoi(at + 9 + used) : 0;
        char layout[64] = "";
        if (sscanf(back, " layout(%63[^,)]", layout) == 1)
            format = layout;
        for (unsigned e = 0; e < (elements ? elements : 1) && c->nresources < TP_RESOURCES; e++) {
            struct tp_resource *r = &c->resources[c->nresources++];
            snprintf(r->name, sizeof r->name, elements ? "%s[%u]" : "%s", name, e);
            snprintf(r->type, sizeof r->type, "%s", type);
            snprintf(r->format, sizeof r->format, "%s", strstr(type, "image") ? format ? format : "rgba8" : "");
        }
    }
    qsort(c->resources, c->nresources, sizeof *c->resources, by_name);
    for (size_t i = 0; i < c->nresources; i++)
        c->resources[i].local = (unsigned)i;
}

/* ---- translations ----------------------------------------------------------------------------------------------- */

struct translated {
    char *text;
    struct tp_given given[48];
    size_t n;
    char refusal[300];
    const struct tp_case *c;
};

/* NVIDIA's compiler takes words of texels whose format it has no instruction for. */
static const char *image_format(void *user, const char *binding)
{
    static const char *const plain[] = {"rgba32f", "r32i", "r32ui", "rgba32ui"};
    const struct translated *t = user;
    unsigned local = (unsigned)atoi(binding + strlen("program.local["));

    for (size_t i = 0; i < t->c->nresources; i++) {
        const char *format = t->c->resources[i].format;
        if (t->c->resources[i].local != local)
            continue;
        for (size_t k = 0; k < 4; k++)
            if (!strcmp(format, plain[k]))
                return plain[k];
        return !strcmp(format, "rgba16f") ? "rg32ui" : "r32ui";
    }
    return NULL;
}

static bool take(void *user, const char *bytes, size_t size)
{
    struct translated *t = user;

    t->text = calloc(1, size + 1000);
    if (t->text)
        memcpy(t->text, bytes, size);
    return t->text != NULL;
}

static bool refused(void *user, const struct gp5_diagnostic *d)
{
    struct translated *t = user;

    snprintf(t->refusal, sizeof t->refusal, "%u:%u: %s", d->line, d->column, d->message);
    return true;
}

static bool entry(void *user, const struct gp5_interface_entry *e)
{
    struct translated *t = user;

    if ((e->kind != GP5_INTERFACE_TEXTURE && e->kind != GP5_INTERFACE_IMAGE) || t->n == 48)
        return true;
    struct tp_given *g = &t->given[t->n++];
    snprintf(g->name, sizeof g->name, "%s", e->name);
    snprintf(g->binding, sizeof g->binding, "%s", e->binding);
    snprintf(g->format, sizeof g->format, "%s", e->block ? e->block : "");
    g->image = e->kind == GP5_INTERFACE_IMAGE;
    return true;
}

/* ---- comparison ------------------------------------------------------------------------------------------------- */

static struct {
    unsigned pairs, same, near, refused, not_taken, not_compiled, different;
    unsigned long long words;
} totals;
static bool all;
static enum gp5_language language = GP5_TO_GLSL450COMPAT;
static unsigned seed = 1;

static float of_bits(uint32_t bits)
{
    float f;

    memcpy(&f, &bits, sizeof f);
    return f;
}

/* The low word of a double says nothing where the high one is near. */
static bool is_near(char kind, uint32_t a, uint32_t b)
{
    float x = of_bits(a), y = of_bits(b);

    if (a == b || kind == 'l')
        return true;
    if (kind != 'f')
        return false;
    if (isnan(x) || isnan(y))
        return isnan(x) && isnan(y);
    float size = fmaxf(fmaxf(fabsf(x), fabsf(y)), 1);
    return x == y || fabsf(x - y) <= size / 2000;
}

static const char *compare(const struct tp_result *a, const struct tp_result *b, char *text, size_t room)
{
    bool same = true;

    totals.words += a->n;
    if (a->n != b->n || !a->n) {
        snprintf(text, room, "%zu and %zu words", a->n, b->n);
        return "different";
    }
    for (size_t i = 0; i < a->n; i++) {
        same = same && a->words[i] == b->words[i];
        if (!is_near(a->kinds[i], a->words[i], b->words[i])) {
            snprintf(text, room, "word %zu of %zu (%c): %08x (%g) and %08x (%g)", i, a->n, a->kinds[i], a->words[i],
                     (double)of_bits(a->words[i]), b->words[i], (double)of_bits(b->words[i]));
            return "different";
        }
    }
    return same ? "same" : "near";
}

static void shape(struct tp_case *c, const char *text)
{
    static const struct {
        const char *word;
        unsigned drawn;
    } primitives[] = {{"layout(points", POINTS},
                      {"layout(lines_adjacency", LINES_ADJACENCY},
                      {"layout(lines", LINES},
                      {"layout(triangles_adjacency", TRIANGLES_ADJACENCY},
                      {"layout(triangles", TRIANGLES}};

    c->primitive = TRIANGLES;
    for (size_t i = sizeof primitives / sizeof *primitives; i-- > 0;)
        if (strstr(text, primitives[i].word))
            c->primitive = primitives[i].drawn;
    for (size_t i = 0; i < sizeof primitives / sizeof *primitives; i++)
        if (strstr(text, primitives[i].word)) {
            c->primitive = primitives[i].drawn;
            break;
        }
    c->mode = c->stage == TP_VERTEX                                             ? POINTS
              : strstr(text, "point_mode") || strstr(text, "layout(points,max") ? POINTS
              : strstr(text, "line_strip") || strstr(text, "isolines")          ? LINES
                                                                                : TRIANGLES;
}

static void one_pair(const char *folder, const char *which)
{
    static struct tp_result first, second;
    struct translated t = {0};
    char name[200], log[1500] = "";
    unsigned s = 0;
    const char *verdict;

    snprintf(name, sizeof name, "%s", which);
    char *dot = strrchr(name, '.');
    while (dot && s < 6 && strcmp(dot + 1, stages[s].glsl) && strcmp(dot + 1, stages[s].assembly))
        s++;
    if (!dot || s == 6) {
        fprintf(stderr, "%s: no stage\n", which);
        exit(2);
    }
    *dot = 0;
    totals.pairs++;
    const struct tp_special *special = tp_special_of(name);
    char *glsl = read_file(folder, "glsl", name, stages[s].glsl);
    char *text = read_file(folder, "asm", name, stages[s].assembly);
    char *version = strstr(glsl, "#version 460");
    if (version)
        version[10] = '5';
    for (unsigned i = 0; i < 3; i++)
        replace(glsl, special->instead[i].text, special->instead[i].by);
    if (!tp_compiles(stages[s].stage, glsl, log, sizeof log)) {
        totals.not_taken++;
        if (all)
            printf("%s.%s\tnot taken\t%.*s\n", name, stages[s].assembly, (int)strcspn(log, "\n"), log);
        free(glsl);
        free(text);
        return;
    }
    struct tp_case c = {.stage = stages[s].stage, .uniforms = special->uniforms, .ints = special->ints, .seed = seed};
    tp_usual(&c);
    c.inputs = special->in ? special->in : c.inputs;
    c.outputs = special->out ? special->out : c.outputs;
    c.builtins = special->builtins ? special->builtins : c.builtins;
    c.patch = special->patch ? special->patch : c.patch;
    c.low = special->zero ? 0 : c.low;
    c.high = special->zero ? 0 : special->high ? special->high : c.high;
    const struct tp_block *blocks = tp_blocks_of(name, c.stage);
    c.blocks = blocks ? blocks : c.blocks;
    shape(&c, glsl);
    find_resources(&c, glsl);

    for (size_t i = 0; i < c.nresources; i++)
        if (!strncmp(c.resources[i].type, "sampler2DMS", 11))
            drop_fetch(glsl, c.resources[i].name);
    struct gp5_program *p = gp5_parse(text, strlen(text));
    struct gp5_translate_options how = {.size = sizeof how,
                                        .to = language,
                                        .write = take,
                                        .each = refused,
                                        .entry = entry,
                                        .user = &t,
                                        .image_format = image_format};
    t.c = &c;
    enum gp5_translated answer = gp5_translate(p, &how);
    struct tp_side original = {.text = glsl}, ours = {.text = t.text,
                                                      .translated = true,
                                                      .core = language == GP5_TO_GLSL450,
                                                      .given = t.given,
                                                      .ngiven = t.n};
    log[0] = 0;
    if (special->first && t.text)
        replace(t.text, "void main()\n{", special->first);
    for (size_t i = 0; i < t.n; i++)
        for (size_t k = 0; k < c.nresources; k++)
            if (!strncmp(c.resources[k].type, "sampler2DMS", 11) &&
                (unsigned)atoi(t.given[i].binding + strlen("program.local[")) == c.resources[k].local)
                drop_fetch(t.text, t.given[i].name);
    if (answer != GP5_TRANSLATED) {
        verdict = "refused";
        totals.refused++;
        snprintf(log, sizeof log, "%s", t.refusal);
    } else if (!tp_run(&c, &original, &first)) {
        verdict = "original not run";
        totals.different++;
        snprintf(log, sizeof log, "%s", first.why);
    } else if (!tp_run(&c, &ours, &second)) {
        verdict = "not compiled";
        totals.not_compiled++;
        snprintf(log, sizeof log, "%s", second.why);
    } else {
        verdict = compare(&first, &second, log, sizeof log);
        totals.same += !strcmp(verdict, "same");
        totals.near += !strcmp(verdict, "near");
        totals.different += !strcmp(verdict, "different");
    }
    log[strcspn(log, "\n")] = 0;
    if (all || (strcmp(verdict, "same") && strcmp(verdict, "near")))
        printf("%s.%s\t%s\t%s\n", name, stages[s].assembly, verdict, log);
    fflush(stdout);
    gp5_program_free(p);
    free(t.text);
    free(glsl);
    free(text);
}

int main(int argc, char **argv)
{
    const char *renderer = NULL, *folder = NULL;
    int i = 1;

    for (; i < argc && argv[i][0] == '-'; i++) {
        if (!strcmp(argv[i], "--all"))
            all = true;
        else if (!strncmp(argv[i], "--seed=", 7))
            seed = (unsigned)strtoul(argv[i] + 7, NULL, 10);
        else if (!strcmp(argv[i], "--to=glsl450"))
            language = GP5_TO_GLSL450;
        else if (strcmp(argv[i], "--to=glsl450compat"))
            return 2;
    }
    if (i >= argc)
        return 2;
    folder = argv[i++];
    if (!tp_open(&renderer) || !strstr(renderer, "llvmpipe")) {
        printf("there is no llvmpipe here\n");
        return 77;
    }
    for (; i < argc; i++)
        one_pair(folder, argv[i]);
    printf("%u pairs: %u not taken, %u same, %u near, %u different, %u refused, %u not compiled; %llu words\n",
           totals.pairs, totals.not_taken, totals.same, totals.near, totals.different, totals.refused,
           totals.not_compiled, totals.words);
    return totals.different || totals.refused || totals.not_compiled ? 1 : 0;
}
