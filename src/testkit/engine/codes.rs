//! The codes of members.

use super::Routine;
use crate::ops::{Form, INFO_POISON, Output};
use std::ffi::c_int;

/// Panics unless every member's code is `expected` of its index, or untouched where the form has none.
pub fn assert_codes<R: Routine, T>(form: Form, output: &Output<T>, expected: impl Fn(usize) -> c_int, what: &str) {
    let tells = R::TELLS.contains(&form);
    for (i, &code) in output.info.iter().enumerate() {
        let expected = if tells { expected(i) } else { INFO_POISON };
        assert_eq!(code, expected, "{what}: the code of member {i}");
    }
}
