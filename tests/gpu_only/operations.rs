//! The same guarantees for the other operations: Q, least squares, triangular solves.

use super::{Ballast, DriverStream, Gpu, gpu};
use tephra_testkit::driver::Node;
use tephra_testkit::guarded::Placement;
use tephra_testkit::matrices::Class;
use tephra_testkit::ops::blocks::{larfb, larft};
use tephra_testkit::ops::products::{PRODUCT_FORMS, gemm, gemv};
use tephra_testkit::ops::q::{Part, orgqr, ormqr, qr, random, reflectors};
use tephra_testkit::ops::solve::{GELS_FORMS, TRSM_FORMS, Triangular, gels, trsm};
use tephra_testkit::ops::{Diag, EntryForm, Output, Prepared, Side, Trans, Uplo};
use tephra_testkit::qr::Session;
use tephra_testkit::scalar::{Field, same_bits};
use tephra_testkit::{C64, Matrix, Result, Scalar};

/// m >= n: sizes of fused kernels, of team kernels, and of blocked algorithms.
const SHAPES: [(usize, usize); 5] = [(8, 8), (33, 20), (100, 70), (300, 16), (260, 150)];
const BATCH: usize = 7;
/// More rows than a cluster holds, in one panel and in several: QR alone, of a few matrices.
const TALL: [(usize, usize); 2] = [(20_000, 32), (20_000, 40)];
const NATIVE: [EntryForm; 2] = [EntryForm::Pointers, EntryForm::Strided];
const WITH_MAGMA: [EntryForm; 3] = [EntryForm::Pointers, EntryForm::Strided, EntryForm::Magma];

/// A prepared call with its description.
struct Call<'a, T> {
    name: String,
    form: EntryForm,
    /// Whether the matrices are from [`TALL`].
    tall: bool,
    /// Whether all reflectors may act at once, if the routine forms or applies Q.
    at_once: bool,
    call: Prepared<'a, T>,
}

impl<T> Call<'_, T> {
    /// cuBLAS's and MAGMA's gels, which have no workspace argument, may take memory from the library's pool, and so may
    /// the panels of tall matrices, and Q of few matrices of middle size.
    fn may_use_the_pool(&self) -> bool {
        let named = |names: &[&str]| names.iter().any(|name| self.name.starts_with(name));
        self.tall
            || self.at_once && named(&["orgqr", "ormqr", "qr", "gels"])
            || named(&["gels"]) && !NATIVE.contains(&self.form)
    }

    /// MAGMA's gels returns codes in host memory, so it waits.
    fn waits(&self) -> bool {
        self.name.starts_with("gels") && self.form == EntryForm::Magma
    }
}

/// The leading rows and columns.
fn top<T: Copy>(a: &Matrix<T>, rows: usize, cols: usize) -> Matrix<T> {
    Matrix::from_fn(rows, cols, |i, j| a[(i, j)])
}

/// Every operation on m x n matrices, in every form.
fn calls<'a, T: Scalar>(session: &'a Session, m: usize, n: usize) -> Result<Vec<Call<'a, T>>> {
    let place = Placement::guarded();
    let (factors, tau) = reflectors::<T>(m, n, BATCH, 5);
    let a = random::<T>(Class::Uniform, m, n, BATCH, 6);
    let (b, few) = (random::<T>(Class::Uniform, m, 3, BATCH, 7), random::<T>(Class::Uniform, n, 3, BATCH, 8));
    let blocks = factors.iter().map(|f| top(f, m, n.min(32))).collect::<Vec<_>>();
    let scalars = tau.iter().map(|t| top(t, n.min(32), 1)).collect::<Vec<_>>();
    let t = larft(session, EntryForm::Pointers, &blocks, &scalars, &place)?.run()?.only();
    let upper = Triangular { side: Side::Left, uplo: Uplo::Upper, trans: Trans::N, diag: Diag::NonUnit };
    let triangles = factors.iter().map(|f| top(f, n, n)).collect::<Vec<_>>();
    let left = (Side::Left, Trans::C);
    let one = T::from_double(<T as Scalar>::Double::ONE);

    let mut calls = Vec::new();
    let mut add =
        |name: &str, forms: &[EntryForm], make: &dyn Fn(EntryForm) -> Result<Prepared<'a, T>>| -> Result<()> {
            for &form in forms {
                let name = format!("{name} {m}x{n} {form:?}");
                calls.push(Call { name, form, tall: false, at_once: m >= 97 && n >= 33, call: make(form)? });
            }
            Ok(())
        };
    add("orgqr", &WITH_MAGMA, &|form| orgqr(session, form, &factors, &tau, &place))?;
    add("ormqr", &WITH_MAGMA, &|form| ormqr(session, form, left, &factors, &tau, &b, &place))?;
    add("qr", &NATIVE, &|form| qr(session, form, Part::Thin, &a, &place))?;
    add("larft", &NATIVE, &|form| larft(session, form, &blocks, &scalars, &place))?;
    add("larfb", &NATIVE, &|form| larfb(session, form, left, &blocks, &t, &b, &place))?;
    add("gels", &GELS_FORMS, &|form| gels(session, form, Trans::N, &a, &b, &place))?;
    add("trsm", &TRSM_FORMS, &|form| trsm(session, form, upper, one, &triangles, &few, &place))?;
    let (rows, squares) = (random::<T>(Class::Uniform, 1, m, BATCH, 8), random::<T>(Class::Uniform, n, n, BATCH, 9));
    let (transposed, across) = ([Trans::C, Trans::N], random::<T>(Class::Uniform, 1, n, BATCH, 10));
    add("gemm", &PRODUCT_FORMS, &|form| gemm(session, form, transposed, m, [one; 2], [&a, &a, &squares], &place))?;
    add("gemv", &PRODUCT_FORMS, &|form| gemv(session, form, Trans::N, false, [one; 2], [&a, &across, &rows], &place))?;
    Ok(calls)
}

/// QR of tall matrices, R alone and with the thin Q.
fn tall_calls<'a, T: Scalar>(session: &'a Session, m: usize, n: usize) -> Result<Vec<Call<'a, T>>> {
    let a = random::<T>(Class::Uniform, m, n, 2, 6);
    let forms = [Part::None, Part::Thin].into_iter().flat_map(|part| NATIVE.map(|form| (part, form)));
    let call = |(part, form)| {
        let call = qr(session, form, part, &a, &Placement::guarded())?;
        Ok(Call { name: format!("qr {part:?} {m}x{n} {form:?}"), form, tall: true, at_once: false, call })
    };
    forms.map(call).collect()
}

/// The calls for all shapes, one shape after another.
fn all_calls<'a, T: Scalar>(session: &'a Session) -> impl Iterator<Item = Result<Vec<Call<'a, T>>>> {
    let tall = TALL.into_iter().map(move |(m, n)| tall_calls(session, m, n));
    SHAPES.into_iter().map(move |(m, n)| calls(session, m, n)).chain(tall)
}

fn same_output<T: Scalar>(x: &Output<T>, y: &Output<T>) -> bool {
    let operands = || x.operands.iter().flatten().zip(y.operands.iter().flatten());
    operands().count() > 0 && operands().all(|(x, y)| same_bits(x.data(), y.data())) && x.info == y.info
}

fn captured<T: Scalar>(gpu: &Gpu) -> Result<()> {
    let stream = DriverStream::non_blocking(gpu.driver)?;
    let session = Session::on(gpu.lib, stream.raw);
    for calls in all_calls::<T>(&session) {
        for call in calls?.into_iter().filter(|c| !c.waits()) {
            let name = &call.name;
            let direct = call.call.run()?;
            let graph = gpu.driver.capture(stream.raw, || call.call.issue()).unwrap_or_else(|e| panic!("{name}: {e}"));
            let nodes = graph.nodes()?;
            let harmless = |node: &Node| match node {
                Node::Kernel | Node::Memset => true,
                Node::Other(10 | 11) => call.may_use_the_pool(),
                _ => false,
            };
            assert!(nodes.iter().all(harmless), "{name}: {nodes:?}");
            assert!(nodes.contains(&Node::Kernel), "{name}: nothing was captured");
            for _ in 0..2 {
                call.call.upload()?;
                graph.launch(stream.raw)?;
                assert!(same_output(&call.call.collect()?, &direct), "{name}: the replay differs from the direct call");
            }
        }
    }
    Ok(())
}

#[test]
fn every_operation_can_be_captured_and_replayed() -> Result<()> {
    let Some(gpu) = gpu("operations::every_operation_can_be_captured_and_replayed")? else { return Ok(()) };
    captured::<f32>(&gpu)?;
    captured::<C64>(&gpu)
}

#[test]
fn warm_operations_change_no_free_memory_and_do_not_wait() -> Result<()> {
    let Some(gpu) = gpu("operations::warm_operations_change_no_free_memory_and_do_not_wait")? else { return Ok(()) };
    let stream = DriverStream::non_blocking(gpu.driver)?;
    let session = Session::on(gpu.lib, stream.raw);
    let ballast = Ballast::new(gpu.lib)?;
    for calls in all_calls::<f64>(&session) {
        for call in calls? {
            let name = &call.name;
            call.call.run()?;
            // The figure is that of the whole device, so another process may change it once, but not every time. The
            // pool keeps its memory over a synchronisation.
            let unchanged = || -> Result<bool> {
                let before = gpu.driver.memory_info()?;
                for _ in 0..3 {
                    call.call.issue()?;
                    session.synchronize()?;
                }
                Ok(gpu.driver.memory_info()? == before)
            };
            let quiet = unchanged()? || unchanged()? || unchanged()?;
            assert!(quiet, "{name}: free device memory changes during warm calls");

            ballast.issue(&session)?;
            assert!(!gpu.driver.is_idle(stream.raw)?, "the ballast is too light for this device");
            call.call.issue()?;
            assert_eq!(gpu.driver.is_idle(stream.raw)?, call.waits(), "{name}: stream idle when the call returned");
            session.synchronize()?;
        }
    }
    Ok(())
}

#[test]
fn the_pool_of_gels_keeps_its_memory() -> Result<()> {
    let Some(gpu) = gpu("operations::the_pool_of_gels_keeps_its_memory")? else { return Ok(()) };
    let session = Session::new(gpu.lib);
    let (a, b) = (random::<f64>(Class::Uniform, 200, 100, BATCH, 1), random::<f64>(Class::Uniform, 200, 1, BATCH, 2));
    let call = gels(&session, EntryForm::Cublas, Trans::N, &a, &b, &Placement::guarded())?;
    call.run()?;
    // A pool that releases memory does so at the synchronisation.
    let kept = || -> Result<bool> {
        call.issue()?;
        let during = gpu.driver.memory_info()?;
        session.synchronize()?;
        Ok(gpu.driver.memory_info()? == during)
    };
    assert!(kept()? || kept()? || kept()?, "the synchronisation changed free device memory");
    Ok(())
}
