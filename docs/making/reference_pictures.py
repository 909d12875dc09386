"""What draws and writes, on its page of the reference."""

from __future__ import annotations

from reference_page import Page, Python

import axletree as at
from axletree.export.c_project import write_c_project
from axletree.export.fortran import write_fortran
from axletree.export.latex import write_latex
from axletree.export.matlab import write_matlab
from axletree.report.animation.animation import Animation
from axletree.report.branch_plot import plot_branch
from axletree.report.comparison import Compared, distance_table
from axletree.report.comparison_plot import plot_comparison
from axletree.report.cornering_plot import plot_cornering, plot_handling
from axletree.report.diagram_panels import diagram_panels
from axletree.report.frequency_plot import plot_frequency_response
from axletree.report.g_g_plot import plot_g_g
from axletree.report.graph_picture import draw_graph, write_graph_picture
from axletree.report.graph_text import graph_text
from axletree.report.html import RunFacts, write_report
from axletree.report.ladder_plot import plot_ladder
from axletree.report.mode_plot import plot_modes
from axletree.report.path_picture import draw_path
from axletree.report.picture_file import write_figure
from axletree.report.ride_frames import ride_frames
from axletree.report.ride_picture import draw_ride
from axletree.report.ride_view import View
from axletree.report.root_locus_plot import plot_root_locus
from axletree.report.sensitivity_plot import plot_sensitivity
from axletree.report.sweep_plot import plot_sweep
from axletree.report.vehicle_frequency_plot import plot_steer_responses
from axletree.report.vehicle_locus_plot import plot_named_modes, plot_vehicle_locus
from axletree.report.yaw_moment_plot import plot_yaw_moments
from axletree.simulation.panel_plot import draw_panels

PICTURES = Page(
    "pictures-and-files",
    "Plots, animations, exports",
    "What is drawn and written.",
    (
        Python("Reports and animations", (RunFacts, write_report, at.animation, Animation)),
        Python("Linear graphs", (graph_text, draw_graph, write_graph_picture)),
        Python(
            "Plots",
            (plot_branch, plot_root_locus, plot_modes, plot_frequency_response, plot_sweep,
             plot_comparison, plot_cornering, plot_handling, plot_yaw_moments, plot_g_g,
             plot_sensitivity, plot_ladder, plot_named_modes, plot_vehicle_locus,
             plot_steer_responses),
        ),
        Python("Figures and their files", (diagram_panels, draw_panels, write_figure)),
        Python("Comparisons", (Compared, distance_table)),
        Python("Drives", (draw_path, ride_frames, draw_ride, View)),
        Python("Exports", (write_c_project, write_matlab, write_fortran, write_latex)),
    ),
)  # fmt: skip
