//! TF32 is used where it is allowed and nowhere else: it is allowed by the math mode of a cuBLAS handle, or by
//! `tephra_set_thread_math` for the other ABIs. Its error must be within the bound of docs/accuracy.md, and larger than
//! FP32's, which shows that it was used. FP32 on tensor cores must have at most twice FP32's errors, and FP16 is judged
//! like TF32. On the CPU backend none of them changes anything.

use std::ffi::{c_int, c_void};
use tephra_testkit::guarded::Placement;
use tephra_testkit::library::Backend;
use tephra_testkit::matrices::Class;
use tephra_testkit::qr::{EntryForm, Factored, QrBatch, Session};
use tephra_testkit::ratios::{Ratios, convention, measure, tf32_limit};
use tephra_testkit::sweep::{batch_invariantly, below, with_plan};
use tephra_testkit::{Dtype, Library, Matrix, Result, Rng, Scalar, with_scalar};

const DEFAULT_MATH: c_int = 0;
const TF32_TENSOR_OP_MATH: c_int = 3;
const FP32_EMULATED_MATH: c_int = 4;
const MATH_FP32: c_int = 1;
const MATH_TF32: c_int = 2;
const MATH_FP32_TENSOR: c_int = 3;
const MATH_FP16: c_int = 4;

/// Aligned and odd, tall and wide, for one block and for two in a cluster; also more rows than any TF32 kernel holds.
const SHAPES: [(usize, usize); 9] =
    [(40, 40), (65, 80), (130, 130), (257, 100), (256, 192), (515, 67), (1030, 70), (2048, 40), (2500, 36)];

/// For FP32 on tensor cores: rows that are divided, with and without 16-byte loads, and rows that are not divided.
const TENSOR_SHAPES: [(usize, usize); 3] = [(260, 100), (2052, 264), (2051, 257)];

fn set_thread_math(lib: &Library, math: c_int) -> c_int {
    let set: unsafe extern "C" fn(c_int) -> c_int = unsafe { lib.symbol("tephra_set_thread_math") }.unwrap();
    unsafe { set(math) }
}

fn inputs<T: Scalar>(m: usize, n: usize, count: usize, class: Class) -> Vec<Matrix<T>> {
    let mut rng = Rng::new((m * 1000 + n) as u64);
    (0..count).map(|_| class.generate(m, n, &mut rng)).collect()
}

fn worst<T: Scalar>(inputs: &[Matrix<T>], results: &[Factored<T>]) -> Ratios {
    let each = inputs.iter().zip(results).map(|(a, f)| {
        convention(&f.factors, &f.tau).unwrap();
        measure(a, &f.factors, &f.tau)
    });
    each.fold(Ratios::default(), Ratios::worst)
}

fn same<T: Scalar>(a: &[Factored<T>], b: &[Factored<T>]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.same_bits(b))
}

/// Judges the TF32 results for `inputs` against the FP32 results.
fn judge(backend: Backend, inputs: &[Matrix<f32>], exact: &[Factored<f32>], tf32: &[Factored<f32>], what: &str) {
    let (m, n) = (inputs[0].rows(), inputs[0].cols());
    let ratios = worst(inputs, tf32);
    below(Ratios::THRESHOLD.max(tf32_limit(m)), &ratios).unwrap_or_else(|e| panic!("{what} {m} x {n}: {e}"));
    let held = m <= 2048;
    if backend == Backend::Cpu || !held {
        assert!(same(exact, tf32), "{what} {m} x {n}: FP32 was to be expected");
    } else {
        let fp32 = worst(inputs, exact).residual;
        assert!(ratios.residual > 8.0 * fp32, "{what} {m} x {n}: {} is no worse than {fp32}", ratios.residual);
    }
}

#[test]
fn the_threads_math_mode_counts() -> Result<()> {
    let lib = Library::required();
    let (session, backend) = (Session::new(lib), lib.backend()?);
    for (m, n) in SHAPES {
        let inputs = inputs::<f32>(m, n, 3, Class::Uniform);
        for (form, place) in [
            (EntryForm::Pointers, Placement::shuffled(3)),
            (EntryForm::Strided, Placement::guarded()),
            (EntryForm::Magma, Placement::shuffled(4)),
            (EntryForm::MagmaWork, Placement::tight()),
        ] {
            let batch = QrBatch::of(lib, &inputs, &place)?;
            let run = || batch.run_on(&session, form, Some("blocked")).map(|r| r.expect("takes every shape"));
            let exact = run()?;
            assert_eq!(set_thread_math(lib, MATH_TF32), 0);
            let tf32 = run()?;
            assert_eq!(set_thread_math(lib, MATH_FP32), 0);
            let off = run()?;
            assert_eq!(set_thread_math(lib, 0), 0);
            judge(backend, &inputs, &exact, &tf32, &format!("{form:?}"));
            assert!(same(&exact, &off) && same(&exact, &run()?), "{form:?} {m} x {n}: FP32 again");
        }
    }
    Ok(())
}

#[test]
fn the_handles_math_mode_counts() -> Result<()> {
    let lib = Library::required();
    let (session, backend) = (Session::new(lib), lib.backend()?);
    let set: unsafe extern "C" fn(*mut c_void, c_int) -> c_int = unsafe { lib.symbol("cublasSetMathMode") }?;
    let handle = session.handle()?.raw();
    // The thread's mode does not apply to calls with a handle.
    assert_eq!(set_thread_math(lib, MATH_TF32), 0);
    for (m, n) in SHAPES {
        let inputs = inputs::<f32>(m, n, 3, Class::Uniform);
        let batch = QrBatch::of(lib, &inputs, &Placement::shuffled(5))?;
        let run = |mode| {
            assert_eq!(unsafe { set(handle, mode) }, 0);
            batch.run_on(&session, EntryForm::Cublas, Some("blocked")).map(|r| r.expect("takes every shape"))
        };
        let exact = run(DEFAULT_MATH)?;
        below(Ratios::THRESHOLD, &worst(&inputs, &exact)).unwrap_or_else(|e| panic!("{m} x {n}: {e}"));
        judge(backend, &inputs, &exact, &run(TF32_TENSOR_OP_MATH)?, "cublas");
        assert!(same(&exact, &run(DEFAULT_MATH)?), "{m} x {n}: FP32 again");
    }
    assert_eq!(set_thread_math(lib, 0), 0);
    Ok(())
}

#[test]
fn other_types_and_threads_do_not_see_it() -> Result<()> {
    let lib = Library::required();
    fn bits<T: Scalar>(lib: &'static Library) -> Result<Vec<Factored<T>>> {
        let batch = QrBatch::of(lib, &inputs::<T>(140, 100, 2, Class::Uniform), &Placement::tight())?;
        Ok(batch.run_on(&Session::new(lib), EntryForm::Pointers, Some("blocked"))?.expect("takes every shape"))
    }
    for dtype in [Dtype::D, Dtype::C, Dtype::Z] {
        with_scalar!(dtype, T => {
            let before = bits::<T>(lib)?;
            assert_eq!(set_thread_math(lib, MATH_TF32), 0);
            let under = bits::<T>(lib)?;
            assert_eq!(set_thread_math(lib, 0), 0);
            assert!(same(&before, &under), "{}", T::DTYPE.letter());
        });
    }
    let before = bits::<f32>(lib)?;
    assert_eq!(set_thread_math(lib, MATH_TF32), 0);
    let elsewhere = std::thread::scope(|s| s.spawn(|| bits::<f32>(lib)).join().unwrap())?;
    assert_eq!(set_thread_math(lib, 0), 0);
    assert!(same(&before, &elsewhere));
    Ok(())
}

#[test]
fn hard_input_stays_within_the_bound() -> Result<()> {
    let lib = Library::required();
    let session = Session::new(lib);
    for class in [Class::CondHigh, Class::RankDeficient, Class::ZeroColumns, Class::ScaledColumns] {
        let mut inputs = inputs::<f32>(200, 150, 5, class);
        let run = |inputs: &[Matrix<f32>]| -> Result<Vec<Factored<f32>>> {
            assert_eq!(set_thread_math(lib, MATH_TF32), 0);
            let batch = QrBatch::of(lib, inputs, &Placement::shuffled(6))?;
            let results = batch.run_on(&session, EntryForm::Pointers, Some("blocked"))?.expect("takes every shape");
            assert_eq!(set_thread_math(lib, 0), 0);
            Ok(results)
        };
        let clean = run(&inputs)?;
        below(tf32_limit(200), &worst(&inputs, &clean)).unwrap_or_else(|e| panic!("{}: {e}", class.name()));
        // A NaN stays within its matrix.
        inputs[2][(77, 33)] = f32::NAN;
        let poisoned = run(&inputs)?;
        assert!((0..5).all(|i| poisoned[i].same_bits(&clean[i]) == (i != 2)), "{}", class.name());
        assert!(!poisoned[2].factors.is_finite());
    }
    Ok(())
}

#[test]
fn bits_do_not_depend_on_the_batch() -> Result<()> {
    let lib = Library::required();
    let session = Session::new(lib);
    assert_eq!(set_thread_math(lib, MATH_TF32), 0);
    for (m, n) in [(150, 140), (600, 50), (1100, 40)] {
        let inputs = inputs::<f32>(m, n, 7, Class::Uniform);
        let factor = |count: usize| -> Result<Vec<Factored<f32>>> {
            let mut batch = QrBatch::new(lib, m, n, count, &Placement::tight())?;
            (0..count).for_each(|i| batch.set(i, &inputs[i % inputs.len()]));
            batch.upload()?;
            batch_invariantly(lib, Some("blocked"), || batch.issue(&session, EntryForm::Pointers))??;
            batch.collect(&session, EntryForm::Pointers)
        };
        let expected = factor(7)?;
        for count in [1, 300] {
            let got = factor(count)?;
            assert!((0..count).all(|i| got[i].same_bits(&expected[i % 7])), "{m} x {n}, batch {count}");
        }
    }
    assert_eq!(set_thread_math(lib, 0), 0);
    Ok(())
}

#[test]
fn the_plan_says_so() -> Result<()> {
    let lib = Library::required();
    let says = |math: c_int, m: i64, n: i64| -> Result<[bool; 3]> {
        assert_eq!(set_thread_math(lib, math), 0);
        let text = with_plan(lib, "blocked, tree", || lib.explain("sgeqrf", m, n, 1000))??;
        assert_eq!(set_thread_math(lib, 0), 0);
        Ok([text.contains("TF32"), text.contains("FP32 on tensor cores"), text.contains("FP16")])
    };
    let cuda = lib.backend()? == Backend::Cuda;
    assert_eq!(says(MATH_TF32, 512, 512)?, [cuda, false, false]);
    assert_eq!(says(MATH_FP32_TENSOR, 512, 512)?, [false; 3]);
    assert_eq!(says(MATH_FP32_TENSOR, 4096, 512)?, [false, cuda, false]);
    assert_eq!([says(MATH_FP16, 512, 512)?, says(MATH_FP16, 4096, 512)?], [[cuda, false, false], [false, false, cuda]]);
    assert_eq!([says(MATH_FP32, 4096, 512)?, says(0, 512, 512)?], [[false; 3]; 2]);
    assert_eq!([set_thread_math(lib, 5), set_thread_math(lib, -1)], [-1, -1]);
    Ok(())
}

/// Checks that the residuals, normwise and columnwise, and the loss of orthogonality are at most twice FP32's.
/// Differences below a unit roundoff of the whole matrix are not compared.
fn close_to_fp32(tensor: &Ratios, fp32: &Ratios, m: usize, what: &str) {
    let least = 1.0 / m as f64;
    for (tensor, fp32) in [
        (tensor.residual, fp32.residual),
        (tensor.columnwise, fp32.columnwise),
        (tensor.orthogonality, fp32.orthogonality),
    ] {
        assert!(tensor <= 2.0 * fp32.max(least), "{what}: {tensor} against {fp32} in FP32");
    }
}

#[test]
fn tensor_cores_keep_to_fp32s_errors() -> Result<()> {
    let lib = Library::required();
    let (session, backend) = (Session::new(lib), lib.backend()?);
    let classes = [Class::Uniform, Class::CondHigh, Class::RankDeficient, Class::ZeroColumns, Class::ScaledColumns];
    for ((m, n), class) in TENSOR_SHAPES.into_iter().flat_map(|shape| classes.map(|class| (shape, class))) {
        let what = format!("{m} x {n} {}", class.name());
        if m % 4 != 0 && class != Class::Uniform {
            continue;
        }
        let mut inputs = inputs::<f32>(m, n, 2, class);
        let run = |inputs: &[Matrix<f32>], math| -> Result<Vec<Factored<f32>>> {
            assert_eq!(set_thread_math(lib, math), 0);
            let batch = QrBatch::of(lib, inputs, &Placement::shuffled(7))?;
            let results =
                batch.run_on(&session, EntryForm::Pointers, Some("blocked, tree"))?.expect("takes every shape");
            assert_eq!(set_thread_math(lib, 0), 0);
            Ok(results)
        };
        let (fp32, tensor) = (run(&inputs, MATH_FP32)?, run(&inputs, MATH_FP32_TENSOR)?);
        close_to_fp32(&worst(&inputs, &tensor), &worst(&inputs, &fp32), m, &what);
        assert_eq!(same(&fp32, &tensor), backend == Backend::Cpu || m <= 2048 || n < 256, "{what}");
        // A NaN stays within its matrix.
        inputs[1][(m / 3, n / 2)] = f32::NAN;
        let poisoned = run(&inputs, MATH_FP32_TENSOR)?;
        assert_eq!([0, 1].map(|i| poisoned[i].same_bits(&tensor[i])), [true, false], "{what}");
    }
    Ok(())
}

#[test]
fn the_handles_emulation_counts() -> Result<()> {
    let lib = Library::required();
    let (session, backend) = (Session::new(lib), lib.backend()?);
    let set: unsafe extern "C" fn(*mut c_void, c_int) -> c_int = unsafe { lib.symbol("cublasSetMathMode") }?;
    let handle = session.handle()?.raw();
    for (m, n) in [(300, 260), (2052, 258)] {
        let inputs = inputs::<f32>(m, n, 2, Class::Uniform);
        let batch = QrBatch::of(lib, &inputs, &Placement::shuffled(5))?;
        let run = |mode| {
            assert_eq!(unsafe { set(handle, mode) }, 0);
            batch.run_on(&session, EntryForm::Cublas, Some("blocked, tree")).map(|r| r.expect("takes every shape"))
        };
        let (fp32, tensor) = (run(DEFAULT_MATH)?, run(FP32_EMULATED_MATH)?);
        close_to_fp32(&worst(&inputs, &tensor), &worst(&inputs, &fp32), m, "cublas");
        assert_eq!(same(&fp32, &tensor), backend == Backend::Cpu || m <= 2048, "{m} x {n}");
        assert!(same(&fp32, &run(DEFAULT_MATH)?), "{m} x {n}: FP32 again");
    }
    Ok(())
}

#[test]
fn fp16_keeps_to_its_bound() -> Result<()> {
    let lib = Library::required();
    let (session, backend) = (Session::new(lib), lib.backend()?);
    // Both kinds of loads: 16-byte and elementwise.
    let cases = [(2052, 264, Class::CondHigh), (2052, 264, Class::ScaledColumns), (2307, 257, Class::Uniform)];
    for (m, n, class) in cases {
        let what = format!("{m} x {n} {}", class.name());
        let mut inputs = inputs::<f32>(m, n, 2, class);
        let run = |inputs: &[Matrix<f32>], math| -> Result<Vec<Factored<f32>>> {
            assert_eq!(set_thread_math(lib, math), 0);
            let batch = QrBatch::of(lib, inputs, &Placement::shuffled(8))?;
            let results =
                batch.run_on(&session, EntryForm::Pointers, Some("blocked, tree"))?.expect("takes every shape");
            assert_eq!(set_thread_math(lib, 0), 0);
            Ok(results)
        };
        let (fp32, fp16) = (run(&inputs, MATH_FP32)?, run(&inputs, MATH_FP16)?);
        let (exact, rounded) = (worst(&inputs, &fp32), worst(&inputs, &fp16));
        below(Ratios::THRESHOLD.max(tf32_limit(m)), &rounded).unwrap_or_else(|e| panic!("{what}: {e}"));
        // Q consists of the reflectors, which are computed in FP32.
        let least = 1.0 / m as f64;
        assert!(rounded.orthogonality <= 2.0 * exact.orthogonality.max(least), "{what}: {}", rounded.orthogonality);
        assert_eq!(same(&fp32, &fp16), backend == Backend::Cpu, "{what}");
        // A NaN stays within its matrix.
        inputs[1][(m / 3, n / 2)] = f32::NAN;
        let poisoned = run(&inputs, MATH_FP16)?;
        assert_eq!([0, 1].map(|i| poisoned[i].same_bits(&fp16[i])), [true, false], "{what}");
    }
    Ok(())
}
