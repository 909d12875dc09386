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
