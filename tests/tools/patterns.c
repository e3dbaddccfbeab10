#include "tests/tools/patterns.h"
#include "tests/tools/operands.h"
#include "tests/tools/packed.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gp5.h"

const char *const pattern_set_names[PATTERN_SETS] = {"mid", "nasty"};

/* ---- operands ---------------------------------------------------------------------------------------------------- */

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
        uint64_t z = operand_random(&state);
        uint32_t word = (uint32_t)z;
        if (set == PATTERN_MID)
            word = 0x3f000000u + (word & 0xffffffu) + ((uint32_t)(z >> 32) & 0x80000000u);
        else if (z >> 62)
            word = edges[word % (sizeof edges / sizeof *edges)];
        out[i] = word;
    }
}

/* ---- programs ---------------------------------------------------------------------------------------------------- */

static const char options[] =
    "!!NVcp5.0\n"
    "OPTION NV_shader_storage_buffer;\n"
    "OPTION NV_gpu_program_fp64;\n"
    "OPTION NV_shader_thread_group;\n"
    "OPTION NV_shader_thread_shuffle;\n";

static const char variables[] =
    "STORAGE inb[] = { program.storage[0] };\n"
    "STORAGE outb[] = { program.storage[1] };\n"
    "TEMP a, b, c, d, e, f, r, q, t, u, v, w, z, i;\n"
    "SHORT TEMP h;\n"
    "LONG TEMP D, E, F, G, H;\n";

static const char index_of[] = "MUL.U i, invocation.globalid.x, {96, 32, 0, 0};\n";

/* Groups are in a row, whatever shape they have. */
static const char index_of_sized[] =
    "MUL.U i, invocation.groupsize.x, invocation.groupsize.y;\nMUL.U i, i.x, invocation.groupsize.z;\n"
    "MAD.U i, i.x, invocation.groupid.x, invocation.localindex.x;\nMUL.U i, i.x, {96, 32, 0, 0};\n";

static const char loads[] =
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

/* What stands before the patterns that follow: `!OPTION ...;` and other declarations, `!group N`, `!` to forget them.
 */
struct setting {
    unsigned group;
    uint32_t size[3];
    char subroutines[64];
    char options[256], declarations[512];
};

/* A family's numbers: `#` and `%` in its text. */
struct numbers { unsigned hash, percent; };

struct expansion {
    char *out;
    size_t length;
    const char *dollar;
    struct numbers numbers;
    bool full;
};

static void put(struct expansion *x, char c)
{
    if (x->length + 1 >= PATTERN_TEXT) {
        x->full = true;
        return;
    }
    x->out[x->length++] = c;
    x->out[x->length] = 0;
}

static void put_text(struct expansion *x, const char *text)
{
    while (*text)
        put(x, *text++);
}

static void put_number(struct expansion *x, unsigned n)
{
    char digits[16];

    snprintf(digits, sizeof digits, "%u", n);
    put_text(x, digits);
}

/* Where the `<< ... >>` that begins at `from` ends, or NULL. */
static const char *closing(const char *from, const char *end)
{
    unsigned depth = 0;

    for (; from + 1 < end; from++) {
        if (!strncmp(from, "<<", 2))
            depth++, from++;
        else if (!strncmp(from, ">>", 2) && !--depth)
            return from;
        else if (!strncmp(from, ">>", 2))
            from++;
    }
    return NULL;
}

/* Appends a body with every $ # % replaced, `<<...>>N` repeated, one statement a line. */
static void expand(struct expansion *x, const char *body, const char *end)
{
    for (const char *p = body; p < end && !x->full; p++) {
        const char *close = p + 1 < end && !strncmp(p, "<<", 2) ? closing(p, end) : NULL;
        if (close) {
            const char *count = close + 2;
            unsigned n = count < end && *count == '#'   ? x->numbers.hash
                         : count < end && *count == '%' ? x->numbers.percent
                                                        : (unsigned)strtoul(count, NULL, 10);
            while (n--)
                expand(x, p + 2, close);
            p = count;
            while (p + 1 < end && isdigit((unsigned char)p[1]))
                p++;
        } else if (*p == '$') {
            put_text(x, x->dollar);
        } else if (*p == '#' || *p == '%') {
            put_number(x, *p == '#' ? x->numbers.hash : x->numbers.percent);
        } else {
            put(x, *p);
        }
        if (*p == ';') {
            put(x, '\n');
            while (p + 1 < end && p[1] == ' ')
                p++;
        }
    }
}

static bool build(char out[PATTERN_TEXT], const struct setting *s, const char *body, const char *dollar,
                  struct numbers numbers)
{
    const char *subroutines = strchr(body, '@'), *end = body + strlen(body);
    struct expansion x = {.out = out, .dollar = dollar, .numbers = numbers};
    char group[96];

    put_text(&x, options);
    if (s->size[0])
        snprintf(group, sizeof group, "OPTION ARB_compute_variable_group_size;\n# size %u %u %u\n", s->size[0],
                 s->size[1], s->size[2]);
    else
        snprintf(group, sizeof group, "GROUP_SIZE %u;\n", s->group);
    put_text(&x, s->size[0] ? group : "");
    put_text(&x, s->options);
    put_text(&x, s->size[0] ? "" : group);
    if (s->subroutines[0]) {
        put_text(&x, "# subroutines ");
        put_text(&x, s->subroutines);
        put_text(&x, "\n");
    }
    put_text(&x, variables);
    put_text(&x, s->declarations);
    put_text(&x, subroutines ? "main:\n" : "");
    put_text(&x, s->size[0] ? index_of_sized : index_of);
    put_text(&x, loads);
    expand(&x, body, subroutines ? subroutines : end);
    put_text(&x, stores);
    if (subroutines) {
        put_text(&x, "RET;\n");
        expand(&x, subroutines + 1, end);
    }
    put_text(&x, "END\n");
    return !x.full;
}

static bool append(char *to, size_t size, const char *text)
{
    size_t length = strlen(to);

    return (size_t)snprintf(to + length, size - length, "%s\n", text) < size - length;
}

static bool set(struct setting *s, const char *what)
{
    if (!strncmp(what, "group ", 6))
        s->group = (unsigned)strtoul(what + 6, NULL, 10);
    else if (!strncmp(what, "size ", 5) && sscanf(what + 5, "%u %u %u", &s->size[0], &s->size[1], &s->size[2]) == 3)
        s->group = s->size[0] * s->size[1] * s->size[2];
    else if (!strncmp(what, "subroutines ", 12))
        return snprintf(s->subroutines, sizeof s->subroutines, "%s", what + 12) < (int)sizeof s->subroutines;
    else if (!*what)
        *s = (struct setting){.group = 32};
    else if (!strncmp(what, "OPTION", 6) || !strncmp(what, "SHARED_MEMORY", 13))
        return append(s->options, sizeof s->options, what);
    else
        return append(s->declarations, sizeof s->declarations, what);
    return s->group && s->group <= PATTERN_INVOCATIONS && PATTERN_INVOCATIONS % s->group == 0;
}

/* The numbers of `<1..4,8,16>` that stands at *p, which then is behind it; 0 when none does. */
static unsigned numbers_of(const char **p, unsigned list[PATTERN_FAMILY])
{
    unsigned n = 0;

    if (**p != '<')
        return 0;
    do {
        char *end;
        unsigned first = (unsigned)strtoul(*p + 1, &end, 10), last = first;
        if (!strncmp(end, "..", 2))
            last = (unsigned)strtoul(end + 2, &end, 10);
        for (; first <= last && n < PATTERN_FAMILY; first++)
            list[n++] = first;
        *p = end;
    } while (**p == ',');
    *p += **p == '>';
    return n;
}

struct table_line {
    const struct setting *setting;
    const char *name, *body;
    char *program;
    pattern_fn each;
    void *user;
};

/* Both forms of a pattern: vectors and, where there is a $, single components. */
static bool two_forms(const struct table_line *l, const char *name, struct numbers numbers, bool *more)
{
    char single[PATTERN_NAME + 2];

    if (!build(l->program, l->setting, l->body, "", numbers))
        return false;
    *more = l->each(l->user, name, l->program);
    if (!*more || !strchr(l->body, '$'))
        return true;
    snprintf(single, sizeof single, "%s.x", name);
    if (!build(l->program, l->setting, l->body, ".x", numbers))
        return false;
    *more = l->each(l->user, single, l->program);
    return true;
}

static bool family(const struct table_line *l, bool *more)
{
    const char *p = l->name + strcspn(l->name, "<");
    int length = (int)(p - l->name);
    unsigned hashes[PATTERN_FAMILY], percents[PATTERN_FAMILY];
    unsigned nhashes = numbers_of(&p, hashes), npercents = numbers_of(&p, percents);
    char name[PATTERN_NAME];

    if (!nhashes)
        return two_forms(l, l->name, (struct numbers){0, 0}, more);
    for (unsigned i = 0; i < nhashes; i++)
        for (unsigned k = 0; k < (npercents ? npercents : 1) && *more; k++) {
            struct numbers n = {hashes[i], npercents ? percents[k] : 0};
            if (npercents)
                snprintf(name, sizeof name, "%.*s.%u.%u", length, l->name, n.hash, n.percent);
            else
                snprintf(name, sizeof name, "%.*s.%u", length, l->name, n.hash);
            if (!two_forms(l, name, n, more))
                return false;
        }
    return true;
}

bool pattern_each(const char *path, pattern_fn each, void *user)
{
    FILE *table = packed_open(path);
    struct setting setting = {.group = 32};
    char line[4096], *program = malloc(PATTERN_TEXT);
    bool ok = table && program, more = true;

    while (ok && more && fgets(line, sizeof line, table)) {
        char *colon = strchr(line, ':'), *body = colon ? colon + 1 : NULL;
        line[strcspn(line, "\n")] = 0;
        if (line[0] == '!')
            ok = set(&setting, line + 1);
        if (line[0] == '#' || line[0] == '!' || !colon)
            continue;
        *colon = 0;
        while (isspace((unsigned char)*body))
            body++;
        ok = strlen(line) < PATTERN_NAME / 2 &&
             family(&(struct table_line){&setting, line, body, program, each, user}, &more);
    }
    if (table)
        fclose(table);
    free(program);
    return ok;
}

struct pattern_launch pattern_launch(const char *program)
{
    const char *fixed = strstr(program, "GROUP_SIZE "), *sized = strstr(program, "# size "),
               *chosen = strstr(program, "# subroutines ");
    struct pattern_launch l = {.addresses = strstr(program, "program.local[0]"),
                               .counters = strstr(program, "program.counter")};
    unsigned n = fixed ? (unsigned)strtoul(fixed + 11, NULL, 10) : 0;

    if (sized && sscanf(sized, "# size %u %u %u", &l.size[0], &l.size[1], &l.size[2]) == 3)
        n = l.size[0] * l.size[1] * l.size[2];
    l.groups = n ? PATTERN_INVOCATIONS / n : 0;
    for (chosen = chosen ? chosen + 14 : NULL;
         chosen && isdigit((unsigned char)*chosen) && l.nsubroutines < PATTERN_SUBROUTINES;) {
        char *end;
        l.subroutines[l.nsubroutines++] = (uint32_t)strtoul(chosen, &end, 10);
        chosen = *end == ',' ? end + 1 : end;
    }
    return l;
}

/* ---- evaluation -------------------------------------------------------------------------------------------------- */

void pattern_counters(void *words)
{
    uint8_t *counters = words;
    uint64_t state = PATTERN_SEED;

    for (size_t i = 0; i < PATTERN_COUNTERS; i += 8) {
        uint64_t z = operand_random(&state);
        memcpy(counters + i, &z, 8);
    }
}

bool pattern_evaluate(const char *program, const char *model, enum pattern_operands set, uint32_t out[PATTERN_RESULTS],
                      char **message)
{
    static const size_t in_size = PATTERN_INVOCATIONS * PATTERN_IN_WORDS * 4, out_size = PATTERN_RESULTS * 4;
    struct gp5_run_options options = {.semantics = GP5_SEMANTICS_NVIDIA, .model = model, .jobs = 1};
    struct gp5_report report = {0};
    gp5_program *parsed = gp5_parse(program, strlen(program));
    gp5_executable *executable = parsed ? gp5_prepare(parsed, &options, message, &(size_t){0}) : NULL;
    uint8_t *in = aligned_alloc(64, in_size), *result = aligned_alloc(64, 2 * out_size),
            *counters = aligned_alloc(64, PATTERN_COUNTERS);
    bool ok = executable && in && result && counters;

    if (ok) {
        struct gp5_buffer buffers[3] = {{.binding = 0, .data = in, .size = in_size},
                                        {.binding = 1, .data = result, .size = out_size},
                                        {.binding = 2, .data = result + out_size, .size = out_size}};
        struct pattern_launch l = pattern_launch(program);
        struct gp5_address_range at[2] = {{.address = 0x7f1234560000u, .binding = 0},
         {.address = 0x7f8000000000u, .binding = 2}};
        struct gp5_parameter local = {.index = 0};
        struct gp5_buffer counter = {.data = counters, .size = PATTERN_COUNTERS};
        struct gp5_launch launch = {.groups = {l.groups, 1, 1},
                                    .storage = buffers,
                                    .nstorage = 3,
                                    .cbuffers = buffers,
                                    .ncbuffers = 1,
                                    .addresses = at,
                                    .naddresses = 2,
                                    .local = &local,
                                    .nlocal = 1,
                                    .counters = &counter,
                                    .ncounters = 1,
                                    .subroutines = l.subroutines,
                                    .nsubroutines = l.nsubroutines};
        memcpy(launch.group_size, l.size, sizeof l.size);
        for (unsigned i = 0; i < 4; i++)
            local.word[i] = (uint32_t)(at[i / 2].address >> i % 2 * 32);
        pattern_counters(counters);
        memset(result, 0, 2 * out_size);
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
    free(counters);
    return ok;
}

uint64_t pattern_hash(const uint32_t *words, size_t count)
{
    uint64_t hash = 0xcbf29ce484222325u;

    for (size_t i = 0; i < count; i++)
        hash = (hash ^ words[i]) * 0x100000001b3u;
    return hash;
}
