/* SPIR-V modules, word by word: just what the compute shaders of tests/tools/subgroup_spirv.c need. */
#ifndef TESTS_SPIRV_H
#define TESTS_SPIRV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SPIRV_SECTION = 4096, SPIRV_MODULE = 4 * SPIRV_SECTION };

/* The numbers of the specification that are used, and no others. */
enum {
    SPV_OP_EXTENSION = 10, SPV_OP_MEMORY_MODEL = 14, SPV_OP_ENTRY_POINT = 15, SPV_OP_EXECUTION_MODE = 16,
    SPV_OP_CAPABILITY = 17,
    SPV_OP_TYPE_VOID = 19, SPV_OP_TYPE_BOOL, SPV_OP_TYPE_INT, SPV_OP_TYPE_FLOAT, SPV_OP_TYPE_VECTOR,
    SPV_OP_TYPE_ARRAY = 28,
    SPV_OP_TYPE_RUNTIME_ARRAY, SPV_OP_TYPE_STRUCT, SPV_OP_TYPE_POINTER = 32, SPV_OP_TYPE_FUNCTION,
    SPV_OP_CONSTANT = 43, SPV_OP_CONSTANT_NULL = 46, SPV_OP_FUNCTION = 54, SPV_OP_FUNCTION_END = 56,
    SPV_OP_VARIABLE = 59,
    SPV_OP_LOAD = 61, SPV_OP_STORE, SPV_OP_ACCESS_CHAIN = 65, SPV_OP_DECORATE = 71, SPV_OP_MEMBER_DECORATE,
    SPV_OP_COMPOSITE_CONSTRUCT = 80, SPV_OP_COMPOSITE_EXTRACT, SPV_OP_UCONVERT = 113, SPV_OP_BITCAST = 124,
    SPV_OP_IADD = 128,
    SPV_OP_ISUB = 130, SPV_OP_IMUL = 132, SPV_OP_SELECT = 169, SPV_OP_IEQUAL, SPV_OP_INOT_EQUAL,
    SPV_OP_ULESS_THAN = 176,
    SPV_OP_SHIFT_RIGHT = 194, SPV_OP_SHIFT_LEFT = 196, SPV_OP_BITWISE_OR, SPV_OP_BITWISE_AND = 199,
    SPV_OP_CONTROL_BARRIER = 224,
    SPV_OP_MEMORY_BARRIER, SPV_OP_LOOP_MERGE = 246, SPV_OP_SELECTION_MERGE, SPV_OP_LABEL, SPV_OP_BRANCH,
    SPV_OP_BRANCH_CONDITIONAL, SPV_OP_RETURN = 253
};
enum { SPV_INPUT = 1, SPV_WORKGROUP = 4, SPV_FUNCTION = 7, SPV_STORAGE_BUFFER = 12 };

/* A run of words; what does not fit is dropped and remembered. */
struct spirv_words {
    uint32_t word[SPIRV_SECTION];
    size_t count;
    bool overflow;
};

struct spirv {
    uint32_t ids;                           /* the next free one; 0: none was given out */
    struct spirv_words capabilities, extensions, decorations, globals, body;        /* in the module's order */
    uint32_t interface[32], interfaces;
};

/* An instruction of these operands: words `count`. */
void spirv_put(struct spirv_words *w, unsigned op, const uint32_t *operands, size_t count);
#define SPIRV_PUT(section, op, ...) \
    spirv_put(section, op, (const uint32_t[]){__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))

uint32_t spirv_id(struct spirv *m);

/* A type (`type` 0) or constant that the module has once, made when it is new. */
uint32_t spirv_global(struct spirv *m, unsigned op, uint32_t type, const uint32_t *operands, size_t count);
#define SPIRV_TYPE(m, op, ...) \
    spirv_global(m, op, 0, (const uint32_t[]){__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))

/* An instruction of the function with a result. */
uint32_t spirv_do(struct spirv *m, unsigned op, uint32_t type, const uint32_t *operands, size_t count);
#define SPIRV_DO(m, op, type, ...) \
    spirv_do(m, op, type, (const uint32_t[]){__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))

void spirv_capability(struct spirv *m, uint32_t capability);
void spirv_extension(struct spirv *m, const char *name);

/* Puts the sections together behind a header and the entry point "main"; the number of words, 0 when something did not
 * fit. */
size_t spirv_finish(const struct spirv *m, uint32_t version, uint32_t function, const uint32_t local[3],
                    uint32_t words[SPIRV_MODULE]);

#endif
