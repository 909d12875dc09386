"""A model as an FMU, a component for tools that know the Functional Mock-up Interface.

Read in this order:

1. ``write``: ``write_fmu``, which puts the parts of the archive together;
2. ``fmu_model``: what of a model is in an FMU, and the variables that others see;
3. ``variable_names``: names that the standard allows; ``fmu_units``: units by SI exponents;
4. ``model_description``: the XML of both versions; ``dependencies``: what depends on what;
5. ``sources``: the C texts. ``instance.c`` is the FMU whichever version asks, ``functions.c``
   the functions that both have in common, ``fmi2.c`` and ``fmi3.c`` those of each;
6. ``binaries``: compiled for which machines; ``documentation``: the page and the icon.
"""
