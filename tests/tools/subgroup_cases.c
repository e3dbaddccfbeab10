/* Which cases there are, and what they run on. */
#include "tests/tools/subgroup_cases.h"
#include "tests/tools/operands.h"

#include <stdio.h>
#include <string.h>

static const char *const form_names[FORM_COUNT] = {"straight", "if", "nested", "loop"};

unsigned subgroup_case_local(const struct subgroup_case *c)
{
    return 2 * c->size + c->size / 2;
}

size_t subgroup_case_records(const struct subgroup_case *c)
{
    return (size_t)SUBGROUP_WORK_GROUPS * subgroup_case_local(c);
}

bool subgroup_case_is_barrier(const struct subgroup_case *c)
{
    return gp5_subgroup_info(c->op)->answer == GP5_SUBGROUP_NOTHING;
}

void subgroup_case_name(const struct subgroup_case *c, char name[SUBGROUP_CASE_NAME])
{
    int n =
        snprintf(name, SUBGROUP_CASE_NAME, "%s/%s", gp5_subgroup_info(c->op)->name, gp5_subgroup_type_name(c->type));
    if (c->components > 1)
        n += snprintf(name + n, SUBGROUP_CASE_NAME - (size_t)n, " x%u", c->components);
    n += snprintf(name + n, SUBGROUP_CASE_NAME - (size_t)n, "/%s", form_names[c->form]);
    if (c->cluster)
        n += snprintf(name + n, SUBGROUP_CASE_NAME - (size_t)n, "/cluster %u", c->cluster);
    if (c->constant != NO_CONSTANT)
        snprintf(name + n, SUBGROUP_CASE_NAME - (size_t)n, "/constant %d", c->constant);
}

/* ---- which ------------------------------------------------------------------------------------------------------- */

struct walk {
    unsigned size;
    subgroup_case_fn *fn;
    void *user;
};

static bool is_wide_or_narrow(enum gp5_subgroup_type type)
{
    return type != GP5_SUBGROUP_BOOL && type != GP5_SUBGROUP_I32 && type != GP5_SUBGROUP_U32 && type != GP5_SUBGROUP_F32
           && type != GP5_SUBGROUP_F64;
}

static void forms(const struct walk *w, struct subgroup_case c)
{
    bool few = is_wide_or_narrow(c.type) || c.components > 1 || (c.cluster && c.cluster != 4) || c.constant > 0;
    for (unsigned form = 0; form < FORM_COUNT; form++) {
        c.form = (enum subgroup_form)form;
        if (!few || form == FORM_IF || (form == FORM_STRAIGHT && c.cluster))
            w->fn(w->user, &c);
    }
}

static bool is_uniform(const struct subgroup_case *c)
{
    return c->op == GP5_SUBGROUP_DO_BROADCAST || c->op == GP5_SUBGROUP_DO_READ_INVOCATION_ARB
           || c->op == GP5_SUBGROUP_DO_QUAD_BROADCAST || c->op == GP5_SUBGROUP_DO_INVERSE_BALLOT
           || c->op == GP5_SUBGROUP_DO_ROTATE || c->op == GP5_SUBGROUP_DO_CLUSTERED_ROTATE;
}

/* The literals that an index is also tried with. An index that must be uniform must be a literal for some compilers: of
 * those no type is without one. */
static void constants(const struct walk *w, struct subgroup_case c)
{
    const struct gp5_subgroup_info *info = gp5_subgroup_info(c.op);
    bool few = c.components > 1 || is_wide_or_narrow(c.type);
    forms(w, c);
    if (!(info->operands & GP5_SUBGROUP_TAKES_INDEX) || (few && !is_uniform(&c)))
        return;
    unsigned limit = info->group == GP5_SUBGROUP_QUAD ? 4 : w->size;
    for (unsigned k = 0; k < limit; k += k < 3 ? 1 : limit / 4 + 1) {
        c.constant = (int)k;
        if (!few || k == 1)
            forms(w, c);
    }
}

static void clusters(const struct walk *w, struct subgroup_case c)
{
    if (!(gp5_subgroup_info(c.op)->operands & GP5_SUBGROUP_TAKES_CLUSTER)) {
        constants(w, c);
        return;
    }
    for (c.cluster = 1; c.cluster <= w->size; c.cluster *= 2)
        if (c.cluster == 4 || (c.components == 1 && !is_wide_or_narrow(c.type)))
            forms(w, c);
}

/* Of vectors one operator stands for the others: they go by component. */
static bool has_vectors(const struct gp5_subgroup_info *info, enum gp5_subgroup_type type)
{
    if (!(info->operands & GP5_SUBGROUP_TAKES_VALUE) || info->types == GP5_SUBGROUP_BOOLS || is_wide_or_narrow(type))
        return false;
    return info->arithmetic == GP5_SUBGROUP_NOT_ARITHMETIC || info->arithmetic == GP5_SUBGROUP_OP_ADD
           || (info->arithmetic == GP5_SUBGROUP_OP_XOR && type == GP5_SUBGROUP_BOOL);
}

void subgroup_cases(unsigned size, subgroup_case_fn *fn, void *user)
{
    struct walk w = {size, fn, user};
    for (unsigned op = 0; op < GP5_SUBGROUP_OP_COUNT; op++) {
        const struct gp5_subgroup_info *info = gp5_subgroup_info((enum gp5_subgroup_op)op);
        unsigned types = info->types ? info->types : 1u << GP5_SUBGROUP_U32;
        for (unsigned type = 0; type < GP5_SUBGROUP_TYPE_COUNT; type++) {
            if (!(types >> type & 1))
                continue;
            struct subgroup_case c = {.op = (enum gp5_subgroup_op)op,
                                      .type = (enum gp5_subgroup_type)type,
                                      .constant = NO_CONSTANT,
                                      .size = size};
            unsigned most = has_vectors(info, c.type) ? 4 : 1;
            for (c.components = 1; c.components <= most; c.components++)
                clusters(&w, c);
        }
    }
}

/* ---- data -------------------------------------------------------------------------------------------------------- */

static unsigned below(uint64_t *state, unsigned n)
{
    return (unsigned)(operand_random(state) >> 33) % n;
}

struct format {
    unsigned fraction, bias, width;
};

static struct format format_of(enum gp5_subgroup_type type)
{
    switch (type) {
    case GP5_SUBGROUP_F16: return (struct format){10, 15, 16};
    case GP5_SUBGROUP_F32: return (struct format){23, 127, 32};
    default: return (struct format){52, 1023, 64};
    }
}

static uint64_t compose(struct format f, bool negative, unsigned exponent, uint64_t fraction)
{
    return (uint64_t)negative << (f.width - 1) | (uint64_t)exponent << f.fraction
           | (fraction & ((UINT64_C(1) << f.fraction) - 1));
}

static uint64_t small_integer(struct format f, bool negative, unsigned n)
{
    unsigned e = 0;
    if (n == 0)
        return compose(f, negative, 0, 0);
    while (n >> (e + 1))
        e++;
    return compose(f, negative, f.bias + e, (uint64_t)n << (f.fraction - e));
}

static uint64_t special(struct format f, unsigned which, uint64_t random)
{
    unsigned top = 2 * f.bias + 1;
    bool negative = which & 1;
    switch (which >> 1) {
    case 0: return compose(f, negative, 0, 0);
    case 1: return compose(f, negative, top, 0);
    case 2: return compose(f, negative, top, (UINT64_C(1) << (f.fraction - 1)) | (random & 7));
    case 3: return compose(f, negative, 0, 1 + (random & 3));
    case 4: return compose(f, negative, 1, 0);
    case 5: return compose(f, negative, top - 1, UINT64_MAX);
    default: return small_integer(f, negative, 1 + (random & 3));
    }
}

static uint64_t float_value(struct format f, unsigned style, uint64_t *random)
{
    uint64_t bits = operand_random(random);
    bool negative = bits >> 63;
    switch (style) {
    case 0: return small_integer(f, negative, bits % 8);
    case 1: return compose(f, negative, f.bias - 8 + bits % 16, bits >> 5);
    case 2: return special(f, bits % 24, bits >> 32);
    case 4: return special(f, bits % 6 == 5 ? 1 : bits % 6, 0);
    case 6: return f.width == 64 ? bits : bits & ((UINT64_C(1) << f.width) - 1);
    case 7:
        return compose(f, negative, f.bias - (f.width == 16 ? 12 : 60) + bits % (f.width == 16 ? 24 : 120), bits >> 8);
    default: return compose(f, false, f.bias, bits);
    }
}

static uint64_t integer_value(unsigned style, uint64_t *random)
{
    uint64_t bits = operand_random(random);
    switch (style) {
    case 0: return (uint64_t)((int64_t)(bits % 17) - 8);
    case 2: return UINT64_MAX << bits % 65 / 2 << bits % 3;
    case 4: return bits % 3;
    case 7: return (uint64_t)((int64_t)(bits % 3) - 1);
    default: return bits;
    }
}

static uint64_t bool_value(unsigned style, unsigned work_group_subgroup, uint64_t *random)
{
    switch (style) {
    case 2: return operand_random(random) % 16 != 0;
    case 4: return work_group_subgroup & 1;
    case 7: return operand_random(random) % 16 == 0;
    default: return operand_random(random) & 1;
    }
}

/* A style a work group: exact, rounded, special, near one, of few values, all equal, any bits, wide. */
static void fill_value(const struct subgroup_case *c, unsigned style, unsigned subgroup, uint32_t *words,
                       uint64_t *random)
{
    for (unsigned k = 0; k < c->components; k++) {
        uint64_t v;
        if (c->type == GP5_SUBGROUP_BOOL)
            v = bool_value(style, subgroup, random);
        else if (GP5_SUBGROUP_FLOATS >> c->type & 1)
            v = float_value(format_of(c->type), style, random);
        else
            v = integer_value(style, random);
        unsigned bits = 8 * (unsigned)gp5_subgroup_type_size(c->type);
        if (bits < 64)
            v &= (UINT64_C(1) << bits) - 1;
        words[2 * k] = (uint32_t)v;
        words[2 * k + 1] = (uint32_t)(v >> 32);
    }
}

enum { IN_INDEX = 8, IN_WIDTH, IN_CONTROL, IN_BALLOT = 12 };

/* Where in the flow a lane makes its call: lanes of the same number call together, at least once. 0: it makes none. */
static unsigned site_of(enum subgroup_form form, uint32_t control)
{
    static const unsigned nested[4] = {0, 2, 3, 1};
    switch (form) {
    case FORM_IF: return control & 1;
    case FORM_NESTED: return nested[control & 3];
    case FORM_LOOP: return (control >> 2 & 3) != 0;
    default: return 1;
    }
}

static uint32_t control_of(unsigned work_group, uint64_t *random)
{
    uint32_t bits = (uint32_t)operand_random(random);
    switch (work_group) {
    case 1: return bits | 5;                            /* all lanes of an IF */
    case 2: return (bits & ~1u) | (bits % 8 != 0);      /* most */
    case 3: return (bits & ~1u) | ((bits >> 8) % 8 == 0); /* few */
    default: return bits;
    }
}

/* A lane that calls with this one wherever it calls, if there is one: round a loop, one of those that stay longest. */
static unsigned companion(const struct subgroup_case *c, const uint32_t *records, unsigned lanes, unsigned lane,
                          unsigned start)
{
    unsigned best = lane, trips = 0;
    unsigned mine = site_of(c->form, records[lane * SUBGROUP_RECORD + IN_CONTROL]);
    for (unsigned i = 0; i < lanes; i++) {
        unsigned other = (start + i) % lanes;
        uint32_t control = records[other * SUBGROUP_RECORD + IN_CONTROL];
        if (site_of(c->form, control) != mine)
            continue;
        if (c->form != FORM_LOOP)
            return other;
        if ((control >> 2 & 3) > trips) {
            trips = control >> 2 & 3;
            best = other;
        }
    }
    return best;
}

/* The index of a lane; `seed` is the same for the whole subgroup. */
static uint32_t index_of(const struct subgroup_case *c, const uint32_t *records, unsigned lanes, unsigned lane,
                         unsigned style, uint64_t seed, uint64_t *random)
{
    const struct gp5_subgroup_info *info = gp5_subgroup_info(c->op);
    uint64_t own = is_uniform(c) || style % 2 == 0 ? seed : operand_random(random);
    unsigned any = (unsigned)(own >> 8) % c->size;
    if (c->op == GP5_SUBGROUP_DO_QUAD_BROADCAST)
        return any % 4;
    if (info->group == GP5_SUBGROUP_BALLOTS && is_uniform(c))
        return companion(c, records, lanes, lane, any);
    if (c->op == GP5_SUBGROUP_DO_SHUFFLE || subgroup_case_is_barrier(c)) {
        own = operand_random(random);
        any = (unsigned)(own >> 8) % c->size;
        return own % 16 ? companion(c, records, lanes, lane, any) : any;
    }
    if (info->group == GP5_SUBGROUP_RELATIVE && own % 4)
        return any % 4;
    return any;
}

static void fill_ballot(const struct subgroup_case *c, uint32_t *records, unsigned lanes, unsigned lane, unsigned style,
                        uint64_t seed, uint64_t *random)
{
    uint32_t *ballot = &records[lane * SUBGROUP_RECORD + IN_BALLOT];
    const struct gp5_subgroup_info *info = gp5_subgroup_info(c->op);
    if (info->group != GP5_SUBGROUP_BALLOTS) {          /* a valid partition: of labels in the word of the index */
        const uint32_t *mine = &records[lane * SUBGROUP_RECORD];
        for (unsigned other = 0; other < lanes; other++) {
            const uint32_t *theirs = &records[other * SUBGROUP_RECORD];
            if (site_of(c->form, mine[IN_CONTROL]) == site_of(c->form, theirs[IN_CONTROL]) &&
                mine[IN_INDEX] == theirs[IN_INDEX])
                ballot[other / 32] |= 1u << other % 32;
        }
        return;
    }
    for (unsigned i = 0; i < 4; i++) {
        uint64_t bits = is_uniform(c) ? seed * (2 * i + 1) : operand_random(random);
        ballot[i] = style == 7 ? 1u << (bits >> 40) % 32 : style == 4 && bits % 4 == 0 ? 0 : (uint32_t)(bits >> 7);
    }
}

static void fill_subgroup(const struct subgroup_case *c, uint32_t *records, unsigned lanes, unsigned work_group,
                          unsigned subgroup, uint64_t *random)
{
    uint64_t seed = operand_random(random), repeat = seed;
    bool partitions = (gp5_subgroup_info(c->op)->operands & GP5_SUBGROUP_TAKES_BALLOT)
                      && gp5_subgroup_info(c->op)->group != GP5_SUBGROUP_BALLOTS;
    for (unsigned lane = 0; lane < lanes; lane++)
        records[lane * SUBGROUP_RECORD + IN_CONTROL] = control_of(work_group, random);
    for (unsigned lane = 0; lane < lanes; lane++) {
        uint32_t *r = &records[lane * SUBGROUP_RECORD];
        uint64_t same = repeat;
        fill_value(c, work_group, subgroup, r, work_group == 5 ? &same : random);
        r[IN_WIDTH] = 2u << (work_group % 2 ? below(random, 5) : seed % 5);
        r[IN_INDEX] =
            partitions ? below(random, 1 + work_group) : index_of(c, records, lanes, lane, work_group, seed, random);
    }
    for (unsigned lane = 0; lane < lanes; lane++)
        fill_ballot(c, records, lanes, lane, work_group, seed, random);
    for (unsigned lane = 0; lane < lanes && c->constant != NO_CONSTANT; lane++)
        records[lane * SUBGROUP_RECORD + IN_INDEX] = (uint32_t)c->constant;
}

void subgroup_case_fill(const struct subgroup_case *c, uint32_t *records)
{
    char name[SUBGROUP_CASE_NAME];
    uint64_t random = 0xcbf29ce484222325u + c->size;
    unsigned local = subgroup_case_local(c);
    subgroup_case_name(c, name);
    for (const char *at = name; *at; at++)
        random = (random ^ (unsigned char)*at) * 0x100000001b3u;
    memset(records, 0, subgroup_case_records(c) * SUBGROUP_RECORD * sizeof *records);
    for (unsigned g = 0; g < SUBGROUP_WORK_GROUPS; g++)
        for (unsigned first = 0; first < local; first += c->size) {
            unsigned lanes = local - first < c->size ? local - first : c->size;
            fill_subgroup(c, records + ((size_t)g * local + first) * SUBGROUP_RECORD, lanes, g, first / c->size,
                          &random);
        }
}
