//! Tests that the program accepts every log line of TEPHRA_VERBOSE=1. The tests make calls on the CPU backend and run
//! each line that the library's logger receives.

use std::collections::BTreeSet;
use std::ffi::{CStr, c_char, c_int};
use std::path::PathBuf;
use std::process::Command;
use std::sync::Mutex;
use tephra_testkit::library::{Backend, Library, symbol_name};
use tephra_testkit::signatures::{self, Prototype, dimension_of, is_by_value};
use tephra_testkit::{Dtype, any_call};

/// Calls with sizes, flags and increments at their limits: names, precisions, and arguments. These are numbers (141 and
/// 142 are left and right, 111 to 113 are N, T and C, 121 and 122 upper and lower, 131 and 132 non-unit and unit), `P`
/// for an array of pointers, `M` for a first member, `1.0` and `0.0` for scalars, `-` for NULL, `I` for an array of ints,
/// `W` for a workspace and its size.
const CALLS: &[(&str, &str, &[&str])] = &[
    ("geqrf_batched", "sdcz", &["9 5 P 11 P 3 W", "5 9 P 5 P 3 W", "0 9 P 1 P 3 W", "9 0 P 9 P 3 W", "9 5 P 9 P 0 W"]),
    ("gelqf_batched", "dz", &["9 5 P 11 P 3 W", "5 9 P 5 P 3 W", "0 9 P 1 P 3 W"]),
    ("geqp3_batched", "sz", &["9 5 P 11 P P I 3 W", "5 9 P 5 P P - 3 W", "0 9 P 1 P P I 3 W"]),
    ("gelsy_batched", "dc", &["9 5 2 P 10 P 11 P I 3 W", "5 9 2 P 5 P 9 P - 3 W", "9 5 0 P 9 P 9 P I 3 W"]),
    ("orgqr_batched", "s", &["9 5 4 P 11 P 3", "9 5 0 P 9 P 3", "9 0 0 P 9 P 3", "0 0 0 P 1 P 3"]),
    ("ungqr_batched", "z", &["9 5 4 P 11 P 3", "9 5 0 P 9 P 3", "9 5 5 P 9 P 0"]),
    (
        "ormqr_batched",
        "d",
        &[
            "141 111 9 5 4 P 11 P P 10 3",
            "142 112 9 5 4 P 6 P P 9 3",
            "142 113 9 5 4 P 6 P P 9 3",
            "141 112 9 5 0 P 9 P P 9 3",
        ],
    ),
    ("unmqr_batched", "c", &["141 112 9 5 4 P 11 P P 10 3", "142 113 9 5 4 P 6 P P 9 3", "142 113 9 0 0 P 1 P P 9 3"]),
    (
        "qr_batched",
        "sz",
        &[
            "0 9 5 P 9 - 0 P 5 3 W",
            "0 5 9 P 9 - 7 P 5 3 W",
            "1 9 5 P 10 P 11 P 6 3 W",
            "1 5 9 P 10 P 5 P 6 3 W",
            "2 9 5 P 9 P 10 P 12 3 W",
            "2 5 9 P 9 P 10 P 12 3 W",
            "2 9 0 P 9 P 10 P 12 3 W",
            "1 0 0 P 1 P 1 P 1 3 W",
        ],
    ),
    ("geqrf_strided_batched", "dc", &["9 5 M 11 60 M 5 3 W", "5 9 M 5 60 M 5 1 W"]),
    ("getrf_strided_batched", "sz", &["9 5 M 11 60 I 5 I 3 W", "9 9 M 9 90 I 9 - 1 W"]),
    ("geqr_strided_batched", "sz", &["9 5 M 10 60 M 100 100 3", "5 9 M 5 60 M 100 100 3", "0 5 M 1 60 M 100 100 3"]),
    (
        "gemqr_strided_batched",
        "sz",
        &["141 113 9 5 4 M 10 60 M 100 100 M 9 60 3", "142 111 9 5 0 M 5 60 M 100 100 M 9 60 3"],
    ),
    (
        "gels_batched",
        "sdcz",
        &[
            "111 9 5 2 P 10 P 11 I 3 W",
            "111 5 9 2 P 5 P 11 I 3 W",
            "113 9 5 2 P 10 P 9 I 3 W",
            "113 5 9 2 P 10 P 9 I 3 W",
            "111 9 5 0 P 10 P 11 I 3 W",
            "111 0 5 2 P 1 P 5 I 3 W",
            "111 5 0 2 P 5 P 5 I 3 W",
            "111 5 5 1 P 5 P 5 I 0 W",
        ],
    ),
    ("gels_batched", "sd", &["112 9 5 2 P 10 P 9 I 3 W", "112 5 9 2 P 10 P 9 - 3 W"]),
    ("gels_iterative_batched", "sz", &["9 5 2 P 10 P 11 P 6 0 - - I 3 W", "9 5 0 P 9 P 9 P 5 0 - - I 3 W"]),
    (
        "trsm_batched",
        "sz",
        &[
            "141 121 111 131 9 5 1.0 P 10 P 11 3",
            "142 122 112 132 9 5 1.0 P 6 P 9 3",
            "142 122 113 132 9 5 0.0 P 6 P 9 3",
            "141 122 113 132 0 5 1.0 P 1 P 1 3",
        ],
    ),
    (
        "trmm_batched",
        "sz",
        &[
            "141 121 111 131 9 5 1.0 P 10 P 11 3",
            "142 122 113 132 9 5 0.0 P 6 P 9 3",
            "142 122 113 132 9 0 0.0 P 1 P 9 3",
        ],
    ),
    (
        "trsv_batched",
        "sz",
        &[
            "121 113 131 9 P 9 P 1 3",
            "122 112 132 9 P 10 P -2 3",
            "122 111 132 9 P 10 P 3 3",
            "122 111 132 0 P 1 P 1 3",
        ],
    ),
    ("trtri_batched", "sz", &["121 132 9 P 9 I 3", "122 131 9 P 10 I 3", "122 131 0 P 1 I 3"]),
    (
        "gemm_batched",
        "sz",
        &[
            "111 113 9 5 4 1.0 P 10 P 6 0.0 P 11 3",
            "112 111 9 5 4 1.0 P 4 P 4 1.0 P 9 3",
            "112 111 9 5 0 1.0 P 1 P 1 1.0 P 9 3",
            "111 111 0 5 4 1.0 P 1 P 4 1.0 P 1 3",
        ],
    ),
    (
        "gemv_batched",
        "sz",
        &["111 9 5 1.0 P 10 P 1 0.0 P 1 3", "113 9 5 1.0 P 9 P 2 1.0 P -3 3", "113 9 0 1.0 P 9 P 1 1.0 P 1 3"],
    ),
    (
        "syrk_batched",
        "sz",
        &["121 111 9 4 1.0 P 10 0.0 P 11 3", "122 112 9 4 1.0 P 4 1.0 P 9 3", "122 112 9 0 1.0 P 1 1.0 P 9 3"],
    ),
    ("syrk_batched", "d", &["122 113 9 4 1.0 P 4 1.0 P 9 3"]),
    ("herk_batched", "cz", &["121 111 9 4 1.0 P 10 0.0 P 11 3", "122 113 9 4 1.0 P 4 1.0 P 9 3"]),
    ("syr2k_batched", "sz", &["121 111 9 4 1.0 P 10 P 9 0.0 P 11 3", "122 112 9 4 1.0 P 4 P 5 1.0 P 9 3"]),
    ("her2k_batched", "cz", &["121 111 9 4 1.0 P 10 P 9 0.0 P 11 3", "122 113 9 4 1.0 P 4 P 5 1.0 P 9 3"]),
    (
        "geam_batched",
        "sz",
        &[
            "111 111 9 5 1.0 P 10 1.0 P 11 P 12 3",
            "112 113 9 5 1.0 P 5 1.0 P 6 P 9 3",
            "112 113 9 0 1.0 P 1 1.0 P 1 P 9 3",
        ],
    ),
    ("getrf_batched", "sz", &["9 5 P 10 P I 3 W", "5 9 P 5 P I 3 W", "0 9 P 1 P I 3 W"]),
    ("getrf_nopiv_batched", "sz", &["9 5 P 10 I 3 W", "5 9 P 5 - 3 W"]),
    ("getrs_batched", "sz", &["111 9 2 P 10 P P 11 3 W", "112 9 2 P 9 P P 9 3 W", "113 9 0 P 9 - P 9 3 W"]),
    ("getri_batched", "sz", &["9 P 10 P P 11 I 3 W", "0 P 1 P P 1 I 3 W"]),
    ("inv_batched", "sz", &["9 P 10 P 11 I 3 W", "0 P 1 P 1 I 3 W"]),
    ("gesv_batched", "sz", &["9 2 P 10 P P 11 I 3 W", "9 0 P 10 P P 11 I 3 W", "0 2 P 1 P P 1 I 3 W"]),
    ("gesv_rbt_batched", "sz", &["9 2 P 10 P 11 I 3", "9 0 P 10 P 11 I 3"]),
    ("potrf_batched", "sz", &["121 9 P 10 I 3 W", "122 9 P 9 I 3 W", "122 0 P 9 I 3 W"]),
    ("potrs_batched", "sz", &["121 9 2 P 10 P 11 3 W", "122 9 17 P 9 P 9 3 W", "122 9 0 P 9 P 9 3 W"]),
    ("posv_batched", "sz", &["121 9 2 P 10 P 11 I 3 W", "122 18 17 P 18 P 19 I 3 W", "122 9 0 P 9 P 9 I 3 W"]),
    ("larft_batched", "s", &["9 0 P 9 P P 1 3"]),
    ("laswp_batched", "z", &["5 P 9 1 4 P -1 3", "0 P 9 2 4 P 1 3"]),
    ("dgmm_batched", "s", &["142 9 5 P 9 P -2 P 9 3"]),
    ("lu_to_permutation_batched", " ", &["9 0 P P 3"]),
    ("xgeqrf_batched", " ", &["14 5 9 P 5 P 3 W"]),
    // Members with individual sizes, all of which are 1.
    ("geqrf_vbatched", "sz", &["0 5 I I P I P I 3 W"]),
    ("getrf_vbatched", "dc", &["9 5 I I P I P I 0 W"]),
    ("potrf_vbatched", "dz", &["0 122 I P I I 3 W"]),
    ("gemv_vbatched", "sz", &["9 5 113 I I 1.0 P I P I 0.0 P I 3"]),
    ("getrs_vbatched", "sz", &["9 0 113 I I P I - P I I 3 W"]),
    ("gesv_vbatched", "dc", &["9 0 I I P I P P I I 3 W"]),
    ("laswp_vbatched", "sz", &["5 4 I P I 1 I P -1 3"]),
    ("trsm_vbatched", "dz", &["9 5 142 121 112 132 I I 0.0 P I P I 3"]),
];

static LINES: Mutex<Vec<String>> = Mutex::new(Vec::new());

unsafe extern "C" fn log(line: *const c_char) {
    // SAFETY: the library passes a C string.
    LINES.lock().unwrap().push(unsafe { CStr::from_ptr(line) }.to_string_lossy().into_owned());
}

/// Bytes allocated for a member: more than any matrix here needs.
const MEMBER: usize = 32 << 10;
const MEMBERS: usize = 3;

/// The operands of a call. Their contents do not matter, except that interchanges must be valid rows: each is 1.
#[derive(Default)]
struct Operands {
    memory: Vec<Vec<u128>>,
    arrays: Vec<Vec<usize>>,
}

impl Operands {
    fn members(&mut self) -> usize {
        let one = u128::from_ne_bytes([1u32.to_ne_bytes(); 4].concat().try_into().unwrap());
        self.memory.push(vec![one; MEMBERS * MEMBER / size_of::<u128>()]);
        self.memory.last().unwrap().as_ptr() as usize
    }

    fn array(&mut self) -> usize {
        let start = self.members();
        self.arrays.push((0..MEMBERS).map(|i| start + i * MEMBER).collect());
        self.arrays.last().unwrap().as_ptr() as usize
    }

    fn push(&mut self, word: &str, arguments: &mut Vec<u64>) {
        // A bit pattern that is close to 1 in every type.
        static SCALARS: [[f64; 2]; 2] = [[0.0; 2], [f64::from_bits(0x3ff0_0000_3f80_0000), 0.0]];
        match word {
            "P" => arguments.push(self.array() as u64),
            "M" | "I" => arguments.push(self.members() as u64),
            "W" => arguments.extend([self.members() as u64, (MEMBERS * MEMBER) as u64]),
            "-" => arguments.push(0),
            "0.0" => arguments.push(SCALARS[0].as_ptr() as u64),
            "1.0" => arguments.push(SCALARS[1].as_ptr() as u64),
            number => arguments.push(number.parse::<i64>().unwrap() as u64),
        }
    }
}

/// The argument that a word of a signature stands for, as in [`CALLS`]. The two variants differ in their flags.
fn argument(prototype: &Prototype, word: &str, variant: u8) -> &'static str {
    let has = |prefix: &str| prototype.arguments().iter().any(|word| word.starts_with(prefix));
    let has_own_sizes = has("max_");
    let is_of_operand = |of: &str| prototype.arguments().iter().any(|word| word.eq_ignore_ascii_case(of));
    let flag = |values: [&'static str; 2]| values[usize::from(variant)];
    match word {
        "side" => flag(["141", "142"]),
        "uplo" => flag(["121", "122"]),
        "trans" | "trans_a" | "trans_b" => flag(["111", "113"]),
        "diag" => flag(["131", "132"]),
        "storage" => flag(["2", "14"]),
        "part" | "k1" => "1",
        "batch" => "3",
        "zero" | "null" => "-",
        "alpha" | "beta" => "1.0",
        "work" => "W",
        "tsize" => "100",
        "info" | "rank" => "I",
        "m" | "n" | "k" | "nrhs" | "k2" if has_own_sizes => "I",
        "m" | "max_m" => "9",
        "n" | "max_n" => "5",
        "k" | "max_k" | "k2" | "max_k2" => "4",
        "nrhs" | "max_nrhs" => "2",
        _ if word.starts_with("stride_") => "200",
        _ => match dimension_of(word) {
            Some(of) if is_of_operand(of) && has_own_sizes => "I",
            Some(_) if word.starts_with("ld") => "12",
            Some(_) => "1",
            None if has("stride_") => "M",
            None => "P",
        },
    }
}

/// Calls of every function on batches that a signature describes.
fn calls_of_signatures() -> impl Iterator<Item = (&'static str, String)> {
    let prototypes = signatures::ALL.iter().flat_map(|of| [of.pointers(), of.strided(), of.varying()]);
    let call = |prototype: &Prototype, variant| {
        let words = prototype.arguments().into_iter().filter(|word| {
            // The stream is added to every call, and a workspace's size follows from it.
            !is_by_value(word) && !["work_bytes", "stream"].contains(word)
        });
        words.map(|word| argument(prototype, word, variant)).collect::<Vec<_>>().join(" ")
    };
    let given = prototypes.filter(|prototype| !prototype.given().is_empty());
    given.flat_map(move |prototype| [0, 1].map(|variant| (prototype.symbol, call(&prototype, variant))))
}

/// Makes all calls and returns their log lines.
fn lines() -> Vec<String> {
    let library = Library::required();
    library.set_backend(Backend::Cpu).unwrap();
    type Set = unsafe extern "C" fn(Option<unsafe extern "C" fn(*const c_char)>) -> c_int;
    // SAFETY: cuBLAS's prototype.
    assert_eq!(unsafe { library.symbol::<Set>("cublasSetLoggerCallback").unwrap()(Some(log)) }, 0);
    let make = |symbol: &str, call: &str| {
        let (mut operands, mut arguments) = (Operands::default(), vec![]);
        call.split(' ').for_each(|word| operands.push(word, &mut arguments));
        arguments.push(0); // the stream
        // SAFETY: the arguments are those of include/tephra.h, with more memory than they reach.
        unsafe { any_call::call(library, symbol, [0.0; 4], &arguments) }
    };
    for (name, letters, calls) in CALLS {
        for (letter, call) in letters.chars().flat_map(|letter| calls.iter().map(move |call| (letter, call))) {
            let symbol = match Dtype::from_letter(letter) {
                Some(dtype) => symbol_name(&format!("tephra_?{name}"), dtype),
                None => format!("tephra_{name}"),
            };
            assert_eq!(make(&symbol, call), 0, "{symbol} {call}: {}", library.last_error());
        }
    }
    for (name, call) in calls_of_signatures() {
        let symbols = [Dtype::S, Dtype::Z].map(|dtype| symbol_name(name, dtype));
        for symbol in symbols.into_iter().filter(|symbol| library.has(symbol)) {
            // Some routines have fewer transpositions.
            let refused = make(&symbol, &call) != 0;
            assert!(!refused || library.last_error().contains("trans"), "{symbol} {call}: {}", library.last_error());
        }
    }
    std::mem::take(&mut LINES.lock().unwrap())
}

fn run(line: &str) -> std::process::Output {
    let built = PathBuf::from(env!("CARGO_BIN_EXE_tephra"));
    let path = if built.exists() { built } else { std::env::current_exe().unwrap().with_file_name("../bin/tephra") };
    let mut command = Command::new(path);
    command.env("TEPHRA_BACKEND", "cpu").env_remove("TEPHRA_LAPACK").env_remove("TEPHRA_PLAN");
    command.args(line.split_whitespace()).args(["--budget", "0"]).output().unwrap()
}

fn word_behind<'a>(line: &'a str, option: &str) -> &'a str {
    line.split_whitespace().skip_while(|word| *word != option).nth(1).unwrap_or_default()
}

#[test]
fn every_line_is_taken() {
    let lines = lines();
    let (mut seen, mut measured) = (BTreeSet::new(), 0);
    for line in &lines {
        let command = line.strip_prefix("tephra ").and_then(|line| line.split(" # ").next());
        let command = command.unwrap_or_else(|| panic!("what is this: {line}"));
        let output = run(command);
        let (text, why) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert_eq!(output.status.code(), Some(0), "{command}: {text} {why}");
        let (timed, nothing) = (text.contains("1 case measured, 0 failed"), text.starts_with("nothing to time: "));
        assert!(timed != nothing && (timed || text.lines().count() == 1), "{command}: {text} {why}");
        assert!(
            timed || !line.contains("--batch 3") || line.contains(" 0 ") || text.contains("does not measure"),
            "{line}"
        );
        measured += usize::from(timed);
        seen.insert(word_behind(command, "--op"));
    }
    assert!(measured > 100 && lines.len() > 150, "{measured} of {}", lines.len());
    // They include every name that the library knows; synonyms are logged under a routine's first name.
    let unknown = Library::required().explain("dnothing", 1, 1, 1).unwrap_err().to_string();
    let (known, _) = unknown.split_once("[sdcz] and ").unwrap().1.split_once(')').unwrap();
    let known: Vec<&str> = known.split(", ").filter(|name| !name.starts_with("un")).collect();
    assert!(known.len() > 35, "{unknown}");
    for name in known {
        assert!(seen.contains(name), "no call of {name}: {seen:?}");
    }
}
