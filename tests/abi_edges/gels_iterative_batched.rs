//! Batched iterative least squares: each member gives the result that it gives alone, whatever its neighbours are.

use super::gels_iterative::{Solved, random, ratio};
use std::ffi::c_int;
use tephra_testkit::any_call::call;
use tephra_testkit::library::symbol_name;
use tephra_testkit::matrices::Class;
use tephra_testkit::memory::{Kind, Memory};
use tephra_testkit::scalar::Field;
use tephra_testkit::{Dtype, Library, Matrix, Scalar, with_scalar};

/// Solves all members, by stride or by pointers, whose order differs from that of the members in memory.
fn solve<T: Scalar>(all: &[(Matrix<T>, Matrix<T>)], pointers: bool) -> Vec<Solved<T>> {
    let lib = Library::required();
    let (batch, m, n, nrhs) = (all.len(), all[0].0.rows(), all[0].0.cols(), all[0].1.cols());
    let device = |bytes: usize| Memory::new(lib, Kind::Device, bytes.max(16)).unwrap();
    let filled = |data: &[T]| {
        let memory = device(size_of_val(data));
        memory.write(data).unwrap();
        memory
    };
    let place = |i: usize| if pointers { batch - 1 - i } else { i };
    // Members are separated by gaps.
    let packed = |right: bool| -> Vec<T> {
        let of = |i: usize| if right { all[place(i)].1.data() } else { all[place(i)].0.data() };
        (0..batch).flat_map(|i| [of(i), &[T::POISON]].concat()).collect()
    };
    let (given_a, given_b) = (packed(false), packed(true));
    let [sa, sb, sx] = [m * n + 1, m * nrhs + 1, n * nrhs + 1];
    let (a, b, x) = (filled(&given_a), filled(&given_b), filled(&vec![T::POISON; sx * batch]));
    let array = |memory: &Memory, stride: usize| {
        let at = |i: usize| memory.pointer() as usize + place(i) * stride * size_of::<T>();
        let array = device(8 * batch);
        array.write(&(0..batch).map(at).collect::<Vec<usize>>()).unwrap();
        array
    };
    let arrays = [array(&a, sa), array(&b, sb), array(&x, sx)];
    let (iterations, residuals, info) = (device(4 * nrhs * batch), device(8 * nrhs * batch), device(4 * batch));
    // SAFETY: the arguments match the header's prototypes, and the memory has the required sizes.
    let run =
        |symbol: &str, arguments: &[u64]| unsafe { call(lib, &symbol_name(symbol, T::DTYPE), [0.0; 4], arguments) };
    let name = if pointers { "tephra_?gels_iterative_batched" } else { "tephra_?gels_iterative_strided_batched" };
    let stride = |s: usize| if pointers { vec![] } else { vec![s as u64] };
    let operands = [&a, &b, &x].into_iter().zip(&arrays).map(|(at, array)| if pointers { array } else { at });
    let described: Vec<(u64, Vec<u64>)> = operands
        .zip([(m, sa), (m, sb), (n, sx)])
        .map(|(memory, (ld, s))| (memory.pointer() as u64, [vec![ld as u64], stride(s)].concat()))
        .collect();
    let sizes = [m, n, nrhs].map(|s| s as u64).to_vec();
    let mut bytes = 0u64;
    let lds = described.iter().flat_map(|(_, ld)| ld.clone()).collect();
    let query = [sizes.clone(), lds, vec![batch as u64, &raw mut bytes as u64]].concat();
    assert_eq!(run(&format!("{name}_workspace"), &query), 0);
    let work = device(bytes as usize);
    let [told, left, codes, room] = [&iterations, &residuals, &info, &work].map(|memory| memory.pointer() as u64);
    let places = described.iter().flat_map(|(p, ld)| [vec![*p], ld.clone()].concat()).collect();
    let tail = vec![0, told, left, codes, batch as u64, room, bytes, 0];
    let status = run(name, &[sizes, places, tail].concat());
    let read = |memory: &Memory, count: usize| {
        let mut data = vec![T::POISON; count];
        memory.read(&mut data).unwrap();
        data
    };
    let same = |x: &[T], y: &[T]| x.iter().zip(y).all(|(x, y)| format!("{x:?}") == format!("{y:?}"));
    assert!(same(&read(&a, given_a.len()), &given_a) && same(&read(&b, given_b.len()), &given_b), "A or B is written");
    let x = read(&x, sx * batch);
    let mut of_each: Vec<c_int> = vec![0; nrhs * batch];
    let mut code: Vec<c_int> = vec![0; batch];
    iterations.read(&mut of_each).unwrap();
    info.read(&mut code).unwrap();
    let real_bytes = if T::DTYPE.is_double() { 8 } else { 4 };
    let mut bits = vec![0u8; nrhs * batch * real_bytes];
    residuals.read(&mut bits).unwrap();
    let number = |bytes: &[u8]| match bytes.len() {
        4 => f64::from(f32::from_ne_bytes(bytes.try_into().unwrap())),
        _ => f64::from_ne_bytes(bytes.try_into().unwrap()),
    };
    let residuals: Vec<f64> = bits.chunks(real_bytes).map(number).collect();
    let one = |i: usize| {
        let x = &x[place(i) * sx..][..sx];
        assert!(same(&x[n * nrhs..], &[T::POISON]), "what is behind X is written");
        Solved {
            status,
            x: Matrix::from_fn(n, nrhs, |r, j| x[r + j * n]),
            iterations: of_each[i * nrhs..][..nrhs].to_vec(),
            residuals: residuals[i * nrhs..][..nrhs].to_vec(),
            info: code[i],
        }
    };
    (0..batch).map(one).collect()
}

fn systems<T: Scalar>(m: usize, n: usize, nrhs: usize, batch: usize) -> Vec<(Matrix<T>, Matrix<T>)> {
    let class = |i: usize| [Class::Uniform, Class::Cond2, Class::CondRoot, Class::CondHigh][i % 4];
    let seed = |i: usize| 2 * i as u64 + 1;
    let one = |i| (random(class(i), m, n, seed(i)), random(Class::Uniform, m, nrhs, seed(i) + 1));
    (0..batch).map(one).collect()
}

#[test]
fn members_are_as_accurate_as_by_qr() {
    for dtype in Dtype::ALL {
        with_scalar!(dtype, T => {
            for (m, n, nrhs, batch) in [(1, 1, 1, 3), (60, 7, 3, 9), (300, 40, 1, 5), (333, 65, 2, 4), (2600, 33, 1, 3)] {
                for pointers in [false, true] {
                    let all = systems::<T>(m, n, nrhs, batch);
                    for (i, ((a, b), solved)) in all.iter().zip(solve(&all, pointers)).enumerate() {
                        let text = format!("{} {m}x{n} member {i}: {:?}", dtype.letter(), solved.iterations);
                        assert_eq!((solved.status, solved.info), (0, 0), "{text}");
                        let ratio = ratio(a, b, &solved);
                        assert!(ratio < 1.0, "{text}: {ratio}");
                        let hard = dtype.is_double() && i % 4 > 1;
                        assert!(solved.iterations.iter().all(|&i| i >= 0) || hard || m == n, "{text}");
                    }
                }
            }
        });
    }
}

/// Bad members of every kind do not change a bit of the good ones next to them.
#[test]
fn members_do_not_touch_each_other() {
    for dtype in Dtype::ALL {
        with_scalar!(dtype, T => {
            let (m, n, nrhs, batch) = (200, 20, 2, 12);
            let mut all = systems::<T>(m, n, nrhs, batch);
            all.iter_mut().enumerate().for_each(|(i, (a, _))| *a = random(Class::Uniform, m, n, i as u64));
            let good = solve(&all, false);
            let (zero, nan) = (T::from_double(<T as Scalar>::Double::ZERO), T::from_double(Field::real(f64::NAN)));
            all[0].0.col_mut(4).fill(zero);
            all[3].0[(7, 2)] = nan;
            all[5].1[(9, 1)] = nan;
            all[8].1.data_mut().fill(zero);
            all[11].0.data_mut().fill(zero);
            for pointers in [false, true] {
                let spoilt = solve(&all, pointers);
                for (i, (spoilt, good)) in spoilt.iter().zip(&good).enumerate() {
                    let (text, told) = (format!("{} {i} {pointers}", dtype.letter()), &spoilt.iterations[..]);
                    let nans = |j: usize| (0..n).all(|r| spoilt.x[(r, j)].to_double().re().is_nan());
                    let same = |j: usize| (0..n).all(|r| spoilt.x[(r, j)].to_double() == good.x[(r, j)].to_double());
                    match i {
                        0 => assert!(told == [-1, -1] && spoilt.info == 5, "{text}"),
                        3 => assert!(told == [-1, -1] && nans(0) && nans(1), "{text}"),
                        5 => assert!(told[0] == good.iterations[0] && same(0) && told[1] == 0 && nans(1), "{text}"),
                        8 => assert!(told == [0, 0] && spoilt.residuals == [0.0, 0.0] && spoilt.info == 0, "{text}"),
                        11 => assert!(told == [-1, -1] && spoilt.info == 1, "{text}"),
                        _ => assert!(told == &good.iterations[..] && same(0) && same(1) && spoilt.info == 0, "{text}"),
                    }
                }
            }
        });
    }
}

#[test]
fn qr_takes_members_with_many_columns() {
    let all = systems::<f32>(1100, 1025, 1, 2);
    for ((a, b), solved) in all.iter().zip(solve(&all, true)) {
        assert_eq!((solved.status, &solved.iterations[..], solved.info), (0, &[-3][..], 0));
        assert!(ratio(a, b, &solved) < 1.0);
    }
}

#[test]
fn bad_arguments_are_named() {
    let lib = Library::required();
    // SAFETY: with invalid arguments or sizes of zero, nothing is read or written.
    let run = |symbol: &str, reals: f64, arguments: &[i64]| unsafe {
        let arguments: Vec<u64> = arguments.iter().map(|x| *x as u64).collect();
        call(lib, symbol, [reals, 0.0, 0.0, 0.0], &arguments)
    };
    let good = [20, 4, 2, 16, 20, 80, 16, 20, 40, 16, 4, 8, 0, 0, 0, 0, 3, 16, 1 << 40, 0];
    // Arguments are numbered as in the prototype: number 13 is the tolerance, which is not among the integers.
    let strided = |number: usize, value: i64| {
        let mut arguments = good;
        arguments[if number > 13 { number - 2 } else { number - 1 }] = value;
        run("tephra_dgels_iterative_strided_batched", 0.0, &arguments)
    };
    for (number, value) in
        [(1, -1), (2, 21), (2, -1), (3, -1), (5, 19), (6, -1), (8, 19), (9, -1), (11, 3), (12, 3), (14, -1), (18, -1)]
    {
        assert_eq!(strided(number, value), -(number as c_int), "argument {number}");
    }
    assert_eq!(run("tephra_dgels_iterative_strided_batched", -1.0, &good), -13);
    for number in [4, 7, 10] {
        assert_eq!(strided(number, 0), -(number as c_int), "argument {number}");
    }
    for (number, value) in [(2, 0), (3, 0), (18, 0)] {
        assert_eq!(strided(number, value), 0, "nothing to do: {number}");
    }
    let query = |arguments: &[i64]| run("tephra_dgels_iterative_batched_workspace", 0.0, arguments);
    assert_eq!(query(&[20, 4, 2, 20, 20, 4, 3, 0]), 0);
    assert_eq!(query(&[20, 4, 2, 20, 20, 4, -1, 0]), -7);
    assert_eq!(query(&[1, 1, 1 << 40, 1, 1, 1, 1 << 40, 0]), -7);
}
