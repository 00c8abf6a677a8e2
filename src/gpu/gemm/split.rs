//! Few products of very long sums (split-k): the terms are divided into chunks, whose products are members of one batch; a product
//! with a vector of ones adds them up. Each element is the same sum in the same order in every call of the same sizes.

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

/// Whether a product is computed so where plans are free: of pointers to matrices only the device knows the addresses, and with a
/// factor of zero, which the device may have, A and B are not to be read.
pub(super) fn is_long(p: &Gemm) -> bool {
    let of = &MEASURED.split;
    let addressed = [p.a, p.b, p.c].iter().all(|x| matches!(x, Operand::Strided { .. }));
    let known = matches!(p.alpha, Alpha::Host(_));
    addressed && known && p.k >= of.from && p.batch <= of.members && tiles(p) * p.batch <= of.blocks / of.least
}

/// Tiles of C, at least about.
fn tiles(p: &Gemm) -> i64 {
    ceil_div(p.m, 64) * ceil_div(p.n, 64)
}

/// One call.
struct Split<'a> {
    p: &'a Gemm,
    queue: Queue<'a>,
    /// Whole chunks, and the terms of one; fewer terms than chunks are left.
    chunks: i64,
    terms: i64,
    /// Products of the chunks and of the terms that are left, of each member.
    products: *mut c_void,
    /// As many ones.
    ones: *mut c_void,
}

/// Does it.
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
    /// Products of the chunks and of the terms that are left.
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
        // SAFETY: the scratch memory has room for them.
        unsafe { assign(&ones, self.queue)? };
        self.add_up()
    }

    /// The products of so many chunks from one on, each of so many terms.
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

    /// C := alpha times the sum of the products, and beta C: of a whole member at a time where its columns are adjacent.
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

/// Where an operand's first member is, and the elements from one to the next.
fn strided(x: Operand) -> (*mut c_void, i64) {
    match x {
        Operand::Strided { base, stride } => (base, stride),
        Operand::Pointers(_) => (std::ptr::null_mut(), 0), // is_long has refused them
    }
}

/// So many elements on.
fn displaced(base: *mut c_void, elements: i64, p: &Gemm) -> *mut c_void {
    base.wrapping_byte_offset(elements as isize * p.dtype.bytes() as isize)
}
