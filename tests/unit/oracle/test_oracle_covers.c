/* link: mpfr gmp */
/* What the evaluator runs the oracle (tests/oracle) runs too, and both come to the same words: every form of every
 * instruction that the tables of the language have (tests/tools/cover_forms.h), with the text's readings and with
 * NVIDIA's numbers. A form that one of them lacks fails here.
 * cost: 17 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compare/driver/texture_words.h"
#include "gp5.h"
#include "tests/tools/cover_forms.h"
#include "tests/oracle/oracle.h"

enum {
    BUFFERS = 3,
    IN = 2048,
    OUT = COVER_LANES * COVER_STRIDE,
    OWN = (COVER_LANES + 1) * COVER_SLOT,
    CONSTANTS = 512,
    COUNTERS = 1024,
    TEXTURES = 3,
    TEXELS = 1 << 14,
    SUBROUTINES = 4
};
#if defined(__SANITIZE_ADDRESS__)
enum { SLOWER = 20 };           /* instrumented code */
#else
enum { SLOWER = 1 };
#endif
#define FAR UINT64_C(0x7f1234500000)
#define TEXTURE_HANDLE UINT64_C(0x100000010)
#define IMAGE_HANDLE UINT64_C(0x200000020)

static const size_t sizes[BUFFERS] = {IN, OUT, OWN};

/* What both start with. */
struct inputs {
    uint8_t storage[BUFFERS][OUT > IN ? OUT : IN], constants[CONSTANTS], counters[COUNTERS], texels[TEXTURES][TEXELS];
    struct gp5_parameter env[4], local[5];
    struct gp5_texture texture[TEXTURES];
    struct gp5_image image[TEXTURES];
};

/* What one of them came to. */
struct outputs {
    _Alignas(16) uint8_t storage[BUFFERS][OUT > IN ? OUT : IN];
    _Alignas(16) uint8_t texels[TEXTURES][TEXELS];
    bool open[BUFFERS][OUT / 4], texel_open[TEXTURES][TEXELS / 4];
    uint64_t uses;
};

struct cover {
    struct inputs in;
    struct outputs first, second;
    uint32_t open[OUT / 4], texel_open[TEXTURES][TEXELS / 4];
    unsigned seen, compared, decided, missing, different, left, every;
};

/* ---- inputs ----------------------------------------------------------------------------------------------------- */

static uint32_t draw(uint64_t *state)
{
    static const uint32_t nasty[] = {0,          0x80000000, 1,          0x007fffff, 0x7f7fffff, 0x7f800000, 0xff800000,
                                     0x7fc00001, 0x7fffffff, 0xffffffff, 0x3f800000, 0xbf800000, 0x4f000000, 31,
                                     33,         64,         0x7ff00000, 0x3ff00000, 0x7c01fc00};
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    uint32_t word = (uint32_t)(z >> 32);
    switch (word % 5) {
    case 0: return nasty[word / 5 % (sizeof nasty / sizeof *nasty)];
    case 1: return word >> 26;
    case 2: return (0x3c000000 + (word >> 5 & 0x07ffffff)) | (word & 0x80000000);
    case 3: return 0x3f800000 + (word >> 20 << 12);
    default: return word;
    }
}

static void fill(uint64_t *state, void *to, size_t bytes)
{
    for (size_t at = 0; at < bytes; at += 4) {
        uint32_t word = draw(state);
        memcpy((uint8_t *)to + at, &word, 4);
    }
}

static void draw_inputs(struct inputs *in)
{
    uint64_t state = 77;
    const uint64_t far[2] = {FAR, FAR + 0x100000}, handles[2] = {TEXTURE_HANDLE + 1, IMAGE_HANDLE + 1};
    memset(in, 0, sizeof *in);
    fill(&state, in->storage[0], IN);
    fill(&state, in->storage[2], OWN);
    fill(&state, in->constants, CONSTANTS);
    for (size_t i = 0; i < COUNTERS; i++)
        in->counters[i] = (uint8_t)(draw(&state) >> 24);
    for (unsigned i = 0; i < 5; i++) {
        in->local[i].index = i;
        fill(&state, in->local[i].word, 16);
        if (i < 4) {
            in->env[i].index = i;
            fill(&state, in->env[i].word, 16);
        }
    }
    memcpy(in->local[4].word, far, sizeof far);
    memcpy(in->env[3].word, handles, sizeof handles);
    fill(&state, in->texels, sizeof in->texels);
}

/* Three textures of the kind; which filters, wraps and comparison `turn` says. */
static void shape_textures(struct inputs *in, unsigned kind, unsigned format, unsigned turn)
{
    bool cube = kind == GP5_TEXTURE_CUBE || kind == GP5_TEXTURE_ARRAYCUBE;
    for (unsigned i = 0; i < TEXTURES; i++) {
        struct gp5_texture *t = &in->texture[i];
        texture_begin(t, kind);
        t->unit = i;
        t->format = (uint8_t)format;
        t->size[0] = 8;
        t->size[1] = kind == GP5_TEXTURE_1D || kind == GP5_TEXTURE_BUFFER || kind == GP5_TEXTURE_ARRAY1D ? 1 : 8;
        t->size[2] = cube ? (kind == GP5_TEXTURE_CUBE ? 6 : 12)
                     : kind == GP5_TEXTURE_3D || kind == GP5_TEXTURE_ARRAY1D || kind == GP5_TEXTURE_ARRAY2D ||
                             kind == GP5_TEXTURE_ARRAY2DMS
                         ? 4
                         : 1;
        if (kind == GP5_TEXTURE_2DMS || kind == GP5_TEXTURE_ARRAY2DMS)
            t->samples = 4;
        else if (kind != GP5_TEXTURE_RECT && kind != GP5_TEXTURE_BUFFER)
            t->levels = 3;
        if (i > 0 || turn) {
            unsigned n = turn + i;
            t->sampler.min_filter = t->levels > 1 ? (uint8_t)(n % GP5_FILTERS) : n & 1;
            t->sampler.mag_filter = n & 1;
            for (unsigned k = 0; k < 3; k++)
                t->sampler.wrap[k] = kind == GP5_TEXTURE_RECT
                                         ? (n + k) % 2 ? GP5_WRAP_CLAMP_TO_EDGE : GP5_WRAP_CLAMP_TO_BORDER
                                         : (uint8_t)((n + k) % 5);
            t->sampler.compare = (uint8_t)(format == GP5_FORMAT_DEPTH32F || turn % 4 == 3 ? n % 9 : 0);
            t->sampler.seamless = n >> 1 & 1;
            t->sampler.bias = n & 1 ? 0.3f : 0;
            for (unsigned k = 0; k < 4; k++)
                t->sampler.border[k] = in->local[k].word[1];
        }
        t->bytes = (size_t)gp5_texture_bytes(t, t->levels);
        assert_true(t->bytes <= TEXELS);
        t->handle = TEXTURE_HANDLE + i;
        in->image[i] = (struct gp5_image){.unit = i,
                                          .texture = i,
                                          .layered = i != 1 || !(turn & 1) || t->size[2] == 1,
                                          .layer = turn & 1 && t->size[2] > 1,
                                          .level = i == 1 && t->levels > 1 && turn % 3 == 1,
                                          .format = (uint8_t)format,
                                          .handle = IMAGE_HANDLE + i};
    }
}

/* ---- runs ------------------------------------------------------------------------------------------------------- */

/* False where it is not evaluated. */
static bool run_evaluator(struct cover *v, const gp5_program *p, enum gp5_semantics semantics, struct outputs *to)
{
    struct gp5_run_options options = {.semantics = semantics, .track_undefined = true, .jobs = 1,
                                      .model = semantics == GP5_SEMANTICS_NVIDIA ? "none" : NULL};
    struct gp5_buffer storage[BUFFERS], constants[2] = {{0}}, counters = {.size = COUNTERS};
    static const struct gp5_address_range addresses[] = {{FAR, 0}, {FAR + 0x100000, 2}};
    static const uint32_t subroutines[SUBROUTINES] = {3, 5, 3, 5};
    _Alignas(16) uint8_t data[CONSTANTS], counts[COUNTERS];
    uint32_t *open[BUFFERS];
    struct gp5_texture textures[TEXTURES];
    struct gp5_report report = {0};
    char *message = NULL;
    size_t offset = 0;
    gp5_executable *x = gp5_prepare(p, &options, &message, &offset);
    bool ran;
    gp5_text_free(message);
    if (!x)
        return false;
    memcpy(data, v->in.constants, sizeof data);
    memcpy(counts, v->in.counters, sizeof counts);
    counters.data = counts;
    for (unsigned i = 0; i < 2; i++)
        constants[i] = (struct gp5_buffer){.binding = i, .data = data, .size = CONSTANTS};
    memcpy(to->storage, v->in.storage, sizeof to->storage);
    memcpy(to->texels, v->in.texels, sizeof to->texels);
    memset(v->texel_open, 0, sizeof v->texel_open);
    for (unsigned i = 0; i < BUFFERS; i++) {
        open[i] = calloc(sizes[i] / 4, sizeof *open[i]);
        assert_non_null(open[i]);
        storage[i] = (struct gp5_buffer){.binding = i, .data = to->storage[i], .size = sizes[i], .undefined = open[i]};
    }
    for (unsigned i = 0; i < TEXTURES; i++) {
        textures[i] = v->in.texture[i];
        textures[i].data = to->texels[i];
        textures[i].undefined = v->texel_open[i];
    }
    struct gp5_launch launch = {.groups = {1, 1, 1},
                                .storage = storage,
                                .nstorage = BUFFERS,
                                .cbuffers = constants,
                                .ncbuffers = 2,
                                .counters = &counters,
                                .ncounters = 1,
                                .addresses = addresses,
                                .naddresses = 2,
                                .textures = textures,
                                .ntextures = TEXTURES,
                                .images = v->in.image,
                                .nimages = TEXTURES,
                                .subroutines = subroutines,
                                .nsubroutines = SUBROUTINES,
                                .env = v->in.env,
                                .nenv = 4,
                                .local = v->in.local,
                                .nlocal = 5};
    ran = gp5_execute(x, &launch, &options, &report) == GP5_RUN_OK;
    to->uses = report.undefined_uses;
    for (unsigned i = 0; i < BUFFERS; i++) {
        for (size_t w = 0; w < sizes[i] / 4; w++)
            to->open[i][w] = open[i][w] != 0;
        free(open[i]);
    }
    for (unsigned i = 0; i < TEXTURES; i++)
        for (size_t w = 0; w < TEXELS / 4; w++)
            to->texel_open[i][w] = v->texel_open[i][w] != 0;
    gp5_report_free(&report);
    gp5_executable_free(x);
    return ran;
}

static bool run_oracle(struct cover *v, const gp5_program *p, enum gp5_semantics semantics, struct outputs *to,
                       char why[160])
{
    struct oracle_buffer storage[BUFFERS], constants[2], counters;
    static const struct gp5_address_range addresses[] = {{FAR, 0}, {FAR + 0x100000, 2}};
    static const uint32_t subroutines[SUBROUTINES] = {3, 5, 3, 5};
    static bool none[CONSTANTS], counted[COUNTERS];
    struct oracle_texture textures[TEXTURES];
    uint8_t data[CONSTANTS], counts[COUNTERS];
    struct oracle_outcome outcome;
    memcpy(data, v->in.constants, sizeof data);
    memcpy(counts, v->in.counters, sizeof counts);
    memset(counted, 0, sizeof counted);
    counters = (struct oracle_buffer){.data = counts, .size = COUNTERS, .undef = counted};
    memcpy(to->storage, v->in.storage, sizeof to->storage);
    memcpy(to->texels, v->in.texels, sizeof to->texels);
    memset(to->open, 0, sizeof to->open);
    memset(to->texel_open, 0, sizeof to->texel_open);
    for (unsigned i = 0; i < 2; i++)
        constants[i] = (struct oracle_buffer){i, data, sizeof data, none};
    for (unsigned i = 0; i < BUFFERS; i++)
        storage[i] = (struct oracle_buffer){i, to->storage[i], sizes[i], to->open[i]};
    for (unsigned i = 0; i < TEXTURES; i++) {
        textures[i] = (struct oracle_texture){v->in.texture[i], to->texel_open[i]};
        textures[i].texture.data = to->texels[i];
    }
    struct oracle_launch launch = {.groups = {1, 1, 1},
                                   .storage = storage,
                                   .nstorage = BUFFERS,
                                   .constants = constants,
                                   .nconstants = 2,
                                   .counters = &counters,
                                   .ncounters = 1,
                                   .addresses = addresses,
                                   .naddresses = 2,
                                   .textures = textures,
                                   .ntextures = TEXTURES,
                                   .images = v->in.image,
                                   .nimages = TEXTURES,
                                   .subroutines = subroutines,
                                   .nsubroutines = SUBROUTINES,
                                   .env = v->in.env,
                                   .nenv = 4,
                                   .local = v->in.local,
                                   .nlocal = 5};
    oracle_run(p, semantics, &launch, &outcome);
    to->uses = outcome.uses;
    memcpy(why, outcome.message, 160);
    return outcome.status == ORACLE_RAN;
}

/* ---- beside each other ------------------------------------------------------------------------------------------ */

static bool same_words(const char *name, unsigned i, const uint8_t *a, const bool *a_open, const uint8_t *b,
                       const bool *b_open, size_t bytes, char *why, size_t size)
{
    for (size_t w = 0; w < bytes / 4; w++) {
        uint32_t x, y;
        memcpy(&x, a + w * 4, 4);
        memcpy(&y, b + w * 4, 4);
        if (a_open[w] == b_open[w] && (x == y || a_open[w]))
            continue;
        snprintf(why, size, "%s %u, word %zu (%zu of lane %zu): 0x%08x%s, the second 0x%08x%s", name, i, w,
                 w % (COVER_STRIDE / 4), w / (COVER_STRIDE / 4), (unsigned)x, a_open[w] ? " undefined" : "",
                 (unsigned)y, b_open[w] ? " undefined" : "");
        return false;
    }
    return true;
}

static bool same(const struct cover *v, char *why, size_t size)
{
    const struct outputs *a = &v->first, *b = &v->second;
    if ((a->uses != 0) != (b->uses != 0)) {
        snprintf(why, size, "undefined values that decide: %llu, the second %llu", (unsigned long long)a->uses,
                 (unsigned long long)b->uses);
        return false;
    }
    for (unsigned i = 0; !a->uses && i < BUFFERS; i++)
        if (!same_words("buffer", i, a->storage[i], a->open[i], b->storage[i], b->open[i], sizes[i], why, size))
            return false;
    for (unsigned i = 0; !a->uses && i < TEXTURES; i++)
        if (!same_words("texture", i, a->texels[i], a->texel_open[i], b->texels[i], b->texel_open[i],
                        v->in.texture[i].bytes, why, size))
            return false;
    return true;
}

/* Forms of which one format is read otherwise, left open: an offset where the level lies between
 * two, on cubes. */
static bool is_left(const char *statements)
{
    return strstr(statements,
                  "TXD.LODCLAMP r, N, {0.1, 0.02, 0, 0}, {0, 0.3, 0.01, 1.5}, texture[0], ARRAYCUBE, (3);") != NULL;
}

enum { TOLD = 40, LEFT = 2 };

static void tell(const char *why, const char *semantics, const char *statements)
{
    char line[512];
    snprintf(line, sizeof line, "%s", statements);
    for (char *c = line; *c; c++)
        *c = *c == '\n' ? ' ' : *c;
    print_message("# %s: %s| %s\n", semantics, line, why);
}

static void check_one(struct cover *v, const gp5_program *p, const char *statements)
{
    static const enum gp5_semantics semantics[] = {GP5_SEMANTICS_NVIDIA, GP5_SEMANTICS_SPEC};
    for (unsigned i = 0; i < 2; i++) {
        char why[256];
        if (!run_evaluator(v, p, semantics[i], &v->first))
            continue;
        if (!run_oracle(v, p, semantics[i], &v->second, why)) {
            v->missing++;
        } else if (!same(v, why, sizeof why)) {
            v->left += is_left(statements);
            v->different += !is_left(statements);
        } else {
            v->compared += !v->first.uses;
            v->decided += v->first.uses != 0;
            continue;
        }
        if (v->missing + v->different <= TOLD || getenv("COVER_ALL"))
            tell(why, i ? "spec" : "nvidia, no passes", statements);
    }
}

static void take(void *user, const char *statements)
{
    struct cover *v = user;
    char text[COVER_PROGRAM];
    gp5_program *p;
    if (v->seen++ % v->every)
        return;
    cover_program("", statements, text);
    p = gp5_parse(text, strlen(text));
    assert_non_null(p);
    if (gp5_valid(p, strncmp(statements, "SG", 2) ? GP5_TARGET_NVIDIA : GP5_TARGET_GP5))
        check_one(v, p, statements);
    gp5_program_free(p);
}

/* Of so many forms one is run; with COVER_EVERY=1 all are. */
static struct cover *begin(unsigned of)
{
    struct cover *v = calloc(1, sizeof *v);
    const char *every = getenv("COVER_EVERY");
    assert_non_null(v);
    v->every = every && atoi(every) > 0 ? (unsigned)atoi(every) : of * SLOWER;
    draw_inputs(&v->in);
    shape_textures(&v->in, GP5_TEXTURE_2D, GP5_FORMAT_RGBA8, 0);
    return v;
}

static void end(struct cover *v, unsigned least)
{
    unsigned missing = v->missing, different = v->different, compared = v->compared, left = v->left;
    print_message(
        "# %u forms, %u runs the same, an undefined value decided %u: %u missing, %u different, %u left open\n",
        v->seen, compared, v->decided, missing, different, left);
    free(v);
    assert_true(getenv("COVER_EVERY") || left <= LEFT);
    assert_int_equal(missing, 0);
    assert_int_equal(different, 0);
    /* A smaller sample is of other forms: what share of them runs varies by a tenth or so. */
    assert_true(getenv("COVER_EVERY") || compared >= (SLOWER == 1 ? least : least / SLOWER * 4 / 5));
}

static void numbers(void **state)
{
    struct cover *v = begin(3);
    (void)state;
    cover_numbers(take, v);
    end(v, 5600);
}

static void operands(void **state)
{
    struct cover *v = begin(7);
    (void)state;
    cover_operands(take, v);
    end(v, 7400);
}

static void flow(void **state)
{
    struct cover *v = begin(1);
    (void)state;
    cover_flow(take, v);
    end(v, 1500);
}

static void memory(void **state)
{
    struct cover *v = begin(3);
    (void)state;
    cover_memory(take, v);
    end(v, 3800);
}

static void textures(void **state)
{
    static const uint8_t formats[] = {GP5_FORMAT_RGBA8, GP5_FORMAT_DEPTH32F, GP5_FORMAT_R16F,
                                      GP5_FORMAT_RG8UI, GP5_FORMAT_RGBA32F,  GP5_FORMAT_R8_SNORM};
    struct cover *v = begin(61);
    (void)state;
    for (unsigned kind = 0; kind < GP5_TEXTURE_KINDS; kind++)
        for (unsigned i = 0; i < sizeof formats; i++) {
            if ((kind == GP5_TEXTURE_BUFFER || kind >= GP5_TEXTURE_2DMS) && (i == 1 || i == 5))
                continue;
            shape_textures(&v->in, kind, formats[i], kind + i);
            cover_textures(take, v, texture_word(TEXTURE_KIND, kind));
        }
    end(v, 1380);
}

static void images(void **state)
{
    static const uint8_t formats[] = {GP5_FORMAT_RGBA8,  GP5_FORMAT_R32UI,   GP5_FORMAT_RG16F,
                                      GP5_FORMAT_RG32UI, GP5_FORMAT_RGBA32F, GP5_FORMAT_R8_SNORM};
    struct cover *v = begin(61);
    (void)state;
    for (unsigned kind = 0; kind < GP5_TEXTURE_2DMS; kind++)
        for (unsigned i = 0; i < sizeof formats; i++) {
            if (kind == GP5_TEXTURE_BUFFER && i == 5)
                continue;
            shape_textures(&v->in, kind, formats[i], kind + i);
            cover_images(take, v, texture_word(TEXTURE_KIND, kind));
        }
    end(v, 1280);
}

static void bindings(void **state)
{
    struct cover *v = begin(1);
    (void)state;
    cover_bindings(take, v);
    end(v, 2700);
}

/* An argument: the tests whose names match it. */
int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers),  cmocka_unit_test(operands), cmocka_unit_test(flow),     cmocka_unit_test(memory),
        cmocka_unit_test(textures), cmocka_unit_test(images),   cmocka_unit_test(bindings),
    };
    if (argc > 1)
        cmocka_set_test_filter(argv[1]);
    return cmocka_run_group_tests_name("what the oracle has", tests, NULL, NULL);
}
