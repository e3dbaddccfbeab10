/* What the stages beyond vertices and fragments have of their own: their shape, vertices that are given, barriers. */
#include "asm/facts.h"
#include "asm/stage.h"
#include "translate/translate.h"

static const char *const words[STAGE_WORD_COUNT] = {[STAGE_WORD_POINTS] = "points",
                                                    [STAGE_WORD_LINES] = "lines",
                                                    [STAGE_WORD_LINES_ADJACENCY] = "lines_adjacency",
                                                    [STAGE_WORD_TRIANGLES] = "triangles",
                                                    [STAGE_WORD_TRIANGLES_ADJACENCY] = "triangles_adjacency",
                                                    [STAGE_WORD_LINE_STRIP] = "line_strip",
                                                    [STAGE_WORD_TRIANGLE_STRIP] = "triangle_strip",
                                                    [STAGE_WORD_QUADS] = "quads",
                                                    [STAGE_WORD_ISOLINES] = "isolines",
                                                    [STAGE_WORD_EQUAL] = "equal_spacing",
                                                    [STAGE_WORD_FRACTIONAL_ODD] = "fractional_odd_spacing",
                                                    [STAGE_WORD_FRACTIONAL_EVEN] = "fractional_even_spacing",
                                                    [STAGE_WORD_CW] = "cw",
                                                    [STAGE_WORD_CCW] = "ccw"};

static const char *word(struct tr *t, unsigned w)
{
    if (w < STAGE_WORD_COUNT && words[w])
        return words[w];
    tr_refuse(t, (struct span){0, 0}, "a program of the %s stage that does not say its primitives",
              profile_table[t->p->profile].stage);
    return "points";
}

void tr_declare_stage(struct tr *t, struct tr_text *out)
{
    const struct stage_shape *s = &t->shape;
    const uint32_t *size = t->p->group_size;

    switch (t->stage) {
    case STAGE_GEOMETRY:
        if (s->vertices_out > 256 || s->invocations > 32)
            tr_refuse(t, (struct span){0, 0},
                      "a program of more vertices or invocations than the 256 and 32 that there are for sure");
        tr_printf(out, "layout(%s", word(t, s->primitive_in));
        if (s->invocations > 1)
            tr_printf(out, ", invocations = %u", s->invocations);
        tr_printf(out, ") in;\nlayout(%s, max_vertices = %u) out;\n", word(t, s->primitive_out), s->vertices_out);
        break;
    case STAGE_CONTROL:
        if (s->vertices_out > 32)
            tr_refuse(t, (struct span){0, 0}, "a program of more vertices than the 32 that there are for sure");
        tr_printf(out, "layout(vertices = %u) out;\n", s->vertices_out);
        break;
    case STAGE_EVALUATION:
        tr_printf(out, "layout(%s, %s, %s%s) in;\n", word(t, s->mode), word(t, s->spacing), word(t, s->order),
                  s->point_mode ? ", point_mode" : "");
        break;
    case STAGE_COMPUTE:
        tr_printf(out, "layout(local_size_x = %u, local_size_y = %u, local_size_z = %u) in;\n", size[0], size[1],
                  size[2]);
        if (t->p->has_group_size && (!size[0] || !size[1] || !size[2]))
            tr_refuse(t, (struct span){0, 0}, "a program of groups without invocations");
        if ((uint64_t)size[0] * size[1] * size[2] > 1024 || size[0] > 1024 || size[1] > 1024 || size[2] > 64)
            tr_refuse(t, (struct span){0, 0}, "a program of groups of more invocations than there are for sure");
        if (t->p->shared_memory > 32768)
            tr_refuse(t, (struct span){0, 0}, "a program of more shared memory than the 32,768 bytes that there are "
                      "for sure");
        if (!t->p->has_group_size)
            tr_refuse(t, (struct span){0, 0}, "a program of groups whose size a launch says");
        if (t->p->has_shared_memory)
            tr_printf(out, "shared uint gp5_shared[%u];\n", t->p->shared_memory / 4 + 1);
        break;
    case STAGE_FRAGMENT:
        if (t->p->options >> OPTION_NV_early_fragment_tests & 1) {
            if (!tr_has(t, HAS_GPU5))
                tr_refuse(t, (struct span){0, 0}, "an option about early tests, which %s has not", t->target->name);
            tr_puts(out, "layout(early_fragment_tests) in;\n");
        }
        break;
    default:
        break;
    }
}

/* The stream of an EMIT; NO_INDEX for one that no number says. */
static uint32_t stream_of(const struct tr *t, const struct insn *insn)
{
    const struct operand *o = insn->op == OP_EMITS ? program_operand(t->p, insn->src) : NULL;

    if (!o)
        return 0;
    if (o->kind != OPND_CONSTANT || operand_has_sign(o))
        return NO_INDEX;
    return (uint32_t)eval_constant_word(program_constant(t->p, o->ref), o->swizzle & 3, DT_S32);
}

/* A result is one of the vertices that are given next. In GLSL it is of one stream for good, and those beyond the first
 * get results of their own: which ones is plain where nothing but instructions in a row stand. */
void tr_find_streams(struct tr *t)
{
    bool flow = false;

    t->streams = 1;
    for (uint32_t i = 0; t->stage == STAGE_GEOMETRY && i < t->p->insns.count; i++) {
        const struct insn *insn = program_insn(t->p, i);
        flow = flow || op_is(insn->op, K_FLOW);
        if (insn->op != OP_EMITS)
            continue;
        uint32_t stream = stream_of(t, insn);
        if (stream > 3) {
            tr_refuse(t, insn->span, "a stream that is computed or beyond the fourth, which %s has not",
                      t->target->name);
            return;
        }
        if (stream + 1 > t->streams)
            t->streams = stream + 1;
        if (stream && t->shape.primitive_out != STAGE_WORD_POINTS)
            tr_refuse(t, insn->span, "a stream of something else than points, which %s has not", t->target->name);
        if (stream && flow)
            tr_refuse(t, insn->span, "streams in a program with flow, where no result is of one of them for sure");
    }
}

/* That of the next vertex behind an instruction. */
unsigned tr_stream_at(const struct tr *t, const struct insn *insn)
{
    uint32_t i = t->streams > 1 ? (uint32_t)(insn - program_insn(t->p, 0)) : (uint32_t)t->p->insns.count;

    for (; i < t->p->insns.count; i++)
        if (op_is(program_insn(t->p, i)->op, K_EMIT) && program_insn(t->p, i)->op != OP_ENDPRIM)
            return stream_of(t, program_insn(t->p, i)) & 3;
    return 0;
}

/* Threads of a patch meet in main alone, and outside of all blocks. */
static void barrier(struct tr *t, const struct insn *insn)
{
    if (t->stage == STAGE_CONTROL && (t->depth != 1 || t->out_of_main))
        tr_refuse(t, insn->span, "BAR in a block or a subroutine, where %s has no barrier", t->target->name);
    if (t->stage != STAGE_CONTROL && t->stage != STAGE_COMPUTE)
        tr_refuse(t, insn->span, "BAR, which the %s stage has not in %s", profile_table[t->p->profile].stage,
                  t->target->name);
    tr_line(t, "barrier();");
}

bool tr_stage_instruction(struct tr *t, const struct insn *insn)
{
    switch (insn->op) {
    case OP_EMIT:
        tr_line(t, "EmitVertex();");
        return true;
    case OP_EMITS:
        if (t->streams > 1)
            tr_line(t, "EmitStreamVertex(%u);", stream_of(t, insn) & 3);
        else
            tr_line(t, "EmitVertex();");
        return true;
    case OP_ENDPRIM:
        if (t->shape.primitive_out != STAGE_WORD_POINTS) /* it does nothing to points */
            tr_line(t, "EndPrimitive();");
        return true;
    case OP_BAR:
        barrier(t, insn);
        return true;
    case OP_MEMBAR:
        if (!tr_has(t, HAS_GPU5))
            tr_refuse(t, insn->span, "MEMBAR, which %s has not", t->target->name);
        tr_line(t, insn->flags & INSN_CTA && t->stage == STAGE_COMPUTE ? "groupMemoryBarrier();" : "memoryBarrier();");
        return true;
    case OP_FSIB:
    case OP_FSIE:
        tr_refuse(t, insn->span, "one fragment of a pixel at a time, which %s has not", t->target->name);
        return true;
    default:
        return false;
    }
}
