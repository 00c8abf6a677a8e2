//! Sizes for which the vendor's own function was measured to be faster on an H200 (results/h200/gemm.csv, gemv.csv, large.csv) or an H100:
//! with a handle of the vendor's those calls stay its own.

use crate::routine::Dtype;

/// Of products of matrices; sizes m, n and k.
pub fn gemm(dtype: Dtype, [m, n, k]: [i64; 3]) -> bool {
    let (least, most) = (m.min(n), m.max(n));
    match dtype {
        Dtype::S => least >= 128 && (k <= 8 || k > 64),
        Dtype::D => least.min(k) >= 384,
        Dtype::C => most > 24,
        Dtype::Z => least > 96,
    }
}

/// Of products of m x n matrices, transposed or not, with vectors.
pub fn gemv(dtype: Dtype, transposed: bool, [m, n]: [i64; 2]) -> bool {
    match dtype {
        Dtype::S => false,
        Dtype::D => !transposed && (96..=192).contains(&m.min(n)),
        Dtype::C => !transposed && m <= 16 && n >= 128,
        Dtype::Z => m.max(n) >= 64,
    }
}

/// Of Q of one matrix; sizes m, n and k.
pub fn orgqr(_dtype: Dtype, [_, _, k]: [i64; 3]) -> bool {
    k >= 384
}

/// Of one Q, from the left or not, applied to an m x n matrix; sizes m, n and k. As orgqr.
pub fn ormqr(dtype: Dtype, left: bool, [m, n, k]: [i64; 3]) -> bool {
    orgqr(dtype, [if left { m } else { n }, k, k])
}

/// Of LU of one m x n matrix: what no cluster holds (results/h100/large_lu_chol.csv, as potrf's).
pub fn getrf(_dtype: Dtype, [m, _]: [i64; 2]) -> bool {
    m > 32768
}

/// Of Cholesky of one matrix.
pub fn potrf(dtype: Dtype, n: i64) -> bool {
    match dtype {
        Dtype::S => (384..6144).contains(&n) || n > 24576,
        Dtype::D => n > 24576,
        Dtype::C => n > 2048,
        Dtype::Z => n >= 1024,
    }
}

/// Of one system of order n by the factors of either (results/h100/large_solves.csv).
pub fn solve(dtype: Dtype, n: i64) -> bool {
    n > 256 && !(dtype == Dtype::D && n >= 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_ones_are_served() {
        for dtype in Dtype::ALL {
            for n in 1..=24 {
                assert!(!gemm(dtype, [n; 3]) && !gemv(dtype, false, [n; 2]));
                assert!(!orgqr(dtype, [n; 3]) && !ormqr(dtype, true, [n; 3]));
            }
            assert!(orgqr(dtype, [8192; 3]) && !orgqr(dtype, [1 << 20, 256, 256]));
            for n in [1, 128, 256] {
                assert!(!getrf(dtype, [n; 2]) && !potrf(dtype, n) && !solve(dtype, n));
            }
            assert!(!getrf(dtype, [32768; 2]) && getrf(dtype, [40_000, 8]) && potrf(dtype, 1 << 15));
        }
        assert!(gemm(Dtype::S, [256; 3]) && !gemm(Dtype::D, [256; 3]) && gemm(Dtype::C, [32; 3]));
    }
}
