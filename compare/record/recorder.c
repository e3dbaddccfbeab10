/* Writing recordings. */
#define _XOPEN_SOURCE 700      /* realpath */

#include "compare/record/recording.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { WORDS_A_LINE = 8, BYTES_A_LINE = 32 };

/* Every byte goes through here, for the check sum at the end. */
static void put(struct recorder *r, const char *bytes, size_t size)
{
    sha256_add(&r->hash, bytes, size);
    if (fwrite(bytes, 1, size, r->file) != size)
        r->failed = true;
}

#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
static void print(struct recorder *r, const char *format, ...)
{
    char line[256];
    va_list args;
    va_start(args, format);
    int size = vsnprintf(line, sizeof line, format, args);
    va_end(args);
    if (size < 0 || size >= (int)sizeof line)
        r->failed = true;
    else
        put(r, line, (size_t)size);
}

/* One line of text: control characters and backslashes as \xNN. */
static void put_text(struct recorder *r, const char *key, const char *text)
{
    put(r, key, strlen(key));
    put(r, " ", 1);
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c < 32 || c == 127 || c == '\\')
            print(r, "\\x%02x", c);
        else
            put(r, text, 1);
    }
    put(r, "\n", 1);
}

/* A link stays one: what it leads to is replaced. */
static bool make_paths(struct recorder *r, const char *path)
{
    char *real = realpath(path, NULL);
    const char *name = real ? real : path;
    size_t length = strlen(name);
    r->path = gp5_malloc(length + 1);
    r->temporary = gp5_malloc(length + 6);
    if (r->path && r->temporary) {
        strcpy(r->path, name);
        strcpy(r->temporary, name);
        strcpy(r->temporary + length, ".part");
    }
    free(real);
    return r->path && r->temporary;
}

/* What is no regular file (a device, a pipe) is written to, and never replaced. */
const char *recorder_open(struct recorder *r, const char *path, const struct driver_description *driver)
{
    struct stat old;
    bool in_place = stat(path, &old) == 0 && !S_ISREG(old.st_mode);
    memset(r, 0, sizeof *r);
    if (!in_place && !make_paths(r, path))
        return "out of memory";
    r->file = fopen(in_place ? path : r->temporary, "wb");
    if (!r->file)
        return strerror(errno);
    sha256_start(&r->hash);
    print(r, "gp5 recording %d\n", RECORDING_VERSION);
    put_text(r, "vendor", driver->vendor);
    put_text(r, "renderer", driver->renderer);
    put_text(r, "version", driver->version);
    put_text(r, "context", driver->context);
    return NULL;
}

static void put_words(struct recorder *r, const struct output *o)
{
    for (size_t i = 0; i < o->size / 4; i++) {
        const uint8_t *b = o->data + 4 * i;
        uint32_t word = b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
        bool last = i % WORDS_A_LINE == WORDS_A_LINE - 1 || i + 1 == o->size / 4;
        print(r, "%08" PRIx32 "%c", word, last ? '\n' : ' ');
    }
}

static void put_bytes(struct recorder *r, const struct output *o)
{
    for (size_t i = 0; i < o->size; i++)
        print(r, "%02x%s", o->data[i], i % BYTES_A_LINE == BYTES_A_LINE - 1 || i + 1 == o->size ? "\n" : "");
}

static void put_digests(struct recorder *r, const struct output *o, size_t block)
{
    uint8_t digest[SHA256_BYTES];
    char text[SHA256_TEXT];
    for (size_t at = 0; at < o->size; at += block) {
        sha256_of(o->data + at, o->size - at < block ? o->size - at : block, digest);
        print(r, "%s\n", sha256_print(digest, text));
    }
}

static bool is_unchanged(const struct driver_case *c, const struct output *o)
{
    const void *input = case_input(c, o->kind, o->binding, o->size);
    return input && (!o->size || !memcmp(input, o->data, o->size));
}

static void put_output(struct recorder *r, const struct driver_case *c, const struct output *o, size_t block)
{
    char what[64];
    snprintf(what, sizeof what, o->kind == OUTPUT_COVERAGE ? "%s" : "%s %" PRIu32, output_kind_name(o->kind),
             o->binding);
    if (is_unchanged(c, o)) {
        print(r, "%s unchanged %zu\n", what, o->size);
    } else if (block) {
        print(r, "%s digest %zu %zu\n", what, o->size, block);
        put_digests(r, o, block);
    } else if (o->size % 4 || o->kind == OUTPUT_COVERAGE) {
        print(r, "%s bytes %zu\n", what, o->size);
        put_bytes(r, o);
    } else {
        print(r, "%s words %zu\n", what, o->size);
        put_words(r, o);
    }
}

bool recorder_add(struct recorder *r, const char *name, const struct driver_case *c, const struct outcome *o,
                  size_t block)
{
    uint8_t digest[SHA256_BYTES];
    char text[SHA256_TEXT];
    if (o->status != OUTCOME_RAN && o->status != OUTCOME_REJECTED)
        return false;
    put(r, "\n", 1);
    put_text(r, "case", name);
    case_program_hash(c, digest);
    print(r, "program %s\n", sha256_print(digest, text));
    case_input_hash(c, digest);
    print(r, "input %s\n", sha256_print(digest, text));
    if (o->status == OUTCOME_REJECTED) {
        print(r, "rejected %" PRId64 "\n", o->position);
        put_text(r, "message", o->message ? o->message : "");
    } else {
        for (size_t i = 0; i < o->count; i++)
            put_output(r, c, &o->outputs[i], block);
    }
    r->cases++;
    return !r->failed;
}

const char *recorder_close(struct recorder *r, bool keep)
{
    const char *error = NULL;
    if (r->file) {
        uint8_t digest[SHA256_BYTES];
        char text[SHA256_TEXT];
        print(r, "\nend %zu ", r->cases);
        sha256_end(&r->hash, digest);
        fprintf(r->file, "%s\n", sha256_print(digest, text));
        if (fclose(r->file) || r->failed)
            error = "the recording could not be written";
        else if (keep && r->temporary && rename(r->temporary, r->path))
            error = strerror(errno);
        if (r->temporary && (error || !keep))
            remove(r->temporary);
    }
    gp5_free(r->path);
    gp5_free(r->temporary);
    memset(r, 0, sizeof *r);
    return error;
}
