"""Derivatives of matrix products op(a) op(b), with the conventions of formulas.py.

op is the conjugate transpose if `adjoint_...`.
"""
from __future__ import annotations

from typing import Any

from torch import Tensor

from .operators import operators as _ops


def bmm_backward_a(g: Tensor, b: Tensor, adjoint_a: bool, adjoint_b: bool) -> Tensor:
    """The gradient of a: g op(b)^H, or its conjugate transpose if `adjoint_a`."""
    ga: Tensor = _ops.bmm(b, g, adjoint_b, True) if adjoint_a else _ops.bmm(g, b, False, not adjoint_b)
    return ga


def bmm_backward_b(g: Tensor, a: Tensor, adjoint_a: bool, adjoint_b: bool) -> Tensor:
    """The gradient of b: op(a)^H g, or its conjugate transpose if `adjoint_b`."""
    gb: Tensor = _ops.bmm(g, a, True, adjoint_a) if adjoint_b else _ops.bmm(a, g, not adjoint_a, False)
    return gb


def bmm_jvp(da: Tensor | None, db: Tensor | None, a: Tensor, b: Tensor, adjoint_a: bool, adjoint_b: bool) -> Any:
    """The tangent of the product; a tangent of None stands for zero."""
    left = None if da is None else _ops.bmm(da, b, adjoint_a, adjoint_b)
    right = None if db is None else _ops.bmm(a, db, adjoint_a, adjoint_b)
    return right if left is None else left if right is None else left + right
