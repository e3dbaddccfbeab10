#include "tests/unit/eval/stage.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

void open_run(struct stage_test *r, const char *text, enum gp5_semantics semantics)
{
    size_t offset;

    memset(r, 0, sizeof *r);
    r->options = (struct gp5_run_options){.semantics = semantics, .track_undefined = true, .jobs = 1};
    r->program = gp5_parse(text, strlen(text));
    assert_non_null(r->program);
    r->executable = gp5_prepare(r->program, &r->options, &r->message, &offset);
    if (!r->executable)
        print_error("%s\n%s\n", text, r->message);
    assert_non_null(r->executable);
    r->launch.inputs = r->in;
    r->launch.results = r->out;
}

void close_run(struct stage_test *r)
{
    gp5_report_free(&r->report);
    gp5_executable_free(r->executable);
    gp5_program_free(r->program);
}

void input(struct stage_test *r, const char *binding, const float *values, size_t elements)
{
    size_t n = r->launch.ninputs++;

    memcpy(r->input[n], values, elements * 4 * sizeof *values);
    r->in[n] = (struct gp5_array){.binding = binding, .words = r->input[n], .count = elements};
}

const uint32_t *result(struct stage_test *r, const char *binding)
{
    size_t n = r->launch.nresults++;

    r->out[n] = (struct gp5_array){
        .binding = binding, .words = r->result[n], .count = ROOM, .undefined = r->undefined[n]};
    return r->result[n];
}

enum gp5_run_status execute(struct stage_test *r)
{
    enum gp5_run_status status = gp5_execute(r->executable, &r->launch, &r->options, &r->report);

    if (status != GP5_RUN_OK && status != GP5_RUN_BAD_LAUNCH)
        print_error("%s\n", r->report.message);
    return status;
}

float number(uint32_t word)
{
    float f;

    memcpy(&f, &word, sizeof f);
    return f;
}

const char *reason(const struct stage_test *r, size_t n, size_t i)
{
    uint32_t id = r->undefined[n][i];

    return id ? r->report.origins[id - 1].reason : "";
}
