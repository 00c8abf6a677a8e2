//! One engine for the tests of every batched routine. A routine is a row, an `impl` of [`Routine`] that says which sizes and
//! flags it has, how operands are made, called and measured; [`routine_tests`](crate::routine_tests) makes the tests of it.
//!
//! | test | what fails it |
//! | --- | --- |
//! | [`sweep`], as `single`, `double`, ... | a ratio at LAPACK's threshold or above, in any case, class of input and form; a wrong code |
//! | [`extreme_members`] | the same for members whose squares are out of the range of the type |
//! | [`a_bad_member_stays_alone`] | a NaN or an infinity that a neighbour feels, or that its own result hides; an element of a result that is not written |
//! | [`a_singular_member_is_told_and_stays_alone`] | a wrong code for a singular member, or a neighbour that feels it; what is left of it if the user guide's table says otherwise |
//! | [`zero_sizes_touch_nothing`] | a byte written where there is nothing to compute |
//! | [`batches_beyond_the_limits_of_a_grid`] | a member of 70,000 that differs from its copies |
//! | [`elements_are_lapacks`] | an element, by any plan, that is not LAPACK's own (for a row that is [`Determined`]) |
//!
//! Every call runs on poisoned memory between red zones, and fails if anything but its results is written.

mod codes;
mod elements;
mod inputs;
mod left;
mod members;
mod ratios;
#[cfg(test)]
mod tests;
mod verdicts;

pub use elements::{Determined, elements_are_lapacks};
pub use inputs::{NOT_FINITE, Spot, ZERO, extreme, scaled, sizes, with};
pub use left::{GUIDE, Left};
pub use members::{
    a_bad_member_stays_alone, a_singular_member_is_told_and_stays_alone, batches_beyond_the_limits_of_a_grid,
    zero_sizes_touch_nothing,
};
pub use ratios::{extreme_members, sweep};
pub use verdicts::Verdicts;

pub use crate::ops::entry::Entry;

use crate::matrices::Class;
use crate::ops::{Form, Output, Prepared};
use crate::{Dtype, Matrix, Result, Scalar};
use std::ffi::c_int;
use std::fmt::Debug;

/// Members of the batches of sweeps: more than one, and not a power of two.
pub const BATCH: usize = 3;

/// What a call is given: the members of each operand, in the order of the arguments. Integers, as pivots, are matrices of one
/// column that hold their values, which every precision represents.
pub type Inputs<T> = Vec<Vec<Matrix<T>>>;

/// One member of a batch: what the call was given and what it left.
pub struct Member<T> {
    /// Its part of the [`Inputs`].
    pub given: Vec<Matrix<T>>,
    /// Its written operands, in the order of the arguments.
    pub got: Vec<Matrix<T>>,
    /// Its code.
    pub code: c_int,
}

impl<T: Scalar> Member<T> {
    fn of(inputs: &Inputs<T>, output: &Output<T>, i: usize) -> Self {
        let of = |operands: &[Vec<Matrix<T>>]| operands.iter().map(|members| members[i].clone()).collect();
        Member { given: of(inputs), got: of(&output.operands), code: output.info[i] }
    }
}

/// A row: what the engine must know of a routine. What has a default is needed by some tests only; a test whose data a row
/// does not give fails.
pub trait Routine {
    /// LAPACK's name without its letter.
    const NAME: &'static str;
    /// The interfaces that have it; the first serves every case.
    const FORMS: &'static [Form];
    /// Those that write a code for every member to `info`.
    const TELLS: &'static [Form] = &[];
    /// Classes of input of the sweep. The other tests take the first.
    const CLASSES: &'static [Class] = &[Class::Uniform];
    /// Sizes and flags of one call, as a failure shows them.
    type Case: Copy + Debug;

    /// What is swept: the edges of whatever the backends compute in different ways, with every combination of flags.
    fn cases(dtype: Dtype) -> Vec<Self::Case>;
    /// Cases whose plans are others where a batch fills the device, swept with plans that leave its count out of account.
    fn full(_dtype: Dtype) -> Vec<Self::Case> {
        Vec::new()
    }
    /// A few of them, small to large, for the tests of bad, extreme and singular members.
    fn few(dtype: Dtype) -> Vec<Self::Case>;
    /// Cases without anything to compute.
    fn zeros() -> Vec<Self::Case> {
        Vec::new()
    }
    /// A case so small that a batch of 70,000 is quick.
    fn tiny() -> Option<Self::Case> {
        None
    }
    /// Whether a form has this case.
    fn serves(_form: Form, _case: Self::Case, _dtype: Dtype) -> bool {
        true
    }
    /// Whether the sweep calls a case through this form: where all of them would take too long, they take turns.
    fn sweeps(_form: Form, _case: Self::Case) -> bool {
        true
    }

    /// The operands of a call, the matrix that gives the case its difficulty of class `class`.
    fn inputs<T: Scalar>(case: Self::Case, class: Class, batch: usize, seed: u64) -> Inputs<T>;
    /// The call.
    fn call<'a, T: Scalar>(entry: Entry<'a>, case: Self::Case, inputs: &Inputs<T>) -> Result<Prepared<'a, T>>;
    /// The test ratio of a result: below [`crate::ratios::Ratios::THRESHOLD`] it is right.
    fn ratio<T: Scalar>(case: Self::Case, class: Class, member: &Member<T>) -> f64;

    /// The code of an ordinary member.
    fn code(_case: Self::Case) -> c_int {
        0
    }
    /// Elements that the routine reads, and what to put there, for the test of bad members.
    fn spots(_case: Self::Case) -> Vec<Spot> {
        Vec::new()
    }
    /// The operand that extreme members have scaled.
    const SCALED: usize = 0;
    /// Cases in which that leaves a problem within the range of the type.
    fn scalable(dtype: Dtype) -> Vec<Self::Case> {
        Self::few(dtype)
    }
    /// Brings a member whose operand [`Routine::SCALED`] was multiplied by 2^e back to the scale in which its ratio can be
    /// measured; most ratios bear any.
    fn unscale<T: Scalar>(_case: Self::Case, _member: &mut Member<T>, _e: i32) {}
    /// Makes the member's first operand, of `case`, singular in the way that flaw number `flaw` (0, 1 or 2) is, and says the
    /// code that this has, or in routines without codes any that is not 0.
    fn make_singular<T: Scalar>(_case: Self::Case, _a: &mut Matrix<T>, _flaw: usize) -> c_int {
        0
    }
    /// What is left of a member so made, an entry for each written operand, as the table of the user guide has it.
    fn left<T: Scalar>(_case: Self::Case, _member: &Member<T>) -> Vec<Left> {
        Vec::new()
    }
    /// The page that has the table.
    fn guide() -> &'static str {
        left::GUIDE
    }
}

/// Forms of a row that serve a case.
fn forms<R: Routine>(case: R::Case, dtype: Dtype) -> impl Iterator<Item = Form> {
    R::FORMS.iter().copied().filter(move |&form| R::serves(form, case, dtype))
}

/// The case of a failure, in words.
fn what<R: Routine>(dtype: Dtype, form: Form, case: R::Case) -> String {
    format!("{} {} {case:?} {form:?}", R::NAME, dtype.letter())
}

/// The tests of one or more rows: the sweep in each precision, and those that are listed, each under the name of its function
/// in [`engine`](crate::engine) or, as `name = function`, another.
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
