//! Arguments of the kernels that form Q.

use crate::gpu::args::DeviceOperand;
use crate::routine::{Operand, Orgqr, Qr};

#[repr(C)]
#[derive(Clone, Copy)]
pub struct QArgs {
    a: DeviceOperand,
    tau: DeviceOperand,
    q: DeviceOperand,
    r: DeviceOperand,
    f: DeviceOperand,
    lda: i64,
    ldq: i64,
    ldr: i64,
    ldf: i64,
    batch: i64,
    m: i64,
    n: i64,
    k: i64,
    columns: i64,
    rows: i64,
    offset: i64,
    factor: i32,
    pad: i32,
}

impl QArgs {
    /// Forms rows and columns `offset` onwards of Q from the reflectors from `offset` on.
    pub fn orgqr(p: &Orgqr, offset: i64) -> Self {
        QArgs {
            a: p.a.into(),
            tau: p.tau.into(),
            q: p.a.into(),
            r: DeviceOperand::NONE,
            f: DeviceOperand::NONE,
            lda: p.lda,
            ldq: p.lda,
            ldr: 0,
            ldf: 0,
            batch: p.batch,
            m: p.m - offset,
            n: p.k - offset,
            k: p.k - offset,
            columns: p.n - offset,
            rows: 0,
            offset,
            factor: 0,
            pad: 0,
        }
    }

    /// Factors A = Q R and writes `columns` columns of Q (0: R only) and `rows` rows of R. `f` is memory in
    /// which a matrix may be factored, with its leading dimension.
    pub fn qr(p: &Qr, columns: i64, rows: i64, (f, ldf): (Operand, i64)) -> Self {
        QArgs {
            a: p.a.into(),
            tau: DeviceOperand::NONE,
            q: if columns > 0 { p.q.into() } else { DeviceOperand::NONE },
            r: p.r.into(),
            f: f.into(),
            lda: p.lda,
            ldq: p.ldq,
            ldr: p.ldr,
            ldf,
            batch: p.batch,
            m: p.m,
            n: p.n,
            k: p.m.min(p.n),
            columns,
            rows,
            offset: 0,
            factor: 1,
            pad: 0,
        }
    }
}
