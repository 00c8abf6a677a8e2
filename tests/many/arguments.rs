//! Which argument is reported if several are bad, and calls without anything to do.

use super::ranks::{Connection, with_ranks};
use std::ptr::{null, null_mut};
use tephra_testkit::library::many::*;

const N: i32 = 111;

#[test]
fn numbers_are_reported_before_addresses() {
    let (geqrf, ormqr): (GeqrfTiled, OrmqrTiled) = (named("tephra_dgeqrf_tiled"), named("tephra_dormqr_tiled"));
    let (orgqr, gels): (OrgqrTiled, GelsTiled) = (named("tephra_dorgqr_tiled"), named("tephra_dgels_tiled"));
    let (geqrf_host, tsize): (GeqrfHost, GeqrfTiledTsize) =
        (named("tephra_dgeqrf_host"), named("tephra_dgeqrf_tiled_tsize"));
    let (mut of_a, mut of_t) = ([1.0f64; 16], [0.0f64; 400]);
    let (a, t, none): (Raw, Raw, Raw) = (of_a.as_mut_ptr().cast(), of_t.as_mut_ptr().cast(), null_mut());
    unsafe {
        let tiled = |lda, nb, elements, ahead| geqrf(4, 3, none, lda, nb, t, elements, ahead, None, none);
        let codes = [tiled(1, -1, 0, -1), tiled(1, 0, 0, -1), tiled(4, 0, 0, -1), tiled(4, 0, 400, -1)];
        assert_eq!(codes, [-5, -4, -7, -8]);
        assert_eq!([tiled(4, 0, 400, 0), geqrf(4, 3, a, 4, 0, none, 400, 0, None, none)], [-3, -6]);

        let by_tiles = |k, lda, elements, ldc| ormqr(N, 4, 2, k, none, lda, none, elements, none, ldc);
        assert_eq!([by_tiles(5, 1, 0, 1), by_tiles(3, 1, 0, 1), by_tiles(3, 4, 0, 1)], [-4, -6, -8]);
        assert_eq!([by_tiles(3, 4, 400, 1), by_tiles(3, 4, 400, 4)], [-10, -5]);

        let of_tiles = |lda, elements, ldq| orgqr(4, 3, 3, none, lda, none, elements, none, ldq);
        assert_eq!([of_tiles(1, 0, 1), of_tiles(4, 0, 1), of_tiles(4, 400, 1), of_tiles(4, 400, 4)], [-5, -7, -9, -4]);

        let solve = |lda, ldb, nb| gels(N, 4, 3, 1, none, lda, none, ldb, nb, null_mut());
        assert_eq!([solve(1, 1, -1), solve(1, 1, 0), solve(4, 1, 0), solve(4, 4, 0)], [-9, -6, -8, -5]);

        let host = |lda, budget, count| geqrf_host(4, 3, none, lda, none, budget, count, null(), None, none);
        assert_eq!([host(1, -1, -1), host(4, -1, -1), host(4, 0, -1), host(4, 0, 1)], [-4, -6, -7, -3]);
        assert_eq!(geqrf_host(4, 3, a, 4, t, 0, 1, null(), None, none), -8);

        assert_eq!([tsize(4, 3, -1, null_mut()), tsize(4, 3, 0, null_mut())], [-3, -4]);
    }
}

#[test]
fn numbers_of_ranks_are_reported_before_addresses() {
    let (qr, geqr): (QrDistributed, GeqrDistributed) =
        (named("tephra_dqr_distributed"), named("tephra_dgeqr_distributed"));
    let (gemqr, gels): (GemqrDistributed, GelsDistributed) =
        (named("tephra_dgemqr_distributed"), named("tephra_dgels_distributed"));
    let tsize: GeqrDistributedTsize = named("tephra_dgeqr_distributed_tsize");
    with_ranks(Connection::Callbacks, 1, |_, comm| unsafe {
        let none = null_mut();
        let both = |lda, ldq, ldr| qr(comm, 1, 4, 3, none, lda, none, ldq, none, ldr, none);
        assert_eq!([both(1, 1, 1), both(4, 1, 1), both(4, 4, 1), both(4, 4, 3)], [-6, -8, -10, -5]);
        let implicit = |lda, elements, ldr| geqr(comm, 4, 3, none, lda, none, elements, none, ldr, none);
        assert_eq!([implicit(1, 0, 1), implicit(4, 0, 1), implicit(4, 400, 1)], [-5, -7, -9]);
        assert_eq!(implicit(4, 400, 3), -4);
        let product = |lda, elements, ldc| gemqr(comm, N, 4, 2, 3, none, lda, none, elements, none, ldc, none);
        assert_eq!([product(1, 0, 1), product(4, 0, 1), product(4, 400, 1)], [-7, -9, -11]);
        assert_eq!(product(4, 400, 4), -6);
        let solve = |nrhs, lda, ldb, ldx| gels(comm, 4, 3, nrhs, none, lda, none, ldb, none, ldx, none, none);
        assert_eq!([solve(-1, 1, 1, 1), solve(1, 1, 1, 1), solve(1, 4, 1, 1)], [-4, -6, -8]);
        assert_eq!([solve(1, 4, 4, 1), solve(1, 4, 4, 3)], [-10, -5]);
        assert_eq!([tsize(comm, -1, 3, null_mut()), tsize(comm, 3, 3, null_mut())], [-2, -4]);
        // No operand can have so many elements.
        const MOST: i64 = i64::MAX;
        assert_eq!([both(MOST, 4, 3), both(4, MOST, 3), both(4, 4, MOST), implicit(MOST, 400, 3)], [-6, -8, -10, -5]);
        assert_eq!([implicit(4, 400, MOST), product(MOST, 400, 4), product(4, 400, MOST)], [-9, -7, -11]);
        assert_eq!([solve(1, MOST, 4, 3), solve(1, 4, 4, MOST), solve(2, 4, MOST, 3)], [-6, -10, -8]);
        assert_eq!([solve(MOST, 1, 4, 3), tsize(comm, MOST, 3, null_mut())], [-4, -2]);
        assert_eq!(qr(comm, 1, MOST, 3, none, 4, none, 4, none, 3, none), -3);
    });
}

#[test]
fn empty_batches_need_no_pointers() {
    let (parts, host): (RunParts, RunHost) = (named("tephra_run_parts"), named("tephra_run_host"));
    let none = null_mut();
    let of_parts = |count| unsafe { parts(count, null(), null(), None, none) };
    assert_eq!([of_parts(-1), of_parts(0), of_parts(1)], [-1, 0, -2]);
    let of_host =
        |count, number, chunk| unsafe { host(count, number, null(), null(), null(), chunk, 0, null(), None, none) };
    assert_eq!([of_host(-1, 2, 0), of_host(0, -1, 0), of_host(0, 2, -1), of_host(0, 2, 0)], [-1, -2, -6, 0]);
    assert_eq!([of_host(5, 2, 0), of_host(5, 0, 0)], [-3, -9]);
}
