/* The survey: the profiles, and what every program of one begins with. */
#include <string.h>

#include "tests/tools/survey.h"

#define GP_IN "PRIMITIVE_IN TRIANGLES;\nPRIMITIVE_OUT TRIANGLE_STRIP;\nVERTICES_OUT 4;\n"
#define VP_OLD "v[OPOS]", "o[HPOS]", "MOV o[HPOS], v[OPOS];\nEND\n"

const struct survey_profile survey_profiles[] = {
    {"avp", "!!ARBvp1.0", DRIVER_VERTEX, SURVEY_ARB, "", "", "vertex.position", "result.position", "END\n"},
    {"avp2", "!!ARBvp1.0", DRIVER_VERTEX, SURVEY_ARB, "OPTION NV_vertex_program2;\n", "", "vertex.position",
     "result.position", "END\n"},
    {"avp3", "!!ARBvp1.0", DRIVER_VERTEX, SURVEY_ARB, "OPTION NV_vertex_program3;\n", "", "vertex.position",
     "result.position", "END\n"},
    {"afp", "!!ARBfp1.0", DRIVER_FRAGMENT, SURVEY_ARB, "", "", "fragment.position", "result.color", "END\n"},
    {"afp1", "!!ARBfp1.0", DRIVER_FRAGMENT, SURVEY_ARB, "OPTION NV_fragment_program;\n", "", "fragment.position",
     "result.color", "END\n"},
    {"afp2", "!!ARBfp1.0", DRIVER_FRAGMENT, SURVEY_ARB, "OPTION NV_fragment_program2;\n", "", "fragment.position",
     "result.color", "END\n"},
    {"vp4", "!!NVvp4.0", DRIVER_VERTEX, SURVEY_GP4, "", "", "vertex.position", "result.position", "END\n"},
    {"gp4", "!!NVgp4.0", DRIVER_GEOMETRY, SURVEY_GP4, "", GP_IN, "vertex[0].position", "result.position", "END\n"},
    {"fp4", "!!NVfp4.0", DRIVER_FRAGMENT, SURVEY_GP4, "", "", "fragment.position", "result.color", "END\n"},
    {"vp41", "!!NVvp4.1", DRIVER_VERTEX, SURVEY_GP4, "", "", "vertex.position", "result.position", "END\n"},
    {"gp41", "!!NVgp4.1", DRIVER_GEOMETRY, SURVEY_GP4, "", GP_IN, "vertex[0].position", "result.position", "END\n"},
    {"fp41", "!!NVfp4.1", DRIVER_FRAGMENT, SURVEY_GP4, "", "", "fragment.position", "result.color", "END\n"},
    {"vp5", "!!NVvp5.0", DRIVER_VERTEX, SURVEY_GP5, "", "", "vertex.position", "result.position", "END\n"},
    {"tcp5", "!!NVtcp5.0", DRIVER_TESS_CONTROL, SURVEY_GP5, "", "VERTICES_OUT 4;\n", "vertex[0].position",
     "result.position", "END\n"},
    {"tep5", "!!NVtep5.0", DRIVER_TESS_EVALUATION, SURVEY_GP5, "", "TESS_MODE TRIANGLES;\n", "vertex[0].position",
     "result.position", "END\n"},
    {"gp5", "!!NVgp5.0", DRIVER_GEOMETRY, SURVEY_GP5, "", GP_IN, "vertex[0].position", "result.position", "END\n"},
    {"fp5", "!!NVfp5.0", DRIVER_FRAGMENT, SURVEY_GP5, "", "", "fragment.position", "result.color", "END\n"},
    {"cp5", "!!NVcp5.0", DRIVER_COMPUTE, SURVEY_GP5, "", "GROUP_SIZE 32;\n", "invocation.localid", "result.color",
     "END\n"},
    {"vp10", "!!VP1.0", DRIVER_VERTEX, SURVEY_OLD, "", "", VP_OLD},
    {"vp11", "!!VP1.1", DRIVER_VERTEX, SURVEY_OLD, "", "", VP_OLD},
    {"vp20", "!!VP2.0", DRIVER_VERTEX, SURVEY_OLD, "", "", VP_OLD},
    {"fp10", "!!FP1.0", DRIVER_FRAGMENT, SURVEY_OLD, "", "", "f[WPOS]", "o[COLR]", "MOV o[COLR], f[WPOS];\nEND\n"},
};
const size_t survey_profile_count = sizeof survey_profiles / sizeof *survey_profiles;

/* Lines for the rich preamble, each taken when the profile loads with it. */
static const char *const declarations[] = {
    "SHARED_MEMORY 1024;\n",   /* what a stage declares comes before all variables */
    "TEMP R0, R1, R2, R3;\n", "ADDRESS A0;\n", "PARAM P[8] = { program.local[0..7] };\n",
    "SHORT TEMP H0, H1;\n", "LONG TEMP D0, D1, D2, D3;\n", "INT TEMP IT;\n", "UINT TEMP UT;\n", "FLOAT TEMP FT;\n",
    "TEMP arr[4];\n", "CBUFFER cb[] = { program.buffer[0] };\n", "BUFFER4 bf[] = { program.buffer[1] };\n",
    "BUFFER bs[] = { program.buffer[2] };\n", "STORAGE sb[] = { program.storage[0] };\n",
    "COUNTER ctr[] = { program.counter[0][0..3] };\n",
    "SHARED sm[] = { program.sharedmem };\n", "TEXTURE tx[] = { texture[8..9] };\n",
    "IMAGE im[] = { image[0..1] };\n",
};

static const char *const rich_options[] = {
    "NV_internal", "NV_gpu_program_fp64", "NV_shader_storage_buffer", "NV_bindless_texture", "NV_shader_thread_group",
    "NV_shader_thread_shuffle", "NV_gpu_program5_mem_extended", "NV_shader_atomic_float", "NV_shader_atomic_float64",
    "NV_shader_atomic_fp16_vector", "NV_shader_atomic_int64", "NV_shader_atomic_counters", "ARB_shader_image_size",
    "ARB_shader_texture_image_samples", "EXT_shader_image_load_formatted", "EXT_sparse_texture2",
    "ARB_derivative_control", "NV_texture_multisample", "NV_explicit_multisample", "NV_parameter_buffer_object2",
    "NV_shader_buffer_load", "ARB_fragment_program_shadow", "ARB_draw_buffers",
};

static bool add(char *to, size_t size, const char *more)
{
    size_t n = strlen(to), m = strlen(more);
    if (n + m >= size)
        return false;
    memcpy(to + n, more, m + 1);
    return true;
}

/* The driver may well refuse a line; then it is not added. */
static bool try_line(struct survey *s, char *preamble, size_t size, const char *line, const char *name)
{
    size_t before = strlen(preamble);
    if (!add(preamble, size, line))
        return false;
    if (survey_ask(s, preamble, "", "preamble/%s", name))
        return true;
    preamble[before] = 0;
    return false;
}

bool survey_begin(struct survey *s)
{
    const struct survey_profile *p = s->profile;
    char line[128], options[sizeof s->rich], lines[SURVEY_TEXT];

    snprintf(s->plain, sizeof s->plain, "%s\n%s%s", p->header, p->options, p->needs);
    bool loads = survey_ask(s, s->plain, "", "header/%s/plain", p->id);
    snprintf(options, sizeof options, "%s\n%s", p->header, p->options);
    for (size_t i = 0; i < sizeof rich_options / sizeof *rich_options; i++) {
        size_t before = strlen(options);
        snprintf(line, sizeof line, "OPTION %s;\n", rich_options[i]);
        snprintf(s->rich, sizeof s->rich, "%s", options);
        add(s->rich, sizeof s->rich, line);
        add(s->rich, sizeof s->rich, p->needs);
        if (!add(options, sizeof options, line) || !survey_ask(s, s->rich, "", "preamble/option/%s", rich_options[i])) {
            options[before] = 0;
            continue;
        }
        add(s->accepted_options, sizeof s->accepted_options, rich_options[i]);
        add(s->accepted_options, sizeof s->accepted_options, ";");
    }
    snprintf(s->rich, sizeof s->rich, "%s", options);
    add(s->rich, sizeof s->rich, p->needs);
    if (p->family == SURVEY_OLD)
        return loads;
    for (size_t i = 0; i < sizeof declarations / sizeof *declarations; i++) {
        snprintf(lines, sizeof lines, "%.60s", declarations[i]);
        lines[strcspn(lines, "\n")] = 0;
        try_line(s, s->rich, sizeof s->rich, declarations[i], lines);
    }
    try_line(s, s->plain, sizeof s->plain, "TEMP R0, R1, R2, R3;\n", "temporaries");
    if (p->family == SURVEY_ARB)
        try_line(s, s->plain, sizeof s->plain, "ADDRESS A0;\n", "address");
    try_line(s, s->plain, sizeof s->plain, "PARAM P[8] = { program.local[0..7] };\n", "parameters");
    return loads;
}
