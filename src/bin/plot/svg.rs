//! The subset of SVG that charts need: shapes and text, appended to one document.

use std::fmt::Write;

/// Horizontal alignment of a text.
#[derive(Clone, Copy)]
pub enum Anchor {
    Start,
    Middle,
    End,
}

/// How a line is stroked.
#[derive(Clone, Copy)]
pub struct Stroke {
    pub color: &'static str,
    pub width: f64,
    /// SVG dash array; empty for a solid line.
    pub dash: &'static str,
}

/// The style of a text.
#[derive(Clone, Copy)]
pub struct Font {
    pub size: f64,
    pub color: &'static str,
    pub bold: bool,
    pub anchor: Anchor,
}

/// An SVG document under construction; coordinates in pixels from the upper left corner.
pub struct Svg {
    body: String,
    width: f64,
    height: f64,
}

impl Svg {
    pub fn new(width: f64, height: f64) -> Self {
        Svg { body: String::new(), width, height }
    }

    pub fn line(&mut self, from: (f64, f64), to: (f64, f64), stroke: Stroke) {
        self.polyline(&[from, to], stroke);
    }

    pub fn polyline(&mut self, points: &[(f64, f64)], stroke: Stroke) {
        let list: Vec<String> = points.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        let Stroke { color, width, dash } = stroke;
        let dash = if dash.is_empty() { String::new() } else { format!(r#" stroke-dasharray="{dash}""#) };
        self.put(format_args!(
            r#"<polyline points="{}" fill="none" stroke="{color}" stroke-width="{width}" stroke-linejoin="round" stroke-linecap="round"{dash}/>"#,
            list.join(" ")
        ));
    }

    /// A filled or hollow dot; `title` is its tool tip in a browser.
    pub fn dot(&mut self, (x, y): (f64, f64), radius: f64, color: &str, hollow: bool, title: &str) {
        let fill = if hollow { "#ffffff" } else { color };
        let title = if title.is_empty() { String::new() } else { format!("<title>{}</title>", escape(title)) };
        self.put(format_args!(
            r#"<circle cx="{x:.1}" cy="{y:.1}" r="{radius}" fill="{fill}" stroke="{color}" stroke-width="1.5">{title}</circle>"#
        ));
    }

    /// A filled rectangle, given by its upper left corner and size; `title` is its tool tip.
    pub fn bar(&mut self, (x, y): (f64, f64), (width, height): (f64, f64), color: &str, title: &str) {
        let title = if title.is_empty() { String::new() } else { format!("<title>{}</title>", escape(title)) };
        self.put(format_args!(
            r#"<rect x="{x:.2}" y="{y:.1}" width="{width:.2}" height="{height:.1}" fill="{color}">{title}</rect>"#
        ));
    }

    pub fn text(&mut self, (x, y): (f64, f64), font: Font, text: &str) {
        self.text_turned((x, y), font, 0.0, text);
    }

    /// Text rotated by `degrees` about its anchor.
    pub fn text_turned(&mut self, (x, y): (f64, f64), font: Font, degrees: f64, text: &str) {
        let anchor = match font.anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        let weight = if font.bold { r#" font-weight="600""# } else { "" };
        let turn =
            if degrees == 0.0 { String::new() } else { format!(r#" transform="rotate({degrees} {x:.1} {y:.1})""#) };
        self.put(format_args!(
            r#"<text x="{x:.1}" y="{y:.1}" font-size="{}" fill="{}" text-anchor="{anchor}"{weight}{turn}>{}</text>"#,
            font.size,
            font.color,
            escape(text)
        ));
    }

    /// The finished document, on a white background so that it is readable on dark pages.
    pub fn finish(self, description: &str) -> String {
        let (w, h) = (self.width, self.height);
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {w} {h}\" width=\"{w}\" height=\"{h}\" role=\"img\" \
             font-family=\"'Source Sans 3','Segoe UI',Helvetica,Arial,'DejaVu Sans',sans-serif\">\n\
             <title>{}</title>\n<rect width=\"{w}\" height=\"{h}\" fill=\"#ffffff\"/>\n{}</svg>\n",
            escape(description),
            self.body
        )
    }

    fn put(&mut self, element: std::fmt::Arguments<'_>) {
        writeln!(self.body, "{element}").expect("writing to a string");
    }
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
