//! A trace (`tephra bench --trace`) as a Gantt chart: a line for each thread or stream.

use super::svg::{Anchor, Font, Stroke, Svg};
use std::collections::BTreeMap;

const WIDTH: f64 = 880.0;
const LEFT: f64 = 168.0;
const RIGHT: f64 = 16.0;
const HEAD: f64 = 74.0;
const LANE: f64 = 26.0;
const COLORS: [&str; 6] = ["#2a6f97", "#e07a5f", "#81b29a", "#f2cc8f", "#6d597a", "#9aa5b1"];
const INK: &str = "#1f2933";
const SOFT: &str = "#66717d";

/// A span of activity in a lane; times are in microseconds.
#[derive(Debug, PartialEq)]
struct Span {
    name: String,
    lane: usize,
    start: f64,
    length: f64,
}

/// The value of a key: a quoted string, or the text up to the next delimiter.
fn field<'a>(line: &'a str, key: &str) -> Option<&'a str> {
    let rest = line.split_once(&format!("\"{key}\":"))?.1;
    match rest.strip_prefix('"') {
        Some(text) => text.split('"').next(),
        None => rest.split([',', '}']).next(),
    }
}

/// Reads the lanes' names by number, and the spans, from a file written by `tephra_trace_end`, which has one event per
/// line.
fn read(text: &str) -> Option<(BTreeMap<usize, String>, Vec<Span>)> {
    let (mut lanes, mut spans) = (BTreeMap::new(), vec![]);
    for line in text.lines().filter(|line| line.starts_with('{')) {
        let lane = field(line, "tid")?.parse().ok()?;
        if field(line, "ph")? == "M" {
            let name = field(line.split_once("\"args\"")?.1, "name")?;
            lanes.insert(lane, name.to_owned());
            continue;
        }
        let number = |key| field(line, key)?.parse::<f64>().ok().filter(|number| number.is_finite());
        spans.push(Span { name: field(line, "name")?.to_owned(), lane, start: number("ts")?, length: number("dur")? });
    }
    (!lanes.is_empty() && !spans.is_empty()).then_some((lanes, spans))
}

/// Draws the chart; `None` if the text is not a trace.
pub fn draw(title: &str, text: &str) -> Option<String> {
    let (lanes, spans) = read(text)?;
    let first = spans.iter().map(|span| span.start).fold(f64::INFINITY, f64::min);
    let last = spans.iter().map(|span| span.start + span.length).fold(0.0, f64::max);
    let scale = (WIDTH - LEFT - RIGHT) / (last - first).max(1e-3);
    let x = |time: f64| LEFT + (time - first) * scale;
    let font = |size, color, anchor| Font { size, color, bold: false, anchor };
    let bottom = HEAD + LANE * lanes.len() as f64;
    let mut svg = Svg::new(WIDTH, bottom + 46.0);
    svg.text((24.0, 30.0), Font { bold: true, ..font(18.0, INK, Anchor::Start) }, title);
    let mut names: Vec<&str> = vec![];
    for span in &spans {
        if !names.contains(&span.name.as_str()) {
            names.push(&span.name);
        }
    }
    names.sort_unstable();
    let color = |name: &str| COLORS[names.iter().position(|other| *other == name).unwrap_or(0) % COLORS.len()];
    let mut at = LEFT;
    for name in &names {
        svg.bar((at, 47.0), (14.0, 12.0), color(name), "");
        svg.text((at + 20.0, 57.0), font(12.5, INK, Anchor::Start), name);
        at += 20.0 + 8.0 * name.len() as f64 + 22.0;
    }
    let row: BTreeMap<usize, f64> = lanes.keys().enumerate().map(|(i, lane)| (*lane, HEAD + LANE * i as f64)).collect();
    for (lane, name) in &lanes {
        svg.text((LEFT - 8.0, row[lane] + 17.0), font(12.0, SOFT, Anchor::End), name);
    }
    for span in &spans {
        let y = row.get(&span.lane)?;
        // Spans that are too short to be visible are drawn as thin lines.
        let width = (span.length * scale).max(0.3);
        let words = format!("{}: {:.3} ms", span.name, span.length / 1e3);
        svg.bar((x(span.start), y + 3.0), (width, LANE - 6.0), color(&span.name), &words);
    }
    svg.line((LEFT, bottom + 2.0), (WIDTH - RIGHT, bottom + 2.0), Stroke { color: "#9aa5b1", width: 1.0, dash: "" });
    // About eight marks, at 1, 2 or 5 times a power of ten.
    let least = (last - first).max(1e-3) / 8.0;
    let power = 10f64.powf(least.log10().floor());
    let unit = power * [1.0, 2.0, 5.0].into_iter().find(|times| times * power >= least).unwrap_or(10.0);
    for i in 0..=((last - first) / unit) as usize {
        let at = x(first + i as f64 * unit);
        // Drop the digits that come from rounding errors.
        let text = format!("{:.6}", i as f64 * unit / 1e3);
        let text = text.trim_end_matches('0').trim_end_matches('.');
        svg.text((at, bottom + 18.0), font(11.5, SOFT, Anchor::Middle), text);
    }
    svg.text((WIDTH / 2.0, bottom + 36.0), font(12.5, INK, Anchor::Middle), "milliseconds");
    Some(svg.finish(title))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TRACE: &str = "[\n{\"name\":\"thread_name\",\"ph\":\"M\",\"pid\":1,\"tid\":0,\"args\":{\"name\":\"thread 000\"}},\n\
        {\"name\":\"geqrt\",\"ph\":\"X\",\"pid\":1,\"tid\":0,\"ts\":10.000,\"dur\":1500.000},\n\
        {\"name\":\"tsqrt\",\"ph\":\"X\",\"pid\":1,\"tid\":0,\"ts\":1600.000,\"dur\":400.000}\n]\n";

    #[test]
    fn a_trace_becomes_bars() {
        let (lanes, spans) = read(TRACE).unwrap();
        assert_eq!(lanes[&0], "thread 000");
        let second = Span { name: "tsqrt".into(), lane: 0, start: 1600.0, length: 400.0 };
        assert!(spans.len() == 2 && spans[1] == second, "{spans:?}");
        let drawn = draw("QR", TRACE).unwrap();
        assert_eq!(drawn.matches("<title>geqrt: 1.500 ms</title>").count(), 1);
        assert!(drawn.contains(">thread 000<"));
    }

    #[test]
    fn what_is_no_trace_is_refused() {
        let without_a_time = TRACE.replace("1600.000", "nan");
        for text in ["", "[]", "a,b\n1,2\n", &TRACE[..120], &without_a_time] {
            assert_eq!(draw("QR", text), None, "{text}");
        }
    }
}
