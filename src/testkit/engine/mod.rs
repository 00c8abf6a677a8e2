//! One engine for the tests of every batched routine. A routine is described by a row, an `impl` of [`Routine`] that
//! lists its sizes and flags and says how to make its operands, call it and measure its result;
//! [`routine_tests`](crate::routine_tests) generates the tests from it.
//!
//! | test | what fails it |
//! | --- | --- |
//! | [`sweep`], as `single`, `double`, ... | a ratio not below LAPACK's threshold; a wrong code |
//! | [`extreme_members`] | the same, for members whose squares leave the range of the type |
//! | [`a_bad_member_stays_alone`] | a NaN or infinity that changes a neighbour or is hidden; an unwritten element |
//! | [`a_singular_member_is_told_and_stays_alone`] | a wrong code; a changed neighbour; a broken promise of the guide |
//! | [`zero_sizes_touch_nothing`] | a byte written although there is nothing to compute |
//! | [`batches_beyond_the_limits_of_a_grid`] | a member of 70,000 that differs from its copies |
//! | [`elements_are_lapacks`] | for [`Determined`] rows: an element that is not LAPACK's, under any plan |
//!
//! Every call runs on poisoned memory between red zones and fails if it writes anything but its results.

mod codes;
mod elements;
mod inputs;
mod leftover;
mod members;
mod ratios;
#[cfg(test)]
mod tests;
mod verdicts;

pub use elements::{Determined, elements_are_lapacks};
pub use inputs::{NOT_FINITE, Spot, ZERO, extreme, scaled, sizes, with};
pub use leftover::{GUIDE, Leftover};
pub use members::{
    a_bad_member_stays_alone, a_singular_member_is_told_and_stays_alone, batches_beyond_the_limits_of_a_grid,
    zero_sizes_touch_nothing,
};
pub use ratios::{extreme_members, sweep};
pub use verdicts::Verdicts;

pub use crate::ops::entry::Entry;

use crate::matrices::Class;
use crate::ops::{EntryForm, Output, Prepared};
use crate::{Dtype, Matrix, Result, Scalar};
use std::ffi::c_int;
use std::fmt::Debug;

/// Batch size of the sweeps: more than one, and not a power of two.
pub const BATCH: usize = 3;

/// The inputs of a call: the members of each operand, in the order of the arguments. Integer operands such as pivots
/// are stored as one-column matrices of their values, which every precision represents exactly.
pub type Inputs<T> = Vec<Vec<Matrix<T>>>;

/// One member of a batch: its inputs and its results.
pub struct Member<T> {
    /// Its share of the [`Inputs`].
    pub given: Vec<Matrix<T>>,
    /// Its written operands after the call, in the order of the arguments.
    pub got: Vec<Matrix<T>>,
    /// Its info code.
    pub code: c_int,
}

impl<T: Scalar> Member<T> {
    fn of(inputs: &Inputs<T>, output: &Output<T>, i: usize) -> Self {
        let of = |operands: &[Vec<Matrix<T>>]| operands.iter().map(|members| members[i].clone()).collect();
        Member { given: of(inputs), got: of(&output.operands), code: output.info[i] }
    }
}

/// A row: what the engine must know about a routine. Items with defaults are needed by some tests only; a test fails if
/// the row does not provide the data that the test needs.
pub trait Routine {
    /// LAPACK's name without the precision letter.
    const NAME: &'static str;
    /// The interfaces that offer the routine; the first one accepts every case.
    const FORMS: &'static [EntryForm];
    /// The forms that write a code for every member to `info`.
    const REPORTS_CODES: &'static [EntryForm] = &[];
    /// The input classes of the sweep. The other tests use the first.
    const CLASSES: &'static [Class] = &[Class::Uniform];
    /// Sizes and flags of one call, as a failure message shows them.
    type Case: Copy + Debug;

    /// The cases of the sweep: the boundaries between the algorithms of both backends, with every combination of flags.
    fn cases(dtype: Dtype) -> Vec<Self::Case>;
    /// Cases for which a batch that fills the device has a different plan. The sweep runs them with plans that ignore
    /// the batch size.
    fn full(_dtype: Dtype) -> Vec<Self::Case> {
        Vec::new()
    }
    /// A few of the cases, small to large, for the tests of bad, extreme and singular members.
    fn few(dtype: Dtype) -> Vec<Self::Case>;
    /// Cases in which there is nothing to compute.
    fn zeros() -> Vec<Self::Case> {
        Vec::new()
    }
    /// A case so small that a batch of 70,000 runs quickly.
    fn tiny() -> Option<Self::Case> {
        None
    }
    /// Whether a form accepts this case.
    fn supports(_form: EntryForm, _case: Self::Case, _dtype: Dtype) -> bool {
        true
    }
    /// Whether the sweep calls a case through this form. Rows for which calling every form would take too long
    /// alternate between forms.
    fn sweeps(_form: EntryForm, _case: Self::Case) -> bool {
        true
    }

    /// Makes the operands of a call; `class` applies to the matrix that determines how difficult the case is.
    fn inputs<T: Scalar>(case: Self::Case, class: Class, batch: usize, seed: u64) -> Inputs<T>;
    /// Prepares the call.
    fn call<'a, T: Scalar>(entry: Entry<'a>, case: Self::Case, inputs: &Inputs<T>) -> Result<Prepared<'a, T>>;
    /// The test ratio of a result; a value below [`crate::ratios::Ratios::THRESHOLD`] passes.
    fn ratio<T: Scalar>(case: Self::Case, class: Class, member: &Member<T>) -> f64;

    /// The info code of an ordinary member.
    fn code(_case: Self::Case) -> c_int {
        0
    }
    /// Elements that the routine reads, with the values that the test of bad members puts there.
    fn spots(_case: Self::Case) -> Vec<Spot> {
        Vec::new()
    }
    /// The operand that the test of extreme members scales.
    const SCALED: usize = 0;
    /// Cases for which the scaled problem stays within the range of the type.
    fn scalable(dtype: Dtype) -> Vec<Self::Case> {
        Self::few(dtype)
    }
    /// Scales a member whose operand [`Routine::SCALED`] was multiplied by 2^e back to where its ratio can be measured.
    /// Most ratios are invariant to scale and need nothing.
    fn unscale<T: Scalar>(_case: Self::Case, _member: &mut Member<T>, _e: i32) {}
    /// Makes the member's first operand singular by flaw number `flaw` (0, 1 or 2) and returns the code that this
    /// causes. Routines without codes return anything but 0; 0 means that the case has no such flaw.
    fn make_singular<T: Scalar>(_case: Self::Case, _a: &mut Matrix<T>, _flaw: usize) -> c_int {
        0
    }
    /// What the call leaves of such a member, one entry per written operand, as the user guide's table states it.
    fn leftovers<T: Scalar>(_case: Self::Case, _member: &Member<T>) -> Vec<Leftover> {
        Vec::new()
    }
    /// The page that contains the table.
    fn guide() -> &'static str {
        leftover::GUIDE
    }
}

/// The forms of a row that accept a case.
fn forms<R: Routine>(case: R::Case, dtype: Dtype) -> impl Iterator<Item = EntryForm> {
    R::FORMS.iter().copied().filter(move |&form| R::supports(form, case, dtype))
}

/// Describes a case in failure messages.
fn what<R: Routine>(dtype: Dtype, form: EntryForm, case: R::Case) -> String {
    format!("{} {} {case:?} {form:?}", R::NAME, dtype.letter())
}

/// Generates the tests of one or more rows: the sweep in each precision, and the listed tests, each named after its
/// function in [`engine`](crate::engine) or, given as `name = function`, otherwise.
///
/// ```ignore
/// routine_tests!([Gels]: a_bad_member_stays_alone, zero_sizes = zero_sizes_touch_nothing);
/// ```
#[macro_export]
macro_rules! routine_tests {
    ([$($row:ty),+]: $($rest:tt)*) => {
        fn sweep<T: $crate::Scalar>() -> $crate::Result<()> {
            $($crate::engine::sweep::<$row, T>()?;)+
            Ok(())
        }
        $crate::in_all_precisions!(sweep);
        $crate::routine_tests!(@list [$($row),+] $($rest)*);
    };
    (@list $rows:tt $($name:ident $(= $function:ident)?),* $(,)?) => {
        $($crate::routine_tests!(@test $rows $name $($function)?);)*
    };
    (@test $rows:tt $name:ident) => {
        $crate::routine_tests!(@test $rows $name $name);
    };
    (@test [$($row:ty),+] $name:ident $function:ident) => {
        #[test]
        fn $name() -> $crate::Result<()> {
            $($crate::engine::$function::<$row>()?;)+
            Ok(())
        }
    };
}
