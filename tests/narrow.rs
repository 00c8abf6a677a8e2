//! 16-bit matrices: every number of either type is read correctly, and results are those of single precision rounded
//! once, bitwise if plans ignore the batch count.

use std::ffi::c_int;
use std::ptr::null;
use tephra_testkit::any_call::AnyFunction;
use tephra_testkit::halves::Half;
use tephra_testkit::memory::{Kind, Memory};
use tephra_testkit::sweep::{batch_invariantly, without_forced_plan};
use tephra_testkit::{Library, Rng, words};

const STREAM: *const u8 = null();
/// CBLAS's numbers, and the number of a thin Q.
const N: c_int = 111;
const LOWER: c_int = 122;
const THIN: c_int = 1;

fn memory<T: Copy>(data: &[T]) -> Memory {
    let memory = Memory::new(Library::required(), Kind::Device, size_of_val(data)).unwrap();
    memory.write(data).unwrap();
    memory
}

fn read<T: Copy + Default>(memory: &Memory, count: usize) -> Vec<T> {
    let mut data = vec![T::default(); count];
    memory.read(&mut data).unwrap();
    data
}

/// Calls a function. The caller makes sure that no other thread forces a plan, if that matters.
fn call(symbol: &str, arguments: &[u64]) {
    let library = Library::required();
    // SAFETY: the arguments match include/tephra.h.
    let code = unsafe { AnyFunction::named(library, symbol).unwrap().call([0.0; 4], arguments) };
    assert_eq!(code, 0, "{symbol}: {}", library.last_error());
}

/// Calls a function that has a workspace, whose query takes different arguments.
fn call_with_workspace(symbol: &str, query: &[u64], arguments: &[u64]) {
    let mut bytes = usize::MAX;
    call(&format!("{symbol}_workspace"), &[query, words![&mut bytes]].concat());
    let work = Memory::new(Library::required(), Kind::Device, bytes).unwrap();
    call(symbol, &[arguments, words![work.pointer(), bytes, STREAM]].concat());
    // SAFETY: the stream is the default stream.
    unsafe { Library::required().stream_synchronize(STREAM.cast_mut().cast()) }.unwrap();
}

/// An operand of a batch without gaps, in 16 bits and widened to single precision.
struct Pair {
    half: Half,
    bits: Memory,
    single: Memory,
    count: usize,
}

impl Pair {
    fn new(half: Half, values: &[f32]) -> Pair {
        let bits: Vec<u16> = values.iter().map(|x| half.bits(*x)).collect();
        let widened: Vec<f32> = bits.iter().map(|bits| half.value(*bits)).collect();
        Pair { half, bits: memory(&bits), single: memory(&widened), count: values.len() }
    }

    /// Panics unless the 16-bit operand is the single-precision one, rounded.
    fn assert_rounded(&self, what: &str) {
        let (bits, single) = (read::<u16>(&self.bits, self.count), read::<f32>(&self.single, self.count));
        let same = |(bits, x): &(&u16, &f32)| match x.is_nan() {
            true => self.half.value(**bits).is_nan(),
            false => self.half.bits(**x) == **bits,
        };
        if let Some((bits, x)) = bits.iter().zip(&single).find(|pair| !same(pair)) {
            panic!("{:?} {what}: {x:e} has become {:e}", self.half, self.half.value(*bits));
        }
    }
}

/// Runs routines on the same operands in 16 bits and in single precision.
struct Case {
    half: Half,
    batch: i64,
    rng: Rng,
}

impl Case {
    fn uniform(&mut self, each: i64, diagonal: Option<i64>) -> Pair {
        let heavy = |at: i64| diagonal.is_some_and(|n| at % (n * n) % (n + 1) == 0);
        let shift = diagonal.unwrap_or(0) as f32;
        let mut value = |at| self.rng.uniform() as f32 + if heavy(at) { shift } else { 0.0 };
        let values: Vec<f32> = (0..each * self.batch).map(&mut value).collect();
        Pair::new(self.half, &values)
    }

    fn geqrf(&mut self, m: i64, n: i64) {
        let (batch, k, storage) = (self.batch, m.min(n), self.half.number());
        let (a, tau) = (self.uniform(m * n, None), self.uniform(k, None));
        let arguments =
            |a: &Memory, tau: &Memory| words![m, n, a.pointer(), m, m * n, tau.pointer(), k, batch].to_vec();
        let query = words![m, n, m, m * n, k, batch].to_vec();
        let typed = |words: &[u64]| [words![storage], words].concat();
        call_with_workspace("tephra_xgeqrf_strided_batched", &typed(&query), &typed(&arguments(&a.bits, &tau.bits)));
        call_with_workspace("tephra_sgeqrf_strided_batched", &query, &arguments(&a.single, &tau.single));
        a.assert_rounded(&format!("geqrf {m} x {n}"));
        tau.assert_rounded(&format!("tau of {m} x {n}"));
    }

    fn qr(&mut self, m: i64, n: i64) {
        let (batch, k, storage) = (self.batch, m.min(n), self.half.number());
        let (a, q, r) = (self.uniform(m * n, None), self.uniform(m * k, None), self.uniform(k * n, None));
        let arguments = |a: &Memory, q: &Memory, r: &Memory| {
            let [a, q, r] = [a, q, r].map(Memory::pointer);
            words![THIN, m, n, a, m, m * n, q, m, m * k, r, k, k * n, batch].to_vec()
        };
        let query = words![THIN, m, n, m, m * n, m, m * k, k, k * n, batch].to_vec();
        let typed = |words: &[u64]| [words![storage], words].concat();
        call_with_workspace(
            "tephra_xqr_strided_batched",
            &typed(&query),
            &typed(&arguments(&a.bits, &q.bits, &r.bits)),
        );
        call_with_workspace("tephra_sqr_strided_batched", &query, &arguments(&a.single, &q.single, &r.single));
        a.assert_rounded(&format!("A of qr {m} x {n}"));
        q.assert_rounded(&format!("Q of {m} x {n}"));
        r.assert_rounded(&format!("R of {m} x {n}"));
    }

    fn potrf(&mut self, n: i64) {
        let (batch, storage) = (self.batch, self.half.number());
        let a = self.uniform(n * n, Some(n));
        // The last matrix has a first pivot that is not positive.
        let bad = (batch - 1) as usize;
        let [infos, expected] = [(); 2].map(|()| memory(&vec![-7; batch as usize]));
        if batch > 1 {
            let at = bad * (n * n) as usize;
            let mut bits = read::<u16>(&a.bits, a.count);
            let mut single = read::<f32>(&a.single, a.count);
            (bits[at], single[at]) = (a.half.bits(-1.0), -1.0);
            a.bits.write(&bits).unwrap();
            a.single.write(&single).unwrap();
        }
        let arguments =
            |a: &Memory, info: &Memory| words![LOWER, n, a.pointer(), n, n * n, info.pointer(), batch].to_vec();
        let query = words![LOWER, n, n, n * n, batch].to_vec();
        let typed = |words: &[u64]| [words![storage], words].concat();
        call_with_workspace("tephra_xpotrf_strided_batched", &typed(&query), &typed(&arguments(&a.bits, &infos)));
        call_with_workspace("tephra_spotrf_strided_batched", &query, &arguments(&a.single, &expected));
        let [infos, expected] = [&infos, &expected].map(|info| read::<c_int>(info, batch as usize));
        assert_eq!(infos, expected);
        assert_eq!(infos[bad], i32::from(batch > 1));
        a.assert_rounded(&format!("potrf {n}"));
    }

    fn gesv(&mut self, n: i64, nrhs: i64) {
        let (batch, storage) = (self.batch, self.half.number());
        let (a, b) = (self.uniform(n * n, None), self.uniform(n * nrhs, None));
        let [ipiv, pivots] = [(); 2].map(|()| memory(&vec![-7; (n * batch) as usize]));
        let [infos, expected] = [(); 2].map(|()| memory(&vec![-7; batch as usize]));
        let arguments = |a: &Memory, ipiv: &Memory, b: &Memory, info: &Memory| {
            let [a, ipiv, b, info] = [a, ipiv, b, info].map(Memory::pointer);
            words![n, nrhs, a, n, n * n, ipiv, n, b, n, n * nrhs, info, batch].to_vec()
        };
        let query = words![n, nrhs, n, n * n, n, n, n * nrhs, batch].to_vec();
        let typed = |words: &[u64]| [words![storage], words].concat();
        let narrow = typed(&arguments(&a.bits, &ipiv, &b.bits, &infos));
        call_with_workspace("tephra_xgesv_strided_batched", &typed(&query), &narrow);
        call_with_workspace(
            "tephra_sgesv_strided_batched",
            &query,
            &arguments(&a.single, &pivots, &b.single, &expected),
        );
        let ints = |memory: &Memory, count: i64| read::<c_int>(memory, count as usize);
        assert_eq!(ints(&infos, batch), ints(&expected, batch));
        assert_eq!(ints(&ipiv, n * batch), ints(&pivots, n * batch));
        a.assert_rounded(&format!("factors of gesv {n}"));
        b.assert_rounded(&format!("X of gesv {n}, {nrhs}"));
    }

    /// All products share one A.
    fn gemm(&mut self, [m, n, k]: [i64; 3]) {
        let (batch, storage, alpha, beta) = (self.batch, self.half.number(), 0.7f32, -1.5f32);
        let (a, b, c) = (self.uniform(m * k, None), self.uniform(k * n, None), self.uniform(m * n, None));
        let arguments = |a: &Memory, b: &Memory, c: &Memory| {
            let [a, b, c] = [a, b, c].map(Memory::pointer);
            words![N, N, m, n, k, &alpha, a, m, 0, b, k, k * n, &beta, c, m, m * n, batch].to_vec()
        };
        let query = words![storage, N, N, m, n, k, m, 0, k, k * n, m, m * n, batch];
        let narrow = [words![storage], &arguments(&a.bits, &b.bits, &c.bits)[..]].concat();
        call_with_workspace("tephra_xgemm_strided_batched", query, &narrow);
        let single = [&arguments(&a.single, &b.single, &c.single)[..], words![STREAM]].concat();
        call("tephra_sgemm_strided_batched", &single);
        c.assert_rounded(&format!("gemm {m} x {n} x {k}"));
    }
}

#[test]
fn results_are_those_of_single_precision_rounded_once() {
    let run = || {
        for half in Half::ALL {
            // The last batch passes through a GPU's workspace in two pieces.
            for (batch, sizes) in [(1, &[1, 5, 40, 130][..]), (37, &[3, 8, 33, 70]), (1500, &[80])] {
                let mut case = Case { half, batch, rng: Rng::new(batch as u64) };
                for &n in sizes {
                    case.geqrf(n, n);
                    case.geqrf(n + 3, (n / 2).max(1));
                    case.geqrf((n / 2).max(1), n);
                    case.qr(n, n);
                    case.qr(n + 5, (n / 2).max(1));
                    case.potrf(n);
                    case.gesv(n, 1);
                    case.gesv(n, 5);
                    case.gemm([n, n + 1, n / 2 + 1]);
                }
            }
        }
    };
    batch_invariantly(Library::required(), None, run).unwrap();
}

/// C = alpha A for a column of all 16-bit numbers, each of which is widened, multiplied and rounded.
#[test]
fn every_number_is_read_and_rounded() {
    for half in Half::ALL {
        // Exact results; ties and their neighbours; subnormal results, infinities and zeros.
        let factors =
            [1.0, -0.75, 1.0 + 2f32.powi(-8), 1.0 + 2f32.powi(-11), 1.0 - 2f32.powi(-24), 2f32.powi(-12), 1.7e5, 3e-39];
        for (alpha, offset) in factors.into_iter().zip((0..3).cycle()) {
            let all: Vec<u16> = (0..=u16::MAX).collect();
            // In all alignments.
            let a = memory(&[&vec![0; offset][..], &all].concat());
            let (one, c, beta) = (memory(&[half.bits(1.0)]), memory(&vec![0x7e55u16; all.len()]), 0f32);
            let (m, start) = (all.len() as i64, a.pointer().wrapping_byte_add(2 * offset));
            let query = words![half.number(), N, N, m, 1, 1, m, m, 1, 1, m, m, 1];
            let arguments = words![
                half.number(),
                N,
                N,
                m,
                1,
                1,
                &alpha,
                start,
                m,
                m,
                one.pointer(),
                1,
                1,
                &beta,
                c.pointer(),
                m,
                m,
                1
            ];
            without_forced_plan(|| call_with_workspace("tephra_xgemm_strided_batched", query, arguments));
            for (bits, result) in all.iter().zip(read::<u16>(&c, all.len())) {
                let expected = alpha * half.value(*bits);
                let right = match expected {
                    nan if nan.is_nan() => half.value(result).is_nan(),
                    0.0 => half.value(result) == 0.0, // a sum that starts from 0 is never -0
                    _ => half.bits(expected) == result,
                };
                assert!(right, "{half:?} {bits:#06x} * {alpha:e} = {expected:e}, not {result:#06x}");
            }
        }
    }
}

/// `cublasGemmStridedBatchedEx` with one of our handles.
#[test]
fn cublas_names_serve_the_types_in_single_precision() {
    let library = Library::required();
    let handle = library.cublas_handle(STREAM.cast_mut().cast()).unwrap();
    for half in Half::ALL {
        let (mut case, [m, n, k, batch]) = (Case { half, batch: 5, rng: Rng::new(5) }, [9, 7, 12, 5i64]);
        let (a, b, c) = (case.uniform(m * k, None), case.uniform(k * n, None), case.uniform(m * n, None));
        let start = read::<u16>(&c.bits, c.count);
        let (alpha, beta, kind) = (1.5f32, 0.5f32, half.number());
        let [pa, pb, pc] = [&a.bits, &b.bits, &c.bits].map(Memory::pointer);
        let ex = words![
            handle.raw(),
            0,
            0,
            m,
            n,
            k,
            &alpha,
            pa,
            kind,
            m,
            m * k,
            pb,
            kind,
            k,
            k * n,
            &beta,
            pc,
            kind,
            m,
            m * n,
            batch,
            68,
            -1
        ];
        without_forced_plan(|| call("cublasGemmStridedBatchedEx", ex));
        // SAFETY: the stream is the default stream.
        unsafe { library.stream_synchronize(STREAM.cast_mut().cast()) }.unwrap();
        let result = read::<u16>(&c.bits, c.count);
        c.bits.write(&start).unwrap();
        let query = words![kind, N, N, m, n, k, m, m * k, k, k * n, m, m * n, batch];
        let own = words![kind, N, N, m, n, k, &alpha, pa, m, m * k, pb, k, k * n, &beta, pc, m, m * n, batch];
        without_forced_plan(|| call_with_workspace("tephra_xgemm_strided_batched", query, own));
        assert!(result != start && result == read::<u16>(&c.bits, c.count), "{half:?}");
    }
}
