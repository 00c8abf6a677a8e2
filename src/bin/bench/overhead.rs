//! `tephra bench --overhead`: the host's time per call.
//!
//! A batch of one 4x4 is so little work that the time is that of the call itself. Many calls are issued in a row,
//! followed by one wait. The host's time (until all calls are issued) and the total (until all are done) are reported
//! separately, because a device that is slower than the host hides the host's time. A bare launch of an empty kernel is
//! the lower bound.

use super::machine::Machine;
use super::operands::{Operands, Source};
use super::protocol::median;
use crate::args::BenchArgs;
use crate::case::{Case, Shape};
use crate::cuda::{Cuda, Kernel};
use crate::failure::Failure;
use crate::info;
use crate::ops::named;
use crate::output::Outcome;
use crate::result_file;
use std::ffi::{c_int, c_void};
use std::fmt::Write;
use std::time::Instant;
use tephra_testkit::Dtype;
use tephra_testkit::library::{Backend, CublasHandle};
use tephra_testkit::memory::{Kind, Memory};
use tephra_testkit::vendor::Vendor;

/// Calls between two waits: few enough for the driver's launch queue, many enough to make the wait negligible.
const CALLS: usize = 500;
/// Number of rounds that the medians are taken over.
const ROUNDS: usize = 41;

const EMPTY_KERNEL: &std::ffi::CStr =
    c".version 7.0\n.target sm_80\n.address_size 64\n.visible .entry empty() { ret; }\n";

/// One of the compared ways to call geqrf.
struct Subject<'a> {
    name: &'static str,
    call: Box<dyn FnMut() -> Result<(), Failure> + 'a>,
}

/// Microseconds per call.
struct Figures {
    host: f64,
    total: f64,
}

pub fn run(args: &BenchArgs) -> Outcome {
    let machine = Machine::new().map_err(|e| e.to_string())?;
    let device = info::device_name(machine.backend)?;
    let case = Case::packed(named("geqrf"), Dtype::D, Shape { m: 4, n: 4, batch: 1 });
    let source = Source { input: args.input, seed: args.seed, bytes: 64 << 20 };
    let operands = Operands::new(&machine, case, source).map_err(|e| e.to_string())?;
    operands.restore().map_err(|e| e.to_string())?;
    let library_handle = machine.library.cublas_handle(machine.stream.raw()).map_err(|e| e.to_string())?;
    let vendor = Vendor::for_comparison(machine.library).filter(|_| !args.no_vendor);
    let vendor_handle = vendor.map(|v| v.handle(machine.stream.raw())).transpose().map_err(|e| e.to_string())?;
    let kernel = match machine.backend {
        Backend::Cpu => None,
        Backend::Cuda => Some(Cuda::get()?.kernel(EMPTY_KERNEL, c"empty")?),
    };
    let info = Memory::new(machine.library, Kind::Device, size_of::<c_int>()).map_err(|e| e.to_string())?;
    let queue = machine.library.magma_queue_on(machine.stream.raw()).map_err(|e| e.to_string())?;
    let magma = Magma { info: info.pointer() as *mut c_int, queue: queue.raw() };
    let subjects = subjects(&operands, kernel.as_ref(), &library_handle, vendor_handle.as_ref(), magma);

    let mut csv = String::from("subject,m,n,batch,host_us,total_us,host_us_above_floor,calls,rounds,backend,device\n");
    say!("{:<34} {:>10} {:>10} {:>14}", "call", "host us", "total us", "above floor us");
    let mut floor = None;
    for mut subject in subjects {
        let figures = time(&machine, &mut subject).map_err(|e| format!("{}: {e}", subject.name))?;
        let floor = *floor.get_or_insert(figures.host);
        let Figures { host, total } = figures;
        say!("{:<34} {host:>10.3} {total:>10.3} {:>14.3}", subject.name, host - floor);
        let backend = machine.backend.name();
        let name = subject.name;
        writeln!(csv, "{name},4,4,1,{host:.4},{total:.4},{:.4},{CALLS},{ROUNDS},{backend},{device}", host - floor)
            .expect("writing to a string");
    }
    if let Some(path) = &args.out {
        result_file::replace(path, csv.as_bytes()).map_err(|e| format!("{}: {e}", path.display()))?;
    }
    Ok(true)
}

/// MAGMA's extra arguments.
#[derive(Clone, Copy)]
struct Magma {
    info: *mut c_int,
    queue: *mut c_void,
}

/// The bare launch first, then the library's interfaces, then the vendor.
fn subjects<'a>(
    o: &'a Operands<'a>,
    kernel: Option<&'a Kernel<'a>>,
    ours: &'a CublasHandle,
    vendor: Option<&'a CublasHandle>,
    magma: Magma,
) -> Vec<Subject<'a>> {
    let library = o.machine.library;
    let stream = o.machine.stream.raw();
    let native = move |batch: i64| {
        let (work, bytes) = (o.workspace.pointer(), o.workspace.bytes());
        let geqrf = library.geqrf_pointers(Dtype::D);
        // SAFETY: the operands are those of one 4x4 double.
        let code = unsafe { geqrf(4, 4, o.a.array(), 4, o.tau.array(), batch, work, bytes, stream) };
        Ok(library.status("tephra_dgeqrf_batched", code)?)
    };
    let cublas = move |handle: &CublasHandle| {
        let mut info = 0;
        let geqrf = handle.geqrf(Dtype::D);
        // SAFETY: as above.
        let code = unsafe { geqrf(handle.raw(), 4, 4, o.a.array(), 4, o.tau.array(), &mut info, 1) };
        if code == 0 { Ok(()) } else { Err(Failure::other(format!("cublasDgeqrfBatched returned {code}"))) }
    };
    let magma_work = move || {
        let mut lwork = 0;
        let geqrf = library.magma_geqrf_work(Dtype::D);
        let (a, tau) = (o.a.array(), o.tau.array());
        // SAFETY: as above; no workspace is needed for one 4x4.
        let code = unsafe { geqrf(4, 4, a, 4, tau, magma.info, std::ptr::null_mut(), &mut lwork, 1, magma.queue) };
        if code == 0 { Ok(()) } else { Err(Failure::other(format!("magma_dgeqrf_batched_work returned {code}"))) }
    };
    let mut list: Vec<Subject<'a>> = Vec::new();
    match kernel {
        Some(kernel) => list.push(Subject {
            name: "empty kernel (cuLaunchKernel)",
            call: Box::new(move || kernel.launch(stream).map_err(Failure::other)),
        }),
        None => list.push(Subject { name: "tephra_dgeqrf_batched (batch 0)", call: Box::new(move || native(0)) }),
    }
    list.push(Subject { name: "tephra_dgeqrf_batched", call: Box::new(move || native(1)) });
    list.push(Subject { name: "cublasDgeqrfBatched (tephra)", call: Box::new(move || cublas(ours)) });
    list.push(Subject { name: "magma_dgeqrf_batched_work (tephra)", call: Box::new(magma_work) });
    if let Some(vendor) = vendor {
        list.push(Subject { name: "cublasDgeqrfBatched (vendor)", call: Box::new(move || cublas(vendor)) });
    }
    list
}

fn time(machine: &Machine, subject: &mut Subject<'_>) -> Result<Figures, Failure> {
    let (mut host, mut total) = (Vec::new(), Vec::new());
    for round in 0..=ROUNDS {
        machine.stream.synchronize()?;
        let start = Instant::now();
        for _ in 0..CALLS {
            (subject.call)()?;
        }
        let issued = start.elapsed();
        machine.stream.synchronize()?;
        // The first round warms up.
        if round > 0 {
            host.push(issued.as_secs_f64() * 1e6 / CALLS as f64);
            total.push(start.elapsed().as_secs_f64() * 1e6 / CALLS as f64);
        }
    }
    Ok(Figures { host: median(&mut host), total: median(&mut total) })
}
