//! Times on two, four and more devices in comparison with one: `many --ignored --nocapture --test-threads 1 timings`.
//! Prints CSV lines: what, devices, milliseconds, the milliseconds that it is compared with, and the ratio. CUDA only.

use super::ranks::{Connection, devices, with_ranks};
use std::ffi::{c_int, c_void};
use std::ptr::{null, null_mut};
use std::sync::Barrier;
use std::time::Instant;
use tephra_testkit::library::many::*;
use tephra_testkit::library::{Backend, GeqrfStrided};
use tephra_testkit::memory::{Kind, Memory};
use tephra_testkit::{Library, Rng, Scalar};

type OneQr =
    unsafe extern "C" fn(c_int, i64, i64, Raw, i64, i64, Raw, i64, i64, Raw, i64, i64, i64, Raw, usize, Raw) -> c_int;
type OneQrWorkspace = unsafe extern "C" fn(c_int, i64, i64, i64, i64, i64, i64, i64, i64, i64, *mut usize) -> c_int;
type Getrf = unsafe extern "C" fn(i64, i64, Raw, i64, i64, Raw, i64, Raw, i64, Raw, usize, Raw) -> c_int;
type Potrf = unsafe extern "C" fn(c_int, i64, Raw, i64, i64, Raw, i64, Raw, usize, Raw) -> c_int;

fn room(bytes: usize) -> Memory {
    Memory::new(Library::required(), Kind::Device, bytes).unwrap()
}

fn set_device(device: usize) {
    let set: unsafe extern "C" fn(c_int) = named("magma_setdevice");
    unsafe { set(device as c_int) };
}

fn wait() {
    unsafe { Library::required().stream_synchronize(null_mut()) }.unwrap();
}

/// Memory of random elements, in which no two blocks of 16 MiB have the same position in a matrix.
fn random<T: Scalar>(elements: usize) -> Memory {
    let bytes = elements * size_of::<T>();
    let (memory, mut rng) = (room(bytes), Rng::new(3));
    let block: Vec<T> =
        (0..(16 << 20) / size_of::<T>() - 12).map(|_| T::from_double(random_number::<T>(&mut rng))).collect();
    let of_block = size_of_val(block.as_slice());
    for at in (0..bytes).step_by(of_block) {
        let some = of_block.min(bytes - at);
        let to = memory.pointer().wrapping_byte_add(at);
        unsafe { Library::required().memcpy(to, block.as_ptr().cast(), some, null_mut()) }.unwrap();
    }
    memory
}

fn random_number<T: Scalar>(rng: &mut Rng) -> T::Double {
    <T::Double as tephra_testkit::Field>::uniform(rng)
}

/// The minimum of several times in milliseconds, after a warm-up run.
fn least(mut run: impl FnMut()) -> f64 {
    let mut time = || {
        let start = Instant::now();
        run();
        start.elapsed().as_secs_f64() * 1e3
    };
    time();
    (0..4).map(|_| time()).fold(f64::INFINITY, f64::min)
}

fn report(what: &str, devices: usize, many: f64, one: f64) {
    println!("{what},{devices},{many:.3},{one:.3},{:.3}", one / many);
}

fn tall<T: Scalar>(m: usize, n: usize, devices: usize, part: c_int) {
    let (mi, ni, element) = (m as i64, n as i64, size_of::<T>());
    let one: OneQr = function::<T, _>("tephra_?qr_strided_batched");
    let workspace: OneQrWorkspace = function::<T, _>("tephra_?qr_strided_batched_workspace");
    set_device(0);
    let alone = {
        let (a, q, r) = (random::<T>(m * n), room(m * n * element), room(n * n * element));
        let mut bytes = 0;
        ok(unsafe { workspace(part, mi, ni, mi, 0, mi, 0, ni, 0, 1, &mut bytes) });
        let work = room(bytes);
        let (a, q, r) = (a.pointer(), q.pointer(), r.pointer());
        least(|| {
            ok(unsafe { one(part, mi, ni, a, mi, 0, q, mi, 0, r, ni, 0, 1, work.pointer(), bytes, null_mut()) });
            wait();
        })
    };
    let qr: QrDistributed = function::<T, _>("tephra_?qr_distributed");
    for size in several(devices) {
        let start = Barrier::new(size);
        let times = with_ranks(Connection::Own, size, |_, comm| {
            let (a, q, r) = (random::<T>(m * n), room(m * n * element), room(n * n * element));
            let (a, q, r) = (a.pointer(), q.pointer(), r.pointer());
            least(|| {
                start.wait();
                ok(unsafe { qr(comm, part, mi, ni, a, mi, q, mi, r, ni, null_mut()) });
                wait();
                start.wait();
            })
        });
        let slowest = times.into_iter().fold(0.0, f64::max);
        let name = format!("TSQR {} {size}x({m}x{n}) {}", T::DTYPE.letter(), if part == 0 { "R" } else { "Q and R" });
        report(&name, size, slowest, alone);
    }
}

#[derive(Clone, Copy)]
enum Factorisation {
    Geqrf,
    Getrf,
    Potrf,
}

struct Part {
    routine: Factorisation,
    a: Memory,
    /// tau or pivots.
    beside: Memory,
    info: Memory,
    n: i64,
    count: i64,
}

unsafe extern "C" fn factor(i: i64, stream: Raw, user: Raw) -> c_int {
    let part = &unsafe { &*user.cast::<Vec<Part>>() }[i as usize];
    let (n, count) = (part.n, part.count);
    let (a, beside, info) = (part.a.pointer(), part.beside.pointer(), part.info.pointer());
    match part.routine {
        Factorisation::Geqrf => {
            let geqrf: GeqrfStrided = named("tephra_dgeqrf_strided_batched");
            unsafe { geqrf(n, n, a, n, n * n, beside, n, count, null_mut(), 0, stream) }
        }
        Factorisation::Getrf => {
            let getrf: Getrf = named("tephra_dgetrf_strided_batched");
            unsafe { getrf(n, n, a, n, n * n, beside, n, info, count, null_mut(), 0, stream) }
        }
        Factorisation::Potrf => {
            let potrf: Potrf = named("tephra_dpotrf_strided_batched");
            unsafe { potrf(LOWER, n, a, n, n * n, info, count, null_mut(), 0, stream) }
        }
    }
}

/// `MagmaLower`.
const LOWER: c_int = 122;

/// Matrices with 4 on the diagonal and small elements elsewhere, whose factors can all be factored again.
fn definite(n: usize, count: usize) -> Memory {
    let memory = room(n * n * count * 8);
    let mut rng = Rng::new(5);
    let some = ((16 << 20) / (n * n * 8)).clamp(1, count);
    let of_some: Vec<f64> = (0..n * n * some)
        .map(|i| if (i % (n * n)).is_multiple_of(n + 1) { 4.0 } else { rng.uniform() / (2 * n) as f64 })
        .collect();
    for first in (0..count).step_by(some) {
        let bytes = n * n * 8 * some.min(count - first);
        let to = memory.pointer().wrapping_byte_add(first * n * n * 8);
        unsafe { Library::required().memcpy(to, of_some.as_ptr().cast(), bytes, null_mut()) }.unwrap();
    }
    memory
}

/// Factors a batch in as many parts as there are devices, and all of it on one device.
fn parts(name: &str, routine: Factorisation, n: usize, count: usize, size: usize) {
    let make = |device: usize, count: usize| {
        set_device(device);
        let a = definite(n, count);
        Part { routine, a, beside: room(n * count * 8), info: room(count * 4), n: n as i64, count: count as i64 }
    };
    let run: RunParts = named("tephra_run_parts");
    let time = |places: &[usize]| {
        let mut parts: Vec<_> = places.iter().map(|&device| make(device, count / places.len())).collect();
        let places: Vec<_> = places.iter().map(|&place| place as c_int).collect();
        set_device(0);
        let user = (&raw mut parts).cast::<c_void>();
        least(|| ok(unsafe { run(places.len() as i64, places.as_ptr(), null(), Some(factor), user) }))
    };
    let one = time(&[0]);
    for size in several(size) {
        let all: Vec<_> = (0..size).collect();
        report(&format!("{name} {n}x{n} batch {count} in parts"), size, time(&all), one);
    }
}

/// 2 devices, 4, and so on.
fn several(devices: usize) -> impl Iterator<Item = usize> {
    (1..).map(|power| 1 << power).take_while(move |size| *size <= devices)
}

unsafe extern "C" fn factor_chunk(_: i64, count: i64, operands: *const Raw, stream: Raw, user: Raw) -> c_int {
    let n = unsafe { *user.cast::<i64>() };
    let geqrf: GeqrfStrided = named("tephra_dgeqrf_strided_batched");
    unsafe { geqrf(n, n, *operands, n, n * n, *operands.add(1), n, count, null_mut(), 0, stream) }
}

unsafe extern "C" fn nothing(_: i64, _: i64, _: *const Raw, _: Raw, _: Raw) -> c_int {
    0
}

/// QR of a batch in page-locked or pageable memory, in comparison with the copies alone.
fn host(n: usize, count: usize, pinned: bool, size: usize) {
    let bytes = n * n * 8 * count;
    let memory = Memory::new(Library::required(), Kind::Pinned, if pinned { bytes } else { 1 }).unwrap();
    let mut plain_memory = vec![1u8; if pinned { 0 } else { bytes }];
    let data = if pinned { memory.pointer() } else { plain_memory.as_mut_ptr().cast() };
    let mut rng = Rng::new(8);
    // SAFETY: the memory holds that many elements.
    let elements = unsafe { std::slice::from_raw_parts_mut(data.cast::<f64>(), n * n * count) };
    let block: Vec<f64> = (0..1 << 20).map(|_| rng.uniform()).collect();
    elements.chunks_mut(1 << 20).for_each(|chunk| chunk.copy_from_slice(&block[..chunk.len()]));
    let tau = vec![0.0f64; n * count];
    let run: RunHost = named("tephra_run_host");
    let mut order = n as i64;
    let mut time = |function: Chunk, devices: c_int| {
        let hosts = [data, tau.as_ptr().cast_mut().cast()];
        let (sizes, access) = ([n * n * 8, n * 8], [if pinned { 7 } else { 3 }, 2]);
        let (list, user) = ((0..devices).collect::<Vec<_>>(), (&raw mut order).cast());
        least(|| {
            ok(unsafe {
                let (h, s, a) = (hosts.as_ptr(), sizes.as_ptr(), access.as_ptr());
                run(count as i64, 2, h, s, a, 0, devices, list.as_ptr(), function, user)
            });
        })
    };
    let name = format!("dgeqrf {n}x{n} batch {count} in {} host memory", if pinned { "page-locked" } else { "plain" });
    for devices in [1].into_iter().chain(several(size)).map(|devices| devices as c_int) {
        let (all, copies) = (time(Some(factor_chunk), devices), time(Some(nothing), devices));
        report(&format!("{name} beside copies alone"), devices as usize, all, copies);
    }
}

/// Prints the head of the table and returns the number of devices; 0 without CUDA.
fn begin() -> usize {
    if Library::required().backend().unwrap() == Backend::Cpu {
        println!("timings: CUDA only");
        return 0;
    }
    println!("what,devices,ms,ms of the other,ratio");
    devices(2)
}

#[test]
#[ignore = "says only how long things take"]
fn of_tall_matrices() {
    let size = begin();
    for part in [0, 1].into_iter().filter(|_| size > 0) {
        tall::<f32>(4_194_304, 256, size, part);
        tall::<f64>(4_194_304, 256, size, part);
        tall::<f32>(8_388_608, 32, size, part);
        tall::<f64>(8_388_608, 32, size, part);
        tall::<f64>(1_000_000, 32, size, part);
        // Hardly more than the communication between the ranks.
        tall::<f64>(256, 256, size, part);
    }
}

#[test]
#[ignore = "says only how long things take"]
fn of_parts() {
    let size = begin();
    for (name, routine) in
        [("dgeqrf", Factorisation::Geqrf), ("dgetrf", Factorisation::Getrf), ("dpotrf", Factorisation::Potrf)]
    {
        for (n, count) in [(16, 16_000_000), (64, 1_600_000), (256, 64_000)].into_iter().filter(|_| size > 0) {
            parts(name, routine, n, count, size);
        }
    }
}

#[test]
#[ignore = "says only how long things take"]
fn of_host_batches() {
    let size = begin();
    for (n, count, pinned) in [(32, 500_000, true), (256, 8_000, true), (32, 200_000, false)] {
        if size > 0 {
            host(n, count, pinned, size);
        }
    }
}
