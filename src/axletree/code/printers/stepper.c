#include <string.h>

enum { SIZES };

static const int axl_input_places[INPUT_COUNT][3] = {INPUT_PLACES};

typedef model_stepper axl_run;

/* Value, rate and acceleration of a course at a time. */
static void axl_course(const axl_real *a, axl_real t, axl_real *at)
{
    const axl_real over = a[7], s = over > AXL_N(0.0) ? (t - a[6]) / over : AXL_N(1.0);
    if (s < AXL_N(1.0)) {
        at[0] = ((((a[5] * s + a[4]) * s + a[3]) * s + a[2]) * s + a[1]) * s + a[0];
        at[1] = ((((AXL_N(5.0) * a[5] * s + AXL_N(4.0) * a[4]) * s + AXL_N(3.0) * a[3]) * s
                  + AXL_N(2.0) * a[2]) * s + a[1]) / over;
        at[2] = (((AXL_N(20.0) * a[5] * s + AXL_N(12.0) * a[4]) * s + AXL_N(6.0) * a[3]) * s
                 + AXL_N(2.0) * a[2]) / (over * over);
    } else {
        at[0] = a[8];
        at[1] = AXL_N(0.0);
        at[2] = AXL_N(0.0);
    }
}

static void axl_inputs(const axl_run *run, axl_real t, axl_real *u)
{
    int k, order;
    for (k = 0; k < NC; ++k) {
        axl_real at[3];
        axl_course(run->courses[k], t, at);
        for (order = 0; order < 3; ++order) {
            if (axl_input_places[k][order] >= 0) {
                u[axl_input_places[k][order]] = at[order];
            }
        }
    }
}

#if SLOPE
static void axl_slope(const axl_run *run, axl_real t, const axl_real *x, axl_real *xdot)
{
    axl_real u[NU_ARRAY];
    axl_inputs(run, t, u);
    model_rhs(t, x, u, run->c, xdot);
}

#endif
#if SPEED_RATES
static void axl_speed_rates(const axl_run *run, axl_real t, const axl_real *x, axl_real *pdot)
{
    axl_real u[NU_ARRAY];
    axl_inputs(run, t, u);
    model_speed_rates(t, x, u, run->c, pdot);
}

#endif
STEP_FUNCTION

unsigned long model_stepper_bytes(void)
{
    return (unsigned long)sizeof(model_stepper);
}

void model_stepper_reset(model_stepper *s, axl_real start, axl_real step)
{
    int k;
    memset(s, 0, sizeof(*s));
    s->step = step;
    s->start = start;
    model_defaults(s->x, s->u, s->p);
    model_constants(s->p, s->c);
    for (k = 0; k < NC; ++k) {
        s->courses[k][8] = s->u[axl_input_places[k][0]];
    }
    axl_inputs(s, start, s->u);
}

axl_real model_stepper_time(const model_stepper *s)
{
    return s->start + s->step * (axl_real)s->steps;
}

axl_real *model_stepper_states(model_stepper *s)
{
    return s->x;
}

int model_stepper_set_parameter(model_stepper *s, int index, axl_real value)
{
    if (index < 0 || index >= PREFIX_PARAMETERS) {
        return 1;
    }
    s->p[index] = value;
    model_constants(s->p, s->c);
    return 0;
}

int model_stepper_set_state(model_stepper *s, int index, axl_real value)
{
    if (index < 0 || index >= NX) {
        return 1;
    }
    s->x[index] = value;
    return 0;
}

int model_stepper_set_input(model_stepper *s, int index, axl_real value, axl_real over)
{
    const axl_real t = model_stepper_time(s);
    axl_real at[3], left, *a;
    int k = 0;
    while (k < NC && axl_input_places[k][0] != index) {
        ++k;
    }
    if (k == NC) {
        return 1;
    }
    a = s->courses[k];
    axl_course(a, t, at);
    a[6] = t;
    a[7] = over;
    a[8] = value;
    a[0] = at[0];
    a[1] = at[1] * over;
    a[2] = AXL_N(0.5) * at[2] * over * over;
    left = value - a[0] - a[1] - a[2];
    a[3] = AXL_N(10.0) * left + AXL_N(4.0) * a[1] + AXL_N(7.0) * a[2];
    a[4] = AXL_N(-15.0) * left - AXL_N(7.0) * a[1] - AXL_N(12.0) * a[2];
    a[5] = AXL_N(6.0) * left + AXL_N(3.0) * a[1] + AXL_N(5.0) * a[2];
    axl_inputs(s, t, s->u);
    return 0;
}

int model_stepper_advance(model_stepper *s, long count)
{
#if PROJECTED
    axl_real moved[NX_ARRAY];
#endif
    long k;
    int i;
    for (k = 0; k < count; ++k) {
        const axl_real t = model_stepper_time(s);
        axl_real sum = AXL_N(0.0);
        axl_inputs(s, t, s->u);
        axl_step(s, t, s->step, s->x);
#if PROJECTED
        axl_inputs(s, t + s->step, s->u);
        model_project(t + s->step, s->x, s->u, s->c, moved);
        memcpy(s->x, moved, NX * sizeof(axl_real));
#endif
        s->steps += 1;
        for (i = 0; i < NX; ++i) {
            sum += s->x[i] - s->x[i]; /* 0, or NaN where a state is not finite */
        }
        if (sum != AXL_N(0.0)) {
            return 1;
        }
    }
    axl_inputs(s, model_stepper_time(s), s->u);
    return 0;
}

void model_stepper_outputs(const model_stepper *s, axl_real *y)
{
    model_outputs(model_stepper_time(s), s->x, s->u, s->c, y);
}
