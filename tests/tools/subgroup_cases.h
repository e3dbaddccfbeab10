/* Subgroup operations as cases for a live driver, whatever language they are told in: an operation, a type and the
 * flow of control around it; the data that it runs on; and what the driver answered, judged by the reference. */
#ifndef TESTS_SUBGROUP_CASES_H
#define TESTS_SUBGROUP_CASES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "include/gp5_subgroup.h"

/* The flow around the call. Each lane's control word (below) says where it goes. */
enum subgroup_form {
    FORM_STRAIGHT,              /* all lanes call */
    FORM_IF,                    /* lanes with bit 0 call */
    FORM_NESTED,                /* three calls: bit 0 and bit 1; bit 0 without bit 1; bit 1 without bit 0 */
    FORM_LOOP,                  /* bits 2 and 3 are a lane's trips round a loop that calls; the last result stays */
    FORM_COUNT
};

enum { NO_CONSTANT = -1, SUBGROUP_CASE_NAME = 96 };

struct subgroup_case {
    enum gp5_subgroup_op op;
    enum gp5_subgroup_type type;        /* U32 where the operation takes no value */
    unsigned components;                /* 1 to 4 */
    enum subgroup_form form;
    unsigned cluster;                   /* 0: the operation takes none */
    int constant;                       /* of the index, as a literal; NO_CONSTANT: the index comes from the record */
    unsigned size;                      /* of the driver's subgroups: 4 ... 128 */
};

/* An invocation's input and output record are 16 words each.
 *   in:  0-7 value, two words a component    8 index   9 width   10 control   12-15 ballot
 *   out: 0 mark   1 size | invocation << 8 | subgroup << 16 | subgroups << 24   2 valid   4-11 result, two words a
 * component; a ballot or a 64-bit mask from 4 on. The mark is 0 in lanes that made no call, and SUBGROUP_MARK + n with
 * the number n of the call (0 ...) in those that did. */
enum { SUBGROUP_RECORD = 16, SUBGROUP_WORK_GROUPS = 8, SUBGROUP_MARK = 0x5101, SUBGROUP_TRIPS = 3 };

/* Invocations of a work group: two subgroups and a half. */
unsigned subgroup_case_local(const struct subgroup_case *c);
size_t subgroup_case_records(const struct subgroup_case *c);    /* invocations of all work groups */

/* "inclusive_add/float x2/if/cluster 4/constant 1" */
void subgroup_case_name(const struct subgroup_case *c, char name[SUBGROUP_CASE_NAME]);

/* The input records: the same for the same case, everywhere. */
void subgroup_case_fill(const struct subgroup_case *c, uint32_t *records);

/* What was to come of a case, and what came. Lanes are counted by component. */
struct subgroup_tally {
    unsigned same, allowed, undefined, wrong;
    unsigned misplaced;         /* lanes that made a call they should not have made, or the other way round */
    unsigned layout;            /* lanes whose size, id, subgroup or count are not those of consecutive invocations */
    bool inexact;               /* a sum or product of floats: order counts */
    unsigned sequential, doubling;  /* of the defined ones, those with the bits of that order */
    unsigned sequential_value, doubling_value;  /* those, and zeros of the other sign: a sum may start from +0 */
    enum gp5_subgroup_order order;  /* the one of the two that more of them have */
    /* of the defined results, FNV-1a by words; any NaN of arithmetic counts as the reference's */
    uint64_t hash;
    char first[200];            /* the first that is wrong, misplaced or out of layout, in words */
};

/* A defined result whose bits are not the reference's: `place` counts the defined results in the order of the hash. */
typedef void subgroup_difference_fn(void *user, size_t place, uint64_t word, bool allowed);

/* Judges what a driver brought back; `in` are the input records. `flags` as of gp5_subgroup_judge. */
void subgroup_case_judge(const struct subgroup_case *c, const uint32_t *in, const uint32_t *out, unsigned flags,
                         struct subgroup_tally *tally, subgroup_difference_fn *difference, void *user);

/* The results that the reference gives, as output records: what a driver would answer that agrees in every bit, or
 * differs in what `change` (which may be NULL) is to change: each defined result, with its place, its lane and that
 * lane's input record. */
typedef void subgroup_change_fn(void *user, size_t place, unsigned lane, const uint32_t *record, uint64_t *word,
                                uint8_t *valid);
void subgroup_case_answer(const struct subgroup_case *c, const uint32_t *in, enum gp5_subgroup_order order,
                          uint32_t *out, subgroup_change_fn *change, void *user);

typedef void subgroup_case_fn(void *user, const struct subgroup_case *c);

/* All cases for subgroups of this size. */
void subgroup_cases(unsigned size, subgroup_case_fn *fn, void *user);

/* Of these operations the value goes through memory, with the barrier between; they are judged as SHUFFLE. */
bool subgroup_case_is_barrier(const struct subgroup_case *c);

#endif
