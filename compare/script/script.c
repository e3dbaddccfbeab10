/* Sections of a test script. */
#include "compare/script/script.h"

#include "asm/diag.h"
#include "asm/check/suggest.h"
#include "compare/driver/reference.h"
#include "compare/script/line.h"

#include <string.h>

enum { SCRIPT_LIMIT = 64 << 20 };

enum section {
    SECTION_NONE, SECTION_REQUIRE, SECTION_VERTEX, SECTION_PASSTHROUGH, SECTION_FRAGMENT, SECTION_COMPUTE,
    SECTION_FRAGMENT_FILES, SECTION_COMPUTE_FILES, SECTION_TEST, SECTION_CONTROL, SECTION_EVALUATION,
    SECTION_GEOMETRY, SECTION_DATA, SECTION_SKIPPED
};

static const struct section_row {
    const char *name;
    enum section section;
    enum command_class class;
} sections[] = {
    { "[require]", SECTION_REQUIRE, COMMAND_PIGLIT },
    { "[vertex program]", SECTION_VERTEX, COMMAND_PIGLIT },
    { "[vertex shader passthrough]", SECTION_PASSTHROUGH, COMMAND_PIGLIT },
    { "[fragment program]", SECTION_FRAGMENT, COMMAND_PIGLIT },
    { "[test]", SECTION_TEST, COMMAND_PIGLIT },
    { "[compute program]", SECTION_COMPUTE, COMMAND_GP5 },
    { "[compute program files]", SECTION_COMPUTE_FILES, COMMAND_GP5 },
    { "[fragment program files]", SECTION_FRAGMENT_FILES, COMMAND_GP5 },
    { "[tessellation control program]", SECTION_CONTROL, COMMAND_GP5 },
    { "[tessellation evaluation program]", SECTION_EVALUATION, COMMAND_GP5 },
    { "[geometry program]", SECTION_GEOMETRY, COMMAND_GP5 },
    { "[vertex data]", SECTION_DATA, COMMAND_PIGLIT },
    { "[vertex shader]", SECTION_SKIPPED, COMMAND_SKIPPED },
    { "[vertex shader spirv]", SECTION_SKIPPED, COMMAND_SKIPPED },
    { "[vertex shader specializations]", SECTION_SKIPPED, COMMAND_SKIPPED },
    { "[tessellation control shader]", SECTION_SKIPPED, COMMAND_SKIPPED },
    { "[tessellation control shader spirv]", SECTION_SKIPPED, COMMAND_SKIPPED },
    { "[tessellation control shader specializations]", SECTION_SKIPPED, COMMAND_SKIPPED },
    { "[tessellation evaluation shader]", SECTION_SKIPPED, COMMAND_SKIPPED },
    { "[tessellation evaluation shader spirv]", SECTION_SKIPPED, COMMAND_SKIPPED },
    { "[tessellation evaluation shader specializations]", SECTION_SKIPPED, COMMAND_SKIPPED },
    { "[geometry shader]", SECTION_SKIPPED, COMMAND_SKIPPED },
    { "[geometry shader spirv]", SECTION_SKIPPED, COMMAND_SKIPPED },
    { "[geometry shader specializations]", SECTION_SKIPPED, COMMAND_SKIPPED },
    { "[geometry layout]", SECTION_SKIPPED, COMMAND_SKIPPED },
    { "[fragment shader]", SECTION_SKIPPED, COMMAND_SKIPPED },
    { "[fragment shader spirv]", SECTION_SKIPPED, COMMAND_SKIPPED },
    { "[fragment shader specializations]", SECTION_SKIPPED, COMMAND_SKIPPED },
    { "[compute shader]", SECTION_SKIPPED, COMMAND_SKIPPED },
    { "[compute shader spirv]", SECTION_SKIPPED, COMMAND_SKIPPED },
    { "[compute shader specializations]", SECTION_SKIPPED, COMMAND_SKIPPED },
    { "[shader include]", SECTION_SKIPPED, COMMAND_SKIPPED },
    { "[shader include paths]", SECTION_SKIPPED, COMMAND_SKIPPED },
};
enum { SECTIONS = sizeof sections / sizeof *sections };

const char *script_section_name(size_t index, enum command_class *class)
{
    if (index >= SECTIONS)
        return NULL;
    *class = sections[index].class;
    return sections[index].name;
}

static bool no_memory(struct script *s)
{
    return script_stop(s, SCRIPT_UNREADABLE, 0, 0, "out of memory");
}

/* ---- programs ------------------------------------------------------------------------------------------ */

static size_t line_end(const char *text, size_t size, size_t at)
{
    const char *newline = memchr(text + at, '\n', size - at);
    return newline ? (size_t)(newline - text) : size;
}

static bool is_blank(const char *text, size_t start, size_t end)
{
    for (; start < end; start++)
        if (!strchr(" \t\r", text[start]))
            return false;
    return true;
}

static size_t count_lines(const char *text, size_t end)
{
    size_t lines = 0;
    for (size_t i = 0; i < end; i++)
        lines += text[i] == '\n';
    return lines;
}

static bool add_program(struct script *s, const struct script_program *program, uint32_t offset)
{
    if (program->stage != DRIVER_FRAGMENT && program->stage != DRIVER_COMPUTE) {
        if (s->stages[program->stage].text)
            return script_stop(s, SCRIPT_ERROR, offset, 1, "a second program of this stage");
        s->stages[program->stage] = *program;
        return true;
    }
    struct script_program *first = s->programs.count ? vec_at(&s->programs, 0) : NULL;
    if (first && (!*first->label || !*program->label))
        return script_stop(s, SCRIPT_ERROR, offset, 1,
                           "a script has one program, or one list of program files");
    size_t index = vec_grow(&s->programs);
    if (index == SIZE_MAX)
        return no_memory(s);
    *(struct script_program *)vec_at(&s->programs, index) = *program;
    return true;
}

/* The section's text without blank lines before and after it: a program's header must be its first byte. */
static bool program_section(struct script *s, enum driver_stage stage, size_t start, size_t end)
{
    while (start < end) {
        size_t stop = line_end(s->text, end, start);
        if (!is_blank(s->text, start, stop))
            break;
        start = stop < end ? stop + 1 : end;
    }
    while (end > start && strchr(" \t\r\n", s->text[end - 1]))
        end--;
    if (end < s->size && end > start && s->text[end] == '\n')
        end++;
    struct script_program program = {
        .label = "", .file = s->path, .stage = stage, .text = s->text + start, .size = end - start,
        .line = count_lines(s->text, start),
    };
    if (start == end)
        return script_stop(s, SCRIPT_ERROR, (uint32_t)start, 0, "this section holds no program");
    return add_program(s, &program, (uint32_t)start);
}

static const char *base_name(struct arena *a, const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    const char *dot = strrchr(name, '.');
    return arena_copy(a, name, dot && dot > name ? (size_t)(dot - name) : strlen(name));
}

static bool program_file(struct script *s, enum driver_stage stage, const struct line *line)
{
    const char *error = "out of memory", *word = line->word[0];
    size_t size = 0, folder = *word == '/' ? 0 : strlen(s->folder);
    char *path = arena_alloc(&s->arena, folder + strlen(word) + 1), *text = NULL, *copy = NULL;
    if (line->count > 1)
        return script_stop(s, SCRIPT_ERROR, line->offset[1], (uint32_t)strlen(line->word[1]),
                           "one file name a line");
    if (path) {
        memcpy(path, s->folder, folder);
        strcpy(path + folder, word);
        text = data_read_file(path, SCRIPT_LIMIT, &size, &error);
    }
    if (text) {
        copy = arena_copy(&s->arena, text, size);
        gp5_free(text);
    }
    if (!copy)
        return script_stop(s, SCRIPT_ERROR, line->offset[0], (uint32_t)strlen(word),
                           text ? "out of memory" : arena_copy(&s->arena, error, strlen(error)));
    struct script_program program = { .file = path, .stage = stage, .text = copy, .size = size };
    program.label = base_name(&s->arena, word);
    return program.label ? add_program(s, &program, line->offset[0]) : no_memory(s);
}

/* ---- lines --------------------------------------------------------------------------------------------- */

static bool each_line(struct script *s, enum section section, size_t start, size_t end)
{
    uint32_t number = (uint32_t)count_lines(s->text, start) + 1;
    bool ok = true;
    for (size_t at = start; ok && at < end; number++) {
        size_t stop = line_end(s->text, end, at);
        struct line line;
        if (section == SECTION_TEST)
            ok = script_command(s, at, stop, number);
        else if (section == SECTION_REQUIRE)
            ok = script_require(s, at, stop);
        else if (section == SECTION_DATA)
            ok = script_vertex_data(s, at, stop);
        else if (!line_split(&s->arena, s->text, at, stop, &line))
            ok = no_memory(s);
        else if (line.count)
            ok = program_file(s, section == SECTION_COMPUTE_FILES ? DRIVER_COMPUTE : DRIVER_FRAGMENT, &line);
        at = stop + 1;
    }
    return ok;
}

static const char passthrough[] = "!!ARBvp1.0\nMOV result.position, vertex.position;\nEND\n";

static bool section_body(struct script *s, enum section section, size_t start, size_t end)
{
    switch (section) {
    case SECTION_REQUIRE:
    case SECTION_TEST:
    case SECTION_COMPUTE_FILES:
    case SECTION_FRAGMENT_FILES:
        return each_line(s, section, start, end);
    case SECTION_DATA:
        s->pipeline = true;
        return each_line(s, section, start, end);
    case SECTION_VERTEX:
        s->pipeline |= !script_passthrough(s, start, end);
        return program_section(s, DRIVER_VERTEX, start, end);
    case SECTION_CONTROL:
        s->pipeline = true;
        return program_section(s, DRIVER_TESS_CONTROL, start, end);
    case SECTION_EVALUATION:
        s->pipeline = true;
        return program_section(s, DRIVER_TESS_EVALUATION, start, end);
    case SECTION_GEOMETRY:
        s->pipeline = true;
        return program_section(s, DRIVER_GEOMETRY, start, end);
    case SECTION_FRAGMENT:
        return program_section(s, DRIVER_FRAGMENT, start, end);
    case SECTION_COMPUTE:
        return program_section(s, DRIVER_COMPUTE, start, end);
    case SECTION_PASSTHROUGH:
        memset(&s->vertex, 0, sizeof s->vertex);
        s->stages[DRIVER_VERTEX] = (struct script_program){
            .label = "", .file = s->path, .stage = DRIVER_VERTEX, .text = passthrough, .size = sizeof passthrough - 1 };
        return true;
    default:
        return true;            /* what stands before the first section is a comment */
    }
}

static bool section_header(struct script *s, size_t start, size_t end, enum section *section)
{
    while (end > start && strchr(" \t\r", s->text[end - 1]))
        end--;
    for (int i = 0; i < SECTIONS; i++)
        if (strlen(sections[i].name) == end - start &&
            !memcmp(sections[i].name, s->text + start, end - start)) {
            *section = sections[i].section;
            if (*section == SECTION_SKIPPED)
                return script_stop(s, SCRIPT_SKIP, (uint32_t)start, (uint32_t)(end - start),
                                   "this section is not supported yet");
            return true;
        }
    for (int i = 0; i < SECTIONS; i++)
        if (end - start > 5 && asm_word_distance(s->text + start, end - start, sections[i].name,
                                                 strlen(sections[i].name), 2) <= 2) {
            char text[120];
            int n = snprintf(text, sizeof text, "no such section; did you mean '%s'?", sections[i].name);
            const char *copy = arena_copy(&s->arena, text, (size_t)n);
            return script_stop(s, SCRIPT_ERROR, (uint32_t)start, (uint32_t)(end - start),
                               copy ? copy : "no such section");
        }
    return script_stop(s, SCRIPT_ERROR, (uint32_t)start, (uint32_t)(end - start), "no such section");
}

/* Without a fragment program the pipeline ends in the fixed function. */
static bool add_fixed(struct script *s)
{
    struct script_program program = { .label = "", .file = s->path, .stage = DRIVER_FRAGMENT, .fixed = true,
                                      .text = reference_fixed_fragment, .size = strlen(reference_fixed_fragment) };
    s->pipeline = true;
    return add_program(s, &program, 0);
}

static bool has_stage(const struct script *s)
{
    for (int i = 0; i < DRIVER_STAGES; i++)
        if (s->stages[i].text)
            return true;
    return s->columns.count;
}

static void parse_sections(struct script *s)
{
    enum section section = SECTION_NONE;
    size_t body = 0;
    for (size_t at = 0; at < s->size;) {
        size_t stop = line_end(s->text, s->size, at);
        if (s->text[at] == '[') {
            if (!section_body(s, section, body, at) || !section_header(s, at, stop, &section))
                return;
            body = stop < s->size ? stop + 1 : s->size;
        }
        at = stop + 1;
    }
    if (!section_body(s, section, body, s->size))
        return;
    if (section == SECTION_NONE)
        script_stop(s, SCRIPT_ERROR, 0, 0,
                    s->size >= 2 && !memcmp(s->text, "!!", 2)
                        ? "a program and no test script: gp5 run evaluates it, docs/drivers.md says what a script is"
                        : "no section such as [compute program] or [test] in this file");
    else if (!s->programs.count && (!has_stage(s) || !add_fixed(s)))
        script_stop(s, SCRIPT_ERROR, (uint32_t)s->size, 0,
                    "no [compute program], [fragment program] or [vertex program]");
    else if (!s->ops.count)
        script_stop(s, SCRIPT_ERROR, (uint32_t)s->size, 0, "no [test] section, or an empty one");
}

/* ---- the whole ----------------------------------------------------------------------------------------- */

static void start_script(struct script *s, const char *path)
{
    memset(s, 0, sizeof *s);
    arena_init(&s->arena);
    vec_init(&s->requirements, sizeof(struct script_requirement));
    vec_init(&s->programs, sizeof(struct script_program));
    vec_init(&s->ops, sizeof(struct op));
    vec_init(&s->columns, sizeof(struct script_column));
    s->buffers = 1;
    s->width = s->height = 250;                 /* piglit's window */
    s->vertex.transforms = true;                /* without a vertex program: fixed function */
    s->vertex.color[0].source = PASS_COLOR;
    for (uint32_t i = 0; i < SCRIPT_TEXCOORDS; i++)
        s->vertex.texcoord[i] = (struct pass_value){ .source = PASS_TEXCOORD, .index = i };
    const char *slash = strrchr(path, '/');
    s->path = arena_copy(&s->arena, path, strlen(path));
    s->folder = arena_copy(&s->arena, path, slash ? (size_t)(slash + 1 - path) : 0);
    s->name = base_name(&s->arena, path);
    if (!s->path || !s->folder || !s->name) {
        s->path = s->folder = s->name = "";
        no_memory(s);
    }
}

void script_parse(struct script *s, const char *path, const char *text, size_t size)
{
    start_script(s, path);
    if (size > SCRIPT_LIMIT) {
        script_stop(s, SCRIPT_UNREADABLE, 0, 0, "the file is too large");
        return;
    }
    s->text = arena_copy(&s->arena, text, size);
    if (!s->text) {
        no_memory(s);
        return;
    }
    s->size = size;
    if (script_is_vpfp(text, size))
        script_parse_vpfp(s);
    else
        parse_sections(s);
    if (s->arena.failed && s->status == SCRIPT_OK)
        no_memory(s);
}

void script_unreadable(struct script *s, const char *path, const char *error)
{
    start_script(s, path);
    script_stop(s, SCRIPT_UNREADABLE, 0, 0, arena_copy(&s->arena, error, strlen(error)));
}

void script_load(struct script *s, const char *path)
{
    const char *error = NULL;
    size_t size = 0;
    char *text = data_read_file(path, SCRIPT_LIMIT, &size, &error);
    if (text) {
        script_parse(s, path, text, size);
        gp5_free(text);
    } else {
        script_unreadable(s, path, error);
    }
}

void script_free(struct script *s)
{
    vec_free(&s->requirements);
    vec_free(&s->programs);
    vec_free(&s->ops);
    vec_free(&s->columns);
    arena_free(&s->arena);
}

