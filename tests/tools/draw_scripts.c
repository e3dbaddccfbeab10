/* Scripts that draw, by chance: draw_scripts NUMBER prints the one of that number, always the same. Each draws once or
 * twice, with primitives of every mode, vertices in front of the eye and behind it, and a state of its own; what Mesa
 * is known to do otherwise (flat colours under a fragment program) is left out. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "compare/script/data.h"

static uint64_t seed, drawn;

static uint32_t chance(uint32_t below)
{
    return (uint32_t)(data_random(seed, drawn++) >> 33) % below;
}

static double between(double low, double high)
{
    return low + (high - low) * chance(1 << 20) / (1 << 20);
}

static void put_program(bool fixed_position)
{
    puts("[vertex program]\n!!ARBvp1.0");
    if (fixed_position)
        puts("OPTION ARB_position_invariant;");
    else
        puts("MOV result.position, vertex.position;");
    switch (chance(3)) {
    case 0: puts("MOV result.color, vertex.color;"); break;
    case 1: puts("MUL result.color, vertex.color, program.local[0];"); break;
    default: puts("MAD result.color, vertex.position, 0.25, vertex.color;"); break;
    }
    puts("MOV result.color.back, { 0.25, 0.5, 0.75, 1 };\nMOV result.pointsize.x, program.local[1].x;\n"
         "MOV result.texcoord[0], vertex.texcoord[0];\nMAD result.texcoord[1], vertex.position, 0.5, 0.5;\nEND\n");
}

/* False: the fixed function. */
static bool put_fragments(void)
{
    switch (chance(5)) {
    case 0: return false;
    case 1: puts("[fragment program]\n!!ARBfp1.0\nMOV result.color, fragment.color;\nEND\n"); break;
    case 2:
        puts("[fragment program]\n!!ARBfp1.0\nTEMP t;\nMUL t, fragment.texcoord[0], fragment.texcoord[1].yxzw;\n"
             "ADD_SAT result.color, t, fragment.color;\nEND\n");
        break;
    case 3:
        puts("[fragment program]\n!!ARBfp1.0\nTEMP t;\nTEX t, fragment.texcoord[0], texture[0], 2D;\n"
             "MUL result.color, t, fragment.color;\nEND\n");
        break;
    default:
        puts("[fragment program]\n!!ARBfp1.0\nTEMP t;\nSUB t, fragment.texcoord[0].x, 0.3;\nKIL t.x;\n"
             "MOV result.color, fragment.texcoord[1];\nEND\n");
        break;
    }
    return true;
}

static void put_vertices(unsigned count, bool fixed_position)
{
    bool depth = chance(3) != 0, perspective = !fixed_position && chance(2), behind = perspective && chance(4) == 0;

    puts("[vertex data]\nvertex.position/float/4 vertex.color/float/4 vertex.texcoord[0]/float/4");
    for (unsigned i = 0; i < count; i++) {
        double w = perspective ? between(behind ? -1 : 0.3, 3) : 1;
        printf("%.6f %.6f %.6f %.6f  ", between(-1.3, 1.3) * (w > 0 ? w : 1), between(-1.3, 1.3) * (w > 0 ? w : 1),
               depth ? between(-1.1, 1.1) * w : 0, w);
        printf("%.6f %.6f %.6f %.6f  ", between(-0.1, 1.1), between(0, 1), between(0, 1), between(0, 1));
        printf("%.6f %.6f %.6f %.6f\n", between(0, 1), between(0, 1), between(0, 1), 1.0);
    }
    putchar('\n');
}

/* Whether depth is tested. */
static bool put_state(bool fragments, bool fixed_position)
{
    bool tested;

    static const char *const tests[] = { "GL_LESS", "GL_LEQUAL", "GL_GREATER", "GL_ALWAYS", "GL_NOTEQUAL" };

    puts("[test]\ntexture rgbw 0 (16, 16)\nclear color 0.1 0.2 0.3 0.4\nclear depth 0.8\nclear");
    printf("parameter local_vp 0 (%.3f, %.3f, 1, 1)\nparameter local_vp 1 (%.3f, 0, 0, 0)\n", between(0, 1),
           between(0, 1), between(1, 40));
    if (fixed_position)
        puts("ortho -1.2 1.1 -1 1.2");
    if (!fragments && chance(2))
        puts("shade model flat");
    if (chance(3) == 0)
        puts("provoking vertex first");
    if (chance(3) == 0)
        puts("enable GL_VERTEX_PROGRAM_TWO_SIDE");
    tested = chance(2);
    if (tested)
        printf("enable GL_DEPTH_TEST\ndepthfunc %s\n", tests[chance(5)]);
    if (chance(4) == 0)
        puts("enable GL_DEPTH_CLAMP");
    if (chance(2))
        printf("point size %u\n", 1 + chance(20));
    if (chance(3) == 0)
        puts("enable GL_PROGRAM_POINT_SIZE");
    if (chance(4) == 0)
        puts("enable GL_POINT_SPRITE");
    if (fixed_position && chance(2))
        printf("clip plane 0 %.3f %.3f 0 %.3f\nenable GL_CLIP_PLANE0\n", between(-1, 1), between(-1, 1),
               between(-0.3, 0.6));
    if (chance(6) == 0)
        puts("depth range 0.2 0.7");
    return tested;
}

int main(int argc, char **argv)
{
    static const char *const modes[] = {
        "GL_TRIANGLES", "GL_TRIANGLES", "GL_TRIANGLE_STRIP", "GL_TRIANGLE_FAN", "GL_POINTS", "GL_LINES",
        "GL_LINE_STRIP", "GL_LINE_LOOP", "GL_TRIANGLES_ADJACENCY", "GL_TRIANGLE_STRIP_ADJACENCY", "GL_LINES_ADJACENCY",
    };
    if (argc != 2) {
        fputs("usage: draw_scripts NUMBER\n", stderr);
        return 2;
    }
    seed = strtoull(argv[1], NULL, 10) * UINT64_C(0xd1342543de82ef95);
    unsigned mode = chance(sizeof modes / sizeof *modes), count = 3 + chance(15);
    bool fixed_position = chance(3) == 0;
    printf("The draw of number %s.\n\n[require]\nSIZE %u %u\n\n", argv[1], 120 + chance(100), 100 + chance(100));
    put_program(fixed_position);
    bool fragments = put_fragments();
    put_vertices(count, fixed_position);
    bool tested = put_state(fragments, fixed_position);
    printf("draw arrays %s 0 %u\n", modes[mode], count);
    if (chance(3) == 0 && !tested)      /* of what is drawn twice the last bit of depth would decide */
        printf("draw arrays %s 1 %u\n", modes[chance(sizeof modes / sizeof *modes)], count - 1);
    return 0;
}
