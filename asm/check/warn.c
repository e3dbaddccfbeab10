/* Warnings (asm/check/warn.h). One walk over the instructions, in the order of the text: what is written further up, or
 * further down in a loop around, may have been written before; all else has not. */
#include "asm/access.h"
#include "asm/check/warn.h"

#include <stdio.h>
#include <string.h>

enum { FULL = 15, READ = 16, WATCHED = 32, REPORTED = 64, MOST_SUSPECTS = 32 };

/* A read of what nothing above it writes. */
struct suspect {
    uint32_t symbol, insn, loop_end;    /* of the outermost loop around it; insn without one */
    uint8_t mask;
    struct span span;
};

struct warner {
    struct gp5_program *program;
    unsigned targets;
    uint8_t *seen;              /* a symbol: the components written so far, READ, WATCHED for temporaries */
    struct suspect suspect[MOST_SUSPECTS];
    unsigned suspects;
    uint32_t loop_end;
    bool result, jumps;         /* something comes of the program; there are subroutines */
    bool direct[BIND_COUNT];    /* results that are written by their own names */
};

static void warn(struct warner *w, struct span span, const char *format, const char *name)
{
    diag_add(&w->program->diags, DIAG_WARNING, w->targets, span, format, name);
}

/* ---- reads before any write -------------------------------------------------------------------------------------- */

static void note_read(struct warner *w, uint32_t insn, const struct access *read)
{
    uint8_t *seen = &w->seen[read->symbol];
    *seen |= READ;
    if (!(*seen & WATCHED) || read->mask == 0 || *seen & read->mask || w->suspects == MOST_SUSPECTS)
        return;
    w->suspect[w->suspects++] = (struct suspect){read->symbol, insn, insn > w->loop_end ? insn : w->loop_end,
                                                 read->mask, read->span};
}

/* Operands of the plain kind whose register is known to be full need no closer look; most are. */
static bool plain_reads(struct warner *w, const struct insn *insn)
{
    const struct gp5_program *program = w->program;
    for (unsigned i = 0; i < insn->nsrc; i++) {
        const struct operand *o = program_operand(program, insn->src + i);
        if (o->nindices)
            return false;
        if (o->kind == OPND_SYMBOL) {
            uint8_t *seen = &w->seen[o->ref];
            *seen |= READ;
            if (*seen & WATCHED && (*seen & FULL) != FULL)
                return false;
        } else if (o->kind == OPND_HANDLE || o->kind == OPND_EXTENDED) {
            return false;
        }
    }
    return insn->dst.nindices == 0;
}

static void note_insn(struct warner *w, uint32_t i)
{
    const struct insn *insn = program_insn(w->program, i);
    if (op_table[insn->op].shape == SHAPE_REP && insn->dst.partner != NO_INDEX && i > w->loop_end)
        w->loop_end = insn->dst.partner;
    if (!plain_reads(w, insn)) {
        struct access reads[MOST_READS];
        unsigned count = asm_reads(w->program, insn, reads);
        for (unsigned r = 0; r < count; r++)
            note_read(w, i, &reads[r]);
    }
    if (insn->dst.kind == OPND_SYMBOL) {
        uint32_t symbol = insn->dst.ref;
        const struct symbol *s = program_symbol(w->program, symbol);
        w->seen[symbol] |= s->array ? FULL : insn->dst.mask;
        w->result |= s->kind == SYM_OUTPUT;
    } else if (insn->dst.kind == OPND_BINDING) {
        w->result = true;
        w->direct[program_binding(w->program, insn->dst.ref)->kind] = true;
    }
    const struct op_info *op = &op_table[insn->op];
    w->result |= op_is_atomic(insn->op) ||
                 (shape_table[op->shape].result == RC_NONE && shape_table[op->shape].nsrc > 1) ||
                 op_table[insn->op].shape == SHAPE_KIL;
    w->jumps |= op_calls(insn->op) || insn->op == OP_BRA;
}

/* A loop comes round, and a subroutine may be called from anywhere: then a write further down counts as well. */
static bool is_written_later(const struct warner *w, const struct suspect *s)
{
    uint32_t end = w->jumps ? (uint32_t)w->program->insns.count : s->loop_end;
    for (uint32_t i = w->jumps ? 0 : s->insn; i < end; i++) {
        const struct insn *insn = program_insn(w->program, i);
        if (insn->dst.kind == OPND_SYMBOL && insn->dst.ref == s->symbol &&
            (insn->dst.mask & s->mask || program_symbol(w->program, s->symbol)->array))
            return true;
    }
    return false;
}

static void warn_reads(struct warner *w)
{
    for (unsigned i = 0; i < w->suspects; i++) {
        const struct suspect *s = &w->suspect[i];
        const struct symbol *symbol = program_symbol(w->program, s->symbol);
        bool again = false;
        for (unsigned j = 0; j < i && !again; j++)
            again = w->suspect[j].symbol == s->symbol && w->suspect[j].mask == s->mask;
        if (again || w->seen[s->symbol] & REPORTED || is_written_later(w, s))
            continue;
        if (!(w->seen[s->symbol] & FULL)) {
            warn(w, s->span, "%s is read, and nothing writes it", symbol->name);
            w->seen[s->symbol] |= FULL | REPORTED;  /* once is enough */
        } else if (symbol->array || s->mask == FULL) {
            warn(w, s->span, "%s is read before anything is written to it", symbol->name);
        } else {
            char name[64];
            size_t n = (size_t)snprintf(name, sizeof name - 6, "%.50s.", symbol->name);
            for (unsigned c = 0; c < 4; c++)
                if (s->mask >> c & 1)
                    name[n++] = "xyzw"[c];
            name[n] = '\0';
            warn(w, s->span, "%s is read before anything is written to it", name);
        }
    }
}

/* ---- names ------------------------------------------------------------------------------------------------------- */

enum { MOST_NAMED = 4, LONGEST_LIST = 160 };

/* "R1", "R1 and R2", "R1, R2, R3, R4 and 7 more". */
struct names {
    uint32_t symbol[MOST_NAMED];
    uint32_t count;
};

static void list_names(const struct warner *w, const struct names *names, char list[LONGEST_LIST])
{
    size_t n = 0;
    uint32_t shown = names->count < MOST_NAMED ? names->count : MOST_NAMED;
    for (uint32_t i = 0; i < shown; i++) {
        const char *between = i == 0 ? "" : i + 1 == names->count ? " and " : ", ";
        n += (size_t)snprintf(list + n, LONGEST_LIST - n, "%s%.24s", between,
                              program_symbol(w->program, names->symbol[i])->name);
    }
    if (names->count > shown)
        snprintf(list + n, LONGEST_LIST - n, " and %u more", names->count - shown);
}

static void warn_names(struct warner *w, const struct names *names, const char *one, const char *many)
{
    char list[LONGEST_LIST];
    if (names->count == 0)
        return;
    list_names(w, names, list);
    warn(w, program_symbol(w->program, names->symbol[0])->span, names->count == 1 ? one : many, list);
}

static void add_name(struct names *names, uint32_t symbol)
{
    if (names->count < MOST_NAMED)
        names->symbol[names->count] = symbol;
    names->count++;
}

/* Whether some write to a variable has to be there for another thing that the instruction does. */
static bool is_needed_elsewhere(const struct warner *w, uint32_t symbol)
{
    for (uint32_t i = 0; i < w->program->insns.count; i++) {
        const struct insn *insn = program_insn(w->program, i);
        if (insn->dst.kind == OPND_SYMBOL && insn->dst.ref == symbol && asm_has_effect(insn))
            return true;
    }
    return false;
}

static bool is_unused(const struct warner *w, uint32_t symbol)
{
    const struct symbol *s = program_symbol(w->program, symbol);
    if (s->uses || s->written || w->seen[symbol] & (READ | FULL) || s->kind == SYM_ALIAS || s->kind == SYM_OUTPUT)
        return false;
    return s->kind != SYM_LABEL || strcmp(s->name, "main") != 0;
}

/* A declared result may be written by the name that it stands for. */
static bool is_unwritten(const struct warner *w, uint32_t symbol)
{
    const struct symbol *s = program_symbol(w->program, symbol);
    if (s->kind != SYM_OUTPUT || w->seen[symbol] & FULL || s->written)
        return false;
    for (uint32_t i = 0; i < s->nbindings; i++)
        if (w->direct[program_binding(w->program, s->binding + i)->kind])
            return false;
    return true;
}

/* Looks for effects in at most so many variables: each costs a walk. */
enum { MOST_WALKS = 8 };

/* Compilers declare their registers and name their options whether they are needed or not, in every program;
 * NV_internal is their mark. To say it each time would help nobody. */
static bool is_made(const struct gp5_program *program)
{
    return program->options >> OPTION_NV_internal & 1;
}

static void warn_variables(struct warner *w)
{
    struct names unused = {.count = 0}, unread = {.count = 0}, unwritten = {.count = 0};
    unsigned walks = 0;
    for (uint32_t i = 0; i < w->program->symbols.count; i++) {
        uint8_t seen = w->seen[i];
        if (is_unused(w, i))
            add_name(&unused, i);
        else if (is_unwritten(w, i))
            add_name(&unwritten, i);
        else if (seen & WATCHED && seen & FULL && !(seen & READ) && walks++ < MOST_WALKS && !is_needed_elsewhere(w, i))
            add_name(&unread, i);
    }
    if (!is_made(w->program))
        warn_names(w, &unused, "%s is declared and not used", "%s are declared and not used");
    if (w->result)              /* otherwise this is said of the whole */
        warn_names(w, &unread, "%s is written, and nothing reads it", "%s are written, and nothing reads them");
    if (!is_made(w->program))
        warn_names(w, &unwritten, "%s is declared as a result and never written",
                   "%s are declared as results and never written");
}

static bool names_result(const struct gp5_program *program, const char *words)
{
    for (uint32_t i = 0; i < program->bindings.count; i++)
        if (strncmp(binding_table[program_binding(program, i)->kind].words, words, strlen(words)) == 0)
            return true;
    return false;
}

/* What is asked of a program that nothing stands behind but the rasterizer or the frame buffer. */
static void warn_missing(struct warner *w, const struct insn *last)
{
    static const uint64_t invariant = UINT64_C(1) << OPTION_ARB_position_invariant |
                                      UINT64_C(1) << OPTION_NV_position_invariant;
    const struct gp5_program *program = w->program;
    struct span span = {last->span.offset, last->span.length};
    if (profile_in(program->profile, ARB_VP) && !names_result(program, "result.position") &&
        !(program->options & invariant))
        warn(w, span, "%s", "result.position is not written: where the vertex stands is undefined");
    if (profile_in(program->profile, ARB_FP) && !names_result(program, "result.color"))
        warn(w, span, "%s", "result.color is not written: the colour is undefined");
}

static void warn_result(struct warner *w)
{
    const struct gp5_program *program = w->program;
    if (program->insns.count == 0)
        return;
    const struct insn *last = program_insn(program, (uint32_t)program->insns.count - 1);
    if (w->result) {
        warn_missing(w, last);
        return;
    }
    warn(w, (struct span){last->span.offset, last->span.length}, "%s",
         "nothing comes of this program: it writes no result and no memory");
}

/* ---- options ----------------------------------------------------------------------------------------------------- */

enum need {
    NEED_TABLE,         /* an opcode or a binding of the tables */
    NEED_F64 = 1, NEED_SMALL = 2, NEED_HANDLE = 4, NEED_ATOMIC_F32 = 8, NEED_ATOMIC_F64 = 16, NEED_ATOMIC_F16 = 32,
    NEED_ATOMIC_64 = 64, NEED_DERIVATIVE = 128, NEED_SPARSE = 256, NEED_SHADOW = 512
};

/* Options of which it is known what they turn on, all of it. One that changes what a program means does not stand
 * here. */
static const struct judged {
    uint8_t option;
    uint16_t need;
} judged[] = {
    {OPTION_NV_shader_storage_buffer, NEED_TABLE},
    {OPTION_NV_shader_thread_group, NEED_TABLE},
    {OPTION_NV_shader_thread_shuffle, NEED_TABLE},
    {OPTION_NV_shader_atomic_counters, NEED_TABLE},
    {OPTION_ARB_shader_image_size, NEED_TABLE},
    {OPTION_ARB_shader_texture_image_samples, NEED_TABLE},
    {OPTION_GP5_subgroup, NEED_TABLE},
    {OPTION_NV_gpu_program_fp64, NEED_F64},
    {OPTION_NV_gpu_program5_mem_extended, NEED_SMALL},
    {OPTION_NV_bindless_texture, NEED_HANDLE},
    {OPTION_NV_shader_atomic_float, NEED_ATOMIC_F32},
    {OPTION_NV_shader_atomic_float64, NEED_ATOMIC_F64},
    {OPTION_NV_shader_atomic_fp16_vector, NEED_ATOMIC_F16},
    {OPTION_NV_shader_atomic_int64, NEED_ATOMIC_64},
    {OPTION_ARB_derivative_control, NEED_DERIVATIVE},
    {OPTION_EXT_sparse_texture2, NEED_SPARSE},
    {OPTION_ARB_fragment_program_shadow, NEED_SHADOW},
};

struct needed {
    uint64_t options;           /* of the tables' rows */
    unsigned needs;             /* enum need */
};

static unsigned type_needs(const struct insn *insn, unsigned type)
{
    bool atomic = op_table[insn->op].modifiers & M_ATOMIC;
    switch (type & DT_MASK) {
    case DT_F64: return NEED_F64 | (atomic ? NEED_ATOMIC_F64 : 0);
    case DT_S64: case DT_U64: return NEED_F64 | (atomic ? NEED_ATOMIC_64 : 0);
    case DT_F32: return atomic ? NEED_ATOMIC_F32 : 0;
    case DT_F16: return NEED_SMALL | (atomic ? NEED_ATOMIC_F16 : 0);
    case DT_S8: case DT_U8: case DT_S16: case DT_U16: return NEED_SMALL;
    default: return 0;
    }
}

static bool is_shadow(unsigned target)
{
    return strncmp(target_table[target].text ? target_table[target].text : "", "SHADOW", 6) == 0;
}

static void add_insn_needs(const struct gp5_program *program, const struct insn *insn, struct needed *needed)
{
    needed->options |= UINT64_C(1) << op_table[insn->op].option;
    needed->needs |= type_needs(insn, insn->type) | type_needs(insn, insn->type2);
    for (unsigned i = 0; i < insn->nmodifiers; i++) {
        const struct modifier_info *m = &modifier_table[program_modifier(program, insn->modifier + i)->id];
        if (m->class == MC_TYPE || m->class == MC_SIZED || m->class == MC_VECTOR)
            needed->needs |= type_needs(insn, m->value);
    }
    if (insn->flags & (INSN_FINE | INSN_COARSE))
        needed->needs |= NEED_DERIVATIVE;
    if (insn->flags & (INSN_SPARSE | INSN_LODCLAMP))
        needed->needs |= NEED_SPARSE;
    if (insn->texture_target != TARGET_NONE && is_shadow(insn->texture_target))
        needed->needs |= NEED_SHADOW;
    for (unsigned i = 0; i < insn->nsrc; i++) {
        const struct operand *o = program_operand(program, insn->src + i);
        bool handle = o->kind == OPND_HANDLE;
        bool texture = o->kind == OPND_SYMBOL && (program_symbol(program, o->ref)->kind == SYM_TEXTURE ||
                                                  program_symbol(program, o->ref)->kind == SYM_IMAGE);
        if (handle || texture)
            needed->needs |= NEED_HANDLE;
    }
    const struct condition *conditions[] = {&insn->condition, &insn->dst.condition};
    for (int i = 0; i < 2; i++)
        if (conditions[i]->rule == CC_RESIDENT || conditions[i]->rule == CC_NONRESIDENT)
            needed->needs |= NEED_SPARSE;
}

static struct needed what_is_needed(const struct gp5_program *program)
{
    struct needed needed = {0, 0};
    for (uint32_t i = 0; i < program->insns.count; i++)
        add_insn_needs(program, program_insn(program, i), &needed);
    for (uint32_t i = 0; i < program->bindings.count; i++)
        needed.options |= UINT64_C(1) << binding_table[program_binding(program, i)->kind].option;
    for (uint32_t i = 0; i < program->symbols.count; i++)
        if (program_symbol(program, i)->size == SIZE_LONG)
            needed.needs |= NEED_F64;
    return needed;
}

static const struct judged *find_judged(unsigned option)
{
    for (size_t i = 0; i < sizeof judged / sizeof *judged; i++)
        if (judged[i].option == option)
            return &judged[i];
    return NULL;
}

static void warn_options(struct warner *w)
{
    const struct gp5_program *program = w->program;
    uint64_t known = 0;
    for (size_t i = 0; i < sizeof judged / sizeof *judged; i++)
        known |= UINT64_C(1) << judged[i].option;
    if (!(program->options & known) || is_made(program))
        return;
    struct needed needed = what_is_needed(program);
    char list[LONGEST_LIST];
    size_t n = 0;
    unsigned count = 0;
    struct span first = {0, 0};
    for (uint32_t i = 0; i < program->nstatements; i++) {
        const struct statement whole_s = program_statement(program, i), *s = &whole_s;
        const struct judged *j = s->kind == STMT_OPTION && s->ref < OPTION_COUNT ? find_judged(s->ref) : NULL;
        if (s->kind == STMT_INSTRUCTION)
            break;
        if (!j || needed.options >> j->option & 1 || needed.needs & j->need)
            continue;
        if (count++ == 0)
            first = s->span;
        if (count <= 3)
            n += (size_t)snprintf(list + n, sizeof list - n, "%s%.40s", count > 1 ? ", " : "",
                                  option_table[s->ref].name);
    }
    if (count > 3)
        snprintf(list + n, sizeof list - n, " and %u more", count - 3);
    if (count)
        warn(w, first, count == 1 ? "nothing here needs the option %s" : "nothing here needs the options %s", list);
}

/* ---- all of them ------------------------------------------------------------------------------------------------- */

static unsigned valid_targets(const struct gp5_program *program)
{
    unsigned targets = 0;
    for (unsigned bit = 1; bit <= FOR_ALL; bit <<= 1)
        targets |= bit & FOR_ALL && diags_position(&program->diags, bit) < 0 ? bit : 0;
    return targets;
}

void asm_warn(struct gp5_program *program)
{
    struct warner w = {.program = program, .targets = valid_targets(program)};
    size_t count = program->symbols.count;
    if (!w.targets)
        return;
    w.seen = gp5_malloc(count + 1);
    if (!w.seen) {
        program->diags.failed = true;
        return;
    }
    memset(w.seen, 0, count + 1);
    bool zeroed = profile_table[program->profile].generation == GEN_REGISTER;   /* their registers begin as 0 */
    for (uint32_t i = 0; i < count && !zeroed; i++) {
        uint8_t kind = program_symbol(program, i)->kind;
        w.seen[i] = kind == SYM_TEMP || kind == SYM_ADDRESS ? WATCHED : 0;
    }
    for (uint32_t i = 0; i < program->insns.count; i++)
        note_insn(&w, i);
    warn_options(&w);
    warn_reads(&w);
    warn_variables(&w);
    warn_result(&w);
    asm_warn_calls(program, w.targets);
    asm_warn_match(program, w.targets);
    gp5_free(w.seen);
}
