"""Tephra: batched QR, LU, Cholesky, inverses, determinants, least squares, linear systems and matrix products.

The functions take PyTorch, CuPy, NumPy and JAX arrays; the last two dimensions hold the matrices, all others are batch
dimensions. Work on device arrays is enqueued on the caller's current stream without synchronisation; host arrays are
processed by the library's CPU backend. Results are arrays of the operands' library. On PyTorch tensors the operations
are differentiable and work under torch.compile(), torch.export(), vmap and torch.func.
"""
import sys as _sys

from ._composed import matrix_power, multi_dot, tensorinv, tensorsolve
from ._library import TephraError, version
from ._operations import (LU, QR, CholeskyEx, InvEx, LeastSquares, LeastSquaresOfAnyRank, LUFactors, LUFactorsEx,
                          PivotedFactors, SLogDet, SolveEx, bmm, cholesky, cholesky_ex, cholesky_inverse,
                          cholesky_solve, det, geqp3, geqrf, householder_product, inv, inv_ex, lstsq, lu, lu_factor,
                          lu_factor_ex, lu_solve, matrix_rank, ormqr, pinv, qr, slogdet, solve, solve_ex,
                          solve_triangular)

__all__ = ["LU", "QR", "CholeskyEx", "InvEx", "LUFactors", "LUFactorsEx", "LeastSquares",
           "LeastSquaresOfAnyRank", "PivotedFactors", "SLogDet", "SolveEx", "TephraError", "bmm", "cholesky", "cholesky_ex",
           "cholesky_inverse", "cholesky_solve", "det", "geqp3", "geqrf", "householder_product", "inv", "inv_ex", "lstsq",
           "lu", "lu_factor", "lu_factor_ex", "lu_solve", "matrix_power", "matrix_rank", "multi_dot", "ormqr", "pinv", "qr",
           "slogdet", "solve", "solve_ex", "solve_triangular", "tensorinv", "tensorsolve", "version"]
__version__ = version()

if "torch" in _sys.modules:
    # Register the operators now, not with the first tensor: a reloaded torch.export() program looks them up by name.
    try:
        from ._torch import front as _front
    except (ImportError, AttributeError):
        pass  # PyTorch is too old: other libraries' arrays still work, and the first tensor raises this error again
