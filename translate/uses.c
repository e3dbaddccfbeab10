/* What a program uses, before anything is written: which parameters, which arrays computed indices reach, which
 * condition codes. */
#include "asm/binding_name.h"
#include "translate/translate.h"

static void use(struct tr *t, unsigned kind, uint32_t ref, uint32_t index, unsigned nindices);

static void use_binding(struct tr *t, const struct binding *b, uint32_t at)
{
    uint32_t last = (b->nindices ? b->first[0] : 0) + at + 1;

    if (b->kind == BIND_PROGRAM_ENV && last > t->env)
        t->env = last;
    if (b->kind == BIND_PROGRAM_LOCAL && last > t->local)
        t->local = last;
    if (b->kind == BIND_RESULT_COLOR_N || b->kind == BIND_RESULT_COLOR_N_PRIMARY || b->kind == BIND_RESULT_COLOR_ATI)
        t->writes_many = true;
    t->tells_helpers |= b->kind == BIND_FRAGMENT_HELPERTHREAD;
    if (b->relative)
        use(t, program_index(t->p, b->index)->register_kind, program_index(t->p, b->index)->reg, 0, 0);
}

const struct binding *tr_element(const struct tr *t, const struct symbol *s, uint32_t e, uint32_t *at)
{
    if (s->array && s->array_size == s->nbindings && e < s->nbindings) {
        *at = 0;
        return program_binding(t->p, s->binding + e);
    }
    for (uint32_t i = 0; i < s->nbindings; i++) {
        const struct binding *b = program_binding(t->p, s->binding + i);
        uint32_t n = tr_covers(b);
        if (e < n) {
            *at = e;
            return b;
        }
        e -= n;
    }
    return NULL;
}

/* All of an array's bindings, as what an index may reach. */
static void use_array(struct tr *t, uint32_t symbol)
{
    const struct symbol *s = program_symbol(t->p, symbol);
    struct tr_symbol *ts = &t->symbols[symbol];

    if (ts->relative)
        return;
    ts->relative = true;
    bool env = true, local = true, constant = true, state = !tr_has(t, HAS_COMPAT);
    uint32_t next = 0;
    for (uint32_t i = 0; i < s->nbindings; i++) {
        const struct binding *b = program_binding(t->p, s->binding + i);
        uint32_t first = b->nindices ? b->first[0] : 0;
        use_binding(t, b, tr_covers(b) - 1);
        if (i == 0)
            next = first;
        env = env && b->kind == BIND_PROGRAM_ENV && first == next;
        local = local && b->kind == BIND_PROGRAM_LOCAL && first == next;
        constant = constant && b->kind == BIND_CONSTANT;
        state = state && b->kind != BIND_PROGRAM_ENV && b->kind != BIND_PROGRAM_LOCAL && b->kind != BIND_CONSTANT;
        next += tr_covers(b);
    }
    if (s->kind != SYM_PARAM || !s->nbindings)
        return;
    ts->first = program_binding(t->p, s->binding)->nindices ? program_binding(t->p, s->binding)->first[0] : 0;
    ts->array = env ? ARRAY_ENV : local ? ARRAY_LOCAL : constant ? ARRAY_CONSTANT : state ? ARRAY_STATE : ARRAY_FILLED;
    if (ts->array == ARRAY_STATE)
        ts->first = tr_state_run(t, s);
}

static void use_symbol(struct tr *t, uint32_t symbol, uint32_t index, unsigned nindices)
{
    const struct symbol *s = program_symbol(t->p, symbol);
    const struct index *last = nindices ? program_index(t->p, index + nindices - 1) : NULL;
    uint32_t at;

    if (s->kind == SYM_LABEL || !s->nbindings || s->kind == SYM_SUBROUTINE_TYPE || s->kind == SYM_SUBROUTINE)
        return;
    if (last && last->mode == INDEX_RELATIVE) {
        use_array(t, symbol);
        return;
    }
    const struct binding *b = tr_element(t, s, last && s->array ? (uint32_t)last->offset : 0, &at);
    if (b)
        use_binding(t, b, at);
}

static void use(struct tr *t, unsigned kind, uint32_t ref, uint32_t index, unsigned nindices)
{
    if (kind == OPND_SYMBOL)
        use_symbol(t, ref, index, nindices);
    else if (kind == OPND_BINDING)
        use_binding(t, program_binding(t->p, ref), 0);
    for (unsigned i = 0; i < nindices; i++) {
        const struct index *at = program_index(t->p, index + i);
        if (at->mode == INDEX_RELATIVE)
            use(t, at->register_kind, at->reg, 0, 0);
    }
}

/* ---- what variables hold ---------------------------------------------- */

/* A copy says nothing of what it copies. */
bool tr_copies(const struct tr *t, const struct insn *insn)
{
    const struct operand *o = insn->op == OP_MOV && insn->nsrc ? program_operand(t->p, insn->src) : NULL;

    if (o && program_is_long(t->p, o->kind, o->ref) != program_is_long(t->p, insn->dst.kind, insn->dst.ref))
        return false;
    return o && !insn->cc_update && !operand_has_sign(o) && !(insn->flags & (INSN_SAT | INSN_SSAT | INSN_FIXED)) &&
           o->kind == OPND_SYMBOL && program_symbol(t->p, o->ref)->kind == SYM_TEMP;
}

static void hold(struct tr *t, unsigned kind, uint32_t ref, enum tr_type type)
{
    if (kind == OPND_SYMBOL && program_symbol(t->p, ref)->kind == SYM_TEMP)
        t->symbols[ref].holds |= (uint8_t)(1u << type);
}

/* ---- what inputs and results hold ------------------------------------- */

static void hold_port(struct tr *t, const struct binding *b, uint32_t at, uint8_t holds, uint8_t interpolation)
{
    uint16_t kind = asm_canonical_binding(b->kind);
    uint32_t number = (b->nindices ? b->first[b->nindices - 1] : 0) + at;
    enum binding_class class = (enum binding_class)binding_table[b->kind].class;

    if (class != BC_ATTRIB && class != BC_RESULT)
        return;
    for (size_t i = 0; i < t->held.count; i++) {
        struct tr_held *h = vec_at(&t->held, i);
        if (h->kind == kind && h->number == number) {
            h->holds |= holds;
            h->interpolation |= interpolation;
            return;
        }
    }
    size_t i = vec_grow(&t->held);
    if (i == SIZE_MAX)
        t->arena.failed = true;
    else
        *(struct tr_held *)vec_at(&t->held, i) = (struct tr_held){kind, number, holds, interpolation};
}

/* All elements, or the one that the index names. */
static void hold_elements(struct tr *t, const struct symbol *s, const struct index *index, uint8_t holds)
{
    uint32_t at;

    if (index && index->mode != INDEX_RELATIVE) {
        const struct binding *b = tr_element(t, s, s->array ? (uint32_t)index->offset : 0, &at);
        if (b)
            hold_port(t, b, at, holds, s->interpolation);
        return;
    }
    for (uint32_t i = 0; i < s->nbindings; i++) {
        const struct binding *b = program_binding(t->p, s->binding + i);
        for (at = 0; at < tr_covers(b) && at < 64; at++)
            hold_port(t, b, at, holds, s->interpolation);
    }
}

static void hold_any_port(struct tr *t, unsigned kind, uint32_t ref, uint32_t index, unsigned nindices,
                          enum tr_type type)
{
    const struct symbol *s = kind == OPND_SYMBOL ? program_symbol(t->p, ref) : NULL;

    /* Of 64 bits are those that say so; others are widened when they are read. */
    if (s && s->size == SIZE_LONG)
        type = T_DOUBLE;
    else if (type >= T_DOUBLE)
        type -= T_DOUBLE;
    if (kind == OPND_BINDING)
        hold_port(t, program_binding(t->p, ref), 0, (uint8_t)(1u << type), 0);
    if (s && !s->per_vertex && (s->kind == SYM_ATTRIB || s->kind == SYM_OUTPUT))
        hold_elements(t, s, nindices ? program_index(t->p, index + nindices - 1) : NULL, (uint8_t)(1u << type));
}

static const struct tr_held *held(const struct tr *t, uint16_t kind, uint32_t number)
{
    for (size_t i = 0; i < t->held.count; i++) {
        const struct tr_held *h = vec_at(&t->held, i);
        if (h->kind == kind && h->number == number)
            return h;
    }
    return NULL;
}

uint8_t tr_port_interpolation(const struct tr *t, uint16_t kind, uint32_t number)
{
    const struct tr_held *h = t->stage == STAGE_FRAGMENT ? held(t, kind, number) : NULL;

    return h ? h->interpolation : 0;
}

/* What an application gives to vertices and takes of fragments is of the type that the program has; what goes from
 * stage to stage is a float everywhere, or two programs would not fit together. */
enum tr_type tr_port_type(struct tr *t, uint16_t kind, uint32_t number, uint8_t otherwise)
{
    bool typed = (kind == BIND_VERTEX_ATTRIB && t->stage == STAGE_VERTEX && t->generation >= GEN_NV4) ||
                 (kind == BIND_RESULT_COLOR && t->stage == STAGE_FRAGMENT && !tr_has_fog(t));
    const struct tr_held *h = typed ? held(t, kind, number) : NULL;

    if (!h || !tr_has(t, HAS_INTEGERS))
        return (enum tr_type)otherwise;
    return h->holds == 1 << T_UINT                                      ? T_UINT
           : h->holds && !(h->holds & ~(1u << T_INT | 1u << T_UINT))    ? T_INT
           : h->holds >> T_DOUBLE && kind == BIND_VERTEX_ATTRIB          ? T_DOUBLE
                                                                         : (enum tr_type)otherwise;
}

/* Declared attributes give their interpolation to those that are named without a declaration. */
static void find_interpolation(struct tr *t)
{
    for (uint32_t i = 0; i < t->p->symbols.count; i++) {
        const struct symbol *s = program_symbol(t->p, i);
        if (s->kind != SYM_ATTRIB || t->stage != STAGE_FRAGMENT || !s->interpolation)
            continue;
        hold_elements(t, s, NULL, 0);
        bool beyond = !tr_has(t, HAS_INTEGERS) || (s->interpolation & INTERP_NOPERSPECTIVE && tr_has(t, IS_ES)) ||
                      (s->interpolation & INTERP_SAMPLE && !tr_has(t, HAS_GPU5));
        if (beyond && s->interpolation != INTERP_CENTROID)
            tr_refuse(t, s->span, "the interpolation %s, which %s has not", tr_interpolation(s->interpolation),
                      t->target->name);
    }
}

static void find_own_colors(struct tr *t)
{
    for (size_t i = 0; i < t->held.count; i++) {
        const struct tr_held *h = vec_at(&t->held, i);
        if (t->stage != STAGE_FRAGMENT || !tr_has(t, HAS_INPUT_LOCATIONS))
            return;
        if ((h->kind == BIND_RESULT_COLOR && tr_port_type(t, h->kind, h->number, T_FLOAT) != T_FLOAT) ||
            h->kind == BIND_RESULT_COLOR_SECONDARY_FRAGMENT)
            t->own_colors = true;
    }
}

static void hold_index(struct tr *t, uint32_t index, unsigned nindices)
{
    for (unsigned i = 0; i < nindices; i++)
        if (program_index(t->p, index + i)->mode == INDEX_RELATIVE)
            hold(t, program_index(t->p, index + i)->register_kind, program_index(t->p, index + i)->reg, T_INT);
}

static void hold_all(struct tr *t, const struct insn *insn)
{
    for (unsigned k = 0; k < insn->nsrc; k++) {
        const struct operand *o = program_operand(t->p, insn->src + k);
        hold_index(t, o->index, o->nindices);
        hold_any_port(t, operand_named_kind(o), o->ref, o->index, o->nindices, tr_operand_type(insn, k));
        if (!tr_copies(t, insn))
            hold(t, operand_named_kind(o), o->ref, tr_operand_type(insn, k));
    }
    hold_index(t, insn->dst.index, insn->dst.nindices);
    if (!insn->dst.written)
        return;
    if (!tr_copies(t, insn))
        hold(t, insn->dst.kind, insn->dst.ref, tr_result_type(insn));
    hold_any_port(t, insn->dst.kind, insn->dst.ref, insn->dst.index, insn->dst.nindices, tr_result_type(insn));
}

static bool copies_variable(const struct tr *t, const struct insn *insn)
{
    return tr_copies(t, insn) && insn->dst.kind == OPND_SYMBOL &&
           program_symbol(t->p, insn->dst.ref)->kind == SYM_TEMP;
}

/* What copies a variable holds all that it may: as a float the bits of a whole number may not last. */
static bool hold_copy(struct tr *t, const struct insn *insn)
{
    if (!copies_variable(t, insn))
        return false;
    const struct tr_symbol *from = &t->symbols[program_operand(t->p, insn->src)->ref];
    struct tr_symbol *to = &t->symbols[insn->dst.ref];
    bool more = from->holds & ~to->holds;
    to->holds |= from->holds;
    return more;
}

static void hold_copies(struct tr *t)
{
    enum { MOST_PASSES = 16 };
    uint32_t count = t->p->insns.count;
    bool more = true;

    for (unsigned pass = 0; more && pass < MOST_PASSES; pass++) {
        more = false;
        for (uint32_t i = 0; i < count; i++)
            more |= hold_copy(t, program_insn(t->p, pass % 2 ? count - 1 - i : i));
    }
    for (uint32_t i = 0; more && i < count; i++)    /* chains of copies that never end: anything */
        if (copies_variable(t, program_insn(t->p, i)))
            t->symbols[program_insn(t->p, i)->dst.ref].holds |= 1u << T_UINT;
}

/* Floats, ints or uints where it is used as nothing else; else uints, of which bits are looked at as the other. */
static void choose_types(struct tr *t)
{
    for (uint32_t i = 0; i < t->p->symbols.count; i++) {
        uint8_t holds = t->symbols[i].holds;
        const struct symbol *s = program_symbol(t->p, i);
        bool wide = profile_table[t->p->profile].typed && s->kind == SYM_TEMP && s->size == SIZE_LONG;
        if (wide && !tr_has(t, HAS_GPU5))
            tr_refuse(t, s->span, "a variable of 64 bits, which %s has not", t->target->name);
        t->needed |= wide ? NEED_INT64 : 0;
        t->symbols[i].type = wide                 ? holds & ~(1u << T_DOUBLE) ? T_UINT64 : T_DOUBLE
                             : holds <= 1         ? T_FLOAT
                             : holds == 1 << T_INT ? T_INT
                                                  : T_UINT;
        if (t->symbols[i].type == T_UINT && !tr_has(t, HAS_INTEGERS))
            tr_refuse(t, s->span, "integers, which %s cannot say", t->target->name);
    }
}

static void use_condition(struct tr *t, const struct condition *c)
{
    if (!condition_restricts(c) || c->rule == CC_FL)
        return;
    t->conditions[c->cc & 1] = true;
    /* Of these there are bits alone. */
    if (c->rule == CC_CF || c->rule == CC_NCF || c->rule == CC_OF || c->rule == CC_NOF || c->rule == CC_AB ||
        c->rule == CC_BLE) {
        t->flag_bits = true;
        tr_needs_integers(t, t->where, "a test of carry or overflow");
    }
}

void tr_find_uses(struct tr *t)
{
    if (t->p->options & (UINT64_C(1) << OPTION_ARB_draw_buffers | UINT64_C(1) << OPTION_ATI_draw_buffers))
        t->writes_many = true;
    for (uint32_t i = 0; i < t->p->insns.count; i++) {
        const struct insn *insn = program_insn(t->p, i);
        for (unsigned k = 0; k < insn->nsrc; k++) {
            const struct operand *o = program_operand(t->p, insn->src + k);
            use(t, operand_named_kind(o), o->ref, o->index, o->nindices);
        }
        if (insn->dst.written)
            use(t, insn->dst.kind, insn->dst.ref, insn->dst.index, insn->dst.nindices);
        t->where = insn->span;
        t->flows |= op_flows(insn->op);
        t->tells_helpers |= op_stores(insn->op) || op_is_atomic(insn->op) || op_is(insn->op, K_IMAGE_STORE);
        use_condition(t, &insn->condition);
        use_condition(t, &insn->dst.condition);
        if (insn->cc_update && tr_result_type(insn) != T_FLOAT) {
            t->flag_bits = true;
            tr_needs_integers(t, insn->span, "flags of integers");
        }
        if (insn->dst.kind == OPND_CC)
            t->conditions[0] = true;
    }
    find_interpolation(t);
    for (uint32_t i = 0; i < t->p->insns.count; i++)
        if (type_table[program_insn(t->p, i)->type & DT_MASK].bytes == 8) {
            t->needed |= NEED_INT64;
            if (!tr_has(t, HAS_GPU5))
                tr_refuse(t, program_insn(t->p, i)->span, "numbers of 64 bits, which %s has not", t->target->name);
        }
    for (uint32_t i = 0; i < t->p->insns.count; i++)
        hold_all(t, program_insn(t->p, i));
    hold_copies(t);
    choose_types(t);
    find_own_colors(t);
    for (uint32_t i = 0; i < t->p->insns.count; i++)
        if (program_insn(t->p, i)->cc_update)
            t->conditions[program_insn(t->p, i)->cc_update - 1] = true;
}
