static int axl_cell_border(double s, int cells, double width, double *part, double *inside)
{
    double border = floor(s + 0.5);
    border = border < cells ? border : cells;
    border = border > 0.0 ? border : 0.0;
    if (width > 0.0) {
        *part = (s - border) / width + 0.5;
    } else {
        *part = s < border ? 0.0 : 1.0;
    }
    *inside = width > 0.0 && *part >= 0.0 && *part <= 1.0 ? 1.0 : 0.0;
    *part = *part < 0.0 ? 0.0 : *part;
    *part = *part > 1.0 ? 1.0 : *part;
    *part = s == s ? *part : s;
    return (int)border;
}
