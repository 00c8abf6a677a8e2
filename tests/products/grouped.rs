//! Grouped products: `tephra_?gemm_grouped_batched`, and cuBLAS's functions in the precisions that it offers.

use std::ffi::{c_int, c_void};
use tephra_testkit::any_call::call;
use tephra_testkit::library::symbol_name;
use tephra_testkit::memory::{Kind, Memory};
use tephra_testkit::ops::Trans;
use tephra_testkit::ops::exact::Exact;
use tephra_testkit::qr::Session;
use tephra_testkit::scalar::{Field, same_bits};
use tephra_testkit::sweep::without_forced_plan;
use tephra_testkit::{Dtype, Library, Matrix, Result, Rng, Scalar, vendor, with_scalar};

/// op of A and B, m, n and k, members, the number of the scalars.
type Group = ([Trans; 2], [usize; 3], usize, usize);

/// Identical groups in sequence, an empty group, groups without rows or terms, large groups.
const GROUPS: [Group; 9] = [
    ([Trans::N, Trans::N], [7, 5, 9], 3, 0),
    ([Trans::N, Trans::N], [7, 5, 9], 2, 0),
    ([Trans::N, Trans::N], [7, 5, 9], 2, 1),
    ([Trans::T, Trans::N], [33, 20, 40], 4, 0),
    ([Trans::C, Trans::T], [40, 70, 11], 1, 1),
    ([Trans::N, Trans::C], [8, 8, 8], 0, 0),
    ([Trans::N, Trans::C], [0, 8, 8], 2, 0),
    ([Trans::T, Trans::T], [6, 8, 0], 2, 1),
    ([Trans::N, Trans::C], [130, 65, 30], 2, 2),
];

/// alpha and beta by number; C is not read with the second pair.
fn factors<T: Scalar>(number: usize) -> [T; 2] {
    let [alpha, beta] = [[(-1.5, 0.75), (0.5, -0.25)], [(2.0, 0.0), (0.0, 0.0)], [(0.0, 0.0), (0.5, 0.0)]][number];
    [alpha, beta].map(|(re, im)| T::from_double(<T as Scalar>::Double::parts(re, im)))
}

/// Matrices one after another with gaps, and a pointer to each.
struct Operand<T> {
    matrices: Vec<Matrix<T>>,
    starts: Vec<usize>,
    image: Vec<T>,
    memory: Memory,
    pointers: Memory,
}

const GAP: usize = 3;

impl<T: Scalar> Operand<T> {
    fn new(lib: &'static Library, matrices: Vec<Matrix<T>>) -> Result<Self> {
        let (mut image, mut starts) = (vec![T::POISON; GAP], vec![]);
        for a in &matrices {
            starts.push(image.len());
            for j in 0..a.cols() {
                image.extend_from_slice(a.col(j));
                image.extend([T::POISON; GAP]);
            }
        }
        let memory = Memory::new(lib, Kind::Device, size_of_val(&image[..]))?;
        let address = |start: &usize| memory.pointer() as usize + start * size_of::<T>();
        let addresses: Vec<usize> = starts.iter().map(address).collect();
        let pointers = Memory::new(lib, Kind::Device, size_of_val(&addresses[..]))?;
        pointers.write(&addresses)?;
        Ok(Operand { matrices, starts, image, memory, pointers })
    }

    fn leading(rows: usize) -> usize {
        rows + GAP
    }

    fn upload(&self) -> Result<()> {
        self.memory.write(&self.image)
    }

    /// The current matrices; nothing else may have changed.
    fn download(&self) -> Result<Vec<Matrix<T>>> {
        let mut now = self.image.clone();
        self.memory.read(&mut now)?;
        let mut left = vec![];
        for (a, &start) in self.matrices.iter().zip(&self.starts) {
            let at = |i: usize, j: usize| start + j * Self::leading(a.rows()) + i;
            left.push(Matrix::from_fn(a.rows(), a.cols(), |i, j| now[at(i, j)]));
            for j in 0..a.cols() {
                now[at(0, j)..at(0, j) + a.rows()].copy_from_slice(a.col(j));
            }
        }
        assert!(same_bits(&now, &self.image), "something beside C was written");
        Ok(left)
    }
}

/// The arrays of a call in host memory, with integers of either size.
struct Call<T> {
    operands: [Operand<T>; 3],
    /// Flags in the interface's numbers.
    flags: [Vec<c_int>; 2],
    sizes: [Vec<usize>; 3],
    scalars: [Vec<T>; 2],
    members: Vec<usize>,
}

fn stored(trans: Trans, rows: usize, cols: usize) -> (usize, usize) {
    if trans == Trans::N { (rows, cols) } else { (cols, rows) }
}

impl<T: Scalar> Call<T> {
    fn new(lib: &'static Library) -> Result<Self> {
        let mut rng = Rng::new(91);
        let mut random =
            |(m, n)| Matrix::from_fn(m, n, |_, _| T::from_double(<T as Scalar>::Double::uniform(&mut rng)));
        let mut all = [vec![], vec![], vec![]];
        for ([op_a, op_b], [m, n, k], members, number) in GROUPS {
            for _ in 0..members {
                all[0].push(random(stored(op_a, m, k)));
                all[1].push(random(stored(op_b, k, n)));
                all[2].push(if number == 1 { Matrix::from_fn(m, n, |_, _| T::POISON) } else { random((m, n)) });
            }
        }
        let [a, b, c] = all;
        let operands = [Operand::new(lib, a)?, Operand::new(lib, b)?, Operand::new(lib, c)?];
        let numbers = |trans: Trans| match trans {
            Trans::N => 111,
            Trans::T => 112,
            Trans::C => 113,
        };
        let flags = [0, 1].map(|which: usize| GROUPS.iter().map(|group| numbers(group.0[which])).collect());
        let sizes = [0, 1, 2].map(|which: usize| GROUPS.iter().map(|group| group.1[which]).collect());
        let scalars = [0, 1].map(|which: usize| GROUPS.iter().map(|group| factors::<T>(group.3)[which]).collect());
        let members = GROUPS.iter().map(|group| group.2).collect();
        Ok(Call { operands, flags, sizes, scalars, members })
    }

    fn leading(&self) -> [Vec<usize>; 3] {
        let of = |f: &dyn Fn(&Group) -> usize| GROUPS.iter().map(|group| Operand::<T>::leading(f(group))).collect();
        [
            of(&|&([op, _], [m, _, k], ..)| stored(op, m, k).0),
            of(&|&([_, op], [_, n, k], ..)| stored(op, k, n).0),
            of(&|&(_, [m, ..], ..)| m),
        ]
    }

    /// Compares C of every member with its own product.
    fn check(&self, what: &str) -> Result<Vec<Matrix<T>>> {
        let got = self.operands[2].download()?;
        let groups = GROUPS.iter().flat_map(|group| std::iter::repeat_n(group, group.2));
        for (i, &([op_a, op_b], [m, n, k], _, number)) in groups.enumerate() {
            let op = |trans, a: &Matrix<T>| match trans {
                Trans::N => a.to_double(),
                Trans::T => Matrix::from_fn(a.cols(), a.rows(), |i, j| a[(j, i)].to_double()),
                Trans::C => a.to_double().adjoint(),
            };
            let [a, b, c] = [0, 1, 2].map(|which: usize| &self.operands[which].matrices[i]);
            let [alpha, beta] = factors::<T>(number).map(|x| x.to_double());
            let exact = Exact::zeros(m, n).product(alpha, &op(op_a, a), &op(op_b, b));
            let exact = if number == 1 { exact } else { exact.plus(beta, &c.to_double()) };
            let ratio = exact.ratio(&got[i], |_, _| true);
            assert!(ratio < 2.0, "{what}, member {i}: {m} x {n}, {k} terms: {ratio}");
        }
        Ok(got)
    }
}

/// Arrays of the interface's integers, which live as long as the call.
fn integers(values: &[usize], wide: bool) -> Vec<u8> {
    let bytes = |&value: &usize| {
        if wide { (value as i64).to_ne_bytes().to_vec() } else { (value as i32).to_ne_bytes().to_vec() }
    };
    values.iter().flat_map(bytes).collect()
}

#[test]
fn each_group_has_its_own_product() -> Result<()> {
    // Other tests temporarily restrict the plans.
    without_forced_plan(each_group_has_its_own_product_at_rest)
}

fn each_group_has_its_own_product_at_rest() -> Result<()> {
    let lib = Library::required();
    for dtype in Dtype::ALL {
        with_scalar!(dtype, T => {
            let groups = Call::<T>::new(lib)?;
            let session = Session::new(lib);
            let plain = |symbol: &str| symbol_name(symbol, dtype);
            let mut forms = vec![(plain("tephra_?gemm_grouped_batched"), true, false)];
            if !dtype.is_complex() {
                forms.push((plain("cublas?gemmGroupedBatched"), false, false));
                forms.push((plain("cublas?gemmGroupedBatched_64"), true, false));
            }
            forms.push(("cublasGemmGroupedBatchedEx".into(), false, true));
            forms.push(("cublasGemmGroupedBatchedEx_64".into(), true, true));
            let mut first: Option<Vec<Matrix<T>>> = None;
            for (name, wide, typed) in forms {
                let native = name.starts_with("tephra");
                groups.operands.iter().try_for_each(Operand::upload)?;
                let flags = groups.flags.each_ref().map(|flags| -> Vec<c_int> {
                    flags.iter().map(|flag| if native { *flag } else { flag - 111 }).collect()
                });
                let [m, n, k] = groups.sizes.each_ref().map(|sizes| integers(sizes, wide));
                let [lda, ldb, ldc] = groups.leading().each_ref().map(|ld| integers(ld, wide));
                let members = integers(&groups.members, wide);
                let of = |array: &[u8]| array.as_ptr() as u64;
                let [a, b, c] = groups.operands.each_ref().map(|operand| operand.pointers.pointer() as u64);
                let [alpha, beta] = groups.scalars.each_ref().map(|scalars| scalars.as_ptr() as u64);
                let [op_a, op_b] = flags.each_ref().map(|flags| flags.as_ptr() as u64);
                let kind = [0, 1, 4, 5][dtype as usize];
                let typed_as = |arguments: &mut Vec<u64>| if typed { arguments.push(kind) };
                let mut arguments = if native { vec![] } else { vec![session.handle()?.raw() as u64] };
                arguments.extend([op_a, op_b, of(&m), of(&n), of(&k), alpha, a]);
                typed_as(&mut arguments);
                arguments.extend([of(&lda), b]);
                typed_as(&mut arguments);
                arguments.extend([of(&ldb), beta, c]);
                typed_as(&mut arguments);
                arguments.extend([of(&ldc), GROUPS.len() as u64, of(&members)]);
                if native {
                    arguments.push(session.stream() as u64);
                } else if typed {
                    arguments.push(if dtype.is_double() { 70 } else { 68 });
                }
                // SAFETY: the arguments match the prototype.
                assert_eq!(unsafe { call(lib, &name, [0.0; 4], &arguments) }, 0, "{name}");
                session.synchronize()?;
                let got = groups.check(&format!("{name} {dtype:?}"))?;
                let same = first.iter().all(|first| first.iter().zip(&got).all(|(x, y)| same_bits(x.data(), y.data())));
                assert!(same, "{name} {dtype:?}");
                first.get_or_insert(got);
            }
        });
    }
    Ok(())
}

/// An invalid group keeps the whole call from being executed; arrays that may be NULL.
#[test]
fn bad_groups_are_refused_before_anything_is_done() -> Result<()> {
    // Other tests temporarily restrict the plans.
    without_forced_plan(bad_groups_are_refused_before_anything_is_done_at_rest)
}

fn bad_groups_are_refused_before_anything_is_done_at_rest() -> Result<()> {
    let lib = Library::required();
    let c = Memory::new(lib, Kind::Device, 64)?;
    c.write(&[7.0f64; 8])?;
    let pointers = Memory::new(lib, Kind::Device, 16)?;
    pointers.write(&[c.pointer() as usize; 2])?;
    let p = pointers.pointer() as u64;
    let (flags, one, factor) = ([111i32; 2], [1i64; 2], [1.0f64; 2]);
    let [f, o, x] = [flags.as_ptr() as u64, one.as_ptr() as u64, factor.as_ptr() as u64];
    let good = [f, f, o, o, o, x, p, o, p, o, x, p, o, 2, o, 0];
    let with = |place: usize, value: u64| {
        let mut arguments = good;
        arguments[place - 1] = value;
        // SAFETY: the library refuses the call before it accesses memory.
        unsafe { call(lib, "tephra_dgemm_grouped_batched", [0.0; 4], &arguments) }
    };
    let of = |array: &[i64; 2]| array.as_ptr() as u64;
    let (negative, zero, flag) = ([1, -1], [1, 0], [111i32, 5]);
    for place in [1, 2] {
        assert_eq!(with(place, flag.as_ptr() as u64), -(place as c_int));
    }
    for place in [3, 4, 5, 15] {
        assert_eq!(with(place, of(&negative)), -(place as c_int));
    }
    for place in [8, 10, 13] {
        assert_eq!(with(place, of(&zero)), -(place as c_int));
    }
    for place in (1..=15).filter(|place| *place != 14) {
        assert_eq!(with(place, 0), -(place as c_int), "NULL");
    }
    assert_eq!(with(14, u64::MAX), -14);
    assert_eq!(with(14, 0), 0);
    let mut now = [0.0; 8];
    c.read(&mut now)?;
    assert_eq!(now, [7.0; 8]);
    // Without groups no arrays are needed, and groups without members need no matrices.
    let mut none = good;
    none.fill(0);
    assert_eq!(unsafe { call(lib, "tephra_dgemm_grouped_batched", [0.0; 4], &none) }, 0);
    let nobody = [0i64; 2];
    let empty = [f, f, o, o, o, x, 0, o, 0, o, x, 0, o, 2, of(&nobody), 0];
    assert_eq!(unsafe { call(lib, "tephra_dgemm_grouped_batched", [0.0; 4], &empty) }, 0);
    Ok(())
}

/// The status codes of cuBLAS's functions.
#[test]
fn cublas_answers() -> Result<()> {
    // Other tests temporarily restrict the plans.
    without_forced_plan(cublas_answers_at_rest)
}

fn cublas_answers_at_rest() -> Result<()> {
    let lib = Library::required();
    let session = Session::new(lib);
    let handle = session.handle()?.raw() as u64;
    let (flags, one, factor, negative) = ([0i32; 1], [1i32; 1], [1.0f32; 1], [-1i32; 1]);
    let [f, o, x, n] = [flags.as_ptr() as u64, one.as_ptr() as u64, factor.as_ptr() as u64, negative.as_ptr() as u64];
    let sgemm = |arguments: &[u64]| unsafe { call(lib, "cublasSgemmGroupedBatched", [0.0; 4], arguments) };
    assert_eq!(sgemm(&[0, f, f, o, o, o, x, 0, o, 0, o, x, 0, o, 0, o]), 1, "no handle");
    assert_eq!(sgemm(&[handle, f, f, o, o, o, x, 0, o, 0, o, x, 0, o, 0, o]), 0, "no groups");
    assert_eq!(sgemm(&[handle, f, f, n, o, o, x, 0, o, 0, o, x, 0, o, 1, o]), 7, "m");
    assert_eq!(sgemm(&[handle, f, f, o, o, o, x, 0, o, 0, o, x, 0, o, 1, n]), 7, "members");
    assert_eq!(sgemm(&[handle, f, f, o, o, o, 0, 0, o, 0, o, x, 0, o, 1, o]), 7, "alpha");
    let typed = |compute: u64, kind: u64| {
        let arguments = [handle, f, f, o, o, o, x, 0, kind, o, 0, kind, o, x, 0, kind, o, 0, o, compute];
        unsafe { call(lib, "cublasGemmGroupedBatchedEx", [0.0; 4], &arguments) }
    };
    let half = typed(68, 2);
    assert_eq!((typed(68, 0), typed(70, 0)), (0, 15));
    if half == 0 {
        // The handle belongs to NVIDIA's cuBLAS, which supports groups in FP16.
        assert!(vendor::in_process());
        return Ok(());
    }
    assert_eq!(half, 15);
    let device = |mode: u64| unsafe { call(lib, "cublasSetPointerMode_v2", [0.0; 4], &[handle, mode]) };
    assert_eq!(device(1), 0);
    let c = Memory::new(lib, Kind::Device, 64)?;
    let pointers = Memory::new(lib, Kind::Device, size_of::<*mut c_void>())?;
    pointers.write(&[c.pointer() as usize])?;
    let p = pointers.pointer() as u64;
    assert_eq!(sgemm(&[handle, f, f, o, o, o, x, p, o, p, o, x, p, o, 1, o]), 15, "device mode");
    assert_eq!(device(0), 0);
    Ok(())
}
