/* Binary floating point in integers, for the scalar model: exact values, rounded when they are packed.
 * Slow and plain; it has nothing in common with what it checks. */
#ifndef GP5_TESTS_SCALAR_SOFT_H
#define GP5_TESTS_SCALAR_SOFT_H

#include <stdbool.h>
#include <stdint.h>

enum soft_kind { SOFT_NUMBER, SOFT_INFINITY, SOFT_NAN };
enum soft_mode { SOFT_NEAREST, SOFT_UP, SOFT_DOWN, SOFT_ZERO };
enum soft_order { SOFT_LESS = -1, SOFT_EQUAL, SOFT_GREATER, SOFT_UNORDERED };

/* sig * 2^exp; the last bit of sig also stands for whatever was lost below it. */
struct soft {
    enum soft_kind kind;
    bool negative;
    int exp;
    unsigned __int128 sig;
};

/* bits: 16, 32 or 64. `flush` takes denormals for zero, going in and coming out. */
struct soft soft_unpack(uint64_t word, int bits, bool flush);
uint64_t soft_pack(struct soft x, int bits, enum soft_mode mode, bool flush, uint64_t nan);

/* The half nearest to a single, and a half as a single, denormals among them; every NaN is the same one. */
uint32_t soft_narrowed(uint64_t single);
uint32_t soft_widened(uint64_t half);

struct soft soft_add(struct soft x, struct soft y);
struct soft soft_sub(struct soft x, struct soft y);
struct soft soft_mul(struct soft x, struct soft y);
struct soft soft_div(struct soft x, struct soft y);
struct soft soft_negate(struct soft x);
enum soft_order soft_compare(struct soft x, struct soft y);

struct soft soft_from_int(__int128 value);
struct soft soft_integral(struct soft x, enum soft_mode mode);
/* The integer that x is (it must be integral), within [least, most]; NaN gives `nan`. */
__int128 soft_to_int(struct soft x, __int128 least, __int128 most, __int128 nan);

#endif
