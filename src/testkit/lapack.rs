//! LAPACK (an OpenBLAS, loaded at run time), whose results serve as the reference.

use crate::library::{open_first, symbol, symbol_name};
use crate::qr::Factored;
use crate::{Dtype, Error, Field, Matrix, Result, Scalar};
use libloading::Library as Object;
use std::ffi::{c_int, c_void};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// `?geqrf`, `?gelqf`
type Factor = unsafe extern "C" fn(
    m: *const c_int,
    n: *const c_int,
    a: *mut c_void,
    lda: *const c_int,
    tau: *mut c_void,
    work: *mut c_void,
    lwork: *const c_int,
    info: *mut c_int,
);

/// `?potrf`, `?potri`. The length of the `uplo` string comes last.
type OfTriangle = unsafe extern "C" fn(
    uplo: *const u8,
    n: *const c_int,
    a: *mut c_void,
    lda: *const c_int,
    info: *mut c_int,
    length: usize,
);

/// A routine that works on one triangle in place.
#[derive(Clone, Copy)]
pub struct Triangles<T>(OfTriangle, PhantomData<T>);

impl<T> Triangles<T> {
    /// Calls the routine and returns its info code.
    ///
    /// # Safety
    /// `a` must have `lda * n` elements.
    pub unsafe fn call(&self, upper: bool, n: usize, a: *mut T, lda: usize) -> c_int {
        let (uplo, [n, lda], mut info) = (if upper { b'U' } else { b'L' }, [n, lda].map(|x| x as c_int), 0);
        unsafe { (self.0)(&uplo, &n, a.cast(), &lda, &mut info, 1) };
        info
    }
}

/// A loaded LAPACK with 32-bit integers.
pub struct Lapack {
    /// The file that was loaded.
    pub path: PathBuf,
    object: Object,
    /// The prefix of its symbols.
    prefix: &'static str,
    geqrf: [Factor; 4],
    set_threads: Option<unsafe extern "C" fn(c_int)>,
}

impl Lapack {
    /// Loads the LAPACK named by `TEPHRA_LAPACK`; if that is not set, an OpenBLAS in a `.tools` directory above the
    /// executable or the current directory, or else the system's. It computes with one thread per call.
    pub fn get() -> Result<&'static Lapack> {
        static LAPACK: OnceLock<Result<Lapack>> = OnceLock::new();
        LAPACK.get_or_init(Self::load).as_ref().map_err(Clone::clone)
    }

    /// Like [`Lapack::get`], but returns `None` if there is no LAPACK and `TEPHRA_ALLOW_NO_LAPACK=1` permits that.
    pub fn get_unless_waived() -> Result<Option<&'static Lapack>> {
        match Self::get() {
            Ok(lapack) => Ok(Some(lapack)),
            Err(_) if std::env::var("TEPHRA_ALLOW_NO_LAPACK").is_ok_and(|v| v == "1") => Ok(None),
            Err(e) => Err(Error::Load(format!("LAPACK is needed to compare with (set TEPHRA_LAPACK): {e}"))),
        }
    }

    fn load() -> Result<Lapack> {
        let mut places = Vec::new();
        let starts = [std::env::current_exe().ok(), std::env::current_dir().ok()];
        for above in starts.iter().flatten().flat_map(|p| p.ancestors()) {
            find_openblas(&above.join(".tools"), 6, &mut places);
        }
        places.extend(["libopenblas.so.0", "liblapack.so.3"].map(PathBuf::from));
        let (path, object) = open_first("TEPHRA_LAPACK", &places)?;
        // scipy's build of OpenBLAS prefixes its symbols.
        let prefix = ["", "scipy_"].into_iter().find(|p| exports(&object, &format!("{p}dgeqrf_")));
        let prefix = prefix.ok_or_else(|| Error::Load(format!("{}: no dgeqrf_", path.display())))?;
        // SAFETY: the types match LAPACK's Fortran interface with 32-bit integers.
        let geqrf = Dtype::ALL.map(|d| unsafe { symbol(&object, &format!("{prefix}{}", symbol_name("?geqrf_", d))) });
        let [s, d, c, z] = geqrf;
        // SAFETY: the type is that of OpenBLAS's documented function.
        let set_threads = unsafe { symbol(&object, &format!("{prefix}openblas_set_num_threads")) }.ok();
        let lapack = Lapack { path, object, prefix, geqrf: [s?, d?, c?, z?], set_threads };
        lapack.set_threads(1);
        Ok(lapack)
    }

    /// Sets the number of threads of a call, if the library has a function for that.
    pub fn set_threads(&self, threads: i32) {
        if let Some(set) = self.set_threads {
            // SAFETY: any positive number is allowed.
            unsafe { set(threads) };
        }
    }

    /// The QR factors of a copy of `input`.
    pub fn geqrf<T: Scalar>(&self, input: &Matrix<T>) -> Factored<T> {
        self.factored(self.geqrf[T::DTYPE as usize], input)
    }

    /// The result of any routine that has the arguments of `?geqrf`, applied to a copy of `input`.
    pub fn by<T: Scalar>(&self, routine: &str, input: &Matrix<T>) -> Result<Factored<T>> {
        let name = format!("{}{}_", self.prefix, symbol_name(routine, T::DTYPE));
        // SAFETY: the type matches LAPACK's Fortran interface with 32-bit integers.
        Ok(self.factored(unsafe { symbol(&self.object, &name) }?, input))
    }

    fn factored<T: Scalar>(&self, routine: Factor, input: &Matrix<T>) -> Factored<T> {
        let (m, n) = (input.rows(), input.cols());
        let mut factors = input.clone();
        let mut tau = vec![T::POISON; m.min(n)];
        if !tau.is_empty() {
            let mut work = vec![T::POISON; m.max(n) * 64];
            // SAFETY: the sizes are those of the allocations.
            let info = unsafe { raw(routine, m, n, factors.data_mut().as_mut_ptr(), m, tau.as_mut_ptr(), &mut work) };
            assert_eq!(info, 0, "LAPACK refused {m}x{n}");
        }
        Factored { factors, tau }
    }

    /// QR with column pivoting of a copy of `input`. `choice` is jpvt on entry; the second result is jpvt on return.
    pub fn geqp3<T: Scalar>(&self, input: &Matrix<T>, choice: &[c_int]) -> Result<(Factored<T>, Vec<c_int>)> {
        type Int = *const c_int;
        type Raw = *mut c_void;
        type OfReal = unsafe extern "C" fn(Int, Int, Raw, Int, *mut c_int, Raw, Raw, Int, *mut c_int);
        type OfComplex = unsafe extern "C" fn(Int, Int, Raw, Int, *mut c_int, Raw, Raw, Int, Raw, *mut c_int);
        let name = format!("{}{}", self.prefix, symbol_name("?geqp3_", T::DTYPE));
        let (m, n) = (input.rows(), input.cols());
        let (mut factors, mut jpvt, mut info) = (input.clone(), choice.to_vec(), 0);
        let (mut tau, mut work) = (vec![T::POISON; m.min(n)], vec![T::POISON; (n + 1) * 64]);
        let (rows, cols, lda, lwork) = (m as c_int, n as c_int, m as c_int, work.len() as c_int);
        let mut reals = vec![0f64; 2 * n];
        let (a, tau_at, at) =
            (factors.data_mut().as_mut_ptr().cast(), tau.as_mut_ptr().cast(), work.as_mut_ptr().cast());
        // SAFETY: the types match LAPACK's Fortran interface with 32-bit integers; the sizes are those of the
        // allocations.
        unsafe {
            if T::DTYPE.is_complex() {
                let geqp3: OfComplex = symbol(&self.object, &name)?;
                let reals = reals.as_mut_ptr().cast();
                geqp3(&rows, &cols, a, &lda, jpvt.as_mut_ptr(), tau_at, at, &lwork, reals, &mut info);
            } else {
                let geqp3: OfReal = symbol(&self.object, &name)?;
                geqp3(&rows, &cols, a, &lda, jpvt.as_mut_ptr(), tau_at, at, &lwork, &mut info);
            }
        }
        assert_eq!(info, 0, "LAPACK refused {m}x{n}");
        Ok((Factored { factors, tau }, jpvt))
    }

    /// `?gelsy` on copies of `a` and `b`: B as it leaves it, and the rank.
    pub fn gelsy<T: Scalar>(&self, a: &Matrix<T>, b: &Matrix<T>, rcond: f64) -> Result<(Matrix<T>, c_int)> {
        type Int = *const c_int;
        type Raw = *mut c_void;
        type Out = *mut c_int;
        type Of = *const c_void;
        type OfReal = unsafe extern "C" fn(Int, Int, Int, Raw, Int, Raw, Int, Out, Of, Out, Raw, Int, Out);
        type OfComplex = unsafe extern "C" fn(Int, Int, Int, Raw, Int, Raw, Int, Out, Of, Out, Raw, Int, Raw, Out);
        let name = format!("{}{}", self.prefix, symbol_name("?gelsy_", T::DTYPE));
        let (m, n, nrhs) = (a.rows() as c_int, a.cols() as c_int, b.cols() as c_int);
        let (mut f, mut x, mut jpvt, mut codes) = (a.clone(), b.clone(), vec![0 as c_int; a.cols()], [0; 2]);
        let [rank, info] = &mut codes;
        let mut work = vec![T::POISON; (a.rows().max(a.cols()) + b.cols() + 8) * 64];
        let (ldb, lwork, mut reals) = (b.rows() as c_int, work.len() as c_int, vec![0f64; 2 * a.cols()]);
        let (double, single) = (rcond, rcond as f32);
        let of: Of = if T::DTYPE.is_double() { (&raw const double).cast() } else { (&raw const single).cast() };
        let (fa, xb, at) =
            (f.data_mut().as_mut_ptr().cast(), x.data_mut().as_mut_ptr().cast(), work.as_mut_ptr().cast());
        // SAFETY: the types match LAPACK's Fortran interface with 32-bit integers; the sizes are those of the
        // allocations.
        unsafe {
            let jpvt = jpvt.as_mut_ptr();
            if T::DTYPE.is_complex() {
                let gelsy: OfComplex = symbol(&self.object, &name)?;
                let reals = reals.as_mut_ptr().cast();
                gelsy(&m, &n, &nrhs, fa, &m, xb, &ldb, jpvt, of, rank, at, &lwork, reals, info);
            } else {
                let gelsy: OfReal = symbol(&self.object, &name)?;
                gelsy(&m, &n, &nrhs, fa, &m, xb, &ldb, jpvt, of, rank, at, &lwork, info);
            }
        }
        assert_eq!(codes[1], 0, "LAPACK refused {m}x{n}");
        Ok((x, codes[0]))
    }

    /// `?geqr` on a copy of `input`, and `?gemqr` with Q^H from the left on a copy of `c`: R together with the elements
    /// below it, and Q^H C.
    pub fn implicit<T: Scalar>(&self, input: &Matrix<T>, c: &Matrix<T>) -> Result<[Matrix<T>; 2]> {
        type Int = *const c_int;
        type Raw = *mut c_void;
        type Geqr = unsafe extern "C" fn(Int, Int, Raw, Int, Raw, Int, Raw, Int, *mut c_int);
        #[rustfmt::skip]
        type Gemqr = unsafe extern "C" fn(
            *const u8, *const u8, Int, Int, Int, Raw, Int, Raw, Int, Raw, Int, Raw, Int, *mut c_int, usize, usize,
        );
        let name = |routine| format!("{}{}_", self.prefix, symbol_name(routine, T::DTYPE));
        let [m, n, columns] = [input.rows(), input.cols(), c.cols()].map(|x| x as c_int);
        // More than any block size requires.
        let length = 64 * (m + n + columns) + n * m;
        let [mut t, mut work] = [(); 2].map(|()| vec![T::POISON; length as usize]);
        let (mut a, mut c, mut codes) = (input.clone(), c.clone(), [1; 2]);
        let (at, ct) = (a.data_mut().as_mut_ptr().cast(), c.data_mut().as_mut_ptr().cast());
        let (t, work) = (t.as_mut_ptr().cast(), work.as_mut_ptr().cast());
        let trans = if T::DTYPE.is_complex() { b"C" } else { b"T" };
        // SAFETY: the types match LAPACK's Fortran interface with 32-bit integers; the sizes are those of the
        // allocations.
        unsafe {
            let geqr: Geqr = symbol(&self.object, &name("?geqr"))?;
            let gemqr: Gemqr = symbol(&self.object, &name("?gemqr"))?;
            geqr(&m, &n, at, &m, t, &length, work, &length, &mut codes[0]);
            let (side, k) = (b"L".as_ptr(), m.min(n));
            let trans = trans.as_ptr();
            gemqr(side, trans, &m, &columns, &k, at, &m, t, &length, ct, &m, work, &length, &mut codes[1], 1, 1);
        }
        assert_eq!(codes, [0, 0], "LAPACK refused {m}x{n}");
        Ok([a, c])
    }

    /// `?getrf` on a copy of `input`: the factors, interchanges and info code.
    pub fn getrf<T: Scalar>(&self, input: &Matrix<T>) -> Result<(Matrix<T>, Vec<c_int>, c_int)> {
        type Getrf = unsafe extern "C" fn(
            m: *const c_int,
            n: *const c_int,
            a: *mut c_void,
            lda: *const c_int,
            ipiv: *mut c_int,
            info: *mut c_int,
        );
        let name = format!("{}{}_", self.prefix, symbol_name("?getrf", T::DTYPE));
        let (m, n) = (input.rows(), input.cols());
        let (mut factors, mut ipiv, mut info) = (input.clone(), vec![0; m.min(n)], 0);
        let [rows, columns, lda] = [m, n, m.max(1)].map(|x| x as c_int);
        // SAFETY: the type matches LAPACK's Fortran interface with 32-bit integers; the sizes are those of the
        // allocations.
        unsafe {
            let getrf: Getrf = symbol(&self.object, &name)?;
            getrf(&rows, &columns, factors.data_mut().as_mut_ptr().cast(), &lda, ipiv.as_mut_ptr(), &mut info);
        }
        Ok((factors, ipiv, info))
    }

    /// `?potrf` on a copy of `input`, on its upper or lower triangle: the factor and the info code.
    pub fn potrf<T: Scalar>(&self, upper: bool, input: &Matrix<T>) -> Result<(Matrix<T>, c_int)> {
        self.triangle("?potrf", upper, input)
    }

    /// `?potri` on a copy of a factor: a triangle of the inverse, and the info code.
    pub fn potri<T: Scalar>(&self, upper: bool, factor: &Matrix<T>) -> Result<(Matrix<T>, c_int)> {
        self.triangle("?potri", upper, factor)
    }

    fn triangle<T: Scalar>(&self, routine: &str, upper: bool, input: &Matrix<T>) -> Result<(Matrix<T>, c_int)> {
        let (mut a, n) = (input.clone(), input.rows());
        let routine = self.of_triangles::<T>(routine)?;
        // SAFETY: the sizes are those of the allocations.
        let info = unsafe { routine.call(upper, n, a.data_mut().as_mut_ptr(), n.max(1)) };
        Ok((a, info))
    }

    /// `?potrf` or `?potri`, which benchmarks time.
    pub fn of_triangles<T: Scalar>(&self, routine: &str) -> Result<Triangles<T>> {
        let name = format!("{}{}_", self.prefix, symbol_name(routine, T::DTYPE));
        // SAFETY: the type matches LAPACK's Fortran interface with 32-bit integers.
        Ok(Triangles(unsafe { symbol(&self.object, &name) }?, PhantomData))
    }

    /// `?gels` with the letter `trans`: X, or `None` if A does not have full rank.
    pub fn gels<T: Scalar>(&self, trans: u8, a: &Matrix<T>, b: &Matrix<T>) -> Result<Option<Matrix<T>>> {
        type Int = *const c_int;
        type Raw = *mut c_void;
        type Gels = unsafe extern "C" fn(*const u8, Int, Int, Int, Raw, Int, Raw, Int, Raw, Int, *mut c_int, usize);
        let mut x = Matrix::from_fn(a.rows().max(a.cols()), b.cols(), |i, j| b[(i.min(b.rows() - 1), j)]);
        let [m, n, nrhs, ldb] = [a.rows(), a.cols(), b.cols(), x.rows()].map(|x| x as c_int);
        let (mut factors, mut info, mut work) = (a.clone(), 0, vec![T::POISON; 64 * (a.rows() + a.cols() + b.cols())]);
        let lwork = work.len() as c_int;
        let (a, b) = (factors.data_mut().as_mut_ptr().cast(), x.data_mut().as_mut_ptr().cast());
        // SAFETY: the type matches LAPACK's Fortran interface with 32-bit integers; the sizes are those of the
        // allocations.
        unsafe {
            let gels: Gels = symbol(&self.object, &self.name::<T>("?gels"))?;
            gels(&trans, &m, &n, &nrhs, a, &m, b, &ldb, work.as_mut_ptr().cast(), &lwork, &mut info, 1);
        }
        Ok((info == 0).then_some(x))
    }

    /// `?gesv`: X, or `None` if A is singular.
    pub fn gesv<T: Scalar>(&self, a: &Matrix<T>, b: &Matrix<T>) -> Result<Option<Matrix<T>>> {
        type Int = *const c_int;
        type Raw = *mut c_void;
        type Gesv = unsafe extern "C" fn(Int, Int, Raw, Int, *mut c_int, Raw, Int, *mut c_int);
        let (mut factors, mut x, mut ipiv, mut info) = (a.clone(), b.clone(), vec![0; a.rows()], 0);
        let [n, nrhs] = [a.rows(), b.cols()].map(|x| x as c_int);
        let (a, b) = (factors.data_mut().as_mut_ptr().cast(), x.data_mut().as_mut_ptr().cast());
        // SAFETY: as above.
        unsafe {
            let gesv: Gesv = symbol(&self.object, &self.name::<T>("?gesv"))?;
            gesv(&n, &nrhs, a, &n, ipiv.as_mut_ptr(), b, &n, &mut info);
        }
        Ok((info == 0).then_some(x))
    }

    /// `?posv` on a triangle: X, or `None` if A is not positive definite.
    pub fn posv<T: Scalar>(&self, upper: bool, a: &Matrix<T>, b: &Matrix<T>) -> Result<Option<Matrix<T>>> {
        type Int = *const c_int;
        type Raw = *mut c_void;
        type Posv = unsafe extern "C" fn(*const u8, Int, Int, Raw, Int, Raw, Int, *mut c_int, usize);
        let (mut factors, mut x, mut info) = (a.clone(), b.clone(), 0);
        let ([n, nrhs], uplo) = ([a.rows(), b.cols()].map(|x| x as c_int), if upper { b'U' } else { b'L' });
        let (a, b) = (factors.data_mut().as_mut_ptr().cast(), x.data_mut().as_mut_ptr().cast());
        // SAFETY: as above.
        unsafe {
            let posv: Posv = symbol(&self.object, &self.name::<T>("?posv"))?;
            posv(&uplo, &n, &nrhs, a, &n, b, &n, &mut info, 1);
        }
        Ok((info == 0).then_some(x))
    }

    /// The inverse by [`Lapack::getrf`] and [`Lapack::getri`], or `None` if A is singular.
    pub fn inverse<T: Scalar>(&self, a: &Matrix<T>) -> Result<Option<Matrix<T>>> {
        let (factors, ipiv, info) = self.getrf(a)?;
        if info == 0 { self.getri(&factors, &ipiv).map(Some) } else { Ok(None) }
    }

    /// `?getri`: the inverse, from interchanges and factors without a zero on the diagonal of U.
    pub fn getri<T: Scalar>(&self, factors: &Matrix<T>, ipiv: &[c_int]) -> Result<Matrix<T>> {
        type Int = *const c_int;
        type Raw = *mut c_void;
        type Getri = unsafe extern "C" fn(Int, Raw, Int, Int, Raw, Int, *mut c_int);
        let (mut c, mut info, n) = (factors.clone(), 0, factors.rows() as c_int);
        let mut work = vec![T::POISON; 64 * factors.rows()];
        let (lwork, at) = (work.len() as c_int, c.data_mut().as_mut_ptr().cast());
        // SAFETY: as above.
        unsafe {
            let getri: Getri = symbol(&self.object, &self.name::<T>("?getri"))?;
            getri(&n, at, &n, ipiv.as_ptr(), work.as_mut_ptr().cast(), &lwork, &mut info);
        }
        assert_eq!(info, 0, "LAPACK refused {n}");
        Ok(c)
    }

    /// `?getrs` with the letter `trans`, from factors and interchanges: X.
    pub fn getrs<T: Scalar>(&self, trans: u8, factors: &Matrix<T>, ipiv: &[c_int], b: &Matrix<T>) -> Result<Matrix<T>> {
        type Int = *const c_int;
        type Raw = *const c_void;
        type Getrs = unsafe extern "C" fn(*const u8, Int, Int, Raw, Int, Int, *mut c_void, Int, *mut c_int, usize);
        let (mut x, mut info, [n, nrhs]) = (b.clone(), 0, [b.rows(), b.cols()].map(|x| x as c_int));
        let (a, at) = (factors.data().as_ptr().cast(), x.data_mut().as_mut_ptr().cast());
        // SAFETY: as above.
        unsafe {
            let getrs: Getrs = symbol(&self.object, &self.name::<T>("?getrs"))?;
            getrs(&trans, &n, &nrhs, a, &n, ipiv.as_ptr(), at, &n, &mut info, 1);
        }
        Ok(x)
    }

    /// `?potrs`, from the factor in a triangle: X.
    pub fn potrs<T: Scalar>(&self, upper: bool, factor: &Matrix<T>, b: &Matrix<T>) -> Result<Matrix<T>> {
        type Int = *const c_int;
        type Raw = *const c_void;
        type Potrs = unsafe extern "C" fn(*const u8, Int, Int, Raw, Int, *mut c_void, Int, *mut c_int, usize);
        let (mut x, mut info, [n, nrhs]) = (b.clone(), 0, [b.rows(), b.cols()].map(|x| x as c_int));
        let (a, at) = (factor.data().as_ptr().cast(), x.data_mut().as_mut_ptr().cast());
        // SAFETY: as above.
        unsafe {
            let potrs: Potrs = symbol(&self.object, &self.name::<T>("?potrs"))?;
            potrs(if upper { b"U" } else { b"L" }.as_ptr(), &n, &nrhs, a, &n, at, &n, &mut info, 1);
        }
        Ok(x)
    }

    /// BLAS's `?trsm` with alpha = 1 and four letters (side, triangle, transposition, diagonal): X.
    pub fn trsm<T: Scalar>(&self, letters: [u8; 4], a: &Matrix<T>, b: &Matrix<T>) -> Result<Matrix<T>> {
        type Int = *const c_int;
        type Raw = *const c_void;
        type Letter = *const u8;
        #[rustfmt::skip]
        type Trsm = unsafe extern "C" fn(
            Letter, Letter, Letter, Letter, Int, Int, Raw, Raw, Int, *mut c_void, Int, usize, usize, usize, usize,
        );
        let (mut x, alpha) = (b.clone(), T::from_double(<T as Scalar>::Double::ONE));
        let [m, n, lda] = [b.rows(), b.cols(), a.rows()].map(|x| x as c_int);
        let ([side, uplo, trans, diag], at) = (letters, x.data_mut().as_mut_ptr().cast());
        let (alpha, a) = ((&raw const alpha).cast(), a.data().as_ptr().cast());
        // SAFETY: as above.
        unsafe {
            let trsm: Trsm = symbol(&self.object, &self.name::<T>("?trsm"))?;
            trsm(&side, &uplo, &trans, &diag, &m, &n, alpha, a, &lda, at, &m, 1, 1, 1, 1);
        }
        Ok(x)
    }

    /// The symbol of a routine.
    fn name<T: Scalar>(&self, routine: &str) -> String {
        format!("{}{}_", self.prefix, symbol_name(routine, T::DTYPE))
    }

    /// `?geqrf` in place, with the caller's workspace (64 n elements always suffice), which benchmarks time.
    ///
    /// # Safety
    /// `a` must have `lda * n` elements and `tau` min(m, n).
    pub unsafe fn geqrf_raw<T: Scalar>(
        &self,
        m: usize,
        n: usize,
        a: *mut T,
        lda: usize,
        tau: *mut T,
        work: &mut [T],
    ) -> i32 {
        unsafe { raw(self.geqrf[T::DTYPE as usize], m, n, a, lda, tau, work) }
    }
}

unsafe fn raw<T>(routine: Factor, m: usize, n: usize, a: *mut T, lda: usize, tau: *mut T, work: &mut [T]) -> i32 {
    let (m, n, lda, lwork) = (m as c_int, n as c_int, lda as c_int, work.len() as c_int);
    let mut info = 0;
    unsafe { routine(&m, &n, a.cast(), &lda, tau.cast(), work.as_mut_ptr().cast(), &lwork, &mut info) };
    info
}

fn exports(object: &Object, name: &str) -> bool {
    // SAFETY: the code only looks up the address.
    unsafe { object.get::<*const ()>(name.as_bytes()) }.is_ok()
}

/// Finds files that look like an OpenBLAS with 32-bit integers, at most `depth` directories down.
fn find_openblas(dir: &Path, depth: usize, found: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(dir) else { return };
    for path in entries.flatten().map(|e| e.path()) {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() {
            if depth > 0 {
                find_openblas(&path, depth - 1, found);
            }
        } else if name.contains("openblas") && name.contains(".so") && !name.contains("64_") {
            found.push(path);
        }
    }
}
