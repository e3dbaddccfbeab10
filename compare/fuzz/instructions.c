/* One instruction: by its row, or by its own form. */
#include <stdio.h>
#include <string.h>

#include "compare/fuzz/internal.h"

static const char *type_word(struct fuzz_grow *g, enum fuzz_type type)
{
    bool five = g->profile->family == FUZZ_NV5;
    switch (type) {
    case TYPE_F: return fuzz_chance(g->random, 60) ? "" : five && fuzz_chance(g->random, 30) ? ".F32" : ".F";
    case TYPE_S: return five && fuzz_chance(g->random, 20) ? ".S32" : ".S";
    case TYPE_U: return five && fuzz_chance(g->random, 20) ? ".U32" : ".U";
    case TYPE_F64: return ".F64";
    case TYPE_I64: return fuzz_chance(g->random, 50) ? ".S64" : ".U64";
    }
    return "";
}

static enum fuzz_type pick_type(struct fuzz_grow *g, const struct fuzz_opcode *op)
{
    bool five = g->profile->family == FUZZ_NV5;
    if (g->profile->family == FUZZ_ARB)
        return TYPE_F;
    if (five && (op->types & T_F64) && fuzz_chance(g->random, 6))
        return TYPE_F64;
    if (five && (op->types & T_I64) && fuzz_chance(g->random, 5))
        return TYPE_I64;
    bool integer = (op->types & T_I) && (!(op->types & T_F) || fuzz_chance(g->random, 45));
    return !integer ? TYPE_F : fuzz_chance(g->random, 50) ? TYPE_S : TYPE_U;
}

/* Dotted words in any order, or the suffixes of the older profiles in their one order. */
static void put_modifiers(struct fuzz_grow *g, const struct fuzz_opcode *op, enum fuzz_type type)
{
    bool nv = g->profile->family != FUZZ_ARB, cc = (op->modifiers & M_CC) && fuzz_chance(g->random, 12);
    bool floats = type == TYPE_F && strchr("=F", op_number(op->op, 0));
    bool sat = (op->modifiers & M_SAT) && floats && fuzz_chance(g->random, 12);
    const char *words[4];
    size_t n = 0;
    if (!op->types)
        return;
    if (!nv) {
        bool fragment = strcmp(g->profile->stage, "fragment") == 0;
        bool suffixes = g->profile->conditions;
        if (suffixes && fragment && (op->modifiers & M_HALF) && fuzz_chance(g->random, 20))
            fuzz_text_put(g->body, fuzz_chance(g->random, 50) ? "R" : "H");
        if (suffixes && cc)
            fuzz_text_put(g->body, "C");
        if (sat && (fragment || g->id == FUZZ_AVP3))
            fuzz_text_put(g->body, "_SAT");
        return;
    }
    words[n++] = type_word(g, type);
    if (cc)
        words[n++] = fuzz_chance(g->random, 70) ? ".CC" : fuzz_chance(g->random, 50) ? ".CC0" : ".CC1";
    if (sat)
        words[n++] = fuzz_chance(g->random, 75) ? ".SAT" : ".SSAT";
    if (g->profile->family == FUZZ_NV5 && (op->modifiers & M_CC) && fuzz_chance(g->random, 4))
        words[n++] = ".PREC";
    if (fuzz_chance(g->random, 10) && n > 1) {
        const char *first = words[0];
        words[0] = words[n - 1];
        words[n - 1] = first;
    }
    for (size_t i = 0; i < n; i++)
        fuzz_text_put(g->body, words[i]);
    if ((op->modifiers & M_MUL) && type != TYPE_F && type != TYPE_F64 && type != TYPE_I64 && fuzz_chance(g->random, 20))
        fuzz_text_put(g->body, ".HI");
}

static void put_target(struct fuzz_grow *g, const char *opcode)
{
    static const char *const arb[] = {"1D", "2D", "3D", "CUBE", "RECT"};
    static const char *const lod[] = {"1D", "2D", "3D", "CUBE", "ARRAY2D", "SHADOW2D"};
    static const char *const nv4[] = {
        "1D", "2D", "3D", "CUBE", "RECT", "SHADOW1D", "SHADOW2D", "SHADOWRECT", "ARRAY1D", "ARRAY2D", "SHADOWARRAY1D"};
    static const char *const plain[] = {"1D", "2D", "3D", "ARRAY1D", "ARRAY2D"};
    static const char *const gather[] = {"2D", "ARRAY2D", "CUBE", "SHADOW2D", "RECT"};
    static const char *const gather_offset[] = {"2D", "ARRAY2D", "SHADOW2D", "RECT"};
    const char *word;
    if (g->profile->family == FUZZ_ARB)
        word = FUZZ_PICK(g->random, arb);
    else if (strncmp(opcode, "TXFMS", 5) == 0 || strcmp(opcode, "TXQS") == 0) {
        fuzz_need(g, "NV_texture_multisample");
        word = fuzz_chance(g->random, 70) ? "2DMS" : "ARRAY2DMS";
    } else if (strcmp(opcode, "LOD") == 0)
        word = FUZZ_PICK(g->random, lod);
    else if (strcmp(opcode, "TXG") == 0)
        word = FUZZ_PICK(g->random, gather);
    else if (strcmp(opcode, "TXGO") == 0)
        word = FUZZ_PICK(g->random, gather_offset);
    else if (strcmp(opcode, "TXF") == 0)
        word = fuzz_chance(g->random, 10) ? "BUFFER" : FUZZ_PICK(g->random, plain);
    else
        word = FUZZ_PICK(g->random, nv4);
    fuzz_text_put(g->body, word);
    bool flat = strcmp(word, "2D") == 0;
    if (!flat || g->profile->family == FUZZ_ARB || strncmp(opcode, "TXQ", 3) == 0 || strcmp(opcode, "TXGO") == 0 ||
        strcmp(opcode, "LOD") == 0)
        return;
    if (fuzz_chance(g->random, 12))
        fuzz_text_printf(g->body, ", (%d, %d)", (int)fuzz_below(g->random, 16) - 8, (int)fuzz_below(g->random, 16) - 8);
    else if (g->profile->family == FUZZ_NV5 && strcmp(opcode, "TXD") != 0 && fuzz_chance(g->random, 8)) {
        fuzz_use(g, VAR_TEMP);
        fuzz_text_put(g->body, ", offset(R1)");
    }
}

/* One unit has one target: each texture instruction of a program takes the next unit. */
static void put_unit(struct fuzz_grow *g, const char *opcode)
{
    unsigned k = fuzz_below(g->random, 100), unit = g->units++ % 16;
    if (g->profile->family == FUZZ_NV5 && k < 12) {
        fuzz_need(g, "NV_bindless_texture");
        fuzz_need(g, "NV_gpu_program_fp64");
        fuzz_use(g, VAR_LONG);
        fuzz_text_put(g->body, "handle(D0.x)");
    } else if (g->profile->family == FUZZ_NV5 && k < 18 && strncmp(opcode, "TXFMS", 5) != 0) {
        fuzz_text_printf(g->body, "texture[%u]", unit);
    } else {
        fuzz_text_printf(g->body, "texture[%u]", unit);
    }
    fuzz_text_put(g->body, ", ");
    put_target(g, opcode);
}

static void put_swizzled(struct fuzz_grow *g)
{
    static const char *const selectors[] = {"x", "y", "z", "w", "0", "1", "-x", "-y", "-z", "-w", "-1", "x"};
    fuzz_use(g, VAR_TEMP);
    fuzz_text_printf(g->body, "R%u", fuzz_below(g->random, 4));
    for (int i = 0; i < 4; i++)
        fuzz_text_printf(g->body, ", %s", FUZZ_PICK(g->random, selectors));
}

static void put_packed(struct fuzz_grow *g)
{
    fuzz_use(g, VAR_TEMP);
    fuzz_text_printf(g->body, "R%u.%c", fuzz_below(g->random, 4), "xyzw"[fuzz_below(g->random, 4)]);
}

static void put_letter(struct fuzz_grow *g, const struct fuzz_opcode *op, char letter, enum fuzz_type type)
{
    switch (letter) {
    case 'V': fuzz_operand(g, type, false); break;
    case 'S':
        /* what a driver makes of a literal zero there is another question */
        if (type != TYPE_F && op_has(op->op, A_DIVIDES))
            fuzz_text_put(g->body, type == TYPE_S ? "3" : type == TYPE_U ? "5" : "D0.x");
        else
            fuzz_operand(g, type, true);
        break;
    case 'F': fuzz_operand(g, type == TYPE_F64 ? TYPE_F64 : TYPE_F, false); break;
    case 'f': fuzz_operand(g, TYPE_F, true); break;
    case 'u': fuzz_operand(g, TYPE_U, true); break;
    case 'N': fuzz_operand(g, TYPE_S, false); break;
    case 'U': fuzz_operand(g, type == TYPE_I64 ? TYPE_I64 : TYPE_U, false); break;
    case 'n': fuzz_operand(g, TYPE_S, true); break;
    case 'p': put_packed(g); break;
    case 'E': put_swizzled(g); break;
    case 'T': put_unit(g, op->name); break;
    case 'I': fuzz_text_put(g->body, op->op == OP_IMQS ? "image[0], 2DMS" : "image[1], 2D"); break;
    case 'i': fuzz_text_printf(g->body, "fragment.attrib[%u]", fuzz_below(g->random, 8)); break;
    case 'a': fuzz_text_put(g->body, fuzz_use(g, VAR_ADDRESS)); break;
    default: break;
    }
}

static void put_result(struct fuzz_grow *g, const struct fuzz_opcode *op, enum fuzz_type type)
{
    if (op->result == RC_ADDRESS) {
        fuzz_text_put(g->body, fuzz_use(g, VAR_ADDRESS));
        fuzz_text_put(g->body, op->operands[0] == 'a' ? "" : ".x");
        return;
    }
    switch (op_number(op->op, 0)) {
    case 'F': type = TYPE_F; break;
    case 'S': type = TYPE_S; break;
    case 'U': type = type == TYPE_I64 ? TYPE_I64 : TYPE_U; break;
    default: break;
    }
    fuzz_destination(g, type, true);
}

static void put_regular(struct fuzz_grow *g, const struct fuzz_opcode *op)
{
    enum fuzz_type type = pick_type(g, op);
    fuzz_text_put(g->body, op->name);
    put_modifiers(g, op, type);
    if (op->result == RC_NONE) {
        if ((op->modifiers & M_CTA) && g->id == FUZZ_CP5 && fuzz_chance(g->random, 30))
            fuzz_text_put(g->body, ".CTA");
        return;
    }
    fuzz_text_put(g->body, " ");
    put_result(g, op, type);
    for (const char *c = op->operands; *c; c++) {
        fuzz_text_put(g->body, g->comma);
        put_letter(g, op, *c, type);
    }
}

/* ---- forms of their own ------------------------------------------------------------------------------------------ */

static const char *const storage_words[] = {
    "F32", "F32X2", "F32X4", "S8", "S16", "S32", "S32X2", "S32X4", "U8", "U16", "U32", "U32X2", "U32X4",
};

static void put_address(struct fuzz_grow *g, enum fuzz_variable v)
{
    fuzz_text_put(g->body, fuzz_use(g, v));
    fuzz_use(g, VAR_TEMP);
    switch (fuzz_below(g->random, 3)) {
    case 0: fuzz_text_printf(g->body, "[%u]", 16 * fuzz_below(g->random, 8)); break;
    case 1: fuzz_text_printf(g->body, "[R%u.%c]", fuzz_below(g->random, 4), "xyzw"[fuzz_below(g->random, 4)]); break;
    default: fuzz_text_printf(g->body, "[R%u.x+%u]", fuzz_below(g->random, 4), 16 * fuzz_below(g->random, 8)); break;
    }
}

static void put_global(struct fuzz_grow *g)
{
    fuzz_need(g, "NV_gpu_program_fp64");
    fuzz_use(g, VAR_LONG);
    fuzz_text_put(g->body, "D0.x");
}

static void put_temporary(struct fuzz_grow *g, const char *mask)
{
    fuzz_use(g, VAR_TEMP);
    fuzz_text_printf(g->body, "R%u%s", fuzz_below(g->random, 4), mask);
}

static void put_place(struct fuzz_grow *g, const char *name)
{
    char last = name[strlen(name) - 1];
    if (strcmp(name, "ATOM") == 0 || strcmp(name, "LOAD") == 0 || strcmp(name, "STORE") == 0)
        put_global(g);
    else if (strcmp(name, "LDC") == 0)
        put_address(g, VAR_CBUFFER);
    else
        put_address(g, last == 'S' ? VAR_SHARED : VAR_STORAGE);
}

static void put_memory(struct fuzz_grow *g, const char *name)
{
    static const char *const atomics[] = {
        "ADD.U32", "ADD.S32", "MIN.U32", "MAX.S32", "AND.U32", "OR.U32", "XOR.U32", "EXCH.U32",
                                          "CSWAP.U32", "IWRAP.U32", "DWRAP.U32"};
    bool atomic = strncmp(name, "ATOM", 4) == 0, image = strstr(name, "IM") != NULL,
         store = strncmp(name, "ST", 2) == 0;
    if (strcmp(name, "ATOMCTR") == 0) {
        static const char *const words[] = {"INCR", "DECR", "GET"};
        fuzz_text_printf(g->body, "ATOMCTR.%s ", FUZZ_PICK(g->random, words));
        put_temporary(g, ".x");
        fuzz_text_printf(g->body, ", %s[%u]", fuzz_use(g, VAR_COUNTER), fuzz_below(g->random, 4));
        return;
    }
    fuzz_text_printf(g->body, "%s.%s ", name,
                     atomic ? FUZZ_PICK(g->random, atomics) : FUZZ_PICK(g->random, storage_words));
    if (store && image) {
        fuzz_text_put(g->body, "image[0], R0, R1, 2D");
        fuzz_use(g, VAR_TEMP);
        return;
    }
    put_temporary(g, atomic ? ".x" : "");
    fuzz_text_put(g->body, g->comma);
    if (atomic) {
        put_temporary(g, "");
        fuzz_text_put(g->body, g->comma);
    }
    if (image) {
        put_temporary(g, "");
        fuzz_text_put(g->body, ", image[0], 2D");
        return;
    }
    put_place(g, name);
}

static void put_conversion(struct fuzz_grow *g)
{
    static const char *const words[] = {"F32", "S32", "U32", "F16", "S8", "U8", "S16", "U16"};
    static const char *const rounding[] = {"", "", "", ".TRUNC", ".FLR", ".CEIL", ".ROUND"};
    fuzz_text_printf(g->body, "CVT.%s.%s%s ", FUZZ_PICK(g->random, words), FUZZ_PICK(g->random, words),
                     FUZZ_PICK(g->random, rounding));
    put_temporary(g, "");
    fuzz_text_put(g->body, g->comma);
    put_temporary(g, "");
}

static void put_kill(struct fuzz_grow *g, const char *name)
{
    fuzz_text_printf(g->body, "%s ", name);
    if (g->profile->conditions && fuzz_chance(g->random, 50))
        fuzz_condition(g);
    else
        fuzz_operand(g, TYPE_F, false);
}

static void put_words(struct fuzz_grow *g, unsigned op)
{
    fuzz_text_put(g->body, op == OP_PK64 ? "PK64.U " : "UP64.U ");
    if (op == OP_PK64)
        put_global(g);
    else
        put_temporary(g, ".xy");
    fuzz_text_put(g->body, g->comma);
    if (op == OP_PK64)
        put_temporary(g, "");
    else
        put_global(g);
}

static void put_match(struct fuzz_grow *g, const char *name)
{
    fuzz_text_printf(g->body, "%s.%s.U ", name, fuzz_chance(g->random, 50) ? "ANY" : "ALL");
    put_temporary(g, ".x");
    fuzz_text_put(g->body, g->comma);
    put_temporary(g, ".y");
}

static void put_form(struct fuzz_grow *g, const struct fuzz_opcode *op)
{
    switch (op->form) {
    case FUZZ_MEMORY: put_memory(g, op->name); break;
    case FUZZ_CONVERSION: put_conversion(g); break;
    case FUZZ_KILL: put_kill(g, op->name); break;
    case FUZZ_MATCH: put_match(g, op->name); break;
    case FUZZ_WORDS: put_words(g, op->op); break;
    case FUZZ_STREAM: fuzz_text_printf(g->body, "%s 0", op->name); break;
    default: put_regular(g, op); break;
    }
}

static void put_instruction(struct fuzz_grow *g)
{
    struct fuzz_opcode op;
    while (!fuzz_opcode(fuzz_below(g->random, OP_COUNT), g->id, &op))
        ;
    g->attribute_read = g->parameter_read = false;
    g->comma = fuzz_chance(g->random, 95) ? ", " : ",";
    if (op.option)
        fuzz_need(g, op.option);
    put_form(g, &op);
    fuzz_text_put(g->body, ";\n");
}

/* ---- flow -------------------------------------------------------------------------------------------------------- */

static bool has_flow(const struct fuzz_grow *g)
{
    return g->profile->family != FUZZ_ARB || g->id == FUZZ_AFP2;
}

static void put_block(struct fuzz_grow *g)
{
    unsigned n = 1 + fuzz_below(g->random, 3);
    g->depth++;
    for (unsigned i = 0; i < n; i++)
        fuzz_statement(g);
    g->depth--;
}

static void put_if(struct fuzz_grow *g)
{
    fuzz_text_put(g->body, "IF ");
    fuzz_condition(g);
    fuzz_text_put(g->body, ";\n");
    put_block(g);
    if (fuzz_chance(g->random, 40)) {
        fuzz_text_put(g->body, "ELSE;\n");
        put_block(g);
    }
    fuzz_text_put(g->body, "ENDIF;\n");
}

static void put_loop(struct fuzz_grow *g)
{
    bool counted = g->id == FUZZ_AFP2 || fuzz_chance(g->random, 50);
    g->loops++;
    if (counted && g->profile->family == FUZZ_ARB)
        fuzz_text_printf(g->body, "REP %s;\n", fuzz_use(g, VAR_PARAM));
    else if (counted)
        fuzz_text_put(g->body, fuzz_chance(g->random, 50) ? "REP.S {4, 0, 0, 0};\n" : "REP 3;\n");
    else
        fuzz_text_put(g->body, fuzz_chance(g->random, 50) ? "REP;\n" : "REP.S ;\n");
    put_block(g);
    if (!counted || fuzz_chance(g->random, 30)) {
        fuzz_text_put(g->body, "BRK (");
        fuzz_condition(g);
        fuzz_text_put(g->body, ");\n");
    }
    fuzz_text_put(g->body, "ENDREP;\n");
    g->loops--;
}

void fuzz_statement(struct fuzz_grow *g)
{
    unsigned k = fuzz_below(g->random, 100);
    if (has_flow(g) && g->depth < 3 && k < 7)
        put_if(g);
    else if (has_flow(g) && g->depth < 3 && k < 11)
        put_loop(g);
    else if (g->profile->family != FUZZ_ARB && g->loops && k < 14)
        fuzz_text_put(g->body, "CONT (NE.x);\n");
    else
        put_instruction(g);
}
