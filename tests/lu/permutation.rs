//! lu_to_permutation, checked exactly against a plain loop.

use std::ffi::{c_int, c_void};
use std::ptr::null_mut;
use tephra_testkit::memory::{Kind, Memory};
use tephra_testkit::{Library, Rng, any_call, words};

const NULL: *mut c_void = null_mut();

/// The contents of memory that must not be written.
const RED: i32 = 0x5a5a_5a5a;

fn pointers(arguments: &[u64]) -> c_int {
    call("tephra_lu_to_permutation_batched", arguments)
}

fn strided(arguments: &[u64]) -> c_int {
    call("tephra_lu_to_permutation_strided_batched", arguments)
}

fn call(symbol: &str, arguments: &[u64]) -> c_int {
    // SAFETY: the arguments match include/tephra.h, with memory for the given sizes; invalid calls access no memory.
    unsafe { any_call::call(Library::required(), symbol, [0.0; 4], arguments) }
}

/// Copies values to the backend's memory.
fn to_backend<T: Copy>(numbers: &[T]) -> Memory {
    let memory = Memory::new(Library::required(), Kind::Device, size_of_val(numbers).max(8)).unwrap();
    memory.write(numbers).unwrap();
    memory
}

fn from_backend(memory: &Memory, count: usize) -> Vec<i32> {
    let mut numbers = vec![0; count];
    memory.read(&mut numbers).unwrap();
    numbers
}

/// The definition, row by row. Interchanges that name no row are skipped.
fn plain(m: usize, ipiv: &[i32]) -> Vec<i32> {
    let mut perm: Vec<i32> = (1..=m as i32).collect();
    for (j, &row) in ipiv.iter().enumerate() {
        if row >= 1 && row <= m as i32 {
            perm.swap(j, row as usize - 1);
        }
    }
    perm
}

/// How the interchanges are drawn.
#[derive(Clone, Copy, Debug)]
enum Draw {
    /// Like getrf's: among the rows from the current one on.
    Below,
    /// Among all rows.
    Any,
    /// Also outside the matrix.
    Outside,
}

impl Draw {
    fn row(self, rng: &mut Rng, m: usize, j: usize) -> i32 {
        match self {
            Draw::Below => (1 + j + rng.below(m - j)) as i32,
            Draw::Outside if rng.one_in(3) => *rng.pick(&[0, -1, m as i32 + 1, i32::MAX, i32::MIN]),
            Draw::Any | Draw::Outside => 1 + rng.below(m) as i32,
        }
    }
}

/// Checks both functions, with gaps between the members that must stay unchanged.
fn check(m: usize, k: usize, batch: usize, draw: Draw) {
    let what = format!("m {m}, k {k}, batch {batch}, {draw:?}");
    let mut rng = Rng::new((m * 31 + k * 7 + batch) as u64);
    let (stride_ipiv, stride_perm) = (k + 3, m + 5);
    let all: Vec<i32> = (0..batch * stride_ipiv).map(|at| draw.row(&mut rng, m, at % stride_ipiv % m)).collect();
    let expected: Vec<i32> =
        (0..batch).flat_map(|i| plain(m, &all[i * stride_ipiv..][..k]).into_iter().chain([RED; 5])).collect();
    let ipiv = to_backend(&all);
    let size = batch * stride_perm;

    let perm = to_backend(&vec![RED; size]);
    let (from, to) = (ipiv.pointer(), perm.pointer());
    let code = strided(words![m, k, from, stride_ipiv, to, stride_perm, batch, NULL]);
    assert_eq!((code, from_backend(&perm, size) == expected), (0, true), "{what}");

    // The same members by pointers in reverse order.
    let perm = to_backend(&vec![RED; size]);
    let of = |base: *mut c_void, stride: usize| {
        let at = |i: usize| base.wrapping_byte_add(4 * stride * (batch - 1 - i)) as usize;
        to_backend(&(0..batch).map(at).collect::<Vec<_>>())
    };
    let (from, to) = (of(ipiv.pointer(), stride_ipiv), of(perm.pointer(), stride_perm));
    let code = pointers(words![m, k, from.pointer(), to.pointer(), batch, NULL]);
    assert_eq!((code, from_backend(&perm, size) == expected), (0, true), "{what}, pointers");
}

#[test]
fn permutations_are_those_of_a_plain_loop() {
    for m in [1, 2, 3, 7, 31, 32, 33, 64, 65, 100, 255, 257, 600] {
        for k in [0, 1, m / 2, m - 1, m] {
            for batch in [1, 3, 9] {
                for draw in [Draw::Below, Draw::Any, Draw::Outside] {
                    check(m, k.min(m), batch, draw);
                }
            }
        }
    }
    // Around the largest size that kernels hold, and beyond.
    for m in [1023, 1024, 1025, 4096, 12_288, 12_289, 20_000] {
        for k in [1, 33, m - 1, m] {
            check(m, k, 2, Draw::Below);
            check(m, k, 1, Draw::Outside);
        }
    }
}

#[test]
fn batches_beyond_the_limits_of_a_grid() {
    for (m, k) in [(1, 1), (5, 3), (33, 33)] {
        check(m, k, 65_536, Draw::Any);
    }
}

/// One list of interchanges for all members.
#[test]
fn interchanges_may_be_shared() {
    let list = [3, 3, 4, 4];
    let (ipiv, perm) = (to_backend(&list), to_backend(&[RED; 20]));
    let code = strided(words![5, 4, ipiv.pointer(), 0, perm.pointer(), 5, 4, NULL]);
    assert_eq!((code, from_backend(&perm, 20)), (0, plain(5, &list).repeat(4)));
    assert_eq!(from_backend(&perm, 5), [3, 1, 4, 2, 5]);
}

#[test]
fn wrong_arguments_are_named() {
    let (ipiv, perm) = (to_backend(&[1, 2, 3, 1, 2, 3]), to_backend(&[RED; 10]));
    let (lists, places) = (to_backend(&[ipiv.pointer() as usize; 2]), to_backend(&[perm.pointer() as usize; 2]));
    let (from, to, none, stream) = (ipiv.pointer(), perm.pointer(), NULL, NULL);
    const MOST: i64 = i64::MAX;
    let (lists, places) = (lists.pointer(), places.pointer());
    let refused = [
        (pointers(words![-1, 0, lists, places, 2, stream]), -1),
        (pointers(words![1i64 << 31, 3, lists, places, 2, stream]), -1),
        (pointers(words![5, -1, lists, places, 2, stream]), -2),
        (pointers(words![5, 6, lists, places, 2, stream]), -2),
        (pointers(words![5, 3, none, places, 2, stream]), -3),
        (pointers(words![5, 3, lists, none, 2, stream]), -4),
        (pointers(words![5, 0, none, none, 2, stream]), -4),
        (pointers(words![5, 3, lists, places, -1, stream]), -5),
        (pointers(words![5, 3, lists, places, MOST, stream]), -5),
        (strided(words![-1, 0, from, 3, to, 5, 2, stream]), -1),
        (strided(words![MOST, 0, from, 3, to, MOST, 2, stream]), -1),
        (strided(words![2, 3, from, 3, to, 5, 2, stream]), -2),
        (strided(words![5, 3, none, 3, to, 5, 2, stream]), -3),
        (strided(words![5, 3, from, -1, to, 5, 2, stream]), -4),
        (strided(words![5, 3, from, MOST, to, 5, 2, stream]), -4),
        (strided(words![5, 3, from, 3, none, 5, 2, stream]), -5),
        (strided(words![5, 3, from, 3, to, 4, 2, stream]), -6),
        (strided(words![5, 3, from, 3, to, -5, 2, stream]), -6),
        (strided(words![5, 3, from, 3, to, MOST, 2, stream]), -6),
        (strided(words![5, 3, from, 3, to, 5, -1, stream]), -7),
        (strided(words![5, 3, from, 3, to, 5, MOST, stream]), -7),
        (strided(words![-1, 7, none, -1, none, 0, -1, stream]), -1),
        (strided(words![5, 3, none, 3, none, 4, 2, stream]), -6),
    ];
    for (i, (code, expected)) in refused.into_iter().enumerate() {
        assert_eq!(code, expected, "refusal {i}");
    }
    assert!(Library::required().last_error().contains("lu_to_permutation"));
    assert_eq!(pointers(words![0, 0, none, none, 2, stream]), 0);
    assert_eq!(pointers(words![5, 3, none, none, 0, stream]), 0);
    assert_eq!(strided(words![0, 0, none, 0, none, 1, 2, stream]), 0);
    assert_eq!(from_backend(&perm, 10), [RED; 10]);
    assert_eq!(strided(words![5, 0, none, 0, to, 5, 2, stream]), 0);
    assert_eq!(from_backend(&perm, 10), [1, 2, 3, 4, 5, 1, 2, 3, 4, 5]);
    assert_eq!(strided(words![5, 3, from, -7, to, -1, 1, stream]), 0, "one member has no stride");
}
