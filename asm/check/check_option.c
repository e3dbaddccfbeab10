/* OPTION: which there are, which go together, and who takes them. */
#include "asm/check/fix.h"
#include "asm/check/check_internal.h"

/* Of each set a program has one at most. */
static const struct {
    uint8_t options[4];
    const char *what;
} sets[] = {
    {{OPTION_NV_vertex_program2, OPTION_NV_vertex_program3}, "NV_vertex_program"},
    {{OPTION_NV_fragment_program, OPTION_NV_fragment_program2}, "NV_fragment_program"},
    {{OPTION_ARB_fog_exp, OPTION_ARB_fog_exp2, OPTION_ARB_fog_linear}, "fog"},
    {{OPTION_NV_pixel_interlock_ordered, OPTION_NV_pixel_interlock_unordered, OPTION_NV_sample_interlock_ordered,
      OPTION_NV_sample_interlock_unordered}, "interlock"},
    {{OPTION_ARB_precision_hint_fastest, OPTION_ARB_precision_hint_nicest}, "precision hint"},
};

/* What ARB programs have by the specifications; of these Mesa takes all but NVIDIA's. */
static const uint8_t arb_options[] = {
    OPTION_ARB_position_invariant, OPTION_ARB_fog_exp, OPTION_ARB_fog_exp2, OPTION_ARB_fog_linear,
    OPTION_ARB_precision_hint_fastest, OPTION_ARB_precision_hint_nicest, OPTION_ARB_fragment_program_shadow,
    OPTION_ARB_draw_buffers, OPTION_ATI_draw_buffers, OPTION_ARB_fragment_coord_origin_upper_left,
    OPTION_ARB_fragment_coord_pixel_center_integer,
};
static const uint8_t nv_options[] = {
    OPTION_NV_vertex_program2, OPTION_NV_vertex_program3, OPTION_NV_fragment_program, OPTION_NV_fragment_program2,
};

static bool is_among(unsigned option, const uint8_t *options, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (options[i] == option)
            return true;
    return false;
}

static void check_arb_option(struct checker *c, unsigned option, struct span name)
{
    bool arb = is_among(option, arb_options, sizeof arb_options) &&
               !(option == OPTION_ARB_fragment_program_shadow && profile_in(c->profile, AVP | AVP2));
    if (is_among(option, nv_options, sizeof nv_options))
        check_error(c, FOR_MESA, name, "Mesa does not have the option %s", option_table[option].name);
    else if (!arb)
        check_error(c, FOR_MESA | FOR_SPEC, name, "only NVIDIA's driver takes the option %s in an ARB program",
                    option_table[option].name);
}

/* The other of its set that was named before, or OPTION_NONE. */
static unsigned rival_of(const struct checker *c, unsigned option, const char **what)
{
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        if (!is_among(option, sets[i].options, sizeof sets[i].options))
            continue;
        *what = sets[i].what;
        for (size_t j = 0; j < sizeof sets[i].options; j++)
            if (sets[i].options[j] != option && sets[i].options[j] && c->options >> sets[i].options[j] & 1)
                return sets[i].options[j];
    }
    return OPTION_NONE;
}

static bool check_alone(struct checker *c, const struct statement *s, struct span name)
{
    const char *what = "";
    unsigned rival = s->ref == OPTION_UNKNOWN ? OPTION_NONE : rival_of(c, s->ref, &what);
    if (rival == OPTION_NONE)
        return true;
    check_error(c, FOR_MESA, name, "a program has one %s option, and %s is named already", what,
                option_table[rival].name);
    check_position(check_error(c, FOR_NVIDIA | FOR_SPEC, name, "a program has one %s option, and %s is named already",
                               what, option_table[rival].name),
                   check_next_token(c, span_end(name)));
    return false;
}

/* To the driver a typed program with such an option is an ARB program from there on; no specification knows it. */
static void become_arb(struct checker *c, unsigned option, struct span name)
{
    struct diags *diags = &c->program->diags;
    for (size_t i = 0; i < diags->count; i++)
        diags->list[i].targets &= ~(unsigned)FOR_SPEC;
    check_error(c, FOR_SPEC, name, "by the specifications the option %s is of ARB programs", option_table[option].name);
    c->excluded |= FOR_SPEC;
    c->typed = false;
}

void check_option(struct checker *c, const struct statement *s, bool first)
{
    struct span name = {s->count, span_end(s->span) - s->count};
    if (!first) {
        check_error(c, FOR_ALL, s->span, "invalid statement: OPTION stands before everything else");
        return;
    }
    if (!check_alone(c, s, name))
        return;
    if (s->ref == OPTION_UNKNOWN || !(option_table[s->ref].profiles & 1u << c->profile)) {
        struct diag *d = check_error(c, FOR_ALL, name, "%s programs have no option %.*s",
                                     profile_table[c->profile].stage, check_length(name), check_text(c, name));
        bool only;
        const char *meant = asm_suggest_option(c->program, name, &only);
        fix_word(d, name, meant, only);
        return;
    }
    if (c->typed && is_among(s->ref, nv_options, sizeof nv_options))
        become_arb(c, s->ref, name);
    c->options |= UINT64_C(1) << s->ref;
    c->profile = asm_profile_with(c->profile, s->ref);
    if (profile_table[c->profile].generation == GEN_ARB)
        check_arb_option(c, s->ref, name);
    if (s->ref == OPTION_GP5_subgroup)
        diag_hint(check_error(c, FOR_DRIVER | FOR_MESA | FOR_SPEC, name, "the option GP5_subgroup is gp5's own"),
                  "run gp5 lower: it writes the program for drivers; --target=gp5 takes it as it is");
    if (UINT64_C(1) << s->ref & DERIVATIVE_GROUP_OPTIONS)
        check_error(c, FOR_SPEC, name, "no specification has the option %s", option_table[s->ref].name);
    if (s->ref == OPTION_NV_internal)
        check_error(c, FOR_SPEC, name, "no specification has the option NV_internal");
}
