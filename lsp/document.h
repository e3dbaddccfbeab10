/* Open documents: their text as the client last gave it, the programs in it, and positions both ways. */
#ifndef GP5_LSP_DOCUMENT_H
#define GP5_LSP_DOCUMENT_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "asm/program.h"
#include "gp5.h"

/* A program of a document: all of it, or one of a script's sections. */
struct region {
    size_t offset, length;      /* in the document's bytes */
    gp5_program *program;
};

struct document {
    char *uri, *text;           /* the text ends in NUL behind its size */
    size_t size;
    json_int_t version;
    bool script;                /* begins with no header: programs are looked for in it */
    bool utf8;                  /* positions count bytes, else UTF-16 units (as the client and the server agreed) */
    struct region *regions;
    size_t nregions;
    struct line_index lines;
    struct document *next;
};

/* A new one, in front of the list; or, of the same name, the old one with the new text. False when memory ran out: then
 * it is as it was. */
bool document_set(struct document **list, const char *uri, const char *text, size_t size, json_int_t version,
                  bool utf8);
struct document *document_find(struct document *list, const char *uri);
void document_close(struct document **list, const char *uri);
void document_close_all(struct document **list);

/* The protocol's {line, character} of a byte, and the byte of one; a position beyond a line's end is its end, as the
 * protocol wants it. SIZE_MAX for what is no position. */
json_t *document_position(const struct document *d, size_t offset);
json_t *document_range(const struct document *d, size_t offset, size_t length);
size_t document_offset(const struct document *d, const json_t *position);

/* The program that a byte stands in, or behind the end of; NULL for none. */
const struct region *document_region(const struct document *d, size_t offset);

/* A word of the program's text: letters, digits, _ and $; length 0 where there is none. */
struct word { size_t offset, length; };
struct word word_at(const struct document *d, size_t offset);

/* A name of the program as it stands in the text: the next one from *at on, in the region, comments and what follows a
 * dot passed over. */
bool word_next(const struct document *d, const struct region *r, size_t *at, struct word *word);

/* What the word at an offset names in its program, or NO_INDEX: an index of its symbols. */
uint32_t word_symbol(const struct document *d, const struct region *r, struct word word);

/* As JSON wants it: bytes that are no UTF-8 become question marks. */
json_t *lsp_text(const char *text);

#endif
