/* What the generator's files share. */
#ifndef GP5_COMPARE_FUZZ_INTERNAL_H
#define GP5_COMPARE_FUZZ_INTERNAL_H

#include "asm/isa.h"
#include "compare/fuzz/fuzz.h"

/* ---- chance ------------------------------------------------------------------------------------------------------ */

struct fuzz_random {
    uint64_t state;
};

uint64_t fuzz_next(struct fuzz_random *r);
unsigned fuzz_below(struct fuzz_random *r, unsigned n);         /* 0 .. n-1; 0 for n = 0 */
bool fuzz_chance(struct fuzz_random *r, unsigned percent);
#define FUZZ_PICK(r, list) ((list)[fuzz_below((r), (unsigned)(sizeof(list) / sizeof *(list)))])

/* ---- profiles ---------------------------------------------------------------------------------------------------- */

enum fuzz_family { FUZZ_ARB, FUZZ_NV4, FUZZ_NV5 };

struct fuzz_profile {
    const char *name, *stage, *header, *option;
    enum fuzz_family family;
    bool conditions;            /* condition codes, |abs|, bare scalar constants */
    const char *const *declarations;        /* the stage's own, one of each line; alternatives parted by | */
    const char *const *attributes;          /* # stands for an index up to the digit that follows */
    const char *const *results;
    const char *const *arrays;  /* attributes that may be indexed, as a range */
};
extern const struct fuzz_profile fuzz_profiles[FUZZ_PROFILES];

#define FUZZ_IN(p) (1u << (p))

/* ---- instructions ------------------------------------------------------------------------------------------------ */

enum fuzz_form {
    FUZZ_UNUSED, FUZZ_PLAIN, FUZZ_MEMORY, FUZZ_CONVERSION, FUZZ_KILL, FUZZ_MATCH, FUZZ_WORDS, FUZZ_STREAM
};

struct fuzz_opcode {
    unsigned op;                /* enum gp5_op */
    const char *name;
    enum fuzz_form form;
    uint8_t types;              /* enum type_bits */
    uint32_t modifiers;         /* enum modifier_bits */
    uint8_t result;             /* enum result_class */
    char operands[5];           /* a letter each: opcodes.c */
    const char *option;         /* that a program of the profile must name, or NULL */
};
/* The opcode in a profile; false where the generator does not write it. */
bool fuzz_opcode(unsigned op, enum fuzz_profile_id profile, struct fuzz_opcode *o);
/* Whether it computes within a lane of a compute program, from vectors and scalars alone. */
bool fuzz_computes(unsigned op, struct fuzz_opcode *o);

/* ---- a program that grows ---------------------------------------------------------------------------------------- */

enum { FUZZ_OPTIONS = 32, FUZZ_LABELS = 4 };

/* Variables are declared when a statement has used them, so the text before the statements is written last. */
enum fuzz_variable {
    VAR_TEMP, VAR_ADDRESS, VAR_ARRAY, VAR_SHORT, VAR_LONG, VAR_INT, VAR_UINT, VAR_FLOAT, VAR_PARAMS, VAR_PARAM,
    VAR_IPARAM,
    VAR_ATTRIB, VAR_ATTRIBS, VAR_OUTPUT, VAR_CBUFFER, VAR_BUFFER, VAR_STORAGE, VAR_SHARED, VAR_COUNTER, VAR_TEXTURE,
    VAR_IMAGE, VARS
};

enum fuzz_type { TYPE_F, TYPE_S, TYPE_U, TYPE_F64, TYPE_I64 };

struct fuzz_grow {
    struct fuzz_random *random;
    const struct fuzz_profile *profile;
    enum fuzz_profile_id id;
    struct fuzz_text *body;
    const char *options[FUZZ_OPTIONS];
    size_t option_count;
    uint32_t used;              /* a bit a fuzz_variable */
    unsigned depth, loops, units;
    bool attribute_read, parameter_read;    /* in this instruction: an ARB one can read one of each */
    const char *comma;
};

void fuzz_need(struct fuzz_grow *g, const char *option);
const char *fuzz_use(struct fuzz_grow *g, enum fuzz_variable v);    /* its name */
void fuzz_binding(struct fuzz_grow *g, struct fuzz_text *t, const char *form);

void fuzz_operand(struct fuzz_grow *g, enum fuzz_type type, bool scalar);
void fuzz_destination(struct fuzz_grow *g, enum fuzz_type type, bool conditional);
void fuzz_condition(struct fuzz_grow *g);
void fuzz_statement(struct fuzz_grow *g);
void fuzz_declarations(struct fuzz_grow *g, struct fuzz_text *t);
void fuzz_grow_program(struct fuzz_random *r, enum fuzz_profile_id id, struct fuzz_text *text);

/* Breaks the text once; the name of the mutation, NULL where it found nothing to break. */
const char *fuzz_break(struct fuzz_random *r, struct fuzz_text *text);

#endif
