#include "tests/tools/barriers.h"
#include "tests/tools/operands.h"
#include "tests/tools/program_text.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gp5.h"

enum { EVENT_BYTES = BARRIER_EVENT_WORDS * 4, LOG_BYTES = BARRIER_EVENTS * EVENT_BYTES, SUBROUTINES = 2, MOST_DEPTH = 3,
 DELAY = 1500 };

struct writer {
    struct barrier_program *to;
    struct program_text out;
    uint64_t state;
    struct program_flow flow;
    unsigned places, loops, budget, sub;
    bool conts, calls, indirect, delays;
};

static unsigned chance(struct writer *w, unsigned n)
{
    return (unsigned)(operand_random(&w->state) % n);
}

/* Says that it is here, waits for the others, and keeps who has been where. */
static void point(struct writer *w)
{
    unsigned place = w->places++ % 4;

    if (w->delays)
        program_text_put(&w->out, "REP.S d.x;\nMAD.U x.x, x.x, 1664525, x.x;\nENDREP;\n");
    program_text_put(&w->out, "ATOMS.OR.U32 v.x, b.x, mem[a.x + %u];\nATOMS.ADD.U32 v.x, b.y, mem[a.x + 64];\nBAR;\n",
                     16 * place);
    for (unsigned i = 0; i < 5; i++)
        program_text_put(&w->out, "LDS.U32X4 m, mem[%u];\nSTB.U32X4 m, seen[n.x + %u];\n", 16 * i, 16 * i);
    program_text_put(&w->out,
                     "AND.U m.x, x.x, k.x;\nADD.U m.x, m.x, %u;\nSTB.U32 m.x, seen[n.x + 80];\nADD.U n.x, n.x, "
                     "%u;\nMIN.U n.x, n.x, n.w;\n",
                     place, EVENT_BYTES);
}

static const char head[] =
    "!!NVcp5.0\nOPTION NV_shader_storage_buffer;\nOPTION NV_shader_thread_group;\nGROUP_SIZE %u;\nSHARED_MEMORY 96;\n"
    "STORAGE words[] = { program.storage[0] };\nSTORAGE seen[] = { program.storage[1] };\n"
    "SHARED mem[] = { program.sharedmem };\n"
    "TEMP a, b, c, d, e, k, m, n, o, v, x;\n%s%s";
static const char subroutine_types[] = "SUBROUTINETYPE T { %s };\n"
"SUBROUTINE T called[] = { program.subroutine[0..%u] };\n";
const uint32_t barrier_chosen[4] = {0, 1, 2, 3};
/* o: whether the lane is odd, its role, its number mod 4, its number. k: 0, a word of the role's, a word of the
 * group's. */
static const char start[] =
    "AND.U o.w, invocation.localindex.x, 31;\nAND.U o.x, o.w, 1;\nAND.U o.z, o.w, 3;\n"
    "SHR.U a.y, invocation.localindex.x, 5;\nMUL.U a.y, a.y, 4;\nLDB.U32 v.x, words[a.y];\nMOV.U o.y, v.x;\n"
    "SHL.U b.x, 1, o.w;\nMOV.U b.y, 1;\nMUL.U a.x, o.y, 4;\nMUL.U v.x, o.y, 512;\nLDB.U32 v.x, words[v.x + 40];\n"
    "MOV.U k.y, v.x;\nLDB.U32 v.x, words[16];\nMOV.U k.z, v.x;\n"
    "LDB.U32 k.x, words[20];\nMUL.U v.y, o.y, 32;\nADD.U v.y, v.y, o.w;\nMUL.U n.x, v.y, %u;\nADD.U n.w, n.x, %u;\n"
    "MUL.U v.y, v.y, 16;\n"
    "LDB.U32X4 e, words[v.y + 32];\nMOV.U d.x, e.w;\nMOV.U x.x, e.z;\nMOV.U c, 0;\nMOV.U m, 0;\n"
    "STS.U32X4 m, mem[0];\nSTS.U32X4 m, mem[16];\nSTS.U32X4 m, mem[32];\nSTS.U32X4 m, mem[48];\nSTS.U32X4 m, mem[64];\n"
    "BAR;\n";

static void begin(struct writer *w, bool labels, const char *types)
{
    char declared[128] = "";
    uint32_t last = 0;

    for (const char *p = types; p && *p; p++)
        last += *p == ',';
    if (types)
        snprintf(declared, sizeof declared, subroutine_types, types, last);
    w->to->group = w->to->group < 1 ? 1 : w->to->group;
    w->to->orders = w->to->group % 32 ? 1 : w->to->group > 64 ? 6 : w->to->group > 32 ? 2 : 1;
    w->to->subroutines = types ? last + 1 : 0;
    program_text_put(&w->out, head, w->to->group, declared, labels ? "main:\n" : "");
    program_text_put(&w->out, start, LOG_BYTES, LOG_BYTES - EVENT_BYTES);
}

/* ---- lines of a table -------------------------------------------------------------------------------------------- */

/* NAME GROUP: BODY, where @ is a BAR, | stands before subroutines, and ! before the group's size says that lanes are
 * made to wait. */
static bool from_table(struct writer *w, const char *line)
{
    char name[64], waits[2] = "";
    const char *body = strchr(line, ':'), *subroutines = body ? strchr(body, '|') : NULL;
    bool ok = body && (sscanf(line, "%63s %u", name, &w->to->group) == 2 ||
                       sscanf(line, "%63s %1[!]%u", name, waits, &w->to->group) == 3);

    if (!ok || w->to->group > BARRIER_LANES)
        return false;
    w->delays = waits[0] == '!';
    snprintf(w->to->name, sizeof w->to->name, "%s", name);
    begin(w, subroutines, !strstr(line, "CALI") ? NULL : strstr(line, "w SUBROUTINENUM") ? "s, t, u, w" : "s, t");
    for (const char *p = body + 1; *p && *p != '\n'; p++) {
        if (*p == '@')
            point(w);
        else if (*p == '|')
            program_text_put(&w->out, "RET;\n");
        else
            program_text_put(&w->out, "%c", *p == ' ' && p[-1] == ';' ? '\n' : *p);
    }
    program_text_put(&w->out, "\nEND\n");
    return !w->out.full;
}

static bool find_line(const char *path, uint32_t number, struct writer *w)
{
    FILE *table = fopen(path, "r");
    char line[2048];
    bool ok = false;

    while (table && fgets(line, sizeof line, table)) {
        if (line[0] == '#' || line[0] == '\n')
            continue;
        if (number-- == 0) {
            ok = from_table(w, line);
            break;
        }
    }
    if (table)
        fclose(table);
    return ok;
}

/* ---- by chance --------------------------------------------------------------------------------------------------- */

/* Sets CC.z: of a lane's words, of its role's, of the group's, or of how far it has come. */
static void condition(void *user)
{
    struct writer *w = user;
    unsigned kind = chance(w, 10), bit = chance(w, 32);

    if (kind < 4)
        program_text_put(&w->out, "AND.U.CC v.z, e.%c, %u;\n", "xyz"[bit % 3], 1u << bit);
    else if (kind < 6)
        program_text_put(&w->out, "AND.U.CC v.z, k.y, %u;\n", 1u << bit);
    else if (kind < 7)
        program_text_put(&w->out, "AND.U.CC v.z, k.z, %u;\n", 1u << bit);
    else if (kind < 8)
        program_text_put(&w->out, "ADD.U v.z, e.x, c.w;\nAND.U.CC v.z, v.z, %u;\n", 1u << bit % 4);
    else if (kind < 9)
        program_text_put(&w->out, "SGE.U.CC v.z, o.w, %u;\n", bit);
    else
        program_text_put(&w->out, "SEQ.U.CC v.z, o.y, %u;\n", bit % 3);
}

static void block(void *user, unsigned depth, bool in_loop);

static void loop(struct writer *w, unsigned depth)
{
    unsigned kind = chance(w, 8), own = w->loops++, count = 1 + chance(w, 3), bit = chance(w, 29);
    const char *word = kind % 2 ? "e.y" : "k.y";

    if (kind < 2)
        program_text_put(&w->out, "REP.S %u;\n", count);
    else if (kind < 6)
        program_text_put(&w->out, "AND.U v.z, %s, %u;\nSHR.U v.z, v.z, %u;\nREP.S v.z;\n", word, 3u << bit, bit);
    else
        program_text_put(&w->out,
                         "TEMP c%u;\nMOV.U c%u.x, 0;\nREP;\nSHR.U v.z, %s, %u;\nAND.U v.z, v.z, 3;\nADD.U c%u.x, "
                         "c%u.x, 1;\nSGT.U.CC v.z, c%u.x, v.z;\nBRK (NE.z);\n",
                         own, own, word, bit, own, own, own);
    program_text_put(&w->out, "ADD.U c.w, c.w, 1;\n");
    block(w, depth + 1, true);
    program_text_put(&w->out, "ENDREP;\n");
}

static void call(struct writer *w)
{
    unsigned which = w->sub == SUBROUTINES ? chance(w, SUBROUTINES) : 1;

    if (!w->calls || w->sub == 1) {
        point(w);
        return;
    }
    if (w->indirect && w->sub == SUBROUTINES) {
        unsigned bit = chance(w, 32);
        program_text_put(&w->out, "SHR.U c.x, %s, %u;\nAND.U c.x, c.x, 1;\n", which ? "e.y" : "k.y", bit);
        if (chance(w, 2)) {
            condition(w);
            program_text_put(&w->out, "CALI called[c.x] (%s.z);\n", program_flow_rule(&w->flow));
        } else {
            program_text_put(&w->out, "CALI called[c.x];\n");
        }
        return;
    }
    if (chance(w, 3)) {
        condition(w);
        program_text_put(&w->out, "CAL sub%u (%s.z);\n", which, program_flow_rule(&w->flow));
    } else {
        program_text_put(&w->out, "CAL sub%u;\n", which);
    }
}

static void statement(struct writer *w, unsigned depth, bool in_loop)
{
    unsigned kind = chance(w, 100);

    if (kind < 30 && depth < MOST_DEPTH)
        program_flow_choice(&w->flow, depth, in_loop, 2);
    else if (kind < 44 && depth < MOST_DEPTH)
        loop(w, depth);
    else if (kind < 52 && in_loop)
        program_flow_jump(&w->flow, "BRK");
    else if (kind < 60 && in_loop && w->conts)
        program_flow_jump(&w->flow, "CONT");
    else if (kind < 67)
        program_flow_jump(&w->flow, "RET");
    else if (kind < 76)
        call(w);
    else
        point(w);
}

static void block(void *user, unsigned depth, bool in_loop)
{
    struct writer *w = user;
    unsigned n = 1 + chance(w, 2);

    for (; n && w->budget; n--) {
        w->budget--;
        statement(w, depth, in_loop);
    }
    if (chance(w, 2))
        point(w);
}

static bool by_chance(struct writer *w, uint32_t number)
{
    static const uint32_t groups[] = {64, 64, 64, 64, 96, 40, 72, 32};
    unsigned group, total;

    w->state = number / 8;
    w->conts = number & 1;
    w->calls = number & 2;
    w->indirect = w->calls && number & 4;
    w->delays = true;
    w->sub = SUBROUTINES;
    group = chance(w, 8);
    total = 2 + chance(w, 3 + number / 8 % 10);
    w->to->group = groups[group];
    snprintf(w->to->name, sizeof w->to->name, "%u", number + BARRIER_BY_CHANCE);
    begin(w, w->calls, w->indirect ? "sub0, sub1" : NULL);
    for (w->budget = total; w->budget;) {
        w->budget--;
        statement(w, 0, false);
    }
    point(w);
    for (w->sub = 0; w->calls && w->sub < SUBROUTINES; w->sub++) {
        program_text_put(&w->out, w->indirect ? "RET;\nsub%u SUBROUTINENUM(%u):\n" : "RET;\nsub%u:\n", w->sub, w->sub);
        w->budget = 1 + total / 3;
        block(w, 1, false);
    }
    program_text_put(&w->out, w->calls ? "RET;\nEND\n" : "END\n");
    return !w->out.full;
}

bool barrier_program(const char *table, uint32_t number, struct barrier_program *to)
{
    struct writer w = {.to = to, .out = {.text = to->text, .size = BARRIER_TEXT}};

    w.flow = (struct program_flow){&w.out, &w.state, &w, condition, block};
    return number < BARRIER_BY_CHANCE ? find_line(table, number, &w) : by_chance(&w, number - BARRIER_BY_CHANCE);
}

/* ---- runs -------------------------------------------------------------------------------------------------------- */

static uint32_t role_of(uint32_t order, uint32_t warps, uint32_t warp)
{
    static const uint8_t three[BARRIER_ORDERS][3] = {{0, 1, 2}, {1, 0, 2}, {2, 1, 0}, {0, 2, 1}, {1, 2, 0}, {2, 0, 1}};

    return warps < 3 ? warp ^ (warps > 1 && order) : three[order][warp];
}

static uint32_t wait_of(uint32_t delay, uint32_t role, uint32_t lane, uint32_t word)
{
    switch (delay) {
    case 1: return role == 0 ? DELAY : 0;
    case 2: return role == 1 ? DELAY : 0;
    case 3: return role != 1 && lane % 2 ? DELAY : 0;
    case 4: return (word >> 8 & 3) * DELAY / 3;
    default: return 0;
    }
}

void barrier_input(uint32_t order, uint32_t warps, uint32_t delay, uint32_t words[BARRIER_IN_WORDS])
{
    uint64_t state = 5;

    for (uint32_t i = 0; i < 8; i++)
        words[i] = i < warps && i < BARRIER_WARPS ? role_of(order, warps, i) : i == 4 ? 0x5a3c96e1 : 0;
    for (uint32_t i = 0; i < BARRIER_LANES; i++) {
        uint32_t *lane = words + 8 + 4 * i;
        for (unsigned k = 0; k < 4; k++)
            lane[k] = (uint32_t)operand_random(&state);
        lane[3] = wait_of(delay, i / 32, i % 32, lane[3]);
    }
}

void barrier_fold(const struct barrier_program *p, uint32_t all[BARRIER_OUT_WORDS],
                  const uint32_t run[BARRIER_OUT_WORDS])
{
    for (size_t i = 0; i < BARRIER_OUT_WORDS; i++) {
        size_t word = i % BARRIER_EVENT_WORDS, role = i / BARRIER_EVENT_WORDS / BARRIER_EVENTS / 32;
        bool counts = word >= BARRIER_COUNTS && word < BARRIER_COUNTS + 4;
        if (p->group % 32 && word < BARRIER_COUNTS + 4 && word % 4 < role)
            continue;
        all[i] = counts ? all[i] < run[i] ? all[i] : run[i] : all[i] & run[i];
    }
}

bool barrier_evaluate(const struct barrier_program *p, const char *model, uint32_t all[BARRIER_OUT_WORDS])
{
    size_t in_size = (BARRIER_IN_WORDS * 4 + 63) & ~63u, out_size = BARRIER_OUT_WORDS * 4;
    struct gp5_run_options options = {.semantics = GP5_SEMANTICS_NVIDIA, .model = model, .jobs = 1};
    char *message = NULL;
    gp5_program *parsed = gp5_parse(p->text, strlen(p->text));
    gp5_executable *executable = parsed ? gp5_prepare(parsed, &options, &message, &(size_t){0}) : NULL;
    uint32_t *in = aligned_alloc(64, in_size), *out = aligned_alloc(64, out_size);
    bool ok = executable && in && out;

    if (!ok)
        fprintf(stderr, "# %s: %s\n", p->name, message ? message : "does not parse");
    memset(all, 0xff, out_size);
    for (uint32_t order = 0; ok && order < p->orders; order++) {
        struct gp5_buffer buffers[2] = {{.binding = 0, .data = (uint8_t *)in, .size = BARRIER_IN_WORDS * 4},
         {.binding = 1, .data = (uint8_t *)out, .size = out_size}};
        struct gp5_launch launch = {.groups = {1, 1, 1},
                                    .storage = buffers,
                                    .nstorage = 2,
                                    .subroutines = barrier_chosen,
                                    .nsubroutines = p->subroutines};
        struct gp5_report report = {0};
        barrier_input(order, (p->group + 31) / 32, 0, in);
        memset(out, 0xff, out_size);
        ok = gp5_execute(executable, &launch, &options, &report) == GP5_RUN_OK;
        if (!ok)
            fprintf(stderr, "# %s: %s\n", p->name, report.message ? report.message : "no reason given");
        barrier_fold(p, all, out);
        gp5_report_free(&report);
    }
    gp5_text_free(message);
    gp5_executable_free(executable);
    gp5_program_free(parsed);
    free(in);
    free(out);
    return ok;
}
