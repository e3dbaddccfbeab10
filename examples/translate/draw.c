/* Draws a hill with the shaders that `gp5 translate` makes of two ARB programs, in a context that has no such programs:
 *
 *   gp5 translate --to=glsl450 --interface=vp.json -o vp.glsl hill.vp
 *   gp5 translate --to=glsl450 --interface=fp.json -o fp.glsl hill.fp
 *   draw PICTURE.ppm vp.glsl vp.json fp.glsl fp.json
 *
 * What the shaders want is what the two tables say; nothing here knows which parameters the programs read. With
 * `draw --arb PICTURE.ppm hill.vp hill.fp` the programs themselves draw the same scene in an older context, for who
 * wants to compare. Exit status: 0, 1 something is refused, 2 wrong usage, 77 no such context.
 *
 *   cc -o draw draw.c $(pkg-config --cflags --libs egl gl jansson) -lm
 */
#define GL_GLEXT_PROTOTYPES
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GL/gl.h>
#include <GL/glext.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 160, HEIGHT = 120, STEPS = 24, VERTICES = (STEPS + 1) * (STEPS + 1), CORNERS = STEPS * STEPS * 6,
       POINTS = 18 };

/* ---- the scene: what an application of that age keeps in a context -------------------------------------------- */

/* As glLoadMatrixf has them: column by column. */
static const float modelview[16] = {0.8f, -0.36f, 0.48f, 0, 0.6f, 0.48f, -0.64f, 0, 0, 0.8f, 0.6f, 0, 0, 0, -2.5f, 1};
static const float projection[16] = {1.5f, 0, 0, 0, 0, 2, 0, 0, 0, 0, -1.25f, -1, 0, 0, -2.25f, 0};
/* Of a rotation the inverse is the transposed, so its normals turn as its points do. */
static const float light_position[4] = {0, 0.6f, 0.8f, 0};      /* in the eye's space */
static const float light_ambient[4] = {0.25f, 0.25f, 0.5f, 1}, light_diffuse[4] = {0.75f, 0.75f, 0.5f, 1};
static const float material[4] = {1, 0.75f, 0.5f, 1};           /* ambient and diffuse */
static const float fog_color[4] = {0.5f, 0.625f, 0.75f, 1}, fog_start = 1.5f, fog_end = 4;
static const float height[4] = {0.5f, 0, 0, 0};                 /* program.local[0] of the vertices */
static const float stretch[4] = {4, 4, 1, 1};                   /* program.env[0] of the fragments */
static const float tint[4] = {0.25f, 0.5f, 0.125f, 0.25f};      /* program.local[1] of the fragments */

static float positions[VERTICES][4], normals[VERTICES][4], coordinates[VERTICES][4];
static unsigned short corners[CORNERS];
static unsigned char ground[8][8][4];

static void make_scene(void)
{
    for (int i = 0; i < VERTICES; i++) {
        float x = (float)(i % (STEPS + 1)) / STEPS * 2 - 1, y = (float)(i / (STEPS + 1)) / STEPS * 2 - 1;
        float z = (1 - x * x) * (1 - y * y);
        memcpy(positions[i], (float[4]){x, y, z, 1}, 16);
        memcpy(normals[i], (float[4]){2 * x * (1 - y * y) * height[0], 2 * y * (1 - x * x) * height[0], 1, 1}, 16);
        memcpy(coordinates[i], (float[4]){x / 2 + 0.5f, y / 2 + 0.5f, 0, 1}, 16);
    }
    for (int i = 0; i < STEPS * STEPS; i++) {
        int at = i / STEPS * (STEPS + 1) + i % STEPS;
        for (int k = 0; k < 6; k++)
            corners[i * 6 + k] = (unsigned short)(at + (int[]){0, 1, STEPS + 1, STEPS + 1, 1, STEPS + 2}[k]);
    }
    for (int i = 0; i < 64; i++)
        memcpy(ground[i / 8][i % 8], (unsigned char[]){(unsigned char)(90 + i * 2), (unsigned char)(220 - i),
                                                       (unsigned char)((i / 8 + i) % 2 * 100), 255}, 4);
}

/* Row `row` of a matrix of the GL. */
static void row_of(const float m[16], unsigned row, float v[4])
{
    for (int c = 0; c < 4; c++)
        v[c] = m[c * 4 + row];
}

static void multiply(const float a[16], const float b[16], float out[16])
{
    for (int i = 0; i < 16; i++) {
        out[i] = 0;
        for (int k = 0; k < 4; k++)
            out[i] += a[k * 4 + i % 4] * b[i / 4 * 4 + k];
    }
}

/* The value of a parameter by the words of the program: this is what an engine has to write once. */
static int value_of(const char *stage, const char *binding, float v[4])
{
    float mvp[16];
    unsigned n;
    int fragment = !strcmp(stage, "fragment");

    multiply(projection, modelview, mvp);
    if (sscanf(binding, "state.matrix.mvp.row[%u]", &n) == 1 && n < 4)
        row_of(mvp, n, v);
    else if (sscanf(binding, "state.matrix.modelview[0].row[%u]", &n) == 1 && n < 4)
        row_of(modelview, n, v);
    else if (sscanf(binding, "state.matrix.modelview[0].invtrans.row[%u]", &n) == 1 && n < 3)
        row_of(modelview, n, v);        /* of x y z; w stands for the translation, which nothing here reads */
    else if (!strcmp(binding, "state.light[0].position"))
        memcpy(v, light_position, 16);
    else if (!strcmp(binding, "state.lightprod[0].ambient"))
        for (int i = 0; i < 4; i++)
            v[i] = light_ambient[i] * material[i];
    else if (!strcmp(binding, "state.lightprod[0].diffuse"))
        for (int i = 0; i < 4; i++)
            v[i] = light_diffuse[i] * material[i];
    else if (!strcmp(binding, "state.fog.color"))
        memcpy(v, fog_color, 16);
    else if (!strcmp(binding, "state.fog.params"))
        memcpy(v, (float[4]){1, fog_start, fog_end, 1 / (fog_end - fog_start)}, 16);
    else if (!fragment && !strcmp(binding, "program.local[0]"))
        memcpy(v, height, 16);
    else if (fragment && !strcmp(binding, "program.local[1]"))
        memcpy(v, tint, 16);
    else if (fragment && !strcmp(binding, "program.env[0]"))
        memcpy(v, stretch, 16);
    else if (!strncmp(binding, "program.", 8))
        memset(v, 0, 16);               /* arrays have all elements up to the last that is read */
    else
        return 0;
    return 1;
}

/* ---- files ---------------------------------------------------------------------------------------------------- */

static char *read_file(const char *name)
{
    FILE *f = fopen(name, "rb");
    char *text = calloc(1, 1 << 20);

    if (!f || !text || !fread(text, 1, (1 << 20) - 1, f)) {
        perror(name);
        exit(2);
    }
    fclose(f);
    return text;
}

static void write_picture(const char *name)
{
    static unsigned char pixels[HEIGHT][WIDTH][3];
    FILE *f = fopen(name, "wb");

    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(0, 0, WIDTH, HEIGHT, GL_RGB, GL_UNSIGNED_BYTE, pixels);
    if (!f || fprintf(f, "P6\n%d %d\n255\n", WIDTH, HEIGHT) < 0) {
        perror(name);
        exit(2);
    }
    for (int y = HEIGHT; y-- > 0;)
        fwrite(pixels[y], 3, WIDTH, f);
    fclose(f);
}

static void refuse(const char *name, const char *why)
{
    fprintf(stderr, "draw: %s: %s\n", name, why);
    exit(1);
}

/* ---- the table: what a translation wants ---------------------------------------------------------------------- */

static json_t *read_table(const char *name)
{
    json_error_t error;
    json_t *table = json_load_file(name, 0, &error);

    if (!table)
        refuse(name, error.text);
    return table;
}

static const char *word(const json_t *entry, const char *key)
{
    const char *text = json_string_value(json_object_get(entry, key));
    return text ? text : "";
}

static int number(const json_t *entry, const char *key)
{
    return (int)json_integer_value(json_object_get(entry, key));
}

/* Parameters of one binding point are one buffer. */
static void upload_parameters(const json_t *table, const char *name)
{
    static float blocks[POINTS][4096];
    size_t sizes[POINTS] = {0}, i;
    json_t *entry;

    json_array_foreach(json_object_get(table, "interface"), i, entry)
    {
        int point = number(entry, "point"), offset = number(entry, "offset");
        if (strcmp(word(entry, "kind"), "parameter"))
            continue;
        if (point < 0 || point >= POINTS || offset > 16 * 1023)
            refuse(name, "a block that there is no room for");
        if (!value_of(word(table, "stage"), word(entry, "binding"), &blocks[point][offset / 4]))
            refuse(name, word(entry, "binding"));
        if (sizes[point] < (size_t)offset + 16)
            sizes[point] = (size_t)offset + 16;
    }
    for (GLuint point = 0; point < POINTS; point++) {
        GLuint buffer;
        if (!sizes[point])
            continue;
        glGenBuffers(1, &buffer);
        glBindBuffer(GL_UNIFORM_BUFFER, buffer);
        glBufferData(GL_UNIFORM_BUFFER, (GLsizeiptr)sizes[point], blocks[point], GL_STATIC_DRAW);
        glBindBufferBase(GL_UNIFORM_BUFFER, point, buffer);
    }
}

static void set_samplers(const json_t *table, GLuint program)
{
    size_t i;
    json_t *entry;

    json_array_foreach(json_object_get(table, "interface"), i, entry)
        if (!strcmp(word(entry, "kind"), "texture"))
            glUniform1i(glGetUniformLocation(program, word(entry, "name")), number(entry, "unit"));
}

static void give_array(GLuint location, const void *data, size_t size)
{
    GLuint buffer;

    glGenBuffers(1, &buffer);
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)size, data, GL_STATIC_DRAW);
    glVertexAttribPointer(location, 4, GL_FLOAT, GL_FALSE, 16, NULL);
    glEnableVertexAttribArray(location);
}

static void give_inputs(const json_t *table, const char *name)
{
    size_t i;
    json_t *entry;

    json_array_foreach(json_object_get(table, "interface"), i, entry)
    {
        const char *binding = word(entry, "binding");
        GLuint location = (GLuint)number(entry, "location");
        if (strcmp(word(entry, "kind"), "input"))
            continue;
        if (!strcmp(binding, "vertex.position"))
            give_array(location, positions, sizeof positions);
        else if (!strcmp(binding, "vertex.normal"))
            give_array(location, normals, sizeof normals);
        else if (!strcmp(binding, "vertex.texcoord[0]"))
            give_array(location, coordinates, sizeof coordinates);
        else
            refuse(name, binding);
    }
}

/* ---- drawing -------------------------------------------------------------------------------------------------- */

static void compile(GLuint program, GLenum stage, const char *name)
{
    char *text = read_file(name), log[2000] = "";
    const GLchar *source = text;
    GLuint shader = glCreateShader(stage);
    GLint ok;

    glShaderSource(shader, 1, &source, NULL);
    glCompileShader(shader);
    glGetShaderiv(shader, GL_COMPILE_STATUS, &ok);
    glGetShaderInfoLog(shader, sizeof log, NULL, log);
    if (!ok)
        refuse(name, log);
    glAttachShader(program, shader);
    free(text);
}

static void set_up_shaders(char **names)
{
    GLuint program = glCreateProgram(), arrays;
    GLint ok;

    compile(program, GL_VERTEX_SHADER, names[0]);
    compile(program, GL_FRAGMENT_SHADER, names[2]);
    glLinkProgram(program);
    glGetProgramiv(program, GL_LINK_STATUS, &ok);
    if (!ok)
        refuse(names[0], "the two do not link");
    glUseProgram(program);
    glGenVertexArrays(1, &arrays);
    glBindVertexArray(arrays);
    for (int i = 0; i < 2; i++) {
        json_t *table = read_table(names[2 * i + 1]);
        upload_parameters(table, names[2 * i + 1]);
        set_samplers(table, program);
        if (i == 0)
            give_inputs(table, names[1]);
        json_decref(table);
    }
}

static void load_program(GLenum target, const char *name)
{
    char *text = read_file(name);
    GLuint program;

    glGenProgramsARB(1, &program);
    glBindProgramARB(target, program);
    glProgramStringARB(target, GL_PROGRAM_FORMAT_ASCII_ARB, (GLsizei)strlen(text), text);
    if (glGetError() != GL_NO_ERROR)
        refuse(name, (const char *)glGetString(GL_PROGRAM_ERROR_STRING_ARB));
    glEnable(target);
    free(text);
}

static void set_up_programs(char **names)
{
    static const GLenum faces = GL_FRONT_AND_BACK;

    load_program(GL_VERTEX_PROGRAM_ARB, names[0]);
    load_program(GL_FRAGMENT_PROGRAM_ARB, names[1]);
    glLightfv(GL_LIGHT0, GL_POSITION, light_position);  /* while the modelview matrix is none */
    glLightfv(GL_LIGHT0, GL_AMBIENT, light_ambient);
    glLightfv(GL_LIGHT0, GL_DIFFUSE, light_diffuse);
    glMaterialfv(faces, GL_AMBIENT_AND_DIFFUSE, material);
    glFogfv(GL_FOG_COLOR, fog_color);
    glFogf(GL_FOG_START, fog_start);
    glFogf(GL_FOG_END, fog_end);
    glMatrixMode(GL_PROJECTION);
    glLoadMatrixf(projection);
    glMatrixMode(GL_MODELVIEW);
    glLoadMatrixf(modelview);
    glProgramLocalParameter4fvARB(GL_VERTEX_PROGRAM_ARB, 0, height);
    glProgramEnvParameter4fvARB(GL_FRAGMENT_PROGRAM_ARB, 0, stretch);
    glProgramLocalParameter4fvARB(GL_FRAGMENT_PROGRAM_ARB, 1, tint);
    glVertexPointer(4, GL_FLOAT, 16, positions);
    glNormalPointer(GL_FLOAT, 16, normals);
    glTexCoordPointer(4, GL_FLOAT, 16, coordinates);
    glEnableClientState(GL_VERTEX_ARRAY);
    glEnableClientState(GL_NORMAL_ARRAY);
    glEnableClientState(GL_TEXTURE_COORD_ARRAY);
}

static void draw_scene(int core)
{
    GLuint buffer, texture, target[2], frame;

    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, 8, 8, 0, GL_RGBA, GL_UNSIGNED_BYTE, ground);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glGenRenderbuffers(2, target);
    glGenFramebuffers(1, &frame);
    glBindFramebuffer(GL_FRAMEBUFFER, frame);
    for (int i = 0; i < 2; i++) {
        glBindRenderbuffer(GL_RENDERBUFFER, target[i]);
        glRenderbufferStorage(GL_RENDERBUFFER, i ? GL_DEPTH_COMPONENT24 : GL_RGBA8, WIDTH, HEIGHT);
        glFramebufferRenderbuffer(GL_FRAMEBUFFER, i ? GL_DEPTH_ATTACHMENT : GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER,
                                  target[i]);
    }
    glViewport(0, 0, WIDTH, HEIGHT);
    glClearColor(fog_color[0], fog_color[1], fog_color[2], fog_color[3]);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    glEnable(GL_DEPTH_TEST);
    if (core) {
        glGenBuffers(1, &buffer);
        glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, buffer);
        glBufferData(GL_ELEMENT_ARRAY_BUFFER, sizeof corners, corners, GL_STATIC_DRAW);
    }
    glDrawElements(GL_TRIANGLES, CORNERS, GL_UNSIGNED_SHORT, core ? NULL : corners);
    if (glGetError() != GL_NO_ERROR)
        refuse("the scene", "an error of the GL");
}

static int open_context(int core)
{
    PFNEGLGETPLATFORMDISPLAYEXTPROC get =
        (PFNEGLGETPLATFORMDISPLAYEXTPROC)eglGetProcAddress("eglGetPlatformDisplayEXT");
    EGLDisplay display = get ? get(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL) : EGL_NO_DISPLAY;
    const EGLint core_attributes[] = {EGL_CONTEXT_MAJOR_VERSION, 4, EGL_CONTEXT_MINOR_VERSION, 5,
                                      EGL_CONTEXT_OPENGL_PROFILE_MASK, EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT, EGL_NONE};
    const EGLint older[] = {EGL_CONTEXT_OPENGL_PROFILE_MASK, EGL_CONTEXT_OPENGL_COMPATIBILITY_PROFILE_BIT, EGL_NONE};

    if (display == EGL_NO_DISPLAY || !eglInitialize(display, NULL, NULL) || !eglBindAPI(EGL_OPENGL_API))
        return 0;
    EGLContext context = eglCreateContext(display, NULL, EGL_NO_CONTEXT, core ? core_attributes : older);
    return context != EGL_NO_CONTEXT && eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context);
}

int main(int argc, char **argv)
{
    int arb = argc == 5 && !strcmp(argv[1], "--arb");

    if (!arb && argc != 6) {
        fputs("usage: draw PICTURE.ppm VERTEX.glsl VERTEX.json FRAGMENT.glsl FRAGMENT.json\n"
              "       draw --arb PICTURE.ppm VERTEX.vp FRAGMENT.fp\n", stderr);
        return 2;
    }
    if (!open_context(!arb)) {
        fputs("draw: no such context opens here\n", stderr);
        return 77;
    }
    make_scene();
    if (arb)
        set_up_programs(argv + 3);
    else
        set_up_shaders(argv + 2);
    draw_scene(!arb);
    write_picture(argv[arb ? 2 : 1]);
    return 0;
}
