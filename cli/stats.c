/* gp5 stats: what programs consist of. */
#include <getopt.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "asm/diag.h"
#include "asm/stats.h"
#include "cli/batch.h"
#include "gp5.h"

int cli_stats(int argc, char **argv);

static const char usage[] =
    "usage: gp5 stats [--json] [--opcodes] [-j N] FILE...\n"
    "       gp5 stats --diff [--json] [--opcodes] BEFORE AFTER\n"
    "\n"
    "Counts instructions by class, registers, accesses to textures and memory, and nesting, as they stand in the\n"
    "text. One file gives all that it has; several give a line each.\n"
    "Exit status: 0, 1 a program is invalid, 2 a file could not be read.\n"
    "\n"
    "  --diff            two files side by side, and what changed\n"
    "  --opcodes         how often each opcode is used as well\n"
    "  --json            one JSON object a file and line; with --diff one object in all\n"
    CLI_BATCH_USAGE;

struct settings {
    bool json, diff, opcodes;
};

struct counted {
    const char *path;
    int status;                 /* CLI_YES, or why there are no numbers */
    enum gp5_profile profile;
    struct stats stats;
    struct place live;          /* where the most components are alive */
};

static void count_file(const struct cli_io *io, const char *path, struct counted *c)
{
    struct cli_file file;
    *c = (struct counted){.path = path, .status = CLI_TROUBLE};
    if (!cli_read_on(io, path, &file))
        return;
    gp5_program *program = gp5_parse(file.bytes, file.size);
    cli_close(&file);
    bool valid = false;
    for (int t = GP5_TARGET_NVIDIA; program && t <= GP5_TARGET_GP5; t++)
        valid |= gp5_valid(program, (enum gp5_target)t);
    if (program && !valid) {
        diags_print(io->err, io->colour[1], path, program->text, program->size, &program->diags, FOR_GP5);
        c->status = CLI_NO;
    } else if (!program || !asm_stats(program, &c->stats)) {
        cli_error_on(io, path, "no memory");
    } else {
        c->status = CLI_YES;
        c->profile = program->profile;
        if (c->stats.live_at < program->insns.count)
            c->live = diag_locate(program->text, program->size, program_insn(program, c->stats.live_at)->span.offset);
    }
    gp5_program_free(program);
}

/* ---- for people -------------------------------------------------------------------------------------------------- */

static void put_value(uint64_t value, int width)
{
    if (value == NOT_COUNTED)
        printf("%*s", width, "?");
    else
        printf("%*" PRIu64, width, value);
}

/* The first metric of each group leads it; where it is a sum of the others those stand under it. */
static void put_one(const struct counted *c, bool opcodes)
{
    const char *group = NULL;
    diag_put_name(stdout, c->path);
    printf(": %s program, %s\n", profile_table[c->profile].stage, profile_table[c->profile].header);
    for (int i = 0; i < METRIC_COUNT; i++) {
        if (c->stats.value[i] == 0)
            continue;
        if (!group || strcmp(group, metric_table[i].group) != 0)
            printf("  %s\n", group = metric_table[i].group);
        put_value(c->stats.value[i], 10);
        printf("  %s", metric_table[i].text);
        if (i == METRIC_LIVE && c->stats.value[i] != NOT_COUNTED)
            printf(", in line %u", c->live.line);
        putchar('\n');
    }
    if (opcodes)
        puts("  opcodes");
    for (int op = 0; op < OP_COUNT && opcodes; op++)
        if (c->stats.ops[op])
            printf("%10u  %s\n", c->stats.ops[op], op_table[op].name);
}

static const struct column {
    const char *head;
    enum metric metric;
} columns[] = {
    {"instr", METRIC_INSTRUCTIONS}, {"arith", METRIC_ARITHMETIC}, {"func", METRIC_FUNCTIONS}, {"tex", METRIC_TEXTURES},
    {"image", METRIC_IMAGES}, {"memory", METRIC_MEMORY}, {"warp", METRIC_WARP}, {"flow", METRIC_FLOW},
    {"temps", METRIC_TEMPORARIES_USED}, {"live", METRIC_LIVE}, {"nesting", METRIC_NESTING},
};
enum { COLUMNS = sizeof columns / sizeof *columns, WIDTH = 8 };

static void put_heads(void)
{
    for (int i = 0; i < COLUMNS; i++)
        printf("%*s", WIDTH, columns[i].head);
    puts("  file");
}

static void put_row(const struct counted *c)
{
    for (int i = 0; i < COLUMNS; i++)
        put_value(c->stats.value[columns[i].metric], WIDTH);
    fputs("  ", stdout);
    diag_put_name(stdout, c->path);
    putchar('\n');
}

static void put_change(uint64_t before, uint64_t after)
{
    put_value(before, 10);
    put_value(after, 10);
    if (before == NOT_COUNTED || after == NOT_COUNTED || before == after)
        printf("%10s", "");
    else
        printf("%+10" PRId64, (int64_t)(after - before));
}

static void put_diff(const struct counted *before, const struct counted *after, bool opcodes)
{
    const char *group = NULL;
    printf("%10s%10s%10s\n", "before", "after", "change");
    for (int i = 0; i < METRIC_COUNT; i++) {
        uint64_t a = before->stats.value[i], b = after->stats.value[i];
        if (a == 0 && b == 0)
            continue;
        if (!group || strcmp(group, metric_table[i].group) != 0)
            printf("  %s\n", group = metric_table[i].group);
        put_change(a, b);
        printf("  %s\n", metric_table[i].text);
    }
    if (opcodes)
        puts("  opcodes");
    for (int op = 0; op < OP_COUNT && opcodes; op++) {
        if (!before->stats.ops[op] && !after->stats.ops[op])
            continue;
        put_change(before->stats.ops[op], after->stats.ops[op]);
        printf("  %s\n", op_table[op].name);
    }
}

/* ---- for machines ------------------------------------------------------------------------------------------------ */

static json_t *number(uint64_t value)
{
    return value == NOT_COUNTED ? json_null() : json_integer((json_int_t)value);
}

static json_t *difference(uint64_t before, uint64_t after)
{
    return before == NOT_COUNTED || after == NOT_COUNTED ? json_null() : json_integer((json_int_t)(after - before));
}

/* The groups with their metrics: values, or (with `from`) what changed since. */
static bool add_groups(json_t *object, const struct stats *s, const struct stats *from, bool opcodes)
{
    json_t *group = NULL;
    bool good = true;
    for (int i = 0; i < METRIC_COUNT; i++) {
        const struct metric_info *m = &metric_table[i];
        if (!group || !json_object_get(object, m->group))
            good &= json_object_set_new(object, m->group, group = json_object()) == 0;
        json_t *value = from ? difference(from->value[i], s->value[i]) : number(s->value[i]);
        good &= json_object_set_new(group, m->key, value) == 0;
    }
    json_t *list = opcodes ? json_object() : NULL;
    for (int op = 0; op < OP_COUNT && list; op++) {
        int64_t n = (int64_t)s->ops[op] - (from ? (int64_t)from->ops[op] : 0);
        if (s->ops[op] || (from && from->ops[op]))
            good &= json_object_set_new(list, op_table[op].name, json_integer(n)) == 0;
    }
    return good && (!opcodes || json_object_set_new(object, "opcodes", list) == 0);
}

static json_t *object_of(const struct counted *c, bool opcodes)
{
    json_t *object = json_pack("{s:o, s:b}", "file", cli_json_name(c->path), "valid", c->status == CLI_YES);
    bool good = object != NULL;
    if (good && c->status == CLI_YES) {
        good = json_object_set_new(object, "profile", json_string(profile_table[c->profile].header)) == 0 &&
               json_object_set_new(object, "stage", json_string(profile_table[c->profile].stage)) == 0 &&
               json_object_set_new(object, "live_line", json_integer(c->live.line)) == 0 &&
               add_groups(object, &c->stats, NULL, opcodes);
    }
    if (!good) {
        json_decref(object);
        return NULL;
    }
    return object;
}

static int put_json(json_t *object, const char *path)
{
    char *text = object ? json_dumps(object, JSON_COMPACT) : NULL;
    json_decref(object);
    if (!text)
        return cli_error(path, "no memory");
    puts(text);
    free(text);
    return CLI_YES;
}

static int put_json_diff(const struct counted *before, const struct counted *after, bool opcodes)
{
    json_t *change = json_object();
    if (change && !add_groups(change, &after->stats, &before->stats, opcodes)) {
        json_decref(change);
        change = NULL;
    }
    return put_json(json_pack("{s:o, s:o, s:o}", "before", object_of(before, opcodes), "after",
                              object_of(after, opcodes), "change", change), after->path);
}

/* ---- the command ------------------------------------------------------------------------------------------------- */

static int compare_two(char **paths, const struct settings *settings)
{
    const struct cli_io io = cli_standard();
    struct counted before, after;
    count_file(&io, paths[0], &before);
    count_file(&io, paths[1], &after);
    int status = cli_worst(before.status, after.status);
    if (status != CLI_YES)
        return status;
    if (settings->json)
        return put_json_diff(&before, &after, settings->opcodes);
    put_diff(&before, &after, settings->opcodes);
    return CLI_YES;
}

struct each {
    const struct settings *settings;
    bool table;
    struct counted total;
};

static int work(void *user, struct cli_task *task)
{
    (void)user;
    struct counted *c = task->result = malloc(sizeof *c);
    if (!c)
        return cli_error_on(&task->io, task->path, "no memory");
    count_file(&task->io, task->path, c);
    return c->status;
}

static void add(struct stats *total, const struct stats *s)
{
    for (int k = 0; k < COLUMNS; k++) {
        enum metric m = columns[k].metric;
        bool most = m == METRIC_NESTING || m == METRIC_LIVE || m == METRIC_TEMPORARIES_USED;
        if (!most)
            total->value[m] += s->value[m];
        else if (s->value[m] > total->value[m])
            total->value[m] = s->value[m];
    }
}

static int done(void *user, struct cli_task *task, int status)
{
    struct each *each = user;
    struct counted *c = task->result;
    if (c && each->settings->json && status != CLI_TROUBLE) {
        status = cli_worst(status, put_json(object_of(c, each->settings->opcodes), c->path));
    } else if (c && status == CLI_YES) {
        if (each->table)
            put_row(c);
        else
            put_one(c, each->settings->opcodes);
        add(&each->total.stats, &c->stats);
    }
    free(c);
    return status;
}

static int each_file(struct cli_batch *batch, const struct settings *settings)
{
    struct each each = {.settings = settings, .table = batch->several && !settings->json && !settings->opcodes,
                        .total = {.path = "total; of the last three the most"}};
    if (each.table)
        put_heads();
    int status = cli_batch_run(batch, &(struct cli_work){.work = work, .done = done, .user = &each});
    if (each.table)
        put_row(&each.total);
    return status;
}

static int take_option(void *user, int c, const char *word)
{
    struct settings *settings = user;
    (void)word;
    switch (c) {
    case 'J': settings->json = true; return CLI_YES;
    case 'd': settings->diff = true; return CLI_YES;
    case 'o': settings->opcodes = true; return CLI_YES;
    default: return CLI_GO_ON;
    }
}

int cli_stats(int argc, char **argv)
{
    static const struct option options[] = {
        {"json", no_argument, NULL, 'J'}, {"diff", no_argument, NULL, 'd'}, {"opcodes", no_argument, NULL, 'o'},
        CLI_BATCH_OPTIONS, {"help", no_argument, NULL, 'h'}, {NULL, 0, NULL, 0}};
    struct settings settings = {false, false, false};
    struct cli_batch batch = {.command = "stats", .usage = usage};
    int status = cli_batch_options(&batch, argc, argv, ":j:", options, take_option, &settings);
    if (status != CLI_GO_ON)
        return status;
    if (settings.diff && (argc - optind != 2 || batch.list || batch.shards))
        return cli_usage_error("stats", usage, "--diff takes two files");
    if (settings.diff)
        return compare_two(argv + optind, &settings);
    status = cli_batch_files(&batch, argv + optind);
    if (status == CLI_YES)
        status = each_file(&batch, &settings);
    cli_batch_free(&batch);
    return status;
}
