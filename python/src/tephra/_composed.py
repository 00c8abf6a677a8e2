"""Functions of torch.linalg composed of the other operations: powers, chains of products, and tensor equations."""
from __future__ import annotations

import math
import operator
import sys
from collections.abc import Iterable
from typing import Any

from . import _shapes as shapes
from ._entry import operation
from ._fronts import front
from ._operations import bmm, inv, solve

__all__ = ["matrix_power", "multi_dot", "tensorinv", "tensorsolve"]


def _integer(name: str, value: Any) -> int:
    """`value` as Python's own integer, whose arithmetic does not overflow."""
    try:
        return operator.index(value)
    except TypeError:
        raise TypeError(f"{name} is {value!r}, but must be an integer") from None


def _dimensions(dims: Iterable[Any], a: Any) -> list[int]:
    """Dimensions of `a`, counted from 0; negative ones count from the end. Errors are those of the array's library."""
    rank = len(a.shape)
    found: list[int] = []
    error = IndexError if _is_tensor(a) else ValueError
    for given in dims:
        d = _integer("dims", given)
        if not -rank <= d < rank:
            raise error(f"dims has {d}, but must be from {-rank} to {rank - 1}: a has {rank} dimensions")
        if d % rank in found:
            raise error(f"dims names dimension {d} twice, counted from either end")
        found.append(d % rank)
    return found


def _is_tensor(a: Any) -> bool:
    """Whether an array is a PyTorch tensor."""
    return hasattr(a, "new_empty")


def _permute_dims(a: Any, order: Any) -> Any:
    """Permutes the dimensions of an array."""
    return a.permute(order) if hasattr(a, "permute") else a.transpose(order)


def _identities(a: Any) -> Any:
    """An array like `a` with the identity in place of each matrix."""
    if _is_tensor(a):
        n = a.shape[-1]
        return a.new_ones(n).diag().expand(a.shape).clone()
    is_cupy = type(a).__module__.partition(".")[0] == "cupy"  # older versions lack __array_namespace__
    module = a.__array_namespace__() if hasattr(a, "__array_namespace__") else sys.modules["cupy" if is_cupy else "numpy"]
    return module.broadcast_to(module.eye(a.shape[-1], dtype=a.dtype), a.shape).copy()


@operation(A="a", input="a")
def matrix_power(a, n):
    """The n-th power of each square matrix in `a` (..., k, k), for any integer n; a negative n raises the inverse to
    |n|.

    Repeated squaring takes log2(|n|) to 2 log2(|n|) products. For n < 0, singular matrices are treated as in inv().
    Like torch.linalg.matrix_power() and numpy.linalg.matrix_power(). Differentiable.
    """
    a, = front("a", a).operands(halves=True, a=a)
    shapes.square("a", a.shape)
    n = _integer("n", n)
    if n == 0:
        return _identities(a)
    square, result, rest = a if n > 0 else inv(a), None, abs(n)
    if rest == 1:
        return square - 0 if n > 0 else square  # a copy, not the operand itself; + 0 would drop the sign of -0
    while True:
        if rest & 1:
            result = square if result is None else bmm(result, square)
        rest >>= 1
        if rest == 0:
            return result
        square = bmm(square, square)


def _cheapest(sizes: Any) -> Any:
    """The cheapest split of each subchain (first, last) of a chain of sizes[i] x sizes[i + 1] matrices."""
    count = len(sizes) - 1
    cost, split = {(i, i): 0 for i in range(count)}, {}
    for length in range(1, count):
        for first in range(count - length):
            last = first + length
            for k in range(first, last):  # not min() of a generator, which torch.compile() cannot trace
                this = cost[first, k] + cost[k + 1, last] + sizes[first] * sizes[k + 1] * sizes[last + 1]
                if k == first or this < cost[first, last]:
                    cost[first, last], split[first, last] = this, k
    return split


@operation(tensors="arrays")
def multi_dot(arrays):
    """The product of two or more matrices, evaluated in the order that takes the fewest operations.

    The first array may be a row vector and the last a column vector, of one dimension each; the result then lacks that
    dimension. Like torch.linalg.multi_dot() and numpy.linalg.multi_dot(). Differentiable.
    """
    chain = list(arrays)
    if len(chain) < 2:
        raise ValueError(f"multi_dot needs at least 2 arrays, but got {len(chain)}")
    named = {f"arrays[{i}]": a for i, a in enumerate(chain)}
    chain = front("arrays[0]", chain[0]).operands(halves=True, **named)
    row, column = len(chain[0].shape) == 1, len(chain[-1].shape) == 1
    if row:
        chain[0] = chain[0].reshape(1, -1)
    if column:
        chain[-1] = chain[-1].reshape(-1, 1)
    for i, a in enumerate(chain):
        if len(a.shape) != 2:
            raise ValueError(f"arrays[{i}] has shape {tuple(a.shape)}, but must be a matrix, or a vector at either end")
        if i and a.shape[0] != chain[i - 1].shape[1]:
            raise ValueError(f"arrays[{i}] has {a.shape[0]} rows, but must have {chain[i - 1].shape[1]}, as many as arrays[{i - 1}] has columns")
    split = _cheapest([chain[0].shape[0], *(a.shape[1] for a in chain)])

    def product(first: int, last: int) -> Any:
        if first == last:
            return chain[first]
        k = split[first, last]
        return bmm(product(first, k), product(k + 1, last))

    result = product(0, len(chain) - 1)
    shape = (() if row else result.shape[:1]) + (() if column else result.shape[1:])
    return result.reshape(shape) if row or column else result


@operation(A="a", B="b", axes="dims")
def tensorsolve(a, b, dims=None):
    """Solves tensordot(a, x, x.ndim) = b, where a.shape is b.shape + x.shape and `a` holds one square matrix.

    `dims` are dimensions of `a` to be moved to its end first. A singular matrix is treated as in solve(). Like
    torch.linalg.tensorsolve() and numpy.linalg.tensorsolve(). Differentiable.
    """
    a, b = front("a", a).operands(halves=True, a=a, b=b)
    if dims is not None:
        last = _dimensions(dims, a)
        a = _permute_dims(a, [d for d in range(len(a.shape)) if d not in last] + last)
    shape = tuple(a.shape[len(b.shape):])
    n = math.prod(shape)
    if n != math.prod(b.shape):
        raise ValueError(f"a has shape {tuple(a.shape)} and b {tuple(b.shape)}, but the rest of a's dimensions, {shape}, must "
                         "have as many elements as b")
    return solve(a.reshape(n, n), b.reshape(n)).reshape(shape)


@operation(A="a", input="a")
def tensorinv(a, ind=2):
    """The inverse of `a` with respect to tensordot(a, x, ind): the first `ind` dimensions are the rows of one square matrix.

    The result has the shape a.shape[ind:] + a.shape[:ind]. A singular matrix is treated as in inv(). Like
    torch.linalg.tensorinv() and numpy.linalg.tensorinv(). Differentiable.
    """
    a, = front("a", a).operands(a=a)
    ind = _integer("ind", ind)
    if ind <= 0:
        raise ValueError(f"ind is {ind}, but must be positive")
    rows, columns = tuple(a.shape[:ind]), tuple(a.shape[ind:])
    n = math.prod(rows)
    if n != math.prod(columns):
        raise ValueError(f"a has shape {tuple(a.shape)}, but its first {ind} dimensions must have as many elements as the others")
    return inv(a.reshape(n, n)).reshape((*columns, *rows))
