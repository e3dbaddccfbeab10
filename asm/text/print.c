/* The printer. The tokens of a statement are those of the text; what changes is the space between them, the lines, and
 * the order of an opcode's modifiers. So a program that parses parses again to the same. */
#include "asm/text/print.h"

#include <string.h>

enum { INDENT = 4, DEEPEST = 12, WIDTH = 90 };

struct out {
    char *bytes;
    size_t size, capacity;
    size_t line;                /* where the current line begins */
    bool failed;
};

static void put(struct out *out, const char *bytes, size_t size)
{
    if (out->failed)
        return;
    if (size == 0)
        return;             /* there may be no bytes yet to copy to */
    if (size > out->capacity - out->size) {
        size_t capacity = out->capacity * 2 + size + 256;
        char *grown = gp5_realloc(out->bytes, capacity);
        if (!grown) {
            out->failed = true;
            return;
        }
        out->bytes = grown;
        out->capacity = capacity;
    }
    memcpy(out->bytes + out->size, bytes, size);
    out->size += size;
}

static void put_char(struct out *out, char c)
{
    put(out, &c, 1);
}

static void end_line(struct out *out)
{
    put_char(out, '\n');
    out->line = out->size;
}

static void indent(struct out *out, size_t depth)
{
    for (size_t i = 0; i < depth && i < DEEPEST; i++)
        put(out, "    ", INDENT);
}

/* ---- the tokens of a statement ----------------------------------------------------------------------------------- */

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$';
}

/* Behind `at`, beyond space and comments: comments inside a statement are statements of their own. */
static size_t skip(const char *text, size_t at, size_t end)
{
    while (at < end) {
        if (is_space(text[at]))
            at++;
        else if (text[at] == '#')
            while (at < end && text[at] != '\n' && text[at] != '\r')
                at++;
        else
            break;
    }
    return at;
}

/* Words and numbers hold together; a number may hold a point and a signed exponent. */
static size_t token_end(const char *text, size_t at, size_t end)
{
    size_t start = at;
    bool number = text[at] >= '0' && text[at] <= '9';
    bool hex = number && at + 1 < end && (text[at + 1] == 'x' || text[at + 1] == 'X');
    if (text[at] == '.' && at + 1 < end && text[at + 1] == '.')
        return at + 2;
    if (text[at] == '.' && at + 1 < end && text[at + 1] >= '0' && text[at + 1] <= '9')
        number = true;
    else if (!is_word(text[at]))
        return at + 1;
    for (at++; at < end; at++) {
        char c = text[at];
        if (is_word(c))
            continue;
        if (number && c == '.' && !(at + 1 < end && text[at + 1] == '.') && !memchr(text + start, '.', at - start))
            continue;
        if (number && !hex && (c == '+' || c == '-') && (text[at - 1] == 'e' || text[at - 1] == 'E'))
            continue;
        break;
    }
    return at;
}

struct spacing {
    const struct gp5_program *program;
    struct out *out;
    unsigned brackets, braces;
    bool label;                 /* SUBROUTINENUM(n) */
    bool declaration;           /* lists are broken into lines */
    bool open_braces;           /* the outer braces hold a list of bindings and have space inside */
    char last;                  /* the last character, 0 at first */
    bool unary;                 /* it was a sign that belongs to what follows */
    bool call;                  /* it was handle or offset */
    bool in_bars;               /* an opening | was read */
};

static bool is_call(const char *text, size_t length)
{
    return (length == 6 && (memcmp(text, "handle", 6) == 0 || memcmp(text, "offset", 6) == 0)) ||
           (length == 9 && memcmp(text, "exthandle", 9) == 0);
}

/* Whether a space stands between the token before and this one. */
static bool wants_space(const struct spacing *s, const char *token)
{
    char c = token[0];
    if (s->last == 0 || c == ',' || c == ']' || c == '[' || (c == '.' && s->last != ','))
        return false;
    if (c == ')' || s->last == '(' || s->last == '[' || s->last == '.')
        return false;
    if (c == '}' || s->last == '{')
        return s->open_braces && s->braces == 1;
    if (c == '(')
        return !s->call && !s->label;
    if (s->unary)
        return false;
    return true;
}

static void put_token(struct spacing *s, const char *token, size_t length)
{
    struct out *out = s->out;
    char c = token[0];
    bool bar = c == '|' || s->last == '|';
    bool space = wants_space(s, token);
    if (bar) {                  /* |a|, -|a|: the opening one stands behind a space, a comma or a sign */
        bool opening = c == '|' && !s->in_bars;
        space = opening ? space : false;
        if (c != '|' && s->last == '|' && !s->in_bars)
            space = wants_space(s, token);
    }
    if (space) {
        if (s->declaration && s->last == ',' && out->size - out->line >= WIDTH) {
            end_line(out);
            indent(out, 1);
        } else {
            put_char(out, ' ');
        }
    }
    put(out, token, length);
    if (c == '|')
        s->in_bars = !s->in_bars;
    bool operand_before = is_word(s->last) || s->last == ']' || s->last == '}';
    s->unary = (c == '-' || c == '+') && !(s->brackets && operand_before);
    s->brackets += (c == '[') - (c == ']' && s->brackets);
    s->braces += (c == '{') - (c == '}' && s->braces);
    s->call = is_call(token, length);
    s->last = token[length - 1];
}

static void put_tokens(struct spacing *s, struct span span)
{
    const char *text = s->program->text;
    size_t end = span.offset + span.length;
    for (size_t at = skip(text, span.offset, end); at < end; at = skip(text, at, end)) {
        size_t next = token_end(text, at, end);
        put_token(s, text + at, next - at);
        at = next;
    }
}

/* ---- statements -------------------------------------------------------------------------------------------------- */

/* The order in which modifiers are written; those of one class keep theirs, since CVT's two types mean different
 * things. */
static const uint8_t rank[] = {
    [MC_ATOMIC] = 0, [MC_COUNTER] = 0, [MC_MATCH] = 0, [MC_DERIVATIVE] = 1, [MC_TYPE] = 2, [MC_SIZED] = 2,
    [MC_VECTOR] = 2, [MC_MUL] = 3, [MC_ROUNDING] = 4, [MC_TEXTURE] = 5, [MC_ACCESS] = 6, [MC_SCOPE] = 6,
    [MC_FLAG] = 7, [MC_CLAMP] = 8, [MC_CC] = 9, [MC_OPERATOR] = 0, [MC_VARIABLE] = 0, [MC_MEMORY] = 0,
};
enum { RANKS = 10 };

static void put_opcode(struct out *out, const struct gp5_program *program, const struct insn *insn)
{
    uint32_t name = insn_name(insn).offset, length = insn_name(insn).length;
    for (unsigned i = 0; i < insn->nmodifiers; i++) {   /* RC_SAT stays as it was written */
        const struct modifier *m = program_modifier(program, insn->modifier + i);
        if (m->suffix)
            length = m->span.offset + m->span.length;
    }
    put(out, program->text + name, length);
    for (unsigned r = 0; r < RANKS; r++)
        for (unsigned i = 0; i < insn->nmodifiers; i++) {
            const struct modifier *m = program_modifier(program, insn->modifier + i);
            const char *text = modifier_table[m->id].text;
            if (m->suffix || rank[modifier_table[m->id].class] != r)
                continue;
            put_char(out, '.');
            put(out, text, strlen(text));
        }
}

/* Where the opcode's word with its modifiers ends. */
static uint32_t opcode_end(const struct gp5_program *program, const struct insn *insn)
{
    struct span last = insn_name(insn);
    for (unsigned i = 0; i < insn->nmodifiers; i++) {
        struct span span = program_modifier_span(program, insn, i);
        if (span.offset >= last.offset)
            last = span;
    }
    return last.offset + last.length;
}

static void put_instruction(struct out *out, const struct gp5_program *program, const struct statement *st)
{
    const struct insn *insn = program_insn(program, st->ref);
    struct spacing s = {.program = program, .out = out, .last = 'a'};
    uint32_t end = opcode_end(program, insn);
    put_opcode(out, program, insn);
    put_tokens(&s, (struct span){end, st->span.offset + st->span.length - end});
}

static void put_declaration(struct out *out, const struct gp5_program *program, const struct statement *st)
{
    struct spacing s = {.program = program, .out = out, .declaration = true};
    const struct symbol *symbol = st->count ? program_symbol(program, st->ref + st->count - 1) : NULL;
    s.open_braces = symbol && (symbol->array || symbol->kind == SYM_SUBROUTINE_TYPE);
    put_tokens(&s, st->span);
}

static void put_statement(struct out *out, const struct gp5_program *program, const struct statement *st)
{
    struct spacing s = {.program = program, .out = out, .label = st->kind == STMT_LABEL};
    switch ((enum statement_kind)st->kind) {
    case STMT_COMMENT:
        put(out, program->text + st->span.offset, st->span.length);
        return;
    case STMT_BLANK:
    case STMT_BROKEN:
        return;
    case STMT_INSTRUCTION:
        put_instruction(out, program, st);
        break;
    case STMT_DECLARATION:
    case STMT_ALIAS:
        put_declaration(out, program, st);
        break;
    case STMT_LABEL:
        put_tokens(&s, st->span);
        put_char(out, ':');
        return;
    case STMT_END:
        put(out, "END", 3);
        return;
    case STMT_OPTION:
    case STMT_GROUP_SIZE:
    case STMT_SHARED_MEMORY:
    case STMT_STAGE:
    case STMT_PASSTHROUGH:
        put_tokens(&s, st->span);
        break;
    }
    put_char(out, ';');
}

/* How far a statement moves the block depth: for its own line, and for those behind it. */
static void block_steps(const struct gp5_program *program, const struct statement *st, int *own, int *after)
{
    *own = *after = 0;
    if (st->kind != STMT_INSTRUCTION)
        return;
    unsigned op = program_insn(program, st->ref)->op;
    *after = op_nesting(op);
    *own = op == OP_ELSE || *after < 0 ? -1 : 0;
}

/* A comment that leads up to ELSE, ENDIF or ENDREP belongs to the block that these end, and stays indented with it. */
char *asm_print(const struct gp5_program *program, size_t *size)
{
    struct out out = {0};
    const char *header = profile_table[program->headed].header;
    long depth = 0;
    put(&out, program->text, program->header);
    put(&out, header, strlen(header));
    for (uint32_t i = 0; i < program->nstatements; i++) {
        const struct statement whole_st = program_statement(program, i), *st = &whole_st;
        int own, after;
        if (st->kind == STMT_COMMENT && st->trailing) {
            put(&out, "  ", 2);
            put_statement(&out, program, st);
            continue;
        }
        end_line(&out);
        block_steps(program, st, &own, &after);
        if (st->kind != STMT_BLANK)
            indent(&out, depth + own > 0 ? (size_t)(depth + own) : 0);
        put_statement(&out, program, st);
        depth += after;
        if (depth < 0)
            depth = 0;
    }
    end_line(&out);
    put(&out, "", 1);
    if (out.failed) {
        gp5_free(out.bytes);
        return NULL;
    }
    if (size)
        *size = out.size - 1;
    return out.bytes;
}
