"""PyTorch, CuPy and NumPy arrays behind one interface; nothing is imported that the caller has not imported.

Matrices are the last two dimensions. The library wants them column-major at one distance from each other: what is
like that is taken as it is, everything else is rearranged by the array's own library, once.
"""
import math
import sys
from contextlib import contextmanager

from . import _library

_LETTERS = {"float32": "s", "float64": "d", "complex64": "c", "complex128": "z"}
_CPU, _CUDA = 1, 2  # DLPack's device types


def dtype_letter(x):
    """BLAS's letter of an array's element type."""
    letter = _LETTERS.get(str(x.dtype).rpartition(".")[2])
    if letter is None:
        raise TypeError(f"{x.dtype} is not supported (known: {', '.join(_LETTERS)})")
    return letter


class Numpy:
    """Host arrays, by the CPU backend."""
    kind = _library.CPU

    def __init__(self, _like):
        import numpy
        self.module = numpy

    def pointer(self, x):
        return x.ctypes.data

    def strides(self, x):
        return tuple(s // x.itemsize for s in x.strides)

    def empty(self, shape, like, dtype=None):
        return self.module.empty(shape, dtype=dtype or like.dtype)

    def swap(self, x):
        return x.swapaxes(-1, -2)

    def copy(self, to, x):
        to[...] = x

    def bytes(self, count):
        return self.module.empty(count, dtype="uint8")

    def int32(self):
        return "int32"

    @contextmanager
    def stream(self, _x):
        yield None


class Cupy(Numpy):
    """Device arrays of CuPy, on its current stream."""
    kind = _library.CUDA

    def __init__(self, _like):
        import cupy
        self.module = cupy

    def pointer(self, x):
        return x.data.ptr

    @contextmanager
    def stream(self, x):
        with x.device:
            yield self.module.cuda.get_current_stream().ptr


class Torch(Numpy):
    """Tensors in host or device memory; device tensors on PyTorch's current stream."""

    def __init__(self, like):
        import torch
        self.module = torch
        self.device = like.device
        if like.device.type not in ("cpu", "cuda"):
            raise TypeError(f"tensors on {like.device} are not supported")
        self.kind = _library.CUDA if like.device.type == "cuda" else _library.CPU

    def pointer(self, x):
        if x.device != self.device:
            raise ValueError(f"tensors on {self.device} and {x.device}")
        return x.data_ptr()

    def strides(self, x):
        return x.stride()

    def empty(self, shape, like, dtype=None):
        return self.module.empty(shape, dtype=dtype or like.dtype, device=self.device)

    def copy(self, to, x):
        to.copy_(x)

    def bytes(self, count):
        return self.module.empty(count, dtype=self.module.uint8, device=self.device)

    def int32(self):
        return self.module.int32

    @contextmanager
    def stream(self, x):
        if self.kind == _library.CPU:
            yield None
            return
        with self.module.cuda.device(x.device):
            yield self.module.cuda.current_stream().cuda_stream


def adapter(x):
    """(interface, array) of any array; what only speaks DLPack becomes an array of a library that the process has."""
    name = type(x).__module__.partition(".")[0]
    if name == "torch":
        if x.requires_grad:
            x = x.detach()
        if x.is_conj():
            x = x.resolve_conj()
        if x.is_neg():
            x = x.resolve_neg()
        return Torch(x), x
    if name == "cupy":
        return Cupy(x), x
    if name == "numpy":
        return Numpy(x), x
    if hasattr(x, "__dlpack_device__"):
        device = x.__dlpack_device__()[0]
        for module, devices in (("torch", (_CPU, _CUDA)), ("cupy", (_CUDA,)), ("numpy", (_CPU,))):
            if module in sys.modules and device in devices:
                return adapter(sys.modules[module].from_dlpack(x))
        if device == _CPU:
            import numpy
            return adapter(numpy.from_dlpack(x))
    if hasattr(x, "__cuda_array_interface__") and "cupy" in sys.modules:
        return adapter(sys.modules["cupy"].asarray(x))
    raise TypeError(f"{type(x).__name__} is no array of PyTorch, CuPy or NumPy, and shares none by DLPack")


class Matrices:
    """A batch of column-major matrices, or of vectors: what the C interface is told about an array."""

    def __init__(self, array, pointer, rows, columns, ld, stride, batch):
        self.array, self.pointer = array, pointer
        self.rows, self.columns, self.ld, self.stride, self.batch = rows, columns, ld, stride, batch


def _single_stride(shape, strides):
    """The one distance at which a batch's members lie; None when there is no such."""
    expected, stride = None, 0
    for size, step in reversed(list(zip(shape, strides))):
        if size == 1:
            continue
        if expected is not None and step != expected:
            return None
        stride = stride if expected is not None else step
        expected = step * size
    return stride


def as_matrices(arrays, x):
    """The view of an array whose matrices are column-major already; None for any other."""
    *outer, m, n = x.shape
    *steps, row, column = arrays.strides(x)
    batch, stride = math.prod(outer), _single_stride(outer, steps)
    ld = column if n > 1 else max(m, 1)
    apart = batch == 1 or m == 0 or n == 0 or (stride is not None and stride >= ld * (n - 1) + m)
    if (row == 1 or m <= 1) and ld >= max(m, 1) and apart and stride is not None:
        return Matrices(x, arrays.pointer(x), m, n, ld, max(stride, ld * n, 1) if batch == 1 else stride, batch)
    return None


def new_matrices(arrays, like, outer, m, n):
    """Column-major matrices of the same type and place, content unspecified."""
    x = arrays.swap(arrays.empty((*outer, n, m), like))
    return Matrices(x, arrays.pointer(x), m, n, max(m, 1), max(m, 1) * max(n, 1), math.prod(outer))


def copied(arrays, x):
    """Column-major matrices with the content of an array."""
    *outer, m, n = x.shape
    new = new_matrices(arrays, x, outer, m, n)
    arrays.copy(new.array, x)
    return new


def new_vectors(arrays, like, outer, k, dtype=None):
    """Vectors of k elements, content unspecified."""
    x = arrays.empty((*outer, k), like, dtype)
    return Matrices(x, arrays.pointer(x), k, 1, max(k, 1), max(k, 1), math.prod(outer))


def vectors(arrays, x):
    """The vectors in an array's last dimension, rearranged where they are not contiguous."""
    *outer, k = x.shape
    stride = _single_stride(outer, arrays.strides(x)[:-1])
    if (k > 1 and arrays.strides(x)[-1] != 1) or stride is None or (math.prod(outer) > 1 and stride < max(k, 1)):
        new = new_vectors(arrays, x, outer, k)
        arrays.copy(new.array, x)
        return new
    return Matrices(x, arrays.pointer(x), k, 1, max(k, 1), max(stride, k, 1), math.prod(outer))
