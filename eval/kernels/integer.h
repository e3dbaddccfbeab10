/* Integers of 32 or 64 bits: what a file says of them first is their type WORD and the signed one, the number of their
 * last bit, how their lanes are gone over, and quotients and remainders by 0. */
#define UNARY(name, expression)                                                                              \
    static inline WORD name(WORD a)                                                                          \
    {                                                                                                        \
        return expression;                                                                                   \
    }                                                                                                        \
    OVER_LANES(1, name)
#define BINARY(name, expression)                                                                             \
    static inline WORD name(WORD a, WORD b)                                                                  \
    {                                                                                                        \
        return expression;                                                                                   \
    }                                                                                                        \
    OVER_LANES(2, name)
#define TERNARY(name, expression)                                                                            \
    static inline WORD name(WORD a, WORD b, WORD c)                                                          \
    {                                                                                                        \
        return expression;                                                                                   \
    }                                                                                                        \
    OVER_LANES(3, name)

UNARY(mov, a)
UNARY(abs_s, (SIGNED)a < 0 ? 0 - a : a)
UNARY(not, ~a)
BINARY(add, a + b)
BINARY(sub, a - b)
BINARY(mul, a * b)
TERNARY(mad, a * b + c)
BINARY(min_s, (SIGNED)a < (SIGNED)b ? a : b)
BINARY(min_u, a < b ? a : b)
BINARY(max_s, (SIGNED)a > (SIGNED)b ? a : b)
BINARY(max_u, a > b ? a : b)
TERNARY(cmp_s, (SIGNED)a < 0 ? b : c)
TERNARY(cmp_u, ((void)a, (void)b, c))
TERNARY(sad_s, ((SIGNED)a < (SIGNED)b ? b - a : a - b) + c)
TERNARY(sad_u, (a < b ? b - a : a - b) + c)
BINARY(and, a & b)
BINARY(or, a | b)
BINARY(xor, a ^ b)
/* Counts wrap. */
BINARY(shl, a << (b & LAST_BIT))
BINARY(shr_u, a >> (b & LAST_BIT))
BINARY(shr_s, (WORD)((SIGNED)a >> (b & LAST_BIT)))

/* Divisors that would trap are replaced, and so is the result. */
BINARY(div_u, b == 0 ? DIV0_U : a / (b == 0 ? 1 : b))
BINARY(mod_u, b == 0 ? MOD0(a) : a % (b == 0 ? 1 : b))

static inline WORD divide_s(WORD a, WORD b)
{
    WORD x = abs_s(a), y = abs_s(b), q = x / (y == 0 ? 1 : y);
    return b == 0 ? DIV0_S(a) : (a ^ b) >> LAST_BIT ? 0 - q : q;
}

/* With the sign of the dividend; the driver takes 32-bit operands as unsigned. */
static inline WORD remainder_s(WORD a, WORD b)
{
    WORD x = abs_s(a), y = abs_s(b), r = x % (y == 0 ? 1 : y);
    return b == 0 ? MOD0(a) : a >> LAST_BIT ? 0 - r : r;
}

BINARY(div_s, divide_s(a, b))
BINARY(mod_s, remainder_s(a, b))

#define ROW_CARRY(op, type, f, c) {OP_##op, DT_##type, SEM_BOTH, 0, 0, {.run = f, .carry = c}}
#define ROW_OPEN(op, type, f, u, reason)                                                                     \
    {OP_##op, DT_##type, SEM_NVIDIA, 0, 0, {.run = f}},                                                      \
    {OP_##op, DT_##type, SEM_SPEC, 0, 0, {.run = f, .undefined = u, .why = reason}}

static const char zero_divisor[] = "division by zero", wide_shift[] = "shift count out of range";
