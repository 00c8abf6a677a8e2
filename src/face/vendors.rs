//! Sizes for which the vendor's own function was measured to be faster on an H200 (results/h200/gemm.csv, gemv.csv, large.csv):
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
        }
        assert!(gemm(Dtype::S, [256; 3]) && !gemm(Dtype::D, [256; 3]) && gemm(Dtype::C, [32; 3]));
    }
}
