//! Least squares and LQ factorisations.

use super::super::{C32, C64, Status};
use std::ffi::{c_int, c_void};
use std::ptr::null_mut;
use tephra_core::face::native::*;
use tephra_core::routine::{Gelqf, Gels, GelsSizes, Operation, Sizes, Workspace};
use tephra_core::{Dtype, Error, Operand, Stream, entry};

/// What the host knows of a batch: the upper bounds of the sizes, and the number of members.
struct Largest<const N: usize> {
    sizes: [i64; N],
    batch: i64,
}

fn gels(
    dtype: Dtype,
    flag: c_int,
    Largest { sizes: [m, n, nrhs], batch }: Largest<3>,
    sizes: GelsSizes,
    [a, b]: [Operand; 2],
    info: *mut c_int,
    work: Workspace,
) -> Result<Operation, Error> {
    let (trans, sizes, lda, ldb) = (trans(flag)?, Some(sizes), 1, 1);
    Ok(Operation::Gels(Gels { dtype, trans, m, n, nrhs, a, lda, b, ldb, sizes, info, batch, work }))
}

fn gelqf(
    dtype: Dtype,
    Largest { sizes: [m, n], batch }: Largest<2>,
    sizes: Sizes,
    [a, tau]: [Operand; 2],
    info: *mut c_int,
    work: Workspace,
) -> Operation {
    Operation::Gelqf(Gelqf { dtype, m, n, a, lda: 1, sizes: Some(sizes), tau, batch, info, work })
}

macro_rules! least_squares {
    ($($ty:ty: $dtype:ident:
        $(#[$s:meta])* $gels:ident, $(#[$sw:meta])* $gels_workspace:ident,
        $(#[$q:meta])* $gelqf:ident, $(#[$qw:meta])* $gelqf_workspace:ident;)*
    ) => { entry! {$(
        $(#[$s])*
        fn $gels(
            max_m: i64, max_n: i64, max_nrhs: i64, trans: c_int, m: *const c_int, n: *const c_int, nrhs: *const c_int,
            a_array: *const *mut $ty, lda: *const c_int, b_array: *const *mut $ty, ldb: *const c_int, info: *mut c_int,
            batch_count: i64, work: *mut c_void, work_bytes: usize, stream: *mut c_void,
        ) -> Status {
            let (largest, sizes) = (Largest { sizes: [max_m, max_n, max_nrhs], batch: batch_count }, GelsSizes { m, n, nrhs, lda, ldb });
            let (operands, work) = ([pointers(a_array), pointers(b_array)], Workspace { p: work, bytes: work_bytes });
            Ok(Status(run(PROTOTYPE, gels(Dtype::$dtype, trans, largest, sizes, operands, info, work), Stream(stream))))
        }

        $(#[$sw])*
        fn $gels_workspace(
            max_m: i64, max_n: i64, max_nrhs: i64, trans: c_int, batch_count: i64, bytes: *mut usize,
        ) -> Status {
            let (largest, null_operand) = (Largest { sizes: [max_m, max_n, max_nrhs], batch: batch_count }, [Operand::NULL; 2]);
            let op = gels(Dtype::$dtype, trans, largest, GelsSizes::NULL, null_operand, null_mut(), Workspace::NONE);
            Ok(Status(workspace(PROTOTYPE, op, bytes)))
        }

        $(#[$q])*
        fn $gelqf(
            max_m: i64, max_n: i64, m: *const c_int, n: *const c_int, a_array: *const *mut $ty, lda: *const c_int,
            tau_array: *const *mut $ty, info: *mut c_int, batch_count: i64, work: *mut c_void, work_bytes: usize,
            stream: *mut c_void,
        ) -> Status {
            let (largest, sizes) = (Largest { sizes: [max_m, max_n], batch: batch_count }, Sizes { m, n, lda });
            let (operands, work) = ([pointers(a_array), pointers(tau_array)], Workspace { p: work, bytes: work_bytes });
            Ok(Status(run(PROTOTYPE, Ok(gelqf(Dtype::$dtype, largest, sizes, operands, info, work)), Stream(stream))))
        }

        $(#[$qw])*
        fn $gelqf_workspace(max_m: i64, max_n: i64, batch_count: i64, bytes: *mut usize) -> Status {
            let (largest, null_operand) = (Largest { sizes: [max_m, max_n], batch: batch_count }, [Operand::NULL; 2]);
            let op = gelqf(Dtype::$dtype, largest, Sizes::NULL, null_operand, null_mut(), Workspace::NONE);
            Ok(Status(workspace(PROTOTYPE, Ok(op), bytes)))
        }
    )*}};
}

least_squares! {
    f32: S:
    /// tephra_sgels_batched() for systems with individual sizes: A(i) is m[i] x n[i], with nrhs[i] right-hand sides.
    /// The shape of each system decides: with m[i] >= n[i], X(i) is the least-squares solution, else that of least norm
    /// (the other way round for A^H).
    ///
    /// The sizes are in device memory and are never read by the host; max_m, max_n and max_nrhs are their upper bounds,
    /// by which the kernels are chosen. The call is asynchronous on the stream, allocates nothing (except scratch
    /// memory from the stream-ordered pool for few large members and for large batches) and can be captured in a CUDA
    /// graph; each replay may see different sizes. m[i] = 0, n[i] = 0 and nrhs[i] = 0 are allowed. If the sizes of a
    /// member are invalid, nothing of it is read or written except its info, which is -2 if not 0 <= m[i] <= max_m,
    /// else -3 if not 0 <= n[i] <= max_n, else -4 if not 0 <= nrhs[i] <= max_nrhs, else -6 if not lda[i] >= m[i], else
    /// -8 if not ldb[i] >= max(m[i],n[i]).
    ///
    /// | # | argument | |
    /// | - | -------- | - |
    /// | 1 | max_m | no matrix has more rows, max_m >= 0 |
    /// | 2 | max_n | no matrix has more columns, max_n >= 0 |
    /// | 3 | max_nrhs | no B has more columns, max_nrhs >= 0 |
    /// | 4 | trans | TEPHRA_TRANS_N, _T or _C; _T is for real types only, as in LAPACK |
    /// | 5 | m | batch_count ints in device memory: rows of A; not NULL when there is work |
    /// | 6 | n | batch_count ints in device memory: columns of A, likewise |
    /// | 7 | nrhs | batch_count ints in device memory: right-hand sides, likewise |
    /// | 8 | a_array | batch_count pointers to m[i] x n[i] matrices; not NULL when there is work, max_m > 0 and max_n > 0 |
    /// | 9 | lda | batch_count ints in device memory: leading dimensions of A, in elements; not NULL when there is work |
    /// | 10 | b_array | batch_count pointers to max(m[i],n[i]) x nrhs[i] matrices; not NULL when there is work and max_nrhs > 0 |
    /// | 11 | ldb | batch_count ints in device memory: leading dimensions of B, in elements; not NULL when there is work |
    /// | 12 | info | one int per member in device memory, or NULL: as for tephra_sgels_batched(), and see above |
    /// | 13 | batch_count | number of members, >= 0 |
    /// | 14 | work | workspace in device memory, aligned to 16 bytes, or NULL when none is needed |
    /// | 15 | work_bytes | size of work, at least what tephra_sgels_vbatched_workspace() reports; a smaller one is an error |
    /// | 16 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
    ///
    /// On the CPU backend all of these are in host memory. The call does nothing and returns success when batch_count
    /// or the upper bound of the rows of X is 0; all of info is then set to 0.
    tephra_sgels_vbatched,
    /// Workspace of tephra_sgels_vbatched() in bytes: space for the transposes of members with more columns than rows;
    /// 0 on the CPU backend. Arguments are numbered max_m 1, max_n 2, max_nrhs 3, trans 4, batch_count 5.
    tephra_sgels_vbatched_workspace,
    /// tephra_sgelqf_batched() for matrices with individual sizes: A(i) is m[i] x n[i], with leading dimension lda[i].
    ///
    /// The sizes are in device memory and are never read by the host; max_m and max_n are their upper bounds, by which
    /// the kernels are chosen. The call is asynchronous on the stream, allocates nothing (except scratch memory from
    /// the stream-ordered pool for few large members and for large batches) and can be captured in a CUDA graph; each
    /// replay may see different sizes. m[i] = 0 and n[i] = 0 are allowed. If the sizes of a matrix are invalid, nothing
    /// of it is read or written except its info, which is -1 if not 0 <= m[i] <= max_m, else -2 if not 0 <= n[i] <=
    /// max_n, else -4 if not lda[i] >= m[i].
    ///
    /// The arguments are those of tephra_sgeqrf_vbatched() and are numbered in the same way, except that the call needs
    /// a workspace of at least tephra_sgelqf_vbatched_workspace() bytes.
    ///
    /// On the CPU backend all of these are in host memory. The call does nothing and returns success when max_m, max_n
    /// or batch_count is 0; all of info is then set to 0.
    tephra_sgelqf_vbatched,
    /// Workspace of tephra_sgelqf_vbatched() in bytes; 0 on the CPU backend. Arguments are numbered max_m 1, max_n 2,
    /// batch_count 3.
    tephra_sgelqf_vbatched_workspace;

    f64: D:
    /// tephra_sgels_vbatched() in double precision.
    tephra_dgels_vbatched,
    /// tephra_sgels_vbatched_workspace() in double precision.
    tephra_dgels_vbatched_workspace,
    /// tephra_sgelqf_vbatched() in double precision.
    tephra_dgelqf_vbatched,
    /// tephra_sgelqf_vbatched_workspace() in double precision.
    tephra_dgelqf_vbatched_workspace;

    C32: C:
    /// tephra_sgels_vbatched() in single precision complex.
    tephra_cgels_vbatched,
    /// tephra_sgels_vbatched_workspace() in single precision complex.
    tephra_cgels_vbatched_workspace,
    /// tephra_sgelqf_vbatched() in single precision complex.
    tephra_cgelqf_vbatched,
    /// tephra_sgelqf_vbatched_workspace() in single precision complex.
    tephra_cgelqf_vbatched_workspace;

    C64: Z:
    /// tephra_sgels_vbatched() in double precision complex.
    tephra_zgels_vbatched,
    /// tephra_sgels_vbatched_workspace() in double precision complex.
    tephra_zgels_vbatched_workspace,
    /// tephra_sgelqf_vbatched() in double precision complex.
    tephra_zgelqf_vbatched,
    /// tephra_sgelqf_vbatched_workspace() in double precision complex.
    tephra_zgelqf_vbatched_workspace;
}
