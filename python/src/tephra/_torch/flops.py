"""The operators' operation counts for torch.utils.flop_counter.FlopCounterMode. The counts are LAPACK's; a
multiplication and an addition count as one each, whether real or complex, as for torch.matmul."""
from __future__ import annotations

import math
import sys
from typing import Any


def _geqrf(m: int, n: int) -> int:
    return _orgqr(m, n, min(m, n))


def _orgqr(m: int, n: int, k: int) -> int:
    return 4 * m * n * k - 2 * (m + n) * k * k + 4 * k**3 // 3


def _getrf(m: int, n: int) -> int:
    k = min(m, n)
    return 2 * m * n * k - (m + n) * k * k + 2 * k**3 // 3


def _count(*shapes: Any) -> int:
    """The number of matrices in the broadcast batch of the operands."""
    import torch
    return math.prod(torch.broadcast_shapes(*(shape[:-2] for shape in shapes)))


def _qr(a: Any, mode: str, **_: Any) -> int:
    m, n = a[-2:]
    columns = 0 if mode == "r" else m if mode == "complete" else min(m, n)
    return _count(a) * (_geqrf(m, n) + (_orgqr(m, columns, min(m, n)) if columns else 0))


def _product(factors: Any, tau: Any, **_: Any) -> Any:
    return _count(factors, (*tau, 1)) * _orgqr(factors[-2], factors[-1], tau[-1])


def _ormqr(factors: Any, tau: Any, other: Any, left: bool, transpose: bool, **_: Any) -> Any:
    (m, n), k = other[-2:], tau[-1]
    return _count(factors, other) * 2 * k * (n * (2 * m - k) if left else m * (2 * n - k))


def _lstsq(a: Any, b: Any, *_: Any, **__: Any) -> Any:
    long, short, nrhs = max(a[-2:]), min(a[-2:]), b[-1]
    return _count(a, b) * (_geqrf(long, short) + nrhs * (2 * short * (2 * long - short) + short**2))


def _triangular(a: Any, b: Any, *_: Any, **__: Any) -> Any:
    return _count(a, b) * a[-1] * b[-2] * b[-1]


def _factor(a: Any, *_: Any, **__: Any) -> int:
    return _count(a) * _getrf(*a[-2:])


def _lu_solve(factors: Any, pivots: Any, b: Any, *_: Any, **__: Any) -> Any:
    return _count(factors, b) * 2 * b[-2] ** 2 * b[-1]


def _solve_factored(a: Any, factors: Any, pivots: Any, b: Any, *_: Any, **__: Any) -> Any:
    return _lu_solve(factors, pivots, b)


def _solve(a: Any, b: Any, *_: Any, **__: Any) -> Any:
    return _factor(a) + _count(a, b) * 2 * b[-2] ** 2 * b[-1]


def _cubes(numerator: int) -> Any:
    """The count numerator / 3 n^3 for matrices of order n."""
    return lambda a, *_, **__: _count(a) * numerator * a[-1] ** 3 // 3


def _cholesky_solve(factor: Any, b: Any, *_: Any, **__: Any) -> Any:
    return _count(factor, b) * 2 * b[-2] ** 2 * b[-1]


def _bmm(a: Any, b: Any, adjoint_a: bool, adjoint_b: bool, **_: Any) -> Any:
    m, k = a[-2:][::-1] if adjoint_a else a[-2:]
    return _count(a, b) * 2 * m * k * (b[-2] if adjoint_b else b[-1])


FORMULAS = {"qr": _qr, "geqrf": lambda a, **_: _count(a) * _geqrf(*a[-2:]), "householder_product": _product, "ormqr": _ormqr,
            "lstsq": _lstsq, "lstsq_iterative": _lstsq, "lstsq_gelsy": _lstsq, "geqp3": lambda a, **_: _count(a) * _geqrf(*a[-2:]), "solve_triangular": _triangular, "lu_factor": _factor,
            "lu_solve": _lu_solve, "solve_factored": _solve_factored,
            "solve": _solve, "inv": _cubes(6), "det": _factor, "slogdet": _factor, "cholesky": _cubes(1),
            "cholesky_solve": _cholesky_solve, "cholesky_inverse": _cubes(2), "bmm": _bmm}

_registered = False


def register() -> None:
    """Registers the counts if the process has imported the counter; importing it here would take a second."""
    global _registered
    counter = sys.modules.get("torch.utils.flop_counter")
    if _registered or counter is None or not hasattr(counter, "register_flop_formula"):
        return
    _registered = True
    import torch
    from torch.utils._python_dispatch import _get_current_dispatch_mode_stack
    # Counters that are active already have copied the table.
    tables = [getattr(getattr(mode, "counter", mode), "flop_registry", None) for mode in _get_current_dispatch_mode_stack()]
    for name, formula in FORMULAS.items():
        operator = getattr(torch.ops.tephra, name)
        counter.register_flop_formula(operator)(formula)
        for table in tables:
            if table is not None:
                table.setdefault(operator, counter.flop_registry[operator])
