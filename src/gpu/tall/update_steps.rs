//! Block reflectors whose rows are divided among blocks, on the device.

use crate::error::Error;
use crate::gpu::args::DeviceOperand;
use crate::gpu::driver::pool::Scratch;
use crate::gpu::plan::queue::Queue;
use crate::gpu::plan::table::{Instance, REFLECT_SCALE, REFLECT_SYSTEM};
use crate::gpu::plan::walk::launch_kernel;
use crate::gpu::plan::{Launch, Limits, ceil_div};
use crate::gpu::tall::gram_steps::PendingMembers;
use crate::gpu::tall::update::{DividedReflectorKernels, RowDivision};
use crate::routine::{Dtype, Operand};
use std::ffi::c_void;
use std::ptr::null_mut;

/// Declared in `kernels/reflect/args.cuh`.
#[repr(C)]
struct ReflectArgs {
    v: DeviceOperand,
    tau: DeviceOperand,
    c: DeviceOperand,
    t: DeviceOperand,
    sums: *mut c_void,
    v0: i64,
    tau0: i64,
    c0: i64,
    ldv: i64,
    ldc: i64,
    ldt: i64,
    batch: i64,
    m: i64,
    n: i64,
    chunk: i64,
    chunks: i64,
    pitch: i64,
    gram: i64,
    diagonal: i64,
    k: i32,
    adjoint: i32,
    identity: i32,
    zeros: i32,
    run: i64,
    states: *const c_void,
}

fn none() -> Error {
    Error::Internal("no kernels for divided rows".into())
}

/// A block reflector on n columns of each member.
#[derive(Clone, Copy)]
pub struct Reflector {
    pub dtype: Dtype,
    pub v: Operand,
    pub ldv: i64,
    pub tau: Operand,
    pub c: Operand,
    pub ldc: i64,
    pub batch: i64,
    /// Offsets of the first elements of V, of its tau and of C from the members' starts.
    pub first: [i64; 3],
    /// Rows, columns of C, and reflectors.
    pub m: i64,
    pub n: i64,
    pub k: i64,
    /// Whether to apply H^H rather than H.
    pub adjoint: bool,
    /// Number of C's first rows that are taken as zero whatever they contain.
    pub zeros: i64,
    /// The members that a wider panel has left to this one.
    pub pending: PendingMembers,
}

impl Reflector {
    /// Bytes of scratch memory that it needs.
    pub fn bytes(&self, limits: Limits) -> Result<usize, Error> {
        Ok(self.prepare(limits, null_mut())?.1)
    }

    /// The kernels, bytes of scratch, and the arguments.
    fn prepare(
        &self,
        limits: Limits,
        sums: *mut c_void,
    ) -> Result<(DividedReflectorKernels, usize, ReflectArgs), Error> {
        let &Reflector { dtype, m, n, k, batch, .. } = self;
        let kernels = DividedReflectorKernels::find(dtype, n, k, limits).ok_or_else(none)?;
        let division = RowDivision::of(kernels.dots, m, n, k, batch, limits)?;
        Ok((kernels, division.bytes, self.args(division, sums)))
    }

    fn args(&self, division: RowDivision, sums: *mut c_void) -> ReflectArgs {
        let &Reflector { m, n, k, batch, first: [v0, tau0, c0], .. } = self;
        ReflectArgs {
            v: self.v.into(),
            tau: self.tau.into(),
            c: self.c.into(),
            t: DeviceOperand::NONE,
            sums,
            v0,
            tau0,
            c0,
            ldv: self.ldv,
            ldc: self.ldc,
            ldt: 0,
            batch,
            m,
            n,
            chunk: division.chunk,
            chunks: division.chunks,
            pitch: division.pitch,
            gram: n,
            diagonal: 0,
            k: k as i32,
            adjoint: self.adjoint.into(),
            identity: 0,
            zeros: self.zeros as i32,
            run: 1,
            states: self.pending.states(),
        }
    }

    /// Computes the powers of two for C's columns, which kernels with split numbers need.
    ///
    /// # Safety
    /// The operands must be on the device, and `powers` must have a number for each column of each member there.
    pub unsafe fn scale(&self, powers: DeviceOperand, queue: Queue<'_>) -> Result<(), Error> {
        let kernel = Instance::plain(REFLECT_SCALE, self.dtype)?;
        let division = RowDivision { chunk: 0, chunks: 0, pitch: 0, bytes: 0 };
        let mut args = self.args(division, null_mut());
        args.t = powers;
        // SAFETY: the kernel takes ReflectArgs.
        unsafe { args.run(kernel, self.n, queue) }
    }

    /// Applies the reflector.
    ///
    /// # Safety
    /// The operands must be on the device, and `sums` must be device memory of [`Reflector::bytes`] bytes.
    pub unsafe fn launch(&self, limits: Limits, sums: *mut c_void, queue: Queue<'_>) -> Result<(), Error> {
        // SAFETY: forwarded.
        unsafe { self.launch_with(DeviceOperand::NONE, limits, sums, queue) }
    }

    /// The same, with the powers that [`Reflector::scale`] has computed for C's columns, for kernels that need them.
    ///
    /// # Safety
    /// See [`Reflector::launch`].
    pub unsafe fn launch_with(
        &self,
        powers: DeviceOperand,
        limits: Limits,
        sums: *mut c_void,
        queue: Queue<'_>,
    ) -> Result<(), Error> {
        // SAFETY: forwarded.
        unsafe { self.begin(self.n, powers, limits, sums, queue).map(drop) }
    }

    /// The same for C's first `columns` columns alone (a multiple of 16 bytes); [`Reflection::finish`] does the
    /// others.
    ///
    /// # Safety
    /// See [`Reflector::launch`].
    pub unsafe fn begin(
        &self,
        columns: i64,
        powers: DeviceOperand,
        limits: Limits,
        sums: *mut c_void,
        queue: Queue<'_>,
    ) -> Result<Reflection, Error> {
        let (kernels, _, mut args) = self.prepare(limits, sums)?;
        args.t = powers;
        // SAFETY: the kernels take ReflectArgs; the caller answers for the operands.
        unsafe {
            args.sum(&kernels, queue)?;
            args.factor(&kernels, queue)?;
            args.n = columns;
            args.apply(&kernels, limits, queue)?;
        }
        let passed = columns as usize * self.dtype.bytes();
        args.n = self.n - columns;
        args.c0 += columns * self.ldc;
        args.sums = sums.wrapping_byte_add(passed);
        args.t = powers.offset_by(passed);
        Ok(Reflection { kernels, limits, args })
    }

    /// Forms T of V, with zeros below its diagonal, from element `first` of each member on. C must have no columns.
    ///
    /// # Safety
    /// See [`Reflector::launch`].
    pub unsafe fn larft(
        &self,
        (t, ldt, first): (Operand, i64, i64),
        limits: Limits,
        sums: *mut c_void,
        queue: Queue<'_>,
    ) -> Result<(), Error> {
        let (kernels, _, mut args) = self.prepare(limits, sums)?;
        // SAFETY: as above.
        unsafe {
            args.sum(&kernels, queue)?;
            (args.t, args.ldt, args.c0) = (t.into(), ldt, first);
            args.run(kernels.larft.ok_or_else(none)?, 1, queue)
        }
    }

    /// Writes Q over a panel's reflectors and the n - k columns to their right; C must be the same matrix as V.
    /// `identity`: whether the columns to the right start as columns of the identity, like the panel's own.
    ///
    /// # Safety
    /// See [`Reflector::launch`].
    pub unsafe fn write_q(
        &self,
        identity: bool,
        limits: Limits,
        sums: *mut c_void,
        queue: Queue<'_>,
    ) -> Result<(), Error> {
        let (kernels, _, mut args) = self.prepare(limits, sums)?;
        let (n, k, size) = (self.n, self.k, self.dtype.bytes());
        let right = n - k;
        let corner = args.c0;
        let part = |args: &mut ReflectArgs, first: i64, columns: i64| {
            args.n = columns;
            args.diagonal = first;
            args.c0 = corner + first * self.ldc;
        };
        // The sums of identity columns are known. Those of the other columns, and V^H V, are stored after them.
        let ones = if identity { n } else { k };
        let behind = |columns: i64| sums.wrapping_byte_add(columns as usize * size);
        // SAFETY: as above; the columns that hold V are written last, by blocks that have read all of their rows.
        unsafe {
            part(&mut args, ones, n - ones);
            args.sums = behind(ones);
            args.sum(&kernels, queue)?;
            part(&mut args, 0, n);
            (args.sums, args.identity) = (sums, ones as i32);
            args.factor(&kernels, queue)?;
            if right > 0 {
                part(&mut args, k, right);
                (args.sums, args.identity) = (behind(k), if identity { right as i32 } else { 0 });
                args.apply(&kernels, limits, queue)?;
            }
            part(&mut args, 0, k);
            (args.sums, args.identity) = (sums, k as i32);
            args.apply(&kernels, limits, queue)
        }
    }
}

/// All reflectors of each member, which act at once.
#[derive(Clone, Copy)]
pub struct AllReflectors {
    /// V, tau, and the sizes.
    of: Reflector,
    /// The kernel for the sums.
    dots: &'static Instance,
    /// How its rows are divided ([`RowDivision::of_many`]). Row i of X, n elements, begins `i * pitch` elements after
    /// the start of a member's sums, and row i of the system's triangle n elements behind it.
    pub division: RowDivision,
}

impl AllReflectors {
    /// The most bytes of scratch memory, for all members, with which this is done.
    pub const MOST_BYTES: usize = 1 << 30;

    /// n is the number of X's columns that are to be beside the system, in the same rows.
    pub fn of(of: Reflector, limits: Limits) -> Result<AllReflectors, Error> {
        let Reflector { dtype, m, n, k, batch, .. } = of;
        let large = m.saturating_mul(k).saturating_mul(batch) >= limits.measured().orgqr.at_once.large;
        let dots = DividedReflectorKernels::dots_of_many(dtype, large, limits).ok_or_else(none)?;
        Ok(AllReflectors { of, dots, division: RowDivision::of_many(dots, m, n, k, batch, limits)? })
    }

    /// Elements from the sums of one member to the next.
    pub fn stride(&self) -> i64 {
        self.division.chunks * self.of.k * self.division.pitch
    }

    /// For Q = E + V X over V, with E the first n columns of the identity. Forms the system of which X is the solution, in
    /// place of the sums. Copies V to `copy`, with zeros and ones, and writes E over V and what is beside it. C must be
    /// V's matrix, and n its columns, the first k of which hold V.
    ///
    /// # Safety
    /// The operands must be on the device, `sums` must be device memory of [`RowDivision::bytes`] bytes, and `copy`
    /// have room for m x k elements of each member.
    pub unsafe fn system(&self, sums: *mut c_void, (copy, ld): (Operand, i64), queue: Queue<'_>) -> Result<(), Error> {
        let n = self.of.n;
        let forming = |args: &mut ReflectArgs| {
            (args.n, args.identity, args.gram, args.t, args.ldt) = (n, n as i32, n, copy.into(), ld);
        };
        // SAFETY: forwarded.
        unsafe { self.sum_and(n, forming, sums, queue) }
    }

    /// For applying Q or Q^H. Forms the conjugate of the system's triangle in place of the sums: 1 + G D if the reflector
    /// is `adjoint`, else 1 + D G. Copies V with zeros and ones, and again as V D or V D^H.
    ///
    /// # Safety
    /// See [`AllReflectors::system`]; there must be as much room for each copy.
    pub unsafe fn scaled_system(
        &self,
        sums: *mut c_void,
        [copy, scaled]: [Operand; 2],
        ld: i64,
        queue: Queue<'_>,
    ) -> Result<(), Error> {
        let applying = |args: &mut ReflectArgs| {
            (args.t, args.ldt, args.c, args.ldc) = (copy.into(), ld, scaled.into(), ld);
        };
        // SAFETY: forwarded.
        unsafe { self.sum_and(self.of.k, applying, sums, queue) }
    }

    /// Sums V^H V, and launches the kernel for the system and for so many columns with what `change` makes of the
    /// arguments.
    unsafe fn sum_and(
        &self,
        columns: i64,
        change: impl FnOnce(&mut ReflectArgs),
        sums: *mut c_void,
        queue: Queue<'_>,
    ) -> Result<(), Error> {
        let Reflector { dtype, m, n, k, .. } = self.of;
        let kernel = Instance::plain(REFLECT_SYSTEM, dtype)?;
        let (down, across) = (i64::from(self.dots.rows), i64::from(self.dots.columns));
        let tiles = ceil_div(k, down) * ceil_div(k, across);
        let mut args = self.of.args(self.division, sums.wrapping_byte_add(n as usize * dtype.bytes()));
        args.n = 0;
        let threads = i64::from(kernel.threads);
        let blocks = k * ceil_div(k, threads) + columns.saturating_mul(ceil_div(m, threads));
        // SAFETY: forwarded.
        unsafe {
            args.run(self.dots, tiles.saturating_mul(self.division.chunks), queue)?;
            args.sums = sums;
            change(&mut args);
            args.run(kernel, blocks, queue)
        }
    }
}

/// The rest of a block reflector after [`Reflector::begin`].
pub struct Reflection {
    kernels: DividedReflectorKernels,
    limits: Limits,
    args: ReflectArgs,
}

impl Reflection {
    /// Updates C's other columns.
    ///
    /// # Safety
    /// See [`Reflector::launch`]; the sums must be as [`Reflector::begin`] left them.
    pub unsafe fn finish(mut self, queue: Queue<'_>) -> Result<(), Error> {
        // SAFETY: forwarded.
        unsafe { self.args.apply(&self.kernels, self.limits, queue) }
    }
}

/// Each function makes one launch or two.
///
/// # Safety
/// The operands and the scratch memory must be on the device, and as large as the sizes say.
impl ReflectArgs {
    /// Sums over all rows.
    unsafe fn sum(&mut self, kernels: &DividedReflectorKernels, queue: Queue<'_>) -> Result<(), Error> {
        let (down, across) = (i64::from(kernels.dots.rows), i64::from(kernels.dots.columns));
        let k = i64::from(self.k);
        let tiles = ceil_div(k, down) * ceil_div(self.n + k, across);
        // SAFETY: forwarded.
        unsafe {
            self.run(kernels.dots, tiles.saturating_mul(self.chunks), queue)?;
            self.run(kernels.sum, ceil_div(k * self.pitch, kernels.sum.threads.into()), queue)
        }
    }

    /// Replaces the sums by X, the matrix by which V is multiplied.
    unsafe fn factor(&mut self, kernels: &DividedReflectorKernels, queue: Queue<'_>) -> Result<(), Error> {
        // SAFETY: forwarded.
        unsafe { self.run(kernels.factor, ceil_div(self.n, kernels.factor.columns.into()), queue) }
    }

    /// Updates C.
    unsafe fn apply(
        &mut self,
        kernels: &DividedReflectorKernels,
        limits: Limits,
        queue: Queue<'_>,
    ) -> Result<(), Error> {
        let pack = 16 / kernels.apply.dtype.bytes() as i64;
        let whole = self.identity == 0 && self.ldv % pack == 0 && self.ldc % pack == 0;
        // Where a tile turns out to be incomplete, this kernel falls back to what the other one does.
        let kept = kernels.kept.filter(|kept| whole && self.n >= i64::from(kept.columns));
        // If V is written last, one tile must have all of its columns.
        let kernel = kept.unwrap_or(if self.identity == 0 { kernels.apply_for(self.n) } else { kernels.apply });
        let (down, across) = (ceil_div(self.m, kernel.rows.into()), ceil_div(self.n, kernel.columns.into()));
        if kept.is_some() {
            self.run = DividedReflectorKernels::consecutive_tiles(down, across.saturating_mul(self.batch), limits);
        }
        // SAFETY: forwarded.
        unsafe { self.run(kernel, ceil_div(down, self.run).saturating_mul(across), queue) }
    }

    /// Launches `blocks` blocks per member.
    unsafe fn run(&mut self, instance: &'static Instance, blocks: i64, queue: Queue<'_>) -> Result<(), Error> {
        let launch = Launch::on(instance, self.m, self.n, 0);
        // SAFETY: the kernels take ReflectArgs.
        unsafe { launch_kernel(&launch, blocks.saturating_mul(self.batch), self, queue) }
    }
}

/// Calls `f` with `bytes` bytes from the pool, or with null for none. They are allocated and freed in stream order.
pub fn with_scratch(
    bytes: usize,
    queue: Queue<'_>,
    f: impl FnOnce(*mut c_void) -> Result<(), Error>,
) -> Result<(), Error> {
    let scratch = Scratch::take(bytes, queue)?;
    let done = f(scratch.p);
    scratch.give_back(done)
}
