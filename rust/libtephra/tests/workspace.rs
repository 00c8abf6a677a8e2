//! Sizes for which a call needs a workspace on CUDA. The results are not looked at, so that this also runs on the driver's
//! stand-in (tests/recorder), as c_tests/package/test_clients.py runs it.

use libtephra::*;

fn calls_succeed<T: Scalar>() {
    for n in [4, 33, 72, 100, 200] {
        let batch = |rows, columns| Batch::<T>::zeros(rows, columns, 10).unwrap();
        gels(Trans::No, &mut batch(n + 3, n), &mut batch(n + 3, 2)).unwrap();
        gels(Trans::ConjTrans, &mut batch(n + 3, n), &mut batch(n + 3, 2)).unwrap();
        inv(&mut batch(n, n)).unwrap();
    }
}

#[test]
fn calls_have_the_workspace_that_they_need() {
    calls_succeed::<f32>();
    calls_succeed::<f64>();
    calls_succeed::<C32>();
    calls_succeed::<C64>();
}
