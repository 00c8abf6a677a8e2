"""Derivatives of products of matrices, registered as in autograd.py."""
from __future__ import annotations

from typing import Any

from . import formulas_products as formulas
from .autograd import Operation, _shaped


class _Bmm(Operation):
    name = "bmm"
    saves_results = False

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:  # type: ignore[override]
        a, b = ctx.saved_tensors
        ga = _shaped(formulas.bmm_backward_a(g, b, *ctx.options), a) if ctx.needs_input_grad[0] else None
        gb = _shaped(formulas.bmm_backward_b(g, a, *ctx.options), b) if ctx.needs_input_grad[1] else None
        return ga, gb, None, None

    @staticmethod
    def jvp(ctx: Any, da: Any, db: Any, *_: Any) -> Any:  # type: ignore[override]
        return formulas.bmm_jvp(da, db, *ctx.saved_tensors, *ctx.options)
