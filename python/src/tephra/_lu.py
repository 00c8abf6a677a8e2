"""LU factorisation, solutions, inverses and determinants as calls of the C interface, with the conventions of
_calls.py."""
from __future__ import annotations

from typing import Any

from . import _library as lib
from . import _shapes as shapes
from ._calls import Operand, _copied, _in_place, _new, _run_with_workspace, _vectors, with_vectors


def _factored(x: Any, a: Any) -> tuple[Operand, Any, Any]:
    """Returns the factors, pivots and info. The library does not write info for empty matrices, so it is zeroed
    here."""
    outer, m, n = shapes.matrix("a", a.shape)
    factors = _copied(x, a, outer, m, n)
    _, pointer, ld, stride = factors
    k, batch = m if m < n else n, shapes.count(outer)
    pivots, info = x.empty(a, (*outer, k), int32=True), x.empty(a, outer, int32=True)
    k_stride = max(k, 1)
    _run_with_workspace(x, a, "getrf", (m, n, ld, stride, k_stride, batch),
                        m, n, pointer, ld, stride, x.pointer(pivots), k_stride, x.pointer(info), batch)
    if k == 0:
        x.zero(info)
    return factors, pivots, info


def _substitute(x: Any, factors: Operand, pivots: Any, b: Any, outer: shapes.Shape, adjoint: bool) -> Any:
    lu, a_pointer, a_ld, a_stride = factors
    n, nrhs = b.shape[-2:]
    solution, pointer, ld, stride = _copied(x, b, outer, n, nrhs)
    _pivots, p_pointer, p_stride = _vectors(x, pivots, outer, n)
    trans, batch = lib.CONJ_TRANS if adjoint else lib.NO_TRANS, shapes.count(outer)
    _run_with_workspace(x, lu, "getrs", (trans, n, nrhs, a_ld, a_stride, p_stride, ld, stride, batch),
                        trans, n, nrhs, a_pointer, a_ld, a_stride, p_pointer, p_stride, pointer, ld, stride, batch)
    return solution


_SINGULAR = "is singular: element {} of U's diagonal is 0"


def _handle_singular(x: Any, info: Any, order: int, result: Any, check: bool, why: str = _SINGULAR) -> None:
    """Handles matrices with nonzero info: raises an error if `check`, which waits for a device, else fills in NaN."""
    if order == 0:
        return
    if not check:
        x.fill_with_nan(result, info)
        return
    found = x.first_code(info)
    if found is None:
        return
    rest, code = found
    index: list[str] = []
    for size in reversed(info.shape):
        rest, i = divmod(rest, size)
        index.insert(0, str(i))
    which = f"matrix [{', '.join(index)}] of a" if index else "a"
    raise x.error()(f"{which} {why.format(code)}")


def lu_factor(x: Any, a: Any, check: bool) -> tuple[Any, Any, Any]:
    """Returns L and U packed in one matrix, pivots and info."""
    (factors, *_), pivots, info = _factored(x, a)
    if check:
        _handle_singular(x, info, min(a.shape[-2:]), factors, True)
    return factors, pivots, info


def lu_solve(x: Any, factors: Any, pivots: Any, b: Any, adjoint: bool) -> Any:
    """Returns a^-1 b, or a^-H b if `adjoint`."""
    outer, n, _ = shapes.lu_solve(factors.shape, pivots.shape, b.shape)
    # An invalid pivot would make the library access rows outside the matrix. Device memory is not checked, because that
    # would have to wait for the device.
    if x.backend(factors) == lib.CPU and not x.within(pivots, 1, n):
        raise ValueError(f"pivots has elements outside 1 ... {n}, the rows of LU counted from 1")
    operand = _in_place(x, factors, outer, n, n) or _copied(x, factors, outer, n, n)
    return _substitute(x, operand, pivots, b, outer, adjoint)


def solve_factored(x: Any, a: Any, factors: Any, pivots: Any, b: Any, adjoint: bool) -> Any:
    """lu_solve() with the factors of `a`."""
    return lu_solve(x, factors, pivots, b, adjoint)


def lu_solve_either(x: Any, factors: Any, pivots: Any, b: Any, vector: bool, adjoint: bool) -> Any:
    """lu_solve() where `b` is one vector if `vector`."""
    if not vector:
        return lu_solve(x, factors, pivots, b, adjoint)
    return x.as_vectors(lu_solve(x, factors, pivots, x.as_columns(b), adjoint))


def _right_hand_sides(x: Any, b: Any, own: shapes.Shape, outer: shapes.Shape, n: int, nrhs: int) -> tuple[Operand, int]:
    """A copy of `b`, of the batch dimensions `outer`, for matrices of the batch dimensions `own`, and the number of columns
    per matrix: all right-hand sides that share a matrix are beside each other in memory."""
    if own == outer:
        return _copied(x, b, outer, n, nrhs), nrhs
    rank = len(outer)
    padded = (1,) * (rank - len(own)) + own
    shared = [i for i in range(rank) if padded[i] != outer[i]]
    order = [i for i in range(rank) if i not in shared] + shared
    columns, ld = nrhs * shapes.count([outer[i] for i in shared]), max(n, 1)
    memory = x.empty(b, (*(outer[i] for i in order), nrhs, n))
    copy = x.permute(memory, (*(order.index(i) for i in range(rank)), rank + 1, rank))
    x.copy(copy, b)
    return (copy, x.pointer(memory), ld, ld * max(columns, 1)), columns


def solve(x: Any, a: Any, b: Any, check: bool) -> tuple[Any, Any, Any, Any]:
    """Returns the solution, factors, pivots and info; `b` holds matrices."""
    outer, n, nrhs = shapes.solve(a.shape, b.shape)
    # 16-bit types always take gesv: separate factors would be rounded to 16 bits before the substitution.
    own = tuple(a.shape[:-2])
    if own == outer or x.letter(a) in lib.STORAGE:
        factors, a_pointer, a_ld, a_stride = _copied(x, a, own, n, n)
        (solution, pointer, ld, stride), columns = _right_hand_sides(x, b, own, outer, n, nrhs)
        pivots, info = x.empty(a, (*own, n), int32=True), x.empty(a, own, int32=True)
        p_stride, batch = max(n, 1), shapes.count(own)
        _run_with_workspace(x, a, "gesv", (n, columns, a_ld, a_stride, p_stride, ld, stride, batch),
                            n, columns, a_pointer, a_ld, a_stride, x.pointer(pivots), p_stride, pointer, ld, stride,
                            x.pointer(info), batch)
        if n == 0:
            x.zero(info)
        if columns != nrhs:
            solution, *_ = _copied(x, solution, outer, n, nrhs)  # in the order of memory of all other results
    else:
        # A matrix that is broadcast over several right-hand sides is factored once.
        (factors, *_), pivots, info = _factored(x, a)
        solution = lu_solve(x, factors, pivots, b, False)
    _handle_singular(x, info, n, solution, check)
    return solution, factors, pivots, info


def solve_either(x: Any, a: Any, b: Any, vector: bool, left: bool, check: bool) -> tuple[Any, Any]:
    """Returns the solution of a x = b, or of x a = b if not `left`, and info; `b` is one vector per matrix if
    `vector`."""
    if left:
        solution, _, _, info = with_vectors(solve, x, a, b, vector, check)
        return solution, info
    # Transposing both sides moves the matrix to the left.
    solution, _, _, info = solve(x, x.swap(a), x.swap(b), check)
    return x.swap(solution), info


def inv(x: Any, a: Any, check: bool) -> tuple[Any, Any]:
    """Returns the inverse and info."""
    outer, n = shapes.square("a", a.shape)
    source = _in_place(x, a, outer, n, n)
    inverse = _new(x, a, outer, n, n) if source else _copied(x, a, outer, n, n)
    source = source or inverse
    _, a_pointer, a_ld, a_stride = source
    result, pointer, ld, stride = inverse
    info, batch = x.empty(a, outer, int32=True), shapes.count(outer)
    _run_with_workspace(x, a, "inv", (n, a_ld, a_stride, ld, stride, batch),
                        n, a_pointer, a_ld, a_stride, pointer, ld, stride, x.pointer(info), batch)
    if n == 0:
        x.zero(info)
    _handle_singular(x, info, n, result, check)
    return result, info


def det(x: Any, a: Any) -> tuple[Any, Any, Any]:
    """Returns the determinant, factors and pivots."""
    shapes.square("a", a.shape)
    factors, pivots, _ = lu_factor(x, a, False)
    return x.product(x.signed_diagonal(factors, pivots)), factors, pivots


def slogdet(x: Any, a: Any) -> tuple[Any, Any, Any, Any]:
    """Returns the determinant's sign and the logarithm of its absolute value, the factors and pivots."""
    shapes.square("a", a.shape)
    factors, pivots, _ = lu_factor(x, a, False)
    diagonal = x.signed_diagonal(factors, pivots)
    if x.letter(a) in "sd":
        return x.product(x.sign(diagonal)), x.sum(x.log_of_size(diagonal)), factors, pivots
    signs, logs = x.signs_and_logs(diagonal)
    return x.product(signs), x.sum(logs), factors, pivots


def lu(x: Any, a: Any) -> tuple[Any, Any, Any]:
    """Returns P, L and U with a = P L U."""
    outer, m, n = shapes.matrix("a", a.shape)
    factors, pivots, _ = lu_factor(x, a, False)
    k = m if m < n else n
    lower, upper = x.unpacked(factors, k)
    return x.permutation(factors, pivots, outer, m), lower, upper
