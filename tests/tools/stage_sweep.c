/* Instructions of vertex and fragment programs on a driver and on the reference, word by word.
 *
 *   stage_sweep [--driver=KIND] [--dialect=avp|afp|vp10|vp11|vp20|vp4|fp10|fp4 ...] [--count=N] [--seed=N] [-v]
 *
 * A case is a program of a few instructions with operands by chance (swizzles, signs, masks, saturation, numbers in the text), run on 64
 * elements, half of which are nasty words: zeros, denormals, infinities, NaNs, whole numbers, halves. Undefined words are not compared.
 * Where the driver is not NVIDIA's, denormals of the same sign and zeros are alike, NaNs whatever their bits, and approximated functions
 * are compared by bounds (docs/numbers.md). The last line counts: "N cases, N words compared, N undefined, N different, N refused". */
#include "compare/driver/driver.h"
#include "compare/driver/outcome.h"
#include "gp5.h"

#include <getopt.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ELEMENTS = 64, INPUTS = 3, RESULTS = 4, TEXT = 4096, BATCH = 256 };

struct random { uint64_t state; };

static uint32_t next(struct random *r)
{
    r->state = r->state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(r->state >> 33) ^ (uint32_t)(r->state >> 13);
}

static uint32_t below(struct random *r, uint32_t n)
{
    return next(r) % n;
}

/* ---- dialects ------------------------------------------------------------------------------------------ */

struct dialect {
    const char *name, *header, *option;
    bool fragment, old, flags;
    const char *const *inputs, *const *results;         /* as the text names them */
    const char *const *gives, *const *takes;            /* as the GL does */
    const char *opcodes;        /* name/operands, v vector, s scalar; ~ an approximation */
};

static const char *const arb_in[] = {"vertex.texcoord[0]", "vertex.texcoord[1]", "vertex.color"};
static const char *const arb_out[] = {"result.texcoord[0]", "result.texcoord[1]", "result.texcoord[2]", "result.texcoord[3]"};
static const char *const old_in[] = {"v[TEX0]", "v[TEX1]", "v[COL0]"};
static const char *const old_out[] = {"o[TEX0]", "o[TEX1]", "o[TEX2]", "o[TEX3]"};
static const char *const fp_in[] = {"fragment.texcoord[0]", "fragment.texcoord[1]", "fragment.texcoord[2]"};
static const char *const fp_out[] = {"result.color"};
static const char *const fp10_in[] = {"f[TEX0]", "f[TEX1]", "f[TEX2]"};
static const char *const fp10_out[] = {"o[COLR]"};

#define BOTH_OPS "ABS/v ADD/vv DP3/vv DP4/vv DPH/vv DST/vv EX2/s~ FLR/v FRC/v LG2/s~ LIT/v~ MAD/vvv MAX/vv MIN/vv MOV/v MUL/vv " \
                 "POW/ss~ RCP/s~ RSQ/s~ SGE/vv SLT/vv SUB/vv XPD/vv "
#define SET_OPS "SEQ/vv SGT/vv SLE/vv SNE/vv SFL/vv STR/vv "

static const struct dialect dialects[] = {
    {"avp", "!!ARBvp1.0", "", false, false, false, arb_in, arb_out, arb_in, arb_out, BOTH_OPS "EXP/s~ LOG/s~"},
    {"avp2", "!!ARBvp1.0", "OPTION NV_vertex_program2;\n", false, false, true, arb_in, arb_out, arb_in, arb_out,
     BOTH_OPS SET_OPS "EXP/s~ LOG/s~ SSG/v RCC/s~ SIN/s~ COS/s~"},
    {"avp3", "!!ARBvp1.0", "OPTION NV_vertex_program3;\n", false, false, true, arb_in, arb_out, arb_in, arb_out,
     BOTH_OPS SET_OPS "EXP/s~ LOG/s~ SSG/v RCC/s~ SIN/s~ COS/s~"},
    {"vp10", "!!VP1.0", "", false, true, false, old_in, old_out, arb_in, arb_out,
     "MOV/v MUL/vv ADD/vv MAD/vvv RCP/s~ RSQ/s~ DP3/vv DP4/vv DST/vv MIN/vv MAX/vv SLT/vv SGE/vv EXP/s~ LOG/s~ LIT/v~"},
    {"vp11", "!!VP1.1", "", false, true, false, old_in, old_out, arb_in, arb_out,
     "MOV/v MUL/vv ADD/vv MAD/vvv RCP/s~ RSQ/s~ DP3/vv DP4/vv DST/vv MIN/vv MAX/vv SLT/vv SGE/vv EXP/s~ LOG/s~ LIT/v~ "
     "DPH/vv RCC/s~ SUB/vv ABS/v"},
    {"vp20", "!!VP2.0", "", false, true, true, old_in, old_out, arb_in, arb_out,
     "MOV/v MUL/vv ADD/vv MAD/vvv RCP/s~ RSQ/s~ DP3/vv DP4/vv DST/vv MIN/vv MAX/vv SLT/vv SGE/vv EXP/s~ LOG/s~ LIT/v~ "
     "DPH/vv RCC/s~ SUB/vv ABS/v FLR/v FRC/v SSG/v EX2/s~ LG2/s~ SIN/s~ COS/s~ " SET_OPS},
    {"vp4", "!!NVvp4.0", "", false, false, false, arb_in, arb_out, arb_in, arb_out,
     BOTH_OPS SET_OPS "SSG/v RCC/s~ SIN/s~ COS/s~ CEIL/v ROUND/v TRUNC/v CMP/vvv DIV/vs~ DP2/vv DP2A/vvv LRP/vvv X2D/vvv"},
    {"vp5", "!!NVvp5.0", "", false, false, false, arb_in, arb_out, arb_in, arb_out,
     BOTH_OPS SET_OPS "SSG/v RCC/s~ SIN/s~ COS/s~ CEIL/v ROUND/v TRUNC/v CMP/vvv DIV/vs~ DP2/vv DP2A/vvv LRP/vvv X2D/vvv"},
    {"afp", "!!ARBfp1.0", "", true, false, false, fp_in, fp_out, fp_in, fp_out, BOTH_OPS "CMP/vvv LRP/vvv SIN/s~ COS/s~"},
    {"afp1", "!!ARBfp1.0", "OPTION NV_fragment_program;\n", true, false, true, fp_in, fp_out, fp_in, fp_out,
     BOTH_OPS SET_OPS "CMP/vvv LRP/vvv SIN/s~ COS/s~ RFL/vv X2D/vvv"},
    {"afp2", "!!ARBfp1.0", "OPTION NV_fragment_program2;\n", true, false, true, fp_in, fp_out, fp_in, fp_out,
     BOTH_OPS SET_OPS "CMP/vvv LRP/vvv SIN/s~ COS/s~ RFL/vv X2D/vvv DIV/vs~ DP2/vv DP2A/vvv NRM/v~"},
    {"fp10", "!!FP1.0", "", true, true, true, fp10_in, fp10_out, fp_in, fp_out,
     "MOV/v MUL/vv ADD/vv MAD/vvv RCP/s~ RSQ/s~ DP3/vv DP4/vv DST/vv MIN/vv MAX/vv SLT/vv SGE/vv LIT/v~ SUB/vv FLR/v FRC/v EX2/s~ "
     "LG2/s~ SIN/s~ COS/s~ POW/ss~ LRP/vvv RFL/vv X2D/vvv " SET_OPS},
    {"fp4", "!!NVfp4.0", "", true, false, false, fp_in, fp_out, fp_in, fp_out,
     BOTH_OPS SET_OPS "SSG/v RCC/s~ SIN/s~ COS/s~ CEIL/v ROUND/v TRUNC/v CMP/vvv DIV/vs~ DP2/vv DP2A/vvv LRP/vvv X2D/vvv"},
    {"fp5", "!!NVfp5.0", "", true, false, false, fp_in, fp_out, fp_in, fp_out,
     BOTH_OPS SET_OPS "SSG/v RCC/s~ SIN/s~ COS/s~ CEIL/v ROUND/v TRUNC/v CMP/vvv DIV/vs~ DP2/vv DP2A/vvv LRP/vvv X2D/vvv"},
};

static const struct dialect *find_dialect(const char *name)
{
    for (size_t i = 0; i < sizeof dialects / sizeof *dialects; i++)
        if (!strcmp(dialects[i].name, name))
            return &dialects[i];
    return NULL;
}

/* ---- programs ------------------------------------------------------------------------------------------ */

struct program {
    char text[TEXT];
    size_t size;
    bool rough;                 /* an approximation is in it */
    uint32_t words[INPUTS][ELEMENTS * 4];
};

static void say(struct program *p, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    p->size += (size_t)vsnprintf(p->text + p->size, TEXT - p->size, format, args);
    va_end(args);
}

static void operand(struct program *p, struct random *r, const struct dialect *d, bool scalar, unsigned temps)
{
    static const char letters[] = "xyzw";
    bool minus = !below(r, 4), bars = (d->flags || strstr(d->header, "NV")) && !below(r, 8) && !(d->old && !d->flags);
    uint32_t which = below(r, 8);

    say(p, "%s%s", minus ? "-" : "", bars ? "|" : "");
    if (which < temps || d->old)        /* an instruction of the older headers has one input at most */
        say(p, d->old ? "R%u" : "t%u", d->old ? which % (temps + INPUTS) : which);
    else
        say(p, "%s", d->inputs[which % INPUTS]);
    if (scalar || !below(r, 6))
        say(p, ".%c", letters[below(r, 4)]);
    else if (!below(r, 3))
        say(p, ".%c%c%c%c", letters[below(r, 4)], letters[below(r, 4)], letters[below(r, 4)], letters[below(r, 4)]);
    say(p, "%s", bars ? "|" : "");
}

static void mask(struct program *p, struct random *r)
{
    static const char *const masks[] = {"", "", "", ".x", ".y", ".z", ".w", ".xy", ".xyz", ".yw", ".xzw"};

    say(p, "%s", masks[below(r, sizeof masks / sizeof *masks)]);
}

/* One of the dialect's opcodes: its name, and what it takes. */
static const char *choose(const struct dialect *d, struct random *r, char name[8], bool *rough)
{
    size_t n = 1, at;
    const char *o = d->opcodes, *shape;

    for (const char *c = d->opcodes; *c; c++)
        n += *c == ' ' && c[1];
    for (at = below(r, (uint32_t)n); at--;)
        o = strchr(o, ' ') + 1;
    shape = strchr(o, '/');
    snprintf(name, 8, "%.*s", (int)(shape - o), o);
    *rough = shape[strcspn(shape, " ~")] == '~';
    return shape + 1;
}

static void instruction(struct program *p, struct random *r, const struct dialect *d, const char *to, unsigned temps)
{
    char name[8];
    bool rough, saturates = d->fragment && !below(r, 6);
    const char *shape = choose(d, r, name, &rough);

    p->rough |= rough;
    say(p, "%s%s ", name, !saturates ? "" : strstr(d->header, "NV") ? ".SAT" : "_SAT");
    say(p, "%s", to);
    mask(p, r);
    for (; *shape == 'v' || *shape == 's'; shape++) {
        say(p, ", ");
        operand(p, r, d, *shape == 's', temps);
    }
    say(p, ";\n");
}

static const uint32_t nasty[] = {
    0, 0x80000000, 1, 0x807fffff, 0x00800000, 0x7f7fffff, 0x7f800000, 0xff800000, 0x7fc00000, 0xffc12345, 0x7f812345, 0x3f800000, 0xbf800000,
    0x3f000000, 0x40000000, 0x42fe0000, 0xc3000000, 0x4b000001, 0x3effffff, 0x3f7fffff, 0x41200000, 0x7e800000, 0x01800000};

/* Words that every driver takes as they are: no denormals, which llvmpipe flushes, and no NaNs, of which its MIN and MAX are its own. As
 * attributes of fragments infinities and -0 are lost too, in the arithmetic of a point's interpolation. */
static bool is_plain(uint32_t word, bool fragment)
{
    uint32_t exponent = word >> 23 & 255;

    if (fragment && exponent == 255)
        return false;
    return exponent ? exponent < 255 || !(word << 9) : !word;
}

static void fill(struct program *p, struct random *r, bool tame, bool fragment)
{
    for (unsigned i = 0; i < INPUTS; i++)
        for (unsigned k = 0; k < ELEMENTS * 4; k++) {
            float value = (float)((int32_t)next(r) % 4096) / (float)(1 << below(r, 12));
            memcpy(&p->words[i][k], &value, sizeof value);
            uint32_t word = nasty[below(r, sizeof nasty / sizeof *nasty)];
            if (k % 8 >= 4 && (!tame || is_plain(word, fragment)))
                p->words[i][k] = word;
        }
}

/* `tame`: plain words alone. */
static void make(struct program *p, struct random *r, const struct dialect *d, bool tame)
{
    unsigned results = d->fragment ? 1 : RESULTS, temps = below(r, 3);
    char to[8];

    memset(p, 0, sizeof *p);
    say(p, "%s\n%s", d->header, d->option);
    if (!d->old)
        say(p, "TEMP t0, t1;\n");
    for (unsigned i = 0; d->old && i < INPUTS; i++)
        say(p, "MOV R%u, %s;\n", temps + i, d->inputs[i]);
    for (unsigned i = 0; i < temps; i++) {
        snprintf(to, sizeof to, d->old ? "R%u" : "t%u", i);
        say(p, "MOV %s, %s;\n", to, d->inputs[i]);
        instruction(p, r, d, to, i);
    }
    for (unsigned i = 0; i < results; i++) {
        say(p, "MOV %s, %s;\n", d->results[i], d->inputs[i % INPUTS]);
        instruction(p, r, d, d->results[i], temps);
    }
    if (!d->fragment)
        say(p, "MOV %s, %s;\n", d->old ? "o[HPOS]" : "result.position", d->old ? "v[OPOS]" : "vertex.position");
    say(p, "END\n");
    fill(p, r, tame, d->fragment);
}

/* ---- both sides ---------------------------------------------------------------------------------------- */

struct sweep {
    const struct dialect *d;
    struct program *programs;
    bool nvidia, verbose;
    uint64_t cases, compared, undefined, different, refused;
};

static void reference(const struct dialect *d, const struct program *p, enum gp5_semantics semantics, uint32_t out[RESULTS][ELEMENTS * 4],
                      uint32_t undefined[RESULTS][ELEMENTS * 4], bool *ok)
{
    struct gp5_run_options options = {.semantics = semantics, .track_undefined = true, .jobs = 1};
    struct gp5_array in[INPUTS], results[RESULTS];
    struct gp5_report report = {0};
    struct gp5_state state;
    char *message = NULL;
    size_t offset, nresults = d->fragment ? 1 : RESULTS;
    gp5_program *program = gp5_parse(p->text, p->size);
    gp5_executable *x = program ? gp5_prepare(program, &options, &message, &offset) : NULL;

    *ok = x != NULL;
    if (!x)
        fprintf(stderr, "%s%s\n", p->text, message ? message : "out of memory");
    gp5_state_init(&state);
    state.clamp_vertex_color = false;
    for (unsigned i = 0; i < INPUTS; i++)
        in[i] = (struct gp5_array){.binding = d->inputs[i], .words = (uint32_t *)(uintptr_t)p->words[i], .count = ELEMENTS};
    for (unsigned i = 0; i < nresults; i++)
        results[i] = (struct gp5_array){.binding = d->results[i], .words = out[i], .count = ELEMENTS, .undefined = undefined[i]};
    struct gp5_launch launch = {.count = ELEMENTS, .width = ELEMENTS, .height = 1, .points = true, .inputs = in, .ninputs = INPUTS,
                                .results = results, .nresults = nresults, .state = &state};
    if (x && gp5_execute(x, &launch, &options, &report) != GP5_RUN_OK) {
        fprintf(stderr, "%s%s\n", p->text, report.message);
        *ok = false;
    }
    gp5_report_free(&report);
    gp5_text_free(message);
    gp5_executable_free(x);
    gp5_program_free(program);
}

static bool alike(const struct sweep *s, const struct program *p, uint32_t a, uint32_t b)
{
    float x, y;

    if (a == b)
        return true;
    memcpy(&x, &a, 4);
    memcpy(&y, &b, 4);
    if (isnan(x) && isnan(y))
        return !s->nvidia || true;      /* which NaN it is is compared by the recordings of single instructions */
    if (s->nvidia)
        return false;
    if (fabsf(x) < 1.2e-38f && fabsf(y) < 1.2e-38f)
        return true;
    return p->rough ? fabsf(x - y) <= 1e-4f * fmaxf(fabsf(x), fabsf(y)) + 1e-5f || (isinf(x) && isinf(y)) || isnan(x) != isnan(y)
                    : fabsf(x - y) <= 4e-7f * fmaxf(fabsf(x), fabsf(y)) + 1e-30f;
}

static bool compare(void *user, size_t index, const struct driver_case *c, const struct driver_result *r)
{
    struct sweep *s = user;
    const struct program *p = &s->programs[index];
    uint32_t ours[RESULTS][ELEMENTS * 4] = {{0}}, undefined[RESULTS][ELEMENTS * 4] = {{0}};
    unsigned results = s->d->fragment ? 1 : RESULTS, shown = 0;
    bool ok;

    (void)c;
    s->cases++;
    if (r->status != DRIVER_RAN) {
        s->refused++;
        if (s->verbose)
            printf("%s%s: %s %s\n", p->text, driver_status_name(r->status), r->message, r->detail);
        return true;
    }
    reference(s->d, p, s->nvidia ? GP5_SEMANTICS_NVIDIA : GP5_SEMANTICS_SPEC, ours, undefined, &ok);
    if (!ok) {
        s->different++;
        return true;
    }
    for (unsigned i = 0; i < results; i++)
        for (unsigned k = 0; k < ELEMENTS * 4; k++) {
            uint32_t theirs;
            memcpy(&theirs, (s->d->fragment ? r->colors[0].data : r->vertices[i].data) + 4 * (size_t)k, 4);
            if (undefined[i][k]) {
                s->undefined++;
                continue;
            }
            s->compared++;
            if (alike(s, p, ours[i][k], theirs))
                continue;
            if (!shown++)
                s->different++;
            if (shown <= 3) {
                printf("%s%s.%c [%u]: %08x, the driver %08x; of", shown > 1 ? "" : p->text, s->d->results[i], "xyzw"[k % 4], k / 4,
                       ours[i][k], theirs);
                for (unsigned m = 0; m < INPUTS; m++)
                    printf(" (%08x %08x %08x %08x)", p->words[m][k / 4 * 4], p->words[m][k / 4 * 4 + 1], p->words[m][k / 4 * 4 + 2],
                           p->words[m][k / 4 * 4 + 3]);
                puts("");
            }
        }
    return true;
}

static bool batch(struct sweep *s, struct driver *driver, struct random *r, size_t n)
{
    static const float positions[ELEMENTS * 4];
    struct driver_case *cases = calloc(n, sizeof *cases);
    struct driver_array (*arrays)[INPUTS + 1] = calloc(n, sizeof *arrays);
    struct driver_attribute (*attributes)[INPUTS] = calloc(n, sizeof *attributes);

    for (size_t i = 0; i < n; i++) {
        struct program *p = &s->programs[i];
        struct driver_case *c = &cases[i];
        make(p, r, s->d, s->d->fragment || !s->nvidia);
        *c = (struct driver_case){.stage = s->d->fragment ? DRIVER_FRAGMENT : DRIVER_VERTEX, .program = p->text, .program_size = p->size};
        for (unsigned k = 0; k < INPUTS; k++) {
            arrays[i][k] = (struct driver_array){s->d->gives[k], p->words[k], sizeof p->words[k]};
            attributes[i][k] = (struct driver_attribute){DRIVER_TEXCOORD, k, p->words[k], sizeof p->words[k]};
        }
        arrays[i][INPUTS] = (struct driver_array){"vertex.position", positions, sizeof positions};
        if (s->d->fragment)
            c->raster = (struct driver_raster){.primitive = DRIVER_POINTS, .width = ELEMENTS, .height = 1, .color_outputs = 1,
                                               .attributes = attributes[i], .attribute_count = INPUTS};
        else
            c->vertices = (struct driver_vertices){ELEMENTS, arrays[i], INPUTS + 1, s->d->takes, RESULTS};
    }
    bool ok = driver_run(driver, cases, n, compare, s);
    free(cases);
    free(arrays);
    free(attributes);
    return ok;
}

int main(int argc, char **argv)
{
    static const struct option options[] = {{"driver", required_argument, NULL, 'd'}, {"dialect", required_argument, NULL, 'p'},
                                            {"count", required_argument, NULL, 'n'}, {"seed", required_argument, NULL, 's'}, {0}};
    struct driver_options open = {.context = NULL};
    struct sweep s = {.d = &dialects[0]};
    struct random r = {1};
    struct driver *driver;
    char *reason;
    size_t count = 1000;
    int c;

    while ((c = getopt_long(argc, argv, "v", options, NULL)) != -1)
        switch (c) {
        case 'd': open.context = optarg; break;
        case 'p': s.d = find_dialect(optarg); break;
        case 'n': count = strtoul(optarg, NULL, 10); break;
        case 's': r.state = strtoul(optarg, NULL, 10); break;
        case 'v': s.verbose = true; break;
        default: return 2;
        }
    s.programs = calloc(BATCH, sizeof *s.programs);
    if (!s.d || !s.programs)
        return 2;
    enum driver_open_status status = driver_open(&open, &driver, &reason);
    if (status != DRIVER_OPENED) {
        fprintf(stderr, "%s\n", reason);
        return status == DRIVER_NO_CONTEXT ? 77 : 2;
    }
    s.nvidia = strstr(driver_describe(driver)->vendor, "NVIDIA") != NULL;
    for (size_t done = 0; done < count; done += BATCH)
        if (!batch(&s, driver, &r, count - done < BATCH ? count - done : BATCH))
            return 2;
    printf("%s: %llu cases, %llu words compared, %llu undefined, %llu different, %llu refused\n", s.d->name, (unsigned long long)s.cases,
           (unsigned long long)s.compared, (unsigned long long)s.undefined, (unsigned long long)s.different, (unsigned long long)s.refused);
    driver_close(driver);
    free(s.programs);
    return s.different != 0;
}
