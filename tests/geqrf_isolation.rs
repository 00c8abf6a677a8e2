//! A matrix's result depends on that matrix alone, not on its neighbours, the batch size, the thread or the run.

use std::sync::Barrier;
use tephra_testkit::guarded::Placement;
use tephra_testkit::library::Backend;
use tephra_testkit::matrices::Class;
use tephra_testkit::memory::Stream;
use tephra_testkit::qr::{EntryForm, Factored, QrBatch, Session};
use tephra_testkit::ratios::{Ratios, measure};
use tephra_testkit::scalar::Field;
use tephra_testkit::sweep::{paths, report};
use tephra_testkit::{C32, C64, Dtype, Library, Matrix, Result, Rng, Scalar, with_scalar};

fn uniform<T: Scalar>(m: usize, n: usize, batch: usize) -> Vec<Matrix<T>> {
    let mut rng = Rng::new((m * 1009 + n) as u64);
    (0..batch).map(|_| Class::Uniform.generate(m, n, &mut rng)).collect()
}

fn all_same_bits<T: Scalar>(a: &[Factored<T>], b: &[Factored<T>]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(x, y)| x.same_bits(y))
}

#[test]
fn nan_and_infinity_stay_in_their_matrix() -> Result<()> {
    const BAD: usize = 3;
    let lib = Library::required();
    let session = Session::new(lib);
    for dtype in Dtype::ALL {
        let mut taken = vec![0; paths(lib.backend()?).len()];
        for (m, n) in [(2, 2), (6, 4), (9, 9), (4, 7), (33, 20), (70, 65), (90, 3), (200, 2), (200, 12)] {
            with_scalar!(dtype, T => {
                // More than the vector width of the CPU's interleaved path, so that the bad matrix shares a vector with
                // good ones.
                let clean = uniform::<T>(m, n, 19);
                for (path, taken) in paths(lib.backend()?).iter().zip(&mut taken) {
                    let batch = QrBatch::of(lib, &clean, &Placement::guarded())?;
                    let Some(expected) = batch.run_on(&session, EntryForm::Pointers, Some(path))? else { continue };
                    *taken += 1;
                    for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
                        for (i, j) in [(0, 0), (m - 1, n - 1), (m / 2, n / 2)] {
                            let mut dirty = clean.clone();
                            dirty[BAD][(i, j)] = T::from_double(<T as Scalar>::Double::real(value));
                            let batch = QrBatch::of(lib, &dirty, &Placement::guarded())?;
                            let got = batch.run_on(&session, EntryForm::Pointers, Some(path))?.expect("taken before");
                            for (k, (got, expected)) in got.iter().zip(&expected).enumerate() {
                                let what = format!("{} {m}x{n} {path} {value} at ({i},{j})", dtype.letter());
                                if k == BAD {
                                    assert!(!got.factors.is_finite(), "{what}: the result hides it");
                                } else {
                                    assert!(got.same_bits(expected), "{what}: neighbour {k} changed");
                                }
                            }
                        }
                    }
                }
            });
        }
        assert!(taken.iter().all(|&t| t > 0), "{}: shapes taken by path: {taken:?}", dtype.letter());
    }
    Ok(())
}

/// Puts NaN, infinity, zeros and extreme values into six of `count` matrices. Checks that these matrices either show it
/// or are factored correctly, and that the others have the same bits as without them. Returns false if the plan
/// declines.
fn bad_members_stay_alone<T: Scalar>(
    session: &Session,
    (m, n): (usize, usize),
    count: usize,
    place: &Placement,
    plan: Option<&str>,
) -> Result<bool> {
    const DIFFERENT: usize = 5;
    let some = uniform::<T>(m, n, DIFFERENT);
    let mut clean: Vec<Matrix<T>> = (0..count).map(|i| some[i % DIFFERENT].clone()).collect();
    let wide = |x: f64| <T as Scalar>::Double::real(x);
    let small = T::DTYPE.safe_min() * 1e6; // outside the range of every fast formula
    // Kernels look for extreme columns in their first rows. These members have them in the last one, beside members
    // that will have them everywhere.
    let hidden = [count / 2 + 1, count - 2];
    for member in hidden {
        clean[member][(m - 1, n - 1)] = T::from_double(wide(small.recip()));
    }
    let run = |inputs: &[Matrix<T>]| {
        QrBatch::of(session.library(), inputs, place)?.run_on(session, EntryForm::Pointers, plan)
    };
    let Some(expected) = run(&clean)? else { return Ok(false) };
    let what = |i: usize| format!("{} {m}x{n} {plan:?}, member {i} of {count}", T::DTYPE.letter());
    for i in (0..DIFFERENT).chain(hidden) {
        let ratio = measure(&clean[i], &expected[i].factors, &expected[i].tau).largest();
        assert!(ratio < Ratios::THRESHOLD, "{}: {ratio}", what(i));
    }

    let not_finite = [(0, f64::NAN, 0), (5, f64::INFINITY, n - 1), (count - 8, f64::NAN, n / 2)];
    let scaled = [(count / 4 - 1, 0.0), (count / 2, small.recip()), (count - 3, small)];
    let mut dirty = clean.clone();
    for (member, value, column) in not_finite {
        dirty[member][(m - 1, column)] = T::from_double(wide(value));
    }
    for (member, factor) in scaled {
        for x in dirty[member].data_mut() {
            *x = T::from_double(x.to_double() * wide(factor));
        }
    }
    let got = run(&dirty)?.expect("taken before");
    for (i, (got, expected)) in got.iter().zip(&expected).enumerate() {
        if not_finite.iter().any(|bad| bad.0 == i) {
            assert!(!got.factors.is_finite(), "{}: the result hides it", what(i));
        } else if scaled.iter().any(|bad| bad.0 == i) {
            let ratio = measure(&dirty[i], &got.factors, &got.tau).largest();
            assert!(ratio < Ratios::THRESHOLD, "{}: {ratio}", what(i));
        } else {
            assert!(got.same_bits(expected), "{}: changed", what(i));
        }
    }
    Ok(true)
}

/// More tall matrices than a device holds at a time, so that a block processes one after another and prefetches the
/// next.
#[test]
fn bad_members_of_a_long_batch_of_tall_matrices_stay_alone() -> Result<()> {
    let session = Session::new(Library::required());
    for dtype in [Dtype::S, Dtype::D] {
        for shape in [(1024, 32), (1021, 29)] {
            with_scalar!(dtype, T => bad_members_stay_alone::<T>(&session, shape, 600, &Placement::tight(), None)?);
        }
    }
    Ok(())
}

/// Each kernel that holds a whole matrix, including those that plans use only for large batches, with full and with cut
/// first and second halves. Also with columns without gaps between them, at any element alignment and between red
/// zones: such a matrix is copied as one run, whose ends may share sixteen bytes with memory that is not its own.
#[test]
fn bad_members_stay_alone_in_every_instance() -> Result<()> {
    let lib = Library::required();
    if lib.backend()? == Backend::Cpu {
        report("geqrf_isolation::bad_members_stay_alone_in_every_instance: not applicable to the CPU backend");
        return Ok(());
    }
    let session = Session::new(lib);
    for dtype in Dtype::ALL {
        let listed = lib.candidates(&format!("{}geqrf", dtype.letter()), 1, 1, 1000)?; // every plan takes one element
        let mut taken = 0;
        for line in listed.lines().filter(|line| line.starts_with("resident=")) {
            let [plan, rows, columns]: [&str; 3] = line.split(' ').collect::<Vec<_>>().try_into().expect("plan m n");
            let size = |text: &str| text.parse::<usize>().expect("a number");
            let (m, n) = (size(rows), size(columns));
            let (half_m, half_n) = (m.min(n) / 2, n / 2);
            let edges = [
                (m, n),
                (m, half_n.max(1)),
                (m - 1, half_n + 1),
                (m - 1, (n - 1).max(1)),
                (half_m + 1, n),
                (half_m.max(2) - 1, n),
            ];
            // Of the large shapes, only those that no block holds.
            for shape in edges.into_iter().filter(|&(m, n)| m * n <= 128 * 128 || m > 2048) {
                let run = Placement { offset: 1, gap: 3, ..Placement::tight() };
                for place in [Placement::tight(), Placement::guarded(), run] {
                    with_scalar!(dtype, T => {
                        taken += usize::from(bad_members_stay_alone::<T>(&session, shape, 21, &place, Some(plan))?);
                    });
                }
            }
        }
        assert!(taken >= 3 * 20, "{}: {taken} shapes were taken", dtype.letter());
    }
    Ok(())
}

#[test]
fn repeated_runs_give_the_same_bits() -> Result<()> {
    let lib = Library::required();
    let session = Session::new(lib);
    for dtype in Dtype::ALL {
        for (m, n) in [(4, 4), (31, 31), (65, 33), (150, 70), (600, 9)] {
            with_scalar!(dtype, T => {
                let batch = QrBatch::of(lib, &uniform::<T>(m, n, 17), &Placement::guarded())?;
                let first = batch.run(&session, EntryForm::Pointers)?;
                for run in 1..20 {
                    let again = batch.run(&session, EntryForm::Pointers)?;
                    assert!(all_same_bits(&first, &again), "{} {m}x{n}: run {run} differs", dtype.letter());
                }
            });
        }
    }
    Ok(())
}

#[test]
fn sixteen_threads_with_their_own_streams_give_the_serial_bits() -> Result<()> {
    const THREADS: usize = 16;
    let lib = Library::required();
    let job = |thread: usize| ([(8, 8), (33, 17), (70, 70), (20, 31)][thread % 4], 40 + thread);
    let serial: Vec<Vec<Factored<f64>>> = (0..THREADS)
        .map(|thread| {
            let ((m, n), batch) = job(thread);
            let batch = QrBatch::of(lib, &uniform::<f64>(m, n, batch), &Placement::guarded())?;
            batch.run(&Session::new(lib), EntryForm::Pointers)
        })
        .collect::<Result<_>>()?;

    let start = Barrier::new(THREADS);
    let concurrent = |thread: usize| -> Result<()> {
        let ((m, n), batch) = job(thread);
        let prepared = (|| {
            let stream = Stream::new(lib)?;
            let session = Session::on(lib, stream.raw());
            Ok((QrBatch::of(lib, &uniform::<f64>(m, n, batch), &Placement::guarded())?, session, stream))
        })();
        start.wait(); // before any early return, since the other threads wait for all
        let (batch, session, _stream) = prepared?;
        for round in 0..10 {
            let form = [EntryForm::Pointers, EntryForm::Strided, EntryForm::Cublas, EntryForm::MagmaWork][round % 4];
            let got = batch.run(&session, form)?;
            assert!(all_same_bits(&got, &serial[thread]), "thread {thread}, round {round}, {form:?}");
        }
        Ok(())
    };
    std::thread::scope(|scope| {
        let concurrent = &concurrent;
        let workers: Vec<_> = (0..THREADS).map(|thread| scope.spawn(move || concurrent(thread))).collect();
        workers.into_iter().try_for_each(|w| w.join().expect("a worker panicked"))
    })
}

#[test]
fn zero_matrices_and_zero_sizes() -> Result<()> {
    let lib = Library::required();
    let session = Session::new(lib);
    for dtype in Dtype::ALL {
        with_scalar!(dtype, T => {
            for (m, n) in [(1, 1), (7, 4), (4, 7), (65, 64), (100, 3), (200, 9)] {
                let zeros = vec![Class::Zero.generate::<T>(m, n, &mut Rng::new(0)); 3];
                let batch = QrBatch::of(lib, &zeros, &Placement::guarded())?;
                for path in paths(lib.backend()?) {
                    for f in batch.run_on(&session, EntryForm::Pointers, Some(path))?.into_iter().flatten() {
                        let zero = |x: &T| x.to_double() == <T as Scalar>::Double::ZERO;
                        let what = format!("{} {m}x{n} {path}: {f:?}", dtype.letter());
                        assert!(f.factors.data().iter().all(zero) && f.tau.iter().all(zero), "{what}");
                    }
                }
            }
            for (m, n, batch) in [(0, 0, 3), (0, 4, 3), (4, 0, 3), (4, 4, 0), (0, 0, 0)] {
                for form in EntryForm::ALL {
                    let batch = QrBatch::<T>::new(lib, m, n, batch, &Placement::guarded())?;
                    batch.run(&session, form)?;
                    assert!(batch.is_untouched(&session)?, "{} {m}x{n} {form:?}", dtype.letter());
                }
            }
        });
    }
    Ok(())
}

/// Factors `batch` matrices that repeat a few different ones, checks those, and checks that all their copies are equal.
fn large_batch<T: Scalar>(m: usize, n: usize, batch: usize, forms: &[EntryForm]) -> Result<()> {
    const DIFFERENT: usize = 7; // coprime to every block size, so each one lands at every position of a block
    let lib = Library::required();
    let session = Session::new(lib);
    let inputs = uniform::<T>(m, n, DIFFERENT);
    let mut qr = QrBatch::<T>::new(lib, m, n, batch, &Placement { gap: 1, ..Placement::tight() })?;
    for i in 0..batch {
        qr.set(i, &inputs[i % DIFFERENT]);
    }
    for &form in forms {
        let got = qr.run(&session, form)?;
        let what = format!("{} {m}x{n} batch {batch} {form:?}", T::DTYPE.letter());
        for (i, f) in got.iter().enumerate() {
            assert!(f.same_bits(&got[i % DIFFERENT]), "{what}: matrix {i} differs from its copy");
        }
        for (a, f) in inputs.iter().zip(&got) {
            let ratio = measure(a, &f.factors, &f.tau).largest();
            assert!(ratio < Ratios::THRESHOLD, "{what}: ratio {ratio}");
        }
    }
    Ok(())
}

#[test]
fn batch_sizes_around_the_limits_of_a_grid() -> Result<()> {
    for dtype in Dtype::ALL {
        for batch in [1, 2, 65_535, 65_536, 70_000] {
            with_scalar!(dtype, T => large_batch::<T>(3, 2, batch, &[EntryForm::Pointers, EntryForm::Cublas])?);
        }
    }
    large_batch::<f64>(9, 5, 65_537, &[EntryForm::Strided, EntryForm::Magma, EntryForm::MagmaWork])?;
    large_batch::<f32>(40, 3, 65_537, &[EntryForm::Pointers])
}

#[test]
fn batch_of_a_million() -> Result<()> {
    large_batch::<f64>(1, 1, 1_000_000, &[EntryForm::Pointers])?;
    large_batch::<f32>(2, 2, 1_000_000, &[EntryForm::Strided])?;
    large_batch::<C32>(2, 2, 1_000_000, &[EntryForm::Pointers])?;
    large_batch::<C64>(1, 1, 1_000_000, &[EntryForm::Strided])
}

#[test]
fn a_batch_gives_the_bits_of_its_members_alone() -> Result<()> {
    let lib = Library::required();
    let session = Session::new(lib);
    for path in paths(lib.backend()?) {
        for (m, n) in [(5, 5), (20, 12), (70, 66)] {
            let inputs = uniform::<f32>(m, n, 33);
            let whole = QrBatch::of(lib, &inputs, &Placement::guarded())?;
            let Some(whole) = whole.run_on(&session, EntryForm::Pointers, Some(path))? else { continue };
            for i in [0, 1, 31, 32] {
                let alone = QrBatch::of(lib, &inputs[i..=i], &Placement::tight())?;
                // A path may serve large batches only.
                let Some(alone) = alone.run_on(&session, EntryForm::Pointers, Some(path))? else { continue };
                assert!(alone[0].same_bits(&whole[i]), "{path} {m}x{n}: member {i} of 33 differs from itself alone");
            }
        }
    }
    Ok(())
}
