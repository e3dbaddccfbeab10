/* The state of the warps that run a decoded program (step.h). */
#ifndef GP5_EVAL_MACHINE_H
#define GP5_EVAL_MACHINE_H

#include "eval/machine/step.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- a warp -------------------------------------------------------------------------------------------- */

enum frame_kind { FRAME_IF, FRAME_REP, FRAME_CALL, FRAME_CALI, FRAME_PART, FRAME_NEST, FRAME_BRANCH };

struct frame {
    uint8_t kind;
    uint32_t end; /* step where this block's lanes meet: ELSE, ENDIF, ENDREP, NEXT_CALLEE; CALL: the step to return
                   * to; PART: of the other side */
    uint32_t restore;           /* lanes that go on after it; NEST: that wait behind it */
    uint32_t first;             /* IF, when its ELSE side runs before: where the THEN side begins; 0 */
    uint32_t other;             /* IF, PART: lanes of the ELSE side; REP, NEST: lanes that wait for the next
                                 * iteration; CALI: for their call */
    uint32_t count[WARP_LANES]; /* REP: iterations left, a lane each; REP, PART, CALL: the party that a lane waits
                                 * with; CALI: the step that a lane calls */
    uint32_t behind;            /* REP: lanes that left it for a side that stands behind it, and have not run that
                                 * yet; CALL, BRANCH: that are to go on elsewhere */
    uint32_t side[WARP_LANES];  /* where that begins, a lane each */
    uint64_t turn;              /* REP: how often it went round */
    bool counted;
    bool parts, returns, no_reconverge; /* REP: as in struct repeat; CALL: those who come back go on apart */
    uint32_t parties;           /* so many have gone */
    uint32_t way;               /* CALL: the RET that the last of these took, or 0; PART: of IFs with one way around
                                 * them (reconverge.h), or 0 */
    bool split;                 /* CALL: lanes that came apart in the subroutine take turns */
    bool once;                  /* CALL: they go on apart if a RET in a block was taken that a vote decided; */
    bool taken;                 /* it was */
};

/* STEP_IF: the side with fewer lanes is first; no branch, but arithmetic under a test. */
enum { IF_ORDERED = 1, IF_PREDICATED };
/* STEP_PART, in ref beside its way: its test is one with the next one's. */
#define PART_GOES_ON 0x80000000u

/* CALL: the party of those that come to the end. */
enum { LAST_PARTY = 1 };

/* Of CAL: all come back together; those who come back go on apart; if some take a RET in a block. Of RET: those who
 * take it at once go by themselves. */
enum { CALL_TOGETHER, CALL_APART, CALL_APART_ONCE };
enum { WAY_ALONE = UINT32_MAX };

/* Lanes, a bit each, by component. */
struct flags {
    uint32_t s[4], z[4], o[4], c[4];
    /* Tests that come out otherwise than these say, of an executable with `answers` (struct write_answers). */
    uint32_t not_below[4], no_sign[4], above[4], below[4], other_carry[4], other_overflow[4],
        other_above[4];
};

enum warp_state { WARP_RUNNING, WARP_AT_BARRIER, WARP_ENDED };

struct worker;

struct warp {
    const struct gp5_executable *x;
    struct worker *worker;
    uint32_t *base;             /* planes */
    uint32_t *shadow;           /* origins of the planes, or NULL */
    bool looked_at;             /* accesses to memory concern the tracker, or who looks for races */
    uint8_t *dirty;             /* planes whose shadow is not all 0 in the lanes that exist */
    bool tainted;               /* false: no plane is */
    uint32_t tracked_lanes;     /* which existed in the group before */
    uint32_t exist, live, active;
    uint32_t helpers;           /* fragment: lanes that only serve derivatives; they write no memory */
    uint32_t killed;            /* by KIL */
    uint32_t step;
    struct flags cc[CONDITION_CODES];
    struct frame *frames;
    uint32_t depth, calls;
    uint32_t held;              /* PART: the frame of those who go on next, and how many frames are below it, counted
                                 * from 1; 0: none (flow_split.c) */
    uint8_t mode;               /* enum float_mode that is set */
    uint8_t state;              /* enum warp_state */
    uint32_t index;             /* in its group */
    uint64_t executed, lanes, counted, limit;
};

struct shadow_run;

/* Memory that a program reaches. A shadow word holds the origin of what is undefined: one a word of
 * storage, one a byte of shared memory (which has no first contents). */
struct memory {
    uint8_t *data;
    size_t size;
    uint32_t *shadow, *open;    /* of shared memory, and how many of them are not 0 */
    struct shadow_run *origins; /* of the rest (origin.h) */
    unsigned shadow_shift;
    struct race_memory *races;  /* NULL when nobody looks for them */
};

/* A range of 64-bit addresses. */
struct global_range {
    uint64_t address;
    struct memory memory;
};

struct run;

/* A thread's place: the group that it runs. */
struct worker {
    struct run *run;
    struct warp *warps;
    uint32_t nwarps;
    uint32_t group;             /* flattened */
    uint32_t group_id[3];
    uint32_t element[WARP_LANES], drawn;    /* fragments: the number of each lane's; the lanes that leave something */
    struct memory shared;
    uint32_t shared_open;
    void *storage;              /* planes, shadows, frames */
    uint8_t native_mode[8];     /* the caller's floating-point state */
    /* Why it stopped. */
    enum gp5_run_status status;
    uint32_t failed_insn;
    char message[240];
    uint64_t instructions, lanes;
    struct agreements *agreements;  /* NULL until an instruction needs them */
};

struct eval_observer;
struct origin_table;
struct stage_result;

/* Vertices that geometry programs gave, by lane: VERTICES_OUT places each (stage_geometry.c). */
struct emitted {
    uint8_t stream;
    bool cut;                   /* its strip ends here */
};
struct emission {
    uint32_t *count;            /* by lane */
    struct emitted *vertex;
    uint32_t *words, *origins;  /* four a vertex and result of the launch */
};

struct run {
    const struct gp5_executable *x;
    const struct gp5_launch *launch;
    const struct gp5_run_options *options;
    const struct eval_observer *observer;
    struct memory *slots;       /* one a slot of the executable */
    struct global_range *ranges;    /* one an address range of the launch */
    uint32_t *called;           /* the step that each of the executable's `chosen` calls */
    struct memory *textures;    /* one a texture of the launch */
    struct texture_view *sampled;   /* likewise (texture.h) */
    struct image_view *views;   /* one an image of the launch (image.h) */
    const struct image_view **unit_views;   /* one a slot of the executable; NULL: nothing is bound, or it is no
                                             * image's */
    struct origin_table *origins;   /* NULL without tracking */
    const struct gp5_state *state;
    const struct gp5_array **inputs;    /* of each source of the executable, or NULL (stage_io.h) */
    uint16_t *input_kinds;      /* what these are the arrays of: enum binding_kind */
    struct stage_result *results;       /* one a result of the launch */
    struct emission emission;           /* of geometry programs */
    struct shadow_run *result_shadows;  /* likewise; NULL without tracking */
    struct race_table *races;       /* NULL unless somebody looks for them */
    struct shadow_run *colors_shadow;   /* of launch->colors */
    bool strict, flush;
    uint64_t limit;
    uint32_t warp_lanes;
    double *columns;            /* fragments: where each is from 0 to 1, or NULL */
    uint32_t ngroups, group_size[3];
    const struct worker *callers;   /* on the thread of gp5_execute */
    atomic_uint next_group;
    atomic_uint failed_group;   /* the lowest one that failed; later ones need not run */
};

/* Called by the second loop, before an instruction and after its last step. The warp may be read, not
 * changed. */
struct eval_observer {
    void *user;
    void (*before)(void *user, const struct warp *warp, uint32_t insn);
    void (*after)(void *user, const struct warp *warp, uint32_t insn);
    void (*ended)(void *user, const struct warp *warp);     /* NULL, or the warp has ended */
    const bool *stop;           /* NULL, or looked at after `before`: the run ends there */
};

/* Fills an executable whose program and semantics are set; false with a message. */
bool eval_decode(struct gp5_executable *x, char *message, size_t size, size_t *offset);

/* Makes 1 of the entries (nsteps + 1 of them) of the steps that flow enters other than from the step before. */
void eval_find_landings(const struct gp5_executable *x, uint8_t *landing);

/* The active lanes change: those of the instructions so far are counted. */
static inline unsigned eval_count_lanes(uint32_t lanes)
{
    lanes -= lanes >> 1 & 0x55555555;
    lanes = (lanes & 0x33333333) + (lanes >> 2 & 0x33333333);
    return ((lanes + (lanes >> 4)) & 0x0f0f0f0f) * 0x01010101u >> 24;
}

static inline void eval_set_active(struct warp *w, uint32_t lanes)
{
    w->lanes += (w->executed - w->counted) * eval_count_lanes(w->active);
    w->counted = w->executed;
    w->active = lanes;
}

/* ---- what the files of the evaluator offer each other -------------------------------------------------- */



/* interp.c: runs until the warp ends, reaches a barrier, or fails (the worker then has a status). */
void eval_warp_run(struct warp *w);
void eval_warp_start(struct warp *w, uint32_t exist);
/* A step that is no flow, without tracking: for machine code. */
void eval_step_called(struct warp *w, const struct step *s);
void eval_fail(struct warp *w, enum gp5_run_status status, uint32_t insn, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* A BAR that the text leaves undefined: not every invocation of the group comes to it. */
void eval_divergent_barrier(struct warp *w, uint32_t insn, uint32_t lanes);

/* clock.c */
void eval_clock(struct warp *w, const struct step *s);

/* write.c */
void eval_write(struct warp *w, const struct step *s);
void eval_gather(struct warp *w, const struct step *s);

/* condition_code.c */
uint32_t eval_test_component(const struct warp *w, const struct test *t, unsigned component);
uint32_t eval_test_any(const struct warp *w, const struct test *t);
void eval_update_flags(struct warp *w, const struct write *out, const uint32_t lanes[4]);

/* flow.c: the step to go on with, or NO_STEP when the warp has ended or failed. */
uint32_t eval_flow(struct warp *w, const struct step *s, uint32_t here);
void eval_end_lanes(struct warp *w, uint32_t lanes);
void eval_fail_limit(struct warp *w, const struct step *s);
/* The active lanes that run a loop with a count at all; `f` takes their counts. */
uint32_t eval_enter_counted(struct warp *w, const struct step *s, struct frame *f);

/* memory.c, atomic.c, shuffle.c */
void eval_load(struct warp *w, const struct step *s);
void eval_store(struct warp *w, const struct step *s);
void eval_atomic(struct warp *w, const struct step *s);
/* The offset in it; UINT32_MAX where nothing is mapped, or where there is no texel. */
uint32_t eval_far_offset(const struct warp *w, const struct access *a, unsigned lane);
/* As the program computes it, and as it is used. */
static inline uint32_t eval_written_address(const struct warp *w, const struct access *a, unsigned lane)
{
    if (a->space >= SPACE_GLOBAL)
        return eval_far_offset(w, a, lane);
    return a->address == NO_PLANE ? a->offset : a->offset + PLANE(w->base, a->address)[lane];
}

static inline uint32_t eval_address(const struct warp *w, const struct access *a, unsigned lane)
{
    return eval_written_address(w, a, lane) & a->keep;
}

static inline bool eval_in_bounds(const struct memory *m, uint32_t address, uint32_t at, uint32_t bytes)
{
    return (uint64_t)address + at + bytes <= m->size;
}

void eval_shuffle(struct warp *w, const struct step *s);
void eval_vote(struct warp *w, const struct step *s);
void eval_match(struct warp *w, const struct step *s);
void eval_quad(struct warp *w, const struct step *s);

/* subgroup_call.c */
void eval_group(struct warp *w, const struct step *s);

/* fenv.c: the caller's state is kept in `saved`. */

#endif
