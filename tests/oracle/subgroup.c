/* The instructions of OPTION GP5_subgroup, by the model that was written from the specifications of the subgroup
 * operations (tests/oracle/subgroup_model.c). What is done here is docs/subgroups.md: which operation an instruction
 * is, in which form values go in and out, and what is undefined. */
#include "tests/oracle/internal.h"

#include "tests/oracle/scalar_soft.h"
#include "tests/oracle/subgroup_model.h"

#include <stdlib.h>
#include <string.h>

struct gathered {
    struct oracle_lane **lanes;           /* NULL where a lane is not here */
    struct oracle_value src[ORACLE_WARP][3][4];
};

struct form {
    enum gp5_subgroup_op op;
    const struct gp5_subgroup_info *info;
    unsigned type, register_type;       /* of the model and of registers */
};

static bool group_op(unsigned op)
{
    return op_table[op].name[0] == 'S' && op_table[op].name[1] == 'G' && op_table[op].option == OPTION_GP5_subgroup;
}

/* The barriers among them do nothing: a warp is together here. */
bool oracle_is_group(unsigned op)
{
    return group_op(op) && op != OP_SGBAR && op != OP_SGMEMBAR;
}

/* What only moves values takes words as they are. */
static unsigned type_of(const struct form *f, unsigned type)
{
    if (f->info->types == GP5_SUBGROUP_BOOLS)
        return GP5_SUBGROUP_BOOL;
    if (!f->info->arithmetic && !oracle_group_compares(f->op) && type_table[type].bytes < 4)
        return GP5_SUBGROUP_U32;
    switch (type) {
    case DT_F16: return GP5_SUBGROUP_F16;
    case DT_F64: return GP5_SUBGROUP_F64;
    case DT_S8: return GP5_SUBGROUP_I8;
    case DT_U8: return GP5_SUBGROUP_U8;
    case DT_S16: return GP5_SUBGROUP_I16;
    case DT_U16: return GP5_SUBGROUP_U16;
    case DT_S32: return GP5_SUBGROUP_I32;
    case DT_U32: return GP5_SUBGROUP_U32;
    case DT_S64: return GP5_SUBGROUP_I64;
    case DT_U64: return GP5_SUBGROUP_U64;
    default: return GP5_SUBGROUP_F32;
    }
}

/* ---- values ----------------------------------------------------------------------------------------------------- */

static bool is_number(uint64_t bits, bool flush)
{
    struct soft x = soft_unpack(bits, 32, flush);
    return x.kind == SOFT_INFINITY || (x.kind == SOFT_NUMBER && x.sig != 0) || (x.kind == SOFT_NAN && !flush);
}

static uint64_t truth_of(const struct form *f, bool flush, uint64_t bits)
{
    if (f->register_type == DT_F32)
        return is_number(bits, flush);
    return (oracle_bytes(f->register_type) == 8 ? bits : (uint32_t)bits) != 0;
}

static bool flushes(const struct oracle_program *p, const struct form *f)
{
    return p->nvidia && f->type == GP5_SUBGROUP_F32 && (f->info->arithmetic || oracle_group_compares(f->op));
}

static uint64_t flushed(uint64_t bits)
{
    return bits & 0x7f800000 ? bits : bits & 0x80000000;
}

static unsigned element_bytes(unsigned type)
{
    switch (type) {
    case GP5_SUBGROUP_BOOL: case GP5_SUBGROUP_I8: case GP5_SUBGROUP_U8: return 1;
    case GP5_SUBGROUP_I16: case GP5_SUBGROUP_U16: case GP5_SUBGROUP_F16: return 2;
    case GP5_SUBGROUP_I32: case GP5_SUBGROUP_U32: case GP5_SUBGROUP_F32: return 4;
    default: return 8;
    }
}

static void put_value(const struct oracle_program *p, const struct form *f, uint64_t bits, unsigned lane, uint8_t *to)
{
    uint8_t half[2];
    if (f->type == GP5_SUBGROUP_BOOL) {
        bits = truth_of(f, p->nvidia, bits);
    } else if (f->type == GP5_SUBGROUP_F16) {
        oracle_put(half, DT_F16, bits);
        bits = (uint64_t)half[0] | (uint64_t)half[1] << 8;
    } else if (flushes(p, f)) {
        bits = flushed(bits);
    }
    memcpy(to + lane * element_bytes(f->type), &bits, element_bytes(f->type));
}

/* What the model gives as a register has it. */
static uint64_t value_of(const struct oracle_program *p, const struct form *f, uint64_t bits)
{
    uint8_t half[2] = {(uint8_t)bits, (uint8_t)(bits >> 8)};
    switch (f->type) {
    case GP5_SUBGROUP_F16: return oracle_get(half, DT_F16);
    case GP5_SUBGROUP_I8: return (uint32_t)(int32_t)(int8_t)bits;
    case GP5_SUBGROUP_I16: return (uint32_t)(int32_t)(int16_t)bits;
    default: break;
    }
    if (!flushes(p, f))
        return bits;
    return (bits & 0x7fffffff) > 0x7f800000 ? 0x7fffffff : flushed(bits);
}

/* ---- a call ----------------------------------------------------------------------------------------------------- */

struct call {
    const struct oracle_program *p;
    const struct insn *insn;
    struct form form;
    struct gathered *g;
    struct gp5_subgroup group;
    uint64_t index[ORACLE_WARP], width[ORACLE_WARP];
    struct gp5_ballot ballot[ORACLE_WARP];
    uint32_t cluster;
    bool undef[ORACLE_WARP];       /* index, ballot or width of the lane */
    unsigned value, nvalue;     /* which operand it is, if there is one */
};

static void run_model(const struct call *c, unsigned op, unsigned type, const void *value,
                      struct model_answer answers[128])
{
    struct gp5_subgroup_operands in = {.type = (enum gp5_subgroup_type)type,
                                       .components = 1,
                                       .value = value,
                                       .index = c->index,
                                       .ballot = c->ballot,
                                       .width = c->width,
                                       .cluster = c->cluster,
                                       .order = GP5_SUBGROUP_DOUBLING};
    memset(answers, 0, 128 * sizeof *answers);
    model_run((enum gp5_subgroup_op)op, &c->group, &in, 0, answers);
}

/* Where the value of component k comes from that a lane gets, whether any of that is undefined. */
static void follow(const struct call *c, unsigned k, bool undef[ORACLE_WARP])
{
    uint32_t ids[ORACLE_WARP] = {0};
    struct model_answer answers[128];
    bool any = false,
         moves = c->form.info->answer == GP5_SUBGROUP_A_VALUE && !(c->form.info->operands & GP5_SUBGROUP_TAKES_WIDTH);
    unsigned op = oracle_group_kind(c->insn->op) >= 0 ? oracle_group_of_family(MOD_MAX, oracle_group_kind(c->insn->op))
                                                      : c->form.op;
    for (unsigned i = 0; i < ORACLE_WARP; i++)
        if (c->g->lanes[i]) {
            ids[i] = c->g->src[i][0][k].undef;
            any |= ids[i];
        }
    if (any && moves)
        run_model(c, op, GP5_SUBGROUP_U32, ids, answers);
    for (unsigned i = 0; i < ORACLE_WARP; i++)
        undef[i] = any && (!moves || answers[i].bits);
}

/* The source lane that SHF* has for index and width (docs/subgroups.md): what the driver makes of shuffleNV and its
 * like. */
static int hardware_source(const struct call *c, unsigned lane, bool *there)
{
    int id = (int)lane, by = (int)(c->index[lane] & 31), segment = (int)((32 - c->width[lane]) & 31),
        clamp = c->insn->op == OP_SGNVUP ? 0 : 31, from;
    int least = id & segment, most = least | (clamp & ~segment);
    switch (c->insn->op) {
    case OP_SGNVUP: from = id - by; *there = from >= most; break;
    case OP_SGNVDOWN: from = id + by; *there = from <= most; break;
    case OP_SGNVIDX: from = least | (by & ~segment); *there = from <= most; break;
    default: from = id ^ by; *there = from <= most; break;
    }
    return *there ? from : id;
}

static uint64_t yes_or_no(const struct call *c, bool yes)
{
    return !yes ? 0 : c->form.register_type == DT_F32 ? 0x3f800000 : 0xffffffff;
}

static struct oracle_value shuffled(const struct call *c, const struct model_answer *a, unsigned lane, unsigned k,
                                    bool undef)
{
    bool there = a->in_range, inactive = a->reason != 0;
    uint64_t bits = a->bits;
    if (a->reason == GP5_SUBGROUP_WIDTH)
        return (struct oracle_value){.undef = true};
    if (c->p->nvidia) {
        int from = hardware_source(c, lane, &there);
        inactive = !c->g->lanes[from];
        bits = inactive ? 0 : c->g->src[from][0][0].bits;
    }
    if (k > 1)
        return (struct oracle_value){.undef = true};
    return k ? (struct oracle_value){.bits = (uint32_t)bits, .undef = c->undef[lane] || undef || inactive}
             : (struct oracle_value){.bits = yes_or_no(c, there), .undef = c->undef[lane]};
}

static struct oracle_value answer_of(const struct call *c, const struct model_answer *a, unsigned lane, unsigned k,
                                     bool undef)
{
    struct oracle_value v = {.undef = undef || c->undef[lane] || a->reason};
    switch (c->form.info->answer) {
    case GP5_SUBGROUP_A_VALUE: v.bits = value_of(c->p, &c->form, a->bits); break;
    case GP5_SUBGROUP_A_BOOL: v.bits = yes_or_no(c, a->bits); break;
    case GP5_SUBGROUP_A_UINT: v.bits = (uint32_t)a->bits; break;
    case GP5_SUBGROUP_A_UINT64: v.bits = k == 0 || c->insn->op != OP_SGBALLOT ? a->bits : 0; break;
    default: v.bits = k == 0 || c->insn->op == OP_SGVAR ? a->ballot[0] : 0;
    }
    return v;
}

static unsigned result_type(const struct call *c)
{
    switch (c->form.info->answer) {
    case GP5_SUBGROUP_A_VALUE: return c->form.register_type;
    case GP5_SUBGROUP_A_BOOL: return c->form.register_type == DT_F32 ? DT_F32 : DT_U32;
    case GP5_SUBGROUP_A_UINT64: return DT_U64;
    default: return DT_U32;
    }
}

/* ---- rotations of the work group -------------------------------------------------------------------------------- */

/* The nth time that a warp comes to a place is held against the nth time of those before it. */
static bool agrees(struct oracle_group *g, uint32_t insn, uint32_t warp, uint64_t word)
{
    uint32_t time = 0;
    for (size_t i = 0; i < g->nuniform; i++)
        time += g->uniform[i].insn == insn && g->uniform[i].warp == warp;
    for (size_t i = 0; i < g->nuniform; i++)
        if (g->uniform[i].insn == insn && g->uniform[i].time == time && g->uniform[i].first) {
            uint64_t first = g->uniform[i].word;
            struct oracle_uniform *grown = realloc(g->uniform, (g->nuniform + 1) * sizeof *grown);
            if (!grown)
                return oracle_fail(g, ORACLE_NO_MEMORY, "no memory", NULL);
            g->uniform = grown;
            g->uniform[g->nuniform++] = (struct oracle_uniform){insn, warp, time, word, false};
            return first == word;
        }
    struct oracle_uniform *grown = realloc(g->uniform, (g->nuniform + 1) * sizeof *grown);
    if (!grown)
        return oracle_fail(g, ORACLE_NO_MEMORY, "no memory", NULL);
    g->uniform = grown;
    g->uniform[g->nuniform++] = (struct oracle_uniform){insn, warp, time, word, true};
    return true;
}

/* ---- operands --------------------------------------------------------------------------------------------------- */

static bool gather(struct call *c)
{
    unsigned operands = c->form.info->operands, k = 0, ballot = 3, index = 3, width = 3, cluster = 3;
    if (operands & GP5_SUBGROUP_TAKES_VALUE)
        k++;
    if (operands & GP5_SUBGROUP_TAKES_BALLOT)
        ballot = k++;
    if (operands & GP5_SUBGROUP_TAKES_INDEX)
        index = k++;
    if (operands & GP5_SUBGROUP_TAKES_WIDTH)
        width = k;
    if (operands & GP5_SUBGROUP_TAKES_CLUSTER)
        cluster = k;
    for (unsigned i = 0; i < ORACLE_WARP; i++)
        for (unsigned n = 0; c->g->lanes[i] && n < c->insn->nsrc; n++) {
            const struct operand *o = program_operand(c->p->text, c->insn->src + n);
            const struct symbol *s = o->kind == OPND_SYMBOL ? program_symbol(c->p->text, o->ref) : NULL;
            bool wide = n == index && s && s->size == SIZE_LONG, value = n == 0 && operands & GP5_SUBGROUP_TAKES_VALUE;
            unsigned type = value ? c->form.register_type : wide ? DT_U64 : DT_U32;
            struct oracle_value *v = c->g->src[i][n];
            if (!oracle_fetch(c->g->lanes[i], o, type, v))
                return oracle_fail(c->g->lanes[i]->group, ORACLE_NOT_EVALUATED, "this operand", c->insn);
            for (unsigned e = 0; value && e < 4; e++)
                v[e].bits = oracle_moved(c->p, type, o->flags & OPND_SIGNS, v[e].bits);
            if (n == ballot)
                c->ballot[i].word[0] = (uint32_t)v[0].bits;
            if (n == index)
                c->index[i] = v[0].bits;
            if (n == width)
                c->width[i] = v[0].bits;
            if (n == cluster)
                c->cluster = (uint32_t)v[0].bits;
            c->undef[i] |= (n == ballot || n == index || n == width) && v[0].undef;
        }
    return true;
}

bool oracle_exchange_group(struct oracle_lane *lanes[ORACLE_WARP], const struct insn *insn)
{
    struct gathered g = {.lanes = lanes};
    struct call c = {.insn = insn, .g = &g};
    struct oracle_value r[ORACLE_WARP][4];
    struct oracle_lane *first = NULL;
    bool scalar =
             shape_table[op_table[insn->op].shape].nsrc && shape_table[op_table[insn->op].shape].src[0] == OC_SCALAR,
         agree = true;
    for (unsigned i = ORACLE_WARP; i-- > 0;)
        first = lanes[i] ? lanes[i] : first;
    c.p = first->group->program;
    c.form.op = (enum gp5_subgroup_op)oracle_group_operation(insn);
    c.form.info = gp5_subgroup_info(c.form.op);
    c.form.register_type = oracle_register_type(insn->type);
    c.form.type = type_of(&c.form, insn->type);
    c.group = (struct gp5_subgroup){
        .size = ORACLE_WARP, .id = first->warp, .count = (first->group->nlanes + ORACLE_WARP - 1) / ORACLE_WARP};
    c.group.lanes = first->group->nlanes - first->warp * ORACLE_WARP;
    c.group.lanes = c.group.lanes > ORACLE_WARP ? ORACLE_WARP : c.group.lanes;
    for (unsigned i = 0; i < ORACLE_WARP; i++)
        c.group.active.word[0] |= (uint32_t)(lanes[i] != NULL) << i;
    if (!gather(&c))
        return false;
    if (insn->flags & INSN_CTA)
        agree = agrees(first->group, first->pc, first->warp, c.index[first->id]);
    for (unsigned k = 0; k < 4; k++) {
        _Alignas(8) uint8_t value[ORACLE_WARP * 8];
        struct model_answer answers[128];
        bool undef[ORACLE_WARP] = {false};
        unsigned from = scalar ? 0 : k;
        memset(value, 0, sizeof value);
        for (unsigned i = 0; i < ORACLE_WARP; i++)
            if (lanes[i] && c.form.info->operands & GP5_SUBGROUP_TAKES_VALUE)
                put_value(c.p, &c.form, g.src[i][0][from].bits, i, value);
        run_model(&c, c.form.op, c.form.type, value, answers);
        if (c.form.info->operands & GP5_SUBGROUP_TAKES_VALUE)
            follow(&c, from, undef);
        for (unsigned i = 0; i < ORACLE_WARP; i++) {
            if (!lanes[i])
                continue;
            r[i][k] = c.form.info->operands & GP5_SUBGROUP_TAKES_WIDTH ? shuffled(&c, &answers[i], i, k, undef[i])
                                                                       : answer_of(&c, &answers[i], i, k, undef[i]);
            if (!agree)
                r[i][k] = (struct oracle_value){.undef = true};
        }
    }
    for (unsigned i = 0; i < ORACLE_WARP; i++)
        if (lanes[i] && !oracle_write(lanes[i], insn, result_type(&c), 15, r[i], NULL))
            return false;
    return true;
}
