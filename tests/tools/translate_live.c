/* link: EGL GL */
/* ARB programs beside their translations on a live driver: the same inputs, and whether the same bits come out.
 *
 *   translate_live [--to=LANGUAGE] [--rounds=N] [--all] [--show] FILE...
 *
 * Every program in each file (gp5_find_program: piglit's tests, lists of programs, one a file) is loaded as it is and
 * as `gp5 translate` writes it (SPIR-V: with the shaders around it as modules), and gets N x 256 inputs. A line a
 * program that is not the same, with --all one each: FILE#NUMBER VERDICT TEXT; the last line counts. Exit status: 0, 1
 * something is not the same, does not compile or is refused, 77 no driver. Programs that the driver or gp5's reading
 * of Mesa does not take are counted and passed over. */
#include "asm/arena.h"
#include "compare/script/data.h"
#include "tests/tools/translate_gl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gp5.h"

struct translated {
    struct tg_case c;
    char *text;
    size_t size, room;
    char refusal[300];
};

static bool take(void *user, const char *bytes, size_t size)
{
    struct translated *t = user;

    t->text = malloc(size + 1);
    if (!t->text)
        return false;
    memcpy(t->text, bytes, size);
    t->text[size] = 0;
    t->size = size;
    return true;
}

static bool refused(void *user, const struct gp5_diagnostic *d)
{
    struct translated *t = user;

    snprintf(t->refusal, sizeof t->refusal, "%u:%u: %s", d->line, d->column, d->message);
    return true;
}

static void copy(char *to, size_t size, const char *from)
{
    snprintf(to, size, "%s", from ? from : "");
}

static bool entry(void *user, const struct gp5_interface_entry *e)
{
    struct translated *t = user;
    struct tg_case *c = &t->c;

    if (e->kind == GP5_INTERFACE_PARAMETER && !strchr(e->binding, '.'))
        return true; /* one with a name of its own keeps its first value */
    if (e->kind == GP5_INTERFACE_PARAMETER) {
        if (c->nparameters == t->room) {
            t->room = t->room * 2 + 64;
            struct tg_parameter *grown = realloc(c->parameters, t->room * sizeof *grown);
            if (!grown)
                return false;
            c->parameters = grown;
        }
        struct tg_parameter *p = &c->parameters[c->nparameters++];
        p->element = e->element;
        p->point = e->point;
        copy(p->name, sizeof p->name, e->name);
        copy(p->block, sizeof p->block, e->block);
        copy(p->binding, sizeof p->binding, e->binding);
    } else if (e->kind == GP5_INTERFACE_TEXTURE && c->nsamplers < 32) {
        copy(c->samplers[c->nsamplers].name, sizeof c->samplers[0].name, e->name);
        c->samplers[c->nsamplers++].unit = (uint32_t)e->point;
    } else if (e->kind == GP5_INTERFACE_INPUT && c->ninputs < 40) {
        copy(c->inputs[c->ninputs].name, sizeof c->inputs[0].name, e->name);
        copy(c->inputs[c->ninputs].binding, sizeof c->inputs[0].binding, e->binding);
        c->inputs[c->ninputs++].location = e->point;
    } else if (e->kind == GP5_INTERFACE_RESULT && c->noutputs < 40) {
        copy(c->outputs[c->noutputs].name, sizeof c->outputs[0].name, e->name);
        c->outputs[c->noutputs++].location = e->point;
    }
    return true;
}

static struct totals {
    unsigned programs, same, different, refused, not_compiled, not_taken, not_drawn, vertex, folded;
    uint64_t words, nans, undefined;
} totals;
static enum gp5_language language = GP5_TO_GLSL120;
static unsigned rounds = TG_ROUNDS;
static bool all, show;

/* Whether it is the same once the compilers do not know the numbers of the translation, or of both: what ARB programs
 * and shaders become is folded in different ways. */
static bool same_hidden(struct translated *t, struct tg_answer *a, const char *text, size_t size,
                        const struct hidden_constants *constants)
{
    struct hidden_numbers numbers;
    struct tg_case c = t->c;
    char *glsl = hide_numbers(t->text, t->size, &numbers);

    if (!glsl)
        return false;
    c.hidden = &numbers;
    c.constants = constants;
    c.glsl = glsl;
    c.glsl_size = strlen(glsl);
    c.text = text;
    c.size = size;
    tg_run(&c, a);
    free(glsl);
    return a->verdict == TG_SAME;
}

static void try_hidden(struct translated *t, struct tg_answer *a, const struct gp5_program *p)
{
    struct hidden_constants constants;
    struct translated other = {.c = {.rounds = rounds}};
    struct gp5_translate_options how = {
        .size = sizeof how, .to = language, .write = take, .each = refused, .entry = entry, .user = &other};
    struct tg_answer again;
    char *text = NULL;
    bool same = same_hidden(t, &again, t->c.text, t->c.size, NULL);

    if (!same && (text = hide_constants(p, &constants))) {
        struct gp5_program *hidden = gp5_parse(text, strlen(text));
        other.c.program = hidden;
        other.c.vertex = t->c.vertex;
        other.c.core = t->c.core;
        other.c.locations = t->c.locations;
        same = hidden && gp5_translate(hidden, &how) == GP5_TRANSLATED &&
               same_hidden(&other, &again, text, strlen(text), &constants);
        gp5_program_free(hidden);
        free(other.text);
        free(other.c.parameters);
        free(text);
    }
    if (same) {
        *a = again;
        totals.folded++;
    }
}

static void one(const char *file, unsigned number, const char *text, size_t size)
{
    static const char *const verdicts[] = {"same", "different", "not taken", "not compiled", "not drawn"};
    struct translated t = {.c = {.rounds = rounds, .text = text, .size = size}};
    struct tg_answer a;
    struct gp5_program *p = gp5_parse(text, size);
    struct gp5_translate_options how = {
        .size = sizeof how, .to = language, .write = take, .each = refused, .entry = entry, .user = &t};

    totals.programs++;
    bool arb = p && profile_table[p->profile].generation == GEN_ARB && gp5_valid(p, GP5_TARGET_MESA);
    if (!arb) {
        totals.not_taken++;
        gp5_program_free(p);
        return;
    }
    enum gp5_translated answer = gp5_translate(p, &how);
    t.c.program = p;
    t.c.vertex = profile_table[p->profile].stage_id == STAGE_VERTEX;
    t.c.core = language != GP5_TO_GLSL120 && language != GP5_TO_GLSL450COMPAT;
    t.c.locations = language == GP5_TO_GLSL450 || language == GP5_TO_SPIRV;
    t.c.modules = language == GP5_TO_SPIRV;
    t.c.glsl = t.text;
    t.c.glsl_size = t.size;
    if (answer != GP5_TRANSLATED) {
        /* What the driver does not take need not be said. */
        t.c.glsl = "void main() {}";
        t.c.glsl_size = strlen(t.c.glsl);
        t.c.rounds = 0;
        tg_run(&t.c, &a);
        if (a.verdict == TG_NOT_TAKEN) {
            totals.not_taken++;
        } else {
            totals.refused++;
            printf("%s#%u\trefused\t%s\n", file, number, t.refusal);
        }
    } else {
        tg_run(&t.c, &a);
        if (a.verdict == TG_DIFFERENT && !t.c.modules)
            try_hidden(&t, &a, p);
        totals.same += a.verdict == TG_SAME;
        totals.different += a.verdict == TG_DIFFERENT;
        totals.not_taken += a.verdict == TG_NOT_TAKEN;
        totals.not_compiled += a.verdict == TG_NOT_COMPILED;
        totals.not_drawn += a.verdict == TG_NOT_DRAWN;
        totals.vertex += a.verdict == TG_SAME && t.c.vertex;
        totals.words += a.words;
        totals.nans += a.nans;
        totals.undefined += a.undefined;
        if (all || (a.verdict != TG_SAME && a.verdict != TG_NOT_TAKEN))
            printf("%s#%u\t%s\t%llu of %llu words\t%s\n", file, number, verdicts[a.verdict],
                   (unsigned long long)a.differ, (unsigned long long)a.words, a.text);
        if (show && a.verdict != TG_SAME && a.verdict != TG_NOT_TAKEN)
            printf("%.*s\n%s\n", (int)size, text, t.text);
    }
    free(t.c.parameters);
    free(t.text);
    gp5_program_free(p);
}

static bool every(const char *name)
{
    const char *error;
    size_t size;
    char *bytes = data_read_file(name, SIZE_MAX, &size, &error);

    if (!bytes) {
        fprintf(stderr, "%s: %s\n", name, error);
        return false;
    }
    size_t offset = 0, length;
    for (unsigned n = 1; gp5_find_program(bytes, size, &offset, &length); n++, offset += length)
        one(name, n, bytes + offset, length);
    gp5_free(bytes);
    return true;
}

static bool find_language(const char *name)
{
    for (unsigned i = 0; i < GP5_LANGUAGES; i++)
        if (!strcmp(gp5_language_name((enum gp5_language)i), name)) {
            language = (enum gp5_language)i;
            return true;
        }
    return false;
}

int main(int argc, char **argv)
{
    const char *renderer = NULL;
    int i = 1;

    for (; i < argc && argv[i][0] == '-'; i++) {
        if (!strcmp(argv[i], "--all"))
            all = true;
        else if (!strcmp(argv[i], "--show"))
            show = true;
        else if (!strncmp(argv[i], "--rounds=", 9))
            rounds = (unsigned)atoi(argv[i] + 9);
        else if (strncmp(argv[i], "--to=", 5) || !find_language(argv[i] + 5))
            return 2;
    }
    if (!tg_open(&renderer)) {
        puts("no driver with ARB programs");
        return 77;
    }
    if (language == GP5_TO_SPIRV && !tg_has_modules()) {
        puts("no driver with ARB_gl_spirv, or no glslangValidator");
        return 77;
    }
    for (; i < argc; i++)
        if (!every(argv[i]))
            return 2;
    printf(
        "%u programs, %u same (%u of vertices), %u different, %u not compiled, %u not drawn, %u refused, %u not taken; "
        "%llu words, %llu of them NaN with other bits, %llu undefined and different; %u the same but for what is "
        "folded\n",
        totals.programs, totals.same, totals.vertex, totals.different, totals.not_compiled, totals.not_drawn,
        totals.refused, totals.not_taken, (unsigned long long)totals.words, (unsigned long long)totals.nans,
        (unsigned long long)totals.undefined, totals.folded);
    return totals.different || totals.not_compiled || totals.not_drawn || totals.refused ? 1 : 0;
}
