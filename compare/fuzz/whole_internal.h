/* What the files that grow whole programs share.
 *
 * A number of a program is drawn in a statement of its own, never two in the arguments of one call: C leaves their
 * order open, and recordings hold what a driver made of program n of a seed. */
#ifndef GP5_COMPARE_FUZZ_WHOLE_INTERNAL_H
#define GP5_COMPARE_FUZZ_WHOLE_INTERNAL_H

#include "compare/fuzz/internal.h"
#include "compare/fuzz/whole.h"

enum { WHOLE_SUBROUTINES = 2, WHOLE_SLOT = 32, WHOLE_FAR_SLOT = 64, WHOLE_STRIDE = 256 };

struct whole_grow {
    struct fuzz_random *random;
    const struct whole_settings *settings;
    struct fuzz_text *body;
    const struct whole_case *c; /* its textures */
    unsigned depth, loops;      /* open blocks, loops among them */
    bool uniform;               /* all lanes of the group are here */
    bool leaves;                /* the innermost loop has BRK or CONT */
    unsigned lanes, left;       /* of a group; statements that may still come */
    unsigned subroutine;        /* 0: the main program; else only later ones are called */
    unsigned topic;             /* of settings that are dense: what most of the program is about */
    void (*statement)(struct whole_grow *g);    /* draws one: blocks of every file are made of them */
    bool bars;                  /* BAR stands where lanes part: shared memory is a lane's own */
};

/* whole_condition.c: condition codes from values that are defined. */
void whole_condition(struct whole_grow *g);
/* An instruction that computes, one that moves memory, one that looks at other lanes. */
void whole_compute(struct whole_grow *g);
/* One that computes, of all that asm/isa.def has alike. */
void whole_table(struct whole_grow *g);
void whole_memory(struct whole_grow *g);
void whole_together(struct whole_grow *g);
/* whole_launch.c: for settings that are wider. */
void whole_far(struct whole_grow *g);
void whole_indirect(struct whole_grow *g);
/* Halves, SHORT variables, roots of doubles. */
void whole_more(struct whole_grow *g);
void whole_label(struct whole_grow *g);
void whole_launch_declare(struct fuzz_text *t);
void whole_launch_start(struct whole_grow *g);
void whole_launch_end(struct whole_grow *g);
void whole_launch_draw(struct fuzz_random *r, struct whole_case *c);
/* whole_forms.c: for settings with forms. */
void whole_form(struct whole_grow *g);
void whole_forms_declare(struct fuzz_text *t, const struct whole_case *c);
void whole_forms_variables(struct fuzz_text *t);
void whole_draw_samplers(struct fuzz_random *r, struct whole_case *c, bool driver);
/* whole_rare.c: for settings that are rare. */
void whole_rare(struct whole_grow *g);
void whole_rare_declare(struct fuzz_text *t, const struct whole_settings *settings);
void whole_rare_start(struct whole_grow *g);
/* A size of groups, as the header has it; how many lanes that are. Draws how many groups there are. */
const char *whole_rare_groups(struct fuzz_random *r, struct whole_case *c, unsigned *lanes);
/* whole_dense.c: for settings that are dense; draws what the program is about, and a statement. */
void whole_dense_begin(struct whole_grow *g);
void whole_dense(struct whole_grow *g);
/* Images: what they are, and a statement with one. */
void whole_draw_images(struct fuzz_random *r, unsigned lanes, struct whole_case *c);
void whole_image(struct whole_grow *g);

#endif
