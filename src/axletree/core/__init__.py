"""What every room stands on and that knows nothing of mechanics: errors, units, names, files.

In which order to read it: ``errors`` (what is raised on purpose), ``arguments`` (what public
functions look at before they begin), ``units`` (texts such as "60 kN/m" to SI and back), ``arrays``
(the word for arrays of numbers), ``registry`` (names that lead to objects), ``files`` (files and
folders that are written whole or not at all), ``cache`` (what was worked out on an earlier day),
``problems`` (what is wrong with a file that is read, gathered and raised once), ``yaml_document``
(YAML text as entries that know their lines), ``column_files`` (columns of numbers in tables of text
and MATLAB files), ``cores`` (how many there are), ``progress`` (how far long work is),
``text_table``, and ``value_table`` (columns with units, a row for each car, for other tools).
"""
