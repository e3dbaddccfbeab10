/* Generated programs judged. */
#include "compare/fuzz/judge.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "asm/text/print.h"
#include "compare/report/json_text.h"

enum { LONGEST_MESSAGE = 512 };

void fuzz_judge_begin(struct fuzz_judge *j, struct driver *driver, FILE *out)
{
    *j = (struct fuzz_judge){.driver = driver, .target = GP5_TARGET_NVIDIA, .positions = true, .out = out};
    const char *vendor = driver ? driver_describe(driver)->vendor : NULL;
    if (vendor && strncmp(vendor, "NVIDIA", 6) != 0) {
        j->target = GP5_TARGET_MESA;
        j->positions = false;   /* those of Mesa count another way, and name the end of the word */
    }
}

/* ---- gp5's own --------------------------------------------------------------------------------------------------- */

bool fuzz_round_trip(const gp5_program *program)
{
    size_t size = 0, again_size = 0;
    char *text = gp5_format(program, &size), *again = NULL;
    gp5_program *second = text ? gp5_parse(text, size) : NULL;
    bool same = second && gp5_valid(second, GP5_TARGET_NVIDIA) && asm_program_equal(program, second);
    if (same)
        again = gp5_format(second, &again_size);
    same = same && again && again_size == size && memcmp(text, again, size) == 0;
    gp5_text_free(again);
    gp5_program_free(second);
    gp5_text_free(text);
    return same;
}

static bool first_error(void *user, const struct gp5_diagnostic *d)
{
    char *message = user;
    if (d->severity != GP5_ERROR)
        return true;
    snprintf(message, LONGEST_MESSAGE, "%s", d->message);
    return false;
}

/* ---- lines ------------------------------------------------------------------------------------------------------- */

static json_t *json_hex(const char *s, size_t n)
{
    char *hex = malloc(2 * n + 1);
    if (!hex)
        return NULL;
    for (size_t i = 0; i < n; i++) {
        hex[2 * i] = "0123456789abcdef"[(unsigned char)s[i] >> 4];
        hex[2 * i + 1] = "0123456789abcdef"[(unsigned char)s[i] & 15];
    }
    json_t *v = json_stringn(hex, 2 * n);
    free(hex);
    return v;
}

static bool put_line(FILE *out, json_t *o)
{
    bool written = o && json_dumpf(o, out, JSON_COMPACT) == 0 && fputc('\n', out) != EOF;
    json_decref(o);
    return written;
}

static bool tell(struct fuzz_judge *j, json_t *o)
{
    if (j->telling)
        j->telling(j->user);
    return put_line(j->out, o);
}

static void name_of(char *name, size_t size, uint64_t number, const struct fuzz_about *about)
{
    snprintf(name, size, "%llu/%s/%s", (unsigned long long)number, fuzz_profile_name(about->profile),
             *about->what ? about->what : "-");
}

bool fuzz_put_case(FILE *out, uint64_t number, const struct fuzz_text *text, const struct fuzz_about *about)
{
    char name[FUZZ_WHAT + 48];
    name_of(name, sizeof name, number, about);
    json_t *program = json_stringn(text->bytes, text->size), *hex = program ? NULL : json_hex(text->bytes, text->size);
    return put_line(out, json_pack("{s:s, s:s, s:b, s:o}", "name", name, "stage", fuzz_profile_stage(about->profile),
                                   "load_only", 1, program ? "program" : "hex", program ? program : hex));
}

/* ---- a driver ---------------------------------------------------------------------------------------------------- */

struct answer {
    enum driver_status status;
    int64_t position;
    char message[LONGEST_MESSAGE];
};

static bool take(void *user, size_t index, const struct driver_case *c, const struct driver_result *r)
{
    struct answer *a = user;
    (void)index;
    (void)c;
    a->status = r->status;
    a->position = r->position;
    snprintf(a->message, sizeof a->message, "%s", r->status == DRIVER_REJECTED ? r->message : r->detail);
    return true;
}

static enum driver_stage stage_named(const char *name)
{
    int i = 0;
    while (i + 1 < DRIVER_STAGES && strcmp(driver_stage_name((enum driver_stage)i), name) != 0)
        i++;
    return (enum driver_stage)i;
}

static bool put_difference(struct fuzz_judge *j, uint64_t number, const struct fuzz_text *text,
                           const struct fuzz_about *about, const struct answer *a, const gp5_program *program)
{
    char name[FUZZ_WHAT + 48], message[LONGEST_MESSAGE] = "";
    int64_t position = gp5_error_position(program, j->target);
    bool valid = gp5_valid(program, j->target), loads = a->status == DRIVER_RAN;
    name_of(name, sizeof name, number, about);
    gp5_diagnostics(program, j->target, first_error, message);
    const char *kind = a->status != DRIVER_RAN && a->status != DRIVER_REJECTED ? driver_status_name(a->status)
                       : valid == loads                                       ? "position"
                                                                               : "verdict";
    return tell(j, json_pack("{s:s, s:s, s:b, s:I, s:o, s:b, s:I, s:s, s:o}", "name", name, "difference", kind,
                             "driver_accepts", loads, "driver_position", (json_int_t)a->position, "driver_message",
                             cmp_json_bytes(a->message, strlen(a->message)), "gp5_accepts", valid, "gp5_position",
                             (json_int_t)position, "gp5_message", message, "program",
                             cmp_json_bytes(text->bytes, text->size)));
}

static bool compare(struct fuzz_judge *j, uint64_t number, const struct fuzz_text *text, const struct fuzz_about *about,
                    const gp5_program *program)
{
    struct answer a = {.status = DRIVER_NOT_RUN, .position = -1};
    struct driver_case c = {.stage = stage_named(fuzz_profile_stage(about->profile)), .load_only = true,
                            .program = text->bytes, .program_size = text->size};
    struct fuzz_tally *t = &j->tally;
    if (!driver_run(j->driver, &c, 1, take, &a))
        return false;
    if (a.status != DRIVER_RAN && a.status != DRIVER_REJECTED) {
        bool died = a.status == DRIVER_CRASHED || a.status == DRIVER_HUNG;
        t->unanswered++;
        t->deaths += died;
        return !died || put_difference(j, number, text, about, &a, program);
    }
    bool valid = gp5_valid(program, j->target), loads = a.status == DRIVER_RAN, same = valid == loads;
    bool placed = !j->positions || gp5_error_position(program, j->target) == a.position;
    t->programs++;
    t->verdicts += same;
    t->rejected += same && !loads;
    t->positions += same && !loads && placed;
    return (same && (loads || placed)) || put_difference(j, number, text, about, &a, program);
}

bool fuzz_judge(struct fuzz_judge *j, uint64_t number, const struct fuzz_text *text, const struct fuzz_about *about)
{
    gp5_program *program = gp5_parse(text->bytes, text->size);
    bool fine = program != NULL;
    if (fine && gp5_valid(program, GP5_TARGET_NVIDIA)) {
        j->tally.valid++;
        if (!fuzz_round_trip(program)) {
            char name[FUZZ_WHAT + 48];
            name_of(name, sizeof name, number, about);
            j->tally.misprinted++;
            fine = tell(j, json_pack("{s:s, s:s, s:o}", "name", name, "difference", "printed form", "program",
                                     cmp_json_bytes(text->bytes, text->size)));
        }
    }
    if (fine && j->driver)
        fine = compare(j, number, text, about, program);
    gp5_program_free(program);
    return fine;
}
