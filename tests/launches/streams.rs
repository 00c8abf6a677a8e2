//! Checks that a call's work on the library's own streams comes after the earlier work and before the later work of the
//! caller's stream.

use std::collections::BTreeMap;

/// The stream that a line of the record works on, if any.
fn stream(line: &str) -> Option<&str> {
    line.split_once(" stream ").map(|(_, rest)| rest.split([':', ' ']).next().unwrap_or(rest))
}

/// Panics if work on any stream other than the caller's, which is the first that a call uses, does not start after the
/// work of that stream or is not waited for.
pub fn assert_between(asked: &str) {
    let Some(caller) = asked.lines().find_map(stream) else { return };
    // By event: the stream that recorded it and the amount of work that stream had. By stream: its amount of work, and
    // how much of it the caller's stream has waited for.
    let (mut events, mut work, mut seen) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
    for line in asked.lines() {
        if let Some((event, on)) = line.strip_prefix("record event ").and_then(|rest| rest.split_once(" on stream ")) {
            events.insert(event, (on, work.get(on).copied().unwrap_or(0)));
        } else if let Some((waiting, event)) =
            line.strip_prefix("stream ").and_then(|rest| rest.split_once(" waits for event "))
        {
            let (from, done) = events[event];
            if waiting == caller {
                seen.insert(from, done);
            } else {
                assert!(from == caller, "{waiting} waits for {from}: {line}\n{asked}");
                work.entry(waiting).or_insert(0);
            }
        } else if let Some(on) = stream(line).filter(|on| *on != caller) {
            let count = work.get_mut(on).unwrap_or_else(|| panic!("{on} waits for nothing: {line}\n{asked}"));
            *count += 1;
        }
    }
    work.retain(|stream, count| seen.get(stream).copied().unwrap_or(0) < *count);
    assert!(work.is_empty(), "{caller} does not wait for {work:?}\n{asked}");
}

/// Checks that [`assert_between`] detects the errors it is meant for.
pub fn assert_notices() {
    let [fork, work, join] = [
        "record event 1 on stream 0\nstream 7 waits for event 1\n",
        "kernel 1x32+0 stream 7: 00\n",
        "record event 2 on stream 7\nstream 0 waits for event 2\n",
    ];
    let refused = |text: String| {
        std::panic::catch_unwind(|| assert_between(&format!("kernel 1x32+0 stream 0: 00\n{text}"))).is_err()
    };
    assert!(!refused(format!("{fork}{work}{join}")) && !refused(format!("{fork}{work}{work}{join}{fork}{work}{join}")));
    assert!(
        refused(format!("{fork}{work}")) && refused(format!("{work}{join}")) && refused(format!("{fork}{join}{work}"))
    );
}
