"""Derivatives of linear systems, determinants, inverses and LU, with the conventions of formulas.py.

a = P L U. The packed factors hold U on and above the diagonal and L below it, without its unit diagonal; triangular
solves read either triangle in place. P needs no code of its own: lu_solve() with the identity as factors applies P^H or
P.
"""
from __future__ import annotations

from typing import Any, Callable

import torch
from torch import Tensor
from torch._C import _are_functorch_transforms_active as _transforms
from torch.autograd import forward_ad

from .formulas import _columns, _diagonal, _identity, _right_solve, _rows
from .operators import operators as _ops


# ---- linear systems

def solver(a: Tensor, lu: Tensor, pivots: Tensor) -> Callable[[Tensor, bool], Tensor]:
    """Returns a function of (b, adjoint) that computes a^-1 b, or a^-H b if `adjoint`.

    It reuses the factors, which are constants; derivatives of its result are those with respect to `a`.
    """
    wanted = _transforms() or forward_ad._current_level >= 0 or (torch.is_grad_enabled() and a.requires_grad)
    if wanted:
        return lambda b, adjoint: _ops.solve_factored(a, lu, pivots, b, adjoint)
    return lambda b, adjoint: _ops.lu_solve(lu, pivots, b, adjoint)


def solve_factored_backward(g: Tensor, a: Tensor, lu: Tensor, pivots: Tensor, x: Tensor,
                            adjoint: bool) -> tuple[Tensor, Tensor]:
    """The gradients of a and b, where x is a^-1 b, or a^-H b if `adjoint`."""
    gb = solver(a, lu, pivots)(g, not adjoint)
    return -(x @ gb.mH if adjoint else gb @ x.mH), gb


def solve_factored_jvp(da: Tensor, db: Tensor, a: Tensor, lu: Tensor, pivots: Tensor, x: Tensor,
                       adjoint: bool) -> Tensor:
    """The tangent of x."""
    return solver(a, lu, pivots)(db - (da.mH if adjoint else da) @ x, adjoint)


def solve_backward(g: Tensor, a: Tensor, x: Tensor, lu: Tensor, pivots: Tensor) -> tuple[Tensor, Tensor]:
    """The gradients of a and b."""
    gb = solver(a, lu, pivots)(g, True)
    return -gb @ x.mH, gb


def solve_jvp(da: Tensor, db: Tensor, a: Tensor, x: Tensor, lu: Tensor, pivots: Tensor) -> Tensor:
    """The tangent of x."""
    return solver(a, lu, pivots)(db - da @ x, False)


# ---- determinants: d det = det trace(a^-1 da)

def _trace_of_solution(a: Tensor, da: Tensor, lu: Tensor, pivots: Tensor) -> Tensor:
    return _diagonal(solver(a, lu, pivots)(da, False)).sum(-1)


def _scaled_inverse(scale: Tensor, a: Tensor, lu: Tensor, pivots: Tensor) -> Tensor:
    """Returns a^-H, scaled by one number per matrix."""
    scaled = scale.unsqueeze(-1).unsqueeze(-1) * _identity(a, a.shape[-1], a.shape[-1])
    return solver(a, lu, pivots)(scaled, True)


def slogdet_backward(gsign: Tensor, glog: Tensor, a: Tensor, sign: Tensor, lu: Tensor, pivots: Tensor) -> Tensor:
    """The gradient of a. The sign has a nonzero derivative for complex types only."""
    g = glog.to(a.dtype)
    if a.is_complex():
        g = g - 1j * (gsign.conj() * sign).imag
    return _scaled_inverse(g, a, lu, pivots)


def slogdet_jvp(da: Tensor, a: Tensor, sign: Tensor, lu: Tensor, pivots: Tensor) -> tuple[Tensor, Tensor]:
    """The tangents of sign and logabsdet."""
    trace = _trace_of_solution(a, da, lu, pivots)
    if a.is_complex():
        return sign * 1j * trace.imag, trace.real
    return torch.zeros_like(sign), trace


def _regular(a: Tensor, det: Tensor, lu: Tensor, pivots: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Returns a, its determinant and factors, with zeros on U's diagonal replaced by numbers of the size of a rounding
    error of the smallest other one.

    The derivative of det is a polynomial in a's elements, so that this hardly changes it, but then it can be computed
    as det(a) a^-H. Regular matrices are not changed.
    """
    diagonal, limits = _diagonal(lu), torch.finfo(a.dtype)
    size = torch.where(diagonal == 0, torch.inf, diagonal.abs()).amin(-1, keepdim=True)
    size = (torch.where(size == torch.inf, 1, size) * limits.eps).clamp(min=limits.tiny)
    change = torch.where(diagonal == 0, size, 0).to(a.dtype).detach()
    # P L (U + change) = a + P L change
    lower = lu.tril(-1) + _identity(lu, lu.shape[-1], lu.shape[-1])
    a = a + _interchanged(lower.detach() * change.unsqueeze(-2), pivots, False)
    lu = lu + torch.diag_embed(change)
    # The determinant of the changed matrix, with the sign of the row interchanges.
    odd = (pivots != torch.arange(1, lu.shape[-1] + 1, device=pivots.device, dtype=pivots.dtype)).sum(-1) % 2
    changed = _diagonal(lu).prod(-1) * (1 - 2 * odd)
    return a, torch.where((change != 0).any(-1), changed, det), lu


def det_backward(g: Tensor, a: Tensor, det: Tensor, lu: Tensor, pivots: Tensor) -> Tensor:
    """The gradient of a."""
    if a.shape[-1] == 0:
        return torch.zeros_like(a)
    a, det, lu = _regular(a, det, lu, pivots)
    return _scaled_inverse(g * det.conj(), a, lu, pivots)


def det_jvp(da: Tensor, a: Tensor, det: Tensor, lu: Tensor, pivots: Tensor) -> Tensor:
    """The tangent of det."""
    if a.shape[-1] == 0:
        return torch.zeros_like(det)
    a, det, lu = _regular(a, det, lu, pivots)
    return det * _trace_of_solution(a, da, lu, pivots)


# ---- inverses

def inv_backward(g: Tensor, x: Tensor) -> Tensor:
    """The gradient of a."""
    adjoint = x.mH
    return -adjoint @ g @ adjoint


def inv_jvp(da: Tensor, x: Tensor) -> Tensor:
    """The tangent of x."""
    return -x @ da @ x


# ---- a = P L U, m x n, k = min(m, n): L1 is the triangle in the first k rows of L, U1 that in the first k columns of U

def _interchanged(x: Tensor, pivots: Tensor, back: bool) -> Tensor:
    """Returns P x, or P^H x if `back`."""
    m, k = x.shape[-2], pivots.shape[-1]
    if m > k:
        rest = torch.arange(k + 1, m + 1, device=pivots.device, dtype=pivots.dtype)
        pivots = torch.cat((pivots, rest.expand(*pivots.shape[:-1], m - k)), -1)
    result: Tensor = _ops.lu_solve(_identity(x, m, m), pivots, x, not back)
    return result


def _lower_solve(lu: Tensor, b: Tensor, adjoint: bool = False) -> Tensor:
    """Returns L1^-1 b, or L1^-H b if `adjoint`."""
    x: Tensor = _ops.solve_triangular(lu, b, False, True, True, adjoint)
    return x


def _upper_solve(lu: Tensor, b: Tensor, adjoint: bool = False) -> Tensor:
    """Returns U1^-1 b, or U1^-H b if `adjoint`."""
    x: Tensor = _ops.solve_triangular(lu, b, True, True, False, adjoint)
    return x


def _split(lu: Tensor, k: int) -> tuple[Tensor, Tensor, Tensor]:
    """Returns the k x k matrix that packs L1 and U1, then L1 and U1."""
    square = _columns(_rows(lu, 0, k), 0, k)
    return square, square.tril(-1) + _identity(lu, k, k), square.triu()


def lu_factor_backward(g: Tensor, lu: Tensor, pivots: Tensor) -> Tensor:
    """The gradient of a. It is infinite or NaN unless the first k columns of a are linearly independent."""
    m, n, k = lu.shape[-2], lu.shape[-1], pivots.shape[-1]
    square, lower, upper = _split(lu, k)
    g_square = _columns(_rows(g, 0, k), 0, k)
    left, right = lower.mH @ g_square.tril(-1), g_square.triu() @ upper.mH
    below = beside = None
    if m > k:
        # L2 = a2 U1^-1
        below = _right_solve(_rows(g, k), square, adjoint=True)
        right = right - _rows(lu, k).mH @ _rows(g, k)
    if n > k:
        # U2 = L1^-1 a2
        beside = _lower_solve(square, _columns(g, k), adjoint=True)
        left = left - _columns(g, k) @ _columns(lu, k).mH
    inner = _lower_solve(square, left.tril(-1) + right.triu(), adjoint=True)
    ga = _right_solve(inner, square, adjoint=True)
    if below is not None:
        ga = torch.cat((ga, below), -2)
    if beside is not None:
        ga = torch.cat((ga, beside), -1)
    return _interchanged(ga, pivots, False)


def lu_factor_jvp(da: Tensor, lu: Tensor, pivots: Tensor) -> Tensor:
    """The tangent of the factors."""
    m, n, k = lu.shape[-2], lu.shape[-1], pivots.shape[-1]
    da = _interchanged(da, pivots, True)
    square, lower, upper = _split(lu, k)
    inner = _right_solve(_lower_solve(square, _columns(_rows(da, 0, k), 0, k)), square)
    dlower, dupper = lower @ inner.tril(-1), inner.triu() @ upper
    d = dlower + dupper
    if m > k:
        d = torch.cat((d, _right_solve(_rows(da, k) - _rows(lu, k) @ dupper, square)), -2)
    if n > k:
        d = torch.cat((d, _lower_solve(square, _columns(da, k) - dlower @ _columns(lu, k))), -1)
    return d


# ---- x = op(P L U)^-1 b, for any L and U

def lu_solve_backward(g: Tensor, lu: Tensor, pivots: Tensor, x: Tensor, adjoint: bool) -> tuple[Tensor, Tensor]:
    """The gradients of the factors and of b."""
    gb: Tensor = _ops.lu_solve(lu, pivots, g, not adjoint)
    # The gradient of L U is -v second^H, where v is P^H gb and second is x, or P^H x and gb if `adjoint`. w is L^H v.
    first, second = (x, gb) if adjoint else (gb, x)
    v = _interchanged(first, pivots, True)
    w = v + lu.tril(-1).mH @ v
    return -((v @ (lu.triu() @ second).mH).tril(-1) + (w @ second.mH).triu()), gb


def lu_solve_jvp(dlu: Tensor, db: Tensor, lu: Tensor, pivots: Tensor, x: Tensor, adjoint: bool) -> Tensor:
    """The tangent of x."""
    lower = lu.tril(-1) + _identity(lu, lu.shape[-1], lu.shape[-1])
    change = dlu.tril(-1) @ lu.triu() + lower @ dlu.triu()
    if adjoint:
        dx: Tensor = _ops.lu_solve(lu, pivots, db - change.mH @ _interchanged(x, pivots, True), True)
        return dx
    through: Tensor = _ops.lu_solve(lu, pivots, db, False)
    return through - _upper_solve(lu, _lower_solve(lu, change @ x))
