//! An operation as arguments of `tephra bench`.

use crate::routine::{Diag, Math, Operation, QPart, Side, Trans, Uplo};
use std::fmt::{self, Display, Formatter};

/// Displays an operation as the arguments that make `tephra bench` run its shape: lower-case words for `--side` and the
/// like, leading dimensions as they were given.
pub struct Arguments<'a>(pub &'a Operation);

const fn side(side: Side) -> &'static str {
    match side {
        Side::Left => "left",
        Side::Right => "right",
    }
}

const fn trans(trans: Trans) -> &'static str {
    match trans {
        Trans::N => "n",
        Trans::T => "t",
        Trans::C => "c",
    }
}

const fn uplo(uplo: Uplo) -> &'static str {
    match uplo {
        Uplo::Upper => "upper",
        Uplo::Lower => "lower",
    }
}

const fn diag(diag: Diag) -> &'static str {
    match diag {
        Diag::NonUnit => "non-unit",
        Diag::Unit => "unit",
    }
}

const fn part(part: QPart) -> &'static str {
    match part {
        QPart::None => "none",
        QPart::Thin => "thin",
        QPart::Full => "full",
    }
}

impl Display for Arguments<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let op = self.0;
        write!(f, "--dtype {} --op {}", op.dtype().letter(), op.name())?;
        match op {
            Operation::Geqrf(p) => {
                let math = if p.math == Math::Tf32 { " --math tf32" } else { "" };
                write!(f, " --m {} --n {} --batch {} --lda {}{math}", p.m, p.n, p.batch, p.lda)
            }
            Operation::Orgqr(p) => {
                write!(f, " --m {} --n {} --k {} --batch {} --lda {}", p.m, p.n, p.k, p.batch, p.lda)
            }
            Operation::Ormqr(p) => {
                write!(f, " --side {} --trans {}", side(p.side), trans(p.trans))?;
                write!(f, " --m {} --n {} --k {} --batch {} --lda {}", p.m, p.n, p.k, p.batch, p.lda)?;
                write!(f, " --ldc {}", p.ldc)
            }
            Operation::Qr(p) => {
                write!(f, " --part {} --m {} --n {} --batch {}", part(p.part), p.m, p.n, p.batch)?;
                write!(f, " --lda {} --ldq {} --ldr {}", p.lda, p.ldq, p.ldr)
            }
            Operation::Gels(p) => {
                write!(f, " --trans {} --m {} --n {} --nrhs {}", trans(p.trans), p.m, p.n, p.nrhs)?;
                write!(f, " --batch {} --lda {} --ldb {}", p.batch, p.lda, p.ldb)
            }
            Operation::Trsm(p) => {
                write!(f, " --side {} --uplo {}", side(p.side), uplo(p.uplo))?;
                write!(f, " --trans {} --diag {}", trans(p.trans), diag(p.diag))?;
                write!(f, " --m {} --n {} --batch {} --lda {} --ldb {}", p.m, p.n, p.batch, p.lda, p.ldb)?;
                // alpha changes the time only where it is zero.
                if p.alpha.is_zero() { write!(f, " --alpha 0") } else { Ok(()) }
            }
            Operation::Larft(p) => {
                write!(f, " --m {} --k {} --batch {} --ldv {} --ldt {}", p.m, p.k, p.batch, p.ldv, p.ldt)
            }
            Operation::Larfb(p) => {
                write!(f, " --side {} --trans {}", side(p.side), trans(p.trans))?;
                write!(f, " --m {} --n {} --k {} --batch {}", p.m, p.n, p.k, p.batch)?;
                write!(f, " --ldv {} --ldt {} --ldc {}", p.ldv, p.ldt, p.ldc)
            }
        }
    }
}
