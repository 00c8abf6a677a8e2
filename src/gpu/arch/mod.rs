//! What was measured on an architecture, in one place: a description each, chosen by the device's compute capability ([`of`]).
//!
//! A number belongs here if another device could want another one: crossovers, sizes from which on something pays, counts that keep a
//! device busy, constants of models of time, sizes for which the vendor's function is faster. What a kernel's code fixes (its tile, its
//! most rows) stays with the kernel and its plans, and what CUDA or the hardware fixes by definition (32 lanes, which architectures have clusters)
//! where it is used.
//!
//! | file | what is in it |
//! | --- | --- |
//! | this one | what each number means: a type per routine |
//! | `sm_90.rs` | their values on Hopper: an H200, or where it says so an H100 |
//! | `sm_90.csv` | geqrf's measured plans, which `tephra tune` writes and [`crate::gpu::geqrf::measured`] reads |
//!
//! An architecture without a description gets [`DEFAULT`]: Hopper's numbers, without its table of plans. Its plans are right, but nobody
//! has measured whether they are the fastest there.

use crate::routine::Dtype;
use std::ops::{Index, RangeInclusive};

mod sm_90;

pub use sm_90::SM_90;

/// What an architecture without a description gets, and plans and workspaces that are to be the same on every device, which
/// are made before a device is asked for: sm_90's numbers, but not its measured plans, which are times of that device.
pub const DEFAULT: Arch = Arch { tables: Tables { geqrf: "", others: "" }, ..SM_90 };

/// What stays the vendor's.
pub const VENDORS: Vendors = DEFAULT.vendors;

/// The descriptions that there are, by compute capability times ten.
pub static ALL: [(u16, Arch); 1] = [(90, SM_90)];

/// The description for a compute capability.
pub fn of(arch: u16) -> &'static Arch {
    ALL.iter().find(|(of, _)| *of == arch).map_or(const { &DEFAULT }, |(_, arch)| arch)
}

/// A value for each element type.
#[derive(Clone, Copy, Debug)]
pub struct PerType<T> {
    /// `float`
    pub s: T,
    /// `double`
    pub d: T,
    /// `cuComplex`
    pub c: T,
    /// `cuDoubleComplex`
    pub z: T,
}

impl<T> Index<Dtype> for PerType<T> {
    type Output = T;

    fn index(&self, dtype: Dtype) -> &T {
        match dtype {
            Dtype::S => &self.s,
            Dtype::D => &self.d,
            Dtype::C => &self.c,
            Dtype::Z => &self.z,
        }
    }
}

/// All that was measured on an architecture. Times are in microseconds, traffic is in bytes a microsecond.
#[derive(Clone, Copy)]
pub struct Arch {
    /// Measured plans.
    pub tables: Tables,
    /// Batches that fill a device.
    pub classes: Classes,
    /// Blocks that keep a device busy.
    pub blocks: Blocks,
    /// cuBLAS inside of operations on few large matrices.
    pub cublas: Cublas,
    /// QR.
    pub geqrf: Geqrf,
    /// Tall panels by clusters.
    pub clusters: Clusters,
    /// Tall panels by trees, and by a block that goes column by column.
    pub tree: Tree,
    /// Tall panels from their Gram matrix.
    pub gram: Gram,
    /// Block reflectors whose rows are divided among blocks.
    pub divided: Divided,
    /// QR with an implicit Q.
    pub geqr: Geqr,
    /// QR with column pivoting.
    pub geqp3: Geqp3,
    /// QR with explicit factors.
    pub qr: Qr,
    /// Q written out.
    pub orgqr: Orgqr,
    /// Q applied.
    pub ormqr: Ormqr,
    /// Least squares by iteration.
    pub gels_iterative: GelsIterative,
    /// LU.
    pub getrf: Getrf,
    /// The inverse from LU factors.
    pub getri: Getri,
    /// Cholesky.
    pub potrf: Potrf,
    /// Systems with a positive definite matrix.
    pub posv: Posv,
    /// Solutions by LU factors.
    pub getrs: Getrs,
    /// Solutions by Cholesky factors.
    pub potrs: Potrs,
    /// Inverses from Cholesky factors.
    pub potri: Potri,
    /// Triangular systems.
    pub trsm: Trsm,
    /// Products.
    pub gemm: Gemm,
    /// Products with vectors.
    pub gemv: Gemv,
    /// Matrices of 16 bits.
    pub narrow: Narrow,
    /// What stays the vendor's.
    pub vendors: Vendors,
}

/// Tables of measured plans, as text; empty: the rules decide.
#[derive(Clone, Copy, Debug)]
pub struct Tables {
    /// geqrf's, as [`crate::gpu::geqrf::measured`] reads it.
    pub geqrf: &'static str,
    /// LU's, Cholesky's and products', as [`crate::gpu::plan::tuned`] reads it.
    pub others: &'static str,
}

/// How matrices' sizes narrow the classes of batch counts ([`crate::gpu::plan::Class`]). The classes are columns of tables, so
/// they are [`DEFAULT`]'s on every device.
#[derive(Clone, Copy, Debug)]
pub struct Classes {
    /// Of each class: elements of a matrix from which on another matrix more is about as much more work in any class above.
    pub most_area: [i64; 5],
    /// Elements of the smallest matrices, which cost a launch and no more, however few they are.
    pub least_area: i64,
}

/// Blocks that keep a device busy. Launches on every device take [`DEFAULT`]'s.
#[derive(Clone, Copy, Debug)]
pub struct Blocks {
    /// The most of a launch in which many may find nothing to do: they take more jobs each then.
    pub most: i64,
    /// Below so many, several share a matrix.
    pub enough: i64,
}

/// Operations on few large matrices whose triangular solves and products are cuBLAS's: on every device by [`DEFAULT`]'s.
#[derive(Clone, Copy, Debug)]
pub struct Cublas {
    /// Bytes of a workspace, as NVIDIA advises.
    pub workspace: usize,
    /// Order from which on cuBLAS solves where systems and inverses need triangular solves,
    pub solves_from: i64,
    /// for so many matrices at most.
    pub solves_most: i64,
}

/// QR: [`crate::gpu::geqrf`].
#[derive(Clone, Copy, Debug)]
pub struct Geqrf {
    /// Order up to which one resident launch overtakes panels and updates.
    pub finish: PerType<i64>,
    /// Rows beyond which updates of few columns are divided among as many blocks of a cluster as are there.
    pub spread: i64,
    /// What a cluster does before its first tile of a matrix, in rounds of tiles.
    pub first_round: i64,
    /// Least batch of a class in which updates in TF32 go before the table's choice. In fewer matrices launches decide.
    pub tf32_batch: i64,
    /// A first panel of a few columns that leaves an order which registers hold.
    pub narrow_first: NarrowFirst,
    /// How many times as many columns as rows a matrix of a few rows has that is no register kernel's.
    pub wide: i64,
}

/// When a first panel of a few columns pays.
#[derive(Clone, Copy, Debug)]
pub struct NarrowFirst {
    /// Of more columns than these; below, launches count for more.
    pub columns: i64,
    /// Time of its launches.
    pub launches: f64,
    /// Traffic of its update.
    pub traffic: f64,
    /// Part of the whole matrix's time that it must stay below.
    pub worth: f64,
}

/// Panels whose rows the blocks of a cluster share: [`crate::gpu::tall::clusters`].
#[derive(Clone, Copy, Debug)]
pub struct Clusters {
    /// Of each kernel, by its name without what all have before: the time of one cluster with the memory to itself, rounded. Fewer
    /// and fuller blocks take longer, but more matrices are there at a time.
    pub times: &'static [(&'static str, f64)],
    /// The same for each column, of a kernel that has not been timed.
    pub untimed: f64,
    /// Time of a call.
    pub call: f64,
    /// Traffic of many clusters.
    pub traffic: f64,
    /// Rows and columns beyond which, of panels that a block holds, a block's steps are longer than the round between multiprocessors.
    pub overtakes: PerType<(i64, i64)>,
    /// An update between two halves of a panel by one cluster,
    pub update: f64,
    /// or by rows divided among blocks: its four launches,
    pub divided_update: f64,
    /// and its traffic, as a part of the above.
    pub divided_traffic: f64,
}

/// A model of the time of panels that no block holds: [`crate::gpu::tall::tree::times`].
#[derive(Clone, Copy, Debug)]
pub struct Tree {
    /// Launches of a tree.
    pub launches: f64,
    /// Of n^2: a path through the tree.
    pub path: PerType<f64>,
    /// One block on a full device, over single precision's.
    pub block: PerType<f64>,
    /// A block of 512 rows in single precision: its start,
    pub block_start: f64,
    /// and of n^2.
    pub block_columns: f64,
    /// By the Gram matrix: what does not depend on rows,
    pub gram_launches: PerType<f64>,
    /// passes over the panel,
    pub gram_passes: PerType<f64>,
    /// and their traffic.
    pub gram_traffic: f64,
    /// Column by column: matrices that go at a time,
    pub at_once: f64,
    /// an element in single precision,
    pub element: f64,
    /// over which the others take,
    pub elements: PerType<f64>,
    /// and a column's end.
    pub column: f64,
}

/// Panels from their Gram matrix: [`crate::gpu::tall::gram`].
#[derive(Clone, Copy, Debug)]
pub struct Gram {
    /// Rows of all members from which on an outer panel as a whole is worth the launches that find nothing to do.
    pub outer_rows: i64,
    /// Least rows of a block's part.
    pub part_rows: i64,
    /// Rounds of blocks for an outer panel's parts.
    pub outer_rounds: i64,
}

/// Block reflectors whose rows are divided among blocks: [`crate::gpu::tall::update`].
#[derive(Clone, Copy, Debug)]
pub struct Divided {
    /// Rows beyond which those of products with Q are divided where matrices are few.
    pub alone_rows: i64,
    /// Matrices are few if each has so many multiprocessors.
    pub alone_share: i64,
    /// Reflectors beyond which tensor cores pay. With fewer, those within outer panels, memory decides.
    pub tensor_cores: i64,
    /// Most tiles one below the other that a block takes,
    pub run: i64,
    /// and its start, in halves of a tile's time.
    pub run_start: i64,
    /// Columns beside the next panel's that make it worth going on with that panel meanwhile.
    pub ahead: i64,
    /// Least rows of a chunk for each reflector, that sums are few beside the matrix,
    pub chunk_rows: i64,
    /// or as many rows: a tile's time is worth the sums.
    pub chunk_enough: i64,
    /// Most waves of blocks.
    pub waves: i64,
    /// Percent of the device that another wave must fill more, to be worth its sums.
    pub wave_gain: i64,
}

/// QR with an implicit Q: [`crate::gpu::geqr`].
#[derive(Clone, Copy, Debug)]
pub struct Geqr {
    /// Waves of blocks that keep the device busy when a tree is applied.
    pub waves: i64,
}

/// QR with column pivoting: [`crate::gpu::geqp3`].
#[derive(Clone, Copy, Debug)]
pub struct Geqp3 {
    /// Largest batch of a class in which two launches a column are faster than a block a matrix,
    pub stepped_batch: i64,
    /// from so many columns on.
    pub stepped_from: i64,
    /// Matrices that have less than one part in so many of the smallest team's tile go to a block's shared memory.
    pub team_share: i64,
}

/// QR with explicit factors: [`crate::gpu::qr`].
#[derive(Clone, Copy, Debug)]
pub struct Qr {
    /// Elements of the largest tile with which one launch for Q and R overtakes geqrf's and orgqr's own,
    pub area: u32,
    /// and its rows.
    pub rows: PerType<u32>,
}

/// Q written out: [`crate::gpu::orgqr`].
#[derive(Clone, Copy, Debug)]
pub struct Orgqr {
    /// Order up to which what is below and right of the panels is written in registers, where that overtakes block reflectors.
    pub finish: PerType<i64>,
    /// Matrices a multiprocessor up to which a matrix's own time counts, not what a multiprocessor gets done. Solutions ask for it,
    /// too.
    pub few: i64,
}

/// Q applied: [`crate::gpu::ormqr`].
#[derive(Clone, Copy, Debug)]
pub struct Ormqr {
    /// Most columns for which reflectors one by one are not slower than blocks of them.
    pub thin: i64,
}

/// Least squares by iteration: [`crate::gpu::gels_iterative`]. The workspace is the same on every device, and so are these:
/// [`DEFAULT`]'s.
#[derive(Clone, Copy, Debug)]
pub struct GelsIterative {
    /// Multiprocessors that rows are divided for, at most.
    pub processors: i64,
    /// Elements of as many members as fill a device,
    pub full: i64,
    /// and their most.
    pub full_most: i64,
    /// Rows from which on tiles of A^H A are large.
    pub large_tile: u32,
    /// What small tiles' elements cost, over large ones',
    pub small_tile: (i64, i64),
    /// and how many times as much beyond these columns, where they wait for A.
    pub waiting: (i64, i64),
    /// Rounds of blocks, at most,
    pub rounds: i64,
    /// and thousandths of the device that fewer fill well enough.
    pub filled: i64,
    /// Most chunks of rows: one thread adds an element of all of them.
    pub chunks: i64,
    /// Shared memory of a pass's blocks: of two on a multiprocessor, and of one.
    pub shared: [u32; 2],
}

/// LU: [`crate::gpu::getrf`].
#[derive(Clone, Copy, Debug)]
pub struct Getrf {
    /// Most columns of a matrix without outer panels.
    pub one_level: i64,
    /// An outer panel takes the rest of the columns, if they are so many more.
    pub rest: i64,
    /// Rows from which on one block should not do the product of a whole strip, if there are few blocks.
    pub tall: i64,
    /// Columns of a panel in global memory.
    pub in_global: i64,
    /// Blocks that keep the device busy beside a panel.
    pub busy: i64,
    /// Blocks from which on one can do a whole strip.
    pub filled: i64,
    /// Columns from which on outer panels are wide, if strips without barriers follow them: half of the traffic, while what is
    /// within an outer panel is little.
    pub many_columns: i64,
    /// Whether outer panels are wide where their panels are narrow.
    pub wide: PerType<bool>,
    /// Columns up to which a panel is as quick as a warp alone.
    pub narrowest: i64,
    /// Rows up to which a panel with a row a thread, whose steps are shorter, is better than one in halves.
    pub halves: i64,
    /// Batch counts from here on are planned alike.
    pub many: i64,
    /// Orders of which a team's shorter steps are quicker than strips that look left only where the device is not full. (Few
    /// columns are a team's in any batch.)
    pub hurried: PerType<Option<Hurried>>,
    /// Members with sizes of their own: sizes up to which strips that look left hold them, in a launch each (shared memory
    /// is for the largest),
    pub each_strips: [i64; 2],
    /// and the size from which on, if pivots are searched for: they do not replace small ones.
    pub each_from: i64,
    /// Few large matrices.
    pub large: LargeLu,
}

/// Orders of [`Getrf::hurried`].
#[derive(Clone, Copy, Debug)]
pub struct Hurried {
    /// The larger size, from and to.
    pub larger: (i64, i64),
    /// Least columns.
    pub columns: i64,
}

/// LU of few large matrices: [`crate::gpu::getrf::large`].
#[derive(Clone, Copy, Debug)]
pub struct LargeLu {
    /// The smaller size from which on this is the way,
    pub from: i64,
    /// for so many matrices at most.
    pub most: i64,
    /// Columns of an outer panel,
    pub outer: i64,
    /// and of one of more steps than the first number.
    pub wider: (i64, i64),
    /// Columns of a group of panels.
    pub group: i64,
}

/// The inverse from LU factors: [`crate::gpu::getri`].
#[derive(Clone, Copy, Debug)]
pub struct Getri {
    /// Largest order whose interchanges each block traces for itself.
    pub traced: i64,
    /// Diagonal blocks of an order that are inverted at a time rather than some after others, if there are no more.
    pub diagonals: i64,
    /// Strips are for larger orders.
    pub strips: i64,
    /// Orders of which lanes have 6 x 6 elements: where these fill warps and larger ones would leave lanes idle, or a multiprocessor has
    /// two of their blocks in place of one.
    pub sixes: PerType<&'static [RangeInclusive<i64>]>,
}

/// Cholesky: [`crate::gpu::potrf`].
#[derive(Clone, Copy, Debug)]
pub struct Potrf {
    /// The order of a block in global memory.
    pub in_place: i64,
    /// Columns that are solved for at a time; a product follows, which is quicker.
    pub solved: i64,
    /// Batch counts from here on are planned alike.
    pub many: i64,
    /// Members with orders of their own up to this: small ones are not worth a launch.
    pub mixed: i64,
    /// Orders of which a row a thread is quickest.
    pub by_rows: ByRows,
    /// Few large matrices.
    pub large: LargeCholesky,
}

/// Orders for kernels with a row a thread: type, first, last, warps of a matrix.
pub type ByRows = &'static [(Dtype, i64, i64, u32)];

/// Cholesky of few large matrices: [`crate::gpu::potrf::large`].
#[derive(Clone, Copy, Debug)]
pub struct LargeCholesky {
    /// Orders from which on this is the way,
    pub from: i64,
    /// for so many matrices at most.
    pub most: i64,
    /// Columns of an outer panel.
    pub outer: i64,
    /// Order of a triangle that is not cut: cuBLAS's products of larger ones are slower than what they are of rectangles.
    pub whole: i64,
}

/// Systems with a positive definite matrix: [`crate::gpu::posv`].
#[derive(Clone, Copy, Debug)]
pub struct Posv {
    /// Orders beyond which right-hand sides are quicker beside the factor in a team's shared memory than in a launch of their own
    /// (smaller matrices share a warp in both of its parts, but have a block each in a team); a single one up to the second.
    pub together: (i64, i64),
    /// Orders of which a row a thread is quickest, for as many right-hand sides as its kernels take.
    pub by_rows: ByRows,
}

/// Solutions by LU factors: [`crate::gpu::getrs`].
#[derive(Clone, Copy, Debug)]
pub struct Getrs {
    /// Order up to which a right-hand side a thread is quicker than strips or two triangular solves.
    pub sides: i64,
    /// Bytes of shared memory that such a block takes, about. Solutions by Cholesky factors ask for it, too.
    pub sides_room: i64,
    /// Order up to which the whole matrix has room in registers.
    pub in_registers: i64,
    /// Order from which on many warps find work. Solutions by Cholesky factors ask for it, too.
    pub wide: i64,
    /// Most rows of several right-hand sides in one launch. (Products of complex double precision are quicker on the tensor instruction.)
    pub tallest: PerType<i64>,
}

/// Solutions by Cholesky factors: [`crate::gpu::potrs`].
#[derive(Clone, Copy, Debug)]
pub struct Potrs {
    /// Order up to which several tiles of a warp read the factor,
    pub tiny: i64,
    /// and how many.
    pub tiles: i64,
    /// Order up to which else each right-hand side has a thread.
    pub sides: i64,
    /// The order up to which several right-hand sides are quickest beside a factor in shared memory; more than a tile of the other
    /// kernel has, up to the second.
    pub beside: [i64; 2],
    /// The order up to which several tiles still read the factors quicker than two triangular solves,
    pub tiled: i64,
    /// and how many.
    pub tiled_most: PerType<i64>,
    /// Most rows of several right-hand sides, as [`Getrs::tallest`].
    pub tallest: PerType<i64>,
    /// The order up to which two triangular solves are quicker than a factor in shared memory with more than two tiles of right-hand sides
    /// beside it.
    pub short: PerType<i64>,
}

/// Inverses from Cholesky factors: [`crate::gpu::potri`].
#[derive(Clone, Copy, Debug)]
pub struct Potri {
    /// Order up to which a grid of lanes is quicker than strips.
    pub grid: PerType<i64>,
    /// Order up to which two blocks of strips share a multiprocessor, even if each has room for two inverted diagonal blocks only.
    pub pairs: PerType<i64>,
}

/// Triangular systems: [`crate::gpu::trsm`].
#[derive(Clone, Copy, Debug)]
pub struct Trsm {
    /// Least orders of which strips are quicker, for one triangle and for both of a factorisation: also where half of the last
    /// strip is empty, and else.
    pub strips: PerType<[[i64; 2]; 2]>,
    /// Highest orders at which few right-hand sides are quicker by a warp a tile of them: one tile, and up to four.
    pub few_sides: PerType<[i64; 2]>,
    /// Columns of narrow tiles, for problems of few tiles,
    pub narrow: i64,
    /// which leave a device idle: fewer than so many. These, and what follows, are [`DEFAULT`]'s on every device.
    pub busy: i64,
    /// Least order, and right-hand sides, for which halves with a product between them are quicker,
    pub halves: (i64, i64),
    /// and the order up to which a part is not halved any more.
    pub block: i64,
}

/// Products: [`crate::gpu::gemm`]. Plans are the same on every device: [`DEFAULT`]'s.
#[derive(Clone, Copy, Debug)]
pub struct Gemm {
    /// What reading an element costs, in products of elements,
    pub read: f64,
    /// and writing one.
    pub write: f64,
    /// Terms of sums up to which chunks are short.
    pub short: i64,
    /// What lanes' tiles cost more in single precision, as a fraction, where sizes are not whole packs.
    pub ragged: (i64, i64),
    /// Tiles of 64 x 64 of a batch up to which its count decides,
    pub few: i64,
    /// and how much of its time another kernel must then leave for the usual one to be left.
    pub gain: f64,
    /// What such a kernel takes.
    pub cycles: GemmCycles,
    /// Rows from which on a matrix's columns are far apart, and the most columns of C for which that counts.
    pub tall: (i64, i64),
    /// Terms that are divided into chunks.
    pub split: GemmSplit,
}

/// Products whose terms are divided into chunks.
#[derive(Clone, Copy, Debug)]
pub struct GemmSplit {
    /// Terms from which on,
    pub from: i64,
    /// and members up to which that is quicker.
    pub members: i64,
    /// Fewest terms of a chunk.
    pub terms: i64,
    /// Blocks that chunks are made for,
    pub blocks: i64,
    /// and the fewest chunks.
    pub least: i64,
}

/// A model of products of few members, in cycles of a multiprocessor.
#[derive(Clone, Copy, Debug)]
pub struct GemmCycles {
    /// What a block reaches of its schedulers' multiply-adds if no other is there.
    pub alone: f64,
    /// What a chunk of terms takes besides.
    pub chunk: f64,
    /// What reading an element costs where others' multiply-adds hide the wait, in products of elements.
    pub aside: f64,
    /// What a warp's chunk takes.
    pub warp: f64,
    /// Bytes stored in a cycle, or read of others' sums.
    pub store: f64,
    /// How long the blocks of a cluster wait for each other,
    pub meet: f64,
    /// and longer for each block that a multiprocessor has.
    pub block: f64,
    /// How many times as long a chunk takes where a block's lanes have several tiles.
    pub teams: f64,
}

/// Products with vectors: [`crate::gpu::gemv`]. Plans are the same on every device: [`DEFAULT`]'s.
#[derive(Clone, Copy, Debug)]
pub struct Gemv {
    /// Terms of the longest sums over rows of A^T that a small block's lanes are enough for,
    pub long_down: i64,
    /// and over columns of A.
    pub long_across: i64,
    /// Columns of A that are many for a lane.
    pub many: i64,
    /// Turns over A^T that a warp's lanes take at most, where a block has more lanes.
    pub turns: i64,
    /// Bytes that stay in the second-level cache: of more, little is still there when it is read again.
    pub stays: i64,
}

/// Matrices of 16 bits: [`crate::gpu::narrow`]. The workspace is the same on every device: [`DEFAULT`]'s.
#[derive(Clone, Copy, Debug)]
pub struct Narrow {
    /// Bytes of copies that are worked on at a time, to stay in the second-level cache.
    pub at_a_time: i64,
    /// Members below which there would be too few at a time to keep a device busy.
    pub fewest: i64,
}

/// Sizes for which the vendor's own function was measured to be faster: with a handle of the vendor's those calls stay its own. Which
/// sizes they are has another form on each device, so they are functions. Calls are told apart before a device is asked for:
/// by [`DEFAULT`]'s.
#[derive(Clone, Copy)]
pub struct Vendors {
    /// Of products of matrices; sizes m, n and k.
    pub gemm: fn(Dtype, [i64; 3]) -> bool,
    /// Of products of m x n matrices, transposed or not, with vectors.
    pub gemv: fn(Dtype, bool, [i64; 2]) -> bool,
    /// Of Q of one matrix; sizes m, n and k.
    pub orgqr: fn(Dtype, [i64; 3]) -> bool,
    /// Of one Q, from the left or not, applied to an m x n matrix; sizes m, n and k.
    pub ormqr: fn(Dtype, bool, [i64; 3]) -> bool,
    /// Of LU of one m x n matrix.
    pub getrf: fn(Dtype, [i64; 2]) -> bool,
    /// Of Cholesky of one matrix.
    pub potrf: fn(Dtype, i64) -> bool,
    /// Of one system of order n by the factors of either.
    pub solve: fn(Dtype, i64) -> bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each architecture has one description; one without gets the default, whose plans were measured nowhere.
    #[test]
    fn an_architecture_without_a_description_gets_the_default() {
        for (i, (arch, described)) in ALL.iter().enumerate() {
            assert!(ALL[..i].iter().all(|(other, _)| other != arch), "sm_{arch} is described twice");
            assert!(std::ptr::eq(of(*arch), described));
        }
        for arch in [0, 75, 80, 120] {
            let Tables { geqrf, others } = of(arch).tables;
            assert!((geqrf, others) == ("", "") && of(arch).orgqr.few == DEFAULT.orgqr.few, "sm_{arch}");
        }
    }
}
