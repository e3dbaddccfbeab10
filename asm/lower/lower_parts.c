/* What the statements of several families of instructions have in common. */
#include "asm/lower/lower.h"

#include <stdio.h>
#include <string.h>

const char lower_letters[4] = {'x', 'y', 'z', 'w'};

void lower_need(struct lowering *l, enum gp5_option option)
{
    l->options |= UINT64_C(1) << option;
}

void lower_active_lanes(struct lowering *l)
{
    lower_need(l, OPTION_NV_shader_thread_group);
    lower_emit(l, "TGBALLOT.U %M.x, 1;");
}

/* A shuffle of 32 bits into T.y, or .xy with the predicate. */
static void shuffle_word(struct lowering *l, const char *op, const char *mask, const char *value, const char *index,
                         unsigned clamp)
{
    lower_need(l, OPTION_NV_shader_thread_shuffle);
    lower_emit(l, "%s.U %T.%s, %s, %s, %u;", op, mask, value, index, clamp);
}

/* The same of a value of whatever size; a 64-bit one comes in D.x. */
void lower_shuffle(struct lowering *l, const char *op, const char *mask, const char *value, const char *index,
                    unsigned clamp)
{
    if (!lower_is_wide(l)) {
        shuffle_word(l, op, mask, value, index, clamp);
        return;
    }
    lower_need(l, OPTION_NV_shader_thread_shuffle);
    lower_emit(l, "UP64.F %W.xy, %s;", value);
    lower_emit(l, "%s.U %T.%s, %W.x, %s, %u;", op, mask, index, clamp);
    lower_emit(l, "%s.U %W.y, %W.y, %s, %u;", op, index, clamp);
    lower_emit(l, "MOV.U %W.x, %T.y;");
    lower_emit(l, "PK64.U %D.x, %W;");
}

const char *lower_shuffled(struct lowering *l, lower_operand_text text)
{
    snprintf(text, sizeof(lower_operand_text), "%s", lower_is_wide(l) ? l->name[LOWER_D] : l->name[LOWER_T]);
    strcat(text, lower_is_wide(l) ? ".x" : ".y");
    return text;
}

const char *lower_move_of(const struct lowering *l)
{
    return lower_is_wide(l) ? "MOV.U64" : "MOV.U";
}

unsigned lower_components(const struct lowering *l, unsigned list[4])
{
    unsigned n = 0;
    for (unsigned c = 0; c < 4; c++)
        if (l->insn->dst.mask >> c & 1)
            list[n++] = c;
    return n;
}

/* A shuffle straight to the result. */
void lower_shuffle_to_result(struct lowering *l, const char *op, const char *value, const char *index, unsigned clamp,
                              unsigned c)
{
    lower_operand_text to, from;
    lower_target(l, c, to);
    if (lower_is_direct(l) && lower_target_is_y(l, c)) {
        lower_need(l, OPTION_NV_shader_thread_shuffle);
        lower_emit(l, "%s.U %s, %s, %s, %u;", op, to, value, index, clamp);
        return;
    }
    lower_shuffle(l, op, "y", value, index, clamp);
    lower_emit(l, "%s %s, %s;", lower_move_of(l), to, lower_shuffled(l, from));
}

const char *lower_name(const struct lowering *l, enum lower_temporary t, char c, lower_operand_text text)
{
    snprintf(text, sizeof(lower_operand_text), "%s.%c", l->name[t], c);
    return text;
}

const char *lower_type_suffix(const struct lowering *l, bool precise)
{
    switch (l->insn->type) {
    case DT_S8: case DT_S16: case DT_S32: return ".S";
    case DT_U8: case DT_U16: case DT_U32: return ".U";
    case DT_S64: return ".S64";
    case DT_U64: return ".U64";
    case DT_F64: return precise ? ".F64.PREC" : ".F64";
    case DT_F16: return precise ? ".F16.PREC" : ".F16";
    default: return precise ? ".F.PREC" : ".F";
    }
}

bool lower_is_small(const struct lowering *l)
{
    return !type_table[l->insn->type].is_float && type_table[l->insn->type].bytes < 4;
}

void lower_extend(struct lowering *l, const char *to, const char *from)
{
    unsigned bits = type_table[l->insn->type].bytes * 8u;
    lower_emit(l, type_table[l->insn->type].is_signed ? "BFE.S %s, {%u, 0, 0, 0}, %s;" : "BFE.U %s, {%u, 0, 0, 0}, %s;",
               to, bits, from);
}

enum lower_temporary lower_values(const struct lowering *l)
{
    return lower_is_wide(l) ? LOWER_L : LOWER_V;
}

bool lower_cluster_size(struct lowering *l, unsigned k, uint32_t *size)
{
    if (lower_literal(l, k, size) && *size && *size <= LOWER_WARP && !(*size & (*size - 1)))
        return true;
    l->refusal = "a cluster whose size is no power of two up to 32";
    return false;
}

/* The answer stands in one place and goes to every component of the mask. */
void lower_spread(struct lowering *l, const char *statement)
{
    unsigned list[4], n = lower_components(l, list);
    lower_operand_text to;
    char line[300];
    for (unsigned i = 0; i < n; i++) {
        lower_target(l, list[i], to);
        snprintf(line, sizeof line, statement, to);
        lower_emit(l, "%s", line);
    }
    lower_finish(l);
}

