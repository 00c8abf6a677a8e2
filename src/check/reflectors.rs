//! Q itself, Q applied, QR with explicit factors, and block reflectors.

use super::{Verdict, apart, at_least, forward, is_null};
use crate::error::{Arg, Error};
use crate::problem::{Larfb, Larft, Operand, Orgqr, Ormqr, QPart, Qr, Side, Trans};

fn at_most(value: i64, most: i64, arg: Arg) -> Result<(), Error> {
    if value < 0 || value > most { Err(arg.into()) } else { Ok(()) }
}

/// LAPACK `?orgqr`, `?ungqr`, batched.
pub fn orgqr(p: &Orgqr) -> Result<Verdict, Error> {
    at_least(p.m, 0, Arg::M)?;
    at_most(p.n, p.m, Arg::N)?;
    at_most(p.k, p.n, Arg::K)?;
    at_least(p.lda, p.m.max(1), Arg::Lda)?;
    apart(&p.a, p.m, p.batch, Arg::StrideA)?;
    forward(&p.tau, p.batch, Arg::StrideTau)?;
    at_least(p.batch, 0, Arg::BatchCount)?;
    Ok(Verdict::unless(p.n == 0 || p.batch == 0))
}

fn order(side: Side, m: i64, n: i64) -> i64 {
    match side {
        Side::Left => m,
        Side::Right => n,
    }
}

/// LAPACK `?ormqr`, `?unmqr`, batched.
pub fn ormqr(p: &Ormqr) -> Result<Verdict, Error> {
    at_least(p.m, 0, Arg::M)?;
    at_least(p.n, 0, Arg::N)?;
    let order = order(p.side, p.m, p.n);
    at_most(p.k, order, Arg::K)?;
    at_least(p.lda, order.max(1), Arg::Lda)?;
    forward(&p.a, p.batch, Arg::StrideA)?;
    forward(&p.tau, p.batch, Arg::StrideTau)?;
    at_least(p.ldc, p.m.max(1), Arg::Ldc)?;
    apart(&p.c, p.m, p.batch, Arg::StrideC)?;
    at_least(p.batch, 0, Arg::BatchCount)?;
    Ok(Verdict::unless(p.m == 0 || p.n == 0 || p.k == 0 || p.batch == 0))
}

/// QR with explicit factors. Without columns the full Q is still the identity, which is work.
pub fn qr(p: &Qr) -> Result<Verdict, Error> {
    at_least(p.m, 0, Arg::M)?;
    at_least(p.n, 0, Arg::N)?;
    at_least(p.lda, p.m.max(1), Arg::Lda)?;
    if p.part == QPart::None {
        forward(&p.a, p.batch, Arg::StrideA)?;
    } else {
        // Thin Q takes the place of A; in any other shape it would not fit there.
        let in_place = same(&p.q, &p.a);
        if in_place && (p.part != QPart::Thin || p.m < p.n) {
            return Err(Arg::Q.into());
        }
        forward(&p.a, p.batch, Arg::StrideA)?;
        at_least(p.ldq, p.m.max(1), Arg::Ldq)?;
        if in_place && p.ldq != p.lda {
            return Err(Arg::Ldq.into());
        }
        apart(&p.q, p.m, p.batch, Arg::StrideQ)?;
    }
    if same(&p.r, &p.a) || (p.part != QPart::None && same(&p.r, &p.q)) {
        return Err(Arg::R.into());
    }
    let rows = if p.part == QPart::Full { p.m } else { p.m.min(p.n) };
    at_least(p.ldr, rows.max(1), Arg::Ldr)?;
    apart(&p.r, rows, p.batch, Arg::StrideR)?;
    at_least(p.batch, 0, Arg::BatchCount)?;
    Ok(Verdict::unless(p.batch == 0 || p.m == 0 || (p.n == 0 && p.part != QPart::Full)))
}

/// The same members, as far as the operands tell; what nobody points to is not the same.
fn same(a: &Operand, b: &Operand) -> bool {
    !is_null(a) && a == b
}

/// LAPACK `?larft`, forward and columnwise, batched.
pub fn larft(p: &Larft) -> Result<Verdict, Error> {
    at_least(p.m, 0, Arg::M)?;
    at_most(p.k, p.m, Arg::K)?;
    at_least(p.ldv, p.m.max(1), Arg::Ldv)?;
    forward(&p.v, p.batch, Arg::StrideV)?;
    forward(&p.tau, p.batch, Arg::StrideTau)?;
    at_least(p.ldt, p.k.max(1), Arg::Ldt)?;
    apart(&p.t, p.k, p.batch, Arg::StrideT)?;
    at_least(p.batch, 0, Arg::BatchCount)?;
    Ok(Verdict::unless(p.k == 0 || p.batch == 0))
}

/// LAPACK `?larfb`, forward and columnwise, batched.
pub fn larfb(p: &Larfb) -> Result<Verdict, Error> {
    if p.dtype.is_complex() && p.trans == Trans::T {
        return Err(Arg::Trans.into());
    }
    at_least(p.m, 0, Arg::M)?;
    at_least(p.n, 0, Arg::N)?;
    let order = order(p.side, p.m, p.n);
    at_most(p.k, order, Arg::K)?;
    at_least(p.ldv, order.max(1), Arg::Ldv)?;
    forward(&p.v, p.batch, Arg::StrideV)?;
    at_least(p.ldt, p.k.max(1), Arg::Ldt)?;
    forward(&p.t, p.batch, Arg::StrideT)?;
    at_least(p.ldc, p.m.max(1), Arg::Ldc)?;
    apart(&p.c, p.m, p.batch, Arg::StrideC)?;
    at_least(p.batch, 0, Arg::BatchCount)?;
    Ok(Verdict::unless(p.m == 0 || p.n == 0 || p.k == 0 || p.batch == 0))
}
