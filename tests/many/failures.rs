//! Calls that cannot succeed: all ranks return an error, and none of them waits forever.

use super::ranks::{Connection, DeferredFree, with_ranks};
use std::ffi::c_int;
use std::ptr::null_mut;
use std::time::{Duration, Instant};
use tephra_testkit::Library;
use tephra_testkit::library::many::*;
use tephra_testkit::memory::{Kind, Memory};

const COMMUNICATION_ERROR: c_int = 6;

/// A call on m x n with this leading dimension; returns its status and message.
fn call(comm: Raw, part: c_int, m: i64, n: i64, lda: i64) -> (c_int, String) {
    let qr: QrDistributed = named("tephra_dqr_distributed");
    let room = |elements: i64| -> DeferredFree {
        Memory::new(Library::required(), Kind::Device, elements.max(1) as usize * 8).unwrap().into()
    };
    let (a, q, r) = (room(100 * 20), room(100 * 20), room(20 * 20));
    a.write(&vec![1.0f64; 2000]).unwrap();
    r.write(&[77.0f64; 400]).unwrap();
    let code = unsafe { qr(comm, part, m, n, a.pointer(), lda, q.pointer(), 100, r.pointer(), 20, null_mut()) };
    let mut after = [0.0f64; 400];
    r.read(&mut after).unwrap();
    assert!(code == 0 || after == [77.0; 400], "R was written in spite of status {code}");
    let text = if code == 0 { String::new() } else { Library::required().last_error() };
    (code, text)
}

fn codes(results: &[(c_int, String)]) -> Vec<c_int> {
    results.iter().map(|result| result.0).collect()
}

#[test]
fn other_sizes_on_one_rank_fail_on_all() {
    for connection in Connection::ALL {
        let results = with_ranks(connection, 3, |rank, comm| {
            let wide = call(comm, 1, 50, if rank == 2 { 9 } else { 8 }, 100);
            // The communicator can still be used for the next call.
            assert_eq!(call(comm, 1, 50, 8, 100).0, 0);
            wide
        });
        assert_eq!(codes(&results), [COMMUNICATION_ERROR; 3]);
        assert!(results[0].1.contains("rank 2 has 9 columns, and rank 0 has 8"), "{}", results[0].1);
    }
}

#[test]
fn a_rank_with_wrong_arguments_says_which_and_the_others_who() {
    for connection in Connection::ALL {
        let results = with_ranks(connection, 3, |rank, comm| call(comm, 1, 50, 8, if rank == 1 { 10 } else { 100 }));
        assert_eq!(codes(&results), [COMMUNICATION_ERROR, -6, COMMUNICATION_ERROR]);
        assert!(results[1].1.contains("argument lda is 10, but must be at least 50"), "{}", results[1].1);
        assert!(results[0].1.contains("rank 1 cannot do its part"), "{}", results[0].1);
        let results = with_ranks(connection, 2, |rank, comm| call(comm, rank as c_int, 50, 8, 100));
        assert_eq!(codes(&results), [COMMUNICATION_ERROR; 2]);
        let results = with_ranks(connection, 2, |_, comm| call(comm, 2, 50, 8, 100));
        assert_eq!(codes(&results), [-2; 2]);
    }
}

#[test]
fn wide_matrices_are_refused_by_all() {
    let results = with_ranks(Connection::Own, 2, |rank, comm| call(comm, 0, 2 + rank as i64, 8, 100));
    assert_eq!(codes(&results), [-3; 2]);
    assert!(results[0].1.contains("adds up to 5 over all ranks, but there are 8 columns"), "{}", results[0].1);
    let results = with_ranks(Connection::Own, 2, |_, comm| call(comm, 1, 50, 0, 100));
    assert_eq!(codes(&results), [0; 2]);
}

#[test]
fn a_nan_is_seen_on_all_ranks() {
    let results = with_ranks(Connection::Own, 2, |rank, comm| {
        let qr: QrDistributed = named("tephra_dqr_distributed");
        let mut data: Vec<f64> = (0..200).map(|i| f64::from(i * i % 17 + 1)).collect();
        if rank == 1 {
            data[70] = f64::NAN;
        }
        let room = |elements: usize| -> DeferredFree {
            Memory::new(Library::required(), Kind::Device, elements * 8).unwrap().into()
        };
        let (a, r) = (room(200), room(25));
        a.write(&data).unwrap();
        assert_eq!(unsafe { qr(comm, 0, 40, 5, a.pointer(), 40, null_mut(), 40, r.pointer(), 5, null_mut()) }, 0);
        let mut triangle = [0.0f64; 25];
        r.read(&mut triangle).unwrap();
        triangle[24].is_nan()
    });
    assert_eq!(results, [true; 2]);
}

#[test]
fn who_waits_in_vain_is_told() {
    let started = Instant::now();
    let results = with_ranks(Connection::OneDevice, 3, |rank, comm| {
        let set: unsafe extern "C" fn(Raw, f64) -> c_int = named("tephra_comm_set_timeout");
        assert_eq!(unsafe { set(comm, 0.3) }, 0);
        assert_eq!(unsafe { set(comm, 0.0) }, -2);
        if rank == 1 { (0, String::new()) } else { call(comm, 0, 50, 8, 100) }
    });
    assert_eq!(codes(&results), [COMMUNICATION_ERROR, 0, COMMUNICATION_ERROR]);
    assert!(started.elapsed() < Duration::from_secs(30));
}

#[test]
fn communicators_refuse_what_cannot_be() {
    type Create = unsafe extern "C" fn(c_int, c_int, Raw, Raw, Raw, *mut Raw) -> c_int;
    let (create, mut comm): (Create, _) = (named("tephra_comm_create"), null_mut());
    let some = 16 as Raw;
    assert_eq!(unsafe { create(3, 3, some, some, null_mut(), &mut comm) }, -1);
    assert_eq!(unsafe { create(0, 0, some, some, null_mut(), &mut comm) }, -2);
    assert_eq!(unsafe { create(0, 3, null_mut(), some, null_mut(), &mut comm) }, -3);
    assert_eq!(unsafe { create(0, 3, some, some, null_mut(), null_mut()) }, -6);
    assert_eq!(call(null_mut(), 0, 5, 3, 100).0, -1);
    let of_nccl: unsafe extern "C" fn(Raw, *mut Raw) -> c_int = named("tephra_comm_from_nccl");
    assert_eq!(unsafe { of_nccl(null_mut(), &mut comm) }, -1);
    let destroy: unsafe extern "C" fn(Raw) -> c_int = named("tephra_comm_destroy");
    assert_eq!(unsafe { destroy(null_mut()) }, 0);
}
