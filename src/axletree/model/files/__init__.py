"""Files of other formats that models are made of.

- ``tyre_file_text``: the text of a tyre property file (``.tir``): values, units, sections, edits.
- ``tyre_file``: such a file as an object, read and written without loss; which law it is for.
- ``tyre_law``: from a name, a property file or a YAML file to a tyre law.
- ``tyre_data``: measured slip and forces of a tyre from CSV.
- ``height_map``: roads as grids of heights from CSV, NumPy and images.
- ``opencrg``: roads of OpenCRG files.
- ``race_track``: centre lines of race tracks from CSV.
- ``soil_file``: soils of one's own in YAML.
"""
