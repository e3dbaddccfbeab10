/* See proof.h. */
#include "tests/tools/proof.h"

#include "asm/binding_name.h"
#include "asm/facts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- numbers ----------------------------------------------------------------------------------------------------- */

static uint32_t next(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (uint32_t)((z ^ z >> 31) >> 16);
}

static uint32_t bits_of(float f)
{
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    return bits;
}

/* Halves to the number of steps; a sixth are what breaks things. Denormals are left out, which llvmpipe takes for 0,
 * and NaNs, of which its MIN and MAX are its own; on its way to a fragment -0 and what is not finite is lost. `small`:
 * no angles that only exact mathematics can turn back. */
static uint32_t number(uint64_t *state, bool fragment, bool small)
{
    static const uint32_t nasty[] = {0x00000000, 0x3f800000, 0xbf800000, 0x3f000000, 0x40000000, 0x42fe0000, 0xc3000000,
                                     0x4b000001, 0x3effffff, 0x3f7fffff, 0x41200000, 0x01800000, 0x5f000000, 0xdf800000,
                                     0x80000000, 0x7f800000, 0xff800000, 0x7f7fffff, 0x7e800000};
    uint32_t r = next(state);

    if (r % 6 == 0 && !small)
        return nasty[next(state) % (fragment ? 14 : sizeof nasty / sizeof *nasty)];
    if (r % 6 == 1)
        return bits_of((float)(int)(next(state) % 9) - 4);
    return bits_of((float)(int)(next(state) % 4001 - 2000) / (float)(1 << r / 6 % 12));
}

/* Small whole numbers where the program reads them as such. */
static uint32_t whole_number(uint64_t *state)
{
    uint32_t r = next(state);
    return r % 4 == 0 ? next(state) : r % 4 == 1 ? 0 - next(state) % 40 : next(state) % 40;
}

/* ---- inputs ------------------------------------------------------------------------------------------------------ */

struct source {
    uint16_t kind;
    const char *driver; /* as the GL knows it; %u: its number */
    unsigned components;
    enum driver_attribute_kind attribute;
    unsigned index;
};

static const struct source sources[] = {
    {BIND_VERTEX_POSITION, "vertex.position", 4, 0, 0},
    {BIND_VERTEX_NORMAL, "vertex.normal", 3, 0, 0},
    {BIND_VERTEX_COLOR_PRIMARY, "vertex.color", 4, 0, 0},
    {BIND_VERTEX_COLOR_SECONDARY, "vertex.color.secondary", 3, 0, 0},
    {BIND_VERTEX_FOGCOORD, "vertex.fogcoord", 1, 0, 0},
    {BIND_VERTEX_TEXCOORD, "vertex.texcoord[%u]", 4, 0, 0},
    {BIND_VERTEX_ATTRIB, "vertex.attrib[%u]", 4, 0, 0},
    {BIND_FRAGMENT_COLOR_PRIMARY, "", 4, DRIVER_COLOR, 0},
    {BIND_FRAGMENT_COLOR_SECONDARY, "", 4, DRIVER_COLOR, 1},
    {BIND_FRAGMENT_FOGCOORD, "", 1, DRIVER_FOGCOORD, 0},
    {BIND_FRAGMENT_TEXCOORD, "", 4, DRIVER_TEXCOORD, 0},
    {BIND_FRAGMENT_ATTRIB, "", 4, DRIVER_GENERIC, 0},
};

static const struct source *find_source(uint16_t kind)
{
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++)
        if (sources[i].kind == kind)
            return &sources[i];
    return NULL;
}

/* In the older headers attributes are the conventional ones. */
static uint16_t conventional(const struct gp5_program *program, uint16_t kind, uint32_t *number)
{
    static const uint16_t kinds[8] = {BIND_VERTEX_POSITION,
                                      0,
                                      BIND_VERTEX_NORMAL,
                                      BIND_VERTEX_COLOR_PRIMARY,
                                      BIND_VERTEX_COLOR_SECONDARY,
                                      BIND_VERTEX_FOGCOORD,
                                      0,
                                      0};

    if (profile_table[program->profile].generation != GEN_REGISTER || kind != BIND_VERTEX_ATTRIB)
        return kind;
    if (*number >= 8) {
        *number -= 8;
        return BIND_VERTEX_TEXCOORD;
    }
    kind = kinds[*number] ? kinds[*number] : kind;
    if (kind != BIND_VERTEX_ATTRIB)
        *number = 0;
    return kind;
}

static void add_input(struct proof *p, const struct gp5_program *program, const struct binding *b, uint32_t n,
                      uint64_t *state)
{
    const char *words = binding_table[b->kind].words, *bracket = strchr(words, '[');
    uint32_t place = n;
    const struct source *s = find_source(conventional(program, asm_canonical_binding(b->kind), &place));
    bool fragment = p->subject.c.stage == DRIVER_FRAGMENT;
    struct driver_vertices *v = &p->subject.c.vertices;
    struct driver_raster *f = &p->subject.c.raster;
    size_t i = fragment ? f->attribute_count : v->input_count;

    char name[40];
    if (!s)
        return;
    if (bracket)
        snprintf(name, sizeof name, "%.*s[%u]", (int)(bracket - words), words, n);
    else
        snprintf(name, sizeof name, "%s", words);
    for (size_t k = 0; k < i; k++)
        if (!strcmp(p->reads[k], name))
            return;
    if (i >= (fragment ? 15 : SUBJECT_ARRAYS)) {
        p->why = "more inputs than are given at once";
        return;
    }
    strcpy(p->reads[i], name);
    p->subject.reads[i] = p->reads[i];
    p->components[i] = s->components;
    for (unsigned e = 0; e < PROOF_ELEMENTS; e++)
        for (unsigned m = 0; m < 4; m++)
            p->words[i][e * 4 + m] = m >= s->components                         ? bits_of(m == 3)
                                     : p->only_whole && e % 3 == 0 && !fragment ? whole_number(state)
                                                                                : number(state, fragment, p->small);
    if (!fragment) {
        snprintf(p->names[i], sizeof p->names[i], s->driver, place);
        p->inputs[i] = (struct driver_array){p->names[i], p->words[i], sizeof p->words[i]};
        v->input_count++;
        return;
    }
    p->attributes[i] = p->at_corners[i] = (struct driver_attribute){
        s->attribute, s->attribute == DRIVER_COLOR ? s->index : n, p->words[i], sizeof p->words[i]};
    f->attribute_count++;
}

/* Attribute 0 is the position. */
static void alias_position(struct proof *p)
{
    for (size_t i = 0; i < p->subject.c.vertices.input_count; i++)
        for (size_t k = 0; k < p->subject.c.vertices.input_count; k++)
            if (!strcmp(p->names[i], "vertex.position") && !strcmp(p->names[k], "vertex.attrib[0]"))
                memcpy(p->words[k], p->words[i], sizeof p->words[k]);
}

/* Values in a plane, exact at the middle of each pixel. */
static void spread(struct proof *p, uint64_t *state)
{
    for (size_t i = 0; i < p->subject.c.raster.attribute_count; i++) {
        for (unsigned m = 0; m < 4; m++) {
            float a = (float)(int)(next(state) % 17) - 8 + 1.0f / 64, x = (float)(int)(next(state) % 9) - 4,
                  y = (float)(int)(next(state) % 9) - 4;
            bool open = m < p->components[i];
            for (unsigned k = 0; k < 4; k++)
                p->corners[i][k][m] = open ? bits_of(a + x * (k & 1) + y * (k >> 1)) : p->words[i][m];
            for (unsigned e = 0; open && e < PROOF_ELEMENTS; e++)
                p->words[i][e * 4 + m] = bits_of(a + x * ((float)(e % PROOF_SIDE) + 0.5f) / PROOF_SIDE +
                                                 y * ((float)(e / PROOF_SIDE) + 0.5f) / PROOF_SIDE);
        }
        p->at_corners[i].values = p->corners[i];
        p->at_corners[i].size = sizeof p->corners[i];
    }
}

/* ---- results ----------------------------------------------------------------------------------------------------- */

static void add_result(struct proof *p, const struct binding *b, uint32_t n)
{
    uint16_t kind = asm_canonical_binding(b->kind);
    const char *words = binding_table[kind].words, *bracket = strchr(words, '[');
    struct driver_vertices *v = &p->subject.c.vertices;
    char name[40];

    if (binding_table[kind].words[0] != 'r')
        return;
    if (bracket)
        snprintf(name, sizeof name, "%.*s[%u]", (int)(bracket - words), words, n);
    else
        snprintf(name, sizeof name, n ? "%s[%u]" : "%s", words, n);
    if (p->subject.c.stage == DRIVER_FRAGMENT) {
        struct driver_raster *f = &p->subject.c.raster;
        if (kind != BIND_RESULT_COLOR && strncmp(name, "result.color[", 13))
            return; /* depth is left to the comparison of pictures */
        if (n >= 8)
            return;
        f->color_outputs = n + 1 > f->color_outputs ? n + 1 : f->color_outputs;
        strcpy(p->writes[n], name);
        p->subject.planes[n] = (struct subject_plane){p->writes[n], 0};
        return;
    }
    for (size_t i = 0; i < v->result_count; i++)
        if (!strcmp(p->writes[i], name))
            return;
    if (v->result_count == SUBJECT_ARRAYS) {
        p->why = "more results than are captured at once";
        return;
    }
    strcpy(p->writes[v->result_count], name);
    p->subject.planes[v->result_count] = (struct subject_plane){p->writes[v->result_count], 0};
    p->results[v->result_count] = p->writes[v->result_count];
    v->result_count++;
}

static void find_results(struct proof *p, const struct gp5_program *program)
{
    for (uint32_t i = 0; i < program->insns.count; i++) {
        const struct result *r = &program_insn(program, i)->dst;
        const struct symbol *s = r->kind == OPND_SYMBOL ? program_symbol(program, r->ref) : NULL;
        if (r->kind == OPND_BINDING) {
            const struct binding *b = program_binding(program, r->ref);
            add_result(p, b, b->nindices ? b->first[b->nindices - 1] : 0);
        }
        for (uint32_t k = 0; s && s->kind == SYM_OUTPUT && k < s->nbindings; k++) {
            const struct binding *b = program_binding(program, s->binding + k);
            uint32_t first = b->nindices ? b->first[b->nindices - 1] : 0,
                     last = b->nindices && b->range[b->nindices - 1] ? b->last[b->nindices - 1] : first;
            for (uint32_t n = first; n <= last && n < first + 32; n++)
                add_result(p, b, n);
        }
    }
    struct driver_vertices *v = &p->subject.c.vertices;
    if (p->subject.c.stage == DRIVER_FRAGMENT && !p->subject.c.raster.color_outputs)
        p->subject.c.raster.color_outputs = 1;
    if (p->subject.c.stage == DRIVER_VERTEX && !v->result_count)
        p->why = "it has no results";
}

/* ---- all of it --------------------------------------------------------------------------------------------------- */

static bool is_function(unsigned op)
{
    static const uint16_t ops[] = {OP_EX2, OP_LG2, OP_POW, OP_SIN, OP_COS, OP_SCS, OP_EXP, OP_LOG,
                                   OP_LIT, OP_RSQ, OP_RCP, OP_RCC, OP_NRM, OP_RFL, OP_DIV};

    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
        if (ops[i] == op)
            return true;
    return false;
}

/* Other lanes: a subgroup of the driver's is the warp. */
static bool asks_lanes(unsigned op)
{
    return op_is(op, K_VOTE | K_SHUFFLE | K_MATCH);
}

static bool look(struct proof *p, const struct gp5_program *program, unsigned subgroup)
{
    unsigned generation = profile_table[program->profile].generation;
    bool neighbours = false, floats = false, lanes = false, later = generation != GEN_REGISTER && generation != GEN_ARB;
    unsigned loops = 0, most = 0;

    for (uint32_t i = 0; i < program->insns.count; i++) {
        const struct insn *insn = program_insn(program, i);
        uint8_t type = insn->type & DT_MASK;
        neighbours |= insn->op == OP_DDX || insn->op == OP_DDY || op_is(insn->op, K_QUAD);
        lanes |= asks_lanes(insn->op);
        p->unordered |= op_is_atomic(insn->op);
        if (op_is_atomic(insn->op) && (type == DT_F16 || (insn->atomic == MOD_ADD && type == DT_F32)))
            p->why = "floats that lanes put together in an open order";
        p->reflects |= insn->op == OP_RFL;
        p->small |= insn->op == OP_RFL;
        if (op_is_atomic(insn->op) && (type == DT_F16 || (insn->atomic == MOD_ADD && type == DT_F32)))
            p->why = "floats that lanes put together in an open order";
        p->reflects |= insn->op == OP_RFL;
        p->small |= insn->op == OP_RFL;
        floats |= type == DT_F32 && insn->op != OP_MOV;
        p->small |= insn->op == OP_SIN || insn->op == OP_COS || insn->op == OP_SCS || insn->op == OP_TRUNC;
        p->functions |= is_function(insn->op);
        p->whole |= later && !op_flows(insn->op) && ((type != DT_F32 && type != DT_F16 && insn->op != OP_TEX) ||
                              op_number(insn->op, 0) == 'U' || op_number(insn->op, 0) == 'S');
        loops += insn->op == OP_REP || insn->op == OP_LOOP || insn->op == OP_IF;
        loops -= insn->op == OP_ENDREP || insn->op == OP_ENDLOOP || insn->op == OP_ENDIF;
        most = loops > most ? loops : most;
        if (insn->texture_target)
            proof_add_texture(p, program, insn);
        if (insn->dst.kind == OPND_BINDING && program_binding(program, insn->dst.ref)->relative)
            p->why = "a result that a computed index chooses, which the evaluator does not follow";
    }
    for (uint32_t i = 0; i < program->symbols.count; i++)
        if (program_symbol(program, i)->uses)
            proof_add_buffers(p, program, program_symbol(program, i));
    p->only_whole = p->whole && !floats;
    for (uint32_t i = 0; i < program->bindings.count; i++) {
        const char *words = binding_table[program_binding(program, i)->kind].words;
        if (program_binding(program, i)->kind == BIND_STATE_LIGHT_HALF)
            p->why = "state.light[n].half, which llvmpipe has not";
        if (program_binding(program, i)->kind == BIND_STATE_LIGHT_SPOT_DIRECTION)
            p->why = "state.light[n].spot.direction, whose angle llvmpipe holds above a right one";
        lanes |= strstr(words, "thread") != NULL;
    }
    p->subject.warp = lanes ? subgroup : 0;
    if (lanes && p->subject.c.stage == DRIVER_FRAGMENT)
        p->why = "other fragments' lanes, which the driver numbers as it likes";
    else if (lanes && !subgroup)
        p->why = "other lanes, and the driver tells nothing of them";
    if (program->options &
        (UINT64_C(1) << OPTION_ARB_fog_exp | UINT64_C(1) << OPTION_ARB_fog_exp2 | UINT64_C(1) << OPTION_ARB_fog_linear))
        p->why = "fog of colours that are clamped, which is proved on ARB programs";
    if (most > 24)
        p->why = "blocks so deep that llvmpipe does not end";
    return neighbours;
}

void proof_make(struct proof *p, const struct gp5_program *program, const char *text, size_t size, unsigned round,
                bool small, unsigned subgroup)
{
    struct driver_case *c = &p->subject.c;
    uint64_t state = round * 1000003u + 41;

    memset(p, 0, sizeof *p);
    p->small = small;
    c->stage = profile_table[program->profile].stage_id == STAGE_VERTEX ? DRIVER_VERTEX : DRIVER_FRAGMENT;
    c->program = text;
    c->program_size = size;
    bool fragment = c->stage == DRIVER_FRAGMENT, neighbours = look(p, program, subgroup);
    for (uint32_t i = 0; i < program->bindings.count; i++) {
        const struct binding *b = program_binding(program, i);
        uint32_t first = b->nindices ? b->first[b->nindices - 1] : 0,
                 last = b->nindices && b->range[b->nindices - 1] ? b->last[b->nindices - 1] : first;
        if (b->relative) {      /* any of them */
            first = 0;
            last = asm_canonical_binding(b->kind) == BIND_VERTEX_ATTRIB ? 14 : 7;
        }
        for (uint32_t n = first; n <= last && n < first + 16; n++)
            add_input(p, program, b, n, &state);
    }
    alias_position(p);
    find_results(p, program);
    for (size_t i = 0; i < SUBJECT_ARRAYS && p->unordered; i++)     /* which lane is first is open, what is left not */
        p->subject.planes[i].binding = NULL;
    for (uint32_t i = 0; i < PROOF_PARAMETERS; i++) {
        p->env[i].index = p->local[i].index = i;
        for (unsigned m = 0; m < 4; m++) {
            p->env[i].bits[m] = bits_of((float)(int)(next(&state) % 2001 - 1000) / 250.0f);
            p->local[i].bits[m] = bits_of((float)(int)(next(&state) % 2001 - 1000) / 250.0f);
        }
    }
    c->env = p->env;
    c->local = p->local;
    c->env_count = c->local_count = PROOF_PARAMETERS;
    c->textures = p->textures;
    c->storage = p->storage;
    c->constants = p->constants;
    c->counters = p->counters;
    if (fragment) {
        c->raster.primitive = neighbours ? DRIVER_QUAD : DRIVER_POINTS;
        c->raster.width = c->raster.height = PROOF_SIDE;
        c->raster.depth_bits = 0x3f000000;
        c->raster.attributes = p->attributes;
        if (neighbours)
            spread(p, &state);
    } else {
        c->vertices.count = PROOF_ELEMENTS;
        c->vertices.inputs = p->inputs;
        c->vertices.results = p->results;
    }
    p->driver = *c;
    p->driver.language = DRIVER_GLSL;
    if (neighbours)
        p->driver.raster.attributes = p->at_corners;
}
