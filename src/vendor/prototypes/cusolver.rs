//! The prototypes of cuSOLVER.

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
        /// Its size in elements.
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
        /// Its size in bytes.
        device_bytes: usize,
        /// The buffer on the host.
        host_work: Raw,
        /// Its size in bytes.
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
        /// Its size in elements.
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
        /// The matrix that Q is applied to.
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
        /// The matrix that Q is applied to.
        c: Raw,
        /// Leading dimension.
        ldc: Int,
        /// The buffer.
        work: Raw,
        /// Its size in elements.
        lwork: Int,
        /// One device integer: 0, or -i for the i-th argument after the handle.
        dev_info: Codes,
    )
}

routine! {
    $ cusolver_potrf_buffer_size:
    cusolverDnSpotrf_bufferSize S Int;
    cusolverDnDpotrf_bufferSize D Int;
    cusolverDnCpotrf_bufferSize C Int;
    cusolverDnZpotrf_bufferSize Z Int;
    (
        /// `cublasFillMode_t`
        uplo: Int,
        /// Order.
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
    $ cusolver_potrf:
    cusolverDnSpotrf S Int;
    cusolverDnDpotrf D Int;
    cusolverDnCpotrf C Int;
    cusolverDnZpotrf Z Int;
    (
        /// `cublasFillMode_t`
        uplo: Int,
        /// Order.
        n: Int,
        /// The matrix.
        a: Raw,
        /// Leading dimension.
        lda: Int,
        /// The buffer.
        work: Raw,
        /// Its size in elements.
        lwork: Int,
        /// One device integer: 0, the order of the first minor that is not positive definite, or -i for the i-th argument after
        /// the handle.
        dev_info: Codes,
    )
}

routine! {
    $ cusolver_potrs:
    cusolverDnSpotrs S Int;
    cusolverDnDpotrs D Int;
    cusolverDnCpotrs C Int;
    cusolverDnZpotrs Z Int;
    (
        /// `cublasFillMode_t`
        uplo: Int,
        /// Order of A.
        n: Int,
        /// Columns of B.
        nrhs: Int,
        /// The factor.
        a: Raw,
        /// Leading dimension.
        lda: Int,
        /// The right-hand sides.
        b: Raw,
        /// Leading dimension.
        ldb: Int,
        /// One device integer: 0, or -i for the i-th argument after the handle.
        dev_info: Codes,
    )
}

routine! {
    $ cusolver_getrf_buffer_size:
    cusolverDnSgetrf_bufferSize S Int;
    cusolverDnDgetrf_bufferSize D Int;
    cusolverDnCgetrf_bufferSize C Int;
    cusolverDnZgetrf_bufferSize Z Int;
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
    $ cusolver_getrf:
    cusolverDnSgetrf S Int;
    cusolverDnDgetrf D Int;
    cusolverDnCgetrf C Int;
    cusolverDnZgetrf Z Int;
    (
        /// Rows.
        m: Int,
        /// Columns.
        n: Int,
        /// The matrix.
        a: Raw,
        /// Leading dimension.
        lda: Int,
        /// The buffer.
        work: Raw,
        /// min(m, n) device integers, or NULL for LU without pivoting.
        ipiv: Codes,
        /// One device integer: 0, i where U(i, i) is exactly 0, or -i for the i-th argument after the handle.
        dev_info: Codes,
    )
}

routine! {
    $ cusolver_getrs:
    cusolverDnSgetrs S Int;
    cusolverDnDgetrs D Int;
    cusolverDnCgetrs C Int;
    cusolverDnZgetrs Z Int;
    (
        /// `cublasOperation_t`
        trans: Int,
        /// Order of A.
        n: Int,
        /// Columns of B.
        nrhs: Int,
        /// The factors.
        a: Raw,
        /// Leading dimension.
        lda: Int,
        /// The interchanges, or NULL if there are none.
        ipiv: Codes,
        /// The right-hand sides.
        b: Raw,
        /// Leading dimension.
        ldb: Int,
        /// One device integer: 0, or -i for the i-th argument after the handle.
        dev_info: Codes,
    )
}

routine! {
    $ cusolver_x_potrf_buffer_size:
    cusolverDnXpotrf_bufferSize S Int;
    (
        /// `cusolverDnParams_t`
        params: Raw,
        /// `cublasFillMode_t`
        uplo: Int,
        /// Order.
        n: i64,
        /// `cudaDataType` of the matrix
        type_a: Int,
        /// The matrix.
        a: Raw,
        /// Leading dimension.
        lda: i64,
        /// `cudaDataType` of the computation
        compute: Int,
        /// Host integer: receives the bytes of the buffer on the device.
        device_bytes: Bytes,
        /// Host integer: receives the bytes of the buffer on the host.
        host_bytes: Bytes,
    )
}

routine! {
    $ cusolver_x_potrf:
    cusolverDnXpotrf S Int;
    (
        /// `cusolverDnParams_t`
        params: Raw,
        /// `cublasFillMode_t`
        uplo: Int,
        /// Order.
        n: i64,
        /// `cudaDataType` of the matrix
        type_a: Int,
        /// The matrix.
        a: Raw,
        /// Leading dimension.
        lda: i64,
        /// `cudaDataType` of the computation
        compute: Int,
        /// The buffer on the device.
        work: Raw,
        /// Its size in bytes.
        device_bytes: usize,
        /// The buffer on the host.
        host_work: Raw,
        /// Its size in bytes.
        host_bytes: usize,
        /// One device integer, as for `potrf`.
        dev_info: Codes,
    )
}

routine! {
    $ cusolver_x_potrs:
    cusolverDnXpotrs S Int;
    (
        /// `cusolverDnParams_t`
        params: Raw,
        /// `cublasFillMode_t`
        uplo: Int,
        /// Order of A.
        n: i64,
        /// Columns of B.
        nrhs: i64,
        /// `cudaDataType` of the factor
        type_a: Int,
        /// The factor.
        a: Raw,
        /// Leading dimension.
        lda: i64,
        /// `cudaDataType` of the right-hand sides
        type_b: Int,
        /// The right-hand sides.
        b: Raw,
        /// Leading dimension.
        ldb: i64,
        /// One device integer, as for `potrs`.
        dev_info: Codes,
    )
}

routine! {
    $ cusolver_x_getrf_buffer_size:
    cusolverDnXgetrf_bufferSize S Int;
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
        /// `cudaDataType` of the computation
        compute: Int,
        /// Host integer: receives the bytes of the buffer on the device.
        device_bytes: Bytes,
        /// Host integer: receives the bytes of the buffer on the host.
        host_bytes: Bytes,
    )
}

routine! {
    $ cusolver_x_getrf:
    cusolverDnXgetrf S Int;
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
        /// min(m, n) 64-bit device integers, or NULL for LU without pivoting.
        ipiv: Raw,
        /// `cudaDataType` of the computation
        compute: Int,
        /// The buffer on the device.
        work: Raw,
        /// Its size in bytes.
        device_bytes: usize,
        /// The buffer on the host.
        host_work: Raw,
        /// Its size in bytes.
        host_bytes: usize,
        /// One device integer, as for `getrf`.
        dev_info: Codes,
    )
}

routine! {
    $ cusolver_x_getrs:
    cusolverDnXgetrs S Int;
    (
        /// `cusolverDnParams_t`
        params: Raw,
        /// `cublasOperation_t`
        trans: Int,
        /// Order of A.
        n: i64,
        /// Columns of B.
        nrhs: i64,
        /// `cudaDataType` of the factors
        type_a: Int,
        /// The factors.
        a: Raw,
        /// Leading dimension.
        lda: i64,
        /// The interchanges, 64-bit, or NULL if there are none.
        ipiv: Raw,
        /// `cudaDataType` of the right-hand sides
        type_b: Int,
        /// The right-hand sides.
        b: Raw,
        /// Leading dimension.
        ldb: i64,
        /// One device integer, as for `getrs`.
        dev_info: Codes,
    )
}
