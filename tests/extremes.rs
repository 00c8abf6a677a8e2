//! Sizes, leading dimensions, strides and counts over their whole range, in every native routine that include/tephra.h
//! declares. Each call must return, must not access anything outside its operands, and must write nothing if it is
//! refused. A size that exceeds the address space must be an argument error, reported for the right argument.
//!
//! Runs on host memory, where out-of-bounds accesses show.

mod powers;

use std::ffi::{c_int, c_void};
use std::ptr::null_mut;
use tephra_testkit::library::Backend;
use tephra_testkit::rng::Rng;
use tephra_testkit::{Dtype, Library};

/// Sizes that a call may really have, and sizes that no operand can have: 2^61 elements are 2^63 bytes or more.
const SMALL: [i64; 4] = [0, 1, 2, 3];
const EXTREME: [i64; 7] = [1 << 61, (1 << 61) + 1, 1 << 62, i64::MAX - 1, i64::MAX, -1, i64::MIN];

/// Elements of an operand, (3 - 1) members * 40 + 3 columns * 7 with room to spare, and of the guards before and after
/// it.
const ROOM: usize = 512;
const GUARD: usize = 64;
const MEMBERS: usize = 3;

/// A prototype in the header: its name, and the types and names of its arguments.
struct Prototype {
    name: String,
    arguments: Vec<(String, String)>,
}

fn prototypes() -> Vec<Prototype> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../include/tephra.h");
    let header = std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{path}: {e}"));
    let all = header.split("\ntephra_status ").skip(1).filter_map(|text| {
        let (name, rest) = text.split_once('(')?;
        let list = rest.split_once(");")?.0;
        let argument = |text: &str| {
            let text = text.trim();
            let name = text.rsplit(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default();
            (text[..text.len() - name.len()].trim().to_owned(), name.to_owned())
        };
        Some(Prototype { name: name.to_owned(), arguments: list.split(',').map(argument).collect() })
    });
    all.filter(|p| p.name.contains("_batched")).collect()
}

/// Memory for the operands, each in the middle of a guarded piece, and pointers to their members.
struct Fixture {
    memory: Vec<u8>,
    before: Vec<u8>,
    lists: Vec<[*mut c_void; MEMBERS]>,
    element: usize,
}

impl Fixture {
    /// Allocates the memory for the arguments of `p`.
    fn new(element: usize, p: &Prototype) -> Fixture {
        let (piece, operands) = ((ROOM + 2 * GUARD) * element, p.arguments.len());
        let mut memory = vec![0u8; piece * operands];
        for (i, byte) in memory.iter_mut().enumerate() {
            *byte = (i * 7 + 1) as u8 & 0x3f; // always a finite number
        }
        // Row interchanges must name existing rows: here always the first.
        let interchanges = memory.chunks_mut(piece).zip(&p.arguments).filter(|(_, (_, name))| name.starts_with("ipiv"));
        for (memory, _) in interchanges {
            memory.chunks_mut(4).for_each(|row| row.copy_from_slice(&1i32.to_ne_bytes()));
        }
        let at = |i: usize| memory.as_ptr().wrapping_add(i * piece + GUARD * element).cast_mut().cast::<c_void>();
        let list = |i| std::array::from_fn(|member| at(i).wrapping_byte_add(member * 40 * element));
        let lists = (0..operands).map(list).collect();
        let before = memory.clone();
        Fixture { memory, before, lists, element }
    }

    fn base(&self, i: usize) -> *mut c_void {
        self.lists[i][0]
    }

    /// Whether everything outside the operands is unchanged.
    fn is_guarded(&self) -> bool {
        let (piece, guard) = ((ROOM + 2 * GUARD) * self.element, GUARD * self.element);
        let pieces = self.memory.chunks(piece).zip(self.before.chunks(piece));
        let same = |(now, before): (&[u8], &[u8])| {
            now[..guard] == before[..guard] && now[piece - guard..] == before[piece - guard..]
        };
        pieces.into_iter().all(same)
    }

    fn is_untouched(&self) -> bool {
        self.memory == self.before
    }
}

/// A routine of 20 machine words, of which the callee uses as many as it has: both calling conventions of 64-bit Linux
/// pass words in the same places whatever their type, and the caller cleans up. A `double` goes into the first
/// floating-point register.
#[rustfmt::skip]
type AnyRoutine = unsafe extern "C" fn(
    f64,
    usize, usize, usize, usize, usize, usize, usize, usize, usize, usize,
    usize, usize, usize, usize, usize, usize, usize, usize, usize, usize,
) -> c_int;

unsafe fn call(lib: &Library, name: &str, double: f64, words: &[usize]) -> c_int {
    let w: [usize; 20] = std::array::from_fn(|i| words.get(i).copied().unwrap_or(0));
    unsafe {
        let routine: AnyRoutine = lib.symbol(name).unwrap();
        routine(
            double, w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7], w[8], w[9], w[10], w[11], w[12], w[13], w[14],
            w[15], w[16], w[17], w[18], w[19],
        )
    }
}

/// Draws a call with random arguments: the words, the memory that they point to, and a place for the answers of
/// queries.
fn draw(p: &Prototype, element: usize, rng: &mut Rng) -> (Vec<usize>, Fixture, Box<[u64; 8]>) {
    let pick = |rng: &mut Rng, from: &[i64]| from[rng.below(from.len())];
    let fixture = Fixture::new(element, p);
    let mut answers = Box::new([0u64; 8]);
    // Each call has few extreme values, so that an extreme value is often the only one.
    let odds = [2, 4, 12][rng.below(3)];
    let words = p.arguments.iter().enumerate().map(|(i, (ty, name))| {
        let extreme = rng.below(odds) == 0;
        match (ty.as_str(), name.as_str()) {
            ("int", _) => {
                let flags: &[i64] = match name.as_str() {
                    "side" => &[141, 142, 0],
                    "trans" | "trans_a" | "trans_b" => &[111, 112, 113, -1],
                    "uplo" => &[121, 122, 123],
                    "diag" => &[131, 132, 7],
                    "part" => &[0, 1, 2, 3],
                    "storage" => &[2, 14, 0, 68],
                    other => panic!("{}: {other} is no flag", p.name),
                };
                pick(rng, flags) as usize
            }
            ("int64_t", name) => {
                let number = match name {
                    _ if extreme => pick(rng, &EXTREME),
                    _ if name.starts_with("ld") => 3 + pick(rng, &SMALL),
                    // The number of elements of T, for which a member has room for 40.
                    "tsize" => pick(rng, &[40, 3, 0]),
                    _ if name.starts_with("stride") => pick(rng, &[40, 33, 3, 1, 0]),
                    _ => pick(rng, &SMALL),
                };
                number as usize
            }
            ("size_t", _) => {
                if extreme {
                    usize::MAX
                } else {
                    0
                }
            }
            // Entry points have at most one double.
            ("double", _) => {
                (if extreme { [f64::NAN, f64::INFINITY, -1.0][rng.below(3)] } else { 1e-4 }).to_bits() as usize
            }
            ("size_t *", _) => answers.as_mut_ptr() as usize,
            (_, "ipiv" | "perm" | "jpvt") => fixture.base(i) as usize,
            ("int *", _) => answers.as_mut_ptr() as usize,
            ("void *", _) => 0, // work, stream
            (pointers, _) if pointers.matches('*').count() == 2 => fixture.lists[i].as_ptr() as usize,
            (_, "alpha" | "beta") => (&raw const fixture.memory[0]) as usize,
            (pointer, _) if pointer.ends_with('*') => fixture.base(i) as usize,
            (ty, name) => panic!("{}: argument {name} is {ty}", p.name),
        }
    });
    let words = words.collect();
    (words, fixture, answers)
}

fn on_host_memory() -> Option<&'static Library> {
    let lib = Library::required();
    (lib.backend().unwrap() == Backend::Cpu).then_some(lib)
}

#[test]
fn every_native_routine_answers_every_size() {
    let Some(lib) = on_host_memory() else { return };
    let all = prototypes();
    assert!(all.len() >= 88, "{} prototypes", all.len());
    let mut rng = Rng::new(15);
    let (mut done, mut refused, mut quick) = (0, 0, 0);
    for p in &all {
        let letter = p.name.as_bytes()["tephra_".len()] as char;
        // Functions without a precision letter have only int operands.
        let dtype = Dtype::ALL.into_iter().find(|d| d.letter() == letter);
        let element = dtype.map_or(size_of::<c_int>(), |d| d.bytes());
        for _ in 0..300 {
            let (words, fixture, _answers) = draw(p, element, &mut rng);
            let of = |double: bool| move |(i, _): &(usize, &usize)| (p.arguments[*i].0 == "double") == double;
            let double = words.iter().enumerate().find(of(true)).map_or(0.0, |(_, &bits)| f64::from_bits(bits as u64));
            let integers: Vec<usize> = words.iter().enumerate().filter(of(false)).map(|(_, &word)| word).collect();
            let status = unsafe { call(lib, &p.name, double, &integers) };
            let shown = || {
                let names = p.arguments.iter().map(|(_, name)| name);
                let list: Vec<_> = names.zip(&words).map(|(name, w)| format!("{name}={}", *w as i64)).collect();
                format!("{} {}: {status} {}", p.name, list.join(" "), lib.last_error())
            };
            // Too small a workspace is an argument error. Status 5, an internal error, must not occur.
            assert!((-(p.arguments.len() as c_int)..=4).contains(&status) && status != 2, "{}", shown());
            assert!(fixture.is_guarded(), "written outside the operands: {}", shown());
            match (status, fixture.is_untouched()) {
                (0, true) => quick += 1,
                (0, false) => done += 1,
                (_, true) => refused += 1,
                (_, false) => panic!("written and refused: {}", shown()),
            }
            if status < 0 {
                let named = words[(-status - 1) as usize] as i64;
                let ty = p.arguments[(-status - 1) as usize].0.as_str();
                assert!(ty != "int64_t" || !SMALL.contains(&named) || status_is_about_order(p, -status), "{}", shown());
            }
        }
    }
    println!("{done} calls computed, {quick} had nothing to do, {refused} refused");
    assert!(done > 500 && refused > 10_000 && quick > 1000, "{done} {refused} {quick}");
}

/// Arguments that may be wrong although they are small: too small for other arguments, or in an invalid order.
fn status_is_about_order(p: &Prototype, position: c_int) -> bool {
    let name = p.arguments[position as usize - 1].1.as_str();
    name.starts_with("ld")
        || name.starts_with("stride")
        || matches!(name, "n" | "k" | "k1" | "q" | "r" | "incx" | "incy" | "tsize")
}

/// Argument numbers, for one routine with each kind of operand.
#[test]
fn the_argument_that_does_not_fit_is_named() {
    let Some(lib) = on_host_memory() else { return };
    const MOST: i64 = i64::MAX;
    let mut x = [0.5f64; 64];
    let base = x.as_mut_ptr();
    let list = [base; 4];
    let (a, p) = (base as i64, list.as_ptr() as i64);
    let mut bytes = 7u64;
    let out = &raw mut bytes as i64;
    let big = 1i64 << 40;
    for (name, arguments, expected) in [
        // m, n, a, lda, tau, batch, work, bytes, stream
        ("tephra_dgeqrf_batched", vec![2, 2, p, MOST, p, 1, 0, 0, 0], -4),
        ("tephra_dgeqrf_batched", vec![2, 3, p, 1 << 61, p, 1, 0, 0, 0], -4),
        ("tephra_dgeqrf_batched", vec![1 << 62, 1 << 62, p, 1 << 62, p, 1, 0, 0, 0], -1),
        ("tephra_dgeqrf_batched", vec![big, big, p, big, p, 1, 0, 0, 0], -2),
        ("tephra_dgeqrf_batched", vec![2, 2, p, 2, p, MOST, 0, 0, 0], -6),
        ("tephra_dgeqrf_batched_workspace", vec![2, 2, MOST, 1, out], -3),
        ("tephra_dgeqrf_batched_workspace", vec![2, 2, 2, MOST, out], -4),
        // m, n, a, lda, stride, tau, stride, batch
        ("tephra_dgeqrf_strided_batched", vec![2, 2, a, 2, 1 << 60, a, 2, 2, 0, 0, 0], -5),
        ("tephra_dgeqrf_strided_batched", vec![2, 2, a, 2, big, a, 2, big, 0, 0, 0], -8),
        ("tephra_dgeqrf_strided_batched", vec![2, 2, a, 2, 4, a, 1 << 60, 2, 0, 0, 0], -7),
        ("tephra_dgeqrf_strided_batched_workspace", vec![2, 2, 2, 1 << 60, 2, 2, out], -4),
        // m, n, k, a, lda, tau, batch
        ("tephra_dorgqr_batched", vec![2, 2, 2, p, MOST, p, 1, 0], -5),
        // side, trans, m, n, k, a, lda, stride, tau, stride, c, ldc, stride, batch
        ("tephra_dormqr_strided_batched", vec![141, 112, 2, 2, 2, a, 2, 1 << 60, a, 2, a, 2, 4, 2, 0], -8),
        ("tephra_dormqr_strided_batched", vec![141, 112, 2, 2, 2, a, 2, 0, a, 0, a, MOST, 4, 1, 0], -12),
        ("tephra_dormqr_strided_batched", vec![141, 112, 2, 2, 2, a, 2, 0, a, 0, a, 2, MOST, 2, 0], -13),
        // part, m, n, a, lda, q, ldq, r, ldr, batch, work, bytes
        ("tephra_dqr_batched", vec![1, 2, 2, p, 2, p + 8, MOST, p + 16, 2, 1, 0, 0, 0], -7),
        ("tephra_dqr_batched", vec![1, 2, 2, p, 2, p + 8, 2, p + 16, MOST, 1, 0, 0, 0], -9),
        ("tephra_dqr_batched", vec![2, big, 1, p, big, p + 8, big, p + 16, big, 1, 0, 0, 0], -2),
        ("tephra_dqr_batched_workspace", vec![0, 2, 2, 2, 2, MOST, 1, out], -6),
        // trans, m, n, nrhs, a, lda, b, ldb, info, batch
        ("tephra_dgels_batched", vec![111, 2, 2, MOST, p, 2, p, 2, 0, 1, 0, 0, 0], -4),
        ("tephra_dgels_batched", vec![111, 2, 2, 2, p, 2, p, MOST, 0, 1, 0, 0, 0], -8),
        ("tephra_dgels_batched_workspace", vec![111, 2, 2, 1, 2, 2, MOST, out], -7),
        // side, uplo, trans, diag, m, n, alpha, a, lda, b, ldb, batch
        ("tephra_dtrsm_batched", vec![141, 121, 111, 131, 2, 2, a, p, MOST, p, 2, 1, 0], -9),
        ("tephra_dtrsm_batched", vec![141, 121, 111, 131, 2, 2, a, p, 2, p, MOST, 1, 0], -11),
        ("tephra_dtrsm_batched", vec![142, 121, 111, 131, 2, 1 << 61, a, p, 1 << 61, p, 2, 1, 0], -6),
        // m, k, v, ldv, tau, t, ldt, batch
        ("tephra_dlarft_batched", vec![2, 2, p, MOST, p, p, 2, 1, 0], -4),
        ("tephra_dlarft_batched", vec![2, 2, p, 2, p, p, MOST, 1, 0], -7),
        // side, trans, m, n, k, v, ldv, t, ldt, c, ldc, batch
        ("tephra_dlarfb_batched", vec![141, 111, 2, 2, 2, p, 2, p, MOST, p, 2, 1, 0], -9),
        ("tephra_dlarfb_batched", vec![141, 111, 2, 2, 2, p, 2, p, 2, p, MOST, 1, 0], -11),
        // Sizes that no leading dimension could serve come before a leading dimension that is less than the rows.
        ("tephra_dgeqrf_batched", vec![MOST, 1, p, 4, p, 1, 0, 0, 0], -1),
        ("tephra_dgeqrf_batched", vec![MOST / 8 + 1, 1, p, 4, p, 1, 0, 0, 0], -1),
        ("tephra_dgeqrf_batched", vec![MOST / 8, 1, p, 4, p, 1, 0, 0, 0], -4),
        ("tephra_dgeqrf_batched", vec![big, big, p, 4, p, 1, 0, 0, 0], -2),
        ("tephra_dgeqrf_batched", vec![MOST, 1, p, 4, p, 0, 0, 0, 0], -4),
        ("tephra_dgeqrf_strided_batched", vec![MOST, 1, a, MOST, -1, a, 2, 2, 0, 0, 0], -1),
        ("tephra_dgeqrf_batched_workspace", vec![MOST, 1, 4, 1, out], -1),
        // m, n, a, lda, ipiv, info, batch, work, bytes, stream; row numbers are ints
        ("tephra_dgetrf_batched", vec![1 << 31, 1, p, 4, p, 0, 1, 0, 0, 0], -1),
        ("tephra_dgetrf_batched", vec![1 << 31, 0, p, 4, p, 0, 1, 0, 0, 0], -4),
        // trans_a, trans_b, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc, batch
        ("tephra_dgemm_batched", vec![111, 111, MOST, 1, 1, a, p, 1, p, 1, a, p, 1, 1, 0], -3),
        ("tephra_dgemm_batched", vec![112, 111, MOST, 1, 1, a, p, 0, p, 1, a, p, 1, 1, 0], -3),
        ("tephra_dgemm_batched", vec![111, 111, big, big, big, a, p, 1, p, 1, a, p, 1, 1, 0], -4),
        ("tephra_dgemm_batched", vec![111, 111, 2, 2, 2, a, p, MOST, p, 0, a, p, 2, 1, 0], -8),
        ("tephra_dgemm_batched", vec![111, 111, 2, 2, 2, a, p, 2, p, 0, a, p, MOST, 1, 0], -10),
        // n, a, lda, k1, k2, ipiv, incx, batch
        ("tephra_dlaswp_batched", vec![1, p, 4, 1, MOST, p, 1, 1, 0], -5),
        ("tephra_dgels_batched", vec![111, 2, 2, MOST, p, 1, p, 2, 0, 1, 0, 0, 0], -4),
        ("tephra_dgeqr_tsize", vec![MOST, 1, out], -1),
        ("tephra_dgeqr_tsize", vec![big, big, out], -2),
        // m, n, nb, tsize
        ("tephra_dgeqrf_tiled_tsize", vec![MOST, 1, 0, out], -1),
        ("tephra_dgeqrf_tiled_tsize", vec![MOST, 2, -1, out], -1),
        ("tephra_dgeqrf_tiled_tsize", vec![1 << 59, 1, 0, out], -1),
        ("tephra_dgeqrf_tiled_tsize", vec![2, MOST, 0, out], -2),
        // m, n, a, lda, nb, t, tsize, look_ahead, progress, user
        ("tephra_dgeqrf_tiled", vec![MOST, 2, a, MOST, 0, a, 9, 0, 0, 0], -1),
        ("tephra_dgeqrf_tiled", vec![2, 2, a, MOST, 0, a, 64, 0, 0, 0], -4),
        // trans, m, n, k, a, lda, t, tsize, c, ldc
        ("tephra_dormqr_tiled", vec![111, 2, MOST, 2, a, 1, a, 64, a, 2], -3),
        ("tephra_dormqr_tiled", vec![111, 2, 2, 2, a, 2, a, 64, a, MOST], -10),
        // Nothing to do, whatever the other arguments are.
        ("tephra_dgeqrf_batched", vec![2, 0, 0, MOST, 0, 1, 0, 0, 0], 0),
        ("tephra_dgeqrf_batched", vec![2, 2, 0, MOST, 0, 0, 0, 0, 0], 0),
        ("tephra_dgeqrf_strided_batched", vec![2, 2, a, 2, i64::MIN, a, i64::MIN, 1, 0, 0, 0], 0),
    ] {
        let words: Vec<usize> = arguments.iter().map(|&w| w as usize).collect();
        let status = unsafe { call(lib, name, 0.0, &words) };
        assert_eq!(status, expected, "{name} {arguments:?}: {}", lib.last_error());
    }
    assert_eq!(bytes, 7, "no query was answered");
}

/// cuBLAS's 64-bit functions, and MAGMA's 32-bit ones, with sizes whose product in bytes exceeds 64 bits.
#[test]
fn the_other_interfaces_refuse_what_does_not_fit() {
    let Some(lib) = on_host_memory() else { return };
    let mut x = [0.5f64; 64];
    let list = [x.as_mut_ptr(); 4];
    let (a, p) = (x.as_mut_ptr() as i64, list.as_ptr() as i64);
    let handle = lib.cublas_handle(null_mut()).unwrap();
    let h = handle.raw() as i64;
    const INVALID_VALUE: c_int = 7;
    let most = i64::from(i32::MAX);
    let big = 1i64 << 61;
    for (name, arguments, expected) in [
        ("cublasDtrsmBatched_64", vec![h, 0, 1, 0, 0, 2, 2, a, p, big, p, 2, 1], INVALID_VALUE),
        ("cublasDtrsmBatched_64", vec![h, 0, 1, 0, 0, 2, 2, a, p, 2, p, big, 1], INVALID_VALUE),
        ("cublasDtrsmBatched_64", vec![h, 0, 1, 0, 0, 2, 2, a, p, 2, p, 2, big], INVALID_VALUE),
        ("cublasDtrsmBatched_64", vec![h, 0, 1, 0, 0, big, big, a, p, big, p, big, 1], INVALID_VALUE),
        ("cublasSetMatrix_64", vec![2, 2, 8, a, big, a, 2], INVALID_VALUE),
        ("cublasGetMatrix_64", vec![2, 2, 8, a, 2, a, big], INVALID_VALUE),
        ("cublasSetMatrix_64", vec![2, 1, 1 << 62, a, 2, a, 2], INVALID_VALUE),
        ("cublasSetMatrixAsync_64", vec![big, big, 8, a, big, a, big, 0], INVALID_VALUE),
        ("cublasGetVector_64", vec![2, 8, a, i64::MAX, a, 1], INVALID_VALUE),
        ("cublasSetVectorAsync_64", vec![i64::MAX, 8, a, 1, a, 1, 0], INVALID_VALUE),
        // z: 2^62 elements of 16 bytes. m, n, a, lda, tau, info, batch, queue
        ("magma_zgeqrf_batched", vec![2, most, p, most, p, 0, 1, 0], -4),
        ("magma_zgeqrf_batched", vec![most, most, p, most, p, 0, 1, 0], -2),
        // m, n, nb, a, lda, r, ldr, t, ldt, tau, ...; errors have MAGMA's numbers of lda, ldr and ldt
        ("magma_zgeqrf_expert_batched", vec![2, most, 2, p, 2, p, most, p, 2, p, 1, 0, 0, 1, 0], -6),
        ("magma_zgeqrf_expert_batched", vec![2, most, 2, p, 2, p, 2, p, most, p, 1, 0, 0, 1, 0], -8),
        ("magma_zgels_batched", vec![111, 2, 2, most, p, 2, p, most, 0, 0, 0, 1, 0], -8),
        ("magma_zungqr_batched", vec![most, most, 2, p, most, p, 0, 1, 0], -2),
    ] {
        let words: Vec<usize> = arguments.iter().map(|&w| w as usize).collect();
        let status = unsafe { call(lib, name, 0.0, &words) };
        assert_eq!(status, expected, "{name} {arguments:?}: {}", lib.last_error());
        assert_eq!(x, [0.5; 64], "{name} {arguments:?} wrote");
    }
}
