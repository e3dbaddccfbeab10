/* gp5 check: whether programs are valid, and where not. */
#include <getopt.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "asm/program.h"
#include "asm/text/unwrap.h"
#include "cli/batch.h"
#include "cli/fix.h"
#include "gp5.h"

int cli_check(int argc, char **argv);

static const char usage[] =
    "usage: gp5 check [--target=nvidia|mesa|spec|gp5] [--extract | --fix [-i]] [--json] [-j N] FILE...\n"
    "\n"
    "Says whether each program is valid, and for each error where it is and why it is one.\n"
    "Exit status: 0 all are valid, 1 one is not, 2 one could not be read.\n"
    "\n"
    "  --target=WHOSE    whose judgement: NVIDIA's driver (the default), Mesa's parser, the specifications, or gp5's "
    "own\n"
    "  --extract         the programs in each file: a vertex and a fragment program in one, a driver's link log, a\n"
    "                    program binary, string literals of C, a trace's dump, a log with a prefix on each line;\n"
    "                    positions are those in the file, and a file without a program is invalid\n"
    "  --fix             follow the hints that are safe: an option that is missing, a word that can only have been\n"
    "                    meant, // for #, a ; that a line lacks; writes the difference, as diff -u does, and judges\n"
    "                    what is left\n"
    "  -i, --in-place    with --fix: rewrite the files instead\n"
    "  --json            one JSON object a file and line, on standard output\n"
    CLI_BATCH_USAGE;

struct settings {
    enum gp5_target target;
    bool json, extract, fix, in_place;
};

/* A program and the file that it stands in; number counts them from 1 where they were extracted. */
struct found {
    const struct cli_io *io;
    const char *path;
    const struct cli_file *file;
    size_t offset, size;
    unsigned number;
    const struct unwrapped *unwrapped;      /* NULL: it stands for itself */
};

/* Where a byte of the program stands in the file. */
static size_t place_of(const struct found *found, size_t offset)
{
    return found->unwrapped ? found->unwrapped->place[offset] : found->offset + offset;
}

static size_t length_of(const struct found *found, size_t offset, size_t length)
{
    return length ? place_of(found, offset + length - 1) + 1 - place_of(found, offset) : 0;
}

static const unsigned target_bits[] = {
    [GP5_TARGET_NVIDIA] = FOR_NVIDIA, [GP5_TARGET_MESA] = FOR_MESA, [GP5_TARGET_SPEC] = FOR_SPEC,
    [GP5_TARGET_GP5] = FOR_GP5};

/* ---- JSON -------------------------------------------------------------------------------------------------------- */

struct list {
    json_t *array;
    const struct found *found;
    struct locator *locator;
};

static bool add_diagnostic(void *user, const struct gp5_diagnostic *d)
{
    static const char *const severities[] = {
        [GP5_ERROR] = "error", [GP5_WARNING] = "warning", [GP5_NOTE] = "note"};
    const struct list *list = user;
    size_t offset = place_of(list->found, d->offset), length = length_of(list->found, d->offset, d->length);
    struct place place = diag_locate_next(list->locator, (uint32_t)offset);
    json_t *one = json_pack("{s:s, s:I, s:I, s:i, s:i, s:s, s:s?}", "severity", severities[d->severity], "offset",
                            (json_int_t)offset, "length", (json_int_t)length, "line", (int)place.line, "column",
                            (int)place.column, "message", d->message, "hint", d->hint);
    return one && json_array_append_new(list->array, one) == 0;
}

/* The message of the error at the position: the first one that the target has. */
static bool find_first(void *user, const struct gp5_diagnostic *d)
{
    const char **message = user;
    if (d->severity == GP5_ERROR)
        *message = d->message;
    return *message == NULL;
}

static bool add_found(json_t *object, const struct found *found, const gp5_program *program)
{
    const struct profile_info *profile = &profile_table[program->profile];
    return found->number == 0 ||
           (json_object_set_new(object, "program", json_integer(found->number)) == 0 &&
            json_object_set_new(object, "offset", json_integer((json_int_t)found->offset)) == 0 &&
            json_object_set_new(object, "length",
                                json_integer((json_int_t)(place_of(found, found->size) - found->offset))) == 0 &&
            json_object_set_new(object, "stage", profile->stage ? json_string(profile->stage) : json_null()) == 0);
}

static bool put_json(const struct found *found, const gp5_program *program, enum gp5_target target)
{
    struct locator locator = {.text = found->file->bytes, .size = found->file->size};
    int64_t position = gp5_error_position(program, target);
    struct place place = {0, 0};
    const char *message = NULL;
    if (position >= 0) {
        position = (int64_t)place_of(found, (size_t)position);
        place = diag_locate_next(&locator, (uint32_t)position);
        gp5_diagnostics(program, target, find_first, &message);
    }
    struct list list = {json_array(), found, &locator};
    if (list.array)
        gp5_diagnostics(program, target, add_diagnostic, &list);
    json_t *object = json_pack("{s:o, s:b, s:I, s:i, s:i, s:s?, s:o}", "file", cli_json_name(found->path), "valid",
                               position < 0, "position", (json_int_t)position, "line", (int)place.line, "column",
                               (int)place.column, "message", message, "diagnostics", list.array);
    char *text = object && add_found(object, found, program) ? json_dumps(object, JSON_COMPACT) : NULL;
    json_decref(object);
    if (!text)
        return false;
    fprintf(found->io->out, "%s\n", text);
    free(text);
    return true;
}

/* ---- the command ------------------------------------------------------------------------------------------------- */

/* The diagnostics with the places that they have in the file. */
static void put_text(const struct found *found, gp5_program *program, enum gp5_target target)
{
    for (size_t i = 0; i < program->diags.count; i++) {
        struct diag *d = &program->diags.list[i];
        struct span span = d->span;
        d->span.offset = (uint32_t)place_of(found, span.offset);
        d->span.length = (uint32_t)length_of(found, span.offset, span.length);
        d->position = (uint32_t)place_of(found, d->position);
    }
    diags_print(found->io->err, found->io->colour[1], found->path, found->file->bytes, found->file->size,
                &program->diags, target_bits[target]);
}

/* Of what is left is told as of a file with the fixes in it. */
static int fix_file(const struct cli_io *io, const char *path, const struct cli_file *file,
                    const struct settings *settings)
{
    struct fixed f;
    unsigned targets = target_bits[settings->target];
    if (!fix_program(file->bytes, file->size, targets, &f))
        return cli_error_on(io, path, "no memory");
    int status = gp5_valid(f.program, settings->target) ? CLI_YES : CLI_NO;
    if (!settings->in_place && !fix_print(io->out, path, file->bytes, file->size, &f))
        status = cli_error_on(io, path, "no memory");
    else if (settings->in_place && f.count)
        status = cli_worst(status, cli_rewrite(io, path, f.program->text, f.program->size));
    diags_print(io->err, io->colour[1], path, f.program->text, f.program->size, &f.program->diags, targets);
    gp5_program_free(f.program);
    return status;
}

static int check_program(const struct found *found, const struct settings *settings)
{
    const char *text = found->unwrapped ? found->unwrapped->text : found->file->bytes + found->offset;
    gp5_program *program = gp5_parse(text, found->size);
    if (!program)
        return cli_error_on(found->io, found->path, "no memory");
    int status = gp5_valid(program, settings->target) ? CLI_YES : CLI_NO;
    bool way_out = status == CLI_NO && settings->target == GP5_TARGET_MESA && gp5_valid(program, GP5_TARGET_NVIDIA) &&
                   !profile_table[program->profile].typed && !profile_in(program->profile, AVP | AFP);
    if (!settings->json)
        put_text(found, program, settings->target);
    else if (!put_json(found, program, settings->target))
        status = cli_error_on(found->io, found->path, "no memory");
    if (way_out && !settings->json)
        cli_way_out(found->io->err, found->path, program);
    gp5_program_free(program);
    return status;
}

/* A file without any program is answered for as a whole: it is none. */
static int check_inside(struct found *found, const struct settings *settings)
{
    int status = CLI_YES;
    while (gp5_find_program(found->file->bytes, found->file->size, &found->offset, &found->size)) {
        struct unwrapped u;
        size_t end = found->offset + found->size;
        found->number++;
        if (asm_unwrap(found->file->bytes, found->file->size, found->offset, &u)) {
            if (!u.text)
                return cli_error_on(found->io, found->path, "no memory");
            found->unwrapped = &u;
            found->size = u.size;
            end = u.place[u.size];
        }
        status = cli_worst(status, check_program(found, settings));
        if (found->unwrapped)
            asm_unwrap_free(&u);
        found->unwrapped = NULL;
        found->offset = end;
    }
    if (found->number)
        return status;
    *found = (struct found){.io = found->io, .path = found->path, .file = found->file, .size = found->file->size};
    return check_program(found, settings);
}

static int check_file(void *user, struct cli_task *task)
{
    const struct settings *settings = user;
    struct cli_file file;
    if (!cli_read_on(&task->io, task->path, &file))
        return CLI_TROUBLE;
    struct found found = {.io = &task->io, .path = task->path, .file = &file, .size = file.size};
    int status;
    if (settings->fix) {
        status = fix_file(&task->io, task->path, &file, settings);
    } else if (settings->extract) {
        found.size = 0;
        status = check_inside(&found, settings);
    } else {
        status = check_program(&found, settings);
    }
    cli_close(&file);
    return status;
}

bool cli_target(const char *word, enum gp5_target *target)
{
    static const char *const words[] = {
        [GP5_TARGET_NVIDIA] = "nvidia", [GP5_TARGET_MESA] = "mesa", [GP5_TARGET_SPEC] = "spec",
        [GP5_TARGET_GP5] = "gp5"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(words[i], word) == 0) {
            *target = (enum gp5_target)i;
            return true;
        }
    return false;
}

static int take_option(void *user, int c, const char *word)
{
    struct settings *settings = user;
    switch (c) {
    case 'J': settings->json = true; return CLI_YES;
    case 'x': settings->extract = true; return CLI_YES;
    case 'f': settings->fix = true; return CLI_YES;
    case 'i': settings->in_place = true; return CLI_YES;
    case 't':
        return cli_target(word, &settings->target)
                   ? CLI_YES : cli_usage_error("check", usage, "there is no target '%s'", word);
    default: return CLI_GO_ON;
    }
}

int cli_check(int argc, char **argv)
{
    static const struct option options[] = {
        {"target", required_argument, NULL, 't'}, {"json", no_argument, NULL, 'J'}, {"extract", no_argument, NULL, 'x'},
        {"fix", no_argument, NULL, 'f'}, {"in-place", no_argument, NULL, 'i'},
        CLI_BATCH_OPTIONS, {"help", no_argument, NULL, 'h'}, {NULL, 0, NULL, 0}};
    struct settings settings = {.target = GP5_TARGET_NVIDIA};
    struct cli_batch batch = {.command = "check", .usage = usage};
    int status = cli_batch_options(&batch, argc, argv, ":ij:", options, take_option, &settings);
    if (status != CLI_GO_ON)
        return status;
    if (settings.in_place && !settings.fix)
        return cli_usage_error("check", usage, "-i is for --fix");
    if (settings.fix && (settings.extract || settings.json))
        return cli_usage_error("check", usage, "--fix goes with neither --extract nor --json");
    return cli_batch_all(&batch, argv + optind, settings.in_place,
                         &(struct cli_work){.work = check_file, .user = &settings});
}
