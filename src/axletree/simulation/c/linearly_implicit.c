/* A step of ROS2. NSTIFF is how many factors model_stiff_factors gives; the right-hand side stands
   behind them in one array. */
static void axl_step(const axl_run *run, axl_real t, axl_real h, axl_real *x)
{
    axl_real w[NSTIFF + NX_ARRAY], k1[NX_ARRAY], k2[NX_ARRAY], y[NX_ARRAY];
    const axl_real g[1] = {GAMMA * h};
    int i;
    axl_slope(run, t, x, w + NSTIFF);
    model_stiff_factors(t, x, run->u, run->c, g, w);
    model_stiff_solution(t, x, run->u, run->c, w, k1);
    for (i = 0; i < NX; ++i) {
        y[i] = x[i] + h * k1[i];
    }
    axl_slope(run, t + h, y, w + NSTIFF);
    for (i = 0; i < NX; ++i) {
        w[NSTIFF + i] -= AXL_N(2.0) * k1[i];
    }
    axl_inputs(run, t);
    model_stiff_solution(t, x, run->u, run->c, w, k2);
    for (i = 0; i < NX; ++i) {
        x[i] += h * (AXL_N(1.5) * k1[i] + AXL_N(0.5) * k2[i]);
    }
}
