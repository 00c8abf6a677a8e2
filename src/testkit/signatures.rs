//! The native functions of the batched routines, one signature per routine. Benchmarks, checks, tests and the fuzzer
//! build their calls from these signatures. Each argument is named by a word, which each of them interprets in its own
//! way.
//!
//! | word | argument |
//! | --- | --- |
//! | `m`, `n`, `k`, `nrhs`, `k1`, `k2`, `batch`; `side`, `uplo`, `trans`, `diag`, `part`, `storage` | a size; a flag |
//! | `A` and other names of operands, `tau`, `ipiv`, `jpvt`, `perm` | the address of the operand |
//! | `ld` or `inc` and an operand's name, `tsize`; `stride_` and it | leading dimension, increment or size; stride |
//! | `alpha`, `beta`; `by_value`, `real_value` | a scalar's address; the next scalar by value, its real part by value |
//! | `rcond`, `tolerance` | a double by value |
//! | `info`, `rank` | the address of the codes; of the ranks |
//! | `work`, `work_bytes`; `stream`, `handle`, `queue` | workspace and its size; stream, handle or queue |
//! | `argument_info`, `lwork` | in host memory: a code; a size, which is 0 |
//! | `null`, `zero` | arguments that are always NULL or 0 |
//! | `max_` and a size | the largest value, if members have their own sizes (sizes and `ld` are then arrays) |

use crate::varying::EntrySpec;

/// The functions of a batched routine: their names, arguments and operands.
#[derive(Clone, Copy, Debug)]
pub struct Signature {
    /// The names of its functions, with a `?` for the precision's letter: on pointer arrays, on strides, on one matrix,
    /// on members with their own sizes.
    pub names: [&'static str; 4],
    /// The arguments of the first function. Those of the strided and the one-matrix functions follow from them.
    pub arguments: &'static str,
    /// The arguments of the last function, if there is one.
    pub varying: &'static str,
    /// The operands, ordered so that each one's size may depend on the operands before it.
    pub operands: &'static [Operand],
    /// The arguments of `cublas?NAMEBatched`, if the tests' engine calls it.
    pub cublas: &'static str,
    /// MAGMA's name and its arguments, if the tests' engine calls it.
    pub magma: (&'static str, &'static str),
}

/// How a call uses an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Only read.
    Read,
    /// Read and overwritten.
    Updated,
    /// Only written.
    Written,
}

/// An operand of a routine.
#[derive(Clone, Copy, Debug)]
pub struct Operand {
    /// The word that names it.
    pub name: &'static str,
    /// Its rows and columns, as words of sizes or words that [`extent`] evaluates.
    pub size: [&'static str; 2],
    /// How the call uses it.
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

const fn writes(name: &'static str, rows: &'static str, columns: &'static str) -> Operand {
    Operand { access: Access::Written, ..reads(name, rows, columns) }
}

impl Operand {
    const fn under(self, trans: &'static str) -> Operand {
        Operand { trans: Some(trans), ..self }
    }

    /// Whether its elements are ints.
    pub fn is_of_integers(&self) -> bool {
        is_of_integers(self.name)
    }

    /// The words of its rows and columns as stored, for these sizes and flags (CBLAS's numbers).
    pub fn stored(&self, value: impl Fn(&str) -> i64) -> [&'static str; 2] {
        let [rows, columns] = self.size;
        if self.trans.is_some_and(|trans| value(trans) != NO_TRANS) { [columns, rows] } else { [rows, columns] }
    }

    /// Its rows and columns as stored.
    pub fn shape(&self, value: impl Fn(&str) -> i64) -> (i64, i64) {
        let [rows, columns] = self.stored(&value).map(|word| extent(word, &value));
        (rows, columns)
    }
}

/// Whether the operand with this word has int elements.
pub fn is_of_integers(name: &str) -> bool {
    ["ipiv", "jpvt", "perm"].contains(&name)
}

/// CBLAS's numbers.
const NO_TRANS: i64 = 111;
const LEFT: i64 = 141;

/// Evaluates the word of an extent: the smaller or the larger of m and n; the order of a factor on one side of an m x n
/// matrix; rows or columns of op(A); columns of Q, of which `part` says how many are wanted; or a plain size.
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

/// Defines a constant for each routine from the stem of its names and the fields that it has.
macro_rules! signatures {
    ($($NAME:ident: $name:literal { $($field:ident: $value:expr),+ $(,)? })*) => { $(
        #[doc = concat!("`", $name, "_batched` and its kin")]
        #[allow(clippy::needless_update)] // some signatures have all fields
        pub const $NAME: Signature = Signature {
            names: [
                concat!($name, "_batched"), concat!($name, "_strided_batched"), $name, concat!($name, "_vbatched"),
            ],
            $($field: $value,)+
            ..NONE
        };
    )*
        /// All signatures.
        pub const ALL: &[&Signature] = &[$(&$NAME),*];
    };
}

const NONE: Signature =
    Signature { names: [""; 4], arguments: "", varying: "", operands: &[], cublas: "", magma: ("", "") };

signatures! {
    GEQRF: "tephra_?geqrf" {
        arguments: "m n A lda tau batch work work_bytes stream",
        varying: "max_m max_n m n A lda tau info batch work work_bytes stream",
        operands: &[updates("A", "m", "n"), writes("tau", "min", "1")],
    }
    GELQF: "tephra_?gelqf" {
        arguments: "m n A lda tau batch work work_bytes stream",
        varying: "max_m max_n m n A lda tau info batch work work_bytes stream",
        operands: &[updates("A", "m", "n"), writes("tau", "min", "1")],
    }
    GEQP3: "tephra_?geqp3" {
        arguments: "m n A lda jpvt tau info batch work work_bytes stream",
        varying: "max_m max_n m n A lda jpvt tau info batch work work_bytes stream",
        operands: &[updates("A", "m", "n"), updates("jpvt", "n", "1"), writes("tau", "min", "1")],
    }
    GEQR: "tephra_?geqr" {
        arguments: "m n A lda T tsize batch stream",
        operands: &[updates("A", "m", "n"), writes("T", "tsize", "1")],
    }
    GEMQR: "tephra_?gemqr" {
        arguments: "side trans m n k A lda T tsize C ldc batch stream",
        operands: &[reads("A", "order", "k"), reads("T", "tsize", "1"), updates("C", "m", "n")],
    }
    QR: "tephra_?qr" {
        arguments: "part m n A lda Q ldq R ldr batch work work_bytes stream",
        operands: &[reads("A", "m", "n"), writes("Q", "m", "q"), writes("R", "q", "n")],
    }
    ORGQR: "tephra_?orgqr" {
        arguments: "m n k A lda tau batch stream",
        varying: "max_m max_n max_k m n k A lda tau info batch stream",
        magma: ("magma_?orgqr_batched", "m n k A lda tau info batch queue"),
        operands: &[updates("A", "m", "n"), reads("tau", "k", "1")],
    }
    ORMQR: "tephra_?ormqr" {
        arguments: "side trans m n k A lda tau C ldc batch stream",
        varying: "side trans max_m max_n max_k m n k A lda tau C ldc info batch stream",
        magma: ("magma_?ormqr_batched", "side trans m n k A lda tau C ldc null lwork info batch queue"),
        operands: &[reads("A", "order", "k"), reads("tau", "k", "1"), updates("C", "m", "n")],
    }
    LARFT: "tephra_?larft" {
        arguments: "m k V ldv tau T ldt batch stream",
        operands: &[reads("V", "m", "k"), reads("tau", "k", "1"), writes("T", "k", "k")],
    }
    LARFB: "tephra_?larfb" {
        arguments: "side trans m n k V ldv T ldt C ldc batch stream",
        operands: &[reads("V", "order", "k"), reads("T", "k", "k"), updates("C", "m", "n")],
    }
    GELS: "tephra_?gels" {
        arguments: "trans m n nrhs A lda B ldb info batch work work_bytes stream",
        varying: "max_m max_n max_nrhs trans m n nrhs A lda B ldb info batch work work_bytes stream",
        cublas: "handle trans m n nrhs A lda B ldb argument_info info batch",
        magma: ("magma_?gels_batched", "trans m n nrhs A lda B ldb null zero info batch queue"),
        operands: &[updates("A", "m", "n"), updates("B", "max", "nrhs")],
    }
    GELSY: "tephra_?gelsy" {
        arguments: "m n nrhs A lda B ldb jpvt rcond rank batch work work_bytes stream",
        operands: &[updates("A", "m", "n"), updates("B", "max", "nrhs"), updates("jpvt", "n", "1")],
    }
    GELS_ITERATIVE: "tephra_?gels_iterative" {
        arguments: "m n nrhs A lda B ldb X ldx tolerance zero null null info batch work work_bytes stream",
        operands: &[reads("A", "m", "n"), reads("B", "m", "nrhs"), writes("X", "n", "nrhs")],
    }
    GETRF: "tephra_?getrf" {
        arguments: "m n A lda ipiv info batch work work_bytes stream",
        varying: "max_m max_n m n A lda ipiv info batch work work_bytes stream",
        operands: &[updates("A", "m", "n"), writes("ipiv", "min", "1")],
    }
    GETRF_NOPIV: "tephra_?getrf_nopiv" {
        arguments: "m n A lda info batch work work_bytes stream",
        varying: "max_m max_n m n A lda info batch work work_bytes stream",
        operands: &[updates("A", "m", "n")],
    }
    GETRS: "tephra_?getrs" {
        arguments: "trans n nrhs A lda ipiv B ldb batch work work_bytes stream",
        varying: "max_n max_nrhs trans n nrhs A lda ipiv B ldb info batch work work_bytes stream",
        operands: &[reads("A", "n", "n"), reads("ipiv", "n", "1"), updates("B", "n", "nrhs")],
    }
    GESV: "tephra_?gesv" {
        arguments: "n nrhs A lda ipiv B ldb info batch work work_bytes stream",
        varying: "max_n max_nrhs n nrhs A lda ipiv B ldb info batch work work_bytes stream",
        operands: &[updates("A", "n", "n"), writes("ipiv", "n", "1"), updates("B", "n", "nrhs")],
    }
    GESV_RBT: "tephra_?gesv_rbt" {
        arguments: "n nrhs A lda B ldb info batch stream",
        operands: &[updates("A", "n", "n"), updates("B", "n", "nrhs")],
    }
    GETRI: "tephra_?getri" {
        arguments: "n A lda ipiv C ldc info batch work work_bytes stream",
        varying: "max_n n A lda ipiv C ldc info batch work work_bytes stream",
        operands: &[reads("A", "n", "n"), reads("ipiv", "n", "1"), writes("C", "n", "n")],
    }
    INV: "tephra_?inv" {
        arguments: "n A lda C ldc info batch work work_bytes stream",
        operands: &[reads("A", "n", "n"), writes("C", "n", "n")],
    }
    LASWP: "tephra_?laswp" {
        arguments: "n A lda k1 k2 ipiv incx batch stream",
        varying: "max_n max_k2 n A lda k1 k2 ipiv incx batch stream",
        operands: &[updates("A", "m", "n"), reads("ipiv", "interchanges", "1")],
    }
    LU_TO_PERMUTATION: "tephra_lu_to_permutation" {
        arguments: "m k ipiv perm batch stream",
        operands: &[reads("ipiv", "k", "1"), writes("perm", "m", "1")],
    }
    POTRF: "tephra_?potrf" {
        arguments: "uplo n A lda info batch work work_bytes stream",
        varying: "max_n uplo n A lda info batch work work_bytes stream",
        operands: &[updates("A", "n", "n")],
    }
    POTRS: "tephra_?potrs" {
        arguments: "uplo n nrhs A lda B ldb batch work work_bytes stream",
        varying: "max_n max_nrhs uplo n nrhs A lda B ldb info batch work work_bytes stream",
        operands: &[reads("A", "n", "n"), updates("B", "n", "nrhs")],
    }
    POSV: "tephra_?posv" {
        arguments: "uplo n nrhs A lda B ldb info batch work work_bytes stream",
        varying: "max_n max_nrhs uplo n nrhs A lda B ldb info batch work work_bytes stream",
        operands: &[updates("A", "n", "n"), updates("B", "n", "nrhs")],
    }
    POTRI: "tephra_?potri" {
        arguments: "uplo n A lda info batch work work_bytes stream",
        varying: "max_n uplo n A lda info batch work work_bytes stream",
        operands: &[updates("A", "n", "n")],
    }
    GEMM: "tephra_?gemm" {
        arguments: "trans_a trans_b m n k alpha A lda B ldb beta C ldc batch stream",
        varying: "max_m max_n max_k trans_a trans_b m n k alpha A lda B ldb beta C ldc batch stream",
        cublas: "handle trans_a trans_b m n k alpha A lda B ldb beta C ldc batch",
        magma: ("magma_?gemm_batched", "trans_a trans_b m n k by_value A lda B ldb by_value C ldc batch queue"),
        operands: &[reads("A", "m", "k").under("trans_a"), reads("B", "k", "n").under("trans_b"), updates("C", "m", "n")],
    }
    GEMV: "tephra_?gemv" {
        arguments: "trans m n alpha A lda X incx beta Y incy batch stream",
        varying: "max_m max_n trans m n alpha A lda X incx beta Y incy batch stream",
        cublas: "handle trans m n alpha A lda X incx beta Y incy batch",
        magma: ("magmablas_?gemv_batched", "trans m n by_value A lda X incx by_value Y incy batch queue"),
        operands: &[reads("A", "m", "n"), reads("X", "1", "op_cols"), updates("Y", "1", "op_rows")],
    }
    SYMM: "tephra_?symm" {
        arguments: "side uplo m n alpha A lda B ldb beta C ldc batch stream",
        varying: "max_m max_n side uplo m n alpha A lda B ldb beta C ldc batch stream",
        operands: &[reads("A", "order", "order"), reads("B", "m", "n"), updates("C", "m", "n")],
    }
    HEMM: "tephra_?hemm" {
        arguments: "side uplo m n alpha A lda B ldb beta C ldc batch stream",
        varying: "max_m max_n side uplo m n alpha A lda B ldb beta C ldc batch stream",
        operands: &[reads("A", "order", "order"), reads("B", "m", "n"), updates("C", "m", "n")],
    }
    SYRK: "tephra_?syrk" {
        arguments: "uplo trans n k alpha A lda beta C ldc batch stream",
        varying: "max_n max_k uplo trans n k alpha A lda beta C ldc batch stream",
        operands: &[reads("A", "n", "k").under("trans"), updates("C", "n", "n")],
    }
    HERK: "tephra_?herk" {
        arguments: "uplo trans n k alpha A lda beta C ldc batch stream",
        varying: "max_n max_k uplo trans n k alpha A lda beta C ldc batch stream",
        operands: &[reads("A", "n", "k").under("trans"), updates("C", "n", "n")],
    }
    SYR2K: "tephra_?syr2k" {
        arguments: "uplo trans n k alpha A lda B ldb beta C ldc batch stream",
        varying: "max_n max_k uplo trans n k alpha A lda B ldb beta C ldc batch stream",
        operands: &[reads("A", "n", "k").under("trans"), reads("B", "n", "k").under("trans"), updates("C", "n", "n")],
    }
    HER2K: "tephra_?her2k" {
        arguments: "uplo trans n k alpha A lda B ldb beta C ldc batch stream",
        varying: "max_n max_k uplo trans n k alpha A lda B ldb beta C ldc batch stream",
        operands: &[reads("A", "n", "k").under("trans"), reads("B", "n", "k").under("trans"), updates("C", "n", "n")],
    }
    TRMM: "tephra_?trmm" {
        arguments: "side uplo trans diag m n alpha A lda B ldb batch stream",
        varying: "max_m max_n side uplo trans diag m n alpha A lda B ldb batch stream",
        operands: &[reads("A", "order", "order"), updates("B", "m", "n")],
    }
    TRSM: "tephra_?trsm" {
        arguments: "side uplo trans diag m n alpha A lda B ldb batch stream",
        varying: "max_m max_n side uplo trans diag m n alpha A lda B ldb batch stream",
        cublas: "handle side uplo trans diag m n alpha A lda B ldb batch",
        magma: ("magmablas_?trsm_batched", "side uplo trans diag m n by_value A lda B ldb batch queue"),
        operands: &[reads("A", "order", "order"), updates("B", "m", "n")],
    }
    TRSV: "tephra_?trsv" {
        arguments: "uplo trans diag n A lda X incx batch stream",
        varying: "max_n uplo trans diag n A lda X incx batch stream",
        operands: &[reads("A", "n", "n"), updates("X", "1", "n")],
    }
    TRTRI: "tephra_?trtri" {
        arguments: "uplo diag n A lda info batch stream",
        operands: &[updates("A", "n", "n")],
    }
    GEAM: "tephra_?geam" {
        arguments: "trans_a trans_b m n alpha A lda beta B ldb C ldc batch stream",
        operands: &[reads("A", "m", "n").under("trans_a"), reads("B", "m", "n").under("trans_b"), writes("C", "m", "n")],
    }
    DGMM: "tephra_?dgmm" {
        arguments: "side m n A lda X incx C ldc batch stream",
        operands: &[reads("A", "m", "n"), reads("X", "1", "order"), writes("C", "m", "n")],
    }
    TRANSPOSE: "tephra_?transpose" {
        arguments: "trans m n A lda B ldb batch stream",
        operands: &[reads("A", "m", "n"), writes("B", "n", "m")],
    }
    LACPY: "tephra_?lacpy" {
        arguments: "uplo m n A lda B ldb batch stream",
        operands: &[reads("A", "m", "n"), writes("B", "m", "n")],
    }
    LASET: "tephra_?laset" {
        arguments: "uplo m n alpha beta A lda batch stream",
        operands: &[writes("A", "m", "n")],
    }
    XGEQRF: "tephra_xgeqrf" {
        arguments: "storage m n A lda tau batch work work_bytes stream",
        operands: GEQRF.operands,
    }
    XQR: "tephra_xqr" {
        arguments: "storage part m n A lda Q ldq R ldr batch work work_bytes stream",
        operands: QR.operands,
    }
    XPOTRF: "tephra_xpotrf" {
        arguments: "storage uplo n A lda info batch work work_bytes stream",
        operands: POTRF.operands,
    }
    XGESV: "tephra_xgesv" {
        arguments: "storage n nrhs A lda ipiv B ldb info batch work work_bytes stream",
        operands: GESV.operands,
    }
    XGEMM: "tephra_xgemm" {
        arguments: "storage trans_a trans_b m n k alpha A lda B ldb beta C ldc batch work work_bytes stream",
        operands: GEMM.operands,
    }
}

impl Signature {
    /// The routine's name in LAPACK or BLAS, without the precision letter.
    pub fn stem(&self) -> &'static str {
        self.names[2].trim_start_matches("tephra_").trim_start_matches('?')
    }

    /// The function on arrays of pointers.
    pub const fn pointers(&self) -> Prototype {
        Prototype { strided: false, single: false, ..Prototype::of(self.names[0], self.arguments) }
    }

    /// The strided function.
    pub const fn strided(&self) -> Prototype {
        Prototype { strided: true, ..Prototype::of(self.names[1], self.arguments) }
    }

    /// The function on one matrix.
    pub const fn one(&self) -> Prototype {
        Prototype { single: true, ..Prototype::of(self.names[2], self.arguments) }
    }

    /// The function on members with their own sizes.
    pub const fn varying(&self) -> Prototype {
        Prototype::of(self.names[3], self.varying)
    }

    /// [`Signature::varying()`] as the tuple that [`crate::varying`] takes.
    pub const fn entry_spec(&self) -> EntrySpec {
        (self.names[3], self.varying, true)
    }

    /// MAGMA's function.
    pub const fn magma(&self) -> Prototype {
        Prototype::of(self.magma.0, self.magma.1)
    }
}

/// A function and its arguments as words.
#[derive(Clone, Copy, Debug)]
pub struct Prototype {
    /// The name, with a `?` for the precision's letter.
    pub symbol: &'static str,
    arguments: &'static str,
    strided: bool,
    single: bool,
    replacements: &'static [(&'static str, &'static str)],
}

/// Flags that the workspace size may depend on.
const FLAGS: [&str; 8] = ["side", "uplo", "trans", "trans_a", "trans_b", "diag", "part", "storage"];
const SIZES: [&str; 4] = ["m", "n", "k", "nrhs"];
/// The stride word that follows a leading dimension, or follows an operand that has none.
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

/// The operand, in lower case, whose leading dimension, increment or size this word is.
pub fn dimension_of(word: &str) -> Option<&str> {
    if word == "tsize" { Some("t") } else { word.strip_prefix("ld").or(word.strip_prefix("inc")) }
}

/// Whether this word is a floating-point number passed by value, which takes a register apart from the other arguments.
pub fn is_by_value(word: &str) -> bool {
    ["by_value", "real_value", "rcond", "tolerance"].contains(&word)
}

impl Prototype {
    /// A function of any interface.
    pub const fn of(symbol: &'static str, arguments: &'static str) -> Prototype {
        Prototype { symbol, arguments, strided: false, single: false, replacements: &[] }
    }

    /// The same call with some words replaced: one operand in another's place, or none at all.
    pub const fn replacing(self, replacements: &'static [(&'static str, &'static str)]) -> Prototype {
        Prototype { replacements, ..self }
    }

    /// The replaced words and their replacements.
    pub const fn replacements(&self) -> &'static [(&'static str, &'static str)] {
        self.replacements
    }

    /// The words as written in the signature: for a native function, those of its pointer-array variant.
    pub const fn given(&self) -> &'static str {
        self.arguments
    }

    /// The arguments, in order.
    pub fn arguments(&self) -> Vec<&'static str> {
        let mut words = vec![];
        for word in self.arguments.split(' ').filter(|word| !self.single || *word != "batch") {
            let word = self
                .replacements
                .iter()
                .find(|(other, _)| *other == word)
                .map_or(word, |(_, replacement)| *replacement);
            words.push(word);
            // The increment in laswp belongs to the interchanges, not to an operand of that name.
            let of_operand = dimension_of(word).is_none_or(|of| words.iter().any(|w| w.eq_ignore_ascii_case(of)));
            let stride = STRIDES.iter().find(|(other, _)| *other == word).filter(|_| self.strided && of_operand);
            words.extend(stride.map(|(_, stride)| *stride));
        }
        words
    }

    /// Whether a word is among the arguments.
    pub fn has(&self, word: &str) -> bool {
        self.arguments().contains(&word)
    }

    /// The arguments of the workspace query, `NAME_workspace`, except for the last one, which receives the answer.
    /// `None` if the function takes no workspace.
    pub fn query(&self) -> Option<Vec<&'static str>> {
        let words = self.arguments();
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
        assert_eq!(joined(GELSY.strided().arguments()), strided);
        let query = GELSY.strided().query().expect("it has a workspace");
        assert_eq!(joined(query), "m n nrhs lda stride_a ldb stride_b stride_jpvt batch");
        assert_eq!(joined(GELS.varying().query().unwrap()), "max_m max_n max_nrhs trans batch");
        assert_eq!(joined(GELS.one().query().unwrap()), "trans m n nrhs lda ldb");
        assert_eq!(joined(GEQR.strided().arguments()), "m n A lda stride_a T tsize stride_t batch stream");
        assert!(GEQR.strided().query().is_none());
        assert_eq!(joined(LASWP.strided().arguments()), "n A lda stride_a k1 k2 ipiv stride_ipiv incx batch stream");
        let in_place = INV.strided().replacing(&[("C", "A"), ("ldc", "lda")]);
        assert_eq!(joined(in_place.query().unwrap()), "n lda stride_a lda stride_a batch");
    }
}
