//! Memory, copies, streams, events, and argument checks before calls.

use super::support::*;
use std::ffi::c_void;
use tephra_cpu::{of, parts, runtime};
use tephra_routine::error::{Arg, Error};
use tephra_routine::{Dtype, GelsIterative, Geqrf, Math, Operand, Operation, Routine, Stream, Verdict, Workspace};

const STREAM: Stream = Stream(std::ptr::null_mut());

#[test]
fn memory_and_copies() {
    let rt = runtime();
    let p = rt.alloc(64).unwrap();
    assert_eq!(p as usize % 256, 0);
    let bytes = unsafe { std::slice::from_raw_parts_mut(p.cast::<u8>(), 64) };
    let source: Vec<u8> = (0..20).collect();
    unsafe {
        rt.memset_async(p, 0xee, 64, STREAM).unwrap();
        // Three rows of 4 bytes, from a pitch of 5 to a pitch of 8.
        rt.copy_2d_async(p, 8, source.as_ptr().cast(), 5, 4, 3, STREAM).unwrap();
        rt.copy_2d_async(p, 8, std::ptr::null(), 0, 0, 3, STREAM).unwrap();
    }
    assert_eq!(bytes[..13], [0, 1, 2, 3, 0xee, 0xee, 0xee, 0xee, 5, 6, 7, 8, 0xee]);
    assert_eq!(bytes[16..21], [10, 11, 12, 13, 0xee]);
    assert!(!rt.alloc(0).unwrap().is_null());
    assert!(matches!(rt.alloc(usize::MAX / 2), Err(Error::OutOfMemory(_))));
    unsafe { rt.free(p) }.unwrap();
    unsafe { rt.free(std::ptr::null_mut()) }.unwrap();
    let (available, total) = rt.memory_info().unwrap();
    assert!(available > 0 && available <= total);
}

#[test]
fn devices() {
    let rt = runtime();
    assert_eq!((rt.device_count(), rt.current_device().unwrap()), (1, 0));
    assert!(rt.set_device(0).is_ok());
    assert!(matches!(rt.set_device(1), Err(Error::NoDevice(_))));
    assert!(matches!(rt.device_info(-1), Err(Error::NoDevice(_))));
    let info = rt.device_info(0).unwrap();
    assert!(!info.name.is_empty() && info.multiprocessors >= 1 && info.memory > 0 && info.arch == 0);
}

#[test]
fn streams_and_events() {
    let rt = runtime();
    let (s, t) = (rt.stream_create().unwrap(), rt.stream_create().unwrap());
    assert!(s != t && s.0 as usize > 2);
    unsafe {
        let (start, end, untimed) =
            (rt.event_create(true).unwrap(), rt.event_create(true).unwrap(), rt.event_create(false).unwrap());
        assert!(rt.event_query(start).unwrap());
        assert!(matches!(rt.event_elapsed_ms(start, end), Err(Error::Driver(_))));
        rt.event_record(start, s).unwrap();
        std::thread::sleep(std::time::Duration::from_millis(5));
        rt.event_record(end, s).unwrap();
        rt.event_record(untimed, s).unwrap();
        rt.stream_wait_event(t, end).unwrap();
        rt.event_synchronize(end).unwrap();
        let ms = rt.event_elapsed_ms(start, end).unwrap();
        assert!((5.0..5000.0).contains(&ms), "{ms}");
        assert!(matches!(rt.event_elapsed_ms(start, untimed), Err(Error::Driver(_))));
        assert!(rt.event_record(std::ptr::null_mut(), s).is_err());
        for e in [start, end, untimed] {
            rt.event_destroy(e).unwrap();
        }
        rt.stream_synchronize(s).unwrap();
        rt.stream_destroy(s).unwrap();
        rt.stream_destroy(t).unwrap();
    }
}

#[test]
fn pointers_are_set() {
    let mut out = [std::ptr::null_mut::<c_void>(); 4];
    let base = 0x1000 as *mut c_void;
    unsafe { runtime().set_pointers(out.as_mut_ptr(), base, 16, 32, 3, STREAM) }.unwrap();
    assert_eq!(out.map(|p| p as usize), [0x1010, 0x1030, 0x1050, 0]);
    unsafe { runtime().set_pointers(out.as_mut_ptr(), base, 0, -16, 2, STREAM) }.unwrap();
    assert_eq!(out.map(|p| p as usize), [0x1000, 0xff0, 0x1050, 0]);
}

fn problem(m: i64, n: i64, batch: i64) -> Geqrf {
    let nowhere = Operand::Strided { base: std::ptr::null_mut(), stride: i64::MAX / 4 };
    let (lda, info) = (m.max(1), std::ptr::null_mut());
    Geqrf { dtype: Dtype::D, m, n, a: nowhere, lda, sizes: None, tau: nowhere, batch, info, math: Math::Fp32 }
}

/// Runs a problem with a check of its arguments, but not of its pointers.
fn run(p: &Geqrf) -> Result<(), Error> {
    match p.check()? {
        Verdict::QuickReturn => Ok(()),
        Verdict::Go => unsafe { of(&Operation::Geqrf(*p)).run() },
    }
}

#[test]
fn bad_and_empty_calls_touch_nothing() {
    for (m, n, batch) in [(0, 4, 5), (4, 0, 5), (4, 4, 0)] {
        assert_eq!(run(&problem(m, n, batch)), Ok(()));
    }
    let wrong = |p: &Geqrf| run(p).unwrap_err().argument();
    assert_eq!(wrong(&problem(-1, 4, 1)), Some(Arg::M));
    assert_eq!(wrong(&Geqrf { lda: 3, ..problem(4, 4, 1) }), Some(Arg::Lda));
}

#[test]
fn impossible_sizes_are_an_error() {
    assert_eq!(run(&problem(i64::MAX / 2, 2, 1)), Err(Arg::M.into()));
    assert!(matches!(run(&problem(1 << 55, 2, 1)), Err(Error::OutOfMemory(_))));
}

/// Runs an operation in a child process that may allocate the given MiB. Returns whether it succeeded; otherwise it
/// must have reported a lack of memory.
#[cfg(target_os = "linux")]
fn done_within(mebibytes: usize, op: &Operation) -> bool {
    let pages: usize = std::fs::read_to_string("/proc/self/statm").unwrap().split(' ').next().unwrap().parse().unwrap();
    // SAFETY: the child only runs this library and leaves through _exit.
    unsafe {
        let child = libc::fork();
        if child == 0 {
            libc::alarm(60);
            let bytes = (pages * libc::sysconf(libc::_SC_PAGESIZE) as usize + (mebibytes << 20)) as libc::rlim_t;
            libc::setrlimit(libc::RLIMIT_AS, &libc::rlimit { rlim_cur: bytes, rlim_max: bytes });
            libc::_exit(match of(op).run() {
                Ok(()) => 0,
                Err(Error::OutOfMemory(_)) => 1,
                Err(_) => 2,
            });
        }
        let mut status = 0;
        assert_eq!(libc::waitpid(child, &mut status, 0), child);
        let told = libc::WIFEXITED(status) && libc::WEXITSTATUS(status) < 2;
        assert!(told, "within {mebibytes} MiB: a child ended with {status:#x}");
        libc::WEXITSTATUS(status) == 0
    }
}

/// Many right-hand sides, each with vectors of its own: wherever memory runs out, the call returns an error and the
/// process survives.
#[cfg(target_os = "linux")]
#[test]
fn an_iteration_without_memory_is_refused() {
    let (m, n, nrhs) = (150usize, 100usize, 16_000usize);
    let mut a = Dense::<f64>::random(m, n, 1);
    let (mut b, mut x) = (Dense::<f64>::random(m, nrhs, 2), Dense::<f64>::random(n, nrhs, 3));
    let at = |x: &mut Dense<f64>| Operand::Strided { base: x.x.as_mut_ptr().cast(), stride: 0 };
    let none = std::ptr::null_mut;
    let p = GelsIterative {
        dtype: Dtype::D,
        m: m as i64,
        n: n as i64,
        nrhs: nrhs as i64,
        a: at(&mut a),
        lda: m as i64,
        b: at(&mut b),
        ldb: m as i64,
        x: at(&mut x),
        ldx: n as i64,
        tolerance: 0.0,
        max_iterations: 0,
        iterations: none(),
        residuals: std::ptr::null_mut(),
        info: none(),
        batch: 1,
        work: Workspace::NONE,
    };
    let p = Operation::GelsIterative(p);
    // The call needs 130 MiB, 62 of them in one allocation, which is more than memory left over from other tests can
    // provide.
    let refused = (1..16).filter(|i| !done_within(10 * i, &p)).count();
    assert!(refused > 5 && done_within(1000, &p), "{refused} of 15 were refused");
}

#[test]
fn plans_of_small_and_large_shapes() {
    let rt = runtime();
    let small = rt.explain(&Operation::Geqrf(problem(8, 8, 1000))).unwrap();
    assert!(small.contains("candidate interleaved: taken"), "{small}");
    let large = rt.explain(&Operation::Geqrf(problem(512, 512, 1))).unwrap();
    assert!(large.contains("blocked nb=16/8: taken"), "{large}");
    // All threads share the matrix, if there are several.
    let shared = parts::count() > 1;
    assert!(large.contains(if shared { "one matrix at a time" } else { "threads: 1," }), "{large}");
    let many = rt.explain(&Operation::Geqrf(problem(512, 512, 1000))).unwrap();
    assert!(!many.contains("one matrix at a time"), "{many}");
}

#[test]
fn a_large_batch() {
    // More than 65535 members, more than one range per thread, and different values in every member.
    let (n, batch) = (3usize, 70_000usize);
    let mut a: Vec<f64> = (0..n * n * batch).map(|i| ((i * 7919) % 1009) as f64 - 504.0).collect();
    let original = a.clone();
    let mut tau = vec![0.0f64; n * batch];
    let strided = |x: &mut Vec<f64>, s: usize| Operand::Strided { base: x.as_mut_ptr().cast(), stride: s as i64 };
    let p = Geqrf { a: strided(&mut a, n * n), tau: strided(&mut tau, n), ..problem(n as i64, n as i64, batch as i64) };
    run(&p).unwrap();
    for b in (0..batch).step_by(997).chain([65_535, 65_536, batch - 1]) {
        let input = Dense { m: n, n, x: original[b * n * n..][..n * n].to_vec() };
        let f = Factored { a: Dense { m: n, n, x: a[b * n * n..][..n * n].to_vec() }, tau: tau[b * n..][..n].to_vec() };
        let (residual, orthogonality) = ratios(&input, &f);
        assert!(residual < 10.0 && orthogonality < 10.0, "member {b}: {residual} {orthogonality}");
    }
}
