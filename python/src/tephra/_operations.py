"""The operations on arrays; each is one call of the C interface on the caller's current stream."""
import ctypes
from typing import Any, NamedTuple

from . import _library as lib
from ._arrays import adapter, as_matrices, copied, dtype_letter, new_matrices, new_vectors, vectors

__all__ = ["QR", "LeastSquares", "geqrf", "householder_product", "lstsq", "ormqr", "qr", "solve_triangular"]


class QR(NamedTuple):
    """Result of qr()."""
    Q: Any
    R: Any


class LeastSquares(NamedTuple):
    """Result of lstsq(). info: per matrix 0, or i when the i-th diagonal element of R is zero (no full rank)."""
    solution: Any
    info: Any


def _matrix(name, x):
    arrays, x = adapter(x)
    if x.ndim < 2:
        raise ValueError(f"{name} has {x.ndim} dimension(s); matrices are its last two")
    return arrays, x


def _same(arrays, like, name, x):
    """Another operand, of the first one's kind and type."""
    other, x = adapter(x)
    if type(other) is not type(arrays) or other.kind != arrays.kind:
        raise TypeError(f"{name} is not where the first operand is")
    if x.dtype != like.dtype:
        raise TypeError(f"{name} is {x.dtype}, the first operand {like.dtype}")
    return x


def _outer(name, x, outer, inner):
    if tuple(x.shape) != (*outer, *inner):
        raise ValueError(f"{name} has shape {tuple(x.shape)}, not {(*outer, *inner)}")


def _run(arrays, like, operation, *arguments):
    with lib.backend(arrays.kind), arrays.stream(like) as stream:
        lib.call(operation, dtype_letter(like), *arguments, stream)


def _run_with_workspace(arrays, like, operation, query, *arguments):
    with lib.backend(arrays.kind), arrays.stream(like) as stream:
        letter, need = dtype_letter(like), ctypes.c_size_t()
        lib.call(operation + "_workspace", letter, *query, ctypes.addressof(need))
        # Given back in stream order by the array's library.
        work = arrays.bytes(need.value) if need.value else None
        lib.call(operation, letter, *arguments, arrays.pointer(work) if need.value else None, need.value, stream)


def qr(a, mode="reduced"):
    """Q and R of each matrix in `a` (..., m, n): a = Q R, with LAPACK's signs.

    mode "reduced": Q (..., m, k), R (..., k, n), k = min(m, n); "complete": Q (..., m, m), R (..., m, n); "r": R only,
    Q is None. The results are column-major. LAPACK geqrf and orgqr in one call.
    """
    parts = {"reduced": lib.Q_THIN, "complete": lib.Q_FULL, "r": lib.Q_NONE}
    if mode not in parts:
        raise ValueError(f"mode {mode!r} (known: {', '.join(parts)})")
    arrays, a = _matrix("a", a)
    *outer, m, n = a.shape
    inner = m if mode == "complete" else min(m, n)
    r = new_matrices(arrays, a, outer, inner, n)
    source = as_matrices(arrays, a)
    if mode == "r":
        source = source or copied(arrays, a)
        q = None
    elif source is None and mode == "reduced" and m >= n:
        source = q = copied(arrays, a)  # the one copy is where Q will be
    else:
        source = source or copied(arrays, a)
        q = new_matrices(arrays, a, outer, m, inner)
    to = q or source
    query = (parts[mode], m, n, source.ld, source.stride, to.ld, to.stride, r.ld, r.stride, r.batch)
    _run_with_workspace(arrays, a, "qr", query, parts[mode], m, n, source.pointer, source.ld, source.stride, to.pointer, to.ld,
                        to.stride, r.pointer, r.ld, r.stride, r.batch)
    return QR(q and q.array, r.array)


def geqrf(a):
    """LAPACK geqrf of each matrix: (factors, tau), R on and above the diagonal, the reflectors below it."""
    arrays, a = _matrix("a", a)
    *outer, m, n = a.shape
    x, tau = copied(arrays, a), new_vectors(arrays, a, outer, min(m, n))
    query = (m, n, x.ld, x.stride, tau.stride, x.batch)
    _run_with_workspace(arrays, a, "geqrf", query, m, n, x.pointer, x.ld, x.stride, tau.pointer, tau.stride, x.batch)
    return x.array, tau.array


def householder_product(factors, tau):
    """LAPACK orgqr: the first n columns of Q (..., m, n) from what geqrf() returned, n <= m."""
    arrays, factors = _matrix("factors", factors)
    tau = _same(arrays, factors, "tau", tau)
    *outer, m, n = factors.shape
    k = tau.shape[-1]
    _outer("tau", tau, outer, (k,))
    q, t = copied(arrays, factors), vectors(arrays, tau)
    _run(arrays, factors, "orgqr", m, n, k, q.pointer, q.ld, q.stride, t.pointer, t.stride, q.batch)
    return q.array


def ormqr(factors, tau, other, left=True, transpose=False):
    """LAPACK ormqr: op(Q) other, or other op(Q) if not `left`; op is the (conjugate) transpose if `transpose`.

    Q is the whole square matrix of the reflectors in `factors` (..., order of Q, k), as geqrf() leaves them.
    """
    arrays, factors = _matrix("factors", factors)
    tau, other = _same(arrays, factors, "tau", tau), _same(arrays, factors, "other", other)
    *outer, order, _ = factors.shape
    k, (m, n) = tau.shape[-1], other.shape[-2:]
    _outer("tau", tau, outer, (k,))
    _outer("other", other, outer, (order, n) if left else (m, order))
    v, t, c = as_matrices(arrays, factors) or copied(arrays, factors), vectors(arrays, tau), copied(arrays, other)
    _run(arrays, factors, "ormqr", lib.LEFT if left else lib.RIGHT, lib.CONJ_TRANS if transpose else lib.NO_TRANS, m, n, k,
         v.pointer, v.ld, v.stride, t.pointer, t.stride, c.pointer, c.ld, c.stride, c.batch)
    return c.array


def lstsq(a, b):
    """Least squares (m >= n) or minimum-norm (m < n) solutions of a x = b for matrices of full rank; LAPACK gels.

    a (..., m, n), b (..., m, nrhs) or (..., m); the solution has n rows. Rank deficiency is told per matrix in `info`.
    """
    arrays, a = _matrix("a", a)
    b = _same(arrays, a, "b", b)
    *outer, m, n = a.shape
    vector = b.ndim == a.ndim - 1
    if vector:
        b = b[..., None]
    nrhs = b.shape[-1]
    _outer("b", b, outer, (m, nrhs))
    x, rhs = copied(arrays, a), new_matrices(arrays, a, outer, max(m, n), nrhs)
    arrays.copy(rhs.array[..., :m, :], b)
    info = new_vectors(arrays, a, outer, 1, arrays.int32())
    query = (lib.NO_TRANS, m, n, nrhs, x.ld, x.stride, rhs.ld, rhs.stride, x.batch)
    _run_with_workspace(arrays, a, "gels", query, lib.NO_TRANS, m, n, nrhs, x.pointer, x.ld, x.stride, rhs.pointer, rhs.ld,
                        rhs.stride, info.pointer, x.batch)
    solution = rhs.array[..., :n, :]
    return LeastSquares(solution[..., 0] if vector else solution, info.array[..., 0])


def solve_triangular(a, b, *, upper, left=True, unitriangular=False):
    """x with a x = b, or x a = b if not `left`, for triangles a; BLAS trsm. The other triangle is not read."""
    arrays, a = _matrix("a", a)
    b = _same(arrays, a, "b", b)
    *outer, order, columns = a.shape
    m, n = b.shape[-2:]
    if order != columns:
        raise ValueError(f"a has {order} x {columns} matrices; triangles are square")
    _outer("b", b, outer, (order, n) if left else (m, order))
    triangle, trans = as_matrices(arrays, a), lib.NO_TRANS
    if triangle is None:
        # A row-major triangle is the transpose of a column-major one.
        triangle = as_matrices(arrays, arrays.swap(a))
        if triangle is not None:
            upper, trans = not upper, lib.TRANS
        else:
            triangle = copied(arrays, a)
    x = copied(arrays, b)
    one = {"s": (ctypes.c_float * 1)(1), "d": (ctypes.c_double * 1)(1), "c": (ctypes.c_float * 2)(1, 0),
           "z": (ctypes.c_double * 2)(1, 0)}[dtype_letter(a)]
    _run(arrays, a, "trsm", lib.LEFT if left else lib.RIGHT, lib.UPPER if upper else lib.LOWER, trans,
         lib.UNIT if unitriangular else lib.NON_UNIT, m, n, ctypes.addressof(one), triangle.pointer, triangle.ld,
         triangle.stride, x.pointer, x.ld, x.stride, x.batch)
    return x.array
