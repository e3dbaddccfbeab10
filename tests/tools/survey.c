/* The survey: asking. */
#include "tests/tools/survey.h"
#include "compare/report/json_text.h"

#include <jansson.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { DEATHS = 4, LONGEST_MESSAGE = 600 };

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

bool survey_put(char *to, size_t size, const char *form, char mark, const char *with)
{
    size_t n = 0, extra = strlen(with);
    for (; *form; form++) {
        size_t step = *form == mark ? extra : 1;
        if (n + step >= size)
            return false;
        memcpy(to + n, *form == mark ? with : form, step);
        n += step;
    }
    to[n] = 0;
    return true;
}

static void put_line(struct survey *s, json_t *o)
{
    if (o && json_dumpf(o, s->out, JSON_COMPACT) == 0)
        fputc('\n', s->out);
    json_decref(o);
}

/* ---- what became of a case --------------------------------------------------------------------------------------- */

struct answer {
    enum driver_status status;
    long long position;
    char message[LONGEST_MESSAGE];
};

static bool take(void *user, size_t index, const struct driver_case *c, const struct driver_result *r)
{
    struct answer *a = user;
    (void)index;
    (void)c;
    a->status = r->status;
    a->position = r->position;
    snprintf(a->message, sizeof a->message, "%s%s", r->message, r->status == DRIVER_REJECTED ? "" : r->detail);
    return true;
}

static size_t group_of(const char *name)
{
    const char *slash = strchr(name, '/'), *second = slash ? strchr(slash + 1, '/') : NULL;
    return second ? (size_t)(second - name) : strlen(name);
}

/* Cases that kill the worker come in families; after a few of one the rest of it is left alone. */
static bool is_dead(struct survey *s, const char *name)
{
    size_t n = group_of(name);
    return s->deaths >= DEATHS && strncmp(s->dead_group, name, n) == 0 && s->dead_group[n] == 0;
}

static void note_death(struct survey *s, const char *name)
{
    int n = (int)group_of(name);
    char group[sizeof s->dead_group];
    snprintf(group, sizeof group, "%.*s", n, name);
    s->deaths = strcmp(group, s->dead_group) == 0 ? s->deaths + 1 : 1;
    memcpy(s->dead_group, group, sizeof group);
}

static void ask(struct survey *s, const char *text, size_t size, int preamble, const char *body, size_t body_size,
                const char *name)
{
    struct answer a = {.status = DRIVER_NOT_RUN, .position = -1};
    struct driver_case c = {.stage = s->profile->stage, .load_only = true, .program = text, .program_size = size};
    const char *status = "skipped";
    s->last = false;
    if (!is_dead(s, name) && now() < s->deadline) {
        if (!driver_run(s->driver, &c, 1, take, &a)) {
            fprintf(stderr, "survey: the driver can't go on\n");
            exit(2);
        }
        status = driver_status_name(a.status);
        s->asked++;
        s->last = a.status == DRIVER_RAN;
        s->accepted += s->last;
    } else {
        s->unanswered++;
    }
    s->last_position = a.position;
    snprintf(s->last_message, sizeof s->last_message, "%.255s", a.message);
    if (a.status == DRIVER_CRASHED || a.status == DRIVER_HUNG)
        note_death(s, name);
    put_line(s,
             json_pack("{s:s, s:i, s:o, s:s, s:I, s:o}", "n", name, "p", preamble, "b", cmp_json_bytes(body, body_size),
                       "s", status, "o", (json_int_t)a.position, "m", cmp_json_bytes(a.message, strlen(a.message))));
}

static int preamble_id(struct survey *s, const char *text)
{
    for (size_t i = s->preamble_count; i-- > 0;)
        if (strcmp(s->preambles[i], text) == 0)
            return (int)i;
    if (s->preamble_count == SURVEY_PREAMBLES)
        return -1;
    char *copy = strdup(text);
    if (!copy)
        return -1;
    s->preambles[s->preamble_count] = copy;
    put_line(s, json_pack("{s:i, s:s}", "preamble", (int)s->preamble_count, "text", text));
    return (int)s->preamble_count++;
}

bool survey_ask(struct survey *s, const char *preamble, const char *body, const char *name, ...)
{
    char label[256];
    va_list v;
    va_start(v, name);
    vsnprintf(label, sizeof label, name, v);
    va_end(v);
    int id = preamble_id(s, preamble);
    size_t a = strlen(preamble), b = strlen(body), c = strlen(s->profile->tail);
    char *text = malloc(a + b + c + 1);
    if (!text) {
        fprintf(stderr, "survey: no memory\n");
        exit(2);
    }
    memcpy(text, preamble, a);
    memcpy(text + a, body, b);
    memcpy(text + a + b, s->profile->tail, c + 1);
    if (id < 0)
        ask(s, text, a + b + c, -1, text, a + b + c, label);
    else
        ask(s, text, a + b + c, id, body, b, label);
    free(text);
    return s->last;
}

bool survey_ask_text(struct survey *s, const char *program, size_t size, const char *name)
{
    ask(s, program, size, -1, program, size, name);
    return s->last;
}

bool survey_ask_whole(struct survey *s, const char *program, const char *name, ...)
{
    char label[256];
    va_list v;
    va_start(v, name);
    vsnprintf(label, sizeof label, name, v);
    va_end(v);
    return survey_ask_text(s, program, strlen(program), label);
}

static bool ask_number(struct survey *s, const char *preamble, const char *form, long n, const char *name)
{
    char digits[32], body[SURVEY_TEXT];
    snprintf(digits, sizeof digits, "%ld", n);
    return survey_put(body, sizeof body, form, '@', digits) && survey_ask(s, preamble, body, "%s/%ld", name, n);
}

long survey_limit(struct survey *s, const char *preamble, const char *form, long least, long most, const char *name)
{
    if (ask_number(s, preamble, form, most, name))
        return most;
    if (!ask_number(s, preamble, form, least, name))
        return -1;
    long yes = least, no = most;
    while (no - yes > 1) {
        long middle = no - yes > 8 && yes < 8 ? yes * 2 + 2 : yes + (no - yes) / 2;
        if (middle >= no)
            middle = yes + (no - yes) / 2;
        if (ask_number(s, preamble, form, middle, name))
            yes = middle;
        else
            no = middle;
    }
    return yes;
}
