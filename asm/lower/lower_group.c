/* The statements that do what one instruction of OPTION GP5_subgroup does. All of them work under divergence and in
 * warps with fewer lanes: which lanes there are is asked (TGBALLOT) where it matters, and no lane reads one that is not
 * active. */
#include "asm/lower/lower.h"

void lower_instruction(struct lowering *l)
{
    enum { QUAD = (32 - 4) << 8 | 31 };
    switch (l->insn->op) {
    case OP_SGVAR: lower_variable(l); break;
    case OP_SGELECT: lower_elect(l); break;
    case OP_SGBAR: lower_emit(l, "MEMBAR;"); break;
    case OP_SGMEMBAR: lower_emit(l, l->insn->atomic == MOD_SHARED ? "MEMBAR.CTA;" : "MEMBAR;"); break;
    case OP_SGALL: lower_vote(l, "TGALL"); break;
    case OP_SGANY: lower_vote(l, "TGANY"); break;
    case OP_SGEQ: lower_all_equal(l); break;
    case OP_SGBCAST: lower_plain_shuffle(l, "SHFIDX", 31); break;
    case OP_SGFIRST: lower_first(l); break;
    case OP_SGBALLOT: lower_ballot(l); break;
    case OP_SGBINV: lower_of_ballot(l, "SNE", "invocation.threadeqmask.x"); break;
    case OP_SGBBIT: lower_ballot_bit(l); break;
    case OP_SGBCNT: lower_of_ballot(l, "BTC", NULL); break;
    case OP_SGBCNTI: lower_of_ballot(l, "BTC", "invocation.threadlemask.x"); break;
    case OP_SGBCNTX: lower_of_ballot(l, "BTC", "invocation.threadltmask.x"); break;
    case OP_SGBLSB: lower_of_ballot(l, "BTFL", NULL); break;
    case OP_SGBMSB: lower_of_ballot(l, "BTFM", NULL); break;
    case OP_SGRED: case OP_SGREDC: case OP_SGREDP: case OP_SGISCAN: case OP_SGISCANP: case OP_SGXSCAN: case OP_SGXSCANP:
        lower_scan(l);
        break;
    case OP_SGPART: lower_partition(l); break;
    case OP_SGSHFIDX: lower_plain_shuffle(l, "SHFIDX", 31); break;
    case OP_SGSHFXOR: lower_plain_shuffle(l, "SHFXOR", 31); break;
    case OP_SGSHFUP: lower_plain_shuffle(l, "SHFUP", 0); break;
    case OP_SGSHFDN: lower_plain_shuffle(l, "SHFDOWN", 31); break;
    case OP_SGROT: lower_rotate(l, false); break;
    case OP_SGROTC: lower_rotate(l, true); break;
    case OP_SGQBCAST: lower_plain_shuffle(l, "SHFIDX", QUAD); break;
    case OP_SGQSWAPH: lower_move_all(l, "SHFXOR", "1", QUAD); break;
    case OP_SGQSWAPV: lower_move_all(l, "SHFXOR", "2", QUAD); break;
    case OP_SGQSWAPD: lower_move_all(l, "SHFXOR", "3", QUAD); break;
    case OP_SGNVIDX: lower_shuffle_nv(l, "SHFIDX", false); break;
    case OP_SGNVUP: lower_shuffle_nv(l, "SHFUP", true); break;
    case OP_SGNVDOWN: lower_shuffle_nv(l, "SHFDOWN", false); break;
    case OP_SGNVXOR: lower_shuffle_nv(l, "SHFXOR", false); break;
    default: l->refusal = "this instruction"; break;
    }
}
