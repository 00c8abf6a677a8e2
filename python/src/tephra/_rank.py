"""QR with column pivoting and the rank-revealing solvers, as calls of the C interface, with the conventions of
_calls.py."""
from __future__ import annotations

from typing import Any

from . import _shapes as shapes
from ._calls import _copied, _new, _run_with_workspace


def _zero_jpvt(x: Any, a: Any, outer: shapes.Shape, n: int) -> Any:
    """A zeroed jpvt, which leaves all columns free to be permuted."""
    jpvt = x.empty(a, (*outer, n), int32=True)
    x.zero(jpvt)
    return jpvt


def geqp3(x: Any, a: Any) -> tuple[Any, Any, Any]:
    """Returns the factors, tau and the permutation, counted from 1."""
    outer, m, n = shapes.matrix("a", a.shape)
    factors, pointer, ld, stride = _copied(x, a, outer, m, n)
    k, batch = min(m, n), shapes.count(outer)
    tau, k_stride, jpvt, n_stride = x.empty(a, (*outer, k)), max(k, 1), _zero_jpvt(x, a, outer, n), max(n, 1)
    _run_with_workspace(x, a, "geqp3", (m, n, ld, stride, n_stride, k_stride, batch),
                        m, n, pointer, ld, stride, x.pointer(jpvt), n_stride, x.pointer(tau), k_stride, None, batch)
    if k == 0:
        x.count(jpvt)  # the library does not write it for empty matrices
    return factors, tau, jpvt


def pinv(x: Any, a: Any, rcond: float) -> Any:
    """Returns the pseudoinverse: the solution for the identity as right-hand side."""
    _, m, _ = shapes.matrix("a", a.shape)
    rows = shapes.rows_that_count(m, rcond)
    identity = x.empty(a, (rows, m))
    x.zero(identity)
    identity.reshape(-1)[::m + 1] = 1
    return lstsq_gelsy(x, x.rows(a, rows), identity, rcond)[0]


def lstsq_gelsy(x: Any, a: Any, b: Any, rcond: float) -> tuple[Any, Any]:
    """Returns the solution and the rank; `b` holds matrices."""
    outer, m, n, nrhs = shapes.lstsq(a.shape, b.shape)
    rows = m if m > n else n
    _a, a_pointer, a_ld, a_stride = _copied(x, a, outer, m, n)
    rhs, pointer, ld, stride = _new(x, a, outer, rows, nrhs)
    x.copy(rhs if rows == m else x.rows(rhs, m), b)
    jpvt, rank = _zero_jpvt(x, a, outer, n), x.empty(a, outer, int32=True)
    n_stride, batch = max(n, 1), shapes.count(outer)
    _run_with_workspace(x, a, "gelsy", (m, n, nrhs, a_ld, a_stride, ld, stride, n_stride, batch),
                        m, n, nrhs, a_pointer, a_ld, a_stride, pointer, ld, stride, x.pointer(jpvt), n_stride, float(rcond),
                        x.pointer(rank), batch)
    return rhs if rows == n else _copied(x, x.rows(rhs, n), outer, n, nrhs)[0], rank
