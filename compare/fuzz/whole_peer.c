/* Another evaluator behind two pipes: a JSON line a case, a JSON line an answer. */
#include "compare/fuzz/whole_run.h"

#include <errno.h>
#include <jansson.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "compare/driver/texture_words.h"

extern char **environ;

struct whole_peer {
    FILE *to, *from;
    pid_t pid;
    char *line;
    size_t capacity;
};

/* ---- cases ------------------------------------------------------------------------------------------------------- */

static void put_hex(FILE *out, const void *data, size_t size)
{
    const uint8_t *bytes = data;
    for (size_t i = 0; i < size; i++) {
        putc_unlocked("0123456789abcdef"[bytes[i] >> 4], out);
        putc_unlocked("0123456789abcdef"[bytes[i] & 15], out);
    }
}

static void put_wider(FILE *out, const struct whole_case *c)
{
    uint32_t word[4];
    (void)c;
    whole_addresses(word);
    fputs(",{\"index\":4,\"hex\":\"", out);
    put_hex(out, word, sizeof word);
    fputs("\"}", out);
}

/* "pointers" are for who has a driver, "addresses" for who has none. */
static void put_launch(FILE *out, const struct whole_case *c)
{
    fprintf(out, ",\"pointers\":[{\"storage\":%d,\"local\":4,\"offset\":0},{\"storage\":%d,\"local\":4,\"offset\":8}]",
            WHOLE_INPUT, WHOLE_FAR);
    fprintf(out, ",\"addresses\":[{\"storage\":%d,\"at\":%llu},{\"storage\":%d,\"at\":%llu}]", WHOLE_INPUT,
            WHOLE_INPUT_ADDRESS, WHOLE_FAR, WHOLE_FAR_ADDRESS);
    fputs(",\"counters\":[{\"binding\":0,\"hex\":\"", out);
    put_hex(out, c->counters, WHOLE_COUNTERS);
    fputs("\"}],\"subroutines\":[", out);
    for (unsigned i = 0; i < WHOLE_CHOSEN; i++)
        fprintf(out, "%s%u", i ? "," : "", c->subroutines[i]);
    fputs("]", out);
    if (c->group_size[0])
        fprintf(out, ",\"group_size\":[%u,%u,%u]", c->group_size[0], c->group_size[1], c->group_size[2]);
}

/* One that is as textures begin needs no words. */
static void put_sampler(FILE *out, const struct gp5_texture *t)
{
    const struct gp5_sampler *s = &t->sampler;
    struct gp5_texture plain;
    texture_begin(&plain, t->kind);
    if (!memcmp(&plain.sampler, s, sizeof *s))
        return;
    fprintf(out, "\"min\":\"%s\",\"mag\":\"%s\",\"wrap\":[\"%s\",\"%s\",\"%s\"],\"seamless\":%s,",
            texture_word(TEXTURE_FILTER, s->min_filter), texture_word(TEXTURE_FILTER, s->mag_filter),
            texture_word(TEXTURE_WRAP, s->wrap[0]), texture_word(TEXTURE_WRAP, s->wrap[1]),
            texture_word(TEXTURE_WRAP, s->wrap[2]), s->seamless ? "true" : "false");
    if (s->compare)
        fprintf(out, "\"compare\":\"%s\",", texture_word(TEXTURE_COMPARE, s->compare));
    fprintf(out, "\"min_lod\":%.9g,\"max_lod\":%.9g,\"bias\":%.9g,\"border\":{\"hex\":\"", s->min_lod, s->max_lod,
            s->bias);
    put_hex(out, s->border, sizeof s->border);
    fputs("\"},", out);
}

static void put_textures(FILE *out, const struct whole_case *c)
{
    if (!c->textures)
        return;
    fputs(",\"textures\":[", out);
    for (unsigned i = 0; i < c->textures; i++) {
        const struct gp5_texture *t = &c->texture[i];
        fprintf(out, "%s{\"unit\":%u,\"kind\":\"%s\",\"format\":\"%s\",\"size\":[%u,%u,%u],\"levels\":%u,",
                i ? "," : "", i, texture_word(TEXTURE_KIND, t->kind), texture_word(TEXTURE_FORMAT, t->format),
                t->size[0], t->size[1], t->size[2], t->levels);
        put_sampler(out, t);
        fprintf(out, "\"return\":%s,\"hex\":\"", i ? "true" : "false");
        put_hex(out, c->storage[WHOLE_BUFFERS + i], t->bytes);
        fputs("\"}", out);
    }
    fputs("],\"images\":[", out);
    for (unsigned i = 0; i < WHOLE_IMAGES; i++)
        fprintf(out, "%s{\"unit\":%u,\"texture\":%u,\"level\":%u,\"format\":\"%s\"}", i ? "," : "", c->image[i].unit,
                c->image[i].texture, c->image[i].level, texture_word(TEXTURE_FORMAT, c->image[i].format));
    fputs("]", out);
}

bool whole_put_case(FILE *out, const struct whole_case *c, uint64_t number, enum gp5_semantics semantics)
{
    json_t *text = json_stringn(c->program.bytes, c->program.size);
    char *quoted = text ? json_dumps(text, JSON_ENCODE_ANY | JSON_ENSURE_ASCII) : NULL;
    json_decref(text);
    if (!quoted)
        return false;
    fprintf(out,
            "{\"name\":\"%llu\",\"stage\":\"compute\",\"semantics\":\"%s\",\"program\":%s,\"groups\":[%u,%u,%u],"
            "\"storage\":[",
            (unsigned long long)number, semantics == GP5_SEMANTICS_SPEC ? "spec" : "nvidia", quoted, c->groups[0],
            c->groups[1], c->groups[2]);
    free(quoted);
    for (unsigned i = 0; i < whole_buffers(c); i++) {
        fprintf(out, "%s{\"binding\":%u,\"return\":%s,\"hex\":\"", i ? "," : "", i,
                i == WHOLE_INPUT ? "false" : "true");
        put_hex(out, c->storage[i], c->size[i]);
        fputs("\"}", out);
    }
    fputs("],\"constants\":[", out);
    for (unsigned i = 0; i < 2; i++) {
        fprintf(out, "%s{\"binding\":%u,\"hex\":\"", i ? "," : "", i);
        put_hex(out, c->constants, WHOLE_CONSTANTS);
        fputs("\"}", out);
    }
    fputs("],\"local\":[", out);
    for (unsigned i = 0; i < 4; i++) {
        fprintf(out, "%s{\"index\":%u,\"hex\":\"", i ? "," : "", i);
        put_hex(out, c->local[i], sizeof c->local[i]);
        fputs("\"}", out);
    }
    if (c->wider)
        put_wider(out, c);
    fputs("]", out);
    if (c->wider)
        put_launch(out, c);
    put_textures(out, c);
    fputs("}\n", out);
    return !ferror(out);
}

/* ---- the process ------------------------------------------------------------------------------------------------- */

static int spawn(pid_t *pid, const char *path, int in[2], int out[2])
{
    char *arguments[] = {(char *)(uintptr_t)path, NULL};
    posix_spawn_file_actions_t actions;
    int error = posix_spawn_file_actions_init(&actions);
    if (error)
        return error;
    error = posix_spawn_file_actions_adddup2(&actions, in[0], 0);
    error = error ? error : posix_spawn_file_actions_adddup2(&actions, out[1], 1);
    for (int i = 0; i < 2 && !error; i++) {
        error = posix_spawn_file_actions_addclose(&actions, in[i]);
        error = error ? error : posix_spawn_file_actions_addclose(&actions, out[i]);
    }
    error = error ? error : posix_spawn(pid, path, &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

struct whole_peer *whole_peer_start(const char *path)
{
    struct whole_peer *p = calloc(1, sizeof *p);
    int in[2], out[2], error;
    if (!p || pipe(in) != 0) {
        free(p);
        return NULL;
    }
    if (pipe(out) != 0) {
        close(in[0]);
        close(in[1]);
        free(p);
        return NULL;
    }
    signal(SIGPIPE, SIG_IGN);
    error = spawn(&p->pid, path, in, out);
    close(in[0]);
    close(out[1]);
    p->to = fdopen(in[1], "w");
    p->from = fdopen(out[0], "r");
    if (error || !p->to || !p->from) {
        if (!error)
            whole_peer_stop(p);
        else
            free(p);
        errno = error ? error : errno;
        return NULL;
    }
    return p;
}

void whole_peer_stop(struct whole_peer *p)
{
    if (!p)
        return;
    if (p->to)
        fclose(p->to);
    if (p->from)
        fclose(p->from);
    waitpid(p->pid, NULL, 0);
    free(p->line);
    free(p);
}

/* ---- answers ----------------------------------------------------------------------------------------------------- */

static int digit(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static bool take_hex(const json_t *v, uint8_t *to, size_t size)
{
    const char *hex = json_string_value(v);
    if (!hex || json_string_length(v) != 2 * size)
        return false;
    for (size_t i = 0; i < size; i++) {
        int high = digit(hex[2 * i]), low = digit(hex[2 * i + 1]);
        if (high < 0 || low < 0)
            return false;
        to[i] = (uint8_t)(high << 4 | low);
    }
    return true;
}

/* A byte stands for eight words, the lowest bit for the first. */
static bool take_open(const json_t *v, uint8_t *open, size_t words)
{
    size_t size = (words + 7) / 8;
    uint8_t *bits = calloc(size + 1, 1);
    bool ok = bits && take_hex(v, bits, size);
    for (size_t i = 0; ok && i < words; i++)
        open[i] = bits[i / 8] >> i % 8 & 1;
    free(bits);
    return ok;
}

/* Of storage buffers and of textures, which stand behind them in the answer. */
static bool take_buffers(const json_t *list, const char *name, unsigned first, unsigned end, const struct whole_case *c,
                         struct whole_answer *a)
{
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *b = json_array_get(list, i), *open = json_object_get(b, "undefined");
        json_int_t n = json_integer_value(json_object_get(b, name)) + first;
        if (n < first || n >= end || !take_hex(json_object_get(b, "hex"), a->data[n], c->size[n]))
            return false;
        if (open && !take_open(open, a->open[n], c->size[n] / 4))
            return false;
        a->tells_open |= open != NULL;
    }
    return true;
}

static bool take_answer(const json_t *o, const struct whole_case *c, struct whole_answer *a)
{
    const char *status = json_string_value(json_object_get(o, "status")),
               *why = json_string_value(json_object_get(o, "message"));
    if (!status)
        return false;
    snprintf(a->why, sizeof a->why, "%s: %s", status, why ? why : "");
    a->status = !strcmp(status, "ran") ? WHOLE_RAN : !strcmp(status, "rejected") ? WHOLE_REFUSED : WHOLE_FAILED;
    a->uses = (uint64_t)json_integer_value(json_object_get(o, "uses"));
    return a->status != WHOLE_RAN ||
           (take_buffers(json_object_get(o, "storage"), "binding", 0, WHOLE_BUFFERS, c, a) &&
            take_buffers(json_object_get(o, "textures"), "unit", WHOLE_BUFFERS, WHOLE_PLACES, c, a));
}

bool whole_peer_run(struct whole_peer *p, const struct whole_case *c, uint64_t number, enum gp5_semantics semantics,
                    struct whole_answer *a)
{
    json_t *o = NULL;
    bool ok;
    if (!whole_answer_new(c, a))
        return false;
    a->status = WHOLE_FAILED;
    ok = whole_put_case(p->to, c, number, semantics) && fflush(p->to) == 0 &&
         getline(&p->line, &p->capacity, p->from) > 0;
    o = ok ? json_loads(p->line, 0, NULL) : NULL;
    ok = o && take_answer(o, c, a);
    json_decref(o);
    return ok;
}
