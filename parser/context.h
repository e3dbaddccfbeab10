/* What one parse keeps while it runs: the scanner's place, the words and names it looks up, and the pieces of the
 * statement that is being read. Shared by lexer/lexer.l, parser/parser.y and the actions in parser/; nobody else. */
#ifndef GP5_PARSER_CONTEXT_H
#define GP5_PARSER_CONTEXT_H

#include "asm/program.h"
#include "asm/words.h"

/* ---- tokens: their text; for an opcode which one it is ---------------------------------------------------------- */

struct token {
    uint32_t offset, length;
    uint32_t id;                /* OP tokens: enum gp5_op; keywords: enum keyword; WORD: the length of its first word */
};

/* ---- a path: what names an operand before it is looked up: words, indices, words --------------------------------- */

enum { PATH_PARTS = 8, PATH_INDICES = 4 };

struct path {
    struct span part[PATH_PARTS];       /* dotted words as they stand in the text */
    struct index index[PATH_INDICES];
    uint8_t before[PATH_INDICES];       /* how many parts stand before that index */
    uint8_t range[PATH_INDICES];        /* first..last was written; `last` holds the second */
    uint8_t empty[PATH_INDICES];        /* [] was written */
    uint32_t last[PATH_INDICES];
    uint8_t nparts, nindices;
    uint32_t first;             /* length of the first word */
    bool too_long;
    struct span span;
};

struct block {                  /* an open IF or REP */
    uint32_t insn;
    uint32_t otherwise;         /* its ELSE, or NO_INDEX */
    uint32_t outer_loop;        /* a REP: the loop around it */
    uint16_t op;
};

/* A statement that may be plain (lexer/plain.c): the operands or names read so far. */
enum { PLAIN_OPERANDS = 4, PLAIN_TOKENS = 8 };
struct plain {
    uint8_t wanted;             /* operands, the result counted; 0 when no such statement is being read */
    uint8_t count;              /* read so far */
    uint8_t negative;           /* a bit an operand */
    bool declares;              /* it declares names, and these are its tokens */
    uint16_t kind[PLAIN_TOKENS];        /* WORD, ELEMENT, VECTOR or a number */
    int head;                   /* the opcode's or keyword's token */
    struct token first, token[PLAIN_TOKENS];
    uint32_t sign[PLAIN_OPERANDS];      /* of a negative one: where its minus stands */
    uint32_t open, close;       /* where braces stand around the one initial value, or 0 */
};

/* Opcodes with their modifiers, by the word that they are written as: all that it says of an instruction. */
enum { HEAD_SLOTS = 64, LONGEST_HEAD = 16, CONSTANT_SLOTS = 64 };
struct head_memo {
    uint64_t key[2];            /* the word itself, of `length` bytes */
    uint32_t length, op;
    uint8_t suffix;             /* see head_suffix */
    bool known;                 /* insn is filled: its modifiers and what they amount to, and nothing else */
    struct insn insn;
};

enum { MEMO_SLOTS = 32 };

struct parser {
    struct gp5_program *program;
    const char *text;           /* the program's own copy */
    bool failed;                /* memory ran out: stop */

    /* The scanner. */
    void *scanner;
    unsigned char pool[1024];   /* its few small objects, so that it never runs out of memory by itself */
    size_t pool_used;
    bool takes_patches;         /* PRIMITIVE_IN PATCHES */
    bool at_start;              /* the next word begins a statement */
    bool after_end;             /* END was read */
    bool line_break;            /* a line ended since the last token */
    bool in_statement;          /* prefixes were read: the statement has begun, though the next word is looked up */
    uint32_t resume;            /* behind a statement without its ';' or a comment of C: where the next one begins */
    struct span token;          /* the look-ahead */
    struct span comments;       /* read through for what stands behind them: once, however many errors are in them */
    uint32_t last_end;          /* where the token before it ended */
    struct plain plain;

    /* Declared names: open addressing; an entry is symbol + 1, 0 is free. */
    struct names {
        struct name_slot {
            uint64_t key;       /* up to eight letters themselves, of a longer name a hash of it */
            uint32_t symbol;    /* + 1 */
            uint32_t length;
        } *slot;
        size_t size, used;
    } names;

    /* Bindings that stand in operands again and again, by the word that they are written as. */
    struct binding_memo {
        uint64_t key;
        uint32_t offset, length;
        uint16_t kind;
        uint16_t suffix;        /* where the components begin, or the length */
    } memo[MEMO_SLOTS];

    /* What is being read: the path of an operand, the index between brackets, the constant between braces. */
    struct path path;
    unsigned flags;             /* signs and bars before it: enum operand_flags */
    enum path_role { ROLE_OPERAND, ROLE_RESULT, ROLE_DECLARATION } role;    /* what it is looked up for */
    struct index inner;
    struct span register_name;  /* of that index: a name that nobody declared */
    struct constant constant;
    struct scaled scaled;       /* its values for F64 */
    struct span constant_span;  /* without components */
    struct constant_memo {      /* those that were kept, by their text */
        uint32_t offset, length, constant;
        uint8_t letters;        /* of its components */
    } constants[CONSTANT_SLOTS];
    struct span suffix;         /* the components behind a constant, without the dot */

    /* The statement that is being read. */
    struct token head;          /* its first token */
    struct token option_name;   /* of an OPTION that is being read, or length 0 */
    bool head_is_op;
    bool pending;               /* it has begun and not ended */
    struct head_memo *head_memo;                /* what is known of the opcode's word, or NULL */
    bool head_taken;            /* and stands in `insn` already */
    uint64_t heads_met;         /* which places of `heads` hold anything */
    uint8_t head_suffix;        /* length of the _SAT, C, H ... that ends the opcode, or 0 */
    struct span end;            /* of END */
    struct insn *insn;          /* the place of the next instruction, behind the last of program->insns: its result,
                                 * condition and texture access are filled as they are read, the rest at its end */
    struct insn spare;          /* stands in for it when memory ran out */
    uint32_t first_operand, first_symbol, first_binding;
    struct symbol declared;     /* what prefixes and keyword say */
    uint8_t sizes, types;       /* how many prefixes of a kind were written */
    uint32_t last_symbol;       /* the name that was declared last in this statement, or NO_INDEX */
    bool braces;                /* the initial value stands in braces */
    struct span brace_span;
    uint32_t items;             /* of the initial value */
    bool bad_item;              /* one of them was reported */
    uint8_t nselects;
    uint32_t loop;              /* the innermost open REP, or NO_INDEX */

    struct vec blocks;          /* struct block */
    struct vec jumps;           /* uint32_t: BRK, CONT and CAL, whose partners come later */

    struct head_memo heads[HEAD_SLOTS];         /* the last of all: it begins unfilled */
};

/* Room for one more element, which the caller fills; NULL without memory. */
static inline void *parse_push(struct parser *p, struct vec *v, size_t element)
{
    if (v->count < v->capacity)
        return (char *)v->data + v->count++ * element;
    size_t index = vec_grow(v);
    if (index == SIZE_MAX) {
        p->failed = true;
        return NULL;
    }
    return (char *)v->data + index * element;
}
#define PUSH(p, v, type) ((type *)parse_push(p, &(p)->program->v, sizeof(type)))

/* A statement that is no instruction, from its first token to the last one read; NULL without memory. */
static inline struct statement *statement_add(struct parser *p, enum statement_kind kind)
{
    struct statement *s = PUSH(p, others, struct statement);
    if (s)
        *s = (struct statement){.kind = (uint8_t)kind, .place = p->program->nstatements++,
                                .span = {p->head.offset, p->last_end - p->head.offset}};
    return s;
}

/* ---- parser/names.c ---------------------------------------------------------------------------------------------- */

uint32_t names_find(const struct parser *p, const char *text, size_t length);   /* NO_INDEX if there is none */
uint32_t names_find_label(const struct parser *p, const char *text, size_t length);
uint32_t names_add(struct parser *p, enum symbol_kind kind, struct span name);  /* NO_INDEX without memory */
/* The same where it is known whether there is such a name. */
uint32_t names_declare(struct parser *p, enum symbol_kind kind, struct span name, bool known);
void names_free(struct parser *p);

/* ---- parser/path.c ----------------------------------------------------------------------------------------------- */

void path_begin(struct parser *p, struct token word);
/* The pieces of an ELEMENT token: what stands before, between and behind its brackets; suffix.length may be 0. */
struct element {
    struct token name, index, suffix;
    bool number;                /* between them is one */
};
struct element element_of(const struct parser *p, struct token token);
void path_element(struct parser *p, struct token element);      /* c[3].x, m[R0.y] in one token */
void path_suffix(struct parser *p, struct token suffix);
void path_add_index(struct parser *p, struct token open, struct token close);   /* takes p->inner */
void path_add_range(struct parser *p, struct token first, struct token last, struct token open, struct token close);
void path_add_empty(struct parser *p, struct token open, struct token close);

void index_constant(struct parser *p, struct token number);
void index_register(struct parser *p, struct token word, const struct token *element, const struct token *suffix);
void index_element(struct parser *p, struct token element);
void index_offset(struct parser *p, struct token number, bool negative);

/* What a path stands for. */
struct target {
    uint8_t kind;               /* OPND_SYMBOL, OPND_BINDING, OPND_CC, or OPND_NONE when nothing has this name */
    uint8_t nindices;
    uint32_t ref;
    uint32_t index;             /* run in program->indices */
    struct span suffix;         /* components, without the dot; length 0 when there are none */
    bool reported;              /* nothing, and it was said why */
};
void path_resolve(struct parser *p, struct target *target);
struct span without_dot(const struct parser *p, struct token suffix);

/* ---- parser/binding.c -------------------------------------------------------------------------------------------- */

struct binding_match {
    uint32_t binding;
    unsigned indices;           /* of the path that belong to it */
    struct span suffix;         /* components, without the dot */
    bool reported;              /* it is none, and it was said why */
};
bool binding_find(struct parser *p, struct binding_match *match);

/* ---- parser/registers.c ------------------------------------------------------------------------------------------ */

uint32_t registers_find(struct parser *p, struct span name);    /* a symbol, which is made now; NO_INDEX if there is
                                                                 * none */
bool registers_reserve(const struct parser *p, struct span name);       /* v, o, f, TEX0: no names to declare */
bool registers_in_brackets(const struct parser *p);     /* the path is v, o or f so far: a name may follow in
                                                         * brackets */
bool registers_binding(struct parser *p, struct binding_match *match);  /* v[OPOS] */

/* ---- parser/operand.c -------------------------------------------------------------------------------------------- */

void operand_path(struct parser *p, unsigned flags, uint32_t start);
void operand_constant(struct parser *p, unsigned flags, uint32_t start);
/* The constant of one token, whose components are in p->suffix. */
void operand_number(struct parser *p, uint32_t constant, unsigned flags, uint32_t start, uint32_t end);
void operand_variable(struct parser *p, uint32_t symbol, struct token word, unsigned flags, uint32_t start);
void operand_handle(struct parser *p, struct token word);
void operand_gather(struct parser *p, struct token suffix);     /* handle(D0.x).y */
void operand_select(struct parser *p, struct token token, bool negative);
void operand_texture_offset(struct parser *p, struct token number, bool negative);
/* Where the result of the statement at hand stands. */
void result_place(struct parser *p, struct span span);
void result_path(struct parser *p);
void result_mask(struct parser *p, struct span letters);
void condition_set(struct parser *p, struct condition *condition, struct token word, const struct token *suffix,
                   bool parentheses);
void result_condition(struct parser *p, struct token word, const struct token *suffix);
bool parse_swizzle(const char *text, size_t length, uint8_t *swizzle, uint8_t *letters, bool *rgba);
bool parse_mask(const char *text, size_t length, uint8_t *mask, bool *rgba);

/* ---- parser/constant.c ------------------------------------------------------------------------------------------- */

void constant_begin(struct parser *p, struct token open, bool scalar);
void constant_add(struct parser *p, struct token number, char sign);
void constant_word(struct parser *p, struct token word, char sign);     /* {0.5, NAN} */
void constant_close(struct parser *p, struct token close);
void constant_vector(struct parser *p, struct token vector);    /* all of {1, 2}.x in one token */
bool constant_named(struct parser *p);          /* the path is inf or nan: it becomes the constant */
uint32_t constant_keep(struct parser *p);       /* its index, or NO_INDEX without memory */
void parse_suffix(struct parser *p, struct token suffix);
uint64_t parse_integer(struct parser *p, struct token number, uint64_t limit);  /* says when it is larger */

/* ---- parser/statement.c ------------------------------------------------------------------------------------------ */

void statement_next(struct parser *p);          /* forgets what was read of the statement before */
void statement_more_modifiers(struct parser *p, struct token suffix);
void statement_instruction(struct parser *p);
void statement_broken(struct parser *p);
void statement_label(struct parser *p, struct token name, const struct token *number);
unsigned declare_reserved_for(const struct parser *p,
                              struct token name); /* the targets for which it cannot be a name */
void statement_option(struct parser *p, struct token name);
void statement_end(struct parser *p);
void statement_group_size(struct parser *p, unsigned count, const struct token *numbers);
void statement_shared_memory(struct parser *p, struct token number);
void statement_stage(struct parser *p, struct token keyword, const struct token *value, bool negative);
void statement_passthrough(struct parser *p, struct token keyword);
void parse_syntax_error(struct parser *p, bool bad_number, const char *const *expected, size_t count);

/* ---- parser/plain.c ---------------------------------------------------------------------------------------------- */

void statement_plain(struct parser *p);

/* ---- parser/flow.c ----------------------------------------------------------------------------------------------- */

void flow_instruction(struct parser *p, uint32_t insn);
void flow_end(struct parser *p);                /* partners of BRK, CONT and CAL, when everything was read */

/* ---- parser/declare.c -------------------------------------------------------------------------------------------- */

void declare_prefix(struct parser *p, struct token prefix);
void declare_begin(struct parser *p, struct token keyword);
void declare_name(struct parser *p, struct token name);
void declare_open(struct parser *p);
void declare_close(struct parser *p, struct token open, struct token close);
void declare_array(struct parser *p, const struct token *size);
void declare_element(struct parser *p, struct token element, bool subroutine);  /* c[4] in one token */
void declare_path(struct parser *p);
void declare_constant(struct parser *p);
void declare_vector(struct parser *p, struct token vector, bool initial);
void declare_alias(struct parser *p, struct token name, struct token old);
void declare_label_reference(struct parser *p, struct token name);
void declare_subroutine_type(struct parser *p, struct token name);
void declare_subroutine_name(struct parser *p, struct token name);
void declare_subroutine(struct parser *p, struct token type);
void declare_end(struct parser *p);
void declare_reset(struct parser *p);

/* ---- lexer/lexer.l ----------------------------------------------------------------------------------------------- */

bool lexer_open(struct parser *p, char *text, size_t size);    /* text[size] and text[size + 1] are NUL */
void lexer_close(struct parser *p);
int lexer_next(struct token *token, void *scanner);
void lexer_resume(struct parser *p);            /* goes on at p->resume with a new statement */
void lexer_go_on(struct parser *p, const char *at);             /* the next token begins there */
char lexer_next_byte(const struct parser *p);                  /* the one behind the look-ahead */
uint32_t lexer_next_offset(const struct parser *p);            /* where the token behind the look-ahead begins */

/* ---- lexer/plain.c ----------------------------------------------------------------------------------------------- */

/* 0 where the scanner goes on, else the token that the parser gets. */
int lexer_begin(struct parser *p, const struct token *token, int head);         /* a statement that may be plain */
int lexer_operand(struct parser *p, struct token *token, int kind, const char *text, uint32_t length, uint32_t first);
int lexer_again(struct parser *p, struct token *token);         /* it is not */

/* ---- lexer/comments.c -------------------------------------------------------------------------------------------- */

void lexer_comment(struct parser *p, struct span span);
void lexer_blank(struct parser *p);

#endif
