/* Where undefined values come from, and where they go.
 *
 * Every plane has a shadow of the same shape: 0 where the lane's word is defined, otherwise an origin. An
 * origin is an id of the table below, or a mark (the top bit and a plane's number) for what a plane holds
 * at the start of a group: the first instruction that reads it turns the mark into an id. A 64-bit value
 * has its origin in the shadow of its low plane. */
#ifndef GP5_EVAL_ORIGINS_H
#define GP5_EVAL_ORIGINS_H

#include "eval/machine/warp_state.h"

/* The origins of the words of a buffer, a texture or a result. It takes no memory before something undefined comes. */
struct shadow_run {
    _Atomic(uint32_t *) words;  /* NULL: all 0 */
    size_t count;
    atomic_bool marked;         /* false: all 0 */
    bool given;                 /* `words` are the caller's */
    atomic_bool lost;           /* memory ran out, which the report says */
};
/* Its words, for an origin that is to stand there; NULL without memory. */
uint32_t *eval_shadow_words(struct shadow_run *s);
/* The lanes' origins, to every fourth word from `first` on, by element. */
void eval_shadow_put(struct shadow_run *s, size_t first, const uint32_t *origin, uint32_t lanes,
                     const uint32_t *element);

/* The shadow of memory; NULL: all 0. */
static inline uint32_t *eval_memory_shadow(const struct memory *m)
{
    return m->origins ? atomic_load_explicit(&m->origins->words, memory_order_acquire) : m->shadow;
}

enum origin_kind {
    ORIGIN_START,           /* detail: the plane that was never written */
    ORIGIN_OPERATION,       /* detail: component; the kernel's reason */
    ORIGIN_INACTIVE,        /* other: the lane that was read and not active */
    ORIGIN_COMPONENT,       /* detail: a result component that the instruction leaves open */
    ORIGIN_INDEX,           /* an index beyond its array */
    ORIGIN_SHARED,          /* shared memory that nothing was written to */
    ORIGIN_MISALIGNED,
    ORIGIN_CALL_DEPTH,
    ORIGIN_GROUP,           /* detail: enum gp5_subgroup_reason; other: the lane that it is about, or 255 */
    ORIGIN_RACE,            /* detail: the race's number */
    ORIGIN_BARRIER,         /* a BAR that not all invocations of the group come to */
    ORIGIN_UNMAPPED,        /* an address that no memory stands at */
    ORIGIN_CLOCK,           /* a clock was read */
    ORIGIN_SUBROUTINE,      /* CALI, and nobody has said which subroutine */
    ORIGIN_IMAGE,           /* detail: enum image_fault */
    ORIGIN_TEXTURE,         /* detail: enum texture_fault */
    ORIGIN_EMITTED          /* detail: component; a result that was not written since the EMIT */
};

#define ORIGIN_MARK 0x80000000u

/* Race number `number` in words. */
typedef void (*race_text_fn)(const struct race_table *races, uint32_t number, char *text, size_t size);
struct origin_table *eval_origins_new(const struct gp5_executable *x, const struct race_table *races,
                                      race_text_fn race_text);
void eval_origins_free(struct origin_table *t);

/* The id of an origin, made when it is new. Lanes: those concerned; the first is remembered. 0 only when
 * memory ran out (the warp has then failed). */
uint32_t eval_origin(struct warp *w, uint32_t insn, enum origin_kind kind, uint32_t detail, uint32_t lanes,
                     uint32_t other);

/* Replaces marks by ids in the lanes. */
void eval_resolve_marks(struct warp *w, uint32_t insn, uint32_t *shadow, uint32_t lanes);

/* An undefined value decided where something goes (a branch, a write mask, an address): it is reported,
 * and ends a strict run. `shadow` is the plane of its origins. */
void eval_use(struct warp *w, uint32_t insn, uint32_t *shadow, uint32_t lanes, const char *what);
void eval_note_use(struct warp *w, uint32_t insn, enum origin_kind kind, uint32_t lanes);

/* A strict run ends when undefined words are written out. */
void eval_reach(struct warp *w, uint32_t insn, uint32_t origin, unsigned lane, const char *what);

/* shadow.c: what a step does to the shadows. */
void eval_track_start(struct warp *w);
/* Before a step runs. */
void eval_track_step(struct warp *w, const struct step *s);
void eval_track_write(struct warp *w, const struct step *s, uint32_t lanes[4]);
void eval_track_gather(struct warp *w, const struct step *s);
void eval_track_load(struct warp *w, const struct step *s);
void eval_track_store(struct warp *w, const struct step *s);
void eval_track_atomic(struct warp *w, const struct step *s);
/* Memory and the lane's result components with this index depend on a race. */
void eval_track_race(struct warp *w, const struct memory *m, uint64_t address, uint32_t bytes, uint32_t id);
void eval_track_race_result(struct warp *w, const struct access *a, unsigned lane, unsigned component, uint32_t id);
/* What a step that reads or writes memory does to shadows and races, before it runs (memory.c). */
void eval_look(struct warp *w, const struct step *s);
/* shadow_memory.c's, for images: the origin of bytes in memory, and of a lane in a plane. */
uint32_t eval_value_origin(struct warp *w, const struct step *s, const struct memory *m, uint32_t address,
                           uint32_t bytes, unsigned lane);
bool eval_is_unmarked(const struct memory *m);
void eval_put_origin(const struct memory *m, uint32_t address, uint32_t bytes, uint32_t id);
void eval_use_address(struct warp *w, const struct step *s, const struct access *a, unsigned lane);
/* A result that all lanes wrote is as clean as what they wrote. */
void eval_settle(struct warp *w, const struct access *a);
void eval_resolve_image(struct warp *w, const struct step *s, const struct access *a);
uint32_t eval_image_origin(struct warp *w, const struct step *s, const struct access *a, unsigned lane);
void eval_track_image_load(struct warp *w, const struct step *s);
void eval_track_image_store(struct warp *w, const struct step *s);
void eval_track_shuffle(struct warp *w, const struct step *s);
void eval_track_vote(struct warp *w, const struct step *s);
void eval_track_match(struct warp *w, const struct step *s);
void eval_track_quad(struct warp *w, const struct step *s);
static inline void eval_set_dirty(struct warp *w, uint32_t plane, bool dirty)
{
    w->dirty[plane] = dirty;
    w->tainted |= dirty;
}

static inline void eval_put_lane(struct warp *w, uint32_t plane, unsigned lane, uint32_t id)
{
    PLANE(w->shadow, plane)[lane] = id;
    eval_set_dirty(w, plane, w->dirty[plane] || id);
}

/* A plane gets these origins in the lanes (or, with NULL, becomes defined there). */
void eval_track_result(struct warp *w, uint32_t plane, const uint32_t *shadow, uint32_t lanes);
/* Whether what a test says depends on a condition code. */
static inline bool eval_is_conditional(const struct test *t)
{
    return t->rule != CC_NONE && t->rule != CC_TR && t->rule != CC_FL;
}

/* Whether no active lane of a plane is undefined. */
static inline bool eval_track_is_clean(const struct warp *w, uint32_t plane)
{
    return !w->dirty[plane] || !(w->x->planes->nonzero(PLANE(w->shadow, plane), NULL) & w->active);
}

static inline bool eval_track_is_clean_if_any(const struct warp *w, uint32_t plane)
{
    return plane == NO_PLANE || eval_track_is_clean(w, plane);
}

/* A result behind EMIT. */
void eval_track_emitted(struct warp *w, uint32_t insn, uint32_t plane, unsigned component);
/* A plane that starts undefined. */
void eval_track_mark(struct warp *w, uint32_t plane);

/* The report: the origins that were used or stand in memory. `shadows` are rewritten to indices from 1
 * into the report. */
bool eval_origins_report(struct origin_table *t, struct shadow_run *shadows, size_t nshadows,
                         struct gp5_report *report);

#endif
