/* A linearly implicit step with its second evaluation at AHEAD of it. NSTAGE is how many values
   model_first_stage gives: k1, then what model_second_stage needs, which gives what the mean slope
   has beside k1. */
static void axl_step(const axl_run *run, axl_real t, axl_real h, axl_real *x)
{
    axl_real w[1 + NSTAGE], more[NX_ARRAY], y[NX_ARRAY];
    const axl_real g[1] = {GAMMA * h}, later = AHEAD * h, *k1 = w + 1;
    int i;
    w[0] = g[0];
    axl_inputs(run, t);
    model_first_stage(t, x, run->u, run->c, g, w + 1);
    for (i = 0; i < NX; ++i) {
        y[i] = x[i] + later * k1[i];
    }
    axl_inputs(run, t + later);
    model_second_stage(t + later, y, run->u, run->c, w, more);
    for (i = 0; i < NX; ++i) {
        x[i] += h * (k1[i] + more[i]);
    }
}
