//! A rank's own orthogonal factor as a block reflector, and its product with the rows of the stack's Q.

use super::session::{Block, Session};
use std::ffi::c_void;
use tephra_core::routine::{Alpha, Diag, Gemm, Larft, Laset, Part, Side, Trans, Trmm, Uplo};
use tephra_core::{Dtype, Error, Operation};

/// The orthogonal factor I - V T V^H of one rank's rows, as `geqrf` leaves it. Its product with the rows of the stack's
/// Q, to which zeros are appended, takes half of the operations that its own explicit Q and a product of both would.
pub struct Reflected {
    pub dtype: Dtype,
    /// Rows.
    pub rows: i64,
    /// Reflectors.
    pub k: i64,
    /// Columns of the matrix.
    pub n: i64,
    /// Reflectors below R.
    pub v: Block,
    /// [`Reflected::elements`] elements of this rank.
    pub scratch: *mut c_void,
}

impl Reflected {
    /// Number of elements of scratch memory: tau, and for a product T and one of its factors.
    pub fn elements(n: i64, product: bool) -> i64 {
        let square = if product { n.saturating_mul(n) } else { 0 };
        square.saturating_mul(2).saturating_add(n).max(0)
    }

    fn place(&self, first: i64) -> Block {
        Block { p: self.scratch, ld: self.n }.at(self.dtype, first, 0)
    }

    /// Where the scalar factors of the reflectors are.
    pub fn tau(&self) -> *mut c_void {
        self.place(0).p
    }

    fn t(&self) -> Block {
        self.place(self.n)
    }

    /// Computes T and completes V, over R, by its unit upper triangle.
    ///
    /// # Safety
    /// The operands must be as the fields say.
    pub unsafe fn prepare(&self, call: &Session) -> Result<(), Error> {
        let &Reflected { dtype, rows: m, k, v, .. } = self;
        let (t, tau, ldt) = (self.t().operand(), Block { p: self.tau(), ld: 1 }.operand(), self.n);
        unsafe { call.run(Operation::Larft(Larft { dtype, m, k, v: v.operand(), ldv: v.ld, tau, t, ldt, batch: 1 }))? };
        let (alpha, beta, uplo) = (Alpha::ZERO, Alpha::host(1.0f64), Part::Upper);
        let unit = Laset { dtype, uplo, m: k, n: k, alpha, beta, a: v.operand(), lda: v.ld, batch: 1 };
        unsafe { call.run(Operation::Laset(unit)) }
    }

    /// C := (I - V T V^H) B for B of k rows and zeros.
    ///
    /// # Safety
    /// After [`Reflected::prepare`]; B is k x n, and C rows x n.
    pub unsafe fn apply(&self, call: &Session, b: Block, c: Block) -> Result<(), Error> {
        let &Reflected { dtype, rows, k, n, v, .. } = self;
        let factor = self.place(n + n * n);
        let product = |uplo, trans, diag, a: Block| {
            let (lda, ldb, alpha) = (a.ld, factor.ld, Alpha::host(1.0f64));
            let (a, b, side) = (a.operand(), factor.operand(), Side::Left);
            Operation::Trmm(Trmm {
                dtype,
                side,
                uplo,
                trans,
                diag,
                m: k,
                n,
                alpha,
                a,
                lda,
                b,
                ldb,
                sizes: None,
                batch: 1,
            })
        };
        let adjoint = if dtype.is_complex() { Trans::C } else { Trans::T };
        let subtract = |first, count, beta| {
            let of = [v.at(dtype, first, 0), factor, c.at(dtype, first, 0)];
            Operation::Gemm(Gemm { beta, ..gemm(dtype, [count, n, k], Alpha::host(-1.0f64), of) })
        };
        unsafe {
            call.copy(b, factor, k, n)?;
            call.copy(b, c, k, n)?;
            call.run(product(Uplo::Lower, adjoint, Diag::Unit, v))?;
            call.run(product(Uplo::Upper, Trans::N, Diag::NonUnit, self.t()))?;
            call.run(subtract(0, k, Alpha::host(1.0f64)))?;
            call.run(subtract(k, rows - k, Alpha::ZERO))
        }
    }
}

/// The product C := alpha A B.
pub fn gemm(dtype: Dtype, sizes: [i64; 3], alpha: Alpha, [a, b, c]: [Block; 3]) -> Gemm {
    let (operands, ld) = ([a.operand(), b.operand(), c.operand()], [a.ld, b.ld, c.ld]);
    Gemm::uniform(dtype, [Trans::N; 2], sizes, [alpha, Alpha::ZERO], operands, ld, 1)
}
