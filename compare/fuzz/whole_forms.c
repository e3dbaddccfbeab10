/* Statements of the rarer forms: texture 0 sampled with any sampler, the subgroup operations, the application's state,
 * residency. Subgroup operations are gp5's own; an offset in a cube, TXP.SPARSE, and TXGO where texels have no row of
 * neighbours (not 2D, ARRAY2D, RECT) reset the GPU: none of these where a driver runs them. */
#include "compare/fuzz/whole_internal.h"

#include "compare/driver/texture_words.h"

#include <stdio.h>
#include <string.h>

/* ---- what is sampled --------------------------------------------------------------------------------------------- */

/* Which targets an instruction goes with: bits of enum gp5_texture_kind, of plain ones and of those with a
 * comparison. */
#define OF(kind) (1u << GP5_TEXTURE_##kind)
enum {
    FLAT = OF(1D) | OF(2D) | OF(3D) | OF(RECT) | OF(ARRAY1D) | OF(ARRAY2D), PLAIN = FLAT | OF(CUBE),
    COMPARED = OF(1D) | OF(2D) | OF(RECT) | OF(ARRAY1D)
};

static const struct form {
    const char *text;           /* before the texture; # is a register */
    uint16_t plain, compared;
    uint8_t offset;             /* it may have one */
    bool whole;                 /* coordinates are integers */
} forms[] = {
    {"TEX%s%s R%u%s, N, ", PLAIN | OF(ARRAYCUBE), COMPARED | OF(CUBE) | OF(ARRAY2D), 1, false},
    {"TEX%s%s R%u%s, N, #, ", 0, OF(ARRAYCUBE), 0, false},
    {"TXL%s%s R%u%s, N, ", PLAIN, COMPARED, 1, false},
    {"TXL%s%s R%u%s, N, #, ", OF(ARRAYCUBE), COMPARED | OF(CUBE) | OF(ARRAY2D) | OF(ARRAYCUBE), 0, false},
    {"TXB%s%s R%u%s, N, ", PLAIN, COMPARED, 1, false},
    {"TXB%s%s R%u%s, N, #, ", OF(ARRAYCUBE), OF(CUBE) | OF(ARRAY2D) | OF(ARRAYCUBE), 0, false},
    {"TXP%s%s R%u%s, N, ", PLAIN, COMPARED, 1, false},
    {"TXD%s%s R%u%s, N, #, #, ", PLAIN | OF(ARRAYCUBE), COMPARED | OF(CUBE) | OF(ARRAY2D), 0, false},
    {"TXD.LODCLAMP%s%s R%u%s, N, #, #, ", PLAIN | OF(ARRAYCUBE), COMPARED | OF(CUBE) | OF(ARRAY2D), 0, false},
    {"TXF%s%s R%u%s, N, ", FLAT | OF(BUFFER), 0, 1, true},
    {"TXG%s%s R%u%s, N, ", OF(2D) | OF(CUBE) | OF(RECT) | OF(ARRAY2D) | OF(ARRAYCUBE),
     OF(2D) | OF(CUBE) | OF(RECT) | OF(ARRAY2D), 1, false},
    {"TXG%s%s R%u%s, N, #, ", 0, OF(ARRAYCUBE), 0, false},
    {"TXGO%s%s R%u%s, N, {1, -2, 3, 40}, #, ", OF(1D) | OF(2D) | OF(3D) | OF(RECT) | OF(ARRAY1D) | OF(ARRAY2D),
     COMPARED | OF(ARRAY2D), 0, false},
    {"TXQ%s%s R%u%s, N, ", 0x1ff, 0xff & ~OF(3D), 0, true},
};

enum { FORMS = sizeof forms / sizeof *forms };

/* A lane's numbers, or such as fall into the texture. */
static void put_place(struct whole_grow *g, bool whole)
{
    unsigned reg = fuzz_below(g->random, 5);
    if (whole) {
        fuzz_text_printf(g->body, "AND.U N, R%u, {%u, 3, 3, 1};\n", reg, fuzz_chance(g->random, 20) ? 31 : 7);
    } else if (fuzz_chance(g->random, 50)) {
        fuzz_text_printf(g->body, "MOV.U N, R%u;\n", reg);
    } else {
        fuzz_text_printf(
            g->body, "AND.U N, R%u, 0x807fffff;\nOR.U N, N, {0x3f000000, 0x3e800000, 0x3f800000, 0x3f000000};\n", reg);
    }
}

/* The text of a form with registers in it. */
static void put_form(struct whole_grow *g, const struct form *f, const char *type, const char *more, const char *mask)
{
    char text[160];
    unsigned reg = fuzz_below(g->random, 5);
    bool query = f == &forms[FORMS - 1];
    snprintf(text, sizeof text, "%.*s", (int)strcspn(f->text, "%"), f->text);
    fuzz_text_printf(g->body, "%s%s%s R%u%s", text, query ? "" : type, query ? "" : more, reg, mask);
    for (const char *at = strchr(f->text, ','); *at; at++) {
        char letter[2] = {*at, 0};
        if (*at == '#') {
            unsigned other = fuzz_below(g->random, 5);
            fuzz_text_printf(g->body, "R%u", other);
        } else {
            fuzz_text_put(g->body, letter);
        }
    }
}

static const char *number_type(const struct gp5_texture *t, struct fuzz_random *r)
{
    static const char *const any[] = {"", ".F", ".S", ".U"};
    unsigned numbers = gp5_format_info(t->format)->kind;
    if (fuzz_chance(r, 10))
        return FUZZ_PICK(r, any);
    return numbers == GP5_KIND_SINT ? ".S" : numbers == GP5_KIND_UINT || numbers == GP5_KIND_PACKED_UINT ? ".U" : "";
}

/* TXGO of these kinds loads, and resets the GPU when it runs. */
static bool resets(const struct form *f, unsigned kind)
{
    return !strncmp(f->text, "TXGO", 4) && (OF(1D) | OF(3D) | OF(ARRAY1D)) >> kind & 1;
}

static void put_offset(struct whole_grow *g, const struct gp5_texture *t)
{
    bool cube = t->kind == GP5_TEXTURE_CUBE || t->kind == GP5_TEXTURE_ARRAYCUBE;
    unsigned reg;
    if (cube || !fuzz_chance(g->random, 25))
        return;
    reg = fuzz_below(g->random, 5);
    fuzz_text_printf(g->body, ", offset(R%u)", reg);
}

static void put_sample(struct whole_grow *g)
{
    static const char *const masks[] = {
        "", "", "", ".x", ".yw", " (GT.x)", ".xyz (NE)"}, *const mores[] = {"", "", "", ".SAT", ".SSAT", ".CC",
        ".SPARSE"};
    static const char *const components[] = {".x", ".y", ".z", ".w"};
    static const char *const tests[] = {"RESIDENT", "NONRESIDENT", "RESIDENT.x"};
    const struct gp5_texture *t = &g->c->texture[0];
    const struct form *f = &forms[fuzz_below(g->random, FORMS)];
    bool compares = g->c->shadow;
    const char *type = number_type(t, g->random), *more = FUZZ_PICK(g->random, mores),
               *mask = FUZZ_PICK(g->random, masks);
    if (!((compares ? f->compared : f->plain) >> t->kind & 1) || (g->settings->driver && resets(f, t->kind)))
        return;
    if ((more[0] && more[1] == 'S' && more[2] != 'P' && type[0] && type[1] != 'F') ||
        (g->settings->driver && f->text[2] == 'P' && !strcmp(more, ".SPARSE")))
        more = "";
    put_place(g, f->whole);
    put_form(g, f, type, more, mask);
    bool tx = fuzz_chance(g->random, 25);
    fuzz_text_put(g->body, tx ? "tx[A.x]" : "texture[0]");
    if (!strncmp(f->text, "TXG%", 4) && !tx && fuzz_chance(g->random, 50))
        fuzz_text_put(g->body, FUZZ_PICK(g->random, components));
    fuzz_text_printf(g->body, ", %s%s", compares ? "SHADOW" : "", texture_word(TEXTURE_KIND, t->kind));
    if (f->offset)
        put_offset(g, t);
    fuzz_text_put(g->body, ";\n");
    if (!strcmp(more, ".SPARSE") && f != &forms[FORMS - 1]) {
        unsigned reg = fuzz_below(g->random, 5);
        const char *test = FUZZ_PICK(g->random, tests);
        fuzz_text_printf(g->body, "MOV.U R%u.y (%s), 5;\n", reg, test);
    }
}

/* `driver`: what a context can be told; it has one switch for all cube maps, and a rectangle has no levels. */
void whole_draw_samplers(struct fuzz_random *r, struct whole_case *c, bool driver)
{
    static const float lods[] = {-1000, 1000, 0.3f, 1.7f, -0.4f, 0};
    struct gp5_texture *t = &c->texture[0];
    struct gp5_sampler *s = &t->sampler;
    bool rect = t->kind == GP5_TEXTURE_RECT;
    c->shadow = false;
    if (t->kind == GP5_TEXTURE_BUFFER)
        return;
    s->min_filter = (uint8_t)fuzz_below(r, rect ? 2 : GP5_FILTERS);
    s->mag_filter = (uint8_t)fuzz_below(r, 2);
    for (unsigned k = 0; k < 3; k++) {
        s->wrap[k] = (uint8_t)fuzz_below(r, GP5_WRAPS);
        if (rect)
            s->wrap[k] = s->wrap[k] & 1 ? GP5_WRAP_CLAMP_TO_EDGE : GP5_WRAP_CLAMP_TO_BORDER;
    }
    if (t->format == GP5_FORMAT_R32F || fuzz_chance(r, 10))
        s->compare = (uint8_t)fuzz_below(r, GP5_COMPARES);
    c->shadow = t->kind != GP5_TEXTURE_3D && fuzz_chance(r, s->compare ? 60 : 5);
    s->seamless = fuzz_chance(r, 50);
    for (unsigned k = 1; driver && k < WHOLE_TEXTURES; k++)
        c->texture[k].sampler.seamless = s->seamless;
    if (fuzz_chance(r, 30)) {
        s->min_lod = FUZZ_PICK(r, lods);
        s->max_lod = FUZZ_PICK(r, lods);
        s->bias = FUZZ_PICK(r, lods);
    }
    if (driver && rect) {
        s->min_lod = -1000;
        s->max_lod = 1000;
    }
    for (unsigned k = 0; k < 4; k++) {
        float border = (float)fuzz_below(r, 4096) / 1024 - 1;
        memcpy(&s->border[k], &border, sizeof border);
    }
}

/* ---- subgroups --------------------------------------------------------------------------------------------------- */

static void put_group(struct whole_grow *g)
{
    static const char *const reduces[] = {"SGRED", "SGISCAN", "SGXSCAN", "SGREDC", "SGREDP", "SGISCANP", "SGXSCANP"};
    static const char *const operators[] = {
        "ADD", "MUL", "MIN", "MAX", "AND", "OR", "XOR"}, *const whole[] = {"S", "U", "S8", "U8", "S16", "U16"};
    static const char *const types[] = {
        "F", "F16", "S", "U", "S8", "U16"}, *const masks[] = {"", "", "", ".xz", ".y", " (GT.x)", ".xyw (NE)"};
    static const char *const moves[] = {
        "SGSHFIDX", "SGSHFXOR", "SGSHFUP", "SGSHFDN"}, *const swaps[] = {"SGFIRST", "SGQSWAPH", "SGQSWAPV", "SGQSWAPD",
        "SGEQ"};
    static const char *const ballots[] = {
        "SGBINV", "SGBCNT", "SGBCNTI", "SGBCNTX", "SGBLSB", "SGBMSB"}, *const votes[] = {"SGALL", "SGANY"};
    static const char *const shuffles[] = {
        "SGNVIDX", "SGNVUP", "SGNVDOWN", "SGNVXOR"}, *const sizes[] = {"1", "2", "4", "8", "16", "32"};
    static const char *const variables[] = {
        "SIZE", "LANE", "ID", "COUNT", "EQMASK", "GEMASK", "GTMASK", "LEMASK", "LTMASK"};
    unsigned at = fuzz_below(g->random, 12), to = fuzz_below(g->random, 5), from = fuzz_below(g->random, 5),
             other = fuzz_below(g->random, 5);
    unsigned number = fuzz_below(g->random, 34), which = fuzz_below(g->random, 7), family = fuzz_below(g->random, 7);
    const char *mask = FUZZ_PICK(g->random, masks), *size = FUZZ_PICK(g->random, sizes);
    const char *type = which > 3 ? FUZZ_PICK(g->random, whole) : FUZZ_PICK(g->random, types);
    bool wide = fuzz_chance(g->random, 20);
    char file = wide ? 'D' : 'R';
    if (wide) {
        to %= 3;
        from %= 3;
        type = which > 3 || fuzz_chance(g->random, 50) ? "U64" : "F64";
    }
    switch (at) {
    case 0: case 1: case 2:
        if (family == 3)
            fuzz_text_printf(g->body, "SGREDC.%s.%s %c%u%s, %c%u, %s;\n", operators[which], type, file, to, mask, file,
                             from, size);
        else if (family > 3)
            fuzz_text_printf(g->body, "SGPART.U N, R%u.x;\n%s.%s.%s %c%u%s, %c%u, N;\n", other, reduces[family],
                             operators[which], type, file, to, mask, file, from);
        else
            fuzz_text_printf(g->body, "%s.%s.%s %c%u%s, %c%u;\n", reduces[family], operators[which], type, file, to,
                             mask, file, from);
        break;
    case 3:
        fuzz_text_printf(g->body, "%s.%s %c%u%s, %c%u, R%u.y;\n", moves[which % 4], type, file, to, mask, file, from,
                         other);
        break;
    case 4:
        fuzz_text_printf(g->body, "%s.%s %c%u%s, %c%u;\n", swaps[which % 4], type, file, to, mask, file, from);
        break;
    case 5: fuzz_text_printf(g->body, "SGEQ.%s R%u%s, %c%u;\n", type, other, mask, file, from); break;
    case 6:
        fuzz_text_printf(g->body, "%s.%s R%u%s, R%u;\n", votes[which & 1], which & 2 ? "F" : "U", to, mask, from);
        break;
    case 7:
        fuzz_text_printf(g->body, "SGBALLOT.U N, R%u.z;\n", from);
        if (which < 6)
            fuzz_text_printf(g->body, "%s.U R%u%s, N;\n", ballots[which], to, mask);
        else
            fuzz_text_printf(g->body, "SGBBIT.U R%u%s, N, %u;\n", to, mask, number % 32);
        break;
    case 8:
        fuzz_text_printf(g->body, "%s.%s R%u.xy, R%u.x, R%u.z, %s;\n", shuffles[which % 4], which & 1 ? "F" : "U", to,
                         from, other, size);
        break;
    case 9:
        if (family < 3)
            fuzz_text_printf(g->body, "SGROT.%s %c%u%s, %c%u, %u;\n", type, file, to, mask, file, from, number);
        else
            fuzz_text_printf(g->body, "SGROTC.%s %c%u%s, %c%u, %u, %s;\n", type, file, to, mask, file, from, number,
                             size);
        break;
    case 10:
        fuzz_text_printf(g->body, "%s.%s %c%u%s, %c%u, %u;\n", which & 1 ? "SGBCAST" : "SGQBCAST", type, file, to, mask,
                         file, from, which & 1 ? number % 32 : number % 4);
        break;
    default:
        number %= 10;
        if (number == 9)
            fuzz_text_printf(g->body, "SGELECT.%s R%u%s;\nSGBAR;\n", which & 1 ? "F" : "U", to, mask);
        else
            fuzz_text_printf(g->body, "SGVAR.%s.U R%u%s;\n", variables[number], to, mask);
    }
}

/* ---- state ------------------------------------------------------------------------------------------------------- */

static void put_state(struct whole_grow *g)
{
    static const char *const states[] = {
        "state.material.diffuse", "state.material.back.ambient", "state.light[0].diffuse", "state.light[1].diffuse",
        "state.light[0].half",
        "state.light[2].spot.direction", "state.lightmodel.scenecolor", "state.lightprod[0].diffuse",
        "state.texgen[0].eye.t", "state.texenv[1].color",
        "state.fog.params", "state.clip[2].plane", "state.point.attenuation", "state.depth.range",
        "state.matrix.mvp.row[2]",
        "state.matrix.modelview[0].inverse.row[1]", "state.matrix.texture[1].transpose.row[3]", "program.local[2]",
        "state.point.size",
        "state.thread.smcount", "invocation.smid"};
    static const char *const ops[] = {"MOV.U", "MAX.F", "SEQ.F", "XOR.U", "CMP.F", "MUL.F.PREC", "ADD.F.PREC"};
    unsigned which = fuzz_below(g->random, 7), to = fuzz_below(g->random, 5), from = fuzz_below(g->random, 5),
             other = fuzz_below(g->random, 5);
    const char *state = FUZZ_PICK(g->random, states);
    char letter = "xyzw"[fuzz_below(g->random, 4)];
    if (fuzz_chance(g->random, 30)) {
        fuzz_text_printf(g->body, "AND.U A.z, R%u.%c, 7;\nMOV.U R%u, st[A.z];\n", from, letter, to);
        return;
    }
    if (g->settings->driver && (strstr(state, "smcount") || strstr(state, "smid")))
        state = "state.fog.color";
    fuzz_text_printf(g->body, "%s R%u, %s", ops[which], to, state);
    if (which)
        fuzz_text_printf(g->body, ", R%u", from);
    if (which == 4)
        fuzz_text_printf(g->body, ", R%u", other);
    fuzz_text_put(g->body, ";\n");
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

void whole_forms_declare(struct fuzz_text *t, const struct whole_case *c)
{
    fuzz_text_put(t, "OPTION EXT_sparse_texture2;\n");
    fuzz_text_put(t, c->own ? "OPTION GP5_subgroup;\n" : "");
}

void whole_forms_variables(struct fuzz_text *t)
{
    fuzz_text_put(t, "TEXTURE tx[] = { texture[0..0] };\n"
                     "PARAM st[] = { state.matrix.mvp, state.light[0].specular, program.local[7], state.fog.params, "
                     "state.material.emission };\n");
}

void whole_form(struct whole_grow *g)
{
    unsigned at = fuzz_below(g->random, 100);
    if (at < 45)
        put_sample(g);
    else if (at < 85 && g->c->own)
        put_group(g);
    else
        put_state(g);
}
