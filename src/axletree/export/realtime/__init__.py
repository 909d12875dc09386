"""The runner: a model in real time, for controllers and hardware that it answers.

Read in this order:

1. ``runner``: the project in C that steps a model by the clock, built and run; its text is
   ``runner.c`` of the templates, and what it found of its times;
2. ``packets``: what goes to and fro, byte by byte;
3. ``client``: the other side in Python, over UDP or shared memory;
4. ``can_signals``: the same as signals of a CAN bus, by a database.
"""
