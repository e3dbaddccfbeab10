/* The cases of tests/tools/subgroup_cases.h as compute shaders in GLSL. */
#ifndef TESTS_SUBGROUP_GLSL_H
#define TESTS_SUBGROUP_GLSL_H

#include "tests/tools/subgroup_cases.h"

enum { SUBGROUP_GLSL_SIZE = 8192 };

/* Writes the shader; false when GLSL has no such built-in. Storage 0 is the input, 1 the output, one invocation a
 * record; to be dispatched with SUBGROUP_WORK_GROUPS work groups. */
bool subgroup_glsl(const struct subgroup_case *c, char text[SUBGROUP_GLSL_SIZE]);

#endif
