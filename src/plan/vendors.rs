//! Sizes for which the vendor's own function was measured to be faster (results/h200/gemm.csv, gemv.csv, large.csv): with a handle of the
//! vendor's those calls stay its own.

use crate::routine::Dtype;

/// Of products of matrices; sizes m, n and k.
pub fn gemm(_dtype: Dtype, [m, n, k]: [i64; 3]) -> bool {
    m.max(n).max(k) > 16
}

/// Of products of m x n matrices, transposed or not, with vectors.
pub fn gemv(_dtype: Dtype, _transposed: bool, [m, n]: [i64; 2]) -> bool {
    m.max(n) > 32
}

/// Of QR of one m x n matrix.
pub fn geqrf(dtype: Dtype, [m, n]: [i64; 2]) -> bool {
    dtype != Dtype::S && n >= 3000 && m < 4 * n
}

/// Of Q of one matrix; sizes m, n and k.
pub fn orgqr(_dtype: Dtype, [m, _, k]: [i64; 3]) -> bool {
    k >= 512 || k > 128 && m >= 1 << 20
}

/// Of one Q, from the left or not, applied to an m x n matrix; sizes m, n and k.
pub fn ormqr(dtype: Dtype, left: bool, [m, n, k]: [i64; 3]) -> bool {
    orgqr(dtype, [if left { m } else { n }, k, k])
}
