"""Forward- and reverse-mode derivatives of the operators, registered with PyTorch's dispatcher."""
from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from types import SimpleNamespace
from typing import Any

import torch
from torch import Tensor
from torch._C import _are_functorch_transforms_active as _transforms
from torch._functorch.utils import enable_single_level_autograd_function as _single_level
from torch.autograd import forward_ad
from torch.overrides import TorchFunctionMode

from . import formulas
from .operators import FAST_KERNELS, KERNELS, SCHEMAS, library
from .tensors import all_plain_memory

_below_autograd: Any = torch._C._AutoDispatchBelowAutograd


class _TephraMatmul(TorchFunctionMode):
    """A context in which a @ b is Tephra's product, computed in the operands' type. PyTorch's would be computed in a
    16-bit type under torch.autocast(), which cannot be switched off inside torch.func."""

    def __torch_function__(self, function: Any, types: Any, arguments: Any = (), named: Any = None) -> Any:
        if function is Tensor.matmul:  # what @ calls
            return torch.ops.tephra.bmm(*arguments, False, False)
        return function(*arguments, **(named or {}))


def _in_operands_type(device: str) -> AbstractContextManager[Any]:
    """The context in which derivatives of operands on this type of device are computed."""
    return _TephraMatmul() if device in ("cpu", "cuda") and torch.is_autocast_enabled(device) else nullcontext()


def _sum_to_shape(gradient: Tensor, shape: Any) -> Tensor:
    """Reduces the gradient of a broadcast operand to the operand's shape."""
    # Sizes are compared last: torch.compile() may not know them.
    return gradient if gradient.dim() == len(shape) and gradient.shape == shape else gradient.sum_to_size(shape)


def _tangents(shapes: Any, tangents: Any) -> list[Tensor]:
    """Replaces missing tangents by zeros of the operands' shapes; at least one tangent must be present."""
    like = next(t for t in tangents if t is not None)
    return [like.new_zeros(shape) if t is None else t for shape, t in zip(shapes, tangents)]


OPERATIONS: dict[str, Any] = {}  # the classes below, by operator name


class Operation(torch.autograd.function._SingleLevelFunction):
    """An operator with derivatives. A subclass declares the operator's name and which operands and results its
    derivatives use; only these are saved, and all others may be overwritten before the backward pass.

    This is a single-level Function: under torch.func the dispatcher has already chosen the level, as for PyTorch's own
    operators.
    """

    name: str
    # Compiled autograd's key of a node, which the single-level base class lacks.
    _compiled_autograd_key = getattr(torch.autograd.Function, "_compiled_autograd_key", None)

    saves: tuple[int, ...]  # what the derivatives use: indices into the tensor operands followed by the results
    constant: tuple[int, ...] = ()  # results without a derivative

    @staticmethod
    def saved_for_backward(ctx: Any, saved: list[Any]) -> list[Any]:
        """Replaces by None those of the saved tensors that the requested gradients do not need."""
        return saved

    def __init_subclass__(cls) -> None:
        name, tensors = cls.name, len(SCHEMAS[cls.name][1])
        operator, kernel, fast = getattr(torch.ops.tephra, name), KERNELS[name], FAST_KERNELS[name]
        OPERATIONS[name] = cls

        def forward(*arguments: Any) -> Any:
            if _transforms():
                # A Function switches derivatives off, but the levels below this one need theirs.
                with _below_autograd(), torch.enable_grad(), forward_ad._set_fwd_grad_enabled(True):
                    return operator(*arguments)
            done = fast(*arguments)
            if done is not None:
                return done
            if not torch._C._len_torch_dispatch_stack() and all_plain_memory(arguments):
                return kernel(*arguments)  # observers of operators have already seen this call
            with _below_autograd():
                return operator(*arguments)

        def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
            outputs = output if isinstance(output, tuple) else (output,)
            ctx.shapes, ctx.options = [x.shape for x in inputs[:tensors]], inputs[tensors:]
            ctx.device = inputs[0].device.type
            known = (*inputs[:tensors], *outputs)
            saved = [known[i] for i in cls.saves]
            ctx.save_for_backward(*cls.saved_for_backward(ctx, saved))
            # Always: in code compiled by torch.compile(), nothing tells whether it runs inside a dual level. PyTorch drops
            # these references when the call ends.
            ctx.save_for_forward(*saved)
            if cls.constant:
                ctx.mark_non_differentiable(*(output[i] for i in cls.constant))

        gradient, formula = cls.backward, cls.jvp

        def backward(ctx: Any, *gradients: Any) -> Any:
            with _in_operands_type(ctx.device):
                return gradient(ctx, *gradients)

        def jvp_of_levels(ctx: Any, *tangents: Any) -> Any:
            with _in_operands_type(ctx.device):
                if not _transforms():
                    return formula(ctx, *tangents)
                with torch.enable_grad(), forward_ad._set_fwd_grad_enabled(True):
                    # Strip this level's tangents, but keep those of the levels below. The number is 0 at all of them; the
                    # default, a variable of forward_ad, is not set in code compiled by torch.compile().
                    primals = [forward_ad.unpack_dual(x, level=0).primal for x in ctx.saved_tensors]
                    return formula(SimpleNamespace(saved_tensors=primals, shapes=ctx.shapes, options=ctx.options), *tangents)

        setattr(cls, "backward", staticmethod(backward))
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
    saves = (1, 2)

    @staticmethod
    def _check(mode: str, shape: Any) -> None:
        if mode == "r":
            raise RuntimeError("mode is 'r', but the derivative of qr() needs Q: use mode 'reduced'")
        if mode == "complete" and shape[-2] > shape[-1]:
            raise RuntimeError(f"mode is 'complete', in which qr() is differentiable only if a has no more rows than columns, but a "
                               f"is {shape[-2]} x {shape[-1]}: use mode 'reduced'")

    @staticmethod
    def backward(ctx: Any, gq: Any, gr: Any) -> Any:  # type: ignore[override]
        _Qr._check(ctx.options[0], ctx.shapes[0])
        q, r = ctx.saved_tensors
        return formulas.qr_backward(gq, gr, q, r), None

    @staticmethod
    def jvp(ctx: Any, da: Any, _mode: Any) -> Any:  # type: ignore[override]
        _Qr._check(ctx.options[0], ctx.shapes[0])
        q, r = ctx.saved_tensors
        return formulas.qr_jvp(da, q, r)


class _Geqrf(Operation):
    name = "geqrf"
    saves = (1, 2)

    @staticmethod
    def backward(ctx: Any, gfactors: Any, gtau: Any) -> Any:  # type: ignore[override]
        factors, tau = ctx.saved_tensors
        return formulas.geqrf_backward(gfactors, gtau, factors, tau)

    @staticmethod
    def jvp(ctx: Any, da: Any) -> Any:  # type: ignore[override]
        factors, tau = ctx.saved_tensors
        return formulas.geqrf_jvp(da, factors, tau)


class _HouseholderProduct(Operation):
    name = "householder_product"
    saves = (0, 1)

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:  # type: ignore[override]
        gradients = formulas.householder_product_backward(g, *ctx.saved_tensors)
        return tuple(map(_sum_to_shape, gradients, ctx.shapes))

    @staticmethod
    def jvp(ctx: Any, dfactors: Any, dtau: Any) -> Any:  # type: ignore[override]
        return formulas.householder_product_jvp(*_tangents(ctx.shapes, (dfactors, dtau)), *ctx.saved_tensors)


class _Ormqr(Operation):
    name = "ormqr"
    saves = (0, 1, 2)

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:  # type: ignore[override]
        gradients = formulas.ormqr_backward(g, *ctx.saved_tensors, *ctx.options)
        return (*map(_sum_to_shape, gradients, ctx.shapes), None, None)

    @staticmethod
    def jvp(ctx: Any, *tangents: Any) -> Any:
        return formulas.ormqr_jvp(*_tangents(ctx.shapes, tangents[:3]), *ctx.saved_tensors, *ctx.options)


class _Lstsq(Operation):
    name = "lstsq"
    saves = (0, 1, 2)
    constant = (1,)

    @staticmethod
    def backward(ctx: Any, g: Any, _ginfo: Any) -> Any:  # type: ignore[override]
        gradients = formulas.lstsq_backward(g, *ctx.saved_tensors)
        return tuple(map(_sum_to_shape, gradients, ctx.shapes))

    @staticmethod
    def jvp(ctx: Any, *tangents: Any) -> Any:
        return formulas.lstsq_jvp(*_tangents(ctx.shapes, tangents), *ctx.saved_tensors), None


class _LstsqIterative(Operation):
    name = "lstsq_iterative"
    saves = (0, 1, 2)
    constant = (1,)

    @staticmethod
    def backward(ctx: Any, g: Any, ginfo: Any) -> Any:  # type: ignore[override]
        return _Lstsq.backward(ctx, g, ginfo)

    @staticmethod
    def jvp(ctx: Any, *tangents: Any) -> Any:
        return formulas.lstsq_jvp(*_tangents(ctx.shapes, tangents), *ctx.saved_tensors), None


class _LstsqGelsy(Operation):
    name = "lstsq_gelsy"
    saves = (0, 1, 2)
    constant = (1,)

    @staticmethod
    def backward(ctx: Any, g: Any, _grank: Any) -> Any:  # type: ignore[override]
        gradients = formulas.lstsq_gelsy_backward(g, *ctx.saved_tensors, *ctx.options)
        return (*map(_sum_to_shape, gradients, ctx.shapes), None)

    @staticmethod
    def jvp(ctx: Any, *tangents: Any) -> Any:
        return formulas.lstsq_gelsy_jvp(*_tangents(ctx.shapes, tangents[:2]), *ctx.saved_tensors, *ctx.options), None


class _Geqp3(Operation):
    name = "geqp3"
    saves = (1, 2, 3)
    constant = (2,)

    @staticmethod
    def backward(ctx: Any, gfactors: Any, gtau: Any, _gjpvt: Any) -> Any:  # type: ignore[override]
        factors, tau, jpvt = ctx.saved_tensors
        permuted = formulas.geqrf_backward(gfactors, gtau, factors, tau)
        return formulas.columns(permuted, jpvt.argsort(-1))

    @staticmethod
    def jvp(ctx: Any, da: Any) -> Any:  # type: ignore[override]
        factors, tau, jpvt = ctx.saved_tensors
        return *formulas.geqrf_jvp(formulas.columns(da, jpvt.long() - 1), factors, tau), None


class _SolveTriangular(Operation):
    name = "solve_triangular"
    saves = (0, 2)

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:  # type: ignore[override]
        gradients = formulas.solve_triangular_backward(g, *ctx.saved_tensors, *ctx.options)
        return (*map(_sum_to_shape, gradients, ctx.shapes), None, None, None, None)

    @staticmethod
    def jvp(ctx: Any, *tangents: Any) -> Any:
        da, db = _tangents(ctx.shapes, tangents[:2])
        return formulas.solve_triangular_jvp(da, db, *ctx.saved_tensors, *ctx.options)
