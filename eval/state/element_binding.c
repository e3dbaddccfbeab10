/* Which of its bindings an element of a variable has. */
#include "eval/state/element_binding.h"

#include "eval/state/gl_state.h"

/* How many elements a binding stands for: `program.local[0..3]` four. */
static uint32_t covers(const struct binding *b)
{
    unsigned i = b->nindices ? b->nindices - 1u : 0;

    if (!b->nindices || !b->range[i] || b->last[i] < b->first[i])
        return eval_state_rows(b->kind);
    return b->last[i] - b->first[i] + 1;
}

const struct binding *eval_element_binding(const struct gp5_program *p, const struct symbol *s, uint64_t e,
                                           uint32_t *at)
{
    if (s->array && s->array_size == s->nbindings && e < s->nbindings) {       /* each covers one */
        *at = 0;
        return program_binding(p, s->binding + (uint32_t)e);
    }
    for (uint32_t i = 0; i < s->nbindings; i++) {
        const struct binding *b = program_binding(p, s->binding + i);
        uint32_t n = covers(b);
        if (e < n) {
            *at = (uint32_t)e;
            return b;
        }
        e -= n;
    }
    return NULL;
}
