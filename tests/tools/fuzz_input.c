#include "tests/tools/fuzz_input.h"

#include "asm/text/print.h"
#include "gp5.h"

#include <stdlib.h>
#include <string.h>

enum { TARGETS = GP5_TARGET_GP5 + 1, BUFFERS = 4, BUFFER_BYTES = 256, SIDE = 4, MOST_LANES = 128, MOST_STEPS = 2000 };

/* ---- diagnostics ------------------------------------------------------------------------------------------------- */

struct walk {
    const gp5_program *program;
    size_t size;
    const char *broken;
    unsigned errors;
    size_t last;
};

static const char *look_at(struct walk *w, const struct gp5_diagnostic *d)
{
    unsigned line, column;
    if (d->offset > w->size || d->length > w->size - d->offset)
        return "a diagnostic is about bytes of the text";
    gp5_locate(w->program, d->offset, &line, &column);
    if (line != d->line || column != d->column)
        return "a diagnostic's line and column are those of its offset";
    if (!d->message || !*d->message)
        return "a diagnostic says something";
    for (const char *s = d->message; *s; s++)
        if ((unsigned char)*s < 0x20 || (unsigned char)*s >= 0x7f)
            return "a message can be printed anywhere";
    w->errors += d->severity == GP5_ERROR;
    return NULL;
}

static bool look(void *user, const struct gp5_diagnostic *d)
{
    struct walk *w = user;
    w->broken = look_at(w, d);
    return w->broken == NULL;
}

static const char *judge(const gp5_program *program, size_t size)
{
    for (int t = 0; t < TARGETS; t++) {
        enum gp5_target target = (enum gp5_target)t;
        struct walk w = {.program = program, .size = size};
        int64_t position = gp5_error_position(program, target);
        gp5_diagnostics(program, target, look, &w);
        if (w.broken)
            return w.broken;
        if (position < -1 || position > (int64_t)size)
            return "an error stands in the text";
        if (gp5_valid(program, target) != (position < 0) || (position < 0) != (w.errors == 0))
            return "what is invalid has an error, and a position";
    }
    return NULL;
}

/* ---- walking ----------------------------------------------------------------------------------------------------- */

static bool lies_in(size_t offset, size_t length, size_t size)
{
    return offset <= size && length <= size - offset;
}

static const char *walk_operands(const gp5_program *program, size_t instruction, size_t size)
{
    struct gp5_operand o;
    for (size_t i = 0; i == 0 || gp5_operand_at(program, instruction, i - 1, &o); i++) {
        if (i == 0 && !gp5_result_of(program, instruction, &o))
            continue;
        if (!lies_in(o.offset, o.length, size))
            return "an operand stands in the text";
        if (o.symbol != SIZE_MAX && (o.symbol >= gp5_symbol_count(program) || !o.name))
            return "an operand's name is one of the program's";
        for (int c = 0; c < 4; c++)
            if (o.swizzle[c] > 6)
                return "a swizzle names components";
    }
    return NULL;
}

static const char *walk(const gp5_program *program, size_t size)
{
    struct gp5_statement statement;
    struct gp5_instruction insn;
    struct gp5_symbol symbol;
    const char *broken = NULL;
    for (size_t i = 0; gp5_statement_at(program, i, &statement); i++) {
        if (!lies_in(statement.offset, statement.length, size))
            return "a statement stands in the text";
        if (statement.kind == GP5_STATEMENT_INSTRUCTION && statement.index >= gp5_instruction_count(program))
            return "a statement's instruction is there";
    }
    for (size_t i = 0; !broken && gp5_instruction_at(program, i, &insn); i++) {
        if (!lies_in(insn.offset, insn.length, size) || !insn.opcode)
            return "an instruction stands in the text";
        for (size_t m = 0; m < insn.modifiers; m++)
            gp5_modifier_at(program, i, m);
        if (gp5_modifier_at(program, i, insn.modifiers))
            return "modifiers end";
        broken = walk_operands(program, i, size);
    }
    for (size_t i = 0; !broken && gp5_symbol_at(program, i, &symbol); i++)
        if (!symbol.name || !lies_in(symbol.offset, symbol.length, size))
            broken = "a name stands in the text";
    return broken;
}

/* ---- printing ---------------------------------------------------------------------------------------------------- */

/* The next comment's text from *at on, without the space at its end. */
static bool next_comment(const gp5_program *program, size_t *at, const char **text, size_t *length)
{
    struct gp5_statement s;
    for (; gp5_statement_at(program, *at, &s); ++*at)
        if (s.kind == GP5_STATEMENT_COMMENT) {
            *text = gp5_text(program, NULL) + s.offset;
            for (*length = s.length; *length && strchr(" \t", (*text)[*length - 1]); --*length)
                ;
            ++*at;
            return true;
        }
    return false;
}

static bool same_comments(const gp5_program *a, const gp5_program *b)
{
    size_t at_a = 0, at_b = 0, length_a, length_b;
    const char *text_a, *text_b;
    while (next_comment(a, &at_a, &text_a, &length_a))
        if (!next_comment(b, &at_b, &text_b, &length_b) || length_a != length_b ||
            memcmp(text_a, text_b, length_a) != 0)
            return false;
    return !next_comment(b, &at_b, &text_b, &length_b);
}

static const char *print(const gp5_program *program)
{
    size_t size = 0, again_size = 0;
    char *text = gp5_format(program, &size), *again_text = NULL;
    const char *broken = NULL;
    bool valid = false;
    for (int t = 0; t < TARGETS; t++)
        valid |= gp5_valid(program, (enum gp5_target)t);
    if (!text)
        return valid ? "a valid program can be formatted" : NULL;
    gp5_program *again = gp5_parse(text, size);
    for (int t = 0; again && t < TARGETS; t++)
        if (gp5_valid(program, (enum gp5_target)t) && !gp5_valid(again, (enum gp5_target)t))
            broken = "who takes a program takes it formatted";    /* and some more: F16x2 becomes F16X2 */
    if (again && !broken && !asm_program_equal(program, again))
        broken = "formatting changes no program";
    if (again && !broken && !same_comments(program, again))
        broken = "formatting keeps comments";
    if (again && !broken)
        again_text = gp5_format(again, &again_size);
    if (again_text && (size != again_size || memcmp(text, again_text, size) != 0))
        broken = "formatting again changes nothing";
    gp5_text_free(again_text);
    gp5_program_free(again);
    gp5_text_free(text);
    return broken;
}

static const char *lower(const gp5_program *program)
{
    size_t size = 0;
    char *message = NULL, *text = gp5_lower(program, GP5_LOWER_ALLOW_INTERNAL, &size, &message);
    gp5_text_free(message);
    if (!text)
        return NULL;
    gp5_program *lowered = gp5_parse(text, size);
    bool good = !lowered || (gp5_valid(lowered, GP5_TARGET_GP5) &&
                             gp5_valid(lowered, GP5_TARGET_NVIDIA) >= gp5_valid(program, GP5_TARGET_NVIDIA));
    gp5_program_free(lowered);
    gp5_text_free(text);
    return good ? NULL : "what was lowered is valid as before";
}

/* ---- counting and looking ---------------------------------------------------------------------------------------- */

static bool see(void *user, const struct gp5_metric *metric)
{
    const char **broken = user;
    if (!metric->group || !metric->name || !metric->text)
        *broken = "a metric has a name";
    return *broken == NULL;
}

static const char *count(const gp5_program *program, const uint8_t *bytes, size_t size)
{
    const char *broken = NULL;
    gp5_count(program, see, &broken);
    for (size_t offset = 0, length; !broken && gp5_find_program(bytes, size, &offset, &length); offset += length)
        if (offset > size || length == 0 || length > size - offset)
            broken = "a program is found among the bytes";
    return broken;
}

/* ---- running ----------------------------------------------------------------------------------------------------- */

struct room {
    _Alignas(16) uint8_t storage[BUFFERS][BUFFER_BYTES], cbuffer[BUFFERS][BUFFER_BYTES], counter[BUFFERS][BUFFER_BYTES];
    uint32_t undefined[BUFFERS][BUFFER_BYTES / 4];
    float colors[8 * SIDE * SIDE * 4], depth[SIDE * SIDE];
    uint8_t covered[SIDE * SIDE];
};

static void launch(const gp5_executable *executable, const struct gp5_run_options *options, struct room *room)
{
    struct gp5_buffer storage[BUFFERS], cbuffers[BUFFERS], counters[BUFFERS];
    struct gp5_report report;
    for (uint32_t i = 0; i < BUFFERS; i++) {
        storage[i] = (struct gp5_buffer){i, room->storage[i], BUFFER_BYTES, room->undefined[i]};
        cbuffers[i] = (struct gp5_buffer){i, room->cbuffer[i], BUFFER_BYTES, NULL};
        counters[i] = (struct gp5_buffer){i, room->counter[i], BUFFER_BYTES, NULL};
    }
    struct gp5_launch launch = {
        .groups = {1, 1, 1}, .storage = storage, .nstorage = BUFFERS, .cbuffers = cbuffers, .ncbuffers = BUFFERS,
        .counters = counters, .ncounters = BUFFERS, .width = SIDE, .height = SIDE, .colors = room->colors, .ncolors = 8,
        .depth = room->depth, .covered = room->covered};
    memset(&report, 0, sizeof report);
    gp5_execute(executable, &launch, options, &report);
    gp5_report_free(&report);
}

static void run(const gp5_program *program, bool track)
{
    struct gp5_run_options options = {
        .semantics = track ? GP5_SEMANTICS_SPEC : GP5_SEMANTICS_NVIDIA, .track_undefined = track, .track_races = track,
        .jobs = 1, .max_instructions = MOST_STEPS};
    uint64_t lanes = 1;
    for (int i = 0; i < 3; i++)
        lanes *= program->has_group_size ? program->group_size[i] : 1;
    char *message = NULL;
    size_t offset;
    gp5_executable *executable = gp5_prepare(program, &options, &message, &offset);
    struct room *room = executable && lanes <= MOST_LANES ? calloc(1, sizeof *room) : NULL;
    if (room)
        launch(executable, &options, room);
    free(room);
    gp5_executable_free(executable);
    gp5_text_free(message);
}

const char *fuzz_input(const uint8_t *bytes, size_t size)
{
    gp5_program *program = gp5_parse((const char *)bytes, size);
    if (!program)
        return NULL;
    const char *broken = judge(program, size);
    if (!broken)
        broken = walk(program, size);
    if (!broken)
        broken = print(program);
    if (!broken)
        broken = count(program, bytes, size);
    if (!broken)
        broken = lower(program);
    unsigned sum = 0;           /* running takes the most time, so one input in four is run, in one of two ways */
    for (size_t i = 0; i < size; i++)
        sum = sum * 31 + bytes[i];
    if (!broken && sum % 4 == 0 && gp5_valid(program, GP5_TARGET_GP5))
        run(program, sum / 4 % 2);
    gp5_program_free(program);
    return broken;
}
