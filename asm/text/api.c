/* The public face of parsed programs: include/gp5.h. gp5_parse is in parser/, which knows how to fill one. */
#include "asm/text/print.h"
#include "asm/stats.h"
#include "gp5.h"

const char *gp5_version(void)
{
    return GP5_VERSION;
}

int gp5_version_number(void)
{
    return GP5_VERSION_NUMBER;
}

void gp5_program_free(gp5_program *program)
{
    asm_program_free(program);
}

static unsigned target_bit(enum gp5_target target)
{
    switch (target) {
    case GP5_TARGET_NVIDIA: return FOR_NVIDIA;
    case GP5_TARGET_MESA: return FOR_MESA;
    case GP5_TARGET_SPEC: return FOR_SPEC;
    case GP5_TARGET_GP5: return FOR_GP5;
    }
    return FOR_SPEC;
}

bool gp5_valid(const gp5_program *program, enum gp5_target target)
{
    return gp5_error_position(program, target) < 0;
}

int64_t gp5_error_position(const gp5_program *program, enum gp5_target target)
{
    return diags_position(&program->diags, target_bit(target));
}

void gp5_diagnostics(const gp5_program *program, enum gp5_target target,
                     bool (*each)(void *user, const struct gp5_diagnostic *diagnostic), void *user)
{
    static const enum gp5_severity severities[] = {
        [DIAG_ERROR] = GP5_ERROR, [DIAG_WARNING] = GP5_WARNING, [DIAG_NOTE] = GP5_NOTE};
    struct locator locator = {.text = program->text, .size = program->size};
    for (size_t i = 0; i < program->diags.count; i++) {
        const struct diag *d = &program->diags.list[i];
        if (!(d->targets & target_bit(target)))
            continue;
        struct place place = diag_locate_next(&locator, d->span.offset);
        struct gp5_diagnostic out = {
            .severity = severities[d->severity], .offset = d->span.offset, .length = d->span.length,
            .line = place.line, .column = place.column, .message = d->message, .hint = d->hint,
            .fix = d->fix, .fix_offset = d->fixed.offset, .fix_length = d->fixed.length};
        if (!each(user, &out))
            return;
    }
}

void gp5_locate(const gp5_program *program, size_t offset, unsigned *line, unsigned *column)
{
    uint32_t at = (uint32_t)(offset < program->size ? offset : program->size);
    struct place place = diag_locate(program->text, program->size, at);
    *line = place.line;
    *column = place.column;
}

static bool valid_for_any(const gp5_program *program)
{
    for (int target = GP5_TARGET_NVIDIA; target <= GP5_TARGET_GP5; target++)
        if (gp5_valid(program, (enum gp5_target)target))
            return true;
    return false;
}

bool gp5_count(const gp5_program *program, bool (*each)(void *user, const struct gp5_metric *metric), void *user)
{
    struct stats stats;
    if (!valid_for_any(program) || !asm_stats(program, &stats))
        return false;
    for (int i = 0; i < METRIC_COUNT; i++) {
        bool known = stats.value[i] != NOT_COUNTED;
        struct gp5_metric out = {metric_table[i].group, metric_table[i].key, metric_table[i].text,
                                 known ? stats.value[i] : 0, known};
        if (!each(user, &out))
            break;
    }
    return true;
}

char *gp5_format(const gp5_program *program, size_t *size)
{
    if (size)
        *size = 0;
    return valid_for_any(program) ? asm_print(program, size) : NULL;
}

void gp5_text_free(char *text)
{
    gp5_free(text);
}
