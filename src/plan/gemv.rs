//! Plans for batched products of matrices with vectors: one launch, whose lanes are laid over a matrix as its shape wants.

use super::table::{GEMV, Instance};
use super::{Launch, Limits, Plan, Planned, Shape, ceil_div};
use crate::error::Error;
use crate::routine::{Gemv, Trans};

/// How the lanes of a warp lie over a strip of an m x n matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lanes {
    /// Lanes over the rows, a power of two.
    pub down: i64,
    /// Lanes over the columns, likewise; together they are at most a warp.
    pub across: i64,
    /// Strips of a matrix.
    pub strips: i64,
}

impl Lanes {
    /// Of a kernel whose lanes hold `rows` x `columns`: enough of them for the rows; over the columns as many as leave each
    /// what it can have on its way at a time.
    pub fn over(instance: &Instance, m: i64, n: i64, transposed: bool) -> Lanes {
        let (rows, columns) = (i64::from(instance.rows), i64::from(instance.columns));
        let needed = |size: i64, each: i64| (ceil_div(size, each).clamp(1, 32) as u64).next_power_of_two() as i64;
        let down = needed(m, rows);
        let across = needed(n, columns).min(32 / down);
        let strips = if transposed { ceil_div(n, columns * across) } else { ceil_div(m, rows * down) };
        Lanes { down, across, strips }
    }

    /// Blocks of a launch over a batch.
    pub fn blocks(&self, instance: &Instance, batch: i64) -> i64 {
        let per_block = i64::from(instance.threads) / (self.down * self.across);
        ceil_div(batch.saturating_mul(self.strips), per_block)
    }
}

/// Sizes m and n.
impl Planned for Gemv {
    const UNIT: &'static str = "warps";

    /// Every device runs the kernels.
    fn limits(&self, _: impl FnOnce() -> Result<Limits, Error>) -> Result<Limits, Error> {
        Ok(Limits::NONE)
    }

    fn shape(&self, _: Limits) -> Shape {
        Shape { dtype: self.dtype, m: self.m, n: self.n, k: 0, form: 0 }
    }

    fn plan(shape: Shape, _: Limits) -> Result<Plan<Gemv>, Error> {
        let Shape { dtype, m, n, .. } = shape;
        if m.max(n) > i32::MAX.into() {
            return Err(Error::NotSupported("2^31 or more rows or columns on the device".into()));
        }
        Ok(Plan::new("gemv", [Launch::on(Instance::plain(GEMV, dtype)?, m, n, 0)]))
    }

    fn words(&self, l: &Launch) -> String {
        let Lanes { down, across, strips } = Lanes::over(l.instance, l.m, l.n, self.trans != Trans::N);
        format!("{} x {}, {strips} strip(s) of {down} x {across} lanes", l.m, l.n)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::routine::Dtype;

    #[test]
    fn lanes_fill_a_warp_and_cover_the_matrix() {
        for dtype in Dtype::ALL {
            let instance = Instance::plain(GEMV, dtype).unwrap();
            let (rows, columns) = (i64::from(instance.rows), i64::from(instance.columns));
            for (m, n) in [(1, 1), (4, 4), (8, 8), (16, 256), (33, 5), (1024, 16), (512, 512)] {
                for transposed in [false, true] {
                    let Lanes { down, across, strips } = Lanes::over(instance, m, n, transposed);
                    assert!(down * across <= 32 && 32 % (down * across) == 0);
                    let covered = if transposed { strips * columns * across } else { strips * rows * down };
                    assert!(covered >= if transposed { n } else { m });
                }
            }
        }
    }
}
