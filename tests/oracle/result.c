/* From results to variables: tests, flags and what is written. */
#include "tests/oracle/internal.h"

#include <string.h>

/* NV_gpu_program4, the table of condition code tests. */
static bool passes(unsigned rule, struct oracle_flags f)
{
    switch (rule) {
    case CC_EQ: return !f.s && f.z;
    case CC_NE: return f.s || !f.z;
    case CC_LT: return (f.s && !f.z) != f.o;
    case CC_GE: return f.s == f.o;
    case CC_GT: return f.s == f.o && !f.z;
    case CC_LE: return f.s != (f.z || f.o);
    case CC_NAN: return f.s && f.z;
    case CC_LEG: return !f.s || !f.z;
    case CC_CF: return f.c;
    case CC_NCF: return !f.c;
    case CC_OF: return f.o;
    case CC_NOF: return !f.o;
    case CC_SF: return f.s;
    case CC_NSF: return !f.s;
    case CC_AB: return f.c && !f.z;
    case CC_BLE: return !f.c || f.z;
    case CC_FL: return false;
    default: return true;
    }
}

static bool looks(const struct condition *c)
{
    return c->rule != CC_NONE && c->rule != CC_TR && c->rule != CC_FL;
}

bool oracle_test(struct oracle_lane *l, const struct condition *c, unsigned component, bool *undef)
{
    struct oracle_flags f;
    if (c->rule == CC_RESIDENT || c->rule == CC_NONRESIDENT) {
        *undef |= l->resident_undef;
        return l->resident == (c->rule == CC_RESIDENT);
    }
    f = l->cc[c->cc][c->swizzle >> 2 * component & 3];
    *undef |= looks(c) && f.undef;
    return passes(c->rule, f);
}

bool oracle_test_any(struct oracle_lane *l, const struct condition *c, bool *undef)
{
    bool any = false;
    for (unsigned i = 0; i < 4; i++)
        any |= oracle_test(l, c, i, undef);
    return any;
}

/* ---- results ---------------------------------------------------------------------------------------------------- */

/* The register that an instruction writes; *out stays NULL where it writes none (beyond its array). */
static bool destination(struct oracle_lane *l, const struct insn *insn, struct oracle_value (**out)[4], bool *wide,
                        bool *lost)
{
    const struct oracle_program *p = l->group->program;
    const struct result *r = &insn->dst;
    int64_t e = 0;
    bool undef = false;
    *out = NULL;
    *wide = *lost = false;
    if (r->kind == OPND_CC)
        return true;
    if (r->kind != OPND_SYMBOL || p->first[r->ref] == NO_INDEX || r->nindices > 1)
        return false;
    const struct symbol *s = program_symbol(p->text, r->ref);
    *wide = s->size == SIZE_LONG;
    if (r->nindices && !oracle_index(l, program_index(p->text, r->index), &e, &undef))
        return false;
    if (e >= 0 && (uint64_t)e < oracle_elements(s))
        *out = &l->registers[p->first[r->ref] + (uint64_t)e];
    *lost = !*out;
    oracle_note_use(l, undef);
    return true;
}

/* Of an element of an array that computed indices reach the driver's CVT to 8 or 16 bits writes those alone. */
static uint64_t kept_bits(const struct oracle_program *p, const struct insn *insn)
{
    if (!p->nvidia || insn->op != OP_CVT || !oracle_is_in_memory(p, &insn->dst))
        return 0;
    switch (insn->type) {
    case DT_S8: case DT_U8: return 0xffffff00;
    case DT_F16: case DT_S16: case DT_U16: return 0xffff0000;
    default: return 0;
    }
}

/* A conversion to half that clamps leaves something else above it in a variable of 32 bits. */
static bool leaves_above(const struct oracle_program *p, const struct insn *insn)
{
    const struct symbol *s = insn->dst.kind == OPND_SYMBOL ? program_symbol(p->text, insn->dst.ref) : NULL;
    return p->nvidia && insn->op == OP_CVT && insn->type == DT_F16 && insn->flags & (INSN_SAT | INSN_SSAT) && s &&
           s->size == SIZE_DEFAULT && !s->array;
}

/* A component as its variable holds it. */
static bool write_component(struct oracle_lane *l, const struct insn *insn, unsigned type, bool wide, unsigned c,
                            struct oracle_value v, struct oracle_value *to, uint64_t *sized)
{
    const struct oracle_program *p = l->group->program;
    struct oracle_value old = *to;
    uint64_t kept = kept_bits(p, insn);
    v.bits = oracle_resize(p, v.bits, type, oracle_bytes(type) == 8, wide);
    if (p->nvidia && !wide && insn->flags & INSN_SAT && type == DT_F64)
        v.bits = oracle_saturate(p, DT_F32, INSN_SAT, v.bits);
    v.bits = (v.bits & ~kept) | (old.bits & kept);
    v.undef |= (kept && old.undef) || leaves_above(p, insn);
    *sized = v.bits;
    *to = v;
    return !p->nvidia || oracle_write_short(l, insn, c, to);
}

/* docs/numbers.md, "Condition codes": where the variable has not the operation's size flags are those of what it comes
 * to hold. */
static struct oracle_flags flags_as_written(const struct oracle_program *p, unsigned type, bool half, bool wide,
                                            bool to, uint64_t sized, struct oracle_flags f)
{
    bool is_float = oracle_is_float(type) || half;
    if (to && p->nvidia && wide != (oracle_bytes(type) == 8) && (wide || !half))
        f = oracle_flags_of(p, is_float ? (wide ? DT_F64 : DT_F32) : wide ? DT_S64 : DT_S32, sized);
    return f;
}

bool oracle_write(struct oracle_lane *l, const struct insn *insn, unsigned type, unsigned components,
                  struct oracle_value result[4], const struct oracle_flags flags[4])
{
    const struct oracle_program *p = l->group->program;
    struct oracle_value (*to)[4];
    struct oracle_flags next[4];
    bool half = p->nvidia && insn->op == OP_CVT && insn->type == DT_F16;    /* its bits are taken for a single's */
    bool wide, lost;
    struct condition condition = insn->dst.condition;
    for (unsigned c = 0; c < 4; c++)
        if (oracle_lacks(p, insn, c))
            result[c] = (struct oracle_value){.undef = true};
        else
            components &= ~(oracle_untouched(p, insn) & 1u << c);
    components &= insn->dst.mask & ~oracle_onto_itself(p, insn);
    if (!components)
        return true;
    if (!destination(l, insn, &to, &wide, &lost))
        return oracle_fail(l->group, ORACLE_NOT_EVALUATED, "this result", insn);
    if (p->nvidia && wide && insn->flags & INSN_SSAT)       /* measured: docs/semantics.md */
        condition = (struct condition){0};
    if (insn->cc_update)
        memcpy(next, l->cc[insn->cc_update - 1], sizeof next);
    for (unsigned c = 0; c < 4; c++) {
        bool undef = false, pass;
        uint64_t sized = 0;
        if (!(components >> c & 1))
            continue;
        pass = oracle_test(l, &condition, c, &undef);
        oracle_note_use(l, pass && lost);
        if (pass && to && !write_component(l, insn, half ? DT_F32 : type, wide, c, result[c], &(*to)[c], &sized))
            return oracle_fail(l->group, ORACLE_NOT_EVALUATED, "this result", insn);
        if (pass && insn->cc_update) {
            next[c] = flags_as_written(p, type, half, wide, to, sized,
                                       flags ? flags[c] : oracle_flags_of(p, type, result[c].bits));
            next[c].undef = result[c].undef;
        }
        if (undef && to)                 /* whichever way the test went, nobody can say */
            (*to)[c].undef = (*to)[c].word_undef = true;
        if (undef && insn->cc_update)
            next[c].undef = true;
    }
    if (insn->cc_update)
        memcpy(l->cc[insn->cc_update - 1], next, sizeof next);
    return true;
}
