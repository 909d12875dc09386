"""FMUs of other tools, and our own, beside a stepper.

Read in this order:

1. ``fmu``: ``Fmu``, an FMU that runs in a process of its own, values in and out by name;
2. ``co_simulation``: a stepper and FMUs that exchange values at a fixed interval, and are recorded;
3. ``archive``: the file, which is looked at before anything of it is used;
4. ``host``: the program of the other process, which loads the FMU's code.
"""
