"""Model files: YAML text to a model and back, with every problem told by its line.

They stand above vehicles and runs because a file names both. Files of single parts are read where
the parts are: tyres and soils in ``wheel``, roads and tracks in ``ground``.

To be read in this order:

- ``read``: ``read_model``, from a name, a YAML file or a Python file to a model.
- ``build``: the whole file to a model.
- ``declaration``: the keys of a file; what stands under a component is what its class declares.
- ``included_files``: ready-made tyres, base models, all files that a model is read from.
- ``carried_model``: the files of a model as data, for machines that have not got them.
- ``drafts``: components by name, field by field, then connected.
- ``settings``: first values, tree, run, manoeuvres and plots.
- ``vehicle_section``, ``vehicle_entry``: the section ``vehicle``, which makes components,
  manoeuvres, a run and plots.
- ``channel_file``: which columns of a measurement are which quantities, in which units and signs.
- ``schema``: the JSON schema of model files, for editors.
- ``write``: a model as a file that reads back to the same equations.
"""
