"""The public functions on PyTorch's tensors: plain calls go straight to the library, all others through the operators."""
from __future__ import annotations

from typing import Any

import torch
from torch.autograd import forward_ad
from torch.compiler import is_compiling

from .. import _calls as calls
from .. import _cholesky as chol
from .. import _lu as lu
from .. import _products as products
from .. import _shapes as shapes
from . import autograd_cholesky as _autograd_cholesky  # registers the derivatives, those of autograd.py with them
from . import autograd_lu as _autograd
from . import autograd_products as _autograd_products
from .operators import run
from .tensors import LETTERS, check, check_pivots, check_together

_ops: Any = torch.ops.tephra
_grad_enabled: Any = torch.is_grad_enabled
_STRIDED = torch.strided
_ORDINARY: tuple[Any, ...] = (torch.Tensor, torch.nn.Parameter)

try:
    # What PyTorch's own Python asks; each costs less than a tenth of a microsecond.
    from torch._C import _are_functorch_transforms_active as _transforms
    from torch._C import _get_tracing_state as _tracing
    from torch._C import _len_torch_dispatch_stack as _modes
    forward_ad._current_level
except (ImportError, AttributeError):  # a PyTorch that calls them otherwise: everything goes through the operators
    _ORDINARY = ()


def _usual() -> bool:
    """Whether nothing on this thread wants to see operators: no mode, transformation, trace or dual level."""
    return not (_modes() or _transforms() or forward_ad._current_level >= 0 or _tracing())


def _plain(a: Any) -> bool:
    """Whether a tensor is just memory: no derivative is wanted, and nothing is to be resolved (conjugates, minus signs, and
    the zeros without memory that derivatives are made of)."""
    return (type(a) in _ORDINARY and not (a.requires_grad and _grad_enabled()) and a.dtype in LETTERS
            and (a.is_cuda or a.is_cpu) and a.layout is _STRIDED and not a.is_conj() and not a.is_neg() and not a._is_zerotensor())


def _together(first_name: str, first: Any, **others: Any) -> None:
    check(first_name, first)
    for name, other in others.items():
        if not isinstance(other, torch.Tensor):
            raise TypeError(f"{name} is a {type(other).__name__}, {first_name} a torch.Tensor: one kind is needed")
        check_together(first_name, first, name, other)


def _alike(a: Any, b: Any) -> bool:
    """Whether b goes with a, where both are plain."""
    return a.dtype is b.dtype and a.get_device() == b.get_device()


def qr(a: Any, mode: str) -> tuple[Any, Any]:
    if not is_compiling() and _usual() and _plain(a):
        result: tuple[Any, Any] = run(calls.qr, a, mode)
        return result
    check("a", a)
    shapes.qr(a.shape, mode)
    q, r = _ops.qr(a, mode)
    return None if mode == "r" else q, r


def geqrf(a: Any) -> tuple[Any, Any]:
    if not is_compiling() and _usual() and _plain(a):
        result: tuple[Any, Any] = run(calls.geqrf, a)
        return result
    check("a", a)
    shapes.matrix("a", a.shape)
    factors, tau = _ops.geqrf(a)
    return factors, tau


def householder_product(factors: Any, tau: Any) -> Any:
    if not is_compiling() and _usual() and _plain(factors) and _plain(tau) and _alike(factors, tau):
        return run(calls.householder_product, factors, tau)
    _together("factors", factors, tau=tau)
    shapes.householder_product(factors.shape, tau.shape)
    return _ops.householder_product(factors, tau)


def ormqr(factors: Any, tau: Any, other: Any, left: bool, transpose: bool) -> Any:
    if (not is_compiling() and _usual() and _plain(factors) and _plain(tau) and _plain(other) and _alike(factors, tau)
            and _alike(factors, other)):
        return run(calls.ormqr, factors, tau, other, left, transpose)
    _together("factors", factors, tau=tau, other=other)
    shapes.ormqr(factors.shape, tau.shape, other.shape, left)
    return _ops.ormqr(factors, tau, other, left, transpose)


def lstsq(a: Any, b: Any, method: str) -> tuple[Any, Any]:
    iterative = shapes.iterates(method)
    if not is_compiling() and _usual() and _plain(a) and _plain(b) and _alike(a, b):
        vector = shapes.is_vector(a.shape, b.shape)
        x, info = run(calls.lstsq_iterative if iterative else calls.lstsq, a, b.unsqueeze(-1) if vector else b)
    else:
        _together("a", a, b=b)
        vector = shapes.is_vector(a.shape, b.shape)
        b = b.unsqueeze(-1) if vector else b
        shapes.lstsq(a.shape, b.shape)
        x, info = (_ops.lstsq_iterative if iterative else _ops.lstsq)(a, b)
    return x.squeeze(-1) if vector else x, info


def solve_triangular(a: Any, b: Any, upper: bool, left: bool, unitriangular: bool) -> Any:
    adjoint = False
    if not is_compiling() and a.dim() > 1 and a.is_conj() and _usual():
        # A conjugate view, such as x.mH, is read where it is.
        a, upper, adjoint = a.mH, not upper, True
    if not is_compiling() and _usual() and _plain(a) and _plain(b) and _alike(a, b):
        return run(calls.solve_triangular, a, b, upper, left, unitriangular, adjoint)
    _together("a", a, b=b)
    shapes.solve_triangular(a.shape, b.shape, left)
    return _ops.solve_triangular(a, b, upper, left, unitriangular, adjoint)


def lu_factor(a: Any) -> tuple[Any, Any]:
    if not is_compiling() and _usual() and _plain(a):
        result: tuple[Any, Any] = run(lu.lu_factor, a)
        return result
    check("a", a)
    shapes.matrix("a", a.shape)
    factors, pivots = _ops.lu_factor(a)
    return factors, pivots


def _check_pivots(factors: Any, pivots: Any) -> None:
    if not isinstance(pivots, torch.Tensor):
        raise TypeError(f"pivots is a {type(pivots).__name__}, LU a torch.Tensor: one kind is needed")
    check_pivots("LU", factors, pivots)


def lu_solve(factors: Any, pivots: Any, b: Any, left: bool, adjoint: bool) -> Any:
    _together("LU", factors, b=b)
    _check_pivots(factors, pivots)
    if not left:
        # The conjugate transposes of both sides have the matrix on the left.
        if b.dim() > 1:
            b = b.mH
        adjoint = not adjoint
    shapes.lu_solve(factors.shape, pivots.shape, b.shape)
    if not is_compiling() and _usual() and _plain(factors) and type(pivots) in _ORDINARY and _plain(b):
        x = run(lu.lu_solve, factors, pivots, b, adjoint)
    else:
        x = _ops.lu_solve(factors, pivots, b, adjoint)
    return x if left else x.mH.resolve_conj()


def _checks(a: Any, check_errors: bool | None) -> bool:
    """Whether singular matrices are an error: by default where looking for them waits for nothing."""
    return a.device.type == "cpu" if check_errors is None else check_errors


def solve(a: Any, b: Any, check_errors: bool | None) -> Any:
    if not is_compiling() and _usual() and _plain(a) and _plain(b) and _alike(a, b):
        vector = shapes.is_vector(a.shape, b.shape)
        x, _, _ = run(lu.solve, a, b.unsqueeze(-1) if vector else b, _checks(a, check_errors))
    else:
        _together("a", a, b=b)
        vector = shapes.is_vector(a.shape, b.shape)
        b = b.unsqueeze(-1) if vector else b
        shapes.solve(a.shape, b.shape)
        x, _, _ = _ops.solve(a, b, _checks(a, check_errors))
    return x.squeeze(-1) if vector else x


def inv(a: Any, check_errors: bool | None) -> Any:
    if not is_compiling() and _usual() and _plain(a):
        return run(lu.inv, a, _checks(a, check_errors))
    check("a", a)
    shapes.square("a", a.shape)
    return _ops.inv(a, _checks(a, check_errors))


def cholesky(a: Any, upper: bool, check_errors: bool | None) -> Any:
    if not is_compiling() and _usual() and _plain(a):
        return run(chol.cholesky, a, upper, _checks(a, check_errors))
    check("a", a)
    shapes.square("a", a.shape)
    return _ops.cholesky(a, upper, _checks(a, check_errors))


def cholesky_solve(b: Any, factor: Any, upper: bool) -> Any:
    if not is_compiling() and _usual() and _plain(factor) and _plain(b) and _alike(factor, b):
        return run(chol.cholesky_solve, factor, b, upper)
    _together("b", b, factor=factor)
    shapes.solve(factor.shape, b.shape)
    return _ops.cholesky_solve(factor, b, upper)


def cholesky_inverse(factor: Any, upper: bool) -> Any:
    if not is_compiling() and _usual() and _plain(factor):
        return run(chol.cholesky_inverse, factor, upper)
    check("factor", factor)
    shapes.square("factor", factor.shape)
    return _ops.cholesky_inverse(factor, upper)


def det(a: Any) -> Any:
    if not is_compiling() and _usual() and _plain(a):
        return run(lu.det, a)[0]
    check("a", a)
    shapes.square("a", a.shape)
    return _ops.det(a)[0]


def slogdet(a: Any) -> tuple[Any, Any]:
    if not is_compiling() and _usual() and _plain(a):
        sign, log, *_ = run(lu.slogdet, a)
        return sign, log
    check("a", a)
    shapes.square("a", a.shape)
    sign, log, *_ = _ops.slogdet(a)
    return sign, log


def _unconjugated(a: Any) -> tuple[Any, bool]:
    """Matrices as they lie in memory, and whether the conjugate transpose of them is meant: of views such as x.mH."""
    return (a.mH, True) if isinstance(a, torch.Tensor) and a.dim() > 1 and a.is_conj() else (a, False)


def bmm(a: Any, b: Any) -> Any:
    adjoint_a = adjoint_b = False
    if not is_compiling() and _usual():
        (a, adjoint_a), (b, adjoint_b) = _unconjugated(a), _unconjugated(b)
        if _plain(a) and _plain(b) and _alike(a, b):
            return run(products.bmm, a, b, adjoint_a, adjoint_b)
    _together("a", a, b=b)
    shapes.bmm(a.shape, b.shape, adjoint_a, adjoint_b)
    return _ops.bmm(a, b, adjoint_a, adjoint_b)
