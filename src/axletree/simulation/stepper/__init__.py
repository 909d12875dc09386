"""A run that goes on step by step: values in by name, steps at a fixed cost, values out.

Read in this order:

1. ``stepper``: the stepper of Python; ``analysis.steady_start`` has ``model.stepper(...)``;
2. ``shaping``: how inputs go over into the values that are set;
3. ``step_program``: what a stepper is made of, whatever runs it, and what its steps cost;
4. ``c_interface``: the same as C, with the header that other programs know it by; texts are
   ``stepper.h`` and ``stepper.c``; ``layout``: its quantities as data;
5. ``engines``: what takes the steps, compiled C or generated Python; ``sandbox``: steps of
   WebAssembly that somebody else has made.
"""
