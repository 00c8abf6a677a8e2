//! `cublas*`.

use super::fixture::{BATCH, Fixture, assert_line};
use crate::stderr::stderr_of;
use std::ffi::{CStr, c_char, c_int, c_void};
use std::os::unix::ffi::OsStrExt;
use std::ptr::{null, null_mut, without_provenance_mut};
use std::sync::Mutex;
use tephra_testkit::library::{Backend, CublasHandle};
use tephra_testkit::memory::{Kind, Memory};
use tephra_testkit::{Dtype, Library};

const SUCCESS: c_int = 0;
const NOT_INITIALIZED: c_int = 1;
const INVALID_VALUE: c_int = 7;
/// The value of info before a call.
const UNSET: c_int = 77;

/// One call on a fixture with exactly these arguments.
fn call(s: &Fixture, handle: *mut c_void, sizes: [c_int; 4], arrays: bool) -> (c_int, c_int) {
    let [m, n, lda, batch] = sizes;
    let (a, tau) = if arrays { (s.a(), s.tau()) } else { (null(), null()) };
    let mut info = UNSET;
    let status = unsafe { s.lib.cublas_geqrf(s.dtype)(handle, m, n, a, lda, tau, &mut info, batch) };
    (status, info)
}

fn on_every_dtype(m: usize, n: usize, check: impl Fn(&Fixture, &CublasHandle)) {
    for dtype in Dtype::ALL {
        let fixture = Fixture::new(dtype, m, n);
        let handle = fixture.lib.cublas_handle(fixture.stream.raw()).unwrap();
        check(&fixture, &handle);
    }
}

#[test]
fn success_writes_info() {
    for (m, n) in [(20, 10), (10, 20)] {
        on_every_dtype(m, n, |s, handle| {
            let sizes = [m as c_int, n as c_int, m as c_int, BATCH as c_int];
            assert_eq!(call(s, handle.raw(), sizes, true), (SUCCESS, 0), "{m} x {n}");
            assert!(s.is_factored());
        });
    }
}

#[test]
fn bad_sizes() {
    // (m, n, lda, batch), status, info; the first bad argument is reported.
    let rows = [
        ([-1, 10, 20, 3], INVALID_VALUE, -1),
        ([20, -1, 20, 3], INVALID_VALUE, -2),
        ([20, 10, 19, 3], INVALID_VALUE, -4),
        ([0, 10, 0, 3], INVALID_VALUE, -4),
        ([20, 10, 20, -1], INVALID_VALUE, -7),
        ([-1, -1, 0, -1], INVALID_VALUE, -1),
        ([20, -1, 0, -1], INVALID_VALUE, -2),
        ([20, 10, 0, -1], INVALID_VALUE, -4),
        ([0, 0, 1, -1], INVALID_VALUE, -7),
        ([20, 10, 20, 0], SUCCESS, 0),
        ([0, 10, 1, 3], SUCCESS, 0),
        ([20, 0, 20, 3], SUCCESS, 0),
        ([0, 0, 1, 0], SUCCESS, 0),
    ];
    on_every_dtype(20, 10, |s, handle| {
        for (sizes, status, info) in rows {
            for arrays in [true, false] {
                assert_eq!(call(s, handle.raw(), sizes, arrays), (status, info), "{sizes:?} {arrays}");
            }
        }
        assert!(s.is_untouched());
    });
}

#[test]
fn null_handle_and_null_info() {
    on_every_dtype(20, 10, |s, handle| {
        let geqrf = s.lib.cublas_geqrf(s.dtype);
        let run = |handle, m, info| unsafe { geqrf(handle, m, 10, s.a(), 20, s.tau(), info, 3) };
        let mut info = UNSET;
        assert_eq!(run(handle.raw(), 20, null_mut()), INVALID_VALUE);
        assert_eq!(run(handle.raw(), -1, null_mut()), INVALID_VALUE);
        assert_eq!(run(null_mut(), 20, &mut info), NOT_INITIALIZED);
        assert_eq!(run(null_mut(), 20, null_mut()), NOT_INITIALIZED, "the handle is looked at first");
        assert_eq!(run(null_mut(), -1, &mut info), NOT_INITIALIZED);
        assert_eq!(info, UNSET, "not written without a handle");
        assert!(s.is_untouched());
    });
}

/// cuBLAS would fault on the device; here they are bad arguments.
#[test]
fn null_arrays_with_work_to_do() {
    on_every_dtype(20, 10, |s, handle| {
        let geqrf = s.lib.cublas_geqrf(s.dtype);
        for (a, tau, position) in [(null(), s.tau(), -3), (s.a(), null(), -5), (null(), null(), -3)] {
            let mut info = UNSET;
            let status = unsafe { geqrf(handle.raw(), 20, 10, a, 20, tau, &mut info, 3) };
            assert_eq!((status, info), (INVALID_VALUE, position));
        }
        assert!(s.is_untouched());
    });
}

/// Tested only if no real cuBLAS can be in the process, which would take such a handle for its own.
#[test]
fn what_is_no_handle() {
    let s = Fixture::new(Dtype::D, 20, 10);
    if s.lib.backend().unwrap() == Backend::Cuda {
        return;
    }
    let mut not_a_handle = [0u64; 64];
    let handle = s.lib.cublas_handle(null_mut()).unwrap();
    let destroyed = handle.raw();
    drop(handle);
    for handle in [not_a_handle.as_mut_ptr().cast(), 0x10 as *mut c_void, destroyed] {
        assert_eq!(call(&s, handle, [20, 10, 20, 3], true).0, NOT_INITIALIZED);
        let get_stream = unsafe { s.lib.symbol::<Get<*mut c_void>>("cublasGetStream_v2") }.unwrap();
        assert_eq!(unsafe { get_stream(handle, &mut null_mut()) }, NOT_INITIALIZED);
    }
    assert!(s.is_untouched());
}

type Get<T> = unsafe extern "C" fn(*mut c_void, *mut T) -> c_int;
type Set<T> = unsafe extern "C" fn(*mut c_void, T) -> c_int;

/// Tests a setting of a handle: its default, values that it keeps, and values that it refuses.
fn setting(lib: &'static Library, what: &str, default: c_int, kept: &[c_int], refused: &[c_int]) {
    let get: Get<c_int> = unsafe { lib.symbol(&what.replace('?', "Get")) }.unwrap();
    let set: Set<c_int> = unsafe { lib.symbol(&what.replace('?', "Set")) }.unwrap();
    let handle = lib.cublas_handle(null_mut()).unwrap();
    let current = || {
        let mut value = -99;
        assert_eq!(unsafe { get(handle.raw(), &mut value) }, SUCCESS, "{what}");
        value
    };
    assert_eq!(current(), default, "{what}");
    for &value in kept {
        assert_eq!(unsafe { set(handle.raw(), value) }, SUCCESS, "{what} {value}");
        assert_eq!(current(), value, "{what}");
    }
    let last = current();
    for &value in refused {
        assert_eq!(unsafe { set(handle.raw(), value) }, INVALID_VALUE, "{what} {value}");
        assert_eq!(current(), last, "{what}");
    }
    assert_eq!(unsafe { get(handle.raw(), null_mut()) }, INVALID_VALUE, "{what}");
    assert_eq!(unsafe { get(null_mut(), &mut -1) }, NOT_INITIALIZED, "{what}");
    assert_eq!(unsafe { set(null_mut(), kept[0]) }, NOT_INITIALIZED, "{what}");
}

#[test]
fn settings_are_kept() {
    let lib = Library::required();
    setting(lib, "cublas?PointerMode_v2", 0, &[1, 0], &[2, -1]);
    setting(lib, "cublas?AtomicsMode", 0, &[1, 0], &[2, -1]);
    setting(lib, "cublas?MathMode", 0, &[1, 2, 3, 4, 16, 19, 0], &[5, 32, -1]);
    setting(lib, "cublas?SmCountTarget", 0, &[8, 0], &[-1]);
    setting(lib, "cublas?EmulationStrategy", 0, &[1, 2, 0], &[3, -1]);
}

#[test]
fn streams_and_workspace() {
    let s = Fixture::new(Dtype::D, 20, 10);
    let get: Get<*mut c_void> = unsafe { s.lib.symbol("cublasGetStream_v2") }.unwrap();
    let set: Set<*mut c_void> = unsafe { s.lib.symbol("cublasSetStream_v2") }.unwrap();
    type Workspace = unsafe extern "C" fn(*mut c_void, *mut c_void, usize) -> c_int;
    let workspace: Workspace = unsafe { s.lib.symbol("cublasSetWorkspace_v2") }.unwrap();
    let handle = s.lib.cublas_handle(null_mut()).unwrap();
    let mut stream = without_provenance_mut(1);
    assert_eq!(unsafe { get(handle.raw(), &mut stream) }, SUCCESS);
    assert!(stream.is_null(), "the default stream");
    // The legacy (1) and per-thread (2) streams are special values and are passed on.
    for wanted in [s.stream.raw(), without_provenance_mut(2), without_provenance_mut(1), null_mut()] {
        assert_eq!(unsafe { set(handle.raw(), wanted) }, SUCCESS);
        assert_eq!(unsafe { get(handle.raw(), &mut stream) }, SUCCESS);
        assert_eq!(stream, wanted);
        assert_eq!(call(&s, handle.raw(), [20, 10, 20, 3], true), (SUCCESS, 0), "on {wanted:?}");
        assert_eq!(unsafe { s.lib.stream_synchronize(wanted) }, Ok(()));
    }
    let memory = Memory::new(s.lib, Kind::Device, 1 << 16).unwrap();
    let aligned = ((memory.pointer() as usize).next_multiple_of(256)) as *mut c_void;
    assert_eq!(unsafe { workspace(handle.raw(), aligned, 1 << 15) }, SUCCESS);
    assert_eq!(unsafe { workspace(handle.raw(), aligned.wrapping_byte_add(8), 1 << 15) }, INVALID_VALUE);
    assert_eq!(unsafe { workspace(null_mut(), aligned, 1 << 15) }, NOT_INITIALIZED);
    let create: unsafe extern "C" fn(*mut *mut c_void) -> c_int = unsafe { s.lib.symbol("cublasCreate_v2") }.unwrap();
    let destroy: unsafe extern "C" fn(*mut c_void) -> c_int = unsafe { s.lib.symbol("cublasDestroy_v2") }.unwrap();
    assert_eq!(unsafe { create(null_mut()) }, INVALID_VALUE);
    assert_eq!(unsafe { destroy(null_mut()) }, NOT_INITIALIZED);
}

#[test]
fn versions_and_texts() {
    let lib = Library::required();
    let version: Get<c_int> = unsafe { lib.symbol("cublasGetVersion_v2") }.unwrap();
    let property: unsafe extern "C" fn(c_int, *mut c_int) -> c_int =
        unsafe { lib.symbol("cublasGetProperty") }.unwrap();
    let mut value = 0;
    assert_eq!(unsafe { version(null_mut(), &mut value) }, SUCCESS, "a NULL handle is fine");
    let parts = [0, 1, 2].map(|i| {
        let mut part = -1;
        assert_eq!(unsafe { property(i, &mut part) }, SUCCESS);
        part
    });
    assert_eq!(value, parts[0] * 10000 + parts[1] * 100 + parts[2]);
    assert!(value >= 120000, "{value}");
    assert_eq!(unsafe { version(null_mut(), null_mut()) }, INVALID_VALUE);
    assert_eq!(unsafe { property(3, &mut value) }, INVALID_VALUE);
    let runtime: unsafe extern "C" fn() -> usize = unsafe { lib.symbol("cublasGetCudartVersion") }.unwrap();
    assert!(unsafe { runtime() } >= 12000);

    type Text = unsafe extern "C" fn(c_int) -> *const c_char;
    let [name, text] = ["cublasGetStatusName", "cublasGetStatusString"].map(|f| {
        let function: Text = unsafe { lib.symbol(f) }.unwrap();
        move |status| unsafe { CStr::from_ptr(function(status)) }.to_str().unwrap()
    });
    assert_eq!(name(0), "CUBLAS_STATUS_SUCCESS");
    assert_eq!(name(15), "CUBLAS_STATUS_NOT_SUPPORTED");
    assert_eq!([0, 1, 3, 7, 8, 11, 13, 14, 15, 16].map(text).iter().filter(|t| t.len() > 10).count(), 10);
    assert!(!name(99).is_empty() && !text(99).is_empty());

    let xerbla: unsafe extern "C" fn(*const c_char, c_int) = unsafe { lib.symbol("cublasXerbla") }.unwrap();
    let ((), text) = stderr_of(|| unsafe { xerbla(c"DGETRF ".as_ptr(), 4) });
    assert_line(&text, " ** On entry to DGETRF  parameter number 4 had an illegal value");
}

static LOGGED: Mutex<Vec<String>> = Mutex::new(Vec::new());

unsafe extern "C" fn log(line: *const c_char) {
    LOGGED.lock().unwrap().push(unsafe { CStr::from_ptr(line) }.to_string_lossy().into_owned());
}

#[test]
fn logger_gets_a_line_for_bench() {
    type Callback = Option<unsafe extern "C" fn(*const c_char)>;
    let s = Fixture::new(Dtype::C, 9, 5);
    let handle = s.lib.cublas_handle(s.stream.raw()).unwrap();
    let set: unsafe extern "C" fn(Callback) -> c_int = unsafe { s.lib.symbol("cublasSetLoggerCallback") }.unwrap();
    let get: unsafe extern "C" fn(*mut Callback) -> c_int = unsafe { s.lib.symbol("cublasGetLoggerCallback") }.unwrap();
    assert_eq!(unsafe { set(Some(log)) }, SUCCESS);
    let mut callback = None;
    assert_eq!(unsafe { get(&mut callback) }, SUCCESS);
    assert_eq!(callback.map(|f| f as usize), Some(log as *const () as usize));
    assert_eq!(call(&s, handle.raw(), [9, 5, 9, 3], true), (SUCCESS, 0));
    assert_eq!(unsafe { set(None) }, SUCCESS);
    let line = "tephra bench --dtype c --op geqrf --m 9 --n 5 --batch 3 --lda 9 # cublasCgeqrfBatched";
    assert!(LOGGED.lock().unwrap().iter().any(|l| l.starts_with(line)), "{:?}", LOGGED.lock().unwrap());
    type Configure = unsafe extern "C" fn(c_int, c_int, c_int, *const c_char) -> c_int;
    let configure: Configure = unsafe { s.lib.symbol("cublasLoggerConfigure") }.unwrap();
    assert_eq!(unsafe { configure(1, 0, 0, c"/nowhere/at/all".as_ptr()) }, INVALID_VALUE);
    // The name of a file need not be text.
    let folder = std::env::temp_dir().join(format!("tephra-log-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join(std::ffi::OsStr::from_bytes(b"caf\xe9.log"));
    let name = std::ffi::CString::new(file.as_os_str().as_bytes()).unwrap();
    assert_eq!(unsafe { configure(1, 0, 0, name.as_ptr()) }, SUCCESS);
    assert!(file.exists());
    // A trace's, too.
    std::fs::remove_file(&file).unwrap();
    type End = unsafe extern "C" fn(*const c_char) -> c_int;
    let begin: unsafe extern "C" fn() -> c_int = unsafe { s.lib.symbol("tephra_trace_begin") }.unwrap();
    let end: End = unsafe { s.lib.symbol("tephra_trace_end") }.unwrap();
    assert_eq!(unsafe { (begin(), end(name.as_ptr())) }, (0, 0));
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "[\n]\n");
    std::fs::remove_dir_all(&folder).unwrap();
    assert_eq!(unsafe { configure(0, 0, 0, null()) }, SUCCESS);
}

macro_rules! copies_of_width {
    ($test:ident, $int:ty, $suffix:literal) => {
        #[test]
        fn $test() {
            type Matrix = unsafe extern "C" fn($int, $int, $int, *const c_void, $int, *mut c_void, $int) -> c_int;
            type MatrixAsync =
                unsafe extern "C" fn($int, $int, $int, *const c_void, $int, *mut c_void, $int, *mut c_void) -> c_int;
            type Vector = unsafe extern "C" fn($int, $int, *const c_void, $int, *mut c_void, $int) -> c_int;
            type VectorAsync =
                unsafe extern "C" fn($int, $int, *const c_void, $int, *mut c_void, $int, *mut c_void) -> c_int;
            let lib = Library::required();
            let name = |base: &str| format!("{base}{}", $suffix);
            let [set, get]: [Matrix; 2] =
                ["cublasSetMatrix", "cublasGetMatrix"].map(|f| unsafe { lib.symbol(&name(f)) }.unwrap());
            let [set_async, get_async]: [MatrixAsync; 2] =
                ["cublasSetMatrixAsync", "cublasGetMatrixAsync"].map(|f| unsafe { lib.symbol(&name(f)) }.unwrap());
            let [set_vector, get_vector]: [Vector; 2] =
                ["cublasSetVector", "cublasGetVector"].map(|f| unsafe { lib.symbol(&name(f)) }.unwrap());
            let [set_vector_async, get_vector_async]: [VectorAsync; 2] =
                ["cublasSetVectorAsync", "cublasGetVectorAsync"].map(|f| unsafe { lib.symbol(&name(f)) }.unwrap());
            let stream = tephra_testkit::memory::Stream::new(lib).unwrap();
            let memory = Memory::new(lib, Kind::Device, 7 * 4 * 8).unwrap();
            let there = memory.pointer();
            let source: Vec<f64> = (0..30).map(f64::from).collect();
            let here = source.as_ptr().cast::<c_void>();

            // 5 x 4 with leading dimensions 6, 7 and 8; elements between the columns stay unchanged.
            let expected = |i: usize, j: usize| if i < 5 { source[i + 6 * j] } else { -1.0 };
            let mut back = vec![-1.0; 32];
            assert_eq!(unsafe { set(5, 4, 8, here, 6, there, 7) }, SUCCESS);
            assert_eq!(unsafe { get(5, 4, 8, there, 7, back.as_mut_ptr().cast(), 8) }, SUCCESS);
            assert!((0..32).all(|x| back[x] == expected(x % 8, x / 8)), "{back:?}");
            back.fill(-1.0);
            let done = back.as_mut_ptr().cast::<c_void>();
            assert_eq!(unsafe { set_async(5, 4, 8, here, 6, there, 7, stream.raw()) }, SUCCESS);
            assert_eq!(unsafe { get_async(5, 4, 8, there, 7, done, 8, stream.raw()) }, SUCCESS);
            stream.synchronize().unwrap();
            assert!((0..32).all(|x| back[x] == expected(x % 8, x / 8)), "{back:?}");

            // 9 elements with increments 3, 2 and 1.
            back.fill(-1.0);
            assert_eq!(unsafe { set_vector(9, 8, here, 3, there, 2) }, SUCCESS);
            assert_eq!(unsafe { get_vector(9, 8, there, 2, done, 1) }, SUCCESS);
            assert!((0..10).all(|i| back[i] == if i < 9 { source[3 * i] } else { -1.0 }), "{back:?}");
            back.fill(-1.0);
            assert_eq!(unsafe { set_vector_async(9, 8, here, 3, there, 2, stream.raw()) }, SUCCESS);
            assert_eq!(unsafe { get_vector_async(9, 8, there, 2, done, 3, stream.raw()) }, SUCCESS);
            stream.synchronize().unwrap();
            assert!((0..27).all(|i| back[i] == if i % 3 == 0 { source[i] } else { -1.0 }), "{back:?}");

            // Calls that are refused copy nothing; nothing to copy; NULL.
            back.fill(-1.0);
            for (rows, cols, element, ld, ld_back) in
                [(-1, 4, 8, 7, 8), (5, -1, 8, 7, 8), (5, 4, 0, 7, 8), (5, 4, 8, 4, 8), (5, 4, 8, 7, 0)]
            {
                assert_eq!(unsafe { get(rows, cols, element, there, ld, done, ld_back) }, INVALID_VALUE);
            }
            for (n, element, inc, inc_back) in [(9, 0, 1, 1), (9, 8, 0, 1), (9, 8, 1, -1)] {
                assert_eq!(unsafe { get_vector(n, element, there, inc, done, inc_back) }, INVALID_VALUE);
            }
            assert_eq!(unsafe { get(0, 4, 8, null(), 7, null_mut(), 8) }, SUCCESS);
            assert_eq!(unsafe { get(5, 0, 8, null(), 7, null_mut(), 8) }, SUCCESS);
            assert_eq!(unsafe { get_vector(0, 8, null(), 1, null_mut(), 1) }, SUCCESS);
            assert_eq!(unsafe { get(5, 4, 8, null(), 7, done, 8) }, INVALID_VALUE);
            assert!(back.iter().all(|&x| x == -1.0), "nothing was written");
        }
    };
}

copies_of_width!(copies, c_int, "");
copies_of_width!(copies_64, i64, "_64");
