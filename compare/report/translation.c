#include "compare/report/translation.h"

#include "compare/report/json_text.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* ---- the interface -------------------------------------------------------------------------------------------------
 */

/* The words of a state vector without the modifier of a matrix, and that. */
static json_t *modifier(const char *binding)
{
    static const char *const words[] = {"inverse", "transpose", "invtrans"};

    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (!strncmp(binding, "state.matrix.", 13) && strstr(binding, words[i]))
            return json_string(words[i]);
    return json_null();
}

json_t *translation_entry(const struct gp5_interface_entry *e)
{
    switch (e->kind) {
    case GP5_INTERFACE_PARAMETER:
        return json_pack("{s:s, s:s, s:o, s:s, s:s?, s:i, s:i, s:i, s:s}", "kind", "parameter", "binding", e->binding,
                         "modifier", modifier(e->binding), "name", e->name, "block", e->block, "element",
                         (int)e->element, "offset", (int)e->offset, "point", e->point, "type", e->type);
    case GP5_INTERFACE_TEXTURE:
        return json_pack("{s:s, s:s, s:s, s:i, s:s}", "kind", "texture", "binding", e->binding, "name", e->name, "unit",
                         e->point, "target", e->type);
    case GP5_INTERFACE_IMAGE:
        return json_pack("{s:s, s:s, s:s, s:i, s:s, s:s?}", "kind", "image", "binding", e->binding, "name", e->name,
                         "unit", e->point, "target", e->type, "format", e->block);
    case GP5_INTERFACE_BUFFER:
        return json_pack("{s:s, s:s, s:s, s:s?, s:i}", "kind", "buffer", "binding", e->binding, "name", e->name,
                         "block", e->block, "point", e->point);
    case GP5_INTERFACE_INPUT: case GP5_INTERFACE_RESULT:
        return json_pack("{s:s, s:s, s:s, s:i, s:s}", "kind", e->kind == GP5_INTERFACE_INPUT ? "input" : "result",
                         "binding", e->binding, "name", e->name, "location", e->point, "type", e->type);
    }
    return NULL;
}

json_t *translation_table(const gp5_program *program, enum gp5_language to, json_t *entries)
{
    return json_pack("{s:s, s:s, s:s, s:o}", "header", gp5_header(program), "stage", gp5_stage(program), "language",
                     gp5_language_name(to), "interface", entries);
}

/* ---- SPIR-V --------------------------------------------------------------------------------------------------------
 */

static bool write_all(int file, const char *bytes, size_t size)
{
    while (size) {
        ssize_t n = write(file, bytes, size);
        if (n <= 0)
            return false;
        bytes += n;
        size -= (size_t)n;
    }
    return true;
}

/* What it says goes where it may be shown. */
static int run(char *const arguments[], int log, int *status)
{
    posix_spawn_file_actions_t actions;
    pid_t child;

    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, log, 1);
    posix_spawn_file_actions_adddup2(&actions, log, 2);
    int error = posix_spawnp(&child, arguments[0], &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (error)
        return error;
    while (waitpid(child, status, 0) < 0)
        if (errno != EINTR)
            return errno;
    return 0;
}

static bool copy(const char *from, FILE *out)
{
    char bytes[4096];
    size_t n;
    FILE *in = fopen(from, "rb");

    if (!in)
        return false;
    bool ok = true;
    while (ok && (n = fread(bytes, 1, sizeof bytes, in)) > 0)
        ok = fwrite(bytes, 1, n, out) == n;
    fclose(in);
    return ok && fflush(out) == 0;
}

/* The first lines of what it said. */
static void quote(int log, char *why, size_t room)
{
    char text[400] = "";

    lseek(log, 0, SEEK_SET);
    ssize_t n = read(log, text, sizeof text - 1);
    text[n > 0 ? n : 0] = 0;
    snprintf(why, room, "glslangValidator does not take it: %s", text);
}

static bool compile(const char *folder, const char *glsl, size_t size, const char *stage, FILE *out, char *why,
                    size_t room)
{
    char source[120], module[120], log_name[120], name[] = "glslangValidator", g[] = "-G", s[] = "-S", o[] = "-o";
    char kind[8];
    int status = 0;

    if (!strncmp(stage, "tessellation ", 13))
        stage = stage[13] == 'c' ? "tesc" : "tese";
    snprintf(source, sizeof source, "%s/text", folder);
    snprintf(module, sizeof module, "%s/module", folder);
    snprintf(log_name, sizeof log_name, "%s/log", folder);
    snprintf(kind, sizeof kind, "%.4s", stage);
    int file = open(source, O_WRONLY | O_CREAT | O_TRUNC, 0600), log = open(log_name, O_RDWR | O_CREAT | O_TRUNC, 0600);
    bool ok = file >= 0 && log >= 0 && write_all(file, glsl, size);
    if (file >= 0)
        close(file);
    int error = ok ? run((char *const[]){name, g, s, kind, o, module, source, NULL}, log, &status) : EIO;
    ok = false;
    if (error == ENOENT)
        snprintf(why, room, "glslangValidator, which makes SPIR-V, is not installed (Debian: glslang-tools)");
    else if (error || !WIFEXITED(status))
        snprintf(why, room, "glslangValidator did not run: %s", strerror(error));
    else if (WEXITSTATUS(status) != 0)
        quote(log, why, room);
    else if (!(ok = copy(module, out)))
        snprintf(why, room, "the module could not be written");
    if (log >= 0)
        close(log);
    unlink(source);
    unlink(module);
    unlink(log_name);
    return ok;
}

bool translation_compile(const char *glsl, size_t size, const char *stage, FILE *out, char *why, size_t room)
{
    const char *root = getenv("TMPDIR");
    char folder[100];

    if (snprintf(folder, sizeof folder, "%s/gp5-spirv-XXXXXX", root ? root : "/tmp") >= (int)sizeof folder ||
        !mkdtemp(folder)) {
        snprintf(why, room, "there is no room for files of glslangValidator");
        return false;
    }
    bool ok = compile(folder, glsl, size, stage, out, why, room);
    rmdir(folder);
    return ok;
}
