#include "compare/driver/open_colors.h"

#include "asm/program.h"

#include <string.h>

static bool names_color(const gp5_program *program)
{
    static const char word[] = "result.color";
    for (uint32_t i = 0; i < program->bindings.count; i++)
        if (strncmp(binding_table[program_binding(program, i)->kind].words, word, sizeof word - 1) == 0)
            return true;
    return false;
}

/* The number of a new origin, at the program's last instruction; 0 without memory. */
static uint32_t add_origin(const gp5_program *program, struct gp5_report *report)
{
    static const char reason[] = "result.color was never written";
    uint32_t last = (uint32_t)program->insns.count;
    struct gp5_origin *more = gp5_realloc(report->origins, (report->norigins + 1) * sizeof *more);
    char *text = gp5_malloc(sizeof reason);
    if (more)
        report->origins = more;
    if (!more || !text) {
        gp5_free(text);
        return 0;
    }
    memcpy(text, reason, sizeof reason);
    more[report->norigins] = (struct gp5_origin){.reason = text};
    if (last) {
        more[report->norigins].instruction = last - 1;
        more[report->norigins].offset = program_insn(program, last - 1)->span.offset;
    }
    return (uint32_t)++report->norigins;
}

bool reference_open_colors(const gp5_program *program, struct outcome *o)
{
    const struct output *covered = outcome_find(o, OUTPUT_COVERAGE, 0);
    if (names_color(program))
        return true;
    for (size_t i = 0; i < o->count; i++) {
        struct output *color = &o->outputs[i];
        if (color->kind != OUTPUT_COLOR || !color->undefined || !covered)
            continue;
        uint32_t id = add_origin(program, &o->report);
        if (!id)
            return false;
        for (size_t word = 0; word < color->size / 4; word++)
            if (covered->data[word / 4 % covered->size]) {
                color->undefined[word] = id;
                o->report.undefined_words++;
            }
    }
    return true;
}
