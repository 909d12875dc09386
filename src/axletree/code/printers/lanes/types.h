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
typedef axl_integer axl_mask __attribute__((vector_size(AXL_LANE_BYTES)));
enum { LANES = AXL_LANE_BYTES / sizeof(axl_number) };

AXL_INLINE axl_real axl_all(axl_number v)
{
    return v - (axl_real){0};
}

#define AXL_N(x) axl_all(AXL_NUMBER(x))
#define AXL_C(c, k) (c)[k]
#define AXL_BLOCK(c, k) ((c) + (k))

AXL_INLINE axl_mask axl_lt(axl_real a, axl_real b)
{
    return (axl_mask)(a < b);
}

AXL_INLINE axl_mask axl_le(axl_real a, axl_real b)
{
    return (axl_mask)(a <= b);
}

AXL_INLINE axl_mask axl_ne(axl_real a, axl_real b)
{
    return (axl_mask)(a != b);
}

/* Compilers make one instruction of this where the machine has one. */
AXL_INLINE axl_real axl_pick(axl_mask first, axl_real a, axl_real b)
{
    return (axl_real)((first & (axl_mask)a) | (~first & (axl_mask)b));
}

AXL_INLINE axl_real axl_v_abs(axl_real v)
{
    return (axl_real)((axl_mask)v & AXL_LARGEST_INTEGER);
}

AXL_INLINE axl_real axl_with_sign(axl_real size, axl_real sign)
{
    return (axl_real)(((axl_mask)size & AXL_LARGEST_INTEGER) | ((axl_mask)sign & ~AXL_LARGEST_INTEGER));
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

/* NaN in is NaN out. */
AXL_INLINE axl_real axl_v_min(axl_real a, axl_real b)
{
    return axl_pick(axl_lt(a, b) | axl_ne(a, a), a, b);
}

AXL_INLINE axl_real axl_v_max(axl_real a, axl_real b)
{
    return axl_pick(axl_lt(b, a) | axl_ne(a, a), a, b);
}

AXL_INLINE axl_real axl_v_sign(axl_real v)
{
    const axl_real above = axl_pick(axl_lt(AXL_N(0.0), v), AXL_N(1.0), v + AXL_N(0.0));
    return axl_pick(axl_lt(v, AXL_N(0.0)), AXL_N(-1.0), above);
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
