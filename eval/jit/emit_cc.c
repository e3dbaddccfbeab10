/* Condition codes in machine code: an update puts bits of lanes into the warp's flags, and results are written under
 * tests of these (emit_test.c). */
#include "eval/jit/cc.h"

/* Masks of an update, by part: the first of two each. */
enum { ZERO = 3, SIGN = 5 };

/* ---- updates ------------------------------------------------------------------------------------------- */

static void compare(struct native_builder *b, unsigned k, unsigned v, enum native_word w, unsigned mask, uint8_t how)
{
    x86_vector(&b->code, X86_PCMPU, k, v, native_word(w), mask, how);
}

bool eval_native_compares_floats(const struct native_builder *b)
{
    return b->mode == (b->x->options.semantics == GP5_SEMANTICS_NVIDIA ? FLOAT_FLUSH : FLOAT_KEEP);
}

/* Masks of a part: where a float is 0 (a NaN as well), and where it is below 0 or NaN. */
static void float_masks(struct native_builder *b, unsigned part, unsigned r)
{
    bool flush = b->x->options.semantics == GP5_SEMANTICS_NVIDIA;
    unsigned zero = ZERO + part, sign = SIGN + part, magnitude = NATIVE_TEMP, less = NATIVE_TEMP + 1;

    if (eval_native_compares_floats(b)) {
        x86_vector(&b->code, X86_CMPPS, zero, r, native_word(NATIVE_ZERO), 0, NATIVE_EQUAL_OR_NAN);
        x86_vector(&b->code, X86_CMPPS, sign, r, native_word(NATIVE_ZERO), 0, NATIVE_BELOW_OR_NAN);
        return;
    }
    x86_vector(&b->code, X86_AND, magnitude, r, x86_reg(NATIVE_NAN), 0, 0);
    x86_vector(&b->code, X86_PSUB, less, magnitude, native_word(flush ? NATIVE_NORMAL : NATIVE_UNIT), 0, 0);
    compare(b, sign, less, flush ? NATIVE_NORMALS : NATIVE_NUMBERS, 0, 2);      /* a number, not 0 */
    compare(b, zero, less, flush ? NATIVE_NORMALS : NATIVE_NUMBERS, 0, 6);
    x86_vector(&b->code, X86_SOME, sign, r, native_word(NATIVE_SIGN_WORD), sign, 0);
    compare(b, NATIVE_SPARE, magnitude, NATIVE_INFINITY, 0, 6);
    x86_mask_or(&b->code, sign, sign, NATIVE_SPARE);
}

/* eax: the lanes of two masks. */
static void gather_lanes(struct native_builder *b, unsigned mask)
{
    x86_mask_to(&b->code, RAX, mask);
    x86_mask_to(&b->code, RCX, mask + 1);
    x86_gpr_shl(&b->code, RCX, 16);
    x86_gpr(&b->code, X86_GPR_OR, false, RAX, RCX);
}

/* The lanes' bits of a flag become those in eax. */
static void put_bits(struct native_builder *b, unsigned cc, enum native_flag f, unsigned component)
{
    size_t at = native_flag_at(cc, f, component);

    x86_gpr_load(&b->code, X86_GPR_XOR, false, RAX, R13, at);
    x86_gpr(&b->code, X86_GPR_AND, false, RAX, R12);
    x86_gpr_load(&b->code, X86_GPR_XOR, false, RAX, R13, at);
    x86_gpr_store(&b->code, X86_MOV, false, R13, at, RAX);
}

/* Z and S stay in registers for the test that mostly follows: those of the lanes that are active, which are fewer in a
 * test. */
static void put_flag(struct native_builder *b, unsigned cc, enum native_flag f, unsigned component)
{
    x86_gpr(&b->code, X86_MOV, false, native_flag_register(f), RAX);
    put_bits(b, cc, f, component);
    b->flags_known = native_known_flags(cc, component);
}

/* An update that counts none. */
static void clear_carries(struct native_builder *b, unsigned cc, unsigned component)
{
    if (!b->carries)
        return;
    x86_gpr(&b->code, X86_MOV, false, RAX, R12);
    x86_gpr_not(&b->code, RAX);
    x86_gpr_store(&b->code, X86_GPR_AND, false, R13, native_flag_at(cc, FLAG_O, component), RAX);
    x86_gpr_store(&b->code, X86_GPR_AND, false, R13, native_flag_at(cc, FLAG_C, component), RAX);
}

/* Whether the step at hand finds a word with known zeros in its sign: AND with a constant made it. */
static bool has_no_sign(const struct native_builder *b, uint32_t plane)
{
    uint32_t at = eval_native_last_write(&b->uses, plane, b->at);
    const struct step *s = &b->x->steps[at == NO_STEP ? 0 : at];
    unsigned i = 0;

    /* in the same section: nothing else leads here */
    if (at == NO_STEP || at + 4 < b->at || (s->kind != STEP_RAW && s->kind != STEP_LANE) ||
        b->x->tracks[s->ref].op != OP_AND)
        return false;
    for (uint32_t k = at + 1; k <= b->at; k++)
        if (b->landing[k] & LANDING)
            return false;
    while (i < s->op->n && s->op->dst[i] != plane)
        i++;
    for (unsigned k = 0; k < 2 && i < s->op->n; k++) {
        uint32_t known = b->constant[s->op->src[k][i]];
        if (known && !(b->x->constants[known - 1].word >> 31))
            return true;
    }
    return false;
}

enum native_sign eval_native_sign_of(const struct native_builder *b, const struct write *out, unsigned i)
{
    unsigned c = out->comp[i];
    bool word = !type_table[out->flag_type].is_float && !out->wide;

    if (out->answers.signless >> c & 1)
        return NO_SIGN_AT_ALL;
    return (out->answers.positive >> c & 1 && !type_table[out->flag_type].is_float) ||
                   (word && has_no_sign(b, out->flag_from[i])) ? NEVER_BELOW_ZERO : SIGN_OF_RESULT;
}

/* Carry and overflow, if they are counted: of AVX-512 in masks, of AVX2 in ecx and r8d. */
static void put_carries(struct native_builder *b, const struct write *out, unsigned i)
{
    unsigned cc = out->cc_update - 1u, component = out->comp[i];

    if (!out->carry) {
        clear_carries(b, cc, component);
        return;
    }
    eval_native_carries(b, out, i, ZERO, SIGN);
    if (b->code.avx2)
        x86_gpr(&b->code, X86_MOV, false, RAX, RCX);
    else
        gather_lanes(b, ZERO);
    put_bits(b, cc, FLAG_C, component);
    if (b->code.avx2)
        x86_gpr(&b->code, X86_MOV, false, RAX, R8);
    else
        gather_lanes(b, SIGN);
    put_bits(b, cc, FLAG_O, component);
}

/* Masks of both halves. */
static void flags_of_halves(struct native_builder *b, uint32_t plane, bool floats, enum native_sign sign)
{
    struct native_value v;

    b->pinned = 0;
    v = eval_native_read(b, plane, false, floats);
    for (unsigned h = 0; h < 2; h++) {
        struct x86_place place = eval_native_place(b, &v, h);
        unsigned r = eval_native_register(&b->code, &place, 0);
        if (floats && sign == NO_SIGN_AT_ALL) {
            x86_vector(&b->code, X86_AND, NATIVE_TEMP, r, x86_reg(NATIVE_NAN), 0, 0);
            x86_vector(&b->code, X86_NONE, ZERO + h, NATIVE_TEMP, x86_reg(NATIVE_TEMP), 0, 0);
        } else if (floats) {
            float_masks(b, h, r);
        } else {
            x86_vector(&b->code, X86_NONE, ZERO + h, r, x86_reg(r), 0, 0);
            if (sign == SIGN_OF_RESULT)
                x86_vector(&b->code, X86_SIGNS, SIGN + h, 0, x86_reg(r), 0, 0);
        }
    }
}

/* The lanes' bits of a flag become this. */
static void set_flag(struct native_builder *b, unsigned cc, enum native_flag f, unsigned component, bool value)
{
    x86_gpr(&b->code, X86_MOV, false, RAX, R12);
    if (!value)
        x86_gpr_not(&b->code, RAX);
    x86_gpr_store(&b->code, value ? X86_GPR_OR : X86_GPR_AND, false, R13, native_flag_at(cc, f, component), RAX);
}

/* Without those that compare planes, which are left to the machine. */
static void put_answers(struct native_builder *b, const struct write *out, unsigned i)
{
    const struct write_answers *a = &out->answers;
    unsigned cc = out->cc_update - 1, c = out->comp[i];

    if (!b->x->answers)
        return;
    set_flag(b, cc, FLAG_NOT_BELOW, c, a->not_below >> c & 1);
    set_flag(b, cc, FLAG_NO_SIGN, c, a->no_sign >> c & 1);
    set_flag(b, cc, FLAG_ABOVE, c, false);
    set_flag(b, cc, FLAG_BELOW, c, false);
    set_flag(b, cc, FLAG_OTHER_CARRY, c, false);
    set_flag(b, cc, FLAG_OTHER_OVERFLOW, c, false);
    set_flag(b, cc, FLAG_OTHER_ABOVE, c, false);
}

/* With AVX2, of what stands in ecx and r8d. */
void eval_native_put_flags(struct native_builder *b, const struct write *out, unsigned i)
{
    x86_gpr(&b->code, X86_MOV, false, RAX, RCX);
    put_flag(b, out->cc_update - 1u, FLAG_Z, out->comp[i]);
    x86_gpr(&b->code, X86_MOV, false, RAX, R8);
    put_flag(b, out->cc_update - 1u, FLAG_S, out->comp[i]);
    put_carries(b, out, i);
    put_answers(b, out, i);
}

static void update(struct native_builder *b, const struct write *out)
{
    bool floats = type_table[out->flag_type].is_float;
    unsigned cc = out->cc_update - 1;

    for (unsigned i = 0; i < out->n; i++) {
        enum native_sign sign = eval_native_sign_of(b, out, i);
        if (b->code.avx2) {
            eval_native_flags_in_parts(b, out->flag_from[i], floats, sign);
            eval_native_put_flags(b, out, i);
            continue;
        }
        if (b->truth == out->flag_from[i] && sign == SIGN_OF_RESULT) {
            gather_lanes(b, NATIVE_TRUTH);
            x86_gpr(&b->code, X86_MOV, false, RDX, RAX);
            put_flag(b, cc, FLAG_S, out->comp[i]);
            x86_gpr(&b->code, X86_MOV, false, RAX, RDX);
            x86_gpr_not(&b->code, RAX);
            put_flag(b, cc, FLAG_Z, out->comp[i]);
        } else {
            flags_of_halves(b, out->flag_from[i], floats, sign);
            gather_lanes(b, ZERO);
            put_flag(b, cc, FLAG_Z, out->comp[i]);
            if (sign == SIGN_OF_RESULT)
                gather_lanes(b, SIGN);
            else
                x86_gpr_set(&b->code, RAX, 0);
            put_flag(b, cc, FLAG_S, out->comp[i]);
        }
        put_carries(b, out, i);
        put_answers(b, out, i);
    }
}

/* ---- writes -------------------------------------------------------------------------------------------- */

/* A plane under the lanes in eax that are active. */
static void write_lanes(struct native_builder *b, uint32_t from, uint32_t to)
{
    struct native_value v;
    unsigned d;

    b->pinned = 0;
    x86_gpr(&b->code, X86_GPR_AND, false, RAX, R12);
    if (b->code.avx2) {
        x86_gpr(&b->code, X86_MOV, false, RSI, RAX);
        eval_native_copy_in_parts(b, from, to);
        return;
    }
    v = eval_native_read(b, from, false, false);
    d = eval_native_result(b, to, false, false, true);
    x86_mask_from(&b->code, NATIVE_K, RAX);
    x86_mask_high(&b->code, NATIVE_K + 1, NATIVE_K);
    for (unsigned h = 0; h < 2; h++) {
        struct x86_place place = eval_native_place(b, &v, h);
        x86_vector(&b->code, place.kind == X86_SPREAD ? X86_BROADCAST : X86_LOAD, native_part(b, d, h), 0, place,
                   NATIVE_K + h, 0);
    }
    b->slots[d].dirty = true;
}

static void write_component(struct native_builder *b, const struct write *out, unsigned i)
{
    write_lanes(b, out->from[i], out->to[i]);
    if (out->wide)
        write_lanes(b, out->from[i] + 1, out->to[i] + 1);
}

/* Flags and results of one component for the lanes that pass a test of the flags before: those are the active ones
 * meanwhile. */
static void update_some(struct native_builder *b, const struct step *s, const struct write *out)
{
    static const uint8_t keep[] = {0x41, 0x54, 0x41, 0x54},
                         restore[] = {0x41, 0x5c, 0x41, 0x5c}; /* push r12, twice; pop */

    eval_native_test_component(b, &s->test, out->comp[0]);
    x86_bytes(&b->code, keep, sizeof keep);
    x86_gpr(&b->code, X86_GPR_AND, false, R12, RAX);
    update(b, out);
    x86_gpr(&b->code, X86_MOV, false, RAX, R12);
    if (out->registers)
        write_component(b, out, 0);
    x86_bytes(&b->code, restore, sizeof restore);
    b->flags_known = 0;
}

/* Writes with tests and flags; 64-bit ones of these are left to the machine, and flags of several components under
 * tests of them. */
bool eval_native_writes(const struct gp5_executable *x, const struct step *s)
{
    const struct write *out = &x->writes[s->ref];
    const struct write_answers *a = &out->answers;

    if (out->index != NO_PLANE)
        return false;
    if (!out->cc_update)
        return true;
    for (unsigned i = 0; i < out->n; i++)
        if (a->more[i] != NO_PLANE || a->less[i] != NO_PLANE || a->zero[i])
            return false;
    return type_table[out->flag_type].bytes != 8 && (s->test.rule == CC_NONE || out->n == 1) &&
           (!out->carry || eval_native_has_carries(x, out));
}

bool eval_native_has_flags(const struct gp5_executable *x, const struct step *s)
{
    return s->kind == STEP_WRITE && s->quick != STEP_NOTHING && eval_native_writes(x, s) &&
           (s->test.rule != CC_NONE || x->writes[s->ref].cc_update);
}

void eval_native_write(struct native_builder *b, const struct step *s)
{
    const struct write *out = &b->x->writes[s->ref];

    if (out->cc_update && s->test.rule != CC_NONE) {
        eval_native_canonicalise(b);
        update_some(b, s, out);
        return;
    }
    if (out->cc_update)
        update(b, out);
    if (!out->registers)
        return;
    if (s->test.rule == CC_NONE) {
        if (b->code.avx2)
            eval_native_resume(b);
        eval_native_step(b, s);
        if (b->code.avx2)
            eval_native_pause(b);
        return;
    }
    eval_native_canonicalise(b);    /* lanes that are not written, and are active, may keep no other NaN */
    for (unsigned i = 0; i < out->n; i++) {
        eval_native_test_component(b, &s->test, out->comp[i]);
        write_component(b, out, i);
    }
}
