/* Shared by the checker's files. */
#ifndef GP5_ASM_CHECK_INTERNAL_H
#define GP5_ASM_CHECK_INTERNAL_H

#include "asm/check/check.h"
#include "asm/stage.h"
#include "asm/check/suggest.h"

enum { MAX_UNITS = 192, MAX_ATTRIBUTES = 32 };

struct checker {
    struct gp5_program *program;
    enum gp5_profile profile;
    unsigned reported;          /* target_bits for which this statement has an error already: one a statement is
                                 * enough */
    unsigned excluded;          /* target_bits that do not take this profile at all */
    uint64_t options;           /* named so far */
    bool typed;                 /* a profile with dotted modifiers */
    struct checked_head {       /* see check_plain.c */
        uint32_t key;
        bool ordinary, flows;
    } heads[128];
    uint16_t right_below[BIND_COUNT], right_without[BIND_COUNT];        /* see check_binding_indices */
    const struct operand *misplaced;            /* memory in the place of a register, of this instruction */
    uint64_t declared;          /* declarations of the stage so far: 1 << enum keyword */
    uint64_t broken;            /* those that could not be read */
    unsigned primitive, primitive_out;          /* enum stage_word of PRIMITIVE_IN and OUT, or STAGE_WORD_NONE */
    uint32_t buffers[2];        /* those of BUFFER and of BUFFER4 declarations so far, a bit each */
    uint32_t vertices_out;      /* of VERTICES_OUT */
    enum { INTERLOCK_NONE, INTERLOCK_OPEN, INTERLOCK_DONE } interlock;  /* behind FSIB, behind FSIE */
    uint32_t index_loops;       /* LOOP blocks that are open */
    uint32_t addresses, temporaries;            /* declared so far */
    bool in_subroutine;         /* behind a label that is not main */
    uint8_t attribute_interpolation[MAX_ATTRIBUTES];    /* of fragment.attrib[n]: enum interpolation and 1; 0
                                                         * undeclared */
    uint8_t colour_interpolation[2];            /* declared, of the primary and the secondary colour */
    bool colours_differ;                        /* one of them at least is not the default */
    /* enum gp5_texture_target that each texture unit is used with, as the driver reads an element of an array of units
     * and as the specifications do */
    uint8_t unit_target[MAX_UNITS], unit_target_text[MAX_UNITS];
};

/* Reports for those of the targets that this statement has no error for yet. NULL if there are none, or memory ran
 * out. */
struct diag *check_error(struct checker *c, unsigned targets, struct span span, const char *format, ...)
    DIAG_PRINTF(4, 5);

/* The same, where the driver reports it at another place than what it is about. */
void check_position(struct diag *diag, uint32_t position);

/* The offset of the first token at or behind `offset`. */
uint32_t check_next_token(const struct checker *c, uint32_t offset);

/* For %.*s: a span's text, cut to what a message can bear. */
int check_length(struct span span);
const char *check_text(const struct checker *c, struct span span);

static inline uint32_t span_end(struct span span)
{
    return span.offset + span.length;
}

static inline bool in_stage(const struct checker *c, enum program_stage stage)
{
    return profile_table[c->profile].stage_id == stage;
}

static inline enum generation generation_of(const struct checker *c)
{
    return (enum generation)profile_table[c->profile].generation;
}

static inline bool has_option(const struct checker *c, enum gp5_option option)
{
    return option == OPTION_NONE || c->options >> option & 1;
}

/* check_stage.c: what a stage declares, and where. A program has options, then these declarations, then statements. */
enum part { IN_OPTIONS, IN_STAGE, IN_STATEMENTS };
/* A statement of the part `now` begins at `position`: what the parts before it lack is said there. */
void check_part(struct checker *c, enum part *part, enum part now, uint32_t position);
void check_stage_statement(struct checker *c, const struct statement *s, enum part part);
/* A statement that could not be read, and whose first word is an option or a declaration of the stage. */
bool check_stands_early(struct checker *c, struct span span);

/* check_modifiers.c */
void check_modifiers(struct checker *c, const struct insn *insn);

/* Where the result of an instruction stands. */
static inline struct span check_result_span(const struct checker *c, const struct insn *insn)
{
    return program_result_span(c->program, insn);
}

/* check_index.c */
struct span check_first_word(const struct checker *c, struct span span);
void check_unknown_name(struct checker *c, struct span span, const char *role);
void check_unknown_operand(struct checker *c, const struct operand *o, const char *role);
/* `operand`, or the result of `writer`, is what the indices belong to. */
void check_indices(struct checker *c, const struct symbol *s, const struct operand *operand,
                   const struct insn *writer);
/* The index of an element of an array of textures or images. */
void check_element(struct checker *c, const struct operand *o);

/* check_memory.c */
bool check_is_memory(unsigned class);       /* enum operand_class */
void check_memory(struct checker *c, const struct insn *insn, const struct operand *o, unsigned class);

/* check_operands.c */
void check_operands(struct checker *c, const struct insn *insn);
void check_operand(struct checker *c, const struct insn *insn, const struct operand *o, unsigned class);
void check_glued(struct checker *c, struct span letters);

/* check_result.c */
void check_result(struct checker *c, const struct insn *insn);
/* A suffix that is none; `accepted` says which could stand here: a bit a length. */
enum { SUFFIX_SCALAR = 2, SUFFIX_MASK = 2 | 4 | 8 | 16, SUFFIX_SWIZZLE = 1, SUFFIX_VECTOR = 2 | 16 | SUFFIX_SWIZZLE };
struct diag *check_suffix(struct checker *c, unsigned accepted, struct span letters, const char *format, ...)
    DIAG_PRINTF(4, 5);
void check_second_dot(const struct checker *c, struct diag *d, struct span suffix, bool mask);

/* check_condition.c */
void check_condition(struct checker *c, const struct insn *insn, const struct condition *condition);
/* Says that these letters are r g b a, which are of fragment programs alone. */
void check_colours(struct checker *c, struct span letters, const char *what);

/* check_plain.c: what most instructions are like, so that most need no closer look. */
/* What is known of an opcode with its modifiers: that nothing is wrong with them; NULL if that must be looked at. */
const struct checked_head *check_known_head(const struct checker *c, const struct insn *insn);
/* Nothing was found wrong with an instruction that has them: so it will be until the next option. */
void check_keep_head(struct checker *c, const struct insn *insn);
void check_forget(struct checker *c);
void check_plain_symbol(const struct checker *c, struct symbol *s);     /* was declared */
/* The result and the operands of an instruction whose head is ordinary; whether all of them are plain, so that no text
 * forbids anything. */
bool check_ordinary(struct checker *c, const struct insn *insn);

/* check_option.c */
void check_option(struct checker *c, const struct statement *s, bool first);

/* check_option_text.c: what the texts of the options of ARB programs forbid and the driver takes. */
void check_option_text(struct checker *c, const struct insn *insn);

/* check_typed_text.c, check_typed_declare.c: what the texts of 4.0 and 5.0 forbid and the driver takes. */
void check_typed_text(struct checker *c, const struct insn *insn);
void check_typed_declaration(struct checker *c, const struct symbol *s, const struct statement *statement);
void check_colours_used(struct checker *c);
void check_passed(struct checker *c);       /* of a program whose vertices pass through, when all was read */
void check_typed_binding(struct checker *c, const struct binding *b);
/* Numbers that an integer of 32 bits does not hold. */
void check_number_text(struct checker *c, const struct constant *constant, struct span span, bool is_unsigned);

/* differ.c: notes where a program is valid by the specification and not for a driver, or the other way round. */
void check_differences(struct gp5_program *program);

/* check_alias.c */
void check_aliases(struct checker *c);

/* check_address.c */
void check_address_result(struct checker *c, const struct insn *insn);
void check_address_operand(struct checker *c, const struct insn *insn, const struct operand *o);
/* An index that is no number, of an array or a binding that may have one or (array is false) not. `size` is how many
 * there are where the offset counts against it, or 0. */
void check_address_index(struct checker *c, const struct index *index, bool array, uint32_t size);

/* check_arrays.c: parameters in arrays that registers index. `end`: where the driver says it. */
void check_arrays(struct checker *c, uint32_t end);
/* check_reads.c */
void check_reads(struct checker *c, const struct insn *insn);

/* check_types.c */
/* Where the number `wanted` of {1, 2.0} stands. */
struct span check_number_span(const struct checker *c, struct span span, unsigned wanted);
void check_result_type(struct checker *c, const struct insn *insn);
void check_operand_type(struct checker *c, const struct insn *insn, const struct operand *o);

/* check_texture.c */
void check_arguments(struct checker *c, const struct insn *insn);

/* check_binding.c */
void check_binding_indices(struct checker *c, const struct binding *b);
void check_result_binding(struct checker *c, const struct binding *b);
/* How many vertices an index before it chooses from. */
uint32_t check_vertices(const struct checker *c, const struct binding *b);
/* A range, or a matrix without a row, where one vector is meant; true if it said so. `path` is where it stands. */
bool check_whole_binding(struct checker *c, const struct binding *b, struct span path);

/* check_declare.c */
void check_declaration(struct checker *c, const struct statement *statement);

/* check_flow.c: blocks, loops and labels over the whole program. */
struct flow_block {
    uint32_t insn;
    uint16_t op;
    bool otherwise;             /* an ELSE was seen */
    bool leaves;                /* a loop with a BRK or RET in it */
};
struct flow {
    struct vec blocks;          /* struct flow_block */
    uint32_t loops;             /* how many REP are open */
};
void check_flow(struct checker *c, struct flow *flow, const struct insn *insn);
void check_label(struct checker *c, const struct flow *flow, const struct statement *statement);
/* check_calls.c: recursion, when everything was read. */
void check_calls(struct checker *c);
void check_flow_end(struct checker *c, struct flow *flow, uint32_t position);

#endif
