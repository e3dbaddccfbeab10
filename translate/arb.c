/* To plain ARB programs: what NVIDIA's older programs have beyond them goes through temporaries. A condition code is a
 * temporary that holds the value; a test of it is 1 or 0, and decides by CMP or, in vertex programs, by a sum of two
 * products of which one is 0. */
#include "asm/binding_name.h"
#include "translate/translate.h"

#include <string.h>

static const struct lower {
    uint16_t op;
    const char *text;
} lowered[] = {
#define LOWER(op, text) {OP_##op, text},
#include "translate/arb.def"
#undef LOWER
};

static bool is_fragment(const struct tr *t)
{
    return t->stage == STAGE_FRAGMENT;
}

/* ---- names ---------------------------------------------- */

static void check_binding(struct tr *t, uint16_t kind)
{
    if (!(binding_table[kind].profiles & (is_fragment(t) ? AFP : AVP)) || kind == BIND_RESULT_CLIP)
        tr_refuse(t, t->where, "%s, which plain ARB programs have not", binding_table[kind].words);
}

/* As ARB programs write it: the words with numbers in their brackets, those that may be left out without where there
 * are too few. */
static const char *binding_name(struct tr *t, const struct binding *b)
{
    uint16_t kind = b->kind;
    uint32_t numbers[2] = {b->first[0], b->first[1]};
    unsigned brackets = 0, used = 0;
    const char *out = "";

    if (t->generation == GEN_REGISTER && kind == BIND_VERTEX_ATTRIB)
        kind = tr_conventional(&numbers[0]);
    check_binding(t, kind);
    const char *words = binding_table[kind].words;
    for (const char *c = words; *c; c++)
        brackets += *c == '[';
    unsigned left_out = brackets > b->nindices && kind == b->kind ? brackets - b->nindices : 0;
    for (const char *at = words;;) {
        const char *bracket = strchr(at, '[');
        if (!bracket)
            return *out ? tr_text(t, "%s%s", out, at) : at;
        out = tr_text(t, "%s%.*s", out, (int)(bracket - at), at);
        if (left_out && bracket[1] == '?')
            left_out--;
        else
            out = tr_text(t, "%s[%u]", out, numbers[used++ & 1]);
        at = strchr(bracket, ']') + 1;
    }
}

static const char *element(struct tr *t, const char *name, uint32_t index, unsigned nindices)
{
    const struct index *at = nindices ? program_index(t->p, index + nindices - 1) : NULL;

    if (!at)
        return name;
    if (at->mode != INDEX_RELATIVE)
        return tr_text(t, "%s[%d]", name, at->offset);
    if (at->register_kind != OPND_SYMBOL || at->component != 0) {
        tr_refuse(t, at->span, "an index in another component than x of an address register");
        return name;
    }
    const char *reg = program_symbol(t->p, at->reg)->name;
    if (at->offset < -64 || at->offset > 63) {
        tr_refuse(t, at->span, "an offset beyond -64 to 63");
        return name;
    }
    return at->offset ? tr_text(t, "%s[%s.x %c %d]", name, reg, at->offset < 0 ? '-' : '+',
                                at->offset < 0 ? -at->offset : at->offset)
                      : tr_text(t, "%s[%s.x]", name, reg);
}

static const char *letters_of(struct tr *t, unsigned swizzle, unsigned n)
{
    char text[5] = {0};

    for (unsigned i = 0; i < n; i++)
        text[i] = "xyzw"[swizzle >> 2 * i & 3];
    return n == 4 && swizzle == 0xe4 ? "" : tr_text(t, ".%s", text);
}

static const char *constant(struct tr *t, const struct operand *o, unsigned swizzle, unsigned n)
{
    const uint8_t components[4] = {swizzle & 3, swizzle >> 2 & 3, swizzle >> 4 & 3, swizzle >> 6 & 3};
    const struct constant *c = program_constant(t->p, o->ref);
    const char *parts[4];

    for (unsigned i = 0; i < 4; i++)
        parts[i] = tr_constant(t, c, T_FLOAT, &components[n == 1 ? 0 : i], 1);
    return tr_text(t, "{%s, %s, %s, %s}%s", parts[0], parts[1], parts[2], parts[3], n == 1 ? ".x" : "");
}

/* An operand with these components of it: what |a| is stands in a temporary by now. */
static const char *operand(struct tr *t, unsigned k, const char *select)
{
    const struct operand *o = program_operand(t->p, t->insn->src + k);
    bool scalar = o->kind == OPND_CONSTANT &&
                  shape_table[op_table[t->insn->op].shape].src[k & 3] == OC_SCALAR;
    unsigned swizzle = 0, n = *select ? (unsigned)strlen(select) : o->nswizzle == 1 || scalar ? 1 : 4;
    const char *name, *sign = operand_negates(o) ? "-" : "";

    for (unsigned i = 0; i < n; i++) {
        unsigned component = *select ? (unsigned)(strchr("xyzw", select[i]) - "xyzw") : i;
        swizzle |= (o->swizzle >> 2 * component & 3u) << 2 * i;
    }
    if (o->flags & OPND_ABSOLUTE) {
        /* The temporary has the operand's own order already. */
        return tr_text(t, "%sgp5_abs%u%s", sign, k, *select ? tr_text(t, ".%s", select) : n == 1 ? ".x" : "");
    }
    if (o->kind == OPND_CONSTANT) {
        const char *text = constant(t, o, swizzle, n);
        return *sign ? tr_text(t, "-%s", text) : text;
    }
    if (o->kind == OPND_SYMBOL)
        name = element(t, program_symbol(t->p, o->ref)->name, o->index, o->nindices);
    else if (o->kind == OPND_BINDING)
        name = binding_name(t, program_binding(t->p, o->ref));
    else {
        tr_refuse(t, o->span, "an operand that plain ARB programs have not");
        name = "";
    }
    return tr_text(t, "%s%s%s", sign, name, letters_of(t, swizzle, n));
}

static const char *texture(struct tr *t)
{
    const struct operand *o = program_operand(t->p, t->insn->src + t->insn->nsrc - 1u);
    bool unit = o->kind == OPND_TEXTURE && !(o->flags & OPND_BY_NAME);
    const struct binding *b = unit ? program_binding(t->p, o->ref) : NULL;

    if (!b || t->insn->ntexels) {
        tr_refuse(t, t->where, "a texture that plain ARB programs do not name so");
        return "";
    }
    return tr_text(t, "texture[%u], %s", b->nindices ? b->first[0] : 0, target_table[t->insn->texture_target].text);
}

/* ---- results ---------------------------------------------- */

static const char *result_name(struct tr *t, const struct result *r)
{
    if (r->kind == OPND_SYMBOL)
        return element(t, program_symbol(t->p, r->ref)->name, r->index, r->nindices);
    if (r->kind == OPND_BINDING)
        return binding_name(t, program_binding(t->p, r->ref));
    return "";
}

static bool is_output(const struct tr *t, const struct result *r)
{
    return r->kind == OPND_BINDING || (r->kind == OPND_SYMBOL && program_symbol(t->p, r->ref)->kind == SYM_OUTPUT);
}

/* A result that a test decides about is read as well: it stands in a temporary until the program ends. */
static const char *shadow_of(struct tr *t, const char *name, bool add)
{
    for (size_t i = 0; i < t->shadows.count; i++)
        if (strcmp(*(const char **)vec_at(&t->shadows, i), name) == 0)
            return tr_text(t, "gp5_result%zu", i);
    size_t at = add ? vec_grow(&t->shadows) : SIZE_MAX;
    if (at == SIZE_MAX) {
        t->arena.failed |= add;
        return NULL;
    }
    *(const char **)vec_at(&t->shadows, at) = arena_copy(&t->arena, name, strlen(name));
    return NULL;
}

static const char *mask_of(struct tr *t, uint8_t mask)
{
    char text[5];
    unsigned n = 0;

    for (unsigned c = 0; c < 4; c++)
        if (mask >> c & 1)
            text[n++] = "xyzw"[c];
    text[n] = 0;
    return n == 4 ? "" : tr_text(t, ".%s", text);
}

static const char *target_of(struct tr *t, const struct result *r)
{
    const char *name = result_name(t, r), *shadow = is_output(t, r) ? shadow_of(t, name, false) : NULL;

    return shadow ? shadow : name;
}

/* ---- statements ---------------------------------------------- */

static const char *expand(struct tr *t, const char *text, size_t length, const char *to)
{
    const char *out = "", *end = text + length;

    while (text < end) {
        const char *next = memchr(text, '%', (size_t)(end - text));
        if (!next)
            return tr_text(t, "%s%.*s", out, (int)(end - text), text);
        char what = next[1], select[5] = {0};
        const char *rest = next + 2;
        for (unsigned i = 0; what >= '0' && what <= '9' && i < 4 && rest < end && strchr("xyzw", *rest); i++)
            select[i] = *rest++;
        const char *value = what == 'd' ? to : what == 'a' ? "gp5_a" : what == 'b' ? "gp5_b"
                                             : operand(t, (unsigned)(what - '0'), select);
        out = tr_text(t, "%s%.*s%s", out, (int)(next - text), text, value);
        text = rest;
    }
    return out;
}

static bool has_op(const struct tr *t, unsigned op)
{
    return op_table[op].profiles & (is_fragment(t) ? AFP : AVP) && !(op_table[op].gated & (is_fragment(t) ? AFP : AVP));
}

/* The operation alone, into `to`. */
static void operation(struct tr *t, const char *to, bool saturate)
{
    const struct insn *insn = t->insn;
    const char *name = op_table[insn->op].name, *list = "";

    if (!has_op(t, insn->op)) {
        for (size_t i = 0; i < sizeof lowered / sizeof *lowered; i++) {
            if (lowered[i].op != insn->op)
                continue;
            for (const char *at = lowered[i].text; *at;) {
                const char *end = strchr(at, ';');
                size_t length = end ? (size_t)(end - at) : strlen(at);
                const char *text = expand(t, at, length, to);
                size_t word = strcspn(text, " ");
                tr_line(t, "%.*s%s%s;", (int)word, text, saturate && !end ? "_SAT" : "", text + word);
                at += length + (end ? 1 : 0);
            }
            return;
        }
        tr_refuse(t, t->where, "%s, which plain ARB programs cannot say", name);
        return;
    }
    bool textured = op_table[insn->op].modifiers & M_TEX;
    for (unsigned k = 0; k + textured < insn->nsrc && insn->op != OP_SWZ; k++)
        list = tr_text(t, "%s, %s", list, operand(t, k, ""));
    if (textured)
        list = tr_text(t, "%s, %s", list, texture(t));
    if (insn->op == OP_SWZ)
        list = tr_text(t, ", %.*s", (int)program_operand(t->p, insn->src)->span.length,
                       t->p->text + program_operand(t->p, insn->src)->span.offset);
    tr_line(t, "%s%s %s%s;", name, saturate ? "_SAT" : "", to, list);
}

/* 1 or 0 for each component, in gp5_test; false where the test holds nothing back. */
static bool test(struct tr *t, const struct condition *c)
{
    static const char *const tests[CC_COUNT] = {
        [CC_LT] = "SLT gp5_test, %s, {0, 0, 0, 0};", [CC_GE] = "SGE gp5_test, %s, {0, 0, 0, 0};",
        [CC_GT] = "SLT gp5_test, {0, 0, 0, 0}, %s;", [CC_LE] = "SGE gp5_test, {0, 0, 0, 0}, %s;",
        [CC_EQ] = "SGE gp5_test, {0, 0, 0, 0}, gp5_test;", [CC_NE] = "SLT gp5_test, {0, 0, 0, 0}, gp5_test;"};

    if (!condition_restricts(c))
        return false;
    if (!tests[c->rule]) {
        tr_refuse(t, program_test_span(t->p, t->insn), "a test of %s, which plain ARB programs cannot say",
                  cc_rule_names[c->rule]);
        return false;
    }
    const char *code = tr_text(t, "gp5_cc%u%s", c->cc & 1u, letters_of(t, c->swizzle, 4));
    if (c->rule == CC_EQ || c->rule == CC_NE)
        tr_line(t, "ABS gp5_test, %s;", code);
    const char *at = strstr(tests[c->rule], "%s");
    if (at)
        tr_line(t, "%.*s%s%s", (int)(at - tests[c->rule]), tests[c->rule], code, at + 2);
    else
        tr_line(t, "%s", tests[c->rule]);
    return true;
}

/* gp5_v where the test passes. */
static void select(struct tr *t, const char *to, const char *mask)
{
    if (is_fragment(t)) {
        tr_line(t, "CMP %s%s, -gp5_test, gp5_v, %s;", to, mask, to);
        return;
    }
    tr_line(t, "MUL gp5_a, gp5_v, gp5_test;");
    tr_line(t, "SUB gp5_b, {1, 1, 1, 1}, gp5_test;");
    tr_line(t, "MAD %s%s, %s, gp5_b, gp5_a;", to, mask, to);
}

static void compute(struct tr *t, const struct insn *insn)
{
    const struct result *r = &insn->dst;
    const char *mask = mask_of(t, r->mask), *to = r->kind == OPND_CC ? NULL : target_of(t, r);
    bool saturate = insn->flags & INSN_SAT, tested = condition_restricts(&r->condition);
    bool staged = insn->cc_update || tested || !to || (saturate && !is_fragment(t));

    if (r->condition.rule == CC_FL)
        return;
    if (insn->flags & (INSN_FIXED | INSN_SSAT) || tr_type_of(insn->type) != T_FLOAT) {
        tr_refuse(t, t->where, "fixed point, a clamp to -1 or integers, which plain ARB programs cannot say");
        return;
    }
    if (!staged) {
        operation(t, tr_text(t, "%s%s", to, mask), saturate);
        return;
    }
    operation(t, tr_text(t, "gp5_v%s", mask), saturate && is_fragment(t));
    if (saturate && !is_fragment(t)) {
        tr_line(t, "MAX gp5_v%s, gp5_v, {0, 0, 0, 0};", mask);
        tr_line(t, "MIN gp5_v%s, gp5_v, {1, 1, 1, 1};", mask);
    }
    test(t, &r->condition);
    const char *code = insn->cc_update ? tr_text(t, "gp5_cc%u", insn->cc_update - 1u) : NULL;
    const char *both[2] = {to, code};
    for (unsigned i = 0; i < 2; i++) {
        if (both[i] && tested)
            select(t, both[i], mask);
        else if (both[i])
            tr_line(t, "MOV %s%s, gp5_v;", both[i], mask);
    }
}

static void address(struct tr *t, const struct insn *insn)
{
    if (insn->op != OP_ARL || insn->dst.mask != 1 || insn->cc_update || condition_restricts(&insn->dst.condition)) {
        tr_refuse(t, t->where, "%s of more than a register's x, which plain ARB programs cannot say",
                  op_table[insn->op].name);
        return;
    }
    const struct operand *o = program_operand(t->p, insn->src);
    tr_line(t, "ARL %s.x, %s;", result_name(t, &insn->dst), operand(t, 0, o->nswizzle == 1 ? "" : "x"));
}

static void instruction(struct tr *t, uint32_t i)
{
    const struct insn *insn = program_insn(t->p, i);

    t->insn = insn;
    t->where = insn->span;
    if (insn->op == OP_RET && i + 1 == t->p->insns.count && !condition_restricts(&insn->condition))
        return;
    if (op_flows(insn->op) || insn->op == OP_BRA || insn->op == OP_LOOP || insn->op == OP_ENDLOOP) {
        tr_refuse(t, t->where, "%s, which plain ARB programs cannot say", op_table[insn->op].name);
        return;
    }
    for (unsigned k = 0; k < insn->nsrc && k < 3; k++) {
        const struct operand *o = program_operand(t->p, insn->src + k);
        if (!(o->flags & OPND_ABSOLUTE))
            continue;
        struct operand bare = *o, *there = program_operand(t->p, insn->src + k);
        *there = bare;
        there->flags &= (uint16_t)~OPND_SIGNS;
        tr_line(t, "ABS gp5_abs%u, %s;", k, operand(t, k, ""));
        *there = bare;
    }
    if (insn->op == OP_KIL) {
        if (insn->nsrc)
            tr_line(t, "KIL %s;", operand(t, 0, ""));
        else if (insn->condition.rule != CC_FL)
            tr_line(t, "KIL %s;", test(t, &insn->condition) ? "-gp5_test" : "{-1, -1, -1, -1}");
    } else if (insn->op == OP_ARL || insn->op == OP_ARR || insn->op == OP_ARA || insn->op == OP_PUSHA ||
               insn->op == OP_POPA) {
        address(t, insn);
    } else {
        compute(t, insn);
    }
}

/* ---- the program ---------------------------------------------- */

/* A temporary, or the one address register that Mesa has. */
static void register_of(struct tr *t, uint32_t symbol)
{
    const struct symbol *s = program_symbol(t->p, symbol);

    if (s->kind == SYM_TEMP)
        tr_line(t, "TEMP %s;", s->name);
    if (s->kind != SYM_ADDRESS || !t->symbols[symbol].relative)
        return;
    if (t->entry)
        tr_refuse(t, s->span, "more than one address register");
    t->entry = s->name;
    tr_line(t, "ADDRESS %s;", s->name);
}

/* Address registers that something reads or writes. */
static void find_addresses(struct tr *t)
{
    for (uint32_t i = 0; i < t->p->indices.count; i++) {
        const struct index *at = program_index(t->p, i);
        if (at->mode == INDEX_RELATIVE && at->register_kind == OPND_SYMBOL)
            t->symbols[at->reg].relative = true;
    }
    for (uint32_t i = 0; i < t->p->insns.count; i++) {
        const struct result *r = &program_insn(t->p, i)->dst;
        if (r->kind == OPND_SYMBOL && program_symbol(t->p, r->ref)->kind == SYM_ADDRESS)
            t->symbols[r->ref].relative = true;
    }
}

static void declare(struct tr *t, const struct statement *s)
{
    const struct symbol *first = s->count ? program_symbol(t->p, s->ref) : NULL;

    if (first && (first->kind == SYM_TEMP || first->kind == SYM_ADDRESS)) {
        for (uint32_t k = 0; k < s->count; k++)
            register_of(t, s->ref + k);
    } else if (first && t->generation == GEN_ARB) {
        const char *text = t->p->text + s->span.offset;
        bool sized = !strncmp(text, "SHORT", 5) || !strncmp(text, "LONG", 4);
        for (uint32_t k = 0; k < first->nbindings; k++)
            check_binding(t, program_binding(t->p, first->binding + k)->kind);
        size_t skip = sized ? strcspn(text, " \t\r\n") : 0;
        tr_line(t, "%.*s;", (int)(s->span.length - skip), text + skip + strspn(text + skip, " \t\r\n"));
    } else if (first && !first->parameter && first->nbindings == 1 && !first->array &&
               program_binding(t->p, first->binding)->kind == BIND_CONSTANT) {
        static const uint8_t all[4] = {0, 1, 2, 3};
        const struct constant *c = program_constant(t->p, program_binding(t->p, first->binding)->constant);
        const char *parts[4];
        for (unsigned i = 0; i < 4; i++)
            parts[i] = tr_constant(t, c, T_FLOAT, &all[i], 1);
        tr_line(t, "PARAM %s = {%s, %s, %s, %s};", first->name, parts[0], parts[1], parts[2], parts[3]);
    } else {
        tr_refuse(t, s->span, "a parameter with a name of its own");
    }
}

/* Registers that the older headers have without declaring them; they begin with zeros. */
static void declare_registers(struct tr *t)
{
    for (uint32_t i = 0; i < t->p->symbols.count; i++) {
        const struct symbol *s = program_symbol(t->p, i);
        if (!s->implicit)
            continue;
        register_of(t, i);
        if (s->kind == SYM_PARAM)
            tr_line(t, "PARAM %s[%u] = { program.%s[0..%u] };", s->name, s->elements, is_fragment(t) ? "local" : "env",
                    s->elements - 1);
    }
    for (uint32_t i = 0; i < t->p->symbols.count; i++)
        if (program_symbol(t->p, i)->implicit && program_symbol(t->p, i)->kind == SYM_TEMP)
            tr_line(t, "MOV %s, {0, 0, 0, 0};", program_symbol(t->p, i)->name);
}

static void find_shadows(struct tr *t)
{
    for (uint32_t i = 0; i < t->p->insns.count; i++) {
        const struct insn *insn = program_insn(t->p, i);
        t->where = insn->span;
        if (insn->dst.written && is_output(t, &insn->dst) && condition_restricts(&insn->dst.condition))
            shadow_of(t, result_name(t, &insn->dst), true);
    }
}

static void options(struct tr *t)
{
    static const uint8_t kept[] = {OPTION_ARB_position_invariant, OPTION_ARB_fog_exp, OPTION_ARB_fog_exp2,
                                   OPTION_ARB_fog_linear, OPTION_ARB_precision_hint_fastest,
                                   OPTION_ARB_precision_hint_nicest, OPTION_ARB_fragment_program_shadow,
                                   OPTION_ARB_draw_buffers, OPTION_ATI_draw_buffers,
                                   OPTION_ARB_fragment_coord_origin_upper_left,
                                   OPTION_ARB_fragment_coord_pixel_center_integer};

    for (size_t i = 0; i < sizeof kept; i++)
        if (t->p->options >> kept[i] & 1)
            tr_line(t, "OPTION %s;", option_table[kept[i]].name);
    if (t->p->options >> OPTION_NV_position_invariant & 1)
        tr_line(t, "OPTION ARB_position_invariant;");
}

/* What the translation adds: declared where they are used. */
static void own_temporaries(struct tr *t, struct tr_text *out)
{
    static const char *const names[] = {"gp5_a", "gp5_b", "gp5_v", "gp5_test", "gp5_cc0", "gp5_cc1", "gp5_abs0",
                                        "gp5_abs1", "gp5_abs2"};

    tr_put(&t->body, "", 1);
    if (t->body.failed)
        return;
    t->body.size--;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strstr(t->body.bytes, names[i]))
            tr_printf(out, "TEMP %s;\n", names[i]);
    for (size_t i = 0; i < t->shadows.count; i++)
        tr_printf(out, "TEMP gp5_result%zu;\n", i);
    /* Condition codes begin as EQ. */
    for (unsigned i = 0; i < 2; i++)
        if (strstr(t->body.bytes, names[4 + i]))
            tr_printf(out, "MOV %s, {0, 0, 0, 0};\n", names[4 + i]);
    bool old = t->generation == GEN_REGISTER && !is_fragment(t);
    for (size_t i = 0; i < t->shadows.count; i++)
        tr_printf(out, "MOV gp5_result%zu, {0, 0, 0, %d};\n", i, old);
}

/* ---- what the checker says of it ---------------------------------------------- */

/* Where the text of a statement begins, among the declarations or in the body. */
struct made {
    size_t at;
    bool body;
    struct span span;
};

struct judged {
    struct tr *t;
    const struct vec *made;
    size_t head;                /* bytes before the declarations */
};

static bool refuse_first(void *user, const struct gp5_diagnostic *d)
{
    struct judged *j = user;
    struct tr *t = j->t;
    size_t at = d->offset < j->head ? 0 : d->offset - j->head;
    bool body = at >= t->variables.size;
    struct span where = t->where;

    if (d->severity != GP5_ERROR)
        return true;
    at -= body ? t->variables.size : 0;
    for (size_t i = 0; i < j->made->count; i++) {
        const struct made *m = vec_at(j->made, i);
        if (m->body == body && m->at <= at)
            where = m->span;
    }
    tr_refuse(t, where, "no plain ARB program: %s", d->message);
    return false;
}

/* Options and NVIDIA's driver let some programs be written that plain ones may not: names, attributes that are others
 * at the same time. */
static void check_text(struct tr *t, const struct tr_text *out, struct judged *j)
{
    gp5_program *p = t->refusal || out->failed ? NULL : gp5_parse(out->bytes, out->size);

    if (p && !gp5_valid(p, GP5_TARGET_MESA) && !gp5_valid(p, GP5_TARGET_SPEC))
        gp5_diagnostics(p, GP5_TARGET_SPEC, refuse_first, j);
    if (!p && !t->refusal)
        t->arena.failed = true;
    gp5_program_free(p);
}

void tr_assemble_arb(struct tr *t, struct tr_text *out)
{
    struct vec made;
    struct judged judged = {.t = t, .made = &made};

    vec_init(&made, sizeof(struct made));
    t->out = &t->variables;
    options(t);
    find_shadows(t);
    find_addresses(t);
    declare_registers(t);
    for (uint32_t i = 0; i < t->p->nstatements && !t->refusal; i++) {
        const struct statement whole_s = program_statement(t->p, i), *s = &whole_s;
        t->where = s->span;
        t->out = s->kind == STMT_INSTRUCTION || s->kind == STMT_COMMENT ? &t->body : &t->variables;
        size_t slot = vec_grow(&made);
        if (slot == SIZE_MAX)
            t->arena.failed = true;
        else
            *(struct made *)vec_at(&made, slot) = (struct made){t->out->size, t->out == &t->body, s->span};
        if (s->kind == STMT_DECLARATION)
            declare(t, s);
        else if (s->kind == STMT_INSTRUCTION)
            instruction(t, s->ref);
        else if (s->kind == STMT_COMMENT)
            tr_line(t, "%.*s", (int)s->span.length, t->p->text + s->span.offset);
        arena_free(&t->scratch);
        arena_init(&t->scratch);
    }
    t->out = &t->body;
    for (size_t i = 0; i < t->shadows.count; i++) {
        const char *name = *(const char **)vec_at(&t->shadows, i);
        const char *one = strstr(name, "fogcoord") || strstr(name, "pointsize") ? ".x"
                          : strstr(name, "depth")                               ? ".z"
                                                                                : "";
        tr_line(t, "MOV %s%s, gp5_result%zu;", name, one, i);
    }
    tr_printf(out, "%s\n", is_fragment(t) ? "!!ARBfp1.0" : "!!ARBvp1.0");
    judged.head = out->size;
    own_temporaries(t, &t->variables);
    tr_put(out, t->variables.bytes, t->variables.size);
    tr_put(out, t->body.bytes, t->body.size);
    tr_puts(out, "END\n");
    check_text(t, out, &judged);
    vec_free(&made);
}
