"""The public operations."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, Literal, NamedTuple, TypeVar, overload

from ._fronts import front

__all__ = ["QR", "LUFactors", "LeastSquares", "SLogDet", "bmm", "cholesky", "cholesky_inverse", "cholesky_solve", "det",
           "geqrf", "householder_product", "inv", "lstsq", "lu_factor", "lu_solve", "ormqr", "qr", "slogdet", "solve",
           "solve_triangular"]

Array = TypeVar("Array")  # an array of PyTorch, CuPy, NumPy, JAX ...: results are of the operands' type
_Q = TypeVar("_Q")

# Arrays of another element type than the operands' are Any: with some libraries, NumPy for one, that is another type.
if TYPE_CHECKING:
    class QR(NamedTuple, Generic[_Q, Array]):
        """Result of qr()."""
        Q: _Q
        R: Array

    class LeastSquares(NamedTuple, Generic[Array]):
        """Result of lstsq()."""
        solution: Array
        info: Any  # of integers

    class LUFactors(NamedTuple, Generic[Array]):
        """Result of lu_factor()."""
        LU: Array
        pivots: Any  # of integers

    class SLogDet(NamedTuple, Generic[Array]):
        """Result of slogdet()."""
        sign: Array
        logabsdet: Any  # real
else:  # named tuples are generic at run time only from Python 3.11 on
    class QR(NamedTuple):
        """Result of qr(). Q is None for mode "r"."""
        Q: Any
        R: Any

    class LeastSquares(NamedTuple):
        """Result of lstsq(). info: per matrix 0, or i when the i-th diagonal element of R is zero (no full rank)."""
        solution: Any
        info: Any

    class LUFactors(NamedTuple):
        """Result of lu_factor()."""
        LU: Any
        pivots: Any

    class SLogDet(NamedTuple):
        """Result of slogdet(): the determinant is sign exp(logabsdet)."""
        sign: Any
        logabsdet: Any


@overload
def qr(a: Array, mode: Literal["reduced", "complete"] = ...) -> QR[Array, Array]: ...
@overload
def qr(a: Array, mode: Literal["r"]) -> QR[None, Array]: ...
@overload
def qr(a: Array, mode: str) -> QR[Any, Array]: ...
def qr(a: Any, mode: str = "reduced") -> Any:
    """Q and R of each matrix in `a` (..., m, n): a = Q R, with LAPACK's signs.

    mode "reduced": Q (..., m, k), R (..., k, n), k = min(m, n); "complete": Q (..., m, m), R (..., m, n); "r": R only,
    Q is None. The results are column-major. LAPACK geqrf and orgqr in one call. Differentiable as torch.linalg.qr() is.
    """
    return QR(*front("a", a).qr(a, mode))


def geqrf(a: Array) -> tuple[Array, Array]:
    """LAPACK geqrf of each matrix in `a` (..., m, n): (factors, tau).

    factors (..., m, n) has R on and above the diagonal, the reflectors below it; tau is (..., min(m, n)). Differentiable
    where the first min(m, n) columns are independent and no reflector is the identity.
    """
    result: tuple[Array, Array] = front("a", a).geqrf(a)
    return result


def householder_product(factors: Array, tau: Array) -> Array:
    """LAPACK orgqr: the first n columns of Q (..., m, n) from `factors` (..., m, n) and `tau` (..., k), k <= n <= m.

    As torch.linalg.householder_product(), and differentiable for any factors and tau.
    """
    result: Array = front("factors", factors).householder_product(factors, tau)
    return result


def ormqr(factors: Array, tau: Array, other: Array, left: bool = True, transpose: bool = False) -> Array:
    """LAPACK ormqr: op(Q) other, or other op(Q) if not `left`; op is the (conjugate) transpose if `transpose`.

    Q is the whole square matrix of the reflectors in `factors` (..., order of Q, at least k) and `tau` (..., k), as geqrf()
    leaves them. Batch dimensions broadcast. Differentiable for any factors and tau.
    """
    result: Array = front("factors", factors).ormqr(factors, tau, other, left, transpose)
    return result


def lstsq(a: Array, b: Array, method: Literal["direct", "iterative"] = "direct") -> LeastSquares[Array]:
    """Least squares (m >= n) or minimum-norm (m < n) solutions of a x = b for matrices of full rank; LAPACK gels.

    a (..., m, n), b (..., m, nrhs), or vectors: (m,), or (..., m) with just the batch dimensions of `a`; the solution has n
    in place of m. Batch dimensions broadcast. info (...), 32-bit integers: per matrix 0, or i when the i-th diagonal
    element of R is zero; that matrix has no full rank and its solution is not one. The solution is differentiable.

    method "direct": by QR. "iterative", for m well above n: conjugate gradients, preconditioned by the Cholesky factor of
    a^H a in double precision, much faster and as accurate; where there is no such factor, or it does not converge, QR
    solves, of which info tells then (else it is 0). The host waits for the device's stream, which must not be captured in
    a CUDA graph. With m < n, or nothing to solve, it is the direct way.
    """
    return LeastSquares(*front("a", a).lstsq(a, b, method))


def solve_triangular(a: Array, b: Array, *, upper: bool, left: bool = True, unitriangular: bool = False) -> Array:
    """x with a x = b, or x a = b if not `left`, for triangles a (..., n, n); BLAS trsm.

    The other triangle, and the diagonal if `unitriangular`, is not read. Batch dimensions broadcast. Differentiable.
    """
    result: Array = front("a", a).solve_triangular(a, b, upper, left, unitriangular)
    return result


def lu_factor(a: Array) -> LUFactors[Array]:
    """LU factorisation with partial pivoting of each matrix in `a` (..., m, n): a = P L U; LAPACK getrf.

    LU (..., m, n), column-major, has U on and above the diagonal and below it L, whose diagonal of ones is not stored.
    pivots (..., min(m, n)), 32-bit integers counted from 1: for j = 1, 2, ... in turn row j was exchanged with row
    pivots[j - 1]. A singular matrix is no error: it has a zero on U's diagonal. As torch.linalg.lu_factor(). LU is
    differentiable where the first min(m, n) columns are independent.
    """
    return LUFactors(*front("a", a).lu_factor(a))


def lu_solve(LU: Array, pivots: Any, b: Array, *, left: bool = True, adjoint: bool = False) -> Array:
    """x with op(a) x = b, or x op(a) = b if not `left`, from lu_factor(a); op is the conjugate transpose if `adjoint`.

    LU (..., n, n), pivots (..., n), b (..., n, nrhs), or (..., nrhs, n) if not `left`. Batch dimensions broadcast. LAPACK
    getrs, which does not look for zeros on U's diagonal. Pivots must be in 1 ... n; that is checked in host memory only.
    As torch.linalg.lu_solve(); differentiable in LU and b.
    """
    result: Array = front("LU", LU).lu_solve(LU, pivots, b, left, adjoint)
    return result


def solve(a: Array, b: Array, *, check_errors: bool | None = None) -> Array:
    """x with a x = b, for square matrices a (..., n, n); LAPACK gesv.

    b (..., n, nrhs), or vectors: (n,), or (..., n) with just the batch dimensions of `a`. Batch dimensions broadcast; a
    matrix that meets several right-hand sides is factored once. As torch.linalg.solve(); differentiable.

    A matrix is singular if its factorisation has an exact zero on U's diagonal. With `check_errors` that raises the
    LinAlgError of the array's library (numpy.linalg's, torch.linalg's), without it the solution is NaN. By default arrays in
    host memory are checked, and those in device memory, where the host must wait for the result to do so, are not.
    """
    result: Array = front("a", a).solve(a, b, check_errors)
    return result


def inv(a: Array, *, check_errors: bool | None = None) -> Array:
    """The inverse of each square matrix in `a` (..., n, n); LAPACK getrf and getri. Differentiable.

    The inverse of a singular matrix raises or is NaN, as solve() says.
    """
    result: Array = front("a", a).inv(a, check_errors)
    return result


def cholesky(a: Array, *, upper: bool = False, check_errors: bool | None = None) -> Array:
    """L of each Hermitian positive definite matrix in `a` (..., n, n): a = L L^H, or U with a = U^H U if `upper`; LAPACK potrf.

    The other triangle of `a` is not looked at, that of the result is zero. As torch.linalg.cholesky(); differentiable. For a
    matrix that is not positive definite it raises or is NaN, as solve() says.
    """
    result: Array = front("a", a).cholesky(a, upper, check_errors)
    return result


def cholesky_solve(b: Array, factor: Array, *, upper: bool = False) -> Array:
    """x with a x = b, from factor = cholesky(a, upper=upper); LAPACK potrs.

    factor (..., n, n), of which one triangle is read, b (..., n, nrhs). Batch dimensions broadcast. As torch.cholesky_solve();
    differentiable in both.
    """
    result: Array = front("b", b).cholesky_solve(b, factor, upper)
    return result


def cholesky_inverse(factor: Array, *, upper: bool = False) -> Array:
    """The inverse of each matrix a with factor = cholesky(a, upper=upper) (..., n, n); LAPACK potri.

    Both triangles are there; NaN where the factor has a zero on its diagonal. As torch.cholesky_inverse(); differentiable.
    """
    result: Array = front("factor", factor).cholesky_inverse(factor, upper)
    return result


def det(a: Array) -> Array:
    """The determinant (...) of each square matrix in `a` (..., n, n), by LU; 0 for singular ones.

    Differentiable; for singular matrices, too, as far as the first derivative.
    """
    result: Array = front("a", a).det(a)
    return result


def slogdet(a: Array) -> SLogDet[Array]:
    """Sign and logarithm of the absolute value of each determinant: det(a) = sign exp(logabsdet), for `a` (..., n, n).

    sign (...) has the type of `a`: 1, -1, a complex number of size 1, or 0 for singular matrices, where logabsdet (...),
    which is real, is -inf. Neither overflows. Differentiable where `a` is not singular.
    """
    return SLogDet(*front("a", a).slogdet(a))


def bmm(a: Array, b: Array) -> Array:
    """The product of each matrix in `a` (..., m, k) with that in `b` (..., k, n): (..., m, n); BLAS gemm.

    Batch dimensions broadcast. As torch.matmul() and numpy.matmul() of matrices: the result is row-major, and zero for
    k = 0. Matrices in row-major or column-major order, PyTorch's conjugate transposes of row-major ones (x.mH), and
    matrices that stand for a whole batch are read where they are. Differentiable.
    """
    result: Array = front("a", a).bmm(a, b)
    return result
