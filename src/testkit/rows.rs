//! The native functions of the batched routines, a row each. Benchmarks, checks, tests and the fuzzer take their calls from here;
//! what each of them makes of a word is its own.
//!
//! | word | argument |
//! | --- | --- |
//! | `m`, `n`, `k`, `nrhs`, `k1`, `k2`, `batch`; `side`, `uplo`, `trans`, `diag`, `part`, `storage` | a size; a flag |
//! | `A` and other names of operands, `tau`, `ipiv`, `jpvt`, `perm` | where the operand is |
//! | `ld` or `inc` and the operand's name, `tsize` of `T`; `stride_` and the name | its leading dimension, increment or size; its stride |
//! | `alpha`, `beta`; `by_value`, `real_value` | the address of a scalar; the next scalar itself, its real part |
//! | `rcond`, `tolerance` | a double by value |
//! | `info`, `rank` | codes; ranks, in their place |
//! | `work`, `work_bytes`, `stream`, `handle`, `queue` | the workspace and its size; what the call goes through |
//! | `argument_info`, `lwork` | a code, and a size of 0, in host memory |
//! | `null`, `zero` | of no interest |
//! | `max_` and a size | the largest, where members have sizes of their own: sizes and leading dimensions are arrays then |

use crate::varying::Form;

/// A routine for batches.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// Its functions' names, with a `?` for the precision's letter: of arrays of pointers, of strides, of one matrix, of members
    /// with sizes of their own.
    pub names: [&'static str; 4],
    /// The arguments of the first. Those of strides and of one matrix follow from them.
    pub words: &'static str,
    /// The arguments of the last, where there is one.
    pub varying: &'static str,
    /// Its operands, in the order in which one may follow from another.
    pub operands: &'static [Operand],
    /// The arguments of `cublas?NAMEBatched`, where the tests' engine calls it.
    pub cublas: &'static str,
    /// MAGMA's name and its arguments, likewise.
    pub magma: (&'static str, &'static str),
}

/// What becomes of an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// It is read.
    Read,
    /// It is read, and overwritten.
    Updated,
    /// It is only written.
    Made,
}

/// An operand of a routine.
#[derive(Clone, Copy, Debug)]
pub struct Operand {
    /// Its word.
    pub name: &'static str,
    /// Its rows and columns, by the words of sizes or those of [`extent`].
    pub size: [&'static str; 2],
    /// What becomes of it.
    pub access: Access,
    /// The flag that says whether it is stored transposed.
    trans: Option<&'static str>,
}

const fn reads(name: &'static str, rows: &'static str, columns: &'static str) -> Operand {
    Operand { name, size: [rows, columns], access: Access::Read, trans: None }
}

const fn updates(name: &'static str, rows: &'static str, columns: &'static str) -> Operand {
    Operand { access: Access::Updated, ..reads(name, rows, columns) }
}

const fn makes(name: &'static str, rows: &'static str, columns: &'static str) -> Operand {
    Operand { access: Access::Made, ..reads(name, rows, columns) }
}

impl Operand {
    const fn under(self, trans: &'static str) -> Operand {
        Operand { trans: Some(trans), ..self }
    }

    /// Whether it is of ints.
    pub fn is_of_integers(&self) -> bool {
        is_of_integers(self.name)
    }

    /// The words of its rows and columns as they are stored, where sizes and flags (by CBLAS's numbers) are these.
    pub fn stored(&self, value: impl Fn(&str) -> i64) -> [&'static str; 2] {
        let [rows, columns] = self.size;
        if self.trans.is_some_and(|trans| value(trans) != NO_TRANS) { [columns, rows] } else { [rows, columns] }
    }

    /// Its rows and columns as they are stored.
    pub fn shape(&self, value: impl Fn(&str) -> i64) -> (i64, i64) {
        let [rows, columns] = self.stored(&value).map(|word| extent(word, &value));
        (rows, columns)
    }
}

/// Whether an operand is of ints, by its word.
pub fn is_of_integers(name: &str) -> bool {
    ["ipiv", "jpvt", "perm"].contains(&name)
}

/// CBLAS's numbers.
const NO_TRANS: i64 = 111;
const LEFT: i64 = 141;

/// What a word of a size comes to: the smaller and the larger of m and n; the order of a factor on one side of an m x n matrix;
/// rows and columns of op(A); columns of Q, of which `part` says how many are wanted; or a size.
fn extent(word: &str, value: impl Fn(&str) -> i64) -> i64 {
    let (m, n) = (|| value("m"), || value("n"));
    match word {
        "1" => 1,
        "min" => m().min(n()),
        "max" => m().max(n()),
        "order" => {
            if value("side") == LEFT {
                m()
            } else {
                n()
            }
        }
        "op_rows" => {
            if value("trans") == NO_TRANS {
                m()
            } else {
                n()
            }
        }
        "op_cols" => {
            if value("trans") == NO_TRANS {
                n()
            } else {
                m()
            }
        }
        "q" => {
            if value("part") == 2 {
                m()
            } else {
                m().min(n())
            }
        }
        size => value(size),
    }
}

/// A constant for each routine: what its names have in common, and the fields that it has.
macro_rules! rows {
    ($($NAME:ident: $name:literal { $($field:ident: $value:expr),+ $(,)? })*) => { $(
        #[doc = concat!("`", $name, "_batched` and its kin")]
        #[allow(clippy::needless_update)] // some rows have all fields
        pub const $NAME: Row = Row {
            names: [
                concat!($name, "_batched"), concat!($name, "_strided_batched"), $name, concat!($name, "_vbatched"),
            ],
            $($field: $value,)+
            ..NONE
        };
    )*
        /// All of them.
        pub const ALL: &[&Row] = &[$(&$NAME),*];
    };
}

const NONE: Row = Row { names: [""; 4], words: "", varying: "", operands: &[], cublas: "", magma: ("", "") };

rows! {
    GEQRF: "tephra_?geqrf" {
        words: "m n A lda tau batch work work_bytes stream",
        varying: "max_m max_n m n A lda tau info batch work work_bytes stream",
        operands: &[updates("A", "m", "n"), makes("tau", "min", "1")],
    }
    GELQF: "tephra_?gelqf" {
        words: "m n A lda tau batch work work_bytes stream",
        varying: "max_m max_n m n A lda tau info batch work work_bytes stream",
        operands: &[updates("A", "m", "n"), makes("tau", "min", "1")],
    }
    GEQP3: "tephra_?geqp3" {
        words: "m n A lda jpvt tau info batch work work_bytes stream",
        varying: "max_m max_n m n A lda jpvt tau info batch work work_bytes stream",
        operands: &[updates("A", "m", "n"), updates("jpvt", "n", "1"), makes("tau", "min", "1")],
    }
    GEQR: "tephra_?geqr" {
        words: "m n A lda T tsize batch stream",
        operands: &[updates("A", "m", "n"), makes("T", "tsize", "1")],
    }
    GEMQR: "tephra_?gemqr" {
        words: "side trans m n k A lda T tsize C ldc batch stream",
        operands: &[reads("A", "order", "k"), reads("T", "tsize", "1"), updates("C", "m", "n")],
    }
    QR: "tephra_?qr" {
        words: "part m n A lda Q ldq R ldr batch work work_bytes stream",
        operands: &[reads("A", "m", "n"), makes("Q", "m", "q"), makes("R", "q", "n")],
    }
    ORGQR: "tephra_?orgqr" {
        words: "m n k A lda tau batch stream",
        varying: "max_m max_n max_k m n k A lda tau info batch stream",
        magma: ("magma_?orgqr_batched", "m n k A lda tau info batch queue"),
        operands: &[updates("A", "m", "n"), reads("tau", "k", "1")],
    }
    ORMQR: "tephra_?ormqr" {
        words: "side trans m n k A lda tau C ldc batch stream",
        varying: "side trans max_m max_n max_k m n k A lda tau C ldc info batch stream",
        magma: ("magma_?ormqr_batched", "side trans m n k A lda tau C ldc null lwork info batch queue"),
        operands: &[reads("A", "order", "k"), reads("tau", "k", "1"), updates("C", "m", "n")],
    }
    LARFT: "tephra_?larft" {
        words: "m k V ldv tau T ldt batch stream",
        operands: &[reads("V", "m", "k"), reads("tau", "k", "1"), makes("T", "k", "k")],
    }
    LARFB: "tephra_?larfb" {
        words: "side trans m n k V ldv T ldt C ldc batch stream",
        operands: &[reads("V", "order", "k"), reads("T", "k", "k"), updates("C", "m", "n")],
    }
    GELS: "tephra_?gels" {
        words: "trans m n nrhs A lda B ldb info batch work work_bytes stream",
        varying: "max_m max_n max_nrhs trans m n nrhs A lda B ldb info batch work work_bytes stream",
        cublas: "handle trans m n nrhs A lda B ldb argument_info info batch",
        magma: ("magma_?gels_batched", "trans m n nrhs A lda B ldb null zero info batch queue"),
        operands: &[updates("A", "m", "n"), updates("B", "max", "nrhs")],
    }
    GELSY: "tephra_?gelsy" {
        words: "m n nrhs A lda B ldb jpvt rcond rank batch work work_bytes stream",
        operands: &[updates("A", "m", "n"), updates("B", "max", "nrhs"), updates("jpvt", "n", "1")],
    }
    GELS_ITERATIVE: "tephra_?gels_iterative" {
        words: "m n nrhs A lda B ldb X ldx tolerance zero null null info batch work work_bytes stream",
        operands: &[reads("A", "m", "n"), reads("B", "m", "nrhs"), makes("X", "n", "nrhs")],
    }
    GETRF: "tephra_?getrf" {
        words: "m n A lda ipiv info batch work work_bytes stream",
        varying: "max_m max_n m n A lda ipiv info batch work work_bytes stream",
        operands: &[updates("A", "m", "n"), makes("ipiv", "min", "1")],
    }
    GETRF_NOPIV: "tephra_?getrf_nopiv" {
        words: "m n A lda info batch work work_bytes stream",
        varying: "max_m max_n m n A lda info batch work work_bytes stream",
        operands: &[updates("A", "m", "n")],
    }
    GETRS: "tephra_?getrs" {
        words: "trans n nrhs A lda ipiv B ldb batch work work_bytes stream",
        varying: "max_n max_nrhs trans n nrhs A lda ipiv B ldb info batch work work_bytes stream",
        operands: &[reads("A", "n", "n"), reads("ipiv", "n", "1"), updates("B", "n", "nrhs")],
    }
    GESV: "tephra_?gesv" {
        words: "n nrhs A lda ipiv B ldb info batch work work_bytes stream",
        varying: "max_n max_nrhs n nrhs A lda ipiv B ldb info batch work work_bytes stream",
        operands: &[updates("A", "n", "n"), makes("ipiv", "n", "1"), updates("B", "n", "nrhs")],
    }
    GESV_RBT: "tephra_?gesv_rbt" {
        words: "n nrhs A lda B ldb info batch stream",
        operands: &[updates("A", "n", "n"), updates("B", "n", "nrhs")],
    }
    GETRI: "tephra_?getri" {
        words: "n A lda ipiv C ldc info batch work work_bytes stream",
        varying: "max_n n A lda ipiv C ldc info batch work work_bytes stream",
        operands: &[reads("A", "n", "n"), reads("ipiv", "n", "1"), makes("C", "n", "n")],
    }
    INV: "tephra_?inv" {
        words: "n A lda C ldc info batch work work_bytes stream",
        operands: &[reads("A", "n", "n"), makes("C", "n", "n")],
    }
    LASWP: "tephra_?laswp" {
        words: "n A lda k1 k2 ipiv incx batch stream",
        varying: "max_n max_k2 n A lda k1 k2 ipiv incx batch stream",
        operands: &[updates("A", "m", "n"), reads("ipiv", "interchanges", "1")],
    }
    LU_TO_PERMUTATION: "tephra_lu_to_permutation" {
        words: "m k ipiv perm batch stream",
        operands: &[reads("ipiv", "k", "1"), makes("perm", "m", "1")],
    }
    POTRF: "tephra_?potrf" {
        words: "uplo n A lda info batch work work_bytes stream",
        varying: "max_n uplo n A lda info batch work work_bytes stream",
        operands: &[updates("A", "n", "n")],
    }
    POTRS: "tephra_?potrs" {
        words: "uplo n nrhs A lda B ldb batch work work_bytes stream",
        varying: "max_n max_nrhs uplo n nrhs A lda B ldb info batch work work_bytes stream",
        operands: &[reads("A", "n", "n"), updates("B", "n", "nrhs")],
    }
    POSV: "tephra_?posv" {
        words: "uplo n nrhs A lda B ldb info batch work work_bytes stream",
        varying: "max_n max_nrhs uplo n nrhs A lda B ldb info batch work work_bytes stream",
        operands: &[updates("A", "n", "n"), updates("B", "n", "nrhs")],
    }
    POTRI: "tephra_?potri" {
        words: "uplo n A lda info batch work work_bytes stream",
        varying: "max_n uplo n A lda info batch work work_bytes stream",
        operands: &[updates("A", "n", "n")],
    }
    GEMM: "tephra_?gemm" {
        words: "trans_a trans_b m n k alpha A lda B ldb beta C ldc batch stream",
        varying: "max_m max_n max_k trans_a trans_b m n k alpha A lda B ldb beta C ldc batch stream",
        cublas: "handle trans_a trans_b m n k alpha A lda B ldb beta C ldc batch",
        magma: ("magma_?gemm_batched", "trans_a trans_b m n k by_value A lda B ldb by_value C ldc batch queue"),
        operands: &[reads("A", "m", "k").under("trans_a"), reads("B", "k", "n").under("trans_b"), updates("C", "m", "n")],
    }
    GEMV: "tephra_?gemv" {
        words: "trans m n alpha A lda X incx beta Y incy batch stream",
        varying: "max_m max_n trans m n alpha A lda X incx beta Y incy batch stream",
        cublas: "handle trans m n alpha A lda X incx beta Y incy batch",
        magma: ("magmablas_?gemv_batched", "trans m n by_value A lda X incx by_value Y incy batch queue"),
        operands: &[reads("A", "m", "n"), reads("X", "1", "op_cols"), updates("Y", "1", "op_rows")],
    }
    SYMM: "tephra_?symm" {
        words: "side uplo m n alpha A lda B ldb beta C ldc batch stream",
        varying: "max_m max_n side uplo m n alpha A lda B ldb beta C ldc batch stream",
        operands: &[reads("A", "order", "order"), reads("B", "m", "n"), updates("C", "m", "n")],
    }
    HEMM: "tephra_?hemm" {
        words: "side uplo m n alpha A lda B ldb beta C ldc batch stream",
        varying: "max_m max_n side uplo m n alpha A lda B ldb beta C ldc batch stream",
        operands: &[reads("A", "order", "order"), reads("B", "m", "n"), updates("C", "m", "n")],
    }
    SYRK: "tephra_?syrk" {
        words: "uplo trans n k alpha A lda beta C ldc batch stream",
        varying: "max_n max_k uplo trans n k alpha A lda beta C ldc batch stream",
        operands: &[reads("A", "n", "k").under("trans"), updates("C", "n", "n")],
    }
    HERK: "tephra_?herk" {
        words: "uplo trans n k alpha A lda beta C ldc batch stream",
        varying: "max_n max_k uplo trans n k alpha A lda beta C ldc batch stream",
        operands: &[reads("A", "n", "k").under("trans"), updates("C", "n", "n")],
    }
    SYR2K: "tephra_?syr2k" {
        words: "uplo trans n k alpha A lda B ldb beta C ldc batch stream",
        varying: "max_n max_k uplo trans n k alpha A lda B ldb beta C ldc batch stream",
        operands: &[reads("A", "n", "k").under("trans"), reads("B", "n", "k").under("trans"), updates("C", "n", "n")],
    }
    HER2K: "tephra_?her2k" {
        words: "uplo trans n k alpha A lda B ldb beta C ldc batch stream",
        varying: "max_n max_k uplo trans n k alpha A lda B ldb beta C ldc batch stream",
        operands: &[reads("A", "n", "k").under("trans"), reads("B", "n", "k").under("trans"), updates("C", "n", "n")],
    }
    TRMM: "tephra_?trmm" {
        words: "side uplo trans diag m n alpha A lda B ldb batch stream",
        varying: "max_m max_n side uplo trans diag m n alpha A lda B ldb batch stream",
        operands: &[reads("A", "order", "order"), updates("B", "m", "n")],
    }
    TRSM: "tephra_?trsm" {
        words: "side uplo trans diag m n alpha A lda B ldb batch stream",
        varying: "max_m max_n side uplo trans diag m n alpha A lda B ldb batch stream",
        cublas: "handle side uplo trans diag m n alpha A lda B ldb batch",
        magma: ("magmablas_?trsm_batched", "side uplo trans diag m n by_value A lda B ldb batch queue"),
        operands: &[reads("A", "order", "order"), updates("B", "m", "n")],
    }
    TRSV: "tephra_?trsv" {
        words: "uplo trans diag n A lda X incx batch stream",
        varying: "max_n uplo trans diag n A lda X incx batch stream",
        operands: &[reads("A", "n", "n"), updates("X", "1", "n")],
    }
    TRTRI: "tephra_?trtri" {
        words: "uplo diag n A lda info batch stream",
        operands: &[updates("A", "n", "n")],
    }
    GEAM: "tephra_?geam" {
        words: "trans_a trans_b m n alpha A lda beta B ldb C ldc batch stream",
        operands: &[reads("A", "m", "n").under("trans_a"), reads("B", "m", "n").under("trans_b"), makes("C", "m", "n")],
    }
    DGMM: "tephra_?dgmm" {
        words: "side m n A lda X incx C ldc batch stream",
        operands: &[reads("A", "m", "n"), reads("X", "1", "order"), makes("C", "m", "n")],
    }
    TRANSPOSE: "tephra_?transpose" {
        words: "trans m n A lda B ldb batch stream",
        operands: &[reads("A", "m", "n"), makes("B", "n", "m")],
    }
    LACPY: "tephra_?lacpy" {
        words: "uplo m n A lda B ldb batch stream",
        operands: &[reads("A", "m", "n"), makes("B", "m", "n")],
    }
    LASET: "tephra_?laset" {
        words: "uplo m n alpha beta A lda batch stream",
        operands: &[makes("A", "m", "n")],
    }
    XGEQRF: "tephra_xgeqrf" {
        words: "storage m n A lda tau batch work work_bytes stream",
        operands: GEQRF.operands,
    }
    XQR: "tephra_xqr" {
        words: "storage part m n A lda Q ldq R ldr batch work work_bytes stream",
        operands: QR.operands,
    }
    XPOTRF: "tephra_xpotrf" {
        words: "storage uplo n A lda info batch work work_bytes stream",
        operands: POTRF.operands,
    }
    XGESV: "tephra_xgesv" {
        words: "storage n nrhs A lda ipiv B ldb info batch work work_bytes stream",
        operands: GESV.operands,
    }
    XGEMM: "tephra_xgemm" {
        words: "storage trans_a trans_b m n k alpha A lda B ldb beta C ldc batch work work_bytes stream",
        operands: GEMM.operands,
    }
}

impl Row {
    /// The function of arrays of pointers.
    pub const fn pointers(&self) -> Prototype {
        Prototype { strided: false, single: false, ..Prototype::of(self.names[0], self.words) }
    }

    /// That of strides.
    pub const fn strided(&self) -> Prototype {
        Prototype { strided: true, ..Prototype::of(self.names[1], self.words) }
    }

    /// That of one matrix.
    pub const fn one(&self) -> Prototype {
        Prototype { single: true, ..Prototype::of(self.names[2], self.words) }
    }

    /// That of members with sizes of their own.
    pub const fn varying(&self) -> Prototype {
        Prototype::of(self.names[3], self.varying)
    }

    /// The same as [`crate::varying`] calls it.
    pub const fn form(&self) -> Form {
        (self.names[3], self.varying, true)
    }

    /// MAGMA's.
    pub const fn magma(&self) -> Prototype {
        Prototype::of(self.magma.0, self.magma.1)
    }
}

/// A function, and its arguments by words.
#[derive(Clone, Copy, Debug)]
pub struct Prototype {
    /// Its name, with a `?` for the precision's letter.
    pub symbol: &'static str,
    words: &'static str,
    strided: bool,
    single: bool,
    instead: &'static [(&'static str, &'static str)],
}

/// Flags, which a workspace may depend on.
const FLAGS: [&str; 8] = ["side", "uplo", "trans", "trans_a", "trans_b", "diag", "part", "storage"];
const SIZES: [&str; 4] = ["m", "n", "k", "nrhs"];
/// The stride that follows a leading dimension, or an operand that has none.
const STRIDES: [(&str, &str); 15] = [
    ("lda", "stride_a"),
    ("ldb", "stride_b"),
    ("ldc", "stride_c"),
    ("ldq", "stride_q"),
    ("ldr", "stride_r"),
    ("ldt", "stride_t"),
    ("ldv", "stride_v"),
    ("ldx", "stride_x"),
    ("incx", "stride_x"),
    ("incy", "stride_y"),
    ("tsize", "stride_t"),
    ("tau", "stride_tau"),
    ("ipiv", "stride_ipiv"),
    ("jpvt", "stride_jpvt"),
    ("perm", "stride_perm"),
];

/// The operand whose leading dimension, increment or size a word is, in lower case.
pub fn dimension_of(word: &str) -> Option<&str> {
    if word == "tsize" { Some("t") } else { word.strip_prefix("ld").or(word.strip_prefix("inc")) }
}

/// Whether a word is a number by value, which has a register of its own beside those of the other arguments.
pub fn is_by_value(word: &str) -> bool {
    ["by_value", "real_value", "rcond", "tolerance"].contains(&word)
}

impl Prototype {
    /// A function of whatever interface.
    pub const fn of(symbol: &'static str, words: &'static str) -> Prototype {
        Prototype { symbol, words, strided: false, single: false, instead: &[] }
    }

    /// The same call with other arguments in these words' places: one operand in another's, or none.
    pub const fn with(self, instead: &'static [(&'static str, &'static str)]) -> Prototype {
        Prototype { instead, ..self }
    }

    /// The words that stand in other words' places.
    pub const fn instead(&self) -> &'static [(&'static str, &'static str)] {
        self.instead
    }

    /// As they were given: of a native function those of arrays of pointers.
    pub const fn given(&self) -> &'static str {
        self.words
    }

    /// The arguments, in their order.
    pub fn words(&self) -> Vec<&'static str> {
        let mut words = vec![];
        for word in self.words.split(' ').filter(|word| !self.single || *word != "batch") {
            let word = self.instead.iter().find(|(other, _)| *other == word).map_or(word, |(_, instead)| *instead);
            words.push(word);
            // The increment of interchanges is no operand's.
            let of_operand = dimension_of(word).is_none_or(|of| words.iter().any(|w| w.eq_ignore_ascii_case(of)));
            let stride = STRIDES.iter().find(|(other, _)| *other == word).filter(|_| self.strided && of_operand);
            words.extend(stride.map(|(_, stride)| *stride));
        }
        words
    }

    /// Whether a word is among them.
    pub fn has(&self, word: &str) -> bool {
        self.words().contains(&word)
    }

    /// The arguments of its workspace query but for the last, where the answer goes; none without a workspace. The query's name
    /// is the function's and `_workspace`.
    pub fn query(&self) -> Option<Vec<&'static str>> {
        let words = self.words();
        let varying = words.iter().any(|word| word.starts_with("max_"));
        let is_size = |word: &str| SIZES.contains(&word) || dimension_of(word).is_some() || word.starts_with("stride_");
        let asked = |word: &str| {
            FLAGS.contains(&word) || word == "batch" || if varying { word.starts_with("max_") } else { is_size(word) }
        };
        let has_workspace = words.contains(&"work_bytes");
        has_workspace.then(|| words.into_iter().filter(|word| asked(word)).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strides_and_queries_follow() {
        let joined = |words: Vec<&str>| words.join(" ");
        let strided = "m n nrhs A lda stride_a B ldb stride_b jpvt stride_jpvt rcond rank batch work work_bytes stream";
        assert_eq!(joined(GELSY.strided().words()), strided);
        let query = GELSY.strided().query().expect("it has a workspace");
        assert_eq!(joined(query), "m n nrhs lda stride_a ldb stride_b stride_jpvt batch");
        assert_eq!(joined(GELS.varying().query().unwrap()), "max_m max_n max_nrhs trans batch");
        assert_eq!(joined(GELS.one().query().unwrap()), "trans m n nrhs lda ldb");
        assert_eq!(joined(GEQR.strided().words()), "m n A lda stride_a T tsize stride_t batch stream");
        assert!(GEQR.strided().query().is_none());
        assert_eq!(joined(LASWP.strided().words()), "n A lda stride_a k1 k2 ipiv stride_ipiv incx batch stream");
        let in_place = INV.strided().with(&[("C", "A"), ("ldc", "lda")]);
        assert_eq!(joined(in_place.query().unwrap()), "n lda stride_a lda stride_a batch");
    }
}
