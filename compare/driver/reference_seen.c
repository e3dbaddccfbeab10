/* The reference on the inputs that a driver's fragments had: a program that only gives them as colours, and the
 * fragment program on what it gave. What the rasteriser of either side chose then plays no part. */
#include "compare/driver/open_colors.h"
#include "compare/driver/reference.h"
#include "compare/driver/reference_launch.h"

#include "asm/program.h"
#include "eval/machine/launch.h"

#include <stdio.h>
#include <string.h>

enum { MOST_SEEN = 8 };

static void add(struct reference_seen *s, const gp5_program *p, const char *binding)
{
    if (!raster_names(p, binding))
        return;
    if (s->count < MOST_SEEN)
        snprintf(s->binding[s->count], sizeof s->binding[0], "%s", binding);
    s->count++;
}

static void add_all(struct reference_seen *s, const gp5_program *p, const char *format, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        char binding[32];
        snprintf(binding, sizeof binding, format, i);
        add(s, p, binding);
    }
}

static bool is_bare(const gp5_program *p)
{
    static const char *const others[] = { "primitive.id", "fragment.sampleid", "fragment.samplemask",
                                          "fragment.barycoord", "fragment.layer", "fragment.viewport" };
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (raster_names(p, others[i]))
            return false;
    return true;
}

static size_t write_option(char *text, size_t at, size_t size, const gp5_program *p, unsigned option, const char *name)
{
    return p->options >> option & 1 ? at + (size_t)snprintf(text + at, size - at, "OPTION %s;\n", name) : at;
}

static void write_text(struct reference_seen *s, const gp5_program *p)
{
    static const char *const words[] = { "FLAT ", "NOPERSPECTIVE ", "CENTROID ", "SAMPLE " };
    size_t at = (size_t)snprintf(s->text, sizeof s->text, "%s\nOPTION ARB_draw_buffers;\n", gp5_header(p));

    at = write_option(s->text, at, sizeof s->text, p, OPTION_ARB_fragment_coord_origin_upper_left,
                      "ARB_fragment_coord_origin_upper_left");
    at = write_option(s->text, at, sizeof s->text, p, OPTION_ARB_fragment_coord_pixel_center_integer,
                      "ARB_fragment_coord_pixel_center_integer");
    for (uint32_t i = 0; i < s->count; i++) {
        unsigned bits = raster_interpolation(p, s->binding[i]);
        for (unsigned k = 0; k < 4; k++)
            if (bits >> k & 1)
                at += (size_t)snprintf(s->text + at, sizeof s->text - at, "%s", words[k]);
        at += (size_t)snprintf(s->text + at, sizeof s->text - at, "ATTRIB a%u = %s;\n", (unsigned)i, s->binding[i]);
    }
    for (uint32_t i = 0; i < s->count; i++)
        at += (size_t)snprintf(s->text + at, sizeof s->text - at, "MOV result.color[%u], a%u;\n", (unsigned)i,
                               (unsigned)i);
    snprintf(s->text + at, sizeof s->text - at, "END\n");
}

bool reference_seen(const struct reference *r, struct reference_seen *s)
{
    static const char *const headers[] = { "!!ARBfp1.0", "!!NVfp4.0", "!!NVfp4.1", "!!NVfp5.0" };
    const gp5_program *p = r->program;
    const char *header = p ? gp5_header(p) : NULL;
    bool known = false;

    *s = (struct reference_seen){ .count = 0 };
    for (size_t i = 0; header && i < sizeof headers / sizeof *headers; i++)
        known |= !strcmp(header, headers[i]);
    if (!known || !r->executable || !is_bare(p))
        return false;
    add(s, p, "fragment.position");
    add(s, p, "fragment.color.primary");
    add(s, p, "fragment.color.secondary");
    add(s, p, "fragment.fogcoord");
    add(s, p, "fragment.facing");
    add(s, p, "fragment.pointcoord");
    add_all(s, p, "fragment.texcoord[%u]", 8);
    add_all(s, p, "fragment.attrib[%u]", 32);
    add_all(s, p, "fragment.clip[%u]", 8);
    if (!s->count || s->count > MOST_SEEN)
        return false;
    write_text(s, p);
    s->neighbours = reference_uses_neighbours(p);
    s->decides = raster_names(p, "result.depth");
    for (uint32_t i = 0; i < p->insns.count; i++)
        s->decides |= program_insn(p, i)->op == OP_KIL;
    return true;
}

bool reference_is_invariant(const struct reference *r)
{
    return r->program && r->program->options >> OPTION_ARB_position_invariant & 1;
}

bool reference_tests_early(const struct reference *r)
{
    return r->program && r->program->options >> OPTION_NV_early_fragment_tests & 1;
}

bool reference_uses_neighbours(const gp5_program *p)
{
    for (uint32_t i = 0; i < p->insns.count; i++) {
        const char *name = op_table[program_insn(p, i)->op].name;
        if (name[0] == 'T' || !strncmp(name, "DD", 2) || !strncmp(name, "LOD", 3) || !strncmp(name, "SHF", 3) ||
            !strncmp(name, "QSW", 3) || !strncmp(name, "IPA", 3))
            return true;
    }
    return false;
}

void reference_shade(const struct reference *r, const struct driver_case *c, const struct reference_seen *s,
                     const struct outcome *driver, const uint8_t *live, struct outcome *o)
{
    struct driver_case fragments = *c;
    struct gp5_array inputs[MOST_SEEN];
    struct reference_launch l;
    size_t pixels = driver_pixels(&c->raster);

    fragments.raster.height *= driver_planes(&c->raster);       /* one plane above the other */
    fragments.raster.layers = fragments.raster.samples = 0;
    fragments.raster.primitive = DRIVER_QUAD;
    fragments.raster.draw = NULL;
    fragments.raster.color_outputs = 1;
    if (reference_launch(&l, &fragments, r->options.track_undefined, o)) {
        for (uint32_t i = 0; i < s->count; i++) {
            const struct output *in = outcome_find(driver, OUTPUT_INPUT, i);
            inputs[i] = (struct gp5_array){ .binding = s->binding[i], .words = (uint32_t *)(void *)in->data,
                                            .count = pixels };
        }
        l.gl.inputs = inputs;
        l.gl.ninputs = s->count;
        l.gl.live = live;
        l.gl.state = c->raster.draw->gl;
        enum gp5_run_status status = eval_execute(r->executable, &l.gl, &r->options, NULL, &o->report);
        if (status != GP5_RUN_OK)
            outcome_fail(o, OUTCOME_FAILED, "%s", o->report.message ? o->report.message : "the run ended early");
        else if (!reference_open_colors(r->program, o))
            outcome_fail(o, OUTCOME_NO_MEMORY, "out of memory");
    }
    reference_launch_free(&l);
}
