/* A step of ROS2. NSTAGE is how many values model_first_stage gives: k1, then what its second stage
   needs, which gives k1 + k2. */
static void axl_step(const axl_run *run, axl_real t, axl_real h, axl_real *x)
{
    axl_real w[1 + NSTAGE], both[NX_ARRAY], y[NX_ARRAY];
    const axl_real g[1] = {GAMMA * h}, *k1 = w + 1;
    int i;
    w[0] = g[0];
    axl_inputs(run, t);
    model_first_stage(t, x, run->u, run->c, g, w + 1);
    for (i = 0; i < NX; ++i) {
        y[i] = x[i] + h * k1[i];
    }
    axl_inputs(run, t + h);
    model_second_stage(t + h, y, run->u, run->c, w, both);
    for (i = 0; i < NX; ++i) {
        x[i] += h * (k1[i] + AXL_N(0.5) * both[i]);
    }
}
