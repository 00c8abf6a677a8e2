//! Batches whose members have sizes of their own: small members in the lanes of vectors, the others one by one.
//!
//! A member's result must not depend on the others. So its own sizes alone decide whether it is small, and in all but
//! the smallest batches small members go through lanes, even if most of the lanes have nothing else to do. Members of
//! similar sizes share a tile; they are continued to the tile's size in such a way that each element of a member is
//! computed by the same operations in the same order, however large the tile is.

use super::choice::{Algorithm, Distribution, lanes, level};
use super::interleaved::{LanePointers, OwnSizes, Part, Prefetch};
use super::over_batch::{OverBatch, Shared, Task, Varying, over_batch, single_threaded};
use super::packed::Re;
#[cfg(target_arch = "x86_64")]
use super::simd::Level;
use super::simd::{MAX_LANES, Pack, Packed};
use super::{scratch, threads};
use crate::error::Error;
use crate::plan;
use crate::routine::bounds::Bounds;
use crate::routine::{Operand, Routine};
use crate::scalar::{Real, Scalar};
use parking_lot::Mutex;
use std::cell::Cell;
use std::ffi::c_void;
use std::ops::Range;
use std::ptr::null_mut;

/// Largest number of rows and of columns of a small member.
const MOST: usize = 128;
/// Number of members up to which those with more than 32 rows or columns are done alone, because they would share tiles
/// with much smaller ones.
const FEW: i64 = 64;
/// Largest number of right-hand sides of a small member.
pub const SIDES: usize = 32;
/// Most members that are sorted at a time.
const AT_A_TIME: usize = 2048;
/// Bytes of a matrix from which the next group's are prefetched. Neighbours in the order of sizes are not neighbours in
/// memory, so that the hardware does not do it.
const PREFETCHED: usize = 2 << 10;
/// Groups that a thread should take at a time, so that the members of a group have similar sizes.
const GROUPS: usize = 16;

/// A routine that does small members in lanes.
pub trait InLanes: Varying + Routine + Alone {
    /// Rows and columns of the tile for a problem of one member, by default those of its matrix. `None` if lanes cannot
    /// do it.
    ///
    /// # Safety
    /// As [`super::run::Run::run`].
    #[inline(always)]
    unsafe fn tile(&self) -> Option<(i64, i64)> {
        let Places { size: [m, n, _], right: (_, [_, sides, _]), .. } = unsafe { self.places() };
        (sides <= SIDES as i64).then_some((m, n))
    }
    /// Whether the member may share a tile only with others of which this is true.
    #[inline(always)]
    fn apart(&self) -> bool {
        false
    }
    /// Where a problem of one member has its operands.
    ///
    /// # Safety
    /// As [`super::run::Run::run`].
    unsafe fn places(&self) -> Places;
    /// Bytes of workspace for tiles of at most m rows and n columns. `None` if the size overflows.
    fn tile_bytes<P: Pack>(&self, m: usize, n: usize) -> Option<usize>;
    /// Processes the members of a group, and prefetches those of the next one, which may have none. Returns the lanes
    /// that must be done alone.
    ///
    /// # Safety
    /// As [`Task::range`].
    unsafe fn group<P: Pack<S: Packed>>(
        &self,
        group: &SmallGroup<Re<P>>,
        next: &SmallGroup<Re<P>>,
        buffer: *mut u8,
    ) -> u32;
}

/// A routine that does members alone.
pub trait Alone {
    /// Whether vectors of so many lanes do a problem of one member faster if there are enough like it, as in uniform
    /// batches.
    fn gains(&self, lanes: usize) -> bool;
    /// Processes a problem of one member in a call that distributes its members like this.
    ///
    /// # Safety
    /// As [`super::run::Run::run`].
    unsafe fn alone<T: Packed>(&self, distribution: Distribution) -> Result<(), Error>;
}

impl<R: OverBatch> Alone for R {
    fn gains(&self, lanes: usize) -> bool {
        self.elements().is_some_and(|elements| elements <= self.interleaved_best(level(), lanes as i64))
    }
    unsafe fn alone<T: Packed>(&self, _: Distribution) -> Result<(), Error> {
        unsafe { self.run_as::<T>(&single_threaded(self)) }
    }
}

/// Where a member's operands are.
pub struct Places {
    /// The caller's matrix.
    pub matrix: *mut c_void,
    /// Its rows, columns and leading dimension.
    pub size: [i64; 3],
    /// The vector that belongs to it, or NULL: scalar factors or interchanges.
    pub vector: *mut c_void,
    /// A second matrix, the right-hand sides, and its size; NULL if there is none.
    pub right: (*mut c_void, [i64; 3]),
    /// Its info code, or NULL.
    pub info: *mut i32,
}

impl Places {
    /// A member with one matrix.
    ///
    /// # Safety
    /// As [`super::run::Run::run`].
    #[inline(always)]
    pub unsafe fn new(matrix: Operand, size: [i64; 3], info: *mut i32) -> Places {
        let (vector, right) = (null_mut(), (null_mut(), [0; 3]));
        Places { matrix: unsafe { matrix.first() }, size, vector, right, info }
    }
    /// Adds the vector.
    #[inline(always)]
    pub fn with_vector(self, vector: *mut c_void) -> Places {
        Places { vector, ..self }
    }
    /// Adds the second matrix.
    ///
    /// # Safety
    /// As [`super::run::Run::run`].
    #[inline(always)]
    pub unsafe fn with_right(self, matrix: Operand, size: [i64; 3]) -> Places {
        Places { right: (unsafe { matrix.first() }, size), ..self }
    }
}

/// Matrices in the lanes of one tile.
pub struct LaneMatrices<R> {
    /// Where they start.
    pub starts: LanePointers<R>,
    /// Their sizes.
    pub sizes: OwnSizes,
}

impl<R> LaneMatrices<R> {
    const NONE: Self = LaneMatrices { starts: [null_mut(); MAX_LANES], sizes: OwnSizes::NONE };

    #[inline(always)]
    fn set(&mut self, lane: usize, start: *mut c_void, [rows, columns, ld]: [i64; 3]) {
        self.starts[lane] = start.cast();
        (self.sizes.rows[lane], self.sizes.columns[lane]) = (rows as u32, columns as u32);
        self.sizes.ld[lane] = ld as i32;
    }
    /// Makes a lane repeat the one before it.
    #[inline(always)]
    fn repeat(&mut self, lane: usize) {
        self.starts[lane] = self.starts[lane - 1];
        (self.sizes.rows[lane], self.sizes.columns[lane]) = (self.sizes.rows[lane - 1], self.sizes.columns[lane - 1]);
        self.sizes.ld[lane] = self.sizes.ld[lane - 1];
    }
}

/// Small members that lie in the lanes of one tile. Lanes without a member repeat the last one.
pub struct SmallGroup<R> {
    /// Number of members.
    pub count: usize,
    /// The most rows, and the most columns, of a tile.
    pub most: (usize, usize),
    /// The matrices.
    pub of: LaneMatrices<R>,
    /// The right-hand sides.
    pub right: LaneMatrices<R>,
    /// The vectors that belong to them.
    pub vectors: [*mut c_void; MAX_LANES],
    /// The info codes.
    pub infos: [*mut i32; MAX_LANES],
}

impl<R: Real> SmallGroup<R> {
    const NONE: Self = SmallGroup {
        count: 0,
        most: (0, 0),
        of: LaneMatrices::NONE,
        right: LaneMatrices::NONE,
        vectors: [null_mut(); MAX_LANES],
        infos: [null_mut(); MAX_LANES],
    };
    /// Prefetches these matrices in the given number of steps. `None` if it would not pay off.
    #[inline(always)]
    pub fn prefetch<T: Scalar<Re = R>>(&self, part: Part, steps: usize) -> Option<Prefetch> {
        let bytes = self.most.0 * self.most.1 * size_of::<T>();
        (bytes > PREFETCHED && self.count > 0 && bytes * self.count <= Prefetch::MAX_BYTES)
            .then(|| Prefetch::new::<T>(&self.of.starts, &self.of.sizes, self.count, part, steps))
    }
    /// A mask with one bit per member.
    #[inline(always)]
    pub fn lanes(&self) -> u32 {
        u32::MAX >> (32 - self.count)
    }
    /// The most right-hand sides.
    #[inline(always)]
    pub fn sides(&self) -> usize {
        self.right.sizes.columns.iter().fold(0, |most, &columns| most.max(columns as usize))
    }
    /// Sets the code of the member in a lane, unless the caller passed NULL.
    #[inline(always)]
    pub unsafe fn set_info(&self, lane: usize, code: i32) {
        if !self.infos[lane].is_null() {
            unsafe { self.infos[lane].write(code) };
        }
    }
}

/// A small member.
#[derive(Clone, Copy)]
struct Small {
    /// Its place in the range of the batch.
    place: u16,
    /// Rows and columns of its tile.
    rows: u8,
    columns: u8,
}

fn most(members: &[Small]) -> (usize, usize) {
    let (mut rows, mut columns) = (0, 0);
    for member in members {
        (rows, columns) = (rows.max(member.rows), columns.max(member.columns));
    }
    (rows.into(), columns.into())
}

/// What makes a member small in a call.
#[derive(Clone, Copy)]
struct Limits {
    /// Rows and columns up to which a member is small, whatever the routine.
    always: i64,
    /// Rows and columns up to which it is if lanes gain by it.
    most: i64,
    lanes: usize,
}

impl Limits {
    /// Nothing is small if lanes may not be used at all. As in uniform batches, they take longer than a few members
    /// alone.
    fn new<R: Routine>(p: &R) -> Limits {
        let lanes = lanes(p.dtype(), level());
        let many = p.batch() as usize > lanes / 2 || plan::batch_invariant();
        if lanes < 2 || !many || !plan::allowed(Algorithm::Interleaved.name()) {
            return Limits { always: -1, most: -1, lanes };
        }
        if p.batch() <= FEW && !plan::batch_invariant() {
            return Limits { always: 32, most: 32, lanes };
        }
        let always = match level() {
            #[cfg(target_arch = "x86_64")]
            Level::Avx512 => 64,
            _ => 32,
        };
        Limits { always, most: MOST as i64, lanes }
    }
}

/// Rows and columns of the tile for a problem of one member, if the member is small.
#[inline(always)]
unsafe fn small<R: InLanes>(p: &R, limits: Limits) -> Option<(u8, u8)> {
    let (rows, columns) = unsafe { p.tile()? };
    let most = rows.max(columns);
    let fits = most <= limits.always || most <= limits.most && p.gains(limits.lanes);
    fits.then_some((rows as u8, columns as u8))
}

/// Processes a batch whose members have sizes of their own.
///
/// # Safety
/// As [`super::run::Run::run`], for the problem of every member.
pub unsafe fn process<T: Packed, R: InLanes>(p: &R, distribution: Distribution) -> Result<(), Error> {
    let (batch, limits) = (p.batch() as usize, Limits::new(p));
    let grain = match distribution.threads {
        ..2 => AT_A_TIME,
        threads if unsafe { small(p, limits) }.is_some() => {
            distribution.grain.max(GROUPS * limits.lanes).min(batch.div_ceil(threads))
        }
        _ => distribution.grain,
    };
    let (failure, all) = (Mutex::new(None), Shared(p));
    threads::for_ranges(batch, grain.min(AT_A_TIME), distribution.threads, |range| {
        // SAFETY: the caller vouches for the operands; ranges are disjoint.
        let note = |result| {
            if let Err(e) = result {
                *failure.lock() = Some(e)
            }
        };
        note(unsafe { process_range::<T, R>(all.get(), range, distribution, limits, &note) });
    });
    failure.into_inner().map_or(Ok(()), Err)
}

/// Processes a range of the batch, of at most [`AT_A_TIME`] members.
unsafe fn process_range<T: Packed, R: InLanes>(
    p: &R,
    range: Range<usize>,
    distribution: Distribution,
    limits: Limits,
    note: &impl Fn(Result<(), Error>),
) -> Result<(), Error> {
    let (first, size, bounds) = (range.start, range.len(), p.bounds().unwrap_or(Bounds::NONE));
    scratch::with_outer(2 * size * size_of::<Small>(), |buffer| unsafe {
        // SAFETY: zeros are valid members.
        buffer.write_bytes(0, 2 * size * size_of::<Small>());
        let (members, spare) = std::slice::from_raw_parts_mut(buffer.cast::<Small>(), 2 * size).split_at_mut(size);
        // Members that are apart begin at the end.
        let (mut count, mut apart) = (0, size);
        for (place, i) in range.enumerate() {
            let sizes = p.member(i, &bounds).map(|member| (small(&member, limits), member.apart()));
            let Some((sizes, is_apart)) = sizes else { continue };
            let Some((rows, columns)) = sizes else {
                alone::<T, R>(p, i, distribution, note);
                continue;
            };
            let small = Small { place: place as u16, rows, columns };
            if is_apart {
                apart -= 1;
                members[apart] = small;
            } else {
                members[count] = small;
                count += 1;
            }
        }
        for run in [0..count, apart..size] {
            let (members, spare) = (&mut members[run.clone()], &mut spare[run]);
            if !members.is_empty() {
                process_small::<T, R>(p, first, members, spare, distribution, note)?;
            }
        }
        Ok(())
    })?
}

/// Processes member i, which is known to be valid and not empty, alone.
#[inline(never)]
unsafe fn alone<T: Packed, R: InLanes>(p: &R, i: usize, distribution: Distribution, note: &impl Fn(Result<(), Error>)) {
    if let Some(member) = unsafe { p.known_member(i) } {
        note(unsafe { member.alone::<T>(distribution) });
    }
}

/// Processes small members of the range that begins at `first`, any of which may share a tile.
#[inline(never)]
unsafe fn process_small<T: Packed, R: InLanes>(
    p: &R,
    first: usize,
    members: &mut [Small],
    spare: &mut [Small],
    distribution: Distribution,
    note: &impl Fn(Result<(), Error>),
) -> Result<(), Error> {
    let (count, (sorted, free)) = (members.len(), arrange(members, spare, lanes(p.dtype(), level())));
    let left = Left { members: Cell::from_mut(free).as_slice_of_cells(), count: Cell::new(0) };
    let whole = Distribution { threads: 1, threads_per_member: 1, grain: count };
    unsafe {
        over_batch::<T, _>(&Groups { p, first, members: sorted, left: &left }, count, level(), whole)?;
        for member in &left.members[..left.count.get()] {
            alone::<T, R>(p, first + usize::from(member.get().place), distribution, note);
        }
    }
    Ok(())
}

/// Sorts members, of which there is at least one, such that neighbours have similar sizes. Returns them and free space.
#[inline(never)]
fn arrange<'a>(
    members: &'a mut [Small],
    spare: &'a mut [Small],
    of_group: usize,
) -> (&'a mut [Small], &'a mut [Small]) {
    let columns = members[0].columns;
    let (mut square, mut same) = (true, true);
    for member in members.iter() {
        square &= member.rows == member.columns;
        same &= member.columns == columns;
    }
    if square || same {
        sort(members, spare, |member| member.rows);
        return (spare, members);
    }
    // Bands of rows, about as many as there are groups in each, which go through the columns to and fro.
    let bands = (members.len() as f64 / of_group as f64).sqrt().ceil() as usize;
    let height = most(members).0.div_ceil(bands);
    let mut band_of = [0; MOST + 1];
    for (rows, band) in band_of.iter_mut().enumerate() {
        *band = rows.div_ceil(height) as u8;
    }
    let band = |member: &Small| band_of[usize::from(member.rows)];
    let back = |member: &Small| band(member) % 2 == 1;
    sort(members, spare, |member| if back(member) { MOST as u8 - member.columns } else { member.columns });
    sort(spare, members, band);
    (members, spare)
}

/// Members that lanes could not do.
struct Left<'a> {
    members: &'a [Cell<Small>],
    count: Cell<usize>,
}

impl Left<'_> {
    /// Adds the members whose bit is set.
    #[cold]
    fn add(&self, members: &[Small], lanes: u32) {
        for (_, member) in members.iter().enumerate().filter(|(l, _)| lanes >> l & 1 == 1) {
            self.members[self.count.get()].set(*member);
            self.count.set(self.count.get() + 1);
        }
    }
}

/// The small members of a range of a batch, in order of their sizes.
struct Groups<'a, R> {
    p: &'a R,
    /// Where the range begins.
    first: usize,
    members: &'a [Small],
    left: &'a Left<'a>,
}

impl<R: InLanes> Groups<'_, R> {
    /// Makes these members the group. No vectors are needed for that, so it is compiled once for all instruction sets.
    #[inline(never)]
    unsafe fn fill<N: Real>(&self, members: &[Small], lanes: usize, group: &mut SmallGroup<N>) {
        (group.count, group.most) = (members.len(), most(members));
        for l in 0..if members.is_empty() { 0 } else { lanes } {
            if l >= members.len() {
                group.vectors[l] = group.vectors[l - 1];
                group.of.repeat(l);
                group.right.repeat(l);
                continue;
            }
            // Always there: it was a member when its size was read, and sizes do not change during a call.
            let place = self.first + usize::from(members[l].place);
            let Some(p) = (unsafe { self.p.known_member(place) }) else { continue };
            let Places { matrix, size, vector, right, info } = unsafe { p.places() };
            group.of.set(l, matrix, size);
            group.right.set(l, right.0, right.1);
            (group.vectors[l], group.infos[l]) = (vector, info);
        }
    }
}

impl<T: Packed, R: InLanes> Task<T> for Groups<'_, R> {
    #[inline(always)]
    fn bytes<P: Pack<S = T>>(&self) -> Option<usize> {
        let (m, n) = most(self.members);
        self.p.tile_bytes::<P>(m, n)
    }
    #[inline(always)]
    unsafe fn range<P: Pack<S = T>>(&self, range: Range<usize>, buffer: *mut u8) {
        // Nothing is small in vectors of one lane, for which this need not be compiled.
        if !P::interleaves(true) {
            return;
        }
        let (mut one, mut other) = (SmallGroup::NONE, SmallGroup::NONE);
        let (mut group, mut next) = (&mut one, &mut other);
        let (mut members, mut rest) = (&self.members[..0], &self.members[range]);
        loop {
            let (following, others) = rest.split_at(P::L.min(rest.len()));
            unsafe { self.fill(following, P::L, next) };
            if group.count > 0 {
                let left = unsafe { self.p.group::<P>(group, next, buffer) };
                if left != 0 {
                    self.left.add(members, left);
                }
            }
            if following.is_empty() {
                break;
            }
            std::mem::swap(&mut group, &mut next);
            (members, rest) = (following, others);
        }
    }
}

/// Sorts by a size, the largest first, and keeps the order of members for which it is the same.
#[inline(always)]
fn sort(from: &[Small], to: &mut [Small], size: impl Fn(&Small) -> u8) {
    let mut ends = [0_usize; MOST + 1];
    for member in from {
        ends[usize::from(size(member))] += 1;
    }
    for size in (0..MOST).rev() {
        ends[size] += ends[size + 1];
    }
    for member in from.iter().rev() {
        let end = &mut ends[usize::from(size(member))];
        *end -= 1;
        to[*end] = *member;
    }
}
