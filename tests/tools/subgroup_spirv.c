#include "tests/tools/subgroup_spirv.h"

#include <string.h>

enum { CAP_SHADER = 1, CAP_FLOAT16 = 9, CAP_FLOAT64, CAP_INT64, CAP_INT16 = 22, CAP_INT8 = 39, CAP_NON_UNIFORM = 61,
 CAP_VOTE,
       CAP_ARITHMETIC, CAP_BALLOT, CAP_SHUFFLE, CAP_RELATIVE, CAP_CLUSTERED, CAP_QUAD, CAP_BALLOT_KHR = 4423,
       CAP_VOTE_KHR = 4431,
       CAP_PARTITIONED = 5297, CAP_ROTATE = 6026 };
enum { VERSION_1_3 = 0x00010300, VERSION_1_5 = 0x00010500, SCOPE_SUBGROUP = 3 };
enum { REDUCE, INCLUSIVE, EXCLUSIVE, CLUSTERED, PARTITIONED = 6, PARTITIONED_INCLUSIVE, PARTITIONED_EXCLUSIVE,
 NO_GROUP = -1 };
enum { MEMORY_BUFFER = 0x48, MEMORY_SHARED = 0x108, MEMORY_IMAGE = 0x808,
 MEMORY_ALL = MEMORY_BUFFER | MEMORY_SHARED | MEMORY_IMAGE };
enum { LANE_COUNT = 36, BUILTIN_COUNT = 38, BUILTIN_ID = 40, BUILTIN_LANE = 41, WORK_GROUP_ID = 26, LOCAL_ID = 27,
 GLOBAL_ID = 28,
       EQ = 4416, GE, GT, LE, LT };

/* ---- operations -------------------------------------------------------------------------------------------------- */

/* What is not arithmetic: the instruction, its capability (with its extension), the group operation or quad direction
 * that is an operand; of variables the built-in. */
static const struct instruction {
    uint16_t op;                /* of enum gp5_subgroup_op */
    uint16_t code, capability;
    int group, direction;
} instructions[] = {
#define PLAIN(OP, CODE, CAPABILITY) {GP5_SUBGROUP_DO_##OP, CODE, CAPABILITY, NO_GROUP, -1}
    PLAIN(SIZE, LANE_COUNT, CAP_NON_UNIFORM), PLAIN(INVOCATION, BUILTIN_LANE, CAP_NON_UNIFORM),
    PLAIN(ID, BUILTIN_ID, CAP_NON_UNIFORM), PLAIN(COUNT, BUILTIN_COUNT, CAP_NON_UNIFORM),
    PLAIN(EQ_MASK, EQ, CAP_BALLOT), PLAIN(GE_MASK, GE, CAP_BALLOT), PLAIN(GT_MASK, GT, CAP_BALLOT),
    PLAIN(LE_MASK, LE, CAP_BALLOT), PLAIN(LT_MASK, LT, CAP_BALLOT),
    PLAIN(SIZE_ARB, LANE_COUNT, CAP_BALLOT_KHR), PLAIN(INVOCATION_ARB, BUILTIN_LANE, CAP_BALLOT_KHR),
    PLAIN(EQ_MASK_ARB, EQ, CAP_BALLOT_KHR), PLAIN(GE_MASK_ARB, GE, CAP_BALLOT_KHR),
    PLAIN(GT_MASK_ARB, GT, CAP_BALLOT_KHR),
    PLAIN(LE_MASK_ARB, LE, CAP_BALLOT_KHR), PLAIN(LT_MASK_ARB, LT, CAP_BALLOT_KHR),
    PLAIN(ELECT, 333, CAP_NON_UNIFORM), PLAIN(BARRIER, SPV_OP_CONTROL_BARRIER, CAP_NON_UNIFORM),
    PLAIN(MEMORY_BARRIER, SPV_OP_MEMORY_BARRIER, CAP_NON_UNIFORM),
    PLAIN(MEMORY_BARRIER_BUFFER, SPV_OP_MEMORY_BARRIER, CAP_NON_UNIFORM),
    PLAIN(MEMORY_BARRIER_SHARED, SPV_OP_MEMORY_BARRIER, CAP_NON_UNIFORM),
    PLAIN(MEMORY_BARRIER_IMAGE, SPV_OP_MEMORY_BARRIER, CAP_NON_UNIFORM),
    PLAIN(ALL, 334, CAP_VOTE), PLAIN(ANY_TRUE, 335, CAP_VOTE), PLAIN(ALL_EQUAL, 336, CAP_VOTE),
    PLAIN(ALL_ARB, 4428, CAP_VOTE_KHR), PLAIN(ANY_ARB, 4429, CAP_VOTE_KHR), PLAIN(ALL_EQUAL_ARB, 4430, CAP_VOTE_KHR),
    PLAIN(BROADCAST, 337, CAP_BALLOT), PLAIN(BROADCAST_FIRST, 338, CAP_BALLOT),
    PLAIN(READ_INVOCATION_ARB, 4432, CAP_BALLOT_KHR), PLAIN(READ_FIRST_INVOCATION_ARB, 4422, CAP_BALLOT_KHR),
    PLAIN(BALLOT, 339, CAP_BALLOT), PLAIN(BALLOT_ARB, 4421, CAP_BALLOT_KHR), PLAIN(INVERSE_BALLOT, 340, CAP_BALLOT),
    PLAIN(BALLOT_BIT_EXTRACT, 341, CAP_BALLOT), {GP5_SUBGROUP_DO_BALLOT_BIT_COUNT, 342, CAP_BALLOT, REDUCE, -1},
    {GP5_SUBGROUP_DO_BALLOT_INCLUSIVE_BIT_COUNT, 342, CAP_BALLOT, INCLUSIVE, -1},
    {GP5_SUBGROUP_DO_BALLOT_EXCLUSIVE_BIT_COUNT, 342, CAP_BALLOT, EXCLUSIVE, -1},
    PLAIN(BALLOT_FIND_LSB, 343, CAP_BALLOT), PLAIN(BALLOT_FIND_MSB, 344, CAP_BALLOT),
    PLAIN(SHUFFLE, 345, CAP_SHUFFLE), PLAIN(SHUFFLE_XOR, 346, CAP_SHUFFLE), PLAIN(SHUFFLE_UP, 347, CAP_RELATIVE),
    PLAIN(SHUFFLE_DOWN, 348, CAP_RELATIVE), PLAIN(ROTATE, 4431, CAP_ROTATE), PLAIN(CLUSTERED_ROTATE, 4431, CAP_ROTATE),
    PLAIN(QUAD_BROADCAST, 365, CAP_QUAD), {GP5_SUBGROUP_DO_QUAD_SWAP_HORIZONTAL, 366, CAP_QUAD, NO_GROUP, 0},
    {GP5_SUBGROUP_DO_QUAD_SWAP_VERTICAL, 366, CAP_QUAD, NO_GROUP, 1},
    {GP5_SUBGROUP_DO_QUAD_SWAP_DIAGONAL, 366, CAP_QUAD, NO_GROUP, 2},
    PLAIN(PARTITION, 5296, CAP_PARTITIONED),
#undef PLAIN
};

static unsigned arithmetic_code(enum gp5_subgroup_arithmetic a, enum gp5_subgroup_type type)
{
    bool is_float = GP5_SUBGROUP_FLOATS >> type & 1, is_bool = type == GP5_SUBGROUP_BOOL;
    bool is_signed =
        type == GP5_SUBGROUP_I8 || type == GP5_SUBGROUP_I16 || type == GP5_SUBGROUP_I32 || type == GP5_SUBGROUP_I64;
    switch (a) {
    case GP5_SUBGROUP_OP_ADD: return is_float ? 350 : 349;
    case GP5_SUBGROUP_OP_MUL: return is_float ? 352 : 351;
    case GP5_SUBGROUP_OP_MIN: return is_float ? 355 : is_signed ? 353 : 354;
    case GP5_SUBGROUP_OP_MAX: return is_float ? 358 : is_signed ? 356 : 357;
    case GP5_SUBGROUP_OP_AND: return is_bool ? 362 : 359;
    case GP5_SUBGROUP_OP_OR: return is_bool ? 363 : 360;
    default: return is_bool ? 364 : 361;
    }
}

static bool find(const struct subgroup_case *c, struct instruction *found)
{
    static const struct { uint16_t group, capability; } classes[] = {
        [GP5_SUBGROUP_REDUCE] = {REDUCE, CAP_ARITHMETIC}, [GP5_SUBGROUP_INCLUSIVE] = {INCLUSIVE, CAP_ARITHMETIC},
        [GP5_SUBGROUP_EXCLUSIVE] = {EXCLUSIVE, CAP_ARITHMETIC}, [GP5_SUBGROUP_CLUSTERED] = {CLUSTERED, CAP_CLUSTERED},
        [GP5_SUBGROUP_PARTITIONED] = {PARTITIONED, CAP_PARTITIONED},
        [GP5_SUBGROUP_PARTITIONED_INCLUSIVE] = {PARTITIONED_INCLUSIVE, CAP_PARTITIONED},
        [GP5_SUBGROUP_PARTITIONED_EXCLUSIVE] = {PARTITIONED_EXCLUSIVE, CAP_PARTITIONED},
    };
    const struct gp5_subgroup_info *info = gp5_subgroup_info(c->op);
    if (info->arithmetic) {
        *found = (struct instruction){(uint16_t)c->op, (uint16_t)arithmetic_code(info->arithmetic, c->type),
                                      classes[info->group].capability, classes[info->group].group, -1};
        return true;
    }
    for (size_t i = 0; i < sizeof instructions / sizeof *instructions; i++)
        if (instructions[i].op == c->op) {
            *found = instructions[i];
            return true;
        }
    return false;
}

/* ---- the module -------------------------------------------------------------------------------------------------- */

struct shader {
    struct spirv m;
    const struct subgroup_case *c;
    const struct gp5_subgroup_info *info;
    struct instruction is;
    uint32_t version;
    uint32_t word, boolean, void_type;  /* types */
    uint32_t in, out, cells;            /* variables: a[], b[], and what barriers are tried with */
    uint32_t mark, result, trip;        /* of the function */
    uint32_t record, lane, local, base, first;      /* values */
    uint32_t index, control, ballot, value;
    uint32_t builtins[3];               /* size, lane, id */
};

static uint32_t number(struct shader *s, uint32_t n)
{
    return spirv_global(&s->m, SPV_OP_CONSTANT, s->word, &n, 1);
}

static uint32_t pointer(struct shader *s, uint32_t storage, uint32_t type)
{
    return SPIRV_TYPE(&s->m, SPV_OP_TYPE_POINTER, storage, type);
}

static uint32_t words_type(struct shader *s, unsigned n)
{
    return n == 1 ? s->word : SPIRV_TYPE(&s->m, SPV_OP_TYPE_VECTOR, s->word, n);
}

static uint32_t scalar_type(struct shader *s, enum gp5_subgroup_type type)
{
    static const uint8_t capabilities[GP5_SUBGROUP_TYPE_COUNT] = {
        [GP5_SUBGROUP_I8] = CAP_INT8, [GP5_SUBGROUP_U8] = CAP_INT8, [GP5_SUBGROUP_I16] = CAP_INT16,
        [GP5_SUBGROUP_U16] = CAP_INT16,
        [GP5_SUBGROUP_I64] = CAP_INT64, [GP5_SUBGROUP_U64] = CAP_INT64, [GP5_SUBGROUP_F16] = CAP_FLOAT16,
        [GP5_SUBGROUP_F64] = CAP_FLOAT64};
    uint32_t bits = 8 * (uint32_t)gp5_subgroup_type_size(type);
    if (capabilities[type])
        spirv_capability(&s->m, capabilities[type]);
    if (type == GP5_SUBGROUP_BOOL)
        return s->boolean;
    if (GP5_SUBGROUP_FLOATS >> type & 1)
        return SPIRV_TYPE(&s->m, SPV_OP_TYPE_FLOAT, bits);
    return SPIRV_TYPE(&s->m, SPV_OP_TYPE_INT, bits,
                      type == GP5_SUBGROUP_I8 || type == GP5_SUBGROUP_I16 || type == GP5_SUBGROUP_I32 ||
                          type == GP5_SUBGROUP_I64);
}

static uint32_t value_type(struct shader *s, enum gp5_subgroup_type type, unsigned components)
{
    uint32_t scalar = scalar_type(s, type);
    return components == 1 ? scalar : SPIRV_TYPE(&s->m, SPV_OP_TYPE_VECTOR, scalar, components);
}

static uint32_t result_type(struct shader *s)
{
    switch (s->info->answer) {
    case GP5_SUBGROUP_A_BOOL: return s->boolean;
    case GP5_SUBGROUP_A_UINT: return s->word;
    case GP5_SUBGROUP_A_BALLOT:
    case GP5_SUBGROUP_A_UINT64:
        return words_type(s, 4); /* ARB's ballots and masks have four words here as well */
    default: return value_type(s, s->c->type, s->c->components);
    }
}

/* A runtime array of words in a block: storage `binding`. */
static uint32_t storage(struct shader *s, uint32_t binding)
{
    enum { BLOCK = 2, ARRAY_STRIDE = 6, BINDING = 33, DESCRIPTOR_SET = 34, OFFSET = 35 };
    struct spirv *m = &s->m;
    uint32_t array = SPIRV_TYPE(m, SPV_OP_TYPE_RUNTIME_ARRAY, s->word), ids = m->ids;
    uint32_t block = SPIRV_TYPE(m, SPV_OP_TYPE_STRUCT, array), type = pointer(s, SPV_STORAGE_BUFFER, block);
    uint32_t variable = spirv_id(m);
    if (block > ids) {          /* made just now */
        SPIRV_PUT(&m->decorations, SPV_OP_DECORATE, array, ARRAY_STRIDE, 4);
        SPIRV_PUT(&m->decorations, SPV_OP_DECORATE, block, BLOCK);
        SPIRV_PUT(&m->decorations, SPV_OP_MEMBER_DECORATE, block, 0, OFFSET, 0);
    }
    SPIRV_PUT(&m->decorations, SPV_OP_DECORATE, variable, DESCRIPTOR_SET, 0);
    SPIRV_PUT(&m->decorations, SPV_OP_DECORATE, variable, BINDING, binding);
    SPIRV_PUT(&m->globals, SPV_OP_VARIABLE, type, variable, SPV_STORAGE_BUFFER);
    if (s->version >= VERSION_1_5)
        m->interface[m->interfaces++] = variable;
    return variable;
}

static uint32_t load(struct shader *s, uint32_t type, uint32_t from)
{
    return SPIRV_DO(&s->m, SPV_OP_LOAD, type, from);
}

static void store(struct shader *s, uint32_t to, uint32_t value)
{
    SPIRV_PUT(&s->m.body, SPV_OP_STORE, to, value);
}

/* A built-in variable, loaded: a word or a vector of words. */
static uint32_t builtin(struct shader *s, uint32_t which, unsigned components)
{
    enum { BUILTIN = 11 };
    uint32_t type = words_type(s, components), variable, pointer_type = pointer(s, SPV_INPUT, type);
    variable = spirv_id(&s->m);
    SPIRV_PUT(&s->m.decorations, SPV_OP_DECORATE, variable, BUILTIN, which);
    SPIRV_PUT(&s->m.globals, SPV_OP_VARIABLE, pointer_type, variable, SPV_INPUT);
    s->m.interface[s->m.interfaces++] = variable;
    return load(s, type, variable);
}

static uint32_t calculate(struct shader *s, unsigned op, uint32_t a, uint32_t b)
{
    return SPIRV_DO(&s->m, op, s->word, a, b);
}

/* Word `place` (a value) of a storage array. */
static uint32_t cell(struct shader *s, uint32_t array, uint32_t place)
{
    return SPIRV_DO(&s->m, SPV_OP_ACCESS_CHAIN, pointer(s, SPV_STORAGE_BUFFER, s->word), array, number(s, 0), place);
}

static uint32_t input(struct shader *s, uint32_t word)
{
    return load(s, s->word, cell(s, s->in, calculate(s, SPV_OP_IADD, s->record, number(s, word))));
}

static void output(struct shader *s, uint32_t word, uint32_t value)
{
    store(s, cell(s, s->out, calculate(s, SPV_OP_IADD, s->record, number(s, word))), value);
}

/* ---- values from words and back ---------------------------------------------------------------------------------- */

static uint32_t unsigned_of(struct shader *s, unsigned bytes)
{
    return scalar_type(s, bytes == 1 ? GP5_SUBGROUP_U8 : bytes == 2 ? GP5_SUBGROUP_U16 : GP5_SUBGROUP_U32);
}

static uint32_t cast(struct shader *s, uint32_t to, uint32_t from, uint32_t value)
{
    return to == from ? value : SPIRV_DO(&s->m, SPV_OP_BITCAST, to, value);
}

static uint32_t component(struct shader *s, unsigned k)
{
    uint32_t type = scalar_type(s, s->c->type), low = input(s, 2 * k);
    unsigned bytes = (unsigned)gp5_subgroup_type_size(s->c->type);
    if (s->c->type == GP5_SUBGROUP_BOOL)
        return SPIRV_DO(&s->m, SPV_OP_INOT_EQUAL, s->boolean, low, number(s, 0));
    if (bytes == 8) {
        uint32_t pair = words_type(s, 2), high = input(s, 2 * k + 1);
        return cast(s, type, pair, SPIRV_DO(&s->m, SPV_OP_COMPOSITE_CONSTRUCT, pair, low, high));
    }
    if (bytes < 4)
        low = SPIRV_DO(&s->m, SPV_OP_UCONVERT, unsigned_of(s, bytes), low);
    return cast(s, type, unsigned_of(s, bytes), low);
}

static uint32_t vector(struct shader *s)
{
    uint32_t parts[4];
    for (unsigned k = 0; k < s->c->components; k++)
        parts[k] = component(s, k);
    return s->c->components == 1 ? parts[0]
                                 : spirv_do(&s->m, SPV_OP_COMPOSITE_CONSTRUCT,
                                            value_type(s, s->c->type, s->c->components), parts, s->c->components);
}

static void put_component(struct shader *s, enum gp5_subgroup_type type, unsigned k, uint32_t value)
{
    unsigned bytes = (unsigned)gp5_subgroup_type_size(type);
    uint32_t from = scalar_type(s, type), high = number(s, 0);
    if (type == GP5_SUBGROUP_BOOL) {
        value = SPIRV_DO(&s->m, SPV_OP_SELECT, s->word, value, number(s, 1), number(s, 0));
    } else if (bytes == 8) {
        uint32_t pair = cast(s, words_type(s, 2), from, value);
        value = SPIRV_DO(&s->m, SPV_OP_COMPOSITE_EXTRACT, s->word, pair, 0);
        high = SPIRV_DO(&s->m, SPV_OP_COMPOSITE_EXTRACT, s->word, pair, 1);
    } else {
        value = cast(s, unsigned_of(s, bytes), from, value);
        if (bytes < 4)
            value = SPIRV_DO(&s->m, SPV_OP_UCONVERT, s->word, value);
    }
    output(s, 4 + 2 * k, value);
    output(s, 5 + 2 * k, high);
}

static void put_result(struct shader *s)
{
    uint32_t value = load(s, result_type(s), s->result);
    unsigned words = s->info->answer == GP5_SUBGROUP_A_BALLOT ? 4 : s->info->answer == GP5_SUBGROUP_A_UINT64 ? 2 : 0;
    for (unsigned k = 0; k < words; k++)
        output(s, 4 + k, SPIRV_DO(&s->m, SPV_OP_COMPOSITE_EXTRACT, s->word, value, k));
    if (words)
        return;
    if (s->info->answer == GP5_SUBGROUP_A_BOOL) {
        put_component(s, GP5_SUBGROUP_BOOL, 0, value);
    } else if (s->info->answer == GP5_SUBGROUP_A_UINT) {
        put_component(s, GP5_SUBGROUP_U32, 0, value);
    } else {
        for (unsigned k = 0; k < s->c->components; k++)
            put_component(s, s->c->type, k,
                          s->c->components == 1
                              ? value
                              : SPIRV_DO(&s->m, SPV_OP_COMPOSITE_EXTRACT, scalar_type(s, s->c->type), value, k));
    }
}

/* ---- calls and the flow around them ------------------------------------------------------------------------------ */

static uint32_t label(struct shader *s)
{
    return spirv_id(&s->m);
}

static void start(struct shader *s, uint32_t block)
{
    SPIRV_PUT(&s->m.body, SPV_OP_LABEL, block);
}

static void branch(struct shader *s, uint32_t to)
{
    SPIRV_PUT(&s->m.body, SPV_OP_BRANCH, to);
}

/* Ends the block; the one behind `condition` begins. */
static void begin_if(struct shader *s, uint32_t condition, uint32_t otherwise, uint32_t end)
{
    uint32_t then = label(s);
    SPIRV_PUT(&s->m.body, SPV_OP_SELECTION_MERGE, end, 0);
    SPIRV_PUT(&s->m.body, SPV_OP_BRANCH_CONDITIONAL, condition, then, otherwise);
    start(s, then);
}

static void end_if(struct shader *s, uint32_t end)
{
    branch(s, end);
    start(s, end);
}

static void wait(struct shader *s)
{
    SPIRV_PUT(&s->m.body, SPV_OP_CONTROL_BARRIER, number(s, SCOPE_SUBGROUP), number(s, SCOPE_SUBGROUP),
              number(s, MEMORY_ALL));
}

/* Where invocation `local` of the work group leaves its value. */
static uint32_t barrier_cell(struct shader *s, uint32_t local)
{
    if (s->c->op != GP5_SUBGROUP_DO_MEMORY_BARRIER_BUFFER)
        return SPIRV_DO(&s->m, SPV_OP_ACCESS_CHAIN, pointer(s, SPV_WORKGROUP, s->word), s->cells, local);
    local = calculate(s, SPV_OP_IADD, s->first, local);
    return cell(s, s->out, calculate(s, SPV_OP_IADD, calculate(s, SPV_OP_IMUL, local, number(s, 16)), number(s, 15)));
}

static uint32_t barrier_call(struct shader *s)
{
    static const uint32_t orders[] = {MEMORY_ALL, MEMORY_BUFFER, MEMORY_SHARED, MEMORY_IMAGE};
    uint32_t other = calculate(s, SPV_OP_IADD, s->base, s->index), end = label(s), inside;
    store(s, barrier_cell(s, s->local), input(s, 0));
    if (s->c->op != GP5_SUBGROUP_DO_BARRIER)
        SPIRV_PUT(&s->m.body, SPV_OP_MEMORY_BARRIER, number(s, SCOPE_SUBGROUP),
                  number(s, orders[s->c->op - GP5_SUBGROUP_DO_MEMORY_BARRIER]));
    wait(s);
    inside = SPIRV_DO(&s->m, SPV_OP_ULESS_THAN, s->boolean, other, number(s, subgroup_case_local(s->c)));
    begin_if(s, inside, end, end);
    store(s, s->result, load(s, s->word, barrier_cell(s, other)));
    end_if(s, end);
    wait(s);
    return 0;
}

static uint32_t operand_call(struct shader *s)
{
    uint32_t operands[8], n = 0, code = s->is.code;
    bool khr = code >= 4421 && code <= 4432 && s->is.capability != CAP_ROTATE;      /* those have no scope */
    if (!khr && code != 5296)
        operands[n++] = number(s, SCOPE_SUBGROUP);
    if (s->is.group != NO_GROUP)
        operands[n++] = (uint32_t)s->is.group;
    if (s->info->operands & GP5_SUBGROUP_TAKES_VALUE)
        operands[n++] = s->value;
    if (s->info->operands & GP5_SUBGROUP_TAKES_BALLOT)
        operands[n++] = s->ballot;
    if (s->info->operands & GP5_SUBGROUP_TAKES_INDEX)
        operands[n++] = s->c->constant == NO_CONSTANT ? s->index : number(s, (uint32_t)s->c->constant);
    if (s->info->operands & GP5_SUBGROUP_TAKES_CLUSTER)
        operands[n++] = number(s, s->c->cluster);
    if (s->is.direction >= 0)
        operands[n++] = number(s, (uint32_t)s->is.direction);
    return spirv_do(&s->m, code, result_type(s), operands, n);
}

static void call(struct shader *s, uint32_t mark)
{
    uint32_t got = subgroup_case_is_barrier(s->c)            ? barrier_call(s)
                   : s->info->group == GP5_SUBGROUP_VARIABLE ? s->value
                                                             : operand_call(s);
    if (got)
        store(s, s->result, got);
    store(s, s->mark, mark);
}

static uint32_t bit_of_control(struct shader *s, uint32_t bit)
{
    return SPIRV_DO(&s->m, SPV_OP_INOT_EQUAL, s->boolean, calculate(s, SPV_OP_BITWISE_AND, s->control, number(s, bit)),
                    number(s, 0));
}

static void nested_flow(struct shader *s)
{
    uint32_t otherwise = label(s), end = label(s), inner = label(s), inner_else = label(s), last = label(s);
    begin_if(s, bit_of_control(s, 1), otherwise, end);
    begin_if(s, bit_of_control(s, 2), inner_else, inner);
    call(s, number(s, SUBGROUP_MARK));
    branch(s, inner);
    start(s, inner_else);
    call(s, number(s, SUBGROUP_MARK + 1));
    end_if(s, inner);
    branch(s, end);
    start(s, otherwise);
    begin_if(s, bit_of_control(s, 2), last, last);
    call(s, number(s, SUBGROUP_MARK + 2));
    end_if(s, last);
    end_if(s, end);
}

static void loop_flow(struct shader *s)
{
    uint32_t head = label(s), test = label(s), body = label(s), next = label(s), end = label(s), trips, i;
    trips = calculate(s, SPV_OP_BITWISE_AND, calculate(s, SPV_OP_SHIFT_RIGHT, s->control, number(s, 2)), number(s, 3));
    branch(s, head);
    start(s, head);
    SPIRV_PUT(&s->m.body, SPV_OP_LOOP_MERGE, end, next, 0);
    branch(s, test);
    start(s, test);
    i = load(s, s->word, s->trip);
    SPIRV_PUT(&s->m.body, SPV_OP_BRANCH_CONDITIONAL, SPIRV_DO(&s->m, SPV_OP_ULESS_THAN, s->boolean, i, trips), body,
              end);
    start(s, body);
    call(s, calculate(s, SPV_OP_IADD, number(s, SUBGROUP_MARK), i));
    branch(s, next);
    start(s, next);
    store(s, s->trip, calculate(s, SPV_OP_IADD, load(s, s->word, s->trip), number(s, 1)));
    branch(s, head);
    start(s, end);
}

static void flow(struct shader *s)
{
    uint32_t end;
    switch (s->c->form) {
    case FORM_IF:
        end = label(s);
        begin_if(s, bit_of_control(s, 1), end, end);
        call(s, number(s, SUBGROUP_MARK));
        end_if(s, end);
        break;
    case FORM_NESTED: nested_flow(s); break;
    case FORM_LOOP: loop_flow(s); break;
    default: call(s, number(s, SUBGROUP_MARK));
    }
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

static void requirements(struct shader *s)
{
    static const struct { uint16_t capability; const char *extension; } named[] = {
        {CAP_BALLOT_KHR, "SPV_KHR_shader_ballot"}, {CAP_VOTE_KHR, "SPV_KHR_subgroup_vote"},
        {CAP_PARTITIONED, "SPV_NV_shader_subgroup_partitioned"}, {CAP_ROTATE, "SPV_KHR_subgroup_rotate"}};
    spirv_capability(&s->m, CAP_SHADER);
    spirv_capability(&s->m, CAP_NON_UNIFORM);
    spirv_capability(&s->m, s->is.capability);

    for (size_t i = 0; i < sizeof named / sizeof *named; i++)
        if (named[i].capability == s->is.capability)
            spirv_extension(&s->m, named[i].extension);
}

static uint32_t variable(struct shader *s, uint32_t type)
{
    uint32_t zero = spirv_global(&s->m, SPV_OP_CONSTANT_NULL, type, NULL, 0);
    return SPIRV_DO(&s->m, SPV_OP_VARIABLE, pointer(s, SPV_FUNCTION, type), SPV_FUNCTION, zero);
}

static void inputs(struct shader *s)
{
    uint32_t global = SPIRV_DO(&s->m, SPV_OP_COMPOSITE_EXTRACT, s->word, builtin(s, GLOBAL_ID, 3), 0);
    uint32_t group = SPIRV_DO(&s->m, SPV_OP_COMPOSITE_EXTRACT, s->word, builtin(s, WORK_GROUP_ID, 3), 0);
    uint32_t ballot[4];
    s->local = SPIRV_DO(&s->m, SPV_OP_COMPOSITE_EXTRACT, s->word, builtin(s, LOCAL_ID, 3), 0);
    s->builtins[0] = builtin(s, LANE_COUNT, 1);
    s->builtins[1] = builtin(s, BUILTIN_LANE, 1);
    s->builtins[2] = builtin(s, BUILTIN_ID, 1);
    s->record = calculate(s, SPV_OP_IMUL, global, number(s, 16));
    s->first = calculate(s, SPV_OP_IMUL, group, number(s, subgroup_case_local(s->c)));
    s->base = calculate(s, SPV_OP_ISUB, s->local, s->builtins[1]);
    s->index = input(s, 8);
    s->control = input(s, 10);
    for (unsigned i = 0; i < 4; i++)
        ballot[i] = input(s, 12 + i);
    s->ballot = spirv_do(&s->m, SPV_OP_COMPOSITE_CONSTRUCT, words_type(s, 4), ballot, 4);
}

/* The variable that the case is about is read once: there is only one of each. */
static uint32_t variable_value(struct shader *s)
{
    static const uint16_t shared[3] = {LANE_COUNT, BUILTIN_LANE, BUILTIN_ID};
    for (unsigned i = 0; i < 3; i++)
        if (s->is.code == shared[i])
            return s->builtins[i];
    return builtin(s, s->is.code, s->is.code == BUILTIN_COUNT ? 1 : 4);
}

/* How many subgroups there are is a case of its own, which shall not spoil the others where a driver has it wrong. */
static void head_word(struct shader *s)
{
    uint32_t count = (subgroup_case_local(s->c) + s->c->size - 1) / s->c->size;
    uint32_t who = calculate(s, SPV_OP_BITWISE_OR, s->builtins[0], number(s, count << 24));
    for (unsigned i = 1; i < 3; i++)
        who = calculate(s, SPV_OP_BITWISE_OR, who, calculate(s, SPV_OP_SHIFT_LEFT, s->builtins[i], number(s, 8 * i)));
    output(s, 0, load(s, s->word, s->mark));
    output(s, 1, who);
}

static void write_function(struct shader *s, uint32_t function)
{
    struct spirv *m = &s->m;
    uint32_t type = SPIRV_TYPE(m, SPV_OP_TYPE_FUNCTION, s->void_type), end, marked;
    SPIRV_PUT(&m->body, SPV_OP_FUNCTION, s->void_type, function, 0, type);
    start(s, label(s));
    s->mark = variable(s, s->word);
    s->trip = variable(s, s->word);
    s->result = variable(s, result_type(s));
    inputs(s);
    s->value = s->info->group == GP5_SUBGROUP_VARIABLE ? variable_value(s) : vector(s);
    flow(s);
    end = label(s);
    marked = SPIRV_DO(m, SPV_OP_INOT_EQUAL, s->boolean, load(s, s->word, s->mark), number(s, 0));
    begin_if(s, marked, end, end);
    head_word(s);
    put_result(s);
    end_if(s, end);
    SPIRV_PUT(&m->body, SPV_OP_RETURN);
    SPIRV_PUT(&m->body, SPV_OP_FUNCTION_END);
}

size_t subgroup_spirv(const struct subgroup_case *c, uint32_t words[SPIRV_MODULE])
{
    struct shader shader, *s = &shader;
    uint32_t function;
    memset(s, 0, sizeof *s);
    s->c = c;
    s->info = gp5_subgroup_info(c->op);
    if (!find(c, &s->is))
        return 0;
    /* An index that has to be uniform had to be a constant before 1.5. */
    bool later =
        c->constant == NO_CONSTANT && (c->op == GP5_SUBGROUP_DO_BROADCAST || c->op == GP5_SUBGROUP_DO_QUAD_BROADCAST);
    s->version = later ? VERSION_1_5 : VERSION_1_3;
    s->void_type = spirv_global(&s->m, SPV_OP_TYPE_VOID, 0, NULL, 0);
    s->boolean = spirv_global(&s->m, SPV_OP_TYPE_BOOL, 0, NULL, 0);
    s->word = SPIRV_TYPE(&s->m, SPV_OP_TYPE_INT, 32, 0);
    requirements(s);
    function = spirv_id(&s->m);
    s->in = storage(s, 0);
    s->out = storage(s, 1);
    if (subgroup_case_is_barrier(c)) {
        uint32_t array = SPIRV_TYPE(&s->m, SPV_OP_TYPE_ARRAY, s->word, number(s, subgroup_case_local(c)));
        uint32_t type = pointer(s, SPV_WORKGROUP, array);
        s->cells = spirv_id(&s->m);
        SPIRV_PUT(&s->m.globals, SPV_OP_VARIABLE, type, s->cells, SPV_WORKGROUP);
        if (s->version >= VERSION_1_5)
            s->m.interface[s->m.interfaces++] = s->cells;
    }
    write_function(s, function);
    return spirv_finish(&s->m, s->version, function, (const uint32_t[]){subgroup_case_local(c), 1, 1}, words);
}
