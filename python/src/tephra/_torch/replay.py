"""The fast path for plain tensors: the steps of a call are recorded once, and replayed by _native.c from then on.

The operands' type, device, shapes and strides, together with the options, determine the steps of a call. When Python
runs such a call for the first time, `Recorder` takes the place of the adapter `Tensors` and records each step: a tensor
is created or copied, a library function is called. The plan made of these steps is kept for operands with the same
properties. A call that does anything its adapter cannot observe, so that a result comes from no recorded step, gets no
plan and always takes the general path.

Without the compiled module, or with a PyTorch older than 2.10, everything takes the general path.
"""
from __future__ import annotations

import ctypes
import os
import sys
import threading
from typing import Any, Callable

import torch
from torch.autograd import forward_ad

from .. import _library as lib
from .tensors import Tensors

_PLAIN_TYPES = (torch.Tensor, torch.nn.Parameter)


class _Address(int):
    """The address of a tensor, with its slot in the plan."""
    slot: int


class _NoPlan(Exception):
    pass


# Steps that consist of one PyTorch function, which the plan calls directly instead of the adapter's Python function.
_DIRECT_STEPS: dict[str, Callable[..., tuple[Any, ...]]] = {
    "empty": lambda like, shape, int32=False: _new_empty(like, shape, torch.int32 if int32 else None),
    "bytes": lambda like, count: _new_empty(like, (count,), torch.uint8),
    "columns": lambda like, outer, m, n: (torch.Tensor.new_empty_strided, like, (*outer, m, n), _strides(outer, m, n)),
    "copy": lambda to, a: (torch.Tensor.copy_, to, a),
    "swap": lambda a: (torch.Tensor.mT.__get__, a),
    "rows": lambda a, count: (torch.Tensor.narrow, a, -2, 0, count),
    "as_columns": lambda b: (torch.Tensor.unsqueeze, b, -1),
    "as_vectors": lambda b: (torch.Tensor.squeeze, b, -1),
    "permute": lambda a, order: (torch.Tensor.permute, a, order),
    "zero": lambda a: (torch.Tensor.zero_, a),
    "only_triangle": lambda a, upper: (torch.Tensor.triu_ if upper else torch.Tensor.tril_, a),
    "sign": lambda a: (torch.sign, a),
    "sum": lambda a: (torch.Tensor.sum, a, -1),
}


def _strides(outer: Any, m: int, n: int) -> tuple[int, ...]:
    from .. import _shapes
    return _shapes.column_major(outer, m, n)


_VIEW_STEPS = ("swap", "rows", "as_columns", "as_vectors", "permute")
_prototypes: dict[Any, Any] = {}


def _row_major(shape: Any) -> tuple[int, ...]:
    strides: list[int] = []
    step = 1
    for size in reversed(shape):
        strides.insert(0, step)
        step *= max(size, 1)
    return tuple(strides)


def _new_empty(like: Any, shape: Any, dtype: Any) -> tuple[Any, ...]:
    if dtype is not None:
        # Pass the type by an empty tensor of that type: passing it as a keyword argument is slower.
        like = _prototypes.setdefault((like.device, dtype), torch.empty(0, dtype=dtype, device=like.device))
    return torch.Tensor.new_empty_strided, like, tuple(shape), _row_major(shape)


class Recorder:
    """The adapter `Tensors`, which also records each step. One instance serves one call."""

    def __init__(self, operands: Any) -> None:
        self.tensors = list(operands)  # every tensor of the plan; kept alive so that their id()s stay unique
        self.slots = {id(a): i for i, a in enumerate(self.tensors)}
        self.operands = tuple(self.tensors)
        self.steps: list[Any] = []
        self.bases: dict[int, int] = {}
        self.broken = False

    letter, device, strides, error, backend, stream = (
        staticmethod(getattr(Tensors, name)) for name in ("letter", "device", "strides", "error", "backend", "stream"))

    def slot(self, a: Any) -> int:
        found = self.slots.get(id(a))
        if found is None:
            self.broken = True
            return 0
        return found

    def _add(self, a: Any) -> int:
        self.tensors.append(a)
        self.slots[id(a)] = len(self.tensors) - 1
        return len(self.tensors) - 1

    def pointer(self, a: Any) -> int:
        address = _Address(a.data_ptr())
        slot = self.slot(a)
        # The views that are recorded start at their base's first element, so the plan can use the base's address and
        # omit a view that only its address was taken of.
        while slot in self.bases:
            slot = self.bases[slot]
        address.slot = slot
        return address

    def called(self, function: Any, arguments: Any) -> None:
        if any(isinstance(a, float) for a in arguments):
            self.broken = True  # plans can only pass integers and addresses
            return
        numbers = tuple((a.slot, 0) if isinstance(a, _Address) else (-1, int(a or 0)) for a in arguments)
        address = ctypes.cast(function, ctypes.c_void_p).value
        self.steps.append(("library", address, numbers, -1, 0, 0))

    def _step(self, name: str, *arguments: Any) -> Any:
        out = getattr(Tensors, name)(*arguments)
        if tensor_functions and name in ("empty", "columns", "bytes"):
            numbers = (_DTYPE_NUMBERS[out.dtype], *out.shape, *out.stride())
            self.steps.append(("make", None, tuple((-1, n) for n in numbers), self._add(out), 0, 0))
            return out
        # A tensor from no recorded step would go into the plan as it is, a constant for all later calls.
        self.broken |= any(isinstance(a, torch.Tensor) and id(a) not in self.slots for a in arguments)
        direct = _DIRECT_STEPS.get(name)
        function, *given = direct(*arguments) if direct else (getattr(Tensors, name), *arguments)
        step_arguments = tuple((self.slot(a), None) if id(a) in self.slots else (-1, a) for a in given)
        results = out if isinstance(out, tuple) else (out,)
        if len(results) > 1:
            # The tuple gets a slot of its own, and further steps extract its elements.
            whole = self._add(out)
            self.steps.append(("call", function, step_arguments, whole, 0, 0))
            for i, result in enumerate(results):
                self.steps.append(("call", tuple.__getitem__, ((whole, None), (-1, i)), self._add(result), 0, 0))
        else:
            self.steps.append(("call", function, step_arguments, -1 if out is None else self._add(out), 0, 0))
            if name in _VIEW_STEPS:
                self.bases[self.slot(out)] = self.slot(arguments[0])
        return out

    def fill_with_nan(self, result: Any, info: Any) -> None:
        if info.is_cuda:
            self._step("fill_with_nan", result, info)
        else:
            # For host memory, the plan only checks that info is all zeros; otherwise the call runs in Python.
            self.steps.append(("zero", None, (), self.slot(info), 0, 0))
            Tensors.fill_with_nan(result, info)

    def first_code(self, info: Any) -> Any:
        self.broken |= info.is_cuda or not info.is_contiguous()
        self.steps.append(("zero", None, (), self.slot(info), 0, 0))
        return Tensors.first_code(info)

    def within(self, a: Any, least: int, most: int) -> bool:
        self.broken |= a.is_cuda or not a.is_contiguous() or a.dtype is not torch.int32
        self.steps.append(("within", None, (), self.slot(a), least, most))
        return Tensors.within(a, least, most)

    def plan(self, results: Any) -> Any:
        """(steps, slots of the results, whether they are a tuple, the named tuple's type), or None if the call has no
        plan."""
        many = isinstance(results, tuple)
        slots = tuple(-1 if r is None else self.slots.get(id(r), -2) for r in (results if many else (results,)))
        too_long = any(len(a) > (6 if kind == "call" else 27) for kind, _, a, *_ in self.steps)
        # An operand comes back only if it was written to, as `out` is, which no step says.
        writes = any(r is a for r in (results if many else (results,)) for a in self.operands)
        if self.broken or writes or -2 in slots or (not many and -1 in slots) or len(self.tensors) > 32 or too_long:
            return None
        named_tuple = None if type(results) is tuple or not many else type(results)
        return self._without_unused_views(slots), slots, many, named_tuple

    def _without_unused_views(self, results: Any) -> tuple[Any, ...]:
        """Drops the steps that make views which no later step uses."""
        used, steps = set(results), []
        for step in reversed(self.steps):
            if step[3] in used or step[3] not in self.bases:
                used |= {slot for slot, _ in step[2]}
                steps.append(step)
        return tuple(reversed(steps))


def _recording_method(name: str) -> Callable[..., Any]:
    def method(self: Recorder, *arguments: Any, **named: Any) -> Any:
        return self._step(name, *arguments, *named.values())
    return method


for _name in ("empty", "bytes", "columns", "copy", "swap", "rows", "as_columns", "as_vectors", "permute", "zero", "count", "only_triangle", "mirror",
              "signed_diagonal", "product", "sum", "sign", "log_of_size", "signs_and_logs", "unpacked", "permutation"):
    setattr(Recorder, _name, _recording_method(_name))

_thread = threading.local()


def adapter() -> Any:
    """The adapter for calls on this thread: its recorder, or else `Tensors`."""
    return getattr(_thread, "recorder", None) or Tensors


def _recording_function(function: Callable[..., Any]) -> Callable[..., Any]:
    """Makes the function that _native.c uses to run a call; it returns the results and the plan. None marks such calls as
    having no plan, False leaves that open."""

    def record(arguments: Any, named: Any) -> tuple[Any, Any]:
        if getattr(_thread, "recorder", None) is not None:
            return function(*arguments, **named), False  # a nested call belongs to the plan of the outer one
        recorder = Recorder(a for a in (*arguments, *named.values()) if type(a) in _PLAIN_TYPES)
        _thread.recorder = recorder
        try:
            results = function(*arguments, **named)
        finally:
            _thread.recorder = None
        return results, recorder.plan(results)

    return record


# The numbers of element types in PyTorch's stable C interface.
_DTYPE_NUMBERS = {torch.uint8: 0, torch.int32: 3, torch.float32: 6, torch.float64: 7, torch.complex64: 9,
                  torch.complex128: 10}


def _tensor_functions() -> tuple[int, ...]:
    """Addresses of the functions that create a tensor, wrap it in a Python object and release it; empty if PyTorch
    lacks them. They take half the time of torch.Tensor.new_empty_strided()."""
    folder = os.path.join(os.path.dirname(torch.__file__), "lib")
    try:
        core, python = (ctypes.CDLL(os.path.join(folder, name), os.RTLD_NOLOAD) for name in ("libtorch_cpu.so", "libtorch_python.so"))
        functions = core.aoti_torch_empty_strided, python._Z16THPVariable_WrapRKN2at10TensorBaseE, core.aoti_torch_delete_tensor_object
        for dtype, number in _DTYPE_NUMBERS.items():
            if getattr(core, "aoti_torch_dtype_" + str(dtype)[6:])() != number:
                return ()
    except (OSError, AttributeError):
        return ()
    return tuple(ctypes.cast(function, ctypes.c_void_p).value or 0 for function in functions)


tensor_functions = _tensor_functions()


def _load() -> Any:
    """Loads and initialises the compiled module; None if it, or what it needs from PyTorch, is missing."""
    capsule = getattr(torch.Tensor, "__dlpack_c_exchange_api__", None)
    if capsule is None or sys.version_info < (3, 10):
        return None
    try:
        from .. import _native  # type: ignore[attr-defined]
        observers = (torch._C._len_torch_dispatch_stack, torch._C._are_functorch_transforms_active,
                     torch._C._get_tracing_state, torch._C._autograd._profiler_enabled)
        forward_ad._current_level
        _native.setup(capsule, *_PLAIN_TYPES, observers, forward_ad, torch.is_grad_enabled,
                      getattr(torch._C, "_cuda_getDevice", torch.cuda.current_device),
                      ctypes.cast(lib._set_thread_backend, ctypes.c_void_p).value, *(tensor_functions or (0, 0, 0)))
    except (ImportError, AttributeError):
        return None
    return _native


native = _load()


def fast_path(function: Callable[..., Any]) -> Callable[..., Any]:
    """Builds the fast path of `function`: a function that serves calls on plain tensors by recorded plans, and returns
    None for all other calls. It must not be called in code that torch.compile() traces."""
    if native is None:
        return lambda *arguments, **named: None
    fast: Callable[..., Any] = native.function(_recording_function(function))
    return fast
