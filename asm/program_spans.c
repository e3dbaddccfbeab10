/* Where parts of a statement stand that no array says: texture targets, tests, constants (asm/program.h). Diagnostics
 * ask for them, so that what is right pays nothing. */
#include "asm/program.h"

static uint32_t span_end(struct span span)
{
    return span.offset + span.length;
}

static bool is_name_character(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$';
}

static uint32_t behind_name(const char *text, uint32_t at)
{
    while (is_name_character(text[at]))
        at++;
    return at;
}

static uint32_t behind_word(const char *text, uint32_t at)
{
    while (is_name_character(text[at]) || text[at] == '.')
        at++;
    return at;
}

struct span program_word_behind(const char *text, uint32_t first)
{
    uint32_t at = behind_word(text, first);
    while (text[at] == ' ' || text[at] == '\t')
        at++;
    return (struct span){at, behind_word(text, at) - at};
}

struct span program_result_span(const struct gp5_program *p, const struct insn *insn)
{
    uint32_t low = 0, high = (uint32_t)p->places.count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        const struct result_place *place = program_place(p, middle);
        if (place->statement == insn->span.offset)
            return place->span;
        if (place->statement < insn->span.offset)
            low = middle + 1;
        else
            high = middle;
    }
    return program_word_behind(p->text, insn->span.offset);
}

static bool is_operand(const struct gp5_program *p, const struct insn *insn, uint32_t offset)
{
    for (uint32_t i = 0; i < insn->nsrc; i++)
        if (program_operand(p, insn->src + i)->span.offset == offset)
            return true;
    return false;
}

/* The word behind a comma that is the target's and no operand. */
struct span program_target_span(const struct gp5_program *p, const struct insn *insn)
{
    const char *target = target_table[insn->texture_target].text;
    uint32_t length = (uint32_t)strlen(target), end = span_end(insn->span);
    for (uint32_t at = insn->span.offset; at < end; at++) {
        at = program_next_token(p, at);
        if (at >= end || p->text[at] != ',')
            continue;
        uint32_t word = program_next_token(p, at + 1);
        if (behind_name(p->text, word) == word + length && memcmp(p->text + word, target, length) == 0 &&
            !is_operand(p, insn, word))
            return (struct span){word, length};
    }
    return (struct span){insn->span.offset, length};
}

/* EQ0.xyzw, which begins at or behind `at`, perhaps in parentheses. */
static struct span test_at(const struct gp5_program *p, uint32_t at)
{
    const char *text = p->text;
    at = program_next_token(p, at);
    if (text[at] == '(')
        at = program_next_token(p, at + 1);
    uint32_t end = behind_name(text, at), dot = program_next_token(p, end);
    if (text[dot] == '.') {
        uint32_t letters = dot + 1;
        while (text[letters] && strchr(" \t\r\n", text[letters]))
            letters++;
        while (is_name_character(text[letters])) {
            end = behind_name(text, letters);
            letters = text[end] == '.' ? end + 1 : end;
        }
    }
    return (struct span){at, end - at};
}

struct span program_test_span(const struct gp5_program *p, const struct insn *insn)
{
    if (insn->dst.condition.written)
        return test_at(p, span_end(program_result_span(p, insn)));
    uint32_t at = span_end(insn->nmodifiers ? program_modifier_span(p, insn, insn->nmodifiers - 1u) : insn_name(insn));
    if (insn->nsrc)             /* CAL, CALI */
        at = span_end(program_operand(p, insn->src + insn->nsrc - 1)->span);
    return test_at(p, at);
}

static uint32_t behind_digits(const char *text, uint32_t at)
{
    while (text[at] >= '0' && text[at] <= '9')
        at++;
    return at;
}

struct span program_constant_span(const struct gp5_program *p, const struct operand *constant)
{
    struct span base = program_base(p, constant);
    const char *text = p->text;
    uint32_t at = base.offset;
    if (text[at] == '{') {
        const char *close = memchr(text + at, '}', base.length);
        return (struct span){at, close ? (uint32_t)(close - text) + 1 - at : base.length};
    }
    if (text[at] == '0' && (text[at + 1] | 0x20) == 'x')
        return (struct span){at, behind_name(text, at) - at};
    uint32_t end = behind_digits(text, at);
    if (end == at && text[at] != '.')       /* inf and nan */
        return (struct span){at, behind_name(text, at) - at};
    if (text[end] == '.')
        end = behind_digits(text, end + 1);
    if ((text[end] | 0x20) == 'e') {
        uint32_t digits = end + 1 + (text[end + 1] == '-' || text[end + 1] == '+');
        end = text[digits] >= '0' && text[digits] <= '9' ? behind_digits(text, digits) : end;
    }
    return (struct span){at, end - at};
}
