//! MAGMA's functions that work on blocks of their members, and the one that works on host memory.

use std::ffi::{c_int, c_void};
use tephra_testkit::memory::{Kind, Memory, Stream};
use tephra_testkit::{Library, any_call, words};

type Array = *const *mut c_void;

const LD: usize = 40;
const BATCH: usize = 3;

/// LD x LD matrices of small integers, so that sums are exact.
fn numbers(salt: usize) -> Vec<f64> {
    (0..BATCH * LD * LD).map(|i| ((i * 7919 + salt) % 9) as f64 - 4.0).collect()
}

fn at(x: &[f64], i: usize, row: usize, column: usize) -> f64 {
    x[i * LD * LD + row + column * LD]
}

struct Device {
    data: Memory,
    array: Memory,
}

impl Device {
    fn new(lib: &'static Library, data: &[f64]) -> Device {
        let data = Memory::from_slice(lib, data).unwrap();
        let array = Memory::new(lib, Kind::Device, BATCH * size_of::<usize>()).unwrap();
        let starts: Vec<usize> = (0..BATCH).map(|i| data.pointer() as usize + i * LD * LD * 8).collect();
        array.write(&starts).unwrap();
        Device { data, array }
    }
    fn array(&self) -> Array {
        self.array.pointer().cast()
    }
    fn read(&self) -> Vec<f64> {
        let mut data = vec![0.0; BATCH * LD * LD];
        self.data.read(&mut data).unwrap();
        data
    }
}

#[test]
fn blocks_of_members_are_multiplied() {
    let lib = Library::required();
    let stream = Stream::new(lib).unwrap();
    let queue = lib.magma_queue_on(stream.raw()).unwrap();
    let (a, b, c) = (numbers(1), numbers(5), numbers(3));
    for name in ["magma_dgemm_batched_core", "magmablas_dgemm_batched_core", "magmablas_dgemm_batched_smallsq"] {
        for (m, n, k) in [(7, 7, 7), (20, 17, 9), (20, 1, 9)] {
            let [da, db, dc] = [&a, &b, &c].map(|x| Device::new(lib, x));
            let ld = LD as c_int;
            // SAFETY: the arguments match the header's prototypes, and the blocks lie within their members.
            unsafe {
                let (pa, pb, pc) = (da.array(), db.array(), dc.array());
                let arguments =
                    words![111, 112, m, n, k, pa, 3, 5, ld, pb, 1, 0, ld, pc, 2, 11, ld, BATCH, queue.raw()];
                any_call::call(lib, name, [2.0, -1.0, 0.0, 0.0], arguments);
            }
            stream.synchronize().unwrap();
            let got = dc.read();
            for i in 0..BATCH {
                for column in 0..LD {
                    for row in 0..LD {
                        let (r, s) = (row.wrapping_sub(2), column.wrapping_sub(11));
                        let was = at(&c, i, row, column);
                        let inside = r < m as usize && s < n as usize;
                        let sum = |l: usize| at(&a, i, 3 + r, 5 + l) * at(&b, i, 1 + s, l);
                        let expected = if inside { 2.0 * (0..k as usize).map(sum).sum::<f64>() - was } else { was };
                        assert_eq!(at(&got, i, row, column), expected, "{name} {m}x{n}x{k} ({row}, {column})");
                    }
                }
            }
        }
    }
}

/// A part of a vector is at the same place whatever the sign of its increment, which says where it begins.
#[test]
fn parts_of_vectors_are_traversed_from_either_end() {
    let lib = Library::required();
    let stream = Stream::new(lib).unwrap();
    let queue = lib.magma_queue_on(stream.raw()).unwrap();
    let (a, x, y) = (numbers(1), numbers(5), numbers(3));
    let [da, dx, dy] = [&a, &x, &y].map(|x| Device::new(lib, x));
    // SAFETY: the arguments match the header's prototype, and the parts lie within their members.
    unsafe {
        let (pa, px, py) = (da.array(), dx.array(), dy.array());
        let arguments = words![111, 4, 3, pa, 0, 0, LD, px, 2, -2, py, 1, -3, BATCH, queue.raw()];
        any_call::call(lib, "magmablas_dgemv_batched_core", [1.0, 0.0, 0.0, 0.0], arguments);
    }
    stream.synchronize().unwrap();
    let got = dy.read();
    for i in 0..BATCH {
        let (own_x, own_y) = (&x[i * LD * LD..], &y[i * LD * LD..]);
        for e in 0..LD * LD {
            // Row r is the element 4 - r from the part's start on.
            let row = (e % 3 == 0 && (1..5).contains(&(e / 3))).then(|| 4 - e / 3);
            let sum = |row: usize| (0..3).map(|c| at(&a, i, row, c) * own_x[4 + 2 * (2 - c)]).sum::<f64>();
            assert_eq!(got[i * LD * LD + e], row.map_or(own_y[e], sum), "{e}");
        }
    }
}

/// The same of triangular solves: that part of the vector is overwritten, and nothing else.
#[test]
fn parts_of_vectors_are_solved_from_either_end() {
    const N: usize = 4;
    let lib = Library::required();
    let stream = Stream::new(lib).unwrap();
    let queue = lib.magma_queue_on(stream.raw()).unwrap();
    let (a, x) = (numbers(1), numbers(5));
    for (increment, first, step) in [(2, 6, 2), (-2, 12, -2)] {
        let [da, dx] = [&a, &x].map(|x| Device::new(lib, x));
        // SAFETY: the arguments match the header's prototype, and the parts lie within their members.
        unsafe {
            // A unit lower triangle that begins at row 1 and column 2, and the vector at its element 3.
            let arguments =
                words![122, 111, 132, N, da.array(), 1, 2, LD, dx.array(), 3, increment, BATCH, queue.raw()];
            any_call::call(lib, "magmablas_dtrsv_recursive_batched", [0.0; 4], arguments);
        }
        stream.synchronize().unwrap();
        let got = dx.read();
        for i in 0..BATCH {
            let mut expected = x[i * LD * LD..][..LD * LD].to_vec();
            let place = |row: usize| (first + row as i32 * step) as usize;
            for row in 0..N {
                let sum: f64 = (0..row).map(|c| at(&a, i, 1 + row, 2 + c) * expected[place(c)]).sum();
                expected[place(row)] -= sum;
            }
            assert_eq!(got[i * LD * LD..][..LD * LD], expected, "{increment}");
        }
    }
}

#[test]
fn parts_of_vectors_are_multiplied() {
    let lib = Library::required();
    let stream = Stream::new(lib).unwrap();
    let queue = lib.magma_queue_on(stream.raw()).unwrap();
    let (a, x, y) = (numbers(1), numbers(5), numbers(3));
    let [da, dx, dy] = [&a, &x, &y].map(|x| Device::new(lib, x));
    // Offsets into vectors count increments: with increment 2, element 4 of x is the ninth stored number.
    // SAFETY: the arguments match the header's prototypes, and the blocks lie within their members.
    unsafe {
        let (pa, px, py) = (da.array(), dx.array(), dy.array());
        let arguments = words![112, 9, 6, pa, 3, 5, LD, px, 4, 2, py, 1, 3, BATCH, queue.raw()];
        any_call::call(lib, "magmablas_dgemv_batched_core", [1.0, 3.0, 0.0, 0.0], arguments);
        // x := L^-1 x with a unit lower L, for elements 5 to 7 of a vector with increment 3.
        let arguments = words![122, 111, 132, 3, pa, 3, 5, LD, px, 5, 3, BATCH, queue.raw()];
        any_call::call(lib, "magmablas_dtrsv_recursive_batched", [0.0; 4], arguments);
    }
    stream.synchronize().unwrap();
    let (got, solved) = (dy.read(), dx.read());
    for i in 0..BATCH {
        let x = &x[i * LD * LD..][..LD * LD];
        let mut solution = x.to_vec();
        for j in 0..3 {
            let known: f64 = (0..j).map(|l| at(&a, i, 3 + j, 5 + l) * solution[15 + 3 * l]).sum();
            solution[15 + 3 * j] -= known;
        }
        for e in 0..LD * LD {
            let (was, j) = (y[i * LD * LD + e], e / 3);
            let sum = |l: usize| at(&a, i, 3 + l, 5 + j - 1) * x[8 + 2 * l];
            let inside = e % 3 == 0 && (1..7).contains(&j);
            let expected = if inside { (0..9).map(sum).sum::<f64>() + 3.0 * was } else { was };
            assert_eq!(got[i * LD * LD + e], expected, "{e}");
            assert_eq!(solved[i * LD * LD + e], solution[e], "{e}");
        }
    }
}

#[test]
fn host_memory_is_multiplied_on_the_host() {
    let (a, b, mut c) = (numbers(1), numbers(5), vec![f64::NAN; BATCH * LD * LD]);
    let starts =
        |x: &[f64]| -> Vec<*mut c_void> { (0..BATCH).map(|i| x[i * LD * LD..].as_ptr().cast_mut().cast()).collect() };
    let (pa, pb) = (starts(&a), starts(&b));
    let pc: Vec<*mut c_void> = (0..BATCH).map(|i| c[i * LD * LD..].as_mut_ptr().cast()).collect();
    let (n, ld) = (12, LD as c_int);
    // SAFETY: the arguments match the header's prototype, and the memory has these sizes.
    unsafe {
        let arguments = words![111, 111, n, n, n, pa.as_ptr(), ld, pb.as_ptr(), ld, pc.as_ptr(), ld, BATCH];
        any_call::call(Library::required(), "blas_dgemm_batched", [1.0, 0.0, 0.0, 0.0], arguments);
    }
    for i in 0..BATCH {
        for column in 0..LD {
            for row in 0..LD {
                let sum = |l: usize| at(&a, i, row, l) * at(&b, i, l, column);
                let inside = row < 12 && column < 12;
                let got = at(&c, i, row, column);
                assert!(if inside { got == (0..12).map(sum).sum::<f64>() } else { got.is_nan() });
            }
        }
    }
}
