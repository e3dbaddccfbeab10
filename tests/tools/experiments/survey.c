/* survey: asks a driver what it accepts in one profile, and writes the answers (tests/tools/survey.h says how).
 *
 *   survey --profile=NAME [--driver=auto] [--seconds=N] [--worker=PATH] >ANSWERS
 *   survey --list
 *
 * One process a profile: run several at once where there are processors for it. */
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tests/tools/survey.h"

static const struct {
    const char *name;
    void (*ask)(struct survey *s);
} parts[] = {
    {"questions", survey_questions}, {"shapes", survey_shapes}, {"options", survey_options},
    {"declarations", survey_declarations},
    {"bindings", survey_bindings}, {"limits", survey_limits}, {"modifiers", survey_modifiers},
    {"memory", survey_memory},
    {"textures", survey_textures}, {"conditions", survey_conditions}, {"operands", survey_operands},
};

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void ask_all(struct survey *s)
{
    if (!survey_begin(s)) {
        fprintf(stderr, "survey: %s does not load here\n", s->profile->id);
        survey_options(s);
        survey_questions(s);
        return;
    }
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        double start = now();
        unsigned long before = s->asked;
        parts[i].ask(s);
        fprintf(stderr, "survey: %s: %s: %lu cases in %.1f s\n", s->profile->id, parts[i].name, s->asked - before,
                now() - start);
    }
}

int main(int argc, char **argv)
{
    static const struct option options[] = {
        {"profile", required_argument, NULL, 'p'}, {"driver", required_argument, NULL, 'd'},
        {"worker", required_argument, NULL, 'w'},
        {"seconds", required_argument, NULL, 's'}, {"list", no_argument, NULL, 'l'}, {NULL, 0, NULL, 0}};
    static struct survey s;
    struct driver_options how = {.timeout_ms = 3000};
    double seconds = 600;
    for (int o; (o = getopt_long(argc, argv, "", options, NULL)) != -1;) {
        if (o == 'd')
            how.context = optarg;
        else if (o == 'w')
            how.worker = optarg;
        else if (o == 's')
            seconds = strtod(optarg, NULL);
        else if (o != 'p' && o != 'l')
            return 2;
        for (size_t i = 0; i < survey_profile_count && (o == 'p' || o == 'l'); i++) {
            if (o == 'l')
                puts(survey_profiles[i].id);
            else if (strcmp(optarg, survey_profiles[i].id) == 0)
                s.profile = &survey_profiles[i];
        }
        if (o == 'l')
            return 0;
    }
    if (!s.profile) {
        fprintf(stderr, "usage: survey --profile=NAME [--driver=KIND] [--seconds=N] | --list\n");
        return 2;
    }
    char *reason;
    enum driver_open_status status = driver_open(&how, &s.driver, &reason);
    if (status != DRIVER_OPENED) {
        fprintf(stderr, "survey: no driver: %s\n", reason ? reason : "no memory");
        return status == DRIVER_NO_CONTEXT ? 77 : 2;
    }
    const struct driver_description *d = driver_describe(s.driver);
    s.out = stdout;
    s.deadline = now() + seconds;
    printf("{\"profile\":\"%s\",\"header\":\"%s\",\"tail\":\"END\\n\",\"renderer\":\"%s\",\"version\":\"%s\"}\n",
           s.profile->id, s.profile->header, d->renderer, d->version);
    ask_all(&s);
    fprintf(stderr, "survey: %s: %lu asked, %lu accepted, %lu not asked\n", s.profile->id, s.asked, s.accepted,
            s.unanswered);
    driver_close(s.driver);
    return fflush(stdout) == 0 && !ferror(stdout) ? 0 : 2;
}
