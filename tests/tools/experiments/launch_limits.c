/* link: GLEW EGL GL */
/* How much a driver takes of a launch: work groups in every direction, a storage buffer of 4 GB, threads and shared
 * memory of a group. Each line says what was asked, the error that glGetError gives, and what the program left.
 *
 *   launch_limits [LARGEST]      bytes of the largest buffer, by default 2^32 + 4096 */
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GL/glew.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* The first device that gives a context of the highest version. */
static bool open_context(void)
{
    PFNEGLQUERYDEVICESEXTPROC query = (PFNEGLQUERYDEVICESEXTPROC)eglGetProcAddress("eglQueryDevicesEXT");
    PFNEGLGETPLATFORMDISPLAYEXTPROC display_of =
        (PFNEGLGETPLATFORMDISPLAYEXTPROC)eglGetProcAddress("eglGetPlatformDisplayEXT");
    EGLDeviceEXT devices[32];
    EGLint count = 0;

    if (!query || !display_of || !query(32, devices, &count))
        return false;
    for (EGLint i = 0; i < count; i++) {
        EGLDisplay display = display_of(EGL_PLATFORM_DEVICE_EXT, devices[i], NULL);
        EGLContext context;
        if (display == EGL_NO_DISPLAY || !eglInitialize(display, NULL, NULL) || !eglBindAPI(EGL_OPENGL_API))
            continue;
        context = eglCreateContext(display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, NULL);
        if (context != EGL_NO_CONTEXT && eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context))
            return true;
        eglTerminate(display);
    }
    return false;
}

static GLenum take_error(void)
{
    GLenum error = glGetError();

    for (int i = 0; i < 16 && glGetError() != GL_NO_ERROR; i++)
        ;
    return error;
}

static double seconds(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* ---- numbers ----------------------------------------------------------------------------------------------------- */

static void print_numbers(void)
{
    static const struct { const char *name; GLenum number; } one[] = {
        {"MAX_COMPUTE_WORK_GROUP_INVOCATIONS", GL_MAX_COMPUTE_WORK_GROUP_INVOCATIONS},
        {"MAX_COMPUTE_SHARED_MEMORY_SIZE", GL_MAX_COMPUTE_SHARED_MEMORY_SIZE},
        {"MAX_SHADER_STORAGE_BLOCK_SIZE", GL_MAX_SHADER_STORAGE_BLOCK_SIZE},
        {"MAX_SHADER_STORAGE_BUFFER_BINDINGS", GL_MAX_SHADER_STORAGE_BUFFER_BINDINGS},
        {"MAX_COMPUTE_SHADER_STORAGE_BLOCKS", GL_MAX_COMPUTE_SHADER_STORAGE_BLOCKS},
        {"MAX_UNIFORM_BLOCK_SIZE", GL_MAX_UNIFORM_BLOCK_SIZE},
    };

    for (size_t i = 0; i < sizeof one / sizeof *one; i++) {
        GLint64 value = -1;
        glGetInteger64v(one[i].number, &value);
        printf("%s %" PRId64 " error 0x%x\n", one[i].name, (int64_t)value, take_error());
    }
    for (GLuint i = 0; i < 3; i++) {
        GLint64 groups = -1, size = -1;
        glGetInteger64i_v(GL_MAX_COMPUTE_WORK_GROUP_COUNT, i, &groups);
        glGetInteger64i_v(GL_MAX_COMPUTE_WORK_GROUP_SIZE, i, &size);
        printf("MAX_COMPUTE_WORK_GROUP_COUNT[%u] %" PRId64 " SIZE[%u] %" PRId64 " error 0x%x\n", i, (int64_t)groups, i,
               (int64_t)size, take_error());
    }
}

/* ---- programs ---------------------------------------------------------------------------------------------------- */

static bool load(const char *text)
{
    GLuint name;
    GLint position = -1;

    glGenProgramsARB(1, &name);
    glBindProgramARB(GL_COMPUTE_PROGRAM_NV, name);
    glProgramStringARB(GL_COMPUTE_PROGRAM_NV, GL_PROGRAM_FORMAT_ASCII_ARB, (GLsizei)strlen(text), text);
    take_error();
    glGetIntegerv(GL_PROGRAM_ERROR_POSITION_ARB, &position);
    if (position != -1)
        printf("position %d: %s\n", position, (const char *)glGetString(GL_PROGRAM_ERROR_STRING_ARB));
    return position == -1;
}

static GLenum dispatch(GLuint x, GLuint y, GLuint z)
{
    GLenum error;

    glEnable(GL_COMPUTE_PROGRAM_NV);
    glDispatchCompute(x, y, z);
    error = take_error();
    glMemoryBarrier(GL_ALL_BARRIER_BITS);
    glFinish();
    glDisable(GL_COMPUTE_PROGRAM_NV);
    return error ? error : take_error();
}

static GLuint buffer(uint32_t binding, GLsizeiptr size)
{
    GLuint name;

    glGenBuffers(1, &name);
    glBindBuffer(GL_SHADER_STORAGE_BUFFER, name);
    glBufferData(GL_SHADER_STORAGE_BUFFER, size, NULL, GL_DYNAMIC_COPY);
    glClearBufferData(GL_SHADER_STORAGE_BUFFER, GL_R32UI, GL_RED_INTEGER, GL_UNSIGNED_INT, NULL);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, binding, name);
    return name;
}

#define HEAD(size, more)                                                       \
    "!!NVcp5.0\nOPTION NV_shader_storage_buffer;\nGROUP_SIZE " size ";\n" more \
    "STORAGE out[] = { program.storage[0] };\n"                                \
    "TEMP a, b, c;\n"

/* ---- groups ------------------------------------------------------------------------------------------------------ */

/* Every group counts itself and leaves the largest number of a group in each direction. */
static const char count_groups[] = HEAD("1", "")
    "MOV.U a, invocation.groupid;\nMOV.U b.x, 1;\nATOMB.ADD.U32 c.x, b.x, out[0];\nATOMB.MAX.U32 c.x, a.x, out[4];\n"
    "ATOMB.MAX.U32 c.x, a.y, out[8];\nATOMB.MAX.U32 c.x, a.z, out[12];\nEND\n";

/* The last one only, which is the cheaper of the two where there are billions. */
static const char last_group[] = HEAD("1", "")
    "MOV.U a, invocation.groupcount;\nSUB.U a, a, 1;\nSEQ.U b.xyz, a, invocation.groupid;\nAND.U b.x, b.x, b.y;\n"
    "AND.U.CC b.x, b.x, b.z;\nIF NE.x;\nMOV.U b, 1;\nSTB.U32X4 b, out[0];\nENDIF;\nEND\n";

static void try_groups(bool last)
{
    static const GLuint few[][3] = {{65535, 1, 1}, {65536, 1, 1}, {1000000, 1, 1}, {1, 65535, 1}, {1, 65536, 1},
     {1, 1, 65535},
                                    {1, 1, 65536}, {0, 1, 1}, {65536, 1, 65536}, {0x80000000u, 1, 1},
                                    {0xffffffffu, 1, 1}};
    static const GLuint many[][3] = {{0x7fffffff, 1, 1}, {65536, 65535, 1}, {65538, 65535, 1}};
    uint32_t words[4];

    if (!load(last ? last_group : count_groups))
        return;
    for (size_t i = 0; i < (last ? sizeof many / sizeof *many : sizeof few / sizeof *few); i++) {
        const GLuint *n = last ? many[i] : few[i];
        GLuint name = buffer(0, 16);
        double start = seconds();
        GLenum error = dispatch(n[0], n[1], n[2]);
        memset(words, 0xee, sizeof words);
        glGetBufferSubData(GL_SHADER_STORAGE_BUFFER, 0, 16, words);
        printf("groups %u %u %u: error 0x%x, left %u %u %u %u, %.3f s\n", n[0], n[1], n[2], error, words[0], words[1],
               words[2], words[3], seconds() - start);
        glDeleteBuffers(1, &name);
        fflush(stdout);
    }
}

/* ---- a group ----------------------------------------------------------------------------------------------------- */

static void try_shared(void)
{
    static const char *const sizes[][2] = {{"1024", "49152"}, {"1024", "49153"}, {"1024", "49156"}, {"1024", "65536"},
     {"1536", "48"},
                                           {"512 3", "48"}, {"1 1024", "48"}, {"1 1 64", "48"}, {"1 1 65", "48"}};
    char text[2048];
    uint32_t words[2];

    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        GLuint name = buffer(0, 16);
        snprintf(text, sizeof text,
                 "!!NVcp5.0\nOPTION NV_shader_storage_buffer;\nGROUP_SIZE %s;\nSHARED_MEMORY %s;\n"
                 "STORAGE out[] = { program.storage[0] };\nSHARED mem[] = { program.sharedmem };\nTEMP a, b, c;\n"
                 "MUL.U a.x, invocation.localindex.x, 48;\nMOV.U b.x, invocation.localindex.x;\n"
                 "STS.U32 b, mem[a.x + 44];\nBAR;\n"
                 "SUB.U a.x, 49104, a.x;\nLDS.U32 b.x, mem[a.x + 44];\nATOMB.ADD.U32 c.x, b.x, out[0];\nEND\n",
                 sizes[i][0], sizes[i][1]);
        printf("GROUP_SIZE %s, SHARED_MEMORY %s: ", sizes[i][0], sizes[i][1]);
        if (load(text)) {
            GLenum error = dispatch(1, 1, 1);
            glGetBufferSubData(GL_SHADER_STORAGE_BUFFER, 0, 8, words);
            printf("error 0x%x, sum %u\n", error, words[0]);
        }
        glDeleteBuffers(1, &name);
        fflush(stdout);
    }
}

/* ---- large buffers ----------------------------------------------------------------------------------------------- */

static void try_buffer(uint64_t size)
{
    static const uint32_t addresses[] = {0, 0x7ffffffc, 0x80000000, 0xfffffff0, 0xfffffffc};
    char text[2048];
    GLuint name = buffer(0, (GLsizeiptr)size), result;
    GLenum error = take_error();

    printf("buffer of %" PRIu64 " bytes: error 0x%x\n", size, error);
    result = buffer(1, 64);
    for (size_t i = 0; i < sizeof addresses / sizeof *addresses; i++) {
        uint32_t word = 0xeeeeeeee, read[4] = {0};
        snprintf(text, sizeof text,
                 HEAD("1",
                  "STORAGE back[] = { program.storage[1] };\n") "MOV.U a.x, %u;\nMOV.U b.x, %u;\nSTB.U32 b, out[a.x];\n"
                 "MEMBAR;\n"
                 "LDB.U32 c.x, out[a.x];\nSTB.U32 c, back[0];\nLDB.U32 c.x, out[a.x + 16];\nSTB.U32 c, back[4];\nEND\n",
                 addresses[i], (unsigned)(1000 + i));
        if (!load(text))
            continue;
        error = dispatch(1, 1, 1);
        glBindBuffer(GL_SHADER_STORAGE_BUFFER, name);
        if (addresses[i] + 4ull <= size)
            glGetBufferSubData(GL_SHADER_STORAGE_BUFFER, (GLintptr)addresses[i], 4, &word);
        glBindBuffer(GL_SHADER_STORAGE_BUFFER, result);
        glGetBufferSubData(GL_SHADER_STORAGE_BUFFER, 0, 16, read);
        printf("    address 0x%08x: error 0x%x, in the buffer %u, read back %u, 16 further %u, error 0x%x\n",
               addresses[i], error, word, read[0], read[1], take_error());
        fflush(stdout);
    }
    glDeleteBuffers(1, &name);
    glDeleteBuffers(1, &result);
}

int main(int argc, char **argv)
{
    uint64_t largest = argc > 1 ? strtoull(argv[1], NULL, 0) : (1ull << 32) + 4096;
    static const uint64_t sizes[] = {1ull << 31, (1ull << 32) - 4, 1ull << 32, (1ull << 32) + 4096};

    if (!open_context() || (glewInit() != GLEW_OK && !glDispatchCompute)) {
        fprintf(stderr, "launch_limits: no context opens\n");
        return 77;
    }
    printf("%s, %s\n", (const char *)glGetString(GL_RENDERER), (const char *)glGetString(GL_VERSION));
    take_error();
    print_numbers();
    try_shared();
    try_groups(false);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        if (sizes[i] <= largest)
            try_buffer(sizes[i]);
    try_groups(true);
    return 0;
}
