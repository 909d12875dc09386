"""Controllers in a run: what they measure, what they command, and what lies between.

Read in this order:

1. ``sensors``: what of a quantity a controller sees, and when;
2. ``actuators``: what becomes of a command on its way to an input;
3. ``c_controller``: functions of C as a controller; ``controllers``: the loop with both in it,
   rates, rules of several controllers, failures;
4. ``reference_loops``: the reference controllers of the package in such loops;
   ``built_in_controllers``: the same as parts of what is driven.
"""
