//! Batches over devices: parts that lie on several devices, and batches in host memory that may exceed device memory.
//!
//! The computation is a callback, which may call any of the library's functions on the members it is given. This way
//! one function here serves every routine of every API.

use crate::failure::{Failure, at_least, not_null};
use crate::memory;
use std::ffi::{CStr, c_int, c_void};
use std::ptr::null_mut;
use tephra_core::backend::{self, Kind, Runtime, cpu};
use tephra_core::face::guard::{last_error, records};
use tephra_core::{Error, Stream};

/// Calls the library for one part, with the part's device current: `tephra_part`.
pub type OfPart = unsafe extern "C" fn(part: i64, stream: *mut c_void, user: *mut c_void) -> i32;
/// Calls the library for a range of members: `tephra_chunk`.
pub type OfChunk = unsafe extern "C" fn(
    first: i64,
    count: i64,
    operands: *const *mut c_void,
    stream: *mut c_void,
    user: *mut c_void,
) -> i32;

/// Bits of an operand's access: it is read, it is written, it is in page-locked memory. An operand that is neither read
/// nor written is scratch memory.
const READ: c_int = 1;
const WRITE: c_int = 2;
const PINNED: c_int = 4;
/// Default number of bytes per chunk: enough to keep a device busy while the following work is launched.
const CHUNK: usize = 64 << 20;
/// The default if most of a chunk is staged in page-locked memory, of which a byte takes longer to allocate than to
/// fill.
const STAGED_CHUNK: usize = 16 << 20;
/// Chunks in flight per device: one is being uploaded, one computed, one downloaded.
const SLOTS: usize = 3;
/// Alignment of operands in a chunk, in bytes.
const ALIGNMENT: usize = 256;

/// Turns the return code of the callback into a result. The message includes the error text if a library call failed in
/// the callback; `place` says where it was called.
fn callback_result(call: impl FnOnce() -> i32, place: impl FnOnce() -> String) -> Result<(), Failure> {
    let before = records();
    let code = call();
    if code == 0 {
        return Ok(());
    }
    let text = match records() == before {
        true => String::new(),
        // SAFETY: a terminated string that belongs to this thread.
        false => format!(" ({})", unsafe { CStr::from_ptr(last_error()) }.to_string_lossy()),
    };
    Err(Failure::Callback(format!("{}: the function returned {code}{text}", place())))
}

/// Restores the current device when dropped.
pub(crate) struct RestoreDevice(&'static dyn Runtime, i32);

impl RestoreDevice {
    pub(crate) fn new(runtime: &'static dyn Runtime) -> Result<RestoreDevice, Error> {
        Ok(RestoreDevice(runtime, runtime.current_device()?))
    }
}

impl Drop for RestoreDevice {
    fn drop(&mut self) {
        _ = self.0.set_device(self.1);
    }
}

/// Streams created here, one per device.
struct Streams {
    runtime: &'static dyn Runtime,
    streams: Vec<(i32, Stream)>,
}

impl Streams {
    fn get(&mut self, device: i32) -> Result<Stream, Error> {
        if let Some((_, stream)) = self.streams.iter().find(|(other, _)| *other == device) {
            return Ok(*stream);
        }
        let stream = self.runtime.stream_create()?;
        self.streams.push((device, stream));
        Ok(stream)
    }

    /// Waits for all streams. Returns the first failure with its device.
    fn wait(&self) -> Result<(), Failure> {
        let wait = |&(device, stream): &(i32, Stream)| {
            self.runtime.set_device(device)?;
            // SAFETY: a live stream created by `get`.
            unsafe { self.runtime.stream_synchronize(stream) }.map_err(|error| name_device(device, error))
        };
        let all: Vec<_> = self.streams.iter().map(wait).collect();
        all.into_iter().collect::<Result<(), Error>>().map_err(Failure::from)
    }
}

impl Drop for Streams {
    fn drop(&mut self) {
        for &(device, stream) in &self.streams {
            _ = self.runtime.set_device(device);
            // SAFETY: a live stream created by `get`, which nothing uses any more.
            _ = unsafe { self.runtime.stream_destroy(stream) };
        }
    }
}

/// Adds the device to an error's message.
pub(crate) fn name_device(device: i32, error: Error) -> Error {
    match error {
        Error::Driver(text) => Error::Driver(format!("device {device}: {text}")),
        Error::OutOfMemory(text) => Error::OutOfMemory(format!("device {device}: {text}")),
        other => other,
    }
}

pub(crate) fn check_device_number(runtime: &dyn Runtime, device: i32) -> Result<(), Failure> {
    let available = runtime.device_count();
    let text = || format!("names device {device}, but there are {available}");
    if (0..available).contains(&device) { Ok(()) } else { Err(Failure::Argument("devices", text())) }
}

/// `tephra_run_parts`
///
/// # Safety
/// `devices` must hold `count` numbers, and `streams` must be NULL or hold `count` streams. The function must be as the
/// header says.
pub unsafe fn run_parts(
    count: i64,
    devices: *const c_int,
    streams: *const *mut c_void,
    function: (Option<OfPart>, *mut c_void),
) -> Result<(), Failure> {
    at_least("count", count, 0)?;
    if count == 0 {
        return Ok(());
    }
    not_null("devices", devices, true)?;
    let (Some(call), user) = function else { return Err(Failure::Argument("call", "is NULL".into())) };
    let runtime = backend::current()?;
    let device = |i: i64| unsafe { *devices.add(i as usize) };
    (0..count).try_for_each(|i| check_device_number(runtime, device(i)))?;
    let _restore = RestoreDevice::new(runtime)?;
    let mut own_streams = Streams { runtime, streams: vec![] };
    let mut each = |i: i64| {
        runtime.set_device(device(i))?;
        let stream =
            if streams.is_null() { own_streams.get(device(i))? } else { Stream(unsafe { *streams.add(i as usize) }) };
        callback_result(|| unsafe { call(i, stream.0, user) }, || format!("part {i} on device {}", device(i)))
    };
    let done = (0..count).try_for_each(&mut each);
    let waited = own_streams.wait();
    done.and(waited)
}

/// One operand of a batch in host memory.
#[derive(Clone, Copy)]
struct HostOperand {
    /// Address of member 0.
    host: *mut c_void,
    /// Bytes per member.
    bytes: usize,
    access: c_int,
    /// Offset in a chunk on the device, and in its staging buffer if the operand is staged.
    device_offset: usize,
    staging_offset: usize,
}

impl HostOperand {
    /// Whether the operand is staged in page-locked memory of ours.
    fn is_staged(&self) -> bool {
        self.is(READ | WRITE) && !self.is(PINNED)
    }

    fn at(&self, member: i64) -> *mut c_void {
        self.host.wrapping_byte_add(member as usize * self.bytes)
    }

    fn is(&self, bit: c_int) -> bool {
        self.access & bit != 0
    }
}

/// The operands of a call.
struct Operands {
    all: Vec<HostOperand>,
    /// Bytes of a chunk on the device.
    device_bytes: usize,
    /// Bytes of a chunk's staging buffer.
    staging_bytes: usize,
    /// Members per chunk.
    per_chunk: i64,
}

impl Operands {
    unsafe fn read(
        count: i64,
        number: c_int,
        [hosts, bytes, access]: [*const c_void; 3],
        chunk: i64,
        in_place: bool,
    ) -> Result<Operands, Failure> {
        let number = number as usize;
        let (hosts, bytes, access): (*const *mut c_void, *const usize, *const c_int) =
            (hosts.cast(), bytes.cast(), access.cast());
        let one = |i: usize| unsafe {
            let (host, bytes, access) = (*hosts.add(i), *bytes.add(i), *access.add(i));
            let operand = HostOperand { host, bytes, access, device_offset: 0, staging_offset: 0 };
            let wrong = |what: String| Err(Failure::Argument("access", format!("of operand {i} {what}")));
            if operand.access & !(READ | WRITE | PINNED) != 0 {
                return wrong(format!("is {}", operand.access));
            }
            let used = operand.is(READ | WRITE) && operand.bytes > 0 && count > 0;
            if used && operand.host.is_null() {
                return Err(Failure::Argument("host", format!("of operand {i} is NULL")));
            }
            let reach = usize::try_from(count).ok().and_then(|count| count.checked_mul(operand.bytes));
            if reach.is_none_or(|reach| reach > isize::MAX as usize) {
                return Err(Failure::Argument("bytes", format!("of operand {i} is {}", operand.bytes)));
            }
            Ok(operand)
        };
        let mut all = memory::reserved(number)?;
        for i in 0..number {
            all.push(one(i)?);
        }
        let sum = |of: fn(&HostOperand) -> bool| {
            all.iter().filter(|operand| of(operand)).fold(0usize, |sum, operand| sum.saturating_add(operand.bytes))
        };
        let of_member = sum(|_| true).max(1);
        let bytes = if sum(HostOperand::is_staged) > of_member / 2 { STAGED_CHUNK } else { CHUNK };
        let per_chunk = if chunk > 0 { chunk } else { (bytes / of_member).max(1) as i64 }.min(count.max(1));
        let (mut device_bytes, mut staging_bytes) = (0, 0);
        // In place only scratch memory is needed.
        for operand in all.iter_mut().filter(|operand| !(in_place && operand.is(READ | WRITE))) {
            let place = |sum: &mut usize| {
                let bytes = operand.bytes.checked_mul(per_chunk as usize)?.checked_next_multiple_of(ALIGNMENT)?;
                let start = *sum;
                *sum = sum.checked_add(bytes)?;
                Some(start)
            };
            let too_many = || Error::OutOfMemory("a chunk of more bytes than can be counted".into());
            operand.device_offset = place(&mut device_bytes).ok_or_else(too_many)?;
            if operand.is_staged() {
                operand.staging_offset = place(&mut staging_bytes).ok_or_else(too_many)?;
            }
        }
        Ok(Operands { all, device_bytes, staging_bytes, per_chunk })
    }
}

/// The caller's function. Takes the first member and their number, the addresses of their operands, and the stream with
/// its device.
type Call<'a> = dyn Fn((i64, i64), &[*mut c_void], Stream, i32) -> Result<(), Failure> + 'a;

/// Device memory for one chunk, with the staging buffer for its operands.
struct Slot {
    runtime: &'static dyn Runtime,
    device: i32,
    stream: Stream,
    device_memory: *mut c_void,
    staging: *mut c_void,
    /// The chunk in flight: the first member and the number of members.
    in_flight: Option<(i64, i64)>,
}

impl Slot {
    fn new(runtime: &'static dyn Runtime, device: i32, operands: &Operands) -> Result<Slot, Error> {
        let mut slot = Slot {
            runtime,
            device,
            stream: Stream(null_mut()),
            device_memory: null_mut(),
            staging: null_mut(),
            in_flight: None,
        };
        runtime.set_device(device)?;
        slot.stream = runtime.stream_create()?;
        slot.device_memory = runtime.alloc(operands.device_bytes.max(1))?;
        if operands.staging_bytes > 0 {
            slot.staging = runtime.alloc_pinned(operands.staging_bytes)?;
        }
        Ok(slot)
    }

    /// Enqueues the upload of a chunk, the callback, and the download.
    unsafe fn start(
        &mut self,
        operands: &Operands,
        (first, count): (i64, i64),
        call: &Call<'_>,
    ) -> Result<(), Failure> {
        self.runtime.set_device(self.device)?;
        self.in_flight = Some((first, count));
        let mut pointers = memory::reserved(operands.all.len())?;
        for operand in &operands.all {
            let (address, bytes) =
                (self.device_memory.wrapping_byte_add(operand.device_offset), operand.bytes * count as usize);
            pointers.push(address);
            if !operand.is(READ) || bytes == 0 {
                continue;
            }
            let mut from = operand.at(first);
            if operand.is_staged() {
                let staged = self.staging.wrapping_byte_add(operand.staging_offset);
                unsafe { copy(from, staged, bytes) };
                from = staged;
            }
            unsafe { self.runtime.copy_2d_async(address, bytes, from, bytes, bytes, 1, self.stream)? };
        }
        call((first, count), &pointers, self.stream, self.device)?;
        for operand in &operands.all {
            let (address, bytes) =
                (self.device_memory.wrapping_byte_add(operand.device_offset), operand.bytes * count as usize);
            if operand.is(WRITE) && bytes > 0 {
                let staged = self.staging.wrapping_byte_add(operand.staging_offset);
                let to = if operand.is_staged() { staged } else { operand.at(first) };
                unsafe { self.runtime.copy_2d_async(to, bytes, address, bytes, bytes, 1, self.stream)? };
            }
        }
        Ok(())
    }

    /// Waits for the chunk in flight, and copies its staged outputs to the caller's memory.
    unsafe fn finish(&mut self, operands: &Operands) -> Result<(), Failure> {
        let Some((first, count)) = self.in_flight.take() else { return Ok(()) };
        self.runtime.set_device(self.device)?;
        let name = |error| match name_device(self.device, error) {
            Error::Driver(text) => Error::Driver(format!("members {first} to {}: {text}", first + count - 1)),
            other => other,
        };
        unsafe { self.runtime.stream_synchronize(self.stream) }.map_err(name)?;
        for operand in &operands.all {
            if operand.is(WRITE) && operand.is_staged() {
                let staged = self.staging.wrapping_byte_add(operand.staging_offset);
                unsafe { copy(staged, operand.at(first), operand.bytes * count as usize) };
            }
        }
        Ok(())
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        _ = self.runtime.set_device(self.device);
        // SAFETY: `new` created all of this, and any work in flight is waited for before the memory is freed.
        unsafe {
            if !self.stream.0.is_null() {
                _ = self.runtime.stream_synchronize(self.stream);
                _ = self.runtime.stream_destroy(self.stream);
            }
            if !self.device_memory.is_null() {
                _ = self.runtime.free(self.device_memory);
            }
            if !self.staging.is_null() {
                _ = self.runtime.free_pinned(self.staging);
            }
        }
    }
}

/// Copies host memory, with several threads if it is large.
unsafe fn copy(from: *mut c_void, to: *mut c_void, bytes: usize) {
    let (from, to) = (from as usize, to as usize);
    let piece = |range: std::ops::Range<usize>| {
        // SAFETY: the caller guarantees that both buffers are valid; the ranges are disjoint.
        unsafe {
            ((to + range.start) as *mut u8).copy_from_nonoverlapping((from + range.start) as *const u8, range.len())
        }
    };
    cpu::parts::for_ranges(bytes, 1 << 20, 8, piece);
}

/// `tephra_run_host`
///
/// # Safety
/// The arrays must hold as many elements as the header says, and the operands must be readable or writable according to
/// their access. The function must be as the header says.
pub unsafe fn run_host(
    count: i64,
    number: c_int,
    arrays: [*const c_void; 3],
    chunk: i64,
    (device_count, devices): (c_int, *const c_int),
    function: (Option<OfChunk>, *mut c_void),
) -> Result<(), Failure> {
    at_least("count", count, 0)?;
    at_least("operands", number.into(), 0)?;
    at_least("chunk", chunk, 0)?;
    at_least("device_count", device_count.into(), 0)?;
    if count == 0 {
        return Ok(());
    }
    for (name, array) in ["host", "bytes", "access"].into_iter().zip(arrays) {
        not_null(name, array, number > 0)?;
    }
    not_null("devices", devices, device_count > 0)?;
    let (Some(call), user) = function else { return Err(Failure::Argument("call", "is NULL".into())) };
    let found = backend::current();
    let in_place = found.as_ref().is_ok_and(|runtime| runtime.kind() == Kind::Cpu);
    let operands = unsafe { Operands::read(count, number, arrays, chunk, in_place)? };
    let runtime = found?;
    let devices = match device_count {
        0 => memory::collected(0..runtime.device_count()),
        some => memory::collected((0..some as usize).map(|i| unsafe { *devices.add(i) })),
    }?;
    devices.iter().try_for_each(|&device| check_device_number(runtime, device))?;
    let chunks =
        (0..count).step_by(operands.per_chunk as usize).map(|first| (first, operands.per_chunk.min(count - first)));
    let call = |(first, count): (i64, i64), pointers: &[*mut c_void], stream: Stream, device: i32| {
        let place = || format!("members {first} to {} on device {device}", first + count - 1);
        callback_result(|| unsafe { call(first, count, pointers.as_ptr(), stream.0, user) }, place)
    };
    if in_place {
        return unsafe { run_in_place(runtime, &operands, chunks, &call) };
    }
    let _restore = RestoreDevice::new(runtime)?;
    // Slots are in the order of their chunks: one for each device, then the next one for each.
    let mut slots: Vec<Slot> = vec![];
    let wanted = SLOTS * devices.len();
    for (i, piece) in chunks.enumerate() {
        let device = devices[i % devices.len()];
        if slots.len() < wanted {
            slots.push(Slot::new(runtime, device, &operands).map_err(|error| name_device(device, error))?);
        }
        let slot = &mut slots[i % wanted];
        unsafe {
            slot.finish(&operands)?;
            slot.start(&operands, piece, &call)?;
        }
    }
    // The remaining chunks, oldest first.
    slots.sort_by_key(|slot| slot.in_flight);
    slots.iter_mut().try_for_each(|slot| unsafe { slot.finish(&operands) })
}

/// On the CPU backend the callback works on the caller's memory directly; only scratch operands are allocated.
unsafe fn run_in_place(
    runtime: &'static dyn Runtime,
    operands: &Operands,
    chunks: impl Iterator<Item = (i64, i64)>,
    call: &Call<'_>,
) -> Result<(), Failure> {
    let scratch = operands.all.iter().any(|operand| !operand.is(READ | WRITE));
    let room = if scratch { runtime.alloc(operands.device_bytes.max(1))? } else { null_mut() };
    let pointers = |first: i64| {
        let place = |operand: &HostOperand| {
            if operand.is(READ | WRITE) { operand.at(first) } else { room.wrapping_byte_add(operand.device_offset) }
        };
        memory::collected(operands.all.iter().map(place))
    };
    let done = { chunks }.try_for_each(|piece| call(piece, &pointers(piece.0)?, Stream(null_mut()), 0));
    if !room.is_null() {
        unsafe { runtime.free(room)? };
    }
    done
}
