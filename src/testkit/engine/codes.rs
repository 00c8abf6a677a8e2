//! Checks of the info codes of a batch's members.

use super::Routine;
use crate::ops::{EntryForm, INFO_POISON, Output};
use std::ffi::c_int;

/// Panics unless the code of every member `i` is `expected(i)`, or is untouched if the form reports no codes.
pub fn assert_codes<R: Routine, T>(form: EntryForm, output: &Output<T>, expected: impl Fn(usize) -> c_int, what: &str) {
    let reports_codes = R::REPORTS_CODES.contains(&form);
    for (i, &code) in output.info.iter().enumerate() {
        let expected = if reports_codes { expected(i) } else { INFO_POISON };
        assert_eq!(code, expected, "{what}: the code of member {i}");
    }
}
