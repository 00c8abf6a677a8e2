//! Converts the side, transposition, triangle and diagonal constants of each ABI to Tephra's types.

use crate::error::{Arg, Error};
use crate::routine::{Diag, Part, Side, Trans, Uplo};
use std::ffi::c_int;

macro_rules! from_number {
    ($($(#[$meta:meta])* fn $name:ident -> $ty:ident, $arg:ident: $($number:literal => $variant:ident),*;)*) => {$(
        $(#[$meta])*
        pub fn $name(number: c_int) -> Result<$ty, Error> {
            match number {
                $($number => Ok($ty::$variant),)*
                _ => Err(Arg::$arg.into()),
            }
        }
    )*};
}

/// The constants of CBLAS, which MAGMA and the native API share.
pub mod cblas {
    use super::*;
    from_number! {
        /// `CBLAS_SIDE`
        fn side -> Side, Side: 141 => Left, 142 => Right;
        /// `CBLAS_TRANSPOSE`
        fn trans -> Trans, Trans: 111 => N, 112 => T, 113 => C;
        /// `CBLAS_UPLO`
        fn uplo -> Uplo, Uplo: 121 => Upper, 122 => Lower;
        /// A triangle with its diagonal, or `MagmaFull`
        fn region -> Part, Uplo: 121 => Upper, 122 => Lower, 123 => Full;
        /// `CBLAS_DIAG`
        fn diag -> Diag, Diag: 131 => NonUnit, 132 => Unit;
    }
}

/// The constants of cuBLAS.
pub mod cublas {
    use super::*;
    from_number! {
        /// `cublasSideMode_t`
        fn side -> Side, Side: 0 => Left, 1 => Right;
        /// `cublasOperation_t`, without `CUBLAS_OP_CONJG`
        fn trans -> Trans, Trans: 0 => N, 1 => T, 2 => C;
        /// `cublasOperation_t` of the first operand
        fn trans_a -> Trans, TransA: 0 => N, 1 => T, 2 => C;
        /// `cublasOperation_t` of the second operand
        fn trans_b -> Trans, TransB: 0 => N, 1 => T, 2 => C;
        /// `cublasFillMode_t`, without `CUBLAS_FILL_MODE_FULL`
        fn uplo -> Uplo, Uplo: 0 => Lower, 1 => Upper;
        /// `cublasDiagType_t`
        fn diag -> Diag, Diag: 0 => NonUnit, 1 => Unit;
    }
}
