"""Suspensions by hard points.

``contract``    what every kind is: named hard points, and the linkage that it makes of them
``linkage``     links, joints, springs and wheel carriers of an axle at design
``coilover``    a spring with damper and stops by its ends
``positions``   where the links are at given wheel travels and rack, with their rates
"""
