/* The subgroup instructions and their types, programs around one of them, and lanes for it. */
#include "asm/program.h"
#include "tests/unit/eval/evaluate.h"
#include "tests/tools/lower_subject.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- the instructions -------------------------------------------------------------------------------------------- */

const struct form subject_forms[] = {
    {"SGELECT", "", "elect", INTEGERS | ONE, false, 0},
    {"SGALL", "V", "all", WORDS | BOOLEAN, false, 0},
    {"SGANY", "V", "any", WORDS | BOOLEAN, false, 0},
    {"SGEQ", "V", "all_equal", ALL, false, 0},
    {"SGBCAST", "VI", "broadcast", ALL, false, 0},
    {"SGFIRST", "V", "broadcast_first", ALL, false, 0},
    {"SGBALLOT", "V", "ballot", WORDS | BOOLEAN, false, 0},
    {"SGBBIT", "BI", "ballot_bit_extract", INTEGERS | ONE, false, 32},
    {"SGBINV", "B", "inverse_ballot", INTEGERS | ONE, false, 0},
    {"SGBCNT", "B", "ballot_bit_count", INTEGERS | ONE, false, 0},
    {"SGBCNTI", "B", "ballot_inclusive_bit_count", INTEGERS | ONE, false, 0},
    {"SGBCNTX", "B", "ballot_exclusive_bit_count", INTEGERS | ONE, false, 0},
    {"SGBLSB", "B", "ballot_find_lsb", INTEGERS | ONE, false, 0},
    {"SGBMSB", "B", "ballot_find_msb", INTEGERS | ONE, false, 0},
    {"SGPART", "V", "partition", ALL, false, 0},
    {"SGRED", "V", "", ALL, true, 0},
    {"SGISCAN", "V", "inclusive_", ALL, true, 0},
    {"SGXSCAN", "V", "exclusive_", ALL, true, 0},
    {"SGREDC", "VC", "clustered_", ALL, true, 0},
    {"SGREDP", "VB", "partitioned_", ALL, true, 0},
    {"SGISCANP", "VB", "partitioned_inclusive_", ALL, true, 0},
    {"SGXSCANP", "VB", "partitioned_exclusive_", ALL, true, 0},
    {"SGSHFIDX", "VI", "shuffle", ALL, false, 40},
    {"SGSHFXOR", "VI", "shuffle_xor", ALL, false, 40},
    {"SGSHFUP", "VI", "shuffle_up", ALL, false, 40},
    {"SGSHFDN", "VI", "shuffle_down", ALL, false, 40},
    {"SGROT", "VI", "rotate", ALL, false, 0},
    {"SGROTC", "VIC", "clustered_rotate", ALL, false, 0},
    {"SGQBCAST", "VI", "quad_broadcast", ALL, false, 4},
    {"SGQSWAPH", "V", "quad_swap_horizontal", ALL, false, 0},
    {"SGQSWAPV", "V", "quad_swap_vertical", ALL, false, 0},
    {"SGQSWAPD", "V", "quad_swap_diagonal", ALL, false, 0},
    {"SGNVIDX", "VIW", "shuffle_nv", WORDS, false, 32},
    {"SGNVUP", "VIW", "shuffle_up_nv", WORDS, false, 32},
    {"SGNVDOWN", "VIW", "shuffle_down_nv", WORDS, false, 32},
    {"SGNVXOR", "VIW", "shuffle_xor_nv", WORDS, false, 32},
};
const size_t subject_form_count = sizeof subject_forms / sizeof *subject_forms;

const struct kind subject_kinds[] = {
    {"U", WORDS | INTEGERS, GP5_SUBGROUP_U32, false},  {"S", WORDS | INTEGERS, GP5_SUBGROUP_I32, false},
    {"F", WORDS, GP5_SUBGROUP_F32, true},              {"U64", WIDES, GP5_SUBGROUP_U64, false},
    {"S64", WIDES, GP5_SUBGROUP_I64, false},           {"F64", WIDES, GP5_SUBGROUP_F64, true},
    {"F16", HALVES, GP5_SUBGROUP_F16, true},           {"S8", SHORTS, GP5_SUBGROUP_I8, false},
    {"U8", SHORTS, GP5_SUBGROUP_U8, false},            {"S16", SHORTS, GP5_SUBGROUP_I16, false},
    {"U16", SHORTS, GP5_SUBGROUP_U16, false},          {"U", TRUTHS, GP5_SUBGROUP_BOOL, false},
};
const size_t subject_kind_count = sizeof subject_kinds / sizeof *subject_kinds;

const char *const subject_operations[7] = {"ADD", "MUL", "MIN", "MAX", "AND", "OR", "XOR"};
const char *const subject_small_operations[7] = {"add", "mul", "min", "max", "and", "or", "xor"};

/* ---- lanes ------------------------------------------------------------------------------------------------------- */

uint32_t subject_random(struct bench *b)
{
    return evaluate_random(&b->seed);
}

static uint32_t float_word(struct bench *b, unsigned flavour)
{
    static const uint32_t nasty[] = {0x7fc00000, 0x7f800000, 0xff800000, 0x80000000, 0, 0x00000001, 0x3f800000,
     0x7f7fffff};
    uint32_t word = subject_random(b);
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
    lane->value[0] = flavour == 0 ? subject_random(b) % 4 : subject_random(b);
    lane->value[1] = flavour == 0 ? 0 : subject_random(b);
    if (kind->group & TRUTHS)
        lane->value[0] = subject_random(b) % (2 + flavour * 7) ? 0xffffffff : 0;
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

/* Which side a lane is on: 0 alone, 1 and 2 within one more IF, 3 on none. Pattern 0: all together. */
static uint32_t side_of(struct bench *b, unsigned pattern, unsigned lane)
{
    switch (pattern % 8) {
    case 0: return 0;
    case 1: return lane & 1;
    case 2: return subject_random(b) % 3;
    case 3: return lane < 5 + pattern ? 0 : subject_random(b) % 2 + 1;
    case 4: return subject_random(b) % 8 == 0;
    case 5: return subject_random(b) % 4;
    case 6: return lane < 1 + pattern ? 0 : 3;
    default: return lane / 4 % 3;
    }
}

/* A valid partition of the lanes of each side. */
static void put_partitions(struct bench *b, struct lane_in *warp, unsigned exist, bool one_ballot)
{
    uint32_t subset[LANES], common = subject_random(b);
    unsigned subsets = 1 + subject_random(b) % 6;
    for (unsigned lane = 0; lane < exist; lane++)
        subset[lane] = subject_random(b) % subsets;
    for (unsigned lane = 0; lane < exist; lane++) {
        warp[lane].ballot = one_ballot ? common : 0;
        for (unsigned other = 0; other < exist && !one_ballot; other++)
            if (subset[other] == subset[lane] && warp[other].side == warp[lane].side)
                warp[lane].ballot |= 1u << other;
    }
}

void subject_put_lanes(struct bench *b, const struct subject *s, unsigned group)
{
    struct lane_in *warp = b->in + (size_t)group * LANES;
    uint32_t uniform = subject_random(b) % (s->form->index_limit ? s->form->index_limit : LANES);
    bool random_index = s->form->index_limit > 4;
    for (unsigned lane = 0; lane < LANES; lane++) {
        put_value(b, s->kind, group % 3, &warp[lane]);
        warp[lane].index = random_index ? subject_random(b) % s->form->index_limit : uniform;
        warp[lane].width = 2u << subject_random(b) % 5;
        warp[lane].side = side_of(b, group, lane);
    }
    put_partitions(b, warp, LANES, strchr(s->form->operands, 'V') == NULL);
}

/* ---- programs ---------------------------------------------------------------------------------------------------- */

bool subject_is_wide(const struct kind *kind)
{
    return (kind->group & WIDES) != 0;
}

void subject_write_text(struct subject *s)
{
    const char *value = subject_is_wide(s->kind) ? "d.x" : "a.x", *result = "r.y";
    char *at = s->text;
    if (s->info->answer == GP5_SUBGROUP_A_VALUE && subject_is_wide(s->kind))
        result = "e.x";
    else if (strchr(s->form->operands, 'W'))
        result = "r.xy";
    else if (s->info->answer == GP5_SUBGROUP_A_BALLOT)
        result = "r";
    at += sprintf(at, "%s", s->form->name);
    if (s->operation >= 0)
        at += sprintf(at, ".%s", subject_operations[s->operation]);
    at += sprintf(at, ".%s %s", s->kind->name, result);
    for (const char *o = s->form->operands; *o; o++) {
        if (*o == 'C')
            at += sprintf(at, ", %u", s->cluster);
        else
            at += sprintf(at, ", %s", *o == 'V' ? value : *o == 'I' ? "a.z" : *o == 'B' ? "a.w" : "b.x");
    }
    at += sprintf(at, ";");
}

char *subject_program_text(const struct subject *s)
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
        "        SEQ.U.CC i.z, b.y, 2;\n"
        "        IF NE.z;\n"
        "            %s\n"
        "        ENDIF;\n"
        "    ENDIF;\n"
        "ENDIF;\n"
        "%s"
        "STB.U32X4 r, out[i.y];\n"
        "END\n";
    char *text = malloc(sizeof form + 4 * sizeof s->text + 100);
    bool long_result = s->info->answer == GP5_SUBGROUP_A_VALUE && subject_is_wide(s->kind);
    assert_non_null(text);
    sprintf(text, form, s->text, s->text, s->text, long_result ? "UP64.U r.xy, e;\n" : "");
    return text;
}

