//! What the CUDA backend asks the driver to do, over a fixed grid of calls: written down by a stand-in for the driver
//! (tests/recorder/), so it needs no GPU.
//!
//! tests/launches/expected.txt has a line for each kernel, with the routines that launch it, and one for each entry point: how
//! many calls, how many requests to the driver, and a hash of them all. The whole record of a run is written beside the test
//! programs' other files (target/tmp/launches.txt): where a hash changes, the records of both trees, compared, show what did.
//! `make launches` takes the present record as the expected one.
//!
//! What the library tells of each native call, as `tephra_explain` tells it of a shape, must be what the call asks for: the same
//! kernels as often, and as much scratch memory (tests/launches/explained.rs).

#[path = "launches/cases.rs"]
mod cases;
#[path = "launches/explained.rs"]
mod explained;
#[path = "launches/record.rs"]
mod record;
#[path = "launches/rows.rs"]
mod rows;
#[path = "launches/streams.rs"]
mod streams;
#[path = "launches/vbatched.rs"]
mod vbatched;

use record::{Recorder, Trace};
use std::collections::BTreeSet;
use tephra_testkit::Library;

const EXPECTED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/launches/expected.txt");
const WHOLE: &str = concat!(env!("CARGO_TARGET_TMPDIR"), "/launches.txt");

#[test]
fn work_beside_the_callers_stream_is_seen() {
    streams::assert_notices();
}

#[test]
fn launches_are_the_expected_ones() {
    let recorder = Recorder::start();
    let trace = Trace::of(&recorder);
    std::fs::write(WHOLE, &trace.text).unwrap();

    let summary = trace.summary();
    if std::env::var_os("UPDATE_LAUNCHES").is_some_and(|v| !v.is_empty()) {
        std::fs::write(EXPECTED, &summary).unwrap();
    }
    let expected = std::fs::read_to_string(EXPECTED).unwrap_or_default();
    let lines = |text: &str| text.lines().map(str::to_owned).collect::<BTreeSet<_>>();
    let (is, should) = (lines(&summary), lines(&expected));
    let (now, before): (Vec<_>, Vec<_>) = (is.difference(&should).collect(), should.difference(&is).collect());
    assert!(
        now.is_empty() && before.is_empty(),
        "launches are those of {WHOLE} and differ from {EXPECTED}:\n{now:#?}\nwhere these were expected:\n{before:#?}"
    );

    // A kernel that nothing launches is not covered by the record, or is not needed.
    let unused: Vec<_> = recorder.kernels.iter().filter(|name| !trace.launched.contains_key(*name)).collect();
    assert!(unused.is_empty(), "no call launches {unused:#?}");

    // Bounds of members' sizes for which the list of panels would fill the host's memory are refused.
    for name in ["potrf", "getrf", "getrf_nopiv", "geqrf", "orgqr", "ormqr", "gesv", "posv"] {
        let (most, library) = (i32::MAX.into(), Library::required());
        let told = library.explain(&format!("d{name}_vbatched"), most, most, 3);
        assert!(told.as_ref().is_err_and(|e| e.to_string().contains("not supported")), "{name}: {told:?}");
    }

    // What is made of several operations begins none if one has no allowed plan.
    for plan in ["resident", "thin", "parts"] {
        assert!(recorder.refused(plan) > 100, "{plan} serves nearly everything: nothing was tested");
    }
}
