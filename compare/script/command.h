/* Reading the words of a command: what the files of the commands share. */
#ifndef GP5_COMPARE_COMMAND_H
#define GP5_COMPARE_COMMAND_H

#include "compare/script/script.h"

struct command {
    struct script *s;
    struct op *op;
    char **word;                /* what stands behind the command's name */
    const uint32_t *offset;
    size_t count;
};

/* Each reads the word `at`, and stops the script there with a message (and false) when it is wrong. */
bool command_wrong_at(struct command *c, size_t word, const char *message);
bool command_integer(struct command *c, size_t at, int64_t low, int64_t high, int64_t *value);
bool command_floats(struct command *c, size_t at, size_t count, float *values);
bool command_no_more(struct command *c, size_t count);
bool command_number_type(struct command *c, size_t at, enum number_type *type);
/* storage, counter or texture; false, without stopping, for another word. */
bool command_kind(const struct command *c, size_t at, enum buffer_kind *kind);
bool command_binding(struct command *c, size_t at, uint32_t *value);
bool command_offset_at(struct command *c, size_t at, size_t *offset);
/* The last pixel of the window in one direction; where there are other framebuffers that is known when it runs. */
uint32_t command_limit(const struct command *c, uint32_t size);
bool command_format(struct command *c, size_t at, uint8_t *format);     /* of texels */
bool command_values(struct command *c, size_t at, struct op_probe_buffer *p);

/* One a command: fills the op. A command that does nothing sets it to NULL. */
bool read_atomic_counter(struct command *c);
bool read_atomic_counter_buffer(struct command *c);
bool read_atomic_counters(struct command *c);
bool read_cbuffer(struct command *c);
bool read_blit(struct command *c);
bool read_fb(struct command *c);
bool read_read_layer(struct command *c);
bool read_read_sample(struct command *c);
bool read_texture_junk(struct command *c);
bool read_viewport_indexed(struct command *c);
bool read_clear(struct command *c);
bool read_clear_color(struct command *c);
bool read_clear_depth(struct command *c);
bool read_clip_plane(struct command *c);
bool read_color(struct command *c);
bool read_color_mask(struct command *c);
bool read_compare(struct command *c);
bool read_compute(struct command *c);
bool read_compute_group_size(struct command *c);
bool read_counter(struct command *c);
bool read_depth_range(struct command *c);
bool read_depthfunc(struct command *c);
bool read_disable(struct command *c);
bool read_draw_arrays(struct command *c);
bool read_draw_arrays_instanced(struct command *c);
bool read_draw_buffers(struct command *c);
bool read_draw_instanced_rect(struct command *c);
bool read_draw_rect(struct command *c);
bool read_draw_rect_ortho(struct command *c);
bool read_draw_rect_ortho_patch(struct command *c);
bool read_draw_rect_patch(struct command *c);
bool read_draw_rect_tex(struct command *c);
bool read_enable(struct command *c);
bool read_framebuffer_float(struct command *c);
bool read_image(struct command *c);
bool read_image_texture(struct command *c);
bool read_interpolate(struct command *c);
bool read_layout(struct command *c);
bool read_nothing(struct command *c);
bool read_ortho(struct command *c);
bool read_frustum(struct command *c);
bool read_xfb_buffer(struct command *c);
bool read_xfb_draw_arrays(struct command *c);
bool read_xfb_varying(struct command *c);
bool read_probe_xfb_buffer(struct command *c);
bool read_verify_query(struct command *c);
bool read_parameter(struct command *c);
bool read_inner_levels(struct command *c);
bool read_outer_levels(struct command *c);
bool read_patch_vertices(struct command *c);
bool read_point_size(struct command *c);
bool read_pointer(struct command *c);
bool read_probe_all_rgb(struct command *c);
bool read_probe_all_rgba(struct command *c);
bool read_probe_atomic_counter(struct command *c);
bool read_probe_atomic_counter_buffer(struct command *c);
bool read_probe_counter(struct command *c);
bool read_probe_covered(struct command *c);
bool read_probe_depth(struct command *c);
bool read_probe_discarded(struct command *c);
bool read_probe_rect_rgba(struct command *c);
bool read_probe_rgb(struct command *c);
bool read_probe_rgba(struct command *c);
bool read_probe_ssbo(struct command *c);
bool read_probe_storage(struct command *c);
bool read_probe_texture(struct command *c);
bool read_probe_undefined(struct command *c);
bool read_provoking_vertex(struct command *c);
bool read_read_buffer(struct command *c);
bool read_record(struct command *c);
bool read_relative_rect_rgb(struct command *c);
bool read_relative_rect_rgba(struct command *c);
bool read_relative_rgb(struct command *c);
bool read_relative_rgba(struct command *c);
bool read_sampler(struct command *c);
bool read_shade_model(struct command *c);
bool read_ssbo(struct command *c);
bool read_storage(struct command *c);
bool read_subroutine(struct command *c);
bool read_texcoord(struct command *c);
bool read_texparameter(struct command *c);
bool read_texture(struct command *c);
bool read_texture_checkerboard(struct command *c);
bool read_texture_miptree(struct command *c);
bool read_texture_rgbw(struct command *c);
bool read_texture_shadow1d(struct command *c);
bool read_texture_shadow2d(struct command *c);
bool read_texture_shadow_rect(struct command *c);
bool read_texture_storage(struct command *c);
bool read_tolerance(struct command *c);

#endif
