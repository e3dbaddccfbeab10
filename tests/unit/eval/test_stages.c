/* Stages of graphics programs as functions of their inputs: vertex, fragment, geometry, tessellation. What is expected
 * of NVIDIA is what its driver 580.159.04 was recorded doing, in the words of docs/semantics.md. */
#include "tests/unit/eval/stage.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <setjmp.h>

#include <cmocka.h>

/* ---- vertices ------------------------------------------------------------------------------------------ */

/* One instruction on texcoord[0] = (x y z w), its result's four words. */
static const struct {
    const char *header, *body;
    float x[4];
    uint32_t expected[4];
} instructions[] = {
    {"!!ARBvp1.0", "EXP result.texcoord[0], vertex.texcoord[0].x;", {2.5f, 0, 0, 0},
     {0x40800000, 0x3f000000, 0x40b504f3, 0x3f800000}},
    {"!!ARBvp1.0", "FRC result.texcoord[0], vertex.texcoord[0].x;", {-1e-9f, 0, 0, 0},
     {0x3f800000, 0x3f800000, 0x3f800000, 0x3f800000}},
    {"!!ARBvp1.0", "RSQ result.texcoord[0], vertex.texcoord[0].x;", {-4, 0, 0, 0},
     {0x3f000000, 0x3f000000, 0x3f000000, 0x3f000000}},
    {"!!ARBvp1.0", "RCP result.texcoord[0], vertex.texcoord[0].x;", {-0.0f, 0, 0, 0},
     {0xff800000, 0xff800000, 0xff800000, 0xff800000}},
    {"!!ARBvp1.0", "LG2 result.texcoord[0], vertex.texcoord[0].x;", {0, 0, 0, 0},
     {0xff800000, 0xff800000, 0xff800000, 0xff800000}},
    {"!!ARBvp1.0", "EX2 result.texcoord[0], vertex.texcoord[0].x;", {-140, 0, 0, 0}, {0, 0, 0, 0}},
    {"!!ARBvp1.0", "POW result.texcoord[0], vertex.texcoord[0].x, vertex.texcoord[0].y;", {0, -2, 0, 0},
     {0x7f800000, 0x7f800000, 0x7f800000, 0x7f800000}},
    {"!!ARBvp1.0", "LIT result.texcoord[0], vertex.texcoord[0];", {1, 0.5f, 0, 200},
     {0x3f800000, 0x3f800000, 0, 0x3f800000}},
    {"!!ARBvp1.0",
     "TEMP t; MUL t, vertex.texcoord[0].x, vertex.texcoord[0].x; ADD result.texcoord[0], t, vertex.texcoord[0].y;",
     {1 + 0x1p-12f, -(1 + 0x1p-11f), 0, 0}, {0x33800000, 0x33800000, 0x33800000, 0x33800000}},
    {"!!ARBvp1.0", "XPD result.texcoord[0].xyz, vertex.texcoord[0], vertex.texcoord[0].yzxw;", {1, 2, 3, 0},
     {0xc0e00000, 0x40a00000, 0xbf800000, 0x3f800000}},
    {"!!VP1.0", "ARL A0.x, v[TEX0].x; MOV o[TEX0], c[A0.x + 2];", {-1.5f, 0, 0, 0}, {0x40400000, 0, 0, 0x3f800000}},
    {"!!VP1.1", "RCC o[TEX0], v[TEX0].x;", {0, 0, 0, 0}, {0x5f800000, 0x5f800000, 0x5f800000, 0x5f800000}},
    {"!!VP2.0", "MOVC CC, v[TEX0]; MOV o[TEX0], 2; MOV o[TEX0] (LT), v[TEX0].w;", {-1, 0, 1, 5},
     {0x40a00000, 0x40000000, 0x40000000, 0x40000000}},
    {"!!VP2.0", "ARL A0, v[TEX0]; ARA A0, A0; MOV o[TEX0], c[A0.x + 0];", {1, 0, -1, 0},
     {0x3f800000, 0, 0, 0x3f800000}},
    {"!!NVvp4.0", "TEMP t; I2F t, vertex.id; MOV result.texcoord[0], t.x;", {0, 0, 0, 0}, {0, 0, 0, 0}},
};

static void test_vertex_instructions(void **state)
{
    static const struct gp5_parameter env[] = {{0, {0x3f800000, 0, 0, 0x3f800000}}, {1, {0x40000000}}, };

    (void)state;
    for (size_t i = 0; i < sizeof instructions / sizeof *instructions; i++) {
        struct stage_test r;
        char text[512];
        bool old = strstr(instructions[i].header, "!!VP") != NULL;
        snprintf(text, sizeof text, "%s\n%s%s\nEND\n", instructions[i].header, old ? "MOV o[HPOS], v[OPOS];\n" : "",
                 instructions[i].body);
        open_run(&r, text, GP5_SEMANTICS_NVIDIA);
        input(&r, old ? "v[TEX0]" : "vertex.texcoord[0]", instructions[i].x, 1);
        const uint32_t *out = result(&r, old ? "o[TEX0]" : "result.texcoord[0]");
        r.launch.count = 1;
        r.launch.env = env;
        r.launch.nenv = 2;
        struct gp5_parameter three[] = {env[0], {.index = 0, .word = {0x40400000, 0, 0, 0x3f800000}}};
        if (strstr(instructions[i].body, "+ 2"))
            r.launch.env = three;
        assert_int_equal(execute(&r), GP5_RUN_OK);
        for (unsigned c = 0; c < 4; c++)
            if (out[c] != instructions[i].expected[c])
                print_error("%s: .%c is %08x, not %08x\n", instructions[i].body, "xyzw"[c], out[c],
                            instructions[i].expected[c]);
        assert_memory_equal(out, instructions[i].expected, sizeof instructions[i].expected);
        close_run(&r);
    }
}

/* vertex.id begins at `first`, instances follow one another, and the lane is (instance * count + index) mod 32. */
static void test_vertex_numbers(void **state)
{
    struct stage_test r;

    (void)state;
    open_run(&r,
             "!!NVvp5.0\nOPTION NV_shader_thread_group;\nMOV.S result.attrib[0].x, vertex.id;\nMOV.S "
             "result.attrib[0].y, vertex.instance.x;\n"
             "MOV.U result.attrib[0].z, vertex.threadid.x;\nMOV.S result.attrib[0].w, 0;\nEND\n",
             GP5_SEMANTICS_NVIDIA);
    const uint32_t *out = result(&r, "result.attrib[0]");
    r.launch.count = 20;
    r.launch.instances = 3;
    r.launch.first = 7;
    assert_int_equal(execute(&r), GP5_RUN_OK);
    for (uint32_t i = 0; i < 60; i++) {
        assert_int_equal(out[4 * i], 7 + i % 20);
        assert_int_equal(out[4 * i + 1], i / 20);
        assert_int_equal(out[4 * i + 2], i % 32);
    }
    assert_int_equal(r.report.undefined_words, 0);
    close_run(&r);
}

/* What nobody wrote: (0, 0, 0, 1), fog coordinate and point size 0, and it is undefined; colours are clamped by
 * default. */
static void test_vertex_results(void **state)
{
    const float x[4] = {-1, 0.5f, 7, 0.25f};
    struct gp5_state gl;
    struct stage_test r;

    (void)state;
    open_run(&r, "!!ARBvp1.0\nMOV result.color, vertex.texcoord[0];\nMOV result.position.x, vertex.normal.w;\n"
                 "MOV result.fogcoord.y, vertex.color.x;\nEND\n", GP5_SEMANTICS_NVIDIA);
    input(&r, "vertex.texcoord[0]", x, 1);
    const uint32_t *color = result(&r, "result.color"), *position = result(&r, "result.position"),
                   *fog = result(&r, "result.fogcoord");
    r.launch.count = 1;
    assert_int_equal(execute(&r), GP5_RUN_OK);
    assert_true(number(color[0]) == 0 && number(color[1]) == 0.5f && number(color[2]) == 1 &&
                number(color[3]) == 0.25f);
    assert_true(number(position[0]) == 1 && number(position[1]) == 0 && number(position[3]) == 1);
    assert_true(!r.undefined[1][0] && r.undefined[1][1]);
    assert_string_equal(r.report.origins[r.undefined[1][1] - 1].reason, "result.position.y was never written");
    assert_int_equal(fog[0], 0);
    gp5_report_free(&r.report);
    gp5_state_init(&gl);
    gl.clamp_vertex_color = false;
    r.launch.state = &gl;
    assert_int_equal(execute(&r), GP5_RUN_OK);
    assert_memory_equal(color, x, sizeof x);
    close_run(&r);
}

/* Position invariance: MUL MAD MAD MAD with the columns of P * M. */
static void test_invariance(void **state)
{
    const float v[8] = {1, 2, 3, 1, -4, 5, 0.5f, 1};
    struct gp5_state gl;
    struct stage_test r;

    (void)state;
    gp5_state_init(&gl);
    gl.projection[0] = 2;
    gl.modelview[12] = 10;
    open_run(&r, "!!ARBvp1.0\nOPTION ARB_position_invariant;\nMOV result.color, vertex.color;\nEND\n",
             GP5_SEMANTICS_NVIDIA);
    input(&r, "vertex.position", v, 2);
    const uint32_t *out = result(&r, "result.position");
    r.launch.count = 2;
    r.launch.state = &gl;
    assert_int_equal(execute(&r), GP5_RUN_OK);
    assert_true(number(out[0]) == 22 && number(out[1]) == 2 && number(out[2]) == 3 && number(out[3]) == 1);
    assert_true(number(out[4]) == 12 && number(out[5]) == 5);
    close_run(&r);
}

/* ---- state -------------------------------------------------------------------------------------------- */

static const struct {
    const char *binding;
    float expected[4];
} bindings[] = {
    {"state.matrix.modelview.row[0]", {1, 0, 0, 5}},
    {"state.matrix.modelview.transpose.row[3]", {5, 6, 7, 1}},
    {"state.matrix.modelview.inverse.row[1]", {0, 1, 0, -6}},
    {"state.matrix.modelview.invtrans.row[3]", {-5, -6, -7, 1}},
    {"state.matrix.projection.row[0]", {2, 0, 0, 0}},
    {"state.matrix.mvp.row[0]", {2, 0, 0, 10}},
    {"state.matrix.texture[2].row[1]", {0, 3, 0, 0}},
    {"state.matrix.program[7].row[2]", {0, 0, 1, 0}},
    {"state.material.ambient", {0.2f, 0.2f, 0.2f, 1}},
    {"state.material.back.shininess", {40, 0, 0, 1}},
    {"state.light[1].diffuse", {0.5f, 0.25f, 0.125f, 0.75f}},
    {"state.light[0].diffuse", {1, 1, 1, 1}},
    {"state.light[1].attenuation", {1, 2, 3, 4}},
    {"state.light[0].spot.direction", {0, 0, -1, -1}},
    {"state.lightmodel.ambient", {0.2f, 0.2f, 0.2f, 1}},
    {"state.lightprod[1].diffuse", {0.4f, 0.2f, 0.1f, 1}},
    {"state.texgen[0].eye.t", {0, 1, 0, 0}},
    {"state.fog.params", {1, 0.25f, 0.75f, 2}},
    {"state.clip[3].plane", {1, 2, 3, 4}},
    {"state.point.attenuation", {1, 0, 0, 1}},
};

static void test_state(void **state)
{
    struct gp5_state gl;

    (void)state;
    gp5_state_init(&gl);
    gl.modelview[12] = 5;
    gl.modelview[13] = 6;
    gl.modelview[14] = 7;
    gl.projection[0] = 2;
    gl.texture[2][5] = 3;
    gl.back.shininess = 40;
    gl.light[1].diffuse[0] = 0.5f;
    gl.light[1].diffuse[1] = 0.25f;
    gl.light[1].diffuse[2] = 0.125f;
    gl.light[1].diffuse[3] = 0.75f;
    gl.light[1].attenuation[1] = 2;
    gl.light[1].attenuation[2] = 3;
    gl.light[1].spot_exponent = 4;
    gl.fog_start = 0.25f;
    gl.fog_end = 0.75f;
    for (unsigned i = 0; i < 4; i++)
        gl.clip_plane[3][i] = (float)i + 1;
    for (size_t i = 0; i < sizeof bindings / sizeof *bindings; i++) {
        struct stage_test r;
        char text[160];
        snprintf(text, sizeof text, "!!ARBvp1.0\nMOV result.position, %s;\nEND\n", bindings[i].binding);
        open_run(&r, text, GP5_SEMANTICS_NVIDIA);
        const uint32_t *out = result(&r, "result.position");
        r.launch.count = 1;
        r.launch.state = &gl;
        assert_int_equal(execute(&r), GP5_RUN_OK);
        for (unsigned c = 0; c < 4; c++)
            if (number(out[c]) != bindings[i].expected[c])
                print_error("%s.%c is %.9g\n", bindings[i].binding, "xyzw"[c], (double)number(out[c]));
        assert_memory_equal(out, bindings[i].expected, sizeof bindings[i].expected);
        close_run(&r);
    }
}

/* ---- fragments ------------------------------------------------------------------------------------------ */

/* Killed lanes go on as helpers with NVIDIA's driver, and so a quad keeps its derivatives; their colour stays. */
static void test_fragments(void **state)
{
    float x[64];
    struct stage_test r;

    (void)state;
    for (unsigned i = 0; i < 16; i++) {
        x[4 * i] = (float)(i % 4 * i % 4);
        x[4 * i + 1] = (float)(i / 4);
        x[4 * i + 2] = x[4 * i + 3] = i == 5 ? -1.0f : 1.0f;
    }
    open_run(&r,
             "!!NVfp4.0\nTEMP t;\nKIL fragment.texcoord[0].z;\nDDX t.x, fragment.texcoord[0].x;\nDDY t.y, "
             "fragment.texcoord[0].y;\n"
             "MOV result.color.xy, t;\nMOV result.color.zw, fragment.position;\nEND\n",
             GP5_SEMANTICS_NVIDIA);
    input(&r, "fragment.texcoord[0]", x, 16);
    const uint32_t *out = result(&r, "result.color");
    r.launch.width = r.launch.height = 4;
    r.launch.covered = r.covered;
    memset(r.result[0], 0xee, sizeof r.result[0]);
    assert_int_equal(execute(&r), GP5_RUN_OK);
    for (unsigned i = 0; i < 16; i++) {
        unsigned left = i & ~1u;
        assert_int_equal(r.covered[i], i != 5);
        if (i == 5) {
            assert_int_equal(out[4 * i], 0xeeeeeeee);
            continue;
        }
        assert_true(number(out[4 * i]) == x[4 * (left + 1)] - x[4 * left]);
        assert_true(number(out[4 * i + 1]) == 1);
        assert_true(number(out[4 * i + 2]) == 0.5f && number(out[4 * i + 3]) == 1);
    }
    assert_int_equal(r.report.undefined_words, 0);
    close_run(&r);
}

/* A fragment in a point is a quad of its own: three helpers, no differences; they answer votes. */
static void test_points(void **state)
{
    const float x[12] = {1, 0, 0, 1, 5, 0, 0, 1, 9, 0, 0, 1};
    struct stage_test r;

    (void)state;
    open_run(&r,
             "!!NVfp5.0\nOPTION NV_shader_thread_group;\nTEMP t;\nDDX t.x, fragment.texcoord[0].x;\nMOV.U t.y, "
             "fragment.helperthread.x;\n"
             "TGBALLOT.U t.z, 1;\nMOV.U result.color.xyz, t;\nMOV.U result.color.w, fragment.threadid.x;\nEND\n",
             GP5_SEMANTICS_NVIDIA);
    input(&r, "fragment.texcoord[0]", x, 3);
    const uint32_t *out = result(&r, "result.color");
    r.launch.width = 3;
    r.launch.height = 1;
    r.launch.points = true;
    assert_int_equal(execute(&r), GP5_RUN_OK);
    for (unsigned i = 0; i < 3; i++) {
        assert_int_equal(out[4 * i], 0);
        assert_int_equal(out[4 * i + 1], 0);
        assert_int_equal(out[4 * i + 2], 0xfff);
        assert_int_equal(out[4 * i + 3], 4 * i);
    }
    close_run(&r);
}

/* Linear fog from .25 to .75 at (i + .5) / 8: the factor is exact, alpha is not touched. */
static void test_fog(void **state)
{
    float x[32] = {0};
    struct gp5_state gl;
    struct stage_test r;

    (void)state;
    gp5_state_init(&gl);
    gl.fog_start = 0.25f;
    gl.fog_end = 0.75f;
    for (unsigned i = 0; i < 8; i++)
        x[4 * i] = ((float)i + 0.5f) / 8;
    open_run(&r, "!!ARBfp1.0\nOPTION ARB_fog_linear;\nMOV result.color, 1;\nEND\n", GP5_SEMANTICS_NVIDIA);
    input(&r, "fragment.fogcoord", x, 8);
    const uint32_t *out = result(&r, "result.color");
    r.launch.width = 8;
    r.launch.height = 1;
    r.launch.state = &gl;
    assert_int_equal(execute(&r), GP5_RUN_OK);
    for (unsigned i = 0; i < 8; i++) {
        float factor = (0.75f - x[4 * i]) * 2;
        factor = factor < 0 ? 0 : factor > 1 ? 1 : factor;
        assert_true(number(out[4 * i]) == factor);
        assert_true(number(out[4 * i + 3]) == 1);
    }
    close_run(&r);
}

/* LOOP: the index begins at y, goes on by z, and each block has its own. */
static void test_loop_index(void **state)
{
    static const char *const names[8] = {"fragment.texcoord[0]", "fragment.texcoord[1]", "fragment.texcoord[2]",
     "fragment.texcoord[3]"};
    struct stage_test r;

    (void)state;
    open_run(&r, "!!ARBfp1.0\nOPTION NV_fragment_program2;\nTEMP s;\nMOV s, 0;\nLOOP {2, 0, 2};\n"
                 "ADD s.x, s.x, fragment.texcoord[A0.x+0].x;\nLOOP {2, 2, 1};\n"
                 "ADD s.y, s.y, fragment.texcoord[A0.x+0].x;\nENDLOOP;\n"
                 "ADD s.z, s.z, fragment.texcoord[A0.x+1].x;\nENDLOOP;\nMOV result.color, s;\nEND\n",
                 GP5_SEMANTICS_NVIDIA);
    for (unsigned i = 0; i < 4; i++) {
        const float x[4] = {(float)(1 << 4 * i), 0, 0, 1};
        input(&r, names[i], x, 1);
    }
    const uint32_t *out = result(&r, "result.color");
    r.launch.width = r.launch.height = 1;
    assert_int_equal(execute(&r), GP5_RUN_OK);
    assert_true(number(out[0]) == 0x101 && number(out[1]) == 2 * 0x1100 && number(out[2]) == 0x1010);
    close_run(&r);
}

/* ---- geometry ------------------------------------------------------------------------------------------- */

/* A strip of four vertices comes out as (0,1,2) (2,1,3); what was not written since the last EMIT is 0 and undefined;
 * an EMIT beyond VERTICES_OUT is dropped. */
static void test_geometry(void **state)
{
    static const unsigned order[6] = {0, 1, 2, 2, 1, 3};
    float x[24];
    struct stage_test r;

    (void)state;
    for (unsigned i = 0; i < 24; i++)
        x[i] = (float)i;
    open_run(&r, "!!NVgp4.0\nPRIMITIVE_IN TRIANGLES;\nPRIMITIVE_OUT TRIANGLE_STRIP;\nVERTICES_OUT 4;\nTEMP i;\n"
                 "ATTRIB p = vertex.position;\nMOV.S i.x, 0;\nREP.S 3;\nMOV result.position, p[i.x];\n"
                 "MOV result.texcoord[0].x, 1;\n"
                 "EMIT;\nADD.S i.x, i.x, 1;\nENDREP;\nMOV result.position, p[0];\nEMIT;\nEMIT;\nENDPRIM;\nEND\n",
                 GP5_SEMANTICS_NVIDIA);
    input(&r, "vertex.position", x, 6);
    const uint32_t *out = result(&r, "result.position"), *texcoord = result(&r, "result.texcoord[0]");
    r.launch.count = 2;
    assert_int_equal(gp5_result_count(r.executable, 2, 0), 12);
    assert_int_equal(execute(&r), GP5_RUN_OK);
    assert_int_equal(r.report.elements[0], 12);
    for (unsigned i = 0; i < 12; i++) {
        unsigned vertex = order[i % 6] == 3 ? 0 : order[i % 6], from = 4 * (i / 6 * 3 + vertex);
        assert_memory_equal(out + 4 * i, x + from, 16);
        assert_true(number(texcoord[4 * i]) == (order[i % 6] == 3 ? 0 : 1));
        assert_int_equal(!r.undefined[1][4 * i], order[i % 6] != 3);
    }
    assert_string_equal(r.report.origins[r.undefined[1][20] - 1].reason, "the result was not written since this EMIT");
    close_run(&r);
}

/* Streams: points of each by themselves; lanes are primitive * INVOCATIONS + invocation, and come out in that order. */
static void test_streams(void **state)
{
    struct stage_test r;

    (void)state;
    open_run(&r, "!!NVgp5.0\nPRIMITIVE_IN POINTS;\nPRIMITIVE_OUT POINTS;\nVERTICES_OUT 3;\nINVOCATIONS 2;\n"
                 "MOV.S result.attrib[0].x, primitive.id;\nMOV.S result.attrib[0].y, primitive.invocation.x;\n"
                 "EMITS 0;\n"
                 "MOV.S result.attrib[0].x, 100;\nEMITS 2;\nEND\n", GP5_SEMANTICS_NVIDIA);
    const uint32_t *zero = result(&r, "result.attrib[0]"), *two = result(&r, "result.attrib[0]");
    r.out[1].stream = 2;
    r.launch.count = 3;
    assert_int_equal(execute(&r), GP5_RUN_OK);
    assert_int_equal(r.report.elements[0], 6);
    assert_int_equal(r.report.elements[1], 0);
    assert_int_equal(r.report.elements[2], 6);
    for (unsigned i = 0; i < 6; i++) {
        assert_int_equal(zero[4 * i], i / 2);
        assert_int_equal(zero[4 * i + 1], i % 2);
        assert_int_equal(two[4 * i], 100);
    }
    close_run(&r);
}

/* ---- tessellation --------------------------------------------------------------------------------------- */

/* Threads of a patch go in lock-step: one reads what another has just written, and what is left for the patch, by the
 * first of them. */
static void test_control(void **state)
{
    const float x[16] = {10, 0, 0, 1, 20, 0, 0, 1, 30, 0, 0, 1, 40, 0, 0, 1};
    struct stage_test r;

    (void)state;
    open_run(
        &r,
        "!!NVtcp5.0\nVERTICES_OUT 3;\nTEMP t, n;\nATTRIB in = vertex.position;\nATTRIB out = vertex.out.position;\n"
        "MOV.S n.x, primitive.invocation;\nMOV.S t.x, 0;\nMIN.S n.y, n.x, 1;\nMOV result.position, in[n.y];\n"
        "ADD.S n.z, n.x, 1;\nSEQ.S.CC n.w, n.z, 3;\nMOV.S n.z (NE.w), 0;\nMOV result.texcoord[0], out[n.z];\n"
        "I2F t.x, n.x;\nADD t.x, t.x, 5.0;\nMOV result.patch.tessouter[0].x, t.x;\n"
        "MOV result.texcoord[1].x, primitive.out.tessouter[0].x;\nEND\n",
        GP5_SEMANTICS_NVIDIA);
    input(&r, "vertex.position", x, 4);
    const uint32_t *position = result(&r, "result.position"), *other = result(&r, "result.texcoord[0]"),
                   *shared = result(&r, "result.texcoord[1]"), *outer = result(&r, "result.patch.tessouter[0]");
    r.launch.count = 2;
    r.launch.patch_vertices = 2;
    assert_int_equal(execute(&r), GP5_RUN_OK);
    for (unsigned patch = 0; patch < 2; patch++) {
        float of[3] = {x[8 * patch], x[8 * patch + 4], x[8 * patch + 4]};
        for (unsigned i = 0; i < 3; i++) {
            unsigned vertex = patch * 3 + i;
            assert_true(number(position[4 * vertex]) == of[i]);
            assert_true(number(other[4 * vertex]) == of[i == 1 ? 2 : i == 0 ? 1 : 0]);
            assert_true(number(shared[4 * vertex]) == 5);
        }
        assert_true(number(outer[4 * patch]) == 5);
    }
    close_run(&r);
}

static const struct {
    const char *mode, *spacing;
    float outer[4], inner[2];
    size_t count;
} tessellations[] = {
    {"QUADS", "EQUAL", {3, 3, 3, 3}, {3, 3}, 16},      {"TRIANGLES", "EQUAL", {1, 1, 1, 1}, {1, 1}, 3},
    {"TRIANGLES", "EQUAL", {2, 2, 2, 2}, {2, 2}, 7},   {"TRIANGLES", "EQUAL", {3, 3, 3, 3}, {3, 3}, 12},
    {"TRIANGLES", "EQUAL", {5, 5, 5, 5}, {5, 5}, 27},  {"TRIANGLES", "EQUAL", {7, 7, 7, 7}, {7, 7}, 48},
    {"TRIANGLES", "EQUAL", {10, 10, 10, 10}, {10, 10}, 91}, {"ISOLINES", "EQUAL", {4, 4, 4, 4}, {4, 4}, 20},
    {"TRIANGLES", "EQUAL", {2, 2, 2, 2}, {1, 1}, 7},   {"QUADS", "EQUAL", {3, 0, 3, 3}, {3, 3}, 0},
};

/* As many points as the driver generates, and coordinates of 16 bits, mirrored. */
static void test_tessellator(void **state)
{
    struct stage_test r;
    float *found;

    (void)state;
    for (size_t i = 0; i < sizeof tessellations / sizeof *tessellations; i++) {
        char text[200];
        snprintf(text, sizeof text,
                 "!!NVtep5.0\nTESS_MODE %s;\nTESS_SPACING %s;\nMOV result.position, vertex.tesscoord;\nEND\n",
                 tessellations[i].mode, tessellations[i].spacing);
        open_run(&r, text, GP5_SEMANTICS_NVIDIA);
        size_t n = gp5_tessellate(r.executable, tessellations[i].outer, tessellations[i].inner, &found);
        if (n != tessellations[i].count)
            print_error("%s %g: %zu points\n", tessellations[i].mode, (double)tessellations[i].outer[0], n);
        assert_int_equal(n, tessellations[i].count);
        gp5_text_free((char *)found);
        close_run(&r);
    }
    open_run(&r, "!!NVtep5.0\nTESS_MODE ISOLINES;\nTESS_SPACING EQUAL;\nMOV result.position, vertex.tesscoord;\nEND\n",
             GP5_SEMANTICS_NVIDIA);
    const float outer[4] = {1, 10, 1, 1}, inner[2] = {1, 1};
    assert_int_equal(gp5_tessellate(r.executable, outer, inner, &found), 11);
    assert_true(found[6] == 13108.0f / 65536 && found[24] == 52428.0f / 65536);         /* 0.200012 and 0.799988 */
    gp5_text_free((char *)found);
    close_run(&r);
}

static void test_evaluation(void **state)
{
    const float corner[12] = {0, 0, 0, 1, 8, 0, 0, 1, 0, 16, 0, 1}, at[8] = {0.25f, 0.5f, 0.25f, 0, 1, 0, 0, 0};
    const uint32_t patch[2] = {0, 0};
    struct stage_test r;

    (void)state;
    open_run(&r, "!!NVtep5.0\nTESS_MODE TRIANGLES;\nTEMP t;\nMUL t, vertex[0].position, vertex.tesscoord.x;\n"
                 "MAD t, vertex[1].position, vertex.tesscoord.y, t;\n"
                 "MAD result.position, vertex[2].position, vertex.tesscoord.z, t;\nEND\n",
             GP5_SEMANTICS_SPEC);
    input(&r, "vertex.position", corner, 3);
    input(&r, "vertex.tesscoord", at, 2);
    const uint32_t *out = result(&r, "result.position");
    r.launch.count = 2;
    r.launch.patches = 1;
    r.launch.patch_vertices = 3;
    r.launch.patch = patch;
    assert_int_equal(execute(&r), GP5_RUN_OK);
    assert_true(number(out[0]) == 4 && number(out[1]) == 4 && number(out[3]) == 1);
    assert_true(number(out[4]) == 0 && number(out[5]) == 0);
    close_run(&r);
}

/* ---- launches that are none ---------------------------------------------------------------------------- */

static void test_bad_launches(void **state)
{
    const float x[4] = {1, 2, 3, 4};
    struct stage_test r;

    (void)state;
    open_run(&r, "!!ARBvp1.0\nMOV result.position, vertex.position;\nEND\n", GP5_SEMANTICS_NVIDIA);
    input(&r, "vertex.position", x, 1);
    result(&r, "result.position");
    r.launch.count = 2;
    assert_int_equal(execute(&r), GP5_RUN_BAD_LAUNCH);
    assert_string_equal(r.report.message, "vertex.position has 1 elements; 2 are needed");
    gp5_report_free(&r.report);
    r.launch.count = 1;
    r.in[0].binding = "vertex.pos";
    assert_int_equal(execute(&r), GP5_RUN_BAD_LAUNCH);
    assert_string_equal(r.report.message, "a vertex program has no input vertex.pos");
    gp5_report_free(&r.report);
    r.in[0].binding = "vertex.position";
    r.out[1] = r.out[0];
    r.launch.nresults = 2;
    assert_int_equal(execute(&r), GP5_RUN_BAD_LAUNCH);
    assert_string_equal(r.report.message, "result.position is given twice");
    gp5_report_free(&r.report);
    r.launch.nresults = 1;
    r.launch.count = UINT32_MAX;
    assert_int_equal(execute(&r), GP5_RUN_BAD_LAUNCH);
    gp5_report_free(&r.report);
    r.launch.count = 0;
    assert_int_equal(execute(&r), GP5_RUN_OK);
    close_run(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_vertex_instructions),
        cmocka_unit_test(test_vertex_numbers),
        cmocka_unit_test(test_vertex_results),
        cmocka_unit_test(test_invariance),
        cmocka_unit_test(test_state),
        cmocka_unit_test(test_fragments),
        cmocka_unit_test(test_points),
        cmocka_unit_test(test_fog),
        cmocka_unit_test(test_loop_index),
        cmocka_unit_test(test_geometry),
        cmocka_unit_test(test_streams),
        cmocka_unit_test(test_control),
        cmocka_unit_test(test_tessellator),
        cmocka_unit_test(test_evaluation),
        cmocka_unit_test(test_bad_launches),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
