/* Vehicles of one model on a card, a thread each. Values of vehicle m stand at [quantity][m], its
   constants in tiles of AXL_TILE vehicles. Before this are the functions, the routines of the model
   and the numbers NX, NY, NU, NPARAMETERS, NCONSTANTS; axl_step is the step of a method. */

typedef struct {
    const axl_real *c;
    axl_real *u;
} axl_run;

/* Inputs are held over all steps of a call. */
#define axl_inputs(run, t) ((void)(t))

AXL_DEVICE void axl_step(const axl_run *run, axl_real t, axl_real h, axl_real *x);

#if SLOPE
AXL_DEVICE void axl_slope(const axl_run *run, axl_real t, const axl_real *x, axl_real *xdot)
{
    model_rhs(t, x, run->u, run->c, xdot);
}
#endif

#if SPLIT
AXL_DEVICE void axl_speed_rates(const axl_run *run, axl_real t, const axl_real *x, axl_real *pdot)
{
    model_speed_rates(t, x, run->u, run->c, pdot);
}
#endif

AXL_DEVICE long long axl_tile_of(long long m, int size)
{
    return m / AXL_TILE * AXL_TILE * size + m % AXL_TILE;
}

/* What depends on parameters alone; `places` says which of them have a column of their own. */
AXL_KERNEL axl_make_constants(
    long long members, const axl_number *common, int columns, const int *places,
    const axl_number *values, axl_number *constants)
{
    const long long m = AXL_MEMBER;
    axl_real p[NPARAMETERS_ARRAY], c[NCONSTANTS_ARRAY];
    int k;
    if (m >= members) {
        return;
    }
    for (k = 0; k < NPARAMETERS; ++k) {
        p[k] = common[k];
    }
    for (k = 0; k < columns; ++k) {
        p[places[k]] = values[k * members + m];
    }
    model_constants(p, c);
    for (k = 0; k < NCONSTANTS; ++k) {
        constants[axl_tile_of(m, NCONSTANTS) + k * AXL_TILE] = c[k];
    }
}

/* So many steps of h from a step on. `failed` has the step in which states are no longer finite. */
AXL_KERNEL axl_advance(
    long long members, long long first, int steps, double start, double h,
    const axl_number *constants, const axl_number *inputs, axl_number *states, long long *failed)
{
    const long long m = AXL_MEMBER;
    axl_real x[NX_ARRAY], u[NU_ARRAY];
    axl_run run;
    long long end;
    int k, i;
    if (m >= members) {
        return;
    }
    end = failed[m];
    for (i = 0; i < NX; ++i) {
        x[i] = states[i * members + m];
    }
    for (i = 0; i < NU; ++i) {
        u[i] = inputs[i * members + m];
    }
    run.c = constants + axl_tile_of(m, NCONSTANTS);
    run.u = u;
    for (k = 0; k < steps; ++k) {
        const double t = start + h * (double)(first + k);
        axl_real sum = AXL_N(0.0);
        AXL_FORGET(run.c);
        axl_step(&run, (axl_real)t, (axl_real)h, x);
#if PROJECTED
        {
            axl_real moved[NX_ARRAY];
            model_project((axl_real)(start + h * (double)(first + k + 1)), x, u, run.c, moved);
            for (i = 0; i < NX; ++i) {
                x[i] = moved[i];
            }
        }
#endif
        for (i = 0; i < NX; ++i) {
            sum += x[i] - x[i];
        }
        if (end < 0 && sum != AXL_N(0.0)) {
            end = first + k + 1;
        }
    }
    failed[m] = end;
    for (i = 0; i < NX; ++i) {
        states[i * members + m] = x[i];
    }
}

#if NY
AXL_KERNEL axl_outputs(
    long long members, double time, const axl_number *constants, const axl_number *inputs,
    const axl_number *states, axl_number *outputs)
{
    const long long m = AXL_MEMBER;
    axl_real x[NX_ARRAY], u[NU_ARRAY], y[NY_ARRAY];
    int i;
    if (m >= members) {
        return;
    }
    for (i = 0; i < NX; ++i) {
        x[i] = states[i * members + m];
    }
    for (i = 0; i < NU; ++i) {
        u[i] = inputs[i * members + m];
    }
    model_outputs((axl_real)time, x, u, constants + axl_tile_of(m, NCONSTANTS), y);
    for (i = 0; i < NY; ++i) {
        outputs[i * members + m] = y[i];
    }
}
#endif
