/* Opcodes, modifiers and keywords by their text, for the scanner: nearly all have no more than eight letters and are
 * looked up by one 64-bit word. The tables of them are written when gp5 is built (asm/gen/words.awk). */
#ifndef GP5_ASM_WORDS_H
#define GP5_ASM_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum keyword {
#define KEYWORD(name, profiles, gated, option) KEY_##name,
#include "asm/keywords.def"
#undef KEYWORD
    KEY_COUNT,
    KEY_NONE = KEY_COUNT
};

struct keyword_info {
    const char *name;
    uint32_t profiles, gated;   /* enum profile_bits: where it is, and where only with its option */
    uint8_t option;             /* enum gp5_option */
};
extern const struct keyword_info keyword_table[KEY_COUNT];

/* Up to eight bytes in one word, zero for longer ones. */
static inline uint64_t word_pack(const char *text, size_t length)
{
    uint64_t word = 0;
    if (length <= sizeof word)
        memcpy(&word, text, length);
    return word;
}

/* The same of a text with eight bytes behind its first that may be read (asm/program.h, PROGRAM_PADDING). */
static inline uint64_t word_load(const char *text, size_t length)
{
    uint64_t word;
    memcpy(&word, text, sizeof word);
    if (length >= sizeof word)
        return length == sizeof word ? word : 0;
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    return length ? word & ~(UINT64_MAX >> 8 * length) : 0;
#else
    return word & ~(UINT64_MAX << 8 * length);
#endif
}

/* How much of such a text stands before its first dot or bracket. */
static inline uint32_t word_first(const char *text, uint32_t length)
{
    uint32_t first = 0;
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    const uint64_t ones = UINT64_C(0x0101010101010101);
    for (; first < length; first += sizeof(uint64_t)) {     /* eight bytes at once: the lowest that is one */
        uint64_t word, dot, bracket, ends;
        memcpy(&word, text + first, sizeof word);
        dot = word ^ ones * '.';
        bracket = word ^ ones * '[';
        ends = ((dot - ones) & ~dot) | ((bracket - ones) & ~bracket);
        ends &= ones * 0x80;
        if (ends) {
            first += (uint32_t)__builtin_ctzll(ends) / 8;
            break;
        }
    }
    return first < length ? first : length;
#else
    while (first < length && text[first] != '.' && text[first] != '[')
        first++;
    return first;
#endif
}

/* The texts of these two are such texts. */

/* enum gp5_op, or OP_COUNT + enum keyword; OP_COUNT + KEY_NONE if the text is neither. */
unsigned words_find_statement(const char *text, size_t length);

/* The letters at the end of an opcode's name that are modifiers of the older kind, in this order: R H X, C C0 C1, _SAT
 * _SSAT. How many there are; *id is the opcode before them. 0 if the text is none, or one that does not take them. */
/* For PROFILE_NONE whether or not any opcode takes them. */
size_t words_find_suffix(const char *text, size_t length, unsigned profile, unsigned *id);

/* Whether a program of this profile with these options (1 << enum gp5_option) has the opcode or keyword; which option
 * it would need. */
bool words_open(unsigned id, unsigned profile, uint64_t options);
unsigned words_option(unsigned id);

/* enum gp5_modifier; MOD_UNKNOWN if there is none. */
unsigned words_find_modifier(const char *text, size_t length);

#endif
