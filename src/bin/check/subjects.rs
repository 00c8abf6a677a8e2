//! The checks of QR factorisations, each generic in the element type.

use super::table::Tally;
use std::ffi::c_int;
use std::ptr::null_mut;
use tephra_testkit::guarded::Placement;
use tephra_testkit::matrices::Class;
use tephra_testkit::qr::{EntryForm, QrBatch, Session};
use tephra_testkit::{Error, Matrix, Rng, Scalar, ratios, sweep};

/// Shapes that are small, on both sides of a tile's edge, tall, wide, or have more rows than a block holds.
const SHAPES: [(usize, usize); 13] = [
    (1, 1),
    (4, 4),
    (5, 3),
    (3, 5),
    (8, 8),
    (17, 16),
    (32, 32),
    (33, 32),
    (64, 20),
    (100, 100),
    (20, 50),
    (300, 33),
    (2500, 20),
];

/// Ordinary input, and input that fails without LAPACK's care for scaling and zero columns.
const CLASSES: [Class; 5] =
    [Class::Uniform, Class::CondHigh, Class::RankDeficient, Class::ZeroColumns, Class::ScaledColumns];

/// Matrices of each class in a batch. Together they fill more than half of the widest vector's lanes, without which the
/// CPU backend's interleaved path declines.
const COPIES: usize = 2;

/// Runs the checks on a session's library.
pub struct Checker<'a> {
    pub session: &'a Session,
}

impl Checker<'_> {
    /// Checks one interface over all shapes and classes, with padding and guarded memory.
    pub fn form<T: Scalar>(&self, form: EntryForm) -> Tally {
        let place = if form == EntryForm::Strided { Placement::guarded() } else { Placement::shuffled(7) };
        let mut tally = Tally::default();
        for (m, n) in SHAPES {
            self.factor::<T>(&mut tally, form, &place, (m, n));
        }
        tally
    }

    /// Checks one plan over all shapes that it supports.
    pub fn plan<T: Scalar>(&self, path: &str) -> Tally {
        let mut tally = Tally::default();
        for shape in SHAPES {
            let forced = sweep::with_plan(self.session.library(), path, || {
                let mut one = Tally::default();
                self.factor::<T>(&mut one, EntryForm::Pointers, &Placement::guarded(), shape);
                one
            });
            match forced {
                Ok(one) => {
                    tally.passed += one.passed;
                    tally.declined += one.declined;
                    tally.failures.extend(one.failures);
                    one.ratio.into_iter().for_each(|r| tally.ratio(r));
                }
                Err(e) => tally.check(|| format!("forcing {path}"), Err(e.to_string())),
            }
        }
        tally
    }

    /// Factors a batch with a few matrices of each class.
    fn factor<T: Scalar>(&self, tally: &mut Tally, form: EntryForm, place: &Placement, shape: (usize, usize)) {
        let classes: Vec<Class> = CLASSES.iter().copied().cycle().take(COPIES * CLASSES.len()).collect();
        self.factor_classes::<T>(tally, form, place, shape, &classes);
    }

    /// Checks matrices with more rows than the blocks of a cluster hold together; for one of them, the Gram matrix is
    /// not accurate enough.
    pub fn tall<T: Scalar>(&self) -> Tally {
        let mut tally = Tally::default();
        let classes = [Class::Uniform, Class::RankDeficient, Class::Uniform];
        self.factor_classes::<T>(&mut tally, EntryForm::Pointers, &Placement::guarded(), (20_000, 20), &classes);
        tally
    }

    /// Factors a batch of matrices of these classes.
    fn factor_classes<T: Scalar>(
        &self,
        tally: &mut Tally,
        form: EntryForm,
        place: &Placement,
        (m, n): (usize, usize),
        classes: &[Class],
    ) {
        let mut rng = Rng::new((m * 1000 + n) as u64);
        let inputs: Vec<Matrix<T>> = classes.iter().map(|c| c.generate(m, n, &mut rng)).collect();
        let run = QrBatch::of(self.session.library(), &inputs, place).and_then(|b| b.run(self.session, form));
        let results = match run {
            Ok(results) => results,
            Err(e) if e.is_not_supported() => {
                tally.declined += 1;
                return;
            }
            Err(e) => return tally.check(|| format!("{m}x{n}"), Err(e.to_string())),
        };
        for ((class, input), result) in classes.iter().zip(&inputs).zip(results) {
            let measured = ratios::measure(input, &result.factors, &result.tau);
            tally.ratio(measured.largest());
            let outcome = sweep::below(ratios::residual_limit(T::DTYPE, m), &measured)
                .and_then(|()| ratios::convention(&result.factors, &result.tau));
            tally.check(|| format!("{m}x{n} {}", class.name()), outcome);
        }
    }

    /// Checks a batch with more matrices than a CUDA grid dimension allows, at its first and last matrices and around
    /// 65,535.
    pub fn large_batch<T: Scalar>(&self) -> Tally {
        const BATCH: usize = 70_000;
        let mut rng = Rng::new(3);
        let few: Vec<Matrix<T>> = (0..7).map(|_| Class::Uniform.generate(5, 4, &mut rng)).collect();
        let inputs: Vec<Matrix<T>> = (0..BATCH).map(|i| few[i % few.len()].clone()).collect();
        let mut tally = Tally::default();
        let batch = QrBatch::of(self.session.library(), &inputs, &Placement::tight());
        match batch.and_then(|b| b.run(self.session, EntryForm::Pointers)) {
            Err(e) => tally.check(|| "5x4".into(), Err(e.to_string())),
            Ok(results) => {
                for i in [0, 1, 65_534, 65_535, 65_536, BATCH - 1] {
                    let measured = ratios::measure(&inputs[i], &results[i].factors, &results[i].tau);
                    tally.ratio(measured.largest());
                    let outcome = sweep::below(ratios::residual_limit(T::DTYPE, inputs[i].rows()), &measured);
                    tally.check(|| format!("matrix {i}"), outcome);
                }
                let differs = (0..BATCH).find(|&i| !results[i].same_bits(&results[i % few.len()]));
                let outcome = differs.map_or(Ok(()), |i| Err(format!("matrix {i} differs from its equal")));
                tally.check(|| "equal input, equal result".into(), outcome);
            }
        }
        tally
    }

    /// Checks that a NaN in one matrix leaves the results of the others bitwise unchanged.
    pub fn isolation<T: Scalar>(&self) -> Tally {
        let mut tally = Tally::default();
        for (m, n) in [(8, 8), (33, 32), (100, 40)] {
            let mut rng = Rng::new(5);
            let mut inputs: Vec<Matrix<T>> = (0..5).map(|_| Class::Uniform.generate(m, n, &mut rng)).collect();
            let run = |inputs: &[Matrix<T>]| {
                let batch = QrBatch::of(self.session.library(), inputs, &Placement::tight())?;
                batch.run(self.session, EntryForm::Pointers)
            };
            let clean = run(&inputs);
            inputs[2][(m / 2, n / 2)] = T::POISON;
            let outcome = match (clean, run(&inputs)) {
                (Ok(clean), Ok(poisoned)) => {
                    let spread = (0..5).find(|&i| i != 2 && !clean[i].same_bits(&poisoned[i]));
                    match spread {
                        Some(i) => Err(format!("matrix {i} changed")),
                        None if poisoned[2].factors.is_finite() => Err("the NaN was lost".into()),
                        None => Ok(()),
                    }
                }
                (Err(e), _) | (_, Err(e)) => Err(e.to_string()),
            };
            tally.check(|| format!("{m}x{n}"), outcome);
        }
        tally
    }

    /// Checks that calls with zero sizes succeed without touching memory, in every interface.
    pub fn empty<T: Scalar>(&self) -> Tally {
        let mut tally = Tally::default();
        for form in EntryForm::ALL {
            for (m, n, batch) in [(0, 3, 2), (3, 0, 2), (3, 3, 0)] {
                let run = || {
                    let operands = QrBatch::<T>::new(self.session.library(), m, n, batch, &Placement::guarded())?;
                    operands.upload()?;
                    operands.issue(self.session, form)?;
                    operands.is_untouched(self.session)
                };
                let outcome = match run() {
                    Ok(true) => Ok(()),
                    Ok(false) => Err("memory was written".to_string()),
                    Err(e) => Err(e.to_string()),
                };
                tally.check(|| format!("{form:?} {m}x{n} x {batch}"), outcome);
            }
        }
        tally
    }

    /// Checks that an invalid size is reported by the number of its argument, without launching anything.
    pub fn arguments<T: Scalar>(&self) -> Tally {
        let mut tally = Tally::default();
        let library = self.session.library();
        let stream = self.session.stream();
        for (what, [m, n, lda, batch], expected) in [
            ("m = -1", [-1, 4, 4, 1], -1),
            ("n = -1", [4, -1, 4, 1], -2),
            ("lda < m", [4, 4, 3, 1], -4),
            ("batch = -1", [4, 4, 4, -1], -6),
        ] {
            // SAFETY: nothing is read, because the sizes are rejected first.
            let code: c_int = unsafe {
                let null = null_mut();
                library.geqrf_pointers(T::DTYPE)(m, n, null, lda, null, batch, null.cast(), 0, stream)
            };
            let outcome = if code == expected { Ok(()) } else { Err(format!("returned {code}, expected {expected}")) };
            tally.check(|| what.into(), outcome);
            let said = !library.last_error().is_empty();
            tally.check(|| what.into(), if said { Ok(()) } else { Err("tephra_last_error says nothing".into()) });
        }
        let refused = library.geqrf_workspace(T::DTYPE, -1, 4, 4, 1);
        let outcome = match refused {
            Err(Error::Status { code: -1, .. }) => Ok(()),
            other => Err(format!("returned {other:?}")),
        };
        tally.check(|| "workspace of m = -1".into(), outcome);
        tally
    }
}
