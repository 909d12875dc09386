"""Suspensions by hard points.

``contract``     what every kind is: named hard points, and the linkage that it makes of them
``linkage``      links, joints, springs and wheel carriers of an axle at design
``positions``    where the links are at given wheel travels and rack, with their rates
``elements``     what holds links: ideal joints, bushings, springs, by rows and slopes
``kingpin``      the axis about which a wheel is steered
``sides``        left and right, given or mirrored
``parts``        what kinds are put together from: springs, rockers, bars, rods, bushings, steering
``corner``       what all kinds have beside their own links
``alignment``    rods and shims that set toe and camber
``kinds``        the kinds themselves
``curves``       what they do to the wheels: loads, rates, curves over travel, toe by forces
``components``   a linkage as components of a model
"""
