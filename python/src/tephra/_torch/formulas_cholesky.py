"""Derivatives of Cholesky factorisation, solutions and inverses, with the conventions of formulas.py.

With `upper`, the factor is U = L^H. Only the factor's own triangle is used; its diagonal need not be real.
"""
from __future__ import annotations

from typing import Any

from torch import Tensor

from .formulas import _real_diagonal
from .operators import operators as _ops


def _lower(factor: Tensor, upper: bool) -> Tensor:
    return factor.mH if upper else factor


def _triangle(x: Tensor, upper: bool) -> Tensor:
    return x.triu() if upper else x.tril()


def _inverse_times(factor: Tensor, upper: bool, x: Tensor) -> Tensor:
    """Returns L^-1 x."""
    result: Tensor = _ops.solve_triangular(factor, x, upper, True, False, upper)
    return result


def _times_inverse(x: Tensor, factor: Tensor, upper: bool) -> Tensor:
    """Returns x L^-1."""
    result: Tensor = _ops.solve_triangular(factor, x, upper, False, False, upper)
    return result


# ---- a = L L^H: dL = L phi(L^-1 da L^-H), where phi takes the lower triangle with half the diagonal

def cholesky_backward(g: Tensor, factor: Tensor, upper: bool) -> Tensor:
    """The gradient of a; it is Hermitian."""
    both = _lower(factor, upper).mH @ _lower(g, upper)
    below = both.tril(-1)
    inner = 0.5 * (below + below.mH + _real_diagonal(both))
    half = _times_inverse(inner, factor, upper)
    return _times_inverse(half.mH, factor, upper).mH


def cholesky_jvp(da: Tensor, factor: Tensor, upper: bool) -> Tensor:
    """The tangent of the factor; da is Hermitian."""
    half = _inverse_times(factor, upper, da)
    inner = _inverse_times(factor, upper, half.mH).mH
    dl = _lower(factor, upper) @ (inner.tril(-1) + 0.5 * _real_diagonal(inner))
    return dl.mH if upper else dl


# ---- solutions and inverses

def _of_matrix(w: Tensor, factor: Tensor, upper: bool) -> Tensor:
    """The gradient of the factor, from the gradient w of a."""
    both, triangle = w + w.mH, _triangle(factor, upper)
    return _triangle(triangle @ both if upper else both @ triangle, upper)


def _change(dfactor: Tensor, factor: Tensor, upper: bool) -> Tensor:
    """The tangent da of a, from that of the factor."""
    half = _lower(_triangle(dfactor, upper), upper) @ _lower(_triangle(factor, upper), upper).mH
    return half + half.mH


def cholesky_solve_backward(g: Tensor, factor: Tensor, x: Tensor, upper: bool) -> tuple[Tensor, Tensor]:
    """The gradients of the factor and of b."""
    gb: Tensor = _ops.cholesky_solve(factor, g, upper)
    return _of_matrix(-gb @ x.mH, factor, upper), gb


def cholesky_solve_jvp(dfactor: Tensor, db: Tensor, factor: Tensor, x: Tensor, upper: bool) -> Tensor:
    """The tangent of x."""
    dx: Tensor = _ops.cholesky_solve(factor, db - _change(dfactor, factor, upper) @ x, upper)
    return dx


def cholesky_inverse_backward(g: Tensor, factor: Tensor, x: Tensor, upper: bool) -> Tensor:
    """The gradient of the factor."""
    return _of_matrix(-x @ g @ x, factor, upper)


def cholesky_inverse_jvp(dfactor: Tensor, factor: Tensor, x: Tensor, upper: bool) -> Tensor:
    """The tangent of the inverse."""
    return -x @ _change(dfactor, factor, upper) @ x
