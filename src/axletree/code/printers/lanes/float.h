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

