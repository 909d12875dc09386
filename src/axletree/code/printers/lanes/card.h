/* A number is that of one vehicle, which has a thread of the card to itself. Constants of AXL_TILE
   vehicles stand together, so that places in them are known when this is compiled. Compiled for a
   processor instead, the same text runs a vehicle at a time, for tests. */
#if defined(__CUDACC__) || defined(__CUDACC_RTC__)
#define AXL_DEVICE static __device__ __forceinline__
#define AXL_CALLED AXL_DEVICE
#define AXL_KERNEL extern "C" __global__ void __launch_bounds__(AXL_TILE)
#define AXL_MEMBER ((long long)blockIdx.x * AXL_TILE + (long long)threadIdx.x)
#define restrict __restrict__
#ifdef AXL_FLOAT
/* Registers hold what four laws side by side need; constants, which they do not hold, too, are
   forgotten after each step. */
#define AXL_IN_TURN _Pragma("unroll")
#define AXL_FORGET(pointer) asm volatile("" : "+l"(pointer))
#else
/* One text of a law serves all wheels, and what else is kept goes to memory once, not four times. */
#define AXL_IN_TURN _Pragma("unroll 1")
#define AXL_FORGET(pointer) ((void)0)
#endif
#else
#define AXL_IN_TURN
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

/* Quotients and roots without jumps: from the card's first guess by Newton's steps, of which the
   last corrects by what is left, to an error of one unit in the last place. Divisors from 1e-300 to
   1e300, or in 32 bits from 1e-37 to 1e37. */
#if !(defined(__CUDACC__) || defined(__CUDACC_RTC__))
AXL_INLINE axl_real axl_quotient(axl_real a, axl_real b)
{
    return a / b;
}

AXL_INLINE axl_real axl_v_sqrt(axl_real v)
{
    return AXL_LIBRARY(sqrt)(v);
}
#else
#ifdef AXL_FLOAT
AXL_INLINE axl_real axl_inverse(axl_real b)
{
    float r;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(b));
    return r;
}

AXL_INLINE axl_real axl_inverse_root(axl_real v)
{
    float r;
    asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(v));
    return r;
}
#else
AXL_INLINE axl_real axl_inverse(axl_real b)
{
    double r, e;
    asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(r) : "d"(b));
    e = fma(-b, r, 1.0);
    e = fma(e, e, e);
    r = fma(r, e, r);
    return r;
}

AXL_INLINE axl_real axl_inverse_root(axl_real v)
{
    double r, e;
    asm("rsqrt.approx.ftz.f64 %0, %1;" : "=d"(r) : "d"(v));
    e = fma(-v * r, r, 1.0);
    return fma(fma(0.375, e, 0.5) * e, r, r);
}
#endif

AXL_INLINE axl_real axl_quotient(axl_real a, axl_real b)
{
    const axl_real r = axl_inverse(b), q = a * r, rest = AXL_LIBRARY(fma)(-q, b, a);
    const axl_real better = AXL_LIBRARY(fma)(rest, r, q);
    return better == better ? better : q;
}

AXL_INLINE axl_real axl_v_sqrt(axl_real v)
{
    const axl_real r = axl_inverse_root(v), s = v * r, rest = AXL_LIBRARY(fma)(-s, s, v);
    const axl_real root = AXL_LIBRARY(fma)(rest, AXL_N(0.5) * r, s);
    const axl_real less = v >= AXL_N(0.0) ? AXL_N(0.0) : axl_all(NAN);
    return v > AXL_N(AXL_LEAST_NORMAL) ? root : less;
}
#endif

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
