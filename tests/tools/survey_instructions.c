/* The survey: instructions, the operands that they take, their modifiers. In a shape $ is the opcode with its
 * modifiers. */
#include <ctype.h>
#include <string.h>

#include "tests/tools/survey.h"

#define COUNT(list) (sizeof(list) / sizeof *(list))

/* ---- which operands ---------------------------------------------------------------------------------------------- */

static const char *const shapes[] = {
    /* what any instruction might take */
    "$ R0, R1;", "$ R0, R1.x;", "$ R0, R1, R2;", "$ R0, R1.x, R2.x;", "$ R0, R1, R2.x;", "$ R0, R1, R2, R3;", "$;",
    "$ R0;", "$ R0.x;", "$ R0.x, R1.x;", "$ R0.x, R1.x, R2.x;", "$ R0, R1, texture[0], 2D;", "$ NE.x;", "$ (NE.x);",
    /* flow */
    "$ NE.x;\nENDIF;", "IF NE.x;\n$;\nENDIF;", "IF NE.x;\n$;", "$;\nBRK (NE.x);\nENDREP;", "$ R1.x;\nENDREP;",
    "$ P[0];\nENDREP;", "$ P[0];\nENDLOOP;", "$ {8, 0, 1, 0};\nENDLOOP;", "REP R1.x;\n$;", "LOOP P[0];\n$;",
    "REP R1.x;\n$;\nENDREP;", "REP R1.x;\n$ (NE.x);\nENDREP;", "REP R1.x;\n$ NE.x;\nENDREP;", "$ L;\nL:\nRET;\n",
    "$ L (NE.x);\nRET;\nL:\nMOV R0, R1;\n", "$ L;\nMOV R0, R1;\nL:\nMOV R0, R1;\n", "$ L;\nRET;\nL:\nRET;\n",
    "LOOP P[0];\n$ (NE.x);\nENDLOOP;", "$ 0;", "$ 1;", "$ R1;", "$ -R1.x;", "$ NE;", "$;\nFSIE;", "FSIB;\n$;",
    /* textures and images */
    "$ R0, texture[0], 2D;", "$ R0, R1, R2, texture[0], 2D;", "$ R0, R1, R2, R3, texture[0], 2D;",
    "$ R0, R1, texture[0].x, 2D;", "$ R0, R1, texture[0], 2DMS;", "$ R0, R1, texture[0], RENDERBUFFER;",
    "$ R0, texture[0], 2DMS;", "$ R0, R1, image[0], 2D;", "$ image[0], R1, R2, 2D;", "$ R0, R1, R2, image[0], 2D;",
    "$ R0, image[0], 2D;", "$ R0, image[0], 2DMS;", "$ R0, R1, TEX0, 2D;", "$ R0, R1, R2, R3, TEX0, 2D;",
    "$ R0, f[TEX0], TEX0, 2D;",
    /* memory */
    "$ R0, cb[R1.x];", "$ R0, sb[R1.x];", "$ R1, sb[R2.x];", "$ R0, sm[R1.x];", "$ R0, R1, sb[R2.x];",
    "$ R0, R1, sm[R2.x];", "$ R0, D0.x;", "$ R0, D0.x, R1;", "$ R0, R1, D0.x;", "$ R1, D0.x;", "$ R0, R1.x, cb[0];",
    "$ R0.x, ctr[0];", "$ R0.x, R1, ctr[0];", "$ R0.x, R1.x, ctr[0];", "$ R0, lmem[R1.x];", "$ ctr[0];",
    /* the rest */
    "$ R0, R1, x, y, 0, -1;", "$ A0.x, R1.x;", "$ A0.x, P[0].x;", "$ A0, R1;", "$ A0, A0;", "$ A0;", "PUSHA A0;\n$ A0;",
    "$ D0, R1;", "$ R0, D0;", "$ D0, D1;", "$ D0, D1, D2;", "$ R0, *;", "$ R0, *, R1;", "$ R0, R1, R2, R3, R1;",
    "$ R0.x, ctr[0], R1;", "$ R0.x, ctr[0], R1.x;", "$ R0, *, R1.x;", "$ R0, R1.x, R2, R3;", "$ R0, R1, R2, R3.x;",
};

/* Modifiers that an instruction may not do without. */
static const char *const bases[] = {
    "", ".U32", ".F32", ".ADD.U32", ".F32.S32", ".INCR", ".ANY.U", ".ALL.U", ".U", ".ADD.U", ".ADD",
};

/* What was found: the shape that an instruction takes, with the modifiers that it needs. */
struct found {
    const char *opcode, *shape, *base;
};
enum { FOUND = 1024 };
static struct found found[FOUND];
static size_t found_count;

static const char *attribute_of(const struct survey *s)
{
    if (s->profile->stage == DRIVER_FRAGMENT && s->profile->family >= SURVEY_GP4)
        return "fragment.attrib[0]";
    return s->profile->attribute;
}

static bool put(char *body, size_t size, const struct survey *s, const char *shape, const char *opcode,
                const char *modifiers)
{
    char with[SURVEY_TEXT], word[256];
    snprintf(word, sizeof word, "%s%s", opcode, modifiers);
    return survey_put(with, sizeof with, shape, '*', attribute_of(s)) && survey_put(body, size, with, '$', word);
}

/* A variable in the place of a label ends the driver: jumps are asked about with labels alone. */
static bool is_deadly(const char *opcode, const char *shape)
{
    bool jump = strcmp(opcode, "CAL") == 0 || strcmp(opcode, "BRA") == 0;
    return jump && !strstr(shape, "$ L") && strcmp(shape, "$;") != 0;
}

static bool ask_shape(struct survey *s, const char *opcode, size_t k, const char *base)
{
    char body[SURVEY_TEXT];
    if (is_deadly(opcode, shapes[k]))
        return false;
    if (!put(body, sizeof body, s, shapes[k], opcode, base)
        || !survey_ask(s, s->rich, body, "shape/%s/%zu%s", opcode, k, base))
        return false;
    if (found_count < FOUND)
        found[found_count++] = (struct found){opcode, shapes[k], base};
    return true;
}

/* Options one by one, for an instruction that the plain preamble does not have. */
static void ask_options(struct survey *s, const struct found *f)
{
    char head[SURVEY_TEXT], body[SURVEY_TEXT], line[128];
    const struct survey_profile *p = s->profile;
    const char *rest = strstr(s->rich, p->needs);
    if (!put(body, sizeof body, s, f->shape, f->opcode, f->base)
        || survey_ask(s, s->plain, body, "plain/%s", f->opcode) || !rest)
        return;
    for (const char *c = s->accepted_options; *c; c += strcspn(c, ";") + 1) {
        snprintf(line, sizeof line, "%.*s", (int)strcspn(c, ";"), c);
        snprintf(head, sizeof head, "%s\n%sOPTION %s;\n%sTEMP R0, R1, R2, R3;\n", p->header, p->options, line,
                 p->needs);
        for (const char *d = "cb sb sm ctr D0 A0"; *d; d += strcspn(d, " "), d += *d == ' ') {
            static const struct { const char *name, *text; } declarations[] = {
                {"cb", "CBUFFER cb[] = { program.buffer[0] };\n"}, {"sb", "STORAGE sb[] = { program.storage[0] };\n"},
                {"sm", "SHARED_MEMORY 64;\nSHARED sm[] = { program.sharedmem };\n"},
                {"ctr", "COUNTER ctr[] = { program.counter[0][0..3] };\n"}, {"D0", "LONG TEMP D0, D1, D2;\n"},
                {"A0", "ADDRESS A0;\n"}};
            for (size_t i = 0; i < COUNT(declarations); i++)
                if (strncmp(d, declarations[i].name, strcspn(d, " ")) == 0 && strstr(body, declarations[i].name)
                    && strlen(declarations[i].name) == strcspn(d, " "))
                    strncat(head, declarations[i].text, sizeof head - strlen(head) - 1);
        }
        survey_ask(s, head, body, "option-of/%s/%s", f->opcode, line);
    }
}

/* Whether the driver speaks of a word as it does of one that is certainly no opcode, whatever the operands. */
static bool is_unknown(struct survey *s, const char *opcode)
{
    static const size_t asked[] = {0, 2, 6, 8, 12};
    if (is_deadly(opcode, shapes[0]))
        return false;
    char body[SURVEY_TEXT], message[sizeof s->last_message];
    for (size_t i = 0; i < COUNT(asked); i++) {
        /* as long as the word itself, so that columns agree */
        char nonsense[32] = "ZQZQZQZQZQZQZQZQ";
        nonsense[strlen(opcode) < 16 ? strlen(opcode) : 16] = 0;
        put(body, sizeof body, s, shapes[asked[i]], nonsense, "");
        if (survey_ask(s, s->rich, body, "unknown/%s/%zu", nonsense, asked[i]))
            return false;
        long long position = s->last_position;
        memcpy(message, s->last_message, sizeof message);
        put(body, sizeof body, s, shapes[asked[i]], opcode, "");
        if (survey_ask(s, s->rich, body, "shape/%s/%zu", opcode, asked[i]) || s->last_position != position
            || strcmp(s->last_message, message) != 0)
            return false;
    }
    return true;
}

void survey_shapes(struct survey *s)
{
    found_count = 0;
    for (size_t i = 0; survey_opcodes[i]; i++) {
        size_t first = found_count;
        if (is_unknown(s, survey_opcodes[i]))
            continue;
        for (size_t k = 0; k < COUNT(shapes); k++)
            ask_shape(s, survey_opcodes[i], k, "");
        for (size_t b = 1; b < COUNT(bases) && found_count == first; b++)
            for (size_t k = 0; k < COUNT(shapes); k++)
                ask_shape(s, survey_opcodes[i], k, bases[b]);
        if (found_count > first)
            ask_options(s, &found[first]);
    }
}

/* ---- modifiers --------------------------------------------------------------------------------------------------- */

/* The same shape with every temporary a LONG one. */
static void lengthen(char *to, size_t size, const char *shape)
{
    snprintf(to, size, "%s", shape);
    for (char *c = to; *c; c++)
        if (*c == 'R' && isdigit((unsigned char)c[1]) && (c == to || !isalnum((unsigned char)c[-1])))
            *c = 'D';
}

static bool ask_modifiers(struct survey *s, const struct found *f, const char *modifiers)
{
    char body[SURVEY_TEXT], longer[SURVEY_TEXT];
    bool yes = put(body, sizeof body, s, f->shape, f->opcode, modifiers)
               && survey_ask(s, s->rich, body, "modifier/%s/%s", f->opcode, modifiers);
    if (!strstr(modifiers, "64"))
        return yes;
    lengthen(longer, sizeof longer, f->shape);
    return (put(body, sizeof body, s, longer, f->opcode, modifiers)
            && survey_ask(s, s->rich, body, "modifier/%s/%s/long", f->opcode, modifiers)) || yes;
}

static void ask_words(struct survey *s, const struct found *f)
{
    char modifiers[128];
    for (size_t i = 0; survey_modifier_words[i]; i++) {
        snprintf(modifiers, sizeof modifiers, "%s.%s", f->base, survey_modifier_words[i]);
        ask_modifiers(s, f, modifiers);
        if (*f->base) {
            snprintf(modifiers, sizeof modifiers, ".%s", survey_modifier_words[i]);
            ask_modifiers(s, f, modifiers);
        }
    }
    for (size_t i = 0; survey_suffixes[i]; i++) {
        snprintf(modifiers, sizeof modifiers, "%s%s", survey_suffixes[i], f->base);
        ask_modifiers(s, f, modifiers);
    }
}

static void ask_pairs(struct survey *s, const struct found *f)
{
    static const char *const with[] = {"CC", "SAT", "SSAT", "CC1", "PREC", "NTC", "HI", "F32", "U"};
    char modifiers[128];
    for (size_t i = 0; survey_type_words[i]; i++) {
        snprintf(modifiers, sizeof modifiers, "%s.%s", f->base, survey_type_words[i]);
        if (!ask_modifiers(s, f, modifiers))
            continue;
        for (size_t k = 0; k < COUNT(with); k++) {
            snprintf(modifiers, sizeof modifiers, "%s.%s.%s", f->base, survey_type_words[i], with[k]);
            ask_modifiers(s, f, modifiers);
        }
        snprintf(modifiers, sizeof modifiers, "%s.CC.%s", f->base, survey_type_words[i]);
        ask_modifiers(s, f, modifiers);
    }
    static const char *const combinations[] = {
        ".CC.CC", ".CC0.CC1", ".SAT.SAT", ".SAT.SSAT", ".F.F", ".F.U", ".CC.SAT", ".SAT.CC", ".CC.SAT.F.PREC.NTC",
        ".PREC.PREC", ".NTC.NTC", "C.CC", "C0.CC1", "_SAT.SAT", "R.F", "H.F", "H.U", "C.F.SAT", "_SAT.CC", "R.U",
    };
    for (size_t i = 0; i < COUNT(combinations); i++) {
        snprintf(modifiers, sizeof modifiers, "%s%s", combinations[i], f->base);
        ask_modifiers(s, f, modifiers);
    }
}

/* The first shape of each instruction stands for it; "$ R0, R1;" and its like come before forms with more around. */
static bool is_first(size_t i)
{
    return i == 0 || strcmp(found[i].opcode, found[i - 1].opcode) != 0;
}

void survey_modifiers(struct survey *s)
{
    for (size_t i = 0; i < found_count; i++)
        if (is_first(i))
            ask_words(s, &found[i]);
    for (size_t i = 0; s->profile->family >= SURVEY_GP4 && i < found_count; i++)
        if (is_first(i))
            ask_pairs(s, &found[i]);
}

/* ---- operands ---------------------------------------------------------------------------------------------------- */

static const char *const sources[] = {
    "R1", "R1.x", "R1.xyxy", "R1.xx", "R1.xy", "R1.rgba", "R1.r", "R1.xyrg", "R1.rrrr", "R1.xyz", "R1.q", "-R1", "+R1",
    "|R1|", "-|R1|",
    "|-R1|", "-|-R1|", "|R1|.x", "|R1.x|", "-R1.x", "--R1", "- R1", "||R1||", "1.0", "1", "-1", "-1.0", "{1.0}", "{1}",
    "{-1}",
    "{1, 2, 3, 4}", "{1.0, 2.0, 3.0, 4.0}", "{1.0, 2.0, 3.0, 4.0}.x", "{1, 2}", "{1, 2, 3, 4, 5}", "1.0.x", "1.x",
    "0x10",
    "4294967295", "4294967296", "2147483648", "-2147483649", "P[0]", "P[0].x", "P[8]", "P", "P[R3.x]", "P[R3]",
    "P[R3.x].x",
    "P[A0.x]", "P[A0.x+1]", "P[A0.y]", "P[-1]", "arr[1]", "arr[R3.x]", "arr[4]", "arr", "D0", "D0.x", "H0", "H0.x",
    "IT", "IT.x",
    "UT", "UT.x", "FT", "FT.x", "bf[0]", "bf[0].x", "bs[0]", "bs[0].x", "bf[R3.x]", "cb[0]", "sb[0]", "*", "*.x", "~",
    "inf", "nan",
    "-nan", "1e-05", "1e39", "undeclared", "CC", "program.local[0]", "program.env[0].x", "state.fog.color",
    "texture[0]", "R1[0]",
    "R1.", "R1.X", "R1 .x", "R1. x", "R1.0", "R1.1", "v[OPOS]", "c[0]", "f[TEX0]", "A0", "A0.x", "L", "2D", "NE",
    "handle(D0.x)", "(R1)",
    "R1 (NE.x)", "R1, R1", "",
};

static const char *const destinations[] = {
    "R0.x", "R0.xy", "R0.xyz", "R0.xyzw", "R0.yz", "R0.w", "R0.wx", "R0.xx", "R0.rgba", "R0.r", "R0.xg", "R0.rgb",
    "R0.gr", "R0.q", "R0.",
    "R0 (NE.x)", "R0.x (NE.x)", "R0(NE.x)", "R0 (NE)", "R0 (LT1.xyxy)", "R0 (GT.xy)", "R0 (GT.w)", "R0 (GT.rrrr)",
    "R0 (x)", "R0 NE.x",
    "R0.xy (EQ0.x)", "R0 (TR)", "R0 (FL.x).x", "R0 ()", "D0", "D0.x", "D0.xy", "H0", "H0.x", "IT", "UT", "FT", "P[0]",
    "*", "~", "~.x", "CC",
    "CC.x", "RC", "RC.x", "-R0", "|R0|", "arr[0]", "arr[R3.x]", "arr[R3.x+1]", "arr[R3.x].x", "arr", "bf[0]", "cb[0]",
    "{1}", "1.0", "undeclared",
    "A0", "A0.x", "texture[0]", "program.local[0]", "R0[0]", "result.position", "result.color", "result.depth",
    "result.depth.z",
    "o[HPOS]", "o[COLR]", "R0 (NE.x) (NE.x)", "R0.x.x", "(R0)", "",
};

/* The operands of a shape's line that begins with $, cut at its commas. */
static size_t cut(const char *shape, size_t starts[8], size_t ends[8])
{
    const char *at = strchr(shape, '$'), *end = at ? strchr(at, ';') : NULL;
    size_t count = 0;
    if (!end || at[1] != ' ')
        return 0;
    for (const char *c = at + 2; c < end && count < 8; c++) {
        while (*c == ' ')
            c++;
        starts[count] = (size_t)(c - shape);
        c += strcspn(c, ",;");
        ends[count++] = (size_t)(c - shape);
        if (*c == ';')
            break;
    }
    return count;
}

static void ask_operand(struct survey *s, const struct found *f, const char *modifiers, size_t start, size_t end,
                        size_t k, const char *operand)
{
    char shape[SURVEY_TEXT], body[SURVEY_TEXT], half[SURVEY_TEXT];
    snprintf(shape, sizeof shape, "%.*s%s%s", (int)start, f->shape, operand, f->shape + end);
    if (survey_put(half, sizeof half, shape, '~', s->profile->result)
        && put(body, sizeof body, s, half, f->opcode, modifiers))
        survey_ask(s, s->rich, body, "operand/%s/%zu/%s%s%s", f->opcode, k, operand, *modifiers ? "/" : "", modifiers);
}

static void ask_operands(struct survey *s, const struct found *f, const char *modifiers)
{
    size_t starts[8], ends[8], count = cut(f->shape, starts, ends);
    for (size_t k = 0; k < count; k++) {
        char first = f->shape[starts[k]];
        if (first != 'R' && first != 'D' && first != 'A' && first != 'P')
            continue;
        if (k == 0)
            for (size_t i = 0; i < COUNT(destinations); i++)
                ask_operand(s, f, modifiers, starts[k], ends[k], k, destinations[i]);
        if (k > 0 || count == 1)
            for (size_t i = 0; i < COUNT(sources); i++)
                ask_operand(s, f, modifiers, starts[k], ends[k], k, sources[i]);
    }
}

/* With integer types too where the instruction has them: other literals are then allowed. */
void survey_operands(struct survey *s)
{
    static const char *const typed[] = {".S", ".U", ".F64", ".F16"};
    char body[SURVEY_TEXT], modifiers[64];
    for (size_t i = 0; i < found_count; i++)
        if (is_first(i))
            ask_operands(s, &found[i], found[i].base);
    for (size_t i = 0; s->profile->family >= SURVEY_GP4 && i < found_count; i++) {
        static const char *const which[] = {"MOV", "ADD", "MAD", "DIV", "SHL", "AND", "RCP", "TEX", "I2F", "FLR", "SEQ",
         "CMP", "MUL", "SWZ",
                                            "BFE", "SAD", "TXQ", "TXF", "SHFIDX", "TGBALLOT", "PK2H", "PK64", "UP64"};
        for (size_t k = 0; is_first(i) && k < COUNT(which); k++)
            for (size_t t = 0; strcmp(found[i].opcode, which[k]) == 0 && t < COUNT(typed); t++) {
                snprintf(modifiers, sizeof modifiers, "%s%s", found[i].base, typed[t]);
                if (put(body, sizeof body, s, found[i].shape, found[i].opcode, modifiers)
                    && survey_ask(s, s->rich, body, "modifier/%s/%s", found[i].opcode, modifiers))
                    ask_operands(s, &found[i], modifiers);
            }
    }
}
