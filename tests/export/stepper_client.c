/* A client of an exported stepper, for tests.

   client count SEED STEPS     one step at a time, each after inputs at random
   client random SEED CALLS    any function with anything, sound or not
   client follow START STEPS INPUT VALUE STEPS    the states, exactly; an input is set in
                               between, unless its index is negative */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model.h"

static uint64_t seed;

static uint64_t draw(void) /* xorshift (Marsaglia 2003) */
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return seed;
}

static double uniform(double low, double high)
{
    return low + (high - low) * (double)(draw() >> 11) / 9007199254740992.0;
}

static void set_inputs(model_stepper *s, double range)
{
    int k;
    for (k = 0; k < MODEL_INPUTS; ++k) {
        const double start = model_stepper_values(s, AXL_INPUTS)[k];
        (void)model_stepper_set(s, AXL_INPUTS, k, start + uniform(-range, range));
    }
}

static int count(long steps)
{
    model_stepper *s = model_stepper_create(1e-3);
    int code = model_stepper_reset(s, MODEL_STARTS - 1, 0.0);
    for (; steps > 0 && code == AXL_OK; --steps) {
        set_inputs(s, 0.5);
        code = model_stepper_advance(s, 1);
    }
    model_stepper_destroy(s);
    return code;
}

static double anything(void)
{
    const double odd[] = {0.0, -0.0, 1e-310, 1e300, -1e300, NAN, INFINITY, -INFINITY};
    return draw() % 4 ? uniform(-1.0, 1.0) : odd[draw() % 8];
}

static int any_of(int size)
{
    return (int)(draw() % (unsigned)(size + 4)) - 2;
}

static void call(model_stepper *s, char *kept, unsigned long bytes)
{
    const int array = any_of(4), place = any_of(draw() % 2 ? 8 : 600);
    axl_real value = 0.0;
    int index;
    switch (draw() % 12) {
    case 0: model_stepper_reset(s, any_of(MODEL_STARTS), anything()); break;
    case 1: model_stepper_shape(s, place, any_of(4), anything()); break;
    case 2: model_stepper_set_step(s, fabs(anything()), any_of(3)); break;
    case 3: model_stepper_save(s, kept, draw() % 3 ? bytes : bytes - 1); break;
    case 4: model_stepper_restore(s, kept, draw() % 3 ? bytes : draw() % bytes); break;
    case 5: kept[draw() % 16] ^= (char)(draw() % 8 == 0); break; /* what is kept is damaged */
    case 6: model_stepper_set(s, array, place, anything()); break;
    case 7: model_stepper_set(s, AXL_INPUTS, place, anything()); break;
    case 8: model_stepper_get(s, array, place, &value); break;
    case 9: (void)model_stepper_text(model_stepper_status(s, draw() % 2 ? &index : 0)); break;
    default: model_stepper_advance(s, (long)any_of(6)); break;
    }
}

static int call_at_random(long calls)
{
    const unsigned long bytes = model_stepper_bytes();
    char *kept = (char *)calloc(bytes, 1);
    model_stepper *s = model_stepper_create(1e-3);
    long good = 0;
    int code;
    for (; calls > 0; --calls) {
        call(s, kept, bytes);
        code = model_stepper_status(s, 0);
        good += code == AXL_OK;
        if (code != AXL_OK && draw() % 4 == 0) {
            model_stepper_set_step(s, 1e-3, 1);
            if (model_stepper_reset(s, 0, 0.0) != AXL_OK || model_stepper_status(s, 0) != AXL_OK) {
                return 1;
            }
        }
    }
    if (model_stepper_reset(s, 0, 0.0) != AXL_OK || model_stepper_advance(s, -1) != AXL_BAD_NUMBER) {
        return 2;
    }
    printf("%ld\n", good);
    model_stepper_destroy(s);
    free(kept);
    return 0;
}

static int follow(char **words)
{
    model_stepper *s = model_stepper_create(1e-3);
    int k, code = model_stepper_reset(s, atoi(words[0]), 0.0);
    code = code ? code : model_stepper_advance(s, atol(words[1]));
    if (code == AXL_OK && atoi(words[2]) >= 0) {
        code = model_stepper_set(s, AXL_INPUTS, atoi(words[2]), atof(words[3]));
    }
    code = code ? code : model_stepper_advance(s, atol(words[4]));
    for (k = 0; k < MODEL_STATES; ++k) {
        printf("%a\n", (double)model_stepper_values(s, AXL_STATES)[k]);
    }
    model_stepper_destroy(s);
    return code;
}

int main(int argc, char **argv)
{
    if (argc == 7 && strcmp(argv[1], "follow") == 0) {
        return follow(argv + 2);
    }
    if (argc != 4) {
        return 99;
    }
    seed = (uint64_t)atol(argv[2]) * UINT64_C(2654435761) + 1;
    return strcmp(argv[1], "count") == 0 ? count(atol(argv[3])) : call_at_random(atol(argv[3]));
}
