/* What a program gets for its proof: values in variables that it reads before it writes them, and results where it has
 * none. See proof.h. */
#include "tests/tools/proof.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MOST_SHOWN = 8, SETS = 8 };

struct longer {
    const struct gp5_program *p;
    char *text;
    size_t size, room;
    bool vertex, old, typed, wide;
    size_t first;       /* where the first instruction stands */
    unsigned sets;      /* of coordinates that variables were given */
    unsigned shown;     /* results that were made */
};

static void put(struct longer *l, const char *format, ...)
{
    va_list list;

    va_start(list, format);
    int n = l->size < l->room ? vsnprintf(l->text + l->size, l->room - l->size, format, list) : 0;
    va_end(list);
    l->size += n > 0 ? (size_t)n : 0;
}

/* ---- what is there --------------------------------------------------------------------------------------------- */

static const struct symbol *variable(const struct gp5_program *p, unsigned kind, uint32_t ref)
{
    const struct symbol *s = kind == OPND_SYMBOL ? program_symbol(p, ref) : NULL;

    return s && s->kind == SYM_TEMP ? s : NULL;
}

static bool has_results(const struct gp5_program *p)
{
    for (uint32_t i = 0; i < p->insns.count; i++) {
        const struct result *r = &program_insn(p, i)->dst;
        if (r->kind == OPND_BINDING || (r->kind == OPND_SYMBOL && program_symbol(p, r->ref)->kind == SYM_OUTPUT))
            return true;
    }
    return false;
}

/* What a variable is read as before it is written. */
enum reads { READS_NOTHING, READS_FLOAT, READS_NUMBER, READS_LEVEL, READS_ADDRESS };

static enum reads indexed(const struct gp5_program *p, uint32_t index, unsigned n, uint32_t of, uint32_t symbol)
{
    for (unsigned i = 0; i < n; i++) {
        const struct index *at = program_index(p, index + i);
        if (at->mode == INDEX_RELATIVE && at->register_kind == OPND_SYMBOL && at->reg == symbol)
            return program_symbol(p, of)->kind == SYM_TEMP ? READS_NUMBER : READS_ADDRESS;
    }
    return READS_NOTHING;
}

static enum reads read_by(const struct gp5_program *p, const struct insn *insn, uint32_t symbol)
{
    for (unsigned k = 0; k < insn->nsrc; k++) {
        const struct operand *o = program_operand(p, insn->src + k);
        uint8_t kind = operand_named_kind(o), type = insn->type & DT_MASK;
        enum reads index = kind == OPND_SYMBOL ? indexed(p, o->index, o->nindices, o->ref, symbol) : READS_NOTHING;
        char number = op_number(insn->op, k + 1);
        if (index)
            return index;
        if (kind == OPND_SYMBOL && o->ref == symbol)
            return insn->op == OP_TXQ ? READS_LEVEL
                   : (type != DT_F32 && type != DT_F16 && type != DT_F64) || number == 'S' || number == 'U'
                       ? READS_NUMBER
                       : READS_FLOAT;
    }
    return insn->dst.kind == OPND_SYMBOL ? indexed(p, insn->dst.index, insn->dst.nindices, insn->dst.ref, symbol)
                                         : READS_NOTHING;
}

/* By the first instruction that names it, but for those that write all of it. */
static enum reads read_first(const struct gp5_program *p, uint32_t symbol)
{
    for (uint32_t i = 0; i < p->insns.count; i++) {
        const struct insn *insn = program_insn(p, i);
        enum reads how = read_by(p, insn, symbol);
        if (how)
            return how;
        if (insn->dst.kind == OPND_SYMBOL && insn->dst.ref == symbol && insn->dst.mask == 15 &&
            !condition_restricts(&insn->dst.condition))
            break;
    }
    return READS_NOTHING;
}

/* ---- before the first instruction ------------------------------------------------------------------------------ */

static const char *opcode(const struct longer *l, const struct symbol *s, enum reads how)
{
    if (s->type == TYPE_UINT)
        return "TRUNC.U";
    return s->type == TYPE_INT || (l->typed && how > READS_FLOAT && !s->type) ? "TRUNC.S" : "MOV";
}

/* Coordinates as floats, or as whole numbers where the program reads them as such. */
static void give_variables(struct longer *l)
{
    const char *from = l->vertex ? "vertex" : "fragment";

    for (uint32_t i = 0; i < l->p->symbols.count && !l->old; i++) {
        const struct symbol *s = program_symbol(l->p, i);
        enum reads how = s->kind == SYM_TEMP && !s->implicit ? read_first(l->p, i) : READS_NOTHING;
        if (!how || s->span.offset > l->first)
            continue;
        for (uint32_t e = 0; e < (s->array ? s->array_size : 1) && e < 4; e++) {
            char element[16] = "";
            if (s->array)
                snprintf(element, sizeof element, "[%u]", (unsigned)e);
            unsigned set = l->sets++ % SETS;
            if (s->size == SIZE_LONG && l->wide)
                put(l, "CVT.F64.F32 %.60s%s, %s.texcoord[%u];\n", s->name, element, from, set);
            else
                put(l, "%s %.60s%s, %s.texcoord[%u];\n", opcode(l, s, how), s->name, element, from, set);
            if (l->typed && how >= READS_LEVEL)
                put(l, "AND.U %.60s%s, %.60s%s, %u;\n", s->name, element, s->name, element,
                    how == READS_ADDRESS ? 0xff0 : 0);
        }
    }
}

/* A condition code that may be tested before it is written. */
static void give_condition(struct longer *l)
{
    for (uint32_t i = 0; i < l->p->insns.count && !l->old; i++) {
        const struct insn *insn = program_insn(l->p, i);
        if (!condition_restricts(&insn->condition) && !condition_restricts(&insn->dst.condition))
            continue;
        put(l, "TEMP gp5_code;\nMOV%s gp5_code, %s.texcoord[7];\n", l->typed ? ".CC" : "C",
            l->vertex ? "vertex" : "fragment");
        return;
    }
}

/* ---- before END ------------------------------------------------------------------------------------------------- */

static const char *result(const struct longer *l)
{
    static const char *const names[2][MOST_SHOWN] = {
        {"result.texcoord[0]", "result.texcoord[1]", "result.texcoord[2]", "result.texcoord[3]", "result.texcoord[4]",
         "result.texcoord[5]", "result.texcoord[6]", "result.texcoord[7]"},
        {"o[TEX0]", "o[TEX1]", "o[TEX2]", "o[TEX3]", "o[TEX4]", "o[TEX5]", "o[TEX6]", "o[TEX7]"}};

    if (!l->vertex)
        return l->old ? "o[COLR]" : "result.color";
    return names[l->old][l->shown];
}

static bool is_full(const struct longer *l)
{
    return l->shown == (l->vertex ? MOST_SHOWN : 1);
}

static void show_variables(struct longer *l)
{
    uint32_t seen[MOST_SHOWN];
    unsigned n = 0;

    for (uint32_t i = 0; i < l->p->insns.count && !is_full(l); i++) {
        const struct result *r = &program_insn(l->p, i)->dst;
        const struct symbol *s = variable(l->p, r->kind, r->ref);
        unsigned k = 0;
        while (k < n && seen[k] != r->ref)
            k++;
        if (!s || s->array || k < n)
            continue;
        seen[n++] = r->ref;
        if (s->size == SIZE_LONG && l->wide)
            put(l, "UP64.U %s, %.60s;\n", result(l), s->name);
        else
            put(l, "MOV%s %s, %.60s;\n", s->type == TYPE_INT ? ".S" : s->type == TYPE_UINT ? ".U" : "", result(l),
                s->name);
        l->shown++;
    }
}

/* An address chooses a parameter. */
static void show_addresses(struct longer *l)
{
    bool declared = false;

    for (uint32_t i = 0; i < l->p->symbols.count && !is_full(l) && l->vertex; i++) {
        const struct symbol *s = program_symbol(l->p, i);
        if (s->kind != SYM_ADDRESS || !s->written)
            continue;
        if (!declared && !l->old)
            put(l, "PARAM gp5_shown[96] = { program.env[0..95] };\n");
        declared = true;
        put(l, "MOV %s, %s[%.60s.x + 40];\n", result(l), l->old ? "c" : "gp5_shown", s->name);
        l->shown++;
    }
}

/* A condition code decides between two parameters. */
static void show_conditions(struct longer *l)
{
    static const char *const tests[] = {"LT", "EQ", "GT"};
    const char *parameter = l->old ? l->vertex ? "c" : "p" : "program.env";
    bool any = false;

    for (uint32_t i = 0; i < l->p->insns.count; i++)
        any = any || program_insn(l->p, i)->cc_update;
    for (unsigned k = 0; any && k < 3 && !is_full(l); k++) {
        put(l, "MOV %s, %s[%u];\nMOV %s (%s), %s[%u];\n", result(l), parameter, k + 4, result(l), tests[k], parameter,
            k + 8);
        l->shown++;
    }
}

/* ---- both ------------------------------------------------------------------------------------------------------- */

static void begin(struct longer *l, const struct gp5_program *p, size_t size)
{
    const struct profile_info *profile = &profile_table[p->profile];

    *l = (struct longer){.p = p, .room = size + 8000, .vertex = profile->stage_id == STAGE_VERTEX,
                         .old = profile->generation == GEN_REGISTER, .typed = profile->typed,
                         .wide = profile->generation == GEN_NV5};
    l->text = malloc(l->room);
}

char *proof_complete(const struct gp5_program *program, const char *text, size_t size, size_t *size_of)
{
    struct longer l;
    size_t end = size, first;
    bool results = has_results(program);

    while (end > 2 && memcmp(text + end - 3, "END", 3))
        end--;
    if (end < 3)
        return NULL;
    end -= 3;
    first = program->insns.count ? program_insn(program, 0)->span.offset : end;
    if (first > end)
        return NULL;
    begin(&l, program, size);
    if (!l.text)
        return NULL;
    memcpy(l.text, text, first);
    l.size = l.first = first;
    if (first == end)
        put(&l, "\n");
    give_variables(&l);
    give_condition(&l);
    size_t given = l.size;
    put(&l, "%.*s", (int)(end - first), text + first);
    if (end > first && text[end - 1] != '\n')
        put(&l, "\n");
    if (!results) {
        show_variables(&l);
        if (!l.shown)
            show_addresses(&l);
        if (!l.shown)
            show_conditions(&l);
    }
    /* What computes nothing has flow at most, and a result before it. */
    if (!results && !l.shown) {
        l.size = first;
        put(&l, "%sMOV %s, %s[3];\n%.*s%s", first == end ? "\n" : "", result(&l),
            l.old ? l.vertex ? "c" : "p" : "program.env", (int)(end - first), text + first,
            end > first && text[end - 1] != '\n' ? "\n" : "");
    } else if (results && given == first) {
        free(l.text);
        return NULL;
    }
    put(&l, "END\n");
    *size_of = l.size;
    return l.text;
}

bool proof_drop(struct proof *p, const char *log)
{
    static const char *const names[][2] = {
        {"gl_FrontColor", "result.color"},      {"gl_FrontSecondaryColor", "result.color.secondary"},
        {"gl_BackColor", "result.color.back"},  {"gl_BackSecondaryColor", "result.color.back.secondary"},
        {"gl_FogFragCoord", "result.fogcoord"}, {"gl_PointSize", "result.pointsize"},
        {"gl_Position", "result.position"}};
    struct driver_vertices *v = &p->driver.vertices;
    const char *at = strstr(log, "varying ");
    char word[40] = "", result[40] = "";
    unsigned n;
    size_t kept = 0;

    if (!at || p->driver.stage != DRIVER_VERTEX || sscanf(at, "varying %39s undeclared", word) != 1)
        return false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(word, names[i][0]))
            strcpy(result, names[i][1]);
    if (sscanf(word, "gl_TexCoord[%u]", &n) == 1)
        snprintf(result, sizeof result, "result.texcoord[%u]", n);
    else if (sscanf(word, "gl_ClipDistance[%u]", &n) == 1)
        snprintf(result, sizeof result, "result.clip[%u]", n);
    else if (sscanf(word, "gp5_attrib%u", &n) == 1)
        snprintf(result, sizeof result, "result.attrib[%u]", n);
    for (size_t i = 0; i < v->result_count; i++)
        if (strcmp(p->results[i], result)) {
            p->results[kept] = p->results[i];
            p->subject.planes[kept++] = p->subject.planes[i];
        }
    bool dropped = kept < v->result_count;
    v->result_count = p->subject.c.vertices.result_count = kept;
    return dropped;
}
