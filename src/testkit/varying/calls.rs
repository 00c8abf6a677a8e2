//! The native functions for members with sizes of their own: each with its arguments, by the words of
//! [`Scene`](super::scene::Scene), or of [`vectors::Scene`](super::vectors::Scene) where they have `vectors`.

/// A function's name, its arguments, and whether it returns a code.
pub type Form = (&'static str, &'static str, bool);

/// A constant of a routine: its function's name follows from the routine's.
macro_rules! native {
    ($($NAME:ident: $routine:literal, $words:literal;)*) => { $(
        #[doc = concat!("`tephra_?", $routine, "_vbatched`")]
        pub const $NAME: Form = (concat!("tephra_?", $routine, "_vbatched"), $words, true);
    )* };
}

native! {
    GEQRF: "geqrf", "max_m max_n m n A lda vectors info batch 0 0 stream";
    GELQF: "gelqf", "max_m max_n m n A lda tau info batch work work_bytes stream";
    GEQP3: "geqp3", "max_m max_n m n A lda jpvt tau info batch work work_bytes stream";
    ORGQR: "orgqr", "max_m max_n max_k m n k A lda tau info batch stream";
    ORMQR: "ormqr", "side trans max_m max_n max_k m n k A lda tau C ldc info batch stream";
    GELS: "gels", "max_m max_n max_nrhs trans m n nrhs A lda B ldb info batch work work_bytes stream";
    GETRF: "getrf", "max_m max_n m n A lda vectors info batch 0 0 stream";
    GETRF_NOPIV: "getrf_nopiv", "max_m max_n m n A lda info batch 0 0 stream";
    GETRS: "getrs", "max_n max_nrhs trans n nrhs A lda ipiv B ldb info batch work work_bytes stream";
    GESV: "gesv", "max_n max_nrhs n nrhs A lda ipiv B ldb info batch work work_bytes stream";
    GETRI: "getri", "max_n n A lda ipiv C ldc info batch work work_bytes stream";
    LASWP: "laswp", "max_n max_k2 n A lda k1 k2 ipiv incx batch stream";
    POTRF: "potrf", "max_n uplo n A lda info batch 0 0 stream";
    POTRS: "potrs", "max_n max_nrhs uplo n nrhs A lda B ldb info batch work work_bytes stream";
    POSV: "posv", "max_n max_nrhs uplo n nrhs A lda B ldb info batch work work_bytes stream";
    POTRI: "potri", "max_n uplo n A lda info batch work work_bytes stream";
    GEMM: "gemm", "max_m max_n max_k trans_a trans_b m n k alpha A lda B ldb beta C ldc batch stream";
    GEMV: "gemv", "max_m max_n trans m n alpha A lda X incx beta Y incy batch stream";
    SYMM: "symm", "max_m max_n side uplo m n alpha A lda B ldb beta C ldc batch stream";
    SYRK: "syrk", "max_n max_k uplo trans n k alpha A lda beta C ldc batch stream";
    HERK: "herk", "max_n max_k uplo trans n k alpha A lda beta C ldc batch stream";
    SYR2K: "syr2k", "max_n max_k uplo trans n k alpha A lda B ldb beta C ldc batch stream";
    HER2K: "her2k", "max_n max_k uplo trans n k alpha A lda B ldb beta C ldc batch stream";
    TRMM: "trmm", "max_m max_n side uplo trans diag m n alpha A lda B ldb batch stream";
    TRSM: "trsm", "max_m max_n side uplo trans diag m n alpha A lda B ldb batch stream";
    TRSV: "trsv", "max_n uplo trans diag n A lda X incx batch stream";
}
