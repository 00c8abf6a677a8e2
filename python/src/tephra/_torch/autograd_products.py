"""Derivatives of matrix products, registered as in autograd.py."""
from __future__ import annotations

from typing import Any

from . import formulas_products as formulas
from .autograd import Operation, _sum_to_shape


class _Bmm(Operation):
    name = "bmm"
    saves = (0, 1)

    @staticmethod
    def saved_for_backward(ctx: Any, saved: list[Any]) -> list[Any]:
        # The gradient of each operand depends on the other operand only.
        return [x if ctx.needs_input_grad[1 - i] else None for i, x in enumerate(saved)]

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:  # type: ignore[override]
        a, b = ctx.saved_tensors
        ga = _sum_to_shape(formulas.bmm_backward_a(g, b, *ctx.options), ctx.shapes[0]) if ctx.needs_input_grad[0] else None
        gb = _sum_to_shape(formulas.bmm_backward_b(g, a, *ctx.options), ctx.shapes[1]) if ctx.needs_input_grad[1] else None
        return ga, gb, None, None

    @staticmethod
    def jvp(ctx: Any, da: Any, db: Any, *_: Any) -> Any:  # type: ignore[override]
        return formulas.bmm_jvp(da, db, *ctx.saved_tensors, *ctx.options)
