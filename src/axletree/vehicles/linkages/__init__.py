"""Suspensions by hard points.

``contract``          what every kind is: named hard points, and the linkage that it makes of them
``linkage``           links, joints, springs and wheel carriers of an axle at design
``coilover``          a spring with damper and stops by its ends
``positions``         where the links are at given wheel travels and rack, with their rates
``elements``          what holds links: ideal joints, bushings, springs, by rows and slopes
``kingpin``           the axis about which a wheel is steered
``sides``             left and right, given or mirrored
``corner``            what all kinds have beside their own links
``alignment``         rods and shims that set toe and camber
``seats``             where springs, pushrods and drop links stand
``mounts``            rubber bushings that hinges turn in
``rods``              rods with a ball at each end
``rocker``            a rocker with its pushrod or pullrod
``anti_roll_bar``     anti-roll bars by their links
``steering_linkage``  rack, pitman and idler arm, beam axle's steering
``forces``            what springs carry at design, and wheel rates
``axle_curves``       curves over travel, and the suspension by curves that has them
``steering_ratio``    ratio, Ackermann's share and trail of what steers
``curve_files``       such curves as a table, and as an entry of a vehicle file
``components``        a linkage as components of a model
``kinds``             the kinds themselves
"""
