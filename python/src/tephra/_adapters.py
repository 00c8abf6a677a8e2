"""The adapters through which _calls.py accesses NumPy and CuPy arrays."""
from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from importlib import import_module
from typing import Any

from . import _library as lib

LETTERS = {"float32": "s", "float64": "d", "complex64": "c", "complex128": "z"}
# 16-bit types, for the operations that take them: computed in single precision, with the results rounded.
HALVES = {"float16": "h"}


class Numpy:
    """NumPy arrays, computed by the CPU backend."""

    name = "NumPy"
    called = None  # no recorder of library calls

    def __init__(self) -> None:
        import numpy
        self.module = numpy

    def check(self, name: str, a: Any, halves: bool = False) -> Any:
        """Checks an operand and returns it as a plain array in native byte order; TypeError if it is not supported.
        `halves` allows 16-bit types."""
        if isinstance(a, self.module.ma.MaskedArray):
            raise TypeError(f"{name} is a masked array, but masks are not supported: pass {name}.filled(...)")
        self.check_type(name, a, halves)
        if not a.dtype.isnative:
            a = a.astype(a.dtype.newbyteorder("="))
        # Strip subclasses, whose operators may mean something else.
        return self.module.asarray(a)

    @staticmethod
    def check_type(name: str, a: Any, halves: bool) -> None:
        known = [*HALVES, *LETTERS] if halves else [*LETTERS]
        if a.dtype.name not in known:
            raise TypeError(f"{name} is {a.dtype}, but must be {', '.join(known[:-1])} or {known[-1]}")

    def device_context(self, a: Any) -> AbstractContextManager[Any]:
        """A context in which new arrays are allocated on the device of `a`."""
        return nullcontext()

    def device_name(self, a: Any) -> str:
        return "host memory"

    def letter(self, a: Any) -> str:
        return LETTERS.get(a.dtype.name) or HALVES[a.dtype.name]

    def pointer(self, a: Any) -> int:
        return int(a.ctypes.data)

    def strides(self, a: Any) -> tuple[int, ...] | None:
        """Strides in elements, or None if the array is misaligned or a stride is not a multiple of the element size."""
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

    def rows(self, a: Any, count: int) -> Any:
        """The first `count` rows, as a view."""
        return a[..., :count, :]

    def as_columns(self, b: Any) -> Any:
        """Views vectors as matrices of one column."""
        return b[..., None]

    def as_vectors(self, b: Any) -> Any:
        return b[..., 0]

    def permute(self, a: Any, order: tuple[int, ...]) -> Any:
        return a.transpose(order)

    def zero(self, a: Any) -> None:
        a[...] = 0

    def count(self, a: Any) -> None:
        """Fills the last dimension with 1, 2, ..."""
        a[...] = self.module.arange(1, a.shape[-1] + 1, dtype=a.dtype)

    def is_writeable(self, a: Any) -> bool:
        return bool(a.flags.writeable)

    def only_triangle(self, a: Any, upper: bool) -> None:
        """Zeroes the other triangle."""
        a[...] = self.module.triu(a) if upper else self.module.tril(a)

    def mirror(self, a: Any, upper: bool) -> None:
        """Completes triangles, whose other triangle is zero, to Hermitian matrices."""
        a += self.swap(self.module.triu(a, 1) if upper else self.module.tril(a, -1)).conj()

    def error(self) -> type[Exception]:
        """The exception type for singular matrices."""
        kind: type[Exception] = import_module("numpy").linalg.LinAlgError
        return kind

    def fill_with_nan(self, result: Any, info: Any) -> None:
        """Fills the matrices of `result` whose info is not 0 with NaN."""
        self.module.copyto(result, self.module.nan, where=(info != 0)[..., None, None])

    def first_code(self, info: Any) -> tuple[int, int] | None:
        """(position, code) of the first nonzero info, or None. Waits for device memory."""
        return next(((i, code) for i, code in enumerate(info.reshape(-1).tolist()) if code), None)

    def within(self, a: Any, least: int, most: int) -> bool:
        """Whether all elements are in least ... most."""
        return bool(a.size == 0 or (a.min() >= least and a.max() <= most))

    def signed_diagonal(self, factors: Any, pivots: Any) -> Any:
        """U's diagonal, negated where rows were exchanged, so that its product is the determinant."""
        diagonal = factors.diagonal(0, -2, -1)
        return self.module.where(pivots == self.module.arange(1, pivots.shape[-1] + 1, dtype="int32"), diagonal, -diagonal)

    # Products may leave the range of their type on the way to one inside it, but not that of a wider type.
    _wider = {"float32": "float64", "complex64": "complex128", "float64": "longdouble", "complex128": "clongdouble"}

    def product(self, a: Any) -> Any:
        return a.prod(-1, dtype=self._wider.get(a.dtype.name)).astype(a.dtype)

    def sum(self, a: Any) -> Any:
        return a.sum(-1)

    def sign(self, a: Any) -> Any:
        return self.module.sign(a)

    def log_of_size(self, a: Any) -> Any:
        with self.ignoring_zeros():
            return self.module.log(abs(a))

    def ignoring_zeros(self) -> AbstractContextManager[Any]:
        """A context in which the logarithm of 0 is -inf without a warning."""
        return self.module.errstate(divide="ignore")  # type: ignore[no-any-return]

    def signs_and_logs(self, a: Any) -> tuple[Any, Any]:
        """a / |a|, or 0 for 0, and log |a|, for complex `a`."""
        # Scaled by the larger part, because |a| may overflow, and so does a quotient of subnormal numbers. Infinities are
        # not: as in numpy.linalg they have no sign, but a logarithm.
        largest = self.module.maximum(abs(a.real), abs(a.imag))
        largest = self.module.where(self.module.isfinite(largest), largest, 1)
        is_zero = largest == 0
        by = largest + is_zero
        re, im = a.real / by, a.imag / by
        size = self.module.hypot(re, im) + is_zero
        with self.ignoring_zeros():
            return re / size + 1j * (im / size), self.module.log(largest) + self.module.log(size)

    def unpacked(self, factors: Any, k: int) -> tuple[Any, Any]:
        """Unpacks L and U from factors with k pivots."""
        lower = self.module.tril(factors[..., :k], -1)
        diagonal = self.module.arange(k)
        lower[..., diagonal, diagonal] = 1
        return lower, self.module.triu(factors[..., :k, :])

    def permutation(self, like: Any, pivots: Any, outer: tuple[int, ...], m: int) -> Any:
        """P as matrices, from pivots by which row j was exchanged with row pivots[j - 1], for j = 1, 2, ... in turn."""
        order = self.module.broadcast_to(self.module.arange(m), (*outer, m)).copy()
        for j in range(pivots.shape[-1]):
            other = pivots[..., j, None].astype("int64") - 1
            moved = self.module.take_along_axis(order, other, -1)
            self.put(order, other, order[..., j, None].copy())
            order[..., j, None] = moved
        # Row i of P^T A is row order[i] of A.
        return (self.module.arange(m)[:, None] == order[..., None, :]).astype(like.dtype)

    def put(self, a: Any, index: Any, values: Any) -> None:
        self.module.put_along_axis(a, index, values, -1)

    def backend(self, a: Any) -> int:
        return lib.CPU

    def device(self, a: Any) -> int:
        return -1

    def stream(self, a: Any) -> int | None:
        return None


class Cupy(Numpy):
    """CuPy arrays, computed on the current stream of their device."""

    name = "CuPy"
    _wider = {"float32": "float64", "complex64": "complex128"}

    def __init__(self) -> None:
        import cupy
        self.module = cupy

    def check(self, name: str, a: Any, halves: bool = False) -> Any:
        self.check_type(name, a, halves)
        return a

    def device_context(self, a: Any) -> AbstractContextManager[Any]:
        device: AbstractContextManager[Any] = a.device
        return device

    def device_name(self, a: Any) -> str:
        return f"device {int(a.device)}"

    def pointer(self, a: Any) -> int:
        return int(a.data.ptr)

    def strides(self, a: Any) -> tuple[int, ...] | None:
        size = a.itemsize
        if a.data.ptr % size or any(step % size for step in a.strides):
            return None
        return tuple(step // size for step in a.strides)

    def is_writeable(self, a: Any) -> bool:
        return True  # CuPy has no read-only arrays

    def ignoring_zeros(self) -> AbstractContextManager[Any]:
        return nullcontext()

    def put(self, a: Any, index: Any, values: Any) -> None:
        # Not every CuPy version has put_along_axis().
        a[...] = self.module.where(self.module.arange(a.shape[-1]) == index, values, a)

    def backend(self, a: Any) -> int:
        return lib.CUDA

    def device(self, a: Any) -> int:
        return int(a.device)

    def stream(self, a: Any) -> int | None:
        stream: int = self.module.cuda.get_current_stream().ptr
        return stream
