//! `magma_?geqrf_batched` and its `_work` and `_expert` variants.

use super::fixture::{BATCH, Fixture, assert_line};
use crate::stderr::stderr_of;
use std::ffi::{c_int, c_void};
use std::ptr::{null, null_mut};
use tephra_testkit::memory::{Kind, Memory};
use tephra_testkit::{Dtype, with_scalar};

const B: c_int = BATCH as c_int;

fn name(dtype: Dtype, form: &str) -> String {
    format!("magma_{}geqrf_{form}", dtype.letter())
}

pub fn illegal(name: &str, position: c_int) -> String {
    format!("On entry to {name}, parameter {position} had an illegal value (info = -{position})")
}

/// Calls that must be refused: (the call, its return value, the name and position in its message).
fn assert_refused(s: &Fixture, rows: Vec<(&dyn Fn() -> c_int, c_int, String)>) {
    for (call, expected, name) in rows {
        let (answer, text) = stderr_of(call);
        assert_eq!(answer, expected, "{name}");
        assert_line(&text, &illegal(&name, -expected));
    }
    assert!(s.is_untouched());
}

#[test]
fn plain_form() {
    for dtype in Dtype::ALL {
        let s = Fixture::new(dtype, 20, 10);
        let (queue, geqrf) = (s.queue(), s.lib.magma_geqrf(dtype));
        let call = |m, n, lda, batch| unsafe { geqrf(m, n, s.a(), lda, s.tau(), s.info(), batch, queue.raw()) };
        let plain = name(dtype, "batched");
        assert_refused(
            &s,
            vec![
                (&|| call(-1, 10, 20, B), -1, plain.clone()),
                (&|| call(20, -1, 20, B), -2, plain.clone()),
                (&|| call(20, 10, 19, B), -4, plain.clone()),
                (&|| call(0, 10, 0, B), -4, plain.clone()),
                (&|| call(-1, -1, 0, -1), -1, plain.clone()),
                // The inner routine makes this check, with its name and number; in the outer one it is argument 7.
                (&|| call(20, 10, 20, -1), -9, name(dtype, "batched_work")),
            ],
        );
        // An empty matrix is detected before the batch count is checked and before info is written.
        for (m, n, lda, batch) in [(0, 10, 1, B), (20, 0, 20, B), (0, 10, 1, -1), (20, 10, 20, 0)] {
            assert_eq!(call(m, n, lda, batch), 0, "{m} {n} {batch}");
        }
        assert!(s.is_untouched());
        let null_arrays = |a, tau| unsafe { geqrf(20, 10, a, 20, tau, s.info(), B, queue.raw()) };
        let work = name(dtype, "batched_work");
        assert_refused(
            &s,
            vec![
                (&|| null_arrays(null(), s.tau()), -3, work.clone()),
                (&|| null_arrays(s.a(), null()), -5, work.clone()),
            ],
        );
        assert_eq!(call(20, 10, 20, B), 0);
        assert!(s.is_factored());
        assert_eq!(s.infos(), [0; BATCH]);
    }
}

#[test]
fn plain_form_without_queue_or_info() {
    let s = Fixture::new(Dtype::Z, 8, 5);
    let geqrf = s.lib.magma_geqrf(s.dtype);
    assert_eq!(unsafe { geqrf(8, 5, s.a(), 8, s.tau(), null_mut(), B, null_mut()) }, 0);
    assert!(s.is_factored());
}

#[test]
fn work_form() {
    for dtype in Dtype::ALL {
        let s = Fixture::new(dtype, 10, 20);
        let (queue, geqrf) = (s.queue(), s.lib.magma_geqrf_work(dtype));
        let call = |m, n, lda, lwork: *mut c_int, batch| unsafe {
            geqrf(m, n, s.a(), lda, s.tau(), s.info(), null_mut(), lwork, batch, queue.raw())
        };
        // A query checks no other argument.
        for (m, n, lda, batch) in [(10, 20, 10, B), (-1, -1, -1, -1), (5000, 5000, 5000, 100_000)] {
            let mut lwork = -1;
            assert_eq!(call(m, n, lda, &mut lwork, batch), 0);
            assert_eq!(lwork, 0, "no workspace is needed");
        }
        assert!(s.is_untouched());
        let (work, lwork) = (name(dtype, "batched_work"), |lwork: c_int| Box::leak(Box::new(lwork)) as *mut c_int);
        assert_refused(
            &s,
            vec![
                (&|| call(-1, 20, 10, lwork(0), B), -1, work.clone()),
                (&|| call(10, -1, 10, lwork(0), B), -2, work.clone()),
                (&|| call(10, 20, 9, lwork(0), B), -4, work.clone()),
                (&|| call(10, 20, 10, null_mut(), B), -8, work.clone()),
                (&|| call(10, 20, 10, lwork(0), -1), -9, work.clone()),
                (&|| call(0, 20, 1, lwork(0), -1), -9, work.clone()),
            ],
        );
        for (m, n, lda, batch) in [(0, 20, 1, B), (10, 0, 10, B), (10, 20, 10, 0)] {
            assert_eq!(call(m, n, lda, lwork(0), batch), 0);
        }
        assert!(s.is_untouched());
        assert_eq!(call(10, 20, 10, lwork(1 << 20), B), 0, "more than needed is fine");
        assert!(s.is_factored());
        assert_eq!(s.infos(), [0; BATCH]);
    }
}

/// Poisoned memory for R and T of a batch, with its pointer array.
struct Output {
    memory: Memory,
    array: Memory,
}

impl Output {
    fn new(s: &Fixture, elements: usize) -> Output {
        let bytes = elements * s.dtype.bytes();
        let memory = Memory::new(s.lib, Kind::Device, BATCH * bytes).unwrap();
        memory.write(&vec![0xa7u8; BATCH * bytes]).unwrap();
        let array = Memory::new(s.lib, Kind::Device, BATCH * 8).unwrap();
        array.write(&(0..BATCH).map(|i| memory.pointer() as usize + i * bytes).collect::<Vec<_>>()).unwrap();
        Output { memory, array }
    }

    fn array(&self) -> *const *mut c_void {
        self.array.pointer().cast()
    }

    /// The elements, as bytes.
    fn read(&self, s: &Fixture) -> Vec<Vec<u8>> {
        s.stream.synchronize().unwrap();
        let mut bytes = vec![0u8; self.memory.bytes()];
        self.memory.read(&mut bytes).unwrap();
        bytes.chunks(s.dtype.bytes()).map(<[u8]>::to_vec).collect()
    }
}

#[test]
fn expert_form_refuses() {
    for dtype in Dtype::ALL {
        let s = Fixture::new(dtype, 20, 10);
        let (queue, geqrf) = (s.queue(), s.lib.magma_geqrf_expert(dtype));
        let (r, t) = (Output::new(&s, 10 * 10), Output::new(&s, 4 * 10));
        let call = |m, n, nb, lda, ldr, ldt, provide, batch| unsafe {
            let (r, t) = (r.array(), t.array());
            geqrf(m, n, nb, s.a(), lda, r, ldr, t, ldt, s.tau(), provide, null(), s.info(), batch, queue.raw())
        };
        let expert = name(dtype, "expert_batched");
        assert_refused(
            &s,
            vec![
                (&|| call(-1, 10, 4, 20, 10, 4, 1, B), -1, expert.clone()),
                (&|| call(20, -1, 4, 20, 10, 4, 1, B), -2, expert.clone()),
                (&|| call(20, 10, 0, 20, 10, 4, 1, B), -3, expert.clone()),
                // MAGMA's argument numbers, which do not count nb.
                (&|| call(20, 10, 4, 19, 10, 4, 1, B), -4, expert.clone()),
                (&|| call(20, 10, 4, 20, 9, 4, 1, B), -6, expert.clone()),
                (&|| call(20, 10, 4, 20, 3, 4, 0, B), -6, expert.clone()),
                (&|| call(20, 10, 4, 20, 3, 4, 2, B), -6, expert.clone()),
                (&|| call(20, 10, 4, 20, 10, 3, 1, B), -8, expert.clone()),
                (&|| call(20, 10, 4, 20, 10, 4, 1, -1), -14, expert.clone()),
            ],
        );
        let nowhere =
            |r, t| unsafe { geqrf(20, 10, 4, s.a(), 20, r, 10, t, 4, s.tau(), 1, null(), s.info(), B, queue.raw()) };
        assert_refused(
            &s,
            vec![
                (&|| nowhere(null(), t.array()), -6, expert.clone()),
                (&|| nowhere(r.array(), null()), -8, expert.clone()),
            ],
        );
        let (answer, text) = stderr_of(|| call(20, 10, 4, 20, 10, 4, 3, B));
        assert_eq!(answer, -103, "provide_RT 3");
        assert_line(&text, &format!("Error in {expert}, not supported (info = -103)"));
        for (m, n, batch) in [(0, 10, B), (20, 0, B), (20, 10, 0)] {
            assert_eq!(call(m, n, 4, 20, 10, 4, 1, batch), 0);
        }
        assert!(s.is_untouched());
    }
}

/// Compares R, T and the rest of A with the result of the plain form.
#[test]
fn expert_form_provides_r_and_t() {
    for dtype in Dtype::ALL {
        for (m, n, nb, provide) in [(20, 10, 4, 0), (20, 10, 4, 1), (20, 10, 4, 2), (6, 9, 32, 1), (6, 9, 2, 2)] {
            expert_case(dtype, m, n, nb, provide);
        }
    }
}

fn expert_case(dtype: Dtype, m: usize, n: usize, nb: usize, provide: c_int) {
    let s = Fixture::new(dtype, m, n);
    let (queue, k) = (s.queue(), m.min(n));
    let [mi, ni, nbi] = [m, n, nb].map(|x| x as c_int);
    assert_eq!(unsafe { s.lib.magma_geqrf(dtype)(mi, ni, s.a(), mi, s.tau(), s.info(), B, queue.raw()) }, 0);
    let plain = s.matrices();
    let tau = s.factors();
    s.restore();
    let (ldr, ldt) = (if provide == 1 { k } else { k.min(nb) }, k.min(nb) + 1);
    let (r, t) = (Output::new(&s, ldr * n), Output::new(&s, ldt * n));
    let geqrf = s.lib.magma_geqrf_expert(dtype);
    let (ra, ta) = (r.array(), t.array());
    let [ldri, ldti] = [ldr, ldt].map(|x| x as c_int);
    let answer = unsafe {
        geqrf(mi, ni, nbi, s.a(), mi, ra, ldri, ta, ldti, s.tau(), provide, null(), s.info(), B, queue.raw())
    };
    assert_eq!(answer, 0);
    assert_eq!(s.infos(), [0; BATCH]);
    let what = format!("{} {m}x{n} nb {nb} provide_RT {provide}", dtype.letter());
    assert!(s.factors() == tau, "{what}: tau");

    let size = dtype.bytes();
    let element = |bytes: &[u8], at: usize| bytes[at * size..(at + 1) * size].to_vec();
    let zero = vec![0u8; size];
    let one: Vec<u8> = with_scalar!(dtype, T => one::<T>());
    let (a, r, t) = (s.matrices(), r.read(&s), t.read(&s));
    for b in 0..BATCH {
        for j in 0..n {
            for i in 0..m {
                let at = (b * n + j) * m + i;
                let in_block = provide > 0 && j < k && i <= j && i / nb == j / nb;
                let expected = match (in_block, i == j) {
                    (true, true) => one.clone(),
                    (true, false) => zero.clone(),
                    _ => element(&plain, at),
                };
                assert!(element(&a, at) == expected, "{what}: A({i}, {j})");
            }
            let columns_of_r = [0, n, k][provide as usize];
            for i in (0..ldr).filter(|_| j < columns_of_r) {
                let row = if provide == 1 { i } else { j / nb * nb + i };
                let expected = if row <= j { element(&plain, (b * n + j) * m + row) } else { zero.clone() };
                assert!(same(dtype, &r[(b * n + j) * ldr + i], &expected), "{what}: R({i}, {j})");
            }
            if provide > 0 && j < k {
                // The diagonal of T is tau, zeros are below it, and the rows beyond the block are unchanged.
                for i in j % nb..k.min(nb) {
                    let expected = if i == j % nb { element(&tau, b * k + j) } else { zero.clone() };
                    assert!(same(dtype, &t[(b * n + j) * ldt + i], &expected), "{what}: T({i}, {j})");
                }
                assert!(t[(b * n + j) * ldt + ldt - 1].iter().all(|&x| x == 0xa7), "{what}: T beyond its block");
            }
        }
    }
    if provide == 0 {
        let all = |x: &[Vec<u8>]| x.iter().flatten().all(|&b| b == 0xa7);
        assert!(all(&r) && all(&t), "{what}: not provided");
    }
}

fn one<T: tephra_testkit::Scalar>() -> Vec<u8> {
    let mut bytes = vec![0u8; size_of::<T>()];
    match (T::DTYPE, bytes.len()) {
        (Dtype::S | Dtype::C, _) => bytes[..4].copy_from_slice(&1f32.to_ne_bytes()),
        _ => bytes[..8].copy_from_slice(&1f64.to_ne_bytes()),
    }
    bytes
}

/// Whether the bits are equal, or both are zeros of either sign.
fn same(dtype: Dtype, x: &[u8], y: &[u8]) -> bool {
    let positive = |x: &[u8]| {
        let part = if dtype.is_double() { 8 } else { 4 };
        x.chunks(part).all(|p| p[..part - 1].iter().all(|&b| b == 0) && p[part - 1] & 0x7f == 0)
    };
    x == y || (positive(x) && positive(y))
}
