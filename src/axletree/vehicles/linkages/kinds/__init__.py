"""Kinds of suspensions by hard points, each with its points and what is ideal in it.

``double_wishbone``   two arms, upright, tie rod
``macpherson``        lower arm, strut, tie rod
``multi_link``        five rods
``four_link``         lower arm, two upper links, tie rod
``integral_link``     lower arm, integral link, upper link, tie rod
``trailing_arms``     an arm on one hinge: trailing and semi-trailing
``twist_beam``        two trailing arms on a cross member that twists
``beam_axle``         what solid axles share; by four links, by three and a Panhard rod, by Watt's
                      linkage
``leaf_spring_axle``  a solid axle on leaf springs
"""
