/* ARB vertex and fragment programs on a driver and on the reference: every opcode with every mask, swizzle and sign.
 *
 *   arb_sweep [--driver=KIND] [--first=N] [--count=N] [--stage=vertex|fragment] [-v]
 *
 * Case n is one instruction: opcodes and masks are counted through, so that each opcode meets all masks and, with 15 of
 * them, all 256 swizzles; signs, operands and numbers follow from n. Eight cases are a program (a KIL is one by
 * itself), run on 16 elements. Words are to be the same but for an opcode's rule and the deviations of the driver
 * (compare/driver/deviations.def). The last line counts: "N cases, N words compared, N undefined, N different". */
#include "compare/driver/deviations.h"
#include "tests/tools/stage_programs.h"

#include <getopt.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { ELEMENTS = 16, RESULTS = 8, INPUTS = 4, PARAMETERS = 4, BATCH = 128, TEXT = 4096 };

/* ---- opcodes and their rules
 * ----------------------------------------------------------------------------------------- */

enum stages { VP = 1, FP = 2 };

/* How the words of a result are compared. The specifications leave the order of sums open, ask for about 10 bits of
 * functions, and say nothing of infinities and NaNs in most; the bounds are what llvmpipe was measured to keep. */
enum rule {
    EXACT,    /* the same number */
    SUM,      /* within 2^-21 of the sum of the magnitudes of its products; where one of these is no
               * number the driver may have left it out (DEVIATES_SUMS) */
    CHOICE,   /* of a NaN and a number (DEVIATES_NANS) either */
    ROOT,     /* RCP and RSQ: within 2 units of the last place */
    FUNCTION, /* within 2^-21 of the result, and 2^-21; not of zeros, infinities, NaNs */
    TEXEL,                      /* the same texel, but where the quotient lies on the edge of two */
    ANGLE,    /* within 2^-21 for each radian, and 2^-21 */
    POWER     /* within 2^-20 of the result for each unit of its logarithm and its exponent; of a base above 0 */
};

static const struct opcode {
    const char *name, *shape;   /* v vector, s scalar, e swizzle with 0 and 1, t texture */
    unsigned stages;
    enum rule rule;
} opcodes[] = {{"ABS", "v", VP | FP, EXACT},   {"ADD", "vv", VP | FP, EXACT},   {"CMP", "vvv", FP, EXACT},
               {"COS", "s", FP, ANGLE},        {"DP3", "vv", VP | FP, SUM},     {"DP4", "vv", VP | FP, SUM},
               {"DPH", "vv", VP | FP, SUM},    {"DST", "vv", VP | FP, EXACT},   {"EX2", "s", VP | FP, POWER},
               {"EXP", "s", VP, POWER},        {"FLR", "v", VP | FP, EXACT},    {"FRC", "v", VP | FP, EXACT},
               {"KIL", "v", FP, EXACT},        {"LG2", "s", VP | FP, FUNCTION}, {"LIT", "v", VP | FP, POWER},
               {"LOG", "s", VP, FUNCTION},     {"LRP", "vvv", FP, SUM},         {"MAD", "vvv", VP | FP, EXACT},
               {"MAX", "vv", VP | FP, CHOICE}, {"MIN", "vv", VP | FP, CHOICE},  {"MOV", "v", VP | FP, EXACT},
               {"MUL", "vv", VP | FP, EXACT},  {"POW", "ss", VP | FP, POWER},   {"RCP", "s", VP | FP, ROOT},
               {"RSQ", "s", VP | FP, ROOT},    {"SCS", "s", FP, ANGLE},         {"SGE", "vv", VP | FP, EXACT},
               {"SIN", "s", FP, ANGLE},        {"SLT", "vv", VP | FP, EXACT},   {"SUB", "vv", VP | FP, EXACT},
               {"SWZ", "e", VP | FP, EXACT},   {"TEX", "t", FP, EXACT},         {"TXB", "t", FP, EXACT},
               {"TXP", "t", FP, TEXEL},        {"XPD", "vv", VP | FP, SUM}};

/* ---- programs
 * ---------------------------------------------------------------------------------------------------------- */

struct source { uint8_t kind, index, swizzle; bool minus; };      /* kind: 0 a parameter, else an input */
struct arb_case {
    const struct opcode *op;
    bool clamps, wrong;
    struct source sources[3];
    char line[320];
    struct subject_difference first;
};

struct arb_program {
    char text[TEXT];
    size_t size;
    unsigned cases, first;
    struct arb_case of[RESULTS];
    uint32_t words[INPUTS][ELEMENTS * 4];
    struct driver_array arrays[INPUTS + 1];
    struct driver_attribute attributes[INPUTS];
    struct driver_parameter local[PARAMETERS];
    struct driver_texture texture;
    _Alignas(16) float texels[8 * 8 * 4];
    struct subject subject;
};

struct sweep {
    struct arb_program *programs;
    bool fragment, verbose;
    uint32_t deviations;
    uint64_t cases, compared, undefined, different, wrong[sizeof opcodes / sizeof *opcodes];
};

static void say(struct arb_program *p, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    p->size += (size_t)vsnprintf(p->text + p->size, TEXT - p->size, format, args);
    va_end(args);
}

static const char *const vertex_inputs[] = {"vertex.texcoord[0]", "vertex.texcoord[1]", "vertex.texcoord[2]",
                                            "vertex.texcoord[3]"};
static const char *const fragment_inputs[] = {"fragment.texcoord[0]", "fragment.texcoord[1]", "fragment.texcoord[2]",
                                              "fragment.texcoord[3]"};
static const char *const vertex_results[] = {"result.texcoord[0]", "result.texcoord[1]", "result.texcoord[2]",
                                             "result.texcoord[3]", "result.texcoord[4]", "result.texcoord[5]",
                                             "result.texcoord[6]", "result.texcoord[7]"};
static const char *const fragment_results[] = {"result.color[0]", "result.color[1]", "result.color[2]",
                                               "result.color[3]", "result.color[4]", "result.color[5]",
                                               "result.color[6]", "result.color[7]"};

/* What it takes its operands from: an input, a parameter, a temporary with an input in it; two inputs or parameters of
 * one instruction are the same one, as the language wants it. */
static struct source choose(struct random *r, const unsigned one[2], char shape, unsigned swizzle)
{
    struct source from = {.kind = (uint8_t)random_below(r, 4),
                          .swizzle = (uint8_t)(shape == 's' ? (swizzle & 3) * 0x55 : swizzle)};

    from.minus = shape != 'e' && shape != 't' && random_below(r, 2);
    from.index = (uint8_t)(from.kind == 1 ? random_below(r, 2) : one[from.kind > 1]);
    if (shape == 'e' || shape == 't')
        from.swizzle = 0xe4;
    return from;
}

static void write_operand(char *to, size_t size, struct random *r, const struct source *from, const char *const *inputs,
                          char shape)
{
    static const char letters[] = "xyzw", extended[] = "xyzw01";
    const char *sign = from->minus ? "-" : "";
    unsigned s = from->swizzle;
    size_t n;

    if (from->kind == 0)
        n = (size_t)snprintf(to, size, "%sprogram.local[%u]", sign, from->index);
    else if (from->kind == 1)
        n = (size_t)snprintf(to, size, "%st%u", sign, from->index);
    else
        n = (size_t)snprintf(to, size, "%s%s", sign, inputs[from->index]);
    if (shape == 's')
        snprintf(to + n, size - n, ".%c", letters[s & 3]);
    else if (s != 0xe4)
        snprintf(to + n, size - n, ".%c%c%c%c", letters[s & 3], letters[s >> 2 & 3], letters[s >> 4 & 3],
                 letters[s >> 6]);
    for (unsigned i = 0; shape == 'e' && i < 4; i++)
        n += (size_t)snprintf(to + n, size - n, ",%s%c", random_below(r, 2) ? "-" : "", extended[random_below(r, 6)]);
}

static void instruction(struct arb_program *p, const struct sweep *s, unsigned number, const struct opcode *o,
                        const char *result)
{
    static const char *const masks[] = {"",   ".x",  ".y",  ".xy",  ".z",  ".xz",  ".yz", ".xyz",
                                        ".w", ".xw", ".yw", ".xyw", ".zw", ".xzw", ".yzw"};
    struct random r = {number * UINT64_C(0x9e3779b97f4a7c15) + 1};
    struct arb_case *c = &p->of[p->cases++];
    const char *const *inputs = s->fragment ? fragment_inputs : vertex_inputs;
    unsigned one[2] = {random_below(&r, PARAMETERS), random_below(&r, INPUTS)}, round = number / 15;
    char operands[160] = "";
    size_t n = 0;

    random_next(&r);
    *c = (struct arb_case){.op = o, .clamps = s->fragment && !random_below(&r, 4) && strcmp(o->name, "KIL")};
    for (const char *shape = o->shape; *shape; shape++) {
        n += (size_t)snprintf(operands + n, sizeof operands - n, "%s", n ? ", " : "");
        struct source *from = &c->sources[shape - o->shape];
        *from = choose(&r, one, *shape, (round * 37 + (unsigned)(shape - o->shape) * 91) & 255);
        write_operand(operands + n, sizeof operands - n, &r, from, inputs, *shape);
        n = strlen(operands);
    }
    if (!strcmp(o->name, "KIL"))
        snprintf(c->line, sizeof c->line, "KIL %s;\n", operands);
    else
        snprintf(c->line, sizeof c->line, "%s%s %s%s, %s%s;\n", o->name, c->clamps ? "_SAT" : "", result,
                 masks[number % 15], operands, *o->shape == 't' ? ", texture[0], 2D" : "");
    say(p, "%s", c->line);
}

/* Numbers of all sizes, whole ones and halves; infinities, NaNs and zeros where they arrive. */
static uint32_t word(struct random *r, bool special)
{
    static const uint32_t specials[] = {0,          0x80000000, 0x7f800000, 0xff800000, 0x7fc00000,
                                        0x3f800000, 0xbf800000, 0x3f000000, 0x40000000};
    float value = (float)((int32_t)random_next(r) % 4096) / (float)(1 << random_below(r, 12));
    uint32_t bits;

    if (special && !random_below(r, 4))
        return specials[random_below(r, sizeof specials / sizeof *specials)];
    memcpy(&bits, &value, 4);
    return bits << 1 ? bits : 0x3f800000;
}

static void give(struct arb_program *p, bool fragment, unsigned seed)
{
    struct random r = {seed};
    struct driver_case *c = &p->subject.c;
    static const uint32_t positions[ELEMENTS * 4];

    for (unsigned i = 0; i < INPUTS; i++) {
        for (unsigned k = 0; k < ELEMENTS * 4; k++)
            p->words[i][k] = word(&r, !fragment);
        p->arrays[i] = (struct driver_array){vertex_inputs[i], p->words[i], sizeof p->words[i]};
        p->attributes[i] = (struct driver_attribute){DRIVER_TEXCOORD, i, p->words[i], sizeof p->words[i]};
        p->subject.reads[i] = fragment ? fragment_inputs[i] : vertex_inputs[i];
    }
    p->arrays[INPUTS] = (struct driver_array){"vertex.position", positions, sizeof positions};
    for (unsigned i = 0; i < PARAMETERS; i++) {
        p->local[i].index = i;
        for (unsigned k = 0; k < 4; k++)
            p->local[i].bits[k] = word(&r, true);
    }
    for (unsigned i = 0; i < 8 * 8 * 4; i++)
        p->texels[i] = (float)random_below(&r, 1000) / 8;
    struct gp5_texture *t = &p->texture.texture;
    *t = (struct gp5_texture){.kind = GP5_TEXTURE_2D,
                              .format = GP5_FORMAT_RGBA32F,
                              .size = {8, 8, 1},
                              .levels = 1,
                              .data = (uint8_t *)p->texels,
                              .bytes = sizeof p->texels};
    t->sampler = (struct gp5_sampler){.max_lod = 1000, .min_lod = -1000};
    c->stage = fragment ? DRIVER_FRAGMENT : DRIVER_VERTEX;
    c->program = p->text;
    c->program_size = p->size;
    c->local = p->local;
    c->local_count = PARAMETERS;
    if (fragment) {
        c->textures = &p->texture;
        c->texture_count = 1;
        c->raster = (struct driver_raster){.primitive = DRIVER_POINTS,
                                           .width = ELEMENTS,
                                           .height = 1,
                                           .color_outputs = RESULTS,
                                           .attributes = p->attributes,
                                           .attribute_count = INPUTS};
    } else {
        c->vertices = (struct driver_vertices){.count = ELEMENTS,
                                               .inputs = p->arrays,
                                               .input_count = INPUTS + 1,
                                               .results = vertex_results,
                                               .result_count = RESULTS};
    }
    for (unsigned i = 0; i < RESULTS; i++)
        p->subject.planes[i].binding = fragment ? fragment_results[i] : vertex_results[i];
}

/* The next program from case *number on. */
static void make(struct arb_program *p, const struct sweep *s, unsigned *number, unsigned end)
{
    const struct opcode *ops[sizeof opcodes / sizeof *opcodes];
    unsigned n = 0;

    for (size_t i = 0; i < sizeof opcodes / sizeof *opcodes; i++)
        if (opcodes[i].stages & (s->fragment ? FP : VP))
            ops[n++] = &opcodes[i];
    memset(p, 0, sizeof *p);
    p->first = *number;
    say(p, "%s", s->fragment ? "!!ARBfp1.0\nOPTION ARB_draw_buffers;\n" : "!!ARBvp1.0\n");
    say(p, "TEMP t0, t1;\nMOV t0, %s.texcoord[0];\nMOV t1, %s.texcoord[3];\n", s->fragment ? "fragment" : "vertex",
        s->fragment ? "fragment" : "vertex");
    for (unsigned i = 0; i < RESULTS; i++)
        say(p, "MOV %s, t%u;\n", s->fragment ? fragment_results[i] : vertex_results[i], i & 1);
    for (bool kills = false; p->cases < RESULTS && *number < end && !kills; ++*number) {
        const struct opcode *o = ops[*number % n];
        kills = !strcmp(o->name, "KIL");
        if (kills && p->cases)
            break;              /* the next one's */
        instruction(p, s, *number / n, o, s->fragment ? fragment_results[p->cases] : vertex_results[p->cases]);
    }
    if (!s->fragment)
        say(p, "MOV result.position, vertex.position;\n");
    say(p, "END\n");
    give(p, s->fragment, p->first + 7);
}

/* ---- judging
 * ----------------------------------------------------------------------------------------------------------- */

struct judged { const struct sweep *s; struct arb_program *p; struct arb_case *c; };

static float float_of(uint32_t word)
{
    float f;

    memcpy(&f, &word, 4);
    return f;
}

static bool is_tiny(float x)
{
    return fabsf(x) < 1.1754944e-38f;
}

/* Component c of operand k, as the instruction has it. */
static float operand(const struct judged *j, const struct subject_difference *d, unsigned k, unsigned c)
{
    const struct source *from = &j->c->sources[k];
    unsigned at = from->swizzle >> 2 * c & 3;
    uint32_t word = from->kind == 0 ? j->p->local[from->index].bits[at]
                                    : j->p->words[from->kind == 1 ? 3 * from->index : from->index][4 * d->element + at];

    return from->minus ? -float_of(word) : float_of(word);
}

/* The sum of the magnitudes of what a result is the sum of. */
static float magnitude(const struct judged *j, const struct subject_difference *d)
{
    const char *name = j->c->op->name;
    unsigned c = d->component, n = !strcmp(name, "DP4") ? 4 : 3;
    float sum = 0;

    if (!strcmp(name, "XPD")) {
        unsigned y = (c + 1) % 3, z = (c + 2) % 3;
        return fabsf(operand(j, d, 0, y) * operand(j, d, 1, z)) + fabsf(operand(j, d, 0, z) * operand(j, d, 1, y));
    }
    if (!strcmp(name, "LRP")) {
        float a = operand(j, d, 0, c), b = operand(j, d, 1, c), e = operand(j, d, 2, c);
        return fabsf(a * b) + fabsf(a * e) + fabsf(e);
    }
    for (unsigned i = 0; i < n; i++)
        sum += fabsf(operand(j, d, 0, i) * operand(j, d, 1, i));
    return !strcmp(name, "DPH") ? sum + fabsf(operand(j, d, 1, 3)) : sum;
}

static bool is_number(float x)
{
    return x - x == 0;
}

static bool deviates(const struct judged *j, enum driver_deviation which)
{
    return j->s->deviations >> which & 1;
}

static bool is_power(const struct judged *j, const struct subject_difference *d, float a, float b)
{
    const char *name = j->c->op->name;
    bool lit = !strcmp(name, "LIT"), pow = !strcmp(name, "POW");
    float base = operand(j, d, 0, lit ? 1 : 0), exponent = pow ? operand(j, d, 1, 0) : lit ? operand(j, d, 0, 3) : base;

    if (lit && d->component != 2)
        return deviates(j, DEVIATES_NANS) && isnan(operand(j, d, 0, 0));
    if (!strcmp(name, "EXP") && d->component & 1)
        return !is_number(base);
    if (!is_number(exponent) || !is_number(base) || ((pow || lit) && base <= 0) ||
        (lit && !is_number(operand(j, d, 0, 0))))
        return true;
    float log = fabsf(exponent * (pow || lit ? log2f(base) : 1));
    return fabsf(a - b) <= ldexpf(fmaxf(fabsf(a), fabsf(b)) * (log + fabsf(exponent) + 1), -20) ||
           (isinf(a) && isinf(b)) || log > 120;
}

/* Of a texture of 8 x 8 texels. */
static bool is_on_edge(const struct judged *j, const struct subject_difference *d)
{
    bool edge = false;

    for (unsigned c = 0; c < 2; c++) {
        float at = 8 * operand(j, d, 0, c) / operand(j, d, 0, 3);
        edge |= !(fabsf(at - roundf(at)) > ldexpf(fabsf(at) + 1, -20));
    }
    return edge;
}

static bool alike(const struct judged *j, const struct subject_difference *d)
{
    float a = float_of(d->ours), b = float_of(d->theirs), x;

    if (subject_same(NULL, d) || (is_tiny(a) && is_tiny(b)))
        return true;            /* which zero, and whether denormals stay, is the driver's */
    if (j->c->clamps && isnan(a) && (b == 0 || b == 1) && deviates(j, DEVIATES_CLAMP))
        return true;
    switch (j->c->op->rule) {
    case SUM:
        x = magnitude(j, d);
        return fabsf(a - b) <= ldexpf(x, -21) || (!is_number(x) && deviates(j, DEVIATES_SUMS));
    case CHOICE:
        return deviates(j, DEVIATES_NANS) &&
               (isnan(operand(j, d, 0, d->component)) || isnan(operand(j, d, 1, d->component)));
    case TEXEL: return is_on_edge(j, d);
    case ROOT: return fabsf(a - b) <= ldexpf(fabsf(a), -22);
    case FUNCTION:
        x = operand(j, d, 0, 0);
        return !is_number(x) || x == 0 || fabsf(a - b) <= ldexpf(fabsf(a) + 1, -21);
    case ANGLE:
        x = operand(j, d, 0, 0);
        return !is_number(x) || fabsf(a - b) <= ldexpf(fabsf(x) + 1, -21);
    case POWER: return is_power(j, d, a, b);
    default: return false;
    }
}

static void show(const struct arb_program *p, const struct arb_case *c, const struct subject_difference *f)
{
    printf("%s    %s.%c [%zu]: %08x (%g), the driver %08x (%g); t:", c->line, f->binding, "xyzw"[f->component & 3],
           f -> element, f -> ours, (double)float_of(f->ours), f -> theirs, (double)float_of(f->theirs));
    for (unsigned i = 0; i < INPUTS; i++)
        printf(" (%g %g %g %g)", (double)float_of(p->words[i][4 * f->element]),
               (double)float_of(p->words[i][4 * f->element + 1]), (double)float_of(p->words[i][4 * f->element + 2]),
               (double)float_of(p->words[i][4 * f->element + 3]));
    printf(" l:");
    for (unsigned i = 0; i < PARAMETERS; i++)
        printf(" (%g %g %g %g)", (double)float_of(p->local[i].bits[0]), (double)float_of(p->local[i].bits[1]),
               (double)float_of(p->local[i].bits[2]), (double)float_of(p->local[i].bits[3]));
    puts("");
}

/* Notes which case of a program a difference belongs to; a KIL has all of it. */
static bool note(const void *user, const struct subject_difference *d)
{
    struct judged j = *(const struct judged *)user;

    for (unsigned i = 0; i < j.p->cases; i++)
        if (!strcmp(j.p->subject.planes[i].binding, d->binding))
            j.c = &j.p->of[i];
    if (alike(&j, d))
        return true;
    if (!j.c->wrong)
        j.c->first = *d;
    j.c->wrong = true;
    return false;
}

static void judge(struct sweep *s, struct arb_program *p, const struct subject_got *got)
{
    struct judged j = {s, p, &p->of[0]};
    struct subject_verdict v;

    subject_compare(&p->subject, GP5_SEMANTICS_SPEC, got, note, &j, &v);
    s->cases += p->cases;
    s->compared += v.compared;
    s->undefined += v.undefined;
    if (!v.ran || *v.message)
        printf("%s    %s\n", p->text, v.message);
    for (unsigned i = 0; i < p->cases; i++) {
        struct arb_case *c = &p->of[i];
        if (v.ran && !*v.message && !c->wrong)
            continue;
        s->different++;
        if (s->wrong[c->op - opcodes]++ < (s->verbose ? 1000 : 3) && c->wrong)
            show(p, c, &c->first);
    }
}

static bool compare(void *user, size_t index, const struct driver_case *c, const struct driver_result *r)
{
    struct sweep *s = user;
    struct arb_program *p = &s->programs[index];
    struct subject_got got;

    (void)c;
    subject_take(&p->subject, r, &got);
    if (got.status == DRIVER_RAN) {
        judge(s, p, &got);
    } else {
        printf("%s%s: %s %s\n", p->text, driver_status_name(r->status), r->message, r->detail);
        s->cases += p->cases;
        s->different += p->cases;
    }
    return true;
}

static bool sweep(struct sweep *s, struct driver *driver, unsigned first, unsigned count)
{
    struct driver_case cases[BATCH];
    unsigned number = first;
    size_t n;

    s->cases = s->compared = s->undefined = s->different = 0;
    memset(s->wrong, 0, sizeof s->wrong);
    while (number < first + count) {
        for (n = 0; n < BATCH && number < first + count; n++) {
            make(&s->programs[n], s, &number, first + count);
            cases[n] = s->programs[n].subject.c;
        }
        if (!driver_run(driver, cases, n, compare, s))
            return false;
    }
    for (size_t i = 0; i < sizeof opcodes / sizeof *opcodes; i++)
        if (s->wrong[i])
            printf("    %s: %llu\n", opcodes[i].name, (unsigned long long)s->wrong[i]);
    printf("%s: %llu cases, %llu words compared, %llu undefined, %llu different\n", s->fragment ? "fragment" : "vertex",
           (unsigned long long)s->cases, (unsigned long long)s->compared, (unsigned long long)s->undefined,
           (unsigned long long)s->different);
    return true;
}

int main(int argc, char **argv)
{
    static const struct option options[] = {{"driver", required_argument, NULL, 'd'},
                                            {"first", required_argument, NULL, 'f'},
                                            {"count", required_argument, NULL, 'n'},
                                            {"stage", required_argument, NULL, 's'},
                                            {0}};
    struct driver_options open = {.context = NULL};
    struct sweep s = {.programs = calloc(BATCH, sizeof *s.programs)};
    unsigned first = 0, count = 1000, different = 0;
    const char *stage = NULL;
    struct driver *driver;
    char *reason;
    int c;

    while ((c = getopt_long(argc, argv, "v", options, NULL)) != -1)
        switch (c) {
        case 'd': open.context = optarg; break;
        case 'f': first = (unsigned)strtoul(optarg, NULL, 10); break;
        case 'n': count = (unsigned)strtoul(optarg, NULL, 10); break;
        case 's': stage = optarg; break;
        case 'v': s.verbose = true; break;
        default: return 2;
        }
    enum driver_open_status status = s.programs ? driver_open(&open, &driver, &reason) : DRIVER_BAD_OPTION;
    if (status != DRIVER_OPENED)
        return status == DRIVER_NO_CONTEXT ? 77 : 2;
    s.deviations = driver_deviations(driver_describe(driver));
    for (unsigned k = 0; k < 2; k++) {
        s.fragment = k;
        if (stage && strcmp(stage, k ? "fragment" : "vertex"))
            continue;
        if (!sweep(&s, driver, first, count))
            return 2;
        different += s.different != 0;
    }
    driver_close(driver);
    free(s.programs);
    return different != 0;
}
