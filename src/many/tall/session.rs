//! One call on one rank: its memory, its message, and the stack assembled from the messages of all ranks.

use super::agreement::{Record, RoutineCode, agree, fingerprint};
use super::rows::Rows;
use crate::comm::{Comm, Context, TAIL};
use crate::failure::Failure;
use crate::memory::{filled, reserved};
use std::cell::Cell;
use std::ffi::c_void;
use std::slice::from_raw_parts;
use std::sync::atomic::Ordering;
use tephra_core::backend::{self, Kind, Runtime};
use tephra_core::face::call::{self, WorkspaceSource};
use tephra_core::face::guard::Prototype;
use tephra_core::face::native::strided;
use tephra_core::routine::{Lacpy, Part, Workspace};
use tephra_core::{Dtype, Error, Operand, Operation, Stream};

/// A matrix in the backend's memory: address of the first element, and leading dimension.
#[derive(Clone, Copy, Debug)]
pub struct Block {
    pub p: *mut c_void,
    pub ld: i64,
}

impl Block {
    /// The block that starts at this element.
    pub fn at(self, dtype: Dtype, row: i64, column: i64) -> Block {
        let elements = (column * self.ld + row) as usize;
        Block { p: self.p.wrapping_byte_add(elements * dtype.bytes()), ..self }
    }

    /// The block as a batch of one.
    pub fn operand(self) -> Operand {
        strided(self.p, 0)
    }
}

/// The operation that is applied to a stack of `rows` rows.
pub type Step = fn(dtype: Dtype, rows: i64, n: i64, nrhs: i64) -> Operation;

/// Description of a call, before it is known whether all ranks can take part.
pub struct CallDescription<'a> {
    pub own: &'static Prototype,
    pub comm: &'a Comm,
    pub stream: Stream,
    pub dtype: Dtype,
    pub routine: RoutineCode,
    pub flag: u8,
    pub m: i64,
    pub n: i64,
    pub nrhs: i64,
    /// Number of columns of the messages.
    pub width: i64,
    /// Number of elements of the result computed from the stack, given the number of ranks. It must not depend on how
    /// the rows are distributed.
    pub result: fn(p: i64, n: i64, nrhs: i64) -> Option<i64>,
    /// Number of elements of further scratch memory.
    pub extra: i64,
    /// An operation on a rank's own rows whose workspace another operation uses after the exchange, given the number of
    /// rows and columns.
    pub held: Option<fn(dtype: Dtype, m: i64, n: i64) -> Operation>,
    /// The factorisation of the stack. The bits of the result depend on its plan, so ranks compare their plans for it.
    pub step: Option<Step>,
}

/// Sizes in bytes of the parts of a call's memory. That of the message is an upper bound.
struct Sizes {
    message: usize,
    stack: usize,
    result: usize,
    extra: usize,
    held: usize,
}

/// Rounds up to the alignment of the parts.
fn align(bytes: usize) -> Option<usize> {
    Some(bytes.checked_add(255)? / 256 * 256)
}

/// Size in bytes of this many elements followed by a tail.
fn with_tail(elements: i64, dtype: Dtype) -> Option<usize> {
    let bytes = usize::try_from(elements).ok()?.checked_mul(dtype.bytes())?;
    bytes.checked_add(TAIL - 1).map(|bytes| bytes / TAIL * TAIL)?.checked_add(TAIL)
}

impl CallDescription<'_> {
    fn sizes(&self, runtime: &dyn Runtime) -> Option<Sizes> {
        let p = self.comm.size as i64;
        let stacked = p.checked_add(1)?.checked_mul(self.n)?;
        let message = with_tail(self.n.checked_mul(2)?.checked_mul(self.width)?, self.dtype)?;
        let stack = with_tail(stacked.checked_mul(self.width)?, self.dtype)?;
        let result = with_tail((self.result)(p, self.n, self.nrhs)?, self.dtype)?;
        // An operation that this backend does not support for these sizes is not used.
        let held = self.held.map_or(0, |of| runtime.workspace(&of(self.dtype, self.m, self.n)).unwrap_or(0));
        Some(Sizes { message, stack, result, extra: with_tail(self.extra, self.dtype)?, held })
    }

    fn fingerprint(&self, runtime: &dyn Runtime) -> Result<u64, Error> {
        let Some(step) = self.step.filter(|_| self.n > 0) else { return Ok(0) };
        let rows = (self.comm.size as i64 + 1) * self.n;
        let plan = runtime.explain(&step(self.dtype, rows, self.n, self.nrhs))?;
        let device = runtime.device_info(runtime.current_device()?)?;
        let build = backend::build_info();
        Ok(fingerprint([runtime.kind().name().as_bytes(), build.to_bytes(), device.name.as_bytes(), plan.as_bytes()]))
    }
}

/// Scratch memory that is freed at the end of a call.
struct Memory {
    context: Context,
    p: *mut c_void,
}

impl Drop for Memory {
    fn drop(&mut self) {
        if !self.p.is_null() {
            // SAFETY: allocated by `scratch` in the same stream.
            _ = unsafe { self.context.runtime.free_async(self.p, self.context.stream) };
        }
    }
}

/// A call in which all ranks take part.
pub struct Session<'a> {
    own: &'static Prototype,
    comm: &'a Comm,
    context: Context,
    pub dtype: Dtype,
    n: i64,
    width: i64,
    pub rows: Rows,
    /// Whether all ranks compute the same bits from the stack.
    same_bits: bool,
    message: usize,
    result_bytes: usize,
    send: *mut c_void,
    receive: *mut c_void,
    /// The messages of all ranks, stacked: the first n rows, then n rows for each rank.
    pub stack: Block,
    /// Where the result computed from the stack goes.
    pub result: *mut c_void,
    /// Further scratch memory.
    pub extra: *mut c_void,
    /// The workspace of [`CallDescription::held`], for the rows that this rank was expected to have.
    pub held: Workspace,
    /// While set, operations are not run, but everything that their first run would load is loaded.
    preparing: Cell<bool>,
    /// Identifies this call among those whose kernels may have been loaded.
    key: u64,
    _memory: Memory,
}

impl<'a> Session<'a> {
    /// Allocates the memory and agrees with the other ranks. `valid` says whether this rank's arguments are valid.
    pub fn open(description: &CallDescription<'a>, valid: Result<(), Failure>) -> Result<Session<'a>, Failure> {
        let found = backend::current();
        // Even without a backend this rank must tell the others of its failure.
        let runtime = found.clone().or_else(|_| backend::get(Kind::Cpu))?;
        let context = description.comm.context(runtime, description.stream);
        let prepared = valid.and(found.map(|_| ()).map_err(Failure::from)).and_then(|()| {
            description.comm.check_device(runtime)?;
            let too_large = || Error::OutOfMemory("more bytes than can be counted".into());
            let sizes = description.sizes(runtime).ok_or_else(too_large)?;
            let parts = [
                Some(sizes.message),
                sizes.message.checked_mul(description.comm.size),
                Some(sizes.stack),
                Some(sizes.result),
                Some(sizes.extra),
                Some(sizes.held),
            ];
            let (mut starts, mut total) = ([0; 6], 0usize);
            for (start, part) in starts.iter_mut().zip(parts) {
                *start = total;
                total = part.and_then(align).and_then(|part| total.checked_add(part)).ok_or_else(too_large)?;
            }
            let fingerprint = description.fingerprint(runtime)?;
            let memory = Memory { context, p: runtime.alloc_async(total, description.stream)? };
            description.comm.transport().make_room(&context, sizes.message.max(sizes.result))?;
            let (of_ranks, tops) = (filled(description.comm.size, 0)?, reserved(description.comm.size)?);
            Ok((sizes, starts, memory, fingerprint, of_ranks, tops))
        });
        let (mut prepared, own) = match prepared {
            Ok(prepared) => (Some(prepared), Ok(())),
            Err(failure) => (None, Err(failure)),
        };
        let mark = prepared.as_ref().map_or(0, |prepared| prepared.3);
        let flags = [description.routine as u8, description.dtype as u8, description.flag];
        let record = Record::new(flags, [description.m, description.n, description.nrhs], mark);
        let call = record.bytes();
        let own = own.map(|()| prepared.as_mut().map_or(&mut [][..], |prepared| &mut prepared.4[..]));
        let same_bits = agree(description.comm, &context, record, own)?;
        let Some((sizes, starts, memory, _, of_ranks, tops)) = prepared else {
            return Err(Error::Internal("agreed without memory".into()).into());
        };
        // SAFETY: integers as bytes.
        let shares = unsafe { from_raw_parts(of_ranks.as_ptr().cast::<u8>(), size_of_val(&of_ranks[..])) };
        let key = fingerprint([&call[..], shares]) | 1;
        let rows = Rows::of(&of_ranks, description.n, description.comm.rank, tops).ok_or_else(|| {
            let total = of_ranks.iter().fold(0i64, |sum, &m| sum.saturating_add(m));
            Failure::Argument(
                "m",
                format!("adds up to {total} over all ranks, but there are {} columns", description.n),
            )
        })?;
        let Some(message) = with_tail((rows.max_top + description.n) * description.width, description.dtype)
            .filter(|&bytes| bytes <= sizes.message)
        else {
            return Err(Error::Internal("a message larger than its place".into()).into());
        };
        let [send, receive, stack, result, extra, held] = starts.map(|start| memory.p.wrapping_byte_add(start));
        let stack = Block { p: stack, ld: (description.comm.size as i64 + 1) * description.n };
        let &CallDescription { own, comm, dtype, n, width, .. } = description;
        let result_bytes = sizes.result;
        Ok(Session {
            own,
            comm,
            context,
            dtype,
            n,
            width,
            rows,
            same_bits,
            message,
            result_bytes,
            send,
            receive,
            stack,
            result,
            extra,
            held: Workspace { p: held, bytes: sizes.held },
            preparing: Cell::new(false),
            key,
            _memory: memory,
        })
    }

    /// Whether an operation with [`Session::held`] as its workspace is supported for this rank's rows, and fits.
    pub fn holds(&self, op: &Operation) -> bool {
        self.held.bytes > 0 && self.context.runtime.workspace(op).is_ok_and(|bytes| bytes <= self.held.bytes)
    }

    /// Whether every rank computes the result from the stack.
    pub fn all_compute(&self) -> bool {
        self.same_bits
    }

    /// The number of this rank.
    pub fn rank(&self) -> i64 {
        self.comm.rank as i64
    }

    /// Runs one of the core's routines.
    ///
    /// # Safety
    /// As for [`call::run`].
    pub unsafe fn run(&self, op: Operation) -> Result<(), Error> {
        if self.preparing.get() {
            return call::prepare(self.context.runtime, &op);
        }
        let held = op.work().is_some_and(|work| work.bytes > 0);
        let source = if held { WorkspaceSource::Caller } else { WorkspaceSource::Library };
        unsafe { call::run(self.own.name, self.context.runtime, &op, self.context.stream, source) }
    }

    /// Copies a matrix.
    ///
    /// # Safety
    /// Both blocks must have this size.
    pub unsafe fn copy(&self, from: Block, to: Block, rows: i64, columns: i64) -> Result<(), Error> {
        unsafe { self.copy_part(Part::Full, from, to, rows, columns) }
    }

    /// Copies the upper triangle or trapezoid of a matrix.
    ///
    /// # Safety
    /// As for [`Session::copy`].
    pub unsafe fn copy_upper(&self, from: Block, to: Block, rows: i64, columns: i64) -> Result<(), Error> {
        unsafe { self.copy_part(Part::Upper, from, to, rows, columns) }
    }

    unsafe fn copy_part(&self, uplo: Part, from: Block, to: Block, m: i64, n: i64) -> Result<(), Error> {
        // The driver's 2D copy would limit the pitch, and a rank may have very many rows.
        let (a, b, dtype) = (from.operand(), to.operand(), self.dtype);
        unsafe { self.run(Operation::Lacpy(Lacpy { dtype, uplo, m, n, a, lda: from.ld, b, ldb: to.ld, batch: 1 })) }
    }

    /// The blocks of this rank's message: for its rows among the first n, and for its triangle.
    pub fn message_blocks(&self) -> (Block, Block) {
        let whole = Block { p: self.send, ld: self.rows.max_top + self.n };
        (whole, whole.at(self.dtype, self.rows.max_top, 0))
    }

    /// Sends a message, which `local` writes to the [`message_blocks`](Session::message_blocks) and which is zero
    /// elsewhere, assembles the stack from the messages of all ranks, and runs `after`. If something fails on this
    /// rank, it still takes part, so that no other rank waits in vain.
    ///
    /// The kernels of `after` are loaded before the message is sent. The first launch of a kernel may wait until the
    /// device is idle, which never happens while NCCL waits for another rank; and that rank, if it is a thread of this
    /// process, may be waiting for the driver.
    ///
    /// # Safety
    /// `local` must write only to the message blocks, and `after` only to memory of this rank.
    pub unsafe fn exchange(
        &self,
        local: impl FnOnce() -> Result<(), Error>,
        after: impl Fn() -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let Context { runtime, stream, .. } = self.context;
        let fill = |byte| unsafe { runtime.memset_async(self.send, byte, self.message, stream) };
        let load = || {
            let comm = self.comm;
            if !comm.transport().waits_on_the_device() || comm.loaded.load(Ordering::Relaxed) == self.key {
                return Ok(());
            }
            self.preparing.set(true);
            let done = unsafe { self.assemble_stack() }.and_then(|()| after());
            self.preparing.set(false);
            comm.loaded.store(if done.is_ok() { self.key } else { 0 }, Ordering::Relaxed);
            done
        };
        let done = fill(0).and_then(|()| local()).map_err(Failure::from).and_then(|()| load());
        if done.is_err() {
            _ = fill(255); // NaN, and a nonzero tail
        }
        let met = unsafe { self.comm.transport().gather(&self.context, self.send, self.receive, self.message) };
        done?;
        met?;
        unsafe { self.assemble_stack()? };
        after()
    }

    /// Assembles the stack from the messages.
    unsafe fn assemble_stack(&self) -> Result<(), Failure> {
        let (n, max_top, dtype) = (self.n, self.rows.max_top, self.dtype);
        let ld = max_top + n;
        let distance = (self.message / dtype.bytes()) as i64;
        let of_rank = |i: i64| Block { p: self.receive, ld }.at(dtype, i * distance, 0);
        for (i, &(first, count)) in self.rows.tops.iter().enumerate() {
            unsafe { self.copy(of_rank(i as i64), self.stack.at(dtype, first, 0), count, self.width)? };
        }
        let (from, to) = (of_rank(0).at(dtype, max_top, 0), self.stack.at(dtype, n, 0));
        let (a, b, batch) = (strided(from.p, distance), strided(to.p, n), self.comm.size as i64);
        let triangles =
            Lacpy { dtype, uplo: Part::Full, m: n, n: self.width, a, lda: ld, b, ldb: self.stack.ld, batch };
        unsafe { self.run(Operation::Lacpy(triangles)) }.map_err(Failure::from)
    }

    /// Computes the result from the stack: on every rank if all compute the same bits, otherwise on rank 0, which
    /// broadcasts it.
    ///
    /// # Safety
    /// `make` must write only to [`Session::result`] and the stack; and, if [all ranks compute](Session::all_compute), to the
    /// rank's operands.
    pub unsafe fn compute_result(&self, make: impl FnOnce() -> Result<(), Error>) -> Result<(), Failure> {
        if self.all_compute() || self.preparing.get() {
            return make().map_err(Failure::from);
        }
        let Context { runtime, stream, .. } = self.context;
        let fill = |byte| unsafe { runtime.memset_async(self.result, byte, self.result_bytes, stream) };
        let done = if self.comm.rank == 0 { fill(0).and_then(|()| make()) } else { Ok(()) };
        if done.is_err() {
            _ = fill(255);
        }
        let met = unsafe { self.comm.transport().broadcast(&self.context, self.result, self.result_bytes) };
        done?;
        met
    }

    /// Copies bytes within the backend's memory. Does nothing if `to` is NULL.
    ///
    /// # Safety
    /// `from` and `to` must be valid for `bytes` bytes, unless `to` is NULL.
    pub unsafe fn copy_bytes(&self, from: *mut c_void, to: *mut c_void, bytes: usize) -> Result<(), Error> {
        if to.is_null() || bytes == 0 || self.preparing.get() {
            return Ok(());
        }
        unsafe { self.context.runtime.copy_2d_async(to, bytes, from, bytes, bytes, 1, self.context.stream) }
    }

    /// Sets bytes of the backend's memory to zero. Does nothing if `to` is NULL.
    ///
    /// # Safety
    /// `to` must be valid for `bytes` bytes, or NULL.
    pub unsafe fn zero_bytes(&self, to: *mut c_void, bytes: usize) -> Result<(), Error> {
        if to.is_null() || bytes == 0 || self.preparing.get() {
            return Ok(());
        }
        unsafe { self.context.runtime.memset_async(to, 0, bytes, self.context.stream) }
    }
}
