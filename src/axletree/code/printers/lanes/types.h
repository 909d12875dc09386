/* A number is one number of each of several vehicles, side by side in the registers of the machine;
   a mask has all bits of a lane, or none. */
#include <math.h>
#include <stdint.h>
#include <string.h>
#define AXL_INLINE static inline __attribute__((always_inline))
#ifndef AXL_LANE_BYTES
#if defined(__AVX512F__) && defined(__AVX512DQ__)
#define AXL_LANE_BYTES 64
#elif defined(__AVX2__)
#define AXL_LANE_BYTES 32
#else
#define AXL_LANE_BYTES 16
#endif
#endif
typedef axl_number axl_real __attribute__((vector_size(AXL_LANE_BYTES)));
typedef axl_integer axl_bits __attribute__((vector_size(AXL_LANE_BYTES)));
typedef axl_bits axl_truth;
enum { LANES = AXL_LANE_BYTES / sizeof(axl_number) };

AXL_INLINE axl_real axl_all(axl_number v)
{
    return v - (axl_real){0};
}

#define AXL_N(x) axl_all(AXL_NUMBER(x))
#define AXL_C(c, k) (c)[k]
#define AXL_BLOCK(c, k) ((c) + (k))
#define AXL_IN_TURN

AXL_INLINE axl_bits axl_bits_of(axl_real v)
{
    return (axl_bits)v;
}

AXL_INLINE axl_real axl_of_bits(axl_bits bits)
{
    return (axl_real)bits;
}

AXL_INLINE axl_truth axl_lt(axl_real a, axl_real b)
{
    return (axl_truth)(a < b);
}

AXL_INLINE axl_truth axl_le(axl_real a, axl_real b)
{
    return (axl_truth)(a <= b);
}

AXL_INLINE axl_truth axl_ne(axl_real a, axl_real b)
{
    return (axl_truth)(a != b);
}

AXL_INLINE axl_truth axl_is_negative(axl_real v)
{
    return (axl_truth)v >> AXL_SIGN_BIT;
}

/* Compilers make one instruction of this where the machine has one. */
AXL_INLINE axl_real axl_pick(axl_truth first, axl_real a, axl_real b)
{
    return (axl_real)((first & (axl_bits)a) | (~first & (axl_bits)b));
}

AXL_INLINE axl_real axl_quotient(axl_real a, axl_real b)
{
    return a / b;
}

AXL_INLINE axl_real axl_v_sqrt(axl_real v)
{
    axl_real root;
    int k;
    for (k = 0; k < LANES; ++k) {
        root[k] = AXL_LIBRARY(sqrt)(v[k]);
    }
    return root;
}

/* Seldom in models of vehicles, and long: the library's, lane by lane. */
static __attribute__((noinline)) axl_real axl_v_pow(axl_real x, axl_real y)
{
    axl_real power;
    int k;
    for (k = 0; k < LANES; ++k) {
        power[k] = AXL_LIBRARY(pow)(x[k], y[k]);
    }
    return power;
}

/* The polynomial of the row whose breakpoints v lies between, lane by lane. */
static __attribute__((noinline)) axl_real axl_lookup(
    axl_real v, int n, int width, const axl_number *breaks, const axl_number *rows)
{
    axl_real found;
    int lane, k;
    for (lane = 0; lane < LANES; ++lane) {
        const axl_number at = v[lane];
        const axl_number *row_of;
        axl_number value;
        int row = 0, half = 1;
        while (2 * half <= n) {
            half *= 2;
        }
        for (; half > 0; half /= 2) {
            row += (row + half <= n && at >= breaks[row + half - 1]) ? half : 0;
        }
        row_of = rows + row * width;
        value = row_of[width - 1];
        for (k = width - 2; k >= 0; --k) {
            value = value * (at - breaks[row > 0 ? row - 1 : 0]) + row_of[k];
        }
        found[lane] = at == at ? value : at;
    }
    return found;
}
