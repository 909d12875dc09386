/* Vehicles of one model in blocks, one vehicle in each lane. A block takes all its steps before the
   next one begins, so that its constants stay near the processor. Before this are the types and
   functions of lanes, the routines of the model, and as numbers

   NX, NY, NU, NP, NPARAMETERS, NCONSTANTS   sizes; those with _ARRAY are at least 1
   NS_ARRAY                                  the size of what model_speed_rates gives
   SLOPE, SPLIT, PROJECTED, SOLVED           what a step calls, and whether it is solved for forces
   MOST_ACROSS, MOST_PER_STEP, NEAR_SINGULAR, PI   what axl_lost compares with [rad]

   and after it axl_step, the step of a method. Time is the start plus a whole number of steps. */

/* Values of an array: those of all vehicles, and columns of vehicles with others at some places. */
typedef struct {
    const double *common, *columns;
    const int64_t *places;
    int64_t count;
} axl_values;

typedef struct {
    double start, h;
    int64_t steps, every, members, tables, turns, watched, records;
    axl_values x, u, p;
    const double *table_data, *own_data;
    const int64_t *table_places, *turn_places, *watched_places, *slots;
    double *least, *most, *sum, *squares, *last, *recorded;
    int64_t *codes, *failed_steps, *failed_places, *samples;
    int64_t events;
    const int64_t *event_places;
    const double *event_levels, *event_signs;
    double *event_values, *event_times, *event_counts;
} axl_job;

typedef struct {
    const axl_job *job;
    int64_t first; /* vehicle of the first lane */
    int count;     /* lanes that have a vehicle; the others repeat the last one */
    const axl_real *c;
    axl_real *u;
} axl_run;

enum { AXL_STATE = 1, AXL_OUTPUT = 2, AXL_TURN = 3 };

static void axl_step(const axl_run *run, axl_real t, axl_real h, axl_real *x);

AXL_INLINE axl_real axl_load(const axl_run *run, const double *column)
{
    axl_real found;
    int k;
    for (k = 0; k < LANES; ++k) {
        found[k] = (axl_number)column[run->first + (k < run->count ? k : run->count - 1)];
    }
    return found;
}

static void axl_store(const axl_run *run, double *column, axl_real values)
{
    int k;
    for (k = 0; k < run->count; ++k) {
        column[run->first + k] = (double)values[k];
    }
}

/* Sums are of doubles: of 10,000 equal values in 32 bits the mean is off by 6e-5 of them. */
static void axl_add(const axl_run *run, double *sums, double *squares, axl_real values, int begins,
    axl_truth alive)
{
    int k;
    for (k = 0; k < run->count; ++k) {
        const double value = alive[k] ? (double)values[k] : 0.0;
        sums[run->first + k] = value + (begins ? 0.0 : sums[run->first + k]);
        squares[run->first + k] = value * value + (begins ? 0.0 : squares[run->first + k]);
    }
}

static int axl_any(axl_truth set)
{
    axl_integer found = 0;
    int k;
    for (k = 0; k < LANES; ++k) {
        found |= set[k];
    }
    return found != 0;
}

static void axl_fill(const axl_run *run, const axl_values *values, int size, axl_real *array)
{
    int64_t k;
    int i;
    for (i = 0; i < size; ++i) {
        array[i] = axl_all((axl_number)values->common[i]);
    }
    for (k = 0; k < values->count; ++k) {
        const double *column = values->columns + k * run->job->members;
        array[values->places[k]] = axl_load(run, column);
    }
}

/* Tables over time: breakpoints are common, coefficients common or of each vehicle. */
static void axl_inputs(const axl_run *run, axl_real t)
{
    const axl_job *job = run->job;
    int64_t k, i;
    for (k = 0; k < job->tables; ++k) {
        const int64_t *place = job->table_places + 5 * k; /* input, points, width, start, own */
        const double *breaks = job->table_data + place[3], at = (double)t[0];
        const int64_t n = place[1], width = place[2];
        int64_t row = 0, half = 1;
        axl_real local, value;
        while (2 * half <= n) {
            half *= 2;
        }
        for (; half > 0; half /= 2) {
            row += (row + half <= n && at >= breaks[row + half - 1]) ? half : 0;
        }
        local = axl_all((axl_number)(at - breaks[row > 0 ? row - 1 : 0]));
        value = axl_all((axl_number)0.0);
        for (i = width - 1; i >= 0; --i) {
            const int64_t entry = row * width + i;
            value = value * local
                + (place[4] < 0 ? axl_all((axl_number)breaks[n + entry])
                                : axl_load(run, job->own_data + place[4] + entry * job->members));
        }
        run->u[place[0]] = value;
    }
}

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

static axl_real axl_time(const axl_job *job, int64_t step)
{
    return axl_all((axl_number)(job->start + job->h * (double)step));
}

/* Which of the lanes have values that are not finite. */
static axl_truth axl_not_finite(const axl_real *values, int count)
{
    axl_real sum[2] = {{0}};
    int i;
    for (i = 0; i < count; ++i) {
        sum[i & 1] += values[i] - values[i];
    }
    return axl_ne(sum[0] + sum[1], axl_all((axl_number)0.0));
}

/* Which lanes have lost an orientation where two axes are in line: see evaluation.c. */
static axl_truth axl_lost(const axl_run *run, const axl_real *previous, const axl_real *x)
{
    axl_truth lost = {0};
    int64_t k;
    int i;
    for (k = 0; k < run->job->turns; ++k) {
        const int64_t *place = run->job->turn_places + 3 * k; /* first, middle, repeated */
        const axl_real turned = axl_v_abs(x[place[0]] - previous[place[0]]);
        const double shift = place[2] ? 0.0 : 0.5;
        if (!axl_any(axl_lt(axl_all((axl_number)(MOST_PER_STEP)), turned))) {
            continue;
        }
        for (i = 0; i < LANES; ++i) {
            const double middle = x[place[1]][i], before = previous[place[1]][i];
            const double apart = place[2] ? sin(middle) : cos(middle);
            const int passes = floor(middle / PI + shift) != floor(before / PI + shift);
            if ((turned[i] > MOST_ACROSS && passes)
                || (turned[i] > MOST_PER_STEP && fabs(apart) < NEAR_SINGULAR)) {
                lost[i] = -1;
            }
        }
    }
    return lost;
}

/* Note why vehicles end, and where: the first value that is not finite. */
static void axl_fail(
    const axl_run *run, axl_truth failed, int code, int64_t step, const axl_real *values, int count)
{
    int k, i = 0;
    for (k = 0; k < run->count; ++k) {
        if (failed[k]) {
            for (i = 0; i < count - 1 && values[i][k] - values[i][k] == 0; ++i) {
            }
            run->job->codes[run->first + k] = code;
            run->job->failed_steps[run->first + k] = step;
            run->job->failed_places[run->first + k] = i;
        }
    }
}

typedef struct {
    axl_real x[NX_ARRAY], previous[NX_ARRAY], y[NY_ARRAY];
    axl_truth alive;
    int64_t records, recorded_step; /* how many there are, and the step of the last one */
} axl_block;

/* Levels that are crossed from one record to the next, by a straight line between them. */
static void axl_cross(const axl_run *run, const axl_block *b, int64_t step)
{
    const axl_job *job = run->job;
    const double before = job->start + job->h * (double)b->recorded_step;
    const double apart = job->h * (double)(step - b->recorded_step);
    int64_t k;
    int lane;
    for (k = 0; k < job->events; ++k) {
        const int64_t place = job->event_places[k];
        const axl_real value = place < NX ? b->x[place] : b->y[place - NX];
        for (lane = 0; lane < run->count; ++lane) {
            const int64_t at = k * job->members + run->first + lane;
            const double was = job->event_values[at];
            const double is = job->event_signs[k] * ((double)value[lane] - job->event_levels[k]);
            if (!b->alive[lane]) {
                continue;
            }
            if (b->records > 0 && was <= 0.0 && is > 0.0) {
                if (job->event_counts[at] == 0.0) {
                    job->event_times[at] = before + apart * (-was / (is - was));
                }
                job->event_counts[at] += 1.0;
            }
            job->event_values[at] = is;
        }
    }
}

static void axl_record(const axl_run *run, axl_block *b, int64_t step)
{
    const axl_job *job = run->job;
    const axl_real t = axl_time(job, step);
    const int is_first = b->records == 0;
    int64_t k;
    int lane;
#if NY
    axl_truth bad;
    axl_inputs(run, t);
    model_outputs(t, b->x, run->u, run->c, b->y);
    bad = axl_not_finite(b->y, NY) & b->alive;
    if (axl_any(bad)) {
        axl_fail(run, bad, AXL_OUTPUT, step, b->y, NY);
        b->alive &= ~bad;
    }
#endif
    for (k = 0; k < job->watched; ++k) {
        const int64_t place = job->watched_places[k], from = k * job->members;
        const axl_real value = place < NX ? b->x[place] : b->y[place - NX];
        const axl_real least = is_first ? value : axl_load(run, job->least + from);
        const axl_real most = is_first ? value : axl_load(run, job->most + from);
        const axl_real last = is_first ? value : axl_load(run, job->last + from);
        const axl_truth alive = b->alive;
        axl_store(run, job->least + from, axl_pick(alive & axl_lt(value, least), value, least));
        axl_store(run, job->most + from, axl_pick(alive & axl_lt(most, value), value, most));
        axl_add(run, job->sum + from, job->squares + from, value, is_first, alive);
        axl_store(run, job->last + from, axl_pick(alive, value, last));
    }
    axl_cross(run, b, step);
    for (lane = 0; lane < run->count; ++lane) {
        const int64_t slot = job->slots[run->first + lane];
        job->samples[run->first + lane] += b->alive[lane] ? 1 : 0;
        if (slot >= 0 && b->alive[lane]) {
            double *row = job->recorded + (slot * job->records + b->records) * (NX + NY);
            for (k = 0; k < NX; ++k) {
                row[k] = (double)b->x[k][lane];
            }
            for (k = 0; k < NY; ++k) {
                row[NX + k] = (double)b->y[k][lane];
            }
        }
    }
    b->records += 1;
    b->recorded_step = step;
}

/* Vehicles that fail stay at their last good step, and the others go on as if they were alone. */
static void axl_watch(const axl_run *run, axl_block *b, int64_t step)
{
    const axl_truth broken = axl_not_finite(b->x, NX) & b->alive;
    const axl_truth lost = axl_lost(run, b->previous, b->x) & b->alive & ~broken;
    int i;
    if (axl_any(broken | lost)) {
        axl_fail(run, broken, AXL_STATE, step, b->x, NX);
        axl_fail(run, lost, AXL_TURN, step, b->x, 0);
        b->alive &= ~(broken | lost);
    }
    if (axl_any(~b->alive)) {
        for (i = 0; i < NX; ++i) {
            b->x[i] = axl_pick(b->alive, b->x[i], b->previous[i]);
        }
    }
}

static void axl_run_block(const axl_job *job, int64_t first)
{
    axl_real c[NCONSTANTS_ARRAY], u[NU_ARRAY], p[NPARAMETERS_ARRAY];
    axl_block b;
    const int64_t left = job->members - first;
    const axl_run run = {job, first, left < LANES ? (int)left : LANES, c, u};
    const axl_real h = axl_all((axl_number)job->h);
    int64_t step;
    int lane;
    axl_fill(&run, &job->p, NPARAMETERS, p);
    axl_fill(&run, &job->u, NU, u);
    axl_fill(&run, &job->x, NX, b.x);
    model_constants(p, c);
    b.alive = axl_le(h, h);
    for (lane = 0; lane < run.count; ++lane) {
        job->codes[first + lane] = 0;
    }
    b.records = 0;
    b.recorded_step = 0;
#if SOLVED
    memcpy(b.previous, b.x, sizeof b.x); /* the first step is solved for its forces, not taken */
    axl_step(&run, axl_time(job, 0), h, b.previous);
#endif
    axl_record(&run, &b, 0);
    for (step = 0; step < job->steps && axl_any(b.alive); ++step) {
        const axl_real t = axl_time(job, step);
        memcpy(b.previous, b.x, sizeof b.x);
        axl_step(&run, t, h, b.x);
#if PROJECTED
        {
            axl_real moved[NX_ARRAY];
            const axl_real end = axl_time(job, step + 1);
            axl_inputs(&run, end);
            model_project(end, b.x, u, c, moved);
            memcpy(b.x, moved, NX * sizeof(axl_real));
        }
#endif
        axl_watch(&run, &b, step + 1);
        if ((step + 1) % job->every == 0 || step + 1 == job->steps) {
            axl_record(&run, &b, step + 1);
        }
    }
}

int axl_lanes(void)
{
    return LANES;
}

/* The blocks from one to another, the last excluded. */
void axl_run_blocks(const axl_job *job, int64_t begin, int64_t end)
{
    int64_t k;
    for (k = begin; k < end; ++k) {
        axl_run_block(job, k * LANES);
    }
}

/* Rates at the start of the run, [member][state]. */
void axl_rates(const axl_job *job, double *rates)
{
    int64_t first;
    for (first = 0; first < job->members; first += LANES) {
        axl_real c[NCONSTANTS_ARRAY], u[NU_ARRAY], p[NPARAMETERS_ARRAY], x[NX_ARRAY], k1[NX_ARRAY];
        const int64_t left = job->members - first;
        const axl_run run = {job, first, left < LANES ? (int)left : LANES, c, u};
        int lane, i;
        axl_fill(&run, &job->p, NPARAMETERS, p);
        axl_fill(&run, &job->u, NU, u);
        axl_fill(&run, &job->x, NX, x);
        model_constants(p, c);
        axl_inputs(&run, axl_time(job, 0));
        model_rhs(axl_time(job, 0), x, u, c, k1);
        for (lane = 0; lane < run.count; ++lane) {
            for (i = 0; i < NX; ++i) {
                rates[(first + lane) * NX + i] = (double)k1[i][lane];
            }
        }
    }
}
