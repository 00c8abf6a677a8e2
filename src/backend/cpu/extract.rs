//! MAGMA's expert outputs from a completed factorisation: R, and the triangular factors T of its panels.

use super::batch::Members;
use super::blocked::larft;
use super::view::View;
use super::{scratch, threads};
use crate::error::Error;
use crate::routine::{ExtractPart, GeqrfExtract};
use crate::scalar::Scalar;
use parking_lot::Mutex;

/// Runs the extraction; see [`GeqrfExtract`].
pub unsafe fn run(p: &GeqrfExtract) -> Result<(), Error> {
    unsafe { for_dtype!(p.qr.dtype, T => typed::<T>(p)) }
}

unsafe fn typed<T: Scalar>(p: &GeqrfExtract) -> Result<(), Error> {
    let (m, n) = (p.qr.m.max(0) as usize, p.qr.n.max(0) as usize);
    let (k, nb) = (m.min(n), p.nb.max(1) as usize);
    if k == 0 || p.qr.batch <= 0 {
        return Ok(());
    }
    let (a, tau) = (Members::<T>::new(p.qr.a), Members::<T>::new(p.qr.tau));
    let (r, t) = (Members::<T>::new(p.r), Members::<T>::new(p.t));
    let kb = nb.min(k);
    let bytes = kb.checked_mul(kb).and_then(|x| x.checked_mul(size_of::<T>()));
    let bytes = bytes.ok_or_else(|| Error::OutOfMemory(format!("a {kb} x {kb} factor T")))?;
    let (part, explicit_v) = (p.part, p.explicit_v);
    let (lda, ldr, ldt) = (p.qr.lda as usize, p.ldr as usize, p.ldt as usize);
    let failure = Mutex::new(None);
    threads::for_ranges(p.qr.batch as usize, 16, threads::count(), |range| {
        let done = scratch::with(bytes, |buffer| unsafe {
            for i in range {
                let a = View::<T> { p: a.member(i), ld: lda };
                let tau = View::<T> { p: tau.member(i), ld: 1 };
                copy_r(part, &a, &View { p: r.member(i), ld: ldr }, k, n, nb);
                copy_t(&a, &tau, &View { p: t.member(i), ld: ldt }, buffer.cast(), m, k, nb);
                if explicit_v {
                    unit_blocks(&a, k, nb);
                }
            }
        });
        if let Err(e) = done {
            *failure.lock() = Some(e);
        }
    });
    failure.into_inner().map_or(Ok(()), Err)
}

/// Copies R, or its diagonal blocks side by side, with zeros below the diagonal.
unsafe fn copy_r<T: Scalar>(part: ExtractPart, a: &View<T>, r: &View<T>, k: usize, n: usize, nb: usize) {
    let (columns, whole) = match part {
        ExtractPart::Full => (n, true),
        ExtractPart::DiagonalBlocks => (k, false),
    };
    for j in 0..columns {
        // Row `top` of A becomes row 0 of the result.
        let (top, rows) = if whole { (0, k) } else { (j / nb * nb, nb.min(k)) };
        for i in 0..rows {
            unsafe { r.set(i, j, if top + i <= j { a.get(top + i, j) } else { T::zero() }) };
        }
    }
}

/// Writes the ones and zeros of the reflectors where the diagonal blocks of R were.
unsafe fn unit_blocks<T: Scalar>(a: &View<T>, k: usize, nb: usize) {
    for j in 0..k {
        for i in j / nb * nb..=j {
            unsafe { a.set(i, j, if i == j { T::one() } else { T::zero() }) };
        }
    }
}

/// Forms T of every panel; panel p is stored from column p*nb of `t` on.
unsafe fn copy_t<T: Scalar>(a: &View<T>, tau: &View<T>, t: &View<T>, work: *mut T, m: usize, k: usize, nb: usize) {
    for c0 in (0..k).step_by(nb) {
        let kb = nb.min(k - c0);
        unsafe {
            for j in 0..kb {
                for i in 0..j {
                    // For i < j: v_i is stored below its diagonal; v_j is 0 above its own diagonal and 1 on it.
                    let mut dot = a.get(c0 + j, c0 + i).conj();
                    for row in c0 + j + 1..m {
                        dot += a.get(row, c0 + i).conj() * a.get(row, c0 + j);
                    }
                    *work.add(i + j * kb) = dot;
                }
            }
            larft(work, kb, kb, |j| tau.get(c0 + j, 0));
            for j in 0..kb {
                for i in 0..nb.min(k) {
                    t.set(i, c0 + j, if i <= j { *work.add(i + j * kb) } else { T::zero() });
                }
            }
        }
    }
}
