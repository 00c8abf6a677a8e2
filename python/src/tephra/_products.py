"""Matrix products as calls of the C interface. The conventions are those of _calls.py, except that results are
row-major."""
from __future__ import annotations

from typing import Any

from . import _library as lib
from . import _shapes as shapes
from ._calls import Operand, _batch_stride, _copied, _in_place, _run, _run_with_workspace


def _transposed(x: Any, a: Any, adjoint: bool, outer: shapes.Shape) -> tuple[Operand, int]:
    """An operand and the op that turns it into a^T, or into (a^H)^T if `adjoint`; read in place where possible."""
    own, (rows, columns) = tuple(a.shape[:-2]), a.shape[-2:]
    transposed, op = x.swap(a), lib.CONJ_TRANS if adjoint else lib.NO_TRANS
    # Row-major memory of `a` is column-major memory of its transpose.
    found = _in_place(x, transposed, outer, columns, rows)
    if found is not None:
        return found, op
    # From column-major memory, (a^H)^T of a complex matrix would take a conjugation without transpose, which no op
    # does.
    if not (adjoint and x.letter(a) in "cz"):
        found = _in_place(x, a, outer, rows, columns)
        if found is not None:
            return found, lib.NO_TRANS if adjoint else lib.TRANS
    # Copy a broadcast operand once per distinct matrix, unless no single stride could then reach the whole batch.
    stride = _batch_stride(outer, own, shapes.column_major(own, columns, rows)[:-2])
    if stride is None:
        return _copied(x, transposed, outer, columns, rows), op
    array, pointer, ld, _ = _copied(x, transposed, own, columns, rows)
    return (array, pointer, ld, stride), op


def bmm(x: Any, a: Any, b: Any, adjoint_a: bool, adjoint_b: bool) -> Any:
    """Returns op(a) op(b), row-major; op is the conjugate transpose if `adjoint_...`."""
    outer, m, n, k = shapes.bmm(a.shape, b.shape, adjoint_a, adjoint_b)
    c, batch = x.empty(a, (*outer, m, n)), shapes.count(outer)
    if m == 0 or n == 0 or batch == 0:
        return c
    # The library computes column-major c^T = op(b)^T op(a)^T, which is c in row-major order.
    (_a, a_pointer, a_ld, a_stride), op_a = _transposed(x, a, adjoint_a, outer)
    (_b, b_pointer, b_ld, b_stride), op_b = _transposed(x, b, adjoint_b, outer)
    letter = x.letter(a)
    arguments = (op_b, op_a, n, m, k, lib.ONE[letter], b_pointer, b_ld, b_stride, a_pointer, a_ld, a_stride, lib.ZERO[letter],
                 x.pointer(c), n, n * m, batch)
    if letter in lib.STORAGE:
        _run_with_workspace(x, a, "gemm", (op_b, op_a, n, m, k, b_ld, b_stride, a_ld, a_stride, n, n * m, batch), *arguments)
    else:
        _run(x, a, "gemm", *arguments)
    return c
