"""The operators torch.ops.tephra.*: schemas, kernels for the CPU and CUDA, kernels for fake tensors, vmap rules.

All are functional, broadcast the batch dimensions of their operands, and return new column-major tensors (bmm:
row-major).
"""
from __future__ import annotations

import re
from typing import Any, Callable

import torch
from torch import Tensor

from .. import _calls as calls
from .. import _cholesky as chol
from .. import _lu as lu
from .. import _products as products
from .. import _rank as rank
from .. import _shapes as shapes
from . import replay
from .tensors import Tensors, check, check_pivots, check_together, on_device

library = torch.library.Library("tephra", "DEF")  # the registrations live as long as this object

# The schema, and for each tensor operand the dimensions of one member of the batch: 2 for a matrix, 1 for a vector.
SCHEMAS: dict[str, tuple[str, tuple[int, ...]]] = {
    "qr": ("(Tensor a, str mode) -> (Tensor, Tensor)", (2,)),
    "geqrf": ("(Tensor a) -> (Tensor, Tensor)", (2,)),
    "householder_product": ("(Tensor factors, Tensor tau) -> Tensor", (2, 1)),
    "ormqr": ("(Tensor factors, Tensor tau, Tensor other, bool left, bool transpose) -> Tensor", (2, 1, 2)),
    "lstsq": ("(Tensor a, Tensor b) -> (Tensor, Tensor)", (2, 2)),
    "lstsq_iterative": ("(Tensor a, Tensor b) -> (Tensor, Tensor)", (2, 2)),
    "lstsq_gelsy": ("(Tensor a, Tensor b, float rcond) -> (Tensor, Tensor)", (2, 2)),
    "geqp3": ("(Tensor a) -> (Tensor, Tensor, Tensor)", (2,)),
    "solve_triangular": ("(Tensor a, Tensor b, bool upper, bool left, bool unitriangular, bool adjoint) -> Tensor", (2, 2)),
    "lu_factor": ("(Tensor a, bool check) -> (Tensor, Tensor, Tensor)", (2,)),
    "lu_solve": ("(Tensor factors, Tensor pivots, Tensor b, bool adjoint) -> Tensor", (2, 1, 2)),
    # lu_solve() whose derivatives are those of the matrix `a`, which has these factors.
    "solve_factored": ("(Tensor a, Tensor factors, Tensor pivots, Tensor b, bool adjoint) -> Tensor", (2, 2, 1, 2)),
    # Returns the solution, the factors and pivots, which the derivatives reuse, and info.
    "solve": ("(Tensor a, Tensor b, bool check) -> (Tensor, Tensor, Tensor, Tensor)", (2, 2)),
    "inv": ("(Tensor a, bool check) -> (Tensor, Tensor)", (2,)),
    "det": ("(Tensor a) -> (Tensor, Tensor, Tensor)", (2,)),
    "slogdet": ("(Tensor a) -> (Tensor, Tensor, Tensor, Tensor)", (2,)),
    "cholesky": ("(Tensor a, bool upper, bool check) -> (Tensor, Tensor)", (2,)),
    "cholesky_solve": ("(Tensor factor, Tensor b, bool upper) -> Tensor", (2, 2)),
    "cholesky_inverse": ("(Tensor factor, bool upper) -> Tensor", (2,)),
    "bmm": ("(Tensor a, Tensor b, bool adjoint_a, bool adjoint_b) -> Tensor", (2, 2)),
}


def run(call: Callable[..., Any], a: Tensor, *arguments: Any) -> Any:
    """Runs a function of _calls.py or its sibling modules on the device of its first operand."""
    x = replay.adapter()
    if on_device(a):
        return call(x, a, *arguments)
    with torch.cuda.device(a.device):
        return call(x, a, *arguments)


def _qr(a: Tensor, mode: str) -> tuple[Tensor, Tensor]:
    q, r = run(calls.qr, a, mode)
    return a.new_empty(0) if q is None else q, r


def checked(name: str, kernel: Callable[..., Any]) -> Callable[..., Any]:
    """Wraps a kernel to check its operands' types first. Operators can be called without the public functions' checks,
    and the library would access all operands in the first one's element type."""
    names = re.findall(r"Tensor (\w+)", SCHEMAS[name][0])
    first, others = names[0], tuple(enumerate(names))[1:]

    def kernel_of_checked(*arguments: Any) -> Any:
        check(first, arguments[0])
        for i, other in others:
            if other == "pivots":
                check_pivots(first, arguments[0], arguments[i])
            else:
                check_together(first, arguments[0], other, arguments[i])
        return kernel(*arguments)

    return kernel_of_checked


def _kernel(name: str) -> Callable[..., Any]:
    if name == "qr":
        return _qr
    call = next(getattr(module, name) for module in (calls, lu, chol, products, rank) if hasattr(module, name))
    return lambda a, *arguments: run(call, a, *arguments)


# ---- fake kernels, which compute only shapes and strides

def _fake_qr(a: Tensor, mode: str) -> tuple[Tensor, Tensor]:
    outer, m, n, inner = shapes.qr(a.shape, mode)
    q = a.new_empty(0) if mode == "r" else Tensors.columns(a, outer, m, inner)
    return q, Tensors.columns(a, outer, inner, n)


def _fake_geqrf(a: Tensor) -> tuple[Tensor, Tensor]:
    outer, m, n = shapes.matrix("a", a.shape)
    return Tensors.columns(a, outer, m, n), a.new_empty((*outer, min(m, n)))


def _fake_householder_product(factors: Tensor, tau: Tensor) -> Any:
    outer, m, n, _ = shapes.householder_product(factors.shape, tau.shape)
    return Tensors.columns(factors, outer, m, n)


def _fake_ormqr(factors: Tensor, tau: Tensor, other: Tensor, left: bool, transpose: bool) -> Any:
    outer, m, n, _ = shapes.ormqr(factors.shape, tau.shape, other.shape, left)
    return Tensors.columns(other, outer, m, n)


def _fake_lstsq(a: Tensor, b: Tensor) -> tuple[Tensor, Tensor]:
    outer, m, n, nrhs = shapes.lstsq(a.shape, b.shape)
    return Tensors.columns(a, outer, n, nrhs), a.new_empty(outer, dtype=torch.int32)


_fake_lstsq_iterative = _fake_lstsq


def _fake_lstsq_gelsy(a: Tensor, b: Tensor, rcond: float) -> tuple[Tensor, Tensor]:
    return _fake_lstsq(a, b)


def _fake_geqp3(a: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    return *_fake_geqrf(a), a.new_empty((*a.shape[:-2], a.shape[-1]), dtype=torch.int32)


def _fake_solve_triangular(a: Tensor, b: Tensor, upper: bool, left: bool, unitriangular: bool, adjoint: bool) -> Any:
    outer, m, n = shapes.solve_triangular(a.shape, b.shape, left)
    return Tensors.columns(b, outer, m, n)


def _fake_info(a: Tensor) -> Tensor:
    return a.new_empty(a.shape[:-2], dtype=torch.int32)


def _fake_lu_factor(a: Tensor, check: bool = False) -> tuple[Tensor, Tensor, Tensor]:
    outer, m, n = shapes.matrix("a", a.shape)
    return Tensors.columns(a, outer, m, n), a.new_empty((*outer, min(m, n)), dtype=torch.int32), _fake_info(a)


def _fake_lu_solve(factors: Tensor, pivots: Tensor, b: Tensor, adjoint: bool) -> Any:
    outer, n, nrhs = shapes.lu_solve(factors.shape, pivots.shape, b.shape)
    return Tensors.columns(b, outer, n, nrhs)


def _fake_solve_factored(a: Tensor, factors: Tensor, pivots: Tensor, b: Tensor, adjoint: bool) -> Any:
    return _fake_lu_solve(factors, pivots, b, adjoint)


def _fake_solve(a: Tensor, b: Tensor, check: bool) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    outer, n, nrhs = shapes.solve(a.shape, b.shape)
    return Tensors.columns(b, outer, n, nrhs), *_fake_lu_factor(a)


def _fake_square(a: Tensor) -> Tensor:
    outer, n = shapes.square("a", a.shape)
    columns: Tensor = Tensors.columns(a, outer, n, n)
    return columns


def _fake_inv(a: Tensor, check: bool) -> tuple[Tensor, Tensor]:
    return _fake_square(a), _fake_info(a)


def _fake_det(a: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    outer, _ = shapes.square("a", a.shape)
    return a.new_empty(outer), *_fake_lu_factor(a)[:2]


def _fake_slogdet(a: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    outer, _ = shapes.square("a", a.shape)
    return a.new_empty(outer), a.new_empty(outer, dtype=a.dtype.to_real()), *_fake_lu_factor(a)[:2]


def _fake_cholesky(a: Tensor, upper: bool, check: bool) -> Any:
    return _fake_inv(a, check)


def _fake_cholesky_solve(factor: Tensor, b: Tensor, upper: bool) -> Any:
    outer, n, nrhs = shapes.solve(factor.shape, b.shape)
    return Tensors.columns(b, outer, n, nrhs)


def _fake_cholesky_inverse(factor: Tensor, upper: bool) -> Any:
    return _fake_square(factor)


def _fake_bmm(a: Tensor, b: Tensor, adjoint_a: bool, adjoint_b: bool) -> Any:
    outer, m, n, _ = shapes.bmm(a.shape, b.shape, adjoint_a, adjoint_b)
    return a.new_empty((*outer, m, n))


# ---- vmap: the operators are already batched

def vmap_rule(name: str) -> Callable[..., Any]:
    """The vmap rule of an operator: moves the mapped dimension in front of the other batch dimensions."""
    operator, (_, cores) = getattr(torch.ops.tephra, name), SCHEMAS[name]

    def rule(info: Any, in_dims: tuple[int | None, ...], *arguments: Any) -> tuple[Any, Any]:
        count = len(cores)
        tensors, rest = arguments[:count], arguments[count:]
        ranks = [t.dim() - core - (d is not None) for t, core, d in zip(tensors, cores, in_dims)]
        moved = []
        for t, rank, d in zip(tensors, ranks, in_dims):
            if d is not None:
                t = t.movedim(d, 0)
                for _ in range(max(ranks) - rank):
                    t = t.unsqueeze(1)
            moved.append(t)
        result = operator(*moved, *rest)
        if not isinstance(result, tuple):
            return result, 0
        # The empty Q of mode "r" is not batched, nor are the factors if the matrix is not.
        if name == "qr" and rest[0] == "r":
            return result, (None, 0)
        if name == "solve" and in_dims[0] is None:
            return result, (0, None, None, None)
        return result, (0,) * len(result)

    return rule


# The checked kernels, and their fast paths, which return None where the operands are not plain tensors.
KERNELS: dict[str, Callable[..., Any]] = {}
FAST_KERNELS: dict[str, Callable[..., Any]] = {}

for _name, (_schema, _) in SCHEMAS.items():
    library.define(_name + _schema, tags=(torch.Tag.pt2_compliant_tag,))
    _checked = checked(_name, _kernel(_name))
    KERNELS[_name], FAST_KERNELS[_name] = _checked, replay.fast_path(_checked)
    for _key in ("CPU", "CUDA"):
        library.impl(_name, _checked, _key)
    torch.library.register_fake(f"tephra::{_name}", checked(_name, globals()[f"_fake_{_name}"]), lib=library)
for _name in SCHEMAS:
    torch.library.register_vmap(f"tephra::{_name}", vmap_rule(_name), lib=library)


class _Operators:
    """torch.ops.tephra for use in derivatives: takes the fast path where possible."""

    def __getattr__(self, name: str) -> Callable[..., Any]:
        operator, fast = getattr(torch.ops.tephra, name), FAST_KERNELS[name]

        def call(*arguments: Any) -> Any:
            if not torch.compiler.is_dynamo_compiling():
                done = fast(*arguments)
                if done is not None:
                    return done
            return operator(*arguments)

        setattr(self, name, call)
        return call


operators = _Operators()
