/* The checker: asm/check/check.h. One walk over the statements in the order of the text, as the driver reads them: what
 * stands before decides what an option, a name or a block means. */
#include "asm/check/fix.h"
#include "asm/check/check_internal.h"
#include "asm/check/warn.h"
#include "gp5.h"

#include <stdlib.h>
#include <string.h>

/* ---- reporting --------------------------------------------------------------------------------------------------- */

struct diag *check_error(struct checker *c, unsigned targets, struct span span, const char *format, ...)
{
    targets &= ~(c->reported | c->excluded);
    if (!targets)
        return NULL;
    c->reported |= targets;
    char message[512];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    return diag_add(&c->program->diags, DIAG_ERROR, targets, span, "%s", message);
}

void check_position(struct diag *diag, uint32_t position)
{
    if (diag)
        diag->position = position;
}

int check_length(struct span span)
{
    return (int)(span.length < 60 ? span.length : 60);
}

const char *check_text(const struct checker *c, struct span span)
{
    return c->program->text + span.offset;
}

uint32_t check_next_token(const struct checker *c, uint32_t offset)
{
    return program_next_token(c->program, offset);
}

/* ---- statements -------------------------------------------------------------------------------------------------- */

static void check_opcode(struct checker *c, const struct insn *insn)
{
    const struct op_info *op = &op_table[insn->op];
    enum gp5_option option = (enum gp5_option)op->option;
    if (op->gated >> c->profile & 1 && !asm_op_open(insn->op, c->options)) {
        struct diag *d = check_error(c, FOR_ALL, insn_name(insn), "invalid statement: %s needs OPTION %s", op->name,
                                     option_table[option].name);
        fix_option(c->program, d, option_table[option].name);
    }
    if (c->profile == PROFILE_NVCP5 && (insn->op == OP_DDX || insn->op == OP_DDY) &&
        !has_option(c, OPTION_NV_internal))
        fix_option(c->program,
                   check_error(c, FOR_ALL & ~(unsigned)FOR_GP5, insn_name(insn),
                               "invalid statement: in compute programs %s needs OPTION NV_internal", op->name),
                   "NV_internal");
}

/* What the driver reads in a stage and then refuses: LOD at its result, the others at the end of the statement. */
static void check_stage(struct checker *c, const struct insn *insn, bool before)
{
    bool grouped = insn->op != OP_DEMOTE && c->options & DERIVATIVE_GROUP_OPTIONS;
    if (in_stage(c, STAGE_FRAGMENT) || (grouped && c->profile == PROFILE_NVCP5))
        return;
    bool early = insn->op == OP_LOD || insn->op == OP_DEMOTE;
    if (!(op_table[insn->op].modifiers & M_FRAGMENT) || before != early || (!before && insn->flags & INSN_BROKEN))
        return;
    unsigned targets = FOR_ALL & ~(unsigned)FOR_GP5;       /* the evaluator has quads everywhere */
    struct diag *d = check_error(c, targets, insn_name(insn), "%s is of fragment programs: %s programs have no %s",
                                 op_table[insn->op].name, profile_table[c->profile].stage,
                                 insn->op == OP_DEMOTE ? "fragments" : "quads");
    uint32_t end = span_end(insn_name(insn));
    for (unsigned i = 0; i < insn->nmodifiers; i++)
        end = span_end(program_modifier_span(c->program, insn, i));
    check_position(d, check_next_token(c, before ? end : span_end(insn->span)));
}

static void check_instruction(struct checker *c, struct flow *flow, const struct insn *insn)
{
    const struct checked_head *head = check_known_head(c, insn);
    size_t before = c->program->diags.count;
    bool plain = false;
    if (!head) {
        check_opcode(c, insn);
        check_modifiers(c, insn);
        check_stage(c, insn, true);
    }
    if (head && head->ordinary) {
        plain = check_ordinary(c, insn);
    } else {
        check_result(c, insn);
        check_operands(c, insn);
    }
    if (!plain || in_stage(c, STAGE_GEOMETRY))
        check_option_text(c, insn);
    if (profile_in(c->profile, OLD_ALL))
        check_reads(c, insn);
    if (!head)
        check_stage(c, insn, false);
    if (!(insn->flags & INSN_BROKEN) && (!head || head->flows))
        check_flow(c, flow, insn);
    if (!head && c->program->diags.count == before && !c->reported)
        check_keep_head(c, insn);
}

static void check_label_used(struct checker *c, const struct operand *o)
{
    if (o->kind != OPND_LABEL || program_symbol(c->program, o->ref)->defined)
        return;
    c->reported = 0;
    check_error(c, FOR_ALL, o->span, "there is no label %.*s", check_length(o->span), check_text(c, o->span));
}

static int compare_numbers(const void *a, const void *b)
{
    const struct symbol *x = *(const struct symbol *const *)a, *y = *(const struct symbol *const *)b;
    if (x->number != y->number)
        return x->number < y->number ? -1 : 1;
    return x->span.offset < y->span.offset ? -1 : x->span.offset > y->span.offset;
}

/* MAX_PROGRAM_SUBROUTINE_NUM_NV of the driver. */
enum { MAX_NUMBER = 1024 };

static void check_number(struct checker *c, const struct symbol *s)
{
    if (s->number < MAX_NUMBER)
        return;
    c->reported = 0;
    struct diag *d = check_error(c, FOR_NVIDIA, s->span, "subroutines have numbers up to %d", MAX_NUMBER - 1);
    const char *text = c->program->text,
               *bracket = memchr(text + s->span.offset, '(', c->program->size - s->span.offset);
    if (bracket)
        check_position(d, check_next_token(c, (uint32_t)(bracket - text) + 1));
}

/* SUBROUTINENUM: no two subroutines have the same. The driver says so at the bracket behind the second. */
static void check_numbers(struct checker *c)
{
    struct vec numbered;
    vec_init(&numbered, sizeof(struct symbol *));
    for (uint32_t i = 0; i < c->program->symbols.count; i++) {
        const struct symbol *s = program_symbol(c->program, i);
        size_t at = s->kind == SYM_LABEL && s->numbered ? vec_grow(&numbered) : 0;
        if (at == SIZE_MAX) {
            c->program->diags.failed = true;
            break;
        }
        if (s->kind == SYM_LABEL && s->numbered) {
            *(const struct symbol **)vec_at(&numbered, at) = s;
            check_number(c, s);
        }
    }
    if (numbered.count)
        qsort(numbered.data, numbered.count, sizeof(struct symbol *), compare_numbers);
    for (size_t i = 1; i < numbered.count; i++) {
        const struct symbol *s = *(const struct symbol **)vec_at(&numbered, i);
        const struct symbol *before = *(const struct symbol **)vec_at(&numbered, i - 1);
        if (s->number != before->number)
            continue;
        c->reported = 0;
        struct diag *d =
            check_error(c, FOR_ALL, s->span, "%s has the number %u, as %s has", s->name, s->number, before->name);
        const char *bracket = memchr(c->program->text + s->span.offset, ')', c->program->size - s->span.offset);
        if (bracket)
            check_position(d, (uint32_t)(bracket - c->program->text));
    }
    vec_free(&numbered);
}

/* A parameter is one of one type, whatever names it has. The driver says so at the end. */
static void check_parameters(struct checker *c)
{
    const char **type_of = NULL;

    for (uint32_t i = 0; i < c->program->symbols.count; i++) {
        const struct symbol *s = program_symbol(c->program, i);
        if (s->kind == SYM_SUBROUTINE && !type_of)
            type_of = arena_alloc(&c->program->arena, MAX_NUMBER * sizeof *type_of);
        bool typed = s->kind == SYM_SUBROUTINE && type_of && s->instruction < c->program->symbols.count;
        for (uint32_t k = 0; typed && k < s->nbindings; k++) {
            const struct binding *b = program_binding(c->program, s->binding + k);
            const char *type = program_symbol(c->program, s->instruction)->name;
            for (uint32_t n = b->nindices ? b->first[0] : MAX_NUMBER;
                 n < MAX_NUMBER && n <= (b->range[0] ? b->last[0] : b->first[0]); n++) {
                if (!type_of[n])
                    type_of[n] = type;
                if (!strcmp(type_of[n], type))
                    continue;
                c->reported = 0;
                struct diag *d =
                    check_error(c, FOR_ALL, b->span, "program.subroutine[%u] is of type %s, and of type %s before", n,
                                type, type_of[n]);
                check_position(d, (uint32_t)c->program->size);
                return;
            }
        }
    }
}

static void check_labels(struct checker *c)
{
    bool labels = false;
    for (uint32_t i = 0; i < c->program->symbols.count; i++) {
        const struct symbol *s = program_symbol(c->program, i);
        labels |= s->kind == SYM_LABEL;
        for (uint32_t k = 0; s->kind == SYM_SUBROUTINE_TYPE && k < s->nbindings; k++)
            check_label_used(c, program_operand(c->program, s->binding + k));
    }
    for (uint32_t i = 0; labels && i < c->program->insns.count; i++) {
        const struct insn *insn = program_insn(c->program, i);
        if ((insn->op != OP_CAL && insn->op != OP_BRA) || insn->nsrc == 0)
            continue;
        check_label_used(c, program_operand(c->program, insn->src));
    }
}

static void check_statement(struct checker *c, struct flow *flow, const struct statement *s, enum part *part)
{
    c->reported = 0;
    switch ((enum statement_kind)s->kind) {
    case STMT_OPTION:
        check_option(c, s, *part == IN_OPTIONS);
        check_forget(c);
        return;
    case STMT_STAGE:
    case STMT_PASSTHROUGH:
    case STMT_GROUP_SIZE:
    case STMT_SHARED_MEMORY:
        check_stage_statement(c, s, *part);
        check_forget(c);
        check_part(c, part, IN_STAGE, s->span.offset);
        return;
    case STMT_COMMENT:
    case STMT_BLANK:
        return;
    case STMT_DECLARATION:
    case STMT_ALIAS:
    case STMT_LABEL:
    case STMT_INSTRUCTION:      /* not here */
    case STMT_END:
        break;
    case STMT_BROKEN:
        if (check_stands_early(c, s->span))
            return;
        break;
    }
    check_part(c, part, IN_STATEMENTS, s->span.offset);
    switch ((enum statement_kind)s->kind) {
    case STMT_DECLARATION:
    case STMT_ALIAS:
        check_declaration(c, s);
        break;
    case STMT_LABEL:
        check_label(c, flow, s);
        break;
    default:
        break;
    }
}

/* Mesa stops at the header of what it does not know, and judges nothing behind it. */
static void check_mesa_header(struct gp5_program *program)
{
    struct span header = {program->header, (uint32_t)strlen(profile_table[program->headed].header)};
    for (size_t i = 0; i < program->diags.count; i++)
        program->diags.list[i].targets &= ~(unsigned)FOR_MESA;
    diag_add(&program->diags, DIAG_ERROR, FOR_MESA, header, "Mesa takes ARB programs only: !!ARBvp1.0 and !!ARBfp1.0");
}

void asm_check(struct gp5_program *program)
{
    struct checker c = {.program = program, .profile = program->headed};
    c.typed = profile_table[c.profile].typed;
    bool arb = profile_table[c.profile].generation == GEN_ARB;
    c.excluded = arb ? 0 : FOR_MESA;
    if (!arb)
        check_mesa_header(program);
    struct flow flow = {.loops = 0};
    vec_init(&flow.blocks, sizeof(struct flow_block));
    program->diags.limit += program->diags.count;   /* the parser's errors must not crowd out earlier ones */
    enum part part = IN_OPTIONS;
    uint32_t end = (uint32_t)program->size;
    bool ended = false;
    uint32_t others = 0;
    for (uint32_t i = 0; i < program->nstatements; i++) {
        const struct statement *s =
            others < program->others.count ? program_other(program, others) : NULL;
        if (!s || s->place != i) {
            const struct insn *insn = program_insn(program, i - others);
            c.reported = 0;
            check_part(&c, &part, IN_STATEMENTS, insn->span.offset);
            check_instruction(&c, &flow, insn);
            continue;
        }
        others++;
        check_statement(&c, &flow, s, &part);
        if (s->kind == STMT_END) {
            ended = true;
            end = check_next_token(&c, span_end(s->span));
        }
    }
    c.reported = 0;
    check_part(&c, &part, IN_STATEMENTS, end);
    check_flow_end(&c, &flow, end);
    c.reported = 0;
    if (!ended && !program->cut_off)
        check_error(&c, FOR_ALL, (struct span){(uint32_t)program->size, 0}, "the program does not end with END");
    check_labels(&c);
    check_numbers(&c);
    check_parameters(&c);
    check_aliases(&c);
    check_arrays(&c, end);
    check_calls(&c);
    if (has_option(&c, OPTION_NV_geometry_shader_passthrough))
        check_passed(&c);
    if (c.colours_differ)
        check_colours_used(&c);
    check_differences(program);
    asm_warn(program);
    vec_free(&flow.blocks);
}

/* #version as the first thing that is no blank and no comment, as GLSL wants it. */
static bool is_glsl(const char *text, size_t size)
{
    static const char version[] = "#version";
    const char *at = text, *end = text + size;
    for (;;) {
        while (at < end && *at && strchr(" \t\r\n", *at))
            at++;
        if (end - at < 2 || at[0] != '/')
            break;
        const char *close = NULL;
        if (at[1] == '/')
            close = memchr(at, '\n', (size_t)(end - at));
        for (const char *p = at + 2; at[1] == '*' && p + 1 < end && !close; p++)
            close = p[0] == '*' && p[1] == '/' ? p + 1 : NULL;
        if (!close)
            return false;
        at = close + 1;
    }
    return (size_t)(end - at) >= sizeof version - 1 && memcmp(at, version, sizeof version - 1) == 0;
}

void asm_check_header(struct gp5_program *program, unsigned targets)
{
    size_t size = program->size, at = 1, length;
    const char *text = program->text;
    static const char state[] = "!!VSP1.0";
    for (size_t i = 0; i < program->diags.count; i++)
        program->diags.list[i].targets &= ~targets;
    if (size >= sizeof state - 1 && memcmp(text, state, sizeof state - 1) == 0) {
        diag_add(
            &program->diags, DIAG_ERROR, targets, (struct span){0, sizeof state - 1},
            "vertex state programs are not taken: they draw nothing, only glExecuteProgramNV runs them, and drivers "
            "of today have no such function");
        return;
    }
    struct diag *d = diag_add(&program->diags, DIAG_ERROR, targets, (struct span){0, 0},
                              "a program begins with its header, such as !!NVcp5.0 or !!ARBfp1.0");
    if (is_glsl(text, size))
        diag_hint(d, "this is a shader in GLSL, which gp5 capture has NVIDIA's driver compile to assembly");
    else if (size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0)
        diag_hint(d, "the text begins with a byte order mark; the header must be at its first byte");
    else if (size > 1 && gp5_find_program(text, size, &at, &length))
        diag_hint(d, "it must be at the first byte, before any space or comment; gp5 check --extract reads programs in "
                     "other text");
}
