/* Direct3D 9 shaders as MojoShader writes them: its GLSL beside our translation of its assembly, on a live driver.
 *
 *   d3d9_pairs [--rounds=N] [-v] [--show=NAME] GLSL ASSEMBLY
 *
 * Both files are lists as tests/programs/mojoshader.c writes them (@case NAME, @in, text, @end); what has a name of
 * both is a pair. Each is drawn N times, 256 vertices or fragments a time, from the same numbers, and what comes out is
 * to be the same, bit by bit. Where it is not, or the assembly is no program, what is known of MojoShader's texts and
 * of GLSL is mended in them (d3d9_mends.c), one after the other, and what was not needed is taken back: a pair that is
 * the same then differs for the rest alone, and is counted under their names. A line a pair that is not the same: NAME
 * VERDICT NAMES TEXT; then a line a name, and the totals. --show: the texts of one pair.
 * Exit status: 0, 1 something differs otherwise, 77 no driver. */
#include "asm/arena.h"
#include "compare/script/data.h"
#include "tests/tools/d3d9_mends.h"
#include "tests/tools/proof.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>

enum { ROUNDS = 4, ROOM = 1 << 20 };

/* A program of a list. */
struct piece {
    const char *name, *text;
    size_t name_size, size;
};

struct side {
    size_t bytes[SUBJECT_PLANES];
    uint8_t *data[SUBJECT_PLANES];
};

struct run {
    struct driver *driver;
    unsigned rounds;
    bool verbose, show;
    struct proof proofs[ROUNDS];
    struct side sides[2][ROUNDS], *taking;
    bool ran, rejected;
    char why[600];

    unsigned pairs, same, mended, different, vertex, counts[D3D9_MENDS];
    unsigned long long words;
};

/* ---- lists ------------------------------------------------------------------------------------------------------- */

static bool next_piece(const char **at, struct piece *p)
{
    const char *begin = strstr(*at, "@case "), *end = begin ? strstr(begin, "\n@end") : NULL;

    if (!end)
        return false;
    p->name = begin + 6;
    p->name_size = strcspn(p->name, "\n");
    p->text = p->name + p->name_size + 1;
    if (!strncmp(p->text, "@in ", 4))
        p->text += strcspn(p->text, "\n") + 1;
    p->size = (size_t)(end + 1 - p->text);
    *at = end + 5;
    return true;
}

static bool find_piece(const char *list, const struct piece *like, struct piece *p)
{
    while (next_piece(&list, p))
        if (p->name_size == like->name_size && !memcmp(p->name, like->name, p->name_size))
            return true;
    return false;
}

/* ---- MojoShader's shader, with the driver's names ---------------------------------------------------------------- */

/* Where the assembly's line declares the name as that binding: "PARAM c3 = program.local[7];" */
static int number_of(const char *assembly, const char *keyword, const char *name, const char *binding)
{
    char line[120];

    snprintf(line, sizeof line, "\n%s %s = %s[", keyword, name, binding);
    const char *at = strstr(assembly, line);
    return at ? atoi(at + strlen(line)) : -1;
}

/* Constants, attributes and textures have the names and numbers that gp5's translations give them; the rest stays. */
static void adapt(const char *shader, const char *assembly, struct d3d9_text *out)
{
    char name[40], number[40], type[40];
    int locals = 0, k;

    for (const char *at = strstr(assembly, "program.local["); at; at = strstr(at + 1, "program.local["))
        locals = atoi(at + 14) >= locals ? atoi(at + 14) + 1 : locals;
    d3d9_print(out, "#version 450 compatibility\n");
    if (locals)
        d3d9_print(out, "uniform vec4 gp5_local[%d];\n", locals);
    for (const char *line = shader; *line; line += strcspn(line, "\n") + 1) {
        int size = (int)strcspn(line, "\n");
        if (!strncmp(line, "#version", 8) || sscanf(line, "uniform %39s %*cs_uniforms_%39s", type, name) == 2) {
            continue;
        } else if (sscanf(line, "#define %*cs_%39s %*cs_uniforms_%39[^[][", name, type) == 2) {
            k = number_of(assembly, "PARAM", name, "program.local");
            d3d9_print(out,
                       name[0] == 'c'   ? "#define %.3s%s gp5_local[%d]\n"
                       : name[0] == 'i' ? "#define %.3s%s ivec4(gp5_local[%d])\n"
                                        : "#define %.3s%s (gp5_local[%d].x != 0.0)\n",
                       line + 8, name, k < 0 ? 0 : k);
        } else if (sscanf(line, "attribute vec4 vs_%39[^;];", name) == 1) {
            k = number_of(assembly, "ATTRIB", name, "vertex.attrib");
            d3d9_print(out, k > 0 ? "layout(location = %d) in vec4 vs_%s;\n" : "#define vs_v%.0d%s gl_Vertex\n",
                       k > 0 ? k : 0, name + (k <= 0));
        } else if (sscanf(line, "uniform %39s ps_s%39[0-9];", type, number) == 2) {
            d3d9_print(out, "uniform %s gp5_texture%s;\n#define ps_s%s gp5_texture%s\n", type, number, number, number);
        } else {
            d3d9_print(out, "%.*s\n", size, line);
        }
        if (!line[size])
            break;
    }
}

/* ---- both sides -------------------------------------------------------------------------------------------------- */

static bool take(void *user, size_t index, const struct driver_case *c, const struct driver_result *result)
{
    struct run *r = user;
    struct side *side = &r->taking[index];
    struct subject_got got;

    (void)c;
    subject_take(&r->proofs[index].subject, result, &got);
    if (result->status != DRIVER_RAN) {
        r->rejected = result->status == DRIVER_REJECTED;
        r->ran = false;
        snprintf(r->why, sizeof r->why, "%s: %.500s %.50s", driver_status_name(result->status), result->message,
                 result->detail);
        return false;
    }
    for (size_t i = 0; i < got.nplanes; i++) {
        side->bytes[i] = got.bytes[i];
        side->data[i] = malloc(got.bytes[i] ? got.bytes[i] : 1);
        if (side->data[i])
            memcpy(side->data[i], got.data[i], got.bytes[i]);
    }
    return true;
}

static void forget(struct run *r)
{
    for (unsigned i = 0; i < 2 * ROUNDS; i++)
        for (unsigned k = 0; k < SUBJECT_PLANES; k++)
            free(r->sides[i / ROUNDS][i % ROUNDS].data[k]);
    memset(r->sides, 0, sizeof r->sides);
}

static bool draw(struct run *r, unsigned side, const char *text, size_t size)
{
    struct driver_case cases[ROUNDS];

    for (unsigned i = 0; i < r->rounds; i++) {
        cases[i] = r->proofs[i].driver;
        cases[i].program = text;
        cases[i].program_size = size;
    }
    r->taking = r->sides[side];
    r->ran = true;
    r->rejected = false;
    driver_run(r->driver, cases, r->rounds, take, r);
    return r->ran;
}

static bool is_nan(uint32_t w)
{
    return (w & 0x7fffffff) > 0x7f800000;
}

/* Words of one round: the same bits, or both no number. */
static bool same_words(struct run *r, unsigned round, unsigned long long *words)
{
    const struct side *a = &r->sides[0][round], *b = &r->sides[1][round];
    const struct proof *p = &r->proofs[round];

    for (unsigned i = 0; i < SUBJECT_PLANES; i++) {
        size_t n = (a->bytes[i] < b->bytes[i] ? a->bytes[i] : b->bytes[i]) / 4;
        const uint32_t *x = (const uint32_t *)(const void *)a->data[i], *y = (const uint32_t *)(const void *)b->data[i];
        const char *binding = i < SUBJECT_ARRAYS && p->subject.planes[i].binding ? p->subject.planes[i].binding : NULL;
        if (!binding)
            continue;
        bool scalar = strstr(binding, "fogcoord") || strstr(binding, "pointsize");
        for (size_t k = 0; k < n; k++) {
            if (scalar && k % 4)
                continue;
            ++*words;
            if (x[k] == y[k] || (is_nan(x[k]) && is_nan(y[k])))
                continue;
            float f, g;
            memcpy(&f, &x[k], 4);
            memcpy(&g, &y[k], 4);
            snprintf(r->why, sizeof r->why,
                     "%s.%c: %08x (%g) by MojoShader's GLSL, %08x (%g) by the translation, round %u, element %zu",
                     binding, "xyzw"[k % 4], x[k], (double)f, y[k], (double)g, round, k / 4);
            return false;
        }
    }
    return true;
}

static bool keep(void *user, const char *bytes, size_t size)
{
    return d3d9_append(user, bytes, size);
}

static bool refuse(void *user, const struct gp5_diagnostic *d)
{
    (void)user;
    (void)d;
    return true;
}

static bool tell(void *user, const struct gp5_diagnostic *d)
{
    struct run *r = user;

    snprintf(r->why, sizeof r->why, "no program: line %u: %.400s", d->line, d->message);
    return d->severity != GP5_ERROR;
}

/* Whether both draw the same; r->why has what not. */
static bool alike(struct run *r, const char *shader, const char *assembly, const bool *used, bool show)
{
    struct gp5_program *p = gp5_parse(assembly, strlen(assembly));
    struct d3d9_text ours = {0}, theirs = {0};
    struct gp5_translate_options how = {
        .size = sizeof how, .to = GP5_TO_GLSL450COMPAT, .write = keep, .each = refuse, .user = &ours};
    unsigned long long words = 0;
    bool ok = p && gp5_valid(p, GP5_TARGET_NVIDIA);

    if (!ok) {
        snprintf(r->why, sizeof r->why, "no program");
        if (p)
            gp5_diagnostics(p, GP5_TARGET_NVIDIA, tell, r);
    } else if (gp5_translate(p, &how) != GP5_TRANSLATED) {
        snprintf(r->why, sizeof r->why, "not translated");
        ok = false;
    } else {
        adapt(shader, assembly, &theirs);
        for (unsigned i = 0; i < D3D9_MENDS; i++)
            if (used[i] && d3d9_mend_ours(i, &ours.bytes))
                ours.size = strlen(ours.bytes);
        for (unsigned i = 0; i < r->rounds; i++)
            proof_make(&r->proofs[i], p, assembly, strlen(assembly), i, true, 0);
        ok = !r->proofs[0].why;
        if (!ok)
            snprintf(r->why, sizeof r->why, "%s", r->proofs[0].why);
        bool again = ok;
        while (again) {
            forget(r);
            ok = draw(r, 0, theirs.bytes, theirs.size) && draw(r, 1, ours.bytes, ours.size);
            again = !ok && r->rejected;
            for (unsigned i = 0; again && i < r->rounds; i++)
                again = proof_drop(&r->proofs[i], r->why);
        }
        for (unsigned i = 0; ok && i < r->rounds; i++)
            ok = same_words(r, i, &words);
        forget(r);
        if (show)
            printf("%s\n%s\n%s\n", assembly, ours.bytes, theirs.bytes);
    }
    r->words += ok ? words : 0;
    free(ours.bytes);
    free(theirs.bytes);
    gp5_program_free(p);
    return ok;
}

static char *copy_of(const struct piece *p)
{
    char *text = malloc(p->size + 1);

    if (text) {
        memcpy(text, p->text, p->size);
        text[p->size] = 0;
    }
    return text;
}

/* The same with those mended that are marked; a mark goes where there is nothing of it. */
static bool alike_with(struct run *r, const struct piece *shader, const struct piece *assembly, bool *used)
{
    char *theirs = copy_of(shader), *ours = copy_of(assembly);
    bool same = false;

    if (theirs && ours) {
        for (unsigned i = 0; i < D3D9_MENDS; i++)
            used[i] = used[i] && d3d9_mend(i, &theirs, &ours);
        same = alike(r, theirs, ours, used, r->show);
    }
    free(theirs);
    free(ours);
    return same;
}

static void one(struct run *r, const struct piece *shader, const struct piece *assembly)
{
    bool used[D3D9_MENDS] = {false}, fewer[D3D9_MENDS];
    bool plain = alike_with(r, shader, assembly, used), ok = plain;
    char first[600];

    r->pairs++;
    r->vertex += assembly->text[5] == 'v' || assembly->text[4] == 'v'; /* !!ARBvp1.0, !!NVvp4.0 */
    snprintf(first, sizeof first, "%s", r->why);
    for (unsigned i = 0; !ok && i < D3D9_MENDS; i++) {
        used[i] = true;
        memcpy(fewer, used, sizeof used);
        ok = alike_with(r, shader, assembly, used);
        ok = used[i] && ok;
    }
    for (unsigned i = 0; ok && i < D3D9_MENDS; i++)
        if (used[i]) {
            memcpy(fewer, used, sizeof used);
            fewer[i] = false;
            if (alike_with(r, shader, assembly, fewer))
                memcpy(used, fewer, sizeof used);
        }
    r->same += plain;
    r->mended += ok && !plain;
    r->different += !ok;
    for (unsigned i = 0; i < D3D9_MENDS; i++)
        r->counts[i] += ok && used[i];
    if (!ok || (r->verbose && !plain)) {
        printf("%.*s\t%s\t", (int)assembly->name_size, assembly->name, ok ? "mended" : "different");
        for (unsigned i = 0; i < D3D9_MENDS; i++)
            if (used[i])
                printf("%s; ", d3d9_mend_name(i));
        printf("\t%s\n", ok ? first : r->why);
    }
    fflush(stdout);
}

int main(int argc, char **argv)
{
    static const struct option options[] = {
        {"rounds", required_argument, NULL, 'r'}, {"show", required_argument, NULL, 's'}, {0}};
    static struct run r = {.rounds = 2};
    struct driver_options open = {.context = "egl", .timeout_ms = 5000};
    char *reason = NULL, *lists[2];
    const char *only = NULL, *error;
    size_t size;
    int c;

    while ((c = getopt_long(argc, argv, "v", options, NULL)) != -1)
        if (c == 'r')
            r.rounds = (unsigned)atoi(optarg);
        else if (c == 's')
            only = optarg;
        else if (c == 'v')
            r.verbose = true;
        else
            return 2;
    if (argc - optind != 2 || !r.rounds || r.rounds > ROUNDS)
        return 2;
    for (unsigned i = 0; i < 2; i++) {
        lists[i] = data_read_file(argv[optind + (int)i], SIZE_MAX, &size, &error);
        if (!lists[i]) {
            fprintf(stderr, "%s: %s\n", argv[optind + (int)i], error);
            return 2;
        }
    }
    r.show = only;
    if (driver_open(&open, &r.driver, &reason) != DRIVER_OPENED) {
        printf("%s\n", reason ? reason : "no driver");
        return 77;
    }
    struct piece shader, assembly;
    for (const char *at = lists[1]; next_piece(&at, &assembly);)
        if (find_piece(lists[0], &assembly, &shader) &&
            (!only || (strlen(only) == assembly.name_size && !memcmp(only, assembly.name, assembly.name_size))))
            one(&r, &shader, &assembly);
    driver_close(r.driver);
    gp5_free(lists[0]);
    gp5_free(lists[1]);
    for (unsigned i = 0; i < D3D9_MENDS; i++) {
        unsigned count = r.counts[i];
        for (; i + 1 < D3D9_MENDS && !strcmp(d3d9_mend_name(i), d3d9_mend_name(i + 1)); i++)
            count += r.counts[i + 1];
        if (count)
            printf("%u\t%s\n", count, d3d9_mend_name(i));
    }
    printf("%u pairs (%u of vertices): %u same, %u the same but for what has a name, %u different; %llu words\n",
           r.pairs, r.vertex, r.same, r.mended, r.different, r.words);
    return r.different ? 1 : 0;
}
