/* Writes docs/instructions.md from the tables of asm/: every instruction and every option that is known. */
#include "asm/isa.h"

#include <stdio.h>
#include <string.h>

struct bit_name {
    unsigned bit;
    const char *text;
};

static const struct bit_name type_names[] = {{T_F, "F"}, {T_F64, "F64"}, {T_I, "S U"}, {T_I64, "S64 U64"},
                                            {T_SHORT, "S8 U8 S16 U16"}};

static const struct bit_name modifier_names[] = {
    {M_CC, "CC"}, {M_COUNTER_OPERATION, "operation"}, {M_SAT, "SAT SSAT"}, {M_HALF, "R H"}, {M_FIXED, "X"},
    {M_CVT, "two types, rounding"},
    {M_MUL, "HI S24 U24"}, {M_STORAGE, "storage type"}, {M_COHERENT, "COH VOL"},
    {M_ATOMIC, "operation and storage type"},
    {M_COUNTER, "counter operation"}, {M_CTA, "CTA"},  {M_TEX, "texture modifiers"}, {M_MATCH, "ANY ALL"},
    {M_DERIVATIVE, "FINE COARSE"}, {M_OPERATOR, "ADD MUL MIN MAX AND OR XOR"}, {M_VARIABLE, "which variable"},
    {M_MEMORY, "BUFFER SHARED IMAGE"},
};

enum { COLUMNS = 120 };

/* A row of a table is put together here, so that its last cell may go on in rows below. */
struct row {
    char text[1024];
    size_t length;
    unsigned cells;
};

static void add(struct row *r, const char *text)
{
    r->length += (size_t)snprintf(r->text + r->length, sizeof r->text - r->length, "%s", text);
}

/* In a table a bar ends the cell. */
static void add_escaped(struct row *r, const char *text)
{
    for (; *text; text++) {
        char byte[3] = {'\\', *text, 0};
        add(r, byte + (*text != '|' && *text != '*' && *text != '<'));
    }
}

static void end_cell(struct row *r)
{
    add(r, " | ");
    r->cells++;
}

/* The last cell, over as many rows as it takes, and the end of the row. */
static void put_last(struct row *r, const char *text)
{
    char empty[64] = "|";
    struct row cell = {.length = 0};
    const char *at = cell.text;

    add_escaped(&cell, text);
    for (unsigned i = 0; i < r->cells; i++)
        strcat(empty, " |");
    strcat(empty, " ");
    fputs(r->text, stdout);
    for (size_t room = COLUMNS - r->length - 2; strlen(at) > room; room = COLUMNS - strlen(empty) - 2) {
        size_t end = room;
        while (end && at[end] != ' ')
            end--;
        if (!end)       /* a word as wide as the row stays whole */
            break;
        printf("%.*s |\n%s", (int)end, at, empty);
        at += end + (at[end] == ' ');
    }
    printf("%s |\n", at);
}

static void add_bits(struct row *r, unsigned bits, const struct bit_name *names, size_t count)
{
    const char *between = "";
    for (size_t i = 0; i < count; i++)
        if (bits & names[i].bit) {
            add(r, between);
            add(r, names[i].text);
            between = ", ";
        }
}

/* Groups have a name of their own; the first that fits is taken. */
static void add_profiles(struct row *r, unsigned profiles)
{
    static const struct bit_name groups[] = {
        {NV_ALL | ARB_ALL | OLD_ALL, "all"}, {NV_ALL, "NV"}, {GPU5, "NV 5.0"}, {GPU4, "NV 4"}, {GPU41, "NV 4.1"},
        {NV_VP, "NV vp"}, {NV_GP, "NV gp"}, {NV_FP, "NV fp"}, {NV_TESS, "NV tcp tep"},
        {ARB_ALL, "ARB"}, {ARB_VP, "ARB vp"}, {ARB_FP, "ARB fp"}, {OLD_ALL, "old"}, {OLD_VP, "old vp"},
    };
    const char *between = "";
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++)
        if ((profiles & groups[i].bit) == groups[i].bit) {
            add(r, between);
            add(r, groups[i].text);
            profiles &= ~groups[i].bit;
            between = ", ";
        }
    for (unsigned p = PROFILE_NONE + 1; p < PROFILE_COUNT; p++)
        if (profiles & 1u << p) {
            add(r, between);
            add(r, profile_table[p].name);
            between = ", ";
        }
}

/* The option, and where it is needed when that is not everywhere. */
static void add_option(struct row *r, const struct op_info *info)
{
    add_escaped(r, info->gated ? option_table[info->option].name : "");
    if (info->gated && info->gated != info->profiles) {
        add(r, " (");
        add_profiles(r, info->gated);
        add(r, ")");
    }
}

static void put_dialects(void)
{
    printf("\n## Dialects\n\n"
           "NV are all of NVIDIA's profiles from 4.0 on, old those whose registers have numbers.\n\n"
           "| name | header | option | stage |\n|---|---|---|---|\n");
    for (unsigned p = PROFILE_NONE + 1; p < PROFILE_COUNT; p++)
        printf("| %s | `%s` | %s | %s |\n", profile_table[p].name, profile_table[p].header,
               option_table[profile_table[p].option].name, profile_table[p].stage);
}

static void put_meaning(const struct op_info *info, enum gp5_op op)
{
    struct row r = {.length = 0};
    char text[256];

    asm_describe_op(op, text, sizeof text);
    add(&r, "| `");
    add(&r, text);
    add(&r, "`");
    end_cell(&r);
    put_last(&r, info->meaning);
}

static void put_forms(const struct op_info *info)
{
    struct row r = {.length = 0}, profiles = {.length = 0};

    add(&r, "| ");
    add(&r, info->name);
    end_cell(&r);
    add_bits(&r, info->types, type_names, sizeof type_names / sizeof *type_names);
    end_cell(&r);
    add_bits(&r, info->modifiers, modifier_names, sizeof modifier_names / sizeof *modifier_names);
    end_cell(&r);
    add_profiles(&profiles, info->profiles);
    put_last(&r, profiles.text);
}

static void put_origin(const struct op_info *info)
{
    struct row r = {.length = 0};

    add(&r, "| ");
    add(&r, info->name);
    end_cell(&r);
    add_option(&r, info);
    end_cell(&r);
    put_last(&r, info->spec);
}

int main(void)
{
    printf("# Instructions\n\n"
           "Written from `asm/isa.def` and `asm/options.def` by `make docs`; a test holds it up to date. This is what\n"
           "the assembler knows; `gp5 run` says so where the evaluator does not have an instruction yet. Behind what\n"
           "they do stands what they take and where they come from, then the options, and the dialects at the end.\n\n"
           "| instruction | meaning |\n|---|---|\n");
    for (int op = 0; op < OP_COUNT; op++)
        put_meaning(&op_table[op], (enum gp5_op)op);
    printf("\n## What they take\n\n"
           "PREC and NTC go with every typed instruction. In ARBfp1.0 there are no dotted modifiers; `_SAT` is\n"
           "written behind the name. F is a 32-bit float, S and U are 32-bit integers.\n\n"
           "| opcode | types | modifiers | profiles |\n|---|---|---|---|\n");
    for (int op = 0; op < OP_COUNT; op++)
        put_forms(&op_table[op]);
    printf("\n## Where they come from\n\n| opcode | option | specified in |\n|---|---|---|\n");
    for (int op = 0; op < OP_COUNT; op++)
        put_origin(&op_table[op]);
    printf("\n## Options\n\n| option | profiles | turns on |\n|---|---|---|\n");
    for (int i = OPTION_NONE + 1; i < OPTION_COUNT; i++) {
        struct row r = {.length = 0};
        add(&r, "| `");
        add(&r, option_table[i].name);
        add(&r, "`");
        end_cell(&r);
        add_profiles(&r, option_table[i].profiles);
        end_cell(&r);
        put_last(&r, option_table[i].meaning);
    }
    put_dialects();
    return fflush(stdout) == 0 && !ferror(stdout) ? 0 : 1;
}
