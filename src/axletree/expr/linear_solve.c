static void NAME(const double *input, double *output)
{
    double a[SIZE][SIZE], b[SIZE][COLUMNS];
    int i, j, k;
    for (i = 0; i < SIZE; i++) {
        for (j = 0; j < SIZE; j++) a[i][j] = input[i * SIZE + j];
        for (j = 0; j < COLUMNS; j++) b[i][j] = input[SIZE_SQUARED + j * SIZE + i];
    }
    for (k = 0; k < SIZE; k++) {
        int pivot = k;
        for (i = k + 1; i < SIZE; i++)
            if (fabs(a[i][k]) > fabs(a[pivot][k])) pivot = i;
        for (j = 0; j < SIZE; j++) {
            double keep = a[k][j]; a[k][j] = a[pivot][j]; a[pivot][j] = keep;
        }
        for (j = 0; j < COLUMNS; j++) {
            double keep = b[k][j]; b[k][j] = b[pivot][j]; b[pivot][j] = keep;
        }
        for (i = k + 1; i < SIZE; i++) {
            double factor = a[i][k] / a[k][k];
            for (j = k + 1; j < SIZE; j++) a[i][j] -= factor * a[k][j];
            for (j = 0; j < COLUMNS; j++) b[i][j] -= factor * b[k][j];
        }
    }
    for (k = SIZE - 1; k >= 0; k--)
        for (j = 0; j < COLUMNS; j++) {
            double sum = b[k][j];
            for (i = k + 1; i < SIZE; i++) sum -= a[k][i] * output[j * SIZE + i];
            output[j * SIZE + k] = sum / a[k][k];
        }
}
