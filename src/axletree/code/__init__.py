"""Systems become programs, and programs become C, Fortran, MATLAB or Python.

Read in this order:

1. ``program``: what a system becomes before it is printed in some language;
2. ``lowering``: the arrow from a system to a program;
3. ``schedule``, ``operation_counts``, ``system_operations``: the order of operations, and their
   number, in a routine and in all that a system is evaluated by;
4. ``identifiers``, ``called_functions``, ``routine_parts``: what printers share: names and
   comments, tables and functions that are called, long routines in parts;
5. ``external_functions``: C functions of the user's own;
6. ``printers/``: a program as text, one language to a file;
7. ``backends/``: a program that runs.
"""
