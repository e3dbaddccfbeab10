/* Blocks in machine code: IF and loops whose every step is machine code, or a call of the machine.
 *
 * The active lanes stand in a word; each block keeps those that go on after it in the warp's frame for it, as
 * eval/machine/flow.c does, and counts instructions and lanes the same way. The two sides of a short IF run one after
 * the other under their masks, whether lanes are left or not; those of a long one, and a loop's body, are jumped out of
 * when none is left.
 *
 * Where ways meet, the same planes stand in the same registers: a section ends with those that it began with. No
 * register has NaNs to be made canonical where the active lanes change: they would be those of other lanes. */
#include "eval/jit/emit_flow.h"

#include <string.h>

enum { SHORT_SIDE = 12 };

/* ---- counting ------------------------------------------------------------------------------------------ */

/* `n` instructions for the lanes that are active, and `always` that are executed even where none is. */
static void count(struct native_builder *b, uint32_t n, uint32_t always)
{
    static const uint8_t one_if_any[] = {0x41, 0x83, 0xfc, 0x01, 0x49, 0x83, 0xde, 0xff}; /* cmp r12d, 1; sbb r14, -1 */
    struct x86_code *c = &b->code;

    if (!n && !always)
        return;
    if (n == 1 && b->maybe_empty) {
        x86_bytes(c, one_if_any, sizeof one_if_any);
    } else if (n && b->maybe_empty) {
        x86_gpr_set(c, RAX, n);
        x86_gpr_set(c, RCX, 0);
        x86_gpr(c, X86_TEST, false, FLOW_ACTIVE, FLOW_ACTIVE);
        x86_gpr(c, X86_CMOVZ, false, RAX, RCX);
        x86_gpr(c, X86_ADD, true, FLOW_EXECUTED, RAX);
    } else {
        always += n;
    }
    if (always)
        x86_gpr_plus(c, FLOW_EXECUTED, always);
    if (!b->maybe_empty)
        n = always;
    else
        n += always;
    x86_gpr(c, X86_POPCNT, false, RAX, FLOW_ACTIVE);
    if (n > 1)
        x86_gpr_times(c, RAX, RAX, n);
    x86_gpr(c, X86_ADD, true, FLOW_LANES, RAX);
}

/* The instructions since the last count, for the lanes that have been active since. */
void eval_flow_count(struct native_builder *b)
{
    count(b, b->uncounted, 0);
    b->uncounted = 0;
}

/* ---- lanes --------------------------------------------------------------------------------------------- */

void eval_flow_masks(struct native_builder *b)
{
    if (b->code.avx2)
        return;     /* each section makes its own */
    x86_mask_from(&b->code, NATIVE_LANES, FLOW_ACTIVE);
    x86_gpr(&b->code, X86_MOV, false, RCX, FLOW_ACTIVE);    /* sooner there than by a shift of the mask */
    x86_gpr_shr(&b->code, RCX, 16);
    x86_mask_from(&b->code, NATIVE_LANES + 1, RCX);
}

void eval_flow_remember(struct native_builder *b, struct native_block *block)
{
    memcpy(block->slots, b->slots, sizeof block->slots);
    block->dirty = 0;
}

static void note_dirty(const struct native_builder *b, struct native_block *block)
{
    for (unsigned i = 0; i < native_slots(b); i++)
        block->dirty |= (uint32_t)b->slots[i].dirty << i;
}

/* The end of a section that may have been left by a jump: its planes are those that it began with. */
static void meet(struct native_builder *b, struct native_block *block)
{
    if (!block->jumps)
        return;
    eval_native_conform(b, block->slots);
    note_dirty(b, block);
    for (unsigned i = 0; i < native_slots(b); i++)
        b->slots[i].dirty |= (block->dirty >> i & 1) || (block->slots[i].plane != NO_PLANE && block->slots[i].dirty);
    x86_bind(&b->code, &block->leave);
}

/* Where no lane is left: to the end of the innermost section. Every NaN is canonical. */
void eval_flow_leave_if_empty(struct native_builder *b)
{
    struct native_block *block;
    struct native_slot kept[NATIVE_MOST_SLOTS];
    size_t go_on = 0;

    if (!b->depth)
        return;
    block = flow_innermost(b);
    if (!block->jumps) {
        b->maybe_empty = true;
        return;
    }
    x86_gpr(&b->code, X86_TEST, false, FLOW_ACTIVE, FLOW_ACTIVE);
    x86_jump_chained(&b->code, X86_JNZ, &go_on);
    memcpy(kept, b->slots, sizeof kept);
    eval_native_conform(b, block->slots);
    note_dirty(b, block);
    x86_jump_chained(&b->code, X86_JMP, &block->leave);
    x86_bind(&b->code, &go_on);
    for (unsigned i = 0; i < native_slots(b); i++)
        if (b->slots[i].plane != NO_PLANE)
            b->slot_of[b->slots[i].plane] = NO_SLOT;
    memcpy(b->slots, kept, sizeof kept);
    for (unsigned i = 0; i < native_slots(b); i++)
        if (b->slots[i].plane != NO_PLANE)
            b->slot_of[b->slots[i].plane] = (uint8_t)i;
    b->maybe_empty = false;
}

/* ---- IF ------------------------------------------------------------------------------------------------ */

/* Whether the sides of an IF run without a jump: few steps, and all machine code. */
bool eval_flow_is_short(const struct native_builder *b, uint32_t first)
{
    uint32_t steps = 0;

    for (uint32_t i = first + 1; i < b->block_end[first] - 1; i++) {
        const struct step *s = &b->x->steps[i];
        if (s->quick == STEP_NOTHING)
            continue;
        if (s->kind == STEP_ELSE)
            steps = 0;
        else if (!eval_native_inline(b, s) || ++steps > SHORT_SIDE)
            return false;
    }
    return true;
}

static void begin_section(struct native_builder *b, struct native_block *block)
{
    eval_flow_masks(b);
    if (!block->jumps) {
        b->maybe_empty = true;
        return;
    }
    eval_flow_remember(b, block);
    x86_gpr(&b->code, X86_TEST, false, FLOW_ACTIVE, FLOW_ACTIVE);
    x86_jump_chained(&b->code, X86_JZ, &block->leave);
    b->maybe_empty = false;
}

static void begin_if(struct native_builder *b, const struct step *s)
{
    struct x86_code *c = &b->code;
    struct native_block *block = &b->blocks[b->depth];

    eval_flow_count(b);
    eval_native_canonicalise(b);
    *block = (struct native_block){.jumps = !eval_flow_is_short(b, b->at), .was_maybe_empty = b->maybe_empty};
    eval_native_test(b, &s->test);
    x86_gpr_store(c, X86_MOV, false, FLOW_FRAMES, flow_restore(b->depth), FLOW_ACTIVE);
    x86_gpr(c, X86_GPR_AND, false, RAX, FLOW_ACTIVE);
    x86_gpr(c, X86_GPR_XOR, false, FLOW_ACTIVE, RAX);
    if (block->jumps)
        x86_gpr_store(c, X86_MOV, false, FLOW_FRAMES, flow_other(b->depth), FLOW_ACTIVE);
    else
        x86_gpr(c, X86_MOV, false, R9, FLOW_ACTIVE);    /* nothing in a short one takes it */
    x86_gpr(c, X86_MOV, false, FLOW_ACTIVE, RAX);
    b->depth++;
    begin_section(b, block);
}

void eval_flow_end(struct native_builder *b, const struct step *s)
{
    bool jumps = flow_innermost(b)->jumps;

    if (jumps)
        eval_flow_count(b);     /* not for those that came by a jump */
    eval_native_canonicalise(b);
    meet(b, flow_innermost(b));
    count(b, b->uncounted, s->counts);
    b->uncounted = 0;
}

static void begin_else(struct native_builder *b, const struct step *s)
{
    eval_flow_end(b, s);
    if (flow_innermost(b)->jumps)
        x86_gpr_load(&b->code, X86_MOV, false, FLOW_ACTIVE, FLOW_FRAMES, flow_other(b->depth - 1));
    else
        x86_gpr(&b->code, X86_MOV, false, FLOW_ACTIVE, R9);
    begin_section(b, flow_innermost(b));
}

static void end_if(struct native_builder *b, const struct step *s)
{
    struct native_block *block = flow_innermost(b);

    eval_flow_end(b, s);
    x86_gpr_load(&b->code, X86_MOV, false, FLOW_ACTIVE, FLOW_FRAMES, flow_restore(b->depth - 1));
    b->depth--;
    eval_flow_masks(b);
    b->maybe_empty = block->was_maybe_empty;
    if (block->left)
        eval_flow_leave_if_empty(b);
}

/* ---- calls ---------------------------------------------------------------------------------------------- */

void eval_flow_call(struct native_builder *b, uintptr_t function)
{
    static const uint8_t clear[] = {0xc5, 0xf8, 0x77};  /* vzeroupper */

    x86_bytes(&b->code, clear, sizeof clear);
    x86_gpr_set64(&b->code, RAX, function);
    x86_call(&b->code);
}

/* After a call nothing stands in the vectors' registers and masks. */
void eval_flow_set_up(struct native_builder *b)
{
    x86_gpr(&b->code, X86_MOV, true, RDI, FLOW_PLANES);
    eval_native_begin(b);
    eval_flow_masks(b);
}

/* ---- steps --------------------------------------------------------------------------------------------- */

bool eval_native_inline(const struct native_builder *b, const struct step *s)
{
    if (s->kind == STEP_WRITE)
        return eval_native_writes(b->x, s);
    return (s->kind == STEP_LANE || s->kind == STEP_RAW) && eval_native_is(b, s) &&
           !eval_native_is_wide_alone(b, s) &&
           (eval_native_mode(b, s) == FLOAT_ANY || eval_native_mode(b, s) == b->mode);
}

/* The machine does it, with its planes in memory. */
static void call_machine(struct native_builder *b, const struct step *s)
{
    eval_native_release(b);
    x86_gpr_store(&b->code, X86_MOV, false, FLOW_WARP, offsetof(struct warp, active), FLOW_ACTIVE);
    x86_gpr(&b->code, X86_MOV, true, RDI, FLOW_WARP);
    x86_gpr_set64(&b->code, RSI, (uintptr_t)s);
    eval_flow_call(b, (uintptr_t)eval_step_called);
    eval_flow_set_up(b);
}

/* Where the next step sets flags by the truth that this one makes, that is known. */
static void expect_flags(struct native_builder *b, const struct step *s)
{
    const struct step *next = s + 1, *end = b->x->steps + b->end;
    const struct write *out;

    b->truth = NO_PLANE;
    while (next < end && next->quick == STEP_NOTHING && !(next->kind >= STEP_IF && next->kind <= STEP_END))
        next++;
    if (next == end || next->kind != STEP_WRITE || next->quick == STEP_NOTHING)
        return;
    out = &b->x->writes[next->ref];
    if (out->cc_update && out->n == 1 && !type_table[out->flag_type].is_float &&
        eval_native_is_truth(b, s, out->flag_from[0]))
        b->truth = out->flag_from[0];
}

void eval_flow_translate(struct native_builder *b, const struct step *s)
{
    bool keeps_flags = s->kind == STEP_IF || s->kind == STEP_BRK || s->kind == STEP_CONT || s->quick == STEP_NOTHING ||
                       eval_native_inline(b, s);

    if (!keeps_flags)
        b->flags_known = 0;
    b->uncounted += s->kind == STEP_ELSE || s->kind == STEP_ENDIF || s->kind == STEP_ENDREP || s->kind == STEP_NEXT
                        ? 0 : s->counts;
    switch (s->kind) {
    case STEP_IF: begin_if(b, s); break;
    case STEP_ELSE: begin_else(b, s); break;
    case STEP_ENDIF: end_if(b, s); break;
    case STEP_REP: eval_flow_begin_loop(b, s); break;
    case STEP_NEXT: eval_flow_next_pass(b, s); break;
    case STEP_ENDREP: eval_flow_end_loop(b, s); break;
    case STEP_BRK: case STEP_CONT: eval_flow_leave_loop(b, s); break;
    default:
        if (s->quick == STEP_NOTHING)
            break;
        if (!eval_native_inline(b, s))
            call_machine(b, s);
        else if (s->kind == STEP_WRITE) {
            eval_native_write(b, s);
            b->truth = NO_PLANE;
        }
        else {
            expect_flags(b, s);
            eval_native_step(b, s);
        }
        break;
    }
}

size_t eval_native_flow(struct native_builder *b, uint32_t first)
{
    static const uint8_t enter[] = {0x53, 0x55, 0x41, 0x54, 0x41,
                                    0x55, 0x41, 0x56, 0x41, 0x57, /* push rbx rbp r12 to r15 */
                                    0x48, 0x83, 0xec, 0x08},      /* sub rsp, 8 */
        leave[] = {0x48, 0x83, 0xc4, 0x08, 0x41, 0x5f, 0x41, 0x5e, 0x41,
                   0x5d, 0x41, 0x5c, 0x5d, 0x5b, 0xc5, 0xf8, 0x77, 0xc3}; /* vzeroupper, ret */
    static const struct { uint8_t r, wide; size_t at; } kept[] = {
        {FLOW_ACTIVE, 0, offsetof(struct warp, active)}, {FLOW_EXECUTED, 1, offsetof(struct warp, executed)},
        {FLOW_LANES, 1, offsetof(struct warp, lanes)}};
    struct x86_code *c = &b->code;
    size_t start = c->size;

    b->masked = true;
    b->layout = c->avx2 ? LAYOUT_PART : LAYOUT_WHOLE;
    b->part = 0;
    c->halved = false;
    b->depth = b->uncounted = b->flags_known = 0;
    b->truth = NO_PLANE;
    b->maybe_empty = b->passing = false;
    b->failure = 0;
    x86_bytes(c, enter, sizeof enter);
    x86_gpr(c, X86_MOV, true, FLOW_PLANES, RDI);
    x86_gpr(c, X86_MOV, true, FLOW_WARP, RSI);
    x86_gpr(c, X86_MOV, true, FLOW_FRAMES, RDX);
    for (unsigned i = 0; i < 3; i++)
        x86_gpr_load(c, X86_MOV, kept[i].wide, kept[i].r, FLOW_WARP, kept[i].at);
    eval_flow_set_up(b);
    for (b->at = first; b->at < b->end; b->at++) {
        uint32_t end = c->avx2 ? eval_native_section(b) : b->at;
        if (end > b->at)
            b->at = end - 1;
        else
            eval_flow_translate(b, &b->x->steps[b->at]);
    }
    eval_flow_count(b);
    eval_native_release(b);
    x86_gpr_set(c, RAX, 0);
    x86_bind(c, &b->failure);
    for (unsigned i = 0; i < 3; i++)
        x86_gpr_store(c, X86_MOV, kept[i].wide, FLOW_WARP, kept[i].at, kept[i].r);
    x86_bytes(c, leave, sizeof leave);
    return start;
}
