/* Threads of a tessellation control program run in step: an instruction ends in all of them before the next one begins.
 * That can be seen where a thread reads what another one writes, the results of vertices and of the patch. There all
 * threads meet at a barrier, which GLSL has in main alone and outside of all blocks: a block counts as one step, and
 * one in which a result is written and read in turns cannot be said. */
#include "asm/binding_name.h"
#include "translate/translate.h"

/* Results by what they are: 64 places. */
struct tr_turns {
    uint64_t written, read; /* since the last barrier: by any thread; what is another's */
    uint32_t until;         /* statements before this one belong to a block that was looked at */
};

static uint64_t place_of(uint16_t kind, uint32_t number, bool all)
{
    switch (kind) {
    case BIND_RESULT_ATTRIB:
        return all ? UINT64_C(0xffffffff) : UINT64_C(1) << (number & 31);
    case BIND_RESULT_PATCH_ATTRIB:
        return all ? UINT64_C(0xffff) << 32 : UINT64_C(1) << (32 + (number & 15));
    case BIND_RESULT_PATCH_TESSOUTER:
        return UINT64_C(1) << 48;
    case BIND_RESULT_PATCH_TESSINNER:
        return UINT64_C(1) << 49;
    case BIND_RESULT_POSITION:
        return UINT64_C(1) << 50;
    case BIND_RESULT_POINTSIZE:
        return UINT64_C(1) << 51;
    case BIND_RESULT_CLIP:
        return UINT64_C(1) << 52;
    case BIND_RESULT_TEXCOORD:
        return UINT64_C(1) << 53;
    case BIND_RESULT_COLOR:
        return UINT64_C(1) << 54;
    default:
        return UINT64_C(1) << 55;
    }
}

static uint64_t of_binding(const struct binding *b, uint32_t at, bool all)
{
    uint16_t kind = asm_result_of_output(asm_canonical_binding(b->kind));

    return place_of(kind, (b->nindices ? b->first[b->nindices - 1] : 0) + at, all);
}

/* What an operand or a result names. `output`: as a result. */
static uint64_t places(const struct tr *t, uint8_t kind, uint32_t ref, uint32_t index, unsigned nindices, bool output)
{
    const struct binding *b = NULL;
    uint32_t at = 0;
    bool all = false;

    if (kind == OPND_BINDING) {
        b = program_binding(t->p, ref);
    } else if (kind == OPND_SYMBOL &&
               (program_symbol(t->p, ref)->kind == SYM_ATTRIB || program_symbol(t->p, ref)->kind == SYM_OUTPUT)) {
        const struct symbol *s = program_symbol(t->p, ref);
        const struct index *last = nindices > s->per_vertex ? program_index(t->p, index + nindices - 1u) : NULL;
        all = last && last->mode == INDEX_RELATIVE;
        b = tr_element(t, s, last && !all && s->array ? (uint32_t)last->offset : 0, &at);
    }
    if (!b)
        return 0;
    uint16_t canonical = asm_canonical_binding(b->kind);
    if (!output && asm_result_of_output(canonical) == canonical)
        return 0;
    return of_binding(b, at, all);
}

static uint64_t reads(const struct tr *t, const struct insn *insn)
{
    uint64_t all = 0;

    for (unsigned k = 0; k < insn->nsrc; k++) {
        const struct operand *o = program_operand(t->p, insn->src + k);
        all |= places(t, operand_named_kind(o), o->ref, o->index, o->nindices, false);
    }
    return all;
}

static uint64_t writes(const struct tr *t, const struct insn *insn)
{
    return insn->dst.written ? places(t, insn->dst.kind, insn->dst.ref, insn->dst.index, insn->dst.nindices, true) : 0;
}

static bool reads_others(const struct tr *t)
{
    for (uint32_t i = 0; i < t->p->insns.count; i++)
        if (reads(t, program_insn(t->p, i)))
            return true;
    return false;
}

bool tr_find_turns(struct tr *t)
{
    if (t->stage != STAGE_CONTROL || !reads_others(t))
        return true;
    t->turns = arena_alloc(&t->arena, sizeof *t->turns);
    if (t->turns)
        *t->turns = (struct tr_turns){.until = 0};
    return t->turns != NULL;
}

/* The instructions of one step: a block up to its end. */
static uint32_t end_of(const struct tr *t, uint32_t i)
{
    int depth = 0;

    do
        depth += op_nesting(program_insn(t->p, i++)->op);
    while (depth > 0 && i < t->p->insns.count);
    return i;
}

void tr_take_turns(struct tr *t, uint32_t i)
{
    struct tr_turns *s = t->turns;
    uint64_t read = 0, written = 0, loops = 0;

    if (!s || i < s->until)
        return;
    s->until = end_of(t, i);
    for (uint32_t k = i; k < s->until; k++) {
        const struct insn *insn = program_insn(t->p, k);
        uint64_t r = reads(t, insn), w = writes(t, insn);
        if ((r & written) || (w & read))
            tr_refuse(t, insn->span, "another thread's result, read and written in one block: %s has no barrier there",
                      t->target->name);
        read |= r;
        written |= w;
        loops |= op_has(insn->op, A_LOOPS);
        if (op_calls(insn->op))
            tr_refuse(t, insn->span, "subroutines beside other threads' results: %s has no barrier there",
                      t->target->name);
    }
    if (loops && (read & written))
        tr_refuse(t, program_insn(t->p, i)->span,
                  "another thread's result, read and written in one loop: %s has no barrier there", t->target->name);
    if (program_insn(t->p, i)->op == OP_BAR) {
        s->written = s->read = 0;
        return;
    }
    if ((read & s->written) || (written & s->read)) {
        if (t->out_of_main)
            tr_refuse(t, program_insn(t->p, i)->span,
                      "another thread's result in a program with RET: %s has no "
                      "barrier there",
                      t->target->name);
        tr_line(t, "barrier();");
        s->written = s->read = 0;
    }
    s->read |= read;
    s->written |= written;
}
