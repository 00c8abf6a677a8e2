//! One benchmark case: an operation, a precision, a shape. What a `TEPHRA_VERBOSE` line names and a CSV row measures.

use clap::ValueEnum;
use std::fmt;
use tephra_testkit::Dtype;

/// What is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, ValueEnum)]
pub enum Op {
    /// QR factorisation, LAPACK `?geqrf`
    Geqrf,
    /// Q over its reflectors, LAPACK `?orgqr`
    Orgqr,
    /// Q applied, LAPACK `?ormqr`
    Ormqr,
    /// QR with explicit thin Q and R
    Qr,
    /// QR with an implicit Q, LAPACK `?geqr`
    Geqr,
    /// That Q applied, LAPACK `?gemqr`
    Gemqr,
    /// Least squares, LAPACK `?gels`
    Gels,
    /// Least squares by iteration
    #[value(name = "gels_iterative")]
    GelsIterative,
    /// Triangular solve, BLAS `?trsm`
    Trsm,
    /// LU factorisation with partial pivoting, LAPACK `?getrf`
    Getrf,
    /// The same without pivoting
    #[value(name = "getrf_nopiv")]
    GetrfNopiv,
    /// Solve with LU's factors, LAPACK `?getrs`
    Getrs,
    /// Factor and solve, LAPACK `?gesv`
    Gesv,
    /// The same without pivoting, after random butterflies, MAGMA `?gesv_rbt`
    #[value(name = "gesv_rbt")]
    GesvRbt,
    /// Inverse from LU's factors, LAPACK `?getri`
    Getri,
    /// Inverse
    Inv,
    /// Cholesky factorisation, LAPACK `?potrf`
    Potrf,
    /// Solve with Cholesky's factor, LAPACK `?potrs`
    Potrs,
    /// Factor and solve, LAPACK `?posv`
    Posv,
    /// Inverse from Cholesky's factor, LAPACK `?potri`
    Potri,
    /// Matrix product, BLAS `?gemm`
    Gemm,
    /// Matrix times vector, BLAS `?gemv`
    Gemv,
    /// Symmetric product, BLAS `?syrk`
    Syrk,
    /// Hermitian product, BLAS `?herk`
    Herk,
    /// LQ factorisation, LAPACK `?gelqf`
    Gelqf,
    /// Symmetric product of two, BLAS `?syr2k`
    Syr2k,
    /// Hermitian product of two, BLAS `?her2k`
    Her2k,
    /// Triangular product, BLAS `?trmm`
    Trmm,
    /// Inverse of a triangle, LAPACK `?trtri`
    Trtri,
    /// Triangular solve with a vector, BLAS `?trsv`
    Trsv,
    /// Sum of matrices, cuBLAS `?geam`
    Geam,
}

impl Op {
    /// All of them.
    pub const ALL: [Op; 31] = [
        Op::Geqrf,
        Op::Orgqr,
        Op::Ormqr,
        Op::Qr,
        Op::Geqr,
        Op::Gemqr,
        Op::Gels,
        Op::GelsIterative,
        Op::Trsm,
        Op::Getrf,
        Op::GetrfNopiv,
        Op::Getrs,
        Op::Gesv,
        Op::GesvRbt,
        Op::Getri,
        Op::Inv,
        Op::Potrf,
        Op::Potrs,
        Op::Posv,
        Op::Potri,
        Op::Gemm,
        Op::Gemv,
        Op::Syrk,
        Op::Herk,
        Op::Gelqf,
        Op::Syr2k,
        Op::Her2k,
        Op::Trmm,
        Op::Trtri,
        Op::Trsv,
        Op::Geam,
    ];

    /// LAPACK's name without the precision letter.
    pub fn lapack(self) -> &'static str {
        match self {
            Op::Geqrf => "geqrf",
            Op::Orgqr => "orgqr",
            Op::Ormqr => "ormqr",
            Op::Qr => "qr",
            Op::Geqr => "geqr",
            Op::Gemqr => "gemqr",
            Op::Gels => "gels",
            Op::GelsIterative => "gels_iterative",
            Op::Trsm => "trsm",
            Op::Getrf => "getrf",
            Op::GetrfNopiv => "getrf_nopiv",
            Op::Getrs => "getrs",
            Op::Gesv => "gesv",
            Op::GesvRbt => "gesv_rbt",
            Op::Getri => "getri",
            Op::Inv => "inv",
            Op::Potrf => "potrf",
            Op::Potrs => "potrs",
            Op::Posv => "posv",
            Op::Potri => "potri",
            Op::Gemm => "gemm",
            Op::Gemv => "gemv",
            Op::Syrk => "syrk",
            Op::Herk => "herk",
            Op::Gelqf => "gelqf",
            Op::Syr2k => "syr2k",
            Op::Her2k => "her2k",
            Op::Trmm => "trmm",
            Op::Trtri => "trtri",
            Op::Trsv => "trsv",
            Op::Geam => "geam",
        }
    }

    /// The short name in the `op` column of the CSV files.
    pub fn csv(self) -> &'static str {
        match self {
            Op::Geqrf => "qr",
            Op::Qr => "qrq",
            Op::Getrf => "lu",
            Op::GetrfNopiv => "lunp",
            other => other.lapack(),
        }
    }

    /// Whether it is an LU factorisation or made of one.
    pub fn is_lu(self) -> bool {
        matches!(self, Op::Getrf | Op::GetrfNopiv | Op::Getrs | Op::Gesv | Op::GesvRbt | Op::Getri | Op::Inv)
    }

    /// Whether it is a Cholesky factorisation or made of one.
    pub fn is_cholesky(self) -> bool {
        matches!(self, Op::Potrf | Op::Potrs | Op::Posv | Op::Potri)
    }

    /// Whether it is a product.
    pub fn is_product(self) -> bool {
        matches!(self, Op::Gemm | Op::Gemv) || self.is_rank_k()
    }

    /// Whether it is a product of a matrix with itself.
    pub fn is_rank_k(self) -> bool {
        matches!(self, Op::Syrk | Op::Herk)
    }

    /// Whether it is a product of a matrix with another, of which a triangle is computed.
    pub fn is_rank_2k(self) -> bool {
        matches!(self, Op::Syr2k | Op::Her2k)
    }

    /// Whether its result is a third operand.
    fn has_third(self) -> bool {
        matches!(self, Op::Qr | Op::GelsIterative | Op::Geam) || self.is_product() || self.is_rank_2k()
    }

    /// Whether its matrices are square only, so that the order says it all.
    pub fn is_of_square(self) -> bool {
        let triangles = matches!(self, Op::Trtri | Op::Trsv) || self.is_rank_k() || self.is_rank_2k();
        matches!(self, Op::Getrs | Op::Gesv | Op::GesvRbt | Op::Getri | Op::Inv) || self.is_cholesky() || triangles
    }

    /// Whether it has right-hand sides whose number is not the shape's.
    pub fn has_right_hand_sides(self) -> bool {
        let factors = matches!(self, Op::Getrs | Op::Potrs);
        factors || matches!(self, Op::Gels | Op::GelsIterative | Op::Gesv | Op::GesvRbt | Op::Posv)
    }
}

/// A shape of the grid: rows, columns, matrices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Shape {
    pub m: usize,
    pub n: usize,
    pub batch: usize,
}

/// Which side the operator stands on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, ValueEnum)]
pub enum Side {
    #[default]
    Left,
    Right,
}

/// op(X) = X, X^T or X^H.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, ValueEnum)]
pub enum Trans {
    #[default]
    N,
    T,
    C,
}

/// Which triangle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, ValueEnum)]
pub enum Uplo {
    #[default]
    Upper,
    Lower,
}

/// Whether the diagonal is ones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, ValueEnum)]
pub enum Diag {
    #[default]
    NonUnit,
    Unit,
}

/// What an operation has beside its shape; the defaults where it has it not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Options {
    /// Right-hand sides (gels, gels_iterative, getrs, gesv, potrs, posv).
    pub nrhs: usize,
    /// Reflectors (orgqr, ormqr), or terms (gemm).
    pub k: usize,
    pub side: Side,
    pub trans: Trans,
    /// Of the second factor (gemm).
    pub trans_b: Trans,
    pub uplo: Uplo,
    pub diag: Diag,
    /// Leading dimension of B, C, Q or the inverse.
    pub ldb: usize,
    /// Leading dimension of R (explicit factors) or of a product.
    pub ldr: usize,
}

impl fmt::Display for Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Options { nrhs, k, side, trans, trans_b, uplo, diag, ldb, ldr } = self;
        write!(f, "nrhs={nrhs} k={k} {side:?} {trans:?} {uplo:?} {diag:?} ldb={ldb} ldr={ldr}")?;
        // The files of other operations were written without it.
        if *trans_b == Trans::N { Ok(()) } else { write!(f, " b={trans_b:?}") }
    }
}

/// One case: an operation in a precision on a shape with a leading dimension (>= m).
///
/// The shape is A's; for ormqr and trsm it is C's and B's, and A follows from side and k.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Case {
    pub op: Op,
    pub dtype: Dtype,
    pub shape: Shape,
    pub lda: usize,
    pub options: Options,
}

impl Case {
    /// A case with the columns packed and LAPACK's most usual options.
    pub fn packed(op: Op, dtype: Dtype, shape: Shape) -> Self {
        let k = shape.m.min(shape.n);
        let adjoint = if dtype.is_complex() { Trans::C } else { Trans::T };
        let none = Options::default();
        let options = match op {
            Op::Geqrf | Op::Qr | Op::Trsm | Op::Getrf | Op::GetrfNopiv | Op::Getri | Op::Inv | Op::Gemv => none,
            Op::Geqr | Op::Gelqf | Op::Trmm | Op::Trtri | Op::Trsv | Op::Geam => none,
            Op::Orgqr => Options { k, ..none },
            Op::Gemm | Op::Syrk | Op::Herk | Op::Syr2k | Op::Her2k => Options { k: shape.n, ..none },
            Op::Ormqr | Op::Gemqr => Options { k, trans: adjoint, ..none },
            Op::Gels | Op::GelsIterative | Op::Getrs | Op::Gesv | Op::GesvRbt => Options { nrhs: 1, ..none },
            Op::Potrf | Op::Potri => Options { uplo: Uplo::Lower, ..none },
            Op::Potrs | Op::Posv => Options { nrhs: 1, uplo: Uplo::Lower, ..none },
        };
        Case { op, dtype, shape, lda: 0, options }.with_packed_columns()
    }

    /// The same with the smallest leading dimensions.
    pub fn with_packed_columns(self) -> Self {
        let ldr = if self.op.has_third() { self.r_size().0.max(1) } else { 0 };
        let options = Options { ldb: self.b_size().0, ldr, ..self.options };
        Case { lda: self.a_size().0.max(1), options, ..self }
    }

    /// Rows and columns of A.
    pub fn a_size(&self) -> (usize, usize) {
        let Shape { m, n, .. } = self.shape;
        let order = if self.options.side == Side::Left { m } else { n };
        match self.op {
            Op::Geqrf | Op::Geqr | Op::Gelqf | Op::Orgqr | Op::Qr | Op::Getrf | Op::GetrfNopiv => (m, n),
            Op::Gels | Op::GelsIterative => (m, n),
            Op::Trtri | Op::Trsv | Op::Getrs | Op::Gesv | Op::GesvRbt | Op::Getri | Op::Inv => (n, n),
            Op::Potrf | Op::Potrs | Op::Posv | Op::Potri => (n, n),
            Op::Ormqr | Op::Gemqr => (order, self.options.k),
            Op::Trsm | Op::Trmm => (order, order),
            Op::Gemm => self.turned(self.options.trans, m, self.options.k),
            Op::Syrk | Op::Herk | Op::Syr2k | Op::Her2k => self.turned(self.options.trans, n, self.options.k),
            Op::Geam => self.turned(self.options.trans, m, n),
            Op::Gemv => (m, n),
        }
    }

    /// Rows and columns as they are stored.
    fn turned(&self, trans: Trans, rows: usize, columns: usize) -> (usize, usize) {
        if trans == Trans::N { (rows, columns) } else { (columns, rows) }
    }

    /// Rows and columns of the third operand: R, the product, or X.
    pub fn r_size(&self) -> (usize, usize) {
        let Shape { m, n, .. } = self.shape;
        match self.op {
            Op::Qr => (self.k(), n),
            Op::GelsIterative => (n, self.options.nrhs),
            Op::Gemm | Op::Geam => (m, n),
            Op::Syrk | Op::Herk | Op::Syr2k | Op::Her2k => (n, n),
            Op::Gemv => (self.turned(self.options.trans, m, n).0, 1),
            _ => (0, 0),
        }
    }

    /// Rows and columns of the second operand: B, C, Q, x, or the inverse.
    pub fn b_size(&self) -> (usize, usize) {
        let Shape { m, n, .. } = self.shape;
        match self.op {
            Op::Geqrf | Op::Gelqf | Op::Orgqr | Op::Getrf | Op::GetrfNopiv | Op::Potrf | Op::Potri => (0, 0),
            Op::Trtri | Op::Geqr => (0, 0),
            Op::Trsv => (n, 1),
            Op::Syr2k | Op::Her2k => self.a_size(),
            Op::Geam => self.turned(self.options.trans_b, m, n),
            Op::Qr => (m, m.min(n)),
            Op::Gels | Op::GelsIterative => (m.max(n), self.options.nrhs),
            Op::Getrs | Op::Gesv | Op::GesvRbt | Op::Potrs | Op::Posv => (n, self.options.nrhs),
            Op::Ormqr | Op::Gemqr | Op::Trsm | Op::Trmm | Op::Getri | Op::Inv => (m, n),
            Op::Gemm => self.turned(self.options.trans_b, self.options.k, n),
            Op::Gemv => (self.turned(self.options.trans, m, n).1, 1),
            Op::Syrk | Op::Herk => (0, 0),
        }
    }

    /// Length of tau or of the interchanges: min(m, n), or the reflectors that are told.
    pub fn k(&self) -> usize {
        match self.op {
            Op::Orgqr | Op::Ormqr | Op::Gemqr => self.options.k,
            Op::Gemm | Op::Syrk | Op::Herk | Op::Syr2k | Op::Her2k => self.options.k,
            _ => self.shape.m.min(self.shape.n),
        }
    }

    /// Elements of one matrix A in memory, padding rows included.
    pub fn matrix_elements(&self) -> usize {
        self.lda * self.a_size().1
    }
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Shape { m, n, batch } = self.shape;
        write!(f, "{}{} {m}x{n}", self.dtype.letter(), self.op.lapack())?;
        if self.op.has_right_hand_sides() {
            write!(f, "|{}", self.options.nrhs)?;
        }
        if self.op.is_product() || self.op.is_rank_2k() {
            write!(f, "x{} {:?}{:?}", self.options.k, self.options.trans, self.options.trans_b)?;
        }
        write!(f, " x {batch}")
    }
}
