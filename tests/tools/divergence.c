#include "tests/tools/divergence.h"
#include "tests/tools/operands.h"
#include "tests/tools/program_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gp5.h"

enum { LOG_WORDS = 128, MOST_DEPTH = 4, SUBROUTINES = 3 };

struct writer {
    struct divergence *to;
    struct program_text out;
    uint64_t state;
    struct program_flow flow;
    unsigned form, places, loops, budget;
    unsigned sub;               /* the subroutine at hand; SUBROUTINES: main */
    bool indirect;
    bool dense;                 /* something is seen in every block and behind most statements */
    bool bars;
};

const uint32_t divergence_chosen[DIVERGENCE_SUBROUTINES] = {3, 0, 5, 0, 0, 5, 5, 0, 5, 5};

/* Which subroutines each calls: main any, sub0 sub1 and sub2, sub1 sub2. */
static const char indirect[] =
    "SUBROUTINETYPE T0 { sub0, sub1, sub2 };\nSUBROUTINETYPE T1 { sub1, sub2 };\nSUBROUTINETYPE T2 { sub2 };\n"
    "SUBROUTINE T0 any0[] = { program.subroutine[0..3] };\nSUBROUTINE T1 any1[] = { program.subroutine[4..7] };\n"
    "SUBROUTINE T2 any2[] = { program.subroutine[8..9] };\n";

static unsigned chance(struct writer *w, unsigned n)
{
    return (unsigned)(operand_random(&w->state) % n);
}

/* What stands in v.x is seen. */
static void see(struct writer *w)
{
    unsigned place = ++w->places;

    program_text_put(&w->out, "XOR.U h.x, h.x, v.x;\nMUL.U h.x, h.x, 16777619;\nADD.U h.x, h.x, %u;\n", place);
    if (w->form & DIVERGENCE_LOGS)
        program_text_put(&w->out, "MOV.U v.y, %u;\nSTB.U32X2 v, seen[n.x];\nADD.U n.x, n.x, 8;\nMIN.U n.x, n.x, n.w;\n",
                         place);
}

/* Whether all hold the same few bits. Not MATCH.ANY: into x it loses the driver's context. */
static void match(struct writer *w)
{
    bool own = chance(w, 2);
    unsigned bit = chance(w, 30);

    program_text_put(&w->out, "AND.U v.x, %s, %u;\nMATCH.ALL.U v.x, v.x;\n", own ? "e.z" : "h.x", 1u << bit);
    see(w);
}

static void observe(struct writer *w)
{
    static const char *const shuffles[] = {"SHFIDX", "SHFUP", "SHFDOWN", "SHFXOR"};
    unsigned kind, lane;

    if (w->dense && chance(w, 8) == 0) {
        match(w);
        return;
    }
    kind = chance(w, 16);
    lane = chance(w, 32);
    if (kind < 10) {
        program_text_put(&w->out, "TGBALLOT.U v.x, 1;\n");
    } else if (kind < 12) {
        program_text_put(&w->out, "AND.U v.x, e.z, %u;\nTGBALLOT.U v.x, v.x;\n", 1u << lane);
    } else if (kind < 14) {
        program_text_put(&w->out, "ADD.U v.x, h.y, m.x;\n%s.U v.xy, v.x, %u, {%u};\nMOV.U v.x, v.y;\n",
                         shuffles[kind == 12 ? 0 : lane % 4], 1 + lane % 31, kind != 12 && lane % 4 == 1 ? 0 : 31);
    } else {
        program_text_put(&w->out, "AND.U v.x, e.z, %u;\n%s.U v.x, v.x;\n", 3u << lane,
                         kind == 14 ? "TGALL"
                         : lane & 1 ? "TGANY"
                                    : "TGEQ");
    }
    see(w);
}

/* Sets CC.z: of a lane's words, often with how far it has come; or of the group's. */
static void condition(void *user)
{
    struct writer *w = user;
    unsigned kind = chance(w, w->dense ? 12 : 10), bit = chance(w, 32);

    if (kind == 10)             /* of those who are here, whether some have a bit */
        program_text_put(&w->out, "AND.U v.z, e.z, %u;\nTG%s.U.CC v.z, v.z;\n", bit & 3 ? 1u << bit : 3u << bit % 31,
                         bit & 4 ? "ANY" : "ALL");
    else if (kind == 11)        /* one lane of those who are here, or all but one */
        program_text_put(&w->out, "TGBALLOT.U v.z, 1;\nSUB.U v.w, v.z, 1;\nAND.U v.z, v.z, v.w;\nSHR.U v.z, v.z, "
                                  "m.x;\nAND.U.CC v.z, v.z, 1;\n");
    else if (kind < 5)
        program_text_put(&w->out, "AND.U.CC v.z, e.x, %u;\n", 1u << bit);
    else if (kind < 7)
        program_text_put(&w->out, "ADD.U v.z, e.x, k.w;\nAND.U.CC v.z, v.z, %u;\n", 1u << bit % 4);
    else if (kind < 8)
        program_text_put(&w->out, "AND.U v.z, e.x, %u;\nSGE.U.CC v.z, v.z, %u;\n", 7u << bit % 29,
                         (1 + chance(w, 6)) << bit % 29);
    else if (kind < 9)
        program_text_put(&w->out, "SGE.U.CC v.z, m.x, %u;\n", bit);
    else
        program_text_put(&w->out, "AND.U.CC v.z, e.w, %u;\n", 1u << bit);
}

static void block(void *user, unsigned depth, bool in_loop);

static void loop(struct writer *w, unsigned depth)
{
    unsigned kind = w->dense && chance(w, 3) ? 3 + 2 * chance(w, 3) : chance(w, 8), own = w->loops++,
             count = 1 + chance(w, 5), bit = chance(w, 29);
    bool counts = kind >= 5, first = kind < 7 || w->form & DIVERGENCE_CONT;

    if (kind < 2)
        program_text_put(&w->out, "REP.S %u;\n", count);
    else if (kind < 5)
        program_text_put(&w->out, "AND.U v.z, %s, %u;\nSHR.U v.z, v.z, %u;\nREP.S v.z;\n", kind == 4 ? "e.w" : "e.y",
                         7u << bit, bit);
    else
        program_text_put(&w->out, "TEMP c%u;\nMOV.U c%u.x, 0;\nREP;\n", own, own);
    program_text_put(&w->out, "ADD.U k.w, k.w, 1;\n");
    for (unsigned turn = 0; turn < 2; turn++) {
        if (counts && first == (turn == 0)) {
            if (chance(w, w->dense ? 4 : 2))
                program_text_put(&w->out,
                                 "SHR.U v.z, e.y, %u;\nAND.U v.z, v.z, 3;\nADD.U c%u.x, c%u.x, 1;\nSGT.U.CC v.z, "
                                 "c%u.x, v.z;\nBRK (NE.z);\n",
                                 bit, own, own, own);
            else
                program_text_put(&w->out, "ADD.U c%u.x, c%u.x, 1;\nSGT.U.CC v.z, c%u.x, %u;\nBRK (NE.z);\n", own, own,
                                 own, count);
        }
        if (turn == 0)
            block(w, depth + 1, true);
    }
    program_text_put(&w->out, "ENDREP;\n");
}

/* CALI of what each lane's words choose, the group's, or the program. */
static void call_indirect(struct writer *w, unsigned first)
{
    unsigned kind = chance(w, 8), bit = chance(w, 30), elements = first == 2 ? 2 : 4, under = chance(w, 3);

    if (kind)
        program_text_put(&w->out, "SHR.U k.x, %s, %u;\nAND.U k.x, k.x, %u;\n", kind == 1 ? "e.w" : "e.y", bit,
                         elements - 1);
    if (!under)
        condition(w);
    program_text_put(&w->out, kind ? "CALI any%u[k.x]" : "CALI any%u[%u]", first, bit % elements);
    if (under)
        program_text_put(&w->out, ";\n");
    else
        program_text_put(&w->out, " (%s.z);\n", program_flow_rule(&w->flow));
}

static void call(struct writer *w)
{
    unsigned first = w->sub == SUBROUTINES ? 0 : w->sub + 1, which;

    if (!(w->form & DIVERGENCE_CALLS) || first >= SUBROUTINES) {
        observe(w);
        return;
    }
    if (w->indirect && chance(w, 4)) {
        call_indirect(w, first);
        return;
    }
    which = first + chance(w, SUBROUTINES - first);
    if (chance(w, 2)) {
        condition(w);
        program_text_put(&w->out, "CAL sub%u (%s.z);\n", which, program_flow_rule(&w->flow));
    } else {
        program_text_put(&w->out, "CAL sub%u;\n", which);
    }
}

static void statement(struct writer *w, unsigned depth, bool in_loop)
{
    unsigned kind = chance(w, 100);

    if (w->bars && chance(w, 12) == 0)
        program_text_put(&w->out, "BAR;\n");
    else if (kind < 26 && depth < MOST_DEPTH)
        program_flow_choice(&w->flow, depth, in_loop, 3);
    else if (kind < 42 && depth < MOST_DEPTH)
        loop(w, depth);
    else if (kind < 52 && in_loop)
        program_flow_jump(&w->flow, "BRK");
    else if (kind < 62 && in_loop && w->form & DIVERGENCE_CONT)
        program_flow_jump(&w->flow, "CONT");
    else if (kind < 70 && (w->sub < SUBROUTINES || kind == 69 || (w->dense && kind >= 66)))
        program_flow_jump(&w->flow, "RET");
    else if (kind < (w->indirect ? 86u : 78u))
        call(w);
    else if (kind < 81)
        program_text_put(&w->out, "MAD.U h.y, h.y, 5, e.z;\n");
    else
        observe(w);
}

static void block(void *user, unsigned depth, bool in_loop)
{
    struct writer *w = user;
    unsigned n = 1 + chance(w, 3);

    if (w->dense)
        observe(w);
    for (; n && w->budget; n--) {
        w->budget--;
        statement(w, depth, in_loop);
        if (w->dense && chance(w, 3))
            observe(w);
    }
    if (!w->dense && chance(w, 2))
        observe(w);
}

static const char head[] =
    "!!NVcp5.0\nOPTION NV_shader_storage_buffer;\nOPTION NV_shader_thread_group;\nOPTION NV_shader_thread_shuffle;\n"
    "%sGROUP_SIZE %u;\n"
    "STORAGE words[] = { program.storage[0] };\nSTORAGE seen[] = { program.storage[1] };\nTEMP e, h, k, m, n, v;\n%s%s"
    "MUL.U n, invocation.globalid.x, {16, %u, 0, 0};\nLDB.U32X4 e, words[n.x];\nMUL.U n.z, invocation.groupid.x, 16;\n"
    "LDB.U32 e.w, words[n.z];\nADD.U n.x, n.y, 8;\nADD.U n.w, n.y, %u;\nMOV.U m.x, invocation.localindex.x;\n"
    "AND.U m.x, m.x, 31;\n"
    "MOV.U h, 0;\nMOV.U k, 0;\n";

bool divergence_program(uint32_t number, struct divergence *to)
{
    struct writer w = {.to = to,
                       .out = {.text = to->text, .size = DIVERGENCE_TEXT},
                       .state = number / 8,
                       .form = number % 8,
                       .sub = SUBROUTINES,
                       .indirect = number >= DIVERGENCE_INDIRECT && number < DIVERGENCE_DENSE,
                       .dense = number >= DIVERGENCE_DENSE};
    unsigned sizes[] = {32, 32, 64, 40}, numbers[SUBROUTINES] = {3, 0, 5};
    unsigned stride, size = 0, total;

    w.flow = (struct program_flow){&w.out, &w.state, &w, condition, block};
    if (w.dense) {              /* no two of one kind are of one draw */
        w.state = number;
        w.form = chance(&w, 8);
        w.indirect = w.form & DIVERGENCE_CALLS && chance(&w, 3) == 0;
        w.bars = chance(&w, 4) == 0;
    }
    size = chance(&w, 4);
    total = 3 + chance(&w, 4 + number / 8 % 24);
    w.form |= w.indirect ? DIVERGENCE_CALLS : 0;
    to->subroutines = w.indirect ? DIVERGENCE_SUBROUTINES : 0;
    to->group = sizes[size];
    to->groups = to->group == 32 ? 2 : 1;
    to->words = w.form & DIVERGENCE_LOGS ? LOG_WORDS : 2;
    stride = to->words * 4;
    program_text_put(&w.out, head, w.dense ? "OPTION NV_internal;\n" : "", to->group, w.indirect ? indirect : "",
                     w.form & DIVERGENCE_CALLS ? "main:\n" : "", stride, stride - 8);
    w.budget = total;
    while (w.budget) {
        w.budget--;
        statement(&w, 0, false);
        if (chance(&w, 2))
            observe(&w);
    }
    observe(&w);
    program_text_put(&w.out, "MOV.U h.y, n.x;\nSTB.U32X2 h, seen[n.y];\n");
    if (w.form & DIVERGENCE_CALLS) {
        program_text_put(&w.out, "RET;\n");
        for (w.sub = 0; w.sub < SUBROUTINES; w.sub++) {
            if (w.indirect)
                program_text_put(&w.out, "sub%u SUBROUTINENUM(%u):\n", w.sub, numbers[w.sub]);
            else
                program_text_put(&w.out, "sub%u:\n", w.sub);
            w.budget = 2 + total / 2;
            block(&w, 1, false);
            program_text_put(&w.out, "RET;\n");
        }
    }
    program_text_put(&w.out, "END\n");
    return !w.out.full;
}

void divergence_input(uint32_t words[DIVERGENCE_LANES * DIVERGENCE_IN_WORDS])
{
    uint64_t state = 11;

    for (unsigned i = 0; i < DIVERGENCE_LANES * DIVERGENCE_IN_WORDS; i++)
        words[i] = (uint32_t)operand_random(&state);
}

bool divergence_evaluate(const struct divergence *d, const char *model, uint32_t *results)
{
    size_t out_size = (size_t)DIVERGENCE_LANES * d->words * 4, in_size = DIVERGENCE_LANES * DIVERGENCE_IN_WORDS * 4;
    struct gp5_run_options options = {.semantics = GP5_SEMANTICS_NVIDIA, .model = model, .jobs = 1};
    struct gp5_report report = {0};
    char *message = NULL;
    gp5_program *parsed = gp5_parse(d->text, strlen(d->text));
    gp5_executable *executable = parsed ? gp5_prepare(parsed, &options, &message, &(size_t){0}) : NULL;
    uint32_t *in = aligned_alloc(64, in_size), *out = aligned_alloc(64, out_size);
    bool ok = executable && in && out;

    if (ok) {
        struct gp5_buffer buffers[2] = {{.binding = 0, .data = (uint8_t *)in, .size = in_size},
         {.binding = 1, .data = (uint8_t *)out, .size = out_size}};
        struct gp5_launch launch = {.groups = {d->groups, 1, 1}, .storage = buffers, .nstorage = 2,
                                    .subroutines = divergence_chosen, .nsubroutines = d->subroutines};
        divergence_input(in);
        memset(out, 0, out_size);
        ok = gp5_execute(executable, &launch, &options, &report) == GP5_RUN_OK;
        if (!ok)
            fprintf(stderr, "# %s\n", report.message ? report.message : "no reason given");
        memcpy(results, out, out_size);
    } else {
        fprintf(stderr, "# %s\n", message ? message : "does not parse");
    }
    gp5_text_free(message);
    gp5_report_free(&report);
    gp5_executable_free(executable);
    gp5_program_free(parsed);
    free(in);
    free(out);
    return ok;
}
