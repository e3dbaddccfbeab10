/* gp5_translate: the parts of a translation, put together. */
#include "translate/translate.h"

#include <stdio.h>
#include <string.h>

const struct tr_target tr_targets[GP5_LANGUAGES] = {
#define TARGET(id, name, version, features) [GP5_TO_##id] = {name, version, features},
#include "translate/targets.def"
#undef TARGET
};

const char *gp5_language_name(enum gp5_language language)
{
    return (unsigned)language < GP5_LANGUAGES ? tr_targets[language].name : NULL;
}

void tr_needs_integers(struct tr *t, struct span where, const char *what)
{
    if (!tr_has(t, HAS_INTEGERS))
        tr_refuse(t, where, "%s, which %s cannot say", what, t->target->name);
}

void tr_needs_bits(struct tr *t, struct span where, const char *what)
{
    if (!tr_has(t, HAS_BITS))
        tr_refuse(t, where, "%s, which %s cannot say", what, t->target->name);
}

const char *tr_interpolation(uint8_t interpolation)
{
    return interpolation & INTERP_FLAT            ? "flat "
           : interpolation & INTERP_NOPERSPECTIVE ? "noperspective "
           : interpolation & INTERP_CENTROID      ? "centroid "
           : interpolation & INTERP_SAMPLE        ? "sample "
                                                  : "";
}

static void head(struct tr *t, struct tr_text *out)
{
    tr_printf(out, "%s\n", t->target->version);
    if (t->needed & NEED_RECT && !tr_has(t, HAS_INTEGERS))
        tr_puts(out, "#extension GL_ARB_texture_rectangle : require\n");
    if (tr_has(t, IS_ES))
        tr_puts(out, "precision highp float;\nprecision highp int;\n");
    uint64_t options = t->p->options;
    bool upper = options >> OPTION_ARB_fragment_coord_origin_upper_left & 1;
    bool whole = options >> OPTION_ARB_fragment_coord_pixel_center_integer & 1;
    if (t->stage == STAGE_FRAGMENT && (upper || whole)) {
        if (tr_has(t, IS_ES))
            tr_refuse(t, (struct span){0, 0}, "an option about the origin of positions, which %s has not",
                      t->target->name);
        if (!tr_has(t, HAS_INTEGERS))
            tr_puts(out, "#extension GL_ARB_fragment_coord_conventions : require\n");
        tr_printf(out, "layout(%s%s%s) in vec4 gl_FragCoord;\n", upper ? "origin_upper_left" : "",
                  upper && whole ? ", " : "", whole ? "pixel_center_integer" : "");
    }
}

static void conditions(struct tr *t)
{
    for (unsigned i = 0; i < 2; i++)
        if (t->conditions[i])
            tr_printf(&t->variables,
                      t->flag_bits ? "uvec4 gp5_cc%u = uvec4(1u);\n" : "vec4 gp5_cc%u = vec4(0.0);\n", i);
    if (t->stage == STAGE_FRAGMENT && tr_has_fog(t))
        tr_puts(&t->variables, "vec4 gp5_fogged = vec4(0.0);\n");
}

static void assemble(struct tr *t, struct tr_text *out)
{
    struct tr_text fill = {0};

    t->out = &fill;
    t->depth = 1;
    tr_fill_arrays(t);
    tr_declare_ports(t);
    tr_declare_parameters(t);
    tr_declare_samplers(t);
    head(t, out);
    tr_put(out, t->declarations.bytes, t->declarations.size);
    tr_put(out, t->variables.bytes, t->variables.size);
    tr_put(out, t->functions.bytes, t->functions.size);
    tr_puts(out, "void main()\n{\n");
    tr_put(out, fill.bytes, fill.size);
    out->failed |= fill.failed;
    gp5_free(fill.bytes);
    tr_put(out, t->body.bytes, t->body.size);
    tr_puts(out, "}\n");
}

static bool start(struct tr *t, const struct gp5_translate_options *options)
{
    const struct gp5_program *p = t->p;

    t->target = &tr_targets[options->to];
    t->features = t->target->features;
    t->stage = profile_table[p->profile].stage_id;
    t->generation = profile_table[p->profile].generation;
    arena_init(&t->arena);
    arena_init(&t->scratch);
    vec_init(&t->state, sizeof(struct tr_row));
    vec_init(&t->samplers, sizeof(struct tr_sampler));
    vec_init(&t->ports, sizeof(struct tr_port));
    t->symbols = arena_alloc(&t->arena, (p->symbols.count + 1) * sizeof *t->symbols);
    t->prefix = tr_has(t, HAS_COMPAT) ? "gp5_" : t->stage == STAGE_VERTEX ? "gp5_vertex_" : "gp5_fragment_";
    return t->symbols != NULL;
}

static void end(struct tr *t)
{
    tr_names_free(t);
    vec_free(&t->state);
    vec_free(&t->samplers);
    vec_free(&t->ports);
    gp5_free(t->declarations.bytes);
    gp5_free(t->variables.bytes);
    gp5_free(t->functions.bytes);
    gp5_free(t->body.bytes);
    arena_free(&t->scratch);
    arena_free(&t->arena);
}

static void tell(const struct tr *t, const struct gp5_translate_options *options)
{
    struct gp5_diagnostic d = {.severity = GP5_ERROR, .offset = t->refused_at.offset, .length = t->refused_at.length,
                               .message = t->refusal};

    gp5_locate(t->p, d.offset, &d.line, &d.column);
    if (options->each)
        options->each(options->user, &d);
}

enum gp5_translated gp5_translate(const gp5_program *program, const struct gp5_translate_options *given)
{
    struct gp5_translate_options own = {0}, *options = &own;
    size_t known = given->size < sizeof own ? given->size : sizeof own;
    struct tr t = {.p = program};
    struct tr_text out = {0};
    enum gp5_translated answer = GP5_TRANSLATED;

    memcpy(&own, given, known);
    if (!own.write || (unsigned)own.to >= GP5_LANGUAGES)
        return GP5_TRANSLATE_NOT_WRITTEN;
    if (!gp5_valid(program, GP5_TARGET_NVIDIA) && !gp5_valid(program, GP5_TARGET_MESA) &&
        !gp5_valid(program, GP5_TARGET_SPEC))
        return GP5_TRANSLATE_INVALID;
    if (start(&t, options)) {
        tr_find_uses(&t);
        conditions(&t);
        tr_program(&t);
        assemble(&t, &out);
    }
    bool failed = !t.symbols || t.arena.failed || t.scratch.failed || out.failed || t.declarations.failed ||
                  t.variables.failed || t.functions.failed || t.body.failed;
    if (failed) {
        answer = GP5_TRANSLATE_NO_MEMORY;
    } else if (t.refusal) {
        tell(&t, options);
        answer = GP5_TRANSLATE_REFUSED;
    } else if (!options->write(options->user, out.bytes, out.size)) {
        answer = GP5_TRANSLATE_NOT_WRITTEN;
    } else {
        tr_tell_interface(&t, options);
    }
    gp5_free(out.bytes);
    end(&t);
    return answer;
}
