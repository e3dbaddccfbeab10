#include "cli/batch.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int cli_batch_option(struct cli_batch *b, int c, const char *word)
{
    char part[24];
    size_t length = strcspn(word, "/");
    switch (c) {
    case CLI_FILES_FROM:
        b->list = word;
        return CLI_YES;
    case CLI_SHARD:
        if (length < sizeof part && word[length]) {
            memcpy(part, word, length);
            part[length] = 0;
            if (cli_number(word + length + 1, 1, SIZE_MAX, &b->shards) && cli_number(part, 1, b->shards, &b->shard))
                return CLI_YES;
        }
        return cli_usage_error(b->command, b->usage, "a shard is I/N, such as 1/8 to 8/8, not '%s'", word);
    default:
        b->has_jobs = true;
        if (cli_number(word, 0, 1024, &b->jobs))
            return CLI_YES;
        return cli_usage_error(b->command, b->usage, "-j needs a number of threads, not '%s'", word);
    }
}

struct taking {
    struct cli_batch *batch;
    cli_take *take;
    void *user;
};

static int take_either(void *user, int c, const char *word)
{
    const struct taking *t = user;
    int status = t->take(t->user, c, word);
    return status == CLI_GO_ON ? cli_batch_option(t->batch, c, word) : status;
}

int cli_batch_options(struct cli_batch *b, int argc, char **argv, const char *letters, const struct option *options,
                      cli_take *take, void *user)
{
    return cli_options(argc, argv, b->usage, letters, options, take_either, &(struct taking){b, take, user});
}

/* Names a line each, or with a NUL behind each where there is one. Empty ones are none. */
static bool add_listed(struct cli_batch *b, size_t *room)
{
    const char *end = b->names.bytes + b->names.size;
    char separator = memchr(b->names.bytes, 0, b->names.size) ? 0 : '\n';
    for (char *at = b->names.bytes; at < end;) {
        char *stop = memchr(at, separator, (size_t)(end - at));
        char *next = stop ? stop + 1 : (char *)end;
        if (stop)
            *stop = 0;
        if (separator && next - at > 1 && next[-2] == '\r')
            next[-2] = 0;
        if (*at) {
            if (b->count + 1 >= *room) {
                char **more = realloc(b->paths, (*room *= 2) * sizeof *more);
                if (!more)
                    return false;
                b->paths = more;
            }
            b->paths[b->count++] = at;
        }
        at = next;
    }
    return true;
}

static void take_shard(struct cli_batch *b)
{
    size_t kept = 0;
    for (size_t i = (size_t)b->shard - 1; i < b->count; i += (size_t)b->shards) {
        b->paths[kept++] = b->paths[i];
        if (b->shards > b->count)
            break;
    }
    b->count = kept;
}

int cli_batch_files(struct cli_batch *b, char **named)
{
    size_t room = 2, from_input = b->list && !strcmp(b->list, "-");
    for (char **p = named; *p; p++) {
        from_input += !strcmp(*p, "-");
        room++;
    }
    if (!*named && !b->list)
        return cli_usage_error(b->command, b->usage, "no file is named");
    if (from_input > 1)
        return cli_usage_error(b->command, b->usage, "standard input is named twice");
    b->paths = malloc(room * sizeof *b->paths);
    if (b->list && !cli_read(b->list, &b->names))
        return CLI_TROUBLE;
    while (b->paths && named[b->count]) {
        b->paths[b->count] = named[b->count];
        b->count++;
    }
    if (!b->paths || (b->list && !add_listed(b, &room)))
        return cli_error(b->command, "out of memory");
    if (!b->count)
        return cli_error(strcmp(b->list, "-") ? b->list : "standard input", "names no file");
    b->several = b->count > 1;
    if (b->shards)
        take_shard(b);
    b->paths[b->count] = NULL;
    return CLI_YES;
}

int cli_batch_all(struct cli_batch *b, char **named, bool in_place, const struct cli_work *work)
{
    int status = cli_batch_files(b, named);
    for (size_t i = 0; i < b->count && in_place && status == CLI_YES; i++)
        if (strcmp(b->paths[i], "-") == 0)
            status = cli_usage_error(b->command, b->usage, "standard input cannot be rewritten");
    if (status == CLI_YES)
        status = cli_batch_run(b, work);
    cli_batch_free(b);
    return status;
}

void cli_batch_free(struct cli_batch *b)
{
    free(b->paths);
    cli_close(&b->names);
}
