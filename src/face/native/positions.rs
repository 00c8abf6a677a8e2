//! The position of a bad argument in a prototype, counted from 1.

use crate::error::Arg;
use crate::face::guard::Prototype;

/// Arguments and their positions, for prototypes whose argument names do not determine them.
pub type Positions = [(Arg, i32)];

/// The position of `arg`; 0 if the prototype has no such argument, which is a bug.
pub fn position(positions: &Positions, arg: Arg) -> i32 {
    positions.iter().find(|(a, _)| *a == arg).map_or(0, |&(_, i)| i)
}

/// [`position`] in a prototype whose argument names match those of `Arg`; a matrix may also be named by its array of
/// pointers (`a_array`).
#[cold]
pub(in crate::face) fn by_name(prototype: &Prototype, arg: Arg) -> i32 {
    let called = format!("{arg:?}");
    let is = |name: &&str| match name.strip_suffix("_array").unwrap_or(name) {
        "work_bytes" => arg == Arg::Lwork,
        name => name.replace('_', "").eq_ignore_ascii_case(&called),
    };
    prototype.arguments.iter().position(is).map_or(0, |i| i as i32 + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_found_by_their_names() {
        let arguments = &["m", "a_array", "stride_a", "ldq", "tau_array", "info", "batch_count", "work", "work_bytes"];
        let prototype = Prototype { name: "", arguments };
        let all = [Arg::M, Arg::A, Arg::StrideA, Arg::Ldq, Arg::Tau, Arg::Info, Arg::BatchCount, Arg::Work, Arg::Lwork];
        assert_eq!(all.map(|arg| by_name(&prototype, arg)), [1, 2, 3, 4, 5, 6, 7, 8, 9]);
        assert_eq!([Arg::N, Arg::Lda, Arg::Q].map(|arg| by_name(&prototype, arg)), [0; 3]);
    }
}
