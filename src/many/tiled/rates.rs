//! How many columns to give to the host's cores: as many as they can process in the time that the devices need for the
//! others, according to rates that are measured once per process. Therefore all calls of a process with the same sizes
//! divide the work in the same way.

use super::devices::{STRIPE, Stripes};
use super::kernels::{self, Form, MatrixView, Scratch};
use super::sequence::{Shared, with_helpers};
use crate::memory::filled;
use crate::streamed::device::{Device, Lane, RuntimeDevice};
use crate::streamed::method::{RawView, Span};
use crate::streamed::qr::apply_reflectors;
use crate::streamed::updates::adjoint;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;
use tephra_core::backend::Runtime;
use tephra_core::scalar::Scalar;
use tephra_core::{Dtype, Error, Stream};

/// Rows, reflectors and columns of the measurement on a device: large enough for its full rate.
const ON_DEVICE: [usize; 3] = [4096, 512, 2048];
/// The same on a core: the narrowest stripe, with reflectors that all cores read and that exceed their caches.
const ON_CORE: [usize; 3] = [8192, 384, STRIPE.0];
/// Number of measured runs, after one warm-up run.
const RUNS: usize = 3;
/// The cores get no columns unless their share of the work is at least one in this many, because contention with the
/// device, above all for memory, costs as much as a smaller share is worth. With a share of one twentieth, 64 cores and
/// an H100 together took twice as long as the H100 alone (`results/h100/tiled.csv`, s 32768).
const MIN_SHARE_INVERSE: f64 = 8.0;

/// Per element type, the ratio of the rate of a core to that of a device, as the bits of an `f64`. 0 if not measured.
/// Not protected by a lock, because a fork could leave it held.
static RATIOS: [AtomicU64; 4] = [const { AtomicU64::new(0) }; 4];

/// Number of operations to apply k reflectors to n columns of m rows (LAPACK's count for real types).
fn update_flops(m: f64, n: f64, k: f64) -> f64 {
    n * k * (4.0 * m - 2.0 * k)
}

fn flops(sizes: [usize; 3]) -> f64 {
    let [m, k, n] = sizes.map(|size| size as f64);
    update_flops(m, n, k)
}

/// Number of columns for `cores` cores, each of which has `ratio` times the rate of the devices. A stripe belongs to
/// the same core from the first reflector to the last, so with few columns only some of the cores work.
pub fn balance(m: usize, n: usize, ratio: f64, cores: usize) -> usize {
    let flops = |host: usize| {
        let (m, s) = (m as f64, (n - host) as f64);
        let (k, stripes) = (m.min(s), Stripes::of(n - host, n));
        // The operations of QR, and those on the remaining columns of a wide R.
        let own = k * k * (2.0 * m - 2.0 / 3.0 * k) + update_flops(m, s - k, k);
        let of_core = (stripes.count().div_ceil(cores) * stripes.width) as f64;
        (own, update_flops(m, host as f64, k), update_flops(m, of_core, k))
    };
    let fits = |host: &usize| {
        let (device, all, of_core) = flops(*host);
        of_core <= ratio * device && all * MIN_SHARE_INVERSE >= device + all
    };
    (1..=n / 2 / STRIPE.0).rev().map(|stripes| stripes * STRIPE.0).find(fits).unwrap_or(0)
}

/// Operations per second of the current device. `None` if the measurement needs more than `budget` bytes of its memory.
fn of_device<T: Scalar>(
    name: &'static str,
    runtime: &'static dyn Runtime,
    budget: usize,
) -> Result<Option<f64>, Error> {
    let ([m, k, n], dtype) = (ON_DEVICE, T::DTYPE);
    // The kernels' own workspace is smaller than the operands.
    let bytes = (m * (k + n) + k) * dtype.bytes();
    if 2 * bytes > budget {
        return Ok(None);
    }
    let mut device = RuntimeDevice::new(name, runtime)?;
    let p = device.alloc(bytes)?;
    device.create_events(1)?;
    let at = |elements: usize| RawView { p: p.wrapping_add(elements * dtype.bytes()), ld: m };
    let (span, views) = (Span { block: None, first: 0, count: k }, [at(0), at(m * (k + n)), at(m * k)]);
    let op = apply_reflectors(dtype, adjoint(dtype), m, n, &span, views);
    let seconds = |times: usize| {
        let start = Instant::now();
        (0..times).try_for_each(|_| unsafe { device.run(&op) })?;
        device.record(0, Lane::Compute)?;
        device.synchronize(0).map(|()| start.elapsed().as_secs_f64())
    };
    // SAFETY: the memory has that size, and the device's streams use it only after this.
    unsafe {
        let stream = Stream(std::ptr::null_mut());
        runtime.memset_async(p.cast(), 0, bytes, stream)?;
        runtime.stream_synchronize(stream)?;
    }
    seconds(1)?;
    Ok(Some(flops(ON_DEVICE) * RUNS as f64 / seconds(RUNS)?))
}

/// Operations per second of one thread, averaged over `threads` threads that do the same concurrently.
fn of_core<T: Scalar>(threads: usize) -> Result<f64, Error> {
    let ([m, k, n], ib) = (ON_CORE, 32);
    let threads = threads.min(STRIPE.2);
    let mut shared = filled((m + ib) * k, T::zero())?;
    let shared = Shared(MatrixView { p: shared.as_mut_ptr(), ld: m });
    let one = || -> Result<f64, Error> {
        let (mut stripe, mut scratch) = (filled(m * n, T::zero())?, Scratch::new(k, ib)?);
        let (v, c) = (shared.view(), MatrixView { p: stripe.as_mut_ptr(), ld: m });
        let t = MatrixView { ld: ib, ..v.at(0, k) };
        // SAFETY: all threads only read V and T, and each has its own C.
        let mut run = || unsafe { kernels::unmqr_stacked(Form::Adjoint, [m, n, k], v, t, c, &mut scratch) };
        run()?;
        let start = Instant::now();
        (0..RUNS).try_for_each(|_| run())?;
        Ok(flops(ON_CORE) * RUNS as f64 / start.elapsed().as_secs_f64())
    };
    let rates = Mutex::new(vec![]);
    with_helpers(threads, |_| rates.lock().unwrap_or_else(PoisonError::into_inner).push(one()), || ());
    let rates = rates.into_inner().unwrap_or_else(PoisonError::into_inner);
    let count = rates.len().max(1) as f64;
    rates.into_iter().sum::<Result<f64, Error>>().map(|sum| sum / count)
}

/// Number of columns of an m x n matrix for `threads` threads of the host alongside the devices. All devices are
/// assumed to be like the first.
pub fn host_columns<T: Scalar>(
    name: &'static str,
    runtime: &'static dyn Runtime,
    devices: &[i32],
    (budget, threads): (usize, usize),
    [m, n]: [usize; 2],
) -> Result<usize, Error> {
    let ratio_bits = &RATIOS[match T::DTYPE {
        Dtype::S => 0,
        Dtype::D => 1,
        Dtype::C => 2,
        Dtype::Z => 3,
    }];
    if ratio_bits.load(Ordering::Acquire) == 0 {
        runtime.set_device(devices[0])?;
        let Some(device) = of_device::<T>(name, runtime, budget)? else { return Ok(0) };
        let ratio = of_core::<T>(threads)? / device;
        // If several threads measure at once, all use the first result.
        _ = ratio_bits.compare_exchange(0, ratio.to_bits(), Ordering::AcqRel, Ordering::Acquire);
    }
    let ratio = f64::from_bits(ratio_bits.load(Ordering::Acquire));
    Ok(balance(m, n, ratio / devices.len() as f64, threads))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_host_gets_what_it_can_do() {
        assert_eq!(balance(1000, 1000, 0.0, 4), 0);
        // No number of cores helps if a core takes longer for one stripe than a device takes for everything.
        assert_eq!(balance(16384, 16384, 11e9 / 28e12, 63), 0);
        // A core takes 2 n^2 per column, with equal shares for 16 cores; a device takes 4/3 n^3 for all columns.
        let (n, ratio, cores) = (16384, 0.02, 16);
        let columns = balance(n, n, ratio, cores) as f64 / n as f64;
        let wanted = ratio * cores as f64 * 2.0 / 3.0;
        assert!(columns > 0.5 * wanted && columns <= wanted, "{columns} of {wanted}");
        let [half, more] = [0.1, 100.0].map(|ratio| balance(3000, 2000, ratio, 4));
        assert!(100 < half && half < 1000 && more == 1000, "{half} {more}");
        assert!(balance(1000, 20000, 0.1, 4) > 1500);
    }
}
