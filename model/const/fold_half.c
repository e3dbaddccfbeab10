/* Half arithmetic on constants as the driver's compiler does it (tests/recordings/ops.txt, *.F16/known*): operands are
 * rounded to half, each step is exact and rounded to half, and a denormal half that comes of it is a zero of its sign.
 * Values are doubles that a half can hold; none of these steps needs more than a double has, so each is rounded once.
 */
#include "eval/numeric/half_fold.h"
#include "model/const/lattice.h"

#define ONE 0x3f800000u

static double dot(const double *a, const double *b, unsigned n)
{
    double r = half_product(a[0], b[0]);

    for (unsigned i = 1; i < n; i++)
        r = half_fused(a[i], b[i], r);
    return r;
}

static double smaller(double a, double b, bool larger)
{
    if (isnan(a) || isnan(b))
        return isnan(a) ? b : a;
    if (a == b)                         /* -0 is below +0 */
        return (signbit(a) != 0) != larger ? a : b;
    return (a < b) != larger ? a : b;
}

/* A comparison, as 1 or 0; false for another operation. */
static bool compare(uint16_t op, double a, double b, double *r)
{
    switch (op) {
    case OP_SEQ: *r = a == b; return true;
    case OP_SNE: *r = a != b; return true;
    case OP_SLT: *r = a < b; return true;
    case OP_SLE: *r = a <= b; return true;
    case OP_SGT: *r = a > b; return true;
    case OP_SGE: *r = a >= b; return true;
    case OP_STR: *r = 1; return true;
    case OP_SFL: *r = 0; return true;
    default: return false;
    }
}

static bool vectors(const struct fold *f, double v[3][4], double *r)
{
    unsigned c = f->component;

    switch (f->insn->op) {
    case OP_DP2: *r = dot(v[0], v[1], 2); return true;
    case OP_DP3: *r = dot(v[0], v[1], 3); return true;
    case OP_DP4: *r = dot(v[0], v[1], 4); return true;
    case OP_DPH: *r = half_sum(dot(v[0], v[1], 3), v[1][3]); return true;
    case OP_DP2A: *r = half_sum(dot(v[0], v[1], 2), v[2][0]); return true;
    case OP_NRM: *r = half_product(v[0][c], half_root(dot(v[0], v[0], 3))); return true;
    case OP_DST: *r = c == 0 ? 1 : c == 1 ? half_product(v[0][1], v[1][1]) : c == 2 ? v[0][2] : v[1][3]; return true;
    case OP_SCS: *r = c == 0 ? cos(v[0][0]) : sin(v[0][0]); return c < 2;
    case OP_LIT: *r = c == 1 && v[0][0] > 0 ? v[0][0] : c == 0 || c == 3; return c != 2;
    default: return false;
    }
}

static bool components(const struct fold *f, double v[3][4], double *r)
{
    double a = v[0][f->first[0]], b = v[1][f->first[1]], c = v[2][f->first[2]];

    switch (f->insn->op) {
    case OP_ADD: *r = a + b; return true;
    case OP_SUB: *r = a - b; return true;
    case OP_MUL: *r = a * b; return true;
    case OP_MAD: *r = a * b + c; return true;
    case OP_DIV: *r = a * half_reciprocal(b); return true;
    case OP_LRP: *r = half_product(a, half_sum(b, -c)) + c; return true;
    case OP_MIN: *r = smaller(a, b, false); return true;
    case OP_MAX: *r = smaller(a, b, true); return true;
    case OP_CMP: *r = !f->keeps_denormals && (isnan(a) || a < 0) ? b : c; return true;
    case OP_RCP: *r = 1 / a; return true;
    case OP_RCC: *r = isnan(a) ? a : 0; return true;    /* whatever the number is */
    case OP_RSQ: *r = half_root(a); return true;
    case OP_EX2: *r = exp2(a); return true;
    case OP_LG2: *r = half_logarithm(a); return true;
    case OP_SIN: *r = sin(a); return true;
    case OP_COS: *r = cos(a); return true;
    case OP_POW: *r = exp2(half_product(b, half_logarithm(a))); return true;
    default: return vectors(f, v, r) || compare(f->insn->op, a, b, r);
    }
}

bool eval_fold_half(const struct fold *f, uint32_t *word)
{
    double v[3][4], r;

    for (unsigned k = 0; k < 3; k++)
        for (unsigned i = 0; i < 4; i++)
            v[k][i] = half_operand(f->src[k][i]);
    if (f->insn->flags & INSN_PREC || !components(f, v, &r))
        return false;
    *word = half_to_word(half_round(r, f->keeps_denormals));
    return *word != EXACT_NAN || f->insn->op == OP_DST;
}
