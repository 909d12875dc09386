static int axl_grid_cell(double s, int cells, double *local, double *inside)
{
    double cell = floor(s);
    cell = cell < cells - 1 ? cell : cells - 1;
    cell = cell > 0.0 ? cell : 0.0;
    *local = s - cell;
    *local = *local < 0.0 ? 0.0 : *local;
    *local = *local > 1.0 ? 1.0 : *local;
    *inside = s >= 0.0 && s <= cells ? 1.0 : 0.0;
    return (int)cell;
}

static double axl_grid_across(const double *v, const double *b)
{
    return v[0] * b[0] + v[4] * b[1] + v[2] * b[2] + v[6] * b[3];
}

static double axl_grid_patch(
    const double *row, const double *next, const double *a, const double *b)
{
    return a[0] * axl_grid_across(row, b) + a[1] * axl_grid_across(next, b)
        + a[2] * axl_grid_across(row + 1, b) + a[3] * axl_grid_across(next + 1, b);
}
