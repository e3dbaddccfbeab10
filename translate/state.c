/* Parameters: program.env, program.local, constants, and state.* as built-ins or as rows of gp5_state. */
#include "asm/facts.h"
#include "translate/translate.h"

#include <string.h>

static const struct {
    uint16_t kind;
    const char *text;
} state[] = {
#define STATE(kind, text) {BIND_STATE_##kind, text},
#include "translate/state.def"
#undef STATE
};

/* Matrices that are built-ins; those with a number have %u. A row of a matrix is a column of what is transposed. */
static const struct {
    const char *word, *text[4];     /* as it is, inverse, transposed, inverse and transposed */
    bool numbered;
} matrices[] = {
    {"modelview", {"gl_ModelViewMatrixTranspose", "gl_ModelViewMatrixInverseTranspose", "gl_ModelViewMatrix",
                   "gl_ModelViewMatrixInverse"}, false},
    {"projection", {"gl_ProjectionMatrixTranspose", "gl_ProjectionMatrixInverseTranspose", "gl_ProjectionMatrix",
                    "gl_ProjectionMatrixInverse"}, false},
    {"mvp", {"gl_ModelViewProjectionMatrixTranspose", "gl_ModelViewProjectionMatrixInverseTranspose",
             "gl_ModelViewProjectionMatrix", "gl_ModelViewProjectionMatrixInverse"}, false},
    {"texture", {"gl_TextureMatrixTranspose", "gl_TextureMatrixInverseTranspose", "gl_TextureMatrix",
                 "gl_TextureMatrixInverse"}, true},
};

static bool is_matrix(uint16_t kind)
{
    return kind != BIND_STATE_MATRIX_NORMALSCALE && strncmp(binding_table[kind].words, "state.matrix.", 13) == 0;
}

static bool has_row(uint16_t kind)
{
    return strstr(binding_table[kind].words, ".row[") != NULL;
}

uint32_t tr_covers(const struct binding *b)
{
    unsigned last = b->nindices ? b->nindices - 1u : 0;

    if (!b->nindices || !b->range[last] || b->last[last] < b->first[last])
        return is_matrix(b->kind) && !has_row(b->kind) ? 4 : 1;
    return b->last[last] - b->first[last] + 1;
}

uint32_t tr_state_row(struct tr *t, uint16_t kind, uint32_t number, uint32_t row)
{
    for (size_t i = 0; i < t->state.count; i++) {
        const struct tr_row *r = vec_at(&t->state, i);
        if (r->kind == kind && r->number == number && r->row == row)
            return (uint32_t)i;
    }
    size_t at = vec_grow(&t->state);
    if (at == SIZE_MAX) {
        t->arena.failed = true;
        return 0;
    }
    *(struct tr_row *)vec_at(&t->state, at) = (struct tr_row){kind, number, row};
    return (uint32_t)at;
}

/* The expression for a number in which %u may stand more than once. */
const char *tr_number(struct tr *t, const char *format, uint32_t number)
{
    const char *at = strstr(format, "%u");

    if (!at)
        return format;
    return tr_text(t, "%.*s%u%s", (int)(at - format), format, number, tr_number(t, at + 2, number));
}

static const char *matrix(struct tr *t, uint16_t kind, uint32_t number, uint32_t row)
{
    const char *words = binding_table[kind].words + strlen("state.matrix.");
    bool inverse = strstr(words, ".inverse") || strstr(words, ".invtrans");
    unsigned form = (inverse ? 1 : 0) + (strstr(words, "trans") ? 2 : 0);

    for (size_t i = 0; i < sizeof matrices / sizeof *matrices; i++)
        if (strncmp(words, matrices[i].word, strlen(matrices[i].word)) == 0) {
            if (matrices[i].numbered)
                return tr_text(t, "%s[%u][%u]", matrices[i].text[form], number, row);
            return number ? NULL : tr_text(t, "%s[%u]", matrices[i].text[form], row);
        }
    return NULL;
}

static const char *built_in(struct tr *t, uint16_t kind, uint32_t number, uint32_t row)
{
    if (!tr_has(t, HAS_COMPAT))
        return NULL;
    if (is_matrix(kind))
        return matrix(t, kind, number, row);
    for (size_t i = 0; i < sizeof state / sizeof *state; i++)
        if (state[i].kind == kind)
            return tr_number(t, state[i].text, number);
    return NULL;
}

/* Which one of a group, and which row of it, the at-th vector is that a binding covers. */
void tr_state_place(const struct binding *b, uint32_t at, uint32_t *number, uint32_t *row)
{
    bool rows = is_matrix(b->kind) && has_row(b->kind);

    *number = b->nindices > rows ? b->first[0] : 0;
    *row = rows ? b->first[b->nindices - 1] : 0;
    *(is_matrix(b->kind) ? row : number) += at;
}

/* Of a matrix, with or without .row: all rows of one matrix are rows of one kind. */
static uint16_t without_row(uint16_t kind)
{
    return is_matrix(kind) && has_row(kind) ? (uint16_t)(kind - 1) : kind;
}

static struct tr_base of_state(struct tr *t, const struct binding *b, uint32_t at)
{
    uint32_t number, row;

    if (strncmp(binding_table[b->kind].words, "state.", 6) != 0 ||
        !strncmp(binding_table[b->kind].words, "state.thread.", 13) ||
        b->kind == BIND_STATE_MULTISAMPLE_SAMPLES) {
        tr_refuse(t, t->where, "%s is nothing that %s has", binding_table[b->kind].words, t->target->name);
        return (struct tr_base){.text = "vec4(0.0)", .count = 4, .missing = true};
    }
    tr_state_place(b, at, &number, &row);
    const char *text = built_in(t, b->kind, number, row);
    if (!text)
        text = tr_text(t, "%sstate[%u]", t->prefix, tr_state_row(t, without_row(b->kind), number, row));
    return (struct tr_base){.text = text, .count = 4};
}

struct tr_base tr_parameter(struct tr *t, const struct binding *b, uint32_t at)
{
    uint32_t index = b->nindices ? b->first[0] + at : at;

    if (b->kind == BIND_PROGRAM_ENV)
        return (struct tr_base){.text = tr_text(t, "%senv[%u]", t->prefix, index), .count = 4};
    if (b->kind == BIND_PROGRAM_LOCAL)
        return (struct tr_base){.text = tr_text(t, "%slocal[%u]", t->prefix, index), .count = 4};
    if (b->kind == BIND_PROGRAM_STORAGELEN) {
        if (!tr_has(t, HAS_GPU5))
            tr_refuse(t, t->where, "a buffer that is written, which %s has not", t->target->name);
        tr_use_memory(t, SPACE_STORAGE, index);
        return (struct tr_base){.text = tr_text(t, "(int(%s.length()) * 4)", tr_memory_name(t, SPACE_STORAGE, index)),
                                .type = T_INT, .count = 1};
    }
    struct tr_base thread;
    if (tr_thread(t, b->kind, &thread))
        return thread;
    if (b->kind == BIND_STATE_MULTISAMPLE_SAMPLES && tr_has(t, HAS_GPU5)) {
        const char *text = "gl_NumSamples";
        if (!tr_has(t, HAS_COMPAT))     /* SPIR-V has no such built-in */
            text = tr_text(t, "int(%sstate[%u].x)", t->prefix, tr_state_row(t, b->kind, 0, 0));
        return (struct tr_base){.text = text, .type = T_INT, .count = 1};
    }
    if (b->kind == BIND_CONSTANT) {
        static const uint8_t all[4] = {0, 1, 2, 3};
        const char *text = tr_constant(t, program_constant(t->p, b->constant), T_FLOAT, all, 4);
        return (struct tr_base){.text = text, .count = 4};
    }
    return of_state(t, b, at);
}

uint32_t tr_state_run(struct tr *t, const struct symbol *s)
{
    uint32_t first = (uint32_t)t->state.count;

    for (uint32_t i = 0; i < s->nbindings; i++) {
        const struct binding *b = program_binding(t->p, s->binding + i);
        for (uint32_t at = 0; at < tr_covers(b); at++) {
            size_t row = vec_grow(&t->state);
            struct tr_row *r = row == SIZE_MAX ? NULL : vec_at(&t->state, row);
            if (!r) {
                t->arena.failed = true;
                return first;
            }
            r->kind = without_row(b->kind);
            tr_state_place(b, at, &r->number, &r->row);
        }
    }
    return first;
}
