"""The public operations. Their types are in _operations.pyi.

Parameters have the names of numpy.linalg; those of torch.linalg (A, B, input ...) are taken as well.
"""
from __future__ import annotations

from typing import Any, NamedTuple

from ._entry import operation
from ._fronts import front

__all__ = ["LU", "QR", "CholeskyEx", "InvEx", "LUFactors", "LUFactorsEx", "LeastSquares", "LeastSquaresOfAnyRank", "PivotedFactors",
           "SLogDet", "SolveEx", "bmm", "cholesky", "cholesky_ex", "cholesky_inverse", "cholesky_solve", "det", "geqp3", "geqrf",
           "householder_product", "inv", "inv_ex", "lstsq", "lu", "lu_factor", "lu_factor_ex", "lu_solve", "matrix_rank", "ormqr",
           "pinv", "qr", "slogdet", "solve", "solve_ex", "solve_triangular"]


class QR(NamedTuple):
    """Result of qr(). Q is None for mode "r"."""
    Q: Any
    R: Any


class LeastSquares(NamedTuple):
    """Result of lstsq(). info: per matrix 0, or i when the i-th diagonal element of R is zero (no full rank)."""
    solution: Any
    info: Any


class LeastSquaresOfAnyRank(NamedTuple):
    """Result of lstsq() with driver "gelsy". residuals (..., nrhs): the sums of squares of b - a x; rank (...), 32-bit integers."""
    solution: Any
    residuals: Any
    rank: Any


class PivotedFactors(NamedTuple):
    """Result of geqp3(). Column j of a P is column jpvt[..., j] of a, counted from 1; 32-bit integers."""
    factors: Any
    tau: Any
    jpvt: Any


class LUFactors(NamedTuple):
    """Result of lu_factor()."""
    LU: Any
    pivots: Any


class LUFactorsEx(NamedTuple):
    """Result of lu_factor_ex(). info: per matrix 0, or i when the i-th diagonal element of U is zero."""
    LU: Any
    pivots: Any
    info: Any


class LU(NamedTuple):
    """Result of lu(): a = P L U."""
    P: Any
    L: Any
    U: Any


class SolveEx(NamedTuple):
    """Result of solve_ex(). info: per matrix 0, or i when the i-th diagonal element of U is zero; the result is NaN then."""
    result: Any
    info: Any


class InvEx(NamedTuple):
    """Result of inv_ex(). info as of solve_ex()."""
    inverse: Any
    info: Any


class CholeskyEx(NamedTuple):
    """Result of cholesky_ex(). info: per matrix 0, or the order of the first leading minor that is not positive; the factor is
    NaN then."""
    L: Any
    info: Any


class SLogDet(NamedTuple):
    """Result of slogdet(): the determinant is sign exp(logabsdet)."""
    sign: Any
    logabsdet: Any


@operation(A="a", input="a")
def qr(a, mode="reduced"):
    """Q and R of each matrix in `a` (..., m, n): a = Q R, with LAPACK's signs.

    mode "reduced": Q (..., m, k), R (..., k, n), k = min(m, n); "complete": Q (..., m, m), R (..., m, n); "r": R only,
    Q is None. The results are column-major. LAPACK geqrf and orgqr in one call. Differentiable as torch.linalg.qr() is.
    """
    return QR(*front("a", a).qr(a, mode))


@operation(A="a", input="a")
def geqrf(a):
    """LAPACK geqrf of each matrix in `a` (..., m, n): (factors, tau).

    factors (..., m, n) has R on and above the diagonal, the reflectors below it; tau is (..., min(m, n)). Differentiable
    where the first min(m, n) columns are independent and no reflector is the identity.
    """
    return front("a", a).geqrf(a)


@operation(A="factors", input="factors")
def householder_product(factors, tau):
    """LAPACK orgqr: the first n columns of Q (..., m, n) from `factors` (..., m, n) and `tau` (..., k), k <= n <= m.

    As torch.linalg.householder_product(), and differentiable for any factors and tau.
    """
    return front("factors", factors).householder_product(factors, tau)


@operation(input="factors", A="factors")
def ormqr(factors, tau, other, left=True, transpose=False):
    """LAPACK ormqr: op(Q) other, or other op(Q) if not `left`; op is the (conjugate) transpose if `transpose`.

    Q is the whole square matrix of the reflectors in `factors` (..., order of Q, at least k) and `tau` (..., k), as geqrf()
    leaves them. Batch dimensions broadcast. Differentiable for any factors and tau.
    """
    return front("factors", factors).ormqr(factors, tau, other, left, transpose)


def _rcond(rcond):
    """As the C interface takes it, below zero for None."""
    try:
        return -1.0 if rcond is None else float(rcond)
    except (TypeError, ValueError):
        raise TypeError(f"rcond is {rcond!r}: a number or None is needed") from None


@operation(A="a", B="b")
def lstsq(a, b, method="direct", *, rcond=None, driver=None):
    """Least squares (m >= n) or minimum-norm (m < n) solutions of a x = b for matrices of full rank; LAPACK gels.

    a (..., m, n), b (..., m, nrhs), or vectors as solve() has them; the solution has n in place of m. Batch dimensions broadcast. info (...), 32-bit integers: per matrix 0, or i when the i-th diagonal
    element of R is zero; that matrix has no full rank and its solution is not one. The solution is differentiable.

    method "direct": by QR. "iterative", for m well above n: conjugate gradients, preconditioned by the Cholesky factor of
    a^H a in double precision, much faster and as accurate; where there is no such factor, or it does not converge, QR
    solves, of which info tells then (else it is 0). The host waits for the device's stream, which must not be captured in
    a CUDA graph. With m < n, or nothing to solve, it is the direct way.

    `driver` "gels" is this; "gelsy" is for matrices of any rank, by QR with column pivoting, and finds the shortest of all solutions:
    the result is LeastSquaresOfAnyRank then. `rcond`, for "gelsy" only, is the reciprocal of the largest condition that counts towards
    the rank; None: max(m, n) times the type's eps.
    """
    if driver == "gelsy":
        if method != "direct":
            raise ValueError(f"method is {method!r}: driver 'gelsy' has 'direct' only")
        by = front("a", a)
        x, rank = by.lstsq_gelsy(a, b, _rcond(rcond))
        vector = len(x.shape) < len(a.shape)
        # Not a @ x, which JAX computes in a shorter type on GPUs.
        left = b - (by.bmm(a, x[..., None])[..., 0] if vector else by.bmm(a, x))
        return LeastSquaresOfAnyRank(x, (abs(left) ** 2).sum(-1 if vector else -2), rank)
    if rcond is not None or driver not in (None, "gels"):
        raise ValueError(f"rcond is {rcond}, driver {driver!r}: 'gels', for which rcond is nothing, or 'gelsy' is needed")
    return LeastSquares(*front("a", a).lstsq(a, b, method))


@operation(A="a", input="a")
def geqp3(a):
    """LAPACK geqp3: a P = Q R with column pivoting, R and the vectors of Q's reflectors in one matrix, their factors tau, and P.

    a (..., m, n), tau (..., min(m, n)); ormqr() and householder_product() take factors and tau as those of geqrf(). The absolute values
    of R's diagonal do not increase. Differentiable, as long as the permutation stays the same.
    """
    return PivotedFactors(*front("a", a).geqp3(a))


@operation(A="a", input="a")
def matrix_rank(a, *, rcond=None):
    """The rank of each matrix in `a` (..., m, n), as 32-bit integers (...): the order of the largest leading triangle of R, a P = Q R
    with column pivoting, whose estimated condition is at most 1 / rcond (None: 1 / (max(m, n) eps)). Zeros have rank 0.

    torch.linalg.matrix_rank() counts singular values instead, which takes much longer; where these fall off clearly, the
    two agree.
    """
    _, rank = front("a", a).lstsq_gelsy(a, a[..., :0], _rcond(rcond))
    return rank


@operation(A="a", input="a")
def pinv(a, *, rcond=None):
    """The pseudoinverse (..., n, m) of each matrix in `a` (..., m, n), of any rank, by QR with column pivoting: what is beyond the rank,
    as matrix_rank() finds it, counts as zero. Differentiable, for a rank that does not change.
    """
    return front("a", a).pinv(a, _rcond(rcond))


@operation(A="a", B="b")
def solve_triangular(a, b, *, upper, left=True, unitriangular=False):
    """x with a x = b, or x a = b if not `left`, for triangles a (..., n, n); BLAS trsm.

    The other triangle, and the diagonal if `unitriangular`, is not read. Batch dimensions broadcast. Differentiable.
    """
    return front("a", a).solve_triangular(a, b, upper, left, unitriangular)


def _with_pivoting(pivot):
    if not pivot:
        raise ValueError("pivot is False: lu() and lu_factor() interchange rows")


@operation(A="a", input="a")
def lu_factor(a, *, pivot=True):
    """LU factorisation with partial pivoting of each matrix in `a` (..., m, n): a = P L U; LAPACK getrf.

    LU (..., m, n), column-major, has U on and above the diagonal and below it L, whose diagonal of ones is not stored.
    pivots (..., min(m, n)), 32-bit integers counted from 1: for j = 1, 2, ... in turn row j was exchanged with row
    pivots[j - 1]. A singular matrix is no error: it has a zero on U's diagonal, of which lu_factor_ex() tells. As
    torch.linalg.lu_factor(). LU is differentiable where the first min(m, n) columns are independent.
    """
    _with_pivoting(pivot)
    return LUFactors(*front("a", a).lu_factor(a, False)[:2])


@operation(A="a", input="a")
def lu_factor_ex(a, *, pivot=True, check_errors=False):
    """lu_factor() with info (...), 32-bit integers: per matrix 0, or i when the i-th diagonal element of U is zero.

    `check_errors` raises LinAlgError for such matrices; on a device the host waits then. As torch.linalg.lu_factor_ex().
    """
    _with_pivoting(pivot)
    return LUFactorsEx(*front("a", a).lu_factor(a, check_errors))


@operation(A="a", input="a")
def lu(a, *, pivot=True):
    """P (..., m, m), L (..., m, k) and U (..., k, n), k = min(m, n), of each matrix in `a` (..., m, n): a = P L U.

    By lu_factor(). P, a permutation, has the type of `a`. As torch.linalg.lu(); L and U are differentiable.
    """
    _with_pivoting(pivot)
    return LU(*front("a", a).plu(a))


@operation(B="b")
def lu_solve(LU, pivots, b, *, left=True, adjoint=False):
    """x with op(a) x = b, or x op(a) = b if not `left`, from lu_factor(a); op is the conjugate transpose if `adjoint`.

    LU (..., n, n), pivots (..., n), b (..., n, nrhs), or (..., nrhs, n) if not `left`, or one vector (n,). Batch dimensions broadcast. LAPACK
    getrs, which does not look for zeros on U's diagonal. Pivots must be in 1 ... n; that is checked in host memory only.
    As torch.linalg.lu_solve(); differentiable in LU and b.
    """
    return front("LU", LU).lu_solve(LU, pivots, b, left, adjoint)


@operation(A="a", B="b")
def solve(a, b, *, left=True, check_errors=None):
    """x with a x = b, or x a = b if not `left`, for square matrices a (..., n, n); LAPACK gesv.

    b (..., n, nrhs), or (..., nrhs, n) if not `left`; or a vector (n,). Of PyTorch's tensors b may also be vectors (..., n)
    with just the batch dimensions of `a`, as torch.linalg.solve() has it; of other libraries' arrays that is a matrix, as
    numpy.linalg.solve() has it. Batch dimensions broadcast; a matrix that meets several right-hand sides is factored once.
    Differentiable.

    A matrix is singular if its factorisation has an exact zero on U's diagonal. With `check_errors` that raises the
    LinAlgError of the array's library (numpy.linalg's, torch.linalg's), without it the solution is NaN. By default arrays in
    host memory are checked, and those in device memory, where the host must wait for the result to do so, are not.
    """
    return front("a", a).solve(a, b, left, check_errors)[0]


@operation(A="a", B="b")
def solve_ex(a, b, *, left=True, check_errors=False):
    """solve() with info, 32-bit integers in the batch dimensions of `a`: per matrix 0, or i when the i-th diagonal element of U is
    zero: the result is NaN then. As torch.linalg.solve_ex().
    """
    return SolveEx(*front("a", a).solve(a, b, left, check_errors))


@operation(A="a", input="a")
def inv(a, *, check_errors=None):
    """The inverse of each square matrix in `a` (..., n, n); LAPACK getrf and getri. Differentiable.

    The inverse of a singular matrix raises or is NaN, as solve() says.
    """
    return front("a", a).inv(a, check_errors)[0]


@operation(A="a", input="a")
def inv_ex(a, *, check_errors=False):
    """inv() with info (...), as solve_ex() has it. As torch.linalg.inv_ex()."""
    return InvEx(*front("a", a).inv(a, check_errors))


@operation(A="a", input="a")
def cholesky(a, *, upper=False, check_errors=None):
    """L of each Hermitian positive definite matrix in `a` (..., n, n): a = L L^H, or U with a = U^H U if `upper`; LAPACK potrf.

    The other triangle of `a` is not read; that of the result is zero. Like torch.linalg.cholesky(); differentiable. For a
    matrix that is not positive definite it raises or is NaN, as solve() says.
    """
    return front("a", a).cholesky(a, upper, check_errors)[0]


@operation(A="a", input="a")
def cholesky_ex(a, *, upper=False, check_errors=False):
    """cholesky() with info (...), 32-bit integers: per matrix 0, or the order of the first leading minor that is not positive: the
    factor is NaN then. As torch.linalg.cholesky_ex().
    """
    return CholeskyEx(*front("a", a).cholesky(a, upper, check_errors))


@operation(B="b", input="b", L="factor", input2="factor")
def cholesky_solve(b, factor, upper=False):
    """x with a x = b, from factor = cholesky(a, upper=upper); LAPACK potrs.

    factor (..., n, n), of which one triangle is read, b (..., n, nrhs) or a vector (n,). Batch dimensions broadcast. As torch.cholesky_solve();
    differentiable in both.
    """
    return front("b", b).cholesky_solve(b, factor, upper)


@operation(L="factor", input="factor")
def cholesky_inverse(factor, upper=False):
    """The inverse of each matrix a with factor = cholesky(a, upper=upper) (..., n, n); LAPACK potri.

    Both triangles are there; NaN where the factor has a zero on its diagonal. As torch.cholesky_inverse(); differentiable.
    """
    return front("factor", factor).cholesky_inverse(factor, upper)


@operation(A="a", input="a")
def det(a):
    """The determinant (...) of each square matrix in `a` (..., n, n), by LU; 0 for singular ones.

    Differentiable; for singular matrices, too, as far as the first derivative.
    """
    return front("a", a).det(a)


@operation(A="a", input="a")
def slogdet(a):
    """Sign and logarithm of the absolute value of each determinant: det(a) = sign exp(logabsdet), for `a` (..., n, n).

    sign (...) has the type of `a`: 1, -1, a complex number of size 1, or 0 for singular matrices, where logabsdet (...),
    which is real, is -inf. Neither overflows. Differentiable where `a` is not singular.
    """
    return SLogDet(*front("a", a).slogdet(a))


@operation(A="a", B="b", input="a", mat2="b", other="b")
def bmm(a, b):
    """The product of each matrix in `a` (..., m, k) with that in `b` (..., k, n): (..., m, n); BLAS gemm.

    Batch dimensions broadcast. As torch.matmul() and numpy.matmul() of matrices: the result is row-major, and zero for
    k = 0. Matrices in row-major or column-major order, PyTorch's conjugate transposes of row-major ones (x.mH), and
    matrices that stand for a whole batch are read where they are. Differentiable.
    """
    return front("a", a).bmm(a, b)
