/* Programs to measure with: tests/bench/bench-text.h. */
#include "tests/bench/bench-text.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

void text_add(struct text *text, const char *format, ...)
{
    enum { LONGEST = 4096 };
    if (text->room - text->size < LONGEST) {
        text->room = text->room * 2 + 2 * LONGEST;
        text->bytes = realloc(text->bytes, text->room);
        if (!text->bytes) {
            fputs("no memory for a text to measure with\n", stderr);
            exit(2);
        }
    }
    va_list arguments;
    va_start(arguments, format);
    int n = vsnprintf(text->bytes + text->size, LONGEST, format, arguments);
    va_end(arguments);
    if (n < 0 || n >= LONGEST) {
        fputs("a line to measure with is too long\n", stderr);
        exit(2);
    }
    text->size += (size_t)n;
}

void text_free(struct text *text)
{
    free(text->bytes);
    *text = (struct text){0};
}

/* Some number below `limit`, the same in every run. */
static unsigned pick(uint32_t *state, unsigned limit)
{
    *state = *state * 1664525u + 1013904223u;
    return (*state >> 16) % limit;
}

/* ---- !!ARBfp1.0 ---------------------------------------------------------------------------------------- */

static void arb_head(struct text *text)
{
    text_add(text, "!!ARBfp1.0\n"
                   "ATTRIB position = fragment.texcoord[0];\n"
                   "ATTRIB normal = fragment.texcoord[1];\n"
                   "ATTRIB diffuse = fragment.color;\n"
                   "PARAM light = program.local[0];\n"
                   "PARAM ambient = program.env[3];\n"
                   "PARAM fresnel = {0.0212, 0.97, 5.0, 1.0};\n"
                   "TEMP view, half, n, lit, base, spec;\n"
                   "TEMP R0, R1, R2, R3;\n"
                   "OUTPUT color = result.color;\n");
}

static void arb_block(struct text *text, unsigned block)
{
    text_add(text,
             "DP3 R0.w, normal, normal;\n"
             "RSQ R0.w, R0.w;\n"
             "MUL n.xyz, normal, R0.w;\n"
             "SUB view.xyz, light, position;\n"
             "DP3 view.w, view, view;\n"
             "RSQ view.w, view.w;\n"
             "MUL view.xyz, view.w, view;\n"
             "MAD half.xyz, position, -{0.5, 0.25, 0.125, 1.0}, view;\n"
             "DP3_SAT lit.x, n, view;\n"
             "DP3_SAT lit.y, n, half;\n"
             "MOV lit.w, fresnel.z;\n"
             "LIT lit, lit;\n"
             "MAD base, diffuse, lit.y, ambient;\n"
             "MUL spec, program.local[%u], lit.z;\n"
             "ADD R1.x, fresnel.w, -lit.y;\n"
             "POW R1.y, R1.x, fresnel.z;\n",
             block % 24 + 1);
    text_add(text,
             "LRP R2, R1.y, base, spec;\n"
             "CMP R3, -R2.wzyx, R2, fresnel.x;\n"
             "MAX R3.xyz, R3, 0.0625;\n"
             "MIN base, R3, {%u.5, 1.0, 1.0, 1.0};\n"
             "MAD R%u, base, spec, R%u;\n",
             block % 7, block % 4, (block + 1) % 4);
}

void text_arb_arithmetic(struct text *text, unsigned blocks)
{
    arb_head(text);
    text_add(text, "MOV R0, diffuse;\nMOV R1, R0;\nMOV R2, R0;\nMOV R3, R0;\n");
    for (unsigned i = 0; i < blocks; i++)
        arb_block(text, i);
    text_add(text, "MOV color, R0;\n");
}

void text_arb_declarations(struct text *text, unsigned params)
{
    text_add(text, "!!ARBfp1.0\nOPTION ARB_precision_hint_fastest;\n");
    for (unsigned i = 0; i < params; i++) {
        switch (i % 4) {
        case 0:
            text_add(text, "PARAM material_%u_diffuse = program.local[%u];\n", i, i % 200);
            break;
        case 1:
            text_add(text, "PARAM light_%u_position = program.env[%u];\n", i, i % 200);
            break;
        case 2:
            text_add(text, "PARAM weights_%u = { 0.%u, 1.5, -2.25, 1.0 };\n", i, i % 10 + 1);
            break;
        default:
            text_add(text, "PARAM matrix_%u[4] = { state.matrix.modelview };\n", i);
            break;
        }
    }
    for (unsigned i = 0; i < 200; i++)
        text_add(text, "TEMP value_%u;\n", i);
    text_add(text, "ATTRIB coordinate = fragment.texcoord[0];\nMOV value_0, material_0_diffuse;\n"
                   "MAD value_1, value_0, coordinate, light_1_position;\nMOV result.color, value_1;\n");
}

void text_arb_comments(struct text *text, unsigned blocks)
{
    arb_head(text);
    text_add(text, "MOV R0, diffuse;\nMOV R1, R0;\nMOV R2, R0;\nMOV R3, R0;\n");
    for (unsigned i = 0; i < blocks; i++) {
        text_add(text,
                 "\n#----------------------------------------------------------------------------------\n"
                 "# Layer %u: the surface as it is seen under one light. The normal comes interpolated\n"
                 "# and so has to be made one long again; the half vector lies between the eye and the\n"
                 "# light. What is called R0.w here was the squared length before.\n"
                 "# (was: MUL n.xyz, normal, R0.w; DP3 R1, n, light;)\n"
                 "#----------------------------------------------------------------------------------\n"
                 "DP3 R0.w, normal, normal;    # squared length, never zero for what the exporter writes\n"
                 "RSQ R0.w, R0.w;              # its inverse root\n"
                 "MUL n.xyz, normal, R0.w;     # the normal, one long\n",
                 i);
    }
    text_add(text, "MAD color, n, 0.5, 0.5;\n");
}

/* ---- !!NVcp5.0 ----------------------------------------------------------------------------------------- */

void text_nv_straight(struct text *text, size_t size)
{
    static const char *const ops[] = {"ADD.F", "MUL.F", "MAD.F", "MIN.S", "XOR.U", "SHL.U", "MAX.F", "MAD.U"};
    static const unsigned char operands[] = {2, 2, 3, 2, 2, 1, 2, 3};
    uint32_t state = 1;
    text_add(text, "!!NVcp5.0\nOPTION NV_shader_storage_buffer;\nGROUP_SIZE 64;\n"
                   "STORAGE data[] = { program.storage[0] };\nTEMP R0, R1, R2, R3, R4, R5, R6, R7;\n"
                   "MUL.U R7.x, invocation.globalid.x, 16;\nLDB.F32X4 R0, data[R7.x];\n");
    while (text->size < size) {
        unsigned op = pick(&state, sizeof ops / sizeof *ops);
        text_add(text, "%s R%u, R%u", ops[op], pick(&state, 7), pick(&state, 7));
        for (unsigned i = 1; i < operands[op]; i++)
            text_add(text, ", %sR%u%s", op == 0 && i == 1 ? "-" : "", pick(&state, 7), i == 1 ? ".yzwx" : "");
        text_add(text, op == 5 ? ", R%u.x;\n" : ";\n", pick(&state, 7));
    }
    text_add(text, "STB.F32X4 R0, data[R7.x];\nEND\n");
}

static void nv_head(struct text *text)
{
    text_add(text,
             "!!NVcp5.0\nOPTION NV_internal;\nOPTION NV_shader_storage_buffer;\nOPTION NV_bindless_texture;\n"
             "OPTION NV_shader_thread_group;\nOPTION NV_shader_thread_shuffle;\nGROUP_SIZE 64;\n"
             "STORAGE sbo_buf0[] = { program.storage[0] };\nSTORAGE sbo_buf1[] = { program.storage[1] };\n"
             "TEMP R0, R1, R2;\nTEMP T;\nTEMP RC;\nSHORT TEMP HC;\n"
             "MUL.S R0.z, invocation.globalid.x, {4, 0, 0, 0}.x;\nMOV.S R0.z, R0;\n"
             "LDB.U32 R1.x, sbo_buf0[R0.z];\n");
}

void text_nv_compiled(struct text *text, size_t size)
{
    uint32_t state = 2;
    nv_head(text);
    while (text->size < size)
        text_add(text,
                 "SHFUP.U R0.xy, R0.w, {%u, 0, 0, 0}, {0, 0, 0, 0};\n"
                 "SNE.U R0.x, R0, {0, 0, 0, 0};\n"
                 "MOV.U.CC RC.x, -R0;\n"
                 "IF NE.x;\n"
                 "ADD.U R0.z, R0.w, R0.y;\n"
                 "ENDIF;\n"
                 "AND.U R0.y, invocation.threadid.x, {0xffffffe0, 0, 0, 0}.x;\n"
                 "SHL.S R0.y, {%u, 0, 0, 0}.x, R0.y;\n"
                 "MUL.F32 R2.z, R0.w, {0.100000001, 0, 0, 0}.x;\n"
                 "MAD.U R0.w, R2, {3, 0, 0, 0}, R0;\n"
                 "SGE.S.CC HC.x, R0.w, R0.y;\n",
                 1u << pick(&state, 5), pick(&state, 100));
    text_add(text, "MUL.S R0.y, invocation.globalid.x, {4, 0, 0, 0}.x;\nMOV.S R0.y, R0;\n"
                   "STB.U32 R0, sbo_buf1[R0.y];\nEND\n");
}

void text_nv_dense(struct text *text, size_t size)
{
    uint32_t state = 3;
    nv_head(text);
    while (text->size < size)
        text_add(text,
                 "SHFIDX.U R0,R0.w,%u,31;MOV.U R0.x,R0.y;\n"
                 "MOV.U.CC RC.x,R0.x;\n"
                 "IF NE.x;\n"
                 "ADD.U R0.z,R0.w,R0.y;\n"
                 "ELSE;\n"
                 "MOV.U R1.x,%u;\n"
                 "ENDIF;\n"
                 "AND.U R1.x,R0.z,255;\n"
                 "SHL.U R1.x,R1.x,8;\n"
                 "MUL.F R2.x,R0.w,1.5e-05;\n"
                 "MAD.F R2.x,R2.x,R0.y,-R1.x;\n"
                 "SGE.S R2.y,R0.w,R0.y;\n"
                 "TRUNC.U R2.z,|R2.x|;\n",
                 pick(&state, 32), pick(&state, 65536));
    text_add(text, "MOV.S R0.y,R1.x;\nSTB.U32 R0,sbo_buf1[R0.y];\nEND");
}
