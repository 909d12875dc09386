/* What steps call, and what is looked at after each of them. Before it are the routines of the
   model, the type axl_run, axl_inputs(run, t), which leaves the inputs at t in run->u, and the
   numbers

   NX, NX_ARRAY, NP, NS_ARRAY   sizes, as in loop.c
   SLOPE, SPLIT, PROJECTED      whether steps call axl_slope and axl_speed_rates, and whether states
                                are projected after them
   MOST_ACROSS, MOST_PER_STEP, NEAR_SINGULAR, PI   what axl_lost compares with [rad]
   LOOKS_ALWAYS                 whether axl_lost is to cost the same however far angles turn */

#if SLOPE
static void axl_slope(const axl_run *run, axl_real t, const axl_real *x, axl_real *xdot)
{
    axl_inputs(run, t);
    model_rhs(t, x, run->u, run->c, xdot);
}
#endif

#if SPLIT
static void axl_speed_rates(const axl_run *run, axl_real t, const axl_real *x, axl_real *pdot)
{
    axl_inputs(run, t);
    model_speed_rates(t, x, run->u, run->c, pdot);
}
#endif

#if PROJECTED
static void axl_project(const axl_run *run, axl_real t, axl_real *x)
{
    axl_real moved[NX_ARRAY];
    axl_inputs(run, t);
    model_project(t, x, run->u, run->c, moved);
    memcpy(x, moved, NX * sizeof(axl_real));
}
#endif

/* Whether a step has lost an orientation where two axes are in line. */
static int axl_lost(const axl_run *run)
{
    int64_t k;
    int lost = 0;
    for (k = 0; k < run->turns; ++k) {
        const int64_t *place = run->turn_places + 3 * k; /* first, middle, repeated */
        const axl_real turned = AXL_F(fabs)(run->x[place[0]] - run->previous[place[0]]);
        const axl_real middle = run->x[place[1]], before = run->previous[place[1]];
        const axl_real shift = place[2] ? AXL_N(0.0) : AXL_N(0.5);
#if LOOKS_ALWAYS
        const axl_real apart = place[2] ? AXL_F(sin)(middle) : AXL_F(cos)(middle);
        const int passes = AXL_F(floor)(middle / PI + shift) != AXL_F(floor)(before / PI + shift);
        lost |= (turned > MOST_ACROSS) & passes;
        lost |= (turned > MOST_PER_STEP) & (AXL_F(fabs)(apart) < NEAR_SINGULAR);
#else
        if (turned > MOST_ACROSS
            && AXL_F(floor)(middle / PI + shift) != AXL_F(floor)(before / PI + shift)) {
            return 1;
        }
        if (turned > MOST_PER_STEP
            && AXL_F(fabs)(place[2] ? AXL_F(sin)(middle) : AXL_F(cos)(middle))
                < NEAR_SINGULAR) {
            return 1;
        }
#endif
    }
    return lost;
}

static int axl_all_finite(const axl_real *values, int count)
{
    axl_real sum[4] = {0}; /* four sums wait for each other less than one */
    int i, k;
    for (i = 0; i + 4 <= count; i += 4) {
        for (k = 0; k < 4; ++k) {
            sum[k] += values[i + k] - values[i + k]; /* 0, or NaN where a value is not finite */
        }
    }
    for (; i < count; ++i) {
        sum[0] += values[i] - values[i];
    }
    return sum[0] + sum[1] + sum[2] + sum[3] == AXL_N(0.0);
}
