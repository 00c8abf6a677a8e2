//! Inverses of medium triangles in a large batch: strips of columns in shared memory, as potri has them (L Y = I without
//! the second solve). Several blocks of threads read a triangle, so that its inverse is first written to scratch memory.

use crate::error::Error;
use crate::gpu::arch::DEFAULT;
use crate::gpu::driver::pool::Scratch;
use crate::gpu::plan::parts::diagonals::invert_diagonals;
use crate::gpu::plan::queue::Queue;
use crate::gpu::plan::strip::{StripLayout, inverted_diagonals, with_given_diagonals};
use crate::gpu::plan::table::{DIAGONAL_INVERSES, Instance, POTRI_FINISH, POTRI_STRIPS};
use crate::gpu::plan::{Launch, Limits};
use crate::gpu::potrf::steps::{finish_triangles, invert_by_strips};
use crate::gpu::triangle::ROOM;
use crate::routine::{Dtype, Operand, Trtri};

/// Whether triangles are inverted this way unless plans are restricted; without a batch count, if many are.
pub(super) fn pays(dtype: Dtype, order: i64, batch: Option<i64>) -> bool {
    let of = &DEFAULT.trtri;
    let [first, last] = of.strips[dtype];
    (first..=last).contains(&order) && batch.is_none_or(|batch| batch >= of.strips_many)
}

/// The launch by strips, if a block has room for one.
pub(super) fn launch(dtype: Dtype, n: i64, limits: Limits) -> Option<Launch> {
    let layout = |instance: &Instance, most| StripLayout::of_inverse(instance, n, 0, most, true);
    limits.native.then(|| with_given_diagonals(POTRI_STRIPS, dtype, n, limits, layout))?
}

/// Inverts the triangles.
pub(super) fn walk(p: &Trtri, limits: Limits, queue: Queue<'_>) -> Result<(), Error> {
    let &Trtri { dtype, n, .. } = p;
    let strips = launch(dtype, n, limits).ok_or_else(|| Error::Internal("a launch without room".into()))?;
    let whole = n <= i64::from(strips.instance.columns);
    let elements = [inverted_diagonals(n), if whole { 0 } else { n * n }];
    let bytes = (elements[0] + elements[1]) as usize * dtype.bytes();
    let at_once = (ROOM as usize / bytes).max(1).min(p.batch as usize) as i64;
    let scratch = Scratch::take(bytes * at_once as usize, queue)?;
    let plain = |family| Ok::<_, Error>(Launch::on(Instance::plain(family, dtype)?, n, n, 0));
    let done = (0..p.batch).step_by(at_once as usize).try_for_each(|first| {
        let a = p.a.from_member(first, dtype.bytes());
        let info = if p.info.is_null() { p.info } else { p.info.wrapping_add(first as usize) };
        let group = Trtri { a, info, batch: at_once.min(p.batch - first), ..*p };
        let inverted = Operand::Strided { base: scratch.p, stride: elements[0] };
        let after = scratch.p.wrapping_byte_add(elements[0] as usize * at_once as usize * dtype.bytes());
        let to = if whole { (a, p.lda) } else { (Operand::Strided { base: after, stride: n * n }, n) };
        let diagonals = plain(DIAGONAL_INVERSES)?;
        invert_diagonals(&diagonals, (a, p.lda), inverted, Some((p.uplo, p.diag)), group.batch, queue)?;
        invert_by_strips(&group, &strips, inverted, to, queue)?;
        if whole { Ok(()) } else { finish_triangles(&group, &plain(POTRI_FINISH)?, to, queue) }
    });
    scratch.give_back(done)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu::plan::Planned;
    use crate::routine::{Math, Routine};

    /// Strips are for the measured orders, in batches of 200 or more; all of these fit in shared memory.
    #[test]
    fn medium_triangles_of_large_batches_are_inverted_by_strips() {
        for (dtype, orders) in [(Dtype::S, 33..=192), (Dtype::D, 33..=192), (Dtype::C, 33..=256), (Dtype::Z, 129..=256)]
        {
            for (n, batch) in (1..=300).flat_map(|n| [(n, 1), (n, 199), (n, 200), (n, 5000)]) {
                let (math, extra) = (Math::Fp32, Default::default());
                let p = Trtri::of_shape(&crate::routine::Shape { dtype, m: n, n, batch, math, extra });
                let limits = p.limits(|| Ok(Limits::HOPPER)).unwrap();
                let plan = Trtri::plan(p.shape(limits), limits).unwrap();
                assert_eq!(plan.candidate == "fused", batch >= 200 && orders.contains(&n), "{dtype:?} {n} {batch}");
            }
            // Devices without these kernels double.
            let order = if dtype == Dtype::Z { 200 } else { 100 };
            let (math, extra) = (Math::Fp32, Default::default());
            let p = Trtri::of_shape(&crate::routine::Shape { dtype, m: order, n: order, batch: 1000, math, extra });
            let plan = Trtri::plan(p.shape(Limits::NONE), Limits::NONE).unwrap();
            assert_eq!(plan.candidate, "doubling", "{dtype:?}");
        }
        assert!(pays(Dtype::S, 100, None));
    }
}
