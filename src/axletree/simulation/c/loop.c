/* The fixed-step loop: inputs, steps, projection, records, the watch for NaN and for orientations
   that are lost. EVALUATION stands for evaluation.c. Before it are the routines of the model, and
   as numbers

   NX, NY, NU, NP       how many states, outputs, inputs and speeds there are
   NX_ARRAY, NS_ARRAY   sizes of arrays of states and of what model_speed_rates gives, at least 1
   SLOPE, SPLIT         whether steps call axl_slope, and axl_speed_rates
   PROJECTED, SOLVED    whether states are projected after steps, and whether steps are solved
   MOST_ACROSS, MOST_PER_STEP, NEAR_SINGULAR, PI   what axl_lost compares with [rad]

   After it stands axl_step, the step of a method. Time is the start plus a whole number of steps,
   never a sum of steps, so that the way in which a run is cut into chunks changes no bit of it. */
#include <stdint.h>
#include <string.h>

typedef struct {
    double start, h, relative, absolute;
    int64_t step, last, every, records, tables, turns;
    double *x, *previous, *u, *time, *states, *outputs, *report, *work;
    const double *c, *table_data;
    const int64_t *table_places, *turn_places;
} axl_run;

/* Moves the states x from t to t + h. */
static void axl_step(const axl_run *run, double t, double h, double *x);

static void axl_inputs(const axl_run *run, double t)
{
    int64_t k;
    for (k = 0; k < run->tables; ++k) {
        const int64_t *place = run->table_places + 4 * k; /* input, points, width, start */
        const double *data = run->table_data + place[3];
        const int n = (int)place[1];
        run->u[place[0]] = axl_lookup(t, n, (int)place[2], data, data + n);
    }
}

EVALUATION
static int axl_record(axl_run *run)
{
    const double t = run->start + run->h * (double)run->step;
    double *y = run->outputs + run->records * NY;
    run->time[run->records] = t;
    memcpy(run->states + run->records * NX, run->x, NX * sizeof(double));
    axl_inputs(run, t);
    model_outputs(t, run->x, run->u, run->c, y);
    if (!axl_all_finite(y, NY)) {
        return 2;
    }
    run->records += 1;
    return 0;
}

/* Up to `count` further steps: 0 when done, 1 for a state that is not finite, 2 for an output,
   3 for a lost orientation, 4 for a step that was not solved. */
int axl_advance(axl_run *run, int64_t count)
{
    const int64_t end = count < run->last - run->step ? run->step + count : run->last;
    if (run->records == 0) {
#if SOLVED
        memcpy(run->previous, run->x, NX * sizeof(double)); /* the step is solved, not taken */
        axl_step(run, run->start, run->h, run->previous);
        if (run->report[0] != 0.0) {
            return 4;
        }
#endif
        if (axl_record(run) != 0) {
            return 2;
        }
    }
    while (run->step < end) {
        const double t = run->start + run->h * (double)run->step;
        memcpy(run->previous, run->x, NX * sizeof(double));
        axl_step(run, t, run->h, run->x);
#if SOLVED
        if (run->report[0] != 0.0) {
            return 4;
        }
#endif
#if PROJECTED
        axl_project(run, run->start + run->h * (double)(run->step + 1), run->x);
#endif
        if (!axl_all_finite(run->x, NX)) {
            return 1;
        }
        if (axl_lost(run)) {
            return 3;
        }
        run->step += 1;
        if ((run->step % run->every == 0 || run->step == run->last) && axl_record(run) != 0) {
            return 2;
        }
    }
    return 0;
}

/* From each of the rows of states in `starts`, at its time, `count` steps of which nothing is
   recorded: the states at their ends, NaN where a step fails; and, unless this is no array, the
   outputs at the starts. */
void axl_again(axl_run *run, int64_t rows, int64_t count, const double *times, const double *starts,
               double *ends, double *outputs)
{
    int64_t k;
    int i;
    for (k = 0; k < rows; ++k) {
        memcpy(run->x, starts + k * NX, NX * sizeof(double));
        run->start = times[k];
        run->step = 0;
        run->last = run->every = count + 1;
        run->report[0] = 0.0;
        run->records = 1;
        if (outputs != 0) {
            run->records = 0;
            run->outputs = outputs + k * NY;
        }
        if (axl_advance(run, count) != 0) {
            for (i = 0; i < NX; ++i) {
                run->x[i] = NAN;
            }
        }
        memcpy(ends + k * NX, run->x, NX * sizeof(double));
    }
}
