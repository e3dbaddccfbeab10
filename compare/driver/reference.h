/* The reference evaluator as something that runs cases. */
#ifndef GP5_COMPARE_REFERENCE_H
#define GP5_COMPARE_REFERENCE_H

#include "compare/driver/outcome.h"

#include <stdio.h>

struct eval_observer;

struct reference {
    gp5_program *program;
    gp5_executable *executable;     /* NULL: `status`, `message` and `position` say why */
    struct gp5_run_options options;
    enum outcome_status status;
    char *message;
    int64_t position;
    const struct eval_observer *observer;   /* looks on while it runs, or NULL */
    uint32_t group_size[3];         /* of a compute program; 1 where it declares none */
    size_t before;              /* lines of its file that stand before the program; the caller sets it */
    char *lowered;                  /* a program with OPTION GP5_subgroup: what a driver gets in its place */
    size_t lowered_size;
};

void reference_open(struct reference *r, const char *text, size_t size,
                    const struct gp5_run_options *options);
void reference_close(struct reference *r);

/* The passes of the driver's compiler (gp5_pass_at) that are off, or dropped, and could change a result of the program:
 * a bit each. */
uint64_t reference_not_modelled(const struct reference *r);
/* "not modelled: NAME NAME (what that means)" and a newline; nothing where there are none. */
void reference_print_not_modelled(FILE *out, const char *before, uint64_t passes);

/* Fills an outcome that outcome_init has made. */
void reference_run(const struct reference *r, const struct driver_case *c, struct outcome *o);

/* The same for a draw, with the references of all stages of the pipeline: NULL where there is none. */
void reference_draw(const struct reference *const stages[DRIVER_STAGES], const struct driver_case *c,
                    struct outcome *o);

/* What to ask a driver for, to have the inputs of its fragments. */
struct reference_seen {
    uint32_t count;
    char binding[8][32], text[2400];
    bool decides;               /* it may discard a fragment, or write its depth */
    bool neighbours;            /* the program looks at other fragments of its quad: derivatives, levels of detail */
};
/* False when the fragment program's inputs cannot be had that way. */
bool reference_seen(const struct reference *fragment, struct reference_seen *s);
bool reference_is_invariant(const struct reference *r);     /* OPTION ARB_position_invariant, or NV's */
bool reference_tests_early(const struct reference *r);       /* whether depth is tested before the program runs */
bool reference_uses_neighbours(const gp5_program *p);
/* The fragment program where `live` is not 0, on the inputs that a driver's outcome has. */
void reference_shade(const struct reference *fragment, const struct driver_case *c, const struct reference_seen *s,
                     const struct outcome *driver, const uint8_t *live, struct outcome *o);

/* The fixed function as programs. */
extern const char reference_fixed_vertex[], reference_fixed_fragment[];

/* "line 12: TEXT" for a position in a program that stands `before` lines down in its file. */
char *reference_message(const gp5_program *program, size_t before, int64_t position, const char *text);

/* "nvidia", "spec", "ideal". */
const char *reference_semantics_name(enum gp5_semantics semantics);
bool reference_find_semantics(const char *word, enum gp5_semantics *semantics);

#endif
