"""What every room stands on and that knows nothing of mechanics: errors, units, names, files.

In which order to read it: ``errors`` (what is raised on purpose), ``units`` (texts such as
"60 kN/m" to SI and back), ``registry`` (names that lead to objects), ``files`` (files and folders
that are written whole or not at all).
"""
