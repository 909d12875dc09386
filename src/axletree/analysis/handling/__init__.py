"""Handling of a vehicle: turns up to the limit, straight running, and the answer to steering.

Turns: ``turn_branch`` follows them, ``turn_bounds`` are the edges of what a driver can do,
``limits`` finds the maximum over folds and in all directions; ``cornering_curve`` (ISO 4138),
``g_g_diagram`` and ``yaw_moment`` (Milliken) are made of them, and ``performance_envelope``, by
which a pace along a path is planned. Straight ahead: ``straight_running`` (what keeps the speed;
modes against speed), ``steer_response`` (by frequency, with the bicycle model in closed form beside
it).
"""
