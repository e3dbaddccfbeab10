/* Opcodes, modifiers and keywords by their text: asm/words.h. */
#include "asm/words.h"
#include "asm/isa.h"

const struct keyword_info keyword_table[KEY_COUNT] = {
#define KEYWORD(name, profiles, gated, option) [KEY_##name] = {#name, profiles, gated, OPTION_##option},
#include "asm/keywords.def"
#undef KEYWORD
};

unsigned words_option(unsigned id)
{
    return id < OP_COUNT               ? op_table[id].option
           : id < OP_COUNT + KEY_COUNT ? keyword_table[id - OP_COUNT].option
                                       : OPTION_NONE;
}

static bool is_gated(unsigned id, unsigned profile)
{
    return (id < OP_COUNT ? op_table[id].gated : keyword_table[id - OP_COUNT].gated) >> profile & 1;
}

bool words_open(unsigned id, unsigned profile, uint64_t options)
{
    uint32_t profiles = id < OP_COUNT ? op_table[id].profiles : keyword_table[id - OP_COUNT].profiles;
    bool open = id < OP_COUNT ? asm_op_open(id, options) : asm_option_open(options, words_option(id));
    return profiles >> profile & 1 && (open || !is_gated(id, profile));
}

/* A word of at most eight letters and what it is: enum gp5_op, from OP_COUNT on keywords; or enum gp5_modifier. */
enum { WORD_SLOTS = 512 };
struct word_slot {
    char text[sizeof(uint64_t)];
    uint16_t id;
};
#define WORDS_OF_STATEMENTS
#include "words.inc"

/* As asm/gen/words.awk computes it, which has no numbers beyond 53 bits. */
static inline unsigned slot_of(uint64_t word)
{
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    return ((uint32_t)word * 790121u + (uint32_t)(word >> 32) * 564971u) >> 23;
}

static unsigned find(const struct word_slot *table, uint64_t word, unsigned none)
{
    for (unsigned slot = slot_of(word);; slot = (slot + 1) % WORD_SLOTS) {
        uint64_t there = word_pack(table[slot].text, sizeof table[slot].text);
        if (there == word)
            return word ? table[slot].id : none;
        if (!there)
            return none;
    }
}

/* Of more letters than fit in one word: few, and rarely asked for. */
static bool is_long(const char *name, const char *text, size_t length)
{
    return name[0] == text[0] && strncmp(name, text, length) == 0 && name[length] == '\0';
}

unsigned words_find_statement(const char *text, size_t length)
{
    if (length <= sizeof(uint64_t))
        return find(statements, word_load(text, length), OP_COUNT + KEY_NONE);
    for (size_t i = 0; i < sizeof longer / sizeof *longer; i++) {
        unsigned id = longer[i];
        if (is_long(id < OP_COUNT ? op_table[id].name : keyword_table[id - OP_COUNT].name, text, length))
            return id;
    }
    return OP_COUNT + KEY_NONE;
}

static bool ends_with(const char *text, size_t length, const char *end)
{
    size_t n = strlen(end);
    return length > n && memcmp(text + length - n, end, n) == 0;
}

/* By group: what stands first in the name has the smallest. */
static const struct {
    const char *end;
    uint8_t group;
    uint32_t needs, profiles;
} suffixes[] = {
    {"_SSAT", 3, M_SAT, NV_ALL | AFP2},
    {"_SAT", 3, M_SAT, NV_ALL | ARB_FP | AVP3 | FP10},
    {"C0", 2, M_CC, NV_ALL | AVP3},
    {"C1", 2, M_CC, NV_ALL | AVP3},
    {"C", 2, M_CC, NV_ALL | SUFFIXED},
    {"R", 1, M_HALF, NV_ALL | AFP1 | AFP2 | FP10},
    {"H", 1, M_HALF, NV_ALL | AFP1 | AFP2 | FP10},
    {"X", 1, M_FIXED, NV_ALL | AFP1 | AFP2 | FP10},
};

size_t words_find_suffix(const char *text, size_t length, unsigned profile, unsigned *id)
{
    size_t name = length;
    unsigned needs = 0, group = 4;
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
        if (suffixes[i].group >= group || (profile != PROFILE_NONE && !profile_in(profile, suffixes[i].profiles)) ||
            !ends_with(text, name, suffixes[i].end))
            continue;
        group = suffixes[i].group;
        name -= strlen(suffixes[i].end);
        needs |= suffixes[i].needs;
        unsigned found = words_find_statement(text, name);
        if (found < OP_COUNT) {
            if (profile != PROFILE_NONE && (op_table[found].modifiers & needs) != needs)
                return 0;
            *id = found;
            return length - name;
        }
    }
    return 0;
}

unsigned words_find_modifier(const char *text, size_t length)
{
    return find(modifiers, word_load(text, length), MOD_UNKNOWN);
}
