"""Tephra: batched QR, Q, least squares and triangular solves for PyTorch, CuPy, NumPy and JAX arrays.

The last two dimensions are the matrices. Device arrays are computed on the caller's current stream, asynchronously and
without synchronisation; host arrays by the library's CPU backend. Results are arrays of the operands' library. On PyTorch's
tensors the operations are differentiable and work under torch.compile(), torch.export(), vmap and torch.func.
"""
from ._library import TephraError, version
from ._operations import QR, LeastSquares, geqrf, householder_product, lstsq, ormqr, qr, solve_triangular

__all__ = ["QR", "LeastSquares", "TephraError", "geqrf", "householder_product", "lstsq", "ormqr", "qr", "solve_triangular",
           "version"]
__version__ = version()
