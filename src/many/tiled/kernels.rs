//! The operations on tiles, each on one thread: PLASMA's `geqrt`, `unmqr`, `tsqrt` and `tsmqr` (Buttari, Langou, Kurzak
//! and Dongarra, Parallel Computing 35 (2009)), with inner blocks of `ib` columns.
//!
//! Panels and products use the CPU backend, which would distribute a product of more than [`COLUMNS`] columns over
//! threads. Products here never have more, so a task stays on its own thread, and its result does not depend on the
//! number of threads.

use crate::memory::filled;
use crate::streamed::updates::adjoint;
use std::ffi::c_void;
use tephra_core::backend::cpu;
use tephra_core::backend::cpu::parts::{self, Algorithm, Choice, Distribution, Level};
use tephra_core::routine::{Alpha, Gemm, Geqrf, Larft, Routine, Shape, Trans};
use tephra_core::scalar::Scalar;
use tephra_core::{Error, Operand, Operation};

/// Maximum number of columns of a product.
const COLUMNS: usize = 64;

/// A submatrix in column-major order. Elements are aligned at least like their real parts.
pub struct MatrixView<T> {
    /// Address of element (0, 0).
    pub p: *mut T,
    /// Leading dimension.
    pub ld: usize,
}

impl<T> Clone for MatrixView<T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for MatrixView<T> {}

impl<T: Scalar> MatrixView<T> {
    /// The submatrix that starts at element (i, j).
    pub fn at(self, i: usize, j: usize) -> Self {
        MatrixView { p: self.p.wrapping_add(i + j * self.ld), ..self }
    }
    /// Element (i, j).
    pub unsafe fn get(self, i: usize, j: usize) -> T {
        unsafe { self.at(i, j).p.read_unaligned() }
    }
    /// Sets element (i, j).
    pub unsafe fn set(self, i: usize, j: usize, x: T) {
        unsafe { self.at(i, j).p.write_unaligned(x) }
    }
    /// Copies rows `rows` of column j to column `to_j` of `to`, starting at row `to_i`.
    unsafe fn copy_column(
        self,
        rows: std::ops::Range<usize>,
        j: usize,
        to: MatrixView<T>,
        (to_i, to_j): (usize, usize),
    ) {
        let (from, to) = (self.at(rows.start, j).p.cast::<u8>(), to.at(to_i, to_j).p.cast::<u8>());
        unsafe { std::ptr::copy_nonoverlapping(from, to, rows.len() * size_of::<T>()) };
    }
    /// The submatrix as a batch of one.
    pub fn operand(self) -> Operand {
        Operand::Strided { base: self.p.cast::<c_void>(), stride: 0 }
    }
}

/// Whether Q or its adjoint is applied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Q
    Plain,
    /// Q^H
    Adjoint,
}

unsafe fn run(op: Operation) -> Result<(), Error> {
    unsafe { cpu::of(&op).run() }
}

/// Maximum size of the vectors that a task copies at a time, in bytes.
const COPIED: usize = 1 << 20;

/// Working memory of one thread, for tiles of `nb` rows and columns.
pub struct Scratch<T> {
    memory: Vec<T>,
    nb: usize,
    ib: usize,
    /// Number of a tile's vectors that fit, a multiple of `ib`.
    copied: usize,
    level: Level,
}

impl<T: Scalar> Scratch<T> {
    /// Fails if the memory cannot be allocated.
    pub fn new(nb: usize, ib: usize) -> Result<Self, Error> {
        let copied = (COPIED / (nb * ib * size_of::<T>())).clamp(1, nb.div_ceil(ib)) * ib;
        let elements = (nb + ib) * ib + nb * copied + 2 * ib * COLUMNS + ib;
        Ok(Scratch { memory: filled(elements, T::zero())?, nb, ib, copied, level: Level::in_use() })
    }
    fn view(&mut self, start: usize, ld: usize) -> MatrixView<T> {
        MatrixView { p: self.memory.as_mut_ptr().wrapping_add(start), ld }
    }
    /// The vectors of one or several blocks with `m` rows.
    fn vectors(&mut self, m: usize) -> MatrixView<T> {
        self.view(0, m)
    }
    /// A panel with `m` rows.
    fn panel(&mut self, m: usize) -> MatrixView<T> {
        self.view(self.nb * self.copied, m)
    }
    /// V^H C and op(T) V^H C.
    fn small(&mut self) -> [MatrixView<T>; 2] {
        let start = self.nb * self.copied + (self.nb + self.ib) * self.ib;
        [self.view(start, self.ib), self.view(start + self.ib * COLUMNS, self.ib)]
    }
    fn tau(&mut self) -> MatrixView<T> {
        let start = self.memory.len() - self.ib;
        self.view(start, 1)
    }
}

/// A matrix and the transposition with which it enters a product.
type Factor<T> = (Trans, MatrixView<T>);

/// C := alpha op(A) B + beta C, with at most [`COLUMNS`] columns.
unsafe fn product<T: Scalar>(
    sizes: [usize; 3],
    alpha: f64,
    (trans, a): Factor<T>,
    b: MatrixView<T>,
    beta: f64,
    c: MatrixView<T>,
) -> Result<(), Error> {
    let [sizes, ld] = [sizes, [a.ld, b.ld, c.ld]].map(|sizes| sizes.map(|size| size as i64));
    let (operands, factors) = ([a.operand(), b.operand(), c.operand()], [alpha, beta].map(Alpha::host));
    let product = Gemm::uniform(T::DTYPE, [trans, Trans::N], sizes, factors, operands, ld, 1);
    unsafe { run(Operation::Gemm(product)) }
}

/// Factors an m x k panel and forms T.
unsafe fn panel<T: Scalar>(
    m: usize,
    k: usize,
    a: MatrixView<T>,
    t: MatrixView<T>,
    scratch: &mut Scratch<T>,
) -> Result<(), Error> {
    let tau = scratch.tau();
    let (rows, columns, ld, ldt) = (m as i64, k as i64, a.ld as i64, t.ld as i64);
    let shape =
        Shape { dtype: T::DTYPE, m: rows, n: columns, batch: 1, math: Default::default(), extra: Default::default() };
    let (dtype, v, tau, t) = (T::DTYPE, a.operand(), tau.operand(), t.operand());
    let plain = <Geqrf as Routine>::of_shape(&shape);
    // On this thread and always with the same algorithm, whatever is configured for other calls.
    let algorithm = if k > 16 { Algorithm::Blocked { nb: 16, inner: 8 } } else { Algorithm::Unblocked };
    let choice = Choice {
        algorithm,
        level: scratch.level,
        distribution: Distribution { threads: 1, threads_per_member: 1, grain: 1 },
    };
    unsafe {
        parts::geqrf(&Geqrf { a: v, lda: ld, tau, ..plain }, &choice)?;
        run(Operation::Larft(Larft { dtype, m: rows, k: columns, v, ldv: ld, tau, t, ldt, batch: 1 }))
    }
}

/// A block reflector H = I - (E; V) T (E; V)^H. V is m x k; E is either the identity above it, or absent.
struct Reflector<T> {
    m: usize,
    k: usize,
    v: MatrixView<T>,
    t: MatrixView<T>,
    /// Further rows of V at another address.
    below: Option<(usize, MatrixView<T>)>,
}

impl<T: Scalar> Reflector<T> {
    /// C := op(H) C for n columns. `top` has the k rows that correspond to E.
    unsafe fn apply(
        &self,
        form: Form,
        n: usize,
        top: Option<MatrixView<T>>,
        c: MatrixView<T>,
        scratch: &mut Scratch<T>,
    ) -> Result<(), Error> {
        for (j, n) in pieces(n) {
            unsafe { self.apply_to_piece(form, n, top.map(|top| top.at(0, j)), c.at(0, j), scratch)? };
        }
        Ok(())
    }

    /// As [`Reflector::apply`], for at most [`COLUMNS`] columns.
    unsafe fn apply_to_piece(
        &self,
        form: Form,
        n: usize,
        top: Option<MatrixView<T>>,
        c: MatrixView<T>,
        scratch: &mut Scratch<T>,
    ) -> Result<(), Error> {
        let (m, k, [w, y]) = (self.m, self.k, scratch.small());
        let op = if form == Form::Plain { Trans::N } else { adjoint(T::DTYPE) };
        unsafe {
            if let Some(top) = top {
                (0..n).for_each(|j| top.copy_column(0..k, j, w, (0, j)));
            }
            let beta = if top.is_some() { 1.0 } else { 0.0 };
            product([k, n, m], 1.0, (adjoint(T::DTYPE), self.v), c, beta, w)?;
            if let Some((rows, v)) = self.below {
                product([k, n, rows], 1.0, (adjoint(T::DTYPE), v), c.at(m, 0), 1.0, w)?;
            }
            product([k, n, k], 1.0, (op, self.t), w, 0.0, y)?;
            if let Some(top) = top {
                for j in 0..n {
                    (0..k).for_each(|i| top.set(i, j, top.get(i, j) - y.get(i, j)));
                }
            }
            product([m, n, k], -1.0, (Trans::N, self.v), y, 1.0, c)?;
            if let Some((rows, v)) = self.below {
                product([rows, n, k], -1.0, (Trans::N, v), y, 1.0, c.at(m, 0))?;
            }
        }
        Ok(())
    }
}

/// n columns in pieces of at most [`COLUMNS`], as (first column, number of columns).
fn pieces(n: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..n).step_by(COLUMNS).map(move |j| (j, COLUMNS.min(n - j)))
}

/// The block reflector of the first k columns of a factored tile with m rows, with V copied and its zeros and unit
/// diagonal explicit. The part above the tile's diagonal is not read, because another task may be writing it.
unsafe fn unit_lower<T: Scalar>(
    m: usize,
    k: usize,
    a: MatrixView<T>,
    t: MatrixView<T>,
    scratch: &mut Scratch<T>,
) -> Reflector<T> {
    let v = scratch.vectors(m);
    for j in 0..k {
        unsafe {
            (0..j).for_each(|i| v.set(i, j, T::zero()));
            v.set(j, j, T::one());
            a.copy_column(j + 1..m, j, v, (j + 1, j));
        }
    }
    Reflector { m, k, v, t, below: None }
}

/// The inner blocks of k columns in the order in which they are applied, as (first column, number of columns).
fn blocks(k: usize, ib: usize, form: Form) -> impl Iterator<Item = (usize, usize)> {
    let count = k.div_ceil(ib);
    (0..count).map(move |i| {
        let first = ib * if form == Form::Adjoint { i } else { count - 1 - i };
        (first, ib.min(k - first))
    })
}

/// Factors an m x n tile: R and the vectors are stored as by `?geqrf`, and T of each inner block in the block's columns
/// of `t`.
///
/// # Safety
/// The submatrices must be valid, and no other thread may use them at the same time, except as stated.
pub unsafe fn geqrt<T: Scalar>(
    m: usize,
    n: usize,
    a: MatrixView<T>,
    t: MatrixView<T>,
    scratch: &mut Scratch<T>,
) -> Result<(), Error> {
    for (j, k) in blocks(m.min(n), scratch.ib, Form::Adjoint) {
        let (block, t) = (a.at(j, j), t.at(0, j));
        unsafe {
            panel(m - j, k, block, t, scratch)?;
            if j + k < n {
                let reflector = unit_lower(m - j, k, block, t, scratch);
                reflector.apply(Form::Adjoint, n - j - k, None, a.at(j, j + k), scratch)?;
            }
        }
    }
    Ok(())
}

/// C := op(Q) C for an m x n C, with the first k reflectors of a tile that [`geqrt`] factored. R is not read.
///
/// # Safety
/// As for [`geqrt`].
pub unsafe fn unmqr<T: Scalar>(
    form: Form,
    [m, n, k]: [usize; 3],
    a: MatrixView<T>,
    t: MatrixView<T>,
    c: MatrixView<T>,
    scratch: &mut Scratch<T>,
) -> Result<(), Error> {
    for (j, k) in blocks(k, scratch.ib, form) {
        unsafe {
            let reflector = unit_lower(m - j, k, a.at(j, j), t.at(0, j), scratch);
            reflector.apply(form, n, None, c.at(j, 0), scratch)?;
        }
    }
    Ok(())
}

/// Forms T of each inner block of `ib` columns, from the k reflectors that LAPACK's `?geqrf` left in an m x k matrix
/// and their scalar factors.
///
/// # Safety
/// As for [`geqrt`].
pub unsafe fn larft<T: Scalar>(
    m: usize,
    k: usize,
    a: MatrixView<T>,
    tau: MatrixView<T>,
    t: MatrixView<T>,
    ib: usize,
) -> Result<(), Error> {
    for (j, k) in blocks(k, ib, Form::Adjoint) {
        let (v, ldv, ldt, tau) = (a.at(j, j).operand(), a.ld as i64, t.ld as i64, tau.at(j, 0).operand());
        let (dtype, m, k, t) = (T::DTYPE, (m - j) as i64, k as i64, t.at(0, j).operand());
        unsafe { run(Operation::Larft(Larft { dtype, m, k, v, ldv, tau, t, ldt, batch: 1 }))? };
    }
    Ok(())
}

/// C := op(Q) C for an m x n C, with k reflectors in LAPACK's form, for which [`larft`] formed T. The part below the
/// diagonal of an inner block is used in place, whatever its number of rows.
///
/// # Safety
/// As for [`geqrt`].
pub unsafe fn unmqr_stacked<T: Scalar>(
    form: Form,
    [m, n, k]: [usize; 3],
    a: MatrixView<T>,
    t: MatrixView<T>,
    c: MatrixView<T>,
    scratch: &mut Scratch<T>,
) -> Result<(), Error> {
    for (j, k) in blocks(k, scratch.ib, form) {
        let (block, below) = (a.at(j, j), m - j - k);
        unsafe {
            let reflector = unit_lower(k, k, block, t.at(0, j), scratch);
            let reflector = Reflector { below: (below > 0).then_some((below, block.at(k, 0))), ..reflector };
            reflector.apply(form, n, None, c.at(j, 0), scratch)?;
        }
    }
    Ok(())
}

/// Factors (R; A), with R upper triangular, n x n, and A m x n. R is overwritten by the new R, and A by the vectors,
/// whose part beside R is the identity. The part below R's diagonal is neither read nor written, because another task
/// may be reading it.
///
/// # Safety
/// As for [`geqrt`].
pub unsafe fn tsqrt<T: Scalar>(
    m: usize,
    n: usize,
    r: MatrixView<T>,
    a: MatrixView<T>,
    t: MatrixView<T>,
    scratch: &mut Scratch<T>,
) -> Result<(), Error> {
    for (j, k) in blocks(n, scratch.ib, Form::Adjoint) {
        let (p, t, rest) = (scratch.panel(k + m), t.at(0, j), j + k);
        unsafe {
            for l in 0..k {
                r.copy_column(j..j + l + 1, j + l, p, (0, l));
                (l + 1..k).for_each(|i| p.set(i, l, T::zero()));
                a.copy_column(0..m, j + l, p, (k, l));
            }
            panel(k + m, k, p, t, scratch)?;
            for l in 0..k {
                p.copy_column(0..l + 1, l, r, (j, j + l));
                p.copy_column(k..k + m, l, a, (0, j + l));
            }
            if rest < n {
                let reflector = Reflector { m, k, v: p.at(k, 0), t, below: None };
                reflector.apply(Form::Adjoint, n - rest, Some(r.at(j, rest)), a.at(0, rest), scratch)?;
            }
        }
    }
    Ok(())
}

/// (C1; C2) := op(Q) (C1; C2) with the first k reflectors of a tile that [`tsqrt`] factored. C1 is k x n and C2 is m x
/// n.
///
/// # Safety
/// As for [`geqrt`].
pub unsafe fn tsmqr<T: Scalar>(
    form: Form,
    [m, n, k]: [usize; 3],
    v: MatrixView<T>,
    t: MatrixView<T>,
    [c1, c2]: [MatrixView<T>; 2],
    scratch: &mut Scratch<T>,
) -> Result<(), Error> {
    // The vectors of several inner blocks are copied together, so that all of these are applied to a few columns of C
    // while those are in the cache.
    for (first, count) in blocks(k, scratch.copied, form) {
        let block = scratch.vectors(m);
        unsafe {
            (0..count).for_each(|l| v.copy_column(0..m, first + l, block, (0, l)));
            for (left, n) in pieces(n) {
                for (j, k) in blocks(count, scratch.ib, form) {
                    let reflector = Reflector { m, k, v: block.at(0, j), t: t.at(0, first + j), below: None };
                    let (c1, c2) = (c1.at(first + j, left), c2.at(0, left));
                    reflector.apply_to_piece(form, n, Some(c1), c2, scratch)?;
                }
            }
        }
    }
    Ok(())
}
