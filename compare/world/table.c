/* Lane tables: a buffer as the invocations see it. `?` stands before what is undefined; where a driver's
 * value differs from the reference's, both are shown, `reference|driver`. */
#include "compare/world/picture.h"
#include "compare/world/world.h"

#include <inttypes.h>
#include <string.h>

enum { CELL = 2 * NUMBER_TEXT + 4, LANES_A_ROW = 8 };

static const char *cell(const struct slot *slot, enum number_type type, size_t offset, bool with_driver,
                        char text[CELL])
{
    char number[NUMBER_TEXT];
    uint64_t bits = number_load(type, slot->data[REFERENCE] + offset);
    bool undefined = slot->undefined && slot->undefined[offset / 4];
    int n = snprintf(text, CELL, "%s%s", undefined ? "?" : "", number_print_short(type, bits, number));
    uint64_t other = with_driver ? number_load(type, slot->data[DRIVER] + offset) : bits;
    if (other != bits)
        snprintf(text + n, (size_t)(CELL - n), "|%s", number_print_short(type, other, number));
    return text;
}

static int widest(const struct slot *slot, enum number_type type, size_t count, bool with_driver)
{
    char text[CELL];
    size_t width = 5;
    for (size_t i = 0; i < count; i++) {
        size_t length = strlen(cell(slot, type, i * number_types[type].bytes, with_driver, text));
        width = length > width ? length : width;
    }
    return (int)width;
}

/* One number a lane: eight lanes a row. */
static void print_rows(FILE *out, const struct slot *slot, enum number_type type, size_t count,
                       bool with_driver, const char *what)
{
    int width = widest(slot, type, count, with_driver);
    char text[CELL];
    for (size_t i = 0; i < count; i++) {
        if (i % LANES_A_ROW == 0)
            fprintf(out, "%s      %s %4zu ", i ? "\n" : "", what, i);
        fprintf(out, " %*s", width, cell(slot, type, i * number_types[type].bytes, with_driver, text));
    }
    fputc('\n', out);
}

/* Several numbers a lane: a row each, a column for each number. */
static void print_columns(FILE *out, const struct slot *slot, enum number_type type, size_t columns,
                          size_t rows, bool with_driver)
{
    int width = widest(slot, type, columns * rows, with_driver);
    char text[CELL];
    fputs("      lane ", out);
    for (size_t c = 0; c < columns; c++) {
        const char *name = slot->has_layout && c < SCRIPT_COLUMNS ? slot->layout.names[c] : NULL;
        if (name && (int)strlen(name) > width)
            width = (int)strlen(name);
    }
    for (size_t c = 0; c < columns; c++) {
        char number[24];
        const char *name = slot->has_layout && c < SCRIPT_COLUMNS ? slot->layout.names[c] : NULL;
        snprintf(number, sizeof number, "[%zu]", c);
        fprintf(out, " %*s", width, name ? name : number);
    }
    for (size_t r = 0; r < rows; r++) {
        fprintf(out, "\n      %4zu ", r);
        for (size_t c = 0; c < columns; c++)
            fprintf(out, " %*s", width,
                    cell(slot, type, (r * columns + c) * number_types[type].bytes, with_driver, text));
    }
    fputc('\n', out);
}

void table_storage(FILE *out, const struct world *w, const char *what, const struct slot *slot, bool with_driver,
                   size_t most)
{
    const uint32_t *size = w->group_size;
    uint64_t all = (uint64_t)size[0] * size[1] * size[2] * w->groups[0] * w->groups[1] * w->groups[2];
    enum number_type type = slot->has_layout ? slot->layout.type : slot->rule.type;
    size_t count = slot->size / number_types[type].bytes, columns = 1;
    bool lanes = slot->has_layout;
    if (slot->has_layout) {
        columns = slot->layout.count;
    } else if (*what == 's' && all && count % all == 0 && count / all <= 8) {
        columns = (size_t)(count / all);
        lanes = true;
    }
    size_t rows = columns ? count / columns : 0, shown = rows < most ? rows : most;
    if (!shown)
        return;
    fprintf(out, "    %s %" PRIu32 ", %s%s\n", what, slot->binding, number_types[type].name,
            lanes ? " by lane" : "");
    if (columns == 1)
        print_rows(out, slot, type, shown, with_driver, lanes ? "lane" : "word");
    else
        print_columns(out, slot, type, columns, shown, with_driver);
    if (shown < rows)
        fprintf(out, "      ... %zu more\n", rows - shown);
}

/* The texels that changed, a row each. */
void table_texture(FILE *out, const struct slot *slot, const uint8_t *before, bool with_driver, size_t most)
{
    const struct gp5_format_info *info = gp5_format_info(slot->texture.format);
    unsigned bytes = number_types[slot->rule.type].bytes;
    size_t shown = 0, left = 0;
    char text[CELL];
    fprintf(out, "    texture %" PRIu32 ", %s: what changed\n      level    x    y    z\n", slot->binding, info->name);
    for (size_t at = 0; at + info->bytes <= slot->size; at += info->bytes) {
        struct finding f = { .kind = FINDING_DIFFERS };
        bool undefined = false;
        for (size_t word = at / 4; slot->undefined && word <= (at + info->bytes - 1) / 4; word++)
            undefined |= slot->undefined[word] != 0;
        if (!undefined && !memcmp(before + at, slot->data[REFERENCE] + at, info->bytes))
            continue;
        if (shown == most) {
            left++;
            continue;
        }
        shown++;
        texel_place(&slot->texture, at, &f);
        fprintf(out, "      %5" PRIu32 "%5" PRIu32 "%5" PRIu32 "%5" PRIu32 " ", f.level, f.x, f.y, f.z);
        for (size_t i = 0; i + bytes <= info->bytes; i += bytes)
            fprintf(out, " %12s", cell(slot, slot->rule.type, at + i, with_driver, text));
        fputc('\n', out);
    }
    if (left)
        fprintf(out, "      ... %zu more\n", left);
}

void table_colors(FILE *out, const struct world *w, const struct outcome *reference, size_t most)
{
    const struct output *color = outcome_find(reference, OUTPUT_COLOR, 0);
    const struct output *covered = outcome_find(reference, OUTPUT_COVERAGE, 0);
    char number[NUMBER_TEXT];
    size_t shown = 0, left = 0;
    if (!color || !covered)
        return;
    if (covered->size > most) {
        const uint32_t height = w->draw->height * surface_planes(w->draw);
        const struct picture p = { w->draw->width, height, (const float *)(const void *)color->data,
                                   color->undefined, covered->data };
        picture_text(out, "      ", &p, NULL);
        most = PICTURE_FIRST;
    }
    fprintf(out, "    color 0, f32\n          x    y %14s %14s %14s %14s\n", "r", "g", "b", "a");
    for (size_t i = 0; i < covered->size; i++) {
        size_t x = i % w->draw->width, y = i / w->draw->width;
        if (w->cut && ((int32_t)x < w->cut[0] || (int32_t)x >= w->cut[1] || (int32_t)y < w->cut[2] ||
                       (int32_t)y >= w->cut[3]))
            continue;
        if (shown == most) {
            left++;
            continue;
        }
        shown++;
        fprintf(out, "      %5zu%5zu", x, y);
        for (size_t c = 0; covered->data[i] && c < 4; c++)
            fprintf(out, " %s%14s", color->undefined && color->undefined[4 * i + c] ? "?" : "",
                    number_print_short(NUMBER_F32, number_load(NUMBER_F32, color->data + 16 * i + 4 * c),
                                       number));
        fputs(covered->data[i] ? "\n" : " discarded\n", out);
    }
    if (left)
        fprintf(out, "      ... %zu more\n", left);
}
