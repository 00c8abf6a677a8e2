"""Determines which library an array belongs to, and dispatches to that library's front.

A front implements the public operations for the arrays of one library. PyTorch's is _torch/front.py; NumPy and CuPy
share `NumpyLikeFront`. Arrays of other libraries that share their memory (DLPack, `__cuda_array_interface__`) are
passed to one of these fronts as views, and the results are converted back to their own library (`InteropFront`). No
array library is imported that the caller has not imported.
"""
from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Any

from . import _calls as calls
from . import _cholesky as chol
from . import _lu as lu
from . import _products as products
from . import _rank as rank
from . import _shapes as shapes
from ._adapters import Cupy, Numpy
from ._library import CPU

_CPU, _CUDA = 1, 2  # DLPack's device types


def _type_name(a: Any) -> str:
    library = type(a).__module__.partition(".")[0]
    return f"{'Python' if library == 'builtins' else library} {type(a).__name__}"


class NumpyLikeFront:
    """The operations for NumPy's or CuPy's arrays."""

    def __init__(self, adapter: Any) -> None:
        self.x = adapter

    def operands(self, halves: bool = False, **named: Any) -> list[Any]:
        """Checks that the operands are of one library, element type and device, and returns them in native byte order;
        `halves` allows 16-bit types."""
        x, ready = self.x, list[Any]()
        (first_name, first), *_ = named.items()
        for name, a in named.items():
            if type(a) is not type(first) and front(name, a) is not self:
                raise TypeError(f"{name} is a {_type_name(a)}, but {first_name} is a {_type_name(first)}: both must be of the same library")
            a = x.check(name, a, halves)
            like = ready[0] if ready else a
            if a.dtype != like.dtype:
                raise TypeError(f"{name} is {a.dtype}, but {first_name} is {like.dtype}: both must have the same type")
            if x.device_name(a) != x.device_name(like):
                raise TypeError(f"{name} is on {x.device_name(a)}, but {first_name} is on {x.device_name(like)}: both must be on the same device")
            ready.append(a)
        return ready

    def check_out(self, out: Any, result: Any, operands: Sequence[Any]) -> None:
        numpy = sys.modules["numpy"]  # CuPy imports it as well
        if isinstance(result, numpy.generic):  # such as the determinant of one matrix
            result = numpy.asarray(result)
        if front("the result", result) is not self:
            raise TypeError(f"out is a {_type_name(out)}, but the result is a {_type_name(result)}: both must be of the same library")
        if out.dtype != result.dtype or out.shape != result.shape:
            raise ValueError(f"out is {out.dtype} {out.shape}, but the result is {result.dtype} {result.shape}")
        if not self.x.is_writeable(out):
            raise ValueError("out is read-only")

    @staticmethod
    def put(out: Any, result: Any) -> Any:
        out[...] = result
        return out

    def qr(self, a: Any, mode: str) -> tuple[Any, Any]:
        a, = self.operands(halves=True, a=a)
        with self.x.device_context(a):
            return calls.qr(self.x, a, mode)

    def geqrf(self, a: Any) -> tuple[Any, Any]:
        a, = self.operands(halves=True, a=a)
        with self.x.device_context(a):
            return calls.geqrf(self.x, a)

    def householder_product(self, factors: Any, tau: Any) -> Any:
        factors, tau = self.operands(factors=factors, tau=tau)
        with self.x.device_context(factors):
            return calls.householder_product(self.x, factors, tau)

    def ormqr(self, factors: Any, tau: Any, other: Any, left: bool, transpose: bool) -> Any:
        factors, tau, other = self.operands(factors=factors, tau=tau, other=other)
        with self.x.device_context(factors):
            return calls.ormqr(self.x, factors, tau, other, left, transpose)

    def lstsq(self, a: Any, b: Any, method: str) -> tuple[Any, Any]:
        solve = calls.lstsq_iterative if shapes.iterates(method) else calls.lstsq
        a, b = self.operands(a=a, b=b)
        with self.x.device_context(a):
            result: tuple[Any, Any] = calls.with_vectors(solve, self.x, a, b, b.ndim == 1)
            return result

    def lstsq_gelsy(self, a: Any, b: Any, rcond: float) -> tuple[Any, Any]:
        a, b = self.operands(a=a, b=b)
        with self.x.device_context(a):
            result: tuple[Any, Any] = calls.with_vectors(rank.lstsq_gelsy, self.x, a, b, b.ndim == 1, rcond)
            return result

    def pinv(self, a: Any, rcond: float) -> Any:
        a, = self.operands(a=a)
        with self.x.device_context(a):
            return rank.pinv(self.x, a, rcond)

    def geqp3(self, a: Any) -> tuple[Any, Any, Any]:
        a, = self.operands(a=a)
        with self.x.device_context(a):
            return rank.geqp3(self.x, a)

    def solve_triangular(self, a: Any, b: Any, upper: bool, left: bool, unitriangular: bool) -> Any:
        a, b = self.operands(a=a, b=b)
        with self.x.device_context(a):
            return calls.solve_triangular(self.x, a, b, upper, left, unitriangular, False)

    def _checks(self, a: Any, check_errors: bool | None) -> bool:
        """Whether singular matrices raise an error; by default they do where the check needs no synchronisation."""
        return self.x.backend(a) == CPU if check_errors is None else check_errors

    def lu_factor(self, a: Any, check_errors: bool) -> tuple[Any, Any, Any]:
        a, = self.operands(a=a)
        with self.x.device_context(a):
            return lu.lu_factor(self.x, a, check_errors)

    def plu(self, a: Any) -> tuple[Any, Any, Any]:
        a, = self.operands(a=a)
        with self.x.device_context(a):
            return lu.lu(self.x, a)

    def lu_solve(self, factors: Any, pivots: Any, b: Any, left: bool, adjoint: bool) -> Any:
        factors, b = self.operands(LU=factors, b=b)
        pivots = self._pivots(pivots, factors)
        shapes.no_vectors_on_the_left(b.ndim == 1, left)
        if not left:
            shapes.lu_solve(factors.shape, pivots.shape, b.shape, False)
        with self.x.device_context(factors):
            if left:
                return lu.lu_solve_either(self.x, factors, pivots, b, b.ndim == 1, adjoint)
            # Taking the conjugate transpose of both sides moves the matrix to the left.
            return self._adjoint(lu.lu_solve(self.x, factors, pivots, self._adjoint(b), not adjoint))

    def _pivots(self, pivots: Any, factors: Any) -> Any:
        if front("pivots", pivots) is not self:
            raise TypeError(f"pivots is a {_type_name(pivots)}, but LU is a {_type_name(factors)}: both must be of the same library")
        if pivots.dtype.name != "int32":
            raise TypeError(f"pivots is {pivots.dtype}, but must be int32")
        if self.x.device_name(pivots) != self.x.device_name(factors):
            raise TypeError(f"pivots is on {self.x.device_name(pivots)}, but LU is on {self.x.device_name(factors)}: both must be on the same device")
        return pivots if pivots.dtype.isnative else pivots.astype("int32")

    def _adjoint(self, a: Any) -> Any:
        transposed = self.x.swap(a)
        return transposed.conj() if self.x.letter(a) in "cz" else transposed

    def solve(self, a: Any, b: Any, left: bool, check_errors: bool | None) -> tuple[Any, Any]:
        a, b = self.operands(halves=True, a=a, b=b)
        vector = b.ndim == 1
        shapes.no_vectors_on_the_left(vector, left)
        if not left:
            shapes.solve(a.shape, b.shape, False)
        with self.x.device_context(a):
            return lu.solve_either(self.x, a, b, vector, left, self._checks(a, check_errors))

    def cholesky(self, a: Any, upper: bool, check_errors: bool | None) -> tuple[Any, Any]:
        a, = self.operands(halves=True, a=a)
        with self.x.device_context(a):
            return chol.cholesky(self.x, a, upper, self._checks(a, check_errors))

    def cholesky_solve(self, b: Any, factor: Any, upper: bool) -> Any:
        b, factor = self.operands(b=b, factor=factor)
        with self.x.device_context(b):
            return chol.cholesky_solve_either(self.x, factor, b, b.ndim == 1, upper)

    def cholesky_inverse(self, factor: Any, upper: bool) -> Any:
        factor, = self.operands(factor=factor)
        with self.x.device_context(factor):
            return chol.cholesky_inverse(self.x, factor, upper)

    def bmm(self, a: Any, b: Any) -> Any:
        a, b = self.operands(halves=True, a=a, b=b)
        with self.x.device_context(a):
            return products.bmm(self.x, a, b, False, False)

    def inv(self, a: Any, check_errors: bool | None) -> tuple[Any, Any]:
        a, = self.operands(a=a)
        with self.x.device_context(a):
            return lu.inv(self.x, a, self._checks(a, check_errors))

    def det(self, a: Any) -> Any:
        a, = self.operands(a=a)
        with self.x.device_context(a):
            return lu.det(self.x, a)[0]

    def slogdet(self, a: Any) -> tuple[Any, Any]:
        a, = self.operands(a=a)
        with self.x.device_context(a):
            return lu.slogdet(self.x, a)[:2]


class InteropFront:
    """The operations for arrays of any other library, computed by the front of a library that can share their
    memory."""

    def __init__(self, name: str, like: Any) -> None:
        self.kind, self.to_own_library = type(like), _result_converter(name, like)

    @staticmethod
    def _vector(a: Any, b: Any) -> dict[str, bool]:
        """Makes PyTorch's front follow NumPy's rule for which right-hand sides are vectors, which differs from its
        own."""
        return {"vector": len(getattr(b, "shape", ())) == 1}

    def operands(self, halves: bool = False, **named: Any) -> list[Any]:
        """Checks the operands as the front of their views does, and returns them themselves."""
        by, views = self._views(named)
        by.operands(halves, **dict(zip(named, views)))
        return list(named.values())

    def _views(self, named: dict[str, Any]) -> tuple[Any, list[Any]]:
        """Views of operands of one kind, and their front."""
        (first_name, first), *others = named.items()
        views = [_shared_view(first_name, first)]
        for name, a in others:
            if type(a) is not self.kind:
                front(name, a)  # raises the more specific error for unsupported operands, such as JAX tracers
                raise TypeError(f"{name} is a {_type_name(a)}, but {first_name} is a {_type_name(first)}: both must be of the same library")
            views.append(_shared_view(name, a))
        # The front is not cached: the next array of this type may be on another kind of device.
        return front(first_name, views[0]), views

    def _delegate(self, operation: str, named: dict[str, Any], *options: Any, **torch_options: bool) -> Any:
        by, views = self._views(named)
        result = getattr(by, operation)(*views, *options, **({} if isinstance(by, NumpyLikeFront) else torch_options))
        if isinstance(result, tuple):
            return tuple(None if r is None else self.to_own_library(_compact(r)) for r in result)
        return self.to_own_library(_compact(result))

    def qr(self, a: Any, mode: str) -> Any:
        return self._delegate("qr", {"a": a}, mode)

    def geqrf(self, a: Any) -> Any:
        return self._delegate("geqrf", {"a": a})

    def householder_product(self, factors: Any, tau: Any) -> Any:
        return self._delegate("householder_product", {"factors": factors, "tau": tau})

    def ormqr(self, factors: Any, tau: Any, other: Any, left: bool, transpose: bool) -> Any:
        return self._delegate("ormqr", {"factors": factors, "tau": tau, "other": other}, left, transpose)

    def lstsq(self, a: Any, b: Any, method: str) -> Any:
        return self._delegate("lstsq", {"a": a, "b": b}, method, **self._vector(a, b))

    def lstsq_gelsy(self, a: Any, b: Any, rcond: float) -> Any:
        return self._delegate("lstsq_gelsy", {"a": a, "b": b}, rcond, **self._vector(a, b))

    def pinv(self, a: Any, rcond: float) -> Any:
        return self._delegate("pinv", {"a": a}, rcond)

    def geqp3(self, a: Any) -> Any:
        return self._delegate("geqp3", {"a": a})

    def solve_triangular(self, a: Any, b: Any, upper: bool, left: bool, unitriangular: bool) -> Any:
        return self._delegate("solve_triangular", {"a": a, "b": b}, upper, left, unitriangular)

    def lu_factor(self, a: Any, check_errors: bool) -> Any:
        return self._delegate("lu_factor", {"a": a}, check_errors)

    def plu(self, a: Any) -> Any:
        return self._delegate("plu", {"a": a})

    def lu_solve(self, factors: Any, pivots: Any, b: Any, left: bool, adjoint: bool) -> Any:
        return self._delegate("lu_solve", {"LU": factors, "pivots": pivots, "b": b}, left, adjoint)

    def solve(self, a: Any, b: Any, left: bool, check_errors: bool | None) -> Any:
        return self._delegate("solve", {"a": a, "b": b}, left, check_errors, **self._vector(a, b))

    def inv(self, a: Any, check_errors: bool | None) -> Any:
        return self._delegate("inv", {"a": a}, check_errors)

    def cholesky(self, a: Any, upper: bool, check_errors: bool | None) -> Any:
        return self._delegate("cholesky", {"a": a}, upper, check_errors)

    def cholesky_solve(self, b: Any, factor: Any, upper: bool) -> Any:
        return self._delegate("cholesky_solve", {"b": b, "factor": factor}, upper)

    def cholesky_inverse(self, factor: Any, upper: bool) -> Any:
        return self._delegate("cholesky_inverse", {"factor": factor}, upper)

    def bmm(self, a: Any, b: Any) -> Any:
        return self._delegate("bmm", {"a": a, "b": b})

    def det(self, a: Any) -> Any:
        return self._delegate("det", {"a": a})

    def slogdet(self, a: Any) -> Any:
        return self._delegate("slogdet", {"a": a})


class JaxDeviceFront(InteropFront):
    """The operations for JAX arrays in GPU memory. Only JAX can allocate those, so its compiled programs compute the
    results (jax/arrays.py)."""

    def operands(self, halves: bool = False, **named: Any) -> list[Any]:
        self._check(named)
        return list(named.values())

    def _check(self, named: dict[str, Any]) -> Any:
        """Checks that the operands are of one kind, element type and device; returns the module of the operations."""
        (first_name, first), *others = named.items()
        for name, a in others:
            if type(a) is not self.kind:
                front(name, a)
                raise TypeError(f"{name} is a {_type_name(a)}, but {first_name} is a {_type_name(first)}: both must be of the same library")
            if a.devices() != first.devices():
                raise TypeError(f"{name} is on {a.devices()}, but {first_name} is on {first.devices()}: both must be on the same device")
        arrays = import_module("tephra.jax.arrays")
        arrays.check(named)
        return arrays

    def _delegate(self, operation: str, named: dict[str, Any], *options: Any, **torch_options: bool) -> Any:
        return getattr(self._check(named), operation)(*named.values(), *options)


def _is_jax_on_device(a: Any) -> bool:
    jax = sys.modules.get("jax")
    return (jax is not None and isinstance(a, jax.Array) and not isinstance(a, jax.core.Tracer)
            and any(device.platform != "cpu" for device in a.devices()))


def _shared_view(name: str, a: Any) -> Any:
    """A view of the array's memory as a PyTorch, CuPy or NumPy array, whichever library the process has imported."""
    if hasattr(a, "__dlpack__") and hasattr(a, "__dlpack_device__"):
        device = a.__dlpack_device__()[0]
        if device == _CPU:
            return _shared_numpy_view(name, a)
        if device == _CUDA:
            for module in ("torch", "cupy"):
                if module in sys.modules:
                    return sys.modules[module].from_dlpack(a)
    elif hasattr(a, "__cuda_array_interface__"):
        if "cupy" in sys.modules:
            return sys.modules["cupy"].asarray(a)
        if "torch" in sys.modules:
            return sys.modules["torch"].as_tensor(a, device="cuda")
    else:
        raise TypeError(f"{name} is a {_type_name(a)}, but must be an array of PyTorch, CuPy or NumPy, or one that shares "
                        "its memory through DLPack or __cuda_array_interface__")
    raise TypeError(f"{name} is a {_type_name(a)} in device memory: import torch or cupy first, which can access it")


def _shared_numpy_view(name: str, a: Any) -> Any:
    try:
        numpy = import_module("numpy")
    except ModuleNotFoundError:
        raise TypeError(f"{name} is a {_type_name(a)} in host memory, but NumPy, which is needed to access it, is not installed") from None
    try:
        return numpy.from_dlpack(a)
    except (BufferError, RuntimeError) as error:  # such as for bfloat16
        kind = f" of {a.dtype}" if hasattr(a, "dtype") else ""
        raise TypeError(f"{name} is a {_type_name(a)}{kind}, which NumPy cannot read: {error}") from error


def _compact(a: Any) -> Any:
    """Copies an array that has gaps between its elements, which not every library can represent."""
    a = a[...]  # turns NumPy scalars, such as the determinant of one matrix, into arrays, which can be shared
    steps = a.stride() if callable(getattr(a, "stride", None)) else [step // a.itemsize for step in a.strides]
    size = 1
    for step, extent in sorted(zip(steps, a.shape)):
        if extent != 1 and step != size:
            return a.clone() if hasattr(a, "clone") else a.copy()
        size *= extent
    return a


def _result_converter(name: str, a: Any) -> Any:
    """The function that converts our results into arrays of a's library; TypeError if there is none."""
    library = type(a).__module__.partition(".")[0]
    if library == "jax" or library == "jaxlib":
        jax = sys.modules["jax"]
        if isinstance(a, jax.core.Tracer):
            raise TypeError(f"{name} is a JAX tracer, but this function takes arrays only: inside jit, grad and vmap, call the "
                            "functions of tephra.jax")
        return jax.numpy.from_dlpack
    if hasattr(a, "__dlpack__") or hasattr(a, "__cuda_array_interface__"):
        namespace: Any = a.__array_namespace__() if hasattr(a, "__array_namespace__") else sys.modules.get(library)
        if hasattr(namespace, "from_dlpack"):
            return namespace.from_dlpack
        if library == "numba":
            return import_module("numba.cuda").as_cuda_array
        raise TypeError(f"{name} is a {_type_name(a)}, and {library} has no from_dlpack() with which results could be returned: pass "
                        f"torch.as_tensor({name}), cupy.asarray({name}) or numpy.asarray({name})")
    return None  # not an array: _shared_view() raises the error


def into(outs: Sequence[Any], results: Sequence[Any], operands: Sequence[Any]) -> list[Any]:
    """Copies the results into the caller's `out` arrays, of which none is written to if one does not fit. A result of
    None is kept."""
    fronts = [None if result is None else _front_of_out(out, result, operands) for out, result in zip(outs, results)]
    return [by if by is None else by.put(out, result) for by, out, result in zip(fronts, outs, results)]


def _front_of_out(out: Any, result: Any, operands: Sequence[Any]) -> Any:
    """Checks that a result fits into an `out` array, and returns that array's front."""
    where = front("out", out)
    if isinstance(where, InteropFront):
        raise TypeError(f"out is a {_type_name(out)}, but must be an array of PyTorch, CuPy or NumPy")
    where.check_out(out, result, operands)
    return where


def _new_front(name: str, a: Any) -> Any:
    for kind in type(a).__mro__:
        library = kind.__module__.partition(".")[0]
        if library == "torch" and isinstance(a, sys.modules["torch"].Tensor):
            # An import statement, because torch.compile() can trace it if this is the program's first call.
            from ._torch import front as tensors
            return tensors
        if library == "numpy" and isinstance(a, sys.modules["numpy"].ndarray):
            return _numpy_like_fronts.setdefault("numpy", NumpyLikeFront(Numpy()))
        if library == "cupy" and isinstance(a, sys.modules["cupy"].ndarray):
            return _numpy_like_fronts.setdefault("cupy", NumpyLikeFront(Cupy()))
    return JaxDeviceFront(name, a) if _is_jax_on_device(a) else InteropFront(name, a)


_numpy_like_fronts: dict[str, NumpyLikeFront] = {}
FRONTS: dict[type, Any] = {}  # keyed by the type of the first operand


def front(name: str, a: Any) -> Any:
    """The front for an operand; TypeError if it is not an array."""
    found = FRONTS.get(type(a))
    if found is None:
        found = _new_front(name, a)
        if not isinstance(found, InteropFront):
            FRONTS[type(a)] = found
    return found
