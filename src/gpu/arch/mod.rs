//! Everything that was measured on an architecture: one description each, chosen by the device's compute capability
//! ([`of`]).
//!
//! A number belongs here if another device might need a different one: crossovers, sizes from which something pays,
//! counts that keep a device busy, constants of time models, sizes for which the vendor's function is faster. What a
//! kernel's code determines (its tile, its most rows) stays with the kernel and its plans. What CUDA or the hardware
//! defines for all (32 lanes) stays where it is used.
//!
//! | file | contents |
//! | --- | --- |
//! | this one | what each number means: a type per routine |
//! | `sm_90.rs` | the values for Hopper, measured on an H200, or on an H100 where it says so |
//! | `hardware.rs` | what the hardware defines: which architectures have clusters, for example |
//! | `sm_90.csv` | geqrf's measured plans, which `tephra tune` writes and [`crate::gpu::geqrf::measured`] reads |
//!
//! An architecture without a description gets [`DEFAULT`], Hopper's numbers without its table of plans. Its plans
//! are correct, but they were not measured and may not be the fastest.

use crate::routine::Dtype;
use std::ops::{Index, RangeInclusive};

pub mod hardware;
mod sm_90;

pub use sm_90::SM_90;

/// For architectures without a description, and for plans and workspaces that are the same on every device because
/// they are determined before a device is known. It has sm_90's numbers, but not its measured plans, which are times
/// on that device.
pub const DEFAULT: Arch = Arch { tables: Tables { geqrf: "", others: "" }, ..SM_90 };

/// The calls that the vendor's library keeps.
pub const VENDORS: Vendors = DEFAULT.vendors;

/// All descriptions, by compute capability times ten.
pub static ALL: [(u16, Arch); 1] = [(90, SM_90)];

/// The description for a compute capability (times ten).
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

/// Everything that was measured on an architecture. Times are in microseconds, traffic is in bytes per microsecond.
#[derive(Clone, Copy)]
pub struct Arch {
    /// Measured plans.
    pub tables: Tables,
    /// Batches that fill a device.
    pub classes: Classes,
    /// Blocks that keep a device busy.
    pub blocks: Blocks,
    /// cuBLAS within operations on few large matrices.
    pub cublas: Cublas,
    /// QR.
    pub geqrf: Geqrf,
    /// Tall panels by clusters.
    pub clusters: Clusters,
    /// Tall panels by trees, and by one block that works column by column.
    pub tree: Tree,
    /// Tall panels from their Gram matrix.
    pub gram: Gram,
    /// Block reflectors whose rows are divided among blocks.
    pub divided: Divided,
    /// Most reflectors whose T is formed at once, unless rows are divided; T of more is formed by halves. The same on
    /// every device.
    pub larft_at_once: i64,
    /// QR with an implicit Q.
    pub geqr: Geqr,
    /// QR with column pivoting.
    pub geqp3: Geqp3,
    /// QR with explicit factors.
    pub qr: Qr,
    /// Forming Q.
    pub orgqr: Orgqr,
    /// Applying Q.
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
    /// Solving from LU factors.
    pub getrs: Getrs,
    /// Solving from Cholesky factors.
    pub potrs: Potrs,
    /// Inverses from Cholesky factors.
    pub potri: Potri,
    /// Triangular systems.
    pub trsm: Trsm,
    /// Few large members with individual sizes.
    pub padded: Padded,
    /// Members of individual sizes that are sorted by them.
    pub sorted: Sorted,
    /// Inverses of triangles.
    pub trtri: Trtri,
    /// Products with triangles.
    pub trmm: Halves,
    /// Products with symmetric and Hermitian matrices.
    pub symm: Halves,
    /// Products.
    pub gemm: Gemm,
    /// Products with vectors.
    pub gemv: Gemv,
    /// 16-bit matrices.
    pub narrow: Narrow,
    /// The calls that the vendor's library keeps.
    pub vendors: Vendors,
}

/// Tables of measured plans, as text. If a table is empty, the routine's rules decide.
#[derive(Clone, Copy, Debug)]
pub struct Tables {
    /// geqrf's, as [`crate::gpu::geqrf::measured`] reads it.
    pub geqrf: &'static str,
    /// LU's, Cholesky's and products', as [`crate::gpu::plan::tuned`] reads it.
    pub others: &'static str,
}

/// How the size of matrices limits the classes of batch counts ([`crate::gpu::plan::Class`]). Tables have a column
/// for the class, so every device uses [`DEFAULT`]'s values.
#[derive(Clone, Copy, Debug)]
pub struct Classes {
    /// For each class, the most elements of a matrix. With larger matrices the time grows in proportion to the batch
    /// in all higher classes, so these are not distinguished.
    pub most_area: [i64; 5],
    /// The most elements of matrices that cost a launch and little more, however few they are: these are not in the
    /// lowest class.
    pub least_area: i64,
}

/// Blocks that keep a device busy. Launches on every device use [`DEFAULT`]'s values.
#[derive(Clone, Copy, Debug)]
pub struct Blocks {
    /// The most blocks of a launch in which many may find nothing to do; blocks loop over more jobs instead.
    pub most: i64,
    /// With fewer matrices than this, several blocks share one.
    pub enough: i64,
}

/// Operations on few large matrices whose triangular solves and products cuBLAS does. Every device uses
/// [`DEFAULT`]'s values.
#[derive(Clone, Copy, Debug)]
pub struct Cublas {
    /// Bytes of a workspace, as NVIDIA recommends.
    pub workspace: usize,
    /// Least order for which cuBLAS does the triangular solves of systems and inverses.
    pub solves_from: i64,
    /// Most matrices for which cuBLAS does them.
    pub solves_most: i64,
}

/// QR: [`crate::gpu::geqrf`].
#[derive(Clone, Copy, Debug)]
pub struct Geqrf {
    /// Order up to which one resident launch is faster than panels and updates.
    pub finish: PerType<i64>,
    /// Rows beyond which an update of few columns is divided among the largest cluster that can run at once.
    pub spread: i64,
    /// The work of a cluster before its first tile of a matrix, in rounds of tiles.
    pub first_round: i64,
    /// Least batch of a class for which updates in TF32 precede the table's choice. With fewer matrices, the number
    /// of launches decides.
    pub tf32_batch: i64,
    /// When a narrow first panel reduces the matrix to an order that registers hold.
    pub narrow_first: NarrowFirst,
    /// Ratio of columns to rows from which a matrix with few rows is not factored by a register kernel.
    pub wide: i64,
}

/// When a narrow first panel pays.
#[derive(Clone, Copy, Debug)]
pub struct NarrowFirst {
    /// The number of columns must be above this; below, launches cost too much.
    pub columns: i64,
    /// Time of its launches.
    pub launches: f64,
    /// Traffic of its update.
    pub traffic: f64,
    /// The estimated time must be below this fraction of the time for the whole matrix.
    pub worth: f64,
}

/// Panels whose rows are shared by the blocks of a cluster: [`crate::gpu::tall::clusters`].
#[derive(Clone, Copy, Debug)]
pub struct Clusters {
    /// For each kernel, by its name without the common prefix: the rounded time of one cluster that has the memory
    /// to itself. Fewer and fuller blocks take longer, but allow more matrices at a time.
    pub times: &'static [(&'static str, f64)],
    /// Time per column for a kernel that has not been timed.
    pub untimed: f64,
    /// Fixed time of a call.
    pub call: f64,
    /// Traffic of many clusters.
    pub traffic: f64,
    /// Rows and columns beyond which a cluster is faster for panels that a block could hold, too: a block's steps
    /// then take longer than an exchange between multiprocessors.
    pub overtakes: PerType<(i64, i64)>,
    /// Time of an update between two halves of a panel by one cluster.
    pub update: f64,
    /// Time of the four launches of such an update with rows divided among blocks.
    pub divided_update: f64,
    /// Traffic of the latter, as a fraction of `traffic`.
    pub divided_traffic: f64,
}

/// A time model for panels that no block holds: [`crate::gpu::tall::tree::times`].
#[derive(Clone, Copy, Debug)]
pub struct Tree {
    /// Time of a tree's launches.
    pub launches: f64,
    /// Time of a path through the tree, per n^2.
    pub path: PerType<f64>,
    /// Time of a block on a full device, relative to single precision.
    pub block: PerType<f64>,
    /// Time of a block of 512 rows in single precision on a full device: the constant part.
    pub block_start: f64,
    /// The part of it that is proportional to n^2.
    pub block_columns: f64,
    /// From the Gram matrix: the time that does not depend on rows.
    pub gram_launches: PerType<f64>,
    /// From the Gram matrix: passes over the panel.
    pub gram_passes: PerType<f64>,
    /// From the Gram matrix: traffic of the passes.
    pub gram_traffic: f64,
    /// Column by column: matrices processed concurrently.
    pub at_once: f64,
    /// Column by column: time per element in single precision.
    pub element: f64,
    /// Column by column: the factor for each type.
    pub elements: PerType<f64>,
    /// Column by column: time at the end of a column.
    pub column: f64,
}

/// Panels from their Gram matrix: [`crate::gpu::tall::gram`].
#[derive(Clone, Copy, Debug)]
pub struct Gram {
    /// The least number of rows of all members for which factoring an outer panel as a whole is worth the launches
    /// that may find nothing to do.
    pub outer_rows: i64,
    /// The fewest rows of a block's part.
    pub part_rows: i64,
    /// Rounds of blocks for the parts of an outer panel.
    pub outer_rounds: i64,
}

/// Block reflectors whose rows are divided among blocks: [`crate::gpu::tall::update`].
#[derive(Clone, Copy, Debug)]
pub struct Divided {
    /// For small batches, the rows beyond which a product with Q has its rows divided.
    pub alone_rows: i64,
    /// The same where Q is formed.
    pub alone_rows_of_q: PerType<i64>,
    /// The same where Q is applied to no more columns than a block reflector can have, and for batches that are small
    /// by `several_share`.
    pub narrow_rows: PerType<i64>,
    /// A batch is small if there are this many multiprocessors for each matrix.
    pub alone_share: i64,
    /// The same for `narrow_rows`.
    pub several_share: i64,
    /// The same rows for any batch: beyond them, the kernels that do not divide rows read Q's reflectors and the other
    /// matrix in chunks, twice.
    pub always_rows: PerType<i64>,
    /// The number of reflectors beyond which tensor cores pay. With fewer, as within outer panels, memory traffic
    /// decides.
    pub tensor_cores: i64,
    /// The most consecutive tiles of a column of tiles that a block processes.
    pub run: i64,
    /// The time for starting them, in halves of a tile's time.
    pub run_start: i64,
    /// The number of columns beside those of the next panel that make it worthwhile to factor that panel during the
    /// update.
    pub ahead: i64,
    /// The fewest rows of a chunk per reflector, so that the sums are small compared with the matrix.
    pub chunk_rows: i64,
    /// Chunks with at least this many rows are always large enough for their sums.
    pub chunk_enough: i64,
    /// The most waves of blocks.
    pub waves: i64,
    /// The percentage of the device that an additional wave must fill more, to be worth its sums.
    pub wave_gain: i64,
}

/// QR with an implicit Q: [`crate::gpu::geqr`].
#[derive(Clone, Copy, Debug)]
pub struct Geqr {
    /// Waves of blocks that keep the device busy while a tree is applied.
    pub waves: i64,
}

/// QR with column pivoting: [`crate::gpu::geqp3`].
#[derive(Clone, Copy, Debug)]
pub struct Geqp3 {
    /// Largest batch of a class for which two launches per column are faster than one block per matrix.
    pub stepped_batch: i64,
    /// Fewest columns for which they are.
    pub stepped_from: i64,
    /// Fewest elements of a matrix for which they are.
    pub stepped_area: i64,
    /// Matrices that fill less than one part in `team_share` of the smallest team's tile go to a block's shared
    /// memory.
    pub team_share: i64,
}

/// QR with explicit factors: [`crate::gpu::qr`].
#[derive(Clone, Copy, Debug)]
pub struct Qr {
    /// The most elements of a tile with which one launch for Q and R is faster than the launches of geqrf and orgqr.
    pub area: u32,
    /// The most rows of such a tile.
    pub rows: PerType<u32>,
}

/// Forming Q: [`crate::gpu::orgqr`].
#[derive(Clone, Copy, Debug)]
pub struct Orgqr {
    /// Order up to which the part below and to the right of the panels is formed in registers, where that is faster
    /// than block reflectors.
    pub finish: PerType<i64>,
    /// Matrices per multiprocessor up to which the time of a single matrix counts, rather than throughput. Solves
    /// use it, too.
    pub few: i64,
    /// When all reflectors act at once.
    pub at_once: QAtOnce,
}

/// Q from all reflectors at once: [`crate::gpu::orgqr::at_once`].
#[derive(Clone, Copy, Debug)]
pub struct QAtOnce {
    /// The most matrices.
    pub matrices: i64,
    /// The fewest rows and the fewest reflectors.
    pub least: PerType<[i64; 2]>,
    /// The same for tall matrices.
    pub least_tall: [i64; 2],
    /// The most rows and the most reflectors.
    pub most: [i64; 2],
    /// Elements of all V from which V^H V is computed in large tiles.
    pub large: i64,
}

/// Applying Q: [`crate::gpu::ormqr`].
#[derive(Clone, Copy, Debug)]
pub struct Ormqr {
    /// The most columns for which applying reflectors one by one is not slower than block reflectors.
    pub thin: i64,
    /// The most reflectors for which this holds for any number of columns, if there are at most `few_rows` rows.
    pub few: PerType<i64>,
    /// The most rows of these.
    pub few_rows: i64,
    /// When all reflectors act at once.
    pub at_once: ApplyAtOnce,
}

/// Q applied with all reflectors at once: [`crate::gpu::ormqr::at_once`].
#[derive(Clone, Copy, Debug)]
pub struct ApplyAtOnce {
    /// The most matrices.
    pub matrices: i64,
    /// The least order of Q and the fewest reflectors.
    pub least: PerType<[i64; 2]>,
    /// The largest order and the most reflectors.
    pub most: [i64; 2],
    /// The fewest vectors that Q is applied to.
    pub columns: PerType<i64>,
}

/// Least squares by iteration: [`crate::gpu::gels_iterative`]. The workspace is the same on every device, so every
/// device uses [`DEFAULT`]'s values.
#[derive(Clone, Copy, Debug)]
pub struct GelsIterative {
    /// The most multiprocessors among which rows are divided.
    pub processors: i64,
    /// Elements of all members that together fill a device.
    pub full: i64,
    /// The most members that are taken to fill a device.
    pub full_most: i64,
    /// Tiles of A^H A with at least this many rows are large.
    pub large_tile: u32,
    /// The cost of an element in small tiles relative to large ones, as a fraction.
    pub small_tile: (i64, i64),
    /// A number of columns, and the factor for small tiles beyond it, where they wait for A.
    pub waiting: (i64, i64),
    /// The most rounds of blocks.
    pub rounds: i64,
    /// The utilisation of the device, in thousandths, with which fewer rounds are good enough.
    pub filled: i64,
    /// The most chunks of rows: a single thread adds an element over all of them.
    pub chunks: i64,
    /// Shared memory per block of a pass, with two blocks per multiprocessor and with one.
    pub shared: [u32; 2],
}

/// LU: [`crate::gpu::getrf`].
#[derive(Clone, Copy, Debug)]
pub struct Getrf {
    /// The most columns of a matrix without outer panels.
    pub one_level: i64,
    /// An outer panel takes all remaining columns if they exceed its width by at most this.
    pub rest: i64,
    /// Rows beyond which one block should not do the product of a whole strip, if there are few blocks.
    pub tall: i64,
    /// Columns of a panel that is factored in global memory.
    pub in_global: i64,
    /// When panels are a cluster's where those are wider.
    pub clustered: Clustered,
    /// Blocks that keep the device busy while a panel is applied.
    pub busy: i64,
    /// The number of blocks from which each can do a whole strip.
    pub filled: i64,
    /// Columns from which outer panels are wide, if strips without barriers follow them. This halves the traffic,
    /// while the work within an outer panel is small.
    pub many_columns: i64,
    /// Whether outer panels are wide where their panels are narrow.
    pub wide: PerType<bool>,
    /// Columns up to which a panel kernel is as fast as a single warp.
    pub narrowest: i64,
    /// Rows up to which a panel with a row per thread, whose steps are shorter, is better than one in halves.
    pub halves: i64,
    /// Batches of at least this many matrices have the same plan.
    pub many: i64,
    /// Orders for which a team's shorter steps beat left-looking strips only while the device is not full. (Matrices
    /// with few columns go to a team in any batch.)
    pub team_unless_full: PerType<Option<TeamOrders>>,
    /// With more rows or columns than the first number, left-looking strips with pivoting are used from the second
    /// number of matrices on. Fewer matrices are faster in panels.
    pub strips_from: (i64, i64),
    /// For members with individual sizes: the sizes up to which left-looking strips hold them, each in a launch of
    /// its own (shared memory is allotted for the largest).
    pub each_strips: [i64; 2],
    /// For members with individual sizes, with pivoting: the size from which those strips are used; they do not
    /// replace the kernels for small members.
    pub each_from: i64,
    /// Few large matrices.
    pub large: LargeLu,
}

/// When LU's panels are a cluster's: a block per matrix fills the device if there are many, and narrow panels cost
/// little if there are few columns to update.
#[derive(Clone, Copy, Debug)]
pub struct Clustered {
    /// Batches of up to this many matrices.
    pub few: i64,
    /// The same if otherwise one block would factor the panel in global memory.
    pub few_tall: i64,
    /// For members with individual sizes: from this many columns on, any number of them.
    pub columns: i64,
}

/// The orders of [`Getrf::team_unless_full`].
#[derive(Clone, Copy, Debug)]
pub struct TeamOrders {
    /// The range of the larger size, inclusive.
    pub larger: (i64, i64),
    /// The fewest columns.
    pub columns: i64,
}

/// LU of few large matrices: [`crate::gpu::getrf::large`].
#[derive(Clone, Copy, Debug)]
pub struct LargeLu {
    /// The least value of the smaller size.
    pub from: i64,
    /// The most matrices.
    pub most: i64,
    /// Columns of an outer panel.
    pub outer: i64,
    /// A number of steps, and the columns of an outer panel if there are more steps.
    pub wider: (i64, i64),
    /// Columns of a group of panels.
    pub group: i64,
}

/// The inverse from LU factors: [`crate::gpu::getri`].
#[derive(Clone, Copy, Debug)]
pub struct Getri {
    /// Largest order for which each block traces the interchanges itself.
    pub traced: i64,
    /// If an order has at most this many diagonal blocks, all of them are inverted at a time rather than some after
    /// others.
    pub diagonals: i64,
    /// Up to this order, strips are as wide as if an order had only two diagonal blocks.
    pub pairs: PerType<i64>,
    /// Strips are for orders above this.
    pub strips: i64,
    /// Orders for which lanes have 6 x 6 elements: where these fill warps but larger tiles would leave lanes idle,
    /// or where a multiprocessor then holds two blocks rather than one.
    pub sixes: PerType<&'static [RangeInclusive<i64>]>,
    /// First and last order for which strips of large batches get diagonal blocks that a launch of its own has
    /// inverted, rather than inverting them in every strip's block.
    pub ahead: PerType<[i64; 2]>,
    /// The largest order for which registers hold a matrix of a smaller batch.
    pub few_in_registers: PerType<i64>,
    /// The smallest of these large batches. Inverses from Cholesky factors use it, too.
    pub many: i64,
}

/// Cholesky: [`crate::gpu::potrf`].
#[derive(Clone, Copy, Debug)]
pub struct Potrf {
    /// The order of diagonal blocks that are factored in global memory.
    pub in_place: i64,
    /// The number of columns solved at a time. The product that follows is faster.
    pub solved: i64,
    /// Orders for which two diagonal blocks are best, and the largest order of the second one.
    pub second: PerType<&'static [(RangeInclusive<i64>, i64)]>,
    /// The least order of the first one.
    pub least_first: i64,
    /// Batches of at least this many matrices have the same plan.
    pub many: i64,
    /// For members with individual orders: if the largest order is at most this, small members are not worth a
    /// launch of their own.
    pub mixed: i64,
    /// The same for at least `members` members.
    pub mixed_many: PerType<i64>,
    /// See `mixed_many`; a power of two.
    pub members: i64,
    /// Orders for which kernels with a row per thread are fastest.
    pub by_rows: ByRows,
    /// Few large matrices.
    pub large: LargeCholesky,
}

/// Orders for kernels with a row per thread: type, first order, last order, warps per matrix.
pub type ByRows = &'static [(Dtype, i64, i64, u32)];

/// Cholesky of few large matrices: [`crate::gpu::potrf::large`].
#[derive(Clone, Copy, Debug)]
pub struct LargeCholesky {
    /// The least order.
    pub from: i64,
    /// The most matrices.
    pub most: i64,
    /// Columns of an outer panel.
    pub outer: i64,
    /// The largest triangle that is not divided. For larger ones, cuBLAS's rank-k updates are slower than its
    /// products of rectangles.
    pub whole: i64,
}

/// Systems with a positive definite matrix: [`crate::gpu::posv`].
#[derive(Clone, Copy, Debug)]
pub struct Posv {
    /// Orders beyond which right-hand sides are solved faster next to the factor in a team's shared memory than in a
    /// separate launch (smaller matrices share a warp in both separate launches, but would each need a block in a
    /// team). A single right-hand side is only solved this way up to the second order.
    pub together: (i64, i64),
    /// Orders for which kernels with a row per thread are fastest, for as many right-hand sides as they accept.
    pub by_rows: ByRows,
}

/// Solving from LU factors: [`crate::gpu::getrs`].
#[derive(Clone, Copy, Debug)]
pub struct Getrs {
    /// Order up to which one thread per right-hand side is faster than strips or two triangular solves.
    pub sides: i64,
    /// The same for at most the first number of right-hand sides.
    pub sides_of_some: [(i64, PerType<i64>); 2],
    /// Order up to which it is also faster than one launch for a few right-hand sides (but for a single one), in
    /// batches that fill the device.
    pub sides_first: PerType<i64>,
    /// About the shared memory of such a block in bytes. Solves from Cholesky factors use it, too.
    pub sides_room: i64,
    /// Order up to which registers hold the whole matrix.
    pub in_registers: i64,
    /// Order from which many warps find work. Solves from Cholesky factors use it, too.
    pub wide: i64,
    /// The largest order for several right-hand sides in one launch. (In double precision complex, products are
    /// faster with the tensor instruction.)
    pub tallest: PerType<i64>,
    /// The least order for which several right-hand sides are solved by a triangle at a time rather than in one launch
    /// (from `halves_alone` on by halves), and by how many times it must exceed the number of matrices.
    pub several: (i64, i64),
}

/// Solving from Cholesky factors: [`crate::gpu::potrs`].
#[derive(Clone, Copy, Debug)]
pub struct Potrs {
    /// Order up to which the first of the following values counts.
    pub tiny: i64,
    /// The most tiles of right-hand sides that each read a factor in registers.
    pub tiles: [i64; 2],
    /// Order up to which otherwise each right-hand side has a thread.
    pub sides: i64,
    /// The same for two or more right-hand sides, but at most the first number, in batches that fill the device.
    pub sides_of_some: [(i64, PerType<i64>); 3],
    /// The order up to which it is fastest to keep several right-hand sides next to the factor in shared memory. The
    /// second value is for more right-hand sides than a tile of the other kernel holds.
    pub beside: [i64; 2],
    /// The order up to which several tiles, each of which reads the factor, are still faster than two triangular
    /// solves.
    pub tiled: i64,
    /// The most such tiles.
    pub tiled_most: PerType<i64>,
    /// The largest order for several right-hand sides, like [`Getrs::tallest`].
    pub tallest: PerType<i64>,
    /// As [`Getrs::several`].
    pub several: (i64, i64),
    /// The order up to which two triangular solves are faster than a factor in shared memory, if the right-hand
    /// sides take more than two tiles.
    pub short: PerType<i64>,
}

/// Inverses from Cholesky factors: [`crate::gpu::potri`].
#[derive(Clone, Copy, Debug)]
pub struct Potri {
    /// Order from which several blocks copy a matrix of a small batch to its place. The same on every device.
    pub divided: i64,
    /// Order up to which a grid of lanes is faster than strips.
    pub grid: PerType<i64>,
    /// Order up to which two blocks with strips share a multiprocessor, even if each has room for only two inverted
    /// diagonal blocks.
    pub pairs: PerType<i64>,
    /// First and last order for which strips get inverted diagonal blocks, in batches of as many matrices as for
    /// [`Getri::ahead`].
    pub ahead: [i64; 2],
}

/// Triangular systems: [`crate::gpu::trsm`].
#[derive(Clone, Copy, Debug)]
pub struct Trsm {
    /// Least orders for which strips are faster, for one triangle and for both of a factorisation: first if half of
    /// the last strip may be empty, then if it is not.
    pub strips: PerType<[[i64; 2]; 2]>,
    /// Largest orders for which a warp per tile is faster for few right-hand sides: for one tile, and for up to
    /// four.
    pub few_sides: PerType<[i64; 2]>,
    /// Columns of the narrow tiles that are used if there are few tiles.
    pub narrow: i64,
    /// With fewer tiles than this, a device is partly idle. This and the following values are [`DEFAULT`]'s on every
    /// device.
    pub busy: i64,
    /// Least order and right-hand sides for which halves with a product between them are faster.
    pub halves: (i64, i64),
    /// Triangles above `middle` and up to the first of these orders with many right-hand sides are solved by halves,
    /// too, in batches of at least the second number, as are parts of larger triangles.
    pub halves_middle: PerType<(i64, i64)>,
    /// The order that such triangles must exceed, which is that of the part that is solved first.
    pub middle: i64,
    /// The least order for which the last right-hand sides have a narrow kernel, if they would be a strip of no more
    /// than `narrow`.
    pub last_sides: PerType<i64>,
    /// Up to this order, a part of such a triangle is solved on strips of right-hand sides; 0: never.
    pub halves_in_strips: PerType<i64>,
    /// Least order for which that holds for any number of right-hand sides, because otherwise one block reads the whole
    /// triangle, and by how many times the order must exceed the number of matrices.
    pub halves_alone: (i64, i64),
    /// The same for both triangles of a factorisation, which otherwise take one launch.
    pub halves_both: (i64, i64),
    /// The order up to which a part is not halved further.
    pub block: i64,
}

/// Few large members with individual sizes: [`crate::gpu::plan::padded`]. Few members are padded if both bounds of
/// their sizes are at least the first of a routine's numbers, or one is at least the second; some members of QR if one
/// bound is at least the second number, and the other at most `narrow`. Plans are the same on every device, which uses
/// [`DEFAULT`]'s values.
#[derive(Clone, Copy, Debug)]
pub struct Padded {
    /// Up to this number, members are few.
    pub few: i64,
    /// The same for some.
    pub some: i64,
    /// Some members are padded only if their shorter size is at most this.
    pub narrow: i64,
    /// QR.
    pub geqrf: [i64; 2],
    /// Forming Q.
    pub orgqr: [i64; 2],
    /// Applying Q.
    pub ormqr: [i64; 2],
    /// Triangular solves with at least `sides` right-hand sides: the order of the triangle.
    pub trsm: i64,
    /// See `trsm`.
    pub sides: i64,
    /// Triangular solves with fewer right-hand sides: the order, and how often it must exceed the number of members,
    /// since copying the triangles takes longer than the solves.
    pub trsm_narrow: (i64, i64),
}

/// Members of individual sizes that are sorted by them: [`crate::gpu::plan::parts::sort`]. Plans are the same on every
/// device, which uses [`DEFAULT`]'s values.
#[derive(Clone, Copy, Debug)]
pub struct Sorted {
    /// The largest upper bound on the sizes.
    pub largest: i64,
    /// The least number of members.
    pub members: i64,
    /// The least bytes of as many members as large as the upper bounds, in QR.
    pub geqrf: i64,
    /// The same in LU.
    pub getrf: i64,
    /// The same in Cholesky.
    pub potrf: i64,
    /// The same for any number of members.
    pub any_number: i64,
}

/// Inverses of triangles: [`crate::gpu::triangle`]. Orders for which blocks whose order doubles, or strips, are faster
/// than a block per matrix. Every device uses [`DEFAULT`]'s values.
#[derive(Clone, Copy, Debug)]
pub struct Trtri {
    /// From this order on for any number of matrices.
    pub doubled: PerType<i64>,
    /// From this order on in batches of up to `few`, which leave a device idle.
    pub doubled_few: PerType<i64>,
    /// The largest of these batches.
    pub few: i64,
    /// Up to this order in batches of at least `many`, unless strips are used.
    pub doubled_many: PerType<i64>,
    /// The smallest of these batches.
    pub many: i64,
    /// First and last order for which strips are faster than both, in batches of at least `strips_many`.
    pub strips: PerType<[i64; 2]>,
    /// The smallest of these batches.
    pub strips_many: i64,
}

/// Products with large triangles and symmetric matrices, composed of general products:
/// [`crate::gpu::triangle::diagonals`]. Plans are the same on every device, which uses [`DEFAULT`]'s values.
#[derive(Clone, Copy, Debug)]
pub struct Halves {
    /// The least of the following orders.
    pub least: i64,
    /// Order and number of columns from which this is faster in batches of any size.
    pub many: (i64, i64),
    /// Order from which it is faster if the tiles would be at most so many blocks, which leave a device idle.
    pub few: (i64, i64),
    /// Order from which it is faster if the tiles would be more blocks than this, so that its launches hardly count.
    pub plenty: (i64, i64),
    /// Order of the blocks on the diagonal. It must be below the least order.
    pub block: i64,
}

/// Products: [`crate::gpu::gemm`]. Plans are the same on every device, which uses [`DEFAULT`]'s values.
#[derive(Clone, Copy, Debug)]
pub struct Gemm {
    /// The cost of reading an element, in multiply-adds.
    pub read: f64,
    /// The cost of writing an element, in multiply-adds.
    pub write: f64,
    /// Sums of at most this many terms use short chunks.
    pub short: i64,
    /// The additional cost of lanes' tiles in single precision, as a fraction, if sizes are not multiples of a pack.
    pub ragged: (i64, i64),
    /// For members with individual sizes: by how much the cost of tiles with fewer, and with more, than 32 columns
    /// exceeds the estimate.
    pub each: PerType<[f64; 2]>,
    /// Batches with at most this many tiles of 64 x 64 are planned by their batch count.
    pub few: i64,
    /// The time model for such batches.
    pub cycles: GemmCycles,
    /// How many times as long a kernel takes in such batches as the model says, if not once, for a C with more rows or
    /// columns than `small`.
    pub slower: &'static [(&'static str, f64)],
    /// See `slower`.
    pub small: i64,
    /// For a smaller C in such batches, another kernel replaces the usual one if its estimated time is below this
    /// fraction of the usual one's.
    pub gain: f64,
    /// For larger batches: the cost of a kernel's tiles over the estimate, if not one.
    pub costlier: &'static [(&'static str, f64)],
    /// Rows from which the columns of a matrix are far apart in memory, and the most columns of C for which that
    /// matters.
    pub tall: (i64, i64),
    /// The rows up to which, and the columns of C up to which, lanes are fast for many tall matrices all the same.
    pub tall_lanes: (i64, i64),
    /// Dividing the terms into chunks.
    pub split: GemmSplit,
}

/// Products whose terms are divided into chunks.
#[derive(Clone, Copy, Debug)]
pub struct GemmSplit {
    /// The fewest terms for which this is faster.
    pub from: i64,
    /// The most members for which this is faster.
    pub members: i64,
    /// The fewest terms of a chunk.
    pub terms: i64,
    /// The number of blocks for which chunks are made.
    pub blocks: i64,
    /// The fewest chunks.
    pub least: i64,
}

/// A time model for products of few members, in cycles of a multiprocessor.
#[derive(Clone, Copy, Debug)]
pub struct GemmCycles {
    /// The fraction of its schedulers' multiply-add rate that a block reaches if it is alone.
    pub alone: f64,
    /// Additional cycles per chunk of terms.
    pub chunk: f64,
    /// The cost of reading an element, in multiply-adds, while multiply-adds of other blocks hide the latency.
    pub aside: f64,
    /// Cycles per warp and chunk.
    pub warp: f64,
    /// Bytes stored per cycle, or read from other blocks' sums.
    pub store: f64,
    /// Cycles for which the blocks of a cluster wait for each other.
    pub meet: f64,
    /// Additional cycles of that wait per block on the multiprocessor.
    pub block: f64,
    /// The factor for a chunk if the lanes of a block have several tiles.
    pub teams: f64,
}

/// Products with vectors: [`crate::gpu::gemv`]. Plans are the same on every device, which uses [`DEFAULT`]'s values.
#[derive(Clone, Copy, Debug)]
pub struct Gemv {
    /// The most terms for which a small block's lanes suffice, in sums over the rows of A for A^T x.
    pub long_down: i64,
    /// The most terms for which they suffice, in sums over the columns of A for A x.
    pub long_across: i64,
    /// The number of columns of A that is large for one lane.
    pub many: i64,
    /// The most turns over A^T for a warp's lanes; beyond that, the lanes of several warps share a sum.
    pub turns: i64,
    /// Bytes that stay in the L2 cache. Of more data, little is still there when it is read again.
    pub stays: i64,
}

/// 16-bit matrices: [`crate::gpu::narrow`]. The workspace is the same on every device, which uses [`DEFAULT`]'s
/// values.
#[derive(Clone, Copy, Debug)]
pub struct Narrow {
    /// Bytes of copies to process at a time, so that they stay in the L2 cache.
    pub at_a_time: i64,
    /// The fewest members at a time; with fewer, the device would not be busy.
    pub fewest: i64,
}

/// Sizes for which the vendor's own function was measured to be faster. Calls with a vendor's handle pass these on
/// to it. The sizes have a different form on each device, so they are functions. The decision is made before a
/// device is known, so by [`DEFAULT`]'s.
#[derive(Clone, Copy)]
pub struct Vendors {
    /// Products of matrices, by m, n and k.
    pub gemm: fn(Dtype, [i64; 3]) -> bool,
    /// Products of m x n matrices, transposed or not, with vectors.
    pub gemv: fn(Dtype, bool, [i64; 2]) -> bool,
    /// Forming Q of one matrix, by m, n and k.
    pub orgqr: fn(Dtype, [i64; 3]) -> bool,
    /// Applying one Q, from the left or not, to an m x n matrix, by m, n and k.
    pub ormqr: fn(Dtype, bool, [i64; 3]) -> bool,
    /// LU of one m x n matrix.
    pub getrf: fn(Dtype, [i64; 2]) -> bool,
    /// Cholesky of one matrix of order n.
    pub potrf: fn(Dtype, i64) -> bool,
    /// Solving one system of order n from the factors of either.
    pub solve: fn(Dtype, i64) -> bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each architecture has one description. One without gets the default, and no measured plans.
    #[test]
    fn an_architecture_without_a_description_gets_the_default() {
        for (i, (arch, described)) in ALL.iter().enumerate() {
            assert!(ALL[..i].iter().all(|(other, _)| other != arch), "sm_{arch} is described twice");
            assert!(std::ptr::eq(of(*arch), described));
        }
        for arch in [0, 75, 80, 120].into_iter().filter(|arch| ALL.iter().all(|(described, _)| described != arch)) {
            let Tables { geqrf, others } = of(arch).tables;
            assert!((geqrf, others) == ("", "") && of(arch).orgqr.few == DEFAULT.orgqr.few, "sm_{arch}");
        }
    }
}
