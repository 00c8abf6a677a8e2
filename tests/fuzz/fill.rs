//! The contents of operands before a call, determined by the seed and independent of their placement.

use crate::varying::Members;
use tephra_testkit::halves::Half;
use tephra_testkit::routines::fill;
use tephra_testkit::routines::routine::{Fill, Operand, Sizes, Writes};
use tephra_testkit::scalar::bytes_of;
use tephra_testkit::{Field, Matrix, Rng, Scalar, with_scalar};

/// The bytes of each operand's members, column by column without padding.
pub type Data = Vec<Vec<Vec<u8>>>;

/// The contents of all operands. With `shared`, operands that are only read have the same member for all matrices.
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
            // Reflectors belong to their scalar factors, so they are shared whenever those are.
            let reflectors = matches!(operand.fill, Fill::Reflectors(_) | Fill::Factored);
            if i > 0 && shared && (operand.writes == Writes::Nothing || reflectors) {
                members.push(members[0].clone());
            } else {
                members.push(fill::member(p, operand, &mut last, rng));
            }
        }
    }
    data
}

/// Ruins a member of one operand, in one element or in all. Returns false if no operand that is read has separate
/// members.
pub fn spoil(p: &Sizes, operands: &[Operand], shared: bool, member: usize, data: &mut Data, rng: &mut Rng) -> bool {
    let data_of = |o: &Operand| !matches!(o.fill, Fill::Poison | Fill::Interchanges { .. } | Fill::ColumnChoice);
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
            _ => bytes_of(&[T::from_double(<T as Scalar>::Double::real(value))]).to_vec(),
        };
        let element = one.len();
        // One element, or all of them.
        let (from, count) = if rng.one_in(2) { (rng.below(bytes.len() / element), 1) } else { (0, bytes.len() / element) };
        for i in from..from + count {
            bytes[i * element..][..element].copy_from_slice(&one);
        }
    });
    true
}
