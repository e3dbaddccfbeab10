/* The words that declarations of a stage take: PRIMITIVE_IN POINTS, TESS_SPACING EQUAL ... */
#ifndef GP5_ASM_STAGE_H
#define GP5_ASM_STAGE_H

#include <stddef.h>

#define GP5_STAGE_WORDS(WORD)                                                                                    \
    WORD(POINTS) WORD(LINES) WORD(LINES_ADJACENCY) WORD(TRIANGLES) WORD(TRIANGLES_ADJACENCY) WORD(PATCHES)       \
    WORD(LINE_STRIP) WORD(TRIANGLE_STRIP) WORD(QUADS) WORD(ISOLINES) WORD(EQUAL) WORD(FRACTIONAL_ODD)            \
    WORD(FRACTIONAL_EVEN) WORD(CW) WORD(CCW)

enum stage_word {
    STAGE_WORD_NONE,
#define WORD(name) STAGE_WORD_##name,
    GP5_STAGE_WORDS(WORD)
#undef WORD
    STAGE_WORD_COUNT
};

/* STAGE_WORD_NONE if the text is none. */
enum stage_word asm_find_stage_word(const char *text, size_t length);
const char *asm_stage_word(unsigned word);

#endif
