/* Loops in machine code. A loop with a count has it in its frame, a word a lane; the machine finds it. */
#include "eval/jit/emit_flow.h"

static const struct repeat *repeat_of(const struct native_builder *b, const struct step *rep)
{
    return &b->x->repeats[rep->ref];
}

void eval_flow_begin_loop(struct native_builder *b, const struct step *s)
{
    struct x86_code *c = &b->code;
    struct native_block *block = &b->blocks[b->depth];

    eval_flow_count(b);
    eval_native_canonicalise(b);
    *block = (struct native_block){.jumps = true, .was_maybe_empty = b->maybe_empty,
                                   .counted = repeat_of(b, s)->count != NO_PLANE};
    x86_gpr_store(c, X86_MOV, false, FLOW_FRAMES, flow_restore(b->depth), FLOW_ACTIVE);
    x86_gpr_set(c, RAX, 0);
    x86_gpr_store(c, X86_MOV, false, FLOW_FRAMES, flow_other(b->depth), RAX);
    if (block->counted) {
        eval_native_release(b);
        x86_gpr_store(c, X86_MOV, false, FLOW_WARP, offsetof(struct warp, active), FLOW_ACTIVE);
        x86_gpr(c, X86_MOV, true, RDI, FLOW_WARP);
        x86_gpr_set64(c, RSI, (uintptr_t)s);
        x86_gpr(c, X86_MOV, true, RDX, FLOW_FRAMES);
        x86_gpr_plus(c, RDX, b->depth * (uint32_t)sizeof(struct frame));
        eval_flow_call(b, (uintptr_t)eval_enter_counted);
        x86_gpr(c, X86_MOV, false, FLOW_ACTIVE, RAX);
        eval_flow_set_up(b);
    }
    eval_native_preload(b, b->at + 1, b->block_end[b->at]);
    b->depth++;
    eval_flow_remember(b, block);
    if (block->counted || b->maybe_empty) {
        x86_gpr(c, X86_TEST, false, FLOW_ACTIVE, FLOW_ACTIVE);
        x86_jump_chained(c, X86_JZ, &block->none);
    }
    b->maybe_empty = false;
    block->header = c->size;
    c->zeroed = false;
}

static struct x86_place counts(uint32_t depth, unsigned bytes)
{
    return (struct x86_place){X86_FRAME, (uint32_t)(flow_frame(depth, offsetof(struct frame, count)) + bytes)};
}

/* Of one part of the lanes, whose masks are k1.. and k3..: those with some left. */
static void count_part(struct native_builder *b, uint32_t depth, unsigned bytes, unsigned mask)
{
    x86_vector(&b->code, X86_LOAD_ANY, NATIVE_TEMP, 0, counts(depth, bytes), 0, 0);
    x86_vector(&b->code, X86_PSUB, NATIVE_TEMP, NATIVE_TEMP, native_word(NATIVE_UNIT), NATIVE_LANES + mask, 0);
    x86_vector(&b->code, X86_STORE_ANY, NATIVE_TEMP, 0, counts(depth, bytes), 0, 0);
    x86_vector(&b->code, X86_SOME, NATIVE_K + mask, NATIVE_TEMP, x86_reg(NATIVE_TEMP), NATIVE_LANES + mask, 0);
}

static void count_down_in_parts(struct native_builder *b, uint32_t depth)
{
    struct x86_code *c = &b->code;

    for (unsigned h = 0; h < 4; h++) {
        x86_gpr(c, X86_MOV, false, RSI, FLOW_ACTIVE);
        x86_gpr_shr(c, RSI, (uint8_t)(8 * h));
        x86_avx2_lanes(c);
        count_part(b, depth, 32 * h, 0);
        x86_avx2_signs(c, h ? RDX : RAX, X86_AVX2_MASK + NATIVE_K);
        x86_gpr_shl(c, RDX, (uint8_t)(8 * h));
        if (h)
            x86_gpr(c, X86_GPR_OR, false, RAX, RDX);
    }
}

/* The lanes that were active have one iteration less before them; eax: those with some left. */
static void count_down(struct native_builder *b, uint32_t depth)
{
    if (b->code.avx2) {
        count_down_in_parts(b, depth);
        return;
    }
    for (unsigned h = 0; h < 2; h++)
        count_part(b, depth, 64 * h, h);
    x86_mask_join(&b->code, NATIVE_K, NATIVE_K, NATIVE_K + 1);
    x86_mask_to(&b->code, RAX, NATIVE_K);
}

/* The end of a pass: those that went on to the next one join. */
static void end_pass(struct native_builder *b, const struct step *s)
{
    struct x86_code *c = &b->code;

    eval_flow_end(b, s);
    if (flow_innermost(b)->continued) {
        x86_gpr_load(c, X86_GPR_OR, false, FLOW_ACTIVE, FLOW_FRAMES, flow_other(b->depth - 1));
        x86_gpr_set(c, RAX, 0);
        x86_gpr_store(c, X86_MOV, false, FLOW_FRAMES, flow_other(b->depth - 1), RAX);
        eval_flow_masks(b);
    }
    if (flow_innermost(b)->counted)
        count_down(b, b->depth - 1);
}

void eval_flow_next_pass(struct native_builder *b, const struct step *s)
{
    struct native_block *block = flow_innermost(b);

    end_pass(b, s);
    eval_flow_remember(b, block);
    x86_gpr(&b->code, X86_TEST, false, FLOW_ACTIVE, FLOW_ACTIVE);
    x86_jump_chained(&b->code, X86_JZ, &block->leave);
    b->maybe_empty = false;
}

void eval_flow_end_loop(struct native_builder *b, const struct step *s)
{
    struct x86_code *c = &b->code;
    struct native_block *block = flow_innermost(b);
    size_t out = 0;

    end_pass(b, s);
    if (block->counted)
        x86_gpr(c, X86_MOV, false, FLOW_ACTIVE, RAX);
    x86_gpr(c, X86_TEST, false, FLOW_ACTIVE, FLOW_ACTIVE);
    x86_jump_chained(c, X86_JZ, &out);
    if (block->counted)
        eval_flow_masks(b);
    x86_gpr_load(c, X86_CMP, true, FLOW_EXECUTED, FLOW_WARP, offsetof(struct warp, limit));
    x86_jump_to(c, X86_JBE, block->header);
    x86_gpr_set(c, RAX, b->at + 1);
    x86_jump_chained(c, X86_JMP, &b->failure);
    x86_bind(c, &out);
    x86_bind(c, &block->none);
    b->depth--;
    x86_gpr_load(c, X86_MOV, false, FLOW_ACTIVE, FLOW_FRAMES, flow_restore(b->depth));
    eval_flow_masks(b);
    b->maybe_empty = block->was_maybe_empty;
}

/* BRK and CONT: the lanes that pass leave every block up to the loop. */
void eval_flow_leave_loop(struct native_builder *b, const struct step *s)
{
    struct x86_code *c = &b->code;
    uint32_t depth = b->depth;

    eval_flow_count(b);
    eval_native_canonicalise(b);
    eval_native_test(b, &s->test);
    while (depth && !b->blocks[depth - 1].header)
        depth--;
    if (s->kind == STEP_CONT || depth < b->depth)   /* else no other lanes are touched */
        x86_gpr(c, X86_GPR_AND, false, RAX, FLOW_ACTIVE);
    if (s->kind == STEP_CONT && depth) {
        x86_gpr_store(c, X86_GPR_OR, false, FLOW_FRAMES, flow_other(depth - 1), RAX);
        b->blocks[depth - 1].continued = true;
    }
    if (s->kind == STEP_CONT && s->ref)
        x86_gpr(c, X86_MOV, false, RAX, FLOW_ACTIVE);    /* the others leave with them, and do not come back */
    x86_gpr_not(c, RAX);
    for (uint32_t i = b->depth; i > depth; i--) {
        b->blocks[i - 1].left = true;
        x86_gpr_store(c, X86_GPR_AND, false, FLOW_FRAMES, flow_restore(i - 1), RAX);
    }
    x86_gpr(c, X86_GPR_AND, false, FLOW_ACTIVE, RAX);
    eval_flow_masks(b);
    eval_flow_leave_if_empty(b);
}
