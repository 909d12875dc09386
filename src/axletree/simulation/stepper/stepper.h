/* A stepper: a run that goes on step by step, values in and values out.

       model_stepper *s = model_stepper_create(0.001);      steps of 1 ms
       model_stepper_set(s, AXL_INPUTS, 0, 0.1);            an input, by its index
       status = model_stepper_advance(s, 10);               ten steps
       model_stepper_get(s, AXL_OUTPUTS, 3, &value);        an output
       model_stepper_destroy(s);

   Indices, names and units stand above and in layout.json. All values are in SI units.

   1. What can fail returns AXL_OK, which is 0, or another code; model_stepper_text says what it
      means.
   2. model_stepper_create alone allocates. Whoever must not allocate has model_stepper_init make a
      stepper in memory of their own.
   3. Nothing is kept outside a stepper: several of them run side by side, each in one thread at
      a time.
   4. A run that cannot go on (AXL_NOT_FINITE and later codes) stays at its last good step until
      it is reset or restored.
   5. Addresses are not looked at: a stepper that is 0 or was destroyed, or arrays that are shorter
      than their sizes above, end as they do in C.
   6. Controllers in the model act at instants of their own, at the beginning of the first step that
      begins there. Each has a switch, an input of layout.json: off below 0.5. What they command
      stands in the place of what is set, which is kept until they are off.
   7. Functions and numbers of this header are those of every model. Functions are added with a
      higher MODEL_STEPPER_ABI; none is changed or removed while the number of thousands stays. */
#ifndef AXL_STEPPER_CODES
#define AXL_STEPPER_CODES
/* Arrays of quantities; the last is what controllers in the model keep, which is read alone. */
enum {
    AXL_STATES = 0,
    AXL_INPUTS = 1,
    AXL_PARAMETERS = 2,
    AXL_OUTPUTS = 3,
    AXL_MEMORY = 4
};
/* How an input goes over into a value that is set: at once; along a straight line; through a
   filter of second order with two equal time constants; along a polynomial of degree five, without
   a jump in its rate and acceleration. */
enum { AXL_HOLD = 0, AXL_LINEAR = 1, AXL_FILTER = 2, AXL_SMOOTH = 3 };
enum {
    AXL_OK = 0,
    AXL_NO_SUCH = 1,      /* there is no quantity, start or shape of this number */
    AXL_NOT_SET = 2,      /* outputs, rates of other inputs and forces are computed, not set */
    AXL_BAD_NUMBER = 3,   /* a number is not finite, a time or step not positive, a count below 0 */
    AXL_NO_ROOM = 4,      /* the memory is too small for a stepper */
    AXL_OTHER_MODEL = 5,  /* what is to be restored was not saved by a stepper of this model */
    AXL_NOT_FINITE = 10,  /* a state is not finite after a step */
    AXL_LOST = 11,        /* Euler angles have lost an orientation in a step */
    AXL_UNSOLVED = 12     /* the set-valued forces of a step are not solved for */
};
#endif

enum { PREFIX_STEPPER_ABI = ABI, PREFIX_STARTS = START_COUNT };

typedef struct model_stepper model_stepper;

/* PREFIX_STEPPER_ABI of the compiled code, and the bytes of a stepper. */
int model_stepper_abi(void);
unsigned long model_stepper_bytes(void);
/* A stepper with the model's own parameters at its first start, time 0, with steps of this length
   [s]; 0 where there is no memory or the step is not positive. */
model_stepper *model_stepper_create(axl_real step);
void model_stepper_destroy(model_stepper *s);
/* The same in memory of the caller, which is aligned for numbers; it needs no end. */
model_stepper *model_stepper_init(void *room, unsigned long bytes, axl_real step);

/* To a start of layout.json, at a time [s]; parameters, step and shapes of inputs stay. */
int model_stepper_reset(model_stepper *s, int start, axl_real time);
/* The same to states and inputs of the caller, whole arrays; inputs stand still there. */
int model_stepper_place(
    model_stepper *s, const axl_real *states, const axl_real *inputs, axl_real time);
/* From now on steps of this length [s], each computed as so many shorter ones. */
int model_stepper_set_step(model_stepper *s, axl_real step, int parts);
/* How an input goes over into what is set from now on, and its time [s]: until it is there, or
   each time constant of the filter. */
int model_stepper_shape(model_stepper *s, int input, int shape, axl_real time);

/* Any finite number is taken; the bounds of layout.json are for the caller to keep. */
int model_stepper_set(model_stepper *s, int array, int index, axl_real value);
int model_stepper_get(model_stepper *s, int array, int index, axl_real *value);
/* A whole array, to be read until the stepper is used again; 0 where there is no such array. */
const axl_real *model_stepper_values(model_stepper *s, int array);
axl_real model_stepper_time(const model_stepper *s);

/* So many steps, from 0 on. */
int model_stepper_advance(model_stepper *s, long steps);

/* All that a stepper is, into memory of model_stepper_bytes() bytes and back, bit for bit. */
int model_stepper_save(const model_stepper *s, void *room, unsigned long bytes);
int model_stepper_restore(model_stepper *s, const void *room, unsigned long bytes);

/* The code of the last step that failed, and the state or force that it has to do with, or -1. */
int model_stepper_status(const model_stepper *s, int *index);
/* What a code means, in a sentence. */
const char *model_stepper_text(int code);
