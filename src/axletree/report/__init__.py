"""Pages and result files for people to read.

``page`` fills the templates of the folder ``templates``, and ``charts`` has the plots that a page
draws itself; ``run_report`` is the report of a run,
with ``data_sheet``; ``bench_report`` that of tyre benches, and ``procedure_sections`` what a
procedure contributes to its page. ``results`` has the files of numbers:
metrics with the recipe of the run, columns as CSV. ``animation`` shows a run in three dimensions,
and ``notebook`` has what notebooks show of models, systems and runs.
"""
