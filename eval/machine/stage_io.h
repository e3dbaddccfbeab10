/* Arrays of a stage's inputs and results (struct gp5_array) where the planes of an executable find them. */
#ifndef GP5_EVAL_STAGE_IO_H
#define GP5_EVAL_STAGE_IO_H

#include "eval/machine/stage.h"

/* A result that a launch asks for. */
struct stage_result {
    const struct gp5_array *array;
    uint16_t kind;              /* canonical */
    uint32_t index;
    uint32_t plane[4];          /* NO_PLANE where the program does not name it */
    struct shadow_run *shadow;  /* of the array's words, or NULL */
};

/* Whether every array has a name that the stage has, words, and as many elements as `needed` says of its binding; else
 * a message. */
bool eval_check_arrays(const struct run *run, size_t (*needed)(const struct run *run, uint16_t kind, bool result),
                       char *message, size_t size);

/* Of a tessellation stage: whether its patches have a size that there is. */
bool eval_check_patches(const struct run *run, char *message, size_t size);

/* What a result is that nothing wrote, in the stages before fragments. */
uint32_t eval_unwritten_result(uint16_t kind, unsigned component);

/* Fills what is no input of a stage before fragments: a result with what it is when nothing writes it and, when
 * `first`, what does not change from group to group. False for an input, which is the stage's to fill. */
bool eval_fill_no_input(const struct run *run, struct warp *w, const struct plane_source *source, bool first);

/* Where the sources of the executable and the results find their arrays: `run->inputs` and `run->results`. False when
 * memory ran out. eval_unmap_arrays frees both. */
bool eval_map_arrays(struct run *run);
void eval_unmap_arrays(struct run *run);

/* The number of the generic attribute that an input of vertices is: to NVIDIA's driver, and in the programs of
 * NV_vertex_program, each conventional one is one; else the position alone. */
enum { NO_ATTRIBUTE = 255 };
unsigned eval_attribute_of(const struct run *run, uint16_t kind, uint32_t index);

/* A component of an input for 32 lanes, whose elements these are. What no array gives is `otherwise`. */
void eval_fill_input(const struct run *run, struct warp *w, uint32_t source, const uint32_t element[WARP_LANES],
                     uint32_t otherwise);

/* The lanes of a warp to the results' arrays. What a patch has as a whole comes from the lanes `firsts`, whose patches
 * are these. */
void eval_put_results(struct warp *w, uint32_t lanes, const uint32_t element[WARP_LANES], uint32_t firsts,
                      const uint32_t patch[WARP_LANES]);

/* What a thread of a graphics stage is: .threadid, its masks and .warpid. False when the source is something else. */
bool eval_fill_thread(struct warp *w, const struct plane_source *source, uint32_t warp);

#endif
