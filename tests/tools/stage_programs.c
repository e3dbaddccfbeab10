#include "tests/tools/stage_programs.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define below random_below

uint32_t random_next(struct random *r)
{
    r->state = r->state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(r->state >> 33) ^ (uint32_t)(r->state >> 13);
}

uint32_t random_below(struct random *r, uint32_t n)
{
    return random_next(r) % n;
}

/* ---- dialects ---------------------------------------------------------------------------------------------------- */

struct dialect {
    const char *name, *header, *option;
    enum driver_stage stage;
    bool old, flags;
    const char *const *inputs, *const *results; /* as the text names them; an input of a patch or primitive with %u */
    const char *const *gives;   /* as the GL does */
    const char *opcodes;        /* name/operands, v vector, s scalar; ~ an approximation */
};

static const char *const arb_in[] = {"vertex.texcoord[0]", "vertex.texcoord[1]", "vertex.color"};
static const char *const out[] = {"result.texcoord[0]", "result.texcoord[1]", "result.texcoord[2]",
 "result.texcoord[3]"};
static const char *const old_in[] = {"v[TEX0]", "v[TEX1]", "v[COL0]"};
static const char *const old_out[] = {"o[TEX0]", "o[TEX1]", "o[TEX2]", "o[TEX3]"};
static const char *const many_in[] = {"vertex[%u].texcoord[0]", "vertex[%u].texcoord[1]", "vertex[%u].texcoord[2]"};
static const char *const fp_in[] = {"fragment.texcoord[0]", "fragment.texcoord[1]", "fragment.texcoord[2]"};
static const char *const fp_out[] = {"result.color"};
static const char *const fp10_in[] = {"f[TEX0]", "f[TEX1]", "f[TEX2]"};
static const char *const fp10_out[] = {"o[COLR]"};
static const char *const texcoords[] = {"vertex.texcoord[0]", "vertex.texcoord[1]", "vertex.texcoord[2]"};

#define BOTH_OPS                                                                                             \
    "ABS/v ADD/vv DP3/vv DP4/vv DPH/vv DST/vv EX2/s~ FLR/v FRC/v LG2/s~ LIT/v~ MAD/vvv MAX/vv MIN/vv MOV/v " \
    "MUL/vv POW/ss~ RCP/s~ RSQ/s~ SGE/vv SLT/vv SUB/vv XPD/vv "
#define SET_OPS "SEQ/vv SGT/vv SLE/vv SNE/vv SFL/vv STR/vv "
#define VP1_OPS \
    "MOV/v MUL/vv ADD/vv MAD/vvv RCP/s~ RSQ/s~ DP3/vv DP4/vv DST/vv MIN/vv MAX/vv SLT/vv SGE/vv EXP/s~ LOG/s~ LIT/v~ "
#define VP2_OPS BOTH_OPS SET_OPS "EXP/s~ LOG/s~ SSG/v RCC/s~ SIN/s~ COS/s~ "
#define NV4_OPS                                                                                                       \
    BOTH_OPS SET_OPS                                                                                                  \
        "SSG/v RCC/s~ SIN/s~ COS/s~ CEIL/v ROUND/v TRUNC/v CMP/vvv DIV/vs~ DP2/vv DP2A/vvv LRP/vvv "                  \
        "X2D/vvv RFL/vv NRM/v~ ADD.S/vv ADD.U/vv MUL.S/vv MAD.U/vvv MAX.S/vv MIN.U/vv ABS.S/v AND.U/vv OR.U/vv "      \
        "XOR.U/vv "                                                                                                   \
        "NOT.U/v SHL.U/vs SHR.S/vs SEQ.S/vv SLT.S/vv SGE.U/vv I2F.S/v I2F.U/v TRUNC.S/v FLR.S/v ROUND.U/v CMP.S/vvv " \
        "DIV.U/vs MOD.U/vs SAD.S/vvv PK2H/v UP2H/s PK2US/v PK4B/v UP4UB/s UP4B/s "
#define NV5_OPS NV4_OPS "BFE.U/vv BFE.S/vv BFI.U/vvv BFR.U/v BTC.U/v BTFL.U/v BTFM.S/v "

static const struct dialect dialects[] = {
    {"avp", "!!ARBvp1.0", "", DRIVER_VERTEX, false, false, arb_in, out, arb_in, BOTH_OPS "EXP/s~ LOG/s~"},
    {"avp2", "!!ARBvp1.0", "OPTION NV_vertex_program2;\n", DRIVER_VERTEX, false, true, arb_in, out, arb_in, VP2_OPS},
    {"avp3", "!!ARBvp1.0", "OPTION NV_vertex_program3;\n", DRIVER_VERTEX, false, true, arb_in, out, arb_in, VP2_OPS},
    {"vp10", "!!VP1.0", "", DRIVER_VERTEX, true, false, old_in, old_out, arb_in, VP1_OPS},
    {"vp11", "!!VP1.1", "", DRIVER_VERTEX, true, false, old_in, old_out, arb_in, VP1_OPS "DPH/vv RCC/s~ SUB/vv ABS/v"},
    {"vp20", "!!VP2.0", "", DRIVER_VERTEX, true, true, old_in, old_out, arb_in,
     VP1_OPS "DPH/vv RCC/s~ SUB/vv ABS/v FLR/v FRC/v SSG/v EX2/s~ LG2/s~ SIN/s~ COS/s~ " SET_OPS},
    {"vp4", "!!NVvp4.0", "", DRIVER_VERTEX, false, true, arb_in, out, arb_in, NV4_OPS},
    {"vp5", "!!NVvp5.0", "", DRIVER_VERTEX, false, true, arb_in, out, arb_in, NV5_OPS},
    {"gp4", "!!NVgp4.0", "", DRIVER_GEOMETRY, false, true, many_in, out, texcoords, NV4_OPS},
    {"gp5", "!!NVgp5.0", "", DRIVER_GEOMETRY, false, true, many_in, out, texcoords, NV5_OPS},
    {"tcp5", "!!NVtcp5.0", "", DRIVER_TESS_CONTROL, false, true, many_in, out, texcoords, NV5_OPS},
    {"tep5", "!!NVtep5.0", "", DRIVER_TESS_EVALUATION, false, true, many_in, out, texcoords, NV5_OPS},
    {"afp", "!!ARBfp1.0", "", DRIVER_FRAGMENT, false, false, fp_in, fp_out, fp_in,
     BOTH_OPS "CMP/vvv LRP/vvv SIN/s~ COS/s~"},
    {"afp1", "!!ARBfp1.0", "OPTION NV_fragment_program;\n", DRIVER_FRAGMENT, false, true, fp_in, fp_out, fp_in,
     BOTH_OPS SET_OPS "CMP/vvv LRP/vvv SIN/s~ COS/s~ RFL/vv X2D/vvv"},
    {"afp2", "!!ARBfp1.0", "OPTION NV_fragment_program2;\n", DRIVER_FRAGMENT, false, true, fp_in, fp_out, fp_in,
     BOTH_OPS SET_OPS "CMP/vvv LRP/vvv SIN/s~ COS/s~ RFL/vv X2D/vvv DIV/vs~ DP2/vv DP2A/vvv NRM/v~"},
    {"fp10", "!!FP1.0", "", DRIVER_FRAGMENT, true, true, fp10_in, fp10_out, fp_in,
     "MOV/v MUL/vv ADD/vv MAD/vvv RCP/s~ RSQ/s~ DP3/vv DP4/vv DST/vv MIN/vv MAX/vv SLT/vv SGE/vv LIT/v~ SUB/vv FLR/v "
     "FRC/v EX2/s~ "
     "LG2/s~ SIN/s~ COS/s~ POW/ss~ LRP/vvv RFL/vv X2D/vvv " SET_OPS},
    {"fp4", "!!NVfp4.0", "", DRIVER_FRAGMENT, false, true, fp_in, fp_out, fp_in, NV4_OPS},
    {"fp5", "!!NVfp5.0", "", DRIVER_FRAGMENT, false, true, fp_in, fp_out, fp_in, NV5_OPS},
};

const struct dialect *dialect_at(size_t index)
{
    return index < sizeof dialects / sizeof *dialects ? &dialects[index] : NULL;
}

const struct dialect *dialect_find(const char *name)
{
    for (size_t i = 0; i < sizeof dialects / sizeof *dialects; i++)
        if (!strcmp(dialects[i].name, name))
            return &dialects[i];
    return NULL;
}

const char *dialect_name(const struct dialect *d)
{
    return d->name;
}

/* ---- text -------------------------------------------------------------------------------------------------------- */

struct writer {
    struct program *p;
    struct random *r;
    const struct dialect *d;
    unsigned vertices;          /* of a primitive or patch, of which an input has one */
    unsigned temps;             /* that hold something */
};

static void say(struct program *p, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    p->size += (size_t)vsnprintf(p->text + p->size, sizeof p->text - p->size, format, args);
    va_end(args);
}

static bool is_integer(const char *opcode)
{
    const char *type = strchr(opcode, '.');

    return type && (type[1] == 'S' || type[1] == 'U');
}

static void input(struct writer *w, unsigned which)
{
    char name[64];

    snprintf(name, sizeof name, w->d->inputs[which % PROGRAM_INPUTS], w->vertices ? below(w->r, w->vertices) : 0);
    if (w->d->stage == DRIVER_TESS_CONTROL && !below(w->r, 3))
        say(w->p, "i%u[n.x]", which % PROGRAM_INPUTS);
    else
        say(w->p, "%s", name);
}

/* `turns`: signs are taken, and bars. */
static void operand(struct writer *w, bool scalar, bool turns)
{
    static const char letters[] = "xyzw";
    const struct dialect *d = w->d;
    bool minus = !below(w->r, 4) && turns, bars = d->flags && !below(w->r, 8) && turns;
    uint32_t which = below(w->r, 8);

    say(w->p, "%s%s", minus ? "-" : "", bars ? "|" : "");
    if (d->old)                 /* an instruction of the older headers has one input at most */
        say(w->p, "R%u", which % (w->temps + PROGRAM_INPUTS));
    else if (which < w->temps)
        say(w->p, "t%u", which);
    else
        input(w, which);
    if (scalar || !below(w->r, 6))
        say(w->p, ".%c", letters[below(w->r, 4)]);
    else if (!below(w->r, 3))
        say(w->p, ".%c%c%c%c", letters[below(w->r, 4)], letters[below(w->r, 4)], letters[below(w->r, 4)],
            letters[below(w->r, 4)]);
    say(w->p, "%s", bars ? "|" : "");
}

static void mask(struct writer *w)
{
    static const char *const masks[] = {"", "", "", ".x", ".y", ".z", ".w", ".xy", ".xyz", ".yw", ".xzw"};

    say(w->p, "%s", masks[below(w->r, sizeof masks / sizeof *masks)]);
}

/* One of the dialect's opcodes: its name, and what it takes. */
static const char *choose(struct writer *w, char name[12], bool *rough)
{
    size_t n = 0, at;
    const char *o = w->d->opcodes, *shape;

    for (const char *c = o; *c; c++)
        n += *c == '/';
    for (at = below(w->r, (uint32_t)n); at--;)
        o = strchr(o, ' ') + 1;
    shape = strchr(o, '/');
    snprintf(name, 12, "%.*s", (int)(shape - o), o);
    *rough = shape[strcspn(shape, " ~")] == '~';
    return shape + 1;
}

static void instruction(struct writer *w, const char *to)
{
    char name[12];
    bool rough;
    const char *shape = choose(w, name, &rough);
    bool integer = is_integer(name), packs = !strncmp(name, "PK", 2) || !strncmp(name, "UP", 2);
    bool saturates = w->d->stage == DRIVER_FRAGMENT && !below(w->r, 6) && !integer && !packs;

    w->p->rough |= rough;
    say(w->p, "%s%s ", name, !saturates ? "" : strstr(w->d->header, "NV") ? ".SAT" : "_SAT");
    say(w->p, "%s", to);
    mask(w);
    for (; *shape == 'v' || *shape == 's'; shape++) {
        say(w->p, ", ");
        operand(w, *shape == 's', !integer && !packs);
    }
    say(w->p, ";\n");
}

/* A register or result that holds an input, and then in part what an instruction gives. */
static void fill_and_compute(struct writer *w, const char *to, unsigned i)
{
    say(w->p, "MOV %s, ", to);
    input(w, i);
    say(w->p, ";\n");
    instruction(w, to);
}

static void compute_temps(struct writer *w, unsigned count)
{
    char to[8];

    for (; w->temps < count; w->temps++) {
        snprintf(to, sizeof to, w->d->old ? "R%u" : "t%u", w->temps);
        fill_and_compute(w, to, w->temps);
    }
}

/* ---- inputs ------------------------------------------------------------------------------------------------------ */

static const uint32_t nasty[] = {0,          0x80000000, 1,          0x807fffff, 0x00800000, 0x7f7fffff,
                                 0x7f800000, 0xff800000, 0x7fc00000, 0xffc12345, 0x7f812345, 0x3f800000,
                                 0xbf800000, 0x3f000000, 0x40000000, 0x42fe0000, 0xc3000000, 0x4b000001,
                                 0x3effffff, 0x3f7fffff, 0x41200000, 0x7e800000, 0x01800000};

/* Words that every driver takes as they are: no denormals, which llvmpipe flushes, and no NaNs, of which its MIN and
 * MAX are its own. As attributes of fragments infinities and -0 are lost too, in the arithmetic of a point's
 * interpolation. */
static bool is_plain(uint32_t word, bool fragment)
{
    uint32_t exponent = word >> 23 & 255;

    if (fragment && (exponent == 255 || word == 0x80000000))
        return false;
    return exponent ? exponent < 255 || !(word << 9) : !(word << 1);
}

static void fill(struct program *p, struct random *r, bool tame, bool fragment)
{
    for (unsigned i = 0; i < PROGRAM_INPUTS; i++)
        for (unsigned k = 0; k < PROGRAM_ELEMENTS * 4; k++) {
            float value = (float)((int32_t)random_next(r) % 4096) / (float)(1 << below(r, 12));
            memcpy(&p->words[i][k], &value, sizeof value);
            if (fragment && !(p->words[i][k] << 1))
                p->words[i][k] = 0;
            uint32_t word = nasty[below(r, sizeof nasty / sizeof *nasty)];
            if (k % 8 >= 4 && (!tame || is_plain(word, fragment)))
                p->words[i][k] = word;
        }
}

/* ---- stages ------------------------------------------------------------------------------------------------------ */

static const float positions[PROGRAM_ELEMENTS * 4];

static void give_arrays(struct program *p, const struct dialect *d)
{
    struct driver_vertices *v = &p->subject.c.vertices;

    for (unsigned i = 0; i < PROGRAM_INPUTS; i++) {
        p->arrays[i] = (struct driver_array){d->gives[i], p->words[i], (size_t)v->count * 16};
        p->subject.reads[i] = d->stage == DRIVER_VERTEX ? d->inputs[i] : texcoords[i];
    }
    p->arrays[PROGRAM_INPUTS] = (struct driver_array){"vertex.position", positions, (size_t)v->count * 16};
    p->subject.reads[PROGRAM_INPUTS] = NULL;
    v->inputs = p->arrays;
    v->input_count = PROGRAM_INPUTS + 1;
    v->results = p->results;
}

static void add_result(struct program *p, const char *captured, const char *binding, int vertex)
{
    struct driver_vertices *v = &p->subject.c.vertices;

    p->subject.planes[v->result_count] = (struct subject_plane){binding, vertex};
    p->results[v->result_count++] = captured;
}

static void begin(struct writer *w)
{
    say(w->p, "%s\n%s", w->d->header, w->d->option);
}

static void declare(struct writer *w)
{
    if (!w->d->old)
        say(w->p, "TEMP t0, t1;\n");
    for (unsigned i = 0; w->d->old && i < PROGRAM_INPUTS; i++)
        say(w->p, "MOV R%u, %s;\n", i + 2, w->d->inputs[i]);
    for (unsigned i = 0; w->d->old && i < 2; i++)
        say(w->p, "MOV R%u, %s;\n", i, w->d->inputs[i]);
}

static void vertex(struct writer *w)
{
    struct driver_vertices *v = &w->p->subject.c.vertices;

    begin(w);
    declare(w);
    compute_temps(w, below(w->r, 3));
    for (unsigned i = 0; i < 4; i++) {
        fill_and_compute(w, w->d->results[i], i);
        add_result(w->p, out[i], w->d->results[i], 0);
    }
    say(w->p, "MOV %s, %s;\n", w->d->old ? "o[HPOS]" : "result.position", w->d->old ? "v[OPOS]" : "vertex.position");
    v->count = PROGRAM_ELEMENTS;
}

static const char pass_on[] =
    "!!NVvp4.0\nMOV result.position, vertex.position;\nMOV result.texcoord[0], vertex.texcoord[0];\n"
    "MOV result.texcoord[1], vertex.texcoord[1];\nMOV result.texcoord[2], vertex.texcoord[2];\nEND\n";

static void geometry(struct writer *w)
{
    static const char *const in[] = {"POINTS", "LINES", "TRIANGLES", "LINES_ADJACENCY", "TRIANGLES_ADJACENCY"};
    static const char *const made[] = {"POINTS", "LINE_STRIP", "TRIANGLE_STRIP"};
    static const unsigned needs[] = {1, 2, 3, 4, 6};
    struct driver_vertices *v = &w->p->subject.c.vertices;
    unsigned kind = below(w->r, 5), output = below(w->r, 3), emits = output + 1;
    unsigned invocations = strstr(w->d->header, "gp5") && !below(w->r, 3) ? 2 : 1;

    begin(w);
    say(w->p, "PRIMITIVE_IN %s;\nPRIMITIVE_OUT %s;\nVERTICES_OUT %u;\n", in[kind], made[output], emits);
    if (invocations > 1)
        say(w->p, "INVOCATIONS %u;\n", invocations);
    declare(w);
    w->vertices = needs[kind];
    compute_temps(w, below(w->r, 3));
    for (unsigned e = 0; e < emits; e++) {
        for (unsigned i = 0; i < (emits > 1 ? 2 : 4); i++)
            fill_and_compute(w, w->d->results[i], i);
        say(w->p, "EMIT;\n");
    }
    for (unsigned i = 0; i < (emits > 1 ? 2 : 4); i++)
        add_result(w->p, out[i], w->d->results[i], 0);
    v->count = PROGRAM_ELEMENTS / w->vertices * w->vertices;
    v->assembly = (enum driver_assembly)kind;
    v->captured = (enum driver_assembly)output;
    v->most = PROGRAM_MOST;
    v->beside[DRIVER_VERTEX] = pass_on;
}

/* The evaluation program behind a control program gives what each vertex of the patch has, and the patch. */
static void write_behind(struct program *p, unsigned threads)
{
    size_t n = (size_t)snprintf(p->behind, sizeof p->behind, "!!NVtep5.0\nTESS_MODE ISOLINES;\nTESS_SPACING EQUAL;\n"
                                "TESS_POINT_MODE;\n");
    unsigned result = 0;

    for (unsigned k = 0; k < threads; k++)
        for (unsigned i = 0; i < 4; i++)
            n += (size_t)snprintf(p->behind + n, sizeof p->behind - n,
                                  "MOV result.attrib[%u], vertex[%u].texcoord[%u];\n", result++, k, i);
    for (unsigned i = 0; i < 2; i++)
        n += (size_t)snprintf(p->behind + n, sizeof p->behind - n,
                              "MOV result.attrib[%u], primitive.patch.attrib[%u];\n", result++, i);
    snprintf(p->behind + n, sizeof p->behind - n, "MOV result.position, vertex[0].texcoord[0];\nEND\n");
}

static const char *const attribs[] = {
    "result.attrib[0]", "result.attrib[1]", "result.attrib[2]", "result.attrib[3]", "result.attrib[4]",
    "result.attrib[5]",
    "result.attrib[6]", "result.attrib[7]", "result.attrib[8]", "result.attrib[9]", "result.attrib[10]",
    "result.attrib[11]",
    "result.attrib[12]", "result.attrib[13]"};

static void control(struct writer *w)
{
    static const char *const patch[] = {"result.patch.attrib[0]", "result.patch.attrib[1]"};
    struct driver_vertices *v = &w->p->subject.c.vertices;
    unsigned threads = 1 + below(w->r, 3);

    w->vertices = threads + below(w->r, 2);
    begin(w);
    say(w->p, "VERTICES_OUT %u;\n", threads);
    for (unsigned i = 0; i < PROGRAM_INPUTS; i++)
        say(w->p, "ATTRIB i%u = %s;\n", i, texcoords[i]);
    declare(w);
    say(w->p, "INT TEMP n;\nMOV.S n.x, primitive.invocation;\n");
    compute_temps(w, below(w->r, 3));
    for (unsigned i = 0; i < 4; i++)
        fill_and_compute(w, w->d->results[i], i);
    w->temps = 0;               /* what is the same in all threads */
    for (unsigned i = 0; i < 2; i++)
        say(w->p, "MOV %s, vertex[%u].texcoord[%u];\n", patch[i], below(w->r, w->vertices), i);
    say(w->p, "MOV result.patch.tessouter[0].x, 1.0;\nMOV result.patch.tessouter[1].x, 1.0;\n");
    for (unsigned k = 0; k < threads; k++)
        for (unsigned i = 0; i < 4; i++)
            add_result(w->p, attribs[4 * k + i], w->d->results[i], (int)k);
    for (unsigned i = 0; i < 2; i++)
        add_result(w->p, attribs[4 * threads + i], patch[i], -1);
    write_behind(w->p, threads);
    v->count = PROGRAM_ELEMENTS / w->vertices * w->vertices;
    v->assembly = DRIVER_VERTEX_PATCHES;
    v->patch_vertices = w->vertices;
    v->most = PROGRAM_MOST;
    v->beside[DRIVER_VERTEX] = pass_on;
    v->beside[DRIVER_TESS_EVALUATION] = w->p->behind;
    w->p->subject.threads = threads;
}

static void evaluation(struct writer *w)
{
    static const char *const modes[] = {"TRIANGLES", "QUADS", "ISOLINES"};
    static const char *const spacings[] = {"EQUAL", "FRACTIONAL_ODD", "FRACTIONAL_EVEN"};
    static const float levels[] = {1, 1, 2, 2.5f, 3};
    struct driver_vertices *v = &w->p->subject.c.vertices;

    w->vertices = 1 + below(w->r, 4);
    begin(w);
    say(w->p, "TESS_MODE %s;\nTESS_SPACING %s;\nTESS_POINT_MODE;\n", modes[below(w->r, 3)], spacings[below(w->r, 3)]);
    declare(w);
    compute_temps(w, below(w->r, 3));
    for (unsigned i = 0; i < 4; i++) {
        if (i == 1 && !below(w->r, 2)) {
            say(w->p, "MUL %s, vertex.tesscoord.%c, ", w->d->results[i], "xyz"[below(w->r, 3)]);
            input(w, 0);
            say(w->p, ";\n");
        } else {
            fill_and_compute(w, w->d->results[i], i);
        }
        add_result(w->p, out[i], w->d->results[i], 0);
    }
    say(w->p, "MOV result.attrib[0], vertex.tesscoord;\nMOV.S result.attrib[1].x, primitive.id.x;\n");
    add_result(w->p, "result.attrib[0]", NULL, 0);
    add_result(w->p, "result.attrib[1]", NULL, 0);
    w->p->subject.tesscoord = 4;
    w->p->subject.patch = 5;
    v->count = 8 * w->vertices;
    v->assembly = DRIVER_VERTEX_PATCHES;
    v->patch_vertices = w->vertices;
    v->most = PROGRAM_MOST;
    float chosen = levels[below(w->r, 5)];
    for (unsigned i = 0; i < 6; i++)
        memcpy(&v->levels[i], &chosen, 4);
    v->beside[DRIVER_VERTEX] = pass_on;
}

static void fragment(struct writer *w)
{
    struct program *p = w->p;
    struct driver_raster *f = &p->subject.c.raster;

    begin(w);
    declare(w);
    compute_temps(w, below(w->r, 3));
    fill_and_compute(w, w->d->results[0], 0);
    for (unsigned i = 0; i < PROGRAM_INPUTS; i++) {
        p->attributes[i] = (struct driver_attribute){DRIVER_TEXCOORD, i, p->words[i], sizeof p->words[i]};
        p->subject.reads[i] = w->d->inputs[i];
    }
    *f = (struct driver_raster){.primitive = DRIVER_POINTS, .width = PROGRAM_ELEMENTS, .height = 1, .color_outputs = 1,
                                .attributes = p->attributes, .attribute_count = PROGRAM_INPUTS};
    p->subject.planes[0] = (struct subject_plane){w->d->results[0], 0};
}

void program_make(struct program *p, struct random *r, const struct dialect *d, bool tame)
{
    struct writer w = {.p = p, .r = r, .d = d};

    memset(p, 0, sizeof *p);
    p->subject.c.stage = d->stage;
    switch (d->stage) {
    case DRIVER_VERTEX: vertex(&w); break;
    case DRIVER_GEOMETRY: geometry(&w); break;
    case DRIVER_TESS_CONTROL: control(&w); break;
    case DRIVER_TESS_EVALUATION: evaluation(&w); break;
    default: fragment(&w); break;
    }
    say(p, "END\n");
    p->subject.c.program = p->text;
    p->subject.c.program_size = p->size;
    fill(p, r, tame || d->stage == DRIVER_FRAGMENT, d->stage == DRIVER_FRAGMENT);
    if (d->stage != DRIVER_FRAGMENT)
        give_arrays(p, d);
}
