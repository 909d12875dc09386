/* A number is that of one vehicle, which has a thread of the card to itself. Constants of AXL_TILE
   vehicles stand together, so that places in them are known when this is compiled. Compiled for a
   processor instead, the same text runs a vehicle at a time, for tests. */
#if defined(__CUDACC__) || defined(__CUDACC_RTC__)
#define AXL_DEVICE static __device__ __forceinline__
#define AXL_CALLED static __device__ AXL_CALLED_LAWS
#define AXL_KERNEL extern "C" __global__ void __launch_bounds__(AXL_TILE, AXL_BLOCKS_RESIDENT)
#define AXL_MEMBER ((long long)blockIdx.x * AXL_TILE + (long long)threadIdx.x)
#ifdef AXL_NO_FORGET
#define AXL_FORGET(pointer) ((void)0)
#else
#define AXL_FORGET(pointer) asm volatile("" : "+l"(pointer))
#endif
#define restrict __restrict__
#else
#include <math.h>
#include <string.h>
#define AXL_DEVICE static inline
#define AXL_CALLED static
#define AXL_KERNEL void
#define AXL_MEMBER axl_member
#define AXL_FORGET(pointer) ((void)0)
static long long axl_member;
#endif
#ifndef AXL_TILE
#define AXL_TILE 64
#endif
#ifndef AXL_BLOCKS_RESIDENT
#define AXL_BLOCKS_RESIDENT 1
#endif
#ifndef AXL_CALLED_LAWS
#define AXL_CALLED_LAWS __forceinline__
#endif
#define AXL_INLINE AXL_DEVICE
typedef axl_number axl_real;
typedef axl_integer axl_bits;
typedef int axl_truth;
#define AXL_N(x) AXL_NUMBER(x)
#define AXL_C(c, k) (c)[(k) * AXL_TILE]
#define AXL_BLOCK(c, k) ((c) + (k) * AXL_TILE)
#define axl_all(x) (x)
#define axl_lt(a, b) ((a) < (b))
#define axl_le(a, b) ((a) <= (b))
#define axl_ne(a, b) ((a) != (b))
#define axl_pick(first, a, b) ((first) ? (a) : (b))
#define axl_v_sqrt AXL_LIBRARY(sqrt)
#define axl_v_pow AXL_LIBRARY(pow)
#ifndef NAN
#define NAN (AXL_NUMBER(0.0) / AXL_NUMBER(0.0))
#endif
#ifndef INFINITY
#define INFINITY (AXL_NUMBER(1.0) / AXL_NUMBER(0.0))
#endif
#ifndef HUGE_VAL
#define HUGE_VAL INFINITY
#endif

AXL_INLINE axl_bits axl_bits_of(axl_real v)
{
    axl_bits bits;
    memcpy(&bits, &v, sizeof bits);
    return bits;
}

AXL_INLINE axl_real axl_of_bits(axl_bits bits)
{
    axl_real v;
    memcpy(&v, &bits, sizeof v);
    return v;
}

AXL_INLINE axl_truth axl_is_negative(axl_real v)
{
    return axl_bits_of(v) < 0;
}

/* The polynomial of the row whose breakpoints v lies between. */
AXL_INLINE axl_real axl_lookup(
    axl_real v, int n, int width, const axl_number *breaks, const axl_number *rows)
{
    int row = 0, half = 1, k;
    axl_real local, value;
    while (2 * half <= n) {
        half *= 2;
    }
    for (; half > 0; half /= 2) {
        row += (row + half <= n && v >= breaks[row + half - 1]) ? half : 0;
    }
    local = v - breaks[row > 0 ? row - 1 : 0];
    rows += row * width;
    value = rows[width - 1];
    for (k = width - 2; k >= 0; --k) {
        value = value * local + rows[k];
    }
    return v == v ? value : v;
}
