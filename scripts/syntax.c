/* The words of the language from the tables of asm/: `syntax dictionary` writes them for a fuzzer. */
#include "asm/isa.h"
#include "asm/words.h"

#include <stdio.h>
#include <string.h>

/* ---- the fuzzer's dictionary ------------------------------------------------------------------------------------- */

static void put_word(const char *before, const char *word, const char *behind)
{
    printf("\"%s", before);
    for (; *word; word++) {
        if (*word == '"' || *word == '\\')
            putchar('\\');
        putchar(*word);
    }
    printf("%s\"\n", behind);
}

/* A binding as it is written: an index in the place of [] and [?]. */
static void put_binding(const char *words)
{
    char text[128];
    size_t n = 0;
    for (; *words && n + 4 < sizeof text; words++) {
        if (*words == '?')
            continue;
        if (*words == ']')
            text[n++] = '0';
        text[n++] = *words;
    }
    text[n] = '\0';
    if (n)
        put_word("", text, "");
}

static int put_dictionary(void)
{
    static const char *const marks[] = {
        ";\n", ", ", ".x", ".xyzw", ".rgba", "[0]", "[", "]", "{", "}", "{ ", " }", "{0, 0, 0, 1}", "|", "-", "+", "(", ")",
        "..", ":", "#", "\n", "\r\n", "\r", " = ", "R0", "R1.x", "c[R0.x + 1]", "handle(", "offset(", "SUBROUTINENUM(0)",
        "0x7fffffff", "4294967295", "1e-5", ".5", "2.x", "inf", "nan", "_SAT", "[0..1]", "xyzw", "TEMP R0, R1;\n",
    };
    for (int i = PROFILE_NONE + 1; i < PROFILE_COUNT; i++)
        put_word("", profile_table[i].header, "");
    for (int i = 0; i < OP_COUNT; i++)
        put_word("", op_table[i].name, " ");
    for (int i = MOD_NONE + 1; i < MOD_UNKNOWN; i++)
        put_word(".", modifier_table[i].text, "");
    for (int i = OPTION_NONE + 1; i < OPTION_COUNT; i++)
        put_word("OPTION ", option_table[i].name, ";");
    for (int i = 0; i < BIND_COUNT; i++)
        put_binding(binding_table[i].words);
    for (int i = TARGET_NONE + 1; i < TARGET_COUNT; i++)
        put_word(", ", target_table[i].text, "");
    for (int i = CC_NONE + 1; i < CC_COUNT; i++)
        put_word("(", cc_rule_names[i], ".x)");
    for (int i = 0; i < KEY_COUNT; i++)
        put_word("", keyword_table[i].name, " ");
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        putchar('"');
        for (const char *c = marks[i]; *c; c++)
            if ((unsigned char)*c < 0x20)
                printf("\\x%02x", (unsigned)*c);
            else
                putchar(*c);
        puts("\"");
    }
    return 0;
}

int main(int argc, char **argv)
{
    int status = 2;
    if (argc == 2 && strcmp(argv[1], "dictionary") == 0)
        status = put_dictionary();
    else
        fputs("usage: syntax dictionary\n", stderr);
    return fflush(stdout) == 0 && !ferror(stdout) ? status : 2;
}
