"""Derivatives of Cholesky factorisation, solutions and inverses, registered as in autograd.py."""
from __future__ import annotations

from typing import Any

from . import formulas_cholesky as formulas
from .autograd import Operation, _sum_to_shape, _tangents


class _Cholesky(Operation):
    name = "cholesky"
    saves = (1,)
    constant = (1,)

    @staticmethod
    def backward(ctx: Any, g: Any, _ginfo: Any) -> Any:  # type: ignore[override]
        return formulas.cholesky_backward(g, ctx.saved_tensors[0], ctx.options[0]), None, None

    @staticmethod
    def jvp(ctx: Any, da: Any, *_: Any) -> Any:  # type: ignore[override]
        return formulas.cholesky_jvp(da, ctx.saved_tensors[0], ctx.options[0]), None


class _CholeskySolve(Operation):
    name = "cholesky_solve"
    saves = (0, 2)

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:  # type: ignore[override]
        gradients = formulas.cholesky_solve_backward(g, *ctx.saved_tensors, *ctx.options)
        return (*map(_sum_to_shape, gradients, ctx.shapes), None)

    @staticmethod
    def jvp(ctx: Any, dfactor: Any, db: Any, *_: Any) -> Any:  # type: ignore[override]
        dfactor, db = _tangents(ctx.shapes, (dfactor, db))
        return formulas.cholesky_solve_jvp(dfactor, db, *ctx.saved_tensors, *ctx.options)


class _CholeskyInverse(Operation):
    name = "cholesky_inverse"
    saves = (0, 1)

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:  # type: ignore[override]
        return formulas.cholesky_inverse_backward(g, *ctx.saved_tensors, *ctx.options), None

    @staticmethod
    def jvp(ctx: Any, dfactor: Any, *_: Any) -> Any:  # type: ignore[override]
        return formulas.cholesky_inverse_jvp(dfactor, *ctx.saved_tensors, *ctx.options)
