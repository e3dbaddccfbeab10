/* Every subgroup instruction, type and pattern of lanes: the reference's answer, the evaluation of the instruction, and
 * the evaluation of what gp5 lower makes of it are one. cost: 5 */
#include "asm/program.h"
#include "tests/unit/eval/evaluate.h"
#include "tests/tools/lower_subject.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- comparison -------------------------------------------------------------------------------------------------- */

static void complain(const struct subject *s, const struct bench *b, unsigned group, unsigned lane, const char *who,
                     const uint32_t *got, uint64_t want)
{
    fail_msg("%s, %u lanes, group %u lane %u: %s gives %08x %08x %08x %08x, expected %016llx", s->text, b->warp, group,
             lane, who, got[0], got[1], got[2], got[3], (unsigned long long)want);
}

/* Operations with a width: as the hardware, which the second model of tests/oracle/shuffle_model.c holds; here the two
 * evaluations are held to each other and, within the text's formula, to the reference. */
static bool beyond_text(const struct subject *s, const struct lane_in *lane)
{
    return strchr(s->form->operands, 'W') && lane->index >= lane->width;
}

static void check_lane(struct bench *b, const struct subject *s, unsigned group, unsigned lane,
                       const struct expected *want)
{
    size_t at = ((size_t)group * LANES + lane) * OUT;
    const struct lane_in *in = &b->in[group * LANES + lane];
    bool pair = strchr(s->form->operands, 'W') != NULL, shadowed = false;
    uint32_t result = b->direct[at + 1];
    for (unsigned i = 0; i < OUT; i++)
        shadowed |= b->direct_shadow[at + i] != 0;
    if (!beyond_text(s, in) && shadowed != (want->reason[lane] != 0))
        fail_msg("%s, %u lanes, group %u lane %u: undefined %d, the reference says %s", s->text, b->warp, group, lane,
                 shadowed, gp5_subgroup_reason_text((enum gp5_subgroup_reason)want->reason[lane]));
    if (shadowed) {
        b->undefined++;
        return;
    }
    for (unsigned i = 0; i < OUT; i++)
        if (b->lowered_shadow[at + i])
            fail_msg("%s, %u lanes, group %u lane %u: the lowered program's word %u is undefined", s->text, b->warp,
                     group, lane, i);
    if (pair && !beyond_text(s, in) && (b->direct[at] != 0) != want->valid[lane])
        complain(s, b, group, lane, "the predicate", b->direct + at, want->valid[lane]);
    /* Bits that stand for one another: NaN. */
    for (unsigned i = 0; i < OUT; i++) {
        bool nan = s->kind->is_float && s->operation >= 0;
        uint32_t x = b->direct[at + i], y = b->lowered[at + i];
        if (s->kind->is_float && (s->op == GP5_SUBGROUP_DO_PARTITION || s->op == GP5_SUBGROUP_DO_ALL_EQUAL))
            break;          /* denormals may count as zeros or not, NaNs be alone or not: judged */
        if (nan && !subject_is_wide(s->kind) && (x & 0x7fffffff) > 0x7f800000 && (y & 0x7fffffff) > 0x7f800000)
            continue;
        if (nan && subject_is_wide(s->kind) && (b->direct[at + 1] & 0x7fffffff) >= 0x7ff80000 &&
            (b->lowered[at + 1] & 0x7fffffff) >= 0x7ff80000)
            continue;
        if (nan && !((x | y) & 0x7fffffff))
            continue;       /* zeros: MIN and MAX may give either */
        if (nan && s->kind->type == GP5_SUBGROUP_F32 && !(x & 0x7fffffff) && (y & 0x7fffffff) < 0x00800000)
            continue;       /* alone, a denormal stays as it is */
        if (x != y)
            complain(s, b, group, lane, "the lowered program", b->lowered + at, x);
    }
    if (!subject_is_extended(s, result))
        complain(s, b, group, lane, "a word that is no value of the type", b->direct + at, result);
    b->checked++;
}

static void check_side(struct bench *b, const struct subject *s, unsigned group, uint32_t side)
{
    const struct lane_in *warp = b->in + (size_t)group * LANES;
    struct gp5_subgroup sub = {.size = LANES, .lanes = b->warp, .count = 1};
    struct expected want, direct, lowered;
    uint8_t verdict[LANES];
    struct operands o;

    for (unsigned lane = 0; lane < b->warp; lane++)
        sub.active.word[0] |= (uint32_t)(warp[lane].side == side) << lane;
    if (!sub.active.word[0])
        return;
    memset(&want, 0, sizeof want);
    memset(&direct, 0, sizeof direct);
    memset(&lowered, 0, sizeof lowered);
    subject_put_operands(s, warp, &o);
    struct gp5_subgroup_result out = {subject_values_of(s, &want), want.reason, want.peer, want.valid};
    assert_true(gp5_subgroup_apply(s->op, &sub, &o.in, &out) <= GP5_SUBGROUP_UNDEFINED);
    for (unsigned lane = 0; lane < b->warp; lane++)
        if (sub.active.word[0] >> lane & 1) {
            size_t at = ((size_t)group * LANES + lane) * OUT;
            check_lane(b, s, group, lane, &want);
            subject_take_answer(s, b->direct + at, lane, &direct);
            subject_take_answer(s, b->lowered + at, lane, &lowered);
        }
    for (unsigned turn = 0; turn < 2; turn++) {
        gp5_subgroup_judge(s->op, &sub, &o.in, subject_values_of(s, turn ? &lowered : &direct), GP5_SUBGROUP_MAY_FLUSH,
                           verdict);
        for (unsigned lane = 0; lane < b->warp; lane++)
            if (sub.active.word[0] >> lane & 1 && !beyond_text(s, &warp[lane]) && verdict[lane] == GP5_SUBGROUP_WRONG)
                complain(s, b, group, lane, turn ? "(judged) the lowered program" : "(judged) the instruction",
                         (turn ? b->lowered : b->direct) + ((size_t)group * LANES + lane) * OUT,
                         subject_is_wide(s->kind) ? want.value[lane] : ((uint32_t *)subject_values_of(s, &want))[lane]);
    }
}

/* ---- runs -------------------------------------------------------------------------------------------------------- */

static void run(const char *text, const struct bench *b, uint32_t *out, uint32_t *shadow)
{
    struct gp5_run_options options = {.track_undefined = true, .warp = b->warp, .jobs = 1};
    struct gp5_report report;
    memset(out, 0, (size_t)GROUPS * LANES * OUT * 4);
    memset(shadow, 0, (size_t)GROUPS * LANES * OUT * 4);
    enum gp5_run_status status = evaluate(text, &options, GROUPS, (uint32_t *)b->in, (size_t)GROUPS * LANES * IN, out,
                                          (size_t)GROUPS * LANES * OUT, shadow, &report);
    if (status != GP5_RUN_OK)
        fail_msg("%s\n%s", report.message ? report.message : "it does not run", text);
    gp5_report_free(&report);
}

static char *lower(const char *text, unsigned flags)
{
    gp5_program *p = gp5_parse(text, strlen(text));
    char *message, *lowered;
    assert_non_null(p);
    lowered = gp5_lower(p, flags, NULL, &message);
    if (!lowered)
        fail_msg("%s\n%s", message ? message : "no memory", text);
    gp5_program_free(p);
    return lowered;
}

static void check_subject(struct bench *b, struct subject *s)
{
    static const unsigned warps[] = {32, 32, 13, 1};
    s->info = gp5_subgroup_info(s->op);
    subject_write_text(s);
    char *text = subject_program_text(s);
    for (unsigned flags = 0; flags < 2; flags++) {
        char *lowered = lower(text, flags ? GP5_LOWER_ALLOW_INTERNAL : 0);
        b->warp = warps[subject_random(b) % 4];
        for (unsigned group = 0; group < GROUPS; group++)
            subject_put_lanes(b, s, group);
        run(text, b, b->direct, b->direct_shadow);
        run(lowered, b, b->lowered, b->lowered_shadow);
        for (unsigned group = 0; group < GROUPS; group++)
            for (uint32_t side = 0; side < 3; side++)
                check_side(b, s, group, side);
        gp5_text_free(lowered);
        if (strcmp(s->form->name, "SGPART") && strcmp(s->form->name, "SGEQ"))
            break;
    }
    free(text);
}

static void open_bench(struct bench *b)
{
    memset(b, 0, sizeof *b);
    b->seed = 3;
    b->in = (struct lane_in *)evaluate_words((size_t)GROUPS * LANES * IN);
    b->direct = evaluate_words((size_t)GROUPS * LANES * OUT);
    b->lowered = evaluate_words((size_t)GROUPS * LANES * OUT);
    b->direct_shadow = evaluate_words((size_t)GROUPS * LANES * OUT);
    b->lowered_shadow = evaluate_words((size_t)GROUPS * LANES * OUT);
}

static void close_bench(struct bench *b)
{
    free(b->in);
    free(b->direct);
    free(b->lowered);
    free(b->direct_shadow);
    free(b->lowered_shadow);
}

static void check_clusters(struct bench *b, struct subject *s)
{
    bool clustered = strchr(s->form->operands, 'C') != NULL;
    for (s->cluster = clustered ? 1 : 0; s->cluster <= LANES; s->cluster *= 2) {
        check_subject(b, s);
        if (!clustered)
            return;
    }
}

static void check_kind(struct bench *b, const struct form *form, const struct kind *kind)
{
    struct subject s = {.form = form, .kind = kind, .operation = -1};
    if (!form->family) {
        s.op = gp5_subgroup_find(form->reference);
        check_clusters(b, &s);
        return;
    }
    for (s.operation = 0; s.operation < 7; s.operation++) {
        char name[64];
        snprintf(name, sizeof name, "%s%s", form->reference, subject_small_operations[s.operation]);
        s.op = gp5_subgroup_find(name);
        assert_int_not_equal(s.op, GP5_SUBGROUP_OP_COUNT);
        if (kind->is_float && s.operation >= 4)
            break;
        if (kind->group & TRUTHS && s.operation < 4)
            continue;
        check_clusters(b, &s);
    }
}

static void instructions(void **state)
{
    struct bench b;
    (void)state;
    open_bench(&b);
    enum { ROUNDS = 2 };
    for (size_t f = 0; f < ROUNDS * subject_form_count; f++)
        for (size_t k = 0; k < subject_kind_count; k++) {
            const struct form *form = &subject_forms[f % (subject_form_count)];
            if (form->types & subject_kinds[k].group && !(form->types & ONE && k > 0))
                check_kind(&b, form, &subject_kinds[k]);
        }
    print_message("%llu lanes compared, %llu undefined\n", (unsigned long long)b.checked,
                  (unsigned long long)b.undefined);
    assert_true(b.checked > 600000 && b.undefined > 30000);
    close_bench(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(instructions)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
