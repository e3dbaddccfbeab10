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
    static const char *const words[] = {"", "centroid ", "sample ", "sample "},
                      *const linear[] = {"noperspective ", "noperspective centroid ", "noperspective sample ",
                                         "noperspective sample "};
    unsigned where = (interpolation & INTERP_CENTROID ? 1 : 0) + (interpolation & INTERP_SAMPLE ? 2 : 0);

    return interpolation & INTERP_FLAT ? "flat " : interpolation & INTERP_NOPERSPECTIVE ? linear[where] : words[where];
}

static void head(struct tr *t, struct tr_text *out)
{
    tr_printf(out, "%s\n", t->target->version);
    if (t->needed & NEED_RECT && !tr_has(t, HAS_INTEGERS))
        tr_puts(out, "#extension GL_ARB_texture_rectangle : require\n");
    if (t->needed & (NEED_INT64 | NEED_FLAGS_WIDE | NEED_BALLOT) && tr_has(t, HAS_GPU5))
        tr_puts(out, "#extension GL_ARB_gpu_shader_int64 : enable\n");
    if (t->needed & NEED_LAYERS)
        tr_puts(out, "#extension GL_ARB_shader_viewport_layer_array : require\n");
    if (t->needed & NEED_COUNTERS)
        tr_puts(out, "#extension GL_ARB_shader_atomic_counter_ops : require\n");
    if (t->needed & NEED_VOTES)
        tr_puts(out, "#extension GL_ARB_shader_group_vote : require\n");
    if (t->needed & NEED_CLOCK)
        tr_puts(out, "#extension GL_ARB_shader_clock : require\n");
    if (t->needed & NEED_BALLOT)
        tr_puts(out, "#extension GL_ARB_shader_ballot : require\n");
    if (t->needed & NEED_LOD)
        tr_puts(out, "#extension GL_ARB_shader_texture_lod : require\n");
    if (tr_has(t, IS_ES))
        tr_puts(out, "precision highp float;\nprecision highp int;\n");
    uint64_t options = t->p->options;
    bool upper = options >> OPTION_ARB_fragment_coord_origin_upper_left & 1;
    bool whole = options >> OPTION_ARB_fragment_coord_pixel_center_integer & 1;
    /* Older versions have no such layout; a whole number is half a pixel less. */
    bool layout = tr_has(t, HAS_INTEGERS) && !tr_has(t, IS_ES);
    if (t->stage == STAGE_FRAGMENT && upper && !layout)
        tr_refuse(t, (struct span){0, 0}, "an option about the origin of positions, which %s has not", t->target->name);
    if (t->stage == STAGE_FRAGMENT && (upper || whole) && layout)
        tr_printf(out, "layout(%s%s%s) in vec4 gl_FragCoord;\n", upper ? "origin_upper_left" : "",
                  upper && whole ? ", " : "", whole ? "pixel_center_integer" : "");
}

/* Functions that the program needs. */
static void helpers(struct tr *t)
{
    struct tr_text *out = &t->declarations;

    if (t->needed & NEED_RCC)
        tr_puts(out, "float gp5_rcc(float x)\n{\n    float m = clamp(abs(1.0 / x), 5.42101086e-20, 1.8446744e+19);\n"
                     "    return x < 0.0 || 1.0 / x < 0.0 ? -m : m;\n}\n");
    if (t->needed & NEED_LOG)       /* the exponent and the mantissa from 1 on */
        tr_puts(out, "vec2 gp5_log(float x)\n{\n    uint w = floatBitsToUint(x) & 0x7fffffffu;\n"
                     "    if (w == 0u) return vec2(uintBitsToFloat(0xff800000u), 1.0);\n"
                     "    if (w >= 0x7f800000u) return vec2(uintBitsToFloat(w), 1.0);\n"
                     "    int e = w >= 0x00800000u ? int(w >> 23) - 127 : -126;\n"
                     "    while (w < 0x00800000u) {\n        w <<= 1;\n        e--;\n    }\n"
                     "    return vec2(float(e), uintBitsToFloat((w & 0x007fffffu) | 0x3f800000u));\n}\n");
    if (t->needed & NEED_ROUND)
        for (unsigned n = 1; n <= 4; n++)
            tr_printf(out, "%s gp5_even(%s x)\n{\n    %s f = floor(x + 0.5);\n"
                           "    return f - %s(%s) * abs(mod(f, 2.0));\n}\n",
                      tr_type_name(T_FLOAT, n), tr_type_name(T_FLOAT, n), tr_type_name(T_FLOAT, n),
                      tr_type_name(T_FLOAT, n), n == 1 ? "x + 0.5 == f" : "equal(x + 0.5, f)");
    if (t->needed & NEED_FLAGS) {
        tr_puts(out, "uint gp5_flags(float x) { return x != x ? 3u : x == 0.0 ? 1u : x < 0.0 ? 2u : 0u; }\n");
        for (unsigned n = 2; n <= 4; n++)
            tr_printf(out, "uvec%u gp5_flags(vec%u v) { return uvec%u(gp5_flags(v.x), gp5_flags(v.y)%s%s); }\n", n, n,
                      n, n > 2 ? ", gp5_flags(v.z)" : "", n > 3 ? ", gp5_flags(v.w)" : "");
    }
    if (t->needed & NEED_FLAGS_INT) {
        tr_puts(out, "uint gp5_flags(int x) { return x == 0 ? 1u : x < 0 ? 2u : 0u; }\n");
        for (unsigned n = 2; n <= 4; n++)
            tr_printf(out, "uvec%u gp5_flags(ivec%u v) { return uvec%u(gp5_flags(v.x), gp5_flags(v.y)%s%s); }\n", n, n,
                      n, n > 2 ? ", gp5_flags(v.z)" : "", n > 3 ? ", gp5_flags(v.w)" : "");
    }
    if (t->needed & NEED_HALF) {
        tr_puts(out, "float gp5_half(float x) { return unpackHalf2x16(packHalf2x16(vec2(x, 0.0))).x; }\n"
                     "vec2 gp5_half(vec2 v) { return unpackHalf2x16(packHalf2x16(v)); }\n"
                     "vec3 gp5_half(vec3 v) { return vec3(gp5_half(v.xy), gp5_half(v.z)); }\n"
                     "vec4 gp5_half(vec4 v) { return vec4(gp5_half(v.xy), gp5_half(v.zw)); }\n");
    }
    if (t->needed & NEED_HIGH)
        tr_puts(out, "uint gp5_high(uint a, uint b)\n{\n    uint high, low;\n    umulExtended(a, b, high, low);\n"
                     "    return high;\n}\n"
                     "int gp5_high(int a, int b)\n{\n    int high, low;\n    imulExtended(a, b, high, low);\n"
                     "    return high;\n}\n");
    if (t->needed & NEED_CARRY)
        tr_puts(out, "uint gp5_carry(uint a, uint b, uint one)\n{\n    uint r = a + b + one;\n"
                     "    return ((a & b) | ((a | b) & ~r)) >> 31 << 2 | ((a ^ r) & (b ^ r)) >> 31 << 3;\n}\n");
    if (t->needed & NEED_CARRY_WIDE)
        tr_puts(out, "uint gp5_carry(uint64_t a, uint64_t b, uint64_t one)\n{\n    uint64_t r = a + b + one;\n"
                     "    return uint(((a & b) | ((a | b) & ~r)) >> 63 << 2 | ((a ^ r) & (b ^ r)) >> 63 << 3);\n}\n");
    if (t->needed & NEED_FLAGS_WIDE)
        for (unsigned k = 0; k < 2; k++) {
            enum tr_type type = k ? T_INT64 : T_DOUBLE;
            const char *zero = k ? "int64_t(0)" : "0.0lf";
            tr_printf(out, "uint gp5_flags(%s x) { return x != x ? 3u : x == %s ? 1u : x < %s ? 2u : 0u; }\n",
                      tr_type_name(type, 1), zero, zero);
            for (unsigned n = 2; n <= 4; n++)
                tr_printf(out, "uvec%u gp5_flags(%s v) { return uvec%u(gp5_flags(v.x), gp5_flags(v.y)%s%s); }\n", n,
                          tr_type_name(type, n), n, n > 2 ? ", gp5_flags(v.z)" : "", n > 3 ? ", gp5_flags(v.w)" : "");
        }
    tr_declare_exchange(t, out);
    if (t->needed & NEED_STACK)
        tr_puts(out, "ivec4 gp5_stack[32];\nint gp5_pushed = 0;\n");
    if (t->needed & NEED_DEMOTED)
        tr_puts(out, "bool gp5_demoted = false;\n");
}

static void conditions(struct tr *t)
{
    bool precise = tr_has(t, IN_ORDER | HAS_GPU5) && !t->flag_bits;

    for (unsigned i = 0; i < 2; i++) {
        if (t->conditions[i])
            tr_printf(&t->variables,
                      t->flag_bits ? "uvec4 gp5_cc%u = uvec4(1u);\n" : "vec4 gp5_cc%u = vec4(0.0);\n", i);
        if (t->conditions[i] && precise)
            tr_printf(&t->variables, "precise gp5_cc%u;\n", i);
    }
    if (t->stage == STAGE_FRAGMENT && tr_has_fog(t))
        tr_puts(&t->variables, "vec4 gp5_fogged = vec4(0.0);\n");
}

static void assemble(struct tr *t, struct tr_text *out)
{
    struct tr_text fill = {0};

    t->out = &fill;
    t->depth = 1;
    tr_clear_results(t);
    tr_fill_arrays(t);
    tr_declare_ports(t);
    tr_keep_results_precise(t);
    tr_declare_parameters(t);
    tr_place_resources(t);
    tr_declare_samplers(t);
    tr_declare_images(t);
    tr_declare_memory(t);
    tr_declare_subroutines(t);
    helpers(t);
    head(t, out);
    tr_declare_stage(t, out);
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

    t->options = options;
    t->target = &tr_targets[options->to];
    t->features = t->target->features;
    t->half = options->round_halves;
    if (!profile_in(p->profile, AVP | AFP) || !gp5_valid(p, GP5_TARGET_MESA))
        t->features |= IN_ORDER;
    if (profile_table[p->profile].generation >= GEN_NV4)
        t->features |= IS_NEWER;
    t->stage = profile_table[p->profile].stage_id;
    t->generation = profile_table[p->profile].generation;
    arena_init(&t->arena);
    arena_init(&t->scratch);
    vec_init(&t->state, sizeof(struct tr_row));
    vec_init(&t->samplers, sizeof(struct tr_sampler));
    vec_init(&t->open_loops, sizeof(uint32_t));
    vec_init(&t->open_blocks, sizeof(uint32_t));
    vec_init(&t->shadows, sizeof(char *));
    vec_init(&t->ports, sizeof(struct tr_port));
    vec_init(&t->held, sizeof(struct tr_held));
    vec_init(&t->memory, sizeof(struct tr_memory));
    vec_init(&t->handles, sizeof(struct tr_handle));
    t->shape = asm_stage_shape(p);
    t->symbols = arena_alloc(&t->arena, (p->symbols.count + 1) * sizeof *t->symbols);
    static const char *const prefixes[] = {
        [STAGE_VERTEX] = "gp5_vertex_", [STAGE_CONTROL] = "gp5_control_", [STAGE_EVALUATION] = "gp5_evaluation_",
        [STAGE_GEOMETRY] = "gp5_geometry_", [STAGE_FRAGMENT] = "gp5_fragment_", [STAGE_COMPUTE] = "gp5_compute_"};
    t->stage_prefix = prefixes[t->stage];
    t->own_prefix = options->prefix && tr_has(t, HAS_COMPAT) ? options->prefix : "gp5_";
    t->prefix = tr_has(t, HAS_COMPAT) ? t->own_prefix : t->stage_prefix;
    return t->symbols != NULL;
}

/* Only what was there before NV_gpu_program4 has something to do with plain ARB programs. */
static void check_assembly(struct tr *t)
{
    if (t->generation != GEN_ARB && t->generation != GEN_REGISTER)
        tr_refuse(t, (struct span){0, 0}, "a program of NV_gpu_program4 or later, which plain ARB programs cannot say");
}

/* A name that GLSL has free. */
static void check_prefix(struct tr *t)
{
    const char *p = t->own_prefix;
    if (!t->options->prefix)
        return;
    size_t n = strspn(p, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");

    if (!n || p[n] || n > 64 || (*p >= '0' && *p <= '9') || !strncmp(p, "gl_", 3) || *p == '_' || strstr(p, "__"))
        tr_refuse(t, (struct span){0, 0}, "names with such a prefix");
}

/* The stages that came after vertices and fragments need GLSL 4.50, where they are together. */
static void check_stage(struct tr *t)
{
    if (t->stage != STAGE_VERTEX && t->stage != STAGE_FRAGMENT && !tr_has(t, HAS_GPU5))
        tr_refuse(t, (struct span){0, 0}, "a program of the %s stage, which %s has not",
                  profile_table[t->p->profile].stage, t->target->name);
    if (t->shape.passes && t->stage == STAGE_GEOMETRY)
        tr_refuse(t, (struct span){0, 0}, "a program of primitives that are passed on");
}

static void end(struct tr *t)
{
    tr_names_free(t);
    vec_free(&t->state);
    vec_free(&t->samplers);
    vec_free(&t->ports);
    vec_free(&t->held);
    vec_free(&t->memory);
    vec_free(&t->handles);
    vec_free(&t->shadows);
    vec_free(&t->open_loops);
    vec_free(&t->open_blocks);
    tr_text_free(&t->declarations);
    tr_text_free(&t->variables);
    tr_text_free(&t->functions);
    tr_text_free(&t->body);
    tr_text_free(&t->line);
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
    struct tr_text out;
    enum { ROOM = 768 }; /* what a short program needs */
    char rooms[6][ROOM];
    enum gp5_translated answer = GP5_TRANSLATED;

    memcpy(&own, given, known);
    tr_lend(&t.declarations, rooms[0], ROOM);
    tr_lend(&t.variables, rooms[1], ROOM);
    tr_lend(&t.body, rooms[2], ROOM);
    tr_lend(&t.line, rooms[3], ROOM);
    tr_lend(&out, rooms[4], 2 * ROOM);
    if (!own.write || (unsigned)own.to >= GP5_LANGUAGES)
        return GP5_TRANSLATE_NOT_WRITTEN;
    if (!gp5_valid(program, GP5_TARGET_NVIDIA) && !gp5_valid(program, GP5_TARGET_MESA) &&
        !gp5_valid(program, GP5_TARGET_SPEC))
        return GP5_TRANSLATE_INVALID;
    if (start(&t, options)) {
        if (tr_has(&t, IS_ASSEMBLY)) {
            check_assembly(&t);
            tr_assemble_arb(&t, &out);
        } else {
            check_stage(&t);
            check_prefix(&t);
            tr_find_uses(&t);
            conditions(&t);
            tr_find_streams(&t);
            tr_find_handles(&t);
            if (!tr_find_turns(&t))
                t.arena.failed = true;
            tr_declare_handles(&t);
            tr_program(&t);
            assemble(&t, &out);
        }
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
    tr_text_free(&out);
    end(&t);
    return answer;
}
