/* Carry and overflow of sums of words, as the kernels find them (eval/kernels/integer.c): of the last addition. */
#include "eval/jit/jit_internal.h"

#include "eval/jit/x86_scalar.h"

enum { A = NATIVE_OPERAND, B = NATIVE_OPERAND + 1, C = NATIVE_OPERAND + 2, T = NATIVE_TEMP, U = NATIVE_TEMP + 1 };
enum { BELOW = 1, NOT_BELOW = 5 };
enum { PARTS = 4, PART_BYTES = 32 };

static void put(struct x86_code *c, uint32_t code, unsigned d, unsigned a, unsigned b)
{
    x86_vector(c, code, d, a, x86_reg(b), 0, 0);
}

/* The opcode whose carry it is, if that is of words and one of these. */
static uint16_t counted(const struct gp5_executable *x, const struct write *out)
{
    static const uint16_t ops[] = {OP_ADD, OP_SUB, OP_MAD};

    for (unsigned i = 0; i < sizeof ops / sizeof *ops; i++) {
        struct kernel_request want = {.op = ops[i],
                                      .type = DT_U32,
                                      .type2 = DT_U32,
                                      .semantics = (uint8_t)x->options.semantics,
                                      .profile = (uint8_t)x->profile};
        struct kernel k;
        if (x->kernels->find(&want, &k) && k.carry == out->carry && x->tracks[out->carry_op].op == ops[i])
            return ops[i];
    }
    return 0;
}

bool eval_native_has_carries(const struct gp5_executable *x, const struct write *out)
{
    return !out->other_carry && counted(x, out) != 0;
}

/* Of operands in registers: the carry into a mask, and U, whose signs are the overflow. A, B and C are lost. */
static void carries_of(struct x86_code *c, uint16_t op, unsigned carry)
{
    unsigned b = op == OP_MAD ? C : B;

    if (op == OP_MAD)
        put(c, X86_PMUL, A, A, B);
    put(c, op == OP_SUB ? X86_PSUB : X86_PADD, T, A, b);
    if (op == OP_SUB)
        x86_vector(c, X86_PCMPU, carry, A, x86_reg(b), 0, NOT_BELOW);
    else
        x86_vector(c, X86_PCMPU, carry, T, x86_reg(A), 0, BELOW);
    put(c, X86_XOR, U, A, T);
    put(c, X86_XOR, b, b, T);
    put(c, X86_AND, b, b, U);
    if (op == OP_SUB)           /* where it is another sign than the difference's, and the second operand's the same */
        put(c, X86_XOR, U, U, b);
    else
        put(c, X86_LOAD, U, 0, b);
}

static void load(struct x86_code *c, unsigned d, struct x86_place from)
{
    x86_vector(c, from.kind == X86_SPREAD ? X86_BROADCAST : X86_LOAD, d, 0, from, 0, 0);
}

static void carries_in_parts(struct native_builder *b, const struct lane_op *op, uint16_t code, unsigned i)
{
    struct x86_code *c = &b->code;

    x86_gpr(c, X86_MOV, true, RDI, RBX);
    for (unsigned part = 0; part < PARTS; part++) {
        for (unsigned k = 0; k < (code == OP_MAD ? 3 : 2); k++)
            load(c, A + k,
                 (struct x86_place){X86_MEMORY,
                                    (uint32_t)(op->src[k][i] * WARP_LANES * sizeof(uint32_t) + PART_BYTES * part)});
        carries_of(c, code, NATIVE_K);
        x86_avx2_signs(c, RAX, X86_AVX2_MASK + NATIVE_K);
        x86_avx2_signs(c, RDX, U);
        eval_native_join_flags(b, part);
    }
}

void eval_native_carries(struct native_builder *b, const struct write *out, unsigned i, unsigned carry,
                         unsigned overflow)
{
    const struct lane_op *op = &b->x->ops[out->carry_op];
    uint16_t code = counted(b->x, out);
    unsigned nsrc = code == OP_MAD ? 3 : 2;
    struct native_value v[3];

    if (b->code.avx2) {
        carries_in_parts(b, op, code, i);
        return;
    }
    b->pinned = 0;
    for (unsigned k = 0; k < nsrc; k++)
        v[k] = eval_native_read(b, op->src[k][i], false, false);
    for (unsigned h = 0; h < 2; h++) {
        for (unsigned k = 0; k < nsrc; k++)
            load(&b->code, A + k, eval_native_place(b, &v[k], h));
        carries_of(&b->code, code, carry + h);
        x86_vector(&b->code, X86_SIGNS, overflow + h, 0, x86_reg(U), 0, 0);
    }
}
