//! Householder QR on the host in double precision, in LAPACK's convention, written for clarity.
//!
//! H(i) = I - tau v v^H with v(i) = 1, and Q = H(1) H(2) ... H(k). It lacks `?larfg`'s protection against overflow and
//! underflow, so callers first scale their data to near 1.

use crate::Matrix;
use crate::scalar::Field;

/// `?larfg`: overwrites x with (beta, v(2), ...) and returns tau, where H^H x = (beta, 0, ...) with a real beta.
pub fn reflector<F: Field>(x: &mut [F]) -> F {
    let Some((&alpha, tail)) = x.split_first() else { return F::ZERO };
    let tail_squared: f64 = tail.iter().map(|t| t.re() * t.re() + t.im() * t.im()).sum();
    if tail_squared == 0.0 && alpha.im() == 0.0 {
        return F::ZERO;
    }
    let norm = (alpha.re() * alpha.re() + alpha.im() * alpha.im() + tail_squared).sqrt();
    let beta = -norm.copysign(alpha.re());
    let tau = F::parts((beta - alpha.re()) / beta, -alpha.im() / beta);
    let pivot = alpha - F::real(beta);
    let inverse = pivot.conj().scale(1.0 / (pivot.re() * pivot.re() + pivot.im() * pivot.im()));
    for t in &mut x[1..] {
        *t = *t * inverse;
    }
    x[0] = F::real(beta);
    tau
}

/// c := (I - tau v v^H) c with v = (1, `tail`).
fn reflect<F: Field>(tail: &[F], tau: F, c: &mut [F]) {
    if tau == F::ZERO {
        return;
    }
    let (head, rest) = c.split_first_mut().expect("a reflector is not longer than its column");
    let mut dot = *head;
    for (&v, &x) in tail.iter().zip(rest.iter()) {
        dot += v.conj() * x;
    }
    let w = tau * dot;
    *head -= w;
    for (x, &v) in rest.iter_mut().zip(tail) {
        *x -= v * w;
    }
}

/// `?geqr2`: leaves R on and above the diagonal and the reflectors' vectors below it, and returns tau.
pub fn factor<F: Field>(a: &mut Matrix<F>) -> Vec<F> {
    (0..a.rows().min(a.cols()))
        .map(|i| {
            let tau = reflector(&mut a.col_mut(i)[i..]);
            let tail = a.col(i)[i + 1..].to_vec();
            a.for_columns(2 * tail.len(), 0..1, |_, j, column| {
                if j > i {
                    reflect(&tail, tau.conj(), &mut column[i..]);
                }
            });
            tau
        })
        .collect()
}

/// c := Q^H c, for factors from [`factor`] or `?geqrf`. Elements on and above their diagonal are not read.
pub fn apply_adjoint<F: Field>(factors: &Matrix<F>, tau: &[F], c: &mut Matrix<F>) {
    let work = 2 * c.rows() * tau.len();
    c.for_columns(work, 0..tau.len(), |i, _, column| {
        reflect(&factors.col(i)[i + 1..], tau[i].conj(), &mut column[i..]);
    });
}

/// c := Q c, for the same factors.
pub fn apply<F: Field>(factors: &Matrix<F>, tau: &[F], c: &mut Matrix<F>) {
    let work = 2 * c.rows() * tau.len();
    c.for_columns(work, (0..tau.len()).rev(), |i, _, column| {
        reflect(&factors.col(i)[i + 1..], tau[i], &mut column[i..]);
    });
}

/// `?org2r`, `?ung2r`: the first `tau.len()` columns of Q.
pub fn thin_q<F: Field>(factors: &Matrix<F>, tau: &[F]) -> Matrix<F> {
    let k = tau.len();
    let mut q = Matrix::from_fn(factors.rows(), k, |i, j| if i == j { F::ONE } else { F::ZERO });
    q.for_columns(factors.rows() * k, (0..k).rev(), |i, j, column| {
        // The reflectors after j do not change column j of the identity.
        if i <= j {
            reflect(&factors.col(i)[i + 1..], tau[i], &mut column[i..]);
        }
    });
    q
}

/// R: the upper trapezoid of the factors, min(m, n) x n.
pub fn upper<F: Field>(factors: &Matrix<F>) -> Matrix<F> {
    let k = factors.rows().min(factors.cols());
    Matrix::from_fn(k, factors.cols(), |i, j| if i <= j { factors[(i, j)] } else { F::ZERO })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{C64, Rng};

    fn rebuilds<F: Field>(m: usize, n: usize) {
        let mut rng = Rng::new(5);
        let a = Matrix::from_fn(m, n, |_, _| F::normal(&mut rng));
        let mut f = a.clone();
        let tau = factor(&mut f);
        let back = thin_q(&f, &tau).times(&upper(&f));
        assert!(a.data().iter().zip(back.data()).all(|(&x, &y)| (x - y).abs() < 1e-13));
        let mut qa = a.clone();
        apply_adjoint(&f, &tau, &mut qa);
        let r = upper(&f);
        for j in 0..n {
            for i in 0..m {
                let want = if i < r.rows() { r[(i, j)] } else { F::ZERO };
                assert!((qa[(i, j)] - want).abs() < 1e-13);
            }
        }
        assert!((0..m.min(n)).all(|i| f[(i, i)].im() == 0.0));
    }

    #[test]
    fn rebuilds_its_input() {
        for (m, n) in [(1, 1), (7, 3), (3, 7), (6, 6)] {
            rebuilds::<f64>(m, n);
            rebuilds::<C64>(m, n);
        }
    }

    #[test]
    fn last_reflector_of_a_square_real_matrix_is_the_identity() {
        let mut a = Matrix::from_fn(3, 3, |i, j| 1.0 / (i + j + 1) as f64);
        assert_eq!(factor(&mut a)[2], 0.0);
    }
}
