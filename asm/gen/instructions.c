/* Writes docs/instructions.md from the tables of asm/: every instruction and every option that is known. */
#include "asm/isa.h"

#include <stdio.h>

struct bit_name {
    unsigned bit;
    const char *text;
};

static const struct bit_name type_names[] = {{T_F, "F"}, {T_F64, "F64"}, {T_I, "S U"}, {T_I64, "S64 U64"},
                                            {T_SHORT, "S8 U8 S16 U16"}};

static const struct bit_name modifier_names[] = {
    {M_CC, "CC"},           {M_COUNTER_OPERATION, "operation"}, {M_SAT, "SAT SSAT"},      {M_HALF, "R H"},          {M_FIXED, "X"},          {M_CVT, "two types, rounding"},
    {M_MUL, "HI S24 U24"},  {M_STORAGE, "storage type"}, {M_COHERENT, "COH VOL"}, {M_ATOMIC, "operation and storage type"},
    {M_COUNTER, "counter operation"}, {M_CTA, "CTA"},  {M_TEX, "texture modifiers"}, {M_MATCH, "ANY ALL"},
    {M_DERIVATIVE, "FINE COARSE"}, {M_OPERATOR, "ADD MUL MIN MAX AND OR XOR"}, {M_VARIABLE, "which variable"},
    {M_MEMORY, "BUFFER SHARED IMAGE"},
};

/* In a table a bar ends the cell. */
static void put_cell(const char *text)
{
    for (; *text; text++) {
        if (*text == '|' || *text == '*' || *text == '<')
            putchar('\\');
        putchar(*text);
    }
}

static void put_bits(unsigned bits, const struct bit_name *names, size_t count)
{
    const char *between = "";
    for (size_t i = 0; i < count; i++)
        if (bits & names[i].bit) {
            printf("%s%s", between, names[i].text);
            between = ", ";
        }
}

/* Groups have a name of their own; the first that fits is taken. */
static void put_profiles(unsigned profiles)
{
    static const struct bit_name groups[] = {
        {NV_ALL | ARB_ALL | OLD_ALL, "all"}, {NV_ALL, "NV"}, {GPU5, "NV 5.0"}, {GPU4, "NV 4"}, {GPU41, "NV 4.1"},
        {NV_VP, "NV vp"}, {NV_GP, "NV gp"}, {NV_FP, "NV fp"}, {NV_TESS, "NV tcp tep"},
        {ARB_ALL, "ARB"}, {ARB_VP, "ARB vp"}, {ARB_FP, "ARB fp"}, {OLD_ALL, "old"}, {OLD_VP, "old vp"},
    };
    const char *between = "";
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++)
        if ((profiles & groups[i].bit) == groups[i].bit) {
            printf("%s%s", between, groups[i].text);
            profiles &= ~groups[i].bit;
            between = ", ";
        }
    for (unsigned p = PROFILE_NONE + 1; p < PROFILE_COUNT; p++)
        if (profiles & 1u << p) {
            printf("%s%s", between, profile_table[p].name);
            between = ", ";
        }
}

/* The option, and where it is needed when that is not everywhere. */
static void put_option(const struct op_info *info)
{
    put_cell(info->gated ? option_table[info->option].name : "");
    if (info->gated && info->gated != info->profiles) {
        printf(" (");
        put_profiles(info->gated);
        printf(")");
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

static void put_instruction(enum gp5_op op)
{
    const struct op_info *info = &op_table[op];
    char text[256];
    asm_describe_op(op, text, sizeof text);
    printf("| `%s` | ", text);
    put_bits(info->types, type_names, sizeof type_names / sizeof *type_names);
    printf(" | ");
    put_bits(info->modifiers, modifier_names, sizeof modifier_names / sizeof *modifier_names);
    printf(" | ");
    put_profiles(info->profiles);
    printf(" | ");
    put_option(info);
    printf(" | ");
    put_cell(info->meaning);
    printf(" | ");
    put_cell(info->spec);
    printf(" |\n");
}

int main(void)
{
    printf("# Instructions\n\n"
           "Written from `asm/isa.def` and `asm/options.def` by `make docs`; a test holds it up to date. This is what the assembler knows;\n"
           "`gp5 run` says so where the evaluator does not have an instruction yet.\n\n"
           "PREC and NTC go with every typed instruction. In ARBfp1.0 there are no dotted modifiers; `_SAT` is written behind the\n"
           "name. F is a 32-bit float, S and U are 32-bit integers. The dialects stand at the end.\n\n"
           "| instruction | types | modifiers | profiles | option | meaning | specified in |\n"
           "|---|---|---|---|---|---|---|\n");
    for (int op = 0; op < OP_COUNT; op++)
        put_instruction((enum gp5_op)op);

    printf("\n## Options\n\n| option | profiles | turns on |\n|---|---|---|\n");
    for (int i = OPTION_NONE + 1; i < OPTION_COUNT; i++) {
        printf("| `%s` | ", option_table[i].name);
        put_profiles(option_table[i].profiles);
        printf(" | ");
        put_cell(option_table[i].meaning);
        printf(" |\n");
    }
    put_dialects();
    return fflush(stdout) == 0 && !ferror(stdout) ? 0 : 1;
}
