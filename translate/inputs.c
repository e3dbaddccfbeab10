/* What stands before and behind a stage: the slots of slots.def that the program names, and their declarations. */
#include "asm/binding_name.h"
#include "translate/translate.h"

#include <stdio.h>
#include <string.h>

enum direction { IN, OUT };

/* Stages, and the groups of them that slots.def names. */
enum {
    S_VERTEX = 1 << STAGE_VERTEX, S_CONTROL = 1 << STAGE_CONTROL, S_EVALUATION = 1 << STAGE_EVALUATION,
    S_GEOMETRY = 1 << STAGE_GEOMETRY, S_FRAGMENT = 1 << STAGE_FRAGMENT, S_COMPUTE = 1 << STAGE_COMPUTE,
    S_FINAL = S_VERTEX | S_EVALUATION | S_GEOMETRY, S_VERTICES = S_CONTROL | S_EVALUATION | S_GEOMETRY,
    S_PATCHES = S_CONTROL | S_EVALUATION, S_INVOKED = S_CONTROL | S_GEOMETRY
};

static const struct slot {
    uint8_t direction, stages;
    uint16_t kind;
    const char *compat, *core;
    uint8_t type, components, component, location;
} slots[] = {
#define SLOT(direction, stages, kind, compat, core, type, components, component, location) \
    {direction, S_##stages, BIND_##kind, compat, core, T_##type, components, component, location},
#include "translate/slots.def"
#undef SLOT
};

static const struct slot *find(const struct tr *t, enum direction direction, uint16_t kind)
{
    for (size_t i = 0; i < sizeof slots / sizeof *slots; i++)
        if (slots[i].kind == kind && slots[i].direction == direction && slots[i].stages >> t->stage & 1)
            return &slots[i];
    return NULL;
}

static const char *text_of(const struct tr *t, const struct slot *s)
{
    return tr_has(t, HAS_COMPAT) ? s->compat : s->core;
}

/* A port that is declared, or that was there before; its type is that of its first use. */
static struct tr_port *port(struct tr *t, const struct slot *s, uint32_t number, unsigned stream)
{
    uint16_t slot = (uint16_t)(s - slots);

    for (size_t i = 0; i < t->ports.count; i++) {
        struct tr_port *p = vec_at(&t->ports, i);
        if (p->slot == slot && p->number == number && p->stream == stream)
            return p;
    }
    size_t at = vec_grow(&t->ports);
    if (at == SIZE_MAX) {
        t->arena.failed = true;
        return NULL;
    }
    struct tr_port *p = vec_at(&t->ports, at);
    *p = (struct tr_port){.slot = slot, .number = number, .stream = (uint8_t)stream,
                          .type = (uint8_t)tr_port_type(t, s->kind, number, s->type),
                          .interpolation = s->direction == IN ? tr_port_interpolation(t, s->kind, number) : 0};
    return p;
}

/* In the older headers attributes are the conventional ones (NV_vertex_program, table X.1). */
uint16_t tr_conventional(uint32_t *number)
{
    static const uint16_t kinds[8] = {BIND_VERTEX_POSITION, 0, BIND_VERTEX_NORMAL, BIND_VERTEX_COLOR_PRIMARY,
                                      BIND_VERTEX_COLOR_SECONDARY, BIND_VERTEX_FOGCOORD, 0, 0};

    if (*number >= 8) {
        *number -= 8;
        return BIND_VERTEX_TEXCOORD;
    }
    if (!kinds[*number])
        return BIND_VERTEX_ATTRIB;
    uint16_t kind = kinds[*number];
    *number = 0;
    return kind;
}

/* Built-ins that came after GLSL 3.30, and those that OpenGL ES 3.00 lacks beside them. */
static bool has_builtin(const struct tr *t, const char *name)
{
    static const char *const beyond[] = {"gl_CullDistance", "gl_SampleID", "gl_SampleMask", "gl_Layer",
                                         "gl_ViewportIndex", "uint(gl_HelperInvocation)", "gl_ClipDistance",
                                         "gl_PrimitiveID"};
    size_t n = tr_has(t, HAS_GPU5) || !tr_has(t, HAS_INTEGERS) ? 0 : tr_has(t, IS_ES) ? 8 : 6;

    for (size_t i = 0; i < n; i++)
        if (strncmp(name, beyond[i], strlen(beyond[i])) == 0)
            return false;
    return true;
}

/* The text of a slot: %u its number, %v the vertex. */
static const char *placed(struct tr *t, const char *text, uint32_t number, const char *vertex)
{
    const char *at = strstr(text, "%v");

    if (at)
        text = tr_text(t, "%.*s%s%s", (int)(at - text), text, vertex, at + 2);
    return tr_number(t, text, number);
}

/* What stands at the place: is there such a thing, and has it a place of its own? */
static void check(struct tr *t, const struct slot *s, uint16_t kind, uint32_t *number, struct span where)
{
    const char *words = binding_table[kind].words;
    bool set = kind == BIND_VERTEX_TEXCOORD || kind == BIND_FRAGMENT_TEXCOORD || kind == BIND_RESULT_TEXCOORD ||
               kind == BIND_VERTEX_N_TEXCOORD;

    if (set && *number >= 8) {
        tr_refuse(t, where, "more than 8 sets of texture coordinates");
        *number = 0;
    }
    if (strncmp(text_of(t, s), "gp5_", 4) == 0 && s->location + *number > 31) {
        tr_refuse(t, where, "an attribute for which there is no location");
        *number = 0;
    }
    bool clip = strstr(s->core, "gl_C") && strstr(s->core, "Distance"); /* gl_ClipDistance, gl_CullDistance */
    if (clip && *number >= 8)
        tr_refuse(t, where, "more than 8 clip distances");
    if (kind == BIND_FRAGMENT_POINTCOORD || clip || s->type != T_FLOAT)
        tr_needs_integers(t, where, words);
    if (!has_builtin(t, s->core))
        tr_refuse(t, where, "%s is nothing that %s has", words, t->target->name);
}

static struct tr_base base_of(struct tr *t, enum direction direction, uint16_t kind, uint32_t number,
                              const char *vertex, struct span where)
{
    struct tr_base thread;
    if (tr_thread(t, kind, &thread))
        return thread;
    if (t->generation == GEN_REGISTER && kind == BIND_VERTEX_ATTRIB)
        kind = tr_conventional(&number);
    const struct slot *s = find(t, direction, kind);

    if (!s) {
        tr_refuse(t, where, "%s is nothing that %s has", binding_table[kind].words, t->target->name);
        return (struct tr_base){.text = "0", .count = 1, .missing = true};
    }
    check(t, s, kind, &number, where);
    bool color = direction == OUT && kind == BIND_RESULT_COLOR && t->stage == STAGE_FRAGMENT;
    if (color && number == 0 && !t->fogged && tr_has_fog(t))
        return (struct tr_base){.text = "gp5_fogged", .count = 4};
    if ((kind == BIND_RESULT_LAYER || kind == BIND_RESULT_VIEWPORT) && t->stage != STAGE_GEOMETRY)
        t->needed |= NEED_LAYERS;
    unsigned stream = direction == OUT && t->stage == STAGE_GEOMETRY ? tr_stream_at(t, t->insn) : 0;
    const struct tr_port *p = port(t, s, number, stream);
    const char *text = text_of(t, s);
    if (stream && strncmp(text, "gp5_", 4) != 0)
        tr_refuse(t, where, "%s of a stream beyond the first, which %s has not", binding_table[kind].words,
                  t->target->name);
    else if (stream)
        text = tr_text(t, "%s_stream%u", text, stream);
    bool whole = t->p->options >> OPTION_ARB_fragment_coord_pixel_center_integer & 1;
    if (kind == BIND_FRAGMENT_POSITION && whole && (!tr_has(t, HAS_INTEGERS) || tr_has(t, IS_ES)))
        text = "(gl_FragCoord - vec4(0.5, 0.5, 0.0, 0.0))";
    if (tr_has(t, HAS_COMPAT) && color && t->own_colors)
        text = s->core;
    else if (tr_has(t, HAS_COMPAT) && color && !t->writes_many)
        text = "gl_FragColor";
    return (struct tr_base){.text = strchr(text, '%') ? placed(t, text, number, vertex) : text,
                            .type = p ? p->type : s->type,
                            .count = s->components,
                            .component = s->component};
}

/* Whether a binding's first index is a vertex: vertex[1].position. */
static bool has_vertex(const struct binding *b, uint16_t kind)
{
    return binding_table[b->kind].class != BC_VERTEX && (asm_is_of_vertex(kind) || asm_is_of_output_vertex(kind));
}

struct tr_base tr_vertex_port(struct tr *t, const struct binding *b, uint32_t at, const char *vertex, bool output,
                              struct span where)
{
    uint16_t kind = asm_canonical_binding(b->kind), result = asm_result_of_output(kind);
    bool vertices = has_vertex(b, kind);
    uint32_t number = at;

    if (b->nindices > vertices)
        number += b->first[b->nindices - 1];
    if (vertices && b->relative)
        vertex = tr_index(t, program_index(t->p, b->index), 0);
    else if (vertices)
        vertex = tr_text(t, "%u", b->nindices ? b->first[0] : 0);
    else if (b->relative)
        tr_refuse(t, where, "a computed index into %s", binding_table[b->kind].words);
    if (b->kind == BIND_RESULT_LAYER_RELATIVE || b->kind == BIND_RESULT_VIEWPORT_RELATIVE)
        tr_refuse(t, where, "a layer that is counted from the viewport's, which %s has not", t->target->name);
    return base_of(t, output || result != kind ? OUT : IN, result, number, vertex ? vertex : "gl_InvocationID", where);
}

struct tr_base tr_input(struct tr *t, const struct binding *b, uint32_t at, struct span where)
{
    return tr_vertex_port(t, b, at, NULL, false, where);
}

struct tr_base tr_output(struct tr *t, const struct binding *b, uint32_t at, struct span where)
{
    return tr_vertex_port(t, b, at, NULL, true, where);
}

/* ---- declarations -------------------------------------------------------------------------------------------- */

/* Two of a vertex's inputs may not have one location: the second one gets another. So do results of other streams. */
static unsigned input_location(unsigned wanted, uint64_t *taken)
{
    while (*taken >> wanted & 1)
        wanted = (wanted + 1) % 32;
    *taken |= UINT64_C(1) << wanted;
    return wanted;
}

/* "gp5_in_attrib3[%v]" without its vertex. */
static const char *declared_name(struct tr *t, const char *text, uint32_t number, bool *array)
{
    const char *at = strstr(text, "[%v]");

    *array = at != NULL;
    return tr_number(t, at ? tr_text(t, "%.*s", (int)(at - text), text) : text, number);
}

static void declare(struct tr *t, struct tr_port *p, uint64_t *taken)
{
    const struct slot *s = &slots[p->slot];
    bool array, color = s->kind == BIND_RESULT_COLOR && t->stage == STAGE_FRAGMENT;
    const char *name = declared_name(t, color && t->own_colors ? s->core : text_of(t, s), p->number, &array);
    bool vertex_input = t->stage == STAGE_VERTEX && s->direction == IN;
    bool outermost = vertex_input || (t->stage == STAGE_FRAGMENT && s->direction == OUT);
    bool old = !tr_has(t, HAS_INPUT_LOCATIONS), patch = strncmp(name, "gp5_patch", 9) == 0;
    unsigned location = patch ? 31 - p->number : s->location + p->number;

    if (strncmp(name, "gp5_", 4) != 0)
        return;
    /* A patch's stand behind those of vertices, from the last place on. */
    bool beside = (t->stage == STAGE_CONTROL && s->direction == OUT) ||
                  (t->stage == STAGE_EVALUATION && s->direction == IN);
    if (beside && *taken >> location & 1)
        tr_refuse(t, t->where, "attributes of vertices and of the patch for which there are no places");
    if (beside)
        *taken |= UINT64_C(1) << location;
    if (vertex_input || p->stream)
        location = input_location(p->stream ? 31 : location, taken);
    if (p->stream)
        name = tr_text(t, "%s_stream%u", name, p->stream);
    p->location = (uint8_t)location;
    p->name = arena_copy(&t->arena, name, strlen(name));
    if (tr_has(t, outermost ? HAS_INPUT_LOCATIONS : HAS_LOCATIONS))
        tr_printf(&t->declarations, "layout(location = %u%s) ", location,
                  strcmp(name, "gp5_out_second") == 0                ? ", index = 1"
                  : p->stream                                        ? tr_text(t, ", stream = %u", p->stream)
                                                                     : "");
    if (p->interpolation)
        tr_puts(&t->declarations, tr_interpolation(p->interpolation));
    else if (t->stage == STAGE_FRAGMENT && s->direction == IN && p->type != T_FLOAT)
        tr_puts(&t->declarations, "flat ");
    tr_printf(&t->declarations, "%s%s %s %s%s;\n", patch ? "patch " : "",
              !old          ? s->direction == IN ? "in" : "out"
              : vertex_input ? "attribute"
                             : "varying",
              tr_type_name(p->type, s->components), name, array ? "[]" : "");
}

/* What the older headers have in results that are not written. */
void tr_clear_results(struct tr *t)
{
    if (t->generation != GEN_REGISTER || t->stage != STAGE_VERTEX)
        return;
    for (size_t i = 0; i < t->ports.count; i++) {
        const struct tr_port *p = vec_at(&t->ports, i);
        const struct slot *s = &slots[p->slot];
        if (s->direction == OUT)
            tr_line(t, "%s = %s;", tr_number(t, text_of(t, s), p->number),
                    s->components == 1 ? "0.0" : "vec4(0.0, 0.0, 0.0, 1.0)");
    }
}

void tr_declare_ports(struct tr *t)
{
    uint64_t taken = 0;

    for (size_t i = 0; t->streams > 1 && i < t->ports.count; i++) {
        const struct tr_port *p = vec_at(&t->ports, i);
        if (slots[p->slot].direction == OUT && !p->stream)
            taken |= UINT64_C(1) << ((slots[p->slot].location + p->number) & 31);
    }
    for (size_t i = 0; i < t->ports.count; i++)
        declare(t, vec_at(&t->ports, i), &taken);
}

void tr_keep_results_precise(struct tr *t)
{
    char names[64][24];
    unsigned n = 0;

    for (size_t i = 0; tr_has(t, IN_ORDER | HAS_GPU5) && i < t->ports.count && n < 64; i++) {
        const struct tr_port *p = vec_at(&t->ports, i);
        const struct slot *s = &slots[p->slot];
        if (s->direction != OUT || p->type != T_FLOAT)
            continue;
        bool color = tr_has(t, HAS_COMPAT) && s->kind == BIND_RESULT_COLOR && t->stage == STAGE_FRAGMENT;
        const char *text = color && !t->writes_many ? "gl_FragColor" : tr_number(t, text_of(t, s), p->number);
        unsigned k = 0;
        snprintf(names[n], sizeof names[n], "%.*s", (int)strcspn(text, "["), text);
        while (strcmp(names[k], names[n]))
            k++;
        if (k == n)
            tr_printf(&t->declarations, "precise %s;\n", names[n++]);
    }
}

struct gp5_interface_entry tr_port_entry(struct tr *t, const struct tr_port *p)
{
    const struct slot *s = &slots[p->slot];
    const char *words = binding_table[s->kind].words, *bracket = strchr(words, '[');

    return (struct gp5_interface_entry){
        .kind = s->direction == IN ? GP5_INTERFACE_INPUT : GP5_INTERFACE_RESULT,
        .binding = bracket ? tr_text(t, "%.*s[%u]", (int)(bracket - words), words, p->number) : words,
        .name = p->name, .type = tr_type_name((enum tr_type)p->type, s->components), .point = p->location};
}
