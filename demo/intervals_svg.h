// Draws intervals together with the distributions that they come from.
#ifndef INTERVALS_SVG_H
#define INTERVALS_SVG_H

typedef struct {
    const char *name;
    double mean, low, high; // the interval
    const double *sorted;   // the sample, ascending
    int count;
} interval;

// Writes a chart with one row per interval, the largest mean first. Returns 0 on success.
int intervals_svg(const char *path, const char *title, const char *subtitle, const char *axis, const interval *rows,
                  int count);

#endif
