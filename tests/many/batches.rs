//! Batches on several devices, by callbacks of the tests that call the library.

use super::ranks::devices;
use std::cmp::Ordering;
use std::ffi::{c_int, c_void};
use std::ptr::{null, null_mut};
use tephra_testkit::library::Backend;
use tephra_testkit::library::many::*;
use tephra_testkit::memory::{Kind, Memory};
use tephra_testkit::scalar::same_bits;
use tephra_testkit::{Library, Rng};

const N: usize = 6;

/// Positive definite matrices, except for one.
fn matrices(count: usize, bad: usize) -> Vec<f64> {
    let mut rng = Rng::new(5);
    let mut all = Vec::with_capacity(count * N * N);
    for k in 0..count {
        let mut a = [0.0; N * N];
        for at in 0..N * N {
            let (i, j) = (at % N, at / N);
            match i.cmp(&j) {
                Ordering::Less => a[at] = a[i * N + j],
                Ordering::Equal => a[at] = if k == bad && i == 3 { -100.0 } else { 10.0 },
                Ordering::Greater => a[at] = rng.uniform(),
            }
        }
        all.extend(a);
    }
    all
}

fn potrf() -> PotrfStrided {
    named("tephra_dpotrf_strided_batched")
}

/// Factors a chunk by Cholesky; fails for the chunk that contains the member named by the user data.
unsafe extern "C" fn chunk(first: i64, count: i64, operands: *const Raw, stream: Raw, user: Raw) -> c_int {
    let (a, info) = unsafe { (*operands, *operands.add(1)) };
    let poisoned = unsafe { *user.cast::<i64>() };
    let lda = if (first..first + count).contains(&poisoned) { 1 } else { N as i64 };
    unsafe { potrf()(122, N as i64, a, lda, (N * N) as i64, info.cast(), count, null_mut(), 0, stream) }
}

/// The access flags of A: read and written, and additionally in page-locked memory.
const ANYWHERE: c_int = 3;
const PINNED: c_int = 7;

fn run(a: &mut [f64], info: &mut [c_int], size: i64, poisoned: i64, use_devices: &[c_int]) -> c_int {
    run_in((a, ANYWHERE), info, size, poisoned, use_devices)
}

fn run_in(
    (a, access): (&mut [f64], c_int),
    info: &mut [c_int],
    size: i64,
    poisoned: i64,
    use_devices: &[c_int],
) -> c_int {
    let function: RunHost = named("tephra_run_host");
    let (count, mut poisoned) = (info.len() as i64, poisoned);
    let host = [a.as_mut_ptr().cast::<c_void>(), info.as_mut_ptr().cast(), null_mut()];
    let (bytes, access) = ([N * N * 8, 4, 16], [access, 2, 0]);
    let (number, list) = (use_devices.len() as c_int, use_devices.as_ptr());
    let user = (&raw mut poisoned).cast();
    unsafe { function(count, 3, host.as_ptr(), bytes.as_ptr(), access.as_ptr(), size, number, list, Some(chunk), user) }
}

#[test]
fn a_batch_in_host_memory_is_done_in_chunks() {
    const COUNT: usize = 1000;
    let input = matrices(COUNT, 707);
    let (mut whole, mut codes) = (input.clone(), vec![-1; COUNT]);
    assert_eq!(run(&mut whole, &mut codes, 0, -1, &[]), 0, "{}", Library::required().last_error());
    assert!(codes.iter().enumerate().all(|(k, &code)| code == if k == 707 { 4 } else { 0 }), "{codes:?}");
    for (k, l) in whole.chunks_exact(N * N).enumerate().filter(|(k, _)| *k != 707) {
        for i in 0..N {
            for j in 0..=i {
                let product: f64 = (0..=j).map(|t| l[t * N + i] * l[t * N + j]).sum();
                let of = input[k * N * N + j * N + i];
                assert!((product - of).abs() < 1e-13, "member {k}: {product} {of}");
            }
        }
    }
    for (size, list) in [(1, &[][..]), (7, &[0]), (333, &[0, 0]), (5000, &[])] {
        let (mut a, mut info) = (input.clone(), vec![-1; COUNT]);
        assert_eq!(run(&mut a, &mut info, size, -1, list), 0, "{}", Library::required().last_error());
        assert!(info == codes, "chunks of {size}");
        // With page-locked memory, only the codes pass through memory of the library.
        let pinned = Memory::new(Library::required(), Kind::Pinned, size_of_val(&input[..])).unwrap();
        // SAFETY: the host memory has that size.
        let there = unsafe { std::slice::from_raw_parts_mut(pinned.pointer().cast::<f64>(), input.len()) };
        there.copy_from_slice(&input);
        info.fill(-1);
        assert_eq!(run_in((there, PINNED), &mut info, size, -1, list), 0, "{}", Library::required().last_error());
        assert!(info == codes && same_bits(&a, there), "chunks of {size} in page-locked memory");
        let near = |(x, y): (&f64, &f64)| (x - y).abs() < 1e-13 || x.is_nan() && y.is_nan();
        // The member that is not definite is left as it was at the failure, which different plans may reach
        // differently.
        let others = |all: &[f64]| {
            all.chunks_exact(N * N)
                .enumerate()
                .filter(|(k, _)| *k != 707)
                .flat_map(|m| m.1.to_vec())
                .collect::<Vec<_>>()
        };
        assert!(others(&a).iter().zip(&others(&whole)).all(near), "chunks of {size}");
    }
}

/// Accepts a chunk, and writes to its scratch memory.
unsafe extern "C" fn accept(_: i64, _: i64, operands: *const Raw, _: Raw, _: Raw) -> c_int {
    unsafe { (*operands.add(1)).cast::<u8>().write_bytes(1, 16) };
    0
}

/// In place, members may be larger than the memory that is left.
#[test]
fn only_scratch_memory_is_allocated_in_place() {
    if Library::required().backend().unwrap() == Backend::Cuda {
        return;
    }
    let function: RunHost = named("tephra_run_host");
    let (mut somewhere, none) = (0u64, null_mut());
    let host = [(&raw mut somewhere).cast::<c_void>(), none];
    let (bytes, access) = ([1usize << 50, 16], [1, 0]);
    for size in [0, 1, 2] {
        ok(unsafe {
            function(2, 2, host.as_ptr(), bytes.as_ptr(), access.as_ptr(), size, 0, null(), Some(accept), none)
        });
    }
}

#[test]
fn a_chunk_that_fails_is_named() {
    let (mut a, mut info) = (matrices(100, 1000), vec![0; 100]);
    assert_eq!(run(&mut a, &mut info, 16, 40, &[0]), 7);
    let text = Library::required().last_error();
    assert!(text.contains("members 32 to 47 on device 0: the function returned -4"), "{text}");
    assert!(text.contains("lda"), "{text}");
    assert_eq!(run(&mut a, &mut info, -1, 40, &[0]), -6);
    assert_eq!(run(&mut a, &mut info, 16, 40, &[99]), -8);
    assert_eq!(run(&mut [], &mut [], 16, 0, &[]), 0);
}

struct Part {
    a: Memory,
    info: Memory,
    count: i64,
    lda: i64,
}

unsafe extern "C" fn part(i: i64, stream: Raw, user: Raw) -> c_int {
    let part = &unsafe { &*user.cast::<Vec<Part>>() }[i as usize];
    let (a, info, n) = (part.a.pointer(), part.info.pointer().cast(), N as i64);
    unsafe { potrf()(122, n, a, part.lda, (N * N) as i64, info, part.count, null_mut(), 0, stream) }
}

unsafe extern "C" fn refuses(_: i64, _: *mut c_void, _: *mut c_void) -> c_int {
    42
}

#[test]
fn parts_are_done_on_their_devices() {
    let library = Library::required();
    let there = if library.backend().unwrap() == tephra_testkit::library::Backend::Cpu { 1 } else { devices(2) };
    let on = |device: usize| {
        if there > 1 {
            let set: unsafe extern "C" fn(c_int) = named("magma_setdevice");
            unsafe { set(device as c_int) };
        }
    };
    let places: Vec<c_int> = (0..5).map(|i| (i % there) as c_int).collect();
    let make = |(i, &device): (usize, &c_int)| {
        on(device as usize);
        let count = 10 + i;
        let a = Memory::from_slice(library, &matrices(count, 3)).unwrap();
        let info = Memory::new(library, Kind::Device, count * 4).unwrap();
        Part { a, info, count: count as i64, lda: N as i64 }
    };
    let mut parts: Vec<_> = places.iter().enumerate().map(make).collect();
    on(0);
    let run: RunParts = named("tephra_run_parts");
    let user = |parts: &mut Vec<Part>| (&raw mut *parts).cast::<c_void>();
    let code = unsafe { run(5, places.as_ptr(), null(), Some(part), user(&mut parts)) };
    assert_eq!(code, 0, "{}", library.last_error());
    for part in &parts {
        let mut codes = vec![-1i32; part.count as usize];
        part.info.read(&mut codes).unwrap();
        assert!(codes.iter().enumerate().all(|(k, &code)| code == if k == 3 { 4 } else { 0 }), "{codes:?}");
    }
    parts[2].lda = 1;
    let code = unsafe { run(5, places.as_ptr(), null(), Some(part), user(&mut parts)) };
    let text = library.last_error();
    assert_eq!(code, 7);
    assert!(text.contains(&format!("part 2 on device {}: the function returned -4", places[2])), "{text}");
    // If the callback makes no library call, no earlier failure is reported.
    let code = unsafe { run(1, [0].as_ptr(), null(), Some(refuses), null_mut()) };
    let text = library.last_error();
    assert_eq!(code, 7);
    assert!(text.ends_with("part 0 on device 0: the function returned 42"), "{text}");
    assert_eq!(unsafe { run(1, [1000].as_ptr(), null(), Some(part), user(&mut parts)) }, -2);
    assert_eq!(unsafe { run(1, [0].as_ptr(), null(), None, null_mut()) }, -4);
}
