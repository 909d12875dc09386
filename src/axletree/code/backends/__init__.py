"""Back ends: programs that run on this machine.

``contract`` says what a back end answers, and ``c_backend`` and ``python_backend`` are the two that
are there. ``runnable`` is the way in: a program on the back end at hand, with its routines on NumPy
arrays. ``c`` has the C compiler of this machine and the cache of what it compiled; ``python`` runs
generated Python where there is no compiler.
"""
