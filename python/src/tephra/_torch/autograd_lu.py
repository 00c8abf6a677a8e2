"""Derivatives of LU, linear systems, inverses and determinants, registered as in autograd.py."""
from __future__ import annotations

from typing import Any

from . import formulas_lu as formulas
from .autograd import Operation, _sum_to_shape, _tangents


class _LuFactor(Operation):
    name = "lu_factor"
    saves = (1, 2)
    constant = (1, 2)

    @staticmethod
    def backward(ctx: Any, g: Any, *_: Any) -> Any:  # type: ignore[override]
        return formulas.lu_factor_backward(g, *ctx.saved_tensors), None

    @staticmethod
    def jvp(ctx: Any, da: Any, *_: Any) -> Any:  # type: ignore[override]
        return formulas.lu_factor_jvp(da, *ctx.saved_tensors), None, None


class _LuSolve(Operation):
    name = "lu_solve"
    saves = (0, 1, 3)

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:  # type: ignore[override]
        gfactors, gb = formulas.lu_solve_backward(g, *ctx.saved_tensors, *ctx.options)
        return _sum_to_shape(gfactors, ctx.shapes[0]), None, _sum_to_shape(gb, ctx.shapes[2]), None

    @staticmethod
    def jvp(ctx: Any, dfactors: Any, _dpivots: Any, db: Any, *_: Any) -> Any:  # type: ignore[override]
        dfactors, db = _tangents((ctx.shapes[0], ctx.shapes[2]), (dfactors, db))
        return formulas.lu_solve_jvp(dfactors, db, *ctx.saved_tensors, *ctx.options)


class _SolveFactored(Operation):
    name = "solve_factored"
    saves = (0, 1, 2, 4)

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:  # type: ignore[override]
        ga, gb = formulas.solve_factored_backward(g, *ctx.saved_tensors, *ctx.options)
        return _sum_to_shape(ga, ctx.shapes[0]), None, None, _sum_to_shape(gb, ctx.shapes[3]), None

    @staticmethod
    def jvp(ctx: Any, da: Any, _dfactors: Any, _dpivots: Any, db: Any, *_: Any) -> Any:  # type: ignore[override]
        da, db = _tangents((ctx.shapes[0], ctx.shapes[3]), (da, db))
        return formulas.solve_factored_jvp(da, db, *ctx.saved_tensors, *ctx.options)


class _Solve(Operation):
    name = "solve"
    saves = (0, 2, 3, 4)
    constant = (1, 2, 3)

    @staticmethod
    def backward(ctx: Any, g: Any, *_: Any) -> Any:  # type: ignore[override]
        gradients = formulas.solve_backward(g, *ctx.saved_tensors)
        return (*map(_sum_to_shape, gradients, ctx.shapes), None)

    @staticmethod
    def jvp(ctx: Any, da: Any, db: Any, *_: Any) -> Any:  # type: ignore[override]
        da, db = _tangents(ctx.shapes, (da, db))
        return formulas.solve_jvp(da, db, *ctx.saved_tensors), None, None, None


class _Inv(Operation):
    name = "inv"
    saves = (1,)
    constant = (1,)

    @staticmethod
    def backward(ctx: Any, g: Any, _ginfo: Any) -> Any:  # type: ignore[override]
        return formulas.inv_backward(g, *ctx.saved_tensors), None

    @staticmethod
    def jvp(ctx: Any, da: Any, *_: Any) -> Any:  # type: ignore[override]
        return formulas.inv_jvp(da, *ctx.saved_tensors), None


class _Det(Operation):
    name = "det"
    saves = (0, 1, 2, 3)
    constant = (1, 2)

    @staticmethod
    def backward(ctx: Any, g: Any, *_: Any) -> Any:  # type: ignore[override]
        return formulas.det_backward(g, *ctx.saved_tensors)

    @staticmethod
    def jvp(ctx: Any, da: Any) -> Any:  # type: ignore[override]
        return formulas.det_jvp(da, *ctx.saved_tensors), None, None


class _SLogDet(Operation):
    name = "slogdet"
    saves = (0, 1, 3, 4)
    constant = (2, 3)

    @staticmethod
    def backward(ctx: Any, gsign: Any, glog: Any, *_: Any) -> Any:  # type: ignore[override]
        return formulas.slogdet_backward(gsign, glog, *ctx.saved_tensors)

    @staticmethod
    def jvp(ctx: Any, da: Any) -> Any:  # type: ignore[override]
        return (*formulas.slogdet_jvp(da, *ctx.saved_tensors), None, None)
