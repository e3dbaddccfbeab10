/* The rasteriser's parts: which primitives each mode makes of vertices, whether a tessellated patch is covered once,
 * whether neighbours share their edges without a gap or a pixel drawn twice. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <math.h>

#include "asm/stage_shape.h"
#include "compare/script/data.h"
#include "raster/internal.h"
#include "tests/unit/sample.h"

/* ---- modes ------------------------------------------------------------------------------------------------- */

/* "012/2" for each primitive: its vertices, then the one that provokes, in the last and in the first convention. */
static const struct { enum raster_mode mode; uint32_t count; const char *last, *first; } modes[] = {
    { RASTER_POINTS, 3, "0/0 1/1 2/2", "0/0 1/1 2/2" },
    { RASTER_LINES, 5, "01/1 23/3", "01/0 23/2" },
    { RASTER_LINE_STRIP, 3, "01/1 12/2", "01/0 12/1" },
    { RASTER_LINE_LOOP, 3, "01/1 12/2 20/0", "01/0 12/1 20/2" },
    { RASTER_LINE_LOOP, 1, "", "" },
    { RASTER_TRIANGLES, 7, "012/2 345/5", "012/0 345/3" },
    { RASTER_TRIANGLE_STRIP, 5, "012/2 213/3 234/4", "012/0 213/1 234/2" },
    { RASTER_TRIANGLE_FAN, 4, "012/2 023/3", "012/1 023/2" },
    { RASTER_POLYGON, 4, "012/0 023/0", "012/0 023/0" },
    { RASTER_QUADS, 5, "013/3 123/3", "013/0 123/0" },
    { RASTER_QUAD_STRIP, 6, "012/3 132/3 234/5 354/5", "012/0 132/0 234/2 354/2" },
    { RASTER_LINES_ADJACENCY, 9, "0123/2 4567/6", "0123/1 4567/5" },
    { RASTER_LINE_STRIP_ADJACENCY, 5, "0123/2 1234/3", "0123/1 1234/2" },
    { RASTER_TRIANGLES_ADJACENCY, 6, "012345/4", "012345/0" },
    { RASTER_TRIANGLE_STRIP_ADJACENCY, 6, "012543/4", "012543/0" },
    { RASTER_TRIANGLE_STRIP_ADJACENCY, 8, "012643/4 402567/6", "012643/0 402567/2" },
    { RASTER_TRIANGLE_STRIP_ADJACENCY, 5, "", "" },
    { RASTER_PATCHES, 7, "0/0 3/3", "0/0 3/3" },
};

static void write_list(const struct primitives *p, char *text)
{
    *text = 0;
    for (size_t i = 0; i < p->count; i++) {
        if (i)
            strcat(text, " ");
        for (unsigned k = 0; k < p->list[i].n; k++)
            sprintf(text + strlen(text), "%u", p->list[i].v[k]);
        sprintf(text + strlen(text), "/%u", p->list[i].provoking);
    }
}

static void test_modes(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++)
        for (int first = 0; first < 2; first++) {
            struct primitives p = { .count = 0 };
            char text[400];
            assert_true(assemble(modes[i].mode, 0, modes[i].count, 3, first, &p));
            write_list(&p, text);
            if (strcmp(text, first ? modes[i].first : modes[i].last))
                fail_msg("%s of %u: %s", raster_mode_name(modes[i].mode), modes[i].count, text);
            gp5_free(p.list);
        }
}

/* ---- patches ----------------------------------------------------------------------------------------------- */

static double area(const float *a, const float *b, const float *c)
{
    return (((double)b[0] - a[0]) * ((double)c[1] - a[1]) - ((double)c[0] - a[0]) * ((double)b[1] - a[1])) / 2;
}

/* The triangles' areas add up to the domain's, and all of them turn one way: it is covered, and once. Points of
 * fractional levels may lie so near to each other that a sliver is left. */
static void cover(const char *mode, const char *spacing, const char *order, const float levels[6])
{
    char text[300], *message = NULL;
    struct gp5_run_options options = { .jobs = 1 };
    struct primitives list = { .count = 0 };
    size_t offset;
    float *uvw;
    double sum = 0;

    snprintf(text, sizeof text, "!!NVtep5.0\nTESS_MODE %s;\nTESS_SPACING %s;\nTESS_VERTEX_ORDER %s;\n"
             "MOV result.position, vertex.tesscoord;\nEND\n", mode, spacing, order);
    gp5_program *program = gp5_parse(text, strlen(text));
    gp5_executable *x = gp5_prepare(program, &options, &message, &offset);
    assert_non_null(x);
    struct stage_shape shape = asm_stage_shape(program);
    size_t n = gp5_tessellate(x, levels, levels + 4, &uvw);
    assert_true(n < 100000);
    assert_true(patch_topology(&shape, uvw, (uint32_t)n, 0, 0, false, &list));
    for (size_t i = 0; i < list.count; i++) {
        const uint32_t *v = list.list[i].v;
        double one = area(uvw + 3 * (size_t)v[0], uvw + 3 * (size_t)v[1], uvw + 3 * (size_t)v[2]);
        assert_true(*order == 'C' && order[1] == 'C' ? one > 0 : one < 0);
        sum += fabs(one);
    }
    if (fabs(sum - (*mode == 'Q' ? 1 : 0.5)) > (*spacing == 'E' ? 1e-5 : 5e-4))
        fail_msg("%s %s, levels %g %g %g %g, %g %g: %g of the domain are covered", mode, spacing, (double)levels[0],
                 (double)levels[1], (double)levels[2], (double)levels[3], (double)levels[4], (double)levels[5], sum);
    gp5_text_free((char *)uvw);
    gp5_free(list.list);
    gp5_executable_free(x);
    gp5_program_free(program);
}

static void test_patches(void **state)
{
    static const char *const spacings[] = { "EQUAL", "FRACTIONAL_ODD", "FRACTIONAL_EVEN" };
    (void)state;
    for (uint64_t i = 0; i < 600; i += sample_step(7)) {
        float levels[6];
        for (uint64_t k = 0; k < 6; k++)
            levels[k] = 1 + (float)(data_random(11, 6 * i + k) % 1000) / (i % 5 ? 100.0f : 30.0f);
        cover(i % 2 ? "QUADS" : "TRIANGLES", spacings[i / 2 % 3], i % 7 ? "CCW" : "CW", levels);
    }
}

/* ---- coverage ---------------------------------------------------------------------------------------------- */

/* Points by chance on the coarse grid where edges often go through the centres of pixels, around a middle one: the fan
 * covers each pixel of their polygon once. */
static void test_shared_edges(void **state)
{
    enum { SIZE = 24, CORNERS = 7 };
    const struct pattern centres = { .count = 1, .x = { 128 }, .y = { 128 } };
    const struct shape place = { .across = { 0, SIZE }, .up = { 0, SIZE } };
    (void)state;
    for (uint64_t i = 0; i < 2000; i += sample_step(7)) {
        double x[CORNERS], y[CORNERS];
        uint8_t fan[SIZE * SIZE] = { 0 }, whole[SIZE * SIZE] = { 0 };
        struct polygon all = { .count = CORNERS };
        for (unsigned k = 0; k < CORNERS; k++) {
            double angle = 2 * 3.14159265358979 * k / CORNERS;
            x[k] = all.x[k] = floor(2 * (SIZE / 2 + 10 * cos(angle)) + (double)(data_random(3, i) % 2)) / 2;
            y[k] = all.y[k] = floor(2 * (SIZE / 2 + 10 * sin(angle)) + (double)(data_random(4, i) % 2)) / 2;
        }
        for (unsigned k = 0; k <= CORNERS; k++) {
            unsigned next = (k + 1) % CORNERS;
            struct polygon one = { 3, { SIZE / 2 + 0.5, x[k % CORNERS], x[next] },
                                   { SIZE / 2 + 0.5, y[k % CORNERS], y[next] } };
            struct quads q = { .count = 0 };
            assert_true(scan(k < CORNERS ? &one : &all, &place, k, &centres, &q));
            for (size_t m = 0; m < q.count; m++)
                for (unsigned c = 0; c < 4; c++)
                    (k < CORNERS ? fan : whole)[(q.list[m].y + c / 2) * SIZE + q.list[m].x + c % 2] +=
                        q.list[m].covered >> c & 1;
            gp5_free(q.list);
        }
        assert_memory_equal(fan, whole, sizeof fan);
        assert_true(whole[SIZE / 2 * SIZE + SIZE / 2] == 1);
    }
}

static int64_t on_grid(double v) { return (int64_t)floor(v * 256 + 0.5); }

/* Where as many samples are as the i-th triangle has: 1, 2, 4, 8, 16. */
static struct pattern pattern_of(uint64_t i)
{
    struct pattern p = { .count = 1u << i % 5, .each = i % 11 == 0 };
    const float (*at)[2] = raster_samples(p.count);
    for (uint32_t k = 0; k < p.count; k++) {
        p.x[k] = (int32_t)(at[k][0] * 256);
        p.y[k] = (int32_t)(at[k][1] * 256);
    }
    return p;
}

/* Triangles by chance: what is covered is what is inside of every edge, by the rule for samples on edges. */
static void test_coverage(void **state)
{
    enum { SIZE = 20 };
    const struct shape place = { .across = { 0, SIZE }, .up = { 0, SIZE } };
    (void)state;
    size_t covered = 0;
    for (uint64_t i = 0; i < 20000; i += sample_step(7)) {
        const struct pattern pattern = pattern_of(i / 2);
        struct polygon p = { .count = 3 };
        struct quads q = { .count = 0 };
        uint8_t got[SIZE * SIZE][RASTER_SAMPLES] = { { 0 } };
        for (unsigned k = 0; k < 3; k++) {      /* every other on the grid of halves */
            double step = i % 2 ? 2 : 256, room = (SIZE + 8) * step;
            p.x[k] = (double)(data_random(5, 3 * i + k) % (uint64_t)room) / step - 4;
            p.y[k] = (double)(data_random(6, 3 * i + k) % (uint64_t)room) / step - 4;
        }
        int64_t x[3], y[3], area;
        for (unsigned k = 0; k < 3; k++) {
            x[k] = on_grid(p.x[k]);
            y[k] = on_grid(p.y[k]);
        }
        area = (x[1] - x[0]) * (y[2] - y[0]) - (x[2] - x[0]) * (y[1] - y[0]);
        assert_true(scan(&p, &place, 0, &pattern, &q));
        for (size_t m = 0; m < q.count; m++)
            for (unsigned c = 0; c < 4; c++) {
                const struct quad *one = &q.list[m];
                assert_int_equal(one->covered >> c & 1, one->samples[c] != 0);
                assert_true(pattern.each ? !(one->samples[c] & ~(1 << one->sample)) : one->sample == -1);
                for (unsigned k = 0; k < pattern.count; k++)
                    if (one->samples[c] >> k & 1)
                        got[(one->y + c / 2) * SIZE + one->x + c % 2][k]++;
            }
        for (unsigned n = 0; n < SIZE * SIZE * pattern.count; n++) {
            unsigned at = n / pattern.count, sample = n % pattern.count;
            int64_t cx = at % SIZE * 256 + pattern.x[sample], cy = at / SIZE * 256 + pattern.y[sample];
            bool inside = area != 0;
            for (unsigned k = 0; k < 3; k++) {
                unsigned a = area > 0 ? k : (k + 1) % 3, b = area > 0 ? (k + 1) % 3 : k;
                int64_t dx = x[b] - x[a], dy = y[b] - y[a], side = dx * (cy - y[a]) - dy * (cx - x[a]);
                inside &= side > 0 || (side == 0 && (dy < 0 || (dy == 0 && dx > 0)));
            }
            assert_int_equal(got[at][sample], inside);
            covered += inside;
        }
        gp5_free(q.list);
    }
    assert_true(covered > 10000);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_modes), cmocka_unit_test(test_patches),
                                        cmocka_unit_test(test_shared_edges), cmocka_unit_test(test_coverage) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
