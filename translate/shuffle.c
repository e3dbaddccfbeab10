/* The functions that shuffles, MATCH and QSWZ need: GL_ARB_shader_ballot reads one lane for all, so a loop asks every
 * lane that is here in turn. The rules are those of the evaluator (eval/machine/shuffle.h). A warp has 32 lanes at
 * most: of a larger subgroup each half is one. Quads are four lanes that follow each other. */
#include "translate/translate.h"

void tr_declare_exchange(struct tr *t, struct tr_text *out)
{
    if (t->needed & (NEED_SHUFFLE | NEED_MATCH | NEED_QUAD))
        tr_puts(out, "uint gp5_base() { return gl_SubGroupInvocationARB & ~31u; }\n"
                     "uint gp5_here()\n{\n    uvec2 here = unpackUint2x32(ballotARB(true));\n"
                     "    return gp5_base() == 0u ? here.x : here.y;\n}\n"
                     "bool gp5_is_here(uint lane)\n{\n    uvec2 here = unpackUint2x32(ballotARB(true));\n"
                     "    return ((lane < 32u ? here.x : here.y) >> (lane & 31u) & 1u) != 0u;\n}\n");
    if (t->needed & NEED_SHUFFLE)
        tr_puts(out, "uvec4 gp5_shuffle(uint way, uint value, uint by, uint mask, uint yes)\n{\n"
                     "    int id = int(gl_SubGroupInvocationARB & 31u), segment = int(mask >> 8 & 31u);\n"
                     "    int by5 = int(by & 31u), least = id & segment, most = least | int(mask & 31u) & ~segment;\n"
                     "    int from = way == 0u ? id - by5 : way == 1u ? id + by5\n"
                     "        : way == 2u ? least | by5 & ~segment : id ^ by5;\n"
                     "    bool there = way == 0u ? from >= most : from <= most;\n"
                     "    uint lane = gp5_base() + uint(there ? from : id), moved = 0u;\n"
                     "    for (uint i = 0u; i < gl_SubGroupSizeARB; i++)\n        if (gp5_is_here(i)) {\n"
                     "            uint other = readInvocationARB(value, i);\n"
                     "            moved = i == lane ? other : moved;\n        }\n"
                     "    return uvec4(there ? yes : 0u, moved, 0u, 0u);\n}\n");
    if (t->needed & NEED_MATCH)
        tr_puts(out, "uvec4 gp5_match(uvec2 value, bool all)\n{\n    uint same = 0u;\n"
                     "    for (uint i = 0u; i < gl_SubGroupSizeARB; i++)\n        if (gp5_is_here(i)) {\n"
                     "            uvec2 other = readInvocationARB(value, i);\n"
                     "            same |= other == value && (i & ~31u) == gp5_base() ? 1u << (i & 31u) : 0u;\n"
                     "        }\n    if (!all) return uvec4(same);\n"
                     "    return same == gp5_here() ? uvec4(~0u, same, ~0u, ~0u) : uvec4(0u);\n}\n");
    if (t->needed & NEED_QUAD)
        tr_puts(out, "vec4 gp5_quad(vec4 a, vec4 b, uint dropped, uint turned, bool all)\n{\n"
                     "    uint lane = (gl_SubGroupInvocationARB & ~dropped) ^ turned;\n    vec4 moved = vec4(0.0);\n"
                     "    for (uint i = 0u; i < gl_SubGroupSizeARB; i++)\n        if (all || gp5_is_here(i)) {\n"
                     "            vec4 other = readInvocationARB(a, i);\n"
                     "            moved = i == lane ? other : moved;\n        }\n"
                     "    bool whole = all || (gp5_here() >> (gl_SubGroupInvocationARB & 28u) & 15u) == 15u;\n"
                     "    return whole ? moved + b : vec4(0.0);\n}\n");
}
