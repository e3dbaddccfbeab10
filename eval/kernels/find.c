/* The kernels of one level: which function computes what. */
#include "eval/kernels/rows.h"
#include "asm/program.h"

static const struct kernel_rows *const tables[] = {
    &LEVEL_NAME(eval_rows_float), &LEVEL_NAME(eval_rows_integer), &LEVEL_NAME(eval_rows_set),
        &LEVEL_NAME(eval_rows_vector),
    &LEVEL_NAME(eval_rows_special), &LEVEL_NAME(eval_rows_bits), &LEVEL_NAME(eval_rows_pack),
        &LEVEL_NAME(eval_rows_double),
    &LEVEL_NAME(eval_rows_integer64), &LEVEL_NAME(eval_rows_half),
};

static bool matches(const struct kernel_row *row, const struct kernel_request *request)
{
    uint32_t flags = request->flags & (ROW_FLAGS | (row->flags & INSN_PREC));
    return row->op == request->op && row->type == request->type && row->flags == flags &&
           row->semantics >> request->semantics & 1 &&
               (row->profiles == 0 || row->profiles >> request->profile & 1);
}

/* The driver drops the clamp of SSG. measured */
static bool ignores_clamp(const struct kernel_request *request)
{
    return request->op == OP_SSG && request->semantics == GP5_SEMANTICS_NVIDIA;
}

static bool find(const struct kernel_request *request, struct kernel *kernel);

/* What the text says of an instruction, and how it is computed, where that is left to be approximated. */
static bool find_ideal(const struct kernel_request *request, struct kernel *kernel)
{
    const struct kernel_rows *ideal = &LEVEL_NAME(eval_rows_ideal);
    struct kernel_request text = *request;
    text.semantics = GP5_SEMANTICS_SPEC;
    if (!find(&text, kernel))
        return false;
    for (unsigned i = 0; i < ideal->count; i++)
        if (matches(&ideal->rows[i], &text)) {
            kernel->run = ideal->rows[i].kernel.run;
            kernel->run_signs = ideal->rows[i].kernel.run_signs;
            break;
        }
    return true;
}

static bool find(const struct kernel_request *request, struct kernel *kernel)
{
    if (request->semantics == GP5_SEMANTICS_IDEAL)
        return find_ideal(request, kernel);
    if (LEVEL_NAME(eval_find_conversion)(request, kernel))
        return true;
    if (request->saturate != 0 && !ignores_clamp(request))
        return false;
    for (size_t t = 0; t < sizeof tables / sizeof *tables; t++)
        for (unsigned i = 0; i < tables[t]->count; i++)
            if (matches(&tables[t]->rows[i], request)) {
                *kernel = tables[t]->rows[i].kernel;
                return true;
            }
    return false;
}

const struct eval_kernels LEVEL_NAME(eval_kernels) = {LEVEL_TEXT, find};
