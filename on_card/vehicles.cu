#ifdef AXL_FLOAT
/* Numbers of 32 bits. */
#if defined(__CUDACC__) || defined(__CUDACC_RTC__) /* without headers of the system */
typedef int axl_integer;
#ifndef INT32_MAX
#define INT32_MAX 0x7fffffff
#endif
#else
#include <stdint.h>
typedef int32_t axl_integer;
#endif
typedef float axl_number;
#define AXL_NUMBER(x) x##f
#define AXL_LIBRARY(x) x##f
#define AXL_LARGEST 3.4028234663852886e38
#define AXL_LARGEST_INTEGER INT32_MAX
#define AXL_SIGN_BIT 31
#define AXL_FRACTION_BITS 23
#define AXL_FRACTION ((1 << 23) - 1)
#define AXL_BIAS 127
#define AXL_ROUNDER 12582912.0 /* 1.5 * 2^23 */
#define AXL_LARGEST_ANGLE 3.2e3 /* so many half turns have 10 bits and a half, parts of pi 13 */
#define AXL_PARTS_OF_PI 4
#define AXL_PI_1 3.14111328125
#define AXL_PI_2 0.0004793405532836914
#define AXL_PI_3 3.1781382858753204e-08
#define AXL_PI_4 5.126688303189038e-12
#define AXL_EIGHTH_REST -2.1855695000931213e-08 /* pi / 4 less 0.78539819 */
#define AXL_SMALL 0x1p-60
#define AXL_MAGNIFIED 0x1p+80
#define AXL_HUGE 0x1p+100
#define AXL_REDUCED 0x1p-20
#define AXL_EXP_LEAST -104.0
#define AXL_EXP_MOST 90.0
#define AXL_LOG2_HIGH 0.693145751953125
#define AXL_LOG2_LOW 1.4286068203094173e-06
#define AXL_LEAST_NORMAL 0x1p-126
#define AXL_TINY_SHIFT 0x1p+25
#define AXL_TINY_BITS 25.0
#define AXL_ROOT_OF_HALF 0x3f3504f3
/* a + b z */
#define AXL_PAIR(z, a, b) (AXL_N(a) + AXL_N(b) * (z))
/* sin r = r (1 + z S(z)), z = r^2, |r| at most pi / 2: relative error 2^-25.7 */
#define axl_sin_series(z) \
    ((AXL_PAIR(z, -0.1666666716337204, 0.00833333283662796) \
      + (z) * (z) * AXL_PAIR(z, -0.00019841085304506123, 2.753641183517175e-06)) \
     + ((z) * (z)) * ((z) * (z)) * AXL_N(-2.407897525813496e-08))
/* atan u = u (1 + z A(z)), z = u^2, u at most sqrt(2) - 1: 2^-28 */
#define axl_atan_series(z) \
    ((AXL_PAIR(z, -0.3333333134651184, 0.19999539852142334) \
      + (z) * (z) * AXL_PAIR(z, -0.14263927936553955, 0.10743426531553268)) \
     + ((z) * (z)) * ((z) * (z)) * AXL_N(-0.06450917571783066))
/* exp r = 1 + r + r^2 E(r), |r| at most log(2) / 2: 2^-30 */
#define axl_exp_series(r) \
    ((AXL_PAIR(r, 0.5, 0.1666666716337204) \
      + (r) * (r) * AXL_PAIR(r, 0.041666463017463684, 0.00833331048488617)) \
     + ((r) * (r)) * ((r) * (r)) * AXL_PAIR(r, 0.0013933770824223757, 0.00019891124975401908))
/* log((1 + s) / (1 - s)) = s (2 + z L(z)), z = s^2, |s| at most 0.1717: 2^-28.5 */
#define axl_log_series(z) \
    (AXL_PAIR(z, 0.6666668653488159, 0.3998875319957733) + (z) * (z) * AXL_N(0.29581159353256226))


#else
/* Numbers of 64 bits. */
#if defined(__CUDACC__) || defined(__CUDACC_RTC__) /* without headers of the system */
typedef long long axl_integer;
#ifndef INT64_MAX
#define INT64_C(x) x##LL
#define INT64_MAX 0x7fffffffffffffffLL
#endif
#else
#include <stdint.h>
typedef int64_t axl_integer;
#endif
typedef double axl_number;
#define AXL_NUMBER(x) x
#define AXL_LIBRARY(x) x
#define AXL_LARGEST 1.7976931348623157e308
#define AXL_LARGEST_INTEGER INT64_MAX
#define AXL_SIGN_BIT 63
#define AXL_FRACTION_BITS 52
#define AXL_FRACTION ((INT64_C(1) << 52) - 1)
#define AXL_BIAS 1023
#define AXL_ROUNDER 6755399441055744.0 /* 1.5 * 2^52 */
#define AXL_LARGEST_ANGLE 2e5 /* so many half turns have 16 bits and a half, parts of pi 36 */
#define AXL_PARTS_OF_PI 3
#define AXL_PI_1 3.1415926535846666
#define AXL_PI_2 5.1266883031679116e-12
#define AXL_PI_3 2.1125998133974855e-23
#define AXL_EIGHTH_REST 3.061616997868383e-17 /* pi / 4 less 0.7853981633974483 */
#define AXL_SMALL 0x1p-900
#define AXL_MAGNIFIED 0x1p+120
#define AXL_HUGE 0x1p+1000
#define AXL_REDUCED 0x1p-100
#define AXL_EXP_LEAST -746.0
#define AXL_EXP_MOST 711.0
#define AXL_LOG2_HIGH 0.6931471803691238
#define AXL_LOG2_LOW 1.9082149292705877e-10
#define AXL_LEAST_NORMAL 0x1p-1022
#define AXL_TINY_SHIFT 0x1p+54
#define AXL_TINY_BITS 54.0
#define AXL_ROOT_OF_HALF INT64_C(0x3fe6a09e667f3bcd)
/* a + b z */
#define AXL_PAIR(z, a, b) (AXL_N(a) + AXL_N(b) * (z))
/* sin r = r (1 + z S(z)), z = r^2, |r| at most pi / 2: relative error 2^-54.6 */
#define axl_sin_series(z) \
    ((AXL_PAIR(z, -0.16666666666666666, 0.008333333333333316) \
      + (z) * (z) * AXL_PAIR(z, -0.0001984126984125486, 2.7557319219132584e-06)) \
     + ((z) * (z)) * ((z) * (z)) \
         * (AXL_PAIR(z, -2.5052107613095433e-08, 1.6058977059718268e-10) \
            + (z) * (z) * AXL_PAIR(z, -7.643962232442651e-13, 2.7313442774398868e-15)))
/* atan u = u (1 + z A(z)), z = u^2, u at most sqrt(2) - 1: 2^-57 */
#define axl_atan_series(z) \
    (((AXL_PAIR(z, -0.3333333333333333, 0.19999999999995502) \
       + (z) * (z) * AXL_PAIR(z, -0.14285714284662374, 0.1111111101492111)) \
      + ((z) * (z)) * ((z) * (z)) \
          * (AXL_PAIR(z, -0.09090904564505209, 0.07692182874521261) \
             + (z) * (z) * AXL_PAIR(z, -0.06664506992981961, 0.0585811022666777))) \
     + (((z) * (z)) * ((z) * (z))) * (((z) * (z)) * ((z) * (z))) \
         * (AXL_PAIR(z, -0.05085247342756911, 0.039225812592053745) \
            + (z) * (z) * AXL_N(-0.01916972976367192)))
/* exp r = 1 + r + r^2 E(r), |r| at most log(2) / 2: 2^-61.4 */
#define axl_exp_series(r) \
    (((AXL_PAIR(r, 0.5, 0.1666666666666667) \
       + (r) * (r) * AXL_PAIR(r, 0.04166666666666667, 0.008333333333326058)) \
      + ((r) * (r)) * ((r) * (r)) \
          * (AXL_PAIR(r, 0.0013888888888883692, 0.00019841269875091932) \
             + (r) * (r) * AXL_PAIR(r, 2.4801587325741483e-05, 2.7557255056538237e-06))) \
     + (((r) * (r)) * ((r) * (r))) * (((r) * (r)) * ((r) * (r))) \
         * (AXL_PAIR(r, 2.7557273397693973e-07, 2.5105359846830094e-08) \
            + (r) * (r) * AXL_N(2.091478897260216e-09)))
/* log((1 + s) / (1 - s)) = s (2 + z L(z)), z = s^2, |s| at most 0.1717: 2^-57.6 */
#define axl_log_series(z) \
    ((AXL_PAIR(z, 0.666666666666667, 0.3999999999989879) \
      + (z) * (z) * AXL_PAIR(z, 0.2857142862630016, 0.22222211081825685)) \
     + ((z) * (z)) * ((z) * (z)) \
         * (AXL_PAIR(z, 0.18182892982304139, 0.15331593467616386) \
            + (z) * (z) * AXL_N(0.14618032542367726)))


#endif
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

#ifdef AXL_CARD_FUNCTIONS
/* The functions of the card's own library, in place of those of functions.c. */
#define axl_v_abs AXL_LIBRARY(fabs)
#define axl_v_sin AXL_LIBRARY(sin)
#define axl_v_cos AXL_LIBRARY(cos)
#define axl_v_tan AXL_LIBRARY(tan)
#define axl_v_asin AXL_LIBRARY(asin)
#define axl_v_acos AXL_LIBRARY(acos)
#define axl_v_atan AXL_LIBRARY(atan)
#define axl_v_atan2 AXL_LIBRARY(atan2)
#define axl_v_exp AXL_LIBRARY(exp)
#define axl_v_log AXL_LIBRARY(log)
#define axl_v_sinh AXL_LIBRARY(sinh)
#define axl_v_cosh AXL_LIBRARY(cosh)
#define axl_v_tanh AXL_LIBRARY(tanh)

AXL_INLINE axl_real axl_v_min(axl_real a, axl_real b)
{
    return a < b || a != a ? a : b;
}

AXL_INLINE axl_real axl_v_max(axl_real a, axl_real b)
{
    return a > b || a != a ? a : b;
}

AXL_INLINE axl_real axl_v_sign(axl_real v)
{
    return v > AXL_N(0.0) ? AXL_N(1.0) : (v < AXL_N(0.0) ? AXL_N(-1.0) : v + AXL_N(0.0));
}

#else
/* Elementary functions of all lanes at once, inlined, without jumps. Polynomials interpolate at
   Chebyshev's nodes what is left of a function after its first terms; halves of them wait for each
   other less than terms one by one (Estrin 1960). */

AXL_INLINE axl_real axl_v_abs(axl_real v)
{
    return axl_of_bits(axl_bits_of(v) & AXL_LARGEST_INTEGER);
}

AXL_INLINE axl_real axl_with_sign(axl_real size, axl_real sign)
{
    const axl_bits top = axl_bits_of(sign) & ~AXL_LARGEST_INTEGER;
    return axl_of_bits((axl_bits_of(size) & AXL_LARGEST_INTEGER) | top);
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

/* The nearest whole number, as a number and in the lowest bits of an integer. */
AXL_INLINE axl_real axl_rounded(axl_real v, axl_bits *whole)
{
    const axl_real shifted = v + AXL_N(AXL_ROUNDER);
    *whole = axl_bits_of(shifted) - axl_bits_of(AXL_N(AXL_ROUNDER));
    return shifted - AXL_N(AXL_ROUNDER);
}

/* a + b and what it is rounded by (Knuth 1969). */
AXL_INLINE axl_real axl_sum(axl_real a, axl_real b, axl_real *rest)
{
    const axl_real sum = a + b, part = sum - a;
    *rest = (a - (sum - part)) + (b - part);
    return sum;
}

/* 2^k, of an exponent that is not out of range. */
AXL_INLINE axl_real axl_power_of_two(axl_bits k)
{
    return axl_of_bits((k + AXL_BIAS) << AXL_FRACTION_BITS);
}

/* v less n pi, for n of so few bits that its products with the parts of pi are exact (Cody and Waite
   1980). */
AXL_INLINE axl_real axl_less_half_turns(axl_real v, axl_real n)
{
    const axl_real first = v - n * AXL_N(AXL_PI_1);
    axl_real rest, little;
    const axl_real second = axl_sum(first, -(n * AXL_N(AXL_PI_2)), &rest);
#if AXL_PARTS_OF_PI == 3
    little = rest - n * AXL_N(AXL_PI_3);
    return second + little;
#else
    axl_real more;
    const axl_real third = axl_sum(second, -(n * AXL_N(AXL_PI_3)), &more);
    little = rest + (more - n * AXL_N(AXL_PI_4));
    return third + little;
#endif
}

/* No number where an angle is so large that its sine would not be right. */
AXL_INLINE axl_real axl_angle(axl_real v)
{
    const axl_truth is_far = axl_lt(AXL_N(AXL_LARGEST_ANGLE), axl_v_abs(v));
    return axl_pick(is_far, axl_all(NAN), v);
}

/* The sine of v less n pi, as it is where n is even, in the lowest bit of a number. */
AXL_INLINE axl_real axl_sine(axl_real v, axl_real n, axl_real parity)
{
    const axl_real r = axl_less_half_turns(v, n), z = r * r;
    const axl_real size = r + r * z * axl_sin_series(z);
    return axl_of_bits(axl_bits_of(size) ^ (axl_bits_of(parity) << AXL_SIGN_BIT));
}

AXL_INLINE axl_real axl_v_sin(axl_real v)
{
    const axl_real angle = axl_angle(v);
    const axl_real shifted = angle * AXL_N(0.3183098861837907) + AXL_N(AXL_ROUNDER);
    return axl_sine(angle, shifted - AXL_N(AXL_ROUNDER), shifted);
}

/* sin(v + pi / 2): n is a whole number less a half. */
AXL_INLINE axl_real axl_v_cos(axl_real v)
{
    const axl_real angle = axl_v_abs(axl_angle(v)), half = AXL_N(0.5);
    const axl_real shifted = (angle * AXL_N(0.3183098861837907) + half) + AXL_N(AXL_ROUNDER);
    const axl_real n = (shifted - AXL_N(AXL_ROUNDER)) - half;
    return axl_sine(angle, n, shifted);
}

AXL_INLINE axl_real axl_v_tan(axl_real v)
{
    return axl_quotient(axl_v_sin(v), axl_v_cos(v));
}

/* Of the smaller side over the larger one, about an eighth of a turn where that is nearer. */
AXL_INLINE axl_real axl_first_octant(axl_real above, axl_real below)
{
    const axl_truth is_far = axl_lt(AXL_N(0.41421356237309503) * below, above);
    const axl_real top = axl_pick(is_far, above - below, above);
    const axl_real u = axl_quotient(top, axl_pick(is_far, above + below, below)), z = u * u;
    const axl_real small = u + u * (z * axl_atan_series(z));
    return axl_pick(is_far, AXL_N(0.7853981633974483) + (small + AXL_N(AXL_EIGHTH_REST)), small);
}

/* Of v, of -1 / v, or of (v - 1) / (v + 1): what is at most sqrt(2) - 1. */
AXL_INLINE axl_real axl_v_atan(axl_real v)
{
    const axl_real size = axl_v_abs(v), one = AXL_N(1.0);
    const axl_truth is_far = axl_lt(AXL_N(0.41421356237309503), size);
    const axl_truth is_steep = axl_lt(AXL_N(2.414213562373095), size);
    const axl_real above = axl_pick(is_steep, -one, axl_pick(is_far, size - one, size));
    const axl_real below = axl_pick(is_steep, size, axl_pick(is_far, size + one, one));
    const axl_real eighth = AXL_N(0.7853981633974483), quarter = AXL_N(1.5707963267948966);
    const axl_real begin = axl_pick(is_steep, quarter, axl_pick(is_far, eighth, AXL_N(0.0)));
    const axl_real u = axl_quotient(above, below), z = u * u;
    return axl_with_sign(begin + (u + u * (z * axl_atan_series(z))), v);
}

/* Sides that are too long or too short to be added and compared are made shorter or longer. */
AXL_INLINE axl_real axl_v_atan2(axl_real y, axl_real x)
{
    const axl_real wide = axl_v_abs(x), high = axl_v_abs(y), none = AXL_N(0.0);
    const axl_truth is_steep = axl_lt(wide, high);
    const axl_real longer = axl_pick(is_steep, high, wide), shorter = axl_pick(is_steep, wide, high);
    const axl_truth is_endless = axl_lt(AXL_N(AXL_LARGEST), longer);
    const axl_real finer = axl_pick(axl_lt(longer, AXL_N(AXL_SMALL)), AXL_N(AXL_MAGNIFIED), AXL_N(1.0));
    const axl_real unit = axl_pick(axl_lt(AXL_N(AXL_HUGE), longer), AXL_N(AXL_REDUCED), finer);
    const axl_real both = axl_pick(axl_lt(AXL_N(AXL_LARGEST), shorter), AXL_N(1.0), none);
    const axl_real below = axl_pick(is_endless | axl_le(longer, none), AXL_N(1.0), longer * unit);
    const axl_real first = axl_first_octant(axl_pick(is_endless, both, shorter * unit), below);
    const axl_real rest = AXL_N(2.0) * AXL_N(AXL_EIGHTH_REST);
    const axl_real front = axl_pick(is_steep, AXL_N(1.5707963267948966) - (first - rest), first);
    const axl_real back = AXL_N(3.141592653589793) - (front - AXL_N(2.0) * rest);
    const axl_truth is_back = axl_is_negative(x);
    const axl_real angle = axl_with_sign(axl_pick(is_back, back, front), y);
    return axl_pick(axl_ne(x, x) | axl_ne(y, y), x + y, angle);
}

AXL_INLINE axl_real axl_v_asin(axl_real v)
{
    return axl_v_atan2(v, axl_v_sqrt((AXL_N(1.0) - v) * (AXL_N(1.0) + v)));
}

AXL_INLINE axl_real axl_v_acos(axl_real v)
{
    return axl_v_atan2(axl_v_sqrt((AXL_N(1.0) - v) * (AXL_N(1.0) + v)), v);
}

/* exp(high + low) = 2^k (1 + p): returns p. Beyond the range of numbers k is so large that the
   product is 0 or infinite. */
AXL_INLINE axl_real axl_exp_parts(axl_real high, axl_real low, axl_bits *k)
{
    const axl_truth is_low = axl_lt(high, AXL_N(AXL_EXP_LEAST));
    const axl_truth is_high = axl_lt(AXL_N(AXL_EXP_MOST), high);
    const axl_real near = axl_pick(
        is_low, AXL_N(AXL_EXP_LEAST), axl_pick(is_high, AXL_N(AXL_EXP_MOST), high));
    const axl_real v = axl_pick(axl_ne(near, near), AXL_N(0.0), near);
    const axl_real more = axl_pick(is_low | is_high, AXL_N(0.0), low);
    const axl_real n = axl_rounded(v * AXL_N(1.4426950408889634), k);
    const axl_real r = (v - n * AXL_N(AXL_LOG2_HIGH)) - (n * AXL_N(AXL_LOG2_LOW) - more);
    return r + r * r * axl_exp_series(r);
}

/* p 2^k in two factors, of which none is too large where the product is not. */
AXL_INLINE axl_real axl_scaled(axl_real p, axl_bits k)
{
    const axl_bits half = k >> 1;
    return p * axl_power_of_two(half) * axl_power_of_two(k - half);
}

AXL_INLINE axl_real axl_v_exp(axl_real v)
{
    axl_bits k;
    const axl_real p = axl_exp_parts(v, AXL_N(0.0), &k);
    return axl_pick(axl_ne(v, v), v, axl_scaled(AXL_N(1.0) + p, k));
}

/* exp(v) - 1 of numbers that are not negative and well within the range. */
AXL_INLINE axl_real axl_growth(axl_real v)
{
    axl_bits k;
    const axl_real p = axl_exp_parts(v, AXL_N(0.0), &k), power = axl_power_of_two(k);
    return power * p + (power - AXL_N(1.0));
}

/* exp(v) / 2, which is finite a little longer than exp(v). */
AXL_INLINE axl_real axl_half_exp(axl_real v)
{
    axl_bits k;
    const axl_real p = axl_exp_parts(v, AXL_N(0.0), &k);
    return axl_pick(axl_ne(v, v), v, axl_scaled(AXL_N(1.0) + p, k - 1));
}

AXL_INLINE axl_real axl_v_sinh(axl_real v)
{
    const axl_real size = axl_v_abs(v), most = AXL_N(22.0);
    const axl_real less = axl_growth(axl_pick(axl_lt(most, size), most, size));
    const axl_real near = AXL_N(0.5) * (less + axl_quotient(less, less + AXL_N(1.0)));
    return axl_with_sign(axl_pick(axl_le(size, most), near, axl_half_exp(size)), v);
}

AXL_INLINE axl_real axl_v_cosh(axl_real v)
{
    const axl_real half = axl_half_exp(axl_v_abs(v));
    return half + axl_quotient(AXL_N(0.25), half);
}

AXL_INLINE axl_real axl_v_tanh(axl_real v)
{
    const axl_real size = axl_v_abs(v), most = AXL_N(22.0);
    const axl_real less = axl_growth(AXL_N(2.0) * axl_pick(axl_lt(most, size), most, size));
    return axl_pick(axl_ne(v, v), v, axl_with_sign(axl_quotient(less, less + AXL_N(2.0)), v));
}

/* v = m 2^k with m between sqrt(1/2) and sqrt(2), for v > 0: returns m - 1, which is exact. */
AXL_INLINE axl_real axl_log_parts(axl_real v, axl_real *k)
{
    const axl_truth is_tiny = axl_lt(v, AXL_N(AXL_LEAST_NORMAL));
    const axl_real usual = axl_pick(is_tiny, v * AXL_N(AXL_TINY_SHIFT), v);
    const axl_bits above = axl_bits_of(usual) - AXL_ROOT_OF_HALF;
    const axl_bits shifted = (above >> AXL_FRACTION_BITS) + axl_bits_of(AXL_N(AXL_ROUNDER));
    const axl_real n = axl_of_bits(shifted) - AXL_N(AXL_ROUNDER);
    *k = n - axl_pick(is_tiny, AXL_N(AXL_TINY_BITS), AXL_N(0.0));
    return axl_of_bits((above & AXL_FRACTION) + AXL_ROOT_OF_HALF) - AXL_N(1.0);
}

/* log(1 + f) = f - f^2/2 + s (f^2/2 + R), s = f / (2 + f), 2 s + s R = log((1 + s) / (1 - s)). */
AXL_INLINE axl_real axl_v_log(axl_real v)
{
    const axl_truth is_usual = axl_lt(AXL_N(0.0), v) & axl_le(v, AXL_N(AXL_LARGEST));
    axl_real n;
    const axl_real f = axl_log_parts(axl_pick(is_usual, v, AXL_N(1.0)), &n);
    const axl_real s = axl_quotient(f, AXL_N(2.0) + f), z = s * s, half = AXL_N(0.5) * f * f;
    const axl_real more = s * (half + z * axl_log_series(z)) + n * AXL_N(AXL_LOG2_LOW);
    const axl_real value = n * AXL_N(AXL_LOG2_HIGH) - ((half - more) - f);
    const axl_real above = axl_pick(axl_lt(AXL_N(0.0), v), v, axl_all(NAN));
    return axl_pick(is_usual, value, axl_pick(axl_ne(v, AXL_N(0.0)), above, axl_all(-HUGE_VAL)));
}

#endif
AXL_CALLED void axl_constant_lag_2(const axl_real *restrict in, const axl_real *restrict prepared,
    axl_real *restrict out)
{
    const axl_real lateral_speed = in[0];
    const axl_real q1 = in[1];
    const axl_real q2 = in[2];
    const axl_real rolling_speed_E = in[3];
    const axl_real rolling_speed_P = in[4];
    const axl_real sliding_speed = in[5];
    const axl_real k0 = AXL_C(prepared, 0);
    const axl_real k1 = AXL_C(prepared, 1);
    const axl_real k2 = AXL_C(prepared, 2);
    const axl_real k3 = AXL_C(prepared, 3);
    const axl_real k4 = AXL_C(prepared, 4);
    const axl_real v0 = axl_v_abs(rolling_speed_E);
    const axl_real v1 = k2*(q1*v0 + sliding_speed);
    const axl_real v2 = axl_pick(axl_lt(AXL_N(0.0), -q1*v1), AXL_N(1.0), AXL_N(0.0));
    const axl_real v3 = axl_pick(axl_ne(axl_pick(axl_lt(k1, axl_v_abs(q1)), v2, AXL_N(0.0)),
        AXL_N(0.0)), AXL_N(1.0), AXL_N(0.0));
    out[1] = -axl_pick(axl_ne(axl_pick(axl_lt(v0, k0), v3, AXL_N(0.0)), AXL_N(0.0)), AXL_N(0.0),
        v1);
    const axl_real v4 = axl_v_abs(rolling_speed_P);
    const axl_real v5 = k4*(v4*q2 - lateral_speed);
    const axl_real v6 = axl_pick(axl_lt(AXL_N(0.0), -q2*v5), AXL_N(1.0), AXL_N(0.0));
    const axl_real v7 = axl_pick(axl_ne(axl_pick(axl_lt(k3, axl_v_abs(q2)), v6, AXL_N(0.0)),
        AXL_N(0.0)), AXL_N(1.0), AXL_N(0.0));
    out[2] = -axl_pick(axl_ne(axl_pick(axl_lt(v4, k0), v7, AXL_N(0.0)), AXL_N(0.0)), AXL_N(0.0),
        v5);
    out[0] = axl_v_atan(q2);
}

AXL_CALLED void axl_fiala_2(const axl_real *restrict in, const axl_real *restrict prepared,
    axl_real *restrict out)
{
    const axl_real forward_speed = in[0];
    const axl_real longitudinal_slip = in[1];
    const axl_real normal_load = AXL_C(prepared, 0);
    const axl_real slip_angle = in[2];
    const axl_real k0 = AXL_C(prepared, 1);
    const axl_real k1 = AXL_C(prepared, 2);
    const axl_real k2 = AXL_C(prepared, 3);
    const axl_real k3 = AXL_C(prepared, 4);
    const axl_real k4 = AXL_C(prepared, 5);
    const axl_real v0 = axl_v_tan(slip_angle);
    const axl_real v1 = axl_v_min(axl_v_sqrt(axl_v_max(longitudinal_slip*longitudinal_slip + v0*v0,
        AXL_N(1e-24))), AXL_N(1.0));
    const axl_real v2 = normal_load*(k1 + v1*k0);
    const axl_real v3 = axl_quotient(AXL_N(1.0), axl_v_max(v2, AXL_N(1e-09)));
    const axl_real v4 = v0*v3*k3;
    const axl_real v5 = axl_v_abs(v4);
    const axl_real v6 = AXL_N(0.3333333333333333)*v5 - AXL_N(1.0);
    const axl_real v7 = v6 - AXL_N(0.037037037037037035)*(v5*v5);
    const axl_real v8 = axl_quotient(AXL_N(1.0), axl_v_max(v5, AXL_N(3.0)));
    const axl_real v9 = v2*v4;
    out[1] = -v9*axl_pick(axl_lt(v5, AXL_N(3.0)), -v7, v8);
    const axl_real v10 = axl_v_max(-v6, AXL_N(0.0));
    const axl_real v11 = axl_quotient(v10*forward_speed*v10, axl_v_max(axl_v_abs(forward_speed),
        AXL_N(0.1)))*v10;
    out[2] = AXL_N(0.3333333333333333)*(v11*v9*k4);
    const axl_real v12 = v3*longitudinal_slip*k2;
    const axl_real v13 = axl_v_abs(v12);
    const axl_real v14 = axl_quotient(AXL_N(1.0), axl_v_max(v13, AXL_N(0.5)));
    const axl_real v15 = (AXL_N(0.25)*v14 - AXL_N(1.0))*v14;
    out[0] = v2*axl_pick(axl_lt(v13, AXL_N(0.5)), AXL_N(1.0), -v15)*v12;
}

AXL_DEVICE void model_constants(const axl_real *restrict p, axl_real *restrict c)
{
    const axl_real body_mass = p[1];
    const axl_real body_inertia_zz = p[4];
    const axl_real front_wheel_mass = p[5];
    const axl_real front_wheel_axial_inertia = p[6];
    const axl_real front_wheel_transverse_inertia = p[7];
    const axl_real front_tyre_unloaded_radius = p[8];
    const axl_real front_tyre_normal_force_stiffness = p[9];
    const axl_real front_tyre_law_width = p[10];
    const axl_real front_tyre_law_slip_stiffness = p[11];
    const axl_real front_tyre_law_cornering_stiffness = p[12];
    const axl_real front_tyre_law_peak_friction = p[13];
    const axl_real front_tyre_law_sliding_friction = p[14];
    const axl_real front_tyre_slip_longitudinal_length = p[15];
    const axl_real front_tyre_slip_lateral_length = p[16];
    const axl_real front_tyre_slip_low_speed = p[17];
    const axl_real front_tyre_slip_greatest_slip = p[18];
    const axl_real front_tyre_slip_greatest_lateral_slip = p[19];
    const axl_real rear_wheel_mass = p[20];
    const axl_real rear_wheel_axial_inertia = p[21];
    const axl_real rear_wheel_transverse_inertia = p[22];
    const axl_real rear_tyre_unloaded_radius = p[23];
    const axl_real rear_tyre_normal_force_stiffness = p[24];
    const axl_real rear_tyre_law_width = p[25];
    const axl_real rear_tyre_law_slip_stiffness = p[26];
    const axl_real rear_tyre_law_cornering_stiffness = p[27];
    const axl_real rear_tyre_law_peak_friction = p[28];
    const axl_real rear_tyre_law_sliding_friction = p[29];
    const axl_real rear_tyre_slip_longitudinal_length = p[30];
    const axl_real rear_tyre_slip_lateral_length = p[31];
    const axl_real rear_tyre_slip_low_speed = p[32];
    const axl_real rear_tyre_slip_greatest_slip = p[33];
    const axl_real rear_tyre_slip_greatest_lateral_slip = p[34];
    const axl_real body_on_road_z = p[35];
    const axl_real body_front_x = p[36];
    const axl_real body_front_z = p[37];
    const axl_real body_rear_x = p[38];
    const axl_real body_rear_z = p[39];
    /* Block 1: intermediate variables. */
    const axl_real front_tyre_loaded_radius = body_front_z - body_on_road_z;
    const axl_real front_tyre_Fz =
        axl_v_max(front_tyre_normal_force_stiffness*(front_tyre_unloaded_radius -
        front_tyre_loaded_radius), AXL_N(0.0));
    const axl_real rear_tyre_loaded_radius = body_rear_z - body_on_road_z;
    const axl_real rear_tyre_Fz =
        axl_v_max(-rear_tyre_normal_force_stiffness*(rear_tyre_loaded_radius -
        rear_tyre_unloaded_radius), AXL_N(0.0));
    /* Block 3: system equations. */
    const axl_real v0 = body_front_x*front_wheel_mass;
    const axl_real v1 = rear_wheel_mass*body_rear_x;
    const axl_real v2 = v0*body_front_x + front_wheel_transverse_inertia + body_inertia_zz +
        rear_wheel_transverse_inertia + v1*body_rear_x;
    c[31] = v2;
    c[10] = front_tyre_Fz;
    c[16] = rear_tyre_Fz;
    c[28] = v0 + v1;
    c[29] = axl_quotient(AXL_N(1.0), rear_wheel_mass + body_mass + front_wheel_mass);
    c[32] = axl_quotient(front_tyre_loaded_radius, front_wheel_axial_inertia);
    c[2] = axl_quotient(AXL_N(1.0), front_tyre_slip_longitudinal_length);
    c[4] = axl_quotient(AXL_N(1.0), front_tyre_slip_lateral_length);
    c[7] = axl_quotient(AXL_N(1.0), rear_tyre_slip_longitudinal_length);
    c[9] = axl_quotient(AXL_N(1.0), rear_tyre_slip_lateral_length);
    c[11] = -(front_tyre_law_peak_friction - front_tyre_law_sliding_friction);
    c[17] = rear_tyre_law_sliding_friction - rear_tyre_law_peak_friction;
    c[23] = front_tyre_loaded_radius;
    c[26] = rear_tyre_loaded_radius;
    c[33] = axl_quotient(AXL_N(1.0), rear_wheel_axial_inertia);
    c[0] = front_tyre_slip_low_speed;
    c[1] = front_tyre_slip_greatest_slip;
    c[3] = front_tyre_slip_greatest_lateral_slip;
    c[5] = rear_tyre_slip_low_speed;
    c[6] = rear_tyre_slip_greatest_slip;
    c[8] = rear_tyre_slip_greatest_lateral_slip;
    c[12] = front_tyre_law_peak_friction;
    c[13] = front_tyre_law_slip_stiffness;
    c[14] = front_tyre_law_cornering_stiffness;
    c[15] = front_tyre_law_width;
    c[18] = rear_tyre_law_peak_friction;
    c[19] = rear_tyre_law_slip_stiffness;
    c[20] = rear_tyre_law_cornering_stiffness;
    c[21] = rear_tyre_law_width;
    c[22] = body_front_x;
    c[24] = front_wheel_mass;
    c[25] = body_rear_x;
    c[27] = rear_wheel_mass;
    c[30] = front_wheel_transverse_inertia;
}

AXL_DEVICE void model_rhs(axl_real t, const axl_real *restrict x, const axl_real *restrict u,
    const axl_real *restrict c, axl_real *restrict xdot)
{
    const axl_real chassis_vx = x[0];
    const axl_real chassis_vy = x[1];
    const axl_real chassis_rate = x[2];
    const axl_real front_axle_rate = x[3];
    const axl_real rear_axle_rate = x[4];
    const axl_real chassis_angle = x[7];
    const axl_real front_tyre_q1 = x[10];
    const axl_real front_tyre_q2 = x[11];
    const axl_real rear_tyre_q1 = x[12];
    const axl_real rear_tyre_q2 = x[13];
    const axl_real steer_angle = u[0];
    const axl_real steer_angle_acceleration = u[2];
    const axl_real drive_torque = u[3];
    const axl_real front_wheel_mass = AXL_C(c, 24);
    const axl_real front_wheel_transverse_inertia = AXL_C(c, 30);
    const axl_real rear_wheel_mass = AXL_C(c, 27);
    const axl_real body_front_x = AXL_C(c, 22);
    const axl_real body_rear_x = AXL_C(c, 25);
    /* Block 1: intermediate variables. */
    const axl_real v0 = axl_v_sin(chassis_angle);
    const axl_real v1 = axl_v_cos(chassis_angle);
    const axl_real v2 = chassis_vy*v1 - chassis_vx*v0;
    const axl_real v3 = chassis_rate*body_front_x;
    const axl_real v4 = v3 + v2;
    const axl_real v5 = axl_v_sin(steer_angle);
    const axl_real rear_tyre_VCx = chassis_vy*v0 + chassis_vx*v1;
    const axl_real v7 = axl_v_cos(steer_angle);
    const axl_real front_tyre_VCx = v7*rear_tyre_VCx + v5*v4;
    const axl_real minus_front_tyre_VEx = AXL_C(c, 23)*front_axle_rate - front_tyre_VCx;
    const axl_real minus_front_tyre_VPy = v5*rear_tyre_VCx - v7*v4;
    const axl_real minus_rear_tyre_VEx = AXL_C(c, 26)*rear_axle_rate - rear_tyre_VCx;
    const axl_real v12 = chassis_rate*body_rear_x;
    const axl_real rear_tyre_VPy = v12 + v2;
    /* Block 2: external calls. */
    const axl_real v14_in[12] = {-minus_front_tyre_VPy, front_tyre_q1, front_tyre_q2,
        front_tyre_VCx, front_tyre_VCx, -minus_front_tyre_VEx, rear_tyre_VPy, rear_tyre_q1,
        rear_tyre_q2, rear_tyre_VCx, rear_tyre_VCx, -minus_rear_tyre_VEx};
    axl_real v14[6];
    {
    int turn;
    AXL_IN_TURN
    for (turn = 0; turn < 2; ++turn) {
    axl_constant_lag_2(v14_in + 6 * turn, AXL_BLOCK(c, 0 + 5 * turn), v14 + 3 * turn);
    }
    }
    const axl_real front_tyre_slip_angle = v14[0];
    const axl_real v17 = v14[1];
    const axl_real v18 = v14[2];
    const axl_real rear_tyre_slip_angle = v14[3];
    const axl_real v20 = v14[4];
    const axl_real v21 = v14[5];
    const axl_real v22_in[6] = {front_tyre_VCx, front_tyre_q1, front_tyre_slip_angle, rear_tyre_VCx,
        rear_tyre_q1, rear_tyre_slip_angle};
    axl_real v22[6];
    {
    int turn;
    AXL_IN_TURN
    for (turn = 0; turn < 2; ++turn) {
    axl_fiala_2(v22_in + 3 * turn, AXL_BLOCK(c, 10 + 6 * turn), v22 + 3 * turn);
    }
    }
    const axl_real front_tyre_Fy = v22[1];
    const axl_real front_tyre_Fx = v22[0];
    const axl_real front_tyre_Mz = v22[2];
    const axl_real rear_tyre_Fx = v22[3];
    const axl_real rear_tyre_Fy = v22[4];
    const axl_real rear_tyre_Mz = v22[5];
    /* Block 3: system equations. */
    const axl_real v30 = chassis_rate*v3*front_wheel_mass;
    const axl_real v31 = v5*v30 - front_tyre_Fy;
    const axl_real v32 = front_tyre_Fx + v30*v7;
    const axl_real v33 = v5*v32 - v7*v31;
    const axl_real v34 = chassis_rate*v12*rear_wheel_mass;
    const axl_real v35 = v33*v0 - (rear_tyre_Fx*v1 + v34*v1) + rear_tyre_Fy*v0;
    const axl_real v36 = v32*v7 + v5*v31;
    const axl_real v37 = v36*v1 - v35;
    const axl_real v38 = AXL_C(c, 28)*v0;
    const axl_real v39 = v34*v0 + v33*v1 + rear_tyre_Fx*v0 + v36*v0;
    const axl_real v40 = rear_tyre_Fy*v1 + v39;
    const axl_real v41 = AXL_C(c, 28)*v1;
    const axl_real v42 = rear_tyre_Mz + front_tyre_Mz + body_rear_x*rear_tyre_Fy + v33*body_front_x;
    const axl_real v43 = v42 - AXL_C(c, 29)*(v41*v40 - v37*v38) -
        steer_angle_acceleration*front_wheel_transverse_inertia;
    const axl_real v44 = axl_quotient(v43, (v41*v41 + v38*v38)*AXL_C(c, 29) - AXL_C(c, 31));
    xdot[0] = (v37 - v38*v44)*AXL_C(c, 29);
    xdot[1] = (v40 + v41*v44)*AXL_C(c, 29);
    xdot[2] = -v44;
    xdot[4] = -AXL_C(c, 33)*(rear_tyre_Fx*AXL_C(c, 26) - drive_torque);
    xdot[3] = -front_tyre_Fx*AXL_C(c, 32);
    xdot[10] = v17;
    xdot[11] = v18;
    xdot[12] = v20;
    xdot[13] = v21;
    xdot[5] = chassis_vx;
    xdot[6] = chassis_vy;
    xdot[7] = chassis_rate;
    xdot[8] = front_axle_rate;
    xdot[9] = rear_axle_rate;
    (void)t;
}

AXL_DEVICE void model_outputs(axl_real t, const axl_real *restrict x, const axl_real *restrict u,
    const axl_real *restrict c, axl_real *restrict y)
{
    const axl_real chassis_vx = x[0];
    const axl_real chassis_vy = x[1];
    const axl_real chassis_rate = x[2];
    const axl_real front_axle_rate = x[3];
    const axl_real rear_axle_rate = x[4];
    const axl_real chassis_angle = x[7];
    const axl_real front_tyre_q1 = x[10];
    const axl_real front_tyre_q2 = x[11];
    const axl_real rear_tyre_q1 = x[12];
    const axl_real rear_tyre_q2 = x[13];
    const axl_real steer_angle = u[0];
    const axl_real body_front_x = AXL_C(c, 22);
    const axl_real body_rear_x = AXL_C(c, 25);
    /* Block 1: intermediate variables. */
    const axl_real v0 = axl_v_sin(chassis_angle);
    const axl_real v1 = axl_v_cos(chassis_angle);
    const axl_real v2 = chassis_vy*v1 - chassis_vx*v0;
    const axl_real v3 = chassis_rate*body_front_x + v2;
    const axl_real v4 = axl_v_sin(steer_angle);
    const axl_real rear_tyre_VCx = chassis_vy*v0 + chassis_vx*v1;
    const axl_real v6 = axl_v_cos(steer_angle);
    const axl_real front_tyre_VCx = v6*rear_tyre_VCx + v4*v3;
    const axl_real minus_front_tyre_VEx = AXL_C(c, 23)*front_axle_rate - front_tyre_VCx;
    const axl_real minus_front_tyre_VPy = v4*rear_tyre_VCx - v6*v3;
    const axl_real minus_rear_tyre_VEx = AXL_C(c, 26)*rear_axle_rate - rear_tyre_VCx;
    const axl_real rear_tyre_VPy = chassis_rate*body_rear_x + v2;
    /* Block 2: external calls. */
    const axl_real v12_in[12] = {-minus_front_tyre_VPy, front_tyre_q1, front_tyre_q2,
        front_tyre_VCx, front_tyre_VCx, -minus_front_tyre_VEx, rear_tyre_VPy, rear_tyre_q1,
        rear_tyre_q2, rear_tyre_VCx, rear_tyre_VCx, -minus_rear_tyre_VEx};
    axl_real v12[6];
    {
    int turn;
    AXL_IN_TURN
    for (turn = 0; turn < 2; ++turn) {
    axl_constant_lag_2(v12_in + 6 * turn, AXL_BLOCK(c, 0 + 5 * turn), v12 + 3 * turn);
    }
    }
    const axl_real front_tyre_slip_angle = v12[0];
    const axl_real rear_tyre_slip_angle = v12[3];
    const axl_real v16_in[6] = {front_tyre_VCx, front_tyre_q1, front_tyre_slip_angle, rear_tyre_VCx,
        rear_tyre_q1, rear_tyre_slip_angle};
    axl_real v16[6];
    {
    int turn;
    AXL_IN_TURN
    for (turn = 0; turn < 2; ++turn) {
    axl_fiala_2(v16_in + 3 * turn, AXL_BLOCK(c, 10 + 6 * turn), v16 + 3 * turn);
    }
    }
    const axl_real front_tyre_Fy = v16[1];
    /* Block 3: system equations. */
    y[0] = front_tyre_Fy;
    (void)t;
}

#define NX 14
#define NX_ARRAY 14
#define NY 1
#define NU 4
#define NP 5
#define NS_ARRAY 1
#define NFIRST 0
#define NVECTOR 0
#define NVECTOR_ARRAY 1
#define SLOPE 1
#define SPLIT 0
#define PROJECTED 0
#define NPARAMETERS 40
#define NCONSTANTS 34
#define NY_ARRAY 1
#define NU_ARRAY 4
#define NPARAMETERS_ARRAY 40
#define NCONSTANTS_ARRAY 34

/* Vehicles of one model on a card, a thread each. Values of vehicle m stand at [quantity][m], its
   constants in tiles of AXL_TILE vehicles. Before this are the functions, the routines of the model
   and the numbers NX, NY, NU, NPARAMETERS, NCONSTANTS; axl_step is the step of a method. */

typedef struct {
    const axl_real *c;
    axl_real *u;
} axl_run;

AXL_DEVICE void axl_step(const axl_run *run, axl_real t, axl_real h, axl_real *x);

#if SLOPE
AXL_DEVICE void axl_slope(const axl_run *run, axl_real t, const axl_real *x, axl_real *xdot)
{
    model_rhs(t, x, run->u, run->c, xdot);
}
#endif

#if SPLIT
AXL_DEVICE void axl_speed_rates(const axl_run *run, axl_real t, const axl_real *x, axl_real *pdot)
{
    model_speed_rates(t, x, run->u, run->c, pdot);
}
#endif

AXL_DEVICE long long axl_tile_of(long long m, int size)
{
    return m / AXL_TILE * AXL_TILE * size + m % AXL_TILE;
}

/* What depends on parameters alone; `places` says which of them have a column of their own. */
AXL_KERNEL axl_make_constants(
    long long members, const axl_number *common, int columns, const int *places,
    const axl_number *values, axl_number *constants)
{
    const long long m = AXL_MEMBER;
    axl_real p[NPARAMETERS_ARRAY], c[NCONSTANTS_ARRAY];
    int k;
    if (m >= members) {
        return;
    }
    for (k = 0; k < NPARAMETERS; ++k) {
        p[k] = common[k];
    }
    for (k = 0; k < columns; ++k) {
        p[places[k]] = values[k * members + m];
    }
    model_constants(p, c);
    for (k = 0; k < NCONSTANTS; ++k) {
        constants[axl_tile_of(m, NCONSTANTS) + k * AXL_TILE] = c[k];
    }
}

/* So many steps of h from a step on. `failed` has the step in which states are no longer finite. */
AXL_KERNEL axl_advance(
    long long members, long long first, int steps, double start, double h,
    const axl_number *constants, const axl_number *inputs, axl_number *states, long long *failed)
{
    const long long m = AXL_MEMBER;
    axl_real x[NX_ARRAY], u[NU_ARRAY];
    axl_run run;
    long long end;
    int k, i;
    if (m >= members) {
        return;
    }
    end = failed[m];
    for (i = 0; i < NX; ++i) {
        x[i] = states[i * members + m];
    }
    for (i = 0; i < NU; ++i) {
        u[i] = inputs[i * members + m];
    }
    run.c = constants + axl_tile_of(m, NCONSTANTS);
    run.u = u;
    for (k = 0; k < steps; ++k) {
        const double t = start + h * (double)(first + k);
        axl_real sum = AXL_N(0.0);
        AXL_FORGET(run.c);
        axl_step(&run, (axl_real)t, (axl_real)h, x);
#if PROJECTED
        {
            axl_real moved[NX_ARRAY];
            model_project((axl_real)(start + h * (double)(first + k + 1)), x, u, run.c, moved);
            for (i = 0; i < NX; ++i) {
                x[i] = moved[i];
            }
        }
#endif
        for (i = 0; i < NX; ++i) {
            sum += x[i] - x[i];
        }
        if (end < 0 && sum != AXL_N(0.0)) {
            end = first + k + 1;
        }
    }
    failed[m] = end;
    for (i = 0; i < NX; ++i) {
        states[i * members + m] = x[i];
    }
}

#if NY
AXL_KERNEL axl_outputs(
    long long members, double time, const axl_number *constants, const axl_number *inputs,
    const axl_number *states, axl_number *outputs)
{
    const long long m = AXL_MEMBER;
    axl_real x[NX_ARRAY], u[NU_ARRAY], y[NY_ARRAY];
    int i;
    if (m >= members) {
        return;
    }
    for (i = 0; i < NX; ++i) {
        x[i] = states[i * members + m];
    }
    for (i = 0; i < NU; ++i) {
        u[i] = inputs[i * members + m];
    }
    model_outputs((axl_real)time, x, u, constants + axl_tile_of(m, NCONSTANTS), y);
    for (i = 0; i < NY; ++i) {
        outputs[i * members + m] = y[i];
    }
}
#endif

AXL_DEVICE void axl_step(const axl_run *run, axl_real t, axl_real h, axl_real *x)
{
    axl_real k1[NX_ARRAY];
    int i;
    axl_slope(run, t, x, k1);
    for (i = 0; i < NX; ++i) {
        x[i] = x[i] + h * k1[i];
    }
}
