/* The words of the language from the tables of asm/: `syntax dictionary` writes them for a fuzzer, `syntax vim` and
 * `syntax textmate` for editors. */
#include "asm/isa.h"
#include "asm/words.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
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
        ";\n", ", ", ".x", ".xyzw", ".rgba", "[0]", "[", "]", "{", "}", "{ ", " }", "{0, 0, 0, 1}", "|", "-", "+", "(",
        ")",
        "..", ":", "#", "\n", "\r\n", "\r", " = ", "R0", "R1.x", "c[R0.x + 1]", "handle(", "offset(",
        "SUBROUTINENUM(0)",
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

/* ---- words ------------------------------------------------------------------------------------------------------- */

enum { MOST_WORDS = 1024, LONGEST_WORD = 32 };

struct word_list {
    char word[MOST_WORDS][LONGEST_WORD];
    size_t count;
};

static void add_word(struct word_list *list, const char *word, size_t length)
{
    if (length == 0 || length >= LONGEST_WORD || list->count == MOST_WORDS)
        return;
    for (size_t i = 0; i < list->count; i++)
        if (strncmp(list->word[i], word, length) == 0 && list->word[i][length] == '\0')
            return;
    memcpy(list->word[list->count], word, length);
    list->word[list->count++][length] = '\0';
}

static int compare_words(const void *a, const void *b)
{
    return strcmp(a, b);
}

/* Sorted, so that a word's place does not depend on where its row stands. */
static void sort_words(struct word_list *list)
{
    qsort(list->word, list->count, sizeof list->word[0], compare_words);
}

enum { W_PLAIN, W_SUFFIXED, W_MODIFIERS, W_OPTIONS, W_KEYWORDS, W_TARGETS, W_CONDITIONS, W_ROOTS, W_PATHS, W_LISTS };

/* The words of the language by what they are: of a binding's path the first, and those behind a dot. */
static void collect(struct word_list *lists)
{
    for (int i = 0; i < OP_COUNT; i++) {
        const struct op_info *op = &op_table[i];
        bool suffixed = op->modifiers & (M_CC | M_SAT | M_HALF | M_FIXED);
        add_word(&lists[suffixed ? W_SUFFIXED : W_PLAIN], op->name, strlen(op->name));
    }
    for (int i = MOD_NONE + 1; i < MOD_UNKNOWN; i++)
        add_word(&lists[W_MODIFIERS], modifier_table[i].text, strlen(modifier_table[i].text));
    for (int i = OPTION_NONE + 1; i < OPTION_COUNT; i++)
        add_word(&lists[W_OPTIONS], option_table[i].name, strlen(option_table[i].name));
    for (int i = 0; i < KEY_COUNT; i++)
        add_word(&lists[W_KEYWORDS], keyword_table[i].name, strlen(keyword_table[i].name));
    for (int i = TARGET_NONE + 1; i < TARGET_COUNT; i++)
        add_word(&lists[W_TARGETS], target_table[i].text, strlen(target_table[i].text));
    for (int i = CC_NONE + 1; i < CC_COUNT; i++)
        add_word(&lists[W_CONDITIONS], cc_rule_names[i], strlen(cc_rule_names[i]));
    for (int i = 0; i < BIND_COUNT; i++)
        for (const char *at = binding_table[i].words, *start = at; *start; at++)
            if (*at == '.' || *at == '[' || *at == '\0') {
                if (at > start && *start != '?' && *start != ']')
                    add_word(&lists[start == binding_table[i].words ? W_ROOTS : W_PATHS], start, (size_t)(at - start));
                at += strcspn(at, ".");
                start = *at ? at + 1 : at;
                if (!*at)
                    break;
            }
    for (int i = 0; i < W_LISTS; i++)
        sort_words(&lists[i]);
}

/* ---- vim --------------------------------------------------------------------------------------------------------- */

static void put_vim_words(const char *group, const struct word_list *list, const char *how)
{
    for (size_t i = 0; i < list->count; i++)
        printf("syn keyword %s %s%s\n", group, list->word[i], how);
}

static void put_alternatives(const struct word_list *list, const char *between)
{
    for (size_t i = list->count; i-- > 0;)      /* backwards: a longer word stands before one that it begins with */
        printf("%s%s", list->word[i], i ? between : "");
}

static int put_vim(const struct word_list *lists)
{
    puts("\" OpenGL assembly programs. Written by `make docs` from the tables of asm/; a test holds it up to date.\n"
         "if exists('b:current_syntax')\n"
         "  finish\n"
         "endif\n"
         "syn case match\n"
         "syn iskeyword @,48-57,_,$\n\n"
         "\" What stands behind an opcode by dots.\n"
         "syn match gp5Modifiers \"\\%(\\.[A-Z][A-Za-z0-9]*\\)\\+\" contained contains=gp5Modifier\n"
         "syn match gp5Swizzle \"\\.\\@1<=\\%([xyzw]\\{1,4}\\|[rgba]\\{1,4}\\)\\>\"\n"
         "syn match gp5Number \"\\<\\%(0[xX]\\x\\+\\|\\d\\+\\%(\\.\\d*\\)\\=\\%([eE][+-]\\=\\d\\+\\)\\=\\)\\>\"\n"
         "syn match gp5Number \"\\.\\d\\+\\%([eE][+-]\\=\\d\\+\\)\\=\\>\"\n"
         "syn match gp5Label \"^\\s*\\zs[A-Za-z_$][A-Za-z0-9_$]*\\ze\\s*:\"");
    fputs("syn match gp5Opcode \"\\<\\%(", stdout);
    put_alternatives(&lists[W_SUFFIXED], "\\|");
    puts("\\)[RHX]\\=\\%(C[01]\\=\\)\\=\\%(_S\\=SAT\\)\\=\\>\" nextgroup=gp5Modifiers");
    fputs("syn match gp5Condition \"\\<\\%(", stdout);
    put_alternatives(&lists[W_CONDITIONS], "\\|");
    puts("\\)[01]\\=\\>\"");
    fputs("syn match gp5Path \"\\<\\%(", stdout);
    put_alternatives(&lists[W_ROOTS], "\\|");
    puts("\\)\\>\\%(\\[[^][]*\\]\\|\\.[a-z][a-z0-9]*\\>\\)*\" contains=gp5Root,gp5Binding,gp5Number,gp5Swizzle");
    for (int i = PROFILE_NONE + 1; i < PROFILE_COUNT; i++)
        if (profile_table[i].option == OPTION_NONE)
            printf("syn match gp5Header \"^%.*s\\.%s\"\n", (int)strcspn(profile_table[i].header, "."),
                   profile_table[i].header, strchr(profile_table[i].header, '.') + 1);
    puts("syn match gp5Comment \"#.*$\" contains=gp5Todo,@Spell\n"
         "syn keyword gp5Todo TODO FIXME XXX contained\n");
    put_vim_words("gp5Opcode", &lists[W_PLAIN], " nextgroup=gp5Modifiers");
    put_vim_words("gp5Modifier", &lists[W_MODIFIERS], " contained");
    put_vim_words("gp5Option", &lists[W_OPTIONS], "");
    put_vim_words("gp5Keyword", &lists[W_KEYWORDS], "");
    put_vim_words("gp5Target", &lists[W_TARGETS], "");
    put_vim_words("gp5Root", &lists[W_ROOTS], " contained");
    put_vim_words("gp5Binding", &lists[W_PATHS], " contained");
    puts("\nhi def link gp5Header PreProc\nhi def link gp5Comment Comment\nhi def link gp5Todo Todo\n"
         "hi def link gp5Opcode Statement\nhi def link gp5Modifier Type\nhi def link gp5Option Special\n"
         "hi def link gp5Keyword StorageClass\nhi def link gp5Target Constant\nhi def link gp5Condition Conditional\n"
         "hi def link gp5Root Identifier\nhi def link gp5Binding Identifier\nhi def link gp5Swizzle Special\n"
         "hi def link gp5Number Number\nhi def link gp5Label Label\n\nlet b:current_syntax = 'gp5asm'");
    return 0;
}

/* ---- TextMate grammars (VS Code and others) ---------------------------------------------------------------------- */

static size_t append(char *to, size_t room, size_t at, const char *text)
{
    int n = snprintf(to + at, room - at, "%s", text);
    return n < 0 || (size_t)n >= room - at ? room - 1 : at + (size_t)n;
}

/* BEFORE(a|b|c)BEHIND */
static json_t *pattern(const char *name, const char *before, const struct word_list *list, const char *behind)
{
    static char text[1 << 16];
    size_t at = append(text, sizeof text, 0, before);
    for (size_t i = list ? list->count : 0; i-- > 0;) {
        at = append(text, sizeof text, at, list->word[i]);
        at = append(text, sizeof text, at, i ? "|" : "");
    }
    append(text, sizeof text, at, behind);
    return json_pack("{s:s, s:s}", "name", name, "match", text);
}

static json_t *with_captures(json_t *rule, const char *first, const char *second)
{
    json_object_set_new(rule, "captures", json_pack("{s:{s:s}, s:{s:s}}", "1", "name", first, "2", "name", second));
    json_object_del(rule, "name");
    return rule;
}

static struct word_list headers(void)
{
    struct word_list list = {.count = 0};
    for (int i = PROFILE_NONE + 1; i < PROFILE_COUNT; i++) {
        char text[LONGEST_WORD];
        const char *header = profile_table[i].header;
        int n = snprintf(text, sizeof text, "%.*s\\.%s", (int)strcspn(header, "."), header, strchr(header, '.') + 1);
        add_word(&list, text, (size_t)n);
    }
    return list;
}

static int put_textmate(const struct word_list *lists)
{
    static struct word_list first;
    first = headers();
    json_t *rules = json_pack(
        "[o, o, o, o, o, o, o, o, o, o, o, o, o]", pattern("comment.line.number-sign.gp5asm", "#.*$", NULL, ""),
        pattern("keyword.control.directive.gp5asm", "^(?:", &first, ")"),
        with_captures(pattern("", "\\b(OPTION)\\s+(", &lists[W_OPTIONS], ")\\b"), "storage.type.gp5asm",
                      "support.constant.option.gp5asm"),
        pattern("constant.other.target.gp5asm", "\\b(?:", &lists[W_TARGETS], ")\\b"),
        with_captures(pattern("", "\\b((?:", &lists[W_SUFFIXED],
                              ")[RHX]?(?:C[01]?)?(?:_S?SAT)?)((?:\\.[A-Z][A-Za-z0-9]*)*)(?![A-Za-z0-9_$])"),
                      "keyword.operator.opcode.gp5asm", "storage.modifier.gp5asm"),
        with_captures(pattern("", "\\b(", &lists[W_PLAIN], ")((?:\\.[A-Z][A-Za-z0-9]*)*)(?![A-Za-z0-9_$])"),
                      "keyword.operator.opcode.gp5asm", "storage.modifier.gp5asm"),
        pattern("storage.type.gp5asm", "\\b(?:", &lists[W_KEYWORDS], ")\\b"),
        pattern("keyword.control.condition.gp5asm", "\\b(?:", &lists[W_CONDITIONS], ")[01]?\\b"),
        pattern("variable.language.gp5asm", "\\b(?:", &lists[W_ROOTS], ")\\b(?=[.\\[])"),
        pattern("support.variable.gp5asm", "(?<=\\.)(?:", &lists[W_PATHS], ")\\b"),
        pattern("variable.other.member.gp5asm", "(?<=\\.)(?:[xyzw]{1,4}|[rgba]{1,4})\\b", NULL, ""),
        pattern("constant.numeric.gp5asm",
                "\\b0[xX][0-9A-Fa-f]+\\b|(?:\\b[0-9]+\\.?[0-9]*|\\.[0-9]+)(?:[eE][+-]?[0-9]+)?", NULL, ""),
        pattern("entity.name.label.gp5asm", "^\\s*[A-Za-z_$][A-Za-z0-9_$]*(?=\\s*:)", NULL, ""));
    json_t *grammar = json_pack("{s:s, s:s, s:s, s:s, s:[s, s, s, s, s, s, s], s:o}", "$schema",
        "https://raw.githubusercontent.com/martinring/tmlanguage/master/tmlanguage.json", "comment",
        "Written by `make docs` from the tables of asm/; a test holds it up to date.", "name",
        "OpenGL assembly program",
        "scopeName", "source.gp5asm", "fileTypes", "vp", "fp", "gp", "cp", "tcp", "tep", "vfp", "patterns", rules);
    int status = grammar && json_dumpf(grammar, stdout, JSON_INDENT(2)) == 0 ? 0 : 2;
    putchar('\n');
    json_decref(grammar);
    return status;
}

int main(int argc, char **argv)
{
    static struct word_list lists[W_LISTS];
    int status = 2;
    const char *what = argc == 2 ? argv[1] : "";
    collect(lists);
    if (strcmp(what, "dictionary") == 0)
        status = put_dictionary();
    else if (strcmp(what, "vim") == 0)
        status = put_vim(lists);
    else if (strcmp(what, "textmate") == 0)
        status = put_textmate(lists);
    else
        fputs("usage: syntax dictionary|vim|textmate\n", stderr);
    return fflush(stdout) == 0 && !ferror(stdout) ? status : 2;
}
