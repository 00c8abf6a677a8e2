//! gelsy.

use tephra_testkit::engine::{BATCH, Entry, Inputs, Member, Routine, Spot, scaled, sizes};
use tephra_testkit::guarded::Placement;
use tephra_testkit::lapack::Lapack;
use tephra_testkit::matrices::Class;
use tephra_testkit::ops::least_squares::least_squares;
use tephra_testkit::ops::lu::from_integers;
use tephra_testkit::ops::measure::norm1;
use tephra_testkit::ops::q::random;
use tephra_testkit::ops::solve::{GELSY_FORMS, gelsy};
use tephra_testkit::ops::{EntryForm, Prepared, Trans};
use tephra_testkit::qr::Session;
use tephra_testkit::scalar::Field;
use tephra_testkit::{Dtype, Library, Matrix, Result, Rng, Scalar, routine_tests, with_scalar};

struct Gelsy;

/// Chooses no column to come first.
fn free<T: Scalar>(n: usize, batch: usize) -> Vec<Matrix<T>> {
    vec![from_integers(vec![0; n]); batch]
}

impl Routine for Gelsy {
    const NAME: &'static str = "gelsy";
    const FORMS: &'static [EntryForm] = &GELSY_FORMS;
    const REPORTS_CODES: &'static [EntryForm] = &GELSY_FORMS;
    const CLASSES: &'static [Class] = &[Class::Cond2];
    /// Rows and columns of A, right-hand sides.
    type Case = [usize; 3];

    fn cases(_: Dtype) -> Vec<Self::Case> {
        let shapes = "1x1 2x1 1x2 4x4 8x5 5x8 16x16 17x16 16x17 33x32 32x33 64x64 100x7 7x100 70x50 50x70 256x16";
        sizes(shapes).into_iter().flat_map(|[m, n]| [1, 3, 9].map(|nrhs| [m, n, nrhs])).collect()
    }
    fn few(_: Dtype) -> Vec<Self::Case> {
        sizes("4x4x3 6x4x2 4x6x2 20x10x3 33x40x2 70x65x2 200x12x2")
    }
    fn zeros() -> Vec<Self::Case> {
        sizes("3x0x2 0x0x2")
    }
    fn tiny() -> Option<Self::Case> {
        Some([3, 2, 1])
    }
    /// The rank, which gelsy reports as its code.
    fn code([m, n, _]: Self::Case) -> i32 {
        m.min(n) as i32
    }
    fn inputs<T: Scalar>([m, n, nrhs]: Self::Case, class: Class, batch: usize, seed: u64) -> Inputs<T> {
        vec![random(class, m, n, batch, seed), random(Class::Uniform, m.max(n), nrhs, batch, !seed), free(n, batch)]
    }
    fn call<'a, T: Scalar>(entry: Entry<'a>, _: Self::Case, inputs: &Inputs<T>) -> Result<Prepared<'a, T>> {
        gelsy(entry.session, entry.form, -1.0, [&inputs[0], &inputs[1], &inputs[2]], &entry.place)
    }
    fn ratio<T: Scalar>(_: Self::Case, _: Class, member: &Member<T>) -> f64 {
        least_squares(Trans::N, &member.given[0], &member.given[1], &member.got[1])
    }
    /// Bad values go into A and B.
    fn spots([m, n, nrhs]: Self::Case) -> Vec<Spot> {
        vec![Spot::not_finite(0, (m / 2, n / 2)), Spot::not_finite(1, (0, nrhs - 1))]
    }
    /// Scaling A by 2^e scales X by 2^-e.
    fn unscale<T: Scalar>([_, n, _]: Self::Case, member: &mut Member<T>, e: i32) {
        member.given[0] = scaled(&member.given[0], -e);
        let x = &member.got[1];
        member.got[1] = Matrix::from_fn(x.rows(), x.cols(), |i, j| {
            if i < n { T::from_double(x[(i, j)].to_double().ldexp(e)) } else { x[(i, j)] }
        });
    }
}

routine_tests!([Gelsy]:
    a_bad_member_stays_alone,
    batches_beyond_the_limits_of_a_grid,
    extreme_members,
);

/// A product of m x rank and rank x n matrices.
fn of_rank<T: Scalar>([m, n, rank]: [usize; 3], rng: &mut Rng) -> Matrix<T> {
    let (left, right) = (Class::Cond2.generate::<T>(m, rank, rng), Class::Cond2.generate::<T>(rank, n, rng));
    Matrix::from_double(&left.to_double().times(&right.to_double()))
}

/// Matrices of each rank, made like LAPACK's `?qrt15`: the rank and the solution are LAPACK's.
#[test]
fn ranks_and_shortest_solutions_are_lapacks() -> Result<()> {
    let Some(lapack) = Lapack::get_unless_waived()? else { return Ok(()) };
    let session = Session::new(Library::required());
    let mut told = 0;
    for dtype in Dtype::ALL {
        for (seed, [m, n, rank]) in
            sizes("5x5x2 8x6x3 6x8x3 12x9x9 9x12x9 20x20x7 40x30x29 30x40x1 64x64x32 100x20x11 20x100x11 40x33x0")
                .into_iter()
                .enumerate()
        {
            with_scalar!(dtype, T => {
                let (rng, rcond) = (&mut Rng::new(seed as u64), T::DTYPE.eps().sqrt());
                let a: Vec<Matrix<T>> = (0..BATCH).map(|_| of_rank([m, n, rank], rng)).collect();
                let b = random::<T>(Class::Uniform, m.max(n), 2, BATCH, seed as u64);
                for form in GELSY_FORMS {
                    let call = gelsy(&session, form, rcond, [&a, &b, &free(n, BATCH)], &Placement::guarded())?;
                    let output = call.run()?;
                    assert_eq!(output.info, [rank as i32; BATCH], "{} {m}x{n} {form:?}", dtype.letter());
                    for i in 0..BATCH {
                        let (theirs, their_rank) = lapack.gelsy(&a[i], &b[i], rcond)?;
                        assert_eq!(their_rank, rank as i32);
                        let part = |x: &Matrix<T>| Matrix::from_fn(n, 2, |i, j| x[(i, j)].to_double());
                        let (x, y) = (part(&output.operands[1][i]), part(&theirs));
                        let gap = norm1(&Matrix::from_fn(n, 2, |i, j| x[(i, j)] - y[(i, j)]));
                        let unit = m.max(n) as f64 * norm1(&y) * T::DTYPE.eps();
                        assert!(gap <= 100.0 * unit, "{} {m}x{n} rank {rank}: {}", dtype.letter(), gap / unit);
                        told += 1;
                    }
                }
            });
        }
    }
    assert!(told > 0);
    Ok(())
}

#[test]
fn without_right_hand_sides_or_equations() -> Result<()> {
    let session = Session::new(Library::required());
    for dtype in Dtype::ALL {
        with_scalar!(dtype, T => for form in GELSY_FORMS {
            let place = Placement::guarded();
            // Ranks without right-hand sides.
            let a: Vec<Matrix<T>> = [4, 2, 3].map(|rank| of_rank([7, 4, rank], &mut Rng::new(rank as u64))).to_vec();
            let none = vec![Matrix::from_fn(7, 0, |_, _| T::POISON); BATCH];
            let output = gelsy(&session, form, T::DTYPE.eps().sqrt(), [&a, &none, &free(4, BATCH)], &place)?.run()?;
            assert_eq!(output.info, [4, 2, 3], "{} {form:?}", dtype.letter());
            // Without equations, the shortest X is zero.
            let (a, b) = (random::<T>(Class::Uniform, 0, 5, BATCH, 3), random::<T>(Class::Uniform, 5, 2, BATCH, 3));
            let call = gelsy(&session, form, -1.0, [&a, &b, &free(5, BATCH)], &place)?;
            call.issue()?;
            let output = call.collect()?;
            assert_eq!(output.info, [0; BATCH]);
            let zero = <T as Scalar>::Double::ZERO;
            assert!(output.operands[1].iter().all(|x| x.data().iter().all(|x| x.to_double() == zero)), "{form:?}");
        });
    }
    Ok(())
}
