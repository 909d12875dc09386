"""Model files: YAML text to a model and back, with every problem reported by its line.

To be read in this order:

- ``problems``: what is wrong with a file, gathered and raised once.
- ``document``: the text as entries that know their lines.
- ``declaration``: what may stand in a file, by what components declare about their fields.
- ``included_files``: parts in files of their own, ready-made tyres, base models.
- ``drafts``: components by name, field by field, then connected.
- ``settings``: first values, tree, run, manoeuvres and plots.
- ``build``: the whole file to a model.
- ``schema``: the JSON schema of model files, for editors.
- ``write``: a model as a file that reads back to the same equations.
"""
