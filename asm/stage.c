/* The words of asm/stage.h. */
#include "asm/stage.h"

#include <string.h>

static const char *const names[STAGE_WORD_COUNT] = {
    [STAGE_WORD_NONE] = "",
#define WORD(name) [STAGE_WORD_##name] = #name,
    GP5_STAGE_WORDS(WORD)
#undef WORD
};

enum stage_word asm_find_stage_word(const char *text, size_t length)
{
    for (int word = STAGE_WORD_NONE + 1; word < STAGE_WORD_COUNT; word++)
        if (strlen(names[word]) == length && memcmp(names[word], text, length) == 0)
            return (enum stage_word)word;
    return STAGE_WORD_NONE;
}

const char *asm_stage_word(unsigned word)
{
    return names[word < STAGE_WORD_COUNT ? word : STAGE_WORD_NONE];
}
