//! How many columns the host's cores are given: so many that they need as long for them as the devices for the others, by rates
//! that are measured once in a process. So all calls of a process with the same sizes divide the work alike.

use super::kernels::{self, Form, Part, Scratch};
use super::sequence::{by_threads, room};
use crate::streamed::device::{Device, Lane, OfRuntime};
use crate::streamed::method::{Place, Span, adjoint, reflect};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;
use tephra_core::backend::Runtime;
use tephra_core::scalar::Scalar;
use tephra_core::{Dtype, Error, Stream};

/// Rows, reflectors and columns of what a device is measured with: large enough for its full rate.
const ON_DEVICE: [usize; 3] = [4096, 512, 2048];
/// The same for a core.
const ON_CORE: [usize; 3] = [2048, 64, 32];
/// How often it is done, after once.
const TIMES: usize = 4;
/// Below one part of so many of the work cores are not worth that the device finishes its blocks in pieces.
const WORTH: f64 = 100.0;

/// By type, the rate of the cores by that of a device, as bits; 0: not measured. No lock, which a fork could leave held.
static KNOWN: [AtomicU64; 4] = [const { AtomicU64::new(0) }; 4];

/// Operations of k reflectors applied to n columns of m rows (LAPACK's count for a real type).
fn applied(m: f64, n: f64, k: f64) -> f64 {
    n * k * (4.0 * m - 2.0 * k)
}

fn operations(sizes: [usize; 3]) -> f64 {
    let [m, k, n] = sizes.map(|size| size as f64);
    applied(m, n, k)
}

/// Columns for cores that have `ratio` times the rate of the devices.
pub fn balance(m: usize, n: usize, ratio: f64) -> usize {
    let operations = |device: usize| {
        let (m, s, host) = (m as f64, device as f64, (n - device) as f64);
        let k = m.min(s);
        // Those of QR, and of the rows of a wide R.
        let own = k * k * (2.0 * m - 2.0 / 3.0 * k) + applied(m, s - k, k);
        (own, applied(m, host, k))
    };
    let enough = |host: usize| {
        let (device, cores) = operations(n - host);
        cores > ratio * device
    };
    // The host's time grows with its columns, and the devices' falls.
    let (mut least, mut most) = (0, n / 2);
    while least < most {
        let middle = (least + most).div_ceil(2);
        if enough(middle) { most = middle - 1 } else { least = middle }
    }
    let (device, cores) = operations(n - least);
    if cores * WORTH < device + cores { 0 } else { least }
}

/// Operations a second of a device, the current one. `budget`: bytes that may be taken of it; `None`: less than it takes.
fn of_device<T: Scalar>(
    name: &'static str,
    runtime: &'static dyn Runtime,
    budget: usize,
) -> Result<Option<f64>, Error> {
    let ([m, k, n], dtype) = (ON_DEVICE, T::DTYPE);
    // The kernels' own memory is below what the operands take.
    let bytes = (m * (k + n) + k) * dtype.bytes();
    if 2 * bytes > budget {
        return Ok(None);
    }
    let mut device = OfRuntime::new(name, runtime)?;
    let p = device.room(bytes)?;
    device.marks(1)?;
    let at = |elements: usize| Place { p: p.wrapping_add(elements * dtype.bytes()), ld: m };
    let (span, places) = (Span { block: None, first: 0, count: k }, [at(0), at(m * (k + n)), at(m * k)]);
    let op = reflect(dtype, adjoint(dtype), m, n, &span, places);
    let seconds = |times: usize| {
        let start = Instant::now();
        (0..times).try_for_each(|_| unsafe { device.run(&op) })?;
        device.record(0, Lane::Compute)?;
        device.wait(0).map(|()| start.elapsed().as_secs_f64())
    };
    // SAFETY: memory of that size, which the streams of the device use after this.
    unsafe {
        let stream = Stream(std::ptr::null_mut());
        runtime.memset_async(p.cast(), 0, bytes, stream)?;
        runtime.stream_synchronize(stream)?;
    }
    seconds(1)?;
    Ok(Some(operations(ON_DEVICE) * TIMES as f64 / seconds(TIMES)?))
}

/// Operations a second of so many threads.
fn of_cores<T: Scalar>(threads: usize) -> Result<f64, Error> {
    let ([m, k, n], ib) = (ON_CORE, 32);
    let one = || -> Result<f64, Error> {
        let (mut memory, mut scratch) = (room::<T>(m * (k + n) + ib * k)?, Scratch::new(k, ib)?);
        let p = memory.as_mut_ptr();
        let at = |elements: usize, ld: usize| Part { p: p.wrapping_add(elements), ld };
        let (v, c, t) = (at(0, m), at(m * k, m), at(m * (k + n), ib));
        let mut run = || unsafe { kernels::unmqr_stacked(Form::Adjoint, [m, n, k], v, t, c, &mut scratch) };
        run()?;
        let start = Instant::now();
        (0..TIMES).try_for_each(|_| run())?;
        Ok(operations(ON_CORE) * TIMES as f64 / start.elapsed().as_secs_f64())
    };
    let rates = Mutex::new(vec![]);
    by_threads(threads, |_| rates.lock().unwrap_or_else(PoisonError::into_inner).push(one()), || ());
    rates.into_inner().unwrap_or_else(PoisonError::into_inner).into_iter().sum()
}

/// Columns of an m x n matrix for so many threads of the host beside the devices, which are all taken to be like the first.
pub fn host_columns<T: Scalar>(
    name: &'static str,
    runtime: &'static dyn Runtime,
    devices: &[i32],
    (budget, threads): (usize, usize),
    [m, n]: [usize; 2],
) -> Result<usize, Error> {
    let known = &KNOWN[match T::DTYPE {
        Dtype::S => 0,
        Dtype::D => 1,
        Dtype::C => 2,
        Dtype::Z => 3,
    }];
    if known.load(Ordering::Acquire) == 0 {
        runtime.set_device(devices[0])?;
        let Some(device) = of_device::<T>(name, runtime, budget)? else { return Ok(0) };
        let ratio = of_cores::<T>(threads)? / device;
        // Of several that measure at once, all go by the first.
        _ = known.compare_exchange(0, ratio.to_bits(), Ordering::AcqRel, Ordering::Acquire);
    }
    let ratio = f64::from_bits(known.load(Ordering::Acquire));
    Ok(balance(m, n, ratio / devices.len() as f64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_host_gets_what_it_can_do() {
        assert_eq!(balance(1000, 1000, 0.0), 0);
        assert_eq!(balance(16384, 16384, 0.001), 0);
        // Of few columns each takes 2 n^2 of 4/3 n^3.
        let few = balance(16384, 16384, 0.02);
        assert!((few as f64 / (16384.0 * 0.02 * 2.0 / 3.0) - 1.0).abs() < 0.05, "{few}");
        let [half, more] = [0.5, 100.0].map(|ratio| balance(3000, 2000, ratio));
        assert!(few > 0 && 300 < half && half < 1000 && more == 1000, "{half} {more}");
        assert!(balance(1000, 20000, 0.1) > 1500);
    }
}
