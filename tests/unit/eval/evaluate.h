/* A program, evaluated: what the tests of the evaluator share. */
#ifndef GP5_TESTS_EVALUATE_H
#define GP5_TESTS_EVALUATE_H

#include "eval/decode/prepare.h"

/* Parses and prepares; NULL and a printed reason when that fails. */
struct prepared {
    gp5_program *program;
    gp5_executable *executable;
    char *message;
    size_t offset;
};
bool evaluate_prepare(struct prepared *p, const char *text, const struct gp5_run_options *options,
                      enum eval_level level);
void evaluate_free(struct prepared *p);

/* One launch on storage[0] (read) and storage[1] (written), with everything else at its default. */
enum gp5_run_status evaluate(const char *text, const struct gp5_run_options *options, uint32_t groups,
                             uint32_t *in, size_t in_words, uint32_t *out, size_t out_words,
                             uint32_t *undefined, struct gp5_report *report);

/* Words aligned as buffers must be; from malloc. */
uint32_t *evaluate_words(size_t n);

/* A small generator, the same everywhere. */
uint32_t evaluate_random(uint64_t *state);

#endif
