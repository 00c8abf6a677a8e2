"""The package's front (tephra.qr() and the others) for JAX arrays in device memory, which only JAX can allocate.

Arguments and results are those of NumPy's front (`NumpyLikeFront` in _fronts.py): a one-dimensional b is a vector, and
singular matrices raise an error if the caller asks for that. Tracers are not supported, and there are no derivatives
beyond those of the primitives.
"""
from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy

from .. import _library as lib
from .. import _shapes as shapes
from . import _solve_gelsy, _transposition, _triangular, _uplo
from . import det, lstsq as _lstsq, lu as plu, pinv as _pinv, qr as _qr, slogdet  # det, plu and slogdet are re-exported
from . import primitives as p
from .rules import adjoint, zero_jpvt

Array = Any


def check(operands: dict[str, Any]) -> None:
    """TypeError unless all operands are of one element type that the library supports, and pivots are int32."""
    (first_name, first), *_ = operands.items()
    for name, a in operands.items():
        if a.dtype.name not in p.PRECISIONS or (a.dtype.name == "int32" and name != "pivots"):
            wanted = "int32" if name == "pivots" else "float32, float64, complex64 or complex128"
            raise TypeError(f"{name} is {a.dtype}, but must be {wanted}")
        if name == "pivots":
            if a.dtype.name != "int32":
                raise TypeError(f"pivots is {a.dtype}, but must be int32")
        elif a.dtype != first.dtype:
            raise TypeError(f"{name} is {a.dtype}, but {first_name} is {first.dtype}: both must have the same type")


def _spread(outer: shapes.Shape, x: Array, rank: int = 2) -> Array:
    return jnp.broadcast_to(x, (*outer, *x.shape[x.ndim - rank:]))


def _checked(why: str, info: Array, result: Array, is_error: bool | None) -> Array:
    """The result with NaN where info is not 0; if `is_error`, waits for the device and raises LinAlgError instead."""
    if not is_error:
        return jnp.where((info != 0)[..., None, None], jnp.nan, result)
    codes = numpy.asarray(info)
    if codes.any():
        index = tuple(int(i[0]) for i in numpy.nonzero(codes)) if codes.ndim else ()
        which = f"matrix {list(index)} of a" if index else "a"
        raise numpy.linalg.LinAlgError(f"{which} {why.format(codes[index])}")
    return result


_SINGULAR = "is singular: element {} of U's diagonal is 0"
_INDEFINITE = "is not positive definite: the leading minor of order {} is not"


# ---- QR

def qr(a: Array, mode: str) -> tuple[Array, Array]:
    shapes.qr(a.shape, mode)
    return (None, _qr(a, "r")) if mode == "r" else tuple(_qr(a, mode))


def geqrf(a: Array) -> tuple[Array, Array]:
    shapes.matrix("a", a.shape)
    return tuple(p.geqrf(a))


def householder_product(factors: Array, tau: Array) -> Array:
    outer, *_ = shapes.householder_product(factors.shape, tau.shape)
    return p.orgqr(_spread(outer, factors), _spread(outer, tau, 1))[0] if tau.shape[-1] else _identity(outer, factors)


def _identity(outer: shapes.Shape, like: Array) -> Array:
    m, n = like.shape[-2:]
    return _spread(outer, jnp.eye(m, n, dtype=like.dtype))


def ormqr(factors: Array, tau: Array, other: Array, left: bool, transpose: bool) -> Array:
    outer, *_ = shapes.ormqr(factors.shape, tau.shape, other.shape, left)
    factors, tau, other = _spread(outer, factors), _spread(outer, tau, 1), _spread(outer, other)
    if not tau.shape[-1]:
        return other
    return p.ormqr(factors, tau, other, side=lib.LEFT if left else lib.RIGHT,
                   trans=lib.CONJ_TRANS if transpose else lib.NO_TRANS)[0]


def lstsq(a: Array, b: Array, method: str) -> tuple[Array, Array]:
    if shapes.iterates(method):
        raise TypeError("method='iterative' is not available for JAX arrays in device memory: use arrays of PyTorch or CuPy")
    return tuple(_lstsq(a, b))


# ---- QR with column pivoting

def geqp3(a: Array) -> tuple[Array, Array, Array]:
    shapes.matrix("a", a.shape)
    return tuple(p.geqp3(a, zero_jpvt(a)))


def lstsq_gelsy(a: Array, b: Array, rcond: float) -> tuple[Array, Array]:
    vector = b.ndim == 1
    columns = b[:, None] if vector else b
    shapes.lstsq(a.shape, columns.shape)
    x, rank = _solve_gelsy(a, columns, rcond)
    return (x[..., 0] if vector else x), rank


def pinv(a: Array, rcond: float) -> Array:
    return _pinv(a, rcond)


# ---- LU

def lu_factor(a: Array, check_errors: bool) -> tuple[Array, Array, Array]:
    shapes.matrix("a", a.shape)
    factors, pivots, info = p.getrf(a)
    if check_errors:
        _checked(_SINGULAR, info, factors, True)
    return factors, pivots, info


def lu_solve(factors: Array, pivots: Array, b: Array, left: bool, adjointed: bool) -> Array:
    vector = b.ndim == 1
    shapes.no_vectors_on_the_left(vector, left)
    if not left:
        shapes.lu_solve(factors.shape, pivots.shape, b.shape, False)
        return adjoint(lu_solve(factors, pivots, adjoint(b), True, not adjointed))
    columns = b[:, None] if vector else b
    outer, *_ = shapes.lu_solve(factors.shape, pivots.shape, columns.shape)
    factors, pivots, columns = _spread(outer, factors), _spread(outer, pivots, 1), _spread(outer, columns)
    x = p.getrs(factors, factors, pivots, columns, trans=_transposition("C" if adjointed else "N"))[0]
    return x[..., 0] if vector else x


def solve(a: Array, b: Array, left: bool, check_errors: bool | None) -> tuple[Array, Array]:
    vector = b.ndim == 1
    shapes.no_vectors_on_the_left(vector, left)
    columns = b[:, None] if vector else b
    outer, *_ = shapes.solve(a.shape, columns.shape, left)
    if not left:
        x, info = solve(jnp.swapaxes(a, -1, -2), jnp.swapaxes(columns, -1, -2), True, check_errors)
        return jnp.swapaxes(x, -1, -2), info
    if a.shape[:-2] == outer:
        x, info = p.gesv(a, _spread(outer, columns))
    else:  # a matrix that is broadcast over several right-hand sides is factored once
        factors, pivots, info = p.getrf(a)
        x = lu_solve(factors, pivots, columns, True, False)
    x = _checked(_SINGULAR, info, x, check_errors)
    return (x[..., 0] if vector else x), info


def inv(a: Array, check_errors: bool | None) -> tuple[Array, Array]:
    shapes.square("a", a.shape)
    x, info = p.inv(a)
    return _checked(_SINGULAR, info, x, check_errors), info


# ---- Cholesky

def cholesky(a: Array, upper: bool, check_errors: bool | None) -> tuple[Array, Array]:
    shapes.square("a", a.shape)
    factor, info = p.potrf(a, uplo=_uplo(not upper))
    factor = jnp.triu(factor) if upper else jnp.tril(factor)
    return _checked(_INDEFINITE, info, factor, check_errors), info


def cholesky_solve(b: Array, factor: Array, upper: bool) -> Array:
    vector = b.ndim == 1
    columns = b[:, None] if vector else b
    outer, *_ = shapes.solve(factor.shape, columns.shape)
    factor = _spread(outer, factor)
    x = p.potrs(factor, factor, _spread(outer, columns), uplo=_uplo(not upper))[0]
    return x[..., 0] if vector else x


def cholesky_inverse(factor: Array, upper: bool) -> Array:
    shapes.square("a", factor.shape)
    inverse, info = p.potri(factor, uplo=_uplo(not upper))
    half, rest = (jnp.triu(inverse), jnp.triu(inverse, 1)) if upper else (jnp.tril(inverse), jnp.tril(inverse, -1))
    return _checked(_SINGULAR, info, half + adjoint(rest), False)


# ---- triangular systems, products

def solve_triangular(a: Array, b: Array, upper: bool, left: bool, unitriangular: bool) -> Array:
    return _triangular(a, b, left, not upper, lib.NO_TRANS, unitriangular)


def bmm(a: Array, b: Array) -> Array:
    outer, *_ = shapes.bmm(a.shape, b.shape, False, False)
    return p.gemm(_spread(outer, a), _spread(outer, b), transa=lib.NO_TRANS, transb=lib.NO_TRANS)[0]
