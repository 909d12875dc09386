static axl_real axl_lookup(
    axl_real v, int n, int width, const axl_real *breaks, const axl_real *rows)
{
    int row = 0;
    int half = 1;
    int k;
    axl_real local, value;
    while (2 * half <= n) {
        half *= 2;
    }
    for (; half > 0; half /= 2) {
        row += (row + half <= n && v >= breaks[row + half - 1]) ? half : 0;
    }
    local = v - breaks[row > 0 ? row - 1 : 0];
    rows += row * width;
    value = rows[width - 1];
    for (k = width - 2; k >= 0; --k) {
        value = value * local + rows[k];
    }
    return v == v ? value : v;
}

static axl_real axl_sign(axl_real v)
{
    const axl_real above = v > AXL_N(0.0) ? AXL_N(1.0) : AXL_N(0.0);
    const axl_real below = v < AXL_N(0.0) ? AXL_N(1.0) : AXL_N(0.0);
    return v == v ? above - below : v;
}

static axl_real axl_min(axl_real a, axl_real b)
{
    const axl_real least = a < b ? a : b;
    return a == a ? least : a;
}

static axl_real axl_max(axl_real a, axl_real b)
{
    const axl_real most = a > b ? a : b;
    return a == a ? most : a;
}
