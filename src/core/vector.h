/* What the fast search computes with: one 32-bit word for each of the nine values, as a vector.
 *
 *     lane     0 1 2 3   4 5 6 7   8 9 10 11   12 13 14 15
 *     value    1 2 3 -   4 5 6 -   7 8  9  -    -  -  -  -
 *
 * A quarter is four lanes, three of them in use; the fourth quarter exists where native vectors are
 * that long. Lanes not in use are zero in a state, and anything in what is computed across values.
 * The number of native vectors differs by instruction set, the results never do. */
#ifndef SUDOKU_CORE_VECTOR_H
#define SUDOKU_CORE_VECTOR_H

#include <stdbool.h>
#include <stdint.h>

#if defined(__SSE2__)
#include <immintrin.h>
#endif

/* Everything between two guesses is one function, or its vectors would pass through memory. */
#define INLINED static inline __attribute__((always_inline))

/* EACH_PART(code) is the code once for each native vector, with its number as the constant i: loops
 * here keep gcc from holding the parts in registers. */
#define PART(number, ...)                                                                          \
    {                                                                                              \
        enum { i = (number) };                                                                     \
        __VA_ARGS__                                                                                \
    }
#if defined(__AVX512F__)
enum { VECTOR_PARTS = 1, VECTOR_BYTES = 64 };
#define EACH_PART(...) PART(0, __VA_ARGS__)
#elif defined(__AVX2__)
enum { VECTOR_PARTS = 2, VECTOR_BYTES = 32 };
#define EACH_PART(...) PART(0, __VA_ARGS__) PART(1, __VA_ARGS__)
#else
enum { VECTOR_PARTS = 3, VECTOR_BYTES = 16 };
#define EACH_PART(...) PART(0, __VA_ARGS__) PART(1, __VA_ARGS__) PART(2, __VA_ARGS__)
#endif

enum { VECTOR_LANES = VECTOR_PARTS * VECTOR_BYTES / 4 };

typedef uint32_t native __attribute__((vector_size(VECTOR_BYTES), may_alias));

struct vector {
    native part[VECTOR_PARTS];
};

/* The lane of a value, counted from 0. */
INLINED unsigned lane_of(unsigned value)
{
    return value + value / 3;
}

INLINED struct vector splat(uint32_t word)
{
    struct vector ret;

    EACH_PART(ret.part[i] = (native){0} + word;)
    return ret;
}

INLINED struct vector load(const void *words)
{
    struct vector ret;

    EACH_PART(ret.part[i] = ((const native *)words)[i];)
    return ret;
}

INLINED void store(void *words, struct vector x)
{
    EACH_PART(((native *)words)[i] = x.part[i];)
}

INLINED struct vector left(struct vector x, int bits)
{
    EACH_PART(x.part[i] <<= bits;)
    return x;
}

INLINED struct vector right(struct vector x, int bits)
{
    EACH_PART(x.part[i] >>= bits;)
    return x;
}

INLINED struct vector plus(struct vector x, struct vector y)
{
    EACH_PART(x.part[i] += y.part[i];)
    return x;
}

INLINED struct vector minus(struct vector x, struct vector y)
{
    EACH_PART(x.part[i] -= y.part[i];)
    return x;
}

INLINED struct vector both(struct vector x, struct vector y)
{
    EACH_PART(x.part[i] &= y.part[i];)
    return x;
}

INLINED struct vector either(struct vector x, struct vector y)
{
    EACH_PART(x.part[i] |= y.part[i];)
    return x;
}

INLINED struct vector differing(struct vector x, struct vector y)
{
    EACH_PART(x.part[i] ^= y.part[i];)
    return x;
}

INLINED struct vector without(struct vector x, struct vector y)
{
    EACH_PART(x.part[i] &= ~y.part[i];)
    return x;
}

/* All ones in lanes where the words are the same. */
INLINED struct vector equal(struct vector x, struct vector y)
{
    EACH_PART(x.part[i] = (native)(x.part[i] == y.part[i]);)
    return x;
}

/* Bitwise functions of three vectors: one instruction with AVX-512, whose operand is the function's
 * truth table. The compilers don't find all of them. */
#if defined(__AVX512F__)
#define BITWISE(table, otherwise)                                                                  \
    ret.part[i] = (native)_mm512_ternarylogic_epi32((__m512i)x.part[i], (__m512i)y.part[i],        \
                                                    (__m512i)z.part[i], table)
#else
#define BITWISE(table, otherwise) ret.part[i] = (otherwise)
#endif

#define DEFINE_BITWISE(name, table, otherwise)                                                     \
    INLINED struct vector name(struct vector x, struct vector y, struct vector z)                  \
    {                                                                                              \
        struct vector ret;                                                                         \
        EACH_PART(BITWISE(table, otherwise);)                                                      \
        return ret;                                                                                \
    }

#define X x.part[i]
#define Y y.part[i]
#define Z z.part[i]
DEFINE_BITWISE(any_of_3, 0xfe, X | Y | Z)
DEFINE_BITWISE(all_of_3, 0x80, (X & Y) & Z)
DEFINE_BITWISE(two_of_3, 0xe8, (X & Y) | ((X | Y) & Z))
DEFINE_BITWISE(odd_of_3, 0x96, X ^ Y ^ Z)
DEFINE_BITWISE(choose, 0xca, (Y & X) | (Z & ~X))  /* y where x, else z */
DEFINE_BITWISE(both_or, 0xea, (X & Y) | Z)        /* x and y, or z */
DEFINE_BITWISE(without_or, 0xba, (X & ~Y) | Z)    /* x without y, or z */
DEFINE_BITWISE(without_both, 0x10, X & ~(Y | Z))  /* x without y and without z */
DEFINE_BITWISE(without_unless, 0xb0, X &(~Y | Z)) /* x without y, unless z */
DEFINE_BITWISE(differing_or, 0xbe, (X ^ Y) | Z)   /* x different from y, or z */
#undef X
#undef Y
#undef Z

/* Every quarter turned by one lane, and by two. */
#if defined(__AVX512F__)
#define QUARTERS(x, a, b, c)                                                                       \
    __builtin_shufflevector(x, x, a, b, c, 3, 4 + (a), 4 + (b), 4 + (c), 7, 8 + (a), 8 + (b),      \
                            8 + (c), 11, 12 + (a), 12 + (b), 12 + (c), 15)
#elif defined(__AVX2__)
#define QUARTERS(x, a, b, c) __builtin_shufflevector(x, x, a, b, c, 3, 4 + (a), 4 + (b), 4 + (c), 7)
#else
#define QUARTERS(x, a, b, c) __builtin_shufflevector(x, x, a, b, c, 3)
#endif

INLINED struct vector turn(struct vector x)
{
    EACH_PART(x.part[i] = QUARTERS(x.part[i], 1, 2, 0);)
    return x;
}

INLINED struct vector turn_twice(struct vector x)
{
    EACH_PART(x.part[i] = QUARTERS(x.part[i], 2, 0, 1);)
    return x;
}

/* Regroups three vectors x so that quarter k of the results holds quarters of x[k], each one once:
 * what is then combined from the three results is combined over the quarters of x[k]. */
INLINED void regroup(const struct vector x[3], struct vector ret[3])
{
#if defined(__AVX512F__)
    const __m512i a = (__m512i)x[0].part[0];
    const __m512i b = (__m512i)x[1].part[0];
    const __m512i c = (__m512i)x[2].part[0];
    const __mmask16 second = 0x00f0;
    const __mmask16 third = 0x0f00;
    const __m512i abc = _mm512_mask_mov_epi32(_mm512_mask_mov_epi32(a, second, b), third, c);
    const __m512i cab = _mm512_mask_mov_epi32(_mm512_mask_mov_epi32(c, second, a), third, b);
    const __m512i bca = _mm512_mask_mov_epi32(_mm512_mask_mov_epi32(b, second, c), third, a);
    ret[0].part[0] = (native)abc;
    ret[1].part[0] = (native)_mm512_shuffle_i32x4(cab, cab, _MM_SHUFFLE(3, 0, 2, 1));
    ret[2].part[0] = (native)_mm512_shuffle_i32x4(bca, bca, _MM_SHUFFLE(3, 1, 0, 2));
#elif defined(__AVX2__)
    const native a01 = x[0].part[0], a2 = x[0].part[1];
    const native b01 = x[1].part[0], b2 = x[1].part[1];
    const native c01 = x[2].part[0], c2 = x[2].part[1];
    ret[0].part[0] = __builtin_shufflevector(a01, b01, 0, 1, 2, 3, 12, 13, 14, 15);
    ret[0].part[1] = c2;
    ret[1].part[0] = __builtin_shufflevector(a01, b2, 4, 5, 6, 7, 8, 9, 10, 11);
    ret[1].part[1] = c01;
    ret[2].part[0] = __builtin_shufflevector(a2, b01, 0, 1, 2, 3, 8, 9, 10, 11);
    ret[2].part[1] = __builtin_shufflevector(c01, c01, 4, 5, 6, 7, 0, 1, 2, 3);
#else
    EACH_PART(ret[i].part[0] = x[0].part[i]; ret[i].part[1] = x[1].part[(i + 1) % 3];
              ret[i].part[2] = x[2].part[(i + 2) % 3];)
#endif
}

/* Quarter k in every quarter. */
INLINED struct vector spread(struct vector x, int k)
{
    struct vector ret;
#if defined(__AVX512F__)
    const __m512i all = (__m512i)x.part[0];
    ret.part[0] = (native)(k == 0   ? _mm512_shuffle_i32x4(all, all, 0x00)
                           : k == 1 ? _mm512_shuffle_i32x4(all, all, 0x55)
                                    : _mm512_shuffle_i32x4(all, all, 0xaa));
#elif defined(__AVX2__)
    const native half = x.part[k / 2];
    ret.part[0] = k % 2 == 0 ? __builtin_shufflevector(half, half, 0, 1, 2, 3, 0, 1, 2, 3)
                             : __builtin_shufflevector(half, half, 4, 5, 6, 7, 4, 5, 6, 7);
    ret.part[1] = ret.part[0];
#else
    EACH_PART(ret.part[i] = x.part[k];)
#endif
    return ret;
}

INLINED native part_bits_set(native x)
{
#if defined(__AVX512VPOPCNTDQ__)
    return (native)_mm512_popcnt_epi32((__m512i)x);
#elif defined(__AVX2__)
    const __m256i of_nibble = _mm256_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 0, 1,
                                               1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4);
    const __m256i low = _mm256_shuffle_epi8(of_nibble, (__m256i)(x & 0x0f0f0f0f));
    const __m256i high = _mm256_shuffle_epi8(of_nibble, (__m256i)(x >> 4 & 0x0f0f0f0f));
    const __m256i of_byte = _mm256_add_epi8(low, high);
    const __m256i of_half = _mm256_maddubs_epi16(of_byte, _mm256_set1_epi8(1));
    return (native)_mm256_madd_epi16(of_half, _mm256_set1_epi16(1));
#else
    x -= x >> 1 & 0x55555555;
    x = (x & 0x33333333) + (x >> 2 & 0x33333333);
    x = (x + (x >> 4)) & 0x0f0f0f0f;
    x += x >> 8;
    return (x + (x >> 16)) & 0x3f;
#endif
}

/* How many bits are set in each word. */
INLINED struct vector bits_set(struct vector x)
{
    EACH_PART(x.part[i] = part_bits_set(x.part[i]);)
    return x;
}

/* The sums of x and of y over all values. */
INLINED void sum(struct vector x, struct vector y, uint32_t ret[2])
{
    const struct vector apart[3] = {x, y, splat(0)};
    struct vector z[3];

    regroup(apart, z);
    const struct vector quarter = plus(plus(z[0], z[1]), z[2]);
    const struct vector all = plus(plus(quarter, turn(quarter)), turn_twice(quarter));
    ret[0] = all.part[0][0];
    ret[1] =
        VECTOR_BYTES == 16 ? all.part[1 % VECTOR_PARTS][0] : all.part[0][4 % (VECTOR_BYTES / 4)];
}

INLINED uint32_t part_lanes_equal(native x, uint32_t word)
{
#if defined(__AVX512F__)
    return _mm512_cmpeq_epi32_mask((__m512i)x, _mm512_set1_epi32((int)word));
#elif defined(__AVX2__)
    return (uint32_t)_mm256_movemask_ps((__m256)(x == word));
#elif defined(__SSE2__)
    return (uint32_t)_mm_movemask_ps((__m128)(x == word));
#else
    const native lanes = (native)(x == word) & (native){1, 2, 4, 8};
    return lanes[0] | lanes[1] | lanes[2] | lanes[3];
#endif
}

/* A bit for each lane whose word is this one. */
INLINED uint64_t lanes_equal(struct vector x, uint32_t word)
{
    uint64_t lanes = 0;

    EACH_PART(lanes |= (uint64_t)part_lanes_equal(x.part[i], word) << (VECTOR_BYTES / 4 * i);)
    return lanes;
}

INLINED bool is_zero(struct vector x)
{
#if defined(__AVX512F__)
    return _mm512_test_epi32_mask((__m512i)x.part[0], (__m512i)x.part[0]) == 0;
#elif defined(__AVX2__)
    const __m256i all = (__m256i)(x.part[0] | x.part[1]);
    return _mm256_testz_si256(all, all) != 0;
#elif defined(__SSE4_1__)
    const __m128i all = (__m128i)(x.part[0] | x.part[1] | x.part[2]);
    return _mm_testz_si128(all, all) != 0;
#else
    typedef uint64_t halves __attribute__((vector_size(VECTOR_BYTES)));
    const halves all = (halves)(x.part[0] | x.part[1] | x.part[2]);
    return (all[0] | all[1]) == 0;
#endif
}

#endif
