/* What a stage declares behind the options: sizes of groups, primitives, tessellation. */
#include "parser/context.h"

#include "asm/stage.h"

void statement_group_size(struct parser *p, unsigned count, const struct token *numbers)
{
    struct gp5_program *program = p->program;
    struct statement *s = statement_add(p, STMT_GROUP_SIZE);
    if (s) {
        s->count = count;
        for (unsigned i = 0; i < 3; i++) {
            uint32_t value = i < count ? (uint32_t)parse_integer(p, numbers[i], INT32_MAX) : 1;
            if (!program->has_group_size)
                program->group_size[i] = value;
        }
        program->has_group_size = true;
    }
    statement_next(p);
}

void statement_shared_memory(struct parser *p, struct token number)
{
    struct statement *s = statement_add(p, STMT_SHARED_MEMORY);
    if (s) {
        uint32_t size = (uint32_t)parse_integer(p, number, INT32_MAX);
        if (!p->program->has_shared_memory)
            p->program->shared_memory = size;
        p->program->has_shared_memory = true;
    }
    statement_next(p);
}

/* PRIMITIVE_IN POINTS, VERTICES_OUT 4, TESS_POINT_MODE: which words and numbers they take
 * asm/check/check_stage.c knows. */
void statement_stage(struct parser *p, struct token keyword, const struct token *value, bool negative)
{
    struct statement *s = statement_add(p, STMT_STAGE);
    if (s) {
        bool number = value && p->text[value->offset] >= '0' && p->text[value->offset] <= '9';
        s->ref = keyword.id;
        s->trailing = negative;
        s->count = number ? (uint32_t)parse_integer(p, *value, UINT32_MAX)
                   : value ? asm_find_stage_word(p->text + value->offset, value->length) : 0;
        p->takes_patches |= keyword.id == KEY_PRIMITIVE_IN && s->count == STAGE_WORD_PATCHES;
    }
    statement_next(p);
}

void statement_passthrough(struct parser *p, struct token keyword)
{
    struct target target;
    p->role = ROLE_DECLARATION;
    path_resolve(p, &target);
    p->role = ROLE_OPERAND;
    struct statement *s = statement_add(p, STMT_PASSTHROUGH);
    if (s) {
        s->ref = target.kind == OPND_BINDING ? target.ref : NO_INDEX;
        s->count = keyword.id;
        s->trailing = target.reported;
    }
    statement_next(p);
}
