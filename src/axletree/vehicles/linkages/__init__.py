"""Suspensions by hard points.

``hard_points``      points of one side, and what they are measured from
``contract``         what every kind is: named hard points, and the linkage that it makes of them
``double_wishbone``  two arms, an upright and a tie rod
``arms``             masses of arms by their geometry
``linkage``          links, joints, springs and wheel carriers of an axle at design
``coilover``         a spring with damper and stops by its ends
``positions``        where the links are at given wheel travels and rack, with their rates
``forces``           what springs carry at design, and wheel rates
``axle_curves``      curves over travel, and the suspension by curves that has them
``rack_steering``    ratio, Ackermann's share and trail of a rack
``components``       a linkage as components of a model
"""
