/* What the specification leaves open: the words of a program's results that the evaluator calls undefined. */
#define GL_GLEXT_PROTOTYPES
#include "tests/tools/translate_gl_own.h"

#include <stdio.h>
#include <string.h>

#include "asm/binding_name.h"
#include "gp5.h"

/* The array of an input; TG_ARRAYS for what is none. */
static unsigned array_of(const struct gp5_program *p, const struct binding *b)
{
    static const uint8_t conventional[16] = {0, 14, 1, 2, 3, 4, 19, 20, 5, 6, 7, 8, 9, 10, 11, 12};
    unsigned number = b->nindices ? b->first[0] : 0;

    switch (asm_canonical_binding(b->kind)) {
    case BIND_VERTEX_POSITION: return 0;
    case BIND_VERTEX_NORMAL: return 1;
    case BIND_VERTEX_COLOR_PRIMARY: case BIND_FRAGMENT_COLOR_PRIMARY: return 2;
    case BIND_VERTEX_COLOR_SECONDARY: case BIND_FRAGMENT_COLOR_SECONDARY: return 3;
    case BIND_VERTEX_FOGCOORD: case BIND_FRAGMENT_FOGCOORD: return 4;
    case BIND_VERTEX_TEXCOORD: case BIND_FRAGMENT_TEXCOORD: return 5 + number;
    case BIND_VERTEX_ATTRIB:
        if (profile_table[p->profile].generation == GEN_REGISTER)
            return conventional[number & 15];
        return number ? 13 + number : 0;
    default: return TG_ARRAYS;
    }
}

/* The words of a program's results that the evaluator calls undefined for this round's inputs: unwritten variables,
 * elements beyond an array's end, functions beyond their domain. `results` are named by their bindings; the words come
 * in the order results, elements, components. All are where an undefined value decided what is discarded. Textures are
 * not given: whether a value is defined does not hang on them. */
static bool evaluate(const struct gp5_program *p, const char *const *results, size_t n, uint32_t *marks,
                     uint32_t (*words)[TG_COUNT * 4], const char **why)
{
    struct gp5_run_options options = {.size = sizeof options, .semantics = GP5_SEMANTICS_SPEC, .track_undefined = true};
    struct gp5_array inputs[TG_ARRAYS], outputs[TG_RESULTS];
    uint8_t covered[TG_COUNT];
    struct gp5_parameter envs[TG_PARAMETERS], locals[TG_PARAMETERS];
    char *message = NULL, names[TG_ARRAYS][32];
    bool given[TG_ARRAYS] = {false}, fragment = profile_table[p->profile].stage_id == STAGE_FRAGMENT;
    size_t offset, ninputs = 0;
    struct gp5_executable *x = gp5_prepare(p, &options, &message, &offset);

    gp5_text_free(message);
    if (!x)
        return false;
    for (uint32_t i = 0; i < p->bindings.count; i++) {
        const struct binding *b = program_binding(p, i);
        const char *words_of = binding_table[b->kind].words, *bracket = strchr(words_of, '[');
        unsigned array = array_of(p, b);
        if (array >= TG_ARRAYS || given[array])
            continue;
        given[array] = true;
        if (bracket)
            snprintf(names[ninputs], sizeof names[0], "%.*s[%u]", (int)(bracket - words_of), words_of,
                     b->nindices ? b->first[0] : 0);
        else
            snprintf(names[ninputs], sizeof names[0], "%s", words_of);
        inputs[ninputs] = (struct gp5_array){.binding = names[ninputs], .count = TG_COUNT,
                                             .words = (uint32_t *)(void *)tg_given()->values[array]};
        ninputs++;
    }
    for (uint32_t i = 0; i < TG_PARAMETERS; i++) {
        envs[i].index = locals[i].index = i;
        memcpy(envs[i].word, tg_given()->env[i], 16);
        memcpy(locals[i].word, tg_given()->local[i], 16);
    }
    memset(marks, 0, n * TG_COUNT * 16);
    for (size_t i = 0; i < n; i++)
        outputs[i] = (struct gp5_array){.binding = results[i], .words = words[i], .count = TG_COUNT,
                                        .undefined = marks + i * TG_COUNT * 4};
    struct gp5_launch launch = {.size = sizeof launch,
                                .env = envs,
                                .local = locals,
                                .nenv = TG_PARAMETERS,
                                .nlocal = TG_PARAMETERS,
                                .inputs = inputs,
                                .ninputs = ninputs,
                                .results = outputs,
                                .nresults = n};
    struct gp5_state state;
    gp5_state_init(&state);
    state.clamp_vertex_color = state.clamp_fragment_color = false;
    launch.state = &state;
    if (fragment) {
        launch.width = launch.height = TG_SIDE;
        launch.points = true;
        launch.covered = covered;
    } else {
        launch.count = TG_COUNT;
    }
    struct gp5_report report = {0};
    bool ok = gp5_execute(x, &launch, &options, &report) == GP5_RUN_OK;
    static char said[200];
    snprintf(said, sizeof said, "not evaluated: %s", ok ? "" : report.message);
    *why = said;
    if (ok && fragment && report.undefined_uses)
        memset(marks, 1, n * TG_COUNT * 16);
    /* The words of what the evaluator discards are open where both programs draw it all the same. */
    for (size_t i = 0; ok && fragment && !report.undefined_uses && i < n * TG_COUNT * 4; i++)
        if (!covered[i / 4 % TG_COUNT])
            marks[i] = TG_OPEN_IF_DRAWN;
    gp5_report_free(&report);
    gp5_executable_free(x);
    return ok;
}

bool tg_find_undefined(const struct gp5_program *p, const char *const *results, size_t n, uint32_t *marks)
{
    static uint32_t words[TG_RESULTS][TG_COUNT * 4];
    const char *why;

    return evaluate(p, results, n, marks, words, &why);
}
