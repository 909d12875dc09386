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

