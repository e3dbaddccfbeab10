/* Walking a program from outside: the functions of gp5.h that show what is in one. What a program with errors has been
 * understood to say can be walked as well. */
#include "asm/program.h"
#include "gp5.h"

const char *gp5_header(const gp5_program *program)
{
    return program->headed == PROFILE_NONE ? NULL : profile_table[program->headed].header;
}

const char *gp5_stage(const gp5_program *program)
{
    return program->profile == PROFILE_NONE ? NULL : profile_table[program->profile].stage;
}

const char *gp5_text(const gp5_program *program, size_t *size)
{
    if (size)
        *size = program->size;
    return program->text;
}

/* ---- statements -------------------------------------------------------------------------------------------------- */

size_t gp5_statement_count(const gp5_program *program)
{
    return program->nstatements;
}

static const char *statement_name(const gp5_program *program, const struct statement *s)
{
    switch ((enum statement_kind)s->kind) {
    case STMT_OPTION: return s->ref < OPTION_COUNT ? option_table[s->ref].name : NULL;
    case STMT_INSTRUCTION: return op_table[program_insn(program, s->ref)->op].name;
    case STMT_LABEL: return program_symbol(program, s->ref)->name;
    case STMT_DECLARATION:
    case STMT_ALIAS:
        return s->count || s->kind == STMT_ALIAS ? program_symbol(program, s->ref)->name : NULL;
    default: return NULL;
    }
}

static enum gp5_statement_kind statement_kind(enum statement_kind kind)
{
    switch (kind) {
    case STMT_OPTION: return GP5_STATEMENT_OPTION;
    case STMT_DECLARATION: return GP5_STATEMENT_DECLARATION;
    case STMT_ALIAS: return GP5_STATEMENT_ALIAS;
    case STMT_LABEL: return GP5_STATEMENT_LABEL;
    case STMT_INSTRUCTION: return GP5_STATEMENT_INSTRUCTION;
    case STMT_COMMENT: return GP5_STATEMENT_COMMENT;
    case STMT_BLANK: return GP5_STATEMENT_BLANK;
    case STMT_END: return GP5_STATEMENT_END;
    case STMT_BROKEN: return GP5_STATEMENT_BROKEN;
    default: return GP5_STATEMENT_STAGE;
    }
}

bool gp5_statement_at(const gp5_program *program, size_t index, struct gp5_statement *out)
{
    if (index >= program->nstatements)
        return false;
    const struct statement whole_s = program_statement(program, (uint32_t)index), *s = &whole_s;
    *out = (struct gp5_statement){
        .kind = statement_kind((enum statement_kind)s->kind), .offset = s->span.offset,
        .length = s->span.length, .name = statement_name(program, s), .index = SIZE_MAX};
    if (s->kind == STMT_INSTRUCTION || s->kind == STMT_LABEL || s->kind == STMT_ALIAS || s->kind == STMT_DECLARATION)
        out->index = s->ref;
    if (s->kind == STMT_DECLARATION)
        out->count = s->count;
    return true;
}

/* ---- instructions ------------------------------------------------------------------------------------------------ */

size_t gp5_instruction_count(const gp5_program *program)
{
    return program->insns.count;
}

bool gp5_instruction_at(const gp5_program *program, size_t index, struct gp5_instruction *out)
{
    if (index >= program->insns.count)
        return false;
    const struct insn *insn = program_insn(program, (uint32_t)index);
    bool paired = !insn->dst.written && insn->dst.partner != NO_INDEX && insn->dst.partner < program->insns.count;
    *out = (struct gp5_instruction){
        .opcode = op_table[insn->op].name, .type = type_table[insn->type & DT_MASK].name, .components = insn->width,
        .modifiers = insn->nmodifiers, .operands = insn->nsrc, .has_result = insn->dst.written,
        .sets_condition = insn->cc_update,
        .texture_target = insn->texture_target ? target_table[insn->texture_target].text : NULL,
        .test = insn->condition.rule ? cc_rule_names[insn->condition.rule] : NULL,
        .partner = paired ? insn->dst.partner : SIZE_MAX, .offset = insn->span.offset, .length = insn->span.length};
    return true;
}

const char *gp5_modifier_at(const gp5_program *program, size_t instruction, size_t modifier)
{
    if (instruction >= program->insns.count)
        return NULL;
    const struct insn *insn = program_insn(program, (uint32_t)instruction);
    if (modifier >= insn->nmodifiers)
        return NULL;
    unsigned id = program_modifier(program, insn->modifier + (uint32_t)modifier)->id;
    return id == MOD_UNKNOWN ? NULL : modifier_table[id].text;
}

/* ---- operands ---------------------------------------------------------------------------------------------------- */

static void set_reference(const gp5_program *program, unsigned kind, unsigned flags, uint32_t ref,
                          struct gp5_operand *out)
{
    switch ((enum operand_kind)kind) {
    case OPND_SYMBOL: case OPND_HANDLE: case OPND_LABEL:
        out->kind = kind == OPND_LABEL    ? GP5_OPERAND_LABEL
                    : kind == OPND_HANDLE ? GP5_OPERAND_HANDLE
                                          : GP5_OPERAND_VARIABLE;
        out->symbol = ref;
        break;
    case OPND_TEXTURE: case OPND_IMAGE:
        out->kind = kind == OPND_TEXTURE ? GP5_OPERAND_TEXTURE : GP5_OPERAND_IMAGE;
        if (flags & OPND_BY_NAME) {
            out->symbol = ref;
            break;
        }
        out->name = binding_table[program_binding(program, ref)->kind].words;
        break;
    case OPND_BINDING:
        out->kind = GP5_OPERAND_BINDING;
        out->name = binding_table[program_binding(program, ref)->kind].words;
        break;
    case OPND_CONSTANT:
        out->kind = GP5_OPERAND_CONSTANT;
        break;
    case OPND_CC:
        out->kind = GP5_OPERAND_CONDITION;
        break;
    default:
        break;
    }
    if (out->symbol != SIZE_MAX)
        out->name = program_symbol(program, (uint32_t)out->symbol)->name;
}

bool gp5_result_of(const gp5_program *program, size_t instruction, struct gp5_operand *out)
{
    if (instruction >= program->insns.count || !program_insn(program, (uint32_t)instruction)->dst.written)
        return false;
    const struct insn *insn = program_insn(program, (uint32_t)instruction);
    const struct result *r = &insn->dst;
    struct span place = program_result_span(program, insn);
    *out = (struct gp5_operand){.kind = GP5_OPERAND_NONE,
                                .symbol = SIZE_MAX,
                                .components = r->mask,
                                .indices = r->nindices,
                                .conditional = r->condition.rule != CC_NONE,
                                .offset = place.offset,
                                .length = place.length};
    for (unsigned c = 0; c < 4; c++)
        out->swizzle[c] = (uint8_t)c;
    set_reference(program, r->kind, 0, r->ref, out);
    return true;
}

bool gp5_operand_at(const gp5_program *program, size_t instruction, size_t operand, struct gp5_operand *out)
{
    if (instruction >= program->insns.count || operand >= program_insn(program, (uint32_t)instruction)->nsrc)
        return false;
    const struct operand *o =
        program_operand(program, program_insn(program, (uint32_t)instruction)->src + (uint32_t)operand);
    *out = (struct gp5_operand){
        .kind = GP5_OPERAND_NONE, .symbol = SIZE_MAX, .components = o->nswizzle == 1 ? 1 : 15, .indices = o->nindices,
        .negated = o->flags & OPND_NEGATE, .absolute = o->flags & OPND_ABSOLUTE, .offset = o->span.offset,
        .length = o->span.length};
    for (unsigned c = 0; c < 4; c++)
        out->swizzle[c] =
            o->kind == OPND_EXTENDED ? (uint8_t)(operand_selector(o, c) & 7) : (uint8_t)(o->swizzle >> 2 * c & 3);
    set_reference(program, o->kind == OPND_EXTENDED ? o->base_kind : o->kind, o->flags, o->ref, out);
    return true;
}

/* ---- names ------------------------------------------------------------------------------------------------------- */

size_t gp5_symbol_count(const gp5_program *program)
{
    return program->symbols.count;
}

bool gp5_symbol_at(const gp5_program *program, size_t index, struct gp5_symbol *out)
{
    static const char *const words[] = {
        [SYM_TEMP] = "TEMP", [SYM_ATTRIB] = "ATTRIB", [SYM_PARAM] = "PARAM", [SYM_OUTPUT] = "OUTPUT",
        [SYM_ADDRESS] = "ADDRESS", [SYM_BUFFER] = "BUFFER", [SYM_BUFFER4] = "BUFFER4", [SYM_CBUFFER] = "CBUFFER",
        [SYM_STORAGE] = "STORAGE", [SYM_SHARED] = "SHARED", [SYM_TEXTURE] = "TEXTURE", [SYM_IMAGE] = "IMAGE",
        [SYM_COUNTER] = "COUNTER", [SYM_SUBROUTINE_TYPE] = "SUBROUTINETYPE", [SYM_SUBROUTINE] = "SUBROUTINE",
        [SYM_ALIAS] = "ALIAS"};
    if (index >= program->symbols.count)
        return false;
    const struct symbol *s = program_symbol(program, (uint32_t)index);
    bool known = s->kind < sizeof words / sizeof *words;
    *out = (struct gp5_symbol){.name = s->name,
                               .keyword = known ? words[s->kind] : NULL,
                               .is_array = s->array,
                               .elements = s->array ? s->array_size : 1,
                               .bits = s->size == SIZE_SHORT  ? 16
                                       : s->size == SIZE_LONG ? 64
                                                              : 32,
                               .offset = s->span.offset,
                               .length = s->span.length,
                               .instruction = SIZE_MAX};
    if (s->kind == SYM_LABEL && s->defined)
        out->instruction = s->instruction;
    return true;
}
