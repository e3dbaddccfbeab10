/* The cases of tests/tools/subgroup_cases.h as compute shaders in SPIR-V. */
#ifndef TESTS_SUBGROUP_SPIRV_H
#define TESTS_SUBGROUP_SPIRV_H

#include "tests/tools/spirv.h"
#include "tests/tools/subgroup_cases.h"

/* Writes the module; the number of its words, 0 when SPIR-V has no such operation. Storage 0 is the input, 1 the
 * output, one invocation a record; to be dispatched with SUBGROUP_WORK_GROUPS work groups. */
size_t subgroup_spirv(const struct subgroup_case *c, uint32_t words[SPIRV_MODULE]);

#endif
