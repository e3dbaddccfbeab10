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

static inline unsigned slot_of(uint64_t word)
{
    return (unsigned)(word * UINT64_C(0x9e3779b97f4a7c15) >> 55) % WORD_SLOTS;
}

static unsigned free_slot(const uint64_t *table, uint64_t word)
{
    unsigned slot = slot_of(word);
    while (table[slot])
        slot = (slot + 1) % WORD_SLOTS;
    return slot;
}

static void add_statement(struct words *words, const char *text, unsigned id)
{
    size_t length = strlen(text);
    if (length > sizeof(uint64_t)) {
        if (words->nlonger < MOST_LONGER)
            words->longer[words->nlonger++] = (uint16_t)id;
        return;
    }
    uint64_t word = word_pack(text, length);
    unsigned slot = free_slot(words->opcode, word);
    words->opcode[slot] = word;
    words->opcode_id[slot] = (uint16_t)id;
}

static void add_modifier(struct words *words, const char *text, size_t length, unsigned id)
{
    uint64_t word = word_pack(text, length);
    unsigned slot = free_slot(words->modifier, word);
    words->modifier[slot] = word;
    words->modifier_id[slot] = (uint8_t)id;
}

void words_init(struct words *words)
{
    _Static_assert(OP_COUNT + KEY_COUNT < WORD_SLOTS / 2, "more words need more slots");
    _Static_assert(2 * MOD_COUNT < WORD_SLOTS, "more modifiers need more slots");
    words->nlonger = 0;
    memset(words->opcode, 0, sizeof words->opcode);
    memset(words->modifier, 0, sizeof words->modifier);
    for (unsigned op = 0; op < OP_COUNT; op++)
        add_statement(words, op_table[op].name, op);
    for (unsigned key = 0; key < KEY_COUNT; key++)
        add_statement(words, keyword_table[key].name, OP_COUNT + key);
    for (unsigned id = MOD_NONE + 1; id < MOD_UNKNOWN; id++) {
        const char *text = modifier_table[id].text;
        size_t length = strlen(text);
        add_modifier(words, text, length, id);
        if (id == MOD_F16X2 || id == MOD_F16X4) {       /* these two are written with a small x as well */
            char small[9];
            memcpy(small, text, length + 1);
            small[length - 2] = 'x';
            add_modifier(words, small, length, id);
        }
    }
}

/* Of more letters than fit in one word: few, and rarely asked for. */
static bool is_long(const char *name, const char *text, size_t length)
{
    return name[0] == text[0] && strncmp(name, text, length) == 0 && name[length] == '\0';
}

unsigned words_find_statement(const struct words *words, const char *text, size_t length)
{
    if (length > sizeof(uint64_t)) {
        for (unsigned i = 0; i < words->nlonger; i++) {
            unsigned id = words->longer[i];
            if (is_long(id < OP_COUNT ? op_table[id].name : keyword_table[id - OP_COUNT].name, text, length))
                return id;
        }
        return OP_COUNT + KEY_NONE;
    }
    uint64_t word = word_load(text, length);
    for (unsigned slot = slot_of(word); words->opcode[slot]; slot = (slot + 1) % WORD_SLOTS)
        if (words->opcode[slot] == word)
            return words->opcode_id[slot];
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

size_t words_find_suffix(const struct words *words, const char *text, size_t length, unsigned profile, unsigned *id)
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
        unsigned found = words_find_statement(words, text, name);
        if (found < OP_COUNT) {
            if (profile != PROFILE_NONE && (op_table[found].modifiers & needs) != needs)
                return 0;
            *id = found;
            return length - name;
        }
    }
    return 0;
}

unsigned words_find_modifier(const struct words *words, const char *text, size_t length)
{
    uint64_t word = word_load(text, length);
    if (word)
        for (unsigned slot = slot_of(word); words->modifier[slot]; slot = (slot + 1) % WORD_SLOTS)
            if (words->modifier[slot] == word)
                return words->modifier_id[slot];
    return MOD_UNKNOWN;
}
