//! Iterative least squares: as accurate as QR for matrices of every condition number, falls back to QR where iterations
//! do not converge, and treats each right-hand side separately.

use std::ffi::c_int;
use tephra_testkit::any_call::call;
use tephra_testkit::library::symbol_name;
use tephra_testkit::matrices::Class;
use tephra_testkit::memory::{Kind, Memory};
use tephra_testkit::scalar::{Field, worst};
use tephra_testkit::{Dtype, Library, Matrix, Rng, Scalar, with_scalar};

/// The results of a call.
pub struct Solved<T> {
    pub status: c_int,
    pub x: Matrix<T>,
    pub iterations: Vec<c_int>,
    pub residuals: Vec<f64>,
    pub info: c_int,
}

struct Options {
    tolerance: f64,
    steps: u64,
    /// By how many bytes the workspace is too small.
    missing: u64,
}

const USUAL: Options = Options { tolerance: 0.0, steps: 0, missing: 0 };

/// Solves with gaps below the columns of the operands. The gaps must stay unchanged, as must A and B.
fn solve<T: Scalar>(a: &Matrix<T>, b: &Matrix<T>, options: &Options) -> Solved<T> {
    let (lib, (m, n, nrhs)) = (Library::required(), (a.rows(), a.cols(), b.cols()));
    let gap = |x: &Matrix<T>, ld| -> Vec<T> {
        (0..x.cols()).flat_map(|j| (0..ld).map(move |i| if i < x.rows() { x[(i, j)] } else { T::POISON })).collect()
    };
    let device = |bytes: usize| Memory::new(lib, Kind::Device, bytes.max(16)).unwrap();
    let filled = |data: &[T]| {
        let memory = device(size_of_val(data));
        memory.write(data).unwrap();
        memory
    };
    let (lda, ldb, ldx) = (m + 1, m + 2, n + 3);
    let poison = Matrix::from_fn(n, nrhs, |_, _| T::POISON);
    let (given_a, given_b) = (gap(a, lda), gap(b, ldb));
    let (a, b, x) = (filled(&given_a), filled(&given_b), filled(&gap(&poison, ldx)));
    let (iterations, residuals, info) = (device(4 * nrhs), device(8 * nrhs), device(4));
    let mut bytes = 0u64;
    let [sizes, lds] = [[m, n, nrhs], [lda, ldb, ldx]].map(|s| s.map(|x| x as u64));
    let run = |pattern: &str, arguments: &[u64]| {
        // SAFETY: the arguments match the header's prototypes, and the memory has the required sizes.
        unsafe { call(lib, &symbol_name(pattern, T::DTYPE), [options.tolerance, 0.0, 0.0, 0.0], arguments) }
    };
    let query = [&sizes[..], &lds[..], &[&raw mut bytes as u64]].concat();
    assert_eq!(run("tephra_?gels_iterative_workspace", &query), 0);
    let work = device(bytes as usize);
    let [pa, pb, px] = [&a, &b, &x].map(|memory| memory.pointer() as u64);
    let places = [&iterations, &residuals, &info, &work].map(|memory| memory.pointer() as u64);
    let head = [sizes[0], sizes[1], sizes[2], pa, lds[0], pb, lds[1], px, lds[2], options.steps];
    let tail = [bytes.saturating_sub(options.missing), 0];
    let status = run("tephra_?gels_iterative", &[&head[..], &places[..], &tail[..]].concat());
    let read = |memory: &Memory, count: usize| {
        let mut data = vec![T::POISON; count];
        memory.read(&mut data).unwrap();
        data
    };
    let same = |x: &[T], y: &[T]| x.iter().zip(y).all(|(x, y)| format!("{x:?}") == format!("{y:?}"));
    assert!(same(&read(&a, given_a.len()), &given_a) && same(&read(&b, given_b.len()), &given_b), "A or B is written");
    let x = read(&x, ldx * nrhs);
    assert!(x.chunks(ldx).all(|x| same(&x[n..], &[T::POISON; 3])), "rows below X are written");
    let (mut of_each, mut code) = (vec![0; nrhs], [0]);
    iterations.read(&mut of_each).unwrap();
    info.read(&mut code).unwrap();
    let residuals = if T::DTYPE.is_double() {
        let mut all = vec![0f64; nrhs];
        residuals.read(&mut all).unwrap();
        all
    } else {
        let mut all = vec![0f32; nrhs];
        residuals.read(&mut all).unwrap();
        all.into_iter().map(f64::from).collect()
    };
    let x = Matrix::from_fn(n, nrhs, |i, j| x[i + j * ldx]);
    Solved { status, x, iterations: of_each, residuals, info: code[0] }
}

pub fn random<T: Scalar>(class: Class, m: usize, n: usize, seed: u64) -> Matrix<T> {
    class.generate(m, n, &mut Rng::new(seed))
}

/// The larger of |A^H r| / (|A| (|b| + |A| |x|) size eps), which is below 1 for backward stable results, and the error
/// of the reported residual.
pub fn ratio<T: Scalar>(a: &Matrix<T>, b: &Matrix<T>, solved: &Solved<T>) -> f64 {
    let (size, eps) = (a.rows().max(a.cols()) as f64, T::DTYPE.eps());
    let (a, b, x) = (a.to_double(), b.to_double(), solved.x.to_double());
    let two = |x: &[T::Double]| x.iter().map(|x| x.abs() * x.abs()).sum::<f64>().sqrt();
    let norm = two(a.data());
    let of = |j: usize| {
        let (b, x) = (Matrix::from_fn(b.rows(), 1, |i, _| b[(i, j)]), Matrix::from_fn(x.rows(), 1, |i, _| x[(i, j)]));
        let ax = a.times(&x);
        let residual = Matrix::from_fn(b.rows(), 1, |i, _| b[(i, 0)] - ax[(i, 0)]);
        let gradient = two(a.adjoint().times(&residual).data()) / norm;
        let off = (solved.residuals[j] - two(residual.data())).abs();
        worst(gradient, off) / ((two(b.data()) + norm * two(x.data())) * size * eps)
    };
    (0..b.cols()).map(of).fold(0.0, worst)
}

#[test]
fn is_as_accurate_as_qr() {
    for dtype in Dtype::ALL {
        with_scalar!(dtype, T => {
            for (m, n, nrhs) in [(1, 1, 1), (17, 17, 2), (60, 7, 3), (300, 40, 1), (701, 130, 5), (2600, 65, 1)] {
                for class in [Class::Uniform, Class::Cond2, Class::CondRoot, Class::CondHigh] {
                    let a = random::<T>(class, m, n, 5);
                    let b = random::<T>(Class::Uniform, m, nrhs, 6);
                    let solved = solve(&a, &b, &USUAL);
                    let text = format!("{} {m}x{n} {class:?}: {:?}", dtype.letter(), solved.iterations);
                    assert_eq!((solved.status, solved.info), (0, 0), "{text}");
                    let ratio = ratio(&a, &b, &solved);
                    assert!(ratio < 1.0, "{text}: {ratio}");
                    let direct = solved.iterations.iter().any(|&i| i < 0);
                    let hard = dtype.is_double() && matches!(class, Class::CondRoot | Class::CondHigh);
                    assert!(!direct || hard || m == n, "{text}");
                }
            }
        });
    }
}

#[test]
fn qr_takes_what_has_no_preconditioner() {
    for dtype in Dtype::ALL {
        with_scalar!(dtype, T => {
            let zero = <T as Scalar>::Double::ZERO;
            let (mut a, b) = (random::<T>(Class::Uniform, 50, 6, 1), random::<T>(Class::Uniform, 50, 2, 2));
            a.col_mut(3).fill(T::from_double(zero));
            let solved = solve(&a, &b, &USUAL);
            assert_eq!((solved.status, solved.info, &solved.iterations[..]), (0, 4, &[-1, -1][..]));
            a[(7, 2)] = T::from_double(Field::real(f64::NAN));
            let solved = solve(&a, &b, &USUAL);
            assert_eq!((solved.status, &solved.iterations[..]), (0, &[-1, -1][..]));
            assert!(solved.x[(0, 0)].to_double().re().is_nan());
            // More columns than an iteration supports.
            let (a, b) = (random::<T>(Class::Uniform, 1100, 1025, 3), random::<T>(Class::Uniform, 1100, 1, 4));
            let solved = solve(&a, &b, &USUAL);
            assert_eq!((solved.status, &solved.iterations[..]), (0, &[-3][..]));
            assert!(ratio(&a, &b, &solved) < 1.0);
        });
    }
}

#[test]
fn right_hand_sides_do_not_touch_each_other() {
    for dtype in Dtype::ALL {
        with_scalar!(dtype, T => {
            let (a, mut b) = (random::<T>(Class::Uniform, 400, 30, 1), random::<T>(Class::Uniform, 400, 6, 2));
            let good = solve(&a, &b, &USUAL);
            b[(11, 1)] = T::from_double(Field::real(f64::NAN));
            b.col_mut(4).fill(T::from_double(<T as Scalar>::Double::ZERO));
            let spoilt = solve(&a, &b, &USUAL);
            for j in 0..6 {
                let x = |s: &Solved<T>| (0..30).map(|i| s.x[(i, j)].to_double()).collect::<Vec<_>>();
                let told = |s: &Solved<T>| (s.iterations[j], s.residuals[j].to_bits());
                match j {
                    1 => assert!(spoilt.iterations[1] == 0 && x(&spoilt).iter().all(|x| x.re().is_nan())),
                    4 => assert!(told(&spoilt) == (0, 0) && x(&spoilt).iter().all(|x| x.abs() == 0.0)),
                    _ => assert!(x(&spoilt) == x(&good) && told(&spoilt) == told(&good), "{} {j}", dtype.letter()),
                }
            }
        });
    }
}

/// Right-hand sides within the range whose squares are not.
#[test]
fn small_right_hand_sides_are_not_zero() {
    for dtype in Dtype::ALL.into_iter().filter(|d| d.is_double()) {
        with_scalar!(dtype, T => {
            let (a, b) = (random::<T>(Class::Uniform, 90, 7, 1), random::<T>(Class::Uniform, 90, 2, 2));
            let tiny = |j: usize| if j == 1 { 1e-250 } else { 1.0 };
            let scaled = Matrix::from_fn(90, 2, |i, j| T::from_double(b[(i, j)].to_double().scale(tiny(j))));
            let (usual, small) = (solve(&a, &b, &USUAL), solve(&a, &scaled, &USUAL));
            assert!(small.status == 0 && small.iterations[0] >= 0 && small.iterations[1] == -1, "{:?}", small.iterations);
            for i in 0..7 {
                let (x, y) = (usual.x[(i, 1)].to_double(), small.x[(i, 1)].to_double().scale(1e250));
                assert!((x - y).abs() <= 1e-12 * (1.0 + x.abs()), "{} {i}", dtype.letter());
            }
        });
    }
}

/// The residual is as accurate where QR solves as where the iteration does, even if its squares leave the range.
#[test]
fn residuals_of_any_scale_are_true() {
    for dtype in [Dtype::D, Dtype::Z] {
        with_scalar!(dtype, T => {
            let (a, b) = (random::<T>(Class::Uniform, 90, 7, 1), random::<T>(Class::Uniform, 90, 3, 2));
            let by = |j: usize| [1.0, 2f64.powi(-900), 2f64.powi(900)][j];
            let scaled = Matrix::from_fn(90, 3, |i, j| T::from_double(b[(i, j)].to_double().scale(by(j))));
            let (usual, solved) = (solve(&a, &b, &USUAL), solve(&a, &scaled, &USUAL));
            assert_eq!(solved.iterations[1..], [-1, -1]);
            for j in 1..3 {
                let (told, wanted) = (solved.residuals[j] / by(j), usual.residuals[j]);
                assert!((told - wanted).abs() <= 1e-12 * wanted, "{} {told} {wanted}", dtype.letter());
            }
        });
    }
}

/// A meaningless solution has no residual that looks like that of a good one, not even for a square matrix.
#[test]
fn useless_solutions_have_no_residual() {
    for dtype in Dtype::ALL {
        with_scalar!(dtype, T => {
            for m in [6, 40] {
                let (a, b) = (random::<T>(Class::Uniform, m, 6, 1), random::<T>(Class::Uniform, m, 2, 2));
                let (mut not_finite, mut singular) = (a.clone(), a);
                not_finite[(3, 2)] = T::POISON;
                (0..m).for_each(|i| singular[(i, 4)] = T::from_double(<T as Scalar>::Double::ZERO));
                for (a, code) in [(not_finite, 0), (singular, 5)] {
                    let solved = solve(&a, &b, &USUAL);
                    assert_eq!((solved.status, solved.info), (0, code), "{} {m}", dtype.letter());
                    assert_eq!(solved.iterations, [-1, -1]);
                    assert!(solved.residuals.iter().all(|r| r.is_nan()), "{} {m} {:?}", dtype.letter(), solved.residuals);
                }
            }
        });
    }
}

/// Solves with `tephra_?gels`: X, with the rest of B below it.
fn direct<T: Scalar>(a: &Matrix<T>, b: &Matrix<T>) -> (c_int, Matrix<T>) {
    let (lib, (m, n, nrhs)) = (Library::required(), (a.rows(), a.cols(), b.cols()));
    let run = |pattern: &str, arguments: &[u64]| {
        // SAFETY: the arguments match the header's prototypes, and the memory has the required sizes.
        unsafe { call(lib, &symbol_name(pattern, T::DTYPE), [0.0; 4], arguments) }
    };
    let (mut bytes, trans) = (0u64, 111);
    let [m, n, nrhs] = [m, n, nrhs].map(|x| x as u64);
    assert_eq!(run("tephra_?gels_workspace", &[trans, m, n, nrhs, m, m, &raw mut bytes as u64]), 0);
    let device = |bytes: usize| Memory::new(lib, Kind::Device, bytes.max(16)).unwrap();
    let (of_a, of_b) = (device(size_of_val(a.data())), device(size_of_val(b.data())));
    let (info, work) = (device(4), device(bytes as usize));
    of_a.write(a.data()).unwrap();
    of_b.write(b.data()).unwrap();
    let [pa, pb, pinfo, pwork] = [&of_a, &of_b, &info, &work].map(|memory| memory.pointer() as u64);
    assert_eq!(run("tephra_?gels", &[trans, m, n, nrhs, pa, m, pb, m, pinfo, pwork, bytes, 0]), 0);
    let (mut left, mut code) = (b.data().to_vec(), [0]);
    of_b.read(&mut left).unwrap();
    info.read(&mut code).unwrap();
    (code[0], Matrix::from_fn(b.rows(), b.cols(), |i, j| left[i + j * b.rows()]))
}

/// An infinity by which QR only divides gives the same results as gels: zeros, and the residual of the rest of B.
#[test]
fn infinities_that_are_divided_by_are_those_of_gels() {
    for dtype in Dtype::ALL {
        with_scalar!(dtype, T => {
            for (m, n) in [(1, 1), (2, 1), (3, 3), (5, 2)] {
                for (infinity, place) in [(f64::INFINITY, 0), (f64::NEG_INFINITY, n - 1)] {
                    let (mut a, b) = (random::<T>(Class::Uniform, m, n, 1), random::<T>(Class::Uniform, m, 2, 2));
                    for (i, j) in (0..n).flat_map(|j| (j..m).map(move |i| (i, j))) {
                        // A triangle with a real diagonal.
                        a[(i, j)] = T::from_double(Field::real(if i > j { 0.0 } else if i == place { infinity } else { 1.5 }));
                    }
                    let (solved, (code, left)) = (solve(&a, &b, &USUAL), direct(&a, &b));
                    let text = format!("{} {m}x{n} {infinity}", dtype.letter());
                    assert_eq!((solved.status, solved.info), (0, code), "{text}");
                    assert_eq!(solved.iterations, [-1, -1], "{text}");
                    for j in 0..2 {
                        let both = |i: usize| (solved.x[(i, j)].to_double(), left[(i, j)].to_double());
                        let same = |(x, y)| x == y || format!("{x:?}") == format!("{y:?}");
                        assert!((0..n).all(|i| same(both(i))), "{text}: {:?} {:?}", solved.x, left);
                        let norm = (n..m).map(|i| left[(i, j)].to_double().abs().powi(2)).sum::<f64>().sqrt();
                        let told = solved.residuals[j];
                        let finite = (0..n).all(|i| both(i).0.abs().is_finite());
                        assert_eq!(told.is_nan(), !finite, "{text}: {told}");
                        assert!(!finite || (told - norm).abs() <= 8.0 * dtype.eps() * norm, "{text}: {told} {norm}");
                    }
                }
            }
        });
    }
}

/// Scaling by powers of two changes no digit, even where the squares of A^H r or x leave the range.
#[test]
fn the_scale_of_the_operands_does_not_matter() {
    for dtype in [Dtype::D, Dtype::Z] {
        with_scalar!(dtype, T => {
            let (mut a, b) = (random::<T>(Class::Uniform, 300, 20, 1), random::<T>(Class::Uniform, 300, 2, 2));
            for i in 0..300 {
                // Hard enough to need several steps.
                a[(i, 19)] = T::from_double(a[(i, 0)].to_double() + a[(i, 19)].to_double().scale(1e-7));
            }
            let usual = solve(&a, &b, &USUAL);
            assert!(usual.iterations.iter().all(|&i| i > 1), "{:?}", usual.iterations);
            for (of_a, of_b) in [(-330, -264), (-466, -132), (-498, 100), (-500, -32), (330, 200), (440, -300), (450, 0)] {
                let by = |e| move |x: T| T::from_double(x.to_double().scale(2f64.powi(e)));
                let solved = solve(&a.map(by(of_a)), &b.map(by(of_b)), &USUAL);
                let text = format!("{} 2^{of_a} 2^{of_b}", dtype.letter());
                assert_eq!(solved.iterations, usual.iterations, "{text}");
                assert!(solved.x.data() == usual.x.map(by(of_b - of_a)).data(), "{text}");
                let residuals = usual.residuals.iter().map(|r| r * 2f64.powi(of_b));
                assert!(solved.residuals.iter().copied().eq(residuals), "{text}");
            }
        });
    }
}

#[test]
fn bad_arguments_are_named() {
    let (a, b) = (random::<f32>(Class::Uniform, 20, 4, 1), random::<f32>(Class::Uniform, 20, 1, 2));
    let status = |options| solve(&a, &b, &options).status;
    assert_eq!(status(Options { tolerance: -1.0, ..USUAL }), -10);
    assert_eq!(status(Options { tolerance: f64::NAN, ..USUAL }), -10);
    assert_eq!(status(Options { steps: u64::MAX, ..USUAL }), -11);
    let lib = Library::required();
    let sizes = |[m, n, nrhs, lda, ldb, ldx]: [u64; 6]| {
        // SAFETY: this is a query, for which the address of the answer may be NULL.
        unsafe { call(lib, "tephra_dgels_iterative_workspace", [0.0; 4], &[m, n, nrhs, lda, ldb, ldx, 0]) }
    };
    let minus = u64::MAX;
    assert_eq!(sizes([20, 4, 1, 20, 20, 4]), 0);
    assert_eq!(sizes([minus, 4, 1, 20, 20, 4]), -1);
    assert_eq!(sizes([20, 21, 1, 20, 20, 21]), -2);
    assert_eq!(sizes([20, 4, minus, 20, 20, 4]), -3);
    assert_eq!(sizes([20, 4, 1, 19, 20, 4]), -4);
    assert_eq!(sizes([20, 4, 1, 20, 19, 4]), -5);
    assert_eq!(sizes([20, 4, 1, 20, 20, 3]), -6);
    assert_eq!(sizes([1 << 40, 1 << 30, 1, 1 << 40, 1 << 40, 1 << 30]), -2);
}

#[test]
fn a_small_workspace_is_refused() {
    let (a, b) = (random::<f64>(Class::Uniform, 20, 4, 1), random::<f64>(Class::Uniform, 20, 1, 2));
    let enough = solve(&a, &b, &USUAL);
    let missing = solve(&a, &b, &Options { missing: 1, ..USUAL });
    // The CPU backend needs no workspace.
    assert!(enough.status == 0 && (missing.status == -16 || missing.status == 0));
}
