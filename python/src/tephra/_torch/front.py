"""The public functions for PyTorch tensors: plain calls go straight to the library, all others through the
operators."""
from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

import torch
from torch.autograd import forward_ad
from torch.compiler import is_compiling

from .. import _calls as calls
from .. import _cholesky as chol
from .. import _entry as entry
from .. import _lu as lu
from .. import _products as products
from .. import _rank as rank
from .. import _shapes as shapes
from . import autograd_cholesky as _autograd_cholesky  # registers the derivatives, those of autograd.py with them
from . import autograd_lu as _autograd
from . import autograd_products as _autograd_products
from . import flops, replay
from .autograd import OPERATIONS
from .operators import run
from .tensors import HALVES, check, check_pivots, check_together, is_plain_memory

_ops: Any = torch.ops.tephra
_grad_enabled: Any = torch.is_grad_enabled
_PLAIN_TYPES: tuple[Any, ...] = (torch.Tensor, torch.nn.Parameter)
_DTYPES = frozenset((torch.float32, torch.float64, torch.complex64, torch.complex128))

try:
    # PyTorch's own Python code uses these; each takes less than a tenth of a microsecond.
    from torch._C import _are_functorch_transforms_active as _transforms
    from torch._C import _get_tracing_state as _tracing
    from torch._C import _len_torch_dispatch_stack as _modes
    from torch._C._autograd import _profiler_enabled as _profiled
    forward_ad._current_level
except (ImportError, AttributeError):  # this PyTorch names them differently: everything goes through the operators
    _PLAIN_TYPES = ()


def _unobserved() -> bool:
    """Whether nothing on this thread observes operators: no mode, transformation, trace, profiler or dual level."""
    return not (_modes() or _transforms() or forward_ad._current_level >= 0 or _tracing() or _profiled())


def _same_type_and_device(a: Any, b: Any) -> bool:
    """Whether two plain tensors have the same element type and device."""
    return a.dtype is b.dtype and a.get_device() == b.get_device()


def _autocast_to_single(a: Any) -> Any:
    """Converts a 16-bit tensor to single precision under torch.autocast(), as torch.linalg does."""
    return a.float() if _is_half(a) and _autocasts(a) else a


def _autocasts(a: Any) -> bool:
    """Whether torch.autocast() is on for the tensor's device."""
    return a.device.type != "meta" and bool(torch.is_autocast_enabled(a.device.type))


def _is_half(a: Any) -> bool:
    return getattr(a, "dtype", None) in HALVES and isinstance(a, torch.Tensor) and a.device.type in ("cpu", "cuda", "meta")


def _keeps_half(a: Any) -> bool:
    """Whether the results of an operation on this tensor are to have its 16-bit type."""
    return _is_half(a) and not _autocasts(a)


def operands(halves: bool = False, **named: Any) -> list[Any]:
    """Checks that the operands are tensors of one element type and device, and returns them, under torch.autocast() in
    single precision; `halves` allows 16-bit types."""
    (first_name, first), *others = zip(named, map(_autocast_to_single, named.values()))
    check(first_name, first, halves)
    for name, other in others:
        if not isinstance(other, torch.Tensor):
            raise TypeError(f"{name} is a {type(other).__name__}, but {first_name} is a torch.Tensor: both must be of the same library")
        check_together(first_name, first, name, other)
    return [first, *(other for _, other in others)]


def _run_half(function: Any, operands: tuple[Any, ...], call: Any) -> Any:
    """Runs an operation on 16-bit tensors by the library's functions for them. If derivatives are needed or something
    else observes the operators, calls `function` on the operands in single precision instead and rounds its results."""
    plain = (not is_compiling() and bool(_PLAIN_TYPES) and _unobserved()
             and all(is_plain_memory(a, HALVES) for a in operands))
    if plain and not (_grad_enabled() and any(a.requires_grad for a in operands)):
        return run(call, *operands)
    results = function(*(a.float() if _is_half(a) else a for a in operands))
    if not isinstance(results, tuple):
        return results.to(operands[0].dtype)
    return tuple(r.to(operands[0].dtype) if isinstance(r, torch.Tensor) and r.is_floating_point() else r for r in results)


_OPERATORS, _DIRECT, _AUTOGRAD = None, True, False


def _choose_path(first_name: str, first: Any, **others: Any) -> tuple[Any, Any]:
    """Checks the operands and chooses how to make the call: directly to the library (`_DIRECT`), directly to the
    autograd Function (`_AUTOGRAD`), or through the dispatcher (`_OPERATORS`) if something may observe the operators.
    Returns that path and the operands."""
    given = [_autocast_to_single(first), *map(_autocast_to_single, others.values())]
    first = given[0]
    if not is_compiling() and _unobserved():
        plain, wanted = bool(_PLAIN_TYPES) and getattr(first, "dtype", None) in _DTYPES, _grad_enabled()
        derivatives = False
        for a in given:
            if not isinstance(a, torch.Tensor) or not is_plain_memory(a) or not _same_type_and_device(first, a):
                plain = False
                break
            derivatives = derivatives or (wanted and a.requires_grad)
        if plain:
            return _AUTOGRAD if derivatives else _DIRECT, given
    return _OPERATORS, operands(**dict(zip((first_name, *others), given)))


def _operator(path: Any, name: str, *arguments: Any) -> Any:
    """Calls an operator, or its autograd Function directly if `path` is _AUTOGRAD."""
    if path is _AUTOGRAD:
        return OPERATIONS[name].apply(*arguments)
    if not is_compiling():
        flops.register()
    return getattr(_ops, name)(*arguments)


def qr(a: Any, mode: str) -> tuple[Any, Any]:
    if _keeps_half(a):
        factors: tuple[Any, Any] = _run_half(lambda a: qr(a, mode), (a,), lambda x, a: calls.qr(x, a, mode))
        return factors
    path, (a,) = _choose_path("a", a)
    if path is _DIRECT:
        result: tuple[Any, Any] = run(calls.qr, a, mode)
        return result
    shapes.qr(a.shape, mode)
    q, r = _operator(path, "qr", a, mode)
    return None if mode == "r" else q, r


def geqrf(a: Any) -> tuple[Any, Any]:
    if _keeps_half(a):
        packed: tuple[Any, Any] = _run_half(geqrf, (a,), calls.geqrf)
        return packed
    path, (a,) = _choose_path("a", a)
    if path is _DIRECT:
        result: tuple[Any, Any] = run(calls.geqrf, a)
        return result
    shapes.matrix("a", a.shape)
    factors, tau = _operator(path, "geqrf", a)
    return factors, tau


def householder_product(factors: Any, tau: Any) -> Any:
    path, (factors, tau) = _choose_path("factors", factors, tau=tau)
    if path is _DIRECT:
        return run(calls.householder_product, factors, tau)
    shapes.householder_product(factors.shape, tau.shape)
    return _operator(path, "householder_product", factors, tau)


def ormqr(factors: Any, tau: Any, other: Any, left: bool, transpose: bool) -> Any:
    path, (factors, tau, other) = _choose_path("factors", factors, tau=tau, other=other)
    if path is _DIRECT:
        return run(calls.ormqr, factors, tau, other, left, transpose)
    shapes.ormqr(factors.shape, tau.shape, other.shape, left)
    return _operator(path, "ormqr", factors, tau, other, left, transpose)


def lstsq(a: Any, b: Any, method: str, vector: bool | None = None) -> tuple[Any, Any]:
    iterative = shapes.iterates(method)
    path, (a, b) = _choose_path("a", a, b=b)
    vector = shapes.is_vector(a.shape, b.shape) if vector is None else vector
    if path is _DIRECT:
        solve = calls.lstsq_iterative if iterative else calls.lstsq
        result: tuple[Any, Any] = run(lambda x, a: calls.with_vectors(solve, x, a, b, vector), a)
        return result
    b = b.unsqueeze(-1) if vector else b
    shapes.lstsq(a.shape, b.shape)
    x, info = _operator(path, "lstsq_iterative" if iterative else "lstsq", a, b)
    return x.squeeze(-1) if vector else x, info


def lstsq_gelsy(a: Any, b: Any, rcond: float, vector: bool | None = None) -> tuple[Any, Any]:
    path, (a, b) = _choose_path("a", a, b=b)
    vector = shapes.is_vector(a.shape, b.shape) if vector is None else vector
    if path is _DIRECT:
        result: tuple[Any, Any] = run(lambda x, a: calls.with_vectors(rank.lstsq_gelsy, x, a, b, vector, rcond), a)
        return result
    b = b.unsqueeze(-1) if vector else b
    shapes.lstsq(a.shape, b.shape)
    x, ranks = _operator(path, "lstsq_gelsy", a, b, float(rcond))
    return x.squeeze(-1) if vector else x, ranks


def pinv(a: Any, rcond: float) -> Any:
    a, = operands(a=a)
    _, m, _ = shapes.matrix("a", a.shape)
    rows = shapes.rows_that_count(m, rcond)
    identity = a.new_ones(m).diag().narrow(0, 0, rows)
    return lstsq_gelsy(a.narrow(-2, 0, rows), identity, rcond, False)[0]


def geqp3(a: Any) -> tuple[Any, Any, Any]:
    path, (a,) = _choose_path("a", a)
    if path is _DIRECT:
        result: tuple[Any, Any, Any] = run(rank.geqp3, a)
        return result
    shapes.matrix("a", a.shape)
    factors, tau, jpvt = _operator(path, "geqp3", a)
    return factors, tau, jpvt


def solve_triangular(a: Any, b: Any, upper: bool, left: bool, unitriangular: bool) -> Any:
    adjoint = False
    if not is_compiling() and a.dim() > 1 and a.is_conj() and _unobserved():
        # Read a conjugated view, such as x.mH, in place.
        a, upper, adjoint = a.mH, not upper, True
    path, (a, b) = _choose_path("a", a, b=b)
    if path is _DIRECT:
        return run(calls.solve_triangular, a, b, upper, left, unitriangular, adjoint)
    shapes.solve_triangular(a.shape, b.shape, left)
    return _operator(path, "solve_triangular", a, b, upper, left, unitriangular, adjoint)


def lu_factor(a: Any, check_errors: bool) -> tuple[Any, Any, Any]:
    path, (a,) = _choose_path("a", a)
    if path is _DIRECT:
        result: tuple[Any, Any, Any] = run(lu.lu_factor, a, check_errors)
        return result
    shapes.matrix("a", a.shape)
    factors, pivots, info = _operator(path, "lu_factor", a, check_errors)
    return factors, pivots, info


def plu(a: Any) -> tuple[Any, Any, Any]:
    path, (a,) = _choose_path("a", a)
    if path is _DIRECT:
        result: tuple[Any, Any, Any] = run(lu.lu, a)
        return result
    factors, pivots, _ = lu_factor(a, False)
    p, lower, upper = torch.lu_unpack(factors, pivots)
    return p, lower, upper


def lu_solve(factors: Any, pivots: Any, b: Any, left: bool, adjoint: bool) -> Any:
    path, (factors, b) = _choose_path("LU", factors, b=b)
    if not isinstance(pivots, torch.Tensor):
        raise TypeError(f"pivots is a {type(pivots).__name__}, but LU is a torch.Tensor: both must be of the same library")
    check_pivots("LU", factors, pivots)
    vector = b.dim() == 1
    shapes.no_vectors_on_the_left(vector, left)
    if path is _AUTOGRAD and not (left and type(pivots) in _PLAIN_TYPES):
        path = _OPERATORS
    if path is _DIRECT and left and type(pivots) in _PLAIN_TYPES:
        shapes.lu_solve(factors.shape, pivots.shape, (*b.shape, 1) if vector else b.shape)
        return run(lambda x, f: lu.lu_solve_either(x, f, pivots, b, vector, adjoint), factors)
    if vector:
        b = b.unsqueeze(-1)
    shapes.lu_solve(factors.shape, pivots.shape, b.shape, left)
    if not left:
        # Taking the conjugate transpose of both sides moves the matrix to the left.
        b, adjoint = b.mT.conj_physical(), not adjoint
    x = _operator(path, "lu_solve", factors, pivots, b, adjoint)
    x = x.squeeze(-1) if vector else x
    return x if left else x.mT.conj_physical()


def _checks(a: Any, check_errors: bool | None) -> bool:
    """Whether singular matrices raise an error; by default they do where the check needs no synchronisation."""
    return a.device.type == "cpu" if check_errors is None else check_errors


def solve(a: Any, b: Any, left: bool, check_errors: bool | None, vector: bool | None = None) -> tuple[Any, Any]:
    if _keeps_half(a):
        a, b = operands(halves=True, a=a, b=b)
        is_vector = shapes.is_vector(a.shape, b.shape) if vector is None else vector
        shapes.no_vectors_on_the_left(is_vector, left)
        if not left:
            shapes.solve(a.shape, b.shape, False)
        checks = _checks(a, check_errors)
        solved: tuple[Any, Any] = _run_half(lambda a, b: solve(a, b, left, check_errors, vector), (a, b),
                                           lambda x, a, b: lu.solve_either(x, a, b, is_vector, left, checks))
        return solved
    path, (a, b) = _choose_path("a", a, b=b)
    vector = shapes.is_vector(a.shape, b.shape) if vector is None else vector
    shapes.no_vectors_on_the_left(vector, left)
    if not left:
        shapes.solve(a.shape, b.shape, False)
    if path is _DIRECT:
        result: tuple[Any, Any] = run(lambda x, a: lu.solve_either(x, a, b, vector, left, _checks(a, check_errors)), a)
        return result
    b = b.unsqueeze(-1) if vector else b
    if not left:
        a, b = a.mT, b.mT
    shapes.solve(a.shape, b.shape)
    x, _, _, info = _operator(path, "solve", a, b, _checks(a, check_errors))
    return x.squeeze(-1) if vector else x if left else x.mT, info


def inv(a: Any, check_errors: bool | None) -> tuple[Any, Any]:
    path, (a,) = _choose_path("a", a)
    if path is _DIRECT:
        result: tuple[Any, Any] = run(lu.inv, a, _checks(a, check_errors))
        return result
    shapes.square("a", a.shape)
    x, info = _operator(path, "inv", a, _checks(a, check_errors))
    return x, info


def cholesky(a: Any, upper: bool, check_errors: bool | None) -> tuple[Any, Any]:
    if _keeps_half(a):
        checks = _checks(a, check_errors)
        found: tuple[Any, Any] = _run_half(lambda a: cholesky(a, upper, check_errors), (a,),
                                          lambda x, a: chol.cholesky(x, a, upper, checks))
        return found
    path, (a,) = _choose_path("a", a)
    if path is _DIRECT:
        result: tuple[Any, Any] = run(chol.cholesky, a, upper, _checks(a, check_errors))
        return result
    shapes.square("a", a.shape)
    factor, info = _operator(path, "cholesky", a, upper, _checks(a, check_errors))
    return factor, info


def cholesky_solve(b: Any, factor: Any, upper: bool) -> Any:
    path, (b, factor) = _choose_path("b", b, factor=factor)
    vector = b.dim() == 1
    if path is _DIRECT:
        return run(lambda x, b: chol.cholesky_solve_either(x, factor, b, vector, upper), b)
    b = b.unsqueeze(-1) if vector else b
    shapes.solve(factor.shape, b.shape)
    x = _operator(path, "cholesky_solve", factor, b, upper)
    return x.squeeze(-1) if vector else x


def cholesky_inverse(factor: Any, upper: bool) -> Any:
    path, (factor,) = _choose_path("factor", factor)
    if path is _DIRECT:
        return run(chol.cholesky_inverse, factor, upper)
    shapes.square("factor", factor.shape)
    return _operator(path, "cholesky_inverse", factor, upper)


def det(a: Any) -> Any:
    path, (a,) = _choose_path("a", a)
    if path is _DIRECT:
        return run(lu.det, a)[0]
    shapes.square("a", a.shape)
    return _operator(path, "det", a)[0]


def slogdet(a: Any) -> tuple[Any, Any]:
    path, (a,) = _choose_path("a", a)
    shapes.square("a", a.shape)
    sign, log, *_ = run(lu.slogdet, a) if path is _DIRECT else _operator(path, "slogdet", a)
    return sign, log


def _unconjugated(a: Any) -> tuple[Any, bool]:
    """For a conjugated view such as x.mH, returns the matrices in memory and True; for other tensors, themselves and
    False."""
    return (a.mH, True) if isinstance(a, torch.Tensor) and a.dim() > 1 and a.is_conj() else (a, False)


def bmm(a: Any, b: Any) -> Any:
    if _keeps_half(a):
        a, b = operands(halves=True, a=a, b=b)
        shapes.bmm(a.shape, b.shape, False, False)
        if a.is_cuda:
            return torch.matmul(a, b)  # PyTorch's product, which uses tensor cores
        return _run_half(bmm, (a, b), lambda x, a, b: products.bmm(x, a, b, False, False))
    adjoint_a = adjoint_b = False
    if not is_compiling() and _unobserved():
        (a, adjoint_a), (b, adjoint_b) = _unconjugated(a), _unconjugated(b)
    path, (a, b) = _choose_path("a", a, b=b)
    if path is _DIRECT:
        return run(products.bmm, a, b, adjoint_a, adjoint_b)
    shapes.bmm(a.shape, b.shape, adjoint_a, adjoint_b)
    return _operator(path, "bmm", a, b, adjoint_a, adjoint_b)


def check_out(out: Any, result: Any, operands: Sequence[Any]) -> None:
    """Checks an `out` tensor by PyTorch's rules: it must have the result's type and device."""
    if not isinstance(result, torch.Tensor):
        raise TypeError(f"out is a torch.Tensor, but the result is a {type(result).__name__}: both must be of the same library")
    if torch.is_grad_enabled() and any(isinstance(a, torch.Tensor) and a.requires_grad for a in (out, result, *operands)):
        raise RuntimeError("out= is not supported with derivatives: an operand or out requires grad")
    check_together("the result", result, "out", out)


def put(out: Any, result: Any) -> Any:
    """Copies the result into an `out` tensor, which is resized if its shape differs."""
    if out.shape != result.shape:
        out.resize_(result.shape)
    return out.copy_(result)


if replay.native is not None and _PLAIN_TYPES:
    entry.enable_fast_path(torch.compiler.is_dynamo_compiling, replay.fast_path)
if "torch.utils.flop_counter" in sys.modules:
    flops.register()
