"""The operations as calls of the C interface, for the arrays of any library.

Callers have checked that all operands are of one library, one element type and on one device. `x` is that library's
adapter (_adapters.py, _torch/tensors.py): it reports an array's address and strides, and makes new arrays. The last two
dimensions hold the matrices. The C interface takes column-major matrices with one fixed stride between members of the
batch: an operand in that layout is read in place, any other is copied once, by its own library. Results are
column-major.
"""
from __future__ import annotations

from typing import Any

from . import _library as lib
from . import _shapes as shapes
from ._library import FUNCTIONS, call

# An array and what the C interface is passed for it: address, leading dimension, batch stride in elements.
Operand = tuple[Any, int, int, int]


def _single_stride(shape: Any, strides: Any) -> int | None:
    """The one stride that reaches all members of a batch (0 for a single member), or None if there is none."""
    expected, stride = None, 0
    for size, step in zip(reversed(shape), reversed(strides)):
        if size == 1:
            continue
        if expected is None:
            stride = step
        elif step != expected:
            return None
        expected = step * size
    return stride if stride >= 0 else None


def _batch_stride(outer: shapes.Shape, a_outer: Any, strides: Any) -> int | None:
    """The batch stride of an array whose batch dimensions `a_outer` are broadcast to `outer`, or None."""
    if len(outer) == 1 and len(a_outer) == 1:
        return (strides[0] if strides[0] >= 0 else None) if a_outer[0] != 1 else 0
    missing = len(outer) - len(a_outer)
    steps = [0] * missing + [0 if size == 1 else step for size, step in zip(a_outer, strides)]
    return _single_stride(outer, steps)


def _in_place(x: Any, a: Any, outer: shapes.Shape, m: int, n: int) -> Operand | None:
    """The operand for an array that is only read and whose matrices are already column-major; None for any other."""
    strides = x.strides(a)
    if strides is None:
        return None
    *steps, row, column = strides
    least = m if m > 1 else 1
    ld = column if n > 1 else least
    if (row != 1 and m > 1) or ld < least:
        return None
    stride = _batch_stride(outer, a.shape[:-2], steps)
    return None if stride is None else (a, x.pointer(a), ld, stride)


def _new(x: Any, a: Any, outer: shapes.Shape, m: int, n: int) -> Operand:
    """New column-major matrices with the element type and device of `a`, uninitialised."""
    new = x.columns(a, outer, m, n)
    ld = m if m > 1 else 1
    return new, x.pointer(new), ld, ld * n if n > 1 else ld


def _copied(x: Any, a: Any, outer: shapes.Shape, m: int, n: int) -> Operand:
    """A column-major copy of `a`, broadcast to the batch dimensions `outer`."""
    new = _new(x, a, outer, m, n)
    x.copy(new[0], a)
    return new


def _vectors(x: Any, tau: Any, outer: shapes.Shape, k: int) -> tuple[Any, int, int]:
    """(array, address, batch stride) of vectors that are only read; copied if their layout requires it."""
    strides = x.strides(tau)
    if strides is not None and (k <= 1 or strides[-1] == 1):
        stride = _batch_stride(outer, tau.shape[:-1], strides[:-1])
        if stride is not None:
            return tau, x.pointer(tau), stride
    new = x.empty(tau, (*outer, k))
    x.copy(new, tau)
    return new, x.pointer(new), max(k, 1)


def _run(x: Any, a: Any, operation: str, *arguments: Any) -> None:
    function = FUNCTIONS[operation, x.letter(a)]
    status = call(x.backend(a), function, *arguments, x.stream(a))
    if status:
        raise lib.failure(status)
    if x.called is not None:
        x.called(function, arguments)


def _run_with_workspace(x: Any, a: Any, operation: str, query: tuple[int, ...], *arguments: Any) -> None:
    backend, device, letter = x.backend(a), x.device(a), x.letter(a)
    function, stream, arguments = FUNCTIONS[operation, letter], x.stream(a), lib.typed(letter, arguments)
    for again in (False, True):
        need = lib.workspace(backend, device, operation, letter, query, again)
        # The array's library frees it in stream order.
        work = x.bytes(a, need) if need else None
        status = call(backend, function, *arguments, x.pointer(work) if need else None, need, stream)
        if not status:
            if x.called is not None:
                x.called(function, (*arguments, x.pointer(work) if need else 0, need))
            return
        # Retry only if the call rejected the workspace size, its second-to-last argument: the remembered size is stale.
        if status != -(len(arguments) + 2):
            break
    raise lib.failure(status)


def qr(x: Any, a: Any, mode: str) -> tuple[Any, Any]:
    """Returns Q (None for mode "r") and R."""
    outer, m, n, inner = shapes.qr(a.shape, mode)
    # For m <= n the thin Q is already the full one.
    part = lib.Q_NONE if mode == "r" else lib.Q_FULL if inner > n else lib.Q_THIN
    r, r_pointer, r_ld, r_stride = _new(x, a, outer, inner, n)
    source = _in_place(x, a, outer, m, n)
    if part == lib.Q_NONE:
        q = source = source or _copied(x, a, outer, m, n)
    elif source is None and inner == n:
        q = source = _copied(x, a, outer, m, n)  # Q overwrites the copy
    else:
        source = source or _copied(x, a, outer, m, n)
        q = _new(x, a, outer, m, inner)
    _, a_pointer, a_ld, a_stride = source
    q_array, q_pointer, q_ld, q_stride = q
    batch = shapes.count(outer)
    _run_with_workspace(x, a, "qr", (part, m, n, a_ld, a_stride, q_ld, q_stride, r_ld, r_stride, batch),
                        part, m, n, a_pointer, a_ld, a_stride, q_pointer, q_ld, q_stride, r_pointer, r_ld, r_stride, batch)
    return None if part == lib.Q_NONE else q_array, r


def geqrf(x: Any, a: Any) -> tuple[Any, Any]:
    """Returns the factors and tau."""
    outer, m, n = shapes.matrix("a", a.shape)
    factors, pointer, ld, stride = _copied(x, a, outer, m, n)
    k = m if m < n else n
    tau, k_stride, batch = x.empty(a, (*outer, k)), k if k > 1 else 1, shapes.count(outer)
    _run_with_workspace(x, a, "geqrf", (m, n, ld, stride, k_stride, batch),
                        m, n, pointer, ld, stride, x.pointer(tau), k_stride, batch)
    return factors, tau


def householder_product(x: Any, factors: Any, tau: Any) -> Any:
    """Returns the first n columns of Q."""
    outer, m, n, k = shapes.householder_product(factors.shape, tau.shape)
    q, pointer, ld, stride = _copied(x, factors, outer, m, n)
    _tau, t_pointer, t_stride = _vectors(x, tau, outer, k)
    _run(x, factors, "orgqr", m, n, k, pointer, ld, stride, t_pointer, t_stride, shapes.count(outer))
    return q


def ormqr(x: Any, factors: Any, tau: Any, other: Any, left: bool, transpose: bool) -> Any:
    """Returns op(Q) other, or other op(Q) if not `left`."""
    outer, m, n, k = shapes.ormqr(factors.shape, tau.shape, other.shape, left)
    order, columns = factors.shape[-2:]
    v = _in_place(x, factors, outer, order, columns) or _copied(x, factors, outer, order, columns)
    _tau, t_pointer, t_stride = _vectors(x, tau, outer, k)
    c, pointer, ld, stride = _copied(x, other, outer, m, n)
    _run(x, factors, "ormqr", lib.LEFT if left else lib.RIGHT, lib.CONJ_TRANS if transpose else lib.NO_TRANS, m, n, k,
         v[1], v[2], v[3], t_pointer, t_stride, pointer, ld, stride, shapes.count(outer))
    return c


def lstsq(x: Any, a: Any, b: Any) -> tuple[Any, Any]:
    """Returns the solution and info; `b` holds matrices."""
    outer, m, n, nrhs = shapes.lstsq(a.shape, b.shape)
    rows = m if m > n else n
    _a, a_pointer, a_ld, a_stride = _copied(x, a, outer, m, n)
    rhs, pointer, ld, stride = _new(x, a, outer, rows, nrhs)
    x.copy(rhs if rows == m else x.rows(rhs, m), b)
    info, batch = x.empty(a, outer, int32=True), shapes.count(outer)
    _run_with_workspace(x, a, "gels", (lib.NO_TRANS, m, n, nrhs, a_ld, a_stride, ld, stride, batch),
                        lib.NO_TRANS, m, n, nrhs, a_pointer, a_ld, a_stride, pointer, ld, stride, x.pointer(info), batch)
    if m == 0 or n == 0:
        x.zero(info)  # the library does not write info for empty matrices
    # Drop the rows below the solution with a copy, so that the result has the same strides as on every other path.
    return rhs if rows == n else _copied(x, x.rows(rhs, n), outer, n, nrhs)[0], info


def with_vectors(solve: Any, x: Any, a: Any, b: Any, vector: bool, *options: Any) -> Any:
    """Calls `solve`, and if `vector`, where `b` is one vector per matrix, turns `b` into columns and the solution,
    which is the first result, back into vectors."""
    if not vector:
        return solve(x, a, b, *options)
    solution, *others = solve(x, a, x.as_columns(b), *options)
    return x.as_vectors(solution), *others


def lstsq_iterative(x: Any, a: Any, b: Any) -> tuple[Any, Any]:
    """lstsq() by iteration. `a` and `b` are read in place. Wide or empty problems are solved directly."""
    outer, m, n, nrhs = shapes.lstsq(a.shape, b.shape)
    if m < n or n == 0 or nrhs == 0:
        return lstsq(x, a, b)
    _a, a_pointer, a_ld, a_stride = _in_place(x, a, outer, m, n) or _copied(x, a, outer, m, n)
    _b, b_pointer, b_ld, b_stride = _in_place(x, b, outer, m, nrhs) or _copied(x, b, outer, m, nrhs)
    solution, pointer, ld, stride = _new(x, a, outer, n, nrhs)
    info, batch = x.empty(a, outer, int32=True), shapes.count(outer)
    _run_with_workspace(x, a, "gels_iterative", (m, n, nrhs, a_ld, a_stride, b_ld, b_stride, ld, stride, batch),
                        m, n, nrhs, a_pointer, a_ld, a_stride, b_pointer, b_ld, b_stride, pointer, ld, stride,
                        0.0, 0, None, None, x.pointer(info), batch)
    return solution, info


def solve_triangular(x: Any, a: Any, b: Any, upper: bool, left: bool, unitriangular: bool, adjoint: bool) -> Any:
    """Returns op(a)^-1 b, or b op(a)^-1 if not `left`. op is the conjugate transpose if `adjoint`; `upper` is about `a`
    itself, not op(a)."""
    outer, m, n = shapes.solve_triangular(a.shape, b.shape, left)
    order = a.shape[-1]
    letter = x.letter(a)
    triangle, trans = _in_place(x, a, outer, order, order), lib.CONJ_TRANS if adjoint else lib.NO_TRANS
    if triangle is None and not (adjoint and letter in "cz"):
        # A row-major triangle is the transpose of a column-major one.
        triangle = _in_place(x, x.swap(a), outer, order, order)
        if triangle is not None:
            upper, trans = not upper, lib.NO_TRANS if adjoint else lib.TRANS
    if triangle is None:
        triangle = _copied(x, a, outer, order, order)
    solution, pointer, ld, stride = _copied(x, b, outer, m, n)
    _run(x, a, "trsm", lib.LEFT if left else lib.RIGHT, lib.UPPER if upper else lib.LOWER, trans,
         lib.UNIT if unitriangular else lib.NON_UNIT, m, n, lib.ONE[letter], triangle[1], triangle[2], triangle[3],
         pointer, ld, stride, shapes.count(outer))
    return solution
