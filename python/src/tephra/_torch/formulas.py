"""Derivatives of the operations, as formulas in Tephra's own operators and matrix products.

g<name> is the gradient of a real function with respect to <name>, and d<name> is a tangent. All formulas can be
differentiated again, broadcast over batches, and hold for real and complex matrices, with <X, Y> = Re trace(X^H Y). R's
diagonal is real, which fixes the phases of Q's columns.
"""
from __future__ import annotations

from typing import Any

import torch
from torch import Tensor
from torch.nn.functional import pad

from .operators import operators as _ops


def _right_solve(b: Tensor, r: Tensor, adjoint: bool = False) -> Tensor:
    """Returns b r^-1, or b r^-H if `adjoint`, for an upper triangle r."""
    x: Tensor = _ops.solve_triangular(r, b, True, False, False, adjoint)
    return x


def _diagonal(x: Tensor) -> Tensor:
    return x.diagonal(dim1=-2, dim2=-1)


def _real_diagonal(x: Tensor) -> Tensor:
    """The diagonal matrix of the diagonal's real parts."""
    return torch.diag_embed(_diagonal(x).real).to(x.dtype)


def _rows(x: Tensor, first: int, end: int | None = None) -> Tensor:
    """Rows first .. end - 1. Unlike x[...], this is always a view that vmap supports, even for all rows."""
    return x.narrow(-2, first, (x.shape[-2] if end is None else end) - first)


def _columns(x: Tensor, first: int, end: int | None = None) -> Tensor:
    """Columns first .. end - 1."""
    return x.narrow(-1, first, (x.shape[-1] if end is None else end) - first)


def _identity(like: Tensor, rows: int, columns: int) -> Tensor:
    return torch.eye(rows, columns, dtype=like.dtype, device=like.device)


# ---- A = Q R with Q (m x k), R (k x n), k = min(m, n)

def qr_backward(gq: Tensor, gr: Tensor, q: Tensor, r: Tensor) -> Tensor:
    """The gradient of A. It is infinite or NaN unless the first k columns of A are linearly independent."""
    k, n = r.shape[-2], r.shape[-1]
    rest = None
    if n > k:
        # The columns of A beyond the k-th are Q times those of R.
        r, r_rest = _columns(r, 0, k), _columns(r, k)
        gr, gr_rest = _columns(gr, 0, k), _columns(gr, k)
        rest = q @ gr_rest
        gq = gq + q @ (r_rest @ gr_rest.mH)
    both = r @ gr.mH - gq.mH @ q
    lower = both.tril(-1)
    ga = _right_solve(gq + q @ (lower + lower.mH + _real_diagonal(both)), r, adjoint=True)
    return ga if rest is None else torch.cat((ga, rest), -1)


def qr_jvp(da: Tensor, q: Tensor, r: Tensor) -> tuple[Tensor, Tensor]:
    """The tangents of Q and R."""
    k, n = r.shape[-2], r.shape[-1]
    square = _columns(r, 0, k)
    w = _right_solve(_columns(da, 0, k), square)
    projected = q.mH @ w
    # `projected` is the sum of dR R^-1, upper triangular with a real diagonal, and Q^H dQ, which is skew-Hermitian.
    t = projected.triu(1) + _real_diagonal(projected) + projected.tril(-1).mH
    dq, dr = w - q @ t, t @ square
    if n > k:
        dr = torch.cat((dr, dq.mH @ (q @ _columns(r, k)) + q.mH @ _columns(da, k)), -1)
    return dq, dr


# ---- A = (factors, tau): E - Q = V U is an LU factorisation, where E is the m x k identity and U's diagonal is tau

def _reconstruction(factors: Tensor, tau: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Returns Q, R, V and U."""
    k = tau.shape[-1]
    m = factors.shape[-2]
    q = _ops.householder_product(_columns(factors, 0, k), tau)
    v = _columns(factors, 0, k).tril(-1) + _identity(factors, m, k)
    u = _ops.solve_triangular(_rows(v, 0, k), _identity(factors, k, k) - _rows(q, 0, k), False, True, True, False).triu()
    if m == k:
        # The last reflector of a square matrix has nothing below its diagonal. Where it is the identity, its tau of 0
        # may be replaced by any number, which only multiplies zeros, to keep U regular.
        last = torch.arange(k, device=tau.device) == k - 1
        u = u + torch.diag_embed(((tau == 0) & last).to(u.dtype))
    return q, _rows(factors, 0, k).triu(), v, u


def geqrf_backward(gfactors: Tensor, gtau: Tensor, factors: Tensor, tau: Tensor) -> Tensor:
    """The gradient of A."""
    k = tau.shape[-1]
    q, r, v, u = _reconstruction(factors, tau)
    gv = _columns(gfactors, 0, k).tril(-1)
    top, below = _rows(v, 0, k), _rows(v, k)
    gtop, gbelow = _rows(gv, 0, k), _rows(gv, k)
    inner = (top.mH @ gtop).tril(-1) - (below.mH @ gbelow).triu() + torch.diag_embed(gtau * tau.conj())
    inner = _ops.solve_triangular(top, inner, False, True, True, True)
    gq = -_right_solve(torch.cat((inner, gbelow), -2), u, adjoint=True)
    return qr_backward(gq, _rows(gfactors, 0, k).triu(), q, r)


def geqrf_jvp(da: Tensor, factors: Tensor, tau: Tensor) -> tuple[Tensor, Tensor]:
    """The tangents of factors and tau."""
    m, n, k = factors.shape[-2], factors.shape[-1], tau.shape[-1]
    q, r, v, u = _reconstruction(factors, tau)
    dq, dr = qr_jvp(da, q, r)
    top = _rows(v, 0, k)
    inner = _ops.solve_triangular(top, -_right_solve(_rows(dq, 0, k), u), False, True, True, False)
    dtop, du = top @ inner.tril(-1), inner.triu() @ u
    dbelow = _right_solve(-_rows(dq, k) - _rows(v, k) @ du, u)
    dv = torch.cat((dtop, dbelow), -2).tril(-1)
    return pad(dv, (0, n - k)) + pad(dr, (0, 0, 0, m - k)), torch.where(tau == 0, 0, _diagonal(du))


# ---- reflectors: H(1) ... H(k) = I - V T V^H, T = (I + D S)^-1 D, D = diag(tau), S the strict upper triangle of V^H V

class Reflectors:
    """V, T and what their derivatives need. The factors and tau are arbitrary; they need not come from a
    factorisation."""

    def __init__(self, factors: Tensor, tau: Tensor) -> None:
        self.tau, self.k, self.columns = tau, tau.shape[-1], factors.shape[-1]
        self.v = _columns(factors, 0, self.k).tril(-1) + _identity(factors, factors.shape[-2], self.k)
        self.s = (self.v.mH @ self.v).triu(1)
        self.w = tau.unsqueeze(-1) * self.s  # I + D S without its unit diagonal
        self.t = self.solve(torch.diag_embed(tau))

    def solve(self, b: Tensor, adjoint: bool = False) -> Tensor:
        """Returns (I + D S)^-1 b, or (I + D S)^-H b if `adjoint`."""
        x: Tensor = _ops.solve_triangular(self.w, b, True, True, True, adjoint)
        return x

    def backward(self, gv: Tensor, gt: Tensor) -> tuple[Tensor, Tensor]:
        """The gradients of factors and tau from those of V and T."""
        y = self.solve(gt, adjoint=True)
        gw = -(y @ self.t.mH).triu(1)
        gtau = _diagonal(y) + (gw * self.s.conj()).sum(-1)
        gs = self.tau.conj().unsqueeze(-1) * gw
        gv = gv + self.v @ (gs + gs.mH)
        return pad(gv.tril(-1), (0, self.columns - self.k)), gtau

    def jvp(self, dfactors: Tensor, dtau: Tensor) -> tuple[Tensor, Tensor]:
        """The tangents of V and T."""
        dv = _columns(dfactors, 0, self.k).tril(-1)
        product = dv.mH @ self.v
        ds = (product + product.mH).triu(1)
        dw = dtau.unsqueeze(-1) * self.s + self.tau.unsqueeze(-1) * ds
        return dv, self.solve(torch.diag_embed(dtau) - dw @ self.t)


def householder_product_backward(g: Tensor, factors: Tensor, tau: Tensor) -> tuple[Tensor, Tensor]:
    """The gradients of factors and tau. The product is E - V T V1^H, where V1 is the first n rows of V."""
    h, n = Reflectors(factors, tau), factors.shape[-1]
    first, vt = _rows(h.v, 0, n), h.v @ h.t
    gfirst = pad(-(g.mH @ vt), (0, 0, 0, factors.shape[-2] - n))
    return h.backward(-(g @ first @ h.t.mH) + gfirst, -(h.v.mH @ g @ first))


def householder_product_jvp(dfactors: Tensor, dtau: Tensor, factors: Tensor, tau: Tensor) -> Tensor:
    """The tangent of the product."""
    h, n = Reflectors(factors, tau), factors.shape[-1]
    dv, dt = h.jvp(dfactors, dtau)
    return -((dv @ h.t + h.v @ dt) @ _rows(h.v, 0, n).mH + h.v @ h.t @ _rows(dv, 0, n).mH)


def ormqr_backward(g: Tensor, factors: Tensor, tau: Tensor, other: Tensor, left: bool,
                   transpose: bool) -> tuple[Tensor, Tensor, Tensor]:
    """The gradients of factors, tau and other."""
    gother = _ops.ormqr(factors, tau, g, left, not transpose)
    if not left:
        # (C op(Q))^H = op(Q)^H C^H
        g, other, transpose = g.mH, other.mH, not transpose
    h = Reflectors(factors, tau)
    t = h.t.mH if transpose else h.t
    z, y = h.v.mH @ other, h.v.mH @ g
    gv = -(g @ (z.mH @ t.mH) + other @ (y.mH @ t))
    gt = -(y @ z.mH)
    gfactors, gtau = h.backward(gv, gt.mH if transpose else gt)
    return gfactors, gtau, gother


def ormqr_jvp(dfactors: Tensor, dtau: Tensor, dother: Tensor, factors: Tensor, tau: Tensor, other: Tensor, left: bool,
              transpose: bool) -> Tensor:
    """The tangent of the product."""
    h = Reflectors(factors, tau)
    dv, dt = h.jvp(dfactors, dtau)
    t, dt = (h.t.mH, dt.mH) if transpose else (h.t, dt)
    through: Tensor = _ops.ormqr(factors, tau, dother, left, transpose)
    v = h.v
    if left:
        z = v.mH @ other
        return through - (dv @ (t @ z) + v @ (dt @ z + t @ (dv.mH @ other)))
    z = other @ v
    return through - ((other @ dv @ t + z @ dt) @ v.mH + z @ t @ dv.mH)


# ---- least squares (m >= n) and minimum norm (m < n), full rank, with A or A^H = Q R

def lstsq_backward(g: Tensor, a: Tensor, b: Tensor, x: Tensor) -> tuple[Tensor, Tensor]:
    """The gradients of a and b."""
    if a.shape[-2] >= a.shape[-1]:
        q, r = _ops.qr(a, "reduced")
        y = _ops.solve_triangular(r, g, True, True, False, True)
        gb = q @ y
        # The first term comes from the residual b - A x, the second from A^+ dA x.
        return (b - a @ x) @ _ops.solve_triangular(r, y, True, True, False, False).mH - gb @ x.mH, gb
    q, r = _ops.qr(a.mH, "reduced")
    inside = q.mH @ g
    gb = _ops.solve_triangular(r, inside, True, True, False, False)
    outside = g - q @ inside
    return _ops.solve_triangular(r, q.mH @ x, True, True, False, False) @ outside.mH - gb @ x.mH, gb


def lstsq_jvp(da: Tensor, db: Tensor, a: Tensor, b: Tensor, x: Tensor) -> Tensor:
    """The tangent of x."""
    change = db - da @ x
    if a.shape[-2] >= a.shape[-1]:
        q, r = _ops.qr(a, "reduced")
        change = q.mH @ change + _ops.solve_triangular(r, da.mH @ (b - a @ x), True, True, False, True)
        dx: Tensor = _ops.solve_triangular(r, change, True, True, False, False)
        return dx
    q, r = _ops.qr(a.mH, "reduced")
    null_space_term = da.mH @ _ops.solve_triangular(r, q.mH @ x, True, True, False, False)
    inside: Tensor = _ops.solve_triangular(r, change, True, True, False, True) - q.mH @ null_space_term
    return q @ inside + null_space_term


# ---- minimum-norm least squares solutions A^+ B; the rank is constant

def columns(a: Tensor, order: Tensor) -> Tensor:
    """Permutes the columns of each matrix by its own order."""
    return a.gather(-1, order.unsqueeze(-2).expand(a.shape))


def lstsq_gelsy_backward(g: Tensor, a: Tensor, b: Tensor, x: Tensor, rcond: float) -> tuple[Tensor, Tensor]:
    """The gradients of a and b."""
    gb = _ops.lstsq_gelsy(a.mH, g, rcond)[0]
    # `residual_term` comes from the residual b - A x, the next term from the choice of least norm, and the last from
    # A^+ dA x.
    residual_term = (b - a @ x) @ _ops.lstsq_gelsy(a, gb, rcond)[0].mH
    return residual_term + _ops.lstsq_gelsy(a.mH, x, rcond)[0] @ (g - a.mH @ gb).mH - gb @ x.mH, gb


def lstsq_gelsy_jvp(da: Tensor, db: Tensor, a: Tensor, b: Tensor, x: Tensor, rcond: float) -> Tensor:
    """The tangent of x."""
    null_space_term = da.mH @ _ops.lstsq_gelsy(a.mH, x, rcond)[0]
    residual_term = _ops.lstsq_gelsy(a.mH, da.mH @ (b - a @ x), rcond)[0]
    change: Tensor = _ops.lstsq_gelsy(a, db - da @ x + residual_term - a @ null_space_term, rcond)[0]
    return change + null_space_term


# ---- triangular systems

def _triangle(x: Tensor, upper: bool, unitriangular: bool) -> Tensor:
    offset = 1 if unitriangular else 0
    return x.triu(offset) if upper else x.tril(-offset)


def solve_triangular_backward(g: Tensor, a: Tensor, x: Tensor, upper: bool, left: bool, unitriangular: bool,
                              adjoint: bool) -> tuple[Tensor, Tensor]:
    """The gradients of a and b."""
    gb = _ops.solve_triangular(a, g, upper, left, unitriangular, not adjoint)
    ga = -(gb @ x.mH if left else x.mH @ gb)
    return _triangle(ga.mH if adjoint else ga, upper, unitriangular), gb


def solve_triangular_jvp(da: Tensor, db: Tensor, a: Tensor, x: Tensor, upper: bool, left: bool, unitriangular: bool,
                         adjoint: bool) -> Tensor:
    """The tangent of x."""
    da = _triangle(da, upper, unitriangular)
    da = da.mH if adjoint else da
    change = db - (da @ x if left else x @ da)
    dx: Tensor = _ops.solve_triangular(a, change, upper, left, unitriangular, adjoint)
    return dx
