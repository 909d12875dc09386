static inline uint64_t axl_bits(double v)
{
    uint64_t bits;
    memcpy(&bits, &v, sizeof bits);
    return bits;
}

static inline double axl_of_bits(uint64_t bits)
{
    double v;
    memcpy(&v, &bits, sizeof v);
    return v;
}

static inline axl_mask axl_lt(double a, double b)
{
    return AXL_COMPARED(a, <, b);
}

static inline axl_mask axl_le(double a, double b)
{
    return AXL_COMPARED(a, <=, b);
}

static inline axl_mask axl_ne(double a, double b)
{
    return AXL_COMPARED(a, !=, b);
}

static inline double axl_pick(axl_mask first, double a, double b)
{
#ifdef __GNUC__
    const axl_two one = {a, a}, other = {b, b};
    return ((axl_two)((first & (axl_mask)one) | (~first & (axl_mask)other)))[0];
#else
    return axl_of_bits((axl_bits(a) & first) | (axl_bits(b) & ~first));
#endif
}

/* 1 where a mask is set, else 0. */
static inline uint64_t axl_is(axl_mask set)
{
#ifdef __GNUC__
    return (uint64_t)set[0] & 1u;
#else
    return set & 1u;
#endif
}

static inline axl_mask axl_odd(uint64_t number)
{
#ifdef __GNUC__
    const int64_t set = -(int64_t)(number & 1u);
    return (axl_mask){set, set};
#else
    return UINT64_C(0) - (number & 1u);
#endif
}

static inline double axl_with_sign(double size, double sign)
{
    const uint64_t top = UINT64_C(1) << 63;
    return axl_of_bits((axl_bits(size) & ~top) | (axl_bits(sign) & top));
}

/* p 2^k in two factors, of which none is too large where the product is not. */
static inline double axl_scaled(double p, int k)
{
    const int half = k / 2, rest = k - half;
    const double once = p * axl_of_bits((uint64_t)(1023 + half) << 52);
    return once * axl_of_bits((uint64_t)(1023 + rest) << 52);
}

/* The bits of v up to its 26th: a product of two such numbers is exact. */
static inline double axl_upper(double v)
{
    return axl_of_bits(axl_bits(v) & ~UINT64_C(0x7ffffff));
}

/* The product of two numbers and what it is rounded by (Dekker 1971). */
static inline double axl_product(double a, double b, double *rest)
{
    const double whole = a * b, a1 = axl_upper(a), b1 = axl_upper(b), a2 = a - a1, b2 = b - b1;
    *rest = ((a1 * b1 - whole) + a1 * b2 + a2 * b1) + a2 * b2;
    return whole;
}

/* The upper half of a product of two integers of 64 bits. */
static inline uint64_t axl_upper_half(uint64_t a, uint64_t b)
{
#ifdef __SIZEOF_INT128__
    __extension__ typedef unsigned __int128 axl_wide;
    return (uint64_t)(((axl_wide)a * b) >> 64);
#else
    const uint64_t part = UINT64_C(0xffffffff), a1 = a >> 32, a2 = a & part, b1 = b >> 32;
    const uint64_t b2 = b & part, low = a2 * b2, mixed = a1 * b2 + (low >> 32);
    const uint64_t other = a2 * b1 + (mixed & part);
    return a1 * b1 + (mixed >> 32) + (other >> 32);
#endif
}

/* 2 / pi: after 128 zeros the bits behind its point. */
static const uint64_t axl_two_over_pi[22] = {
    UINT64_C(0x0000000000000000), UINT64_C(0x0000000000000000), UINT64_C(0xa2f9836e4e441529),
    UINT64_C(0xfc2757d1f534ddc0), UINT64_C(0xdb6295993c439041), UINT64_C(0xfe5163abdebbc561),
    UINT64_C(0xb7246e3a424dd2e0), UINT64_C(0x06492eea09d1921c), UINT64_C(0xfe1deb1cb129a73e),
    UINT64_C(0xe88235f52ebb4484), UINT64_C(0xe99c7026b45f7e41), UINT64_C(0x3991d639835339f4),
    UINT64_C(0x9c845f8bbdf9283b), UINT64_C(0x1ff897ffde05980f), UINT64_C(0xef2f118b5a0a6d1f),
    UINT64_C(0x6d367ecf27cb09b7), UINT64_C(0x4f463f669e5fea2d), UINT64_C(0x7527bac7ebe5f17b),
    UINT64_C(0x3d0739f78a5292ea), UINT64_C(0x6bfb5fb11f8d5d08), UINT64_C(0x56033046fc7b6bab),
    UINT64_C(0xf0cfbc209af4361d),
};

/* |v| as a whole number of quarter turns, which is returned, and an angle *high + *low of at most
   an eighth. With |v| = m 2^(e - 52), m a whole number, bits of 2 / pi whose products are multiples
   of four quarter turns are left out; of the 192 bits after them the lower 192 bits of a product
   with m are the part of a turn (Payne and Hanek 1983). What is cut off is below 2^-135, and no
   double is nearer to a multiple of pi / 2 than 2^-62. */
static inline int axl_quarter_turns(double v, double *high, double *low)
{
    const double size = fabs(v);
    const uint64_t bits = axl_bits(size), one = UINT64_C(1) << 52, m = (bits & (one - 1)) | one;
    const int e = (int)(bits >> 52) - 1023;
    const axl_mask is_small = axl_lt(size, 0x1p-30);
    const uint64_t is_reduced = axl_is(axl_le(0x1p-30, size) & axl_lt(size, HUGE_VAL));
    const unsigned place = (unsigned)(e + 74) & (0u - (unsigned)is_reduced);
    const uint64_t *w = axl_two_over_pi + (place >> 6);
    const unsigned left = place & 63u, right = 63u - left;
    const uint64_t w0 = w[0] << left | w[1] >> 1 >> right, w1 = w[1] << left | w[2] >> 1 >> right;
    const uint64_t w2 = w[2] << left | w[3] >> 1 >> right;
    const uint64_t product = m * w1, middle = product + axl_upper_half(m, w2);
    const uint64_t turn = m * w0 + axl_upper_half(m, w1) + (uint64_t)(middle < product);
    /* To the nearest quarter: what is left is a signed number of 128 bits, its sign apart. */
    const uint64_t rest = turn << 2 | middle >> 62, beyond = UINT64_C(0) - (rest >> 63);
    const uint64_t upper = rest ^ beyond, lower = (middle << 2) ^ beyond;
    const double big = (double)(int64_t)(upper & ~UINT64_C(0x7ff)) * 0x1p-64;
    const double little = (double)(int64_t)(upper & UINT64_C(0x7ff)) * 0x1p-64
        + (double)(int64_t)(lower >> 11) * 0x1p-117;
    const double h = big + little, l = little - (h - big);
    double more;
    const double angle = axl_product(h, 1.5707963267948966, &more);
    const double less = more + (h * 6.123233995736766e-17 + l * 1.5707963267948966);
    const double sign = axl_of_bits(axl_bits(1.0) | (beyond & UINT64_C(1) << 63));
    *high = axl_pick(is_small, size, sign * angle) + (size - size);
    *low = axl_pick(is_small, 0.0, sign * less);
    return (int)(((turn + (UINT64_C(1) << 61)) >> 62) & (UINT64_C(0) - is_reduced));
}

/* sin(high + low) and cos(high + low) of at most an eighth of a turn, by their power series; halves
   of a polynomial wait for each other less than its terms one by one. */
static inline double axl_short_sin(double high, double low)
{
    const double z = high * high, z2 = z * z;
    const double first = (1.0 / 120.0 - 1.0 / 5040.0 * z)
        + z2 * (1.0 / 362880.0 - 1.0 / 39916800.0 * z);
    const double last = (1.0 / 6227020800.0 - 1.0 / 1307674368000.0 * z)
        + z2 * (1.0 / 355687428096000.0);
    const double p = first + z2 * z2 * last;
    return high + (low - 0.5 * z * low + high * z * (z * p - 1.0 / 6.0));
}

static inline double axl_short_cos(double high, double low)
{
    const double z = high * high, z2 = z * z, half = 0.5 * z, begin = 1.0 - half;
    const double first = (1.0 / 24.0 - 1.0 / 720.0 * z)
        + z2 * (1.0 / 40320.0 - 1.0 / 3628800.0 * z);
    const double last = (1.0 / 479001600.0 - 1.0 / 87178291200.0 * z)
        + z2 * (1.0 / 20922789888000.0);
    const double p = first + z2 * z2 * last;
    return begin + (((1.0 - begin) - half) + (z2 * p - high * low));
}

/* Both of one angle, side by side, so that a compiler calls this once for the two. */
static axl_two axl_sin_and_cos(double v)
{
    double high, low;
    const int turn = axl_quarter_turns(v, &high, &low);
    const axl_mask is_odd = axl_odd((uint64_t)turn);
    const double s = axl_short_sin(high, low), c = axl_short_cos(high, low);
    const double sine = axl_pick(is_odd, c, s), cosine = axl_pick(is_odd, s, c);
    const uint64_t back = (uint64_t)(turn & 2) << 62, up = (uint64_t)((turn + 1) & 2) << 62;
    const axl_two both = {
        axl_of_bits(axl_bits(sine) ^ back ^ (axl_bits(v) & UINT64_C(1) << 63)),
        axl_of_bits(axl_bits(cosine) ^ up),
    };
    return both;
}

static inline double axl_fixed_sin(double v)
{
    return AXL_LANE(axl_sin_and_cos(v), 0);
}

static inline double axl_fixed_cos(double v)
{
    return AXL_LANE(axl_sin_and_cos(v), 1);
}

static inline double axl_fixed_tan(double v)
{
    const axl_two both = axl_sin_and_cos(v);
    return AXL_LANE(both, 0) / AXL_LANE(both, 1);
}

/* The arcus tangent of k / 8, and what it is rounded by. */
static const double axl_arcs[9][2] = {
    {0.0, 0.0},
    {0.12435499454676144, -3.1253241424539383e-18},
    {0.24497866312686414, 1.0698755618734451e-17},
    {0.35877067027057225, -2.4623815582638635e-17},
    {0.4636476090008061, 2.2698777457462968e-17},
    {0.5585993153435624, -5.4556305485916264e-18},
    {0.6435011087932844, 1.5834785051444286e-17},
    {0.7188299996216245, -2.1478388444456983e-17},
    {0.7853981633974483, 3.061616997868383e-17},
};

/* Of the smaller side over the larger one, less that of the nearest k / 8, by the power series. */
static inline double axl_fixed_atan2(double y, double x)
{
    const double wide = fabs(x), high = fabs(y);
    const axl_mask is_steep = axl_lt(wide, high);
    const double longer = axl_pick(is_steep, high, wide), shorter = axl_pick(is_steep, wide, high);
    const axl_mask is_endless = axl_le(HUGE_VAL, longer);
    const double finer = axl_pick(axl_lt(longer, 0x1p-900), 0x1p+120, 1.0);
    const double unit = axl_pick(axl_lt(0x1p+1000, longer), 0x1p-100, finer);
    const double both = axl_pick(axl_le(HUGE_VAL, shorter), 1.0, 0.0);
    const double below = axl_pick(is_endless | axl_le(longer, 0.0), 1.0, longer * unit);
    const double above = axl_pick(is_endless, both, shorter * unit);
    const double ratio = above / below;
    const int k = (int)(8.0 * axl_pick(axl_le(ratio, 1.0), ratio, 0.0) + 0.5); /* 0 for no number */
    const double c = 0.125 * (double)k;
    const double t = (above - c * below) / (below + c * above), z = t * t;
    const double z2 = z * z, begin = (1.0 / 5.0 * z - 1.0 / 3.0) + z2 * (1.0 / 9.0 * z - 1.0 / 7.0);
    const double p = z * (begin + z2 * z2 * (1.0 / 13.0 * z - 1.0 / 11.0));
    const double first = axl_arcs[k][0] + (t + (t * p + axl_arcs[k][1]));
    const double steep = (1.5707963267948966 - first) + 6.123233995736766e-17;
    const double front = axl_pick(is_steep, steep, first);
    const double back = (3.141592653589793 - front) + 1.2246467991473532e-16;
    const double size = axl_pick(axl_odd(axl_bits(x) >> 63), back, front);
    return axl_pick(axl_ne(x, x) | axl_ne(y, y), x + y, axl_with_sign(size, y));
}

static inline double axl_fixed_atan(double v)
{
    return axl_fixed_atan2(v, 1.0);
}

static inline double axl_fixed_asin(double v)
{
    return axl_fixed_atan2(v, sqrt((1.0 - v) * (1.0 + v)));
}

static inline double axl_fixed_acos(double v)
{
    return axl_fixed_atan2(sqrt((1.0 - v) * (1.0 + v)), v);
}

/* exp(high + low) = 2^k (1 + p): returns p, by the power series of what the nearest multiple of
   log 2 leaves. Beyond the range of numbers k is so large that the product is 0 or infinite. */
static inline double axl_exp_parts(double high, double low, int *k)
{
    const axl_mask is_low = axl_lt(high, -746.0), is_high = axl_lt(711.0, high);
    const double near = axl_pick(is_low, -746.0, axl_pick(is_high, 711.0, high));
    const double v = axl_pick(axl_ne(near, near), 0.0, near);
    const double more = axl_pick(is_low | is_high, 0.0, low);
    const double n = (v * 1.4426950408889634 + 6755399441055744.0) - 6755399441055744.0;
    const double r = (v - n * 0.6931471803691238) - (n * 1.9082149292705877e-10 - more);
    const double r2 = r * r, r4 = r2 * r2;
    const double a = (1.0 / 6.0 + 1.0 / 24.0 * r) + r2 * (1.0 / 120.0 + 1.0 / 720.0 * r);
    const double b = (1.0 / 5040.0 + 1.0 / 40320.0 * r)
        + r2 * (1.0 / 362880.0 + 1.0 / 3628800.0 * r);
    const double c = (1.0 / 39916800.0 + 1.0 / 479001600.0 * r) + r2 * (1.0 / 6227020800.0);
    *k = (int)n;
    return r + r2 * (0.5 + r * (a + r4 * (b + r4 * c)));
}

static inline double axl_fixed_exp(double v)
{
    int k;
    const double p = axl_exp_parts(v, 0.0, &k);
    return axl_pick(axl_ne(v, v), v, axl_scaled(1.0 + p, k));
}

/* exp(v) - 1 for v of at most 700. */
static inline double axl_growth(double v)
{
    int k;
    const double p = axl_exp_parts(v, 0.0, &k), power = axl_scaled(1.0, k);
    return power * p + (power - 1.0);
}

/* exp(v) / 2, which is finite a little longer than exp(v). */
static inline double axl_half_exp(double v)
{
    int k;
    const double p = axl_exp_parts(v, 0.0, &k);
    return axl_pick(axl_ne(v, v), v, axl_scaled(1.0 + p, k - 1));
}

static inline double axl_fixed_sinh(double v)
{
    const double size = fabs(v), less = axl_growth(axl_pick(axl_lt(22.0, size), 22.0, size));
    const double near = 0.5 * (less + less / (less + 1.0));
    return axl_with_sign(axl_pick(axl_le(size, 22.0), near, axl_half_exp(size)), v);
}

static inline double axl_fixed_cosh(double v)
{
    const double half = axl_half_exp(fabs(v));
    return half + 0.25 / half;
}

static inline double axl_fixed_tanh(double v)
{
    const double size = fabs(v);
    const double less = axl_growth(axl_pick(axl_lt(22.0, size), 44.0, 2.0 * size));
    return axl_pick(axl_ne(v, v), v, axl_with_sign(less / (less + 2.0), v));
}

/* v = m 2^k with m between sqrt(1/2) and sqrt(2), for v > 0: returns m - 1, which is exact. */
static inline double axl_log_parts(double v, int *k)
{
    const axl_mask is_tiny = axl_lt(v, 0x1p-1022);
    const uint64_t middle = UINT64_C(0x3fe6a09e667f3bcd);
    const uint64_t above = axl_bits(axl_pick(is_tiny, v * 0x1p+54, v)) - middle;
    *k = (int)((int64_t)(above & ~((UINT64_C(1) << 52) - 1)) / (INT64_C(1) << 52));
    *k -= 54 * (int)axl_is(is_tiny);
    return axl_of_bits((above & ((UINT64_C(1) << 52) - 1)) + middle) - 1.0;
}

/* log(1 + f) = f - f^2/2 + s (f^2/2 + R), s = f / (2 + f), 2 s + s R = log((1 + s) / (1 - s)). */
static inline double axl_fixed_log(double v)
{
    int k;
    const axl_mask is_usual = axl_lt(0.0, v) & axl_lt(v, HUGE_VAL);
    const double f = axl_log_parts(axl_pick(is_usual, v, 1.0), &k), s = f / (2.0 + f), z = s * s;
    const double r = ((((((((2.0 / 19.0 * z + 2.0 / 17.0) * z + 2.0 / 15.0) * z + 2.0 / 13.0) * z
        + 2.0 / 11.0) * z + 2.0 / 9.0) * z + 2.0 / 7.0) * z + 2.0 / 5.0) * z + 2.0 / 3.0) * z;
    const double half = 0.5 * f * f, n = (double)k;
    const double value = n * 0.6931471803691238
        - ((half - (s * (half + r) + n * 1.9082149292705877e-10)) - f);
    const double above = axl_pick(axl_lt(0.0, v), v, (v - v) / 0.0); /* no number below 0 */
    return axl_pick(is_usual, value, axl_pick(axl_ne(v, 0.0), above, -HUGE_VAL));
}

/* The logarithm of a number above 0 with 64 bits and more: 2 s (1 + z/3 + z^2/5 + ...), z = s^2, in
   numbers of two parts as far as these bits need it. */
static inline double axl_long_log(double v, double *low)
{
    int k;
    const double f = axl_log_parts(v, &k), below = 2.0 + f, rest = f - (below - 2.0);
    double e1, e2, e3, e4;
    const double s = f / below, back = axl_product(s, below, &e1);
    const double s2 = (((f - back) - e1) - s * rest) / below;
    const double z = axl_product(s, s, &e2), z2 = e2 + 2.0 * s * s2;
    const double cube = axl_product(s, z, &e3), cube2 = e3 + (s * z2 + s2 * z);
    const double third = axl_product(cube, 0.6666666666666666, &e4);
    const double third2 = e4 + (cube * 3.700743415417188e-17 + cube2 * 0.6666666666666666);
    const double tail = cube * z
        * ((((((((2.0 / 21.0 * z + 2.0 / 19.0) * z + 2.0 / 17.0) * z + 2.0 / 15.0) * z + 2.0 / 13.0)
        * z + 2.0 / 11.0) * z + 2.0 / 9.0) * z + 2.0 / 7.0) * z + 2.0 / 5.0);
    const double n = (double)k, whole = n * 0.6931471803691238, twice = 2.0 * s;
    const double one = whole + twice, kept = one - whole;
    const double lost = (whole - (one - kept)) + (twice - kept);
    const double two = one + third, kept2 = two - one;
    const double lost2 = (one - (two - kept2)) + (third - kept2);
    const double all = lost + lost2 + (tail + (third2 + (2.0 * s2 + n * 1.9082149292705877e-10)));
    const double high = two + all;
    *low = all - (high - two);
    return high;
}

static inline double axl_fixed_floor(double v)
{
    const double size = fabs(v);
    const double whole = axl_with_sign((size + 0x1p+52) - 0x1p+52, v);
    return axl_pick(axl_lt(size, 0x1p+52), whole - axl_pick(axl_lt(v, whole), 1.0, 0.0), v);
}

/* |x|^y = exp(y log|x|) with the sign and the exceptions of ISO C, annex F. */
static inline double axl_fixed_pow(double x, double y)
{
    const double size = fabs(x), bound = 0x1p+65;
    const axl_mask is_broken = axl_ne(axl_fixed_floor(y), y);
    const axl_mask is_odd = ~is_broken & axl_ne(2.0 * axl_fixed_floor(0.5 * y), y);
    const axl_mask is_one = ~(axl_ne(x, 1.0) & axl_ne(y, 0.0));
    const axl_mask is_usual = axl_lt(0.0, size) & axl_lt(size, HUGE_VAL);
    const double least = axl_pick(axl_lt(y, -bound), -bound, y);
    const double power = axl_pick(axl_lt(bound, y), bound, least);
    double low, rest;
    const double high = axl_long_log(axl_pick(is_usual, size, 1.0), &low);
    const double exponent = axl_pick(is_one, low - low, power); /* 0: even NaN^0 is 1 */
    const double product = axl_product(exponent, high, &rest);
    int k;
    const double p = axl_exp_parts(product, rest + exponent * low, &k);
    const axl_mask is_rising = axl_lt(0.0, y) ^ axl_le(size, 0.0);
    const double at_end = axl_pick(is_rising, HUGE_VAL, 0.0);
    const double number = axl_pick(is_usual | is_one, axl_scaled(1.0 + p, k), at_end);
    const double value = axl_with_sign(number, axl_pick(is_odd, x, 1.0));
    const axl_mask is_none = axl_ne(x, x) | axl_ne(y, y) | (is_usual & axl_lt(x, 0.0) & is_broken);
    return axl_pick(is_none & ~is_one, (value - value) / (value - value), value);
}

static inline double axl_fixed_fabs(double v)
{
    return fabs(v);
}

static inline double axl_fixed_sqrt(double v)
{
    return sqrt(v);
}

/* As those of the library: a number where the other is none. */
static inline double axl_fixed_fmin(double a, double b)
{
    return axl_pick(axl_lt(a, b) | axl_ne(b, b), a, b);
}

static inline double axl_fixed_fmax(double a, double b)
{
    return axl_pick(axl_lt(b, a) | axl_ne(b, b), a, b);
}

static inline double axl_fixed_min(double a, double b)
{
    return axl_pick(axl_lt(a, b) | axl_ne(a, a), a, b);
}

static inline double axl_fixed_max(double a, double b)
{
    return axl_pick(axl_lt(b, a) | axl_ne(a, a), a, b);
}

static inline double axl_fixed_sign(double v)
{
    const double above = axl_pick(axl_lt(0.0, v), 1.0, v + 0.0);
    return axl_pick(axl_lt(v, 0.0), -1.0, above);
}

static inline double axl_fixed_lookup(
    double v, int n, int width, const double *breaks, const double *rows)
{
    int row = 0, half = 1, k;
    double local, value;
    while (2 * half <= n) {
        half *= 2;
    }
    for (; half > 0; half /= 2) {
        const int is_there = row + half <= n;
        const double begin = breaks[(row + half - 1) & -is_there];
        row += half & -(is_there & (int)axl_is(axl_le(begin, v)));
    }
    local = v - breaks[(row - 1) & -(row > 0)];
    rows += row * width;
    value = rows[width - 1];
    for (k = width - 2; k >= 0; --k) {
        value = value * local + rows[k];
    }
    return axl_pick(axl_ne(v, v), v, value);
}
