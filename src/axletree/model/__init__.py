"""A model: what is put together from components before any equation is written.

To be read in this order:

- ``model``: ``Model``, the run and the plots that it proposes, and its first values.
- ``findings``: numbers that a run is made for, and the curves that they are read from.
- ``metric``: the contract of what the run of any manoeuvre is measured for.
- ``manoeuvre``: the contract of manoeuvres; the manoeuvres themselves are in ``runs``.
- ``read``: ``read_model``, from a name, a YAML file or a Python file to a model.
- ``yaml/``: the text of model files, what may stand in them, how they are read and written.
- ``files/``: what stands in files of other formats: tyres, roads, race tracks, soils.
"""
