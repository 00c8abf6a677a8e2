//! The prototypes of cuBLAS.

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
        /// Receives the row interchanges; NULL for LU without pivoting.
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
        /// The row interchanges, or NULL if there are none.
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
        /// The row interchanges, or NULL if there are none.
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
        /// Stride, in elements.
        stride_a: i64,
        /// The first right factor.
        b: Raw,
        /// Leading dimension.
        ldb: Size,
        /// Stride, in elements.
        stride_b: i64,
        /// The factor of C.
        beta: Scalar,
        /// The first result.
        c: Raw,
        /// Leading dimension.
        ldc: Size,
        /// Stride, in elements.
        stride_c: i64,
        /// Number of matrices.
        batch: Size,
    )
}

routine! {
    $ gemm_grouped_batched:
    cublasSgemmGroupedBatched S Int;
    cublasDgemmGroupedBatched D Int;
    cublasSgemmGroupedBatched_64 S i64;
    cublasDgemmGroupedBatched_64 D i64;
    (
        /// `cublasOperation_t` of A; this and all other arrays except those of the matrices are in host memory, with
        /// one element per group
        trans_a: *const Int,
        /// `cublasOperation_t` of B
        trans_b: *const Int,
        /// Rows of C.
        m: *const Size,
        /// Columns of C.
        n: *const Size,
        /// Terms.
        k: *const Size,
        /// The factors of the products.
        alpha: Scalar,
        /// The left factors, of all groups.
        a: Array,
        /// Leading dimensions.
        lda: *const Size,
        /// The right factors, likewise.
        b: Array,
        /// Leading dimensions.
        ldb: *const Size,
        /// The factors of C.
        beta: Scalar,
        /// The results, likewise.
        c: Array,
        /// Leading dimensions.
        ldc: *const Size,
        /// Number of groups.
        count: Size,
        /// Number of matrices of each group.
        members: *const Size,
    )
}

routine! {
    $ gemm_grouped_batched_ex:
    cublasGemmGroupedBatchedEx S Int;
    cublasGemmGroupedBatchedEx_64 S i64;
    (
        /// `cublasOperation_t` of A; this and all other arrays except those of the matrices are in host memory, with
        /// one element per group
        trans_a: *const Int,
        /// `cublasOperation_t` of B
        trans_b: *const Int,
        /// Rows of C.
        m: *const Size,
        /// Columns of C.
        n: *const Size,
        /// Terms.
        k: *const Size,
        /// The factors of the products.
        alpha: Scalar,
        /// The left factors, of all groups.
        a: Array,
        /// `cudaDataType`
        type_a: Int,
        /// Leading dimensions.
        lda: *const Size,
        /// The right factors, likewise.
        b: Array,
        /// `cudaDataType`
        type_b: Int,
        /// Leading dimensions.
        ldb: *const Size,
        /// The factors of C.
        beta: Scalar,
        /// The results, likewise.
        c: Array,
        /// `cudaDataType`
        type_c: Int,
        /// Leading dimensions.
        ldc: *const Size,
        /// Number of groups.
        count: Size,
        /// Number of matrices of each group.
        members: *const Size,
        /// `cublasComputeType_t`
        compute: Int,
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
        /// Stride, in elements.
        incx: Size,
        /// The factor of y.
        beta: Scalar,
        /// The results.
        y: Array,
        /// Stride, in elements.
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
        /// Stride of the matrices, in elements.
        stride_a: i64,
        /// The first vector.
        x: Raw,
        /// Stride, in elements.
        incx: Size,
        /// Stride of the vectors, in elements.
        stride_x: i64,
        /// The factor of y.
        beta: Scalar,
        /// The first result.
        y: Raw,
        /// Stride, in elements.
        incy: Size,
        /// Stride of the results, in elements.
        stride_y: i64,
        /// Number of matrices.
        batch: Size,
    )
}

// The types are arguments; the type letter is not used.

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
        /// Stride, in elements.
        stride_a: i64,
        /// The first right factor.
        b: Raw,
        /// `cudaDataType`
        type_b: Int,
        /// Leading dimension.
        ldb: Size,
        /// Stride, in elements.
        stride_b: i64,
        /// The factor of C.
        beta: Scalar,
        /// The first result.
        c: Raw,
        /// `cudaDataType`
        type_c: Int,
        /// Leading dimension.
        ldc: Size,
        /// Stride, in elements.
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
        /// Its increment.
        incx: Size,
        /// Receives the product.
        c: Raw,
        /// Leading dimension.
        ldc: Size,
    )
}
