/* See proof.h. Functions in double precision, rounded once at the end: what a driver's own are off by takes no part in
 * a comparison then. Variables begin as zeros that no compiler knows, and so do zeros of statements: Mesa's takes a
 * product with 0 for 0, whatever it is multiplied by. */
#include "tests/tools/proof.h"

#include <stdio.h>
#include <string.h>

#define OF_VECTORS(f)                                                           \
    "vec2 " f "(vec2 v) { return vec2(" f "(v.x), " f "(v.y)); }\n"             \
    "vec3 " f "(vec3 v) { return vec3(" f "(v.x), " f "(v.y), " f "(v.z)); }\n" \
    "vec4 " f "(vec4 v) { return vec4(" f "(v.x), " f "(v.y), " f "(v.z), " f "(v.w)); }\n"

static const char functions[] =
    "uniform vec4 gp5_x_zero;\n"
    "double gp5_x_exp(double f)\n" /* 2^f, |f| <= 0.5 */
    "{\n"
    "    double t = f * 0.69314718055994530942lf, s = 1.0lf;\n"
    "    for (int i = 16; i > 0; i--) s = 1.0lf + s * t / double(i);\n"
    "    return s;\n"
    "}\n"
    "float gp5_x_raise(double d)\n" /* 2^d */
    "{\n"
    "    if (d >= 129.0lf) return uintBitsToFloat(0x7f800000u);\n"
    "    if (d < -160.0lf) return 0.0;\n"
    "    double n = floor(d + 0.5lf);\n"
    "    return float(gp5_x_exp(d - n) * packDouble2x32(uvec2(0u, uint(int(n) + 1023) << 20)));\n"
    "}\n"
    "double gp5_x_log(float x)\n" /* of a finite number above 0 */
    "{\n"
    "    uvec2 w = unpackDouble2x32(double(x));\n"
    "    int e = int(w.y >> 20) - 1023;\n"
    "    double m = packDouble2x32(uvec2(w.x, (w.y & 0xfffffu) | 0x3ff00000u));\n"
    "    if (m > 1.4142135623730951lf) { m = m * 0.5lf; e++; }\n"
    "    double t = (m - 1.0lf) / (m + 1.0lf), q = t * t, s = 0.0lf;\n"
    "    for (int i = 21; i > 0; i -= 2) s = s * q + 1.0lf / double(i);\n"
    "    return double(e) + 2.8853900817779268lf * t * s;\n"
    "}\n"
    "float gp5_x_exp2(float x)\n"
    "{\n"
    "    if (isnan(x)) return x;\n"
    "    return gp5_x_raise(double(clamp(x, -1000.0, 1000.0)));\n"
    "}\n"
    "float gp5_x_log2(float x)\n"
    "{\n"
    "    if (isnan(x) || x < 0.0) return uintBitsToFloat(0x7fc00000u);\n"
    "    if (x == 0.0) return uintBitsToFloat(0xff800000u);\n"
    "    return isinf(x) ? x : float(gp5_x_log(x));\n"
    "}\n"
    "float gp5_x_pow(float x, float y)\n"
    "{\n"
    "    if (isnan(x) || isnan(y) || x <= 0.0 || isinf(x) || isinf(y)) return gp5_x_exp2(y * gp5_x_log2(x));\n"
    "    return gp5_x_raise(clamp(double(y) * gp5_x_log(x), -1000.0lf, 1000.0lf));\n"
    "}\n"
    "float gp5_x_circle(float x, int quarter)\n"
    "{\n"
    "    if (isnan(x) || isinf(x)) return uintBitsToFloat(0x7fc00000u);\n"
    "    double n = floor(double(x) * 0.63661977236758134308lf + 0.5lf);\n"
    "    double r = ((double(x) - n * 1.57079632673412561417lf) - n * 6.07710050630396597660e-11lf) -\n"
    "               n * 2.02226624879595063154e-21lf;\n"
    "    int k = (int(n - 4.0lf * floor(n * 0.25lf)) + quarter) & 3;\n"
    "    double q = r * r, s = 1.0lf, c = 1.0lf;\n"
    "    for (int i = 16; i > 0; i -= 2) {\n"
    "        s = 1.0lf - s * q / double(i * (i + 1));\n"
    "        c = 1.0lf - c * q / double(i * (i - 1));\n"
    "    }\n"
    "    s = s * r;\n"
    "    return float(k == 0 ? s : k == 1 ? c : k == 2 ? -s : -c);\n"
    "}\n"
    "float gp5_x_sin(float x) { return gp5_x_circle(x, 0); }\n"
    "float gp5_x_cos(float x) { return gp5_x_circle(x, 1); }\n"
    "float gp5_x_root(float x)\n"
    "{\n"
    "    return x == 0.0 ? uintBitsToFloat(0x7f800000u) : float(1.0lf / sqrt(double(x)));\n"
    "}\n" OF_VECTORS("gp5_x_exp2") OF_VECTORS("gp5_x_log2") OF_VECTORS("gp5_x_sin") OF_VECTORS("gp5_x_cos") OF_VECTORS(
        "gp5_x_root") "#define exp2 gp5_x_exp2\n#define log2 gp5_x_log2\n#define pow gp5_x_pow\n#define sin gp5_x_sin\n"
                      "#define cos gp5_x_cos\n#define inversesqrt gp5_x_root\n";

/* Whether the line of that place declares a constant, which stays one. */
static bool is_constant(const char *text, size_t at)
{
    while (at && text[at - 1] != '\n')
        at--;
    return !strncmp(text + at, "const ", 6);
}

/* A 0 of the program's that is multiplied, or may be: an argument or an operand. */
static bool is_zero(const char *text, size_t at, size_t size)
{
    return size - at > 4 && !memcmp(text + at, "0.0", 3) && strchr("( ,", text[at - 1]) && strchr("),; ", text[at + 3]);
}

/* Behind the lines at the beginning that begin with #. */
char *proof_with_functions(const char *text, size_t size, size_t *room)
{
    static const char zero[] = " = vec4(0.0);\n", unknown[] = " = gp5_x_zero;\n", known[] = "gp5_x_zero.x";
    size_t at = 0, used = 0, end = size;
    char *out = malloc(6 * size + sizeof functions);

    if (!out)
        return NULL;
    for (const char *line = text; at < size && text[at] == '#'; at = (size_t)(line - text))
        line = memchr(text + at, '\n', size - at) ? (const char *)memchr(text + at, '\n', size - at) + 1 : text + size;
    memcpy(out, text, at);
    memcpy(out + at, functions, sizeof functions - 1);
    used = at + sizeof functions - 1;
    const char *body = strstr(text, "void main()");
    size_t declared = body ? (size_t)(body - text) : size;
    while (at < end) {
        if (at < declared && size - at >= sizeof zero && !memcmp(text + at, zero, sizeof zero - 1) &&
            !is_constant(text, at)) {
            memcpy(out + used, unknown, sizeof unknown - 1);
            used += sizeof unknown - 1;
            at += sizeof zero - 1;
        } else if (at > declared && is_zero(text, at, size)) {
            memcpy(out + used, known, sizeof known - 1);
            used += sizeof known - 1;
            at += 3;
        } else {
            out[used++] = text[at++];
        }
    }
    out[used] = 0;
    *room = used;
    return out;
}

char *proof_with_state(const char *text, size_t size, const uint8_t *rows, size_t *room)
{
    static const char declared[] = "uniform vec4 gp5_state[";
    const char *at = strstr(text, declared), *end = at ? strchr(at, ';') : NULL;
    unsigned count = at ? (unsigned)atoi(at + sizeof declared - 1) : 0;
    char *out = malloc(size + 64 * (size_t)count + 100), *to = out;

    if (!out)
        return NULL;
    if (!end) {
        memcpy(out, text, size + 1);
        *room = size;
        return out;
    }
    to += sprintf(to, "%.*svec4 gp5_state[%u] = vec4[%u](", (int)(at - text), text, count, count);
    for (unsigned i = 0; i < count; i++)
        to += sprintf(to, "%svec4(%d.0, %d.0, %d.0, %d.0)", i ? ", " : "", rows[i] == 0, rows[i] == 1, rows[i] == 2,
                      rows[i] == 3);
    to += sprintf(to, ")%s", end);
    *room = (size_t)(to - out);
    return out;
}
