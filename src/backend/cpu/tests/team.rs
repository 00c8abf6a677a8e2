//! Threads that share one matrix compute the same bits as a single thread.

use super::interleaved::{Kind, Routine, done};
use super::support::*;
use std::ptr::null_mut;
use tephra_cpu::parts::{Choice, Distribution, Execution, choose};
use tephra_routine::scalar::{C32, C64, Scalar};
use tephra_routine::{Geqrf, Math, Operand, QPart, Trans};

fn shared<T: Scalar>() {
    let Some(&level) = levels().last() else { return };
    let (m, n) = (300, 260);
    let distribution = |threads_per_member| Distribution { threads: 1, threads_per_member, grain: 1 };
    let none = Operand::Strided { base: null_mut(), stride: 0 };
    let problem = Geqrf {
        dtype: T::DTYPE,
        m: m as i64,
        n: n as i64,
        a: none,
        lda: m as i64,
        sizes: None,
        tau: none,
        batch: 1,
        info: null_mut(),
        math: Math::Fp32,
    };
    let chosen = choose(&problem).unwrap();
    let a = Dense::<T>::random(m, n, 12);
    let [alone, together] = [1, 3].map(|threads_per_member| {
        let choice = Choice { level, distribution: distribution(threads_per_member), ..chosen };
        factor(std::slice::from_ref(&a), 1, false, &choice).remove(0)
    });
    assert!(alone.a == together.a && alone.tau == together.tau, "geqrf {:?}", T::DTYPE);
    for routine in [
        Routine::Qr { m, n, part: QPart::Full },
        Routine::Orgqr { m, n, k: n },
        Routine::Gels { m, n, nrhs: 40, trans: Trans::N },
        Routine::Gels { m: n, n: m, nrhs: 40, trans: Trans::N },
    ] {
        let [alone, together] = [1, 3].map(|threads_per_member| {
            done::<T>(
                routine,
                &[Kind::Uniform],
                &Execution { level, distribution: distribution(threads_per_member), interleaved: false },
            )
        });
        assert!(alone == together, "{routine:?} {:?}", T::DTYPE);
    }
}

#[test]
fn a_team_gives_what_one_thread_gives() {
    shared::<f32>();
    shared::<f64>();
    shared::<C32>();
    shared::<C64>();
}
