/* link: GLEW EGL GL */
/* What the specifications leave open of the graphics stages, asked of NVIDIA's driver (docs/semantics.md, "Graphics
 * stages"): prints for each question the words that came out. Needs a GPU with EGL's device platform. */
#include "tests/tools/experiments/context.h"

static GLuint storage;

static void clear_storage(void)
{
    static const uint32_t nothing[64] = {0x80000000, 1, 0x7fa00001, 0, 0, 0x80000000};   /* for Q46 */

    if (!storage)
        glGenBuffers(1, &storage);
    glBindBuffer(GL_SHADER_STORAGE_BUFFER, storage);
    glBufferData(GL_SHADER_STORAGE_BUFFER, sizeof nothing, nothing, GL_DYNAMIC_COPY);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, storage);
}

static void print_storage(unsigned n)
{
    uint32_t words[64];

    glMemoryBarrier(GL_ALL_BARRIER_BITS);
    glGetBufferSubData(GL_SHADER_STORAGE_BUFFER, 0, sizeof words, words);
    printf("    storage:");
    for (unsigned i = 0; i < n; i++)
        printf(" %08x", words[i]);
    puts("");
}

/* ---- fragments ----------------------------------------------------------------------------------------------------
 */

#define FRAGMENT                                                                                                      \
    "!!NVfp5.0\nOPTION NV_shader_thread_group;\nOPTION NV_shader_thread_shuffle;\nOPTION NV_shader_storage_buffer;\n" \
    "STORAGE s[] = { program.storage[0] };\nTEMP t, u, v;\n"

struct vertex { float position[4], texcoord[4]; };
static const struct vertex whole[4] = {{{-1, -1, 0, 1}, {0, 0, 0, 1}},
                                       {{1, -1, 0, 1}, {1, 0, 0, 1}},
                                       {{-1, 1, 0, 1}, {0, 1, 0, 1}},
                                       {{1, 1, 0, 1}, {1, 1, 0, 1}}};
/* Without the upper right pixel of 2 x 2; and with another w at each corner. */
static const struct vertex half[3] = {
    {{-1, -1, 0, 1}, {0, 0, 0, 1}}, {{.9f, -1, 0, 1}, {1, 0, 0, 1}}, {{-1, .9f, 0, 1}, {0, 1, 0, 1}}};
static const struct vertex deep[3] = {
    {{-1, -1, 0, 1}, {0, 0, 0, 1}}, {{1.8f, -2, 0, 2}, {1, 0, 0, 1}}, {{-4, 3.6f, 0, 4}, {0, 1, 0, 1}}};

static void draw(const char *text, const struct vertex *v, unsigned n, int size, int samples)
{
    static const char pass[] =
        "!!ARBvp1.0\nMOV result.position, vertex.position;\nMOV result.texcoord[0], vertex.texcoord[0];\nEND\n";
    GLuint frame, color, plain, plain_color;
    uint32_t words[16 * 4] = {0};

    clear_storage();
    glGenFramebuffers(1, &frame);
    glGenFramebuffers(1, &plain);
    glGenRenderbuffers(1, &color);
    glGenRenderbuffers(1, &plain_color);
    glBindRenderbuffer(GL_RENDERBUFFER, plain_color);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA32F, size, size);
    glBindRenderbuffer(GL_RENDERBUFFER, color);
    glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples, GL_RGBA32F, size, size);
    glBindFramebuffer(GL_FRAMEBUFFER, plain);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, plain_color);
    glBindFramebuffer(GL_FRAMEBUFFER, frame);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, color);
    glViewport(0, 0, size, size);
    glClearColor(0, 0, 0, 0);
    glClear(GL_COLOR_BUFFER_BIT);
    glClampColor(GL_CLAMP_FRAGMENT_COLOR, GL_FALSE);
    glClampColor(GL_CLAMP_READ_COLOR, GL_FALSE);
    if (!load(GL_VERTEX_PROGRAM_ARB, pass) || !load(GL_FRAGMENT_PROGRAM_ARB, text))
        return;
    glBegin(n == 4 ? GL_TRIANGLE_STRIP : GL_TRIANGLES);
    for (unsigned i = 0; i < n; i++) {
        glTexCoord4fv(v[i].texcoord);
        glVertex4fv(v[i].position);
    }
    glEnd();
    glDisable(GL_FRAGMENT_PROGRAM_ARB);
    glDisable(GL_VERTEX_PROGRAM_ARB);
    if (samples) {
        print_storage(16);
        return;
    }
    glReadPixels(0, 0, size, size, GL_RGBA, GL_FLOAT, words);
    for (int i = 0; i < size * size; i++)
        printf("    (%d, %d): %08x %08x %08x %08x\n", i % size, i / size, words[4 * i], words[4 * i + 1],
               words[4 * i + 2], words[4 * i + 3]);
}

static void quad_swizzles(void)
{
    puts("Q45: QSWZ0..3 of x + 10 y");
    draw(FRAGMENT "MAD t.x, fragment.position.y, 10.0, fragment.position.x;\nQSWZ0 u.x, t.x, 0.0;\nQSWZ1 u.y, t.x, "
                  "0.0;\nQSWZ2 u.z, t.x, 0.0;\n"
                  "QSWZ3 u.w, t.x, 0.0;\nMOV result.color, u;\nEND\n",
         whole, 4, 2, 0);
    puts("Q45: fragment.threadid mod 4");
    draw(FRAGMENT "AND.U u, fragment.threadid.x, 3;\nMOV.U result.color, u;\nEND\n", whole, 4, 2, 0);
    puts("Q46: QSWZ0 of -0, a denormal, a signalling NaN with a 0 at run time; of -0 with -0");
    draw(FRAGMENT
         "LDB.U32X4 t, s[0];\nLDB.U32X4 v, s[16];\nQSWZ0 u.x, t.x, v.x;\nQSWZ0 u.y, t.y, v.x;\nQSWZ0 u.z, t.z, v.x;\n"
         "QSWZ0 u.w, t.x, v.y;\nMOV result.color, u;\nEND\n",
         whole, 4, 2, 0);
    puts("Q46: of the same with a literal 0.0; with -0.0");
    draw(FRAGMENT
         "LDB.U32X4 t, s[0];\nQSWZ0 u.x, t.x, 0.0;\nQSWZ0 u.y, t.y, 0.0;\nQSWZ0 u.z, t.z, 0.0;\nQSWZ0 u.w, t.x, -0.0;\n"
         "MOV result.color, u;\nEND\n",
         whole, 4, 2, 0);
    puts("Q44: QSWZ0 with 5.0 where x is 0 alone, of x + 10 y");
    draw(FRAGMENT
         "MAD t.x, fragment.position.y, 10.0, fragment.position.x;\nMOV u, 99.0;\nSLT.CC v.x, fragment.position.x, "
         "1.0;\nIF NE.x;\n"
         "QSWZ0 u.x, t.x, 5.0;\nQSWZ1 u.y, t.x, 5.0;\nQSWZX u.z, t.x, 5.0;\nENDIF;\nMOV result.color, u;\nEND\n",
         whole, 4, 2, 0);
    puts("Q44: the same where one pixel is not covered");
    draw(FRAGMENT "MAD t.x, fragment.position.y, 10.0, fragment.position.x;\nQSWZ0 u.x, t.x, 5.0;\nQSWZ3 u.y, t.x, "
                  "5.0;\nQSWZX u.z, t.x, 5.0;\n"
                  "MOV result.color, u;\nEND\n",
         half, 3, 2, 0);
}

static void helpers(void)
{
    puts("Q40: TGBALLOT of 1, threadid, helperthread where one pixel of the quad is not covered");
    draw(FRAGMENT "TGBALLOT.U u.x, 1;\nMOV.U u.y, fragment.threadid.x;\nMOV.U u.z, fragment.helperthread.x;\nMOV.U "
                  "result.color, u;\nEND\n",
         half, 3, 2, 0);
    puts("Q40: the same behind KIL where x is 0");
    draw(FRAGMENT "SUB t.x, fragment.position.x, 1.0;\nKIL t.x;\nTGBALLOT.U u.x, 1;\nMOV.U u.y, fragment.threadid.x;\n"
                  "MOV.U u.z, fragment.helperthread.x;\nMOV.U result.color, u;\nEND\n", whole, 4, 2, 0);
    puts("Q170: stores (7 at x + 2 y) before KIL where x is 0, (9 at 4 + x + 2 y) behind it");
    draw(FRAGMENT
         "FLR t.xy, fragment.position;\nMAD t.z, t.y, 2.0, t.x;\nTRUNC.S u.x, t.z;\nMUL.S u.x, u.x, 4;\nSTB.U32 7, "
         "s[u.x];\n"
         "SUB t.x, fragment.position.x, 1.0;\nKIL t.x;\nSTB.U32 9, s[u.x + 16];\nMOV result.color, 1.0;\nEND\n",
         whole, 4, 2, 0);
    print_storage(8);
    puts("Q176: fragment.position.w, and that of lane ^ 1, ^ 2, ^ 3, of a perspective triangle without one pixel");
    draw(FRAGMENT "MOV t.x, fragment.position.w;\nSHFXOR.F u.xy, t.x, 1, 31;\nMOV v.y, u.y;\nSHFXOR.F u.xy, t.x, 2, "
                  "31;\nMOV v.z, u.y;\n"
                  "SHFXOR.F u.xy, t.x, 3, 31;\nMOV v.w, u.y;\nMOV v.x, t.x;\nMOV result.color, v;\nEND\n",
         deep, 3, 2, 0);
    puts("Q167: DDX of x x at four samples each, of a SAMPLE attribute in pixels; 2 at the centre");
    draw("!!NVfp5.0\nOPTION NV_shader_storage_buffer;\nSTORAGE s[] = { program.storage[0] };\nSAMPLE ATTRIB a = "
         "fragment.texcoord[0];\nTEMP t, u;\n"
         "MUL t, a, 2.0;\nMUL u.y, t.x, t.x;\nDDX u.x, u.y;\nMOV.S u.z, fragment.sampleid.x;\nMUL.S u.z, u.z, "
         "8;\nSTB.F32 u.x, s[u.z];\n"
         "ADD.S u.z, u.z, 4;\nDDX u.x, t.x;\nSTB.F32 u.x, s[u.z];\nMOV result.color, u;\nEND\n",
         whole, 4, 2, 4);
}

static void make_levels(GLenum minification)
{
    GLuint texture;
    float texels[64 * 4];

    glGenTextures(1, &texture);
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, texture);
    for (int level = 0, size = 8; size; level++, size /= 2) {
        for (int i = 0; i < 64 * 4; i++)
            texels[i] = (float)level;
        glTexImage2D(GL_TEXTURE_2D, level, GL_RGBA32F, size, size, 0, GL_RGBA, GL_FLOAT, texels);
    }
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, (GLint)minification);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
}

static void levels_of_detail(void)
{
    static const float scales[] = {0.0625f, 0.25f, 0.5f, 0.75f, 1, 2, 16};
    char text[1024];

    make_levels(GL_LINEAR_MIPMAP_LINEAR);
    glTexParameterf(GL_TEXTURE_2D, GL_TEXTURE_MAX_LOD, 2.25f);
    glTexParameterf(GL_TEXTURE_2D, GL_TEXTURE_MIN_LOD, -0.5f);
    for (unsigned i = 0; i < sizeof scales / sizeof *scales; i++) {
        printf("Q143: LOD over %g texels a pixel (levels -0.5 to 2.25 of 0 to 3)\n", (double)scales[i] * 4);
        snprintf(text, sizeof text,
                 FRAGMENT "MUL t, fragment.texcoord[0], %g;\nLOD u, t, texture[0], 2D;\nTEX v, t, texture[0], 2D;\n"
                          "MOV u.z, v.x;\nMOV result.color, u;\nEND\n",
                 (double)scales[i]);
        draw(text, whole, 4, 2, 0);
    }
}

/* ---- vertices
 * ----------------------------------------------------------------------------------------------------------- */

static void capture(GLenum primitive, GLenum captured, const GLint *attributes, GLsizei n, void (*submit)(GLenum),
                    const char *names, unsigned words)
{
    GLuint buffer, query, written = 0, frame, color;
    uint32_t got[256] = {0};

    (void)primitive;
    glGenFramebuffers(1, &frame);
    glGenRenderbuffers(1, &color);
    glBindRenderbuffer(GL_RENDERBUFFER, color);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA32F, 2, 2);
    glBindFramebuffer(GL_FRAMEBUFFER, frame);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, color);
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_TRANSFORM_FEEDBACK_BUFFER, buffer);
    glBufferData(GL_TRANSFORM_FEEDBACK_BUFFER, sizeof got, got, GL_DYNAMIC_READ);
    glEnable(GL_RASTERIZER_DISCARD);
    glTransformFeedbackAttribsNV(n, attributes, GL_INTERLEAVED_ATTRIBS_NV);
    glBindBufferBaseNV(GL_TRANSFORM_FEEDBACK_BUFFER_NV, 0, buffer);
    glGenQueries(1, &query);
    glBeginQuery(GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN, query);
    glBeginTransformFeedbackNV(captured);
    submit(primitive);
    glEndTransformFeedbackNV();
    glEndQuery(GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN);
    glGetQueryObjectuiv(query, GL_QUERY_RESULT, &written);
    glDisable(GL_RASTERIZER_DISCARD);
    glBindBuffer(GL_TRANSFORM_FEEDBACK_BUFFER, buffer);
    glGetBufferSubData(GL_TRANSFORM_FEEDBACK_BUFFER, 0, sizeof got, got);
    printf("    %u primitives, error %x; %s:\n", written, glGetError(), names);
    unsigned each = captured == GL_POINTS ? 1 : 2;
    for (unsigned i = 0; i < written * each && (i + 1) * words <= 256; i++) {
        printf("       ");
        for (unsigned k = 0; k < words; k++)
            printf(" %08x", got[i * words + k]);
        puts("");
    }
}

static void arrays(GLenum primitive)
{
    static const float at[8 * 4] = {0, 0, 0, 1, 1, 0, 0, 1, 2, 0, 0, 1, 3, 0, 0, 1,
                                    4, 0, 0, 1, 5, 0, 0, 1, 6, 0, 0, 1, 7, 0, 0, 1};

    glVertexPointer(4, GL_FLOAT, 0, at);
    glEnableClientState(GL_VERTEX_ARRAY);
    (void)primitive;
}

static void from_two(GLenum primitive) { arrays(primitive); glDrawArrays(primitive, 2, 3); }
static void based(GLenum primitive)
{
    static const GLushort index[3] = {0, 2, 1};
    arrays(primitive);
    glDrawElementsBaseVertex(primitive, 3, GL_UNSIGNED_SHORT, index, 3);
}
static void instances(GLenum primitive) { arrays(primitive); glDrawArraysInstancedBaseInstance(primitive, 0, 1, 3, 7); }
static void four(GLenum primitive)
{
    arrays(primitive);
    glPatchParameteri(GL_PATCH_VERTICES, 4);
    glDrawArrays(primitive, 0, 4);
}

static void vertices(void)
{
    static const GLint texcoord[] = {GL_TEXTURE_COORD_NV, 4, 0};
    static const char numbers[] =
        "!!NVvp5.0\nMOV result.position, vertex.position;\nMOV.U result.texcoord[0].x, vertex.id.x;\n"
        "MOV.U result.texcoord[0].y, vertex.instance.x;\nMOV result.texcoord[0].zw, vertex.position.x;\nEND\n";
    static const char texture[] =
        "!!NVvp5.0\nTEMP t;\nMOV result.position, vertex.position;\nTEX t, vertex.position, texture[0], 2D;\n"
        "MOV result.texcoord[0].x, t.x;\nMOV t, {0.5, 0.5, 0, 1.5};\nTXB t, t, texture[0], 2D;\n"
        "MOV result.texcoord[0].y, t.x;\nMOV t, {0.5, 0.5, 0, 2.5};\nTXL t, t, texture[0], 2D;\n"
        "MOV result.texcoord[0].zw, t.x;\nEND\n";

    puts("Q174: vertex.id (x), instance (y), the array's element (z) of a draw from 2; with indices 0 2 1 and base "
         "vertex 3");
    if (load(GL_VERTEX_PROGRAM_ARB, numbers)) {
        capture(GL_POINTS, GL_POINTS, texcoord, 1, from_two, "first 2", 4);
        capture(GL_POINTS, GL_POINTS, texcoord, 1, based, "base vertex 3", 4);
        puts("Q175: three instances from base instance 7");
        capture(GL_POINTS, GL_POINTS, texcoord, 1, instances, "base instance 7", 4);
    }
    make_levels(GL_NEAREST_MIPMAP_NEAREST);
    puts("Q165: TEX, TXB by 1.5, TXL 2.5 in a vertex program, of levels that hold their numbers");
    if (load(GL_VERTEX_PROGRAM_ARB, texture))
        capture(GL_POINTS, GL_POINTS, texcoord, 1, from_two, "x TEX, y TXB, z TXL", 4);
}

static void geometry(void)
{
    static const GLint texcoord[] = {GL_TEXTURE_COORD_NV, 4, 0};

    if (!load(GL_VERTEX_PROGRAM_ARB,
              "!!NVvp5.0\nMOV result.position, vertex.position;\nMOV result.texcoord[0], vertex.position;\nEND\n"))
        return;
    puts("Q172: VERTICES_OUT 2, three EMITs (of 1, 2, 3) for each of three points; as points, as a line strip");
    if (load(GL_GEOMETRY_PROGRAM_NV, "!!NVgp5.0\nPRIMITIVE_IN POINTS;\nPRIMITIVE_OUT POINTS;\nVERTICES_OUT 2;\nMOV "
                                     "result.texcoord[0], 1.0;\nEMIT;\n"
                                     "MOV result.texcoord[0], 2.0;\nEMIT;\nMOV result.texcoord[0], 3.0;\nEMIT;\nEND\n"))
        capture(GL_POINTS, GL_POINTS, texcoord, 1, from_two, "points", 4);
    if (load(GL_GEOMETRY_PROGRAM_NV, "!!NVgp5.0\nPRIMITIVE_IN POINTS;\nPRIMITIVE_OUT LINE_STRIP;\nVERTICES_OUT 2;\nMOV "
                                     "result.texcoord[0], 1.0;\nEMIT;\n"
                                     "MOV result.texcoord[0], 2.0;\nEMIT;\nMOV result.texcoord[0], 3.0;\nEMIT;\nEND\n"))
        capture(GL_POINTS, GL_LINES, texcoord, 1, from_two, "lines", 4);
    make_levels(GL_NEAREST_MIPMAP_NEAREST);
    puts("Q165: TEX and TXB by 1.5 in a geometry program");
    if (load(GL_GEOMETRY_PROGRAM_NV,
             "!!NVgp5.0\nPRIMITIVE_IN POINTS;\nPRIMITIVE_OUT POINTS;\nVERTICES_OUT 1;\nTEMP t;\nMOV t, {0.5, 0.5, 0, "
             "1.5};\n"
             "TXB t, t, texture[0], 2D;\nMOV result.texcoord[0], t.x;\nTEX t, vertex[0].texcoord[0], texture[0], 2D;\n"
             "MOV result.texcoord[0].y, t.x;\nEMIT;\nEND\n"))
        capture(GL_POINTS, GL_POINTS, texcoord, 1, from_two, "x TXB, y TEX", 4);
    glDisable(GL_GEOMETRY_PROGRAM_NV);
}

static void control(void)
{
    static const GLint attribs[] = {GL_GENERIC_ATTRIB_NV, 4, 0, GL_GENERIC_ATTRIB_NV, 4, 1,
                                    GL_GENERIC_ATTRIB_NV, 4, 2, GL_GENERIC_ATTRIB_NV, 4, 3};
    static const char behind[] =
        "!!NVtep5.0\nTESS_MODE ISOLINES;\nTESS_SPACING EQUAL;\nTESS_POINT_MODE;\nMOV result.attrib[0], "
        "vertex[0].texcoord[0];\n"
        "MOV result.attrib[1], vertex[1].texcoord[0];\nMOV result.attrib[2], vertex[2].texcoord[0];\n"
        "MOV result.attrib[3], vertex[3].texcoord[0];\nMOV result.position, vertex[0].texcoord[0];\nEND\n";
#define CONTROL                                                                                         \
    "!!NVtcp5.0\nOPTION NV_shader_thread_group;\nVERTICES_OUT 4;\nINT TEMP n, c;\nTEMP t;\nMOV.S n.x, " \
    "primitive.invocation;\n"                                                                           \
    "MOV result.patch.tessouter[0].x, 1.0;\nMOV result.patch.tessouter[1].x, 1.0;\n"

    if (!load(GL_TESS_EVALUATION_PROGRAM_NV, behind))
        return;
    puts("Q65: four threads; thread n leaves a loop after n + 1 rounds: ballots in the last round (x), behind the loop "
         "(y), rounds (z)");
    if (load(
            GL_TESS_CONTROL_PROGRAM_NV, CONTROL
            "MOV.U t, 0;\nREP;\nTGBALLOT.U t.x, 1;\nADD.U t.z, t.z, 1;\nSGT.S.CC c.x, t.z, n.x;\nBRK (NE.x);\nENDREP;\n"
            "TGBALLOT.U t.y, 1;\nMOV.U result.texcoord[0], t;\nEND\n"))
        capture(GL_PATCHES, GL_POINTS, attribs, 4, four, "of four threads", 16);
    puts("Q65: thread 1 returns; ballots of the others behind that (y), what they read of its result (z) that it wrote "
         "before (5.0)");
    if (load(GL_TESS_CONTROL_PROGRAM_NV,
             CONTROL "MOV result.texcoord[0], 5.0;\nSEQ.S.CC c.x, n.x, 1;\nRET (NE.x);\nTGBALLOT.U t.y, 1;\n"
                     "MOV t.z, vertex.out[1].texcoord[0].x;\nMOV result.texcoord[0].yz, t;\nEND\n"))
        capture(GL_PATCHES, GL_POINTS, attribs, 4, four, "of four threads", 16);
    puts("Q65: what a thread reads of the next one's result right behind its write (x), under IF (y)");
    if (load(GL_TESS_CONTROL_PROGRAM_NV, CONTROL
             "I2F.S t.x, n.x;\nMOV result.texcoord[0], t.x;\nMOV t.y, vertex.out[3].texcoord[0].x;\nMOV t.z, 77.0;\n"
             "SLT.S.CC c.x, n.x, 2;\nIF NE.x;\nMOV result.texcoord[0].w, 44.0;\nELSE;\nMOV t.z, "
             "vertex.out[0].texcoord[0].w;\nENDIF;\n"
             "MOV result.texcoord[0].yz, t;\nEND\n"))
        capture(GL_PATCHES, GL_POINTS, attribs, 4, four, "of four threads", 16);
    glDisable(GL_TESS_CONTROL_PROGRAM_NV);
    glDisable(GL_TESS_EVALUATION_PROGRAM_NV);
}

int main(void)
{
    if (!open_context())
        return 77;
    quad_swizzles();
    helpers();
    levels_of_detail();
    vertices();
    geometry();
    control();
    return 0;
}
