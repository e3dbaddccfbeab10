/* Making and freeing programs. */
#include "asm/program.h"

#include <string.h>

struct gp5_program *asm_program_new(const char *text, size_t size)
{
    struct gp5_program *program = gp5_malloc(sizeof *program);
    if (!program)
        return NULL;
    memset(program, 0, sizeof *program);
    arena_init(&program->arena);
    diags_init(&program->diags);
    vec_init(&program->others, sizeof(struct statement));
    vec_init(&program->insns, sizeof(struct insn));
    vec_init(&program->modifiers, sizeof(struct modifier));
    vec_init(&program->operands, sizeof(struct operand));
    vec_init(&program->indices, sizeof(struct index));
    vec_init(&program->symbols, sizeof(struct symbol));
    vec_init(&program->bindings, sizeof(struct binding));
    vec_init(&program->constants, sizeof(struct constant));
    vec_init(&program->scaled, sizeof(struct scaled));
    vec_init(&program->places, sizeof(struct result_place));
    program->writable = gp5_malloc(size + PROGRAM_PADDING);
    if (!program->writable) {
        gp5_free(program);
        return NULL;
    }
    if (size)
        memcpy(program->writable, text, size);
    memset(program->writable + size, 0, PROGRAM_PADDING);
    program->text = program->writable;
    program->size = size;
    return program;
}

struct statement program_statement(const struct gp5_program *p, uint32_t i)
{
    uint32_t low = 0, high = (uint32_t)p->others.count;
    while (low < high) {        /* how many of the others stand before it */
        uint32_t middle = low + (high - low) / 2;
        if (program_other(p, middle)->place < i)
            low = middle + 1;
        else
            high = middle;
    }
    if (low < p->others.count && program_other(p, low)->place == i)
        return *program_other(p, low);
    uint32_t ref = i - low;
    struct span span = ref < p->insns.count ? program_insn(p, ref)->span : (struct span){0, 0};
    return (struct statement){.kind = STMT_INSTRUCTION, .ref = ref, .place = i, .span = span};
}

struct span program_base(const struct gp5_program *program, const struct operand *o)
{
    const char *text = program->text;
    uint32_t start = o->span.offset, end = start + o->span.length;
    bool call = o->kind == OPND_HANDLE || o->flags & OPND_OFFSET;
    if (call)
        while (start < end && text[start++] != '(')
            ;
    while (start < end && memchr("-+| \t\r\n", text[start], 7))
        start++;
    if (o->kind == OPND_EXTENDED || o->flags & OPND_SELECTED)
        end = start + (uint32_t)strcspn(text + start, ", \t\r\n");
    while (end > start && (memchr("| \t\r\n", text[end - 1], 5) || (call && text[end - 1] == ')')))
        end--;
    return (struct span){start, end - start};
}

/* Names and numbers come first, then indices in brackets, then a dot. */
struct span program_suffix(const struct gp5_program *program, struct span path)
{
    const char *text = program->text + path.offset;
    uint32_t end = path.length, dot = end;
    while (dot > 0 && text[dot - 1] != '.' && text[dot - 1] != ']' && text[dot - 1] != '}')
        dot--;
    if (dot == 0 || text[dot - 1] != '.')
        return (struct span){path.offset + end, 0};
    while (dot < end && (text[dot] == ' ' || text[dot] == '\t' || text[dot] == '\r' || text[dot] == '\n'))
        dot++;
    return (struct span){path.offset + dot, end - dot};
}

void asm_program_free(struct gp5_program *program)
{
    if (!program)
        return;
    diags_free(&program->diags);
    vec_free(&program->others);
    vec_free(&program->insns);
    vec_free(&program->modifiers);
    vec_free(&program->operands);
    vec_free(&program->indices);
    vec_free(&program->symbols);
    vec_free(&program->bindings);
    vec_free(&program->constants);
    vec_free(&program->scaled);
    vec_free(&program->places);
    arena_free(&program->arena);
    gp5_free(program->writable);
    gp5_free(program);
}

uint32_t program_next_token(const struct gp5_program *program, uint32_t offset)
{
    const char *text = program->text;
    size_t size = program->size;
    while (offset < size) {
        char c = text[offset];
        if (c == '#') {
            while (offset < size && text[offset] != '\n' && text[offset] != '\r')
                offset++;
        } else if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
            offset++;
        } else {
            break;
        }
    }
    return offset;
}
