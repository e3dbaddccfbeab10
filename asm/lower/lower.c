/* gp5_lower: the text of a program with its statements of OPTION GP5_subgroup replaced. All else stays as it is
 * written. */
#include "asm/lower/lower.h"
#include "gp5.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void put(struct lower_text *text, const char *bytes, size_t size)
{
    if (text->failed)
        return;
    if (size > text->capacity - text->size) {
        size_t capacity = text->capacity * 2 + size + 1024;
        char *grown = gp5_realloc(text->bytes, capacity);
        if (!grown) {
            text->failed = true;
            return;
        }
        text->bytes = grown;
        text->capacity = capacity;
    }
    memcpy(text->bytes + text->size, bytes, size);
    text->size += size;
}

static void put_string(struct lower_text *text, const char *string)
{
    put(text, string, strlen(string));
}

/* ---- statements -------------------------------------------------------------------------------------------------- */

static int temporary_of(char letter)
{
    static const char letters[] = "MTVWDL";
    const char *at = strchr(letters, letter);
    return at && letter ? (int)(at - letters) : -1;
}

void lower_emit(struct lowering *l, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    for (const char *f = format; *f; f++) {
        char number[16];
        int temporary;
        if (*f != '%') {
            put(&l->out, f, 1);
            continue;
        }
        switch (*++f) {
        case 's':
            put_string(&l->out, va_arg(args, const char *));
            break;
        case 'c':
            number[0] = (char)va_arg(args, int);
            put(&l->out, number, 1);
            break;
        case 'd':
            snprintf(number, sizeof number, "%d", va_arg(args, int));
            put_string(&l->out, number);
            break;
        case 'u':
            snprintf(number, sizeof number, "%u", va_arg(args, unsigned));
            put_string(&l->out, number);
            break;
        case 'x':
            snprintf(number, sizeof number, "0x%08x", va_arg(args, unsigned));
            put_string(&l->out, number);
            break;
        default:
            temporary = temporary_of(*f);
            if (temporary >= 0) {
                l->used |= 1u << temporary;
                put_string(&l->out, l->name[temporary]);
            }
        }
    }
    va_end(args);
    put(&l->out, "\n", 1);
}

/* ---- what the program uses already ------------------------------------------------------------------------------- */

static void note_condition(const struct condition *c, bool used[2])
{
    if (c->written)
        used[c->cc & 1] = true;
}

static int free_condition_code(const struct gp5_program *p)
{
    bool used[2] = {false, false};
    for (uint32_t i = 0; i < p->insns.count; i++) {
        const struct insn *insn = program_insn(p, i);
        if (insn->cc_update)
            used[insn->cc_update - 1] = true;
        note_condition(&insn->condition, used);
        note_condition(&insn->dst.condition, used);
    }
    return !used[0] ? 0 : !used[1] ? 1 : -1;
}

static bool is_taken(const struct gp5_program *p, const char *prefix)
{
    size_t length = strlen(prefix);
    for (uint32_t i = 0; i < p->symbols.count; i++)
        if (strncmp(program_symbol(p, i)->name, prefix, length) == 0)
            return true;
    return false;
}

static void choose_names(struct lowering *l)
{
    static const char *const words[] = {"lanes", "moved", "value", "halves", "wide", "long"};
    char prefix[12] = "sg_";
    for (unsigned n = 1; is_taken(l->p, prefix); n++)
        snprintf(prefix, sizeof prefix, "sg%u_", n);
    for (unsigned t = 0; t < LOWER_TEMPORARIES; t++)
        snprintf(l->name[t], sizeof l->name[t], "%s%s", prefix, words[t]);
}

/* ---- the text ---------------------------------------------------------------------------------------------------- */

/* The offset behind the semicolon that ends a statement. */
static size_t behind(const struct gp5_program *p, struct span span)
{
    size_t at = span.offset + span.length;
    while (at < p->size && p->text[at] != ';') {
        if (p->text[at] == '#')
            while (at < p->size && p->text[at] != '\n' && p->text[at] != '\r')
                at++;
        else
            at++;
    }
    return at < p->size ? at + 1 : at;
}

/* The blanks before a statement that begins its line. */
static struct span indentation(const struct gp5_program *p, size_t offset)
{
    size_t start = offset;
    while (start > 0 && (p->text[start - 1] == ' ' || p->text[start - 1] == '\t'))
        start--;
    bool begins = start == 0 || p->text[start - 1] == '\n' || p->text[start - 1] == '\r';
    return begins ? (struct span){(uint32_t)start, (uint32_t)(offset - start)} : (struct span){(uint32_t)offset, 0};
}

/* The statement that was, as a comment of one line. */
static void put_original(struct lower_text *out, const struct gp5_program *p, struct span span)
{
    put_string(out, "# ");
    for (uint32_t i = 0; i < span.length; i++) {
        char c = p->text[span.offset + i];
        if (c == '#')
            break;
        put(out, c == '\n' || c == '\r' || c == '\t' ? " " : &c, 1);
    }
}

/* Lines under an indentation; the last one without its end. */
static void put_lines(struct lower_text *out, const struct gp5_program *p, struct span indent, const char *lines,
                      size_t size)
{
    for (size_t at = 0; at < size;) {
        const char *end = memchr(lines + at, '\n', size - at);
        size_t length = end ? (size_t)(end - lines) - at : size - at;
        put_string(out, "\n");
        put(out, p->text + indent.offset, indent.length);
        put(out, lines + at, length);
        at += length + 1;
    }
}

static void put_names(struct lower_text *out, const struct lowering *l, const char *keyword, unsigned from, unsigned to)
{
    const char *between = keyword;
    for (unsigned t = from; t < to; t++)
        if (l->used >> t & 1) {
            put_string(out, between);
            put_string(out, l->name[t]);
            between = ", ";
        }
    if (between != keyword)
        put_string(out, ";\n");
}

static void put_options(struct lower_text *out, const struct lowering *l)
{
    const char *between = "";
    for (unsigned option = OPTION_NONE + 1; option < OPTION_COUNT; option++)
        if ((l->options & ~l->p->options) >> option & 1) {
            put_string(out, between);
            put_string(out, "OPTION ");
            put_string(out, option_table[option].name);
            put_string(out, ";");
            between = "\n";
        }
}

/* ---- the program ------------------------------------------------------------------------------------------------- */

struct piece { size_t from, to; };      /* in the lines of all statements */

struct lowered {
    struct lowering l;
    struct lower_text lines;    /* of all statements, one after the other */
    struct vec pieces;          /* struct piece, one a statement */
};

static bool is_subgroup(const struct gp5_program *p, const struct statement *s)
{
    return s->kind == STMT_INSTRUCTION && op_table[program_insn(p, s->ref)->op].option == OPTION_GP5_subgroup;
}

/* Lowers all statements; what they need is known then. False at the first that cannot be. */
static bool lower_all(struct lowered *all, struct span *where)
{
    const struct gp5_program *p = all->l.p;
    for (uint32_t i = 0; i < p->nstatements; i++) {
        const struct statement whole_s = program_statement(p, i), *s = &whole_s;
        size_t at = vec_grow(&all->pieces);
        if (at == SIZE_MAX) {
            all->lines.failed = true;
            return false;
        }
        if (!is_subgroup(p, s))
            continue;
        all->l.insn = program_insn(p, s->ref);
        all->l.out = all->lines;
        size_t from = all->lines.size;
        lower_instruction(&all->l);
        all->lines = all->l.out;
        *(struct piece *)vec_at(&all->pieces, at) = (struct piece){from, all->lines.size};
        if (all->l.refusal || all->lines.failed) {
            *where = s->span;
            return false;
        }
    }
    return true;
}

/* Where the temporaries are declared: before the first statement behind the options and the group's size. */
static bool begins_statements(const struct statement *s)
{
    switch ((enum statement_kind)s->kind) {
    case STMT_DECLARATION: case STMT_ALIAS: case STMT_LABEL: case STMT_INSTRUCTION: case STMT_END: return true;
    default: return false;
    }
}

static void put_declarations(struct lower_text *out, const struct lowering *l)
{
    put_names(out, l, "TEMP ", LOWER_M, LOWER_D);
    put_names(out, l, "LONG TEMP ", LOWER_D, LOWER_TEMPORARIES);
}

static void put_program(struct lower_text *out, struct lowered *all)
{
    const struct gp5_program *p = all->l.p;
    size_t done = 0;
    bool declared = false, options = false;
    for (uint32_t i = 0; i < p->nstatements; i++) {
        const struct statement whole_s = program_statement(p, i), *s = &whole_s;
        const struct piece *piece = vec_at(&all->pieces, i);
        struct span indent = indentation(p, s->span.offset);
        if (!declared && begins_statements(s)) {
            put(out, p->text + done, indent.offset - done);
            put_declarations(out, &all->l);
            done = indent.offset;
            declared = true;
        }
        if (s->kind == STMT_OPTION && s->ref == OPTION_GP5_subgroup) {
            put(out, p->text + done, s->span.offset - done);
            if (!options)
                put_options(out, &all->l);
            options = true;
            done = behind(p, s->span);
        } else if (is_subgroup(p, s)) {
            put(out, p->text + done, s->span.offset - done);
            put_original(out, p, s->span);
            put_lines(out, p, indent, all->lines.bytes + piece->from, piece->to - piece->from);
            done = behind(p, s->span);
        }
    }
    put(out, p->text + done, p->size - done);
    put(out, "", 1);
}

static char *tell(const char *text)
{
    size_t size = strlen(text) + 1;
    char *copy = gp5_malloc(size);
    if (copy)
        memcpy(copy, text, size);
    return copy;
}

static char *finish(struct lowered *all, bool ok, struct span where, size_t *size, char **message)
{
    struct lower_text out = {0};
    char text[300];
    if (ok)
        put_program(&out, all);
    if (all->l.refusal) {
        unsigned line, column;
        gp5_locate(all->l.p, where.offset, &line, &column);
        snprintf(text, sizeof text, "not lowered: %s, at line %u, column %u", all->l.refusal, line, column);
        *message = tell(text);
    } else if (all->lines.failed || out.failed) {
        *message = tell("out of memory");
        gp5_free(out.bytes);
        out.bytes = NULL;
    } else if (size) {
        *size = out.size - 1;
    }
    gp5_free(all->lines.bytes);
    vec_free(&all->pieces);
    return out.bytes;
}

char *gp5_lower(const gp5_program *program, unsigned flags, size_t *size, char **message)
{
    struct lowered all = {.l = {.p = program, .allow_internal = flags & GP5_LOWER_ALLOW_INTERNAL}};
    struct span where = {0, 0};
    *message = NULL;
    if (size)
        *size = 0;
    if (!gp5_valid(program, GP5_TARGET_GP5)) {
        *message = tell("the program is not valid");
        return NULL;
    }
    all.l.cc = free_condition_code(program);
    if (program->options >> OPTION_NV_internal & 1)
        all.l.allow_internal = true;
    choose_names(&all.l);
    vec_init(&all.pieces, sizeof(struct piece));
    bool ok = lower_all(&all, &where);
    if (all.l.used >> LOWER_D)
        all.l.options |= UINT64_C(1) << OPTION_NV_gpu_program_fp64;
    return finish(&all, ok, where, size, message);
}
