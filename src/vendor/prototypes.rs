//! The prototypes of cuBLAS's and cuSOLVER's batched routines, each spelled here and nowhere else.

/// The C types of prototypes.
pub mod types {
    use std::ffi::{c_int, c_void};
    /// `cublasHandle_t` or `cusolverDnHandle_t` as it crosses the boundary.
    pub type RawHandle = *mut c_void;
    /// `int`, and the vendor's enumerations.
    pub type Int = c_int;
    /// Device array of device pointers to matrices or vectors.
    pub type Array = *const *mut c_void;
    /// Device pointer to the first matrix or vector of a strided batch.
    pub type Raw = *mut c_void;
    /// One scalar, in host or device memory by the handle's pointer mode.
    pub type Scalar = *const c_void;
    /// Integers that are written: one on the host, or one per matrix on the device.
    pub type Codes = *mut c_int;
    /// A number of bytes that is written, on the host.
    pub type Bytes = *mut usize;
    /// Row interchanges of all matrices in one device array: n integers of the first matrix, then of the second, ...
    pub type Pivots = *mut c_int;
}

/// `routine! { $ ROUTINE: NAME DTYPE SIZE; ... (ARGUMENT: TYPE, ...) }` defines a macro: `ROUTINE!(macro TOKENS)` is
/// `macro! { TOKENS (ARGUMENT: TYPE, ...) NAME DTYPE SIZE; ... }`. The arguments are those after the handle; SIZE is what
/// `Size` stands for among their types. The first `$` stands for itself in the macro that is defined.
macro_rules! routine {
    ($d:tt $routine:ident: $($name:ident $dtype:ident $size:ident;)* ($($argument:tt)*)) => {
        /// The names and the arguments of a routine, handed to another macro.
        #[macro_export]
        macro_rules! $routine {
            ($d to:ident $d($d tokens:tt)*) => { $d to! { $d($d tokens)* ($($argument)*) $($name $dtype $size;)* } };
        }
    };
}

routine! {
    $ geqrf_batched:
    cublasSgeqrfBatched S Int;
    cublasDgeqrfBatched D Int;
    cublasCgeqrfBatched C Int;
    cublasZgeqrfBatched Z Int;
    (
        /// Rows.
        m: Int,
        /// Columns.
        n: Int,
        /// The matrices.
        a: Array,
        /// Leading dimension.
        lda: Int,
        /// The scalar factors.
        tau: Array,
        /// Host integer: 0, or -i for the i-th argument.
        info: Codes,
        /// Number of matrices.
        batch: Int,
    )
}

routine! {
    $ gels_batched:
    cublasSgelsBatched S Int;
    cublasDgelsBatched D Int;
    cublasCgelsBatched C Int;
    cublasZgelsBatched Z Int;
    (
        /// `cublasOperation_t`
        trans: Int,
        /// Rows of A and C.
        m: Int,
        /// Columns of A.
        n: Int,
        /// Columns of C.
        nrhs: Int,
        /// The matrices.
        a: Array,
        /// Leading dimension.
        lda: Int,
        /// The right-hand sides.
        c: Array,
        /// Leading dimension.
        ldc: Int,
        /// Host integer: 0, or -i for the i-th argument.
        info: Codes,
        /// Device array, one code per matrix; may be NULL.
        dev_info: Codes,
        /// Number of matrices.
        batch: Int,
    )
}

routine! {
    $ trsm_batched:
    cublasStrsmBatched S Int;
    cublasDtrsmBatched D Int;
    cublasCtrsmBatched C Int;
    cublasZtrsmBatched Z Int;
    cublasStrsmBatched_64 S i64;
    cublasDtrsmBatched_64 D i64;
    cublasCtrsmBatched_64 C i64;
    cublasZtrsmBatched_64 Z i64;
    (
        /// `cublasSideMode_t`
        side: Int,
        /// `cublasFillMode_t`
        uplo: Int,
        /// `cublasOperation_t`
        trans: Int,
        /// `cublasDiagType_t`
        diag: Int,
        /// Rows of B.
        m: Size,
        /// Columns of B.
        n: Size,
        /// The factor.
        alpha: Scalar,
        /// The triangles.
        a: Array,
        /// Leading dimension.
        lda: Size,
        /// The right-hand sides.
        b: Array,
        /// Leading dimension.
        ldb: Size,
        /// Number of matrices.
        batch: Size,
    )
}

routine! {
    $ getrf_batched:
    cublasSgetrfBatched S Int;
    cublasDgetrfBatched D Int;
    cublasCgetrfBatched C Int;
    cublasZgetrfBatched Z Int;
    (
        /// Order.
        n: Int,
        /// The matrices.
        a: Array,
        /// Leading dimension.
        lda: Int,
        /// Receives the row interchanges; NULL: there are none.
        pivots: Pivots,
        /// Device array, one code per matrix.
        dev_info: Codes,
        /// Number of matrices.
        batch: Int,
    )
}

routine! {
    $ getrs_batched:
    cublasSgetrsBatched S Int;
    cublasDgetrsBatched D Int;
    cublasCgetrsBatched C Int;
    cublasZgetrsBatched Z Int;
    (
        /// `cublasOperation_t`
        trans: Int,
        /// Order of A.
        n: Int,
        /// Columns of B.
        nrhs: Int,
        /// The factors.
        a: Array,
        /// Leading dimension.
        lda: Int,
        /// The row interchanges; NULL: there are none.
        pivots: Pivots,
        /// The right-hand sides.
        b: Array,
        /// Leading dimension.
        ldb: Int,
        /// Host integer: 0, or -i for the i-th argument.
        info: Codes,
        /// Number of matrices.
        batch: Int,
    )
}

routine! {
    $ getri_batched:
    cublasSgetriBatched S Int;
    cublasDgetriBatched D Int;
    cublasCgetriBatched C Int;
    cublasZgetriBatched Z Int;
    (
        /// Order.
        n: Int,
        /// The factors.
        a: Array,
        /// Leading dimension.
        lda: Int,
        /// The row interchanges; NULL: there are none.
        pivots: Pivots,
        /// Receives the inverses.
        c: Array,
        /// Leading dimension.
        ldc: Int,
        /// Device array, one code per matrix.
        dev_info: Codes,
        /// Number of matrices.
        batch: Int,
    )
}

routine! {
    $ matinv_batched:
    cublasSmatinvBatched S Int;
    cublasDmatinvBatched D Int;
    cublasCmatinvBatched C Int;
    cublasZmatinvBatched Z Int;
    (
        /// Order.
        n: Int,
        /// The matrices.
        a: Array,
        /// Leading dimension.
        lda: Int,
        /// Receives the inverses.
        c: Array,
        /// Leading dimension.
        ldc: Int,
        /// Device array, one code per matrix.
        dev_info: Codes,
        /// Number of matrices.
        batch: Int,
    )
}

routine! {
    $ gemm_batched:
    cublasSgemmBatched S Int;
    cublasDgemmBatched D Int;
    cublasCgemmBatched C Int;
    cublasZgemmBatched Z Int;
    cublasSgemmBatched_64 S i64;
    cublasDgemmBatched_64 D i64;
    cublasCgemmBatched_64 C i64;
    cublasZgemmBatched_64 Z i64;
    (
        /// `cublasOperation_t` of A
        trans_a: Int,
        /// `cublasOperation_t` of B
        trans_b: Int,
        /// Rows of C.
        m: Size,
        /// Columns of C.
        n: Size,
        /// Terms.
        k: Size,
        /// The factor of the product.
        alpha: Scalar,
        /// The left factors.
        a: Array,
        /// Leading dimension.
        lda: Size,
        /// The right factors.
        b: Array,
        /// Leading dimension.
        ldb: Size,
        /// The factor of C.
        beta: Scalar,
        /// The results.
        c: Array,
        /// Leading dimension.
        ldc: Size,
        /// Number of matrices.
        batch: Size,
    )
}

routine! {
    $ gemm_strided_batched:
    cublasSgemmStridedBatched S Int;
    cublasDgemmStridedBatched D Int;
    cublasCgemmStridedBatched C Int;
    cublasZgemmStridedBatched Z Int;
    cublasSgemmStridedBatched_64 S i64;
    cublasDgemmStridedBatched_64 D i64;
    cublasCgemmStridedBatched_64 C i64;
    cublasZgemmStridedBatched_64 Z i64;
    (
        /// `cublasOperation_t` of A
        trans_a: Int,
        /// `cublasOperation_t` of B
        trans_b: Int,
        /// Rows of C.
        m: Size,
        /// Columns of C.
        n: Size,
        /// Terms.
        k: Size,
        /// The factor of the product.
        alpha: Scalar,
        /// The first left factor.
        a: Raw,
        /// Leading dimension.
        lda: Size,
        /// Elements to the next.
        stride_a: i64,
        /// The first right factor.
        b: Raw,
        /// Leading dimension.
        ldb: Size,
        /// Elements to the next.
        stride_b: i64,
        /// The factor of C.
        beta: Scalar,
        /// The first result.
        c: Raw,
        /// Leading dimension.
        ldc: Size,
        /// Elements to the next.
        stride_c: i64,
        /// Number of matrices.
        batch: Size,
    )
}

routine! {
    $ gemv_batched:
    cublasSgemvBatched S Int;
    cublasDgemvBatched D Int;
    cublasCgemvBatched C Int;
    cublasZgemvBatched Z Int;
    cublasSgemvBatched_64 S i64;
    cublasDgemvBatched_64 D i64;
    cublasCgemvBatched_64 C i64;
    cublasZgemvBatched_64 Z i64;
    (
        /// `cublasOperation_t`
        trans: Int,
        /// Rows of A.
        m: Size,
        /// Columns of A.
        n: Size,
        /// The factor of the product.
        alpha: Scalar,
        /// The matrices.
        a: Array,
        /// Leading dimension.
        lda: Size,
        /// The vectors.
        x: Array,
        /// Elements to the next.
        incx: Size,
        /// The factor of y.
        beta: Scalar,
        /// The results.
        y: Array,
        /// Elements to the next.
        incy: Size,
        /// Number of matrices.
        batch: Size,
    )
}

routine! {
    $ gemv_strided_batched:
    cublasSgemvStridedBatched S Int;
    cublasDgemvStridedBatched D Int;
    cublasCgemvStridedBatched C Int;
    cublasZgemvStridedBatched Z Int;
    cublasSgemvStridedBatched_64 S i64;
    cublasDgemvStridedBatched_64 D i64;
    cublasCgemvStridedBatched_64 C i64;
    cublasZgemvStridedBatched_64 Z i64;
    (
        /// `cublasOperation_t`
        trans: Int,
        /// Rows of A.
        m: Size,
        /// Columns of A.
        n: Size,
        /// The factor of the product.
        alpha: Scalar,
        /// The first matrix.
        a: Raw,
        /// Leading dimension.
        lda: Size,
        /// Elements to the next matrix.
        stride_a: i64,
        /// The first vector.
        x: Raw,
        /// Elements to the next.
        incx: Size,
        /// Elements to the next vector.
        stride_x: i64,
        /// The factor of y.
        beta: Scalar,
        /// The first result.
        y: Raw,
        /// Elements to the next.
        incy: Size,
        /// Elements to the next result.
        stride_y: i64,
        /// Number of matrices.
        batch: Size,
    )
}

// The types are arguments, the letter says nothing.
routine! {
    $ gemm_batched_ex:
    cublasGemmBatchedEx S Int;
    cublasGemmBatchedEx_64 S i64;
    (
        /// `cublasOperation_t` of A
        trans_a: Int,
        /// `cublasOperation_t` of B
        trans_b: Int,
        /// Rows of C.
        m: Size,
        /// Columns of C.
        n: Size,
        /// Terms.
        k: Size,
        /// The factor of the product.
        alpha: Scalar,
        /// The left factors.
        a: Array,
        /// `cudaDataType`
        type_a: Int,
        /// Leading dimension.
        lda: Size,
        /// The right factors.
        b: Array,
        /// `cudaDataType`
        type_b: Int,
        /// Leading dimension.
        ldb: Size,
        /// The factor of C.
        beta: Scalar,
        /// The results.
        c: Array,
        /// `cudaDataType`
        type_c: Int,
        /// Leading dimension.
        ldc: Size,
        /// Number of matrices.
        batch: Size,
        /// `cublasComputeType_t`
        compute: Int,
        /// `cublasGemmAlgo_t`, a hint
        algorithm: Int,
    )
}

routine! {
    $ gemm_strided_batched_ex:
    cublasGemmStridedBatchedEx S Int;
    cublasGemmStridedBatchedEx_64 S i64;
    (
        /// `cublasOperation_t` of A
        trans_a: Int,
        /// `cublasOperation_t` of B
        trans_b: Int,
        /// Rows of C.
        m: Size,
        /// Columns of C.
        n: Size,
        /// Terms.
        k: Size,
        /// The factor of the product.
        alpha: Scalar,
        /// The first left factor.
        a: Raw,
        /// `cudaDataType`
        type_a: Int,
        /// Leading dimension.
        lda: Size,
        /// Elements to the next.
        stride_a: i64,
        /// The first right factor.
        b: Raw,
        /// `cudaDataType`
        type_b: Int,
        /// Leading dimension.
        ldb: Size,
        /// Elements to the next.
        stride_b: i64,
        /// The factor of C.
        beta: Scalar,
        /// The first result.
        c: Raw,
        /// `cudaDataType`
        type_c: Int,
        /// Leading dimension.
        ldc: Size,
        /// Elements to the next.
        stride_c: i64,
        /// Number of matrices.
        batch: Size,
        /// `cublasComputeType_t`
        compute: Int,
        /// `cublasGemmAlgo_t`, a hint
        algorithm: Int,
    )
}

routine! {
    $ cusolver_potrf_batched:
    cusolverDnSpotrfBatched S Int;
    cusolverDnDpotrfBatched D Int;
    cusolverDnCpotrfBatched C Int;
    cusolverDnZpotrfBatched Z Int;
    (
        /// `cublasFillMode_t`
        uplo: Int,
        /// Order.
        n: Int,
        /// The matrices.
        a: Array,
        /// Leading dimension.
        lda: Int,
        /// Device array, one code per matrix.
        dev_info: Codes,
        /// Number of matrices.
        batch: Int,
    )
}

routine! {
    $ cusolver_potrs_batched:
    cusolverDnSpotrsBatched S Int;
    cusolverDnDpotrsBatched D Int;
    cusolverDnCpotrsBatched C Int;
    cusolverDnZpotrsBatched Z Int;
    (
        /// `cublasFillMode_t`
        uplo: Int,
        /// Order of A.
        n: Int,
        /// Columns of B.
        nrhs: Int,
        /// The factors.
        a: Array,
        /// Leading dimension.
        lda: Int,
        /// The right-hand sides.
        b: Array,
        /// Leading dimension.
        ldb: Int,
        /// One device integer: 0, or the number of a bad argument.
        dev_info: Codes,
        /// Number of matrices.
        batch: Int,
    )
}

routine! {
    $ cusolver_geqrf_buffer_size:
    cusolverDnSgeqrf_bufferSize S Int;
    cusolverDnDgeqrf_bufferSize D Int;
    cusolverDnCgeqrf_bufferSize C Int;
    cusolverDnZgeqrf_bufferSize Z Int;
    (
        /// Rows.
        m: Int,
        /// Columns.
        n: Int,
        /// The matrix.
        a: Raw,
        /// Leading dimension.
        lda: Int,
        /// Host integer: receives the elements of the buffer.
        lwork: Codes,
    )
}

routine! {
    $ cusolver_geqrf:
    cusolverDnSgeqrf S Int;
    cusolverDnDgeqrf D Int;
    cusolverDnCgeqrf C Int;
    cusolverDnZgeqrf Z Int;
    (
        /// Rows.
        m: Int,
        /// Columns.
        n: Int,
        /// The matrix.
        a: Raw,
        /// Leading dimension.
        lda: Int,
        /// The scalar factors.
        tau: Raw,
        /// The buffer.
        work: Raw,
        /// Its elements.
        lwork: Int,
        /// One device integer: 0, or -i for the i-th argument after the handle.
        dev_info: Codes,
    )
}

// The types are arguments, the letter says nothing.
routine! {
    $ cusolver_x_geqrf_buffer_size:
    cusolverDnXgeqrf_bufferSize S Int;
    (
        /// `cusolverDnParams_t`
        params: Raw,
        /// Rows.
        m: i64,
        /// Columns.
        n: i64,
        /// `cudaDataType` of the matrix
        type_a: Int,
        /// The matrix.
        a: Raw,
        /// Leading dimension.
        lda: i64,
        /// `cudaDataType` of the scalar factors
        type_tau: Int,
        /// The scalar factors.
        tau: Raw,
        /// `cudaDataType` of the computation
        compute: Int,
        /// Host integer: receives the bytes of the buffer on the device.
        device_bytes: Bytes,
        /// Host integer: receives the bytes of the buffer on the host.
        host_bytes: Bytes,
    )
}

routine! {
    $ cusolver_x_geqrf:
    cusolverDnXgeqrf S Int;
    (
        /// `cusolverDnParams_t`
        params: Raw,
        /// Rows.
        m: i64,
        /// Columns.
        n: i64,
        /// `cudaDataType` of the matrix
        type_a: Int,
        /// The matrix.
        a: Raw,
        /// Leading dimension.
        lda: i64,
        /// `cudaDataType` of the scalar factors
        type_tau: Int,
        /// The scalar factors.
        tau: Raw,
        /// `cudaDataType` of the computation
        compute: Int,
        /// The buffer on the device.
        work: Raw,
        /// Its bytes.
        device_bytes: usize,
        /// The buffer on the host.
        host_work: Raw,
        /// Its bytes.
        host_bytes: usize,
        /// One device integer: 0, or -i for the i-th argument after the handle.
        dev_info: Codes,
    )
}

routine! {
    $ cusolver_orgqr_buffer_size:
    cusolverDnSorgqr_bufferSize S Int;
    cusolverDnDorgqr_bufferSize D Int;
    cusolverDnCungqr_bufferSize C Int;
    cusolverDnZungqr_bufferSize Z Int;
    (
        /// Rows of Q.
        m: Int,
        /// Columns of Q.
        n: Int,
        /// Reflectors.
        k: Int,
        /// The reflectors.
        a: Raw,
        /// Leading dimension.
        lda: Int,
        /// The scalar factors.
        tau: Raw,
        /// Host integer: receives the elements of the buffer.
        lwork: Codes,
    )
}

routine! {
    $ cusolver_orgqr:
    cusolverDnSorgqr S Int;
    cusolverDnDorgqr D Int;
    cusolverDnCungqr C Int;
    cusolverDnZungqr Z Int;
    (
        /// Rows of Q.
        m: Int,
        /// Columns of Q.
        n: Int,
        /// Reflectors.
        k: Int,
        /// The reflectors, replaced by Q.
        a: Raw,
        /// Leading dimension.
        lda: Int,
        /// The scalar factors.
        tau: Raw,
        /// The buffer.
        work: Raw,
        /// Its elements.
        lwork: Int,
        /// One device integer: 0, or -i for the i-th argument after the handle.
        dev_info: Codes,
    )
}

routine! {
    $ cusolver_ormqr_buffer_size:
    cusolverDnSormqr_bufferSize S Int;
    cusolverDnDormqr_bufferSize D Int;
    cusolverDnCunmqr_bufferSize C Int;
    cusolverDnZunmqr_bufferSize Z Int;
    (
        /// `cublasSideMode_t`
        side: Int,
        /// `cublasOperation_t`
        trans: Int,
        /// Rows of C.
        m: Int,
        /// Columns of C.
        n: Int,
        /// Reflectors.
        k: Int,
        /// The reflectors.
        a: Raw,
        /// Leading dimension.
        lda: Int,
        /// The scalar factors.
        tau: Raw,
        /// What Q is applied to.
        c: Raw,
        /// Leading dimension.
        ldc: Int,
        /// Host integer: receives the elements of the buffer.
        lwork: Codes,
    )
}

routine! {
    $ cusolver_ormqr:
    cusolverDnSormqr S Int;
    cusolverDnDormqr D Int;
    cusolverDnCunmqr C Int;
    cusolverDnZunmqr Z Int;
    (
        /// `cublasSideMode_t`
        side: Int,
        /// `cublasOperation_t`
        trans: Int,
        /// Rows of C.
        m: Int,
        /// Columns of C.
        n: Int,
        /// Reflectors.
        k: Int,
        /// The reflectors.
        a: Raw,
        /// Leading dimension.
        lda: Int,
        /// The scalar factors.
        tau: Raw,
        /// What Q is applied to.
        c: Raw,
        /// Leading dimension.
        ldc: Int,
        /// The buffer.
        work: Raw,
        /// Its elements.
        lwork: Int,
        /// One device integer: 0, or -i for the i-th argument after the handle.
        dev_info: Codes,
    )
}

routine! {
    $ geam:
    cublasSgeam S Int;
    cublasDgeam D Int;
    cublasCgeam C Int;
    cublasZgeam Z Int;
    cublasSgeam_64 S i64;
    cublasDgeam_64 D i64;
    cublasCgeam_64 C i64;
    cublasZgeam_64 Z i64;
    (
        /// `cublasOperation_t`, of A
        trans_a: Int,
        /// `cublasOperation_t`, of B
        trans_b: Int,
        /// Rows of C.
        m: Size,
        /// Columns of C.
        n: Size,
        /// The factor of A.
        alpha: Scalar,
        /// A.
        a: Raw,
        /// Leading dimension.
        lda: Size,
        /// The factor of B.
        beta: Scalar,
        /// B.
        b: Raw,
        /// Leading dimension.
        ldb: Size,
        /// Receives the sum.
        c: Raw,
        /// Leading dimension.
        ldc: Size,
    )
}

routine! {
    $ dgmm:
    cublasSdgmm S Int;
    cublasDdgmm D Int;
    cublasCdgmm C Int;
    cublasZdgmm Z Int;
    cublasSdgmm_64 S i64;
    cublasDdgmm_64 D i64;
    cublasCdgmm_64 C i64;
    cublasZdgmm_64 Z i64;
    (
        /// `cublasSideMode_t`
        side: Int,
        /// Rows.
        m: Size,
        /// Columns.
        n: Size,
        /// A.
        a: Raw,
        /// Leading dimension.
        lda: Size,
        /// The diagonal.
        x: Raw,
        /// From one of its elements to the next.
        incx: Size,
        /// Receives the product.
        c: Raw,
        /// Leading dimension.
        ldc: Size,
    )
}
