//! The routines. In all of them `m` is the number of rows on this rank, and `n` must be the same on all ranks. "Device
//! memory" in the documentation of the C functions stands for memory of the backend in use.

use super::agreement::RoutineCode;
use super::reflected::{Reflected, gemm};
use super::session::{Block, CallDescription, Session};
use crate::comm::Comm;
use crate::failure::{Failure, Matrix, at_least, finish, not_null, sizes_fit};
use std::ffi::{c_int, c_void};
use tephra_core::error::Arg;
use tephra_core::face::constants::cblas;
use tephra_core::face::guard::Prototype;
use tephra_core::routine::tree::Tree;
use tephra_core::routine::{
    Alpha, Gels, Gemqr, Geqr, Geqrf, Laset, Ormqr, Part, QPart, Qr, QrStage, Side, Trans, Workspace,
};
use tephra_core::{Dtype, Operation, Stream};

/// The context of a call on one rank.
pub struct Caller {
    /// The exported function.
    pub own: &'static Prototype,
    /// The communicator.
    pub comm: *const Comm,
    /// Element type.
    pub dtype: Dtype,
    /// The stream.
    pub stream: Stream,
}

impl Caller {
    fn comm(&self) -> Result<&Comm, Failure> {
        not_null("comm", self.comm, true)?;
        // SAFETY: the caller guarantees a live communicator, see the header.
        Ok(unsafe { &*self.comm })
    }

    fn finish(&self, result: Result<(), Failure>) -> i32 {
        finish(self.own, result)
    }
}

/// A matrix argument: address and leading dimension.
pub type Argument = (*mut c_void, i64);

fn block((p, ld): Argument) -> Block {
    Block { p, ld }
}

fn sizes(m: i64, n: i64) -> Result<(), Failure> {
    at_least("m", m, 0)?;
    at_least("n", n, 0)
}

fn qr_operation(dtype: Dtype, part: QPart, m: i64, n: i64, abc: [Block; 3]) -> Operation {
    Operation::Qr(one_qr(dtype, part, m, n, abc))
}

fn one_qr(dtype: Dtype, part: QPart, m: i64, n: i64, [a, q, r]: [Block; 3]) -> Qr {
    let (lda, ldq, ldr) = (a.ld, q.ld, r.ld);
    let (a, q, r, work, stage) = (a.operand(), q.operand(), r.operand(), Workspace::NONE, QrStage::Whole);
    Qr { dtype, m, n, part, stage, a, lda, q, ldq, r, ldr, batch: 1, work }
}

/// The thin QR of a rank's own rows in two halves: its Q is formed when its factor from the stack is known, and is
/// multiplied by that on the way. This reads and writes it once less than a product afterwards.
fn in_halves(dtype: Dtype, m: i64, n: i64, operands: [Block; 3], work: Workspace) -> Qr {
    Qr { stage: QrStage::R, work, ..one_qr(dtype, QPart::Thin, m, n, operands) }
}

/// The first half of a matrix with these sizes.
fn first_half(dtype: Dtype, m: i64, n: i64) -> Operation {
    let place = |ld| Block { ld, ..NULL_BLOCK };
    Operation::Qr(in_halves(dtype, m, n, [place(m), place(m), place(n)], Workspace::NONE))
}

const NULL_BLOCK: Block = Block { p: std::ptr::null_mut(), ld: 1 };

/// `tephra_?qr_distributed`
///
/// # Safety
/// The operands must be as the header says.
pub unsafe fn qr(caller: &Caller, part: c_int, m: i64, n: i64, [a, q, r]: [Argument; 3]) -> i32 {
    caller.finish(unsafe { try_qr(caller, part, m, n, [a, q, r]) })
}

unsafe fn try_qr(caller: &Caller, flag: c_int, m: i64, n: i64, [a, q, r]: [Argument; 3]) -> Result<(), Failure> {
    let (comm, dtype) = (caller.comm()?, caller.dtype);
    let thin = flag == 1;
    // For few columns, the tree's kernels compute a rank's own Q directly, and R alone reads A only once.
    let explicit = n <= Tree::MAX_COLUMNS;
    let valid = || {
        if !thin && flag != 0 {
            return Err(Failure::Argument("part", format!("is {flag}, but must be 0 (none) or 1 (thin)")));
        }
        sizes(m, n)?;
        let (rows, columns) = ((m, Arg::M), (n, Arg::N));
        let of_a = Matrix { rows, columns, ld: (a.1, Arg::Lda) };
        let of_r = Matrix { rows: columns, columns, ld: (r.1, Arg::Ldr) };
        sizes_fit(dtype, &[of_a, of_r])?;
        of_a.check_ld(dtype)?;
        if thin {
            Matrix { rows, columns, ld: (q.1, Arg::Ldq) }.check_ld(dtype)?;
        }
        of_r.check_ld(dtype)?;
        not_null("a", a.0, m > 0 && n > 0)?;
        not_null("q", q.0, thin && m > 0 && n > 0)?;
        if thin && q.0 == a.0 && m > 0 && n > 0 {
            return Err(Failure::Argument("q", "must not be the same array as a".into()));
        }
        not_null("r", r.0, n > 0)
    };
    let description = CallDescription {
        own: caller.own,
        comm,
        stream: caller.stream,
        dtype: caller.dtype,
        routine: RoutineCode::Qr,
        flag: thin.into(),
        m,
        n,
        nrhs: 0,
        width: n,
        result: |p, n, _| n.checked_mul(n)?.checked_mul(p.checked_add(2)?),
        extra: if explicit { n.saturating_mul(n).max(0) } else { Reflected::elements(n, thin) },
        held: (explicit && thin).then_some(first_half),
        step: Some(|dtype, rows, n, _| {
            let ld = |ld| Block { ld, ..NULL_BLOCK };
            qr_operation(dtype, QPart::Thin, rows, n, [ld(rows), ld(rows), ld(n)])
        }),
    };
    let call = Session::open(&description, valid())?;
    if n == 0 {
        return Ok(());
    }
    let (dtype, rows, part) = (caller.dtype, &call.rows, if thin { QPart::Thin } else { QPart::None });
    let (top, rest) = (block(a), block(a).at(dtype, rows.top, 0));
    let (k, h) = (rows.triangle(n), call.stack.ld);
    // The Q of the triangle overwrites A, unless it does not fit there.
    let small = if rows.rest < n { Block { p: call.extra, ld: rows.rest.max(1) } } else { rest };
    let reflected = Reflected { dtype, rows: rows.rest, k, n, v: rest, scratch: call.extra };
    let (sent_top, triangle) = call.message_blocks();
    let own_q = block(q).at(dtype, rows.top, 0);
    let half = in_halves(dtype, rows.rest, n, [rest, own_q, triangle], call.held);
    let halved = explicit && thin && call.holds(&Operation::Qr(half));
    unsafe {
        call.exchange(
            || {
                call.copy(top, sent_top, rows.top, n)?;
                if halved {
                    return call.run(Operation::Qr(half));
                }
                if explicit {
                    return call.run(qr_operation(dtype, part, rows.rest, n, [rest, small, triangle]));
                }
                call.run(geqrf_operation(dtype, rows.rest, n, rest, reflected.tau()))?;
                call.copy_upper(rest, triangle, k, n)?;
                if thin { reflected.prepare(&call) } else { Ok(()) }
            },
            || {
                let all = Block { p: call.result, ld: h };
                // Beside Q, if rank 0 sends both to the others.
                let of_all = Block { ld: n, ..all.at(dtype, 0, n) };
                let made = if call.all_compute() { block(r) } else { of_all };
                call.compute_result(|| call.run(qr_operation(dtype, part, h, n, [call.stack, all, made])))?;
                if !call.all_compute() {
                    call.copy(of_all, block(r), n, n)?;
                }
                if thin {
                    call.copy(all.at(dtype, rows.first, 0), block(q), rows.top, n)?;
                    let b = all.at(dtype, n + call.rank() * n, 0);
                    if halved {
                        let stage = QrStage::Q { by: b.operand(), ld_by: b.ld };
                        call.run(Operation::Qr(Qr { stage, ..half }))?;
                    } else if explicit {
                        let own = [small, b, own_q];
                        call.run(Operation::Gemm(gemm(dtype, [rows.rest, n, k], Alpha::host(1.0f64), own)))?;
                    } else {
                        reflected.apply(&call, b, own_q)?;
                    }
                }
                Ok(())
            },
        )
    }
}

/// The parts of T: the stack's reflectors and their scalar factors, then the T of this rank's own rows.
struct Parts {
    stack: Block,
    tau: *mut c_void,
    own: *mut c_void,
    /// Number of elements of the first two parts, and of the last.
    stack_elements: i64,
    own_elements: i64,
}

/// Number of elements of T's parts for the stack.
fn stack_elements(p: i64, n: i64) -> Option<i64> {
    p.checked_add(1)?.checked_mul(n)?.checked_mul(n)?.checked_add(n)
}

impl Parts {
    fn of(dtype: Dtype, p: i64, n: i64, t: *mut c_void, tsize: i64) -> Parts {
        let stack = Block { p: t, ld: ((p + 1) * n).max(1) };
        let elements = stack_elements(p, n).unwrap_or(0);
        let tau = stack.at(dtype, elements - n, 0).p;
        Parts {
            stack,
            tau,
            own: stack.at(dtype, elements, 0).p,
            stack_elements: elements,
            own_elements: tsize - elements,
        }
    }
}

/// Number of elements of T on a rank with `m` rows. The number of columns comes with its name.
fn tsize_for(comm: &Comm, dtype: Dtype, m: i64, (n, of_n): (i64, &'static str)) -> Result<i64, Failure> {
    at_least("m", m, 0)?;
    at_least(of_n, n, 0)?;
    let own = Geqr::tsize(dtype, m, n)?;
    let sum = stack_elements(comm.size as i64, n).and_then(|stack_elements| stack_elements.checked_add(own));
    sum.ok_or_else(|| Failure::Argument(of_n, "is too large".into()))
}

/// `tephra_?geqr_distributed_tsize`
///
/// # Safety
/// `tsize` must be NULL or valid for a write.
pub unsafe fn geqr_tsize(caller: &Caller, m: i64, n: i64, tsize: *mut i64) -> i32 {
    let answer = caller.comm().and_then(|comm| tsize_for(comm, caller.dtype, m, (n, "n")));
    let answer = answer.and_then(|elements| not_null("tsize", tsize, true).map(|()| elements));
    caller.finish(answer.map(|elements| unsafe { tsize.write(elements) }))
}

fn geqr_operation(dtype: Dtype, m: i64, n: i64, a: Block, (t, tsize): (*mut c_void, i64)) -> Operation {
    let (lda, a, t) = (a.ld, a.operand(), Block { p: t, ld: 1 }.operand());
    Operation::Geqr(Geqr { dtype, m, n, a, lda, t, tsize, batch: 1 })
}

fn geqrf_operation(dtype: Dtype, m: i64, n: i64, a: Block, tau: *mut c_void) -> Operation {
    let shape =
        tephra_core::routine::Shape { dtype, m, n, batch: 1, math: Default::default(), extra: Default::default() };
    let plain = <Geqrf as tephra_core::Routine>::of_shape(&shape);
    Operation::Geqrf(Geqrf { a: a.operand(), lda: a.ld, tau: Block { p: tau, ld: 1 }.operand(), ..plain })
}

/// `tephra_?geqr_distributed`
///
/// # Safety
/// The operands must be as the header says.
pub unsafe fn geqr(caller: &Caller, m: i64, n: i64, a: Argument, t: Argument, r: Argument) -> i32 {
    caller.finish(unsafe { try_geqr(caller, m, n, a, t, r) })
}

unsafe fn try_geqr(
    caller: &Caller,
    m: i64,
    n: i64,
    a: Argument,
    (t, tsize): Argument,
    r: Argument,
) -> Result<(), Failure> {
    let (comm, dtype) = (caller.comm()?, caller.dtype);
    let valid = || {
        sizes(m, n)?;
        let columns = (n, Arg::N);
        let of_a = Matrix { rows: (m, Arg::M), columns, ld: (a.1, Arg::Lda) };
        let of_r = Matrix { rows: columns, columns, ld: (r.1, Arg::Ldr) };
        sizes_fit(dtype, &[of_a, of_r])?;
        let least = tsize_for(comm, dtype, m, (n, "n"))?;
        of_a.check_ld(dtype)?;
        at_least("tsize", tsize, least)?;
        of_r.check_ld(dtype)?;
        not_null("a", a.0, m > 0 && n > 0)?;
        not_null("t", t, n > 0)?;
        not_null("r", r.0, n > 0)
    };
    let description = CallDescription {
        own: caller.own,
        comm,
        stream: caller.stream,
        dtype: caller.dtype,
        routine: RoutineCode::Geqr,
        flag: 0,
        m,
        n,
        nrhs: 0,
        width: n,
        result: |p, n, _| stack_elements(p, n),
        extra: 0,
        held: None,
        step: Some(|dtype, rows, n, _| geqrf_operation(dtype, rows, n, Block { ld: rows, ..NULL_BLOCK }, NULL_BLOCK.p)),
    };
    let call = Session::open(&description, valid())?;
    if n == 0 {
        return Ok(());
    }
    let (dtype, rows) = (caller.dtype, &call.rows);
    let parts = Parts::of(dtype, comm.size as i64, n, t, tsize);
    let rest = block(a).at(dtype, rows.top, 0);
    unsafe {
        call.exchange(
            || {
                let (sent_top, triangle) = call.message_blocks();
                call.copy(block(a), sent_top, rows.top, n)?;
                call.run(geqr_operation(dtype, rows.rest, n, rest, (parts.own, parts.own_elements)))?;
                call.copy_upper(rest, triangle, rows.triangle(n), n)
            },
            || {
                let made = Parts::of(dtype, comm.size as i64, n, call.result, parts.stack_elements);
                call.compute_result(|| {
                    call.copy(call.stack, made.stack, made.stack.ld, n)?;
                    call.run(geqrf_operation(dtype, made.stack.ld, n, made.stack, made.tau))
                })?;
                call.copy_bytes(call.result, t, parts.stack_elements as usize * dtype.bytes())?;
                let (off, r) = (Alpha::ZERO, block(r));
                let zero = Laset {
                    dtype,
                    uplo: Part::Full,
                    m: n,
                    n,
                    alpha: off,
                    beta: off,
                    a: r.operand(),
                    lda: r.ld,
                    batch: 1,
                };
                call.run(Operation::Laset(zero))?;
                call.copy_upper(made.stack, r, n, n)?;
                Ok(())
            },
        )
    }
}

/// Applies op(Q) in place to the rows of C on this rank that are not among the first n of the matrix.
fn gemqr_operation(
    dtype: Dtype,
    trans: Trans,
    [m, n, k]: [i64; 3],
    [a, c]: [Block; 2],
    (t, tsize): (*mut c_void, i64),
) -> Operation {
    let (lda, ldc) = (a.ld, c.ld);
    let (a, c, t) = (a.operand(), c.operand(), Block { p: t, ld: 1 }.operand());
    Operation::Gemqr(Gemqr { dtype, side: Side::Left, trans, m, n, k, a, lda, t, tsize, c, ldc, batch: 1 })
}

/// `tephra_?gemqr_distributed`: C has n columns, Q has k.
///
/// # Safety
/// The operands must be as the header says.
pub unsafe fn gemqr(caller: &Caller, trans: c_int, [m, n, k]: [i64; 3], [a, t, c]: [Argument; 3]) -> i32 {
    caller.finish(unsafe { try_gemqr(caller, trans, [m, n, k], [a, t, c]) })
}

unsafe fn try_gemqr(
    caller: &Caller,
    trans: c_int,
    [m, n, k]: [i64; 3],
    [a, (t, tsize), c]: [Argument; 3],
) -> Result<(), Failure> {
    let (comm, dtype) = (caller.comm()?, caller.dtype);
    let op = cblas::trans(trans);
    let valid = || {
        if op.is_err() {
            return Err(Failure::Argument("trans", format!("is {trans}")));
        }
        at_least("m", m, 0)?;
        at_least("n", n, 0)?;
        at_least("k", k, 0)?;
        // Without work no operand is accessed, so its size does not matter.
        let (rows, used) = ((m, Arg::M), |columns: i64| if n > 0 && k > 0 { columns } else { 0 });
        let of_a = Matrix { rows, columns: (used(k), Arg::K), ld: (a.1, Arg::Lda) };
        let of_c = Matrix { rows, columns: (used(n), Arg::N), ld: (c.1, Arg::Ldc) };
        sizes_fit(dtype, &[of_a, of_c])?;
        let least = tsize_for(comm, dtype, m, (k, "k"))?;
        of_a.check_ld(dtype)?;
        at_least("tsize", tsize, least)?;
        of_c.check_ld(dtype)?;
        not_null("a", a.0, m > 0 && k > 0 && n > 0)?;
        not_null("t", t, k > 0 && n > 0)?;
        not_null("c", c.0, m > 0 && k > 0 && n > 0)
    };
    // In `CallDescription`, `n` is the number of columns of Q, which determines the rows of the stack.
    let description = CallDescription {
        own: caller.own,
        comm,
        stream: caller.stream,
        dtype: caller.dtype,
        routine: RoutineCode::Gemqr,
        flag: trans as u8,
        m,
        n: k,
        nrhs: n,
        width: n,
        result: |_, _, _| Some(0),
        extra: 0,
        held: None,
        step: None,
    };
    let call = Session::open(&description, valid())?;
    let Ok(trans) = op else { return Ok(()) };
    if k == 0 || n == 0 {
        return Ok(());
    }
    let (dtype, rows) = (caller.dtype, &call.rows);
    let parts = Parts::of(dtype, comm.size as i64, k, t, tsize);
    let at_rest = |of: Argument| block(of).at(dtype, rows.top, 0);
    let (c_rest, height) = (at_rest(c), rows.triangle(k));
    let own =
        || gemqr_operation(dtype, trans, [rows.rest, n, height], [at_rest(a), c_rest], (parts.own, parts.own_elements));
    unsafe {
        call.exchange(
            || {
                if trans != Trans::N {
                    call.run(own())?;
                }
                let (sent_top, triangle) = call.message_blocks();
                call.copy(block(c), sent_top, rows.top, n)?;
                call.copy(c_rest, triangle, height, n)
            },
            || {
                let (m, lda, ldc) = (parts.stack.ld, parts.stack.ld, call.stack.ld);
                let (a, tau, c_all) =
                    (parts.stack.operand(), Block { p: parts.tau, ld: 1 }.operand(), call.stack.operand());
                let stack = Ormqr {
                    dtype,
                    side: Side::Left,
                    trans,
                    m,
                    n,
                    k,
                    a,
                    lda,
                    tau,
                    c: c_all,
                    ldc,
                    sizes: None,
                    batch: 1,
                };
                call.run(Operation::Ormqr(stack))?;
                call.copy(call.stack.at(dtype, rows.first, 0), block(c), rows.top, n)?;
                call.copy(call.stack.at(dtype, k + call.rank() * k, 0), c_rest, height, n)?;
                if trans == Trans::N {
                    call.run(own())?;
                }
                Ok(())
            },
        )
    }
}

fn gels_operation(dtype: Dtype, m: i64, n: i64, nrhs: i64, [a, b]: [Block; 2], info: *mut i32) -> Operation {
    let (lda, ldb) = (a.ld, b.ld);
    let (a, b, work) = (a.operand(), b.operand(), Workspace::NONE);
    Operation::Gels(Gels { dtype, trans: Trans::N, m, n, nrhs, a, lda, b, ldb, sizes: None, info, batch: 1, work })
}

/// `tephra_?gels_distributed`
///
/// # Safety
/// The operands must be as the header says.
pub unsafe fn gels(caller: &Caller, [m, n, nrhs]: [i64; 3], [a, b, x]: [Argument; 3], info: *mut c_int) -> i32 {
    caller.finish(unsafe { try_gels(caller, [m, n, nrhs], [a, b, x], info) })
}

unsafe fn try_gels(
    caller: &Caller,
    [m, n, nrhs]: [i64; 3],
    [a, b, x]: [Argument; 3],
    info: *mut c_int,
) -> Result<(), Failure> {
    let (comm, dtype) = (caller.comm()?, caller.dtype);
    let valid = || {
        sizes(m, n)?;
        at_least("nrhs", nrhs, 0)?;
        let (rows, columns, sides) = ((m, Arg::M), (n, Arg::N), (if n > 0 { nrhs } else { 0 }, Arg::Nrhs));
        let of_a = Matrix { rows, columns, ld: (a.1, Arg::Lda) };
        let of_b = Matrix { rows, columns: sides, ld: (b.1, Arg::Ldb) };
        let of_x = Matrix { rows: columns, columns: sides, ld: (x.1, Arg::Ldx) };
        sizes_fit(dtype, &[of_a, of_b, of_x])?;
        [of_a, of_b, of_x].iter().try_for_each(|matrix| matrix.check_ld(dtype))?;
        not_null("a", a.0, m > 0 && n > 0)?;
        not_null("b", b.0, m > 0 && nrhs > 0 && n > 0)?;
        not_null("x", x.0, n > 0 && nrhs > 0)
    };
    let description = CallDescription {
        own: caller.own,
        comm,
        stream: caller.stream,
        dtype: caller.dtype,
        routine: RoutineCode::Gels,
        flag: 0,
        m,
        n,
        nrhs,
        width: n.saturating_add(nrhs),
        // X, followed by the status code in an element of its own.
        result: |_, n, nrhs| n.checked_mul(nrhs)?.checked_add(1),
        extra: Geqr::tsize(caller.dtype, m.max(0), n.max(0)).unwrap_or(0),
        held: None,
        step: Some(|dtype, rows, n, nrhs| {
            let ld = Block { ld: rows, ..NULL_BLOCK };
            gels_operation(dtype, rows, n, nrhs, [ld, ld], std::ptr::null_mut())
        }),
    };
    let call = Session::open(&description, valid())?;
    let (dtype, rows) = (caller.dtype, &call.rows);
    if n == 0 {
        return Ok(unsafe { call.zero_bytes(info.cast(), size_of::<c_int>()) }?);
    }
    let rest = |of: Argument| block(of).at(dtype, rows.top, 0);
    let (k, t) = (rows.triangle(n), (call.extra, description.extra));
    unsafe {
        call.exchange(
            || {
                let (sent_top, triangle) = call.message_blocks();
                call.copy(block(a), sent_top, rows.top, n)?;
                call.copy(block(b), sent_top.at(dtype, 0, n), rows.top, nrhs)?;
                call.run(geqr_operation(dtype, rows.rest, n, rest(a), t))?;
                call.copy_upper(rest(a), triangle, k, n)?;
                let adjoint = if dtype.is_complex() { Trans::C } else { Trans::T };
                call.run(gemqr_operation(dtype, adjoint, [rows.rest, nrhs, k], [rest(a), rest(b)], t))?;
                call.copy(rest(b), triangle.at(dtype, 0, n), k, nrhs)
            },
            || {
                let solution = Block { p: call.result, ld: n };
                let code = solution.at(dtype, 0, nrhs).p;
                call.compute_result(|| {
                    let b = call.stack.at(dtype, 0, n);
                    call.run(gels_operation(dtype, call.stack.ld, n, nrhs, [call.stack, b], code.cast()))?;
                    call.copy(b, solution, n, nrhs)
                })?;
                call.copy(solution, block(x), n, nrhs)?;
                call.copy_bytes(code, info.cast(), size_of::<c_int>())?;
                Ok(())
            },
        )
    }
}
