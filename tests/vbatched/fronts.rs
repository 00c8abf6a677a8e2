//! The calls that sparse solvers make to MAGMA for the fronts of a matrix, using MAGMA's names only. The fronts have
//! different sizes, each with d1 rows that are eliminated and d2 rows that are updated, either of which may be 0. The
//! results are compared with plain eliminations of each front.

use tephra_testkit::any_call::{call, registers};
use tephra_testkit::library::symbol_name;
use tephra_testkit::memory::{Kind, Memory};
use tephra_testkit::qr::Session;
use tephra_testkit::scalar::{Field, bytes_of};
use tephra_testkit::varying::ints;
use tephra_testkit::{Dtype, Library, Matrix, Result, Rng, Scalar, with_scalar};

// CBLAS's numbers, which MAGMA shares
const LEFT: u64 = 141;
const RIGHT: u64 = 142;
const UPPER: u64 = 121;
const LOWER: u64 = 122;
const N: u64 = 111;
const NON_UNIT: u64 = 131;
const UNIT: u64 = 132;

/// Numbers in device memory, laid out as the fronts need them.
struct Device<T> {
    memory: Memory,
    start: Vec<usize>,
    length: usize,
    mark: std::marker::PhantomData<T>,
}

impl<T: Scalar> Device<T> {
    fn new(lib: &'static Library, parts: &[Vec<T>]) -> Result<Self> {
        let mut start = vec![0];
        parts.iter().for_each(|part| start.push(start[start.len() - 1] + part.len()));
        let all = parts.concat();
        let memory = Memory::new(lib, Kind::Device, size_of_val(&all[..]).max(1))?;
        memory.write(&all)?;
        let (length, mark) = (all.len(), std::marker::PhantomData);
        Ok(Device { memory, start, length, mark })
    }

    /// Pointers to one element of each part.
    fn pointers(&self, lib: &'static Library, element: impl Fn(usize) -> usize) -> Result<Memory> {
        let at = |i: usize| self.memory.pointer() as usize + (self.start[i] + element(i)) * size_of::<T>();
        let all: Vec<usize> = (0..self.start.len() - 1).map(at).collect();
        let memory = Memory::new(lib, Kind::Device, size_of_val(&all[..]))?;
        memory.write(&all)?;
        Ok(memory)
    }

    fn parts(&self) -> Result<Vec<Vec<T>>> {
        let mut all = vec![T::POISON; self.length];
        self.memory.read(&mut all)?;
        Ok(self.start.windows(2).map(|ends| all[ends[0]..ends[1]].to_vec()).collect())
    }

    fn change(&self, f: impl Fn(usize, &mut Vec<T>)) -> Result<()> {
        let mut parts = self.parts()?;
        parts.iter_mut().enumerate().for_each(|(i, part)| f(i, part));
        self.memory.write(&parts.concat())
    }
}

/// A device array of sizes, one for each front plus the extra entry at the end that MAGMA requires.
fn sizes(lib: &'static Library, of: impl Iterator<Item = usize>) -> Result<Memory> {
    ints(lib, &of.map(|size| size as i32).chain([0]).collect::<Vec<_>>())
}

fn at(memory: &Memory) -> u64 {
    memory.pointer() as u64
}

/// What all calls share.
struct Caller {
    lib: &'static Library,
    session: Session,
    dtype: Dtype,
    batch: u64,
}

impl Caller {
    fn run<T: Scalar>(&self, symbol: &str, scalars: &[T], arguments: &[u64]) -> i32 {
        let scalars = registers(scalars.iter().map(|x| bytes_of(std::slice::from_ref(x))), self.dtype.is_double());
        // SAFETY: the arguments match MAGMA's prototypes, and the memory has the given sizes.
        unsafe { call(self.lib, &symbol_name(symbol, self.dtype), scalars, arguments) }
    }

    fn queue(&self) -> Result<u64> {
        Ok(self.session.queue()?.raw() as u64)
    }
}

/// Fronts with a heavy diagonal, which need no interchanges, or, with `turned`, with their rows in another order.
struct Fronts<W> {
    d1: Vec<usize>,
    d2: Vec<usize>,
    of: Vec<Matrix<W>>,
}

impl<W: Field + Scalar<Double = W>> Fronts<W> {
    fn new<T: Scalar<Double = W>>(turned: bool) -> Self {
        let mut rng = Rng::new(51);
        let mut d1: Vec<usize> = (0..17).map(|_| rng.below(40)).collect();
        let mut d2: Vec<usize> = (0..17).map(|_| rng.below(70)).collect();
        (d1[3], d2[5], d1[7], d2[7]) = (0, 0, 65, 130);
        (d1[9], d2[9]) = (0, 0);
        let front = |(&d1, &d2): (&usize, &usize)| {
            let order = d1 + d2;
            let heavy = Matrix::from_fn(order, order, |i, j| {
                let x = W::uniform(&mut rng).scale(1.0 / (order as f64));
                T::from_double(if i == j { x + W::ONE } else { x }).to_double()
            });
            // Only the rows that are eliminated are reordered, since the others are pivots of other fronts.
            Matrix::from_fn(order, order, |i, j| heavy[(if turned && i < d1 { d1 - 1 - i } else { i }, j)])
        };
        let of = d1.iter().zip(&d2).map(front).collect();
        Fronts { d1, d2, of }
    }

    fn order(&self, i: usize) -> usize {
        self.d1[i] + self.d2[i]
    }

    /// A block of each front, column by column.
    fn block<T: Scalar<Double = W>>(&self, lower: bool, right: bool) -> Vec<Vec<T>> {
        let of = |i: usize| {
            let (d1, order) = (self.d1[i], self.order(i));
            let range = |behind: bool| if behind { d1..order } else { 0..d1 };
            range(right)
                .flat_map(|c| range(lower).map(move |r| (r, c)))
                .map(|at| T::from_double(self.of[i][at]))
                .collect()
        };
        (0..self.of.len()).map(of).collect()
    }
}

fn close<T: Scalar>(got: T, expected: T::Double) -> bool {
    let eps = if T::DTYPE.is_double() { f64::EPSILON } else { f32::EPSILON.into() };
    (got.to_double() - expected).max_abs_part() < 200.0 * eps
}

fn inverse<W: Field>(x: W) -> W {
    x.conj().scale(1.0 / (x.re() * x.re() + x.im() * x.im()))
}

/// The first `steps` steps of an elimination without interchanges.
fn eliminate<W: Field + Scalar<Double = W>>(a: &Matrix<W>, steps: usize) -> Matrix<W> {
    let mut a = Matrix::from_fn(a.rows(), a.cols(), |i, j| a[(i, j)]);
    for k in 0..steps {
        let pivot = inverse(a[(k, k)]);
        for i in k + 1..a.rows() {
            let l = a[(i, k)] * pivot;
            for j in k + 1..a.cols() {
                let known = l * a[(k, j)];
                a[(i, j)] -= known;
            }
            a[(i, k)] = l;
        }
    }
    a
}

/// Solves A x = b by Gauss-Jordan elimination with partial pivoting.
fn solve<W: Field + Scalar<Double = W>>(a: &Matrix<W>, b: &[W]) -> Vec<W> {
    let n = a.rows();
    let mut a = Matrix::from_fn(n, n + 1, |i, j| if j < n { a[(i, j)] } else { b[i] });
    for k in 0..n {
        let p = (k..n).max_by(|&i, &j| a[(i, k)].abs().total_cmp(&a[(j, k)].abs())).unwrap();
        for j in 0..=n {
            (a[(k, j)], a[(p, j)]) = (a[(p, j)], a[(k, j)]);
        }
        let pivot = inverse(a[(k, k)]);
        for j in k..=n {
            a[(k, j)] = a[(k, j)] * pivot;
        }
        for i in (0..n).filter(|&i| i != k) {
            let l = a[(i, k)];
            for j in k..=n {
                let known = l * a[(k, j)];
                a[(i, j)] -= known;
            }
        }
    }
    (0..n).map(|i| a[(i, n)]).collect()
}

/// SuperLU_DIST's calls: a block step of an LU factorisation without interchanges, on blocks inside each front.
#[test]
fn a_block_step_of_superlu() -> Result<()> {
    let _alone = crate::alone();
    for dtype in Dtype::ALL {
        with_scalar!(dtype, T => superlu::<T>()?);
    }
    Ok(())
}

fn superlu<T: Scalar>() -> Result<()>
where
    T::Double: Scalar<Double = T::Double>,
{
    let (lib, fronts) = (Library::required(), Fronts::<T::Double>::new::<T>(false));
    let (count, session) = (fronts.of.len(), Session::new(lib));
    let caller = Caller { lib, session, dtype: T::DTYPE, batch: count as u64 };
    let (batch, queue) = (caller.batch, caller.queue()?);
    let ld = |i: usize| fronts.order(i).max(1) + i % 3;
    let whole = |i: usize| -> Vec<T> {
        let (order, ld) = (fronts.order(i), ld(i));
        (0..ld * order)
            .map(|e| if e % ld < order { T::from_double(fronts.of[i][(e % ld, e / ld)]) } else { T::POISON })
            .collect()
    };
    let device = Device::new(lib, &(0..count).map(whole).collect::<Vec<_>>())?;
    let block = |lower: bool, right: bool| {
        let first = |i: usize| if lower { fronts.d1[i] } else { 0 } + if right { fronts.d1[i] * ld(i) } else { 0 };
        device.pointers(lib, first)
    };
    let blocks = [block(false, false)?, block(true, false)?, block(false, true)?, block(true, true)?];
    let [a11, a21, a12, a22] = [0, 1, 2, 3].map(|i| at(&blocks[i]));
    let arrays = [
        sizes(lib, fronts.d1.iter().copied())?,
        sizes(lib, fronts.d2.iter().copied())?,
        sizes(lib, (0..count).map(ld))?,
    ];
    let [d1, d2, lds] = [0, 1, 2].map(|i| at(&arrays[i]));
    let [max1, max2] = [&fronts.d1, &fronts.d2].map(|sizes| *sizes.iter().max().unwrap() as u64);
    let info = ints(lib, &vec![-77; count])?;
    let [one, minus] = [1.0, -1.0].map(|x| T::from_double(T::Double::real(x)));

    let code =
        caller.run::<T>("magma_?getrf_nopiv_expert_vbatched", &[], &[d1, d1, a11, lds, 0, at(&info), batch, queue]);
    assert_eq!(code, 0);
    let trsm = "magmablas_?trsm_vbatched_nocheck";
    caller.run(trsm, &[one], &[LEFT, LOWER, N, UNIT, d1, d2, a11, lds, a12, lds, batch, queue]);
    caller.run(trsm, &[one], &[RIGHT, UPPER, N, NON_UNIT, d2, d1, a11, lds, a21, lds, batch, queue]);
    let sum = [N, N, d2, d2, d1, a21, lds, a12, lds, a22, lds, batch, max2, max2, max1, queue];
    caller.run("magmablas_?gemm_vbatched_max_nocheck", &[minus, one], &sum);
    caller.session.synchronize()?;

    let mut codes = vec![-77; count];
    info.read(&mut codes)?;
    assert_eq!(codes, vec![0; count]);
    for (i, got) in device.parts()?.into_iter().enumerate() {
        let expected = eliminate(&fronts.of[i], fronts.d1[i]);
        for (r, c) in (0..fronts.order(i)).flat_map(|c| (0..fronts.order(i)).map(move |r| (r, c))) {
            let x = got[r + c * ld(i)];
            assert!(
                close(x, expected[(r, c)]),
                "{:?} front {i} ({r}, {c}): {x:?}, not {:?}",
                T::DTYPE,
                expected[(r, c)]
            );
        }
    }
    Ok(())
}

/// STRUMPACK's calls: fronts stored in separate blocks are factored with interchanges, and a right-hand side is carried
/// through them.
#[test]
fn factors_and_a_solution_of_strumpack() -> Result<()> {
    let _alone = crate::alone();
    for dtype in Dtype::ALL {
        with_scalar!(dtype, T => strumpack::<T>()?);
    }
    Ok(())
}

fn strumpack<T: Scalar>() -> Result<()>
where
    T::Double: Scalar<Double = T::Double>,
{
    let (lib, fronts) = (Library::required(), Fronts::<T::Double>::new::<T>(true));
    let (count, session) = (fronts.of.len(), Session::new(lib));
    let caller = Caller { lib, session, dtype: T::DTYPE, batch: count as u64 };
    let (batch, queue) = (caller.batch, caller.queue()?);
    let block = |lower, right| Device::new(lib, &fronts.block::<T>(lower, right));
    let device = [block(false, false)?, block(true, false)?, block(false, true)?, block(true, true)?];
    let pointers = [0, 1, 2, 3].map(|i| device[i].pointers(lib, |_| 0));
    let pointers = pointers.into_iter().collect::<Result<Vec<_>>>()?;
    let [f11, f21, f12, f22] = [0, 1, 2, 3].map(|i| at(&pointers[i]));
    // Blocks without rows have leading dimension 1.
    let least = |sizes: &[usize]| sizes.iter().map(|size| (*size).max(1)).collect::<Vec<_>>();
    let rows: usize = fronts.d1.iter().sum();
    let all = [&fronts.d1[..], &fronts.d2, &least(&fronts.d1), &least(&fronts.d2), &vec![1; count], &vec![rows; count]];
    let arrays = all.into_iter().map(|all| sizes(lib, all.iter().copied())).collect::<Result<Vec<_>>>()?;
    let [d1, d2, ld1, ld2, ones, ldb] = [0, 1, 2, 3, 4, 5].map(|i| at(&arrays[i]));
    let [max1, max2] = [&fronts.d1, &fronts.d2].map(|sizes| *sizes.iter().max().unwrap() as u64);
    let [one, minus] = [1.0, -1.0].map(|x| T::from_double(T::Double::real(x)));
    let info = ints(lib, &vec![-77; count])?;

    // F11 = P L U
    let lu = "magma_?getrf_vbatched_max_nocheck_work";
    let mut lwork = -1i32;
    let query = [0, 0, max1, max1, max1, max1 * max1, 0, 0, 0, 0, 0, &raw mut lwork as u64, batch, queue];
    assert_eq!(caller.run::<T>(lu, &[], &query), 0);
    assert!(lwork >= 0);
    let work = Memory::new(lib, Kind::Device, (lwork as usize).max(1))?;
    let pivots = Memory::new(lib, Kind::Device, rows.max(1) * size_of::<i32>())?;
    let before = |i: usize| fronts.d1[..i].iter().sum::<usize>();
    let places: Vec<usize> = (0..count).map(|i| pivots.pointer() as usize + before(i) * size_of::<i32>()).collect();
    let ipiv = Memory::new(lib, Kind::Device, size_of_val(&places[..]))?;
    ipiv.write(&places)?;
    let arguments = [
        d1,
        d1,
        max1,
        max1,
        max1,
        max1 * max1,
        f11,
        ld1,
        at(&ipiv),
        at(&info),
        at(&work),
        &raw mut lwork as u64,
        batch,
        queue,
    ];
    assert_eq!(caller.run::<T>(lu, &[], &arguments), 0);
    caller.session.synchronize()?;
    let mut exchanges = vec![0i32; rows];
    pivots.read(&mut exchanges)?;
    let exchange = |i: usize, column: &mut [T]| {
        for (k, &with) in exchanges[before(i)..][..fronts.d1[i]].iter().enumerate() {
            column.swap(k, with as usize - 1);
        }
    };
    assert!(
        (0..count)
            .any(|i| exchanges[before(i)..][..fronts.d1[i]].iter().enumerate().any(|(k, &p)| p as usize != k + 1))
    );

    // F12 := U^-1 L^-1 P F12, F22 := F22 - F21 F12
    device[2].change(|i, part| part.chunks_mut(fronts.d1[i].max(1)).for_each(|column| exchange(i, column)))?;
    let trsm = "magmablas_?trsm_vbatched_max_nocheck";
    let system = |uplo, diag, most, columns, b, ldb| {
        [LEFT, uplo, N, diag, max1, most, d1, columns, f11, ld1, b, ldb, batch, queue]
    };
    caller.run(trsm, &[one], &system(LOWER, UNIT, max2, d2, f12, ld1));
    caller.run(trsm, &[one], &system(UPPER, NON_UNIT, max2, d2, f12, ld1));
    let sum = [N, N, d2, d2, d1, f21, ld2, f12, ld1, f22, ld2, batch, max2, max2, max1, queue];
    caller.run("magmablas_?gemm_vbatched_max_nocheck", &[minus, one], &sum);

    // b1 := U^-1 L^-1 P b1, b2 := b2 - F21 b1
    let mut rng = Rng::new(52);
    let rhs: Vec<Vec<T>> = (0..count)
        .map(|i| (0..fronts.order(i)).map(|_| T::from_double(T::Double::uniform(&mut rng))).collect())
        .collect();
    let b1 = Device::new(lib, &(0..count).map(|i| rhs[i][..fronts.d1[i]].to_vec()).collect::<Vec<_>>())?;
    let b2 = Device::new(lib, &(0..count).map(|i| rhs[i][fronts.d1[i]..].to_vec()).collect::<Vec<_>>())?;
    let [pb1, pb2] = [b1.pointers(lib, |_| 0)?, b2.pointers(lib, |_| 0)?];
    b1.change(|i, part| exchange(i, part))?;
    caller.run(trsm, &[one], &system(LOWER, UNIT, 1, ones, at(&pb1), ldb));
    caller.run(trsm, &[one], &system(UPPER, NON_UNIT, 1, ones, at(&pb1), ldb));
    let gemv = "magmablas_?gemv_vbatched_max_nocheck";
    let sum = [N, d2, d1, f21, ld2, at(&pb1), ones, at(&pb2), ones, batch, max2, max1, queue];
    caller.run(gemv, &[minus, one], &sum);
    caller.session.synchronize()?;

    // x2 would come from the fronts above; here the Schur complement alone gives it. x1 := b1 - F12 x2
    let schur = device[3].parts()?;
    b2.change(|i, part| {
        let d2 = fronts.d2[i];
        let a = Matrix::from_fn(d2, d2, |r, c| schur[i][r + c * d2].to_double());
        let b: Vec<_> = part.iter().map(|x| x.to_double()).collect();
        *part = solve(&a, &b).into_iter().map(T::from_double).collect();
    })?;
    let sum = [N, d1, d2, f12, ld1, at(&pb2), ones, at(&pb1), ones, batch, max1, max2, queue];
    caller.run(gemv, &[minus, one], &sum);
    caller.session.synchronize()?;

    let mut codes = vec![-77; count];
    info.read(&mut codes)?;
    assert_eq!(codes, vec![0; count]);
    for (i, (x1, x2)) in b1.parts()?.into_iter().zip(b2.parts()?).enumerate() {
        let b: Vec<_> = rhs[i].iter().map(|x| x.to_double()).collect();
        let expected = solve(&fronts.of[i], &b);
        for (r, (x, expected)) in x1.into_iter().chain(x2).zip(expected).enumerate() {
            assert!(close(x, expected), "{:?} front {i}, x({r}) is {x:?}, not {expected:?}", T::DTYPE);
        }
    }
    Ok(())
}
