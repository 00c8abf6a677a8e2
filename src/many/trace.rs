//! Timelines: which thread or stream did what when. They are recorded on request, and written in Chrome's trace format
//! (`chrome://tracing`, Perfetto).

use crate::memory;
use std::fmt::{self, Display, Formatter};
use std::path::Path;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicPtr, Ordering};
use std::time::{Duration, Instant};
use tephra_core::Error;
use tephra_core::host::output;

/// One piece of work.
#[derive(Clone, Copy, Debug)]
pub struct Span {
    /// The work.
    pub name: &'static str,
    /// Who did it.
    pub lane: Lane,
    /// When it started.
    pub start: Instant,
    /// How long it took.
    pub duration: Duration,
}

/// A line of the picture. Lines are in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Lane {
    /// A device's stream: the device's number, and what the stream is for.
    Stream(i32, &'static str),
    /// A thread, by its number.
    Thread(usize),
}

impl Display for Lane {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Lane::Stream(device, purpose) => write!(f, "device {device}: {purpose}"),
            Lane::Thread(number) => write!(f, "thread {number:03}"),
        }
    }
}

/// What one call of [`add`] added, or where the recording begins.
struct Part {
    spans: Vec<Span>,
    /// When recording began, in the first part.
    began: Option<Instant>,
    /// The part before it, NULL for the first one.
    before: *mut Part,
}

/// The last part, or NULL if nothing is being recorded. This is no lock, since a fork could leave one held in the child:
/// parts are only put in front, and all are taken at once.
static LAST: AtomicPtr<Part> = AtomicPtr::new(null_mut());

/// Parts that were taken, of which each knows the next one.
struct Parts(*mut Part);

impl Parts {
    /// Takes all parts, in the order in which they were added, and leaves these instead.
    fn take(instead: *mut Part) -> Parts {
        let (mut part, mut first) = (LAST.swap(instead, Ordering::AcqRel), null_mut());
        while !part.is_null() {
            // SAFETY: parts that were taken belong to this thread alone.
            let before = std::mem::replace(unsafe { &mut (*part).before }, first);
            (first, part) = (part, before);
        }
        Parts(first)
    }

    fn iter(&self) -> impl Iterator<Item = &Part> {
        let mut next = self.0;
        std::iter::from_fn(move || {
            // SAFETY: the parts live as long as `self`.
            let part = unsafe { next.as_ref() }?;
            next = part.before;
            Some(part)
        })
    }

    fn spans(&self) -> impl Iterator<Item = &Span> {
        self.iter().flat_map(|part| &part.spans)
    }
}

impl Drop for Parts {
    fn drop(&mut self) {
        while !self.0.is_null() {
            // SAFETY: each part is from a box, and nothing else has its address.
            let part = unsafe { Box::from_raw(self.0) };
            self.0 = part.before;
        }
    }
}

/// Whether a trace is being recorded.
pub fn on() -> bool {
    !LAST.load(Ordering::Relaxed).is_null()
}

/// Starts recording, and discards any earlier trace.
pub fn begin() {
    let first = Part { spans: vec![], began: Some(Instant::now()), before: null_mut() };
    drop(Parts::take(Box::into_raw(Box::new(first))));
}

/// Adds spans, unless recording has ended.
pub fn add(spans: Vec<Span>) {
    let mut part = Box::new(Part { spans, began: None, before: LAST.load(Ordering::Relaxed) });
    while !part.before.is_null() {
        let before = part.before;
        let address = Box::into_raw(part);
        match LAST.compare_exchange(before, address, Ordering::AcqRel, Ordering::Relaxed) {
            Ok(_) => return,
            Err(now) => {
                // SAFETY: no other thread has seen the address.
                part = unsafe { Box::from_raw(address) };
                part.before = now;
            }
        }
    }
}

/// Ends recording. Returns the trace: one line for the name of each lane, then one for each span.
pub fn end() -> Result<String, Error> {
    let parts = Parts::take(null_mut());
    let began = parts.iter().find_map(|part| part.began);
    let began = began.ok_or_else(|| Error::NotSupported("no trace was begun".into()))?;
    let count = parts.spans().count();
    let mut lanes: Vec<Lane> = memory::reserved(count)?;
    lanes.extend(parts.spans().map(|span| span.lane));
    lanes.sort_unstable();
    lanes.dedup();
    let mut text = String::new();
    let mut put = |line: String| -> Result<(), Error> {
        text.try_reserve(line.len()).map_err(|_| Error::OutOfMemory(format!("a trace of {count} tasks")))?;
        text.push_str(&line);
        Ok(())
    };
    put("[\n".into())?;
    for (i, lane) in lanes.iter().enumerate() {
        let name = r#""name":"thread_name","ph":"M","pid":1"#;
        put(format!("{{{name},\"tid\":{i},\"args\":{{\"name\":\"{lane}\"}}}},\n"))?;
    }
    for (i, Span { name, lane, start, duration }) in parts.spans().enumerate() {
        let tid = lanes.binary_search(lane).unwrap_or_default();
        let microseconds = |time: Duration| time.as_secs_f64() * 1e6;
        let (ts, dur) = (microseconds(start.saturating_duration_since(began)), microseconds(*duration));
        let end = if i + 1 == count { "" } else { "," };
        let what = format!(r#""name":"{name}","ph":"X","pid":1,"tid":{tid}"#);
        put(format!("{{{what},\"ts\":{ts:.3},\"dur\":{dur:.3}}}{end}\n"))?;
    }
    put("]\n".into())?;
    Ok(text)
}

/// Ends recording, and writes the trace to a file.
pub fn write(path: &Path) -> Result<(), Error> {
    let text = end()?;
    output::without_signals(|| std::fs::write(path, text))
        .map_err(|error| Error::NotSupported(format!("{}: {error}", path.display())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicBool;
    use std::sync::{Mutex, MutexGuard};

    /// The trace is one for the whole process, so that the tests take turns.
    fn turn() -> MutexGuard<'static, ()> {
        static TURN: Mutex<()> = Mutex::new(());
        TURN.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    fn span(name: &'static str, lane: Lane) -> Span {
        Span { name, lane, start: Instant::now(), duration: Duration::from_micros(1500) }
    }

    #[test]
    fn spans_are_lines() {
        let _turn = turn();
        assert!(end().is_err());
        begin();
        add(vec![span("geqrt", Lane::Thread(1)), span("tsqrt", Lane::Thread(0))]);
        add(vec![span("copy", Lane::Stream(0, "1 brings"))]);
        assert!(on());
        let text = end().unwrap();
        assert!(!on());
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 8, "{text}");
        assert!(lines[1].contains("\"tid\":0,\"args\":{\"name\":\"device 0: 1 brings\"}"), "{text}");
        assert!(lines[2].contains("\"tid\":1,\"args\":{\"name\":\"thread 000\"}"), "{text}");
        assert!(lines[4].contains("\"name\":\"geqrt\"") && lines[4].contains("\"tid\":2"), "{text}");
        assert!(lines[5].ends_with("\"dur\":1500.000},") && lines[6].ends_with("\"dur\":1500.000}"), "{text}");
        add(vec![span("late", Lane::Thread(0))]);
        assert!(end().is_err());
        begin();
        assert_eq!(end().unwrap(), "[\n]\n");
    }

    /// A child of a process whose threads add to the trace at that moment can go on with it.
    #[test]
    fn a_forked_child_can_record() {
        let _turn = turn();
        let stop = AtomicBool::new(false);
        begin();
        std::thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| {
                    while !stop.load(Ordering::Relaxed) {
                        begin();
                        (0..100).for_each(|_| add(vec![span("task", Lane::Thread(0)); 10]));
                    }
                });
            }
            let statuses: Vec<i32> = (0..100)
                .map(|_| {
                    // SAFETY: the child only records, and leaves by `_exit`.
                    unsafe {
                        let child = libc::fork();
                        if child == 0 {
                            libc::alarm(20); // a child that waits for threads of its parent must not outlive the test
                            add(vec![span("child", Lane::Thread(0))]);
                            begin();
                            libc::_exit(end().is_err().into());
                        }
                        let mut status = 0;
                        assert_eq!(libc::waitpid(child, &mut status, 0), child);
                        status
                    }
                })
                .collect();
            stop.store(true, Ordering::Relaxed);
            assert_eq!(statuses, vec![0; 100]);
        });
        assert!(end().is_ok());
    }
}
