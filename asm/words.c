/* Opcodes, modifiers and keywords by their text: asm/words.h. */
#include "asm/words.h"
#include "asm/isa.h"

static const char *const keyword_names[KEY_COUNT] = {
#define KEYWORD(name) [KEY_##name] = #name,
    GP5_KEYWORDS(KEYWORD)
#undef KEYWORD
};

/* In which profiles a keyword begins a statement, and with which option. */
static const struct {
    uint16_t profiles;
    uint8_t option;
} keyword_table[KEY_COUNT] = {
    [KEY_OPTION] = {CP5 | AFP, OPTION_NONE},        [KEY_END] = {CP5 | AFP, OPTION_NONE},
    [KEY_TEMP] = {CP5 | AFP, OPTION_NONE},          [KEY_ATTRIB] = {CP5 | AFP, OPTION_NONE},
    [KEY_PARAM] = {CP5 | AFP, OPTION_NONE},         [KEY_OUTPUT] = {AFP, OPTION_NONE},
    [KEY_ALIAS] = {CP5 | AFP, OPTION_NONE},         [KEY_BUFFER] = {CP5, OPTION_NONE},
    [KEY_BUFFER4] = {CP5, OPTION_NONE},             [KEY_CBUFFER] = {CP5, OPTION_NONE},
    [KEY_STORAGE] = {CP5 | AFP, OPTION_NV_shader_storage_buffer},
    [KEY_SHARED] = {CP5, OPTION_NONE},              [KEY_TEXTURE] = {CP5, OPTION_NONE},
    [KEY_IMAGE] = {CP5, OPTION_NONE},               [KEY_COUNTER] = {CP5 | AFP, OPTION_NV_shader_atomic_counters},
    [KEY_SUBROUTINE] = {CP5, OPTION_NONE},          [KEY_SUBROUTINETYPE] = {CP5, OPTION_NONE},
    [KEY_GROUP_SIZE] = {CP5, OPTION_NONE},          [KEY_SHARED_MEMORY] = {CP5, OPTION_NONE},
    [KEY_SHORT] = {CP5, OPTION_NONE},               [KEY_LONG] = {CP5, OPTION_NONE},
    [KEY_INT] = {CP5, OPTION_NONE},                 [KEY_UINT] = {CP5, OPTION_NONE},
    [KEY_FLOAT] = {CP5, OPTION_NONE},
};

unsigned words_option(unsigned id)
{
    return id < OP_COUNT ? op_table[id].option : id < OP_COUNT + KEY_COUNT ? keyword_table[id - OP_COUNT].option : OPTION_NONE;
}

bool words_open(unsigned id, unsigned profile, uint64_t options)
{
    unsigned profiles = id < OP_COUNT ? op_table[id].profiles : keyword_table[id - OP_COUNT].profiles;
    unsigned option = words_option(id);
    if (!(profiles >> profile & 1))
        return false;
    return option == OPTION_NONE || options >> option & 1 || (id < OP_COUNT && !profile_table[profile].typed);
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
    if (length > sizeof(uint64_t))
        return;
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
    memset(words->opcode, 0, sizeof words->opcode);
    memset(words->modifier, 0, sizeof words->modifier);
    for (unsigned op = 0; op < OP_COUNT; op++)
        add_statement(words, op_table[op].name, op);
    for (unsigned key = 0; key < KEY_COUNT; key++)
        add_statement(words, keyword_names[key], OP_COUNT + key);
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

unsigned words_find_statement(const struct words *words, const char *text, size_t length)
{
    if (length > sizeof(uint64_t)) {
        for (unsigned key = 0; key < KEY_COUNT; key++)
            if (strlen(keyword_names[key]) == length && memcmp(keyword_names[key], text, length) == 0)
                return OP_COUNT + key;
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

size_t words_find_suffix(const struct words *words, const char *text, size_t length, unsigned *id)
{
    static const struct {
        const char *end;
        uint8_t group;
        uint32_t needs;
    } suffixes[] = {
        {"_SSAT", 3, M_SAT}, {"_SAT", 3, M_SAT}, {"C0", 2, M_CC}, {"C1", 2, M_CC}, {"C", 2, M_CC},
        {"R", 1, M_HALF},    {"H", 1, M_HALF},   {"X", 1, M_FIXED},
    };
    size_t name = length;
    unsigned needs = 0, group = 4;
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
        if (suffixes[i].group >= group || !ends_with(text, name, suffixes[i].end))
            continue;
        group = suffixes[i].group;
        name -= strlen(suffixes[i].end);
        needs |= suffixes[i].needs;
        unsigned found = words_find_statement(words, text, name);
        if (found < OP_COUNT) {
            if ((op_table[found].modifiers & needs) != needs)
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
