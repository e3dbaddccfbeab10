/* Every subgroup instruction, type and pattern of lanes: the reference's answer, the evaluation of the instruction, and the
 * evaluation of what gp5 lower makes of it are one. */
#include "asm/program.h"
#include "tests/evaluate.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- the instructions ---------------------------------------------------------------------------------------------- */

enum { WORDS = 1, WIDES = 2, HALVES = 4, INTEGERS = 8, ONE = 16, BOOLEAN = 32 };

/* The operands: V value, I index, B ballot, W width, none; C a cluster. */
struct form {
    const char *name, *operands;
    const char *reference;      /* its name; of a family the one without the operation */
    unsigned types;
    bool family;
    uint32_t index_limit;       /* of random indices; 0: the same in all lanes, below 32 */
};

static const struct form forms[] = {
    {"SGELECT", "", "elect", INTEGERS | ONE, false, 0},
    {"SGALL", "V", "all", WORDS | BOOLEAN, false, 0},
    {"SGANY", "V", "any", WORDS | BOOLEAN, false, 0},
    {"SGEQ", "V", "all_equal", WORDS | WIDES | BOOLEAN, false, 0},
    {"SGBCAST", "VI", "broadcast", WORDS | WIDES | HALVES, false, 0},
    {"SGFIRST", "V", "broadcast_first", WORDS | WIDES | HALVES, false, 0},
    {"SGBALLOT", "V", "ballot", WORDS | BOOLEAN, false, 0},
    {"SGBBIT", "BI", "ballot_bit_extract", INTEGERS | ONE, false, 32},
    {"SGBCNT", "B", "ballot_bit_count", INTEGERS | ONE, false, 0},
    {"SGBCNTI", "B", "ballot_inclusive_bit_count", INTEGERS | ONE, false, 0},
    {"SGBCNTX", "B", "ballot_exclusive_bit_count", INTEGERS | ONE, false, 0},
    {"SGBLSB", "B", "ballot_find_lsb", INTEGERS | ONE, false, 0},
    {"SGBMSB", "B", "ballot_find_msb", INTEGERS | ONE, false, 0},
    {"SGPART", "V", "partition", WORDS | WIDES, false, 0},
    {"SGRED", "V", "", WORDS | WIDES | HALVES, true, 0},
    {"SGISCAN", "V", "inclusive_", WORDS | WIDES | HALVES, true, 0},
    {"SGXSCAN", "V", "exclusive_", WORDS | WIDES | HALVES, true, 0},
    {"SGREDC", "VC", "clustered_", WORDS | WIDES | HALVES, true, 0},
    {"SGREDP", "VB", "partitioned_", WORDS | WIDES | HALVES, true, 0},
    {"SGISCANP", "VB", "partitioned_inclusive_", WORDS | WIDES | HALVES, true, 0},
    {"SGXSCANP", "VB", "partitioned_exclusive_", WORDS | WIDES | HALVES, true, 0},
    {"SGSHFIDX", "VI", "shuffle", WORDS | WIDES | HALVES, false, 40},
    {"SGSHFXOR", "VI", "shuffle_xor", WORDS | WIDES | HALVES, false, 40},
    {"SGSHFUP", "VI", "shuffle_up", WORDS | WIDES | HALVES, false, 40},
    {"SGSHFDN", "VI", "shuffle_down", WORDS | WIDES | HALVES, false, 40},
    {"SGROT", "VI", "rotate", WORDS | WIDES | HALVES, false, 0},
    {"SGROTC", "VIC", "clustered_rotate", WORDS | WIDES | HALVES, false, 0},
    {"SGQBCAST", "VI", "quad_broadcast", WORDS | WIDES | HALVES, false, 4},
    {"SGQSWAPH", "V", "quad_swap_horizontal", WORDS | WIDES | HALVES, false, 0},
    {"SGQSWAPV", "V", "quad_swap_vertical", WORDS | WIDES | HALVES, false, 0},
    {"SGQSWAPD", "V", "quad_swap_diagonal", WORDS | WIDES | HALVES, false, 0},
    {"SGNVIDX", "VIW", "shuffle_nv", WORDS, false, 32},
    {"SGNVUP", "VIW", "shuffle_up_nv", WORDS, false, 32},
    {"SGNVDOWN", "VIW", "shuffle_down_nv", WORDS, false, 32},
    {"SGNVXOR", "VIW", "shuffle_xor_nv", WORDS, false, 32},
};

struct kind {
    const char *name;
    unsigned group;
    enum gp5_subgroup_type type;
    bool is_float;
};

static const struct kind kinds[] = {
    {"U", WORDS | INTEGERS, GP5_SUBGROUP_U32, false},  {"S", WORDS | INTEGERS, GP5_SUBGROUP_I32, false},
    {"F", WORDS, GP5_SUBGROUP_F32, true},              {"U64", WIDES, GP5_SUBGROUP_U64, false},
    {"S64", WIDES, GP5_SUBGROUP_I64, false},           {"F64", WIDES, GP5_SUBGROUP_F64, true},
    {"F16", HALVES, GP5_SUBGROUP_F16, true},
};

static const char *const operations[] = {"ADD", "MUL", "MIN", "MAX", "AND", "OR", "XOR"};
static const char *const small_operations[] = {"add", "mul", "min", "max", "and", "or", "xor"};

/* One instruction. */
struct subject {
    const struct form *form;
    const struct kind *kind;
    int operation;              /* -1: none */
    unsigned cluster;
    enum gp5_subgroup_op op;
    const struct gp5_subgroup_info *info;
    char text[120];
};

/* ---- lanes ---------------------------------------------------------------------------------------------------------- */

enum { LANES = 32, IN = 8, OUT = 4, GROUPS = 24 };

/* What a lane reads: the value, index, ballot, width, and two bits that say where it takes part. */
struct lane_in { uint32_t value[2], index, ballot, width, side, unused[2]; };

struct bench {
    struct lane_in *in;
    uint32_t *direct, *lowered, *direct_shadow, *lowered_shadow;
    uint64_t seed;
    unsigned warp;              /* lanes that exist */
    uint64_t checked, undefined;
};

static uint32_t random_word(struct bench *b)
{
    return evaluate_random(&b->seed);
}

static uint32_t float_word(struct bench *b, unsigned flavour)
{
    static const uint32_t nasty[] = {0x7fc00000, 0x7f800000, 0xff800000, 0x80000000, 0, 0x00000001, 0x3f800000, 0x7f7fffff};
    uint32_t word = random_word(b);
    float f = (float)(int)(word % 17) - 8;
    if (flavour == 2)
        return nasty[word % 8];
    if (flavour == 1)
        f = (float)((int)word) / 1048576.0f;
    memcpy(&word, &f, sizeof word);
    return word;
}

static void put_value(struct bench *b, const struct kind *kind, unsigned flavour, struct lane_in *lane)
{
    lane->value[0] = flavour == 0 ? random_word(b) % 4 : random_word(b);
    lane->value[1] = flavour == 0 ? 0 : random_word(b);
    if (kind->type == GP5_SUBGROUP_F32 || kind->type == GP5_SUBGROUP_F16)
        lane->value[0] = float_word(b, flavour);
    if (kind->type == GP5_SUBGROUP_F64) {
        uint32_t word = float_word(b, flavour);
        float f;
        double d;
        memcpy(&f, &word, sizeof f);
        d = f;
        memcpy(lane->value, &d, sizeof d);
    }
}

/* Which side a lane is on: 0 alone, 1 and 2 within one more IF. Pattern 0: all together. */
static uint32_t side_of(struct bench *b, unsigned pattern, unsigned lane)
{
    switch (pattern % 6) {
    case 0: return 0;
    case 1: return lane & 1;
    case 2: return random_word(b) % 3;
    case 3: return lane < 5 + pattern ? 0 : random_word(b) % 2 + 1;
    case 4: return random_word(b) % 8 == 0;
    default: return lane / 4 % 3;
    }
}

/* A valid partition of the lanes of each side. */
static void put_partitions(struct bench *b, struct lane_in *warp, unsigned exist, bool one_ballot)
{
    uint32_t subset[LANES], common = random_word(b);
    unsigned subsets = 1 + random_word(b) % 6;
    for (unsigned lane = 0; lane < exist; lane++)
        subset[lane] = random_word(b) % subsets;
    for (unsigned lane = 0; lane < exist; lane++) {
        warp[lane].ballot = one_ballot ? common : 0;
        for (unsigned other = 0; other < exist && !one_ballot; other++)
            if (subset[other] == subset[lane] && warp[other].side == warp[lane].side)
                warp[lane].ballot |= 1u << other;
    }
}

static void put_lanes(struct bench *b, const struct subject *s, unsigned group)
{
    struct lane_in *warp = b->in + (size_t)group * LANES;
    uint32_t uniform = random_word(b) % (s->form->index_limit ? s->form->index_limit : LANES);
    bool random_index = s->form->index_limit > 4;
    for (unsigned lane = 0; lane < LANES; lane++) {
        put_value(b, s->kind, group % 3, &warp[lane]);
        warp[lane].index = random_index ? random_word(b) % s->form->index_limit : uniform;
        warp[lane].width = 2u << random_word(b) % 5;
        warp[lane].side = side_of(b, group, lane);
    }
    put_partitions(b, warp, LANES, strchr(s->form->operands, 'V') == NULL);
}

/* ---- programs ------------------------------------------------------------------------------------------------------- */

static bool wide(const struct kind *kind)
{
    return (kind->group & WIDES) != 0;
}

static void write_text(struct subject *s)
{
    const char *value = wide(s->kind) ? "d.x" : "a.x", *result = "r.y";
    char *at = s->text;
    if (s->info->answer == GP5_SUBGROUP_A_VALUE && wide(s->kind))
        result = "e.x";
    else if (strchr(s->form->operands, 'W'))
        result = "r.xy";
    else if (s->info->answer == GP5_SUBGROUP_A_BALLOT)
        result = "r";
    at += sprintf(at, "%s", s->form->name);
    if (s->operation >= 0)
        at += sprintf(at, ".%s", operations[s->operation]);
    at += sprintf(at, ".%s %s", s->kind->name, result);
    for (const char *o = s->form->operands; *o; o++) {
        if (*o == 'C')
            at += sprintf(at, ", %u", s->cluster);
        else
            at += sprintf(at, ", %s", *o == 'V' ? value : *o == 'I' ? "a.z" : *o == 'B' ? "a.w" : "b.x");
    }
    at += sprintf(at, ";");
}

static char *program_text(const struct subject *s)
{
    static const char form[] =
        "!!NVcp5.0\n"
        "OPTION NV_shader_storage_buffer;\n"
        "OPTION NV_gpu_program_fp64;\n"
        "OPTION GP5_subgroup;\n"
        "GROUP_SIZE 32;\n"
        "STORAGE in[] = { program.storage[0] };\n"
        "STORAGE out[] = { program.storage[1] };\n"
        "TEMP a, b, i, r;\n"
        "LONG TEMP d, e;\n"
        "MUL.U i.x, invocation.groupid.x, 32;\n"
        "ADD.U i.x, i.x, invocation.localindex.x;\n"
        "SHL.U i.y, i.x, 4;\n"
        "SHL.U i.x, i.x, 5;\n"
        "LDB.U32X4 a, in[i.x];\n"
        "LDB.U32X2 b, in[i.x + 16];\n"
        "PK64.U d.x, a;\n"
        "MOV.U r, {0, 0, 0, 0};\n"
        "MOV.U64 e.x, 0;\n"
        "SEQ.U.CC i.z, b.y, 0;\n"
        "IF NE.z;\n"
        "    %s\n"
        "ELSE;\n"
        "    SEQ.U.CC i.z, b.y, 1;\n"
        "    IF NE.z;\n"
        "        %s\n"
        "    ELSE;\n"
        "        %s\n"
        "    ENDIF;\n"
        "ENDIF;\n"
        "%s"
        "STB.U32X4 r, out[i.y];\n"
        "END\n";
    char *text = malloc(sizeof form + 4 * sizeof s->text + 100);
    bool long_result = s->info->answer == GP5_SUBGROUP_A_VALUE && wide(s->kind);
    assert_non_null(text);
    sprintf(text, form, s->text, s->text, s->text, long_result ? "UP64.U r.xy, e;\n" : "");
    return text;
}

/* ---- what is expected ------------------------------------------------------------------------------------------------ */

static uint32_t half_word(uint16_t half)
{
    int exponent = half >> 10 & 31, fraction = half & 0x3ff;
    float f = exponent == 31 ? (fraction ? __builtin_nanf("") : __builtin_inff())
              : exponent     ? __builtin_ldexpf((float)(fraction + 1024), exponent - 25)
                             : __builtin_ldexpf((float)fraction, -24);
    uint32_t word;
    f = half & 0x8000 ? -f : f;
    memcpy(&word, &f, sizeof word);
    return word;
}

static uint16_t word_half(uint32_t word)
{
    /* The nearest of all halves, the even one of two: slow, and plain. */
    float f;
    uint32_t magnitude = word & 0x7fffffff;
    uint16_t best = 0, sign = (uint16_t)(word >> 16 & 0x8000);
    memcpy(&f, &magnitude, sizeof f);
    if (magnitude > 0x7f800000)
        return sign | 0x7e00;
    if (f >= 65520.0f)
        return sign | 0x7c00;
    unsigned low = 0, high = 0x7bff;
    while (low < high) {
        unsigned middle = (low + high + 1) / 2;
        uint32_t w = half_word((uint16_t)middle);
        float g;
        memcpy(&g, &w, sizeof g);
        if (g <= f)
            low = middle;
        else
            high = middle - 1;
    }
    best = (uint16_t)low;
    uint32_t a = half_word(best), c = half_word((uint16_t)(low < 0x7bff ? low + 1 : low));
    float below, above;
    memcpy(&below, &a, sizeof below);
    memcpy(&above, &c, sizeof above);
    if (low == 0x7bff)
        above = 65536.0f;
    if (f - below > above - f || (f - below == above - f && low & 1))
        best++;
    return sign | best;
}

struct expected {
    uint64_t value[LANES];
    struct gp5_ballot ballot[LANES];
    uint8_t reason[LANES], peer[LANES], valid[LANES];
    uint32_t word[LANES];
    uint8_t truth[LANES];
};

struct operands {
    uint64_t wide[LANES], index[LANES], width[LANES];
    uint32_t word[LANES];
    uint16_t half[LANES];
    uint8_t truth[LANES];
    struct gp5_ballot ballot[LANES];
    struct gp5_subgroup_operands in;
};

static bool is_boolean(const struct subject *s)
{
    return s->info->types == GP5_SUBGROUP_BOOLS;
}

static enum gp5_subgroup_type reference_type(const struct subject *s)
{
    if (is_boolean(s))
        return GP5_SUBGROUP_BOOL;
    return s->kind->type == GP5_SUBGROUP_F16 && s->operation < 0 ? GP5_SUBGROUP_U32 : s->kind->type;
}

static void put_operands(const struct subject *s, const struct lane_in *warp, struct operands *o)
{
    enum gp5_subgroup_type type = reference_type(s);
    memset(o, 0, sizeof *o);
    for (unsigned lane = 0; lane < LANES; lane++) {
        uint32_t word = warp[lane].value[0], magnitude = word & 0x7fffffff;
        bool zero = s->kind->is_float ? magnitude < 0x00800000 || magnitude > 0x7f800000 : word == 0;
        o->word[lane] = word;
        o->wide[lane] = (uint64_t)warp[lane].value[1] << 32 | word;
        o->half[lane] = word_half(word);
        o->truth[lane] = !zero;
        o->index[lane] = warp[lane].index;
        o->width[lane] = warp[lane].width;
        o->ballot[lane].word[0] = warp[lane].ballot;
    }
    const void *value = type == GP5_SUBGROUP_BOOL ? (const void *)o->truth
                        : type == GP5_SUBGROUP_F16 ? (const void *)o->half
                        : wide(s->kind)            ? (const void *)o->wide
                                                   : (const void *)o->word;
    o->in = (struct gp5_subgroup_operands){.type = type, .components = 1, .value = value, .index = o->index,
                                           .ballot = o->ballot, .width = o->width, .cluster = s->cluster,
                                           .order = GP5_SUBGROUP_DOUBLING};
}

/* ---- comparison ------------------------------------------------------------------------------------------------------ */

static void complain(const struct subject *s, const struct bench *b, unsigned group, unsigned lane, const char *who,
                     const uint32_t *got, uint64_t want)
{
    fail_msg("%s, %u lanes, group %u lane %u: %s gives %08x %08x %08x %08x, expected %016llx", s->text, b->warp, group, lane,
             who, got[0], got[1], got[2], got[3], (unsigned long long)want);
}

/* A lane's answer in the layout of the reference, from the four words that the program stored. */
static void take_answer(const struct subject *s, const uint32_t *got, unsigned lane, struct expected *e)
{
    switch (s->info->answer) {
    case GP5_SUBGROUP_A_VALUE:
        if (wide(s->kind))
            e->value[lane] = (uint64_t)got[1] << 32 | got[0];
        else if (reference_type(s) == GP5_SUBGROUP_F16)
            ((uint16_t *)e->value)[lane] = word_half(got[1]);
        else
            ((uint32_t *)e->value)[lane] = got[1];
        break;
    case GP5_SUBGROUP_A_BOOL:
        ((uint8_t *)e->value)[lane] = got[1] != 0;
        break;
    case GP5_SUBGROUP_A_BALLOT:
        e->ballot[lane] = (struct gp5_ballot){{got[0], 0, 0, 0}};
        break;
    default:
        ((uint32_t *)e->value)[lane] = got[1];
    }
}

static void *values_of(const struct subject *s, struct expected *e)
{
    return s->info->answer == GP5_SUBGROUP_A_BALLOT ? (void *)e->ballot : (void *)e->value;
}

/* Width operations: as the hardware, which the second model of tests/shuffle_model.c holds; here the two evaluations
 * are held to each other and, within the text's formula, to the reference. */
static bool beyond_text(const struct subject *s, const struct lane_in *lane)
{
    return strchr(s->form->operands, 'W') && lane->index >= lane->width;
}

static void check_lane(struct bench *b, const struct subject *s, unsigned group, unsigned lane, const struct expected *want)
{
    size_t at = ((size_t)group * LANES + lane) * OUT;
    const struct lane_in *in = &b->in[group * LANES + lane];
    bool pair = strchr(s->form->operands, 'W') != NULL, shadowed = false;
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
            fail_msg("%s, %u lanes, group %u lane %u: the lowered program's word %u is undefined", s->text, b->warp, group,
                     lane, i);
    if (pair && !beyond_text(s, in) && (b->direct[at] != 0) != want->valid[lane])
        complain(s, b, group, lane, "the predicate", b->direct + at, want->valid[lane]);
    /* Bits that stand for one another: NaN. */
    for (unsigned i = 0; i < OUT; i++) {
        bool nan = s->kind->is_float && s->operation >= 0;
        uint32_t x = b->direct[at + i], y = b->lowered[at + i];
        if (s->kind->is_float && (s->op == GP5_SUBGROUP_DO_PARTITION || s->op == GP5_SUBGROUP_DO_ALL_EQUAL))
            break;          /* denormals may count as zeros or not, NaNs be alone or not: judged */
        if (nan && !wide(s->kind) && (x & 0x7fffffff) > 0x7f800000 && (y & 0x7fffffff) > 0x7f800000)
            continue;
        if (nan && wide(s->kind) && (b->direct[at + 1] & 0x7fffffff) >= 0x7ff80000 &&
            (b->lowered[at + 1] & 0x7fffffff) >= 0x7ff80000)
            continue;
        if (nan && !((x | y) & 0x7fffffff))
            continue;       /* zeros: MIN and MAX may give either */
        if (nan && s->kind->type == GP5_SUBGROUP_F32 && !(x & 0x7fffffff) && (y & 0x7fffffff) < 0x00800000)
            continue;       /* alone, a denormal stays as it is */
        if (x != y)
            complain(s, b, group, lane, "the lowered program", b->lowered + at, x);
    }
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
    put_operands(s, warp, &o);
    struct gp5_subgroup_result out = {values_of(s, &want), want.reason, want.peer, want.valid};
    assert_true(gp5_subgroup_apply(s->op, &sub, &o.in, &out) <= GP5_SUBGROUP_UNDEFINED);
    for (unsigned lane = 0; lane < b->warp; lane++)
        if (sub.active.word[0] >> lane & 1) {
            size_t at = ((size_t)group * LANES + lane) * OUT;
            check_lane(b, s, group, lane, &want);
            take_answer(s, b->direct + at, lane, &direct);
            take_answer(s, b->lowered + at, lane, &lowered);
        }
    for (unsigned turn = 0; turn < 2; turn++) {
        gp5_subgroup_judge(s->op, &sub, &o.in, values_of(s, turn ? &lowered : &direct), GP5_SUBGROUP_MAY_FLUSH, verdict);
        for (unsigned lane = 0; lane < b->warp; lane++)
            if (sub.active.word[0] >> lane & 1 && !beyond_text(s, &warp[lane]) && verdict[lane] == GP5_SUBGROUP_WRONG)
                complain(s, b, group, lane, turn ? "(judged) the lowered program" : "(judged) the instruction",
                         (turn ? b->lowered : b->direct) + ((size_t)group * LANES + lane) * OUT,
                         wide(s->kind) ? want.value[lane] : ((uint32_t *)values_of(s, &want))[lane]);
    }
}

/* ---- runs -------------------------------------------------------------------------------------------------------------- */

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
    write_text(s);
    char *text = program_text(s);
    for (unsigned flags = 0; flags < 2; flags++) {
        char *lowered = lower(text, flags ? GP5_LOWER_ALLOW_INTERNAL : 0);
        b->warp = warps[random_word(b) % 4];
        for (unsigned group = 0; group < GROUPS; group++)
            put_lanes(b, s, group);
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
        snprintf(name, sizeof name, "%s%s", form->reference, small_operations[s.operation]);
        s.op = gp5_subgroup_find(name);
        assert_int_not_equal(s.op, GP5_SUBGROUP_OP_COUNT);
        if (kind->is_float && s.operation >= 4)
            break;
        check_clusters(b, &s);
    }
}

static void instructions(void **state)
{
    struct bench b;
    (void)state;
    open_bench(&b);
    enum { ROUNDS = 3 };
    for (size_t f = 0; f < ROUNDS * sizeof forms / sizeof *forms; f++)
        for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
            const struct form *form = &forms[f % (sizeof forms / sizeof *forms)];
            if (form->types & kinds[k].group && !(form->types & ONE && k > 0))
                check_kind(&b, form, &kinds[k]);
        }
    print_message("%llu lanes compared, %llu undefined\n", (unsigned long long)b.checked, (unsigned long long)b.undefined);
    assert_true(b.checked > 600000 && b.undefined > 30000);
    close_bench(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(instructions)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
