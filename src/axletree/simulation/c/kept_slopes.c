/* The slopes of the stages of a step, kept at run->work + 1 as steps take them, while run->work[0] is
   below 0: less by NSTAGES than how many there are. It stands between the loop and axl_step. */
#if SLOPE
static void axl_kept_slope(const axl_run *run, double t, const double *x, double *xdot)
{
    const int place = NSTAGES + (int)run->work[0];
    axl_slope(run, t, x, xdot);
    if (place < NSTAGES) {
        memcpy(run->work + 1 + place * NX, xdot, NX * sizeof(double));
        run->work[0] += 1.0;
    }
}
#define axl_slope axl_kept_slope
#endif
