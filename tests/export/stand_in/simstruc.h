/* As much of Simulink's simstruc.h as an exported S-function uses, with a block in memory. */
#ifndef SIMSTRUC_H
#define SIMSTRUC_H
typedef double real_T;
typedef int int_T;
typedef char char_T;
typedef double mxArray;
typedef struct {
    int expected, inputs, outputs, feeds, input_width, output_width, work;
    int given;
    mxArray parameters[3];
    double sample_time, offset;
    void *pwork[1];
    const char *error;
    double u[64], y[1024];
} SimStruct;
#define mxGetScalar(a) (*(a))
#define ssSetNumSFcnParams(S, n) ((S)->expected = (n))
#define ssGetNumSFcnParams(S) ((S)->expected)
#define ssGetSFcnParamsCount(S) ((S)->given)
#define ssGetSFcnParam(S, k) (&(S)->parameters[k])
#define ssSetErrorStatus(S, text) ((S)->error = (text))
#define ssSetNumContStates(S, n) ((void)(n))
#define ssSetNumDiscStates(S, n) ((void)(n))
#define ssSetNumInputPorts(S, n) ((S)->inputs = (n), 1)
#define ssSetNumOutputPorts(S, n) ((S)->outputs = (n), 1)
#define ssSetInputPortWidth(S, k, n) ((S)->input_width = (n))
#define ssSetInputPortRequiredContiguous(S, k, n) ((void)(n))
#define ssSetInputPortDirectFeedThrough(S, k, n) ((S)->feeds = (n))
#define ssSetOutputPortWidth(S, k, n) ((S)->output_width = (n))
#define ssSetNumSampleTimes(S, n) ((void)(n))
#define ssSetNumPWork(S, n) ((S)->work = (n))
#define ssSetNumDWork(S, n) ((void)(n))
#define ssSetOptions(S, n) ((void)(n))
#define ssSetSampleTime(S, k, t) ((S)->sample_time = (t))
#define ssSetOffsetTime(S, k, t) ((S)->offset = (t))
#define ssGetPWork(S) ((S)->pwork)
#define ssGetOutputPortRealSignal(S, k) ((S)->y)
#define ssGetInputPortSignal(S, k) ((const void *)(S)->u)
#endif
