/* What a stage of a graphics program is launched with: --count, --input, --output and their like. */
#include "cli/stage.h"

#include "compare/world/state.h"

#include <string.h>

void cli_stage_init(struct cli_stage *s, struct cli_launch *launch)
{
    *s = (struct cli_stage){ .launch = launch, .instances = 1, .patch_vertices = 3 };
    vec_init(&s->inputs, sizeof(struct stage_file));
    vec_init(&s->outputs, sizeof(struct stage_file));
}

void cli_stage_free(struct cli_stage *s)
{
    vec_free(&s->inputs);
    vec_free(&s->outputs);
}

static int no_memory(void)
{
    return cli_error("run", "out of memory");
}

static int number(struct cli_stage *s, const char *word, unsigned long long least, unsigned long long most,
                  const char *what, uint32_t *to)
{
    unsigned long long value;

    if (!cli_number(word, least, most, &value))
        return cli_launch_bad(s->launch, what, word);
    *to = (uint32_t)value;
    return CLI_YES;
}

/* A file's bytes as an input's words. */
static int read_words(struct cli_stage *s, struct stage_file *f, const char *path)
{
    struct cli_file file = { NULL, 0 };

    if (!cli_read(path, &file))
        return CLI_TROUBLE;
    f->bytes = (uint8_t *)arena_copy(&s->launch->arena, file.bytes, file.size);
    f->size = file.size;
    cli_close(&file);
    return f->bytes ? CLI_YES : no_memory();
}

/* BINDING=FILE, of geometry programs' results BINDING@STREAM=FILE. */
static int add_file(struct cli_stage *s, struct vec *list, const char *word, bool input)
{
    const char *equals = strchr(word, '=');
    struct stage_file f = { .path = equals ? equals + 1 : NULL };

    if (!equals || equals == word || !equals[1])
        return cli_launch_bad(s->launch, "expected BINDING=FILE, such as vertex.position=FILE", word);
    char *binding = arena_copy(&s->launch->arena, word, (size_t)(equals - word));
    if (!binding)
        return no_memory();
    char *at = input ? NULL : strchr(binding, '@');
    if (at) {
        if (at[1] < '0' || at[1] > '3' || at[2])
            return cli_launch_bad(s->launch, "a vertex stream is @0 to @3", word);
        f.stream = (uint8_t)(at[1] - '0');
        *at = 0;
    }
    f.binding = binding;
    for (size_t i = 0; i < list->count; i++) {
        const struct stage_file *other = vec_at(list, i);
        if (!strcmp(other->binding, binding) && other->stream == f.stream)
            return cli_launch_bad(s->launch, "this binding is given twice", word);
    }
    int status = input ? read_words(s, &f, f.path) : CLI_YES;
    if (status != CLI_YES)
        return status;
    size_t index = vec_grow(list);
    if (index == SIZE_MAX)
        return no_memory();
    *(struct stage_file *)vec_at(list, index) = f;
    return CLI_YES;
}

static int read_state(struct cli_stage *s, const char *path)
{
    char message[240];
    struct cli_file file;

    if (!cli_read(path, &file))
        return CLI_TROUBLE;
    s->has_state = state_from_json(file.bytes, file.size, &s->state, message, sizeof message);
    cli_close(&file);
    return s->has_state ? CLI_YES : cli_error(path, "%s", message);
}

int cli_stage_option(struct cli_stage *s, int c, const char *word)
{
    s->asked |= strchr("nNioqpv", c) != NULL;
    switch (c) {
    case 'n':
        s->has_count = true;
        return number(s, word, 1, INT32_MAX, "a count is from 1 to 2147483647", &s->count);
    case 'N': return number(s, word, 1, INT32_MAX, "instances are from 1 to 2147483647", &s->instances);
    case 'v': return number(s, word, 1, 32, "a patch has 1 to 32 vertices", &s->patch_vertices);
    case 'i': return add_file(s, &s->inputs, word, true);
    case 'o': return add_file(s, &s->outputs, word, false);
    case 'q': return read_state(s, word);
    case 'p': s->points = true; return CLI_YES;
    default: return cli_launch_option(s->launch, c, word);
    }
}

int cli_stage_run(struct cli_stage *s, const struct cli_io *io, const char *path,
                  const struct cli_file *file, bool json,
                  bool (*picture)(void *user, const struct picture *picture), void *user)
{
    struct stage_run r = {.e = cli_launch_evaluation(s->launch, path, file),
                          .count = s->count,
                          .instances = s->instances,
                          .patch_vertices = s->patch_vertices,
                          .has_count = s->has_count,
                          .points = s->points,
                          .inputs = s->inputs.data,
                          .input_count = s->inputs.count,
                          .outputs = s->outputs.data,
                          .output_count = s->outputs.count,
                          .state = s->has_state ? &s->state : NULL};

    r.e.json = json;
    r.e.colour = io->colour[1];
    r.e.picture = picture;
    r.e.user = user;
    r.e.watch = s->watch;
    r.e.after = s->after;
    return stage_run(&r, io->out, io->err);
}
