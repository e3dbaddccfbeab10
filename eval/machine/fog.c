/* The fog options of fragment programs (ARB_fragment_program 3.11.4.5.1): x y z of a colour are blended with the fog's
 * colour by a factor that is made of fragment.fogcoord; alpha stays. */
#include "eval/machine/stage_fragment.h"

#include "eval/numeric/sfu.h"
#include "eval/numeric/words.h"

#include <math.h>
#include <string.h>

enum fog_mode { FOG_NONE, FOG_EXP, FOG_EXP2, FOG_LINEAR };

static enum fog_mode mode_of(const struct gp5_executable *x)
{
    uint64_t options = x->program->options;

    return options >> OPTION_ARB_fog_exp & 1    ? FOG_EXP
           : options >> OPTION_ARB_fog_exp2 & 1 ? FOG_EXP2
           : options >> OPTION_ARB_fog_linear & 1 ? FOG_LINEAR
                                                  : FOG_NONE;
}

static float clamp(float value)
{
    return value > 0 ? value < 1 ? value : 1 : 0;
}

static float power_of_two(float exponent)
{
    return num_float(eval_sfu_ex2(num_word(exponent)));
}

/* As the text's own instructions compute it. */
static float factor(const struct gp5_state *s, enum fog_mode mode, float c)
{
    const float root_of_ln2 = 0.83255461f, ln2 = 0.69314718f;
    float scaled;

    switch (mode) {
    case FOG_EXP: return clamp(power_of_two(-(s->fog_density / ln2 * c)));
    case FOG_EXP2:
        scaled = s->fog_density / root_of_ln2 * c;
        return clamp(power_of_two(-(scaled * scaled)));
    default:
        return clamp(fmaf(c, -1 / (s->fog_end - s->fog_start), s->fog_end / (s->fog_end - s->fog_start)));
    }
}

static float coordinate(const struct run *run, const struct warp *w, unsigned lane, uint32_t element)
{
    for (uint32_t i = 0; i < run->x->nsources; i++)
        if (run->x->sources[i].kind == BIND_FRAGMENT_FOGCOORD && !run->x->sources[i].component)
            return num_float(PLANE(w->base, run->x->sources[i].plane)[lane]);
    for (size_t i = 0; i < run->launch->ninputs; i++)
        if (!strcmp(run->launch->inputs[i].binding, binding_table[BIND_FRAGMENT_FOGCOORD].words))
            return num_float(run->launch->inputs[i].words[(size_t)element * 4]);
    return 0;
}

void eval_fog(struct warp *w, const uint32_t element[WARP_LANES])
{
    const struct run *run = w->worker->run;
    enum fog_mode mode = mode_of(w->x);
    float f[WARP_LANES];

    for (unsigned lane = 0; mode && lane < WARP_LANES; lane++)
        f[lane] = factor(run->state, mode, coordinate(run, w, lane, element[lane]));
    for (uint32_t i = 0; mode && i < w->x->nsources; i++) {
        const struct plane_source *s = &w->x->sources[i];
        uint32_t *plane = PLANE(w->base, s->plane);
        for (unsigned lane = 0; s->kind == BIND_RESULT_COLOR && s->component < 3 && lane < WARP_LANES; lane++) {
            float fog = run->state->fog_color[s->component];
            plane[lane] = num_word(fmaf(f[lane], num_float(plane[lane]) - fog, fog));
        }
    }
}
