//! The routines. All operands are in host memory, whichever backend is in use. The CPU backend's kernels do the work,
//! or devices if the caller asks for them.

use super::devices::DeviceFactorisation;
use super::execute::Stop;
use super::kernels::{Form, MatrixView};
use super::sequence;
use super::tiles::{HEAD, Tiles};
use crate::failure::{Failure, Matrix, at_least, finish, not_null, sizes_fit};
use crate::streamed::calls::Options;
use std::ffi::{c_int, c_void};
use tephra_core::error::Arg;
use tephra_core::face::constants::cblas;
use tephra_core::face::guard::Prototype;
use tephra_core::routine::Trans;
use tephra_core::routine::extent::bytes;
use tephra_core::scalar::{C32, C64, Real, Scalar};
use tephra_core::{Dtype, Error};

/// Called after each task of the calling thread and at the end, with the number of finished tasks and their total.
/// Returning anything but 0 cancels the call: `tephra_progress`.
pub type OnProgress = unsafe extern "C" fn(done: i64, total: i64, user: *mut c_void) -> i32;

/// A matrix argument: address and leading dimension; or T and its number of elements.
pub type Argument = (*mut c_void, i64);

/// A call of one of the routines, independent of the element type.
pub(super) trait Call {
    /// Runs the call.
    ///
    /// # Safety
    /// The operands must be as the header says.
    unsafe fn run<T: Scalar>(self) -> Result<(), Failure>;
}

pub(super) unsafe fn typed(own: &Prototype, dtype: Dtype, call: impl Call) -> i32 {
    let result = unsafe {
        match dtype {
            Dtype::S => call.run::<f32>(),
            Dtype::D => call.run::<f64>(),
            Dtype::C => call.run::<C32>(),
            Dtype::Z => call.run::<C64>(),
        }
    };
    finish(own, result)
}

pub(super) fn view<T>((p, ld): Argument) -> MatrixView<T> {
    MatrixView { p: p.cast(), ld: ld as usize }
}

pub(super) fn stop_to_failure(stop: Stop<Error>) -> Failure {
    match stop {
        Stop::Failed(error) => error.into(),
        Stop::Cancelled => Failure::Callback("the progress function cancelled the call".into()),
    }
}

/// The tiles, and the number of elements of T.
pub(super) fn tiles(dtype: Dtype, m: i64, n: i64, nb: i64) -> Result<(Tiles, i64), Failure> {
    at_least("m", m, 0)?;
    at_least("n", n, 0)?;
    sizes_fit(dtype, &[Matrix { rows: (m, Arg::M), columns: (n, Arg::N), ld: (m, Arg::Lda) }])?;
    at_least("nb", nb, 0)?;
    let tiles = |n: i64| Tiles::of(m as usize, n as usize, nb as usize);
    let size = |tiles: Tiles| tiles.size().filter(|size| bytes(dtype.bytes() as i64, 1, *size, 1, 0).is_some());
    // T has many times the elements of a narrow matrix.
    let too_large =
        || Failure::Argument(if size(tiles(n.min(1))).is_none() { "m" } else { "n" }, "is too large".into());
    Ok((tiles(n), size(tiles(n)).ok_or_else(too_large)?))
}

/// `tephra_?geqrf_tiled_tsize`
///
/// # Safety
/// `tsize` must be NULL or valid for a write.
pub unsafe fn geqrf_tsize(own: &'static Prototype, dtype: Dtype, [m, n, nb]: [i64; 3], tsize: *mut i64) -> i32 {
    let answer = tiles(dtype, m, n, nb).and_then(|(_, size)| not_null("tsize", tsize, true).map(|()| size));
    finish(own, answer.map(|size| unsafe { tsize.write(size) }))
}

/// Where to run a factorisation.
#[derive(Clone, Copy)]
pub enum Place {
    /// On the host's cores.
    Host,
    /// On devices, except that the cores take this many of the last columns. If negative, the number follows from
    /// measured rates.
    Devices(i64),
}

impl Place {
    pub(super) fn check_numbers(self, options: &Options) -> Result<(), Failure> {
        let Place::Devices(host_columns) = self else { return Ok(()) };
        at_least("host_columns", host_columns, -1)?;
        options.check_numbers()
    }

    pub(super) fn check_addresses(self, options: &Options) -> Result<(), Failure> {
        if let Place::Devices(_) = self { options.check_addresses() } else { Ok(()) }
    }

    /// Factors A, and returns the tiles that describe T.
    ///
    /// # Safety
    /// A and T must have the sizes that `tiles` gives.
    pub(super) unsafe fn factor<T: Scalar>(
        self,
        options: &Options,
        tiles: &Tiles,
        (a, t): (MatrixView<T>, *mut T),
        look_ahead: usize,
    ) -> Result<Tiles, Failure> {
        match self {
            Place::Host => {
                let tell = |done: usize, total: usize| options.report_progress(done, total);
                unsafe { sequence::factor::<T>(tiles, a, t, look_ahead, &tell) }
                    .map_err(stop_to_failure)
                    .map(|()| *tiles)
            }
            Place::Devices(host_columns) => unsafe {
                DeviceFactorisation { options, host_columns, look_ahead }.factor(tiles, a, t)
            },
        }
    }
}

struct HostColumns<'a> {
    options: &'a Options,
    sizes: [i64; 3],
    columns: *mut i64,
}

/// `tephra_?geqrf_tiled_host_columns`, with m, n, nb.
///
/// # Safety
/// `columns` must be NULL or valid for a write.
pub unsafe fn host_columns(options: &Options, dtype: Dtype, sizes: [i64; 3], columns: *mut i64) -> i32 {
    unsafe { typed(options.own, dtype, HostColumns { options, sizes, columns }) }
}

impl Call for HostColumns<'_> {
    unsafe fn run<T: Scalar>(self) -> Result<(), Failure> {
        let HostColumns { options, sizes: [m, n, nb], columns } = self;
        let (tiles, _) = tiles(T::DTYPE, m, n, nb)?;
        options.check_numbers()?;
        options.check_addresses()?;
        not_null("columns", columns, true)?;
        let found = DeviceFactorisation { options, host_columns: -1, look_ahead: 0 }.host_columns::<T>(&tiles)?;
        unsafe { columns.write_unaligned(found as i64) };
        Ok(())
    }
}

struct Geqrf<'a> {
    options: &'a Options,
    place: Place,
    sizes: [i64; 3],
    a: Argument,
    t: Argument,
    look_ahead: i64,
}

/// `tephra_?geqrf_tiled` and `tephra_?geqrf_tiled_devices`, with m, n, nb and A, T.
///
/// # Safety
/// The operands must be as the header says.
pub unsafe fn geqrf(
    options: &Options,
    place: Place,
    dtype: Dtype,
    sizes: [i64; 3],
    [a, t]: [Argument; 2],
    look_ahead: i64,
) -> i32 {
    unsafe { typed(options.own, dtype, Geqrf { options, place, sizes, a, t, look_ahead }) }
}

impl Call for Geqrf<'_> {
    unsafe fn run<T: Scalar>(self) -> Result<(), Failure> {
        let Geqrf { options, place, sizes: [m, n, nb], a, t, look_ahead } = self;
        let (tiles, size) = tiles(T::DTYPE, m, n, nb)?;
        Matrix { rows: (m, Arg::M), columns: (n, Arg::N), ld: (a.1, Arg::Lda) }.check_ld(T::DTYPE)?;
        at_least("tsize", t.1, size)?;
        at_least("look_ahead", look_ahead, 0)?;
        place.check_numbers(options)?;
        not_null("a", a.0, m > 0 && n > 0)?;
        not_null("t", t.0, m > 0 && n > 0)?;
        place.check_addresses(options)?;
        if m == 0 || n == 0 {
            return Ok(());
        }
        let look_ahead = if look_ahead == 0 { usize::MAX } else { look_ahead as usize };
        unsafe { place.factor::<T>(options, &tiles, (view(a), t.0.cast()), look_ahead) }.map(|_| ())
    }
}

/// The tiles that T was made for, for a Q with m rows and k columns. T must have at least [`HEAD`] elements.
unsafe fn tiles_of<T: Scalar>(m: i64, k: i64, t: Argument) -> Result<Tiles, Failure> {
    let foreign = || Failure::Argument("t", "does not come from the factorisation".into());
    let head: [f64; HEAD] = std::array::from_fn(|i| unsafe { view::<T>((t.0, 1)).get(i, 0) }.re().to_f64());
    let tiles = Tiles::from_head(m as usize, k as usize, head).ok_or_else(foreign)?;
    at_least("tsize", t.1, tiles.size().ok_or_else(foreign)?)?;
    Ok(tiles)
}

/// Refuses values above `most`.
fn at_most(name: &'static str, value: i64, most: i64) -> Result<(), Failure> {
    if value > most { Err(Failure::Argument(name, format!("is {value}, but must be at most {most}"))) } else { Ok(()) }
}

/// Parses the transposition. As in LAPACK, T is only valid for real types.
pub(super) fn adjoint_or_none<T: Scalar>(trans: c_int) -> Result<Form, Failure> {
    let refused = || Failure::Argument("trans", format!("is {trans}"));
    match cblas::trans(trans).map_err(|_| refused())? {
        Trans::N => Ok(Form::Plain),
        Trans::T if T::COMPLEX => Err(refused()),
        _ => Ok(Form::Adjoint),
    }
}

struct Ormqr {
    trans: c_int,
    sizes: [i64; 3],
    operands: [Argument; 3],
}

/// `tephra_?ormqr_tiled`, with m, n, k and A, T, C.
///
/// # Safety
/// The operands must be as the header says.
pub unsafe fn ormqr(
    own: &'static Prototype,
    dtype: Dtype,
    trans: c_int,
    sizes: [i64; 3],
    operands: [Argument; 3],
) -> i32 {
    unsafe { typed(own, dtype, Ormqr { trans, sizes, operands }) }
}

impl Call for Ormqr {
    unsafe fn run<T: Scalar>(self) -> Result<(), Failure> {
        let Ormqr { trans, sizes: [m, n, k], operands: [a, t, c] } = self;
        let form = adjoint_or_none::<T>(trans)?;
        let works = m > 0 && n > 0 && k > 0;
        at_least("m", m, 0)?;
        at_least("n", n, 0)?;
        at_least("k", k, 0)?;
        at_most("k", k, m)?;
        // Without work no operand is accessed, so its size does not matter.
        let (rows, used) = ((m, Arg::M), |columns: i64| if works { columns } else { 0 });
        let of_a = Matrix { rows, columns: (used(k), Arg::K), ld: (a.1, Arg::Lda) };
        let of_c = Matrix { rows, columns: (used(n), Arg::N), ld: (c.1, Arg::Ldc) };
        sizes_fit(T::DTYPE, &[of_a, of_c])?;
        of_a.check_ld(T::DTYPE)?;
        at_least("tsize", t.1, if works { HEAD as i64 } else { i64::MIN })?;
        of_c.check_ld(T::DTYPE)?;
        [("a", a), ("t", t), ("c", c)].into_iter().try_for_each(|(name, of)| not_null(name, of.0, works))?;
        let tiles = if works { Some(unsafe { tiles_of::<T>(m, k, t) }?) } else { None };
        let Some(tiles) = tiles else { return Ok(()) };
        unsafe { sequence::apply::<T>(&tiles, form, view(a), t.0.cast(), (n as usize, view(c)), false) }
            .map_err(stop_to_failure)
    }
}

struct Orgqr {
    sizes: [i64; 3],
    operands: [Argument; 3],
}

/// `tephra_?orgqr_tiled`, with m, n, k and A, T, Q.
///
/// # Safety
/// The operands must be as the header says.
pub unsafe fn orgqr(own: &'static Prototype, dtype: Dtype, sizes: [i64; 3], operands: [Argument; 3]) -> i32 {
    unsafe { typed(own, dtype, Orgqr { sizes, operands }) }
}

impl Call for Orgqr {
    unsafe fn run<T: Scalar>(self) -> Result<(), Failure> {
        let Orgqr { sizes: [m, n, k], operands: [a, t, q] } = self;
        let works = n > 0 && k > 0;
        at_least("m", m, 0)?;
        at_least("n", n, 0)?;
        at_most("n", n, m)?;
        at_least("k", k, 0)?;
        at_most("k", k, n)?;
        let rows = (m, Arg::M);
        let of_a = Matrix { rows, columns: (k, Arg::K), ld: (a.1, Arg::Lda) };
        let of_q = Matrix { rows, columns: (n, Arg::N), ld: (q.1, Arg::Ldq) };
        sizes_fit(T::DTYPE, &[of_a, of_q])?;
        of_a.check_ld(T::DTYPE)?;
        at_least("tsize", t.1, if works { HEAD as i64 } else { i64::MIN })?;
        of_q.check_ld(T::DTYPE)?;
        not_null("a", a.0, works)?;
        not_null("t", t.0, works)?;
        not_null("q", q.0, n > 0)?;
        if q.0 == a.0 && works {
            return Err(Failure::Argument("q", "must not be the same array as a".into()));
        }
        // Without reflectors Q consists of columns of the identity.
        let tiles = if works { unsafe { tiles_of::<T>(m, k, t) }? } else { Tiles::of(m as usize, 0, 0) };
        if n == 0 {
            return Ok(());
        }
        unsafe { sequence::apply::<T>(&tiles, Form::Plain, view(a), t.0.cast(), (n as usize, view(q)), true) }
            .map_err(stop_to_failure)
    }
}
