//! Least squares and minimum-norm solutions (LAPACK `?gels`) by the tile factorisation.

use super::calls::{Argument, Call, Place, adjoint_or_none, stop_to_failure, tiles, typed, view};
use super::kernels::{Form, MatrixView};
use super::sequence;
use super::tiles::Tiles;
use crate::failure::{Failure, Matrix, at_least, not_null, sizes_fit};
use crate::memory::filled;
use crate::streamed::calls::Options;
use std::ffi::c_int;
use tephra_core::backend::cpu;
use tephra_core::error::Arg;
use tephra_core::routine::{Routine, Shape, Trans, Trsm};
use tephra_core::scalar::{Real, Scalar};
use tephra_core::{Dtype, Operation};

struct Gels<'a> {
    options: &'a Options,
    place: Place,
    trans: c_int,
    sizes: [i64; 4],
    operands: [Argument; 2],
    info: *mut c_int,
}

/// `tephra_?gels_tiled` and `tephra_?gels_tiled_devices`, with m, n, nrhs, nb and A, B.
///
/// # Safety
/// The operands must be as the header says.
pub unsafe fn gels(
    options: &Options,
    place: Place,
    dtype: Dtype,
    trans: c_int,
    sizes: [i64; 4],
    operands: [Argument; 2],
    info: *mut c_int,
) -> i32 {
    unsafe { typed(options.own, dtype, Gels { options, place, trans, sizes, operands, info }) }
}

impl Call for Gels<'_> {
    unsafe fn run<T: Scalar>(self) -> Result<(), Failure> {
        let Gels { options, place, trans, sizes: [m, n, nrhs, nb], operands: [a, b], info } = self;
        let form = adjoint_or_none::<T>(trans)?;
        at_least("m", m, 0)?;
        at_least("n", n, 0)?;
        at_least("nrhs", nrhs, 0)?;
        let (rows, columns) = ((m, Arg::M), (n, Arg::N));
        let of_a = Matrix { rows, columns, ld: (a.1, Arg::Lda) };
        let of_b = Matrix { rows: if m < n { columns } else { rows }, columns: (nrhs, Arg::Nrhs), ld: (b.1, Arg::Ldb) };
        sizes_fit(T::DTYPE, &[of_a, of_b])?;
        let (tiles, size) = tiles(T::DTYPE, m.max(n), m.min(n), nb)?;
        of_a.check_ld(T::DTYPE)?;
        of_b.check_ld(T::DTYPE)?;
        place.check_numbers(options)?;
        not_null("a", a.0, m > 0 && n > 0)?;
        let unknowns = if form == Form::Plain { n } else { m };
        not_null("b", b.0, nrhs > 0 && unknowns > 0)?;
        place.check_addresses(options)?;
        let sizes = [m, n, nrhs].map(|size| size as usize);
        let factor = |a: MatrixView<T>, t: *mut T| unsafe { place.factor::<T>(options, &tiles, (a, t), usize::MAX) };
        let code = unsafe { solve::<T>(form, sizes, [view(a), view(b)], size, factor)? };
        if !info.is_null() {
            unsafe { info.write_unaligned(code) };
        }
        Ok(())
    }
}

/// The exponent of the power of two that scales the largest element of a matrix into the range in which quotients and
/// sums are safe. 0 if it already is there, is zero, or is not finite.
unsafe fn shift<T: Scalar>(m: usize, n: usize, a: MatrixView<T>) -> i32 {
    let mut largest = T::Re::default();
    for j in 0..n {
        for i in 0..m {
            let x = unsafe { a.get(i, j) };
            for x in [x.re().abs(), x.im().abs()] {
                if x > largest {
                    largest = x;
                }
            }
        }
    }
    let low = T::Re::from_f64(T::Re::NORMAL_RECIPROCALS.0.to_f64() / T::Re::EPSILON.to_f64());
    let high = T::Re::from_f64(1.0) / low;
    if largest > high && largest.is_finite() {
        high.exponent() - 1 - largest.exponent()
    } else if largest < low && largest > T::Re::default() {
        low.exponent() - largest.exponent()
    } else {
        0
    }
}

unsafe fn scale<T: Scalar>(m: usize, n: usize, a: MatrixView<T>, e: i32) {
    if e == 0 {
        return;
    }
    for j in 0..n {
        for i in 0..m {
            let x = unsafe { a.get(i, j) };
            unsafe { a.set(i, j, T::new(x.re().scale_by_power(e), x.im().scale_by_power(e))) };
        }
    }
}

/// Solves the problem and returns the code of `?gels`. `size` is the number of elements of T.
unsafe fn solve<T: Scalar>(
    form: Form,
    [m, n, nrhs]: [usize; 3],
    [a, b]: [MatrixView<T>; 2],
    size: i64,
    factor: impl FnOnce(MatrixView<T>, *mut T) -> Result<Tiles, Failure>,
) -> Result<c_int, Failure> {
    let (rows, columns) = (m.max(n), m.min(n));
    let unknowns = if form == Form::Plain { n } else { m };
    if unknowns == 0 {
        return Ok(0);
    }
    let fill = |rows: std::ops::Range<usize>, x: T| {
        for j in 0..nrhs {
            rows.clone().for_each(|i| unsafe { b.set(i, j, x) });
        }
    };
    if columns == 0 {
        fill(0..unknowns, T::zero());
        return Ok(0);
    }
    // For a wide matrix, a copy of its adjoint is factored.
    let mut copy = filled(if m >= n { 0 } else { rows * columns }, T::zero())?;
    let tall = if m >= n { a } else { MatrixView { p: copy.as_mut_ptr(), ld: rows } };
    let mut t = filled(size as usize, T::zero())?;
    let t = t.as_mut_ptr();
    let mut shifts = filled(nrhs, 0)?;
    unsafe {
        if m < n {
            for j in 0..n {
                (0..m).for_each(|i| tall.set(j, i, a.get(i, j).conj()));
            }
        }
        let of_a = shift(rows, columns, tall);
        scale(rows, columns, tall, of_a);
        let tiles = factor(tall, t)?;
        if let Some(j) = (0..columns).find(|&j| tall.get(j, j) == T::zero()) {
            let nan = T::Re::from_f64(f64::NAN);
            fill(0..unknowns, T::new(nan, nan));
            return Ok((j + 1) as c_int);
        }
        // The number of equations is the number of rows or of columns of the tall matrix.
        let squares = (form == Form::Plain) == (m >= n);
        let equations = if squares { rows } else { columns };
        let column = |j: usize| b.at(0, j);
        for (j, shifted) in shifts.iter_mut().enumerate() {
            *shifted = shift(equations, 1, column(j));
            scale(equations, 1, column(j), *shifted);
        }
        let triangle = |trans| {
            let shape = Shape {
                dtype: T::DTYPE,
                m: columns as i64,
                n: nrhs as i64,
                batch: 1,
                math: Default::default(),
                extra: Default::default(),
            };
            let (lda, ldb, a, b) = (tall.ld as i64, b.ld as i64, tall.operand(), b.operand());
            let op = Operation::Trsm(Trsm { trans, a, lda, b, ldb, ..<Trsm as Routine>::of_shape(&shape) });
            if nrhs > 0 { cpu::of(&op).run() } else { Ok(()) }
        };
        let apply = |form| sequence::apply(&tiles, form, tall, t, (nrhs, b), false).map_err(stop_to_failure);
        if squares {
            apply(Form::Adjoint)?;
            triangle(Trans::N)?;
        } else {
            triangle(if T::COMPLEX { Trans::C } else { Trans::T })?;
            fill(columns..rows, T::zero());
            apply(Form::Plain)?;
        }
        for (j, &of_b) in shifts.iter().enumerate() {
            scale(unknowns, 1, column(j), of_a - of_b);
            if squares {
                // The remaining rows, the residual, have only B's scaling.
                scale(rows - columns, 1, column(j).at(columns, 0), -of_b);
            }
        }
    }
    Ok(0)
}
