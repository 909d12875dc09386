"""From a model to its equations (Morency 2007, chapter 2).

    M dp/dt + C^T f = b,  Phi(q, t) = 0,  dq/dt = h

Read in this order:

1. ``graph``, ``tree``: the linear graph of a model, and the trees that choose its variables;
2. ``links``, ``spinning_links``, ``kinematics``, ``relative_motion``: rigid pieces, those whose
   angle does not count, their motion, and that of one frame in another;
3. ``loads``, ``inertia``: what acts on links, and what they weigh;
4. ``constraints``, ``travels``, ``set_valued_forces``: what closes loops, what joints measure,
   and forces between bounds;
5. ``responses``: every component asked for its loads, states and outputs, and scalar domains,
   such as circuits, solved;
6. ``articulated_bodies``: the recursion over links, over those that loops tie together, and with
   loads that change with the motion;
   ``dynamics``: the dynamic equations formed, and solved for dp/dt;
7. ``equations``, ``derivation``: the result, and the arrow that leads to it.
"""
