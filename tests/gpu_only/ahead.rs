//! Look-ahead: a call that continues on a stream of the library's own gives the same result as the same launches in
//! sequence.

use super::{Ballast, DriverStream, all_same_bits, assert_right, gpu, uniform};
use std::thread;
use tephra_testkit::guarded::Placement;
use tephra_testkit::memory::Stream;
use tephra_testkit::qr::{EntryForm, QrBatch, Session};
use tephra_testkit::{C32, Result, Scalar};

/// Shapes whose rows are divided and that have enough columns beyond the next panel.
const SHAPES: [(usize, usize, usize); 2] = [(2300, 900, 2), (4500, 801, 1)];

/// A captured call has only one stream, so its replay runs without look-ahead.
fn same_as_captured<T: Scalar>() -> Result<()> {
    let Some(gpu) = gpu("ahead::it_is_the_same_as_a_captured_call")? else { return Ok(()) };
    let (own, blocking) = (DriverStream::non_blocking(gpu.driver)?, Stream::new(gpu.lib)?);
    let ballast = Ballast::new(gpu.lib)?;
    for (m, n, count) in SHAPES {
        let inputs = uniform::<T>(m, n, count, 11);
        let batch = QrBatch::of(gpu.lib, &inputs, &Placement::guarded())?;
        let session = Session::on(gpu.lib, own.raw);
        batch.run(&session, EntryForm::Strided)?;
        let graph = gpu.driver.capture(own.raw, || batch.issue(&session, EntryForm::Strided))?;
        batch.upload()?;
        graph.launch(own.raw)?;
        let in_order = batch.collect(&session, EntryForm::Strided)?;
        assert_right("captured", &inputs, &in_order);
        for stream in [own.raw, blocking.raw(), std::ptr::null_mut()] {
            let session = Session::on(gpu.lib, stream);
            for form in [EntryForm::Strided, EntryForm::Pointers, EntryForm::Cublas] {
                batch.upload()?;
                ballast.issue(&session)?;
                batch.issue(&session, form)?;
                assert!(!gpu.driver.is_idle(stream)?, "{m}x{n}: {form:?} waited");
                assert!(all_same_bits(&batch.collect(&session, form)?, &in_order), "{m}x{n} {form:?}");
            }
        }
    }
    Ok(())
}

#[test]
fn it_is_the_same_as_a_captured_call() -> Result<()> {
    same_as_captured::<f32>()?;
    same_as_captured::<f64>()?;
    same_as_captured::<C32>()
}

#[test]
fn threads_look_ahead_at_the_same_time() -> Result<()> {
    let Some(gpu) = gpu("ahead::threads_look_ahead_at_the_same_time")? else { return Ok(()) };
    let (lib, driver, context) = (gpu.lib, gpu.driver, gpu.driver.current_context()?);
    let (m, n, count) = SHAPES[0];
    let inputs = uniform::<f64>(m, n, count, 12);
    let expected = QrBatch::of(lib, &inputs, &Placement::guarded())?.run(&Session::new(lib), EntryForm::Strided)?;
    // A pointer cannot be sent to another thread, so the context's handle goes as a number.
    let (context, inputs, expected) = (context as usize, &inputs, &expected);
    thread::scope(|threads| {
        for _ in 0..3 {
            threads.spawn(move || {
                driver.set_current_context(context as _).unwrap();
                let stream = DriverStream::non_blocking(driver).unwrap();
                let session = Session::on(lib, stream.raw);
                let batch = QrBatch::of(lib, inputs, &Placement::guarded()).unwrap();
                for _ in 0..4 {
                    batch.upload().unwrap();
                    let got = batch.run(&session, EntryForm::Strided).unwrap();
                    assert!(all_same_bits(&got, expected));
                }
            });
        }
    });
    Ok(())
}
