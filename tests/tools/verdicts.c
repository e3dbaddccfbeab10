/* Replays recorded verdicts, packed as tests/corpus/verdicts.xz says, from standard input:
 *     verdicts LEAST_VERDICTS LEAST_POSITIONS [LEAST_FORMATTED [mesa]]
 * They are percentages: of programs where accept or reject agrees, and of rejected programs whose error position
 * agrees. Every accepted program (or as many as the third says) must also survive formatting: the same verdict, the
 * same program, and nothing left to format. Writes TAP. */
#include "asm/text/print.h"
#include "gp5.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct totals {
    enum gp5_target target;
    unsigned programs, agree, rejected, positions, formatted, unformatted, shown;
};

struct verdict {
    char name[64];
    bool accepted;
    long position;
    unsigned long size;
    char errors[1024];
};

enum { LARGEST = 1 << 24, MOST_SHOWN = 20 };

static bool read_verdict(struct verdict *v)
{
    char line[2048], word[16];
    do
        if (!fgets(line, sizeof line, stdin))
            return false;
    while (line[0] == '#' || line[0] == '\n');
    v->errors[0] = '\0';
    int fields = sscanf(line, "%63s %15s %ld %lu %1023[^\n]", v->name, word, &v->position, &v->size, v->errors);
    v->accepted = strcmp(word, "accept") == 0;
    return fields >= 4 && v->size < LARGEST;
}

static bool first_message(void *user, const struct gp5_diagnostic *d)
{
    const char **message = user;
    *message = d->message;
    return false;
}

static void show(struct totals *t, const struct verdict *v, const gp5_program *program, const char *what)
{
    const char *message = "accepted";
    if (t->shown++ >= MOST_SHOWN)
        return;
    gp5_diagnostics(program, t->target, first_message, &message);
    printf("# %s: %s: %ld %s\n#   here: %lld %s\n", v->name, what, v->position, v->accepted ? "accepted" : v->errors,
           (long long)gp5_error_position(program, t->target), message);
}

static bool survives_formatting(const struct totals *t, const gp5_program *program)
{
    size_t size, again_size;
    char *text = gp5_format(program, &size);
    gp5_program *again = text ? gp5_parse(text, size) : NULL;
    char *again_text = again ? gp5_format(again, &again_size) : NULL;
    bool good = again_text && gp5_valid(again, t->target) && asm_program_equal(program, again) &&
                size == again_size && memcmp(text, again_text, size) == 0;
    gp5_text_free(text);
    gp5_text_free(again_text);
    gp5_program_free(again);
    return good;
}

static void judge(struct totals *t, const struct verdict *v, const char *text)
{
    gp5_program *program = gp5_parse(text, v->size);
    if (!program)
        return;
    bool valid = gp5_valid(program, t->target);
    t->agree += valid == v->accepted;
    if (valid != v->accepted)
        show(t, v, program, "verdict");
    if (!v->accepted) {
        t->rejected++;
        bool same = gp5_error_position(program, t->target) == v->position;
        t->positions += same;
        if (!same && !valid)
            show(t, v, program, "position");
    } else if (survives_formatting(t, program)) {
        t->formatted++;
    } else {
        t->unformatted++;
        show(t, v, program, "formatting");
    }
    gp5_program_free(program);
}

static bool report(unsigned number, const char *what, unsigned good, unsigned of, double least)
{
    double percent = of ? 100.0 * good / of : 0;
    bool enough = of > 0 && percent >= least;
    printf("%s %u - %s: %u of %u, %.2f %% (%.2f %% are asked for)\n", enough ? "ok" : "not ok", number, what, good, of,
           percent, least);
    return enough;
}

int main(int argc, char **argv)
{
    struct totals t = {.target = argc == 5 && strcmp(argv[4], "mesa") == 0 ? GP5_TARGET_MESA : GP5_TARGET_NVIDIA};
    struct verdict v;
    if (argc < 3 || argc > 5) {
        fputs("usage: verdicts LEAST_VERDICTS LEAST_POSITIONS [LEAST_FORMATTED [mesa]] <CORPUS\n", stderr);
        return 2;
    }
    while (read_verdict(&v)) {
        char *text = malloc(v.size + 1);
        if (!text || fread(text, 1, v.size, stdin) != v.size) {
            fprintf(stderr, "verdicts: %s is cut short\n", v.name);
            return 2;
        }
        t.programs++;
        judge(&t, &v, text);
        free(text);
    }
    bool good = report(1, "verdicts agree", t.agree, t.programs, atof(argv[1]));
    good &= report(2, "error positions agree", t.positions, t.rejected, atof(argv[2]));
    good &= report(3, "accepted programs survive formatting", t.formatted, t.formatted + t.unformatted,
                   argc > 3 ? atof(argv[3]) : 100);
    puts("1..3");
    return good ? 0 : 1;
}
