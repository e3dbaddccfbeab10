/* Operands, destinations and conditions. */
#include <stdio.h>
#include <string.h>

#include "compare/fuzz/internal.h"

static const char *const variable_names[VARS] = {
    [VAR_TEMP] = "R", [VAR_ADDRESS] = "A0", [VAR_ARRAY] = "arr", [VAR_SHORT] = "H0", [VAR_LONG] = "D0",
    [VAR_INT] = "IT",
    [VAR_UINT] = "UT", [VAR_FLOAT] = "FT", [VAR_PARAMS] = "ps", [VAR_PARAM] = "p0", [VAR_IPARAM] = "ip",
    [VAR_ATTRIB] = "a0",
    [VAR_ATTRIBS] = "as", [VAR_OUTPUT] = "o0", [VAR_CBUFFER] = "cb", [VAR_BUFFER] = "bf", [VAR_STORAGE] = "sb",
    [VAR_SHARED] = "sm", [VAR_COUNTER] = "ctr", [VAR_TEXTURE] = "tx", [VAR_IMAGE] = "im",
};

void fuzz_need(struct fuzz_grow *g, const char *option)
{
    for (size_t i = 0; i < g->option_count; i++)
        if (strcmp(g->options[i], option) == 0)
            return;
    if (g->option_count < FUZZ_OPTIONS)
        g->options[g->option_count++] = option;
}

const char *fuzz_use(struct fuzz_grow *g, enum fuzz_variable v)
{
    g->used |= 1u << v;
    return variable_names[v];
}

/* A binding's form with its indices drawn. */
void fuzz_binding(struct fuzz_grow *g, struct fuzz_text *t, const char *form)
{
    for (const char *c = form; *c; c++) {
        if (*c == '#' && c[1] >= '0' && c[1] <= '9') {
            fuzz_text_printf(t, "%u", fuzz_below(g->random, (unsigned)(c[1] - '0' + 1)));
            c++;
        } else {
            fuzz_text_add(t, c, 1);
        }
    }
}

static const char *pick_listed(struct fuzz_grow *g, const char *const *list)
{
    size_t n = 0;
    while (list[n])
        n++;
    return n ? list[fuzz_below(g->random, (unsigned)n)] : NULL;
}

static void put_swizzle(struct fuzz_grow *g)
{
    static const char letters[] = "xyzw";
    static const char *const usual[] = {"xyzw", "xxxx", "wzyx", "xyxy", "yzxw", "zzzz", "wwww", "yyxx"};
    if (fuzz_chance(g->random, 70))
        fuzz_text_printf(g->body, ".%s", FUZZ_PICK(g->random, usual));
    else
        fuzz_text_printf(g->body, ".%c", letters[fuzz_below(g->random, 4)]);
}

/* Fragment profiles have colour letters too. */
static void put_component(struct fuzz_grow *g)
{
    bool rgba = strncmp(g->profile->stage, "frag", 4) == 0 && fuzz_chance(g->random, 10);
    fuzz_text_printf(g->body, ".%c", (rgba ? "rgba" : "xyzw")[fuzz_below(g->random, 4)]);
}

static void put_number(struct fuzz_grow *g, enum fuzz_type type)
{
    static const char *const floats[] = {
        "0.0", "1.0", "0.5", "2.0", "1e-05", "3.14159", ".25", "4.", "1", "1.5e2", "65536.0", "0"};
    static const char *const integers[] = {"0", "1", "2", "31", "255", "4", "65535", "2147483647", "7"};
    static const char *const hexadecimal[] = {"0x1F", "0xff", "0x7FFFFFFF", "4294967295"};
    const char *word;
    if (type == TYPE_F || type == TYPE_F64)
        word = FUZZ_PICK(g->random, floats);
    else if (type == TYPE_U && fuzz_chance(g->random, 20))
        word = FUZZ_PICK(g->random, hexadecimal);
    else
        word = FUZZ_PICK(g->random, integers);
    fuzz_text_put(g->body, word);
}

static void put_constant(struct fuzz_grow *g, enum fuzz_type type, bool scalar)
{
    bool sign = (type == TYPE_F || type == TYPE_S) && fuzz_chance(g->random, 15);
    if (scalar || fuzz_chance(g->random, 40)) {
        if (scalar && !g->profile->conditions) {
            fuzz_text_put(g->body, "{");
            put_number(g, type);
            fuzz_text_put(g->body, "}.x");
            return;
        }
        fuzz_text_put(g->body, sign ? "-" : "");
        put_number(g, type);
        return;
    }
    unsigned n = 1 + fuzz_below(g->random, 4);
    fuzz_text_put(g->body, "{");
    for (unsigned i = 0; i < n; i++) {
        fuzz_text_put(g->body, i ? ", " : "");
        fuzz_text_put(g->body, sign ? "-" : "");
        put_number(g, type);
    }
    fuzz_text_put(g->body, "}");
}

static void put_index(struct fuzz_grow *g, unsigned size)
{
    unsigned n = fuzz_below(g->random, size);
    if (g->profile->family == FUZZ_ARB) {
        if (strcmp(g->profile->stage, "vertex") != 0 || fuzz_chance(g->random, 50))
            fuzz_text_printf(g->body, "[%u]", n);
        else
            fuzz_text_printf(g->body, n ? "[%s.x+%u]" : "[%s.x]", fuzz_use(g, VAR_ADDRESS), n);
        return;
    }
    switch (fuzz_below(g->random, 3)) {
    case 0: fuzz_text_printf(g->body, "[%u]", n); break;
    case 1:
        fuzz_use(g, VAR_TEMP);
        fuzz_text_printf(g->body, "[R%u.%c]", fuzz_below(g->random, 4), "xyzw"[fuzz_below(g->random, 4)]);
        break;
    default: fuzz_use(g, VAR_TEMP); fuzz_text_printf(g->body, "[R%u.x+%u]", fuzz_below(g->random, 4), n); break;
    }
}

static void put_temporary(struct fuzz_grow *g)
{
    fuzz_use(g, VAR_TEMP);
    fuzz_text_printf(g->body, "R%u", fuzz_below(g->random, 4));
}

static void put_long(struct fuzz_grow *g)
{
    fuzz_need(g, "NV_gpu_program_fp64");
    fuzz_use(g, VAR_LONG);
    fuzz_text_printf(g->body, "D%u", fuzz_below(g->random, 2));
}

static void put_attribute(struct fuzz_grow *g)
{
    const char *const *arrays = g->profile->arrays;
    if (arrays[0] && fuzz_chance(g->random, 12) && strcmp(g->profile->stage, "vertex") == 0) {
        fuzz_text_put(g->body, fuzz_use(g, VAR_ATTRIBS));
        put_index(g, 1);
    } else if (fuzz_chance(g->random, 30)) {
        fuzz_text_put(g->body, fuzz_use(g, VAR_ATTRIB));
    } else {
        const char *form = pick_listed(g, g->profile->attributes);
        if (form)
            fuzz_binding(g, g->body, form);
        else
            put_temporary(g);
    }
}

static void put_parameter(struct fuzz_grow *g, enum fuzz_type type)
{
    static const char *const direct[] = {
        "program.local[#9]", "program.env[#9]", "state.light[#7].diffuse", "state.matrix.mvp.row[#3]",
        "state.fog.color",
        "state.material.ambient", "state.matrix.modelview.inverse.row[#3]", "state.lightmodel.ambient",
        "state.matrix.texture[#3].transpose.row[#3]", "state.fog.params", "state.material.shininess",
        "state.lightprod[#7].specular",
    };
    unsigned k = fuzz_below(g->random, 4);
    if (k == 0) {
        fuzz_binding(g, g->body, FUZZ_PICK(g->random, direct));
    } else if (k == 1) {
        fuzz_text_put(g->body, fuzz_use(g, VAR_PARAMS));
        put_index(g, 4);
    } else if (k == 2 && g->profile->family != FUZZ_ARB && (type == TYPE_S || type == TYPE_U)) {
        fuzz_text_put(g->body, fuzz_use(g, type == TYPE_S ? VAR_IPARAM : VAR_PARAM));
    } else if (k == 3 && g->profile->family != FUZZ_ARB) {
        fuzz_text_put(g->body, fuzz_use(g, VAR_BUFFER));
        put_index(g, 16);
    } else {
        fuzz_text_put(g->body, fuzz_use(g, VAR_PARAM));
    }
}

/* A variable that can be read as this type; what it is. */
static void put_base(struct fuzz_grow *g, enum fuzz_type type)
{
    unsigned k = fuzz_below(g->random, 100);
    bool arb = g->profile->family == FUZZ_ARB;
    if (type == TYPE_F64 || type == TYPE_I64) {
        put_long(g);
    } else if (k < 50 || (arb && (k < 60))) {
        put_temporary(g);
    } else if (k < 65 && !g->attribute_read) {
        g->attribute_read = arb;
        put_attribute(g);
    } else if (k < 82 && !g->parameter_read) {
        g->parameter_read = arb;
        put_parameter(g, type);
    } else if (!arb && k < 86) {
        fuzz_text_put(g->body, fuzz_use(g, VAR_ARRAY));
        put_index(g, 4);
    } else if (!arb && k < 91) {
        fuzz_text_put(g->body, fuzz_use(g, type == TYPE_F ? VAR_FLOAT : type == TYPE_S ? VAR_INT : VAR_UINT));
    } else if (!arb && k < 93) {
        fuzz_text_put(g->body, fuzz_use(g, VAR_SHORT));
    } else {
        put_temporary(g);
    }
}

void fuzz_operand(struct fuzz_grow *g, enum fuzz_type type, bool scalar)
{
    bool constant = type != TYPE_F64 && type != TYPE_I64 && fuzz_chance(g->random, 14)
                    && !(g->profile->family == FUZZ_ARB && g->parameter_read);
    if (constant) {
        g->parameter_read = g->profile->family == FUZZ_ARB;
        put_constant(g, type, scalar);
        return;
    }
    bool sign = fuzz_chance(g->random, 12);
    bool absolute = g->profile->conditions && (type == TYPE_F || type == TYPE_S) && fuzz_chance(g->random, 6);
    fuzz_text_put(g->body, sign ? "-" : "");
    fuzz_text_put(g->body, absolute ? "|" : "");
    put_base(g, type);
    if (scalar)
        put_component(g);
    else if (fuzz_chance(g->random, 25))
        put_swizzle(g);
    fuzz_text_put(g->body, absolute ? "|" : "");
}

void fuzz_condition(struct fuzz_grow *g)
{
    static const char *const old[] = {"EQ", "GE", "GT", "LE", "LT", "NE", "TR", "FL"};
    static const char *const more[] = {
        "NAN", "LEG", "CF", "NCF", "OF", "NOF", "SF", "NSF", "AB", "BLE", "NE", "LT1", "EQ0", "NE1"};
    bool nv = g->profile->family != FUZZ_ARB;
    fuzz_text_put(g->body, nv && fuzz_chance(g->random, 30) ? FUZZ_PICK(g->random, more) : FUZZ_PICK(g->random, old));
    if (fuzz_chance(g->random, 85))
        put_component(g);
    else if (fuzz_chance(g->random, 50))
        put_swizzle(g);
}

static const char *pick_mask(struct fuzz_grow *g)
{
    static const char *const masks[] = {".x", ".y", ".z", ".w", ".xy", ".xyz", ".xw", ".yz", ".xyzw", ".zw", ".xyw"};
    return fuzz_chance(g->random, 55) ? FUZZ_PICK(g->random, masks) : "";
}

void fuzz_destination(struct fuzz_grow *g, enum fuzz_type type, bool conditional)
{
    unsigned k = fuzz_below(g->random, 100);
    const char *result = k < 15 ? pick_listed(g, g->profile->results) : NULL;
    bool arb = g->profile->family == FUZZ_ARB;
    const char *mask = pick_mask(g);
    if (type == TYPE_F64 || type == TYPE_I64) {
        put_long(g);
    } else if (result) {
        fuzz_binding(g, g->body, result);
        mask = strchr(result, '.') != strrchr(result, '.') && strrchr(result, '.')[2] == 0 ? "" : mask;
    } else if (k < 20 && g->profile->results[0]) {
        fuzz_text_put(g->body, fuzz_use(g, VAR_OUTPUT));
    } else if (!arb && k < 25) {
        fuzz_text_put(g->body, fuzz_use(g, VAR_ARRAY));
        put_index(g, 4);
    } else if (!arb && k < 30) {
        fuzz_text_put(g->body, fuzz_use(g, type == TYPE_F ? VAR_FLOAT : type == TYPE_S ? VAR_INT : VAR_UINT));
    } else if (!arb && k < 32) {
        fuzz_text_put(g->body, fuzz_use(g, VAR_SHORT));
    } else {
        put_temporary(g);
    }
    fuzz_text_put(g->body, mask);
    if (conditional && g->profile->conditions && fuzz_chance(g->random, 6)) {
        fuzz_text_put(g->body, fuzz_chance(g->random, 70) ? " (" : "(");
        fuzz_condition(g);
        fuzz_text_put(g->body, ")");
    }
}
