! Calls all three APIs from Fortran, by the generic names of tephra_generic and by a few specific names. The matrices
! and the checks come from common/qr_case.c, which is bound here as a Fortran program binds any C function.
module qr_case_binding
    use, intrinsic :: iso_c_binding
    implicit none

    type, bind(C) :: qr_case
        character(kind=c_char) :: dtype
        integer(c_int) :: m, n, lda, batch
        integer(c_size_t) :: element_bytes, matrix_bytes, tau_bytes
        type(c_ptr) :: a, f, tau
    end type

    interface
        function qr_sweep(who, run, context) bind(C) result(failed)
            import :: c_char, c_funptr, c_ptr, c_int
            character(kind=c_char), intent(in) :: who(*)
            type(c_funptr), value :: run
            type(c_ptr), value :: context
            integer(c_int) :: failed
        end function
    end interface
end module

module fortran_client
    use qr_case_binding
    use tephra
    use tephra_generic
    implicit none

    type(c_ptr) :: handle, queue ! cuBLAS's and MAGMA's

contains

    ! Allocates memory of the backend and copies `bytes` bytes into it from host.
    function uploaded(host, bytes) result(address)
        type(c_ptr), intent(in) :: host
        integer(c_size_t), intent(in) :: bytes
        type(c_ptr) :: address
        if (tephra_malloc(address, bytes) /= 0) error stop "tephra_malloc"
        if (tephra_memcpy(address, host, bytes, c_null_ptr) /= 0) error stop "tephra_memcpy"
    end function

    ! Copies the memory back and frees it.
    subroutine download(address, host, bytes)
        type(c_ptr), intent(in) :: address, host
        integer(c_size_t), intent(in) :: bytes
        if (tephra_memcpy(host, address, bytes, c_null_ptr) /= 0) error stop "tephra_memcpy"
        if (tephra_free(address) /= 0) error stop "tephra_free"
    end subroutine

    ! Uploads the operands of a case: the matrices, tau, and arrays of their addresses.
    subroutine upload(c, a, tau, a_array, tau_array)
        type(qr_case), intent(in) :: c
        type(c_ptr), intent(out) :: a, tau, a_array, tau_array
        integer(c_size_t) :: pointers
        pointers = c%batch * c_sizeof(c_null_ptr)
        a = uploaded(c%f, c%batch * c%matrix_bytes)
        tau = uploaded(c%tau, c%batch * c%tau_bytes)
        if (tephra_malloc(a_array, pointers) /= 0) error stop "tephra_malloc"
        if (tephra_malloc(tau_array, pointers) /= 0) error stop "tephra_malloc"
        if (set_pointer(c%dtype, a_array, a, c%lda * c%n, c%batch, queue) /= 0) error stop "set_pointer"
        if (set_pointer(c%dtype, tau_array, tau, min(c%m, c%n), c%batch, queue) /= 0) error stop "set_pointer"
        call queue_sync(queue)
    end subroutine

    subroutine finish(c, a, tau, a_array, tau_array)
        type(qr_case), intent(in) :: c
        type(c_ptr), intent(in) :: a, tau, a_array, tau_array
        call download(a, c%f, c%batch * c%matrix_bytes)
        call download(tau, c%tau, c%batch * c%tau_bytes)
        if (tephra_free(a_array) /= 0) error stop "tephra_free"
        if (tephra_free(tau_array) /= 0) error stop "tephra_free"
    end subroutine

    function run_cublas(c, context) bind(C) result(failed)
        type(qr_case), intent(in) :: c
        type(c_ptr), value :: context
        integer(c_int) :: failed, status, info
        type(c_ptr) :: a, tau, a_array, tau_array
        call upload(c, a, tau, a_array, tau_array)
        info = 123
        status = cublas_geqrf_batched(c%dtype, handle, c%m, c%n, a_array, c%lda, tau_array, info, c%batch)
        call finish(c, a, tau, a_array, tau_array)
        failed = merge(0, 1, status == CUBLAS_STATUS_SUCCESS .and. info == 0 .and. .not. c_associated(context))
    end function

    function run_magma(c, context) bind(C) result(failed)
        type(qr_case), intent(in) :: c
        type(c_ptr), value :: context
        integer(c_int) :: failed, returned
        integer(c_int), target :: info(c%batch)
        type(c_ptr) :: a, tau, a_array, tau_array, dinfo
        call upload(c, a, tau, a_array, tau_array)
        info = 123
        dinfo = uploaded(c_loc(info), c%batch * c_sizeof(0_c_int))
        returned = magma_geqrf_batched(c%dtype, c%m, c%n, a_array, c%lda, tau_array, dinfo, c%batch, queue)
        call download(dinfo, c_loc(info), c%batch * c_sizeof(0_c_int))
        call finish(c, a, tau, a_array, tau_array)
        failed = merge(0, 1, returned == 0 .and. all(info == 0) .and. .not. c_associated(context))
    end function

    ! The native API: with arrays of pointers for the real types, and with strides for the complex types.
    function run_native(c, context) bind(C) result(failed)
        type(qr_case), intent(in) :: c
        type(c_ptr), value :: context
        integer(c_int) :: failed
        integer(c_int32_t) :: status
        integer(c_int64_t) :: m, n, lda, k, batch
        type(c_ptr) :: a, tau, a_array, tau_array
        m = c%m; n = c%n; lda = c%lda; k = min(m, n); batch = c%batch
        call upload(c, a, tau, a_array, tau_array)
        select case (c%dtype)
        case ('s', 'd'); status = tephra_geqrf_batched(c%dtype, m, n, a_array, lda, tau_array, batch, c_null_ptr)
        case default; status = tephra_geqrf_strided_batched(c%dtype, m, n, a, lda, lda * n, tau, k, batch, c_null_ptr)
        end select
        if (tephra_stream_synchronize(c_null_ptr) /= 0) error stop "tephra_stream_synchronize"
        call finish(c, a, tau, a_array, tau_array)
        failed = merge(0, 1, status == 0 .and. .not. c_associated(context))
    end function

    ! Names with capital letters, which a Fortran name does not keep: a Cholesky factorisation by cuSOLVER of a matrix
    ! that cuBLAS uploads.
    function run_cusolver() result(failed)
        integer(c_int), parameter :: CUDA_R_64F = 1
        integer(c_int) :: failed, status(8)
        integer(c_int), target :: info
        real(c_double), target :: a(2, 2)
        type(c_ptr) :: solver, params, device, device_info, work, host_work
        integer(c_size_t) :: bytes, host_bytes
        a = reshape([4.0_c_double, 2.0_c_double, 2.0_c_double, 5.0_c_double], [2, 2])
        info = 123
        device = uploaded(c_loc(a), c_sizeof(a))
        device_info = uploaded(c_loc(info), c_sizeof(info))
        status(1) = cusolverDnCreate(solver)
        status(2) = cusolverDnCreateParams(params)
        status(3) = cublasSetMatrix(2, 2, int(c_sizeof(a(1, 1)), c_int), c_loc(a), 2, device, 2)
        status(4) = cusolverDnXpotrf_bufferSize(solver, params, CUBLAS_FILL_MODE_LOWER, 2_c_int64_t, CUDA_R_64F, device, &
            2_c_int64_t, CUDA_R_64F, bytes, host_bytes)
        if (tephra_malloc(work, max(bytes, 1_c_size_t)) /= 0) error stop "tephra_malloc"
        if (tephra_malloc(host_work, max(host_bytes, 1_c_size_t)) /= 0) error stop "tephra_malloc"
        status(5) = cusolverDnXpotrf(solver, params, CUBLAS_FILL_MODE_LOWER, 2_c_int64_t, CUDA_R_64F, device, &
            2_c_int64_t, CUDA_R_64F, work, bytes, host_work, host_bytes, device_info)
        if (tephra_stream_synchronize(c_null_ptr) /= 0) error stop "tephra_stream_synchronize"
        status(6) = cublasGetMatrix(2, 2, int(c_sizeof(a(1, 1)), c_int), device, 2, c_loc(a), 2)
        status(7) = cusolverDnDestroyParams(params)
        status(8) = cusolverDnDestroy(solver)
        call download(device_info, c_loc(info), c_sizeof(info))
        if (tephra_free(device) /= 0) error stop "tephra_free"
        if (tephra_free(work) /= 0) error stop "tephra_free"
        if (tephra_free(host_work) /= 0) error stop "tephra_free"
        failed = merge(0, 1, all(status == 0) .and. info == 0 .and. abs(a(1, 1) - 2) + abs(a(2, 1) - 1) + abs(a(2, 2) - 2) < 1e-14)
    end function

    ! A negative size of the workspace is a query.
    function query_workspace() result(failed)
        integer(c_int) :: failed, lwork, returned
        lwork = -1
        returned = magma_dgetrf_vbatched_max_nocheck_work(c_null_ptr, c_null_ptr, 6, 5, 5, 30, c_null_ptr, c_null_ptr, &
            c_null_ptr, c_null_ptr, c_null_ptr, lwork, 10, queue)
        failed = merge(0, 1, returned == 0 .and. lwork >= 0)
    end function
end module

program main
    use fortran_client
    implicit none
    integer(c_int) :: failed, info

    if (magma_init() /= 0) error stop "magma_init"
    if (cublasCreate(handle) /= CUBLAS_STATUS_SUCCESS) error stop "cublasCreate"
    call queue_create(0_c_int, queue)
    failed = qr_sweep("Fortran client, cuBLAS names" // c_null_char, c_funloc(run_cublas), c_null_ptr)
    failed = failed + qr_sweep("Fortran client, MAGMA names" // c_null_char, c_funloc(run_magma), c_null_ptr)
    failed = failed + qr_sweep("Fortran client, native names" // c_null_char, c_funloc(run_native), c_null_ptr)

    failed = failed + run_cusolver() + query_workspace()

    ! Specific names, and the status for invalid arguments.
    if (cublasDgeqrfBatched(handle, 4, 4, c_null_ptr, 3, c_null_ptr, info, 1) /= CUBLAS_STATUS_INVALID_VALUE) failed = failed + 1
    if (info /= -4) failed = failed + 1
    if (tephra_zgeqrf_batched(-1_c_int64_t, 4_c_int64_t, c_null_ptr, 4_c_int64_t, c_null_ptr, 1_c_int64_t, c_null_ptr, &
        0_c_size_t, c_null_ptr) /= -1) failed = failed + 1
    if (magma_geqrf_batched('x', 4, 4, c_null_ptr, 4, c_null_ptr, c_null_ptr, 1, queue) /= -1) failed = failed + 1

    call queue_destroy(queue)
    if (cublasDestroy(handle) /= CUBLAS_STATUS_SUCCESS) failed = failed + 1
    if (magma_finalize() /= 0) failed = failed + 1
    if (failed /= 0) error stop "Fortran client: failures"
end program
