#include "compare/fuzz/whole_record.h"

#include <stdlib.h>
#include <string.h>

#include "compare/driver/sha256.h"

struct entry {
    uint64_t number;
    char hash[WHOLE_HASH];
    const char *words[WHOLE_PLACES - 1];    /* hex digits in the text, or NULL */
    size_t digits[WHOLE_PLACES - 1];
};

struct whole_recording {
    struct entry *entries;
    size_t count;
    char *text;
};

static void hash_of(const struct whole_case *c, const struct whole_answer *gp5, const struct whole_answer *from,
                    char hex[WHOLE_HASH])
{
    static const uint8_t zeros[4];
    struct sha256 sum;
    uint8_t digest[SHA256_BYTES];
    char all[SHA256_TEXT];
    sha256_start(&sum);
    sha256_add(&sum, c->program.bytes, c->program.size);
    for (unsigned i = 1; i < WHOLE_PLACES; i++)
        for (size_t w = 0; w < c->size[i] / 4; w++)
            sha256_add(&sum, gp5->open[i][w] ? zeros : from->data[i] + w * 4, 4);
    sha256_end(&sum, digest);
    memcpy(hex, sha256_print(digest, all), WHOLE_HASH - 1);
    hex[WHOLE_HASH - 1] = 0;
}

bool whole_record(FILE *to, const struct whole_case *c, uint64_t number, enum whole_verdict verdict,
                  const struct whole_answer *gp5, const struct whole_answer *driver)
{
    char hash[WHOLE_HASH];
    if (gp5->status != WHOLE_RAN || driver->status != WHOLE_RAN)
        return true;
    hash_of(c, gp5, driver, hash);
    fprintf(to, "%llu %s", (unsigned long long)number, verdict == WHOLE_DECIDED_BY_UNDEFINED ? "-" : hash);
    for (unsigned i = 1; verdict == WHOLE_DIFFERENT && i < WHOLE_PLACES; i++) {
        if (!c->size[i])
            continue;
        putc(' ', to);
        for (size_t at = 0; at < c->size[i]; at++) {
            putc("0123456789abcdef"[driver->data[i][at] >> 4], to);
            putc("0123456789abcdef"[driver->data[i][at] & 15], to);
        }
    }
    return fputc('\n', to) != EOF && fflush(to) == 0;
}

/* ---- reading ----------------------------------------------------------------------------------------------------- */

static bool is_hex(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
}

static size_t hex_run(const char *at)
{
    size_t n = 0;
    while (is_hex(at[n]))
        n++;
    return n;
}

/* "NUMBER HASH [WORDS WORDS]" or "NUMBER -"; false where the line is none. */
static bool read_line(const char *at, struct entry *e)
{
    char *end;
    *e = (struct entry){0};
    if (*at < '0' || *at > '9')
        return false;
    e->number = strtoull(at, &end, 10);
    if (end[0] == ' ' && end[1] == '-')
        return true;
    size_t digits = end[0] == ' ' ? hex_run(end + 1) : 0;
    if (digits < WHOLE_LEAST_HASH || digits >= WHOLE_HASH)
        return false;
    memcpy(e->hash, end + 1, digits);
    at = end + 1 + digits;
    for (unsigned i = 0; i < WHOLE_PLACES - 1 && at[0] == ' ' && is_hex(at[1]); i++) {
        e->words[i] = at + 1;
        e->digits[i] = hex_run(at + 1);
        at += 1 + e->digits[i];
    }
    return true;
}

struct whole_recording *whole_recording_read(const char *text, size_t size)
{
    struct whole_recording *r = calloc(1, sizeof *r);
    size_t lines = 1;
    for (size_t i = 0; i < size; i++)
        lines += text[i] == '\n';
    if (r) {
        r->text = malloc(size + 1);
        r->entries = calloc(lines, sizeof *r->entries);
    }
    if (!r || !r->text || !r->entries) {
        whole_recording_free(r);
        return NULL;
    }
    memcpy(r->text, text, size);
    r->text[size] = 0;
    for (const char *at = r->text; at && *at; at = strchr(at, '\n')) {
        at += *at == '\n';
        r->count += read_line(at, &r->entries[r->count]);
    }
    return r;
}

void whole_recording_free(struct whole_recording *r)
{
    if (r) {
        free(r->text);
        free(r->entries);
    }
    free(r);
}

/* ---- judging ----------------------------------------------------------------------------------------------------- */

/* They stand in order, as a rule. */
static const struct entry *find(const struct whole_recording *r, uint64_t number)
{
    for (size_t i = 0; i < r->count; i++)
        if (r->entries[i].number == number)
            return &r->entries[i];
    return NULL;
}

bool whole_recording_has(const struct whole_recording *r, uint64_t number)
{
    return find(r, number) != NULL;
}

bool whole_record_again(FILE *to, const struct whole_recording *r, const struct whole_case *c, uint64_t number,
                        enum whole_verdict verdict, const struct whole_answer *gp5)
{
    const struct entry *e = find(r, number);
    char hash[WHOLE_HASH];
    if (!e || verdict == WHOLE_NOT_EVALUATED)
        return true;
    hash_of(c, gp5, gp5, hash);
    hash[strlen(e->hash)] = 0;
    fprintf(to, "%llu %s%s\n", (unsigned long long)number,
            verdict == WHOLE_DECIDED_BY_UNDEFINED ? "-"
            : verdict == WHOLE_SAME               ? hash
                                                  : e->hash,
            verdict == WHOLE_DIFFERENT ? " unlike" : "");
    return fflush(to) == 0;
}

static int digit(char c)
{
    return c <= '9' ? c - '0' : c - 'a' + 10;
}

static bool words_of(const struct entry *e, const struct whole_case *c, struct whole_answer *a)
{
    if (!whole_answer_new(c, a))
        return false;
    for (unsigned i = 1; i < WHOLE_PLACES; i++)
        for (size_t at = 0; e->digits[i - 1] == 2 * c->size[i] && at < c->size[i]; at++)
            a->data[i][at] = (uint8_t)(digit(e->words[i - 1][2 * at]) << 4 | digit(e->words[i - 1][2 * at + 1]));
    return true;
}

bool whole_recording_compare(const struct whole_recording *r, const struct whole_case *c, uint64_t number,
                             const struct whole_answer *gp5, enum whole_verdict *verdict, char why[WHOLE_WHY])
{
    const struct entry *e = find(r, number);
    struct whole_answer a = {.status = WHOLE_RAN};
    char hash[WHOLE_HASH];
    bool ok = true;
    if (!e || gp5->status != WHOLE_RAN) {
        *verdict = WHOLE_NOT_EVALUATED;
        snprintf(why, WHOLE_WHY, "%.200s", e ? gp5->why : "not in the recording");
        return true;
    }
    *verdict = !e->hash[0] || gp5->uses ? WHOLE_DECIDED_BY_UNDEFINED : WHOLE_SAME;
    if (*verdict == WHOLE_DECIDED_BY_UNDEFINED)
        return true;
    hash_of(c, gp5, gp5, hash);
    if (!strncmp(hash, e->hash, strlen(e->hash)))
        return true;
    ok = words_of(e, c, &a);
    if (ok && e->words[0])
        *verdict = whole_compare(c, gp5, &a, why);
    if (ok && *verdict == WHOLE_SAME && !e->words[0]) {
        *verdict = WHOLE_DIFFERENT;
        snprintf(why, WHOLE_WHY, "not what was recorded");
    }
    whole_answer_free(&a);
    return ok;
}
