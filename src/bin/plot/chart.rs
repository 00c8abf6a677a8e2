//! A sheet of small charts on shared axes: one panel per precision, one line per library.

use super::scale::LogScale;
use super::svg::{Anchor, Font, Stroke, Svg};

/// One line (or cloud of dots) of a panel.
#[derive(Clone)]
pub struct Series {
    pub name: String,
    pub color: &'static str,
    pub dash: &'static str,
    pub width: f64,
    pub mark: Mark,
    pub points: Vec<(f64, f64)>,
}

/// How a series' points are drawn.
#[derive(Clone, Copy, PartialEq)]
pub enum Mark {
    /// Line only.
    None,
    /// Line and filled dots.
    Filled,
    /// Line and hollow dots.
    Hollow,
    /// Hollow dots without a line.
    Dots,
}

/// One chart of the sheet.
pub struct Panel {
    pub title: String,
    pub x_label: &'static str,
    pub series: Vec<Series>,
}

impl Panel {
    /// The x range of all points, with a margin; `None` without points.
    fn x_range(&self) -> Option<(f64, f64)> {
        let all = || self.series.iter().flat_map(|s| &s.points).map(|p| p.0);
        Some((all().reduce(f64::min)? / 1.15, all().reduce(f64::max)? * 1.15))
    }
}

/// A sheet: title, panels in two columns, legend, foot notes.
pub struct Sheet {
    pub title: String,
    /// One line each.
    pub notes: Vec<String>,
    pub y_label: String,
    pub y_range: (f64, f64),
    /// Formats a y value, on the axis and in the tool tips.
    pub y_text: fn(f64) -> String,
    /// A y value to mark with a heavier line (the vendor's speed on a speedup chart).
    pub y_line: Option<f64>,
    pub panels: Vec<Panel>,
}

const WIDTH: f64 = 880.0;
const PANEL_HEIGHT: f64 = 290.0;
const TITLE: f64 = 44.0;
const LEGEND_LINE: f64 = 20.0;
const LEGEND_LEFT: f64 = 24.0;
const NOTE_LINE: f64 = 16.0;
const INK: &str = "#1f2933";
const SOFT: &str = "#66717d";
const GRID: Stroke = Stroke { color: "#e4e7eb", width: 1.0, dash: "" };
const AXIS: Stroke = Stroke { color: "#9aa5b1", width: 1.0, dash: "" };

const fn font(size: f64, color: &'static str, anchor: Anchor) -> Font {
    Font { size, color, bold: false, anchor }
}

/// The inner rectangle of a panel and its axes.
struct Frame {
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
    x: LogScale,
    y: LogScale,
}

impl Sheet {
    /// The sheet as an SVG document.
    pub fn draw(&self) -> String {
        let columns = if self.panels.len() > 1 { 2 } else { 1 };
        let rows = self.panels.len().div_ceil(columns);
        let legend = self.legend();
        let head = TITLE + LEGEND_LINE * legend.last().map_or(0.0, |last| last.line as f64 + 1.0);
        let foot = head + rows as f64 * PANEL_HEIGHT;
        let mut svg = Svg::new(WIDTH, foot + 14.0 + NOTE_LINE * self.notes.len() as f64);
        svg.text((24.0, 30.0), Font { bold: true, ..font(18.0, INK, Anchor::Start) }, &self.title);
        for entry in legend {
            entry.draw(&mut svg);
        }
        let panel_width = (WIDTH - 16.0) / columns as f64;
        for (i, panel) in self.panels.iter().enumerate() {
            let (left, top) = ((i % columns) as f64 * panel_width, head + (i / columns) as f64 * PANEL_HEIGHT);
            self.panel(&mut svg, panel, left, top, panel_width);
        }
        for (i, note) in self.notes.iter().enumerate() {
            svg.text((24.0, foot + 14.0 + NOTE_LINE * i as f64), font(11.5, SOFT, Anchor::Start), note);
        }
        svg.finish(&self.title)
    }

    /// The distinct names of all series, in the order of first appearance, broken into lines.
    fn legend(&self) -> Vec<Entry<'_>> {
        let mut entries: Vec<Entry<'_>> = Vec::new();
        let (mut x, mut line) = (LEGEND_LEFT, 0);
        for series in self.panels.iter().flat_map(|p| &p.series) {
            if entries.iter().any(|e| e.series.name == series.name) {
                continue;
            }
            let width = 33.0 + 7.8 * series.name.chars().count() as f64 + 20.0;
            if x + width > WIDTH && x > LEGEND_LEFT {
                (x, line) = (LEGEND_LEFT, line + 1);
            }
            entries.push(Entry { series, x, line });
            x += width;
        }
        entries
    }

    fn panel(&self, svg: &mut Svg, panel: &Panel, left: f64, top: f64, width: f64) {
        let Some((low, high)) = panel.x_range() else { return };
        let (x0, x1, y0, y1) = (left + 76.0, left + width - 14.0, top + 24.0, top + PANEL_HEIGHT - 50.0);
        let frame = Frame {
            left: x0,
            right: x1,
            top: y0,
            bottom: y1,
            x: LogScale { low, high, from: x0, to: x1 },
            y: LogScale { low: self.y_range.0, high: self.y_range.1, from: y1, to: y0 },
        };
        svg.text((x0, top + 14.0), Font { bold: true, ..font(14.0, INK, Anchor::Start) }, &panel.title);
        self.axes(svg, &frame, panel.x_label);
        for series in &panel.series {
            self.series(svg, &frame, series);
        }
    }

    fn axes(&self, svg: &mut Svg, f: &Frame, x_label: &str) {
        for tick in f.y.decimal_ticks() {
            let y = f.y.pixel(tick);
            svg.line((f.left, y), (f.right, y), GRID);
            svg.text((f.left - 7.0, y + 4.0), font(12.0, SOFT, Anchor::End), &(self.y_text)(tick));
        }
        for tick in f.x.binary_ticks() {
            let x = f.x.pixel(tick);
            svg.line((x, f.top), (x, f.bottom), GRID);
            svg.text((x, f.bottom + 17.0), font(11.5, SOFT, Anchor::Middle), &format!("{tick}"));
        }
        if let Some(value) = self.y_line {
            svg.line((f.left, f.y.pixel(value)), (f.right, f.y.pixel(value)), Stroke { width: 1.5, ..AXIS });
        }
        svg.line((f.left, f.bottom), (f.right, f.bottom), AXIS);
        let middle = (f.left + f.right) / 2.0;
        svg.text((middle, f.bottom + 36.0), font(12.5, INK, Anchor::Middle), x_label);
        let label = (f.left - 56.0, (f.top + f.bottom) / 2.0);
        svg.text_turned(label, font(12.5, INK, Anchor::Middle), -90.0, &self.y_label);
    }

    fn series(&self, svg: &mut Svg, f: &Frame, s: &Series) {
        let pixel = |&(x, y): &(f64, f64)| (f.x.pixel(x), f.y.pixel(y));
        let points: Vec<_> = s.points.iter().map(pixel).collect();
        if s.mark != Mark::Dots && points.len() > 1 {
            svg.polyline(&points, s.stroke());
        }
        if s.mark != Mark::None {
            for (at, (x, y)) in points.iter().zip(&s.points) {
                let title = format!("{}: {} at {x}", s.name, (self.y_text)(*y));
                svg.dot(*at, 3.0, s.color, s.mark != Mark::Filled, &title);
            }
        }
    }
}

/// A name in the legend.
struct Entry<'a> {
    series: &'a Series,
    x: f64,
    line: usize,
}

impl Entry<'_> {
    fn draw(&self, svg: &mut Svg) {
        let (s, x, y) = (self.series, self.x, TITLE + LEGEND_LINE * (self.line as f64 + 0.5));
        if s.mark != Mark::Dots {
            svg.line((x, y - 4.0), (x + 26.0, y - 4.0), s.stroke());
        }
        if s.mark != Mark::None {
            svg.dot((x + 13.0, y - 4.0), 3.0, s.color, s.mark != Mark::Filled, "");
        }
        svg.text((x + 33.0, y), font(13.0, INK, Anchor::Start), &s.name);
    }
}

impl Series {
    fn stroke(&self) -> Stroke {
        Stroke { color: self.color, width: self.width, dash: self.dash }
    }
}
