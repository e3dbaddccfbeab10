/* What a program is launched with: the options that gp5 run and gp5 debug share. */
#include "compare/driver/reference.h"
#include "cli/launch.h"

#include "cli/cli.h"

#include <string.h>

/* ---- words of options ---------------------------------------------------------------------------------- */

int cli_launch_bad(const struct cli_launch *l, const char *text, const char *word)
{
    return cli_usage_error(l->command, l->usage, "%s: '%s'", text, word);
}

/* Up to `most` whole numbers with commas between them; how many, 0 when something else stands there. */
static size_t numbers(const char *word, uint32_t *values, size_t most, unsigned long long limit)
{
    char part[24];
    size_t count = 0;
    for (;;) {
        size_t length = strcspn(word, ",");
        unsigned long long value;
        if (count == most || length >= sizeof part)
            return 0;
        memcpy(part, word, length);
        part[length] = 0;
        if (!cli_number(part, 0, limit, &value))
            return 0;
        values[count++] = (uint32_t)value;
        if (!word[length])
            return count;
        word += length + 1;
    }
}

/* "N=REST": the number, and where the rest begins. */
const char *cli_launch_numbered(const char *word, uint32_t *number)
{
    char part[24];
    size_t length = strcspn(word, "=");
    unsigned long long value;
    if (!word[length] || length >= sizeof part)
        return NULL;
    memcpy(part, word, length);
    part[length] = 0;
    if (!cli_number(part, 0, SCRIPT_BINDING_LIMIT - 1, &value))
        return NULL;
    *number = (uint32_t)value;
    return word + length + 1;
}

static int no_memory(const struct cli_launch *l)
{
    return cli_error(l->command, "out of memory");
}

static int too_large(const struct cli_launch *l, const char *word, unsigned long long size)
{
    return cli_error(l->command, "'%s': a buffer of %llu bytes; %u are the most", word, size, (unsigned)DATA_LIMIT);
}

static int add_buffer(struct cli_launch *l, struct vec *list, const char *word)
{
    uint32_t binding;
    unsigned long long size = 0;
    const char *rest = cli_launch_numbered(word, &binding);
    struct cli_file file = { NULL, 0 };
    char *data;
    if (!rest)
        return cli_launch_bad(l, "expected N=FILE or N=zero:BYTES", word);
    for (size_t i = 0; i < list->count; i++)
        if (((struct driver_buffer *)vec_at(list, i))->binding == binding)
            return cli_launch_bad(l, "this number is given twice", word);
    if (!strncmp(rest, "zero:", 5)) {
        if (!cli_number(rest + 5, 0, UINT64_MAX, &size))
            return cli_launch_bad(l, "expected a number of bytes", word);
        if (size > DATA_LIMIT)
            return too_large(l, word, size);
        data = arena_alloc(&l->arena, (size_t)size + 1);
    } else {
        if (!cli_read(rest, &file))
            return CLI_TROUBLE;
        size = file.size;
        data = size <= DATA_LIMIT ? arena_copy(&l->arena, file.bytes, file.size) : NULL;
        cli_close(&file);
        if (size > DATA_LIMIT)
            return too_large(l, word, size);
    }
    size_t index = data ? vec_grow(list) : SIZE_MAX;
    if (index == SIZE_MAX)
        return no_memory(l);
    *(struct driver_buffer *)vec_at(list, index) =
        (struct driver_buffer){ .binding = binding, .data = data, .size = (size_t)size, .bring_back = true };
    return CLI_YES;
}

static int add_parameter(const struct cli_launch *l, struct vec *list, const char *word)
{
    struct driver_parameter p = { 0 };
    const char *rest = cli_launch_numbered(word, &p.index);
    char part[40];
    for (int i = 0; i < 4; i++) {
        size_t length = rest ? strcspn(rest, ",") : 0;
        uint64_t bits;
        if (!length || length >= sizeof part || (i < 3) != (rest[length] == ','))
            return cli_launch_bad(l, "expected I=x,y,z,w", word);
        memcpy(part, rest, length);
        part[length] = 0;
        if (!number_parse(NUMBER_F32, part, &bits))
            return cli_launch_bad(l, "expected I=x,y,z,w", word);
        p.bits[i] = (uint32_t)bits;
        rest += length + (i < 3);
    }
    size_t index = vec_grow(list);
    if (index == SIZE_MAX)
        return no_memory(l);
    *(struct driver_parameter *)vec_at(list, index) = p;
    return CLI_YES;
}

static int on_off(const struct cli_launch *l, const char *word, bool *value)
{
    if (strcmp(word, "on") && strcmp(word, "off"))
        return cli_launch_bad(l, "expected on or off", word);
    *value = !strcmp(word, "on");
    return CLI_YES;
}

int cli_launch_option(struct cli_launch *l, int c, const char *word)
{
    unsigned long long value;
    switch (c) {
    case 'g':
        l->has_groups = true;
        l->groups[0] = l->groups[1] = l->groups[2] = 1;
        return numbers(word, l->groups, 3, UINT32_MAX)
                   ? CLI_YES
                   : cli_launch_bad(l, "expected X[,Y[,Z]] groups, each 0 to 4294967295", word);
    case 'z':
        l->has_size = true;
        return numbers(word, l->size, 2, 4096) == 2 && l->size[0] && l->size[1]
                   ? CLI_YES
                   : cli_launch_bad(l, "expected WIDTH,HEIGHT, each 1 to 4096", word);
    case 's': return add_buffer(l, &l->storage, word);
    case 'c': return add_buffer(l, &l->constants, word);
    case 'C': return add_buffer(l, &l->counters, word);
    case 'T': return cli_launch_texture(l, word);
    case 'I': return cli_launch_image(l, word);
    case 'P': return cli_launch_pointer(l, word);
    case 'R': return cli_launch_subroutine(l, word);
    case 'G':
        l->group_size[0] = l->group_size[1] = l->group_size[2] = 1;
        return numbers(word, l->group_size, 3, 65535) && l->group_size[0] && l->group_size[1] && l->group_size[2]
                   ? CLI_YES
                   : cli_launch_bad(l, "expected X[,Y[,Z]] invocations, each 1 to 65535", word);
    case 'e': return add_parameter(l, &l->env, word);
    case 'l': return add_parameter(l, &l->local, word);
    case 'u': return on_off(l, word, &l->run.track_undefined);
    case 'r': return on_off(l, word, &l->run.track_races);
    case 'S': l->run.strict = true; return CLI_YES;
    case 'm':
        if (!reference_find_semantics(word, &l->run.semantics))
            return cli_launch_bad(l, "the semantics are nvidia, spec or ideal", word);
        return CLI_YES;
    case 'M':
        l->run.model = word;
        return cli_model(l->command, l->usage, word);
    case 'j':
        if (!cli_number(word, 0, 1024, &value))
            return cli_launch_bad(l, "expected 0 to 1024 threads", word);
        l->run.jobs = (unsigned)value;
        return CLI_YES;
    case 'w':
        if (!cli_number(word, 1, 32, &value))
            return cli_launch_bad(l, "a warp has 1 to 32 lanes", word);
        l->run.warp = (unsigned)value;
        return CLI_YES;
    case 'x':
        if (!cli_number(word, 1, UINT64_MAX, &value))
            return cli_launch_bad(l, "expected 1 to 18446744073709551615 instructions", word);
        l->run.max_instructions = value;
        return CLI_YES;
    default: return CLI_LAUNCH_OTHER;
    }
}

void cli_launch_init(struct cli_launch *l, const char *command, const char *usage)
{
    *l = (struct cli_launch){ .command = command, .usage = usage, .groups = { 1, 1, 1 }, .size = { 4, 4 },
                              .run = { .track_undefined = true } };
    arena_init(&l->arena);
    vec_init(&l->storage, sizeof(struct driver_buffer));
    vec_init(&l->constants, sizeof(struct driver_buffer));
    vec_init(&l->env, sizeof(struct driver_parameter));
    vec_init(&l->local, sizeof(struct driver_parameter));
    vec_init(&l->counters, sizeof(struct driver_buffer));
    vec_init(&l->textures, sizeof(struct driver_texture));
    vec_init(&l->images, sizeof(struct gp5_image));
    vec_init(&l->pointers, sizeof(struct driver_pointer));
    vec_init(&l->subroutines, sizeof(uint32_t));
}

void cli_launch_free(struct cli_launch *l)
{
    vec_free(&l->storage);
    vec_free(&l->constants);
    vec_free(&l->env);
    vec_free(&l->local);
    vec_free(&l->counters);
    vec_free(&l->textures);
    vec_free(&l->images);
    vec_free(&l->pointers);
    vec_free(&l->subroutines);
    arena_free(&l->arena);
}

bool cli_launch_given(const struct cli_launch *l)
{
    return l->storage.count || l->constants.count || l->env.count || l->local.count || l->counters.count ||
           l->textures.count || l->images.count || l->pointers.count || l->subroutines.count || l->group_size[0];
}

struct evaluation cli_launch_evaluation(const struct cli_launch *l, const char *path, const struct cli_file *file)
{
    return (struct evaluation){
        .file = path,
        .text = file->bytes,
        .size = file->size,
        .colour = cli_colour(stderr),
        .has_groups = l->has_groups,
        .has_size = l->has_size,
        .groups = { l->groups[0], l->groups[1], l->groups[2] },
        .width = l->size[0],
        .height = l->size[1],
        .storage = l->storage.data,
        .storage_count = l->storage.count,
        .constants = l->constants.data,
        .constant_count = l->constants.count,
        .env = l->env.data,
        .env_count = l->env.count,
        .local = l->local.data,
        .local_count = l->local.count,
        .group_size = { l->group_size[0], l->group_size[1], l->group_size[2] },
        .counters = l->counters.data,
        .counter_count = l->counters.count,
        .textures = l->textures.data,
        .texture_count = l->textures.count,
        .images = l->images.data,
        .image_count = l->images.count,
        .pointers = l->pointers.data,
        .pointer_count = l->pointers.count,
        .subroutines = l->subroutines.data,
        .subroutine_count = l->subroutines.count,
        .run = l->run,
    };
}
