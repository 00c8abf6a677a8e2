"""The operations as JAX functions that work under jit, grad, jvp, vmap and shard_map, on GPUs and CPUs.

    import tephra.jax as tj
    x = jax.jit(tj.solve)(a, b)

The signatures, and the types and shapes of the results, are those of jax.numpy.linalg (`qr`, `solve`, `inv`, `det`,
`slogdet`, `cholesky`), jax.scipy.linalg (`lu`, `lu_factor`, `lu_solve`, `cho_factor`, `cho_solve`, `solve_triangular`)
and jax.lax.linalg (`triangular_solve`). Two things differ: batch dimensions broadcast everywhere, and ranks (`lstsq`,
`matrix_rank`, `pinv`) come from QR with column pivoting, not from singular values. `lstsq` requires full rank unless
its driver is "gelsy". Arrays are of float32, float64, complex64 or complex128, and integers are converted as in JAX;
the last two dimensions hold the matrices. The calls run where the program runs, in order with its other operations.
They do not block, and allocate nothing but stream-ordered scratch memory, for tall matrices whose rows are divided.

Results for singular matrices are not finite, as in JAX; for `solve`, `inv`, `cholesky` and `lstsq` they are all NaN.
Members of a batch do not affect each other. All functions have forward- and reverse-mode derivatives of any order,
except `qr` in the modes documented there.
"""
from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any, Callable

import jax
import jax.numpy as jnp
from jax import lax

from .. import _library as lib
from .. import _shapes as shapes
from .._operations import QR, LeastSquares, LeastSquaresOfAnyRank, SLogDet
from . import primitives as p
from .rules import adjoint, min_norm_lstsq, pivoted_qr, times, zero_jpvt

__all__ = ["cho_factor", "cho_solve", "cholesky", "det", "inv", "lstsq", "lu", "lu_factor", "lu_solve", "matrix_rank", "pinv",
           "qr", "slogdet", "solve", "solve_triangular", "triangular_solve"]

Array = Any

_TRANSPOSITIONS = {0: lib.NO_TRANS, "N": lib.NO_TRANS, 1: lib.TRANS, "T": lib.TRANS, 2: lib.CONJ_TRANS, "C": lib.CONJ_TRANS}


def _jitted(*options: str) -> Callable[[Any], Any]:
    """jax.jit with `options` as the static arguments, so that a function is also compiled when called outside of
    jit."""

    return functools.partial(jax.jit, static_argnames=options)


def _operands(**named: Any) -> list[Any]:
    """Converts the operands to arrays of one element type that the library supports, by JAX's promotion rules."""
    arrays = [jnp.asarray(x) for x in named.values()]
    dtype = jnp.result_type(*arrays)
    if not jnp.issubdtype(dtype, jnp.inexact):
        dtype = jnp.dtype("float64" if dtype.itemsize == 8 else "float32")
    if dtype.name not in p.PRECISIONS:
        raise TypeError(f"{' and '.join(named)}: {dtype} is not supported; use float32, float64, complex64 or complex128")
    return [x.astype(dtype) for x in arrays]


def _transposition(trans: Any) -> int:
    if trans not in _TRANSPOSITIONS:
        raise ValueError(f"trans is {trans!r}, but must be 0 or 'N', 1 or 'T', 2 or 'C'")
    return _TRANSPOSITIONS[trans]


def _uplo(lower: bool) -> int:
    return lib.LOWER if lower else lib.UPPER


def _over_batches(call: Callable[..., Any], matrices: Sequence[Any], b: Array) -> Any:
    """Calls `call(*matrices, b)` with the batch dimensions of `b` and the matrices broadcast; all matrices have the
    same ones.

    Where one matrix is broadcast over several right-hand sides, vmap over a dimension that only b has turns these into
    additional columns (primitives.py), so that the matrix is not repeated.
    """
    batch = matrices[0].shape[:-2]
    outer = jnp.broadcast_shapes(batch, b.shape[:-2])
    own = (1,) * (len(outer) - len(batch)) + batch
    *matrices, b = p.divide_alike((*matrices, b), [*(x.ndim - len(batch) for x in matrices), 2])
    b = p.spread(b, outer, matrices[0])
    shared = [size == 1 and full != 1 for size, full in zip(own, outer)]
    kept = [size for size, is_shared in zip(own, shared) if not is_shared]
    matrices = [a.reshape(*kept, *a.shape[len(batch):]) for a in matrices]
    for is_shared in reversed(shared) if any(shared) else ():
        call = jax.vmap(call, in_axes=(*(None if is_shared else 0,) * len(matrices), 0))
    return call(*matrices, b)


def _is_vector(a: Array, b: Array) -> bool:
    """Whether `b` is one vector per matrix of `a`, or a single one, by the rule of jax.scipy.linalg."""
    return bool(b.ndim == 1 or (1 < b.ndim == a.ndim - 1 and b.shape[-1] == a.shape[-1]))


def _with_columns(solve: Callable[[Array], Any], b: Array, vector: bool) -> Any:
    """Calls `solve` with `b` as columns: if `vector`, adds a dimension to `b` and removes it from the solution."""
    return solve(b[..., None])[..., 0] if vector else solve(b)


# ---- QR

@_jitted("mode", "pivoting")
def qr(a: Array, mode: str = "reduced", *, pivoting: bool = False) -> Any:
    """QR factorisation A = Q R of m x n matrices, as jax.numpy.linalg.qr, with LAPACK's signs.

    Mode "reduced" returns (Q, R) of m x k and k x n, k = min(m, n); "complete" returns m x m and m x n matrices; "r"
    returns R alone; "raw" returns LAPACK's factors, transposed, and tau.

    With `pivoting`, as in jax.scipy.linalg.qr, A[:, P] = Q R, and the absolute values on R's diagonal do not increase.
    P, counted from 0, is an additional result: (Q, R, P), (R, P) or (factors, tau, P). Derivatives treat P as constant.

    "reduced", "r" and, unless m > n, "complete" are differentiable; the first k columns must be linearly independent.
    LAPACK: geqrf, geqp3, orgqr.
    """
    a, = _operands(a=a)
    if pivoting:
        return _qr_with_pivoting(a, mode)
    _, m, n, inner = shapes.qr(a.shape, mode, "raw", "full")
    if mode == "raw":
        factors, tau = p.geqrf(a)
        return jnp.swapaxes(factors, -1, -2), tau
    if mode == "r":
        return jnp.triu(p.r(a)[0][..., :inner, :])
    return QR(*p.qr(a, part=lib.Q_FULL if mode == "complete" and m > n else lib.Q_THIN))


def _qr_with_pivoting(a: Array, mode: str) -> Any:
    shapes.qr(a.shape, mode, "raw")
    if mode == "raw":
        factors, tau, jpvt = p.geqp3(a, zero_jpvt(a))
        return jnp.swapaxes(factors, -1, -2), tau, jpvt - 1
    q, r, order = pivoted_qr(a, lib.Q_FULL if mode == "complete" else lib.Q_THIN)
    return (r, order) if mode == "r" else (q, r, order)


# ---- LU

@_jitted("overwrite_a", "check_finite")
def lu_factor(a: Array, overwrite_a: bool = False, check_finite: bool = True) -> tuple[Array, Array]:
    """LU factorisation, as jax.scipy.linalg.lu_factor. Returns L, whose unit diagonal is not stored, and U in one
    matrix, and the pivots: row j was exchanged with row pivots[j], counted from 0. LAPACK: getrf."""
    a, = _operands(a=a)
    shapes.matrix("a", a.shape)
    factors, pivots, _ = p.getrf(a)
    return factors, pivots - 1


@_jitted("permute_l", "overwrite_a", "check_finite")
def lu(a: Array, permute_l: bool = False, overwrite_a: bool = False, check_finite: bool = True) -> Any:
    """LU factorisation A = P L U, as jax.scipy.linalg.lu. Returns (P, L, U), or (P L, U) if `permute_l`. For m x n
    matrices and k = min(m, n), P is m x m, L is m x k and U is k x n. LAPACK: getrf."""
    a, = _operands(a=a)
    _, m, n = shapes.matrix("a", a.shape)
    k = min(m, n)
    factors, pivots, _ = p.getrf(a)
    lower = jnp.tril(factors[..., :k], -1) + jnp.eye(m, k, dtype=a.dtype)
    upper = jnp.triu(factors[..., :k, :])
    order, = p.permutation(pivots, m=m)
    # The one in column j of P is in row order[j], counted from 1.
    permutation = (jnp.arange(1, m + 1, dtype=order.dtype)[:, None] == order[..., None, :]).astype(jnp.finfo(a.dtype).dtype)
    return (times(permutation.astype(a.dtype), lower), upper) if permute_l else (permutation, lower, upper)


@_jitted("trans", "overwrite_b", "check_finite")
def lu_solve(lu_and_piv: tuple[Array, Array], b: Array, trans: Any = 0, overwrite_b: bool = False,
             check_finite: bool = True) -> Array:
    """Solves A x = b from the result of lu_factor(), as jax.scipy.linalg.lu_solve; A^T x = b for trans 1 and A^H x = b
    for trans 2. LAPACK: getrs.

    A b of one dimension, or (..., n) with one dimension less than A, is a vector. Pivots are not checked to be within
    the matrix.
    """
    factors, pivots = lu_and_piv
    factors, b = _operands(lu=factors, b=b)
    vector = _is_vector(factors, b)
    side = b.shape if not vector else (*b.shape, 1)
    shapes.lu_solve(factors.shape, jnp.shape(pivots), side)
    trans = _transposition(trans)
    batch, n = jnp.broadcast_shapes(factors.shape[:-2], jnp.shape(pivots)[:-1]), factors.shape[-1]
    factors, pivots = p.divide_alike((factors, jnp.asarray(pivots, dtype=jnp.int32) + 1), (2, 1))
    factors = jnp.broadcast_to(factors, (*batch, n, n))
    pivots = jnp.broadcast_to(pivots, (*batch, n))
    # The factored matrix, for the derivatives. XLA eliminates this computation if no derivative is taken.
    product = times(jnp.tril(factors, -1) + jnp.eye(n, dtype=factors.dtype), jnp.triu(factors))
    a = _restore_rows(pivots, product)

    def solve(b: Array) -> Array:
        def call(a: Array, factors: Array, pivots: Array, b: Array) -> Array:
            return p.getrs(a, factors, pivots, b, trans=trans)[0]
        return _over_batches(call, (a, lax.stop_gradient(factors), pivots), b)

    return _with_columns(solve, b, vector)


def _restore_rows(pivots: Array, x: Array) -> Array:
    """Returns P x."""
    order, = p.permutation(pivots, m=x.shape[-2])
    return jnp.take_along_axis(x, jnp.argsort(order, -1)[..., None], -2)


@_jitted()
def solve(a: Array, b: Array) -> Array:
    """Solves A x = b, as jax.numpy.linalg.solve. A b of one dimension is a vector; otherwise b holds matrices. LAPACK:
    gesv."""
    a, b = _operands(a=a, b=b)
    vector = b.ndim == 1
    shapes.solve(a.shape, (*b.shape, 1) if vector else b.shape)

    def call(a: Array, b: Array) -> Array:
        return p.gesv(a, b)[0]

    return _with_columns(lambda b: _over_batches(call, (a,), b), b, vector)


@_jitted()
def inv(a: Array) -> Array:
    """The inverse, as jax.numpy.linalg.inv. LAPACK: getrf, getri."""
    a, = _operands(a=a)
    shapes.square("a", a.shape)
    return p.inv(a)[0]


def _signed_diagonal(factors: Array, pivots: Array) -> Array:
    """U's diagonal, negated where rows were exchanged, so that its product is the determinant."""
    diagonal = jnp.diagonal(factors, axis1=-2, axis2=-1)
    return jnp.where(pivots == jnp.arange(1, pivots.shape[-1] + 1, dtype=pivots.dtype), diagonal, -diagonal)


@_jitted("method")
def slogdet(a: Array, *, method: str | None = None) -> SLogDet[Any]:
    """The determinant's sign and the logarithm of its absolute value, as jax.numpy.linalg.slogdet, of whose methods
    this has "lu", the default. LAPACK: getrf."""
    if method not in (None, "lu"):
        raise ValueError(f"method is {method!r}, but must be 'lu' or None")
    a, = _operands(a=a)
    shapes.square("a", a.shape)
    return SLogDet(*_slogdet(a))


@jax.custom_jvp
def _slogdet(a: Array) -> tuple[Array, Array]:
    factors, pivots, _ = p.getrf(a)
    diagonal = _signed_diagonal(factors, pivots)
    return jnp.prod(jnp.sign(diagonal), -1), jnp.sum(jnp.log(jnp.abs(diagonal)), -1)


@_slogdet.defjvp
def _slogdet_jvp(primals: Any, tangents: Any) -> Any:
    (a,), (da,) = primals, tangents
    sign, log = _slogdet(a)
    trace = _trace_of_solution(a, da)
    if not jnp.iscomplexobj(a):
        return (sign, log), (jnp.zeros_like(sign), trace)
    return (sign, log), (sign * lax.complex(jnp.zeros_like(log), jnp.imag(trace)), jnp.real(trace))


def _trace_of_solution(a: Array, da: Array) -> Array:
    """Returns trace(a^-1 da)."""
    factors, pivots, _ = p.getrf(lax.stop_gradient(a))
    return jnp.trace(p.getrs(a, factors, pivots, da, trans=lib.NO_TRANS)[0], axis1=-2, axis2=-1)


@_jitted()
def det(a: Array) -> Array:
    """The determinant, as jax.numpy.linalg.det. Differentiable where the matrix is not singular. LAPACK: getrf."""
    a, = _operands(a=a)
    shapes.square("a", a.shape)
    return _det(a)


def _product(x: Array) -> Array:
    """The products over the last dimension, which leave the type's range only if the results do: of numbers near 1, with
    the powers of 2 apart."""
    exponent: Any = 0
    while True:
        size = jnp.maximum(abs(jnp.real(x)), abs(jnp.imag(x)))
        powers = jnp.frexp(size)[1]
        x = _times_power_of_2(x, -powers)
        exponent = exponent + powers.sum(-1, dtype=jnp.int32)
        if x.shape[-1] <= 1:
            return _times_power_of_2(jnp.prod(x, -1), exponent)
        # So few that even their product is in the range of float32, and a power of 2 is never lost.
        groups = -(-x.shape[-1] // 32)
        x = jnp.pad(x, [(0, 0)] * (x.ndim - 1) + [(0, 32 * groups - x.shape[-1])], constant_values=1)
        x = jnp.prod(x.reshape(*x.shape[:-1], groups, 32), -1)


def _times_power_of_2(x: Array, power: Array) -> Array:
    if jnp.iscomplexobj(x):
        return lax.complex(jnp.ldexp(jnp.real(x), power), jnp.ldexp(jnp.imag(x), power))
    return jnp.ldexp(x, power)


@jax.custom_jvp
def _det(a: Array) -> Array:
    factors, pivots, _ = p.getrf(a)
    return _product(_signed_diagonal(factors, pivots))


@_det.defjvp
def _det_jvp(primals: Any, tangents: Any) -> Any:
    (a,), (da,) = primals, tangents
    d = _det(a)
    return d, d * _trace_of_solution(a, da)


# ---- Cholesky

@_jitted("upper", "symmetrize_input")
def cholesky(a: Array, *, upper: bool = False, symmetrize_input: bool = True) -> Array:
    """The Cholesky factor, as jax.numpy.linalg.cholesky: L with A = L L^H, or U with A = U^H U if `upper`. The other
    triangle of the result is zero. Without `symmetrize_input`, only the factor's triangle of A is read. LAPACK:
    potrf."""
    a, = _operands(a=a)
    shapes.square("a", a.shape)
    if symmetrize_input:
        a = (a + adjoint(a)) / 2
    factor, info = p.potrf(a, uplo=_uplo(not upper))
    return p.nan_where(info, jnp.triu(factor) if upper else jnp.tril(factor))


def cho_factor(a: Array, lower: bool = False, overwrite_a: bool = False, check_finite: bool = True) -> tuple[Array, bool]:
    """The Cholesky factor for cho_solve(), and `lower`, as jax.scipy.linalg.cho_factor."""
    return cholesky(a, upper=not lower, symmetrize_input=False), lower


def cho_solve(c_and_lower: tuple[Array, bool], b: Array, overwrite_b: bool = False, check_finite: bool = True) -> Array:
    """Solves A x = b from A's Cholesky factor, as jax.scipy.linalg.cho_solve. A b of one dimension, or (..., n) with one
    dimension less than A, is a vector. LAPACK: potrs."""
    factor, lower = c_and_lower
    return _cho_solve(factor, b, bool(lower))


@_jitted("lower")
def _cho_solve(factor: Array, b: Array, lower: bool) -> Array:
    factor, b = _operands(c=factor, b=b)
    vector = _is_vector(factor, b)
    shapes.solve(factor.shape, (*b.shape, 1) if vector else b.shape)
    # The factored matrix, for the derivatives, as in lu_solve().
    triangle = jnp.tril(factor) if lower else adjoint(jnp.triu(factor))
    a = times(triangle, adjoint(triangle))

    def solve(b: Array) -> Array:
        def call(a: Array, factor: Array, b: Array) -> Array:
            return p.potrs(a, factor, b, uplo=_uplo(lower))[0]
        return _over_batches(call, (a, lax.stop_gradient(factor)), b)

    return _with_columns(solve, b, vector)


# ---- triangular systems

def _triangular(a: Array, b: Array, left: bool, lower: bool, trans: int, unit: bool) -> Array:
    def call(a: Array, b: Array) -> Array:
        return p.trsm(a, b, side=lib.LEFT if left else lib.RIGHT, uplo=_uplo(lower), trans=trans,
                      diag=lib.UNIT if unit else lib.NON_UNIT)[0]

    shapes.solve_triangular(a.shape, b.shape, left)
    return _over_batches(call, (a,), b)


@_jitted("left_side", "lower", "transpose_a", "conjugate_a", "unit_diagonal")
def triangular_solve(a: Array, b: Array, *, left_side: bool = False, lower: bool = False, transpose_a: bool = False,
                     conjugate_a: bool = False, unit_diagonal: bool = False) -> Array:
    """Solves op(A) X = B, or X op(A) = B unless `left_side`, as jax.lax.linalg.triangular_solve. op(A) is the triangle
    A, transposed if `transpose_a` and conjugated if `conjugate_a`. A b with one dimension less than a is a vector.
    BLAS: trsm."""
    a, b = _operands(a=a, b=b)
    vector = b.ndim == a.ndim - 1
    if vector:
        b = jnp.expand_dims(b, -1 if left_side else -2)
    conjugate = conjugate_a and jnp.iscomplexobj(a)
    trans = (lib.CONJ_TRANS if conjugate else lib.TRANS) if transpose_a else lib.NO_TRANS
    around = conjugate and not transpose_a  # conj(A) X = B: A conj(X) = conj(B)
    x = _triangular(a, jnp.conj(b) if around else b, left_side, lower, trans, unit_diagonal)
    x = jnp.conj(x) if around else x
    return jnp.squeeze(x, -1 if left_side else -2) if vector else x


@_jitted("trans", "lower", "unit_diagonal", "overwrite_b", "debug", "check_finite")
def solve_triangular(a: Array, b: Array, trans: Any = 0, lower: bool = False, unit_diagonal: bool = False,
                     overwrite_b: bool = False, debug: Any = None, check_finite: bool = True) -> Array:
    """Solves A x = b for triangular A, as jax.scipy.linalg.solve_triangular; A^T x = b for trans 1 or "T", A^H x = b
    for trans 2 or "C". A b of one dimension, or (..., n) with one dimension less than A, is a vector. BLAS: trsm."""
    a, b = _operands(a=a, b=b)
    vector = _is_vector(a, b)
    trans = _transposition(trans)
    return _with_columns(lambda b: _triangular(a, b, True, lower, trans, unit_diagonal), b, vector)


# ---- least squares

def lstsq(a: Array, b: Array, rcond: float | None = None, *, driver: str = "gels") -> Any:
    """Least squares solutions of A x = b by QR, or minimum-norm solutions if A has fewer rows than columns.

    Returns (solution, info). info is 0, or j if element j, counted from 1, of R's diagonal is 0; then the solution is
    NaN. Unlike jax.numpy.linalg.lstsq, which uses singular values, it requires full rank and takes batches. A b of one
    dimension is a vector. LAPACK: gels.

    `driver` "gelsy" handles matrices of any rank by QR with column pivoting and finds the solution of least norm. It
    returns (solution, residuals, rank): residuals (..., nrhs), (..., 1) for a vector, are the sums of squares of b - A x,
    and rank is a 32-bit integer per matrix. `rcond`, a number, for "gelsy" only, bounds the rank: the leading triangle
    of R that counts has a condition number of at most 1 / rcond. None, or a negative number, stands for max(m, n) times
    the type's eps. As in LAPACK, only a zero matrix has rank 0, even for rcond > 1. Derivatives assume that the rank
    found does not change. LAPACK: gelsy.
    """
    # A number of the host before it becomes a static argument, which an array cannot be.
    return _lstsq(a, b, rcond=None if rcond is None else shapes.rcond(rcond), driver=driver)


@_jitted("rcond", "driver")
def _lstsq(a: Array, b: Array, rcond: float | None, driver: str) -> Any:
    a, b = _operands(a=a, b=b)
    vector = b.ndim == 1
    if vector:
        b = b[:, None]
    _, m, n, nrhs = shapes.lstsq(a.shape, b.shape)
    if driver == "gelsy":
        a, b = p.divide_alike((a, b), (2, 2))
        x, rank = _solve_gelsy(a, b, shapes.rcond(rcond))
        left = b - times(a, x)
        residuals = jnp.sum(jnp.real(left * jnp.conj(left)), -2)
        return LeastSquaresOfAnyRank(x[..., 0] if vector else x, residuals, rank)
    shapes.gels(rcond, driver)

    def call(a: Array, b: Array) -> Any:
        # Pad b to one column if it has none: info depends on a alone.
        more = [(0, max(n - m, 0)), (0, int(nrhs == 0))]
        x, info = p.gels(a, jnp.pad(b, [(0, 0)] * (b.ndim - 2) + more), trans=lib.NO_TRANS)
        return x[..., :n, :nrhs], info

    x, info = _over_batches(call, (a,), b)
    return LeastSquares(x[..., 0] if vector else x, info)


def _solve_gelsy(a: Array, b: Array, rcond: float) -> Any:
    """Solutions and ranks by gelsy; a negative rcond stands for the default."""
    nrhs = b.shape[-1]

    def call(a: Array, b: Array) -> Any:
        # Pad b to one column if it has none: the rank depends on a alone.
        padded = b if nrhs else jnp.pad(b, [(0, 0)] * (b.ndim - 1) + [(0, 1)])
        x, rank = min_norm_lstsq(a, padded, p.double_bits(rcond))
        return x[..., :nrhs], rank

    return _over_batches(call, (a,), b)


def matrix_rank(a: Array, rtol: float | None = None) -> Array:
    """The rank, a 32-bit integer per matrix, by QR with column pivoting, A P = Q R.

    The rank is the order of the largest leading triangle of R whose estimated condition number is at most 1 / rtol.
    None, or a negative number, stands for rtol = max(m, n) eps. A zero matrix has rank 0, and with rtol >= 1 all
    matrices have. numpy.linalg.matrix_rank counts singular values instead, which takes much longer; the two agree where
    the singular values have a clear gap. jax.numpy.linalg.matrix_rank does so, too, but takes its rtol as an absolute
    bound. LAPACK: gelsy.
    """
    return _matrix_rank(a, bound=shapes.rcond(rtol, "rtol"))


@_jitted("bound")
def _matrix_rank(a: Array, bound: float) -> Array:
    a, = _operands(a=a)
    _, m, _ = shapes.matrix("a", a.shape)
    a = a[..., :shapes.rows_that_count(m, bound), :]
    return lax.stop_gradient(_solve_gelsy(a, a[..., :0], bound)[1])


def pinv(a: Array, rtol: float | None = None) -> Array:
    """The pseudoinverse of matrices of any rank; everything beyond the rank that matrix_rank() finds counts as zero.
    Derivatives assume that this rank does not change. LAPACK: gelsy."""
    return _pinv(a, bound=shapes.rcond(rtol, "rtol"))


@_jitted("bound")
def _pinv(a: Array, bound: float) -> Array:
    a, = _operands(a=a)
    _, m, _ = shapes.matrix("a", a.shape)
    rows = shapes.rows_that_count(m, bound)
    identity = jnp.eye(rows, m, dtype=a.dtype)
    return _solve_gelsy(a[..., :rows, :], jnp.broadcast_to(identity, (*a.shape[:-2], rows, m)), bound)[0]
