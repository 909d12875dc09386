/* What Simulink does with a block: an input is set after ten steps, and the output printed. */
#include <math.h>
#include <stdio.h>

int main(void)
{
    static SimStruct block = {.given = 3, .parameters = {1e-3, 1.0, 1.0}};
    SimStruct *S = &block;
    int k;
    mdlInitializeSizes(S);
    mdlInitializeSampleTimes(S);
    mdlStart(S);
    for (k = 0; k < 40 && S->error == 0; ++k) {
        S->u[0] = k < 10 ? 0.0 : 0.02;
        mdlOutputs(S, 0);
        mdlUpdate(S, 0);
    }
    mdlOutputs(S, 0);
    printf("%d %d %d %g\n", S->input_width, S->output_width, S->feeds, S->sample_time);
    for (k = 0; k < S->output_width; ++k) {
        printf("%a\n", S->y[k]);
    }
    if (S->error == 0) { /* what is no input stops the simulation */
        S->u[0] = HUGE_VAL;
        mdlOutputs(S, 0);
        fputs(S->error ? S->error : "nothing is told", stderr);
        S->error = S->error ? 0 : "nothing";
    }
    mdlTerminate(S);
    return S->error != 0;
}
