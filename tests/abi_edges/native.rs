//! `tephra_*`: each argument out of range is reported by its position.

use super::fixture::{BATCH, Fixture};
use std::ffi::{CStr, c_char, c_int, c_void};
use std::ptr::null_mut;
use tephra_testkit::any_call::call;
use tephra_testkit::{Dtype, Library};

fn for_each_dtype(check: impl Fn(&Fixture)) {
    for dtype in Dtype::ALL {
        check(&Fixture::new(dtype, 5, 3));
    }
}

#[test]
fn pointer_batches() {
    for_each_dtype(|s| {
        let call = |m, n, a, lda, tau, batch| unsafe {
            s.lib.geqrf_pointers(s.dtype)(m, n, a, lda, tau, batch, null_mut(), 0, s.stream.raw())
        };
        let (a, tau, none) = (s.a(), s.tau(), null_mut::<*mut c_void>().cast_const());
        let refused = [
            (call(-1, 3, a, 5, tau, 3), -1),
            (call(5, -1, a, 5, tau, 3), -2),
            (call(5, 3, none, 5, tau, 3), -3),
            (call(5, 3, a, 4, tau, 3), -4),
            (call(0, 3, a, 0, tau, 3), -4),
            (call(5, 3, a, 5, none, 3), -5),
            (call(5, 3, a, 5, tau, -1), -6),
            (call(-1, -1, none, 0, none, -1), -1),
            (call(5, 3, none, 4, none, -1), -4),
        ];
        for (i, (status, expected)) in refused.into_iter().enumerate() {
            assert_eq!(status, expected, "refusal {i}");
        }
        assert!(s.lib.last_error().contains("geqrf_batched"), "{}", s.lib.last_error());
        for status in [call(0, 3, none, 1, none, 3), call(5, 0, none, 5, none, 3), call(5, 3, none, 5, none, 0)] {
            assert_eq!(status, 0, "nothing to do");
        }
        assert!(s.is_untouched());
        assert_eq!(call(5, 3, a, 5, tau, BATCH as i64), 0);
        assert!(s.is_factored());
    });
}

#[test]
fn strided_batches() {
    for_each_dtype(|s| {
        let call = |m, n, a, lda, stride_a, tau, stride_tau, batch| unsafe {
            s.lib.geqrf_strided(s.dtype)(m, n, a, lda, stride_a, tau, stride_tau, batch, null_mut(), 0, s.stream.raw())
        };
        let (a, tau, none) = (s.a_base(), s.tau_base(), null_mut());
        let refused = [
            (call(-1, 3, a, 5, 15, tau, 3, 3), -1),
            (call(5, -1, a, 5, 15, tau, 3, 3), -2),
            (call(5, 3, none, 5, 15, tau, 3, 3), -3),
            (call(5, 3, a, 4, 15, tau, 3, 3), -4),
            (call(5, 3, a, 5, 4, tau, 3, 3), -5),
            (call(5, 3, a, 5, -15, tau, 3, 3), -5),
            (call(5, 3, a, 5, 15, none, 3, 3), -6),
            (call(5, 3, a, 5, 15, tau, 2, 3), -7),
            (call(5, 3, a, 5, 15, tau, 3, -1), -8),
            (call(5, 3, none, 4, 4, none, 2, -1), -4),
            (call(5, 3, none, 5, 4, none, 2, 3), -5),
            (call(5, 3, none, 5, 15, none, 2, 3), -7),
            (call(5, 3, none, 5, 4, none, 2, -1), -8),
        ];
        for (i, (status, expected)) in refused.into_iter().enumerate() {
            assert_eq!(status, expected, "refusal {i}");
        }
        assert_eq!(call(5, 3, none, 5, 15, none, 3, 0), 0);
        assert!(s.is_untouched());
        assert_eq!(call(5, 3, a, 5, 15, tau, 3, BATCH as i64), 0);
        assert!(s.is_factored());
        let strided = (s.matrices(), s.factors());
        s.restore();
        let pointers = s.lib.geqrf_pointers(s.dtype);
        assert_eq!(unsafe { pointers(5, 3, s.a(), 5, s.tau(), 3, null_mut(), 0, s.stream.raw()) }, 0);
        assert!((s.matrices(), s.factors()) == strided, "the two layouts give the same bits");
        // A single matrix needs no strides.
        s.restore();
        assert_eq!(call(5, 3, a, 5, 0, tau, 0, 1), 0);
    });
}

#[test]
fn workspace_queries() {
    let lib = Library::required();
    for dtype in Dtype::ALL {
        assert_eq!(lib.geqrf_workspace(dtype, 1000, 700, 1000, 100_000).unwrap(), 0);
        assert_eq!(lib.geqrf_strided_workspace(dtype, 9, 7, 9, (63, 7), 5).unwrap(), 0);
        for (arguments, position) in [((-1, 3, 5, 3), 1), ((5, -1, 5, 3), 2), ((5, 3, 4, 3), 3), ((5, 3, 5, -1), 4)] {
            let (m, n, lda, batch) = arguments;
            let error = lib.geqrf_workspace(dtype, m, n, lda, batch).unwrap_err().to_string();
            assert!(error.contains(&format!("-{position}")), "{error}");
        }
    }
}

#[test]
fn explain_gives_its_size_and_cuts_to_the_buffer() {
    let lib = Library::required();
    type Explain = unsafe extern "C" fn(*const c_char, i64, i64, i64, *mut c_char, usize, *mut usize) -> c_int;
    let explain: Explain = unsafe { lib.symbol("tephra_explain") }.unwrap();
    let mut needed = 0;
    let ask = |op: &CStr, m, text, size, needed| unsafe { explain(op.as_ptr(), m, 32, 100, text, size, needed) };
    assert_eq!(ask(c"dgeqrf", 32, null_mut(), 0, &mut needed), 0);
    assert!(needed > 1);
    let mut text = vec![0x55u8; needed + 1];
    assert_eq!(ask(c"dgeqrf", 32, text.as_mut_ptr().cast(), needed, null_mut()), 0);
    assert_eq!((text[needed - 1], text[needed]), (0, 0x55));
    let whole = text.clone();
    text.fill(0x55);
    assert_eq!(ask(c"dgeqrf", 32, text.as_mut_ptr().cast(), 5, null_mut()), 0);
    assert_eq!((&text[..4], text[4], text[5]), (&whole[..4], 0, 0x55));
    assert_eq!(ask(c"dgeqrf", -1, null_mut(), 0, null_mut()), -2);
    assert_eq!(ask(c"dnosuch", 32, null_mut(), 0, null_mut()), -1);
    assert_eq!(unsafe { explain(std::ptr::null(), 1, 1, 1, null_mut(), 0, null_mut()) }, -1);
    assert_eq!(ask(c"zgeqrf", 0, null_mut(), 0, &mut needed), 0, "an empty shape has a plan too");
    let options =
        [c"dgemm --k 16 --trans t", c"zgesv --nrhs 8", c"ssyrk --k 40", c"cgetrs --nrhs 3 --trans c", c"dorgqr --k 7"];
    assert!(options.into_iter().all(|op| ask(op, 32, null_mut(), 0, null_mut()) == 0));
    let turned = [c"zherk --trans c", c"cher2k --trans c", c"dtrsm --trans t", c"strmm --trans t", c"ztrsv --trans c"];
    let strided =
        [c"dgeqrf --strided", c"dgetrf --strided --nrhs 0", c"zgels --trans c --strided", c"clarfb --k 3 --strided"];
    assert_eq!(strided.map(|op| ask(op, 32, null_mut(), 0, null_mut())), [0, -1, 0, 0]);
    let others = [
        c"sgels --trans t",
        c"dgels_vbatched --trans t",
        c"dlarft --k 3",
        c"dlarfb --k 3 --trans n",
        c"dgeam --trans t",
        c"lu_to_permutation --k 2",
        c"zherk",
        c"zher2k",
    ];
    assert!(turned.into_iter().chain(others).all(|op| ask(op, 32, null_mut(), 0, null_mut()) == 0));
    let foreign = [c"zherk --trans t", c"dherk", c"sher2k", c"getrf", c"dlacpy --trans t"];
    assert!(foreign.into_iter().all(|op| ask(op, 32, null_mut(), 0, null_mut()) == -1));
    let unknown =
        [c"dgeqrf --k 3", c"dgemm --nrhs 3", c"dgemm --k", c"dgemm --k -1", c"dgemm --k 3 x", c"dgemm --trans q"];
    assert!(unknown.into_iter().all(|op| ask(op, 32, null_mut(), 0, null_mut()) == -1));
}

#[test]
fn backends_by_number() {
    let lib = Library::required();
    let get: unsafe extern "C" fn(*mut c_int) -> c_int = unsafe { lib.symbol("tephra_get_backend") }.unwrap();
    let set: unsafe extern "C" fn(c_int) -> c_int = unsafe { lib.symbol("tephra_set_backend") }.unwrap();
    let mut backend = 0;
    assert_eq!(unsafe { get(&mut backend) }, 0);
    assert!(matches!(backend, 1 | 2));
    assert_eq!(unsafe { get(null_mut()) }, -1);
    assert_eq!([unsafe { set(0) }, unsafe { set(3) }], [-1, -1]);
    assert_eq!(unsafe { set(backend) }, 0);
}

#[test]
fn a_thread_may_use_another_backend() {
    let lib = Library::required();
    let get: unsafe extern "C" fn(*mut c_int) -> c_int = unsafe { lib.symbol("tephra_get_backend") }.unwrap();
    let set: unsafe extern "C" fn(c_int) -> c_int = unsafe { lib.symbol("tephra_set_thread_backend") }.unwrap();
    let now = move || {
        let mut backend = 0;
        assert_eq!(unsafe { get(&mut backend) }, 0);
        backend
    };
    let of_process = now();
    let here = std::thread::spawn(move || {
        assert_eq!(unsafe { set(1) }, 0);
        let here = now();
        assert_eq!([unsafe { set(7) }, unsafe { set(-1) }], [-1, -1]);
        assert_eq!((now(), unsafe { set(0) }), (here, 0));
        assert_eq!(now(), of_process);
        here
    });
    assert_eq!((here.join().unwrap(), now()), (1, of_process));
}

#[test]
fn memory_helpers() {
    let lib = Library::required();
    let malloc: unsafe extern "C" fn(*mut *mut c_void, usize) -> c_int =
        unsafe { lib.symbol("tephra_malloc") }.unwrap();
    let free: unsafe extern "C" fn(*mut c_void) -> c_int = unsafe { lib.symbol("tephra_free") }.unwrap();
    let mut p = null_mut();
    assert_eq!(unsafe { malloc(&mut p, 0) }, 0, "an empty allocation is one");
    assert!(!p.is_null());
    assert_eq!([unsafe { free(p) }, unsafe { free(null_mut()) }], [0, 0]);
    assert_eq!(unsafe { malloc(null_mut(), 8) }, -1);
    let mut p = null_mut();
    assert_eq!(unsafe { malloc(&mut p, usize::MAX / 2) }, 3, "out of memory");
}

#[test]
fn last_error_is_the_threads_own() {
    let lib = Library::required();
    let refused =
        unsafe { lib.geqrf_pointers(Dtype::D)(-1, 1, null_mut(), 1, null_mut(), 1, null_mut(), 0, null_mut()) };
    assert_eq!(refused, -1);
    assert!(lib.last_error().starts_with("tephra_dgeqrf_batched: "), "{}", lib.last_error());
    let elsewhere = std::thread::spawn(move || lib.last_error()).join().unwrap();
    assert_eq!(elsewhere, "");
}

/// Every function that fails, including helpers and functions on handles, sets a message about that call.
#[test]
fn every_failure_has_a_text() {
    let lib = Library::required();
    let names = |text: &str, name: &str, what: &str| {
        assert!(text.starts_with(&format!("{name}: ")) && text.contains(what), "{name}: {text}");
    };
    let refused = |name: &str, arguments: &[u64], status: c_int, what: &str| {
        // SAFETY: the arguments match the headers' prototypes.
        assert_eq!(unsafe { call(lib, name, [0.0; 4], arguments) }, status, "{name}");
        names(&lib.last_error(), name, what);
    };
    let text = c"nosuch".as_ptr() as u64;
    let plan = c"resident=".as_ptr() as u64;
    let [twice, other] = [c"dgemm --k 16 --k 17", c"dgeqrf --trans t"].map(|op| op.as_ptr() as u64);
    for (name, arguments, status, what) in [
        ("tephra_set_backend", &[99][..], -1, "backend"),
        ("tephra_get_backend", &[0], -1, "backend"),
        ("tephra_set_thread_backend", &[99], -1, "backend"),
        ("tephra_set_thread_math", &[99], -1, "math"),
        ("tephra_set_plan", &[text], -1, "candidates"),
        ("tephra_set_plan", &[plan], -1, "candidates"),
        ("tephra_dgeqrf_batched", &[4, 4, 0, 4, text, 1, 0, 0, 0], -3, "argument a_array is NULL"),
        ("tephra_dgeqrf_batched", &[4, 4, text, 4, 0, 1, 0, 0, 0], -5, "argument tau_array is NULL"),
        ("tephra_dgeqrf_strided_batched", &[4, 4, 0, 4, 16, text, 4, 1, 0, 0, 0], -3, "argument a is NULL"),
        ("tephra_dgetrf_vbatched", &[4, 4, 0, text, text, text, text, 0, 1, 0, 0, 0], -3, "argument m is NULL"),
        ("tephra_explain", &[0, 1, 1, 1, 0, 0, 0], -1, "op"),
        ("tephra_candidates", &[0, 1, 1, 1, 0, 0, 0], -1, "op"),
        ("tephra_explain", &[twice, 5, 5, 5, 0, 0, 0], -1, "--k is given twice"),
        ("tephra_explain", &[other, 5, 5, 5, 0, 0, 0], -1, "has no --trans t (known: --k"),
        ("tephra_malloc", &[0, 8], -1, "pointer"),
        ("tephra_stream_create", &[0], -1, "stream"),
        ("tephra_memcpy", &[0, text, 4, 0], -1, "dst"),
        ("tephra_memcpy", &[text, 0, 4, 0], -2, "src"),
        ("tephra_memcpy", &[text, text, u64::MAX, 0], -3, "bytes"),
        ("cublasCreate_v2", &[0], 7, "value"),
        ("cublasDestroy_v2", &[0], 1, "initialized"),
        ("cublasSetStream_v2", &[0, 0], 1, "initialized"),
        ("cublasDgeqrfBatched", &[0, 1, 1, 0, 1, 0, 0, 1], 1, "initialized"),
        ("cusolverDnCreate", &[0], 3, "range"),
        ("cusolverDnDestroy", &[0], 1, "initialized"),
        // Repeated, so that the message is not that of the previous call.
        ("tephra_set_backend", &[99], -1, "backend"),
    ] {
        refused(name, arguments, status, what);
    }

    // Where cuBLAS has another name for an argument, so has the message.
    let mut handle = 0_u64;
    // SAFETY: as above.
    assert_eq!(unsafe { call(lib, "cublasCreate_v2", [0.0; 4], &[&raw mut handle as u64]) }, 0);
    let mut info: c_int = 0;
    let info = &raw mut info as u64;
    for (name, arguments, what) in [
        ("cublasDgetrfBatched", &[handle, -4_i64 as u64, text, 4, text, text, 1][..], "argument n is -4"),
        ("cublasDgelsBatched", &[handle, 0, 4, 2, 1, text, 4, text, 3, info, text, 1], "argument ldc is 3"),
        ("cublasDgelsBatched", &[handle, 0, 4, 2, 1, text, 4, 0, 4, info, text, 1], "argument c is NULL"),
        ("cublasDmatinvBatched", &[handle, 4, text, 4, text, 3, text, 1], "argument lda_inv is 3"),
    ] {
        refused(name, arguments, 7, what);
    }
    // SAFETY: as above.
    assert_eq!(unsafe { call(lib, "cublasDestroy_v2", [0.0; 4], &[handle]) }, 0);
}
