/* Plain statements, which the scanner keeps whole. Nearly all instructions are an opcode and its operands, each a name,
 * an element, a vector or a number, perhaps with a minus before it; nearly all declarations are names, or one and what
 * it stands for. The scanner brings their tokens here, where it is seen what stands between them, and the parser gets
 * one token for all of it (parser/plain.c). When something else comes up, nothing has happened yet: the scanner goes
 * back behind the statement's first word. */
#include "parser/context.h"

#include "parser.h"

/* How many tokens a plain statement with this head has, 0 for another shape; of names it is the most. */
static unsigned plain_tokens(int head)
{
    switch (head) {
    case OP_R1: case DECLARE_ONE: return 2;
    case OP_R2: return 3;
    case OP_R3: return 4;
    case TEMP: return PLAIN_TOKENS;
    default: return 0;
    }
}

/* 0 for the head of a statement that may be plain. */
int lexer_begin(struct parser *p, const struct token *token, int head)
{
    struct plain *plain = &p->plain;
    plain->wanted = (uint8_t)plain_tokens(head);
    plain->declares = head == DECLARE_ONE || head == TEMP;
    plain->count = plain->negative = 0;
    plain->open = 0;
    plain->head = head;
    plain->first = *token;
    return plain->wanted ? 0 : head;
}

int lexer_again(struct parser *p, struct token *token)
{
    p->plain.wanted = 0;
    *token = p->plain.first;
    lexer_go_on(p, p->text + p->head.offset + p->head.length);
    return p->plain.head;
}

static inline const char *behind_blanks(const char *at)
{
    while (*at == ' ' || *at == '\t')
        at++;
    return at;
}

/* All was read but the semicolon. */
static int plain_end(struct parser *p, struct token *token, const char *at, uint32_t end)
{
    token->offset = (uint32_t)(at - p->text);
    token->length = 1;
    p->token = (struct span){token->offset, 1};
    p->last_end = end;
    p->at_start = true;
    p->plain.wanted = 0;
    at = behind_blanks(at + 1);
    p->line_break = *at == '\n' || *at == '\r';
    if (p->line_break)
        at = behind_blanks(at + 1 + (at[0] == '\r' && at[1] == '\n'));
    lexer_go_on(p, at);
    return PLAIN;
}

static bool begins_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* A name, of which was read all up to `at`, or what one stands for: TEMP a, b;  PARAM c = program.local[0];
 * PARAM m[4] = { state.matrix.mvp }; */
static int plain_declared(struct parser *p, struct token *token, int kind, const char *at)
{
    struct plain *plain = &p->plain;
    bool word = kind == WORD || kind == ELEMENT;
    struct token *last = &plain->token[plain->count - 1];
    uint32_t end = last->offset + last->length;
    if (plain->head == TEMP) {
        if (*at == ';' && word)
            return plain_end(p, token, at, end);
        if (*at != ',' || !word || plain->count == plain->wanted)
            return lexer_again(p, token);
        lexer_go_on(p, behind_blanks(at + 1));
        return 0;
    }
    if (plain->count == 1) {
        if (*at != '=' || !word)
            return lexer_again(p, token);
        at = behind_blanks(at + 1);
        if (*at == '{' && begins_name(*behind_blanks(at + 1))) {
            plain->open = (uint32_t)(at - p->text);
            at = behind_blanks(at + 1);
        }
        lexer_go_on(p, at);
        return 0;
    }
    if (plain->open) {
        plain->close = (uint32_t)(at - p->text);
        if (*at != '}' || !word)
            return lexer_again(p, token);
        end = plain->close + 1;
        at = behind_blanks(at + 1);
    }
    return *at == ';' ? plain_end(p, token, at, end) : lexer_again(p, token);
}

int lexer_operand(struct parser *p, struct token *token, int kind, const char *text, uint32_t length, uint32_t first)
{
    struct plain *plain = &p->plain;
    uint32_t offset = (uint32_t)(text - p->text);
    const char *at = behind_blanks(text + length);
    if (!plain->count && kind != WORD && kind != ELEMENT)
        return lexer_again(p, token);
    plain->kind[plain->count] = (uint16_t)kind;
    plain->token[plain->count] = (struct token){offset, length, first};
    plain->count++;
    if (plain->declares)
        return plain_declared(p, token, kind, at);
    if (*at == ',' && plain->count < plain->wanted) {
        lexer_go_on(p, behind_blanks(at + 1));
        return 0;
    }
    if (*at != ';' || plain->count != plain->wanted)
        return lexer_again(p, token);
    return plain_end(p, token, at, offset + length);
}
