int jac_adj1_NAME(const double **arg, double **res, axl_casadi_int *iw, double *w, int mem)
{
    long n;
    const double *z = axl_casadi_given(arg[0], AXL_COLUMNS, &w);
    const double *weights = axl_casadi_given(arg[2], AXL_ROWS, &w);
    const double *c = axl_casadi_constants(z, &w);
    (void)iw; (void)mem;
    if (res[0]) {
        model_hessian(0.0, z, z + AXL_STATES, c, weights, w);
        for (n = 0; n < AXL_WHOLE; ++n)
            res[0][n] = w[axl_casadi_places[n]];
    }
    if (res[2]) {
        axl_casadi_slopes(z, c, w);
        for (n = 0; n < AXL_SLOPES; ++n)
            res[2][n] = w[axl_casadi_transposed[n]];
    }
    return 0;
}
