"""LU factorisations and what is made of them, as calls of the C interface; arguments and results as in _calls.py."""
from __future__ import annotations

from typing import Any

from . import _library as lib
from . import _shapes as shapes
from ._calls import Operand, _copied, _in_place, _new, _run_with_workspace, _vectors


def _factored(x: Any, a: Any) -> tuple[Operand, Any, Any]:
    """Factors, pivots and info. Of matrices without rows or columns info is not written."""
    outer, m, n = shapes.matrix("a", a.shape)
    factors = _copied(x, a, outer, m, n)
    _, pointer, ld, stride = factors
    k, batch = m if m < n else n, shapes.count(outer)
    pivots, info = x.empty(a, (*outer, k), int32=True), x.empty(a, outer, int32=True)
    k_stride = max(k, 1)
    _run_with_workspace(x, a, "getrf", (m, n, ld, stride, k_stride, batch),
                        m, n, pointer, ld, stride, x.pointer(pivots), k_stride, x.pointer(info), batch)
    return factors, pivots, info


def _substitute(x: Any, factors: Operand, pivots: Any, b: Any, outer: shapes.Shape, adjoint: bool) -> Any:
    lu, a_pointer, a_ld, a_stride = factors
    n, nrhs = b.shape[-2:]
    solution, pointer, ld, stride = _copied(x, b, outer, n, nrhs)
    _pivots, p_pointer, p_stride = _vectors(x, pivots, outer, n)
    trans, batch = lib.CONJ_TRANS if adjoint else lib.NO_TRANS, shapes.count(outer)
    _run_with_workspace(x, lu, "getrs", (trans, n, nrhs, a_ld, a_stride, p_stride, ld, stride, batch),
                        trans, n, nrhs, a_pointer, a_ld, a_stride, p_pointer, p_stride, pointer, ld, stride, batch)
    return solution


_SINGULAR = "is singular: element {} of U's diagonal is 0"


def _refused(x: Any, function: str, info: Any, order: int, result: Any, check: bool, why: str = _SINGULAR) -> None:
    """What comes of matrices with a code: an error if `check`, for which a device must have finished; else NaN."""
    if order == 0:
        return
    if not check:
        x.fill_with_nan(result, info)
        return
    codes = info.reshape(-1).tolist()
    if not any(codes):
        return
    position = next(i for i, code in enumerate(codes) if code)
    index: list[str] = []
    rest = position
    for size in reversed(info.shape):
        rest, i = divmod(rest, size)
        index.insert(0, str(i))
    which = f"matrix [{', '.join(index)}] of a" if index else "a"
    raise x.error()(f"{function}(): {which} {why.format(codes[position])}")


def lu_factor(x: Any, a: Any) -> tuple[Any, Any]:
    """L and U in one matrix, and pivots."""
    (factors, *_), pivots, _info = _factored(x, a)
    return factors, pivots


def lu_solve(x: Any, factors: Any, pivots: Any, b: Any, adjoint: bool) -> Any:
    """a^-1 b, or a^-H b if `adjoint`."""
    outer, n, _ = shapes.lu_solve(factors.shape, pivots.shape, b.shape)
    # Rows outside of the matrix would be exchanged, too. Looking at device memory would wait for it.
    if x.backend(factors) == lib.CPU and not x.within(pivots, 1, n):
        raise ValueError(f"pivots has elements outside of 1 ... {n}, the rows of LU counted from 1")
    operand = _in_place(x, factors, outer, n, n) or _copied(x, factors, outer, n, n)
    return _substitute(x, operand, pivots, b, outer, adjoint)


def solve(x: Any, a: Any, b: Any, check: bool) -> tuple[Any, Any, Any]:
    """Solution, factors and pivots; `b` holds matrices."""
    outer, n, nrhs = shapes.solve(a.shape, b.shape)
    if tuple(a.shape[:-2]) == outer:
        factors, a_pointer, a_ld, a_stride = _copied(x, a, outer, n, n)
        solution, pointer, ld, stride = _copied(x, b, outer, n, nrhs)
        pivots, info = x.empty(a, (*outer, n), int32=True), x.empty(a, outer, int32=True)
        p_stride, batch = max(n, 1), shapes.count(outer)
        _run_with_workspace(x, a, "gesv", (n, nrhs, a_ld, a_stride, p_stride, ld, stride, batch),
                            n, nrhs, a_pointer, a_ld, a_stride, x.pointer(pivots), p_stride, pointer, ld, stride,
                            x.pointer(info), batch)
    else:
        # A matrix that meets several right-hand sides is factored once.
        (factors, *_), pivots, info = _factored(x, a)
        solution = lu_solve(x, factors, pivots, b, False)
    _refused(x, "solve", info, n, solution, check)
    return solution, factors, pivots


def inv(x: Any, a: Any, check: bool) -> Any:
    """Inverses."""
    outer, n = shapes.square("a", a.shape)
    source = _in_place(x, a, outer, n, n)
    inverse = _new(x, a, outer, n, n) if source else _copied(x, a, outer, n, n)
    source = source or inverse
    _, a_pointer, a_ld, a_stride = source
    result, pointer, ld, stride = inverse
    info, batch = x.empty(a, outer, int32=True), shapes.count(outer)
    _run_with_workspace(x, a, "inv", (n, a_ld, a_stride, ld, stride, batch),
                        n, a_pointer, a_ld, a_stride, pointer, ld, stride, x.pointer(info), batch)
    _refused(x, "inv", info, n, result, check)
    return result


def _diagonal(factors: Any) -> Any:
    return factors.diagonal(0, -2, -1)


def _signed_diagonal(x: Any, factors: Any, pivots: Any) -> Any:
    """U's diagonal, negative where rows were exchanged: its product is the determinant."""
    diagonal = _diagonal(factors)
    return x.select(pivots == x.count_from_one(pivots), diagonal, -diagonal)


def det(x: Any, a: Any) -> tuple[Any, Any, Any]:
    """Determinants, factors and pivots."""
    shapes.square("a", a.shape)
    factors, pivots = lu_factor(x, a)
    return _signed_diagonal(x, factors, pivots).prod(-1), factors, pivots


def _signs_and_logs(x: Any, a: Any) -> tuple[Any, Any]:
    """Signs of numbers, which have the size 1, or 0 for 0, and logarithms of their sizes."""
    if x.letter(a) in "sd":
        return x.sign(a), x.log(abs(a))
    # Part by part: the size of a complex number may overflow, and a quotient of subnormal ones does.
    largest = x.maximum(abs(a.real), abs(a.imag))
    is_zero = largest == 0
    by = largest + is_zero
    re, im = a.real / by, a.imag / by
    size = x.hypot(re, im) + is_zero
    return re / size + 1j * (im / size), x.log(largest) + x.log(size)


def slogdet(x: Any, a: Any) -> tuple[Any, Any, Any, Any]:
    """Signs and logarithms of the absolute values of determinants, factors and pivots."""
    shapes.square("a", a.shape)
    factors, pivots = lu_factor(x, a)
    signs, logs = _signs_and_logs(x, _signed_diagonal(x, factors, pivots))
    return signs.prod(-1), logs.sum(-1), factors, pivots
