! Fortran interfaces of Tephra: bind(C) declarations and constants, no code.
!
! Compile this file with your program and link with -ltephra. The names under "cuBLAS" and "MAGMA" are the vendors' own:
! an object compiled from this file links just as well with their libraries. Generic names over the four precisions
! are in tephra_generic.f90.
!
! Addresses in the backend's memory space (device memory under CUDA, host memory on the CPU backend) are type(c_ptr)
! by value; so are arrays of such addresses. Letters s, d, c, z stand for real(4), real(8), complex(4), complex(8).
module tephra
    use, intrinsic :: iso_c_binding
    implicit none
    public

    ! ---- Constants

    ! tephra_status; negative values -i: argument i is out of range.
    integer(c_int), parameter :: TEPHRA_STATUS_SUCCESS = 0, TEPHRA_STATUS_NOT_SUPPORTED = 1, TEPHRA_STATUS_NO_DEVICE = 2, &
        TEPHRA_STATUS_OUT_OF_MEMORY = 3, TEPHRA_STATUS_DRIVER_ERROR = 4, TEPHRA_STATUS_INTERNAL_ERROR = 5
    integer(c_int), parameter :: TEPHRA_BACKEND_CPU = 1, TEPHRA_BACKEND_CUDA = 2
    integer(c_int), parameter :: TEPHRA_MATH_FP32 = 1, TEPHRA_MATH_TF32 = 2
    integer(c_int), parameter :: TEPHRA_SIDE_LEFT = 141, TEPHRA_SIDE_RIGHT = 142
    integer(c_int), parameter :: TEPHRA_TRANS_N = 111, TEPHRA_TRANS_T = 112, TEPHRA_TRANS_C = 113
    integer(c_int), parameter :: TEPHRA_UPLO_UPPER = 121, TEPHRA_UPLO_LOWER = 122
    integer(c_int), parameter :: TEPHRA_DIAG_NON_UNIT = 131, TEPHRA_DIAG_UNIT = 132
    integer(c_int), parameter :: TEPHRA_Q_NONE = 0, TEPHRA_Q_THIN = 1, TEPHRA_Q_FULL = 2

    integer(c_int), parameter :: CUBLAS_STATUS_SUCCESS = 0, CUBLAS_STATUS_NOT_INITIALIZED = 1, &
        CUBLAS_STATUS_ALLOC_FAILED = 3, CUBLAS_STATUS_INVALID_VALUE = 7, CUBLAS_STATUS_ARCH_MISMATCH = 8, &
        CUBLAS_STATUS_MAPPING_ERROR = 11, CUBLAS_STATUS_EXECUTION_FAILED = 13, CUBLAS_STATUS_INTERNAL_ERROR = 14, &
        CUBLAS_STATUS_NOT_SUPPORTED = 15, CUBLAS_STATUS_LICENSE_ERROR = 16
    integer(c_int), parameter :: CUBLAS_OP_N = 0, CUBLAS_OP_T = 1, CUBLAS_OP_C = 2
    integer(c_int), parameter :: CUBLAS_FILL_MODE_LOWER = 0, CUBLAS_FILL_MODE_UPPER = 1
    integer(c_int), parameter :: CUBLAS_DIAG_NON_UNIT = 0, CUBLAS_DIAG_UNIT = 1
    integer(c_int), parameter :: CUBLAS_SIDE_LEFT = 0, CUBLAS_SIDE_RIGHT = 1

    integer(c_int), parameter :: MagmaNoTrans = 111, MagmaTrans = 112, MagmaConjTrans = 113
    integer(c_int), parameter :: MagmaUpper = 121, MagmaLower = 122, MagmaFull = 123
    integer(c_int), parameter :: MagmaNonUnit = 131, MagmaUnit = 132
    integer(c_int), parameter :: MagmaLeft = 141, MagmaRight = 142

    ! ---- Families: one interface for the four precisions of each routine

    abstract interface
        ! Factors batch_size matrices of m rows and n columns: matrix i starts at address i of a_array and has leading
        ! dimension lda; tau i has room for max(1, min(m, n)). info is 0 or -i (m is argument 1).
        function cublas_geqrf_batched_c(handle, m, n, a_array, lda, tau_array, info, batch_size) bind(C) result(status)
            import :: c_ptr, c_int
            type(c_ptr), value :: handle, a_array, tau_array
            integer(c_int), value :: m, n, lda, batch_size
            integer(c_int), intent(out) :: info
            integer(c_int) :: status
        end function

        ! The same for MAGMA; dinfo_array holds batch_count integers in the backend's memory.
        function magma_geqrf_batched_c(m, n, da_array, ldda, dtau_array, dinfo_array, batch_count, queue) bind(C) result(info)
            import :: c_ptr, c_int
            integer(c_int), value :: m, n, ldda, batch_count
            type(c_ptr), value :: da_array, dtau_array, dinfo_array, queue
            integer(c_int) :: info
        end function

        ! output_array(i) = address of element (row, column) of matrix i; matrices start batch_offset elements apart.
        subroutine magma_set_pointer_c(output_array, input, lda, row, column, batch_offset, batch_count, queue) bind(C)
            import :: c_ptr, c_int
            type(c_ptr), value :: output_array, input, queue
            integer(c_int), value :: lda, row, column, batch_offset, batch_count
        end subroutine

        ! 64-bit sizes; work may be c_null_ptr with 0 bytes; stream is a cudaStream_t or c_null_ptr.
        function tephra_geqrf_batched_c(m, n, a_array, lda, tau_array, batch_count, work, work_bytes, stream) bind(C) &
            result(status)
            import :: c_ptr, c_int64_t, c_int32_t, c_size_t
            integer(c_int64_t), value :: m, n, lda, batch_count
            type(c_ptr), value :: a_array, tau_array, work, stream
            integer(c_size_t), value :: work_bytes
            integer(c_int32_t) :: status
        end function

        ! Matrix i starts at a + i * stride_a elements, its tau at tau + i * stride_tau elements.
        function tephra_geqrf_strided_batched_c(m, n, a, lda, stride_a, tau, stride_tau, batch_count, work, work_bytes, &
                stream) bind(C) result(status)
            import :: c_ptr, c_int64_t, c_int32_t, c_size_t
            integer(c_int64_t), value :: m, n, lda, stride_a, stride_tau, batch_count
            type(c_ptr), value :: a, tau, work, stream
            integer(c_size_t), value :: work_bytes
            integer(c_int32_t) :: status
        end function

        ! Least squares, for trans N and m >= n. info is 0 or -i in cuBLAS's numbers; dev_info_array holds batch_size integers in
        ! the backend's memory, or is c_null_ptr.
        function cublas_gels_batched_c(handle, trans, m, n, nrhs, a_array, lda, c_array, ldc, info, dev_info_array, &
                batch_size) bind(C) result(status)
            import :: c_ptr, c_int
            integer(c_int), value :: trans, m, n, nrhs, lda, ldc, batch_size
            type(c_ptr), value :: handle, a_array, c_array, dev_info_array
            integer(c_int), intent(out) :: info
            integer(c_int) :: status
        end function

        ! Triangular solves; alpha is the address of a scalar, in host or device memory by the handle's pointer mode.
        function cublas_trsm_batched_c(handle, side, uplo, trans, diag, m, n, alpha, a_array, lda, b_array, ldb, &
                batch_size) bind(C) result(status)
            import :: c_ptr, c_int
            integer(c_int), value :: side, uplo, trans, diag, m, n, lda, ldb, batch_size
            type(c_ptr), value :: handle, alpha, a_array, b_array
            integer(c_int) :: status
        end function

        ! op(Q) C or C op(Q); lwork is the address of a 64-bit integer, 0 (no workspace is needed).
        function magma_ormqr_batched_c(side, trans, m, n, k, da_array, ldda, dtau_array, dc_array, lddc, device_work, &
                lwork, dinfo_array, batch_count, queue) bind(C) result(info)
            import :: c_ptr, c_int
            integer(c_int), value :: side, trans, m, n, k, ldda, lddc, batch_count
            type(c_ptr), value :: da_array, dtau_array, dc_array, device_work, lwork, dinfo_array, queue
            integer(c_int) :: info
        end function

        ! The first n columns of Q; Tephra's, in MAGMA's style.
        function magma_orgqr_batched_c(m, n, k, da_array, ldda, dtau_array, dinfo_array, batch_count, &
                queue) bind(C) result(info)
            import :: c_ptr, c_int
            integer(c_int), value :: m, n, k, ldda, batch_count
            type(c_ptr), value :: da_array, dtau_array, dinfo_array, queue
            integer(c_int) :: info
        end function

        ! Least squares and minimum norm; hwork is not used and may be c_null_ptr with lwork 0.
        function magma_gels_batched_c(trans, m, n, nrhs, da_array, ldda, db_array, lddb, hwork, lwork, dinfo_array, &
                batch_count, queue) bind(C) result(info)
            import :: c_ptr, c_int
            integer(c_int), value :: trans, m, n, nrhs, ldda, lddb, lwork, batch_count
            type(c_ptr), value :: da_array, db_array, hwork, dinfo_array, queue
            integer(c_int) :: info
        end function

        ! The native names have 64-bit sizes.
        function tephra_orgqr_batched_c(m, n, k, a_array, lda, tau_array, batch_count, stream) bind(C) result(status)
            import :: c_ptr, c_int64_t, c_int32_t
            integer(c_int64_t), value :: m, n, k, lda, batch_count
            type(c_ptr), value :: a_array, tau_array, stream
            integer(c_int32_t) :: status
        end function

        ! op(Q) C or C op(Q).
        function tephra_ormqr_batched_c(side, trans, m, n, k, a_array, lda, tau_array, c_array, ldc, batch_count, &
                stream) bind(C) result(status)
            import :: c_ptr, c_int, c_int64_t, c_int32_t
            integer(c_int), value :: side, trans
            integer(c_int64_t), value :: m, n, k, lda, ldc, batch_count
            type(c_ptr), value :: a_array, tau_array, c_array, stream
            integer(c_int32_t) :: status
        end function

        ! Q and R explicitly; work as large as the _workspace form answers.
        function tephra_qr_batched_c(part, m, n, a_array, lda, q_array, ldq, r_array, ldr, batch_count, work, &
                work_bytes, stream) bind(C) result(status)
            import :: c_ptr, c_int, c_int64_t, c_size_t, c_int32_t
            integer(c_int), value :: part
            integer(c_int64_t), value :: m, n, lda, ldq, ldr, batch_count
            type(c_ptr), value :: a_array, q_array, r_array, work, stream
            integer(c_size_t), value :: work_bytes
            integer(c_int32_t) :: status
        end function

        ! Writes the bytes of workspace.
        function tephra_qr_batched_workspace_c(part, m, n, lda, ldq, ldr, batch_count, bytes) bind(C) result(status)
            import :: c_int, c_int64_t, c_size_t, c_int32_t
            integer(c_int), value :: part
            integer(c_int64_t), value :: m, n, lda, ldq, ldr, batch_count
            integer(c_size_t), intent(out) :: bytes
            integer(c_int32_t) :: status
        end function

        ! Least squares and minimum norm; info is the address of batch_count integers, or c_null_ptr.
        function tephra_gels_batched_c(trans, m, n, nrhs, a_array, lda, b_array, ldb, info, batch_count, work, &
                work_bytes, stream) bind(C) result(status)
            import :: c_ptr, c_int, c_int64_t, c_size_t, c_int32_t
            integer(c_int), value :: trans
            integer(c_int64_t), value :: m, n, nrhs, lda, ldb, batch_count
            type(c_ptr), value :: a_array, b_array, info, work, stream
            integer(c_size_t), value :: work_bytes
            integer(c_int32_t) :: status
        end function

        ! Writes the bytes of workspace.
        function tephra_gels_batched_workspace_c(trans, m, n, nrhs, lda, ldb, batch_count, &
                bytes) bind(C) result(status)
            import :: c_int, c_int64_t, c_size_t, c_int32_t
            integer(c_int), value :: trans
            integer(c_int64_t), value :: m, n, nrhs, lda, ldb, batch_count
            integer(c_size_t), intent(out) :: bytes
            integer(c_int32_t) :: status
        end function

        ! Triangular solves; alpha is the address of a scalar in host memory.
        function tephra_trsm_batched_c(side, uplo, trans, diag, m, n, alpha, a_array, lda, b_array, ldb, batch_count, &
                stream) bind(C) result(status)
            import :: c_ptr, c_int, c_int64_t, c_int32_t
            integer(c_int), value :: side, uplo, trans, diag
            integer(c_int64_t), value :: m, n, lda, ldb, batch_count
            type(c_ptr), value :: alpha, a_array, b_array, stream
            integer(c_int32_t) :: status
        end function
    end interface

    procedure(cublas_geqrf_batched_c), bind(C, name="cublasSgeqrfBatched") :: cublasSgeqrfBatched
    procedure(cublas_geqrf_batched_c), bind(C, name="cublasDgeqrfBatched") :: cublasDgeqrfBatched
    procedure(cublas_geqrf_batched_c), bind(C, name="cublasCgeqrfBatched") :: cublasCgeqrfBatched
    procedure(cublas_geqrf_batched_c), bind(C, name="cublasZgeqrfBatched") :: cublasZgeqrfBatched

    procedure(magma_geqrf_batched_c), bind(C, name="magma_sgeqrf_batched") :: magma_sgeqrf_batched
    procedure(magma_geqrf_batched_c), bind(C, name="magma_dgeqrf_batched") :: magma_dgeqrf_batched
    procedure(magma_geqrf_batched_c), bind(C, name="magma_cgeqrf_batched") :: magma_cgeqrf_batched
    procedure(magma_geqrf_batched_c), bind(C, name="magma_zgeqrf_batched") :: magma_zgeqrf_batched

    procedure(magma_set_pointer_c), bind(C, name="magma_sset_pointer") :: magma_sset_pointer
    procedure(magma_set_pointer_c), bind(C, name="magma_dset_pointer") :: magma_dset_pointer
    procedure(magma_set_pointer_c), bind(C, name="magma_cset_pointer") :: magma_cset_pointer
    procedure(magma_set_pointer_c), bind(C, name="magma_zset_pointer") :: magma_zset_pointer

    procedure(tephra_geqrf_batched_c), bind(C, name="tephra_sgeqrf_batched") :: tephra_sgeqrf_batched
    procedure(tephra_geqrf_batched_c), bind(C, name="tephra_dgeqrf_batched") :: tephra_dgeqrf_batched
    procedure(tephra_geqrf_batched_c), bind(C, name="tephra_cgeqrf_batched") :: tephra_cgeqrf_batched
    procedure(tephra_geqrf_batched_c), bind(C, name="tephra_zgeqrf_batched") :: tephra_zgeqrf_batched

    procedure(tephra_geqrf_strided_batched_c), bind(C, name="tephra_sgeqrf_strided_batched") :: tephra_sgeqrf_strided_batched
    procedure(tephra_geqrf_strided_batched_c), bind(C, name="tephra_dgeqrf_strided_batched") :: tephra_dgeqrf_strided_batched
    procedure(tephra_geqrf_strided_batched_c), bind(C, name="tephra_cgeqrf_strided_batched") :: tephra_cgeqrf_strided_batched
    procedure(tephra_geqrf_strided_batched_c), bind(C, name="tephra_zgeqrf_strided_batched") :: tephra_zgeqrf_strided_batched

    procedure(cublas_gels_batched_c), bind(C, name="cublasSgelsBatched") :: cublasSgelsBatched
    procedure(cublas_gels_batched_c), bind(C, name="cublasDgelsBatched") :: cublasDgelsBatched
    procedure(cublas_gels_batched_c), bind(C, name="cublasCgelsBatched") :: cublasCgelsBatched
    procedure(cublas_gels_batched_c), bind(C, name="cublasZgelsBatched") :: cublasZgelsBatched

    procedure(cublas_trsm_batched_c), bind(C, name="cublasStrsmBatched") :: cublasStrsmBatched
    procedure(cublas_trsm_batched_c), bind(C, name="cublasDtrsmBatched") :: cublasDtrsmBatched
    procedure(cublas_trsm_batched_c), bind(C, name="cublasCtrsmBatched") :: cublasCtrsmBatched
    procedure(cublas_trsm_batched_c), bind(C, name="cublasZtrsmBatched") :: cublasZtrsmBatched

    procedure(magma_ormqr_batched_c), bind(C, name="magma_sormqr_batched") :: magma_sormqr_batched
    procedure(magma_ormqr_batched_c), bind(C, name="magma_dormqr_batched") :: magma_dormqr_batched
    procedure(magma_ormqr_batched_c), bind(C, name="magma_cunmqr_batched") :: magma_cunmqr_batched
    procedure(magma_ormqr_batched_c), bind(C, name="magma_zunmqr_batched") :: magma_zunmqr_batched

    procedure(magma_orgqr_batched_c), bind(C, name="magma_sorgqr_batched") :: magma_sorgqr_batched
    procedure(magma_orgqr_batched_c), bind(C, name="magma_dorgqr_batched") :: magma_dorgqr_batched
    procedure(magma_orgqr_batched_c), bind(C, name="magma_cungqr_batched") :: magma_cungqr_batched
    procedure(magma_orgqr_batched_c), bind(C, name="magma_zungqr_batched") :: magma_zungqr_batched

    procedure(magma_gels_batched_c), bind(C, name="magma_sgels_batched") :: magma_sgels_batched
    procedure(magma_gels_batched_c), bind(C, name="magma_dgels_batched") :: magma_dgels_batched
    procedure(magma_gels_batched_c), bind(C, name="magma_cgels_batched") :: magma_cgels_batched
    procedure(magma_gels_batched_c), bind(C, name="magma_zgels_batched") :: magma_zgels_batched

    procedure(tephra_orgqr_batched_c), bind(C, name="tephra_sorgqr_batched") :: tephra_sorgqr_batched
    procedure(tephra_orgqr_batched_c), bind(C, name="tephra_dorgqr_batched") :: tephra_dorgqr_batched
    procedure(tephra_orgqr_batched_c), bind(C, name="tephra_cungqr_batched") :: tephra_cungqr_batched
    procedure(tephra_orgqr_batched_c), bind(C, name="tephra_zungqr_batched") :: tephra_zungqr_batched

    procedure(tephra_ormqr_batched_c), bind(C, name="tephra_sormqr_batched") :: tephra_sormqr_batched
    procedure(tephra_ormqr_batched_c), bind(C, name="tephra_dormqr_batched") :: tephra_dormqr_batched
    procedure(tephra_ormqr_batched_c), bind(C, name="tephra_cunmqr_batched") :: tephra_cunmqr_batched
    procedure(tephra_ormqr_batched_c), bind(C, name="tephra_zunmqr_batched") :: tephra_zunmqr_batched

    procedure(tephra_qr_batched_c), bind(C, name="tephra_sqr_batched") :: tephra_sqr_batched
    procedure(tephra_qr_batched_c), bind(C, name="tephra_dqr_batched") :: tephra_dqr_batched
    procedure(tephra_qr_batched_c), bind(C, name="tephra_cqr_batched") :: tephra_cqr_batched
    procedure(tephra_qr_batched_c), bind(C, name="tephra_zqr_batched") :: tephra_zqr_batched

    procedure(tephra_qr_batched_workspace_c), bind(C, name="tephra_sqr_batched_workspace") :: tephra_sqr_batched_workspace
    procedure(tephra_qr_batched_workspace_c), bind(C, name="tephra_dqr_batched_workspace") :: tephra_dqr_batched_workspace
    procedure(tephra_qr_batched_workspace_c), bind(C, name="tephra_cqr_batched_workspace") :: tephra_cqr_batched_workspace
    procedure(tephra_qr_batched_workspace_c), bind(C, name="tephra_zqr_batched_workspace") :: tephra_zqr_batched_workspace

    procedure(tephra_gels_batched_c), bind(C, name="tephra_sgels_batched") :: tephra_sgels_batched
    procedure(tephra_gels_batched_c), bind(C, name="tephra_dgels_batched") :: tephra_dgels_batched
    procedure(tephra_gels_batched_c), bind(C, name="tephra_cgels_batched") :: tephra_cgels_batched
    procedure(tephra_gels_batched_c), bind(C, name="tephra_zgels_batched") :: tephra_zgels_batched

    procedure(tephra_gels_batched_workspace_c), bind(C, name="tephra_sgels_batched_workspace") :: tephra_sgels_batched_workspace
    procedure(tephra_gels_batched_workspace_c), bind(C, name="tephra_dgels_batched_workspace") :: tephra_dgels_batched_workspace
    procedure(tephra_gels_batched_workspace_c), bind(C, name="tephra_cgels_batched_workspace") :: tephra_cgels_batched_workspace
    procedure(tephra_gels_batched_workspace_c), bind(C, name="tephra_zgels_batched_workspace") :: tephra_zgels_batched_workspace

    procedure(tephra_trsm_batched_c), bind(C, name="tephra_strsm_batched") :: tephra_strsm_batched
    procedure(tephra_trsm_batched_c), bind(C, name="tephra_dtrsm_batched") :: tephra_dtrsm_batched
    procedure(tephra_trsm_batched_c), bind(C, name="tephra_ctrsm_batched") :: tephra_ctrsm_batched
    procedure(tephra_trsm_batched_c), bind(C, name="tephra_ztrsm_batched") :: tephra_ztrsm_batched

    ! ---- Everything around them

    interface
        ! cuBLAS
        function cublasCreate(handle) bind(C, name="cublasCreate_v2") result(status)
            import :: c_ptr, c_int
            type(c_ptr), intent(out) :: handle
            integer(c_int) :: status
        end function
        function cublasDestroy(handle) bind(C, name="cublasDestroy_v2") result(status)
            import :: c_ptr, c_int
            type(c_ptr), value :: handle
            integer(c_int) :: status
        end function
        function cublasSetStream(handle, stream) bind(C, name="cublasSetStream_v2") result(status)
            import :: c_ptr, c_int
            type(c_ptr), value :: handle, stream
            integer(c_int) :: status
        end function
        function cublasGetStream(handle, stream) bind(C, name="cublasGetStream_v2") result(status)
            import :: c_ptr, c_int
            type(c_ptr), value :: handle
            type(c_ptr), intent(out) :: stream
            integer(c_int) :: status
        end function

        ! MAGMA. The _internal names are those behind its C macros: func and file are C strings for messages.
        function magma_init() bind(C) result(info)
            import :: c_int
            integer(c_int) :: info
        end function
        function magma_finalize() bind(C) result(info)
            import :: c_int
            integer(c_int) :: info
        end function
        subroutine magma_queue_create_internal(device, queue, func, file, line) bind(C)
            import :: c_ptr, c_int, c_char
            integer(c_int), value :: device, line
            type(c_ptr), intent(out) :: queue
            character(kind=c_char), intent(in) :: func(*), file(*)
        end subroutine
        subroutine magma_queue_destroy_internal(queue, func, file, line) bind(C)
            import :: c_ptr, c_int, c_char
            type(c_ptr), value :: queue
            character(kind=c_char), intent(in) :: func(*), file(*)
            integer(c_int), value :: line
        end subroutine
        subroutine magma_queue_sync_internal(queue, func, file, line) bind(C)
            import :: c_ptr, c_int, c_char
            type(c_ptr), value :: queue
            character(kind=c_char), intent(in) :: func(*), file(*)
            integer(c_int), value :: line
        end subroutine
        function magma_malloc(address, bytes) bind(C) result(info)
            import :: c_ptr, c_int, c_size_t
            type(c_ptr), intent(out) :: address
            integer(c_size_t), value :: bytes
            integer(c_int) :: info
        end function
        function magma_free_internal(address, func, file, line) bind(C) result(info)
            import :: c_ptr, c_int, c_char
            type(c_ptr), value :: address
            character(kind=c_char), intent(in) :: func(*), file(*)
            integer(c_int), value :: line
            integer(c_int) :: info
        end function
        ! Copies m x n elements of elem_size bytes to the backend's memory, and back.
        subroutine magma_setmatrix_internal(m, n, elem_size, host, ld_host, device, ld_device, queue, func, file, line) bind(C)
            import :: c_ptr, c_int, c_char
            integer(c_int), value :: m, n, elem_size, ld_host, ld_device, line
            type(c_ptr), value :: host, device, queue
            character(kind=c_char), intent(in) :: func(*), file(*)
        end subroutine
        subroutine magma_getmatrix_internal(m, n, elem_size, device, ld_device, host, ld_host, queue, func, file, line) bind(C)
            import :: c_ptr, c_int, c_char
            integer(c_int), value :: m, n, elem_size, ld_host, ld_device, line
            type(c_ptr), value :: host, device, queue
            character(kind=c_char), intent(in) :: func(*), file(*)
        end subroutine

        ! Tephra
        function tephra_get_backend(backend) bind(C) result(status)
            import :: c_int, c_int32_t
            integer(c_int), intent(out) :: backend
            integer(c_int32_t) :: status
        end function
        function tephra_set_backend(backend) bind(C) result(status)
            import :: c_int, c_int32_t
            integer(c_int), value :: backend
            integer(c_int32_t) :: status
        end function
        function tephra_set_thread_backend(backend) bind(C) result(status)
            import :: c_int, c_int32_t
            integer(c_int), value :: backend
            integer(c_int32_t) :: status
        end function
        function tephra_set_thread_math(math) bind(C) result(status)
            import :: c_int, c_int32_t
            integer(c_int), value :: math
            integer(c_int32_t) :: status
        end function
        function tephra_malloc(address, bytes) bind(C) result(status)
            import :: c_ptr, c_int32_t, c_size_t
            type(c_ptr), intent(out) :: address
            integer(c_size_t), value :: bytes
            integer(c_int32_t) :: status
        end function
        function tephra_free(address) bind(C) result(status)
            import :: c_ptr, c_int32_t
            type(c_ptr), value :: address
            integer(c_int32_t) :: status
        end function
        ! Copies in stream order, in any direction, and waits for the copy.
        function tephra_memcpy(dst, src, bytes, stream) bind(C) result(status)
            import :: c_ptr, c_int32_t, c_size_t
            type(c_ptr), value :: dst, src, stream
            integer(c_size_t), value :: bytes
            integer(c_int32_t) :: status
        end function
        function tephra_stream_create(stream) bind(C) result(status)
            import :: c_ptr, c_int32_t
            type(c_ptr), intent(out) :: stream
            integer(c_int32_t) :: status
        end function
        function tephra_stream_destroy(stream) bind(C) result(status)
            import :: c_ptr, c_int32_t
            type(c_ptr), value :: stream
            integer(c_int32_t) :: status
        end function
        function tephra_stream_synchronize(stream) bind(C) result(status)
            import :: c_ptr, c_int32_t
            type(c_ptr), value :: stream
            integer(c_int32_t) :: status
        end function
        ! A C string: the last failure on this thread.
        function tephra_last_error() bind(C) result(text)
            import :: c_ptr
            type(c_ptr) :: text
        end function
    end interface
end module
