/* Evaluates a vertex program over arrays of its own, and counts what its instructions are: libgp5 alone, no GL.
 *
 *   cc -o embed_eval embed_eval.c $(pkg-config --cflags --libs gp5)
 */
#include <gp5.h>

#include <stdio.h>
#include <string.h>

static const char text[] =
    "!!ARBvp1.0\n"
    "PARAM mvp[4] = { state.matrix.mvp };\n"
    "DP4 result.position.x, mvp[0], vertex.position;\n"
    "DP4 result.position.y, mvp[1], vertex.position;\n"
    "DP4 result.position.z, mvp[2], vertex.position;\n"
    "DP4 result.position.w, mvp[3], vertex.position;\n"
    "MUL result.color.xyz, vertex.color, program.env[0].x;\n"
    "END\n";

/* How often which opcode was executed: an observer is called for each instruction of a warp. */
struct counts {
    const gp5_program *program;
    unsigned dp4, lanes, other;
};

static bool count(void *user, const gp5_step *step)
{
    struct counts *c = user;
    struct gp5_step_place place;
    struct gp5_instruction instruction;
    gp5_step_place(step, &place);
    if (gp5_instruction_at(c->program, place.instruction, &instruction) && !strcmp(instruction.opcode, "DP4")) {
        c->dp4++;
        for (uint32_t lanes = place.active; lanes; lanes &= lanes - 1)
            c->lanes++;
    } else {
        c->other++;
    }
    return true;                                                /* false would end the run */
}

int main(void)
{
    static const float positions[3][4] = {{0, 0, 0, 1}, {1, 0, 0, 1}, {0, 1, 0, 1}};
    static const float colors[3][4] = {{1, 0, 0, 1}, {0, 1, 0, 1}, {0, 0, 1, 1}};
    uint32_t in[2][12], out[2][12], undefined[12];
    float result[12], half = 0.5f;
    char *message = NULL;
    size_t offset;

    memcpy(in[0], positions, sizeof in[0]);
    memcpy(in[1], colors, sizeof in[1]);
    struct gp5_array inputs[] = {{.binding = "vertex.position", .words = in[0], .count = 3},
                                 {.binding = "vertex.color", .words = in[1], .count = 3}};
    struct gp5_array results[] = {{.binding = "result.position", .words = out[0], .count = 3},
                                  {.binding = "result.color", .words = out[1], .count = 3, .undefined = undefined}};
    struct gp5_parameter env = {.index = 0};
    struct gp5_state state;
    gp5_state_init(&state);
    state.modelview[12] = 2;                                    /* glTranslatef(2, 0, 0) */
    memcpy(&env.word[0], &half, sizeof half);

    struct counts counts = {0};
    struct gp5_observer observer = {.size = sizeof observer, .user = &counts, .before = count};
    struct gp5_run_options options = {.size = sizeof options, .track_undefined = true, .observer = &observer};
    gp5_program *program = gp5_parse(text, sizeof text - 1);
    gp5_executable *executable = program ? gp5_prepare(program, &options, &message, &offset) : NULL;
    if (!executable) {
        fprintf(stderr, "embed_eval: %s\n", message ? message : "out of memory");
        gp5_text_free(message);
        gp5_program_free(program);
        return 1;
    }
    counts.program = program;
    struct gp5_launch launch = {.size = sizeof launch, .count = 3, .inputs = inputs, .ninputs = 2, .results = results,
                                .nresults = 2, .env = &env, .nenv = 1, .state = &state};
    struct gp5_report report;
    if (gp5_execute(executable, &launch, NULL, &report) == GP5_RUN_OK) {
        printf("%u DP4 on %u lanes in all, %u other instructions\n", counts.dp4, counts.lanes, counts.other);
        for (int r = 0; r < 2; r++) {
            memcpy(result, out[r], sizeof result);
            for (int v = 0; v < 3; v++)
                printf("%s[%d] = %g %g %g %g\n", results[r].binding, v, result[4 * v], result[4 * v + 1],
                       result[4 * v + 2], result[4 * v + 3]);
        }
        if (undefined[3])
            printf("result.color[0].w: %s\n", report.origins[undefined[3] - 1].reason);
    }
    gp5_report_free(&report);
    gp5_executable_free(executable);
    gp5_program_free(program);
    return 0;
}
