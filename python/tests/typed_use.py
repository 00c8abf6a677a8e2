"""Tests the package's type annotations: test_package.py checks this file with mypy; it is never run."""
from typing import Any, assert_type

import numpy as np
import numpy.typing as npt

import tephra

Matrix = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int32]


def use(a: Matrix, b: Matrix) -> None:
    q, r = tephra.qr(a)
    assert_type(q, Matrix)
    assert_type(r, Matrix)
    assert_type(tephra.qr(a, "r").Q, None)
    assert_type(tephra.qr(a, mode="complete").R, Matrix)
    assert_type(tephra.geqrf(a), tuple[Matrix, Matrix])
    assert_type(tephra.lstsq(a, b).solution, Matrix)
    assert_type(tephra.lstsq(a, b, method="iterative").info, Any)
    assert_type(tephra.solve_triangular(a, b, upper=True), Matrix)
    assert_type(tephra.householder_product(a, b), Matrix)
    assert_type(tephra.ormqr(a, b, a, transpose=True), Matrix)
    lu, pivots = tephra.lu_factor(a)
    assert_type(tephra.lu_solve(lu, pivots, b, adjoint=True), Matrix)
    assert_type(tephra.solve(a, b, check_errors=True), Matrix)
    assert_type(tephra.inv(a), Matrix)
    assert_type(tephra.det(a), Matrix)
    assert_type(tephra.slogdet(a).sign, Matrix)
    assert_type(tephra.bmm(a, b), Matrix)
    assert_type(tephra.lu(a).P, Matrix)
    assert_type(tephra.lu_factor_ex(a).LU, Matrix)
    assert_type(tephra.solve_ex(a, b, left=False).result, Matrix)
    assert_type(tephra.inv_ex(a, check_errors=True).inverse, Matrix)
    assert_type(tephra.cholesky_ex(a, upper=True).L, Matrix)
    assert_type(tephra.matrix_power(a, -2), Matrix)
    assert_type(tephra.multi_dot([a, b, a]), Matrix)
    assert_type(tephra.tensorsolve(a, b), Matrix)
    assert_type(tephra.tensorinv(a, ind=1), Matrix)
    assert_type(tephra.solve(A=a, B=b), Matrix)  # torch.linalg's names
    assert_type(tephra.solve_triangular(A=a, B=b, upper=True, out=b), Matrix)
    assert_type(tephra.lstsq(a, b, out=(b, a)).solution, Matrix)
    assert_type(tephra.lstsq(A=a, B=b, driver="gelsy", out=(b, a, a)).rank, Any)
    assert_type(tephra.qr(a, "r", out=(None, a)).R, Matrix)
    assert_type(tephra.solve(a, B=b), Matrix)
    assert_type(tephra.lu_solve(lu, pivots, B=b), Matrix)
    assert_type(tephra.lstsq(a, B=b).solution, Matrix)
    assert_type(tephra.bmm(a, mat2=b), Matrix)
    assert_type(tephra.bmm(input=a, other=b), Matrix)
    assert_type(tephra.qr(input=a).R, Matrix)
    assert_type(tephra.geqrf(input=a), tuple[Matrix, Matrix])
    assert_type(tephra.geqp3(A=a).tau, Matrix)
    assert_type(tephra.det(input=a), Matrix)
    assert_type(tephra.slogdet(input=a).sign, Matrix)
    assert_type(tephra.pinv(input=a), Matrix)
    assert_type(tephra.matrix_rank(input=a), Any)
    assert_type(tephra.cholesky(input=a), Matrix)
    assert_type(tephra.cholesky_solve(input=b, input2=a), Matrix)
    assert_type(tephra.cholesky_solve(b, L=a), Matrix)
    assert_type(tephra.cholesky_inverse(input=a), Matrix)
    assert_type(tephra.householder_product(input=a, tau=b), Matrix)
    assert_type(tephra.matrix_power(A=a, n=2), Matrix)
    assert_type(tephra.multi_dot(tensors=[a, b]), Matrix)
    assert_type(tephra.tensorsolve(A=a, B=b, dims=(0,)), Matrix)
    assert_type(tephra.tensorsolve(a, b, axes=(0,)), Matrix)
    assert_type(tephra.tensorinv(A=a, ind=1), Matrix)
    tephra.solve_triangular(a, b)  # type: ignore[call-overload]
    tephra.householder_product(a)  # type: ignore[call-overload]


def other_element_types(a: Matrix, c: npt.NDArray[np.complex128], b: Matrix) -> Matrix:
    pivots: Integers = tephra.lu_factor(a).pivots
    codes: Integers = tephra.lstsq(a, b).info
    logs: Matrix = tephra.slogdet(c).logabsdet
    solution = tephra.lu_solve(tephra.lu_factor(a).LU, pivots, b)
    assert_type(solution, Matrix)
    return solution * logs * codes
