/* Shuffles, broadcasts and rotations: one SHF* of each component. */
#include "asm/lower/lower.h"

#include <stdio.h>
#include <string.h>

void lower_move_all(struct lowering *l, const char *op, const char *index, unsigned clamp)
{
    unsigned list[4], n = lower_components(l, list);
    for (unsigned i = 0; i < n; i++) {
        lower_operand_text value;
        lower_value(l, 0, list[i], value);
        lower_shuffle_to_result(l, op, value, index, clamp, list[i]);
    }
    lower_finish(l);
}

void lower_plain_shuffle(struct lowering *l, const char *op, unsigned clamp)
{
    lower_operand_text index;
    lower_move_all(l, op, lower_word(l, 1, "z", index), clamp);
}

void lower_first(struct lowering *l)
{
    lower_operand_text index;
    lower_active_lanes(l);
    lower_emit(l, "BTFL.U %M.y, %M.x;");
    lower_move_all(l, "SHFIDX", lower_name(l, LOWER_M, 'y', index), 31);
}

void lower_rotate(struct lowering *l, bool clustered)
{
    lower_operand_text index;
    uint32_t size = LOWER_WARP;
    if (clustered && !lower_cluster_size(l, 2, &size))
        return;
    lower_need(l, OPTION_NV_shader_thread_group);
    lower_word(l, 1, "z", index);
    lower_emit(l, "ADD.U %M.y, invocation.threadid.x, %s;", index);
    lower_move_all(l, "SHFIDX", lower_name(l, LOWER_M, 'y', index), (LOWER_WARP - size) << 8 | 31);
}

/* shuffleNV and its like: the mask is made of the width. */
void lower_shuffle_nv(struct lowering *l, const char *op, bool up)
{
    lower_operand_text value, index, width, mask, to;
    const struct result *r = &l->insn->dst;
    uint32_t size;
    lower_need(l, OPTION_NV_shader_thread_shuffle);
    lower_value(l, 0, 0, value);
    lower_word(l, 1, "z", index);
    if (lower_literal(l, 2, &size)) {
        if (size < 2 || size > LOWER_WARP || size & (size - 1)) {
            l->refusal = "a width that is no power of two from 2 to 32";
            return;
        }
        snprintf(mask, sizeof mask, "%u", (LOWER_WARP - size) << 8 | (up ? 0u : 31u));
    } else {
        lower_emit(l, "MAD.S %M.y, %s, -256, %u;", lower_word(l, 2, "w", width), up ? 8192u : 8223u);
        lower_name(l, LOWER_M, 'y', mask);
    }
    bool plain = !r->condition.written && r->kind == OPND_SYMBOL && !r->nindices && !(r->mask & 12) &&
                 program_symbol(l->p, r->ref)->kind == SYM_TEMP && program_symbol(l->p, r->ref)->size == SIZE_DEFAULT;
    const char *type = l->insn->type == DT_F32 ? "F" : l->insn->type == DT_S32 ? "S" : "U";
    if (plain) {
        struct span place = program_result_span(l->p, l->insn);
        snprintf(to, sizeof to, "%.*s", (int)(place.length < 100 ? place.length : 100), l->p->text + place.offset);
        lower_emit(l, "%s.%s %s, %s, %s, %s;", op, type, to, value, index, mask);
        return;
    }
    lower_emit(l, "%s.%s %V.xy, %s, %s, %s;", op, type, value, index, mask);
    if (!lower_is_direct(l)) {
        lower_finish(l);
        return;
    }
    lower_emit(l, "MOV.U %s, %V;", lower_target(l, r->mask & 2 ? 1 : 0, to));
}

