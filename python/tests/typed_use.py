"""What type checkers make of the package: checked by mypy in test_package.py, never run."""
from typing import assert_type

import numpy as np
import numpy.typing as npt

import tephra

Matrix = npt.NDArray[np.float64]


def use(a: Matrix, b: Matrix) -> None:
    q, r = tephra.qr(a)
    assert_type(q, Matrix)
    assert_type(r, Matrix)
    assert_type(tephra.qr(a, "r").Q, None)
    assert_type(tephra.qr(a, mode="complete").R, Matrix)
    assert_type(tephra.geqrf(a), tuple[Matrix, Matrix])
    assert_type(tephra.lstsq(a, b).solution, Matrix)
    assert_type(tephra.lstsq(a, b, method="iterative").info, Matrix)
    assert_type(tephra.solve_triangular(a, b, upper=True), Matrix)
    assert_type(tephra.householder_product(a, b), Matrix)
    assert_type(tephra.ormqr(a, b, a, transpose=True), Matrix)
    lu, pivots = tephra.lu_factor(a)
    assert_type(tephra.lu_solve(lu, pivots, b, adjoint=True), Matrix)
    assert_type(tephra.solve(a, b, check_errors=True), Matrix)
    assert_type(tephra.inv(a), Matrix)
    assert_type(tephra.det(a), Matrix)
    assert_type(tephra.slogdet(a).logabsdet, Matrix)
    assert_type(tephra.bmm(a, b), Matrix)
    tephra.solve_triangular(a, b)  # type: ignore[call-arg]
    tephra.householder_product(a)  # type: ignore[call-arg]
