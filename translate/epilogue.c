/* What options leave to be done where a program ends: fog, and the position of the fixed functions. */
#include "translate/translate.h"

static bool has_option(const struct tr *t, enum gp5_option option)
{
    return t->p->options >> option & 1;
}

bool tr_has_fog(const struct tr *t)
{
    return has_option(t, OPTION_ARB_fog_exp) || has_option(t, OPTION_ARB_fog_exp2) ||
           has_option(t, OPTION_ARB_fog_linear);
}

/* A state vector by its binding. */
static const char *state(struct tr *t, unsigned kind)
{
    struct binding b = {.kind = (uint16_t)kind};

    return tr_parameter(t, &b, 0).text;
}

/* The colour is clamped before it is blended. */
static void fog(struct tr *t)
{
    struct binding coordinate = {.kind = BIND_FRAGMENT_FOGCOORD}, color = {.kind = BIND_RESULT_COLOR};
    const char *c = tr_input(t, &coordinate, 0, (struct span){0, 0}).text, *params = state(t, BIND_STATE_FOG_PARAMS);
    bool compat = tr_has(t, HAS_COMPAT);
    const char *density = compat ? "gl_Fog.density" : tr_text(t, "%s.x", params);
    const char *end = compat ? "gl_Fog.end" : tr_text(t, "%s.z", params);
    const char *scale = compat ? "gl_Fog.scale" : tr_text(t, "%s.w", params);

    if (has_option(t, OPTION_ARB_fog_linear))
        tr_line(t, "float gp5_f = clamp(%s * -%s + %s * %s, 0.0, 1.0);", c, scale, end, scale);
    else if (has_option(t, OPTION_ARB_fog_exp))
        tr_line(t, "float gp5_f = clamp(exp2(-(%s * 1.442695041 * %s)), 0.0, 1.0);", density, c);
    else
        tr_line(t, "float gp5_f = clamp(exp2(-((%s * 1.201122409 * %s) * (%s * 1.201122409 * %s))), 0.0, 1.0);",
                density, c, density, c);
    tr_line(t, "gp5_fogged = clamp(gp5_fogged, 0.0, 1.0);");
    t->fogged = true;
    const char *out = tr_output(t, &color, 0, (struct span){0, 0}).text;
    tr_line(t, "%s = vec4(mix(%s.xyz, gp5_fogged.xyz, gp5_f), gp5_fogged.w);", out, state(t, BIND_STATE_FOG_COLOR));
    t->fogged = false;
}

/* P x (M x v) where no built-in says it. */
static void position(struct tr *t)
{
    struct binding vertex = {.kind = BIND_VERTEX_POSITION}, out = {.kind = BIND_RESULT_POSITION};
    const char *v = tr_input(t, &vertex, 0, (struct span){0, 0}).text;
    const char *to = tr_output(t, &out, 0, (struct span){0, 0}).text;

    if (tr_has(t, HAS_COMPAT)) {
        tr_line(t, "%s = ftransform();", to);
        tr_line(t, "gl_ClipVertex = gl_ModelViewMatrix * gl_Vertex;");
        return;
    }
    struct binding mvp = {.kind = BIND_STATE_MATRIX_MVP_TRANSPOSE};
    const char *column[4];
    for (uint32_t i = 0; i < 4; i++)
        column[i] = tr_parameter(t, &mvp, i).text;
    tr_line(t, "%s = %s * %s.x + %s * %s.y + %s * %s.z + %s * %s.w;", to, column[0], v, column[1], v, column[2], v,
            column[3], v);
}

void tr_epilogue(struct tr *t)
{
    if (t->needed & NEED_DEMOTED)
        tr_line(t, "if (gp5_demoted) discard;");
    if (t->stage == STAGE_FRAGMENT && tr_has_fog(t))
        fog(t);
    if (has_option(t, OPTION_ARB_position_invariant) || has_option(t, OPTION_NV_position_invariant))
        position(t);
}
