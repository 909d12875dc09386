/* Steppers that stand one behind the other in memory, so many bytes apart. Each of the rows takes
   its inputs, which stand at these indices, goes on by its number of steps, and leaves its outputs
   and its code; one with no steps is left alone. */
void model_stepper_rows(
    char *room, unsigned long stride, long rows, const int64_t *steps, int count,
    const int64_t *inputs, const axl_real *levels, axl_real *outputs, int64_t *codes)
{
    long row;
    for (row = 0; row < rows; ++row) {
        model_stepper *s = (model_stepper *)(room + stride * (unsigned long)row);
        int k, code = AXL_OK;
        if (steps[row] <= 0) {
            continue;
        }
        for (k = 0; k < count && code == AXL_OK; ++k) {
            code = model_stepper_set(s, AXL_INPUTS, (int)inputs[k], levels[row * count + k]);
        }
        codes[row] = code == AXL_OK ? model_stepper_advance(s, (long)steps[row]) : code;
        memcpy(outputs + row * NY, model_stepper_values(s, AXL_OUTPUTS), NY * sizeof(axl_real));
    }
}
