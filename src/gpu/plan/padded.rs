//! Few large members with individual sizes: each is copied to scratch memory and padded there to the largest size, so
//! that the plans of uniform batches serve them, which divide a large matrix among all multiprocessors. What is padded
//! costs time, but such a batch leaves most of a device idle, and the kernels for individual sizes give a member few
//! blocks.
//!
//! Padding must leave the members' own elements as they are: a factorisation ignores rows and columns of zeros,
//! reflectors with a zero tau, and a triangle continued by the identity.

use crate::error::Error;
use crate::gpu::arch::DEFAULT;
use crate::gpu::driver::pool::Scratch;
use crate::gpu::plan::parts::check::check;
use crate::gpu::plan::parts::pad::Pad;
use crate::gpu::plan::queue::Queue;
use crate::gpu::plan::run::Run;
use crate::gpu::plan::{Plan, Planned, allowed, batch_invariant, ceil_div, restricted};
use crate::routine::{Bounds, BoundsCheck, Diag, Dtype, Operand, Routine, Uplo};
use std::ffi::c_void;
use std::ptr::null;

/// Scratch memory of a group of members, unless a single one needs more.
const ROOM: usize = 1 << 30;
/// The most bytes of a padded matrix: bounds far above the members' sizes must not exhaust the memory.
const MOST: usize = 4 << 30;
/// Alignment of the arrays in scratch memory.
const ALIGN: usize = 256;

/// An operand of the members.
#[derive(Clone, Copy)]
pub struct Matrices {
    /// The members.
    pub operand: Operand,
    /// Rows and columns of the largest member.
    pub most: [i64; 2],
    /// NULL: one row.
    pub rows: *const i32,
    /// Another bound on the rows, or NULL.
    pub rows_too: *const i32,
    /// The number of columns that are read, with NULL for one; `None` if the routine only writes.
    pub read: Option<*const i32>,
    /// The same for columns that are written.
    pub written: Option<*const i32>,
    /// Leading dimensions; NULL for a single column.
    pub leading: *const i32,
    /// Increments, of which 0 makes a member invalid; or NULL.
    pub nonzero: *const i32,
    /// If only a triangle is read, which one, and the kind of its diagonal. The identity continues it, rather than
    /// zeros.
    pub triangle: Option<(Uplo, Diag)>,
}

impl Matrices {
    /// Matrices whose columns are read, and written if `written`.
    pub fn of(operand: Operand, most: [i64; 2], [rows, columns, leading]: [*const i32; 3], written: bool) -> Matrices {
        let (read, written) = (Some(columns), written.then_some(columns));
        Matrices { operand, most, rows, rows_too: null(), read, written, leading, nonzero: null(), triangle: None }
    }

    /// A vector of scalar factors, with as many elements as both arrays allow.
    pub fn vector(operand: Operand, most: i64, [rows, rows_too]: [*const i32; 2]) -> Matrices {
        let (read, written, leading) = (None, None, null());
        Matrices { operand, most: [most, 1], rows, rows_too, read, written, leading, nonzero: null(), triangle: None }
    }

    /// Leading dimension of the copies: whole packs of elements, except for rows and short columns.
    fn ld(&self) -> i64 {
        let [rows, _] = self.most;
        if rows < 16 { rows } else { ceil_div(rows, 4) * 4 }
    }

    /// Elements of a copy.
    fn elements(&self) -> i64 {
        self.ld().saturating_mul(self.most[1])
    }
}

/// A routine with members of individual sizes that can be padded.
pub trait Padded: Routine + Run {
    /// The operands.
    fn matrices(&self) -> [Option<Matrices>; 3];

    /// The constraints on the members' sizes.
    fn size_bounds(&self) -> Option<Bounds>;

    /// The same problem for a uniform batch: copies of the operands, with their leading dimensions.
    fn on_copies(&self, copies: [(Operand, i64); 3], batch: i64) -> Self;
}

/// How many members there are, for a shape's `form`. Where the batch count must not matter, there are always many.
pub fn number(batch: i64) -> u32 {
    let of = &DEFAULT.padded;
    match batch {
        _ if batch_invariant() => MANY,
        _ if batch <= of.few => FEW,
        _ if batch <= of.some => SOME,
        _ => MANY,
    }
}

/// The same for routines that serve some members as well without padding.
pub fn few(batch: i64) -> u32 {
    if number(batch) == FEW { FEW } else { MANY }
}

/// So few members that a block each would leave most of a device idle.
const FEW: u32 = 2;
/// So few that those with more rows than a block holds leave much of it idle.
const SOME: u32 = 1;
const MANY: u32 = 0;

/// The plan for a number of members up to these sizes, if they are padded: few of them if both sizes are at least
/// `order` or one is at least `long`, some if they are long and narrow. A list of allowed plans that names this one
/// applies it to few members of any size.
///
/// `beside` has the rows and columns of the other matrices.
pub fn plan<P: Planned>(
    dtype: Dtype,
    number: u32,
    [rows, columns]: [i64; 2],
    beside: [i64; 2],
    [order, long]: [i64; 2],
) -> Option<Plan<P>> {
    let (shorter, longer) = (rows.min(columns), rows.max(columns));
    let pays = match number {
        FEW => shorter >= order || longer >= long || restricted(),
        SOME => longer >= long && shorter <= DEFAULT.padded.narrow,
        _ => false,
    };
    let fits = || {
        [[rows, columns], beside].iter().all(|[rows, columns]| {
            rows.max(columns) <= &i32::MAX.into()
                && rows.saturating_mul(*columns).saturating_mul(dtype.bytes() as i64) <= MOST as i64
        })
    };
    let plan = || Plan { parts_may_be_refused: restricted(), ..Plan::new("padded", []) };
    (pays && fits() && allowed("padded")).then(plan)
}

/// The plan for members with triangles of up to this order and this many right-hand sides, if they are padded.
pub fn plan_of_triangles<P: Planned>(dtype: Dtype, number: u32, order: i64, sides: i64) -> Option<Plan<P>> {
    let of = &DEFAULT.padded;
    let least = if sides >= of.sides { of.trsm } else { of.trsm_narrow.0 };
    plan(dtype, number, [order, order], [order, sides], [least, i64::MAX])
}

/// [`number`] for triangles.
pub fn number_of_triangles(order: i64, sides: i64, batch: i64) -> u32 {
    let of = &DEFAULT.padded;
    let copying = sides < of.sides && order / of.trsm_narrow.1 < batch && !restricted();
    if copying { MANY } else { few(batch) }
}

/// Runs the routine.
pub fn walk<P: Padded>(p: &P, queue: Queue<'_>) -> Result<(), Error> {
    let (dtype, batch) = (p.dtype(), p.batch());
    let Some(bounds) = p.size_bounds() else { return Err(Error::Internal("members of one size".into())) };
    let bytes = |elements: i64| (elements.max(0) as usize).saturating_mul(dtype.bytes()).next_multiple_of(ALIGN);
    let matrices = p.matrices();
    let of_member = matrices.iter().flatten().fold(0, |sum: usize, m| sum.saturating_add(bytes(m.elements())));
    let at_once = (ROOM / of_member.max(1)).max(1).min(batch as usize) as i64;
    let of_group = |m: &Matrices| bytes(m.elements().saturating_mul(at_once));
    let all = matrices.iter().flatten().fold(0, |sum: usize, m| sum.saturating_add(of_group(m)));
    let checked_bytes = (batch as usize * size_of::<i32>()).next_multiple_of(ALIGN);
    let scratch = Scratch::take(checked_bytes.saturating_add(all), queue)?;
    let checked: *mut i32 = scratch.p.cast();
    let mut starts = [scratch.p.wrapping_byte_add(checked_bytes); 3];
    for k in 1..starts.len() {
        starts[k] = starts[k - 1].wrapping_byte_add(matrices[k - 1].as_ref().map_or(0, of_group));
    }
    // SAFETY: the arrays are the caller's, or the scratch memory, which has room for every group.
    let run = || unsafe {
        check(&BoundsCheck::write_sizes(bounds, checked, batch), queue)?;
        for first in (0..batch).step_by(at_once as usize) {
            let group = Group { dtype, first, count: at_once.min(batch - first), checked, starts };
            group.run(p, &matrices, queue)?;
        }
        check(&BoundsCheck::report(bounds, p.info(), batch), queue)
    };
    let done = run();
    scratch.give_back(done)
}

/// Members that are padded at the same time.
struct Group {
    dtype: Dtype,
    first: i64,
    count: i64,
    checked: *const i32,
    /// Where the copies of each operand begin.
    starts: [*mut c_void; 3],
}

impl Group {
    unsafe fn run<P: Padded>(&self, p: &P, matrices: &[Option<Matrices>; 3], queue: Queue<'_>) -> Result<(), Error> {
        let mut copies = [(Operand::NULL, 1); 3];
        let present = || matrices.iter().enumerate().filter_map(|(k, m)| Some((k, m.as_ref()?)));
        for (k, m) in present() {
            copies[k] = (Operand::Strided { base: self.starts[k], stride: m.elements() }, m.ld());
        }
        // SAFETY: forwarded.
        unsafe {
            for (k, m) in present() {
                if let Some(columns) = m.read {
                    self.pad(m, columns, copies[k].0, false).launch(queue)?;
                }
            }
            p.on_copies(copies, self.count).enqueue(queue)?;
            for (k, m) in present() {
                if let Some(columns) = m.written {
                    self.pad(m, columns, copies[k].0, true).launch(queue)?;
                }
            }
        }
        Ok(())
    }

    fn pad(&self, m: &Matrices, columns: *const i32, padded: Operand, back: bool) -> Pad {
        let of = |array: *const i32| if array.is_null() { array } else { array.wrapping_add(self.first as usize) };
        let [most_rows, most_columns] = m.most;
        Pad {
            dtype: self.dtype,
            each: m.operand.from_member(self.first, self.dtype.bytes()),
            padded,
            most: [most_rows, most_columns, m.ld()],
            checked: of(self.checked),
            rows: of(m.rows),
            rows_too: of(m.rows_too),
            columns: of(columns),
            leading: of(m.leading),
            batch: self.count,
            nonzero: of(m.nonzero),
            triangle: m.triangle,
            back,
        }
    }
}
