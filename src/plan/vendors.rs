//! Sizes for which the vendor's own function was measured to be faster (results/h200/gemm.csv, gemv.csv): with a handle of the
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
pub fn geqrf(_dtype: Dtype, [_m, _n]: [i64; 2]) -> bool {
    false
}

/// Of Q of one matrix; sizes m, n and k.
pub fn orgqr(_dtype: Dtype, [_m, _n, _k]: [i64; 3]) -> bool {
    false
}

/// Of one Q, from the left or not, applied to an m x n matrix; sizes m, n and k.
pub fn ormqr(_dtype: Dtype, _left: bool, [_m, _n, _k]: [i64; 3]) -> bool {
    false
}
