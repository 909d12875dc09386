"""Systems become programs, and programs become C, Fortran, MATLAB or Python.

Read in this order:

1. ``program``: what a system becomes before it is printed in some language;
2. ``lowering``: the arrow from a system to a program; ``derivatives``: those of rates and outputs;
3. ``schedule``, ``latency_order``, ``operation_counts``, ``system_operations``: the order of
   operations, and their number, in a routine and in all that a system is evaluated by;
4. ``step_rules``: what a step of an integrator computes; ``implicit_stages``: the stages of a
   linearly implicit one; ``layout``: the arrays of a program as data;
5. ``identifiers``, ``called_functions``, ``routine_parts``: what printers share: names and
   comments, tables and functions that are called, long routines in parts;
6. ``external_functions``: C functions of the user's own;
7. ``printers/``: a program or a step as text, one language to a file;
8. ``backends/``: a program that runs; ``contract`` says what a back end answers;
9. ``stored_program``: what a compiled program is asked for, as JSON.
"""
