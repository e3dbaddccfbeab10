/* The initializer of a struct sfu_table from the rows of SFU_ROWS, a file's name; SFU_TIMES is what the square is
 * multiplied by. Included once a table. */
#define SFU_MAGNITUDE(c) ((c) < 0 ? -(c) : (c))
#ifdef SFU_PERMUTES
{
    {
#define ROW(c0, c1, c2) (c0) & 0xffff,
#include SFU_ROWS
#undef ROW
    },
    {
#define ROW(c0, c1, c2) (c0) >> 16,
#include SFU_ROWS
#undef ROW
    },
    {
#define ROW(c0, c1, c2) (uint16_t)(SFU_MAGNITUDE(c1)),
#include SFU_ROWS
#undef ROW
    },
    {
#define ROW(c0, c1, c2) (c2) * SFU_TIMES,
#include SFU_ROWS
#undef ROW
    },
}
#else
{
    {
#define ROW(c0, c1, c2) {c0, (uint32_t)((c2) * SFU_TIMES) << 16 | (uint32_t)(SFU_MAGNITUDE(c1))},
#include SFU_ROWS
#undef ROW
    },
}
#endif
#undef SFU_MAGNITUDE
#undef SFU_ROWS
#undef SFU_TIMES
