/* Reading recordings. Nothing in the file is believed: sizes are checked before memory is taken, the check
 * sum covers every byte, and what is left over is an error. */
#include "compare/record/recording.h"

#include "compare/script/data.h"
#include "compare/script/number.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

struct reader {
    struct recording *r;
    const char *text;
    size_t size, at;
    size_t line;                /* number of the line that `word` splits */
    char *words[6];
    size_t count;
    const char *rest;           /* the line's text after its first word and blank */
    char *error;
};

#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
static bool wrong(struct reader *p, const char *format, ...)
{
    char text[512];
    va_list args;
    if (p->error)
        return false;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    size_t room = strlen(p->r->path) + strlen(text) + 32;
    p->error = gp5_malloc(room);
    if (p->error && p->line)
        snprintf(p->error, room, "%s:%zu: %s", p->r->path, p->line, text);
    else if (p->error)
        snprintf(p->error, room, "%s: %s", p->r->path, text);
    return false;
}

/* The next line, split at single blanks; false at the end of the file or on an error. */
static bool next_line(struct reader *p)
{
    const char *newline = p->at < p->size ? memchr(p->text + p->at, '\n', p->size - p->at) : NULL;
    p->count = 0;
    p->line++;
    if (!newline)
        return wrong(p, "the recording is cut short");
    char *line = arena_copy(&p->r->arena, p->text + p->at, (size_t)(newline - p->text) - p->at);
    if (!line)
        return wrong(p, "out of memory");
    if (strlen(line) != (size_t)(newline - p->text) - p->at)
        return wrong(p, "a NUL byte");
    p->at = (size_t)(newline - p->text) + 1;
    char *copy = arena_copy(&p->r->arena, line, strlen(line));
    if (!copy)
        return wrong(p, "out of memory");
    char *blank = strchr(line, ' ');
    p->rest = blank ? blank + 1 : "";
    for (char *word = copy; *copy && p->count < sizeof p->words / sizeof *p->words;) {
        char *end = strchr(word, ' ');
        p->words[p->count++] = word;
        if (!end)
            return true;
        *end = 0;
        word = end + 1;
    }
    return true;
}

static bool starts(const struct reader *p, const char *word)
{
    return p->count && !strcmp(p->words[0], word);
}

/* The text of a line KEY TEXT with its \xNN undone, or NULL. */
static const char *text_line(struct reader *p, const char *key)
{
    if (!next_line(p))
        return NULL;
    if (!starts(p, key)) {
        wrong(p, "expected '%s'", key);
        return NULL;
    }
    char *to = arena_alloc(&p->r->arena, strlen(p->rest) + 1), *start = to;
    if (!to) {
        wrong(p, "out of memory");
        return NULL;
    }
    for (const char *from = p->rest; *from; from++) {
        unsigned value;
        if (*from != '\\') {
            *to++ = *from;
        } else if (strspn(from + 2, "0123456789abcdef") >= 2 && from[1] == 'x' &&
                   sscanf(from + 2, "%2x", &value) == 1 && value) {
            *to++ = (char)value;
            from += 3;
        } else {
            wrong(p, "a backslash that is not \\xNN");
            return NULL;
        }
    }
    return start;
}

static bool hash_of(struct reader *p, const char *text, uint8_t digest[SHA256_BYTES])
{
    if (strlen(text) != 2 * SHA256_BYTES || strspn(text, "0123456789abcdef") != 2 * SHA256_BYTES)
        return wrong(p, "expected a hash of 64 digits");
    for (int i = 0; i < SHA256_BYTES; i++) {
        char byte[3] = { text[2 * i], text[2 * i + 1], 0 };
        unsigned value = 0;
        sscanf(byte, "%2x", &value);
        digest[i] = (uint8_t)value;
    }
    return true;
}

static bool hash_line(struct reader *p, const char *key, uint8_t digest[SHA256_BYTES])
{
    if (!next_line(p))
        return false;
    if (!starts(p, key) || p->count != 2)
        return wrong(p, "expected '%s' and a hash", key);
    return hash_of(p, p->words[1], digest);
}

static bool number_word(struct reader *p, size_t index, uint64_t limit, uint64_t *value)
{
    if (index < p->count && number_parse(NUMBER_U64, p->words[index], value) && p->words[index][0] >= '0' &&
        *value <= limit)
        return true;
    return wrong(p, "expected a number up to %" PRIu64, limit);
}

/* ---- outputs ------------------------------------------------------------------------------------------- */

static unsigned hex_digit(char c)
{
    return c <= '9' ? (unsigned)(c - '0') : (unsigned)(c - 'a' + 10);
}

/* `digits` hex digits to a number; false for anything else. */
static bool hex(const char *text, size_t digits, uint32_t *value)
{
    *value = 0;
    for (size_t i = 0; i < digits; i++) {
        if (!((text[i] >= '0' && text[i] <= '9') || (text[i] >= 'a' && text[i] <= 'f')))
            return false;
        *value = *value << 4 | hex_digit(text[i]);
    }
    return true;
}

/* Lines of `per_line` items of `bytes` bytes, each of them written with its most significant digit first. */
static bool data_lines(struct reader *p, struct recorded_output *o, size_t bytes, size_t per_line,
                       bool spaced)
{
    if (o->size > 2 * (p->size - p->at))
        return wrong(p, "the recording is cut short");
    o->data = arena_alloc(&p->r->arena, o->size + 1);
    if (!o->data)
        return wrong(p, "out of memory");
    size_t items = o->size / bytes, step = 2 * bytes + spaced;
    for (size_t i = 0; i < items;) {
        size_t here = items - i < per_line ? items - i : per_line, length = here * step - spaced;
        const char *line = p->text + p->at;
        p->line++;
        if (p->size - p->at < length + 1)
            return wrong(p, "the recording is cut short");
        for (size_t j = 0; j < here; j++, i++) {
            uint32_t value;
            bool ok = hex(line + j * step, 2 * bytes, &value);
            if (!ok || (spaced && j + 1 < here && line[j * step + 2 * bytes] != ' '))
                return wrong(p, "expected %zu numbers of %zu hex digits in this line", here, 2 * bytes);
            for (size_t k = 0; k < bytes; k++)
                o->data[i * bytes + k] = (uint8_t)(value >> 8 * k);
        }
        if (line[length] != '\n')
            return wrong(p, "this line is too long");
        p->at += length + 1;
    }
    return true;
}

static bool digest_lines(struct reader *p, struct recorded_output *o)
{
    uint64_t block;
    if (!number_word(p, p->count - 1, RECORDING_LIMIT, &block))
        return false;
    if (block < 4 || block % 4)
        return wrong(p, "a block is a multiple of 4 bytes");
    o->block = (size_t)block;
    size_t count = (o->size + o->block - 1) / o->block;
    if (count > (p->size - p->at) / (2 * SHA256_BYTES))
        return wrong(p, "the recording is cut short");
    o->digests = arena_alloc(&p->r->arena, count * SHA256_BYTES + 1);
    if (!o->digests)
        return wrong(p, "out of memory");
    for (size_t i = 0; i < count; i++)
        if (!next_line(p) || p->count != 1 || !hash_of(p, p->words[0], o->digests + i * SHA256_BYTES))
            return wrong(p, "expected a hash of 64 digits");
    return true;
}

/* The kind of output that a line begins with; OUTPUT_KINDS for none. */
static enum output_kind named_output(const struct reader *p)
{
    int kind = 0;
    while (kind < OUTPUT_KINDS && !starts(p, output_kind_name((enum output_kind)kind)))
        kind++;
    return (enum output_kind)kind;
}

static bool output_lines(struct reader *p, struct recorded_case *c)
{
    struct recorded_output o = { 0 };
    uint64_t value = 0;
    size_t at = 1;
    if (starts(p, "coverage")) {
        o.kind = OUTPUT_COVERAGE;
    } else {
        o.kind = named_output(p);
        if (!number_word(p, at++, UINT32_MAX, &value))
            return false;
        o.binding = (uint32_t)value;
    }
    const char *form = at < p->count ? p->words[at] : "";
    if (!number_word(p, at + 1, DATA_LIMIT, &value))
        return false;
    o.size = (size_t)value;
    bool digest = !strcmp(form, "digest"), ok = false;
    if (p->count != at + 2 + digest)
        return wrong(p, "too few or too many words");
    if (!strcmp(form, "words") && o.size % 4 == 0)
        ok = data_lines(p, &o, 4, 8, true);
    else if (!strcmp(form, "bytes") && (o.form = FORM_BYTES))
        ok = data_lines(p, &o, 1, 32, false);
    else if (!strcmp(form, "unchanged") && (o.form = FORM_UNCHANGED))
        ok = true;
    else if (digest && (o.form = FORM_DIGEST))
        ok = digest_lines(p, &o);
    else
        return wrong(p, "expected words, bytes, unchanged or digest");
    size_t index = ok ? vec_grow(&c->outputs) : 0;
    if (!ok || index == SIZE_MAX)
        return wrong(p, "out of memory");
    *(struct recorded_output *)vec_at(&c->outputs, index) = o;
    return true;
}

/* ---- cases --------------------------------------------------------------------------------------------- */

/* The case whose `case` line was read; leaves the blank line behind it read. */
static bool case_lines(struct reader *p, struct recorded_case *c)
{
    uint64_t value = 0;
    vec_init(&c->outputs, sizeof(struct recorded_output));
    c->name = p->rest;
    if (!hash_line(p, "program", c->program) || !hash_line(p, "input", c->input))
        return false;
    while (next_line(p) && p->count) {
        if (named_output(p) != OUTPUT_KINDS) {
            if (c->rejected || !output_lines(p, c))
                return wrong(p, "a rejected program has no results");
        } else if (starts(p, "rejected") && !c->rejected && !c->outputs.count) {
            c->rejected = true;
            if (!number_word(p, 1, INT32_MAX, &value) || p->count != 2)
                return wrong(p, "expected a position");
            c->position = (int64_t)value;
            c->message = text_line(p, "message");
        } else {
            return wrong(p, "expected storage, counter, texture, color, coverage or rejected");
        }
    }
    return !p->error;
}

static bool end_line(struct reader *p, size_t start)
{
    uint64_t cases = 0;
    uint8_t written[SHA256_BYTES], digest[SHA256_BYTES];
    if (p->count != 3 || !number_word(p, 1, UINT32_MAX, &cases) || !hash_of(p, p->words[2], written))
        return wrong(p, "expected 'end', the number of cases and a hash");
    if (cases != p->r->cases.count)
        return wrong(p, "the recording says that it has %" PRIu64 " cases, but %zu are here", cases,
                     p->r->cases.count);
    sha256_of(p->text, start + strlen("end ") + strlen(p->words[1]) + 1, digest);
    if (memcmp(written, digest, sizeof digest))
        return wrong(p, "the check sum is wrong: the recording was changed");
    if (p->at != p->size)
        return wrong(p, "something follows the end");
    return true;
}

static bool header_lines(struct reader *p)
{
    struct recording *r = p->r;
    if (!next_line(p) || p->count != 3 || strcmp(p->words[0], "gp5") || strcmp(p->words[1], "recording")) {
        gp5_free(p->error);
        p->error = NULL;
        return wrong(p, "not a gp5 recording");
    }
    if (strcmp(p->words[2], "1"))
        return wrong(p, "a recording of version %.20s; this gp5 reads version %d", p->words[2],
                     RECORDING_VERSION);
    return (r->vendor = text_line(p, "vendor")) && (r->renderer = text_line(p, "renderer")) &&
           (r->version = text_line(p, "version")) && (r->context = text_line(p, "context"));
}

char *recording_parse(struct recording *r, const char *path, const char *text, size_t size)
{
    struct reader p = { .r = r, .text = text, .size = size };
    memset(r, 0, sizeof *r);
    arena_init(&r->arena);
    vec_init(&r->cases, sizeof(struct recorded_case));
    r->path = arena_copy(&r->arena, path, strlen(path));
    if (!r->path)
        r->path = "recording";
    bool ok = header_lines(&p) && next_line(&p);
    if (ok && p.count)
        ok = wrong(&p, "expected an empty line");
    while (ok) {
        size_t start = p.at, index;
        ok = next_line(&p);
        if (ok && starts(&p, "end")) {
            ok = end_line(&p, start);
            break;
        }
        if (ok && !starts(&p, "case"))
            ok = wrong(&p, "expected 'case' or 'end'");
        if (ok && (index = vec_grow(&r->cases)) == SIZE_MAX)
            ok = wrong(&p, "out of memory");
        if (ok)
            ok = case_lines(&p, vec_at(&r->cases, index));
    }
    if (!ok && !p.error)
        wrong(&p, "out of memory");
    return p.error;
}

char *recording_load(struct recording *r, const char *path)
{
    const char *error = NULL;
    size_t size = 0;
    char *text = data_read_file(path, RECORDING_LIMIT, &size, &error);
    if (text) {
        char *trouble = recording_parse(r, path, text, size);
        gp5_free(text);
        return trouble;
    }
    struct reader p = { .r = r };
    memset(r, 0, sizeof *r);
    arena_init(&r->arena);
    vec_init(&r->cases, sizeof(struct recorded_case));
    r->path = path;
    wrong(&p, "%s", error);
    return p.error;
}

void recording_free(struct recording *r)
{
    for (size_t i = 0; i < r->cases.count; i++)
        vec_free(&((struct recorded_case *)vec_at(&r->cases, i))->outputs);
    vec_free(&r->cases);
    arena_free(&r->arena);
}

/* ---- replaying ----------------------------------------------------------------------------------------- */

static void refuse(const struct recording *r, const struct recorded_case *program,
                   const struct recorded_case *input, struct outcome *o)
{
    if (program)
        outcome_fail(o, OUTCOME_REFUSED, "%s has this program (as '%s'), but not with these inputs", r->path,
                     program->name);
    else if (input)
        outcome_fail(o, OUTCOME_REFUSED, "%s has these inputs (as '%s'), but not with this program", r->path,
                     input->name);
    else
        outcome_fail(o, OUTCOME_REFUSED, "%s has neither this program nor these inputs", r->path);
}

static void replay(const struct recorded_case *found, const struct driver_case *c, struct outcome *o)
{
    if (found->rejected) {
        outcome_fail(o, OUTCOME_REJECTED, "%s", found->message);
        o->position = found->position;
        return;
    }
    for (size_t i = 0; i < found->outputs.count; i++) {
        const struct recorded_output *from = vec_at(&found->outputs, i);
        const void *data = from->form == FORM_UNCHANGED ? case_input(c, from->kind, from->binding, from->size)
                                                        : from->data;
        struct output *to =
            outcome_add(o, from->kind, from->binding, data, from->form == FORM_DIGEST ? 0 : from->size);
        if (!to)
            return;
        to->size = from->size;
        if (from->form == FORM_DIGEST) {
            gp5_free(to->data);
            to->data = NULL;
            to->block = from->block;
            to->digests = from->digests;
        }
    }
}

void recording_run(const struct recording *r, const struct driver_case *c, struct outcome *o)
{
    uint8_t program[SHA256_BYTES], input[SHA256_BYTES];
    const struct recorded_case *same_program = NULL, *same_input = NULL;
    case_program_hash(c, program);
    case_input_hash(c, input);
    for (size_t i = 0; i < r->cases.count; i++) {
        const struct recorded_case *at = vec_at(&r->cases, i);
        bool is_program = !memcmp(at->program, program, sizeof program);
        bool is_input = !memcmp(at->input, input, sizeof input);
        if (is_program && is_input) {
            replay(at, c, o);
            return;
        }
        if (is_program)
            same_program = at;
        if (is_input)
            same_input = at;
    }
    refuse(r, same_program, same_input, o);
}
