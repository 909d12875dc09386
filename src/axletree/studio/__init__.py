"""A studio: a local page in which a vehicle is built and tuned by looking.

To be read in this order:

- ``server``: which addresses are answered, and how.
- ``access``: who may ask: this machine's own page, with the token.
- ``studio``: what can be asked for, by name.
- ``project``: the folder, outside of which no file is touched.
- ``document``: an open text with its revisions; undo.
- ``yaml_edits``: another value at a place of a text, all else as it was.
- ``inspection``: what a text describes; what is drawn of it: ``vehicle_picture``,
  ``mechanism_picture``, ``graph_view``, ``wheel_curves``.
- ``worker``: the process in which texts are looked at.
- ``jobs``: runs, comparisons and sweeps in the background.

``studio.html``, ``style.css`` and the .js files are the page, beside the program of animations.
"""
