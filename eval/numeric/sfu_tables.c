/* The tables of the approximated functions, as one lane at a time reads them.
 *
 * The rows in sfu_rcp.def and its like were fitted to dense sweeps of a driver by tests/tools/experiments/sfu_fit.c,
 * which printed them: the hardware's own tables, seen from outside. Exactly one pair (c1, c2) fits each segment and one
 * bias each table, so c0 is unique as well, but for what could move from the bias to every c0 in whole units. */
#include "eval/numeric/sfu.h"

#define ROW(c0, c1, c2) {c0, c1, c2},

const struct sfu_row eval_sfu_rcp_rows[128] = {
#include "eval/numeric/sfu_rcp.def"
};

const struct sfu_row eval_sfu_rsq_rows[128] = {
#include "eval/numeric/sfu_rsq.def"
};

const struct sfu_row eval_sfu_ex2_rows[64] = {
#include "eval/numeric/sfu_ex2.def"
};

const struct sfu_row eval_sfu_sin_rows[64] = {
#include "eval/numeric/sfu_sin.def"
};

const struct sfu_row eval_sfu_lg2_rows[64] = {
#include "eval/numeric/sfu_lg2.def"
};

const struct sfu_row eval_sfu_sqrt_rows[128] = {
#include "eval/numeric/sfu_sqrt.def"
};
