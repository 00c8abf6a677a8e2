//! MAGMA's QR of one matrix, which keeps its panels in a form of its own, and what MAGMA's testers do with it: solve,
//! apply Q, and reassemble the factors.

use super::fixture::{Fixture, assert_line};
use super::magma::illegal;
use crate::stderr::stderr_of;
use std::cell::Cell;
use std::ffi::c_int;
use tephra_testkit::any_call::call;
use tephra_testkit::library::symbol_name;
use tephra_testkit::matrices::Class;
use tephra_testkit::memory::{Kind, Memory};
use tephra_testkit::ops::Trans;
use tephra_testkit::ops::least_squares::least_squares;
use tephra_testkit::ops::measure::difference;
use tephra_testkit::qr::Session;
use tephra_testkit::ratios::Ratios;
use tephra_testkit::scalar::{Field, same_bits};
use tephra_testkit::{Dtype, Library, Matrix, Rng, Scalar, householder, with_scalar};

/// The operands of the factorisations and of what follows: A and B with gaps below their columns.
struct Problem<T> {
    a: Matrix<T>,
    b: Matrix<T>,
    nb: usize,
    device: [Memory; 3],
    tau: Vec<Cell<T>>,
    info: Cell<c_int>,
}

const UNSET: c_int = 77;

impl<T: Scalar> Problem<T> {
    /// With panels of nb columns, or of MAGMA's default width.
    fn new(a: Matrix<T>, nrhs: usize, nb: Option<usize>) -> Problem<T> {
        let (lib, (m, n)) = (Library::required(), (a.rows(), a.cols()));
        let b = Class::Uniform.generate(m, nrhs, &mut Rng::new(5));
        // SAFETY: the arguments match MAGMA's prototype.
        let own = unsafe { call(lib, &symbol_name("magma_get_?geqrf_nb", T::DTYPE), [0.0; 4], &[m as u64, n as u64]) };
        let nb = nb.unwrap_or(own as usize);
        // The size that MAGMA documents.
        let t = (2 * m.min(n) + n.div_ceil(32) * 32) * nb.max(nrhs);
        let device = [(m + 1) * n, (m + 2) * nrhs, t];
        let device =
            device.map(|elements| Memory::new(lib, Kind::Device, (elements * size_of::<T>()).max(16)).unwrap());
        let tau = vec![Cell::new(T::POISON); m.min(n)];
        let problem = Problem { a, b, nb, device, tau, info: Cell::new(UNSET) };
        problem.restore();
        problem
    }

    fn restore(&self) {
        self.device[0].write(&gapped(&self.a, self.a.rows() + 1)).unwrap();
        self.device[1].write(&gapped(&self.b, self.a.rows() + 2)).unwrap();
        self.device[2].write(&vec![T::POISON; self.device[2].bytes() / size_of::<T>()]).unwrap();
    }

    fn run(&self, pattern: &str, arguments: &[u64]) -> c_int {
        self.info.set(UNSET);
        // SAFETY: the arguments match the header's prototypes, and the memory has the sizes that MAGMA documents.
        let code = unsafe { call(Library::required(), &symbol_name(pattern, T::DTYPE), [0.0; 4], arguments) };
        assert_eq!(self.info.get(), code, "{pattern}");
        code
    }

    fn factor(&self, pattern: &str, more: &[u64]) -> c_int {
        let (m, n, tau) = (self.a.rows() as u64, self.a.cols() as u64, self.tau.as_ptr() as u64);
        let (a, t, info) = (self.at(0), self.at(2), self.info.as_ptr() as u64);
        self.run(pattern, &[&[m, n, a, m + 1, tau, t, info], more].concat())
    }

    /// Solves with the variant of this number.
    fn solve(&self, form: &str) -> c_int {
        let [m, n, nrhs] = [self.a.rows(), self.a.cols(), self.b.cols()].map(|size| size as u64);
        let mut work = T::POISON;
        let (tau, work_at, info) = (self.tau.as_ptr() as u64, &raw mut work as u64, self.info.as_ptr() as u64);
        let head = [m, n, nrhs, self.at(0), m + 1, tau, self.at(2), self.at(1), m + 2, work_at];
        let (pattern, nb) = (format!("magma_?geqrs{form}_gpu"), self.nb as u64);
        let needed = (m - n + nb) * (nrhs + nb) + nrhs * nb;
        assert_eq!(self.run(&pattern, &[&head[..], &[c_int::from(-1i8) as u64, info]].concat()), 0);
        assert_eq!(work.to_double().re(), needed as f64, "{pattern}");
        // The call accesses only the first element of the workspace.
        self.run(&pattern, &[&head[..], &[needed, info]].concat())
    }

    fn scalars(&self) -> Vec<T> {
        self.tau.iter().map(Cell::get).collect()
    }

    fn at(&self, which: usize) -> u64 {
        self.device[which].pointer() as u64
    }

    /// The current contents of a matrix. The gaps below its columns must be unchanged.
    fn read(&self, which: usize, rows: usize, cols: usize, ld: usize) -> Matrix<T> {
        let mut data = vec![T::POISON; self.device[which].bytes() / size_of::<T>()];
        self.device[which].read(&mut data).unwrap();
        let gaps =
            data.chunks(ld).take(cols).all(|column| column[rows..].iter().all(|&x| same_bits(&[x], &[T::POISON])));
        assert!(gaps, "rows behind a matrix are written");
        Matrix::from_fn(rows, cols, |i, j| data[i + j * ld])
    }

    fn factors(&self) -> Matrix<T> {
        self.read(0, self.a.rows(), self.a.cols(), self.a.rows() + 1)
    }

    fn result(&self) -> Matrix<T> {
        self.read(1, self.a.rows(), self.b.cols(), self.a.rows() + 2)
    }

    /// Columns of T, or after its first min(m, n) columns those of the kept blocks of R.
    fn kept(&self, columns: usize) -> Matrix<T> {
        self.read(2, self.nb, columns, self.nb)
    }
}

fn gapped<T: Scalar>(x: &Matrix<T>, ld: usize) -> Vec<T> {
    let column = |j| (0..ld).map(move |i| if i < x.rows() { x[(i, j)] } else { T::POISON });
    (0..x.cols()).flat_map(column).collect()
}

fn random<T: Scalar>(m: usize, n: usize, seed: u64) -> Matrix<T> {
    Class::Uniform.generate(m, n, &mut Rng::new(seed))
}

/// m, n and right-hand sides: within one panel, exactly one panel, and several, the last of which is complete or not.
const SIZES: [(usize, usize, usize); 8] =
    [(5, 3, 2), (96, 96, 1), (97, 97, 3), (65, 64, 1), (300, 200, 1), (257, 193, 40), (400, 100, 5), (150, 128, 2)];

#[test]
fn least_squares_are_solved_by_either_form() {
    for dtype in Dtype::ALL {
        for (form, (m, n, nrhs)) in ["", "3"].into_iter().flat_map(|form| SIZES.map(|sizes| (form, sizes))) {
            with_scalar!(dtype, T => {
                let case = format!("{} geqrs{form} {m}x{n}, {nrhs}", dtype.letter());
                let p = Problem::<T>::new(random(m, n, 7), nrhs, None);
                assert_eq!(p.factor(&format!("magma_?geqrf{form}_gpu"), &[]), 0, "{case}");
                let (factors, kept) = (p.factors(), p.kept(2 * n));
                assert_eq!(p.solve(form), 0, "{case}");
                let ratio = least_squares(Trans::N, &p.a, &p.b, &p.result());
                assert!(ratio < Ratios::THRESHOLD, "{case}: {ratio}");
                let same = same_bits(p.factors().data(), factors.data()) && same_bits(p.kept(2 * n).data(), kept.data());
                assert!(same, "{case}: factors changed");
            });
        }
    }
}

/// Like MAGMA's tester: putting the blocks of R that geqrf3 keeps back into A gives LAPACK's form.
#[test]
fn kept_blocks_of_r_are_lapacks() {
    for dtype in Dtype::ALL {
        for (m, n) in [(5, 3), (300, 200), (200, 300)] {
            with_scalar!(dtype, T => {
                let p = Problem::<T>::new(random(m, n, 8), 1, None);
                let (tau, info) = (p.tau.as_ptr() as u64, p.info.as_ptr() as u64);
                let head = [m as u64, n as u64, p.at(0), m as u64 + 1, tau];
                assert_eq!(p.run("magma_?geqrf2_gpu", &[&head[..], &[info]].concat()), 0);
                let (lapacks, tau) = (p.factors(), p.scalars());
                p.restore();
                assert_eq!(p.factor("magma_?geqrf3_gpu", &[]), 0);
                let (k, nb, mut factors) = (m.min(n), p.nb, p.factors());
                let (blocks, columns) = (p.kept(2 * k), (k - 1) / nb * nb);
                for j in 0..columns {
                    let first = j / nb * nb;
                    (first..=j).for_each(|i| factors[(i, j)] = blocks[(i - first, k + j)]);
                    let below = (j - first + 1..nb).all(|i| blocks[(i, k + j)].to_double() == <T as Scalar>::Double::ZERO);
                    assert!(below, "{} {m}x{n}: below the diagonal of column {j}", dtype.letter());
                }
                let same = same_bits(factors.data(), lapacks.data()) && same_bits(&p.scalars(), &tau);
                assert!(same, "{} {m}x{n}", dtype.letter());
            });
        }
    }
}

/// With the caller's panel width and queues: the same factors, T by panels, and Q^H A is R.
#[test]
fn experts_choose_the_panels() {
    let session = Session::new(Library::required());
    let queue = session.queue().unwrap().raw() as u64;
    for dtype in Dtype::ALL {
        for (nb, (m, n)) in [(1, (40, 30)), (8, (40, 30)), (16, (30, 47)), (100, (300, 250)), (30, (30, 30))] {
            with_scalar!(dtype, T => {
                let case = format!("{} nb {nb}, {m}x{n}", dtype.letter());
                let p = Problem::<T>::new(random(m, n, 9), 2, Some(nb));
                let (tau, info) = (p.tau.as_ptr() as u64, p.info.as_ptr() as u64);
                let head = [m as u64, n as u64, p.at(0), m as u64 + 1, tau];
                assert_eq!(p.run("magma_?geqrf2_gpu", &[&head[..], &[info]].concat()), 0);
                let (lapacks, wanted) = (p.factors(), p.scalars());
                p.restore();
                let (mut sizes, queues) = ([-1 as c_int, UNSET], [queue, 0]);
                let [host, device] = [&raw mut sizes[0] as u64, &raw mut sizes[1] as u64];
                let more = [701, nb as u64, 0, host, 0, device, queues.as_ptr() as u64];
                let before = p.factors();
                assert_eq!(p.factor("magma_?geqrf_expert_gpu_work", &more), 0, "{case}");
                assert!(sizes == [0, 0] && same_bits(p.factors().data(), before.data()), "{case}: a query");
                assert_eq!(p.factor("magma_?geqrf_expert_gpu_work", &more), 0, "{case}");
                let (k, factors) = (m.min(n), p.factors());
                let columns = if nb > 1 { (k - 1) / nb * nb } else { 0 };
                for (i, j) in (0..m).flat_map(|i| (0..n).map(move |j| (i, j))) {
                    let block = j < columns && i / nb == j / nb && i <= j;
                    let explicit = if i == j { <T as Scalar>::Double::ONE } else { <T as Scalar>::Double::ZERO };
                    let expected = if block { T::from_double(explicit) } else { lapacks[(i, j)] };
                    assert!(same_bits(&[factors[(i, j)]], &[expected]), "{case} ({i},{j})");
                }
                assert!(same_bits(&p.scalars(), &wanted), "{case}");
                // Each panel's T reproduces its Q.
                let t = p.kept(if columns > 0 { 2 * k } else { 0 });
                for first in (0..columns).step_by(nb) {
                    let v = Matrix::from_fn(m - first, nb, |i, j| factors[(first + i, first + j)]);
                    let tau = Matrix::from_fn(nb, 1, |i, _| p.tau[first + i].get());
                    let block = Matrix::from_fn(nb, nb, |i, j| t[(i, first + j)]);
                    let ratio = tephra_testkit::ops::measure::block_factor(&v, &tau, &block);
                    assert!(ratio < Ratios::THRESHOLD, "{case}: {ratio}");
                }
            });
        }
    }
}

/// ormqr, applied to the original matrix, gives R for every variant of the factors.
#[test]
fn q_of_kept_panels_is_applied() {
    for dtype in Dtype::ALL {
        for form in ["", "3"] {
            with_scalar!(dtype, T => {
                let (m, n) = (260, 150);
                let mut p = Problem::<T>::new(random(m, n, 10), n, None);
                p.b = p.a.clone();
                p.restore();
                assert_eq!(p.factor(&format!("magma_?geqrf{form}_gpu"), &[]), 0);
                let trans = if dtype.is_complex() { 113 } else { 112 };
                let (tau, info) = (p.tau.as_ptr() as u64, p.info.as_ptr() as u64);
                let mut work = T::POISON;
                let [rows, columns, nb] = [m, n, p.nb].map(|size| size as u64);
                let head = [141, trans, rows, columns, columns, p.at(0), rows + 1, tau, p.at(1), rows + 2];
                let tail = [&raw mut work as u64, 1 << 30, p.at(2), nb, info];
                assert_eq!(p.run("magma_?ormqr_gpu", &[&head[..], &tail].concat()), 0);
                let mut r = p.a.to_double();
                householder::apply_adjoint(&p.factors().to_double(), Matrix::from_fn(n, 1, |i, _| p.tau[i].get().to_double()).data(), &mut r);
                let ratio = difference(&p.result(), &r);
                assert!(ratio < Ratios::THRESHOLD, "{} geqrf{form}: {ratio}", dtype.letter());
            });
        }
    }
}

/// A zero column causes an exact zero on R's diagonal: then no column of X is finite, wherever the zero is.
#[test]
fn singular_matrices_have_no_finite_solution() {
    for dtype in Dtype::ALL {
        for (form, at) in ["", "3"].into_iter().flat_map(|form| [0, 10, 95, 96, 140, 199].map(|at| (form, at))) {
            with_scalar!(dtype, T => {
                let mut a = random::<T>(230, 200, 11);
                a.col_mut(at).fill(T::from_double(<T as Scalar>::Double::ZERO));
                let p = Problem::<T>::new(a, 2, None);
                assert_eq!((p.factor(&format!("magma_?geqrf{form}_gpu"), &[]), p.solve(form)), (0, 0));
                let x = p.result();
                for j in 0..2 {
                    let finite = (0..200).all(|i| x[(i, j)].to_double().re().is_finite() && x[(i, j)].to_double().im().is_finite());
                    assert!(!finite, "{} geqrs{form}, zero {at}, column {j}", dtype.letter());
                }
            });
        }
    }
}

/// Errors that the fuzzer does not cover: T where panels are kept, workspace sizes, and argument numbers of sizes that
/// queries check too.
#[test]
fn wrong_arguments_have_magmas_numbers() {
    let p = Problem::<f64>::new(random(100, 90, 12), 2, None);
    let (tau, info) = (p.tau.as_ptr() as u64, p.info.as_ptr() as u64);
    let (a, b, t) = (p.at(0), p.at(1), p.at(2));
    let mut work = [0.0f64; 2];
    let work = work.as_mut_ptr() as u64;
    let good = [100, 90, 2, a, 101, tau, t, b, 102, work, 1 << 20, info];
    for (name, numbers) in [("magma_?geqrs_gpu", [9, 11]), ("magma_?geqrs3_gpu", [8, 10])] {
        for (at, value, number) in [
            (1, u64::MAX, 1),
            (2, 101, 2),
            (2, u64::MAX, 2),
            (3, u64::MAX, 3),
            (4, 0, 4),
            (5, 99, 5),
            (6, 0, 6),
            (7, 0, 7),
            (8, 0, 8),
            (9, 99, numbers[0]),
            (10, 0, 10),
            (11, 5, numbers[1]),
            (11, -2i64 as u64, numbers[1]),
        ] {
            let mut arguments = good.to_vec();
            arguments[at - 1] = value;
            let (code, text) = stderr_of(|| p.run(name, &arguments));
            assert_eq!(code, -number, "{name}, argument {at} = {value}");
            assert_line(&text, &illegal(&symbol_name(name, Dtype::D), number));
        }
        // Queries check sizes as well.
        let (code, _) = stderr_of(|| p.run(name, &[100, 101, 2, a, 101, tau, t, b, 102, work, u64::MAX, info]));
        assert_eq!(code, -2);
    }
    let (code, _) = stderr_of(|| p.run("magma_?geqrf3_gpu", &[100, 90, a, 101, tau, 0, info]));
    assert_eq!(code, -6);
    let (mut host, mut device) = (0 as c_int, 0 as c_int);
    let [host, device] = [&raw mut host as u64, &raw mut device as u64];
    let good = [100, 90, a, 101, tau, t, info, 702, 32, 0, host, 0, device, 0];
    for (at, value) in [(1, u64::MAX), (4, 99), (6, 0), (8, 0), (8, 703), (9, 0), (9, u64::MAX), (11, 0), (13, 0)] {
        let mut arguments = good.to_vec();
        arguments[at - 1] = value;
        let (code, text) = stderr_of(|| p.run("magma_?geqrf_expert_gpu_work", &arguments));
        assert_eq!(code, -(at as c_int), "{value}");
        assert_line(&text, &illegal("magma_dgeqrf_expert_gpu_work", at as c_int));
    }
    assert!(same_bits(p.factors().data(), p.a.data()) && same_bits(p.result().data(), p.b.data()));
}

/// With nothing to do, no pointer is accessed.
#[test]
fn nothing_is_done_to_empty_matrices() {
    for dtype in Dtype::ALL {
        let s = Fixture::new(dtype, 4, 4);
        let mut info = UNSET;
        let info_at = &raw mut info as u64;
        let mut work = [7f64; 2];
        let work_at = work.as_mut_ptr() as u64;
        for (form, [m, n, nrhs]) in
            ["", "3"].into_iter().flat_map(|form| [[0, 0, 3], [9, 0, 3], [9, 4, 0]].map(|s| (form, s)))
        {
            let ld = m.max(1);
            let arguments = [m, n, nrhs, 0, ld, 0, 0, 0, ld, work_at, 1 << 30, info_at];
            // SAFETY: the arguments match the header's prototype.
            let code =
                unsafe { call(s.lib, &symbol_name(&format!("magma_?geqrs{form}_gpu"), dtype), [0.0; 4], &arguments) };
            assert_eq!((code, info), (0, 0), "{m}x{n}, {nrhs}");
            // SAFETY: the value is read with the type that the call writes.
            let told = match dtype.is_double() {
                true => unsafe { (&raw const work).cast::<f64>().read_volatile() },
                false => f64::from(unsafe { (&raw const work).cast::<f32>().read_volatile() }),
            };
            assert_eq!(told, 1.0);
        }
        assert!(s.is_untouched());
    }
}
