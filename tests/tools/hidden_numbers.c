#include "tests/tools/hidden_numbers.h"

#include "asm/facts.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned place_of(struct hidden_numbers *h, float value)
{
    unsigned i = 0;

    while (i < h->count && memcmp(&h->number[i], &value, sizeof value))
        i++;
    if (i == h->count && h->count < HIDDEN_NUMBERS)
        h->number[h->count++] = value;
    return i;
}

/* How long a number of floats is that begins there; 0: it is none. */
static size_t length_of(const char *text, size_t at)
{
    size_t n = 0;
    int point = 0;

    if (at && (isalnum((unsigned char)text[at - 1]) || text[at - 1] == '_' || text[at - 1] == '.'))
        return 0;
    while (isdigit((unsigned char)text[at + n]))
        n++;
    if (!n)
        return 0;
    if (text[at + n] == '.') {
        point = 1;
        do
            n++;
        while (isdigit((unsigned char)text[at + n]));
    }
    if (text[at + n] == 'e') {
        point = 1;
        n += text[at + n + 1] == '+' || text[at + n + 1] == '-' ? 2 : 1;
        while (isdigit((unsigned char)text[at + n]))
            n++;
    }
    return point && !isalpha((unsigned char)text[at + n]) ? n : 0;
}

char *hide_numbers(const char *glsl, size_t size, struct hidden_numbers *h)
{
    static const char constant[] = "const ";
    char *out = malloc(24 * size + 100);
    size_t at = 0, used = 0;

    h->count = 0;
    if (!out)
        return NULL;
    for (const char *end; at < size && glsl[at] == '#'; at = end ? (size_t)(end - glsl) + 1 : size)
        end = memchr(glsl + at, '\n', size - at);
    memcpy(out, glsl, at);
    used = at + (size_t)sprintf(out + at, "uniform float gp5_x_number[%d];\n", HIDDEN_NUMBERS);
    while (at < size) {
        size_t n = length_of(glsl, at);
        if (n) {
            used += (size_t)sprintf(out + used, "gp5_x_number[%u]", place_of(h, strtof(glsl + at, NULL)));
            at += n;
        } else if (!strncmp(glsl + at, constant, sizeof constant - 1) && (!at || glsl[at - 1] == '\n')) {
            at += sizeof constant - 1;
        } else {
            out[used++] = glsl[at++];
        }
    }
    out[used] = 0;
    if (h->count < HIDDEN_NUMBERS)
        return out;
    free(out);
    return NULL;
}

struct hidden_place {
    struct span span;
    const struct constant *constant;
};

static int by_place(const void *a, const void *b)
{
    const struct hidden_place *x = a, *y = b;

    return x->span.offset < y->span.offset ? -1 : x->span.offset > y->span.offset;
}

/* Of parameters and of operands; more than there is room for where there are too many. */
static unsigned find_places(const struct gp5_program *program, struct hidden_place *places, unsigned most)
{
    unsigned n = 0;

    for (uint32_t i = 0; i < program->bindings.count && n <= most; i++) {
        const struct binding *b = program_binding(program, i);
        if (b->kind == BIND_CONSTANT)
            places[n++] = (struct hidden_place){b->span, program_constant(program, b->constant)};
    }
    for (uint32_t i = 0; i < program->insns.count; i++) {
        const struct insn *insn = program_insn(program, i);
        for (unsigned k = 0; k < insn->nsrc && n <= most; k++) {
            const struct operand *o = program_operand(program, insn->src + k);
            if (o->kind == OPND_CONSTANT)
                places[n++] =
                    (struct hidden_place){program_constant_span(program, o), program_constant(program, o->ref)};
        }
    }
    return n;
}

char *hide_constants(const struct gp5_program *program, struct hidden_constants *h)
{
    struct hidden_place places[HIDDEN_CONSTANTS + 1];
    char *out = malloc(program->size + 1 + 24 * HIDDEN_CONSTANTS);
    size_t at = 0, used = 0;

    h->count = find_places(program, places, HIDDEN_CONSTANTS);
    if (!out || !h->count || h->count > HIDDEN_CONSTANTS) {
        free(out);
        return NULL;
    }
    qsort(places, h->count, sizeof *places, by_place);
    for (unsigned i = 0; i < h->count; i++) {
        struct span span = places[i].span;
        for (uint8_t c = 0; c < 4; c++) {
            uint32_t word = (uint32_t)eval_constant_word(places[i].constant, c, DT_F32);
            memcpy(&h->value[i][c], &word, sizeof word);
        }
        if (span.offset < at)
            continue; /* the same place */
        memcpy(out + used, program->text + at, span.offset - at);
        used += span.offset - at;
        used += (size_t)sprintf(out + used, "program.env[%u]", HIDDEN_FIRST + i);
        at = span.offset + span.length;
    }
    memcpy(out + used, program->text + at, program->size - at);
    out[used + program->size - at] = 0;
    return out;
}
