//! Products through the native interface: increments of zero, and members that repeat.

use crate::stage::{BATCH, Stage};
use std::ffi::{c_int, c_void};
use tephra_testkit::Dtype;

type Raw = *mut c_void;
type Gemv = unsafe extern "C" fn(
    c_int,
    i64,
    i64,
    *const f64,
    *const Raw,
    i64,
    *const Raw,
    i64,
    *const f64,
    *const Raw,
    i64,
    i64,
    Raw,
) -> c_int;
type Strided = unsafe extern "C" fn(
    c_int,
    c_int,
    i64,
    i64,
    i64,
    *const f64,
    Raw,
    i64,
    i64,
    Raw,
    i64,
    i64,
    *const f64,
    Raw,
    i64,
    i64,
    i64,
    Raw,
) -> c_int;

#[test]
fn increments_are_not_zero() {
    let [a, x, y] = [0, 1, 2].map(|_| Stage::new(Dtype::D, 10, 10));
    let gemv: Gemv = unsafe { a.lib.symbol("tephra_dgemv_batched") }.unwrap();
    let (one, batch, stream) = (1.0, BATCH as i64, a.stream.raw());
    let call = |incx, incy| unsafe { gemv(111, 4, 4, &one, a.a(), 10, x.a(), incx, &one, y.a(), incy, batch, stream) };
    assert_eq!([call(0, 1), call(1, 0), call(i64::MIN, 1), call(1, i64::MAX)], [-8, -11, -8, -11]);
    assert!(y.is_untouched());
    assert_eq!(call(-2, 1), 0);
    assert!(!y.is_untouched());
}

#[test]
fn factors_may_repeat_and_overlap() {
    let [a, b, c] = [0, 1, 2].map(|_| Stage::new(Dtype::D, 10, 10));
    let gemm: Strided = unsafe { a.lib.symbol("tephra_dgemm_strided_batched") }.unwrap();
    let (one, zero, batch, stream) = (1.0, 0.0, BATCH as i64, a.stream.raw());
    let call = |stride_a, stride_b, stride_c| unsafe {
        let (pa, pb, pc) = (a.a_base(), b.a_base(), c.a_base());
        gemm(111, 111, 10, 10, 10, &one, pa, 10, stride_a, pb, 10, stride_b, &zero, pc, 10, stride_c, batch, stream)
    };
    assert_eq!([call(-1, 0, 100), call(0, -1, 100), call(0, 0, 9)], [-9, -12, -16]);
    assert!(c.is_untouched());
    // One A and one B for all: all results are the same.
    assert_eq!(call(0, 0, 100), 0);
    let results = c.matrices();
    let members: Vec<&[u8]> = results.chunks(100 * size_of::<f64>()).collect();
    assert!(members.iter().all(|member| *member == members[0]));
    // Members that begin a column apart.
    assert_eq!(call(10, 0, 100), 0);
    let overlapping = c.matrices();
    assert!(overlapping[..800] == *members[0] && overlapping[800..1600] != *members[0]);
}
