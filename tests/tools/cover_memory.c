/* Forms of loads, stores, atomic operations, images, textures and bindings. */
#include "tests/tools/cover_forms.h"

#include "asm/isa.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define COUNT(list) (sizeof(list) / sizeof *(list))

static const char *const storage[] = {
    "F16", "F32", "F64", "S8", "S16", "S32", "S64", "U8", "U16", "U32", "U64", "F16X2", "F16X4", "F32X2", "F32X4",
    "F64X2", "F64X4", "S8X2", "S8X4",
    "S16X2", "S16X4", "S32X2", "S32X4", "S64X2", "S64X4", "U8X2", "U8X4", "U16X2", "U16X4", "U32X2", "U32X4", "U64X2",
    "U64X4", "F", "S", "U"};
static const char *const operations[] = {"ADD", "MIN", "MAX", "IWRAP", "DWRAP", "AND", "OR", "XOR", "EXCH", "CSWAP"};

static bool is_wide(const char *type)
{
    return strstr(type, "64") != NULL;
}

static void each_storage(cover_sink *to, void *user, const char *op, const char *place, bool loads)
{
    static const char *const modifiers[] = {"", ".CC", ".CC1", ".SAT", ".SSAT", ".SAT.CC", ".COH", ".VOL", ".SPARSE"},
        *const results[] = {"hr", "r.yw", "r (GT.x)", "arr[A.x]", "lr", "larr[A.y].xy"},
        *const stored[] = {"-a", "ha", "arr[A.x]", "ps[1]", "{1, 2, 3, 4}", "a.yxwz", "lb"};
    char text[COVER_LINE];
    for (size_t t = 0; t < COUNT(storage); t++) {
        const char *wide = is_wide(storage[t]) ? "l" : "";
        for (size_t m = 0; m < COUNT(modifiers); m++) {
            if (loads)
                snprintf(text, sizeof text, "%s.%s%s %sr, %s;\n", op, storage[t], modifiers[m], wide, place);
            else
                snprintf(text, sizeof text, "%s.%s%s %sa, %s;\n", op, storage[t], modifiers[m], wide, place);
            to(user, text);
        }
        for (size_t i = 0; loads && i < COUNT(results); i++) {
            snprintf(text, sizeof text, "%s.%s %s, %s;\n", op, storage[t], results[i], place);
            to(user, text);
        }
        for (size_t i = 0; !loads && i < COUNT(stored); i++) {
            snprintf(text, sizeof text, "%s.%s %s, %s;\n", op, storage[t], stored[i], place);
            to(user, text);
        }
    }
}

static void each_atomic(cover_sink *to, void *user, const char *op, const char *place)
{
    static const char *const results[] = {"", ".x", ".yz", ".x (GT.w)"},
    *const operands[] = {"-%sa", "|%sa|", "%sa.wzyx", "%sb"};
    char text[COVER_LINE], operand[32];
    for (size_t t = 0; t < COUNT(storage); t++)
        for (size_t o = 0; o < COUNT(operations); o++) {
            const char *wide = is_wide(storage[t]) ? "l" : "";
            for (size_t i = 0; i < COUNT(results); i++) {
                snprintf(operand, sizeof operand,
                         i == 0   ? operands[0]
                         : i == 1 ? operands[1]
                         : i == 2 ? operands[2]
                                  : operands[3],
                         wide);
                snprintf(text, sizeof text, "%s.%s.%s %sr%s, %s, %s;\n", op, operations[o], storage[t], wide,
                         results[i], operand, place);
                to(user, text);
            }
            snprintf(text, sizeof text, "%s.%s.%s.CC %sr, %sa, %s;\n", op, operations[o], storage[t], wide, wide,
                     place);
            to(user, text);
        }
}

static void each_counter(cover_sink *to, void *user)
{
    static const char *const counts[] = {"", ".INCR", ".DECR", ".GET"}, *const types[] = {"", ".U", ".S"},
    *const places[] = {"ct[K.x]", "ct[K.x + 2000]"},
        *const results[] = {"r.x", "r", "r.yz (GT.x)", "hr.x", "lr.x"};
    char text[COVER_LINE];
    for (size_t p = 0; p < COUNT(places); p++)
        for (size_t t = 0; t < COUNT(types); t++)
            for (size_t i = 0; i < COUNT(results); i++) {
                for (size_t o = 0; o < COUNT(counts); o++) {
                    snprintf(text, sizeof text, "TEMP K;\nMOV.U K.x, invocation.localindex.x;\nATOMCTR%s%s%s %s, %s;\n",
                             counts[o], types[t], i == 1 ? ".CC" : "", results[i], places[p]);
                    to(user, text);
                }
                for (size_t o = 0; o < COUNT(operations); o++) {
                    snprintf(text, sizeof text,
                             "TEMP K;\nMOV.U K.x, invocation.localindex.x;\nATOMCTROP.%s%s %s, %s, %s;\n",
                             operations[o], types[t], results[i], places[p], i & 1 ? "-a" : "b.yxwz");
                    to(user, text);
                }
            }
}

/* `kind`: the targets that name it, and 2D. */
static bool is_target(unsigned target, const char *kind)
{
    const char *name = target_table[target].text;
    return target == TARGET_2D || !strcmp(name, kind) || (!strncmp(name, "SHADOW", 6) && !strcmp(name + 6, kind));
}

/* ---- images ------------------------------------------------------------------------------------------------------ */

/* Q.x gets the handle of texture 1, Q.y that of image 1. */
#define HANDLES "PK64.U Q.xy, pe[3];\n"

/* N gets a place of the lane's own in any of them. */
#define PLACE HANDLES "AND.U N.x, invocation.localindex.x, 7;\nSHR.U N.y, invocation.localindex.x, 3;\nMOV.U N.zw, 0;\n"

void cover_images(cover_sink *to, void *user, const char *kind)
{
    static const char *const images[] = {"image[0]", "im[1]", "im[A.y]", "im[A.x + 1]", "handle(Q.y)"},
    *const more[] = {"", ".CC", ".SAT", ".COH", ".SPARSE"};
    char text[COVER_LINE];
    for (unsigned t = TARGET_NONE + 1; t < TARGET_COUNT; t++) {
        const char *target = target_table[t].text;
        if (!is_target(t, kind))
            continue;
        for (size_t i = 0; i < COUNT(images); i++) {
            for (size_t s = 0; s < COUNT(storage); s++)
                for (size_t m = 0; m < COUNT(more) && (m == 0 || i == 1); m++) {
                    snprintf(text, sizeof text, PLACE "LOADIM.%s%s r, N, %s, %s;\n", storage[s], more[m], images[i],
                             target);
                    to(user, text);
                    snprintf(text, sizeof text, PLACE "STOREIM.%s%s image[2], %sa, N, %s;\n", storage[s], more[m],
                             m ? "-" : "", target);
                    to(user, text);
                }
            snprintf(text, sizeof text, "IMQ r, %s, %s;\n", images[i], target);
            to(user, text);
            snprintf(text, sizeof text, "IMQS r, %s, %s;\n", images[i], target);
            to(user, text);
        }
        for (size_t o = 0; o < COUNT(operations); o++)
            for (size_t s = 0; s < COUNT(storage); s++) {
                snprintf(text, sizeof text, PLACE "ATOMIM.%s.%s r.x, %s, N, image[2], %s;\n", operations[o], storage[s],
                         s & 1 ? "-a" : "a", target);
                to(user, text);
            }
    }
}

void cover_memory(cover_sink *to, void *user)
{
    each_storage(to, user, "LDB", "in[P.x]", true);
    each_storage(to, user, "LDB", "in[P.x + 16]", true);
    each_storage(to, user, "LDB", "in[32]", true);
    each_storage(to, user, "LDB", "in[A.x]", true);
    each_storage(to, user, "LDS", "sm[P.w]", true);
    each_storage(to, user, "LDC", "cb[P.x]", true);
    each_storage(to, user, "LDC", "cb[16]", true);
    each_storage(to, user, "LDC", "cb[A.x]", true);
    each_storage(to, user, "LOAD", "Q.z", true);
    each_storage(to, user, "LDL", "P.x", true);
    each_storage(to, user, "STB", "own[P.z]", false);
    each_storage(to, user, "STB", "own[P.z + 16]", false);
    each_storage(to, user, "STS", "sm[P.w]", false);
    each_storage(to, user, "STORE", "Q.w", false);
    each_storage(to, user, "STL", "P.x", false);
    each_atomic(to, user, "ATOMB", "own[P.z + 8]");
    each_atomic(to, user, "ATOMS", "sm[P.w + 16]");
    each_atomic(to, user, "ATOM", "Q.w");
    each_counter(to, user);
}

/* ---- textures ---------------------------------------------------------------------------------------------------- */

/* Coordinates in N: floats about the texture, or whole numbers. */
#define FLOATS \
    HANDLES "CVT.F32.U32 N, a;\nMUL.F N, N, 0x33800000;\nAND.U N.w, a.w, 3;\nI2F.U N.w, N.w;\nMUL.F N.w, N.w, 0.7;\n"
#define NUMBERS HANDLES "AND.U N, a, {7, 7, 1, 1};\n"

void cover_textures(cover_sink *to, void *user, const char *kind)
{
    static const struct { const char *op, *place, *more; bool numbers; } rows[] = {
        {"TEX", "N", "", false}, {"TXB", "N", "", false}, {"TXB", "N, b", "", false}, {"TXL", "N", "", false},
        {"TXL", "N, b", "", false},
        {"TXP", "N", "", false}, {"TXD", "N, {0.1, 0.02, 0, 0}, {0, 0.3, 0.01, 1.5}", "", false},
        {"TXD", "N, N.zxyw, N.yxzw", "", false},
        {"TXD", "N, {0.1, 0.02, 0, 0}, {0, 0.3, 0.01, 1.5}", ".LODCLAMP", false}, {"TEX", "N, b", ".LODCLAMP", false},
        {"TXF", "N", "", true},
        {"TXFMS", "N", "", true}, {"TXG", "N", "", false}, {"TXGO", "N, {1, -2, 3, 0}, {-1, 0, 2, 40}", "", false},
        {"TXQ", "N.x", "", true},
        {"TXQ", "0", "", true}, {"LOD", "N", "", false}};
    static const char *const textures[] = {"texture[0]", "texture[1]", "tx[2]", "tx[A.x]", "texture[5]", "handle(Q.x)"},
    *const types[] = {"", ".F", ".S", ".U", ".F16", ".F64"},
        *const modifiers[] = {"", ".CC", ".SAT", ".SSAT", ".SPARSE"},
        *const offsets[] = {"", ", (1, -2, 1)", ", offset(c)", ", (3)", ", (1, -2)"};
    char text[COVER_LINE * 2];
    for (size_t r = 0; r < COUNT(rows); r++)
        for (unsigned t = TARGET_NONE + 1; t < TARGET_COUNT; t++)
            for (size_t x = 0; x < COUNT(textures) && is_target(t, kind); x++)
                for (size_t k = 0; k < COUNT(types) + COUNT(modifiers) + COUNT(offsets); k++) {
                    const char *type = k < COUNT(types) ? types[k] : "", *offset = "", *modifier = "";
                    if (k >= COUNT(types) && k < COUNT(types) + COUNT(modifiers))
                        modifier = modifiers[k - COUNT(types)];
                    if (k >= COUNT(types) + COUNT(modifiers))
                        offset = offsets[k - COUNT(types) - COUNT(modifiers)];
                    if (x > 1 && k % 5 != 0)
                        continue;
                    snprintf(text, sizeof text, "%s%s%s%s%s r, %s, %s, %s%s;\n", rows[r].numbers ? NUMBERS : FLOATS,
                             rows[r].op, type, rows[r].more, modifier, rows[r].place, textures[x], target_table[t].text,
                             offset);
                    to(user, text);
                }
    for (unsigned t = TARGET_NONE + 1; t < TARGET_COUNT; t++) {
        if (!is_target(t, kind))
            continue;
        snprintf(text, sizeof text, "TXQS r, texture[0], %s;\n", target_table[t].text);
        to(user, text);
        for (unsigned c = 0; c < 4; c++) {
            snprintf(text, sizeof text, FLOATS "TXG r, N, texture[%u].%c, %s;\n", c & 1, "xyzw"[c],
                     target_table[t].text);
            to(user, text);
            snprintf(text, sizeof text, FLOATS "TXG r, N, handle(Q.x).%c, %s;\n", "xyzw"[c], target_table[t].text);
            to(user, text);
        }
    }
}

/* ---- bindings ---------------------------------------------------------------------------------------------------- */

/* The words of a binding with numbers for its indices. */
static void put_words(const char *words, unsigned number, char *text, size_t size)
{
    size_t n = 0;
    for (; *words && n + 8 < size; words++) {
        if (words[0] == '[' && (words[1] == ']' || words[1] == '?')) {
            n += (size_t)snprintf(text + n, size - n, "[%u]", number);
            words += words[1] == '?' ? 2 : 1;
        } else {
            text[n++] = *words;
        }
    }
    text[n] = 0;
}

void cover_bindings(cover_sink *to, void *user)
{
    static const char *const forms[] = {"MOV.U r, %s;\n", "ADD.F r, %s, a;\n", "MOV.U r.x, %s.w;\n",
     "PARAM pp = %s;\nMOV.U r, pp;\n",
                                        "PARAM pp[] = { program.local[0], %s, program.env[1] };\nMOV.U r, pp[A.x];\n",
                                        "ATTRIB aa = %s;\nMOV.U r, aa.yxwz;\n"};
    char words[96], text[COVER_LINE];
    for (unsigned b = 0; b < BIND_COUNT; b++)
        for (unsigned number = 0; number < 3 && binding_table[b].profiles >> PROFILE_NVCP5 & 1; number++) {
            if (binding_table[b].class != BC_ATTRIB && binding_table[b].class != BC_PARAM)
                continue;
            put_words(binding_table[b].words, number, words, sizeof words);
            for (size_t i = 0; words[0] && i < COUNT(forms); i++) {
                snprintf(text, sizeof text, forms[i], words);
                to(user, text);
            }
        }
}
