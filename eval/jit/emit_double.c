/* Doubles: IEEE, denormals kept. The processor's rule for NaN operands is the kernels' (eval/kernels/double.c): the
 * first of two comes out quiet, and a new one is 0xfff8000000000000. Only of three operands that of a fused
 * multiply-add is another one. */
#include "eval/jit/jit_internal.h"

#include "eval/jit/x86_scalar.h"

static void put(struct x86_code *c, uint32_t code, unsigned d, unsigned a, struct x86_place b, unsigned mask)
{
    x86_vector(c, code, d, a, b, mask, 0);
}

unsigned eval_native_wide_register(struct x86_code *c, const struct x86_place *place, unsigned k)
{
    if (place->kind == X86_REGISTER)
        return place->at;
    put(c, X86_LOAD64, NATIVE_OPERAND + k, 0, *place, 0);
    return NATIVE_OPERAND + k;
}

/* Where r is NaN: the first NaN of a, c, b, made quiet. */
static void nan_of_three(struct x86_code *c, unsigned r, struct x86_place a, const struct native_call *call)
{
    const struct x86_place order[] = {call->src[1], call->src[2], a};   /* what is put last stays */

    x86_vector(c, X86_CMPPD, NATIVE_K, r, x86_reg(r), 0, 3);
    for (unsigned i = 0; i < 3; i++) {
        unsigned o = eval_native_wide_register(c, &order[i], (i + 1) % 3);
        x86_vector(c, X86_CMPPD, NATIVE_K2, o, x86_reg(o), NATIVE_K, 3);
        put(c, X86_OR64, r, o, native_word(NATIVE_QUIET), NATIVE_K2);
    }
}

/* What is done about NaNs: they are rare, so it stands behind the function. */
struct native_rare {
    size_t jump, back;
    struct native_call call[2];
    unsigned n, r[2];           /* results */
    struct x86_place a[2];      /* where the first factors still are */
};

static bool is_in(struct x86_place place, unsigned r)
{
    return place.kind == X86_REGISTER && place.at == r;
}

static void jump_if_nan(struct x86_code *c, unsigned r, unsigned other, size_t *chain)
{
    static const uint8_t any[] = {0xc5, 0xf9, 0x98, 0xc0 | NATIVE_K << 3 | NATIVE_K};   /* kortestb */

    x86_vector(c, X86_CMPPD, NATIVE_K, r, x86_reg(other), 0, 3);
    if (c->avx2)
        x86_avx2_test(c);
    else
        x86_bytes(c, any, sizeof any);
    x86_jump_chained(c, X86_JNZ, chain);
}

/* Where a result takes its first factor's place, that is kept aside; else the result is made aside. */
void eval_native_wide_fused(struct native_builder *b, const struct native_call call[], unsigned n)
{
    struct x86_code *c = &b->code;
    struct native_rare rare = {.n = n};
    size_t at;

    for (unsigned i = 0; b->trusting && i < n; i++)
        eval_native_fused(c, &call[i], call[i].src[1], true);
    if (b->trusting)
        return;
    for (unsigned i = 0; i < n; i++) {
        const struct x86_place *src = call[i].src;
        bool in_place =
            is_in(src[0], call[i].d) && !is_in(src[1], call[i].d) && !is_in(src[2], call[i].d) && !call[i].mask;
        for (unsigned k = 0; k < 3 && i > 0; k++)   /* what the first one's NaNs are made of stays */
            in_place &= !is_in(call[0].src[k], call[i].d);
        rare.call[i] = call[i];
        rare.r[i] = in_place ? call[i].d : NATIVE_TEMP + i;
        rare.a[i] = in_place ? x86_reg(NATIVE_TEMP + i) : src[0];
        put(c, X86_LOAD64, NATIVE_TEMP + i, 0, src[0], 0);
        put(c, X86_FMA213D + call[i].negated, rare.r[i], eval_native_wide_register(c, &src[1], 1), src[2], 0);
    }
    jump_if_nan(c, rare.r[0], rare.r[n - 1], &rare.jump);
    rare.back = c->size;
    at = vec_grow(&b->rare);
    if (at == SIZE_MAX)
        c->failed = true;
    else
        *(struct native_rare *)vec_at(&b->rare, at) = rare;
    for (unsigned i = 0; i < n; i++)
        if (rare.r[i] != call[i].d)
            put(c, X86_LOAD64, call[i].d, 0, x86_reg(rare.r[i]), call[i].mask);
}

void eval_native_wide_begin(struct native_builder *b)
{
    vec_init(&b->rare, sizeof(struct native_rare));
}

/* What computes with a NaN gives one. So it is enough that what is left at the end is none: else the lanes are done
 * again, looking at each result. */
void eval_native_wide_check(struct native_builder *b)
{
    unsigned waiting = NO_SLOT;

    for (unsigned i = 0; i < native_slots(b); i++) {
        if (!b->slots[i].doubtful)
            continue;
        b->slots[i].doubtful = false;
        if (waiting == NO_SLOT) {
            waiting = i;
            continue;
        }
        jump_if_nan(&b->code, native_part(b, waiting, 0), native_part(b, i, 0), &b->doubt);
        waiting = NO_SLOT;
    }
    if (waiting != NO_SLOT)
        jump_if_nan(&b->code, native_part(b, waiting, 0), native_part(b, waiting, 0), &b->doubt);
    for (unsigned i = 0; i < NATIVE_MOST_PACKED; i++)
        if (b->packed[i].plane != NO_PLANE && b->packed[i].dirty && b->packed[i].doubtful) {
            put(&b->code, X86_LOAD64, NATIVE_TEMP, 0, eval_native_packed(b, i), 0);
            jump_if_nan(&b->code, NATIVE_TEMP, NATIVE_TEMP, &b->doubt);
        }
}

void eval_native_wide_rare(struct native_builder *b)
{
    for (size_t k = 0; k < b->rare.count; k++) {
        struct native_rare *rare = vec_at(&b->rare, k);
        x86_bind(&b->code, &rare->jump);
        for (unsigned i = 0; i < rare->n; i++)
            nan_of_three(&b->code, rare->r[i], rare->a[i], &rare->call[i]);
        x86_jump_to(&b->code, X86_JMP, rare->back);
    }
    b->rare.count = 0;
}

void eval_native_wide(struct x86_code *c, enum native_wide what, const struct native_call *call)
{
    static const uint32_t codes[] = {[WIDE_ADD] = X86_ADDPD, [WIDE_SUB] = X86_SUBPD, [WIDE_MUL] = X86_MULPD,
                                     [WIDE_DIV] = X86_DIVPD};

    switch (what) {
    case WIDE_COPY:
        put(c, X86_LOAD64, call->d, 0, call->src[0], call->mask);
        break;
    default:
        put(c, codes[what], call->d, eval_native_wide_register(c, &call->src[0], 0), call->src[1], call->mask);
        break;
    }
}

/* The sign of a NaN stays. */
void eval_native_wide_sign(struct x86_code *c, unsigned to, struct x86_place from, bool clear, bool flip)
{
    put(c, X86_LOAD64, to, 0, from, 0);
    x86_vector(c, X86_CMPPD, NATIVE_K, to, x86_reg(to), 0, 7);
    if (clear)
        put(c, flip ? X86_OR64 : X86_AND64, to, to, native_word(flip ? NATIVE_SIGN : NATIVE_MAGNITUDE), NATIVE_K);
    else
        put(c, X86_XOR64, to, to, native_word(NATIVE_SIGN), NATIVE_K);
}

/* ---- the frame ----------------------------------------------------------------------------------------- */

void eval_native_enter(struct native_builder *b)
{
    static const uint8_t enter[] = {0x55, 0x49, 0x89, 0xe0,     /* push rbp; mov r8, rsp */
                                    0x48, 0x81, 0xec},          /* sub rsp, the packed values */
        align[] = {0x48, 0x83, 0xe4, 0xc0, 0x48, 0x89, 0xe5};   /* and rsp, -64; mov rbp, rsp */

    if (b->layout != LAYOUT_WIDE)
        return;
    x86_bytes(&b->code, enter, sizeof enter);
    x86_word(&b->code, NATIVE_FRAMES);
    x86_bytes(&b->code, align, sizeof align);
}

void eval_native_leave(struct native_builder *b)
{
    static const uint8_t frame[] = {0x4c, 0x89, 0xc4, 0x5d},    /* mov rsp, r8; pop rbp */
        leave[] = {0xc5, 0xf8, 0x77, 0xc3};                     /* vzeroupper, ret */

    if (b->layout == LAYOUT_WIDE)
        x86_bytes(&b->code, frame, sizeof frame);
    x86_bytes(&b->code, leave, sizeof leave);
}
