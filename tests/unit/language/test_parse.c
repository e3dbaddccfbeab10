/* Programs to struct gp5_program: what is resolved, what fails and where, and that nothing breaks it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "asm/program.h"
#include "gp5.h"
#include "tests/unit/failing_memory.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- helpers ----------------------------------------------------------------------------------------------------- */

#define COMPUTE "!!NVcp5.0\nOPTION NV_shader_storage_buffer;\nGROUP_SIZE 32;\n"
#define DECLARED COMPUTE "STORAGE s[] = { program.storage[0] };\nTEMP a, b, c;\n"

static gp5_program *parse(const char *text)
{
    gp5_program *program = gp5_parse(text, strlen(text));
    assert_non_null(program);
    return program;
}

static gp5_program *parse_valid(const char *text)
{
    gp5_program *program = parse(text);
    if (!gp5_valid(program, GP5_TARGET_NVIDIA))
        fail_msg("%s\n%s", text, program->diags.list[0].message);
    return program;
}

/* ---- what is resolved -------------------------------------------------------------------------------------------- */

static void test_types(void **state)
{
    static const struct {
        const char *text;
        uint8_t type, type2, width, atomic, cc;
        uint32_t flags;
    } cases[] = {
        {"MOV a, b;", DT_F32, DT_F32, 0, 0, 0, 0},
        {"MOV.U a, b;", DT_U32, DT_U32, 0, 0, 0, INSN_TYPE_WRITTEN},
        {"AND a, b, c;", DT_S32, DT_S32, 0, 0, 0, 0},
        {"ADD.F64.SAT a, b, c;", DT_F64, DT_F64, 0, 0, 0, INSN_TYPE_WRITTEN | INSN_SAT},
        {"ADD.CC1.S a, b, c;", DT_S32, DT_S32, 0, 0, 2, INSN_TYPE_WRITTEN},
        {"MUL.S24 a, b, c;", DT_S32, DT_S32, 0, 0, 0, INSN_S24},
        {"MUL.U24 a, b, c;", DT_U32, DT_U32, 0, 0, 0, INSN_U24},
        {"MUL.HI.U a, b, c;", DT_U32, DT_U32, 0, 0, 0, INSN_TYPE_WRITTEN | INSN_HI},
        {"CVT.S8.F32.FLR a, b;", DT_S8, DT_F32, 0, 0, 0, INSN_TYPE_WRITTEN},
        {"LDB.U32X4 a, s[b.x];", DT_U32, DT_U32, 4, 0, 0, INSN_TYPE_WRITTEN},
        {"LDB.U32X2 a, s[b.x];", DT_U32, DT_U32, 2, 0, 0, INSN_TYPE_WRITTEN},
        {"STB.S8 a, s[4];", DT_S8, DT_S8, 1, 0, 0, INSN_TYPE_WRITTEN},
        {"ATOMB.MIN.S32 a, b, s[4];", DT_S32, DT_S32, 1, MOD_MIN, 0, INSN_TYPE_WRITTEN},
        {"MUL.F.PREC a, b, c;", DT_F32, DT_F32, 0, 0, 0, INSN_TYPE_WRITTEN | INSN_PREC},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[512];
        snprintf(text, sizeof text, DECLARED "%s\nEND\n", cases[i].text);
        gp5_program *program = parse_valid(text);
        const struct insn *insn = program_insn(program, 0);
        print_message("%s\n", cases[i].text);
        assert_int_equal(program->insns.count, 1);
        assert_int_equal(insn->type, cases[i].type);
        assert_int_equal(insn->type2, cases[i].type2);
        assert_int_equal(insn->width, cases[i].width);
        assert_int_equal(insn->atomic, cases[i].atomic);
        assert_int_equal(insn->cc_update, cases[i].cc);
        assert_int_equal(insn->flags, cases[i].flags);
        gp5_program_free(program);
    }
}

static void test_operands(void **state)
{
    static const struct {
        const char *text;
        uint8_t kind, flags, swizzle, nindices;
    } cases[] = {
        {"b", OPND_SYMBOL, 0, 0xe4, 0},
        {"b.x", OPND_SYMBOL, 0, 0x00, 0},
        {"b.wzyx", OPND_SYMBOL, 0, 0x1b, 0},
        {"b . y", OPND_SYMBOL, 0, 0x55, 0},
        {"-b", OPND_SYMBOL, OPND_NEGATE, 0xe4, 0},
        {"|b|", OPND_SYMBOL, OPND_ABSOLUTE, 0xe4, 0},
        {"-|-b.z|", OPND_SYMBOL, OPND_NEGATE | OPND_ABSOLUTE | OPND_NEGATE_INNER, 0xaa, 0},
        {"+b", OPND_SYMBOL, OPND_PLUS, 0xe4, 0},
        {"1", OPND_CONSTANT, 0, 0xe4, 0},
        {"-0.5e-3", OPND_CONSTANT, OPND_NEGATE, 0xe4, 0},
        {"{1, -2}.y", OPND_CONSTANT, 0, 0x55, 0},
        {"invocation.globalid.x", OPND_BINDING, 0, 0x00, 0},
        {"program.local[3].w", OPND_BINDING, 0, 0xff, 0},
        {"state.matrix.mvp.row[2].y", OPND_BINDING, 0, 0x55, 0},
        {"state.light[1].half.x", OPND_BINDING, 0, 0x00, 0},
        {"inf", OPND_CONSTANT, 0, 0xe4, 0},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[512];
        snprintf(text, sizeof text, DECLARED "MOV a, %s;\nEND\n", cases[i].text);
        gp5_program *program = parse_valid(text);
        const struct insn *insn = program_insn(program, 0);
        const struct operand *o = program_operand(program, insn->src);
        print_message("%s\n", cases[i].text);
        assert_int_equal(insn->nsrc, 1);
        assert_int_equal(o->kind, cases[i].kind);
        assert_int_equal(o->flags, cases[i].flags);
        assert_int_equal(o->swizzle, cases[i].swizzle);
        assert_int_equal(o->nindices, cases[i].nindices);
        assert_int_equal(o->span.length, strlen(cases[i].text));
        gp5_program_free(program);
    }
}

static void test_bindings(void **state)
{
    static const struct {
        const char *text;
        enum gp5_binding kind;
        unsigned nindices, first, last;
    } cases[] = {
        {"PARAM p = program.local[3];", BIND_PROGRAM_LOCAL, 1, 3, 3},
        {"PARAM p[] = { program.env[2..5] };", BIND_PROGRAM_ENV, 1, 2, 5},
        {"PARAM p[] = { state.matrix.texture[1].inverse.row[0..3] };", BIND_STATE_MATRIX_TEXTURE_INVERSE_ROW, 2, 1, 1},
        {"PARAM p = state.light[2].spot.direction;", BIND_STATE_LIGHT_SPOT_DIRECTION, 1, 2, 2},
        {"PARAM p = state.material.shininess;", BIND_STATE_MATERIAL_SHININESS, 0, 0, 0},
        {"ATTRIB p = invocation.localindex;", BIND_INVOCATION_LOCALINDEX, 0, 0, 0},
        {"CBUFFER p[] = { program.buffer[1] };", BIND_PROGRAM_BUFFER, 1, 1, 1},
        {"PARAM p = {1, 2, 3, 4};", BIND_CONSTANT, 0, 0, 0},
        {"PARAM p = -2.5;", BIND_CONSTANT, 0, 0, 0},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[512];
        snprintf(text, sizeof text, COMPUTE "%s\nEND\n", cases[i].text);
        gp5_program *program = parse_valid(text);
        const struct symbol *s = program_symbol(program, 0);
        const struct binding *b = program_binding(program, s->binding);
        print_message("%s\n", cases[i].text);
        assert_int_equal(s->nbindings, 1);
        assert_int_equal(b->kind, cases[i].kind);
        assert_int_equal(b->nindices, cases[i].nindices);
        if (b->nindices) {
            assert_int_equal(b->first[0], cases[i].first);
            assert_int_equal(b->last[0], cases[i].last);
        }
        gp5_program_free(program);
    }
}

static void test_constants(void **state)
{
    static const struct {
        const char *text;
        double value;
    } cases[] = {
        {"0.1", 0.1}, {"1e-05", 1e-05}, {".5", 0.5}, {"5.", 5}, {"2.5e3", 2500}, {"1E+2", 100},
        {"0.100000001490116119384765625", 0.100000001490116119384765625}, {"1e400", HUGE_VAL},
        {"123456789012345678901234567890.0", 123456789012345678901234567890.0},
        {"4.9406564584124654e-324", 4.9406564584124654e-324},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[512];
        snprintf(text, sizeof text, COMPUTE "PARAM p = %s;\nEND\n", cases[i].text);
        gp5_program *program = parse_valid(text);
        const struct constant *c = program_constant(program, 0);
        assert_int_equal(c->is_integer, 0);
        assert_true(c->value[0].f == cases[i].value);
        gp5_program_free(program);
    }
    gp5_program *program = parse_valid(COMPUTE "PARAM p[] = { 4294967295, 0xff, {1, -2, 0x10} };\nEND\n");
    assert_true(program_constant(program, 0)->value[0].u == 4294967295u);
    assert_true(program_constant(program, 1)->value[0].u == 255);
    assert_int_equal(program_constant(program, 2)->count, 3);
    assert_int_equal(program_constant(program, 2)->negative, 2);
    assert_int_equal(program_constant(program, 2)->hex, 4);
    assert_int_equal(program_symbol(program, 0)->array_size, 3);
    gp5_program_free(program);
}

static void test_partners(void **state)
{
    (void)state;
    gp5_program *program = parse_valid(DECLARED
        "REP 3;\n"              /* 0 */
        "IF NE.x;\n"            /* 1 */
        "BRK (TR);\n"           /* 2 */
        "ELSE;\n"               /* 3 */
        "CONT (EQ1.y);\n"       /* 4 */
        "ENDIF;\n"              /* 5 */
        "IF GT0.z;\n"           /* 6 */
        "ENDIF;\n"              /* 7 */
        "ENDREP;\n"             /* 8 */
        "CAL f (NE.x);\n"       /* 9 */
        "RET;\n"                /* 10 */
        "f:\n"
        "RET (TR);\n"           /* 11 */
        "END\n");
    static const uint32_t partners[] = {8, 3, 8, 5, 8, 1, 7, 6, 0, 11, NO_INDEX, NO_INDEX};
    assert_int_equal(program->insns.count, sizeof partners / sizeof *partners);
    for (uint32_t i = 0; i < program->insns.count; i++)
        assert_int_equal(program_insn(program, i)->dst.partner, partners[i]);
    assert_int_equal(program_insn(program, 1)->condition.rule, CC_NE);
    assert_int_equal(program_insn(program, 4)->condition.cc, 1);
    assert_int_equal(program_insn(program, 6)->condition.swizzle, 0xaa);
    gp5_program_free(program);
}

static void test_indices(void **state)
{
    (void)state;
    gp5_program *program = parse_valid(COMPUTE
        "TEMP m[8], r;\nPARAM p[4] = { program.local[0..3] };\n"
        "MOV m[r.y + 4].x, m[2];\nMOV r, p[r.x];\nEND\n");
    const struct insn *insn = program_insn(program, 0);
    const struct index *index = program_index(program, insn->dst.index);
    assert_int_equal(insn->dst.nindices, 1);
    assert_int_equal(insn->dst.mask, 1);
    assert_int_equal(index->mode, INDEX_RELATIVE);
    assert_int_equal(index->component, 1);
    assert_int_equal(index->offset, 4);
    index = program_index(program, program_operand(program, insn->src)->index);
    assert_int_equal(index->mode, INDEX_CONSTANT);
    assert_int_equal(index->offset, 2);
    gp5_program_free(program);

    static const char nested[] = COMPUTE "TEMP m[8], r;\nMOV r, m[m[3].z + 1];\nEND\n"; /* the specifications' alone */
    program = gp5_parse(nested, strlen(nested));
    assert_true(gp5_valid(program, GP5_TARGET_SPEC));
    assert_false(gp5_valid(program, GP5_TARGET_NVIDIA));
    index = program_index(program, program_operand(program, program_insn(program, 0)->src)->index);
    assert_true(index->element.used);
    assert_int_equal(index->element.value, 3);
    assert_int_equal(index->offset, 1);
    gp5_program_free(program);
}

/* A keyword may be a name, what begins like an opcode a label, and a name is not its neighbour's beginning. */
static void test_names(void **state)
{
    (void)state;
    gp5_program *program =
        parse_valid(COMPUTE "TEMP TEMP, ADDx, END;\nADD TEMP, ADDx, END;\nMOV END.x, TEMP;\nABSO:\nEND\n");
    gp5_program_free(program);
}

static void test_alias(void **state)
{
    (void)state;
    gp5_program *program = parse_valid(DECLARED "ALIAS z = a;\nALIAS y = z;\nMOV y, z.x;\nEND\n");
    const struct insn *insn = program_insn(program, 0);
    assert_string_equal(program_symbol(program, insn->dst.ref)->name, "a");
    assert_int_equal(program_operand(program, insn->src)->ref, insn->dst.ref);
    gp5_program_free(program);
}

static void test_fragment(void **state)
{
    (void)state;
    gp5_program *program = parse_valid(
        "!!ARBfp1.0\nATTRIB t = fragment.texcoord[1];\nTEMP a;\nTEX a, t, texture[2], CUBE;\n"
        "SWZ a, a, 0, 1, -x, w;\nMAD_SAT result.color.xyz, a, 2.0, -a.wzyx;\nKIL a;\nEND\n");
    const struct insn *insn = program_insn(program, 0);
    assert_int_equal(insn->texture_target, TARGET_CUBE);
    assert_int_equal(insn->nsrc, 2);
    const struct operand *o = program_operand(program, insn->src + 1);
    assert_int_equal(o->kind, OPND_TEXTURE);
    assert_int_equal(program_binding(program, o->ref)->first[0], 2);
    o = program_operand(program, program_insn(program, 1)->src);
    assert_int_equal(o->kind, OPND_EXTENDED);
    assert_int_equal(operand_selector(o, 0), SWZ_ZERO);
    assert_int_equal(operand_selector(o, 2), SWZ_X | SWZ_NEGATE);
    insn = program_insn(program, 2);
    assert_int_equal(insn->flags, INSN_SAT);
    assert_int_equal(insn->dst.kind, OPND_BINDING);
    assert_int_equal(insn->dst.mask, 7);
    gp5_program_free(program);
}

/* ---- what is no program ------------------------------------------------------------------------------------------ */

static void test_errors(void **state)
{
    static const struct {
        const char *text;
        long position;
    } cases[] = {
        {"", 0},
        {"\n!!NVcp5.0\nEND\n", 0},
        {" !!ARBfp1.0\nEND\n", 0},
        {"\xef\xbb\xbf!!ARBfp1.0\nEND\n", 0},
        {"!!ARBfp9.0\nEND\n", 0},
        {"!!ARBfp1.0", 10},
        {"!!ARBfp1.0\nEND", -1},
        {"!!ARBfp1.0END", -1},
        {"!!ARBfp1.0 END\r\n\r\n# bye", -1},
        {"!!ARBfp1.0\nEND x", 15},
        {"!!ARBfp1.0\nTEMP a;\n\001\nEND", 19},
        {"!!ARBfp1.0\nTEMP a, a;\nEND", 19},
        {"!!ARBfp1.0\rTEMP a;\rMOV a, b;\rEND", 26},
        {"!!ARBfp1.0\nPARAM p[99999999999] = { 1 };\nEND", 19},
        {"!!ARBfp1.0\nTEMP a;\nMOV a, 99999999999999999999999;\nEND", -1},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        gp5_program *program = parse(cases[i].text);
        print_message("%zu\n", i);
        assert_int_equal(gp5_error_position(program, GP5_TARGET_SPEC), cases[i].position);
        gp5_program_free(program);
    }
    static const char nul[] = "!!ARBfp1.0\nTEMP a;\0MOV a, a;\nEND";
    gp5_program *program = gp5_parse(nul, sizeof nul - 1);
    assert_int_equal(gp5_error_position(program, GP5_TARGET_NVIDIA), 18);
    gp5_program_free(program);
}

/* Several errors a program, one a statement. */
static void test_many_errors(void **state)
{
    (void)state;
    gp5_program *program = parse(DECLARED "MOV a b;\nFOO a, b;\nMOV.U.U q, b;\nADD a, b, c;\nMOV c, d.xq;\nEND\n");
    size_t errors = 0;
    for (size_t i = 0; i < program->diags.count; i++)
        errors += program->diags.list[i].severity == DIAG_ERROR && (program->diags.list[i].targets & FOR_NVIDIA);
    assert_int_equal(errors, 4);
    gp5_program_free(program);
}

/* ---- large and strange ------------------------------------------------------------------------------------------- */

static char *repeat(const char *head, const char *body, size_t times, const char *middle, const char *tail_body,
                    const char *tail)
{
    size_t size = strlen(head) + (strlen(body) + strlen(tail_body)) * times + strlen(middle) + strlen(tail) + 1;
    char *text = malloc(size), *at = text;
    assert_non_null(text);
    at = stpcpy(at, head);
    for (size_t i = 0; i < times; i++)
        at = stpcpy(at, body);
    at = stpcpy(at, middle);
    for (size_t i = 0; i < times; i++)
        at = stpcpy(at, tail_body);
    stpcpy(at, tail);
    return text;
}

static void test_large(void **state)
{
    static const struct {
        const char *head, *body, *middle, *tail_body, *tail;
        bool valid;
    } cases[] = {
        {DECLARED, "IF NE.x;", "", "ENDIF;", "END\n", true},
        {DECLARED, "REP;", "BRK (TR);", "BRK (TR);ENDREP;", "END\n", true},
        {DECLARED, "MOV a, ", "", "b;", "END\n", false},
        {DECLARED "MOV a, ", "-", "b;", "", "END\n", false},
        {DECLARED "MOV a, ", "|", "b;", "", "END\n", false},
        {DECLARED "MOV a, b", ".x", ";", "", "END\n", false},
        {DECLARED "MOV a, b", "[b", ";", "]", "END\n", false},
        {DECLARED "MOV a, s", "[0]", ";", "", "END\n", false},
        {DECLARED "MOV", ".U", " a, b;", "", "END\n", false},
        {DECLARED "MOV a, {1", ",1", "};", "", "END\n", false},
        {DECLARED "PARAM p[] = {1", ",1", "};", "", "END\n", true},
        {DECLARED "PARAM p = {1", ",{", "};", "", "END\n", false},
        {COMPUTE "TEMP a", "a", ";", "", "END\n", true},
        {DECLARED "MOV a, 1", "1", ";", "", "END\n", false},
        {DECLARED "MOV a, 1.", "1", ";", "", "END\n", true},
        {DECLARED, ";", "", "", "END\n", false},
        {DECLARED, "# c\n", "", "", "END\n", true},
        {DECLARED, "\n\n", "", "", "END\n", true},
        {"!!ARBfp1.0", "\xff", "", "", "", false},
        {"!!ARBfp1.0", "{", "", "", "", false},
        {DECLARED, "(", "", "", "END\n", false},
        {DECLARED, "CAL q; q", ":", "", "END\n", false},
        {DECLARED "TEX a, b", ", b", ";", "", "END\n", false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *text = repeat(cases[i].head, cases[i].body, 50000, cases[i].middle, cases[i].tail_body, cases[i].tail);
        gp5_program *program = parse(text);
        print_message("%zu\n", i);
        assert_int_equal(gp5_valid(program, GP5_TARGET_NVIDIA), cases[i].valid);
        gp5_text_free(gp5_format(program, NULL));
        gp5_program_free(program);
        free(text);
    }
}

/* Every allocation fails once; the answer is NULL and nothing leaks. */
static void test_no_memory(void **state)
{
    static const char text[] = DECLARED
        "PARAM p[2] = { program.local[0], {1, 2} };\nf: MOV a, p[b.x];\nIF NE.x;\nADD.U a.x, b, -|c.y|;\nENDIF;\n"
        "CAL f;\nMOV.Q a, undeclared;\n# comment\nEND\n";
    (void)state;
    bool finished = false;
    for (long n = 0; n < 1000 && !finished; n++) {
        allowed = n;
        refused = false;
        gp5_program *program = gp5_parse(text, sizeof text - 1);
        finished = program != NULL && !refused;
        if (program) {
            char *formatted = gp5_format(program, NULL);
            gp5_text_free(formatted);
        }
        gp5_program_free(program);
    }
    allowed = -1;
    assert_true(finished);
}

/* Every program that the driver wrote itself is valid. */
static void test_driver_programs(void **state)
{
    (void)state;
    DIR *folder = opendir("tests/corpus/asm");
    unsigned count = 0;
    assert_non_null(folder);
    for (struct dirent *entry; (entry = readdir(folder));) {
        char path[512], text[1 << 16];
        const char *dot = strrchr(entry->d_name, '.');
        if (!dot || strcmp(dot, ".cp") != 0)
            continue;
        snprintf(path, sizeof path, "tests/corpus/asm/%s", entry->d_name);
        FILE *file = fopen(path, "rb");
        assert_non_null(file);
        size_t size = fread(text, 1, sizeof text, file);
        fclose(file);
        gp5_program *program = gp5_parse(text, size);
        if (gp5_error_position(program, GP5_TARGET_NVIDIA) >= 0)
            fail_msg("%s: %s", path, program->diags.list[0].message);
        gp5_program_free(program);
        count++;
    }
    closedir(folder);
    assert_true(count > 40);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_types),       cmocka_unit_test(test_operands),    cmocka_unit_test(test_bindings),
        cmocka_unit_test(test_constants),   cmocka_unit_test(test_partners),    cmocka_unit_test(test_indices),
        cmocka_unit_test(test_names),       cmocka_unit_test(test_alias),       cmocka_unit_test(test_fragment),
        cmocka_unit_test(test_errors),      cmocka_unit_test(test_many_errors), cmocka_unit_test(test_large),
        cmocka_unit_test(test_no_memory),   cmocka_unit_test(test_driver_programs),
    };
    return cmocka_run_group_tests_name("parse", tests, NULL, NULL);
}
