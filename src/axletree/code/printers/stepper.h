/* A run that goes on step by step. Its fields are read by functions, and `x` by anyone. */
typedef struct {
    axl_real step, start; /* [s] */
    long steps; /* since the start */
    axl_real x[PREFIX_STATES + 1], u[PREFIX_INPUTS + 1];
    axl_real p[PREFIX_PARAMETERS + 1], c[PREFIX_CONSTANTS + 1];
    axl_real courses[PREFIX_COURSES + 1][9]; /* of the inputs that are no rates of others */
} model_stepper;

/* The bytes of a stepper, for those who do not know its fields. */
unsigned long model_stepper_bytes(void);
/* To the model's own values at a time [s], with steps of this length [s]. */
void model_stepper_reset(model_stepper *s, axl_real start, axl_real step);
axl_real model_stepper_time(const model_stepper *s);
axl_real *model_stepper_states(model_stepper *s);
/* A parameter: constants are computed anew. 0, or 1 where there is none of this index. */
int model_stepper_set_parameter(model_stepper *s, int index, axl_real value);
int model_stepper_set_state(model_stepper *s, int index, axl_real value);
/* An input goes over into a value within some time [s], 0 for at once; its rates, where they are
   inputs, too, follow. 0, or 1 where there is no input of this index that is no rate. */
int model_stepper_set_input(model_stepper *s, int index, axl_real value, axl_real over);
/* So many steps: 0, or 1 where a state is not finite any more, which ends them. */
int model_stepper_advance(model_stepper *s, long count);
/* The outputs at the present time. */
void model_stepper_outputs(const model_stepper *s, axl_real *y);
