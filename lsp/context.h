/* Where in a statement a place stands, for hover and completion. */
#ifndef GP5_LSP_CONTEXT_H
#define GP5_LSP_CONTEXT_H

#include "lsp/document.h"

enum lsp_context {
    LSP_COMMENT,        /* nothing is offered */
    LSP_OPCODE,         /* a word that begins a statement, without modifiers */
    LSP_MODIFIER,       /* behind a dot of that word */
    LSP_OPTION,         /* the name behind OPTION */
    LSP_OPERAND         /* anything else */
};

struct context {
    enum lsp_context kind;
    struct word opcode;         /* the statement's first word, up to its dot */
    struct word typed;          /* what completion replaces: the word, of operands with its dots and brackets, that
                                 * ends at the place */
};

struct context lsp_context_at(const struct document *d, const struct region *r, size_t offset);

/* The options that the program names, a bit each. */
uint64_t lsp_options(const struct gp5_program *program);

/* The opcode that a word is, with its suffixes (ADDC, MUL_SAT) or without; OP_UNKNOWN for none. */
unsigned lsp_find_op(const struct document *d, struct word word);

/* The keyword that it is, KEY_NONE for none. */
unsigned lsp_find_keyword(const struct document *d, struct word word);

#endif
