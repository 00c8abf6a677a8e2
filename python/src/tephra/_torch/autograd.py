"""Derivatives of the operators, forwards and backwards, registered with PyTorch's dispatcher."""
from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import torch
from torch import Tensor
from torch._C import _are_functorch_transforms_active as _transforms
from torch._functorch.utils import enable_single_level_autograd_function as _single_level
from torch.autograd import forward_ad

from . import formulas
from .operators import SCHEMAS, library

_below_autograd: Any = torch._C._AutoDispatchBelowAutograd


def _shaped(gradient: Tensor, like: Tensor) -> Tensor:
    """The gradient of an operand that was broadcast."""
    return gradient if gradient.shape == like.shape else gradient.sum_to_size(like.shape)


def _tangents(operands: Any, tangents: Any) -> list[Tensor]:
    return [torch.zeros_like(x) if t is None else t for x, t in zip(operands, tangents)]


class Operation(torch.autograd.function._SingleLevelFunction):
    """An operator with derivatives. Subclasses have its name.

    Of a single level: under torch.func the dispatcher has chosen the level before it comes here, as for PyTorch's own
    operators.
    """

    name: str
    constant: tuple[int, ...] = ()  # results without a derivative
    saves_results = True  # whether the derivatives use them

    def __init_subclass__(cls) -> None:
        name, tensors = cls.name, len(SCHEMAS[cls.name][1])
        operator = getattr(torch.ops.tephra, name)

        def forward(*arguments: Any) -> Any:
            if _transforms():
                # Derivatives are off inside of a Function. The levels below this one want theirs.
                with _below_autograd(), torch.enable_grad(), forward_ad._set_fwd_grad_enabled(True):
                    return operator(*arguments)
            with _below_autograd():
                return operator(*arguments)

        def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
            outputs = output if isinstance(output, tuple) else (output,)
            ctx.options = inputs[tensors:]
            saved = (*inputs[:tensors], *outputs) if cls.saves_results else inputs[:tensors]
            ctx.save_for_backward(*saved)
            ctx.save_for_forward(*saved)
            ctx.mark_non_differentiable(*(output[i] for i in cls.constant))

        formula = cls.jvp

        def jvp_of_levels(ctx: Any, *tangents: Any) -> Any:
            if not _transforms():
                return formula(ctx, *tangents)
            with torch.enable_grad(), forward_ad._set_fwd_grad_enabled(True):
                # Without this level's tangents, with those of the levels below.
                primals = [forward_ad.unpack_dual(x).primal for x in ctx.saved_tensors]
                return formula(SimpleNamespace(saved_tensors=primals, options=ctx.options), *tangents)

        setattr(cls, "jvp", staticmethod(jvp_of_levels))
        setattr(cls, "forward", staticmethod(forward))
        setattr(cls, "setup_context", staticmethod(setup_context))

        def dispatched(*arguments: Any) -> Any:
            if _transforms():
                with _single_level():
                    return cls.apply(*arguments)
            return cls.apply(*arguments)

        library.impl(cls.name, dispatched, "Autograd")


class _Qr(Operation):
    name = "qr"

    @staticmethod
    def _check(mode: str, a: Tensor) -> None:
        if mode == "r":
            raise RuntimeError("mode is 'r': the derivative of qr() needs Q, mode 'reduced' makes it")
        if mode == "complete" and a.shape[-2] > a.shape[-1]:
            raise RuntimeError(f"mode is 'complete' and a has {a.shape[-2]} rows: qr() is differentiable with at most "
                               f"{a.shape[-1]}, its columns; mode 'reduced' always is")

    @staticmethod
    def backward(ctx: Any, gq: Any, gr: Any) -> Any:  # type: ignore[override]
        a, q, r = ctx.saved_tensors
        _Qr._check(ctx.options[0], a)
        return formulas.qr_backward(gq, gr, q, r), None

    @staticmethod
    def jvp(ctx: Any, da: Any, _mode: Any) -> Any:  # type: ignore[override]
        a, q, r = ctx.saved_tensors
        _Qr._check(ctx.options[0], a)
        return formulas.qr_jvp(da, q, r)


class _Geqrf(Operation):
    name = "geqrf"

    @staticmethod
    def backward(ctx: Any, gfactors: Any, gtau: Any) -> Any:  # type: ignore[override]
        _, factors, tau = ctx.saved_tensors
        return formulas.geqrf_backward(gfactors, gtau, factors, tau)

    @staticmethod
    def jvp(ctx: Any, da: Any) -> Any:  # type: ignore[override]
        _, factors, tau = ctx.saved_tensors
        return formulas.geqrf_jvp(da, factors, tau)


class _HouseholderProduct(Operation):
    name = "householder_product"

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:  # type: ignore[override]
        factors, tau, _ = ctx.saved_tensors
        gfactors, gtau = formulas.householder_product_backward(g, factors, tau)
        return _shaped(gfactors, factors), _shaped(gtau, tau)

    @staticmethod
    def jvp(ctx: Any, dfactors: Any, dtau: Any) -> Any:  # type: ignore[override]
        operands = ctx.saved_tensors[:2]
        return formulas.householder_product_jvp(*_tangents(operands, (dfactors, dtau)), *operands)


class _Ormqr(Operation):
    name = "ormqr"

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:  # type: ignore[override]
        operands = ctx.saved_tensors[:3]
        gradients = formulas.ormqr_backward(g, *operands, *ctx.options)
        return (*(_shaped(x, like) for x, like in zip(gradients, operands)), None, None)

    @staticmethod
    def jvp(ctx: Any, *tangents: Any) -> Any:
        operands = ctx.saved_tensors[:3]
        return formulas.ormqr_jvp(*_tangents(operands, tangents), *operands, *ctx.options)


class _Lstsq(Operation):
    name = "lstsq"
    constant = (1,)

    @staticmethod
    def backward(ctx: Any, g: Any, _ginfo: Any) -> Any:  # type: ignore[override]
        a, b, x, _ = ctx.saved_tensors
        ga, gb = formulas.lstsq_backward(g, a, b, x)
        return _shaped(ga, a), _shaped(gb, b)

    @staticmethod
    def jvp(ctx: Any, *tangents: Any) -> Any:
        a, b, x, _ = ctx.saved_tensors
        da, db = _tangents((a, b), tangents)
        return formulas.lstsq_jvp(da, db, a, b, x), None


class _LstsqIterative(Operation):
    name = "lstsq_iterative"
    constant = (1,)

    @staticmethod
    def backward(ctx: Any, g: Any, ginfo: Any) -> Any:  # type: ignore[override]
        return _Lstsq.backward(ctx, g, ginfo)

    @staticmethod
    def jvp(ctx: Any, *tangents: Any) -> Any:
        a, b, x, _ = ctx.saved_tensors
        da, db = _tangents((a, b), tangents)
        return formulas.lstsq_jvp(da, db, a, b, x), None


class _SolveTriangular(Operation):
    name = "solve_triangular"

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:  # type: ignore[override]
        a, b, x = ctx.saved_tensors
        ga, gb = formulas.solve_triangular_backward(g, a, x, *ctx.options)
        return _shaped(ga, a), _shaped(gb, b), None, None, None, None

    @staticmethod
    def jvp(ctx: Any, *tangents: Any) -> Any:
        a, b, x = ctx.saved_tensors
        da, db = _tangents((a, b), tangents)
        return formulas.solve_triangular_jvp(da, db, a, x, *ctx.options)
