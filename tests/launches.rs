//! The driver requests of the CUDA backend over a fixed grid of calls. A stand-in for the driver (tests/recorder/)
//! records them, so this test needs no GPU.
//!
//! tests/launches/expected.txt has one line for each kernel, with the routines that launch it, and one for each entry
//! point, with the number of calls, the number of driver requests and a hash of them all. The whole record of a run is
//! written to target/tmp/launches.txt; where a hash changes, compare the records of both trees to see the difference.
//! `make launches` accepts the current record as the expected one.
//!
//! For each call, the plan that the library reports (as `tephra_explain` does for a shape) must match the requests: the
//! same kernels with the same counts, and the same amount of scratch memory (tests/launches/explained.rs). A call with
//! exactly the workspace that its query reports must request the same as with more, and with a byte less it must be
//! refused before it requests anything (tests/launches/workspace.rs).

#[path = "launches/cases.rs"]
mod cases;
#[path = "launches/explained.rs"]
mod explained;
#[path = "support/native.rs"]
mod native;
#[path = "launches/record.rs"]
mod record;
#[path = "launches/rows.rs"]
mod rows;
#[path = "launches/streams.rs"]
mod streams;
#[path = "launches/vbatched.rs"]
mod vbatched;
#[path = "launches/workspace.rs"]
mod workspace;

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
    let mut trace = Trace::of(&recorder);
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

    cases::unrecorded().iter().for_each(|call| trace.compare(&recorder, call, None));
    let unasked = &trace.workspaces.unasked;
    assert!(unasked.is_empty(), "no call asks for the workspace of {unasked:#?}");

    // A kernel that no call launches is either missing from the grid or not needed.
    let unused: Vec<_> = recorder.kernels.iter().filter(|name| !trace.launched.contains_key(*name)).collect();
    assert!(unused.is_empty(), "no call launches {unused:#?}");

    // Maximum sizes for which the list of panels would fill the host's memory are refused.
    for name in ["potrf", "getrf", "getrf_nopiv", "geqrf", "orgqr", "ormqr", "gesv", "posv"] {
        let (most, library) = (i32::MAX.into(), Library::required());
        let told = library.explain(&format!("d{name}_vbatched"), most, most, 3);
        assert!(told.as_ref().is_err_and(|e| e.to_string().contains("not supported")), "{name}: {told:?}");
    }

    // A routine that consists of several operations must begin none of them if one has no allowed plan.
    for plan in ["resident", "thin", "parts"] {
        assert!(recorder.refused(plan) > 100, "{plan} serves nearly everything: nothing was tested");
    }
}
