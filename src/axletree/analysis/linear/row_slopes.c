/* Column k of the slopes of all rows by x[k], one after another. */
void model_row_slopes(const double *x, const double *u, const double *c, double *slopes)
{
    double moved[STATES], above[ROWS], below[ROWS];
    int i, k;
    for (i = 0; i < STATES; ++i) {
        moved[i] = x[i];
    }
    for (k = 0; k < STATES; ++k) {
        const double size = fabs(x[k]), width = SPACING * (size > 1.0 ? size : 1.0);
        double span = x[k] + width;
        moved[k] = span;
        model_rhs(0.0, moved, u, c, above);
        moved[k] = x[k] - width;
        span -= moved[k];
        model_rhs(0.0, moved, u, c, below);
        moved[k] = x[k];
        for (i = 0; i < ROWS; ++i) {
            slopes[k * ROWS + i] = (above[i] - below[i]) / span;
        }
    }
}
