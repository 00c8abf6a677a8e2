"""Derivatives of Cholesky factorisations, solutions and inverses, registered as in autograd.py."""
from __future__ import annotations

from typing import Any

from . import formulas_cholesky as formulas
from .autograd import Operation, _shaped, _tangents


class _Cholesky(Operation):
    name = "cholesky"

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:  # type: ignore[override]
        return formulas.cholesky_backward(g, ctx.saved_tensors[1], ctx.options[0]), None, None

    @staticmethod
    def jvp(ctx: Any, da: Any, *_: Any) -> Any:  # type: ignore[override]
        return formulas.cholesky_jvp(da, ctx.saved_tensors[1], ctx.options[0])


class _CholeskySolve(Operation):
    name = "cholesky_solve"

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:  # type: ignore[override]
        factor, b, x = ctx.saved_tensors
        gfactor, gb = formulas.cholesky_solve_backward(g, factor, x, *ctx.options)
        return _shaped(gfactor, factor), _shaped(gb, b), None

    @staticmethod
    def jvp(ctx: Any, dfactor: Any, db: Any, *_: Any) -> Any:  # type: ignore[override]
        factor, b, x = ctx.saved_tensors
        dfactor, db = _tangents((factor, b), (dfactor, db))
        return formulas.cholesky_solve_jvp(dfactor, db, factor, x, *ctx.options)


class _CholeskyInverse(Operation):
    name = "cholesky_inverse"

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:  # type: ignore[override]
        factor, x = ctx.saved_tensors
        return formulas.cholesky_inverse_backward(g, factor, x, *ctx.options), None

    @staticmethod
    def jvp(ctx: Any, dfactor: Any, *_: Any) -> Any:  # type: ignore[override]
        factor, x = ctx.saved_tensors
        return formulas.cholesky_inverse_jvp(dfactor, factor, x, *ctx.options)
