/* Races in words, and for the report. */
#include "eval/race/race_table.h"

#include <stdio.h>

static const char *const kind_names[] = {"", "read", "write", "atomic operation"};

static const char *op_name(const struct race_table *t, const struct race_access *a)
{
    return op_table[program_insn(t->x->program, a->insn)->op].name;
}

static unsigned line_of(const struct race_table *t, const struct race_access *a)
{
    return diag_line_at(&t->lines, program_insn(t->x->program, a->insn)->span.offset);
}

static const char *what_of(const struct race *r)
{
    if (r->order)
        return "the order of atomic operations shows";
    if (r->first.path == r->second.path)
        return "data race";
    return r->first.path == BY_TEXTURE || r->second.path == BY_TEXTURE
               ? "a texture is read and an image of it written in one launch"
               : "an address and a name for the same memory are not kept in order";
}

void eval_race_text(const struct race_table *t, uint32_t number, char *text, size_t size)
{
    const struct race *r = vec_at(&t->races, number - 1);

    snprintf(text, size,
             "%s: %s at line %u (group %u, warp %u, lane %u) and %s at line %u (group %u, warp %u, lane %u)",
             what_of(r), op_name(t, &r->first), line_of(t, &r->first), r->first.group, r->first.warp, r->first.lane,
             op_name(t, &r->second), line_of(t, &r->second), r->second.group, r->second.warp, r->second.lane);
}

static struct gp5_access public_access(const struct race_table *t, const struct race_access *a)
{
    return (struct gp5_access){.kind = kind_names[a->kind],
                               .instruction = a->insn,
                               .offset = program_insn(t->x->program, a->insn)->span.offset,
                               .group = a->group,
                               .warp = a->warp,
                               .lane = a->lane};
}

static const char *memory_name(const struct race_memory *m)
{
    return m->space == SPACE_SHARED ? "shared memory" : m->space == SPACE_COUNTER ? "counters"
           : m->space == SPACE_IMAGE ? "textures" : "storage";
}

bool eval_races_report(const struct race_table *t, struct gp5_report *report)
{
    report->races = t->total;
    if (!t->races.count)
        return true;
    report->race_list = gp5_malloc(t->races.count * sizeof *report->race_list);
    if (!report->race_list)
        return false;
    for (size_t i = 0; i < t->races.count; i++) {
        const struct race *r = vec_at(&t->races, i);
        report->race_list[report->nrace_list++] = (struct gp5_race){.order = r->order,
                                                                    .memory = memory_name(r->memory),
                                                                    .binding = r->memory->binding,
                                                                    .address = r->address,
                                                                    .first = public_access(t, &r->first),
                                                                    .second = public_access(t, &r->second),
                                                                    .count = r->count};
    }
    return true;
}
