#include "intervals_svg.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { WIDTH = 760, LEFT = 84, RIGHT = 30, TOP = 106, PITCH = 44, BOTTOM = 58, BINS = 90 };

static const char *const clear_colour = "#0f766e", *const unclear_colour = "#94a3b8"; // zero outside, inside

typedef struct {
    double low, high;
} span;

static double place(span s, double value) { return LEFT + (value - s.low) / (s.high - s.low) * (WIDTH - LEFT - RIGHT); }

static int larger_mean_first(const void *a, const void *b) {
    const double x = ((const interval *)a)->mean, y = ((const interval *)b)->mean;
    return (x < y) - (x > y);
}

// The range of a sample that is drawn, without the outermost 0.2 %.
static span distribution_range(const interval *row) {
    const int cut = row->count / 1000;
    return (span){row->sorted[cut], row->sorted[row->count - 1 - cut]};
}

// The step of 1, 2 or 5 times a power of ten that gives about ten ticks.
static double tick_step(span s) {
    const double rough = (s.high - s.low) / 10, power = pow(10, floor(log10(rough)));
    return power * (rough > 5 * power ? 10 : rough > 2 * power ? 5 : rough > power ? 2 : 1);
}

// Draws the sample's histogram, smoothed once and mirrored about the row's centre line.
static void draw_distribution(FILE *f, span s, const interval *row, double middle, const char *colour) {
    double bins[BINS + 2] = {0}, top = 0;
    const span range = distribution_range(row);
    const double first = range.low, width = (range.high - first) / BINS;
    for (int k = 0; k < row->count; k++) {
        const double bin = (row->sorted[k] - first) / width;
        if (bin >= 0 && bin < BINS) bins[1 + (int)bin]++;
    }
    double smooth[BINS];
    for (int b = 0; b < BINS; b++) {
        smooth[b] = bins[b] + 2 * bins[b + 1] + bins[b + 2];
        top = fmax(top, smooth[b]);
    }
    fprintf(f, "<path fill=\"%s\" fill-opacity=\"0.22\" d=\"M", colour);
    for (int side = -1; side <= 1; side += 2)
        for (int k = 0; k < BINS; k++) {
            const int b = side < 0 ? k : BINS - 1 - k;
            fprintf(f, "%.1f %.1f%s", place(s, first + (b + 0.5) * width),
                    middle + side * 0.42 * PITCH * smooth[b] / top, side > 0 && k == BINS - 1 ? "Z\"/>\n" : "L");
        }
}

static void draw_row(FILE *f, span s, const interval *row, double middle) {
    const char *colour = row->low > 0 || row->high < 0 ? clear_colour : unclear_colour;
    draw_distribution(f, s, row, middle, colour);
    fprintf(f,
            "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\" font-size=\"15\" font-weight=\"600\">%s</text>\n"
            "<line x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"%s\" stroke-width=\"3\" "
            "stroke-linecap=\"round\"/>\n"
            "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"5.5\" fill=\"%s\" stroke=\"#fff\" stroke-width=\"1.5\"/>\n",
            LEFT - 18, middle + 5, row->name, place(s, row->low), place(s, row->high), middle, middle, colour,
            place(s, row->mean), middle, colour);
}

static void draw_axis(FILE *f, span s, const char *axis, int bottom) {
    const double step = tick_step(s);
    for (double t = ceil(s.low / step) * step; t <= s.high; t += step) {
        const int zero = fabs(t) < step / 2;
        fprintf(f,
                "<line x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%d\" stroke=\"%s\"%s/>\n"
                "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\" font-size=\"12\" fill=\"#475569\">%g</text>\n",
                place(s, t), place(s, t), TOP - 8, bottom, zero ? "#475569" : "#e2e8f0",
                zero ? " stroke-dasharray=\"4 3\"" : "", place(s, t), bottom + 17, zero ? 0.0 : t);
    }
    fprintf(f, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\" font-size=\"13\" fill=\"#475569\">%s</text>\n",
            (LEFT + WIDTH - RIGHT) / 2, bottom + 40, axis);
}

int intervals_svg(const char *path, const char *title, const char *subtitle, const char *axis, const interval *rows,
                  int count) {
    FILE *f = fopen(path, "w");
    interval *sorted = malloc(sizeof(interval) * (size_t)count);
    if (!f || !sorted) {
        if (f) fclose(f);
        free(sorted);
        return 1;
    }
    span s = {0, 0};
    for (int i = 0; i < count; i++) {
        sorted[i] = rows[i];
        s.low = fmin(s.low, distribution_range(&rows[i]).low);
        s.high = fmax(s.high, distribution_range(&rows[i]).high);
    }
    qsort(sorted, (size_t)count, sizeof(interval), larger_mean_first);
    const int bottom = TOP + count * PITCH;
    fprintf(
        f,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"Helvetica, Arial, sans-serif\" "
        "fill=\"#0f172a\">\n<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n"
        "<text x=\"%d\" y=\"34\" font-size=\"21\" font-weight=\"700\">%s</text>\n"
        "<g font-size=\"13\" fill=\"#475569\"><text x=\"%d\" y=\"57\">%s</text>\n"
        "<text x=\"%d\" y=\"76\">dot: mean, bar: 95 %% interval, <tspan fill=\"%s\" font-weight=\"700\">green</tspan> "
        "where it leaves zero out</text></g>\n",
        WIDTH, bottom + BOTTOM, 24, title, 24, subtitle, 24, clear_colour);
    draw_axis(f, s, axis, bottom);
    for (int i = 0; i < count; i++) draw_row(f, s, &sorted[i], TOP + (i + 0.5) * PITCH);
    fprintf(f, "</svg>\n");
    free(sorted);
    return fclose(f);
}
