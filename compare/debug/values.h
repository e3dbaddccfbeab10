/* What a program's values are called, and of what type they are: registers, inputs, state and results by the words that
 * one writes for them. */
#ifndef GP5_COMPARE_VALUES_H
#define GP5_COMPARE_VALUES_H

#include "eval/decode/prepare.h"

enum { NAME_ROOM = 96 };

/* Components of one value: the first one's plane, and how many. */
struct debugger_register {
    char name[NAME_ROOM];       /* "R0", "a[2]", "fragment.texcoord[0]" */
    uint32_t plane[4];
    uint8_t component[4];
    unsigned n;
    uint32_t symbol;            /* a variable, or NO_INDEX */
    bool wide;
    char type;                  /* 'F' 'S' 'U', of a binding; 0: of what was written last */
};

/* R0, R0.x, a[2].xy, a parameter or an attribute by its name, a binding as a program writes it (vertex.position,
 * state.matrix.mvp.row[0], result.color.w). False when the program has none such. */
bool values_find(const struct gp5_executable *x, const char *word, struct debugger_register *r);

/* The at-th input, state or result that the program uses (from 0): which of them `result` and `state` say. False beyond
 * the last. */
bool values_binding(const struct gp5_executable *x, size_t at, bool result, bool state, struct debugger_register *r);

/* Of the register that a plane belongs to: "R0", "a[2]". */
void values_plane_name(const struct gp5_executable *x, uint32_t plane, char name[NAME_ROOM]);
/* A register of 64 bits has two planes of one name, the low half first. */
bool values_is_wide(const struct gp5_executable *x, uint32_t plane);

/* What an instruction writes: 'F' 'S' 'U'. */
char values_type_of(const struct insn *insn);
/* What a variable's component is of before anything was written: as it is declared, or as the first instruction writes
 * it. */
char values_declared(const struct gp5_program *p, uint32_t symbol, unsigned component);
/* A parameter that stands for a constant: the text of that. */
bool values_constant(const struct gp5_executable *x, const char *word, struct span *text);
/* The i-th component: "R0.x". */
void values_component_name(const struct debugger_register *r, unsigned i, char name[NAME_ROOM + 2]);

#endif
