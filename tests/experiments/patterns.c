/* Turns a table of patterns (contraction.txt) into a batch of compute programs for gp5-batch: every pattern as vectors
 * and as single components. Each invocation reads six vec4 operands from storage 0 and writes r and q to storage 1.
 *
 *   patterns TABLE INVOCATIONS OPERANDS.bin > BATCH.jsonl
 */
#include <ctype.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char prologue[] =
    "!!NVcp5.0\n"
    "OPTION NV_shader_storage_buffer;\n"
    "OPTION NV_gpu_program_fp64;\n"
    "OPTION NV_shader_thread_group;\n"
    "OPTION NV_shader_thread_shuffle;\n"
    "GROUP_SIZE 32;\n"
    "STORAGE inb[] = { program.storage[0] };\n"
    "STORAGE outb[] = { program.storage[1] };\n"
    "TEMP a, b, c, d, e, f, r, q, t, u, v, w, i;\n"
    "SHORT TEMP h;\n"
    "LONG TEMP D, E, F, G, H;\n";

static const char loads[] =
    "MUL.U i, invocation.globalid.x, {96, 32, 0, 0};\n"
    "ADD.U i.z, i.x, 16;\nADD.U i.w, i.x, 32;\n"
    "LDB.U32X4 a, inb[i.x];\nLDB.U32X4 b, inb[i.z];\nLDB.U32X4 c, inb[i.w];\n"
    "ADD.U i.z, i.x, 48;\nADD.U i.w, i.x, 64;\n"
    "LDB.U32X4 d, inb[i.z];\nLDB.U32X4 e, inb[i.w];\n"
    "ADD.U i.z, i.x, 80;\nLDB.U32X4 f, inb[i.z];\n"
    "PK64.U D.xy, a;\nPK64.U E.xy, b;\nPK64.U G.xy, c;\n"
    "MOV.U r, 0;\nMOV.U q, 0;\n";

static const char stores[] =
    "ADD.U i.z, i.y, 16;\n"
    "STB.U32X4 r, outb[i.y];\nSTB.U32X4 q, outb[i.z];\n";

/* Appends body with every $ replaced, one statement a line. */
static void expand(char *out, size_t size, const char *body, const char *dollar)
{
    size_t n = strlen(out);
    for (; *body; body++) {
        if (*body == '$')
            n += (size_t)snprintf(out + n, size - n, "%s", dollar);
        else if (n + 2 < size)
            out[n++] = *body, out[n] = 0;
        if (n + 64 > size) {
            fprintf(stderr, "pattern too long\n");
            exit(2);
        }
        if (*body == ';') {
            out[n++] = '\n', out[n] = 0;
            while (body[1] == ' ')
                body++;
        }
    }
}

static void emit(const char *name, const char *body, const char *dollar, unsigned invocations, const char *operands)
{
    char text[8192] = "", main_body[2048];
    const char *subroutines = strchr(body, '@');
    snprintf(main_body, sizeof main_body, "%.*s", subroutines ? (int)(subroutines - body) : (int)strlen(body), body);
    strcat(text, prologue);
    if (subroutines)
        strcat(text, "main:\n");
    strcat(text, loads);
    expand(text, sizeof text, main_body, dollar);
    strcat(text, stores);
    if (subroutines) {
        strcat(text, "RET;\n");
        expand(text, sizeof text, subroutines + 1, dollar);
    }
    strcat(text, "END\n");
    char full[128];
    snprintf(full, sizeof full, "%s%s", name, *dollar ? ".x" : "");
    json_t *line = json_pack("{s:s, s:s, s:s, s:[i,i,i], s:[{s:i,s:s},{s:i,s:i,s:b}]}", "name", full, "stage",
                             "compute", "program", text, "groups", (int)(invocations / 32), 1, 1, "storage", "binding",
                             0, "file", operands, "binding", 1, "zero", (int)(invocations * 32), "return", 1);
    if (!line || json_dumpf(line, stdout, JSON_COMPACT) < 0) {
        fprintf(stderr, "cannot write a case\n");
        exit(2);
    }
    putchar('\n');
    json_decref(line);
}

int main(int argc, char **argv)
{
    if (argc != 4) {
        fprintf(stderr, "usage: patterns TABLE INVOCATIONS OPERANDS.bin\n");
        return 2;
    }
    FILE *table = fopen(argv[1], "r");
    unsigned long invocations = strtoul(argv[2], NULL, 10);
    if (!table || invocations < 32 || invocations > 65535 * 32) {
        fprintf(stderr, "patterns: cannot read %s, or bad count\n", argv[1]);
        return 2;
    }
    char line[2048];
    while (fgets(line, sizeof line, table)) {
        char *colon = strchr(line, ':');
        if (line[0] == '#' || !colon)
            continue;
        *colon = 0;
        char *body = colon + 1;
        while (isspace((unsigned char)*body))
            body++;
        body[strcspn(body, "\n")] = 0;
        emit(line, body, "", (unsigned)invocations, argv[3]);
        if (strchr(body, '$'))
            emit(line, body, ".x", (unsigned)invocations, argv[3]);
    }
    fclose(table);
    return 0;
}
