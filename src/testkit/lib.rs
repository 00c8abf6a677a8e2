//! Shared support for the tests, benchmarks and the tuner: loading the library under test, generating inputs, measuring
//! errors and judging results.
//!
//! The testkit reaches the library only through `dlopen`, so it tests the shared object that ships, and one test binary
//! runs on either backend. Nothing here links `tephra-core`.
//!
//! | module | what it is for |
//! | --- | --- |
//! | [`library`] | loads `libtephra.so`; its native, cuBLAS and MAGMA entry points |
//! | [`memory`], [`guarded`] | memory of the backend; poisoned batches between red zones |
//! | [`qr`] | one batched factorisation through any of the ABIs, from setup to the checked result |
//! | [`ops`] | the same for every other routine |
//! | [`signatures`] | the native functions of every routine and their arguments, one signature per routine |
//! | [`routines`] | how random calls of them are made and judged: data, measures, other libraries' functions |
//! | [`halves`] | the 16-bit element types |
//! | [`scalar`], [`rng`], [`matrix`] | the four element types; seeded random numbers; dense host matrices |
//! | [`matrices`] | input classes: LAPACK's dlatb4 set and the adversarial ones |
//! | [`householder`], [`double_double`] | a host reference; sums in twice double precision |
//! | [`ratios`], [`agreement`] | LAPACK's test ratios; element-wise comparison |
//! | [`accuracy`] | errors of single precision against double, compared with LAPACK's |
//! | [`lapack`], [`vendor`], [`driver`] | OpenBLAS, cuBLAS and the CUDA driver, loaded at run time |
//! | [`engine`] | generates the tests of every batched routine from one row each |
//! | [`sweep`] | shapes, forced plan paths, verdicts, summary lines |
#![warn(missing_docs)]

pub mod accuracy;
pub mod agreement;
pub mod any_call;
pub mod double_double;
pub mod driver;
pub mod engine;
pub mod error;
pub mod guarded;
pub mod halves;
pub mod householder;
pub mod lapack;
pub mod library;
pub mod matrices;
pub mod matrix;
pub mod memory;
pub mod ops;
pub mod qr;
pub mod ratios;
pub mod rng;
pub mod routines;
pub mod scalar;
pub mod signatures;
pub mod sweep;
pub mod varying;
pub mod vendor;

pub use error::{Error, Result};
pub use library::Library;
pub use matrix::Matrix;
pub use rng::Rng;
pub use scalar::{C32, C64, Dtype, Field, Scalar};

/// Calls `$body` with `$T` bound to the element type of the [`Dtype`] `$dtype`.
///
/// ```
/// use tephra_testkit::{Dtype, Scalar, with_scalar};
/// fn name<T: Scalar>() -> char { T::DTYPE.letter() }
/// assert_eq!(with_scalar!(Dtype::Z, T => name::<T>()), 'z');
/// ```
#[macro_export]
macro_rules! with_scalar {
    ($dtype:expr, $T:ident => $body:expr) => {
        match $dtype {
            $crate::Dtype::S => {
                type $T = f32;
                $body
            }
            $crate::Dtype::D => {
                type $T = f64;
                $body
            }
            $crate::Dtype::C => {
                type $T = $crate::C32;
                $body
            }
            $crate::Dtype::Z => {
                type $T = $crate::C64;
                $body
            }
        }
    };
}

/// Instantiates a sweep that is generic over the element type as the tests `single`, `double`, `single_complex` and
/// `double_complex`.
#[macro_export]
macro_rules! in_all_precisions {
    ($sweep:ident) => {
        #[test]
        fn single() -> $crate::Result<()> {
            $sweep::<f32>()
        }

        #[test]
        fn double() -> $crate::Result<()> {
            $sweep::<f64>()
        }

        #[test]
        fn single_complex() -> $crate::Result<()> {
            $sweep::<$crate::C32>()
        }

        #[test]
        fn double_complex() -> $crate::Result<()> {
            $sweep::<$crate::C64>()
        }
    };
}
