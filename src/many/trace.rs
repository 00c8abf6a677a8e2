//! Timelines: which thread or stream did what when. They are recorded on request, and written in Chrome's trace format
//! (`chrome://tracing`, Perfetto).

use std::fmt::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};
use tephra_core::Error;

/// One piece of work.
pub struct Span {
    /// The work.
    pub name: String,
    /// The thread or the device's stream that did it.
    pub lane: String,
    /// When it started.
    pub start: Instant,
    /// How long it took.
    pub duration: Duration,
}

struct Trace {
    start: Instant,
    spans: Vec<Span>,
}

static ON: AtomicBool = AtomicBool::new(false);
static TRACE: Mutex<Option<Trace>> = Mutex::new(None);

/// Whether a trace is being recorded.
pub fn on() -> bool {
    ON.load(Ordering::Relaxed)
}

/// Starts recording, and discards any earlier trace.
pub fn begin() {
    let trace = Trace { start: Instant::now(), spans: Vec::new() };
    *TRACE.lock().unwrap_or_else(PoisonError::into_inner) = Some(trace);
    ON.store(true, Ordering::Relaxed);
}

/// Adds spans, unless recording has ended.
pub fn add(spans: impl IntoIterator<Item = Span>) {
    if let Some(trace) = &mut *TRACE.lock().unwrap_or_else(PoisonError::into_inner) {
        trace.spans.extend(spans);
    }
}

/// Ends recording. Returns the trace: one line for the name of each lane, then one for each span. `None` if no trace
/// was begun.
pub fn end() -> Option<String> {
    ON.store(false, Ordering::Relaxed);
    let trace = TRACE.lock().unwrap_or_else(PoisonError::into_inner).take()?;
    let mut lanes: Vec<&str> = trace.spans.iter().map(|span| span.lane.as_str()).collect();
    lanes.sort_unstable();
    lanes.dedup();
    let mut text = String::from("[\n");
    for (i, lane) in lanes.iter().enumerate() {
        let name = r#""name":"thread_name","ph":"M","pid":1"#;
        _ = writeln!(text, r#"{{{name},"tid":{i},"args":{{"name":"{lane}"}}}},"#);
    }
    for (i, Span { name, lane, start, duration }) in trace.spans.iter().enumerate() {
        let tid = lanes.binary_search(&lane.as_str()).unwrap_or_default();
        let microseconds = |time: Duration| time.as_secs_f64() * 1e6;
        let (ts, dur) = (microseconds(start.saturating_duration_since(trace.start)), microseconds(*duration));
        let end = if i + 1 == trace.spans.len() { "" } else { "," };
        _ = writeln!(text, r#"{{"name":"{name}","ph":"X","pid":1,"tid":{tid},"ts":{ts:.3},"dur":{dur:.3}}}{end}"#);
    }
    text.push_str("]\n");
    Some(text)
}

/// Ends recording, and writes the trace to a file.
pub fn write(path: &str) -> Result<(), Error> {
    let text = end().ok_or_else(|| Error::NotSupported("no trace was begun".into()))?;
    std::fs::write(path, text).map_err(|error| Error::NotSupported(format!("{path}: {error}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_are_lines() {
        assert_eq!(end(), None);
        begin();
        let span = |name: &str, lane: &str| Span {
            name: name.into(),
            lane: lane.into(),
            start: Instant::now(),
            duration: Duration::from_micros(1500),
        };
        add([span("geqrt", "thread 1"), span("tsqrt", "thread 0")]);
        assert!(on());
        let text = end().unwrap();
        assert!(!on());
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 6, "{text}");
        assert!(lines[1].contains("\"tid\":0,\"args\":{\"name\":\"thread 0\"}"), "{text}");
        assert!(lines[3].contains("\"name\":\"geqrt\"") && lines[3].contains("\"tid\":1"), "{text}");
        assert!(lines[3].ends_with("\"dur\":1500.000},") && lines[4].ends_with("\"dur\":1500.000}"), "{text}");
    }
}
