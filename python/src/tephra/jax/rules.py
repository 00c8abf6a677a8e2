"""Derivatives of the primitives: JVP rules, composed of the primitives and matrix products, and transposes of the
linear primitives, from which JAX derives reverse mode. All of them can be differentiated again.

d... are tangents. Where a rule factors a matrix to solve systems with it, the factors are constants: getrs and potrs
also take the matrix itself as an operand, and it is this one that is differentiated.
"""
from __future__ import annotations

import functools
from typing import Any, Callable

import jax
import jax.numpy as jnp
import numpy
from jax import lax
from jax.interpreters import ad

from .. import _library as lib
from . import primitives as p

_NONE = {"trans": lib.NO_TRANS}


def times(a: Any, b: Any) -> Any:
    """A matrix product in the full precision of its type, which is not the default on GPUs."""
    return jnp.matmul(a, b, precision=lax.Precision.HIGHEST)


def adjoint(a: Any) -> Any:
    return jnp.conj(jnp.swapaxes(a, -1, -2))


def apply_op(trans: int, a: Any) -> Any:
    """Returns op(a)."""
    return a if trans == lib.NO_TRANS else jnp.swapaxes(a, -1, -2) if trans == lib.TRANS else adjoint(a)


def solve_upper(u: Any, b: Any, trans: int = lib.NO_TRANS) -> Any:
    """Returns op(u)^-1 b, from u's upper triangle."""
    return p.trsm(u, b, side=lib.LEFT, uplo=lib.UPPER, trans=trans, diag=lib.NON_UNIT)[0]


def solve_upper_right(b: Any, u: Any) -> Any:
    """Returns b u^-1, from u's upper triangle."""
    return p.trsm(u, b, side=lib.RIGHT, uplo=lib.UPPER, trans=lib.NO_TRANS, diag=lib.NON_UNIT)[0]


def solve_unit_lower(l: Any, b: Any) -> Any:
    return p.trsm(l, b, side=lib.LEFT, uplo=lib.LOWER, trans=lib.NO_TRANS, diag=lib.UNIT)[0]


def _real_diagonal(x: Any) -> Any:
    """The diagonal matrix of the diagonal's real parts."""
    return jnp.where(jnp.eye(x.shape[-1], dtype=bool), jnp.real(x), 0).astype(x.dtype)


def _zero_tangent(x: Any) -> Any:
    """The symbolic zero tangent of an integer result."""
    return ad.Zero(jax.typeof(x).to_tangent_aval())


def _register_jvp(routine: p.Routine, rule: Callable[..., Any]) -> None:
    """Registers a JVP rule. `rule(tangents, *operands, **options)` gets tangents without symbolic zeros, and returns
    the results and the tangents of the first of them; the remaining results are integers."""

    def jvp(primals: Any, tangents: Any, **options: int) -> Any:
        full = [t if x.dtype == jnp.int32 else ad.instantiate_zeros(t) for x, t in zip(primals, tangents)]
        out, dout = rule(full, *primals, **options)
        return out, [*dout, *map(_zero_tangent, out[len(dout):])]

    ad.primitive_jvps[routine.primitive] = jvp


def _register_transpose(routine: p.Routine, transposed: Callable[..., Any]) -> None:
    """Registers a transpose rule for a primitive that is linear in its last operand, whose cotangent is
    `transposed(cotangent of the result, *other operands, **options)`."""

    def transpose(cotangents: Any, *operands: Any, **options: int) -> Any:
        others, b = operands[:-1], operands[-1]
        if not ad.is_undefined_primal(b) or any(map(ad.is_undefined_primal, others)):
            raise NotImplementedError(f"{routine.primitive} is linear in its last operand only")
        ct = cotangents[0]
        return [*(None,) * len(others), ad.Zero(b.aval) if type(ct) is ad.Zero else transposed(ct, *others, **options)]

    ad.primitive_transposes[routine.primitive] = transpose


def _transposed_solve(solve: Callable[[Any, int], Any], trans: int, ct: Any) -> Any:
    """Returns (op(A)^-1)^T ct, where solve(b, trans) is op(A)^-1 b."""
    if trans == lib.CONJ_TRANS:
        return jnp.conj(solve(jnp.conj(ct), lib.NO_TRANS))
    return solve(ct, lib.TRANS if trans == lib.NO_TRANS else lib.NO_TRANS)


# ---- QR. R's diagonal is real, which fixes the phases of Q's columns.

def _qr_tangents(da: Any, q: Any, r: Any) -> tuple[Any, Any]:
    k, n = r.shape[-2:]
    square = r[..., :k]
    w = solve_upper_right(da[..., :k], square)
    projected = times(adjoint(q), w)
    # `projected` is the sum of dR R^-1, upper triangular with a real diagonal, and Q^H dQ, which is skew-Hermitian.
    t = jnp.triu(projected, 1) + _real_diagonal(projected) + adjoint(jnp.tril(projected, -1))
    dq, dr = w - times(q, t), times(t, square)
    if n > k:
        rest = times(adjoint(dq), times(q, r[..., k:])) + times(adjoint(q), da[..., k:])
        dr = jnp.concatenate((dr, rest), -1)
    return dq, dr


def _no_full_q(a: Any, part: int) -> None:
    m, n = a.shape[-2:]
    if part == lib.Q_FULL and m > n:
        raise NotImplementedError(f"qr has no derivative for mode 'complete' of {m} x {n} matrices: the columns of Q beyond "
                                  f"the {n}-th are not determined")


def _qr(tangents: Any, a: Any, part: int) -> Any:
    _no_full_q(a, part)
    q, r = p.qr(a, part=part)
    return (q, r), _qr_tangents(tangents[0], q, r)


def _r(tangents: Any, a: Any) -> Any:
    (_, r), (_, dr) = _qr(tangents, a, lib.Q_THIN)
    below = [(0, 0)] * (a.ndim - 2) + [(0, a.shape[-2] - r.shape[-2]), (0, 0)]
    return (jnp.pad(r, below),), (jnp.pad(dr, below),)


def _geqrf(tangents: Any, a: Any) -> Any:
    raise NotImplementedError("qr has no derivative for mode 'raw'")


# ---- LU

def permute_rows(pivots: Any, x: Any) -> Any:
    """Returns P^T x: the rows in the order that the pivots produce."""
    order, = p.permutation(pivots, m=x.shape[-2])
    return jnp.take_along_axis(x, order[..., None] - 1, -2)


def _getrf(tangents: Any, a: Any) -> Any:
    lu, pivots, info = p.getrf(a)
    da = permute_rows(pivots, tangents[0])
    k = pivots.shape[-1]
    square = lu[..., :k, :k]
    lower, upper = jnp.tril(square, -1) + jnp.eye(k, dtype=lu.dtype), jnp.triu(square)
    inner = solve_upper_right(solve_unit_lower(square, da[..., :k, :k]), square)
    dlower, dupper = times(lower, jnp.tril(inner, -1)), times(jnp.triu(inner), upper)
    d = dlower + dupper
    if lu.shape[-1] > k:
        d = jnp.concatenate((d, solve_unit_lower(square, da[..., k:] - times(dlower, lu[..., k:]))), -1)
    elif lu.shape[-2] > k:
        d = jnp.concatenate((d, solve_upper_right(da[..., k:, :] - times(lu[..., k:, :], dupper), square)), -2)
    return (lu, pivots, info), (d,)


def _getrs(tangents: Any, a: Any, lu: Any, pivots: Any, b: Any, trans: int) -> Any:
    da, _, _, db = tangents
    x, = p.getrs(a, lu, pivots, b, trans=trans)
    return (x,), p.getrs(a, lu, pivots, db - times(apply_op(trans, da), x), trans=trans)


def _getrs_transposed(ct: Any, a: Any, lu: Any, pivots: Any, trans: int) -> Any:
    return _transposed_solve(lambda b, trans: p.getrs(a, lu, pivots, b, trans=trans)[0], trans, ct)


def _gesv(tangents: Any, a: Any, b: Any) -> Any:
    lu, pivots, info = p.getrf(lax.stop_gradient(a))
    x, = p.getrs(a, lu, pivots, b, **_NONE)
    dx, = p.getrs(a, lu, pivots, tangents[1] - times(tangents[0], x), **_NONE)
    return (p.nan_where(info, x), info), (p.nan_where(info, dx, 0),)


def _gesv_transposed(ct: Any, a: Any) -> Any:
    return p.gesv(jnp.swapaxes(a, -1, -2), ct)[0]


def _inv(tangents: Any, a: Any) -> Any:
    x, info = p.inv(a)
    return (x, info), (-times(x, times(tangents[0], x)),)


# ---- Cholesky

def _potrf(tangents: Any, a: Any, uplo: int) -> Any:
    """dL = L phi(L^-1 da L^-H), where phi takes the lower triangle with half the diagonal, and da is Hermitian.
    Likewise for U = L^H."""
    factor, info = p.potrf(a, uplo=uplo)
    upper = uplo == lib.UPPER
    options = {"uplo": uplo, "trans": lib.CONJ_TRANS if upper else lib.NO_TRANS, "diag": lib.NON_UNIT}
    half, = p.trsm(factor, tangents[0], side=lib.LEFT, **options)
    options["trans"] = lib.NO_TRANS if upper else lib.CONJ_TRANS
    inner, = p.trsm(factor, half, side=lib.RIGHT, **options)
    if upper:
        return (factor, info), (times(jnp.triu(inner, 1) + 0.5 * _real_diagonal(inner), jnp.triu(factor)),)
    return (factor, info), (times(jnp.tril(factor), jnp.tril(inner, -1) + 0.5 * _real_diagonal(inner)),)


def _potrs(tangents: Any, a: Any, factor: Any, b: Any, uplo: int) -> Any:
    da, _, db = tangents
    x, = p.potrs(a, factor, b, uplo=uplo)
    return (x,), p.potrs(a, factor, db - times(da, x), uplo=uplo)


def _potrs_transposed(ct: Any, a: Any, factor: Any, uplo: int) -> Any:
    # The transpose of a Hermitian matrix is its conjugate.
    return jnp.conj(p.potrs(a, factor, jnp.conj(ct), uplo=uplo)[0])


# ---- triangular systems

def _trsm(tangents: Any, a: Any, b: Any, **options: int) -> Any:
    da, db = tangents
    offset = 1 if options["diag"] == lib.UNIT else 0
    da = apply_op(options["trans"], jnp.triu(da, offset) if options["uplo"] == lib.UPPER else jnp.tril(da, -offset))
    x, = p.trsm(a, b, **options)
    change = times(da, x) if options["side"] == lib.LEFT else times(x, da)
    return (x,), p.trsm(a, db - change, **options)


def _trsm_transposed(ct: Any, a: Any, trans: int, **options: int) -> Any:
    return _transposed_solve(lambda b, trans: p.trsm(a, b, trans=trans, **options)[0], trans, ct)


# ---- least squares (m >= n) and minimum norm (m < n), full rank, with A or A^H = Q R

def _gels(tangents: Any, a: Any, b: Any, trans: int) -> Any:
    """Tangents of the solution, which is the first n rows of what gels writes over b; the rows below get zeros."""
    da, db = tangents
    m, n = a.shape[-2:]
    full, info = p.gels(a, b, trans=trans)
    x, b, db = full[..., :n, :], b[..., :m, :], db[..., :m, :]
    change = db - times(da, x)
    q, r = p.qr(a if m >= n else adjoint(a), part=lib.Q_THIN)
    if m >= n:
        change = times(adjoint(q), change) + solve_upper(r, times(adjoint(da), b - times(a, x)), lib.CONJ_TRANS)
        dx = solve_upper(r, change)
    else:
        null_space_term = times(adjoint(da), solve_upper(r, times(adjoint(q), x)))
        inside = solve_upper(r, change, lib.CONJ_TRANS) - times(adjoint(q), null_space_term)
        dx = times(q, inside) + null_space_term
    below = [(0, 0)] * (full.ndim - 2) + [(0, full.shape[-2] - n), (0, 0)]
    return (full, info), (p.nan_where(info, jnp.pad(dx, below), 0),)


def _gels_transposed(ct: Any, a: Any, trans: int) -> Any:
    m, n = a.shape[-2:]
    b, _ = p.gels(adjoint(a), jnp.conj(_rows(ct[..., :n, :], ct.shape[-2])), trans=trans)
    return _rows(jnp.conj(b[..., :m, :]), ct.shape[-2])


# ---- QR with column pivoting; the permutation is constant

def zero_jpvt(a: Any) -> Any:
    """The zero jpvt for geqp3 and gelsy, which leaves all columns free to be permuted."""
    return jnp.zeros((*a.shape[:-2], a.shape[-1]), jnp.int32)


def _q(factors: Any, tau: Any, part: int) -> Any:
    m, k = factors.shape[-2], tau.shape[-1]
    columns = m if part == lib.Q_FULL else k
    if k == 0:
        return p.repeat(jnp.eye(m, columns, dtype=factors.dtype), factors, 2)
    width = [(0, 0)] * (factors.ndim - 1) + [(0, max(columns - factors.shape[-1], 0))]
    return p.orgqr(jnp.pad(factors, width)[..., :columns], tau)[0]


@functools.partial(jax.custom_jvp, nondiff_argnums=(1,))
def pivoted_qr(a: Any, part: int) -> tuple[Any, Any, Any]:
    """Q, R, and the order of the columns, counted from 0."""
    factors, tau, jpvt = p.geqp3(a, zero_jpvt(a))
    q = _q(factors, tau, part)
    return q, jnp.triu(factors[..., :q.shape[-1], :]), jpvt - 1


def _pivoted_qr(part: int, primals: Any, tangents: Any) -> Any:
    (a,), (da,) = primals, tangents
    _no_full_q(a, part)
    q, r, order = pivoted_qr(a, part)
    da = jnp.take_along_axis(da, order[..., None, :], -1)
    return (q, r, order), (*_qr_tangents(da, q, r), numpy.zeros(order.shape, jax.dtypes.float0))


pivoted_qr.defjvp(_pivoted_qr)


def _geqp3(tangents: Any, a: Any, jpvt: Any) -> Any:
    raise NotImplementedError("qr has no derivative for mode 'raw'")


# ---- minimum-norm least squares solutions A^+ B; the rank is constant

def min_norm_lstsq(a: Any, b: Any, rcond: int) -> tuple[Any, Any]:
    """Returns A^+ b and A's rank."""
    m, n = a.shape[-2:]
    x, rank = p.gelsy(a, zero_jpvt(a), jnp.pad(b, [(0, 0)] * (b.ndim - 2) + [(0, max(n - m, 0)), (0, 0)]), rcond=rcond)
    return x[..., :n, :], rank


def _rows(x: Any, count: int) -> Any:
    """Pads x with zeros to `count` rows."""
    return jnp.pad(x, [(0, 0)] * (x.ndim - 2) + [(0, count - x.shape[-2]), (0, 0)])


def _gelsy(tangents: Any, a: Any, jpvt: Any, b: Any, rcond: int) -> Any:
    """Tangents of the solution, as in _gels()."""
    da, _, db = tangents
    m, n = a.shape[-2:]
    full, rank = p.gelsy(a, jpvt, b, rcond=rcond)
    x, b, db = full[..., :n, :], b[..., :m, :], db[..., :m, :]
    # Besides A^+ dA x, the solution changes with the residual (`residual_term`) and with the choice of least norm
    # (`null_space_term`, whose component in A's row space is subtracted below).
    null_space_term = times(adjoint(da), min_norm_lstsq(adjoint(a), x, rcond)[0])
    residual_term = min_norm_lstsq(adjoint(a), times(adjoint(da), b - times(a, x)), rcond)[0]
    change = db - times(da, x) + residual_term - times(a, null_space_term)
    dx = min_norm_lstsq(a, change, rcond)[0] + null_space_term
    return (full, rank), (_rows(dx, full.shape[-2]),)


def _gelsy_transposed(ct: Any, a: Any, jpvt: Any, rcond: int) -> Any:
    b, _ = min_norm_lstsq(adjoint(a), jnp.conj(ct[..., :a.shape[-1], :]), rcond)
    return _rows(jnp.conj(b), ct.shape[-2])


_RULES: dict[p.Routine, Callable[..., Any]] = {
    p.geqrf: _geqrf, p.qr: _qr, p.r: _r, p.getrf: _getrf, p.getrs: _getrs, p.gesv: _gesv, p.inv: _inv, p.potrf: _potrf,
    p.potrs: _potrs, p.trsm: _trsm, p.gels: _gels, p.geqp3: _geqp3, p.gelsy: _gelsy}
_TRANSPOSES: dict[p.Routine, Callable[..., Any]] = {
    p.getrs: _getrs_transposed, p.gesv: _gesv_transposed, p.potrs: _potrs_transposed, p.trsm: _trsm_transposed,
    p.gels: _gels_transposed, p.gelsy: _gelsy_transposed}

for _routine, _rule in _RULES.items():
    _register_jvp(_routine, _rule)
for _routine, _rule in _TRANSPOSES.items():
    _register_transpose(_routine, _rule)
