static void axl_cubics(double t, int order, double scale, double *basis)
{
    static const double rows[4][4][4] = {
        ROWS
    };
    int k;
    for (k = 0; k < 4; ++k) {
        const double *c = rows[order][k];
        basis[k] = (((c[0] * t + c[1]) * t + c[2]) * t + c[3]) * scale;
    }
}
