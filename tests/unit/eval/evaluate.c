#include "tests/unit/eval/evaluate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool evaluate_prepare(struct prepared *p, const char *text, const struct gp5_run_options *options,
                      enum eval_level level)
{
    memset(p, 0, sizeof *p);
    p->program = gp5_parse(text, strlen(text));
    if (p->program)
        p->executable = eval_prepare(p->program, options, level, &p->message, &p->offset);
    return p->executable != NULL;
}

void evaluate_free(struct prepared *p)
{
    gp5_executable_free(p->executable);
    gp5_text_free(p->message);
    if (p->program)
        gp5_program_free(p->program);
}

enum gp5_run_status evaluate(const char *text, const struct gp5_run_options *options, uint32_t groups,
                             uint32_t *in, size_t in_words, uint32_t *out, size_t out_words,
                             uint32_t *undefined, struct gp5_report *report)
{
    struct prepared p;
    struct gp5_buffer storage[2] = {{0, (uint8_t *)in, in_words * 4, NULL},
                                    {1, (uint8_t *)out, out_words * 4, undefined}};
    struct gp5_launch launch = {.groups = {groups, 1, 1}, .storage = storage, .nstorage = 2};
    enum gp5_run_status status = GP5_RUN_NOT_EVALUATED;

    memset(report, 0, sizeof *report);
    if (evaluate_prepare(&p, text, options, eval_best_level()))
        status = gp5_execute(p.executable, &launch, options, report);
    else
        fprintf(stderr, "%s\n%s\n", p.message ? p.message : "out of memory", text);
    evaluate_free(&p);
    return status;
}

uint32_t *evaluate_words(size_t n)
{
    void *p = NULL;

    if (posix_memalign(&p, 64, n * sizeof(uint32_t) + 64))
        abort();
    memset(p, 0, n * sizeof(uint32_t));
    return p;
}

uint32_t evaluate_random(uint64_t *state)
{
    uint64_t x = *state += 0x9e3779b97f4a7c15u;

    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return (uint32_t)(x >> 32);
}
