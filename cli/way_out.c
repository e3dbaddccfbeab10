/* Of a program that Mesa does not take and NVIDIA's driver does: what gp5 translate could make of it. */
#include "asm/diag.h"
#include "cli/cli.h"
#include "gp5.h"

struct attempt {
    char why[300];
};

static bool drop(void *user, const char *bytes, size_t size)
{
    (void)user;
    (void)bytes;
    (void)size;
    return true;
}

static bool keep(void *user, const struct gp5_diagnostic *d)
{
    struct attempt *a = user;

    snprintf(a->why, sizeof a->why, "line %u: %s", d->line, d->message);
    return false;
}

static bool takes(const gp5_program *program, enum gp5_language to, struct attempt *a)
{
    struct gp5_translate_options how = {.size = sizeof how, .to = to, .write = drop, .each = keep, .user = a};

    return gp5_translate(program, &how) == GP5_TRANSLATED;
}

void cli_way_out(FILE *out, const char *name, const gp5_program *program)
{
    static const enum gp5_language languages[] = {GP5_TO_ARB, GP5_TO_GLSL120, GP5_TO_GLSL450COMPAT};

    for (size_t i = 0; i < sizeof languages / sizeof *languages; i++) {
        struct attempt a = {""};
        if (takes(program, languages[i], &a)) {
            diag_put_name(out, name);
            fprintf(out, ": note: gp5 translate --to=%s takes it\n", gp5_language_name(languages[i]));
            return;
        }
        diag_put_name(out, name);
        fprintf(out, ": note: gp5 translate --to=%s does not take it: %s\n", gp5_language_name(languages[i]), a.why);
    }
}
