! Tephra's Fortran interfaces: bind(C) declarations and constants, without code. They need Fortran 2018, which allows
! optional arguments of bind(C) procedures.
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

    ! ---- native constants: by scripts/fortran.py from tephra.h
    ! Success.
    integer(c_int), parameter :: TEPHRA_STATUS_SUCCESS = 0
    ! No plan supports the shape (on CUDA, a matrix with 2^31 or more rows or columns), tephra_set_plan() excludes every
    ! plan that would, or the call has to wait for a stream that is being captured.
    integer(c_int), parameter :: TEPHRA_STATUS_NOT_SUPPORTED = 1
    ! No usable device, driver or kernel image for the chosen backend.
    integer(c_int), parameter :: TEPHRA_STATUS_NO_DEVICE = 2
    ! Device or host memory could not be allocated.
    integer(c_int), parameter :: TEPHRA_STATUS_OUT_OF_MEMORY = 3
    ! A CUDA driver call or a kernel launch failed.
    integer(c_int), parameter :: TEPHRA_STATUS_DRIVER_ERROR = 4
    ! A bug in the library.
    integer(c_int), parameter :: TEPHRA_STATUS_INTERNAL_ERROR = 5
    ! The ranks of a communicator made different calls, one of them failed, or one could not be reached in time.
    integer(c_int), parameter :: TEPHRA_STATUS_COMMUNICATION_ERROR = 6
    ! A callback returned a nonzero value; tephra_last_error() says for which device and members.
    integer(c_int), parameter :: TEPHRA_STATUS_FUNCTION_ERROR = 7
    ! Host memory and host threads.
    integer(c_int), parameter :: TEPHRA_BACKEND_CPU = 1
    ! Device memory, on the caller's current CUDA device.
    integer(c_int), parameter :: TEPHRA_BACKEND_CUDA = 2
    ! Single precision computes in FP32.
    integer(c_int), parameter :: TEPHRA_MATH_FP32 = 1
    ! Real single precision may compute products in TF32 where that is faster: operands rounded to 10 mantissa bits, FP32
    ! sums.
    integer(c_int), parameter :: TEPHRA_MATH_TF32 = 2
    ! Real single precision may compute products on tensor cores where that is faster: each operand split in two parts,
    ! errors at most twice those of FP32.
    integer(c_int), parameter :: TEPHRA_MATH_FP32_TENSOR = 3
    ! Real single precision may compute products in FP16 or TF32 where that is faster: operands scaled and rounded to 10
    ! mantissa bits, FP32 sums.
    integer(c_int), parameter :: TEPHRA_MATH_FP16 = 4
    ! The operator is on the left: op(Q) C, op(A) X = B. The TEPHRA_SIDE_, _TRANS_, _UPLO_ and _DIAG_ values are those of
    ! CBLAS.
    integer(c_int), parameter :: TEPHRA_SIDE_LEFT = 141
    ! The operator is on the right: C op(Q), X op(A) = B.
    integer(c_int), parameter :: TEPHRA_SIDE_RIGHT = 142
    ! op(X) = X.
    integer(c_int), parameter :: TEPHRA_TRANS_N = 111
    ! op(X) = X^T.
    integer(c_int), parameter :: TEPHRA_TRANS_T = 112
    ! op(X) = X^H, which is X^T for real types.
    integer(c_int), parameter :: TEPHRA_TRANS_C = 113
    ! The upper triangle, with the diagonal.
    integer(c_int), parameter :: TEPHRA_UPLO_UPPER = 121
    ! The lower triangle, with the diagonal.
    integer(c_int), parameter :: TEPHRA_UPLO_LOWER = 122
    ! The whole matrix; only for lacpy and laset.
    integer(c_int), parameter :: TEPHRA_UPLO_FULL = 123
    ! The diagonal as stored.
    integer(c_int), parameter :: TEPHRA_DIAG_NON_UNIT = 131
    ! The diagonal is taken to be all ones and is not read.
    integer(c_int), parameter :: TEPHRA_DIAG_UNIT = 132
    ! IEEE 754 binary16, CUDA's __half: 11-bit significand, up to 65504. The TEPHRA_STORAGE_ values are those of
    ! cudaDataType.
    integer(c_int), parameter :: TEPHRA_STORAGE_FP16 = 2
    ! bfloat16, CUDA's __nv_bfloat16, the upper half of a float: 8-bit significand, the range of a float.
    integer(c_int), parameter :: TEPHRA_STORAGE_BF16 = 14
    ! R only: Q is neither formed nor written.
    integer(c_int), parameter :: TEPHRA_Q_NONE = 0
    ! The first min(m,n) columns of Q.
    integer(c_int), parameter :: TEPHRA_Q_THIN = 1
    ! All m columns of Q.
    integer(c_int), parameter :: TEPHRA_Q_FULL = 2
    ! Scratch memory on the device: nothing is copied.
    integer(c_int), parameter :: TEPHRA_ACCESS_SCRATCH = 0
    ! Copied to the device before the callback.
    integer(c_int), parameter :: TEPHRA_ACCESS_READ = 1
    ! Copied back to the host after the callback.
    integer(c_int), parameter :: TEPHRA_ACCESS_WRITE = 2
    ! Both.
    integer(c_int), parameter :: TEPHRA_ACCESS_READ_WRITE = 3
    ! A flag added to one of the others: the operand is in page-locked memory (cudaHostAlloc, cudaHostRegister), so it is
    ! copied directly, without a staging buffer.
    integer(c_int), parameter :: TEPHRA_ACCESS_PINNED = 4
    ! ---- End of native constants

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

    ! ---- cuBLAS and MAGMA: one interface for the four precisions of each routine

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

        ! Least squares, for trans N and m >= n. info is 0 or -i in cuBLAS's numbers; dev_info_array holds batch_size
        ! integers in the backend's memory, or is c_null_ptr.
        function cublas_gels_batched_c(handle, trans, m, n, nrhs, a_array, lda, c_array, ldc, info, dev_info_array, &
                batch_size) bind(C) result(status)
            import :: c_ptr, c_int
            integer(c_int), value :: trans, m, n, nrhs, lda, ldc, batch_size
            type(c_ptr), value :: handle, a_array, c_array, dev_info_array
            integer(c_int), intent(out) :: info
            integer(c_int) :: status
        end function

        ! Triangular solves. alpha is the address of a scalar, in host or device memory according to the handle's
        ! pointer mode.
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

        ! The first n columns of Q. This name is Tephra's own, in MAGMA's style.
        function magma_orgqr_batched_c(m, n, k, da_array, ldda, dtau_array, dinfo_array, batch_count, &
                queue) bind(C) result(info)
            import :: c_ptr, c_int
            integer(c_int), value :: m, n, k, ldda, batch_count
            type(c_ptr), value :: da_array, dtau_array, dinfo_array, queue
            integer(c_int) :: info
        end function

        ! Least squares and minimum-norm solutions. hwork is not used; it may be c_null_ptr with lwork 0.
        function magma_gels_batched_c(trans, m, n, nrhs, da_array, ldda, db_array, lddb, hwork, lwork, dinfo_array, &
                batch_count, queue) bind(C) result(info)
            import :: c_ptr, c_int
            integer(c_int), value :: trans, m, n, nrhs, ldda, lddb, lwork, batch_count
            type(c_ptr), value :: da_array, db_array, hwork, dinfo_array, queue
            integer(c_int) :: info
        end function

        ! LU of square matrices. pivot_array is one array with n integers for each matrix in turn, or c_null_ptr to
        ! factor without pivoting; info_array holds batch_size integers in the backend's memory.
        function cublas_getrf_batched_c(handle, n, a_array, lda, pivot_array, info_array, &
                batch_size) bind(C) result(status)
            import :: c_ptr, c_int
            integer(c_int), value :: n, lda, batch_size
            type(c_ptr), value :: handle, a_array, pivot_array, info_array
            integer(c_int) :: status
        end function

        ! Solutions and inverses from the factors. info of getrs is 0 or -i (trans is argument 1).
        function cublas_getrs_batched_c(handle, trans, n, nrhs, a_array, lda, pivot_array, b_array, ldb, info, &
                batch_size) bind(C) result(status)
            import :: c_ptr, c_int
            integer(c_int), value :: trans, n, nrhs, lda, ldb, batch_size
            type(c_ptr), value :: handle, a_array, pivot_array, b_array
            integer(c_int), intent(out) :: info
            integer(c_int) :: status
        end function

        function cublas_getri_batched_c(handle, n, a_array, lda, pivot_array, c_array, ldc, info_array, &
                batch_size) bind(C) result(status)
            import :: c_ptr, c_int
            integer(c_int), value :: n, lda, ldc, batch_size
            type(c_ptr), value :: handle, a_array, pivot_array, c_array, info_array
            integer(c_int) :: status
        end function

        ! Inverses of matrices with n <= 32. The matrices are not changed.
        function cublas_matinv_batched_c(handle, n, a_array, lda, c_array, ldc, info_array, &
                batch_size) bind(C) result(status)
            import :: c_ptr, c_int
            integer(c_int), value :: n, lda, ldc, batch_size
            type(c_ptr), value :: handle, a_array, c_array, info_array
            integer(c_int) :: status
        end function

        ! The same for MAGMA, with and without pivoting. dipiv_array holds addresses of integers.
        function magma_getrf_batched_c(m, n, da_array, ldda, dipiv_array, dinfo_array, batch_count, &
                queue) bind(C) result(info)
            import :: c_ptr, c_int
            integer(c_int), value :: m, n, ldda, batch_count
            type(c_ptr), value :: da_array, dipiv_array, dinfo_array, queue
            integer(c_int) :: info
        end function

        function magma_getrf_nopiv_batched_c(m, n, da_array, ldda, dinfo_array, batch_count, queue) bind(C) result(info)
            import :: c_ptr, c_int
            integer(c_int), value :: m, n, ldda, batch_count
            type(c_ptr), value :: da_array, dinfo_array, queue
            integer(c_int) :: info
        end function

        function magma_getrs_batched_c(trans, n, nrhs, da_array, ldda, dipiv_array, db_array, lddb, &
                batch_count, queue) bind(C) result(info)
            import :: c_ptr, c_int
            integer(c_int), value :: trans, n, nrhs, ldda, lddb, batch_count
            type(c_ptr), value :: da_array, dipiv_array, db_array, queue
            integer(c_int) :: info
        end function

        ! dinfo_array is not used here or in getri, and may be c_null_ptr.
        function magma_getrs_nopiv_batched_c(trans, n, nrhs, da_array, ldda, db_array, lddb, dinfo_array, &
                batch_count, queue) bind(C) result(info)
            import :: c_ptr, c_int
            integer(c_int), value :: trans, n, nrhs, ldda, lddb, batch_count
            type(c_ptr), value :: da_array, db_array, dinfo_array, queue
            integer(c_int) :: info
        end function

        function magma_getri_outofplace_batched_c(n, da_array, ldda, dipiv_array, dinva_array, lddia, &
                dinfo_array, batch_count, queue) bind(C) result(info)
            import :: c_ptr, c_int
            integer(c_int), value :: n, ldda, lddia, batch_count
            type(c_ptr), value :: da_array, dipiv_array, dinva_array, dinfo_array, queue
            integer(c_int) :: info
        end function

        ! Factors the matrices and solves the systems.
        function magma_gesv_batched_c(n, nrhs, da_array, ldda, dipiv_array, db_array, lddb, dinfo_array, &
                batch_count, queue) bind(C) result(info)
            import :: c_ptr, c_int
            integer(c_int), value :: n, nrhs, ldda, lddb, batch_count
            type(c_ptr), value :: da_array, dipiv_array, db_array, dinfo_array, queue
            integer(c_int) :: info
        end function

        function magma_gesv_nopiv_batched_c(n, nrhs, da_array, ldda, db_array, lddb, dinfo_array, batch_count, &
                queue) bind(C) result(info)
            import :: c_ptr, c_int
            integer(c_int), value :: n, nrhs, ldda, lddb, batch_count
            type(c_ptr), value :: da_array, db_array, dinfo_array, queue
            integer(c_int) :: info
        end function

        ! The same, after a random butterfly transformation.
        function magma_gesv_rbt_batched_c(n, nrhs, da_array, ldda, db_array, lddb, dinfo_array, batch_count, &
                queue) bind(C) result(info)
            import :: c_ptr, c_int
            integer(c_int), value :: n, nrhs, ldda, lddb, batch_count
            type(c_ptr), value :: da_array, db_array, dinfo_array, queue
            integer(c_int) :: info
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

    procedure(cublas_getrf_batched_c), bind(C, name="cublasSgetrfBatched") :: cublasSgetrfBatched
    procedure(cublas_getrf_batched_c), bind(C, name="cublasDgetrfBatched") :: cublasDgetrfBatched
    procedure(cublas_getrf_batched_c), bind(C, name="cublasCgetrfBatched") :: cublasCgetrfBatched
    procedure(cublas_getrf_batched_c), bind(C, name="cublasZgetrfBatched") :: cublasZgetrfBatched

    procedure(cublas_getrs_batched_c), bind(C, name="cublasSgetrsBatched") :: cublasSgetrsBatched
    procedure(cublas_getrs_batched_c), bind(C, name="cublasDgetrsBatched") :: cublasDgetrsBatched
    procedure(cublas_getrs_batched_c), bind(C, name="cublasCgetrsBatched") :: cublasCgetrsBatched
    procedure(cublas_getrs_batched_c), bind(C, name="cublasZgetrsBatched") :: cublasZgetrsBatched

    procedure(cublas_getri_batched_c), bind(C, name="cublasSgetriBatched") :: cublasSgetriBatched
    procedure(cublas_getri_batched_c), bind(C, name="cublasDgetriBatched") :: cublasDgetriBatched
    procedure(cublas_getri_batched_c), bind(C, name="cublasCgetriBatched") :: cublasCgetriBatched
    procedure(cublas_getri_batched_c), bind(C, name="cublasZgetriBatched") :: cublasZgetriBatched

    procedure(cublas_matinv_batched_c), bind(C, name="cublasSmatinvBatched") :: cublasSmatinvBatched
    procedure(cublas_matinv_batched_c), bind(C, name="cublasDmatinvBatched") :: cublasDmatinvBatched
    procedure(cublas_matinv_batched_c), bind(C, name="cublasCmatinvBatched") :: cublasCmatinvBatched
    procedure(cublas_matinv_batched_c), bind(C, name="cublasZmatinvBatched") :: cublasZmatinvBatched

    procedure(magma_getrf_batched_c), bind(C, name="magma_sgetrf_batched") :: magma_sgetrf_batched
    procedure(magma_getrf_batched_c), bind(C, name="magma_dgetrf_batched") :: magma_dgetrf_batched
    procedure(magma_getrf_batched_c), bind(C, name="magma_cgetrf_batched") :: magma_cgetrf_batched
    procedure(magma_getrf_batched_c), bind(C, name="magma_zgetrf_batched") :: magma_zgetrf_batched

    procedure(magma_getrf_nopiv_batched_c), bind(C, name="magma_sgetrf_nopiv_batched") :: magma_sgetrf_nopiv_batched
    procedure(magma_getrf_nopiv_batched_c), bind(C, name="magma_dgetrf_nopiv_batched") :: magma_dgetrf_nopiv_batched
    procedure(magma_getrf_nopiv_batched_c), bind(C, name="magma_cgetrf_nopiv_batched") :: magma_cgetrf_nopiv_batched
    procedure(magma_getrf_nopiv_batched_c), bind(C, name="magma_zgetrf_nopiv_batched") :: magma_zgetrf_nopiv_batched

    procedure(magma_getrs_batched_c), bind(C, name="magma_sgetrs_batched") :: magma_sgetrs_batched
    procedure(magma_getrs_batched_c), bind(C, name="magma_dgetrs_batched") :: magma_dgetrs_batched
    procedure(magma_getrs_batched_c), bind(C, name="magma_cgetrs_batched") :: magma_cgetrs_batched
    procedure(magma_getrs_batched_c), bind(C, name="magma_zgetrs_batched") :: magma_zgetrs_batched

    procedure(magma_getrs_nopiv_batched_c), bind(C, name="magma_sgetrs_nopiv_batched") :: magma_sgetrs_nopiv_batched
    procedure(magma_getrs_nopiv_batched_c), bind(C, name="magma_dgetrs_nopiv_batched") :: magma_dgetrs_nopiv_batched
    procedure(magma_getrs_nopiv_batched_c), bind(C, name="magma_cgetrs_nopiv_batched") :: magma_cgetrs_nopiv_batched
    procedure(magma_getrs_nopiv_batched_c), bind(C, name="magma_zgetrs_nopiv_batched") :: magma_zgetrs_nopiv_batched

    procedure(magma_getri_outofplace_batched_c), bind(C, name="magma_sgetri_outofplace_batched") :: magma_sgetri_outofplace_batched
    procedure(magma_getri_outofplace_batched_c), bind(C, name="magma_dgetri_outofplace_batched") :: magma_dgetri_outofplace_batched
    procedure(magma_getri_outofplace_batched_c), bind(C, name="magma_cgetri_outofplace_batched") :: magma_cgetri_outofplace_batched
    procedure(magma_getri_outofplace_batched_c), bind(C, name="magma_zgetri_outofplace_batched") :: magma_zgetri_outofplace_batched

    procedure(magma_gesv_batched_c), bind(C, name="magma_sgesv_batched") :: magma_sgesv_batched
    procedure(magma_gesv_batched_c), bind(C, name="magma_dgesv_batched") :: magma_dgesv_batched
    procedure(magma_gesv_batched_c), bind(C, name="magma_cgesv_batched") :: magma_cgesv_batched
    procedure(magma_gesv_batched_c), bind(C, name="magma_zgesv_batched") :: magma_zgesv_batched

    procedure(magma_gesv_nopiv_batched_c), bind(C, name="magma_sgesv_nopiv_batched") :: magma_sgesv_nopiv_batched
    procedure(magma_gesv_nopiv_batched_c), bind(C, name="magma_dgesv_nopiv_batched") :: magma_dgesv_nopiv_batched
    procedure(magma_gesv_nopiv_batched_c), bind(C, name="magma_cgesv_nopiv_batched") :: magma_cgesv_nopiv_batched
    procedure(magma_gesv_nopiv_batched_c), bind(C, name="magma_zgesv_nopiv_batched") :: magma_zgesv_nopiv_batched
    procedure(magma_gesv_rbt_batched_c), bind(C, name="magma_sgesv_rbt_batched") :: magma_sgesv_rbt_batched
    procedure(magma_gesv_rbt_batched_c), bind(C, name="magma_dgesv_rbt_batched") :: magma_dgesv_rbt_batched
    procedure(magma_gesv_rbt_batched_c), bind(C, name="magma_cgesv_rbt_batched") :: magma_cgesv_rbt_batched
    procedure(magma_gesv_rbt_batched_c), bind(C, name="magma_zgesv_rbt_batched") :: magma_zgesv_rbt_batched

    ! The native functions take 64-bit sizes. work may be c_null_ptr, with 0 bytes, if no workspace is needed;
    ! stream is a cudaStream_t or c_null_ptr. alpha is the address of a scalar on the host. info is the address of
    ! integers in the backend's memory, or c_null_ptr.

    ! ---- native routines: by scripts/fortran.py from tephra.h
    abstract interface
        ! Batched QR factorisation, LAPACK SGEQRF for each matrix: A(i) = Q(i) R(i), in place.
        !
        ! On exit the elements on and above the diagonal of A(i) hold the min(m,n) x n upper trapezoidal R(i); those
        ! below it, with tau(i), hold Q(i) = H(1) H(2) ... H(k), k = min(m,n), H(j) = I - tau(j) v v^H, v(j) = 1,
        ! v(1:j-1) = 0 and v(j+1:m) stored in A(j+1:m, j). Signs and conjugations are LAPACK's: the diagonal of R is
        ! real in the complex types, and tau(j) = 0 where H(j) = I.
        !
        ! The call is asynchronous on the stream, allocates nothing (except, for more than 2048 rows, scratch memory from
        ! the stream-ordered pool) and can be captured in a CUDA graph; on the CPU backend it is finished when it returns.
        ! A NaN or infinity affects only its own matrix. Rows m..lda-1 of A are neither read nor written.
        !
        ! | # | argument | |
        ! | - | -------- | - |
        ! | 1 | m | rows, m >= 0; on CUDA less than 2^31, else TEPHRA_STATUS_NOT_SUPPORTED |
        ! | 2 | n | columns, n >= 0, likewise; m < n is allowed |
        ! | 3 | a_array | batch_count pointers to matrices of lda*n elements, see below; not NULL when there is work |
        ! | 4 | lda | leading dimension, in elements, lda >= max(1,m) |
        ! | 5 | tau_array | batch_count pointers to vectors of max(1,min(m,n)) elements, likewise |
        ! | 6 | batch_count | number of matrices, >= 0; less than 2^31 for CUDA plans of one thread block per matrix |
        ! | 7 | work | workspace in device memory, or NULL |
        ! | 8 | work_bytes | size of work, at least what tephra_sgeqrf_batched_workspace() reports |
        ! | 9 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
        !
        ! The matrices and vectors are in device memory and need no alignment beyond their elements'. The two arrays of
        ! pointers are in device memory too, or in host memory that the device can read (pinned or managed). The CPU
        ! backend, where all of these are in host memory, ignores the stream.
        !
        ! The call does nothing and returns success when m, n or batch_count is 0.
        function tephra_geqrf_batched_c(m, n, a_array, lda, tau_array, batch_count, work, work_bytes, stream) bind(C) &
            result(status)
            import :: c_int32_t, c_int64_t, c_ptr, c_size_t
            integer(c_int64_t), value :: m, n, lda, batch_count
            type(c_ptr), value :: a_array, tau_array, work, stream
            integer(c_size_t), value :: work_bytes
            integer(c_int32_t) :: status
        end function

        ! Workspace of tephra_sgeqrf_batched() in bytes, at present 0 for every shape. Its arguments are checked as in
        ! that call, and are numbered m 1, n 2, lda 3, batch_count 4.
        function tephra_geqrf_batched_workspace_c(m, n, lda, batch_count, bytes) bind(C) result(status)
            import :: c_int32_t, c_int64_t, c_size_t
            integer(c_int64_t), value :: m, n, lda, batch_count
            integer(c_size_t), intent(out) :: bytes
            integer(c_int32_t) :: status
        end function

        ! tephra_sgeqrf_batched() for matrices at a constant stride: A(i) starts at a + i*stride_a, tau(i) at tau +
        ! i*stride_tau (in elements, device memory). With batch_count > 1, stride_a >= max(1,m) and stride_tau >=
        ! max(1,min(m,n)); matrices must not share elements (lda*n <= stride_a, or rows packed side by side). Arguments
        ! are numbered m 1, n 2, a 3, lda 4, stride_a 5, tau 6, stride_tau 7, batch_count 8, work 9, work_bytes 10,
        ! stream 11.
        function tephra_geqrf_strided_batched_c(m, n, a, lda, stride_a, tau, stride_tau, batch_count, work, work_bytes, &
            stream) bind(C) result(status)
            import :: c_int32_t, c_int64_t, c_ptr, c_size_t
            integer(c_int64_t), value :: m, n, lda, stride_a, stride_tau, batch_count
            type(c_ptr), value :: a, tau, work, stream
            integer(c_size_t), value :: work_bytes
            integer(c_int32_t) :: status
        end function

        ! Workspace of tephra_sgeqrf_strided_batched() in bytes, at present 0 for every shape.
        function tephra_geqrf_strided_batched_workspace_c(m, n, lda, stride_a, stride_tau, batch_count, bytes) bind(C) &
            result(status)
            import :: c_int32_t, c_int64_t, c_size_t
            integer(c_int64_t), value :: m, n, lda, stride_a, stride_tau, batch_count
            integer(c_size_t), intent(out) :: bytes
            integer(c_int32_t) :: status
        end function

        ! Batched LQ factorisation, LAPACK SGELQF for each matrix: A(i) = L(i) Q(i), in place.
        !
        ! On exit the elements on and below the diagonal of A(i) hold the m x min(m,n) lower trapezoidal L(i); those above
        ! it, with tau(i), hold Q(i) = H(k)^H ... H(2)^H H(1)^H, k = min(m,n), H(j) = I - tau(j) v v^H, v(j) = 1,
        ! v(1:j-1) = 0 and conj(v(j+1:n)) stored in A(j, j+1:n). Signs and conjugations are LAPACK's: the diagonal of L is
        ! real in the complex types. A(i) and tau(i) are the result of tephra_sgeqrf_batched() for A(i)^H,
        ! conjugate-transposed back.
        !
        ! The call is asynchronous on the stream, allocates nothing (except, for more than 2048 columns, scratch memory
        ! from the stream-ordered pool) and can be captured in a CUDA graph; on the CPU backend it is finished when it
        ! returns. A NaN or infinity affects only its own matrix. Rows m..lda-1 of A are neither read nor written.
        !
        ! | # | argument | |
        ! | - | -------- | - |
        ! | 1 | m | rows, m >= 0; on CUDA less than 2^31, else TEPHRA_STATUS_NOT_SUPPORTED |
        ! | 2 | n | columns, n >= 0, likewise; m > n is allowed |
        ! | 3 | a_array | batch_count pointers to matrices of lda*n elements; not NULL when there is work |
        ! | 4 | lda | leading dimension, in elements, lda >= max(1,m) |
        ! | 5 | tau_array | batch_count pointers to vectors of max(1,min(m,n)) elements, likewise |
        ! | 6 | batch_count | number of matrices, >= 0; as for tephra_sgeqrf_batched() |
        ! | 7 | work | workspace in device memory, aligned to 16 bytes, or NULL when none is needed |
        ! | 8 | work_bytes | size of work, at least what tephra_sgelqf_batched_workspace() reports; a smaller one is an error
        ! |
        ! | 9 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
        !
        ! Arrays, matrices and vectors are in device memory, as for tephra_sgeqrf_batched(). The call does nothing and
        ! returns success when m, n or batch_count is 0.
        function tephra_gelqf_batched_c(m, n, a_array, lda, tau_array, batch_count, work, work_bytes, stream) bind(C) &
            result(status)
            import :: c_int32_t, c_int64_t, c_ptr, c_size_t
            integer(c_int64_t), value :: m, n, lda, batch_count
            type(c_ptr), value :: a_array, tau_array, work, stream
            integer(c_size_t), value :: work_bytes
            integer(c_int32_t) :: status
        end function

        ! Workspace of tephra_sgelqf_batched() in bytes: space for the transposed matrices on CUDA, 0 on the CPU. Its
        ! arguments are checked as in that call, and are numbered m 1, n 2, lda 3, batch_count 4.
        function tephra_gelqf_batched_workspace_c(m, n, lda, batch_count, bytes) bind(C) result(status)
            import :: c_int32_t, c_int64_t, c_size_t
            integer(c_int64_t), value :: m, n, lda, batch_count
            integer(c_size_t), intent(out) :: bytes
            integer(c_int32_t) :: status
        end function

        ! tephra_sgelqf_batched() for matrices at a constant stride: A(i) starts at a + i*stride_a, tau(i) at tau +
        ! i*stride_tau (in elements, device memory). With batch_count > 1, stride_a >= max(1,m) and stride_tau >=
        ! max(1,min(m,n)); matrices must not share elements. Arguments are numbered m 1, n 2, a 3, lda 4, stride_a 5,
        ! tau 6, stride_tau 7, batch_count 8, work 9, work_bytes 10, stream 11.
        function tephra_gelqf_strided_batched_c(m, n, a, lda, stride_a, tau, stride_tau, batch_count, work, work_bytes, &
            stream) bind(C) result(status)
            import :: c_int32_t, c_int64_t, c_ptr, c_size_t
            integer(c_int64_t), value :: m, n, lda, stride_a, stride_tau, batch_count
            type(c_ptr), value :: a, tau, work, stream
            integer(c_size_t), value :: work_bytes
            integer(c_int32_t) :: status
        end function

        ! Workspace of tephra_sgelqf_strided_batched() in bytes. Arguments are numbered m 1, n 2, lda 3, stride_a 4,
        ! stride_tau 5, batch_count 6.
        function tephra_gelqf_strided_batched_workspace_c(m, n, lda, stride_a, stride_tau, batch_count, bytes) bind(C) &
            result(status)
            import :: c_int32_t, c_int64_t, c_size_t
            integer(c_int64_t), value :: m, n, lda, stride_a, stride_tau, batch_count
            integer(c_size_t), intent(out) :: bytes
            integer(c_int32_t) :: status
        end function

        ! Batched QR factorisation with column pivoting, LAPACK SGEQP3 for each matrix: A(i) P(i) = Q(i) R(i), in place.
        !
        ! On entry, columns j of A(i) with jpvt(i)[j] != 0 are initial columns: they are moved to the front, in the order
        ! that LAPACK's interchanges produce, and stay there. The others are free. Set all of jpvt to 0 if all columns are
        ! free. On exit jpvt(i)[j] = k means that column j of A(i) P(i) was column k of A(i), both counted from 1. The
        ! elements on and above the diagonal of A(i) hold R(i); those below it, with tau(i), hold Q(i), as
        ! tephra_sgeqrf_batched() leaves them. The diagonal of R is real in the complex types; its absolute values do not
        ! increase over the free columns.
        !
        ! The next column is the free column whose part below the finished rows of R has the largest norm, the first one
        ! in case of a tie. Norms are downdated, and recomputed where cancellation leaves too few digits (LAPACK Working
        ! Note 176). A NaN counts as larger than any number. A NaN or infinity affects only its own matrix.
        !
        ! The call is asynchronous on the stream, allocates nothing and can be captured in a CUDA graph; on the CPU
        ! backend it has finished when it returns. Rows m..lda-1 of A are neither read nor written.
        !
        ! | # | argument | |
        ! | - | -------- | - |
        ! | 1 | m | rows, m >= 0; on CUDA less than 2^31, else TEPHRA_STATUS_NOT_SUPPORTED |
        ! | 2 | n | columns, 0 <= n < 2^31; m < n is allowed |
        ! | 3 | a_array | batch_count pointers to matrices of lda*n elements; not NULL when there is work |
        ! | 4 | lda | leading dimension, in elements, lda >= max(1,m) |
        ! | 5 | jpvt_array | batch_count pointers to vectors of n ints, likewise |
        ! | 6 | tau_array | batch_count pointers to vectors of max(1,min(m,n)) elements, likewise |
        ! | 7 | info | one int per matrix in device memory, set to 0, or NULL |
        ! | 8 | batch_count | number of matrices, >= 0; as for tephra_sgeqrf_batched() |
        ! | 9 | work | workspace in device memory, aligned to 16 bytes, or NULL when none is needed |
        ! | 10 | work_bytes | size of work, at least what tephra_sgeqp3_batched_workspace() reports; a smaller one is an error
        ! |
        ! | 11 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
        !
        ! Arrays, matrices and vectors are in device memory, as for tephra_sgeqrf_batched(). The call does nothing and
        ! returns success when m, n or batch_count is 0; all of info is then set to 0, and jpvt is left unchanged.
        function tephra_geqp3_batched_c(m, n, a_array, lda, jpvt_array, tau_array, info, batch_count, work, work_bytes, &
            stream) bind(C) result(status)
            import :: c_int32_t, c_int64_t, c_ptr, c_size_t
            integer(c_int64_t), value :: m, n, lda, batch_count
            type(c_ptr), value :: a_array, jpvt_array, tau_array, info, work, stream
            integer(c_size_t), value :: work_bytes
            integer(c_int32_t) :: status
        end function

        ! Workspace of tephra_sgeqp3_batched() in bytes: two norms per column if a matrix does not fit into the memory of
        ! a thread block, else 0; 0 on the CPU. Its arguments are checked as in that call, and are numbered m 1, n 2,
        ! lda 3, batch_count 4.
        function tephra_geqp3_batched_workspace_c(m, n, lda, batch_count, bytes) bind(C) result(status)
            import :: c_int32_t, c_int64_t, c_size_t
            integer(c_int64_t), value :: m, n, lda, batch_count
            integer(c_size_t), intent(out) :: bytes
            integer(c_int32_t) :: status
        end function

        ! tephra_sgeqp3_batched() for matrices at a constant stride: A(i) starts at a + i*stride_a, jpvt(i) at jpvt +
        ! i*stride_jpvt, tau(i) at tau + i*stride_tau (in elements, device memory). With batch_count > 1, stride_a >=
        ! max(1,m), stride_jpvt >= max(1,n) and stride_tau >= max(1,min(m,n)); matrices must not share elements. Arguments
        ! are numbered m 1, n 2, a 3, lda 4, stride_a 5, jpvt 6, stride_jpvt 7, tau 8, stride_tau 9, info 10,
        ! batch_count 11, work 12, work_bytes 13, stream 14.
        function tephra_geqp3_strided_batched_c(m, n, a, lda, stride_a, jpvt, stride_jpvt, tau, stride_tau, info, &
            batch_count, work, work_bytes, stream) bind(C) result(status)
            import :: c_int32_t, c_int64_t, c_ptr, c_size_t
            integer(c_int64_t), value :: m, n, lda, stride_a, stride_jpvt, stride_tau, batch_count
            type(c_ptr), value :: a, jpvt, tau, info, work, stream
            integer(c_size_t), value :: work_bytes
            integer(c_int32_t) :: status
        end function

        ! Workspace of tephra_sgeqp3_strided_batched() in bytes. Arguments are numbered m 1, n 2, lda 3, stride_a 4,
        ! stride_jpvt 5, stride_tau 6, batch_count 7.
        function tephra_geqp3_strided_batched_workspace_c(m, n, lda, stride_a, stride_jpvt, stride_tau, batch_count, bytes) &
            bind(C) result(status)
            import :: c_int32_t, c_int64_t, c_size_t
            integer(c_int64_t), value :: m, n, lda, stride_a, stride_jpvt, stride_tau, batch_count
            integer(c_size_t), intent(out) :: bytes
            integer(c_int32_t) :: status
        end function

        ! Batched LAPACK SORGQR: the first n columns of Q(i) = H(1) H(2) ... H(k), overwriting the reflectors.
        !
        ! A(i) holds the reflectors in its first k columns as tephra_sgeqrf_batched() leaves them (elements on and above
        ! the diagonal are not read); on exit it holds the m x n matrix Q(i), whose columns are orthonormal. The call is
        ! asynchronous on the stream, allocates nothing (except scratch memory from the stream-ordered pool where rows are
        ! divided among thread blocks or all reflectors act at once, see docs/tall-and-large.md), needs no workspace and can
        ! be captured in a CUDA graph.
        !
        ! | # | argument | |
        ! | - | -------- | - |
        ! | 1 | m | rows of Q, m >= 0 |
        ! | 2 | n | columns of Q, 0 <= n <= m |
        ! | 3 | k | reflectors, 0 <= k <= n |
        ! | 4 | a_array | batch_count pointers to matrices of lda*n elements; not NULL when there is work |
        ! | 5 | lda | leading dimension, lda >= max(1,m); rows m..lda-1 are neither read nor written |
        ! | 6 | tau_array | batch_count pointers to vectors of k elements; not NULL when k > 0 |
        ! | 7 | batch_count | number of matrices, >= 0 |
        ! | 8 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
        !
        ! Arrays, matrices and vectors are in device memory, as for tephra_sgeqrf_batched(). The call does nothing and
        ! returns success when n or batch_count is 0.
        function tephra_orgqr_batched_c(m, n, k, a_array, lda, tau_array, batch_count, stream) bind(C) result(status)
            import :: c_int32_t, c_int64_t, c_ptr
            integer(c_int64_t), value :: m, n, k, lda, batch_count
            type(c_ptr), value :: a_array, tau_array, stream
            integer(c_int32_t) :: status
        end function

        ! tephra_sorgqr_batched() for matrices at a constant stride: A(i) starts at a + i*stride_a, tau(i) at tau +
        ! i*stride_tau (in elements). With batch_count > 1, stride_a >= max(1,m) and stride_tau >= 0; vectors tau may
        ! overlap, and with stride_tau 0 all members share one. Arguments are numbered m 1, n 2, k 3, a 4, lda 5,
        ! stride_a 6, tau 7, stride_tau 8, batch_count 9, stream 10.
        function tephra_orgqr_strided_batched_c(m, n, k, a, lda, stride_a, tau, stride_tau, batch_count, stream) bind(C) &
            result(status)
            import :: c_int32_t, c_int64_t, c_ptr
            integer(c_int64_t), value :: m, n, k, lda, stride_a, stride_tau, batch_count
            type(c_ptr), value :: a, tau, stream
            integer(c_int32_t) :: status
        end function

        ! Batched LAPACK SORMQR: C(i) := op(Q(i)) C(i) or C(i) op(Q(i)), with Q(i) = H(1) H(2) ... H(k) as
        ! tephra_sgeqrf_batched() leaves it.
        !
        ! A(i) is read only below its diagonal and is not written, so members of the batch may share A and tau. The call
        ! is asynchronous on the stream, allocates nothing (except scratch memory from the stream-ordered pool where rows
        ! are divided among thread blocks or all reflectors act at once, see docs/tall-and-large.md), needs no workspace and
        ! can be captured in a CUDA graph.
        !
        ! | # | argument | |
        ! | - | -------- | - |
        ! | 1 | side | TEPHRA_SIDE_LEFT or TEPHRA_SIDE_RIGHT |
        ! | 2 | trans | TEPHRA_TRANS_N, _T or _C; for complex types T is Q^T, which LAPACK does not support |
        ! | 3 | m | rows of C, m >= 0 |
        ! | 4 | n | columns of C, n >= 0 |
        ! | 5 | k | reflectors, 0 <= k <= q, where q, the order of Q, is m (left) or n (right) |
        ! | 6 | a_array | batch_count pointers to q x k matrices; not NULL when there is work |
        ! | 7 | lda | leading dimension of A, lda >= max(1,q) |
        ! | 8 | tau_array | batch_count pointers to vectors of k elements, likewise |
        ! | 9 | c_array | batch_count pointers to m x n matrices, likewise |
        ! | 10 | ldc | leading dimension of C, ldc >= max(1,m); rows m..ldc-1 are neither read nor written |
        ! | 11 | batch_count | number of matrices, >= 0 |
        ! | 12 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
        !
        ! Arrays, matrices and vectors are in device memory, as for tephra_sgeqrf_batched(). The call does nothing and
        ! returns success when m, n, k or batch_count is 0.
        function tephra_ormqr_batched_c(side, trans, m, n, k, a_array, lda, tau_array, c_array, ldc, batch_count, stream) &
            bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr
            integer(c_int), value :: side, trans
            integer(c_int64_t), value :: m, n, k, lda, ldc, batch_count
            type(c_ptr), value :: a_array, tau_array, c_array, stream
            integer(c_int32_t) :: status
        end function

        ! tephra_sormqr_batched() for matrices at a constant stride (in elements). With batch_count > 1, stride_c >=
        ! max(1,m), stride_a >= 0 and stride_tau >= 0; strides of 0 apply one Q to every C. Arguments are numbered side 1,
        ! trans 2, m 3, n 4, k 5, a 6, lda 7, stride_a 8, tau 9, stride_tau 10, c 11, ldc 12, stride_c 13, batch_count 14,
        ! stream 15.
        function tephra_ormqr_strided_batched_c(side, trans, m, n, k, a, lda, stride_a, tau, stride_tau, c, ldc, stride_c, &
            batch_count, stream) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr
            integer(c_int), value :: side, trans
            integer(c_int64_t), value :: m, n, k, lda, stride_a, stride_tau, ldc, stride_c, batch_count
            type(c_ptr), value :: a, tau, c, stream
            integer(c_int32_t) :: status
        end function

        ! Batched QR with explicit factors, in one call: A(i) = Q(i) R(i). A is not modified.
        !
        ! The factors are those of LAPACK SGEQRF and SORGQR: the signs of R are LAPACK's, and R is zero below its
        ! diagonal. With TEPHRA_Q_THIN, Q is m x k and R is k x n, k = min(m,n). With TEPHRA_Q_FULL, Q is m x m and R is m
        ! x n. With TEPHRA_Q_NONE, R is k x n, and Q is not formed. The call is asynchronous on the stream, allocates
        ! nothing (except scratch memory from the stream-ordered pool where rows are divided among thread blocks or all
        ! reflectors act at once, see docs/tall-and-large.md) and can be captured in a CUDA graph. A NaN or infinity affects
        ! only its own matrix.
        !
        ! | # | argument | |
        ! | - | -------- | - |
        ! | 1 | part | TEPHRA_Q_NONE, TEPHRA_Q_THIN or TEPHRA_Q_FULL |
        ! | 2 | m | rows of A, m >= 0 |
        ! | 3 | n | columns of A, n >= 0 |
        ! | 4 | a_array | batch_count pointers to m x n matrices; not NULL when there is work |
        ! | 5 | lda | leading dimension of A, lda >= max(1,m) |
        ! | 6 | q_array | batch_count pointers, receive Q; ignored for TEPHRA_Q_NONE |
        ! | 7 | ldq | leading dimension of Q, ldq >= max(1,m); likewise |
        ! | 8 | r_array | batch_count pointers, receive R |
        ! | 9 | ldr | leading dimension of R, at least max(1, rows of R) |
        ! | 10 | batch_count | number of matrices, >= 0 |
        ! | 11 | work | workspace in device memory, aligned to 16 bytes, or NULL when none is needed |
        ! | 12 | work_bytes | size of work, at least what tephra_sqr_batched_workspace() reports; a smaller one is an error |
        ! | 13 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
        !
        ! A thin Q with m >= n may overwrite A: q_array is then a_array, and ldq is lda. Otherwise A, Q and R must not
        ! overlap. Arrays and matrices are in device memory, as for tephra_sgeqrf_batched(). The call does nothing and
        ! returns success when m, n or batch_count is 0, except that with n = 0 a full Q is set to the identity.
        function tephra_qr_batched_c(part, m, n, a_array, lda, q_array, ldq, r_array, ldr, batch_count, work, work_bytes, &
            stream) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr, c_size_t
            integer(c_int), value :: part
            integer(c_int64_t), value :: m, n, lda, ldq, ldr, batch_count
            type(c_ptr), value :: a_array, q_array, r_array, work, stream
            integer(c_size_t), value :: work_bytes
            integer(c_int32_t) :: status
        end function

        ! Workspace of tephra_sqr_batched() in bytes; 0 for small matrices. Its arguments are checked as in that call, and
        ! are numbered part 1, m 2, n 3, lda 4, ldq 5, ldr 6, batch_count 7.
        function tephra_qr_batched_workspace_c(part, m, n, lda, ldq, ldr, batch_count, bytes) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_size_t
            integer(c_int), value :: part
            integer(c_int64_t), value :: m, n, lda, ldq, ldr, batch_count
            integer(c_size_t), intent(out) :: bytes
            integer(c_int32_t) :: status
        end function

        ! tephra_sqr_batched() for matrices at a constant stride (in elements). With batch_count > 1, stride_a >= 0, and
        ! stride_q and stride_r at least the rows of Q and R; matrices that are written must not share elements. For a
        ! thin Q that overwrites A, q, ldq and stride_q are those of A. Arguments are numbered part 1, m 2, n 3, a 4,
        ! lda 5, stride_a 6, q 7, ldq 8, stride_q 9, r 10, ldr 11, stride_r 12, batch_count 13, work 14, work_bytes 15,
        ! stream 16.
        function tephra_qr_strided_batched_c(part, m, n, a, lda, stride_a, q, ldq, stride_q, r, ldr, stride_r, batch_count, &
            work, work_bytes, stream) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr, c_size_t
            integer(c_int), value :: part
            integer(c_int64_t), value :: m, n, lda, stride_a, ldq, stride_q, ldr, stride_r, batch_count
            type(c_ptr), value :: a, q, r, work, stream
            integer(c_size_t), value :: work_bytes
            integer(c_int32_t) :: status
        end function

        ! Workspace of tephra_sqr_strided_batched() in bytes. Arguments are numbered part 1, m 2, n 3, lda 4, stride_a 5,
        ! ldq 6, stride_q 7, ldr 8, stride_r 9, batch_count 10.
        function tephra_qr_strided_batched_workspace_c(part, m, n, lda, stride_a, ldq, stride_q, ldr, stride_r, batch_count, &
            bytes) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_size_t
            integer(c_int), value :: part
            integer(c_int64_t), value :: m, n, lda, stride_a, ldq, stride_q, ldr, stride_r, batch_count
            integer(c_size_t), intent(out) :: bytes
            integer(c_int32_t) :: status
        end function

        ! Batched LAPACK SGELS: least-squares or minimum-norm solutions of op(A(i)) X(i) = B(i), A(i) of full rank.
        !
        ! With TEPHRA_TRANS_N and m >= n, X minimises the 2-norm of each column of B - A X. It is returned in rows 0..n-1
        ! of B; the sum of squares of rows n..m-1 of a column is that of its residual. With m < n, X is the solution of
        ! least 2-norm, in rows 0..n-1. With TEPHRA_TRANS_T (real types) or _C the same holds for A^H X = B, where B has n
        ! rows on entry and X has m. A(i) is overwritten. The call is asynchronous on the stream, allocates nothing
        ! (except scratch memory from the stream-ordered pool where rows are divided among thread blocks or all reflectors
        ! act at once, see docs/tall-and-large.md) and can be captured in a CUDA graph. A NaN or infinity affects only its
        ! own matrix.
        !
        ! | # | argument | |
        ! | - | -------- | - |
        ! | 1 | trans | TEPHRA_TRANS_N, _T or _C; _T is for real types only, as in LAPACK |
        ! | 2 | m | rows of A, m >= 0 |
        ! | 3 | n | columns of A, n >= 0 |
        ! | 4 | nrhs | right-hand sides, columns of B and X, nrhs >= 0 |
        ! | 5 | a_array | batch_count pointers to m x n matrices; not NULL when there is work |
        ! | 6 | lda | leading dimension of A, lda >= max(1,m) |
        ! | 7 | b_array | batch_count pointers to max(m,n) x nrhs matrices; not NULL when nrhs > 0 and there is work |
        ! | 8 | ldb | leading dimension of B, ldb >= max(1,m,n) |
        ! | 9 | info | one int per matrix in device memory, or NULL: 0, or j when element j (from 1) of the triangular
        ! factor's diagonal is exactly 0, so that A(i) does not have full rank and its X is invalid |
        ! | 10 | batch_count | number of matrices, >= 0 |
        ! | 11 | work | workspace in device memory, aligned to 16 bytes, or NULL when none is needed |
        ! | 12 | work_bytes | size of work, at least what tephra_sgels_batched_workspace() reports; a smaller one is an error
        ! |
        ! | 13 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
        !
        ! Arrays and matrices are in device memory, as for tephra_sgeqrf_batched(). The call does nothing and returns
        ! success when batch_count or the number of rows of X is 0; all of info is then set to 0. Without right-hand sides
        ! A is still factored and info set; without equations X is set to zero.
        function tephra_gels_batched_c(trans, m, n, nrhs, a_array, lda, b_array, ldb, info, batch_count, work, work_bytes, &
            stream) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr, c_size_t
            integer(c_int), value :: trans
            integer(c_int64_t), value :: m, n, nrhs, lda, ldb, batch_count
            type(c_ptr), value :: a_array, b_array, info, work, stream
            integer(c_size_t), value :: work_bytes
            integer(c_int32_t) :: status
        end function

        ! Workspace of tephra_sgels_batched() in bytes; 0 for small matrices. Its arguments are checked as in that call,
        ! and are numbered trans 1, m 2, n 3, nrhs 4, lda 5, ldb 6, batch_count 7.
        function tephra_gels_batched_workspace_c(trans, m, n, nrhs, lda, ldb, batch_count, bytes) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_size_t
            integer(c_int), value :: trans
            integer(c_int64_t), value :: m, n, nrhs, lda, ldb, batch_count
            integer(c_size_t), intent(out) :: bytes
            integer(c_int32_t) :: status
        end function

        ! tephra_sgels_batched() for matrices at a constant stride (in elements). With batch_count > 1, stride_a >=
        ! max(1,m), and stride_b >= max(1,m,n) where there are right-hand sides; matrices must not share elements.
        ! Arguments are numbered trans 1, m 2, n 3, nrhs 4, a 5, lda 6, stride_a 7, b 8, ldb 9, stride_b 10, info 11,
        ! batch_count 12, work 13, work_bytes 14, stream 15.
        function tephra_gels_strided_batched_c(trans, m, n, nrhs, a, lda, stride_a, b, ldb, stride_b, info, batch_count, &
            work, work_bytes, stream) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr, c_size_t
            integer(c_int), value :: trans
            integer(c_int64_t), value :: m, n, nrhs, lda, stride_a, ldb, stride_b, batch_count
            type(c_ptr), value :: a, b, info, work, stream
            integer(c_size_t), value :: work_bytes
            integer(c_int32_t) :: status
        end function

        ! Workspace of tephra_sgels_strided_batched() in bytes. Arguments are numbered trans 1, m 2, n 3, nrhs 4, lda 5,
        ! stride_a 6, ldb 7, stride_b 8, batch_count 9.
        function tephra_gels_strided_batched_workspace_c(trans, m, n, nrhs, lda, stride_a, ldb, stride_b, batch_count, &
            bytes) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_size_t
            integer(c_int), value :: trans
            integer(c_int64_t), value :: m, n, nrhs, lda, stride_a, ldb, stride_b, batch_count
            integer(c_size_t), intent(out) :: bytes
            integer(c_int32_t) :: status
        end function

        ! Batched least squares with matrices of any rank, LAPACK SGELSY for each matrix: among all X(i) that minimise the
        ! 2-norm of each column of B(i) - A(i) X(i), the one of least 2-norm.
        !
        ! A P = Q R is computed as by tephra_sgeqp3_batched(). The rank is the order of the largest leading triangle of R
        ! whose condition number, estimated row by row, is at most 1 / rcond; the rest of R is taken to be zero.
        ! Reflectors from the right then reduce the leading rows of R to a triangle, which is solved for B (complete
        ! orthogonal factorisation). As in LAPACK, A and B are scaled if their largest element is near either end of the
        ! range, here by a power of two, which is exact, and X is scaled back.
        !
        ! On exit X is in rows 0..n-1 of B. If m > n and the rank is n, the sum of squares of rows n..m-1 of a column is
        ! that of its residual; otherwise the contents of these rows are unspecified. The contents of A are unspecified.
        !
        ! The call is asynchronous on the stream, allocates nothing and can be captured in a CUDA graph; on the CPU
        ! backend it has finished when it returns. A NaN or infinity affects only its own problem.
        !
        ! | # | argument | |
        ! | - | -------- | - |
        ! | 1 | m | rows of A, m >= 0; on CUDA less than 2^31, else TEPHRA_STATUS_NOT_SUPPORTED |
        ! | 2 | n | columns of A, 0 <= n < 2^31; m < n is allowed |
        ! | 3 | nrhs | right-hand sides, columns of B, nrhs >= 0; with 0 only the ranks are computed |
        ! | 4 | a_array | batch_count pointers to matrices of lda*n elements; overwritten; not NULL when there is work |
        ! | 5 | lda | leading dimension of A, lda >= max(1,m) |
        ! | 6 | b_array | batch_count pointers to matrices of ldb*nrhs elements: m rows in, n rows out; may be NULL with nrhs
        ! 0 |
        ! | 7 | ldb | leading dimension of B, ldb >= max(1,m,n) |
        ! | 8 | jpvt_array | batch_count pointers to vectors of n ints, as for tephra_sgeqp3_batched(): initial columns in,
        ! permutation out |
        ! | 9 | rcond | reciprocal of the largest condition number; if negative: max(m,n) times the distance from 1 to the
        ! next number |
        ! | 10 | rank | one int per matrix in device memory, its rank, or NULL |
        ! | 11 | batch_count | number of matrices, >= 0; as for tephra_sgeqrf_batched() |
        ! | 12 | work | workspace in device memory, aligned to 16 bytes, or NULL when none is needed |
        ! | 13 | work_bytes | size of work, at least what tephra_sgelsy_batched_workspace() reports; a smaller one is an error
        ! |
        ! | 14 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
        !
        ! Arrays, matrices and vectors are in device memory, as for tephra_sgeqrf_batched(). Without unknowns (n = 0) the
        ! call only sets the ranks; without equations (m = 0) it sets X to zero and leaves jpvt unchanged. The ranks are
        ! then 0.
        function tephra_gelsy_batched_c(m, n, nrhs, a_array, lda, b_array, ldb, jpvt_array, rcond, rank, batch_count, work, &
            work_bytes, stream) bind(C) result(status)
            import :: c_double, c_int32_t, c_int64_t, c_ptr, c_size_t
            integer(c_int64_t), value :: m, n, nrhs, lda, ldb, batch_count
            type(c_ptr), value :: a_array, b_array, jpvt_array, rank, work, stream
            real(c_double), value :: rcond
            integer(c_size_t), value :: work_bytes
            integer(c_int32_t) :: status
        end function

        ! Workspace of tephra_sgelsy_batched() in bytes: a few vectors of each matrix on CUDA, 0 on the CPU. Its arguments
        ! are checked as in that call, and are numbered m 1, n 2, nrhs 3, lda 4, ldb 5, batch_count 6.
        function tephra_gelsy_batched_workspace_c(m, n, nrhs, lda, ldb, batch_count, bytes) bind(C) result(status)
            import :: c_int32_t, c_int64_t, c_size_t
            integer(c_int64_t), value :: m, n, nrhs, lda, ldb, batch_count
            integer(c_size_t), intent(out) :: bytes
            integer(c_int32_t) :: status
        end function

        ! tephra_sgelsy_batched() for matrices at a constant stride (in elements). With batch_count > 1, stride_a >=
        ! max(1,m), stride_b >= max(1,m,n) where there are right-hand sides, and stride_jpvt >= max(1,n); matrices must
        ! not share elements. Arguments are numbered m 1, n 2, nrhs 3, a 4, lda 5, stride_a 6, b 7, ldb 8, stride_b 9,
        ! jpvt 10, stride_jpvt 11, rcond 12, rank 13, batch_count 14, work 15, work_bytes 16, stream 17.
        function tephra_gelsy_strided_batched_c(m, n, nrhs, a, lda, stride_a, b, ldb, stride_b, jpvt, stride_jpvt, rcond, &
            rank, batch_count, work, work_bytes, stream) bind(C) result(status)
            import :: c_double, c_int32_t, c_int64_t, c_ptr, c_size_t
            integer(c_int64_t), value :: m, n, nrhs, lda, stride_a, ldb, stride_b, stride_jpvt, batch_count
            type(c_ptr), value :: a, b, jpvt, rank, work, stream
            real(c_double), value :: rcond
            integer(c_size_t), value :: work_bytes
            integer(c_int32_t) :: status
        end function

        ! Workspace of tephra_sgelsy_strided_batched() in bytes. Arguments are numbered m 1, n 2, nrhs 3, lda 4, stride_a 5,
        ! ldb 6,
        ! stride_b 7, stride_jpvt 8, batch_count 9.
        function tephra_gelsy_strided_batched_workspace_c(m, n, nrhs, lda, stride_a, ldb, stride_b, stride_jpvt, &
            batch_count, bytes) bind(C) result(status)
            import :: c_int32_t, c_int64_t, c_size_t
            integer(c_int64_t), value :: m, n, nrhs, lda, stride_a, ldb, stride_b, stride_jpvt, batch_count
            integer(c_size_t), intent(out) :: bytes
            integer(c_int32_t) :: status
        end function

        ! QR factorisation of one matrix, LAPACK SGEQRF: A = Q R, in place, of any size that fits into memory.
        !
        ! A and tau are left as by tephra_sgeqrf_batched() with one matrix, to the last bit: R on and above the diagonal,
        ! the reflectors below it. Matrices of more than 2048 rows are divided among the thread blocks of the GPU
        ! (docs/tall-and-large.md).
        !
        ! The call is asynchronous on the stream and can be captured in a CUDA graph; scratch memory for divided matrices
        ! comes from the stream-ordered pool. On the CPU backend it has finished when it returns. Rows m..lda-1 of A are
        ! neither read nor written.
        !
        ! | # | argument | |
        ! | - | -------- | - |
        ! | 1 | m | rows, m >= 0; on CUDA less than 2^31, else TEPHRA_STATUS_NOT_SUPPORTED |
        ! | 2 | n | columns, n >= 0, likewise; m < n is allowed |
        ! | 3 | a | the matrix, lda*n elements of device memory; not NULL when there is work |
        ! | 4 | lda | leading dimension, in elements, lda >= max(1,m) |
        ! | 5 | tau | max(1,min(m,n)) elements of device memory, likewise |
        ! | 6 | work | workspace in device memory, or NULL |
        ! | 7 | work_bytes | size of work, at least what tephra_sgeqrf_workspace() reports |
        ! | 8 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
        !
        ! The CPU backend, where all memory is host memory, ignores the stream. The call does nothing and returns success
        ! when m or n is 0.
        function tephra_geqrf_c(m, n, a, lda, tau, work, work_bytes, stream) bind(C) result(status)
            import :: c_int32_t, c_int64_t, c_ptr, c_size_t
            integer(c_int64_t), value :: m, n, lda
            type(c_ptr), value :: a, tau, work, stream
            integer(c_size_t), value :: work_bytes
            integer(c_int32_t) :: status
        end function

        ! Workspace of tephra_sgeqrf() in bytes, at present 0 for every shape. Its arguments are checked as in that call,
        ! and are numbered m 1, n 2, lda 3.
        function tephra_geqrf_workspace_c(m, n, lda, bytes) bind(C) result(status)
            import :: c_int32_t, c_int64_t, c_size_t
            integer(c_int64_t), value :: m, n, lda
            integer(c_size_t), intent(out) :: bytes
            integer(c_int32_t) :: status
        end function

        ! LAPACK SORGQR of one matrix: the first n columns of Q = H(1) H(2) ... H(k), overwriting the reflectors that
        ! tephra_sgeqrf() left in the first k columns of A. Elements on and above the diagonal are not read.
        !
        ! The call is asynchronous on the stream, needs no workspace and can be captured in a CUDA graph.
        !
        ! | # | argument | |
        ! | - | -------- | - |
        ! | 1 | m | rows of Q, m >= 0 |
        ! | 2 | n | columns of Q, 0 <= n <= m |
        ! | 3 | k | reflectors, 0 <= k <= n |
        ! | 4 | a | the reflectors, then Q: lda*n elements of device memory; not NULL when there is work |
        ! | 5 | lda | leading dimension, lda >= max(1,m); rows m..lda-1 are neither read nor written |
        ! | 6 | tau | k elements of device memory; not NULL when k > 0 and there is work |
        ! | 7 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
        !
        ! The call does nothing and returns success when n is 0. On the CPU backend, as for tephra_sgeqrf().
        function tephra_orgqr_c(m, n, k, a, lda, tau, stream) bind(C) result(status)
            import :: c_int32_t, c_int64_t, c_ptr
            integer(c_int64_t), value :: m, n, k, lda
            type(c_ptr), value :: a, tau, stream
            integer(c_int32_t) :: status
        end function

        ! LAPACK SORMQR of one matrix: C := op(Q) C or C op(Q), with Q = H(1) H(2) ... H(k) as tephra_sgeqrf() leaves it.
        !
        ! A is read only below its diagonal, and is not written. The call is asynchronous on the stream, needs no
        ! workspace and can be captured in a CUDA graph.
        !
        ! | # | argument | |
        ! | - | -------- | - |
        ! | 1 | side | TEPHRA_SIDE_LEFT or TEPHRA_SIDE_RIGHT |
        ! | 2 | trans | TEPHRA_TRANS_N, _T or _C; for complex types T is Q^T, which LAPACK does not support |
        ! | 3 | m | rows of C, m >= 0 |
        ! | 4 | n | columns of C, n >= 0 |
        ! | 5 | k | reflectors, 0 <= k <= q, where q, the order of Q, is m (left) or n (right) |
        ! | 6 | a | the reflectors, a q x k matrix in device memory; not NULL when there is work |
        ! | 7 | lda | leading dimension of A, lda >= max(1,q) |
        ! | 8 | tau | k elements of device memory, likewise |
        ! | 9 | c | an m x n matrix in device memory, likewise |
        ! | 10 | ldc | leading dimension of C, ldc >= max(1,m); rows m..ldc-1 are neither read nor written |
        ! | 11 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
        !
        ! The call does nothing and returns success when m, n or k is 0. On the CPU backend, as for tephra_sgeqrf().
        function tephra_ormqr_c(side, trans, m, n, k, a, lda, tau, c, ldc, stream) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr
            integer(c_int), value :: side, trans
            integer(c_int64_t), value :: m, n, k, lda, ldc
            type(c_ptr), value :: a, tau, c, stream
            integer(c_int32_t) :: status
        end function

        ! LAPACK SGELS of one matrix: the least-squares or minimum-norm solution of op(A) X = B, A of full rank.
        !
        ! With TEPHRA_TRANS_N and m >= n, X minimises the 2-norm of each column of B - A X. It is returned in rows 0..n-1
        ! of B; the sum of squares of rows n..m-1 of a column is that of its residual. With m < n, X is the solution of
        ! least 2-norm, in rows 0..n-1. With TEPHRA_TRANS_T (real types) or _C the same holds for A^H X = B, where B has n
        ! rows on entry and X has m. A is overwritten. The call is asynchronous on the stream and can be captured in a
        ! CUDA graph.
        !
        ! | # | argument | |
        ! | - | -------- | - |
        ! | 1 | trans | TEPHRA_TRANS_N, _T or _C; _T is for real types only, as in LAPACK |
        ! | 2 | m | rows of A, m >= 0 |
        ! | 3 | n | columns of A, n >= 0 |
        ! | 4 | nrhs | right-hand sides, columns of B and X, nrhs >= 0 |
        ! | 5 | a | an m x n matrix in device memory; not NULL when there is work |
        ! | 6 | lda | leading dimension of A, lda >= max(1,m) |
        ! | 7 | b | a max(m,n) x nrhs matrix in device memory; not NULL when nrhs > 0 and there is work |
        ! | 8 | ldb | leading dimension of B, ldb >= max(1,m,n) |
        ! | 9 | info | an int in device memory, or NULL: 0, or j when element j (from 1) of the triangular factor's diagonal
        ! is exactly 0, so that A does not have full rank and X is invalid |
        ! | 10 | work | workspace in device memory, aligned to 16 bytes, or NULL when none is needed |
        ! | 11 | work_bytes | size of work, at least what tephra_sgels_workspace() reports; a smaller one is an error |
        ! | 12 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
        !
        ! The call does nothing and returns success when the number of rows of X is 0; info is then set to 0. Without
        ! right-hand sides A is still factored and info set; without equations X is set to zero. On the CPU backend, as
        ! for tephra_sgeqrf().
        function tephra_gels_c(trans, m, n, nrhs, a, lda, b, ldb, info, work, work_bytes, stream) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr, c_size_t
            integer(c_int), value :: trans
            integer(c_int64_t), value :: m, n, nrhs, lda, ldb
            type(c_ptr), value :: a, b, info, work, stream
            integer(c_size_t), value :: work_bytes
            integer(c_int32_t) :: status
        end function

        ! Workspace of tephra_sgels() in bytes; 0 for small matrices. Its arguments are checked as in that call, and are
        ! numbered trans 1, m 2, n 3, nrhs 4, lda 5, ldb 6.
        function tephra_gels_workspace_c(trans, m, n, nrhs, lda, ldb, bytes) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_size_t
            integer(c_int), value :: trans
            integer(c_int64_t), value :: m, n, nrhs, lda, ldb
            integer(c_size_t), intent(out) :: bytes
            integer(c_int32_t) :: status
        end function

        ! QR factorisation of one matrix with an implicit Q, LAPACK SGEQR: A = Q R, in place.
        !
        ! On exit the elements on and above the diagonal of A hold the min(m,n) x n upper trapezoidal R. The elements
        ! below the diagonal and T represent Q in an internal format, for tephra_sgemqr() only, and must not be changed.
        ! Matrices of at most 256 columns whose panels of 32 columns have more than 2048 rows each are factored panel by
        ! panel with a reduction tree over blocks of rows (TSQR), which reads and writes each panel once; the signs of R
        ! are then arbitrary. All other shapes are factored as by tephra_sgeqrf(), and T begins with tau. The choice
        ! depends only on the type, the sizes and the device, not on settings; Q must be applied on the device that
        ! computed it.
        !
        ! The call is asynchronous on the stream, needs no workspace and can be captured in a CUDA graph. On the CPU
        ! backend it has finished when it returns. Rows m..lda-1 of A are neither read nor written.
        !
        ! | # | argument | |
        ! | - | -------- | - |
        ! | 1 | m | rows, m >= 0; on CUDA less than 2^31 for shapes without a tree, else TEPHRA_STATUS_NOT_SUPPORTED |
        ! | 2 | n | columns, n >= 0, likewise; m < n is allowed |
        ! | 3 | a | the matrix, lda*n elements of device memory; not NULL when there is work |
        ! | 4 | lda | leading dimension, in elements, lda >= max(1,m) |
        ! | 5 | t | receives T, tsize elements of device memory, which need no alignment beyond their own; likewise |
        ! | 6 | tsize | its size in elements, at least what tephra_sgeqr_tsize() reports; a smaller one is an error |
        ! | 7 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
        !
        ! The CPU backend, where all memory is host memory, ignores the stream. The call does nothing and returns success
        ! when m or n is 0.
        function tephra_geqr_c(m, n, a, lda, t, tsize, stream) bind(C) result(status)
            import :: c_int32_t, c_int64_t, c_ptr
            integer(c_int64_t), value :: m, n, lda, tsize
            type(c_ptr), value :: a, t, stream
            integer(c_int32_t) :: status
        end function

        ! Writes the number of elements of T of tephra_sgeqr() for an m x n matrix to *tsize: min(m,n), or with a tree
        ! about the square of the panel's columns for every block of rows of every panel. It is the same on all devices
        ! and backends. Arguments are numbered m 1, n 2.
        function tephra_geqr_tsize_c(m, n, tsize) bind(C) result(status)
            import :: c_int32_t, c_int64_t
            integer(c_int64_t), value :: m, n
            integer(c_int64_t), intent(out) :: tsize
            integer(c_int32_t) :: status
        end function

        ! tephra_sgeqr() for matrices at a constant stride: A(i) starts at a + i*stride_a, T(i) at t + i*stride_t (in
        ! elements, device memory). With batch_count > 1, stride_a >= max(1,m) and stride_t at least what
        ! tephra_sgeqr_tsize() reports; matrices must not share elements. A NaN or infinity affects only its own matrix,
        ! and the result of a matrix does not depend on the others. Arguments are numbered m 1, n 2, a 3, lda 4,
        ! stride_a 5, t 6, tsize 7, stride_t 8, batch_count 9, stream 10.
        function tephra_geqr_strided_batched_c(m, n, a, lda, stride_a, t, tsize, stride_t, batch_count, stream) bind(C) &
            result(status)
            import :: c_int32_t, c_int64_t, c_ptr
            integer(c_int64_t), value :: m, n, lda, stride_a, tsize, stride_t, batch_count
            type(c_ptr), value :: a, t, stream
            integer(c_int32_t) :: status
        end function

        ! LAPACK SGEMQR of one matrix: C := op(Q) C or C op(Q), with Q as tephra_sgeqr() left it in A and T.
        !
        ! With a tree, each block of rows is read once for every few columns of C, level by level, and C is updated in
        ! place. A and T are not written. The call is asynchronous on the stream, needs no workspace and can be captured
        ! in a CUDA graph.
        !
        ! | # | argument | |
        ! | - | -------- | - |
        ! | 1 | side | TEPHRA_SIDE_LEFT: op(Q) C, Q of order m; TEPHRA_SIDE_RIGHT: C op(Q), Q of order n |
        ! | 2 | trans | TEPHRA_TRANS_N, TEPHRA_TRANS_T or TEPHRA_TRANS_C; LAPACK has no T for complex types |
        ! | 3 | m | rows of C, m >= 0 |
        ! | 4 | n | columns of C, n >= 0 |
        ! | 5 | k | the smaller one of the sizes given to tephra_sgeqr(), 0 <= k <= order of Q |
        ! | 6 | a | what tephra_sgeqr() left, device memory; not NULL when there is work |
        ! | 7 | lda | leading dimension, lda >= max(1, order of Q) |
        ! | 8 | t | T of tephra_sgeqr() |
        ! | 9 | tsize | its size in elements, at least what tephra_sgeqr_tsize() reports for an (order of Q) x k matrix |
        ! | 10 | c | the matrix C, device memory |
        ! | 11 | ldc | leading dimension, ldc >= max(1,m); rows m..ldc-1 are neither read nor written |
        ! | 12 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
        !
        ! The order of Q is the m given to tephra_sgeqr(). The call does nothing and returns success when m, n or k is 0.
        ! On the CPU backend, as for tephra_sgeqr().
        function tephra_gemqr_c(side, trans, m, n, k, a, lda, t, tsize, c, ldc, stream) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr
            integer(c_int), value :: side, trans
            integer(c_int64_t), value :: m, n, k, lda, tsize, ldc
            type(c_ptr), value :: a, t, c, stream
            integer(c_int32_t) :: status
        end function

        ! tephra_sgemqr() for matrices at a constant stride (in elements). With batch_count > 1, stride_c >= max(1,m),
        ! stride_a >= 0 and stride_t >= 0; strides of 0 apply one Q to every C. Arguments are numbered side 1, trans 2,
        ! m 3, n 4, k 5, a 6, lda 7, stride_a 8, t 9, tsize 10, stride_t 11, c 12, ldc 13, stride_c 14, batch_count 15,
        ! stream 16.
        function tephra_gemqr_strided_batched_c(side, trans, m, n, k, a, lda, stride_a, t, tsize, stride_t, c, ldc, &
            stride_c, batch_count, stream) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr
            integer(c_int), value :: side, trans
            integer(c_int64_t), value :: m, n, k, lda, stride_a, tsize, stride_t, ldc, stride_c, batch_count
            type(c_ptr), value :: a, t, c, stream
            integer(c_int32_t) :: status
        end function

        ! Iterative least squares with one tall matrix, much faster than tephra_sgels() and as accurate: X minimises the
        ! 2-norm of each column of B - A X. A must have at least as many rows as columns, and full rank. A and B are not
        ! modified.
        !
        ! A^H A is formed in double precision, and its Cholesky factor R preconditions the method of conjugate gradients.
        ! Each step reads A once to compute the true residual r = b - A x of its new x. The iteration stops when |A^H
        ! r| <= tolerance |A| |r|, when the component of r in the range of A is at most tolerance (|A| |x| + |b|), or when
        ! further steps only change x by rounding errors (2-norms, and the Frobenius norm for |A|). One to three steps are
        ! usual.
        !
        ! The call falls back to QR, as in tephra_sgels(), on copies of A and B in memory of the stream-ordered pool, if
        ! A^H A has no usable R (because of NaNs, or of a condition number of A beyond about 1e8 after its columns are
        ! scaled to equal length), if the iteration does not converge, or if n > 1024. Right-hand sides that have
        ! converged keep their solutions.
        !
        ! The call waits for the stream to learn whether the fallback is needed. It cannot be captured in a CUDA graph: on
        ! a stream that is being captured it does nothing and returns TEPHRA_STATUS_NOT_SUPPORTED.
        !
        ! | # | argument | |
        ! | - | -------- | - |
        ! | 1 | m | rows of A, m >= 0 |
        ! | 2 | n | columns of A, 0 <= n <= m |
        ! | 3 | nrhs | right-hand sides, columns of B and X, nrhs >= 0 |
        ! | 4 | a | an m x n matrix in device memory; not NULL when there is work |
        ! | 5 | lda | leading dimension of A, lda >= max(1,m) |
        ! | 6 | b | an m x nrhs matrix in device memory, likewise |
        ! | 7 | ldb | leading dimension of B, ldb >= max(1,m) |
        ! | 8 | x | receives the n x nrhs solutions, device memory, likewise; must not overlap A or B |
        ! | 9 | ldx | leading dimension of X, ldx >= max(1,n) |
        ! | 10 | tolerance | >= 0; 0: 2^-24 in single precision, 2^-52 in double, which is the least |
        ! | 11 | max_iterations | most steps, >= 0; 0: 16 |
        ! | 12 | iterations | nrhs ints in device memory, or NULL: steps or a reason for the fallback to QR, see below |
        ! | 13 | residuals | nrhs real numbers in device memory, or NULL: the 2-norms of b - A x, see below |
        ! | 14 | info | an int in device memory, or NULL: 0, or that of tephra_sgels() after a fallback to QR |
        ! | 15 | work | workspace in device memory, aligned to 16 bytes, or NULL when none is needed |
        ! | 16 | work_bytes | size of work, at least what tephra_sgels_iterative_workspace() reports; a smaller one is an
        ! error |
        ! | 17 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
        !
        ! iterations receives, for each right-hand side, the number of steps after its first solution, or why QR solved
        ! it: -1 if A^H A has no usable R or squares are out of range, -2 if max_iterations were not enough, -3 if n >
        ! 1024. residuals receives the 2-norms of b - A x, before x is rounded to single precision, to within tolerance
        ! (|A| |x| + |b|); for systems that are nearly consistent and have a condition number above about 1e5 it may be
        ! too large (docs/accuracy.md). It is NaN if QR solved the system and info is not 0 or x is not finite.
        !
        ! The call does nothing and returns success when n or nrhs is 0; info is then set to 0. A right-hand side with a
        ! NaN has NaNs as its solution, and 0 iterations. After a fallback to QR, x and the vector whose norm is the
        ! residual are what tephra_sgels() leaves in B, even if A is not finite: an infinity that it only divides by, as
        ! with a 1 x 1 matrix, makes x 0 and adds nothing to the residual. Sources: Paige and Saunders, LSQR (1982), for
        ! the stopping criteria; Bjorck, Numerical Methods for Least Squares Problems (1996).
        function tephra_gels_iterative_c(m, n, nrhs, a, lda, b, ldb, x, ldx, tolerance, max_iterations, iterations, &
            residuals, info, work, work_bytes, stream) bind(C) result(status)
            import :: c_double, c_int32_t, c_int64_t, c_ptr, c_size_t
            integer(c_int64_t), value :: m, n, nrhs, lda, ldb, ldx, max_iterations
            type(c_ptr), value :: a, b, x, iterations, residuals, info, work, stream
            real(c_double), value :: tolerance
            integer(c_size_t), value :: work_bytes
            integer(c_int32_t) :: status
        end function

        ! Workspace of tephra_sgels_iterative() in bytes; 0 on the CPU backend. Its arguments are checked as in that call,
        ! and are numbered m 1, n 2, nrhs 3, lda 4, ldb 5, ldx 6.
        function tephra_gels_iterative_workspace_c(m, n, nrhs, lda, ldb, ldx, bytes) bind(C) result(status)
            import :: c_int32_t, c_int64_t, c_size_t
            integer(c_int64_t), value :: m, n, nrhs, lda, ldb, ldx
            integer(c_size_t), intent(out) :: bytes
            integer(c_int32_t) :: status
        end function

        ! Batched iterative least squares with tall matrices of one shape: X(i) minimises the 2-norm of each column of
        ! B(i) - A(i) X(i). tephra_sgels_iterative() describes the method.
        !
        ! The matrices iterate concurrently, in groups whose data fit into 128 MiB of workspace. Each right-hand side of
        ! each matrix converges independently, and those that need the fallback to QR get it independently, on copies in
        ! memory of the stream-ordered pool, of up to 64 MiB of matrices (or a single larger one) at a time. A NaN, an
        ! infinity or a singular matrix does not affect the results of other matrices. The call waits for the stream a few
        ! times per group, and cannot be captured.
        !
        ! | # | argument | |
        ! | - | -------- | - |
        ! | 1 | m | rows of each A, m >= 0 |
        ! | 2 | n | columns of each A, 0 <= n <= m |
        ! | 3 | nrhs | right-hand sides of each, nrhs >= 0 |
        ! | 4 | a_array | batch_count pointers to m x n matrices, which are not modified and may coincide; not NULL when there
        ! is work |
        ! | 5 | lda | leading dimension of each A, lda >= max(1,m) |
        ! | 6 | b_array | batch_count pointers to m x nrhs matrices, likewise |
        ! | 7 | ldb | leading dimension of each B, ldb >= max(1,m) |
        ! | 8 | x_array | batch_count pointers to n x nrhs matrices that receive the solutions; must not overlap any A or B,
        ! or each other |
        ! | 9 | ldx | leading dimension of each X, ldx >= max(1,n) |
        ! | 10 | tolerance | >= 0; 0: 2^-24 in single precision, 2^-52 in double, which is the least |
        ! | 11 | max_iterations | most steps, >= 0; 0: 16 |
        ! | 12 | iterations | batch_count * nrhs ints in device memory, nrhs for each matrix, or NULL: as for one matrix |
        ! | 13 | residuals | as many real numbers in device memory, or NULL: the 2-norms of b - A x, likewise |
        ! | 14 | info | one int per matrix in device memory, or NULL: 0, or that of tephra_sgels_batched() after a fallback to
        ! QR |
        ! | 15 | batch_count | number of matrices, >= 0 |
        ! | 16 | work | workspace in device memory, aligned to 16 bytes, or NULL when none is needed |
        ! | 17 | work_bytes | size of work, at least what tephra_sgels_iterative_batched_workspace() reports; a smaller one is
        ! an error |
        ! | 18 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
        !
        ! Arrays and matrices are in device memory. The call does nothing and returns success when n, nrhs or batch_count
        ! is 0; all of info is then set to 0. The division of the rows depends on the batch count, unless
        ! TEPHRA_BATCH_INVARIANT is set. For small matrices tephra_sgels_batched() is faster: see docs/tall-and-large.md.
        function tephra_gels_iterative_batched_c(m, n, nrhs, a_array, lda, b_array, ldb, x_array, ldx, tolerance, &
            max_iterations, iterations, residuals, info, batch_count, work, work_bytes, stream) bind(C) result(status)
            import :: c_double, c_int32_t, c_int64_t, c_ptr, c_size_t
            integer(c_int64_t), value :: m, n, nrhs, lda, ldb, ldx, max_iterations, batch_count
            type(c_ptr), value :: a_array, b_array, x_array, iterations, residuals, info, work, stream
            real(c_double), value :: tolerance
            integer(c_size_t), value :: work_bytes
            integer(c_int32_t) :: status
        end function

        ! Workspace of tephra_sgels_iterative_batched() in bytes: no more than 128 MiB, unless one matrix needs more; 0 on
        ! the CPU backend. Its arguments are checked as in that call, and are numbered m 1, n 2, nrhs 3, lda 4, ldb 5,
        ! ldx 6, batch_count 7.
        function tephra_gels_iterative_batched_workspace_c(m, n, nrhs, lda, ldb, ldx, batch_count, bytes) bind(C) &
            result(status)
            import :: c_int32_t, c_int64_t, c_size_t
            integer(c_int64_t), value :: m, n, nrhs, lda, ldb, ldx, batch_count
            integer(c_size_t), intent(out) :: bytes
            integer(c_int32_t) :: status
        end function

        ! tephra_sgels_iterative_batched() for matrices at a constant stride (in elements). With batch_count > 1, stride_a
        ! and stride_b are >= 0 (0: one matrix for all members) and stride_x >= max(1,n); solutions must not share
        ! elements. Arguments are numbered m 1, n 2, nrhs 3, a 4, lda 5, stride_a 6, b 7, ldb 8, stride_b 9, x 10, ldx 11,
        ! stride_x 12, tolerance 13, max_iterations 14, iterations 15, residuals 16, info 17, batch_count 18, work 19,
        ! work_bytes 20, stream 21.
        function tephra_gels_iterative_strided_batched_c(m, n, nrhs, a, lda, stride_a, b, ldb, stride_b, x, ldx, stride_x, &
            tolerance, max_iterations, iterations, residuals, info, batch_count, work, work_bytes, stream) bind(C) &
            result(status)
            import :: c_double, c_int32_t, c_int64_t, c_ptr, c_size_t
            integer(c_int64_t), value :: m, n, nrhs, lda, stride_a, ldb, stride_b, ldx, stride_x, max_iterations, &
                batch_count
            type(c_ptr), value :: a, b, x, iterations, residuals, info, work, stream
            real(c_double), value :: tolerance
            integer(c_size_t), value :: work_bytes
            integer(c_int32_t) :: status
        end function

        ! Workspace of tephra_sgels_iterative_strided_batched() in bytes. Arguments are numbered m 1, n 2, nrhs 3, lda 4,
        ! stride_a 5, ldb 6, stride_b 7, ldx 8, stride_x 9, batch_count 10.
        function tephra_gels_iterative_strided_batched_workspace_c(m, n, nrhs, lda, stride_a, ldb, stride_b, ldx, stride_x, &
            batch_count, bytes) bind(C) result(status)
            import :: c_int32_t, c_int64_t, c_size_t
            integer(c_int64_t), value :: m, n, nrhs, lda, stride_a, ldb, stride_b, ldx, stride_x, batch_count
            integer(c_size_t), intent(out) :: bytes
            integer(c_int32_t) :: status
        end function

        ! Batched BLAS STRSM: B(i) := alpha op(A(i))^-1 B(i) or alpha B(i) op(A(i))^-1, A(i) triangular.
        !
        ! The other triangle of A(i) and a unit diagonal are not read. A(i) is not checked for singularity: the effect of
        ! a division by zero is limited to B(i). With alpha = 0, B is set to zero and A is not read (and may be NULL).
        ! Members of the batch may share one A. The call is asynchronous on the stream, allocates nothing, needs no
        ! workspace and can be captured in a CUDA graph.
        !
        ! | # | argument | |
        ! | - | -------- | - |
        ! | 1 | side | TEPHRA_SIDE_LEFT or TEPHRA_SIDE_RIGHT |
        ! | 2 | uplo | TEPHRA_UPLO_UPPER or TEPHRA_UPLO_LOWER |
        ! | 3 | trans | TEPHRA_TRANS_N, _T or _C |
        ! | 4 | diag | TEPHRA_DIAG_NON_UNIT or TEPHRA_DIAG_UNIT |
        ! | 5 | m | rows of B, m >= 0 |
        ! | 6 | n | columns of B, n >= 0 |
        ! | 7 | alpha | one number in host memory, read before the call returns; not NULL when there is work |
        ! | 8 | a_array | batch_count pointers to matrices of order q = m (left) or n (right); not NULL when there is work |
        ! | 9 | lda | leading dimension of A, lda >= max(1,q) |
        ! | 10 | b_array | batch_count pointers to m x n matrices, likewise |
        ! | 11 | ldb | leading dimension of B, ldb >= max(1,m); rows m..ldb-1 are neither read nor written |
        ! | 12 | batch_count | number of matrices, >= 0 |
        ! | 13 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
        !
        ! Arrays and matrices are in device memory, as for tephra_sgeqrf_batched(). The call does nothing and returns
        ! success when m, n or batch_count is 0.
        function tephra_trsm_batched_c(side, uplo, trans, diag, m, n, alpha, a_array, lda, b_array, ldb, batch_count, &
            stream) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr
            integer(c_int), value :: side, uplo, trans, diag
            integer(c_int64_t), value :: m, n, lda, ldb, batch_count
            type(c_ptr), value :: alpha, a_array, b_array, stream
            integer(c_int32_t) :: status
        end function

        ! tephra_strsm_batched() for matrices at a constant stride (in elements). With batch_count > 1, stride_a >= 0 (0:
        ! one A for all) and stride_b >= max(1,m). Arguments are numbered side 1, uplo 2, trans 3, diag 4, m 5, n 6,
        ! alpha 7, a 8, lda 9, stride_a 10, b 11, ldb 12, stride_b 13, batch_count 14, stream 15.
        function tephra_trsm_strided_batched_c(side, uplo, trans, diag, m, n, alpha, a, lda, stride_a, b, ldb, stride_b, &
            batch_count, stream) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr
            integer(c_int), value :: side, uplo, trans, diag
            integer(c_int64_t), value :: m, n, lda, stride_a, ldb, stride_b, batch_count
            type(c_ptr), value :: alpha, a, b, stream
            integer(c_int32_t) :: status
        end function

        ! Batched BLAS SGEMM: C(i) := alpha op(A(i)) op(B(i)) + beta C(i).
        !
        ! With beta = 0, C is not read; with alpha = 0 or k = 0, A and B are not read (and may be NULL), and C is scaled.
        ! Matrices A may coincide or overlap each other, and so may matrices B. The call is asynchronous on the stream,
        ! allocates nothing (except scratch memory from the stream-ordered pool for batches of up to eight strided
        ! products with k >= 16,384), needs no workspace and can be captured in a CUDA graph.
        !
        ! | # | argument | |
        ! | - | -------- | - |
        ! | 1 | trans_a | op of A: TEPHRA_TRANS_N, _T or _C |
        ! | 2 | trans_b | op of B, likewise |
        ! | 3 | m | rows of op(A) and C, m >= 0 |
        ! | 4 | n | columns of op(B) and C, n >= 0 |
        ! | 5 | k | columns of op(A), rows of op(B), k >= 0 |
        ! | 6 | alpha | one number in host memory, read before the call returns; not NULL when there is work |
        ! | 7 | a_array | batch_count pointers to m x k matrices (k x m if transposed); not NULL when they are read |
        ! | 8 | lda | leading dimension of A, lda >= max(1,m) (max(1,k) if transposed) |
        ! | 9 | b_array | batch_count pointers to k x n matrices (n x k if transposed), likewise |
        ! | 10 | ldb | leading dimension of B, ldb >= max(1,k) (max(1,n) if transposed) |
        ! | 11 | beta | one number in host memory, as alpha |
        ! | 12 | c_array | batch_count pointers to m x n matrices; not NULL when there is work |
        ! | 13 | ldc | leading dimension of C, ldc >= max(1,m); rows m..ldc-1 are neither read nor written |
        ! | 14 | batch_count | number of matrices, >= 0 |
        ! | 15 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
        !
        ! Arrays and matrices are in device memory, as for tephra_sgeqrf_batched(). The call does nothing and returns
        ! success when m, n or batch_count is 0, or beta is 1 and alpha or k is 0.
        function tephra_gemm_batched_c(trans_a, trans_b, m, n, k, alpha, a_array, lda, b_array, ldb, beta, c_array, ldc, &
            batch_count, stream) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr
            integer(c_int), value :: trans_a, trans_b
            integer(c_int64_t), value :: m, n, k, lda, ldb, ldc, batch_count
            type(c_ptr), value :: alpha, a_array, b_array, beta, c_array, stream
            integer(c_int32_t) :: status
        end function

        ! tephra_sgemm_batched() for matrices at a constant stride (in elements). With batch_count > 1, stride_a >= 0 (0:
        ! one A for all), stride_b >= 0 and stride_c >= max(1,m). Arguments are numbered trans_a 1, trans_b 2, m 3, n 4,
        ! k 5, alpha 6, a 7, lda 8, stride_a 9, b 10, ldb 11, stride_b 12, beta 13, c 14, ldc 15, stride_c 16,
        ! batch_count 17, stream 18.
        function tephra_gemm_strided_batched_c(trans_a, trans_b, m, n, k, alpha, a, lda, stride_a, b, ldb, stride_b, beta, &
            c, ldc, stride_c, batch_count, stream) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr
            integer(c_int), value :: trans_a, trans_b
            integer(c_int64_t), value :: m, n, k, lda, stride_a, ldb, stride_b, ldc, stride_c, batch_count
            type(c_ptr), value :: alpha, a, b, beta, c, stream
            integer(c_int32_t) :: status
        end function

        ! Products of groups of matrices: C(j) := alpha[i] op(A(j)) op(B(j)) + beta[i] C(j) for all matrices j of group i,
        ! which
        ! have the same sizes and leading dimensions.
        !
        ! All arrays except a_array, b_array and c_array are in host memory, have one element per group, and are read
        ! before the call returns. a_array, b_array and c_array have one pointer per matrix, group after group. All groups
        ! are checked before anything is computed. Each group then runs as a tephra_sgemm_batched(), and so does each run
        ! of consecutive groups with equal parameters. The call is asynchronous on the stream, allocates nothing, needs no
        ! workspace and can be captured in a CUDA graph.
        !
        ! | # | argument | |
        ! | - | -------- | - |
        ! | 1 | trans_a_array | TEPHRA_TRANS_N, _T or _C of A; not NULL when group_count > 0 |
        ! | 2 | trans_b_array | TEPHRA_TRANS_N, _T or _C of B, likewise |
        ! | 3 | m_array | rows of op(A) and C, >= 0, likewise |
        ! | 4 | n_array | columns of op(B) and C, >= 0, likewise |
        ! | 5 | k_array | columns of op(A), rows of op(B), >= 0, likewise |
        ! | 6 | alpha_array | factors of the products, likewise |
        ! | 7 | a_array | pointers to A of all groups; not NULL when there is work and alpha is not 0 |
        ! | 8 | lda_array | leading dimensions of A as it is stored; not NULL when group_count > 0 |
        ! | 9 | b_array | pointers to B of all groups; not NULL when there is work and alpha is not 0 |
        ! | 10 | ldb_array | leading dimensions of B as it is stored; not NULL when group_count > 0 |
        ! | 11 | beta_array | factors of C on entry, likewise; with 0, C is not read |
        ! | 12 | c_array | pointers to C of all groups; not NULL when there is work |
        ! | 13 | ldc_array | leading dimensions of C; not NULL when group_count > 0 |
        ! | 14 | group_count | number of groups, >= 0 |
        ! | 15 | group_size | number of matrices of each group, >= 0; not NULL when group_count > 0 |
        ! | 16 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
        !
        ! Matrices and the arrays of pointers to them are in device memory, as for tephra_sgeqrf_batched(); members of the
        ! batch may share A or B.
        function tephra_gemm_grouped_batched_c(trans_a_array, trans_b_array, m_array, n_array, k_array, alpha_array, &
            a_array, lda_array, b_array, ldb_array, beta_array, c_array, ldc_array, group_count, group_size, stream) bind(C) &
            result(status)
            import :: c_int32_t, c_int64_t, c_ptr
            type(c_ptr), value :: trans_a_array, trans_b_array, m_array, n_array, k_array, alpha_array, a_array, lda_array, &
                b_array, ldb_array, beta_array, c_array, ldc_array, group_size, stream
            integer(c_int64_t), value :: group_count
            integer(c_int32_t) :: status
        end function

        ! Batched BLAS SGEMV: y(i) := alpha op(A(i)) x(i) + beta y(i).
        !
        ! With beta = 0, y is not read; with alpha = 0, A and x are not read (and may be NULL), and y is scaled. Matrices
        ! A may coincide or overlap each other, and so may vectors x. The call is asynchronous on the stream, allocates
        ! nothing, needs no workspace and can be captured in a CUDA graph.
        !
        ! | # | argument | |
        ! | - | -------- | - |
        ! | 1 | trans | op of A: TEPHRA_TRANS_N, _T or _C |
        ! | 2 | m | rows of A, m >= 0 |
        ! | 3 | n | columns of A, n >= 0 |
        ! | 4 | alpha | one number in host memory, read before the call returns; not NULL when there is work |
        ! | 5 | a_array | batch_count pointers to m x n matrices; not NULL when they are read |
        ! | 6 | lda | leading dimension of A, lda >= max(1,m) |
        ! | 7 | x_array | batch_count pointers to vectors of n elements (m if transposed), likewise |
        ! | 8 | incx | increment between elements of x, not 0; if negative, x starts with its last element |
        ! | 9 | beta | one number in host memory, as alpha |
        ! | 10 | y_array | batch_count pointers to vectors of m elements (n if transposed); not NULL when there is work |
        ! | 11 | incy | increment between elements of y, as incx |
        ! | 12 | batch_count | number of matrices, >= 0 |
        ! | 13 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
        !
        ! Arrays, matrices and vectors are in device memory, as for tephra_sgeqrf_batched(). The call does nothing and
        ! returns success when m, n or batch_count is 0, or alpha is 0 and beta 1.
        function tephra_gemv_batched_c(trans, m, n, alpha, a_array, lda, x_array, incx, beta, y_array, incy, batch_count, &
            stream) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr
            integer(c_int), value :: trans
            integer(c_int64_t), value :: m, n, lda, incx, incy, batch_count
            type(c_ptr), value :: alpha, a_array, x_array, beta, y_array, stream
            integer(c_int32_t) :: status
        end function

        ! tephra_sgemv_batched() for matrices and vectors at constant strides (in elements). With batch_count > 1,
        ! stride_a >= 0 (0: one A for all), stride_x >= 0 and stride_y >= 1. Arguments are numbered trans 1, m 2, n 3,
        ! alpha 4, a 5, lda 6, stride_a 7, x 8, incx 9, stride_x 10, beta 11, y 12, incy 13, stride_y 14, batch_count 15,
        ! stream 16.
        function tephra_gemv_strided_batched_c(trans, m, n, alpha, a, lda, stride_a, x, incx, stride_x, beta, y, incy, &
            stride_y, batch_count, stream) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr
            integer(c_int), value :: trans
            integer(c_int64_t), value :: m, n, lda, stride_a, incx, stride_x, incy, stride_y, batch_count
            type(c_ptr), value :: alpha, a, x, beta, y, stream
            integer(c_int32_t) :: status
        end function

        ! Batched BLAS STRSV: x(i) := op(A(i))^-1 x(i), A(i) triangular.
        !
        ! The other triangle of A(i) and a unit diagonal are not read. A(i) is not checked for singularity: the effect of
        ! a division by zero is limited to x(i). Members of the batch may share one A. The call is asynchronous on the
        ! stream, allocates nothing, needs no workspace and can be captured in a CUDA graph.
        !
        ! | # | argument | |
        ! | - | -------- | - |
        ! | 1 | uplo | TEPHRA_UPLO_UPPER or TEPHRA_UPLO_LOWER |
        ! | 2 | trans | TEPHRA_TRANS_N, _T or _C |
        ! | 3 | diag | TEPHRA_DIAG_NON_UNIT or TEPHRA_DIAG_UNIT |
        ! | 4 | n | order of A, n >= 0 |
        ! | 5 | a_array | batch_count pointers to matrices of order n; not NULL when there is work |
        ! | 6 | lda | leading dimension of A, lda >= max(1,n) |
        ! | 7 | x_array | batch_count pointers to 1 + (n-1)*abs(incx) elements; not NULL when there is work |
        ! | 8 | incx | increment between elements of x, not 0; if negative, x starts with its last element |
        ! | 9 | batch_count | number of matrices, >= 0 |
        ! | 10 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
        !
        ! Arrays and matrices are in device memory, as for tephra_sgeqrf_batched(). The call does nothing and returns
        ! success when n or batch_count is 0.
        function tephra_trsv_batched_c(uplo, trans, diag, n, a_array, lda, x_array, incx, batch_count, stream) bind(C) &
            result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr
            integer(c_int), value :: uplo, trans, diag
            integer(c_int64_t), value :: n, lda, incx, batch_count
            type(c_ptr), value :: a_array, x_array, stream
            integer(c_int32_t) :: status
        end function

        ! tephra_strsv_batched() for matrices at a constant stride (in elements). With batch_count > 1, stride_a >= 0 (0:
        ! one A for all) and stride_x >= 1, such that no two x overlap. Arguments are numbered uplo 1, trans 2, diag 3,
        ! n 4, a 5, lda 6, stride_a 7, x 8, incx 9, stride_x 10, batch_count 11, stream 12.
        function tephra_trsv_strided_batched_c(uplo, trans, diag, n, a, lda, stride_a, x, incx, stride_x, batch_count, &
            stream) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr
            integer(c_int), value :: uplo, trans, diag
            integer(c_int64_t), value :: n, lda, stride_a, incx, stride_x, batch_count
            type(c_ptr), value :: a, x, stream
            integer(c_int32_t) :: status
        end function

        ! Batched BLAS STRMM: B(i) := alpha op(A(i)) B(i) or alpha B(i) op(A(i)), A(i) triangular.
        !
        ! The other triangle of A(i) is not read, nor is a unit diagonal. With alpha = 0, B is set to zero and A not read
        ! (it may be NULL). Members of the batch may share one A; B must not overlap it. The call is asynchronous on the
        ! stream, needs no workspace and can be captured in a CUDA graph. On CUDA, products with large triangles (of order
        ! 256 or more, or of 192 or more with little to do at a time) use scratch memory from the library's pool for copies
        ! of B, at most 1 GiB at a time. Smaller ones allocate nothing.
        !
        ! | # | argument | |
        ! | - | -------- | - |
        ! | 1 | side | TEPHRA_SIDE_LEFT or TEPHRA_SIDE_RIGHT |
        ! | 2 | uplo | TEPHRA_UPLO_UPPER or TEPHRA_UPLO_LOWER |
        ! | 3 | trans | TEPHRA_TRANS_N, _T or _C |
        ! | 4 | diag | TEPHRA_DIAG_NON_UNIT or TEPHRA_DIAG_UNIT |
        ! | 5 | m | rows of B, m >= 0 |
        ! | 6 | n | columns of B, n >= 0 |
        ! | 7 | alpha | one number in host memory, read before the call returns; not NULL when there is work |
        ! | 8 | a_array | batch_count pointers to matrices of order q = m (left) or n (right); not NULL when there is work |
        ! | 9 | lda | leading dimension of A, lda >= max(1,q) |
        ! | 10 | b_array | batch_count pointers to m x n matrices; not NULL when there is work |
        ! | 11 | ldb | leading dimension of B, ldb >= max(1,m); rows m..ldb-1 are neither read nor written |
        ! | 12 | batch_count | number of matrices, >= 0 |
        ! | 13 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
        !
        ! Arrays and matrices are in device memory, as for tephra_sgeqrf_batched(). The call does nothing and returns
        ! success when m, n or batch_count is 0.
        function tephra_trmm_batched_c(side, uplo, trans, diag, m, n, alpha, a_array, lda, b_array, ldb, batch_count, &
            stream) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr
            integer(c_int), value :: side, uplo, trans, diag
            integer(c_int64_t), value :: m, n, lda, ldb, batch_count
            type(c_ptr), value :: alpha, a_array, b_array, stream
            integer(c_int32_t) :: status
        end function

        ! tephra_strmm_batched() for matrices at a constant stride (in elements). With batch_count > 1, stride_a >= 0 (0:
        ! one A for all) and stride_b >= max(1,m). Arguments are numbered side 1, uplo 2, trans 3, diag 4, m 5, n 6,
        ! alpha 7, a 8, lda 9, stride_a 10, b 11, ldb 12, stride_b 13, batch_count 14, stream 15.
        function tephra_trmm_strided_batched_c(side, uplo, trans, diag, m, n, alpha, a, lda, stride_a, b, ldb, stride_b, &
            batch_count, stream) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr
            integer(c_int), value :: side, uplo, trans, diag
            integer(c_int64_t), value :: m, n, lda, stride_a, ldb, stride_b, batch_count
            type(c_ptr), value :: alpha, a, b, stream
            integer(c_int32_t) :: status
        end function

        ! Batched LAPACK STRTRI: A(i) := A(i)^-1, A(i) triangular, in place.
        !
        ! The other triangle and a unit diagonal are neither read nor written. A matrix with an exact zero on its diagonal
        ! is left unchanged. The call is asynchronous on the stream, needs no workspace and can be captured in a CUDA
        ! graph. On CUDA, triangles of order 192 or more (s, d 128; z 160), and those of order 33 or more in some batches of
        ! up
        ! to 256 or from 200 on, are inverted in scratch memory from the library's pool, up to 1.9 times their size, for at
        ! most 1 GiB or one matrix at a time; there, a NaN or an infinity may spread to any element of its matrix's inverse.
        ! The others allocate nothing; tephra_explain() says how a shape is inverted.
        !
        ! | # | argument | |
        ! | - | -------- | - |
        ! | 1 | uplo | TEPHRA_UPLO_UPPER or TEPHRA_UPLO_LOWER |
        ! | 2 | diag | TEPHRA_DIAG_NON_UNIT or TEPHRA_DIAG_UNIT |
        ! | 3 | n | order of A, n >= 0 |
        ! | 4 | a_array | batch_count pointers to matrices of order n; not NULL when there is work |
        ! | 5 | lda | leading dimension of A, lda >= max(1,n) |
        ! | 6 | info | batch_count ints, or NULL: 0, or j when diagonal element j (from 1) is the first that is exactly 0 |
        ! | 7 | batch_count | number of matrices, >= 0 |
        ! | 8 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
        !
        ! Arrays and matrices are in device memory, as for tephra_sgeqrf_batched(). The call does nothing and returns
        ! success when n or batch_count is 0; all of info is then set to 0.
        function tephra_trtri_batched_c(uplo, diag, n, a_array, lda, info, batch_count, stream) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr
            integer(c_int), value :: uplo, diag
            integer(c_int64_t), value :: n, lda, batch_count
            type(c_ptr), value :: a_array, info, stream
            integer(c_int32_t) :: status
        end function

        ! tephra_strtri_batched() for matrices at a constant stride (in elements). With batch_count > 1, stride_a >=
        ! max(1,n). Arguments are numbered uplo 1, diag 2, n 3, a 4, lda 5, stride_a 6, info 7, batch_count 8, stream 9.
        function tephra_trtri_strided_batched_c(uplo, diag, n, a, lda, stride_a, info, batch_count, stream) bind(C) &
            result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr
            integer(c_int), value :: uplo, diag
            integer(c_int64_t), value :: n, lda, stride_a, batch_count
            type(c_ptr), value :: a, info, stream
            integer(c_int32_t) :: status
        end function

        ! Batched BLAS SSYMM: C(i) := alpha A(i) B(i) + beta C(i), or alpha B(i) A(i) + beta C(i), A(i) symmetric.
        !
        ! Only the triangle of A(i) that uplo names is read. With alpha = 0, A and B are not read (and may be NULL), with
        ! beta = 0 C is not. Members of the batch may share A or B; C must not overlap either. The call is asynchronous on
        ! the stream, needs no workspace and can be captured in a CUDA graph. It allocates nothing, except, on CUDA for A
        ! of order 192 or more, room for addresses from the library's pool.
        !
        ! | # | argument | |
        ! | - | -------- | - |
        ! | 1 | side | TEPHRA_SIDE_LEFT (A B) or TEPHRA_SIDE_RIGHT (B A) |
        ! | 2 | uplo | TEPHRA_UPLO_UPPER or TEPHRA_UPLO_LOWER |
        ! | 3 | m | rows of B and C, m >= 0 |
        ! | 4 | n | columns of B and C, n >= 0 |
        ! | 5 | alpha | one number in host memory, read before the call returns; not NULL when there is work |
        ! | 6 | a_array | batch_count pointers to matrices of order q = m (left) or n (right); not NULL when they are read |
        ! | 7 | lda | leading dimension of A, lda >= max(1,q) |
        ! | 8 | b_array | batch_count pointers to m x n matrices, as a_array |
        ! | 9 | ldb | leading dimension of B, ldb >= max(1,m) |
        ! | 10 | beta | one number in host memory, as alpha |
        ! | 11 | c_array | batch_count pointers to m x n matrices; not NULL when there is work |
        ! | 12 | ldc | leading dimension of C, ldc >= max(1,m) |
        ! | 13 | batch_count | number of matrices, >= 0 |
        ! | 14 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
        !
        ! Arrays and matrices are in device memory, as for tephra_sgeqrf_batched(). The call does nothing and returns
        ! success when m, n or batch_count is 0.
        function tephra_symm_batched_c(side, uplo, m, n, alpha, a_array, lda, b_array, ldb, beta, c_array, ldc, batch_count, &
            stream) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr
            integer(c_int), value :: side, uplo
            integer(c_int64_t), value :: m, n, lda, ldb, ldc, batch_count
            type(c_ptr), value :: alpha, a_array, b_array, beta, c_array, stream
            integer(c_int32_t) :: status
        end function

        ! tephra_ssymm_batched() for matrices at a constant stride (in elements). With batch_count > 1, stride_a >= 0 and
        ! stride_b >= 0 (0: one for all), stride_c >= max(1,m). Arguments are numbered side 1, uplo 2, m 3, n 4, alpha 5,
        ! a 6, lda 7, stride_a 8, b 9, ldb 10, stride_b 11, beta 12, c 13, ldc 14, stride_c 15, batch_count 16, stream 17.
        function tephra_symm_strided_batched_c(side, uplo, m, n, alpha, a, lda, stride_a, b, ldb, stride_b, beta, c, ldc, &
            stride_c, batch_count, stream) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr
            integer(c_int), value :: side, uplo
            integer(c_int64_t), value :: m, n, lda, stride_a, ldb, stride_b, ldc, stride_c, batch_count
            type(c_ptr), value :: alpha, a, b, beta, c, stream
            integer(c_int32_t) :: status
        end function

        ! Batched BLAS CHEMM: C(i) := alpha A(i) B(i) + beta C(i), or alpha B(i) A(i) + beta C(i), A(i) Hermitian.
        !
        ! Only the triangle of A(i) that uplo names is read, and of its diagonal no imaginary parts. With alpha = 0, A and
        ! B are not read (and may be NULL), with beta = 0 C is not. Members of the batch may share A or B; C must not
        ! overlap either. The call is asynchronous on the stream, needs no workspace and can be captured in a CUDA graph.
        ! It allocates nothing, except, on CUDA for A of order 192 or more, room for addresses from the library's pool.
        !
        ! | # | argument | |
        ! | - | -------- | - |
        ! | 1 | side | TEPHRA_SIDE_LEFT (A B) or TEPHRA_SIDE_RIGHT (B A) |
        ! | 2 | uplo | TEPHRA_UPLO_UPPER or TEPHRA_UPLO_LOWER |
        ! | 3 | m | rows of B and C, m >= 0 |
        ! | 4 | n | columns of B and C, n >= 0 |
        ! | 5 | alpha | one number in host memory, read before the call returns; not NULL when there is work |
        ! | 6 | a_array | batch_count pointers to matrices of order q = m (left) or n (right); not NULL when they are read |
        ! | 7 | lda | leading dimension of A, lda >= max(1,q) |
        ! | 8 | b_array | batch_count pointers to m x n matrices, as a_array |
        ! | 9 | ldb | leading dimension of B, ldb >= max(1,m) |
        ! | 10 | beta | one number in host memory, as alpha |
        ! | 11 | c_array | batch_count pointers to m x n matrices; not NULL when there is work |
        ! | 12 | ldc | leading dimension of C, ldc >= max(1,m) |
        ! | 13 | batch_count | number of matrices, >= 0 |
        ! | 14 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
        !
        ! Arrays and matrices are in device memory, as for tephra_sgeqrf_batched(). The call does nothing and returns
        ! success when m, n or batch_count is 0.
        function tephra_hemm_batched_c(side, uplo, m, n, alpha, a_array, lda, b_array, ldb, beta, c_array, ldc, batch_count, &
            stream) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr
            integer(c_int), value :: side, uplo
            integer(c_int64_t), value :: m, n, lda, ldb, ldc, batch_count
            type(c_ptr), value :: alpha, a_array, b_array, beta, c_array, stream
            integer(c_int32_t) :: status
        end function

        ! tephra_chemm_batched() for matrices at a constant stride (in elements). With batch_count > 1, stride_a >= 0 and
        ! stride_b >= 0 (0: one for all), stride_c >= max(1,m). Arguments are numbered side 1, uplo 2, m 3, n 4, alpha 5,
        ! a 6, lda 7, stride_a 8, b 9, ldb 10, stride_b 11, beta 12, c 13, ldc 14, stride_c 15, batch_count 16, stream 17.
        function tephra_hemm_strided_batched_c(side, uplo, m, n, alpha, a, lda, stride_a, b, ldb, stride_b, beta, c, ldc, &
            stride_c, batch_count, stream) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr
            integer(c_int), value :: side, uplo
            integer(c_int64_t), value :: m, n, lda, stride_a, ldb, stride_b, ldc, stride_c, batch_count
            type(c_ptr), value :: alpha, a, b, beta, c, stream
            integer(c_int32_t) :: status
        end function

        ! Batched BLAS SSYRK: C(i) := alpha op(A(i)) op(A(i))^T + beta C(i), C(i) symmetric.
        !
        ! Only the triangle of C(i) that uplo names is read and written; with beta = 0 it is not read. With alpha = 0 or
        ! k = 0, A is not read (and may be NULL). Members of the batch may share one A; C must not overlap it. The call is
        ! asynchronous on the stream, allocates nothing, needs no workspace and can be captured in a CUDA graph.
        !
        ! | # | argument | |
        ! | - | -------- | - |
        ! | 1 | uplo | TEPHRA_UPLO_UPPER or TEPHRA_UPLO_LOWER |
        ! | 2 | trans | TEPHRA_TRANS_N or TEPHRA_TRANS_T; for real types _C is the same as _T |
        ! | 3 | n | order of C, n >= 0 |
        ! | 4 | k | columns of op(A), k >= 0 |
        ! | 5 | alpha | one number in host memory, read before the call returns; not NULL when there is work |
        ! | 6 | a_array | batch_count pointers to n x k matrices, or k x n where trans is not N; not NULL when there is work |
        ! | 7 | lda | leading dimension of A, at least its rows and 1 |
        ! | 8 | beta | one number in host memory, read before the call returns; not NULL when there is work |
        ! | 9 | c_array | batch_count pointers to matrices of order n; not NULL when there is work |
        ! | 10 | ldc | leading dimension of C, ldc >= max(1,n) |
        ! | 11 | batch_count | number of matrices, >= 0 |
        ! | 12 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
        !
        ! Arrays and matrices are in device memory, as for tephra_sgeqrf_batched(). The call does nothing and returns
        ! success when n or batch_count is 0.
        function tephra_syrk_batched_c(uplo, trans, n, k, alpha, a_array, lda, beta, c_array, ldc, batch_count, stream) &
            bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr
            integer(c_int), value :: uplo, trans
            integer(c_int64_t), value :: n, k, lda, ldc, batch_count
            type(c_ptr), value :: alpha, a_array, beta, c_array, stream
            integer(c_int32_t) :: status
        end function

        ! tephra_ssyrk_batched() for matrices at a constant stride (in elements). With batch_count > 1, stride_a >= 0 (0:
        ! one A for all) and stride_c >= max(1,n). Arguments are numbered uplo 1, trans 2, n 3, k 4, alpha 5, a 6, lda 7,
        ! stride_a 8, beta 9, c 10, ldc 11, stride_c 12, batch_count 13, stream 14.
        function tephra_syrk_strided_batched_c(uplo, trans, n, k, alpha, a, lda, stride_a, beta, c, ldc, stride_c, &
            batch_count, stream) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr
            integer(c_int), value :: uplo, trans
            integer(c_int64_t), value :: n, k, lda, stride_a, ldc, stride_c, batch_count
            type(c_ptr), value :: alpha, a, beta, c, stream
            integer(c_int32_t) :: status
        end function

        ! Batched BLAS CHERK: C(i) := alpha op(A(i)) op(A(i))^H + beta C(i), C(i) Hermitian.
        !
        ! Only the triangle of C(i) that uplo names is read and written; with beta = 0 it is not read. Imaginary parts on
        ! C's diagonal are not read, and become zero. With alpha = 0 or k = 0, A is not read (and may be NULL). Members of
        ! the batch may share one A; C must not overlap it. The call is asynchronous on the stream, allocates nothing,
        ! needs no workspace and can be captured in a CUDA graph.
        !
        ! | # | argument | |
        ! | - | -------- | - |
        ! | 1 | uplo | TEPHRA_UPLO_UPPER or TEPHRA_UPLO_LOWER |
        ! | 2 | trans | TEPHRA_TRANS_N or TEPHRA_TRANS_C |
        ! | 3 | n | order of C, n >= 0 |
        ! | 4 | k | columns of op(A), k >= 0 |
        ! | 5 | alpha | one real number in host memory, read before the call returns; not NULL when there is work |
        ! | 6 | a_array | batch_count pointers to n x k matrices, or k x n where trans is not N; not NULL when there is work |
        ! | 7 | lda | leading dimension of A, at least its rows and 1 |
        ! | 8 | beta | one real number in host memory, read before the call returns; not NULL when there is work |
        ! | 9 | c_array | batch_count pointers to matrices of order n; not NULL when there is work |
        ! | 10 | ldc | leading dimension of C, ldc >= max(1,n) |
        ! | 11 | batch_count | number of matrices, >= 0 |
        ! | 12 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
        !
        ! Arrays and matrices are in device memory, as for tephra_sgeqrf_batched(). The call does nothing and returns
        ! success when n or batch_count is 0.
        function tephra_herk_batched_c(uplo, trans, n, k, alpha, a_array, lda, beta, c_array, ldc, batch_count, stream) &
            bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr
            integer(c_int), value :: uplo, trans
            integer(c_int64_t), value :: n, k, lda, ldc, batch_count
            type(c_ptr), value :: alpha, a_array, beta, c_array, stream
            integer(c_int32_t) :: status
        end function

        ! tephra_cherk_batched() for matrices at a constant stride (in elements). With batch_count > 1, stride_a >= 0 (0:
        ! one A for all) and stride_c >= max(1,n). Arguments are numbered uplo 1, trans 2, n 3, k 4, alpha 5, a 6, lda 7,
        ! stride_a 8, beta 9, c 10, ldc 11, stride_c 12, batch_count 13, stream 14.
        function tephra_herk_strided_batched_c(uplo, trans, n, k, alpha, a, lda, stride_a, beta, c, ldc, stride_c, &
            batch_count, stream) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr
            integer(c_int), value :: uplo, trans
            integer(c_int64_t), value :: n, k, lda, stride_a, ldc, stride_c, batch_count
            type(c_ptr), value :: alpha, a, beta, c, stream
            integer(c_int32_t) :: status
        end function

        ! Batched BLAS SSYR2K: C(i) := alpha op(A(i)) op(B(i))^T + alpha op(B(i)) op(A(i))^T + beta C(i), C(i) symmetric.
        !
        ! Only the triangle of C(i) that uplo names is read and written; with beta = 0 it is not read. With alpha = 0 or
        ! k = 0, A and B are not read (and may be NULL). Members of the batch may share A or B; C must not overlap either.
        ! The call is asynchronous on the stream, allocates nothing, needs no workspace and can be captured in a CUDA
        ! graph.
        !
        ! | # | argument | |
        ! | - | -------- | - |
        ! | 1 | uplo | TEPHRA_UPLO_UPPER or TEPHRA_UPLO_LOWER |
        ! | 2 | trans | TEPHRA_TRANS_N or TEPHRA_TRANS_T; for real types _C is the same as _T |
        ! | 3 | n | order of C, n >= 0 |
        ! | 4 | k | columns of op(A), k >= 0 |
        ! | 5 | alpha | one number in host memory, read before the call returns; not NULL when there is work |
        ! | 6 | a_array | batch_count pointers to n x k matrices, or k x n where trans is not N; not NULL when there is work |
        ! | 7 | lda | leading dimension of A, at least its rows and 1 |
        ! | 8 | b_array | batch_count pointers to matrices of the shape of A; not NULL when there is work |
        ! | 9 | ldb | leading dimension of B, at least its rows and 1 |
        ! | 10 | beta | one number in host memory, read before the call returns; not NULL when there is work |
        ! | 11 | c_array | batch_count pointers to matrices of order n; not NULL when there is work |
        ! | 12 | ldc | leading dimension of C, ldc >= max(1,n) |
        ! | 13 | batch_count | number of matrices, >= 0 |
        ! | 14 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
        !
        ! Arrays and matrices are in device memory, as for tephra_sgeqrf_batched(). The call does nothing and returns
        ! success when n or batch_count is 0.
        function tephra_syr2k_batched_c(uplo, trans, n, k, alpha, a_array, lda, b_array, ldb, beta, c_array, ldc, &
            batch_count, stream) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr
            integer(c_int), value :: uplo, trans
            integer(c_int64_t), value :: n, k, lda, ldb, ldc, batch_count
            type(c_ptr), value :: alpha, a_array, b_array, beta, c_array, stream
            integer(c_int32_t) :: status
        end function

        ! tephra_ssyr2k_batched() for matrices at a constant stride (in elements). With batch_count > 1, stride_a >= 0 (0:
        ! one A for all), stride_b likewise and stride_c >= max(1,n). Arguments are numbered uplo 1, trans 2, n 3, k 4,
        ! alpha 5, a 6, lda 7, stride_a 8, b 9, ldb 10, stride_b 11, beta 12, c 13, ldc 14, stride_c 15, batch_count 16,
        ! stream 17.
        function tephra_syr2k_strided_batched_c(uplo, trans, n, k, alpha, a, lda, stride_a, b, ldb, stride_b, beta, c, ldc, &
            stride_c, batch_count, stream) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr
            integer(c_int), value :: uplo, trans
            integer(c_int64_t), value :: n, k, lda, stride_a, ldb, stride_b, ldc, stride_c, batch_count
            type(c_ptr), value :: alpha, a, b, beta, c, stream
            integer(c_int32_t) :: status
        end function

        ! Batched BLAS CHER2K: C(i) := alpha op(A(i)) op(B(i))^H + conj(alpha) op(B(i)) op(A(i))^H + beta C(i), C(i)
        ! Hermitian.
        !
        ! Only the triangle of C(i) that uplo names is read and written; with beta = 0 it is not read. Imaginary parts on
        ! C's diagonal are not read, and become zero. With alpha = 0 or k = 0, A and B are not read (and may be NULL).
        ! Members of the batch may share A or B; C must not overlap either. The call is asynchronous on the stream,
        ! allocates nothing, needs no workspace and can be captured in a CUDA graph.
        !
        ! | # | argument | |
        ! | - | -------- | - |
        ! | 1 | uplo | TEPHRA_UPLO_UPPER or TEPHRA_UPLO_LOWER |
        ! | 2 | trans | TEPHRA_TRANS_N or TEPHRA_TRANS_C |
        ! | 3 | n | order of C, n >= 0 |
        ! | 4 | k | columns of op(A), k >= 0 |
        ! | 5 | alpha | one number in host memory, read before the call returns; not NULL when there is work |
        ! | 6 | a_array | batch_count pointers to n x k matrices, or k x n where trans is not N; not NULL when there is work |
        ! | 7 | lda | leading dimension of A, at least its rows and 1 |
        ! | 8 | b_array | batch_count pointers to matrices of the shape of A; not NULL when there is work |
        ! | 9 | ldb | leading dimension of B, at least its rows and 1 |
        ! | 10 | beta | one real number in host memory, read before the call returns; not NULL when there is work |
        ! | 11 | c_array | batch_count pointers to matrices of order n; not NULL when there is work |
        ! | 12 | ldc | leading dimension of C, ldc >= max(1,n) |
        ! | 13 | batch_count | number of matrices, >= 0 |
        ! | 14 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
        !
        ! Arrays and matrices are in device memory, as for tephra_sgeqrf_batched(). The call does nothing and returns
        ! success when n or batch_count is 0.
        function tephra_her2k_batched_c(uplo, trans, n, k, alpha, a_array, lda, b_array, ldb, beta, c_array, ldc, &
            batch_count, stream) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr
            integer(c_int), value :: uplo, trans
            integer(c_int64_t), value :: n, k, lda, ldb, ldc, batch_count
            type(c_ptr), value :: alpha, a_array, b_array, beta, c_array, stream
            integer(c_int32_t) :: status
        end function

        ! tephra_cher2k_batched() for matrices at a constant stride (in elements). With batch_count > 1, stride_a >= 0 (0:
        ! one A for all), stride_b likewise and stride_c >= max(1,n). Arguments are numbered uplo 1, trans 2, n 3, k 4,
        ! alpha 5, a 6, lda 7, stride_a 8, b 9, ldb 10, stride_b 11, beta 12, c 13, ldc 14, stride_c 15, batch_count 16,
        ! stream 17.
        function tephra_her2k_strided_batched_c(uplo, trans, n, k, alpha, a, lda, stride_a, b, ldb, stride_b, beta, c, ldc, &
            stride_c, batch_count, stream) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr
            integer(c_int), value :: uplo, trans
            integer(c_int64_t), value :: n, k, lda, stride_a, ldb, stride_b, ldc, stride_c, batch_count
            type(c_ptr), value :: alpha, a, b, beta, c, stream
            integer(c_int32_t) :: status
        end function

        ! Batched cuBLAS geam: C(i) := alpha op(A(i)) + beta op(B(i)).
        !
        ! With alpha = 0, A is not read and may be NULL; likewise B with beta = 0. C may be A itself if trans_a is N and
        ! the leading dimensions are equal, and likewise B; otherwise it must not overlap them. Members of the batch may
        ! share A or B. The call is asynchronous on the stream, allocates nothing, needs no workspace and can be captured
        ! in a CUDA graph.
        !
        ! | # | argument | |
        ! | - | -------- | - |
        ! | 1 | trans_a | TEPHRA_TRANS_N, _T or _C |
        ! | 2 | trans_b | likewise, for B |
        ! | 3 | m | rows of C, m >= 0 |
        ! | 4 | n | columns of C, n >= 0 |
        ! | 5 | alpha | one number in host memory, read before the call returns; not NULL when there is work |
        ! | 6 | a_array | batch_count pointers to m x n matrices, or n x m where trans_a is not N; not NULL when there is work
        ! |
        ! | 7 | lda | leading dimension of A, at least its rows and 1 |
        ! | 8 | beta | one number in host memory, read before the call returns; not NULL when there is work |
        ! | 9 | b_array | batch_count pointers to matrices likewise; not NULL when there is work |
        ! | 10 | ldb | leading dimension of B, at least its rows and 1 |
        ! | 11 | c_array | batch_count pointers to m x n matrices; not NULL when there is work |
        ! | 12 | ldc | leading dimension of C, ldc >= max(1,m) |
        ! | 13 | batch_count | number of matrices, >= 0 |
        ! | 14 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
        !
        ! Arrays and matrices are in device memory, as for tephra_sgeqrf_batched(). The call does nothing and returns
        ! success when m, n or batch_count is 0.
        function tephra_geam_batched_c(trans_a, trans_b, m, n, alpha, a_array, lda, beta, b_array, ldb, c_array, ldc, &
            batch_count, stream) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr
            integer(c_int), value :: trans_a, trans_b
            integer(c_int64_t), value :: m, n, lda, ldb, ldc, batch_count
            type(c_ptr), value :: alpha, a_array, beta, b_array, c_array, stream
            integer(c_int32_t) :: status
        end function

        ! tephra_sgeam_batched() for matrices at a constant stride (in elements). With batch_count > 1, stride_a,
        ! stride_b >= 0 (0: one for all) and stride_c >= max(1,m). Arguments are numbered trans_a 1, trans_b 2, m 3, n 4,
        ! alpha 5, a 6, lda 7, stride_a 8, beta 9, b 10, ldb 11, stride_b 12, c 13, ldc 14, stride_c 15, batch_count 16,
        ! stream 17.
        function tephra_geam_strided_batched_c(trans_a, trans_b, m, n, alpha, a, lda, stride_a, beta, b, ldb, stride_b, c, &
            ldc, stride_c, batch_count, stream) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr
            integer(c_int), value :: trans_a, trans_b
            integer(c_int64_t), value :: m, n, lda, stride_a, ldb, stride_b, ldc, stride_c, batch_count
            type(c_ptr), value :: alpha, a, beta, b, c, stream
            integer(c_int32_t) :: status
        end function

        ! Batched cuBLAS dgmm: C(i) := diag(x(i)) A(i) or A(i) diag(x(i)).
        !
        ! C may be A itself, with the same leading dimension; otherwise it must not overlap A or x. Members of the batch
        ! may share A or x. The call is asynchronous on the stream, allocates nothing, needs no workspace and can be
        ! captured in a CUDA graph.
        !
        ! | # | argument | |
        ! | - | -------- | - |
        ! | 1 | side | TEPHRA_SIDE_LEFT or TEPHRA_SIDE_RIGHT |
        ! | 2 | m | rows of A and C, m >= 0 |
        ! | 3 | n | columns of A and C, n >= 0 |
        ! | 4 | a_array | batch_count pointers to m x n matrices; not NULL when there is work |
        ! | 5 | lda | leading dimension of A, lda >= max(1,m) |
        ! | 6 | x_array | batch_count pointers to 1 + (q-1)*abs(incx) elements, q = m (left) or n (right); not NULL when there
        ! is work |
        ! | 7 | incx | increment between elements of x; if negative, x starts with its last element; if 0, all elements are
        ! the first one |
        ! | 8 | c_array | batch_count pointers to m x n matrices; not NULL when there is work |
        ! | 9 | ldc | leading dimension of C, ldc >= max(1,m) |
        ! | 10 | batch_count | number of matrices, >= 0 |
        ! | 11 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
        !
        ! Arrays and matrices are in device memory, as for tephra_sgeqrf_batched(). The call does nothing and returns
        ! success when m, n or batch_count is 0.
        function tephra_dgmm_batched_c(side, m, n, a_array, lda, x_array, incx, c_array, ldc, batch_count, stream) bind(C) &
            result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr
            integer(c_int), value :: side
            integer(c_int64_t), value :: m, n, lda, incx, ldc, batch_count
            type(c_ptr), value :: a_array, x_array, c_array, stream
            integer(c_int32_t) :: status
        end function

        ! tephra_sdgmm_batched() for matrices at a constant stride (in elements). With batch_count > 1, stride_a,
        ! stride_x >= 0 (0: one for all) and stride_c >= max(1,m). Arguments are numbered side 1, m 2, n 3, a 4, lda 5,
        ! stride_a 6, x 7, incx 8, stride_x 9, c 10, ldc 11, stride_c 12, batch_count 13, stream 14.
        function tephra_dgmm_strided_batched_c(side, m, n, a, lda, stride_a, x, incx, stride_x, c, ldc, stride_c, &
            batch_count, stream) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr
            integer(c_int), value :: side
            integer(c_int64_t), value :: m, n, lda, stride_a, incx, stride_x, ldc, stride_c, batch_count
            type(c_ptr), value :: a, x, c, stream
            integer(c_int32_t) :: status
        end function

        ! B(i) := A(i)^T or A(i)^H, for a batch. B must not overlap A; members of the batch may share one A.
        !
        ! The call is asynchronous on the stream, allocates nothing, needs no workspace and can be captured in a CUDA
        ! graph.
        !
        ! | # | argument | |
        ! | - | -------- | - |
        ! | 1 | trans | TEPHRA_TRANS_T or TEPHRA_TRANS_C; for real types they are the same |
        ! | 2 | m | rows of A, columns of B, m >= 0 |
        ! | 3 | n | columns of A, rows of B, n >= 0 |
        ! | 4 | a_array | batch_count pointers to m x n matrices; not NULL when there is work |
        ! | 5 | lda | leading dimension of A, lda >= max(1,m) |
        ! | 6 | b_array | batch_count pointers to n x m matrices; not NULL when there is work |
        ! | 7 | ldb | leading dimension of B, ldb >= max(1,n) |
        ! | 8 | batch_count | number of matrices, >= 0 |
        ! | 9 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
        !
        ! Arrays and matrices are in device memory, as for tephra_sgeqrf_batched(). The call does nothing and returns
        ! success when m, n or batch_count is 0.
        function tephra_transpose_batched_c(trans, m, n, a_array, lda, b_array, ldb, batch_count, stream) bind(C) &
            result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr
            integer(c_int), value :: trans
            integer(c_int64_t), value :: m, n, lda, ldb, batch_count
            type(c_ptr), value :: a_array, b_array, stream
            integer(c_int32_t) :: status
        end function

        ! tephra_stranspose_batched() for matrices at a constant stride (in elements). With batch_count > 1, stride_a >= 0
        ! (0: one A for all) and stride_b >= max(1,n). Arguments are numbered trans 1, m 2, n 3, a 4, lda 5, stride_a 6,
        ! b 7, ldb 8, stride_b 9, batch_count 10, stream 11.
        function tephra_transpose_strided_batched_c(trans, m, n, a, lda, stride_a, b, ldb, stride_b, batch_count, stream) &
            bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr
            integer(c_int), value :: trans
            integer(c_int64_t), value :: m, n, lda, stride_a, ldb, stride_b, batch_count
            type(c_ptr), value :: a, b, stream
            integer(c_int32_t) :: status
        end function

        ! Batched LAPACK SLACPY: B(i) := A(i), the whole matrix or a triangle. Elements that are not copied are neither
        ! read nor written. B may be A itself, but must not overlap it otherwise; members of the batch may share one A.
        !
        ! The call is asynchronous on the stream, allocates nothing, needs no workspace and can be captured in a CUDA
        ! graph.
        !
        ! | # | argument | |
        ! | - | -------- | - |
        ! | 1 | uplo | what is written: TEPHRA_UPLO_UPPER or TEPHRA_UPLO_LOWER, with the diagonal, or TEPHRA_UPLO_FULL |
        ! | 2 | m | rows, m >= 0 |
        ! | 3 | n | columns, n >= 0 |
        ! | 4 | a_array | batch_count pointers to m x n matrices; not NULL when there is work |
        ! | 5 | lda | leading dimension of A, lda >= max(1,m) |
        ! | 6 | b_array | batch_count pointers to m x n matrices; not NULL when there is work |
        ! | 7 | ldb | leading dimension of B, ldb >= max(1,m) |
        ! | 8 | batch_count | number of matrices, >= 0 |
        ! | 9 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
        !
        ! Arrays and matrices are in device memory, as for tephra_sgeqrf_batched(). The call does nothing and returns
        ! success when m, n or batch_count is 0.
        function tephra_lacpy_batched_c(uplo, m, n, a_array, lda, b_array, ldb, batch_count, stream) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr
            integer(c_int), value :: uplo
            integer(c_int64_t), value :: m, n, lda, ldb, batch_count
            type(c_ptr), value :: a_array, b_array, stream
            integer(c_int32_t) :: status
        end function

        ! tephra_slacpy_batched() for matrices at a constant stride (in elements). With batch_count > 1, stride_a >= 0 (0:
        ! one A for all) and stride_b >= max(1,m). Arguments are numbered uplo 1, m 2, n 3, a 4, lda 5, stride_a 6, b 7,
        ! ldb 8, stride_b 9, batch_count 10, stream 11.
        function tephra_lacpy_strided_batched_c(uplo, m, n, a, lda, stride_a, b, ldb, stride_b, batch_count, stream) bind(C) &
            result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr
            integer(c_int), value :: uplo
            integer(c_int64_t), value :: m, n, lda, stride_a, ldb, stride_b, batch_count
            type(c_ptr), value :: a, b, stream
            integer(c_int32_t) :: status
        end function

        ! Batched LAPACK SLASET: sets the elements of A(i) off the diagonal to alpha and those on it to beta, in the whole
        ! matrix or in a triangle. Other elements are not written.
        !
        ! The call is asynchronous on the stream, allocates nothing, needs no workspace and can be captured in a CUDA
        ! graph.
        !
        ! | # | argument | |
        ! | - | -------- | - |
        ! | 1 | uplo | what is written: TEPHRA_UPLO_UPPER or TEPHRA_UPLO_LOWER, with the diagonal, or TEPHRA_UPLO_FULL |
        ! | 2 | m | rows, m >= 0 |
        ! | 3 | n | columns, n >= 0 |
        ! | 4 | alpha | one number in host memory, read before the call returns; not NULL when there is work |
        ! | 5 | beta | one number in host memory, read before the call returns; not NULL when there is work |
        ! | 6 | a_array | batch_count pointers to m x n matrices; not NULL when there is work |
        ! | 7 | lda | leading dimension of A, lda >= max(1,m) |
        ! | 8 | batch_count | number of matrices, >= 0 |
        ! | 9 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
        !
        ! Arrays and matrices are in device memory, as for tephra_sgeqrf_batched(). The call does nothing and returns
        ! success when m, n or batch_count is 0.
        function tephra_laset_batched_c(uplo, m, n, alpha, beta, a_array, lda, batch_count, stream) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr
            integer(c_int), value :: uplo
            integer(c_int64_t), value :: m, n, lda, batch_count
            type(c_ptr), value :: alpha, beta, a_array, stream
            integer(c_int32_t) :: status
        end function

        ! tephra_slaset_batched() for matrices at a constant stride (in elements). With batch_count > 1, stride_a >=
        ! max(1,m). Arguments are numbered uplo 1, m 2, n 3, alpha 4, beta 5, a 6, lda 7, stride_a 8, batch_count 9,
        ! stream 10.
        function tephra_laset_strided_batched_c(uplo, m, n, alpha, beta, a, lda, stride_a, batch_count, stream) bind(C) &
            result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr
            integer(c_int), value :: uplo
            integer(c_int64_t), value :: m, n, lda, stride_a, batch_count
            type(c_ptr), value :: alpha, beta, a, stream
            integer(c_int32_t) :: status
        end function

        ! Batched LAPACK SLARFT, forward and columnwise: the k x k upper triangular factor T(i), for reflectors of
        ! tephra_sgeqrf_batched(), with H(1) H(2) ... H(k) = I - V(i) T(i) V(i)^H; the elements below its diagonal are set
        ! to zero.
        !
        ! | # | argument | |
        ! | - | -------- | - |
        ! | 1 | m | rows of V, m >= 0 |
        ! | 2 | k | reflectors, 0 <= k <= m |
        ! | 3 | v_array | batch_count pointers to m x k reflectors, read only below the diagonal; not NULL when there is work
        ! |
        ! | 4 | ldv | leading dimension of V, ldv >= max(1,m) |
        ! | 5 | tau_array | batch_count pointers to vectors of k elements, likewise |
        ! | 6 | t_array | batch_count pointers to k x k matrices, likewise |
        ! | 7 | ldt | leading dimension of T, ldt >= max(1,k); rows k..ldt-1 are not written |
        ! | 8 | batch_count | number of matrices, >= 0 |
        ! | 9 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
        !
        ! Asynchronous, without a workspace, and without allocation (except, for more than 2048 rows, scratch memory from
        ! the stream-ordered pool); memory as for tephra_sgeqrf_batched(). The call does nothing and returns success when k
        ! or batch_count is 0.
        function tephra_larft_batched_c(m, k, v_array, ldv, tau_array, t_array, ldt, batch_count, stream) bind(C) &
            result(status)
            import :: c_int32_t, c_int64_t, c_ptr
            integer(c_int64_t), value :: m, k, ldv, ldt, batch_count
            type(c_ptr), value :: v_array, tau_array, t_array, stream
            integer(c_int32_t) :: status
        end function

        ! tephra_slarft_batched() for matrices at a constant stride (in elements). With batch_count > 1, stride_v >= 0,
        ! stride_tau >= 0 and stride_t >= max(1,k). Arguments are numbered m 1, k 2, v 3, ldv 4, stride_v 5, tau 6,
        ! stride_tau 7, t 8, ldt 9, stride_t 10, batch_count 11, stream 12.
        function tephra_larft_strided_batched_c(m, k, v, ldv, stride_v, tau, stride_tau, t, ldt, stride_t, batch_count, &
            stream) bind(C) result(status)
            import :: c_int32_t, c_int64_t, c_ptr
            integer(c_int64_t), value :: m, k, ldv, stride_v, stride_tau, ldt, stride_t, batch_count
            type(c_ptr), value :: v, tau, t, stream
            integer(c_int32_t) :: status
        end function

        ! Batched LAPACK SLARFB, forward and columnwise: C(i) := op(H(i)) C(i) or C(i) op(H(i)), H(i) = I - V(i) T(i)
        ! V(i)^H with an upper triangular T(i), of tephra_slarft_batched() or any other.
        !
        ! | # | argument | |
        ! | - | -------- | - |
        ! | 1 | side | TEPHRA_SIDE_LEFT or TEPHRA_SIDE_RIGHT |
        ! | 2 | trans | TEPHRA_TRANS_N, _T or _C; _T is for real types only, as in LAPACK |
        ! | 3 | m | rows of C, m >= 0 |
        ! | 4 | n | columns of C, n >= 0 |
        ! | 5 | k | reflectors, 0 <= k <= q, where q, the order of H, is m (left) or n (right) |
        ! | 6 | v_array | batch_count pointers to q x k matrices, as for tephra_slarft_batched() |
        ! | 7 | ldv | leading dimension of V, ldv >= max(1,q) |
        ! | 8 | t_array | batch_count pointers to k x k matrices, not read below the diagonal |
        ! | 9 | ldt | leading dimension of T, ldt >= max(1,k) |
        ! | 10 | c_array | batch_count pointers to m x n matrices |
        ! | 11 | ldc | leading dimension of C, ldc >= max(1,m); rows m..ldc-1 are neither read nor written |
        ! | 12 | batch_count | number of matrices, >= 0 |
        ! | 13 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
        !
        ! Asynchronous, without allocation or workspace; memory as for tephra_sgeqrf_batched(). The call does nothing and
        ! returns success when m, n, k or batch_count is 0. Returns TEPHRA_STATUS_NOT_SUPPORTED if k elements do not fit
        ! into the shared memory of a thread block (k above 14,528 in double complex on an H200).
        function tephra_larfb_batched_c(side, trans, m, n, k, v_array, ldv, t_array, ldt, c_array, ldc, batch_count, stream) &
            bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr
            integer(c_int), value :: side, trans
            integer(c_int64_t), value :: m, n, k, ldv, ldt, ldc, batch_count
            type(c_ptr), value :: v_array, t_array, c_array, stream
            integer(c_int32_t) :: status
        end function

        ! tephra_slarfb_batched() for matrices at a constant stride (in elements). With batch_count > 1, stride_v >= 0,
        ! stride_t >= 0 and stride_c >= max(1,m). Arguments are numbered side 1, trans 2, m 3, n 4, k 5, v 6, ldv 7,
        ! stride_v 8, t 9, ldt 10, stride_t 11, c 12, ldc 13, stride_c 14, batch_count 15, stream 16.
        function tephra_larfb_strided_batched_c(side, trans, m, n, k, v, ldv, stride_v, t, ldt, stride_t, c, ldc, stride_c, &
            batch_count, stream) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr
            integer(c_int), value :: side, trans
            integer(c_int64_t), value :: m, n, k, ldv, stride_v, ldt, stride_t, ldc, stride_c, batch_count
            type(c_ptr), value :: v, t, c, stream
            integer(c_int32_t) :: status
        end function

        ! Batched LU factorisation, LAPACK SGETRF for each matrix: A(i) = P(i) L(i) U(i), in place.
        !
        ! On exit the min(m,n) x n upper trapezoidal U(i) is on and above the diagonal of A(i), and the unit lower
        ! trapezoidal L(i) is below it; its ones are not stored. ipiv(i) defines P(i): for j = 1, 2, ..., min(m,n) in
        ! turn, row j was interchanged with row ipiv(i)[j-1], counted from 1. The pivot of a column is the first of its
        ! largest elements, by |re| + |im| in the complex types; a NaN counts as 0. If the pivot is exactly 0, info
        ! reports it, the column is not divided, and the factorisation continues.
        !
        ! The call is asynchronous on the stream, allocates nothing (except, for few large matrices and for more than
        ! 32,768 rows, scratch memory from the stream-ordered pool) and can be captured in a CUDA graph. A NaN or infinity
        ! affects only its own matrix. Rows m..lda-1 of A are neither read nor written.
        !
        ! | # | argument | |
        ! | - | -------- | - |
        ! | 1 | m | rows, 0 <= m < 2^31 |
        ! | 2 | n | columns, n >= 0; m < n is allowed |
        ! | 3 | a_array | batch_count pointers to matrices of lda*n elements; not NULL when there is work |
        ! | 4 | lda | leading dimension, in elements, lda >= max(1,m) |
        ! | 5 | ipiv_array | batch_count pointers to vectors of min(m,n) ints, likewise |
        ! | 6 | info | one int per matrix in device memory, or NULL: 0, or j when element j (from 1) of U's diagonal is the
        ! first that is exactly 0 |
        ! | 7 | batch_count | number of matrices, >= 0 |
        ! | 8 | work | workspace in device memory, aligned to 16 bytes, or NULL when none is needed |
        ! | 9 | work_bytes | size of work, at least what tephra_sgetrf_batched_workspace() reports; a smaller one is an error
        ! |
        ! | 10 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
        !
        ! Arrays, matrices, interchanges and info are in device memory, as for tephra_sgeqrf_batched(). The call does
        ! nothing and returns success when m, n or batch_count is 0; all of info is then set to 0.
        function tephra_getrf_batched_c(m, n, a_array, lda, ipiv_array, info, batch_count, work, work_bytes, stream) bind(C) &
            result(status)
            import :: c_int32_t, c_int64_t, c_ptr, c_size_t
            integer(c_int64_t), value :: m, n, lda, batch_count
            type(c_ptr), value :: a_array, ipiv_array, info, work, stream
            integer(c_size_t), value :: work_bytes
            integer(c_int32_t) :: status
        end function

        ! Workspace of tephra_sgetrf_batched() in bytes; 0 on the CPU backend. Its arguments are checked as in that call,
        ! and are numbered m 1, n 2, lda 3, batch_count 4.
        function tephra_getrf_batched_workspace_c(m, n, lda, batch_count, bytes) bind(C) result(status)
            import :: c_int32_t, c_int64_t, c_size_t
            integer(c_int64_t), value :: m, n, lda, batch_count
            integer(c_size_t), intent(out) :: bytes
            integer(c_int32_t) :: status
        end function

        ! tephra_sgetrf_batched() for matrices at a constant stride (in elements; stride_ipiv in ints). With batch_count >
        ! 1, stride_a >= max(1,m) and stride_ipiv >= max(1,min(m,n)); matrices must not share elements. Arguments are
        ! numbered m 1, n 2, a 3, lda 4, stride_a 5, ipiv 6, stride_ipiv 7, info 8, batch_count 9, work 10, work_bytes 11,
        ! stream 12.
        function tephra_getrf_strided_batched_c(m, n, a, lda, stride_a, ipiv, stride_ipiv, info, batch_count, work, &
            work_bytes, stream) bind(C) result(status)
            import :: c_int32_t, c_int64_t, c_ptr, c_size_t
            integer(c_int64_t), value :: m, n, lda, stride_a, stride_ipiv, batch_count
            type(c_ptr), value :: a, ipiv, info, work, stream
            integer(c_size_t), value :: work_bytes
            integer(c_int32_t) :: status
        end function

        ! Workspace of tephra_sgetrf_strided_batched() in bytes. Arguments are numbered m 1, n 2, lda 3, stride_a 4,
        ! stride_ipiv 5, batch_count 6.
        function tephra_getrf_strided_batched_workspace_c(m, n, lda, stride_a, stride_ipiv, batch_count, bytes) bind(C) &
            result(status)
            import :: c_int32_t, c_int64_t, c_size_t
            integer(c_int64_t), value :: m, n, lda, stride_a, stride_ipiv, batch_count
            integer(c_size_t), intent(out) :: bytes
            integer(c_int32_t) :: status
        end function

        ! Batched LU factorisation without pivoting: A(i) = L(i) U(i), in place, as tephra_sgetrf_batched() without its
        ! interchanges. It is meant for matrices that are known to need none, such as diagonally dominant ones; for others
        ! the error of the factors is unbounded.
        !
        ! Arguments are numbered m 1, n 2, a_array 3, lda 4, info 5, batch_count 6, work 7, work_bytes 8, stream 9.
        function tephra_getrf_nopiv_batched_c(m, n, a_array, lda, info, batch_count, work, work_bytes, stream) bind(C) &
            result(status)
            import :: c_int32_t, c_int64_t, c_ptr, c_size_t
            integer(c_int64_t), value :: m, n, lda, batch_count
            type(c_ptr), value :: a_array, info, work, stream
            integer(c_size_t), value :: work_bytes
            integer(c_int32_t) :: status
        end function

        ! Workspace of tephra_sgetrf_nopiv_batched() in bytes. Arguments are numbered m 1, n 2, lda 3, batch_count 4.
        function tephra_getrf_nopiv_batched_workspace_c(m, n, lda, batch_count, bytes) bind(C) result(status)
            import :: c_int32_t, c_int64_t, c_size_t
            integer(c_int64_t), value :: m, n, lda, batch_count
            integer(c_size_t), intent(out) :: bytes
            integer(c_int32_t) :: status
        end function

        ! tephra_sgetrf_nopiv_batched() for matrices at a constant stride (in elements). With batch_count > 1, stride_a >=
        ! max(1,m); matrices must not share elements. Arguments are numbered m 1, n 2, a 3, lda 4, stride_a 5, info 6,
        ! batch_count 7, work 8, work_bytes 9, stream 10.
        function tephra_getrf_nopiv_strided_batched_c(m, n, a, lda, stride_a, info, batch_count, work, work_bytes, stream) &
            bind(C) result(status)
            import :: c_int32_t, c_int64_t, c_ptr, c_size_t
            integer(c_int64_t), value :: m, n, lda, stride_a, batch_count
            type(c_ptr), value :: a, info, work, stream
            integer(c_size_t), value :: work_bytes
            integer(c_int32_t) :: status
        end function

        ! Workspace of tephra_sgetrf_nopiv_strided_batched() in bytes. Arguments are numbered m 1, n 2, lda 3, stride_a 4,
        ! batch_count 5.
        function tephra_getrf_nopiv_strided_batched_workspace_c(m, n, lda, stride_a, batch_count, bytes) bind(C) &
            result(status)
            import :: c_int32_t, c_int64_t, c_size_t
            integer(c_int64_t), value :: m, n, lda, stride_a, batch_count
            integer(c_size_t), intent(out) :: bytes
            integer(c_int32_t) :: status
        end function

        ! Batched LAPACK SGETRS: B(i) := op(A(i))^-1 B(i), from the factors that tephra_sgetrf_batched() or
        ! tephra_sgetrf_nopiv_batched() left in A(i).
        !
        ! U(i) is not checked for singularity: the result of a division by a zero on its diagonal is passed on. Members of
        ! the batch may share A or ipiv. The call is asynchronous on the stream, allocates nothing (except, for few large
        ! matrices, scratch memory from the stream-ordered pool) and can be captured in a CUDA graph. A NaN or infinity
        ! affects only its own matrix.
        !
        ! | # | argument | |
        ! | - | -------- | - |
        ! | 1 | trans | TEPHRA_TRANS_N, _T or _C |
        ! | 2 | n | order of A, n >= 0 |
        ! | 3 | nrhs | right-hand sides, columns of B, nrhs >= 0 |
        ! | 4 | a_array | batch_count pointers to the factors; not NULL when there is work |
        ! | 5 | lda | leading dimension of A, lda >= max(1,n) |
        ! | 6 | ipiv_array | batch_count pointers to n ints each, as tephra_sgetrf_batched() gives them, or NULL: no
        ! interchanges |
        ! | 7 | b_array | batch_count pointers to n x nrhs matrices; not NULL when there is work |
        ! | 8 | ldb | leading dimension of B, ldb >= max(1,n); rows n..ldb-1 are neither read nor written |
        ! | 9 | batch_count | number of matrices, >= 0 |
        ! | 10 | work | workspace in device memory, aligned to 16 bytes, or NULL when none is needed |
        ! | 11 | work_bytes | size of work, at least what tephra_sgetrs_batched_workspace() reports; a smaller one is an error
        ! |
        ! | 12 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
        !
        ! Arrays, matrices and interchanges are in device memory, as for tephra_sgeqrf_batched(). The call does nothing
        ! and returns success when n, nrhs or batch_count is 0.
        function tephra_getrs_batched_c(trans, n, nrhs, a_array, lda, ipiv_array, b_array, ldb, batch_count, work, &
            work_bytes, stream) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr, c_size_t
            integer(c_int), value :: trans
            integer(c_int64_t), value :: n, nrhs, lda, ldb, batch_count
            type(c_ptr), value :: a_array, ipiv_array, b_array, work, stream
            integer(c_size_t), value :: work_bytes
            integer(c_int32_t) :: status
        end function

        ! Workspace of tephra_sgetrs_batched() in bytes; 0 on the CPU backend. Its arguments are checked as in that call,
        ! and are numbered trans 1, n 2, nrhs 3, lda 4, ldb 5, batch_count 6.
        function tephra_getrs_batched_workspace_c(trans, n, nrhs, lda, ldb, batch_count, bytes) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_size_t
            integer(c_int), value :: trans
            integer(c_int64_t), value :: n, nrhs, lda, ldb, batch_count
            integer(c_size_t), intent(out) :: bytes
            integer(c_int32_t) :: status
        end function

        ! tephra_sgetrs_batched() for matrices at a constant stride (in elements; stride_ipiv in ints). With batch_count >
        ! 1, stride_a >= 0 and stride_ipiv >= 0 (0: one for all members), stride_b >= max(1,n). Arguments are numbered
        ! trans 1, n 2, nrhs 3, a 4, lda 5, stride_a 6, ipiv 7, stride_ipiv 8, b 9, ldb 10, stride_b 11, batch_count 12,
        ! work 13, work_bytes 14, stream 15.
        function tephra_getrs_strided_batched_c(trans, n, nrhs, a, lda, stride_a, ipiv, stride_ipiv, b, ldb, stride_b, &
            batch_count, work, work_bytes, stream) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr, c_size_t
            integer(c_int), value :: trans
            integer(c_int64_t), value :: n, nrhs, lda, stride_a, stride_ipiv, ldb, stride_b, batch_count
            type(c_ptr), value :: a, ipiv, b, work, stream
            integer(c_size_t), value :: work_bytes
            integer(c_int32_t) :: status
        end function

        ! Workspace of tephra_sgetrs_strided_batched() in bytes. Arguments are numbered trans 1, n 2, nrhs 3, lda 4, stride_a
        ! 5, stride_ipiv 6, ldb 7, stride_b 8, batch_count 9.
        function tephra_getrs_strided_batched_workspace_c(trans, n, nrhs, lda, stride_a, stride_ipiv, ldb, stride_b, &
            batch_count, bytes) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_size_t
            integer(c_int), value :: trans
            integer(c_int64_t), value :: n, nrhs, lda, stride_a, stride_ipiv, ldb, stride_b, batch_count
            integer(c_size_t), intent(out) :: bytes
            integer(c_int32_t) :: status
        end function

        ! Batched LAPACK SGESV: solves A(i) X(i) = B(i) by an LU factorisation with pivoting.
        !
        ! On exit A(i) and ipiv(i) are as tephra_sgetrf_batched() leaves them, and X(i) is in B(i). If info is not 0, A(i)
        ! is singular, and every column of B(i) contains non-finite values. The call is asynchronous on the stream,
        ! allocates nothing (except where tephra_sgetrf_batched() or tephra_sgetrs_batched() uses scratch memory) and can
        ! be captured in a CUDA graph. A NaN or infinity affects only its own matrix.
        !
        ! | # | argument | |
        ! | - | -------- | - |
        ! | 1 | n | order of A, n >= 0 |
        ! | 2 | nrhs | right-hand sides, columns of B and X, nrhs >= 0 |
        ! | 3 | a_array | batch_count pointers to n x n matrices; not NULL when there is work |
        ! | 4 | lda | leading dimension of A, lda >= max(1,n) |
        ! | 5 | ipiv_array | batch_count pointers to vectors of n ints, likewise |
        ! | 6 | b_array | batch_count pointers to n x nrhs matrices; not NULL when nrhs > 0 and there is work |
        ! | 7 | ldb | leading dimension of B, ldb >= max(1,n) |
        ! | 8 | info | one int per matrix in device memory, or NULL: 0, or j when element j (from 1) of U's diagonal is the
        ! first that is exactly 0 |
        ! | 9 | batch_count | number of matrices, >= 0 |
        ! | 10 | work | workspace in device memory, aligned to 16 bytes, or NULL when none is needed |
        ! | 11 | work_bytes | size of work, at least what tephra_sgesv_batched_workspace() reports; a smaller one is an error
        ! |
        ! | 12 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
        !
        ! Arrays, matrices, interchanges and info are in device memory, as for tephra_sgeqrf_batched(). The call does
        ! nothing and returns success when n or batch_count is 0; all of info is then set to 0. Without right-hand sides A
        ! is still factored and info set.
        function tephra_gesv_batched_c(n, nrhs, a_array, lda, ipiv_array, b_array, ldb, info, batch_count, work, work_bytes, &
            stream) bind(C) result(status)
            import :: c_int32_t, c_int64_t, c_ptr, c_size_t
            integer(c_int64_t), value :: n, nrhs, lda, ldb, batch_count
            type(c_ptr), value :: a_array, ipiv_array, b_array, info, work, stream
            integer(c_size_t), value :: work_bytes
            integer(c_int32_t) :: status
        end function

        ! Workspace of tephra_sgesv_batched() in bytes; 0 on the CPU backend. Its arguments are checked as in that call,
        ! and are numbered n 1, nrhs 2, lda 3, ldb 4, batch_count 5.
        function tephra_gesv_batched_workspace_c(n, nrhs, lda, ldb, batch_count, bytes) bind(C) result(status)
            import :: c_int32_t, c_int64_t, c_size_t
            integer(c_int64_t), value :: n, nrhs, lda, ldb, batch_count
            integer(c_size_t), intent(out) :: bytes
            integer(c_int32_t) :: status
        end function

        ! tephra_sgesv_batched() for matrices at a constant stride (in elements; stride_ipiv in ints). With batch_count >
        ! 1, stride_a >= max(1,n), stride_ipiv >= max(1,n), stride_b >= max(1,n); matrices must not share elements.
        ! Arguments are numbered n 1, nrhs 2, a 3, lda 4, stride_a 5, ipiv 6, stride_ipiv 7, b 8, ldb 9, stride_b 10,
        ! info 11, batch_count 12, work 13, work_bytes 14, stream 15.
        function tephra_gesv_strided_batched_c(n, nrhs, a, lda, stride_a, ipiv, stride_ipiv, b, ldb, stride_b, info, &
            batch_count, work, work_bytes, stream) bind(C) result(status)
            import :: c_int32_t, c_int64_t, c_ptr, c_size_t
            integer(c_int64_t), value :: n, nrhs, lda, stride_a, stride_ipiv, ldb, stride_b, batch_count
            type(c_ptr), value :: a, ipiv, b, info, work, stream
            integer(c_size_t), value :: work_bytes
            integer(c_int32_t) :: status
        end function

        ! Workspace of tephra_sgesv_strided_batched() in bytes. Arguments are numbered n 1, nrhs 2, lda 3, stride_a 4,
        ! stride_ipiv 5, ldb 6, stride_b 7, batch_count 8.
        function tephra_gesv_strided_batched_workspace_c(n, nrhs, lda, stride_a, stride_ipiv, ldb, stride_b, batch_count, &
            bytes) bind(C) result(status)
            import :: c_int32_t, c_int64_t, c_size_t
            integer(c_int64_t), value :: n, nrhs, lda, stride_a, stride_ipiv, ldb, stride_b, batch_count
            integer(c_size_t), intent(out) :: bytes
            integer(c_int32_t) :: status
        end function

        ! Batched MAGMA SGESV_RBT: solves A(i) X(i) = B(i) with a random butterfly transformation instead of pivoting.
        !
        ! U^T A(i) V is factored without pivoting, the system U^T A(i) V Y = U^T B(i) is solved, and X(i) = V Y. U and V
        ! are butterflies of depth 2 (Parker; Baboulin, Dongarra, Herrmann and Tomov 2013) with the same random numbers in
        ! every call. On exit A(i) holds the factors L and U of U^T A(i) V, which no other routine can use, and B(i) holds
        ! X(i). The backward error depends on the element growth without pivoting. For matrices with independent random
        ! elements it is mostly 10 to 200 times that of tephra_sgesv_batched(), and up to 10,000 times for one in a
        ! hundred; for some others, such as sparse matrices and permutations, it is unbounded. If info is not 0, every
        ! column of B(i) contains non-finite values. The call is asynchronous on the stream, allocates nothing (except
        ! where tephra_sgetrf_nopiv_batched() or tephra_sgetrs_batched() uses scratch memory), needs no workspace and can
        ! be captured in a CUDA graph. A NaN or infinity affects only its own matrix.
        !
        ! | # | argument | |
        ! | - | -------- | - |
        ! | 1 | n | order of A, n >= 0 |
        ! | 2 | nrhs | columns of B, nrhs >= 0 |
        ! | 3 | a_array | batch_count pointers to n x n matrices; not NULL when there is work |
        ! | 4 | lda | leading dimension of A, lda >= max(1,n) |
        ! | 5 | b_array | batch_count pointers to n x nrhs matrices; not NULL when there is work |
        ! | 6 | ldb | leading dimension of B, ldb >= max(1,n) |
        ! | 7 | info | batch_count ints, or NULL: 0, or j when element j (from 1) of U's diagonal is the first that is exactly
        ! 0 |
        ! | 8 | batch_count | number of matrices, >= 0 |
        ! | 9 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
        !
        ! Arrays, matrices and info are in device memory, as for tephra_sgeqrf_batched(). The call does nothing and
        ! returns success when n, nrhs or batch_count is 0; all of info is then set to 0.
        function tephra_gesv_rbt_batched_c(n, nrhs, a_array, lda, b_array, ldb, info, batch_count, stream) bind(C) &
            result(status)
            import :: c_int32_t, c_int64_t, c_ptr
            integer(c_int64_t), value :: n, nrhs, lda, ldb, batch_count
            type(c_ptr), value :: a_array, b_array, info, stream
            integer(c_int32_t) :: status
        end function

        ! tephra_sgesv_rbt_batched() for matrices at a constant stride (in elements). With batch_count > 1, stride_a and
        ! stride_b >= max(1,n). Arguments are numbered n 1, nrhs 2, a 3, lda 4, stride_a 5, b 6, ldb 7, stride_b 8,
        ! info 9, batch_count 10, stream 11.
        function tephra_gesv_rbt_strided_batched_c(n, nrhs, a, lda, stride_a, b, ldb, stride_b, info, batch_count, stream) &
            bind(C) result(status)
            import :: c_int32_t, c_int64_t, c_ptr
            integer(c_int64_t), value :: n, nrhs, lda, stride_a, ldb, stride_b, batch_count
            type(c_ptr), value :: a, b, info, stream
            integer(c_int32_t) :: status
        end function

        ! Batched LAPACK SGETRI: C(i) := A(i)^-1, from the factors that tephra_sgetrf_batched() or
        ! tephra_sgetrf_nopiv_batched() left in A(i); in place if C is A.
        !
        ! If info is not 0, A(i) has no inverse, and all of C(i) is NaN. The call is asynchronous on the stream, allocates
        ! nothing and can be captured in a CUDA graph. A NaN or infinity affects only its own matrix.
        !
        ! | # | argument | |
        ! | - | -------- | - |
        ! | 1 | n | order of A, n >= 0 |
        ! | 2 | a_array | batch_count pointers to the factors; not NULL when there is work |
        ! | 3 | lda | leading dimension of A, lda >= max(1,n) |
        ! | 4 | ipiv_array | batch_count pointers to n ints each, as tephra_sgetrf_batched() gives them, or NULL: no
        ! interchanges |
        ! | 5 | c_array | batch_count pointers to n x n matrices that receive the inverses, likewise; a_array, or C must not
        ! overlap A |
        ! | 6 | ldc | leading dimension of C, ldc >= max(1,n), in place lda |
        ! | 7 | info | one int per matrix in device memory, or NULL: 0, or j when element j (from 1) of U's diagonal is the
        ! first that is exactly 0 |
        ! | 8 | batch_count | number of matrices, >= 0 |
        ! | 9 | work | workspace in device memory, aligned to 16 bytes, or NULL when none is needed |
        ! | 10 | work_bytes | size of work, at least what tephra_sgetri_batched_workspace() reports; a smaller one is an error
        ! |
        ! | 11 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
        !
        ! Arrays, matrices, interchanges and info are in device memory, as for tephra_sgeqrf_batched(). The call does
        ! nothing and returns success when n or batch_count is 0; all of info is then set to 0.
        function tephra_getri_batched_c(n, a_array, lda, ipiv_array, c_array, ldc, info, batch_count, work, work_bytes, &
            stream) bind(C) result(status)
            import :: c_int32_t, c_int64_t, c_ptr, c_size_t
            integer(c_int64_t), value :: n, lda, ldc, batch_count
            type(c_ptr), value :: a_array, ipiv_array, c_array, info, work, stream
            integer(c_size_t), value :: work_bytes
            integer(c_int32_t) :: status
        end function

        ! Workspace of tephra_sgetri_batched() in bytes; 0 on the CPU backend. Its arguments are checked as in that call,
        ! and are numbered n 1, lda 2, ldc 3, batch_count 4.
        function tephra_getri_batched_workspace_c(n, lda, ldc, batch_count, bytes) bind(C) result(status)
            import :: c_int32_t, c_int64_t, c_size_t
            integer(c_int64_t), value :: n, lda, ldc, batch_count
            integer(c_size_t), intent(out) :: bytes
            integer(c_int32_t) :: status
        end function

        ! tephra_sgetri_batched() for matrices at a constant stride (in elements; stride_ipiv in ints). c may be a itself,
        ! with ldc = lda and stride_c = stride_a: in place. With batch_count > 1, stride_a >= 0 and stride_ipiv >= 0 (0:
        ! one for all members), stride_c >= max(1,n). Arguments are numbered n 1, a 2, lda 3, stride_a 4, ipiv 5,
        ! stride_ipiv 6, c 7, ldc 8, stride_c 9, info 10, batch_count 11, work 12, work_bytes 13, stream 14.
        function tephra_getri_strided_batched_c(n, a, lda, stride_a, ipiv, stride_ipiv, c, ldc, stride_c, info, batch_count, &
            work, work_bytes, stream) bind(C) result(status)
            import :: c_int32_t, c_int64_t, c_ptr, c_size_t
            integer(c_int64_t), value :: n, lda, stride_a, stride_ipiv, ldc, stride_c, batch_count
            type(c_ptr), value :: a, ipiv, c, info, work, stream
            integer(c_size_t), value :: work_bytes
            integer(c_int32_t) :: status
        end function

        ! Workspace of tephra_sgetri_strided_batched() in bytes. Arguments are numbered n 1, lda 2, stride_a 3, stride_ipiv 4,
        ! ldc 5, stride_c 6, batch_count 7.
        function tephra_getri_strided_batched_workspace_c(n, lda, stride_a, stride_ipiv, ldc, stride_c, batch_count, bytes) &
            bind(C) result(status)
            import :: c_int32_t, c_int64_t, c_size_t
            integer(c_int64_t), value :: n, lda, stride_a, stride_ipiv, ldc, stride_c, batch_count
            integer(c_size_t), intent(out) :: bytes
            integer(c_int32_t) :: status
        end function

        ! Batched inverses: C(i) := A(i)^-1, by an LU factorisation with pivoting (LAPACK SGETRF and SGETRI). It is in
        ! place if C is A; otherwise A is not modified.
        !
        ! If info is not 0, A(i) has no inverse, and all of C(i) is NaN. The call is asynchronous on the stream, allocates
        ! nothing (except where tephra_sgetrf_batched() uses scratch memory) and can be captured in a CUDA graph. A NaN or
        ! infinity affects only its own matrix.
        !
        ! | # | argument | |
        ! | - | -------- | - |
        ! | 1 | n | order of A, n >= 0 |
        ! | 2 | a_array | batch_count pointers to n x n matrices; not NULL when there is work |
        ! | 3 | lda | leading dimension of A, lda >= max(1,n) |
        ! | 4 | c_array | batch_count pointers to n x n matrices that receive the inverses, likewise; a_array, or C must not
        ! overlap A |
        ! | 5 | ldc | leading dimension of C, ldc >= max(1,n), in place lda |
        ! | 6 | info | one int per matrix in device memory, or NULL: 0, or j when element j (from 1) of U's diagonal is the
        ! first that is exactly 0 |
        ! | 7 | batch_count | number of matrices, >= 0 |
        ! | 8 | work | workspace in device memory, aligned to 16 bytes, or NULL when none is needed |
        ! | 9 | work_bytes | size of work, at least what tephra_sinv_batched_workspace() reports; a smaller one is an error |
        ! | 10 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
        !
        ! Arrays, matrices and info are in device memory, as for tephra_sgeqrf_batched(). The call does nothing and
        ! returns success when n or batch_count is 0; all of info is then set to 0.
        function tephra_inv_batched_c(n, a_array, lda, c_array, ldc, info, batch_count, work, work_bytes, stream) bind(C) &
            result(status)
            import :: c_int32_t, c_int64_t, c_ptr, c_size_t
            integer(c_int64_t), value :: n, lda, ldc, batch_count
            type(c_ptr), value :: a_array, c_array, info, work, stream
            integer(c_size_t), value :: work_bytes
            integer(c_int32_t) :: status
        end function

        ! Workspace of tephra_sinv_batched() in bytes; 0 on the CPU backend. Its arguments are checked as in that call,
        ! and are numbered n 1, lda 2, ldc 3, batch_count 4.
        function tephra_inv_batched_workspace_c(n, lda, ldc, batch_count, bytes) bind(C) result(status)
            import :: c_int32_t, c_int64_t, c_size_t
            integer(c_int64_t), value :: n, lda, ldc, batch_count
            integer(c_size_t), intent(out) :: bytes
            integer(c_int32_t) :: status
        end function

        ! tephra_sinv_batched() for matrices at a constant stride (in elements). c may be a itself, with ldc = lda and
        ! stride_c = stride_a: in place. With batch_count > 1, stride_a >= 0 (0: one for all members) and stride_c >=
        ! max(1,n). Arguments are numbered n 1, a 2, lda 3, stride_a 4, c 5, ldc 6, stride_c 7, info 8, batch_count 9,
        ! work 10, work_bytes 11, stream 12.
        function tephra_inv_strided_batched_c(n, a, lda, stride_a, c, ldc, stride_c, info, batch_count, work, work_bytes, &
            stream) bind(C) result(status)
            import :: c_int32_t, c_int64_t, c_ptr, c_size_t
            integer(c_int64_t), value :: n, lda, stride_a, ldc, stride_c, batch_count
            type(c_ptr), value :: a, c, info, work, stream
            integer(c_size_t), value :: work_bytes
            integer(c_int32_t) :: status
        end function

        ! Workspace of tephra_sinv_strided_batched() in bytes. Arguments are numbered n 1, lda 2, stride_a 3, ldc 4, stride_c
        ! 5, batch_count 6.
        function tephra_inv_strided_batched_workspace_c(n, lda, stride_a, ldc, stride_c, batch_count, bytes) bind(C) &
            result(status)
            import :: c_int32_t, c_int64_t, c_size_t
            integer(c_int64_t), value :: n, lda, stride_a, ldc, stride_c, batch_count
            integer(c_size_t), intent(out) :: bytes
            integer(c_int32_t) :: status
        end function

        ! Batched LAPACK SLASWP: interchanges rows of A(i), in the order of tephra_sgetrf_batched() or in reverse. For j =
        ! k1, ..., k2 (incx > 0) or k2, ..., k1 (incx < 0) in turn, row j is interchanged with row ipiv(i)[k1 - 1 + (j -
        ! k1)*|incx|]; rows are counted from 1. With incx = 0 the call does nothing.
        !
        ! The call is asynchronous on the stream, allocates nothing, needs no workspace and can be captured in a CUDA
        ! graph. Members of the batch may share one ipiv.
        !
        ! | # | argument | |
        ! | - | -------- | - |
        ! | 1 | n | columns of A, n >= 0 |
        ! | 2 | a_array | batch_count pointers to matrices with at least k2 rows and all rows in ipiv; not NULL when there is
        ! work |
        ! | 3 | lda | leading dimension of A, lda >= max(1,k2) |
        ! | 4 | k1 | first row to interchange, k1 >= 1 |
        ! | 5 | k2 | last row to interchange; nothing is done if it is less than k1 |
        ! | 6 | ipiv_array | batch_count pointers to k1 + (k2 - k1)*|incx| ints each; not NULL when there is work |
        ! | 7 | incx | increment between interchanges; its sign gives the order |
        ! | 8 | batch_count | number of matrices, >= 0 |
        ! | 9 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
        !
        ! Arrays, matrices and interchanges are in device memory, as for tephra_sgeqrf_batched(). The call does nothing
        ! and returns success when n or batch_count is 0.
        function tephra_laswp_batched_c(n, a_array, lda, k1, k2, ipiv_array, incx, batch_count, stream) bind(C) &
            result(status)
            import :: c_int32_t, c_int64_t, c_ptr
            integer(c_int64_t), value :: n, lda, k1, k2, incx, batch_count
            type(c_ptr), value :: a_array, ipiv_array, stream
            integer(c_int32_t) :: status
        end function

        ! tephra_slaswp_batched() for matrices at a constant stride (in elements; stride_ipiv in ints). With batch_count >
        ! 1, stride_a >= max(1,k2) and stride_ipiv >= 0 (0: one for all members). Arguments are numbered n 1, a 2, lda 3,
        ! stride_a 4, k1 5, k2 6, ipiv 7, stride_ipiv 8, incx 9, batch_count 10, stream 11.
        function tephra_laswp_strided_batched_c(n, a, lda, stride_a, k1, k2, ipiv, stride_ipiv, incx, batch_count, stream) &
            bind(C) result(status)
            import :: c_int32_t, c_int64_t, c_ptr
            integer(c_int64_t), value :: n, lda, stride_a, k1, k2, stride_ipiv, incx, batch_count
            type(c_ptr), value :: a, ipiv, stream
            integer(c_int32_t) :: status
        end function

        ! Batched LAPACK SPOTRF: the Cholesky factorisation A(i) = L(i) L(i)^H or A(i) = U(i)^H U(i) in place, for symmetric
        ! (complex: Hermitian) positive definite A(i).
        !
        ! The factor overwrites the triangle uplo of A(i); the other triangle is neither read nor written. Imaginary parts
        ! on the diagonal of A(i) are ignored; those of the factor are 0. If A(i) is not positive definite, info is the
        ! order j of the first leading minor that is not. The factor of the leading minor of order j - 1 is then complete,
        ! element (j, j) holds the updated diagonal element, which is not positive, and the rest of the triangle is
        ! unspecified. A NaN counts as not positive, so info is where the first one reached the diagonal.
        !
        ! The call is asynchronous on the stream, allocates nothing (except, for few large matrices, scratch memory from
        ! the stream-ordered pool) and can be captured in a CUDA graph. A NaN or infinity affects only its own matrix.
        !
        ! | # | argument | |
        ! | - | -------- | - |
        ! | 1 | uplo | TEPHRA_UPLO_UPPER or TEPHRA_UPLO_LOWER: the triangle of A |
        ! | 2 | n | order of A, n >= 0 |
        ! | 3 | a_array | batch_count pointers to n x n matrices; not NULL when there is work |
        ! | 4 | lda | leading dimension of A, lda >= max(1,n) |
        ! | 5 | info | one int per matrix in device memory, or NULL: 0, or j when the leading minor of order j is the first
        ! that is not positive definite |
        ! | 6 | batch_count | number of matrices, >= 0 |
        ! | 7 | work | workspace in device memory, aligned to 16 bytes, or NULL when none is needed |
        ! | 8 | work_bytes | size of work, at least what tephra_spotrf_batched_workspace() reports; a smaller one is an error
        ! |
        ! | 9 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
        !
        ! Arrays, matrices and info are in device memory, as for tephra_sgeqrf_batched(). The call does nothing and
        ! returns success when n or batch_count is 0; all of info is then set to 0.
        function tephra_potrf_batched_c(uplo, n, a_array, lda, info, batch_count, work, work_bytes, stream) bind(C) &
            result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr, c_size_t
            integer(c_int), value :: uplo
            integer(c_int64_t), value :: n, lda, batch_count
            type(c_ptr), value :: a_array, info, work, stream
            integer(c_size_t), value :: work_bytes
            integer(c_int32_t) :: status
        end function

        ! Workspace of tephra_spotrf_batched() in bytes; 0 on the CPU backend. Its arguments are checked as in that call,
        ! and are numbered uplo 1, n 2, lda 3, batch_count 4.
        function tephra_potrf_batched_workspace_c(uplo, n, lda, batch_count, bytes) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_size_t
            integer(c_int), value :: uplo
            integer(c_int64_t), value :: n, lda, batch_count
            integer(c_size_t), intent(out) :: bytes
            integer(c_int32_t) :: status
        end function

        ! tephra_spotrf_batched() for matrices at a constant stride (in elements). With batch_count > 1, stride_a >=
        ! max(1,n); matrices must not share elements of the triangle. Arguments are numbered uplo 1, n 2, a 3, lda 4,
        ! stride_a 5, info 6, batch_count 7, work 8, work_bytes 9, stream 10.
        function tephra_potrf_strided_batched_c(uplo, n, a, lda, stride_a, info, batch_count, work, work_bytes, stream) &
            bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr, c_size_t
            integer(c_int), value :: uplo
            integer(c_int64_t), value :: n, lda, stride_a, batch_count
            type(c_ptr), value :: a, info, work, stream
            integer(c_size_t), value :: work_bytes
            integer(c_int32_t) :: status
        end function

        ! Workspace of tephra_spotrf_strided_batched() in bytes. Arguments are numbered uplo 1, n 2, lda 3, stride_a 4,
        ! batch_count 5.
        function tephra_potrf_strided_batched_workspace_c(uplo, n, lda, stride_a, batch_count, bytes) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_size_t
            integer(c_int), value :: uplo
            integer(c_int64_t), value :: n, lda, stride_a, batch_count
            integer(c_size_t), intent(out) :: bytes
            integer(c_int32_t) :: status
        end function

        ! Batched LAPACK SPOTRI: A(i)^-1 in place, from the factor that tephra_spotrf_batched() left in A(i).
        !
        ! The inverse is symmetric (complex: Hermitian): its triangle uplo overwrites the factor; the other triangle is
        ! neither read nor written. If the factor has an exact 0 on its diagonal, A(i) has no inverse and is left
        ! unchanged.
        !
        ! The call is asynchronous on the stream, allocates nothing (except, for few large matrices, scratch memory from
        ! the stream-ordered pool) and can be captured in a CUDA graph. A NaN or infinity affects only its own matrix.
        !
        ! | # | argument | |
        ! | - | -------- | - |
        ! | 1 | uplo | TEPHRA_UPLO_UPPER or TEPHRA_UPLO_LOWER: the triangle of A |
        ! | 2 | n | order of A, n >= 0 |
        ! | 3 | a_array | batch_count pointers to n x n matrices; not NULL when there is work |
        ! | 4 | lda | leading dimension of A, lda >= max(1,n) |
        ! | 5 | info | one int per matrix in device memory, or NULL: 0, or j when element j (from 1) of the factor's diagonal
        ! is the first that is exactly 0 |
        ! | 6 | batch_count | number of matrices, >= 0 |
        ! | 7 | work | workspace in device memory, aligned to 16 bytes, or NULL when none is needed |
        ! | 8 | work_bytes | size of work, at least what tephra_spotri_batched_workspace() reports; a smaller one is an error
        ! |
        ! | 9 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
        !
        ! Arrays, matrices and info are in device memory, as for tephra_sgeqrf_batched(). The call does nothing and
        ! returns success when n or batch_count is 0; all of info is then set to 0.
        function tephra_potri_batched_c(uplo, n, a_array, lda, info, batch_count, work, work_bytes, stream) bind(C) &
            result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr, c_size_t
            integer(c_int), value :: uplo
            integer(c_int64_t), value :: n, lda, batch_count
            type(c_ptr), value :: a_array, info, work, stream
            integer(c_size_t), value :: work_bytes
            integer(c_int32_t) :: status
        end function

        ! Workspace of tephra_spotri_batched() in bytes; 0 on the CPU backend. Its arguments are checked as in that call,
        ! and are numbered uplo 1, n 2, lda 3, batch_count 4.
        function tephra_potri_batched_workspace_c(uplo, n, lda, batch_count, bytes) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_size_t
            integer(c_int), value :: uplo
            integer(c_int64_t), value :: n, lda, batch_count
            integer(c_size_t), intent(out) :: bytes
            integer(c_int32_t) :: status
        end function

        ! tephra_spotri_batched() for matrices at a constant stride (in elements). With batch_count > 1, stride_a >=
        ! max(1,n); matrices must not share elements of the triangle. Arguments are numbered uplo 1, n 2, a 3, lda 4,
        ! stride_a 5, info 6, batch_count 7, work 8, work_bytes 9, stream 10.
        function tephra_potri_strided_batched_c(uplo, n, a, lda, stride_a, info, batch_count, work, work_bytes, stream) &
            bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr, c_size_t
            integer(c_int), value :: uplo
            integer(c_int64_t), value :: n, lda, stride_a, batch_count
            type(c_ptr), value :: a, info, work, stream
            integer(c_size_t), value :: work_bytes
            integer(c_int32_t) :: status
        end function

        ! Workspace of tephra_spotri_strided_batched() in bytes. Arguments are numbered uplo 1, n 2, lda 3, stride_a 4,
        ! batch_count 5.
        function tephra_potri_strided_batched_workspace_c(uplo, n, lda, stride_a, batch_count, bytes) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_size_t
            integer(c_int), value :: uplo
            integer(c_int64_t), value :: n, lda, stride_a, batch_count
            integer(c_size_t), intent(out) :: bytes
            integer(c_int32_t) :: status
        end function

        ! Batched LAPACK SPOTRS: B(i) := A(i)^-1 B(i), from the factor that tephra_spotrf_batched() left in A(i).
        !
        ! A(i) is not checked for singularity: the result of a division by a 0 on the factor's diagonal is passed on. The
        ! other triangle of A(i) is not read.
        !
        ! The call is asynchronous on the stream, allocates nothing (except, for few large matrices, scratch memory from
        ! the stream-ordered pool) and can be captured in a CUDA graph. A NaN or infinity affects only its own matrix.
        !
        ! | # | argument | |
        ! | - | -------- | - |
        ! | 1 | uplo | TEPHRA_UPLO_UPPER or TEPHRA_UPLO_LOWER: the triangle of A |
        ! | 2 | n | order of A, n >= 0 |
        ! | 3 | nrhs | right-hand sides, columns of B, nrhs >= 0 |
        ! | 4 | a_array | batch_count pointers to n x n matrices, which may coincide; not NULL when there is work |
        ! | 5 | lda | leading dimension of A, lda >= max(1,n) |
        ! | 6 | b_array | batch_count pointers to n x nrhs matrices; not NULL when there is work |
        ! | 7 | ldb | leading dimension of B, ldb >= max(1,n) |
        ! | 8 | batch_count | number of matrices, >= 0 |
        ! | 9 | work | workspace in device memory, aligned to 16 bytes, or NULL when none is needed |
        ! | 10 | work_bytes | size of work, at least what tephra_spotrs_batched_workspace() reports; a smaller one is an error
        ! |
        ! | 11 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
        !
        ! Arrays and matrices are in device memory, as for tephra_sgeqrf_batched(). The call does nothing and returns
        ! success when n, nrhs or batch_count is 0.
        function tephra_potrs_batched_c(uplo, n, nrhs, a_array, lda, b_array, ldb, batch_count, work, work_bytes, stream) &
            bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr, c_size_t
            integer(c_int), value :: uplo
            integer(c_int64_t), value :: n, nrhs, lda, ldb, batch_count
            type(c_ptr), value :: a_array, b_array, work, stream
            integer(c_size_t), value :: work_bytes
            integer(c_int32_t) :: status
        end function

        ! Workspace of tephra_spotrs_batched() in bytes; 0 on the CPU backend. Its arguments are checked as in that call,
        ! and are numbered uplo 1, n 2, nrhs 3, lda 4, ldb 5, batch_count 6.
        function tephra_potrs_batched_workspace_c(uplo, n, nrhs, lda, ldb, batch_count, bytes) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_size_t
            integer(c_int), value :: uplo
            integer(c_int64_t), value :: n, nrhs, lda, ldb, batch_count
            integer(c_size_t), intent(out) :: bytes
            integer(c_int32_t) :: status
        end function

        ! tephra_spotrs_batched() for matrices at a constant stride (in elements). With batch_count > 1, stride_a >= 0 (0:
        ! one factor for all members) and stride_b >= max(1,n). Arguments are numbered uplo 1, n 2, nrhs 3, a 4, lda 5,
        ! stride_a 6, b 7, ldb 8, stride_b 9, batch_count 10, work 11, work_bytes 12, stream 13.
        function tephra_potrs_strided_batched_c(uplo, n, nrhs, a, lda, stride_a, b, ldb, stride_b, batch_count, work, &
            work_bytes, stream) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr, c_size_t
            integer(c_int), value :: uplo
            integer(c_int64_t), value :: n, nrhs, lda, stride_a, ldb, stride_b, batch_count
            type(c_ptr), value :: a, b, work, stream
            integer(c_size_t), value :: work_bytes
            integer(c_int32_t) :: status
        end function

        ! Workspace of tephra_spotrs_strided_batched() in bytes. Arguments are numbered uplo 1, n 2, nrhs 3, lda 4, stride_a
        ! 5,
        ! ldb 6, stride_b 7, batch_count 8.
        function tephra_potrs_strided_batched_workspace_c(uplo, n, nrhs, lda, stride_a, ldb, stride_b, batch_count, bytes) &
            bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_size_t
            integer(c_int), value :: uplo
            integer(c_int64_t), value :: n, nrhs, lda, stride_a, ldb, stride_b, batch_count
            integer(c_size_t), intent(out) :: bytes
            integer(c_int32_t) :: status
        end function

        ! Batched LAPACK SPOSV: solves A(i) X(i) = B(i) by a Cholesky factorisation, for symmetric (complex: Hermitian)
        ! positive
        ! definite A(i).
        !
        ! On exit A(i) is as tephra_spotrf_batched() leaves it, and X(i) is in B(i). If info is not 0, A(i) is not
        ! positive definite, and the contents of B(i) are unspecified.
        !
        ! The call is asynchronous on the stream, allocates nothing (except, for few large matrices, scratch memory from
        ! the stream-ordered pool) and can be captured in a CUDA graph. A NaN or infinity affects only its own matrix.
        !
        ! | # | argument | |
        ! | - | -------- | - |
        ! | 1 | uplo | TEPHRA_UPLO_UPPER or TEPHRA_UPLO_LOWER: the triangle of A |
        ! | 2 | n | order of A, n >= 0 |
        ! | 3 | nrhs | right-hand sides, columns of B, nrhs >= 0 |
        ! | 4 | a_array | batch_count pointers to n x n matrices; not NULL when there is work |
        ! | 5 | lda | leading dimension of A, lda >= max(1,n) |
        ! | 6 | b_array | batch_count pointers to n x nrhs matrices; not NULL when nrhs > 0 and there is work |
        ! | 7 | ldb | leading dimension of B, ldb >= max(1,n) |
        ! | 8 | info | one int per matrix in device memory, or NULL: 0, or j when the leading minor of order j is the first
        ! that is not positive definite |
        ! | 9 | batch_count | number of matrices, >= 0 |
        ! | 10 | work | workspace in device memory, aligned to 16 bytes, or NULL when none is needed |
        ! | 11 | work_bytes | size of work, at least what tephra_sposv_batched_workspace() reports; a smaller one is an error
        ! |
        ! | 12 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
        !
        ! Arrays, matrices and info are in device memory, as for tephra_sgeqrf_batched(). The call does nothing and
        ! returns success when n or batch_count is 0; all of info is then set to 0. Without right-hand sides A is still
        ! factored and info set.
        function tephra_posv_batched_c(uplo, n, nrhs, a_array, lda, b_array, ldb, info, batch_count, work, work_bytes, &
            stream) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr, c_size_t
            integer(c_int), value :: uplo
            integer(c_int64_t), value :: n, nrhs, lda, ldb, batch_count
            type(c_ptr), value :: a_array, b_array, info, work, stream
            integer(c_size_t), value :: work_bytes
            integer(c_int32_t) :: status
        end function

        ! Workspace of tephra_sposv_batched() in bytes; 0 on the CPU backend. Its arguments are checked as in that call,
        ! and are numbered uplo 1, n 2, nrhs 3, lda 4, ldb 5, batch_count 6.
        function tephra_posv_batched_workspace_c(uplo, n, nrhs, lda, ldb, batch_count, bytes) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_size_t
            integer(c_int), value :: uplo
            integer(c_int64_t), value :: n, nrhs, lda, ldb, batch_count
            integer(c_size_t), intent(out) :: bytes
            integer(c_int32_t) :: status
        end function

        ! tephra_sposv_batched() for matrices at a constant stride (in elements). With batch_count > 1, stride_a >=
        ! max(1,n) and stride_b >= max(1,n). Arguments are numbered uplo 1, n 2, nrhs 3, a 4, lda 5, stride_a 6, b 7,
        ! ldb 8, stride_b 9, info 10, batch_count 11, work 12, work_bytes 13, stream 14.
        function tephra_posv_strided_batched_c(uplo, n, nrhs, a, lda, stride_a, b, ldb, stride_b, info, batch_count, work, &
            work_bytes, stream) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr, c_size_t
            integer(c_int), value :: uplo
            integer(c_int64_t), value :: n, nrhs, lda, stride_a, ldb, stride_b, batch_count
            type(c_ptr), value :: a, b, info, work, stream
            integer(c_size_t), value :: work_bytes
            integer(c_int32_t) :: status
        end function

        ! Workspace of tephra_sposv_strided_batched() in bytes. Arguments are numbered uplo 1, n 2, nrhs 3, lda 4, stride_a 5,
        ! ldb 6, stride_b 7, batch_count 8.
        function tephra_posv_strided_batched_workspace_c(uplo, n, nrhs, lda, stride_a, ldb, stride_b, batch_count, bytes) &
            bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_size_t
            integer(c_int), value :: uplo
            integer(c_int64_t), value :: n, nrhs, lda, stride_a, ldb, stride_b, batch_count
            integer(c_size_t), intent(out) :: bytes
            integer(c_int32_t) :: status
        end function
    end interface

    procedure(tephra_geqrf_batched_c), bind(C, name="tephra_sgeqrf_batched") :: tephra_sgeqrf_batched
    procedure(tephra_geqrf_batched_c), bind(C, name="tephra_dgeqrf_batched") :: tephra_dgeqrf_batched
    procedure(tephra_geqrf_batched_c), bind(C, name="tephra_cgeqrf_batched") :: tephra_cgeqrf_batched
    procedure(tephra_geqrf_batched_c), bind(C, name="tephra_zgeqrf_batched") :: tephra_zgeqrf_batched

    procedure(tephra_geqrf_batched_workspace_c), bind(C, name="tephra_sgeqrf_batched_workspace") :: &
        tephra_sgeqrf_batched_workspace
    procedure(tephra_geqrf_batched_workspace_c), bind(C, name="tephra_dgeqrf_batched_workspace") :: &
        tephra_dgeqrf_batched_workspace
    procedure(tephra_geqrf_batched_workspace_c), bind(C, name="tephra_cgeqrf_batched_workspace") :: &
        tephra_cgeqrf_batched_workspace
    procedure(tephra_geqrf_batched_workspace_c), bind(C, name="tephra_zgeqrf_batched_workspace") :: &
        tephra_zgeqrf_batched_workspace

    procedure(tephra_geqrf_strided_batched_c), bind(C, name="tephra_sgeqrf_strided_batched") :: &
        tephra_sgeqrf_strided_batched
    procedure(tephra_geqrf_strided_batched_c), bind(C, name="tephra_dgeqrf_strided_batched") :: &
        tephra_dgeqrf_strided_batched
    procedure(tephra_geqrf_strided_batched_c), bind(C, name="tephra_cgeqrf_strided_batched") :: &
        tephra_cgeqrf_strided_batched
    procedure(tephra_geqrf_strided_batched_c), bind(C, name="tephra_zgeqrf_strided_batched") :: &
        tephra_zgeqrf_strided_batched

    procedure(tephra_geqrf_strided_batched_workspace_c), bind(C, name="tephra_sgeqrf_strided_batched_workspace") :: &
        tephra_sgeqrf_strided_batched_workspace
    procedure(tephra_geqrf_strided_batched_workspace_c), bind(C, name="tephra_dgeqrf_strided_batched_workspace") :: &
        tephra_dgeqrf_strided_batched_workspace
    procedure(tephra_geqrf_strided_batched_workspace_c), bind(C, name="tephra_cgeqrf_strided_batched_workspace") :: &
        tephra_cgeqrf_strided_batched_workspace
    procedure(tephra_geqrf_strided_batched_workspace_c), bind(C, name="tephra_zgeqrf_strided_batched_workspace") :: &
        tephra_zgeqrf_strided_batched_workspace

    procedure(tephra_gelqf_batched_c), bind(C, name="tephra_sgelqf_batched") :: tephra_sgelqf_batched
    procedure(tephra_gelqf_batched_c), bind(C, name="tephra_dgelqf_batched") :: tephra_dgelqf_batched
    procedure(tephra_gelqf_batched_c), bind(C, name="tephra_cgelqf_batched") :: tephra_cgelqf_batched
    procedure(tephra_gelqf_batched_c), bind(C, name="tephra_zgelqf_batched") :: tephra_zgelqf_batched

    procedure(tephra_gelqf_batched_workspace_c), bind(C, name="tephra_sgelqf_batched_workspace") :: &
        tephra_sgelqf_batched_workspace
    procedure(tephra_gelqf_batched_workspace_c), bind(C, name="tephra_dgelqf_batched_workspace") :: &
        tephra_dgelqf_batched_workspace
    procedure(tephra_gelqf_batched_workspace_c), bind(C, name="tephra_cgelqf_batched_workspace") :: &
        tephra_cgelqf_batched_workspace
    procedure(tephra_gelqf_batched_workspace_c), bind(C, name="tephra_zgelqf_batched_workspace") :: &
        tephra_zgelqf_batched_workspace

    procedure(tephra_gelqf_strided_batched_c), bind(C, name="tephra_sgelqf_strided_batched") :: &
        tephra_sgelqf_strided_batched
    procedure(tephra_gelqf_strided_batched_c), bind(C, name="tephra_dgelqf_strided_batched") :: &
        tephra_dgelqf_strided_batched
    procedure(tephra_gelqf_strided_batched_c), bind(C, name="tephra_cgelqf_strided_batched") :: &
        tephra_cgelqf_strided_batched
    procedure(tephra_gelqf_strided_batched_c), bind(C, name="tephra_zgelqf_strided_batched") :: &
        tephra_zgelqf_strided_batched

    procedure(tephra_gelqf_strided_batched_workspace_c), bind(C, name="tephra_sgelqf_strided_batched_workspace") :: &
        tephra_sgelqf_strided_batched_workspace
    procedure(tephra_gelqf_strided_batched_workspace_c), bind(C, name="tephra_dgelqf_strided_batched_workspace") :: &
        tephra_dgelqf_strided_batched_workspace
    procedure(tephra_gelqf_strided_batched_workspace_c), bind(C, name="tephra_cgelqf_strided_batched_workspace") :: &
        tephra_cgelqf_strided_batched_workspace
    procedure(tephra_gelqf_strided_batched_workspace_c), bind(C, name="tephra_zgelqf_strided_batched_workspace") :: &
        tephra_zgelqf_strided_batched_workspace

    procedure(tephra_geqp3_batched_c), bind(C, name="tephra_sgeqp3_batched") :: tephra_sgeqp3_batched
    procedure(tephra_geqp3_batched_c), bind(C, name="tephra_dgeqp3_batched") :: tephra_dgeqp3_batched
    procedure(tephra_geqp3_batched_c), bind(C, name="tephra_cgeqp3_batched") :: tephra_cgeqp3_batched
    procedure(tephra_geqp3_batched_c), bind(C, name="tephra_zgeqp3_batched") :: tephra_zgeqp3_batched

    procedure(tephra_geqp3_batched_workspace_c), bind(C, name="tephra_sgeqp3_batched_workspace") :: &
        tephra_sgeqp3_batched_workspace
    procedure(tephra_geqp3_batched_workspace_c), bind(C, name="tephra_dgeqp3_batched_workspace") :: &
        tephra_dgeqp3_batched_workspace
    procedure(tephra_geqp3_batched_workspace_c), bind(C, name="tephra_cgeqp3_batched_workspace") :: &
        tephra_cgeqp3_batched_workspace
    procedure(tephra_geqp3_batched_workspace_c), bind(C, name="tephra_zgeqp3_batched_workspace") :: &
        tephra_zgeqp3_batched_workspace

    procedure(tephra_geqp3_strided_batched_c), bind(C, name="tephra_sgeqp3_strided_batched") :: &
        tephra_sgeqp3_strided_batched
    procedure(tephra_geqp3_strided_batched_c), bind(C, name="tephra_dgeqp3_strided_batched") :: &
        tephra_dgeqp3_strided_batched
    procedure(tephra_geqp3_strided_batched_c), bind(C, name="tephra_cgeqp3_strided_batched") :: &
        tephra_cgeqp3_strided_batched
    procedure(tephra_geqp3_strided_batched_c), bind(C, name="tephra_zgeqp3_strided_batched") :: &
        tephra_zgeqp3_strided_batched

    procedure(tephra_geqp3_strided_batched_workspace_c), bind(C, name="tephra_sgeqp3_strided_batched_workspace") :: &
        tephra_sgeqp3_strided_batched_workspace
    procedure(tephra_geqp3_strided_batched_workspace_c), bind(C, name="tephra_dgeqp3_strided_batched_workspace") :: &
        tephra_dgeqp3_strided_batched_workspace
    procedure(tephra_geqp3_strided_batched_workspace_c), bind(C, name="tephra_cgeqp3_strided_batched_workspace") :: &
        tephra_cgeqp3_strided_batched_workspace
    procedure(tephra_geqp3_strided_batched_workspace_c), bind(C, name="tephra_zgeqp3_strided_batched_workspace") :: &
        tephra_zgeqp3_strided_batched_workspace

    procedure(tephra_orgqr_batched_c), bind(C, name="tephra_sorgqr_batched") :: tephra_sorgqr_batched
    procedure(tephra_orgqr_batched_c), bind(C, name="tephra_dorgqr_batched") :: tephra_dorgqr_batched
    procedure(tephra_orgqr_batched_c), bind(C, name="tephra_cungqr_batched") :: tephra_cungqr_batched
    procedure(tephra_orgqr_batched_c), bind(C, name="tephra_zungqr_batched") :: tephra_zungqr_batched

    procedure(tephra_orgqr_strided_batched_c), bind(C, name="tephra_sorgqr_strided_batched") :: &
        tephra_sorgqr_strided_batched
    procedure(tephra_orgqr_strided_batched_c), bind(C, name="tephra_dorgqr_strided_batched") :: &
        tephra_dorgqr_strided_batched
    procedure(tephra_orgqr_strided_batched_c), bind(C, name="tephra_cungqr_strided_batched") :: &
        tephra_cungqr_strided_batched
    procedure(tephra_orgqr_strided_batched_c), bind(C, name="tephra_zungqr_strided_batched") :: &
        tephra_zungqr_strided_batched

    procedure(tephra_ormqr_batched_c), bind(C, name="tephra_sormqr_batched") :: tephra_sormqr_batched
    procedure(tephra_ormqr_batched_c), bind(C, name="tephra_dormqr_batched") :: tephra_dormqr_batched
    procedure(tephra_ormqr_batched_c), bind(C, name="tephra_cunmqr_batched") :: tephra_cunmqr_batched
    procedure(tephra_ormqr_batched_c), bind(C, name="tephra_zunmqr_batched") :: tephra_zunmqr_batched

    procedure(tephra_ormqr_strided_batched_c), bind(C, name="tephra_sormqr_strided_batched") :: &
        tephra_sormqr_strided_batched
    procedure(tephra_ormqr_strided_batched_c), bind(C, name="tephra_dormqr_strided_batched") :: &
        tephra_dormqr_strided_batched
    procedure(tephra_ormqr_strided_batched_c), bind(C, name="tephra_cunmqr_strided_batched") :: &
        tephra_cunmqr_strided_batched
    procedure(tephra_ormqr_strided_batched_c), bind(C, name="tephra_zunmqr_strided_batched") :: &
        tephra_zunmqr_strided_batched

    procedure(tephra_qr_batched_c), bind(C, name="tephra_sqr_batched") :: tephra_sqr_batched
    procedure(tephra_qr_batched_c), bind(C, name="tephra_dqr_batched") :: tephra_dqr_batched
    procedure(tephra_qr_batched_c), bind(C, name="tephra_cqr_batched") :: tephra_cqr_batched
    procedure(tephra_qr_batched_c), bind(C, name="tephra_zqr_batched") :: tephra_zqr_batched

    procedure(tephra_qr_batched_workspace_c), bind(C, name="tephra_sqr_batched_workspace") :: tephra_sqr_batched_workspace
    procedure(tephra_qr_batched_workspace_c), bind(C, name="tephra_dqr_batched_workspace") :: tephra_dqr_batched_workspace
    procedure(tephra_qr_batched_workspace_c), bind(C, name="tephra_cqr_batched_workspace") :: tephra_cqr_batched_workspace
    procedure(tephra_qr_batched_workspace_c), bind(C, name="tephra_zqr_batched_workspace") :: tephra_zqr_batched_workspace

    procedure(tephra_qr_strided_batched_c), bind(C, name="tephra_sqr_strided_batched") :: tephra_sqr_strided_batched
    procedure(tephra_qr_strided_batched_c), bind(C, name="tephra_dqr_strided_batched") :: tephra_dqr_strided_batched
    procedure(tephra_qr_strided_batched_c), bind(C, name="tephra_cqr_strided_batched") :: tephra_cqr_strided_batched
    procedure(tephra_qr_strided_batched_c), bind(C, name="tephra_zqr_strided_batched") :: tephra_zqr_strided_batched

    procedure(tephra_qr_strided_batched_workspace_c), bind(C, name="tephra_sqr_strided_batched_workspace") :: &
        tephra_sqr_strided_batched_workspace
    procedure(tephra_qr_strided_batched_workspace_c), bind(C, name="tephra_dqr_strided_batched_workspace") :: &
        tephra_dqr_strided_batched_workspace
    procedure(tephra_qr_strided_batched_workspace_c), bind(C, name="tephra_cqr_strided_batched_workspace") :: &
        tephra_cqr_strided_batched_workspace
    procedure(tephra_qr_strided_batched_workspace_c), bind(C, name="tephra_zqr_strided_batched_workspace") :: &
        tephra_zqr_strided_batched_workspace

    procedure(tephra_gels_batched_c), bind(C, name="tephra_sgels_batched") :: tephra_sgels_batched
    procedure(tephra_gels_batched_c), bind(C, name="tephra_dgels_batched") :: tephra_dgels_batched
    procedure(tephra_gels_batched_c), bind(C, name="tephra_cgels_batched") :: tephra_cgels_batched
    procedure(tephra_gels_batched_c), bind(C, name="tephra_zgels_batched") :: tephra_zgels_batched

    procedure(tephra_gels_batched_workspace_c), bind(C, name="tephra_sgels_batched_workspace") :: &
        tephra_sgels_batched_workspace
    procedure(tephra_gels_batched_workspace_c), bind(C, name="tephra_dgels_batched_workspace") :: &
        tephra_dgels_batched_workspace
    procedure(tephra_gels_batched_workspace_c), bind(C, name="tephra_cgels_batched_workspace") :: &
        tephra_cgels_batched_workspace
    procedure(tephra_gels_batched_workspace_c), bind(C, name="tephra_zgels_batched_workspace") :: &
        tephra_zgels_batched_workspace

    procedure(tephra_gels_strided_batched_c), bind(C, name="tephra_sgels_strided_batched") :: tephra_sgels_strided_batched
    procedure(tephra_gels_strided_batched_c), bind(C, name="tephra_dgels_strided_batched") :: tephra_dgels_strided_batched
    procedure(tephra_gels_strided_batched_c), bind(C, name="tephra_cgels_strided_batched") :: tephra_cgels_strided_batched
    procedure(tephra_gels_strided_batched_c), bind(C, name="tephra_zgels_strided_batched") :: tephra_zgels_strided_batched

    procedure(tephra_gels_strided_batched_workspace_c), bind(C, name="tephra_sgels_strided_batched_workspace") :: &
        tephra_sgels_strided_batched_workspace
    procedure(tephra_gels_strided_batched_workspace_c), bind(C, name="tephra_dgels_strided_batched_workspace") :: &
        tephra_dgels_strided_batched_workspace
    procedure(tephra_gels_strided_batched_workspace_c), bind(C, name="tephra_cgels_strided_batched_workspace") :: &
        tephra_cgels_strided_batched_workspace
    procedure(tephra_gels_strided_batched_workspace_c), bind(C, name="tephra_zgels_strided_batched_workspace") :: &
        tephra_zgels_strided_batched_workspace

    procedure(tephra_gelsy_batched_c), bind(C, name="tephra_sgelsy_batched") :: tephra_sgelsy_batched
    procedure(tephra_gelsy_batched_c), bind(C, name="tephra_dgelsy_batched") :: tephra_dgelsy_batched
    procedure(tephra_gelsy_batched_c), bind(C, name="tephra_cgelsy_batched") :: tephra_cgelsy_batched
    procedure(tephra_gelsy_batched_c), bind(C, name="tephra_zgelsy_batched") :: tephra_zgelsy_batched

    procedure(tephra_gelsy_batched_workspace_c), bind(C, name="tephra_sgelsy_batched_workspace") :: &
        tephra_sgelsy_batched_workspace
    procedure(tephra_gelsy_batched_workspace_c), bind(C, name="tephra_dgelsy_batched_workspace") :: &
        tephra_dgelsy_batched_workspace
    procedure(tephra_gelsy_batched_workspace_c), bind(C, name="tephra_cgelsy_batched_workspace") :: &
        tephra_cgelsy_batched_workspace
    procedure(tephra_gelsy_batched_workspace_c), bind(C, name="tephra_zgelsy_batched_workspace") :: &
        tephra_zgelsy_batched_workspace

    procedure(tephra_gelsy_strided_batched_c), bind(C, name="tephra_sgelsy_strided_batched") :: &
        tephra_sgelsy_strided_batched
    procedure(tephra_gelsy_strided_batched_c), bind(C, name="tephra_dgelsy_strided_batched") :: &
        tephra_dgelsy_strided_batched
    procedure(tephra_gelsy_strided_batched_c), bind(C, name="tephra_cgelsy_strided_batched") :: &
        tephra_cgelsy_strided_batched
    procedure(tephra_gelsy_strided_batched_c), bind(C, name="tephra_zgelsy_strided_batched") :: &
        tephra_zgelsy_strided_batched

    procedure(tephra_gelsy_strided_batched_workspace_c), bind(C, name="tephra_sgelsy_strided_batched_workspace") :: &
        tephra_sgelsy_strided_batched_workspace
    procedure(tephra_gelsy_strided_batched_workspace_c), bind(C, name="tephra_dgelsy_strided_batched_workspace") :: &
        tephra_dgelsy_strided_batched_workspace
    procedure(tephra_gelsy_strided_batched_workspace_c), bind(C, name="tephra_cgelsy_strided_batched_workspace") :: &
        tephra_cgelsy_strided_batched_workspace
    procedure(tephra_gelsy_strided_batched_workspace_c), bind(C, name="tephra_zgelsy_strided_batched_workspace") :: &
        tephra_zgelsy_strided_batched_workspace

    procedure(tephra_geqrf_c), bind(C, name="tephra_sgeqrf") :: tephra_sgeqrf
    procedure(tephra_geqrf_c), bind(C, name="tephra_dgeqrf") :: tephra_dgeqrf
    procedure(tephra_geqrf_c), bind(C, name="tephra_cgeqrf") :: tephra_cgeqrf
    procedure(tephra_geqrf_c), bind(C, name="tephra_zgeqrf") :: tephra_zgeqrf

    procedure(tephra_geqrf_workspace_c), bind(C, name="tephra_sgeqrf_workspace") :: tephra_sgeqrf_workspace
    procedure(tephra_geqrf_workspace_c), bind(C, name="tephra_dgeqrf_workspace") :: tephra_dgeqrf_workspace
    procedure(tephra_geqrf_workspace_c), bind(C, name="tephra_cgeqrf_workspace") :: tephra_cgeqrf_workspace
    procedure(tephra_geqrf_workspace_c), bind(C, name="tephra_zgeqrf_workspace") :: tephra_zgeqrf_workspace

    procedure(tephra_orgqr_c), bind(C, name="tephra_sorgqr") :: tephra_sorgqr
    procedure(tephra_orgqr_c), bind(C, name="tephra_dorgqr") :: tephra_dorgqr
    procedure(tephra_orgqr_c), bind(C, name="tephra_cungqr") :: tephra_cungqr
    procedure(tephra_orgqr_c), bind(C, name="tephra_zungqr") :: tephra_zungqr

    procedure(tephra_ormqr_c), bind(C, name="tephra_sormqr") :: tephra_sormqr
    procedure(tephra_ormqr_c), bind(C, name="tephra_dormqr") :: tephra_dormqr
    procedure(tephra_ormqr_c), bind(C, name="tephra_cunmqr") :: tephra_cunmqr
    procedure(tephra_ormqr_c), bind(C, name="tephra_zunmqr") :: tephra_zunmqr

    procedure(tephra_gels_c), bind(C, name="tephra_sgels") :: tephra_sgels
    procedure(tephra_gels_c), bind(C, name="tephra_dgels") :: tephra_dgels
    procedure(tephra_gels_c), bind(C, name="tephra_cgels") :: tephra_cgels
    procedure(tephra_gels_c), bind(C, name="tephra_zgels") :: tephra_zgels

    procedure(tephra_gels_workspace_c), bind(C, name="tephra_sgels_workspace") :: tephra_sgels_workspace
    procedure(tephra_gels_workspace_c), bind(C, name="tephra_dgels_workspace") :: tephra_dgels_workspace
    procedure(tephra_gels_workspace_c), bind(C, name="tephra_cgels_workspace") :: tephra_cgels_workspace
    procedure(tephra_gels_workspace_c), bind(C, name="tephra_zgels_workspace") :: tephra_zgels_workspace

    procedure(tephra_geqr_c), bind(C, name="tephra_sgeqr") :: tephra_sgeqr
    procedure(tephra_geqr_c), bind(C, name="tephra_dgeqr") :: tephra_dgeqr
    procedure(tephra_geqr_c), bind(C, name="tephra_cgeqr") :: tephra_cgeqr
    procedure(tephra_geqr_c), bind(C, name="tephra_zgeqr") :: tephra_zgeqr

    procedure(tephra_geqr_tsize_c), bind(C, name="tephra_sgeqr_tsize") :: tephra_sgeqr_tsize
    procedure(tephra_geqr_tsize_c), bind(C, name="tephra_dgeqr_tsize") :: tephra_dgeqr_tsize
    procedure(tephra_geqr_tsize_c), bind(C, name="tephra_cgeqr_tsize") :: tephra_cgeqr_tsize
    procedure(tephra_geqr_tsize_c), bind(C, name="tephra_zgeqr_tsize") :: tephra_zgeqr_tsize

    procedure(tephra_geqr_strided_batched_c), bind(C, name="tephra_sgeqr_strided_batched") :: tephra_sgeqr_strided_batched
    procedure(tephra_geqr_strided_batched_c), bind(C, name="tephra_dgeqr_strided_batched") :: tephra_dgeqr_strided_batched
    procedure(tephra_geqr_strided_batched_c), bind(C, name="tephra_cgeqr_strided_batched") :: tephra_cgeqr_strided_batched
    procedure(tephra_geqr_strided_batched_c), bind(C, name="tephra_zgeqr_strided_batched") :: tephra_zgeqr_strided_batched

    procedure(tephra_gemqr_c), bind(C, name="tephra_sgemqr") :: tephra_sgemqr
    procedure(tephra_gemqr_c), bind(C, name="tephra_dgemqr") :: tephra_dgemqr
    procedure(tephra_gemqr_c), bind(C, name="tephra_cgemqr") :: tephra_cgemqr
    procedure(tephra_gemqr_c), bind(C, name="tephra_zgemqr") :: tephra_zgemqr

    procedure(tephra_gemqr_strided_batched_c), bind(C, name="tephra_sgemqr_strided_batched") :: &
        tephra_sgemqr_strided_batched
    procedure(tephra_gemqr_strided_batched_c), bind(C, name="tephra_dgemqr_strided_batched") :: &
        tephra_dgemqr_strided_batched
    procedure(tephra_gemqr_strided_batched_c), bind(C, name="tephra_cgemqr_strided_batched") :: &
        tephra_cgemqr_strided_batched
    procedure(tephra_gemqr_strided_batched_c), bind(C, name="tephra_zgemqr_strided_batched") :: &
        tephra_zgemqr_strided_batched

    procedure(tephra_gels_iterative_c), bind(C, name="tephra_sgels_iterative") :: tephra_sgels_iterative
    procedure(tephra_gels_iterative_c), bind(C, name="tephra_dgels_iterative") :: tephra_dgels_iterative
    procedure(tephra_gels_iterative_c), bind(C, name="tephra_cgels_iterative") :: tephra_cgels_iterative
    procedure(tephra_gels_iterative_c), bind(C, name="tephra_zgels_iterative") :: tephra_zgels_iterative

    procedure(tephra_gels_iterative_workspace_c), bind(C, name="tephra_sgels_iterative_workspace") :: &
        tephra_sgels_iterative_workspace
    procedure(tephra_gels_iterative_workspace_c), bind(C, name="tephra_dgels_iterative_workspace") :: &
        tephra_dgels_iterative_workspace
    procedure(tephra_gels_iterative_workspace_c), bind(C, name="tephra_cgels_iterative_workspace") :: &
        tephra_cgels_iterative_workspace
    procedure(tephra_gels_iterative_workspace_c), bind(C, name="tephra_zgels_iterative_workspace") :: &
        tephra_zgels_iterative_workspace

    procedure(tephra_gels_iterative_batched_c), bind(C, name="tephra_sgels_iterative_batched") :: &
        tephra_sgels_iterative_batched
    procedure(tephra_gels_iterative_batched_c), bind(C, name="tephra_dgels_iterative_batched") :: &
        tephra_dgels_iterative_batched
    procedure(tephra_gels_iterative_batched_c), bind(C, name="tephra_cgels_iterative_batched") :: &
        tephra_cgels_iterative_batched
    procedure(tephra_gels_iterative_batched_c), bind(C, name="tephra_zgels_iterative_batched") :: &
        tephra_zgels_iterative_batched

    procedure(tephra_gels_iterative_batched_workspace_c), bind(C, name="tephra_sgels_iterative_batched_workspace") :: &
        tephra_sgels_iterative_batched_workspace
    procedure(tephra_gels_iterative_batched_workspace_c), bind(C, name="tephra_dgels_iterative_batched_workspace") :: &
        tephra_dgels_iterative_batched_workspace
    procedure(tephra_gels_iterative_batched_workspace_c), bind(C, name="tephra_cgels_iterative_batched_workspace") :: &
        tephra_cgels_iterative_batched_workspace
    procedure(tephra_gels_iterative_batched_workspace_c), bind(C, name="tephra_zgels_iterative_batched_workspace") :: &
        tephra_zgels_iterative_batched_workspace

    procedure(tephra_gels_iterative_strided_batched_c), bind(C, name="tephra_sgels_iterative_strided_batched") :: &
        tephra_sgels_iterative_strided_batched
    procedure(tephra_gels_iterative_strided_batched_c), bind(C, name="tephra_dgels_iterative_strided_batched") :: &
        tephra_dgels_iterative_strided_batched
    procedure(tephra_gels_iterative_strided_batched_c), bind(C, name="tephra_cgels_iterative_strided_batched") :: &
        tephra_cgels_iterative_strided_batched
    procedure(tephra_gels_iterative_strided_batched_c), bind(C, name="tephra_zgels_iterative_strided_batched") :: &
        tephra_zgels_iterative_strided_batched

    procedure(tephra_gels_iterative_strided_batched_workspace_c), bind(C, &
        name="tephra_sgels_iterative_strided_batched_workspace") :: tephra_sgels_iterative_strided_batched_workspace
    procedure(tephra_gels_iterative_strided_batched_workspace_c), bind(C, &
        name="tephra_dgels_iterative_strided_batched_workspace") :: tephra_dgels_iterative_strided_batched_workspace
    procedure(tephra_gels_iterative_strided_batched_workspace_c), bind(C, &
        name="tephra_cgels_iterative_strided_batched_workspace") :: tephra_cgels_iterative_strided_batched_workspace
    procedure(tephra_gels_iterative_strided_batched_workspace_c), bind(C, &
        name="tephra_zgels_iterative_strided_batched_workspace") :: tephra_zgels_iterative_strided_batched_workspace

    procedure(tephra_trsm_batched_c), bind(C, name="tephra_strsm_batched") :: tephra_strsm_batched
    procedure(tephra_trsm_batched_c), bind(C, name="tephra_dtrsm_batched") :: tephra_dtrsm_batched
    procedure(tephra_trsm_batched_c), bind(C, name="tephra_ctrsm_batched") :: tephra_ctrsm_batched
    procedure(tephra_trsm_batched_c), bind(C, name="tephra_ztrsm_batched") :: tephra_ztrsm_batched

    procedure(tephra_trsm_strided_batched_c), bind(C, name="tephra_strsm_strided_batched") :: tephra_strsm_strided_batched
    procedure(tephra_trsm_strided_batched_c), bind(C, name="tephra_dtrsm_strided_batched") :: tephra_dtrsm_strided_batched
    procedure(tephra_trsm_strided_batched_c), bind(C, name="tephra_ctrsm_strided_batched") :: tephra_ctrsm_strided_batched
    procedure(tephra_trsm_strided_batched_c), bind(C, name="tephra_ztrsm_strided_batched") :: tephra_ztrsm_strided_batched

    procedure(tephra_gemm_batched_c), bind(C, name="tephra_sgemm_batched") :: tephra_sgemm_batched
    procedure(tephra_gemm_batched_c), bind(C, name="tephra_dgemm_batched") :: tephra_dgemm_batched
    procedure(tephra_gemm_batched_c), bind(C, name="tephra_cgemm_batched") :: tephra_cgemm_batched
    procedure(tephra_gemm_batched_c), bind(C, name="tephra_zgemm_batched") :: tephra_zgemm_batched

    procedure(tephra_gemm_strided_batched_c), bind(C, name="tephra_sgemm_strided_batched") :: tephra_sgemm_strided_batched
    procedure(tephra_gemm_strided_batched_c), bind(C, name="tephra_dgemm_strided_batched") :: tephra_dgemm_strided_batched
    procedure(tephra_gemm_strided_batched_c), bind(C, name="tephra_cgemm_strided_batched") :: tephra_cgemm_strided_batched
    procedure(tephra_gemm_strided_batched_c), bind(C, name="tephra_zgemm_strided_batched") :: tephra_zgemm_strided_batched

    procedure(tephra_gemm_grouped_batched_c), bind(C, name="tephra_sgemm_grouped_batched") :: tephra_sgemm_grouped_batched
    procedure(tephra_gemm_grouped_batched_c), bind(C, name="tephra_dgemm_grouped_batched") :: tephra_dgemm_grouped_batched
    procedure(tephra_gemm_grouped_batched_c), bind(C, name="tephra_cgemm_grouped_batched") :: tephra_cgemm_grouped_batched
    procedure(tephra_gemm_grouped_batched_c), bind(C, name="tephra_zgemm_grouped_batched") :: tephra_zgemm_grouped_batched

    procedure(tephra_gemv_batched_c), bind(C, name="tephra_sgemv_batched") :: tephra_sgemv_batched
    procedure(tephra_gemv_batched_c), bind(C, name="tephra_dgemv_batched") :: tephra_dgemv_batched
    procedure(tephra_gemv_batched_c), bind(C, name="tephra_cgemv_batched") :: tephra_cgemv_batched
    procedure(tephra_gemv_batched_c), bind(C, name="tephra_zgemv_batched") :: tephra_zgemv_batched

    procedure(tephra_gemv_strided_batched_c), bind(C, name="tephra_sgemv_strided_batched") :: tephra_sgemv_strided_batched
    procedure(tephra_gemv_strided_batched_c), bind(C, name="tephra_dgemv_strided_batched") :: tephra_dgemv_strided_batched
    procedure(tephra_gemv_strided_batched_c), bind(C, name="tephra_cgemv_strided_batched") :: tephra_cgemv_strided_batched
    procedure(tephra_gemv_strided_batched_c), bind(C, name="tephra_zgemv_strided_batched") :: tephra_zgemv_strided_batched

    procedure(tephra_trsv_batched_c), bind(C, name="tephra_strsv_batched") :: tephra_strsv_batched
    procedure(tephra_trsv_batched_c), bind(C, name="tephra_dtrsv_batched") :: tephra_dtrsv_batched
    procedure(tephra_trsv_batched_c), bind(C, name="tephra_ctrsv_batched") :: tephra_ctrsv_batched
    procedure(tephra_trsv_batched_c), bind(C, name="tephra_ztrsv_batched") :: tephra_ztrsv_batched

    procedure(tephra_trsv_strided_batched_c), bind(C, name="tephra_strsv_strided_batched") :: tephra_strsv_strided_batched
    procedure(tephra_trsv_strided_batched_c), bind(C, name="tephra_dtrsv_strided_batched") :: tephra_dtrsv_strided_batched
    procedure(tephra_trsv_strided_batched_c), bind(C, name="tephra_ctrsv_strided_batched") :: tephra_ctrsv_strided_batched
    procedure(tephra_trsv_strided_batched_c), bind(C, name="tephra_ztrsv_strided_batched") :: tephra_ztrsv_strided_batched

    procedure(tephra_trmm_batched_c), bind(C, name="tephra_strmm_batched") :: tephra_strmm_batched
    procedure(tephra_trmm_batched_c), bind(C, name="tephra_dtrmm_batched") :: tephra_dtrmm_batched
    procedure(tephra_trmm_batched_c), bind(C, name="tephra_ctrmm_batched") :: tephra_ctrmm_batched
    procedure(tephra_trmm_batched_c), bind(C, name="tephra_ztrmm_batched") :: tephra_ztrmm_batched

    procedure(tephra_trmm_strided_batched_c), bind(C, name="tephra_strmm_strided_batched") :: tephra_strmm_strided_batched
    procedure(tephra_trmm_strided_batched_c), bind(C, name="tephra_dtrmm_strided_batched") :: tephra_dtrmm_strided_batched
    procedure(tephra_trmm_strided_batched_c), bind(C, name="tephra_ctrmm_strided_batched") :: tephra_ctrmm_strided_batched
    procedure(tephra_trmm_strided_batched_c), bind(C, name="tephra_ztrmm_strided_batched") :: tephra_ztrmm_strided_batched

    procedure(tephra_trtri_batched_c), bind(C, name="tephra_strtri_batched") :: tephra_strtri_batched
    procedure(tephra_trtri_batched_c), bind(C, name="tephra_dtrtri_batched") :: tephra_dtrtri_batched
    procedure(tephra_trtri_batched_c), bind(C, name="tephra_ctrtri_batched") :: tephra_ctrtri_batched
    procedure(tephra_trtri_batched_c), bind(C, name="tephra_ztrtri_batched") :: tephra_ztrtri_batched

    procedure(tephra_trtri_strided_batched_c), bind(C, name="tephra_strtri_strided_batched") :: &
        tephra_strtri_strided_batched
    procedure(tephra_trtri_strided_batched_c), bind(C, name="tephra_dtrtri_strided_batched") :: &
        tephra_dtrtri_strided_batched
    procedure(tephra_trtri_strided_batched_c), bind(C, name="tephra_ctrtri_strided_batched") :: &
        tephra_ctrtri_strided_batched
    procedure(tephra_trtri_strided_batched_c), bind(C, name="tephra_ztrtri_strided_batched") :: &
        tephra_ztrtri_strided_batched

    procedure(tephra_symm_batched_c), bind(C, name="tephra_ssymm_batched") :: tephra_ssymm_batched
    procedure(tephra_symm_batched_c), bind(C, name="tephra_dsymm_batched") :: tephra_dsymm_batched
    procedure(tephra_symm_batched_c), bind(C, name="tephra_csymm_batched") :: tephra_csymm_batched
    procedure(tephra_symm_batched_c), bind(C, name="tephra_zsymm_batched") :: tephra_zsymm_batched

    procedure(tephra_symm_strided_batched_c), bind(C, name="tephra_ssymm_strided_batched") :: tephra_ssymm_strided_batched
    procedure(tephra_symm_strided_batched_c), bind(C, name="tephra_dsymm_strided_batched") :: tephra_dsymm_strided_batched
    procedure(tephra_symm_strided_batched_c), bind(C, name="tephra_csymm_strided_batched") :: tephra_csymm_strided_batched
    procedure(tephra_symm_strided_batched_c), bind(C, name="tephra_zsymm_strided_batched") :: tephra_zsymm_strided_batched

    procedure(tephra_hemm_batched_c), bind(C, name="tephra_chemm_batched") :: tephra_chemm_batched
    procedure(tephra_hemm_batched_c), bind(C, name="tephra_zhemm_batched") :: tephra_zhemm_batched

    procedure(tephra_hemm_strided_batched_c), bind(C, name="tephra_chemm_strided_batched") :: tephra_chemm_strided_batched
    procedure(tephra_hemm_strided_batched_c), bind(C, name="tephra_zhemm_strided_batched") :: tephra_zhemm_strided_batched

    procedure(tephra_syrk_batched_c), bind(C, name="tephra_ssyrk_batched") :: tephra_ssyrk_batched
    procedure(tephra_syrk_batched_c), bind(C, name="tephra_dsyrk_batched") :: tephra_dsyrk_batched
    procedure(tephra_syrk_batched_c), bind(C, name="tephra_csyrk_batched") :: tephra_csyrk_batched
    procedure(tephra_syrk_batched_c), bind(C, name="tephra_zsyrk_batched") :: tephra_zsyrk_batched

    procedure(tephra_syrk_strided_batched_c), bind(C, name="tephra_ssyrk_strided_batched") :: tephra_ssyrk_strided_batched
    procedure(tephra_syrk_strided_batched_c), bind(C, name="tephra_dsyrk_strided_batched") :: tephra_dsyrk_strided_batched
    procedure(tephra_syrk_strided_batched_c), bind(C, name="tephra_csyrk_strided_batched") :: tephra_csyrk_strided_batched
    procedure(tephra_syrk_strided_batched_c), bind(C, name="tephra_zsyrk_strided_batched") :: tephra_zsyrk_strided_batched

    procedure(tephra_herk_batched_c), bind(C, name="tephra_cherk_batched") :: tephra_cherk_batched
    procedure(tephra_herk_batched_c), bind(C, name="tephra_zherk_batched") :: tephra_zherk_batched

    procedure(tephra_herk_strided_batched_c), bind(C, name="tephra_cherk_strided_batched") :: tephra_cherk_strided_batched
    procedure(tephra_herk_strided_batched_c), bind(C, name="tephra_zherk_strided_batched") :: tephra_zherk_strided_batched

    procedure(tephra_syr2k_batched_c), bind(C, name="tephra_ssyr2k_batched") :: tephra_ssyr2k_batched
    procedure(tephra_syr2k_batched_c), bind(C, name="tephra_dsyr2k_batched") :: tephra_dsyr2k_batched
    procedure(tephra_syr2k_batched_c), bind(C, name="tephra_csyr2k_batched") :: tephra_csyr2k_batched
    procedure(tephra_syr2k_batched_c), bind(C, name="tephra_zsyr2k_batched") :: tephra_zsyr2k_batched

    procedure(tephra_syr2k_strided_batched_c), bind(C, name="tephra_ssyr2k_strided_batched") :: &
        tephra_ssyr2k_strided_batched
    procedure(tephra_syr2k_strided_batched_c), bind(C, name="tephra_dsyr2k_strided_batched") :: &
        tephra_dsyr2k_strided_batched
    procedure(tephra_syr2k_strided_batched_c), bind(C, name="tephra_csyr2k_strided_batched") :: &
        tephra_csyr2k_strided_batched
    procedure(tephra_syr2k_strided_batched_c), bind(C, name="tephra_zsyr2k_strided_batched") :: &
        tephra_zsyr2k_strided_batched

    procedure(tephra_her2k_batched_c), bind(C, name="tephra_cher2k_batched") :: tephra_cher2k_batched
    procedure(tephra_her2k_batched_c), bind(C, name="tephra_zher2k_batched") :: tephra_zher2k_batched

    procedure(tephra_her2k_strided_batched_c), bind(C, name="tephra_cher2k_strided_batched") :: &
        tephra_cher2k_strided_batched
    procedure(tephra_her2k_strided_batched_c), bind(C, name="tephra_zher2k_strided_batched") :: &
        tephra_zher2k_strided_batched

    procedure(tephra_geam_batched_c), bind(C, name="tephra_sgeam_batched") :: tephra_sgeam_batched
    procedure(tephra_geam_batched_c), bind(C, name="tephra_dgeam_batched") :: tephra_dgeam_batched
    procedure(tephra_geam_batched_c), bind(C, name="tephra_cgeam_batched") :: tephra_cgeam_batched
    procedure(tephra_geam_batched_c), bind(C, name="tephra_zgeam_batched") :: tephra_zgeam_batched

    procedure(tephra_geam_strided_batched_c), bind(C, name="tephra_sgeam_strided_batched") :: tephra_sgeam_strided_batched
    procedure(tephra_geam_strided_batched_c), bind(C, name="tephra_dgeam_strided_batched") :: tephra_dgeam_strided_batched
    procedure(tephra_geam_strided_batched_c), bind(C, name="tephra_cgeam_strided_batched") :: tephra_cgeam_strided_batched
    procedure(tephra_geam_strided_batched_c), bind(C, name="tephra_zgeam_strided_batched") :: tephra_zgeam_strided_batched

    procedure(tephra_dgmm_batched_c), bind(C, name="tephra_sdgmm_batched") :: tephra_sdgmm_batched
    procedure(tephra_dgmm_batched_c), bind(C, name="tephra_ddgmm_batched") :: tephra_ddgmm_batched
    procedure(tephra_dgmm_batched_c), bind(C, name="tephra_cdgmm_batched") :: tephra_cdgmm_batched
    procedure(tephra_dgmm_batched_c), bind(C, name="tephra_zdgmm_batched") :: tephra_zdgmm_batched

    procedure(tephra_dgmm_strided_batched_c), bind(C, name="tephra_sdgmm_strided_batched") :: tephra_sdgmm_strided_batched
    procedure(tephra_dgmm_strided_batched_c), bind(C, name="tephra_ddgmm_strided_batched") :: tephra_ddgmm_strided_batched
    procedure(tephra_dgmm_strided_batched_c), bind(C, name="tephra_cdgmm_strided_batched") :: tephra_cdgmm_strided_batched
    procedure(tephra_dgmm_strided_batched_c), bind(C, name="tephra_zdgmm_strided_batched") :: tephra_zdgmm_strided_batched

    procedure(tephra_transpose_batched_c), bind(C, name="tephra_stranspose_batched") :: tephra_stranspose_batched
    procedure(tephra_transpose_batched_c), bind(C, name="tephra_dtranspose_batched") :: tephra_dtranspose_batched
    procedure(tephra_transpose_batched_c), bind(C, name="tephra_ctranspose_batched") :: tephra_ctranspose_batched
    procedure(tephra_transpose_batched_c), bind(C, name="tephra_ztranspose_batched") :: tephra_ztranspose_batched

    procedure(tephra_transpose_strided_batched_c), bind(C, name="tephra_stranspose_strided_batched") :: &
        tephra_stranspose_strided_batched
    procedure(tephra_transpose_strided_batched_c), bind(C, name="tephra_dtranspose_strided_batched") :: &
        tephra_dtranspose_strided_batched
    procedure(tephra_transpose_strided_batched_c), bind(C, name="tephra_ctranspose_strided_batched") :: &
        tephra_ctranspose_strided_batched
    procedure(tephra_transpose_strided_batched_c), bind(C, name="tephra_ztranspose_strided_batched") :: &
        tephra_ztranspose_strided_batched

    procedure(tephra_lacpy_batched_c), bind(C, name="tephra_slacpy_batched") :: tephra_slacpy_batched
    procedure(tephra_lacpy_batched_c), bind(C, name="tephra_dlacpy_batched") :: tephra_dlacpy_batched
    procedure(tephra_lacpy_batched_c), bind(C, name="tephra_clacpy_batched") :: tephra_clacpy_batched
    procedure(tephra_lacpy_batched_c), bind(C, name="tephra_zlacpy_batched") :: tephra_zlacpy_batched

    procedure(tephra_lacpy_strided_batched_c), bind(C, name="tephra_slacpy_strided_batched") :: &
        tephra_slacpy_strided_batched
    procedure(tephra_lacpy_strided_batched_c), bind(C, name="tephra_dlacpy_strided_batched") :: &
        tephra_dlacpy_strided_batched
    procedure(tephra_lacpy_strided_batched_c), bind(C, name="tephra_clacpy_strided_batched") :: &
        tephra_clacpy_strided_batched
    procedure(tephra_lacpy_strided_batched_c), bind(C, name="tephra_zlacpy_strided_batched") :: &
        tephra_zlacpy_strided_batched

    procedure(tephra_laset_batched_c), bind(C, name="tephra_slaset_batched") :: tephra_slaset_batched
    procedure(tephra_laset_batched_c), bind(C, name="tephra_dlaset_batched") :: tephra_dlaset_batched
    procedure(tephra_laset_batched_c), bind(C, name="tephra_claset_batched") :: tephra_claset_batched
    procedure(tephra_laset_batched_c), bind(C, name="tephra_zlaset_batched") :: tephra_zlaset_batched

    procedure(tephra_laset_strided_batched_c), bind(C, name="tephra_slaset_strided_batched") :: &
        tephra_slaset_strided_batched
    procedure(tephra_laset_strided_batched_c), bind(C, name="tephra_dlaset_strided_batched") :: &
        tephra_dlaset_strided_batched
    procedure(tephra_laset_strided_batched_c), bind(C, name="tephra_claset_strided_batched") :: &
        tephra_claset_strided_batched
    procedure(tephra_laset_strided_batched_c), bind(C, name="tephra_zlaset_strided_batched") :: &
        tephra_zlaset_strided_batched

    procedure(tephra_larft_batched_c), bind(C, name="tephra_slarft_batched") :: tephra_slarft_batched
    procedure(tephra_larft_batched_c), bind(C, name="tephra_dlarft_batched") :: tephra_dlarft_batched
    procedure(tephra_larft_batched_c), bind(C, name="tephra_clarft_batched") :: tephra_clarft_batched
    procedure(tephra_larft_batched_c), bind(C, name="tephra_zlarft_batched") :: tephra_zlarft_batched

    procedure(tephra_larft_strided_batched_c), bind(C, name="tephra_slarft_strided_batched") :: &
        tephra_slarft_strided_batched
    procedure(tephra_larft_strided_batched_c), bind(C, name="tephra_dlarft_strided_batched") :: &
        tephra_dlarft_strided_batched
    procedure(tephra_larft_strided_batched_c), bind(C, name="tephra_clarft_strided_batched") :: &
        tephra_clarft_strided_batched
    procedure(tephra_larft_strided_batched_c), bind(C, name="tephra_zlarft_strided_batched") :: &
        tephra_zlarft_strided_batched

    procedure(tephra_larfb_batched_c), bind(C, name="tephra_slarfb_batched") :: tephra_slarfb_batched
    procedure(tephra_larfb_batched_c), bind(C, name="tephra_dlarfb_batched") :: tephra_dlarfb_batched
    procedure(tephra_larfb_batched_c), bind(C, name="tephra_clarfb_batched") :: tephra_clarfb_batched
    procedure(tephra_larfb_batched_c), bind(C, name="tephra_zlarfb_batched") :: tephra_zlarfb_batched

    procedure(tephra_larfb_strided_batched_c), bind(C, name="tephra_slarfb_strided_batched") :: &
        tephra_slarfb_strided_batched
    procedure(tephra_larfb_strided_batched_c), bind(C, name="tephra_dlarfb_strided_batched") :: &
        tephra_dlarfb_strided_batched
    procedure(tephra_larfb_strided_batched_c), bind(C, name="tephra_clarfb_strided_batched") :: &
        tephra_clarfb_strided_batched
    procedure(tephra_larfb_strided_batched_c), bind(C, name="tephra_zlarfb_strided_batched") :: &
        tephra_zlarfb_strided_batched

    procedure(tephra_getrf_batched_c), bind(C, name="tephra_sgetrf_batched") :: tephra_sgetrf_batched
    procedure(tephra_getrf_batched_c), bind(C, name="tephra_dgetrf_batched") :: tephra_dgetrf_batched
    procedure(tephra_getrf_batched_c), bind(C, name="tephra_cgetrf_batched") :: tephra_cgetrf_batched
    procedure(tephra_getrf_batched_c), bind(C, name="tephra_zgetrf_batched") :: tephra_zgetrf_batched

    procedure(tephra_getrf_batched_workspace_c), bind(C, name="tephra_sgetrf_batched_workspace") :: &
        tephra_sgetrf_batched_workspace
    procedure(tephra_getrf_batched_workspace_c), bind(C, name="tephra_dgetrf_batched_workspace") :: &
        tephra_dgetrf_batched_workspace
    procedure(tephra_getrf_batched_workspace_c), bind(C, name="tephra_cgetrf_batched_workspace") :: &
        tephra_cgetrf_batched_workspace
    procedure(tephra_getrf_batched_workspace_c), bind(C, name="tephra_zgetrf_batched_workspace") :: &
        tephra_zgetrf_batched_workspace

    procedure(tephra_getrf_strided_batched_c), bind(C, name="tephra_sgetrf_strided_batched") :: &
        tephra_sgetrf_strided_batched
    procedure(tephra_getrf_strided_batched_c), bind(C, name="tephra_dgetrf_strided_batched") :: &
        tephra_dgetrf_strided_batched
    procedure(tephra_getrf_strided_batched_c), bind(C, name="tephra_cgetrf_strided_batched") :: &
        tephra_cgetrf_strided_batched
    procedure(tephra_getrf_strided_batched_c), bind(C, name="tephra_zgetrf_strided_batched") :: &
        tephra_zgetrf_strided_batched

    procedure(tephra_getrf_strided_batched_workspace_c), bind(C, name="tephra_sgetrf_strided_batched_workspace") :: &
        tephra_sgetrf_strided_batched_workspace
    procedure(tephra_getrf_strided_batched_workspace_c), bind(C, name="tephra_dgetrf_strided_batched_workspace") :: &
        tephra_dgetrf_strided_batched_workspace
    procedure(tephra_getrf_strided_batched_workspace_c), bind(C, name="tephra_cgetrf_strided_batched_workspace") :: &
        tephra_cgetrf_strided_batched_workspace
    procedure(tephra_getrf_strided_batched_workspace_c), bind(C, name="tephra_zgetrf_strided_batched_workspace") :: &
        tephra_zgetrf_strided_batched_workspace

    procedure(tephra_getrf_nopiv_batched_c), bind(C, name="tephra_sgetrf_nopiv_batched") :: tephra_sgetrf_nopiv_batched
    procedure(tephra_getrf_nopiv_batched_c), bind(C, name="tephra_dgetrf_nopiv_batched") :: tephra_dgetrf_nopiv_batched
    procedure(tephra_getrf_nopiv_batched_c), bind(C, name="tephra_cgetrf_nopiv_batched") :: tephra_cgetrf_nopiv_batched
    procedure(tephra_getrf_nopiv_batched_c), bind(C, name="tephra_zgetrf_nopiv_batched") :: tephra_zgetrf_nopiv_batched

    procedure(tephra_getrf_nopiv_batched_workspace_c), bind(C, name="tephra_sgetrf_nopiv_batched_workspace") :: &
        tephra_sgetrf_nopiv_batched_workspace
    procedure(tephra_getrf_nopiv_batched_workspace_c), bind(C, name="tephra_dgetrf_nopiv_batched_workspace") :: &
        tephra_dgetrf_nopiv_batched_workspace
    procedure(tephra_getrf_nopiv_batched_workspace_c), bind(C, name="tephra_cgetrf_nopiv_batched_workspace") :: &
        tephra_cgetrf_nopiv_batched_workspace
    procedure(tephra_getrf_nopiv_batched_workspace_c), bind(C, name="tephra_zgetrf_nopiv_batched_workspace") :: &
        tephra_zgetrf_nopiv_batched_workspace

    procedure(tephra_getrf_nopiv_strided_batched_c), bind(C, name="tephra_sgetrf_nopiv_strided_batched") :: &
        tephra_sgetrf_nopiv_strided_batched
    procedure(tephra_getrf_nopiv_strided_batched_c), bind(C, name="tephra_dgetrf_nopiv_strided_batched") :: &
        tephra_dgetrf_nopiv_strided_batched
    procedure(tephra_getrf_nopiv_strided_batched_c), bind(C, name="tephra_cgetrf_nopiv_strided_batched") :: &
        tephra_cgetrf_nopiv_strided_batched
    procedure(tephra_getrf_nopiv_strided_batched_c), bind(C, name="tephra_zgetrf_nopiv_strided_batched") :: &
        tephra_zgetrf_nopiv_strided_batched

    procedure(tephra_getrf_nopiv_strided_batched_workspace_c), bind(C, name="tephra_sgetrf_nopiv_strided_batched_workspace") &
        :: tephra_sgetrf_nopiv_strided_batched_workspace
    procedure(tephra_getrf_nopiv_strided_batched_workspace_c), bind(C, name="tephra_dgetrf_nopiv_strided_batched_workspace") &
        :: tephra_dgetrf_nopiv_strided_batched_workspace
    procedure(tephra_getrf_nopiv_strided_batched_workspace_c), bind(C, name="tephra_cgetrf_nopiv_strided_batched_workspace") &
        :: tephra_cgetrf_nopiv_strided_batched_workspace
    procedure(tephra_getrf_nopiv_strided_batched_workspace_c), bind(C, name="tephra_zgetrf_nopiv_strided_batched_workspace") &
        :: tephra_zgetrf_nopiv_strided_batched_workspace

    procedure(tephra_getrs_batched_c), bind(C, name="tephra_sgetrs_batched") :: tephra_sgetrs_batched
    procedure(tephra_getrs_batched_c), bind(C, name="tephra_dgetrs_batched") :: tephra_dgetrs_batched
    procedure(tephra_getrs_batched_c), bind(C, name="tephra_cgetrs_batched") :: tephra_cgetrs_batched
    procedure(tephra_getrs_batched_c), bind(C, name="tephra_zgetrs_batched") :: tephra_zgetrs_batched

    procedure(tephra_getrs_batched_workspace_c), bind(C, name="tephra_sgetrs_batched_workspace") :: &
        tephra_sgetrs_batched_workspace
    procedure(tephra_getrs_batched_workspace_c), bind(C, name="tephra_dgetrs_batched_workspace") :: &
        tephra_dgetrs_batched_workspace
    procedure(tephra_getrs_batched_workspace_c), bind(C, name="tephra_cgetrs_batched_workspace") :: &
        tephra_cgetrs_batched_workspace
    procedure(tephra_getrs_batched_workspace_c), bind(C, name="tephra_zgetrs_batched_workspace") :: &
        tephra_zgetrs_batched_workspace

    procedure(tephra_getrs_strided_batched_c), bind(C, name="tephra_sgetrs_strided_batched") :: &
        tephra_sgetrs_strided_batched
    procedure(tephra_getrs_strided_batched_c), bind(C, name="tephra_dgetrs_strided_batched") :: &
        tephra_dgetrs_strided_batched
    procedure(tephra_getrs_strided_batched_c), bind(C, name="tephra_cgetrs_strided_batched") :: &
        tephra_cgetrs_strided_batched
    procedure(tephra_getrs_strided_batched_c), bind(C, name="tephra_zgetrs_strided_batched") :: &
        tephra_zgetrs_strided_batched

    procedure(tephra_getrs_strided_batched_workspace_c), bind(C, name="tephra_sgetrs_strided_batched_workspace") :: &
        tephra_sgetrs_strided_batched_workspace
    procedure(tephra_getrs_strided_batched_workspace_c), bind(C, name="tephra_dgetrs_strided_batched_workspace") :: &
        tephra_dgetrs_strided_batched_workspace
    procedure(tephra_getrs_strided_batched_workspace_c), bind(C, name="tephra_cgetrs_strided_batched_workspace") :: &
        tephra_cgetrs_strided_batched_workspace
    procedure(tephra_getrs_strided_batched_workspace_c), bind(C, name="tephra_zgetrs_strided_batched_workspace") :: &
        tephra_zgetrs_strided_batched_workspace

    procedure(tephra_gesv_batched_c), bind(C, name="tephra_sgesv_batched") :: tephra_sgesv_batched
    procedure(tephra_gesv_batched_c), bind(C, name="tephra_dgesv_batched") :: tephra_dgesv_batched
    procedure(tephra_gesv_batched_c), bind(C, name="tephra_cgesv_batched") :: tephra_cgesv_batched
    procedure(tephra_gesv_batched_c), bind(C, name="tephra_zgesv_batched") :: tephra_zgesv_batched

    procedure(tephra_gesv_batched_workspace_c), bind(C, name="tephra_sgesv_batched_workspace") :: &
        tephra_sgesv_batched_workspace
    procedure(tephra_gesv_batched_workspace_c), bind(C, name="tephra_dgesv_batched_workspace") :: &
        tephra_dgesv_batched_workspace
    procedure(tephra_gesv_batched_workspace_c), bind(C, name="tephra_cgesv_batched_workspace") :: &
        tephra_cgesv_batched_workspace
    procedure(tephra_gesv_batched_workspace_c), bind(C, name="tephra_zgesv_batched_workspace") :: &
        tephra_zgesv_batched_workspace

    procedure(tephra_gesv_strided_batched_c), bind(C, name="tephra_sgesv_strided_batched") :: tephra_sgesv_strided_batched
    procedure(tephra_gesv_strided_batched_c), bind(C, name="tephra_dgesv_strided_batched") :: tephra_dgesv_strided_batched
    procedure(tephra_gesv_strided_batched_c), bind(C, name="tephra_cgesv_strided_batched") :: tephra_cgesv_strided_batched
    procedure(tephra_gesv_strided_batched_c), bind(C, name="tephra_zgesv_strided_batched") :: tephra_zgesv_strided_batched

    procedure(tephra_gesv_strided_batched_workspace_c), bind(C, name="tephra_sgesv_strided_batched_workspace") :: &
        tephra_sgesv_strided_batched_workspace
    procedure(tephra_gesv_strided_batched_workspace_c), bind(C, name="tephra_dgesv_strided_batched_workspace") :: &
        tephra_dgesv_strided_batched_workspace
    procedure(tephra_gesv_strided_batched_workspace_c), bind(C, name="tephra_cgesv_strided_batched_workspace") :: &
        tephra_cgesv_strided_batched_workspace
    procedure(tephra_gesv_strided_batched_workspace_c), bind(C, name="tephra_zgesv_strided_batched_workspace") :: &
        tephra_zgesv_strided_batched_workspace

    procedure(tephra_gesv_rbt_batched_c), bind(C, name="tephra_sgesv_rbt_batched") :: tephra_sgesv_rbt_batched
    procedure(tephra_gesv_rbt_batched_c), bind(C, name="tephra_dgesv_rbt_batched") :: tephra_dgesv_rbt_batched
    procedure(tephra_gesv_rbt_batched_c), bind(C, name="tephra_cgesv_rbt_batched") :: tephra_cgesv_rbt_batched
    procedure(tephra_gesv_rbt_batched_c), bind(C, name="tephra_zgesv_rbt_batched") :: tephra_zgesv_rbt_batched

    procedure(tephra_gesv_rbt_strided_batched_c), bind(C, name="tephra_sgesv_rbt_strided_batched") :: &
        tephra_sgesv_rbt_strided_batched
    procedure(tephra_gesv_rbt_strided_batched_c), bind(C, name="tephra_dgesv_rbt_strided_batched") :: &
        tephra_dgesv_rbt_strided_batched
    procedure(tephra_gesv_rbt_strided_batched_c), bind(C, name="tephra_cgesv_rbt_strided_batched") :: &
        tephra_cgesv_rbt_strided_batched
    procedure(tephra_gesv_rbt_strided_batched_c), bind(C, name="tephra_zgesv_rbt_strided_batched") :: &
        tephra_zgesv_rbt_strided_batched

    procedure(tephra_getri_batched_c), bind(C, name="tephra_sgetri_batched") :: tephra_sgetri_batched
    procedure(tephra_getri_batched_c), bind(C, name="tephra_dgetri_batched") :: tephra_dgetri_batched
    procedure(tephra_getri_batched_c), bind(C, name="tephra_cgetri_batched") :: tephra_cgetri_batched
    procedure(tephra_getri_batched_c), bind(C, name="tephra_zgetri_batched") :: tephra_zgetri_batched

    procedure(tephra_getri_batched_workspace_c), bind(C, name="tephra_sgetri_batched_workspace") :: &
        tephra_sgetri_batched_workspace
    procedure(tephra_getri_batched_workspace_c), bind(C, name="tephra_dgetri_batched_workspace") :: &
        tephra_dgetri_batched_workspace
    procedure(tephra_getri_batched_workspace_c), bind(C, name="tephra_cgetri_batched_workspace") :: &
        tephra_cgetri_batched_workspace
    procedure(tephra_getri_batched_workspace_c), bind(C, name="tephra_zgetri_batched_workspace") :: &
        tephra_zgetri_batched_workspace

    procedure(tephra_getri_strided_batched_c), bind(C, name="tephra_sgetri_strided_batched") :: &
        tephra_sgetri_strided_batched
    procedure(tephra_getri_strided_batched_c), bind(C, name="tephra_dgetri_strided_batched") :: &
        tephra_dgetri_strided_batched
    procedure(tephra_getri_strided_batched_c), bind(C, name="tephra_cgetri_strided_batched") :: &
        tephra_cgetri_strided_batched
    procedure(tephra_getri_strided_batched_c), bind(C, name="tephra_zgetri_strided_batched") :: &
        tephra_zgetri_strided_batched

    procedure(tephra_getri_strided_batched_workspace_c), bind(C, name="tephra_sgetri_strided_batched_workspace") :: &
        tephra_sgetri_strided_batched_workspace
    procedure(tephra_getri_strided_batched_workspace_c), bind(C, name="tephra_dgetri_strided_batched_workspace") :: &
        tephra_dgetri_strided_batched_workspace
    procedure(tephra_getri_strided_batched_workspace_c), bind(C, name="tephra_cgetri_strided_batched_workspace") :: &
        tephra_cgetri_strided_batched_workspace
    procedure(tephra_getri_strided_batched_workspace_c), bind(C, name="tephra_zgetri_strided_batched_workspace") :: &
        tephra_zgetri_strided_batched_workspace

    procedure(tephra_inv_batched_c), bind(C, name="tephra_sinv_batched") :: tephra_sinv_batched
    procedure(tephra_inv_batched_c), bind(C, name="tephra_dinv_batched") :: tephra_dinv_batched
    procedure(tephra_inv_batched_c), bind(C, name="tephra_cinv_batched") :: tephra_cinv_batched
    procedure(tephra_inv_batched_c), bind(C, name="tephra_zinv_batched") :: tephra_zinv_batched

    procedure(tephra_inv_batched_workspace_c), bind(C, name="tephra_sinv_batched_workspace") :: &
        tephra_sinv_batched_workspace
    procedure(tephra_inv_batched_workspace_c), bind(C, name="tephra_dinv_batched_workspace") :: &
        tephra_dinv_batched_workspace
    procedure(tephra_inv_batched_workspace_c), bind(C, name="tephra_cinv_batched_workspace") :: &
        tephra_cinv_batched_workspace
    procedure(tephra_inv_batched_workspace_c), bind(C, name="tephra_zinv_batched_workspace") :: &
        tephra_zinv_batched_workspace

    procedure(tephra_inv_strided_batched_c), bind(C, name="tephra_sinv_strided_batched") :: tephra_sinv_strided_batched
    procedure(tephra_inv_strided_batched_c), bind(C, name="tephra_dinv_strided_batched") :: tephra_dinv_strided_batched
    procedure(tephra_inv_strided_batched_c), bind(C, name="tephra_cinv_strided_batched") :: tephra_cinv_strided_batched
    procedure(tephra_inv_strided_batched_c), bind(C, name="tephra_zinv_strided_batched") :: tephra_zinv_strided_batched

    procedure(tephra_inv_strided_batched_workspace_c), bind(C, name="tephra_sinv_strided_batched_workspace") :: &
        tephra_sinv_strided_batched_workspace
    procedure(tephra_inv_strided_batched_workspace_c), bind(C, name="tephra_dinv_strided_batched_workspace") :: &
        tephra_dinv_strided_batched_workspace
    procedure(tephra_inv_strided_batched_workspace_c), bind(C, name="tephra_cinv_strided_batched_workspace") :: &
        tephra_cinv_strided_batched_workspace
    procedure(tephra_inv_strided_batched_workspace_c), bind(C, name="tephra_zinv_strided_batched_workspace") :: &
        tephra_zinv_strided_batched_workspace

    procedure(tephra_laswp_batched_c), bind(C, name="tephra_slaswp_batched") :: tephra_slaswp_batched
    procedure(tephra_laswp_batched_c), bind(C, name="tephra_dlaswp_batched") :: tephra_dlaswp_batched
    procedure(tephra_laswp_batched_c), bind(C, name="tephra_claswp_batched") :: tephra_claswp_batched
    procedure(tephra_laswp_batched_c), bind(C, name="tephra_zlaswp_batched") :: tephra_zlaswp_batched

    procedure(tephra_laswp_strided_batched_c), bind(C, name="tephra_slaswp_strided_batched") :: &
        tephra_slaswp_strided_batched
    procedure(tephra_laswp_strided_batched_c), bind(C, name="tephra_dlaswp_strided_batched") :: &
        tephra_dlaswp_strided_batched
    procedure(tephra_laswp_strided_batched_c), bind(C, name="tephra_claswp_strided_batched") :: &
        tephra_claswp_strided_batched
    procedure(tephra_laswp_strided_batched_c), bind(C, name="tephra_zlaswp_strided_batched") :: &
        tephra_zlaswp_strided_batched

    procedure(tephra_potrf_batched_c), bind(C, name="tephra_spotrf_batched") :: tephra_spotrf_batched
    procedure(tephra_potrf_batched_c), bind(C, name="tephra_dpotrf_batched") :: tephra_dpotrf_batched
    procedure(tephra_potrf_batched_c), bind(C, name="tephra_cpotrf_batched") :: tephra_cpotrf_batched
    procedure(tephra_potrf_batched_c), bind(C, name="tephra_zpotrf_batched") :: tephra_zpotrf_batched

    procedure(tephra_potrf_batched_workspace_c), bind(C, name="tephra_spotrf_batched_workspace") :: &
        tephra_spotrf_batched_workspace
    procedure(tephra_potrf_batched_workspace_c), bind(C, name="tephra_dpotrf_batched_workspace") :: &
        tephra_dpotrf_batched_workspace
    procedure(tephra_potrf_batched_workspace_c), bind(C, name="tephra_cpotrf_batched_workspace") :: &
        tephra_cpotrf_batched_workspace
    procedure(tephra_potrf_batched_workspace_c), bind(C, name="tephra_zpotrf_batched_workspace") :: &
        tephra_zpotrf_batched_workspace

    procedure(tephra_potrf_strided_batched_c), bind(C, name="tephra_spotrf_strided_batched") :: &
        tephra_spotrf_strided_batched
    procedure(tephra_potrf_strided_batched_c), bind(C, name="tephra_dpotrf_strided_batched") :: &
        tephra_dpotrf_strided_batched
    procedure(tephra_potrf_strided_batched_c), bind(C, name="tephra_cpotrf_strided_batched") :: &
        tephra_cpotrf_strided_batched
    procedure(tephra_potrf_strided_batched_c), bind(C, name="tephra_zpotrf_strided_batched") :: &
        tephra_zpotrf_strided_batched

    procedure(tephra_potrf_strided_batched_workspace_c), bind(C, name="tephra_spotrf_strided_batched_workspace") :: &
        tephra_spotrf_strided_batched_workspace
    procedure(tephra_potrf_strided_batched_workspace_c), bind(C, name="tephra_dpotrf_strided_batched_workspace") :: &
        tephra_dpotrf_strided_batched_workspace
    procedure(tephra_potrf_strided_batched_workspace_c), bind(C, name="tephra_cpotrf_strided_batched_workspace") :: &
        tephra_cpotrf_strided_batched_workspace
    procedure(tephra_potrf_strided_batched_workspace_c), bind(C, name="tephra_zpotrf_strided_batched_workspace") :: &
        tephra_zpotrf_strided_batched_workspace

    procedure(tephra_potri_batched_c), bind(C, name="tephra_spotri_batched") :: tephra_spotri_batched
    procedure(tephra_potri_batched_c), bind(C, name="tephra_dpotri_batched") :: tephra_dpotri_batched
    procedure(tephra_potri_batched_c), bind(C, name="tephra_cpotri_batched") :: tephra_cpotri_batched
    procedure(tephra_potri_batched_c), bind(C, name="tephra_zpotri_batched") :: tephra_zpotri_batched

    procedure(tephra_potri_batched_workspace_c), bind(C, name="tephra_spotri_batched_workspace") :: &
        tephra_spotri_batched_workspace
    procedure(tephra_potri_batched_workspace_c), bind(C, name="tephra_dpotri_batched_workspace") :: &
        tephra_dpotri_batched_workspace
    procedure(tephra_potri_batched_workspace_c), bind(C, name="tephra_cpotri_batched_workspace") :: &
        tephra_cpotri_batched_workspace
    procedure(tephra_potri_batched_workspace_c), bind(C, name="tephra_zpotri_batched_workspace") :: &
        tephra_zpotri_batched_workspace

    procedure(tephra_potri_strided_batched_c), bind(C, name="tephra_spotri_strided_batched") :: &
        tephra_spotri_strided_batched
    procedure(tephra_potri_strided_batched_c), bind(C, name="tephra_dpotri_strided_batched") :: &
        tephra_dpotri_strided_batched
    procedure(tephra_potri_strided_batched_c), bind(C, name="tephra_cpotri_strided_batched") :: &
        tephra_cpotri_strided_batched
    procedure(tephra_potri_strided_batched_c), bind(C, name="tephra_zpotri_strided_batched") :: &
        tephra_zpotri_strided_batched

    procedure(tephra_potri_strided_batched_workspace_c), bind(C, name="tephra_spotri_strided_batched_workspace") :: &
        tephra_spotri_strided_batched_workspace
    procedure(tephra_potri_strided_batched_workspace_c), bind(C, name="tephra_dpotri_strided_batched_workspace") :: &
        tephra_dpotri_strided_batched_workspace
    procedure(tephra_potri_strided_batched_workspace_c), bind(C, name="tephra_cpotri_strided_batched_workspace") :: &
        tephra_cpotri_strided_batched_workspace
    procedure(tephra_potri_strided_batched_workspace_c), bind(C, name="tephra_zpotri_strided_batched_workspace") :: &
        tephra_zpotri_strided_batched_workspace

    procedure(tephra_potrs_batched_c), bind(C, name="tephra_spotrs_batched") :: tephra_spotrs_batched
    procedure(tephra_potrs_batched_c), bind(C, name="tephra_dpotrs_batched") :: tephra_dpotrs_batched
    procedure(tephra_potrs_batched_c), bind(C, name="tephra_cpotrs_batched") :: tephra_cpotrs_batched
    procedure(tephra_potrs_batched_c), bind(C, name="tephra_zpotrs_batched") :: tephra_zpotrs_batched

    procedure(tephra_potrs_batched_workspace_c), bind(C, name="tephra_spotrs_batched_workspace") :: &
        tephra_spotrs_batched_workspace
    procedure(tephra_potrs_batched_workspace_c), bind(C, name="tephra_dpotrs_batched_workspace") :: &
        tephra_dpotrs_batched_workspace
    procedure(tephra_potrs_batched_workspace_c), bind(C, name="tephra_cpotrs_batched_workspace") :: &
        tephra_cpotrs_batched_workspace
    procedure(tephra_potrs_batched_workspace_c), bind(C, name="tephra_zpotrs_batched_workspace") :: &
        tephra_zpotrs_batched_workspace

    procedure(tephra_potrs_strided_batched_c), bind(C, name="tephra_spotrs_strided_batched") :: &
        tephra_spotrs_strided_batched
    procedure(tephra_potrs_strided_batched_c), bind(C, name="tephra_dpotrs_strided_batched") :: &
        tephra_dpotrs_strided_batched
    procedure(tephra_potrs_strided_batched_c), bind(C, name="tephra_cpotrs_strided_batched") :: &
        tephra_cpotrs_strided_batched
    procedure(tephra_potrs_strided_batched_c), bind(C, name="tephra_zpotrs_strided_batched") :: &
        tephra_zpotrs_strided_batched

    procedure(tephra_potrs_strided_batched_workspace_c), bind(C, name="tephra_spotrs_strided_batched_workspace") :: &
        tephra_spotrs_strided_batched_workspace
    procedure(tephra_potrs_strided_batched_workspace_c), bind(C, name="tephra_dpotrs_strided_batched_workspace") :: &
        tephra_dpotrs_strided_batched_workspace
    procedure(tephra_potrs_strided_batched_workspace_c), bind(C, name="tephra_cpotrs_strided_batched_workspace") :: &
        tephra_cpotrs_strided_batched_workspace
    procedure(tephra_potrs_strided_batched_workspace_c), bind(C, name="tephra_zpotrs_strided_batched_workspace") :: &
        tephra_zpotrs_strided_batched_workspace

    procedure(tephra_posv_batched_c), bind(C, name="tephra_sposv_batched") :: tephra_sposv_batched
    procedure(tephra_posv_batched_c), bind(C, name="tephra_dposv_batched") :: tephra_dposv_batched
    procedure(tephra_posv_batched_c), bind(C, name="tephra_cposv_batched") :: tephra_cposv_batched
    procedure(tephra_posv_batched_c), bind(C, name="tephra_zposv_batched") :: tephra_zposv_batched

    procedure(tephra_posv_batched_workspace_c), bind(C, name="tephra_sposv_batched_workspace") :: &
        tephra_sposv_batched_workspace
    procedure(tephra_posv_batched_workspace_c), bind(C, name="tephra_dposv_batched_workspace") :: &
        tephra_dposv_batched_workspace
    procedure(tephra_posv_batched_workspace_c), bind(C, name="tephra_cposv_batched_workspace") :: &
        tephra_cposv_batched_workspace
    procedure(tephra_posv_batched_workspace_c), bind(C, name="tephra_zposv_batched_workspace") :: &
        tephra_zposv_batched_workspace

    procedure(tephra_posv_strided_batched_c), bind(C, name="tephra_sposv_strided_batched") :: tephra_sposv_strided_batched
    procedure(tephra_posv_strided_batched_c), bind(C, name="tephra_dposv_strided_batched") :: tephra_dposv_strided_batched
    procedure(tephra_posv_strided_batched_c), bind(C, name="tephra_cposv_strided_batched") :: tephra_cposv_strided_batched
    procedure(tephra_posv_strided_batched_c), bind(C, name="tephra_zposv_strided_batched") :: tephra_zposv_strided_batched

    procedure(tephra_posv_strided_batched_workspace_c), bind(C, name="tephra_sposv_strided_batched_workspace") :: &
        tephra_sposv_strided_batched_workspace
    procedure(tephra_posv_strided_batched_workspace_c), bind(C, name="tephra_dposv_strided_batched_workspace") :: &
        tephra_dposv_strided_batched_workspace
    procedure(tephra_posv_strided_batched_workspace_c), bind(C, name="tephra_cposv_strided_batched_workspace") :: &
        tephra_cposv_strided_batched_workspace
    procedure(tephra_posv_strided_batched_workspace_c), bind(C, name="tephra_zposv_strided_batched_workspace") :: &
        tephra_zposv_strided_batched_workspace
    ! ---- End of native routines

    ! The functions that MAGMA calls magmablas_: batched triangular solves, and setting or copying one matrix. Where
    ! alpha, offdiag or diag is passed by value, its type determines the precision, so names such as
    ! magma_trsm_batched are generic.

    ! ---- magmablas_ routines: by scripts/fortran.py from tests/abi/magma.tsv
    interface magma_geadd_batched
        subroutine magmablas_cgeadd_batched(m, n, alpha, daarray, ldda, dbarray, lddb, batchcount, queue) bind(C)
            import :: c_float_complex, c_int, c_ptr
            integer(c_int), value :: m, n, ldda, lddb, batchcount
            complex(c_float_complex), value :: alpha
            type(c_ptr), value :: daarray, dbarray, queue
        end subroutine
        subroutine magmablas_dgeadd_batched(m, n, alpha, daarray, ldda, dbarray, lddb, batchcount, queue) bind(C)
            import :: c_double, c_int, c_ptr
            integer(c_int), value :: m, n, ldda, lddb, batchcount
            real(c_double), value :: alpha
            type(c_ptr), value :: daarray, dbarray, queue
        end subroutine
        subroutine magmablas_sgeadd_batched(m, n, alpha, daarray, ldda, dbarray, lddb, batchcount, queue) bind(C)
            import :: c_float, c_int, c_ptr
            integer(c_int), value :: m, n, ldda, lddb, batchcount
            real(c_float), value :: alpha
            type(c_ptr), value :: daarray, dbarray, queue
        end subroutine
        subroutine magmablas_zgeadd_batched(m, n, alpha, daarray, ldda, dbarray, lddb, batchcount, queue) bind(C)
            import :: c_double_complex, c_int, c_ptr
            integer(c_int), value :: m, n, ldda, lddb, batchcount
            complex(c_double_complex), value :: alpha
            type(c_ptr), value :: daarray, dbarray, queue
        end subroutine
    end interface

    interface magma_her2k_batched
        subroutine magmablas_cher2k_batched(uplo, trans, n, k, alpha, da_array, ldda, db_array, lddb, beta, dc_array, lddc, &
            batchcount, queue) bind(C)
            import :: c_float, c_float_complex, c_int, c_ptr
            integer(c_int), value :: uplo, trans, n, k, ldda, lddb, lddc, batchcount
            complex(c_float_complex), value :: alpha
            type(c_ptr), value :: da_array, db_array, dc_array, queue
            real(c_float), value :: beta
        end subroutine
        subroutine magmablas_zher2k_batched(uplo, trans, n, k, alpha, da_array, ldda, db_array, lddb, beta, dc_array, lddc, &
            batchcount, queue) bind(C)
            import :: c_double, c_double_complex, c_int, c_ptr
            integer(c_int), value :: uplo, trans, n, k, ldda, lddb, lddc, batchcount
            complex(c_double_complex), value :: alpha
            type(c_ptr), value :: da_array, db_array, dc_array, queue
            real(c_double), value :: beta
        end subroutine
    end interface

    interface magma_herk_batched
        subroutine magmablas_cherk_batched(uplo, trans, n, k, alpha, da_array, ldda, beta, dc_array, lddc, batchcount, &
            queue) bind(C)
            import :: c_float, c_int, c_ptr
            integer(c_int), value :: uplo, trans, n, k, ldda, lddc, batchcount
            real(c_float), value :: alpha, beta
            type(c_ptr), value :: da_array, dc_array, queue
        end subroutine
        subroutine magmablas_zherk_batched(uplo, trans, n, k, alpha, da_array, ldda, beta, dc_array, lddc, batchcount, &
            queue) bind(C)
            import :: c_double, c_int, c_ptr
            integer(c_int), value :: uplo, trans, n, k, ldda, lddc, batchcount
            real(c_double), value :: alpha, beta
            type(c_ptr), value :: da_array, dc_array, queue
        end subroutine
    end interface

    interface magma_herk_batched_core
        subroutine magmablas_cherk_batched_core(uplo, trans, n, k, alpha, da_array, ai, aj, ldda, db_array, bi, bj, lddb, &
            beta, dc_array, ci, cj, lddc, batchcount, queue) bind(C)
            import :: c_float_complex, c_int, c_ptr
            integer(c_int), value :: uplo, trans, n, k, ai, aj, ldda, bi, bj, lddb, ci, cj, lddc, batchcount
            complex(c_float_complex), value :: alpha, beta
            type(c_ptr), value :: da_array, db_array, dc_array, queue
        end subroutine
        subroutine magmablas_zherk_batched_core(uplo, trans, n, k, alpha, da_array, ai, aj, ldda, db_array, bi, bj, lddb, &
            beta, dc_array, ci, cj, lddc, batchcount, queue) bind(C)
            import :: c_double_complex, c_int, c_ptr
            integer(c_int), value :: uplo, trans, n, k, ai, aj, ldda, bi, bj, lddb, ci, cj, lddc, batchcount
            complex(c_double_complex), value :: alpha, beta
            type(c_ptr), value :: da_array, db_array, dc_array, queue
        end subroutine
    end interface

    interface
        subroutine magmablas_clacpy(uplo, m, n, da, ldda, db, lddb, queue) bind(C)
            import :: c_int, c_ptr
            integer(c_int), value :: uplo, m, n, ldda, lddb
            type(c_ptr), value :: da, db, queue
        end subroutine
        subroutine magmablas_dlacpy(uplo, m, n, da, ldda, db, lddb, queue) bind(C)
            import :: c_int, c_ptr
            integer(c_int), value :: uplo, m, n, ldda, lddb
            type(c_ptr), value :: da, db, queue
        end subroutine
        subroutine magmablas_slacpy(uplo, m, n, da, ldda, db, lddb, queue) bind(C)
            import :: c_int, c_ptr
            integer(c_int), value :: uplo, m, n, ldda, lddb
            type(c_ptr), value :: da, db, queue
        end subroutine
        subroutine magmablas_zlacpy(uplo, m, n, da, ldda, db, lddb, queue) bind(C)
            import :: c_int, c_ptr
            integer(c_int), value :: uplo, m, n, ldda, lddb
            type(c_ptr), value :: da, db, queue
        end subroutine
    end interface

    interface
        subroutine magmablas_clacpy_batched(uplo, m, n, daarray, ldda, dbarray, lddb, batchcount, queue) bind(C)
            import :: c_int, c_ptr
            integer(c_int), value :: uplo, m, n, ldda, lddb, batchcount
            type(c_ptr), value :: daarray, dbarray, queue
        end subroutine
        subroutine magmablas_dlacpy_batched(uplo, m, n, daarray, ldda, dbarray, lddb, batchcount, queue) bind(C)
            import :: c_int, c_ptr
            integer(c_int), value :: uplo, m, n, ldda, lddb, batchcount
            type(c_ptr), value :: daarray, dbarray, queue
        end subroutine
        subroutine magmablas_slacpy_batched(uplo, m, n, daarray, ldda, dbarray, lddb, batchcount, queue) bind(C)
            import :: c_int, c_ptr
            integer(c_int), value :: uplo, m, n, ldda, lddb, batchcount
            type(c_ptr), value :: daarray, dbarray, queue
        end subroutine
        subroutine magmablas_zlacpy_batched(uplo, m, n, daarray, ldda, dbarray, lddb, batchcount, queue) bind(C)
            import :: c_int, c_ptr
            integer(c_int), value :: uplo, m, n, ldda, lddb, batchcount
            type(c_ptr), value :: daarray, dbarray, queue
        end subroutine
    end interface

    interface
        subroutine magmablas_clacpy_internal_batched(uplo, m, n, daarray, ai, aj, ldda, dbarray, bi, bj, lddb, batchcount, &
            queue) bind(C)
            import :: c_int, c_ptr
            integer(c_int), value :: uplo, m, n, ai, aj, ldda, bi, bj, lddb, batchcount
            type(c_ptr), value :: daarray, dbarray, queue
        end subroutine
        subroutine magmablas_dlacpy_internal_batched(uplo, m, n, daarray, ai, aj, ldda, dbarray, bi, bj, lddb, batchcount, &
            queue) bind(C)
            import :: c_int, c_ptr
            integer(c_int), value :: uplo, m, n, ai, aj, ldda, bi, bj, lddb, batchcount
            type(c_ptr), value :: daarray, dbarray, queue
        end subroutine
        subroutine magmablas_slacpy_internal_batched(uplo, m, n, daarray, ai, aj, ldda, dbarray, bi, bj, lddb, batchcount, &
            queue) bind(C)
            import :: c_int, c_ptr
            integer(c_int), value :: uplo, m, n, ai, aj, ldda, bi, bj, lddb, batchcount
            type(c_ptr), value :: daarray, dbarray, queue
        end subroutine
        subroutine magmablas_zlacpy_internal_batched(uplo, m, n, daarray, ai, aj, ldda, dbarray, bi, bj, lddb, batchcount, &
            queue) bind(C)
            import :: c_int, c_ptr
            integer(c_int), value :: uplo, m, n, ai, aj, ldda, bi, bj, lddb, batchcount
            type(c_ptr), value :: daarray, dbarray, queue
        end subroutine
    end interface

    interface magma_laset
        subroutine magmablas_claset(uplo, m, n, offdiag, diag, da, ldda, queue) bind(C)
            import :: c_float_complex, c_int, c_ptr
            integer(c_int), value :: uplo, m, n, ldda
            complex(c_float_complex), value :: offdiag, diag
            type(c_ptr), value :: da, queue
        end subroutine
        subroutine magmablas_dlaset(uplo, m, n, offdiag, diag, da, ldda, queue) bind(C)
            import :: c_double, c_int, c_ptr
            integer(c_int), value :: uplo, m, n, ldda
            real(c_double), value :: offdiag, diag
            type(c_ptr), value :: da, queue
        end subroutine
        subroutine magmablas_slaset(uplo, m, n, offdiag, diag, da, ldda, queue) bind(C)
            import :: c_float, c_int, c_ptr
            integer(c_int), value :: uplo, m, n, ldda
            real(c_float), value :: offdiag, diag
            type(c_ptr), value :: da, queue
        end subroutine
        subroutine magmablas_zlaset(uplo, m, n, offdiag, diag, da, ldda, queue) bind(C)
            import :: c_double_complex, c_int, c_ptr
            integer(c_int), value :: uplo, m, n, ldda
            complex(c_double_complex), value :: offdiag, diag
            type(c_ptr), value :: da, queue
        end subroutine
    end interface

    interface magma_laset_batched
        subroutine magmablas_claset_batched(uplo, m, n, offdiag, diag, daarray, ldda, batchcount, queue) bind(C)
            import :: c_float_complex, c_int, c_ptr
            integer(c_int), value :: uplo, m, n, ldda, batchcount
            complex(c_float_complex), value :: offdiag, diag
            type(c_ptr), value :: daarray, queue
        end subroutine
        subroutine magmablas_dlaset_batched(uplo, m, n, offdiag, diag, daarray, ldda, batchcount, queue) bind(C)
            import :: c_double, c_int, c_ptr
            integer(c_int), value :: uplo, m, n, ldda, batchcount
            real(c_double), value :: offdiag, diag
            type(c_ptr), value :: daarray, queue
        end subroutine
        subroutine magmablas_slaset_batched(uplo, m, n, offdiag, diag, daarray, ldda, batchcount, queue) bind(C)
            import :: c_float, c_int, c_ptr
            integer(c_int), value :: uplo, m, n, ldda, batchcount
            real(c_float), value :: offdiag, diag
            type(c_ptr), value :: daarray, queue
        end subroutine
        subroutine magmablas_zlaset_batched(uplo, m, n, offdiag, diag, daarray, ldda, batchcount, queue) bind(C)
            import :: c_double_complex, c_int, c_ptr
            integer(c_int), value :: uplo, m, n, ldda, batchcount
            complex(c_double_complex), value :: offdiag, diag
            type(c_ptr), value :: daarray, queue
        end subroutine
    end interface

    interface magma_laset_internal_batched
        subroutine magmablas_claset_internal_batched(uplo, m, n, offdiag, diag, daarray, ai, aj, ldda, batchcount, queue) &
            bind(C)
            import :: c_float_complex, c_int, c_ptr
            integer(c_int), value :: uplo, m, n, ai, aj, ldda, batchcount
            complex(c_float_complex), value :: offdiag, diag
            type(c_ptr), value :: daarray, queue
        end subroutine
        subroutine magmablas_dlaset_internal_batched(uplo, m, n, offdiag, diag, daarray, ai, aj, ldda, batchcount, queue) &
            bind(C)
            import :: c_double, c_int, c_ptr
            integer(c_int), value :: uplo, m, n, ai, aj, ldda, batchcount
            real(c_double), value :: offdiag, diag
            type(c_ptr), value :: daarray, queue
        end subroutine
        subroutine magmablas_slaset_internal_batched(uplo, m, n, offdiag, diag, daarray, ai, aj, ldda, batchcount, queue) &
            bind(C)
            import :: c_float, c_int, c_ptr
            integer(c_int), value :: uplo, m, n, ai, aj, ldda, batchcount
            real(c_float), value :: offdiag, diag
            type(c_ptr), value :: daarray, queue
        end subroutine
        subroutine magmablas_zlaset_internal_batched(uplo, m, n, offdiag, diag, daarray, ai, aj, ldda, batchcount, queue) &
            bind(C)
            import :: c_double_complex, c_int, c_ptr
            integer(c_int), value :: uplo, m, n, ai, aj, ldda, batchcount
            complex(c_double_complex), value :: offdiag, diag
            type(c_ptr), value :: daarray, queue
        end subroutine
    end interface

    interface magma_syr2k_batched
        subroutine magmablas_csyr2k_batched(uplo, trans, n, k, alpha, da_array, ldda, db_array, lddb, beta, dc_array, lddc, &
            batchcount, queue) bind(C)
            import :: c_float_complex, c_int, c_ptr
            integer(c_int), value :: uplo, trans, n, k, ldda, lddb, lddc, batchcount
            complex(c_float_complex), value :: alpha, beta
            type(c_ptr), value :: da_array, db_array, dc_array, queue
        end subroutine
        subroutine magmablas_dsyr2k_batched(uplo, trans, n, k, alpha, da_array, ldda, db_array, lddb, beta, dc_array, lddc, &
            batchcount, queue) bind(C)
            import :: c_double, c_int, c_ptr
            integer(c_int), value :: uplo, trans, n, k, ldda, lddb, lddc, batchcount
            real(c_double), value :: alpha, beta
            type(c_ptr), value :: da_array, db_array, dc_array, queue
        end subroutine
        subroutine magmablas_ssyr2k_batched(uplo, trans, n, k, alpha, da_array, ldda, db_array, lddb, beta, dc_array, lddc, &
            batchcount, queue) bind(C)
            import :: c_float, c_int, c_ptr
            integer(c_int), value :: uplo, trans, n, k, ldda, lddb, lddc, batchcount
            real(c_float), value :: alpha, beta
            type(c_ptr), value :: da_array, db_array, dc_array, queue
        end subroutine
        subroutine magmablas_zsyr2k_batched(uplo, trans, n, k, alpha, da_array, ldda, db_array, lddb, beta, dc_array, lddc, &
            batchcount, queue) bind(C)
            import :: c_double_complex, c_int, c_ptr
            integer(c_int), value :: uplo, trans, n, k, ldda, lddb, lddc, batchcount
            complex(c_double_complex), value :: alpha, beta
            type(c_ptr), value :: da_array, db_array, dc_array, queue
        end subroutine
    end interface

    interface magma_syrk_batched
        subroutine magmablas_csyrk_batched(uplo, trans, n, k, alpha, da_array, ldda, beta, dc_array, lddc, batchcount, &
            queue) bind(C)
            import :: c_float_complex, c_int, c_ptr
            integer(c_int), value :: uplo, trans, n, k, ldda, lddc, batchcount
            complex(c_float_complex), value :: alpha, beta
            type(c_ptr), value :: da_array, dc_array, queue
        end subroutine
        subroutine magmablas_dsyrk_batched(uplo, trans, n, k, alpha, da_array, ldda, beta, dc_array, lddc, batchcount, &
            queue) bind(C)
            import :: c_double, c_int, c_ptr
            integer(c_int), value :: uplo, trans, n, k, ldda, lddc, batchcount
            real(c_double), value :: alpha, beta
            type(c_ptr), value :: da_array, dc_array, queue
        end subroutine
        subroutine magmablas_ssyrk_batched(uplo, trans, n, k, alpha, da_array, ldda, beta, dc_array, lddc, batchcount, &
            queue) bind(C)
            import :: c_float, c_int, c_ptr
            integer(c_int), value :: uplo, trans, n, k, ldda, lddc, batchcount
            real(c_float), value :: alpha, beta
            type(c_ptr), value :: da_array, dc_array, queue
        end subroutine
        subroutine magmablas_zsyrk_batched(uplo, trans, n, k, alpha, da_array, ldda, beta, dc_array, lddc, batchcount, &
            queue) bind(C)
            import :: c_double_complex, c_int, c_ptr
            integer(c_int), value :: uplo, trans, n, k, ldda, lddc, batchcount
            complex(c_double_complex), value :: alpha, beta
            type(c_ptr), value :: da_array, dc_array, queue
        end subroutine
    end interface

    interface magma_syrk_batched_core
        subroutine magmablas_csyrk_batched_core(uplo, trans, n, k, alpha, da_array, ai, aj, ldda, db_array, bi, bj, lddb, &
            beta, dc_array, ci, cj, lddc, batchcount, queue) bind(C)
            import :: c_float_complex, c_int, c_ptr
            integer(c_int), value :: uplo, trans, n, k, ai, aj, ldda, bi, bj, lddb, ci, cj, lddc, batchcount
            complex(c_float_complex), value :: alpha, beta
            type(c_ptr), value :: da_array, db_array, dc_array, queue
        end subroutine
        subroutine magmablas_dsyrk_batched_core(uplo, trans, n, k, alpha, da_array, ai, aj, ldda, db_array, bi, bj, lddb, &
            beta, dc_array, ci, cj, lddc, batchcount, queue) bind(C)
            import :: c_double, c_int, c_ptr
            integer(c_int), value :: uplo, trans, n, k, ai, aj, ldda, bi, bj, lddb, ci, cj, lddc, batchcount
            real(c_double), value :: alpha, beta
            type(c_ptr), value :: da_array, db_array, dc_array, queue
        end subroutine
        subroutine magmablas_ssyrk_batched_core(uplo, trans, n, k, alpha, da_array, ai, aj, ldda, db_array, bi, bj, lddb, &
            beta, dc_array, ci, cj, lddc, batchcount, queue) bind(C)
            import :: c_float, c_int, c_ptr
            integer(c_int), value :: uplo, trans, n, k, ai, aj, ldda, bi, bj, lddb, ci, cj, lddc, batchcount
            real(c_float), value :: alpha, beta
            type(c_ptr), value :: da_array, db_array, dc_array, queue
        end subroutine
        subroutine magmablas_zsyrk_batched_core(uplo, trans, n, k, alpha, da_array, ai, aj, ldda, db_array, bi, bj, lddb, &
            beta, dc_array, ci, cj, lddc, batchcount, queue) bind(C)
            import :: c_double_complex, c_int, c_ptr
            integer(c_int), value :: uplo, trans, n, k, ai, aj, ldda, bi, bj, lddb, ci, cj, lddc, batchcount
            complex(c_double_complex), value :: alpha, beta
            type(c_ptr), value :: da_array, db_array, dc_array, queue
        end subroutine
    end interface

    interface
        subroutine magmablas_ctranspose_batched(m, n, da_array, ldda, dat_array, lddat, batchcount, queue) bind(C)
            import :: c_int, c_ptr
            integer(c_int), value :: m, n, ldda, lddat, batchcount
            type(c_ptr), value :: da_array, dat_array, queue
        end subroutine
        subroutine magmablas_dtranspose_batched(m, n, da_array, ldda, dat_array, lddat, batchcount, queue) bind(C)
            import :: c_int, c_ptr
            integer(c_int), value :: m, n, ldda, lddat, batchcount
            type(c_ptr), value :: da_array, dat_array, queue
        end subroutine
        subroutine magmablas_stranspose_batched(m, n, da_array, ldda, dat_array, lddat, batchcount, queue) bind(C)
            import :: c_int, c_ptr
            integer(c_int), value :: m, n, ldda, lddat, batchcount
            type(c_ptr), value :: da_array, dat_array, queue
        end subroutine
        subroutine magmablas_ztranspose_batched(m, n, da_array, ldda, dat_array, lddat, batchcount, queue) bind(C)
            import :: c_int, c_ptr
            integer(c_int), value :: m, n, ldda, lddat, batchcount
            type(c_ptr), value :: da_array, dat_array, queue
        end subroutine
    end interface

    interface
        subroutine magmablas_ctranspose_conj_batched(m, n, da_array, ldda, dat_array, lddat, batchcount, queue) bind(C)
            import :: c_int, c_ptr
            integer(c_int), value :: m, n, ldda, lddat, batchcount
            type(c_ptr), value :: da_array, dat_array, queue
        end subroutine
        subroutine magmablas_ztranspose_conj_batched(m, n, da_array, ldda, dat_array, lddat, batchcount, queue) bind(C)
            import :: c_int, c_ptr
            integer(c_int), value :: m, n, ldda, lddat, batchcount
            type(c_ptr), value :: da_array, dat_array, queue
        end subroutine
    end interface

    interface magma_trmm_batched
        subroutine magmablas_ctrmm_batched(side, uplo, transa, diag, m, n, alpha, da_array, ldda, db_array, lddb, &
            batchcount, queue) bind(C)
            import :: c_float_complex, c_int, c_ptr
            integer(c_int), value :: side, uplo, transa, diag, m, n, ldda, lddb, batchcount
            complex(c_float_complex), value :: alpha
            type(c_ptr), value :: da_array, db_array, queue
        end subroutine
        subroutine magmablas_dtrmm_batched(side, uplo, transa, diag, m, n, alpha, da_array, ldda, db_array, lddb, &
            batchcount, queue) bind(C)
            import :: c_double, c_int, c_ptr
            integer(c_int), value :: side, uplo, transa, diag, m, n, ldda, lddb, batchcount
            real(c_double), value :: alpha
            type(c_ptr), value :: da_array, db_array, queue
        end subroutine
        subroutine magmablas_strmm_batched(side, uplo, transa, diag, m, n, alpha, da_array, ldda, db_array, lddb, &
            batchcount, queue) bind(C)
            import :: c_float, c_int, c_ptr
            integer(c_int), value :: side, uplo, transa, diag, m, n, ldda, lddb, batchcount
            real(c_float), value :: alpha
            type(c_ptr), value :: da_array, db_array, queue
        end subroutine
        subroutine magmablas_ztrmm_batched(side, uplo, transa, diag, m, n, alpha, da_array, ldda, db_array, lddb, &
            batchcount, queue) bind(C)
            import :: c_double_complex, c_int, c_ptr
            integer(c_int), value :: side, uplo, transa, diag, m, n, ldda, lddb, batchcount
            complex(c_double_complex), value :: alpha
            type(c_ptr), value :: da_array, db_array, queue
        end subroutine
    end interface

    interface magma_trmm_batched_core
        subroutine magmablas_ctrmm_batched_core(side, uplo, transa, diag, m, n, alpha, da_array, ai, aj, ldda, db_array, bi, &
            bj, lddb, batchcount, queue) bind(C)
            import :: c_float_complex, c_int, c_ptr
            integer(c_int), value :: side, uplo, transa, diag, m, n, ai, aj, ldda, bi, bj, lddb, batchcount
            complex(c_float_complex), value :: alpha
            type(c_ptr), value :: da_array, db_array, queue
        end subroutine
        subroutine magmablas_dtrmm_batched_core(side, uplo, transa, diag, m, n, alpha, da_array, ai, aj, ldda, db_array, bi, &
            bj, lddb, batchcount, queue) bind(C)
            import :: c_double, c_int, c_ptr
            integer(c_int), value :: side, uplo, transa, diag, m, n, ai, aj, ldda, bi, bj, lddb, batchcount
            real(c_double), value :: alpha
            type(c_ptr), value :: da_array, db_array, queue
        end subroutine
        subroutine magmablas_strmm_batched_core(side, uplo, transa, diag, m, n, alpha, da_array, ai, aj, ldda, db_array, bi, &
            bj, lddb, batchcount, queue) bind(C)
            import :: c_float, c_int, c_ptr
            integer(c_int), value :: side, uplo, transa, diag, m, n, ai, aj, ldda, bi, bj, lddb, batchcount
            real(c_float), value :: alpha
            type(c_ptr), value :: da_array, db_array, queue
        end subroutine
        subroutine magmablas_ztrmm_batched_core(side, uplo, transa, diag, m, n, alpha, da_array, ai, aj, ldda, db_array, bi, &
            bj, lddb, batchcount, queue) bind(C)
            import :: c_double_complex, c_int, c_ptr
            integer(c_int), value :: side, uplo, transa, diag, m, n, ai, aj, ldda, bi, bj, lddb, batchcount
            complex(c_double_complex), value :: alpha
            type(c_ptr), value :: da_array, db_array, queue
        end subroutine
    end interface

    interface magma_trsm_batched
        subroutine magmablas_ctrsm_batched(side, uplo, transa, diag, m, n, alpha, da_array, ldda, db_array, lddb, &
            batchcount, queue) bind(C)
            import :: c_float_complex, c_int, c_ptr
            integer(c_int), value :: side, uplo, transa, diag, m, n, ldda, lddb, batchcount
            complex(c_float_complex), value :: alpha
            type(c_ptr), value :: da_array, db_array, queue
        end subroutine
        subroutine magmablas_dtrsm_batched(side, uplo, transa, diag, m, n, alpha, da_array, ldda, db_array, lddb, &
            batchcount, queue) bind(C)
            import :: c_double, c_int, c_ptr
            integer(c_int), value :: side, uplo, transa, diag, m, n, ldda, lddb, batchcount
            real(c_double), value :: alpha
            type(c_ptr), value :: da_array, db_array, queue
        end subroutine
        subroutine magmablas_strsm_batched(side, uplo, transa, diag, m, n, alpha, da_array, ldda, db_array, lddb, &
            batchcount, queue) bind(C)
            import :: c_float, c_int, c_ptr
            integer(c_int), value :: side, uplo, transa, diag, m, n, ldda, lddb, batchcount
            real(c_float), value :: alpha
            type(c_ptr), value :: da_array, db_array, queue
        end subroutine
        subroutine magmablas_ztrsm_batched(side, uplo, transa, diag, m, n, alpha, da_array, ldda, db_array, lddb, &
            batchcount, queue) bind(C)
            import :: c_double_complex, c_int, c_ptr
            integer(c_int), value :: side, uplo, transa, diag, m, n, ldda, lddb, batchcount
            complex(c_double_complex), value :: alpha
            type(c_ptr), value :: da_array, db_array, queue
        end subroutine
    end interface

    interface magma_trsm_inv_batched
        subroutine magmablas_ctrsm_inv_batched(side, uplo, transa, diag, m, n, alpha, da_array, ldda, db_array, lddb, &
            batchcount, queue) bind(C)
            import :: c_float_complex, c_int, c_ptr
            integer(c_int), value :: side, uplo, transa, diag, m, n, ldda, lddb, batchcount
            complex(c_float_complex), value :: alpha
            type(c_ptr), value :: da_array, db_array, queue
        end subroutine
        subroutine magmablas_dtrsm_inv_batched(side, uplo, transa, diag, m, n, alpha, da_array, ldda, db_array, lddb, &
            batchcount, queue) bind(C)
            import :: c_double, c_int, c_ptr
            integer(c_int), value :: side, uplo, transa, diag, m, n, ldda, lddb, batchcount
            real(c_double), value :: alpha
            type(c_ptr), value :: da_array, db_array, queue
        end subroutine
        subroutine magmablas_strsm_inv_batched(side, uplo, transa, diag, m, n, alpha, da_array, ldda, db_array, lddb, &
            batchcount, queue) bind(C)
            import :: c_float, c_int, c_ptr
            integer(c_int), value :: side, uplo, transa, diag, m, n, ldda, lddb, batchcount
            real(c_float), value :: alpha
            type(c_ptr), value :: da_array, db_array, queue
        end subroutine
        subroutine magmablas_ztrsm_inv_batched(side, uplo, transa, diag, m, n, alpha, da_array, ldda, db_array, lddb, &
            batchcount, queue) bind(C)
            import :: c_double_complex, c_int, c_ptr
            integer(c_int), value :: side, uplo, transa, diag, m, n, ldda, lddb, batchcount
            complex(c_double_complex), value :: alpha
            type(c_ptr), value :: da_array, db_array, queue
        end subroutine
    end interface

    interface magma_trsm_inv_outofplace_batched
        subroutine magmablas_ctrsm_inv_outofplace_batched(side, uplo, transa, diag, flag, m, n, alpha, da_array, ldda, &
            db_array, lddb, dx_array, lddx, dinva_array, dinva_length, da_displ, db_displ, dx_displ, dinva_displ, resetozero, &
            batchcount, queue) bind(C)
            import :: c_float_complex, c_int, c_ptr
            integer(c_int), value :: side, uplo, transa, diag, flag, m, n, ldda, lddb, lddx, dinva_length, resetozero, &
                batchcount
            complex(c_float_complex), value :: alpha
            type(c_ptr), value :: da_array, db_array, dx_array, dinva_array, da_displ, db_displ, dx_displ, dinva_displ, &
                queue
        end subroutine
        subroutine magmablas_dtrsm_inv_outofplace_batched(side, uplo, transa, diag, flag, m, n, alpha, da_array, ldda, &
            db_array, lddb, dx_array, lddx, dinva_array, dinva_length, da_displ, db_displ, dx_displ, dinva_displ, resetozero, &
            batchcount, queue) bind(C)
            import :: c_double, c_int, c_ptr
            integer(c_int), value :: side, uplo, transa, diag, flag, m, n, ldda, lddb, lddx, dinva_length, resetozero, &
                batchcount
            real(c_double), value :: alpha
            type(c_ptr), value :: da_array, db_array, dx_array, dinva_array, da_displ, db_displ, dx_displ, dinva_displ, &
                queue
        end subroutine
        subroutine magmablas_strsm_inv_outofplace_batched(side, uplo, transa, diag, flag, m, n, alpha, da_array, ldda, &
            db_array, lddb, dx_array, lddx, dinva_array, dinva_length, da_displ, db_displ, dx_displ, dinva_displ, resetozero, &
            batchcount, queue) bind(C)
            import :: c_float, c_int, c_ptr
            integer(c_int), value :: side, uplo, transa, diag, flag, m, n, ldda, lddb, lddx, dinva_length, resetozero, &
                batchcount
            real(c_float), value :: alpha
            type(c_ptr), value :: da_array, db_array, dx_array, dinva_array, da_displ, db_displ, dx_displ, dinva_displ, &
                queue
        end subroutine
        subroutine magmablas_ztrsm_inv_outofplace_batched(side, uplo, transa, diag, flag, m, n, alpha, da_array, ldda, &
            db_array, lddb, dx_array, lddx, dinva_array, dinva_length, da_displ, db_displ, dx_displ, dinva_displ, resetozero, &
            batchcount, queue) bind(C)
            import :: c_double_complex, c_int, c_ptr
            integer(c_int), value :: side, uplo, transa, diag, flag, m, n, ldda, lddb, lddx, dinva_length, resetozero, &
                batchcount
            complex(c_double_complex), value :: alpha
            type(c_ptr), value :: da_array, db_array, dx_array, dinva_array, da_displ, db_displ, dx_displ, dinva_displ, &
                queue
        end subroutine
    end interface

    interface magma_trsm_recursive_batched
        subroutine magmablas_ctrsm_recursive_batched(side, uplo, transa, diag, m, n, alpha, da_array, ai, aj, ldda, &
            db_array, bi, bj, lddb, batchcount, queue) bind(C)
            import :: c_float_complex, c_int, c_ptr
            integer(c_int), value :: side, uplo, transa, diag, m, n, ai, aj, ldda, bi, bj, lddb, batchcount
            complex(c_float_complex), value :: alpha
            type(c_ptr), value :: da_array, db_array, queue
        end subroutine
        subroutine magmablas_dtrsm_recursive_batched(side, uplo, transa, diag, m, n, alpha, da_array, ai, aj, ldda, &
            db_array, bi, bj, lddb, batchcount, queue) bind(C)
            import :: c_double, c_int, c_ptr
            integer(c_int), value :: side, uplo, transa, diag, m, n, ai, aj, ldda, bi, bj, lddb, batchcount
            real(c_double), value :: alpha
            type(c_ptr), value :: da_array, db_array, queue
        end subroutine
        subroutine magmablas_strsm_recursive_batched(side, uplo, transa, diag, m, n, alpha, da_array, ai, aj, ldda, &
            db_array, bi, bj, lddb, batchcount, queue) bind(C)
            import :: c_float, c_int, c_ptr
            integer(c_int), value :: side, uplo, transa, diag, m, n, ai, aj, ldda, bi, bj, lddb, batchcount
            real(c_float), value :: alpha
            type(c_ptr), value :: da_array, db_array, queue
        end subroutine
        subroutine magmablas_ztrsm_recursive_batched(side, uplo, transa, diag, m, n, alpha, da_array, ai, aj, ldda, &
            db_array, bi, bj, lddb, batchcount, queue) bind(C)
            import :: c_double_complex, c_int, c_ptr
            integer(c_int), value :: side, uplo, transa, diag, m, n, ai, aj, ldda, bi, bj, lddb, batchcount
            complex(c_double_complex), value :: alpha
            type(c_ptr), value :: da_array, db_array, queue
        end subroutine
    end interface

    interface magma_trsm_small_batched
        subroutine magmablas_ctrsm_small_batched(side, uplo, transa, diag, m, n, alpha, da_array, ai, aj, ldda, db_array, &
            bi, bj, lddb, batchcount, queue) bind(C)
            import :: c_float_complex, c_int, c_ptr
            integer(c_int), value :: side, uplo, transa, diag, m, n, ai, aj, ldda, bi, bj, lddb, batchcount
            complex(c_float_complex), value :: alpha
            type(c_ptr), value :: da_array, db_array, queue
        end subroutine
        subroutine magmablas_dtrsm_small_batched(side, uplo, transa, diag, m, n, alpha, da_array, ai, aj, ldda, db_array, &
            bi, bj, lddb, batchcount, queue) bind(C)
            import :: c_double, c_int, c_ptr
            integer(c_int), value :: side, uplo, transa, diag, m, n, ai, aj, ldda, bi, bj, lddb, batchcount
            real(c_double), value :: alpha
            type(c_ptr), value :: da_array, db_array, queue
        end subroutine
        subroutine magmablas_strsm_small_batched(side, uplo, transa, diag, m, n, alpha, da_array, ai, aj, ldda, db_array, &
            bi, bj, lddb, batchcount, queue) bind(C)
            import :: c_float, c_int, c_ptr
            integer(c_int), value :: side, uplo, transa, diag, m, n, ai, aj, ldda, bi, bj, lddb, batchcount
            real(c_float), value :: alpha
            type(c_ptr), value :: da_array, db_array, queue
        end subroutine
        subroutine magmablas_ztrsm_small_batched(side, uplo, transa, diag, m, n, alpha, da_array, ai, aj, ldda, db_array, &
            bi, bj, lddb, batchcount, queue) bind(C)
            import :: c_double_complex, c_int, c_ptr
            integer(c_int), value :: side, uplo, transa, diag, m, n, ai, aj, ldda, bi, bj, lddb, batchcount
            complex(c_double_complex), value :: alpha
            type(c_ptr), value :: da_array, db_array, queue
        end subroutine
    end interface

    interface
        subroutine magmablas_ctrsv_batched(uplo, transa, diag, n, da_array, ldda, db_array, incb, batchcount, queue) bind(C)
            import :: c_int, c_ptr
            integer(c_int), value :: uplo, transa, diag, n, ldda, incb, batchcount
            type(c_ptr), value :: da_array, db_array, queue
        end subroutine
        subroutine magmablas_dtrsv_batched(uplo, transa, diag, n, da_array, ldda, db_array, incb, batchcount, queue) bind(C)
            import :: c_int, c_ptr
            integer(c_int), value :: uplo, transa, diag, n, ldda, incb, batchcount
            type(c_ptr), value :: da_array, db_array, queue
        end subroutine
        subroutine magmablas_strsv_batched(uplo, transa, diag, n, da_array, ldda, db_array, incb, batchcount, queue) bind(C)
            import :: c_int, c_ptr
            integer(c_int), value :: uplo, transa, diag, n, ldda, incb, batchcount
            type(c_ptr), value :: da_array, db_array, queue
        end subroutine
        subroutine magmablas_ztrsv_batched(uplo, transa, diag, n, da_array, ldda, db_array, incb, batchcount, queue) bind(C)
            import :: c_int, c_ptr
            integer(c_int), value :: uplo, transa, diag, n, ldda, incb, batchcount
            type(c_ptr), value :: da_array, db_array, queue
        end subroutine
    end interface

    interface
        subroutine magmablas_ctrsv_recursive_batched(uplo, transa, diag, n, da_array, ai, aj, ldda, dx_array, xi, incx, &
            batchcount, queue) bind(C)
            import :: c_int, c_ptr
            integer(c_int), value :: uplo, transa, diag, n, ai, aj, ldda, xi, incx, batchcount
            type(c_ptr), value :: da_array, dx_array, queue
        end subroutine
        subroutine magmablas_dtrsv_recursive_batched(uplo, transa, diag, n, da_array, ai, aj, ldda, dx_array, xi, incx, &
            batchcount, queue) bind(C)
            import :: c_int, c_ptr
            integer(c_int), value :: uplo, transa, diag, n, ai, aj, ldda, xi, incx, batchcount
            type(c_ptr), value :: da_array, dx_array, queue
        end subroutine
        subroutine magmablas_strsv_recursive_batched(uplo, transa, diag, n, da_array, ai, aj, ldda, dx_array, xi, incx, &
            batchcount, queue) bind(C)
            import :: c_int, c_ptr
            integer(c_int), value :: uplo, transa, diag, n, ai, aj, ldda, xi, incx, batchcount
            type(c_ptr), value :: da_array, dx_array, queue
        end subroutine
        subroutine magmablas_ztrsv_recursive_batched(uplo, transa, diag, n, da_array, ai, aj, ldda, dx_array, xi, incx, &
            batchcount, queue) bind(C)
            import :: c_int, c_ptr
            integer(c_int), value :: uplo, transa, diag, n, ai, aj, ldda, xi, incx, batchcount
            type(c_ptr), value :: da_array, dx_array, queue
        end subroutine
    end interface
    ! ---- End of magmablas_ routines

    ! The vendors' other functions, without generic names: products, Cholesky, batches whose members differ in size,
    ! single matrices, handles. cuBLAS's functions take alpha and beta by address, in host or device memory
    ! according to the handle's pointer mode; MAGMA's take them by value. For grouped calls, all arguments but the
    ! matrices are arrays on the host. Workspace sizes and a handle's properties are written to host memory; info
    ! codes and matrices are addresses in the backend's memory.

    ! ---- the vendors' other routines: by scripts/fortran.py from tests/abi/
    abstract interface
        function cublasdgmm_form(handle, mode, m, n, a, lda, x, incx, c, ldc) bind(C) result(status)
            import :: c_int, c_ptr
            type(c_ptr), value :: handle, a, x, c
            integer(c_int), value :: mode, m, n, lda, incx, ldc
            integer(c_int) :: status
        end function
        function cublasdgmm_64_form(handle, mode, m, n, a, lda, x, incx, c, ldc) bind(C) result(status)
            import :: c_int, c_int64_t, c_ptr
            type(c_ptr), value :: handle, a, x, c
            integer(c_int), value :: mode
            integer(c_int64_t), value :: m, n, lda, incx, ldc
            integer(c_int) :: status
        end function
        function cublasgeam_form(handle, transa, transb, m, n, alpha, a, lda, beta, b, ldb, c, ldc) bind(C) result(status)
            import :: c_int, c_ptr
            type(c_ptr), value :: handle, alpha, a, beta, b, c
            integer(c_int), value :: transa, transb, m, n, lda, ldb, ldc
            integer(c_int) :: status
        end function
        function cublasgeam_64_form(handle, transa, transb, m, n, alpha, a, lda, beta, b, ldb, c, ldc) bind(C) &
            result(status)
            import :: c_int, c_int64_t, c_ptr
            type(c_ptr), value :: handle, alpha, a, beta, b, c
            integer(c_int), value :: transa, transb
            integer(c_int64_t), value :: m, n, lda, ldb, ldc
            integer(c_int) :: status
        end function
        function cublasgemmbatched_form(handle, transa, transb, m, n, k, alpha, aarray, lda, barray, ldb, beta, carray, ldc, &
            batchcount) bind(C) result(status)
            import :: c_int, c_ptr
            type(c_ptr), value :: handle, alpha, aarray, barray, beta, carray
            integer(c_int), value :: transa, transb, m, n, k, lda, ldb, ldc, batchcount
            integer(c_int) :: status
        end function
        function cublasgemmbatched_64_form(handle, transa, transb, m, n, k, alpha, aarray, lda, barray, ldb, beta, carray, &
            ldc, batchcount) bind(C) result(status)
            import :: c_int, c_int64_t, c_ptr
            type(c_ptr), value :: handle, alpha, aarray, barray, beta, carray
            integer(c_int), value :: transa, transb
            integer(c_int64_t), value :: m, n, k, lda, ldb, ldc, batchcount
            integer(c_int) :: status
        end function
        function cublasgemmstridedbatched_form(handle, transa, transb, m, n, k, alpha, a, lda, stridea, b, ldb, strideb, &
            beta, c, ldc, stridec, batchcount) bind(C) result(status)
            import :: c_int, c_int64_t, c_ptr
            type(c_ptr), value :: handle, alpha, a, b, beta, c
            integer(c_int), value :: transa, transb, m, n, k, lda, ldb, ldc, batchcount
            integer(c_int64_t), value :: stridea, strideb, stridec
            integer(c_int) :: status
        end function
        function cublasgemmstridedbatched_64_form(handle, transa, transb, m, n, k, alpha, a, lda, stridea, b, ldb, strideb, &
            beta, c, ldc, stridec, batchcount) bind(C) result(status)
            import :: c_int, c_int64_t, c_ptr
            type(c_ptr), value :: handle, alpha, a, b, beta, c
            integer(c_int), value :: transa, transb
            integer(c_int64_t), value :: m, n, k, lda, stridea, ldb, strideb, ldc, stridec, batchcount
            integer(c_int) :: status
        end function
        function cublasgemvbatched_form(handle, trans, m, n, alpha, aarray, lda, xarray, incx, beta, yarray, incy, &
            batchcount) bind(C) result(status)
            import :: c_int, c_ptr
            type(c_ptr), value :: handle, alpha, aarray, xarray, beta, yarray
            integer(c_int), value :: trans, m, n, lda, incx, incy, batchcount
            integer(c_int) :: status
        end function
        function cublasgemvbatched_64_form(handle, trans, m, n, alpha, aarray, lda, xarray, incx, beta, yarray, incy, &
            batchcount) bind(C) result(status)
            import :: c_int, c_int64_t, c_ptr
            type(c_ptr), value :: handle, alpha, aarray, xarray, beta, yarray
            integer(c_int), value :: trans
            integer(c_int64_t), value :: m, n, lda, incx, incy, batchcount
            integer(c_int) :: status
        end function
        function cublasgemvstridedbatched_form(handle, trans, m, n, alpha, a, lda, stridea, x, incx, stridex, beta, y, incy, &
            stridey, batchcount) bind(C) result(status)
            import :: c_int, c_int64_t, c_ptr
            type(c_ptr), value :: handle, alpha, a, x, beta, y
            integer(c_int), value :: trans, m, n, lda, incx, incy, batchcount
            integer(c_int64_t), value :: stridea, stridex, stridey
            integer(c_int) :: status
        end function
        function cublasgemvstridedbatched_64_form(handle, trans, m, n, alpha, a, lda, stridea, x, incx, stridex, beta, y, &
            incy, stridey, batchcount) bind(C) result(status)
            import :: c_int, c_int64_t, c_ptr
            type(c_ptr), value :: handle, alpha, a, x, beta, y
            integer(c_int), value :: trans
            integer(c_int64_t), value :: m, n, lda, stridea, incx, stridex, incy, stridey, batchcount
            integer(c_int) :: status
        end function
        function cublastrsmbatched_64_form(handle, side, uplo, trans, diag, m, n, alpha, a, lda, b, ldb, batchcount) bind(C) &
            result(status)
            import :: c_int, c_int64_t, c_ptr
            type(c_ptr), value :: handle, alpha, a, b
            integer(c_int), value :: side, uplo, trans, diag
            integer(c_int64_t), value :: m, n, lda, ldb, batchcount
            integer(c_int) :: status
        end function
        function cusolverdngeqrf_form(handle, m, n, a, lda, tau, workspace, lwork, devinfo) bind(C) result(status)
            import :: c_int, c_ptr
            type(c_ptr), value :: handle, a, tau, workspace, devinfo
            integer(c_int), value :: m, n, lda, lwork
            integer(c_int) :: status
        end function
        function cusolverdngeqrf_buffersize_form(handle, m, n, a, lda, lwork) bind(C) result(status)
            import :: c_int, c_ptr
            type(c_ptr), value :: handle, a
            integer(c_int), value :: m, n, lda
            integer(c_int), intent(out) :: lwork
            integer(c_int) :: status
        end function
        function cusolverdngetrf_form(handle, m, n, a, lda, workspace, devipiv, devinfo) bind(C) result(status)
            import :: c_int, c_ptr
            type(c_ptr), value :: handle, a, workspace, devipiv, devinfo
            integer(c_int), value :: m, n, lda
            integer(c_int) :: status
        end function
        function cusolverdngetrf_buffersize_form(handle, m, n, a, lda, lwork) bind(C) result(status)
            import :: c_int, c_ptr
            type(c_ptr), value :: handle, a
            integer(c_int), value :: m, n, lda
            integer(c_int), intent(out) :: lwork
            integer(c_int) :: status
        end function
        function cusolverdngetrs_form(handle, trans, n, nrhs, a, lda, devipiv, b, ldb, devinfo) bind(C) result(status)
            import :: c_int, c_ptr
            type(c_ptr), value :: handle, a, devipiv, b, devinfo
            integer(c_int), value :: trans, n, nrhs, lda, ldb
            integer(c_int) :: status
        end function
        function cusolverdnpotrf_form(handle, uplo, n, a, lda, workspace, lwork, devinfo) bind(C) result(status)
            import :: c_int, c_ptr
            type(c_ptr), value :: handle, a, workspace, devinfo
            integer(c_int), value :: uplo, n, lda, lwork
            integer(c_int) :: status
        end function
        function cusolverdnpotrfbatched_form(handle, uplo, n, aarray, lda, infoarray, batchsize) bind(C) result(status)
            import :: c_int, c_ptr
            type(c_ptr), value :: handle, aarray, infoarray
            integer(c_int), value :: uplo, n, lda, batchsize
            integer(c_int) :: status
        end function
        function cusolverdnpotrf_buffersize_form(handle, uplo, n, a, lda, lwork) bind(C) result(status)
            import :: c_int, c_ptr
            type(c_ptr), value :: handle, a
            integer(c_int), value :: uplo, n, lda
            integer(c_int), intent(out) :: lwork
            integer(c_int) :: status
        end function
        function cusolverdnpotrs_form(handle, uplo, n, nrhs, a, lda, b, ldb, devinfo) bind(C) result(status)
            import :: c_int, c_ptr
            type(c_ptr), value :: handle, a, b, devinfo
            integer(c_int), value :: uplo, n, nrhs, lda, ldb
            integer(c_int) :: status
        end function
        function cusolverdnpotrsbatched_form(handle, uplo, n, nrhs, a, lda, b, ldb, d_info, batchsize) bind(C) &
            result(status)
            import :: c_int, c_ptr
            type(c_ptr), value :: handle, a, b, d_info
            integer(c_int), value :: uplo, n, nrhs, lda, ldb, batchsize
            integer(c_int) :: status
        end function
        function cusolverdnungqr_form(handle, m, n, k, a, lda, tau, work, lwork, info) bind(C) result(status)
            import :: c_int, c_ptr
            type(c_ptr), value :: handle, a, tau, work, info
            integer(c_int), value :: m, n, k, lda, lwork
            integer(c_int) :: status
        end function
        function cusolverdnungqr_buffersize_form(handle, m, n, k, a, lda, tau, lwork) bind(C) result(status)
            import :: c_int, c_ptr
            type(c_ptr), value :: handle, a, tau
            integer(c_int), value :: m, n, k, lda
            integer(c_int), intent(out) :: lwork
            integer(c_int) :: status
        end function
        function cusolverdnunmqr_form(handle, side, trans, m, n, k, a, lda, tau, c, ldc, work, lwork, devinfo) bind(C) &
            result(status)
            import :: c_int, c_ptr
            type(c_ptr), value :: handle, a, tau, c, work, devinfo
            integer(c_int), value :: side, trans, m, n, k, lda, ldc, lwork
            integer(c_int) :: status
        end function
        function cusolverdnunmqr_buffersize_form(handle, side, trans, m, n, k, a, lda, tau, c, ldc, lwork) bind(C) &
            result(status)
            import :: c_int, c_ptr
            type(c_ptr), value :: handle, a, tau, c
            integer(c_int), value :: side, trans, m, n, k, lda, ldc
            integer(c_int), intent(out) :: lwork
            integer(c_int) :: status
        end function
        function cusolverdnorgqr_form(handle, m, n, k, a, lda, tau, work, lwork, info) bind(C) result(status)
            import :: c_int, c_ptr
            type(c_ptr), value :: handle, a, tau, work, info
            integer(c_int), value :: m, n, k, lda, lwork
            integer(c_int) :: status
        end function
        function cusolverdnorgqr_buffersize_form(handle, m, n, k, a, lda, tau, lwork) bind(C) result(status)
            import :: c_int, c_ptr
            type(c_ptr), value :: handle, a, tau
            integer(c_int), value :: m, n, k, lda
            integer(c_int), intent(out) :: lwork
            integer(c_int) :: status
        end function
        function cusolverdnormqr_form(handle, side, trans, m, n, k, a, lda, tau, c, ldc, work, lwork, devinfo) bind(C) &
            result(status)
            import :: c_int, c_ptr
            type(c_ptr), value :: handle, a, tau, c, work, devinfo
            integer(c_int), value :: side, trans, m, n, k, lda, ldc, lwork
            integer(c_int) :: status
        end function
        function cusolverdnormqr_buffersize_form(handle, side, trans, m, n, k, a, lda, tau, c, ldc, lwork) bind(C) &
            result(status)
            import :: c_int, c_ptr
            type(c_ptr), value :: handle, a, tau, c
            integer(c_int), value :: side, trans, m, n, k, lda, ldc
            integer(c_int), intent(out) :: lwork
            integer(c_int) :: status
        end function
        subroutine blas_lacpy_batched_form(uplo, m, n, ha_array, lda, hb_array, ldb, batchcount) bind(C)
            import :: c_int, c_ptr
            integer(c_int), value :: uplo, m, n, lda, ldb, batchcount
            type(c_ptr), value :: ha_array, hb_array
        end subroutine
        function magma_geqp3_expert_gpu_work_form(m, n, da, ldda, jpvt, tau, host_work, lwork_host, device_work, &
            lwork_device, info, queue) bind(C) result(code)
            import :: c_int, c_ptr
            integer(c_int), value :: m, n, ldda
            type(c_ptr), value :: da, jpvt, tau, host_work, device_work, queue
            integer(c_int), intent(inout) :: lwork_host, lwork_device
            integer(c_int), intent(out) :: info
            integer(c_int) :: code
        end function
        function magma_geqp3_gpu_form(m, n, da, ldda, jpvt, tau, dwork, lwork, rwork, info) bind(C) result(code)
            import :: c_int, c_ptr
            integer(c_int), value :: m, n, ldda, lwork
            type(c_ptr), value :: da, jpvt, tau, dwork, rwork
            integer(c_int), intent(out) :: info
            integer(c_int) :: code
        end function
        function magma_geqrf2_gpu_form(m, n, da, ldda, tau, info) bind(C) result(code)
            import :: c_int, c_ptr
            integer(c_int), value :: m, n, ldda
            type(c_ptr), value :: da, tau
            integer(c_int), intent(out) :: info
            integer(c_int) :: code
        end function
        function magma_geqrf3_gpu_form(m, n, da, ldda, tau, dt, info) bind(C) result(code)
            import :: c_int, c_ptr
            integer(c_int), value :: m, n, ldda
            type(c_ptr), value :: da, tau, dt
            integer(c_int), intent(out) :: info
            integer(c_int) :: code
        end function
        function magma_geqrf_batched_work_form(m, n, da_array, ldda, dtau_array, info_array, device_work, device_lwork, &
            batchcount, queue) bind(C) result(code)
            import :: c_int, c_ptr
            integer(c_int), value :: m, n, ldda, batchcount
            type(c_ptr), value :: da_array, dtau_array, info_array, device_work, queue
            integer(c_int), intent(inout) :: device_lwork
            integer(c_int) :: code
        end function
        function magma_geqrf_expert_batched_form(m, n, nb, da_array, ldda, dr_array, lddr, dt_array, lddt, dtau_array, &
            provide_rt, dw_array, info_array, batchcount, queue) bind(C) result(code)
            import :: c_int, c_ptr
            integer(c_int), value :: m, n, nb, ldda, lddr, lddt, provide_rt, batchcount
            type(c_ptr), value :: da_array, dr_array, dt_array, dtau_array, dw_array, info_array, queue
            integer(c_int) :: code
        end function
        function magma_geqrf_expert_gpu_work_form(m, n, da, ldda, tau, dt, info, mode, nb, host_work, lwork_host, &
            device_work, lwork_device, queues) bind(C) result(code)
            import :: c_int, c_ptr
            integer(c_int), value :: m, n, ldda, mode, nb
            type(c_ptr), value :: da, tau, dt, host_work, device_work, queues
            integer(c_int), intent(out) :: info
            integer(c_int), intent(inout) :: lwork_host, lwork_device
            integer(c_int) :: code
        end function
        function magma_geqrf_gpu_form(m, n, da, ldda, tau, dt, info) bind(C) result(code)
            import :: c_int, c_ptr
            integer(c_int), value :: m, n, ldda
            type(c_ptr), value :: da, tau, dt
            integer(c_int), intent(out) :: info
            integer(c_int) :: code
        end function
        function magma_geqrs3_gpu_form(m, n, nrhs, da, ldda, tau, dt, db, lddb, hwork, lwork, info) bind(C) result(code)
            import :: c_int, c_ptr
            integer(c_int), value :: m, n, nrhs, ldda, lddb, lwork
            type(c_ptr), value :: da, tau, dt, db, hwork
            integer(c_int), intent(out) :: info
            integer(c_int) :: code
        end function
        function magma_geqrs_gpu_form(m, n, nrhs, da, ldda, tau, dt, db, lddb, hwork, lwork, info) bind(C) result(code)
            import :: c_int, c_ptr
            integer(c_int), value :: m, n, nrhs, ldda, lddb, lwork
            type(c_ptr), value :: da, tau, dt, db, hwork
            integer(c_int), intent(out) :: info
            integer(c_int) :: code
        end function
        function magma_getf2_batched_form(m, n, da_array, ai, aj, lda, ipiv_array, dpivinfo_array, info_array, gbstep, &
            batchcount, queue) bind(C) result(code)
            import :: c_int, c_ptr
            integer(c_int), value :: m, n, ai, aj, lda, gbstep, batchcount
            type(c_ptr), value :: da_array, ipiv_array, dpivinfo_array, info_array, queue
            integer(c_int) :: code
        end function
        function magma_getf2_nopiv_batched_form(m, n, da_array, ai, aj, ldda, info_array, gbstep, batchcount, queue) bind(C) &
            result(code)
            import :: c_int, c_ptr
            integer(c_int), value :: m, n, ai, aj, ldda, gbstep, batchcount
            type(c_ptr), value :: da_array, info_array, queue
            integer(c_int) :: code
        end function
        function magma_getrf_gpu_form(m, n, da, ldda, ipiv, info) bind(C) result(code)
            import :: c_int, c_ptr
            integer(c_int), value :: m, n, ldda
            type(c_ptr), value :: da, ipiv
            integer(c_int), intent(out) :: info
            integer(c_int) :: code
        end function
        function magma_getrf_nopiv_expert_vbatched_form(m, n, da_array, ldda, dtol_array, eps, info_array, batchcount, &
            queue) bind(C) result(code)
            import :: c_float, c_int, c_ptr
            type(c_ptr), value :: m, n, da_array, ldda, dtol_array, info_array, queue
            real(c_float), value :: eps
            integer(c_int), value :: batchcount
            integer(c_int) :: code
        end function
        function magma_getrf_nopiv_vbatched_form(m, n, da_array, ldda, info_array, batchcount, queue) bind(C) result(code)
            import :: c_int, c_ptr
            type(c_ptr), value :: m, n, da_array, ldda, info_array, queue
            integer(c_int), value :: batchcount
            integer(c_int) :: code
        end function
        function magma_getrf_nopiv_vbatched_max_nocheck_form(m, n, minmn, max_m, max_n, max_minmn, max_mxn, nb, recnb, &
            da_array, ldda, dtol_array, eps, info_array, batchcount, queue) bind(C) result(code)
            import :: c_float, c_int, c_ptr
            type(c_ptr), value :: m, n, minmn, da_array, ldda, dtol_array, info_array, queue
            integer(c_int), value :: max_m, max_n, max_minmn, max_mxn, nb, recnb, batchcount
            real(c_float), value :: eps
            integer(c_int) :: code
        end function
        function magma_getrf_nopiv_vbatched_max_nocheck_work_form(m, n, max_m, max_n, max_minmn, max_mxn, da_array, ldda, &
            dtol_array, eps, info_array, work, lwork, batchcount, queue) bind(C) result(code)
            import :: c_float, c_int, c_ptr
            type(c_ptr), value :: m, n, da_array, ldda, dtol_array, info_array, work, queue
            integer(c_int), value :: max_m, max_n, max_minmn, max_mxn, batchcount
            real(c_float), value :: eps
            integer(c_int), intent(inout) :: lwork
            integer(c_int) :: code
        end function
        function magma_getrf_vbatched_form(m, n, da_array, ldda, ipiv_array, info_array, batchcount, queue) bind(C) &
            result(code)
            import :: c_int, c_ptr
            type(c_ptr), value :: m, n, da_array, ldda, ipiv_array, info_array, queue
            integer(c_int), value :: batchcount
            integer(c_int) :: code
        end function
        function magma_getrf_vbatched_max_nocheck_form(m, n, minmn, max_m, max_n, max_minmn, max_mxn, nb, recnb, da_array, &
            ldda, ipiv_array, pivinfo_array, info_array, batchcount, queue) bind(C) result(code)
            import :: c_int, c_ptr
            type(c_ptr), value :: m, n, minmn, da_array, ldda, ipiv_array, pivinfo_array, info_array, queue
            integer(c_int), value :: max_m, max_n, max_minmn, max_mxn, nb, recnb, batchcount
            integer(c_int) :: code
        end function
        function magma_getrf_vbatched_max_nocheck_work_form(m, n, max_m, max_n, max_minmn, max_mxn, da_array, ldda, &
            dipiv_array, info_array, work, lwork, batchcount, queue) bind(C) result(code)
            import :: c_int, c_ptr
            type(c_ptr), value :: m, n, da_array, ldda, dipiv_array, info_array, work, queue
            integer(c_int), value :: max_m, max_n, max_minmn, max_mxn, batchcount
            integer(c_int), intent(inout) :: lwork
            integer(c_int) :: code
        end function
        function magma_getrs_gpu_form(trans, n, nrhs, da, ldda, ipiv, db, lddb, info) bind(C) result(code)
            import :: c_int, c_ptr
            integer(c_int), value :: trans, n, nrhs, ldda, lddb
            type(c_ptr), value :: da, ipiv, db
            integer(c_int), intent(out) :: info
            integer(c_int) :: code
        end function
        subroutine magma_laswp_columnserial_batched_form(n, da_array, lda, k1, k2, ipiv_array, batchcount, queue) bind(C)
            import :: c_int, c_ptr
            integer(c_int), value :: n, lda, k1, k2, batchcount
            type(c_ptr), value :: da_array, ipiv_array, queue
        end subroutine
        subroutine magma_laswp_rowparallel_batched_form(n, input_array, input_i, input_j, ldi, output_array, output_i, &
            output_j, ldo, k1, k2, pivinfo_array, batchcount, queue) bind(C)
            import :: c_int, c_ptr
            integer(c_int), value :: n, input_i, input_j, ldi, output_i, output_j, ldo, k1, k2, batchcount
            type(c_ptr), value :: input_array, output_array, pivinfo_array, queue
        end subroutine
        subroutine magma_laswp_rowserial_batched_form(n, da_array, lda, k1, k2, ipiv_array, batchcount, queue) bind(C)
            import :: c_int, c_ptr
            integer(c_int), value :: n, lda, k1, k2, batchcount
            type(c_ptr), value :: da_array, ipiv_array, queue
        end subroutine
        function magma_posv_batched_form(uplo, n, nrhs, da_array, ldda, db_array, lddb, dinfo_array, batchcount, queue) &
            bind(C) result(code)
            import :: c_int, c_ptr
            integer(c_int), value :: uplo, n, nrhs, ldda, lddb, batchcount
            type(c_ptr), value :: da_array, db_array, dinfo_array, queue
            integer(c_int) :: code
        end function
        function magma_potf2_batched_form(uplo, n, da_array, ai, aj, lda, info_array, gbstep, batchcount, queue) bind(C) &
            result(code)
            import :: c_int, c_ptr
            integer(c_int), value :: uplo, n, ai, aj, lda, gbstep, batchcount
            type(c_ptr), value :: da_array, info_array, queue
            integer(c_int) :: code
        end function
        function magma_potrf_batched_form(uplo, n, da_array, lda, info_array, batchcount, queue) bind(C) result(code)
            import :: c_int, c_ptr
            integer(c_int), value :: uplo, n, lda, batchcount
            type(c_ptr), value :: da_array, info_array, queue
            integer(c_int) :: code
        end function
        function magma_potrf_expert_batched_form(uplo, n, nb, recnb, da_array, ldda, info_array, batchcount, queue) bind(C) &
            result(code)
            import :: c_int, c_ptr
            integer(c_int), value :: uplo, n, nb, recnb, ldda, batchcount
            type(c_ptr), value :: da_array, info_array, queue
            integer(c_int) :: code
        end function
        function magma_potrf_gpu_form(uplo, n, da, ldda, info) bind(C) result(code)
            import :: c_int, c_ptr
            integer(c_int), value :: uplo, n, ldda
            type(c_ptr), value :: da
            integer(c_int), intent(out) :: info
            integer(c_int) :: code
        end function
        function magma_potrf_vbatched_form(uplo, n, da_array, ldda, info_array, batchcount, queue) bind(C) result(code)
            import :: c_int, c_ptr
            integer(c_int), value :: uplo, batchcount
            type(c_ptr), value :: n, da_array, ldda, info_array, queue
            integer(c_int) :: code
        end function
        function magma_potrf_vbatched_max_nocheck_form(uplo, n, da_array, ldda, info_array, batchcount, max_n, queue) &
            bind(C) result(code)
            import :: c_int, c_ptr
            integer(c_int), value :: uplo, batchcount, max_n
            type(c_ptr), value :: n, da_array, ldda, info_array, queue
            integer(c_int) :: code
        end function
        function magma_potrs_batched_form(uplo, n, nrhs, da_array, ldda, db_array, lddb, batchcount, queue) bind(C) &
            result(code)
            import :: c_int, c_ptr
            integer(c_int), value :: uplo, n, nrhs, ldda, lddb, batchcount
            type(c_ptr), value :: da_array, db_array, queue
            integer(c_int) :: code
        end function
        function magma_potrs_gpu_form(uplo, n, nrhs, da, ldda, db, lddb, info) bind(C) result(code)
            import :: c_int, c_ptr
            integer(c_int), value :: uplo, n, nrhs, ldda, lddb
            type(c_ptr), value :: da, db
            integer(c_int), intent(out) :: info
            integer(c_int) :: code
        end function
        subroutine magma_print_form(m, n, a, lda) bind(C)
            import :: c_int, c_ptr
            integer(c_int), value :: m, n, lda
            type(c_ptr), value :: a
        end subroutine
        subroutine magma_print_gpu_form(m, n, da, ldda, queue) bind(C)
            import :: c_int, c_ptr
            integer(c_int), value :: m, n, ldda
            type(c_ptr), value :: da, queue
        end subroutine
        function magma_ungqr_gpu_form(m, n, k, da, ldda, tau, dt, nb, info) bind(C) result(code)
            import :: c_int, c_ptr
            integer(c_int), value :: m, n, k, ldda, nb
            type(c_ptr), value :: da, tau, dt
            integer(c_int), intent(out) :: info
            integer(c_int) :: code
        end function
        function magma_unmqr2_gpu_form(side, trans, m, n, k, da, ldda, tau, dc, lddc, wa, ldwa, info) bind(C) result(code)
            import :: c_int, c_ptr
            integer(c_int), value :: side, trans, m, n, k, ldda, lddc, ldwa
            type(c_ptr), value :: da, tau, dc, wa
            integer(c_int), intent(out) :: info
            integer(c_int) :: code
        end function
        function magma_unmqr_gpu_form(side, trans, m, n, k, da, ldda, tau, dc, lddc, hwork, lwork, dt, nb, info) bind(C) &
            result(code)
            import :: c_int, c_ptr
            integer(c_int), value :: side, trans, m, n, k, ldda, lddc, lwork, nb
            type(c_ptr), value :: da, tau, dc, hwork, dt
            integer(c_int), intent(out) :: info
            integer(c_int) :: code
        end function
        function magma_geqp3_gpu_form_2(m, n, da, ldda, jpvt, tau, dwork, lwork, info) bind(C) result(code)
            import :: c_int, c_ptr
            integer(c_int), value :: m, n, ldda, lwork
            type(c_ptr), value :: da, jpvt, tau, dwork
            integer(c_int), intent(out) :: info
            integer(c_int) :: code
        end function
        function magma_getrf_nopiv_expert_vbatched_form_2(m, n, da_array, ldda, dtol_array, eps, info_array, batchcount, &
            queue) bind(C) result(code)
            import :: c_double, c_int, c_ptr
            type(c_ptr), value :: m, n, da_array, ldda, dtol_array, info_array, queue
            real(c_double), value :: eps
            integer(c_int), value :: batchcount
            integer(c_int) :: code
        end function
        function magma_getrf_nopiv_vbatched_max_nocheck_form_2(m, n, minmn, max_m, max_n, max_minmn, max_mxn, nb, recnb, &
            da_array, ldda, dtol_array, eps, info_array, batchcount, queue) bind(C) result(code)
            import :: c_double, c_int, c_ptr
            type(c_ptr), value :: m, n, minmn, da_array, ldda, dtol_array, info_array, queue
            integer(c_int), value :: max_m, max_n, max_minmn, max_mxn, nb, recnb, batchcount
            real(c_double), value :: eps
            integer(c_int) :: code
        end function
        function magma_getrf_nopiv_vbatched_max_nocheck_work_form_2(m, n, max_m, max_n, max_minmn, max_mxn, da_array, ldda, &
            dtol_array, eps, info_array, work, lwork, batchcount, queue) bind(C) result(code)
            import :: c_double, c_int, c_ptr
            type(c_ptr), value :: m, n, da_array, ldda, dtol_array, info_array, work, queue
            integer(c_int), value :: max_m, max_n, max_minmn, max_mxn, batchcount
            real(c_double), value :: eps
            integer(c_int), intent(inout) :: lwork
            integer(c_int) :: code
        end function
        function magma_orgqr_gpu_form(m, n, k, da, ldda, tau, dt, nb, info) bind(C) result(code)
            import :: c_int, c_ptr
            integer(c_int), value :: m, n, k, ldda, nb
            type(c_ptr), value :: da, tau, dt
            integer(c_int), intent(out) :: info
            integer(c_int) :: code
        end function
        function magma_ormqr2_gpu_form(side, trans, m, n, k, da, ldda, tau, dc, lddc, wa, ldwa, info) bind(C) result(code)
            import :: c_int, c_ptr
            integer(c_int), value :: side, trans, m, n, k, ldda, lddc, ldwa
            type(c_ptr), value :: da, tau, dc, wa
            integer(c_int), intent(out) :: info
            integer(c_int) :: code
        end function
        function magma_ormqr_gpu_form(side, trans, m, n, k, da, ldda, tau, dc, lddc, hwork, lwork, dt, nb, info) bind(C) &
            result(code)
            import :: c_int, c_ptr
            integer(c_int), value :: side, trans, m, n, k, ldda, lddc, lwork, nb
            type(c_ptr), value :: da, tau, dc, hwork, dt
            integer(c_int), intent(out) :: info
            integer(c_int) :: code
        end function
        function magma_get_geqp3_nb_form(m, n) bind(C) result(code)
            import :: c_int
            integer(c_int), value :: m, n
            integer(c_int) :: code
        end function
        function magma_get_geqrf_batched_nb_form(m) bind(C) result(code)
            import :: c_int
            integer(c_int), value :: m
            integer(c_int) :: code
        end function
        function magma_get_geqrf_nb_form(m, n) bind(C) result(code)
            import :: c_int
            integer(c_int), value :: m, n
            integer(c_int) :: code
        end function
        subroutine magma_get_getrf_vbatched_nbparam_form(max_m, max_n, nb, recnb) bind(C)
            import :: c_int
            integer(c_int), value :: max_m, max_n
            integer(c_int), intent(out) :: nb, recnb
        end subroutine
        subroutine magmablas_lacpy_vbatched_form(uplo, max_m, max_n, m, n, daarray, ldda, dbarray, lddb, batchcount, queue) &
            bind(C)
            import :: c_int, c_ptr
            integer(c_int), value :: uplo, max_m, max_n, batchcount
            type(c_ptr), value :: m, n, daarray, ldda, dbarray, lddb, queue
        end subroutine
    end interface

    procedure(cublasdgmm_form), bind(C, name="cublasCdgmm") :: cublasCdgmm
    procedure(cublasdgmm_form), bind(C, name="cublasDdgmm") :: cublasDdgmm
    procedure(cublasdgmm_form), bind(C, name="cublasSdgmm") :: cublasSdgmm
    procedure(cublasdgmm_form), bind(C, name="cublasZdgmm") :: cublasZdgmm
    procedure(cublasdgmm_64_form), bind(C, name="cublasCdgmm_64") :: cublasCdgmm_64
    procedure(cublasdgmm_64_form), bind(C, name="cublasDdgmm_64") :: cublasDdgmm_64
    procedure(cublasdgmm_64_form), bind(C, name="cublasSdgmm_64") :: cublasSdgmm_64
    procedure(cublasdgmm_64_form), bind(C, name="cublasZdgmm_64") :: cublasZdgmm_64
    procedure(cublasgeam_form), bind(C, name="cublasCgeam") :: cublasCgeam
    procedure(cublasgeam_form), bind(C, name="cublasDgeam") :: cublasDgeam
    procedure(cublasgeam_form), bind(C, name="cublasSgeam") :: cublasSgeam
    procedure(cublasgeam_form), bind(C, name="cublasZgeam") :: cublasZgeam
    procedure(cublasgeam_64_form), bind(C, name="cublasCgeam_64") :: cublasCgeam_64
    procedure(cublasgeam_64_form), bind(C, name="cublasDgeam_64") :: cublasDgeam_64
    procedure(cublasgeam_64_form), bind(C, name="cublasSgeam_64") :: cublasSgeam_64
    procedure(cublasgeam_64_form), bind(C, name="cublasZgeam_64") :: cublasZgeam_64
    procedure(cublasgemmbatched_form), bind(C, name="cublasCgemmBatched") :: cublasCgemmBatched
    procedure(cublasgemmbatched_form), bind(C, name="cublasDgemmBatched") :: cublasDgemmBatched
    procedure(cublasgemmbatched_form), bind(C, name="cublasSgemmBatched") :: cublasSgemmBatched
    procedure(cublasgemmbatched_form), bind(C, name="cublasZgemmBatched") :: cublasZgemmBatched
    procedure(cublasgemmbatched_64_form), bind(C, name="cublasCgemmBatched_64") :: cublasCgemmBatched_64
    procedure(cublasgemmbatched_64_form), bind(C, name="cublasDgemmBatched_64") :: cublasDgemmBatched_64
    procedure(cublasgemmbatched_64_form), bind(C, name="cublasSgemmBatched_64") :: cublasSgemmBatched_64
    procedure(cublasgemmbatched_64_form), bind(C, name="cublasZgemmBatched_64") :: cublasZgemmBatched_64
    procedure(cublasgemmstridedbatched_form), bind(C, name="cublasCgemmStridedBatched") :: cublasCgemmStridedBatched
    procedure(cublasgemmstridedbatched_form), bind(C, name="cublasDgemmStridedBatched") :: cublasDgemmStridedBatched
    procedure(cublasgemmstridedbatched_form), bind(C, name="cublasSgemmStridedBatched") :: cublasSgemmStridedBatched
    procedure(cublasgemmstridedbatched_form), bind(C, name="cublasZgemmStridedBatched") :: cublasZgemmStridedBatched
    procedure(cublasgemmstridedbatched_64_form), bind(C, name="cublasCgemmStridedBatched_64") :: &
        cublasCgemmStridedBatched_64
    procedure(cublasgemmstridedbatched_64_form), bind(C, name="cublasDgemmStridedBatched_64") :: &
        cublasDgemmStridedBatched_64
    procedure(cublasgemmstridedbatched_64_form), bind(C, name="cublasSgemmStridedBatched_64") :: &
        cublasSgemmStridedBatched_64
    procedure(cublasgemmstridedbatched_64_form), bind(C, name="cublasZgemmStridedBatched_64") :: &
        cublasZgemmStridedBatched_64
    procedure(cublasgemvbatched_form), bind(C, name="cublasCgemvBatched") :: cublasCgemvBatched
    procedure(cublasgemvbatched_form), bind(C, name="cublasDgemvBatched") :: cublasDgemvBatched
    procedure(cublasgemvbatched_form), bind(C, name="cublasSgemvBatched") :: cublasSgemvBatched
    procedure(cublasgemvbatched_form), bind(C, name="cublasZgemvBatched") :: cublasZgemvBatched
    procedure(cublasgemvbatched_64_form), bind(C, name="cublasCgemvBatched_64") :: cublasCgemvBatched_64
    procedure(cublasgemvbatched_64_form), bind(C, name="cublasDgemvBatched_64") :: cublasDgemvBatched_64
    procedure(cublasgemvbatched_64_form), bind(C, name="cublasSgemvBatched_64") :: cublasSgemvBatched_64
    procedure(cublasgemvbatched_64_form), bind(C, name="cublasZgemvBatched_64") :: cublasZgemvBatched_64
    procedure(cublasgemvstridedbatched_form), bind(C, name="cublasCgemvStridedBatched") :: cublasCgemvStridedBatched
    procedure(cublasgemvstridedbatched_form), bind(C, name="cublasDgemvStridedBatched") :: cublasDgemvStridedBatched
    procedure(cublasgemvstridedbatched_form), bind(C, name="cublasSgemvStridedBatched") :: cublasSgemvStridedBatched
    procedure(cublasgemvstridedbatched_form), bind(C, name="cublasZgemvStridedBatched") :: cublasZgemvStridedBatched
    procedure(cublasgemvstridedbatched_64_form), bind(C, name="cublasCgemvStridedBatched_64") :: &
        cublasCgemvStridedBatched_64
    procedure(cublasgemvstridedbatched_64_form), bind(C, name="cublasDgemvStridedBatched_64") :: &
        cublasDgemvStridedBatched_64
    procedure(cublasgemvstridedbatched_64_form), bind(C, name="cublasSgemvStridedBatched_64") :: &
        cublasSgemvStridedBatched_64
    procedure(cublasgemvstridedbatched_64_form), bind(C, name="cublasZgemvStridedBatched_64") :: &
        cublasZgemvStridedBatched_64
    procedure(cublastrsmbatched_64_form), bind(C, name="cublasCtrsmBatched_64") :: cublasCtrsmBatched_64
    procedure(cublastrsmbatched_64_form), bind(C, name="cublasDtrsmBatched_64") :: cublasDtrsmBatched_64
    procedure(cublastrsmbatched_64_form), bind(C, name="cublasStrsmBatched_64") :: cublasStrsmBatched_64
    procedure(cublastrsmbatched_64_form), bind(C, name="cublasZtrsmBatched_64") :: cublasZtrsmBatched_64
    procedure(cusolverdngeqrf_form), bind(C, name="cusolverDnCgeqrf") :: cusolverDnCgeqrf
    procedure(cusolverdngeqrf_form), bind(C, name="cusolverDnDgeqrf") :: cusolverDnDgeqrf
    procedure(cusolverdngeqrf_form), bind(C, name="cusolverDnSgeqrf") :: cusolverDnSgeqrf
    procedure(cusolverdngeqrf_form), bind(C, name="cusolverDnZgeqrf") :: cusolverDnZgeqrf
    procedure(cusolverdngeqrf_buffersize_form), bind(C, name="cusolverDnCgeqrf_bufferSize") :: cusolverDnCgeqrf_bufferSize
    procedure(cusolverdngeqrf_buffersize_form), bind(C, name="cusolverDnDgeqrf_bufferSize") :: cusolverDnDgeqrf_bufferSize
    procedure(cusolverdngeqrf_buffersize_form), bind(C, name="cusolverDnSgeqrf_bufferSize") :: cusolverDnSgeqrf_bufferSize
    procedure(cusolverdngeqrf_buffersize_form), bind(C, name="cusolverDnZgeqrf_bufferSize") :: cusolverDnZgeqrf_bufferSize
    procedure(cusolverdngetrf_form), bind(C, name="cusolverDnCgetrf") :: cusolverDnCgetrf
    procedure(cusolverdngetrf_form), bind(C, name="cusolverDnDgetrf") :: cusolverDnDgetrf
    procedure(cusolverdngetrf_form), bind(C, name="cusolverDnSgetrf") :: cusolverDnSgetrf
    procedure(cusolverdngetrf_form), bind(C, name="cusolverDnZgetrf") :: cusolverDnZgetrf
    procedure(cusolverdngetrf_buffersize_form), bind(C, name="cusolverDnCgetrf_bufferSize") :: cusolverDnCgetrf_bufferSize
    procedure(cusolverdngetrf_buffersize_form), bind(C, name="cusolverDnDgetrf_bufferSize") :: cusolverDnDgetrf_bufferSize
    procedure(cusolverdngetrf_buffersize_form), bind(C, name="cusolverDnSgetrf_bufferSize") :: cusolverDnSgetrf_bufferSize
    procedure(cusolverdngetrf_buffersize_form), bind(C, name="cusolverDnZgetrf_bufferSize") :: cusolverDnZgetrf_bufferSize
    procedure(cusolverdngetrs_form), bind(C, name="cusolverDnCgetrs") :: cusolverDnCgetrs
    procedure(cusolverdngetrs_form), bind(C, name="cusolverDnDgetrs") :: cusolverDnDgetrs
    procedure(cusolverdngetrs_form), bind(C, name="cusolverDnSgetrs") :: cusolverDnSgetrs
    procedure(cusolverdngetrs_form), bind(C, name="cusolverDnZgetrs") :: cusolverDnZgetrs
    procedure(cusolverdnpotrf_form), bind(C, name="cusolverDnCpotrf") :: cusolverDnCpotrf
    procedure(cusolverdnpotrf_form), bind(C, name="cusolverDnDpotrf") :: cusolverDnDpotrf
    procedure(cusolverdnpotrf_form), bind(C, name="cusolverDnSpotrf") :: cusolverDnSpotrf
    procedure(cusolverdnpotrf_form), bind(C, name="cusolverDnZpotrf") :: cusolverDnZpotrf
    procedure(cusolverdnpotrfbatched_form), bind(C, name="cusolverDnCpotrfBatched") :: cusolverDnCpotrfBatched
    procedure(cusolverdnpotrfbatched_form), bind(C, name="cusolverDnDpotrfBatched") :: cusolverDnDpotrfBatched
    procedure(cusolverdnpotrfbatched_form), bind(C, name="cusolverDnSpotrfBatched") :: cusolverDnSpotrfBatched
    procedure(cusolverdnpotrfbatched_form), bind(C, name="cusolverDnZpotrfBatched") :: cusolverDnZpotrfBatched
    procedure(cusolverdnpotrf_buffersize_form), bind(C, name="cusolverDnCpotrf_bufferSize") :: cusolverDnCpotrf_bufferSize
    procedure(cusolverdnpotrf_buffersize_form), bind(C, name="cusolverDnDpotrf_bufferSize") :: cusolverDnDpotrf_bufferSize
    procedure(cusolverdnpotrf_buffersize_form), bind(C, name="cusolverDnSpotrf_bufferSize") :: cusolverDnSpotrf_bufferSize
    procedure(cusolverdnpotrf_buffersize_form), bind(C, name="cusolverDnZpotrf_bufferSize") :: cusolverDnZpotrf_bufferSize
    procedure(cusolverdnpotrs_form), bind(C, name="cusolverDnCpotrs") :: cusolverDnCpotrs
    procedure(cusolverdnpotrs_form), bind(C, name="cusolverDnDpotrs") :: cusolverDnDpotrs
    procedure(cusolverdnpotrs_form), bind(C, name="cusolverDnSpotrs") :: cusolverDnSpotrs
    procedure(cusolverdnpotrs_form), bind(C, name="cusolverDnZpotrs") :: cusolverDnZpotrs
    procedure(cusolverdnpotrsbatched_form), bind(C, name="cusolverDnCpotrsBatched") :: cusolverDnCpotrsBatched
    procedure(cusolverdnpotrsbatched_form), bind(C, name="cusolverDnDpotrsBatched") :: cusolverDnDpotrsBatched
    procedure(cusolverdnpotrsbatched_form), bind(C, name="cusolverDnSpotrsBatched") :: cusolverDnSpotrsBatched
    procedure(cusolverdnpotrsbatched_form), bind(C, name="cusolverDnZpotrsBatched") :: cusolverDnZpotrsBatched
    procedure(cusolverdnungqr_form), bind(C, name="cusolverDnCungqr") :: cusolverDnCungqr
    procedure(cusolverdnungqr_form), bind(C, name="cusolverDnZungqr") :: cusolverDnZungqr
    procedure(cusolverdnungqr_buffersize_form), bind(C, name="cusolverDnCungqr_bufferSize") :: cusolverDnCungqr_bufferSize
    procedure(cusolverdnungqr_buffersize_form), bind(C, name="cusolverDnZungqr_bufferSize") :: cusolverDnZungqr_bufferSize
    procedure(cusolverdnunmqr_form), bind(C, name="cusolverDnCunmqr") :: cusolverDnCunmqr
    procedure(cusolverdnunmqr_form), bind(C, name="cusolverDnZunmqr") :: cusolverDnZunmqr
    procedure(cusolverdnunmqr_buffersize_form), bind(C, name="cusolverDnCunmqr_bufferSize") :: cusolverDnCunmqr_bufferSize
    procedure(cusolverdnunmqr_buffersize_form), bind(C, name="cusolverDnZunmqr_bufferSize") :: cusolverDnZunmqr_bufferSize
    procedure(cusolverdnorgqr_form), bind(C, name="cusolverDnDorgqr") :: cusolverDnDorgqr
    procedure(cusolverdnorgqr_form), bind(C, name="cusolverDnSorgqr") :: cusolverDnSorgqr
    procedure(cusolverdnorgqr_buffersize_form), bind(C, name="cusolverDnDorgqr_bufferSize") :: cusolverDnDorgqr_bufferSize
    procedure(cusolverdnorgqr_buffersize_form), bind(C, name="cusolverDnSorgqr_bufferSize") :: cusolverDnSorgqr_bufferSize
    procedure(cusolverdnormqr_form), bind(C, name="cusolverDnDormqr") :: cusolverDnDormqr
    procedure(cusolverdnormqr_form), bind(C, name="cusolverDnSormqr") :: cusolverDnSormqr
    procedure(cusolverdnormqr_buffersize_form), bind(C, name="cusolverDnDormqr_bufferSize") :: cusolverDnDormqr_bufferSize
    procedure(cusolverdnormqr_buffersize_form), bind(C, name="cusolverDnSormqr_bufferSize") :: cusolverDnSormqr_bufferSize
    procedure(blas_lacpy_batched_form), bind(C, name="blas_clacpy_batched") :: blas_clacpy_batched
    procedure(blas_lacpy_batched_form), bind(C, name="blas_dlacpy_batched") :: blas_dlacpy_batched
    procedure(blas_lacpy_batched_form), bind(C, name="blas_slacpy_batched") :: blas_slacpy_batched
    procedure(blas_lacpy_batched_form), bind(C, name="blas_zlacpy_batched") :: blas_zlacpy_batched
    procedure(magma_geqp3_expert_gpu_work_form), bind(C, name="magma_cgeqp3_expert_gpu_work") :: &
        magma_cgeqp3_expert_gpu_work
    procedure(magma_geqp3_expert_gpu_work_form), bind(C, name="magma_dgeqp3_expert_gpu_work") :: &
        magma_dgeqp3_expert_gpu_work
    procedure(magma_geqp3_expert_gpu_work_form), bind(C, name="magma_sgeqp3_expert_gpu_work") :: &
        magma_sgeqp3_expert_gpu_work
    procedure(magma_geqp3_expert_gpu_work_form), bind(C, name="magma_zgeqp3_expert_gpu_work") :: &
        magma_zgeqp3_expert_gpu_work
    procedure(magma_geqp3_gpu_form), bind(C, name="magma_cgeqp3_gpu") :: magma_cgeqp3_gpu
    procedure(magma_geqp3_gpu_form), bind(C, name="magma_zgeqp3_gpu") :: magma_zgeqp3_gpu
    procedure(magma_geqrf2_gpu_form), bind(C, name="magma_cgeqrf2_gpu") :: magma_cgeqrf2_gpu
    procedure(magma_geqrf2_gpu_form), bind(C, name="magma_dgeqrf2_gpu") :: magma_dgeqrf2_gpu
    procedure(magma_geqrf2_gpu_form), bind(C, name="magma_sgeqrf2_gpu") :: magma_sgeqrf2_gpu
    procedure(magma_geqrf2_gpu_form), bind(C, name="magma_zgeqrf2_gpu") :: magma_zgeqrf2_gpu
    procedure(magma_geqrf3_gpu_form), bind(C, name="magma_cgeqrf3_gpu") :: magma_cgeqrf3_gpu
    procedure(magma_geqrf3_gpu_form), bind(C, name="magma_dgeqrf3_gpu") :: magma_dgeqrf3_gpu
    procedure(magma_geqrf3_gpu_form), bind(C, name="magma_sgeqrf3_gpu") :: magma_sgeqrf3_gpu
    procedure(magma_geqrf3_gpu_form), bind(C, name="magma_zgeqrf3_gpu") :: magma_zgeqrf3_gpu
    procedure(magma_geqrf_batched_work_form), bind(C, name="magma_cgeqrf_batched_work") :: magma_cgeqrf_batched_work
    procedure(magma_geqrf_batched_work_form), bind(C, name="magma_dgeqrf_batched_work") :: magma_dgeqrf_batched_work
    procedure(magma_geqrf_batched_work_form), bind(C, name="magma_sgeqrf_batched_work") :: magma_sgeqrf_batched_work
    procedure(magma_geqrf_batched_work_form), bind(C, name="magma_zgeqrf_batched_work") :: magma_zgeqrf_batched_work
    procedure(magma_geqrf_expert_batched_form), bind(C, name="magma_cgeqrf_expert_batched") :: magma_cgeqrf_expert_batched
    procedure(magma_geqrf_expert_batched_form), bind(C, name="magma_dgeqrf_expert_batched") :: magma_dgeqrf_expert_batched
    procedure(magma_geqrf_expert_batched_form), bind(C, name="magma_sgeqrf_expert_batched") :: magma_sgeqrf_expert_batched
    procedure(magma_geqrf_expert_batched_form), bind(C, name="magma_zgeqrf_expert_batched") :: magma_zgeqrf_expert_batched
    procedure(magma_geqrf_expert_gpu_work_form), bind(C, name="magma_cgeqrf_expert_gpu_work") :: &
        magma_cgeqrf_expert_gpu_work
    procedure(magma_geqrf_expert_gpu_work_form), bind(C, name="magma_dgeqrf_expert_gpu_work") :: &
        magma_dgeqrf_expert_gpu_work
    procedure(magma_geqrf_expert_gpu_work_form), bind(C, name="magma_sgeqrf_expert_gpu_work") :: &
        magma_sgeqrf_expert_gpu_work
    procedure(magma_geqrf_expert_gpu_work_form), bind(C, name="magma_zgeqrf_expert_gpu_work") :: &
        magma_zgeqrf_expert_gpu_work
    procedure(magma_geqrf_gpu_form), bind(C, name="magma_cgeqrf_gpu") :: magma_cgeqrf_gpu
    procedure(magma_geqrf_gpu_form), bind(C, name="magma_dgeqrf_gpu") :: magma_dgeqrf_gpu
    procedure(magma_geqrf_gpu_form), bind(C, name="magma_sgeqrf_gpu") :: magma_sgeqrf_gpu
    procedure(magma_geqrf_gpu_form), bind(C, name="magma_zgeqrf_gpu") :: magma_zgeqrf_gpu
    procedure(magma_geqrs3_gpu_form), bind(C, name="magma_cgeqrs3_gpu") :: magma_cgeqrs3_gpu
    procedure(magma_geqrs3_gpu_form), bind(C, name="magma_dgeqrs3_gpu") :: magma_dgeqrs3_gpu
    procedure(magma_geqrs3_gpu_form), bind(C, name="magma_sgeqrs3_gpu") :: magma_sgeqrs3_gpu
    procedure(magma_geqrs3_gpu_form), bind(C, name="magma_zgeqrs3_gpu") :: magma_zgeqrs3_gpu
    procedure(magma_geqrs_gpu_form), bind(C, name="magma_cgeqrs_gpu") :: magma_cgeqrs_gpu
    procedure(magma_geqrs_gpu_form), bind(C, name="magma_dgeqrs_gpu") :: magma_dgeqrs_gpu
    procedure(magma_geqrs_gpu_form), bind(C, name="magma_sgeqrs_gpu") :: magma_sgeqrs_gpu
    procedure(magma_geqrs_gpu_form), bind(C, name="magma_zgeqrs_gpu") :: magma_zgeqrs_gpu
    procedure(magma_getf2_batched_form), bind(C, name="magma_cgetf2_batched") :: magma_cgetf2_batched
    procedure(magma_getf2_batched_form), bind(C, name="magma_dgetf2_batched") :: magma_dgetf2_batched
    procedure(magma_getf2_batched_form), bind(C, name="magma_sgetf2_batched") :: magma_sgetf2_batched
    procedure(magma_getf2_batched_form), bind(C, name="magma_zgetf2_batched") :: magma_zgetf2_batched
    procedure(magma_getf2_nopiv_batched_form), bind(C, name="magma_cgetf2_nopiv_batched") :: magma_cgetf2_nopiv_batched
    procedure(magma_getf2_nopiv_batched_form), bind(C, name="magma_dgetf2_nopiv_batched") :: magma_dgetf2_nopiv_batched
    procedure(magma_getf2_nopiv_batched_form), bind(C, name="magma_sgetf2_nopiv_batched") :: magma_sgetf2_nopiv_batched
    procedure(magma_getf2_nopiv_batched_form), bind(C, name="magma_zgetf2_nopiv_batched") :: magma_zgetf2_nopiv_batched
    procedure(magma_getrf_gpu_form), bind(C, name="magma_cgetrf_gpu") :: magma_cgetrf_gpu
    procedure(magma_getrf_gpu_form), bind(C, name="magma_dgetrf_gpu") :: magma_dgetrf_gpu
    procedure(magma_getrf_gpu_form), bind(C, name="magma_sgetrf_gpu") :: magma_sgetrf_gpu
    procedure(magma_getrf_gpu_form), bind(C, name="magma_zgetrf_gpu") :: magma_zgetrf_gpu
    procedure(magma_getrf_nopiv_expert_vbatched_form), bind(C, name="magma_cgetrf_nopiv_expert_vbatched") :: &
        magma_cgetrf_nopiv_expert_vbatched
    procedure(magma_getrf_nopiv_expert_vbatched_form), bind(C, name="magma_sgetrf_nopiv_expert_vbatched") :: &
        magma_sgetrf_nopiv_expert_vbatched
    procedure(magma_getrf_nopiv_vbatched_form), bind(C, name="magma_cgetrf_nopiv_vbatched") :: magma_cgetrf_nopiv_vbatched
    procedure(magma_getrf_nopiv_vbatched_form), bind(C, name="magma_dgetrf_nopiv_vbatched") :: magma_dgetrf_nopiv_vbatched
    procedure(magma_getrf_nopiv_vbatched_form), bind(C, name="magma_sgetrf_nopiv_vbatched") :: magma_sgetrf_nopiv_vbatched
    procedure(magma_getrf_nopiv_vbatched_form), bind(C, name="magma_zgetrf_nopiv_vbatched") :: magma_zgetrf_nopiv_vbatched
    procedure(magma_getrf_nopiv_vbatched_max_nocheck_form), bind(C, name="magma_cgetrf_nopiv_vbatched_max_nocheck") :: &
        magma_cgetrf_nopiv_vbatched_max_nocheck
    procedure(magma_getrf_nopiv_vbatched_max_nocheck_form), bind(C, name="magma_sgetrf_nopiv_vbatched_max_nocheck") :: &
        magma_sgetrf_nopiv_vbatched_max_nocheck
    procedure(magma_getrf_nopiv_vbatched_max_nocheck_work_form), bind(C, &
        name="magma_cgetrf_nopiv_vbatched_max_nocheck_work") :: magma_cgetrf_nopiv_vbatched_max_nocheck_work
    procedure(magma_getrf_nopiv_vbatched_max_nocheck_work_form), bind(C, &
        name="magma_sgetrf_nopiv_vbatched_max_nocheck_work") :: magma_sgetrf_nopiv_vbatched_max_nocheck_work
    procedure(magma_getrf_vbatched_form), bind(C, name="magma_cgetrf_vbatched") :: magma_cgetrf_vbatched
    procedure(magma_getrf_vbatched_form), bind(C, name="magma_dgetrf_vbatched") :: magma_dgetrf_vbatched
    procedure(magma_getrf_vbatched_form), bind(C, name="magma_sgetrf_vbatched") :: magma_sgetrf_vbatched
    procedure(magma_getrf_vbatched_form), bind(C, name="magma_zgetrf_vbatched") :: magma_zgetrf_vbatched
    procedure(magma_getrf_vbatched_max_nocheck_form), bind(C, name="magma_cgetrf_vbatched_max_nocheck") :: &
        magma_cgetrf_vbatched_max_nocheck
    procedure(magma_getrf_vbatched_max_nocheck_form), bind(C, name="magma_dgetrf_vbatched_max_nocheck") :: &
        magma_dgetrf_vbatched_max_nocheck
    procedure(magma_getrf_vbatched_max_nocheck_form), bind(C, name="magma_sgetrf_vbatched_max_nocheck") :: &
        magma_sgetrf_vbatched_max_nocheck
    procedure(magma_getrf_vbatched_max_nocheck_form), bind(C, name="magma_zgetrf_vbatched_max_nocheck") :: &
        magma_zgetrf_vbatched_max_nocheck
    procedure(magma_getrf_vbatched_max_nocheck_work_form), bind(C, name="magma_cgetrf_vbatched_max_nocheck_work") :: &
        magma_cgetrf_vbatched_max_nocheck_work
    procedure(magma_getrf_vbatched_max_nocheck_work_form), bind(C, name="magma_dgetrf_vbatched_max_nocheck_work") :: &
        magma_dgetrf_vbatched_max_nocheck_work
    procedure(magma_getrf_vbatched_max_nocheck_work_form), bind(C, name="magma_sgetrf_vbatched_max_nocheck_work") :: &
        magma_sgetrf_vbatched_max_nocheck_work
    procedure(magma_getrf_vbatched_max_nocheck_work_form), bind(C, name="magma_zgetrf_vbatched_max_nocheck_work") :: &
        magma_zgetrf_vbatched_max_nocheck_work
    procedure(magma_getrs_gpu_form), bind(C, name="magma_cgetrs_gpu") :: magma_cgetrs_gpu
    procedure(magma_getrs_gpu_form), bind(C, name="magma_dgetrs_gpu") :: magma_dgetrs_gpu
    procedure(magma_getrs_gpu_form), bind(C, name="magma_sgetrs_gpu") :: magma_sgetrs_gpu
    procedure(magma_getrs_gpu_form), bind(C, name="magma_zgetrs_gpu") :: magma_zgetrs_gpu
    procedure(magma_laswp_columnserial_batched_form), bind(C, name="magma_claswp_columnserial_batched") :: &
        magma_claswp_columnserial_batched
    procedure(magma_laswp_columnserial_batched_form), bind(C, name="magma_dlaswp_columnserial_batched") :: &
        magma_dlaswp_columnserial_batched
    procedure(magma_laswp_columnserial_batched_form), bind(C, name="magma_slaswp_columnserial_batched") :: &
        magma_slaswp_columnserial_batched
    procedure(magma_laswp_columnserial_batched_form), bind(C, name="magma_zlaswp_columnserial_batched") :: &
        magma_zlaswp_columnserial_batched
    procedure(magma_laswp_rowparallel_batched_form), bind(C, name="magma_claswp_rowparallel_batched") :: &
        magma_claswp_rowparallel_batched
    procedure(magma_laswp_rowparallel_batched_form), bind(C, name="magma_dlaswp_rowparallel_batched") :: &
        magma_dlaswp_rowparallel_batched
    procedure(magma_laswp_rowparallel_batched_form), bind(C, name="magma_slaswp_rowparallel_batched") :: &
        magma_slaswp_rowparallel_batched
    procedure(magma_laswp_rowparallel_batched_form), bind(C, name="magma_zlaswp_rowparallel_batched") :: &
        magma_zlaswp_rowparallel_batched
    procedure(magma_laswp_rowserial_batched_form), bind(C, name="magma_claswp_rowserial_batched") :: &
        magma_claswp_rowserial_batched
    procedure(magma_laswp_rowserial_batched_form), bind(C, name="magma_dlaswp_rowserial_batched") :: &
        magma_dlaswp_rowserial_batched
    procedure(magma_laswp_rowserial_batched_form), bind(C, name="magma_slaswp_rowserial_batched") :: &
        magma_slaswp_rowserial_batched
    procedure(magma_laswp_rowserial_batched_form), bind(C, name="magma_zlaswp_rowserial_batched") :: &
        magma_zlaswp_rowserial_batched
    procedure(magma_posv_batched_form), bind(C, name="magma_cposv_batched") :: magma_cposv_batched
    procedure(magma_posv_batched_form), bind(C, name="magma_dposv_batched") :: magma_dposv_batched
    procedure(magma_posv_batched_form), bind(C, name="magma_sposv_batched") :: magma_sposv_batched
    procedure(magma_posv_batched_form), bind(C, name="magma_zposv_batched") :: magma_zposv_batched
    procedure(magma_potf2_batched_form), bind(C, name="magma_cpotf2_batched") :: magma_cpotf2_batched
    procedure(magma_potf2_batched_form), bind(C, name="magma_dpotf2_batched") :: magma_dpotf2_batched
    procedure(magma_potf2_batched_form), bind(C, name="magma_spotf2_batched") :: magma_spotf2_batched
    procedure(magma_potf2_batched_form), bind(C, name="magma_zpotf2_batched") :: magma_zpotf2_batched
    procedure(magma_potrf_batched_form), bind(C, name="magma_cpotrf_batched") :: magma_cpotrf_batched
    procedure(magma_potrf_batched_form), bind(C, name="magma_dpotrf_batched") :: magma_dpotrf_batched
    procedure(magma_potrf_batched_form), bind(C, name="magma_spotrf_batched") :: magma_spotrf_batched
    procedure(magma_potrf_batched_form), bind(C, name="magma_zpotrf_batched") :: magma_zpotrf_batched
    procedure(magma_potrf_expert_batched_form), bind(C, name="magma_cpotrf_expert_batched") :: magma_cpotrf_expert_batched
    procedure(magma_potrf_expert_batched_form), bind(C, name="magma_dpotrf_expert_batched") :: magma_dpotrf_expert_batched
    procedure(magma_potrf_expert_batched_form), bind(C, name="magma_spotrf_expert_batched") :: magma_spotrf_expert_batched
    procedure(magma_potrf_expert_batched_form), bind(C, name="magma_zpotrf_expert_batched") :: magma_zpotrf_expert_batched
    procedure(magma_potrf_gpu_form), bind(C, name="magma_cpotrf_gpu") :: magma_cpotrf_gpu
    procedure(magma_potrf_gpu_form), bind(C, name="magma_dpotrf_gpu") :: magma_dpotrf_gpu
    procedure(magma_potrf_gpu_form), bind(C, name="magma_spotrf_gpu") :: magma_spotrf_gpu
    procedure(magma_potrf_gpu_form), bind(C, name="magma_zpotrf_gpu") :: magma_zpotrf_gpu
    procedure(magma_potrf_vbatched_form), bind(C, name="magma_cpotrf_vbatched") :: magma_cpotrf_vbatched
    procedure(magma_potrf_vbatched_form), bind(C, name="magma_dpotrf_vbatched") :: magma_dpotrf_vbatched
    procedure(magma_potrf_vbatched_form), bind(C, name="magma_spotrf_vbatched") :: magma_spotrf_vbatched
    procedure(magma_potrf_vbatched_form), bind(C, name="magma_zpotrf_vbatched") :: magma_zpotrf_vbatched
    procedure(magma_potrf_vbatched_max_nocheck_form), bind(C, name="magma_cpotrf_vbatched_max_nocheck") :: &
        magma_cpotrf_vbatched_max_nocheck
    procedure(magma_potrf_vbatched_max_nocheck_form), bind(C, name="magma_dpotrf_vbatched_max_nocheck") :: &
        magma_dpotrf_vbatched_max_nocheck
    procedure(magma_potrf_vbatched_max_nocheck_form), bind(C, name="magma_spotrf_vbatched_max_nocheck") :: &
        magma_spotrf_vbatched_max_nocheck
    procedure(magma_potrf_vbatched_max_nocheck_form), bind(C, name="magma_zpotrf_vbatched_max_nocheck") :: &
        magma_zpotrf_vbatched_max_nocheck
    procedure(magma_potrs_batched_form), bind(C, name="magma_cpotrs_batched") :: magma_cpotrs_batched
    procedure(magma_potrs_batched_form), bind(C, name="magma_dpotrs_batched") :: magma_dpotrs_batched
    procedure(magma_potrs_batched_form), bind(C, name="magma_spotrs_batched") :: magma_spotrs_batched
    procedure(magma_potrs_batched_form), bind(C, name="magma_zpotrs_batched") :: magma_zpotrs_batched
    procedure(magma_potrs_gpu_form), bind(C, name="magma_cpotrs_gpu") :: magma_cpotrs_gpu
    procedure(magma_potrs_gpu_form), bind(C, name="magma_dpotrs_gpu") :: magma_dpotrs_gpu
    procedure(magma_potrs_gpu_form), bind(C, name="magma_spotrs_gpu") :: magma_spotrs_gpu
    procedure(magma_potrs_gpu_form), bind(C, name="magma_zpotrs_gpu") :: magma_zpotrs_gpu
    procedure(magma_print_form), bind(C, name="magma_cprint") :: magma_cprint
    procedure(magma_print_form), bind(C, name="magma_dprint") :: magma_dprint
    procedure(magma_print_form), bind(C, name="magma_sprint") :: magma_sprint
    procedure(magma_print_form), bind(C, name="magma_zprint") :: magma_zprint
    procedure(magma_print_gpu_form), bind(C, name="magma_cprint_gpu") :: magma_cprint_gpu
    procedure(magma_print_gpu_form), bind(C, name="magma_dprint_gpu") :: magma_dprint_gpu
    procedure(magma_print_gpu_form), bind(C, name="magma_sprint_gpu") :: magma_sprint_gpu
    procedure(magma_print_gpu_form), bind(C, name="magma_zprint_gpu") :: magma_zprint_gpu
    procedure(magma_ungqr_gpu_form), bind(C, name="magma_cungqr_gpu") :: magma_cungqr_gpu
    procedure(magma_ungqr_gpu_form), bind(C, name="magma_zungqr_gpu") :: magma_zungqr_gpu
    procedure(magma_unmqr2_gpu_form), bind(C, name="magma_cunmqr2_gpu") :: magma_cunmqr2_gpu
    procedure(magma_unmqr2_gpu_form), bind(C, name="magma_zunmqr2_gpu") :: magma_zunmqr2_gpu
    procedure(magma_unmqr_gpu_form), bind(C, name="magma_cunmqr_gpu") :: magma_cunmqr_gpu
    procedure(magma_unmqr_gpu_form), bind(C, name="magma_zunmqr_gpu") :: magma_zunmqr_gpu
    procedure(magma_geqp3_gpu_form_2), bind(C, name="magma_dgeqp3_gpu") :: magma_dgeqp3_gpu
    procedure(magma_geqp3_gpu_form_2), bind(C, name="magma_sgeqp3_gpu") :: magma_sgeqp3_gpu
    procedure(magma_getrf_nopiv_expert_vbatched_form_2), bind(C, name="magma_dgetrf_nopiv_expert_vbatched") :: &
        magma_dgetrf_nopiv_expert_vbatched
    procedure(magma_getrf_nopiv_expert_vbatched_form_2), bind(C, name="magma_zgetrf_nopiv_expert_vbatched") :: &
        magma_zgetrf_nopiv_expert_vbatched
    procedure(magma_getrf_nopiv_vbatched_max_nocheck_form_2), bind(C, name="magma_dgetrf_nopiv_vbatched_max_nocheck") :: &
        magma_dgetrf_nopiv_vbatched_max_nocheck
    procedure(magma_getrf_nopiv_vbatched_max_nocheck_form_2), bind(C, name="magma_zgetrf_nopiv_vbatched_max_nocheck") :: &
        magma_zgetrf_nopiv_vbatched_max_nocheck
    procedure(magma_getrf_nopiv_vbatched_max_nocheck_work_form_2), bind(C, &
        name="magma_dgetrf_nopiv_vbatched_max_nocheck_work") :: magma_dgetrf_nopiv_vbatched_max_nocheck_work
    procedure(magma_getrf_nopiv_vbatched_max_nocheck_work_form_2), bind(C, &
        name="magma_zgetrf_nopiv_vbatched_max_nocheck_work") :: magma_zgetrf_nopiv_vbatched_max_nocheck_work
    procedure(magma_orgqr_gpu_form), bind(C, name="magma_dorgqr_gpu") :: magma_dorgqr_gpu
    procedure(magma_orgqr_gpu_form), bind(C, name="magma_sorgqr_gpu") :: magma_sorgqr_gpu
    procedure(magma_ormqr2_gpu_form), bind(C, name="magma_dormqr2_gpu") :: magma_dormqr2_gpu
    procedure(magma_ormqr2_gpu_form), bind(C, name="magma_sormqr2_gpu") :: magma_sormqr2_gpu
    procedure(magma_ormqr_gpu_form), bind(C, name="magma_dormqr_gpu") :: magma_dormqr_gpu
    procedure(magma_ormqr_gpu_form), bind(C, name="magma_sormqr_gpu") :: magma_sormqr_gpu
    procedure(magma_get_geqp3_nb_form), bind(C, name="magma_get_cgeqp3_nb") :: magma_get_cgeqp3_nb
    procedure(magma_get_geqp3_nb_form), bind(C, name="magma_get_dgeqp3_nb") :: magma_get_dgeqp3_nb
    procedure(magma_get_geqp3_nb_form), bind(C, name="magma_get_sgeqp3_nb") :: magma_get_sgeqp3_nb
    procedure(magma_get_geqp3_nb_form), bind(C, name="magma_get_zgeqp3_nb") :: magma_get_zgeqp3_nb
    procedure(magma_get_geqrf_batched_nb_form), bind(C, name="magma_get_cgeqrf_batched_nb") :: magma_get_cgeqrf_batched_nb
    procedure(magma_get_geqrf_batched_nb_form), bind(C, name="magma_get_dgeqrf_batched_nb") :: magma_get_dgeqrf_batched_nb
    procedure(magma_get_geqrf_batched_nb_form), bind(C, name="magma_get_sgeqrf_batched_nb") :: magma_get_sgeqrf_batched_nb
    procedure(magma_get_geqrf_batched_nb_form), bind(C, name="magma_get_zgeqrf_batched_nb") :: magma_get_zgeqrf_batched_nb
    procedure(magma_get_geqrf_nb_form), bind(C, name="magma_get_cgeqrf_nb") :: magma_get_cgeqrf_nb
    procedure(magma_get_geqrf_nb_form), bind(C, name="magma_get_dgeqrf_nb") :: magma_get_dgeqrf_nb
    procedure(magma_get_geqrf_nb_form), bind(C, name="magma_get_sgeqrf_nb") :: magma_get_sgeqrf_nb
    procedure(magma_get_geqrf_nb_form), bind(C, name="magma_get_zgeqrf_nb") :: magma_get_zgeqrf_nb
    procedure(magma_get_getrf_vbatched_nbparam_form), bind(C, name="magma_get_cgetrf_vbatched_nbparam") :: &
        magma_get_cgetrf_vbatched_nbparam
    procedure(magma_get_getrf_vbatched_nbparam_form), bind(C, name="magma_get_dgetrf_vbatched_nbparam") :: &
        magma_get_dgetrf_vbatched_nbparam
    procedure(magma_get_getrf_vbatched_nbparam_form), bind(C, name="magma_get_sgetrf_vbatched_nbparam") :: &
        magma_get_sgetrf_vbatched_nbparam
    procedure(magma_get_getrf_vbatched_nbparam_form), bind(C, name="magma_get_zgetrf_vbatched_nbparam") :: &
        magma_get_zgetrf_vbatched_nbparam
    procedure(magmablas_lacpy_vbatched_form), bind(C, name="magmablas_clacpy_vbatched") :: magmablas_clacpy_vbatched
    procedure(magmablas_lacpy_vbatched_form), bind(C, name="magmablas_dlacpy_vbatched") :: magmablas_dlacpy_vbatched
    procedure(magmablas_lacpy_vbatched_form), bind(C, name="magmablas_slacpy_vbatched") :: magmablas_slacpy_vbatched
    procedure(magmablas_lacpy_vbatched_form), bind(C, name="magmablas_zlacpy_vbatched") :: magmablas_zlacpy_vbatched

    interface
        function cublasDgemmGroupedBatched(handle, transa_array, transb_array, m_array, n_array, k_array, alpha_array, &
            aarray, lda_array, barray, ldb_array, beta_array, carray, ldc_array, group_count, group_size) bind(C, &
            name="cublasDgemmGroupedBatched") result(status)
            import :: c_double, c_int, c_ptr
            type(c_ptr), value :: handle, aarray, barray, carray
            integer(c_int), intent(in) :: transa_array(*), transb_array(*), m_array(*), n_array(*), k_array(*), &
                lda_array(*), ldb_array(*), ldc_array(*), group_size(*)
            real(c_double), intent(in) :: alpha_array(*), beta_array(*)
            integer(c_int), value :: group_count
            integer(c_int) :: status
        end function
        function cublasDgemmGroupedBatched_64(handle, transa_array, transb_array, m_array, n_array, k_array, alpha_array, &
            aarray, lda_array, barray, ldb_array, beta_array, carray, ldc_array, group_count, group_size) bind(C, &
            name="cublasDgemmGroupedBatched_64") result(status)
            import :: c_double, c_int, c_int64_t, c_ptr
            type(c_ptr), value :: handle, aarray, barray, carray
            integer(c_int), intent(in) :: transa_array(*), transb_array(*)
            integer(c_int64_t), intent(in) :: m_array(*), n_array(*), k_array(*), lda_array(*), ldb_array(*), ldc_array(*), &
                group_size(*)
            real(c_double), intent(in) :: alpha_array(*), beta_array(*)
            integer(c_int64_t), value :: group_count
            integer(c_int) :: status
        end function
        function cublasGemmBatchedEx(handle, transa, transb, m, n, k, alpha, aarray, atype, lda, barray, btype, ldb, beta, &
            carray, ctype, ldc, batchcount, computetype, algo) bind(C, name="cublasGemmBatchedEx") result(status)
            import :: c_int, c_ptr
            type(c_ptr), value :: handle, alpha, aarray, barray, beta, carray
            integer(c_int), value :: transa, transb, m, n, k, atype, lda, btype, ldb, ctype, ldc, batchcount, computetype, &
                algo
            integer(c_int) :: status
        end function
        function cublasGemmBatchedEx_64(handle, transa, transb, m, n, k, alpha, aarray, atype, lda, barray, btype, ldb, &
            beta, carray, ctype, ldc, batchcount, computetype, algo) bind(C, name="cublasGemmBatchedEx_64") result(status)
            import :: c_int, c_int64_t, c_ptr
            type(c_ptr), value :: handle, alpha, aarray, barray, beta, carray
            integer(c_int), value :: transa, transb, atype, btype, ctype, computetype, algo
            integer(c_int64_t), value :: m, n, k, lda, ldb, ldc, batchcount
            integer(c_int) :: status
        end function
        function cublasGemmGroupedBatchedEx(handle, transa_array, transb_array, m_array, n_array, k_array, alpha_array, &
            aarray, atype, lda_array, barray, btype, ldb_array, beta_array, carray, ctype, ldc_array, group_count, group_size, &
            computetype) bind(C, name="cublasGemmGroupedBatchedEx") result(status)
            import :: c_int, c_ptr
            type(c_ptr), value :: handle, alpha_array, aarray, barray, beta_array, carray
            integer(c_int), intent(in) :: transa_array(*), transb_array(*), m_array(*), n_array(*), k_array(*), &
                lda_array(*), ldb_array(*), ldc_array(*), group_size(*)
            integer(c_int), value :: atype, btype, ctype, group_count, computetype
            integer(c_int) :: status
        end function
        function cublasGemmGroupedBatchedEx_64(handle, transa_array, transb_array, m_array, n_array, k_array, alpha_array, &
            aarray, atype, lda_array, barray, btype, ldb_array, beta_array, carray, ctype, ldc_array, group_count, group_size, &
            computetype) bind(C, name="cublasGemmGroupedBatchedEx_64") result(status)
            import :: c_int, c_int64_t, c_ptr
            type(c_ptr), value :: handle, alpha_array, aarray, barray, beta_array, carray
            integer(c_int), intent(in) :: transa_array(*), transb_array(*)
            integer(c_int64_t), intent(in) :: m_array(*), n_array(*), k_array(*), lda_array(*), ldb_array(*), ldc_array(*), &
                group_size(*)
            integer(c_int), value :: atype, btype, ctype, computetype
            integer(c_int64_t), value :: group_count
            integer(c_int) :: status
        end function
        function cublasGemmStridedBatchedEx(handle, transa, transb, m, n, k, alpha, a, atype, lda, stridea, b, btype, ldb, &
            strideb, beta, c, ctype, ldc, stridec, batchcount, computetype, algo) bind(C, name="cublasGemmStridedBatchedEx") &
            result(status)
            import :: c_int, c_int64_t, c_ptr
            type(c_ptr), value :: handle, alpha, a, b, beta, c
            integer(c_int), value :: transa, transb, m, n, k, atype, lda, btype, ldb, ctype, ldc, batchcount, computetype, &
                algo
            integer(c_int64_t), value :: stridea, strideb, stridec
            integer(c_int) :: status
        end function
        function cublasGemmStridedBatchedEx_64(handle, transa, transb, m, n, k, alpha, a, atype, lda, stridea, b, btype, &
            ldb, strideb, beta, c, ctype, ldc, stridec, batchcount, computetype, algo) bind(C, &
            name="cublasGemmStridedBatchedEx_64") result(status)
            import :: c_int, c_int64_t, c_ptr
            type(c_ptr), value :: handle, alpha, a, b, beta, c
            integer(c_int), value :: transa, transb, atype, btype, ctype, computetype, algo
            integer(c_int64_t), value :: m, n, k, lda, stridea, ldb, strideb, ldc, stridec, batchcount
            integer(c_int) :: status
        end function
        function cublasGetAtomicsMode(handle, mode) bind(C, name="cublasGetAtomicsMode") result(status)
            import :: c_int, c_ptr
            type(c_ptr), value :: handle
            integer(c_int), intent(out) :: mode
            integer(c_int) :: status
        end function
        function cublasGetEmulationStrategy(handle, emulationstrategy) bind(C, name="cublasGetEmulationStrategy") &
            result(status)
            import :: c_int, c_ptr
            type(c_ptr), value :: handle
            integer(c_int), intent(out) :: emulationstrategy
            integer(c_int) :: status
        end function
        function cublasGetMathMode(handle, mode) bind(C, name="cublasGetMathMode") result(status)
            import :: c_int, c_ptr
            type(c_ptr), value :: handle
            integer(c_int), intent(out) :: mode
            integer(c_int) :: status
        end function
        function cublasGetMatrix(rows, cols, elemsize, a, lda, b, ldb) bind(C, name="cublasGetMatrix") result(status)
            import :: c_int, c_ptr
            integer(c_int), value :: rows, cols, elemsize, lda, ldb
            type(c_ptr), value :: a, b
            integer(c_int) :: status
        end function
        function cublasGetMatrixAsync(rows, cols, elemsize, a, lda, b, ldb, stream) bind(C, name="cublasGetMatrixAsync") &
            result(status)
            import :: c_int, c_ptr
            integer(c_int), value :: rows, cols, elemsize, lda, ldb
            type(c_ptr), value :: a, b, stream
            integer(c_int) :: status
        end function
        function cublasGetMatrixAsync_64(rows, cols, elemsize, a, lda, b, ldb, stream) bind(C, &
            name="cublasGetMatrixAsync_64") result(status)
            import :: c_int, c_int64_t, c_ptr
            integer(c_int64_t), value :: rows, cols, elemsize, lda, ldb
            type(c_ptr), value :: a, b, stream
            integer(c_int) :: status
        end function
        function cublasGetMatrix_64(rows, cols, elemsize, a, lda, b, ldb) bind(C, name="cublasGetMatrix_64") result(status)
            import :: c_int, c_int64_t, c_ptr
            integer(c_int64_t), value :: rows, cols, elemsize, lda, ldb
            type(c_ptr), value :: a, b
            integer(c_int) :: status
        end function
        function cublasGetPointerMode(handle, mode) bind(C, name="cublasGetPointerMode_v2") result(status)
            import :: c_int, c_ptr
            type(c_ptr), value :: handle
            integer(c_int), intent(out) :: mode
            integer(c_int) :: status
        end function
        function cublasGetProperty(type, value) bind(C, name="cublasGetProperty") result(status)
            import :: c_int
            integer(c_int), value :: type
            integer(c_int), intent(out) :: value
            integer(c_int) :: status
        end function
        function cublasGetSmCountTarget(handle, smcounttarget) bind(C, name="cublasGetSmCountTarget") result(status)
            import :: c_int, c_ptr
            type(c_ptr), value :: handle
            integer(c_int), intent(out) :: smcounttarget
            integer(c_int) :: status
        end function
        function cublasGetVector(n, elemsize, x, incx, y, incy) bind(C, name="cublasGetVector") result(status)
            import :: c_int, c_ptr
            integer(c_int), value :: n, elemsize, incx, incy
            type(c_ptr), value :: x, y
            integer(c_int) :: status
        end function
        function cublasGetVectorAsync(n, elemsize, deviceptr, incx, hostptr, incy, stream) bind(C, &
            name="cublasGetVectorAsync") result(status)
            import :: c_int, c_ptr
            integer(c_int), value :: n, elemsize, incx, incy
            type(c_ptr), value :: deviceptr, hostptr, stream
            integer(c_int) :: status
        end function
        function cublasGetVectorAsync_64(n, elemsize, deviceptr, incx, hostptr, incy, stream) bind(C, &
            name="cublasGetVectorAsync_64") result(status)
            import :: c_int, c_int64_t, c_ptr
            integer(c_int64_t), value :: n, elemsize, incx, incy
            type(c_ptr), value :: deviceptr, hostptr, stream
            integer(c_int) :: status
        end function
        function cublasGetVector_64(n, elemsize, x, incx, y, incy) bind(C, name="cublasGetVector_64") result(status)
            import :: c_int, c_int64_t, c_ptr
            integer(c_int64_t), value :: n, elemsize, incx, incy
            type(c_ptr), value :: x, y
            integer(c_int) :: status
        end function
        function cublasGetVersion(handle, version) bind(C, name="cublasGetVersion_v2") result(status)
            import :: c_int, c_ptr
            type(c_ptr), value :: handle
            integer(c_int), intent(out) :: version
            integer(c_int) :: status
        end function
        function cublasSetAtomicsMode(handle, mode) bind(C, name="cublasSetAtomicsMode") result(status)
            import :: c_int, c_ptr
            type(c_ptr), value :: handle
            integer(c_int), value :: mode
            integer(c_int) :: status
        end function
        function cublasSetEmulationStrategy(handle, emulationstrategy) bind(C, name="cublasSetEmulationStrategy") &
            result(status)
            import :: c_int, c_ptr
            type(c_ptr), value :: handle
            integer(c_int), value :: emulationstrategy
            integer(c_int) :: status
        end function
        function cublasSetMathMode(handle, mode) bind(C, name="cublasSetMathMode") result(status)
            import :: c_int, c_ptr
            type(c_ptr), value :: handle
            integer(c_int), value :: mode
            integer(c_int) :: status
        end function
        function cublasSetMatrix(rows, cols, elemsize, a, lda, b, ldb) bind(C, name="cublasSetMatrix") result(status)
            import :: c_int, c_ptr
            integer(c_int), value :: rows, cols, elemsize, lda, ldb
            type(c_ptr), value :: a, b
            integer(c_int) :: status
        end function
        function cublasSetMatrixAsync(rows, cols, elemsize, a, lda, b, ldb, stream) bind(C, name="cublasSetMatrixAsync") &
            result(status)
            import :: c_int, c_ptr
            integer(c_int), value :: rows, cols, elemsize, lda, ldb
            type(c_ptr), value :: a, b, stream
            integer(c_int) :: status
        end function
        function cublasSetMatrixAsync_64(rows, cols, elemsize, a, lda, b, ldb, stream) bind(C, &
            name="cublasSetMatrixAsync_64") result(status)
            import :: c_int, c_int64_t, c_ptr
            integer(c_int64_t), value :: rows, cols, elemsize, lda, ldb
            type(c_ptr), value :: a, b, stream
            integer(c_int) :: status
        end function
        function cublasSetMatrix_64(rows, cols, elemsize, a, lda, b, ldb) bind(C, name="cublasSetMatrix_64") result(status)
            import :: c_int, c_int64_t, c_ptr
            integer(c_int64_t), value :: rows, cols, elemsize, lda, ldb
            type(c_ptr), value :: a, b
            integer(c_int) :: status
        end function
        function cublasSetPointerMode(handle, mode) bind(C, name="cublasSetPointerMode_v2") result(status)
            import :: c_int, c_ptr
            type(c_ptr), value :: handle
            integer(c_int), value :: mode
            integer(c_int) :: status
        end function
        function cublasSetSmCountTarget(handle, smcounttarget) bind(C, name="cublasSetSmCountTarget") result(status)
            import :: c_int, c_ptr
            type(c_ptr), value :: handle
            integer(c_int), value :: smcounttarget
            integer(c_int) :: status
        end function
        function cublasSetVector(n, elemsize, x, incx, deviceptr, incy) bind(C, name="cublasSetVector") result(status)
            import :: c_int, c_ptr
            integer(c_int), value :: n, elemsize, incx, incy
            type(c_ptr), value :: x, deviceptr
            integer(c_int) :: status
        end function
        function cublasSetVectorAsync(n, elemsize, hostptr, incx, deviceptr, incy, stream) bind(C, &
            name="cublasSetVectorAsync") result(status)
            import :: c_int, c_ptr
            integer(c_int), value :: n, elemsize, incx, incy
            type(c_ptr), value :: hostptr, deviceptr, stream
            integer(c_int) :: status
        end function
        function cublasSetVectorAsync_64(n, elemsize, hostptr, incx, deviceptr, incy, stream) bind(C, &
            name="cublasSetVectorAsync_64") result(status)
            import :: c_int, c_int64_t, c_ptr
            integer(c_int64_t), value :: n, elemsize, incx, incy
            type(c_ptr), value :: hostptr, deviceptr, stream
            integer(c_int) :: status
        end function
        function cublasSetVector_64(n, elemsize, x, incx, deviceptr, incy) bind(C, name="cublasSetVector_64") result(status)
            import :: c_int, c_int64_t, c_ptr
            integer(c_int64_t), value :: n, elemsize, incx, incy
            type(c_ptr), value :: x, deviceptr
            integer(c_int) :: status
        end function
        function cublasSetWorkspace(handle, workspace, workspacesizeinbytes) bind(C, name="cublasSetWorkspace_v2") &
            result(status)
            import :: c_int, c_ptr, c_size_t
            type(c_ptr), value :: handle, workspace
            integer(c_size_t), value :: workspacesizeinbytes
            integer(c_int) :: status
        end function
        function cublasSgemmGroupedBatched(handle, transa_array, transb_array, m_array, n_array, k_array, alpha_array, &
            aarray, lda_array, barray, ldb_array, beta_array, carray, ldc_array, group_count, group_size) bind(C, &
            name="cublasSgemmGroupedBatched") result(status)
            import :: c_float, c_int, c_ptr
            type(c_ptr), value :: handle, aarray, barray, carray
            integer(c_int), intent(in) :: transa_array(*), transb_array(*), m_array(*), n_array(*), k_array(*), &
                lda_array(*), ldb_array(*), ldc_array(*), group_size(*)
            real(c_float), intent(in) :: alpha_array(*), beta_array(*)
            integer(c_int), value :: group_count
            integer(c_int) :: status
        end function
        function cublasSgemmGroupedBatched_64(handle, transa_array, transb_array, m_array, n_array, k_array, alpha_array, &
            aarray, lda_array, barray, ldb_array, beta_array, carray, ldc_array, group_count, group_size) bind(C, &
            name="cublasSgemmGroupedBatched_64") result(status)
            import :: c_float, c_int, c_int64_t, c_ptr
            type(c_ptr), value :: handle, aarray, barray, carray
            integer(c_int), intent(in) :: transa_array(*), transb_array(*)
            integer(c_int64_t), intent(in) :: m_array(*), n_array(*), k_array(*), lda_array(*), ldb_array(*), ldc_array(*), &
                group_size(*)
            real(c_float), intent(in) :: alpha_array(*), beta_array(*)
            integer(c_int64_t), value :: group_count
            integer(c_int) :: status
        end function
        function cusolverDnCreate(handle) bind(C, name="cusolverDnCreate") result(status)
            import :: c_int, c_ptr
            type(c_ptr), intent(out) :: handle
            integer(c_int) :: status
        end function
        function cusolverDnCreateParams(params) bind(C, name="cusolverDnCreateParams") result(status)
            import :: c_int, c_ptr
            type(c_ptr), intent(out) :: params
            integer(c_int) :: status
        end function
        function cusolverDnDestroy(handle) bind(C, name="cusolverDnDestroy") result(status)
            import :: c_int, c_ptr
            type(c_ptr), value :: handle
            integer(c_int) :: status
        end function
        function cusolverDnDestroyParams(params) bind(C, name="cusolverDnDestroyParams") result(status)
            import :: c_int, c_ptr
            type(c_ptr), value :: params
            integer(c_int) :: status
        end function
        function cusolverDnGetStream(handle, streamid) bind(C, name="cusolverDnGetStream") result(status)
            import :: c_int, c_ptr
            type(c_ptr), value :: handle
            type(c_ptr), intent(out) :: streamid
            integer(c_int) :: status
        end function
        function cusolverDnSetStream(handle, streamid) bind(C, name="cusolverDnSetStream") result(status)
            import :: c_int, c_ptr
            type(c_ptr), value :: handle, streamid
            integer(c_int) :: status
        end function
        function cusolverDnXgeqrf(handle, params, m, n, datatypea, a, lda, datatypetau, tau, computetype, bufferondevice, &
            workspaceinbytesondevice, bufferonhost, workspaceinbytesonhost, info) bind(C, name="cusolverDnXgeqrf") &
            result(status)
            import :: c_int, c_int64_t, c_ptr, c_size_t
            type(c_ptr), value :: handle, params, a, tau, bufferondevice, bufferonhost, info
            integer(c_int64_t), value :: m, n, lda
            integer(c_int), value :: datatypea, datatypetau, computetype
            integer(c_size_t), value :: workspaceinbytesondevice, workspaceinbytesonhost
            integer(c_int) :: status
        end function
        function cusolverDnXgeqrf_bufferSize(handle, params, m, n, datatypea, a, lda, datatypetau, tau, computetype, &
            workspaceinbytesondevice, workspaceinbytesonhost) bind(C, name="cusolverDnXgeqrf_bufferSize") result(status)
            import :: c_int, c_int64_t, c_ptr, c_size_t
            type(c_ptr), value :: handle, params, a, tau
            integer(c_int64_t), value :: m, n, lda
            integer(c_int), value :: datatypea, datatypetau, computetype
            integer(c_size_t), intent(out) :: workspaceinbytesondevice, workspaceinbytesonhost
            integer(c_int) :: status
        end function
        function cusolverDnXgetrf(handle, params, m, n, datatypea, a, lda, ipiv, computetype, bufferondevice, &
            workspaceinbytesondevice, bufferonhost, workspaceinbytesonhost, info) bind(C, name="cusolverDnXgetrf") &
            result(status)
            import :: c_int, c_int64_t, c_ptr, c_size_t
            type(c_ptr), value :: handle, params, a, ipiv, bufferondevice, bufferonhost, info
            integer(c_int64_t), value :: m, n, lda
            integer(c_int), value :: datatypea, computetype
            integer(c_size_t), value :: workspaceinbytesondevice, workspaceinbytesonhost
            integer(c_int) :: status
        end function
        function cusolverDnXgetrf_bufferSize(handle, params, m, n, datatypea, a, lda, computetype, workspaceinbytesondevice, &
            workspaceinbytesonhost) bind(C, name="cusolverDnXgetrf_bufferSize") result(status)
            import :: c_int, c_int64_t, c_ptr, c_size_t
            type(c_ptr), value :: handle, params, a
            integer(c_int64_t), value :: m, n, lda
            integer(c_int), value :: datatypea, computetype
            integer(c_size_t), intent(out) :: workspaceinbytesondevice, workspaceinbytesonhost
            integer(c_int) :: status
        end function
        function cusolverDnXgetrs(handle, params, trans, n, nrhs, datatypea, a, lda, ipiv, datatypeb, b, ldb, info) bind(C, &
            name="cusolverDnXgetrs") result(status)
            import :: c_int, c_int64_t, c_ptr
            type(c_ptr), value :: handle, params, a, ipiv, b, info
            integer(c_int), value :: trans, datatypea, datatypeb
            integer(c_int64_t), value :: n, nrhs, lda, ldb
            integer(c_int) :: status
        end function
        function cusolverDnXpotrf(handle, params, uplo, n, datatypea, a, lda, computetype, bufferondevice, &
            workspaceinbytesondevice, bufferonhost, workspaceinbytesonhost, info) bind(C, name="cusolverDnXpotrf") &
            result(status)
            import :: c_int, c_int64_t, c_ptr, c_size_t
            type(c_ptr), value :: handle, params, a, bufferondevice, bufferonhost, info
            integer(c_int), value :: uplo, datatypea, computetype
            integer(c_int64_t), value :: n, lda
            integer(c_size_t), value :: workspaceinbytesondevice, workspaceinbytesonhost
            integer(c_int) :: status
        end function
        function cusolverDnXpotrf_bufferSize(handle, params, uplo, n, datatypea, a, lda, computetype, &
            workspaceinbytesondevice, workspaceinbytesonhost) bind(C, name="cusolverDnXpotrf_bufferSize") result(status)
            import :: c_int, c_int64_t, c_ptr, c_size_t
            type(c_ptr), value :: handle, params, a
            integer(c_int), value :: uplo, datatypea, computetype
            integer(c_int64_t), value :: n, lda
            integer(c_size_t), intent(out) :: workspaceinbytesondevice, workspaceinbytesonhost
            integer(c_int) :: status
        end function
        function cusolverDnXpotrs(handle, params, uplo, n, nrhs, datatypea, a, lda, datatypeb, b, ldb, info) bind(C, &
            name="cusolverDnXpotrs") result(status)
            import :: c_int, c_int64_t, c_ptr
            type(c_ptr), value :: handle, params, a, b, info
            integer(c_int), value :: uplo, datatypea, datatypeb
            integer(c_int64_t), value :: n, nrhs, lda, ldb
            integer(c_int) :: status
        end function
        function cusolverGetProperty(type, value) bind(C, name="cusolverGetProperty") result(status)
            import :: c_int
            integer(c_int), value :: type
            integer(c_int), intent(out) :: value
            integer(c_int) :: status
        end function
        function cusolverGetVersion(version) bind(C, name="cusolverGetVersion") result(status)
            import :: c_int
            integer(c_int), intent(out) :: version
            integer(c_int) :: status
        end function
        subroutine blas_cgemm_batched(transa, transb, m, n, k, alpha, ha_array, lda, hb_array, ldb, beta, hc_array, ldc, &
            batchcount) bind(C)
            import :: c_float_complex, c_int, c_ptr
            integer(c_int), value :: transa, transb, m, n, k, lda, ldb, ldc, batchcount
            complex(c_float_complex), value :: alpha, beta
            type(c_ptr), value :: ha_array, hb_array, hc_array
        end subroutine
        subroutine blas_cher2k_batched(uplo, trans, n, k, alpha, ha_array, lda, hb_array, ldb, beta, hc_array, ldc, &
            batchcount) bind(C)
            import :: c_float, c_float_complex, c_int, c_ptr
            integer(c_int), value :: uplo, trans, n, k, lda, ldb, ldc, batchcount
            complex(c_float_complex), value :: alpha
            type(c_ptr), value :: ha_array, hb_array, hc_array
            real(c_float), value :: beta
        end subroutine
        subroutine blas_cherk_batched(uplo, trans, n, k, alpha, ha_array, lda, beta, hc_array, ldc, batchcount) bind(C)
            import :: c_float, c_int, c_ptr
            integer(c_int), value :: uplo, trans, n, k, lda, ldc, batchcount
            real(c_float), value :: alpha, beta
            type(c_ptr), value :: ha_array, hc_array
        end subroutine
        subroutine blas_ctrmm_batched(side, uplo, transa, diag, m, n, alpha, ha_array, lda, hb_array, ldb, batchcount) &
            bind(C)
            import :: c_float_complex, c_int, c_ptr
            integer(c_int), value :: side, uplo, transa, diag, m, n, lda, ldb, batchcount
            complex(c_float_complex), value :: alpha
            type(c_ptr), value :: ha_array, hb_array
        end subroutine
        subroutine blas_ctrsm_batched(side, uplo, transa, diag, m, n, alpha, ha_array, lda, hb_array, ldb, batchcount) &
            bind(C)
            import :: c_float_complex, c_int, c_ptr
            integer(c_int), value :: side, uplo, transa, diag, m, n, lda, ldb, batchcount
            complex(c_float_complex), value :: alpha
            type(c_ptr), value :: ha_array, hb_array
        end subroutine
        subroutine blas_dgemm_batched(transa, transb, m, n, k, alpha, ha_array, lda, hb_array, ldb, beta, hc_array, ldc, &
            batchcount) bind(C)
            import :: c_double, c_int, c_ptr
            integer(c_int), value :: transa, transb, m, n, k, lda, ldb, ldc, batchcount
            real(c_double), value :: alpha, beta
            type(c_ptr), value :: ha_array, hb_array, hc_array
        end subroutine
        subroutine blas_dsyr2k_batched(uplo, trans, n, k, alpha, ha_array, lda, hb_array, ldb, beta, hc_array, ldc, &
            batchcount) bind(C)
            import :: c_double, c_int, c_ptr
            integer(c_int), value :: uplo, trans, n, k, lda, ldb, ldc, batchcount
            real(c_double), value :: alpha, beta
            type(c_ptr), value :: ha_array, hb_array, hc_array
        end subroutine
        subroutine blas_dsyrk_batched(uplo, trans, n, k, alpha, ha_array, lda, beta, hc_array, ldc, batchcount) bind(C)
            import :: c_double, c_int, c_ptr
            integer(c_int), value :: uplo, trans, n, k, lda, ldc, batchcount
            real(c_double), value :: alpha, beta
            type(c_ptr), value :: ha_array, hc_array
        end subroutine
        subroutine blas_dtrmm_batched(side, uplo, transa, diag, m, n, alpha, ha_array, lda, hb_array, ldb, batchcount) &
            bind(C)
            import :: c_double, c_int, c_ptr
            integer(c_int), value :: side, uplo, transa, diag, m, n, lda, ldb, batchcount
            real(c_double), value :: alpha
            type(c_ptr), value :: ha_array, hb_array
        end subroutine
        subroutine blas_dtrsm_batched(side, uplo, transa, diag, m, n, alpha, ha_array, lda, hb_array, ldb, batchcount) &
            bind(C)
            import :: c_double, c_int, c_ptr
            integer(c_int), value :: side, uplo, transa, diag, m, n, lda, ldb, batchcount
            real(c_double), value :: alpha
            type(c_ptr), value :: ha_array, hb_array
        end subroutine
        subroutine blas_sgemm_batched(transa, transb, m, n, k, alpha, ha_array, lda, hb_array, ldb, beta, hc_array, ldc, &
            batchcount) bind(C)
            import :: c_float, c_int, c_ptr
            integer(c_int), value :: transa, transb, m, n, k, lda, ldb, ldc, batchcount
            real(c_float), value :: alpha, beta
            type(c_ptr), value :: ha_array, hb_array, hc_array
        end subroutine
        subroutine blas_ssyr2k_batched(uplo, trans, n, k, alpha, ha_array, lda, hb_array, ldb, beta, hc_array, ldc, &
            batchcount) bind(C)
            import :: c_float, c_int, c_ptr
            integer(c_int), value :: uplo, trans, n, k, lda, ldb, ldc, batchcount
            real(c_float), value :: alpha, beta
            type(c_ptr), value :: ha_array, hb_array, hc_array
        end subroutine
        subroutine blas_ssyrk_batched(uplo, trans, n, k, alpha, ha_array, lda, beta, hc_array, ldc, batchcount) bind(C)
            import :: c_float, c_int, c_ptr
            integer(c_int), value :: uplo, trans, n, k, lda, ldc, batchcount
            real(c_float), value :: alpha, beta
            type(c_ptr), value :: ha_array, hc_array
        end subroutine
        subroutine blas_strmm_batched(side, uplo, transa, diag, m, n, alpha, ha_array, lda, hb_array, ldb, batchcount) &
            bind(C)
            import :: c_float, c_int, c_ptr
            integer(c_int), value :: side, uplo, transa, diag, m, n, lda, ldb, batchcount
            real(c_float), value :: alpha
            type(c_ptr), value :: ha_array, hb_array
        end subroutine
        subroutine blas_strsm_batched(side, uplo, transa, diag, m, n, alpha, ha_array, lda, hb_array, ldb, batchcount) &
            bind(C)
            import :: c_float, c_int, c_ptr
            integer(c_int), value :: side, uplo, transa, diag, m, n, lda, ldb, batchcount
            real(c_float), value :: alpha
            type(c_ptr), value :: ha_array, hb_array
        end subroutine
        subroutine blas_zgemm_batched(transa, transb, m, n, k, alpha, ha_array, lda, hb_array, ldb, beta, hc_array, ldc, &
            batchcount) bind(C)
            import :: c_double_complex, c_int, c_ptr
            integer(c_int), value :: transa, transb, m, n, k, lda, ldb, ldc, batchcount
            complex(c_double_complex), value :: alpha, beta
            type(c_ptr), value :: ha_array, hb_array, hc_array
        end subroutine
        subroutine blas_zher2k_batched(uplo, trans, n, k, alpha, ha_array, lda, hb_array, ldb, beta, hc_array, ldc, &
            batchcount) bind(C)
            import :: c_double, c_double_complex, c_int, c_ptr
            integer(c_int), value :: uplo, trans, n, k, lda, ldb, ldc, batchcount
            complex(c_double_complex), value :: alpha
            type(c_ptr), value :: ha_array, hb_array, hc_array
            real(c_double), value :: beta
        end subroutine
        subroutine blas_zherk_batched(uplo, trans, n, k, alpha, ha_array, lda, beta, hc_array, ldc, batchcount) bind(C)
            import :: c_double, c_int, c_ptr
            integer(c_int), value :: uplo, trans, n, k, lda, ldc, batchcount
            real(c_double), value :: alpha, beta
            type(c_ptr), value :: ha_array, hc_array
        end subroutine
        subroutine blas_ztrmm_batched(side, uplo, transa, diag, m, n, alpha, ha_array, lda, hb_array, ldb, batchcount) &
            bind(C)
            import :: c_double_complex, c_int, c_ptr
            integer(c_int), value :: side, uplo, transa, diag, m, n, lda, ldb, batchcount
            complex(c_double_complex), value :: alpha
            type(c_ptr), value :: ha_array, hb_array
        end subroutine
        subroutine blas_ztrsm_batched(side, uplo, transa, diag, m, n, alpha, ha_array, lda, hb_array, ldb, batchcount) &
            bind(C)
            import :: c_double_complex, c_int, c_ptr
            integer(c_int), value :: side, uplo, transa, diag, m, n, lda, ldb, batchcount
            complex(c_double_complex), value :: alpha
            type(c_ptr), value :: ha_array, hb_array
        end subroutine
        subroutine magma_cgemm_batched(transa, transb, m, n, k, alpha, da_array, ldda, db_array, lddb, beta, dc_array, lddc, &
            batchcount, queue) bind(C)
            import :: c_float_complex, c_int, c_ptr
            integer(c_int), value :: transa, transb, m, n, k, ldda, lddb, lddc, batchcount
            complex(c_float_complex), value :: alpha, beta
            type(c_ptr), value :: da_array, db_array, dc_array, queue
        end subroutine
        subroutine magma_cgemm_batched_core(transa, transb, m, n, k, alpha, da_array, ai, aj, ldda, db_array, bi, bj, lddb, &
            beta, dc_array, ci, cj, lddc, batchcount, queue) bind(C)
            import :: c_float_complex, c_int, c_ptr
            integer(c_int), value :: transa, transb, m, n, k, ai, aj, ldda, bi, bj, lddb, ci, cj, lddc, batchcount
            complex(c_float_complex), value :: alpha, beta
            type(c_ptr), value :: da_array, db_array, dc_array, queue
        end subroutine
        subroutine magma_cherk_batched(uplo, trans, n, k, alpha, da_array, ldda, beta, dc_array, lddc, batchcount, queue) &
            bind(C)
            import :: c_float, c_int, c_ptr
            integer(c_int), value :: uplo, trans, n, k, ldda, lddc, batchcount
            real(c_float), value :: alpha, beta
            type(c_ptr), value :: da_array, dc_array, queue
        end subroutine
        subroutine magma_copymatrix_async_internal(m, n, elemsize, da_src, ldda, db_dst, lddb, queue, func, file, line) &
            bind(C)
            import :: c_char, c_int, c_ptr
            integer(c_int), value :: m, n, elemsize, ldda, lddb, line
            type(c_ptr), value :: da_src, db_dst, queue
            character(kind=c_char), intent(in) :: func(*), file(*)
        end subroutine
        subroutine magma_copymatrix_internal(m, n, elemsize, da_src, ldda, db_dst, lddb, queue, func, file, line) bind(C)
            import :: c_char, c_int, c_ptr
            integer(c_int), value :: m, n, elemsize, ldda, lddb, line
            type(c_ptr), value :: da_src, db_dst, queue
            character(kind=c_char), intent(in) :: func(*), file(*)
        end subroutine
        subroutine magma_copyvector_async_internal(n, elemsize, dx_src, incx, dy_dst, incy, queue, func, file, line) bind(C)
            import :: c_char, c_int, c_ptr
            integer(c_int), value :: n, elemsize, incx, incy, line
            type(c_ptr), value :: dx_src, dy_dst, queue
            character(kind=c_char), intent(in) :: func(*), file(*)
        end subroutine
        subroutine magma_copyvector_internal(n, elemsize, dx_src, incx, dy_dst, incy, queue, func, file, line) bind(C)
            import :: c_char, c_int, c_ptr
            integer(c_int), value :: n, elemsize, incx, incy, line
            type(c_ptr), value :: dx_src, dy_dst, queue
            character(kind=c_char), intent(in) :: func(*), file(*)
        end subroutine
        subroutine magma_dgemm_batched(transa, transb, m, n, k, alpha, da_array, ldda, db_array, lddb, beta, dc_array, lddc, &
            batchcount, queue) bind(C)
            import :: c_double, c_int, c_ptr
            integer(c_int), value :: transa, transb, m, n, k, ldda, lddb, lddc, batchcount
            real(c_double), value :: alpha, beta
            type(c_ptr), value :: da_array, db_array, dc_array, queue
        end subroutine
        subroutine magma_dgemm_batched_core(transa, transb, m, n, k, alpha, da_array, ai, aj, ldda, db_array, bi, bj, lddb, &
            beta, dc_array, ci, cj, lddc, batchcount, queue) bind(C)
            import :: c_double, c_int, c_ptr
            integer(c_int), value :: transa, transb, m, n, k, ai, aj, ldda, bi, bj, lddb, ci, cj, lddc, batchcount
            real(c_double), value :: alpha, beta
            type(c_ptr), value :: da_array, db_array, dc_array, queue
        end subroutine
        subroutine magma_dsyrk_batched(uplo, trans, n, k, alpha, da_array, ldda, beta, dc_array, lddc, batchcount, queue) &
            bind(C)
            import :: c_double, c_int, c_ptr
            integer(c_int), value :: uplo, trans, n, k, ldda, lddc, batchcount
            real(c_double), value :: alpha, beta
            type(c_ptr), value :: da_array, dc_array, queue
        end subroutine
        subroutine magma_getmatrix_async_internal(m, n, elemsize, da_src, ldda, hb_dst, ldb, queue, func, file, line) &
            bind(C)
            import :: c_char, c_int, c_ptr
            integer(c_int), value :: m, n, elemsize, ldda, ldb, line
            type(c_ptr), value :: da_src, hb_dst, queue
            character(kind=c_char), intent(in) :: func(*), file(*)
        end subroutine
        subroutine magma_getvector_async_internal(n, elemsize, dx_src, incx, hy_dst, incy, queue, func, file, line) bind(C)
            import :: c_char, c_int, c_ptr
            integer(c_int), value :: n, elemsize, incx, incy, line
            type(c_ptr), value :: dx_src, hy_dst, queue
            character(kind=c_char), intent(in) :: func(*), file(*)
        end subroutine
        subroutine magma_getvector_internal(n, elemsize, dx_src, incx, hy_dst, incy, queue, func, file, line) bind(C)
            import :: c_char, c_int, c_ptr
            integer(c_int), value :: n, elemsize, incx, incy, line
            type(c_ptr), value :: dx_src, hy_dst, queue
            character(kind=c_char), intent(in) :: func(*), file(*)
        end subroutine
        subroutine magma_iprint(m, n, a, lda) bind(C)
            import :: c_int, c_ptr
            integer(c_int), value :: m, n, lda
            type(c_ptr), value :: a
        end subroutine
        subroutine magma_iprint_gpu(m, n, da, ldda, queue) bind(C)
            import :: c_int, c_ptr
            integer(c_int), value :: m, n, ldda
            type(c_ptr), value :: da, queue
        end subroutine
        subroutine magma_iset_pointer(output_array, input, lda, row, column, batchsize, batchcount, queue) bind(C)
            import :: c_int, c_ptr
            type(c_ptr), value :: output_array, input, queue
            integer(c_int), value :: lda, row, column, batchsize, batchcount
        end subroutine
        subroutine magma_queue_create_from_cuda_internal(device, stream, cublas, cusparse, queue_ptr, func, file, line) &
            bind(C)
            import :: c_char, c_int, c_ptr
            integer(c_int), value :: device, line
            type(c_ptr), value :: stream, cublas, cusparse
            type(c_ptr), intent(out) :: queue_ptr
            character(kind=c_char), intent(in) :: func(*), file(*)
        end subroutine
        function magma_queue_get_cublas_handle(queue) bind(C) result(handle)
            import :: c_ptr
            type(c_ptr), value :: queue
            type(c_ptr) :: handle
        end function
        function magma_queue_get_cuda_stream(queue) bind(C) result(stream)
            import :: c_ptr
            type(c_ptr), value :: queue
            type(c_ptr) :: stream
        end function
        function magma_queue_get_cusparse_handle(queue) bind(C) result(handle)
            import :: c_ptr
            type(c_ptr), value :: queue
            type(c_ptr) :: handle
        end function
        function magma_queue_get_device(queue) bind(C) result(code)
            import :: c_int, c_ptr
            type(c_ptr), value :: queue
            integer(c_int) :: code
        end function
        subroutine magma_setmatrix_async_internal(m, n, elemsize, ha_src, lda, db_dst, lddb, queue, func, file, line) &
            bind(C)
            import :: c_char, c_int, c_ptr
            integer(c_int), value :: m, n, elemsize, lda, lddb, line
            type(c_ptr), value :: ha_src, db_dst, queue
            character(kind=c_char), intent(in) :: func(*), file(*)
        end subroutine
        subroutine magma_setvector_async_internal(n, elemsize, hx_src, incx, dy_dst, incy, queue, func, file, line) bind(C)
            import :: c_char, c_int, c_ptr
            integer(c_int), value :: n, elemsize, incx, incy, line
            type(c_ptr), value :: hx_src, dy_dst, queue
            character(kind=c_char), intent(in) :: func(*), file(*)
        end subroutine
        subroutine magma_setvector_internal(n, elemsize, hx_src, incx, dy_dst, incy, queue, func, file, line) bind(C)
            import :: c_char, c_int, c_ptr
            integer(c_int), value :: n, elemsize, incx, incy, line
            type(c_ptr), value :: hx_src, dy_dst, queue
            character(kind=c_char), intent(in) :: func(*), file(*)
        end subroutine
        subroutine magma_sgemm_batched(transa, transb, m, n, k, alpha, da_array, ldda, db_array, lddb, beta, dc_array, lddc, &
            batchcount, queue) bind(C)
            import :: c_float, c_int, c_ptr
            integer(c_int), value :: transa, transb, m, n, k, ldda, lddb, lddc, batchcount
            real(c_float), value :: alpha, beta
            type(c_ptr), value :: da_array, db_array, dc_array, queue
        end subroutine
        subroutine magma_sgemm_batched_core(transa, transb, m, n, k, alpha, da_array, ai, aj, ldda, db_array, bi, bj, lddb, &
            beta, dc_array, ci, cj, lddc, batchcount, queue) bind(C)
            import :: c_float, c_int, c_ptr
            integer(c_int), value :: transa, transb, m, n, k, ai, aj, ldda, bi, bj, lddb, ci, cj, lddc, batchcount
            real(c_float), value :: alpha, beta
            type(c_ptr), value :: da_array, db_array, dc_array, queue
        end subroutine
        subroutine magma_ssyrk_batched(uplo, trans, n, k, alpha, da_array, ldda, beta, dc_array, lddc, batchcount, queue) &
            bind(C)
            import :: c_float, c_int, c_ptr
            integer(c_int), value :: uplo, trans, n, k, ldda, lddc, batchcount
            real(c_float), value :: alpha, beta
            type(c_ptr), value :: da_array, dc_array, queue
        end subroutine
        subroutine magma_zgemm_batched(transa, transb, m, n, k, alpha, da_array, ldda, db_array, lddb, beta, dc_array, lddc, &
            batchcount, queue) bind(C)
            import :: c_double_complex, c_int, c_ptr
            integer(c_int), value :: transa, transb, m, n, k, ldda, lddb, lddc, batchcount
            complex(c_double_complex), value :: alpha, beta
            type(c_ptr), value :: da_array, db_array, dc_array, queue
        end subroutine
        subroutine magma_zgemm_batched_core(transa, transb, m, n, k, alpha, da_array, ai, aj, ldda, db_array, bi, bj, lddb, &
            beta, dc_array, ci, cj, lddc, batchcount, queue) bind(C)
            import :: c_double_complex, c_int, c_ptr
            integer(c_int), value :: transa, transb, m, n, k, ai, aj, ldda, bi, bj, lddb, ci, cj, lddc, batchcount
            complex(c_double_complex), value :: alpha, beta
            type(c_ptr), value :: da_array, db_array, dc_array, queue
        end subroutine
        subroutine magma_zherk_batched(uplo, trans, n, k, alpha, da_array, ldda, beta, dc_array, lddc, batchcount, queue) &
            bind(C)
            import :: c_double, c_int, c_ptr
            integer(c_int), value :: uplo, trans, n, k, ldda, lddc, batchcount
            real(c_double), value :: alpha, beta
            type(c_ptr), value :: da_array, dc_array, queue
        end subroutine
        subroutine magmablas_cgemm_batched(transa, transb, m, n, k, alpha, da_array, ldda, db_array, lddb, beta, dc_array, &
            lddc, batchcount, queue) bind(C)
            import :: c_float_complex, c_int, c_ptr
            integer(c_int), value :: transa, transb, m, n, k, ldda, lddb, lddc, batchcount
            complex(c_float_complex), value :: alpha, beta
            type(c_ptr), value :: da_array, db_array, dc_array, queue
        end subroutine
        subroutine magmablas_cgemm_batched_core(transa, transb, m, n, k, alpha, da_array, ai, aj, ldda, db_array, bi, bj, &
            lddb, beta, dc_array, ci, cj, lddc, batchcount, queue) bind(C)
            import :: c_float_complex, c_int, c_ptr
            integer(c_int), value :: transa, transb, m, n, k, ai, aj, ldda, bi, bj, lddb, ci, cj, lddc, batchcount
            complex(c_float_complex), value :: alpha, beta
            type(c_ptr), value :: da_array, db_array, dc_array, queue
        end subroutine
        subroutine magmablas_cgemm_batched_smallsq(transa, transb, m, n, k, alpha, da_array, ai, aj, ldda, db_array, bi, bj, &
            lddb, beta, dc_array, ci, cj, lddc, batchcount, queue) bind(C)
            import :: c_float_complex, c_int, c_ptr
            integer(c_int), value :: transa, transb, m, n, k, ai, aj, ldda, bi, bj, lddb, ci, cj, lddc, batchcount
            complex(c_float_complex), value :: alpha, beta
            type(c_ptr), value :: da_array, db_array, dc_array, queue
        end subroutine
        subroutine magmablas_cgemm_batched_strided(transa, transb, m, n, k, alpha, da, ldda, stridea, db, lddb, strideb, &
            beta, dc, lddc, stridec, batchcount, queue) bind(C)
            import :: c_float_complex, c_int, c_ptr
            integer(c_int), value :: transa, transb, m, n, k, ldda, stridea, lddb, strideb, lddc, stridec, batchcount
            complex(c_float_complex), value :: alpha, beta
            type(c_ptr), value :: da, db, dc, queue
        end subroutine
        subroutine magmablas_cgemm_vbatched(transa, transb, m, n, k, alpha, da_array, ldda, db_array, lddb, beta, dc_array, &
            lddc, batchcount, queue) bind(C)
            import :: c_float_complex, c_int, c_ptr
            integer(c_int), value :: transa, transb, batchcount
            type(c_ptr), value :: m, n, k, da_array, ldda, db_array, lddb, dc_array, lddc, queue
            complex(c_float_complex), value :: alpha, beta
        end subroutine
        subroutine magmablas_cgemm_vbatched_core(transa, transb, max_m, max_n, max_k, m, n, k, alpha, da_array, ai, aj, &
            ldda, db_array, bi, bj, lddb, beta, dc_array, ci, cj, lddc, batchcount, queue) bind(C)
            import :: c_float_complex, c_int, c_ptr
            integer(c_int), value :: transa, transb, max_m, max_n, max_k, ai, aj, bi, bj, ci, cj, batchcount
            type(c_ptr), value :: m, n, k, da_array, ldda, db_array, lddb, dc_array, lddc, queue
            complex(c_float_complex), value :: alpha, beta
        end subroutine
        subroutine magmablas_cgemm_vbatched_max(transa, transb, m, n, k, alpha, da_array, ldda, db_array, lddb, beta, &
            dc_array, lddc, batchcount, max_m, max_n, max_k, queue) bind(C)
            import :: c_float_complex, c_int, c_ptr
            integer(c_int), value :: transa, transb, batchcount, max_m, max_n, max_k
            type(c_ptr), value :: m, n, k, da_array, ldda, db_array, lddb, dc_array, lddc, queue
            complex(c_float_complex), value :: alpha, beta
        end subroutine
        subroutine magmablas_cgemm_vbatched_max_nocheck(transa, transb, m, n, k, alpha, da_array, ldda, db_array, lddb, &
            beta, dc_array, lddc, batchcount, max_m, max_n, max_k, queue) bind(C)
            import :: c_float_complex, c_int, c_ptr
            integer(c_int), value :: transa, transb, batchcount, max_m, max_n, max_k
            type(c_ptr), value :: m, n, k, da_array, ldda, db_array, lddb, dc_array, lddc, queue
            complex(c_float_complex), value :: alpha, beta
        end subroutine
        subroutine magmablas_cgemm_vbatched_nocheck(transa, transb, m, n, k, alpha, da_array, ldda, db_array, lddb, beta, &
            dc_array, lddc, batchcount, queue) bind(C)
            import :: c_float_complex, c_int, c_ptr
            integer(c_int), value :: transa, transb, batchcount
            type(c_ptr), value :: m, n, k, da_array, ldda, db_array, lddb, dc_array, lddc, queue
            complex(c_float_complex), value :: alpha, beta
        end subroutine
        subroutine magmablas_cgemv_batched(trans, m, n, alpha, da_array, ldda, dx_array, incx, beta, dy_array, incy, &
            batchcount, queue) bind(C)
            import :: c_float_complex, c_int, c_ptr
            integer(c_int), value :: trans, m, n, ldda, incx, incy, batchcount
            complex(c_float_complex), value :: alpha, beta
            type(c_ptr), value :: da_array, dx_array, dy_array, queue
        end subroutine
        subroutine magmablas_cgemv_batched_core(trans, m, n, alpha, da_array, ai, aj, ldda, dx_array, xi, incx, beta, &
            dy_array, yi, incy, batchcount, queue) bind(C)
            import :: c_float_complex, c_int, c_ptr
            integer(c_int), value :: trans, m, n, ai, aj, ldda, xi, incx, yi, incy, batchcount
            complex(c_float_complex), value :: alpha, beta
            type(c_ptr), value :: da_array, dx_array, dy_array, queue
        end subroutine
        subroutine magmablas_cgemv_batched_internal(trans, m, n, alpha, da_array, da, ldda, stridea, ai, aj, dx_array, dx, &
            incx, stridex, xi, beta, dy_array, dy, incy, stridey, yi, batchcount, queue) bind(C)
            import :: c_float_complex, c_int, c_ptr
            integer(c_int), value :: trans, m, n, ldda, stridea, ai, aj, incx, stridex, xi, incy, stridey, yi, batchcount
            complex(c_float_complex), value :: alpha, beta
            type(c_ptr), value :: da_array, da, dx_array, dx, dy_array, dy, queue
        end subroutine
        function magmablas_cgemv_batched_smallsq(trans, n, alpha, da_array, ai, aj, ldda, dx_array, xi, incx, beta, &
            dy_array, yi, incy, batchcount, queue) bind(C) result(code)
            import :: c_float_complex, c_int, c_ptr
            integer(c_int), value :: trans, n, ai, aj, ldda, xi, incx, yi, incy, batchcount
            complex(c_float_complex), value :: alpha, beta
            type(c_ptr), value :: da_array, dx_array, dy_array, queue
            integer(c_int) :: code
        end function
        subroutine magmablas_cgemv_batched_strided(trans, m, n, alpha, da, ldda, stridea, dx, incx, stridex, beta, dy, incy, &
            stridey, batchcount, queue) bind(C)
            import :: c_float_complex, c_int, c_ptr
            integer(c_int), value :: trans, m, n, ldda, stridea, incx, stridex, incy, stridey, batchcount
            complex(c_float_complex), value :: alpha, beta
            type(c_ptr), value :: da, dx, dy, queue
        end subroutine
        subroutine magmablas_cgemv_batched_strided_core(trans, m, n, alpha, da, ldda, ai, aj, stridea, dx, incx, xi, &
            stridex, beta, dy, incy, yi, stridey, batchcount, queue) bind(C)
            import :: c_float_complex, c_int, c_ptr
            integer(c_int), value :: trans, m, n, ldda, ai, aj, stridea, incx, xi, stridex, incy, yi, stridey, batchcount
            complex(c_float_complex), value :: alpha, beta
            type(c_ptr), value :: da, dx, dy, queue
        end subroutine
        function magmablas_cgemv_batched_strided_smallsq(transa, n, alpha, da, ai, aj, ldda, stridea, dx, xi, incx, stridex, &
            beta, dy, yi, incy, stridey, batchcount, queue) bind(C) result(code)
            import :: c_float_complex, c_int, c_ptr
            integer(c_int), value :: transa, n, ai, aj, ldda, stridea, xi, incx, stridex, yi, incy, stridey, batchcount
            complex(c_float_complex), value :: alpha, beta
            type(c_ptr), value :: da, dx, dy, queue
            integer(c_int) :: code
        end function
        subroutine magmablas_cgemv_vbatched(trans, m, n, alpha, da_array, ldda, dx_array, incx, beta, dy_array, incy, &
            batchcount, queue) bind(C)
            import :: c_float_complex, c_int, c_ptr
            integer(c_int), value :: trans, batchcount
            type(c_ptr), value :: m, n, da_array, ldda, dx_array, incx, dy_array, incy, queue
            complex(c_float_complex), value :: alpha, beta
        end subroutine
        subroutine magmablas_cgemv_vbatched_max(trans, m, n, alpha, da_array, ldda, dx_array, incx, beta, dy_array, incy, &
            batchcount, max_m, max_n, queue) bind(C)
            import :: c_float_complex, c_int, c_ptr
            integer(c_int), value :: trans, batchcount, max_m, max_n
            type(c_ptr), value :: m, n, da_array, ldda, dx_array, incx, dy_array, incy, queue
            complex(c_float_complex), value :: alpha, beta
        end subroutine
        subroutine magmablas_cgemv_vbatched_max_nocheck(trans, m, n, alpha, da_array, ldda, dx_array, incx, beta, dy_array, &
            incy, batchcount, max_m, max_n, queue) bind(C)
            import :: c_float_complex, c_int, c_ptr
            integer(c_int), value :: trans, batchcount, max_m, max_n
            type(c_ptr), value :: m, n, da_array, ldda, dx_array, incx, dy_array, incy, queue
            complex(c_float_complex), value :: alpha, beta
        end subroutine
        subroutine magmablas_cgemv_vbatched_nocheck(trans, m, n, alpha, da_array, ldda, dx_array, incx, beta, dy_array, &
            incy, batchcount, queue) bind(C)
            import :: c_float_complex, c_int, c_ptr
            integer(c_int), value :: trans, batchcount
            type(c_ptr), value :: m, n, da_array, ldda, dx_array, incx, dy_array, incy, queue
            complex(c_float_complex), value :: alpha, beta
        end subroutine
        subroutine magmablas_chemm_vbatched(side, uplo, m, n, alpha, da_array, ldda, db_array, lddb, beta, dc_array, lddc, &
            batchcount, queue) bind(C)
            import :: c_float_complex, c_int, c_ptr
            integer(c_int), value :: side, uplo, batchcount
            type(c_ptr), value :: m, n, da_array, ldda, db_array, lddb, dc_array, lddc, queue
            complex(c_float_complex), value :: alpha, beta
        end subroutine
        subroutine magmablas_chemm_vbatched_core(side, uplo, m, n, alpha, da_array, ldda, db_array, lddb, beta, dc_array, &
            lddc, max_m, max_n, roffa, coffa, roffb, coffb, roffc, coffc, specm, specn, batchcount, queue) bind(C)
            import :: c_float_complex, c_int, c_ptr
            integer(c_int), value :: side, uplo, max_m, max_n, roffa, coffa, roffb, coffb, roffc, coffc, specm, specn, &
                batchcount
            type(c_ptr), value :: m, n, da_array, ldda, db_array, lddb, dc_array, lddc, queue
            complex(c_float_complex), value :: alpha, beta
        end subroutine
        subroutine magmablas_chemm_vbatched_max(side, uplo, m, n, alpha, da_array, ldda, db_array, lddb, beta, dc_array, &
            lddc, batchcount, max_m, max_n, queue) bind(C)
            import :: c_float_complex, c_int, c_ptr
            integer(c_int), value :: side, uplo, batchcount, max_m, max_n
            type(c_ptr), value :: m, n, da_array, ldda, db_array, lddb, dc_array, lddc, queue
            complex(c_float_complex), value :: alpha, beta
        end subroutine
        subroutine magmablas_chemm_vbatched_max_nocheck(side, uplo, m, n, alpha, da_array, ldda, db_array, lddb, beta, &
            dc_array, lddc, batchcount, max_m, max_n, queue) bind(C)
            import :: c_float_complex, c_int, c_ptr
            integer(c_int), value :: side, uplo, batchcount, max_m, max_n
            type(c_ptr), value :: m, n, da_array, ldda, db_array, lddb, dc_array, lddc, queue
            complex(c_float_complex), value :: alpha, beta
        end subroutine
        subroutine magmablas_chemm_vbatched_nocheck(side, uplo, m, n, alpha, da_array, ldda, db_array, lddb, beta, dc_array, &
            lddc, batchcount, queue) bind(C)
            import :: c_float_complex, c_int, c_ptr
            integer(c_int), value :: side, uplo, batchcount
            type(c_ptr), value :: m, n, da_array, ldda, db_array, lddb, dc_array, lddc, queue
            complex(c_float_complex), value :: alpha, beta
        end subroutine
        subroutine magmablas_cher2k_vbatched(uplo, trans, n, k, alpha, da_array, ldda, db_array, lddb, beta, dc_array, lddc, &
            batchcount, queue) bind(C)
            import :: c_float, c_float_complex, c_int, c_ptr
            integer(c_int), value :: uplo, trans, batchcount
            type(c_ptr), value :: n, k, da_array, ldda, db_array, lddb, dc_array, lddc, queue
            complex(c_float_complex), value :: alpha
            real(c_float), value :: beta
        end subroutine
        subroutine magmablas_cher2k_vbatched_max(uplo, trans, n, k, alpha, da_array, ldda, db_array, lddb, beta, dc_array, &
            lddc, batchcount, max_n, max_k, queue) bind(C)
            import :: c_float, c_float_complex, c_int, c_ptr
            integer(c_int), value :: uplo, trans, batchcount, max_n, max_k
            type(c_ptr), value :: n, k, da_array, ldda, db_array, lddb, dc_array, lddc, queue
            complex(c_float_complex), value :: alpha
            real(c_float), value :: beta
        end subroutine
        subroutine magmablas_cher2k_vbatched_max_nocheck(uplo, trans, n, k, alpha, da_array, ldda, db_array, lddb, beta, &
            dc_array, lddc, batchcount, max_n, max_k, queue) bind(C)
            import :: c_float, c_float_complex, c_int, c_ptr
            integer(c_int), value :: uplo, trans, batchcount, max_n, max_k
            type(c_ptr), value :: n, k, da_array, ldda, db_array, lddb, dc_array, lddc, queue
            complex(c_float_complex), value :: alpha
            real(c_float), value :: beta
        end subroutine
        subroutine magmablas_cher2k_vbatched_nocheck(uplo, trans, n, k, alpha, da_array, ldda, db_array, lddb, beta, &
            dc_array, lddc, batchcount, queue) bind(C)
            import :: c_float, c_float_complex, c_int, c_ptr
            integer(c_int), value :: uplo, trans, batchcount
            type(c_ptr), value :: n, k, da_array, ldda, db_array, lddb, dc_array, lddc, queue
            complex(c_float_complex), value :: alpha
            real(c_float), value :: beta
        end subroutine
        subroutine magmablas_cherk_internal_vbatched(uplo, trans, n, k, alpha, da_array, ldda, db_array, lddb, beta, &
            dc_array, lddc, max_n, max_k, batchcount, queue) bind(C)
            import :: c_float_complex, c_int, c_ptr
            integer(c_int), value :: uplo, trans, max_n, max_k, batchcount
            type(c_ptr), value :: n, k, da_array, ldda, db_array, lddb, dc_array, lddc, queue
            complex(c_float_complex), value :: alpha, beta
        end subroutine
        subroutine magmablas_cherk_vbatched(uplo, trans, n, k, alpha, da_array, ldda, beta, dc_array, lddc, batchcount, &
            queue) bind(C)
            import :: c_float, c_int, c_ptr
            integer(c_int), value :: uplo, trans, batchcount
            type(c_ptr), value :: n, k, da_array, ldda, dc_array, lddc, queue
            real(c_float), value :: alpha, beta
        end subroutine
        subroutine magmablas_cherk_vbatched_max(uplo, trans, n, k, alpha, da_array, ldda, beta, dc_array, lddc, batchcount, &
            max_n, max_k, queue) bind(C)
            import :: c_float, c_int, c_ptr
            integer(c_int), value :: uplo, trans, batchcount, max_n, max_k
            type(c_ptr), value :: n, k, da_array, ldda, dc_array, lddc, queue
            real(c_float), value :: alpha, beta
        end subroutine
        subroutine magmablas_cherk_vbatched_max_nocheck(uplo, trans, n, k, alpha, da_array, ldda, beta, dc_array, lddc, &
            batchcount, max_n, max_k, queue) bind(C)
            import :: c_float, c_int, c_ptr
            integer(c_int), value :: uplo, trans, batchcount, max_n, max_k
            type(c_ptr), value :: n, k, da_array, ldda, dc_array, lddc, queue
            real(c_float), value :: alpha, beta
        end subroutine
        subroutine magmablas_cherk_vbatched_nocheck(uplo, trans, n, k, alpha, da_array, ldda, beta, dc_array, lddc, &
            batchcount, queue) bind(C)
            import :: c_float, c_int, c_ptr
            integer(c_int), value :: uplo, trans, batchcount
            type(c_ptr), value :: n, k, da_array, ldda, dc_array, lddc, queue
            real(c_float), value :: alpha, beta
        end subroutine
        subroutine magmablas_claset_vbatched(uplo, max_m, max_n, m, n, offdiag, diag, daarray, ldda, batchcount, queue) &
            bind(C)
            import :: c_float_complex, c_int, c_ptr
            integer(c_int), value :: uplo, max_m, max_n, batchcount
            type(c_ptr), value :: m, n, daarray, ldda, queue
            complex(c_float_complex), value :: offdiag, diag
        end subroutine
        subroutine magmablas_csyr2k_vbatched(uplo, trans, n, k, alpha, da_array, ldda, db_array, lddb, beta, dc_array, lddc, &
            batchcount, queue) bind(C)
            import :: c_float_complex, c_int, c_ptr
            integer(c_int), value :: uplo, trans, batchcount
            type(c_ptr), value :: n, k, da_array, ldda, db_array, lddb, dc_array, lddc, queue
            complex(c_float_complex), value :: alpha, beta
        end subroutine
        subroutine magmablas_csyr2k_vbatched_max(uplo, trans, n, k, alpha, da_array, ldda, db_array, lddb, beta, dc_array, &
            lddc, batchcount, max_n, max_k, queue) bind(C)
            import :: c_float_complex, c_int, c_ptr
            integer(c_int), value :: uplo, trans, batchcount, max_n, max_k
            type(c_ptr), value :: n, k, da_array, ldda, db_array, lddb, dc_array, lddc, queue
            complex(c_float_complex), value :: alpha, beta
        end subroutine
        subroutine magmablas_csyr2k_vbatched_max_nocheck(uplo, trans, n, k, alpha, da_array, ldda, db_array, lddb, beta, &
            dc_array, lddc, batchcount, max_n, max_k, queue) bind(C)
            import :: c_float_complex, c_int, c_ptr
            integer(c_int), value :: uplo, trans, batchcount, max_n, max_k
            type(c_ptr), value :: n, k, da_array, ldda, db_array, lddb, dc_array, lddc, queue
            complex(c_float_complex), value :: alpha, beta
        end subroutine
        subroutine magmablas_csyr2k_vbatched_nocheck(uplo, trans, n, k, alpha, da_array, ldda, db_array, lddb, beta, &
            dc_array, lddc, batchcount, queue) bind(C)
            import :: c_float_complex, c_int, c_ptr
            integer(c_int), value :: uplo, trans, batchcount
            type(c_ptr), value :: n, k, da_array, ldda, db_array, lddb, dc_array, lddc, queue
            complex(c_float_complex), value :: alpha, beta
        end subroutine
        subroutine magmablas_csyrk_internal_vbatched(uplo, trans, n, k, alpha, da_array, ldda, db_array, lddb, beta, &
            dc_array, lddc, max_n, max_k, batchcount, queue) bind(C)
            import :: c_float_complex, c_int, c_ptr
            integer(c_int), value :: uplo, trans, max_n, max_k, batchcount
            type(c_ptr), value :: n, k, da_array, ldda, db_array, lddb, dc_array, lddc, queue
            complex(c_float_complex), value :: alpha, beta
        end subroutine
        subroutine magmablas_csyrk_vbatched(uplo, trans, n, k, alpha, da_array, ldda, beta, dc_array, lddc, batchcount, &
            queue) bind(C)
            import :: c_float_complex, c_int, c_ptr
            integer(c_int), value :: uplo, trans, batchcount
            type(c_ptr), value :: n, k, da_array, ldda, dc_array, lddc, queue
            complex(c_float_complex), value :: alpha, beta
        end subroutine
        subroutine magmablas_csyrk_vbatched_max(uplo, trans, n, k, alpha, da_array, ldda, beta, dc_array, lddc, batchcount, &
            max_n, max_k, queue) bind(C)
            import :: c_float_complex, c_int, c_ptr
            integer(c_int), value :: uplo, trans, batchcount, max_n, max_k
            type(c_ptr), value :: n, k, da_array, ldda, dc_array, lddc, queue
            complex(c_float_complex), value :: alpha, beta
        end subroutine
        subroutine magmablas_csyrk_vbatched_max_nocheck(uplo, trans, n, k, alpha, da_array, ldda, beta, dc_array, lddc, &
            batchcount, max_n, max_k, queue) bind(C)
            import :: c_float_complex, c_int, c_ptr
            integer(c_int), value :: uplo, trans, batchcount, max_n, max_k
            type(c_ptr), value :: n, k, da_array, ldda, dc_array, lddc, queue
            complex(c_float_complex), value :: alpha, beta
        end subroutine
        subroutine magmablas_csyrk_vbatched_nocheck(uplo, trans, n, k, alpha, da_array, ldda, beta, dc_array, lddc, &
            batchcount, queue) bind(C)
            import :: c_float_complex, c_int, c_ptr
            integer(c_int), value :: uplo, trans, batchcount
            type(c_ptr), value :: n, k, da_array, ldda, dc_array, lddc, queue
            complex(c_float_complex), value :: alpha, beta
        end subroutine
        subroutine magmablas_ctrmm_vbatched(side, uplo, transa, diag, m, n, alpha, da_array, ldda, db_array, lddb, &
            batchcount, queue) bind(C)
            import :: c_float_complex, c_int, c_ptr
            integer(c_int), value :: side, uplo, transa, diag, batchcount
            type(c_ptr), value :: m, n, da_array, ldda, db_array, lddb, queue
            complex(c_float_complex), value :: alpha
        end subroutine
        subroutine magmablas_ctrmm_vbatched_core(side, uplo, transa, diag, max_m, max_n, m, n, alpha, da_array, ai, aj, &
            ldda, db_array, bi, bj, lddb, batchcount, queue) bind(C)
            import :: c_float_complex, c_int, c_ptr
            integer(c_int), value :: side, uplo, transa, diag, max_m, max_n, ai, aj, bi, bj, batchcount
            type(c_ptr), value :: m, n, da_array, ldda, db_array, lddb, queue
            complex(c_float_complex), value :: alpha
        end subroutine
        subroutine magmablas_ctrmm_vbatched_max(side, uplo, transa, diag, max_m, max_n, m, n, alpha, da_array, ldda, &
            db_array, lddb, batchcount, queue) bind(C)
            import :: c_float_complex, c_int, c_ptr
            integer(c_int), value :: side, uplo, transa, diag, max_m, max_n, batchcount
            type(c_ptr), value :: m, n, da_array, ldda, db_array, lddb, queue
            complex(c_float_complex), value :: alpha
        end subroutine
        subroutine magmablas_ctrmm_vbatched_max_nocheck(side, uplo, transa, diag, max_m, max_n, m, n, alpha, da_array, ldda, &
            db_array, lddb, batchcount, queue) bind(C)
            import :: c_float_complex, c_int, c_ptr
            integer(c_int), value :: side, uplo, transa, diag, max_m, max_n, batchcount
            type(c_ptr), value :: m, n, da_array, ldda, db_array, lddb, queue
            complex(c_float_complex), value :: alpha
        end subroutine
        subroutine magmablas_ctrmm_vbatched_nocheck(side, uplo, transa, diag, m, n, alpha, da_array, ldda, db_array, lddb, &
            batchcount, queue) bind(C)
            import :: c_float_complex, c_int, c_ptr
            integer(c_int), value :: side, uplo, transa, diag, batchcount
            type(c_ptr), value :: m, n, da_array, ldda, db_array, lddb, queue
            complex(c_float_complex), value :: alpha
        end subroutine
        subroutine magmablas_ctrsm_inv_outofplace_vbatched(side, uplo, transa, diag, flag, m, n, alpha, da_array, ldda, &
            db_array, lddb, dx_array, lddx, dinva_array, dinva_length, da_displ, db_displ, dx_displ, dinva_displ, resetozero, &
            batchcount, max_m, max_n, queue) bind(C)
            import :: c_float_complex, c_int, c_ptr
            integer(c_int), value :: side, uplo, transa, diag, flag, resetozero, batchcount, max_m, max_n
            type(c_ptr), value :: m, n, da_array, ldda, db_array, lddb, dx_array, lddx, dinva_array, dinva_length, da_displ, &
                db_displ, dx_displ, dinva_displ, queue
            complex(c_float_complex), value :: alpha
        end subroutine
        subroutine magmablas_ctrsm_inv_vbatched(side, uplo, transa, diag, m, n, alpha, da_array, ldda, db_array, lddb, &
            batchcount, queue) bind(C)
            import :: c_float_complex, c_int, c_ptr
            integer(c_int), value :: side, uplo, transa, diag, batchcount
            type(c_ptr), value :: m, n, da_array, ldda, db_array, lddb, queue
            complex(c_float_complex), value :: alpha
        end subroutine
        subroutine magmablas_ctrsm_inv_vbatched_max(side, uplo, transa, diag, m, n, alpha, da_array, ldda, db_array, lddb, &
            batchcount, max_m, max_n, queue) bind(C)
            import :: c_float_complex, c_int, c_ptr
            integer(c_int), value :: side, uplo, transa, diag, batchcount, max_m, max_n
            type(c_ptr), value :: m, n, da_array, ldda, db_array, lddb, queue
            complex(c_float_complex), value :: alpha
        end subroutine
        subroutine magmablas_ctrsm_inv_vbatched_max_nocheck(side, uplo, transa, diag, m, n, alpha, da_array, ldda, db_array, &
            lddb, batchcount, max_m, max_n, queue) bind(C)
            import :: c_float_complex, c_int, c_ptr
            integer(c_int), value :: side, uplo, transa, diag, batchcount, max_m, max_n
            type(c_ptr), value :: m, n, da_array, ldda, db_array, lddb, queue
            complex(c_float_complex), value :: alpha
        end subroutine
        subroutine magmablas_ctrsm_inv_vbatched_nocheck(side, uplo, transa, diag, m, n, alpha, da_array, ldda, db_array, &
            lddb, batchcount, queue) bind(C)
            import :: c_float_complex, c_int, c_ptr
            integer(c_int), value :: side, uplo, transa, diag, batchcount
            type(c_ptr), value :: m, n, da_array, ldda, db_array, lddb, queue
            complex(c_float_complex), value :: alpha
        end subroutine
        subroutine magmablas_ctrsm_inv_work_vbatched(side, uplo, transa, diag, flag, m, n, alpha, da_array, ldda, db_array, &
            lddb, dx_array, lddx, dinva_array, dinva_length, da_displ, db_displ, dx_displ, dinva_displ, resetozero, batchcount, &
            max_m, max_n, queue) bind(C)
            import :: c_float_complex, c_int, c_ptr
            integer(c_int), value :: side, uplo, transa, diag, flag, resetozero, batchcount, max_m, max_n
            type(c_ptr), value :: m, n, da_array, ldda, db_array, lddb, dx_array, lddx, dinva_array, dinva_length, da_displ, &
                db_displ, dx_displ, dinva_displ, queue
            complex(c_float_complex), value :: alpha
        end subroutine
        subroutine magmablas_ctrsm_small_vbatched(side, uplo, transa, diag, max_m, max_n, m, n, alpha, da_array, ai, aj, &
            ldda, db_array, bi, bj, lddb, batchcount, queue) bind(C)
            import :: c_float_complex, c_int, c_ptr
            integer(c_int), value :: side, uplo, transa, diag, max_m, max_n, ai, aj, bi, bj, batchcount
            type(c_ptr), value :: m, n, da_array, ldda, db_array, lddb, queue
            complex(c_float_complex), value :: alpha
        end subroutine
        subroutine magmablas_ctrsm_vbatched(side, uplo, transa, diag, m, n, alpha, da_array, ldda, db_array, lddb, &
            batchcount, queue) bind(C)
            import :: c_float_complex, c_int, c_ptr
            integer(c_int), value :: side, uplo, transa, diag, batchcount
            type(c_ptr), value :: m, n, da_array, ldda, db_array, lddb, queue
            complex(c_float_complex), value :: alpha
        end subroutine
        subroutine magmablas_ctrsm_vbatched_core(side, uplo, transa, diag, max_m, max_n, m, n, alpha, da_array, ai, aj, &
            ldda, db_array, bi, bj, lddb, batchcount, queue) bind(C)
            import :: c_float_complex, c_int, c_ptr
            integer(c_int), value :: side, uplo, transa, diag, max_m, max_n, ai, aj, bi, bj, batchcount
            type(c_ptr), value :: m, n, da_array, ldda, db_array, lddb, queue
            complex(c_float_complex), value :: alpha
        end subroutine
        subroutine magmablas_ctrsm_vbatched_max(side, uplo, transa, diag, max_m, max_n, m, n, alpha, da_array, ldda, &
            db_array, lddb, batchcount, queue) bind(C)
            import :: c_float_complex, c_int, c_ptr
            integer(c_int), value :: side, uplo, transa, diag, max_m, max_n, batchcount
            type(c_ptr), value :: m, n, da_array, ldda, db_array, lddb, queue
            complex(c_float_complex), value :: alpha
        end subroutine
        subroutine magmablas_ctrsm_vbatched_max_nocheck(side, uplo, transa, diag, max_m, max_n, m, n, alpha, da_array, ldda, &
            db_array, lddb, batchcount, queue) bind(C)
            import :: c_float_complex, c_int, c_ptr
            integer(c_int), value :: side, uplo, transa, diag, max_m, max_n, batchcount
            type(c_ptr), value :: m, n, da_array, ldda, db_array, lddb, queue
            complex(c_float_complex), value :: alpha
        end subroutine
        subroutine magmablas_ctrsm_vbatched_nocheck(side, uplo, transa, diag, m, n, alpha, da_array, ldda, db_array, lddb, &
            batchcount, queue) bind(C)
            import :: c_float_complex, c_int, c_ptr
            integer(c_int), value :: side, uplo, transa, diag, batchcount
            type(c_ptr), value :: m, n, da_array, ldda, db_array, lddb, queue
            complex(c_float_complex), value :: alpha
        end subroutine
        subroutine magmablas_dgemm_batched(transa, transb, m, n, k, alpha, da_array, ldda, db_array, lddb, beta, dc_array, &
            lddc, batchcount, queue) bind(C)
            import :: c_double, c_int, c_ptr
            integer(c_int), value :: transa, transb, m, n, k, ldda, lddb, lddc, batchcount
            real(c_double), value :: alpha, beta
            type(c_ptr), value :: da_array, db_array, dc_array, queue
        end subroutine
        subroutine magmablas_dgemm_batched_core(transa, transb, m, n, k, alpha, da_array, ai, aj, ldda, db_array, bi, bj, &
            lddb, beta, dc_array, ci, cj, lddc, batchcount, queue) bind(C)
            import :: c_double, c_int, c_ptr
            integer(c_int), value :: transa, transb, m, n, k, ai, aj, ldda, bi, bj, lddb, ci, cj, lddc, batchcount
            real(c_double), value :: alpha, beta
            type(c_ptr), value :: da_array, db_array, dc_array, queue
        end subroutine
        subroutine magmablas_dgemm_batched_smallsq(transa, transb, m, n, k, alpha, da_array, ai, aj, ldda, db_array, bi, bj, &
            lddb, beta, dc_array, ci, cj, lddc, batchcount, queue) bind(C)
            import :: c_double, c_int, c_ptr
            integer(c_int), value :: transa, transb, m, n, k, ai, aj, ldda, bi, bj, lddb, ci, cj, lddc, batchcount
            real(c_double), value :: alpha, beta
            type(c_ptr), value :: da_array, db_array, dc_array, queue
        end subroutine
        subroutine magmablas_dgemm_batched_strided(transa, transb, m, n, k, alpha, da, ldda, stridea, db, lddb, strideb, &
            beta, dc, lddc, stridec, batchcount, queue) bind(C)
            import :: c_double, c_int, c_ptr
            integer(c_int), value :: transa, transb, m, n, k, ldda, stridea, lddb, strideb, lddc, stridec, batchcount
            real(c_double), value :: alpha, beta
            type(c_ptr), value :: da, db, dc, queue
        end subroutine
        subroutine magmablas_dgemm_vbatched(transa, transb, m, n, k, alpha, da_array, ldda, db_array, lddb, beta, dc_array, &
            lddc, batchcount, queue) bind(C)
            import :: c_double, c_int, c_ptr
            integer(c_int), value :: transa, transb, batchcount
            type(c_ptr), value :: m, n, k, da_array, ldda, db_array, lddb, dc_array, lddc, queue
            real(c_double), value :: alpha, beta
        end subroutine
        subroutine magmablas_dgemm_vbatched_core(transa, transb, max_m, max_n, max_k, m, n, k, alpha, da_array, ai, aj, &
            ldda, db_array, bi, bj, lddb, beta, dc_array, ci, cj, lddc, batchcount, queue) bind(C)
            import :: c_double, c_int, c_ptr
            integer(c_int), value :: transa, transb, max_m, max_n, max_k, ai, aj, bi, bj, ci, cj, batchcount
            type(c_ptr), value :: m, n, k, da_array, ldda, db_array, lddb, dc_array, lddc, queue
            real(c_double), value :: alpha, beta
        end subroutine
        subroutine magmablas_dgemm_vbatched_max(transa, transb, m, n, k, alpha, da_array, ldda, db_array, lddb, beta, &
            dc_array, lddc, batchcount, max_m, max_n, max_k, queue) bind(C)
            import :: c_double, c_int, c_ptr
            integer(c_int), value :: transa, transb, batchcount, max_m, max_n, max_k
            type(c_ptr), value :: m, n, k, da_array, ldda, db_array, lddb, dc_array, lddc, queue
            real(c_double), value :: alpha, beta
        end subroutine
        subroutine magmablas_dgemm_vbatched_max_nocheck(transa, transb, m, n, k, alpha, da_array, ldda, db_array, lddb, &
            beta, dc_array, lddc, batchcount, max_m, max_n, max_k, queue) bind(C)
            import :: c_double, c_int, c_ptr
            integer(c_int), value :: transa, transb, batchcount, max_m, max_n, max_k
            type(c_ptr), value :: m, n, k, da_array, ldda, db_array, lddb, dc_array, lddc, queue
            real(c_double), value :: alpha, beta
        end subroutine
        subroutine magmablas_dgemm_vbatched_nocheck(transa, transb, m, n, k, alpha, da_array, ldda, db_array, lddb, beta, &
            dc_array, lddc, batchcount, queue) bind(C)
            import :: c_double, c_int, c_ptr
            integer(c_int), value :: transa, transb, batchcount
            type(c_ptr), value :: m, n, k, da_array, ldda, db_array, lddb, dc_array, lddc, queue
            real(c_double), value :: alpha, beta
        end subroutine
        subroutine magmablas_dgemv_batched(trans, m, n, alpha, da_array, ldda, dx_array, incx, beta, dy_array, incy, &
            batchcount, queue) bind(C)
            import :: c_double, c_int, c_ptr
            integer(c_int), value :: trans, m, n, ldda, incx, incy, batchcount
            real(c_double), value :: alpha, beta
            type(c_ptr), value :: da_array, dx_array, dy_array, queue
        end subroutine
        subroutine magmablas_dgemv_batched_core(trans, m, n, alpha, da_array, ai, aj, ldda, dx_array, xi, incx, beta, &
            dy_array, yi, incy, batchcount, queue) bind(C)
            import :: c_double, c_int, c_ptr
            integer(c_int), value :: trans, m, n, ai, aj, ldda, xi, incx, yi, incy, batchcount
            real(c_double), value :: alpha, beta
            type(c_ptr), value :: da_array, dx_array, dy_array, queue
        end subroutine
        subroutine magmablas_dgemv_batched_internal(trans, m, n, alpha, da_array, da, ldda, stridea, ai, aj, dx_array, dx, &
            incx, stridex, xi, beta, dy_array, dy, incy, stridey, yi, batchcount, queue) bind(C)
            import :: c_double, c_int, c_ptr
            integer(c_int), value :: trans, m, n, ldda, stridea, ai, aj, incx, stridex, xi, incy, stridey, yi, batchcount
            real(c_double), value :: alpha, beta
            type(c_ptr), value :: da_array, da, dx_array, dx, dy_array, dy, queue
        end subroutine
        function magmablas_dgemv_batched_smallsq(trans, n, alpha, da_array, ai, aj, ldda, dx_array, xi, incx, beta, &
            dy_array, yi, incy, batchcount, queue) bind(C) result(code)
            import :: c_double, c_int, c_ptr
            integer(c_int), value :: trans, n, ai, aj, ldda, xi, incx, yi, incy, batchcount
            real(c_double), value :: alpha, beta
            type(c_ptr), value :: da_array, dx_array, dy_array, queue
            integer(c_int) :: code
        end function
        subroutine magmablas_dgemv_batched_strided(trans, m, n, alpha, da, ldda, stridea, dx, incx, stridex, beta, dy, incy, &
            stridey, batchcount, queue) bind(C)
            import :: c_double, c_int, c_ptr
            integer(c_int), value :: trans, m, n, ldda, stridea, incx, stridex, incy, stridey, batchcount
            real(c_double), value :: alpha, beta
            type(c_ptr), value :: da, dx, dy, queue
        end subroutine
        subroutine magmablas_dgemv_batched_strided_core(trans, m, n, alpha, da, ldda, ai, aj, stridea, dx, incx, xi, &
            stridex, beta, dy, incy, yi, stridey, batchcount, queue) bind(C)
            import :: c_double, c_int, c_ptr
            integer(c_int), value :: trans, m, n, ldda, ai, aj, stridea, incx, xi, stridex, incy, yi, stridey, batchcount
            real(c_double), value :: alpha, beta
            type(c_ptr), value :: da, dx, dy, queue
        end subroutine
        function magmablas_dgemv_batched_strided_smallsq(transa, n, alpha, da, ai, aj, ldda, stridea, dx, xi, incx, stridex, &
            beta, dy, yi, incy, stridey, batchcount, queue) bind(C) result(code)
            import :: c_double, c_int, c_ptr
            integer(c_int), value :: transa, n, ai, aj, ldda, stridea, xi, incx, stridex, yi, incy, stridey, batchcount
            real(c_double), value :: alpha, beta
            type(c_ptr), value :: da, dx, dy, queue
            integer(c_int) :: code
        end function
        subroutine magmablas_dgemv_vbatched(trans, m, n, alpha, da_array, ldda, dx_array, incx, beta, dy_array, incy, &
            batchcount, queue) bind(C)
            import :: c_double, c_int, c_ptr
            integer(c_int), value :: trans, batchcount
            type(c_ptr), value :: m, n, da_array, ldda, dx_array, incx, dy_array, incy, queue
            real(c_double), value :: alpha, beta
        end subroutine
        subroutine magmablas_dgemv_vbatched_max(trans, m, n, alpha, da_array, ldda, dx_array, incx, beta, dy_array, incy, &
            batchcount, max_m, max_n, queue) bind(C)
            import :: c_double, c_int, c_ptr
            integer(c_int), value :: trans, batchcount, max_m, max_n
            type(c_ptr), value :: m, n, da_array, ldda, dx_array, incx, dy_array, incy, queue
            real(c_double), value :: alpha, beta
        end subroutine
        subroutine magmablas_dgemv_vbatched_max_nocheck(trans, m, n, alpha, da_array, ldda, dx_array, incx, beta, dy_array, &
            incy, batchcount, max_m, max_n, queue) bind(C)
            import :: c_double, c_int, c_ptr
            integer(c_int), value :: trans, batchcount, max_m, max_n
            type(c_ptr), value :: m, n, da_array, ldda, dx_array, incx, dy_array, incy, queue
            real(c_double), value :: alpha, beta
        end subroutine
        subroutine magmablas_dgemv_vbatched_nocheck(trans, m, n, alpha, da_array, ldda, dx_array, incx, beta, dy_array, &
            incy, batchcount, queue) bind(C)
            import :: c_double, c_int, c_ptr
            integer(c_int), value :: trans, batchcount
            type(c_ptr), value :: m, n, da_array, ldda, dx_array, incx, dy_array, incy, queue
            real(c_double), value :: alpha, beta
        end subroutine
        subroutine magmablas_dlaset_vbatched(uplo, max_m, max_n, m, n, offdiag, diag, daarray, ldda, batchcount, queue) &
            bind(C)
            import :: c_double, c_int, c_ptr
            integer(c_int), value :: uplo, max_m, max_n, batchcount
            type(c_ptr), value :: m, n, daarray, ldda, queue
            real(c_double), value :: offdiag, diag
        end subroutine
        subroutine magmablas_dsymm_vbatched(side, uplo, m, n, alpha, da_array, ldda, db_array, lddb, beta, dc_array, lddc, &
            batchcount, queue) bind(C)
            import :: c_double, c_int, c_ptr
            integer(c_int), value :: side, uplo, batchcount
            type(c_ptr), value :: m, n, da_array, ldda, db_array, lddb, dc_array, lddc, queue
            real(c_double), value :: alpha, beta
        end subroutine
        subroutine magmablas_dsymm_vbatched_core(side, uplo, m, n, alpha, da_array, ldda, db_array, lddb, beta, dc_array, &
            lddc, max_m, max_n, roffa, coffa, roffb, coffb, roffc, coffc, specm, specn, batchcount, queue) bind(C)
            import :: c_double, c_int, c_ptr
            integer(c_int), value :: side, uplo, max_m, max_n, roffa, coffa, roffb, coffb, roffc, coffc, specm, specn, &
                batchcount
            type(c_ptr), value :: m, n, da_array, ldda, db_array, lddb, dc_array, lddc, queue
            real(c_double), value :: alpha, beta
        end subroutine
        subroutine magmablas_dsymm_vbatched_max(side, uplo, m, n, alpha, da_array, ldda, db_array, lddb, beta, dc_array, &
            lddc, batchcount, max_m, max_n, queue) bind(C)
            import :: c_double, c_int, c_ptr
            integer(c_int), value :: side, uplo, batchcount, max_m, max_n
            type(c_ptr), value :: m, n, da_array, ldda, db_array, lddb, dc_array, lddc, queue
            real(c_double), value :: alpha, beta
        end subroutine
        subroutine magmablas_dsymm_vbatched_max_nocheck(side, uplo, m, n, alpha, da_array, ldda, db_array, lddb, beta, &
            dc_array, lddc, batchcount, max_m, max_n, queue) bind(C)
            import :: c_double, c_int, c_ptr
            integer(c_int), value :: side, uplo, batchcount, max_m, max_n
            type(c_ptr), value :: m, n, da_array, ldda, db_array, lddb, dc_array, lddc, queue
            real(c_double), value :: alpha, beta
        end subroutine
        subroutine magmablas_dsymm_vbatched_nocheck(side, uplo, m, n, alpha, da_array, ldda, db_array, lddb, beta, dc_array, &
            lddc, batchcount, queue) bind(C)
            import :: c_double, c_int, c_ptr
            integer(c_int), value :: side, uplo, batchcount
            type(c_ptr), value :: m, n, da_array, ldda, db_array, lddb, dc_array, lddc, queue
            real(c_double), value :: alpha, beta
        end subroutine
        subroutine magmablas_dsyr2k_vbatched(uplo, trans, n, k, alpha, da_array, ldda, db_array, lddb, beta, dc_array, lddc, &
            batchcount, queue) bind(C)
            import :: c_double, c_int, c_ptr
            integer(c_int), value :: uplo, trans, batchcount
            type(c_ptr), value :: n, k, da_array, ldda, db_array, lddb, dc_array, lddc, queue
            real(c_double), value :: alpha, beta
        end subroutine
        subroutine magmablas_dsyr2k_vbatched_max(uplo, trans, n, k, alpha, da_array, ldda, db_array, lddb, beta, dc_array, &
            lddc, batchcount, max_n, max_k, queue) bind(C)
            import :: c_double, c_int, c_ptr
            integer(c_int), value :: uplo, trans, batchcount, max_n, max_k
            type(c_ptr), value :: n, k, da_array, ldda, db_array, lddb, dc_array, lddc, queue
            real(c_double), value :: alpha, beta
        end subroutine
        subroutine magmablas_dsyr2k_vbatched_max_nocheck(uplo, trans, n, k, alpha, da_array, ldda, db_array, lddb, beta, &
            dc_array, lddc, batchcount, max_n, max_k, queue) bind(C)
            import :: c_double, c_int, c_ptr
            integer(c_int), value :: uplo, trans, batchcount, max_n, max_k
            type(c_ptr), value :: n, k, da_array, ldda, db_array, lddb, dc_array, lddc, queue
            real(c_double), value :: alpha, beta
        end subroutine
        subroutine magmablas_dsyr2k_vbatched_nocheck(uplo, trans, n, k, alpha, da_array, ldda, db_array, lddb, beta, &
            dc_array, lddc, batchcount, queue) bind(C)
            import :: c_double, c_int, c_ptr
            integer(c_int), value :: uplo, trans, batchcount
            type(c_ptr), value :: n, k, da_array, ldda, db_array, lddb, dc_array, lddc, queue
            real(c_double), value :: alpha, beta
        end subroutine
        subroutine magmablas_dsyrk_internal_vbatched(uplo, trans, n, k, alpha, da_array, ldda, db_array, lddb, beta, &
            dc_array, lddc, max_n, max_k, batchcount, queue) bind(C)
            import :: c_double, c_int, c_ptr
            integer(c_int), value :: uplo, trans, max_n, max_k, batchcount
            type(c_ptr), value :: n, k, da_array, ldda, db_array, lddb, dc_array, lddc, queue
            real(c_double), value :: alpha, beta
        end subroutine
        subroutine magmablas_dsyrk_vbatched(uplo, trans, n, k, alpha, da_array, ldda, beta, dc_array, lddc, batchcount, &
            queue) bind(C)
            import :: c_double, c_int, c_ptr
            integer(c_int), value :: uplo, trans, batchcount
            type(c_ptr), value :: n, k, da_array, ldda, dc_array, lddc, queue
            real(c_double), value :: alpha, beta
        end subroutine
        subroutine magmablas_dsyrk_vbatched_max(uplo, trans, n, k, alpha, da_array, ldda, beta, dc_array, lddc, batchcount, &
            max_n, max_k, queue) bind(C)
            import :: c_double, c_int, c_ptr
            integer(c_int), value :: uplo, trans, batchcount, max_n, max_k
            type(c_ptr), value :: n, k, da_array, ldda, dc_array, lddc, queue
            real(c_double), value :: alpha, beta
        end subroutine
        subroutine magmablas_dsyrk_vbatched_max_nocheck(uplo, trans, n, k, alpha, da_array, ldda, beta, dc_array, lddc, &
            batchcount, max_n, max_k, queue) bind(C)
            import :: c_double, c_int, c_ptr
            integer(c_int), value :: uplo, trans, batchcount, max_n, max_k
            type(c_ptr), value :: n, k, da_array, ldda, dc_array, lddc, queue
            real(c_double), value :: alpha, beta
        end subroutine
        subroutine magmablas_dsyrk_vbatched_nocheck(uplo, trans, n, k, alpha, da_array, ldda, beta, dc_array, lddc, &
            batchcount, queue) bind(C)
            import :: c_double, c_int, c_ptr
            integer(c_int), value :: uplo, trans, batchcount
            type(c_ptr), value :: n, k, da_array, ldda, dc_array, lddc, queue
            real(c_double), value :: alpha, beta
        end subroutine
        subroutine magmablas_dtrmm_vbatched(side, uplo, transa, diag, m, n, alpha, da_array, ldda, db_array, lddb, &
            batchcount, queue) bind(C)
            import :: c_double, c_int, c_ptr
            integer(c_int), value :: side, uplo, transa, diag, batchcount
            type(c_ptr), value :: m, n, da_array, ldda, db_array, lddb, queue
            real(c_double), value :: alpha
        end subroutine
        subroutine magmablas_dtrmm_vbatched_core(side, uplo, transa, diag, max_m, max_n, m, n, alpha, da_array, ai, aj, &
            ldda, db_array, bi, bj, lddb, batchcount, queue) bind(C)
            import :: c_double, c_int, c_ptr
            integer(c_int), value :: side, uplo, transa, diag, max_m, max_n, ai, aj, bi, bj, batchcount
            type(c_ptr), value :: m, n, da_array, ldda, db_array, lddb, queue
            real(c_double), value :: alpha
        end subroutine
        subroutine magmablas_dtrmm_vbatched_max(side, uplo, transa, diag, max_m, max_n, m, n, alpha, da_array, ldda, &
            db_array, lddb, batchcount, queue) bind(C)
            import :: c_double, c_int, c_ptr
            integer(c_int), value :: side, uplo, transa, diag, max_m, max_n, batchcount
            type(c_ptr), value :: m, n, da_array, ldda, db_array, lddb, queue
            real(c_double), value :: alpha
        end subroutine
        subroutine magmablas_dtrmm_vbatched_max_nocheck(side, uplo, transa, diag, max_m, max_n, m, n, alpha, da_array, ldda, &
            db_array, lddb, batchcount, queue) bind(C)
            import :: c_double, c_int, c_ptr
            integer(c_int), value :: side, uplo, transa, diag, max_m, max_n, batchcount
            type(c_ptr), value :: m, n, da_array, ldda, db_array, lddb, queue
            real(c_double), value :: alpha
        end subroutine
        subroutine magmablas_dtrmm_vbatched_nocheck(side, uplo, transa, diag, m, n, alpha, da_array, ldda, db_array, lddb, &
            batchcount, queue) bind(C)
            import :: c_double, c_int, c_ptr
            integer(c_int), value :: side, uplo, transa, diag, batchcount
            type(c_ptr), value :: m, n, da_array, ldda, db_array, lddb, queue
            real(c_double), value :: alpha
        end subroutine
        subroutine magmablas_dtrsm_inv_outofplace_vbatched(side, uplo, transa, diag, flag, m, n, alpha, da_array, ldda, &
            db_array, lddb, dx_array, lddx, dinva_array, dinva_length, da_displ, db_displ, dx_displ, dinva_displ, resetozero, &
            batchcount, max_m, max_n, queue) bind(C)
            import :: c_double, c_int, c_ptr
            integer(c_int), value :: side, uplo, transa, diag, flag, resetozero, batchcount, max_m, max_n
            type(c_ptr), value :: m, n, da_array, ldda, db_array, lddb, dx_array, lddx, dinva_array, dinva_length, da_displ, &
                db_displ, dx_displ, dinva_displ, queue
            real(c_double), value :: alpha
        end subroutine
        subroutine magmablas_dtrsm_inv_vbatched(side, uplo, transa, diag, m, n, alpha, da_array, ldda, db_array, lddb, &
            batchcount, queue) bind(C)
            import :: c_double, c_int, c_ptr
            integer(c_int), value :: side, uplo, transa, diag, batchcount
            type(c_ptr), value :: m, n, da_array, ldda, db_array, lddb, queue
            real(c_double), value :: alpha
        end subroutine
        subroutine magmablas_dtrsm_inv_vbatched_max(side, uplo, transa, diag, m, n, alpha, da_array, ldda, db_array, lddb, &
            batchcount, max_m, max_n, queue) bind(C)
            import :: c_double, c_int, c_ptr
            integer(c_int), value :: side, uplo, transa, diag, batchcount, max_m, max_n
            type(c_ptr), value :: m, n, da_array, ldda, db_array, lddb, queue
            real(c_double), value :: alpha
        end subroutine
        subroutine magmablas_dtrsm_inv_vbatched_max_nocheck(side, uplo, transa, diag, m, n, alpha, da_array, ldda, db_array, &
            lddb, batchcount, max_m, max_n, queue) bind(C)
            import :: c_double, c_int, c_ptr
            integer(c_int), value :: side, uplo, transa, diag, batchcount, max_m, max_n
            type(c_ptr), value :: m, n, da_array, ldda, db_array, lddb, queue
            real(c_double), value :: alpha
        end subroutine
        subroutine magmablas_dtrsm_inv_vbatched_nocheck(side, uplo, transa, diag, m, n, alpha, da_array, ldda, db_array, &
            lddb, batchcount, queue) bind(C)
            import :: c_double, c_int, c_ptr
            integer(c_int), value :: side, uplo, transa, diag, batchcount
            type(c_ptr), value :: m, n, da_array, ldda, db_array, lddb, queue
            real(c_double), value :: alpha
        end subroutine
        subroutine magmablas_dtrsm_inv_work_vbatched(side, uplo, transa, diag, flag, m, n, alpha, da_array, ldda, db_array, &
            lddb, dx_array, lddx, dinva_array, dinva_length, da_displ, db_displ, dx_displ, dinva_displ, resetozero, batchcount, &
            max_m, max_n, queue) bind(C)
            import :: c_double, c_int, c_ptr
            integer(c_int), value :: side, uplo, transa, diag, flag, resetozero, batchcount, max_m, max_n
            type(c_ptr), value :: m, n, da_array, ldda, db_array, lddb, dx_array, lddx, dinva_array, dinva_length, da_displ, &
                db_displ, dx_displ, dinva_displ, queue
            real(c_double), value :: alpha
        end subroutine
        subroutine magmablas_dtrsm_small_vbatched(side, uplo, transa, diag, max_m, max_n, m, n, alpha, da_array, ai, aj, &
            ldda, db_array, bi, bj, lddb, batchcount, queue) bind(C)
            import :: c_double, c_int, c_ptr
            integer(c_int), value :: side, uplo, transa, diag, max_m, max_n, ai, aj, bi, bj, batchcount
            type(c_ptr), value :: m, n, da_array, ldda, db_array, lddb, queue
            real(c_double), value :: alpha
        end subroutine
        subroutine magmablas_dtrsm_vbatched(side, uplo, transa, diag, m, n, alpha, da_array, ldda, db_array, lddb, &
            batchcount, queue) bind(C)
            import :: c_double, c_int, c_ptr
            integer(c_int), value :: side, uplo, transa, diag, batchcount
            type(c_ptr), value :: m, n, da_array, ldda, db_array, lddb, queue
            real(c_double), value :: alpha
        end subroutine
        subroutine magmablas_dtrsm_vbatched_core(side, uplo, transa, diag, max_m, max_n, m, n, alpha, da_array, ai, aj, &
            ldda, db_array, bi, bj, lddb, batchcount, queue) bind(C)
            import :: c_double, c_int, c_ptr
            integer(c_int), value :: side, uplo, transa, diag, max_m, max_n, ai, aj, bi, bj, batchcount
            type(c_ptr), value :: m, n, da_array, ldda, db_array, lddb, queue
            real(c_double), value :: alpha
        end subroutine
        subroutine magmablas_dtrsm_vbatched_max(side, uplo, transa, diag, max_m, max_n, m, n, alpha, da_array, ldda, &
            db_array, lddb, batchcount, queue) bind(C)
            import :: c_double, c_int, c_ptr
            integer(c_int), value :: side, uplo, transa, diag, max_m, max_n, batchcount
            type(c_ptr), value :: m, n, da_array, ldda, db_array, lddb, queue
            real(c_double), value :: alpha
        end subroutine
        subroutine magmablas_dtrsm_vbatched_max_nocheck(side, uplo, transa, diag, max_m, max_n, m, n, alpha, da_array, ldda, &
            db_array, lddb, batchcount, queue) bind(C)
            import :: c_double, c_int, c_ptr
            integer(c_int), value :: side, uplo, transa, diag, max_m, max_n, batchcount
            type(c_ptr), value :: m, n, da_array, ldda, db_array, lddb, queue
            real(c_double), value :: alpha
        end subroutine
        subroutine magmablas_dtrsm_vbatched_nocheck(side, uplo, transa, diag, m, n, alpha, da_array, ldda, db_array, lddb, &
            batchcount, queue) bind(C)
            import :: c_double, c_int, c_ptr
            integer(c_int), value :: side, uplo, transa, diag, batchcount
            type(c_ptr), value :: m, n, da_array, ldda, db_array, lddb, queue
            real(c_double), value :: alpha
        end subroutine
        subroutine magmablas_sgemm_batched(transa, transb, m, n, k, alpha, da_array, ldda, db_array, lddb, beta, dc_array, &
            lddc, batchcount, queue) bind(C)
            import :: c_float, c_int, c_ptr
            integer(c_int), value :: transa, transb, m, n, k, ldda, lddb, lddc, batchcount
            real(c_float), value :: alpha, beta
            type(c_ptr), value :: da_array, db_array, dc_array, queue
        end subroutine
        subroutine magmablas_sgemm_batched_core(transa, transb, m, n, k, alpha, da_array, ai, aj, ldda, db_array, bi, bj, &
            lddb, beta, dc_array, ci, cj, lddc, batchcount, queue) bind(C)
            import :: c_float, c_int, c_ptr
            integer(c_int), value :: transa, transb, m, n, k, ai, aj, ldda, bi, bj, lddb, ci, cj, lddc, batchcount
            real(c_float), value :: alpha, beta
            type(c_ptr), value :: da_array, db_array, dc_array, queue
        end subroutine
        subroutine magmablas_sgemm_batched_smallsq(transa, transb, m, n, k, alpha, da_array, ai, aj, ldda, db_array, bi, bj, &
            lddb, beta, dc_array, ci, cj, lddc, batchcount, queue) bind(C)
            import :: c_float, c_int, c_ptr
            integer(c_int), value :: transa, transb, m, n, k, ai, aj, ldda, bi, bj, lddb, ci, cj, lddc, batchcount
            real(c_float), value :: alpha, beta
            type(c_ptr), value :: da_array, db_array, dc_array, queue
        end subroutine
        subroutine magmablas_sgemm_batched_strided(transa, transb, m, n, k, alpha, da, ldda, stridea, db, lddb, strideb, &
            beta, dc, lddc, stridec, batchcount, queue) bind(C)
            import :: c_float, c_int, c_ptr
            integer(c_int), value :: transa, transb, m, n, k, ldda, stridea, lddb, strideb, lddc, stridec, batchcount
            real(c_float), value :: alpha, beta
            type(c_ptr), value :: da, db, dc, queue
        end subroutine
        subroutine magmablas_sgemm_vbatched(transa, transb, m, n, k, alpha, da_array, ldda, db_array, lddb, beta, dc_array, &
            lddc, batchcount, queue) bind(C)
            import :: c_float, c_int, c_ptr
            integer(c_int), value :: transa, transb, batchcount
            type(c_ptr), value :: m, n, k, da_array, ldda, db_array, lddb, dc_array, lddc, queue
            real(c_float), value :: alpha, beta
        end subroutine
        subroutine magmablas_sgemm_vbatched_core(transa, transb, max_m, max_n, max_k, m, n, k, alpha, da_array, ai, aj, &
            ldda, db_array, bi, bj, lddb, beta, dc_array, ci, cj, lddc, batchcount, queue) bind(C)
            import :: c_float, c_int, c_ptr
            integer(c_int), value :: transa, transb, max_m, max_n, max_k, ai, aj, bi, bj, ci, cj, batchcount
            type(c_ptr), value :: m, n, k, da_array, ldda, db_array, lddb, dc_array, lddc, queue
            real(c_float), value :: alpha, beta
        end subroutine
        subroutine magmablas_sgemm_vbatched_max(transa, transb, m, n, k, alpha, da_array, ldda, db_array, lddb, beta, &
            dc_array, lddc, batchcount, max_m, max_n, max_k, queue) bind(C)
            import :: c_float, c_int, c_ptr
            integer(c_int), value :: transa, transb, batchcount, max_m, max_n, max_k
            type(c_ptr), value :: m, n, k, da_array, ldda, db_array, lddb, dc_array, lddc, queue
            real(c_float), value :: alpha, beta
        end subroutine
        subroutine magmablas_sgemm_vbatched_max_nocheck(transa, transb, m, n, k, alpha, da_array, ldda, db_array, lddb, &
            beta, dc_array, lddc, batchcount, max_m, max_n, max_k, queue) bind(C)
            import :: c_float, c_int, c_ptr
            integer(c_int), value :: transa, transb, batchcount, max_m, max_n, max_k
            type(c_ptr), value :: m, n, k, da_array, ldda, db_array, lddb, dc_array, lddc, queue
            real(c_float), value :: alpha, beta
        end subroutine
        subroutine magmablas_sgemm_vbatched_nocheck(transa, transb, m, n, k, alpha, da_array, ldda, db_array, lddb, beta, &
            dc_array, lddc, batchcount, queue) bind(C)
            import :: c_float, c_int, c_ptr
            integer(c_int), value :: transa, transb, batchcount
            type(c_ptr), value :: m, n, k, da_array, ldda, db_array, lddb, dc_array, lddc, queue
            real(c_float), value :: alpha, beta
        end subroutine
        subroutine magmablas_sgemv_batched(trans, m, n, alpha, da_array, ldda, dx_array, incx, beta, dy_array, incy, &
            batchcount, queue) bind(C)
            import :: c_float, c_int, c_ptr
            integer(c_int), value :: trans, m, n, ldda, incx, incy, batchcount
            real(c_float), value :: alpha, beta
            type(c_ptr), value :: da_array, dx_array, dy_array, queue
        end subroutine
        subroutine magmablas_sgemv_batched_core(trans, m, n, alpha, da_array, ai, aj, ldda, dx_array, xi, incx, beta, &
            dy_array, yi, incy, batchcount, queue) bind(C)
            import :: c_float, c_int, c_ptr
            integer(c_int), value :: trans, m, n, ai, aj, ldda, xi, incx, yi, incy, batchcount
            real(c_float), value :: alpha, beta
            type(c_ptr), value :: da_array, dx_array, dy_array, queue
        end subroutine
        subroutine magmablas_sgemv_batched_internal(trans, m, n, alpha, da_array, da, ldda, stridea, ai, aj, dx_array, dx, &
            incx, stridex, xi, beta, dy_array, dy, incy, stridey, yi, batchcount, queue) bind(C)
            import :: c_float, c_int, c_ptr
            integer(c_int), value :: trans, m, n, ldda, stridea, ai, aj, incx, stridex, xi, incy, stridey, yi, batchcount
            real(c_float), value :: alpha, beta
            type(c_ptr), value :: da_array, da, dx_array, dx, dy_array, dy, queue
        end subroutine
        function magmablas_sgemv_batched_smallsq(trans, n, alpha, da_array, ai, aj, ldda, dx_array, xi, incx, beta, &
            dy_array, yi, incy, batchcount, queue) bind(C) result(code)
            import :: c_float, c_int, c_ptr
            integer(c_int), value :: trans, n, ai, aj, ldda, xi, incx, yi, incy, batchcount
            real(c_float), value :: alpha, beta
            type(c_ptr), value :: da_array, dx_array, dy_array, queue
            integer(c_int) :: code
        end function
        subroutine magmablas_sgemv_batched_strided(trans, m, n, alpha, da, ldda, stridea, dx, incx, stridex, beta, dy, incy, &
            stridey, batchcount, queue) bind(C)
            import :: c_float, c_int, c_ptr
            integer(c_int), value :: trans, m, n, ldda, stridea, incx, stridex, incy, stridey, batchcount
            real(c_float), value :: alpha, beta
            type(c_ptr), value :: da, dx, dy, queue
        end subroutine
        subroutine magmablas_sgemv_batched_strided_core(trans, m, n, alpha, da, ldda, ai, aj, stridea, dx, incx, xi, &
            stridex, beta, dy, incy, yi, stridey, batchcount, queue) bind(C)
            import :: c_float, c_int, c_ptr
            integer(c_int), value :: trans, m, n, ldda, ai, aj, stridea, incx, xi, stridex, incy, yi, stridey, batchcount
            real(c_float), value :: alpha, beta
            type(c_ptr), value :: da, dx, dy, queue
        end subroutine
        function magmablas_sgemv_batched_strided_smallsq(transa, n, alpha, da, ai, aj, ldda, stridea, dx, xi, incx, stridex, &
            beta, dy, yi, incy, stridey, batchcount, queue) bind(C) result(code)
            import :: c_float, c_int, c_ptr
            integer(c_int), value :: transa, n, ai, aj, ldda, stridea, xi, incx, stridex, yi, incy, stridey, batchcount
            real(c_float), value :: alpha, beta
            type(c_ptr), value :: da, dx, dy, queue
            integer(c_int) :: code
        end function
        subroutine magmablas_sgemv_vbatched(trans, m, n, alpha, da_array, ldda, dx_array, incx, beta, dy_array, incy, &
            batchcount, queue) bind(C)
            import :: c_float, c_int, c_ptr
            integer(c_int), value :: trans, batchcount
            type(c_ptr), value :: m, n, da_array, ldda, dx_array, incx, dy_array, incy, queue
            real(c_float), value :: alpha, beta
        end subroutine
        subroutine magmablas_sgemv_vbatched_max(trans, m, n, alpha, da_array, ldda, dx_array, incx, beta, dy_array, incy, &
            batchcount, max_m, max_n, queue) bind(C)
            import :: c_float, c_int, c_ptr
            integer(c_int), value :: trans, batchcount, max_m, max_n
            type(c_ptr), value :: m, n, da_array, ldda, dx_array, incx, dy_array, incy, queue
            real(c_float), value :: alpha, beta
        end subroutine
        subroutine magmablas_sgemv_vbatched_max_nocheck(trans, m, n, alpha, da_array, ldda, dx_array, incx, beta, dy_array, &
            incy, batchcount, max_m, max_n, queue) bind(C)
            import :: c_float, c_int, c_ptr
            integer(c_int), value :: trans, batchcount, max_m, max_n
            type(c_ptr), value :: m, n, da_array, ldda, dx_array, incx, dy_array, incy, queue
            real(c_float), value :: alpha, beta
        end subroutine
        subroutine magmablas_sgemv_vbatched_nocheck(trans, m, n, alpha, da_array, ldda, dx_array, incx, beta, dy_array, &
            incy, batchcount, queue) bind(C)
            import :: c_float, c_int, c_ptr
            integer(c_int), value :: trans, batchcount
            type(c_ptr), value :: m, n, da_array, ldda, dx_array, incx, dy_array, incy, queue
            real(c_float), value :: alpha, beta
        end subroutine
        subroutine magmablas_slaset_vbatched(uplo, max_m, max_n, m, n, offdiag, diag, daarray, ldda, batchcount, queue) &
            bind(C)
            import :: c_float, c_int, c_ptr
            integer(c_int), value :: uplo, max_m, max_n, batchcount
            type(c_ptr), value :: m, n, daarray, ldda, queue
            real(c_float), value :: offdiag, diag
        end subroutine
        subroutine magmablas_ssymm_vbatched(side, uplo, m, n, alpha, da_array, ldda, db_array, lddb, beta, dc_array, lddc, &
            batchcount, queue) bind(C)
            import :: c_float, c_int, c_ptr
            integer(c_int), value :: side, uplo, batchcount
            type(c_ptr), value :: m, n, da_array, ldda, db_array, lddb, dc_array, lddc, queue
            real(c_float), value :: alpha, beta
        end subroutine
        subroutine magmablas_ssymm_vbatched_core(side, uplo, m, n, alpha, da_array, ldda, db_array, lddb, beta, dc_array, &
            lddc, max_m, max_n, roffa, coffa, roffb, coffb, roffc, coffc, specm, specn, batchcount, queue) bind(C)
            import :: c_float, c_int, c_ptr
            integer(c_int), value :: side, uplo, max_m, max_n, roffa, coffa, roffb, coffb, roffc, coffc, specm, specn, &
                batchcount
            type(c_ptr), value :: m, n, da_array, ldda, db_array, lddb, dc_array, lddc, queue
            real(c_float), value :: alpha, beta
        end subroutine
        subroutine magmablas_ssymm_vbatched_max(side, uplo, m, n, alpha, da_array, ldda, db_array, lddb, beta, dc_array, &
            lddc, batchcount, max_m, max_n, queue) bind(C)
            import :: c_float, c_int, c_ptr
            integer(c_int), value :: side, uplo, batchcount, max_m, max_n
            type(c_ptr), value :: m, n, da_array, ldda, db_array, lddb, dc_array, lddc, queue
            real(c_float), value :: alpha, beta
        end subroutine
        subroutine magmablas_ssymm_vbatched_max_nocheck(side, uplo, m, n, alpha, da_array, ldda, db_array, lddb, beta, &
            dc_array, lddc, batchcount, max_m, max_n, queue) bind(C)
            import :: c_float, c_int, c_ptr
            integer(c_int), value :: side, uplo, batchcount, max_m, max_n
            type(c_ptr), value :: m, n, da_array, ldda, db_array, lddb, dc_array, lddc, queue
            real(c_float), value :: alpha, beta
        end subroutine
        subroutine magmablas_ssymm_vbatched_nocheck(side, uplo, m, n, alpha, da_array, ldda, db_array, lddb, beta, dc_array, &
            lddc, batchcount, queue) bind(C)
            import :: c_float, c_int, c_ptr
            integer(c_int), value :: side, uplo, batchcount
            type(c_ptr), value :: m, n, da_array, ldda, db_array, lddb, dc_array, lddc, queue
            real(c_float), value :: alpha, beta
        end subroutine
        subroutine magmablas_ssyr2k_vbatched(uplo, trans, n, k, alpha, da_array, ldda, db_array, lddb, beta, dc_array, lddc, &
            batchcount, queue) bind(C)
            import :: c_float, c_int, c_ptr
            integer(c_int), value :: uplo, trans, batchcount
            type(c_ptr), value :: n, k, da_array, ldda, db_array, lddb, dc_array, lddc, queue
            real(c_float), value :: alpha, beta
        end subroutine
        subroutine magmablas_ssyr2k_vbatched_max(uplo, trans, n, k, alpha, da_array, ldda, db_array, lddb, beta, dc_array, &
            lddc, batchcount, max_n, max_k, queue) bind(C)
            import :: c_float, c_int, c_ptr
            integer(c_int), value :: uplo, trans, batchcount, max_n, max_k
            type(c_ptr), value :: n, k, da_array, ldda, db_array, lddb, dc_array, lddc, queue
            real(c_float), value :: alpha, beta
        end subroutine
        subroutine magmablas_ssyr2k_vbatched_max_nocheck(uplo, trans, n, k, alpha, da_array, ldda, db_array, lddb, beta, &
            dc_array, lddc, batchcount, max_n, max_k, queue) bind(C)
            import :: c_float, c_int, c_ptr
            integer(c_int), value :: uplo, trans, batchcount, max_n, max_k
            type(c_ptr), value :: n, k, da_array, ldda, db_array, lddb, dc_array, lddc, queue
            real(c_float), value :: alpha, beta
        end subroutine
        subroutine magmablas_ssyr2k_vbatched_nocheck(uplo, trans, n, k, alpha, da_array, ldda, db_array, lddb, beta, &
            dc_array, lddc, batchcount, queue) bind(C)
            import :: c_float, c_int, c_ptr
            integer(c_int), value :: uplo, trans, batchcount
            type(c_ptr), value :: n, k, da_array, ldda, db_array, lddb, dc_array, lddc, queue
            real(c_float), value :: alpha, beta
        end subroutine
        subroutine magmablas_ssyrk_internal_vbatched(uplo, trans, n, k, alpha, da_array, ldda, db_array, lddb, beta, &
            dc_array, lddc, max_n, max_k, batchcount, queue) bind(C)
            import :: c_float, c_int, c_ptr
            integer(c_int), value :: uplo, trans, max_n, max_k, batchcount
            type(c_ptr), value :: n, k, da_array, ldda, db_array, lddb, dc_array, lddc, queue
            real(c_float), value :: alpha, beta
        end subroutine
        subroutine magmablas_ssyrk_vbatched(uplo, trans, n, k, alpha, da_array, ldda, beta, dc_array, lddc, batchcount, &
            queue) bind(C)
            import :: c_float, c_int, c_ptr
            integer(c_int), value :: uplo, trans, batchcount
            type(c_ptr), value :: n, k, da_array, ldda, dc_array, lddc, queue
            real(c_float), value :: alpha, beta
        end subroutine
        subroutine magmablas_ssyrk_vbatched_max(uplo, trans, n, k, alpha, da_array, ldda, beta, dc_array, lddc, batchcount, &
            max_n, max_k, queue) bind(C)
            import :: c_float, c_int, c_ptr
            integer(c_int), value :: uplo, trans, batchcount, max_n, max_k
            type(c_ptr), value :: n, k, da_array, ldda, dc_array, lddc, queue
            real(c_float), value :: alpha, beta
        end subroutine
        subroutine magmablas_ssyrk_vbatched_max_nocheck(uplo, trans, n, k, alpha, da_array, ldda, beta, dc_array, lddc, &
            batchcount, max_n, max_k, queue) bind(C)
            import :: c_float, c_int, c_ptr
            integer(c_int), value :: uplo, trans, batchcount, max_n, max_k
            type(c_ptr), value :: n, k, da_array, ldda, dc_array, lddc, queue
            real(c_float), value :: alpha, beta
        end subroutine
        subroutine magmablas_ssyrk_vbatched_nocheck(uplo, trans, n, k, alpha, da_array, ldda, beta, dc_array, lddc, &
            batchcount, queue) bind(C)
            import :: c_float, c_int, c_ptr
            integer(c_int), value :: uplo, trans, batchcount
            type(c_ptr), value :: n, k, da_array, ldda, dc_array, lddc, queue
            real(c_float), value :: alpha, beta
        end subroutine
        subroutine magmablas_strmm_vbatched(side, uplo, transa, diag, m, n, alpha, da_array, ldda, db_array, lddb, &
            batchcount, queue) bind(C)
            import :: c_float, c_int, c_ptr
            integer(c_int), value :: side, uplo, transa, diag, batchcount
            type(c_ptr), value :: m, n, da_array, ldda, db_array, lddb, queue
            real(c_float), value :: alpha
        end subroutine
        subroutine magmablas_strmm_vbatched_core(side, uplo, transa, diag, max_m, max_n, m, n, alpha, da_array, ai, aj, &
            ldda, db_array, bi, bj, lddb, batchcount, queue) bind(C)
            import :: c_float, c_int, c_ptr
            integer(c_int), value :: side, uplo, transa, diag, max_m, max_n, ai, aj, bi, bj, batchcount
            type(c_ptr), value :: m, n, da_array, ldda, db_array, lddb, queue
            real(c_float), value :: alpha
        end subroutine
        subroutine magmablas_strmm_vbatched_max(side, uplo, transa, diag, max_m, max_n, m, n, alpha, da_array, ldda, &
            db_array, lddb, batchcount, queue) bind(C)
            import :: c_float, c_int, c_ptr
            integer(c_int), value :: side, uplo, transa, diag, max_m, max_n, batchcount
            type(c_ptr), value :: m, n, da_array, ldda, db_array, lddb, queue
            real(c_float), value :: alpha
        end subroutine
        subroutine magmablas_strmm_vbatched_max_nocheck(side, uplo, transa, diag, max_m, max_n, m, n, alpha, da_array, ldda, &
            db_array, lddb, batchcount, queue) bind(C)
            import :: c_float, c_int, c_ptr
            integer(c_int), value :: side, uplo, transa, diag, max_m, max_n, batchcount
            type(c_ptr), value :: m, n, da_array, ldda, db_array, lddb, queue
            real(c_float), value :: alpha
        end subroutine
        subroutine magmablas_strmm_vbatched_nocheck(side, uplo, transa, diag, m, n, alpha, da_array, ldda, db_array, lddb, &
            batchcount, queue) bind(C)
            import :: c_float, c_int, c_ptr
            integer(c_int), value :: side, uplo, transa, diag, batchcount
            type(c_ptr), value :: m, n, da_array, ldda, db_array, lddb, queue
            real(c_float), value :: alpha
        end subroutine
        subroutine magmablas_strsm_inv_outofplace_vbatched(side, uplo, transa, diag, flag, m, n, alpha, da_array, ldda, &
            db_array, lddb, dx_array, lddx, dinva_array, dinva_length, da_displ, db_displ, dx_displ, dinva_displ, resetozero, &
            batchcount, max_m, max_n, queue) bind(C)
            import :: c_float, c_int, c_ptr
            integer(c_int), value :: side, uplo, transa, diag, flag, resetozero, batchcount, max_m, max_n
            type(c_ptr), value :: m, n, da_array, ldda, db_array, lddb, dx_array, lddx, dinva_array, dinva_length, da_displ, &
                db_displ, dx_displ, dinva_displ, queue
            real(c_float), value :: alpha
        end subroutine
        subroutine magmablas_strsm_inv_vbatched(side, uplo, transa, diag, m, n, alpha, da_array, ldda, db_array, lddb, &
            batchcount, queue) bind(C)
            import :: c_float, c_int, c_ptr
            integer(c_int), value :: side, uplo, transa, diag, batchcount
            type(c_ptr), value :: m, n, da_array, ldda, db_array, lddb, queue
            real(c_float), value :: alpha
        end subroutine
        subroutine magmablas_strsm_inv_vbatched_max(side, uplo, transa, diag, m, n, alpha, da_array, ldda, db_array, lddb, &
            batchcount, max_m, max_n, queue) bind(C)
            import :: c_float, c_int, c_ptr
            integer(c_int), value :: side, uplo, transa, diag, batchcount, max_m, max_n
            type(c_ptr), value :: m, n, da_array, ldda, db_array, lddb, queue
            real(c_float), value :: alpha
        end subroutine
        subroutine magmablas_strsm_inv_vbatched_max_nocheck(side, uplo, transa, diag, m, n, alpha, da_array, ldda, db_array, &
            lddb, batchcount, max_m, max_n, queue) bind(C)
            import :: c_float, c_int, c_ptr
            integer(c_int), value :: side, uplo, transa, diag, batchcount, max_m, max_n
            type(c_ptr), value :: m, n, da_array, ldda, db_array, lddb, queue
            real(c_float), value :: alpha
        end subroutine
        subroutine magmablas_strsm_inv_vbatched_nocheck(side, uplo, transa, diag, m, n, alpha, da_array, ldda, db_array, &
            lddb, batchcount, queue) bind(C)
            import :: c_float, c_int, c_ptr
            integer(c_int), value :: side, uplo, transa, diag, batchcount
            type(c_ptr), value :: m, n, da_array, ldda, db_array, lddb, queue
            real(c_float), value :: alpha
        end subroutine
        subroutine magmablas_strsm_inv_work_vbatched(side, uplo, transa, diag, flag, m, n, alpha, da_array, ldda, db_array, &
            lddb, dx_array, lddx, dinva_array, dinva_length, da_displ, db_displ, dx_displ, dinva_displ, resetozero, batchcount, &
            max_m, max_n, queue) bind(C)
            import :: c_float, c_int, c_ptr
            integer(c_int), value :: side, uplo, transa, diag, flag, resetozero, batchcount, max_m, max_n
            type(c_ptr), value :: m, n, da_array, ldda, db_array, lddb, dx_array, lddx, dinva_array, dinva_length, da_displ, &
                db_displ, dx_displ, dinva_displ, queue
            real(c_float), value :: alpha
        end subroutine
        subroutine magmablas_strsm_small_vbatched(side, uplo, transa, diag, max_m, max_n, m, n, alpha, da_array, ai, aj, &
            ldda, db_array, bi, bj, lddb, batchcount, queue) bind(C)
            import :: c_float, c_int, c_ptr
            integer(c_int), value :: side, uplo, transa, diag, max_m, max_n, ai, aj, bi, bj, batchcount
            type(c_ptr), value :: m, n, da_array, ldda, db_array, lddb, queue
            real(c_float), value :: alpha
        end subroutine
        subroutine magmablas_strsm_vbatched(side, uplo, transa, diag, m, n, alpha, da_array, ldda, db_array, lddb, &
            batchcount, queue) bind(C)
            import :: c_float, c_int, c_ptr
            integer(c_int), value :: side, uplo, transa, diag, batchcount
            type(c_ptr), value :: m, n, da_array, ldda, db_array, lddb, queue
            real(c_float), value :: alpha
        end subroutine
        subroutine magmablas_strsm_vbatched_core(side, uplo, transa, diag, max_m, max_n, m, n, alpha, da_array, ai, aj, &
            ldda, db_array, bi, bj, lddb, batchcount, queue) bind(C)
            import :: c_float, c_int, c_ptr
            integer(c_int), value :: side, uplo, transa, diag, max_m, max_n, ai, aj, bi, bj, batchcount
            type(c_ptr), value :: m, n, da_array, ldda, db_array, lddb, queue
            real(c_float), value :: alpha
        end subroutine
        subroutine magmablas_strsm_vbatched_max(side, uplo, transa, diag, max_m, max_n, m, n, alpha, da_array, ldda, &
            db_array, lddb, batchcount, queue) bind(C)
            import :: c_float, c_int, c_ptr
            integer(c_int), value :: side, uplo, transa, diag, max_m, max_n, batchcount
            type(c_ptr), value :: m, n, da_array, ldda, db_array, lddb, queue
            real(c_float), value :: alpha
        end subroutine
        subroutine magmablas_strsm_vbatched_max_nocheck(side, uplo, transa, diag, max_m, max_n, m, n, alpha, da_array, ldda, &
            db_array, lddb, batchcount, queue) bind(C)
            import :: c_float, c_int, c_ptr
            integer(c_int), value :: side, uplo, transa, diag, max_m, max_n, batchcount
            type(c_ptr), value :: m, n, da_array, ldda, db_array, lddb, queue
            real(c_float), value :: alpha
        end subroutine
        subroutine magmablas_strsm_vbatched_nocheck(side, uplo, transa, diag, m, n, alpha, da_array, ldda, db_array, lddb, &
            batchcount, queue) bind(C)
            import :: c_float, c_int, c_ptr
            integer(c_int), value :: side, uplo, transa, diag, batchcount
            type(c_ptr), value :: m, n, da_array, ldda, db_array, lddb, queue
            real(c_float), value :: alpha
        end subroutine
        subroutine magmablas_zgemm_batched(transa, transb, m, n, k, alpha, da_array, ldda, db_array, lddb, beta, dc_array, &
            lddc, batchcount, queue) bind(C)
            import :: c_double_complex, c_int, c_ptr
            integer(c_int), value :: transa, transb, m, n, k, ldda, lddb, lddc, batchcount
            complex(c_double_complex), value :: alpha, beta
            type(c_ptr), value :: da_array, db_array, dc_array, queue
        end subroutine
        subroutine magmablas_zgemm_batched_core(transa, transb, m, n, k, alpha, da_array, ai, aj, ldda, db_array, bi, bj, &
            lddb, beta, dc_array, ci, cj, lddc, batchcount, queue) bind(C)
            import :: c_double_complex, c_int, c_ptr
            integer(c_int), value :: transa, transb, m, n, k, ai, aj, ldda, bi, bj, lddb, ci, cj, lddc, batchcount
            complex(c_double_complex), value :: alpha, beta
            type(c_ptr), value :: da_array, db_array, dc_array, queue
        end subroutine
        subroutine magmablas_zgemm_batched_smallsq(transa, transb, m, n, k, alpha, da_array, ai, aj, ldda, db_array, bi, bj, &
            lddb, beta, dc_array, ci, cj, lddc, batchcount, queue) bind(C)
            import :: c_double_complex, c_int, c_ptr
            integer(c_int), value :: transa, transb, m, n, k, ai, aj, ldda, bi, bj, lddb, ci, cj, lddc, batchcount
            complex(c_double_complex), value :: alpha, beta
            type(c_ptr), value :: da_array, db_array, dc_array, queue
        end subroutine
        subroutine magmablas_zgemm_batched_strided(transa, transb, m, n, k, alpha, da, ldda, stridea, db, lddb, strideb, &
            beta, dc, lddc, stridec, batchcount, queue) bind(C)
            import :: c_double_complex, c_int, c_ptr
            integer(c_int), value :: transa, transb, m, n, k, ldda, stridea, lddb, strideb, lddc, stridec, batchcount
            complex(c_double_complex), value :: alpha, beta
            type(c_ptr), value :: da, db, dc, queue
        end subroutine
        subroutine magmablas_zgemm_vbatched(transa, transb, m, n, k, alpha, da_array, ldda, db_array, lddb, beta, dc_array, &
            lddc, batchcount, queue) bind(C)
            import :: c_double_complex, c_int, c_ptr
            integer(c_int), value :: transa, transb, batchcount
            type(c_ptr), value :: m, n, k, da_array, ldda, db_array, lddb, dc_array, lddc, queue
            complex(c_double_complex), value :: alpha, beta
        end subroutine
        subroutine magmablas_zgemm_vbatched_core(transa, transb, max_m, max_n, max_k, m, n, k, alpha, da_array, ai, aj, &
            ldda, db_array, bi, bj, lddb, beta, dc_array, ci, cj, lddc, batchcount, queue) bind(C)
            import :: c_double_complex, c_int, c_ptr
            integer(c_int), value :: transa, transb, max_m, max_n, max_k, ai, aj, bi, bj, ci, cj, batchcount
            type(c_ptr), value :: m, n, k, da_array, ldda, db_array, lddb, dc_array, lddc, queue
            complex(c_double_complex), value :: alpha, beta
        end subroutine
        subroutine magmablas_zgemm_vbatched_max(transa, transb, m, n, k, alpha, da_array, ldda, db_array, lddb, beta, &
            dc_array, lddc, batchcount, max_m, max_n, max_k, queue) bind(C)
            import :: c_double_complex, c_int, c_ptr
            integer(c_int), value :: transa, transb, batchcount, max_m, max_n, max_k
            type(c_ptr), value :: m, n, k, da_array, ldda, db_array, lddb, dc_array, lddc, queue
            complex(c_double_complex), value :: alpha, beta
        end subroutine
        subroutine magmablas_zgemm_vbatched_max_nocheck(transa, transb, m, n, k, alpha, da_array, ldda, db_array, lddb, &
            beta, dc_array, lddc, batchcount, max_m, max_n, max_k, queue) bind(C)
            import :: c_double_complex, c_int, c_ptr
            integer(c_int), value :: transa, transb, batchcount, max_m, max_n, max_k
            type(c_ptr), value :: m, n, k, da_array, ldda, db_array, lddb, dc_array, lddc, queue
            complex(c_double_complex), value :: alpha, beta
        end subroutine
        subroutine magmablas_zgemm_vbatched_nocheck(transa, transb, m, n, k, alpha, da_array, ldda, db_array, lddb, beta, &
            dc_array, lddc, batchcount, queue) bind(C)
            import :: c_double_complex, c_int, c_ptr
            integer(c_int), value :: transa, transb, batchcount
            type(c_ptr), value :: m, n, k, da_array, ldda, db_array, lddb, dc_array, lddc, queue
            complex(c_double_complex), value :: alpha, beta
        end subroutine
        subroutine magmablas_zgemv_batched(trans, m, n, alpha, da_array, ldda, dx_array, incx, beta, dy_array, incy, &
            batchcount, queue) bind(C)
            import :: c_double_complex, c_int, c_ptr
            integer(c_int), value :: trans, m, n, ldda, incx, incy, batchcount
            complex(c_double_complex), value :: alpha, beta
            type(c_ptr), value :: da_array, dx_array, dy_array, queue
        end subroutine
        subroutine magmablas_zgemv_batched_core(trans, m, n, alpha, da_array, ai, aj, ldda, dx_array, xi, incx, beta, &
            dy_array, yi, incy, batchcount, queue) bind(C)
            import :: c_double_complex, c_int, c_ptr
            integer(c_int), value :: trans, m, n, ai, aj, ldda, xi, incx, yi, incy, batchcount
            complex(c_double_complex), value :: alpha, beta
            type(c_ptr), value :: da_array, dx_array, dy_array, queue
        end subroutine
        subroutine magmablas_zgemv_batched_internal(trans, m, n, alpha, da_array, da, ldda, stridea, ai, aj, dx_array, dx, &
            incx, stridex, xi, beta, dy_array, dy, incy, stridey, yi, batchcount, queue) bind(C)
            import :: c_double_complex, c_int, c_ptr
            integer(c_int), value :: trans, m, n, ldda, stridea, ai, aj, incx, stridex, xi, incy, stridey, yi, batchcount
            complex(c_double_complex), value :: alpha, beta
            type(c_ptr), value :: da_array, da, dx_array, dx, dy_array, dy, queue
        end subroutine
        function magmablas_zgemv_batched_smallsq(trans, n, alpha, da_array, ai, aj, ldda, dx_array, xi, incx, beta, &
            dy_array, yi, incy, batchcount, queue) bind(C) result(code)
            import :: c_double_complex, c_int, c_ptr
            integer(c_int), value :: trans, n, ai, aj, ldda, xi, incx, yi, incy, batchcount
            complex(c_double_complex), value :: alpha, beta
            type(c_ptr), value :: da_array, dx_array, dy_array, queue
            integer(c_int) :: code
        end function
        subroutine magmablas_zgemv_batched_strided(trans, m, n, alpha, da, ldda, stridea, dx, incx, stridex, beta, dy, incy, &
            stridey, batchcount, queue) bind(C)
            import :: c_double_complex, c_int, c_ptr
            integer(c_int), value :: trans, m, n, ldda, stridea, incx, stridex, incy, stridey, batchcount
            complex(c_double_complex), value :: alpha, beta
            type(c_ptr), value :: da, dx, dy, queue
        end subroutine
        subroutine magmablas_zgemv_batched_strided_core(trans, m, n, alpha, da, ldda, ai, aj, stridea, dx, incx, xi, &
            stridex, beta, dy, incy, yi, stridey, batchcount, queue) bind(C)
            import :: c_double_complex, c_int, c_ptr
            integer(c_int), value :: trans, m, n, ldda, ai, aj, stridea, incx, xi, stridex, incy, yi, stridey, batchcount
            complex(c_double_complex), value :: alpha, beta
            type(c_ptr), value :: da, dx, dy, queue
        end subroutine
        function magmablas_zgemv_batched_strided_smallsq(transa, n, alpha, da, ai, aj, ldda, stridea, dx, xi, incx, stridex, &
            beta, dy, yi, incy, stridey, batchcount, queue) bind(C) result(code)
            import :: c_double_complex, c_int, c_ptr
            integer(c_int), value :: transa, n, ai, aj, ldda, stridea, xi, incx, stridex, yi, incy, stridey, batchcount
            complex(c_double_complex), value :: alpha, beta
            type(c_ptr), value :: da, dx, dy, queue
            integer(c_int) :: code
        end function
        subroutine magmablas_zgemv_vbatched(trans, m, n, alpha, da_array, ldda, dx_array, incx, beta, dy_array, incy, &
            batchcount, queue) bind(C)
            import :: c_double_complex, c_int, c_ptr
            integer(c_int), value :: trans, batchcount
            type(c_ptr), value :: m, n, da_array, ldda, dx_array, incx, dy_array, incy, queue
            complex(c_double_complex), value :: alpha, beta
        end subroutine
        subroutine magmablas_zgemv_vbatched_max(trans, m, n, alpha, da_array, ldda, dx_array, incx, beta, dy_array, incy, &
            batchcount, max_m, max_n, queue) bind(C)
            import :: c_double_complex, c_int, c_ptr
            integer(c_int), value :: trans, batchcount, max_m, max_n
            type(c_ptr), value :: m, n, da_array, ldda, dx_array, incx, dy_array, incy, queue
            complex(c_double_complex), value :: alpha, beta
        end subroutine
        subroutine magmablas_zgemv_vbatched_max_nocheck(trans, m, n, alpha, da_array, ldda, dx_array, incx, beta, dy_array, &
            incy, batchcount, max_m, max_n, queue) bind(C)
            import :: c_double_complex, c_int, c_ptr
            integer(c_int), value :: trans, batchcount, max_m, max_n
            type(c_ptr), value :: m, n, da_array, ldda, dx_array, incx, dy_array, incy, queue
            complex(c_double_complex), value :: alpha, beta
        end subroutine
        subroutine magmablas_zgemv_vbatched_nocheck(trans, m, n, alpha, da_array, ldda, dx_array, incx, beta, dy_array, &
            incy, batchcount, queue) bind(C)
            import :: c_double_complex, c_int, c_ptr
            integer(c_int), value :: trans, batchcount
            type(c_ptr), value :: m, n, da_array, ldda, dx_array, incx, dy_array, incy, queue
            complex(c_double_complex), value :: alpha, beta
        end subroutine
        subroutine magmablas_zhemm_vbatched(side, uplo, m, n, alpha, da_array, ldda, db_array, lddb, beta, dc_array, lddc, &
            batchcount, queue) bind(C)
            import :: c_double_complex, c_int, c_ptr
            integer(c_int), value :: side, uplo, batchcount
            type(c_ptr), value :: m, n, da_array, ldda, db_array, lddb, dc_array, lddc, queue
            complex(c_double_complex), value :: alpha, beta
        end subroutine
        subroutine magmablas_zhemm_vbatched_core(side, uplo, m, n, alpha, da_array, ldda, db_array, lddb, beta, dc_array, &
            lddc, max_m, max_n, roffa, coffa, roffb, coffb, roffc, coffc, specm, specn, batchcount, queue) bind(C)
            import :: c_double_complex, c_int, c_ptr
            integer(c_int), value :: side, uplo, max_m, max_n, roffa, coffa, roffb, coffb, roffc, coffc, specm, specn, &
                batchcount
            type(c_ptr), value :: m, n, da_array, ldda, db_array, lddb, dc_array, lddc, queue
            complex(c_double_complex), value :: alpha, beta
        end subroutine
        subroutine magmablas_zhemm_vbatched_max(side, uplo, m, n, alpha, da_array, ldda, db_array, lddb, beta, dc_array, &
            lddc, batchcount, max_m, max_n, queue) bind(C)
            import :: c_double_complex, c_int, c_ptr
            integer(c_int), value :: side, uplo, batchcount, max_m, max_n
            type(c_ptr), value :: m, n, da_array, ldda, db_array, lddb, dc_array, lddc, queue
            complex(c_double_complex), value :: alpha, beta
        end subroutine
        subroutine magmablas_zhemm_vbatched_max_nocheck(side, uplo, m, n, alpha, da_array, ldda, db_array, lddb, beta, &
            dc_array, lddc, batchcount, max_m, max_n, queue) bind(C)
            import :: c_double_complex, c_int, c_ptr
            integer(c_int), value :: side, uplo, batchcount, max_m, max_n
            type(c_ptr), value :: m, n, da_array, ldda, db_array, lddb, dc_array, lddc, queue
            complex(c_double_complex), value :: alpha, beta
        end subroutine
        subroutine magmablas_zhemm_vbatched_nocheck(side, uplo, m, n, alpha, da_array, ldda, db_array, lddb, beta, dc_array, &
            lddc, batchcount, queue) bind(C)
            import :: c_double_complex, c_int, c_ptr
            integer(c_int), value :: side, uplo, batchcount
            type(c_ptr), value :: m, n, da_array, ldda, db_array, lddb, dc_array, lddc, queue
            complex(c_double_complex), value :: alpha, beta
        end subroutine
        subroutine magmablas_zher2k_vbatched(uplo, trans, n, k, alpha, da_array, ldda, db_array, lddb, beta, dc_array, lddc, &
            batchcount, queue) bind(C)
            import :: c_double, c_double_complex, c_int, c_ptr
            integer(c_int), value :: uplo, trans, batchcount
            type(c_ptr), value :: n, k, da_array, ldda, db_array, lddb, dc_array, lddc, queue
            complex(c_double_complex), value :: alpha
            real(c_double), value :: beta
        end subroutine
        subroutine magmablas_zher2k_vbatched_max(uplo, trans, n, k, alpha, da_array, ldda, db_array, lddb, beta, dc_array, &
            lddc, batchcount, max_n, max_k, queue) bind(C)
            import :: c_double, c_double_complex, c_int, c_ptr
            integer(c_int), value :: uplo, trans, batchcount, max_n, max_k
            type(c_ptr), value :: n, k, da_array, ldda, db_array, lddb, dc_array, lddc, queue
            complex(c_double_complex), value :: alpha
            real(c_double), value :: beta
        end subroutine
        subroutine magmablas_zher2k_vbatched_max_nocheck(uplo, trans, n, k, alpha, da_array, ldda, db_array, lddb, beta, &
            dc_array, lddc, batchcount, max_n, max_k, queue) bind(C)
            import :: c_double, c_double_complex, c_int, c_ptr
            integer(c_int), value :: uplo, trans, batchcount, max_n, max_k
            type(c_ptr), value :: n, k, da_array, ldda, db_array, lddb, dc_array, lddc, queue
            complex(c_double_complex), value :: alpha
            real(c_double), value :: beta
        end subroutine
        subroutine magmablas_zher2k_vbatched_nocheck(uplo, trans, n, k, alpha, da_array, ldda, db_array, lddb, beta, &
            dc_array, lddc, batchcount, queue) bind(C)
            import :: c_double, c_double_complex, c_int, c_ptr
            integer(c_int), value :: uplo, trans, batchcount
            type(c_ptr), value :: n, k, da_array, ldda, db_array, lddb, dc_array, lddc, queue
            complex(c_double_complex), value :: alpha
            real(c_double), value :: beta
        end subroutine
        subroutine magmablas_zherk_internal_vbatched(uplo, trans, n, k, alpha, da_array, ldda, db_array, lddb, beta, &
            dc_array, lddc, max_n, max_k, batchcount, queue) bind(C)
            import :: c_double_complex, c_int, c_ptr
            integer(c_int), value :: uplo, trans, max_n, max_k, batchcount
            type(c_ptr), value :: n, k, da_array, ldda, db_array, lddb, dc_array, lddc, queue
            complex(c_double_complex), value :: alpha, beta
        end subroutine
        subroutine magmablas_zherk_vbatched(uplo, trans, n, k, alpha, da_array, ldda, beta, dc_array, lddc, batchcount, &
            queue) bind(C)
            import :: c_double, c_int, c_ptr
            integer(c_int), value :: uplo, trans, batchcount
            type(c_ptr), value :: n, k, da_array, ldda, dc_array, lddc, queue
            real(c_double), value :: alpha, beta
        end subroutine
        subroutine magmablas_zherk_vbatched_max(uplo, trans, n, k, alpha, da_array, ldda, beta, dc_array, lddc, batchcount, &
            max_n, max_k, queue) bind(C)
            import :: c_double, c_int, c_ptr
            integer(c_int), value :: uplo, trans, batchcount, max_n, max_k
            type(c_ptr), value :: n, k, da_array, ldda, dc_array, lddc, queue
            real(c_double), value :: alpha, beta
        end subroutine
        subroutine magmablas_zherk_vbatched_max_nocheck(uplo, trans, n, k, alpha, da_array, ldda, beta, dc_array, lddc, &
            batchcount, max_n, max_k, queue) bind(C)
            import :: c_double, c_int, c_ptr
            integer(c_int), value :: uplo, trans, batchcount, max_n, max_k
            type(c_ptr), value :: n, k, da_array, ldda, dc_array, lddc, queue
            real(c_double), value :: alpha, beta
        end subroutine
        subroutine magmablas_zherk_vbatched_nocheck(uplo, trans, n, k, alpha, da_array, ldda, beta, dc_array, lddc, &
            batchcount, queue) bind(C)
            import :: c_double, c_int, c_ptr
            integer(c_int), value :: uplo, trans, batchcount
            type(c_ptr), value :: n, k, da_array, ldda, dc_array, lddc, queue
            real(c_double), value :: alpha, beta
        end subroutine
        subroutine magmablas_zlaset_vbatched(uplo, max_m, max_n, m, n, offdiag, diag, daarray, ldda, batchcount, queue) &
            bind(C)
            import :: c_double_complex, c_int, c_ptr
            integer(c_int), value :: uplo, max_m, max_n, batchcount
            type(c_ptr), value :: m, n, daarray, ldda, queue
            complex(c_double_complex), value :: offdiag, diag
        end subroutine
        subroutine magmablas_zsyr2k_vbatched(uplo, trans, n, k, alpha, da_array, ldda, db_array, lddb, beta, dc_array, lddc, &
            batchcount, queue) bind(C)
            import :: c_double_complex, c_int, c_ptr
            integer(c_int), value :: uplo, trans, batchcount
            type(c_ptr), value :: n, k, da_array, ldda, db_array, lddb, dc_array, lddc, queue
            complex(c_double_complex), value :: alpha, beta
        end subroutine
        subroutine magmablas_zsyr2k_vbatched_max(uplo, trans, n, k, alpha, da_array, ldda, db_array, lddb, beta, dc_array, &
            lddc, batchcount, max_n, max_k, queue) bind(C)
            import :: c_double_complex, c_int, c_ptr
            integer(c_int), value :: uplo, trans, batchcount, max_n, max_k
            type(c_ptr), value :: n, k, da_array, ldda, db_array, lddb, dc_array, lddc, queue
            complex(c_double_complex), value :: alpha, beta
        end subroutine
        subroutine magmablas_zsyr2k_vbatched_max_nocheck(uplo, trans, n, k, alpha, da_array, ldda, db_array, lddb, beta, &
            dc_array, lddc, batchcount, max_n, max_k, queue) bind(C)
            import :: c_double_complex, c_int, c_ptr
            integer(c_int), value :: uplo, trans, batchcount, max_n, max_k
            type(c_ptr), value :: n, k, da_array, ldda, db_array, lddb, dc_array, lddc, queue
            complex(c_double_complex), value :: alpha, beta
        end subroutine
        subroutine magmablas_zsyr2k_vbatched_nocheck(uplo, trans, n, k, alpha, da_array, ldda, db_array, lddb, beta, &
            dc_array, lddc, batchcount, queue) bind(C)
            import :: c_double_complex, c_int, c_ptr
            integer(c_int), value :: uplo, trans, batchcount
            type(c_ptr), value :: n, k, da_array, ldda, db_array, lddb, dc_array, lddc, queue
            complex(c_double_complex), value :: alpha, beta
        end subroutine
        subroutine magmablas_zsyrk_internal_vbatched(uplo, trans, n, k, alpha, da_array, ldda, db_array, lddb, beta, &
            dc_array, lddc, max_n, max_k, batchcount, queue) bind(C)
            import :: c_double_complex, c_int, c_ptr
            integer(c_int), value :: uplo, trans, max_n, max_k, batchcount
            type(c_ptr), value :: n, k, da_array, ldda, db_array, lddb, dc_array, lddc, queue
            complex(c_double_complex), value :: alpha, beta
        end subroutine
        subroutine magmablas_zsyrk_vbatched(uplo, trans, n, k, alpha, da_array, ldda, beta, dc_array, lddc, batchcount, &
            queue) bind(C)
            import :: c_double_complex, c_int, c_ptr
            integer(c_int), value :: uplo, trans, batchcount
            type(c_ptr), value :: n, k, da_array, ldda, dc_array, lddc, queue
            complex(c_double_complex), value :: alpha, beta
        end subroutine
        subroutine magmablas_zsyrk_vbatched_max(uplo, trans, n, k, alpha, da_array, ldda, beta, dc_array, lddc, batchcount, &
            max_n, max_k, queue) bind(C)
            import :: c_double_complex, c_int, c_ptr
            integer(c_int), value :: uplo, trans, batchcount, max_n, max_k
            type(c_ptr), value :: n, k, da_array, ldda, dc_array, lddc, queue
            complex(c_double_complex), value :: alpha, beta
        end subroutine
        subroutine magmablas_zsyrk_vbatched_max_nocheck(uplo, trans, n, k, alpha, da_array, ldda, beta, dc_array, lddc, &
            batchcount, max_n, max_k, queue) bind(C)
            import :: c_double_complex, c_int, c_ptr
            integer(c_int), value :: uplo, trans, batchcount, max_n, max_k
            type(c_ptr), value :: n, k, da_array, ldda, dc_array, lddc, queue
            complex(c_double_complex), value :: alpha, beta
        end subroutine
        subroutine magmablas_zsyrk_vbatched_nocheck(uplo, trans, n, k, alpha, da_array, ldda, beta, dc_array, lddc, &
            batchcount, queue) bind(C)
            import :: c_double_complex, c_int, c_ptr
            integer(c_int), value :: uplo, trans, batchcount
            type(c_ptr), value :: n, k, da_array, ldda, dc_array, lddc, queue
            complex(c_double_complex), value :: alpha, beta
        end subroutine
        subroutine magmablas_ztrmm_vbatched(side, uplo, transa, diag, m, n, alpha, da_array, ldda, db_array, lddb, &
            batchcount, queue) bind(C)
            import :: c_double_complex, c_int, c_ptr
            integer(c_int), value :: side, uplo, transa, diag, batchcount
            type(c_ptr), value :: m, n, da_array, ldda, db_array, lddb, queue
            complex(c_double_complex), value :: alpha
        end subroutine
        subroutine magmablas_ztrmm_vbatched_core(side, uplo, transa, diag, max_m, max_n, m, n, alpha, da_array, ai, aj, &
            ldda, db_array, bi, bj, lddb, batchcount, queue) bind(C)
            import :: c_double_complex, c_int, c_ptr
            integer(c_int), value :: side, uplo, transa, diag, max_m, max_n, ai, aj, bi, bj, batchcount
            type(c_ptr), value :: m, n, da_array, ldda, db_array, lddb, queue
            complex(c_double_complex), value :: alpha
        end subroutine
        subroutine magmablas_ztrmm_vbatched_max(side, uplo, transa, diag, max_m, max_n, m, n, alpha, da_array, ldda, &
            db_array, lddb, batchcount, queue) bind(C)
            import :: c_double_complex, c_int, c_ptr
            integer(c_int), value :: side, uplo, transa, diag, max_m, max_n, batchcount
            type(c_ptr), value :: m, n, da_array, ldda, db_array, lddb, queue
            complex(c_double_complex), value :: alpha
        end subroutine
        subroutine magmablas_ztrmm_vbatched_max_nocheck(side, uplo, transa, diag, max_m, max_n, m, n, alpha, da_array, ldda, &
            db_array, lddb, batchcount, queue) bind(C)
            import :: c_double_complex, c_int, c_ptr
            integer(c_int), value :: side, uplo, transa, diag, max_m, max_n, batchcount
            type(c_ptr), value :: m, n, da_array, ldda, db_array, lddb, queue
            complex(c_double_complex), value :: alpha
        end subroutine
        subroutine magmablas_ztrmm_vbatched_nocheck(side, uplo, transa, diag, m, n, alpha, da_array, ldda, db_array, lddb, &
            batchcount, queue) bind(C)
            import :: c_double_complex, c_int, c_ptr
            integer(c_int), value :: side, uplo, transa, diag, batchcount
            type(c_ptr), value :: m, n, da_array, ldda, db_array, lddb, queue
            complex(c_double_complex), value :: alpha
        end subroutine
        subroutine magmablas_ztrsm_inv_outofplace_vbatched(side, uplo, transa, diag, flag, m, n, alpha, da_array, ldda, &
            db_array, lddb, dx_array, lddx, dinva_array, dinva_length, da_displ, db_displ, dx_displ, dinva_displ, resetozero, &
            batchcount, max_m, max_n, queue) bind(C)
            import :: c_double_complex, c_int, c_ptr
            integer(c_int), value :: side, uplo, transa, diag, flag, resetozero, batchcount, max_m, max_n
            type(c_ptr), value :: m, n, da_array, ldda, db_array, lddb, dx_array, lddx, dinva_array, dinva_length, da_displ, &
                db_displ, dx_displ, dinva_displ, queue
            complex(c_double_complex), value :: alpha
        end subroutine
        subroutine magmablas_ztrsm_inv_vbatched(side, uplo, transa, diag, m, n, alpha, da_array, ldda, db_array, lddb, &
            batchcount, queue) bind(C)
            import :: c_double_complex, c_int, c_ptr
            integer(c_int), value :: side, uplo, transa, diag, batchcount
            type(c_ptr), value :: m, n, da_array, ldda, db_array, lddb, queue
            complex(c_double_complex), value :: alpha
        end subroutine
        subroutine magmablas_ztrsm_inv_vbatched_max(side, uplo, transa, diag, m, n, alpha, da_array, ldda, db_array, lddb, &
            batchcount, max_m, max_n, queue) bind(C)
            import :: c_double_complex, c_int, c_ptr
            integer(c_int), value :: side, uplo, transa, diag, batchcount, max_m, max_n
            type(c_ptr), value :: m, n, da_array, ldda, db_array, lddb, queue
            complex(c_double_complex), value :: alpha
        end subroutine
        subroutine magmablas_ztrsm_inv_vbatched_max_nocheck(side, uplo, transa, diag, m, n, alpha, da_array, ldda, db_array, &
            lddb, batchcount, max_m, max_n, queue) bind(C)
            import :: c_double_complex, c_int, c_ptr
            integer(c_int), value :: side, uplo, transa, diag, batchcount, max_m, max_n
            type(c_ptr), value :: m, n, da_array, ldda, db_array, lddb, queue
            complex(c_double_complex), value :: alpha
        end subroutine
        subroutine magmablas_ztrsm_inv_vbatched_nocheck(side, uplo, transa, diag, m, n, alpha, da_array, ldda, db_array, &
            lddb, batchcount, queue) bind(C)
            import :: c_double_complex, c_int, c_ptr
            integer(c_int), value :: side, uplo, transa, diag, batchcount
            type(c_ptr), value :: m, n, da_array, ldda, db_array, lddb, queue
            complex(c_double_complex), value :: alpha
        end subroutine
        subroutine magmablas_ztrsm_inv_work_vbatched(side, uplo, transa, diag, flag, m, n, alpha, da_array, ldda, db_array, &
            lddb, dx_array, lddx, dinva_array, dinva_length, da_displ, db_displ, dx_displ, dinva_displ, resetozero, batchcount, &
            max_m, max_n, queue) bind(C)
            import :: c_double_complex, c_int, c_ptr
            integer(c_int), value :: side, uplo, transa, diag, flag, resetozero, batchcount, max_m, max_n
            type(c_ptr), value :: m, n, da_array, ldda, db_array, lddb, dx_array, lddx, dinva_array, dinva_length, da_displ, &
                db_displ, dx_displ, dinva_displ, queue
            complex(c_double_complex), value :: alpha
        end subroutine
        subroutine magmablas_ztrsm_small_vbatched(side, uplo, transa, diag, max_m, max_n, m, n, alpha, da_array, ai, aj, &
            ldda, db_array, bi, bj, lddb, batchcount, queue) bind(C)
            import :: c_double_complex, c_int, c_ptr
            integer(c_int), value :: side, uplo, transa, diag, max_m, max_n, ai, aj, bi, bj, batchcount
            type(c_ptr), value :: m, n, da_array, ldda, db_array, lddb, queue
            complex(c_double_complex), value :: alpha
        end subroutine
        subroutine magmablas_ztrsm_vbatched(side, uplo, transa, diag, m, n, alpha, da_array, ldda, db_array, lddb, &
            batchcount, queue) bind(C)
            import :: c_double_complex, c_int, c_ptr
            integer(c_int), value :: side, uplo, transa, diag, batchcount
            type(c_ptr), value :: m, n, da_array, ldda, db_array, lddb, queue
            complex(c_double_complex), value :: alpha
        end subroutine
        subroutine magmablas_ztrsm_vbatched_core(side, uplo, transa, diag, max_m, max_n, m, n, alpha, da_array, ai, aj, &
            ldda, db_array, bi, bj, lddb, batchcount, queue) bind(C)
            import :: c_double_complex, c_int, c_ptr
            integer(c_int), value :: side, uplo, transa, diag, max_m, max_n, ai, aj, bi, bj, batchcount
            type(c_ptr), value :: m, n, da_array, ldda, db_array, lddb, queue
            complex(c_double_complex), value :: alpha
        end subroutine
        subroutine magmablas_ztrsm_vbatched_max(side, uplo, transa, diag, max_m, max_n, m, n, alpha, da_array, ldda, &
            db_array, lddb, batchcount, queue) bind(C)
            import :: c_double_complex, c_int, c_ptr
            integer(c_int), value :: side, uplo, transa, diag, max_m, max_n, batchcount
            type(c_ptr), value :: m, n, da_array, ldda, db_array, lddb, queue
            complex(c_double_complex), value :: alpha
        end subroutine
        subroutine magmablas_ztrsm_vbatched_max_nocheck(side, uplo, transa, diag, max_m, max_n, m, n, alpha, da_array, ldda, &
            db_array, lddb, batchcount, queue) bind(C)
            import :: c_double_complex, c_int, c_ptr
            integer(c_int), value :: side, uplo, transa, diag, max_m, max_n, batchcount
            type(c_ptr), value :: m, n, da_array, ldda, db_array, lddb, queue
            complex(c_double_complex), value :: alpha
        end subroutine
        subroutine magmablas_ztrsm_vbatched_nocheck(side, uplo, transa, diag, m, n, alpha, da_array, ldda, db_array, lddb, &
            batchcount, queue) bind(C)
            import :: c_double_complex, c_int, c_ptr
            integer(c_int), value :: side, uplo, transa, diag, batchcount
            type(c_ptr), value :: m, n, da_array, ldda, db_array, lddb, queue
            complex(c_double_complex), value :: alpha
        end subroutine
    end interface
    ! ---- End of the vendors' other routines

    ! ---- cuBLAS's and MAGMA's handles, queues and memory

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

        ! MAGMA. Its C macros call the _internal names; func and file are C strings for messages.
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
    end interface

    ! ---- native helpers: by scripts/fortran.py from tephra.h
    interface
        ! The library's version, "major.minor.patch".
        function tephra_version() bind(C) result(text)
            import :: c_ptr
            type(c_ptr) :: text
        end function

        ! Describes the build as lines of key=value: version, backends, kernel_hash (of the compiled kernels), archs (the
        ! GPU architectures with compiled kernels).
        function tephra_build_info() bind(C) result(text)
            import :: c_ptr
            type(c_ptr) :: text
        end function

        ! The message of the last failure on the calling thread, "" if there was none; valid until the thread's next
        ! failure. Failures of the cuBLAS- and MAGMA-compatible functions are recorded too.
        function tephra_last_error() bind(C) result(text)
            import :: c_ptr
            type(c_ptr) :: text
        end function

        ! Writes the backend in use to *backend: TEPHRA_BACKEND_CPU or TEPHRA_BACKEND_CUDA. The backend is chosen at the
        ! first call of any function: by TEPHRA_BACKEND=cpu|cuda in the environment, else CUDA if a device is usable, else
        ! the CPU.
        function tephra_get_backend(backend) bind(C) result(status)
            import :: c_int, c_int32_t
            integer(c_int), intent(out) :: backend
            integer(c_int32_t) :: status
        end function

        ! Selects the backend for the whole process. Returns TEPHRA_STATUS_NO_DEVICE, and changes nothing, if it is not
        ! usable. Memory, streams, handles and queues created before belong to the old backend and must no longer be used.
        function tephra_set_backend(backend) bind(C) result(status)
            import :: c_int, c_int32_t
            integer(c_int), value :: backend
            integer(c_int32_t) :: status
        end function

        ! Selects the backend for the calling thread, overriding that of the process; 0 returns to that of the process.
        ! Meant for programs with matrices in both host and device memory. Returns TEPHRA_STATUS_NO_DEVICE, and changes
        ! nothing, if the backend is not usable.
        function tephra_set_thread_backend(backend) bind(C) result(status)
            import :: c_int, c_int32_t
            integer(c_int), value :: backend
            integer(c_int32_t) :: status
        end function

        ! Sets the arithmetic that single-precision calls of the calling thread may use. It affects
        ! tephra_sgeqrf_batched(), tephra_sgeqrf_strided_batched(), tephra_sgeqrf() and MAGMA's sgeqrf on CUDA, where they
        ! apply blocks of reflectors:
        !
        ! - TEPHRA_MATH_FP32: FP32.
        ! - TEPHRA_MATH_TF32: TF32 for up to 2048 rows. A = Q R then holds only to TF32 precision (docs/accuracy.md); Q is
        ! still orthogonal to FP32 precision.
        ! - TEPHRA_MATH_FP32_TENSOR: tensor cores for more than 2048 rows, with errors at most twice those of FP32.
        ! - TEPHRA_MATH_FP16: as TEPHRA_MATH_TF32, and FP16 for more than 2048 rows, with errors of the same size.
        ! - 0: returns to the setting of the environment, TEPHRA_MATH=tf32, fp32_tensor or fp16, else FP32.
        !
        ! This is a permission: all other operations, types and sizes, and the CPU backend, still compute in FP32.
        ! NVIDIA_TF32_OVERRIDE=0 in the environment forbids TF32 and FP16, but not tensor cores with FP32 accuracy. The
        ! cuBLAS-compatible functions follow the math mode of their handle instead (CUBLAS_TF32_TENSOR_OP_MATH,
        ! CUBLAS_FP32_EMULATED_BF16X9_MATH).
        function tephra_set_thread_math(math) bind(C) result(status)
            import :: c_int, c_int32_t
            integer(c_int), value :: math
            integer(c_int32_t) :: status
        end function

        ! Writes the plan for a shape on the current backend as text. op is the name of a routine as in this header, with
        ! the letter of the precision but without prefix and suffix, such as dgeqrf, zungqr or sgetrf_vbatched (but for
        ! gemm_grouped, whose groups are planned as gemm). Other arguments have their most common values: side left,
        ! min(m,n) reflectors (m x n for larft, min(m,32) for larfb), a thin Q, one right-hand side, k = n for products.
        ! Square matrices are of order n, those of rank-k updates of order m with k = n. Where the routine has such an
        ! argument, the options --k, --nrhs and --trans after the name change it: "dgemm --k 16 --trans t",
        ! "zgesv --nrhs 8". The matrices are given by arrays of pointers, or with the option --strided by strides, for
        ! which the plan may differ: "dpotrf --strided".
        !
        ! At most size bytes are written, including the NUL; *needed (may be NULL) receives the size of the whole text, so
        ! a call with size 0 queries it. Arguments are numbered op (with its options) 1, m 2, n 3, batch_count 4. An
        ! unknown name or option gives -1, and tephra_last_error() lists the known ones.
        function tephra_explain(op, m, n, batch_count, text, size, needed) bind(C) result(status)
            import :: c_char, c_int32_t, c_int64_t, c_ptr, c_size_t
            character(kind=c_char), intent(in) :: op(*)
            integer(c_int64_t), value :: m, n, batch_count
            type(c_ptr), value :: text
            integer(c_size_t), value :: size
            integer(c_size_t), intent(out), optional :: needed
            integer(c_int32_t) :: status
        end function

        ! Restricts the plans of later calls, in the whole process, to a comma-separated list of candidates. On CUDA these
        ! are resident, blocked, tree, gram and generic for factorisations; large for LU and Cholesky; stepped for geqp3;
        ! thin, blocked and parts for ormqr, and parts for orgqr; fused and parts for solves, inverses and least squares;
        ! halves for trsm, trsv, trmm, symm and larft; doubling for trtri; padded for few large members of different sizes;
        ! iterative and direct for
        ! gels_iterative; lanes, tiles and split for products. On the CPU they are interleaved, unblocked and blocked for
        ! geqrf.
        !
        ! A name may be followed by "=" and parameters: resident=KERNEL, lanes=KERNEL and tiles=KERNEL (for products) take
        ! the name of a kernel or the end of it; blocked=NB/ORDER (for QR) takes the maximal number of columns of a panel,
        ! at least 1, and the order up to which the trailing matrix is factored by one launch (0: never); blocked=NB is for
        ! LU and Cholesky. A list of lanes=KERNEL and tiles=KERNEL alone restricts products and no other routine.
        !
        ! Among the named candidates the backend uses the one it prefers; a call returns TEPHRA_STATUS_NOT_SUPPORTED if
        ! none supports its shape. NULL or "" lifts the restriction. An unknown candidate, "=" after one that takes no
        ! parameters, an empty KERNEL, or an NB or ORDER that is not such a number, give -1 and change nothing; whether
        ! there is a kernel of that name is not checked. TEPHRA_PLAN in the environment is the initial list.
        function tephra_set_plan(candidates) bind(C) result(status)
            import :: c_char, c_int32_t
            character(kind=c_char), intent(in), optional :: candidates(*)
            integer(c_int32_t) :: status
        end function

        ! Writes the plans that tephra_set_plan() can select for a shape, one per line; the first is the default where
        ! nothing was measured. The line of a plan that is limited to a certain size ends with its maximal rows and
        ! columns. Arguments are as for tephra_explain().
        function tephra_candidates(op, m, n, batch_count, text, size, needed) bind(C) result(status)
            import :: c_char, c_int32_t, c_int64_t, c_ptr, c_size_t
            character(kind=c_char), intent(in) :: op(*)
            integer(c_int64_t), value :: m, n, batch_count
            type(c_ptr), value :: text
            integer(c_size_t), value :: size
            integer(c_size_t), intent(out) :: needed
            integer(c_int32_t) :: status
        end function

        ! With a nonzero argument, the plans of later calls in the whole process do not depend on the batch count: a
        ! matrix gives the same bits in every batch and at every position in it. This costs some speed for batch counts
        ! far from 1000. With 0 (the default), rounding may depend on the batch count. TEPHRA_BATCH_INVARIANT=1 in the
        ! environment has the same effect as a call with 1.
        function tephra_set_batch_invariant(on) bind(C) result(status)
            import :: c_int, c_int32_t
            integer(c_int), value :: on
            integer(c_int32_t) :: status
        end function

        ! Allocates memory for the current backend: device memory of the current device on CUDA, host memory on the CPU.
        function tephra_malloc(pointer, bytes) bind(C) result(status)
            import :: c_int32_t, c_ptr, c_size_t
            type(c_ptr), intent(out) :: pointer
            integer(c_size_t), value :: bytes
            integer(c_int32_t) :: status
        end function

        ! Frees memory of tephra_malloc(); NULL is allowed.
        function tephra_free(pointer) bind(C) result(status)
            import :: c_int32_t, c_ptr
            type(c_ptr), value :: pointer
            integer(c_int32_t) :: status
        end function

        ! Copies bytes between any two addresses in host or device memory, in stream order, and waits for the copy.
        ! Arguments are numbered dst 1, src 2, bytes 3; the addresses may be NULL if bytes is 0.
        function tephra_memcpy(dst, src, bytes, stream) bind(C) result(status)
            import :: c_int32_t, c_ptr, c_size_t
            type(c_ptr), value :: dst, src, stream
            integer(c_size_t), value :: bytes
            integer(c_int32_t) :: status
        end function

        ! Creates a stream that synchronises with the default stream, as cudaStreamCreate() does.
        function tephra_stream_create(stream) bind(C) result(status)
            import :: c_int32_t, c_ptr
            type(c_ptr), intent(out) :: stream
            integer(c_int32_t) :: status
        end function

        ! Destroys a stream of tephra_stream_create(); NULL is allowed.
        function tephra_stream_destroy(stream) bind(C) result(status)
            import :: c_int32_t, c_ptr
            type(c_ptr), value :: stream
            integer(c_int32_t) :: status
        end function

        ! Waits for all work in a stream.
        function tephra_stream_synchronize(stream) bind(C) result(status)
            import :: c_int32_t, c_ptr
            type(c_ptr), value :: stream
            integer(c_int32_t) :: status
        end function

        ! tephra_sgeqp3_batched() for matrices with individual sizes: A(i) is m[i] x n[i], with leading dimension lda[i].
        !
        ! The sizes are in device memory and are never read by the host; max_m and max_n are their upper bounds, by which
        ! the kernels are chosen. The call is asynchronous on the stream, allocates nothing and can be captured in a CUDA
        ! graph; each replay may see different sizes. m[i] = 0 and n[i] = 0 are allowed, and leave jpvt(i) as it is. If
        ! the sizes of a matrix are invalid, nothing of it is read or written except its info, which is -1 if not 0 <=
        ! m[i] <= max_m, else -2 if not 0 <= n[i] <= max_n, else -4 if not lda[i] >= m[i].
        !
        ! | # | argument | |
        ! | - | -------- | - |
        ! | 1 | max_m | no matrix has more rows, max_m >= 0; on CUDA less than 2^31, else TEPHRA_STATUS_NOT_SUPPORTED |
        ! | 2 | max_n | no matrix has more columns, max_n >= 0, likewise |
        ! | 3 | m | batch_count ints in device memory: rows; not NULL when there is work |
        ! | 4 | n | batch_count ints in device memory: columns, likewise |
        ! | 5 | a_array | batch_count pointers to matrices of lda[i]*n[i] elements; not NULL when there is work |
        ! | 6 | lda | batch_count ints in device memory: leading dimensions, in elements; not NULL when there is work |
        ! | 7 | jpvt_array | batch_count pointers to vectors of n[i] ints, likewise |
        ! | 8 | tau_array | batch_count pointers to vectors of max(1,min(m[i],n[i])) elements, likewise |
        ! | 9 | info | one int per matrix in device memory, 0 or as above, or NULL |
        ! | 10 | batch_count | number of matrices, >= 0 |
        ! | 11 | work | workspace in device memory, aligned to 16 bytes, or NULL when none is needed |
        ! | 12 | work_bytes | size of work, at least what tephra_sgeqp3_vbatched_workspace() reports; a smaller one is an
        ! error |
        ! | 13 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
        !
        ! On the CPU backend all of these are in host memory. The call does nothing and returns success when max_m, max_n
        ! or batch_count is 0; all of info is then set to 0.
        function tephra_sgeqp3_vbatched(max_m, max_n, m, n, a_array, lda, jpvt_array, tau_array, info, batch_count, work, &
            work_bytes, stream) bind(C) result(status)
            import :: c_int32_t, c_int64_t, c_ptr, c_size_t
            integer(c_int64_t), value :: max_m, max_n, batch_count
            type(c_ptr), value :: m, n, a_array, lda, jpvt_array, tau_array, info, work, stream
            integer(c_size_t), value :: work_bytes
            integer(c_int32_t) :: status
        end function

        ! Workspace of tephra_sgeqp3_vbatched() in bytes: two norms for each of max_n columns if a matrix may have more
        ! than 128 rows or columns, else 0; 0 on the CPU. Arguments are numbered max_m 1, max_n 2, batch_count 3.
        function tephra_sgeqp3_vbatched_workspace(max_m, max_n, batch_count, bytes) bind(C) result(status)
            import :: c_int32_t, c_int64_t, c_size_t
            integer(c_int64_t), value :: max_m, max_n, batch_count
            integer(c_size_t), intent(out) :: bytes
            integer(c_int32_t) :: status
        end function

        ! tephra_sgeqp3_vbatched() in double precision.
        function tephra_dgeqp3_vbatched(max_m, max_n, m, n, a_array, lda, jpvt_array, tau_array, info, batch_count, work, &
            work_bytes, stream) bind(C) result(status)
            import :: c_int32_t, c_int64_t, c_ptr, c_size_t
            integer(c_int64_t), value :: max_m, max_n, batch_count
            type(c_ptr), value :: m, n, a_array, lda, jpvt_array, tau_array, info, work, stream
            integer(c_size_t), value :: work_bytes
            integer(c_int32_t) :: status
        end function

        ! tephra_sgeqp3_vbatched_workspace() in double precision.
        function tephra_dgeqp3_vbatched_workspace(max_m, max_n, batch_count, bytes) bind(C) result(status)
            import :: c_int32_t, c_int64_t, c_size_t
            integer(c_int64_t), value :: max_m, max_n, batch_count
            integer(c_size_t), intent(out) :: bytes
            integer(c_int32_t) :: status
        end function

        ! tephra_sgeqp3_vbatched() in single precision complex.
        function tephra_cgeqp3_vbatched(max_m, max_n, m, n, a_array, lda, jpvt_array, tau_array, info, batch_count, work, &
            work_bytes, stream) bind(C) result(status)
            import :: c_int32_t, c_int64_t, c_ptr, c_size_t
            integer(c_int64_t), value :: max_m, max_n, batch_count
            type(c_ptr), value :: m, n, a_array, lda, jpvt_array, tau_array, info, work, stream
            integer(c_size_t), value :: work_bytes
            integer(c_int32_t) :: status
        end function

        ! tephra_sgeqp3_vbatched_workspace() in single precision complex.
        function tephra_cgeqp3_vbatched_workspace(max_m, max_n, batch_count, bytes) bind(C) result(status)
            import :: c_int32_t, c_int64_t, c_size_t
            integer(c_int64_t), value :: max_m, max_n, batch_count
            integer(c_size_t), intent(out) :: bytes
            integer(c_int32_t) :: status
        end function

        ! tephra_sgeqp3_vbatched() in double precision complex.
        function tephra_zgeqp3_vbatched(max_m, max_n, m, n, a_array, lda, jpvt_array, tau_array, info, batch_count, work, &
            work_bytes, stream) bind(C) result(status)
            import :: c_int32_t, c_int64_t, c_ptr, c_size_t
            integer(c_int64_t), value :: max_m, max_n, batch_count
            type(c_ptr), value :: m, n, a_array, lda, jpvt_array, tau_array, info, work, stream
            integer(c_size_t), value :: work_bytes
            integer(c_int32_t) :: status
        end function

        ! tephra_sgeqp3_vbatched_workspace() in double precision complex.
        function tephra_zgeqp3_vbatched_workspace(max_m, max_n, batch_count, bytes) bind(C) result(status)
            import :: c_int32_t, c_int64_t, c_size_t
            integer(c_int64_t), value :: max_m, max_n, batch_count
            integer(c_size_t), intent(out) :: bytes
            integer(c_int32_t) :: status
        end function

        ! Converts the row interchanges of an LU factorisation to a permutation: row j of L U is row perm(i)[j - 1] of
        ! A(i), both counted from 1 as in LAPACK (permutations of JAX and PyTorch count from 0). It applies the
        ! interchanges of rows 1, 2, ..., k with rows ipiv(i)[0], ipiv(i)[1], ..., ipiv(i)[k-1], in turn, to the list 1,
        ! 2, ..., m. All operands are ints, so one function serves all precisions. An interchange with a row outside 1,
        ! ..., m is ignored.
        !
        ! The call is asynchronous on the stream, allocates nothing, needs no workspace and can be captured in a CUDA
        ! graph. Members of the batch may share one ipiv; perm must not overlap it.
        !
        ! | # | argument | |
        ! | - | -------- | - |
        ! | 1 | m | rows of A, 0 <= m < 2^31 |
        ! | 2 | k | interchanges, 0 <= k <= m: min(m,n) after tephra_sgetrf_batched() |
        ! | 3 | ipiv_array | batch_count pointers to k ints each; not NULL when there is work and k > 0 |
        ! | 4 | perm_array | batch_count pointers to m ints each; not NULL when there is work |
        ! | 5 | batch_count | number of permutations, >= 0 |
        ! | 6 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
        !
        ! Arrays, interchanges and permutations are in device memory, as for tephra_sgeqrf_batched(). The call does
        ! nothing and returns success when m or batch_count is 0.
        function tephra_lu_to_permutation_batched(m, k, ipiv_array, perm_array, batch_count, stream) bind(C) result(status)
            import :: c_int32_t, c_int64_t, c_ptr
            integer(c_int64_t), value :: m, k, batch_count
            type(c_ptr), value :: ipiv_array, perm_array, stream
            integer(c_int32_t) :: status
        end function

        ! tephra_lu_to_permutation_batched() for interchanges and permutations at constant strides (in ints). With
        ! batch_count > 1, stride_ipiv >= 0 (0: one for all members) and stride_perm >= max(1,m). Arguments are numbered
        ! m 1, k 2, ipiv 3, stride_ipiv 4, perm 5, stride_perm 6, batch_count 7, stream 8.
        function tephra_lu_to_permutation_strided_batched(m, k, ipiv, stride_ipiv, perm, stride_perm, batch_count, stream) &
            bind(C) result(status)
            import :: c_int32_t, c_int64_t, c_ptr
            integer(c_int64_t), value :: m, k, stride_ipiv, stride_perm, batch_count
            type(c_ptr), value :: ipiv, perm, stream
            integer(c_int32_t) :: status
        end function

        ! tephra_sgeqrf_batched() on matrices stored in FP16 or BF16, as `storage` says.
        !
        ! All routines with 16-bit storage work in the same way: operands are widened to FP32, which is exact, the call
        ! computes in FP32 as tephra_sgeqrf_batched() does, and results are rounded to the nearest number of the type,
        ! ties to even. So the errors are those of FP32 plus one rounding of each result, of relative size 2^-11 (FP16) or
        ! 2^-8 (BF16). In FP16, results of 65520 and more become infinite, and results below 2^-14 become subnormal or 0;
        ! BF16 has the range of FP32. Nothing is scaled to keep results in range. A NaN or infinity affects only its own
        ! matrix, and padding is neither read nor written. Of the cuBLAS-compatible functions, only cublasGemmBatchedEx
        ! and cublasGemmStridedBatchedEx compute in this way.
        !
        ! The call is asynchronous on the stream, allocates nothing (except where tephra_sgeqrf_batched() uses scratch
        ! memory from the stream-ordered pool) and can be captured in a CUDA graph. On CUDA, large batches pass through
        ! the workspace a few members at a time, so its size is bounded; on the CPU backend each thread converts a few
        ! members at a time in memory of its own.
        !
        ! | # | argument | |
        ! | - | -------- | - |
        ! | 1 | storage | TEPHRA_STORAGE_FP16 or TEPHRA_STORAGE_BF16: of A and tau |
        ! | 2 | m | rows, m >= 0 |
        ! | 3 | n | columns, n >= 0 |
        ! | 4 | a_array | batch_count pointers to matrices of lda*n elements; not NULL when there is work |
        ! | 5 | lda | leading dimension, in elements, lda >= max(1,m) |
        ! | 6 | tau_array | batch_count pointers to vectors of max(1,min(m,n)) elements, likewise |
        ! | 7 | batch_count | number of matrices, >= 0 |
        ! | 8 | work | workspace in device memory, aligned to 16 bytes, or NULL when none is needed |
        ! | 9 | work_bytes | size of work, at least what tephra_xgeqrf_batched_workspace() reports; a smaller one is an error
        ! |
        ! | 10 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
        !
        ! Arrays and matrices are in device memory, as for tephra_sgeqrf_batched(), and need no alignment beyond their
        ! elements'. The call does nothing and returns success when m, n or batch_count is 0.
        function tephra_xgeqrf_batched(storage, m, n, a_array, lda, tau_array, batch_count, work, work_bytes, stream) &
            bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr, c_size_t
            integer(c_int), value :: storage
            integer(c_int64_t), value :: m, n, lda, batch_count
            type(c_ptr), value :: a_array, tau_array, work, stream
            integer(c_size_t), value :: work_bytes
            integer(c_int32_t) :: status
        end function

        ! Workspace of tephra_xgeqrf_batched() in bytes; 0 on the CPU backend. Its arguments are checked as in that call,
        ! and are numbered storage 1, m 2, n 3, lda 4, batch_count 5.
        function tephra_xgeqrf_batched_workspace(storage, m, n, lda, batch_count, bytes) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_size_t
            integer(c_int), value :: storage
            integer(c_int64_t), value :: m, n, lda, batch_count
            integer(c_size_t), intent(out) :: bytes
            integer(c_int32_t) :: status
        end function

        ! tephra_xgeqrf_batched() for matrices at a constant stride (in elements), as tephra_sgeqrf_strided_batched().
        ! Arguments are numbered storage 1, m 2, n 3, a 4, lda 5, stride_a 6, tau 7, stride_tau 8, batch_count 9, work 10,
        ! work_bytes 11, stream 12.
        function tephra_xgeqrf_strided_batched(storage, m, n, a, lda, stride_a, tau, stride_tau, batch_count, work, &
            work_bytes, stream) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr, c_size_t
            integer(c_int), value :: storage
            integer(c_int64_t), value :: m, n, lda, stride_a, stride_tau, batch_count
            type(c_ptr), value :: a, tau, work, stream
            integer(c_size_t), value :: work_bytes
            integer(c_int32_t) :: status
        end function

        ! Workspace of tephra_xgeqrf_strided_batched() in bytes. Arguments are numbered storage 1, m 2, n 3, lda 4, stride_a
        ! 5,
        ! stride_tau 6, batch_count 7.
        function tephra_xgeqrf_strided_batched_workspace(storage, m, n, lda, stride_a, stride_tau, batch_count, bytes) &
            bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_size_t
            integer(c_int), value :: storage
            integer(c_int64_t), value :: m, n, lda, stride_a, stride_tau, batch_count
            integer(c_size_t), intent(out) :: bytes
            integer(c_int32_t) :: status
        end function

        ! tephra_sqr_batched() on matrices with 16-bit storage, with the rounding of tephra_xgeqrf_batched(): Q is
        ! orthogonal to the type's precision.
        !
        ! | # | argument | |
        ! | - | -------- | - |
        ! | 1 | storage | TEPHRA_STORAGE_FP16 or TEPHRA_STORAGE_BF16: of A, Q and R |
        ! | 2 | part | TEPHRA_Q_NONE, TEPHRA_Q_THIN or TEPHRA_Q_FULL |
        ! | 3 | m | rows of A, m >= 0 |
        ! | 4 | n | columns of A, n >= 0 |
        ! | 5 | a_array | batch_count pointers to m x n matrices; not NULL when there is work |
        ! | 6 | lda | leading dimension of A, lda >= max(1,m) |
        ! | 7 | q_array | batch_count pointers, receive Q; ignored for TEPHRA_Q_NONE |
        ! | 8 | ldq | leading dimension of Q, ldq >= max(1,m); likewise |
        ! | 9 | r_array | batch_count pointers, receive R |
        ! | 10 | ldr | leading dimension of R, at least max(1, rows of R) |
        ! | 11 | batch_count | number of matrices, >= 0 |
        ! | 12 | work | workspace in device memory, aligned to 16 bytes, or NULL when none is needed |
        ! | 13 | work_bytes | size of work, at least what tephra_xqr_batched_workspace() reports; a smaller one is an error |
        ! | 14 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
        !
        ! Otherwise as tephra_sqr_batched().
        function tephra_xqr_batched(storage, part, m, n, a_array, lda, q_array, ldq, r_array, ldr, batch_count, work, &
            work_bytes, stream) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr, c_size_t
            integer(c_int), value :: storage, part
            integer(c_int64_t), value :: m, n, lda, ldq, ldr, batch_count
            type(c_ptr), value :: a_array, q_array, r_array, work, stream
            integer(c_size_t), value :: work_bytes
            integer(c_int32_t) :: status
        end function

        ! Workspace of tephra_xqr_batched() in bytes; 0 on the CPU backend. Its arguments are checked as in that call, and
        ! are numbered storage 1, part 2, m 3, n 4, lda 5, ldq 6, ldr 7, batch_count 8.
        function tephra_xqr_batched_workspace(storage, part, m, n, lda, ldq, ldr, batch_count, bytes) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_size_t
            integer(c_int), value :: storage, part
            integer(c_int64_t), value :: m, n, lda, ldq, ldr, batch_count
            integer(c_size_t), intent(out) :: bytes
            integer(c_int32_t) :: status
        end function

        ! tephra_xqr_batched() for matrices at a constant stride (in elements), as tephra_sqr_strided_batched(). Arguments
        ! are numbered storage 1, part 2, m 3, n 4, a 5, lda 6, stride_a 7, q 8, ldq 9, stride_q 10, r 11, ldr 12,
        ! stride_r 13, batch_count 14, work 15, work_bytes 16, stream 17.
        function tephra_xqr_strided_batched(storage, part, m, n, a, lda, stride_a, q, ldq, stride_q, r, ldr, stride_r, &
            batch_count, work, work_bytes, stream) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr, c_size_t
            integer(c_int), value :: storage, part
            integer(c_int64_t), value :: m, n, lda, stride_a, ldq, stride_q, ldr, stride_r, batch_count
            type(c_ptr), value :: a, q, r, work, stream
            integer(c_size_t), value :: work_bytes
            integer(c_int32_t) :: status
        end function

        ! Workspace of tephra_xqr_strided_batched() in bytes. Arguments are numbered storage 1, part 2, m 3, n 4, lda 5,
        ! stride_a 6,
        ! ldq 7, stride_q 8, ldr 9, stride_r 10, batch_count 11.
        function tephra_xqr_strided_batched_workspace(storage, part, m, n, lda, stride_a, ldq, stride_q, ldr, stride_r, &
            batch_count, bytes) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_size_t
            integer(c_int), value :: storage, part
            integer(c_int64_t), value :: m, n, lda, stride_a, ldq, stride_q, ldr, stride_r, batch_count
            integer(c_size_t), intent(out) :: bytes
            integer(c_int32_t) :: status
        end function

        ! tephra_spotrf_batched() on matrices with 16-bit storage, with the rounding of tephra_xgeqrf_batched(). Only the
        ! triangle is converted; the other one is neither read nor written. info is that of the factorisation in FP32.
        !
        ! | # | argument | |
        ! | - | -------- | - |
        ! | 1 | storage | TEPHRA_STORAGE_FP16 or TEPHRA_STORAGE_BF16 |
        ! | 2 | uplo | TEPHRA_UPLO_UPPER or TEPHRA_UPLO_LOWER: the triangle of A |
        ! | 3 | n | order of A, n >= 0 |
        ! | 4 | a_array | batch_count pointers to n x n matrices; not NULL when there is work |
        ! | 5 | lda | leading dimension of A, lda >= max(1,n) |
        ! | 6 | info | one int per matrix in device memory, or NULL, as tephra_spotrf_batched() |
        ! | 7 | batch_count | number of matrices, >= 0 |
        ! | 8 | work | workspace in device memory, aligned to 16 bytes, or NULL when none is needed |
        ! | 9 | work_bytes | size of work, at least what tephra_xpotrf_batched_workspace() reports; a smaller one is an error
        ! |
        ! | 10 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
        !
        ! Otherwise as tephra_spotrf_batched().
        function tephra_xpotrf_batched(storage, uplo, n, a_array, lda, info, batch_count, work, work_bytes, stream) bind(C) &
            result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr, c_size_t
            integer(c_int), value :: storage, uplo
            integer(c_int64_t), value :: n, lda, batch_count
            type(c_ptr), value :: a_array, info, work, stream
            integer(c_size_t), value :: work_bytes
            integer(c_int32_t) :: status
        end function

        ! Workspace of tephra_xpotrf_batched() in bytes; 0 on the CPU backend. Its arguments are checked as in that call,
        ! and are numbered storage 1, uplo 2, n 3, lda 4, batch_count 5.
        function tephra_xpotrf_batched_workspace(storage, uplo, n, lda, batch_count, bytes) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_size_t
            integer(c_int), value :: storage, uplo
            integer(c_int64_t), value :: n, lda, batch_count
            integer(c_size_t), intent(out) :: bytes
            integer(c_int32_t) :: status
        end function

        ! tephra_xpotrf_batched() for matrices at a constant stride (in elements), as tephra_spotrf_strided_batched().
        ! Arguments are numbered storage 1, uplo 2, n 3, a 4, lda 5, stride_a 6, info 7, batch_count 8, work 9,
        ! work_bytes 10, stream 11.
        function tephra_xpotrf_strided_batched(storage, uplo, n, a, lda, stride_a, info, batch_count, work, work_bytes, &
            stream) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr, c_size_t
            integer(c_int), value :: storage, uplo
            integer(c_int64_t), value :: n, lda, stride_a, batch_count
            type(c_ptr), value :: a, info, work, stream
            integer(c_size_t), value :: work_bytes
            integer(c_int32_t) :: status
        end function

        ! Workspace of tephra_xpotrf_strided_batched() in bytes. Arguments are numbered storage 1, uplo 2, n 3, lda 4,
        ! stride_a 5,
        ! batch_count 6.
        function tephra_xpotrf_strided_batched_workspace(storage, uplo, n, lda, stride_a, batch_count, bytes) bind(C) &
            result(status)
            import :: c_int, c_int32_t, c_int64_t, c_size_t
            integer(c_int), value :: storage, uplo
            integer(c_int64_t), value :: n, lda, stride_a, batch_count
            integer(c_size_t), intent(out) :: bytes
            integer(c_int32_t) :: status
        end function

        ! tephra_sgesv_batched() on matrices with 16-bit storage, with the rounding of tephra_xgeqrf_batched(). ipiv and
        ! info are those of the factorisation in FP32; X is computed from its factors before they are rounded.
        !
        ! | # | argument | |
        ! | - | -------- | - |
        ! | 1 | storage | TEPHRA_STORAGE_FP16 or TEPHRA_STORAGE_BF16: of A and B |
        ! | 2 | n | order of A, n >= 0 |
        ! | 3 | nrhs | right-hand sides, columns of B and X, nrhs >= 0 |
        ! | 4 | a_array | batch_count pointers to n x n matrices; not NULL when there is work |
        ! | 5 | lda | leading dimension of A, lda >= max(1,n) |
        ! | 6 | ipiv_array | batch_count pointers to vectors of n ints, likewise |
        ! | 7 | b_array | batch_count pointers to n x nrhs matrices; not NULL when nrhs > 0 and there is work |
        ! | 8 | ldb | leading dimension of B, ldb >= max(1,n) |
        ! | 9 | info | one int per matrix in device memory, or NULL, as tephra_sgesv_batched() |
        ! | 10 | batch_count | number of matrices, >= 0 |
        ! | 11 | work | workspace in device memory, aligned to 16 bytes, or NULL when none is needed |
        ! | 12 | work_bytes | size of work, at least what tephra_xgesv_batched_workspace() reports; a smaller one is an error
        ! |
        ! | 13 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
        !
        ! Otherwise as tephra_sgesv_batched().
        function tephra_xgesv_batched(storage, n, nrhs, a_array, lda, ipiv_array, b_array, ldb, info, batch_count, work, &
            work_bytes, stream) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr, c_size_t
            integer(c_int), value :: storage
            integer(c_int64_t), value :: n, nrhs, lda, ldb, batch_count
            type(c_ptr), value :: a_array, ipiv_array, b_array, info, work, stream
            integer(c_size_t), value :: work_bytes
            integer(c_int32_t) :: status
        end function

        ! Workspace of tephra_xgesv_batched() in bytes; 0 on the CPU backend. Its arguments are checked as in that call,
        ! and are numbered storage 1, n 2, nrhs 3, lda 4, ldb 5, batch_count 6.
        function tephra_xgesv_batched_workspace(storage, n, nrhs, lda, ldb, batch_count, bytes) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_size_t
            integer(c_int), value :: storage
            integer(c_int64_t), value :: n, nrhs, lda, ldb, batch_count
            integer(c_size_t), intent(out) :: bytes
            integer(c_int32_t) :: status
        end function

        ! tephra_xgesv_batched() for matrices at a constant stride (in elements), as tephra_sgesv_strided_batched().
        ! Arguments are numbered storage 1, n 2, nrhs 3, a 4, lda 5, stride_a 6, ipiv 7, stride_ipiv 8, b 9, ldb 10,
        ! stride_b 11, info 12, batch_count 13, work 14, work_bytes 15, stream 16.
        function tephra_xgesv_strided_batched(storage, n, nrhs, a, lda, stride_a, ipiv, stride_ipiv, b, ldb, stride_b, info, &
            batch_count, work, work_bytes, stream) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr, c_size_t
            integer(c_int), value :: storage
            integer(c_int64_t), value :: n, nrhs, lda, stride_a, stride_ipiv, ldb, stride_b, batch_count
            type(c_ptr), value :: a, ipiv, b, info, work, stream
            integer(c_size_t), value :: work_bytes
            integer(c_int32_t) :: status
        end function

        ! Workspace of tephra_xgesv_strided_batched() in bytes. Arguments are numbered storage 1, n 2, nrhs 3, lda 4, stride_a
        ! 5,
        ! stride_ipiv 6, ldb 7, stride_b 8, batch_count 9.
        function tephra_xgesv_strided_batched_workspace(storage, n, nrhs, lda, stride_a, stride_ipiv, ldb, stride_b, &
            batch_count, bytes) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_size_t
            integer(c_int), value :: storage
            integer(c_int64_t), value :: n, nrhs, lda, stride_a, stride_ipiv, ldb, stride_b, batch_count
            integer(c_size_t), intent(out) :: bytes
            integer(c_int32_t) :: status
        end function

        ! tephra_sgemm_batched() on matrices with 16-bit storage, with the rounding of tephra_xgeqrf_batched(): products
        ! and sums are in FP32, and each element of C is rounded once. cublasGemmBatchedEx on tensor cores is faster, if
        ! the accuracy of their sums is sufficient.
        !
        ! | # | argument | |
        ! | - | -------- | - |
        ! | 1 | storage | TEPHRA_STORAGE_FP16 or TEPHRA_STORAGE_BF16: of A, B and C |
        ! | 2 | trans_a | op of A: TEPHRA_TRANS_N, _T or _C |
        ! | 3 | trans_b | op of B, likewise |
        ! | 4 | m | rows of op(A) and C, m >= 0 |
        ! | 5 | n | columns of op(B) and C, n >= 0 |
        ! | 6 | k | columns of op(A), rows of op(B), k >= 0 |
        ! | 7 | alpha | one float in host memory, read before the call returns; not NULL when there is work |
        ! | 8 | a_array | batch_count pointers to m x k matrices (k x m if transposed); not NULL when they are read |
        ! | 9 | lda | leading dimension of A, lda >= max(1,m) (max(1,k) if transposed) |
        ! | 10 | b_array | batch_count pointers to k x n matrices (n x k if transposed), likewise |
        ! | 11 | ldb | leading dimension of B, ldb >= max(1,k) (max(1,n) if transposed) |
        ! | 12 | beta | one float in host memory, as alpha |
        ! | 13 | c_array | batch_count pointers to m x n matrices; not NULL when there is work |
        ! | 14 | ldc | leading dimension of C, ldc >= max(1,m) |
        ! | 15 | batch_count | number of matrices, >= 0 |
        ! | 16 | work | workspace in device memory, aligned to 16 bytes, or NULL when none is needed |
        ! | 17 | work_bytes | size of work, at least what tephra_xgemm_batched_workspace() reports; a smaller one is an error
        ! |
        ! | 18 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
        !
        ! Otherwise as tephra_sgemm_batched().
        function tephra_xgemm_batched(storage, trans_a, trans_b, m, n, k, alpha, a_array, lda, b_array, ldb, beta, c_array, &
            ldc, batch_count, work, work_bytes, stream) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr, c_size_t
            integer(c_int), value :: storage, trans_a, trans_b
            integer(c_int64_t), value :: m, n, k, lda, ldb, ldc, batch_count
            type(c_ptr), value :: alpha, a_array, b_array, beta, c_array, work, stream
            integer(c_size_t), value :: work_bytes
            integer(c_int32_t) :: status
        end function

        ! Workspace of tephra_xgemm_batched() in bytes, whatever the scalars are; 0 on the CPU backend. Its arguments are
        ! checked as in that call, and are numbered storage 1, trans_a 2, trans_b 3, m 4, n 5, k 6, lda 7, ldb 8, ldc 9,
        ! batch_count 10.
        function tephra_xgemm_batched_workspace(storage, trans_a, trans_b, m, n, k, lda, ldb, ldc, batch_count, bytes) &
            bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_size_t
            integer(c_int), value :: storage, trans_a, trans_b
            integer(c_int64_t), value :: m, n, k, lda, ldb, ldc, batch_count
            integer(c_size_t), intent(out) :: bytes
            integer(c_int32_t) :: status
        end function

        ! tephra_xgemm_batched() for matrices at a constant stride (in elements), as tephra_sgemm_strided_batched().
        ! Arguments are numbered storage 1, trans_a 2, trans_b 3, m 4, n 5, k 6, alpha 7, a 8, lda 9, stride_a 10, b 11,
        ! ldb 12, stride_b 13, beta 14, c 15, ldc 16, stride_c 17, batch_count 18, work 19, work_bytes 20, stream 21.
        function tephra_xgemm_strided_batched(storage, trans_a, trans_b, m, n, k, alpha, a, lda, stride_a, b, ldb, stride_b, &
            beta, c, ldc, stride_c, batch_count, work, work_bytes, stream) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr, c_size_t
            integer(c_int), value :: storage, trans_a, trans_b
            integer(c_int64_t), value :: m, n, k, lda, stride_a, ldb, stride_b, ldc, stride_c, batch_count
            type(c_ptr), value :: alpha, a, b, beta, c, work, stream
            integer(c_size_t), value :: work_bytes
            integer(c_int32_t) :: status
        end function

        ! Workspace of tephra_xgemm_strided_batched() in bytes, whatever the scalars are. Arguments are numbered storage 1,
        ! trans_a 2,
        ! trans_b 3, m 4, n 5, k 6, lda 7, stride_a 8, ldb 9, stride_b 10, ldc 11, stride_c 12, batch_count 13.
        function tephra_xgemm_strided_batched_workspace(storage, trans_a, trans_b, m, n, k, lda, stride_a, ldb, stride_b, &
            ldc, stride_c, batch_count, bytes) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_size_t
            integer(c_int), value :: storage, trans_a, trans_b
            integer(c_int64_t), value :: m, n, k, lda, stride_a, ldb, stride_b, ldc, stride_c, batch_count
            integer(c_size_t), intent(out) :: bytes
            integer(c_int32_t) :: status
        end function

        ! tephra_sgetrf_batched() for matrices with individual sizes: A(i) is m[i] x n[i], with leading dimension lda[i].
        !
        ! The sizes are in device memory and are never read by the host; max_m and max_n are their upper bounds, by which
        ! the kernels are chosen. The call is asynchronous on the stream, allocates nothing (except scratch memory from
        ! the stream-ordered pool for large batches) and can be captured in a CUDA graph; each replay may see different
        ! sizes. m[i] = 0 and n[i] = 0 are allowed. If the sizes of a matrix are invalid, nothing of it is read or written
        ! except its info, which is -1 if not 0 <= m[i] <= max_m, else -2 if not 0 <= n[i] <= max_n, else -4 if not lda[i]
        ! >= m[i].
        !
        ! | # | argument | |
        ! | - | -------- | - |
        ! | 1 | max_m | no matrix has more rows, max_m >= 0 |
        ! | 2 | max_n | no matrix has more columns, max_n >= 0 |
        ! | 3 | m | batch_count ints in device memory: rows; not NULL when there is work |
        ! | 4 | n | batch_count ints in device memory: columns, likewise |
        ! | 5 | a_array | batch_count pointers to matrices of lda[i]*n[i] elements, likewise |
        ! | 6 | lda | batch_count ints in device memory: leading dimensions, in elements, likewise |
        ! | 7 | ipiv_array | batch_count pointers to vectors of min(m[i],n[i]) ints, likewise |
        ! | 8 | info | one int per matrix in device memory, or NULL: as for tephra_sgetrf_batched(), and see above |
        ! | 9 | batch_count | number of matrices, >= 0 |
        ! | 10 | work | workspace in device memory, aligned to 16 bytes, or NULL when none is needed |
        ! | 11 | work_bytes | size of work, at least what tephra_sgetrf_vbatched_workspace() reports; a smaller one is an
        ! error |
        ! | 12 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
        !
        ! On the CPU backend all of these are in host memory. The call does nothing and returns success when max_m, max_n
        ! or batch_count is 0; all of info is then set to 0.
        function tephra_sgetrf_vbatched(max_m, max_n, m, n, a_array, lda, ipiv_array, info, batch_count, work, work_bytes, &
            stream) bind(C) result(status)
            import :: c_int32_t, c_int64_t, c_ptr, c_size_t
            integer(c_int64_t), value :: max_m, max_n, batch_count
            type(c_ptr), value :: m, n, a_array, lda, ipiv_array, info, work, stream
            integer(c_size_t), value :: work_bytes
            integer(c_int32_t) :: status
        end function

        ! Workspace of tephra_sgetrf_vbatched() in bytes. Arguments are numbered max_m 1, max_n 2, batch_count 3.
        function tephra_sgetrf_vbatched_workspace(max_m, max_n, batch_count, bytes) bind(C) result(status)
            import :: c_int32_t, c_int64_t, c_size_t
            integer(c_int64_t), value :: max_m, max_n, batch_count
            integer(c_size_t), intent(out) :: bytes
            integer(c_int32_t) :: status
        end function

        ! tephra_sgetrf_vbatched() without pivoting. Arguments are numbered max_m 1, max_n 2, m 3, n 4, a_array 5, lda 6, info
        ! 7, batch_count 8, work 9, work_bytes 10, stream 11.
        function tephra_sgetrf_nopiv_vbatched(max_m, max_n, m, n, a_array, lda, info, batch_count, work, work_bytes, stream) &
            bind(C) result(status)
            import :: c_int32_t, c_int64_t, c_ptr, c_size_t
            integer(c_int64_t), value :: max_m, max_n, batch_count
            type(c_ptr), value :: m, n, a_array, lda, info, work, stream
            integer(c_size_t), value :: work_bytes
            integer(c_int32_t) :: status
        end function

        ! Workspace of tephra_sgetrf_nopiv_vbatched() in bytes. Arguments are numbered max_m 1, max_n 2, batch_count 3.
        function tephra_sgetrf_nopiv_vbatched_workspace(max_m, max_n, batch_count, bytes) bind(C) result(status)
            import :: c_int32_t, c_int64_t, c_size_t
            integer(c_int64_t), value :: max_m, max_n, batch_count
            integer(c_size_t), intent(out) :: bytes
            integer(c_int32_t) :: status
        end function

        ! tephra_sgetrf_vbatched() in double precision.
        function tephra_dgetrf_vbatched(max_m, max_n, m, n, a_array, lda, ipiv_array, info, batch_count, work, work_bytes, &
            stream) bind(C) result(status)
            import :: c_int32_t, c_int64_t, c_ptr, c_size_t
            integer(c_int64_t), value :: max_m, max_n, batch_count
            type(c_ptr), value :: m, n, a_array, lda, ipiv_array, info, work, stream
            integer(c_size_t), value :: work_bytes
            integer(c_int32_t) :: status
        end function

        ! tephra_sgetrf_vbatched_workspace() in double precision.
        function tephra_dgetrf_vbatched_workspace(max_m, max_n, batch_count, bytes) bind(C) result(status)
            import :: c_int32_t, c_int64_t, c_size_t
            integer(c_int64_t), value :: max_m, max_n, batch_count
            integer(c_size_t), intent(out) :: bytes
            integer(c_int32_t) :: status
        end function

        ! tephra_sgetrf_nopiv_vbatched() in double precision.
        function tephra_dgetrf_nopiv_vbatched(max_m, max_n, m, n, a_array, lda, info, batch_count, work, work_bytes, stream) &
            bind(C) result(status)
            import :: c_int32_t, c_int64_t, c_ptr, c_size_t
            integer(c_int64_t), value :: max_m, max_n, batch_count
            type(c_ptr), value :: m, n, a_array, lda, info, work, stream
            integer(c_size_t), value :: work_bytes
            integer(c_int32_t) :: status
        end function

        ! tephra_sgetrf_nopiv_vbatched_workspace() in double precision.
        function tephra_dgetrf_nopiv_vbatched_workspace(max_m, max_n, batch_count, bytes) bind(C) result(status)
            import :: c_int32_t, c_int64_t, c_size_t
            integer(c_int64_t), value :: max_m, max_n, batch_count
            integer(c_size_t), intent(out) :: bytes
            integer(c_int32_t) :: status
        end function

        ! tephra_sgetrf_vbatched() in single precision complex.
        function tephra_cgetrf_vbatched(max_m, max_n, m, n, a_array, lda, ipiv_array, info, batch_count, work, work_bytes, &
            stream) bind(C) result(status)
            import :: c_int32_t, c_int64_t, c_ptr, c_size_t
            integer(c_int64_t), value :: max_m, max_n, batch_count
            type(c_ptr), value :: m, n, a_array, lda, ipiv_array, info, work, stream
            integer(c_size_t), value :: work_bytes
            integer(c_int32_t) :: status
        end function

        ! tephra_sgetrf_vbatched_workspace() in single precision complex.
        function tephra_cgetrf_vbatched_workspace(max_m, max_n, batch_count, bytes) bind(C) result(status)
            import :: c_int32_t, c_int64_t, c_size_t
            integer(c_int64_t), value :: max_m, max_n, batch_count
            integer(c_size_t), intent(out) :: bytes
            integer(c_int32_t) :: status
        end function

        ! tephra_sgetrf_nopiv_vbatched() in single precision complex.
        function tephra_cgetrf_nopiv_vbatched(max_m, max_n, m, n, a_array, lda, info, batch_count, work, work_bytes, stream) &
            bind(C) result(status)
            import :: c_int32_t, c_int64_t, c_ptr, c_size_t
            integer(c_int64_t), value :: max_m, max_n, batch_count
            type(c_ptr), value :: m, n, a_array, lda, info, work, stream
            integer(c_size_t), value :: work_bytes
            integer(c_int32_t) :: status
        end function

        ! tephra_sgetrf_nopiv_vbatched_workspace() in single precision complex.
        function tephra_cgetrf_nopiv_vbatched_workspace(max_m, max_n, batch_count, bytes) bind(C) result(status)
            import :: c_int32_t, c_int64_t, c_size_t
            integer(c_int64_t), value :: max_m, max_n, batch_count
            integer(c_size_t), intent(out) :: bytes
            integer(c_int32_t) :: status
        end function

        ! tephra_sgetrf_vbatched() in double precision complex.
        function tephra_zgetrf_vbatched(max_m, max_n, m, n, a_array, lda, ipiv_array, info, batch_count, work, work_bytes, &
            stream) bind(C) result(status)
            import :: c_int32_t, c_int64_t, c_ptr, c_size_t
            integer(c_int64_t), value :: max_m, max_n, batch_count
            type(c_ptr), value :: m, n, a_array, lda, ipiv_array, info, work, stream
            integer(c_size_t), value :: work_bytes
            integer(c_int32_t) :: status
        end function

        ! tephra_sgetrf_vbatched_workspace() in double precision complex.
        function tephra_zgetrf_vbatched_workspace(max_m, max_n, batch_count, bytes) bind(C) result(status)
            import :: c_int32_t, c_int64_t, c_size_t
            integer(c_int64_t), value :: max_m, max_n, batch_count
            integer(c_size_t), intent(out) :: bytes
            integer(c_int32_t) :: status
        end function

        ! tephra_sgetrf_nopiv_vbatched() in double precision complex.
        function tephra_zgetrf_nopiv_vbatched(max_m, max_n, m, n, a_array, lda, info, batch_count, work, work_bytes, stream) &
            bind(C) result(status)
            import :: c_int32_t, c_int64_t, c_ptr, c_size_t
            integer(c_int64_t), value :: max_m, max_n, batch_count
            type(c_ptr), value :: m, n, a_array, lda, info, work, stream
            integer(c_size_t), value :: work_bytes
            integer(c_int32_t) :: status
        end function

        ! tephra_sgetrf_nopiv_vbatched_workspace() in double precision complex.
        function tephra_zgetrf_nopiv_vbatched_workspace(max_m, max_n, batch_count, bytes) bind(C) result(status)
            import :: c_int32_t, c_int64_t, c_size_t
            integer(c_int64_t), value :: max_m, max_n, batch_count
            integer(c_size_t), intent(out) :: bytes
            integer(c_int32_t) :: status
        end function

        ! tephra_sgeqrf_batched() for matrices with individual sizes: A(i) is m[i] x n[i], with leading dimension lda[i].
        !
        ! The sizes are in device memory and are never read by the host; max_m and max_n are their upper bounds, by which
        ! the kernels are chosen. The call is asynchronous on the stream, allocates nothing (except scratch memory from
        ! the stream-ordered pool for few large members and for large batches) and can be captured in a CUDA graph; each
        ! replay may see different sizes. m[i] = 0 and n[i] = 0 are allowed. If the sizes of a matrix are invalid, nothing
        ! of it is read or written except its info, which is -1 if not 0 <= m[i] <= max_m, else -2 if not 0 <= n[i] <=
        ! max_n, else -4 if not lda[i] >= m[i]. Computation is always in FP32, whatever tephra_set_thread_math() allows.
        !
        ! | # | argument | |
        ! | - | -------- | - |
        ! | 1 | max_m | no matrix has more rows, max_m >= 0 |
        ! | 2 | max_n | no matrix has more columns, max_n >= 0 |
        ! | 3 | m | batch_count ints in device memory: rows; not NULL when there is work |
        ! | 4 | n | batch_count ints in device memory: columns, likewise |
        ! | 5 | a_array | batch_count pointers to matrices of lda[i]*n[i] elements, likewise |
        ! | 6 | lda | batch_count ints in device memory: leading dimensions, in elements, likewise |
        ! | 7 | tau_array | batch_count pointers to vectors of min(m[i],n[i]) elements, likewise |
        ! | 8 | info | one int per matrix in device memory, or NULL: 0, or as above |
        ! | 9 | batch_count | number of matrices, >= 0 |
        ! | 10 | work | not used; may be NULL |
        ! | 11 | work_bytes | not used |
        ! | 12 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
        !
        ! On the CPU backend all of these are in host memory. The call does nothing and returns success when max_m, max_n
        ! or batch_count is 0; all of info is then set to 0.
        function tephra_sgeqrf_vbatched(max_m, max_n, m, n, a_array, lda, tau_array, info, batch_count, work, work_bytes, &
            stream) bind(C) result(status)
            import :: c_int32_t, c_int64_t, c_ptr, c_size_t
            integer(c_int64_t), value :: max_m, max_n, batch_count
            type(c_ptr), value :: m, n, a_array, lda, tau_array, info, work, stream
            integer(c_size_t), value :: work_bytes
            integer(c_int32_t) :: status
        end function

        ! Workspace of tephra_sgeqrf_vbatched() in bytes: 0. Arguments are numbered max_m 1, max_n 2, batch_count 3.
        function tephra_sgeqrf_vbatched_workspace(max_m, max_n, batch_count, bytes) bind(C) result(status)
            import :: c_int32_t, c_int64_t, c_size_t
            integer(c_int64_t), value :: max_m, max_n, batch_count
            integer(c_size_t), intent(out) :: bytes
            integer(c_int32_t) :: status
        end function

        ! tephra_sgeqrf_vbatched() in double precision.
        function tephra_dgeqrf_vbatched(max_m, max_n, m, n, a_array, lda, tau_array, info, batch_count, work, work_bytes, &
            stream) bind(C) result(status)
            import :: c_int32_t, c_int64_t, c_ptr, c_size_t
            integer(c_int64_t), value :: max_m, max_n, batch_count
            type(c_ptr), value :: m, n, a_array, lda, tau_array, info, work, stream
            integer(c_size_t), value :: work_bytes
            integer(c_int32_t) :: status
        end function

        ! tephra_sgeqrf_vbatched_workspace() in double precision.
        function tephra_dgeqrf_vbatched_workspace(max_m, max_n, batch_count, bytes) bind(C) result(status)
            import :: c_int32_t, c_int64_t, c_size_t
            integer(c_int64_t), value :: max_m, max_n, batch_count
            integer(c_size_t), intent(out) :: bytes
            integer(c_int32_t) :: status
        end function

        ! tephra_sgeqrf_vbatched() in single precision complex.
        function tephra_cgeqrf_vbatched(max_m, max_n, m, n, a_array, lda, tau_array, info, batch_count, work, work_bytes, &
            stream) bind(C) result(status)
            import :: c_int32_t, c_int64_t, c_ptr, c_size_t
            integer(c_int64_t), value :: max_m, max_n, batch_count
            type(c_ptr), value :: m, n, a_array, lda, tau_array, info, work, stream
            integer(c_size_t), value :: work_bytes
            integer(c_int32_t) :: status
        end function

        ! tephra_sgeqrf_vbatched_workspace() in single precision complex.
        function tephra_cgeqrf_vbatched_workspace(max_m, max_n, batch_count, bytes) bind(C) result(status)
            import :: c_int32_t, c_int64_t, c_size_t
            integer(c_int64_t), value :: max_m, max_n, batch_count
            integer(c_size_t), intent(out) :: bytes
            integer(c_int32_t) :: status
        end function

        ! tephra_sgeqrf_vbatched() in double precision complex.
        function tephra_zgeqrf_vbatched(max_m, max_n, m, n, a_array, lda, tau_array, info, batch_count, work, work_bytes, &
            stream) bind(C) result(status)
            import :: c_int32_t, c_int64_t, c_ptr, c_size_t
            integer(c_int64_t), value :: max_m, max_n, batch_count
            type(c_ptr), value :: m, n, a_array, lda, tau_array, info, work, stream
            integer(c_size_t), value :: work_bytes
            integer(c_int32_t) :: status
        end function

        ! tephra_sgeqrf_vbatched_workspace() in double precision complex.
        function tephra_zgeqrf_vbatched_workspace(max_m, max_n, batch_count, bytes) bind(C) result(status)
            import :: c_int32_t, c_int64_t, c_size_t
            integer(c_int64_t), value :: max_m, max_n, batch_count
            integer(c_size_t), intent(out) :: bytes
            integer(c_int32_t) :: status
        end function

        ! tephra_sorgqr_batched() for matrices with individual sizes: the first n[i] columns of Q(i), which has m[i] rows,
        ! overwriting its k[i] reflectors.
        !
        ! The sizes are in device memory and are never read by the host, as for tephra_sgeqrf_vbatched(). If those of a
        ! matrix are invalid, nothing of it is read or written except its info, which is -1 if not 0 <= m[i] <= max_m,
        ! else -2 if not 0 <= n[i] <= min(max_n,m[i]), else -3 if not 0 <= k[i] <= min(max_k,n[i]), else -5 if not
        ! lda[i] >= m[i].
        !
        ! | # | argument | |
        ! | - | -------- | - |
        ! | 1 | max_m | no matrix has more rows, max_m >= 0 |
        ! | 2 | max_n | no matrix has more columns, max_n >= 0 |
        ! | 3 | max_k | none has more reflectors, max_k >= 0 |
        ! | 4 | m | batch_count ints in device memory: rows; not NULL when there is work |
        ! | 5 | n | batch_count ints in device memory: columns, likewise |
        ! | 6 | k | batch_count ints in device memory: reflectors, likewise |
        ! | 7 | a_array | batch_count pointers to matrices of lda[i]*n[i] elements, likewise |
        ! | 8 | lda | batch_count ints in device memory: leading dimensions, in elements, likewise |
        ! | 9 | tau_array | batch_count pointers to vectors of k[i] elements; not NULL when there is work and max_k > 0 |
        ! | 10 | info | one int per matrix in device memory, or NULL: 0, or as above |
        ! | 11 | batch_count | number of matrices, >= 0 |
        ! | 12 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
        !
        ! On the CPU backend all of these are in host memory. The call does nothing and returns success when max_m, max_n
        ! or batch_count is 0; all of info is then set to 0.
        function tephra_sorgqr_vbatched(max_m, max_n, max_k, m, n, k, a_array, lda, tau_array, info, batch_count, stream) &
            bind(C) result(status)
            import :: c_int32_t, c_int64_t, c_ptr
            integer(c_int64_t), value :: max_m, max_n, max_k, batch_count
            type(c_ptr), value :: m, n, k, a_array, lda, tau_array, info, stream
            integer(c_int32_t) :: status
        end function

        ! tephra_sormqr_batched() for matrices with individual sizes: C(i) := op(Q(i)) C(i) or C(i) op(Q(i)), where C(i)
        ! is m[i] x n[i] and Q(i) has k[i] reflectors.
        !
        ! The sizes are in device memory and are never read by the host, as for tephra_sgeqrf_vbatched(). If those of a
        ! member are invalid, nothing of it is read or written except its info, which is -3 if not 0 <= m[i] <= max_m,
        ! else -4 if not 0 <= n[i] <= max_n, else -5 if not 0 <= k[i] <= min(max_k,q), where the order q of Q is m[i]
        ! (left) or n[i] (right); else -7 if not lda[i] >= q, else -10 if not ldc[i] >= m[i].
        !
        ! | # | argument | |
        ! | - | -------- | - |
        ! | 1 | side | TEPHRA_SIDE_LEFT or TEPHRA_SIDE_RIGHT, for all members |
        ! | 2 | trans | TEPHRA_TRANS_N, _T or _C, for all members |
        ! | 3 | max_m | no C has more rows, max_m >= 0 |
        ! | 4 | max_n | no C has more columns, max_n >= 0 |
        ! | 5 | max_k | no Q has more reflectors, max_k >= 0 |
        ! | 6 | m | batch_count ints in device memory: rows of C; not NULL when there is work |
        ! | 7 | n | batch_count ints in device memory: columns of C, likewise |
        ! | 8 | k | batch_count ints in device memory: reflectors, likewise |
        ! | 9 | a_array | batch_count pointers to the reflectors, lda[i]*k[i] elements, likewise |
        ! | 10 | lda | batch_count ints in device memory: leading dimensions, in elements, likewise |
        ! | 11 | tau_array | batch_count pointers to vectors of k[i] elements, likewise |
        ! | 12 | c_array | batch_count pointers to matrices of ldc[i]*n[i] elements, likewise |
        ! | 13 | ldc | batch_count ints in device memory: leading dimensions, in elements, likewise |
        ! | 14 | info | one int per member in device memory, or NULL: 0, or as above |
        ! | 15 | batch_count | number of members, >= 0 |
        ! | 16 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
        !
        ! On the CPU backend all of these are in host memory. The call does nothing and returns success when max_m, max_n,
        ! max_k or batch_count is 0; all of info is then set to 0.
        function tephra_sormqr_vbatched(side, trans, max_m, max_n, max_k, m, n, k, a_array, lda, tau_array, c_array, ldc, &
            info, batch_count, stream) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr
            integer(c_int), value :: side, trans
            integer(c_int64_t), value :: max_m, max_n, max_k, batch_count
            type(c_ptr), value :: m, n, k, a_array, lda, tau_array, c_array, ldc, info, stream
            integer(c_int32_t) :: status
        end function

        ! tephra_sorgqr_vbatched() in double precision.
        function tephra_dorgqr_vbatched(max_m, max_n, max_k, m, n, k, a_array, lda, tau_array, info, batch_count, stream) &
            bind(C) result(status)
            import :: c_int32_t, c_int64_t, c_ptr
            integer(c_int64_t), value :: max_m, max_n, max_k, batch_count
            type(c_ptr), value :: m, n, k, a_array, lda, tau_array, info, stream
            integer(c_int32_t) :: status
        end function

        ! tephra_sormqr_vbatched() in double precision.
        function tephra_dormqr_vbatched(side, trans, max_m, max_n, max_k, m, n, k, a_array, lda, tau_array, c_array, ldc, &
            info, batch_count, stream) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr
            integer(c_int), value :: side, trans
            integer(c_int64_t), value :: max_m, max_n, max_k, batch_count
            type(c_ptr), value :: m, n, k, a_array, lda, tau_array, c_array, ldc, info, stream
            integer(c_int32_t) :: status
        end function

        ! tephra_sorgqr_vbatched() in single precision complex.
        function tephra_cungqr_vbatched(max_m, max_n, max_k, m, n, k, a_array, lda, tau_array, info, batch_count, stream) &
            bind(C) result(status)
            import :: c_int32_t, c_int64_t, c_ptr
            integer(c_int64_t), value :: max_m, max_n, max_k, batch_count
            type(c_ptr), value :: m, n, k, a_array, lda, tau_array, info, stream
            integer(c_int32_t) :: status
        end function

        ! tephra_sormqr_vbatched() in single precision complex. The plain transpose works, too.
        function tephra_cunmqr_vbatched(side, trans, max_m, max_n, max_k, m, n, k, a_array, lda, tau_array, c_array, ldc, &
            info, batch_count, stream) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr
            integer(c_int), value :: side, trans
            integer(c_int64_t), value :: max_m, max_n, max_k, batch_count
            type(c_ptr), value :: m, n, k, a_array, lda, tau_array, c_array, ldc, info, stream
            integer(c_int32_t) :: status
        end function

        ! tephra_sorgqr_vbatched() in double precision complex.
        function tephra_zungqr_vbatched(max_m, max_n, max_k, m, n, k, a_array, lda, tau_array, info, batch_count, stream) &
            bind(C) result(status)
            import :: c_int32_t, c_int64_t, c_ptr
            integer(c_int64_t), value :: max_m, max_n, max_k, batch_count
            type(c_ptr), value :: m, n, k, a_array, lda, tau_array, info, stream
            integer(c_int32_t) :: status
        end function

        ! tephra_sormqr_vbatched() in double precision complex. The plain transpose works, too.
        function tephra_zunmqr_vbatched(side, trans, max_m, max_n, max_k, m, n, k, a_array, lda, tau_array, c_array, ldc, &
            info, batch_count, stream) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr
            integer(c_int), value :: side, trans
            integer(c_int64_t), value :: max_m, max_n, max_k, batch_count
            type(c_ptr), value :: m, n, k, a_array, lda, tau_array, c_array, ldc, info, stream
            integer(c_int32_t) :: status
        end function

        ! tephra_sgemm_batched() for members with individual sizes: op(A(i)) is m[i] x k[i], op(B(i)) k[i] x n[i].
        !
        ! The sizes are in device memory and are never read by the host; max_m, max_n and max_k are their upper bounds, by
        ! which the kernels are chosen. The call is asynchronous on the stream, allocates nothing, needs no workspace and
        ! can be captured in a CUDA graph; each replay may see different sizes. With k[i] = 0, C(i) is scaled by beta.
        ! Members with invalid sizes are neither read nor written, and no error code reports them: those with m[i], n[i]
        ! or k[i] below 0 or above its maximum, or with a leading dimension less than the rows of its matrix; and those
        ! of which a matrix that is needed is NULL.
        !
        ! | # | argument | |
        ! | - | -------- | - |
        ! | 1 | max_m | no C has more rows, max_m >= 0 |
        ! | 2 | max_n | no C has more columns, max_n >= 0 |
        ! | 3 | max_k | no product has more terms, max_k >= 0 |
        ! | 4 | trans_a | op of A: TEPHRA_TRANS_N, _T or _C |
        ! | 5 | trans_b | op of B, likewise |
        ! | 6 | m | batch_count ints in device memory: rows of op(A) and C; not NULL when there is work |
        ! | 7 | n | batch_count ints in device memory: columns of op(B) and C, likewise |
        ! | 8 | k | batch_count ints in device memory: columns of op(A), rows of op(B), likewise |
        ! | 9 | alpha | one number in host memory, read before the call returns; not NULL when there is work |
        ! | 10 | a_array | batch_count pointers to m[i] x k[i] matrices (k[i] x m[i] if transposed); not NULL when they are
        ! read |
        ! | 11 | lda | batch_count ints in device memory: leading dimensions of A, not NULL when there is work |
        ! | 12 | b_array | batch_count pointers to k[i] x n[i] matrices (n[i] x k[i] if transposed), as a_array |
        ! | 13 | ldb | batch_count ints in device memory: leading dimensions of B, as lda |
        ! | 14 | beta | one number in host memory, as alpha |
        ! | 15 | c_array | batch_count pointers to m[i] x n[i] matrices; not NULL when there is work |
        ! | 16 | ldc | batch_count ints in device memory: leading dimensions of C, as lda |
        ! | 17 | batch_count | number of members, >= 0 |
        ! | 18 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
        !
        ! On the CPU backend all of these are in host memory. The call does nothing and returns success when max_m, max_n
        ! or batch_count is 0, or beta is 1 and alpha or max_k is 0. With alpha = 0 or max_k = 0, a_array and b_array may
        ! be NULL.
        function tephra_sgemm_vbatched(max_m, max_n, max_k, trans_a, trans_b, m, n, k, alpha, a_array, lda, b_array, ldb, &
            beta, c_array, ldc, batch_count, stream) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr
            integer(c_int64_t), value :: max_m, max_n, max_k, batch_count
            integer(c_int), value :: trans_a, trans_b
            type(c_ptr), value :: m, n, k, alpha, a_array, lda, b_array, ldb, beta, c_array, ldc, stream
            integer(c_int32_t) :: status
        end function

        ! tephra_sgemv_batched() for members with individual sizes and increments: A(i) is m[i] x n[i].
        !
        ! The sizes are in device memory and are never read by the host; max_m and max_n are their upper bounds, by which
        ! the kernels are chosen. The call is asynchronous on the stream, allocates nothing, needs no workspace and can be
        ! captured in a CUDA graph; each replay may see different sizes. If m[i] or n[i] is 0, nothing is done, as in
        ! BLAS. Members with invalid sizes are neither read nor written, and no error code reports them: those with m[i]
        ! or n[i] below 0 or above its maximum, with a leading dimension that is less than m[i], or with an increment
        ! of 0.
        !
        ! | # | argument | |
        ! | - | -------- | - |
        ! | 1 | max_m | no A has more rows, max_m >= 0 |
        ! | 2 | max_n | no A has more columns, max_n >= 0 |
        ! | 3 | trans | op: TEPHRA_TRANS_N, _T or _C |
        ! | 4 | m | batch_count ints in device memory: rows of A; not NULL when there is work |
        ! | 5 | n | batch_count ints in device memory: columns of A, likewise |
        ! | 6 | alpha | one number in host memory, read before the call returns; not NULL when there is work |
        ! | 7 | a_array | batch_count pointers to m[i] x n[i] matrices; not NULL when they are read |
        ! | 8 | lda | batch_count ints in device memory: leading dimensions of A, not NULL when there is work |
        ! | 9 | x_array | batch_count pointers to vectors of n[i] elements (m[i] if transposed), as a_array |
        ! | 10 | incx | batch_count ints in device memory: increments of x; if negative, x starts with its last element; as
        ! lda |
        ! | 11 | beta | one number in host memory, as alpha |
        ! | 12 | y_array | batch_count pointers to vectors of m[i] elements (n[i] if transposed); not NULL when there is work
        ! |
        ! | 13 | incy | batch_count ints in device memory: increments of y, as incx |
        ! | 14 | batch_count | number of members, >= 0 |
        ! | 15 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
        !
        ! On the CPU backend all of these are in host memory. The call does nothing and returns success when max_m, max_n
        ! or batch_count is 0, or alpha is 0 and beta 1. With alpha = 0, a_array and x_array may be NULL.
        function tephra_sgemv_vbatched(max_m, max_n, trans, m, n, alpha, a_array, lda, x_array, incx, beta, y_array, incy, &
            batch_count, stream) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr
            integer(c_int64_t), value :: max_m, max_n, batch_count
            integer(c_int), value :: trans
            type(c_ptr), value :: m, n, alpha, a_array, lda, x_array, incx, beta, y_array, incy, stream
            integer(c_int32_t) :: status
        end function

        ! tephra_strsm_batched() for members with individual sizes: B(i) is m[i] x n[i].
        !
        ! The sizes are in device memory and are never read by the host; max_m and max_n are their upper bounds, by which
        ! the kernels are chosen. The call is asynchronous on the stream, needs no workspace, allocates nothing (except
        ! scratch memory from the stream-ordered pool for few large members) and can be captured in a CUDA graph; each
        ! replay may see different sizes. Members with invalid sizes are neither read nor written, and no error code
        ! reports them: those with m[i] or n[i] below 0 or above its maximum, or with a leading dimension that is too
        ! small.
        !
        ! | # | argument | |
        ! | - | -------- | - |
        ! | 1 | max_m | no B has more rows, max_m >= 0 |
        ! | 2 | max_n | no B has more columns, max_n >= 0 |
        ! | 3 | side | TEPHRA_SIDE_LEFT or TEPHRA_SIDE_RIGHT |
        ! | 4 | uplo | TEPHRA_UPLO_UPPER or TEPHRA_UPLO_LOWER |
        ! | 5 | trans | TEPHRA_TRANS_N, _T or _C |
        ! | 6 | diag | TEPHRA_DIAG_NON_UNIT or TEPHRA_DIAG_UNIT |
        ! | 7 | m | batch_count ints in device memory: rows of B; not NULL when there is work |
        ! | 8 | n | batch_count ints in device memory: columns of B, likewise |
        ! | 9 | alpha | one number in host memory, read before the call returns; not NULL when there is work |
        ! | 10 | a_array | batch_count pointers to matrices of order q = m[i] (left) or n[i] (right); not NULL unless alpha is
        ! 0 |
        ! | 11 | lda | batch_count ints in device memory: leading dimensions of A, at least q; not NULL when there is work |
        ! | 12 | b_array | batch_count pointers to m[i] x n[i] matrices, likewise |
        ! | 13 | ldb | batch_count ints in device memory: leading dimensions of B, at least m[i]; likewise |
        ! | 14 | batch_count | number of members, >= 0 |
        ! | 15 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
        !
        ! On the CPU backend all of these are in host memory. The call does nothing and returns success when max_m, max_n
        ! or batch_count is 0.
        function tephra_strsm_vbatched(max_m, max_n, side, uplo, trans, diag, m, n, alpha, a_array, lda, b_array, ldb, &
            batch_count, stream) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr
            integer(c_int64_t), value :: max_m, max_n, batch_count
            integer(c_int), value :: side, uplo, trans, diag
            type(c_ptr), value :: m, n, alpha, a_array, lda, b_array, ldb, stream
            integer(c_int32_t) :: status
        end function

        ! tephra_sgemm_vbatched() in double precision.
        function tephra_dgemm_vbatched(max_m, max_n, max_k, trans_a, trans_b, m, n, k, alpha, a_array, lda, b_array, ldb, &
            beta, c_array, ldc, batch_count, stream) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr
            integer(c_int64_t), value :: max_m, max_n, max_k, batch_count
            integer(c_int), value :: trans_a, trans_b
            type(c_ptr), value :: m, n, k, alpha, a_array, lda, b_array, ldb, beta, c_array, ldc, stream
            integer(c_int32_t) :: status
        end function

        ! tephra_sgemv_vbatched() in double precision.
        function tephra_dgemv_vbatched(max_m, max_n, trans, m, n, alpha, a_array, lda, x_array, incx, beta, y_array, incy, &
            batch_count, stream) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr
            integer(c_int64_t), value :: max_m, max_n, batch_count
            integer(c_int), value :: trans
            type(c_ptr), value :: m, n, alpha, a_array, lda, x_array, incx, beta, y_array, incy, stream
            integer(c_int32_t) :: status
        end function

        ! tephra_strsm_vbatched() in double precision.
        function tephra_dtrsm_vbatched(max_m, max_n, side, uplo, trans, diag, m, n, alpha, a_array, lda, b_array, ldb, &
            batch_count, stream) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr
            integer(c_int64_t), value :: max_m, max_n, batch_count
            integer(c_int), value :: side, uplo, trans, diag
            type(c_ptr), value :: m, n, alpha, a_array, lda, b_array, ldb, stream
            integer(c_int32_t) :: status
        end function

        ! tephra_sgemm_vbatched() in single precision complex.
        function tephra_cgemm_vbatched(max_m, max_n, max_k, trans_a, trans_b, m, n, k, alpha, a_array, lda, b_array, ldb, &
            beta, c_array, ldc, batch_count, stream) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr
            integer(c_int64_t), value :: max_m, max_n, max_k, batch_count
            integer(c_int), value :: trans_a, trans_b
            type(c_ptr), value :: m, n, k, alpha, a_array, lda, b_array, ldb, beta, c_array, ldc, stream
            integer(c_int32_t) :: status
        end function

        ! tephra_sgemv_vbatched() in single precision complex.
        function tephra_cgemv_vbatched(max_m, max_n, trans, m, n, alpha, a_array, lda, x_array, incx, beta, y_array, incy, &
            batch_count, stream) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr
            integer(c_int64_t), value :: max_m, max_n, batch_count
            integer(c_int), value :: trans
            type(c_ptr), value :: m, n, alpha, a_array, lda, x_array, incx, beta, y_array, incy, stream
            integer(c_int32_t) :: status
        end function

        ! tephra_strsm_vbatched() in single precision complex.
        function tephra_ctrsm_vbatched(max_m, max_n, side, uplo, trans, diag, m, n, alpha, a_array, lda, b_array, ldb, &
            batch_count, stream) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr
            integer(c_int64_t), value :: max_m, max_n, batch_count
            integer(c_int), value :: side, uplo, trans, diag
            type(c_ptr), value :: m, n, alpha, a_array, lda, b_array, ldb, stream
            integer(c_int32_t) :: status
        end function

        ! tephra_sgemm_vbatched() in double precision complex.
        function tephra_zgemm_vbatched(max_m, max_n, max_k, trans_a, trans_b, m, n, k, alpha, a_array, lda, b_array, ldb, &
            beta, c_array, ldc, batch_count, stream) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr
            integer(c_int64_t), value :: max_m, max_n, max_k, batch_count
            integer(c_int), value :: trans_a, trans_b
            type(c_ptr), value :: m, n, k, alpha, a_array, lda, b_array, ldb, beta, c_array, ldc, stream
            integer(c_int32_t) :: status
        end function

        ! tephra_sgemv_vbatched() in double precision complex.
        function tephra_zgemv_vbatched(max_m, max_n, trans, m, n, alpha, a_array, lda, x_array, incx, beta, y_array, incy, &
            batch_count, stream) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr
            integer(c_int64_t), value :: max_m, max_n, batch_count
            integer(c_int), value :: trans
            type(c_ptr), value :: m, n, alpha, a_array, lda, x_array, incx, beta, y_array, incy, stream
            integer(c_int32_t) :: status
        end function

        ! tephra_strsm_vbatched() in double precision complex.
        function tephra_ztrsm_vbatched(max_m, max_n, side, uplo, trans, diag, m, n, alpha, a_array, lda, b_array, ldb, &
            batch_count, stream) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr
            integer(c_int64_t), value :: max_m, max_n, batch_count
            integer(c_int), value :: side, uplo, trans, diag
            type(c_ptr), value :: m, n, alpha, a_array, lda, b_array, ldb, stream
            integer(c_int32_t) :: status
        end function

        ! tephra_spotrf_batched() for matrices with individual orders: A(i) is n[i] x n[i], with leading dimension lda[i].
        !
        ! The orders are in device memory and are never read by the host; max_n is their upper bound, by which the kernels
        ! are chosen. The call is asynchronous on the stream, allocates nothing (except scratch memory from the
        ! stream-ordered pool for large batches) and can be captured in a CUDA graph; each replay may see different
        ! orders. n[i] = 0 is allowed. If the sizes of a matrix are invalid, nothing of it is read or written except its
        ! info, which is -2 if not 0 <= n[i] <= max_n, else -4 if not lda[i] >= n[i].
        !
        ! | # | argument | |
        ! | - | -------- | - |
        ! | 1 | max_n | no matrix has a higher order, max_n >= 0 |
        ! | 2 | uplo | TEPHRA_UPLO_UPPER or TEPHRA_UPLO_LOWER: the triangle of A |
        ! | 3 | n | batch_count ints in device memory: orders; not NULL when there is work |
        ! | 4 | a_array | batch_count pointers to matrices of lda[i]*n[i] elements, likewise |
        ! | 5 | lda | batch_count ints in device memory: leading dimensions, in elements, likewise |
        ! | 6 | info | one int per matrix in device memory, or NULL: as for tephra_spotrf_batched(), and see above |
        ! | 7 | batch_count | number of matrices, >= 0 |
        ! | 8 | work | workspace in device memory, aligned to 16 bytes, or NULL when none is needed |
        ! | 9 | work_bytes | size of work, at least what tephra_spotrf_vbatched_workspace() reports; a smaller one is an error
        ! |
        ! | 10 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
        !
        ! On the CPU backend all of these are in host memory. The call does nothing and returns success when max_n or
        ! batch_count is 0; all of info is then set to 0.
        function tephra_spotrf_vbatched(max_n, uplo, n, a_array, lda, info, batch_count, work, work_bytes, stream) bind(C) &
            result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr, c_size_t
            integer(c_int64_t), value :: max_n, batch_count
            integer(c_int), value :: uplo
            type(c_ptr), value :: n, a_array, lda, info, work, stream
            integer(c_size_t), value :: work_bytes
            integer(c_int32_t) :: status
        end function

        ! Workspace of tephra_spotrf_vbatched() in bytes. Arguments are numbered max_n 1, uplo 2, batch_count 3.
        function tephra_spotrf_vbatched_workspace(max_n, uplo, batch_count, bytes) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_size_t
            integer(c_int64_t), value :: max_n, batch_count
            integer(c_int), value :: uplo
            integer(c_size_t), intent(out) :: bytes
            integer(c_int32_t) :: status
        end function

        ! tephra_spotrf_vbatched() in double precision.
        function tephra_dpotrf_vbatched(max_n, uplo, n, a_array, lda, info, batch_count, work, work_bytes, stream) bind(C) &
            result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr, c_size_t
            integer(c_int64_t), value :: max_n, batch_count
            integer(c_int), value :: uplo
            type(c_ptr), value :: n, a_array, lda, info, work, stream
            integer(c_size_t), value :: work_bytes
            integer(c_int32_t) :: status
        end function

        ! tephra_spotrf_vbatched_workspace() in double precision.
        function tephra_dpotrf_vbatched_workspace(max_n, uplo, batch_count, bytes) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_size_t
            integer(c_int64_t), value :: max_n, batch_count
            integer(c_int), value :: uplo
            integer(c_size_t), intent(out) :: bytes
            integer(c_int32_t) :: status
        end function

        ! tephra_spotrf_vbatched() in single precision complex.
        function tephra_cpotrf_vbatched(max_n, uplo, n, a_array, lda, info, batch_count, work, work_bytes, stream) bind(C) &
            result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr, c_size_t
            integer(c_int64_t), value :: max_n, batch_count
            integer(c_int), value :: uplo
            type(c_ptr), value :: n, a_array, lda, info, work, stream
            integer(c_size_t), value :: work_bytes
            integer(c_int32_t) :: status
        end function

        ! tephra_spotrf_vbatched_workspace() in single precision complex.
        function tephra_cpotrf_vbatched_workspace(max_n, uplo, batch_count, bytes) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_size_t
            integer(c_int64_t), value :: max_n, batch_count
            integer(c_int), value :: uplo
            integer(c_size_t), intent(out) :: bytes
            integer(c_int32_t) :: status
        end function

        ! tephra_spotrf_vbatched() in double precision complex.
        function tephra_zpotrf_vbatched(max_n, uplo, n, a_array, lda, info, batch_count, work, work_bytes, stream) bind(C) &
            result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr, c_size_t
            integer(c_int64_t), value :: max_n, batch_count
            integer(c_int), value :: uplo
            type(c_ptr), value :: n, a_array, lda, info, work, stream
            integer(c_size_t), value :: work_bytes
            integer(c_int32_t) :: status
        end function

        ! tephra_spotrf_vbatched_workspace() in double precision complex.
        function tephra_zpotrf_vbatched_workspace(max_n, uplo, batch_count, bytes) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_size_t
            integer(c_int64_t), value :: max_n, batch_count
            integer(c_int), value :: uplo
            integer(c_size_t), intent(out) :: bytes
            integer(c_int32_t) :: status
        end function

        ! tephra_sgetri_batched() for matrices with individual orders: C(i) := A(i)^-1, from the factors that
        ! tephra_sgetrf_vbatched() left in A(i). C must not be A.
        !
        ! The orders are in device memory and are never read by the host; max_n is their upper bound, by which the kernels
        ! are chosen. The call is asynchronous on the stream, allocates nothing (except scratch memory from the
        ! stream-ordered pool for few large members) and can be captured in a CUDA graph; each replay may see different
        ! orders. n[i] = 0 is allowed. If the sizes of a member are invalid, nothing of it is read or written except its
        ! info, which is -1 if not 0 <= n[i] <= max_n, else -3 if not lda[i] >= n[i], else -6 if not ldc[i] >= n[i].
        !
        ! | # | argument | |
        ! | - | -------- | - |
        ! | 1 | max_n | no matrix has a higher order, max_n >= 0 |
        ! | 2 | n | batch_count ints in device memory: orders; not NULL when there is work |
        ! | 3 | a_array | batch_count pointers to the factors, likewise |
        ! | 4 | lda | batch_count ints in device memory: leading dimensions of A, in elements, likewise |
        ! | 5 | ipiv_array | batch_count pointers to n[i] ints each, or NULL: no interchanges |
        ! | 6 | c_array | batch_count pointers to n[i] x n[i] matrices, which must not be A; not NULL when there is work |
        ! | 7 | ldc | batch_count ints in device memory: leading dimensions of C, in elements, likewise |
        ! | 8 | info | one int per member in device memory, or NULL: as for tephra_sgetri_batched(), and see above |
        ! | 9 | batch_count | number of members, >= 0 |
        ! | 10 | work | workspace in device memory, aligned to 16 bytes, or NULL when none is needed |
        ! | 11 | work_bytes | size of work, at least what tephra_sgetri_vbatched_workspace() reports; a smaller one is an
        ! error |
        ! | 12 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
        !
        ! On the CPU backend all of these are in host memory. The call does nothing and returns success when max_n or
        ! batch_count is 0; all of info is then set to 0.
        function tephra_sgetri_vbatched(max_n, n, a_array, lda, ipiv_array, c_array, ldc, info, batch_count, work, &
            work_bytes, stream) bind(C) result(status)
            import :: c_int32_t, c_int64_t, c_ptr, c_size_t
            integer(c_int64_t), value :: max_n, batch_count
            type(c_ptr), value :: n, a_array, lda, ipiv_array, c_array, ldc, info, work, stream
            integer(c_size_t), value :: work_bytes
            integer(c_int32_t) :: status
        end function

        ! Workspace of tephra_sgetri_vbatched() in bytes; 0 on the CPU backend. Arguments are numbered max_n 1,
        ! batch_count 2.
        function tephra_sgetri_vbatched_workspace(max_n, batch_count, bytes) bind(C) result(status)
            import :: c_int32_t, c_int64_t, c_size_t
            integer(c_int64_t), value :: max_n, batch_count
            integer(c_size_t), intent(out) :: bytes
            integer(c_int32_t) :: status
        end function

        ! tephra_spotri_batched() for matrices with individual orders, in place, from the factors that
        ! tephra_spotrf_vbatched() left in A(i).
        !
        ! The orders are in device memory and are never read by the host; max_n is their upper bound, by which the kernels
        ! are chosen. The call is asynchronous on the stream, allocates nothing (except scratch memory from the
        ! stream-ordered pool for few large members) and can be captured in a CUDA graph; each replay may see different
        ! orders. n[i] = 0 is allowed. If the sizes of a matrix are invalid, nothing of it is read or written except its
        ! info, which is -2 if not 0 <= n[i] <= max_n, else -4 if not lda[i] >= n[i].
        !
        ! | # | argument | |
        ! | - | -------- | - |
        ! | 1 | max_n | no matrix has a higher order, max_n >= 0 |
        ! | 2 | uplo | TEPHRA_UPLO_UPPER or TEPHRA_UPLO_LOWER: the triangle of A |
        ! | 3 | n | batch_count ints in device memory: orders; not NULL when there is work |
        ! | 4 | a_array | batch_count pointers to the factors, likewise |
        ! | 5 | lda | batch_count ints in device memory: leading dimensions of A, in elements, likewise |
        ! | 6 | info | one int per member in device memory, or NULL: as for tephra_spotri_batched(), and see above |
        ! | 7 | batch_count | number of members, >= 0 |
        ! | 8 | work | workspace in device memory, aligned to 16 bytes, or NULL when none is needed |
        ! | 9 | work_bytes | size of work, at least what tephra_spotri_vbatched_workspace() reports; a smaller one is an error
        ! |
        ! | 10 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
        !
        ! On the CPU backend all of these are in host memory. The call does nothing and returns success when max_n or
        ! batch_count is 0; all of info is then set to 0.
        function tephra_spotri_vbatched(max_n, uplo, n, a_array, lda, info, batch_count, work, work_bytes, stream) bind(C) &
            result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr, c_size_t
            integer(c_int64_t), value :: max_n, batch_count
            integer(c_int), value :: uplo
            type(c_ptr), value :: n, a_array, lda, info, work, stream
            integer(c_size_t), value :: work_bytes
            integer(c_int32_t) :: status
        end function

        ! Workspace of tephra_spotri_vbatched() in bytes; 0 on the CPU backend. Arguments are numbered max_n 1, uplo 2,
        ! batch_count 3.
        function tephra_spotri_vbatched_workspace(max_n, uplo, batch_count, bytes) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_size_t
            integer(c_int64_t), value :: max_n, batch_count
            integer(c_int), value :: uplo
            integer(c_size_t), intent(out) :: bytes
            integer(c_int32_t) :: status
        end function

        ! tephra_sgetri_vbatched() in double precision.
        function tephra_dgetri_vbatched(max_n, n, a_array, lda, ipiv_array, c_array, ldc, info, batch_count, work, &
            work_bytes, stream) bind(C) result(status)
            import :: c_int32_t, c_int64_t, c_ptr, c_size_t
            integer(c_int64_t), value :: max_n, batch_count
            type(c_ptr), value :: n, a_array, lda, ipiv_array, c_array, ldc, info, work, stream
            integer(c_size_t), value :: work_bytes
            integer(c_int32_t) :: status
        end function

        ! tephra_sgetri_vbatched_workspace() in double precision.
        function tephra_dgetri_vbatched_workspace(max_n, batch_count, bytes) bind(C) result(status)
            import :: c_int32_t, c_int64_t, c_size_t
            integer(c_int64_t), value :: max_n, batch_count
            integer(c_size_t), intent(out) :: bytes
            integer(c_int32_t) :: status
        end function

        ! tephra_spotri_vbatched() in double precision.
        function tephra_dpotri_vbatched(max_n, uplo, n, a_array, lda, info, batch_count, work, work_bytes, stream) bind(C) &
            result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr, c_size_t
            integer(c_int64_t), value :: max_n, batch_count
            integer(c_int), value :: uplo
            type(c_ptr), value :: n, a_array, lda, info, work, stream
            integer(c_size_t), value :: work_bytes
            integer(c_int32_t) :: status
        end function

        ! tephra_spotri_vbatched_workspace() in double precision.
        function tephra_dpotri_vbatched_workspace(max_n, uplo, batch_count, bytes) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_size_t
            integer(c_int64_t), value :: max_n, batch_count
            integer(c_int), value :: uplo
            integer(c_size_t), intent(out) :: bytes
            integer(c_int32_t) :: status
        end function

        ! tephra_sgetri_vbatched() in single precision complex.
        function tephra_cgetri_vbatched(max_n, n, a_array, lda, ipiv_array, c_array, ldc, info, batch_count, work, &
            work_bytes, stream) bind(C) result(status)
            import :: c_int32_t, c_int64_t, c_ptr, c_size_t
            integer(c_int64_t), value :: max_n, batch_count
            type(c_ptr), value :: n, a_array, lda, ipiv_array, c_array, ldc, info, work, stream
            integer(c_size_t), value :: work_bytes
            integer(c_int32_t) :: status
        end function

        ! tephra_sgetri_vbatched_workspace() in single precision complex.
        function tephra_cgetri_vbatched_workspace(max_n, batch_count, bytes) bind(C) result(status)
            import :: c_int32_t, c_int64_t, c_size_t
            integer(c_int64_t), value :: max_n, batch_count
            integer(c_size_t), intent(out) :: bytes
            integer(c_int32_t) :: status
        end function

        ! tephra_spotri_vbatched() in single precision complex.
        function tephra_cpotri_vbatched(max_n, uplo, n, a_array, lda, info, batch_count, work, work_bytes, stream) bind(C) &
            result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr, c_size_t
            integer(c_int64_t), value :: max_n, batch_count
            integer(c_int), value :: uplo
            type(c_ptr), value :: n, a_array, lda, info, work, stream
            integer(c_size_t), value :: work_bytes
            integer(c_int32_t) :: status
        end function

        ! tephra_spotri_vbatched_workspace() in single precision complex.
        function tephra_cpotri_vbatched_workspace(max_n, uplo, batch_count, bytes) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_size_t
            integer(c_int64_t), value :: max_n, batch_count
            integer(c_int), value :: uplo
            integer(c_size_t), intent(out) :: bytes
            integer(c_int32_t) :: status
        end function

        ! tephra_sgetri_vbatched() in double precision complex.
        function tephra_zgetri_vbatched(max_n, n, a_array, lda, ipiv_array, c_array, ldc, info, batch_count, work, &
            work_bytes, stream) bind(C) result(status)
            import :: c_int32_t, c_int64_t, c_ptr, c_size_t
            integer(c_int64_t), value :: max_n, batch_count
            type(c_ptr), value :: n, a_array, lda, ipiv_array, c_array, ldc, info, work, stream
            integer(c_size_t), value :: work_bytes
            integer(c_int32_t) :: status
        end function

        ! tephra_sgetri_vbatched_workspace() in double precision complex.
        function tephra_zgetri_vbatched_workspace(max_n, batch_count, bytes) bind(C) result(status)
            import :: c_int32_t, c_int64_t, c_size_t
            integer(c_int64_t), value :: max_n, batch_count
            integer(c_size_t), intent(out) :: bytes
            integer(c_int32_t) :: status
        end function

        ! tephra_spotri_vbatched() in double precision complex.
        function tephra_zpotri_vbatched(max_n, uplo, n, a_array, lda, info, batch_count, work, work_bytes, stream) bind(C) &
            result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr, c_size_t
            integer(c_int64_t), value :: max_n, batch_count
            integer(c_int), value :: uplo
            type(c_ptr), value :: n, a_array, lda, info, work, stream
            integer(c_size_t), value :: work_bytes
            integer(c_int32_t) :: status
        end function

        ! tephra_spotri_vbatched_workspace() in double precision complex.
        function tephra_zpotri_vbatched_workspace(max_n, uplo, batch_count, bytes) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_size_t
            integer(c_int64_t), value :: max_n, batch_count
            integer(c_int), value :: uplo
            integer(c_size_t), intent(out) :: bytes
            integer(c_int32_t) :: status
        end function

        ! tephra_sgels_batched() for systems with individual sizes: A(i) is m[i] x n[i], with nrhs[i] right-hand sides.
        ! The shape of each system decides: with m[i] >= n[i], X(i) is the least-squares solution, else that of least norm
        ! (the other way round for A^H).
        !
        ! The sizes are in device memory and are never read by the host; max_m, max_n and max_nrhs are their upper bounds,
        ! by which the kernels are chosen. The call is asynchronous on the stream, allocates nothing (except scratch
        ! memory from the stream-ordered pool for few large members and for large batches) and can be captured in a CUDA
        ! graph; each replay may see different sizes. m[i] = 0, n[i] = 0 and nrhs[i] = 0 are allowed. If the sizes of a
        ! member are invalid, nothing of it is read or written except its info, which is -2 if not 0 <= m[i] <= max_m,
        ! else -3 if not 0 <= n[i] <= max_n, else -4 if not 0 <= nrhs[i] <= max_nrhs, else -6 if not lda[i] >= m[i], else
        ! -8 if not ldb[i] >= max(m[i],n[i]).
        !
        ! | # | argument | |
        ! | - | -------- | - |
        ! | 1 | max_m | no matrix has more rows, max_m >= 0 |
        ! | 2 | max_n | no matrix has more columns, max_n >= 0 |
        ! | 3 | max_nrhs | no B has more columns, max_nrhs >= 0 |
        ! | 4 | trans | TEPHRA_TRANS_N, _T or _C; _T is for real types only, as in LAPACK |
        ! | 5 | m | batch_count ints in device memory: rows of A; not NULL when there is work |
        ! | 6 | n | batch_count ints in device memory: columns of A, likewise |
        ! | 7 | nrhs | batch_count ints in device memory: right-hand sides, likewise |
        ! | 8 | a_array | batch_count pointers to m[i] x n[i] matrices; not NULL when there is work, max_m > 0 and max_n > 0 |
        ! | 9 | lda | batch_count ints in device memory: leading dimensions of A, in elements; not NULL when there is work |
        ! | 10 | b_array | batch_count pointers to max(m[i],n[i]) x nrhs[i] matrices; not NULL when there is work and max_nrhs
        ! > 0 |
        ! | 11 | ldb | batch_count ints in device memory: leading dimensions of B, in elements; not NULL when there is work |
        ! | 12 | info | one int per member in device memory, or NULL: as for tephra_sgels_batched(), and see above |
        ! | 13 | batch_count | number of members, >= 0 |
        ! | 14 | work | workspace in device memory, aligned to 16 bytes, or NULL when none is needed |
        ! | 15 | work_bytes | size of work, at least what tephra_sgels_vbatched_workspace() reports; a smaller one is an error
        ! |
        ! | 16 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
        !
        ! On the CPU backend all of these are in host memory. The call does nothing and returns success when batch_count
        ! or the upper bound of the rows of X is 0; all of info is then set to 0.
        function tephra_sgels_vbatched(max_m, max_n, max_nrhs, trans, m, n, nrhs, a_array, lda, b_array, ldb, info, &
            batch_count, work, work_bytes, stream) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr, c_size_t
            integer(c_int64_t), value :: max_m, max_n, max_nrhs, batch_count
            integer(c_int), value :: trans
            type(c_ptr), value :: m, n, nrhs, a_array, lda, b_array, ldb, info, work, stream
            integer(c_size_t), value :: work_bytes
            integer(c_int32_t) :: status
        end function

        ! Workspace of tephra_sgels_vbatched() in bytes: space for the transposes of members with more columns than rows;
        ! 0 on the CPU backend. Arguments are numbered max_m 1, max_n 2, max_nrhs 3, trans 4, batch_count 5.
        function tephra_sgels_vbatched_workspace(max_m, max_n, max_nrhs, trans, batch_count, bytes) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_size_t
            integer(c_int64_t), value :: max_m, max_n, max_nrhs, batch_count
            integer(c_int), value :: trans
            integer(c_size_t), intent(out) :: bytes
            integer(c_int32_t) :: status
        end function

        ! tephra_sgelqf_batched() for matrices with individual sizes: A(i) is m[i] x n[i], with leading dimension lda[i].
        !
        ! The sizes are in device memory and are never read by the host; max_m and max_n are their upper bounds, by which
        ! the kernels are chosen. The call is asynchronous on the stream, allocates nothing (except scratch memory from
        ! the stream-ordered pool for few large members and for large batches) and can be captured in a CUDA graph; each
        ! replay may see different sizes. m[i] = 0 and n[i] = 0 are allowed. If the sizes of a matrix are invalid, nothing
        ! of it is read or written except its info, which is -1 if not 0 <= m[i] <= max_m, else -2 if not 0 <= n[i] <=
        ! max_n, else -4 if not lda[i] >= m[i].
        !
        ! The arguments are those of tephra_sgeqrf_vbatched() and are numbered in the same way, except that the call needs
        ! a workspace of at least tephra_sgelqf_vbatched_workspace() bytes.
        !
        ! On the CPU backend all of these are in host memory. The call does nothing and returns success when max_m, max_n
        ! or batch_count is 0; all of info is then set to 0.
        function tephra_sgelqf_vbatched(max_m, max_n, m, n, a_array, lda, tau_array, info, batch_count, work, work_bytes, &
            stream) bind(C) result(status)
            import :: c_int32_t, c_int64_t, c_ptr, c_size_t
            integer(c_int64_t), value :: max_m, max_n, batch_count
            type(c_ptr), value :: m, n, a_array, lda, tau_array, info, work, stream
            integer(c_size_t), value :: work_bytes
            integer(c_int32_t) :: status
        end function

        ! Workspace of tephra_sgelqf_vbatched() in bytes; 0 on the CPU backend. Arguments are numbered max_m 1, max_n 2,
        ! batch_count 3.
        function tephra_sgelqf_vbatched_workspace(max_m, max_n, batch_count, bytes) bind(C) result(status)
            import :: c_int32_t, c_int64_t, c_size_t
            integer(c_int64_t), value :: max_m, max_n, batch_count
            integer(c_size_t), intent(out) :: bytes
            integer(c_int32_t) :: status
        end function

        ! tephra_sgels_vbatched() in double precision.
        function tephra_dgels_vbatched(max_m, max_n, max_nrhs, trans, m, n, nrhs, a_array, lda, b_array, ldb, info, &
            batch_count, work, work_bytes, stream) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr, c_size_t
            integer(c_int64_t), value :: max_m, max_n, max_nrhs, batch_count
            integer(c_int), value :: trans
            type(c_ptr), value :: m, n, nrhs, a_array, lda, b_array, ldb, info, work, stream
            integer(c_size_t), value :: work_bytes
            integer(c_int32_t) :: status
        end function

        ! tephra_sgels_vbatched_workspace() in double precision.
        function tephra_dgels_vbatched_workspace(max_m, max_n, max_nrhs, trans, batch_count, bytes) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_size_t
            integer(c_int64_t), value :: max_m, max_n, max_nrhs, batch_count
            integer(c_int), value :: trans
            integer(c_size_t), intent(out) :: bytes
            integer(c_int32_t) :: status
        end function

        ! tephra_sgelqf_vbatched() in double precision.
        function tephra_dgelqf_vbatched(max_m, max_n, m, n, a_array, lda, tau_array, info, batch_count, work, work_bytes, &
            stream) bind(C) result(status)
            import :: c_int32_t, c_int64_t, c_ptr, c_size_t
            integer(c_int64_t), value :: max_m, max_n, batch_count
            type(c_ptr), value :: m, n, a_array, lda, tau_array, info, work, stream
            integer(c_size_t), value :: work_bytes
            integer(c_int32_t) :: status
        end function

        ! tephra_sgelqf_vbatched_workspace() in double precision.
        function tephra_dgelqf_vbatched_workspace(max_m, max_n, batch_count, bytes) bind(C) result(status)
            import :: c_int32_t, c_int64_t, c_size_t
            integer(c_int64_t), value :: max_m, max_n, batch_count
            integer(c_size_t), intent(out) :: bytes
            integer(c_int32_t) :: status
        end function

        ! tephra_sgels_vbatched() in single precision complex.
        function tephra_cgels_vbatched(max_m, max_n, max_nrhs, trans, m, n, nrhs, a_array, lda, b_array, ldb, info, &
            batch_count, work, work_bytes, stream) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr, c_size_t
            integer(c_int64_t), value :: max_m, max_n, max_nrhs, batch_count
            integer(c_int), value :: trans
            type(c_ptr), value :: m, n, nrhs, a_array, lda, b_array, ldb, info, work, stream
            integer(c_size_t), value :: work_bytes
            integer(c_int32_t) :: status
        end function

        ! tephra_sgels_vbatched_workspace() in single precision complex.
        function tephra_cgels_vbatched_workspace(max_m, max_n, max_nrhs, trans, batch_count, bytes) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_size_t
            integer(c_int64_t), value :: max_m, max_n, max_nrhs, batch_count
            integer(c_int), value :: trans
            integer(c_size_t), intent(out) :: bytes
            integer(c_int32_t) :: status
        end function

        ! tephra_sgelqf_vbatched() in single precision complex.
        function tephra_cgelqf_vbatched(max_m, max_n, m, n, a_array, lda, tau_array, info, batch_count, work, work_bytes, &
            stream) bind(C) result(status)
            import :: c_int32_t, c_int64_t, c_ptr, c_size_t
            integer(c_int64_t), value :: max_m, max_n, batch_count
            type(c_ptr), value :: m, n, a_array, lda, tau_array, info, work, stream
            integer(c_size_t), value :: work_bytes
            integer(c_int32_t) :: status
        end function

        ! tephra_sgelqf_vbatched_workspace() in single precision complex.
        function tephra_cgelqf_vbatched_workspace(max_m, max_n, batch_count, bytes) bind(C) result(status)
            import :: c_int32_t, c_int64_t, c_size_t
            integer(c_int64_t), value :: max_m, max_n, batch_count
            integer(c_size_t), intent(out) :: bytes
            integer(c_int32_t) :: status
        end function

        ! tephra_sgels_vbatched() in double precision complex.
        function tephra_zgels_vbatched(max_m, max_n, max_nrhs, trans, m, n, nrhs, a_array, lda, b_array, ldb, info, &
            batch_count, work, work_bytes, stream) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr, c_size_t
            integer(c_int64_t), value :: max_m, max_n, max_nrhs, batch_count
            integer(c_int), value :: trans
            type(c_ptr), value :: m, n, nrhs, a_array, lda, b_array, ldb, info, work, stream
            integer(c_size_t), value :: work_bytes
            integer(c_int32_t) :: status
        end function

        ! tephra_sgels_vbatched_workspace() in double precision complex.
        function tephra_zgels_vbatched_workspace(max_m, max_n, max_nrhs, trans, batch_count, bytes) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_size_t
            integer(c_int64_t), value :: max_m, max_n, max_nrhs, batch_count
            integer(c_int), value :: trans
            integer(c_size_t), intent(out) :: bytes
            integer(c_int32_t) :: status
        end function

        ! tephra_sgelqf_vbatched() in double precision complex.
        function tephra_zgelqf_vbatched(max_m, max_n, m, n, a_array, lda, tau_array, info, batch_count, work, work_bytes, &
            stream) bind(C) result(status)
            import :: c_int32_t, c_int64_t, c_ptr, c_size_t
            integer(c_int64_t), value :: max_m, max_n, batch_count
            type(c_ptr), value :: m, n, a_array, lda, tau_array, info, work, stream
            integer(c_size_t), value :: work_bytes
            integer(c_int32_t) :: status
        end function

        ! tephra_sgelqf_vbatched_workspace() in double precision complex.
        function tephra_zgelqf_vbatched_workspace(max_m, max_n, batch_count, bytes) bind(C) result(status)
            import :: c_int32_t, c_int64_t, c_size_t
            integer(c_int64_t), value :: max_m, max_n, batch_count
            integer(c_size_t), intent(out) :: bytes
            integer(c_int32_t) :: status
        end function

        ! tephra_ssyrk_batched() for members with individual sizes: C(i) has order n[i], op(A(i)) k[i] columns.
        !
        ! The sizes are in device memory and are never read by the host; max_n and max_k are their upper bounds, by which
        ! the kernels are chosen. The call is asynchronous on the stream, allocates nothing, needs no workspace and can be
        ! captured in a CUDA graph; each replay may see different sizes. With k[i] = 0, C(i) is scaled by beta. Members
        ! with invalid sizes are neither read nor written, and no error code reports them: those with n[i] or k[i] below 0
        ! or above its maximum, or with a leading dimension less than the rows of its matrix.
        !
        ! | # | argument | |
        ! | - | -------- | - |
        ! | 1 | max_n | no C has a higher order, max_n >= 0 |
        ! | 2 | max_k | no product has more terms, max_k >= 0 |
        ! | 3 | uplo | TEPHRA_UPLO_UPPER or TEPHRA_UPLO_LOWER: the triangle of C |
        ! | 4 | trans | TEPHRA_TRANS_N or _T; for real types _C is the same as _T |
        ! | 5 | n | batch_count ints in device memory: orders of C; not NULL when there is work |
        ! | 6 | k | batch_count ints in device memory: columns of op(A), likewise |
        ! | 7 | alpha | one number in host memory, read before the call returns; not NULL when there is work |
        ! | 8 | a_array | batch_count pointers to n[i] x k[i] matrices, k[i] x n[i] where trans is not N; not NULL when they
        ! are read |
        ! | 9 | lda | batch_count ints in device memory: leading dimensions of A; not NULL when there is work |
        ! | 10 | beta | one number in host memory, as alpha |
        ! | 11 | c_array | batch_count pointers to matrices of order n[i]; not NULL when there is work |
        ! | 12 | ldc | batch_count ints in device memory: leading dimensions of C, as lda |
        ! | 13 | batch_count | number of members, >= 0 |
        ! | 14 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
        !
        ! On the CPU backend all of these are in host memory. The call does nothing and returns success when max_n or
        ! batch_count is
        ! 0. With alpha = 0 or max_k = 0, a_array may be NULL.
        function tephra_ssyrk_vbatched(max_n, max_k, uplo, trans, n, k, alpha, a_array, lda, beta, c_array, ldc, &
            batch_count, stream) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr
            integer(c_int64_t), value :: max_n, max_k, batch_count
            integer(c_int), value :: uplo, trans
            type(c_ptr), value :: n, k, alpha, a_array, lda, beta, c_array, ldc, stream
            integer(c_int32_t) :: status
        end function

        ! tephra_ssyr2k_batched() for members with individual sizes: C(i) has order n[i], op(A(i)) and op(B(i)) k[i]
        ! columns.
        !
        ! The sizes are in device memory and are never read by the host; max_n and max_k are their upper bounds, by which
        ! the kernels are chosen. The call is asynchronous on the stream, allocates nothing, needs no workspace and can be
        ! captured in a CUDA graph; each replay may see different sizes. With k[i] = 0, C(i) is scaled by beta. Members
        ! with invalid sizes are neither read nor written, and no error code reports them: those with n[i] or k[i] below 0
        ! or above its maximum, or with a leading dimension less than the rows of its matrix.
        !
        ! | # | argument | |
        ! | - | -------- | - |
        ! | 1 | max_n | no C has a higher order, max_n >= 0 |
        ! | 2 | max_k | no product has more terms, max_k >= 0 |
        ! | 3 | uplo | TEPHRA_UPLO_UPPER or TEPHRA_UPLO_LOWER: the triangle of C |
        ! | 4 | trans | TEPHRA_TRANS_N or _T; for real types _C is the same as _T |
        ! | 5 | n | batch_count ints in device memory: orders of C; not NULL when there is work |
        ! | 6 | k | batch_count ints in device memory: columns of op(A), likewise |
        ! | 7 | alpha | one number in host memory, read before the call returns; not NULL when there is work |
        ! | 8 | a_array | batch_count pointers to n[i] x k[i] matrices, k[i] x n[i] where trans is not N; not NULL when they
        ! are read |
        ! | 9 | lda | batch_count ints in device memory: leading dimensions of A; not NULL when there is work |
        ! | 10 | b_array | batch_count pointers to matrices of A's shape, as a_array |
        ! | 11 | ldb | batch_count ints in device memory: leading dimensions of B, as lda |
        ! | 12 | beta | one number in host memory, as alpha |
        ! | 13 | c_array | batch_count pointers to matrices of order n[i]; not NULL when there is work |
        ! | 14 | ldc | batch_count ints in device memory: leading dimensions of C, as lda |
        ! | 15 | batch_count | number of members, >= 0 |
        ! | 16 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
        !
        ! On the CPU backend all of these are in host memory. The call does nothing and returns success when max_n or
        ! batch_count is
        ! 0. With alpha = 0 or max_k = 0, a_array and b_array may be NULL.
        function tephra_ssyr2k_vbatched(max_n, max_k, uplo, trans, n, k, alpha, a_array, lda, b_array, ldb, beta, c_array, &
            ldc, batch_count, stream) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr
            integer(c_int64_t), value :: max_n, max_k, batch_count
            integer(c_int), value :: uplo, trans
            type(c_ptr), value :: n, k, alpha, a_array, lda, b_array, ldb, beta, c_array, ldc, stream
            integer(c_int32_t) :: status
        end function

        ! tephra_ssyrk_vbatched() in double precision.
        function tephra_dsyrk_vbatched(max_n, max_k, uplo, trans, n, k, alpha, a_array, lda, beta, c_array, ldc, &
            batch_count, stream) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr
            integer(c_int64_t), value :: max_n, max_k, batch_count
            integer(c_int), value :: uplo, trans
            type(c_ptr), value :: n, k, alpha, a_array, lda, beta, c_array, ldc, stream
            integer(c_int32_t) :: status
        end function

        ! tephra_ssyr2k_vbatched() in double precision.
        function tephra_dsyr2k_vbatched(max_n, max_k, uplo, trans, n, k, alpha, a_array, lda, b_array, ldb, beta, c_array, &
            ldc, batch_count, stream) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr
            integer(c_int64_t), value :: max_n, max_k, batch_count
            integer(c_int), value :: uplo, trans
            type(c_ptr), value :: n, k, alpha, a_array, lda, b_array, ldb, beta, c_array, ldc, stream
            integer(c_int32_t) :: status
        end function

        ! tephra_ssyrk_vbatched() in single precision complex.
        function tephra_csyrk_vbatched(max_n, max_k, uplo, trans, n, k, alpha, a_array, lda, beta, c_array, ldc, &
            batch_count, stream) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr
            integer(c_int64_t), value :: max_n, max_k, batch_count
            integer(c_int), value :: uplo, trans
            type(c_ptr), value :: n, k, alpha, a_array, lda, beta, c_array, ldc, stream
            integer(c_int32_t) :: status
        end function

        ! tephra_ssyr2k_vbatched() in single precision complex.
        function tephra_csyr2k_vbatched(max_n, max_k, uplo, trans, n, k, alpha, a_array, lda, b_array, ldb, beta, c_array, &
            ldc, batch_count, stream) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr
            integer(c_int64_t), value :: max_n, max_k, batch_count
            integer(c_int), value :: uplo, trans
            type(c_ptr), value :: n, k, alpha, a_array, lda, b_array, ldb, beta, c_array, ldc, stream
            integer(c_int32_t) :: status
        end function

        ! tephra_ssyrk_vbatched() in double precision complex.
        function tephra_zsyrk_vbatched(max_n, max_k, uplo, trans, n, k, alpha, a_array, lda, beta, c_array, ldc, &
            batch_count, stream) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr
            integer(c_int64_t), value :: max_n, max_k, batch_count
            integer(c_int), value :: uplo, trans
            type(c_ptr), value :: n, k, alpha, a_array, lda, beta, c_array, ldc, stream
            integer(c_int32_t) :: status
        end function

        ! tephra_ssyr2k_vbatched() in double precision complex.
        function tephra_zsyr2k_vbatched(max_n, max_k, uplo, trans, n, k, alpha, a_array, lda, b_array, ldb, beta, c_array, &
            ldc, batch_count, stream) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr
            integer(c_int64_t), value :: max_n, max_k, batch_count
            integer(c_int), value :: uplo, trans
            type(c_ptr), value :: n, k, alpha, a_array, lda, b_array, ldb, beta, c_array, ldc, stream
            integer(c_int32_t) :: status
        end function

        ! tephra_cherk_batched() for members with individual sizes: C(i) has order n[i], op(A(i)) k[i] columns.
        !
        ! The sizes are in device memory and are never read by the host; max_n and max_k are their upper bounds, by which
        ! the kernels are chosen. The call is asynchronous on the stream, allocates nothing, needs no workspace and can be
        ! captured in a CUDA graph; each replay may see different sizes. With k[i] = 0, C(i) is scaled by beta. Members
        ! with invalid sizes are neither read nor written, and no error code reports them: those with n[i] or k[i] below 0
        ! or above its maximum, or with a leading dimension less than the rows of its matrix.
        !
        ! | # | argument | |
        ! | - | -------- | - |
        ! | 1 | max_n | no C has a higher order, max_n >= 0 |
        ! | 2 | max_k | no product has more terms, max_k >= 0 |
        ! | 3 | uplo | TEPHRA_UPLO_UPPER or TEPHRA_UPLO_LOWER: the triangle of C |
        ! | 4 | trans | TEPHRA_TRANS_N or _C |
        ! | 5 | n | batch_count ints in device memory: orders of C; not NULL when there is work |
        ! | 6 | k | batch_count ints in device memory: columns of op(A), likewise |
        ! | 7 | alpha | one real number in host memory, read before the call returns; not NULL when there is work |
        ! | 8 | a_array | batch_count pointers to n[i] x k[i] matrices, k[i] x n[i] where trans is not N; not NULL when they
        ! are read |
        ! | 9 | lda | batch_count ints in device memory: leading dimensions of A; not NULL when there is work |
        ! | 10 | beta | one real number in host memory, as alpha |
        ! | 11 | c_array | batch_count pointers to matrices of order n[i]; not NULL when there is work |
        ! | 12 | ldc | batch_count ints in device memory: leading dimensions of C, as lda |
        ! | 13 | batch_count | number of members, >= 0 |
        ! | 14 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
        !
        ! On the CPU backend all of these are in host memory. The call does nothing and returns success when max_n or
        ! batch_count is
        ! 0. With alpha = 0 or max_k = 0, a_array may be NULL.
        function tephra_cherk_vbatched(max_n, max_k, uplo, trans, n, k, alpha, a_array, lda, beta, c_array, ldc, &
            batch_count, stream) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr
            integer(c_int64_t), value :: max_n, max_k, batch_count
            integer(c_int), value :: uplo, trans
            type(c_ptr), value :: n, k, alpha, a_array, lda, beta, c_array, ldc, stream
            integer(c_int32_t) :: status
        end function

        ! tephra_cher2k_batched() for members with individual sizes: C(i) has order n[i], op(A(i)) and op(B(i)) k[i]
        ! columns.
        !
        ! The sizes are in device memory and are never read by the host; max_n and max_k are their upper bounds, by which
        ! the kernels are chosen. The call is asynchronous on the stream, allocates nothing, needs no workspace and can be
        ! captured in a CUDA graph; each replay may see different sizes. With k[i] = 0, C(i) is scaled by beta. Members
        ! with invalid sizes are neither read nor written, and no error code reports them: those with n[i] or k[i] below 0
        ! or above its maximum, or with a leading dimension less than the rows of its matrix.
        !
        ! | # | argument | |
        ! | - | -------- | - |
        ! | 1 | max_n | no C has a higher order, max_n >= 0 |
        ! | 2 | max_k | no product has more terms, max_k >= 0 |
        ! | 3 | uplo | TEPHRA_UPLO_UPPER or TEPHRA_UPLO_LOWER: the triangle of C |
        ! | 4 | trans | TEPHRA_TRANS_N or _C |
        ! | 5 | n | batch_count ints in device memory: orders of C; not NULL when there is work |
        ! | 6 | k | batch_count ints in device memory: columns of op(A), likewise |
        ! | 7 | alpha | one number in host memory, read before the call returns; not NULL when there is work |
        ! | 8 | a_array | batch_count pointers to n[i] x k[i] matrices, k[i] x n[i] where trans is not N; not NULL when they
        ! are read |
        ! | 9 | lda | batch_count ints in device memory: leading dimensions of A; not NULL when there is work |
        ! | 10 | b_array | batch_count pointers to matrices of A's shape, as a_array |
        ! | 11 | ldb | batch_count ints in device memory: leading dimensions of B, as lda |
        ! | 12 | beta | one real number in host memory, as alpha |
        ! | 13 | c_array | batch_count pointers to matrices of order n[i]; not NULL when there is work |
        ! | 14 | ldc | batch_count ints in device memory: leading dimensions of C, as lda |
        ! | 15 | batch_count | number of members, >= 0 |
        ! | 16 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
        !
        ! On the CPU backend all of these are in host memory. The call does nothing and returns success when max_n or
        ! batch_count is
        ! 0. With alpha = 0 or max_k = 0, a_array and b_array may be NULL.
        function tephra_cher2k_vbatched(max_n, max_k, uplo, trans, n, k, alpha, a_array, lda, b_array, ldb, beta, c_array, &
            ldc, batch_count, stream) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr
            integer(c_int64_t), value :: max_n, max_k, batch_count
            integer(c_int), value :: uplo, trans
            type(c_ptr), value :: n, k, alpha, a_array, lda, b_array, ldb, beta, c_array, ldc, stream
            integer(c_int32_t) :: status
        end function

        ! tephra_cherk_vbatched() in double precision complex.
        function tephra_zherk_vbatched(max_n, max_k, uplo, trans, n, k, alpha, a_array, lda, beta, c_array, ldc, &
            batch_count, stream) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr
            integer(c_int64_t), value :: max_n, max_k, batch_count
            integer(c_int), value :: uplo, trans
            type(c_ptr), value :: n, k, alpha, a_array, lda, beta, c_array, ldc, stream
            integer(c_int32_t) :: status
        end function

        ! tephra_cher2k_vbatched() in double precision complex.
        function tephra_zher2k_vbatched(max_n, max_k, uplo, trans, n, k, alpha, a_array, lda, b_array, ldb, beta, c_array, &
            ldc, batch_count, stream) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr
            integer(c_int64_t), value :: max_n, max_k, batch_count
            integer(c_int), value :: uplo, trans
            type(c_ptr), value :: n, k, alpha, a_array, lda, b_array, ldb, beta, c_array, ldc, stream
            integer(c_int32_t) :: status
        end function

        ! tephra_strmm_batched() for members with individual sizes: B(i) is m[i] x n[i].
        !
        ! The sizes are in device memory and are never read by the host; max_m and max_n are their upper bounds, by which
        ! the kernels are chosen. The call is asynchronous on the stream, allocates nothing, needs no workspace and can be
        ! captured in a CUDA graph; each replay may see different sizes. Members with invalid sizes are neither read nor
        ! written, and no error code reports them: those with m[i] or n[i] below 0 or above its maximum, or with a leading
        ! dimension that is too small.
        !
        ! | # | argument | |
        ! | - | -------- | - |
        ! | 1 | max_m | no B has more rows, max_m >= 0 |
        ! | 2 | max_n | no B has more columns, max_n >= 0 |
        ! | 3 | side | TEPHRA_SIDE_LEFT or TEPHRA_SIDE_RIGHT |
        ! | 4 | uplo | TEPHRA_UPLO_UPPER or TEPHRA_UPLO_LOWER |
        ! | 5 | trans | TEPHRA_TRANS_N, _T or _C |
        ! | 6 | diag | TEPHRA_DIAG_NON_UNIT or TEPHRA_DIAG_UNIT |
        ! | 7 | m | batch_count ints in device memory: rows of B; not NULL when there is work |
        ! | 8 | n | batch_count ints in device memory: columns of B, likewise |
        ! | 9 | alpha | one number in host memory, read before the call returns; not NULL when there is work |
        ! | 10 | a_array | batch_count pointers to matrices of order q = m[i] (left) or n[i] (right); not NULL unless alpha is
        ! 0 |
        ! | 11 | lda | batch_count ints in device memory: leading dimensions of A, at least q; not NULL when there is work |
        ! | 12 | b_array | batch_count pointers to m[i] x n[i] matrices, likewise |
        ! | 13 | ldb | batch_count ints in device memory: leading dimensions of B, at least m[i]; likewise |
        ! | 14 | batch_count | number of members, >= 0 |
        ! | 15 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
        !
        ! On the CPU backend all of these are in host memory. The call does nothing and returns success when max_m, max_n
        ! or batch_count is 0.
        function tephra_strmm_vbatched(max_m, max_n, side, uplo, trans, diag, m, n, alpha, a_array, lda, b_array, ldb, &
            batch_count, stream) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr
            integer(c_int64_t), value :: max_m, max_n, batch_count
            integer(c_int), value :: side, uplo, trans, diag
            type(c_ptr), value :: m, n, alpha, a_array, lda, b_array, ldb, stream
            integer(c_int32_t) :: status
        end function

        ! tephra_strmm_vbatched() in double precision.
        function tephra_dtrmm_vbatched(max_m, max_n, side, uplo, trans, diag, m, n, alpha, a_array, lda, b_array, ldb, &
            batch_count, stream) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr
            integer(c_int64_t), value :: max_m, max_n, batch_count
            integer(c_int), value :: side, uplo, trans, diag
            type(c_ptr), value :: m, n, alpha, a_array, lda, b_array, ldb, stream
            integer(c_int32_t) :: status
        end function

        ! tephra_strmm_vbatched() in single precision complex.
        function tephra_ctrmm_vbatched(max_m, max_n, side, uplo, trans, diag, m, n, alpha, a_array, lda, b_array, ldb, &
            batch_count, stream) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr
            integer(c_int64_t), value :: max_m, max_n, batch_count
            integer(c_int), value :: side, uplo, trans, diag
            type(c_ptr), value :: m, n, alpha, a_array, lda, b_array, ldb, stream
            integer(c_int32_t) :: status
        end function

        ! tephra_strmm_vbatched() in double precision complex.
        function tephra_ztrmm_vbatched(max_m, max_n, side, uplo, trans, diag, m, n, alpha, a_array, lda, b_array, ldb, &
            batch_count, stream) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr
            integer(c_int64_t), value :: max_m, max_n, batch_count
            integer(c_int), value :: side, uplo, trans, diag
            type(c_ptr), value :: m, n, alpha, a_array, lda, b_array, ldb, stream
            integer(c_int32_t) :: status
        end function

        ! tephra_ssymm_batched() for members with individual sizes: B(i) and C(i) are m[i] x n[i].
        !
        ! The sizes are in device memory and are never read by the host; max_m and max_n are their upper bounds, by which
        ! the kernels are chosen. The call is asynchronous on the stream, allocates nothing, needs no workspace and can be
        ! captured in a CUDA graph; each replay may see different sizes. Members with invalid sizes are neither read nor
        ! written, and no error code reports them: those with m[i] or n[i] below 0 or above its maximum, or with a leading
        ! dimension that is too small; and those of which a matrix that is needed is NULL.
        !
        ! | # | argument | |
        ! | - | -------- | - |
        ! | 1 | max_m | no C has more rows, max_m >= 0 |
        ! | 2 | max_n | no C has more columns, max_n >= 0 |
        ! | 3 | side | TEPHRA_SIDE_LEFT (A B) or TEPHRA_SIDE_RIGHT (B A) |
        ! | 4 | uplo | TEPHRA_UPLO_UPPER or TEPHRA_UPLO_LOWER: the triangle of A |
        ! | 5 | m | batch_count ints in device memory: rows of B and C; not NULL when there is work |
        ! | 6 | n | batch_count ints in device memory: columns of B and C, likewise |
        ! | 7 | alpha | one number in host memory, read before the call returns; not NULL when there is work |
        ! | 8 | a_array | batch_count pointers to matrices of order q = m[i] (left) or n[i] (right); not NULL when they are
        ! read |
        ! | 9 | lda | batch_count ints in device memory: leading dimensions of A, at least q; not NULL when there is work |
        ! | 10 | b_array | batch_count pointers to m[i] x n[i] matrices, as a_array |
        ! | 11 | ldb | batch_count ints in device memory: leading dimensions of B, at least m[i]; likewise |
        ! | 12 | beta | one number in host memory, as alpha |
        ! | 13 | c_array | batch_count pointers to m[i] x n[i] matrices; not NULL when there is work |
        ! | 14 | ldc | batch_count ints in device memory: leading dimensions of C, at least m[i]; likewise |
        ! | 15 | batch_count | number of members, >= 0 |
        ! | 16 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
        !
        ! On the CPU backend all of these are in host memory. The call does nothing and returns success when max_m, max_n
        ! or batch_count is 0. With alpha = 0, a_array and b_array may be NULL.
        function tephra_ssymm_vbatched(max_m, max_n, side, uplo, m, n, alpha, a_array, lda, b_array, ldb, beta, c_array, &
            ldc, batch_count, stream) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr
            integer(c_int64_t), value :: max_m, max_n, batch_count
            integer(c_int), value :: side, uplo
            type(c_ptr), value :: m, n, alpha, a_array, lda, b_array, ldb, beta, c_array, ldc, stream
            integer(c_int32_t) :: status
        end function

        ! tephra_ssymm_vbatched() in double precision.
        function tephra_dsymm_vbatched(max_m, max_n, side, uplo, m, n, alpha, a_array, lda, b_array, ldb, beta, c_array, &
            ldc, batch_count, stream) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr
            integer(c_int64_t), value :: max_m, max_n, batch_count
            integer(c_int), value :: side, uplo
            type(c_ptr), value :: m, n, alpha, a_array, lda, b_array, ldb, beta, c_array, ldc, stream
            integer(c_int32_t) :: status
        end function

        ! tephra_ssymm_vbatched() in single precision complex.
        function tephra_csymm_vbatched(max_m, max_n, side, uplo, m, n, alpha, a_array, lda, b_array, ldb, beta, c_array, &
            ldc, batch_count, stream) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr
            integer(c_int64_t), value :: max_m, max_n, batch_count
            integer(c_int), value :: side, uplo
            type(c_ptr), value :: m, n, alpha, a_array, lda, b_array, ldb, beta, c_array, ldc, stream
            integer(c_int32_t) :: status
        end function

        ! tephra_ssymm_vbatched() in double precision complex.
        function tephra_zsymm_vbatched(max_m, max_n, side, uplo, m, n, alpha, a_array, lda, b_array, ldb, beta, c_array, &
            ldc, batch_count, stream) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr
            integer(c_int64_t), value :: max_m, max_n, batch_count
            integer(c_int), value :: side, uplo
            type(c_ptr), value :: m, n, alpha, a_array, lda, b_array, ldb, beta, c_array, ldc, stream
            integer(c_int32_t) :: status
        end function

        ! tephra_chemm_batched() for members with individual sizes: B(i) and C(i) are m[i] x n[i].
        !
        ! The sizes are in device memory and are never read by the host; max_m and max_n are their upper bounds, by which
        ! the kernels are chosen. The call is asynchronous on the stream, allocates nothing, needs no workspace and can be
        ! captured in a CUDA graph; each replay may see different sizes. Members with invalid sizes are neither read nor
        ! written, and no error code reports them: those with m[i] or n[i] below 0 or above its maximum, or with a leading
        ! dimension that is too small; and those of which a matrix that is needed is NULL.
        !
        ! | # | argument | |
        ! | - | -------- | - |
        ! | 1 | max_m | no C has more rows, max_m >= 0 |
        ! | 2 | max_n | no C has more columns, max_n >= 0 |
        ! | 3 | side | TEPHRA_SIDE_LEFT (A B) or TEPHRA_SIDE_RIGHT (B A) |
        ! | 4 | uplo | TEPHRA_UPLO_UPPER or TEPHRA_UPLO_LOWER: the triangle of A |
        ! | 5 | m | batch_count ints in device memory: rows of B and C; not NULL when there is work |
        ! | 6 | n | batch_count ints in device memory: columns of B and C, likewise |
        ! | 7 | alpha | one number in host memory, read before the call returns; not NULL when there is work |
        ! | 8 | a_array | batch_count pointers to matrices of order q = m[i] (left) or n[i] (right); not NULL when they are
        ! read |
        ! | 9 | lda | batch_count ints in device memory: leading dimensions of A, at least q; not NULL when there is work |
        ! | 10 | b_array | batch_count pointers to m[i] x n[i] matrices, as a_array |
        ! | 11 | ldb | batch_count ints in device memory: leading dimensions of B, at least m[i]; likewise |
        ! | 12 | beta | one number in host memory, as alpha |
        ! | 13 | c_array | batch_count pointers to m[i] x n[i] matrices; not NULL when there is work |
        ! | 14 | ldc | batch_count ints in device memory: leading dimensions of C, at least m[i]; likewise |
        ! | 15 | batch_count | number of members, >= 0 |
        ! | 16 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
        !
        ! On the CPU backend all of these are in host memory. The call does nothing and returns success when max_m, max_n
        ! or batch_count is 0. With alpha = 0, a_array and b_array may be NULL.
        function tephra_chemm_vbatched(max_m, max_n, side, uplo, m, n, alpha, a_array, lda, b_array, ldb, beta, c_array, &
            ldc, batch_count, stream) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr
            integer(c_int64_t), value :: max_m, max_n, batch_count
            integer(c_int), value :: side, uplo
            type(c_ptr), value :: m, n, alpha, a_array, lda, b_array, ldb, beta, c_array, ldc, stream
            integer(c_int32_t) :: status
        end function

        ! tephra_chemm_vbatched() in double precision complex.
        function tephra_zhemm_vbatched(max_m, max_n, side, uplo, m, n, alpha, a_array, lda, b_array, ldb, beta, c_array, &
            ldc, batch_count, stream) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr
            integer(c_int64_t), value :: max_m, max_n, batch_count
            integer(c_int), value :: side, uplo
            type(c_ptr), value :: m, n, alpha, a_array, lda, b_array, ldb, beta, c_array, ldc, stream
            integer(c_int32_t) :: status
        end function

        ! tephra_sgetrs_batched() for systems with individual sizes: A(i) has order n[i], B(i) is n[i] x nrhs[i].
        !
        ! The sizes are in device memory and are never read by the host; max_n and max_nrhs are their upper bounds, by
        ! which the kernels are chosen. The call is asynchronous on the stream, allocates nothing (except scratch memory
        ! from the stream-ordered pool for few large members) and can be captured in a CUDA graph; each replay may see
        ! different sizes. n[i] = 0 and nrhs[i] = 0 are allowed. If the sizes of a member are invalid, nothing of it is
        ! read or written except its info, which is -2 if not 0 <= n[i] <= max_n, else -3 if not 0 <= nrhs[i] <= max_nrhs,
        ! else -5 if not lda[i] >= n[i], else -8 if not ldb[i] >= n[i].
        !
        ! | # | argument | |
        ! | - | -------- | - |
        ! | 1 | max_n | no matrix has a higher order, max_n >= 0 |
        ! | 2 | max_nrhs | no B has more columns, max_nrhs >= 0 |
        ! | 3 | trans | TEPHRA_TRANS_N, _T or _C |
        ! | 4 | n | batch_count ints in device memory: orders; not NULL when there is work |
        ! | 5 | nrhs | batch_count ints in device memory: right-hand sides, likewise |
        ! | 6 | a_array | batch_count pointers to the factors, as tephra_sgetrf_vbatched() leaves them, likewise |
        ! | 7 | lda | batch_count ints in device memory: leading dimensions of A, in elements, likewise |
        ! | 8 | ipiv_array | batch_count pointers to n[i] ints each, or NULL: no interchanges |
        ! | 9 | b_array | batch_count pointers to n[i] x nrhs[i] matrices; not NULL when there is work |
        ! | 10 | ldb | batch_count ints in device memory: leading dimensions of B, in elements, likewise |
        ! | 11 | info | one int per member in device memory, or NULL: 0, or as above |
        ! | 12 | batch_count | number of members, >= 0 |
        ! | 13 | work | workspace in device memory, aligned to 16 bytes, or NULL when none is needed |
        ! | 14 | work_bytes | size of work, at least what tephra_sgetrs_vbatched_workspace() reports; a smaller one is an
        ! error |
        ! | 15 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
        !
        ! On the CPU backend all of these are in host memory. The call does nothing and returns success when max_n,
        ! max_nrhs or batch_count is 0; all of info is then set to 0.
        function tephra_sgetrs_vbatched(max_n, max_nrhs, trans, n, nrhs, a_array, lda, ipiv_array, b_array, ldb, info, &
            batch_count, work, work_bytes, stream) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr, c_size_t
            integer(c_int64_t), value :: max_n, max_nrhs, batch_count
            integer(c_int), value :: trans
            type(c_ptr), value :: n, nrhs, a_array, lda, ipiv_array, b_array, ldb, info, work, stream
            integer(c_size_t), value :: work_bytes
            integer(c_int32_t) :: status
        end function

        ! Workspace of tephra_sgetrs_vbatched() in bytes. Arguments are numbered max_n 1, max_nrhs 2, trans 3, batch_count 4.
        function tephra_sgetrs_vbatched_workspace(max_n, max_nrhs, trans, batch_count, bytes) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_size_t
            integer(c_int64_t), value :: max_n, max_nrhs, batch_count
            integer(c_int), value :: trans
            integer(c_size_t), intent(out) :: bytes
            integer(c_int32_t) :: status
        end function

        ! tephra_sgesv_batched() for systems with individual sizes: A(i) has order n[i], B(i) is n[i] x nrhs[i].
        !
        ! The sizes are in device memory and are never read by the host; max_n and max_nrhs are their upper bounds, by
        ! which the kernels are chosen. The call is asynchronous on the stream, allocates nothing (except scratch memory
        ! from the stream-ordered pool for few large members and for large batches) and can be captured in a CUDA graph;
        ! each replay may see different sizes. n[i] = 0 and nrhs[i] = 0 are allowed. If the sizes of a member are invalid,
        ! nothing of it is read or written except its info, which is -1 if not 0 <= n[i] <= max_n, else -2 if not 0 <=
        ! nrhs[i] <= max_nrhs, else -4 if not lda[i] >= n[i], else -7 if not ldb[i] >= n[i].
        !
        ! | # | argument | |
        ! | - | -------- | - |
        ! | 1 | max_n | no matrix has a higher order, max_n >= 0 |
        ! | 2 | max_nrhs | no B has more columns, max_nrhs >= 0 |
        ! | 3 | n | batch_count ints in device memory: orders; not NULL when there is work |
        ! | 4 | nrhs | batch_count ints in device memory: right-hand sides, likewise |
        ! | 5 | a_array | batch_count pointers to matrices of lda[i]*n[i] elements, likewise |
        ! | 6 | lda | batch_count ints in device memory: leading dimensions of A, in elements, likewise |
        ! | 7 | ipiv_array | batch_count pointers to vectors of n[i] ints, likewise |
        ! | 8 | b_array | batch_count pointers to n[i] x nrhs[i] matrices; not NULL when there is work and max_nrhs > 0 |
        ! | 9 | ldb | batch_count ints in device memory: leading dimensions of B, in elements, likewise |
        ! | 10 | info | one int per member in device memory, or NULL: as for tephra_sgesv_batched(), and see above |
        ! | 11 | batch_count | number of members, >= 0 |
        ! | 12 | work | workspace in device memory, aligned to 16 bytes, or NULL when none is needed |
        ! | 13 | work_bytes | size of work, at least what tephra_sgesv_vbatched_workspace() reports; a smaller one is an error
        ! |
        ! | 14 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
        !
        ! On the CPU backend all of these are in host memory. The call does nothing and returns success when max_n or
        ! batch_count is 0; all of info is then set to 0. A member without right-hand sides is still factored.
        function tephra_sgesv_vbatched(max_n, max_nrhs, n, nrhs, a_array, lda, ipiv_array, b_array, ldb, info, batch_count, &
            work, work_bytes, stream) bind(C) result(status)
            import :: c_int32_t, c_int64_t, c_ptr, c_size_t
            integer(c_int64_t), value :: max_n, max_nrhs, batch_count
            type(c_ptr), value :: n, nrhs, a_array, lda, ipiv_array, b_array, ldb, info, work, stream
            integer(c_size_t), value :: work_bytes
            integer(c_int32_t) :: status
        end function

        ! Workspace of tephra_sgesv_vbatched() in bytes; 0 on the CPU backend. Arguments are numbered max_n 1, max_nrhs 2,
        ! batch_count 3.
        function tephra_sgesv_vbatched_workspace(max_n, max_nrhs, batch_count, bytes) bind(C) result(status)
            import :: c_int32_t, c_int64_t, c_size_t
            integer(c_int64_t), value :: max_n, max_nrhs, batch_count
            integer(c_size_t), intent(out) :: bytes
            integer(c_int32_t) :: status
        end function

        ! tephra_sgetrs_vbatched() in double precision.
        function tephra_dgetrs_vbatched(max_n, max_nrhs, trans, n, nrhs, a_array, lda, ipiv_array, b_array, ldb, info, &
            batch_count, work, work_bytes, stream) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr, c_size_t
            integer(c_int64_t), value :: max_n, max_nrhs, batch_count
            integer(c_int), value :: trans
            type(c_ptr), value :: n, nrhs, a_array, lda, ipiv_array, b_array, ldb, info, work, stream
            integer(c_size_t), value :: work_bytes
            integer(c_int32_t) :: status
        end function

        ! tephra_sgetrs_vbatched_workspace() in double precision.
        function tephra_dgetrs_vbatched_workspace(max_n, max_nrhs, trans, batch_count, bytes) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_size_t
            integer(c_int64_t), value :: max_n, max_nrhs, batch_count
            integer(c_int), value :: trans
            integer(c_size_t), intent(out) :: bytes
            integer(c_int32_t) :: status
        end function

        ! tephra_sgesv_vbatched() in double precision.
        function tephra_dgesv_vbatched(max_n, max_nrhs, n, nrhs, a_array, lda, ipiv_array, b_array, ldb, info, batch_count, &
            work, work_bytes, stream) bind(C) result(status)
            import :: c_int32_t, c_int64_t, c_ptr, c_size_t
            integer(c_int64_t), value :: max_n, max_nrhs, batch_count
            type(c_ptr), value :: n, nrhs, a_array, lda, ipiv_array, b_array, ldb, info, work, stream
            integer(c_size_t), value :: work_bytes
            integer(c_int32_t) :: status
        end function

        ! tephra_sgesv_vbatched_workspace() in double precision.
        function tephra_dgesv_vbatched_workspace(max_n, max_nrhs, batch_count, bytes) bind(C) result(status)
            import :: c_int32_t, c_int64_t, c_size_t
            integer(c_int64_t), value :: max_n, max_nrhs, batch_count
            integer(c_size_t), intent(out) :: bytes
            integer(c_int32_t) :: status
        end function

        ! tephra_sgetrs_vbatched() in single precision complex.
        function tephra_cgetrs_vbatched(max_n, max_nrhs, trans, n, nrhs, a_array, lda, ipiv_array, b_array, ldb, info, &
            batch_count, work, work_bytes, stream) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr, c_size_t
            integer(c_int64_t), value :: max_n, max_nrhs, batch_count
            integer(c_int), value :: trans
            type(c_ptr), value :: n, nrhs, a_array, lda, ipiv_array, b_array, ldb, info, work, stream
            integer(c_size_t), value :: work_bytes
            integer(c_int32_t) :: status
        end function

        ! tephra_sgetrs_vbatched_workspace() in single precision complex.
        function tephra_cgetrs_vbatched_workspace(max_n, max_nrhs, trans, batch_count, bytes) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_size_t
            integer(c_int64_t), value :: max_n, max_nrhs, batch_count
            integer(c_int), value :: trans
            integer(c_size_t), intent(out) :: bytes
            integer(c_int32_t) :: status
        end function

        ! tephra_sgesv_vbatched() in single precision complex.
        function tephra_cgesv_vbatched(max_n, max_nrhs, n, nrhs, a_array, lda, ipiv_array, b_array, ldb, info, batch_count, &
            work, work_bytes, stream) bind(C) result(status)
            import :: c_int32_t, c_int64_t, c_ptr, c_size_t
            integer(c_int64_t), value :: max_n, max_nrhs, batch_count
            type(c_ptr), value :: n, nrhs, a_array, lda, ipiv_array, b_array, ldb, info, work, stream
            integer(c_size_t), value :: work_bytes
            integer(c_int32_t) :: status
        end function

        ! tephra_sgesv_vbatched_workspace() in single precision complex.
        function tephra_cgesv_vbatched_workspace(max_n, max_nrhs, batch_count, bytes) bind(C) result(status)
            import :: c_int32_t, c_int64_t, c_size_t
            integer(c_int64_t), value :: max_n, max_nrhs, batch_count
            integer(c_size_t), intent(out) :: bytes
            integer(c_int32_t) :: status
        end function

        ! tephra_sgetrs_vbatched() in double precision complex.
        function tephra_zgetrs_vbatched(max_n, max_nrhs, trans, n, nrhs, a_array, lda, ipiv_array, b_array, ldb, info, &
            batch_count, work, work_bytes, stream) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr, c_size_t
            integer(c_int64_t), value :: max_n, max_nrhs, batch_count
            integer(c_int), value :: trans
            type(c_ptr), value :: n, nrhs, a_array, lda, ipiv_array, b_array, ldb, info, work, stream
            integer(c_size_t), value :: work_bytes
            integer(c_int32_t) :: status
        end function

        ! tephra_sgetrs_vbatched_workspace() in double precision complex.
        function tephra_zgetrs_vbatched_workspace(max_n, max_nrhs, trans, batch_count, bytes) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_size_t
            integer(c_int64_t), value :: max_n, max_nrhs, batch_count
            integer(c_int), value :: trans
            integer(c_size_t), intent(out) :: bytes
            integer(c_int32_t) :: status
        end function

        ! tephra_sgesv_vbatched() in double precision complex.
        function tephra_zgesv_vbatched(max_n, max_nrhs, n, nrhs, a_array, lda, ipiv_array, b_array, ldb, info, batch_count, &
            work, work_bytes, stream) bind(C) result(status)
            import :: c_int32_t, c_int64_t, c_ptr, c_size_t
            integer(c_int64_t), value :: max_n, max_nrhs, batch_count
            type(c_ptr), value :: n, nrhs, a_array, lda, ipiv_array, b_array, ldb, info, work, stream
            integer(c_size_t), value :: work_bytes
            integer(c_int32_t) :: status
        end function

        ! tephra_sgesv_vbatched_workspace() in double precision complex.
        function tephra_zgesv_vbatched_workspace(max_n, max_nrhs, batch_count, bytes) bind(C) result(status)
            import :: c_int32_t, c_int64_t, c_size_t
            integer(c_int64_t), value :: max_n, max_nrhs, batch_count
            integer(c_size_t), intent(out) :: bytes
            integer(c_int32_t) :: status
        end function

        ! tephra_spotrs_batched() for systems with individual sizes: A(i) has order n[i], B(i) is n[i] x nrhs[i].
        !
        ! The sizes are in device memory and are never read by the host; max_n and max_nrhs are their upper bounds, by
        ! which the kernels are chosen. The call is asynchronous on the stream, allocates nothing (except scratch memory
        ! from the stream-ordered pool for few large members) and can be captured in a CUDA graph; each replay may see
        ! different sizes. n[i] = 0 and nrhs[i] = 0 are allowed. If the sizes of a member are invalid, nothing of it is
        ! read or written except its info, which is -2 if not 0 <= n[i] <= max_n, else -3 if not 0 <= nrhs[i] <= max_nrhs,
        ! else -5 if not lda[i] >= n[i], else -7 if not ldb[i] >= n[i].
        !
        ! | # | argument | |
        ! | - | -------- | - |
        ! | 1 | max_n | no matrix has a higher order, max_n >= 0 |
        ! | 2 | max_nrhs | no B has more columns, max_nrhs >= 0 |
        ! | 3 | uplo | TEPHRA_UPLO_UPPER or TEPHRA_UPLO_LOWER: the triangle of A |
        ! | 4 | n | batch_count ints in device memory: orders; not NULL when there is work |
        ! | 5 | nrhs | batch_count ints in device memory: right-hand sides, likewise |
        ! | 6 | a_array | batch_count pointers to the factors, as tephra_spotrf_vbatched() leaves them, likewise |
        ! | 7 | lda | batch_count ints in device memory: leading dimensions of A, in elements, likewise |
        ! | 8 | b_array | batch_count pointers to n[i] x nrhs[i] matrices, likewise |
        ! | 9 | ldb | batch_count ints in device memory: leading dimensions of B, in elements, likewise |
        ! | 10 | info | one int per member in device memory, or NULL: 0, or as above |
        ! | 11 | batch_count | number of members, >= 0 |
        ! | 12 | work | workspace in device memory, aligned to 16 bytes, or NULL when none is needed |
        ! | 13 | work_bytes | size of work, at least what tephra_spotrs_vbatched_workspace() reports; a smaller one is an
        ! error |
        ! | 14 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
        !
        ! On the CPU backend all of these are in host memory. The call does nothing and returns success when max_n,
        ! max_nrhs or batch_count is 0; all of info is then set to 0.
        function tephra_spotrs_vbatched(max_n, max_nrhs, uplo, n, nrhs, a_array, lda, b_array, ldb, info, batch_count, work, &
            work_bytes, stream) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr, c_size_t
            integer(c_int64_t), value :: max_n, max_nrhs, batch_count
            integer(c_int), value :: uplo
            type(c_ptr), value :: n, nrhs, a_array, lda, b_array, ldb, info, work, stream
            integer(c_size_t), value :: work_bytes
            integer(c_int32_t) :: status
        end function

        ! Workspace of tephra_spotrs_vbatched() in bytes. Arguments are numbered max_n 1, max_nrhs 2, uplo 3, batch_count 4.
        function tephra_spotrs_vbatched_workspace(max_n, max_nrhs, uplo, batch_count, bytes) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_size_t
            integer(c_int64_t), value :: max_n, max_nrhs, batch_count
            integer(c_int), value :: uplo
            integer(c_size_t), intent(out) :: bytes
            integer(c_int32_t) :: status
        end function

        ! tephra_sposv_batched() for systems with individual sizes: A(i) has order n[i], B(i) is n[i] x nrhs[i].
        !
        ! The sizes are in device memory and are never read by the host; max_n and max_nrhs are their upper bounds, by
        ! which the kernels are chosen. The call is asynchronous on the stream, allocates nothing (except scratch memory
        ! from the stream-ordered pool for few large members and for large batches) and can be captured in a CUDA graph;
        ! each replay may see different sizes. n[i] = 0 and nrhs[i] = 0 are allowed. If the sizes of a member are invalid,
        ! nothing of it is read or written except its info, which is -2 if not 0 <= n[i] <= max_n, else -3 if not 0 <=
        ! nrhs[i] <= max_nrhs, else -5 if not lda[i] >= n[i], else -7 if not ldb[i] >= n[i].
        !
        ! | # | argument | |
        ! | - | -------- | - |
        ! | 1 | max_n | no matrix has a higher order, max_n >= 0 |
        ! | 2 | max_nrhs | no B has more columns, max_nrhs >= 0 |
        ! | 3 | uplo | TEPHRA_UPLO_UPPER or TEPHRA_UPLO_LOWER: the triangle of A |
        ! | 4 | n | batch_count ints in device memory: orders; not NULL when there is work |
        ! | 5 | nrhs | batch_count ints in device memory: right-hand sides, likewise |
        ! | 6 | a_array | batch_count pointers to matrices of lda[i]*n[i] elements, likewise |
        ! | 7 | lda | batch_count ints in device memory: leading dimensions of A, in elements, likewise |
        ! | 8 | b_array | batch_count pointers to n[i] x nrhs[i] matrices; not NULL when there is work and max_nrhs > 0 |
        ! | 9 | ldb | batch_count ints in device memory: leading dimensions of B, in elements, likewise |
        ! | 10 | info | one int per member in device memory, or NULL: as for tephra_sposv_batched(), and see above |
        ! | 11 | batch_count | number of members, >= 0 |
        ! | 12 | work | workspace in device memory, aligned to 16 bytes, or NULL when none is needed |
        ! | 13 | work_bytes | size of work, at least what tephra_sposv_vbatched_workspace() reports; a smaller one is an error
        ! |
        ! | 14 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
        !
        ! On the CPU backend all of these are in host memory. The call does nothing and returns success when max_n or
        ! batch_count is 0; all of info is then set to 0. A member without right-hand sides is still factored.
        function tephra_sposv_vbatched(max_n, max_nrhs, uplo, n, nrhs, a_array, lda, b_array, ldb, info, batch_count, work, &
            work_bytes, stream) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr, c_size_t
            integer(c_int64_t), value :: max_n, max_nrhs, batch_count
            integer(c_int), value :: uplo
            type(c_ptr), value :: n, nrhs, a_array, lda, b_array, ldb, info, work, stream
            integer(c_size_t), value :: work_bytes
            integer(c_int32_t) :: status
        end function

        ! Workspace of tephra_sposv_vbatched() in bytes; 0 on the CPU backend. Arguments are numbered max_n 1, max_nrhs 2,
        ! uplo 3, batch_count 4.
        function tephra_sposv_vbatched_workspace(max_n, max_nrhs, uplo, batch_count, bytes) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_size_t
            integer(c_int64_t), value :: max_n, max_nrhs, batch_count
            integer(c_int), value :: uplo
            integer(c_size_t), intent(out) :: bytes
            integer(c_int32_t) :: status
        end function

        ! tephra_spotrs_vbatched() in double precision.
        function tephra_dpotrs_vbatched(max_n, max_nrhs, uplo, n, nrhs, a_array, lda, b_array, ldb, info, batch_count, work, &
            work_bytes, stream) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr, c_size_t
            integer(c_int64_t), value :: max_n, max_nrhs, batch_count
            integer(c_int), value :: uplo
            type(c_ptr), value :: n, nrhs, a_array, lda, b_array, ldb, info, work, stream
            integer(c_size_t), value :: work_bytes
            integer(c_int32_t) :: status
        end function

        ! tephra_spotrs_vbatched_workspace() in double precision.
        function tephra_dpotrs_vbatched_workspace(max_n, max_nrhs, uplo, batch_count, bytes) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_size_t
            integer(c_int64_t), value :: max_n, max_nrhs, batch_count
            integer(c_int), value :: uplo
            integer(c_size_t), intent(out) :: bytes
            integer(c_int32_t) :: status
        end function

        ! tephra_sposv_vbatched() in double precision.
        function tephra_dposv_vbatched(max_n, max_nrhs, uplo, n, nrhs, a_array, lda, b_array, ldb, info, batch_count, work, &
            work_bytes, stream) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr, c_size_t
            integer(c_int64_t), value :: max_n, max_nrhs, batch_count
            integer(c_int), value :: uplo
            type(c_ptr), value :: n, nrhs, a_array, lda, b_array, ldb, info, work, stream
            integer(c_size_t), value :: work_bytes
            integer(c_int32_t) :: status
        end function

        ! tephra_sposv_vbatched_workspace() in double precision.
        function tephra_dposv_vbatched_workspace(max_n, max_nrhs, uplo, batch_count, bytes) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_size_t
            integer(c_int64_t), value :: max_n, max_nrhs, batch_count
            integer(c_int), value :: uplo
            integer(c_size_t), intent(out) :: bytes
            integer(c_int32_t) :: status
        end function

        ! tephra_spotrs_vbatched() in single precision complex.
        function tephra_cpotrs_vbatched(max_n, max_nrhs, uplo, n, nrhs, a_array, lda, b_array, ldb, info, batch_count, work, &
            work_bytes, stream) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr, c_size_t
            integer(c_int64_t), value :: max_n, max_nrhs, batch_count
            integer(c_int), value :: uplo
            type(c_ptr), value :: n, nrhs, a_array, lda, b_array, ldb, info, work, stream
            integer(c_size_t), value :: work_bytes
            integer(c_int32_t) :: status
        end function

        ! tephra_spotrs_vbatched_workspace() in single precision complex.
        function tephra_cpotrs_vbatched_workspace(max_n, max_nrhs, uplo, batch_count, bytes) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_size_t
            integer(c_int64_t), value :: max_n, max_nrhs, batch_count
            integer(c_int), value :: uplo
            integer(c_size_t), intent(out) :: bytes
            integer(c_int32_t) :: status
        end function

        ! tephra_sposv_vbatched() in single precision complex.
        function tephra_cposv_vbatched(max_n, max_nrhs, uplo, n, nrhs, a_array, lda, b_array, ldb, info, batch_count, work, &
            work_bytes, stream) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr, c_size_t
            integer(c_int64_t), value :: max_n, max_nrhs, batch_count
            integer(c_int), value :: uplo
            type(c_ptr), value :: n, nrhs, a_array, lda, b_array, ldb, info, work, stream
            integer(c_size_t), value :: work_bytes
            integer(c_int32_t) :: status
        end function

        ! tephra_sposv_vbatched_workspace() in single precision complex.
        function tephra_cposv_vbatched_workspace(max_n, max_nrhs, uplo, batch_count, bytes) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_size_t
            integer(c_int64_t), value :: max_n, max_nrhs, batch_count
            integer(c_int), value :: uplo
            integer(c_size_t), intent(out) :: bytes
            integer(c_int32_t) :: status
        end function

        ! tephra_spotrs_vbatched() in double precision complex.
        function tephra_zpotrs_vbatched(max_n, max_nrhs, uplo, n, nrhs, a_array, lda, b_array, ldb, info, batch_count, work, &
            work_bytes, stream) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr, c_size_t
            integer(c_int64_t), value :: max_n, max_nrhs, batch_count
            integer(c_int), value :: uplo
            type(c_ptr), value :: n, nrhs, a_array, lda, b_array, ldb, info, work, stream
            integer(c_size_t), value :: work_bytes
            integer(c_int32_t) :: status
        end function

        ! tephra_spotrs_vbatched_workspace() in double precision complex.
        function tephra_zpotrs_vbatched_workspace(max_n, max_nrhs, uplo, batch_count, bytes) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_size_t
            integer(c_int64_t), value :: max_n, max_nrhs, batch_count
            integer(c_int), value :: uplo
            integer(c_size_t), intent(out) :: bytes
            integer(c_int32_t) :: status
        end function

        ! tephra_sposv_vbatched() in double precision complex.
        function tephra_zposv_vbatched(max_n, max_nrhs, uplo, n, nrhs, a_array, lda, b_array, ldb, info, batch_count, work, &
            work_bytes, stream) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr, c_size_t
            integer(c_int64_t), value :: max_n, max_nrhs, batch_count
            integer(c_int), value :: uplo
            type(c_ptr), value :: n, nrhs, a_array, lda, b_array, ldb, info, work, stream
            integer(c_size_t), value :: work_bytes
            integer(c_int32_t) :: status
        end function

        ! tephra_sposv_vbatched_workspace() in double precision complex.
        function tephra_zposv_vbatched_workspace(max_n, max_nrhs, uplo, batch_count, bytes) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_size_t
            integer(c_int64_t), value :: max_n, max_nrhs, batch_count
            integer(c_int), value :: uplo
            integer(c_size_t), intent(out) :: bytes
            integer(c_int32_t) :: status
        end function

        ! tephra_slaswp_batched() for matrices with individual numbers of columns and last rows: A(i) has n[i] columns,
        ! and its rows k1 to k2[i] are interchanged.
        !
        ! The sizes are in device memory and are never read by the host; max_n and max_k2 are their upper bounds. The call
        ! is asynchronous on the stream, allocates nothing, needs no workspace and can be captured in a CUDA graph; each
        ! replay may see different sizes. If k2[i] is less than k1, nothing is interchanged. Members with invalid sizes
        ! are neither read nor written, and no error code reports them: those with n[i] or k2[i] below 0 or above its
        ! maximum, or with a leading dimension less than k2[i].
        !
        ! | # | argument | |
        ! | - | -------- | - |
        ! | 1 | max_n | no matrix has more columns, max_n >= 0 |
        ! | 2 | max_k2 | no matrix has a larger k2, max_k2 >= 0 |
        ! | 3 | n | batch_count ints in device memory: columns; not NULL when there is work |
        ! | 4 | a_array | batch_count pointers to matrices with all rows in ipiv, likewise |
        ! | 5 | lda | batch_count ints in device memory: leading dimensions, in elements, likewise |
        ! | 6 | k1 | first row to interchange, for all members, k1 >= 1 |
        ! | 7 | k2 | batch_count ints in device memory: last row to interchange, likewise |
        ! | 8 | ipiv_array | batch_count pointers to interchanges, as for tephra_slaswp_batched(), likewise |
        ! | 9 | incx | increment between interchanges; its sign gives the order |
        ! | 10 | batch_count | number of members, >= 0 |
        ! | 11 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
        !
        ! On the CPU backend all of these are in host memory. The call does nothing and returns success when max_n,
        ! max_k2, incx or batch_count is 0.
        function tephra_slaswp_vbatched(max_n, max_k2, n, a_array, lda, k1, k2, ipiv_array, incx, batch_count, stream) &
            bind(C) result(status)
            import :: c_int32_t, c_int64_t, c_ptr
            integer(c_int64_t), value :: max_n, max_k2, k1, incx, batch_count
            type(c_ptr), value :: n, a_array, lda, k2, ipiv_array, stream
            integer(c_int32_t) :: status
        end function

        ! tephra_slaswp_vbatched() in double precision.
        function tephra_dlaswp_vbatched(max_n, max_k2, n, a_array, lda, k1, k2, ipiv_array, incx, batch_count, stream) &
            bind(C) result(status)
            import :: c_int32_t, c_int64_t, c_ptr
            integer(c_int64_t), value :: max_n, max_k2, k1, incx, batch_count
            type(c_ptr), value :: n, a_array, lda, k2, ipiv_array, stream
            integer(c_int32_t) :: status
        end function

        ! tephra_slaswp_vbatched() in single precision complex.
        function tephra_claswp_vbatched(max_n, max_k2, n, a_array, lda, k1, k2, ipiv_array, incx, batch_count, stream) &
            bind(C) result(status)
            import :: c_int32_t, c_int64_t, c_ptr
            integer(c_int64_t), value :: max_n, max_k2, k1, incx, batch_count
            type(c_ptr), value :: n, a_array, lda, k2, ipiv_array, stream
            integer(c_int32_t) :: status
        end function

        ! tephra_slaswp_vbatched() in double precision complex.
        function tephra_zlaswp_vbatched(max_n, max_k2, n, a_array, lda, k1, k2, ipiv_array, incx, batch_count, stream) &
            bind(C) result(status)
            import :: c_int32_t, c_int64_t, c_ptr
            integer(c_int64_t), value :: max_n, max_k2, k1, incx, batch_count
            type(c_ptr), value :: n, a_array, lda, k2, ipiv_array, stream
            integer(c_int32_t) :: status
        end function

        ! tephra_strsv_batched() for systems with individual orders and increments.
        !
        ! The sizes are in device memory and are never read by the host; max_n is the upper bound of the orders. The call
        ! is asynchronous on the stream, needs no workspace, allocates nothing (except scratch memory from the
        ! stream-ordered pool for few large members) and can be captured in a CUDA graph; each replay may see different
        ! sizes. Members with invalid sizes are neither read nor written, and no error code reports them: those with n[i]
        ! below 0 or above max_n, lda[i] below n[i], or incx[i] of 0.
        !
        ! | # | argument | |
        ! | - | -------- | - |
        ! | 1 | max_n | no matrix has a higher order, max_n >= 0 |
        ! | 2 | uplo | TEPHRA_UPLO_UPPER or TEPHRA_UPLO_LOWER |
        ! | 3 | trans | TEPHRA_TRANS_N, _T or _C |
        ! | 4 | diag | TEPHRA_DIAG_NON_UNIT or TEPHRA_DIAG_UNIT |
        ! | 5 | n | batch_count ints in device memory: orders; not NULL when there is work |
        ! | 6 | a_array | batch_count pointers to matrices of order n[i], likewise |
        ! | 7 | lda | batch_count ints in device memory: leading dimensions, in elements, likewise |
        ! | 8 | x_array | batch_count pointers to 1 + (n[i]-1)*abs(incx[i]) elements, likewise |
        ! | 9 | incx | batch_count ints in device memory: increments of x; if negative, x starts with its last element;
        ! likewise |
        ! | 10 | batch_count | number of members, >= 0 |
        ! | 11 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
        !
        ! On the CPU backend all of these are in host memory. The call does nothing and returns success when max_n or
        ! batch_count is 0.
        function tephra_strsv_vbatched(max_n, uplo, trans, diag, n, a_array, lda, x_array, incx, batch_count, stream) &
            bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr
            integer(c_int64_t), value :: max_n, batch_count
            integer(c_int), value :: uplo, trans, diag
            type(c_ptr), value :: n, a_array, lda, x_array, incx, stream
            integer(c_int32_t) :: status
        end function

        ! tephra_strsv_vbatched() in double precision.
        function tephra_dtrsv_vbatched(max_n, uplo, trans, diag, n, a_array, lda, x_array, incx, batch_count, stream) &
            bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr
            integer(c_int64_t), value :: max_n, batch_count
            integer(c_int), value :: uplo, trans, diag
            type(c_ptr), value :: n, a_array, lda, x_array, incx, stream
            integer(c_int32_t) :: status
        end function

        ! tephra_strsv_vbatched() in single precision complex.
        function tephra_ctrsv_vbatched(max_n, uplo, trans, diag, n, a_array, lda, x_array, incx, batch_count, stream) &
            bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr
            integer(c_int64_t), value :: max_n, batch_count
            integer(c_int), value :: uplo, trans, diag
            type(c_ptr), value :: n, a_array, lda, x_array, incx, stream
            integer(c_int32_t) :: status
        end function

        ! tephra_strsv_vbatched() in double precision complex.
        function tephra_ztrsv_vbatched(max_n, uplo, trans, diag, n, a_array, lda, x_array, incx, batch_count, stream) &
            bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr
            integer(c_int64_t), value :: max_n, batch_count
            integer(c_int), value :: uplo, trans, diag
            type(c_ptr), value :: n, a_array, lda, x_array, incx, stream
            integer(c_int32_t) :: status
        end function

        ! Makes a communicator from functions of the caller, such as wrappers of MPI or torch.distributed. This process is
        ! rank `rank` of `size`.
        !
        ! The functions are called from the thread that calls Tephra, with buffers in host memory, on all ranks in the
        ! same order and with the same sizes. They decide how long to wait for a missing rank; a nonzero return value ends
        ! the call with TEPHRA_STATUS_COMMUNICATION_ERROR. On the CUDA backend data passes through pinned host memory, and
        ! calls wait for it; tephra_comm_from_nccl() sends from device to device.
        !
        ! | # | argument | |
        ! | - | -------- | - |
        ! | 1 | rank | this process, 0 <= rank < size |
        ! | 2 | size | number of ranks, >= 1 |
        ! | 3 | allgather | not NULL |
        ! | 4 | broadcast | may be NULL if device kind, settings and build of Tephra are the same on all ranks; else calls may
        ! fail |
        ! | 5 | user | passed to both functions |
        ! | 6 | comm | receives the communicator |
        function tephra_comm_create(rank, size, allgather, broadcast, user, comm) bind(C) result(status)
            import :: c_funptr, c_int, c_int32_t, c_ptr
            integer(c_int), value :: rank, size
            type(c_funptr), value :: allgather, broadcast
            type(c_ptr), value :: user
            type(c_ptr), intent(out) :: comm
            integer(c_int32_t) :: status
        end function

        ! Makes a communicator from the caller's ncclComm_t, which the caller keeps owning and which must outlive it. The
        ! first call looks for NCCL, in libnccl.so.2: a copy that the program has already loaded, or the system's. Returns
        ! TEPHRA_STATUS_NOT_SUPPORTED if there is none, and on the CPU backend. The calling thread's current device must
        ! be that of the communicator, as in all calls with it. Arguments are numbered nccl_comm 1, comm 2.
        function tephra_comm_from_nccl(nccl_comm, comm) bind(C) result(status)
            import :: c_int32_t, c_ptr
            type(c_ptr), value :: nccl_comm
            type(c_ptr), intent(out) :: comm
            integer(c_int32_t) :: status
        end function

        ! Makes communicators for `count` ranks of this process, each to be used by a thread of its own, all of which call
        ! at the same time. On CUDA, rank i uses the device devices[i] (NULL: device i), which must be the current one of
        ! its thread. The ranks communicate through NCCL if it can be loaded, and through pinned host memory if it cannot
        ! or if a device is named twice. On the CPU backend devices is ignored. `comms` receives `count` communicators.
        ! Arguments are numbered count 1, devices 2, comms 3.
        function tephra_comm_init_all(count, devices, comms) bind(C) result(status)
            import :: c_int, c_int32_t, c_ptr
            integer(c_int), value :: count
            type(c_ptr), value :: devices, comms
            integer(c_int32_t) :: status
        end function

        ! Destroys a communicator; NULL is allowed. This does not communicate, so other ranks need not call it at the same
        ! time.
        function tephra_comm_destroy(comm) bind(C) result(status)
            import :: c_int32_t, c_ptr
            type(c_ptr), value :: comm
            integer(c_int32_t) :: status
        end function

        ! Writes the index of this rank and the number of ranks to *rank and *size; either may be NULL. Arguments are
        ! numbered comm 1, rank 2, size 3.
        function tephra_comm_rank(comm, rank, size) bind(C) result(status)
            import :: c_int, c_int32_t, c_ptr
            type(c_ptr), value :: comm, rank
            integer(c_int), intent(out) :: size
            integer(c_int32_t) :: status
        end function

        ! Sets how many seconds a rank waits for the others; the default is 300. After that time the call fails on all
        ! ranks that made it, and with a communicator of tephra_comm_init_all() so do all later calls. The functions of
        ! tephra_comm_create() are not affected. With NCCL, work that waits in the stream stays there until the owner of
        ! the ncclComm_t aborts it. Arguments are numbered comm 1, seconds 2: more than 0, at most 1e9.
        function tephra_comm_set_timeout(comm, seconds) bind(C) result(status)
            import :: c_double, c_int32_t, c_ptr
            type(c_ptr), value :: comm
            real(c_double), value :: seconds
            integer(c_int32_t) :: status
        end function

        ! QR factorisation of one tall matrix whose rows are distributed over ranks: A = Q R. Every rank receives R.
        !
        ! Rank 0 has the first rows of the matrix, rank 1 the next ones, and so on. A rank may have any number of rows,
        ! including 0; all ranks together have at least n. Up to rounding, R is that of SGEQRF for the whole matrix, signs
        ! included; it is zero below its diagonal and has the same bits on all ranks. With TEPHRA_Q_THIN, the rows of Q
        ! are distributed as those of A; with TEPHRA_Q_NONE, Q is not formed. Each rank sends at most 2 n^2 elements: its
        ! rows among the first n of the matrix, and the triangular factor of its others (TSQR). If the matrix contains a
        ! NaN or infinity, R is not finite on all ranks.
        !
        ! All ranks make the call together, with the same type, part and n, which they verify first. If these differ, or a
        ! rank cannot take part because it lacks memory or has invalid arguments, the call fails on all ranks before
        ! anything is written: on that rank with its own error, on the others with TEPHRA_STATUS_COMMUNICATION_ERROR. If a
        ! device fails later, the other ranks get NaN in R or fail, too.
        !
        ! | # | argument | |
        ! | - | -------- | - |
        ! | 1 | comm | the communicator |
        ! | 2 | part | TEPHRA_Q_NONE or TEPHRA_Q_THIN |
        ! | 3 | m | rows of this rank, m >= 0; of all ranks together at least n |
        ! | 4 | n | columns, n >= 0 |
        ! | 5 | a | this rank's rows, lda*n elements of device memory, overwritten; not NULL unless m or n is 0 |
        ! | 6 | lda | leading dimension of A, lda >= max(1,m) |
        ! | 7 | q | receives this rank's rows of Q, which must not be a; likewise; ignored for TEPHRA_Q_NONE |
        ! | 8 | ldq | leading dimension of Q, ldq >= max(1,m); likewise |
        ! | 9 | r | receives R, ldr*n elements of device memory |
        ! | 10 | ldr | leading dimension of R, ldr >= max(1,n) |
        ! | 11 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
        !
        ! On CUDA the call waits for the ranks to verify their arguments and, with NCCL, for earlier work in the stream.
        ! The rest is asynchronous on the stream, with scratch memory from the stream-ordered pool, unless data passes
        ! through host memory. The call cannot be captured in a CUDA graph. On the CPU backend it has finished when it
        ! returns.
        function tephra_sqr_distributed(comm, part, m, n, a, lda, q, ldq, r, ldr, stream) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr
            type(c_ptr), value :: comm, a, q, r, stream
            integer(c_int), value :: part
            integer(c_int64_t), value :: m, n, lda, ldq, ldr
            integer(c_int32_t) :: status
        end function

        ! QR factorisation of one tall matrix whose rows are distributed over ranks, A = Q R, with an implicit Q that
        ! tephra_sgemqr_distributed() can apply.
        !
        ! Rows, R and failures are as for tephra_sqr_distributed(). A and T represent Q in an internal format and must not
        ! be changed. T holds the factored stack of all ranks' triangular factors, which is the same on all ranks, and the
        ! factors of this rank's own rows.
        !
        ! | # | argument | |
        ! | - | -------- | - |
        ! | 1 | comm | the communicator |
        ! | 2 | m | rows of this rank, m >= 0; of all ranks together at least n |
        ! | 3 | n | columns, n >= 0 |
        ! | 4 | a | this rank's rows, lda*n elements of device memory, overwritten; not NULL unless m or n is 0 |
        ! | 5 | lda | leading dimension, lda >= max(1,m) |
        ! | 6 | t | receives T, tsize elements of device memory |
        ! | 7 | tsize | its size in elements, at least what tephra_sgeqr_distributed_tsize() reports; a smaller one is an
        ! error |
        ! | 8 | r | receives R, ldr*n elements of device memory |
        ! | 9 | ldr | leading dimension of R, ldr >= max(1,n) |
        ! | 10 | stream | as for tephra_sqr_distributed() |
        function tephra_sgeqr_distributed(comm, m, n, a, lda, t, tsize, r, ldr, stream) bind(C) result(status)
            import :: c_int32_t, c_int64_t, c_ptr
            type(c_ptr), value :: comm, a, t, r, stream
            integer(c_int64_t), value :: m, n, lda, tsize, ldr
            integer(c_int32_t) :: status
        end function

        ! Writes the number of elements of T of tephra_sgeqr_distributed() for a rank with m rows to *tsize, without
        ! communication. Arguments are numbered comm 1, m 2, n 3.
        function tephra_sgeqr_distributed_tsize(comm, m, n, tsize) bind(C) result(status)
            import :: c_int32_t, c_int64_t, c_ptr
            type(c_ptr), value :: comm
            integer(c_int64_t), value :: m, n
            integer(c_int64_t), intent(out) :: tsize
            integer(c_int32_t) :: status
        end function

        ! C := op(Q) C for a distributed C, with Q as tephra_sgeqr_distributed() left it in A and T.
        !
        ! Q is square, of the order of the matrix's rows; the rows of C are distributed as those of A were. The first k
        ! rows of Q^H C correspond to R: with C = B they are the right-hand sides of the triangular system of a
        ! least-squares problem, and the rows below them give the residual. Failures are as for tephra_sqr_distributed().
        !
        ! | # | argument | |
        ! | - | -------- | - |
        ! | 1 | comm | the communicator |
        ! | 2 | trans | TEPHRA_TRANS_N, TEPHRA_TRANS_T or TEPHRA_TRANS_C; LAPACK has no T for complex types |
        ! | 3 | m | rows of this rank, as in tephra_sgeqr_distributed() |
        ! | 4 | n | columns of C, n >= 0 |
        ! | 5 | k | columns of A |
        ! | 6 | a | what tephra_sgeqr_distributed() left, device memory |
        ! | 7 | lda | leading dimension, lda >= max(1,m) |
        ! | 8 | t | T of tephra_sgeqr_distributed() |
        ! | 9 | tsize | its size in elements |
        ! | 10 | c | this rank's rows of C, device memory, overwritten |
        ! | 11 | ldc | leading dimension, ldc >= max(1,m) |
        ! | 12 | stream | as for tephra_sqr_distributed() |
        function tephra_sgemqr_distributed(comm, trans, m, n, k, a, lda, t, tsize, c, ldc, stream) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr
            type(c_ptr), value :: comm, a, t, c, stream
            integer(c_int), value :: trans
            integer(c_int64_t), value :: m, n, k, lda, tsize, ldc
            integer(c_int32_t) :: status
        end function

        ! Least squares with one tall matrix whose rows are distributed over ranks: every rank receives the X that
        ! minimises the 2-norm of each column of B - A X. A must have full rank.
        !
        ! Rows and failures are as for tephra_sqr_distributed(); the rows of B are distributed as those of A. Unlike
        ! tephra_sgels(), the call does not scale A and B: X is not finite if the norm of one of their columns overflows,
        ! and loses digits where their elements are subnormal.
        !
        ! | # | argument | |
        ! | - | -------- | - |
        ! | 1 | comm | the communicator |
        ! | 2 | m | rows of this rank, m >= 0; of all ranks together at least n |
        ! | 3 | n | columns of A, n >= 0 |
        ! | 4 | nrhs | right-hand sides, columns of B and X, nrhs >= 0 |
        ! | 5 | a | this rank's rows of A, device memory, overwritten |
        ! | 6 | lda | leading dimension of A, lda >= max(1,m) |
        ! | 7 | b | this rank's rows of B, device memory, overwritten |
        ! | 8 | ldb | leading dimension of B, ldb >= max(1,m) |
        ! | 9 | x | receives X, ldx*nrhs elements of device memory |
        ! | 10 | ldx | leading dimension of X, ldx >= max(1,n) |
        ! | 11 | info | one int in device memory, or NULL: 0, or j when element j (from 1) of R's diagonal is exactly 0, so
        ! that A does not have full rank and X is invalid |
        ! | 12 | stream | as for tephra_sqr_distributed() |
        function tephra_sgels_distributed(comm, m, n, nrhs, a, lda, b, ldb, x, ldx, info, stream) bind(C) result(status)
            import :: c_int32_t, c_int64_t, c_ptr
            type(c_ptr), value :: comm, a, b, x, info, stream
            integer(c_int64_t), value :: m, n, nrhs, lda, ldb, ldx
            integer(c_int32_t) :: status
        end function

        ! tephra_sqr_distributed() in double precision.
        function tephra_dqr_distributed(comm, part, m, n, a, lda, q, ldq, r, ldr, stream) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr
            type(c_ptr), value :: comm, a, q, r, stream
            integer(c_int), value :: part
            integer(c_int64_t), value :: m, n, lda, ldq, ldr
            integer(c_int32_t) :: status
        end function

        ! tephra_sgeqr_distributed() in double precision.
        function tephra_dgeqr_distributed(comm, m, n, a, lda, t, tsize, r, ldr, stream) bind(C) result(status)
            import :: c_int32_t, c_int64_t, c_ptr
            type(c_ptr), value :: comm, a, t, r, stream
            integer(c_int64_t), value :: m, n, lda, tsize, ldr
            integer(c_int32_t) :: status
        end function

        ! tephra_sgeqr_distributed_tsize() in double precision.
        function tephra_dgeqr_distributed_tsize(comm, m, n, tsize) bind(C) result(status)
            import :: c_int32_t, c_int64_t, c_ptr
            type(c_ptr), value :: comm
            integer(c_int64_t), value :: m, n
            integer(c_int64_t), intent(out) :: tsize
            integer(c_int32_t) :: status
        end function

        ! tephra_sgemqr_distributed() in double precision.
        function tephra_dgemqr_distributed(comm, trans, m, n, k, a, lda, t, tsize, c, ldc, stream) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr
            type(c_ptr), value :: comm, a, t, c, stream
            integer(c_int), value :: trans
            integer(c_int64_t), value :: m, n, k, lda, tsize, ldc
            integer(c_int32_t) :: status
        end function

        ! tephra_sgels_distributed() in double precision.
        function tephra_dgels_distributed(comm, m, n, nrhs, a, lda, b, ldb, x, ldx, info, stream) bind(C) result(status)
            import :: c_int32_t, c_int64_t, c_ptr
            type(c_ptr), value :: comm, a, b, x, info, stream
            integer(c_int64_t), value :: m, n, nrhs, lda, ldb, ldx
            integer(c_int32_t) :: status
        end function

        ! tephra_sqr_distributed() in single precision complex.
        function tephra_cqr_distributed(comm, part, m, n, a, lda, q, ldq, r, ldr, stream) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr
            type(c_ptr), value :: comm, a, q, r, stream
            integer(c_int), value :: part
            integer(c_int64_t), value :: m, n, lda, ldq, ldr
            integer(c_int32_t) :: status
        end function

        ! tephra_sgeqr_distributed() in single precision complex.
        function tephra_cgeqr_distributed(comm, m, n, a, lda, t, tsize, r, ldr, stream) bind(C) result(status)
            import :: c_int32_t, c_int64_t, c_ptr
            type(c_ptr), value :: comm, a, t, r, stream
            integer(c_int64_t), value :: m, n, lda, tsize, ldr
            integer(c_int32_t) :: status
        end function

        ! tephra_sgeqr_distributed_tsize() in single precision complex.
        function tephra_cgeqr_distributed_tsize(comm, m, n, tsize) bind(C) result(status)
            import :: c_int32_t, c_int64_t, c_ptr
            type(c_ptr), value :: comm
            integer(c_int64_t), value :: m, n
            integer(c_int64_t), intent(out) :: tsize
            integer(c_int32_t) :: status
        end function

        ! tephra_sgemqr_distributed() in single precision complex.
        function tephra_cgemqr_distributed(comm, trans, m, n, k, a, lda, t, tsize, c, ldc, stream) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr
            type(c_ptr), value :: comm, a, t, c, stream
            integer(c_int), value :: trans
            integer(c_int64_t), value :: m, n, k, lda, tsize, ldc
            integer(c_int32_t) :: status
        end function

        ! tephra_sgels_distributed() in single precision complex.
        function tephra_cgels_distributed(comm, m, n, nrhs, a, lda, b, ldb, x, ldx, info, stream) bind(C) result(status)
            import :: c_int32_t, c_int64_t, c_ptr
            type(c_ptr), value :: comm, a, b, x, info, stream
            integer(c_int64_t), value :: m, n, nrhs, lda, ldb, ldx
            integer(c_int32_t) :: status
        end function

        ! tephra_sqr_distributed() in double precision complex.
        function tephra_zqr_distributed(comm, part, m, n, a, lda, q, ldq, r, ldr, stream) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr
            type(c_ptr), value :: comm, a, q, r, stream
            integer(c_int), value :: part
            integer(c_int64_t), value :: m, n, lda, ldq, ldr
            integer(c_int32_t) :: status
        end function

        ! tephra_sgeqr_distributed() in double precision complex.
        function tephra_zgeqr_distributed(comm, m, n, a, lda, t, tsize, r, ldr, stream) bind(C) result(status)
            import :: c_int32_t, c_int64_t, c_ptr
            type(c_ptr), value :: comm, a, t, r, stream
            integer(c_int64_t), value :: m, n, lda, tsize, ldr
            integer(c_int32_t) :: status
        end function

        ! tephra_sgeqr_distributed_tsize() in double precision complex.
        function tephra_zgeqr_distributed_tsize(comm, m, n, tsize) bind(C) result(status)
            import :: c_int32_t, c_int64_t, c_ptr
            type(c_ptr), value :: comm
            integer(c_int64_t), value :: m, n
            integer(c_int64_t), intent(out) :: tsize
            integer(c_int32_t) :: status
        end function

        ! tephra_sgemqr_distributed() in double precision complex.
        function tephra_zgemqr_distributed(comm, trans, m, n, k, a, lda, t, tsize, c, ldc, stream) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr
            type(c_ptr), value :: comm, a, t, c, stream
            integer(c_int), value :: trans
            integer(c_int64_t), value :: m, n, k, lda, tsize, ldc
            integer(c_int32_t) :: status
        end function

        ! tephra_sgels_distributed() in double precision complex.
        function tephra_zgels_distributed(comm, m, n, nrhs, a, lda, b, ldb, x, ldx, info, stream) bind(C) result(status)
            import :: c_int32_t, c_int64_t, c_ptr
            type(c_ptr), value :: comm, a, b, x, info, stream
            integer(c_int64_t), value :: m, n, nrhs, lda, ldb, ldx
            integer(c_int32_t) :: status
        end function

        ! QR factorisation of one large matrix in host memory on all CPU cores: A = Q R, in tiles of nb rows and columns.
        !
        ! All operands are in host memory, whichever backend is in use, and the call returns when it has finished. It
        ! allocates working memory: about 1 MB for each of the TEPHRA_NUM_THREADS threads (or 100 nb elements if that is
        ! more), and 100 to 200 bytes for each of about m n min(m,n) / (2 nb^3) tasks. The tasks are kernels on tiles
        ! (Buttari, Langou, Kurzak and Dongarra, Parallel Computing 35 (2009)) and run as soon as their inputs are ready.
        ! Results depend on nb, but not on the number of threads, on look_ahead or on timing.
        !
        ! R is on and above the diagonal of A, as SGEQRF leaves it except for the signs of its rows. The elements below
        ! the diagonal and T represent Q, for tephra_sormqr_tiled() and tephra_sorgqr_tiled() only. A NaN or infinity in A
        ! appears in R.
        !
        ! | # | argument | |
        ! | - | -------- | - |
        ! | 1 | m | rows, m >= 0 |
        ! | 2 | n | columns, n >= 0 |
        ! | 3 | a | the matrix, lda*n elements, overwritten; not NULL unless m or n is 0 |
        ! | 4 | lda | leading dimension of A, lda >= max(1,m) |
        ! | 5 | nb | rows and columns of a tile; 0: chosen by the library. It is raised if there would be too many tiles |
        ! | 6 | t | receives factors of the reflectors; not NULL unless m or n is 0 |
        ! | 7 | tsize | its size in elements, at least what tephra_sgeqrf_tiled_tsize() reports; a smaller one is an error |
        ! | 8 | look_ahead | how many steps (columns of tiles) a task may be ahead of the first unfinished one; 0: any number
        ! |
        ! | 9 | call | progress callback, called from this thread; or NULL |
        ! | 10 | user | passed to it |
        !
        ! A call that the callback cancels returns TEPHRA_STATUS_FUNCTION_ERROR. A and T are then unspecified, as after a
        ! failed allocation.
        function tephra_sgeqrf_tiled(m, n, a, lda, nb, t, tsize, look_ahead, call, user) bind(C) result(status)
            import :: c_funptr, c_int32_t, c_int64_t, c_ptr
            integer(c_int64_t), value :: m, n, lda, nb, tsize, look_ahead
            type(c_ptr), value :: a, t, user
            type(c_funptr), value :: call
            integer(c_int32_t) :: status
        end function

        ! Writes the number of elements of T of tephra_sgeqrf_tiled() to *tsize: about ib min(m,n) times the number of
        ! tile rows, ib being the inner block size (32, or nb if that is less), and half of that if A is square. Here
        ! min(m,n) is rounded up to a multiple of nb, so the T of a single column has ib m elements. The arguments are
        ! checked as in that call.
        function tephra_sgeqrf_tiled_tsize(m, n, nb, tsize) bind(C) result(status)
            import :: c_int32_t, c_int64_t
            integer(c_int64_t), value :: m, n, nb
            integer(c_int64_t), intent(out) :: tsize
            integer(c_int32_t) :: status
        end function

        ! C := op(Q) C with Q as tephra_sgeqrf_tiled() left it in A and T, on all CPU cores. All operands are in host
        ! memory.
        !
        ! | # | argument | |
        ! | - | -------- | - |
        ! | 1 | trans | TEPHRA_TRANS_N, TEPHRA_TRANS_T or TEPHRA_TRANS_C; for complex types there is no T |
        ! | 2 | m | rows of C and of the matrix that was factored, m >= 0 |
        ! | 3 | n | columns of C, n >= 0 |
        ! | 4 | k | reflectors, 0 <= k <= m, no more than that matrix had columns |
        ! | 5 | a | what tephra_sgeqrf_tiled() left |
        ! | 6 | lda | leading dimension of A, lda >= max(1,m) |
        ! | 7 | t | T of tephra_sgeqrf_tiled() |
        ! | 8 | tsize | its size in elements |
        ! | 9 | c | ldc*n elements, overwritten |
        ! | 10 | ldc | leading dimension of C, ldc >= max(1,m) |
        !
        ! The call does nothing when m, n or k is 0.
        function tephra_sormqr_tiled(trans, m, n, k, a, lda, t, tsize, c, ldc) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr
            integer(c_int), value :: trans
            integer(c_int64_t), value :: m, n, k, lda, tsize, ldc
            type(c_ptr), value :: a, t, c
            integer(c_int32_t) :: status
        end function

        ! Computes the first n columns of Q as tephra_sgeqrf_tiled() left it in A and T, on all CPU cores. All operands
        ! are in host memory.
        !
        ! | # | argument | |
        ! | - | -------- | - |
        ! | 1 | m | rows of Q and of the matrix that was factored, m >= 0 |
        ! | 2 | n | columns of Q, 0 <= n <= m |
        ! | 3 | k | reflectors, 0 <= k <= n, no more than that matrix had columns |
        ! | 4 | a | what tephra_sgeqrf_tiled() left; not modified |
        ! | 5 | lda | leading dimension of A, lda >= max(1,m) |
        ! | 6 | t | T of tephra_sgeqrf_tiled() |
        ! | 7 | tsize | its size in elements |
        ! | 8 | q | receives Q, ldq*n elements; must not be A |
        ! | 9 | ldq | leading dimension of Q, ldq >= max(1,m) |
        function tephra_sorgqr_tiled(m, n, k, a, lda, t, tsize, q, ldq) bind(C) result(status)
            import :: c_int32_t, c_int64_t, c_ptr
            integer(c_int64_t), value :: m, n, k, lda, tsize, ldq
            type(c_ptr), value :: a, t, q
            integer(c_int32_t) :: status
        end function

        ! Least-squares or minimum-norm solutions of op(A) X = B (LAPACK SGELS) with one large matrix in host memory, on
        ! all CPU cores. A must have full rank.
        !
        ! With TEPHRA_TRANS_N and m >= n, X minimises the 2-norm of each column of B - A X. It is returned in rows 0..n-1
        ! of B; the sum of squares of rows n..m-1 of a column is that of its residual. With m < n, X is the solution of
        ! least 2-norm, in rows 0..n-1. With TEPHRA_TRANS_T (real types) or _C the same holds for A^H X = B, where B has n
        ! rows on entry and X has m. A is overwritten. All operands are in host memory; the call allocates T
        ! (tephra_sgeqrf_tiled_tsize()), and a copy of A if m < n. A NaN appears in X; so does an
        ! infinity, unless X is only divided by it.
        !
        ! | # | argument | |
        ! | - | -------- | - |
        ! | 1 | trans | TEPHRA_TRANS_N, TEPHRA_TRANS_T or TEPHRA_TRANS_C; T is for real types only |
        ! | 2 | m | rows of A, m >= 0 |
        ! | 3 | n | columns of A, n >= 0 |
        ! | 4 | nrhs | right-hand sides, columns of B and X, nrhs >= 0 |
        ! | 5 | a | lda*n elements, overwritten |
        ! | 6 | lda | leading dimension of A, lda >= max(1,m) |
        ! | 7 | b | ldb*nrhs elements, overwritten with X |
        ! | 8 | ldb | leading dimension of B, ldb >= max(1,m,n) |
        ! | 9 | nb | rows and columns of a tile, as for tephra_sgeqrf_tiled() |
        ! | 10 | info | one int, or NULL: 0, or j when element j (from 1) of R's diagonal is exactly 0, so that A does not
        ! have full rank and X is invalid |
        !
        ! Without unknowns the call only sets info, to 0; without equations it also sets X to zero; without right-hand
        ! sides it sets info as otherwise.
        function tephra_sgels_tiled(trans, m, n, nrhs, a, lda, b, ldb, nb, info) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr
            integer(c_int), value :: trans
            integer(c_int64_t), value :: m, n, nrhs, lda, ldb, nb
            type(c_ptr), value :: a, b, info
            integer(c_int32_t) :: status
        end function

        ! QR factorisation of one large matrix in host memory on devices, or on devices and all CPU cores together: A = Q
        ! R (Kurzak, Nath, Du and Dongarra, An implementation of the tile QR factorization for a GPU and multiple CPUs).
        !
        ! A, T and the array `devices` are in host memory, whichever backend is in use. The devices own the first columns
        ! and factor them as tephra_sgeqrf_host() does: in blocks of columns, two of which are on a device at a time, so A
        ! may be larger than its memory. The CPU cores own the last columns, each working on one stripe of them at a time,
        ! and apply the devices' finished reflectors to them as these are copied back; a device then factors the rest of
        ! these columns. Unlike tephra_sgeqrf_tiled(), the call factors the tiles of a column together: R, signs included,
        ! and the reflectors below it are those of SGEQRF up to rounding, and the min(m,n) elements of T from element 3 on
        ! are tau. So tephra_sormqr_host(), LAPACK routines, tephra_sormqr_tiled() and tephra_sorgqr_tiled() can all use
        ! the result. On the CPU backend, and if the CPU cores own all columns, the call is the same as
        ! tephra_sgeqrf_tiled(). A NaN or infinity in A appears in R.
        !
        ! host_columns is rounded up so that the devices' columns are whole inner blocks; -1 balances the work by measured
        ! speeds, and gives the CPU cores no columns if they would do less than 5 % of the work. The same host_columns,
        ! budget, number of devices and TEPHRA_NUM_THREADS give the same bits. With host_columns -1 this holds within one
        ! process: the first call for a type measures the speeds of the first device and of the threads (in some tens of
        ! milliseconds, with at most 340 MB of device memory; with a smaller budget the CPU cores get no columns), and all
        ! later calls use the result. tephra_sgeqrf_tiled_host_columns() reports the number of columns, with which another
        ! process gives the same bits.
        !
        ! | # | argument | |
        ! | - | -------- | - |
        ! | 1 | m | rows, m >= 0 |
        ! | 2 | n | columns, n >= 0 |
        ! | 3 | a | the matrix, lda*n elements, overwritten; not NULL unless m or n is 0, and not in device memory |
        ! | 4 | lda | leading dimension of A, lda >= max(1,m) |
        ! | 5 | nb | reflectors that a core applies at a time, and the tile size without a device; 0: chosen by the library |
        ! | 6 | t | receives factors of the reflectors; not NULL unless m or n is 0 |
        ! | 7 | tsize | its size in elements, at least what tephra_sgeqrf_tiled_tsize() reports for m, n and nb |
        ! | 8 | look_ahead | how many steps (nb columns) a core may be ahead of the first unfinished one; 0: any number |
        ! | 9 | host_columns | number of last columns that the CPU cores own; 0: devices only; n or more: cores only; -1: see
        ! above |
        ! | 10 | budget | bytes of each device's memory that the call may use, as for tephra_sgeqrf_host(); 0: what is free,
        ! less a margin |
        ! | 11 | device_count | how many devices take part; 0: the current one |
        ! | 12 | devices | which ones; ignored if device_count is 0 |
        ! | 13 | call | progress callback, called from this thread with the steps enqueued on the devices, and at the end; or
        ! NULL |
        ! | 14 | user | passed to it |
        !
        ! The call waits, uses memory and fails as tephra_sgeqrf_host() does: it returns TEPHRA_STATUS_OUT_OF_MEMORY if a
        ! device or the host has too little memory (before anything is written, if the budget is too small), and
        ! TEPHRA_STATUS_FUNCTION_ERROR if the callback cancels it. A and T are unspecified after a failure midway.
        function tephra_sgeqrf_tiled_devices(m, n, a, lda, nb, t, tsize, look_ahead, host_columns, budget, device_count, &
            devices, call, user) bind(C) result(status)
            import :: c_funptr, c_int, c_int32_t, c_int64_t, c_ptr
            integer(c_int64_t), value :: m, n, lda, nb, tsize, look_ahead, host_columns, budget
            type(c_ptr), value :: a, t, devices, user
            integer(c_int), value :: device_count
            type(c_funptr), value :: call
            integer(c_int32_t) :: status
        end function

        ! Writes the number of columns that the CPU cores get from tephra_sgeqrf_tiled_devices() with host_columns -1 to
        ! *columns; on the CPU backend, all. m, n, nb, budget, device_count and devices are as in that call, and are
        ! checked in the same way. The first call for a type measures.
        function tephra_sgeqrf_tiled_host_columns(m, n, nb, budget, device_count, devices, columns) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr
            integer(c_int64_t), value :: m, n, nb, budget
            integer(c_int), value :: device_count
            type(c_ptr), value :: devices, columns
            integer(c_int32_t) :: status
        end function

        ! tephra_sgels_tiled() with the factorisation of tephra_sgeqrf_tiled_devices(): on devices, or on devices and CPU
        ! cores. B is processed on the host.
        !
        ! | # | argument | |
        ! | - | -------- | - |
        ! | 1 | trans | TEPHRA_TRANS_N, TEPHRA_TRANS_T or TEPHRA_TRANS_C; T is for real types only |
        ! | 2 | m | rows of A, m >= 0 |
        ! | 3 | n | columns of A, n >= 0 |
        ! | 4 | nrhs | right-hand sides, columns of B and X, nrhs >= 0 |
        ! | 5 | a | lda*n elements, overwritten; not in device memory |
        ! | 6 | lda | leading dimension of A, lda >= max(1,m) |
        ! | 7 | b | ldb*nrhs elements, overwritten with X |
        ! | 8 | ldb | leading dimension of B, ldb >= max(1,m,n) |
        ! | 9 | nb | as for tephra_sgeqrf_tiled_devices() |
        ! | 10 | info | as for tephra_sgels_tiled() |
        ! | 11 | host_columns | as for tephra_sgeqrf_tiled_devices(), of A, or of A^H where A is wide |
        ! | 12 | budget | bytes of each device's memory; 0: what is free |
        ! | 13 | device_count | how many devices take part; 0: the current one |
        ! | 14 | devices | which ones; ignored if device_count is 0 |
        ! | 15 | call | progress callback of the factorisation, or NULL |
        ! | 16 | user | passed to it |
        function tephra_sgels_tiled_devices(trans, m, n, nrhs, a, lda, b, ldb, nb, info, host_columns, budget, device_count, &
            devices, call, user) bind(C) result(status)
            import :: c_funptr, c_int, c_int32_t, c_int64_t, c_ptr
            integer(c_int), value :: trans, device_count
            integer(c_int64_t), value :: m, n, nrhs, lda, ldb, nb, host_columns, budget
            type(c_ptr), value :: a, b, info, devices, user
            type(c_funptr), value :: call
            integer(c_int32_t) :: status
        end function

        ! tephra_sgeqrf_tiled() in double precision.
        function tephra_dgeqrf_tiled(m, n, a, lda, nb, t, tsize, look_ahead, call, user) bind(C) result(status)
            import :: c_funptr, c_int32_t, c_int64_t, c_ptr
            integer(c_int64_t), value :: m, n, lda, nb, tsize, look_ahead
            type(c_ptr), value :: a, t, user
            type(c_funptr), value :: call
            integer(c_int32_t) :: status
        end function

        ! tephra_sgeqrf_tiled_tsize() in double precision.
        function tephra_dgeqrf_tiled_tsize(m, n, nb, tsize) bind(C) result(status)
            import :: c_int32_t, c_int64_t
            integer(c_int64_t), value :: m, n, nb
            integer(c_int64_t), intent(out) :: tsize
            integer(c_int32_t) :: status
        end function

        ! tephra_sormqr_tiled() in double precision.
        function tephra_dormqr_tiled(trans, m, n, k, a, lda, t, tsize, c, ldc) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr
            integer(c_int), value :: trans
            integer(c_int64_t), value :: m, n, k, lda, tsize, ldc
            type(c_ptr), value :: a, t, c
            integer(c_int32_t) :: status
        end function

        ! tephra_sorgqr_tiled() in double precision.
        function tephra_dorgqr_tiled(m, n, k, a, lda, t, tsize, q, ldq) bind(C) result(status)
            import :: c_int32_t, c_int64_t, c_ptr
            integer(c_int64_t), value :: m, n, k, lda, tsize, ldq
            type(c_ptr), value :: a, t, q
            integer(c_int32_t) :: status
        end function

        ! tephra_sgels_tiled() in double precision.
        function tephra_dgels_tiled(trans, m, n, nrhs, a, lda, b, ldb, nb, info) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr
            integer(c_int), value :: trans
            integer(c_int64_t), value :: m, n, nrhs, lda, ldb, nb
            type(c_ptr), value :: a, b, info
            integer(c_int32_t) :: status
        end function

        ! tephra_sgeqrf_tiled_devices() in double precision.
        function tephra_dgeqrf_tiled_devices(m, n, a, lda, nb, t, tsize, look_ahead, host_columns, budget, device_count, &
            devices, call, user) bind(C) result(status)
            import :: c_funptr, c_int, c_int32_t, c_int64_t, c_ptr
            integer(c_int64_t), value :: m, n, lda, nb, tsize, look_ahead, host_columns, budget
            type(c_ptr), value :: a, t, devices, user
            integer(c_int), value :: device_count
            type(c_funptr), value :: call
            integer(c_int32_t) :: status
        end function

        ! tephra_sgeqrf_tiled_host_columns() in double precision.
        function tephra_dgeqrf_tiled_host_columns(m, n, nb, budget, device_count, devices, columns) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr
            integer(c_int64_t), value :: m, n, nb, budget
            integer(c_int), value :: device_count
            type(c_ptr), value :: devices, columns
            integer(c_int32_t) :: status
        end function

        ! tephra_sgels_tiled_devices() in double precision.
        function tephra_dgels_tiled_devices(trans, m, n, nrhs, a, lda, b, ldb, nb, info, host_columns, budget, device_count, &
            devices, call, user) bind(C) result(status)
            import :: c_funptr, c_int, c_int32_t, c_int64_t, c_ptr
            integer(c_int), value :: trans, device_count
            integer(c_int64_t), value :: m, n, nrhs, lda, ldb, nb, host_columns, budget
            type(c_ptr), value :: a, b, info, devices, user
            type(c_funptr), value :: call
            integer(c_int32_t) :: status
        end function

        ! tephra_sgeqrf_tiled() in single precision complex.
        function tephra_cgeqrf_tiled(m, n, a, lda, nb, t, tsize, look_ahead, call, user) bind(C) result(status)
            import :: c_funptr, c_int32_t, c_int64_t, c_ptr
            integer(c_int64_t), value :: m, n, lda, nb, tsize, look_ahead
            type(c_ptr), value :: a, t, user
            type(c_funptr), value :: call
            integer(c_int32_t) :: status
        end function

        ! tephra_sgeqrf_tiled_tsize() in single precision complex.
        function tephra_cgeqrf_tiled_tsize(m, n, nb, tsize) bind(C) result(status)
            import :: c_int32_t, c_int64_t
            integer(c_int64_t), value :: m, n, nb
            integer(c_int64_t), intent(out) :: tsize
            integer(c_int32_t) :: status
        end function

        ! tephra_sormqr_tiled() in single precision complex, with Q^H instead of Q^T.
        function tephra_cunmqr_tiled(trans, m, n, k, a, lda, t, tsize, c, ldc) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr
            integer(c_int), value :: trans
            integer(c_int64_t), value :: m, n, k, lda, tsize, ldc
            type(c_ptr), value :: a, t, c
            integer(c_int32_t) :: status
        end function

        ! tephra_sorgqr_tiled() in single precision complex.
        function tephra_cungqr_tiled(m, n, k, a, lda, t, tsize, q, ldq) bind(C) result(status)
            import :: c_int32_t, c_int64_t, c_ptr
            integer(c_int64_t), value :: m, n, k, lda, tsize, ldq
            type(c_ptr), value :: a, t, q
            integer(c_int32_t) :: status
        end function

        ! tephra_sgels_tiled() in single precision complex.
        function tephra_cgels_tiled(trans, m, n, nrhs, a, lda, b, ldb, nb, info) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr
            integer(c_int), value :: trans
            integer(c_int64_t), value :: m, n, nrhs, lda, ldb, nb
            type(c_ptr), value :: a, b, info
            integer(c_int32_t) :: status
        end function

        ! tephra_sgeqrf_tiled_devices() in single precision complex.
        function tephra_cgeqrf_tiled_devices(m, n, a, lda, nb, t, tsize, look_ahead, host_columns, budget, device_count, &
            devices, call, user) bind(C) result(status)
            import :: c_funptr, c_int, c_int32_t, c_int64_t, c_ptr
            integer(c_int64_t), value :: m, n, lda, nb, tsize, look_ahead, host_columns, budget
            type(c_ptr), value :: a, t, devices, user
            integer(c_int), value :: device_count
            type(c_funptr), value :: call
            integer(c_int32_t) :: status
        end function

        ! tephra_sgeqrf_tiled_host_columns() in single precision complex.
        function tephra_cgeqrf_tiled_host_columns(m, n, nb, budget, device_count, devices, columns) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr
            integer(c_int64_t), value :: m, n, nb, budget
            integer(c_int), value :: device_count
            type(c_ptr), value :: devices, columns
            integer(c_int32_t) :: status
        end function

        ! tephra_sgels_tiled_devices() in single precision complex.
        function tephra_cgels_tiled_devices(trans, m, n, nrhs, a, lda, b, ldb, nb, info, host_columns, budget, device_count, &
            devices, call, user) bind(C) result(status)
            import :: c_funptr, c_int, c_int32_t, c_int64_t, c_ptr
            integer(c_int), value :: trans, device_count
            integer(c_int64_t), value :: m, n, nrhs, lda, ldb, nb, host_columns, budget
            type(c_ptr), value :: a, b, info, devices, user
            type(c_funptr), value :: call
            integer(c_int32_t) :: status
        end function

        ! tephra_sgeqrf_tiled() in double precision complex.
        function tephra_zgeqrf_tiled(m, n, a, lda, nb, t, tsize, look_ahead, call, user) bind(C) result(status)
            import :: c_funptr, c_int32_t, c_int64_t, c_ptr
            integer(c_int64_t), value :: m, n, lda, nb, tsize, look_ahead
            type(c_ptr), value :: a, t, user
            type(c_funptr), value :: call
            integer(c_int32_t) :: status
        end function

        ! tephra_sgeqrf_tiled_tsize() in double precision complex.
        function tephra_zgeqrf_tiled_tsize(m, n, nb, tsize) bind(C) result(status)
            import :: c_int32_t, c_int64_t
            integer(c_int64_t), value :: m, n, nb
            integer(c_int64_t), intent(out) :: tsize
            integer(c_int32_t) :: status
        end function

        ! tephra_sormqr_tiled() in double precision complex, with Q^H instead of Q^T.
        function tephra_zunmqr_tiled(trans, m, n, k, a, lda, t, tsize, c, ldc) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr
            integer(c_int), value :: trans
            integer(c_int64_t), value :: m, n, k, lda, tsize, ldc
            type(c_ptr), value :: a, t, c
            integer(c_int32_t) :: status
        end function

        ! tephra_sorgqr_tiled() in double precision complex.
        function tephra_zungqr_tiled(m, n, k, a, lda, t, tsize, q, ldq) bind(C) result(status)
            import :: c_int32_t, c_int64_t, c_ptr
            integer(c_int64_t), value :: m, n, k, lda, tsize, ldq
            type(c_ptr), value :: a, t, q
            integer(c_int32_t) :: status
        end function

        ! tephra_sgels_tiled() in double precision complex.
        function tephra_zgels_tiled(trans, m, n, nrhs, a, lda, b, ldb, nb, info) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr
            integer(c_int), value :: trans
            integer(c_int64_t), value :: m, n, nrhs, lda, ldb, nb
            type(c_ptr), value :: a, b, info
            integer(c_int32_t) :: status
        end function

        ! tephra_sgeqrf_tiled_devices() in double precision complex.
        function tephra_zgeqrf_tiled_devices(m, n, a, lda, nb, t, tsize, look_ahead, host_columns, budget, device_count, &
            devices, call, user) bind(C) result(status)
            import :: c_funptr, c_int, c_int32_t, c_int64_t, c_ptr
            integer(c_int64_t), value :: m, n, lda, nb, tsize, look_ahead, host_columns, budget
            type(c_ptr), value :: a, t, devices, user
            integer(c_int), value :: device_count
            type(c_funptr), value :: call
            integer(c_int32_t) :: status
        end function

        ! tephra_sgeqrf_tiled_host_columns() in double precision complex.
        function tephra_zgeqrf_tiled_host_columns(m, n, nb, budget, device_count, devices, columns) bind(C) result(status)
            import :: c_int, c_int32_t, c_int64_t, c_ptr
            integer(c_int64_t), value :: m, n, nb, budget
            integer(c_int), value :: device_count
            type(c_ptr), value :: devices, columns
            integer(c_int32_t) :: status
        end function

        ! tephra_sgels_tiled_devices() in double precision complex.
        function tephra_zgels_tiled_devices(trans, m, n, nrhs, a, lda, b, ldb, nb, info, host_columns, budget, device_count, &
            devices, call, user) bind(C) result(status)
            import :: c_funptr, c_int, c_int32_t, c_int64_t, c_ptr
            integer(c_int), value :: trans, device_count
            integer(c_int64_t), value :: m, n, nrhs, lda, ldb, nb, host_columns, budget
            type(c_ptr), value :: a, b, info, devices, user
            type(c_funptr), value :: call
            integer(c_int32_t) :: status
        end function

        ! QR factorisation of one matrix in host memory, which may be larger than the device's memory: A = Q R (LAPACK
        ! SGEQRF).
        !
        ! A, tau and the array `devices` are in host memory, whichever backend is in use. The matrix is divided into
        ! blocks of columns. Two of them are on a device at a time, and the columns before them stream through the device
        ! (a left-looking algorithm); transfers overlap the computation. The call waits for the devices and must not be
        ! captured. While it runs it uses streams, device memory and 8 page-locked buffers of up to 16 MiB. If A is in
        ! page-locked memory (cudaHostAlloc, cudaHostRegister), it is copied directly, without these buffers. On the CPU
        ! backend A is factored in place, in one step.
        !
        ! R, the reflectors below it and tau are those of SGEQRF and tephra_sgeqrf(), signs included, up to rounding,
        ! which depends on the budget and the number of devices. A NaN or infinity in A appears in R. Products are
        ! computed in FP32.
        !
        ! | # | argument | |
        ! | - | -------- | - |
        ! | 1 | m | rows, m >= 0 |
        ! | 2 | n | columns, n >= 0 |
        ! | 3 | a | the matrix, lda*n elements, overwritten; not NULL unless m or n is 0, and not in device memory |
        ! | 4 | lda | leading dimension of A, lda >= max(1,m) |
        ! | 5 | tau | receives min(m,n) scalar factors |
        ! | 6 | budget | bytes of each device's memory that the call may use, including scratch memory; 0: what is free, less
        ! a margin |
        ! | 7 | device_count | how many devices take part; 0: the current one |
        ! | 8 | devices | which ones; ignored if device_count is 0 |
        ! | 9 | call | progress callback, called from this thread with the steps enqueued on the devices, and at the end; or
        ! NULL |
        ! | 10 | user | passed to it |
        !
        ! A device needs memory for two blocks and two panels of at least 32 columns and m rows each. If the budget is
        ! smaller, or a device lacks that memory, the call returns TEPHRA_STATUS_OUT_OF_MEMORY; in the first case before
        ! anything is written. A call that the callback cancels returns TEPHRA_STATUS_FUNCTION_ERROR. A and tau are then
        ! unspecified, as after any other failure midway.
        function tephra_sgeqrf_host(m, n, a, lda, tau, budget, device_count, devices, call, user) bind(C) result(status)
            import :: c_funptr, c_int, c_int32_t, c_int64_t, c_ptr
            integer(c_int64_t), value :: m, n, lda, budget
            type(c_ptr), value :: a, tau, devices, user
            integer(c_int), value :: device_count
            type(c_funptr), value :: call
            integer(c_int32_t) :: status
        end function

        ! C := op(Q) C with Q as tephra_sgeqrf_host() or SGEQRF left it in A and tau (LAPACK SORMQR from the left). All
        ! operands are in host memory; A and C may be larger than the device's memory.
        !
        ! Blocks of columns of C are distributed over the devices, and A streams through each. The call waits, and uses
        ! memory, as tephra_sgeqrf_host() does.
        !
        ! | # | argument | |
        ! | - | -------- | - |
        ! | 1 | trans | TEPHRA_TRANS_N, TEPHRA_TRANS_T or TEPHRA_TRANS_C; for complex types there is no T |
        ! | 2 | m | rows of C and of A, m >= 0 |
        ! | 3 | n | columns of C, n >= 0 |
        ! | 4 | k | reflectors, 0 <= k <= m |
        ! | 5 | a | the reflectors, lda*k elements, not in device memory |
        ! | 6 | lda | leading dimension of A, lda >= max(1,m) |
        ! | 7 | tau | k scalar factors |
        ! | 8 | c | ldc*n elements, overwritten; not in device memory |
        ! | 9 | ldc | leading dimension of C, ldc >= max(1,m) |
        ! | 10 | budget | bytes of each device's memory, as for tephra_sgeqrf_host() |
        ! | 11 | device_count | how many devices take part; 0: the current one |
        ! | 12 | devices | which ones; ignored if device_count is 0 |
        ! | 13 | call | progress callback, or NULL |
        ! | 14 | user | passed to it |
        function tephra_sormqr_host(trans, m, n, k, a, lda, tau, c, ldc, budget, device_count, devices, call, user) bind(C) &
            result(status)
            import :: c_funptr, c_int, c_int32_t, c_int64_t, c_ptr
            integer(c_int), value :: trans, device_count
            integer(c_int64_t), value :: m, n, k, lda, ldc, budget
            type(c_ptr), value :: a, tau, c, devices, user
            type(c_funptr), value :: call
            integer(c_int32_t) :: status
        end function

        ! LU factorisation with partial pivoting of one matrix in host memory, which may be larger than the device's memory:
        ! A = P L U (LAPACK SGETRF).
        !
        ! All operands are host memory, whichever backend is in use. Blocks of columns are factored one after another, as in
        ! tephra_sgeqrf_host(), which also says how long the call waits, what memory it takes and how it fails. At the end the
        ! host's
        ! threads apply the row interchanges of each block to the columns on its left. On the CPU backend A is factored in
        ! place, in one step.
        !
        ! L, U and the pivots are SGETRF's, and those of tephra_sgetrf_batched() but for rounding, which depends on the budget
        ! and the
        ! number of devices: where two candidates for a pivot are equal but for rounding, another one may be chosen.
        !
        ! | # | argument | |
        ! | - | -------- | - |
        ! | 1 | m | rows, 0 <= m < 2^31 |
        ! | 2 | n | columns, n >= 0 |
        ! | 3 | a | the matrix, lda*n elements, overwritten by L and U; not NULL unless m or n is 0, and not in device memory
        ! |
        ! | 4 | lda | leading dimension of A, lda >= max(1,m) |
        ! | 5 | ipiv | receives min(m,n) pivots, counted from 1; not NULL unless m or n is 0 |
        ! | 6 | info | receives 0, or j when element j (from 1) of U's diagonal is the first that is exactly 0; the
        ! factorisation is complete in that case, too. May be NULL |
        ! | 7 | budget | bytes of each device's memory, as for tephra_sgeqrf_host() |
        ! | 8 | device_count | how many devices take part; 0: the current one |
        ! | 9 | devices | which ones; ignored if device_count is 0 |
        ! | 10 | call | progress callback, or NULL |
        ! | 11 | user | passed to it |
        function tephra_sgetrf_host(m, n, a, lda, ipiv, info, budget, device_count, devices, call, user) bind(C) &
            result(status)
            import :: c_funptr, c_int, c_int32_t, c_int64_t, c_ptr
            integer(c_int64_t), value :: m, n, lda, budget
            type(c_ptr), value :: a, ipiv, info, devices, user
            integer(c_int), value :: device_count
            type(c_funptr), value :: call
            integer(c_int32_t) :: status
        end function

        ! Cholesky factorisation of one symmetric positive definite matrix in host memory, which may be larger than the
        ! device's
        ! memory: A = L L^T or U^T U (LAPACK SPOTRF).
        !
        ! All operands are host memory, whichever backend is in use. Blocks of columns are factored one after another, as in
        ! tephra_sgeqrf_host(), which also says how long the call waits, what memory it takes and how it fails. Only the
        ! triangle
        ! and the diagonal squares of the blocks are copied. The other triangle keeps its contents. On the CPU backend A is
        ! factored in
        ! place, in one step.
        !
        ! | # | argument | |
        ! | - | -------- | - |
        ! | 1 | uplo | TEPHRA_UPLO_LOWER or TEPHRA_UPLO_UPPER: the triangle of A that is read and overwritten by the factor |
        ! | 2 | n | order of A, 0 <= n < 2^31 |
        ! | 3 | a | the matrix, lda*n elements; not NULL unless n is 0, and not in device memory |
        ! | 4 | lda | leading dimension of A, lda >= max(1,n) |
        ! | 5 | info | receives 0, or j when the leading minor of order j is the first that is not positive definite; the call
        ! then ends early: the factor of the leading minor of order j - 1 is in its place, and the rest of the triangle is
        ! unspecified. May be NULL |
        ! | 6 | budget | bytes of each device's memory, as for tephra_sgeqrf_host() |
        ! | 7 | device_count | how many devices take part; 0: the current one |
        ! | 8 | devices | which ones; ignored if device_count is 0 |
        ! | 9 | call | progress callback, or NULL |
        ! | 10 | user | passed to it |
        function tephra_spotrf_host(uplo, n, a, lda, info, budget, device_count, devices, call, user) bind(C) result(status)
            import :: c_funptr, c_int, c_int32_t, c_int64_t, c_ptr
            integer(c_int), value :: uplo, device_count
            integer(c_int64_t), value :: n, lda, budget
            type(c_ptr), value :: a, info, devices, user
            type(c_funptr), value :: call
            integer(c_int32_t) :: status
        end function

        ! tephra_sgeqrf_host() in double precision.
        function tephra_dgeqrf_host(m, n, a, lda, tau, budget, device_count, devices, call, user) bind(C) result(status)
            import :: c_funptr, c_int, c_int32_t, c_int64_t, c_ptr
            integer(c_int64_t), value :: m, n, lda, budget
            type(c_ptr), value :: a, tau, devices, user
            integer(c_int), value :: device_count
            type(c_funptr), value :: call
            integer(c_int32_t) :: status
        end function

        ! tephra_sormqr_host() in double precision.
        function tephra_dormqr_host(trans, m, n, k, a, lda, tau, c, ldc, budget, device_count, devices, call, user) bind(C) &
            result(status)
            import :: c_funptr, c_int, c_int32_t, c_int64_t, c_ptr
            integer(c_int), value :: trans, device_count
            integer(c_int64_t), value :: m, n, k, lda, ldc, budget
            type(c_ptr), value :: a, tau, c, devices, user
            type(c_funptr), value :: call
            integer(c_int32_t) :: status
        end function

        ! tephra_sgetrf_host() in double precision.
        function tephra_dgetrf_host(m, n, a, lda, ipiv, info, budget, device_count, devices, call, user) bind(C) &
            result(status)
            import :: c_funptr, c_int, c_int32_t, c_int64_t, c_ptr
            integer(c_int64_t), value :: m, n, lda, budget
            type(c_ptr), value :: a, ipiv, info, devices, user
            integer(c_int), value :: device_count
            type(c_funptr), value :: call
            integer(c_int32_t) :: status
        end function

        ! tephra_spotrf_host() in double precision.
        function tephra_dpotrf_host(uplo, n, a, lda, info, budget, device_count, devices, call, user) bind(C) result(status)
            import :: c_funptr, c_int, c_int32_t, c_int64_t, c_ptr
            integer(c_int), value :: uplo, device_count
            integer(c_int64_t), value :: n, lda, budget
            type(c_ptr), value :: a, info, devices, user
            type(c_funptr), value :: call
            integer(c_int32_t) :: status
        end function

        ! tephra_sgeqrf_host() in single precision complex.
        function tephra_cgeqrf_host(m, n, a, lda, tau, budget, device_count, devices, call, user) bind(C) result(status)
            import :: c_funptr, c_int, c_int32_t, c_int64_t, c_ptr
            integer(c_int64_t), value :: m, n, lda, budget
            type(c_ptr), value :: a, tau, devices, user
            integer(c_int), value :: device_count
            type(c_funptr), value :: call
            integer(c_int32_t) :: status
        end function

        ! tephra_sormqr_host() in single precision complex, with Q^H instead of Q^T.
        function tephra_cunmqr_host(trans, m, n, k, a, lda, tau, c, ldc, budget, device_count, devices, call, user) bind(C) &
            result(status)
            import :: c_funptr, c_int, c_int32_t, c_int64_t, c_ptr
            integer(c_int), value :: trans, device_count
            integer(c_int64_t), value :: m, n, k, lda, ldc, budget
            type(c_ptr), value :: a, tau, c, devices, user
            type(c_funptr), value :: call
            integer(c_int32_t) :: status
        end function

        ! tephra_sgetrf_host() in single precision complex.
        function tephra_cgetrf_host(m, n, a, lda, ipiv, info, budget, device_count, devices, call, user) bind(C) &
            result(status)
            import :: c_funptr, c_int, c_int32_t, c_int64_t, c_ptr
            integer(c_int64_t), value :: m, n, lda, budget
            type(c_ptr), value :: a, ipiv, info, devices, user
            integer(c_int), value :: device_count
            type(c_funptr), value :: call
            integer(c_int32_t) :: status
        end function

        ! tephra_spotrf_host() in single precision complex (Hermitian matrices; A = L L^H or U^H U).
        function tephra_cpotrf_host(uplo, n, a, lda, info, budget, device_count, devices, call, user) bind(C) result(status)
            import :: c_funptr, c_int, c_int32_t, c_int64_t, c_ptr
            integer(c_int), value :: uplo, device_count
            integer(c_int64_t), value :: n, lda, budget
            type(c_ptr), value :: a, info, devices, user
            type(c_funptr), value :: call
            integer(c_int32_t) :: status
        end function

        ! tephra_sgeqrf_host() in double precision complex.
        function tephra_zgeqrf_host(m, n, a, lda, tau, budget, device_count, devices, call, user) bind(C) result(status)
            import :: c_funptr, c_int, c_int32_t, c_int64_t, c_ptr
            integer(c_int64_t), value :: m, n, lda, budget
            type(c_ptr), value :: a, tau, devices, user
            integer(c_int), value :: device_count
            type(c_funptr), value :: call
            integer(c_int32_t) :: status
        end function

        ! tephra_sormqr_host() in double precision complex, with Q^H instead of Q^T.
        function tephra_zunmqr_host(trans, m, n, k, a, lda, tau, c, ldc, budget, device_count, devices, call, user) bind(C) &
            result(status)
            import :: c_funptr, c_int, c_int32_t, c_int64_t, c_ptr
            integer(c_int), value :: trans, device_count
            integer(c_int64_t), value :: m, n, k, lda, ldc, budget
            type(c_ptr), value :: a, tau, c, devices, user
            type(c_funptr), value :: call
            integer(c_int32_t) :: status
        end function

        ! tephra_sgetrf_host() in double precision complex.
        function tephra_zgetrf_host(m, n, a, lda, ipiv, info, budget, device_count, devices, call, user) bind(C) &
            result(status)
            import :: c_funptr, c_int, c_int32_t, c_int64_t, c_ptr
            integer(c_int64_t), value :: m, n, lda, budget
            type(c_ptr), value :: a, ipiv, info, devices, user
            integer(c_int), value :: device_count
            type(c_funptr), value :: call
            integer(c_int32_t) :: status
        end function

        ! tephra_spotrf_host() in double precision complex (Hermitian matrices; A = L L^H or U^H U).
        function tephra_zpotrf_host(uplo, n, a, lda, info, budget, device_count, devices, call, user) bind(C) result(status)
            import :: c_funptr, c_int, c_int32_t, c_int64_t, c_ptr
            integer(c_int), value :: uplo, device_count
            integer(c_int64_t), value :: n, lda, budget
            type(c_ptr), value :: a, info, devices, user
            type(c_funptr), value :: call
            integer(c_int32_t) :: status
        end function

        ! Starts recording a timeline of the tasks of tephra_?geqrf_tiled(), tephra_?geqrf_host() and related functions in
        ! all threads of the process, and discards any earlier recording. Recording takes memory per task, and times each
        ! copy on a device with events.
        function tephra_trace_begin() bind(C) result(status)
            import :: c_int32_t
            integer(c_int32_t) :: status
        end function

        ! Ends the recording and writes it to a file in Chrome's trace format, for chrome://tracing and Perfetto. Returns
        ! TEPHRA_STATUS_NOT_SUPPORTED if the file cannot be written or nothing is being recorded.
        !
        ! | # | argument | |
        ! | - | -------- | - |
        ! | 1 | file | the path of the file, which is overwritten |
        function tephra_trace_end(file) bind(C) result(status)
            import :: c_char, c_int32_t
            character(kind=c_char), intent(in) :: file(*)
            integer(c_int32_t) :: status
        end function

        ! Runs the parts of a batch that is spread over several devices. For each part, in order and from this thread, it
        ! calls `call` once, with the part's device as the current one and a stream of that device. `call` enqueues the
        ! asynchronous Tephra calls that the part needs, so the devices work concurrently.
        !
        ! | # | argument | |
        ! | - | -------- | - |
        ! | 1 | count | parts, >= 0 |
        ! | 2 | devices | the device of each part |
        ! | 3 | streams | a stream on each part's device; the call only enqueues. NULL: the call uses its own streams and
        ! waits for them |
        ! | 4 | call | the callback |
        ! | 5 | user | passed to it |
        !
        ! The first nonzero value that a callback returns ends the call with TEPHRA_STATUS_FUNCTION_ERROR, and
        ! tephra_last_error() names the part, its device and the error; work that was enqueued before still runs. The
        ! called functions write their members' codes (info) as usual. The thread's current device is restored. The only
        ! device of the CPU backend is 0.
        function tephra_run_parts(count, devices, streams, call, user) bind(C) result(status)
            import :: c_funptr, c_int32_t, c_int64_t, c_ptr
            integer(c_int64_t), value :: count
            type(c_ptr), value :: devices, streams, user
            type(c_funptr), value :: call
            integer(c_int32_t) :: status
        end function

        ! Runs a batch in host memory, which may be larger than the memory of all devices. Chunks of it are copied to the
        ! devices in turn, `call` is called for each chunk, and its results are copied back while other chunks are copied
        ! and computed. `call` may call any strided_batched function of Tephra.
        !
        ! | # | argument | |
        ! | - | -------- | - |
        ! | 1 | count | members, >= 0 |
        ! | 2 | operands | how many operands the members have: matrices, vectors, codes; >= 0 |
        ! | 3 | host | host address of each operand of member 0; ignored for scratch memory |
        ! | 4 | bytes | per operand, the bytes of a member, which is also the stride between members; best a multiple of 16 |
        ! | 5 | access | per operand, TEPHRA_ACCESS_SCRATCH, _READ, _WRITE or _READ_WRITE; plus _PINNED if it is in
        ! page-locked memory |
        ! | 6 | chunk | members per chunk; 0: as many as fit in 64 MiB, or in 16 MiB if most data needs staging buffers |
        ! | 7 | device_count | how many devices take part; 0: all |
        ! | 8 | devices | which ones; ignored if device_count is 0 |
        ! | 9 | call | the callback, called from this thread |
        ! | 10 | user | passed to it |
        !
        ! For the duration of the call, each device holds three chunks, and operands that are not in page-locked memory
        ! get page-locked staging buffers of the same size; large operands are best allocated in page-locked memory. The
        ! call waits for all work. A callback that returns a nonzero value ends the call with
        ! TEPHRA_STATUS_FUNCTION_ERROR, and tephra_last_error() names the members and the device; written operands are
        ! then unspecified. On the CPU backend the callback gets the members in place.
        function tephra_run_host(count, operands, host, bytes, access, chunk, device_count, devices, call, user) bind(C) &
            result(status)
            import :: c_funptr, c_int, c_int32_t, c_int64_t, c_ptr
            integer(c_int64_t), value :: count, chunk
            integer(c_int), value :: operands, device_count
            type(c_ptr), value :: host, bytes, access, devices, user
            type(c_funptr), value :: call
            integer(c_int32_t) :: status
        end function
    end interface
    ! ---- End of native helpers
end module
