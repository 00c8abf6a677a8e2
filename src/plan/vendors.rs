//! Products for which the vendor's own function was measured to be faster (results/h200/gemm.csv, gemv.csv): under
//! `LD_PRELOAD` those calls stay the vendor's.

use crate::routine::Dtype;

/// Of products of matrices; sizes m, n and k.
pub fn gemm(_dtype: Dtype, [m, n, k]: [i64; 3]) -> bool {
    m.max(n).max(k) > 16
}

/// Of products of m x n matrices, transposed or not, with vectors.
pub fn gemv(_dtype: Dtype, _transposed: bool, [m, n]: [i64; 2]) -> bool {
    m.max(n) > 32
}
