! Generic names over the four precisions. All operands of the batched routines are addresses, which look alike in
! every precision, so the precision is the first argument: dtype = 's', 'd', 'c' or 'z'. Another letter gives -1.
! Compile after tephra.f90; it refers to the routines of all three APIs, so link with -ltephra.
module tephra_generic
    use, intrinsic :: iso_c_binding
    use tephra
    implicit none
    private
    public :: cublas_geqrf_batched, magma_geqrf_batched, tephra_geqrf_batched, tephra_geqrf_strided_batched
    public :: set_pointer, element_bytes, queue_create, queue_sync, queue_destroy

contains

    ! Bytes of one element; 0 for an unknown letter.
    pure integer(c_size_t) function element_bytes(dtype)
        character, intent(in) :: dtype
        element_bytes = merge(4, 0, dtype == 's') + merge(8, 0, dtype == 'd' .or. dtype == 'c') + merge(16, 0, dtype == 'z')
    end function

    integer(c_int) function cublas_geqrf_batched(dtype, handle, m, n, a_array, lda, tau_array, info, batch_size) &
        result(status)
        character, intent(in) :: dtype
        type(c_ptr), intent(in) :: handle, a_array, tau_array
        integer(c_int), intent(in) :: m, n, lda, batch_size
        integer(c_int), intent(out) :: info
        procedure(cublas_geqrf_batched_c), pointer :: routine
        select case (dtype)
        case ('s'); routine => cublasSgeqrfBatched
        case ('d'); routine => cublasDgeqrfBatched
        case ('c'); routine => cublasCgeqrfBatched
        case ('z'); routine => cublasZgeqrfBatched
        case default; info = -1; status = CUBLAS_STATUS_INVALID_VALUE; return
        end select
        status = routine(handle, m, n, a_array, lda, tau_array, info, batch_size)
    end function

    integer(c_int) function magma_geqrf_batched(dtype, m, n, da_array, ldda, dtau_array, dinfo_array, batch_count, queue) &
        result(info)
        character, intent(in) :: dtype
        integer(c_int), intent(in) :: m, n, ldda, batch_count
        type(c_ptr), intent(in) :: da_array, dtau_array, dinfo_array, queue
        procedure(magma_geqrf_batched_c), pointer :: routine
        select case (dtype)
        case ('s'); routine => magma_sgeqrf_batched
        case ('d'); routine => magma_dgeqrf_batched
        case ('c'); routine => magma_cgeqrf_batched
        case ('z'); routine => magma_zgeqrf_batched
        case default; info = -1; return
        end select
        info = routine(m, n, da_array, ldda, dtau_array, dinfo_array, batch_count, queue)
    end function

    integer(c_int32_t) function tephra_geqrf_batched(dtype, m, n, a_array, lda, tau_array, batch_count, stream) result(status)
        character, intent(in) :: dtype
        integer(c_int64_t), intent(in) :: m, n, lda, batch_count
        type(c_ptr), intent(in) :: a_array, tau_array, stream
        procedure(tephra_geqrf_batched_c), pointer :: routine
        select case (dtype)
        case ('s'); routine => tephra_sgeqrf_batched
        case ('d'); routine => tephra_dgeqrf_batched
        case ('c'); routine => tephra_cgeqrf_batched
        case ('z'); routine => tephra_zgeqrf_batched
        case default; status = -1; return
        end select
        status = routine(m, n, a_array, lda, tau_array, batch_count, c_null_ptr, 0_c_size_t, stream)
    end function

    integer(c_int32_t) function tephra_geqrf_strided_batched(dtype, m, n, a, lda, stride_a, tau, stride_tau, batch_count, &
            stream) result(status)
        character, intent(in) :: dtype
        integer(c_int64_t), intent(in) :: m, n, lda, stride_a, stride_tau, batch_count
        type(c_ptr), intent(in) :: a, tau, stream
        procedure(tephra_geqrf_strided_batched_c), pointer :: routine
        select case (dtype)
        case ('s'); routine => tephra_sgeqrf_strided_batched
        case ('d'); routine => tephra_dgeqrf_strided_batched
        case ('c'); routine => tephra_cgeqrf_strided_batched
        case ('z'); routine => tephra_zgeqrf_strided_batched
        case default; status = -1; return
        end select
        status = routine(m, n, a, lda, stride_a, tau, stride_tau, batch_count, c_null_ptr, 0_c_size_t, stream)
    end function

    ! array(i) = base + (i - 1) * stride elements of the given precision, in queue order; 0 or -1.
    integer(c_int) function set_pointer(dtype, array, base, stride, batch_count, queue) result(info)
        character, intent(in) :: dtype
        type(c_ptr), intent(in) :: array, base, queue
        integer(c_int), intent(in) :: stride, batch_count
        procedure(magma_set_pointer_c), pointer :: routine
        info = 0
        select case (dtype)
        case ('s'); routine => magma_sset_pointer
        case ('d'); routine => magma_dset_pointer
        case ('c'); routine => magma_cset_pointer
        case ('z'); routine => magma_zset_pointer
        case default; info = -1; return
        end select
        call routine(array, base, 1_c_int, 0_c_int, 0_c_int, stride, batch_count, queue)
    end function

    subroutine queue_create(device, queue)
        integer(c_int), intent(in) :: device
        type(c_ptr), intent(out) :: queue
        call magma_queue_create_internal(device, queue, "queue_create" // c_null_char, "" // c_null_char, 0_c_int)
    end subroutine

    subroutine queue_sync(queue)
        type(c_ptr), intent(in) :: queue
        call magma_queue_sync_internal(queue, "queue_sync" // c_null_char, "" // c_null_char, 0_c_int)
    end subroutine

    subroutine queue_destroy(queue)
        type(c_ptr), intent(in) :: queue
        call magma_queue_destroy_internal(queue, "queue_destroy" // c_null_char, "" // c_null_char, 0_c_int)
    end subroutine
end module
