//! Batches of matrices between red zones, poisoned before a call and checked to the last bit after it.

use crate::memory::{Kind, Memory};
use crate::scalar::bytes_of;
use crate::{Error, Library, Matrix, Result, Rng, Scalar};
use std::ffi::c_void;

/// How the members of a batch are laid out in memory.
#[derive(Clone, Debug)]
pub struct Placement {
    /// Rows of padding: ld = max(1, rows) + padding.
    pub padding: usize,
    /// Elements from the (well aligned) start of the allocation to the first red zone.
    pub offset: usize,
    /// Elements in the red zones before, between and after the members.
    pub gap: usize,
    /// Whether the members lie side by side in each column, with ld = batch * rows + padding, rather than one after the
    /// other.
    pub interleaved: bool,
    /// Seed of the members' order in memory; `None` keeps them in order, as a strided call needs.
    pub shuffle: Option<u64>,
    /// The kind of memory that holds the pointer array.
    pub pointers: Kind,
}

impl Placement {
    /// No padding and no red zones, in order: the layout that benchmarks use.
    pub fn tight() -> Self {
        Placement { padding: 0, offset: 0, gap: 0, interleaved: false, shuffle: None, pointers: Kind::Device }
    }

    /// Odd padding and red zones, in order.
    pub fn guarded() -> Self {
        Placement { padding: 3, gap: 5, ..Self::tight() }
    }

    /// Like `guarded`, with the members in random order.
    pub fn shuffled(seed: u64) -> Self {
        Placement { shuffle: Some(seed), ..Self::guarded() }
    }
}

/// A batch of `rows` x `cols` members. All of its memory holds poison until it is set.
pub struct Guarded<T> {
    rows: usize,
    cols: usize,
    ld: usize,
    stride: usize,
    starts: Vec<usize>,
    image: Vec<T>,
    memory: Memory,
    addresses: Vec<usize>,
    pointers: Memory,
    in_order: bool,
}

impl<T: Scalar> Guarded<T> {
    /// Allocates the memory, fills the host image with poison and writes the pointer array. [`Guarded::upload`] copies
    /// the image.
    pub fn new(lib: &'static Library, rows: usize, cols: usize, batch: usize, place: &Placement) -> Result<Self> {
        // The interface requires strides of at least max(1, rows), even if the members have no elements.
        let (ld, stride) = if place.interleaved {
            (rows.max(1) * batch.max(1) + place.padding, rows.max(1))
        } else {
            let ld = rows.max(1) + place.padding;
            (ld, (ld * cols + place.gap).max(rows).max(1))
        };
        let first = place.offset + place.gap;
        let starts: Vec<usize> = match place.shuffle {
            None => (0..batch).map(|i| first + i * stride).collect(),
            Some(seed) => Rng::new(seed).permutation(batch).into_iter().map(|slot| first + slot * stride).collect(),
        };
        let end = first + if place.interleaved { ld * cols + place.gap } else { batch * stride };
        let image = vec![T::POISON; end];
        let memory = Memory::new(lib, Kind::Device, size_of_val(&image[..]))?;
        let base = memory.pointer() as usize;
        let addresses: Vec<usize> = starts.iter().map(|s| base + s * size_of::<T>()).collect();
        let pointers = Memory::new(lib, place.pointers, size_of_val(&addresses[..]))?;
        pointers.write(&addresses)?;
        Ok(Guarded {
            rows,
            cols,
            ld,
            stride,
            starts,
            image,
            memory,
            addresses,
            pointers,
            in_order: place.shuffle.is_none(),
        })
    }

    /// Stores a member in the host image.
    pub fn set(&mut self, i: usize, a: &Matrix<T>) {
        assert_eq!((a.rows(), a.cols()), (self.rows, self.cols));
        for j in 0..self.cols {
            let at = self.starts[i] + j * self.ld;
            self.image[at..at + self.rows].copy_from_slice(a.col(j));
        }
    }

    /// Copies the host image to the backend's memory: inputs as set, poison elsewhere.
    pub fn upload(&self) -> Result<()> {
        self.memory.write(&self.image)
    }

    /// Number of members.
    pub fn batch(&self) -> usize {
        self.starts.len()
    }

    /// Leading dimension.
    pub fn ld(&self) -> i64 {
        self.ld as i64
    }

    /// Elements between the starts of consecutive members; only for batches in order.
    pub fn stride(&self) -> i64 {
        assert!(self.in_order, "a shuffled batch has no stride");
        self.stride as i64
    }

    /// Address of member 0, or of the memory if the batch is empty.
    pub fn base(&self) -> *mut c_void {
        self.addresses.first().map_or(self.memory.pointer(), |&a| a as *mut c_void)
    }

    /// Address of the array of pointers to the members.
    pub fn pointers(&self) -> *const *mut c_void {
        self.pointers.pointer() as *const *mut c_void
    }

    /// Downloads everything and fails if any bit outside the members' elements changed: in red zones, padding rows or
    /// the pointer array. The work that writes the members must be finished.
    pub fn download(&self) -> Result<Contents<'_, T>> {
        let mut data = self.image.clone();
        self.memory.read(&mut data)?;
        let mut addresses = vec![0usize; self.addresses.len()];
        self.pointers.read(&mut addresses)?;
        if addresses != self.addresses {
            return Err(Error::Guard("the pointer array".into()));
        }
        let contents = Contents { batch: self, data };
        contents.check()?;
        Ok(contents)
    }
}

/// The downloaded memory of a [`Guarded`] batch.
pub struct Contents<'a, T> {
    batch: &'a Guarded<T>,
    data: Vec<T>,
}

impl<T: Scalar> Contents<'_, T> {
    /// Member `i`.
    pub fn member(&self, i: usize) -> Matrix<T> {
        let b = self.batch;
        Matrix::from_fn(b.rows, b.cols, |r, c| self.data[b.starts[i] + c * b.ld + r])
    }

    /// Whether every bit is as uploaded, so that nothing was written.
    pub fn is_untouched(&self) -> bool {
        bytes_of(&self.data) == bytes_of(&self.batch.image)
    }

    fn check(&self) -> Result<()> {
        let b = self.batch;
        let mut expected = b.image.clone();
        for &start in &b.starts {
            for j in 0..b.cols {
                let column = start + j * b.ld..start + j * b.ld + b.rows;
                expected[column.clone()].copy_from_slice(&self.data[column]);
            }
        }
        if bytes_of(&expected) == bytes_of(&self.data) {
            return Ok(());
        }
        let at = (0..expected.len()).find(|&i| bytes_of(&expected[i..=i]) != bytes_of(&self.data[i..=i]));
        let at = at.expect("some element differs");
        let near = b.starts.iter().enumerate().min_by_key(|(_, s)| s.abs_diff(at)).map(|(i, s)| (i, *s));
        Err(Error::Guard(format!(
            "element {at} of {} is {:?}, was {:?}; {}x{} members, ld {}, nearest (member, start) {near:?}",
            expected.len(),
            self.data[at],
            expected[at],
            b.rows,
            b.cols,
            b.ld
        )))
    }
}
