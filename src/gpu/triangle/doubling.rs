//! Inverses of triangles that are too large for registers, by products of all matrices at once: one block per matrix
//! would leave a device idle, or do few operations for each element that it reads.
//!
//! Each triangle is copied into a square in scratch memory, whose side is the order of its smallest diagonal blocks
//! times a power of two. These blocks are inverted first. Then the order of the inverted blocks doubles in each round:
//! from X and Y, the inverses of two adjacent ones, and B, the block below the first of them, the inverse of the block
//! that contains all three is [X 0; -Y B X, Y]. That is two products, which serve all pairs of all matrices at once.
//! Squares are one column apart, so that a matrix's last pair is as far from the next matrix's first pair as from the
//! pair before it.
//!
//! The inverse is copied back at the end, unless the triangle has a zero on its diagonal. Source: LAPACK trtri, whose
//! blocks are inverted one after another; Higham, *Accuracy and Stability of Numerical Algorithms*, section 14.2.

use crate::error::Error;
use crate::gpu::arch::DEFAULT;
use crate::gpu::args::DeviceOperand;
use crate::gpu::driver::pool::Scratch;
use crate::gpu::plan::queue::Queue;
use crate::gpu::plan::run::Run;
use crate::gpu::plan::table::{Instance, TRTRI, TRTRI_BEGIN, TRTRI_END};
use crate::gpu::plan::walk::{MAX_BLOCKS, launch_kernel};
use crate::gpu::plan::{Launch, ceil_div};
use crate::gpu::triangle::ROOM;
use crate::gpu::triangle::steps::TrtriArgs;
use crate::routine::{Alpha, Dtype, Gemm, Operand, Trans, Trtri};
use std::ffi::c_void;
use std::ptr::null_mut;

/// Declared in `kernels/triangle/trtri_copy.cuh`.
#[repr(C)]
struct TrtriCopyArgs {
    of: TrtriArgs,
    work: *mut c_void,
    zeros: *mut i32,
    side: i64,
    stride: i64,
    tiles: i32,
    pad: i32,
}

/// Alignment of the arrays in scratch memory.
const ALIGN: usize = 256;

/// Whether matrices are inverted this way unless plans are restricted; without a batch count, whether any number of
/// them is.
pub(super) fn pays(dtype: Dtype, order: i64, batch: Option<i64>) -> bool {
    let of = &DEFAULT.trtri;
    let by_batch = |batch| {
        (batch <= of.few && order >= of.doubled_few[dtype]) || (batch >= of.many && order <= of.doubled_many[dtype])
    };
    order > LANES && (order >= of.doubled[dtype] || batch.is_some_and(by_batch))
}
/// Up to this order, registers hold a triangle, or in z one block of the tiled kernel is fast enough.
const LANES: i64 = 32;

/// A triangle's square.
#[derive(Clone, Copy)]
struct Square {
    dtype: Dtype,
    /// Order of the blocks that are inverted first.
    least: i64,
    side: i64,
    /// The kernel that inverts those.
    kernel: &'static Instance,
}

impl Square {
    fn of(dtype: Dtype, order: i64) -> Result<Square, Error> {
        let small = TRTRI.iter().filter(|i| i.dtype == dtype && i.per_block > 1);
        let kernel = small.max_by_key(|i| i.rows).ok_or_else(|| Error::Internal("no kernel of this type".into()))?;
        let mut blocks = 1;
        while ceil_div(order, blocks) > kernel.rows.into() {
            blocks *= 2;
        }
        let least = ceil_div(order, blocks);
        Ok(Square { dtype, least, side: least * blocks, kernel })
    }

    /// Elements from one square to the next.
    fn stride(self) -> i64 {
        self.side * (self.side + 1)
    }

    /// Bytes of the squares of `count` matrices, of the first product of a round, and of the codes.
    fn bytes(self, count: i64) -> [usize; 3] {
        let squares = count.saturating_mul(self.stride());
        let bytes = |elements: i64| (elements as usize).saturating_mul(self.dtype.bytes()).next_multiple_of(ALIGN);
        [bytes(squares), bytes(squares / 4 + 1), (count as usize * size_of::<i32>()).next_multiple_of(ALIGN)]
    }
}

/// Inverts the triangles.
pub(super) fn walk(p: &Trtri, whole: TrtriArgs, queue: Queue<'_>) -> Result<(), Error> {
    let square = Square::of(p.dtype, p.n)?;
    let bytes = |count| square.bytes(count).into_iter().fold(0, usize::saturating_add);
    let at_once = (ROOM as usize / bytes(1)).max(1).min(p.batch as usize) as i64;
    let scratch = Scratch::take(bytes(at_once), queue)?;
    let done = (0..p.batch).step_by(at_once as usize).try_for_each(|first| {
        let count = at_once.min(p.batch - first);
        let a = p.a.from_member(first, p.dtype.bytes());
        let info = if p.info.is_null() { p.info } else { p.info.wrapping_add(first as usize) };
        Group { square, scratch: scratch.p, at_once, count }
            .invert(TrtriArgs { a: a.into(), info, batch: count, ..whole }, queue)
    });
    scratch.give_back(done)
}

/// Matrices that are inverted at the same time, and their scratch memory.
struct Group {
    square: Square,
    scratch: *mut c_void,
    /// The number of matrices for which there is scratch memory.
    at_once: i64,
    count: i64,
}

impl Group {
    fn invert(&self, of: TrtriArgs, queue: Queue<'_>) -> Result<(), Error> {
        let Square { dtype, least, side, kernel } = self.square;
        let [squares, product, _] = self.square.bytes(self.at_once);
        let (products, zeros) =
            (self.scratch.wrapping_byte_add(squares), self.scratch.wrapping_byte_add(squares + product));
        let copy = |family| {
            let launch = Launch::on(Instance::plain(family, dtype)?, of.order, of.order, 0);
            let tiles = ceil_div(side, launch.instance.rows.into());
            let (work, zeros, stride) = (self.scratch, zeros.cast(), self.square.stride());
            let mut args = TrtriCopyArgs { of, work, zeros, side, stride, tiles: tiles as i32, pad: 0 };
            let blocks = self.count.saturating_mul(tiles * tiles).min(MAX_BLOCKS);
            // SAFETY: the kernels take TrtriCopyArgs; the operands are the caller's and the scratch memory.
            unsafe { launch_kernel(&launch, blocks, &mut args, queue) }
        };
        copy(TRTRI_BEGIN)?;
        self.invert_blocks(&Launch::on(kernel, least, least, 0), queue)?;
        let mut order = least;
        while order < side {
            self.double(order, products, queue)?;
            order *= 2;
        }
        copy(TRTRI_END)
    }

    /// Inverts the smallest diagonal blocks. Those with a zero on their diagonal stay as they are.
    fn invert_blocks(&self, launch: &Launch, queue: Queue<'_>) -> Result<(), Error> {
        let Square { least, side, kernel, .. } = self.square;
        let batch = self.count * (side / least);
        let a = DeviceOperand::strided(self.scratch, least * (side + 1));
        let mut args =
            TrtriArgs { a, info: null_mut(), a0: 0, ars: 1, acs: side, order: least, batch, unit: 0, pad: 0 };
        // SAFETY: the kernel takes TrtriArgs; the squares suffice for the blocks.
        unsafe { launch_kernel(launch, ceil_div(batch, kernel.per_block.into()), &mut args, queue) }
    }

    /// From inverses of diagonal blocks of this order to those of twice the order.
    fn double(&self, order: i64, products: *mut c_void, queue: Queue<'_>) -> Result<(), Error> {
        let Square { dtype, side, .. } = self.square;
        let (batch, below, beside) = (self.count * (side / (2 * order)), order, order * (side + 1));
        let squares = Operand::Strided { base: self.scratch, stride: 2 * order * (side + 1) };
        let products = Operand::Strided { base: products, stride: order * order };
        let (factors, ld) = ([-1.0, 0.0].map(Alpha::host), [side, side, order]);
        let one = Gemm {
            first: [beside, below, 0],
            any_stride: true,
            ..Gemm::uniform(dtype, [Trans::N; 2], [order; 3], factors, [squares, squares, products], ld, batch)
        };
        let two = Gemm {
            alpha: Alpha::host(1.0),
            a: products,
            lda: order,
            c: squares,
            ldc: side,
            first: [0, 0, below],
            ..one
        };
        // SAFETY: parts of the scratch memory; the second product's operands do not overlap.
        unsafe {
            one.enqueue(queue)?;
            two.enqueue(queue)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A square holds its triangle, with less than a row of blocks to spare, and its blocks have a kernel.
    #[test]
    fn squares_are_blocks_times_powers_of_two() {
        for dtype in Dtype::ALL {
            for order in [1, 17, 33, 128, 129, 1000, 4097, 30_000] {
                let Square { least, side, kernel, .. } = Square::of(dtype, order).unwrap();
                let blocks = side / least;
                assert!(blocks.count_ones() == 1 && side == least * blocks, "{dtype:?} {order}");
                assert!((order..order + blocks).contains(&side) && least <= kernel.rows.into(), "{dtype:?} {order}");
            }
        }
    }
}
