/* Writes Direct3D 9 shaders in assembly by chance, as a list for tests/programs/mojoshader.c:
 *
 *   d3d9_shaders [--seed=N] [--count=N]
 *
 * In turn vertex shaders of the versions 1.1, 2.0, 2.x and 3.0 and pixel shaders of 1.1 to 1.3, 2.0 and 2.x, with every
 * instruction that MojoShader writes in more than one of its languages: arithmetic with masks, swizzles, signs and
 * saturation, matrices, comparisons, branches by comparison and by constants, loops, textures. Every register is
 * written before it is read, and numbers are such that loops end and few results run away. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEMPS = 6, CONSTANTS = 8, OWN = 12 /* the first with a value of its own */, INPUTS = 4, DEEPEST = 2 };

struct shader {
    uint64_t state;
    bool vertex, flow; /* flow: it may branch and loop */
    int version;       /* 11, 12, 13, 20, 21 (2.x), 30 */
    int depth, predicates;
};

static unsigned chance(struct shader *s, unsigned n)
{
    uint64_t z = s->state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (unsigned)((z ^ z >> 31) >> 16) % n;
}

static const char *pick(struct shader *s, const char *const *list, unsigned n)
{
    return list[chance(s, n)];
}
#define PICK(s, ...) \
    pick(s, (const char *const[]){__VA_ARGS__}, sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *))

/* ---- operands ---------------------------------------------------------------------------------------------------- */

/* A register that has a value; `constant`: it may be a constant, of which an instruction takes one. */
static const char *source(struct shader *s, bool *constant)
{
    static char names[8][16];
    static unsigned turn;
    char *name = names[turn++ % 8];
    unsigned kind = chance(s, 10);

    if (kind < 3 && *constant) {
        *constant = false;
        snprintf(name, 16, "c%u", kind == 0 ? OWN + chance(s, 2) : chance(s, CONSTANTS));
    } else if (kind < 5 && s->version >= 20) {
        if (s->vertex)
            snprintf(name, 16, "v%u", chance(s, INPUTS));
        else
            snprintf(name, 16, "%s", PICK(s, "t0", "t1", "v0"));
    } else {
        snprintf(name, 16, "r%u", chance(s, s->version < 20 && !s->vertex ? 2 : TEMPS));
    }
    return name;
}

static void operand(struct shader *s, bool *constant, bool scalar)
{
    const char *name = source(s, constant);
    bool old = s->version < 20 && !s->vertex;

    printf(", %s%s", chance(s, 4) ? "" : "-", name);
    if (scalar)
        printf(".%c", "xyzw"[chance(s, 4)]);
    else if (!old && chance(s, 3) == 0)
        printf(".%s", s->vertex || s->version > 20
                          ? PICK(s, "xyzw", "yzxw", "wzyx", "xxyy", "zwxy", "x", "y", "z", "w", "zyxw", "wwxz")
                          : PICK(s, "x", "y", "z", "w", "yzxw", "zxyw", "wzyx"));
}

static const char *mask(struct shader *s, bool old)
{
    return old ? PICK(s, "", "", "", ".xyz", ".w")
               : PICK(s, "", "", "", ".xyz", ".xy", ".w", ".x", ".yzw", ".xz", ".z");
}

static void result(struct shader *s, const char *op, const char *parts)
{
    bool old = s->version < 20 && !s->vertex, saturates = !s->vertex || s->version == 30;

    printf("%s%s r%u%s", op, saturates && chance(s, 5) == 0 ? "_sat" : "", chance(s, old ? 2 : TEMPS),
           parts ? parts : mask(s, old));
}

/* ---- instructions ------------------------------------------------------------------------------------------------ */

static void plain(struct shader *s, const char *op, unsigned operands)
{
    bool constant = true;

    result(s, op, NULL);
    for (unsigned i = 0; i < operands; i++)
        operand(s, &constant, false);
    puts("");
}

static void of_scalar(struct shader *s, const char *op)
{
    bool constant = true;

    result(s, op, NULL);
    operand(s, &constant, true);
    puts("");
}

static void of_matrix(struct shader *s)
{
    static const struct {
        const char *op, *parts;
        unsigned rows;
    } matrices[] = {{"m4x4", "", 4}, {"m4x3", ".xyz", 3}, {"m3x4", "", 4}, {"m3x3", ".xyz", 3}, {"m3x2", ".xy", 2}};
    unsigned k = chance(s, 5);
    const char *from = PICK(s, "r0", "r1", "r2");

    printf("%s r%u%s, %s, c%u\n", matrices[k].op, 3 + chance(s, 3), matrices[k].parts, from,
           chance(s, CONSTANTS - matrices[k].rows + 1));
}

static void odd(struct shader *s)
{
    bool constant = true;

    switch (chance(s, s->vertex ? 8 : 6)) {
    case 0:
        printf("pow r%u, r%u.%c", chance(s, TEMPS), chance(s, TEMPS), "xyzw"[chance(s, 4)]);
        operand(s, &constant, true);
        puts("");
        break;
    case 1:
        printf("crs r%u.xyz, r%u, r%u\n", 4 + chance(s, 2), chance(s, 2), 2 + chance(s, 2));
        break;
    case 2:
        printf("nrm r%u, r%u\n", 3 + chance(s, 3), chance(s, 3));
        break;
    case 3:
        plain(s, "lrp", 3);
        break;
    case 4:
        of_matrix(s);
        break;
    case 5:
        plain(s, s->vertex ? "dst" : PICK(s, "cmp", "dp2add"), s->vertex ? 2 : 3);
        break;
    case 6:
        printf("lit r%u, r%u\n", 3 + chance(s, 3), chance(s, 3));
        break;
    default:
        plain(s, PICK(s, "slt", "sge"), 2);
        break;
    }
}

static void texture(struct shader *s)
{
    unsigned unit = chance(s, 3);

    printf("%s r%u, %s%u, s%u\n", unit == 2 ? "texld" : PICK(s, "texld", "texldp", "texldb"), chance(s, TEMPS),
           unit == 2 ? "r" : PICK(s, "t", "r"), chance(s, 2), unit);
}

static void instruction(struct shader *s)
{
    unsigned k = chance(s, 20);

    if (!s->vertex && s->version < 20) {
        if (k < 14)
            plain(s, PICK(s, "mov", "mov"), 1);
        else
            plain(s, "lrp", 3);
    } else if (k < 10) {
        unsigned operands = 1 + chance(s, 3);
        plain(s,
              operands == 1   ? PICK(s, "mov", "abs", s->version < 20 ? "mov" : "frc")
              : operands == 2 ? PICK(s, "add", "sub", "mul", "dp3", "dp4", "min", "max")
                              : "mad",
              operands);
    } else if (k < 13) {
        of_scalar(s, PICK(s, "rcp", "rsq", "exp", "log"));
    } else if (k < 15 && !s->vertex) {
        texture(s);
    } else {
        odd(s);
    }
}

static void block(struct shader *s, unsigned statements);

/* Of an IF, its ELSE and what ends it. */
static void sides(struct shader *s)
{
    block(s, 2);
    if (chance(s, 2)) {
        puts("else");
        block(s, 2);
    }
    puts("endif");
}

static void flow(struct shader *s)
{
    static const char *const tests[] = {"gt", "eq", "ge", "lt", "ne", "le"};
    bool constant = true;

    s->depth++;
    switch (chance(s, s->version >= 21 ? 5 : 3)) {
    case 0:
        puts("rep i0");
        block(s, 2);
        puts("endrep");
        break;
    case 1:
        printf("if b%u\n", chance(s, 2));
        sides(s);
        break;
    case 2:
        block(s, 2);
        break;
    default:
        printf("if_%s r%u.%c", tests[chance(s, 6)], chance(s, TEMPS), "xyzw"[chance(s, 4)]);
        operand(s, &constant, true);
        puts("");
        sides(s);
        break;
    }
    s->depth--;
}

static void block(struct shader *s, unsigned statements)
{
    for (unsigned i = 0; i < statements; i++)
        if (s->flow && s->depth < DEEPEST && chance(s, 4) == 0)
            flow(s);
        else
            instruction(s);
}

/* ---- shaders ----------------------------------------------------------------------------------------------------- */

static void values(struct shader *s)
{
    static const char *const numbers[] = {"0.0", "1.0", "0.5", "2.0", "-1.0", "0.25", "-0.5", "1.5", "3.0"};

    for (unsigned i = 0; i < 2; i++)
        printf("def c%u, %s, %s, %s, %s\n", OWN + i, pick(s, numbers, 9), pick(s, numbers, 9), pick(s, numbers, 9),
               pick(s, numbers, 9));
    if (s->flow)
        printf("defi i0, %u, 0, 1, 0\ndefb b0, %s\n", 1 + chance(s, 3), PICK(s, "true", "false"));
}

static void vertex_shader(struct shader *s)
{
    puts(s->version == 11 ? "vs_1_1" : s->version == 20 ? "vs_2_0" : s->version == 21 ? "vs_2_x" : "vs_3_0");
    values(s);
    puts("dcl_position v0\ndcl_normal v1\ndcl_texcoord0 v2\ndcl_color v3");
    bool fog = chance(s, 3) == 0, size = chance(s, 4) == 0;
    if (s->version == 30) {
        puts("dcl_position o0\ndcl_color o1\ndcl_texcoord3 o2");
        if (fog)
            puts("dcl_fog o3");
        if (size)
            puts("dcl_psize o4");
    }
    for (unsigned i = 0; i < TEMPS; i++)
        printf("mov r%u, v%u\n", i, i % INPUTS);
    block(s, 4 + chance(s, 8));
    bool own = s->version == 30;
    printf("m4x4 %s, r%u, c0\n", own ? "r0" : "oPos", 1 + chance(s, TEMPS - 1));
    if (own)
        puts("mov o0, r0");
    printf("mov %s, r%u\n", own ? "o1" : "oD0", chance(s, TEMPS));
    printf("mov %s, r%u\n", own ? "o2" : "oT3", chance(s, TEMPS));
    if (!own && chance(s, 2))
        printf("add oD1, r%u, r%u\n", chance(s, TEMPS), chance(s, TEMPS));
    if (fog)
        printf("mov %s, r%u.x\n", own ? "o3" : "oFog", chance(s, TEMPS));
    if (size)
        printf("mov %s, r%u.y\n", own ? "o4" : "oPts", chance(s, TEMPS));
}

/* Versions 1.1 to 1.3: textures first, two registers, other modifiers. */
static void combiner(struct shader *s)
{
    static const char *const shifts[] = {"", "", "", "_x2", "_x4", "_d2", "_sat"};
    static const char *const from[] = {"t0", "t1", "v0", "v1", "c0", "c1", "r0"};

    printf("ps_1_%d\ntex t0\ntex t1\n%s r0, t0, v0\n", s->version - 10, PICK(s, "mul", "add"));
    for (unsigned i = 0, n = 1 + chance(s, 5); i < n; i++) {
        unsigned k = chance(s, 8), operands = k < 1 ? 1 : k < 5 ? 2 : 3;
        const char *op = operands == 1   ? "mov"
                         : operands == 2 ? PICK(s, "add", "sub", "mul", "dp3")
                                         : PICK(s, "mad", "lrp", "cnd");
        bool constant = true, half = !strcmp(op, "cnd");
        printf("%s%s r0%s", op, half ? "" : pick(s, shifts, 7),
               chance(s, 4) || half || !strcmp(op, "dp3") ? "" : ".xyz");
        for (unsigned m = 0; m < operands; m++) {
            const char *name = half && !m ? "r0" : from[chance(s, 7)];
            if (*name == 'c' && !constant)
                name = "r0";
            constant = constant && *name != 'c';
            bool changed = !(half && !m) && *name != 'c';
            printf(", %s%s%s", changed && chance(s, 5) == 0 ? "1-" : "", name, half && !m ? ".a" : "");
        }
        puts("");
    }
}

static void pixel_shader(struct shader *s)
{
    if (s->version < 20) {
        combiner(s);
        return;
    }
    puts(s->version == 20 ? "ps_2_0" : "ps_2_x");
    values(s);
    puts("dcl t0\ndcl t1\ndcl v0\ndcl_2d s0\ndcl_2d s1\ndcl_cube s2");
    for (unsigned i = 0; i < TEMPS; i++)
        printf("mov r%u, %s\n", i, i % 3 == 0 ? "t0" : i % 3 == 1 ? "t1" : "v0");
    if (chance(s, 4) == 0)
        printf("texkill r%u\n", chance(s, TEMPS));
    block(s, 4 + chance(s, 8));
    printf("mov oC0, r%u\n", chance(s, TEMPS));
}

int main(int argc, char **argv)
{
    static const int vertex[] = {11, 20, 21, 30}, pixel[] = {20, 11, 21, 12, 20, 13};
    unsigned long seed = 1, count = 200;

    for (int i = 1; i < argc; i++)
        if (sscanf(argv[i], "--seed=%lu", &seed) != 1 && sscanf(argv[i], "--count=%lu", &count) != 1)
            return 2;
    for (unsigned long n = 0; n < count; n++) {
        struct shader s = {.state = seed * 1000003u + n, .vertex = n % 2 == 0};
        s.version = s.vertex ? vertex[n / 2 % 4] : pixel[n / 2 % 6];
        s.flow = s.version >= 21 || (s.vertex && s.version == 20);
        printf("@case chance/%s%d-%lu\n@in none\n", s.vertex ? "vs" : "ps", s.version, n);
        if (s.vertex)
            vertex_shader(&s);
        else
            pixel_shader(&s);
        puts("@end");
    }
    return 0;
}
