/* What the oracle runs: a program, work groups, lanes, and the values that they hold. */
#ifndef GP5_TESTS_ORACLE_MACHINE_H
#define GP5_TESTS_ORACLE_MACHINE_H

#include "asm/program.h"
#include "tests/oracle/oracle.h"

enum { ORACLE_WARP = 32, ORACLE_CALLS = 32, ORACLE_LIMIT = 4000000 /* instructions of all lanes of a group */ };

/* A component: the bits of a 32- or 64-bit value, and whether they are undefined. A SHORT variable has the float that
 * who reads it as one gets, and the word beside it. */
struct oracle_value {
    uint64_t bits, word;
    bool undef, word_undef;
};

struct oracle_flags {
    bool s, z, o, c, undef;
};

/* A loop or a call that a lane is in. */
struct oracle_block {
    uint32_t pc;                /* the REP or the CAL */
    bool loop, endless;
    uint64_t iteration, iterations;       /* which iteration, of how many */
    uint64_t callee_order;            /* of a CALI: the order of its callees (barrier.c) */
};

enum oracle_state { LANE_RUNS, LANE_AT_EXCHANGE, LANE_AT_BARRIER, LANE_ENDED };

struct oracle_group;

struct oracle_lane {
    struct oracle_group *group;
    uint32_t index, id, warp;   /* in the group, in the warp, and which warp */
    struct oracle_value (*registers)[4];
    struct oracle_flags cc[2][4];
    bool resident, resident_undef;   /* what the last access with SPARSE left */
    uint32_t pc;                /* an instruction of the text */
    uint32_t here;              /* what is executed */
    struct oracle_block blocks[ORACLE_CALLS * 8];
    unsigned depth, calls;
    bool called;                /* pc was called: a label that is run into returns, one that is called does not */
    enum oracle_state state;
};

struct oracle_program {
    const struct gp5_program *text;
    struct gp5_program changed; /* the text as the driver has it (driver_text.c) */
    bool nvidia;
    uint32_t *first;            /* of each symbol its first register, or NO_INDEX */
    uint32_t nregisters;
    bool *read;                 /* of each symbol: it is an operand or an index somewhere */
    bool *indexed;              /* of each symbol: elements of it are named by computed indices */
    bool *label;                /* a label stands before the instruction */
    uint8_t *of_half; /* of each instruction: components of its first operand that may hold what half arithmetic
                       * made */
    uint32_t entry;
    bool lockstep;               /* some lanes of a warp may come to a BAR alone (barrier.c) */
};

/* What a warp gave to an operation that all of a work group have to give the same to. */
struct oracle_uniform {
    uint32_t insn, warp, time;
    uint64_t word;
    bool first;                 /* which gave it first */
};

struct oracle_group {
    const struct oracle_program *program;
    const struct oracle_launch *launch;
    struct oracle_outcome *outcome;
    uint32_t id[3], size[3];
    struct oracle_lane *lanes;
    uint32_t nlanes;
    uint64_t executed;          /* instructions */
    uint8_t *shared;
    bool *shared_undef;          /* a byte each */
    uint32_t shared_size;
    struct oracle_uniform *uniform;
    size_t nuniform;
};

static inline const struct insn *oracle_insn_at(const struct oracle_lane *l, uint32_t pc)
{
    return program_insn(l->group->program->text, pc);
}

#endif
