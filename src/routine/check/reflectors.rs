//! Q itself, Q applied, QR with explicit factors, and block reflectors.

use super::{Verdict, apart, at_least, factored, factors, forward, is_null};
use crate::error::{Arg, Error};
use crate::routine::extent::Extent;
use crate::routine::{ExtractPart, GeqrfExtract, Larfb, Larft, Operand, Orgqr, Ormqr, QPart, Qr, Side, Trans};

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
    let (m, n, lda, element, batch) = ((p.m, Arg::M), (p.n, Arg::N), (p.lda, Arg::Lda), p.dtype.bytes(), p.batch);
    Verdict::unless(p.n == 0 || p.batch == 0).within([
        Extent { operand: &p.a, element, rows: m, columns: n, ld: lda, stride: Arg::StrideA, batch },
        factors(&p.tau, element, (p.k, Arg::K), batch),
    ])
}

/// The order of an operator, with the argument that it is.
fn order(side: Side, m: i64, n: i64) -> (i64, Arg) {
    match side {
        Side::Left => (m, Arg::M),
        Side::Right => (n, Arg::N),
    }
}

/// LAPACK `?ormqr`, `?unmqr`, batched.
pub fn ormqr(p: &Ormqr) -> Result<Verdict, Error> {
    at_least(p.m, 0, Arg::M)?;
    at_least(p.n, 0, Arg::N)?;
    let order = order(p.side, p.m, p.n);
    at_most(p.k, order.0, Arg::K)?;
    at_least(p.lda, order.0.max(1), Arg::Lda)?;
    forward(&p.a, p.batch, Arg::StrideA)?;
    forward(&p.tau, p.batch, Arg::StrideTau)?;
    at_least(p.ldc, p.m.max(1), Arg::Ldc)?;
    apart(&p.c, p.m, p.batch, Arg::StrideC)?;
    at_least(p.batch, 0, Arg::BatchCount)?;
    let (m, n, k) = ((p.m, Arg::M), (p.n, Arg::N), (p.k, Arg::K));
    let (lda, ldc, element, batch) = ((p.lda, Arg::Lda), (p.ldc, Arg::Ldc), p.dtype.bytes(), p.batch);
    Verdict::unless(p.m == 0 || p.n == 0 || p.k == 0 || p.batch == 0).within([
        Extent { operand: &p.a, element, rows: order, columns: k, ld: lda, stride: Arg::StrideA, batch },
        factors(&p.tau, element, k, batch),
        Extent { operand: &p.c, element, rows: m, columns: n, ld: ldc, stride: Arg::StrideC, batch },
    ])
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
    let (m, n, element, batch) = ((p.m, Arg::M), (p.n, Arg::N), p.dtype.bytes(), p.batch);
    let (lda, ldq, ldr) = ((p.lda, Arg::Lda), (p.ldq, Arg::Ldq), (p.ldr, Arg::Ldr));
    let thin = if p.m < p.n { m } else { n };
    let (of_q, of_r) = match p.part {
        QPart::None => ((0, Arg::N), thin),
        QPart::Thin => (thin, thin),
        QPart::Full => (m, m),
    };
    Verdict::unless(p.batch == 0 || p.m == 0 || (p.n == 0 && p.part != QPart::Full)).within([
        Extent { operand: &p.a, element, rows: m, columns: n, ld: lda, stride: Arg::StrideA, batch },
        Extent { operand: &p.q, element, rows: m, columns: of_q, ld: ldq, stride: Arg::StrideQ, batch },
        Extent { operand: &p.r, element, rows: of_r, columns: n, ld: ldr, stride: Arg::StrideR, batch },
    ])
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
    let (m, k, element, batch) = ((p.m, Arg::M), (p.k, Arg::K), p.dtype.bytes(), p.batch);
    let (ldv, ldt) = ((p.ldv, Arg::Ldv), (p.ldt, Arg::Ldt));
    Verdict::unless(p.k == 0 || p.batch == 0).within([
        Extent { operand: &p.v, element, rows: m, columns: k, ld: ldv, stride: Arg::StrideV, batch },
        factors(&p.tau, element, k, batch),
        Extent { operand: &p.t, element, rows: k, columns: k, ld: ldt, stride: Arg::StrideT, batch },
    ])
}

/// LAPACK `?larfb`, forward and columnwise, batched.
pub fn larfb(p: &Larfb) -> Result<Verdict, Error> {
    if p.dtype.is_complex() && p.trans == Trans::T {
        return Err(Arg::Trans.into());
    }
    at_least(p.m, 0, Arg::M)?;
    at_least(p.n, 0, Arg::N)?;
    let order = order(p.side, p.m, p.n);
    at_most(p.k, order.0, Arg::K)?;
    at_least(p.ldv, order.0.max(1), Arg::Ldv)?;
    forward(&p.v, p.batch, Arg::StrideV)?;
    at_least(p.ldt, p.k.max(1), Arg::Ldt)?;
    forward(&p.t, p.batch, Arg::StrideT)?;
    at_least(p.ldc, p.m.max(1), Arg::Ldc)?;
    apart(&p.c, p.m, p.batch, Arg::StrideC)?;
    at_least(p.batch, 0, Arg::BatchCount)?;
    let (m, n, k, element, batch) = ((p.m, Arg::M), (p.n, Arg::N), (p.k, Arg::K), p.dtype.bytes(), p.batch);
    let (ldv, ldt, ldc) = ((p.ldv, Arg::Ldv), (p.ldt, Arg::Ldt), (p.ldc, Arg::Ldc));
    Verdict::unless(p.m == 0 || p.n == 0 || p.k == 0 || p.batch == 0).within([
        Extent { operand: &p.v, element, rows: order, columns: k, ld: ldv, stride: Arg::StrideV, batch },
        Extent { operand: &p.t, element, rows: k, columns: k, ld: ldt, stride: Arg::StrideT, batch },
        Extent { operand: &p.c, element, rows: m, columns: n, ld: ldc, stride: Arg::StrideC, batch },
    ])
}

/// MAGMA's expert outputs, in the order of its own checks: sizes, nb, R, T, the batch count.
pub fn extract(p: &GeqrfExtract) -> Result<Verdict, Error> {
    let (qr, k) = (&p.qr, p.qr.m.min(p.qr.n));
    super::geqrf(&crate::routine::Geqrf { batch: 1, ..*qr })?;
    at_least(p.nb, 1, Arg::Nb)?;
    let block = k.min(p.nb);
    at_least(p.ldr, if p.part == ExtractPart::Full { k } else { block }, Arg::Ldr)?;
    at_least(p.ldt, block, Arg::Ldt)?;
    at_least(qr.batch, 0, Arg::BatchCount)?;
    let (n, element, batch) = ((qr.n, Arg::N), qr.dtype.bytes(), qr.batch);
    let [a, tau] = factored(qr);
    let (ldr, ldt) = ((p.ldr, Arg::Ldr), (p.ldt, Arg::Ldt));
    Verdict::unless(qr.m == 0 || qr.n == 0 || qr.batch == 0).within([
        a,
        tau,
        Extent { operand: &p.r, element, rows: (k, Arg::N), columns: n, ld: ldr, stride: Arg::StrideR, batch },
        Extent { operand: &p.t, element, rows: (block, Arg::Nb), columns: n, ld: ldt, stride: Arg::StrideT, batch },
    ])
}
