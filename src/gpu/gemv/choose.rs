//! Plans for batched products of matrices with vectors: one launch, in which the arrangement of lanes follows the
//! matrix's shape.

use crate::error::Error;
use crate::gpu::arch;
use crate::gpu::plan::table::{
    GEMV, GEMV_EACH, GEMV_LONG, GEMV_TRANSPOSED, GEMV_TRANSPOSED_EACH, GEMV_TRANSPOSED_LONG, Instance,
};
use crate::gpu::plan::{Launch, Limits, Plan, Planned, Shape, ceil_div};
use crate::routine::{Dtype, Gemv, Trans};

/// How lanes are arranged over a strip of an m x n matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lanes {
    /// Lanes over the rows, a power of two; for A at most 32.
    pub down: i64,
    /// Lanes over the columns, a power of two; for the transpose, at most as many as a warp has for each of the
    /// `down` rows.
    pub across: i64,
    /// Strips per matrix.
    pub strips: i64,
}

/// The kernel for an m x n matrix or for its transpose.
pub fn instance(dtype: Dtype, transposed: bool, m: i64, n: i64) -> Result<&'static Instance, Error> {
    let (usual, long) = if transposed { (GEMV_TRANSPOSED, GEMV_TRANSPOSED_LONG) } else { (GEMV, GEMV_LONG) };
    let is_long = if transposed { m > MEASURED.long_down } else { n > MEASURED.long_across };
    Instance::plain(if is_long { long } else { usual }, dtype)
}

/// The same for members with individual sizes.
fn instance_of_each(dtype: Dtype, transposed: bool) -> Result<&'static Instance, Error> {
    Instance::plain(if transposed { GEMV_TRANSPOSED_EACH } else { GEMV_EACH }, dtype)
}

impl Lanes {
    /// The arrangement for a kernel whose lanes read `rows` x `columns` elements at a time. Both numbers of lanes
    /// are powers of two, large enough for wide reads but small enough to leave each lane sufficient work: for A at
    /// least 32 / `rows` columns, for A^T about `columns` / 2 turns, unless there are few or many rows. Since a
    /// lane's turns follow each other, more lanes share a sum if there would be many: for A with fewer lanes below
    /// each other (8 of them still read a whole line), for A^T with several warps. The arrangement depends on the
    /// shape alone, and so does the order of summation.
    pub fn over(instance: &Instance, m: i64, n: i64) -> Lanes {
        let (rows, columns, most) =
            (i64::from(instance.rows), i64::from(instance.columns), i64::from(instance.threads));
        let needed = |size: i64, each: i64| (ceil_div(size, each).clamp(1, most) as u64).next_power_of_two() as i64;
        let packs = needed(m, rows);
        if is_transposed(instance) {
            let turns = |down: i64| ceil_div(m, rows * down);
            let mut down = (2 * packs / columns).clamp(columns, 4 * columns).min(packs).min(32);
            if turns(32) > MEASURED.turns {
                down = 32;
                while turns(down) > MEASURED.turns && down < most {
                    down *= 2;
                }
            }
            let across = needed(n, columns).min(32 / down.min(32));
            return Lanes { down, across, strips: ceil_div(n, columns * across) };
        }
        let mut down = packs.min(32);
        while down > 8 && n * down > MEASURED.many * most {
            down /= 2;
        }
        let across = needed(n, 32 / rows).min(most / down);
        Lanes { down, across, strips: ceil_div(m, rows * down) }
    }

    /// Blocks of a launch over a batch.
    pub fn blocks(&self, instance: &Instance, batch: i64) -> i64 {
        let per_block = i64::from(instance.threads) / (self.down * self.across);
        ceil_div(batch.saturating_mul(self.strips), per_block)
    }
}

/// Whether the kernel is one for uniform batches.
pub fn multiplies(i: &Instance) -> bool {
    [GEMV, GEMV_LONG, GEMV_TRANSPOSED, GEMV_TRANSPOSED_LONG].into_iter().any(|family| i.is_of(family))
}

/// Whether the kernel is for A's transpose.
fn is_transposed(i: &Instance) -> bool {
    [GEMV_TRANSPOSED, GEMV_TRANSPOSED_LONG, GEMV_TRANSPOSED_EACH].into_iter().any(|family| i.is_of(family))
}

/// Gemv's measurements, the same on every device.
const MEASURED: &arch::Gemv = &arch::DEFAULT.gemv;

/// Whether `members` m x n matrices exceed what stays in the L2 cache. If so, their lines are evicted first.
pub fn passes(dtype: Dtype, m: i64, n: i64, members: i64) -> bool {
    members.saturating_mul(m).saturating_mul(n).saturating_mul(dtype.bytes() as i64) > MEASURED.stays
}

/// Bits of `form`: A is transposed; members have individual sizes, of which m and n are the largest.
const TRANSPOSED: u32 = 1;
const EACH: u32 = 2;

/// The shape has m and n; `form` has the bits above.
impl Planned for Gemv {
    type Task = ();

    const UNIT: &'static str = "warps";

    /// Every device runs the kernels.
    fn limits(&self, _: impl FnOnce() -> Result<Limits, Error>) -> Result<Limits, Error> {
        Ok(Limits::NONE)
    }

    fn shape(&self, _: Limits) -> Shape {
        let transposed = if self.trans == Trans::N { 0 } else { TRANSPOSED };
        let each = if self.sizes.is_some() { EACH } else { 0 };
        Shape { dtype: self.dtype, m: self.m, n: self.n, k: 0, form: transposed | each }
    }

    fn plan(shape: Shape, _: Limits) -> Result<Plan<Gemv>, Error> {
        let Shape { dtype, m, n, form, .. } = shape;
        if m.max(n) > i32::MAX.into() {
            return Err(Error::NotSupported("2^31 or more rows or columns on the device".into()));
        }
        let transposed = form & TRANSPOSED != 0;
        let each = form & EACH != 0;
        let instance = if each { instance_of_each(dtype, transposed) } else { instance(dtype, transposed, m, n) }?;
        Ok(Plan::new("gemv", [Launch::on(instance, m, n, 0)]))
    }

    fn words(&self, l: &Launch, (): ()) -> String {
        let Lanes { down, across, strips } = Lanes::over(l.instance, l.m, l.n);
        format!("{} x {}, {strips} strip(s) of {down} x {across} lanes", l.m, l.n)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lanes_fit_a_block_and_cover_the_matrix() {
        let sizes = [
            (1, 1),
            (4, 4),
            (8, 8),
            (16, 256),
            (33, 5),
            (1024, 16),
            (512, 512),
            (1, 9),
            (9, 1),
            (16, 9000),
            (9000, 16),
        ];
        for dtype in Dtype::ALL {
            for (transposed, (m, n)) in [false, true].into_iter().flat_map(|t| sizes.map(|size| (t, size))) {
                for instance in [instance(dtype, transposed, m, n), instance_of_each(dtype, transposed)] {
                    let instance = instance.unwrap();
                    let (rows, columns) = (i64::from(instance.rows), i64::from(instance.columns));
                    let Lanes { down, across, strips } = Lanes::over(instance, m, n);
                    let most = i64::from(instance.threads);
                    assert!(most % (down * across) == 0);
                    assert!(if transposed { down * across <= 32 || across == 1 } else { down <= 32 });
                    let covered = if transposed { strips * columns * across } else { strips * rows * down };
                    assert!(covered >= if transposed { n } else { m });
                    // The kernels get logarithms.
                    assert!(down.count_ones() == 1 && across.count_ones() == 1);
                }
            }
        }
    }

    #[test]
    fn long_sums_have_many_lanes() {
        for dtype in Dtype::ALL {
            let lanes = |transposed: bool, m: i64, n: i64| {
                let i = instance(dtype, transposed, m, n).unwrap();
                let Lanes { down, across, .. } = Lanes::over(i, m, n);
                down * across
            };
            assert!(lanes(false, 32, 32) <= 128 && lanes(true, 32, 32) <= 32);
            assert_eq!(lanes(false, 16, 10_000), 512);
            assert_eq!(lanes(true, 10_000, 16), 512);
        }
    }

    #[test]
    fn large_batches_pass_through_the_cache() {
        assert!(!passes(Dtype::S, 64, 64, 1000));
        assert!(passes(Dtype::S, 32, 32, 10_000));
        assert!(!passes(Dtype::Z, 512, 512, 1));
        assert!(passes(Dtype::Z, 1 << 20, 1 << 20, i64::MAX));
    }
}
