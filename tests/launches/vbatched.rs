//! Products, triangular solves and Cholesky factorisations on members with their own sizes, which are arrays in device
//! memory.

use crate::cases::{Grid, INFO, STREAM, WORK, WORK_BYTES, device, one};

const A: u64 = device(1);
const B: u64 = device(2);
const C: u64 = device(3);
const IPIV: u64 = device(4);
/// Sizes and leading dimensions.
const M: u64 = device(8);
const N: u64 = device(9);
const K: u64 = device(10);
const LDA: u64 = device(11);
const LDB: u64 = device(12);
const LDC: u64 = device(13);

impl Grid {
    /// Adds calls with these largest sizes; `queue` is MAGMA's.
    pub fn vbatched(&mut self, sizes: &[u64], batches: &[u64], queue: u64) {
        let one = one(self.dtype);
        let all = || sizes.iter().flat_map(|&m| batches.iter().map(move |&batch| (m, batch)));
        for (m, batch) in all() {
            for uplo in [121, 122] {
                let work = [WORK, WORK_BYTES, STREAM];
                let call = [m, uplo, N, A, LDA, INFO, batch];
                self.call("tephra_?potrf_vbatched", &[&call[..], &work].concat());
                self.call("magma_?potrf_vbatched_max_nocheck", &[uplo, N, A, LDA, INFO, batch, m, queue]);
            }
            for &n in sizes {
                let (trans_a, trans_b) = (111 + (m + n) % 3, 111 + n % 3);
                let sizes = [m, n, 1 + (m * n) % 70, trans_a, trans_b, M, N, K, one, A, LDA, B, LDB, one, C, LDC];
                self.call("tephra_?gemm_vbatched", &[&sizes[..], &[batch, STREAM]].concat());
                let flags = [141 + m % 2, 121 + n % 2, trans_a, 131 + (m + n) % 2];
                let sizes = [M, N, one, A, LDA, B, LDB, batch, STREAM];
                self.call("tephra_?trsm_vbatched", &[&[m, n][..], &flags, &sizes].concat());
                self.least_squares(m, n, batch);
                self.updates(m, n, batch, one, queue);
                let sizes = [trans_a, trans_b, M, N, K, A, LDA, B, LDB, C, LDC, batch, m, n, m.min(n), queue];
                self.call_void("magmablas_?gemm_vbatched_max_nocheck", &sizes);
                let sizes =
                    [trans_a, trans_b, m, n, m.min(n), M, N, K, A, 1, 2, LDA, B, 2, 0, LDB, C, 0, 3, LDC, batch, queue];
                self.call_void("magmablas_?gemm_vbatched_core", &sizes);
                self.grouped(m, n, batch, one);
                let sizes = [m, n, trans_a, M, N, one, A, LDA, B, LDB, one, C, LDC, batch, STREAM];
                self.call("tephra_?gemv_vbatched", &sizes);
                let sizes = [trans_a, M, N, A, LDA, B, LDB, C, LDC, batch, m, n, queue];
                self.call_void("magmablas_?gemv_vbatched_max_nocheck", &sizes);
                let sizes = [m, n, M, N, A, LDA, B, LDB, batch, queue];
                self.call_void("magmablas_?trsm_vbatched_max_nocheck", &[&flags[..], &sizes].concat());
                let operands = [0, M, N, A, LDA, B, LDB, C, LDC, 0, 0, 0, 0, 0, 0, 0, batch, m, n, queue];
                self.call_void("magmablas_?trsm_inv_outofplace_vbatched", &[&flags[..], &operands].concat());
            }
        }
    }
    /// Two groups, the first of which is described in two parts.
    fn grouped(&mut self, m: u64, n: u64, batch: u64, one: u64) {
        // The library reads these arrays when the calls are made, so they are leaked.
        let (flags, sizes, members) = (Box::leak(Box::new([111i32; 3])), Box::new([m, m, n]), Box::new([batch, 1, 2]));
        let element = self.dtype.bytes();
        // SAFETY: only the bytes of one number are read, and copied three times.
        let one = unsafe { std::slice::from_raw_parts(one as *const u8, element) }.repeat(3).leak();
        let (flags, scalars) = (flags.as_ptr() as u64, one.as_ptr() as u64);
        let [sizes, members] = [sizes, members].map(|array| Box::leak(array).as_ptr() as u64);
        let call =
            [flags, flags, sizes, sizes, sizes, scalars, A, sizes, B, sizes, scalars, C, sizes, 3, members, STREAM];
        self.call("tephra_?gemm_grouped_batched", &call);
    }
    /// Least squares with several right-hand sides, LQ and pivoted QR of at most m x n; systems with one right-hand
    /// side.
    fn least_squares(&mut self, m: u64, n: u64, batch: u64) {
        let last = [batch, WORK, WORK_BYTES, STREAM];
        let (trans, nrhs) =
            (if (m + n).is_multiple_of(2) { 111 } else { 112 + u64::from(self.dtype.is_complex()) }, 1 + m % 40);
        let info = if n.is_multiple_of(2) { INFO } else { 0 };
        let sizes = [m, n, nrhs, trans, M, N, K, A, LDA, B, LDB, info];
        self.call("tephra_?gels_vbatched", &[&sizes[..], &last].concat());
        self.call("tephra_?gelqf_vbatched", &[&[m, n, M, N, A, LDA, C, info], &last[..]].concat());
        self.call("tephra_?geqp3_vbatched", &[&[m, n, M, N, A, LDA, IPIV, C, info], &last[..]].concat());
        let flags = [121 + n % 2, 111 + (m + n) % 3, 131 + m % 2];
        self.call("tephra_?trsv_vbatched", &[&[n], &flags[..], &[N, A, LDA, B, LDB, batch, STREAM]].concat());
    }
    /// Symmetric and Hermitian products of at most order n with k terms, and products with triangles.
    fn updates(&mut self, n: u64, k: u64, batch: u64, one: u64, queue: u64) {
        let (most, uplo, last) = ([n, k], 121 + k % 2, [batch, STREAM]);
        let plain = if k.is_multiple_of(3) { 111 } else { 112 };
        let (c, two) = ([one, C, LDC], [A, LDA, B, LDB]);
        let flags = [uplo, plain, N, K, one];
        self.call("tephra_?syrk_vbatched", &[&most[..], &flags, &two[..2], &c, &last].concat());
        self.call("tephra_?syr2k_vbatched", &[&most[..], &flags, &two, &c, &last].concat());
        if self.dtype.is_complex() {
            let flags = [uplo, if plain == 111 { 111 } else { 113 }, N, K, one];
            self.call("tephra_?herk_vbatched", &[&most[..], &flags, &two[..2], &c, &last].concat());
            self.call("tephra_?her2k_vbatched", &[&most[..], &flags, &two, &c, &last].concat());
        }
        self.call_void("magmablas_?lacpy_vbatched", &[121 + k % 3, n, k, M, N, A, LDA, B, LDB, batch, queue]);
        self.call_void("magmablas_?laset_vbatched", &[121 + k % 3, n, k, M, N, A, LDA, batch, queue]);
        let flags = [141 + n % 2, uplo, M, N, one];
        let name = if self.dtype.is_complex() && k.is_multiple_of(2) {
            "tephra_?hemm_vbatched"
        } else {
            "tephra_?symm_vbatched"
        };
        self.call(name, &[&most[..], &flags, &two, &c, &last].concat());
        let flags = [141 + n % 2, uplo, plain, 131 + k % 2];
        let members = [M, N, one, A, LDA, B, LDB];
        self.call("tephra_?trmm_vbatched", &[&most[..], &flags, &members, &last].concat());
        let members = [M, N, A, LDA, B, LDB, batch, queue];
        self.call_void("magmablas_?trmm_vbatched_max_nocheck", &[&flags[..], &most, &members].concat());
    }

    /// Systems of at most these orders.
    pub fn varying_systems(&mut self, orders: &[u64], batches: &[u64]) {
        for &n in orders {
            for m in [1, 7, 40] {
                batches.iter().for_each(|&batch| self.systems(n, m, batch));
            }
        }
    }

    /// Systems of at most order n with m right-hand sides, and interchanges in m columns.
    fn systems(&mut self, n: u64, m: u64, batch: u64) {
        let (sizes, last) = ([N, K, A, LDA], [batch, WORK, WORK_BYTES, STREAM]);
        let b = [B, LDB];
        for info in [INFO, 0] {
            let trans = 111 + (m + n) % 3;
            let calls = [
                ("tephra_?getrs_vbatched", &[trans][..], &[IPIV][..]),
                ("tephra_?gesv_vbatched", &[], &[IPIV]),
                ("tephra_?potrs_vbatched", &[121 + n % 2], &[]),
                ("tephra_?posv_vbatched", &[121 + n % 2], &[]),
            ];
            for (name, flags, ipiv) in calls {
                self.call(name, &[&[n, m], flags, &sizes, ipiv, &b, &[info], &last].concat());
            }
        }
        for info in [INFO, 0] {
            self.call("tephra_?getri_vbatched", &[&[n, N, A, LDA, IPIV, B, LDB, info], &last[..]].concat());
            self.call("tephra_?potri_vbatched", &[&[n, 121 + n % 2, N, A, LDA, info], &last[..]].concat());
        }
        for incx in [1, -1i64 as u64] {
            self.call("tephra_?laswp_vbatched", &[m, n, N, A, LDA, 1, K, IPIV, incx, batch, STREAM]);
        }
    }
}
