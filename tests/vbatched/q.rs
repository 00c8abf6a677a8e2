//! orgqr and ormqr.

use std::ffi::c_int;
use tephra_testkit::any_call::{AnyFunction, call};
use tephra_testkit::library::symbol_name;
use tephra_testkit::memory::Memory;
use tephra_testkit::ops::measure::{applied, difference, explicit_q};
use tephra_testkit::ops::q::reflectors;
use tephra_testkit::ops::{Side, Trans};
use tephra_testkit::qr::Session;
use tephra_testkit::scalar::{Field, bytes_of};
use tephra_testkit::varying::{VariableSizeBatch, ints};
use tephra_testkit::{Dtype, Error, Library, Matrix, Result, Rng, Scalar, sweep, with_scalar};

/// The members: reflectors, which are in the left part of A if Q is formed, and the matrix to which Q is applied.
struct QFixture<T> {
    v: Vec<Matrix<T>>,
    tau: Vec<Matrix<T>>,
    matrices: Vec<Matrix<T>>,
    a: VariableSizeBatch<T>,
    factors: VariableSizeBatch<T>,
    c: VariableSizeBatch<T>,
    /// m, n, k, lda, ldc.
    sizes: [Vec<c_int>; 5],
    arrays: [Memory; 5],
    info: Memory,
    most: [u64; 3],
    /// The side of Q, if it is applied.
    side: Option<Side>,
}

const COUNT: usize = 31;

impl<T: Scalar> QFixture<T> {
    fn new([most_m, most_n, most_k]: [usize; 3], side: Option<Side>, seed: u64) -> Result<Self> {
        let (lib, mut rng) = (Library::required(), Rng::new(seed));
        let (mut v, mut tau, mut a, mut c, mut k) = (vec![], vec![], vec![], vec![], vec![]);
        for i in 0..COUNT {
            // The largest sizes, zero, small ones, random ones.
            let [m, n] = match i {
                0 => [most_m, most_n],
                1 => [0, most_n.min(3)],
                2 => [most_m, 0],
                _ => [most_m, most_n].map(|most| 1 + rng.below(most)),
            };
            let n = if side.is_none() { n.min(m) } else { n };
            let order = if side == Some(Side::Right) { n } else { m };
            let largest = if side.is_none() { n } else { order }.min(most_k);
            let count = if i % 4 == 0 { largest } else { rng.below(largest + 1) };
            let (mut vs, mut taus) = reflectors::<T>(order, count, 1, seed + i as u64);
            let mut random =
                |m, n| Matrix::from_fn(m, n, |_, _| T::from_double(<T as Scalar>::Double::uniform(&mut rng)));
            let (own, right) = (vs.remove(0), random(m, n));
            let place = if side.is_some() { own.clone() } else { right.clone() };
            a.push(Matrix::from_fn(order, place.cols(), |r, j| if j < count { own[(r, j)] } else { place[(r, j)] }));
            v.push(own);
            tau.push(taus.remove(0));
            c.push(right);
            k.push(count as c_int);
        }
        let of = |size: fn(&Matrix<T>) -> usize| c.iter().map(|c| size(c) as c_int).collect::<Vec<_>>();
        let (held, factors, beside) = (
            VariableSizeBatch::of(lib, &a, 1)?,
            VariableSizeBatch::of(lib, &tau, 2)?,
            VariableSizeBatch::of(lib, &c, 3)?,
        );
        let sizes = [of(Matrix::rows), of(Matrix::cols), k, held.lds(), beside.lds()];
        let array = |i: usize| ints(lib, &sizes[i]);
        let arrays = [array(0)?, array(1)?, array(2)?, array(3)?, array(4)?];
        let info = ints(lib, &[-77; COUNT])?;
        let most = [most_m, most_n, most_k].map(|size| size as u64);
        Ok(QFixture { v, tau, matrices: c, a: held, factors, c: beside, sizes, arrays, info, most, side })
    }

    fn arguments(&self, trans: Trans, session: &Session) -> Vec<u64> {
        let at = |memory: &Memory| memory.pointer() as u64;
        let [m, n, k, lda, ldc] = [0, 1, 2, 3, 4].map(|i| at(&self.arrays[i]));
        let (a, tau, info, stream) =
            (self.a.pointers(), self.factors.pointers(), at(&self.info), session.stream() as u64);
        let [most_m, most_n, most_k] = self.most;
        let count = COUNT as u64;
        match self.side {
            None => vec![most_m, most_n, most_k, m, n, k, a, lda, tau, info, count, stream],
            Some(side) => {
                let flags = [if side == Side::Left { 141 } else { 142 }, 111 + trans as u64];
                let c = self.c.pointers();
                let rest = [most_m, most_n, most_k, m, n, k, a, lda, tau, c, ldc, info, count, stream];
                flags.into_iter().chain(rest).collect()
            }
        }
    }

    /// Runs the call; `valid` says which members have valid sizes.
    fn run(&self, trans: Trans, valid: impl Fn(usize) -> bool) -> Result<(Vec<Matrix<T>>, Vec<c_int>)> {
        let lib = Library::required();
        let session = Session::new(lib);
        for operand in [&self.a, &self.factors, &self.c] {
            operand.upload()?;
        }
        self.info.write(&[-77; COUNT])?;
        let letters = if T::DTYPE.is_complex() { "un" } else { "or" };
        let name = if self.side.is_some() { "mqr" } else { "gqr" };
        let symbol = symbol_name(&format!("tephra_?{letters}{name}_vbatched"), T::DTYPE);
        // SAFETY: the arguments match the prototype, and the memory is as large as the sizes say.
        let (function, arguments) = (AnyFunction::named(lib, &symbol)?, self.arguments(trans, &session));
        let code = sweep::without_forced_plan(|| unsafe { function.call([0.0; 4], &arguments) });
        if code != 0 {
            return Err(Error::status(symbol, code));
        }
        session.synchronize()?;
        let mut codes = vec![0; COUNT];
        self.info.read(&mut codes)?;
        self.factors.download(|_| false)?;
        let (written, kept) = if self.side.is_some() { (&self.c, &self.a) } else { (&self.a, &self.c) };
        kept.download(|_| false)?;
        Ok((written.download(valid)?, codes))
    }

    fn ratio(&self, trans: Trans, got: &Matrix<T>, i: usize) -> f64 {
        match self.side {
            _ if got.data().is_empty() => 0.0,
            None => explicit_q(got, &self.v[i], &self.tau[i]),
            Some(side) => difference(got, &applied((side, trans), &self.v[i], &self.tau[i], &self.matrices[i])),
        }
    }
}

/// Largest m, n and k.
const LARGEST: [[usize; 3]; 9] = [
    [1, 1, 1],
    [8, 8, 8],
    [20, 33, 20],
    [33, 20, 5],
    [64, 64, 64],
    [150, 40, 40],
    [40, 150, 40],
    [160, 130, 130],
    [600, 20, 17],
];

fn every_call() -> impl Iterator<Item = (Option<Side>, Trans)> {
    let applied =
        [Side::Left, Side::Right].into_iter().flat_map(|s| [Trans::N, Trans::T, Trans::C].map(|t| (Some(s), t)));
    applied.chain([(None, Trans::N)])
}

#[test]
fn q_is_that_of_each_members_reflectors() -> Result<()> {
    crate::also_padded(|| {
        for dtype in Dtype::ALL {
            for (most, (side, trans)) in LARGEST.into_iter().flat_map(|most| every_call().map(move |call| (most, call)))
            {
                with_scalar!(dtype, T => {
                    let fixture = QFixture::<T>::new(most, side, 21)?;
                    let (got, codes) = fixture.run(trans, |_| true)?;
                    for i in 0..COUNT {
                        let (what, ratio) = (format!("{dtype:?} {most:?} {side:?} {trans:?} {i}"), fixture.ratio(trans, &got[i], i));
                        assert!(codes[i] == 0 && ratio < 30.0, "{what}: {ratio}, code {}", codes[i]);
                    }
                });
            }
        }
        Ok(())
    })
}

/// Invalid sizes are reported, their members are not touched, and the others give the same results as without them.
#[test]
fn what_is_not_valid_is_left_alone() -> Result<()> {
    crate::also_padded(|| {
        for dtype in Dtype::ALL {
            for (most, (side, trans)) in
                [[20, 16, 16], [70, 80, 70]].into_iter().flat_map(|m| every_call().map(move |c| (m, c)))
            {
                with_scalar!(dtype, T => {
                    let mut fixture = QFixture::<T>::new(most, side, 22)?;
                    let (clean, _) = fixture.run(trans, |_| true)?;
                    let some: Vec<usize> = (0..COUNT).filter(|&i| !clean[i].data().is_empty() && fixture.sizes[2][i] > 0).take(5).collect();
                    let order = |i: usize| fixture.sizes[if side == Some(Side::Right) { 1 } else { 0 }][i];
                    let wrong = [
                        (0, most[0] as c_int + 1, [-1, -3]),
                        (1, -1, [-2, -4]),
                        (2, order(some[2]) + 1, [-3, -5]),
                        (3, order(some[3]) - 1, [-5, -7]),
                        if side.is_some() { (4, 0, [0, -10]) } else { (2, -1, [-3, 0]) },
                    ];
                    for (&i, (array, value, _)) in some.iter().zip(wrong) {
                        fixture.sizes[array][i] = value;
                        fixture.arrays[array].write(&fixture.sizes[array])?;
                    }
                    let (got, codes) = fixture.run(trans, |i| !some.contains(&i))?;
                    for i in 0..COUNT {
                        match some.iter().position(|&s| s == i) {
                            Some(place) => assert_eq!(codes[i], wrong[place].2[usize::from(side.is_some())], "{side:?}"),
                            None => {
                                assert_eq!(bytes_of(got[i].data()), bytes_of(clean[i].data()), "{dtype:?} {most:?} {i}");
                                assert_eq!(codes[i], 0);
                            }
                        }
                    }
                });
            }
        }
        Ok(())
    })
}

/// Argument errors that the host can detect.
#[test]
fn bad_arguments_are_numbered() -> Result<()> {
    let _alone = crate::alone();
    let lib = Library::required();
    let session = Session::new(lib);
    let check = |side, symbol: &str, bad: &[(usize, u64)], nothing: &[usize]| {
        let fixture = QFixture::<f64>::new([5, 4, 3], side, 23)?;
        let arguments = fixture.arguments(Trans::N, &session);
        let with = |changes: &[(usize, u64)]| {
            let mut arguments = arguments.clone();
            changes.iter().for_each(|&(at, value)| arguments[at - 1] = value);
            // SAFETY: the call is refused, or has nothing to do, before it accesses memory.
            unsafe { call(lib, symbol, [0.0; 4], &arguments) }
        };
        for &(at, value) in bad {
            assert_eq!(with(&[(at, value)]), -(at as c_int), "{symbol}, argument {at}");
        }
        // With nothing to do, arrays may be NULL.
        let arrays: Vec<_> = bad.iter().copied().filter(|(_, value)| *value == 0).collect();
        for &at in nothing {
            assert_eq!(with(&[&arrays[..], &[(at, 0)]].concat()), 0, "{symbol}, argument {at}");
        }
        Ok::<_, Error>(())
    };
    let none = u64::MAX;
    let writes = [(1, none), (2, none), (3, none), (4, 0), (5, 0), (6, 0), (7, 0), (8, 0), (9, 0), (11, none)];
    check(None, "tephra_dorgqr_vbatched", &writes, &[1, 2, 11])?;
    let arrays = [6, 7, 8, 9, 10, 11, 12, 13].map(|at| (at, 0));
    let sizes = [(1, 7), (2, 7), (3, none), (4, none), (5, none), (15, none)];
    check(Some(Side::Left), "tephra_dormqr_vbatched", &[&sizes[..], &arrays].concat(), &[3, 4, 5, 15])
}
