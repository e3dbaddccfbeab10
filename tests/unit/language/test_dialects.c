/* Every opcode of asm/isa.def in every dialect that has it, and in the dialects that an OPTION gives it: a program of
 * it is valid and runs, in both semantics, but for what docs/architecture.md lists. So with every OPTION, every binding
 * and every texture target.
 * cost: 5 */
#include "asm/isa.h"
#include "tests/unit/eval/stage.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* ---- what is not evaluated ------------------------------------------------------------------------------- */

/* Rows of the document, by the cell of their first column, and the beginning of what is said. */
static const struct {
    const char *row, *says;
} refused[] = {
    {"LDL, STL, memory of a thread by address", "LDL"},
    {"LDL, STL, memory of a thread by address", "STL"},
    {"LOADIM.U64X4 and its like, ATOMIM.F16X4 under a test", "LOADIM."},
    {"LOADIM.U64X4 and its like, ATOMIM.F16X4 under a test", "STOREIM."},
    {"LOADIM.U64X4 and its like, ATOMIM.F16X4 under a test", "ATOMIM."},
    {"LONG OUTPUT", "LONG OUTPUT"},
    {"LDC and TEX from a register, STB without a type, CONT in no loop", "memory of"},
    {"LDC and TEX from a register, STB without a type, CONT in no loop", "this kind of memory"},
    {"LDC and TEX from a register, STB without a type, CONT in no loop", "a texture of this kind"},
    {"LDC and TEX from a register, STB without a type, CONT in no loop", "STB without"},
    {"LDC and TEX from a register, STB without a type, CONT in no loop", "CONT without"},
    {"DDX, DDY and LOD where lanes form no quads", "LOD without"},
    {"DDX, DDY and LOD where lanes form no quads", "LOD in a"},
    {"EXTERNAL, RENDERBUFFER, SHADOWCUBE and SHADOWARRAY2D with a level", "the target RENDERBUFFER"},
    {"EXTERNAL, RENDERBUFFER, SHADOWCUBE and SHADOWARRAY2D with a level", "the target EXTERNAL"},
    {"EXTERNAL, RENDERBUFFER, SHADOWCUBE and SHADOWARRAY2D with a level", "TXL on SHADOW"},
};

static bool is_listed(const char *message)
{
    static const char begin[] = "not evaluated yet: ";

    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        if (!strncmp(message, begin, sizeof begin - 1) &&
            !strncmp(message + sizeof begin - 1, refused[i].says, strlen(refused[i].says)))
            return true;
    return false;
}

/* ---- a program of one instruction ---------------------------------------------------------------------- */

struct writer {
    unsigned profile;
    uint64_t options;           /* that it names */
    bool old, typed, suffixed;
    bool patches;               /* geometry programs take them */
};

static struct writer writer_of(unsigned profile)
{
    const struct profile_info *p = &profile_table[profile];
    struct writer w = {.profile = profile, .old = p->generation == GEN_REGISTER, .typed = p->typed,
                       .suffixed = SUFFIXED >> profile & 1};

    w.options = p->option ? UINT64_C(1) << p->option : 0;
    return w;
}

static bool is_in(const struct writer *w, uint32_t set)
{
    return set >> w->profile & 1;
}

static void need(struct writer *w, unsigned option)
{
    if (option && is_in(w, option_table[option].profiles))
        w->options |= UINT64_C(1) << option;
}

/* Names of the kinds of variables; the older dialects have registers. */
static const char *temp(const struct writer *w, unsigned n)
{
    static const char *const names[] = {"r", "a", "b", "c", ""},
                             *const registers[] = {"R0", "R1", "R2", "R3", ""};     /* the last is a texture */

    return w->old ? registers[n] : names[n];
}

/* What a program of the dialect declares: all of it, as far as it has it. */
static size_t write_frame(const struct writer *w, char *text, size_t size)
{
    const struct profile_info *p = &profile_table[w->profile];
    bool nv5 = p->generation == GEN_NV5;
    size_t n = (size_t)snprintf(text, size, "%s\n", p->header);

    for (unsigned o = OPTION_NONE + 1; o < OPTION_COUNT; o++)
        if (w->options >> o & 1)
            n += (size_t)snprintf(text + n, size - n, "OPTION %s;\n", option_table[o].name);
    if (is_in(w, NV_GP))
        n += (size_t)snprintf(text + n, size - n, "PRIMITIVE_IN %s;\nPRIMITIVE_OUT POINTS;\nVERTICES_OUT 2;\n",
                              w->patches ? "PATCHES" : "POINTS");
    if (is_in(w, TCP5))
        n += (size_t)snprintf(text + n, size - n, "VERTICES_OUT 3;\n");
    if (is_in(w, TEP5))
        n += (size_t)snprintf(text + n, size - n, "TESS_MODE TRIANGLES;\nTESS_SPACING EQUAL;\n");
    if (is_in(w, CP5))
        n += (size_t)snprintf(text + n, size - n,
                              "GROUP_SIZE 4 2;\nSHARED_MEMORY 64;\nSHARED sh[] = { program.sharedmem };\n");
    if (!w->old)
        n += (size_t)snprintf(text + n, size - n, "TEMP r, a, b, c;\n");
    if (w->options >> OPTION_NV_gpu_program_fp64 & 1)
        n += (size_t)snprintf(text + n, size - n, "LONG TEMP d, e, f, g;\n");
    if (is_in(w, ARB_VP))
        n += (size_t)snprintf(text + n, size - n, "ADDRESS A0;\n");
    if (w->options >> OPTION_NV_shader_storage_buffer & 1)
        n += (size_t)snprintf(text + n, size - n, "STORAGE st[] = { program.storage[0] };\n");
    if (w->options >> OPTION_NV_shader_atomic_counters & 1)
        n += (size_t)snprintf(text + n, size - n, "COUNTER ct[] = { program.counter[0] };\n");
    if (nv5 || w->options >> OPTION_NV_parameter_buffer_object2 & 1)
        n += (size_t)snprintf(text + n, size - n, "CBUFFER cb[] = { program.buffer[0] };\n");
    if (nv5)
        n += (size_t)snprintf(text + n, size - n,
                              "SUBROUTINETYPE T { sub };\nSUBROUTINE T call = program.subroutine[0];\n");
    if (is_in(w, NV_FP & GPU5))
        n += (size_t)snprintf(text + n, size - n, "ATTRIB at = fragment.attrib[1];\n");
    return n;
}

/* Flow and what belongs to it, in place of a statement; { } stand for the flags of `a`, set. */
static const struct {
    unsigned op;
    const char *text;
} forms[] = {
    {OP_IF, "{IF NE.x;\nELSE;\nENDIF;"},
    {OP_ELSE, "{IF NE.x;\nELSE;\nENDIF;"},
    {OP_ENDIF, "{IF NE.x;\nENDIF;"},
    {OP_REP, "REP {2, 0, 0, 0};\nENDREP;"},
    {OP_ENDREP, "REP {2, 0, 0, 0};\nENDREP;"},
    {OP_LOOP, "LOOP {2, 0, 1, 0};\nENDLOOP;"},
    {OP_ENDLOOP, "LOOP {2, 0, 1, 0};\nENDLOOP;"},
    {OP_BRK, "{REP {2, 0, 0, 0};\nBRK (NE.x);\nENDREP;"},
    {OP_CONT, "{REP {2, 0, 0, 0};\nCONT (NE.x);\nENDREP;"},
    {OP_CAL, "{CAL sub (NE.x);"},
    {OP_RET, "{RET (NE.x);"},
    {OP_BRA, "{BRA sub (NE.x);"},
    {OP_CALI, "{CALI call (NE.x);"},
    {OP_PUSHA, "PUSHA A0;\nPOPA A0;"},
    {OP_POPA, "PUSHA A0;\nPOPA A0;"},
    {OP_FSIB, "FSIB;\nFSIE;"},
    {OP_FSIE, "FSIB;\nFSIE;"},
    {OP_EMIT, "EMIT;"},
    {OP_EMITS, "EMITS 1;"},
    {OP_ENDPRIM, "ENDPRIM;"},
    {OP_ATOMB, "ATOMB.ADD.U32 r.x, a, st[4];"},
    {OP_ATOMS, "ATOMS.ADD.U32 r.x, a, sh[4];"},
    {OP_ATOM, "ATOM.ADD.U32 r.x, a, d.x;"},
    {OP_ATOMIM, "ATOMIM.ADD.U32 r.x, a, b, image[0], 2D;"},
    {OP_ATOMCTR, "ATOMCTR.INCR r.x, ct[0];"},
    {OP_ATOMCTROP, "ATOMCTROP.ADD.U r.x, ct[0], a;"},
    {OP_LDB, "LDB.U32X4 r, st[16];"},
    {OP_STB, "STB.U32X4 a, st[16];"},
    {OP_LDS, "LDS.U32X4 r, sh[16];"},
    {OP_STS, "STS.U32X4 a, sh[16];"},
    {OP_LDC, "LDC.U32X4 r, cb[16];"},
    {OP_LOAD, "LOAD.U32X4 r, d.x;"},
    {OP_STORE, "STORE.U32X4 a, d.x;"},
    {OP_LOADIM, "LOADIM.U32 r, a, image[0], 2D;"},
    {OP_STOREIM, "STOREIM.U32 image[0], a, b, 2D;"},
    {OP_IMQ, "IMQ r, image[0], 2D;"},
    {OP_IMQS, "IMQS r.x, image[0], 2DMS;"},
    {OP_PK64, "PK64.U d.xy, a;"},
    {OP_UP64, "UP64.U r, d;"},
    {OP_CVT, "CVT.S32.F32 r, a;"},
    {OP_MATCH, "MATCH.ANY.U r.y, a.x;"},
    {OP_SGREDC, "SGREDC.ADD.U r, a, 4;"},
    {OP_SGROTC, "SGROTC.U r, a, 1, 4;"},
    {OP_DEMOTE, "DEMOTE a;"},
    {OP_IPAC, "IPAC r, at;"},
    {OP_IPAO, "IPAO r, at, a;"},
    {OP_IPAS, "IPAS r, at, a.x;"},
};

static const char *form_of(const struct writer *w, unsigned op)
{
    if (op == OP_KIL)
        return is_in(w, FP10) ? "{KIL NE.x;" : "KIL a;";
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (forms[i].op == op)
            return forms[i].text;
    return NULL;
}

static bool is_wide(const char *type)
{
    return type[0] && type[1] == '6';
}

/* An ordinary one, by its shape. */
static size_t write_plain(const struct writer *w, unsigned op, const char *type, char *text, size_t size)
{
    static const char *const wides[] = {"d", "e", "f", "g"};
    const struct op_info *info = &op_table[op];
    const struct shape_info *s = &shape_table[info->shape];
    const char *needed = info->modifiers & M_OPERATOR ? ".MIN" : info->modifiers & M_VARIABLE ? ".LANE" : "";
    bool wide = is_wide(type), scalar = s->result == RC_SCALAR && op_number(op, 0) != '=';
    size_t n = (size_t)snprintf(text, size, "%s%s%s%s", info->name, *type ? "." : "", type, needed);

    if (s->result == RC_ADDRESS)
        n += (size_t)snprintf(text + n, size - n, " A0%s", is_in(w, AVP | VP10 | VP11) ? ".x" : "");
    else if (s->result != RC_NONE)
        n += (size_t)snprintf(text + n, size - n, " %s%s", wide ? wides[0] : temp(w, 0), scalar ? ".x" : "");
    for (unsigned k = 0; k < s->nsrc; k++) {
        const char *name = wide && op_number(op, k + 1) != 'U' ? wides[k + 1] : temp(w, k + 1);
        n += (size_t)snprintf(text + n, size - n, k || s->result != RC_NONE ? ", " : " ");
        if (s->src[k] == OC_TEXTURE)
            n += (size_t)snprintf(text + n, size - n, w->old ? "TEX0, 2D" : "texture[0], %s",
                                  op == OP_TXFMS || op == OP_TXQS ? "2DMS" : "2D");
        else if (s->src[k] == OC_EXTENDED)
            n += (size_t)snprintf(text + n, size - n, "%s, x, -y, 0, 1", name);
        else if (s->src[k] == OC_ADDRESS)
            n += (size_t)snprintf(text + n, size - n, "A0");
        else
            n += (size_t)snprintf(text + n, size - n, "%s%s", name,
                                  s->src[k] == OC_SCALAR || (op == OP_ARL && is_in(w, AVP | VP10 | VP11)) ? ".y" : "");
    }
    return n + (size_t)snprintf(text + n, size - n, ";");
}

static void write_program(struct writer *w, unsigned op, const char *type, char *text, size_t size)
{
    const struct op_info *info = &op_table[op];
    const char *form = form_of(w, op);
    bool labels = is_in(w, LABELS);
    size_t n;

    if (!(info->option == OPTION_NV_pixel_interlock_ordered && w->options & INTERLOCK_OPTIONS))
        need(w, info->gated >> w->profile & 1 ? info->option : OPTION_NONE);
    if (is_wide(type) || (form && strstr(form, "d.x")) || op == OP_PK64 || op == OP_UP64)
        need(w, OPTION_NV_gpu_program_fp64);
    if (op == OP_LOADIM || op == OP_STOREIM)
        need(w, OPTION_EXT_shader_image_load_formatted);
    if (op == OP_TXFMS || op == OP_TXQS || op == OP_IMQS)
        need(w, OPTION_NV_texture_multisample);
    if (op == OP_ATOMCTROP)
        need(w, OPTION_NV_shader_atomic_counters);
    n = write_frame(w, text, size);
    if (labels)
        n += (size_t)snprintf(text + n, size - n, "main:\n");
    for (unsigned i = 1; i < 4; i++)
        n += (size_t)snprintf(text + n, size - n, "MOV %s, {1, 2, 0.5, 3};\n", temp(w, i));
    if (w->options >> OPTION_NV_gpu_program_fp64 & 1)
        n += (size_t)snprintf(text + n, size - n,
                              "MOV.U64 d, {0, 0, 0, 0};\nMOV.U64 e, d;\nMOV.U64 f, d;\nMOV.U64 g, d;\n");
    if (form && *form == '{') {
        n += (size_t)snprintf(text + n, size - n,
                              w->typed ? "MOV.CC %s, a;\n" : "MOVC %s, %s;\n", temp(w, 0), temp(w, 1));
        form++;
    }
    if (is_in(w, ARB_VP) && !form)
        n += (size_t)snprintf(text + n, size - n, "ARL A0%s, a%s;\n", is_in(w, AVP) ? ".x" : "",
                              is_in(w, AVP) ? ".x" : "");
    if (form)
        n += (size_t)snprintf(text + n, size - n, "%s", form);
    else
        n += write_plain(w, op, type, text + n, size - n);
    n += (size_t)snprintf(text + n, size - n, "\n");
    if (is_in(w, ANY_VP | NV_GP | TEP5))
        n += (size_t)snprintf(text + n, size - n, "MOV %s, %s;\n", w->old ? "o[HPOS]" : "result.position", temp(w, 1));
    else if (is_in(w, ANY_FP))
        n += (size_t)snprintf(text + n, size - n, "MOV %s, %s;\n", w->old ? "o[COLR]" : "result.color", temp(w, 1));
    snprintf(text + n, size - n, labels ? "RET;\nsub%s:\nRET;\nEND\n" : "END\n",
             profile_table[w->profile].generation == GEN_NV5 ? " SUBROUTINENUM(0)" : "");
}

/* ---- to run it -------------------------------------------------------------------------------------------- */

struct tally {
    unsigned ran, refused, wrong, invalid;
    bool may_be_invalid;
};

static bool note_error(void *user, const struct gp5_diagnostic *d)
{
    if (d->severity == GP5_ERROR && !*(char *)user)
        snprintf(user, 200, "line %u: %s", d->line, d->message);
    return true;
}

static void launch(struct tally *t, gp5_executable *x, const struct gp5_run_options *options, unsigned profile,
                   const char *text)
{
    _Alignas(16) uint8_t bytes[3][256] = {{0}};
    struct gp5_buffer storage = {0, bytes[0], 256, NULL}, buffer = {0, bytes[1], 256, NULL},
                      counter = {0, bytes[2], 256, NULL};
    uint32_t patch = 0, subroutine = 0;
    struct gp5_launch l = {.groups = {1, 1, 1}, .width = 2, .height = 2, .count = 1, .patch_vertices = 3,
                           .patches = 1, .patch = &patch, .storage = &storage, .nstorage = 1, .cbuffers = &buffer,
                           .ncbuffers = 1, .counters = &counter, .ncounters = 1, .subroutines = &subroutine,
                           .nsubroutines = 1};
    struct gp5_report report = {0};
    enum gp5_run_status status;

    if (profile_table[profile].stage_id == STAGE_COMPUTE || profile_table[profile].generation != GEN_NV5)
        l.nsubroutines = 0;
    status = gp5_execute(x, &l, options, &report);
    if (status != GP5_RUN_OK) {
        t->wrong++;
        print_error("%s\n%s\n", text, report.message);
    }
    t->ran += status == GP5_RUN_OK;
    gp5_report_free(&report);
}

/* Both semantics, with undefined values followed. */
static void run(struct tally *t, const char *text, unsigned profile)
{
    gp5_program *p = gp5_parse(text, strlen(text));
    char said[200] = "";

    assert_non_null(p);
    if (gp5_error_position(p, GP5_TARGET_GP5) >= 0) {
        gp5_diagnostics(p, GP5_TARGET_GP5, note_error, said);
        t->invalid++;
        if (!t->may_be_invalid && t->wrong++ < 20)
            print_error("%s\n%s: %s\n\n", text, profile_table[profile].name, said);
    }
    for (unsigned k = 0; k < 2 && !*said; k++) {
        struct gp5_run_options options = {.semantics = k ? GP5_SEMANTICS_SPEC : GP5_SEMANTICS_NVIDIA, .jobs = 1,
                                          .track_undefined = true};
        char *message;
        size_t offset;
        gp5_executable *x = gp5_prepare(p, &options, &message, &offset);
        if (x)
            launch(t, x, &options, profile, text);
        else if (is_listed(message))
            t->refused++;
        else if (t->wrong++ || true)
            print_error("%s: %s\n%s\n", profile_table[profile].name, message, text);
        gp5_executable_free(x);
        gp5_text_free(message);
    }
    gp5_program_free(p);
}

/* ---- opcodes ---------------------------------------------------------------------------------------------- */

static unsigned types_of(const struct writer *w, const struct op_info *op, const char *types[8])
{
    static const struct {
        unsigned bits;
        const char *name;
    } all[] = {{T_F, "F"}, {T_I, "S"}, {T_I, "U"}, {T_F64, "F64"}, {T_I64, "S64"}, {T_I64, "U64"}};
    bool nv5 = profile_table[w->profile].generation == GEN_NV5;
    unsigned n = 0;

    types[n++] = "";
    for (size_t i = 0; w->typed && i < sizeof all / sizeof *all; i++)
        if (op->types & all[i].bits && (nv5 || !is_wide(all[i].name)))
            types[n++] = all[i].name;
    return n;
}

/* What a dialect reads and then refuses (docs/language.md): quads are of fragments. */
static bool is_read_only(const struct writer *w, unsigned op)
{
    return op_table[op].modifiers & M_FRAGMENT && profile_table[w->profile].stage_id != STAGE_FRAGMENT;
}

/* To older dialects an option brings the word, but not all that goes with it: modifiers, variables. Nothing declares
 * memory of a thread. */
static bool is_brought(const struct writer *w, unsigned op)
{
    bool alone = op_table[op].gated >> w->profile & 1 && profile_table[w->profile].generation != GEN_NV5;

    return alone || op == OP_LDL || op == OP_STL;
}

static void test_opcodes(void **state)
{
    struct tally t = {0};

    (void)state;
    for (unsigned op = 0; op < OP_COUNT; op++)
        for (unsigned profile = PROFILE_NONE + 1; profile < PROFILE_COUNT; profile++) {
            struct writer w = writer_of(profile);
            const char *types[8];
            unsigned n = types_of(&w, &op_table[op], types);
            t.may_be_invalid = is_brought(&w, op);
            for (unsigned i = 0; i < n && op_table[op].profiles >> profile & 1 && !is_read_only(&w, op); i++) {
                char text[2048];
                write_program(&w, op, types[i], text, sizeof text);
                run(&t, text, profile);
                if (form_of(&w, op))
                    break;
            }
        }
    print_message("# %u ran, %u refused, %u invalid\n", t.ran, t.refused, t.invalid);
    assert_int_equal(t.wrong, 0);
    assert_true(t.ran > 4000);
}

/* DDX, DDY and what has levels of its own, where lanes of compute programs form quads. */
static void test_derivative_groups(void **state)
{
    static const unsigned ops[] = {OP_DDX, OP_DDY, OP_LOD, OP_TEX, OP_TXB, OP_TXP, OP_QSWZ0, OP_QSWZX};
    struct tally t = {0};

    (void)state;
    for (unsigned i = 0; i < 2 * sizeof ops / sizeof *ops; i++) {
        struct writer w = writer_of(PROFILE_NVCP5);
        char text[2048];
        need(&w, i & 1 ? OPTION_NV_derivative_group_quads : OPTION_NV_derivative_group_linear);
        write_program(&w, ops[i / 2], "", text, sizeof text);
        run(&t, text, PROFILE_NVCP5);
    }
    assert_int_equal(t.wrong, 0);
    assert_int_equal(t.ran, 4 * sizeof ops / sizeof *ops);
}

/* ---- options ---------------------------------------------------------------------------------------------- */

/* What a program must do without with an option. */
static void leave_out(char *text, const char *words)
{
    char *at = strstr(text, words);

    if (at)
        memmove(at, strchr(at, '\n') + 1, strlen(strchr(at, '\n') + 1) + 1);
}

static void test_options(void **state)
{
    struct tally t = {0};
    unsigned written = 0;

    (void)state;
    for (unsigned o = OPTION_NONE + 1; o < OPTION_COUNT; o++)
        for (unsigned profile = PROFILE_NONE + 1; profile < PROFILE_COUNT; profile++) {
            struct writer w = writer_of(profile);
            char text[2048];
            if (!(option_table[o].profiles >> profile & 1) ||
                (w.typed && asm_profile_with(profile, o) != profile))   /* an ARB program: a profile of its own */
                continue;
            need(&w, o);
            if (o == OPTION_EXT_post_depth_coverage)
                need(&w, OPTION_NV_early_fragment_tests);
            write_program(&w, INTERLOCK_OPTIONS >> o & 1 ? OP_FSIB : OP_MOV, "", text, sizeof text);
            if (o == OPTION_ARB_position_invariant || o == OPTION_NV_position_invariant) {
                leave_out(text, "MOV result.position");
                leave_out(text, "MOV o[HPOS]");
            } else if (o == OPTION_NV_geometry_shader_passthrough) {
                leave_out(text, "PRIMITIVE_OUT");
                leave_out(text, "VERTICES_OUT");
            } else if (o == OPTION_ARB_compute_variable_group_size) {
                leave_out(text, "GROUP_SIZE");
            }
            t.may_be_invalid = !w.typed || profile_table[profile].generation != GEN_NV5;
            run(&t, text, profile);
            written++;
        }
    print_message("# %u ran, %u of %u invalid\n", t.ran, t.invalid, written);
    assert_int_equal(t.wrong, 0);
    assert_true(t.ran > 500);
}

/* ---- bindings --------------------------------------------------------------------------------------------- */

/* The words with 0 where an index stands. */
static void numbered(const char *words, char *text)
{
    for (; *words; words++) {
        *text++ = *words;
        if (*words == '[') {
            *text++ = '0';
            words += words[1] == '?';
        }
    }
    *text = 0;
}

static void use_binding(struct writer *w, unsigned kind, char *text, size_t size)
{
    const struct binding_info *b = &binding_table[kind];
    char name[96];
    bool matrix =
        !strncmp(b->words, "state.matrix", 12) && !strstr(b->words, "row") && !strstr(b->words, "normalscale");
    size_t n;

    need(w, b->option);
    if (kind == BIND_RESULT_COLOR_N_PRIMARY || kind == BIND_RESULT_COLOR_N_SECONDARY)
        need(w, OPTION_ARB_draw_buffers);
    w->patches = kind == BIND_PRIMITIVE_PATCH_ATTRIB_GP || kind == BIND_PRIMITIVE_TESSOUTER_GP ||
                 kind == BIND_PRIMITIVE_TESSINNER_GP;
    numbered(b->words, name);
    n = write_frame(w, text, size);
    if (matrix)
        n += (size_t)snprintf(text + n, size - n, "PARAM m[4] = { %s };\n", name);
    if (b->class == BC_VERTEX)
        n += (size_t)snprintf(text + n, size - n,
                              strchr(name, ']') ? "ATTRIB v[] = { %s };\n" : "ATTRIB v = %s;\n", name);
    if (b->class == BC_BUFFER)
        n += (size_t)snprintf(text + n, size - n, "BUFFER4 q[] = { program.buffer[0] };\n");
    if (is_in(w, LABELS))
        n += (size_t)snprintf(text + n, size - n, "main:\n");
    n += (size_t)snprintf(text + n, size - n, "MOV a, {1, 2, 3, 4};\n");
    if (b->class == BC_RESULT)
        n += (size_t)snprintf(text + n, size - n, "MOV %s%s, a;\n", name, b->components == 1 ? ".x" : "");
    else if (b->class == BC_VERTEX)
        n += (size_t)snprintf(text + n, size - n, strchr(name, ']') ? "MOV r, v[0][0];\n" : "MOV r, v[0];\n");
    else
        n += (size_t)snprintf(text + n, size - n, "MOV r, %s;\n",
                              matrix ? "m[1]" : b->class == BC_BUFFER ? "q[1]" : name);
    if (is_in(w, ANY_VP) && kind != BIND_RESULT_POSITION)
        n += (size_t)snprintf(text + n, size - n, "MOV result.position, a;\n");
    snprintf(text + n, size - n, is_in(w, LABELS) ? "RET;\nsub%s:\nRET;\nEND\n" : "END\n",
             profile_table[w->profile].generation == GEN_NV5 ? " SUBROUTINENUM(0)" : "");
}

static void test_bindings(void **state)
{
    struct tally t = {0};

    (void)state;
    for (unsigned kind = 0; kind < BIND_COUNT; kind++)
        for (unsigned profile = PROFILE_NONE + 1; profile < PROFILE_COUNT; profile++) {
            const struct binding_info *b = &binding_table[kind];
            struct writer w = writer_of(profile);
            char text[2048];
            bool read = b->class == BC_ATTRIB || b->class == BC_PARAM || b->class == BC_RESULT ||
                        b->class == BC_BUFFER || b->class == BC_VERTEX;
            if (!(b->profiles >> profile & 1) || !read || kind == BIND_CONSTANT || w.old ||
                (b->class == BC_BUFFER && !w.typed))
                continue;
            use_binding(&w, kind, text, sizeof text);
            t.may_be_invalid = strstr(b->words, "palette") != NULL;     /* no driver has them */
            run(&t, text, profile);
        }
    print_message("# %u ran, %u invalid\n", t.ran, t.invalid);
    assert_int_equal(t.wrong, 0);
}

/* ---- textures and images --------------------------------------------------------------------------------- */

/* With one vector and with two, with LODCLAMP and without: what is valid of these runs. */
static void use_target(struct tally *t, unsigned profile, unsigned op, unsigned target, const char *type, unsigned form)
{
    static const unsigned options[] = {OPTION_NV_texture_multisample, OPTION_NV_explicit_multisample,
                                       OPTION_ARB_fragment_program_shadow, OPTION_EXT_sparse_texture2,
                                       OPTION_ARB_shader_texture_image_samples, OPTION_NV_internal};
    const struct shape_info *shape = &shape_table[op_table[op].shape];
    struct writer w = writer_of(profile);
    char text[2048], operands[64] = "";
    size_t n;

    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        need(&w, options[i]);
    if (form & 4)
        need(&w, OPTION_NV_derivative_group_quads);
    if (w.old)
        return;
    for (unsigned k = 0; k + 1 < shape->nsrc + (form & 1); k++)
        strcat(operands, k == 0 ? "a, " : k == 1 ? "b, " : "c, ");
    n = write_frame(&w, text, sizeof text);
    if (is_in(&w, LABELS))
        n += (size_t)snprintf(text + n, sizeof text - n, "main:\n");
    n += (size_t)snprintf(text + n, sizeof text - n, "MOV a, {1, 2, 3, 1};\nMOV b, a;\nMOV c, a;\n%s%s%s%s r, %s",
                          op_table[op].name, *type ? "." : "", type, form & 2 ? ".LODCLAMP" : "", operands);
    n += (size_t)snprintf(text + n, sizeof text - n, "texture[0], %s;\n", target_table[target].text);
    if (is_in(&w, ANY_VP))
        n += (size_t)snprintf(text + n, sizeof text - n, "MOV result.position, a;\n");
    snprintf(text + n, sizeof text - n, is_in(&w, LABELS) ? "RET;\nsub%s:\nRET;\nEND\n" : "END\n",
             profile_table[w.profile].generation == GEN_NV5 ? " SUBROUTINENUM(0)" : "");
    run(t, text, profile);
}

static void test_textures(void **state)
{
    static const char *const types[] = {"", "F", "S", "U", "F16", "F32"};
    struct tally t = {.may_be_invalid = true};

    (void)state;
    for (unsigned op = 0; op < OP_COUNT; op++)
        for (unsigned profile = PROFILE_NONE + 1; profile < PROFILE_COUNT; profile++)
            for (unsigned target = TARGET_NONE + 1; target < TARGET_COUNT; target++)
                for (unsigned type = 0; type < (profile_table[profile].typed ? 6 : 1); type++)
                    for (unsigned form = 0; form < (profile == PROFILE_NVCP5 ? 8 : 4); form++)
                        if (op_table[op].modifiers & M_TEX && op_table[op].profiles >> profile & 1 &&
                            shape_table[op_table[op].shape].src[shape_table[op_table[op].shape].nsrc - 1] == OC_TEXTURE)
                            use_target(&t, profile, op, target, types[type], form);
    print_message("# %u ran, %u refused, %u invalid\n", t.ran, t.refused, t.invalid);
    assert_int_equal(t.wrong, 0);
    assert_true(t.ran > 5000);
}

static void test_images(void **state)
{
    static const char *const statements[] = {"LOADIM.%s r, a, image[0], %s;", "STOREIM.%s image[0], a, b, %s;",
                                             "ATOMIM.ADD.%s r.x, b, a, image[0], %s;", "IMQ%.0s r, image[0], %s;",
                                             "IMQS%.0s r.x, image[0], %s;"};
    static const char *const types[] = {"U32", "S8", "F32X4", "U16X2", "F", "S"};
    static const unsigned options[] = {OPTION_NV_texture_multisample, OPTION_EXT_shader_image_load_formatted,
                                       OPTION_ARB_shader_image_size, OPTION_ARB_shader_texture_image_samples,
                                       OPTION_NV_gpu_program5_mem_extended, OPTION_NV_shader_atomic_float};
    struct tally t = {.may_be_invalid = true};

    (void)state;
    for (unsigned profile = PROFILE_NONE + 1; profile < PROFILE_COUNT; profile++)
        for (unsigned target = TARGET_NONE + 1; target < TARGET_COUNT; target++)
            for (unsigned k = 0; k < 5 * 6; k++) {
                struct writer w = writer_of(profile);
                char text[2048];
                size_t n;
                if (profile_table[profile].generation != GEN_NV5)
                    continue;
                for (size_t i = 0; i < sizeof options / sizeof *options; i++)
                    need(&w, options[i]);
                n = write_frame(&w, text, sizeof text);
                n += (size_t)snprintf(text + n, sizeof text - n, "main:\nMOV a, {0, 0, 0, 0};\nMOV b, a;\n");
                n += (size_t)snprintf(text + n, sizeof text - n, statements[k / 6], types[k % 6],
                                      target_table[target].text);
                snprintf(text + n, sizeof text - n, "\n%sRET;\nsub SUBROUTINENUM(0):\nRET;\nEND\n",
                         is_in(&w, ANY_VP) ? "MOV result.position, a;\n" : "");
                run(&t, text, profile);
            }
    print_message("# %u ran, %u refused, %u invalid\n", t.ran, t.refused, t.invalid);
    assert_int_equal(t.wrong, 0);
    assert_true(t.ran > 1000);
}

/* What a driver loads all the same is refused, and none of it runs. */
static void test_unexplained(void **state)
{
    static const char *const programs[] = {
        "!!NVfp5.0\nTEMP r, a;\nMOV a, 1;\nLDC.U32 r, a;\nMOV result.color, r;\nEND\n",
        "!!NVfp5.0\nTEMP r, a;\nMOV a, 1;\nLDC.U32 r, 1;\nMOV result.color, r;\nEND\n",
        "!!FP1.0\nTEX R0, f[TEX0], R1, 2D;\nMOV o[COLR], R0;\nEND\n",
        "!!ARBfp1.0\nTEMP r, a;\nMOV a, fragment.position;\nTEX r, a, a, 2D;\nMOV result.color, r;\nEND\n",
        "!!NVvp5.0\nCONT;\nMOV result.position, 1;\nEND\n",
        ("!!NVvp5.0\nOPTION NV_gpu_program_fp64;\nLONG OUTPUT x = result.attrib[1];\nLONG TEMP d;\n"
         "MOV.U64 d, {0, 0, 0, 0};\nMOV.F64 x, d;\nMOV result.position, 1;\nEND\n"),
    };
    struct tally t = {0};

    (void)state;
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
        run(&t, programs[i], asm_find_profile(programs[i], strlen(programs[i])));
    assert_int_equal(t.refused, 2 * sizeof programs / sizeof *programs);
}

/* ---- the document ----------------------------------------------------------------------------------------- */

static bool is_expected(const char *row)
{
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        if (!strcmp(refused[i].row, row))
            return true;
    return false;
}

/* Its list is the one above, no row more and none less. */
static void test_document(void **state)
{
    FILE *file = fopen("docs/architecture.md", "r");
    char line[256];
    unsigned rows = 0, expected = 0;
    bool inside = false;

    (void)state;
    assert_non_null(file);
    while (fgets(line, sizeof line, file)) {
        char *end;
        if (!strncmp(line, "## ", 3))
            inside = !strncmp(line, "## What is not evaluated", 24);
        if (!inside || strncmp(line, "| ", 2) || !strncmp(line, "| what", 6))
            continue;
        end = strstr(line + 2, " |");
        assert_non_null(end);
        *end = 0;
        if (!is_expected(line + 2))
            print_error("docs/architecture.md lists %s\n", line + 2);
        assert_true(is_expected(line + 2));
        rows++;
    }
    fclose(file);
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        expected += i == 0 || strcmp(refused[i].row, refused[i - 1].row);
    assert_int_equal(rows, expected);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_opcodes),
        cmocka_unit_test(test_derivative_groups),
        cmocka_unit_test(test_options),
        cmocka_unit_test(test_bindings),
        cmocka_unit_test(test_textures),
        cmocka_unit_test(test_images),
        cmocka_unit_test(test_unexplained),
        cmocka_unit_test(test_document),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
