"""Tephra: batched QR, LU, Cholesky, inverses, determinants, least squares, linear systems and products of matrices.

For PyTorch, CuPy, NumPy and JAX arrays, whose last two dimensions are the matrices. Device arrays are computed on the
caller's current stream, asynchronously and without synchronisation; host arrays by the library's CPU backend. Results are
arrays of the operands' library. On PyTorch's tensors the operations are differentiable and work under torch.compile(),
torch.export(), vmap and torch.func.
"""
import sys as _sys

from ._library import TephraError, version
from ._operations import (QR, LeastSquares, LUFactors, SLogDet, bmm, cholesky, cholesky_inverse, cholesky_solve, det,
                          geqrf, householder_product, inv, lstsq, lu_factor, lu_solve, ormqr, qr, slogdet, solve,
                          solve_triangular)

__all__ = ["QR", "LUFactors", "LeastSquares", "SLogDet", "TephraError", "bmm", "cholesky", "cholesky_inverse",
           "cholesky_solve", "det", "geqrf", "householder_product", "inv", "lstsq", "lu_factor", "lu_solve", "ormqr", "qr",
           "slogdet", "solve", "solve_triangular", "version"]
__version__ = version()

if "torch" in _sys.modules:
    # Now, and not with the first tensor: a program that was exported and is loaded again looks for the operators by name.
    try:
        from ._torch import front as _front
    except (ImportError, AttributeError):
        pass  # an older PyTorch, which is no matter for other libraries' arrays; the first tensor raises this again
