/* The tables of kernels: one a file, searched when a program is decoded. A new opcode is a row there. */
#ifndef GP5_EVAL_KERNELS_ROWS_H
#define GP5_EVAL_KERNELS_ROWS_H

#include "asm/program.h"
#include "eval/kernels/kernel.h"

enum { SEM_NVIDIA = 1 << GP5_SEMANTICS_NVIDIA, SEM_SPEC = 1 << GP5_SEMANTICS_SPEC,
      SEM_BOTH = SEM_NVIDIA | SEM_SPEC };

#define ROW_FLAGS ((uint32_t)(INSN_HI | INSN_S24 | INSN_U24))

/* The first row that fits is taken. */
struct kernel_row {
    uint16_t op;
    uint8_t type;               /* enum data_type */
    uint8_t semantics;          /* SEM_... */
    uint32_t profiles;          /* enum profile_bits, or 0: any */
    uint32_t flags;             /* exactly these of INSN_HI INSN_S24 INSN_U24; INSN_PREC: only with it */
    struct kernel kernel;
};

struct kernel_rows {
    const struct kernel_row *rows;
    unsigned count;
};

/* One a file. CVT has its own finder, since its key has more parts. */
extern const struct kernel_rows LEVEL_NAME(eval_rows_float), LEVEL_NAME(eval_rows_double),
    LEVEL_NAME(eval_rows_integer),
    LEVEL_NAME(eval_rows_integer64), LEVEL_NAME(eval_rows_bits), LEVEL_NAME(eval_rows_set),
        LEVEL_NAME(eval_rows_vector),
    LEVEL_NAME(eval_rows_ideal), LEVEL_NAME(eval_rows_special), LEVEL_NAME(eval_rows_pack), LEVEL_NAME(eval_rows_half);
bool LEVEL_NAME(eval_find_conversion)(const struct kernel_request *request, struct kernel *kernel);

#define ROWS(name, table) const struct kernel_rows LEVEL_NAME(name) = {table, sizeof table / sizeof *table}
#define ROW_I(op, type, f) {OP_##op, DT_##type, SEM_BOTH, 0, 0, {.run = f}}
#define ROW_F(op, type, f) {OP_##op, DT_##type, SEM_BOTH, 0, 0, {.run = f, .run_signs = f##_signs}}
#define ROW_FOR(op, type, who, f) {OP_##op, DT_##type, SEM_##who, 0, 0, {.run = f, .run_signs = f##_signs}}
#define ROW_D(op, type, who, f)                                                                              \
    {OP_##op, DT_##type, SEM_##who, 0, 0, {.run = f, .run_signs = f##_signs, .keep_denormals = true}}

/* texels.c, for planes.c */
void LEVEL_NAME(eval_rho)(double rho[WARP_LANES / 4], const uint32_t *s, const uint32_t *t, const uint32_t size[2]);
void LEVEL_NAME(eval_texels)(uint32_t *const to[4], const struct texel_plane p[2], const uint32_t *share,
                             const uint32_t *s, const uint32_t *t);

#endif
