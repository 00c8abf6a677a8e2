"""Shapes of operands and results: checks that they fit together, and the errors raised where they do not.

Everything here works on shapes alone, so that it serves every array library and PyTorch's symbolic shapes.
"""
from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

Shape = tuple[int, ...]


def matrix(name: str, shape: Sequence[int]) -> tuple[Shape, int, int]:
    """(batch shape, rows, columns) of a batch of matrices."""
    if len(shape) < 2:
        raise ValueError(f"{name} has shape {tuple(shape)}, but needs at least 2 dimensions: the last two are the matrices'")
    return tuple(shape[:-2]), shape[-2], shape[-1]


def square(name: str, shape: Sequence[int]) -> tuple[Shape, int]:
    """(batch shape, order) of a batch of square matrices."""
    outer, order, columns = matrix(name, shape)
    if order != columns:
        raise ValueError(f"{name} holds {order} x {columns} matrices, but they must be square")
    return outer, order


def vector(name: str, shape: Sequence[int]) -> tuple[Shape, int]:
    """(batch shape, elements) of a batch of vectors."""
    if len(shape) < 1:
        raise ValueError(f"{name} has shape (), but needs at least 1 dimension: the last one is the vectors'")
    return tuple(shape[:-1]), shape[-1]


def broadcast(*operands: tuple[str, Shape]) -> Shape:
    """The batch shape that all operands' batch shapes broadcast to."""
    (first_name, common), *others = operands
    for name, outer in others:
        # Where nothing is broadcast, no sizes are compared: torch.compile() may not know them.
        if not common:
            first_name, common = name, outer
        elif outer and outer != common:
            size = max(len(common), len(outer))
            left, right = (1,) * (size - len(common)) + common, (1,) * (size - len(outer)) + outer
            if any(x != y and x != 1 and y != 1 for x, y in zip(left, right)):
                raise ValueError(f"{name} has batch dimensions {outer}, which do not broadcast with {common} of {first_name}")
            common = tuple(y if x == 1 else x for x, y in zip(left, right))
            first_name += f" and {name}"
    return common


def count(outer: Sequence[int]) -> int:
    """The number of matrices in a batch."""
    return math.prod(outer)


def qr(shape: Sequence[int], mode: str, *others: str) -> tuple[Shape, int, int, int]:
    """(batch shape, m, n, inner) of a QR factorisation; Q has `inner` columns and R `inner` rows. `others` are further
    modes that the caller has."""
    outer, m, n = matrix("a", shape)
    modes = ("reduced", "complete", "r", *others)
    if mode not in modes:
        raise ValueError(f"mode is {mode!r}, but must be {', '.join(map(repr, modes[:-1]))} or {modes[-1]!r}")
    return outer, m, n, m if mode == "complete" else min(m, n)


def reflectors(factors: Sequence[int], tau: Sequence[int]) -> tuple[Shape, int, int, int]:
    """(batch shape, rows, columns, k) of factors and their tau, whose k elements belong to k reflectors."""
    v_outer, rows, columns = matrix("factors", factors)
    t_outer, k = vector("tau", tau)
    if k > columns or k > rows:
        raise ValueError(f"tau has {k} elements, but may have at most {min(rows, columns)}, the smaller dimension of "
                         f"factors ({rows} x {columns})")
    return broadcast(("factors", v_outer), ("tau", t_outer)), rows, columns, k


def householder_product(factors: Sequence[int], tau: Sequence[int]) -> tuple[Shape, int, int, int]:
    """(batch shape, m, n, k) of a product of reflectors."""
    outer, m, n, k = reflectors(factors, tau)
    if n > m:
        raise ValueError(f"factors has {n} columns, but may have at most {m}, as many as rows")
    return outer, m, n, k


def ormqr(factors: Sequence[int], tau: Sequence[int], other: Sequence[int], left: bool) -> tuple[Shape, int, int, int]:
    """(batch shape, rows and columns of other, k) of a product with Q."""
    v_outer, order, _, k = reflectors(factors, tau)
    c_outer, m, n = matrix("other", other)
    if (m if left else n) != order:
        raise ValueError(f"other holds {m} x {n} matrices, but they must have {order} {'rows' if left else 'columns'}, "
                         f"as many as factors has rows")
    return broadcast(("factors", v_outer), ("other", c_outer)), m, n, k


def is_vector(a: Sequence[int], b: Sequence[int]) -> bool:
    """Whether the right-hand side `b` is one vector per matrix of `a`, by the rule of torch.linalg.solve().
    numpy.linalg, CuPy and JAX take only a one-dimensional `b` as a vector."""
    return len(b) == 1 or (len(b) == len(a) - 1 and tuple(b) == tuple(a[:-1]))


def no_vectors_on_the_left(vector: bool, left: bool) -> None:
    if vector and not left:
        raise ValueError("b is one vector per matrix, but with left=False it must hold matrices (..., nrhs, n)")


def _perhaps_vectors(a: Sequence[int], b: Sequence[int]) -> str:
    """What to add to the error for a `b` of the wrong height that would fit as one vector per matrix of `a`."""
    return "; one vector per matrix is b[..., None]" if len(a) > 2 and tuple(b) == tuple(a[:-1]) else ""


def lstsq(a: Sequence[int], b: Sequence[int]) -> tuple[Shape, int, int, int]:
    """(batch shape, m, n, nrhs) of a least squares problem; `b` holds matrices."""
    a_outer, m, n = matrix("a", a)
    b_outer, rows, nrhs = matrix("b", b)
    if rows != m:
        raise ValueError(f"b has {rows} rows, but must have {m}, as many as a{_perhaps_vectors(a, b)}")
    return broadcast(("a", a_outer), ("b", b_outer)), m, n, nrhs


def iterates(method: str) -> bool:
    """Whether lstsq()'s `method` asks for the iterative solver; ValueError for an unknown one."""
    if method not in ("direct", "iterative"):
        raise ValueError(f"method is {method!r}, but must be 'direct' or 'iterative'")
    return method == "iterative"


def gels(rcond: Any, driver: Any) -> None:
    """Checks lstsq()'s options where `driver` is not "gelsy"."""
    if driver not in (None, "gels"):
        raise ValueError(f"driver is {driver!r}, but must be 'gels' or 'gelsy'")
    if rcond is not None:
        raise ValueError(f"rcond is {rcond}, but driver 'gels' does not use it: pass driver='gelsy'")


def rcond(value: Any, name: str = "rcond") -> float:
    """`value` for the C interface, where a negative value stands for None, the default."""
    if value is None:
        return -1.0
    try:
        number = None if isinstance(value, (str, bytes)) else float(value)  # float() would read text
    except OverflowError:  # an integer or a fraction beyond the range of float
        number = float("inf") if value > 0 else float("-inf")
    except (TypeError, ValueError):
        number = None
    if number is None:
        raise TypeError(f"{name} is {value!r}, but must be a number or None")
    if number != number:  # not math.isnan(), which torch.compile() cannot trace
        raise ValueError(f"{name} is {number}, but must be a number or None")
    return number


def rows_that_count(m: int, rcond: float) -> int:
    """How many of a matrix's m rows matrix_rank() and pinv() pass to gelsy, which finds at least rank 1 in any that is not
    zero. With rcond >= 1 no singular value exceeds rcond times the largest: numpy.linalg and torch.linalg find rank 0."""
    return m if rcond < 1 else 0


def solve_triangular(a: Sequence[int], b: Sequence[int], left: bool) -> tuple[Shape, int, int]:
    """(batch shape, rows and columns of b) of a triangular system."""
    a_outer, order = square("a", a)
    b_outer, m, n = matrix("b", b)
    if (m if left else n) != order:
        raise ValueError(f"b holds {m} x {n} matrices, but they must have {order} {'rows' if left else 'columns'}, the order of a")
    return broadcast(("a", a_outer), ("b", b_outer)), m, n


def lu_solve(factors: Sequence[int], pivots: Sequence[int], b: Sequence[int], left: bool = True) -> tuple[Shape, int, int]:
    """(batch shape, order, nrhs) of a linear system given by its LU factors."""
    a_outer, order = square("LU", factors)
    p_outer, count = vector("pivots", pivots)
    b_outer, *sizes = matrix("b", b)
    rows, nrhs = sizes if left else sizes[::-1]
    if count != order:
        raise ValueError(f"pivots has {count} elements, but must have {order}, the order of LU")
    if rows != order:
        raise ValueError(f"b has {rows} {'rows' if left else 'columns'}, but must have {order}, the order of LU")
    return broadcast(("LU", a_outer), ("pivots", p_outer), ("b", b_outer)), order, nrhs


def solve(a: Sequence[int], b: Sequence[int], left: bool = True) -> tuple[Shape, int, int]:
    """(batch shape, order, nrhs) of a linear system; `b` holds matrices."""
    a_outer, order = square("a", a)
    b_outer, *sizes = matrix("b", b)
    rows, nrhs = sizes if left else sizes[::-1]
    if rows != order:
        vectors = _perhaps_vectors(a, b) if left else ""
        raise ValueError(f"b has {rows} {'rows' if left else 'columns'}, but must have {order}, the order of a{vectors}")
    return broadcast(("a", a_outer), ("b", b_outer)), order, nrhs


def bmm(a: Sequence[int], b: Sequence[int], adjoint_a: bool, adjoint_b: bool) -> tuple[Shape, int, int, int]:
    """(batch shape, m, n, k) of a product of m x k and k x n matrices, each of them conjugate transposed if
    `adjoint_...`."""
    a_outer, m, k = matrix("a", a)
    b_outer, rows, n = matrix("b", b)
    if adjoint_a:
        m, k = k, m
    if adjoint_b:
        rows, n = n, rows
    if rows != k:
        raise ValueError(f"b has {rows} rows, but must have {k}, as many as a has columns")
    return broadcast(("a", a_outer), ("b", b_outer)), m, n, k


def column_major(outer: Sequence[int], m: int, n: int) -> Shape:
    """Strides, in elements, of a contiguous batch of column-major matrices."""
    ld = m if m > 1 else 1
    step = ld * n if n > 1 else ld
    if len(outer) == 1:
        return step, 1, ld
    strides = [1, ld]
    for size in reversed(outer):
        strides.insert(0, step)
        step *= max(size, 1)
    return tuple(strides)
