/* The adjoint of a run of equal steps, of the integrator itself: what is found of the last state, and
   of an integral over the run by the trapezoidal rule, by first states, inputs and parameters. Before
   it stand the text of the loop, with axl_step, and as numbers NG, the columns of model_adjoint, and
   NSTAGES; AXL_NODES, AXL_ROWS, AXL_WEIGHTS are those of the method, and SPLIT says that it moves the
   speeds first and all other states then.

   Where a stretch is as long as the run, all states are kept in it, and the slopes of all stages if
   there is room for these; else states are kept at every so many steps, and computed again from
   there, stretch by stretch. */

typedef struct {
    const double *end, *within; /* weights of states and outputs: of the last, of the integral */
    double *kept, *stretch, *slopes, *gradient, *value;
    int64_t apart, has_slopes; /* steps between kept states; whether slopes are kept */
} axl_goal;

enum { AXL_ROWS_OF_W = NX + NY };

/* w d(rates, outputs) / d(x, u, p), added to the gradient; the part by the states is returned. */
static void axl_back(axl_run *run, double t, const double *x, const double *w, double *by_states,
                     double *gradient)
{
    double found[NG];
    int i;
    axl_inputs(run, t);
    model_adjoint(t, x, run->u, run->c, w, found);
    for (i = 0; i < NX; ++i) {
        by_states[i] = found[i];
    }
    for (i = NX; i < NG; ++i) {
        gradient[i] += found[i];
    }
}

/* States and outputs at an instant with these weights: their value, and what they give back. */
static void axl_tell(axl_run *run, double t, const double *x, const double *weights, double factor,
                     double *adjoint, const axl_goal *goal)
{
    double w[AXL_ROWS_OF_W], by_states[NX_ARRAY];
    int i, any = 0;
    for (i = 0; i < NX; ++i) {
        w[i] = 0.0;
        adjoint[i] += factor * weights[i];
        *goal->value += factor * weights[i] * x[i];
    }
    for (i = NX; i < AXL_ROWS_OF_W; ++i) {
        w[i] = factor * weights[i];
        any |= w[i] != 0.0;
    }
#if NY
    if (any) {
        double y[NY];
        axl_inputs(run, t);
        model_outputs(t, x, run->u, run->c, y);
        for (i = 0; i < NY; ++i) {
            *goal->value += w[NX + i] * y[i];
        }
        axl_back(run, t, x, w, by_states, goal->gradient);
        for (i = 0; i < NX; ++i) {
            adjoint[i] += by_states[i];
        }
    }
#endif
    (void)any;
    (void)by_states;
    (void)t;
}

#if SPLIT
/* p1 = p + h pdot(t, p, z), z1 = z + h zdot(t, p1, z): the second line first. */
static void axl_step_back(axl_run *run, double t, double h, const double *x, const double *next,
                          const double *slopes, double *adjoint, double *gradient)
{
    double w[AXL_ROWS_OF_W] = {0.0}, by_states[NX_ARRAY], between[NX_ARRAY];
    int i;
    (void)slopes;
    for (i = 0; i < NX; ++i) {
        between[i] = i < NP ? next[i] : x[i];
        w[i] = i < NP ? 0.0 : h * adjoint[i];
    }
    axl_back(run, t, between, w, by_states, gradient);
    for (i = 0; i < NX; ++i) {
        adjoint[i] += by_states[i];
        w[i] = i < NP ? h * adjoint[i] : 0.0;
    }
    axl_back(run, t, x, w, by_states, gradient);
    for (i = 0; i < NX; ++i) {
        adjoint[i] += by_states[i];
    }
}
#else
/* With the slopes of the stages, where these are kept; else they are computed again. */
static void axl_step_back(axl_run *run, double t, double h, const double *x, const double *next,
                          const double *slopes, double *adjoint, double *gradient)
{
    static const double nodes[NSTAGES] = AXL_NODES, weights[NSTAGES] = AXL_WEIGHTS;
    static const double rows[NSTAGES][NSTAGES] = AXL_ROWS;
    double z[NSTAGES][NX_ARRAY], k[NSTAGES][NX_ARRAY], back[NSTAGES][NX_ARRAY];
    double w[AXL_ROWS_OF_W] = {0.0};
    int i, j, l;
    (void)next;
    for (j = 0; j < NSTAGES; ++j) {
        for (i = 0; i < NX; ++i) {
            z[j][i] = x[i];
            for (l = 0; l < j; ++l) {
                z[j][i] += h * rows[j][l] * k[l][i];
            }
        }
        if (slopes != 0) {
            memcpy(k[j], slopes + j * NX, NX * sizeof(double));
        } else if (j < NSTAGES - 1) {
            axl_slope(run, t + nodes[j] * h, z[j], k[j]);
        }
    }
    for (j = NSTAGES - 1; j >= 0; --j) {
        for (i = 0; i < NX; ++i) {
            w[i] = h * weights[j] * adjoint[i];
            for (l = j + 1; l < NSTAGES; ++l) {
                w[i] += h * rows[l][j] * back[l][i];
            }
        }
        axl_back(run, t + nodes[j] * h, z[j], w, back[j], gradient);
    }
    for (i = 0; i < NX; ++i) {
        for (j = 0; j < NSTAGES; ++j) {
            adjoint[i] += back[j][i];
        }
    }
}
#endif

static double axl_at(const axl_run *run, int64_t step)
{
    return run->start + run->h * (double)step;
}

/* The gradient over (x, u, p), or the step after which a state is not finite; 0 if all is well. */
int64_t axl_adjoint_run(axl_run *run, const axl_goal *goal)
{
    const size_t bytes = NX * sizeof(double);
    const int64_t last = run->last, apart = goal->apart;
    const int is_whole = apart >= last;
    double adjoint[NX_ARRAY] = {0.0}, room[1 + NSTAGES * NX_ARRAY], *const work = run->work;
    int64_t step, from;
    int i;
    run->work = room;
    for (step = 0; step < last; ++step) {
        if (is_whole) {
            memcpy(goal->stretch + step * NX, run->x, bytes);
        } else if (step % apart == 0) {
            memcpy(goal->kept + step / apart * NX, run->x, bytes);
        }
        room[0] = goal->has_slopes ? -NSTAGES : 0.0;
        axl_step(run, axl_at(run, step), run->h, run->x);
        if (!axl_all_finite(run->x, NX)) {
            run->work = work;
            return step + 1;
        }
        if (goal->has_slopes) {
            memcpy(goal->slopes + step * NSTAGES * NX, room + 1, NSTAGES * bytes);
        }
    }
    room[0] = 0.0; /* no more are kept */
    if (is_whole) {
        memcpy(goal->stretch + last * NX, run->x, bytes);
    }
    axl_tell(run, axl_at(run, last), run->x, goal->end, 1.0, adjoint, goal);
    axl_tell(run, axl_at(run, last), run->x, goal->within, 0.5 * run->h, adjoint, goal);
    for (from = (last - 1) / apart * apart; from >= 0; from -= apart) {
        const int64_t end = from + apart < last ? from + apart : last;
        if (!is_whole) {
            memcpy(goal->stretch, goal->kept + from / apart * NX, bytes);
        }
        for (step = from; step < end && !is_whole; ++step) {
            double *x = goal->stretch + (step - from) * NX;
            memcpy(x + NX, x, bytes);
            axl_step(run, axl_at(run, step), run->h, x + NX);
        }
        for (step = end - 1; step >= from; --step) {
            const double *x = goal->stretch + (step - from) * NX;
            const double *slopes = goal->has_slopes ? goal->slopes + step * NSTAGES * NX : 0;
            axl_step_back(
                run, axl_at(run, step), run->h, x, x + NX, slopes, adjoint, goal->gradient);
            axl_tell(run, axl_at(run, step), x, goal->within, step ? run->h : 0.5 * run->h, adjoint,
                     goal);
        }
    }
    for (i = 0; i < NX; ++i) {
        goal->gradient[i] += adjoint[i];
    }
    run->work = work;
    return 0;
}
