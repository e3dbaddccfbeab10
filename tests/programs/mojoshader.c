/* Writes Direct3D 9 shaders as MojoShader does: expanded templates (shader assembly) in, programs out. Not a part
 * of the build: cc -o mojoshader mojoshader.c -lmojoshader      (Debian: libmojoshader-dev) mojoshader
 * arb1|nv2|nv3|nv4 <SHADERS >PROGRAMS A shader that it does not take is named on standard error and left out. */
#include <mojoshader/mojoshader.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void said(const char *name, int count, const MOJOSHADER_error *errors)
{
    for (int i = 0; i < count; i++)
        fprintf(stderr, "%s: %s\n", name, errors[i].error);
}

static void translate(const char *profile, const char *name, const char *inputs, const char *text)
{
    const MOJOSHADER_parseData *a = MOJOSHADER_assemble(name, text, (unsigned)strlen(text), NULL, 0, NULL, 0, NULL,
                                                        0, NULL, NULL, NULL, NULL, NULL);
    said(name, a->error_count, a->errors);
    if (!a->error_count) {
        const MOJOSHADER_parseData *p =
            MOJOSHADER_parse(profile, "main", (const unsigned char *)a->output, (unsigned)a->output_len, NULL, 0,
                             NULL, 0, NULL, NULL, NULL);
        said(name, p->error_count, p->errors);
        if (!p->error_count)
            printf("@case %s\n@in %s\n%.*s\n@end\n", name, inputs,
                   p->output_len - (p->output[p->output_len - 1] == '\n'), p->output);
        MOJOSHADER_freeParseData(p);
    }
    MOJOSHADER_freeParseData(a);
}

int main(int argc, char **argv)
{
    static char line[65536], text[1 << 20], name[512], inputs[4096];
    while (argc > 1 && fgets(line, sizeof line, stdin)) {
        if (!strncmp(line, "@case ", 6)) {
            snprintf(name, sizeof name, "%.*s", (int)strcspn(line + 6, "\n"), line + 6);
            *text = 0;
        } else if (!strncmp(line, "@in ", 4)) {
            snprintf(inputs, sizeof inputs, "%.*s", (int)strcspn(line + 4, "\n"), line + 4);
        } else if (!strncmp(line, "@end", 4)) {
            translate(argv[1], name, inputs, text);
        } else {
            strncat(text, line, sizeof text - strlen(text) - 1);
        }
    }
    return argc < 2 ? 2 : 0;
}
