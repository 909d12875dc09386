/* What casadi.external asks a library for: the function NAME of z = (x, u, p) to F = (xdot, y), its
   Jacobian jac_NAME, its gradient adj1_NAME and the Jacobian of that, jac_adj1_NAME. Arguments that
   are not given are 0, and results that nobody asks for are not written. */
typedef long long int axl_casadi_int;

enum {
    AXL_ROWS = N_ROWS, AXL_COLUMNS = N_COLUMNS, AXL_STATES = N_STATES, AXL_VARIABLES = N_VARIABLES,
    AXL_SLOPES = N_SLOPES, AXL_HALF = N_HALF, AXL_WHOLE = N_WHOLE, AXL_PARAMETERS = N_PARAMETERS,
    AXL_CONSTANTS = N_CONSTANTS, AXL_WORK = N_WORK
};

TABLES

/* z and the weights of F, or zeros; the constants of z; then what is left of the work. */
static double *axl_casadi_given(const double *given, long count, double **work)
{
    long k;
    double *taken = *work;
    for (k = 0; k < count; ++k)
        taken[k] = given ? given[k] : 0.0;
    *work += count;
    return taken;
}

static const double *axl_casadi_constants(const double *z, double **work)
{
CONSTANTS_OF_Z
}

static void axl_casadi_slopes(const double *z, const double *c, double *j)
{
SLOPES_OF_Z
}

int NAME(const double **arg, double **res, axl_casadi_int *iw, double *w, int mem)
{
    const double *z = axl_casadi_given(arg[0], AXL_COLUMNS, &w);
    const double *c = axl_casadi_constants(z, &w);
    (void)iw; (void)mem;
    if (res[0]) {
        model_rhs(0.0, z, z + AXL_STATES, c, res[0]);
        model_outputs(0.0, z, z + AXL_STATES, c, res[0] + AXL_STATES);
    }
    return 0;
}

int jac_NAME(const double **arg, double **res, axl_casadi_int *iw, double *w, int mem)
{
    const double *z = axl_casadi_given(arg[0], AXL_COLUMNS, &w);
    const double *c = axl_casadi_constants(z, &w);
    (void)iw; (void)mem;
    if (res[0])
        axl_casadi_slopes(z, c, res[0]);
    return 0;
}

int adj1_NAME(const double **arg, double **res, axl_casadi_int *iw, double *w, int mem)
{
    long n, k;
    const double *z = axl_casadi_given(arg[0], AXL_COLUMNS, &w);
    const double *weights = axl_casadi_given(arg[2], AXL_ROWS, &w);
    const double *c = axl_casadi_constants(z, &w);
    (void)iw; (void)mem;
    if (!res[0])
        return 0;
    axl_casadi_slopes(z, c, w);
    for (k = 0; k < AXL_COLUMNS; ++k) {
        double sum = 0.0;
        for (n = axl_casadi_jacobian[2 + k]; n < axl_casadi_jacobian[3 + k]; ++n)
            sum += weights[axl_casadi_jacobian[3 + AXL_COLUMNS + n]] * w[n];
        res[0][k] = sum;
    }
    return 0;
}

DESCRIPTIONS
