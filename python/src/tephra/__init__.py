"""Tephra: batched QR, Q and least squares for PyTorch, CuPy and NumPy arrays.

The last two dimensions are the matrices. Device arrays are computed on the caller's current stream, asynchronously and
without synchronisation; host arrays by the library's CPU backend. There is no autograd.
"""
from ._library import TephraError, version
from ._operations import *  # noqa: F403
from ._operations import __all__ as _operations

__all__ = ["TephraError", "version", *_operations]
__version__ = version()
