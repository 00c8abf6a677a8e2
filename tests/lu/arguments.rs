//! Cases that the fuzzer does not draw: several wrong arguments at once, and NULL where that is allowed.

use std::ffi::{c_int, c_void};
use std::ptr::null_mut;
use tephra_testkit::memory::{Kind, Memory};
use tephra_testkit::{Library, Scalar, any_call, words};

const NULL: *mut c_void = null_mut();

/// Copies numbers to the backend's memory.
fn to_backend<T: Scalar>(numbers: &[T]) -> Memory {
    Memory::from_slice(Library::required(), numbers).unwrap()
}

fn from_backend<const N: usize>(memory: &Memory) -> [f64; N] {
    let mut numbers = [0.0; N];
    memory.read(&mut numbers).unwrap();
    numbers
}

fn call(symbol: &str, arguments: &[u64]) -> c_int {
    // SAFETY: the arguments match include/tephra.h, and invalid calls access no memory.
    unsafe { any_call::call(Library::required(), symbol, [0.0; 4], arguments) }
}

/// C coincides with A including everything that describes its layout, or is elsewhere.
#[test]
fn in_place_is_in_place() {
    let before = [2.0f64, 0.0, 0.0, 4.0, 1.0, 0.0, 0.0, 8.0];
    let a = to_backend(&before);
    let place = a.pointer();
    let call = |lda, stride_a, ldc, stride_c, batch| {
        let arguments = words![2, place, lda, stride_a, place, ldc, stride_c, NULL, batch, NULL, 0, NULL];
        call("tephra_dinv_strided_batched", arguments)
    };
    assert_eq!(call(2, 4, 3, 4, 2), -6, "another leading dimension");
    assert_eq!(call(2, 4, 2, 6, 2), -7, "another stride");
    assert_eq!(from_backend(&a), before);
    assert_eq!(call(2, 4, 2, 4, 2), 0);
    assert_eq!(from_backend(&a), [0.5, 0.0, 0.0, 0.25, 1.0, 0.0, 0.0, 0.125]);
    assert_eq!(call(2, 0, 2, 9, 1), 0, "one member has no stride");
    assert_eq!(from_backend::<8>(&a)[..4], before[..4]);
}

#[test]
fn without_interchanges_or_codes() {
    // L = (1 0; 0.5 1), U = (2 4; 0 8), A = (2 4; 1 10).
    let (a, c) = (to_backend(&[2.0f64, 0.5, 4.0, 8.0]), to_backend(&[7.0f64; 4]));
    let arguments = words![2, a.pointer(), 2, 4, NULL, 0, c.pointer(), 2, 4, NULL, 1, NULL, 0, NULL];
    let code = call("tephra_dgetri_strided_batched", arguments);
    assert_eq!((code, from_backend(&c)), (0, [10.0 / 16.0, -1.0 / 16.0, -4.0 / 16.0, 2.0 / 16.0]));
}

#[test]
fn interchanges_that_are_nowhere() {
    let (a, ipiv) = (to_backend(&[1.0f64, 2.0, 3.0]), Memory::new(Library::required(), Kind::Device, 12).unwrap());
    ipiv.write(&[3, 3, 3]).unwrap();
    let (place, list) = (a.pointer(), ipiv.pointer());
    let call = |lda, k1, k2, incx: i64| {
        call("tephra_dlaswp_strided_batched", words![1, place, lda, 3, k1, k2, list, 0, incx, 1, NULL])
    };
    assert_eq!(call(2, 1, 3, 1), -3, "rows beyond the leading dimension");
    assert_eq!(call(3, 0, 3, 1), -5);
    for incx in [i64::MIN, i64::MAX] {
        assert_eq!(call(3, 1, 3, incx), -9, "interchanges beyond all memory");
        assert_eq!(call(3, 1, 0, incx), 0, "none of them is looked at");
    }
    assert_eq!(from_backend(&a), [1.0, 2.0, 3.0]);
    assert_eq!((call(3, 1, 2, 1), from_backend(&a)), (0, [3.0, 1.0, 2.0]));
    assert_eq!((call(3, 1, 2, -1), from_backend(&a)), (0, [1.0, 2.0, 3.0]));
}
