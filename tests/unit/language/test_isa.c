/* Every row of asm/isa.def states every column: what was left empty, or 0, is found. test_isa_kernels holds the columns
 * against the evaluator. */
#include "asm/isa.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define A_LAST A_UNBUILT
#define F_TYPES (F_SINGLE | F_HALF | F_DOUBLE | F_WORD | F_LONG)

static bool one_bit(uint32_t bits)
{
    return bits && !(bits & (bits - 1));
}

/* Why a row is not a whole one, or NULL. */
static const char *row_fault(const struct op_info *o)
{
    const struct shape_info *shape = &shape_table[o->shape];
    unsigned flow = o->data >> 56 & 0x7f;
    bool lanes = o->kind & K_LANES;

    if (!o->numbers[0] || strspn(o->numbers, "=2FSUWLHD*") != strlen(o->numbers))
        return "numbers are letters";
    if (!o->profiles || o->gated & ~o->profiles || (o->gated && o->option == OPTION_NONE))
        return "profiles, and the option where it is gated";
    if (!one_bit(o->kind) || o->kind > K_SUBGROUP)
        return "one kind";
    if (!o->traits || o->traits >= 2 * A_LAST || (o->traits & A_NONE && o->traits != A_NONE))
        return "traits, or A_NONE";
    if (!(o->data >> 63) || (flow != FLOW_NONE && !(o->kind & (K_LANES | K_INTERPOLATION))))
        return "data, with a flow where a kernel computes it";
    if (lanes && flow == FLOW_NONE && o->shape != SHAPE_V_E)
        return "a flow for its kernel";
    if (o->gives != GIVES_XYZW && o->gives != GIVES_XYZ && o->gives != GIVES_XY && o->gives != GIVES_XYZ_W &&
        o->gives != GIVES_NOTHING)
        return "what it gives";
    if ((o->gives == GIVES_NOTHING) != (shape->result == RC_NONE))
        return "it gives something if its shape has a result";
    if (!o->cost.stated)
        return "a cost";
    if (!o->folds || (o->folds & F_NEVER && o->folds != F_NEVER) || (o->folds != F_NEVER && !(o->folds & F_TYPES)))
        return "types in which it folds, or F_NEVER";
    if (o->traits & A_COPIES && shape->nsrc != 1)
        return "one operand to copy";
    if (o->traits & (A_COMMUTES | A_CHOOSES | A_SUM | A_COMPARES | A_DIVIDES) && shape->nsrc < 2)
        return "two operands";
    if (o->traits & (A_OPENS | A_CLOSES | A_LOOPS | A_JUMPS | A_CALLS) && o->kind != K_FLOW)
        return "blocks and jumps are flow";
    if (o->traits & A_LOOPS && !(o->traits & (A_OPENS | A_CLOSES)))
        return "a loop opens or closes";
    if (o->traits & A_PACKS && (shape->result != RC_SCALAR || o->numbers[1] != 'F'))
        return "what packs makes one word of floats";
    if (o->traits & A_UNPACKS && (o->numbers[0] != 'F' || o->numbers[1] == 'F'))
        return "what unpacks makes floats of a word";
    if (o->traits & A_PAIRS && !strpbrk(o->numbers, "LD"))
        return "a pair is of 64 bits";
    return !o->meaning[0] || !o->spec[0] ? "a meaning and where it is specified" : NULL;
}

static void stated(void **state)
{
    (void)state;
    for (unsigned op = 0; op < OP_COUNT; op++) {
        const char *fault = row_fault(&op_table[op]);
        if (fault)
            fail_msg("%s: asm/isa.def has to state %s", op_table[op].name, fault);
    }
}

/* The check above finds what it is for. */
static void found(void **state)
{
    struct op_info o = op_table[OP_MAD];
    (void)state;
    assert_null(row_fault(&o));
#define WITHOUT(column, value)                     \
    do {                                           \
        struct op_info without = o;                \
        without.column = value;                    \
        assert_non_null(row_fault(&without));      \
    } while (0)
    WITHOUT(numbers, "");
    WITHOUT(kind, 0);
    WITHOUT(kind, K_MOVE | K_LOGIC);
    WITHOUT(traits, 0);
    WITHOUT(traits, A_NONE | A_SUM);
    WITHOUT(data, 0);
    WITHOUT(data, DATA_ANY);
    WITHOUT(gives, 0);
    WITHOUT(gives, GIVES_NOTHING);
    WITHOUT(cost.stated, false);
    WITHOUT(folds, 0);
    WITHOUT(folds, F_OTHERWISE);
    WITHOUT(spec, "");
#undef WITHOUT
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stated),
        cmocka_unit_test(found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
