/* link: EGL GL */
/* Programs by chance, grown and broken, translated to every language.
 *
 *   translate_mutants [--seed=N] [--first=N] [--count=N] [--out=DIR] [--show]
 *
 * What must hold of each: a translation has a text; a refusal stands in the program's text and says why; a plain ARB
 * program is valid for Mesa or by the specification; GLSL of compatibility contexts compiles where llvmpipe opens.
 * The others go to DIR/NUMBER.LANGUAGE.vert, .frag and so on, for another compiler. A line a program that breaks a
 * law; the last line counts. Exit status: 0, 1 a law is broken, 2 trouble. */
#include "tests/tools/translate_gl.h"
#include "tests/tools/translate_pairs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compare/fuzz/fuzz.h"
#include "gp5.h"

struct heard {
    const gp5_program *program;
    char *text;
    size_t size;
    bool refused, odd;
    char why[200];
};

static bool take(void *user, const char *bytes, size_t size)
{
    struct heard *h = user;

    h->text = malloc(size + 1);
    if (!h->text)
        return false;
    memcpy(h->text, bytes, size);
    h->text[size] = 0;
    h->size = size;
    return true;
}

/* A refusal of the program as a whole (its stage, its dialect) stands at its header. */
static bool refused(void *user, const struct gp5_diagnostic *d)
{
    struct heard *h = user;
    size_t size;
    bool whole = d->message && (strstr(d->message, "a program of") || strstr(d->message, "an option about"));

    gp5_text(h->program, &size);
    h->odd = h->refused || !d->message || !*d->message || d->offset > size || d->length > size - d->offset ||
             (!whole && (d->offset == 0 || d->length == 0));
    h->refused = true;
    snprintf(h->why, sizeof h->why, "%u:%u: %s", d->line, d->column, d->message ? d->message : "");
    return true;
}

static struct {
    unsigned long long programs, valid, translated, refused, compiled, broken;
} counts;
static bool live, show;
static const char *folder;

static void breaks(uint64_t number, const char *language, const char *law, const char *more,
                   const struct fuzz_text *program, const struct heard *h)
{
    counts.broken++;
    printf("%llu\t%s\t%s\t%.300s\n", (unsigned long long)number, language, law, more);
    if (show)
        printf("%.*s\n%s\n", (int)program->size, program->bytes, h->text ? h->text : "");
}

static bool write_file(uint64_t number, const char *language, const char *stage, const struct heard *h)
{
    char path[600];
    snprintf(path, sizeof path, "%s/%llu.%s.%s", folder, (unsigned long long)number, language, stage);
    FILE *f = fopen(path, "wb");
    bool written = f && fwrite(h->text, 1, h->size, f) == h->size;

    if (!f || fclose(f) != 0 || !written)
        perror(path);
    return f && written;
}

static const struct stage_end {
    const char *stage_name, *name;
    enum tp_stage stage;
} ends[] = {{"vertex", "vert", TP_VERTEX},
            {"tessellation control", "tesc", TP_CONTROL},
            {"tessellation evaluation", "tese", TP_EVALUATION},
            {"geometry", "geom", TP_GEOMETRY},
            {"fragment", "frag", TP_FRAGMENT},
            {"compute", "comp", TP_COMPUTE}};

static const struct stage_end *end_of(const char *stage)
{
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (stage && !strcmp(stage, ends[i].stage_name))
            return &ends[i];
    return &ends[4];
}

static bool one(uint64_t number, const gp5_program *p, enum gp5_language to, const struct fuzz_text *program)
{
    const char *language = gp5_language_name(to), *stage = gp5_stage(p);
    struct heard h = {.program = p};
    struct gp5_translate_options how = {
        .size = sizeof how, .to = to, .round_halves = number & 1, .write = take, .each = refused, .user = &h};
    enum gp5_translated answer = gp5_translate(p, &how);
    const struct stage_end *end = end_of(stage);
    bool fine = true;
    char log[1500] = "";

    counts.translated += answer == GP5_TRANSLATED;
    counts.refused += answer == GP5_TRANSLATE_REFUSED;
    if (answer == GP5_TRANSLATE_REFUSED) {
        if (!h.refused || h.odd || h.text)
            breaks(number, language, "a refusal has one place and a reason", h.why, program, &h);
    } else if (answer != GP5_TRANSLATED || !h.size || h.refused) {
        breaks(number, language, "a valid program is translated or refused", h.why, program, &h);
    } else if (to == GP5_TO_ARB) {
        gp5_program *again = gp5_parse(h.text, h.size);
        if (!again || (!gp5_valid(again, GP5_TARGET_MESA) && !gp5_valid(again, GP5_TARGET_SPEC)))
            breaks(number, language, "a plain ARB program is valid", "", program, &h);
        gp5_program_free(again);
    } else if (to == GP5_TO_GLSL120 || to == GP5_TO_GLSL450COMPAT) {
        counts.compiled += live;
        if (live && !tp_compiles(end->stage, h.text, log, sizeof log))
            breaks(number, language, "what comes out compiles", log, program, &h);
    } else if (folder && to != GP5_TO_SPIRV) {
        fine = write_file(number, language, end->name, &h);
    }
    free(h.text);
    return fine;
}

static bool all(uint64_t number, const struct fuzz_text *text)
{
    gp5_program *p = gp5_parse(text->bytes, text->size);
    bool fine = p != NULL;
    bool valid = p && (gp5_valid(p, GP5_TARGET_NVIDIA) || gp5_valid(p, GP5_TARGET_MESA) ||
                       gp5_valid(p, GP5_TARGET_SPEC));

    counts.programs++;
    counts.valid += valid;
    for (int to = 0; fine && to < GP5_LANGUAGES; to++) {
        struct heard h = {.program = p};
        struct gp5_translate_options how = {
            .size = sizeof how, .to = (enum gp5_language)to, .write = take, .each = refused, .user = &h};
        if (valid) {
            fine = one(number, p, how.to, text);
        } else {
            if (gp5_translate(p, &how) != GP5_TRANSLATE_INVALID || h.text || h.refused)
                breaks(number, gp5_language_name(how.to), "an invalid program is none", h.why, text, &h);
            free(h.text);
        }
    }
    gp5_program_free(p);
    return fine;
}

int main(int argc, char **argv)
{
    struct fuzz_settings settings = {.broken = 40};
    struct fuzz_text text = {0};
    struct fuzz_about about;
    unsigned long long first = 0, count = 1000;
    const char *renderer = NULL;

    for (int i = 1; i < argc; i++) {
        char *end = strchr(argv[i], '=');
        unsigned long long n = end ? strtoull(end + 1, NULL, 10) : 0;
        if (!strcmp(argv[i], "--show"))
            show = true;
        else if (end && !strncmp(argv[i], "--out=", 6))
            folder = end + 1;
        else if (!strncmp(argv[i], "--seed=", 7))
            settings.seed = n;
        else if (!strncmp(argv[i], "--first=", 8))
            first = n;
        else if (!strncmp(argv[i], "--count=", 8))
            count = n;
        else
            return 2;
    }
    static const enum fuzz_profile_id profiles[] = {FUZZ_AVP, FUZZ_AVP2, FUZZ_AVP3, FUZZ_AFP, FUZZ_AFP1,
                                                    FUZZ_AFP2, FUZZ_VP4, FUZZ_FP4, FUZZ_VP5, FUZZ_FP5,
                                                    FUZZ_GP4, FUZZ_GP5, FUZZ_TCP5, FUZZ_TEP5, FUZZ_CP5};
    for (size_t i = 0; i < sizeof profiles / sizeof *profiles; i++)
        settings.profiles |= 1u << profiles[i];
    live = tg_open(&renderer) && strstr(renderer, "llvmpipe");
    for (unsigned long long i = 0; i < count; i++)
        if (!fuzz_program(&settings, first + i, &text, &about) || !all(first + i, &text))
            return 2;
    fuzz_text_free(&text);
    printf("%llu programs, %llu valid, %llu translations, %llu refused, %llu compiled, %llu laws broken\n",
           counts.programs, counts.valid, counts.translated, counts.refused, counts.compiled, counts.broken);
    return counts.broken ? 1 : 0;
}
