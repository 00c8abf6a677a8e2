"""The public operations. Their types are in _operations.pyi.

Parameters are named as in numpy.linalg; the names of torch.linalg (A, B, input ...) are accepted as well.
"""
from __future__ import annotations

from typing import Any, NamedTuple

from . import _shapes as shapes
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
    """Result of lstsq(). info is, per matrix, 0, or i if the i-th diagonal element of R is zero (rank deficient)."""
    solution: Any
    info: Any


class LeastSquaresOfAnyRank(NamedTuple):
    """Result of lstsq() with driver "gelsy". residuals (..., nrhs), (..., 1) for a vector, are the sums of squares of
    b - a x; rank (...) are 32-bit integers."""
    solution: Any
    residuals: Any
    rank: Any


class PivotedFactors(NamedTuple):
    """Result of geqp3(). Column j of a P is column jpvt[..., j] of a; jpvt are 32-bit integers, counted from 1."""
    factors: Any
    tau: Any
    jpvt: Any


class LUFactors(NamedTuple):
    """Result of lu_factor()."""
    LU: Any
    pivots: Any


class LUFactorsEx(NamedTuple):
    """Result of lu_factor_ex(). info is, per matrix, 0, or i if the i-th diagonal element of U is zero."""
    LU: Any
    pivots: Any
    info: Any


class LU(NamedTuple):
    """Result of lu(): a = P L U."""
    P: Any
    L: Any
    U: Any


class SolveEx(NamedTuple):
    """Result of solve_ex(). info is, per matrix, 0, or i if the i-th diagonal element of U is zero; that result is
    NaN."""
    result: Any
    info: Any


class InvEx(NamedTuple):
    """Result of inv_ex(). info is as in solve_ex()."""
    inverse: Any
    info: Any


class CholeskyEx(NamedTuple):
    """Result of cholesky_ex(). info is, per matrix, 0, or the order of the first leading minor that is not positive;
    that factor is NaN."""
    L: Any
    info: Any


class SLogDet(NamedTuple):
    """Result of slogdet(): the determinant is sign exp(logabsdet)."""
    sign: Any
    logabsdet: Any


@operation(A="a", input="a")
def qr(a, mode="reduced"):
    """QR factorisation a = Q R of each matrix in `a` (..., m, n), with LAPACK's signs; LAPACK geqrf and orgqr.

    With mode "reduced", Q is (..., m, k) and R is (..., k, n), k = min(m, n); with "complete", Q is (..., m, m) and R
    is (..., m, n); with "r", R is as in "reduced" and Q is None. The results are column-major. Differentiable under the
    same conditions as torch.linalg.qr().
    """
    return QR(*front("a", a).qr(a, mode))


@operation(A="a", input="a")
def geqrf(a):
    """QR factorisation of each matrix in `a` (..., m, n) in LAPACK's compact form (factors, tau); LAPACK geqrf.

    factors (..., m, n) holds R on and above the diagonal and the reflectors below it; tau is (..., min(m, n)).
    Differentiable where the first min(m, n) columns are linearly independent and no reflector is the identity.
    """
    return front("a", a).geqrf(a)


@operation(A="factors", input="factors")
def householder_product(factors, tau):
    """The first n columns of Q (..., m, n), from `factors` (..., m, n) and `tau` (..., k), k <= n <= m; LAPACK orgqr.

    Like torch.linalg.householder_product(). Differentiable for any factors and tau.
    """
    return front("factors", factors).householder_product(factors, tau)


@operation(input="factors", A="factors")
def ormqr(factors, tau, other, left=True, transpose=False):
    """op(Q) other, or other op(Q) if not `left`; op is the conjugate transpose if `transpose`; LAPACK ormqr.

    Q is the full square matrix defined by the reflectors in `factors` and `tau` (..., k), as returned by geqrf().
    factors has as many rows as Q and at least k columns. Batch dimensions broadcast. Differentiable for any factors and
    tau.
    """
    return front("factors", factors).ormqr(factors, tau, other, left, transpose)


@operation(A="a", B="b")
def lstsq(a, b, method="direct", *, rcond=None, driver=None):
    """Least squares (m >= n) or minimum-norm (m < n) solutions of a x = b for matrices of full rank; LAPACK gels.

    a is (..., m, n) and b is (..., m, nrhs), or vectors by the rules of solve(); the solution has n in place of m.
    Batch dimensions broadcast. info (...), 32-bit integers, is 0 for each matrix, or i if the i-th diagonal element of
    R is zero: that matrix is rank deficient, and its solution is invalid. The solution is differentiable.

    `method` "direct" solves by QR. "iterative", for m well above n, uses conjugate gradients preconditioned by the
    Cholesky factor of a^H a in double precision, which is much faster and as accurate. If there is no such factor, or
    the iteration does not converge, QR solves the system and sets info, which otherwise is 0. The host waits for the
    device's stream, which must not be captured in a CUDA graph. With m < n, or with nothing to solve, the direct method
    is used.

    `driver` "gels", the default, is the above. "gelsy" handles matrices of any rank by QR with column pivoting and
    finds the solution of least norm; it returns LeastSquaresOfAnyRank. `rcond`, for "gelsy" only, bounds the rank: the
    leading triangle of R that counts has a condition number of at most 1 / rcond. None, or a negative number, stands
    for max(m, n) times the type's eps. As in LAPACK and torch.linalg.lstsq(), only a zero matrix has rank 0, even for
    rcond > 1.
    """
    if driver == "gelsy":
        if method != "direct":
            raise ValueError(f"method is {method!r}, but driver 'gelsy' has 'direct' only")
        by = front("a", a)
        a, b = by.operands(a=a, b=b)
        x, rank = by.lstsq_gelsy(a, b, shapes.rcond(rcond))
        columns, rhs = (x[..., None], b[..., None]) if len(x.shape) < len(a.shape) else (x, b)
        # Not a @ x, which JAX computes in reduced precision on GPUs.
        return LeastSquaresOfAnyRank(x, (abs(rhs - by.bmm(a, columns)) ** 2).sum(-2), rank)
    shapes.gels(rcond, driver)
    return LeastSquares(*front("a", a).lstsq(a, b, method))


@operation(A="a", input="a")
def geqp3(a):
    """QR factorisation with column pivoting, a P = Q R, of each matrix in `a` (..., m, n); LAPACK geqp3.

    factors (..., m, n) and tau (..., min(m, n)) have the form that geqrf() returns, for ormqr() and
    householder_product(); jpvt (..., n) is the permutation P. The absolute values on R's diagonal do not increase.
    Differentiable, as long as the permutation stays the same.
    """
    return PivotedFactors(*front("a", a).geqp3(a))


@operation(A="a", input="a")
def matrix_rank(a, *, rcond=None):
    """The rank of each matrix in `a` (..., m, n), as 32-bit integers (...), by QR with column pivoting, a P = Q R.

    The rank is the order of the largest leading triangle of R whose estimated condition number is at most 1 / rcond.
    None, or a negative number, stands for rcond = max(m, n) eps. A zero matrix has rank 0, and with rcond >= 1 all
    matrices have. torch.linalg.matrix_rank() counts singular values instead, which takes much longer; the two agree
    where the singular values have a clear gap.
    """
    by = front("a", a)
    a, = by.operands(a=a)
    _, m, _ = shapes.matrix("a", a.shape)
    rcond = shapes.rcond(rcond)
    a = a[..., :shapes.rows_that_count(m, rcond), :]
    _, rank = by.lstsq_gelsy(a, a[..., :0], rcond)
    return rank


@operation(A="a", input="a")
def pinv(a, *, rcond=None):
    """The pseudoinverse (..., n, m) of each matrix in `a` (..., m, n), of any rank, by QR with column pivoting.

    Everything beyond the rank that matrix_rank() finds counts as zero; `rcond` is that of matrix_rank(). Differentiable
    where the rank does not change.
    """
    return front("a", a).pinv(a, shapes.rcond(rcond))


@operation(A="a", B="b")
def solve_triangular(a, b, *, upper, left=True, unitriangular=False):
    """Solves a x = b, or x a = b if not `left`, for triangular matrices a (..., n, n); BLAS trsm.

    `upper` selects the triangle. The other triangle is not read, nor is the diagonal if `unitriangular`. Batch
    dimensions broadcast. Differentiable.
    """
    return front("a", a).solve_triangular(a, b, upper, left, unitriangular)


def _with_pivoting(pivot):
    if not pivot:
        raise ValueError("pivot is False, but lu() and lu_factor() always interchange rows")


@operation(A="a", input="a")
def lu_factor(a, *, pivot=True):
    """LU factorisation with partial pivoting, a = P L U, of each matrix in `a` (..., m, n); LAPACK getrf.

    LU (..., m, n), column-major, holds U on and above the diagonal and L below it; the unit diagonal of L is not
    stored. pivots (..., min(m, n)) are 32-bit integers, counted from 1: for j = 1, 2, ... in turn, row j was exchanged
    with row pivots[j - 1]. A singular matrix is not an error; it leaves a zero on U's diagonal, which lu_factor_ex()
    reports. Like torch.linalg.lu_factor(). LU is differentiable where the first min(m, n) columns are linearly
    independent.
    """
    _with_pivoting(pivot)
    return LUFactors(*front("a", a).lu_factor(a, False)[:2])


@operation(A="a", input="a")
def lu_factor_ex(a, *, pivot=True, check_errors=False):
    """lu_factor() with info (...), 32-bit integers: per matrix 0, or i if the i-th diagonal element of U is zero.

    With `check_errors`, such a matrix raises LinAlgError; for device arrays, the host then waits for the result. Like
    torch.linalg.lu_factor_ex().
    """
    _with_pivoting(pivot)
    return LUFactorsEx(*front("a", a).lu_factor(a, check_errors))


@operation(A="a", input="a")
def lu(a, *, pivot=True):
    """LU factorisation a = P L U of each matrix in `a` (..., m, n), with P, L and U as separate matrices.

    P is (..., m, m), L is (..., m, k) and U is (..., k, n), k = min(m, n). The factorisation is that of lu_factor(). P,
    a permutation, has the element type of `a`. Like torch.linalg.lu(). L and U are differentiable.
    """
    _with_pivoting(pivot)
    return LU(*front("a", a).plu(a))


@operation(B="b")
def lu_solve(LU, pivots, b, *, left=True, adjoint=False):
    """Solves op(a) x = b, or x op(a) = b if not `left`, from lu_factor(a); LAPACK getrs.

    op is the conjugate transpose if `adjoint`. LU is (..., n, n), pivots is (..., n), and b is (..., n, nrhs),
    (..., nrhs, n) if not `left`, or one vector (n,). Batch dimensions broadcast. Zeros on U's diagonal are not
    detected. Pivots must be in 1 ... n, which is checked in host memory only. Like torch.linalg.lu_solve().
    Differentiable in LU and b.
    """
    return front("LU", LU).lu_solve(LU, pivots, b, left, adjoint)


@operation(A="a", B="b")
def solve(a, b, *, left=True, check_errors=None):
    """Solves a x = b, or x a = b if not `left`, for square matrices a (..., n, n); LAPACK gesv.

    b is (..., n, nrhs), (..., nrhs, n) if not `left`, or one vector (n,). For PyTorch tensors, b may also be vectors
    (..., n) with exactly the batch dimensions of `a`, as in torch.linalg.solve(); for other libraries' arrays such a b
    holds matrices, as in numpy.linalg.solve(). Batch dimensions broadcast; a matrix that is broadcast over several
    right-hand sides is factored once. Differentiable.

    A matrix counts as singular if its factorisation has an exact zero on U's diagonal. With `check_errors`, that raises
    the LinAlgError of the array's library (numpy.linalg's or torch.linalg's); without it, the solution is NaN. The
    default is to check arrays in host memory, but not those in device memory, where the host would have to wait.
    """
    return front("a", a).solve(a, b, left, check_errors)[0]


@operation(A="a", B="b")
def solve_ex(a, b, *, left=True, check_errors=False):
    """solve() with info, 32-bit integers with the batch dimensions of `a`. Like torch.linalg.solve_ex().

    info is, per matrix, 0, or i if the i-th diagonal element of U is zero; that result is NaN.
    """
    return SolveEx(*front("a", a).solve(a, b, left, check_errors))


@operation(A="a", input="a")
def inv(a, *, check_errors=None):
    """The inverse of each square matrix in `a` (..., n, n); LAPACK getrf and getri. Differentiable.

    A singular matrix raises LinAlgError or has a NaN inverse, depending on `check_errors` as in solve().
    """
    return front("a", a).inv(a, check_errors)[0]


@operation(A="a", input="a")
def inv_ex(a, *, check_errors=False):
    """inv() with info (...), as in solve_ex(). Like torch.linalg.inv_ex()."""
    return InvEx(*front("a", a).inv(a, check_errors))


@operation(A="a", input="a")
def cholesky(a, *, upper=False, check_errors=None):
    """The Cholesky factor of each Hermitian positive definite matrix in `a` (..., n, n); LAPACK potrf.

    The factor is L with a = L L^H, or U with a = U^H U if `upper`. The other triangle of `a` is not read; that of the
    result is zero. A matrix that is not positive definite raises LinAlgError or has a NaN factor, depending on
    `check_errors` as in solve(). Like torch.linalg.cholesky(). Differentiable.
    """
    return front("a", a).cholesky(a, upper, check_errors)[0]


@operation(A="a", input="a")
def cholesky_ex(a, *, upper=False, check_errors=False):
    """cholesky() with info (...), 32-bit integers. Like torch.linalg.cholesky_ex().

    info is, per matrix, 0, or the order of the first leading minor that is not positive; that factor is NaN.
    """
    return CholeskyEx(*front("a", a).cholesky(a, upper, check_errors))


@operation(B="b", input="b", L="factor", input2="factor")
def cholesky_solve(b, factor, upper=False):
    """Solves a x = b, from factor = cholesky(a, upper=upper); LAPACK potrs.

    factor is (..., n, n), of which only one triangle is read; b is (..., n, nrhs) or one vector (n,). Batch dimensions
    broadcast. Like torch.cholesky_solve(). Differentiable in both operands.
    """
    return front("b", b).cholesky_solve(b, factor, upper)


@operation(L="factor", input="factor")
def cholesky_inverse(factor, upper=False):
    """The inverse of each matrix a, from factor = cholesky(a, upper=upper) (..., n, n); LAPACK potri.

    The result has both triangles; it is NaN where the factor has a zero on its diagonal. Like torch.cholesky_inverse().
    Differentiable.
    """
    return front("factor", factor).cholesky_inverse(factor, upper)


@operation(A="a", input="a")
def det(a):
    """The determinant (...) of each square matrix in `a` (..., n, n), by LU; 0 for singular matrices.

    Differentiable; at singular matrices, the first derivative only.
    """
    return front("a", a).det(a)


@operation(A="a", input="a")
def slogdet(a):
    """Sign and logarithm of the absolute value of each determinant: det(a) = sign exp(logabsdet), for `a` (..., n, n).

    sign (...) has the type of `a`: 1, -1, or a complex number of absolute value 1; logabsdet (...) is real. For
    singular matrices, sign is 0 and logabsdet is -inf. Neither overflows. Differentiable where `a` is not singular.
    """
    return SLogDet(*front("a", a).slogdet(a))


@operation(A="a", B="b", input="a", mat2="b", other="b")
def bmm(a, b):
    """The products (..., m, n) of the matrices in `a` (..., m, k) and `b` (..., k, n); BLAS gemm.

    Batch dimensions broadcast. As with torch.matmul() and numpy.matmul(), the result is row-major, and zero for k = 0.
    Row-major and column-major matrices, PyTorch's conjugate transposes of row-major matrices (x.mH), and matrices that
    are broadcast over the batch are read in place. Differentiable.
    """
    return front("a", a).bmm(a, b)
