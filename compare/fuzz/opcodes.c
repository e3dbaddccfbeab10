/* What the generator can write: asm/isa.def as it needs it. A new opcode of the ordinary kind comes by itself; one with
 * a form of its own needs one here. */
#include "compare/fuzz/internal.h"

#include <string.h>

static const uint32_t dialects[FUZZ_PROFILES] = {
    [FUZZ_AVP] = AVP, [FUZZ_AVP2] = AVP2, [FUZZ_AVP3] = AVP3, [FUZZ_AFP] = AFP, [FUZZ_AFP1] = AFP1, [FUZZ_AFP2] = AFP2,
    [FUZZ_VP4] = VP4, [FUZZ_GP4] = GP4, [FUZZ_FP4] = FP4, [FUZZ_VP5] = VP5, [FUZZ_TCP5] = TCP5, [FUZZ_TEP5] = TEP5,
    [FUZZ_GP5] = GP5, [FUZZ_FP5] = FP5, [FUZZ_CP5] = CP5,
};

/* Flow is drawn as a block, and of two that belong together one alone is no statement; of memory of the thread's own
 * there is no declaration; what an address register is put on a stack for is written by hand; no driver has those of
 * subgroups. */
static bool is_apart(unsigned op)
{
    return op_is(op, K_FLOW | K_SUBGROUP) || op_table[op].modifiers & M_COUNTER_OPERATION ||
           op_has(op, A_STACK | A_UNBUILT) || op == OP_FSIB || op == OP_FSIE;
}

static enum fuzz_form form_of(unsigned op)
{
    const struct op_info *info = &op_table[op];
    const struct shape_info *shape = &shape_table[info->shape];
    bool memory = info->modifiers & (M_STORAGE | M_ATOMIC | M_COUNTER);
    if (is_apart(op))
        return FUZZ_UNUSED;
    if (op_has(op, A_PAIRS))
        return FUZZ_WORDS;
    if (info->modifiers & (M_CVT | M_MATCH))
        return info->modifiers & M_CVT ? FUZZ_CONVERSION : FUZZ_MATCH;
    if (memory)
        return FUZZ_MEMORY;
    if (info->shape == SHAPE_KIL)
        return FUZZ_KILL;
    if (shape->result == RC_NONE && shape->nsrc)
        return shape->src[0] == OC_SCALAR ? FUZZ_STREAM : FUZZ_UNUSED;     /* flow is drawn as a block */
    return FUZZ_PLAIN;
}

/* V and S a vector or scalar of the instruction's type, F and f of floats, N and n signed, U and u unsigned. */
static char letter_of(unsigned op, unsigned i)
{
    const struct op_info *info = &op_table[op];
    char number = op_number(op, i + 1);
    bool scalar = shape_table[info->shape].src[i] == OC_SCALAR || op == OP_ARL; /* the text asks for one of ARL, too */
    switch (shape_table[info->shape].src[i]) {
    case OC_EXTENDED: return 'E';
    case OC_TEXTURE: return 'T';
    case OC_IMAGE: return 'I';
    case OC_ADDRESS: return 'a';
    default: break;
    }
    if (i == 0 && op_is(op, K_INTERPOLATION))
        return 'i';
    if (op_has(op, A_UNPACKS))
        return 'p';
    return number == 'F' ? "Ff"[scalar] : number == 'S' ? "Nn"[scalar] : number == 'U' ? "Uu"[scalar] : "VS"[scalar];
}

bool fuzz_opcode(unsigned op, enum fuzz_profile_id profile, struct fuzz_opcode *o)
{
    const struct op_info *info = &op_table[op];
    const struct shape_info *shape = &shape_table[info->shape];
    bool gated = info->gated & dialects[profile];
    *o = (struct fuzz_opcode){.op = op, .name = info->name, .form = form_of(op), .types = info->types,
                              .modifiers = info->modifiers, .result = shape->result};
    if (o->form == FUZZ_UNUSED || !(info->profiles & dialects[profile]))
        return false;
    if (info->modifiers & M_FRAGMENT && !(dialects[profile] & ANY_FP))
        return false;
    /* options bring words to older programs, but not all that goes with them: none to ARB programs, three to NVvp4.0
     * and its like */
    bool old = dialects[profile] & GPU4 && op != OP_LDC && op != OP_LOAD && op != OP_ATOMCTR;
    if (gated && (old || dialects[profile] & ARB_ALL || !(option_table[info->option].profiles & dialects[profile])))
        return false;
    o->option = gated ? option_table[info->option].name : NULL;
    for (unsigned i = 0; i < shape->nsrc; i++)
        o->operands[i] = letter_of(op, i);
    return true;
}

bool fuzz_computes(unsigned op, struct fuzz_opcode *o)
{
    if (!fuzz_opcode(op, FUZZ_CP5, o) || o->form != FUZZ_PLAIN || !o->types || o->result == RC_NONE || o->option)
        return false;
    for (const char *c = o->operands; *c; c++)
        if (!strchr("VSFfNnUup", *c))
            return false;
    return op_is(op, K_LANES);
}
