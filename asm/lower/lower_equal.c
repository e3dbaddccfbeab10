/* All-equal and the partition of a value: by MATCH where that is allowed, else by shuffles. */
#include "asm/lower/lower.h"

#include <stdio.h>
#include <string.h>

/* M.z or (64-bit) M.z: whether the lane holds what lane M.y holds. */
static void compare_with_lane(struct lowering *l, const char *value, const char *modifier)
{
    lower_operand_text lane, from;
    lower_shuffle(l, "SHFIDX", "y", value, lower_name(l, LOWER_M, 'y', lane), 31);
    lower_emit(l, "SEQ%s%s %M.z, %s, %s;", lower_type_suffix(l, false), modifier, value, lower_shuffled(l, from));
}

/* MATCH compares words: to it 0 and -0 are two floats, and NaNs may be the same. */
static bool can_match(const struct lowering *l)
{
    return l->allow_internal && !lower_is_wide(l) && !type_table[l->insn->type].is_float;
}

static void compared_value(struct lowering *l, unsigned c, lower_operand_text value)
{
    lower_operand_text copy;
    lower_value(l, 0, c, value);
    if (!lower_is_small(l))
        return;
    lower_extend(l, lower_name(l, LOWER_V, lower_letters[c], copy), value);
    l->used |= 1u << LOWER_V;
    memcpy(value, copy, sizeof copy);
}

void lower_all_equal(struct lowering *l)
{
    unsigned list[4], n = lower_components(l, list);
    bool match = can_match(l), as_float = type_table[l->insn->type].is_float;
    lower_operand_text value, to;
    if (match) {
        lower_need(l, OPTION_NV_internal);
    } else {
        lower_active_lanes(l);
        lower_emit(l, "BTFL.U %M.y, %M.x;");
    }
    for (unsigned i = 0; i < n; i++) {
        compared_value(l, list[i], value);
        lower_target(l, list[i], to);
        if (match) {
            lower_emit(l, "MATCH.ALL.U %M.y, %s;", value);
            lower_emit(l, "SNE.U %s, %M.y, 0;", to);
        } else {
            compare_with_lane(l, value, "");
            lower_emit(l, "TGALL%s %s, %M.z;", as_float && !lower_is_wide(l) ? ".F" : ".U", to);
        }
    }
    lower_finish(l);
}

/* One pass a distinct value: all lanes with the value of the lowest lane that is left. A NaN is equal to nothing, so
 * that the lane which was asked is added. */
static void distinct_values(struct lowering *l, const char *value, const char *to)
{
    bool as_float = type_table[l->insn->type].is_float;
    lower_active_lanes(l);
    lower_emit(l, "REP.S;");
    lower_emit(l, "BTFL.U %M.y, %M.x;");
    compare_with_lane(l, value, "");
    if (as_float) {
        lower_emit(l, "SEQ.U %M.w, invocation.threadid.x, %M.y;");
        lower_emit(l, "OR.U %M.z, %M.z, %M.w;");
    }
    lower_emit(l, "TGBALLOT.U %M.w, %M.z;");
    lower_emit(l, "SNE.U.CC%d %M.z, %M.z, 0;", l->cc);
    lower_emit(l, "MOV.U %s (NE%d.z), %M.w;", to, l->cc);
    lower_emit(l, "XOR.U.CC%d %M.x, %M.x, %M.w;", l->cc);
    lower_emit(l, "BRK (EQ%d.x);", l->cc);
    lower_emit(l, "ENDREP;");
}

void lower_partition(struct lowering *l)
{
    lower_operand_text value, to;
    unsigned mask = l->insn->dst.mask;
    compared_value(l, 0, value);
    if (can_match(l)) {
        lower_need(l, OPTION_NV_internal);
        if (mask & 1) {
            /* Into y, where lanes stand (asm/check/warn_match.c). */
            lower_emit(l, "MATCH.ANY.U %M.y, %s;", value);
            lower_emit(l, "MOV.U %s, %M.y;", lower_target(l, 0, to));
        }
    } else if (l->cc < 0) {
        l->refusal = "the program uses both condition code registers, and a loop needs one";
        return;
    } else if (mask & 1) {
        /* The value is read until the last pass: the result must not stand in its place. */
        const struct operand *o = program_operand(l->p, l->insn->src);
        lower_operand_text found;
        lower_target(l, 0, to);
        if (lower_is_direct(l) && !(o->kind == OPND_SYMBOL && o->ref == l->insn->dst.ref)) {
            distinct_values(l, value, to);
        } else {
            distinct_values(l, value, lower_name(l, LOWER_T, 'z', found));
            lower_emit(l, "MOV.U %s, %T.z;", to);
        }
    }
    for (unsigned c = 1; c < 4; c++)
        if (mask >> c & 1)
            lower_emit(l, "MOV.U %s, 0;", lower_target(l, c, to));
    lower_finish(l);
}

