/* The functions that FMI 2 and FMI 3 have in common, which are spelled by what is before them:

   AXL_FUNCTION(name)           the head of a function of the standard
   AXL_STATE(verb, of), AXL_DESERIALIZE   the same of those of states, which each version writes in
                                its own way
   axl_status, axl_boolean, axl_byte      its types */

#define AXL_INSTANCE(c) axl_instance *const i = (axl_instance *)(c)

AXL_FUNCTION(SetDebugLogging)(
    void *c, axl_boolean on, size_t count, const char *const categories[])
{
    AXL_INSTANCE(c);
    (void)count, (void)categories;
    i->logging = on;
    return (axl_status)FMU_OK;
}

/* Before and after the run. */

static int axl_enter_initialisation(axl_instance *i)
{
    if (i->v.mode != FMU_CREATED) {
        return axl_say(i, FMU_ERROR, "the initialisation is entered after a start");
    }
    i->v.mode = FMU_INITIALISING;
    return FMU_OK;
}

AXL_FUNCTION(ExitInitializationMode)(void *c)
{
    AXL_INSTANCE(c);
    if (i->v.mode != FMU_INITIALISING) {
        return (axl_status)axl_say(i, FMU_ERROR, "an initialisation ends that was not entered");
    }
    axl_begin(i);
    return (axl_status)FMU_OK;
}

AXL_FUNCTION(Terminate)(void *c)
{
    AXL_INSTANCE(c);
    i->v.mode = FMU_ENDED;
    return (axl_status)FMU_OK;
}

AXL_FUNCTION(Reset)(void *c)
{
    axl_restart((axl_instance *)c);
    return (axl_status)FMU_OK;
}

/* The state of an instance. */

static int axl_room_for_state(const axl_instance *i, void **state)
{
    if (*state == 0) {
        *state = malloc(axl_state_bytes());
    }
    return *state != 0 ? FMU_OK : axl_say(i, FMU_ERROR, "there is no memory for a state");
}

AXL_STATE(Get, )(void *c, void **state)
{
    AXL_INSTANCE(c);
    const int status = axl_room_for_state(i, state);
    return (axl_status)(status == FMU_OK ? axl_save(i, *state) : status);
}

AXL_STATE(Set, )(void *c, void *state)
{
    return (axl_status)axl_restore((axl_instance *)c, state, state ? axl_state_bytes() : 0);
}

AXL_STATE(Free, )(void *c, void **state)
{
    (void)c;
    if (state != 0) {
        free(*state);
        *state = 0;
    }
    return (axl_status)FMU_OK;
}

AXL_STATE(Serialized, Size)(void *c, void *state, size_t *size)
{
    (void)c, (void)state;
    *size = axl_state_bytes();
    return (axl_status)FMU_OK;
}

AXL_STATE(Serialize, )(void *c, void *state, axl_byte bytes[], size_t size)
{
    if (size < axl_state_bytes()) {
        return (axl_status)axl_say((axl_instance *)c, FMU_ERROR, "the room for a state is short");
    }
    memcpy(bytes, state, axl_state_bytes());
    return (axl_status)FMU_OK;
}

AXL_DESERIALIZE(void *c, const axl_byte bytes[], size_t size, void **state)
{
    AXL_INSTANCE(c);
    int status;
    if (size != axl_state_bytes()) {
        return (axl_status)axl_say(i, FMU_ERROR, "what was serialised is no state of this model");
    }
    status = axl_room_for_state(i, state);
    if (status == FMU_OK) {
        memcpy(*state, bytes, size);
    }
    return (axl_status)status;
}

/* Model exchange. */

AXL_FUNCTION(EnterEventMode)(void *c)
{
    AXL_INSTANCE(c);
    i->v.mode = FMU_EVENT;
    return (axl_status)FMU_OK;
}

AXL_FUNCTION(EnterContinuousTimeMode)(void *c)
{
    AXL_INSTANCE(c);
    i->v.mode = FMU_CONTINUOUS;
    return (axl_status)FMU_OK;
}

AXL_FUNCTION(CompletedIntegratorStep)(
    void *c, axl_boolean no_set_prior, axl_boolean *event, axl_boolean *terminate)
{
    (void)no_set_prior;
    *event = axl_has_drifted((axl_instance *)c) != 0;
    *terminate = 0;
    return (axl_status)FMU_OK;
}

AXL_FUNCTION(SetTime)(void *c, double time)
{
    axl_begin_at((axl_instance *)c, time);
    return (axl_status)FMU_OK;
}

static int axl_count(const axl_instance *i, size_t found, size_t expected)
{
    return found == expected ? FMU_OK
                             : axl_say(
                                 i, FMU_ERROR, "an array of %u values is given; expected %u",
                                 (unsigned)found, (unsigned)expected);
}

AXL_FUNCTION(SetContinuousStates)(void *c, const double x[], size_t count)
{
    AXL_INSTANCE(c);
    const int status = axl_count(i, count, NTOTAL);
    if (status == FMU_OK) {
        axl_set_states(i, x);
    }
    return (axl_status)status;
}

AXL_FUNCTION(GetContinuousStates)(void *c, double x[], size_t count)
{
    AXL_INSTANCE(c);
    const int status = axl_count(i, count, NTOTAL);
    if (status == FMU_OK) {
        axl_get_states(i, x);
    }
    return (axl_status)status;
}

static int axl_get_all_rates(axl_instance *i, double rates[], size_t count)
{
    const int status = axl_count(i, count, NTOTAL);
    return status == FMU_OK ? axl_get_rates(i, rates) : status;
}

AXL_FUNCTION(GetEventIndicators)(void *c, double indicators[], size_t count)
{
    AXL_INSTANCE(c);
    const int status = axl_count(i, count, NEVENTS);
    if (status == FMU_OK) {
        axl_get_events(i, indicators);
    }
    return (axl_status)status;
}

AXL_FUNCTION(GetNominalsOfContinuousStates)(void *c, double nominals[], size_t count)
{
    size_t k;
    (void)c;
    for (k = 0; k < count; ++k) {
        nominals[k] = 1.0;
    }
    return (axl_status)FMU_OK;
}
