/* Votes, ballots, and the variables of the subgroup. */
#include "asm/lower/lower.h"

#include <stdio.h>
#include <string.h>

void lower_vote(struct lowering *l, const char *op)
{
    unsigned list[4], n = lower_components(l, list);
    lower_operand_text value, to;
    for (unsigned i = 0; i < n; i++) {
        lower_value(l, 0, list[i], value);
        lower_emit(l, "%s%s %s, %s;", op, lower_type_suffix(l, false), lower_target(l, list[i], to), value);
    }
    lower_finish(l);
}

void lower_ballot(struct lowering *l)
{
    const struct operand *o = program_operand(l->p, l->insn->src);
    bool wide = lower_is_wide(l);
    unsigned mask = l->insn->dst.mask;
    lower_operand_text value, to;
    lower_need(l, OPTION_NV_shader_thread_group);
    if (mask & 1) {
        if (wide) {
            if (o->kind == OPND_SYMBOL && program_symbol(l->p, o->ref)->size == SIZE_LONG) {
                lower_emit(l, "SNE.U64 %M.x, %s, 0;", lower_value(l, 0, 0, value));
                lower_name(l, LOWER_M, 'x', value);
            } else {
                lower_word(l, 0, "z", value);
            }
            lower_emit(l, "TGBALLOT.U %M.x, %s;", value);
            lower_emit(l, "CVT.U64.U32 %s, %M.x;", lower_target(l, 0, to));
        } else {
            lower_value(l, 0, 0, value);
            lower_emit(l, "TGBALLOT%s %s, %s;", lower_type_suffix(l, false), lower_target(l, 0, to), value);
        }
    }
    for (unsigned c = 1; c < 4; c++)
        if (mask >> c & 1)
            lower_emit(l, "%s %s, 0;", lower_move_of(l), lower_target(l, c, to));
    lower_finish(l);
}

void lower_of_ballot(struct lowering *l, const char *op, const char *lanes)
{
    lower_operand_text ballot;
    char line[300];
    lower_word(l, 0, "z", ballot);
    if (lanes) {
        lower_need(l, OPTION_NV_shader_thread_group);
        lower_emit(l, "AND.U %M.x, %s, %s;", ballot, lanes);
        lower_name(l, LOWER_M, 'x', ballot);
    }
    snprintf(line, sizeof line, "%s.U %%s, %s%s;", op, ballot, strcmp(op, "SNE") ? "" : ", 0");
    lower_spread(l, line);
}

void lower_ballot_bit(struct lowering *l)
{
    lower_operand_text ballot, index;
    char line[300];
    uint32_t bit;
    lower_word(l, 0, "z", ballot);
    if (lower_literal(l, 1, &bit) && bit < LOWER_WARP) {
        lower_emit(l, "AND.U %M.x, %s, %u;", ballot, 1u << bit);
    } else {
        lower_emit(l, "SHL.U %M.x, 1, %s;", lower_word(l, 1, "w", index));
        lower_emit(l, "AND.U %M.x, %M.x, %s;", ballot);
    }
    snprintf(line, sizeof line, "SNE.U %%s, %s, 0;", lower_name(l, LOWER_M, 'x', ballot));
    lower_spread(l, line);
}

void lower_elect(struct lowering *l)
{
    lower_operand_text lane;
    char line[300];
    lower_active_lanes(l);
    lower_emit(l, "BTFL.U %M.y, %M.x;");
    snprintf(line, sizeof line, "SEQ.U %%s, invocation.threadid.x, %s;", lower_name(l, LOWER_M, 'y', lane));
    if (l->insn->type == DT_F32) {
        lower_emit(l, "SEQ.U %M.z, invocation.threadid.x, %M.y;");
        snprintf(line, sizeof line, "AND.U %%s, %s, 0x3f800000;", lower_name(l, LOWER_M, 'z', lane));
    }
    lower_spread(l, line);
}

void lower_variable(struct lowering *l)
{
    static const struct { uint8_t id; const char *statement, *wide; } rows[] = {
        {MOD_SIZE, "MOV.U %s, state.thread.warpsize.x;", "state.thread.warpsize.x"},
        {MOD_LANE, "MOV.U %s, invocation.threadid.x;", "invocation.threadid.x"},
        {MOD_ID, "SHR.U %s, invocation.localindex.x, 5;", NULL},
        {MOD_EQMASK, "MOV.U %s, invocation.threadeqmask.x;", "invocation.threadeqmask.x"},
        {MOD_GEMASK, "MOV.U %s, invocation.threadgemask.x;", "invocation.threadgemask.x"},
        {MOD_GTMASK, "MOV.U %s, invocation.threadgtmask.x;", "invocation.threadgtmask.x"},
        {MOD_LEMASK, "MOV.U %s, invocation.threadlemask.x;", "invocation.threadlemask.x"},
        {MOD_LTMASK, "MOV.U %s, invocation.threadltmask.x;", "invocation.threadltmask.x"}};
    const uint32_t *g = l->p->group_size;
    uint64_t count = ((uint64_t)(g[0] ? g[0] : 1) * (g[1] ? g[1] : 1) * (g[2] ? g[2] : 1) + 31) / 32;
    bool wide = lower_is_wide(l);
    char line[300];
    lower_need(l, OPTION_NV_shader_thread_group);
    snprintf(line, sizeof line, "%s %%s, %u;", lower_move_of(l), (unsigned)count);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (rows[i].id != l->insn->atomic)
            continue;
        if (wide && rows[i].wide)
            snprintf(line, sizeof line, "CVT.U64.U32 %%s, %s;", rows[i].wide);
        else
            snprintf(line, sizeof line, "%s", rows[i].statement);
        if (wide && !rows[i].wide) {
            lower_emit(l, "SHR.U %M.x, invocation.localindex.x, 5;");
            lower_operand_text id;
            snprintf(line, sizeof line, "CVT.U64.U32 %%s, %s;", lower_name(l, LOWER_M, 'x', id));
        }
    }
    lower_spread(l, line);
}

