"""A model: what is put together from components before any equation is written.

To be read in this order:

- ``model``: ``Model``, the run and the plots that it proposes, and its first values.
- ``manoeuvre``: the contract of manoeuvres; the manoeuvres themselves are in ``runs``.

Models are read from files and written to them in ``model_files``.
"""
