#include "tests/unit/kernels/kernel_bench.h"
#include "asm/program.h"
#include "eval/machine/warp_state.h"
#include "eval/decode/prepare.h"

#include <stdlib.h>
#include <string.h>

const struct eval_kernels *kernel_table(unsigned level)
{
#if defined(__x86_64__)
    return level == 2 ? &eval_kernels_v4 : level == 1 ? &eval_kernels_v3 : &eval_kernels_base;
#else
    (void)level;
    return &eval_kernels_base;
#endif
}

unsigned kernel_levels(void)
{
    return eval_best_level() < EVAL_LEVEL_V3 ? 1 : eval_best_level() < EVAL_LEVEL_V4 ? 2 : 3;
}

int kernel_bench_setup(void **state)
{
    struct bench *b = calloc(1, sizeof *b);
    if (b == NULL)
        return -1;
    *state = b;
    b->base = aligned_alloc(64, PLANES * WARP_LANES * sizeof *b->base);
    if (b->base == NULL)
        return -1;
    b->levels = kernel_levels();
    for (unsigned i = 0; i < b->levels; i++)
        b->level[i] = kernel_table(i);
    for (unsigned s = 0; s < SET_COUNT; s++) {
        b->set[s] = malloc((size_t)operand_sets[s].lanes * OPERAND_RECORD);
        if (b->set[s] == NULL)
            return -1;
        operand_set_fill((enum operand_set)s, b->set[s]);
    }
    return 0;
}

int kernel_bench_teardown(void **state)
{
    struct bench *b = *state;
    for (unsigned s = 0; s < SET_COUNT; s++)
        free(b->set[s]);
    free(b->base);
    free(b);
    return 0;
}

/* ---- operands ------------------------------------------------------------------------------------------ */

bool kernel_wide_type(unsigned type)
{
    return type_table[type].bytes == 8;
}

static struct insn insn_of(const struct kernel_request *w)
{
    return (struct insn){.op = w->op, .type = w->type, .type2 = w->type2};
}

/* The type of an operation's operands; of CVT as a kernel has them. */
unsigned kernel_operand_type(const struct kernel_request *w)
{
    struct insn insn = insn_of(w);
    if (w->op == OP_CVT || w->op >= OP_COUNT || w->type == DT_F16)
        return w->type2;
    return eval_operand_type(&insn, 0);
}

bool kernel_wide_result(const struct kernel_request *w)
{
    struct insn insn = insn_of(w);
    return kernel_wide_type(w->op >= OP_COUNT ? w->type : eval_result_type(&insn));
}

unsigned kernel_operands_of(const struct kernel_request *w)
{
    return w->op < OP_COUNT ? shape_table[op_table[w->op].shape].nsrc : w->op == EVAL_OP_LOW ? 2 : 1;
}

bool kernel_scalar_operand(const struct kernel_request *w, unsigned k)
{
    return w->op < OP_COUNT && shape_table[op_table[w->op].shape].src[k] == OC_SCALAR;
}

enum operand_set kernel_set_of(const struct kernel_request *w)
{
    unsigned type = kernel_operand_type(w), n = kernel_operands_of(w);
    switch (w->op) {
    case OP_SHL: case OP_SHR: return kernel_wide_type(type) ? SET_SHIFT64 : SET_SHIFT;
    case OP_BFE: case OP_BFI: return SET_BITS;
    case OP_PK2H: case OP_PK2US: case OP_PK4B: case OP_PK4UB: return SET_UNIT;
    case OP_POW: case OP_LIT: return SET_POW;
    default: break;
    }
    switch (type) {
    case DT_F16: return SET_F16U;
    case DT_F32: return n == 1 ? SET_F32U : n == 2 ? SET_F32 : SET_F32T;
    case DT_F64: return n == 1 ? SET_F64U : SET_F64;
    case DT_S64: case DT_U64: return n == 1 ? SET_I64U : SET_I64;
    default: return n == 1 ? SET_I32U : SET_I32;
    }
}

/* Component c of operand k of a record; 64-bit records have two, which are there twice. */
uint64_t kernel_operand(const uint8_t *record, bool wide, unsigned k, unsigned c)
{
    uint64_t v = 0;
    if (wide)
        memcpy(&v, record + k * 16 + (c & 1) * 8, 8);
    else
        memcpy(&v, record + k * 16 + c * 4, 4);
    return v;
}

/* ---- running a kernel ---------------------------------------------------------------------------------- */

void kernel_load(struct bench *b, const struct kernel_request *w, const uint8_t *records)
{
    bool wide = kernel_wide_type(kernel_operand_type(w));
    for (unsigned l = 0; l < WARP_LANES; l++)
        for (unsigned k = 0; k < 3; k++)
            for (unsigned c = 0; c < 4; c++) {
                uint64_t v = kernel_operand(records + l * OPERAND_RECORD, wide, k, c);
                PLANE(b->base, PLANE_OF(k, c))[l] = (uint32_t)v;
                PLANE(b->base, PLANE_OF(k, c) + 1)[l] = (uint32_t)(v >> 32);
            }
}

/* mask: the components; in_place: results over an operand that allows it. */
struct lane_op kernel_op(const struct kernel_request *w, unsigned mask, bool in_place,
                         const struct signs *signs)
{
    struct lane_op op = {.n = 0};
    enum op_flow flow = eval_op_flow((enum gp5_op)w->op);
    for (unsigned c = 0; c < 4; c++)
        if (mask >> c & 1)
            op.comp[op.n++] = (uint8_t)c;
    for (unsigned k = 0; k < 3; k++) {
        bool each = flow == FLOW_EACH || (flow == FLOW_BITS && k > 0);
        for (unsigned i = 0; i < 4; i++) {
            unsigned c = each ? op.comp[i < op.n ? i : 0] : i;
            op.src[k][i] = PLANE_OF(k, kernel_scalar_operand(w, k) ? 0 : c);
        }
        op.clear[k] = signs->clear[k];
        op.flip[k] = signs->flip[k];
    }
    for (unsigned i = 0; i < op.n; i++)
        op.dst[i] = in_place ? PLANE_OF(flow == FLOW_BITS, op.comp[i]) : RESULT_PLANE(i);
    return op;
}

void kernel_run(struct bench *b, const struct kernel_request *w, const struct kernel *k,
                const struct lane_op *op,
                       bool with_signs)
{
    uint8_t saved[8];
    struct lane_op told = *op;
    told.how = k->how;
    bool keep = k->keep_denormals || w->semantics == GP5_SEMANTICS_SPEC;
    eval_float_enter(saved, keep ? FLOAT_KEEP : FLOAT_FLUSH);
    (with_signs ? k->run_signs : k->run)(b->base, &told);
    eval_float_leave(saved);
}

uint64_t kernel_result(struct bench *b, const struct kernel_request *w, const struct lane_op *op, unsigned i,
                       unsigned l)
{
    uint64_t low = PLANE(b->base, op->dst[i])[l];
    return kernel_wide_result(w) ? low | (uint64_t)PLANE(b->base, op->dst[i] + 1)[l] << 32 : low;
}
