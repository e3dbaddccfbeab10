/* gp5_parse: text to a checked program. */
#define _DEFAULT_SOURCE     /* madvise */

#include "parser/context.h"

#include "asm/check/check.h"
#include "gp5.h"
#include "parser.h"

#include <string.h>
#include <sys/mman.h>

enum { LARGEST = INT32_MAX - 16 };

/* How many statements and operands to expect, from pieces of a long text: semicolons, and commas outside of braces. */
struct expected {
    size_t statements, operands;
};

static struct expected expect(const struct gp5_program *program)
{
    enum { PIECES = 32, PIECE = 1024, LONG = 1 << 19 };
    struct expected e = {0, 0};
    size_t size = program->size;
    if (size < LONG)
        return e;
    for (size_t piece = 0; piece < PIECES; piece++) {
        const char *at = program->text + size / PIECES * piece, *end = at + PIECE;
        for (bool braces = false; at < end; at++) {
            braces = *at == '{' || (braces && *at != '}');
            e.statements += *at == ';';
            e.operands += *at == ',' && !braces;
        }
    }
    return (struct expected){size / (PIECES * PIECE) * e.statements, size / (PIECES * PIECE) * e.operands};
}

/* Room for what a text of this size usually holds, so that the arrays rarely move. Memory that is not touched costs
 * next to nothing; what will be filled for certain is asked for in large pages, since faults of small ones would cost
 * a fifth of the parser's time. */
static void reserve_one(struct vec *v, size_t count, size_t certain)
{
    if (count < certain + certain / 8)          /* growing would take old and new at once */
        count = certain + certain / 8;
    void *data = gp5_malloc(count * v->element);
    if (!data)
        return;             /* then they grow as they are filled */
    v->data = data;
    v->capacity = count;
#ifdef MADV_HUGEPAGE
    size_t size = certain * v->element, page = 1 << 21;
    uintptr_t first = ((uintptr_t)data + page - 1) / page * page, end = ((uintptr_t)data + size) / page * page;
    if (end > first)
        madvise((void *)first, end - first, MADV_HUGEPAGE);
#else
    (void)certain;
#endif
}

static void reserve(struct gp5_program *program)
{
    size_t size = program->size;
    struct expected e = expect(program);
    reserve_one(&program->others, size / 32 + 8, 0);
    reserve_one(&program->insns, size / 20 + 8, e.statements);
    reserve_one(&program->modifiers, size / 1024 + 64, 0);
    reserve_one(&program->operands, size / 8 + 16, e.operands);
    reserve_one(&program->indices, size / 32 + 8, 0);
    reserve_one(&program->symbols, size / 32 + 16, 0);
    reserve_one(&program->bindings, size / 64 + 8, 0);
    reserve_one(&program->constants, size / 64 + 8, 0);
}

static bool begin(struct parser *p, struct gp5_program *program)
{
    p->program = program;
    p->text = program->text;
    vec_init(&p->blocks, sizeof(struct block));
    vec_init(&p->jumps, sizeof(uint32_t));
    reserve(program);
    statement_next(p);
    p->at_start = true;
    p->loop = NO_INDEX;
    declare_reset(p);
    size_t header = program->header + strlen(profile_table[program->profile].header);
    p->token = (struct span){program->header, (uint32_t)(header - program->header)};
    return lexer_open(p, program->writable + header, program->size - header);
}

/* Empty lines at the end of the text lie between nothing. */
static void drop_last_blank(struct gp5_program *program)
{
    if (program->nstatements && program_statement(program, program->nstatements - 1).kind == STMT_BLANK) {
        program->others.count--;
        program->nstatements--;
    }
}

static void parse_program(struct gp5_program *program)
{
    struct parser *p = gp5_malloc(sizeof *p);
    if (!p) {
        program->diags.failed = true;
        return;
    }
    memset(p, 0, offsetof(struct parser, heads));
    if (begin(p, program)) {
        int status = gp5_yyparse(p);
        p->failed |= status == 2;
        if (p->pending && !p->after_end && !p->failed) {
            program->cut_off = true;
            statement_broken(p);
        }
        lexer_close(p);
        flow_end(p);
        drop_last_blank(program);
    } else {
        p->failed = true;
    }
    program->diags.failed |= p->failed;
    vec_free(&p->blocks);
    vec_free(&p->jumps);
    names_free(p);
    gp5_free(p);
}

gp5_program *gp5_parse(const char *text, size_t size)
{
    struct gp5_program *program = asm_program_new(text, size > LARGEST ? 0 : size);
    if (!program)
        return NULL;
    if (size > LARGEST) {
        diag_add(&program->diags, DIAG_ERROR, FOR_ALL, (struct span){0, 0}, "a program is smaller than 2 GB");
    } else {
        size_t header = 0;
        program->profile = asm_find_profile(text, size);
        if (program->profile == PROFILE_NONE)
            program->profile = asm_find_late_profile(text, size, &header);
        program->headed = program->profile;
        program->header = (uint32_t)header;
        if (program->profile == PROFILE_NONE) {
            asm_check_header(program, FOR_ALL);
        } else {
            parse_program(program);
            if (!program->diags.failed)
                asm_check(program);
            if (header)
                asm_check_header(program, FOR_ALL & ~(unsigned)FOR_MESA);
        }
    }
    diags_sort(&program->diags);
    if (program->diags.failed || program->arena.failed) {
        asm_program_free(program);
        return NULL;
    }
    return program;
}
