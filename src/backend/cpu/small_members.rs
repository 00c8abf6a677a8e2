//! Batches whose members have sizes of their own: small members in the lanes of vectors, the others one by one.
//!
//! A member's result must not depend on the others. So its own sizes alone decide whether it is small, and in all but
//! the smallest batches small members go through lanes, even if most of the lanes have nothing else to do. Members of
//! similar sizes share a tile; they are continued to the tile's size in such a way that each element of a member is
//! computed by the same operations in the same order, however large the tile is.

use super::choice::{Algorithm, Distribution, lanes, level};
use super::interleaved::{LanePointers, OwnSizes, Part, Prefetch};
use super::over_batch::{Shared, Task, Varying, over_batch};
use super::packed::Re;
use super::simd::{MAX_LANES, Pack, Packed};
use super::{scratch, threads};
use crate::error::Error;
use crate::plan;
use crate::routine::{Operand, Routine};
use crate::scalar::{Real, Scalar};
use parking_lot::Mutex;
use std::cell::Cell;
use std::ffi::c_void;
use std::ops::Range;
use std::ptr::null_mut;

/// Largest number of rows and of columns of a small member, and of its right-hand sides.
pub const MOST: usize = 32;
/// Most members that are sorted at a time.
const AT_A_TIME: usize = 2048;
/// Bytes of a matrix from which the next group's are prefetched. Neighbours in the order of sizes are not neighbours in
/// memory, so that the hardware does not do it.
const PREFETCHED: usize = 2 << 10;
/// Groups that a thread should take at a time, so that the members of a group have similar sizes.
const GROUPS: usize = 16;

/// A routine that does small members in lanes.
pub trait InLanes: Varying + Routine {
    /// Rows and columns of the tile for a problem of one member. `None` if lanes cannot do it.
    fn tile(&self) -> Option<(i64, i64)>;
    /// Where a problem of one member has its operands.
    ///
    /// # Safety
    /// As [`super::run::Run::run`].
    unsafe fn places(&self) -> Places;
    /// Bytes of workspace for tiles of at most m rows and n columns. `None` if the size overflows.
    fn tile_bytes<P: Pack>(&self, m: usize, n: usize) -> Option<usize>;
    /// Processes the members of a group, and prefetches those of the next one. Returns the lanes that must be done
    /// alone.
    ///
    /// # Safety
    /// As [`Task::range`].
    unsafe fn group<P: Pack<S: Packed>>(
        &self,
        group: &SmallGroup<Re<P>>,
        next: Option<&SmallGroup<Re<P>>>,
        buffer: *mut u8,
    ) -> u32;
    /// Processes a problem of one member in a call that distributes its members like this.
    ///
    /// # Safety
    /// As [`super::run::Run::run`].
    unsafe fn alone<T: Packed>(&self, distribution: Distribution) -> Result<(), Error>;
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
        self.sizes.ld[lane] = ld as u32;
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
    /// Prefetches these matrices in the given number of steps. `None` if it would not pay off.
    #[inline(always)]
    pub fn prefetch<T: Scalar<Re = R>>(&self, part: Part, steps: usize) -> Option<Prefetch> {
        let bytes = self.most.0 * self.most.1 * size_of::<T>();
        (bytes > PREFETCHED).then(|| Prefetch::new::<T>(&self.of.starts, &self.of.sizes, self.count, part, steps))
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
    members.iter().fold((0, 0), |(m, n), member| (m.max(member.rows.into()), n.max(member.columns.into())))
}

/// Whether lanes may be used at all. As in uniform batches, they take longer than a few members alone.
fn possible<R: Routine>(p: &R) -> bool {
    let lanes = lanes(p.dtype(), level());
    let many = p.batch() as usize > lanes / 2 || plan::batch_invariant();
    lanes > 1 && many && plan::allowed(Algorithm::Interleaved.name())
}

/// Rows and columns of the tile for a problem of one member, if the member is small.
#[inline(always)]
fn small<R: InLanes>(p: &R, possible: bool) -> Option<(u8, u8)> {
    let (rows, columns) = p.tile()?;
    let fits = rows <= MOST as i64 && columns <= MOST as i64;
    (possible && fits).then_some((rows as u8, columns as u8))
}

/// Processes a batch whose members have sizes of their own.
///
/// # Safety
/// As [`super::run::Run::run`], for the problem of every member.
pub unsafe fn process<T: Packed, R: InLanes>(p: &R, distribution: Distribution) -> Result<(), Error> {
    let (batch, of_group, possible) = (p.batch() as usize, lanes(p.dtype(), level()), possible(p));
    let grain = match distribution.threads {
        ..2 => AT_A_TIME,
        threads if small(p, possible).is_some() => {
            distribution.grain.max(GROUPS * of_group).min(batch.div_ceil(threads))
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
        note(unsafe { process_range::<T, R>(all.get(), range, distribution, possible, &note) });
    });
    failure.into_inner().map_or(Ok(()), Err)
}

/// Processes a range of the batch, of at most [`AT_A_TIME`] members.
unsafe fn process_range<T: Packed, R: InLanes>(
    p: &R,
    range: Range<usize>,
    distribution: Distribution,
    possible: bool,
    note: &impl Fn(Result<(), Error>),
) -> Result<(), Error> {
    let (first, size) = (range.start, range.len());
    scratch::with_outer(2 * size * size_of::<Small>(), |buffer| unsafe {
        // SAFETY: zeros are valid members.
        buffer.write_bytes(0, 2 * size * size_of::<Small>());
        let (members, spare) = std::slice::from_raw_parts_mut(buffer.cast::<Small>(), 2 * size).split_at_mut(size);
        let (mut count, mut square) = (0, true);
        for (place, member) in range.enumerate().filter_map(|(place, i)| Some((place, p.member(i)?))) {
            match small(&member, possible) {
                Some((rows, columns)) => {
                    members[count] = Small { place: place as u16, rows, columns };
                    (count, square) = (count + 1, square && rows == columns);
                }
                None => note(member.alone::<T>(distribution)),
            }
        }
        if count == 0 {
            return Ok(());
        }
        let (members, spare) = (&mut members[..count], &mut spare[..count]);
        let (sorted, free) = if square {
            sort(members, spare, |member| member.columns);
            (spare, members)
        } else {
            // Bands of rows, about as many as there are groups in each, which go through the columns to and fro.
            let bands = (count as f64 / lanes(p.dtype(), level()) as f64).sqrt().ceil() as usize;
            let height = most(members).0.div_ceil(bands) as u8;
            let band = |member: &Small| member.rows.div_ceil(height);
            let back = |member: &Small| band(member) % 2 == 1;
            sort(members, spare, |member| if back(member) { MOST as u8 - member.columns } else { member.columns });
            sort(spare, members, band);
            (members, spare)
        };
        let left = Left { members: Cell::from_mut(free).as_slice_of_cells(), count: Cell::new(0) };
        let whole = Distribution { threads: 1, threads_per_member: 1, grain: count };
        over_batch::<T, _>(&Groups { p, first, members: sorted, left: &left }, count, level(), whole)?;
        for member in &left.members[..left.count.get()] {
            if let Some(member) = p.member(first + usize::from(member.get().place)) {
                note(member.alone::<T>(distribution));
            }
        }
        Ok(())
    })?
}

/// Members that lanes could not do.
struct Left<'a> {
    members: &'a [Cell<Small>],
    count: Cell<usize>,
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
    /// The group of these members, of which there is at least one.
    #[inline(always)]
    unsafe fn group<P: Pack>(&self, members: &[Small]) -> SmallGroup<Re<P>> {
        let mut group = SmallGroup {
            count: members.len(),
            most: most(members),
            of: LaneMatrices::NONE,
            right: LaneMatrices::NONE,
            vectors: [null_mut(); MAX_LANES],
            infos: [null_mut(); MAX_LANES],
        };
        for l in 0..P::L {
            if l >= members.len() {
                group.vectors[l] = group.vectors[l - 1];
                group.of.repeat(l);
                group.right.repeat(l);
                continue;
            }
            // It was a member when its size was read.
            let place = self.first + usize::from(members[l].place);
            let Some(p) = (unsafe { self.p.known_member(place) }) else { continue };
            let Places { matrix, size, vector, right, info } = unsafe { p.places() };
            group.of.set(l, matrix, size);
            group.right.set(l, right.0, right.1);
            (group.vectors[l], group.infos[l]) = (vector, info);
        }
        group
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
        let mut groups = self.members[range].chunks(P::L);
        let mut next = groups.next().map(|members| (members, unsafe { self.group::<P>(members) }));
        while let Some((members, group)) = next {
            next = groups.next().map(|members| (members, unsafe { self.group::<P>(members) }));
            let left = unsafe { self.p.group::<P>(&group, next.as_ref().map(|(_, group)| group), buffer) };
            for (l, member) in members.iter().enumerate().take(if left == 0 { 0 } else { P::L }) {
                if left >> l & 1 == 1 {
                    self.left.members[self.left.count.get()].set(*member);
                    self.left.count.set(self.left.count.get() + 1);
                }
            }
        }
    }
}

/// Sorts by a size, the largest first, and keeps the order of members for which it is the same.
fn sort(from: &[Small], to: &mut [Small], size: impl Fn(&Small) -> u8) {
    let mut ends = [0; MOST + 1];
    from.iter().for_each(|member| ends[usize::from(size(member))] += 1);
    for size in (0..MOST).rev() {
        ends[size] += ends[size + 1];
    }
    for member in from.iter().rev() {
        let end = &mut ends[usize::from(size(member))];
        *end -= 1;
        to[*end] = *member;
    }
}
