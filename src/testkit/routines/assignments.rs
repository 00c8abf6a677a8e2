//! MAGMA's laset, lacpy and set_pointer, checked exactly.

use crate::measures;
use crate::routines::routine::{
    Fill, Member, Operand, ROUTINE, Routine, Sizes, Verdict, Writes, entry, operand, scalar,
};
use crate::scalar::same_bits;
use crate::{Matrix, Scalar};

/// An operand that is one matrix for the whole call, not a batch.
fn single(p: &Sizes, name: &'static str, fill: Fill, writes: Writes) -> Operand {
    Operand { each: false, ..operand(p, name, (p["m"], p["n"]), fill, writes) }
}

/// The part of the matrix that `uplo` selects.
pub fn part(p: &Sizes) -> Writes {
    [Writes::Upper, Writes::Lower, Writes::All][(p["uplo"] - 121) as usize]
}

pub const ALL: &[&Routine] = &[&LASET, &LACPY, &SET_POINTER];

const LASET: Routine = Routine {
    name: "laset of one matrix",
    entries: &[entry("magmablas_?laset", "uplo m n by_value by_value A lda queue")],
    draw: |p, rng| p.set("uplo", 121 + rng.below(3) as i64),
    limit: |p| p.set("batch", 1),
    operands: |p| vec![single(p, "A", Fill::Poison, part(p))],
    measure: measures!(laset),
    ..ROUTINE
};

fn laset<T: Scalar>(member: &Member) -> Verdict {
    let [off, on] = member.sizes.scalars.map(scalar::<T>);
    assigned(member, "A", |i, j| if i == j { on } else { off })
}

const LACPY: Routine = Routine {
    name: "lacpy of one matrix",
    entries: &[entry("magmablas_?lacpy", "uplo m n A lda B ldb queue")],
    operands: |p| vec![single(p, "A", Fill::Uniform, Writes::Nothing), single(p, "B", Fill::Poison, part(p))],
    measure: measures!(lacpy),
    ..LASET
};

fn lacpy<T: Scalar>(member: &Member) -> Verdict {
    let from = member.before::<T>("A");
    assigned(member, "B", |i, j| from[(i, j)])
}

/// Checks the elements that the call assigns. That the others are unchanged is checked for all routines elsewhere.
pub fn assigned<T: Scalar>(member: &Member, name: &str, value: impl Fn(usize, usize) -> T) -> Verdict {
    let (operand, got) = (&member.operands[member.place(name)], member.after::<T>(name));
    let expected: Matrix<T> = Matrix::from_fn(got.rows(), got.cols(), |i, j| {
        if operand.written(j).contains(&i) { value(i, j) } else { got[(i, j)] }
    });
    if same_bits(expected.data(), got.data()) { Ok(0.0) } else { Err(format!("{name} is {got:?}")) }
}

const SET_POINTER: Routine = Routine {
    name: "set_pointer",
    entries: &[entry("magma_?set_pointer", "out base lda row column stride batch queue")],
    // The addresses are computed, never dereferenced, so any numbers will do.
    draw: |p, rng| {
        p.set("base", (rng.bits() >> 17) as i64);
        for word in ["lda", "row", "column", "stride"] {
            p.set(word, rng.below(2000) as i64 - 100);
        }
    },
    operands: |p| {
        let out = operand(p, "out", (p["batch"], 1), Fill::Poison, Writes::All);
        vec![Operand { each: false, element: size_of::<usize>(), ..out }]
    },
    no_work: |p| p["batch"] < 1,
    unchecked_args: |_, _| &["batch"],
    measure: [set_pointer; 4],
    ..ROUTINE
};

fn set_pointer(member: &Member) -> Verdict {
    let (p, bytes) = (member.sizes, member.sizes.dtype.bytes() as i64);
    for (i, got) in member.after[0].chunks_exact(size_of::<usize>()).enumerate() {
        let offset = p["column"] * p["lda"] + p["row"] + i as i64 * p["stride"];
        let expected = p["base"].wrapping_add(offset * bytes);
        let got = i64::from_ne_bytes(got.try_into().expect("eight bytes"));
        if got != expected {
            return Err(format!("address {i} is {got:x}, expected {expected:x}"));
        }
    }
    Ok(0.0)
}
