/* libgp5 in a program of one's own: a text in memory is parsed, what is wrong with it comes to a callback, what is in
 * it is walked, and it is printed in the canonical form.
 *
 *     cc embed.c $(pkg-config --cflags --libs gp5) -o embed
 *     ./embed [FILE]          without a file it takes the program below
 *
 * The exit status is 0 when the program is valid for NVIDIA's driver, 1 when it is not, 2 on trouble. */
#include <gp5.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char sample[] =
    "!!ARBfp1.0\n"
    "PARAM light = program.local[0];\n"
    "TEMP c;\n"
    "TEX c,fragment.texcoord[0],texture[0],2D;   # the surface\n"
    "MUL_SAT c.xyz,c,-light.w; MOV result.color,c;\n"
    "END\n";

/* ---- diagnostics: one call each, in the order of the text; false would end it ------------------------------------ */

struct tally {
    const char *name;
    unsigned errors, warnings;
};

static bool report(void *user, const struct gp5_diagnostic *d)
{
    static const char *const words[] = {"error", "warning", "note"};
    struct tally *tally = user;
    printf("%s:%u:%u: %s: %s\n", tally->name, d->line, d->column, words[d->severity], d->message);
    if (d->hint)
        printf("    %s\n", d->hint);
    tally->errors += d->severity == GP5_ERROR;
    tally->warnings += d->severity == GP5_WARNING;
    return true;
}

/* ---- what is in it ----------------------------------------------------------------------------------------------- */

static void show_operand(const char *before, const struct gp5_operand *o, bool result)
{
    static const char *const kinds[] = {
        "nothing", "variable", "binding", "constant", "texture", "image", "handle", "label", "condition code"};
    printf("%s%s%s%s", before, o->negated ? "minus " : "", kinds[o->kind], o->name ? " " : "");
    if (o->name)
        printf("%s", o->name);
    if (result && o->components != 15)
        for (unsigned c = 0; c < 4; c++)
            printf("%s%s", c ? "" : " .", o->components >> c & 1 ? (const char *[]){"x", "y", "z", "w"}[c] : "");
    if (!result && o->components == 1)
        printf(" .%c", "xyzw01"[o->swizzle[0]]);
}

static void show_instruction(const gp5_program *program, size_t index)
{
    struct gp5_instruction insn;
    struct gp5_operand operand;
    if (!gp5_instruction_at(program, index, &insn))
        return;
    printf("%zu: %s", index, insn.opcode);
    for (size_t m = 0; m < insn.modifiers; m++)
        printf(" %s", gp5_modifier_at(program, index, m));
    if (gp5_result_of(program, index, &operand))
        show_operand(" -> ", &operand, true);
    for (size_t o = 0; gp5_operand_at(program, index, o, &operand); o++)
        show_operand(o ? ", " : " of ", &operand, false);
    if (insn.test)
        printf(" where %s", insn.test);
    if (insn.texture_target)
        printf(", %s", insn.texture_target);
    putchar('\n');
}

static void walk(const gp5_program *program)
{
    struct gp5_statement statement;
    struct gp5_symbol symbol;
    printf("a %s program with %zu instructions\n", gp5_stage(program), gp5_instruction_count(program));
    for (size_t i = 0; gp5_symbol_at(program, i, &symbol); i++)
        printf("%s %s, %u x %u bits\n", symbol.keyword ? symbol.keyword : "label", symbol.name,
               (unsigned)symbol.elements, symbol.bits);
    for (size_t i = 0; gp5_statement_at(program, i, &statement); i++) {
        if (statement.kind == GP5_STATEMENT_INSTRUCTION)
            show_instruction(program, statement.index);
        else if (statement.kind == GP5_STATEMENT_COMMENT)
            printf("%.*s\n", (int)statement.length, gp5_text(program, NULL) + statement.offset);
    }
}

/* The metrics that gp5 stats shows. */
static bool count(void *user, const struct gp5_metric *metric)
{
    const char *group = user;
    if (metric->known && metric->value && strcmp(metric->group, group) == 0)
        printf("%llu %s\n", (unsigned long long)metric->value, metric->text);
    return true;
}

/* ---- all of it --------------------------------------------------------------------------------------------------- */

static char *read_file(const char *name, size_t *size)
{
    FILE *file = fopen(name, "rb");
    char *bytes = NULL;
    *size = 0;
    for (size_t room = 0, got = 1; file && got > 0; *size += got) {
        if (*size == room) {
            char *more = realloc(bytes, room = room ? room * 2 : 4096);
            if (!more)
                break;
            bytes = more;
        }
        got = fread(bytes + *size, 1, room - *size, file);
    }
    if (file)
        fclose(file);
    else
        perror(name);
    return file ? bytes : NULL;
}

static int show(const char *name, const char *text, size_t size)
{
    char group[] = "instructions";
    gp5_program *program = gp5_parse(text, size);       /* the text is copied; NULL only without memory */
    if (!program)
        return 2;
    struct tally tally = {name, 0, 0};
    gp5_diagnostics(program, GP5_TARGET_NVIDIA, report, &tally);
    printf("%u errors, %u warnings; the driver would stop at byte %lld\n", tally.errors, tally.warnings,
           (long long)gp5_error_position(program, GP5_TARGET_NVIDIA));
    bool valid = gp5_valid(program, GP5_TARGET_NVIDIA);
    if (valid) {
        walk(program);
        gp5_count(program, count, group);
        char *formatted = gp5_format(program, NULL);
        if (formatted)
            fputs(formatted, stdout);
        gp5_text_free(formatted);
    }
    gp5_program_free(program);
    return valid ? 0 : 1;
}

int main(int argc, char **argv)
{
    size_t size;
    if (argc < 2)
        return show("sample", sample, strlen(sample));
    char *text = read_file(argv[1], &size);
    int status = text ? show(argv[1], text, size) : 2;
    free(text);
    return status;
}
