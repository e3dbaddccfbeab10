/* Plain statements: an opcode and operands of one token each, which the scanner has collected (lexer/plain.c). What is
 * not the name of a variable goes the way of all others. */
#include "parser/context.h"

#include "parser.h"

#include <string.h>

static struct constant_memo *memo_of(struct parser *p, struct token token)
{
    const char *text = p->text + token.offset;
    uint64_t key = token.length <= 8 ? word_load(text, token.length)
                                     : word_load(text, 8) ^ word_load(text + token.length - 8, 8) << 1;
    return &p->constants[(key + token.length) * UINT64_C(0x9e3779b97f4a7c15) >> 58];
}

/* A constant of one token: a number, or numbers in braces and perhaps components. What was written before in the same
 * letters, and nothing was said of it, is the same constant. */
static void plain_constant(struct parser *p, unsigned kind, struct token token, unsigned flags, uint32_t start)
{
    struct constant_memo *memo = memo_of(p, token);
    _Static_assert(CONSTANT_SLOTS == 1 << 6, "the shift in memo_of");
    size_t before = p->program->diags.count;
    if (memo->length != token.length || memcmp(p->text + memo->offset, p->text + token.offset, token.length) != 0) {
        if (kind == VECTOR) {
            constant_vector(p, token);
        } else {
            constant_begin(p, token, true);
            constant_add(p, token, 0);
            p->suffix.length = 0;
        }
        *memo = (struct constant_memo){.offset = token.offset, .constant = constant_keep(p)};
        memo->letters = (uint8_t)(p->suffix.length < UINT8_MAX ? p->suffix.length : 0);
        if (p->program->diags.count == before && p->suffix.length < UINT8_MAX && memo->constant != NO_INDEX)
            memo->length = token.length;
    } else {
        p->suffix = (struct span){token.offset + token.length - memo->letters, memo->letters};
        p->program->constants_written++;
    }
    operand_number(p, memo->constant, flags, start, token.offset + token.length);
}

/* The variable that a word names, or NO_INDEX; counted as its use. */
static uint32_t variable(struct parser *p, struct token word)
{
    uint32_t symbol = names_find(p, p->text + word.offset, word.id);
    if (symbol == NO_INDEX)
        return NO_INDEX;
    struct symbol *s = program_symbol(p->program, symbol);
    if (s->kind == SYM_ALIAS) {
        symbol = s->binding;
        s = program_symbol(p->program, symbol);
    }
    s->uses++;
    return symbol;
}

/* What is said of a path may stand at the token behind it, a comma or a semicolon. */
static void path_of(struct parser *p, unsigned kind, struct token token)
{
    uint32_t end = token.offset + token.length;
    while (p->text[end] == ' ' || p->text[end] == '\t')
        end++;
    p->token = (struct span){end, 1};
    if (kind == ELEMENT)
        path_element(p, token);
    else
        path_begin(p, token);
}

static void plain_result(struct parser *p, unsigned kind, struct token token)
{
    struct result *r = &p->insn->dst;
    uint32_t symbol = kind == WORD ? variable(p, token) : NO_INDEX;
    if (symbol == NO_INDEX) {
        path_of(p, kind, token);
        result_path(p);
        return;
    }
    r->written = r->word = true;
    r->kind = OPND_SYMBOL;
    r->ref = symbol;
    uint32_t behind = p->head.offset + p->head.length;
    if (p->text[behind] != ' ' || token.offset != behind + 1)   /* it mostly stands there, and is a word */
        result_place(p, (struct span){token.offset, token.length});
    result_mask(p, token.id < token.length ? (struct span){token.offset + token.id + 1, token.length - token.id - 1}
                                           : (struct span){0, 0});
}

static void plain_operand(struct parser *p, unsigned kind, struct token token, unsigned flags, uint32_t start)
{
    uint32_t symbol;
    switch (kind) {
    case VECTOR:
    case INTEGER:
    case HEX:
    case FLOAT_NUMBER:
        plain_constant(p, kind, token, flags, start);
        break;
    case WORD:
        if ((symbol = variable(p, token)) != NO_INDEX) {
            operand_variable(p, symbol, token, flags, start);
            break;
        }
        /* fall through */
    default:
        path_of(p, kind, token);
        operand_path(p, flags, start);
        break;
    }
}

static void declare_one(struct parser *p, unsigned kind, struct token name)
{
    if (kind == ELEMENT)
        declare_element(p, name, false);
    else
        declare_name(p, name);
}

static void initial_value(struct parser *p, unsigned kind, struct token value)
{
    switch (kind) {
    case WORD:
    case ELEMENT:
        path_of(p, kind, value);
        declare_path(p);
        break;
    case VECTOR:
        declare_vector(p, value, true);
        break;
    default:
        constant_begin(p, value, true);
        constant_add(p, value, 0);
        declare_constant(p);
        break;
    }
}

static void plain_declaration(struct parser *p)
{
    const struct plain *plain = &p->plain;
    struct span end = p->token;
    declare_begin(p, plain->first);
    for (unsigned i = 0; i < plain->count && (i == 0 || plain->head == TEMP); i++)
        declare_one(p, plain->kind[i], plain->token[i]);
    if (plain->head != TEMP) {
        if (plain->open)
            declare_open(p);
        initial_value(p, plain->kind[1], plain->token[1]);
        if (plain->open)
            declare_close(p, (struct token){plain->open, 1, 0}, (struct token){plain->close, 1, 0});
    }
    p->token = end;
    declare_end(p);
}

void statement_plain(struct parser *p)
{
    const struct plain *plain = &p->plain;
    if (plain->declares) {
        plain_declaration(p);
        return;
    }
    struct span end = p->token;
    if (p->head_memo && p->head_memo->known) {
        *p->insn = p->head_memo->insn;
        p->head_taken = true;
    }
    plain_result(p, plain->kind[0], plain->token[0]);
    for (unsigned i = 1; i < plain->count; i++) {
        bool negative = plain->negative >> i & 1;
        plain_operand(p, plain->kind[i], plain->token[i], negative ? OPND_NEGATE : 0,
                      negative ? plain->sign[i] : plain->token[i].offset);
    }
    p->token = end;
    statement_instruction(p);
}
