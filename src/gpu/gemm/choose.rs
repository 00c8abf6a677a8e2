//! Plans for batched matrix products: one launch of a kernel whose tile size wastes little.
//!
//! Candidates: `vector` (C is one column: a product with a vector), `lanes` (tiles of a warp or of some of its
//! lanes, for small or narrow C), `tiles` (tiles of a block). If the tiles are too few to occupy all
//! multiprocessors, the blocks of a cluster may share a tile's terms. The plan then depends on the batch count,
//! unless plans must not. `split`: very long sums are divided, and the chunks become members of a batch (split.rs).

use crate::error::Error;
use crate::gpu::arch;
use crate::gpu::gemm::split::is_long;
use crate::gpu::gemv;
use crate::gpu::plan::table::{GEMM, GEMM_EACH, GEMM_LANES, Instance};
use crate::gpu::plan::tuned::{Choice, Tuned, plan_detail};
use crate::gpu::plan::{Launch, Limits, Plan, Planned, Shape, allowed, batch_invariant, ceil_div, pins, restricted};
use crate::routine::{Dtype, Gemm, Trans};

/// Bits of `form`: A is transposed and C is one column; members have individual sizes; sums are very long. From bit
/// `MEMBERS` on: the batch count, if it is small.
const TRANSPOSED: u32 = 1;
const EACH: u32 = 2;
const LONG: u32 = 4;
const MEMBERS: u32 = 3;

/// The shape has m, n and k; `form` has the bits above.
impl Planned for Gemm {
    type Task = ();

    const UNIT: &'static str = "tiles";

    /// Every device runs the kernels. Only measurements or small batches make plans depend on the device.
    fn limits(&self, device: impl FnOnce() -> Result<Limits, Error>) -> Result<Limits, Error> {
        if batch_if_small(self) == 0 && !Tuned::Gemm.is_measured() {
            return Ok(Limits::NONE);
        }
        Ok(Tuned::Gemm.limits(device()?, (self.m, self.n), self.batch))
    }

    fn shape(&self, limits: Limits) -> Shape {
        let transposed = self.n == 1 && self.trans_a != Trans::N;
        let form = match self.sizes {
            Some(_) => EACH,
            None if transposed => TRANSPOSED,
            None if batch_if_small(self) > 0 && is_long(self) => LONG,
            None if limits.native && limits.holds_cluster(2) => batch_if_small(self) << MEMBERS,
            None => 0,
        };
        Shape { dtype: self.dtype, m: self.m, n: self.n, k: self.k, form }
    }

    fn plan(shape: Shape, limits: Limits) -> Result<Plan<Gemm>, Error> {
        let Shape { dtype, m, n, k, form } = shape;
        if m.max(n).max(k) > i32::MAX.into() {
            return Err(Error::NotSupported("2^31 or more rows, columns or terms on the device".into()));
        }
        if form == EACH {
            return Ok(Plan::new("tiles", [Launch::with(tile_of_each(dtype, m, n, k)?, m, n, 0, k)]));
        }
        if n == 1 && k > 0 {
            let transposed = form == TRANSPOSED;
            let (rows, columns) = if transposed { (k, m) } else { (m, k) };
            let instance = gemv::instance(dtype, transposed, rows, columns)?;
            return Ok(Plan::new("vector", [Launch::with(instance, m, n, 0, k)]));
        }
        if form & LONG != 0 && allowed("split") {
            return Ok(Plan { parts_may_be_refused: restricted(), ..Plan::new("split", []) });
        }
        let measured = Tuned::Gemm.measured(dtype, (m, n, k), limits, |c| of_tiles(c, m, n).is_some());
        if let Some((choice, origin)) = measured
            && let Some(instance) = of_tiles(choice, m, n)
        {
            let launch = Launch::with(instance, m, n, 0, k);
            return Ok(Plan { detail: plan_detail(choice, origin), ..Plan::new(choice.candidate(), [launch]) });
        }
        let (instance, halvings) = match form >> MEMBERS {
            0 => (permitted(dtype, (m, n, k), true)?, 0),
            members => quickest(dtype, (m, n, k), members.into(), limits)?,
        };
        let candidate = if instance.is_of(GEMM_LANES) { "lanes" } else { "tiles" };
        Ok(Plan::new(candidate, [Launch::with(instance, m, n, 0, k).in_clusters(1 << halvings)]))
    }

    fn candidates(Shape { dtype, m, n, k, .. }: Shape, _: Limits) -> String {
        let Some(own) = tile(dtype, m, n, k).ok().filter(|_| n > 1 || k == 0) else { return String::new() };
        let own = Choice::Kernel(if own.is_of(GEMM_LANES) { "lanes" } else { "tiles" }, own);
        let launches = |choice| Ok(of_tiles(choice, m, n).map(|i| vec![Launch::with(i, m, n, 0, k)]));
        Tuned::Gemm.list(dtype, own, &[], launches)
    }

    fn words(&self, l: &Launch, (): ()) -> String {
        let Instance { rows, columns, .. } = l.instance;
        if is_vector(l) {
            return format!("{} rows, {} terms", l.m, l.k);
        }
        let shared = if l.cluster > 1 { format!(", shared by {} blocks", l.cluster) } else { String::new() };
        format!("{} x {}, {} terms{shared}, in tiles of {rows} x {columns}", l.m, l.n, l.k)
    }
}

/// The batch count, if the batch's tiles do not fill a device many times over; 0 otherwise, and for products with a
/// vector.
fn batch_if_small(p: &Gemm) -> u32 {
    let tiles = ceil_div(p.m, 64).saturating_mul(ceil_div(p.n, 64)).saturating_mul(p.batch);
    if p.sizes.is_none() && p.n > 1 && p.k > 0 && tiles <= MEASURED.few && !batch_invariant() {
        p.batch as u32
    } else {
        0
    }
}

/// The kernel of a choice, if an m x n matrix can use it: tiles of 24 are held by few lanes, and only used for a C
/// of a single tile.
fn of_tiles(choice: Choice, m: i64, n: i64) -> Option<&'static Instance> {
    let Choice::Kernel(_, i) = choice else { return None };
    let whole = i64::from(i.rows) >= m && i64::from(i.columns) >= n;
    (i.rows != 24 || whole).then_some(i)
}

/// The kernel with the least cost among those that the list of allowed plans permits.
fn permitted(dtype: Dtype, (m, n, k): (i64, i64, i64), many: bool) -> Result<&'static Instance, Error> {
    let choice = |i: &'static Instance| Choice::Kernel(if i.is_of(GEMM_LANES) { "lanes" } else { "tiles" }, i);
    let best = tile_of(dtype, (m, n, k), many)?;
    if Tuned::Gemm.permits(choice(best)) {
        return Ok(best);
    }
    let all = GEMM_LANES.iter().chain(GEMM).filter(|i| i.dtype == dtype).map(choice);
    let found = all.filter(|c| Tuned::Gemm.permits(*c)).find_map(|c| of_tiles(c, m, n));
    found.ok_or_else(|| Error::NotSupported(format!("no allowed kernel multiplies to {m} x {n}")))
}

/// The fastest kernel for a few members, and how often it halves the terms; or, for a small C, the kernel for any
/// number of members, unless it is much slower. The estimate is in cycles of the multiprocessor with the most blocks:
/// either a block's wait for one chunk after another dominates, or the multiply-adds of all blocks, which share the
/// multiprocessor.
fn quickest(
    dtype: Dtype,
    (m, n, k): (i64, i64, i64),
    members: i64,
    limits: Limits,
) -> Result<(&'static Instance, u32), Error> {
    let rate = if dtype.is_complex() { 8.0 } else { 32.0 }; // multiply-adds per scheduler and cycle
    let bytes = dtype.bytes() as f64;
    let cycles = |i: &Instance, halvings: u32| {
        let (rows, columns, tiles) = (i64::from(i.rows), i64::from(i.columns), i64::from(i.per_block));
        let blocks = ceil_div(members * ceil_div(m, rows) * ceil_div(n, columns), tiles) << halvings;
        let busiest = ceil_div(blocks, limits.multiprocessors.into()) as f64;
        let chunk = chunk(i);
        let chunks = ceil_div(ceil_div(k, chunk), 1 << halvings);
        let (sides, area) = ((rows + columns) as f64, (rows * columns * tiles) as f64);
        let (chunk, warps) = (chunk as f64, f64::from(i.threads / 32));
        let alone = chunk * area / (warps.min(4.0) * rate * MEASURED.cycles.alone) + MEASURED.cycles.chunk;
        let shared =
            chunk * (area + sides * tiles as f64 * MEASURED.cycles.aside) / (4.0 * rate) + MEASURED.cycles.warp * warps;
        let meeting = if halvings > 0 {
            MEASURED.cycles.meet + busiest * MEASURED.cycles.block + area * bytes / MEASURED.cycles.store
        } else {
            0.0
        };
        let ends = busiest * area * bytes / MEASURED.cycles.store + meeting;
        let slower = if tiles > 1 { MEASURED.cycles.teams } else { 1.0 };
        chunks as f64 * slower * alone.max(busiest * shared) + ends
    };
    let (slower, gain) = if m.max(n) > MEASURED.small { (MEASURED.slower, 1.0) } else { (&[][..], MEASURED.gain) };
    let candidates = GEMM_LANES.iter().chain(GEMM).filter(|i| i.dtype == dtype);
    let own = |i: &'static Instance| Choice::Kernel(if i.is_of(GEMM_LANES) { "lanes" } else { "tiles" }, i);
    let ways = candidates
        .filter(|i| of_tiles(own(i), m, n).is_some() && reaches(i, m, n, false) && Tuned::Gemm.permits(own(i)))
        .flat_map(|i| {
            let most = if shares(i) { ceil_div(k, chunk(i)).ilog2().min(MOST_HALVINGS) } else { 0 };
            let slower = factor(slower, i);
            (0..=most).map(move |halvings| (slower * cycles(i, halvings), i, halvings))
        });
    let usual = permitted(dtype, (m, n, k), false)?;
    let least = gain * factor(slower, usual) * cycles(usual, 0);
    let best = ways.min_by(|a, b| a.0.total_cmp(&b.0)).filter(|best| best.0 < least);
    Ok(best.map_or((usual, 0), |(_, i, halvings)| (i, halvings)))
}

/// Whether a kernel reads enough adjacent rows for a tall matrix, whose columns are far apart. (A wide C gives every
/// kernel more work per column.) `many`: whether the batch fills the device, so that other warps hide the reads.
fn reaches(i: &Instance, m: i64, n: i64, many: bool) -> bool {
    let hidden = many && m <= MEASURED.tall_lanes.0 && n <= MEASURED.tall_lanes.1;
    let lanes = i.is_of(GEMM_LANES) && !i.dtype.is_complex() && n > 4 && !hidden;
    m < MEASURED.tall.0 || n > MEASURED.tall.1 || i.rows >= 32 && !lanes
}

/// Whether the blocks of a cluster can share a tile's terms, as kernels/gemm/gemm.cuh and lanes.cuh define it.
fn shares(i: &Instance) -> bool {
    if i.is_of(GEMM_LANES) { i.per_block == 1 && i.threads == 32 } else { i.rows * i.columns <= 1024 }
}

/// About the number of terms in a chunk. Kernels with a tile per block do not differ in it, and do not state it.
fn chunk(i: &Instance) -> i64 {
    match i.reflectors {
        0 if i.dtype == Dtype::Z => 8,
        0 => 16,
        terms => terms.into(),
    }
}

/// Whether the launch is a product with a vector.
pub fn is_vector(l: &Launch) -> bool {
    gemv::multiplies(l.instance)
}

/// The kernel with the least total cost of tiles, for an m x n matrix of sums of k terms.
pub fn tile(dtype: Dtype, m: i64, n: i64, k: i64) -> Result<&'static Instance, Error> {
    tile_of(dtype, (m, n, k), true)
}

/// The same; `many`: whether the batch fills the device.
fn tile_of(dtype: Dtype, (m, n, k): (i64, i64, i64), many: bool) -> Result<&'static Instance, Error> {
    // Members whose sizes are not multiples of a pack are copied to shared memory element by element, which takes
    // long with few lanes or many chunks.
    let ragged = dtype == Dtype::S && [m, n, k].iter().any(|size| size % 4 != 0);
    let tiles = |i: &Instance| {
        let count = ceil_div(m, i.rows.into()) * ceil_div(n, i.columns.into());
        match i.rows {
            _ if !reaches(i, m, n, many) => None,
            24 if ragged => None,
            _ if ragged && i.is_of(GEMM_LANES) => Some(count + MEASURED.ragged.0 * count / MEASURED.ragged.1),
            _ => Some(count),
        }
    };
    cheapest(uniform(dtype, k), k, tiles, MEASURED.costlier)
}

/// The same for members with individual sizes, of which these are the largest: the least cost over evenly
/// distributed sizes.
fn tile_of_each(dtype: Dtype, m: i64, n: i64, k: i64) -> Result<&'static Instance, Error> {
    const SPREAD: i64 = 8;
    let cost = |i: &&'static Instance| {
        let of = |part: i64| {
            let [m, n, k] = [m, n, k].map(|most| ceil_div(most * part, SPREAD));
            cost_of_tiles(i, k, ceil_div(m, i.rows.into()) * ceil_div(n, i.columns.into()))
        };
        let [small, large] = MEASURED.each[dtype];
        let factor = [small, 1.0, large][1 + usize::from(i.columns > 32) - usize::from(i.columns < 32)];
        (1..=SPREAD).map(of).sum::<f64>() * factor
    };
    let all = || GEMM_EACH.iter().filter(|i| i.dtype == dtype);
    let pins = pins("tiles");
    let pinned = |i: &&'static Instance| pins.iter().any(|pin| i.name().ends_with(pin.as_str()));
    let any = all().any(|i| pinned(&i)); // other pins are for uniform batches
    all().filter(|i| !any || pinned(i)).min_by(|a, b| cost(a).total_cmp(&cost(b))).ok_or_else(none)
}

/// The same for a triangle of an n x n matrix, where some tiles are empty.
pub fn triangle_tile(dtype: Dtype, n: i64, k: i64) -> Result<&'static Instance, Error> {
    cheapest(uniform(dtype, k), k, |i| triangle_tiles(i, n), &[])
}

/// The same for members with individual orders, of which this is the highest.
pub fn triangle_tile_of_each(dtype: Dtype, n: i64, k: i64) -> Result<&'static Instance, Error> {
    let all = GEMM_EACH.iter().filter(|i| i.dtype == dtype);
    cheapest(all, k, |i| triangle_tiles(i, n), &[])
}

/// Tiles that contain a part of a triangle. `None` for kernels that cannot compute triangles.
fn triangle_tiles(i: &Instance, n: i64) -> Option<i64> {
    let (rows, columns) = (i64::from(i.rows), i64::from(i.columns));
    let (down, across) = (ceil_div(n, rows), ceil_div(n, columns));
    // The kernels count tiles in the same way.
    (rows % columns == 0).then(|| rows / columns * (down * (down - 1) / 2) + across)
}

/// The kernels for uniform batches of sums of k terms.
fn uniform(dtype: Dtype, k: i64) -> impl Iterator<Item = &'static Instance> {
    // Long chunks are only used for long sums.
    let chunk = move |i: &&Instance| {
        let shorter =
            |other: &Instance| (other.rows, other.columns) == (i.rows, i.columns) && other.reflectors < i.reflectors;
        k > MEASURED.short || !GEMM_LANES.iter().any(|other| other.dtype == dtype && shorter(other))
    };
    GEMM_LANES.iter().filter(chunk).rev().chain(GEMM).filter(move |i| i.dtype == dtype)
}

/// The cheapest of these kernels; `tiles` is the number of tiles that each would need, or `None` if it cannot do it.
/// `costlier`: factors on the cost of some kernels.
fn cheapest(
    all: impl Iterator<Item = &'static Instance>,
    k: i64,
    tiles: impl Fn(&Instance) -> Option<i64>,
    costlier: &[(&str, f64)],
) -> Result<&'static Instance, Error> {
    let cost = |i: &'static Instance| {
        let count = tiles(i)?;
        // Tiles of 24 are held by few lanes, and only used for a C of a single tile.
        (i.rows != 24 || count <= 1).then(|| (factor(costlier, i) * cost_of_tiles(i, k, count), i))
    };
    let best = all.filter_map(cost).min_by(|a, b| a.0.total_cmp(&b.0));
    best.map(|(_, i)| i).ok_or_else(none)
}

/// A kernel's factor in a list of some kernels; one for the others.
fn factor(list: &[(&str, f64)], i: &Instance) -> f64 {
    list.iter().find(|(name, _)| *name == i.name()).map_or(1.0, |(_, factor)| *factor)
}

/// The cost of `count` tiles of a kernel, for sums of k terms.
fn cost_of_tiles(i: &Instance, k: i64, count: i64) -> f64 {
    let (rows, columns) = (i64::from(i.rows), i64::from(i.columns));
    // A tile reads its sides, and computes and writes its area. The smaller the tile, the more reads per sum.
    let (sides, area) = ((rows + columns) as f64, (rows * columns) as f64);
    let terms = k.max(1) as f64;
    count as f64 * (sides * terms * MEASURED.read + area * (terms + MEASURED.write))
}

fn none() -> Error {
    Error::Internal("no kernel multiplies matrices".into())
}

/// Gemm's measurements, the same on every device.
pub(super) const MEASURED: &arch::Gemm = &arch::DEFAULT.gemm;

/// How often terms may be halved without clusters of a size that needs an opt-in.
const MOST_HALVINGS: u32 = 3;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::routine::{Alpha, Operand};

    fn tile_of(dtype: Dtype, m: i64, n: i64, k: i64) -> (u32, u32) {
        let i = tile(dtype, m, n, k).unwrap();
        (i.rows, i.columns)
    }

    #[test]
    fn tiles_are_of_the_size_of_what_is_small() {
        for dtype in Dtype::ALL {
            assert_eq!(tile_of(dtype, 4, 4, 4), (8, 8));
            assert_eq!(tile_of(dtype, 8, 8, 8), (8, 8));
            assert_eq!(tile_of(dtype, 12, 12, 12), (16, 16));
            assert_eq!(tile_of(dtype, 16, 16, 16), (16, 16));
            assert_eq!(tile_of(dtype, 16, 16, 1024), (16, 16));
            let side = if matches!(dtype, Dtype::S | Dtype::C) { 24 } else { 32 };
            assert_eq!(tile_of(dtype, 24, 24, 24), (side, side), "{dtype:?}");
            assert_eq!(tile_of(dtype, 32, 32, 32), (32, 32));
            assert_eq!(tile_of(dtype, 256, 16, 32).1, 16, "{dtype:?}");
            let across = if dtype == Dtype::Z { 32 } else { 64 };
            assert_eq!(tile_of(dtype, 64, 64, 64), (64, across), "{dtype:?}");
        }
        assert_eq!(tile_of(Dtype::S, 512, 512, 512), (128, 64));
        assert_eq!(tile_of(Dtype::D, 512, 512, 512), (64, 64));
        for (n, tile) in [(48, (48, 48)), (96, (32, 32)), (144, (48, 48)), (192, (64, 32)), (381, (64, 32))] {
            assert_eq!(tile_of(Dtype::Z, n, n, n), tile);
        }
        for (n, tile) in [(48, (48, 48)), (96, (32, 32)), (129, (48, 48)), (256, (64, 64))] {
            assert_eq!(tile_of(Dtype::C, n, n, n), tile);
        }
        assert_eq!(tile_of(Dtype::D, 205, 205, 205), (64, 64));
        for dtype in [Dtype::S, Dtype::D] {
            for n in [33, 48, 129] {
                assert_eq!(tile_of(dtype, n, n, n), (48, 48), "{dtype:?}");
            }
            assert_eq!(tile_of(dtype, 16, 64, 1024), (16, 64), "{dtype:?}");
        }
    }

    /// The fastest kernels of results/h200/gemm_choice.csv.
    #[test]
    fn few_tiles_have_the_measured_kernels() {
        for (dtype, [m, n, k, members], kernel) in [
            (Dtype::S, [370, 370, 370, 1], "gemm_s_32x32"),
            (Dtype::S, [76, 76, 76, 19], "gemm_lanes_s_16x16x32"),
            (Dtype::D, [399, 399, 399, 1], "gemm_d_16x64"),
            (Dtype::D, [287, 397, 397, 10], "gemm_d_64x64"),
            (Dtype::C, [68, 90, 90, 87], "gemm_c_32x32"),
            (Dtype::C, [112, 18, 18, 28], "gemm_lanes_c_16x16x32"),
        ] {
            let (found, _) = quickest(dtype, (m, n, k), members, Limits::HOPPER).unwrap();
            assert_eq!(found.name(), kernel, "{m} x {n} x {k} x {members}");
        }
    }

    /// A factor for a kernel that is gone would silently count as 1.
    #[test]
    fn measured_factors_are_of_kernels_that_exist() {
        for (name, _) in MEASURED.slower.iter().chain(MEASURED.costlier) {
            assert!(GEMM_LANES.iter().chain(GEMM).any(|i| i.name() == *name), "{name}");
        }
    }

    #[test]
    fn triangles_have_tiles_that_divide_them() {
        for dtype in Dtype::ALL {
            for n in [1, 16, 33, 64, 100, 512] {
                let i = triangle_tile(dtype, n, 16).unwrap();
                assert!(i.rows.is_multiple_of(i.columns));
            }
        }
    }

    #[test]
    fn long_sums_have_long_chunks() {
        for dtype in [Dtype::S, Dtype::C] {
            assert!(tile(dtype, 16, 16, 512).unwrap().reflectors > tile(dtype, 16, 16, 16).unwrap().reflectors);
        }
    }

    /// A few products of long sums divide the terms among blocks, with kernels that can, so that more blocks work
    /// than there are tiles.
    #[test]
    fn few_products_fill_the_device() {
        for dtype in Dtype::ALL {
            for (m, n, k, members) in [(36, 60, 700, 1), (23, 9, 700, 50), (6, 400, 450, 10), (352, 352, 352, 1)] {
                let form = members << MEMBERS;
                let plan = Gemm::plan(Shape { dtype, m, n, k, form }, Limits::HOPPER).unwrap();
                let launch = plan.launches().next().unwrap();
                assert!(launch.cluster == 1 || shares(launch.instance));
                assert!(launch.cluster.is_power_of_two() && launch.cluster <= 8);
                let tiles = ceil_div(m, launch.instance.rows.into()) * ceil_div(n, launch.instance.columns.into());
                let blocks = tiles * i64::from(members) * i64::from(launch.cluster);
                assert!(blocks >= 24, "{dtype:?} {m} x {n} x {k} x {members}: {blocks} blocks");
            }
            let many = Shape { dtype, m: 64, n: 64, k: 64, form: 0 };
            assert_eq!(Gemm::plan(many, Limits::HOPPER).unwrap().launches().next().unwrap().cluster, 1);
        }
    }

    /// A million rows of a few columns: lanes that read eight or sixteen rows of a column took up to ten times as
    /// long.
    #[test]
    fn tall_products_have_tall_tiles() {
        for dtype in Dtype::ALL {
            for (n, k) in [(4, 4), (8, 8), (16, 16), (4, 30), (30, 4), (8, 300)] {
                let i = tile(dtype, 1_000_000, n, k).unwrap();
                assert!(i.rows >= 32, "{dtype:?} {n} x {k}");
            }
        }
    }

    #[test]
    fn few_very_long_sums_are_divided() {
        let strided = Operand::Strided { base: std::ptr::null_mut(), stride: 0 };
        let (sizes, ld) = ([32, 32, 1 << 21], [1 << 21, 1 << 21, 32]);
        let p = Gemm::uniform(Dtype::D, [Trans::T, Trans::N], sizes, [Alpha::ZERO; 2], [strided; 3], ld, 1);
        let form = |p: &Gemm| p.shape(Limits::HOPPER).form;
        assert_eq!(form(&p), LONG);
        assert_ne!(form(&Gemm { batch: 100, ..p }), LONG);
        assert_ne!(form(&Gemm { k: 1000, ..p }), LONG);
        assert_ne!(form(&Gemm { a: Operand::NULL, ..p }), LONG, "the device alone knows where the factors are");
    }

    #[test]
    fn one_column_is_a_vector() {
        let shape = Shape { dtype: Dtype::D, m: 100, n: 1, k: 20, form: 0 };
        assert_eq!(Gemm::plan(shape, Limits::NONE).unwrap().candidate, "vector");
        assert!(Gemm::plan(Shape { m: 1 << 31, ..shape }, Limits::NONE).is_err());
    }
}
