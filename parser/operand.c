/* Operands, results and condition tests. */
#include "parser/context.h"

#include <string.h>

/* ---- components -------------------------------------------------------------------------------------------------- */

/* x y z w are 0 to 3, r g b a 4 to 7, anything else 8. */
static unsigned letter(char c)
{
    switch (c) {
    case 'x': return 0;
    case 'y': return 1;
    case 'z': return 2;
    case 'w': return 3;
    case 'r': return 4;
    case 'g': return 5;
    case 'b': return 6;
    case 'a': return 7;
    default: return 8;
    }
}

bool parse_swizzle(const char *text, size_t length, uint8_t *swizzle, uint8_t *letters, bool *rgba)
{
    if (length != 1 && length != 4)
        return false;
    unsigned bits = 0, set = letter(text[0]) >> 2;
    if (set > 1)
        return false;
    for (size_t i = 0; i < length; i++) {
        unsigned l = letter(text[i]);
        if (l >> 2 != set)
            return false;
        bits |= (l & 3) << (2 * i);
    }
    *letters = (uint8_t)length;
    *rgba = set == 1;
    *swizzle = (uint8_t)(length == 1 ? bits * 0x55 : bits);
    return true;
}

bool parse_mask(const char *text, size_t length, uint8_t *mask, bool *rgba)
{
    if (length < 1 || length > 4)
        return false;
    unsigned bits = 0, set = letter(text[0]) >> 2;
    if (set > 1)
        return false;
    for (size_t i = 0; i < length; i++) {
        unsigned l = letter(text[i]);
        if (l >> 2 != set || bits >> (l & 3))
            return false;
        bits |= 1u << (l & 3);
    }
    *rgba = set == 1;
    *mask = (uint8_t)bits;
    return true;
}

enum { IDENTITY = 0xe4 };

static void set_swizzle(const struct parser *p, struct operand *o, struct span suffix)
{
    o->swizzle = IDENTITY;
    if (suffix.length == 0)
        return;
    bool rgba;
    uint8_t letters;
    if (!parse_swizzle(p->text + suffix.offset, suffix.length, &o->swizzle, &letters, &rgba)) {
        o->flags |= OPND_BAD_SWIZZLE;
        return;
    }
    o->nswizzle = letters;
    if (rgba)
        o->flags |= OPND_RGBA;
}

/* ---- operands ---------------------------------------------------------------------------------------------------- */

static struct operand *add_operand(struct parser *p, unsigned flags, uint32_t start, uint32_t end)
{
    struct operand *o = PUSH(p, operands, struct operand);
    if (o)
        *o = (struct operand){.flags = flags, .span = {start, end - start}};
    return o;
}

static uint32_t span_end(struct span span)
{
    return span.offset + span.length;
}

/* Behind the unit of a texture or an image a word is a target, be there a variable of this name or not. */
static bool behind_unit(const struct parser *p)
{
    size_t n = p->program->operands.count;
    uint8_t kind = n > p->first_operand ? program_operand(p->program, (uint32_t)n - 1)->kind : OPND_NONE;
    return kind == OPND_TEXTURE || kind == OPND_IMAGE || kind == OPND_HANDLE;
}

/* Where a texture's or image's target may stand, a word that is nobody's name is that target. */
static bool take_target(struct parser *p)
{
    const struct path *path = &p->path;
    if (path->nparts != 1 || path->nindices || p->insn->texture_target)
        return false;
    p->insn->texture_target = (uint8_t)asm_find_target(p->text + path->span.offset, path->span.length);
    return p->insn->texture_target != TARGET_NONE;
}

static bool takes_target(const struct parser *p)
{
    if (!p->head_is_op)
        return false;
    const struct shape_info *shape = &shape_table[op_table[p->head.id].shape];
    for (unsigned i = 0; i < shape->nsrc; i++)
        if (shape->src[i] == OC_TEXTURE || shape->src[i] == OC_IMAGE)
            return true;
    return false;
}

static bool take_named_number(struct parser *p, unsigned flags, uint32_t start)
{
    if (!constant_named(p))
        return false;
    operand_constant(p, flags, start);
    return true;
}

static enum operand_kind kind_of_binding(const struct parser *p, uint32_t binding)
{
    if (binding == NO_INDEX)
        return OPND_NONE;
    switch (binding_table[program_binding(p->program, binding)->kind].class) {
    case BC_TEXTURE: return OPND_TEXTURE;
    case BC_IMAGE: return OPND_IMAGE;
    default: return OPND_BINDING;
    }
}

static enum operand_kind kind_of_symbol(const struct parser *p, uint32_t symbol)
{
    switch (program_symbol(p->program, symbol)->kind) {
    case SYM_TEXTURE: return OPND_TEXTURE;
    case SYM_IMAGE: return OPND_IMAGE;
    default: return OPND_SYMBOL;
    }
}

/* KIL NE.x; the name of a test, where nobody declared another thing of this name. */
static bool take_test(struct parser *p, unsigned flags)
{
    const struct path *path = &p->path;
    enum cc_rule rule;
    unsigned cc;
    bool cc_written;
    if (!p->head_is_op || op_table[p->head.id].shape != SHAPE_KIL || flags || path->nindices || path->nparts > 2 ||
        !((NV_ALL | SUFFIXED) >> p->program->profile & 1) ||
        (rule = asm_find_cc_rule(p->text + path->part[0].offset, path->first, &cc, &cc_written)) == CC_NONE ||
        rule >= CC_RESIDENT)
        return false;
    struct token word = {path->part[0].offset, path->part[0].length, path->first};
    struct token suffix = {path->nparts > 1 ? path->part[1].offset : 0, path->nparts > 1 ? path->part[1].length : 0, 0};
    condition_set(p, &p->insn->condition, word, path->nparts > 1 ? &suffix : NULL, false);
    return true;
}

void operand_path(struct parser *p, unsigned flags, uint32_t start)
{
    struct target target;
    if (flags == 0 && takes_target(p) && behind_unit(p) && take_target(p))
        return;
    path_resolve(p, &target);
    if (target.kind == OPND_NONE && !target.reported && takes_target(p) && flags == 0 && take_target(p))
        return;
    if (target.kind == OPND_NONE && (take_named_number(p, flags, start) || take_test(p, flags)))
        return;
    uint32_t end = span_end(p->path.span);
    if (flags & OPND_ABSOLUTE)
        end = span_end(p->token);   /* the closing bar, which is the last token read */
    struct operand *o = add_operand(p, flags, start, end);
    if (!o)
        return;
    o->kind = target.kind;
    o->reported = target.reported;
    o->ref = target.ref;
    if (target.kind == OPND_BINDING)
        o->kind = kind_of_binding(p, target.ref);
    else if (target.kind == OPND_SYMBOL) {
        o->kind = kind_of_symbol(p, target.ref);
        if (o->kind != OPND_SYMBOL)
            o->flags |= OPND_BY_NAME;
    }
    o->index = target.index;
    o->nindices = target.nindices;
    set_swizzle(p, o, target.suffix);
}

void operand_number(struct parser *p, uint32_t constant, unsigned flags, uint32_t start, uint32_t end)
{
    struct operand *o = add_operand(p, flags, start, end);
    if (!o)
        return;
    o->kind = OPND_CONSTANT;
    o->word = true;
    o->ref = constant;
    set_swizzle(p, o, p->suffix);
}

/* A word that begins with a variable's name: no index, and its components right behind their dot. */
void operand_variable(struct parser *p, uint32_t symbol, struct token word, unsigned flags, uint32_t start)
{
    struct operand *o = add_operand(p, flags, start, word.offset + word.length);
    if (!o)
        return;
    o->kind = kind_of_symbol(p, symbol);
    if (o->kind != OPND_SYMBOL)
        o->flags |= OPND_BY_NAME;
    o->word = true;
    o->ref = symbol;
    set_swizzle(p, o, word.id < word.length ? (struct span){word.offset + word.id + 1, word.length - word.id - 1}
                                            : (struct span){0, 0});
}

void operand_constant(struct parser *p, unsigned flags, uint32_t start)
{
    uint32_t constant = constant_keep(p);
    uint32_t end = p->suffix.length ? span_end(p->suffix) : span_end(p->constant_span);
    if (flags & OPND_ABSOLUTE)
        end = span_end(p->token);
    struct operand *o = add_operand(p, flags, start, end);
    if (!o)
        return;
    o->kind = OPND_CONSTANT;
    o->ref = constant;
    set_swizzle(p, o, p->suffix);
}

/* handle(D0.x), or the vector in offset(...). */
void operand_handle(struct parser *p, struct token word)
{
    bool offset = word.length == 6 && memcmp(p->text + word.offset, "offset", 6) == 0;
    bool external = word.length == 9 && memcmp(p->text + word.offset, "exthandle", 9) == 0;
    bool handle = external || (word.length == 6 && memcmp(p->text + word.offset, "handle", 6) == 0);
    size_t before = p->program->operands.count;
    if (p->constant_span.offset > word.offset)
        operand_constant(p, 0, p->constant_span.offset);
    else
        operand_path(p, 0, p->path.span.offset);
    if (p->program->operands.count == before)
        return;
    struct operand *o = program_operand(p->program, (uint32_t)before);
    o->span = (struct span){word.offset, span_end(p->token) - word.offset};
    if (offset)
        o->flags |= OPND_OFFSET;
    else if (!handle)
        o->kind = OPND_NONE;
    else if (o->kind == OPND_SYMBOL)
        o->kind = OPND_HANDLE;
    else
        o->kind = OPND_NONE;
    if (external)
        o->flags |= OPND_EXTERNAL;
}

/* TXG's component, behind a handle: it stands in the first selector, and one more than it; 5 for what is none. */
void operand_gather(struct parser *p, struct token suffix)
{
    if (p->program->operands.count == p->first_operand)
        return;
    struct operand *o = program_operand(p->program, (uint32_t)p->program->operands.count - 1);
    struct span letters = without_dot(p, suffix);
    unsigned l = letters.length == 1 ? letter(p->text[letters.offset]) : 8;
    o->selectors = (uint16_t)((o->selectors & ~15u) | (l < 4 ? l + 1 : 5));
}

void operand_texture_offset(struct parser *p, struct token number, bool negative)
{
    struct insn *insn = p->insn;
    if (insn->ntexels == 3) {
        diag_add(&p->program->diags, DIAG_ERROR, FOR_ALL, (struct span){number.offset, number.length},
                 "a texel offset has at most three components");
        return;
    }
    int64_t value = (int64_t)parse_integer(p, number, negative ? 8 : 7);
    if (negative)
        value = -value;
    switch (insn->ntexels++) {
    case 0: insn->texel_x = (int)value; break;
    case 1: insn->texel_y = (int)value; break;
    default: insn->texel_z = (int)value; break;
    }
}

/* Mesa reads a selector as a number and keeps 32 bits of it: 01 is 1, and 4294967296 is 0. */
static bool mesa_selects(const char *text, uint32_t length)
{
    uint64_t value = 0;

    for (uint32_t i = 0; i < length; i++) {
        if (text[i] < '0' || text[i] > '9' || value > (UINT64_MAX >> 5))
            return false;
        value = value * 10 + (uint64_t)(text[i] - '0');
    }
    return value <= INT64_MAX && (uint32_t)value <= 1;
}

/* One of SWZ's four selectors; the operand before it takes them. */
void operand_select(struct parser *p, struct token token, bool negative)
{
    if (p->program->operands.count == 0)
        return;
    struct operand *o = program_operand(p->program, (uint32_t)p->program->operands.count - 1);
    if (p->nselects >= 4)
        return;
    if (p->nselects == 0) {
        o->base_kind = o->kind;
        o->flags |= OPND_SELECTED;
        o->kind = OPND_EXTENDED;
    }
    const char *text = p->text + token.offset;
    unsigned l = token.length == 1 ? letter(text[0]) : 8;
    uint8_t select = SWZ_BAD;
    if (token.length == 1 && text[0] == '0')
        select = SWZ_ZERO;
    else if (token.length == 1 && text[0] == '1')
        select = SWZ_ONE;
    else if (l < 8) {
        select = (uint8_t)(l & 3);
        o->flags |= l >= 4 ? OPND_RGBA : OPND_XYZW;
    }
    if (select == SWZ_BAD)
        diag_add(&p->program->diags, DIAG_ERROR,
                 mesa_selects(text, token.length) ? FOR_ALL & ~(unsigned)FOR_MESA : FOR_ALL,
                 (struct span){token.offset, token.length}, "a selector is 0, 1 or one of xyzw, and not %.*s",
                 (int)(token.length < 60 ? token.length : 60), text);
    if (negative)
        select |= SWZ_NEGATE;
    o->selectors |= (uint16_t)(select << 4 * p->nselects++);
    o->span.length = token.offset + token.length - o->span.offset;
}

/* ---- results and tests ------------------------------------------------------------------------------------------- */

void result_mask(struct parser *p, struct span letters)
{
    struct result *r = &p->insn->dst;
    bool rgba = false;
    uint8_t mask = 15;
    r->mask_written = letters.length != 0;
    if (r->mask_written)
        r->bad_mask = !parse_mask(p->text + letters.offset, letters.length, &mask, &rgba);
    r->mask = mask;
    r->rgba = rgba;
}

void result_place(struct parser *p, struct span span)
{
    struct span word = program_word_behind(p->text, p->head.offset);
    if (word.offset == span.offset && word.length == span.length)
        return;
    struct result_place *place = PUSH(p, places, struct result_place);
    if (place)
        *place = (struct result_place){p->head.offset, span};
}

void result_path(struct parser *p)
{
    struct target target;
    p->role = ROLE_RESULT;
    path_resolve(p, &target);
    p->role = ROLE_OPERAND;
    struct result *r = &p->insn->dst;
    *r = (struct result){.kind = target.kind, .ref = target.ref};
    result_place(p, p->path.span);
    r->written = true;
    r->reported = target.reported;
    r->nindices = target.nindices;
    r->index = target.index;
    result_mask(p, target.suffix);
}

void condition_set(struct parser *p, struct condition *c, struct token word, const struct token *suffix,
                   bool parentheses)
{
    const char *text = p->text + word.offset;
    size_t length = word.length;
    struct span swizzle = {0, 0};
    if (word.id < length) {
        length = word.id;
        swizzle = (struct span){word.offset + (uint32_t)length + 1, word.length - (uint32_t)length - 1};
    } else if (suffix) {
        swizzle = without_dot(p, *suffix);
    }
    unsigned cc;
    bool cc_written, rgba = false;
    *c = (struct condition){.swizzle = IDENTITY, .parentheses = parentheses, .written = true};
    c->rule = (uint8_t)asm_find_cc_rule(text, length, &cc, &cc_written);
    c->cc = (uint8_t)cc;
    c->cc_written = cc_written;
    uint8_t letters = 0;
    if (swizzle.length)
        c->bad_swizzle = !parse_swizzle(p->text + swizzle.offset, swizzle.length, &c->swizzle, &letters, &rgba);
    c->nswizzle = letters;
    c->rgba = rgba;
}

void result_condition(struct parser *p, struct token word, const struct token *suffix)
{
    condition_set(p, &p->insn->dst.condition, word, suffix, true);
}
