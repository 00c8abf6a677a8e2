//! How much of single precision's accuracy triangular solves lose in comparison with BLAS: errors of solutions against
//! double precision.

use tephra_testkit::accuracy::{Comparison, ORDERS, SINGLE, rhs_counts, right_hand_sides, triangles};
use tephra_testkit::guarded::Placement;
use tephra_testkit::ops::solve::{Triangular, trsm};
use tephra_testkit::ops::{Diag, EntryForm, Side, Trans, Uplo};
use tephra_testkit::scalar::Field;
use tephra_testkit::{C32, Dtype, Result, Rng, Scalar};

/// Combinations of sides, triangles and transpositions.
fn flags() -> impl Iterator<Item = Triangular> {
    Triangular::all().filter(|how| match how.diag {
        Diag::NonUnit => how.trans != Trans::C || how.uplo == Uplo::Upper,
        Diag::Unit => how.trans == Trans::N && how.side == Side::Left,
    })
}

fn solutions<T: Scalar>(comparison: &Comparison, n: usize, rng: &mut Rng) -> Result<()>
where
    T::Double: Scalar<Double = T::Double>,
{
    let one = T::from_double(<T as Scalar>::Double::ONE);
    for (kind, a) in triangles::<T>(n, rng) {
        for (turn, how) in flags().enumerate() {
            let Triangular { side, uplo, trans, diag } = how;
            let letters = [side.letter(), uplo.letter(), trans.letter(), diag.letter()];
            for (which, &count) in rhs_counts(n).iter().enumerate() {
                // For large matrices, a third of the combinations suffices.
                if n > 200 && (turn + which) % 3 > 0 {
                    continue;
                }
                let (rows, columns) = if side == Side::Left { (n, count) } else { (count, n) };
                let b = right_hand_sides::<T>(rows, columns, a.len(), rng);
                let (mut exact, mut theirs) = (vec![], vec![]);
                for (a, b) in a.iter().zip(&b) {
                    exact.push(comparison.lapack.trsm(letters, &a.to_double(), &b.to_double())?);
                    theirs.push(comparison.lapack.trsm(letters, a, b)?);
                }
                let what = format!("trsm {} {kind} {n} x {count}", String::from_utf8_lossy(&letters));
                let call = || trsm(&comparison.session, EntryForm::Strided, how, one, &a, &b, &Placement::guarded());
                comparison.check_all_plans(&what, n, &exact, &theirs, 0, call)?;
            }
        }
    }
    Ok(())
}

/// On average over a batch, errors stay within the limits of [`Comparison::check`] relative to BLAS's, under every plan
/// of the CPU. Other backends only report theirs (`--nocapture`).
#[test]
fn errors_of_triangular_solves_are_blass() -> Result<()> {
    let Some(comparison) = Comparison::new()? else { return Ok(()) };
    let mut rng = Rng::new(23);
    for dtype in SINGLE {
        for n in ORDERS {
            match dtype {
                Dtype::S => solutions::<f32>(&comparison, n, &mut rng)?,
                _ => solutions::<C32>(&comparison, n, &mut rng)?,
            }
        }
    }
    Ok(())
}
