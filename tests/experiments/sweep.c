/* Dense sweeps of the approximated functions over consecutive floats.
 *
 *   sweep batch FUNCTION START COUNT > BATCH.jsonl      programs that compute FUNCTION of the floats whose bits are
 *                                                       START ... START + COUNT - 1, 2^22 a program
 *   sweep pack FUNCTION START RAW > PACKED              raw results (words, in order) to differences from the rounded
 *                                                       exact value, a signed byte each; -128 is followed by the word
 *
 * The function is computed in double precision and rounded; the rare double roundings are the same wherever this runs,
 * so that packing loses nothing.
 */
#include <jansson.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 1 << 22 };

static double f_rcp(double x) { return 1 / x; }
static double f_rsq(double x) { return 1 / sqrt(x); }

static const struct {
    const char *name;
    double (*exact)(double);
} functions[] = {
    { "RCP", f_rcp }, { "RSQ", f_rsq }, { "EX2", exp2 }, { "LG2", log2 }, { "SIN", sin }, { "COS", cos },
};

static float as_float(uint32_t u)
{
    float f;
    memcpy(&f, &u, 4);
    return f;
}

static uint32_t as_word(float f)
{
    uint32_t u;
    memcpy(&u, &f, 4);
    return u;
}

/* Floats in order as integers, so that a difference counts units in the last place across zero too. */
static int64_t ordered(uint32_t u)
{
    return u & 0x80000000u ? -(int64_t)(u & 0x7fffffffu) : (int64_t)u;
}

static int batch(const char *name, uint32_t start, uint32_t count)
{
    for (uint32_t done = 0; done < count; done += BLOCK) {
        char text[1024];
        snprintf(text, sizeof text,
                 "!!NVcp5.0\nOPTION NV_shader_storage_buffer;\nGROUP_SIZE 256;\n"
                 "STORAGE outb[] = { program.storage[0] };\nTEMP r, i;\n"
                 "MUL.U i.x, invocation.groupid.x, 256;\nADD.U i.x, i.x, invocation.localindex.x;\n"
                 "ADD.U r.x, i.x, %u;\n%s.F r.x, r.x;\nMUL.U i.x, i.x, 4;\nSTB.U32 r, outb[i.x];\nEND\n",
                 start + done, name);
        json_t *line = json_pack("{s:s, s:s, s:s, s:[i,i,i], s:[{s:i,s:i,s:b}]}", "name", name, "stage", "compute",
                                 "program", text, "groups", BLOCK / 256, 1, 1, "storage", "binding", 0, "zero",
                                 BLOCK * 4, "return", 1);
        if (!line || json_dumpf(line, stdout, JSON_COMPACT) < 0)
            return 2;
        putchar('\n');
        json_decref(line);
    }
    return 0;
}

static int pack(double (*exact)(double), uint32_t start, FILE *raw)
{
    uint32_t word;
    for (uint32_t x = start; fread(&word, 4, 1, raw) == 1; x++) {
        int64_t difference = ordered(word) - ordered(as_word((float)exact((double)as_float(x))));
        if (difference >= -127 && difference <= 127) {
            putchar((int)(difference & 255));
        } else {
            putchar(128);
            fwrite(&word, 4, 1, stdout);
        }
    }
    return ferror(stdout) ? 2 : 0;
}

int main(int argc, char **argv)
{
    if (argc != 5)
        goto usage;
    uint32_t start = (uint32_t)strtoul(argv[3], NULL, 0);
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        if (strcmp(argv[2], functions[i].name))
            continue;
        if (!strcmp(argv[1], "batch"))
            return batch(argv[2], start, (uint32_t)strtoul(argv[4], NULL, 0));
        FILE *raw = fopen(argv[4], "rb");
        if (!strcmp(argv[1], "pack") && raw)
            return pack(functions[i].exact, start, raw);
        perror(argv[4]);
        return 2;
    }
usage:
    fprintf(stderr, "usage: sweep batch FUNCTION START COUNT | sweep pack FUNCTION START RAW\n");
    return 2;
}
