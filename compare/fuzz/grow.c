/* A whole program: options, declarations, statements. */
#include <string.h>

#include "compare/fuzz/internal.h"

/* One of alternatives parted by |, maybe nothing. */
static void put_alternative(struct fuzz_grow *g, struct fuzz_text *t, const char *alternatives)
{
    unsigned count = 1;
    for (const char *c = alternatives; *c; c++)
        count += *c == '|';
    unsigned which = fuzz_below(g->random, count);
    const char *at = alternatives;
    while (which--)
        at = strchr(at, '|') + 1;
    size_t n = strcspn(at, "|");
    fuzz_text_add(t, at, n);
    fuzz_text_put(t, n ? "\n" : "");
}

static const char *pick(struct fuzz_grow *g, const char *const *list)
{
    size_t n = 0;
    while (list[n])
        n++;
    return n ? list[fuzz_below(g->random, (unsigned)n)] : NULL;
}

static void declare_parameters(struct fuzz_grow *g, struct fuzz_text *t)
{
    static const char *const arrays[] = {
        "PARAM ps[4] = { program.local[0..3] };\n", "PARAM ps[] = { program.env[2..5] };\n",
        "PARAM ps[4] = { state.matrix.mvp };\n",
        "PARAM ps[] = { program.local[0..1], program.local[5], {1, 2, 3, 4} };\n",
        "PARAM ps[4] = { state.matrix.modelview[0].row[0..3] };\n", "PARAM ps[] = {program.env[0..9]};\n",
    };
    static const char *const singles[] = {
        "PARAM p0 = program.local[4];\n", "PARAM p0 = program.env[1];\n", "PARAM p0 = { 1.0, -2.5, .5, 4 };\n",
        "PARAM p0 = { 0.5 };\n",
        "PARAM p0 = state.light[0].half;\n", "PARAM p0 = state.matrix.projection.invtrans.row[2];\n",
        "PARAM p0 = { 3 };\n",
    };
    if (g->used & 1u << VAR_PARAMS)
        fuzz_text_put(t, FUZZ_PICK(g->random, arrays));
    if (g->used & 1u << VAR_PARAM)
        fuzz_text_put(t, FUZZ_PICK(g->random, singles));
    if (g->used & 1u << VAR_IPARAM)
        fuzz_text_put(t, fuzz_chance(g->random, 50) ? "INT PARAM ip = { 1, -2, 3, 4 };\n"
                                                    : "PARAM ip = program.local[6];\n");
}

static void declare_interface(struct fuzz_grow *g, struct fuzz_text *t)
{
    const char *attribute = pick(g, g->profile->attributes), *result = pick(g, g->profile->results);
    if (g->used & 1u << VAR_ATTRIB && attribute) {
        fuzz_text_put(t, "ATTRIB a0 = ");
        fuzz_binding(g, t, attribute);
        fuzz_text_put(t, ";\n");
    }
    if (g->used & 1u << VAR_ATTRIBS)
        fuzz_text_printf(t, "ATTRIB as[] = { %s };\n", pick(g, g->profile->arrays));
    if (g->used & 1u << VAR_OUTPUT && result) {
        fuzz_text_put(t, "OUTPUT o0 = ");
        size_t before = t->size;
        fuzz_binding(g, t, result);
        if (t->size > before + 2 && t->bytes[t->size - 2] == '.')   /* the component that some results go with */
            t->size -= 2;
        fuzz_text_put(t, ";\n");
    }
}

static void declare_memory(struct fuzz_grow *g, struct fuzz_text *t)
{
    static const struct {
        enum fuzz_variable v;
        const char *text;
    } rows[] = {
        {VAR_CBUFFER, "CBUFFER cb[] = { program.buffer[0] };\n"},
        {VAR_BUFFER, "BUFFER4 bf[] = { program.buffer[1] };\n"},
        {VAR_STORAGE, "STORAGE sb[] = { program.storage[0] };\n"},
        {VAR_COUNTER, "COUNTER ctr[] = { program.counter[0][0..3] };\n"},
        {VAR_SHARED, "SHARED sm[] = { program.sharedmem };\n"},
        {VAR_TEXTURE, "TEXTURE tx[] = { texture[16..17] };\n"},
        {VAR_IMAGE, "IMAGE im[] = { image[0..1] };\n"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (g->used & 1u << rows[i].v)
            fuzz_text_put(t, rows[i].text);
}

static void declare_temporaries(struct fuzz_grow *g, struct fuzz_text *t)
{
    static const struct {
        enum fuzz_variable v;
        const char *text;
    } rows[] = {
        {VAR_ARRAY, "TEMP arr[4];\n"}, {VAR_SHORT, "SHORT TEMP H0;\n"}, {VAR_LONG, "LONG TEMP D0, D1;\n"},
        {VAR_INT, "INT TEMP IT;\n"},
        {VAR_UINT, "UINT TEMP UT;\n"}, {VAR_FLOAT, "FLOAT TEMP FT;\n"}, {VAR_ADDRESS, "ADDRESS A0;\n"},
    };
    fuzz_text_put(t, fuzz_chance(g->random, 80) ? "TEMP R0, R1, R2, R3;\n" : "TEMP R0;\nTEMP R1,R2,R3;\n");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (g->used & 1u << rows[i].v)
            fuzz_text_put(t, rows[i].text);
}

void fuzz_declarations(struct fuzz_grow *g, struct fuzz_text *t)
{
    for (size_t i = 0; g->profile->declarations[i]; i++)
        put_alternative(g, t, g->profile->declarations[i]);
    if (g->used & 1u << VAR_SHARED)
        fuzz_text_put(t, "SHARED_MEMORY 1024;\n");
    if (fuzz_chance(g->random, 50)) {
        declare_temporaries(g, t);
        declare_parameters(g, t);
        declare_interface(g, t);
        declare_memory(g, t);
    } else {
        declare_parameters(g, t);
        declare_interface(g, t);
        declare_memory(g, t);
        declare_temporaries(g, t);
    }
}

static void extra_options(struct fuzz_grow *g)
{
    static const char *const five[] = {
        "NV_internal", "NV_shader_storage_buffer", "NV_shader_thread_group", "NV_gpu_program5_mem_extended"};
    static const char *const fragment[] = {
        "ARB_precision_hint_fastest", "ARB_fog_linear", "ARB_fragment_program_shadow", "ARB_draw_buffers"};
    if (g->profile->option)
        fuzz_need(g, g->profile->option);
    if (g->profile->family == FUZZ_NV5 && fuzz_chance(g->random, 30))
        fuzz_need(g, FUZZ_PICK(g->random, five));
    if (strcmp(g->profile->stage, "fragment") == 0 && fuzz_chance(g->random, 15))
        fuzz_need(g, FUZZ_PICK(g->random, fragment));
}

static void put_subroutine(struct fuzz_grow *g)
{
    if (g->profile->family == FUZZ_ARB || !fuzz_chance(g->random, 8)) {
        return;
    }
    fuzz_text_put(g->body,
                  fuzz_chance(g->random, 50) ? "CAL BB1;\nRET;\nBB1:\n" : "CAL BB1 (NE.x);\nRET (TR);\nBB1:\n");
    fuzz_statement(g);
    fuzz_text_put(g->body, "RET;\n");
}

void fuzz_grow_program(struct fuzz_random *r, enum fuzz_profile_id id, struct fuzz_text *text)
{
    struct fuzz_text body = {0};
    struct fuzz_grow g = {.random = r, .profile = &fuzz_profiles[id], .id = id, .body = &body, .comma = ", "};
    unsigned statements = 1 + fuzz_below(r, 10);
    extra_options(&g);
    for (unsigned i = 0; i < statements; i++)
        fuzz_statement(&g);
    put_subroutine(&g);
    fuzz_text_printf(text, "%s\n", g.profile->header);
    for (size_t i = 0; i < g.option_count; i++)
        fuzz_text_printf(text, "OPTION %s;\n", g.options[i]);
    fuzz_declarations(&g, text);
    fuzz_text_add(text, body.bytes ? body.bytes : "", body.size);
    fuzz_text_put(text, fuzz_chance(r, 80) ? "END\n" : "END");
    text->failed |= body.failed;
    fuzz_text_free(&body);
}

/* Breaks it so often, and says how. */
static void break_some(struct fuzz_random *r, unsigned times, struct fuzz_text *text, struct fuzz_about *about)
{
    for (unsigned i = 0; about->broken && i < times; i++) {
        const char *what = fuzz_break(r, text);
        size_t n = strlen(about->what);
        if (what && n + strlen(what) + 2 < sizeof about->what) {
            if (n > 0)
                about->what[n++] = '+';
            memcpy(about->what + n, what, strlen(what) + 1);
        }
    }
}

static struct fuzz_random random_of(const struct fuzz_settings *settings, uint64_t number)
{
    struct fuzz_random mix = {settings->seed}, r = {fuzz_next(&mix) ^ number * 0x9e3779b97f4a7c15u};
    fuzz_next(&r);
    return r;
}

/* By the header's letters: !!ARBvp1.0, !!NVtcp5.0. */
static enum fuzz_profile_id profile_of(const char *text, size_t size)
{
    static const struct { const char *letters; enum fuzz_profile_id profile; } stages[] = {
        {"tcp", FUZZ_TCP5}, {"tep", FUZZ_TEP5}, {"vp", FUZZ_VP5}, {"gp", FUZZ_GP5}, {"cp", FUZZ_CP5}, {"fp", FUZZ_FP5}};
    char header[16] = "";
    size_t at = 0;
    while (at + 1 < size && (text[at] != '!' || text[at + 1] != '!'))
        at++;
    memcpy(header, text + at, size - at < sizeof header - 1 ? size - at : sizeof header - 1);
    header[strcspn(header, "\r\n ")] = 0;
    for (size_t i = 0; i < sizeof stages / sizeof *stages; i++)
        if (strstr(header, stages[i].letters))
            return stages[i].profile;
    return FUZZ_AFP;
}

bool fuzz_mutant(const struct fuzz_settings *settings, const struct fuzz_seed *seeds, size_t count, uint64_t number,
                 struct fuzz_text *text, struct fuzz_about *about)
{
    struct fuzz_random r = random_of(settings, number);
    const struct fuzz_seed *seed = &seeds[fuzz_below(&r, (unsigned)count)];
    *about = (struct fuzz_about){.profile = profile_of(seed->bytes, seed->size)};
    about->broken = fuzz_chance(&r, settings->broken);
    text->size = 0;
    text->failed = false;
    fuzz_text_add(text, seed->bytes, seed->size);
    unsigned more = fuzz_below(&r, 10);
    break_some(&r, more < 7 ? 1 : more < 9 ? 2 : 3, text, about);
    return !text->failed;
}

bool fuzz_program(const struct fuzz_settings *settings, uint64_t number, struct fuzz_text *text,
                  struct fuzz_about *about)
{
    struct fuzz_random r = random_of(settings, number);
    uint32_t all = (1u << FUZZ_PROFILES) - 1, profiles = settings->profiles & all ? settings->profiles & all : all;
    *about = (struct fuzz_about){0};
    do
        about->profile = (enum fuzz_profile_id)fuzz_below(&r, FUZZ_PROFILES);
    while (!(profiles & FUZZ_IN(about->profile)));
    about->broken = fuzz_chance(&r, settings->broken);
    text->size = 0;
    text->failed = false;
    fuzz_grow_program(&r, about->profile, text);
    if (about->broken)
        break_some(&r, fuzz_chance(&r, 20) ? 2 : 1, text, about);
    return !text->failed;
}
