"""The articulated-body recursion (Featherstone 2008), from leaves to root and back.

Read in this order:

``spatial``              vectors and inertias of a link, six numbers each
``recursion``            the mass of links, eliminated joint by joint
``aggregates``           local loops as one link each: constraint embedding (Jain 2009, 2011)
``transferred_inertia``  inertia that two links share, where it costs least
``stiff_loads``          how loads of stiff parts change with the motion
``implicit_mass``        the recursion with that beside the mass, for linearly implicit steps
"""
