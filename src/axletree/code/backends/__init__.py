"""Back ends: programs that run on this machine.

``runnable`` is the way in: a program compiled, with its routines on NumPy arrays. ``c`` has the
C compiler of this machine and the cache of what it compiled; ``python`` runs generated Python
where there is no compiler.
"""
