/* A program that somebody else wrote, C and C++ alike: what gp5.h promises, seen from outside. Prints what is not so
 * and ends with 1. */
#include <gp5.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failed;

static void holds(bool yes, const char *what)
{
    if (!yes) {
        printf("not so: %s\n", what);
        failed = 1;
    }
}

static const char text[] =
    "!!NVcp5.0\n"
    "OPTION NV_shader_storage_buffer;\n"
    "GROUP_SIZE 32;\n"
    "SHARED_MEMORY 16;\n"
    "SHARED s[] = { program.sharedmem };\n"
    "STORAGE b[] = { program.storage[0] };\n"
    "TEMP R;\n"
    "LONG TEMP L;\n"
    "MUL.U R.x, invocation.localid.x, 3;\n"
    "MOV.U64 L.x, 0x100000002;\n"
    "MOV.U.CC R.y, R.x;\n"
    "STS.U32 R.y, s[4];\n"
    "MUL.U R.z, invocation.globalid.x, 4;\n"
    "STB.U32 R.x, b[R.z];\n"
    "END\n";

static const char loop[] = "!!NVcp5.0\nGROUP_SIZE 32;\nTEMP R;\nREP;\nADD.U R.x, R.x, 1;\n"
                           "BRK (FL.x);\nENDREP;\nEND\n";
static const char open[] = "!!NVcp5.0\nOPTION NV_shader_storage_buffer;\nGROUP_SIZE 32;\n"
                           "STORAGE b[] = { program.storage[0] };\nTEMP R;\nSTB.U32 R.x, b[0];\nEND\n";

enum { GROUPS = 64, WORDS = 32 * GROUPS };      /* each group has words of its own */

static gp5_program *parsed(const char *from, size_t size)
{
    gp5_program *program = gp5_parse(from, size);
    if (!program || !gp5_valid(program, GP5_TARGET_NVIDIA)) {
        puts("not so: the program is valid");
        exit(1);
    }
    return program;
}

static gp5_executable *prepared(const gp5_program *program, const struct gp5_run_options *options)
{
    gp5_executable *executable = gp5_prepare(program, options, NULL, NULL);
    if (!executable) {
        puts("not so: the program is evaluated");
        exit(1);
    }
    return executable;
}

static struct gp5_launch launch_of(struct gp5_buffer *buffer, uint32_t *words, uint32_t groups)
{
    struct gp5_launch launch;
    memset(buffer, 0, sizeof *buffer);
    buffer->data = (uint8_t *)words;
    buffer->size = WORDS * sizeof *words;
    memset(&launch, 0, sizeof launch);
    launch.size = sizeof launch;
    launch.groups[0] = groups;
    launch.groups[1] = launch.groups[2] = 1;
    launch.storage = buffer;
    launch.nstorage = 1;
    return launch;
}

/* ---- a run ------------------------------------------------------------------------------------------------------- */

static bool filled(const uint32_t *words)
{
    for (uint32_t i = 0; i < 32; i++)
        if (words[i] != 3 * i)
            return false;
    return true;
}

static void *run(void *of)
{
    const gp5_executable *executable = (const gp5_executable *)of;
    uint32_t words[WORDS] __attribute__((aligned(16)));
    struct gp5_buffer buffer;
    memset(words, 0xff, sizeof words);
    struct gp5_launch launch = launch_of(&buffer, words, 1);
    bool right = gp5_execute(executable, &launch, NULL, NULL) == GP5_RUN_OK && filled(words);
    return right ? of : NULL;
}

/* Options that are NULL are the defaults; several threads run one executable. */
static void runs(void)
{
    gp5_program *program = parsed(text, sizeof text - 1);
    gp5_executable *executable = prepared(program, NULL);
    pthread_t thread[3];
    int started = 0;
    holds(run(executable) != NULL, "NULL options run");
    for (; started < 3 && !pthread_create(&thread[started], NULL, run, executable); started++)
        ;
    holds(started == 3, "threads");
    while (started) {
        void *right = NULL;
        pthread_join(thread[--started], &right);
        holds(right != NULL, "a launch beside others");
    }
    gp5_executable_free(executable);
    gp5_program_free(program);
}

/* What an older caller does not know counts as 0: here all that lies behind `semantics`, which is then garbage. */
static void sizes(void)
{
    gp5_program *program = parsed(text, sizeof text - 1);
    struct gp5_run_options options;
    struct gp5_report report;
    memset(&options, 0xa5, sizeof options);
    options.size = offsetof(struct gp5_run_options, model);
    options.semantics = GP5_SEMANTICS_SPEC;
    gp5_executable *executable = prepared(program, &options);
    uint32_t words[WORDS] __attribute__((aligned(16)));
    struct gp5_buffer buffer;
    struct gp5_launch launch = launch_of(&buffer, words, 1);
    holds(gp5_execute(executable, &launch, &options, &report) == GP5_RUN_OK && filled(words), "a smaller structure");
    gp5_report_free(&report);
    memset(&options, 0, sizeof options);
    options.semantics = GP5_SEMANTICS_SPEC;
    options.strict = true;
    holds(gp5_execute(executable, &launch, &options, &report) == GP5_RUN_BAD_LAUNCH && report.message &&
              strstr(report.message, "track_undefined"), "strict without tracking is a bad launch");
    gp5_report_free(&report);
    gp5_executable_free(executable);
    gp5_program_free(program);

    program = parsed(open, sizeof open - 1);
    options.track_undefined = true;
    executable = prepared(program, &options);
    holds(gp5_execute(executable, &launch, &options, &report) == GP5_RUN_UNDEFINED && report.norigins == 1,
          "strict with tracking");
    gp5_report_free(&report);
    gp5_executable_free(executable);
    gp5_program_free(program);
}

/* ---- callbacks --------------------------------------------------------------------------------------------------- */

struct progress {
    uint64_t calls, groups, until;
};

static bool progress(void *user, uint64_t begun, uint64_t groups)
{
    struct progress *p = (struct progress *)user;
    p->calls++;
    p->groups = groups;
    return begun < p->until;
}

static void cancels(unsigned jobs)
{
    gp5_program *program = parsed(text, sizeof text - 1);
    struct progress p = {0, 0, 1000};
    struct gp5_run_options options;
    struct gp5_report report;
    memset(&options, 0, sizeof options);
    options.size = sizeof options;
    options.jobs = jobs;
    options.progress = progress;
    options.progress_user = &p;
    gp5_executable *executable = prepared(program, &options);
    uint32_t words[WORDS] __attribute__((aligned(16)));
    struct gp5_buffer buffer;
    struct gp5_launch launch = launch_of(&buffer, words, GROUPS);
    holds(gp5_execute(executable, &launch, &options, &report) == GP5_RUN_OK && p.groups == GROUPS, "a run to its end");
    holds(jobs == 1 ? p.calls == GROUPS : p.calls >= 1 && p.calls <= GROUPS,
          "the caller's thread tells of each of its groups");
    gp5_report_free(&report);
    p.until = 0;
    holds(gp5_execute(executable, &launch, &options, &report) == GP5_RUN_CANCELLED && report.message,
          "a run cancelled");
    holds(jobs != 1 || report.instructions == 0, "before its first group");
    gp5_report_free(&report);
    gp5_executable_free(executable);
    gp5_program_free(program);
}

struct looking {
    const gp5_program *program;
    size_t r, l, before, after;
    size_t until;               /* instructions */
    bool right;
};

static bool before(void *user, const gp5_step *step)
{
    struct looking *k = (struct looking *)user;
    struct gp5_step_place place;
    struct gp5_instruction instruction;
    gp5_step_place(step, &place);
    k->right = k->right && gp5_instruction_at(k->program, place.instruction, &instruction) &&
               place.active == 0xffffffff && place.executed == k->before;
    k->before++;
    return k->before <= k->until;
}

static bool after(void *user, const gp5_step *step)
{
    struct looking *k = (struct looking *)user;
    struct gp5_step_place place;
    struct gp5_condition condition;
    uint32_t words[32], high[32], undefined;
    size_t size;
    gp5_step_place(step, &place);
    k->after++;
    if (place.instruction == 0)
        k->right = k->right && gp5_step_read(step, k->r, 0, 0, words, NULL, &undefined) && words[7] == 21 &&
                   undefined == 0 && gp5_step_read(step, k->r, 0, 2, words, NULL, &undefined) &&
                   undefined == 0xffffffff && !gp5_step_read(step, k->r, 0, 4, words, NULL, NULL);
    if (place.instruction == 1)
        k->right = k->right && gp5_step_read(step, k->l, 0, 0, words, high, NULL) && words[31] == 2 && high[31] == 1;
    if (place.instruction == 2)
        k->right = k->right && gp5_step_condition(step, 0, 1, &condition) && condition.zero == 1 &&
                   condition.sign == 0 && !gp5_step_condition(step, 2, 0, &condition);
    if (place.instruction == 3) {
        const uint8_t *shared = gp5_step_shared(step, &size);
        k->right = k->right && shared && size == 16 && shared[4] == 93;
    }
    return true;
}

static size_t symbol_of(const gp5_program *program, const char *name)
{
    struct gp5_symbol symbol;
    for (size_t i = 0; gp5_symbol_at(program, i, &symbol); i++)
        if (!strcmp(symbol.name, name))
            return i;
    return SIZE_MAX;
}

static void looks_on(void)
{
    gp5_program *program = parsed(text, sizeof text - 1), *spin = parsed(loop, sizeof loop - 1);
    struct looking k = {program, symbol_of(program, "R"), symbol_of(program, "L"), 0, 0, 1000, true};
    struct gp5_observer observer = {sizeof observer, &k, before, after};
    struct gp5_run_options options;
    struct gp5_report report;
    memset(&options, 0, sizeof options);
    options.size = sizeof options;
    options.track_undefined = true;
    options.observer = &observer;
    gp5_executable *executable = prepared(program, &options);
    uint32_t words[WORDS] __attribute__((aligned(16)));
    struct gp5_buffer buffer;
    struct gp5_launch launch = launch_of(&buffer, words, 1);
    holds(gp5_execute(executable, &launch, &options, &report) == GP5_RUN_OK && filled(words), "a run that is watched");
    holds(k.right && k.before == 6 && k.after == 6, "what an observer sees");
    gp5_report_free(&report);
    gp5_executable_free(executable);

    executable = prepared(spin, NULL);
    k.program = spin;
    k.before = 0;
    k.until = 500;
    observer.after = NULL;
    options.track_undefined = false;
    holds(gp5_execute(executable, &launch, &options, &report) == GP5_RUN_CANCELLED && k.before == 501 && k.right,
          "an observer ends a loop without end");
    gp5_report_free(&report);
    gp5_executable_free(executable);
    gp5_program_free(program);
    gp5_program_free(spin);
}

int main(void)
{
    holds(GP5_VERSION_NUMBER == gp5_version_number() && GP5_VERSION_NUMBER >= GP5_VERSION_OF(0, 1, 0) &&
              !strcmp(gp5_version(), GP5_VERSION), "the versions agree");
    runs();
    sizes();
    cancels(1);
    cancels(4);
    looks_on();
    return failed;
}
