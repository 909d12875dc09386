"""Reference controllers: readable, each one file, written once as expressions.

What they measure and command has the names that vehicles have for it; what they keep from one
instant to the next is their memory. So each of them is a system of its own, which runs as generated
Python in a loop with a vehicle, and has a program in C like any other.

Read in this order:

1. ``contract``: what a controller is, and what it knows of its vehicle; ``channels``: what
   several of them see and set;
2. ``brake_valves``, ``anti_lock``, ``stability``, ``traction``: brakes and throttle;
3. ``torque_vectoring``, ``skyhook``, ``cruise``: motors, dampers, speed;
4. ``path_following``: a place along a path; ``pure_pursuit`` and ``stanley`` by it, ``predictive``
   by a problem that is solved at each instant;
5. ``discrete_system``: a controller as a system, and as an object with ``reset`` and ``update``;
6. ``built_in``: controllers inside of a system, for steppers and what is exported.
"""
