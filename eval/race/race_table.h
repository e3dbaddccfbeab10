/* What the files about races share: accesses, the cells that remember them, the races that were found. */
#ifndef GP5_EVAL_RACE_TABLE_H
#define GP5_EVAL_RACE_TABLE_H

#include "eval/race/race.h"

#include "asm/diag.h"

enum { NO_RACE = 0 };
enum { ACCESS_NONE, ACCESS_READ, ACCESS_WRITE, ACCESS_ATOMIC };

/* The ways to memory that nothing in a launch keeps in order, not even for one invocation: textures have caches of
 * their own, and NVIDIA's compiler takes addresses and buffers for different memory. */
enum race_path { BY_NAME, BY_ADDRESS, BY_TEXTURE };

/* An access, as a cell remembers it. */
struct race_access {
    uint8_t kind;
    uint8_t lane;
    uint16_t warp;
    uint8_t path;               /* enum race_path */
    uint32_t access;            /* index of the struct access; not of a texture's */
    uint32_t insn, group;
    uint32_t interval;          /* barrier intervals, counted through all groups */
    uint32_t value;             /* stored, or the operand of an atomic operation */
};

struct race_memory {
    uint8_t space;
    uint32_t binding;
    uint64_t cells;
    struct page **pages;
};

/* Races between two instructions are one, counted. */
struct race {
    struct race_access first, second;
    bool order;                 /* of atomic operations */
    const struct race_memory *memory;
    uint64_t address, count;
};

struct race_table {
    const struct gp5_executable *x;
    unsigned shift;             /* of an address to its cell */
    uint32_t interval;
    struct race_memory *memories;
    size_t nmemories, nstorage, ncounters;
    struct vec races;
    uint32_t *slots;            /* by hash: a race's number from 1, or 0; a power of two of them, more than races */
    size_t nslots;
    uint64_t total;
    struct line_index lines;    /* of the program's text */
};

/* What an access finds: a race, or NO_RACE; and what depends on it. */
struct race_result {
    uint32_t race;
    bool in_memory, in_result;
    bool failed;                /* no memory */
};

/* Notes an access to a value's bytes: its first race counts. */
struct race_result eval_race_touch(struct race_table *t, struct race_memory *m, struct race_access *now,
                                   uint64_t address, uint32_t bytes, uint64_t value);

#endif
