"""Batches: many vehicles of one model at once, each with values of its own.

Read in this order:

1. ``distributions``: values that are drawn, and how they are spread over many members;
2. ``members``: what differs from member to member, checked, in SI units;
3. ``lane_code``: the compiled text that steps vehicles side by side, a vehicle in each lane of the
   processor (``lanes.c``), and the structure by which it is told what to do;
4. ``crossings``: events, levels that outputs cross;
5. ``lane_run``: the run of all members, in threads;
6. ``batch``: the call; ``batch_result``: the table that it leaves, and ``part_batches``, several of
   these as one;
7. ``batch_gradients``: the gradient of each member's run, in threads;
8. ``card_code``: the text for a card, around the steps of which stands ``kernels.c``.
"""
