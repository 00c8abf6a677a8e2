! Calls every generic name of tephra_generic in the four precisions, on small batches. Each result is compared with the
! definition of what the routine computes, and the forms of a routine (with strides, with arrays of pointers, cuBLAS's
! and MAGMA's) are compared with each other.
module generics_client
    use, intrinsic :: iso_c_binding
    use tephra
    use tephra_generic
    implicit none

    integer, parameter :: wp = c_double, m = 7, n = 4, nrhs = 2, batch = 3
    integer(c_int64_t), parameter :: m8 = m, n8 = n, nrhs8 = nrhs, batch8 = batch
    type(c_ptr) :: handle, queue ! cuBLAS's and MAGMA's
    integer :: failed = 0, checked = 0

contains

    ! Converts numbers to the bytes of a precision, and back. Real types keep only the real parts.
    function encoded(t, x) result(bytes)
        character, intent(in) :: t
        complex(wp), intent(in) :: x(:)
        integer(c_int8_t), allocatable :: bytes(:)
        select case (t)
        case ('s'); bytes = transfer(real(x, c_float), bytes)
        case ('d'); bytes = transfer(real(x, c_double), bytes)
        case ('c'); bytes = transfer(cmplx(x, kind=c_float_complex), bytes)
        case default; bytes = transfer(x, bytes)
        end select
    end function

    function decoded(t, bytes) result(x)
        character, intent(in) :: t
        integer(c_int8_t), intent(in) :: bytes(:)
        complex(wp), allocatable :: x(:)
        select case (t)
        case ('s'); x = cmplx(transfer(bytes, [0.0_c_float]), kind=wp)
        case ('d'); x = cmplx(transfer(bytes, [0.0_c_double]), kind=wp)
        case ('c'); x = cmplx(transfer(bytes, [(0.0_c_float, 0.0_c_float)]), kind=wp)
        case default; x = transfer(bytes, [(0.0_wp, 0.0_wp)])
        end select
    end function

    ! Copies matrices into new memory of the backend, and back.
    function up(t, x) result(address)
        character, intent(in) :: t
        complex(wp), intent(in) :: x(:, :, :)
        type(c_ptr) :: address
        integer(c_int8_t), allocatable, target :: bytes(:)
        allocate (bytes, source=encoded(t, reshape(x, [size(x)])))
        if (tephra_malloc(address, size(bytes, kind=c_size_t)) /= 0) error stop "tephra_malloc"
        if (tephra_memcpy(address, c_loc(bytes), size(bytes, kind=c_size_t), c_null_ptr) /= 0) error stop "tephra_memcpy"
    end function

    function down(t, address, rows, columns) result(x)
        character, intent(in) :: t
        type(c_ptr), intent(in) :: address
        integer, intent(in) :: rows, columns
        complex(wp) :: x(rows, columns, batch)
        integer(c_int8_t), allocatable, target :: bytes(:)
        allocate (bytes(element_bytes(t) * rows * columns * batch))
        if (tephra_memcpy(c_loc(bytes), address, size(bytes, kind=c_size_t), c_null_ptr) /= 0) error stop "tephra_memcpy"
        x = reshape(decoded(t, bytes), shape(x))
    end function

    ! Returns the array of the addresses of matrices with a fixed stride.
    function pointers(t, base, stride) result(array)
        character, intent(in) :: t
        type(c_ptr), intent(in) :: base
        integer, intent(in) :: stride
        type(c_ptr) :: array
        if (tephra_malloc(array, batch * c_sizeof(c_null_ptr)) /= 0) error stop "tephra_malloc"
        if (set_pointer(t, array, base, stride, batch, queue) /= 0) error stop "set_pointer"
        call queue_sync(queue)
    end function

    subroutine expect(t, what, status, error)
        character, intent(in) :: t
        character(*), intent(in) :: what
        integer(c_int), intent(in) :: status
        real(wp), intent(in) :: error
        checked = checked + 1
        if (tephra_stream_synchronize(c_null_ptr) /= 0) error stop "tephra_stream_synchronize"
        if (status == 0 .and. error < merge(1.0e-4_wp, 1.0e-12_wp, t == 's' .or. t == 'c')) return
        print '(a, 1x, a, a, i0, a, es9.2)', t, what, ': status ', status, ', error ', error
        failed = failed + 1
    end subroutine

    pure function upper(x) result(r)
        complex(wp), intent(in) :: x(:, :, :)
        complex(wp) :: r(n, n, batch)
        integer :: i, j
        do j = 1, n
            do i = 1, n
                r(i, j, :) = merge(x(i, j, :), (0.0_wp, 0.0_wp), i <= j)
            end do
        end do
    end function

    pure function product_of(x, y) result(z)
        complex(wp), intent(in) :: x(:, :, :), y(:, :, :)
        complex(wp) :: z(size(x, 1), size(y, 2), batch)
        integer :: i
        do i = 1, batch
            z(:, :, i) = matmul(x(:, :, i), y(:, :, i))
        end do
    end function

    pure real(wp) function distance(x, y)
        complex(wp), intent(in) :: x(:, :, :), y(:, :, :)
        distance = maxval(abs(x - y))
    end function

    ! The distance of the first matrices only.
    pure real(wp) function first(x, y)
        complex(wp), intent(in) :: x(:, :, :), y(:, :, :)
        first = maxval(abs(x(:, :, 1) - y(:, :, 1)))
    end function

    function random_matrices(t, rows, columns) result(x)
        character, intent(in) :: t
        integer, intent(in) :: rows, columns
        complex(wp) :: x(rows, columns, batch)
        real(wp) :: parts(rows, columns, batch, 2)
        call random_number(parts)
        parts = parts - 0.5_wp
        if (t == 's' .or. t == 'd') parts(:, :, :, 2) = 0
        x = cmplx(parts(:, :, :, 1), parts(:, :, :, 2), kind=wp)
        x = reshape(decoded(t, encoded(t, reshape(x, [size(x)]))), shape(x)) ! rounded to the precision
    end function

    ! Solves R X = Y with MAGMA's trsm, trsm_inv or trsm_inv_outofplace. y and x are arrays of addresses; only the last
    ! routine uses x.
    subroutine magma_solve(t, which, r, y, x)
        character, intent(in) :: t
        integer, intent(in) :: which
        type(c_ptr), intent(in) :: r, y, x
        select case (t)
        case ('s'); call solve_s(1.0_c_float)
        case ('d'); call solve_d(1.0_c_double)
        case ('c'); call solve_c((1.0_c_float, 0.0_c_float))
        case ('z'); call solve_z((1.0_c_double, 0.0_c_double))
        end select
        call queue_sync(queue)
    contains
        subroutine solve_s(alpha)
            real(c_float), intent(in) :: alpha
            include "fortran_solve.inc"
        end subroutine
        subroutine solve_d(alpha)
            real(c_double), intent(in) :: alpha
            include "fortran_solve.inc"
        end subroutine
        subroutine solve_c(alpha)
            complex(c_float_complex), intent(in) :: alpha
            include "fortran_solve.inc"
        end subroutine
        subroutine solve_z(alpha)
            complex(c_double_complex), intent(in) :: alpha
            include "fortran_solve.inc"
        end subroutine
    end subroutine

    subroutine try(t)
        character, intent(in) :: t
        complex(wp) :: a(m, n, batch), f(m, n, batch), r(n, n, batch), x(n, nrhs, batch), b(m, nrhs, batch), y(n, nrhs, batch)
        complex(wp) :: solution(m, nrhs, batch), folded(m, n, batch)
        type(c_ptr) :: tau, pa, ptau, v, pv, c, pc, q, rr, work, dt, pt, info
        type(c_ptr) :: jpvt
        integer(c_int8_t), allocatable, target :: one(:), ones(:)
        integer(c_int), target :: flags(2) = TEPHRA_TRANS_N
        integer(c_int64_t), target :: rows(2) = m, columns(2) = n, sides(2) = nrhs, members(2) = [1, batch - 1]
        integer(c_int) :: pointer_mode
        integer(c_int64_t), target :: lwork
        integer(c_size_t) :: bytes
        integer(c_int64_t) :: tsize
        integer(c_int) :: status, host_info, trans
        integer :: i
        integer(c_int64_t), parameter :: ma = m * n, mr = n * n, mb = m * nrhs, my = n * nrhs
        complex(wp), parameter :: zero = 0

        trans = merge(MagmaTrans, MagmaConjTrans, t == 's' .or. t == 'd')
        a = random_matrices(t, m, n)
        x = random_matrices(t, n, nrhs)
        b = product_of(a, x)
        lwork = 0
        allocate (one, source=encoded(t, [(1.0_wp, 0.0_wp)]))
        if (tephra_malloc(info, batch * c_sizeof(0_c_int)) /= 0) error stop "tephra_malloc"

        ! QR in packed form, with the reflectors below the diagonal
        v = up(t, a)
        tau = up(t, random_matrices(t, n, 1))
        pv = pointers(t, v, m * n)
        ptau = pointers(t, tau, n)
        status = tephra_geqrf_strided_batched_workspace(t, m8, n8, m8, ma, n8, batch8, bytes)
        call expect(t, 'geqrf strided workspace', status, 0.0_wp)
        status = tephra_geqrf_strided_batched(t, m8, n8, v, m8, ma, tau, n8, batch8, c_null_ptr)
        f = down(t, v, m, n)
        r = upper(f)
        folded = zero
        folded(:n, :, :) = r
        call expect(t, 'geqrf strided', status, abs(sum(abs(r)**2) - sum(abs(a)**2)))
        c = up(t, a)
        status = tephra_geqrf_workspace(t, m8, n8, m8, bytes)
        call expect(t, 'geqrf of one matrix, workspace', status, 0.0_wp)
        status = tephra_geqrf(t, m8, n8, c, m8, tau, c_null_ptr)
        call expect(t, 'geqrf of one matrix', status, first(down(t, c, m, n), f))

        c = up(t, a)
        pc = pointers(t, c, m * n)
        status = tephra_geqrf_batched_workspace(t, m8, n8, m8, batch8, bytes)
        call expect(t, 'geqrf workspace', status, 0.0_wp)
        status = tephra_geqrf_batched(t, m8, n8, pc, m8, ptau, batch8, c_null_ptr, c_null_ptr, 0_c_size_t)
        call expect(t, 'geqrf', status, distance(down(t, c, m, n), f))
        c = up(t, a)
        pc = pointers(t, c, m * n)
        status = cublas_geqrf_batched(t, handle, m, n, pc, m, ptau, host_info, batch)
        call expect(t, 'geqrf, cuBLAS', status + host_info, distance(down(t, c, m, n), f))
        c = up(t, a)
        pc = pointers(t, c, m * n)
        status = magma_geqrf_batched(t, m, n, pc, m, ptau, info, batch, queue)
        call expect(t, 'geqrf, MAGMA', status, distance(down(t, c, m, n), f))

        ! Q as an explicit matrix: Q R = A
        q = up(t, f)
        status = tephra_orgqr_strided_batched(t, m8, n8, n8, q, m8, ma, tau, n8, batch8, c_null_ptr)
        call expect(t, 'orgqr strided', status, distance(product_of(down(t, q, m, n), r), a))
        q = up(t, f)
        status = tephra_orgqr(t, m8, n8, n8, q, m8, tau, c_null_ptr)
        call expect(t, 'orgqr of one matrix', status, first(product_of(down(t, q, m, n), r), a))
        q = up(t, f)
        status = tephra_orgqr_batched(t, m8, n8, n8, pointers(t, q, m * n), m8, ptau, batch8, c_null_ptr)
        call expect(t, 'orgqr', status, distance(product_of(down(t, q, m, n), r), a))
        q = up(t, f)
        status = magma_orgqr_batched(t, m, n, n, pointers(t, q, m * n), m, ptau, info, batch, queue)
        call expect(t, 'orgqr, MAGMA', status, distance(product_of(down(t, q, m, n), r), a))

        ! Q applied: Q^H A = R
        c = up(t, a)
        status = tephra_ormqr_strided_batched(t, TEPHRA_SIDE_LEFT, trans, m8, n8, n8, v, m8, ma, tau, n8, c, m8, ma, batch8, &
            c_null_ptr)
        call expect(t, 'ormqr strided', status, distance(down(t, c, m, n), folded))
        c = up(t, a)
        status = tephra_ormqr(t, TEPHRA_SIDE_LEFT, trans, m8, n8, n8, v, m8, tau, c, m8, c_null_ptr)
        call expect(t, 'ormqr of one matrix', status, first(down(t, c, m, n), folded))
        c = up(t, a)
        pc = pointers(t, c, m * n)
        status = tephra_ormqr_batched(t, TEPHRA_SIDE_LEFT, trans, m8, n8, n8, pv, m8, ptau, pc, m8, batch8, c_null_ptr)
        call expect(t, 'ormqr', status, distance(down(t, c, m, n), folded))
        c = up(t, a)
        pc = pointers(t, c, m * n)
        status = magma_ormqr_batched(t, MagmaLeft, trans, m, n, n, pv, m, ptau, pc, m, c_null_ptr, c_loc(lwork), info, &
            batch, queue)
        call expect(t, 'ormqr, MAGMA', status, distance(down(t, c, m, n), folded))

        ! geqr and gemqr, whose T is opaque, for one matrix and for the batch: Q^H A
        c = up(t, a)
        status = tephra_geqr_tsize(t, m8, n8, tsize)
        if (tephra_malloc(dt, tsize * batch * element_bytes(t)) /= 0) error stop "tephra_malloc"
        call expect(t, 'geqr, elements of T', status, 0.0_wp)
        status = tephra_geqr(t, m8, n8, c, m8, dt, tsize, c_null_ptr)
        call expect(t, 'geqr of one matrix', status, 0.0_wp)
        q = up(t, a)
        status = tephra_gemqr(t, TEPHRA_SIDE_LEFT, trans, m8, n8, n8, c, m8, dt, tsize, q, m8, c_null_ptr)
        call expect(t, 'gemqr of one matrix', status, first(down(t, q, m, n), folded))
        c = up(t, a)
        status = tephra_geqr_strided_batched(t, m8, n8, c, m8, ma, dt, tsize, tsize, batch8, c_null_ptr)
        call expect(t, 'geqr strided', status, 0.0_wp)
        q = up(t, a)
        status = tephra_gemqr_strided_batched(t, TEPHRA_SIDE_LEFT, trans, m8, n8, n8, c, m8, ma, dt, tsize, tsize, q, m8, &
            ma, batch8, c_null_ptr)
        call expect(t, 'gemqr strided', status, distance(down(t, q, m, n), folded))

        ! The same with block reflectors (larft, larfb)
        dt = up(t, r)
        pt = pointers(t, dt, n * n)
        status = tephra_larft_strided_batched(t, m8, n8, v, m8, ma, tau, n8, dt, n8, mr, batch8, c_null_ptr)
        call expect(t, 'larft strided', status, 0.0_wp)
        c = up(t, a)
        status = tephra_larfb_strided_batched(t, TEPHRA_SIDE_LEFT, trans, m8, n8, n8, v, m8, ma, dt, n8, mr, c, m8, ma, &
            batch8, c_null_ptr)
        call expect(t, 'larfb strided', status, distance(down(t, c, m, n), folded))
        dt = up(t, r)
        pt = pointers(t, dt, n * n)
        status = tephra_larft_batched(t, m8, n8, pv, m8, ptau, pt, n8, batch8, c_null_ptr)
        call expect(t, 'larft', status, 0.0_wp)
        c = up(t, a)
        pc = pointers(t, c, m * n)
        status = tephra_larfb_batched(t, TEPHRA_SIDE_LEFT, trans, m8, n8, n8, pv, m8, pt, n8, pc, m8, batch8, c_null_ptr)
        call expect(t, 'larfb', status, distance(down(t, c, m, n), folded))

        ! Q and R as explicit matrices
        c = up(t, a)
        q = up(t, random_matrices(t, m, n))
        rr = up(t, random_matrices(t, n, n))
        status = tephra_qr_strided_batched_workspace(t, TEPHRA_Q_THIN, m8, n8, m8, ma, m8, ma, n8, mr, batch8, bytes)
        if (tephra_malloc(work, bytes + 16) /= 0) error stop "tephra_malloc"
        call expect(t, 'qr strided workspace', status, 0.0_wp)
        status = tephra_qr_strided_batched(t, TEPHRA_Q_THIN, m8, n8, c, m8, ma, q, m8, ma, rr, n8, mr, batch8, c_null_ptr, &
            work, bytes)
        call expect(t, 'qr strided', status, distance(product_of(down(t, q, m, n), down(t, rr, n, n)), a))
        q = up(t, random_matrices(t, m, n))
        rr = up(t, random_matrices(t, n, n))
        status = tephra_qr_batched_workspace(t, TEPHRA_Q_THIN, m8, n8, m8, m8, n8, batch8, bytes)
        if (tephra_malloc(work, bytes + 16) /= 0) error stop "tephra_malloc"
        call expect(t, 'qr workspace', status, 0.0_wp)
        status = tephra_qr_batched(t, TEPHRA_Q_THIN, m8, n8, pointers(t, c, m * n), m8, pointers(t, q, m * n), m8, &
            pointers(t, rr, n * n), n8, batch8, c_null_ptr, work=work, work_bytes=bytes)
        call expect(t, 'qr', status, distance(product_of(down(t, q, m, n), down(t, rr, n, n)), a))

        ! Least squares, for consistent equations
        c = up(t, a)
        pa = up(t, b)
        status = tephra_gels_strided_batched_workspace(t, TEPHRA_TRANS_N, m8, n8, nrhs8, m8, ma, m8, mb, batch8, bytes)
        if (tephra_malloc(work, bytes + 16) /= 0) error stop "tephra_malloc"
        call expect(t, 'gels strided workspace', status, 0.0_wp)
        status = tephra_gels_strided_batched(t, TEPHRA_TRANS_N, m8, n8, nrhs8, c, m8, ma, pa, m8, mb, info, batch8, &
            c_null_ptr, work, bytes)
        solution = down(t, pa, m, nrhs)
        call expect(t, 'gels strided', status, distance(solution(:n, :, :), x) / 10)
        c = up(t, a)
        pa = up(t, b)
        status = tephra_gels_workspace(t, TEPHRA_TRANS_N, m8, n8, nrhs8, m8, m8, bytes)
        if (tephra_malloc(work, bytes + 16) /= 0) error stop "tephra_malloc"
        call expect(t, 'gels of one matrix, workspace', status, 0.0_wp)
        status = tephra_gels(t, TEPHRA_TRANS_N, m8, n8, nrhs8, c, m8, pa, m8, info, c_null_ptr, work, bytes)
        solution = down(t, pa, m, nrhs)
        call expect(t, 'gels of one matrix', status, first(solution(:n, :, :), x) / 10)
        c = up(t, a)
        pa = up(t, b)
        rr = up(t, x)
        status = tephra_gels_iterative_workspace(t, m8, n8, nrhs8, m8, m8, n8, bytes)
        if (tephra_malloc(work, bytes + 16) /= 0) error stop "tephra_malloc"
        call expect(t, 'iterative gels, workspace', status, 0.0_wp)
        status = tephra_gels_iterative(t, m8, n8, nrhs8, c, m8, pa, m8, rr, n8, 0.0_c_double, 0_c_int64_t, c_null_ptr, &
            c_null_ptr, c_null_ptr, c_null_ptr, work, bytes)
        call expect(t, 'iterative gels', status, first(down(t, rr, n, nrhs), x) / 10)
        rr = up(t, x)
        status = tephra_gels_iterative_strided_batched_workspace(t, m8, n8, nrhs8, m8, ma, m8, mb, n8, my, batch8, &
            bytes)
        if (tephra_malloc(work, bytes + 16) /= 0) error stop "tephra_malloc"
        call expect(t, 'iterative gels strided, workspace', status, 0.0_wp)
        status = tephra_gels_iterative_strided_batched(t, m8, n8, nrhs8, c, m8, ma, pa, m8, mb, rr, n8, my, &
            0.0_c_double, 0_c_int64_t, c_null_ptr, c_null_ptr, info, batch8, c_null_ptr, work, bytes)
        call expect(t, 'iterative gels strided', status, distance(down(t, rr, n, nrhs), x) / 10)
        rr = up(t, x)
        status = tephra_gels_iterative_batched_workspace(t, m8, n8, nrhs8, m8, m8, n8, batch8, bytes)
        if (tephra_malloc(work, bytes + 16) /= 0) error stop "tephra_malloc"
        call expect(t, 'iterative gels batched, workspace', status, 0.0_wp)
        status = tephra_gels_iterative_batched(t, m8, n8, nrhs8, pointers(t, c, m * n), m8, pointers(t, pa, m * nrhs), m8, &
            pointers(t, rr, n * nrhs), n8, 0.0_c_double, 0_c_int64_t, c_null_ptr, c_null_ptr, info, batch8, c_null_ptr, &
            work, bytes)
        call expect(t, 'iterative gels batched', status, distance(down(t, rr, n, nrhs), x) / 10)
        c = up(t, a)
        pa = up(t, b)
        status = tephra_gels_batched_workspace(t, TEPHRA_TRANS_N, m8, n8, nrhs8, m8, m8, batch8, bytes)
        if (tephra_malloc(work, bytes + 16) /= 0) error stop "tephra_malloc"
        call expect(t, 'gels workspace', status, 0.0_wp)
        status = tephra_gels_batched(t, TEPHRA_TRANS_N, m8, n8, nrhs8, pointers(t, c, m * n), m8, &
            pointers(t, pa, m * nrhs), m8, info, batch8, c_null_ptr, work, bytes)
        solution = down(t, pa, m, nrhs)
        call expect(t, 'gels', status, distance(solution(:n, :, :), x) / 10)
        ! jpvt is not initialised: whether a column is fixed at the front does not matter here.
        if (tephra_malloc(jpvt, n * batch * c_sizeof(0_c_int)) /= 0) error stop "tephra_malloc"
        c = up(t, a)
        pa = up(t, b)
        status = tephra_gelsy_batched_workspace(t, m8, n8, nrhs8, m8, m8, batch8, bytes)
        if (tephra_malloc(work, bytes + 16) /= 0) error stop "tephra_malloc"
        call expect(t, 'gelsy workspace', status, 0.0_wp)
        ! The letter 's' stands for the integers, which have the same size.
        status = tephra_gelsy_batched(t, m8, n8, nrhs8, pointers(t, c, m * n), m8, pointers(t, pa, m * nrhs), m8, &
            pointers('s', jpvt, n), -1.0_c_double, info, batch8, c_null_ptr, work, bytes)
        solution = down(t, pa, m, nrhs)
        call expect(t, 'gelsy', status, distance(solution(:n, :, :), x) / 10)
        c = up(t, a)
        pa = up(t, b)
        status = tephra_gelsy_strided_batched_workspace(t, m8, n8, nrhs8, m8, ma, m8, mb, n8, batch8, bytes)
        if (tephra_malloc(work, bytes + 16) /= 0) error stop "tephra_malloc"
        call expect(t, 'gelsy strided, workspace', status, 0.0_wp)
        status = tephra_gelsy_strided_batched(t, m8, n8, nrhs8, c, m8, ma, pa, m8, mb, jpvt, n8, -1.0_c_double, info, &
            batch8, c_null_ptr, work, bytes)
        solution = down(t, pa, m, nrhs)
        call expect(t, 'gelsy strided', status, distance(solution(:n, :, :), x) / 10)
        ! gelsy has left no zeros in jpvt, so all columns are fixed, and none of them moves.
        c = up(t, a)
        status = tephra_geqrf_strided_batched(t, m8, n8, c, m8, ma, tau, n8, batch8, c_null_ptr)
        f = down(t, c, m, n)
        c = up(t, a)
        status = tephra_geqp3_batched_workspace(t, m8, n8, m8, batch8, bytes)
        if (tephra_malloc(work, bytes + 16) /= 0) error stop "tephra_malloc"
        call expect(t, 'geqp3 workspace', status, 0.0_wp)
        status = tephra_geqp3_batched(t, m8, n8, pointers(t, c, m * n), m8, pointers('s', jpvt, n), ptau, info, batch8, &
            c_null_ptr, work, bytes)
        call expect(t, 'geqp3', status, distance(down(t, c, m, n), f))
        c = up(t, a)
        status = tephra_geqp3_strided_batched_workspace(t, m8, n8, m8, ma, n8, n8, batch8, bytes)
        if (tephra_malloc(work, bytes + 16) /= 0) error stop "tephra_malloc"
        call expect(t, 'geqp3 strided, workspace', status, 0.0_wp)
        status = tephra_geqp3_strided_batched(t, m8, n8, c, m8, ma, jpvt, n8, tau, n8, info, batch8, c_null_ptr, work, bytes)
        call expect(t, 'geqp3 strided', status, distance(down(t, c, m, n), f))
        c = up(t, a)
        pa = up(t, b)
        status = cublas_gels_batched(t, handle, CUBLAS_OP_N, m, n, nrhs, pointers(t, c, m * n), m, &
            pointers(t, pa, m * nrhs), m, host_info, info, batch)
        solution = down(t, pa, m, nrhs)
        call expect(t, 'gels, cuBLAS', status + host_info, distance(solution(:n, :, :), x) / 10)
        c = up(t, a)
        pa = up(t, b)
        status = magma_gels_batched(t, MagmaNoTrans, m, n, nrhs, pointers(t, c, m * n), m, pointers(t, pa, m * nrhs), m, &
            c_null_ptr, 0_c_int, info, batch, queue)
        solution = down(t, pa, m, nrhs)
        call expect(t, 'gels, MAGMA', status, distance(solution(:n, :, :), x) / 10)

        ! A X + B = 2 B, and the same for the first columns
        c = up(t, a)
        q = up(t, x)
        pa = up(t, b)
        status = tephra_gemm_batched(t, TEPHRA_TRANS_N, TEPHRA_TRANS_N, m8, nrhs8, n8, c_loc(one), pointers(t, c, m * n), m8, &
            pointers(t, q, n * nrhs), n8, c_loc(one), pointers(t, pa, m * nrhs), m8, batch8, c_null_ptr)
        call expect(t, 'gemm', status, distance(down(t, pa, m, nrhs), 2 * b) / 10)
        pa = up(t, b)
        status = tephra_gemm_strided_batched(t, TEPHRA_TRANS_N, TEPHRA_TRANS_N, m8, nrhs8, n8, c_loc(one), c, m8, m8 * n8, &
            q, n8, my, c_loc(one), pa, m8, m8 * nrhs8, batch8, c_null_ptr)
        call expect(t, 'gemm strided', status, distance(down(t, pa, m, nrhs), 2 * b) / 10)
        ! In two groups: one member, and all others.
        pa = up(t, b)
        ones = [one, one]
        status = tephra_gemm_grouped_batched(t, c_loc(flags), c_loc(flags), c_loc(rows), c_loc(sides), c_loc(columns), &
            c_loc(ones), pointers(t, c, m * n), c_loc(rows), pointers(t, q, n * nrhs), c_loc(columns), c_loc(ones), &
            pointers(t, pa, m * nrhs), c_loc(rows), 2_c_int64_t, c_loc(members), c_null_ptr)
        call expect(t, 'gemm in groups', status, distance(down(t, pa, m, nrhs), 2 * b) / 10)
        status = cublasSetPointerMode(handle, 0_c_int) + cublasGetPointerMode(handle, pointer_mode)
        call expect(t, 'pointer mode', status + pointer_mode, 0.0_wp)
        pa = up(t, b)
        status = tephra_gemv_batched(t, TEPHRA_TRANS_N, m8, n8, c_loc(one), pointers(t, c, m * n), m8, &
            pointers(t, q, n * nrhs), 1_c_int64_t, c_loc(one), pointers(t, pa, m * nrhs), 1_c_int64_t, batch8, c_null_ptr)
        solution = down(t, pa, m, nrhs)
        call expect(t, 'gemv', status, distance(solution(:, :1, :), 2 * b(:, :1, :)) / 10)
        pa = up(t, b)
        status = tephra_gemv_strided_batched(t, TEPHRA_TRANS_N, m8, n8, c_loc(one), c, m8, m8 * n8, q, 1_c_int64_t, &
            my, c_loc(one), pa, 1_c_int64_t, m8 * nrhs8, batch8, c_null_ptr)
        solution = down(t, pa, m, nrhs)
        call expect(t, 'gemv strided', status, distance(solution(:, :1, :), 2 * b(:, :1, :)) / 10)

        ! R X = Y, with R on and above the diagonal of the packed form
        y = product_of(r, x)
        c = up(t, y)
        status = tephra_trsm_strided_batched(t, TEPHRA_SIDE_LEFT, TEPHRA_UPLO_UPPER, TEPHRA_TRANS_N, TEPHRA_DIAG_NON_UNIT, n8, &
            nrhs8, c_loc(one), v, m8, ma, c, n8, my, batch8, c_null_ptr)
        call expect(t, 'trsm strided', status, distance(down(t, c, n, nrhs), x) / 10)
        c = up(t, y)
        status = tephra_trsm_batched(t, TEPHRA_SIDE_LEFT, TEPHRA_UPLO_UPPER, TEPHRA_TRANS_N, TEPHRA_DIAG_NON_UNIT, n8, nrhs8, &
            c_loc(one), pv, m8, pointers(t, c, n * nrhs), n8, batch8, c_null_ptr)
        call expect(t, 'trsm', status, distance(down(t, c, n, nrhs), x) / 10)
        c = up(t, y)
        status = cublas_trsm_batched(t, handle, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_N, CUBLAS_DIAG_NON_UNIT, &
            n, nrhs, c_loc(one), pv, m, pointers(t, c, n * nrhs), n, batch)
        call expect(t, 'trsm, cuBLAS', status, distance(down(t, c, n, nrhs), x) / 10)

        c = up(t, y)
        call magma_solve(t, 1, pv, pointers(t, c, n * nrhs), c_null_ptr)
        call expect(t, 'trsm, MAGMA', 0_c_int, distance(down(t, c, n, nrhs), x) / 10)
        c = up(t, y)
        call magma_solve(t, 2, pv, pointers(t, c, n * nrhs), c_null_ptr)
        call expect(t, 'trsm_inv, MAGMA', 0_c_int, distance(down(t, c, n, nrhs), x) / 10)
        c = up(t, y)
        q = up(t, random_matrices(t, n, nrhs))
        call magma_solve(t, 3, pv, pointers(t, c, n * nrhs), pointers(t, q, n * nrhs))
        call expect(t, 'trsm_inv_outofplace, MAGMA', 0_c_int, distance(down(t, q, n, nrhs), x) / 10)

        ! The identity matrix and a copy of it
        c = up(t, a)
        q = up(t, a)
        select case (t)
        case ('s'); call magma_laset(MagmaFull, m, n, 0.0_c_float, 1.0_c_float, c, m, queue)
        case ('d'); call magma_laset(MagmaFull, m, n, 0.0_c_double, 1.0_c_double, c, m, queue)
        case ('c'); call magma_laset(MagmaFull, m, n, (0.0_c_float, 0.0_c_float), (1.0_c_float, 0.0_c_float), c, m, queue)
        case ('z'); call magma_laset(MagmaFull, m, n, (0.0_c_double, 0.0_c_double), (1.0_c_double, 0.0_c_double), c, m, queue)
        end select
        select case (t)
        case ('s'); call magmablas_slacpy(MagmaFull, m, n, c, m, q, m, queue)
        case ('d'); call magmablas_dlacpy(MagmaFull, m, n, c, m, q, m, queue)
        case ('c'); call magmablas_clacpy(MagmaFull, m, n, c, m, q, m, queue)
        case ('z'); call magmablas_zlacpy(MagmaFull, m, n, c, m, q, m, queue)
        end select
        call queue_sync(queue)
        folded = a
        folded(:, :, 1) = zero
        do i = 1, n
            folded(i, i, 1) = 1
        end do
        call expect(t, 'laset and lacpy', 0_c_int, distance(down(t, q, m, n), folded))

        ! Letters may be upper or lower case; any other letter is rejected.
        status = tephra_geqrf_batched(achar(iachar(t) - 32), m8, n8, pv, m8, ptau, 0_c_int64_t, c_null_ptr)
        call expect(t, 'an upper-case letter', status, 0.0_wp)
        call expect(t, 'an unknown letter', tephra_geqrf_batched('q', m8, n8, pv, m8, ptau, batch8, c_null_ptr) + 1, 0.0_wp)
    end subroutine

    include "fortran_lu.inc"
    include "fortran_blas.inc"
    include "fortran_lu_vendors.inc"
    include "fortran_cholesky.inc"
end module

program main
    use generics_client
    implicit none
    integer :: i
    character(4), parameter :: letters = 'sdcz'
    integer, parameter :: each = 66 + 29 + 14 + 12 + 32

    if (magma_init() /= 0) error stop "magma_init"
    if (cublasCreate(handle) /= CUBLAS_STATUS_SUCCESS) error stop "cublasCreate"
    call queue_create(0_c_int, queue)
    do i = 1, 4
        call try(letters(i:i))
        call try_lu(letters(i:i))
        call try_cholesky(letters(i:i))
        call try_lu_vendors(letters(i:i))
        call try_blas(letters(i:i))
    end do
    call queue_destroy(queue)
    if (cublasDestroy(handle) /= CUBLAS_STATUS_SUCCESS) failed = failed + 1
    if (magma_finalize() /= 0) failed = failed + 1
    if (checked /= 4 * each + 2 * 9) then
        print '(a, i0, a, i0)', 'Fortran generics: ', checked, ' checks, expected ', 4 * each + 2 * 9
        error stop "Fortran generics: not all were tried"
    end if
    if (failed /= 0) error stop "Fortran generics: failures"
    print '(a, i0, a)', 'Fortran generics: ', checked, ' checks passed'
end program
