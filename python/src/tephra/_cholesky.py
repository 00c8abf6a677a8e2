"""Cholesky factorisation, solutions and inverses as calls of the C interface; the conventions are those of
_calls.py."""
from __future__ import annotations

from typing import Any

from . import _library as lib
from . import _shapes as shapes
from ._calls import _copied, _in_place, _run_with_workspace
from ._lu import _handle_singular


def _uplo(upper: bool) -> int:
    return lib.UPPER if upper else lib.LOWER


def _of_triangle(x: Any, operation: str, a: Any, upper: bool) -> tuple[Any, Any, int]:
    """Applies potrf or potri to one triangle of `a`. Returns the result, whose other triangle is zero, info and the
    order."""
    outer, n = shapes.square("a", a.shape)
    result, pointer, ld, stride = _copied(x, a, outer, n, n)
    x.only_triangle(result, upper)
    info, batch = x.empty(a, outer, int32=True), shapes.count(outer)
    _run_with_workspace(x, a, operation, (_uplo(upper), n, ld, stride, batch),
                        _uplo(upper), n, pointer, ld, stride, x.pointer(info), batch)
    if n == 0:
        x.zero(info)
    return result, info, n


def cholesky(x: Any, a: Any, upper: bool, check: bool) -> tuple[Any, Any]:
    """Returns L, or U if `upper`, and info."""
    factor, info, n = _of_triangle(x, "potrf", a, upper)
    _handle_singular(x, info, n, factor, check, "is not positive definite: the leading minor of order {} is not")
    return factor, info


def cholesky_solve(x: Any, factor: Any, b: Any, upper: bool) -> Any:
    """Returns a^-1 b; `b` holds matrices."""
    outer, n, nrhs = shapes.solve(factor.shape, b.shape)
    source = _in_place(x, factor, outer, n, n) or _copied(x, factor, outer, n, n)
    _, a_pointer, a_ld, a_stride = source
    solution, pointer, ld, stride = _copied(x, b, outer, n, nrhs)
    batch = shapes.count(outer)
    _run_with_workspace(x, b, "potrs", (_uplo(upper), n, nrhs, a_ld, a_stride, ld, stride, batch),
                        _uplo(upper), n, nrhs, a_pointer, a_ld, a_stride, pointer, ld, stride, batch)
    return solution


def cholesky_solve_either(x: Any, factor: Any, b: Any, vector: bool, upper: bool) -> Any:
    """cholesky_solve() where `b` is one vector if `vector`."""
    if not vector:
        return cholesky_solve(x, factor, b, upper)
    return x.as_vectors(cholesky_solve(x, factor, x.as_columns(b), upper))


def cholesky_inverse(x: Any, factor: Any, upper: bool) -> Any:
    """Returns both triangles of a^-1, or NaN where the factor has a zero on its diagonal."""
    inverse, info, n = _of_triangle(x, "potri", factor, upper)
    x.mirror(inverse, upper)
    if n:
        x.fill_with_nan(inverse, info)
    return inverse
