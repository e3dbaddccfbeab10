/* Which lines a result is about: the command, what writes the output that differs, where a value became undefined. */
#include "asm/program.h"
#include "compare/report/html.h"
#include "gp5.h"

static bool mark(struct vec *marks, size_t line, enum html_why why)
{
    for (size_t i = 0; i < marks->count; i++) {
        const struct html_mark *m = vec_at(marks, i);
        if (m->line == line && m->why == why)
            return true;
    }
    size_t index = line ? vec_grow(marks) : 0;
    if (line && index != SIZE_MAX)
        *(struct html_mark *)vec_at(marks, index) = (struct html_mark){line, why};
    return index != SIZE_MAX;
}

/* Whether a variable, or a binding that is written itself, stands for this buffer or colour. */
static bool is_output(const gp5_program *p, unsigned kind, uint32_t ref, const struct finding *f)
{
    const struct binding *b = NULL;
    uint32_t count = 1, first = ref;
    if (kind == OPND_SYMBOL) {
        const struct symbol *s = program_symbol(p, ref);
        first = s->binding;
        count = s->nbindings;
        if (f->output == OUTPUT_STORAGE && s->kind != SYM_STORAGE)
            return false;
    } else if (kind != OPND_BINDING) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        b = program_binding(p, first + i);
        bool result = b->kind < BIND_COUNT && binding_table[b->kind].class == BC_RESULT;
        bool storage = !result && b->nindices && f->binding >= b->first[0] && f->binding <= b->last[0];
        if (f->output == OUTPUT_STORAGE ? storage : result && f->output == OUTPUT_COLOR)
            return true;
    }
    return false;
}

static bool writes(const gp5_program *p, const struct insn *insn, const struct finding *f)
{
    if (f->output == OUTPUT_COVERAGE)
        return insn->op == OP_KIL;
    if (f->output == OUTPUT_COLOR)
        return insn->dst.written && is_output(p, insn->dst.kind, insn->dst.ref, f);
    for (uint32_t i = 0; i < insn->nsrc && (op_stores(insn->op) || op_is_atomic(insn->op)); i++) {
        const struct operand *o = program_operand(p, insn->src + i);
        if (is_output(p, o->kind, o->ref, f))
            return true;
    }
    return op_stores(insn->op) && insn->dst.written && is_output(p, insn->dst.kind, insn->dst.ref, f);
}

static bool mark_writers(const struct script_program *program, const struct finding *f, struct vec *marks)
{
    gp5_program *p = gp5_parse(program->text, program->size);
    bool good = p;
    for (uint32_t i = 0; p && good && i < p->insns.count; i++) {
        const struct insn *insn = program_insn(p, i);
        unsigned line = 0, column = 0;
        if (!writes(p, insn, f))
            continue;
        gp5_locate(p, insn->span.offset, &line, &column);
        good = mark(marks, program->line + line, HTML_STORES);
    }
    gp5_program_free(p);
    return good;
}

bool html_marks(const struct script *script, const struct script_program *program, const struct test_result *r,
                struct vec *of_script, struct vec *of_program)
{
    bool good = true;
    vec_init(of_script, sizeof(struct html_mark));
    vec_init(of_program, sizeof(struct html_mark));
    if (!program && script->text)
        return mark(of_script, diag_locate(script->text, script->size, script->offset).line, HTML_WRONG);
    if (!program)
        return true;
    struct vec *in = *program->label ? of_program : of_script;
    for (size_t i = 0; i < r->findings.count && good; i++) {
        const struct finding *f = vec_at(&r->findings, i);
        good = mark(of_script, f->line, HTML_COMMAND);
        if (good && f->kind != FINDING_RUN && f->kind != FINDING_DIGEST)
            good = mark_writers(program, f, in);
        unsigned line = 0;
        if (good && f->kind == FINDING_RUN && f->message && sscanf(f->message, "line %u:", &line) == 1)
            good = mark(in, line, HTML_WRONG);
    }
    for (size_t i = 0; i < r->reasons.count && good; i++)
        good = mark(in, ((const struct undefined_reason *)vec_at(&r->reasons, i))->line, HTML_UNDEFINED);
    return good;
}
