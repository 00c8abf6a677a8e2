//! Square matrices as blocks on the diagonal and rectangles between them, for products with triangles and with
//! symmetric matrices that are composed of large products.
//!
//! Adjacent blocks form pairs, adjacent pairs form pairs of twice the order, and so on. The rectangles beside or below
//! the diagonal, one for each pair, tile the triangle without the blocks on the diagonal. Rectangles of the same order
//! are at equal distances, so those of one matrix are a strided batch; those of several matrices need arrays of their
//! addresses.

use crate::error::Error;
use crate::gpu::arch::Halves;
use crate::gpu::args::{DeviceOperand, offset_by};
use crate::gpu::plan::queue::Queue;
use crate::gpu::plan::table::DIAGONAL_POINTERS;
use crate::gpu::plan::walk::{MAX_LOOPING_BLOCKS, launch_kernel};
use crate::gpu::plan::{Launch, batch_invariant, ceil_div};
use crate::routine::{Alpha, Dtype, Gemm, Operand, Side, Trans, Uplo};
use std::ffi::c_void;
use std::iter::successors;

/// Whether a product is composed of blocks, unless plans are restricted: for an order, a number of columns (or rows,
/// from the right) of the other matrix, and `blocks` thread blocks that would otherwise do the work.
pub(crate) fn pays(of: &Halves, order: i64, columns: i64, blocks: impl Fn() -> i64) -> bool {
    // No more than a comparison for small orders.
    order >= of.least
        && (order >= of.many.0 && columns >= of.many.1
            || order >= of.few.0 && !batch_invariant() && blocks() <= of.few.1
            || order >= of.plenty.0 && (batch_invariant() || blocks() > of.plenty.1))
}

/// Blocks on the diagonal: `count` of this order, from block `first` on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Blocks {
    pub first: i64,
    pub count: i64,
    pub order: i64,
}

/// Pairs of adjacent ranges of rows and columns with these orders: `count` of them. The first begins at place `first`,
/// and places are `block << level` apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Pairs {
    pub level: u32,
    pub first: i64,
    pub count: i64,
    pub orders: [i64; 2],
}

/// The blocks on the diagonal of a matrix: whole ones, and what remains.
pub(crate) fn blocks(order: i64, block: i64) -> impl Iterator<Item = Blocks> {
    let whole = order / block;
    let rest = Blocks { first: whole, count: 1, order: order % block };
    [Blocks { first: 0, count: whole, order: block }, rest].into_iter().filter(|b| b.count > 0 && b.order > 0)
}

/// All pairs, by order: whole ones, and one whose second range is shorter.
pub(crate) fn pairs(order: i64, block: i64) -> impl Iterator<Item = Pairs> {
    let lengths = (1..).map(move |level| (level, block << (level - 1))).take_while(move |(_, length)| *length < order);
    lengths.flat_map(move |(level, length)| {
        let whole = order / (2 * length);
        let of = |first, count, rest| Pairs { level, first, count, orders: [length, rest] };
        let all = [of(0, whole, length), of(whole, 1, order - (2 * whole + 1) * length)];
        all.into_iter().filter(|p| p.count > 0 && p.orders[1] > 0)
    })
}

/// The number of places at each level, for a number of blocks: down to one.
fn places(blocks: i64) -> impl Iterator<Item = i64> {
    successors(Some(blocks), |count| (*count > 1).then_some(ceil_div(*count, 2)))
}

/// Declared in `kernels/auxiliary/diagonal_pointers.cuh`.
#[repr(C)]
struct DiagonalPointersArgs {
    of: [DeviceOperand; 3],
    first: [i64; 3],
    step: [i64; 3],
    to: *mut c_void,
    pointers: i64,
    blocks: i64,
    batch: i64,
}

/// The operands of a product C := alpha A B + C or alpha B A + C, of which A is square and has blocks of order `block`.
#[derive(Clone, Copy)]
pub(crate) struct Diagonals {
    pub dtype: Dtype,
    /// The side of A, and its triangle that is read.
    pub side: Side,
    pub uplo: Uplo,
    pub order: i64,
    pub block: i64,
    /// Columns of B and C; rows, if A is on the right.
    pub columns: i64,
    pub alpha: Alpha,
    /// A, B and C.
    pub operands: [Operand; 3],
    pub leading: [i64; 3],
    /// Elements before the part of each member.
    pub first: [i64; 3],
    pub batch: i64,
    /// Memory of [`Diagonals::bytes`] bytes.
    pub pointers: *mut c_void,
}

impl Diagonals {
    /// Bytes of the addresses for a batch.
    pub fn bytes(order: i64, block: i64, operands: [Operand; 3], batch: i64) -> usize {
        if is_one(operands, batch) {
            return 0;
        }
        let pointers = places(ceil_div(order, block)).sum::<i64>().saturating_mul(3 * batch);
        (pointers as usize).saturating_mul(size_of::<*mut c_void>())
    }

    /// Writes the addresses.
    pub fn write_pointers(&self, queue: Queue<'_>) -> Result<(), Error> {
        if is_one(self.operands, self.batch) {
            return Ok(());
        }
        let element = self.dtype.bytes() as i64;
        let in_bytes = |operand| match operand {
            Operand::Strided { base, stride } => DeviceOperand::strided(base, stride * element),
            pointers => pointers.into(),
        };
        let blocks = ceil_div(self.order, self.block);
        let mut args = DiagonalPointersArgs {
            of: self.operands.map(in_bytes),
            first: self.first.map(|first| first * element),
            step: [0, 1, 2].map(|operand| self.step(operand) * self.block * element),
            to: self.pointers,
            pointers: places(blocks).sum::<i64>() * self.batch,
            blocks,
            batch: self.batch,
        };
        let launch = Launch::on(&DIAGONAL_POINTERS[0], self.batch, blocks, 0);
        let threads = ceil_div(3 * args.pointers, launch.threads.into());
        // SAFETY: the kernel takes DiagonalPointersArgs; the memory suffices for the addresses.
        unsafe { launch_kernel(&launch, threads.min(MAX_LOOPING_BLOCKS), &mut args, queue) }
    }

    /// Elements from one row and column of A to the next one, or from what these multiply in B or C to the next.
    fn step(&self, operand: usize) -> i64 {
        match (operand, self.side) {
            (0, _) => self.leading[0] + 1,
            (_, Side::Left) => 1,
            (_, Side::Right) => self.leading[operand],
        }
    }

    /// An operand from a place of a level on: a batch with a member for each further place and each matrix.
    pub fn at(&self, operand: usize, level: u32, place: i64) -> Operand {
        if is_one(self.operands, self.batch) {
            let step = (self.step(operand) * self.block) << level;
            return match offset_by(self.operands[operand], self.dtype, self.first[operand] + place * step) {
                Operand::Strided { base, .. } => Operand::Strided { base, stride: step },
                pointers => pointers,
            };
        }
        let counts = || places(ceil_div(self.order, self.block));
        let before = operand as i64 * counts().sum::<i64>() + counts().take(level as usize).sum::<i64>() + place;
        let array = self.pointers.cast::<*mut c_void>().wrapping_add((before * self.batch) as usize);
        Operand::Pointers(array.cast_const())
    }

    /// The product with the rectangles between these pairs, as op says, which adds to the second half of each pair of
    /// C, or to the first one.
    pub fn product(&self, pairs: &Pairs, second: bool, op: Trans) -> Gemm {
        let [lda, ldb, _] = self.leading;
        let [a, b, c] = [0, 1, 2].map(|operand| self.at(operand, pairs.level, pairs.first));
        let (read, updated) = if second { (0, 1) } else { (1, 0) };
        let length = pairs.orders[0];
        let rectangle = length * if self.uplo == Uplo::Lower { 1 } else { lda };
        let [from, to] = [(1, read), (2, updated)].map(|(operand, half)| half as i64 * length * self.step(operand));
        let (n, terms) = (pairs.orders[updated], pairs.orders[read]);
        let (sizes, factors) = ([n, self.columns, terms], [self.alpha, Alpha::host(1.0)]);
        let batch = pairs.count * self.batch;
        let all = Gemm {
            first: [rectangle, from, to],
            any_stride: true,
            ..Gemm::uniform(self.dtype, [op, Trans::N], sizes, factors, [a, b, c], self.leading, batch)
        };
        let (trans_a, trans_b, m, first) = (Trans::N, op, self.columns, [from, rectangle, to]);
        match self.side {
            Side::Left => all,
            Side::Right => Gemm { trans_a, trans_b, m, n, a: b, lda: ldb, b: a, ldb: lda, first, ..all },
        }
    }
}

/// Whether these are operands of one matrix whose address the host knows.
fn is_one(operands: [Operand; 3], batch: i64) -> bool {
    batch == 1 && operands.iter().all(|operand| matches!(operand, Operand::Strided { .. }))
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::backend::cpu;
    use crate::gpu::arch::DEFAULT;
    use crate::routine::Operation;
    use crate::scalar::C64;

    /// A small product with blocks of order 4.
    #[derive(Clone, Copy, Debug)]
    pub(crate) struct Case {
        pub side: Side,
        pub uplo: Uplo,
        pub trans: Trans,
        pub order: i64,
        pub batch: i64,
    }

    impl Case {
        pub fn all() -> impl Iterator<Item = Case> {
            const FLAGS: u32 = 2 * 2 * 3;
            let sizes = [5, 8, 13, 16, 29].into_iter().flat_map(|order| [1, 3].map(|batch| (order, batch)));
            sizes.flat_map(|(order, batch)| {
                (0..FLAGS).map(move |flags| Case {
                    side: [Side::Left, Side::Right][flags as usize % 2],
                    uplo: [Uplo::Lower, Uplo::Upper][flags as usize / 2 % 2],
                    trans: [Trans::N, Trans::T, Trans::C][flags as usize / 4],
                    order,
                    batch,
                })
            })
        }

        pub fn alpha(&self) -> Alpha {
            Alpha::host(C64 { re: -0.5, im: 0.25 })
        }

        pub fn rows_and_columns(&self) -> (i64, i64) {
            if self.side == Side::Left { (self.order, 3) } else { (3, self.order) }
        }

        pub fn leading(&self) -> [i64; 3] {
            let (rows, _) = self.rows_and_columns();
            [self.order + 2, rows + 1, rows]
        }

        /// Passes on the operands with their addresses, which are written on the host as the kernel does it.
        pub fn with_pointers(&self, operands: [Operand; 3], f: impl FnOnce(&Diagonals)) {
            let mut of = Diagonals {
                dtype: Dtype::Z,
                side: self.side,
                uplo: self.uplo,
                order: self.order,
                block: 4,
                columns: 3,
                alpha: self.alpha(),
                operands,
                leading: self.leading(),
                first: [0; 3],
                batch: self.batch,
                pointers: std::ptr::null_mut(),
            };
            let mut pointers = vec![];
            for (operand, of_operand) in operands.iter().enumerate() {
                for (level, count) in places(ceil_div(self.order, of.block)).enumerate() {
                    for (place, member) in (0..count).flat_map(|place| (0..self.batch).map(move |i| (place, i))) {
                        let at = (place << level) * of.block * of.step(operand);
                        let Operand::Strided { base, .. } = of_operand.from_member(member, size_of::<C64>()) else {
                            unreachable!()
                        };
                        pointers.push(base.cast::<C64>().wrapping_offset(at as isize));
                    }
                }
            }
            let bytes = Diagonals::bytes(self.order, of.block, operands, self.batch);
            assert!(bytes == if self.batch == 1 { 0 } else { size_of_val(&pointers[..]) });
            of.pointers = pointers.as_mut_ptr().cast();
            f(&of);
        }
    }

    /// The operands of a case: A, whose triangle that must not be read is NaN, and two matrices.
    #[derive(Clone)]
    pub(crate) struct Memory {
        strides: [i64; 3],
        data: [Vec<C64>; 3],
    }

    impl Memory {
        pub fn new(case: &Case, unit: bool) -> Memory {
            let (leading, (_, n), order) = (case.leading(), case.rows_and_columns(), case.order);
            let strides = [leading[0] * order, leading[1] * n, leading[2] * n];
            let number = |i: i64| C64 { re: (i * 7 % 11) as f64 / 9.0 - 0.5, im: (i * 5 % 13) as f64 / 11.0 - 0.5 };
            let mut data = strides.map(|stride| (0..stride * case.batch).map(number).collect::<Vec<_>>());
            for (at, x) in data[0].iter_mut().enumerate() {
                let (i, j) = (at as i64 % leading[0], at as i64 / leading[0] % order);
                let read = if case.uplo == Uplo::Lower { i >= j } else { i <= j };
                if !read || unit && i == j {
                    *x = C64 { re: f64::NAN, im: f64::NAN };
                }
            }
            Memory { strides, data }
        }

        /// Copies C to B.
        pub fn copy_back(&mut self, case: &Case) {
            let ([_, to, from], (m, n)) = (case.leading(), case.rows_and_columns());
            for (i, j) in (0..m).flat_map(|i| (0..n * case.batch).map(move |j| (i, j))) {
                self.data[1][(i + j * to) as usize] = self.data[2][(i + j * from) as usize];
            }
        }

        pub fn operands(&mut self) -> [Operand; 3] {
            let strides = self.strides;
            [0, 1, 2].map(|i| Operand::Strided { base: self.data[i].as_mut_ptr().cast(), stride: strides[i] })
        }

        pub fn assert_close_to(&self, other: &Memory, what: &str) {
            for (i, (x, y)) in self.data[2].iter().zip(&other.data[2]).enumerate() {
                let difference = (x.re - y.re).abs() + (x.im - y.im).abs();
                assert!(difference < 1e-12, "{what}: element {i} is {x:?}, not {y:?}");
            }
        }
    }

    /// Computes on the CPU.
    pub(crate) fn compute(op: &Operation) {
        // SAFETY: the operands of a case are in host memory.
        unsafe { cpu::of(op).run() }.unwrap();
    }

    #[test]
    fn blocks_are_not_large() {
        for Halves { least, many, few, plenty, block } in [DEFAULT.trmm, DEFAULT.symm] {
            assert_eq!(least, many.0.min(few.0).min(plenty.0));
            assert!(block < least, "blocks on the diagonal would be divided without end");
        }
    }

    const SIZES: [(i64, i64); 9] = [(1, 4), (4, 4), (5, 4), (63, 8), (64, 8), (65, 8), (100, 7), (129, 32), (1000, 64)];

    /// Blocks and rectangles contain every element of the lower triangle exactly once.
    #[test]
    fn blocks_and_pairs_tile_the_triangle() {
        for (order, block) in SIZES {
            let mut times = vec![0; (order * order) as usize];
            let mut add = |row: i64, column: i64, rows: i64, columns: i64| {
                for j in column..column + columns {
                    (row..row + rows).for_each(|i| times[(i + j * order) as usize] += 1);
                }
            };
            for Blocks { first, count, order } in blocks(order, block) {
                assert!(order <= block);
                (first..first + count).for_each(|k| add(k * block, k * block, order, order));
            }
            for Pairs { level, first, count, orders: [one, two] } in pairs(order, block) {
                assert!(two <= one && one << 1 == block << level);
                for at in (first..first + count).map(|k| k * (block << level)) {
                    add(at + one, at, two, one);
                }
            }
            for j in 0..order {
                for i in 0..order {
                    let expected = i32::from(i >= j || i / block == j / block);
                    assert_eq!(times[(i + j * order) as usize], expected, "({i}, {j}) of {order}, {block}");
                }
            }
        }
    }

    /// There are addresses for all places of all pairs.
    #[test]
    fn levels_have_places_for_all_pairs() {
        for (order, block) in SIZES {
            let places: Vec<i64> = places(ceil_div(order, block)).collect();
            assert_eq!(places.last(), Some(&1));
            for Blocks { first, count, .. } in blocks(order, block) {
                assert!(first + count <= places[0]);
            }
            for Pairs { level, first, count, .. } in pairs(order, block) {
                assert!(first + count <= places[level as usize], "level {level} of {order}, {block}");
            }
        }
    }
}
