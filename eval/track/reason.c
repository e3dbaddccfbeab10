/* Why a value is undefined, in words. */
#include "eval/track/reason.h"

#include "eval/texture/image.h"
#include "eval/track/origin.h"
#include "eval/state/gl_state.h"
#include "eval/texture/texture.h"

#include "asm/binding_name.h"

#include <stdio.h>
#include <string.h>

static const char components[] = "xyzw";

bool eval_source_is_open(const struct gp5_executable *x, const struct plane_source *source)
{
    switch (source->kind) {
    case BIND_INVOCATION_SMID: case BIND_STATE_THREAD_WARPSPERSM: case BIND_STATE_THREAD_SMCOUNT:
        return true;
    case BIND_STATE_POINT_SIZE:
        return eval_state_is_open(source->kind, source->component,
                                  x->options.semantics == GP5_SEMANTICS_NVIDIA && x->profile == PROFILE_NVCP5);
    default:
        if (binding_table[source->kind].class == BC_RESULT)
            return !profile_in(x->profile, OLD_VP);     /* which begin as (0, 0, 0, 1) */
        return source->component >= binding_table[source->kind].components &&
               (profile_table[x->profile].stage_id == STAGE_COMPUTE || binding_table[source->kind].type != 'F');
    }
}

void eval_source_name(const struct plane_source *source, char *text, size_t size)
{
    bool of_vertex = asm_is_of_vertex(source->kind);
    uint32_t index = source->index & ~WORDS_OF_LONG, number[2] = {of_vertex ? index & 0xff : index, index >> 8};
    const char *words = binding_table[source->kind].words;
    size_t n = 0;

    for (unsigned bracket = 0; *words && n < size; words++) {
        bool opens = *words == '[';
        n += (size_t)(opens ? snprintf(text + n, size - n, "[%u]", number[bracket++ % 2])
                            : snprintf(text + n, size - n, "%c", *words));
        if (opens)
            words = strchr(words, ']');
    }
}

static void source_reason(const struct gp5_executable *x, const struct plane_source *source, char *text, size_t size)
{
    const struct binding_info *b = &binding_table[source->kind];
    bool fragment = profile_table[x->profile].stage_id == STAGE_FRAGMENT;
    char name[80], c = components[source->component];

    eval_source_name(source, name, sizeof name);
    if (fragment && source->kind == BIND_RESULT_COLOR)
        snprintf(text, size, "result.color[%u].%c was never written", source->index, c);
    else if (b->class == BC_RESULT)
        snprintf(text, size, "%s.%c was never written", name, c);
    else if (eval_source_is_open(x, source) && (source->kind == BIND_INVOCATION_SMID || b->class == BC_PARAM))
        snprintf(text, size, "%s differs from one GPU to the next", name);
    else if (source->component >= b->components)
        snprintf(text, size, "%s.%c has no value", name, c);
    else if (!strncmp(b->words, "fragment.", 9) || !strncmp(b->words, "vertex", 6) ||
             !strncmp(b->words, "primitive.", 10))
        snprintf(text, size, "%s was not given",
                 source->kind == BIND_FRAGMENT_COLOR_PRIMARY ? "fragment.color.primary" : name);
    else
        snprintf(text, size, "%s.%c has no value", name, c);
}

static void start_reason(const struct gp5_executable *x, uint32_t plane, char *text, size_t size)
{
    const struct plane_name *name = plane < x->nplanes ? &x->names[plane] : NULL;

    for (unsigned cc = 0; cc < CONDITION_CODES; cc++)
        if (plane - x->cc_plane[cc] < 4) {
            if (cc == RESIDENCY)
                snprintf(text, size, "no access with SPARSE came before");
            else
                snprintf(text, size, "CC%u.%c was never written", cc, components[plane - x->cc_plane[cc]]);
            return;
        }
    for (uint32_t i = 0; i < x->nsources; i++)
        if (x->sources[i].plane == plane) {
            source_reason(x, &x->sources[i], text, size);
            return;
        }
    if (!name || name->symbol == NO_INDEX)
        snprintf(text, size, "it was never written");
    else if (name->array)
        snprintf(text, size, "%s[%u].%c was never written", program_symbol(x->program, name->symbol)->name,
                 name->element, components[name->component]);
    else
        snprintf(text, size, "%s.%c was never written", program_symbol(x->program, name->symbol)->name,
                 components[name->component]);
}

/* The reason that a kernel gives stands with the ops of its instruction. */
static const char *kernel_reason(const struct gp5_executable *x, uint32_t insn)
{
    for (uint32_t i = 0; i < x->nsteps; i++) {
        const struct step *s = &x->steps[i];
        if (s->insn == insn && (s->kind == STEP_LANE || s->kind == STEP_RAW) && x->tracks[s->ref].why)
            return x->tracks[s->ref].why;
    }
    return "an operand outside the operation's range";
}

static const char *image_reason(uint32_t fault)
{
    switch (fault) {
    case IMAGE_NO_HANDLE: return "no image has the handle";
    case IMAGE_BEYOND_ARRAY: return "the index is beyond the array of images";
    case IMAGE_OTHER_TARGET: return "the image is not of this target";
    case IMAGE_OTHER_NUMBERS: return "the image has floats and the instruction integers, or the other way";
    case IMAGE_UNBOUND: return "the unit has no image that can be accessed";
    case IMAGE_OTHER_SIZE: return "the image's texels have another size than the instruction says";
    case IMAGE_NO_SAMPLE: return "the texel has no such sample";
    default: return "the image has no such texel";
    }
}

void eval_reason(const struct gp5_executable *x, const struct origin_record *r, char *text, size_t size)
{
    const struct gp5_program *p = x->program;
    const char *op = "instruction";

    if (r->key.insn < p->insns.count)
        op = op_table[program_insn(p, r->key.insn)->op].name;
    switch (r->key.kind) {
    case ORIGIN_START:
        start_reason(x, r->key.detail, text, size);
        break;
    case ORIGIN_OPERATION:
        snprintf(text, size, "%s: %s", op, kernel_reason(x, r->key.insn));
        break;
    case ORIGIN_INACTIVE:
        snprintf(text, size, "lane %u was inactive when lane %u read it", r->other, r->lane);
        break;
    case ORIGIN_COMPONENT:
        snprintf(text, size, "%s leaves its component %c open", op, components[r->key.detail & 3]);
        break;
    case ORIGIN_INDEX:
        snprintf(text, size, "%s",
                 !strcmp(op, "PUSHA")  ? "PUSHA: the stack of address registers is full"
                 : !strcmp(op, "POPA") ? "POPA: the stack of address registers is empty"
                                       : "the index is beyond the array");
        break;
    case ORIGIN_SHARED:
        snprintf(text, size, "this shared memory was never written");
        break;
    case ORIGIN_BARRIER:
        snprintf(text, size, "BAR does not reach every invocation of the group");
        break;
    case ORIGIN_UNMAPPED:
        snprintf(text, size, "no buffer stands at the address");
        break;
    case ORIGIN_CLOCK:
        snprintf(text, size, "the clock differs from one run to the next");
        break;
    case ORIGIN_SUBROUTINE:
        snprintf(text, size, "the subroutine to call was not chosen");
        break;
    case ORIGIN_EMITTED:
        snprintf(text, size, "the result was not written since this %s", op);
        break;
    case ORIGIN_TEXTURE:
        snprintf(text, size, "%s: %s", op, eval_texture_reason((enum texture_fault)r->key.detail));
        break;
    case ORIGIN_IMAGE:
        snprintf(text, size, "%s: %s", op, image_reason(r->key.detail));
        break;
    case ORIGIN_MISALIGNED:
        snprintf(text, size, "the address is not a multiple of the access's size");
        break;
    case ORIGIN_GROUP:
        snprintf(text, size, "%s: %s", op, gp5_subgroup_reason_text((enum gp5_subgroup_reason)r->key.detail));
        break;
    default:
        snprintf(text, size, "the call stack was full");
    }
}

uint32_t eval_origin_component(const struct gp5_executable *x, const struct origin_record *r)
{
    if (r->key.kind != ORIGIN_START)
        return r->key.kind == ORIGIN_OPERATION || r->key.kind == ORIGIN_COMPONENT ? r->key.detail & 3 : 0;
    for (unsigned cc = 0; cc < CONDITION_CODES; cc++)
        if (r->key.detail - x->cc_plane[cc] < 4)
            return r->key.detail - x->cc_plane[cc];
    for (uint32_t i = 0; i < x->nsources; i++)
        if (x->sources[i].plane == r->key.detail)
            return x->sources[i].component;
    return r->key.detail < x->nplanes ? x->names[r->key.detail].component : 0;
}
