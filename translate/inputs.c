/* What stands before and behind a stage: the slots of slots.def that the program names, and their declarations. */
#include "asm/binding_name.h"
#include "translate/translate.h"

#include <stdio.h>
#include <string.h>

enum direction { IN, OUT };
static const struct slot {
    uint8_t direction, stage;
    uint16_t kind;
    const char *compat, *core;
    uint8_t type, components, component, location;
} slots[] = {
#define SLOT(direction, stage, kind, compat, core, type, components, component, location) \
    {direction, STAGE_##stage, BIND_##kind, compat, core, T_##type, components, component, location},
#include "translate/slots.def"
#undef SLOT
};

static const struct slot *find(const struct tr *t, enum direction direction, uint16_t kind)
{
    for (size_t i = 0; i < sizeof slots / sizeof *slots; i++)
        if (slots[i].direction == direction && slots[i].stage == t->stage && slots[i].kind == kind)
            return &slots[i];
    return NULL;
}

static uint32_t number_of(const struct binding *b, uint32_t at)
{
    return (b->nindices ? b->first[b->nindices - 1] : 0) + at;
}

static const char *text_of(const struct tr *t, const struct slot *s)
{
    return tr_has(t, HAS_COMPAT) ? s->compat : s->core;
}

/* A port that is declared, or that was there before; its type is that of its first use. */
static struct tr_port *port(struct tr *t, const struct slot *s, uint32_t number)
{
    uint16_t slot = (uint16_t)(s - slots);

    for (size_t i = 0; i < t->ports.count; i++) {
        struct tr_port *p = vec_at(&t->ports, i);
        if (p->slot == slot && p->number == number)
            return p;
    }
    size_t at = vec_grow(&t->ports);
    if (at == SIZE_MAX) {
        t->arena.failed = true;
        return NULL;
    }
    struct tr_port *p = vec_at(&t->ports, at);
    *p = (struct tr_port){.slot = slot, .number = number, .type = s->type};
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
                                         "gl_ViewportIndex", "gl_ClipDistance", "gl_PrimitiveID"};
    size_t n = tr_has(t, HAS_GPU5) || !tr_has(t, HAS_INTEGERS) ? 0 : tr_has(t, IS_ES) ? 7 : 5;

    for (size_t i = 0; i < n; i++)
        if (strncmp(name, beyond[i], strlen(beyond[i])) == 0)
            return false;
    return true;
}

static struct tr_base base_of(struct tr *t, enum direction direction, const struct binding *b, uint32_t at,
                              struct span where)
{
    uint16_t kind = asm_canonical_binding(b->kind);
    uint32_t number = number_of(b, at);
    if (t->generation == GEN_REGISTER && kind == BIND_VERTEX_ATTRIB)
        kind = tr_conventional(&number);
    const struct slot *s = find(t, direction, kind);

    if (!s) {
        tr_refuse(t, where, "%s is nothing that %s has", binding_table[b->kind].words, t->target->name);
        return (struct tr_base){.text = "0", .count = 1, .missing = true};
    }
    bool set = kind == BIND_VERTEX_TEXCOORD || kind == BIND_FRAGMENT_TEXCOORD || kind == BIND_RESULT_TEXCOORD;
    if (set && number >= 8) {
        tr_refuse(t, where, "more than 8 sets of texture coordinates");
        number = 0;
    }
    if (strncmp(text_of(t, s), "gp5_", 4) == 0 && s->location + number > 31) {
        tr_refuse(t, where, "an attribute for which there is no location");
        number = 0;
    }
    if (kind == BIND_FRAGMENT_POINTCOORD || strncmp(s->compat, "gl_ClipDistance", 15) == 0 ||
        strncmp(s->compat, "gl_CullDistance", 15) == 0 || s->type == T_INT)
        tr_needs_integers(t, where, binding_table[b->kind].words);
    if (!has_builtin(t, s->core))
        tr_refuse(t, where, "%s is nothing that %s has", binding_table[b->kind].words, t->target->name);
    bool color = direction == OUT && kind == BIND_RESULT_COLOR && t->stage == STAGE_FRAGMENT;
    if (color && number == 0 && !t->fogged && tr_has_fog(t))
        return (struct tr_base){.text = "gp5_fogged", .count = 4};
    const struct tr_port *p = port(t, s, number);
    const char *text = text_of(t, s);
    if (tr_has(t, HAS_COMPAT) && color && !t->writes_many)
        text = "gl_FragColor";
    return (struct tr_base){.text = strchr(text, '%') ? tr_number(t, text, number) : text,
                            .type = p ? p->type : s->type,
                            .count = s->components,
                            .component = s->component};
}

struct tr_base tr_input(struct tr *t, const struct binding *b, uint32_t at, struct span where)
{
    return base_of(t, IN, b, at, where);
}

struct tr_base tr_output(struct tr *t, const struct binding *b, uint32_t at, struct span where)
{
    return base_of(t, OUT, b, at, where);
}

/* ---- declarations -------------------------------------------------------------------------------------------- */

/* Two of a vertex's inputs may not have one location: the second one gets another. */
static unsigned input_location(unsigned wanted, uint64_t *taken)
{
    while (*taken >> wanted & 1)
        wanted = (wanted + 1) % 32;
    *taken |= UINT64_C(1) << wanted;
    return wanted;
}

static void declare(struct tr *t, struct tr_port *p, uint64_t *taken)
{
    const struct slot *s = &slots[p->slot];
    const char *text = text_of(t, s), *name = tr_number(t, text, p->number);
    bool vertex_input = t->stage == STAGE_VERTEX && s->direction == IN;
    bool outermost = vertex_input || (t->stage == STAGE_FRAGMENT && s->direction == OUT);
    bool old = !tr_has(t, HAS_INPUT_LOCATIONS);
    unsigned location = s->location + p->number;

    if (strncmp(name, "gp5_", 4) != 0)
        return;
    if (vertex_input)
        location = input_location(location, taken);
    p->location = (uint8_t)location;
    p->name = arena_copy(&t->arena, name, strlen(name));
    if (tr_has(t, outermost ? HAS_INPUT_LOCATIONS : HAS_LOCATIONS))
        tr_printf(&t->declarations, "layout(location = %u) ", location);
    if (p->interpolation)
        tr_puts(&t->declarations, tr_interpolation(p->interpolation));
    tr_printf(&t->declarations, "%s %s %s;\n",
              !old          ? s->direction == IN ? "in" : "out"
              : vertex_input ? "attribute"
                             : "varying",
              tr_type_name(p->type, s->components), name);
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
