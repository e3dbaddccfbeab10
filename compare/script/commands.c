/* The commands of [test]. One row a command: its first words, where it comes from, what reads the rest. */
#include "compare/script/command.h"

#include "asm/check/suggest.h"
#include "compare/script/line.h"

#include <stdio.h>
#include <string.h>

static const struct command_row {
    const char *words;
    enum command_class class;
    bool (*read)(struct command *c);
} commands[] = {
    { "ssbo", COMMAND_PIGLIT, read_ssbo },
    { "compute", COMMAND_PIGLIT, read_compute },
    { "probe ssbo", COMMAND_PIGLIT, read_probe_ssbo },
    { "parameter", COMMAND_PIGLIT, read_parameter },
    { "clear color", COMMAND_PIGLIT, read_clear_color },
    { "clear depth", COMMAND_PIGLIT, read_clear_depth },
    { "clear", COMMAND_PIGLIT, read_clear },
    { "color", COMMAND_PIGLIT, read_color },
    { "texcoord", COMMAND_PIGLIT, read_texcoord },
    { "ortho", COMMAND_PIGLIT, read_ortho },
    { "draw rect", COMMAND_PIGLIT, read_draw_rect },
    { "draw rect ortho", COMMAND_PIGLIT, read_draw_rect_ortho },
    { "draw rect tex", COMMAND_PIGLIT, read_draw_rect_tex },
    { "probe rgba", COMMAND_PIGLIT, read_probe_rgba },
    { "probe rgb", COMMAND_PIGLIT, read_probe_rgb },
    { "probe all rgba", COMMAND_PIGLIT, read_probe_all_rgba },
    { "probe all rgb", COMMAND_PIGLIT, read_probe_all_rgb },
    { "probe rect rgba", COMMAND_PIGLIT, read_probe_rect_rgba },
    { "relative probe rgba", COMMAND_PIGLIT, read_relative_rgba },
    { "relative probe rgb", COMMAND_PIGLIT, read_relative_rgb },
    { "relative probe rect rgba", COMMAND_PIGLIT, read_relative_rect_rgba },
    { "relative probe rect rgb", COMMAND_PIGLIT, read_relative_rect_rgb },
    { "tolerance", COMMAND_PIGLIT, read_tolerance },
    { "atomic counter", COMMAND_PIGLIT, read_atomic_counter },
    { "atomic counters", COMMAND_PIGLIT, read_atomic_counters },
    { "atomic counter buffer", COMMAND_PIGLIT, read_atomic_counter_buffer },
    { "probe atomic counter", COMMAND_PIGLIT, read_probe_atomic_counter },
    { "probe atomic counter buffer", COMMAND_PIGLIT, read_probe_atomic_counter_buffer },
    { "compute group size", COMMAND_PIGLIT, read_compute_group_size },
    { "texture rgbw", COMMAND_PIGLIT, read_texture_rgbw },
    { "texture checkerboard", COMMAND_PIGLIT, read_texture_checkerboard },
    { "texture storage", COMMAND_PIGLIT, read_texture_storage },
    { "texparameter", COMMAND_PIGLIT, read_texparameter },
    { "image texture", COMMAND_PIGLIT, read_image_texture },
    { "memory barrier", COMMAND_PIGLIT, read_nothing },
    { "link success", COMMAND_PIGLIT, read_nothing },
    { "draw arrays", COMMAND_PIGLIT, read_draw_arrays },
    { "draw arrays instanced", COMMAND_PIGLIT, read_draw_arrays_instanced },
    { "draw instanced rect", COMMAND_PIGLIT, read_draw_instanced_rect },
    { "draw rect patch", COMMAND_PIGLIT, read_draw_rect_patch },
    { "draw rect ortho patch", COMMAND_PIGLIT, read_draw_rect_ortho_patch },
    { "xfb buffer object", COMMAND_PIGLIT, read_xfb_buffer },
    { "xfb draw arrays", COMMAND_PIGLIT, read_xfb_draw_arrays },
    { "xfb varying", COMMAND_GP5, read_xfb_varying },
    { "verify query_object", COMMAND_PIGLIT, read_verify_query },
    { "enable", COMMAND_PIGLIT, read_enable },
    { "disable", COMMAND_PIGLIT, read_disable },
    { "clip plane", COMMAND_PIGLIT, read_clip_plane },
    { "depthfunc", COMMAND_PIGLIT, read_depthfunc },
    { "patch parameter vertices", COMMAND_PIGLIT, read_patch_vertices },
    { "patch parameter default level outer", COMMAND_PIGLIT, read_outer_levels },
    { "patch parameter default level inner", COMMAND_PIGLIT, read_inner_levels },
    { "provoking vertex", COMMAND_PIGLIT, read_provoking_vertex },
    { "shade model", COMMAND_PIGLIT, read_shade_model },
    { "probe depth", COMMAND_PIGLIT, read_probe_depth },
    { "fb", COMMAND_PIGLIT, read_fb },
    { "blit", COMMAND_PIGLIT, read_blit },
    { "viewport indexed", COMMAND_PIGLIT, read_viewport_indexed },
    { "texture junk", COMMAND_PIGLIT, read_texture_junk },
    { "texture miptree", COMMAND_PIGLIT, read_texture_miptree },
    { "texture shadow1D", COMMAND_PIGLIT, read_texture_shadow1d },
    { "texture shadow2D", COMMAND_PIGLIT, read_texture_shadow2d },
    { "texture shadowRect", COMMAND_PIGLIT, read_texture_shadow_rect },

    { "storage", COMMAND_GP5, read_storage },
    { "cbuffer", COMMAND_GP5, read_cbuffer },
    { "counter", COMMAND_GP5, read_counter },
    { "texture", COMMAND_GP5, read_texture },
    { "sampler", COMMAND_GP5, read_sampler },
    { "image", COMMAND_GP5, read_image },
    { "pointer", COMMAND_GP5, read_pointer },
    { "subroutine", COMMAND_GP5, read_subroutine },
    { "layout", COMMAND_GP5, read_layout },
    { "compare", COMMAND_GP5, read_compare },
    { "record", COMMAND_GP5, read_record },
    { "interpolate", COMMAND_GP5, read_interpolate },
    { "color mask", COMMAND_GP5, read_color_mask },
    { "draw buffers", COMMAND_GP5, read_draw_buffers },
    { "read buffer", COMMAND_GP5, read_read_buffer },
    { "read layer", COMMAND_GP5, read_read_layer },
    { "read sample", COMMAND_GP5, read_read_sample },
    { "point size", COMMAND_GP5, read_point_size },
    { "depth range", COMMAND_GP5, read_depth_range },
    { "framebuffer float", COMMAND_GP5, read_framebuffer_float },
    { "probe storage", COMMAND_GP5, read_probe_storage },
    { "probe counter", COMMAND_GP5, read_probe_counter },
    { "probe texture", COMMAND_GP5, read_probe_texture },
    { "probe undefined", COMMAND_GP5, read_probe_undefined },
    { "probe covered", COMMAND_GP5, read_probe_covered },
    { "probe discarded", COMMAND_GP5, read_probe_discarded },

    { "active shader program", COMMAND_SKIPPED, NULL },
    { "active uniform", COMMAND_SKIPPED, NULL },
    { "blend barrier", COMMAND_SKIPPED, NULL },
    { "block", COMMAND_SKIPPED, NULL },
    { "calllist", COMMAND_SKIPPED, NULL },
    { "deletelist", COMMAND_SKIPPED, NULL },
    { "endlist", COMMAND_SKIPPED, NULL },
    { "fbfetch barrier", COMMAND_SKIPPED, NULL },
    { "frustum", COMMAND_PIGLIT, read_frustum },
    { "hint", COMMAND_SKIPPED, NULL },
    { "link error", COMMAND_SKIPPED, NULL },
    { "newlist", COMMAND_SKIPPED, NULL },
    { "polygon mode", COMMAND_SKIPPED, NULL },
    { "probe warn all rgba", COMMAND_SKIPPED, NULL },
    { "probe xfb buffer", COMMAND_PIGLIT, read_probe_xfb_buffer },
    { "program binary save restore", COMMAND_SKIPPED, NULL },
    { "relative probe rect rgba int", COMMAND_SKIPPED, NULL },
    { "resident image texture", COMMAND_SKIPPED, NULL },
    { "resident texture", COMMAND_SKIPPED, NULL },
    { "subuniform", COMMAND_SKIPPED, NULL },
    { "texture integer", COMMAND_SKIPPED, NULL },
    { "texture quads", COMMAND_SKIPPED, NULL },
    { "texture rgbw 1D", COMMAND_SKIPPED, NULL },
    { "texture rgbw 1DArray", COMMAND_SKIPPED, NULL },
    { "texture rgbw 2DArray", COMMAND_SKIPPED, NULL },
    { "texture rgbw 3D", COMMAND_SKIPPED, NULL },
    { "texture shadow1DArray", COMMAND_SKIPPED, NULL },
    { "texture shadow2DArray", COMMAND_SKIPPED, NULL },
    { "ubo array index", COMMAND_SKIPPED, NULL },
    { "uniform", COMMAND_SKIPPED, NULL },
    { "verify", COMMAND_SKIPPED, NULL },
    { "vertex attrib", COMMAND_SKIPPED, NULL },
    { "viewport swizzle", COMMAND_SKIPPED, NULL },
    { "xfb", COMMAND_SKIPPED, NULL },
};
enum { COMMANDS = sizeof commands / sizeof *commands };

const char *script_command_name(size_t index, enum command_class *class)
{
    if (index >= COMMANDS)
        return NULL;
    *class = commands[index].class;
    return commands[index].words;
}

/* How many words of the line a row takes, 0 when it does not begin with them. */
static size_t matches(const struct command_row *row, const struct line *line)
{
    const char *rest = row->words;
    size_t n = 0;
    while (*rest) {
        size_t length = strcspn(rest, " ");
        if (n >= line->count || strlen(line->word[n]) != length || memcmp(line->word[n], rest, length))
            return 0;
        rest += length + (rest[length] == ' ');
        n++;
    }
    return n;
}

/* As many words of the line as `wanted` has, with single blanks between them. */
static size_t join(const struct line *line, const char *wanted, char *to, size_t size)
{
    size_t words = 1, length = 0;
    for (const char *at = wanted; *at; at++)
        words += *at == ' ';
    for (size_t i = 0; i < words && i < line->count && length + strlen(line->word[i]) + 2 < size; i++)
        length += (size_t)snprintf(to + length, size - length, "%s%s", i ? " " : "", line->word[i]);
    return length;
}

/* What was probably meant, if it is near. */
static const char *unknown(struct script *s, const struct line *line)
{
    const char *nearest = NULL;
    unsigned least = 3;
    char word[64], text[120];
    for (int i = 0; i < COMMANDS; i++) {
        size_t length = join(line, commands[i].words, word, sizeof word), n = strlen(commands[i].words);
        unsigned limit = n <= 3 ? 0 : n <= 5 ? 1 : 2;
        unsigned far = length ? asm_word_distance(word, length, commands[i].words, n, limit) : 3;
        if (far <= limit && far < least) {
            least = far;
            nearest = commands[i].words;
        }
    }
    if (!nearest)
        return "no such command";
    int n = snprintf(text, sizeof text, "no such command; did you mean '%s'?", nearest);
    const char *copy = arena_copy(&s->arena, text, (size_t)n);
    return copy ? copy : "no such command";
}

bool script_command(struct script *s, size_t start, size_t end, uint32_t number)
{
    const struct command_row *row = NULL;
    struct op op = { .offset = (uint32_t)start, .line = number };
    struct line line;
    size_t words = 0;
    if (!line_split(&s->arena, s->text, start, end, &line))
        return script_stop(s, SCRIPT_UNREADABLE, 0, 0, "out of memory");
    if (!line.count)
        return true;
    for (int i = 0; i < COMMANDS; i++) {
        size_t n = matches(&commands[i], &line);
        if (n > words) {
            words = n;
            row = &commands[i];
        }
    }
    op.offset = line.offset[0];
    uint32_t length = line.offset[line.count - 1] + (uint32_t)strlen(line.word[line.count - 1]) - op.offset;
    if (!row)
        return script_stop(s, SCRIPT_ERROR, op.offset, length, unknown(s, &line));
    if (!row->read)
        return script_stop(s, SCRIPT_SKIP, op.offset, length, "this command is not supported yet");
    struct command c = { s, &op, line.word + words, line.offset + words, line.count - words };
    if (!row->read(&c))
        return false;
    if (!c.op)
        return true;
    size_t index = vec_grow(&s->ops);
    if (index == SIZE_MAX)
        return script_stop(s, SCRIPT_UNREADABLE, 0, 0, "out of memory");
    *(struct op *)vec_at(&s->ops, index) = op;
    return true;
}
