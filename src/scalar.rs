//! Complex numbers with the layout of C's (and CUDA's, and Fortran's) types.

/// Single-precision complex, layout of `cuComplex` and `COMPLEX*8`.
#[repr(C, align(8))]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct C32 {
    /// Real part.
    pub re: f32,
    /// Imaginary part.
    pub im: f32,
}

/// Double-precision complex, layout of `cuDoubleComplex` and `COMPLEX*16`.
///
/// Aligned like its parts: callers may hand us element-aligned memory only.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct C64 {
    /// Real part.
    pub re: f64,
    /// Imaginary part.
    pub im: f64,
}
