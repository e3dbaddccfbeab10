/* What a program consists of, in numbers. */
#ifndef GP5_ASM_STATS_H
#define GP5_ASM_STATS_H

#include "asm/program.h"

enum metric {
#define METRIC(id, group, key, text) METRIC_##id,
#include "asm/stats.def"
#undef METRIC
    METRIC_COUNT
};

struct metric_info {
    const char *group, *key, *text;
};
extern const struct metric_info metric_table[METRIC_COUNT];

/* The value of a metric that could not be counted. */
#define NOT_COUNTED UINT64_MAX

struct stats {
    uint64_t value[METRIC_COUNT];
    uint32_t ops[OP_COUNT];     /* how often each opcode stands in the program */
    uint32_t live_at;           /* the first instruction with the most components alive */
};

/* For a program without syntax errors. False without memory. */
bool asm_stats(const struct gp5_program *program, struct stats *stats);

#endif
