//! A few products with very long sums (split-k): the terms are divided into chunks, whose products are the members
//! of one batch, and a product with a vector of ones adds them up. Calls with the same sizes add each element's
//! terms in the same order.

use crate::error::Error;
use crate::gpu::driver::pool::Scratch;
use crate::gpu::gemm::MEASURED;
use crate::gpu::plan::ceil_div;
use crate::gpu::plan::parts::assign::assign;
use crate::gpu::plan::queue::Queue;
use crate::gpu::plan::run::Run;
use crate::routine::{Alpha, Assign, Gemm, Gemv, Operand, Part, Source, Trans};
use crate::scalar::C64;
use std::ffi::c_void;

/// Whether a product is computed this way unless plans are restricted. It must be strided, because the host cannot
/// read an array of pointers. Its alpha must be on the host: an alpha in device memory may be zero, and then A and B
/// must not be read.
pub(super) fn is_long(p: &Gemm) -> bool {
    let of = &MEASURED.split;
    let addressed = [p.a, p.b, p.c].iter().all(|x| matches!(x, Operand::Strided { .. }));
    let known = matches!(p.alpha, Alpha::Host(_));
    addressed && known && p.k >= of.from && p.batch <= of.members && tiles(p) * p.batch <= of.blocks / of.least
}

/// About the number of tiles of C.
fn tiles(p: &Gemm) -> i64 {
    ceil_div(p.m, 64) * ceil_div(p.n, 64)
}

/// The product of one call.
struct Split<'a> {
    p: &'a Gemm,
    queue: Queue<'a>,
    /// The number of whole chunks, and the terms of one chunk. The remaining terms are fewer than the chunks.
    chunks: i64,
    terms: i64,
    /// Each member's products of the chunks and of the remaining terms.
    products: *mut c_void,
    /// A one for each of them.
    ones: *mut c_void,
}

/// Computes the product.
pub(super) fn walk(p: &Gemm, queue: Queue<'_>) -> Result<(), Error> {
    let of = &MEASURED.split;
    let chunks = (of.blocks / tiles(p)).min(p.k / of.terms);
    let (element, parts) = (p.dtype.bytes() as i64, chunks + 1);
    let products = p.m * p.n * parts * p.batch * element;
    let scratch = Scratch::take((products + parts * element) as usize, queue)?;
    let ones = scratch.p.wrapping_byte_add(products as usize);
    let done = Split { p, queue, chunks, terms: p.k / chunks, products: scratch.p, ones }.run();
    scratch.give_back(done)
}

impl Split<'_> {
    /// Number of products per member: of the chunks, and of the remaining terms if there are any.
    fn parts(&self) -> i64 {
        self.chunks + i64::from(self.chunks * self.terms < self.p.k)
    }

    fn run(&self) -> Result<(), Error> {
        for member in 0..self.p.batch {
            self.multiply(member, 0, self.chunks, self.terms)?;
            self.multiply(member, self.chunks, 1, self.p.k - self.chunks * self.terms)?;
        }
        let ones = Assign {
            dtype: self.p.dtype,
            part: Part::Full,
            m: self.parts(),
            n: 1,
            source: Source::Constants { off: C64 { re: 1.0, im: 0.0 }, on: C64 { re: 1.0, im: 0.0 } },
            to: Operand::Strided { base: self.ones, stride: 0 },
            ld: self.parts(),
            sizes: None,
            batch: 1,
        };
        // SAFETY: the scratch memory has room for the ones.
        unsafe { assign(&ones, self.queue)? };
        self.add_up()
    }

    /// Multiplies `count` chunks of `terms` terms each, from chunk `first` on.
    fn multiply(&self, member: i64, first: i64, count: i64, terms: i64) -> Result<(), Error> {
        if terms == 0 {
            return Ok(());
        }
        let &Split { p, chunks, .. } = self;
        let area = p.m * p.n;
        let chunk = |x: Operand, at: i64, next_term: i64| {
            let (base, stride) = strided(x);
            let at = at + member * stride + first * self.terms * next_term;
            Operand::Strided { base: displaced(base, at, p), stride: terms * next_term }
        };
        let next_term = |transposed: bool, ld: i64| if transposed { 1 } else { ld };
        let products = displaced(self.products, (member * (chunks + 1) + first) * area, p);
        let product = Gemm {
            k: terms,
            alpha: Alpha::Host(C64 { re: 1.0, im: 0.0 }),
            a: chunk(p.a, p.first[0], next_term(p.trans_a != Trans::N, p.lda)),
            b: chunk(p.b, p.first[1], next_term(p.trans_b == Trans::N, p.ldb)),
            beta: Alpha::ZERO,
            c: Operand::Strided { base: products, stride: area },
            ldc: p.m,
            batch: count,
            first: [0; 3],
            ..*p
        };
        // SAFETY: parts of the caller's operands, and of the scratch memory.
        unsafe { product.enqueue(self.queue) }
    }

    /// C := alpha times the sum of the products, plus beta C. If a member's columns are contiguous, all of it is
    /// summed at once.
    fn add_up(&self) -> Result<(), Error> {
        let &Split { p, chunks, .. } = self;
        let (area, (c, stride)) = (p.m * p.n, strided(p.c));
        let adjacent = p.ldc == p.m;
        let (rows, columns) = if adjacent { (area, 1) } else { (p.m, p.n) };
        for member in 0..p.batch {
            let sum = Gemv {
                dtype: p.dtype,
                trans: Trans::N,
                m: rows,
                n: self.parts(),
                alpha: p.alpha,
                a: Operand::Strided { base: displaced(self.products, member * (chunks + 1) * area, p), stride: rows },
                lda: area,
                x: Operand::Strided { base: self.ones, stride: 0 },
                incx: 1,
                beta: p.beta,
                y: Operand::Strided { base: displaced(c, p.first[2] + member * stride, p), stride: p.ldc },
                incy: 1,
                sizes: None,
                batch: columns,
                first: [0; 3],
                any_stride: true,
            };
            // SAFETY: C is the caller's.
            unsafe { sum.enqueue(self.queue)? };
        }
        Ok(())
    }
}

/// The address of an operand's first member, and the stride in elements.
fn strided(x: Operand) -> (*mut c_void, i64) {
    match x {
        Operand::Strided { base, stride } => (base, stride),
        Operand::Pointers(_) => (std::ptr::null_mut(), 0), // refused by is_long
    }
}

/// The address moved by `elements` elements.
fn displaced(base: *mut c_void, elements: i64, p: &Gemm) -> *mut c_void {
    base.wrapping_byte_offset(elements as isize * p.dtype.bytes() as isize)
}
