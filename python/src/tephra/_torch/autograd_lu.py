"""Derivatives of LU, linear systems, inverses and determinants, registered as in autograd.py."""
from __future__ import annotations

from typing import Any

from . import formulas_lu as formulas
from .autograd import Operation, _shaped, _tangents


class _LuFactor(Operation):
    name = "lu_factor"
    constant = (1,)

    @staticmethod
    def backward(ctx: Any, g: Any, _gpivots: Any) -> Any:  # type: ignore[override]
        _, factors, pivots = ctx.saved_tensors
        return formulas.lu_factor_backward(g, factors, pivots)

    @staticmethod
    def jvp(ctx: Any, da: Any) -> Any:  # type: ignore[override]
        _, factors, pivots = ctx.saved_tensors
        return formulas.lu_factor_jvp(da, factors, pivots), None


class _LuSolve(Operation):
    name = "lu_solve"

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:  # type: ignore[override]
        factors, pivots, b, x = ctx.saved_tensors
        gfactors, gb = formulas.lu_solve_backward(g, factors, pivots, b, x, *ctx.options)
        return _shaped(gfactors, factors), None, _shaped(gb, b), None

    @staticmethod
    def jvp(ctx: Any, dfactors: Any, _dpivots: Any, db: Any, *_: Any) -> Any:  # type: ignore[override]
        factors, pivots, b, x = ctx.saved_tensors
        dfactors, db = _tangents((factors, b), (dfactors, db))
        return formulas.lu_solve_jvp(dfactors, db, factors, pivots, b, x, *ctx.options)


class _Solve(Operation):
    name = "solve"
    constant = (1, 2)

    @staticmethod
    def backward(ctx: Any, g: Any, *_: Any) -> Any:  # type: ignore[override]
        a, b, x, factors, pivots = ctx.saved_tensors
        ga, gb = formulas.solve_backward(g, a, x, factors, pivots)
        return _shaped(ga, a), _shaped(gb, b), None

    @staticmethod
    def jvp(ctx: Any, da: Any, db: Any, *_: Any) -> Any:  # type: ignore[override]
        a, b, x, factors, pivots = ctx.saved_tensors
        da, db = _tangents((a, b), (da, db))
        return formulas.solve_jvp(da, db, a, x, factors, pivots), None, None


class _Inv(Operation):
    name = "inv"

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:  # type: ignore[override]
        return formulas.inv_backward(g, ctx.saved_tensors[1]), None

    @staticmethod
    def jvp(ctx: Any, da: Any, *_: Any) -> Any:  # type: ignore[override]
        return formulas.inv_jvp(da, ctx.saved_tensors[1])


class _Det(Operation):
    name = "det"
    constant = (1, 2)

    @staticmethod
    def backward(ctx: Any, g: Any, *_: Any) -> Any:  # type: ignore[override]
        return formulas.det_backward(g, *ctx.saved_tensors)

    @staticmethod
    def jvp(ctx: Any, da: Any) -> Any:  # type: ignore[override]
        return formulas.det_jvp(da, *ctx.saved_tensors), None, None


class _SLogDet(Operation):
    name = "slogdet"
    constant = (2, 3)

    @staticmethod
    def backward(ctx: Any, gsign: Any, glog: Any, *_: Any) -> Any:  # type: ignore[override]
        a, sign, _log, factors, pivots = ctx.saved_tensors
        return formulas.slogdet_backward(gsign, glog, a, sign, factors, pivots)

    @staticmethod
    def jvp(ctx: Any, da: Any) -> Any:  # type: ignore[override]
        a, sign, _log, factors, pivots = ctx.saved_tensors
        return (*formulas.slogdet_jvp(da, a, sign, factors, pivots), None, None)
