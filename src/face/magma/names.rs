//! MAGMA's enumerations, and their conversions from LAPACK's characters and to its words.

use crate::host::output::write_error_line;
use std::ffi::{CStr, c_char, c_int};

/// LAPACK's word for each of MAGMA's constants (`lapack_const_str`); empty for other numbers.
pub fn lapack_name(constant: c_int) -> &'static CStr {
    match constant {
        0 => c"No",
        1 => c"Yes",
        101 => c"Row",
        102 => c"Column",
        111 => c"No transpose",
        112 => c"Transpose",
        113 => c"Conjugate transpose",
        121 => c"Upper",
        122 => c"Lower",
        123 => c"General",
        131 => c"Non-unit",
        132 => c"Unit",
        141 => c"Left",
        142 => c"Right",
        143 => c"Both",
        171 => c"1 norm",
        173 => c"2 norm",
        174 => c"Frobenius norm",
        175 => c"Infinity norm",
        177 => c"Maximum norm",
        201 => c"Uniform",
        202 => c"Symmetric",
        203 => c"Normal",
        241 => c"Hermitian",
        242 => c"Positive ev Hermitian",
        243 => c"NonSymmetric pos sv",
        244 => c"Symmetric pos sv",
        291 => c"No Packing",
        292 => c"U zero out subdiag",
        293 => c"L zero out superdiag",
        294 => c"C",
        295 => c"R",
        296 => c"B",
        297 => c"Q",
        298 => c"Z",
        301 => c"No vectors",
        302 => c"Vectors needed",
        303 => c"I",
        304 => c"All",
        305 => c"Some",
        306 => c"Overwrite",
        311 => c"All",
        312 => c"V",
        313 => c"I",
        322 => c"Q",
        323 => c"P",
        391 => c"Forward",
        392 => c"Backward",
        401 => c"Columnwise",
        402 => c"Rowwise",
        _ => c"",
    }
}

/// One of MAGMA's enumerations: LAPACK's letters with their constants.
#[derive(Debug)]
pub struct Letters {
    /// Upper case.
    pub letters: &'static [(u8, c_int)],
    /// The constant for any other letter; `None`: the first constant, with a message on stderr.
    pub other: Option<c_int>,
}

impl Letters {
    /// The constant of a letter of either case (`magma_*_const`).
    pub fn constant(&self, name: &str, letter: c_char) -> c_int {
        let upper = (letter as u8).to_ascii_uppercase();
        let found = self.letters.iter().find(|(l, _)| *l == upper).map(|&(_, constant)| constant);
        found.or(self.other).unwrap_or_else(|| {
            write_error_line(format_args!("Error in {name}: unexpected value {}", upper as char));
            self.letters[0].1
        })
    }
}

macro_rules! letters {
    ($($name:ident: $($letter:literal = $constant:literal),*;)*) => {$(
        #[allow(missing_docs)] // the enumeration that the name says
        pub const $name: Letters = Letters { letters: &[$(($letter, $constant)),*], other: None };
    )*};
}

letters! {
    BOOL: b'N' = 0, b'Y' = 1;
    ORDER: b'R' = 101, b'C' = 102;
    TRANS: b'N' = 111, b'T' = 112, b'C' = 113;
    DIAG: b'N' = 131, b'U' = 132;
    SIDE: b'L' = 141, b'R' = 142, b'B' = 143;
    NORM: b'O' = 171, b'1' = 171, b'2' = 173, b'F' = 174, b'E' = 174, b'I' = 175, b'M' = 177;
    DIST: b'U' = 201, b'S' = 202, b'N' = 203;
    SYM: b'H' = 241, b'P' = 242, b'N' = 243, b'S' = 244;
    PACK: b'N' = 291, b'U' = 292, b'L' = 293, b'C' = 294, b'R' = 295, b'B' = 296, b'Q' = 297, b'Z' = 298;
    VEC: b'N' = 301, b'V' = 302, b'I' = 303, b'A' = 304, b'S' = 305, b'O' = 306;
    RANGE: b'A' = 311, b'V' = 312, b'I' = 313;
    VECT: b'Q' = 322, b'P' = 323;
    DIRECT: b'F' = 391, b'B' = 392;
    STOREV: b'C' = 401, b'R' = 402;
}

/// `magma_uplo_t`, where every other letter means the full matrix.
pub const UPLO: Letters = Letters { letters: &[(b'U', 121), (b'L', 122)], other: Some(123) };

/// cuBLAS's value of MAGMA's transpose, triangle, diagonal and side constants; 0 for others.
pub fn cublas_value(constant: c_int) -> c_int {
    match constant {
        112 => 1, // CUBLAS_OP_T
        113 => 2, // CUBLAS_OP_C
        121 => 1, // CUBLAS_FILL_MODE_UPPER
        132 => 1, // CUBLAS_DIAG_UNIT
        142 => 1, // CUBLAS_SIDE_RIGHT
        _ => 0,
    }
}
