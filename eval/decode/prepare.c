/* From a program to an executable: which kernels, which steps. */
#include "eval/decode/prepare.h"

#include "asm/label.h"
#include "eval/jit/jit.h"
#include "eval/decode/normal_form.h"
#include "eval/track/clean_runs.h"

#include <stdio.h>
#include <string.h>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

static void choose_level(struct gp5_executable *x, enum eval_level level)
{
    x->kernels = &eval_kernels_base;
    x->planes = &eval_planes_base;
#if defined(__x86_64__)
    if (level >= EVAL_LEVEL_V3) {
        x->kernels = &eval_kernels_v3;
        x->planes = &eval_planes_v3;
    }
    if (level >= EVAL_LEVEL_V4) {
        x->kernels = &eval_kernels_v4;
        x->planes = &eval_planes_v4;
    }
#else
    (void)level;
#endif
}

#if defined(__x86_64__)
/* Conversions of halves: not all compilers know them by name. */
static bool has_halves(void)
{
    unsigned a, b, c = 0, d;

    return __get_cpuid(1, &a, &b, &c, &d) && c & bit_F16C;
}
#endif

enum eval_level eval_best_level(void)
{
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma") || !__builtin_cpu_supports("bmi") ||
        !__builtin_cpu_supports("bmi2") || !has_halves())
        return EVAL_LEVEL_BASE;
    if (!__builtin_cpu_supports("avx512f") || !__builtin_cpu_supports("avx512bw") ||
        !__builtin_cpu_supports("avx512dq") || !__builtin_cpu_supports("avx512vl") ||
        !__builtin_cpu_supports("avx512cd"))
        return EVAL_LEVEL_AVX2;
    return EVAL_LEVEL_NATIVE;
#else
    return EVAL_LEVEL_BASE;
#endif
}

static void tell(char **message, const char *text)
{
    size_t size = strlen(text) + 1;

    *message = gp5_malloc(size);
    if (*message)
        memcpy(*message, text, size);
}

static bool first_error(void *user, const struct gp5_diagnostic *d)
{
    char *text = user;

    if (d->severity != GP5_ERROR)
        return true;
    snprintf(text, 240, "line %u, column %u: %s", d->line, d->column, d->message);
    return false;
}

static bool check(const struct gp5_program *p, char *text, size_t size, size_t *offset)
{
    int64_t position = gp5_error_position(p, GP5_TARGET_GP5);

    if (position >= 0) {
        *offset = (size_t)position;
        snprintf(text, size, "the program is not valid");
        gp5_diagnostics(p, GP5_TARGET_GP5, first_error, text);
        return false;
    }
    return true;
}

gp5_executable *eval_prepare(const gp5_program *p, const struct gp5_run_options *options,
                             enum eval_level level, char **message, size_t *offset)
{
    struct gp5_executable *x = gp5_malloc(sizeof *x);
    char text[240];
    size_t where = 0;

    *message = NULL;
    *offset = 0;
    if (!x)
        return NULL;
    memset(x, 0, sizeof *x);
    arena_init(&x->arena);
    x->program = options->semantics == GP5_SEMANTICS_NVIDIA ? eval_empty_labels(&x->arena, p) : p;
    x->program = x->program ? eval_normal_form(&x->arena, x->program) : NULL;
    if (!x->program) {
        gp5_executable_free(x);
        return NULL;
    }
    x->profile = p->profile;
    x->shape = asm_stage_shape(p);
    x->options = *options;
    x->shared_size = p->has_shared_memory ? p->shared_memory : 0;
    x->variable_groups = p->options >> OPTION_ARB_compute_variable_group_size & 1;
    for (unsigned i = 0; i < 3; i++)
        x->group_size[i] = p->has_group_size && p->group_size[i] ? p->group_size[i] : 1;
    choose_level(x, level);
    if (!model_read(options->model, &x->passes, text, sizeof text)) {
        tell(message, text);
        gp5_executable_free(x);
        return NULL;
    }
    if (eval_has_branches(p))
        x->passes = model_without_blocks(x->passes);
    if (options->semantics != GP5_SEMANTICS_NVIDIA)
        x->passes = 0;
    else
        x->not_modelled = model_missing(p, x->passes);
    if (check(p, text, sizeof text, &where) && eval_decode(x, text, sizeof text, &where)) {
        if ((level == EVAL_LEVEL_NATIVE || level == EVAL_LEVEL_AVX2) && options->semantics != GP5_SEMANTICS_IDEAL)
            eval_native_build(x, level == EVAL_LEVEL_AVX2);
        if (options->track_undefined)
            eval_track_runs_build(x);
        return x;
    }
    *offset = where;
    tell(message, text);
    gp5_executable_free(x);
    return NULL;
}

bool gp5_not_modelled(const gp5_executable *executable, size_t pass)
{
    return pass < PASS_COUNT && executable->not_modelled >> pass & 1;
}

void gp5_executable_free(gp5_executable *executable)
{
    if (!executable)
        return;
    eval_native_free(executable);
    arena_free(&executable->arena);
    gp5_free(executable);
}

uint64_t gp5_result_count(const gp5_executable *x, uint32_t count, uint32_t instances)
{
    switch (profile_table[x->profile].stage_id) {
    case STAGE_VERTEX: return (uint64_t)count * (instances ? instances : 1);
    case STAGE_GEOMETRY: return (uint64_t)count * x->shape.invocations * asm_decomposed(&x->shape);
    case STAGE_CONTROL: return (uint64_t)count * x->shape.vertices_out;
    default: return count;
    }
}
