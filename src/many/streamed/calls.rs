//! The routines. Matrices, scalar factors and pivots are in host memory, whichever backend is in use; the CPU backend works on
//! them in place.

use super::device::RuntimeDevice;
use super::layout::Layout;
use super::method::{Codes, Method, RawView};
use super::qr::{Apply, Factor};
use super::schedule::{HostMatrix, NoHostTasks, Problem, Progress, cancelled, run};
use super::{cholesky, lu};
use crate::batches::{RestoreDevice, check_device_number, name_device};
use crate::failure::{Failure, at_least, finish, not_null};
use crate::memory::{collected, filled};
use crate::tiled::calls::OnProgress;
use std::cell::Cell;
use std::ffi::{c_int, c_void};
use std::ptr::null_mut;
use tephra_core::backend::{self, Kind, Runtime};
use tephra_core::face::call::{self, WorkspaceSource};
use tephra_core::face::constants::cblas;
use tephra_core::face::guard::Prototype;
use tephra_core::face::native::strided;
use tephra_core::routine::{Geqrf, Getrf, Ormqr, Potrf, Routine, Shape, Side, Trans, Verdict};
use tephra_core::{Dtype, Error, Operation, Stream};

/// Part of a device's free memory that is left to others: a divisor, and a number of bytes.
const RESERVED: (usize, usize) = (16, 64 << 20);

/// A matrix argument: address and leading dimension.
pub type Argument = (*mut c_void, i64);

/// Arguments that all routines share: the calling function, the devices and memory to use, and the progress callback.
pub struct Options {
    /// The exported function.
    pub own: &'static Prototype,
    /// Bytes to use on each device. 0 stands for its free memory.
    pub budget: i64,
    /// Number of devices. 0 stands for the current one.
    pub count: c_int,
    /// The devices.
    pub devices: *const c_int,
    /// The progress callback and its user pointer.
    pub call: (Option<OnProgress>, *mut c_void),
}

impl Options {
    /// Options of a call that uses no device.
    pub fn without_devices(own: &'static Prototype, call: (Option<OnProgress>, *mut c_void)) -> Options {
        Options { own, budget: 0, count: 0, devices: std::ptr::null(), call }
    }

    pub(crate) fn check_numbers(&self) -> Result<(), Failure> {
        at_least("budget", self.budget, 0)?;
        at_least("device_count", self.count.into(), 0)
    }

    /// The addresses are checked after all numbers, those of the operands first.
    pub(crate) fn check_addresses(&self) -> Result<(), Failure> {
        not_null("devices", self.devices, self.count > 0)
    }

    pub(crate) fn devices(&self, runtime: &dyn Runtime) -> Result<Vec<i32>, Failure> {
        if self.count == 0 {
            return Ok(vec![runtime.current_device()?]);
        }
        let devices = collected((0..self.count as usize).map(|i| unsafe { *self.devices.add(i) }))?;
        devices.iter().try_for_each(|&device| check_device_number(runtime, device))?;
        Ok(devices)
    }

    /// Number of bytes to use on each of the devices.
    pub(crate) fn bytes_per_device(&self, runtime: &dyn Runtime, devices: &[i32]) -> Result<usize, Failure> {
        if self.budget > 0 {
            return Ok(self.budget as usize);
        }
        let mut least = usize::MAX;
        for &device in devices {
            runtime.set_device(device)?;
            let free = runtime.memory_info()?.0;
            // A device that is listed twice gets half its memory for each.
            let share = devices.iter().filter(|other| **other == device).count();
            least = least.min((free - free / RESERVED.0).saturating_sub(RESERVED.1) / share);
        }
        Ok(least)
    }

    pub(crate) fn report_progress(&self, done: usize, total: usize) -> bool {
        let (call, user) = self.call;
        // SAFETY: the caller's function, called on the caller's thread.
        call.is_none_or(|call| unsafe { call(done as i64, total as i64, user) == 0 })
    }

    /// Computes in host memory, in a single step.
    unsafe fn run_in_place(&self, runtime: &dyn Runtime, op: &Operation) -> Result<(), Failure> {
        unsafe { call::run(self.own.name, runtime, op, Stream(null_mut()), WorkspaceSource::Library)? };
        if self.report_progress(1, 1) { Ok(()) } else { Err(cancelled()) }
    }

    /// Runs a call. `op` is the equivalent operation if all memory is host memory. The operands are the source of
    /// reflectors, the target whose columns are split into blocks, and the number of those columns.
    /// `end` runs in host memory after the devices have finished, with the problem and the codes of its blocks.
    unsafe fn run(
        &self,
        op: &Operation,
        method: &dyn Method,
        (source, target, n): (Argument, Argument, i64),
        side: *mut c_void,
        end: impl FnOnce(&Problem, &[i32]) -> Result<(), Error>,
    ) -> Result<(), Failure> {
        let verdict = op.check()?;
        self.check_numbers()?;
        if verdict == Verdict::Go {
            op.refuse_nulls()?;
        }
        self.check_addresses()?;
        let runtime = backend::current()?;
        let devices = self.devices(runtime)?;
        if verdict == Verdict::QuickReturn {
            let info = op.info();
            if !info.is_null() {
                // SAFETY: the caller's.
                unsafe { *info = 0 };
            }
            return Ok(());
        }
        if runtime.kind() == Kind::Cpu {
            return unsafe { self.run_in_place(runtime, op) };
        }
        for (name, p) in [(method.side_name(), side), ("info", op.info().cast())] {
            if runtime.is_device_pointer(p) == 1 {
                return Err(Failure::Argument(name, "is in device memory".into()));
            }
        }
        let problem = self.problem(runtime, &devices, method, (source, target, n), n, side)?;
        let mut codes = filled(if method.codes() == Codes::None { 0 } else { problem.partition().count() }, 0)?;
        let problem = Problem { codes: codes.as_mut_ptr(), ..problem };
        // The last step is reported when the host's part is complete as well.
        let steps = Cell::new(0);
        let progress = |done: usize, total: usize| {
            steps.set(total);
            done == total || self.report_progress(done, total)
        };
        unsafe { self.run_on_devices(runtime, &devices, &problem, &progress)? };
        end(&problem, &codes)?;
        if self.report_progress(steps.get(), steps.get()) { Ok(()) } else { Err(cancelled()) }
    }

    /// Describes the problem for the devices. The operands must have been checked. The target has `n` columns, and
    /// those from `split` on are in blocks of their own.
    pub(crate) fn problem<'a>(
        &self,
        runtime: &'static dyn Runtime,
        devices: &[i32],
        method: &'a dyn Method,
        (source, target, n): (Argument, Argument, i64),
        split: i64,
        side: *mut c_void,
    ) -> Result<Problem<'a>, Failure> {
        let _restore = RestoreDevice::new(runtime)?;
        let (rows, element) = (method.rows(), method.dtype().bytes());
        let host = |(p, ld): Argument, columns: i64, name: &'static str| {
            let last = ((columns - 1) * ld) as usize + rows - 1;
            let ends = [p, p.wrapping_byte_add(last * element)];
            if runtime.is_device_pointer(p) == 1 {
                return Err(Failure::Argument(name, "is in device memory".into()));
            }
            let pinned = ends.iter().all(|p| backend::is_page_locked(runtime, *p));
            Ok(HostMatrix { p: p.cast(), ld: ld as usize, pinned })
        };
        let same = source.0 == target.0;
        let columns = if same { n } else { method.source_columns() as i64 };
        let source = host(source, columns, "a")?;
        let target = if same { source } else { host(target, n, "c")? };
        let (n, split, memory) = (n as usize, split as usize, self.bytes_per_device(runtime, devices)?);
        let layout = Layout::choose(method, (n, split), devices.len(), memory)?;
        let (side, codes, devices) = (side.cast(), null_mut(), devices.len());
        Ok(Problem { method, n, split, source, target, side, codes, layout, devices, host_tasks: &NoHostTasks })
    }

    /// Runs the problem on the devices.
    ///
    /// # Safety
    /// `problem` must come from [`Options::problem`] for the same devices, and its operands must be valid for the whole
    /// call.
    pub(crate) unsafe fn run_on_devices(
        &self,
        runtime: &'static dyn Runtime,
        devices: &[i32],
        problem: &Problem,
        progress: Progress,
    ) -> Result<(), Failure> {
        let _restore = RestoreDevice::new(runtime)?;
        let make = |number: usize| {
            let device = devices[number];
            let made = runtime.set_device(device).and_then(|()| RuntimeDevice::new(self.own.name, runtime));
            made.map_err(|error| name_device(device, error))
        };
        unsafe { run(problem, make, progress) }
    }
}

/// `tephra_?geqrf_host`
///
/// # Safety
/// The operands must be as the header says.
pub unsafe fn geqrf(options: &Options, dtype: Dtype, [m, n]: [i64; 2], a: Argument, tau: *mut c_void) -> i32 {
    let shape = Shape { dtype, m, n, batch: 1, math: Default::default(), extra: Default::default() };
    let (operand, lda) = (strided(a.0, 0), a.1);
    let op = Operation::Geqrf(Geqrf { a: operand, lda, tau: strided(tau, 0), ..Geqrf::of_shape(&shape) });
    let method = Factor::whole(dtype, m.max(0) as usize, n.max(0) as usize);
    finish(options.own, unsafe { options.run(&op, &method, (a, a, n), tau, |_, _| Ok(())) })
}

/// `tephra_?ormqr_host`, with m, n, k and the matrices A, C.
///
/// # Safety
/// The operands must be as the header says.
pub unsafe fn ormqr(
    options: &Options,
    dtype: Dtype,
    trans: c_int,
    [m, n, k]: [i64; 3],
    [a, c]: [Argument; 2],
    tau: *mut c_void,
) -> i32 {
    let form = match cblas::trans(trans) {
        // As in LAPACK, which has no plain transpose for complex types.
        Ok(Trans::T) if dtype.is_complex() => Err(Failure::Argument("trans", format!("is {trans}"))),
        other => other.map_err(Failure::from),
    };
    let done = form.and_then(|trans| {
        let (side, batch, sizes) = (Side::Left, 1, None);
        let (operand, c_operand, lda, ldc) = (strided(a.0, 0), strided(c.0, 0), a.1, c.1);
        let tau_operand = strided(tau, 0);
        let op =
            Ormqr { dtype, side, trans, m, n, k, a: operand, lda, tau: tau_operand, c: c_operand, ldc, batch, sizes };
        let method = Apply { dtype, m: m.max(0) as usize, k: k.max(0) as usize, plain: trans == Trans::N };
        unsafe { options.run(&Operation::Ormqr(op), &method, (a, c, n), tau, |_, _| Ok(())) }
    });
    finish(options.own, done)
}

/// Writes LAPACK's info for the matrix: the code of the first block with one other than 0, relative to the first column
/// of the matrix.
unsafe fn write_info(info: *mut c_int, problem: &Problem, codes: &[i32]) {
    let first = codes.iter().position(|code| *code != 0);
    let code = first.map_or(0, |block| problem.partition().columns(block).start as i32 + codes[block]);
    if !info.is_null() {
        // SAFETY: the caller's.
        unsafe { *info = code };
    }
}

/// `tephra_?getrf_host`
///
/// # Safety
/// The operands must be as the header says.
pub unsafe fn getrf(
    options: &Options,
    dtype: Dtype,
    [m, n]: [i64; 2],
    a: Argument,
    ipiv: *mut c_int,
    info: *mut c_int,
) -> i32 {
    let op = Getrf { info, ..Getrf::of(dtype, (m, n), (strided(a.0, 0), a.1), Some(strided(ipiv, 0)), 1) };
    let method = lu::Factor { dtype, m: m.max(0) as usize, n: n.max(0) as usize };
    let end = |problem: &Problem, codes: &[i32]| unsafe {
        let matrix = RawView { p: problem.source.p, ld: problem.source.ld };
        method.apply_interchanges(matrix, ipiv, &problem.partition())?;
        write_info(info, problem, codes);
        Ok(())
    };
    finish(options.own, unsafe { options.run(&Operation::Getrf(op), &method, (a, a, n), ipiv.cast(), end) })
}

/// `tephra_?potrf_host`
///
/// # Safety
/// The operands must be as the header says.
pub unsafe fn potrf(options: &Options, dtype: Dtype, uplo: c_int, n: i64, a: Argument, info: *mut c_int) -> i32 {
    let done = cblas::uplo(uplo).map_err(Failure::from).and_then(|uplo| {
        let shape = Shape { dtype, m: n, n, batch: 1, math: Default::default(), extra: Default::default() };
        let op = Potrf { uplo, a: strided(a.0, 0), lda: a.1, info, ..Potrf::of_shape(&shape) };
        let method = cholesky::Factor { dtype, uplo, n: n.max(0) as usize };
        let end = |problem: &Problem, codes: &[i32]| {
            unsafe { write_info(info, problem, codes) };
            Ok(())
        };
        unsafe { options.run(&Operation::Potrf(op), &method, (a, a, n), null_mut(), end) }
    });
    finish(options.own, done)
}
