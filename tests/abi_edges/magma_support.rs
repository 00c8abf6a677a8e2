//! MAGMA's support functions: pointers, copies, queues, events, memory, versions, constants, Fortran names.

use super::fixture::{BATCH, Fixture, assert_line};
use super::magma::illegal;
use crate::stderr::stderr_of;
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::ptr::{null, null_mut, without_provenance_mut};
use tephra_testkit::memory::{Kind, Memory};
use tephra_testkit::{Dtype, Library};

const B: c_int = BATCH as c_int;

#[test]
fn panel_width_is_magmas() {
    let lib = Library::required();
    for dtype in Dtype::ALL {
        assert_eq!([1, 32, 1000].map(|m| lib.magma_geqrf_nb(dtype, m)), [32; 3]);
    }
}

#[test]
fn pointer_arrays() {
    type SetPointer =
        unsafe extern "C" fn(*mut *mut c_void, *mut c_void, c_int, c_int, c_int, c_int, c_int, *mut c_void);
    let lib = Library::required();
    let queue = lib.magma_queue().unwrap();
    for (letter, size) in [('s', 4), ('d', 8), ('c', 8), ('z', 16), ('i', 4)] {
        let set: SetPointer = unsafe { lib.symbol(&format!("magma_{letter}set_pointer")) }.unwrap();
        let array = Memory::new(lib, Kind::Device, 6 * 8).unwrap();
        array.write(&[0x55usize; 6]).unwrap();
        let base = 0x10_0000;
        // Addresses of element (3, 2) in matrices with leading dimension 10 that start 70 elements apart.
        unsafe { set(array.pointer().cast(), base as *mut c_void, 10, 3, 2, 70, 5, queue.raw()) };
        unsafe { lib.stream_synchronize(queue.stream()) }.unwrap();
        let mut pointers = [0usize; 6];
        array.read(&mut pointers).unwrap();
        assert_eq!(pointers[..5], [0, 1, 2, 3, 4].map(|i| base + size * (23 + 70 * i)), "{letter}");
        assert_eq!(pointers[5], 0x55);
        unsafe { set(array.pointer().cast(), base as *mut c_void, 10, 0, 0, 0, 0, queue.raw()) };
    }
}

type Copy = unsafe extern "C" fn(
    c_int,
    c_int,
    c_int,
    *const c_void,
    c_int,
    *mut c_void,
    c_int,
    *mut c_void,
    *const c_char,
    *const c_char,
    c_int,
);
type CopyVector = unsafe extern "C" fn(
    c_int,
    c_int,
    *const c_void,
    c_int,
    *mut c_void,
    c_int,
    *mut c_void,
    *const c_char,
    *const c_char,
    c_int,
);

#[test]
fn copies_with_and_without_a_queue() {
    let lib = Library::required();
    let queue = lib.magma_queue().unwrap();
    let [first, second] = [0, 1].map(|_| Memory::new(lib, Kind::Device, 4 * 7 * 8).unwrap());
    let source: Vec<f64> = (0..24).map(f64::from).collect();
    let (function, file) = (c"test".as_ptr(), c"magma.rs".as_ptr());
    for form in ["", "_async"] {
        for queue in [queue.raw(), null_mut()] {
            let [set, get, copy]: [Copy; 3] = ["set", "get", "copy"]
                .map(|f| unsafe { lib.symbol(&format!("magma_{f}matrix{form}_internal")) }.unwrap());
            let mut back = [-1.0; 32];
            let (here, there, then) = (source.as_ptr().cast(), first.pointer(), second.pointer());
            unsafe {
                set(5, 4, 8, here, 6, there, 7, queue, function, file, 1);
                copy(5, 4, 8, there, 7, then, 6, queue, function, file, 2);
                get(5, 4, 8, then, 6, back.as_mut_ptr().cast(), 8, queue, function, file, 3);
                if form == "_async" {
                    sync(lib, queue);
                }
            }
            for (at, &x) in back.iter().enumerate() {
                let (i, j) = (at % 8, at / 8);
                assert_eq!(x, if i < 5 { source[i + 6 * j] } else { -1.0 }, "{form} ({i}, {j})");
            }
            let [set, get, copy]: [CopyVector; 3] = ["set", "get", "copy"]
                .map(|f| unsafe { lib.symbol(&format!("magma_{f}vector{form}_internal")) }.unwrap());
            let mut back = [-1.0; 10];
            unsafe {
                set(8, 8, here, 3, there, 2, queue, function, file, 4);
                copy(8, 8, there, 2, then, 1, queue, function, file, 5);
                get(8, 8, then, 1, back.as_mut_ptr().cast(), 1, queue, function, file, 6);
                if form == "_async" {
                    sync(lib, queue);
                }
            }
            assert!((0..10).all(|i| back[i] == if i < 8 { source[3 * i] } else { -1.0 }), "{back:?}");
        }
    }
}

unsafe fn sync(lib: &Library, queue: *mut c_void) {
    type Sync = unsafe extern "C" fn(*mut c_void, *const c_char, *const c_char, c_int);
    let sync: Sync = unsafe { lib.symbol("magma_queue_sync_internal") }.unwrap();
    unsafe { sync(queue, c"test".as_ptr(), c"magma.rs".as_ptr(), 9) };
}

/// MAGMA's Fortran module passes characters by value where these functions expect strings.
#[test]
fn places_in_the_source_need_not_be_strings() {
    let lib = Library::required();
    let copy: CopyVector = unsafe { lib.symbol("magma_setvector_internal") }.unwrap();
    let bad = |function, file| unsafe { copy(1, 0, null(), 1, null_mut(), 1, null_mut(), function, file, 12) };
    for not_text in
        [0x6d as *const c_char, null(), 0x7fff_0000_0001_usize as *const c_char, usize::MAX as *const c_char]
    {
        let ((), text) = stderr_of(|| bad(not_text, not_text));
        assert!(text.contains(" in ? at ?:12"), "{text}");
    }
    let ((), text) = stderr_of(|| bad(c"subroutine".as_ptr(), c"file.f90".as_ptr()));
    assert!(text.contains("MAGMA error: ") && text.contains(" in subroutine at file.f90:12"), "{text}");
    let value = 7i32;
    let there = Memory::new(lib, Kind::Device, 4).unwrap();
    let by_value = 0x6d as *const c_char;
    unsafe { copy(1, 4, (&raw const value).cast(), 1, there.pointer(), 1, null_mut(), by_value, by_value, 1) };
    let mut back = [0i32];
    there.read(&mut back).unwrap();
    assert_eq!(back, [7]);
}

#[test]
fn queue_has_magmas_layout() {
    type Create = unsafe extern "C" fn(c_int, *mut *mut c_void, *const c_char, *const c_char, c_int);
    type Destroy = unsafe extern "C" fn(*mut c_void, *const c_char, *const c_char, c_int);
    type Get = unsafe extern "C" fn(*mut c_void) -> *mut c_void;
    let lib = Library::required();
    let create: Create = unsafe { lib.symbol("magma_queue_create_internal") }.unwrap();
    let destroy: Destroy = unsafe { lib.symbol("magma_queue_destroy_internal") }.unwrap();
    let [stream, cublas]: [Get; 2] = ["magma_queue_get_cuda_stream", "magma_queue_get_cublas_handle"]
        .map(|name| unsafe { lib.symbol(name) }.unwrap());
    let (function, file) = (c"test".as_ptr(), c"magma.rs".as_ptr());
    let mut queue = null_mut();
    unsafe { create(0, &mut queue, function, file, 1) };
    let member = |offset: usize| unsafe { *queue.cast::<u8>().add(offset).cast::<usize>() };
    let number = |offset: usize| unsafe { *queue.cast::<u8>().add(offset).cast::<c_int>() };
    assert_eq!([number(4), number(8)], [0, 65534], "device, maxbatch");
    assert_eq!(number(0) & 1, 1, "owns its stream");
    assert_eq!([16, 24, 32, 40].map(member), [0; 4]);
    assert_eq!(unsafe { stream(queue) } as usize, member(48));
    let handle = unsafe { cublas(queue) };
    assert!(!handle.is_null());
    assert_eq!(handle as usize, member(56));
    assert_eq!(number(0) & 2, 2, "owns the handle that it made");
    // The handle works on the queue's stream, which MAGMA's testers rely on.
    let get_stream: unsafe extern "C" fn(*mut c_void, *mut *mut c_void) -> c_int =
        unsafe { lib.symbol("cublasGetStream_v2") }.unwrap();
    let mut on = without_provenance_mut(1);
    assert_eq!(unsafe { get_stream(handle, &mut on) }, 0);
    assert_eq!(on as usize, member(48));
    let s = Fixture::new(Dtype::D, 6, 4);
    let mut info = 77;
    let geqrf = s.lib.cublas_geqrf(s.dtype);
    assert_eq!(unsafe { geqrf(handle, 6, 4, s.a(), 6, s.tau(), &mut info, B) }, 0);
    assert_eq!(info, 0);
    unsafe { sync(lib, queue) };
    assert!(s.is_factored());
    unsafe { destroy(queue, function, file, 2) };
    unsafe { destroy(null_mut(), function, file, 3) };
}

#[test]
fn queue_from_cuda_adopts_stream_and_handle() {
    type Adopt = unsafe extern "C" fn(
        c_int,
        *mut c_void,
        *mut c_void,
        *mut c_void,
        *mut *mut c_void,
        *const c_char,
        *const c_char,
        c_int,
    );
    type Destroy = unsafe extern "C" fn(*mut c_void, *const c_char, *const c_char, c_int);
    let s = Fixture::new(Dtype::S, 6, 4);
    let adopt: Adopt = unsafe { s.lib.symbol("magma_queue_create_from_cuda_internal") }.unwrap();
    let destroy: Destroy = unsafe { s.lib.symbol("magma_queue_destroy_internal") }.unwrap();
    let get_stream: unsafe extern "C" fn(*mut c_void, *mut *mut c_void) -> c_int =
        unsafe { s.lib.symbol("cublasGetStream_v2") }.unwrap();
    let handle = s.lib.cublas_handle(null_mut()).unwrap();
    let (function, file) = (c"test".as_ptr(), c"magma.rs".as_ptr());
    let mut queue = null_mut();
    unsafe { adopt(0, s.stream.raw(), handle.raw(), null_mut(), &mut queue, function, file, 1) };
    let mut stream = null_mut();
    assert_eq!(unsafe { get_stream(handle.raw(), &mut stream) }, 0);
    assert_eq!(stream, s.stream.raw(), "set on the caller's handle");
    assert_eq!(unsafe { s.lib.magma_geqrf(s.dtype)(6, 4, s.a(), 6, s.tau(), s.info(), B, queue) }, 0);
    unsafe { destroy(queue, function, file, 2) };
    assert!(s.is_factored(), "the stream is still the caller's");
    assert_eq!(unsafe { get_stream(handle.raw(), &mut stream) }, 0, "and so is the handle");
}

#[test]
fn events_are_ordered_and_timed() {
    type Event = *mut c_void;
    let lib = Library::required();
    let queue = lib.magma_queue().unwrap();
    let create: unsafe extern "C" fn(*mut Event) = unsafe { lib.symbol("magma_event_create") }.unwrap();
    let untimed: unsafe extern "C" fn(*mut Event) = unsafe { lib.symbol("magma_event_create_untimed") }.unwrap();
    let record: unsafe extern "C" fn(Event, Event) = unsafe { lib.symbol("magma_event_record") }.unwrap();
    let [wait, _]: [unsafe extern "C" fn(Event, Event); 2] =
        ["magma_queue_wait_event"; 2].map(|n| unsafe { lib.symbol(n) }.unwrap());
    let [sync, destroy]: [unsafe extern "C" fn(Event); 2] =
        ["magma_event_sync", "magma_event_destroy"].map(|n| unsafe { lib.symbol(n) }.unwrap());
    for create in [create, untimed] {
        let ((), text) = stderr_of(|| unsafe {
            let mut event = null_mut();
            create(&mut event);
            assert!(!event.is_null());
            record(event, queue.raw());
            wait(queue.raw(), event);
            sync(event);
            destroy(event);
            destroy(null_mut());
        });
        assert!(!text.contains("MAGMA error"), "{text}");
    }
}

#[test]
fn memory_and_memset() {
    type Malloc = unsafe extern "C" fn(*mut *mut c_void, usize) -> c_int;
    type Free = unsafe extern "C" fn(*mut c_void, *const c_char, *const c_char, c_int) -> c_int;
    let lib = Library::required();
    let [device, host, pinned]: [Malloc; 3] =
        ["magma_malloc", "magma_malloc_cpu", "magma_malloc_pinned"].map(|name| unsafe { lib.symbol(name) }.unwrap());
    let [free, free_pinned]: [Free; 2] =
        ["magma_free_internal", "magma_free_pinned_internal"].map(|name| unsafe { lib.symbol(name) }.unwrap());
    let free_host: unsafe extern "C" fn(*mut c_void) -> c_int = unsafe { lib.symbol("magma_free_cpu") }.unwrap();
    let (function, file) = (c"test".as_ptr(), c"magma.rs".as_ptr());
    for (malloc, name) in [(device, "magma_malloc"), (host, "magma_malloc_cpu"), (pinned, "magma_malloc_pinned")] {
        assert_eq!(unsafe { malloc(null_mut(), 1) }, -1);
        assert!(lib.last_error().starts_with(&format!("{name}: ")), "{}", lib.last_error());
        let mut p = null_mut();
        assert_eq!(unsafe { malloc(&mut p, 0) }, 0, "an empty request is served");
        assert!(!p.is_null());
        let freed = unsafe {
            match malloc as usize {
                f if f == device as *const () as usize => free(p, function, file, 1),
                f if f == host as *const () as usize => free_host(p),
                _ => free_pinned(p, function, file, 1),
            }
        };
        assert_eq!(freed, 0);
        let mut p = without_provenance_mut(1);
        assert_eq!(
            unsafe { malloc(&mut p, usize::MAX / 4) },
            if malloc as usize == device as *const () as usize { -113 } else { -112 }
        );
        assert!(lib.last_error().starts_with(&format!("{name}: ")), "{}", lib.last_error());
        assert!(p.is_null());
    }
    assert_eq!([unsafe { free(null_mut(), function, file, 1) }, unsafe { free_host(null_mut()) }], [0, 0]);
    let mut aligned = null_mut();
    assert_eq!(unsafe { host(&mut aligned, 100) }, 0);
    assert_eq!(aligned as usize % 64, 0);
    assert_eq!(unsafe { free_host(aligned) }, 0);

    let queue = lib.magma_queue().unwrap();
    let memory = Memory::new(lib, Kind::Device, 64).unwrap();
    let memset: unsafe extern "C" fn(*mut c_void, c_int, usize) -> c_int =
        unsafe { lib.symbol("magma_memset") }.unwrap();
    let memset_async: unsafe extern "C" fn(*mut c_void, c_int, usize, *mut c_void) -> c_int =
        unsafe { lib.symbol("magma_memset_async") }.unwrap();
    assert_eq!(unsafe { memset(memory.pointer(), 0x101, 64) }, 0);
    assert_eq!(unsafe { memset_async(memory.pointer(), 2, 32, queue.raw()) }, 0);
    unsafe { lib.stream_synchronize(queue.stream()) }.unwrap();
    let mut bytes = [0u8; 64];
    memory.read(&mut bytes).unwrap();
    assert!((0..64).all(|i| bytes[i] == if i < 32 { 2 } else { 1 }), "{bytes:?}");
}

#[test]
fn versions_texts_and_devices() {
    let lib = Library::required();
    let version: unsafe extern "C" fn(*mut c_int, *mut c_int, *mut c_int) =
        unsafe { lib.symbol("magma_version") }.unwrap();
    let (mut major, mut minor, mut micro) = (0, 0, 0);
    unsafe { version(&mut major, &mut minor, &mut micro) };
    assert_eq!([major, minor, micro], [2, 9, 0]);
    unsafe { version(null_mut(), &mut minor, &mut micro) };
    let strerror: unsafe extern "C" fn(c_int) -> *const c_char = unsafe { lib.symbol("magma_strerror") }.unwrap();
    let text = |code| unsafe { CStr::from_ptr(strerror(code)) }.to_str().unwrap();
    assert_eq!(text(0), "success");
    assert_eq!(text(-4), "invalid argument");
    assert_eq!(text(7), "function-specific error, see documentation");
    assert_eq!(text(-113), "cannot allocate memory on GPU device");
    assert_eq!(text(-99_999), "unknown MAGMA error code");

    let xerbla: unsafe extern "C" fn(*const c_char, c_int) = unsafe { lib.symbol("magma_xerbla") }.unwrap();
    for (info, line) in [
        (3, illegal("magma_x", 3)),
        (113, "Error in magma_x, cannot allocate memory on GPU device (info = -113)".into()),
        (-5, "Error in magma_x, function-specific error (info = 5)".into()),
        (0, "No error, why is magma_x calling xerbla? (info = 0)".into()),
    ] {
        let ((), text) = stderr_of(|| unsafe { xerbla(c"magma_x".as_ptr(), info) });
        assert_line(&text, &line);
    }

    let devices: unsafe extern "C" fn(*mut c_int, c_int, *mut c_int) =
        unsafe { lib.symbol("magma_getdevices") }.unwrap();
    let (mut list, mut count) = ([-1; 4], -1);
    unsafe { devices(list.as_mut_ptr(), 1, &mut count) };
    assert_eq!((list, count), ([0, -1, -1, -1], 1));
    let [getdevice]: [unsafe extern "C" fn(*mut c_int); 1] =
        ["magma_getdevice"].map(|n| unsafe { lib.symbol(n) }.unwrap());
    let mut device = -1;
    unsafe { getdevice(&mut device) };
    assert_eq!(device, 0);
    let count = |name: &str| {
        let function: unsafe extern "C" fn() -> c_int = unsafe { lib.symbol(name) }.unwrap();
        unsafe { function() }
    };
    assert!(count("magma_num_gpus") >= 1);
    assert!(count("magma_getdevice_multiprocessor_count") >= 1);
    assert!(count("magma_getdevice_arch") >= 0);
    for name in ["lapack", "omp", "parallel"] {
        assert!(count(&format!("magma_get_{name}_numthreads")) >= 1);
    }
    let wtime: unsafe extern "C" fn() -> f64 = unsafe { lib.symbol("magma_wtime") }.unwrap();
    assert!(unsafe { wtime() } > 1.7e9, "seconds since 1970");
    let is_devptr: unsafe extern "C" fn(*const c_void) -> c_int = unsafe { lib.symbol("magma_is_devptr") }.unwrap();
    assert_eq!(unsafe { is_devptr(Memory::new(lib, Kind::Device, 8).unwrap().pointer()) }, 1);
}

#[test]
fn init_counts() {
    let lib = Library::required();
    let [init, finalize]: [unsafe extern "C" fn() -> c_int; 2] =
        ["magma_init", "magma_finalize"].map(|name| unsafe { lib.symbol(name) }.unwrap());
    assert_eq!(unsafe { [init(), init(), finalize(), finalize()] }, [0; 4]);
    // Other tests' queues have called magma_init too: each call can be undone once, and no more.
    let refused = (0..10_000).map(|_| unsafe { finalize() }).find(|&answer| answer != 0);
    assert_eq!(refused, Some(-101), "more finalize than init");
    assert_eq!(unsafe { [init(), finalize()] }, [0; 2], "and it can be initialised again");
}

#[test]
fn constants_translate_both_ways() {
    let lib = Library::required();
    let to_constant = |name: &str, letter: u8| {
        let function: unsafe extern "C" fn(c_char) -> c_int = unsafe { lib.symbol(name) }.unwrap();
        unsafe { function(letter as c_char) }
    };
    let to_word = |name: &str, constant| {
        let function: unsafe extern "C" fn(c_int) -> *const c_char = unsafe { lib.symbol(name) }.unwrap();
        unsafe { CStr::from_ptr(function(constant)) }.to_str().unwrap().to_owned()
    };
    // For every letter of an enumeration, the word starts with that letter, unless LAPACK's word has another.
    for (kind, letters) in [
        ("bool", "ny"),
        ("order", "rc"),
        ("trans", "ntc"),
        ("uplo", "ulg"),
        ("diag", "nu"),
        ("side", "lrb"),
        ("norm", "12fim"),
        ("dist", "usn"),
        ("sym", "hpns"),
        ("pack", "nulcrbqz"),
        ("vec", "nviaso"),
        ("range", "avi"),
        ("vect", "qp"),
        ("direct", "fb"),
        ("storev", "cr"),
    ] {
        for letter in letters.bytes() {
            for letter in [letter, letter.to_ascii_uppercase()] {
                let constant = to_constant(&format!("magma_{kind}_const"), letter);
                let word = to_word(&format!("lapack_{kind}_const"), constant);
                assert_eq!(word.bytes().next(), Some(letter.to_ascii_uppercase()), "{kind} {constant} {word}");
                assert_eq!(to_word("lapack_const_str", constant), word);
            }
        }
    }
    assert_eq!(to_constant("magma_norm_const", b'E'), 174);
    assert_eq!(to_word("lapack_const_str", 9999), "");
    let (answer, text) = stderr_of(|| to_constant("magma_trans_const", b'?'));
    assert_eq!(answer, 111);
    assert_line(&text, "Error in magma_trans_const: unexpected value ?");
    let to_cublas = |name: &str, constant| {
        let function: unsafe extern "C" fn(c_int) -> c_int = unsafe { lib.symbol(name) }.unwrap();
        unsafe { function(constant) }
    };
    assert_eq!([111, 112, 113].map(|c| to_cublas("cublas_trans_const", c)), [0, 1, 2]);
    assert_eq!([121, 122].map(|c| to_cublas("cublas_uplo_const", c)), [1, 0]);
    assert_eq!([131, 132].map(|c| to_cublas("cublas_diag_const", c)), [0, 1]);
    assert_eq!([141, 142].map(|c| to_cublas("cublas_side_const", c)), [0, 1]);
    assert_eq!([111, 113].map(|c| to_cublas("cblas_trans_const", c)), [111, 113]);
}

#[test]
fn printed_matrices_are_checked() {
    type Print = unsafe extern "C" fn(c_int, c_int, *const f64, c_int);
    let lib = Library::required();
    let print: Print = unsafe { lib.symbol("magma_dprint") }.unwrap();
    for ((m, n, lda), position) in [((-1, 2, 2), 1), ((2, -1, 2), 2), ((2, 2, 1), 4), ((0, 2, 0), 4)] {
        let ((), text) = stderr_of(|| unsafe { print(m, n, null(), lda) });
        assert_line(&text, &illegal("magma_dprint", position));
    }
}

#[test]
fn nan_and_infinity_are_data_and_functions() {
    let lib = Library::required();
    let nan: *const f64 = unsafe { lib.symbol("MAGMA_D_NAN") }.unwrap();
    let inf: *const [f32; 2] = unsafe { lib.symbol("MAGMA_C_INF") }.unwrap();
    assert!(unsafe { *nan }.is_nan());
    assert_eq!(unsafe { *inf }, [f32::INFINITY; 2]);
    let [is_nan, is_inf, either]: [unsafe extern "C" fn(f64) -> c_int; 3] =
        ["isnan", "isinf", "isnan_inf"].map(|n| unsafe { lib.symbol(&format!("magma_d_{n}")) }.unwrap());
    let all = |x| unsafe { [is_nan(x), is_inf(x), either(x)] };
    assert_eq!(all(f64::NAN), [1, 0, 1]);
    assert_eq!(all(f64::NEG_INFINITY), [0, 1, 1]);
    assert_eq!(all(1.0), [0, 0, 0]);
}

/// Complex numbers are passed by value like C structures.
#[test]
fn complex_values_cross_the_boundary() {
    #[repr(C)]
    #[derive(Clone, Copy, Debug, PartialEq)]
    struct Z(f64, f64);
    #[repr(C)]
    #[derive(Clone, Copy, Debug, PartialEq)]
    struct C(f32, f32);
    let lib = Library::required();
    let zsqrt: unsafe extern "C" fn(Z) -> Z = unsafe { lib.symbol("magma_zsqrt") }.unwrap();
    let csqrt: unsafe extern "C" fn(C) -> C = unsafe { lib.symbol("magma_csqrt") }.unwrap();
    assert_eq!(unsafe { zsqrt(Z(-3.0, 4.0)) }, Z(1.0, 2.0));
    assert_eq!(unsafe { csqrt(C(-3.0, -4.0)) }, C(1.0, -2.0));
    // A zero keeps its sign, which says on which side of the branch cut it is.
    assert_eq!(unsafe { zsqrt(Z(0.0, -0.0)) }.1.to_bits(), (-0.0f64).to_bits());
    let dotc: unsafe extern "C" fn(c_int, *const C, c_int, *const C, c_int) -> C =
        unsafe { lib.symbol("magma_cblas_cdotc") }.unwrap();
    let (x, y) = ([C(1.0, 2.0), C(9.0, 9.0), C(0.0, 1.0)], [C(3.0, 5.0), C(2.0, 0.0)]);
    assert_eq!(unsafe { dotc(2, x.as_ptr(), 2, y.as_ptr(), 1) }, C(13.0, -3.0));
}

/// As in BLAS, the norm of a vector whose increment is not positive is zero.
#[test]
fn norms_of_vectors_without_a_direction_are_zero() {
    let lib = Library::required();
    let x = [3.0, 9.0, 4.0];
    for (name, expected) in [("magma_cblas_dasum", 7.0), ("magma_cblas_dnrm2", 5.0)] {
        let norm: unsafe extern "C" fn(c_int, *const f64, c_int) -> f64 = unsafe { lib.symbol(name) }.unwrap();
        let of = |n, increment| unsafe { norm(n, x.as_ptr(), increment) };
        assert_eq!([of(2, 2), of(2, 0), of(2, -1), of(0, 1)], [expected, 0.0, 0.0, 0.0], "{name}");
    }
}

#[test]
fn fortran_names_take_everything_by_reference() {
    let lib = Library::required();
    type Malloc = unsafe extern "C" fn(*mut *mut c_void, *const c_int) -> c_int;
    type Free = unsafe extern "C" fn(*const *mut c_void) -> c_int;
    type Create = unsafe extern "C" fn(*const c_int, *mut *mut c_void);
    type OnQueue = unsafe extern "C" fn(*const *mut c_void);
    for kind in ["", "_cpu", "_pinned"] {
        let free: Free = unsafe { lib.symbol(&format!("magmaf_free{kind}_")) }.unwrap();
        for (letter, _size) in [("", 1), ("s", 4), ("d", 8), ("c", 8), ("z", 16), ("i", 4)] {
            let name = CString::new(format!("magmaf_{letter}malloc{kind}_")).unwrap();
            let malloc: Malloc = unsafe { lib.symbol(name.to_str().unwrap()) }.unwrap();
            let mut p = null_mut();
            assert_eq!(unsafe { malloc(&mut p, &100) }, 0, "{name:?}");
            assert!(!p.is_null());
            assert_eq!(unsafe { free(&p) }, 0);
        }
    }
    let create: Create = unsafe { lib.symbol("magmaf_queue_create_") }.unwrap();
    let [sync, destroy]: [OnQueue; 2] =
        ["magmaf_queue_sync_", "magmaf_queue_destroy_"].map(|n| unsafe { lib.symbol(n) }.unwrap());
    let device: unsafe extern "C" fn(*const *mut c_void) -> c_int =
        unsafe { lib.symbol("magmaf_queue_get_device_") }.unwrap();
    let mut queue = null_mut();
    unsafe { create(&0, &mut queue) };
    assert!(!queue.is_null());
    assert_eq!(unsafe { device(&queue) }, 0);
    unsafe { sync(&queue) };
    unsafe { destroy(&queue) };
}
