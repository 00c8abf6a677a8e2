//! Plans for 16-bit matrices: FP32 copies in the workspace, the routine's own plan on them, and its output rounded
//! back. Large batches go through the workspace in pieces of some members, so that the copies stay in the L2 cache
//! and the workspace is bounded.

use crate::error::Error;
use crate::gpu::arch;
use crate::gpu::plan::run;
use crate::gpu::plan::walk::Launches;
use crate::gpu::plan::work::Arrays;
use crate::gpu::plan::{Convert, Limits, Parts, Plan, Planned, Shape};
use crate::routine::{Narrow, Operand, Operation, Storage, StoredOperand, Workspace};

/// The workspace is the same on every device.
const MEASURED: &arch::Narrow = &arch::DEFAULT.narrow;

/// The plan is the same for every problem.
impl Planned for Narrow {
    type Task = ();

    fn limits(&self, _: impl FnOnce() -> Result<Limits, Error>) -> Result<Limits, Error> {
        Ok(Limits::NONE)
    }

    fn shape(&self, _: Limits) -> Shape {
        Shape { dtype: self.dtype, m: 0, n: 0, k: 0, form: 0 }
    }

    fn plan(_: Shape, _: Limits) -> Result<Plan<Narrow>, Error> {
        let mut plan = Plan { workspace: |p| Pieces::of(p)?.workspace(), ..Plan::new("parts", []) };
        plan.sub(|p, to| Pieces::of(p)?.walk(to));
        Ok(plan)
    }
}

/// These plans have no launches of their own.
impl Launches for Narrow {}

/// How the members are divided into pieces.
struct Pieces<'a> {
    p: &'a Narrow,
    operands: [StoredOperand; 3],
    /// Members per piece; the last piece may have fewer.
    count: i64,
    /// The copies.
    copies: Arrays<3>,
}

impl Pieces<'_> {
    fn of(p: &Narrow) -> Result<Pieces<'_>, Error> {
        let operands = p.operands();
        // Includes copies that may not be needed, so that a workspace query does not depend on scalars, or on which
        // operands overlap.
        let elements = operands.map(|o| o.copy_layout().1);
        let member =
            elements.iter().fold(0, |sum: i64, n| sum.saturating_add(*n)).saturating_mul(size_of::<f32>() as i64);
        let most = (MEASURED.at_a_time / member.max(1)).max(MEASURED.fewest).min(p.batch);
        // Pieces of equal size, as far as possible.
        let pieces = (p.batch + most - 1) / most;
        let count = (p.batch + pieces - 1) / pieces;
        // A matrix that all members share has one copy.
        let each = |i: usize| if operands[i].is_shared() { (elements[i] + count - 1) / count } else { elements[i] };
        let mut piece = *p;
        piece.batch = count;
        let copies = Arrays::new(&piece, [0, 1, 2].map(each))?;
        Ok(Pieces { p, operands, count, copies })
    }

    /// First member and number of members of each piece.
    fn all(&self) -> impl Iterator<Item = (i64, i64)> {
        let (batch, count) = (self.p.batch, self.count);
        (0..(batch + count - 1) / count).map(move |i| (i * count, count.min(batch - i * count)))
    }

    /// The copies of an operand, and their leading dimension.
    fn place(&self, i: usize) -> (Operand, i64) {
        let stored = &self.operands[i];
        if stored.is_none() {
            return (Operand::NULL, stored.rows.max(1));
        }
        let (ld, elements) = stored.copy_layout();
        let Operand::Strided { base, .. } = self.copies.operand(i, self.p.work) else { return (Operand::NULL, ld) };
        (Operand::Strided { base, stride: if stored.is_shared() { 0 } else { elements } }, ld)
    }

    /// The routine on a piece.
    fn operation(&self, (first, count): (i64, i64)) -> Operation {
        let Workspace { p, bytes } = self.p.work;
        let behind =
            Workspace { p: p.wrapping_byte_add(self.copies.bytes), bytes: bytes.saturating_sub(self.copies.bytes) };
        Operation::from(self.p.with_copies(first, count, [0, 1, 2].map(|i| self.place(i)), behind)).effective()
    }

    /// The copies, followed by the routine's workspace for a whole piece or the last one, whichever is larger.
    fn workspace(&self) -> Result<usize, Error> {
        let last = self.all().last();
        let of = |piece| run::of(&self.operation(piece)).workspace();
        let own = of((0, self.count))?.max(last.map_or(Ok(0), of)?);
        let too_much = || Error::OutOfMemory("the workspace exceeds the address space".into());
        self.copies.bytes.checked_add(own).ok_or_else(too_much)
    }

    fn walk(&self, to: &mut dyn Parts) -> Result<(), Error> {
        for piece in self.all() {
            self.convert(piece, true, to)?;
            to.operation(run::of(&self.operation(piece)))?;
            self.convert(piece, false, to)?;
        }
        Ok(())
    }

    fn convert(&self, (first, count): (i64, i64), widen: bool, to: &mut dyn Parts) -> Result<(), Error> {
        for (i, stored) in self.operands.iter().enumerate() {
            if stored.is_none() || !(if widen { stored.read } else { stored.written }) {
                continue;
            }
            let &StoredOperand { operand, rows, columns, ld, part, .. } = stored;
            let half = (operand.from_member(first, Storage::BYTES), ld);
            let batch = if stored.is_shared() { 1 } else { count };
            let (storage, single) = (self.p.storage, self.place(i));
            to.convert(&Convert { storage, half, single, part, rows, columns, widen, batch })?;
        }
        Ok(())
    }
}
