/* What was probably meant: the nearest known word, if it is near. */
#include "asm/check/suggest.h"

#include "asm/words.h"

#include <ctype.h>
#include <string.h>

enum { LONGEST = 40 };

/* Optimal string alignment distance; beyond `limit` it may be any larger value. */
unsigned asm_word_distance(const char *a, size_t n, const char *b, size_t m, unsigned limit)
{
    unsigned row[3][LONGEST + 1];
    if (n > LONGEST || m > LONGEST || (n > m ? n - m : m - n) > limit)
        return limit + 1;
    for (size_t j = 0; j <= m; j++)
        row[0][j] = (unsigned)j;
    for (size_t i = 1; i <= n; i++) {
        unsigned *now = row[i % 3], *before = row[(i - 1) % 3], *twice = row[(i + 1) % 3];
        now[0] = (unsigned)i;
        for (size_t j = 1; j <= m; j++) {
            unsigned change = before[j - 1] + (a[i - 1] != b[j - 1]);
            unsigned best = before[j] + 1 < now[j - 1] + 1 ? before[j] + 1 : now[j - 1] + 1;
            best = change < best ? change : best;
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] && twice[j - 2] + 1 < best)
                best = twice[j - 2] + 1;
            now[j] = best;
        }
    }
    return row[n % 3][m];
}

struct search {
    const char *text;
    size_t length;
    unsigned limit, best;
    const char *found;
    bool tie;                   /* another one is as near */
};

static struct search begin(const struct gp5_program *program, struct span word)
{
    struct search s = {.text = program->text + word.offset, .length = word.length};
    s.limit = word.length <= 2 ? 0 : word.length <= 5 ? 1 : 2;
    s.best = s.limit + 1;
    return s;
}

static bool same_but_case(const char *a, size_t n, const char *b)
{
    for (size_t i = 0; i < n; i++)
        if (toupper((unsigned char)a[i]) != toupper((unsigned char)b[i]))
            return false;
    return b[n] == '\0';
}

static void consider(struct search *s, const char *candidate)
{
    size_t length = 0;
    while (candidate[length] && length <= LONGEST)
        length++;
    unsigned d = same_but_case(s->text, s->length, candidate)
                     ? 0
                     : asm_word_distance(s->text, s->length, candidate, length, s->limit);
    if (d < s->best) {
        s->best = d;
        s->found = candidate;
        s->tie = false;
    } else if (d == s->best && s->found && strcmp(candidate, s->found)) {
        s->tie = true;
    }
}

/* Names are many: only the first thousands are looked at, so that a bad program costs no more than a good one. */
enum { MOST_NAMES = 2000 };

const char *asm_suggest_name(const struct gp5_program *program, struct span name, bool *only)
{
    struct search s = begin(program, name);
    for (uint32_t i = 0; i < program->symbols.count && i < MOST_NAMES; i++) {
        const struct symbol *symbol = program_symbol(program, i);
        if (symbol->span.offset < name.offset)
            consider(&s, symbol->name);
    }
    *only = s.found && !s.tie;
    return s.found;
}

const char *asm_suggest_statement(const struct gp5_program *program, struct span word, bool *only)
{
    struct search s = begin(program, word);
    for (int op = 0; op < OP_COUNT; op++)
        if (op_table[op].profiles & 1u << program->profile)
            consider(&s, op_table[op].name);
    for (size_t key = 0; key < KEY_COUNT; key++)
        if (keyword_table[key].profiles & 1u << program->profile)
            consider(&s, keyword_table[key].name);
    *only = s.found && !s.tie;
    return s.found;
}

const char *asm_suggest_option(const struct gp5_program *program, struct span word, bool *only)
{
    struct search s = begin(program, word);
    for (int option = OPTION_NONE + 1; option < OPTION_COUNT; option++)
        if (option_table[option].profiles & 1u << program->profile)
            consider(&s, option_table[option].name);
    *only = s.found && !s.tie;
    return s.found;
}

const char *asm_suggest_modifier(const struct gp5_program *program, struct span word, bool *only)
{
    struct search s = begin(program, word);
    for (int id = MOD_NONE + 1; id < MOD_UNKNOWN; id++)
        consider(&s, modifier_table[id].text);
    *only = s.found && !s.tie;
    return s.found;
}

/* Components behind it are no part of a binding's words. */
static struct span without_components(const struct gp5_program *program, struct span path)
{
    const char *text = program->text + path.offset;
    uint32_t length = path.length;
    while (length > 0 && strchr("xyzwrgba", text[length - 1]))
        length--;
    if (length > 0 && text[length - 1] == '.' && path.length - length <= 4)
        path.length = length - 1;
    return path;
}

const char *asm_suggest_binding(const struct gp5_program *program, struct span *word, bool *only)
{
    *word = without_components(program, *word);
    struct search s = begin(program, *word);
    for (int id = BIND_CONSTANT + 1; id < BIND_COUNT; id++)
        if (binding_table[id].profiles & 1u << program->profile)
            consider(&s, binding_table[id].words);
    *only = s.found && !s.tie;
    return s.found;
}
