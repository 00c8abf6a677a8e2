"""Types of the public operations. Parameters are named as in numpy.linalg, or as in torch.linalg."""
from typing import Any, Generic, Literal, NamedTuple, TypeVar, overload

__all__ = ["LU", "QR", "CholeskyEx", "InvEx", "LUFactors", "LUFactorsEx", "LeastSquares", "LeastSquaresOfAnyRank",
           "PivotedFactors", "SLogDet", "SolveEx", "bmm", "cholesky", "cholesky_ex", "cholesky_inverse", "cholesky_solve", "det", "geqp3", "geqrf", "householder_product", "inv",
           "inv_ex", "lstsq", "lu", "lu_factor", "lu_factor_ex", "lu_solve", "matrix_rank", "ormqr", "pinv", "qr", "slogdet", "solve", "solve_ex",
           "solve_triangular"]

Array = TypeVar("Array")  # an array of PyTorch, CuPy, NumPy, JAX ...; results are of the operands' type
_Q = TypeVar("_Q")

# Arrays whose element type differs from the operands' are Any: in some libraries, such as NumPy, that is another type.

class QR(NamedTuple, Generic[_Q, Array]):
    Q: _Q
    R: Array

class LeastSquares(NamedTuple, Generic[Array]):
    solution: Array
    info: Any  # of integers

class LeastSquaresOfAnyRank(NamedTuple, Generic[Array]):
    solution: Array
    residuals: Any  # real
    rank: Any  # of integers

class PivotedFactors(NamedTuple, Generic[Array]):
    factors: Array
    tau: Array
    jpvt: Any  # of integers

class LUFactors(NamedTuple, Generic[Array]):
    LU: Array
    pivots: Any  # of integers

class LUFactorsEx(NamedTuple, Generic[Array]):
    LU: Array
    pivots: Any  # of integers
    info: Any  # of integers

class LU(NamedTuple, Generic[Array]):
    P: Array
    L: Array
    U: Array

class SolveEx(NamedTuple, Generic[Array]):
    result: Array
    info: Any  # of integers

class InvEx(NamedTuple, Generic[Array]):
    inverse: Array
    info: Any  # of integers

class CholeskyEx(NamedTuple, Generic[Array]):
    L: Array
    info: Any  # of integers

class SLogDet(NamedTuple, Generic[Array]):
    sign: Array
    logabsdet: Any  # real

@overload
def qr(a: Array, mode: Literal["reduced", "complete"] = ..., *, out: tuple[Any, ...] | None = ...) -> QR[Array, Array]: ...
@overload
def qr(a: Array, mode: Literal["r"], *, out: tuple[Any, ...] | None = ...) -> QR[None, Array]: ...
@overload
def qr(a: Array, mode: str, *, out: tuple[Any, ...] | None = ...) -> QR[Any, Array]: ...
@overload
def qr(*, A: Array, mode: str = ..., out: tuple[Any, ...] | None = ...) -> QR[Any, Array]: ...
@overload
def lstsq(a: Array, b: Array, method: Literal["direct", "iterative"] = ..., *, rcond: None = ...,
          driver: Literal["gels"] | None = ..., out: tuple[Any, ...] | None = ...) -> LeastSquares[Array]: ...
@overload
def lstsq(*, A: Array, B: Array, method: Literal["direct", "iterative"] = ..., rcond: None = ...,
          driver: Literal["gels"] | None = ..., out: tuple[Any, ...] | None = ...) -> LeastSquares[Array]: ...
@overload
def lstsq(a: Array, b: Array, method: Literal["direct"] = ..., *, rcond: float | None = ...,
          driver: Literal["gelsy"], out: tuple[Any, ...] | None = ...) -> LeastSquaresOfAnyRank[Array]: ...
@overload
def lstsq(*, A: Array, B: Array, method: Literal["direct"] = ..., rcond: float | None = ...,
          driver: Literal["gelsy"], out: tuple[Any, ...] | None = ...) -> LeastSquaresOfAnyRank[Array]: ...
@overload
def geqp3(a: Array, *, out: tuple[Any, ...] | None = ...) -> PivotedFactors[Array]: ...
@overload
def geqp3(*, input: Array, out: tuple[Any, ...] | None = ...) -> PivotedFactors[Array]: ...
@overload
def matrix_rank(a: Any, *, rcond: float | None = ..., out: Any | None = ...) -> Any: ...
@overload
def matrix_rank(*, A: Any, rcond: float | None = ..., out: Any | None = ...) -> Any: ...
@overload
def pinv(a: Array, *, rcond: float | None = ..., out: Array | None = ...) -> Array: ...
@overload
def pinv(*, A: Array, rcond: float | None = ..., out: Array | None = ...) -> Array: ...
@overload
def ormqr(factors: Array, tau: Array, other: Array, left: bool = ..., transpose: bool = ..., *, out: Array | None = ...) -> Array: ...
@overload
def ormqr(*, input: Array, tau: Array, other: Array, left: bool = ..., transpose: bool = ..., out: Array | None = ...) -> Array: ...
@overload
def cholesky_solve(b: Array, factor: Array, upper: bool = ..., *, out: Array | None = ...) -> Array: ...
@overload
def cholesky_solve(*, B: Array, L: Array, upper: bool = ..., out: Array | None = ...) -> Array: ...
@overload
def cholesky_inverse(factor: Array, upper: bool = ..., *, out: Array | None = ...) -> Array: ...
@overload
def cholesky_inverse(*, L: Array, upper: bool = ..., out: Array | None = ...) -> Array: ...
@overload
def geqrf(a: Array, *, out: tuple[Array, Array] | None = ...) -> tuple[Array, Array]: ...
@overload
def geqrf(*, A: Array, out: tuple[Array, Array] | None = ...) -> tuple[Array, Array]: ...
@overload
def lu_factor(a: Array, *, pivot: bool = ..., out: tuple[Any, ...] | None = ...) -> LUFactors[Array]: ...
@overload
def lu_factor(*, A: Array, pivot: bool = ..., out: tuple[Any, ...] | None = ...) -> LUFactors[Array]: ...
@overload
def lu_factor_ex(a: Array, *, pivot: bool = ..., check_errors: bool = ..., out: tuple[Any,
                 ...] | None = ...) -> LUFactorsEx[Array]: ...
@overload
def lu_factor_ex(*, A: Array, pivot: bool = ..., check_errors: bool = ..., out: tuple[Any,
                 ...] | None = ...) -> LUFactorsEx[Array]: ...
@overload
def lu(a: Array, *, pivot: bool = ..., out: tuple[Any, ...] | None = ...) -> LU[Array]: ...
@overload
def lu(*, A: Array, pivot: bool = ..., out: tuple[Any, ...] | None = ...) -> LU[Array]: ...
@overload
def inv(a: Array, *, check_errors: bool | None = ..., out: Array | None = ...) -> Array: ...
@overload
def inv(*, A: Array, check_errors: bool | None = ..., out: Array | None = ...) -> Array: ...
@overload
def inv_ex(a: Array, *, check_errors: bool = ..., out: tuple[Any, ...] | None = ...) -> InvEx[Array]: ...
@overload
def inv_ex(*, A: Array, check_errors: bool = ..., out: tuple[Any, ...] | None = ...) -> InvEx[Array]: ...
@overload
def cholesky(a: Array, *, upper: bool = ..., check_errors: bool | None = ..., out: Array | None = ...) -> Array: ...
@overload
def cholesky(*, A: Array, upper: bool = ..., check_errors: bool | None = ..., out: Array | None = ...) -> Array: ...
@overload
def cholesky_ex(a: Array, *, upper: bool = ..., check_errors: bool = ..., out: tuple[Any,
                ...] | None = ...) -> CholeskyEx[Array]: ...
@overload
def cholesky_ex(*, A: Array, upper: bool = ..., check_errors: bool = ..., out: tuple[Any,
                ...] | None = ...) -> CholeskyEx[Array]: ...
@overload
def det(a: Array, *, out: Array | None = ...) -> Array: ...
@overload
def det(*, A: Array, out: Array | None = ...) -> Array: ...
@overload
def slogdet(a: Array, *, out: tuple[Any, ...] | None = ...) -> SLogDet[Array]: ...
@overload
def slogdet(*, A: Array, out: tuple[Any, ...] | None = ...) -> SLogDet[Array]: ...
@overload
def solve_triangular(a: Array, b: Array, *, upper: bool, left: bool = ..., unitriangular: bool = ...,
                     out: Array | None = ...) -> Array: ...
@overload
def solve_triangular(*, A: Array, B: Array, upper: bool, left: bool = ..., unitriangular: bool = ...,
                     out: Array | None = ...) -> Array: ...
@overload
def solve(a: Array, b: Array, *, left: bool = ..., check_errors: bool | None = ..., out: Array | None = ...) -> Array: ...
@overload
def solve(*, A: Array, B: Array, left: bool = ..., check_errors: bool | None = ..., out: Array | None = ...) -> Array: ...
@overload
def solve_ex(a: Array, b: Array, *, left: bool = ..., check_errors: bool = ..., out: tuple[Any,
             ...] | None = ...) -> SolveEx[Array]: ...
@overload
def solve_ex(*, A: Array, B: Array, left: bool = ..., check_errors: bool = ..., out: tuple[Any,
             ...] | None = ...) -> SolveEx[Array]: ...
@overload
def lu_solve(LU: Array, pivots: Any, b: Array, *, left: bool = ..., adjoint: bool = ..., out: Array | None = ...) -> Array: ...
@overload
def lu_solve(*, LU: Array, pivots: Any, B: Array, left: bool = ..., adjoint: bool = ..., out: Array | None = ...) -> Array: ...
@overload
def householder_product(factors: Array, tau: Array, *, out: Array | None = ...) -> Array: ...
@overload
def householder_product(*, A: Array, tau: Array, out: Array | None = ...) -> Array: ...
@overload
def bmm(a: Array, b: Array, *, out: Array | None = ...) -> Array: ...
@overload
def bmm(*, input: Array, mat2: Array, out: Array | None = ...) -> Array: ...
