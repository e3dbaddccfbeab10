/* Which steps of programs leave machine code, with counts.
 *
 *   native_census [--level=avx2|avx512] [--bench] [FILE...]
 *
 * Files hold one program each; --bench: the works of bench_eval too. A line says how many steps of an opcode and type
 * run as machine code themselves, how many it calls the machine for, and how many end it. Sorted by what is not machine
 * code. */
#include "tests/bench/bench-work.h"

#include "eval/jit/jit_internal.h"
#include "eval/decode/prepare.h"
#include "gp5.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_NAMES = 1024 };

struct line {
    char name[80];
    unsigned inside, called, outside;
};

struct census {
    struct line lines[MOST_NAMES];
    unsigned n, programs, refused;
    enum eval_level level;
};

static const char *const kinds[STEP_COUNT] = {
    [STEP_WRITE] = "write", [STEP_GATHER] = "indexed read", [STEP_PART] = "IF in parts", [STEP_CAL] = "CAL",
    [STEP_RET] = "RET",
    [STEP_CALI] = "CALI", [STEP_LOAD] = "load", [STEP_STORE] = "store", [STEP_ATOMIC] = "atomic",
    [STEP_SHUFFLE] = "shuffle",
    [STEP_VOTE] = "vote", [STEP_MATCH] = "MATCH", [STEP_QUAD] = "quad", [STEP_GROUP] = "subgroup",
    [STEP_TEXTURE] = "texture",
    [STEP_BARRIER] = "BAR", [STEP_KILL] = "KIL", [STEP_CLOCK] = "clock", [STEP_IF] = "IF", [STEP_REP] = "REP",
};

static struct line *line(struct census *c, const char *name)
{
    for (unsigned i = 0; i < c->n; i++)
        if (!strcmp(c->lines[i].name, name))
            return &c->lines[i];
    if (c->n == MOST_NAMES) {
        fputs("native_census: too many names\n", stderr);
        exit(2);
    }
    snprintf(c->lines[c->n].name, sizeof c->lines[c->n].name, "%s", name);
    return &c->lines[c->n++];
}

static const char *op_name(uint16_t op)
{
    static const char *const own[] = {[EVAL_OP_SAT - OP_COUNT] = "(SAT)", [EVAL_OP_SSAT - OP_COUNT] = "(SSAT)",
                                      [EVAL_OP_HALF - OP_COUNT] = "(to half)",
                                      [EVAL_OP_SQRT - OP_COUNT] = "(square root)",
                                      [EVAL_OP_SHORT - OP_COUNT] = "(SHORT)", [EVAL_OP_LOW - OP_COUNT] = "(low half)",
                                      [EVAL_OP_LOST - OP_COUNT] = "(lost)", [EVAL_OP_ABOVE - OP_COUNT] = "(above)",
                                      [EVAL_OP_UPPER - OP_COUNT] = "(upper)", [EVAL_OP_STRAY - OP_COUNT] = "(stray)"};

    return op < OP_COUNT ? op_table[op].name : own[op - OP_COUNT];
}

/* What a step is called, or NULL where it is none of interest. */
static const char *name_of(const struct gp5_executable *x, const struct step *s, char name[80])
{
    const struct insn *insn = program_insn(x->program, s->insn);
    const struct write *out;

    if (s->quick == STEP_NOTHING)
        return NULL;
    switch (s->kind) {
    case STEP_LANE: case STEP_RAW:
        snprintf(name, 80, "%s.%s%s%s", op_name(x->tracks[s->ref].op),
                 x->tracks[s->ref].op < OP_COUNT ? type_table[insn->type].name : "",
                 insn->flags & INSN_HI ? ".HI" : insn->flags & (INSN_S24 | INSN_U24) ? ".24" : "",
                 insn->op == OP_CVT && x->tracks[s->ref].op == OP_CVT ? type_table[insn->type2].name : "");
        return name;
    case STEP_WRITE:
        out = &x->writes[s->ref];
        snprintf(name, 80, "write%s%s%s%s%s", s->test.rule != CC_NONE ? ", tested" : "",
                 out->cc_update ? ", flags" : "", out->carry ? " with carry" : "", out->wide ? ", 64 bits" : "",
                 out->index != NO_PLANE ? ", indexed" : "");
        return name;
    default:
        return kinds[s->kind];
    }
}

static void count(struct census *c, const struct gp5_executable *x)
{
    struct native_builder b = {.x = x};

    if (!eval_native_find_shapes(&b)) {
        fputs("native_census: no memory\n", stderr);
        exit(2);
    }
    for (uint32_t i = 0; i < x->nsteps;) {
        bool native = x->native && x->steps[i].quick == STEP_NATIVE;
        const struct native_run *run = native ? &x->native->runs[x->steps[i].native] : NULL;
        uint32_t end = i + (native ? run->steps : 1);
        b.mode = x->steps[i].mode;
        for (; i < end; i++) {
            char text[80];
            const char *name = name_of(x, &x->steps[i], text);
            if (!name)
                continue;
            if (!native)
                line(c, name)->outside++;
            else if (run->flow && !step_is_flow(&x->steps[i]) && !eval_native_inline(&b, &x->steps[i]))
                line(c, name)->called++;
            else
                line(c, name)->inside++;
        }
    }
    arena_free(&b.arena);
}

static void look_at(struct census *c, const void *text, size_t size, const char *name)
{
    struct gp5_run_options options = {.semantics = GP5_SEMANTICS_NVIDIA, .jobs = 1};
    gp5_program *p = gp5_parse(text, size);
    char *message = NULL;
    size_t offset;
    gp5_executable *x = p ? eval_prepare(p, &options, c->level, &message, &offset) : NULL;

    c->programs++;
    if (x) {
        count(c, x);
    } else {
        c->refused++;
        fprintf(stderr, "native_census: %s: %s\n", name, message ? message : "no memory");
    }
    gp5_text_free(message);
    gp5_executable_free(x);
    gp5_program_free(p);
}

static void look_at_file(struct census *c, const char *name)
{
    FILE *f = fopen(name, "rb");
    char *text = NULL;
    size_t size = 0, n;

    if (!f) {
        perror(name);
        exit(2);
    }
    do {
        char *more = realloc(text, size + 65536);
        if (!more) {
            fputs("native_census: no memory\n", stderr);
            exit(2);
        }
        text = more;
        n = fread(text + size, 1, 65536, f);
        size += n;
    } while (n > 0);
    fclose(f);
    look_at(c, text, size, name);
    free(text);
}

static int by_outside(const void *a, const void *b)
{
    const struct line *x = a, *y = b;
    unsigned p = x->called + x->outside, q = y->called + y->outside;

    return p != q ? p < q ? 1 : -1 : strcmp(x->name, y->name);
}

int main(int argc, char **argv)
{
    static struct census c;
    unsigned inside = 0, called = 0, outside = 0;

    c.level = eval_best_level();
    for (int i = 1; i < argc; i++)
        if (!strcmp(argv[i], "--level=avx2"))
            c.level = EVAL_LEVEL_AVX2;
        else if (!strcmp(argv[i], "--level=avx512"))
            c.level = EVAL_LEVEL_NATIVE;
    if (c.level > eval_best_level() || (c.level != EVAL_LEVEL_AVX2 && c.level != EVAL_LEVEL_NATIVE)) {
        fputs("native_census: this machine has no such machine code\n", stderr);
        return 77;
    }
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--bench")) {
            for (unsigned n = 0; n < WORKS; n++) {
                struct work work;
                work_make(&work, n);
                look_at(&c, work.assembly.bytes, work.assembly.size, work.name);
                work_free(&work);
            }
        } else if (strncmp(argv[i], "--level=", 8) != 0) {
            look_at_file(&c, argv[i]);
        }
    }
    qsort(c.lines, c.n, sizeof *c.lines, by_outside);
    printf("%8s %8s %8s\n", "inside", "called", "outside");
    for (unsigned i = 0; i < c.n; i++) {
        inside += c.lines[i].inside;
        called += c.lines[i].called;
        outside += c.lines[i].outside;
        printf("%8u %8u %8u  %s\n", c.lines[i].inside, c.lines[i].called, c.lines[i].outside, c.lines[i].name);
    }
    printf("%8u %8u %8u  all of %u programs\n", inside, called, outside, c.programs - c.refused);
    return c.refused > 0;
}
