//! Products in the native interface: increments of zero, and repeated members.

use super::fixture::{BATCH, Fixture};
use tephra_testkit::{Dtype, any_call, words};

#[test]
fn increments_are_not_zero() {
    let [a, x, y] = [0, 1, 2].map(|_| Fixture::new(Dtype::D, 10, 10));
    let (one, batch, stream) = (1.0f64, BATCH as i64, a.stream.raw());
    let call = |incx, incy| {
        let arguments = words![111, 4, 4, &one, a.a(), 10, x.a(), incx, &one, y.a(), incy, batch, stream];
        // SAFETY: the arguments match include/tephra.h, and the library refuses the invalid ones.
        unsafe { any_call::call(a.lib, "tephra_dgemv_batched", [0.0; 4], arguments) }
    };
    assert_eq!([call(0, 1), call(1, 0), call(i64::MIN, 1), call(1, i64::MAX)], [-8, -11, -8, -11]);
    assert!(y.is_untouched());
    assert_eq!(call(-2, 1), 0);
    assert!(!y.is_untouched());
}

#[test]
fn factors_may_repeat_and_overlap() {
    let [a, b, c] = [0, 1, 2].map(|_| Fixture::new(Dtype::D, 10, 10));
    let (one, zero, stream) = (1.0f64, 0.0f64, a.stream.raw());
    let of = |batch: i64, stride_a, stride_b, stride_c| {
        let (pa, pb, pc) = (a.a_base(), b.a_base(), c.a_base());
        let arguments = words![
            111, 111, 10, 10, 10, &one, pa, 10, stride_a, pb, 10, stride_b, &zero, pc, 10, stride_c, batch, stream
        ];
        // SAFETY: the arguments match include/tephra.h, and the library refuses the invalid ones.
        unsafe { any_call::call(a.lib, "tephra_dgemm_strided_batched", [0.0; 4], arguments) }
    };
    let call = |stride_a, stride_b, stride_c| of(BATCH as i64, stride_a, stride_b, stride_c);
    assert_eq!([call(-1, 0, 100), call(0, -1, 100), call(0, 0, 9)], [-9, -12, -16]);
    assert!(c.is_untouched());
    // A single member needs no strides.
    assert_eq!(of(1, -1, -1, -1), 0);
    c.restore();
    // With one A and one B for all members, all results are equal.
    assert_eq!(call(0, 0, 100), 0);
    let results = c.matrices();
    let members: Vec<&[u8]> = results.chunks(100 * size_of::<f64>()).collect();
    assert!(members.iter().all(|member| *member == members[0]));
    // Members that start one column apart.
    assert_eq!(call(10, 0, 100), 0);
    let overlapping = c.matrices();
    assert!(overlapping[..800] == *members[0] && overlapping[800..1600] != *members[0]);
}
