//! `tephra bench --trace`: a timeline of the threads or streams during one QR of a matrix in host memory. The QR is
//! tiled on the CPU backend; on CUDA it is streamed through the device, optionally together with the host's cores.

use super::operands::fits_the_host;
use crate::args::BenchArgs;
use crate::output::Outcome;
use crate::result_file;
use std::ffi::{CString, c_char, c_int};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::ptr::{null, null_mut};
use std::time::Instant;
use tephra_testkit::library::many::{GeqrfHost, GeqrfTiled, GeqrfTiledDevices, GeqrfTiledTsize};
use tephra_testkit::library::{Backend, symbol_name};
use tephra_testkit::{Library, Matrix, Rng, Scalar, with_scalar};

/// A factorisation that returns a status.
type Factor<T> = dyn FnMut(&mut Matrix<T>) -> c_int;

pub fn run(args: &BenchArgs, file: &Path) -> Outcome {
    let dtype = args.dtype.ok_or("--trace needs --dtype")?;
    let n = args.n.or(args.m).ok_or("--trace needs --m or --n")?;
    let shape = (args.m.unwrap_or(n), n);
    with_scalar!(dtype, T => of::<T>(args, shape, file))
}

fn of<T: Scalar>(args: &BenchArgs, (m, n): (usize, usize), file: &Path) -> Outcome {
    let library = Library::required();
    let said = |code: c_int| if code == 0 { Ok(()) } else { Err(library.last_error()) };
    let name = |pattern: &str| symbol_name(pattern, T::DTYPE);
    let no_room = |elements: usize| format!("the host has no memory for {elements} elements");
    let random = |seed| {
        let mut rng = Rng::new(seed);
        args.input.class.generate::<T>(m, n, &mut rng)
    };
    // SAFETY: the types are those of include/tephra.h, and the operands have the sizes passed.
    unsafe {
        let begin: unsafe extern "C" fn() -> c_int = library.symbol("tephra_trace_begin").map_err(text)?;
        let end: unsafe extern "C" fn(*const c_char) -> c_int = library.symbol("tephra_trace_end").map_err(text)?;
        let (rows, columns) = (m as i64, n as i64);
        let t = || {
            let tsize: GeqrfTiledTsize = library.symbol(&name("tephra_?geqrf_tiled_tsize")).map_err(text)?;
            let mut size = 0;
            said(tsize(rows, columns, 0, &mut size))?;
            // T grows with the square of a matrix's larger size.
            let (mut t, size) = (vec![], size as usize);
            t.try_reserve_exact(size).map_err(|_| no_room(size))?;
            t.resize(size, T::POISON);
            Ok::<_, String>(t)
        };
        let bytes = m.checked_mul(n).and_then(|elements| elements.checked_mul(size_of::<T>()));
        fits_the_host(bytes).map_err(|failure| failure.to_string())?;
        let mut factor: Box<Factor<T>> = match library.backend().map_err(text)? {
            _ if args.host_columns.is_some() => {
                let tiled: GeqrfTiledDevices = library.symbol(&name("tephra_?geqrf_tiled_devices")).map_err(text)?;
                let (mut t, host) = (t()?, args.host_columns.unwrap_or_default());
                let budget = args.device_memory.unwrap_or(0) as i64;
                Box::new(move |a| {
                    let (p, size) = (a.data_mut().as_mut_ptr().cast(), t.len() as i64);
                    let (t, none) = (t.as_mut_ptr().cast(), null_mut());
                    tiled(rows, columns, p, rows.max(1), 0, t, size, 0, host, budget, 0, null(), None, none)
                })
            }
            Backend::Cpu => {
                let tiled: GeqrfTiled = library.symbol(&name("tephra_?geqrf_tiled")).map_err(text)?;
                let mut t = t()?;
                Box::new(move |a| {
                    let (p, size) = (a.data_mut().as_mut_ptr().cast(), t.len() as i64);
                    tiled(rows, columns, p, rows.max(1), 0, t.as_mut_ptr().cast(), size, 0, None, null_mut())
                })
            }
            Backend::Cuda => {
                let streamed: GeqrfHost = library.symbol(&name("tephra_?geqrf_host")).map_err(text)?;
                let mut tau = vec![T::POISON; m.min(n).max(1)];
                let budget = args.device_memory.unwrap_or(m * n * size_of::<T>() / 4) as i64;
                Box::new(move |a| {
                    let (p, tau) = (a.data_mut().as_mut_ptr().cast(), tau.as_mut_ptr().cast());
                    streamed(rows, columns, p, rows.max(1), tau, budget, 0, null(), None, null_mut())
                })
            }
        };
        // The first run loads kernels and starts threads.
        let (mut first, mut a) = (random(args.seed), random(args.seed));
        said(factor(&mut first))?;
        drop(first);
        said(begin())?;
        let start = Instant::now();
        let done = said(factor(&mut a));
        let seconds = start.elapsed().as_secs_f64();
        let write = |to: &Path| {
            let path = CString::new(to.as_os_str().as_bytes()).map_err(|e| e.to_string())?;
            said(end(path.as_ptr()))
        };
        done.and_then(|()| result_file::replace_by(file, write))?;
        say!("{} {m} x {n}: {:.1} ms, {}", T::DTYPE.letter(), seconds * 1e3, file.display());
    }
    Ok(true)
}

fn text(error: tephra_testkit::Error) -> String {
    error.to_string()
}
