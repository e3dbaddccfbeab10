/* The exchanges between lanes against a second model: every clamp, segment and index, and random ones
 * under random active masks. */
#include "tests/unit/eval/evaluate.h"
#include "tests/oracle/shuffle_model.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char *const names[] = {"SHFUP", "SHFDOWN", "SHFIDX", "SHFXOR"};
static const char *const types[] = {"U", "S", "F"};
static const uint32_t truths[] = {0xffffffff, 0xffffffff, 0x3f800000};

/* Every lane reads value, index, mask and whether it takes part; it writes predicate and value. */
static const char text[] =
    "!!NVcp5.0\n"
    "OPTION NV_shader_storage_buffer;\n"
    "OPTION NV_shader_thread_group;\n"
    "OPTION NV_shader_thread_shuffle;\n"
    "GROUP_SIZE 32;\n"
    "STORAGE in[] = { program.storage[0] };\n"
    "STORAGE out[] = { program.storage[1] };\n"
    "TEMP a, i, r;\n"
    "MUL.U i.x, invocation.globalid.x, {16, 0, 0, 0};\n"
    "MUL.U i.y, invocation.globalid.x, {8, 0, 0, 0}.x;\n"
    "LDB.U32X4 a, in[i.x];\n"
    "MOV.U r, {0xdeadbeef, 0xdeadbeef, 0, 0};\n"
    "SNE.U.CC i.z, a.w, {0, 0, 0, 0}.x;\n"
    "IF NE.z;\n"
    "%s.%s r.xy, a.x, a.y, a.z;\n"
    "ENDIF;\n"
    "STB.U32X2 r, out[i.y];\n"
    "END\n";

struct lane_input { uint32_t value, index, mask, active; };
struct lane_output { uint32_t predicate, value; };

struct sweep {
    struct prepared prepared;
    struct gp5_run_options options;
    enum model_shuffle op;
    unsigned type;
    uint32_t warps;
    struct lane_input *in;
    struct lane_output *out;
    uint32_t *undefined;
    uint64_t checked, undefined_seen;
};

static void start(struct sweep *s, enum model_shuffle op, unsigned type, uint32_t warps, bool track)
{
    char program[2048];

    memset(s, 0, sizeof *s);
    s->op = op;
    s->type = type;
    s->warps = warps;
    s->options = (struct gp5_run_options){.track_undefined = track};
    snprintf(program, sizeof program, text, names[op], types[type]);
    assert_true(evaluate_prepare(&s->prepared, program, &s->options, eval_best_level()));
    s->in = (struct lane_input *)evaluate_words((size_t)warps * 32 * 4);
    s->out = (struct lane_output *)evaluate_words((size_t)warps * 32 * 2);
    s->undefined = track ? evaluate_words((size_t)warps * 32 * 2) : NULL;
}

static void finish(struct sweep *s)
{
    evaluate_free(&s->prepared);
    free(s->in);
    free(s->out);
    free(s->undefined);
}

static void check_lane(struct sweep *s, uint32_t warp, unsigned lane, const uint32_t value[32], uint32_t active)
{
    const struct lane_input *in = &s->in[warp * 32 + lane];
    const struct lane_output *out = &s->out[warp * 32 + lane];
    struct model_result want = model_shuffle(s->op, lane, value, in->index, in->mask, active);
    uint32_t predicate = want.predicate ? truths[s->type] : 0;

    if (!in->active) {
        predicate = want.value = 0xdeadbeef;
        want.undefined = false;
    }
    if (out->predicate != predicate || out->value != want.value)
        fail_msg("%s.%s index 0x%x mask 0x%x active 0x%08x lane %u: got 0x%08x 0x%08x, expected 0x%08x 0x%08x",
                 names[s->op], types[s->type], in->index, in->mask, active, lane, out->predicate, out->value, predicate,
                 want.value);
    s->checked++;
    if (!s->undefined)
        return;
    s->undefined_seen += want.undefined;
    if ((s->undefined[(warp * 32 + lane) * 2 + 1] != 0) != want.undefined || s->undefined[(warp * 32 + lane) * 2])
        fail_msg("%s index 0x%x mask 0x%x active 0x%08x lane %u: undefined should be %d", names[s->op], in->index,
                 in->mask, active, lane, want.undefined);
}

static void run(struct sweep *s)
{
    struct gp5_buffer storage[2] = {{0, (uint8_t *)s->in, (size_t)s->warps * 32 * sizeof *s->in, NULL},
                                    {1, (uint8_t *)s->out, (size_t)s->warps * 32 * sizeof *s->out, s->undefined}};
    struct gp5_launch launch = {.groups = {s->warps, 1, 1}, .storage = storage, .nstorage = 2};
    struct gp5_report report;

    assert_int_equal(gp5_execute(s->prepared.executable, &launch, &s->options, &report), GP5_RUN_OK);
    gp5_report_free(&report);
    for (uint32_t warp = 0; warp < s->warps; warp++) {
        uint32_t value[32], active = 0;
        for (unsigned lane = 0; lane < 32; lane++) {
            value[lane] = s->in[warp * 32 + lane].value;
            active |= (uint32_t)(s->in[warp * 32 + lane].active != 0) << lane;
        }
        for (unsigned lane = 0; lane < 32; lane++)
            check_lane(s, warp, lane, value, active);
    }
}

/* All 32 x 32 clamps and segments, indices 0 to 63, the whole warp active. */
static void all_masks(enum model_shuffle op)
{
    struct sweep s;
    uint64_t random = 1;

    start(&s, op, 0, 64 * 64, false);
    for (unsigned pair = 0; pair < 1024; pair += 64) {
        for (uint32_t warp = 0; warp < s.warps; warp++)
            for (unsigned lane = 0; lane < 32; lane++) {
                unsigned which = pair + warp / 64;
                s.in[warp * 32 + lane] = (struct lane_input){evaluate_random(&random), warp % 64,
                                                             (which & 31) | which >> 5 << 8, 1};
            }
        run(&s);
    }
    assert_int_equal(s.checked, 1024 * 64 * 32);
    finish(&s);
}

static void test_up(void **state) { (void)state; all_masks(MODEL_UP); }
static void test_down(void **state) { (void)state; all_masks(MODEL_DOWN); }
static void test_idx(void **state) { (void)state; all_masks(MODEL_IDX); }
static void test_xor(void **state) { (void)state; all_masks(MODEL_XOR); }

/* Random words for index and mask, lane by lane, under random active masks, with the undefined lanes
 * reported. */
static void test_random(void **state)
{
    uint64_t random = 2;

    (void)state;
    for (unsigned op = 0; op < 4; op++)
        for (unsigned type = 0; type < 3; type++) {
            struct sweep s;
            start(&s, (enum model_shuffle)op, type, 1024, true);
            for (uint32_t warp = 0; warp < s.warps; warp++) {
                uint32_t active = evaluate_random(&random) | (warp % 4 == 0 ? 0xffffffff : warp % 4 == 1 ? 0xffff : 0);
                for (unsigned lane = 0; lane < 32; lane++)
                    s.in[warp * 32 + lane] = (struct lane_input){evaluate_random(&random), evaluate_random(&random),
                                                                 evaluate_random(&random), active >> lane & 1};
            }
            run(&s);
            assert_int_equal(s.checked, 1024 * 32);
            assert_true(s.undefined_seen > 100);
            finish(&s);
        }
}

/* ---- votes and matches --------------------------------------------------------------------------------- */

static const char vote_text[] =
    "!!NVcp5.0\n"
    "OPTION NV_shader_storage_buffer;\n"
    "OPTION NV_shader_thread_group;\n"
    "OPTION NV_internal;\n"
    "GROUP_SIZE 32;\n"
    "STORAGE in[] = { program.storage[0] };\n"
    "STORAGE out[] = { program.storage[1] };\n"
    "TEMP a, i, r;\n"
    "MUL.U i.x, invocation.globalid.x, {8, 0, 0, 0};\n"
    "MUL.U i.y, invocation.globalid.x, {4, 0, 0, 0}.x;\n"
    "LDB.U32X2 a, in[i.x];\n"
    "MOV.U r, 0xdeadbeef;\n"
    "SNE.U.CC i.z, a.y, {0, 0, 0, 0}.x;\n"
    "IF NE.z;\n"
    "%s, a.x;\n"
    "ENDIF;\n"
    "STB.U32 r.%c, out[i.y];\n"
    "END\n";

static bool counts(uint32_t word, bool as_float)
{
    uint32_t magnitude = word & 0x7fffffff;

    return as_float ? magnitude >= 0x00800000 && magnitude <= 0x7f800000 : word != 0;
}

static bool same(uint32_t a, uint32_t b)
{
    return a == b;
}

/* What one lane gets, from all lanes' words. */
static uint32_t vote(const char *op, const uint32_t *word, uint32_t active, unsigned lane)
{
    bool as_float = strchr(op, 'F') != NULL;
    uint32_t yes = as_float ? 0x3f800000 : 0xffffffff, set = 0, equal = 0;

    for (unsigned i = 0; i < 32; i++)
        if (active >> i & 1) {
            set |= (uint32_t)counts(word[i], as_float) << i;
            equal |= (uint32_t)same(word[i], word[lane]) << i;
        }
    if (!strncmp(op, "TGBALLOT", 8))
        return set;
    if (!strncmp(op, "TGALL", 5))
        return set == active ? yes : 0;
    if (!strncmp(op, "TGANY", 5))
        return set ? yes : 0;
    if (!strncmp(op, "TGEQ", 4))
        return set == 0 || set == active ? yes : 0;
    if (!strncmp(op, "MATCH.ANY.U", 11))
        return equal;
    return equal != active ? 0 : strstr(op, "r.y") ? active : UINT32_MAX;
}

static void test_votes(void **state)
{
    static const char *const ops[] = {"TGBALLOT.U r.x", "TGBALLOT.S r.x", "TGBALLOT.F r.x", "TGALL.U r.x",
     "TGALL.S r.x", "TGALL.F r.x", "TGANY.U r.x", "TGANY.S r.x",
                                      "TGANY.F r.x", "TGEQ.U r.x", "TGEQ.S r.x", "TGEQ.F r.x", "MATCH.ANY.U r.x",
                                      "MATCH.ALL.U r.x", "MATCH.ALL.U r.y"};
    static const uint32_t words[] = {0, 0x80000000, 1, 0x007fffff, 0x3f800000, 0x7f800000, 0x7fc00000, 0xffffffff, 0, 0,
     1, 1};
    enum { WARPS = 512 };
    uint32_t *in = evaluate_words(WARPS * 64), *out = evaluate_words(WARPS * 32);
    uint64_t random = 3;

    (void)state;
    for (unsigned op = 0; op < sizeof ops / sizeof *ops; op++) {
        struct gp5_run_options options = {.jobs = 1};
        struct gp5_report report;
        char program[2048];
        snprintf(program, sizeof program, vote_text, ops[op], strrchr(ops[op], '.')[1]);
        for (uint32_t warp = 0; warp < WARPS; warp++) {
            uint32_t pool = evaluate_random(&random), active = evaluate_random(&random);
            for (unsigned lane = 0; lane < 32; lane++) {
                unsigned n = warp % 3 == 0 ? 12 : 2;    /* few different words, so that matches and unanimity occur */
                in[(warp * 32 + lane) * 2] = words[(pool + (warp % 3 == 1 ? 0 : evaluate_random(&random) % n)) % 12];
                in[(warp * 32 + lane) * 2 + 1] = warp % 2 ? active >> lane & 1 : 1;
            }
        }
        assert_int_equal(evaluate(program, &options, WARPS, in, WARPS * 64, out, WARPS * 32, NULL, &report),
                         GP5_RUN_OK);
        gp5_report_free(&report);
        for (uint32_t warp = 0; warp < WARPS; warp++) {
            uint32_t word[32], active = 0;
            for (unsigned lane = 0; lane < 32; lane++) {
                word[lane] = in[(warp * 32 + lane) * 2];
                active |= (in[(warp * 32 + lane) * 2 + 1] & 1) << lane;
            }
            for (unsigned lane = 0; lane < 32; lane++) {
                uint32_t want = active >> lane & 1 ? vote(ops[op], word, active, lane) : 0xdeadbeef;
                if (out[warp * 32 + lane] != want)
                    fail_msg("%s warp %u lane %u: got 0x%08x, expected 0x%08x", ops[op], warp, lane,
                             out[warp * 32 + lane], want);
            }
        }
    }
    free(in);
    free(out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_up), cmocka_unit_test(test_down), cmocka_unit_test(test_idx), cmocka_unit_test(test_xor),
        cmocka_unit_test(test_random), cmocka_unit_test(test_votes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
