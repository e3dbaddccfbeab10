/* Between the files that make machine code of the approximated functions: emit_sfu_lookup.c has the tables, what is
 * looked up in them, and squares; emit_sfu.c the polynomials and the functions; emit_sfu_special.c what comes of
 * operands out of the ordinary. */
#ifndef GP5_EVAL_NATIVE_TABLES_H
#define GP5_EVAL_NATIVE_TABLES_H

#include "eval/jit/jit_internal.h"

#include "eval/numeric/sfu.h"

struct kind {
    const struct sfu_row *rows;
    unsigned segments, bits;    /* the bits of x */
    unsigned scale, cut;        /* log2 of the unit of c0; how many bits are cut off, or 0 where that depends */
    enum native_word low, bias; /* the bits of c0 that are not put aside, and the bias */
    int32_t offset;             /* of the result */
    int32_t times;              /* c2, where the square is of another unit */
    bool falls;                 /* c1 is negative */
};

struct registers {
    unsigned n;                 /* vectors */
    unsigned w[2], c0[2];       /* of vector i: the operand; c0 and then the result */
    unsigned m[2];              /* the operand in another form; with AVX2 a register of slots */
    unsigned a, b, t;           /* of one vector after the other */
    unsigned c1, c2, square;    /* of both */
};

struct table_builder {
    struct x86_code *c;
    const struct kind *k;
    const struct registers *r;
    size_t table, mixed;        /* in the code */
};

/* Comparisons of words. */
enum { EQUAL = 0, BELOW = 1, NOT_BELOW = 5, ABOVE = 6 };

static inline void put(const struct table_builder *t, uint32_t code, unsigned d, unsigned a, struct x86_place b)
{
    x86_vector(t->c, code, d, a, b, 0, 0);
}

static inline void put_word(const struct table_builder *t, uint32_t code, unsigned d, unsigned a, enum native_word w)
{
    put(t, code, d, a, native_word(w));
}

static inline void put_masked(const struct table_builder *t, uint32_t code, unsigned d, unsigned a, struct x86_place b)
{
    x86_vector(t->c, code, d, a, b, NATIVE_K, 0);
}

static inline void where(const struct table_builder *t, uint32_t compare, unsigned a, struct x86_place b, uint8_t how)
{
    x86_vector(t->c, compare, NATIVE_K, a, b, 0, how);
}

static inline void shift(const struct table_builder *t, uint32_t code, unsigned way, unsigned d, unsigned a,
                         unsigned bits)
{
    x86_vector(t->c, code, way, d, x86_reg(a), 0, (uint8_t)bits);
}

static inline void move(const struct table_builder *t, unsigned d, unsigned a)
{
    if (d != a)
        put(t, X86_LOAD, d, 0, x86_reg(a));
}

/* emit_sfu_lookup.c: the tables, at the end of the code. */
void native_put_tables(struct native_builder *b, struct table_builder *t);
/* AVX2: constants of the square to registers. */
void native_hold_square(const struct table_builder *t);
/* Of x, which is in the last bits; then c0, and what c1 and c2 are in, by the bits above. */
void native_square(const struct table_builder *t, const unsigned x[2]);
void native_look_up(const struct table_builder *t, const unsigned segment[2]);
/* c1 of vector i into a, and what c2 and the square give into b. */
void native_take(const struct table_builder *t, unsigned i);

/* emit_sfu_special.c: vector i of the results, where the operand is none of the ordinary ones. */
void native_rare_rcp(const struct table_builder *t, unsigned i);
void native_rare_rsq(const struct table_builder *t, unsigned i);
void native_rare_ex2(const struct table_builder *t, unsigned i);
void native_rare_sin(const struct table_builder *t, unsigned i);
void native_rare_lg2(const struct table_builder *t, unsigned i);

#endif
