//! Random shapes, placements, classes, forms and paths. `TEPHRA_FUZZ_SEED` repeats a run, `TEPHRA_FUZZ_CASES` lengthens it.

use rayon::prelude::*;
use tephra_testkit::guarded::Placement;
use tephra_testkit::matrices::Class;
use tephra_testkit::memory::Kind;
use tephra_testkit::qr::{Form, QrBatch, Session};
use tephra_testkit::ratios::{Ratios, convention, measure};
use tephra_testkit::scalar::Field;
use tephra_testkit::sweep::{paths, report};
use tephra_testkit::{Dtype, Library, Matrix, Rng, Scalar, with_scalar};

fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).map_or(default, |v| v.parse().unwrap_or_else(|_| panic!("{name}={v} is not a number")))
}

/// One call, as drawn.
#[derive(Debug)]
struct Case {
    m: usize,
    n: usize,
    batch: usize,
    form: Form,
    path: Option<&'static str>,
    place: Placement,
    classes: Vec<Class>,
    /// A matrix that gets a value that is not a number, and where.
    broken: Option<(usize, (usize, usize), f64)>,
    seed: u64,
}

impl Case {
    fn draw(rng: &mut Rng, paths: &[&'static str]) -> Self {
        // Small sizes often: their paths have the most special cases.
        let size = |rng: &mut Rng| if rng.one_in(3) { rng.below(9) } else { rng.below(81) };
        let (m, n, batch) = (size(rng), size(rng), rng.within(1, 40));
        // Plain MAGMA and cuBLAS calls look at the same plans; half of the cases force one.
        let form = *rng.pick(&Form::ALL);
        let path =
            if rng.one_in(2) && matches!(form, Form::Pointers | Form::Strided) { Some(*rng.pick(paths)) } else { None };
        let shuffle = (form != Form::Strided && rng.one_in(2)).then(|| rng.bits());
        let place = Placement {
            padding: rng.below(5),
            offset: rng.below(4),
            gap: rng.below(6),
            interleaved: rng.one_in(8),
            shuffle,
            pointers: if rng.one_in(4) { Kind::Pinned } else { Kind::Device },
        };
        let classes = (0..batch).map(|_| *rng.pick(Class::ALL)).collect();
        let broken = (m * n > 0 && rng.one_in(4)).then(|| {
            let value = *rng.pick(&[f64::NAN, f64::INFINITY, f64::NEG_INFINITY]);
            (rng.below(batch), (rng.below(m), rng.below(n)), value)
        });
        Case { m, n, batch, form, path, place, classes, broken, seed: rng.bits() }
    }

    /// Runs the case; `None` when the forced path declines, else the largest ratio.
    fn run<T: Scalar>(&self, lib: &'static Library, session: &Session) -> Result<Option<Ratios>, String> {
        let mut rng = Rng::new(self.seed);
        let mut inputs: Vec<Matrix<T>> = self.classes.iter().map(|c| c.generate(self.m, self.n, &mut rng)).collect();
        if let Some((matrix, at, value)) = self.broken {
            inputs[matrix][at] = T::narrow(T::Wide::real(value));
        }
        let text = |e: tephra_testkit::Error| e.to_string();
        let mut batch = QrBatch::<T>::new(lib, self.m, self.n, self.batch, &self.place).map_err(text)?;
        inputs.iter().enumerate().for_each(|(i, a)| batch.set(i, a));
        let Some(outputs) = batch.run_on(session, self.form, self.path).map_err(text)? else { return Ok(None) };
        let one = |i: usize| -> Result<Ratios, String> {
            let f = &outputs[i];
            if self.broken.is_some_and(|(matrix, ..)| matrix == i) {
                let hidden = f.factors.is_finite();
                return if hidden { Err(format!("matrix {i}: a NaN vanished")) } else { Ok(Ratios::default()) };
            }
            let ratios = measure(&inputs[i], &f.factors, &f.tau);
            let largest = ratios.largest();
            if largest.is_nan() || largest >= Ratios::THRESHOLD {
                return Err(format!("matrix {i} ({}): {ratios:?}", self.classes[i].name()));
            }
            convention(&f.factors, &f.tau).map_err(|e| format!("matrix {i} ({}): {e}", self.classes[i].name()))?;
            Ok(ratios)
        };
        let all: Result<Vec<Ratios>, String> = (0..self.batch).into_par_iter().map(one).collect();
        Ok(Some(all?.into_iter().fold(Ratios::default(), Ratios::worst)))
    }
}

#[test]
fn random_calls() {
    let (seed, cases) = (setting("TEPHRA_FUZZ_SEED", 20_240_607), setting("TEPHRA_FUZZ_CASES", 800));
    let lib = Library::required();
    let session = Session::new(lib);
    let paths = paths(lib.backend().unwrap());
    let mut rng = Rng::new(seed);
    let (mut worst, mut ran) = (Ratios::default(), 0);
    for number in 0..cases {
        let dtype = *rng.pick(&Dtype::ALL);
        let case = Case::draw(&mut rng, paths);
        let result = with_scalar!(dtype, T => case.run::<T>(lib, &session));
        match result {
            Ok(Some(ratios)) => {
                worst = worst.worst(ratios);
                ran += 1;
            }
            Ok(None) => {}
            Err(why) => panic!("TEPHRA_FUZZ_SEED={seed}, case {number}, {dtype:?}: {why}\n{case:?}"),
        }
    }
    report(format!("geqrf fuzz, seed {seed}: {ran} of {cases} calls ran, largest ratio {:.2}", worst.largest()));
    assert!(ran * 2 > cases, "only {ran} of {cases} calls were taken");
}
