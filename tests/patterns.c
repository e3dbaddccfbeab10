#include "tests/patterns.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gp5.h"

const char *const pattern_set_names[PATTERN_SETS] = {"mid", "nasty"};

/* ---- operands ----------------------------------------------------------------------------------------------------- */

/* splitmix64: small, seeded, the same everywhere. */
static uint64_t next(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static const uint32_t edges[] = {
    0, 0x80000000, 1, 0x80000001, 0x7fffff, 0x807fffff, 0x800000, 0x80800000, 0x800001, 0x3f800000, 0xbf800000,
    0x3f7fffff, 0x3f800001, 0x3f000000, 0x40000000, 0xc0000000, 0x40400000, 0x4b000000, 0x4b800000, 0xcb800001,
    0x4effffff, 0x4f000000, 0xcf000000, 0x4f7fffff, 0x4f800000, 0x5f000000, 0x7f7fffff, 0xff7fffff, 0x7f800000,
    0xff800000, 0x7fc00000, 0xffc00000, 0x7f800001, 0xff800001, 0x7fffffff, 0xffffffff, 0x7fc12345, 2, 31, 32, 33,
    255, 256, 65535, 65536, 0x7ffffffe, 0x80000002, 0xfffffffe, 0x38800000, 0x387fffff, 0x477fe000, 0x477ff000,
    0x33000000, 0x33000001, 0x3effffff, 0x3fc00000, 0x40200000, 0xbf000000, 0xbfc00000, 0x0d800000, 0x20000000,
};

void pattern_operands(enum pattern_operands set, uint32_t out[PATTERN_INVOCATIONS * PATTERN_IN_WORDS])
{
    uint64_t state = 7;

    for (size_t i = 0; i < PATTERN_INVOCATIONS * PATTERN_IN_WORDS; i++) {
        uint64_t z = next(&state);
        uint32_t word = (uint32_t)z;
        if (set == PATTERN_MID)
            word = 0x3f000000u + (word & 0xffffffu) + ((uint32_t)(z >> 32) & 0x80000000u);
        else if (z >> 62)
            word = edges[word % (sizeof edges / sizeof *edges)];
        out[i] = word;
    }
}

/* ---- programs ------------------------------------------------------------------------------------------------------- */

static const char prologue[] =
    "!!NVcp5.0\n"
    "OPTION NV_shader_storage_buffer;\n"
    "OPTION NV_gpu_program_fp64;\n"
    "OPTION NV_shader_thread_group;\n"
    "OPTION NV_shader_thread_shuffle;\n"
    "GROUP_SIZE 32;\n"
    "STORAGE inb[] = { program.storage[0] };\n"
    "STORAGE outb[] = { program.storage[1] };\n"
    "TEMP a, b, c, d, e, f, r, q, t, u, v, w, i;\n"
    "SHORT TEMP h;\n"
    "LONG TEMP D, E, F, G, H;\n";

static const char loads[] =
    "MUL.U i, invocation.globalid.x, {96, 32, 0, 0};\n"
    "ADD.U i.z, i.x, 16;\nADD.U i.w, i.x, 32;\n"
    "LDB.U32X4 a, inb[i.x];\nLDB.U32X4 b, inb[i.z];\nLDB.U32X4 c, inb[i.w];\n"
    "ADD.U i.z, i.x, 48;\nADD.U i.w, i.x, 64;\n"
    "LDB.U32X4 d, inb[i.z];\nLDB.U32X4 e, inb[i.w];\n"
    "ADD.U i.z, i.x, 80;\nLDB.U32X4 f, inb[i.z];\n"
    "PK64.U D.xy, a;\nPK64.U E.xy, b;\nPK64.U G.xy, c;\n"
    "MOV.U r, 0;\nMOV.U q, 0;\n";

static const char stores[] =
    "ADD.U i.z, i.y, 16;\n"
    "STB.U32X4 r, outb[i.y];\nSTB.U32X4 q, outb[i.z];\n";

/* Appends `size` bytes of a body with every $ replaced, one statement a line; false when it does not fit. */
static bool expand(char *out, const char *body, size_t size, const char *dollar)
{
    size_t n = strlen(out);

    for (size_t i = 0; i < size; i++) {
        if (n + 16 > PATTERN_TEXT)
            return false;
        if (body[i] == '$')
            n += (size_t)sprintf(out + n, "%s", dollar);
        else
            out[n++] = body[i];
        if (body[i] == ';') {
            out[n++] = '\n';
            while (i + 1 < size && body[i + 1] == ' ')
                i++;
        }
        out[n] = 0;
    }
    return true;
}

static bool build(char out[PATTERN_TEXT], const char *body, const char *dollar)
{
    const char *subroutines = strchr(body, '@');
    size_t size = subroutines ? (size_t)(subroutines - body) : strlen(body);

    sprintf(out, "%s%s%s", prologue, subroutines ? "main:\n" : "", loads);
    if (!expand(out, body, size, dollar))
        return false;
    strcat(out, stores);
    if (subroutines) {
        strcat(out, "RET;\n");
        if (!expand(out, subroutines + 1, strlen(subroutines + 1), dollar))
            return false;
    }
    strcat(out, "END\n");
    return true;
}

bool pattern_each(const char *path, pattern_fn each, void *user)
{
    FILE *table = fopen(path, "r");
    char line[1024], name[sizeof line + 2], program[PATTERN_TEXT];
    bool ok = table != NULL, more = true;

    while (ok && more && fgets(line, sizeof line, table)) {
        char *colon = strchr(line, ':'), *body = colon ? colon + 1 : NULL;
        if (line[0] == '#' || !colon)
            continue;
        *colon = 0;
        while (isspace((unsigned char)*body))
            body++;
        body[strcspn(body, "\n")] = 0;
        snprintf(name, sizeof name, "%s", line);
        ok = build(program, body, "");
        more = ok && each(user, name, program);
        if (more && strchr(body, '$')) {
            snprintf(name, sizeof name, "%s.x", line);
            ok = build(program, body, ".x");
            more = ok && each(user, name, program);
        }
    }
    if (table)
        fclose(table);
    return ok;
}

/* ---- evaluation ------------------------------------------------------------------------------------------------------- */

bool pattern_evaluate(const char *program, enum pattern_operands set, uint32_t out[PATTERN_RESULTS], char **message)
{
    static const size_t in_size = PATTERN_INVOCATIONS * PATTERN_IN_WORDS * 4, out_size = PATTERN_RESULTS * 4;
    struct gp5_run_options options = {.semantics = GP5_SEMANTICS_NVIDIA, .jobs = 1};
    struct gp5_report report = {0};
    gp5_program *parsed = gp5_parse(program, strlen(program));
    gp5_executable *executable = parsed ? gp5_prepare(parsed, &options, message, &(size_t){0}) : NULL;
    uint8_t *in = aligned_alloc(64, in_size), *result = aligned_alloc(64, out_size);
    bool ok = executable && in && result;

    if (ok) {
        struct gp5_buffer buffers[2] = {{.binding = 0, .data = in, .size = in_size},
                                        {.binding = 1, .data = result, .size = out_size}};
        struct gp5_launch launch = {.groups = {PATTERN_INVOCATIONS / 32, 1, 1}, .storage = buffers, .nstorage = 2};
        memset(result, 0, out_size);
        pattern_operands(set, (uint32_t *)(void *)in);
        ok = gp5_execute(executable, &launch, &options, &report) == GP5_RUN_OK;
        if (!ok && report.message)
            fprintf(stderr, "# %s\n", report.message);
        memcpy(out, result, out_size);
    }
    gp5_report_free(&report);
    gp5_executable_free(executable);
    gp5_program_free(parsed);
    free(in);
    free(result);
    return ok;
}

uint64_t pattern_hash(const uint32_t *words, size_t count)
{
    uint64_t hash = 0xcbf29ce484222325u;

    for (size_t i = 0; i < count; i++)
        hash = (hash ^ words[i]) * 0x100000001b3u;
    return hash;
}
