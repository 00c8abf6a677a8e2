//! What operands hold before a call: the same bytes for the same seed, wherever they are placed.

use crate::routine::{Fill, Operand, Sizes, Writes};
use crate::varying::Members;
use tephra_testkit::halves::Half;
use tephra_testkit::matrices::Class;
use tephra_testkit::scalar::bytes_of;
use tephra_testkit::{Field, Matrix, Rng, Scalar, with_scalar};

/// By operand and member: its bytes, column by column without padding.
pub type Data = Vec<Vec<Vec<u8>>>;

/// Everything of all operands. `shared`: operands that are only read have the same member for all matrices.
pub fn fill(p: &Sizes, all: &Members, shared: bool, seed: u64) -> Data {
    with_scalar!(p.dtype, T => typed::<T>(p, all, shared, &mut Rng::new(seed)))
}

fn typed<T: Scalar>(p: &Sizes, all: &Members, shared: bool, rng: &mut Rng) -> Data {
    let batch = p["batch"] as usize;
    let mut data: Data = all.largest.iter().map(|_| vec![]).collect();
    for i in 0..batch {
        let mut last = Matrix::from_fn(0, 0, |_, _| T::POISON);
        for (operand, members) in all.operands(i).iter().zip(&mut data) {
            if i > 0 && !operand.each {
                continue;
            }
            // Reflectors belong to their scalar factors, so they are the same where those are.
            let reflectors = matches!(operand.fill, Fill::Reflectors(_) | Fill::Factored);
            if i > 0 && shared && (operand.writes == Writes::Nothing || reflectors) {
                members.push(members[0].clone());
            } else if let Fill::Interchanges { rows } = operand.fill {
                let one = |_| (1 + rng.below(rows.max(1)) as i32).to_ne_bytes();
                members.push((0..operand.rows * operand.cols).flat_map(one).collect());
            } else if operand.fill == Fill::Choice {
                let one = |_| i32::from(rng.one_in(4)).to_ne_bytes();
                members.push((0..operand.rows * operand.cols).flat_map(one).collect());
            } else if operand.element == 2 {
                let (half, single) =
                    (Half::of(p["storage"]), member(operand, &Matrix::from_fn(0, 0, |_, _| 0f32), rng));
                members.push(single.data().iter().flat_map(|x| half.bits(*x).to_ne_bytes()).collect());
            } else if operand.element != size_of::<T>() {
                members.push(vec![0xa7; operand.rows * operand.cols * operand.element]);
            } else {
                last = member(operand, &last, rng);
                members.push(bytes_of(last.data()).to_vec());
            }
        }
    }
    data
}

/// One member; `reflectors` is the same member of the operand before.
fn member<T: Scalar>(operand: &Operand, reflectors: &Matrix<T>, rng: &mut Rng) -> Matrix<T> {
    let (rows, cols) = (operand.rows, operand.cols);
    match operand.fill {
        Fill::Poison | Fill::Interchanges { .. } | Fill::Choice => Matrix::from_fn(rows, cols, |_, _| T::POISON),
        Fill::Classes if rows * cols < 2000 && rng.one_in(4) => rng.pick(Class::ALL).generate(rows, cols, rng),
        Fill::Uniform | Fill::Classes => Matrix::from_fn(rows, cols, |_, _| uniform(rng)),
        Fill::Reflectors(k) => {
            Matrix::from_fn(rows, cols, |i, j| if i > j && j < k { uniform(rng) } else { T::POISON })
        }
        Fill::Factored => {
            Matrix::from_fn(rows, cols, |i, j| if i > j { uniform(rng) } else { heavy(i == j, rows, rng) })
        }
        Fill::Factors => Matrix::from_fn(rows, cols, |j, _| factor(&reflectors.col(j)[j + 1..], rng)),
        Fill::Heavy => Matrix::from_fn(rows, cols, |i, j| heavy(i == j, rows.max(cols), rng)),
        Fill::Triangle { upper, unit } => Matrix::from_fn(rows, cols, |i, j| {
            let stored = if i == j { !unit } else { upper == (i < j) };
            if stored { heavy(i == j, rows, rng) } else { T::POISON }
        }),
        Fill::Definite { upper } => Matrix::from_fn(rows, cols, |i, j| match i == j {
            true => T::narrow(T::Wide::real(2.0 + rng.uniform().abs())),
            false if upper == (i < j) => heavy(false, rows, rng),
            false => T::POISON,
        }),
    }
}

/// An element of a well-conditioned matrix: on the diagonal near 1, off it small.
fn heavy<T: Scalar>(diagonal: bool, size: usize, rng: &mut Rng) -> T {
    let x = T::Wide::uniform(rng);
    T::narrow(if diagonal { T::Wide::parts(1.0 + x.re().abs(), x.im()) } else { x.scale(1.0 / size as f64) })
}

fn uniform<T: Scalar>(rng: &mut Rng) -> T {
    T::narrow(T::Wide::uniform(rng))
}

/// A tau with which I - tau v v^H is unitary, v = (1, `tail`): (1 + e^(i t)) / |v|^2, or 0.
fn factor<T: Scalar>(tail: &[T], rng: &mut Rng) -> T {
    let square = 1.0 + tail.iter().map(|x| x.wide().abs().powi(2)).sum::<f64>();
    let angle = if T::Wide::COMPLEX { rng.uniform() * std::f64::consts::PI } else { 0.0 };
    let tau = T::Wide::parts((1.0 + angle.cos()) / square, angle.sin() / square);
    T::narrow(if rng.one_in(8) { T::Wide::ZERO } else { tau })
}

/// Ruins a member of one operand, in one element or in all. False where no operand that is read has members of its own.
pub fn spoil(p: &Sizes, operands: &[Operand], shared: bool, member: usize, data: &mut Data, rng: &mut Rng) -> bool {
    let data_of = |o: &Operand| !matches!(o.fill, Fill::Poison | Fill::Interchanges { .. } | Fill::Choice);
    let own = |o: &&Operand| o.each && data_of(o) && !(shared && o.writes == Writes::Nothing);
    let filled: Vec<&Operand> = operands.iter().filter(own).filter(|o| !o.is_empty()).collect();
    if filled.is_empty() {
        return false;
    }
    let chosen = rng.pick(&filled).name;
    let index = operands.iter().position(|o| o.name == chosen).expect("one of them");
    let value = *rng.pick(&[f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 0.0, 1e30]);
    let bytes = &mut data[index][member];
    with_scalar!(p.dtype, T => {
        let one = match operands[index].element {
            2 => Half::of(p["storage"]).bits(value as f32).to_ne_bytes().to_vec(),
            _ => bytes_of(&[T::narrow(<T as Scalar>::Wide::real(value))]).to_vec(),
        };
        let element = one.len();
        // One element, or all.
        let (from, count) = if rng.one_in(2) { (rng.below(bytes.len() / element), 1) } else { (0, bytes.len() / element) };
        for i in from..from + count {
            bytes[i * element..][..element].copy_from_slice(&one);
        }
    });
    true
}
