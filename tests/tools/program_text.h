/* A program that grows, in memory of a fixed size. */
#ifndef GP5_TESTS_PROGRAM_TEXT_H
#define GP5_TESTS_PROGRAM_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct program_text {
    char *text;
    size_t size, length;
    bool full;                  /* something did not fit; what was whole before stands */
};

void program_text_put(struct program_text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Flow by chance on a component's flags. What it tests is written by `condition`, its sides by `block`, both with
 * `user`. */
struct program_flow {
    struct program_text *out;
    uint64_t *state;            /* of operand_random */
    void *user;
    void (*condition)(void *user);
    void (*block)(void *user, unsigned depth, bool in_loop);
};
/* Below n. */
unsigned program_flow_chance(const struct program_flow *f, unsigned n);
/* NE or EQ. */
const char *program_flow_rule(const struct program_flow *f);
/* IF, in one of `otherwise` with an ELSE. */
void program_flow_choice(const struct program_flow *f, unsigned depth, bool in_loop, unsigned otherwise);
/* BRK, CONT or RET under a test. */
void program_flow_jump(const struct program_flow *f, const char *how);

#endif
