"""NumPy's and CuPy's arrays, as _calls.py wants to see them."""
from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from importlib import import_module
from typing import Any

from . import _library as lib

LETTERS = {"float32": "s", "float64": "d", "complex64": "c", "complex128": "z"}


class Numpy:
    """Host arrays, by the CPU backend."""

    name = "NumPy"

    def __init__(self) -> None:
        import numpy
        self.module = numpy

    def check(self, name: str, a: Any) -> Any:
        """The array that stands for an operand; a TypeError when there is none."""
        if isinstance(a, self.module.ma.MaskedArray):
            raise TypeError(f"{name} is a masked array: masks are not supported, pass {name}.filled(...)")
        if a.dtype.name not in LETTERS:
            raise TypeError(f"{name} is {a.dtype}: {', '.join(LETTERS)} are supported")
        if not a.dtype.isnative:
            a = a.astype(a.dtype.newbyteorder("="))
        # A subclass may mean something else by its operations than its base does.
        return self.module.asarray(a)

    def place(self, a: Any) -> AbstractContextManager[Any]:
        """Inside this context arrays are made where `a` is."""
        return nullcontext()

    def where(self, a: Any) -> str:
        return "host memory"

    def letter(self, a: Any) -> str:
        return LETTERS[a.dtype.name]

    def pointer(self, a: Any) -> int:
        return int(a.ctypes.data)

    def strides(self, a: Any) -> tuple[int, ...] | None:
        """In elements; None for an array that has elements where the C interface cannot look for them."""
        size = a.itemsize
        if not a.flags.aligned or any(step % size for step in a.strides):
            return None
        return tuple(step // size for step in a.strides)

    def empty(self, like: Any, shape: tuple[int, ...], int32: bool = False) -> Any:
        return self.module.empty(shape, dtype="int32" if int32 else like.dtype)

    def columns(self, like: Any, outer: tuple[int, ...], m: int, n: int) -> Any:
        return self.module.empty((*outer, n, m), dtype=like.dtype).swapaxes(-1, -2)

    def bytes(self, like: Any, count: int) -> Any:
        return self.module.empty(count, dtype="uint8")

    def copy(self, to: Any, a: Any) -> None:
        to[...] = a

    def swap(self, a: Any) -> Any:
        return a.swapaxes(-1, -2)

    def triangle(self, a: Any, upper: bool, strict: bool = False) -> Any:
        """One triangle, without its diagonal if `strict`, and zeros."""
        return self.module.triu(a, int(strict)) if upper else self.module.tril(a, -int(strict))

    def copy_triangle(self, to: Any, a: Any, upper: bool) -> None:
        to[...] = self.triangle(a, upper)

    def adjoint(self, a: Any) -> Any:
        return self.swap(a).conj()

    def error(self) -> type[Exception]:
        """The exception for singular matrices."""
        kind: type[Exception] = import_module("numpy").linalg.LinAlgError
        return kind

    def fill_with_nan(self, result: Any, info: Any) -> None:
        """NaN in the matrices of `result` whose info is not 0."""
        self.module.copyto(result, self.module.nan, where=(info != 0)[..., None, None])

    def count_from_one(self, pivots: Any) -> Any:
        """1, 2, ..., as pivots say that nothing was interchanged."""
        return self.module.arange(1, pivots.shape[-1] + 1, dtype="int32")

    def within(self, a: Any, least: int, most: int) -> bool:
        """Whether all elements are in this range."""
        return bool(a.size == 0 or (a.min() >= least and a.max() <= most))

    def log(self, a: Any) -> Any:
        with self.module.errstate(divide="ignore"):
            return self.module.log(a)

    def sign(self, a: Any) -> Any:
        return self.module.sign(a)

    def maximum(self, a: Any, b: Any) -> Any:
        return self.module.maximum(a, b)

    def hypot(self, a: Any, b: Any) -> Any:
        return self.module.hypot(a, b)

    def select(self, condition: Any, a: Any, b: Any) -> Any:
        return self.module.where(condition, a, b)

    def backend(self, a: Any) -> int:
        return lib.CPU

    def device(self, a: Any) -> int:
        return -1

    def stream(self, a: Any) -> int | None:
        return None


class Cupy(Numpy):
    """Device arrays of CuPy, on the current stream of the device that they are on."""

    name = "CuPy"

    def __init__(self) -> None:
        import cupy
        self.module = cupy

    def check(self, name: str, a: Any) -> Any:
        if a.dtype.name not in LETTERS:
            raise TypeError(f"{name} is {a.dtype}: {', '.join(LETTERS)} are supported")
        return a

    def place(self, a: Any) -> AbstractContextManager[Any]:
        device: AbstractContextManager[Any] = a.device
        return device

    def where(self, a: Any) -> str:
        return f"device {int(a.device)}"

    def pointer(self, a: Any) -> int:
        return int(a.data.ptr)

    def strides(self, a: Any) -> tuple[int, ...] | None:
        size = a.itemsize
        if a.data.ptr % size or any(step % size for step in a.strides):
            return None
        return tuple(step // size for step in a.strides)

    def log(self, a: Any) -> Any:
        return self.module.log(a)

    def backend(self, a: Any) -> int:
        return lib.CUDA

    def device(self, a: Any) -> int:
        return int(a.device)

    def stream(self, a: Any) -> int | None:
        stream: int = self.module.cuda.get_current_stream().ptr
        return stream
