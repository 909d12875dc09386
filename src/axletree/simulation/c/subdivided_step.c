/* A step whose parts are halved until each meets the tolerances. Before it are the loop and the
   numbers

   STAGES         evaluations of the tableau, the last at the end of a part
   WHOLE          how many of the shortest parts make a step
   HALVINGS       at most, from one try to the next
   SMALL_ERROR    up to which twice this part would still be within the tolerances
   GAIN           what halving a part makes of its error, where forces are smooth

   STAGE_LINES stands for the lines of the tableau, SUM_LINES for its estimate of the error. */

/* Over h from t, x, k[0] = xdot: y at the end, ydot in k[STAGES - 1], and the error over what it
   may be. */
static double axl_part(const axl_run *run, double t, double h, const double *x, double *y,
                       double k[STAGES][NX_ARRAY])
{
    double worst = 0.0;
    int i;
STAGE_LINES
    for (i = 0; i < NX; ++i) {
        const double before = x[i] < 0.0 ? -x[i] : x[i], after = y[i] < 0.0 ? -y[i] : y[i];
SUM_LINES
        const double off = h * (sum < 0.0 ? -sum : sum)
            / (run->absolute + run->relative * (before > after ? before : after));
        worst = off <= worst ? worst : off; /* NaN stays */
        if (off != off) {
            break;
        }
    }
    return worst;
}

static void axl_step(const axl_run *run, double t, double h, double *x)
{
    double k[STAGES][NX_ARRAY], y[NX_ARRAY];
    int64_t done = 0, size = WHOLE;
    int halvings;
    axl_slope(run, t, x, k[0]);
    while (done < WHOLE) {
        const double begin = t + h * ((double)done / WHOLE);
        double worst = axl_part(run, begin, h * ((double)size / WHOLE), x, y, k);
        if (!(worst <= 1.0) && size > 1) {
            for (halvings = 0; !(worst <= 1.0) && size > 1 && halvings < HALVINGS; ++halvings) {
                size /= 2;
                worst *= GAIN;
            }
            continue;
        }
        memcpy(x, y, NX * sizeof(double));
        memcpy(k[0], k[STAGES - 1], NX * sizeof(double));
        done += size;
        if (worst <= SMALL_ERROR && done % (2 * size) == 0) {
            size *= 2;
        }
    }
}
