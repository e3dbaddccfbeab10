/* Four texels a lane of a plane of a level, or of two, and what a filter makes of them: as
 * eval/texture/{wrap,footprint,filter}.c do it, for what struct texel_plane can say. Every lane has some result,
 * whatever its coordinates are. */
#include "eval/kernels/rows.h"
#include "eval/numeric/lod.h"
#include "eval/numeric/words.h"

#include <string.h>

#if defined(__SSE2__)
#include <immintrin.h>
#endif

#define ONE 0x3f800000u
#define EACH_LANE INDEPENDENT_LANES for (unsigned l = 0; l < WARP_LANES; l++)

enum { FAR = 256, BITS = 21 };      /* sizes; of a coordinate's fraction */

/* Numbers of 32 and of 16 bits in a register of the machine. */
#if defined(__AVX512BW__)
#define REGISTER 64
#elif defined(__AVX2__)
#define REGISTER 32
#else
#define REGISTER 16
#endif
typedef uint32_t words __attribute__((vector_size(REGISTER), may_alias));
typedef uint16_t halves __attribute__((vector_size(REGISTER), may_alias));
enum { LANES = REGISTER / 4 };
#if defined(__SSE2__)
#define TOGETHER 1
#else
#define TOGETHER 0
#endif

/* In one direction: the first of two texels, and of 256 the weight of the one behind it. */
struct along { _Alignas(64) uint32_t first[WARP_LANES], part[WARP_LANES]; };

static inline int32_t floor_of(float x)
{
#if defined(__SSE4_1__)
    return (int32_t)__builtin_floorf(x);
#else
    int32_t n = (int32_t)x;

    return (float)n > x ? n - 1 : n;
#endif
}

/* Coordinates in units of 2^-21: within one repetition, or so far outside that only the edge counts. NaN is 0. */
static void find_fractions(bool repeat, const uint32_t *plane, int32_t *n)
{
    if (repeat)
        EACH_LANE {
            float x = num_float(plane[l] & ((plane[l] & 0x7fffffff) < 0x4b800000 ? ALL_LANES : 0));  /* 2^24: even */
            x -= (float)(int32_t)(x * 0.5f) * 2;
            n[l] = floor_of(x * (1 << BITS)) & ((1 << BITS) - 1);
        }
    else
        EACH_LANE {
            float x = num_float(plane[l] & ((plane[l] & 0x7fffffff) <= 0x7f800000 ? ALL_LANES : 0));
            x = x > FAR ? FAR : x;
            x = x < -FAR ? -FAR : x;
            n[l] = floor_of(x * (1 << BITS));
        }
}

static inline uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* Times the size, of which 2^-9 texels remain. `power`: the size is a power of two, 4096 at most; else numbers are
 * split for the product. */
static inline __attribute__((always_inline)) void place(const struct texel_plane *p, unsigned k, const int32_t *n,
                                                        struct along *o, bool repeat, bool power)
{
    int32_t size = (int32_t)p->size[k], last = size - 1, shift = power ? 12 - __builtin_ctz((unsigned)size) : 0;
    int32_t offset = (repeat ? (p->offset[k] % size + size) % size : p->offset[k]) * 512;
    int32_t round = p->linear, half = p->linear ? 128 : 0, parts = p->linear ? 255 : 0;

    EACH_LANE {
        int32_t u = power ? n[l] >> shift : (n[l] >> 12) * size + ((n[l] & 4095) * size >> 12);
        int32_t fine = ((u + offset + round) >> 1) - half, i = fine >> 8;       /* repeated: from -1 to 2 * size - 1 */
        uint32_t up = least((uint32_t)i, (uint32_t)(i + size));
        bool between = (uint32_t)i < (uint32_t)last;
        o->part[l] = repeat || between ? (uint32_t)(fine & parts) : 0;
        o->first[l] = repeat ? power ? (uint32_t)(i & last) : least(up, up - (uint32_t)size)
                             : (uint32_t)(i < 0 ? 0 : i > last ? last : i);
    }
}

static void find_place(const struct texel_plane *p, unsigned k, const int32_t *n, struct along *o)
{
    bool power = p->size[k] <= 4096 && !(p->size[k] & (p->size[k] - 1));

    if (p->repeat[k] && power)
        place(p, k, n, o, true, true);
    else if (p->repeat[k])
        place(p, k, n, o, true, false);
    else if (power)
        place(p, k, n, o, false, true);
    else
        place(p, k, n, o, false, false);
}

static inline uint32_t load(const uint8_t *p, unsigned bytes)
{
    uint32_t word = p[0];

    if (bytes > 1)
        word |= (uint32_t)p[1] << 8;
    return bytes > 2 ? word | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24 : word;
}

/* The texel behind one; `end` is that of the last one. */
static inline uint32_t next(uint32_t i, uint32_t last, uint32_t end)
{
    return i == last ? end : i + 1;
}

static inline uint32_t end_of(const struct texel_plane *p, unsigned k)
{
    return p->repeat[k] ? 0 : p->size[k] - 1;
}

/* Two texels of each lane's row, one by one. */
static void load_apart(const struct texel_plane *p, const struct along *x, const uint32_t *row, uint32_t *left,
                       uint32_t *right)
{
    uint32_t last = p->size[0] - 1, end = end_of(p, 0);

    for (unsigned l = 0; l < WARP_LANES; l++) {
        left[l] = load(p->data + p->bytes * ((size_t)row[l] + x->first[l]), p->bytes);
        right[l] = load(p->data + p->bytes * ((size_t)row[l] + next(x->first[l], last, end)), p->bytes);
    }
}

/* Pairs of texels that stand side by side, for the lanes of a register: the left and the right ones. */
#if TOGETHER
static inline __m128 two(const uint8_t *data, const uint32_t *at)
{
    __m128i low = _mm_loadl_epi64((const __m128i *)(data + 4 * (size_t)at[0]));

    return _mm_loadh_pi(_mm_castsi128_ps(low), (const __m64 *)(const void *)(data + 4 * (size_t)at[1]));
}

static inline void load_pairs(const uint8_t *data, const uint32_t *at, words *left, words *right)
{
    __m128 a = two(data, at), b = two(data, at + 2);
#if REGISTER == 16
    *left = (words)_mm_shuffle_ps(a, b, 0x88);
    *right = (words)_mm_shuffle_ps(a, b, 0xdd);
#else
    __m256 c = _mm256_insertf128_ps(_mm256_castps128_ps256(a), two(data, at + 4), 1),
           d = _mm256_insertf128_ps(_mm256_castps128_ps256(b), two(data, at + 6), 1);
#if REGISTER == 32
    *left = (words)_mm256_shuffle_ps(c, d, 0x88);
    *right = (words)_mm256_shuffle_ps(c, d, 0xdd);
#else
    __m256 g = _mm256_insertf128_ps(_mm256_castps128_ps256(two(data, at + 8)), two(data, at + 12), 1),
           h = _mm256_insertf128_ps(_mm256_castps128_ps256(two(data, at + 10)), two(data, at + 14), 1);
    __m512 e = _mm512_insertf32x8(_mm512_castps256_ps512(c), g, 1),
           f = _mm512_insertf32x8(_mm512_castps256_ps512(d), h, 1);
    *left = (words)_mm512_shuffle_ps(e, f, 0x88);
    *right = (words)_mm512_shuffle_ps(e, f, 0xdd);
#endif
#endif
}
#endif

/* What the texels of two rows weigh in a register of lanes, of which the shares are `whole` of 256 (NULL: all). */
static inline void find_weights(const words *whole, words part, words up, halves weight[4])
{
    const words none = {0};
    words all = none + 256, right = part, both, high, low;

    if (whole) {
        all = *whole;
        right = (words)(((halves)all * (halves)part + 128) >> 8);
    }
    both = (all - right) | right << 16;
    /* (256 - up) * left + 128 without what its last 8 bits say is left - (up * left + 127) / 256 */
    high = (words)(((halves)both * (halves)(up | up << 16) + (halves)(none + 0x80007f)) >> 8);
    low = both - high;
    weight[0] = (halves)((low & 0xffff) | low << 16);
    weight[1] = (halves)(low >> 16 | (low & 0xffff0000));
    weight[2] = (halves)((high & 0xffff) | high << 16);
    weight[3] = (halves)(high >> 16 | (high & 0xffff0000));
}

/* Where the four texels of lanes are. `row`: so many texels stand before each of the two. `far`: in lanes that reach
 * from the last texel of a row to the one that follows it, which is no neighbour; `at` is the pair before, and what
 * follows is in `first`. `apart`: nothing stands side by side, and all is in `word`. */
struct texels {
    _Alignas(64) uint32_t row[2][WARP_LANES], at[2][WARP_LANES], far[WARP_LANES], first[2][WARP_LANES];
    uint32_t edges;
    bool apart;
    words word[4][WARP_LANES / LANES];
};

static void find_texels(const struct texel_plane *p, const struct along *x, const struct along *y, struct texels *o)
{
    uint32_t last = p->size[1] - 1, end = end_of(p, 1), width = p->size[0], most = width - 2, edges = 0;

    EACH_LANE {
        uint32_t low = y->first[l] * width, high = next(y->first[l], last, end) * width, i = x->first[l];
        uint32_t far = i > most ? ALL_LANES : 0;
        o->row[0][l] = low;
        o->row[1][l] = high;
        o->at[0][l] = low + least(i, most);
        o->at[1][l] = high + least(i, most);
        o->far[l] = far;
        edges |= far;
    }
    o->apart = !TOGETHER || p->bytes != 4 || p->size[0] < 2;
    for (unsigned k = 0; k < 2 && o->apart; k++)
        load_apart(p, x, o->row[k], (uint32_t *)o->word[2 * k], (uint32_t *)o->word[2 * k + 1]);
    for (unsigned l = 0; l < WARP_LANES && edges && !o->apart; l++)
        for (unsigned k = 0; k < 2 && o->far[l]; k++)
            o->first[k][l] = load(p->data + 4 * (size_t)o->row[k][l], 4);
    o->edges = edges;
}

/* Those of a register of lanes. */
static inline void load_texels(const struct texel_plane *p, const struct texels *t, unsigned v, words four[4])
{
#if TOGETHER
    words edge = ((const words *)t->far)[v];

    load_pairs(p->data, &t->at[0][v * LANES], &four[0], &four[1]);
    load_pairs(p->data, &t->at[1][v * LANES], &four[2], &four[3]);
    for (unsigned k = 0; k < 4 && t->edges; k += 2) {
        four[k] = (four[k] & ~edge) | (four[k + 1] & edge);
        four[k + 1] = (four[k + 1] & ~edge) | (((const words *)t->first[k / 2])[v] & edge);
    }
#else
    (void)p, (void)t, (void)v, (void)four;
#endif
}

/* The sums of texels times weights, which are `share` of 256 together, as halves: components 0 and 2 of a lane, 1 and
 * 3. They are 255 * 256 at most. */
static void add_level(const struct texel_plane *p, int32_t (*n)[WARP_LANES], const uint32_t *share,
                      words (*sum)[WARP_LANES / LANES])
{
    struct along x, y;
    struct texels t;

    find_place(p, 0, n[0], &x);
    find_place(p, 1, n[1], &y);
    find_texels(p, &x, &y, &t);
    __asm__("" : "+m"(t.at));   /* each comes from memory, which takes less than out of a register */
    for (unsigned v = 0; v < WARP_LANES / LANES; v++) {
        halves even = (halves)sum[0][v], odd = (halves)sum[1][v], weight[4];
        words four[4] = {t.word[0][v], t.word[1][v], t.word[2][v], t.word[3][v]};
        if (!t.apart)
            load_texels(p, &t, v, four);
        find_weights(share ? (const words *)share + v : NULL, ((const words *)x.part)[v], ((const words *)y.part)[v],
                     weight);
        for (unsigned k = 0; k < 4; k++) {
            even += ((halves)four[k] & 255) * weight[k];
            odd += ((halves)four[k] >> 8) * weight[k];
        }
        sum[0][v] = (words)even;
        sum[1][v] = (words)odd;
    }
}

/* Words of 32 bits, which nobody filters. */
static void copy_words(const struct texel_plane *p, int32_t (*n)[WARP_LANES], uint32_t *const to[4])
{
    struct along x, y;

    find_place(p, 0, n[0], &x);
    find_place(p, 1, n[1], &y);
    for (unsigned l = 0; l < WARP_LANES; l++)
        for (unsigned c = 0; c < p->components; c++)
            if (to[c])
                to[c][l] = load(p->data + ((size_t)y.first[l] * p->size[0] + x.first[l]) * p->bytes + 4 * c, 4);
}

/* n / 65535, rounded once: by 2^-16 + 2^-32 + 2^-48, which is as good for each of them. */
static inline float of_65535(uint32_t n)
{
    float x = (float)(int32_t)n * 0x1p-16f;

    return x + x * (0x1p-16f + 0x1p-32f);
}

void LEVEL_NAME(eval_texels)(uint32_t *const to[4], const struct texel_plane p[2], const uint32_t *share,
                             const uint32_t *s, const uint32_t *t)
{
    _Alignas(64) int32_t n[2][WARP_LANES];
    _Alignas(64) uint32_t rest[WARP_LANES];
    words sum[2][WARP_LANES / LANES] = {0};
    uint32_t scaled[2][WARP_LANES];

    find_fractions(p->repeat[0], s, n[0]);
    find_fractions(p->repeat[1], t, n[1]);
    if (p->words) {
        copy_words(p, n, to);
    } else {
        EACH_LANE rest[l] = share ? 256 - share[l] : 256;
        add_level(p, n, share ? rest : NULL, sum);
        if (share)
            add_level(p + 1, n, share, sum);
        for (unsigned i = 0; i < 2; i++)
            for (unsigned v = 0; v < WARP_LANES / LANES; v++) {        /* (257 * sum + 128) / 256 */
                halves of_65280 = (halves)sum[i][v];
                sum[i][v] = (words)(of_65280 + ((of_65280 + 128) >> 8));
            }
        memcpy(scaled, sum, sizeof scaled);
    }
    for (unsigned c = 0; c < 4; c++)
        if (to[c] && c >= p->components)
            EACH_LANE to[c][l] = c < 3 ? 0 : ONE;
        else if (to[c] && !p->words)
            EACH_LANE to[c][l] = num_word(of_65535(scaled[c & 1][l] >> 8 * (c & 2) & 0xffff));
}

void LEVEL_NAME(eval_rho)(double rho[WARP_LANES / 4], const uint32_t *s, const uint32_t *t, const uint32_t size[2])
{
    enum { QUADS = WARP_LANES / 4 };
    const uint32_t *const plane[2] = {s, t};
    double width = size[0], height = size[1], power[2] = {lod_power(size[0]), lod_power(size[1])};
    double right[2][QUADS], down[2][QUADS];

    for (unsigned k = 0; k < 2; k++)
        for (unsigned q = 0; q < QUADS; q++) {
            float at = num_float(plane[k][4 * q]);
            float beside = num_float(plane[k][4 * q + 1]) - at, below = num_float(plane[k][4 * q + 2]) - at;
            right[k][q] = beside;
            down[k][q] = below;
        }
    INDEPENDENT_LANES
    for (unsigned q = 0; q < QUADS; q++) {
        double dx[3] = {lod_in_texels(right[0][q], width, power[0]), lod_in_texels(right[1][q], height, power[1])},
               dy[3] = {lod_in_texels(down[0][q], width, power[0]), lod_in_texels(down[1][q], height, power[1])};
        rho[q] = lod_rho(dx, dy, 2, true);
    }
}
