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
