//! The contents of operands before a call.

use super::routine::{Fill, Operand, Sizes};
use crate::halves::Half;
use crate::matrices::Class;
use crate::scalar::bytes_of;
use crate::{Field, Matrix, Rng, Scalar};

/// The bytes of one member, column by column without padding. On entry `last` is the same member of the previous
/// operand; on return it is this one.
pub fn member<T: Scalar>(p: &Sizes, operand: &Operand, last: &mut Matrix<T>, rng: &mut Rng) -> Vec<u8> {
    let count = operand.rows * operand.cols;
    match operand.fill {
        Fill::Interchanges { rows } => {
            (0..count).flat_map(|_| (1 + rng.below(rows.max(1)) as i32).to_ne_bytes()).collect()
        }
        Fill::ColumnChoice => (0..count).flat_map(|_| i32::from(rng.one_in(4)).to_ne_bytes()).collect(),
        _ if operand.element == 2 => {
            let (half, single) = (Half::of(p["storage"]), elements(operand, &Matrix::from_fn(0, 0, |_, _| 0f32), rng));
            single.data().iter().flat_map(|x| half.bits(*x).to_ne_bytes()).collect()
        }
        _ if operand.element != size_of::<T>() => vec![0xa7; count * operand.element],
        _ => {
            *last = elements(operand, last, rng);
            bytes_of(last.data()).to_vec()
        }
    }
}

/// The elements of one member; `reflectors` is the same member of the previous operand.
fn elements<T: Scalar>(operand: &Operand, reflectors: &Matrix<T>, rng: &mut Rng) -> Matrix<T> {
    let (rows, cols) = (operand.rows, operand.cols);
    match operand.fill {
        Fill::Poison | Fill::Interchanges { .. } | Fill::ColumnChoice => Matrix::from_fn(rows, cols, |_, _| T::POISON),
        Fill::Classes if rows * cols < 2000 && rng.one_in(4) => rng.pick(Class::ALL).generate(rows, cols, rng),
        Fill::Uniform | Fill::Classes => Matrix::from_fn(rows, cols, |_, _| uniform(rng)),
        Fill::Reflectors(k) => {
            Matrix::from_fn(rows, cols, |i, j| if i > j && j < k { uniform(rng) } else { T::POISON })
        }
        Fill::Factored => {
            Matrix::from_fn(
                rows,
                cols,
                |i, j| if i > j { uniform(rng) } else { diagonally_dominant(i == j, rows, rng) },
            )
        }
        Fill::Factors => Matrix::from_fn(rows, cols, |j, _| factor(&reflectors.col(j)[j + 1..], rng)),
        Fill::DiagonallyDominant => {
            Matrix::from_fn(rows, cols, |i, j| diagonally_dominant(i == j, rows.max(cols), rng))
        }
        Fill::Triangle { upper, unit } => Matrix::from_fn(rows, cols, |i, j| {
            let stored = if i == j { !unit } else { upper == (i < j) };
            if stored { diagonally_dominant(i == j, rows, rng) } else { T::POISON }
        }),
        Fill::Definite { upper } => Matrix::from_fn(rows, cols, |i, j| match i == j {
            true => T::from_double(T::Double::real(2.0 + rng.uniform().abs())),
            false if upper == (i < j) => diagonally_dominant(false, rows, rng),
            false => T::POISON,
        }),
    }
}

/// An element of a well-conditioned matrix: near 1 on the diagonal, small elsewhere.
fn diagonally_dominant<T: Scalar>(diagonal: bool, size: usize, rng: &mut Rng) -> T {
    let x = T::Double::uniform(rng);
    T::from_double(if diagonal { T::Double::parts(1.0 + x.re().abs(), x.im()) } else { x.scale(1.0 / size as f64) })
}

fn uniform<T: Scalar>(rng: &mut Rng) -> T {
    T::from_double(T::Double::uniform(rng))
}

/// A tau that makes I - tau v v^H unitary for v = (1, `tail`): either (1 + e^(i t)) / |v|^2 or 0.
fn factor<T: Scalar>(tail: &[T], rng: &mut Rng) -> T {
    let square = 1.0 + tail.iter().map(|x| x.to_double().abs().powi(2)).sum::<f64>();
    let angle = if T::Double::COMPLEX { rng.uniform() * std::f64::consts::PI } else { 0.0 };
    let tau = T::Double::parts((1.0 + angle.cos()) / square, angle.sin() / square);
    T::from_double(if rng.one_in(8) { T::Double::ZERO } else { tau })
}
