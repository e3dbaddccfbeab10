/* The table of passes: the names of options, what needs what, and which programs a pass could change. */
#include "model/passes.h"

#include "include/gp5.h"

#include <stdio.h>
#include <string.h>

/* What a program has that passes look for. */
enum {
    ANY = 0,
    ARRAY = 1 << 0,             /* a TEMP array */
    FLOW = 1 << 1,
    LOOP = 1 << 2,
    JUMP = 1 << 3,              /* a loop, a barrier, or a RET inside a block or under a test */
    FLAGS = 1 << 4,             /* a condition code is set */
    TEST = 1 << 5,              /* and tested */
    PRODUCT = 1 << 6,           /* of floats, by whatever operation */
    SUM = 1 << 7,
    VECTOR = 1 << 8,            /* an operation over several components */
    HALF = 1 << 9,              /* half arithmetic, or a SHORT variable */
    DOUBLES = 1 << 10,          /* an F64 operation with two operands */
    COMPARE = 1 << 11,
    VOTE = 1 << 12,
    MINMAX = 1 << 13,
    SAT = 1 << 14,
    RECIPROCAL = 1 << 15,
    CHOICE = 1 << 16,           /* CMP, or a result under a test */
    SIGN = 1 << 17,             /* - or | | before an operand */
    CONVERSION = 1 << 18,       /* or a copy */
    PACK = 1 << 19,
    DIVISION = 1 << 20,
    POWER = 1 << 21,
    LIGHT = 1 << 22,
    WIDE = 1 << 23,             /* numbers of 64 bits */
    CARRY_TEST = 1 << 24,       /* a test for carry or overflow, or a result under LT or GE */
    OWN_TEST = 1 << 25,         /* a result under a test that sets flags itself */
    ROTATION = 1 << 26,         /* X2D or RFL */
    NORMAL = 1 << 27,           /* NRM */
    BOUNDED = 1 << 28,          /* RCC */
    LITERAL = 1 << 29,          /* a copy of a number */
    PARTS = 1 << 30,            /* a VECTOR of variables and numbers alone */
};

enum { OFF, ON, DROPPED = OFF };

struct row {
    struct gp5_pass pass;
    uint32_t applies;
};

static const struct row rows[] = {
#define PASS(id, state, required, features, place, says) \
    {{.name = #id, .needs = required, .document = place, .what = says, .dropped = state == DROPPED}, features},
#include "model/passes.def"
#undef PASS
};

bool gp5_pass_at(size_t index, struct gp5_pass *out)
{
    if (index >= PASS_COUNT)
        return false;
    *out = rows[index].pass;
    return true;
}

/* ---- which are on -------------------------------------------------------------------------------------- */

static int find(const char *name, size_t length)
{
    for (int i = 0; i < PASS_COUNT; i++)
        if (!strncmp(rows[i].pass.name, name, length) && !rows[i].pass.name[length])
            return i;
    return -1;
}

/* The row whose name has the longest beginning in common with a word, or is part of it. */
static const char *nearest(const char *word, size_t length)
{
    const char *best = NULL;
    size_t most = 2;

    for (int i = 0; i < PASS_COUNT; i++) {
        const char *name = rows[i].pass.name;
        size_t n = 0;
        while (n < length && name[n] && name[n] == word[n])
            n++;
        if (n > most) {
            most = n;
            best = name;
        }
    }
    return best;
}

/* Without what a pass needs it is off as well. */
static uint64_t close(uint64_t passes)
{
    for (uint64_t before = 0; before != passes;) {
        before = passes;
        for (int i = 0; i < PASS_COUNT; i++)
            for (const char *word = rows[i].pass.needs; *word;) {
                size_t length = strcspn(word, " ");
                if (!(passes >> find(word, length) & 1))
                    passes &= ~(1ull << i);
                word += length + (word[length] == ' ');
            }
    }
    return passes;
}

static bool refuse(const char *word, size_t length, char *message, size_t size)
{
    bool no = length > 2 && !strncmp(word, "no", 2);
    const char *near = nearest(no ? word + 2 : word, no ? length - 2 : length);

    if (!no && find(word, length) >= 0)
        snprintf(message, size, "passes are switched off: no%.*s", (int)length, word);
    else if (near)
        snprintf(message, size, "no pass is called '%.*s': is it no%s? --model=list names all",
                 (int)(length < 40 ? length : 40), word, near);
    else
        snprintf(message, size, "no pass is called '%.*s': --model=list names all", (int)(length < 40 ? length : 40),
                 word);
    return false;
}

bool model_read(const char *text, uint64_t *passes, char *message, size_t size)
{
    *passes = 0;
    for (int i = 0; i < PASS_COUNT; i++)
        *passes |= rows[i].pass.dropped ? 0 : 1ull << i;
    if (!text)
        return true;
    if (!strcmp(text, "none")) {
        *passes = 0;
        return true;
    }
    for (const char *word = text;;) {
        size_t length = strcspn(word, ",");
        int pass = length > 2 && !strncmp(word, "no", 2) ? find(word + 2, length - 2) : -1;
        if (pass < 0)
            return refuse(word, length, message, size);
        *passes &= ~(1ull << pass);
        if (!word[length])
            break;
        word += length + 1;
    }
    *passes = close(*passes);
    return true;
}

uint64_t model_without_blocks(uint64_t passes)
{
    uint64_t of_flow = 1ull << PASS_constants | 1ull << PASS_reconverge;

    return close(passes & ~of_flow);
}

bool gp5_model_valid(const char *model, char *message, size_t size)
{
    uint64_t passes;

    if (size)
        *message = '\0';
    return model_read(model, &passes, message, size);
}

/* ---- which could change a program -------------------------------------------------------------------------- */

static uint32_t features_of_op(const struct insn *insn)
{
    bool is_float = type_table[insn->type].is_float;

    switch (insn->op) {
    case OP_MUL: case OP_DST: case OP_UP2US:
    case OP_UP4UB: return is_float || insn->op != OP_MUL ? PRODUCT : 0;
    case OP_DIV: return DIVISION | PRODUCT | RECIPROCAL;
    case OP_MOD: return DIVISION;
    case OP_ADD: case OP_SUB: return SUM;
    case OP_MAD: return PRODUCT | SUM;
    case OP_SAD: return SUM;
    case OP_DP2: case OP_DP3: case OP_DP4: case OP_DPH: case OP_DP2A: case OP_LRP: case OP_XPD:
        return PRODUCT | SUM | VECTOR;
    case OP_X2D: case OP_RFL: return PRODUCT | SUM | VECTOR | ROTATION;
    case OP_MIN: case OP_MAX: case OP_UP2H: return MINMAX | RECIPROCAL;
    case OP_RCP: return RECIPROCAL | MINMAX | (insn->type == DT_F64 ? DIVISION : 0);
    case OP_RSQ: return RECIPROCAL | MINMAX;
    case OP_CMP: return CHOICE;
    case OP_MOV: case OP_ABS: case OP_CVT: case OP_I2F: return CONVERSION;
    case OP_POW: return POWER;
    case OP_LIT: return LIGHT | POWER;
    case OP_RCC: return BOUNDED;
    case OP_NRM: return NORMAL;
    case OP_IF: return FLOW;
    case OP_REP: return FLOW | LOOP | JUMP;
    case OP_CAL: case OP_CALI: case OP_RET: return FLOW | JUMP;
    case OP_BAR: return JUMP;
    default: return 0;
    }
}

static uint32_t features_of_operand(const struct gp5_program *p, const struct operand *o)
{
    bool is_short = (o->kind == OPND_SYMBOL) && program_symbol(p, o->ref)->size == SIZE_SHORT;

    return (o->flags & OPND_SIGNS ? SIGN : 0) | (is_short ? HALF : 0);
}

static uint32_t features_of_tests(const struct insn *insn)
{
    const uint8_t rules[] = {insn->condition.rule, insn->dst.condition.rule};
    bool tested = condition_restricts(&insn->dst.condition);
    uint32_t found = tested || condition_restricts(&insn->condition) ? TEST : 0;

    for (unsigned i = 0; i < 2; i++)
        if (rules[i] == CC_CF || rules[i] == CC_NCF || rules[i] == CC_OF || rules[i] == CC_NOF)
            found |= CARRY_TEST;
    if (rules[1] == CC_LT || rules[1] == CC_GE)
        found |= CARRY_TEST;
    return found | (tested ? CHOICE : 0) | (tested && insn->cc_update ? OWN_TEST : 0);
}

static uint32_t features_of(const struct gp5_program *p, const struct insn *insn)
{
    uint32_t found = features_of_op(insn) | features_of_tests(insn);
    bool sized = insn->dst.kind == OPND_SYMBOL;

    found |= insn->cc_update ? FLAGS : 0;
    found |= insn->flags & (INSN_SAT | INSN_SSAT) ? SAT : 0;
    found |= insn->type == DT_F16 || insn->type2 == DT_F16 || insn->flags & INSN_HALF ? HALF : 0;
    found |= sized && program_symbol(p, insn->dst.ref)->size == SIZE_SHORT ? HALF : 0;
    found |= insn->type == DT_F64 && insn->nsrc > 1 ? DOUBLES : 0;
    found |= type_table[insn->type].bytes == 8 || type_table[insn->type2].bytes == 8 ? WIDE : 0;
    found |= sized && program_symbol(p, insn->dst.ref)->size == SIZE_LONG ? WIDE : 0;
    found |= op_compares(insn->op) ? COMPARE : 0;
    found |= op_votes(insn->op) ? VOTE | COMPARE : 0;
    found |= !strncmp(op_table[insn->op].name, "PK", 2) || !strncmp(op_table[insn->op].name, "UP", 2)
                 ? PACK | CONVERSION
                 : 0;
    found |= found & VECTOR ? PARTS : 0;
    for (unsigned n = 0; n < insn->nsrc; n++) {
        const struct operand *o = program_operand(p, insn->src + n);
        found |= features_of_operand(p, o) | (insn->op == OP_MOV && o->kind == OPND_CONSTANT ? LITERAL : 0);
        if (o->kind != OPND_CONSTANT && !(o->kind == OPND_SYMBOL && program_symbol(p, o->ref)->kind == SYM_TEMP))
            found &= ~(uint32_t)PARTS;
    }
    return found;
}

uint64_t model_missing(const struct gp5_program *p, uint64_t passes)
{
    uint32_t found = 0;
    uint64_t missing = 0;

    for (uint32_t i = 0; i < p->symbols.count; i++)
        found |= program_symbol(p, i)->kind == SYM_TEMP && program_symbol(p, i)->array ? ARRAY : 0;
    for (uint32_t i = 0; i < p->insns.count; i++)
        found |= features_of(p, program_insn(p, i));
    for (int i = 0; i < PASS_COUNT; i++)
        missing |= !(passes >> i & 1) && !(rows[i].applies & ~found) ? 1ull << i : 0;
    return missing;
}
