//! Dense column-major host matrices without padding.

use crate::scalar::{Field, Scalar};
use rayon::prelude::*;
use std::ops::{Index, IndexMut};

/// Columns that are computed together, so that the other matrix is read once for all of them.
const TOGETHER: usize = 8;

/// The number of multiplications from which columns are divided among threads.
const SHARED: usize = 1 << 22;

/// A `rows` x `cols` matrix, column-major, with leading dimension `rows`.
#[derive(Clone, Debug, PartialEq)]
pub struct Matrix<T> {
    rows: usize,
    cols: usize,
    data: Vec<T>,
}

impl<T: Copy> Matrix<T> {
    /// Computes every element from its row and column.
    pub fn from_fn(rows: usize, cols: usize, mut f: impl FnMut(usize, usize) -> T) -> Self {
        let mut data = Vec::with_capacity(rows * cols);
        for j in 0..cols {
            for i in 0..rows {
                data.push(f(i, j));
            }
        }
        Matrix { rows, cols, data }
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Number of columns.
    pub fn cols(&self) -> usize {
        self.cols
    }

    /// Column `j`.
    pub fn col(&self, j: usize) -> &[T] {
        &self.data[j * self.rows..(j + 1) * self.rows]
    }

    /// Column `j`, mutably.
    pub fn col_mut(&mut self, j: usize) -> &mut [T] {
        &mut self.data[j * self.rows..(j + 1) * self.rows]
    }

    /// All elements, column by column.
    pub fn data(&self) -> &[T] {
        &self.data
    }

    /// All elements, mutably.
    pub fn data_mut(&mut self) -> &mut [T] {
        &mut self.data
    }

    /// Applies `f` to every element.
    pub fn map<U: Copy>(&self, f: impl Fn(T) -> U) -> Matrix<U> {
        Matrix { rows: self.rows, cols: self.cols, data: self.data.iter().map(|&x| f(x)).collect() }
    }
}

impl<T: Scalar> Matrix<T> {
    /// An exact copy in double precision.
    pub fn to_double(&self) -> Matrix<T::Double> {
        self.map(T::to_double)
    }

    /// A copy rounded to the element type.
    pub fn from_double(w: &Matrix<T::Double>) -> Self {
        w.map(T::from_double)
    }

    /// Whether no element is NaN or infinite.
    pub fn is_finite(&self) -> bool {
        self.data.iter().all(|x| x.to_double().max_abs_part().is_finite())
    }
}

impl<F: Field> Matrix<F> {
    /// A zero matrix.
    pub fn zeros(rows: usize, cols: usize) -> Self {
        Matrix { rows, cols, data: vec![F::ZERO; rows * cols] }
    }

    /// Conjugate transpose.
    pub fn adjoint(&self) -> Self {
        Matrix::from_fn(self.cols, self.rows, |i, j| self[(j, i)].conj())
    }

    /// The product `self * b`.
    pub fn times(&self, b: &Self) -> Self {
        assert_eq!(self.cols, b.rows);
        let mut c = Matrix::zeros(self.rows, b.cols);
        c.for_columns(self.rows * self.cols, 0..self.cols, |l, j, column| {
            let x = b[(l, j)];
            for (c, &a) in column.iter_mut().zip(self.col(l)) {
                *c += a * x;
            }
        });
        c
    }

    /// Calls `f(step, j, column)` for all steps in their order and each column j, on several threads if this is worth it.
    /// `work`: the multiplications that a column takes.
    pub fn for_columns<S>(&mut self, work: usize, steps: S, f: impl Fn(usize, usize, &mut [F]) + Sync)
    where
        S: Iterator<Item = usize> + Clone + Sync,
    {
        let (rows, work) = (self.rows.max(1), work.saturating_mul(self.cols));
        let group = |(g, columns): (usize, &mut [F])| {
            for step in steps.clone() {
                for (j, column) in columns.chunks_exact_mut(rows).enumerate() {
                    f(step, g * TOGETHER + j, column);
                }
            }
        };
        if work < SHARED {
            self.data.chunks_mut(rows * TOGETHER).enumerate().for_each(group)
        } else {
            self.data.par_chunks_mut(rows * TOGETHER).enumerate().for_each(group)
        }
    }

    /// Multiplies column `j` by `s`.
    pub fn scale_col(&mut self, j: usize, s: f64) {
        for x in self.col_mut(j) {
            *x = x.scale(s);
        }
    }
}

impl<T> Index<(usize, usize)> for Matrix<T> {
    type Output = T;
    fn index(&self, (i, j): (usize, usize)) -> &T {
        debug_assert!(i < self.rows);
        &self.data[i + j * self.rows]
    }
}

impl<T> IndexMut<(usize, usize)> for Matrix<T> {
    fn index_mut(&mut self, (i, j): (usize, usize)) -> &mut T {
        debug_assert!(i < self.rows);
        &mut self.data[i + j * self.rows]
    }
}
