/* Dense sweeps of the approximated functions over consecutive floats.
 *
 *   sweep batch FUNCTION START COUNT    programs (JSON lines) that compute FUNCTION of the floats whose bits
 *                                       are START ... START + COUNT - 1, 2^22 a program
 *   sweep check FUNCTION START RAW      compares raw results (words, in order) with the model
 *   sweep digest FUNCTION START RAW     raw results to a section of tests/recordings/sfu.txt
 *   sweep operands FUNCTION RAW         raw results for the operands a of SET_F32U to such a section
 *   sweep pack FUNCTION START RAW       raw results to differences from the rounded exact value, a byte
 *                                       each; 128 is followed by the word
 *   sweep unpack FUNCTION START PACKED  and back
 *
 * A RAW or PACKED of - is standard input. tests/tools/experiments/sfu_check.sh runs batch and check through a pipe.
 *
 * To pack, the function is computed in double precision and rounded; the rare double roundings are the same
 * wherever this C library runs, so that packing loses nothing there. The status is 1 where results differ. */
#include "tests/tools/operands.h"
#include "tests/tools/sfu_sweep.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BATCH = 1 << 22, SHOWN = 20 };

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

static uint32_t unordered(int64_t i)
{
    return i < 0 ? (uint32_t)-i | 0x80000000u : (uint32_t)i;
}

static uint32_t exact(const struct sfu_function *f, uint32_t x)
{
    return as_word((float)f->exact((double)as_float(x)));
}

static int batch(const struct sfu_function *f, uint64_t start, uint64_t count)
{
    for (uint64_t done = 0; done < count; done += BATCH) {
        char text[1024];
        snprintf(text, sizeof text,
                 "!!NVcp5.0\nOPTION NV_shader_storage_buffer;\nGROUP_SIZE 256;\n"
                 "STORAGE outb[] = { program.storage[0] };\nTEMP r, i;\n"
                 "MUL.U i.x, invocation.groupid.x, 256;\nADD.U i.x, i.x, invocation.localindex.x;\n"
                 "ADD.U r.x, i.x, %" PRIu32 ";\n%s r.x, r.x;\n"
                 "MUL.U i.x, i.x, 4;\nSTB.U32 r, outb[i.x];\nEND\n",
                 (uint32_t)(start + done), f->opcode);
        json_t *line = json_pack("{s:s, s:s, s:s, s:[i,i,i], s:[{s:i,s:i,s:b}]}", "name", f->name, "stage",
                                 "compute", "program", text, "groups", BATCH / 256, 1, 1, "storage",
                                 "binding", 0, "zero", BATCH * 4, "return", 1);
        if (!line || json_dumpf(line, stdout, JSON_COMPACT) < 0)
            return 2;
        putchar('\n');
        json_decref(line);
    }
    return 0;
}

/* ---- raw results, a block at a time ------------------------------------------------------------------- */

struct sweep {
    const struct sfu_function *function;
    uint32_t start;
    uint64_t done, different;
};

typedef void block_work(struct sweep *s, const uint32_t *words, size_t count);

static int each_block(struct sweep *s, FILE *raw, block_work *work)
{
    static uint32_t words[SFU_BLOCK];
    size_t bytes;
    while ((bytes = fread(words, 1, sizeof words, raw)) > 0) {
        if (bytes % 4) {
            fprintf(stderr, "sweep: %s: the results end within a word\n", s->function->name);
            return 2;
        }
        work(s, words, bytes / 4);
        s->done += bytes / 4;
    }
    if (s->done == 0 || ferror(raw)) {
        fprintf(stderr, "sweep: %s: no results, or they can't be read\n", s->function->name);
        return 2;
    }
    return ferror(stdout) ? 2 : 0;
}

static void check_words(struct sweep *s, const uint32_t *words, size_t count)
{
    static uint32_t model[SFU_BLOCK];
    uint32_t start = s->start + (uint32_t)s->done;
    s->function->range(model, start, count);
    if (!memcmp(model, words, count * 4))
        return;
    for (size_t i = 0; i < count; i++) {
        if (words[i] != model[i] && s->different++ < SHOWN)
            printf("%s %08" PRIx32 ": %08" PRIx32 ", the model says %08" PRIx32 "\n", s->function->name,
                   start + (uint32_t)i, words[i], model[i]);
    }
}

static int check(struct sweep *s, FILE *raw)
{
    int status = each_block(s, raw, check_words);
    printf("%s from 0x%08" PRIx32 ": %" PRIu64 " results, %" PRIu64 " differ from the model\n",
           s->function->name, s->start, s->done, s->different);
    return status ? status : s->different > 0;
}

static void digest_words(struct sweep *s, const uint32_t *words, size_t count)
{
    if (s->done == 0)
        printf("sweep %s %08" PRIx32 "\n", s->function->name, s->start);
    printf("%016" PRIx64 "%c", sfu_hash(words, count), s->done / SFU_BLOCK % 6 == 5 ? '\n' : ' ');
}

static int digest(struct sweep *s, FILE *raw)
{
    int status = each_block(s, raw, digest_words);
    printf("end\n");
    if (!status && s->done % SFU_BLOCK) {
        fprintf(stderr, "sweep: a digest takes whole blocks of %d results\n", SFU_BLOCK);
        return 2;
    }
    return status;
}

static int not_packed(const struct sweep *s)
{
    fprintf(stderr, "sweep: %s: results of half precision are not packed\n", s->function->name);
    return 2;
}

static void pack_words(struct sweep *s, const uint32_t *words, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint32_t x = s->start + (uint32_t)(s->done + i);
        int64_t difference = ordered(words[i]) - ordered(exact(s->function, x));
        if (difference >= -127 && difference <= 127) {
            putchar((int)(difference & 255));
        } else {
            putchar(128);
            fwrite(&words[i], 4, 1, stdout);
        }
    }
}

static int pack(struct sweep *s, FILE *raw)
{
    if (!s->function->exact)
        return not_packed(s);
    return each_block(s, raw, pack_words);
}

static int unpack(struct sweep *s, FILE *packed)
{
    int byte;
    if (!s->function->exact)
        return not_packed(s);
    for (uint32_t x = s->start; (byte = getc(packed)) != EOF; x++) {
        uint32_t word = unordered(ordered(exact(s->function, x)) + (byte < 128 ? byte : byte - 256));
        if (byte == 128 && fread(&word, 4, 1, packed) != 1)
            return 2;
        fwrite(&word, 4, 1, stdout);
    }
    return ferror(packed) || ferror(stdout) ? 2 : 0;
}

static int operands(struct sweep *s, FILE *raw)
{
    static uint32_t in[SFU_OPERANDS], out[SFU_OPERANDS];
    size_t count = fread(out, 4, SFU_OPERANDS, raw);
    if (count < SFU_OPERANDS / 2) {
        fprintf(stderr, "sweep: %s: no more than %zu results\n", s->function->name, count);
        return 2;
    }
    sfu_operands(in);
    printf("operands %s %zx %016" PRIx64 "\n", s->function->name, count, sfu_hash(out, count));
    for (size_t k = 0; k < NASTY_COUNT; k++) {
        size_t i = 0;
        while (i < count && in[i] != nasty_f32[k])
            i++;
        if (i < count)
            printf("special %s %08" PRIx32 " %08" PRIx32 "\n", s->function->name, in[i], out[i]);
    }
    return ferror(stdout) ? 2 : 0;
}

static int usage(void)
{
    fprintf(stderr, "usage: sweep batch FUNCTION START COUNT\n"
                    "       sweep operands FUNCTION RAW\n"
                    "       sweep check|digest|pack FUNCTION START RAW\n"
                    "       sweep unpack FUNCTION START PACKED\n");
    return 2;
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        int arguments;
        int (*run)(struct sweep *s, FILE *file);
    } commands[] = {
        {"check", 5, check}, {"digest", 5, digest},     {"pack", 5, pack},
        {"unpack", 5, unpack}, {"operands", 4, operands},
    };
    struct sweep s = {.function = argc > 3 ? sfu_function_named(argv[2]) : NULL};
    if (!s.function)
        return usage();
    s.start = (uint32_t)strtoul(argv[3], NULL, 0);
    if (argc == 5 && !strcmp(argv[1], "batch"))
        return batch(s.function, s.start, strtoull(argv[4], NULL, 0));
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        if (strcmp(argv[1], commands[i].name) || argc != commands[i].arguments)
            continue;
        FILE *file = strcmp(argv[argc - 1], "-") ? fopen(argv[argc - 1], "rb") : stdin;
        if (file)
            return commands[i].run(&s, file);
        perror(argv[argc - 1]);
        return 2;
    }
    return usage();
}
