//! Features that only GPUs have: graph capture, streams, contexts, device memory figures, asynchrony. On the CPU
//! backend each test reports that and does nothing.

#[path = "gpu_only/ahead.rs"]
mod ahead;
#[path = "gpu_only/operations.rs"]
mod operations;

use std::ffi::c_void;
use std::sync::{Mutex, MutexGuard, PoisonError};
use tephra_testkit::driver::{Driver, Node, Raw};
use tephra_testkit::guarded::Placement;
use tephra_testkit::library::Backend;
use tephra_testkit::matrices::Class;
use tephra_testkit::memory::{Memory, Stream};
use tephra_testkit::qr::{EntryForm, Factored, QrBatch, Session};
use tephra_testkit::ratios::{Ratios, measure};
use tephra_testkit::sweep::{paths, report, with_plan, without_forced_plan};
use tephra_testkit::{Library, Matrix, Result, Rng, Scalar};

/// The forms that are documented not to wait; `magma_?geqrf_batched` is documented to wait.
const ASYNCHRONOUS: [EntryForm; 4] = [EntryForm::Pointers, EntryForm::Strided, EntryForm::Cublas, EntryForm::MagmaWork];
const SHAPES: [(usize, usize); 6] = [(4, 4), (17, 5), (5, 17), (33, 32), (100, 70), (600, 9)];
/// Rows, columns and batch: panels with more rows than a cluster holds, and panels that are factored together.
const TALL: [(usize, usize, usize); 2] = [(20_000, 40, 2), (70_000, 70, 3)];

/// `batch` matrices of each small shape, and the tall shapes.
fn shapes(batch: usize) -> impl Iterator<Item = (usize, usize, usize)> {
    SHAPES.into_iter().map(move |(m, n)| (m, n, batch)).chain(TALL)
}

/// Serialises the tests: capture in global mode forbids allocations in every thread, and memory figures are the whole
/// device's.
static ALONE: Mutex<()> = Mutex::new(());

struct Gpu {
    lib: &'static Library,
    driver: &'static Driver,
    _alone: MutexGuard<'static, ()>,
}

/// Returns the GPU, or reports that the backend is the CPU and returns `None`.
fn gpu(test: &str) -> Result<Option<Gpu>> {
    let lib = Library::required();
    if lib.backend()? == Backend::Cpu {
        report(format!("gpu_only::{test}: not applicable to the CPU backend"));
        return Ok(None);
    }
    let alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let driver = Driver::get()?;
    // Threads of the test harness start without a context. We use the primary one, as programs of the runtime API do.
    driver.set_current_context(driver.primary_context()?)?;
    Ok(Some(Gpu { lib, driver, _alone: alone }))
}

fn uniform<T: Scalar>(m: usize, n: usize, batch: usize, seed: u64) -> Vec<Matrix<T>> {
    let mut rng = Rng::new(seed);
    (0..batch).map(|_| Class::Uniform.generate(m, n, &mut rng)).collect()
}

fn all_same_bits<T: Scalar>(a: &[Factored<T>], b: &[Factored<T>]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(x, y)| x.same_bits(y))
}

fn assert_right<T: Scalar>(what: &str, inputs: &[Matrix<T>], outputs: &[Factored<T>]) {
    for (a, f) in inputs.iter().zip(outputs) {
        let ratio = measure(a, &f.factors, &f.tau).largest();
        assert!(ratio < Ratios::THRESHOLD, "{what}: ratio {ratio}");
    }
}

/// A driver stream, destroyed on drop.
struct DriverStream {
    driver: &'static Driver,
    raw: Raw,
}

impl DriverStream {
    fn non_blocking(driver: &'static Driver) -> Result<Self> {
        Ok(DriverStream { driver, raw: driver.create_stream(true)? })
    }
}

impl Drop for DriverStream {
    fn drop(&mut self) {
        self.driver.destroy_stream(self.raw).expect("the stream is alive");
    }
}

/// Work that keeps a stream busy far longer than a host takes to issue a call and query the stream.
struct Ballast(QrBatch<f64>);

impl Ballast {
    fn new(lib: &'static Library) -> Result<Self> {
        let inputs = uniform::<f64>(192, 192, 4, 1);
        let mut batch = QrBatch::new(lib, 192, 192, 300, &Placement::tight())?;
        (0..300).for_each(|i| batch.set(i, &inputs[i % 4]));
        batch.upload()?;
        Ok(Ballast(batch))
    }

    fn issue(&self, session: &Session) -> Result<()> {
        (0..20).try_for_each(|_| self.0.issue(session, EntryForm::Pointers))
    }
}

#[test]
fn every_form_can_be_captured_and_replayed() -> Result<()> {
    let Some(gpu) = gpu("every_form_can_be_captured_and_replayed")? else { return Ok(()) };
    let stream = DriverStream::non_blocking(gpu.driver)?;
    let session = Session::on(gpu.lib, stream.raw);
    for (m, n, count) in shapes(11) {
        // Only the default plan factors tall matrices differently from smaller ones, with scratch memory from the
        // library's pool.
        let tall = TALL.contains(&(m, n, count));
        let forced = paths(Backend::Cuda).iter().copied().map(Some).filter(|_| !tall);
        for path in forced.chain([None]) {
            for form in ASYNCHRONOUS {
                let what = format!("{m}x{n} {form:?} path {path:?}");
                let (first, second) = (uniform::<f32>(m, n, count, 2), uniform::<f32>(m, n, count, 3));
                let mut batch = QrBatch::of(gpu.lib, &first, &Placement::guarded())?;
                // Warm up: modules are loaded on first use, which capture forbids.
                let Ok(Some(_)) = run_on(&batch, &session, form, path) else { continue };
                let capture = || gpu.driver.capture(stream.raw, || batch.issue(&session, form));
                let graph = match path {
                    Some(path) => with_plan(gpu.lib, path, capture)?,
                    None => without_forced_plan(capture),
                };
                let graph = graph.unwrap_or_else(|e| panic!("{what}: {e}"));
                let nodes = graph.nodes()?;
                let harmless = |node: &Node| match node {
                    Node::Kernel | Node::Memset => true,
                    Node::Other(10 | 11) => tall,
                    _ => false,
                };
                assert!(nodes.iter().all(harmless), "{what}: {nodes:?}");
                assert!(nodes.contains(&Node::Kernel), "{what}: nothing was captured");

                second.iter().enumerate().for_each(|(i, a)| batch.set(i, a));
                let direct = run_on(&batch, &session, form, path)?.expect("taken above");
                for _ in 0..2 {
                    batch.upload()?;
                    graph.launch(stream.raw)?;
                    let replayed = batch.collect(&session, form)?;
                    assert!(all_same_bits(&replayed, &direct), "{what}: the replay differs from the direct call");
                }
            }
        }
    }
    Ok(())
}

/// [`QrBatch::run_on`], but also for cuBLAS and MAGMA forms, which report a declined plan by their own codes.
fn run_on<T: Scalar>(
    batch: &QrBatch<T>,
    session: &Session,
    form: EntryForm,
    path: Option<&str>,
) -> Result<Option<Vec<Factored<T>>>> {
    let declined = match path {
        Some(_) => batch.run_on(session, EntryForm::Pointers, path)?.is_none(),
        None => false,
    };
    if declined {
        return Ok(None);
    }
    batch.run_on(session, form, path)
}

#[test]
fn warm_calls_allocate_no_device_memory() -> Result<()> {
    let Some(gpu) = gpu("warm_calls_allocate_no_device_memory")? else { return Ok(()) };
    let session = Session::new(gpu.lib);
    for (m, n, count) in shapes(50) {
        for form in EntryForm::ALL {
            let batch = QrBatch::of(gpu.lib, &uniform::<f64>(m, n, count, 4), &Placement::guarded())?;
            batch.run(&session, form)?;
            // The figure is that of the whole device, so another process may change it once, but not every time.
            let unchanged = || -> Result<bool> {
                let before = gpu.driver.memory_info()?;
                for _ in 0..100 {
                    batch.issue(&session, form)?;
                    if gpu.driver.memory_info()? != before {
                        return Ok(false);
                    }
                }
                session.synchronize()?;
                Ok(gpu.driver.memory_info()? == before)
            };
            let quiet = unchanged()? || unchanged()? || unchanged()?;
            assert!(quiet, "{m}x{n} {form:?}: free device memory changes during warm calls");
        }
    }
    Ok(())
}

#[test]
fn every_kind_of_stream_orders_the_work() -> Result<()> {
    let Some(gpu) = gpu("every_kind_of_stream_orders_the_work")? else { return Ok(()) };
    let (blocking, non_blocking) = (Stream::new(gpu.lib)?, DriverStream::non_blocking(gpu.driver)?);
    let streams = [
        ("default", std::ptr::null_mut()),
        ("legacy", 1 as Raw),
        ("per-thread", 2 as Raw),
        ("blocking", blocking.raw()),
        ("non-blocking", non_blocking.raw),
    ];
    let ballast = Ballast::new(gpu.lib)?;
    let (m, n, count) = (40, 24, 64);
    let (old, new) = (uniform::<f64>(m, n, count, 5), uniform::<f64>(m, n, count, 6));
    let flat: Vec<f64> = new.iter().flat_map(|a| a.data().iter().copied()).collect();
    let staged = Memory::from_slice(gpu.lib, &flat)?;
    for (name, stream) in streams {
        let session = Session::on(gpu.lib, stream);
        for form in EntryForm::ALL {
            let batch = QrBatch::of(gpu.lib, &old, &Placement::tight())?;
            // The stream replaces the input after a long queue of work, so that a call on any other stream would see
            // the old input.
            ballast.issue(&session)?;
            let (to, bytes) = (batch.matrices().base(), staged.bytes());
            // SAFETY: `staged` and the batch hold m * n * count elements, and live until `collect` has waited.
            unsafe { gpu.driver.copy_async(to, staged.pointer() as *const c_void, bytes, stream)? };
            batch.issue(&session, form)?;
            let got = batch.collect(&session, form)?;
            assert_right(&format!("{name} stream, {form:?}"), &new, &got);
        }
    }
    Ok(())
}

#[test]
fn a_blocking_stream_keeps_its_order_with_the_legacy_stream() -> Result<()> {
    let Some(gpu) = gpu("a_blocking_stream_keeps_its_order_with_the_legacy_stream")? else { return Ok(()) };
    // Streams that the library creates are blocking, like MAGMA's: existing programs rely on this order.
    let stream = Stream::new(gpu.lib)?;
    let queue = gpu.lib.magma_queue()?;
    let ballast = Ballast::new(gpu.lib)?;
    let inputs = uniform::<f64>(30, 20, 40, 7);
    let flat: Vec<f64> = inputs.iter().flat_map(|a| a.data().iter().copied()).collect();
    let staged = Memory::from_slice(gpu.lib, &flat)?;
    for raw in [stream.raw(), queue.stream()] {
        let batch = QrBatch::of(gpu.lib, &uniform::<f64>(30, 20, 40, 8), &Placement::tight())?;
        let (legacy, session) = (Session::new(gpu.lib), Session::on(gpu.lib, raw));
        ballast.issue(&legacy)?;
        // SAFETY: both buffers have the same size and live until the call has finished.
        unsafe {
            gpu.driver.copy_async(batch.matrices().base(), staged.pointer(), staged.bytes(), std::ptr::null_mut())?;
        }
        batch.issue(&session, EntryForm::Pointers)?;
        assert_right(
            "blocking stream after the legacy stream",
            &inputs,
            &batch.collect(&session, EntryForm::Pointers)?,
        );
    }
    Ok(())
}

#[test]
fn only_the_plain_magma_form_synchronises() -> Result<()> {
    let Some(gpu) = gpu("only_the_plain_magma_form_synchronises")? else { return Ok(()) };
    let stream = DriverStream::non_blocking(gpu.driver)?;
    let session = Session::on(gpu.lib, stream.raw);
    let ballast = Ballast::new(gpu.lib)?;
    for (m, n, count) in shapes(10) {
        let batch = QrBatch::of(gpu.lib, &uniform::<f32>(m, n, count, 9), &Placement::guarded())?;
        for form in EntryForm::ALL {
            batch.run(&session, form)?;
            batch.upload()?;
            ballast.issue(&session)?;
            assert!(!gpu.driver.is_idle(stream.raw)?, "the ballast is too light for this device");
            batch.issue(&session, form)?;
            let idle = gpu.driver.is_idle(stream.raw)?;
            assert_eq!(idle, form == EntryForm::Magma, "{m}x{n} {form:?}: stream idle when the call returned: {idle}");
            batch.collect(&session, form)?;
        }
    }
    Ok(())
}

#[test]
fn a_second_context_is_served() -> Result<()> {
    let Some(gpu) = gpu("a_second_context_is_served")? else { return Ok(()) };
    let primary = gpu.driver.current_context()?;
    let session = Session::new(gpu.lib);
    let inputs = uniform::<f64>(33, 20, 20, 10);
    let here = QrBatch::of(gpu.lib, &inputs, &Placement::guarded())?;
    let expected = here.run(&session, EntryForm::Pointers)?;

    let second = gpu.driver.create_context()?;
    {
        let there = QrBatch::of(gpu.lib, &inputs, &Placement::guarded())?;
        for round in 0..3 {
            for form in [EntryForm::Pointers, EntryForm::Strided] {
                gpu.driver.set_current_context(second)?;
                let got = there.run(&session, form)?;
                assert!(all_same_bits(&got, &expected), "second context, round {round}, {form:?}");
                assert_eq!(gpu.driver.current_context()?, second, "the call changed the current context");
                gpu.driver.set_current_context(primary)?;
                let got = here.run(&session, form)?;
                assert!(all_same_bits(&got, &expected), "primary context, round {round}, {form:?}");
            }
        }
        gpu.driver.set_current_context(second)?;
        drop(there);
    }
    gpu.driver.destroy_context(second)?;
    gpu.driver.set_current_context(primary)?;
    assert!(all_same_bits(&here.run(&session, EntryForm::Pointers)?, &expected), "after the second context is gone");

    // A new context may have the address of the old one, so nothing that was cached for the old one may be used.
    let third = gpu.driver.create_context()?;
    {
        let there = QrBatch::of(gpu.lib, &inputs, &Placement::guarded())?;
        assert!(all_same_bits(&there.run(&session, EntryForm::Pointers)?, &expected), "third context");
    }
    gpu.driver.destroy_context(third)?;
    gpu.driver.set_current_context(primary)
}

#[test]
fn a_thread_without_a_context_is_served() -> Result<()> {
    let Some(gpu) = gpu("a_thread_without_a_context_is_served")? else { return Ok(()) };
    let inputs = uniform::<f64>(12, 12, 20, 11);
    let expected =
        QrBatch::of(gpu.lib, &inputs, &Placement::guarded())?.run(&Session::new(gpu.lib), EntryForm::Pointers)?;
    std::thread::scope(|scope| {
        let worker = scope.spawn(|| -> Result<()> {
            gpu.driver.set_current_context(std::ptr::null_mut())?;
            let batch = QrBatch::of(gpu.lib, &inputs, &Placement::guarded())?;
            for form in EntryForm::ALL {
                let got = batch.run(&Session::new(gpu.lib), form)?;
                assert!(all_same_bits(&got, &expected), "{form:?}");
            }
            Ok(())
        });
        worker.join().expect("the worker panicked")
    })
}
