"""Programs whose numbers are those of several vehicles: lanes of a processor, threads of a card.

``lane_text`` prints C for lanes, on ``types.h`` and ``functions.c``; ``double.h`` and ``float.h``
have what is different in numbers of 64 and of 32 bits.
"""
