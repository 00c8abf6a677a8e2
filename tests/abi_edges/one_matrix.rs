//! `tephra_?geqrf`, and MAGMA's QR of one matrix: matrices that are divided give the result of a batch of one; panel
//! and workspace sizes. The fuzzer tests wrong arguments and the results of small matrices.

use super::fixture::Fixture;
use std::ffi::c_int;
use tephra_testkit::any_call::call;
use tephra_testkit::library::symbol_name;
use tephra_testkit::memory::{Kind, Memory};
use tephra_testkit::{Dtype, Library};

fn run(s: &Fixture, pattern: &str, arguments: &[u64]) -> c_int {
    // SAFETY: the arguments match the headers' prototypes; the memory is that of the fixture or of the host.
    unsafe { call(s.lib, &symbol_name(pattern, s.dtype), [0.0; 4], arguments) }
}

/// Memory for min(m, n) scalar factors, which MAGMA takes on the host.
fn factors(s: &Fixture, k: usize) -> Vec<u8> {
    vec![0xa7; k * s.dtype.bytes()]
}

#[test]
fn tall_and_wide_matrices_give_what_a_batch_gives() {
    for dtype in Dtype::ALL {
        for (m, n) in [(2100, 40), (5000, 7), (130, 130), (20, 700)] {
            let s = Fixture::new(dtype, m, n);
            let (a, tau, stream) = (s.a_base() as u64, s.tau_base() as u64, s.stream.raw() as u64);
            let [rows, columns, k] = [m, n, m.min(n)].map(|x| x as u64);
            let strided = [rows, columns, a, rows, rows * columns, tau, k, 1, 0, 0, stream];
            assert_eq!(run(&s, "tephra_?geqrf_strided_batched", &strided), 0);
            let of_a_batch = (s.matrices(), s.factors());
            s.restore();
            assert_eq!(run(&s, "tephra_?geqrf", &[rows, columns, a, rows, tau, 0, 0, stream]), 0);
            assert!((s.matrices(), s.factors()) == of_a_batch, "{} {m}x{n}", dtype.letter());
            // The same under MAGMA's name, except for tau.
            s.restore();
            let (mut tau, mut info) = (factors(&s, m.min(n)), 77 as c_int);
            let host = [tau.as_mut_ptr() as u64, &raw mut info as u64];
            assert_eq!(run(&s, "magma_?geqrf2_gpu", &[rows, columns, a, rows, host[0], host[1]]), 0);
            assert!(info == 0 && s.matrices() == of_a_batch.0 && tau == of_a_batch.1[..tau.len()]);
        }
    }
}

#[test]
fn magmas_kept_panels_leave_the_rest_as_it_is() {
    for dtype in Dtype::ALL {
        let (m, n) = (300, 200);
        let s = Fixture::new(dtype, m, n);
        let nb = run(&s, "magma_get_?geqrf_nb", &[m as u64, n as u64]) as usize;
        assert_eq!(nb, if dtype == Dtype::S { 96 } else { 64 });
        // The first member holds the matrix, and the memory from the second one on holds T.
        let (a, e) = (s.a_base() as u64, dtype.bytes());
        let t = a + (m * n * e) as u64;
        let (mut tau, mut info) = (factors(&s, n), 77 as c_int);
        let (tau_at, info_at) = (tau.as_mut_ptr() as u64, &raw mut info as u64);
        let before = s.matrices();
        assert_eq!(run(&s, "magma_?geqrf2_gpu", &[300, 200, a, 300, tau_at, info_at]), 0);
        let lapacks = (s.matrices(), tau.clone());
        s.restore();
        assert_eq!(run(&s, "magma_?geqrf_gpu", &[300, 200, a, 300, tau_at, t, info_at]), 0);
        let kept = s.matrices();
        assert!((info, &tau) == (0, &lapacks.1), "{}", dtype.letter());
        let columns = (n - 1) / nb * nb;
        for j in 0..n {
            for i in 0..m {
                let at = (i + j * m) * e..(i + j * m + 1) * e;
                let in_block = j < columns && i / nb == j / nb && i <= j;
                assert!(in_block || kept[at.clone()] == lapacks.0[at], "{} ({i},{j})", dtype.letter());
            }
        }
        // T of these columns, and the inverses after the T of all columns; the call must not change the rest.
        let start = m * n * e;
        let written = |column: usize| (start + column * nb * e)..(start + (column + columns) * nb * e);
        let room = start..before.len();
        for at in room.filter(|at| !written(0).contains(at) && !written(n).contains(at)) {
            assert_eq!(kept[at], before[at], "{} byte {at}", dtype.letter());
        }
        // The kept panels give the same Q as LAPACK's form.
        let sizes = [300, 200, 200, a, 300, tau_at, t, nb as u64, info_at];
        assert_eq!(run(&s, "magma_?orgqr_gpu", &sizes), 0);
        let q = s.matrices();
        s.restore();
        assert_eq!(run(&s, "magma_?geqrf2_gpu", &[300, 200, a, 300, tau_at, info_at]), 0);
        assert_eq!(run(&s, "magma_?orgqr_gpu", &sizes), 0);
        assert!(s.matrices()[..start] == q[..start] && info == 0);
    }
}

#[test]
fn magmas_ormqr_tells_its_workspace() {
    for dtype in Dtype::ALL {
        let s = Fixture::new(dtype, 10, 10);
        let (mut work, mut info) = ([0f64; 2], 77 as c_int);
        let places = [work.as_mut_ptr() as u64, &raw mut info as u64];
        let trans = if dtype.is_complex() { 113 } else { 112 };
        let ask = |side: u64, [m, n, k]: [u64; 3], lwork: c_int| {
            let order = if side == 141 { m } else { n };
            let (lda, ldc) = (order.max(1), m.max(1));
            let head = [side, trans, m, n, k, s.a_base() as u64, lda, places[0], s.a_base() as u64, ldc];
            run(&s, "magma_?ormqr_gpu", &[&head[..], &[places[0], lwork as u64, 0, 64, places[1]]].concat())
        };
        let told = || match dtype.is_double() {
            // SAFETY: the value is read with the type that the call writes.
            true => unsafe { (&raw const work).cast::<f64>().read_volatile() },
            false => f64::from(unsafe { (&raw const work).cast::<f32>().read_volatile() }),
        };
        assert_eq!(ask(141, [100, 30, 20], -1), 0);
        assert_eq!(told(), f64::from((100 - 20 + 64) * (30 + 64) + 30 * 64));
        assert_eq!(ask(142, [100, 30, 20], -1), 0);
        assert_eq!(told(), f64::from((30 - 20 + 64) * (100 + 64) + 100 * 64));
        // Nothing to do.
        assert_eq!(ask(141, [0, 30, 0], 1 << 20), 0);
        assert_eq!(told(), 1.0);
        // Rounded up in single precision, which cannot represent the integer.
        assert_eq!(ask(141, [16_777_217, 1, 0], -1), 0);
        let needed = (16_777_217.0 + 64.0) * 65.0 + 64.0;
        assert!(told() >= needed && told() < needed * 1.000_001, "{}", told());
        assert_eq!(ask(141, [100, 30, 101], -1), -5, "sizes are looked at all the same");
        assert_eq!(info, -5);
        assert!(s.is_untouched());
    }
}

#[test]
fn panels_are_magmas() {
    let lib = Library::required();
    for (letter, expected) in [("s", [96, 128, 256, 512]), ("d", [64, 128, 128, 256]), ("c", [64, 128, 128, 128])] {
        // SAFETY: the arguments match MAGMA's prototype.
        let nb = |n: u64| unsafe { call(lib, &format!("magma_get_{letter}geqrf_nb"), [0.0; 4], &[1 << 20, n]) };
        assert_eq!([3000, 5000, 9000, 30000].map(nb), expected, "{letter}");
    }
}

/// jpvt is in host memory and tau in the backend's. Also tests chosen columns, and a query that accesses no pointer.
#[test]
fn magmas_pivoted_factorisation_is_the_batched_one() {
    for dtype in Dtype::ALL {
        for (m, n) in [(30, 20), (20, 45), (300, 130)] {
            let s = Fixture::new(dtype, m, n);
            let (a, tau, stream) = (s.a_base() as u64, s.tau_base() as u64, s.stream.raw() as u64);
            let [rows, columns, k] = [m, n, m.min(n)].map(|x| x as u64);
            let choice: Vec<c_int> = (0..n).map(|j| c_int::from(j % 7 == 3)).collect();
            let device = Memory::new(s.lib, Kind::Device, n * size_of::<c_int>()).unwrap();
            device.write(&choice).unwrap();
            let mut bytes = 0usize;
            let sizes = [rows, columns, rows, rows * columns, columns, k, 1, &raw mut bytes as u64];
            assert_eq!(run(&s, "tephra_?geqp3_strided_batched_workspace", &sizes), 0);
            let work = Memory::new(s.lib, Kind::Device, bytes.max(16)).unwrap();
            let strided = [rows, columns, a, rows, rows * columns, device.pointer() as u64, columns, tau, k, 0, 1];
            let rest = [work.pointer() as u64, bytes as u64, stream];
            assert_eq!(run(&s, "tephra_?geqp3_strided_batched", &[&strided[..], &rest].concat()), 0);
            let of_a_batch = (s.matrices(), s.factors());
            let mut expected = vec![0 as c_int; n];
            device.read(&mut expected).unwrap();
            let (mut jpvt, mut info) = (choice.clone(), 77 as c_int);
            let host = [jpvt.as_mut_ptr() as u64, &raw mut info as u64];
            // Complex matrices also have a real workspace.
            let tail = if dtype.is_complex() { vec![0, 0, 0, host[1]] } else { vec![0, 0, host[1]] };
            s.restore();
            let head = [rows, columns, a, rows, host[0], tau];
            assert_eq!(run(&s, "magma_?geqp3_gpu", &[&head[..], &tail].concat()), 0);
            assert!(info == 0 && jpvt == expected && (s.matrices(), s.factors()) == of_a_batch, "{}", dtype.letter());
            // On a queue.
            let (queue, mut sizes) = (s.queue(), [0 as c_int; 2]);
            let [of_host, of_device] = [&raw mut sizes[0] as u64, &raw mut sizes[1] as u64];
            s.restore();
            jpvt.copy_from_slice(&choice);
            let more = [0, of_host, 0, of_device, host[1], queue.raw() as u64];
            assert_eq!(run(&s, "magma_?geqp3_expert_gpu_work", &[&head[..], &more].concat()), 0);
            assert!(info == 0 && jpvt == expected && (s.matrices(), s.factors()) == of_a_batch, "{}", dtype.letter());
            // The query in the form in which JAX makes it.
            sizes = [-1, -1];
            let query = [rows, columns, 0, rows, 0, 0, 0, of_host, 0, of_device, host[1], 0];
            assert_eq!(run(&s, "magma_?geqp3_expert_gpu_work", &query), 0);
            let elements = (n + 1) * 32 + if dtype.is_complex() { n } else { 2 * n };
            assert_eq!(([info, sizes[0]], sizes[1] as usize), ([0, 0], elements * dtype.bytes()));
            // Argument numbers.
            for (at, value) in [(0, -1i64), (1, -1), (3, m as i64 - 1), (4, 0), (5, 0)] {
                let mut wrong = [&head[..], &tail].concat();
                wrong[at] = value as u64;
                assert_eq!((run(&s, "magma_?geqp3_gpu", &wrong), info), (-(at as c_int + 1), -(at as c_int + 1)));
            }
        }
    }
}
