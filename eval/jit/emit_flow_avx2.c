/* IF and loops in machine code with AVX2, where a plane is four registers: planes stand in memory wherever flow goes,
 * and the steps between two such places are a section, which is done for eight lanes after another. Short ones are
 * written out for each part of the lanes, longer ones are a loop. */
#include "eval/jit/emit_flow.h"

enum { MOST_WRITTEN_OUT = 12, MOST_OF_SIDES = 16, PARTS = 4, PART_BYTES = 32 };

/* ---- flags --------------------------------------------------------------------------------------------- */

/* The bits of eight lanes in a register: eax where they are 0, edx where they are below 0, unless none can be; a NaN is
 * both. */
static void flags_of(struct native_builder *b, unsigned r, bool floats, enum native_sign sign)
{
    bool flush = b->x->options.semantics == GP5_SEMANTICS_NVIDIA;
    unsigned magnitude = NATIVE_TEMP, less = NATIVE_TEMP + 1, k = X86_AVX2_MASK + NATIVE_K;
    struct x86_place numbers = native_word(flush ? NATIVE_NORMALS : NATIVE_NUMBERS);
    struct x86_code *c = &b->code;

    if (sign != SIGN_OF_RESULT) {
        if (floats) {
            x86_vector(c, X86_AND, magnitude, r, x86_reg(NATIVE_NAN), 0, 0);
            r = magnitude;
        }
        x86_vector(c, X86_NONE, NATIVE_K, r, x86_reg(r), 0, 0);
        x86_avx2_signs(c, RAX, k);
        return;
    }
    if (floats && eval_native_compares_floats(b)) {
        x86_vector(c, X86_CMPPS, NATIVE_K, r, native_word(NATIVE_ZERO), 0, NATIVE_EQUAL_OR_NAN);
        x86_avx2_signs(c, RAX, k);
        x86_vector(c, X86_CMPPS, NATIVE_K, r, native_word(NATIVE_ZERO), 0, NATIVE_BELOW_OR_NAN);
        x86_avx2_signs(c, RDX, k);
        return;
    }
    x86_avx2_signs(c, RDX, r);
    if (!floats) {
        x86_vector(c, X86_NONE, NATIVE_K, r, x86_reg(r), 0, 0);
        x86_avx2_signs(c, RAX, k);
        return;
    }
    x86_vector(c, X86_AND, magnitude, r, x86_reg(NATIVE_NAN), 0, 0);
    x86_vector(c, X86_PSUB, less, magnitude, native_word(flush ? NATIVE_NORMAL : NATIVE_UNIT), 0, 0);
    x86_vector(c, X86_PCMPU, NATIVE_K, less, numbers, 0, 2);    /* a number, not 0 */
    x86_avx2_signs(c, RAX, k);
    x86_gpr(c, X86_GPR_AND, false, RDX, RAX);
    x86_gpr_xor_byte(c, RAX, 0xff);
    x86_vector(c, X86_PCMPU, NATIVE_K, magnitude, native_word(NATIVE_INFINITY), 0, 6);
    x86_avx2_signs(c, RSI, k);
    x86_gpr(c, X86_GPR_OR, false, RDX, RSI);
}

static void join(struct native_builder *b, unsigned part, unsigned to, unsigned from)
{
    if (part)
        x86_gpr_shl(&b->code, from, (uint8_t)(8 * part));
    x86_gpr(&b->code, part ? X86_GPR_OR : X86_MOV, false, to, from);
}

/* Those of one part come to the others in ecx and r8d. */
void eval_native_join_flags(struct native_builder *b, unsigned part)
{
    join(b, part, RCX, RAX);
    join(b, part, R8, RDX);
}

static void join_flags_of(struct native_builder *b, unsigned r, bool floats, enum native_sign sign, unsigned part)
{
    flags_of(b, r, floats, sign);
    join(b, part, RCX, RAX);
    if (sign == SIGN_OF_RESULT)
        join(b, part, R8, RDX);
    else if (!part)
        x86_gpr_set(&b->code, R8, 0);
}

void eval_native_flags_in_parts(struct native_builder *b, uint32_t plane, bool floats, enum native_sign sign)
{
    struct x86_place place = {X86_MEMORY, (uint32_t)(plane * WARP_LANES * sizeof(uint32_t))};

    x86_gpr(&b->code, X86_MOV, true, RDI, FLOW_PLANES);
    for (unsigned part = 0; part < PARTS; part++, place.at += PART_BYTES) {
        x86_vector(&b->code, X86_LOAD, NATIVE_OPERAND, 0, place, 0, 0);
        join_flags_of(b, NATIVE_OPERAND, floats, sign, part);
    }
}

/* Of a truth what is not 0 is below it. `sides`: the IF behind, whose sides' lanes become known by it; or NULL. */
static void flags_in_section(struct native_builder *b, const struct write *out, unsigned part,
                             const struct step *sides)
{
    bool floats = type_table[out->flag_type].is_float;
    struct native_value v;
    struct x86_place place;
    unsigned r;

    b->pinned = 0;
    v = eval_native_read(b, out->flag_from[0], false, floats);
    place = eval_native_place(b, &v, 0);
    r = eval_native_register(&b->code, &place, 0);
    if (b->truth == out->flag_from[0]) {
        x86_avx2_signs(&b->code, RDX, r);
        join(b, part, R8, RDX);
        if (sides)
            x86_vector(&b->code, X86_NONE, NATIVE_K, r, x86_reg(r), 0, 0);
    } else {
        join_flags_of(b, r, floats, eval_native_sign_of(b, out, 0), part);
    }
    if (sides)
        x86_avx2_sides(&b->code, sides->test.rule == CC_EQ);
}

/* ---- sections ------------------------------------------------------------------------------------------ */

/* Of the lanes in esi. */
void eval_native_copy_in_parts(struct native_builder *b, uint32_t from, uint32_t to)
{
    x86_gpr(&b->code, X86_MOV, true, RDI, FLOW_PLANES);
    x86_avx2_spread(&b->code, RSI, SPREAD_ALL);
    for (b->part = 0; b->part < PARTS; b->part++) {
        x86_avx2_part(&b->code, b->part, SPREAD_ALL);
        eval_native_copy_plane(b, from, to, false, true);
        eval_native_release(b);
    }
    b->part = 0;
}

static bool is_flow(const struct step *s)
{
    return s->kind >= STEP_IF && s->kind <= STEP_END;
}

static const struct write *write_of(const struct native_builder *b, const struct step *s)
{
    return s->kind == STEP_WRITE ? &b->x->writes[s->ref] : NULL;
}

/* Whether a step may be one of a section; one that sets flags ends it. */
static bool is_inside(const struct native_builder *b, const struct step *s)
{
    const struct write *out = write_of(b, s);

    if (is_flow(s) || eval_native_tables(b, s))
        return false;
    if (s->quick == STEP_NOTHING)
        return true;
    return eval_native_inline(b, s) &&
           (!out || (s->test.rule == CC_NONE && (!out->cc_update || (out->n == 1 && !out->carry))));
}

static bool sets_flags(const struct native_builder *b, const struct step *s)
{
    return s->quick != STEP_NOTHING && s->kind == STEP_WRITE && write_of(b, s)->cc_update;
}

/* Where the section that begins at step i ends, and how many of its steps do something. */
static uint32_t section_end(const struct native_builder *b, uint32_t i, uint32_t *steps)
{
    *steps = 0;
    while (i < b->end && is_inside(b, &b->x->steps[i])) {
        const struct step *s = &b->x->steps[i];
        bool flags = sets_flags(b, s);
        if (flags && *steps >= MOST_WRITTEN_OUT)
            break;
        *steps += s->quick != STEP_NOTHING;
        i++;
        if (flags)
            break;
    }
    return i;
}

static bool is_truth(const struct native_builder *b, uint32_t first, uint32_t write)
{
    const struct write *out = write_of(b, &b->x->steps[write]);
    uint32_t i = write;

    while (i > first && b->x->steps[i - 1].quick == STEP_NOTHING)
        i--;
    return i > first && eval_native_sign_of(b, out, 0) == SIGN_OF_RESULT && !type_table[out->flag_type].is_float &&
           eval_native_is_truth(b, &b->x->steps[i - 1], out->flag_from[0]);
}

/* The lanes of a side of an IF become those that steps are for: NaNs that are not canonical yet would be those of
 * other lanes. */
static void change_lanes(struct native_builder *b, enum x86_avx2_spread which, bool known)
{
    eval_native_canonicalise(b);
    if (known && which != SPREAD_ALL)
        x86_avx2_side(&b->code, which);
    else
        x86_avx2_part(&b->code, b->part, which);
}

/* `sides`: an IF among them whose sides' lanes the step before it says; or NULL. */
static void steps_of(struct native_builder *b, uint32_t end, unsigned part, const struct step *sides)
{
    uint32_t first = b->at;

    for (; b->at < end; b->at++) {
        const struct step *s = &b->x->steps[b->at];
        const struct write *out = write_of(b, s);
        if (s->kind == STEP_IF || s->kind == STEP_ELSE || s->kind == STEP_ENDIF) {
            if (b->section_end)
                eval_native_drop_local(b);
            change_lanes(b, s->kind == STEP_IF ? SPREAD_THEN : s->kind == STEP_ELSE ? SPREAD_ELSE : SPREAD_ALL,
                         sides != NULL);
            continue;
        }
        if (sets_flags(b, s))
            flags_in_section(b, out, part, sides);
        if (!out || out->registers)
            eval_native_step(b, s);
    }
    b->at--;
    eval_native_release(b);
    b->at = first;
}

/* The steps up to `end` for each part, and the flags that those up to `flags` end with. */
static void write_out(struct native_builder *b, uint32_t flags, uint32_t end, const struct step *sides)
{
    const struct write *out = sets_flags(b, &b->x->steps[flags - 1]) ? write_of(b, &b->x->steps[flags - 1]) : NULL;

    b->truth = out && is_truth(b, b->at, flags - 1) ? out->flag_from[0] : NO_PLANE;
    for (b->part = 0; b->part < PARTS; b->part++) {
        if (!b->sides || sides)
            x86_avx2_part(&b->code, b->part, SPREAD_ALL);
        steps_of(b, end, b->part, sides);
    }
    b->part = 0;
    if (out && b->truth != NO_PLANE) {
        x86_gpr(&b->code, X86_MOV, false, RCX, R8);
        x86_gpr_not(&b->code, RCX);
    }
    if (out)
        eval_native_put_flags(b, out, 0);
    b->truth = NO_PLANE;
}

/* ---- both sides of an IF at once ----------------------------------------------------------------------- */

/* An IF both of whose sides are short, and what stands behind it: where that ends, or 0 where it is nothing of the
 * kind. */
static uint32_t sides_end(const struct native_builder *b, uint32_t first)
{
    const struct step *steps = b->x->steps;
    uint32_t count = 0, more, i = first + 1, end;

    if (steps[first].kind != STEP_IF || b->tables || !eval_flow_is_short(b, first))
        return 0;
    for (; steps[i].kind != STEP_ENDIF; i++) {
        if (steps[i].kind != STEP_ELSE && (!is_inside(b, &steps[i]) || sets_flags(b, &steps[i])))
            return 0;
        count += steps[i].quick != STEP_NOTHING;
    }
    end = section_end(b, i + 1, &more);
    return count > MOST_OF_SIDES ? 0 : count + more > MOST_OF_SIDES ? i + 1 : end;
}

/* Which lanes are on which side of the IF at b->at, and what is counted. Whether there is an ELSE. */
static bool count_sides(struct native_builder *b, uint32_t end)
{
    uint32_t first = b->at;
    bool otherwise = false;

    for (; b->at < end; b->at++) {
        const struct step *s = &b->x->steps[b->at];
        if (s->kind == STEP_IF || s->kind == STEP_ELSE || s->kind == STEP_ENDIF)
            eval_flow_translate(b, s);
        else
            b->uncounted += s->counts;
        otherwise |= s->kind == STEP_ELSE;
    }
    b->at = first;
    return otherwise;
}

static void begin_written(struct native_builder *b)
{
    x86_gpr(&b->code, X86_MOV, true, RDI, FLOW_PLANES);
    x86_avx2_spread(&b->code, FLOW_ACTIVE, SPREAD_ALL);
}

static void write_sides(struct native_builder *b, uint32_t end)
{
    bool otherwise = count_sides(b, end);

    begin_written(b);
    if (otherwise)
        x86_avx2_spread(&b->code, R9, SPREAD_ELSE);
    x86_gpr(&b->code, X86_GPR_XOR, false, R9, FLOW_ACTIVE);
    x86_avx2_spread(&b->code, R9, SPREAD_THEN);
    b->sides = true;
    write_out(b, end, end, NULL);
    b->sides = false;
}

/* A section that ends with flags of integers, and an IF behind it that asks whether they are 0: the lanes of its sides
 * need not go by way of a general register. Where all of that ends, or 0. */
static uint32_t write_with_sides(struct native_builder *b, uint32_t flags)
{
    const struct step *steps = b->x->steps, *s;
    const struct write *out = write_of(b, &steps[flags - 1]);
    uint32_t at = flags, end, first = b->at;

    while (at < b->end && steps[at].quick == STEP_NOTHING && !is_flow(&steps[at]))
        at++;
    s = &steps[at];
    end = at < b->end ? sides_end(b, at) : 0;
    if (!end || sets_flags(b, &steps[end - 1]) || (s->test.rule != CC_EQ && s->test.rule != CC_NE) ||
        s->test.outcome != OUTCOME_TESTED || s->test.settled || s->test.cc != out->cc_update - 1 ||
        s->test.swizzle != out->comp[0] * 0x55 || type_table[out->flag_type].is_float)
        return 0;
    begin_written(b);
    b->sides = true;
    write_out(b, flags, end, s);
    b->sides = false;
    b->at = at;
    count_sides(b, end);
    b->at = first;
    return end;
}

/* ---- a section ----------------------------------------------------------------------------------------- */

static uint32_t write_section(struct native_builder *b, uint32_t end, uint32_t steps)
{
    uint32_t more;

    if (steps > MOST_WRITTEN_OUT) {
        eval_native_resume(b);
        steps_of(b, end, 0, NULL);
        eval_native_pause(b);
        return end;
    }
    more = sets_flags(b, &b->x->steps[end - 1]) ? write_with_sides(b, end) : 0;
    if (more)
        return more;
    begin_written(b);
    write_out(b, end, end, NULL);
    return end;
}

uint32_t eval_native_section(struct native_builder *b)
{
    const struct step *s = &b->x->steps[b->at];
    uint32_t steps, end = sides_end(b, b->at);

    if (end) {
        write_sides(b, end);
        return end;
    }
    if (eval_native_tables(b, s) && eval_native_inline(b, s)) {
        b->uncounted += s->counts;
        b->flags_known = 0;     /* it is looked up by these registers */
        x86_gpr(&b->code, X86_MOV, true, RDI, FLOW_PLANES);
        eval_native_step(b, s);
        eval_native_pause(b);
        return b->at + 1;
    }
    end = section_end(b, b->at, &steps);
    for (uint32_t i = b->at; i < end; i++)
        b->uncounted += b->x->steps[i].counts;
    if (!steps)
        return end;
    b->section = b->at;
    b->section_end = end;
    end = write_section(b, end, steps);
    b->section_end = 0;
    return end;
}
