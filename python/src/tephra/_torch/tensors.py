"""The adapter through which _calls.py accesses PyTorch tensors, and checks of operands."""
from __future__ import annotations

import math
from typing import Any

import torch

from .. import _library as lib
from .. import _shapes as shapes

LETTERS = {torch.float32: "s", torch.float64: "d", torch.complex64: "c", torch.complex128: "z"}
# 16-bit types, for the functions that take them: computed in single precision, with the results rounded.
HALVES = {torch.float16: "h", torch.bfloat16: "b"}
_WIDER = {torch.float32: torch.float64, torch.complex64: torch.complex128}
_ALIGNMENT = {torch.float16: 1, torch.bfloat16: 1, torch.float32: 3, torch.float64: 7, torch.complex64: 3, torch.complex128: 7, torch.int32: 3}

_current_device: Any = getattr(torch._C, "_cuda_getDevice", torch.cuda.current_device)
_raw_stream: Any = getattr(torch._C, "_cuda_getCurrentRawStream",
                           lambda index: torch.cuda.current_stream(index).cuda_stream)


_counts: dict[Any, Any] = {}


def count_from_one(last: int, device: Any) -> Any:
    """The cached tensor 1, 2, ..., last: the pivots of no interchanges. It must not be written to."""
    # Cached per stream, because another stream may not have written its copy yet. A tensor created during graph capture
    # is not cached, because it has no content before the graph is launched.
    key = last, device, _raw_stream(device.index) if device.type == "cuda" else None
    found = _counts.get(key)
    if found is None:
        found = torch.arange(1, last + 1, dtype=torch.int32, device=device)
        if len(_counts) < 64 and not (device.type == "cuda" and torch.cuda.is_current_stream_capturing()):
            _counts[key] = found
    return found


def _require_aligned(a: Any) -> None:
    # torch.frombuffer() can create misaligned tensors, which may crash even PyTorch's own copy.
    if a.data_ptr() & _ALIGNMENT[a.dtype]:
        raise ValueError(f"a tensor at address {a.data_ptr():#x} is not aligned to its elements, {a.dtype}")


class Tensors:
    """Tensors in host memory, or in device memory on PyTorch's current stream of their device."""

    called: Any = None  # overridden by replay.py's Recorder, which records calls of the library
    letter = staticmethod(lambda a: LETTERS.get(a.dtype) or HALVES[a.dtype])
    pointer = staticmethod(torch.Tensor.data_ptr)
    device = staticmethod(torch.Tensor.get_device)

    @staticmethod
    def strides(a: Any) -> tuple[int, ...]:
        _require_aligned(a)
        strides: tuple[int, ...] = a.stride()
        return strides

    @staticmethod
    def empty(like: Any, shape: tuple[int, ...], int32: bool = False) -> Any:
        return like.new_empty(shape, dtype=torch.int32) if int32 else like.new_empty(shape)

    @staticmethod
    def columns(like: Any, outer: tuple[int, ...], m: int, n: int) -> Any:
        return like.new_empty_strided((*outer, m, n), shapes.column_major(outer, m, n))

    @staticmethod
    def bytes(like: Any, count: int) -> Any:
        return like.new_empty(count, dtype=torch.uint8)

    @staticmethod
    def copy(to: Any, a: Any) -> None:
        _require_aligned(a)
        to.copy_(a)

    @staticmethod
    def swap(a: Any) -> Any:
        return a.mT

    @staticmethod
    def rows(a: Any, count: int) -> Any:
        return a.narrow(-2, 0, count)

    @staticmethod
    def as_columns(b: Any) -> Any:
        return b.unsqueeze(-1)

    @staticmethod
    def as_vectors(b: Any) -> Any:
        return b.squeeze(-1)

    @staticmethod
    def permute(a: Any, order: tuple[int, ...]) -> Any:
        return a.permute(order)

    @staticmethod
    def zero(a: Any) -> None:
        a.zero_()

    @staticmethod
    def count(a: Any) -> None:
        a.copy_(count_from_one(a.shape[-1], a.device))

    @staticmethod
    def only_triangle(a: Any, upper: bool) -> None:
        if upper:
            a.triu_()
        else:
            a.tril_()

    @staticmethod
    def mirror(a: Any, upper: bool) -> None:
        # Not .mH, whose conjugation is lazy: the kernels may run in code compiled by torch.compile(), where the part of
        # PyTorch that resolves it is inactive.
        a += (a.triu(1) if upper else a.tril(-1)).mT.conj_physical()

    @staticmethod
    def error() -> type[Exception]:
        kind: type[Exception] = torch.linalg.LinAlgError
        return kind

    @staticmethod
    def fill_with_nan(result: Any, info: Any) -> None:
        result.masked_fill_((info != 0)[..., None, None], math.nan)

    @staticmethod
    def first_code(info: Any) -> tuple[int, int] | None:
        return next(((i, code) for i, code in enumerate(info.reshape(-1).tolist()) if code), None)

    @staticmethod
    def within(a: Any, least: int, most: int) -> bool:
        if a.numel() == 0:
            return True
        smallest, largest = a.aminmax()
        return int(smallest) >= least and int(largest) <= most

    @staticmethod
    def signed_diagonal(factors: Any, pivots: Any) -> Any:
        diagonal = factors.diagonal(0, -2, -1)
        return torch.where(pivots == count_from_one(pivots.shape[-1], pivots.device), diagonal, -diagonal)

    @staticmethod
    def product(a: Any) -> Any:
        # As in _adapters.py. PyTorch has no type that is wider than float64.
        wider = _WIDER.get(a.dtype)
        return a.prod(-1) if wider is None else a.prod(-1, dtype=wider).to(a.dtype)

    @staticmethod
    def sum(a: Any) -> Any:
        return a.sum(-1)

    @staticmethod
    def log_of_size(a: Any) -> Any:
        return a.abs().log_()

    sign = staticmethod(torch.sign)

    @staticmethod
    def signs_and_logs(a: Any) -> tuple[Any, Any]:
        # As in _adapters.py: dividing by the larger part first leaves an absolute value between 1 and 2, if it is finite.
        parts = torch.view_as_real(a.resolve_conj())
        largest = parts.abs().amax(-1, keepdim=True).nan_to_num_(1, 1)
        is_zero = largest == 0
        unit = parts / (largest + is_zero)
        size = torch.hypot(*unit.unbind(-1)).unsqueeze_(-1) + is_zero
        return torch.view_as_complex(unit / size), (largest.log() + size.log()).squeeze_(-1)

    @staticmethod
    def unpacked(factors: Any, k: int) -> tuple[Any, Any]:
        lower = factors.narrow(-1, 0, k).tril(-1)
        lower.diagonal(0, -2, -1).fill_(1)
        return lower, factors.narrow(-2, 0, k).triu()

    @staticmethod
    def permutation(like: Any, pivots: Any, outer: tuple[int, ...], m: int) -> Any:
        p: Any = torch.lu_unpack(like, pivots, unpack_data=False)[0]
        return p

    @staticmethod
    def backend(a: Any) -> int:
        return lib.CUDA if a.is_cuda else lib.CPU

    @staticmethod
    def stream(a: Any) -> int | None:
        if not a.is_cuda:
            return None
        stream: int = _raw_stream(a.get_device())
        return stream


def on_device(a: Any) -> bool:
    """Whether a call on `a` can go to the thread's current device."""
    return not a.is_cuda or a.get_device() == _current_device()


_PLAIN_TYPES = (torch.Tensor, torch.nn.Parameter)


def is_plain_memory(a: Any, types: Any = LETTERS) -> bool:
    """Whether a tensor of one of these types is plain memory, with nothing to resolve: no lazy conjugation or negation,
    and no zero tensor without storage, as derivatives use."""
    return (type(a) in _PLAIN_TYPES and a.dtype in types and (a.is_cuda or a.is_cpu) and a.layout is torch.strided
            and not a.is_nested and not a.is_conj() and not a.is_neg() and not a._is_zerotensor())


def all_plain_memory(arguments: Any) -> bool:
    """Whether all tensors among an operator's arguments are plain memory; pivots need only be ordinary int32
    tensors."""
    return all(is_plain_memory(a) or (type(a) in _PLAIN_TYPES and a.dtype is torch.int32 and (a.is_cuda or a.is_cpu))
               for a in arguments if isinstance(a, torch.Tensor))


def check(name: str, a: Any, halves: bool = False) -> None:
    """Raises TypeError if the library does not support a tensor's type, device or layout; `halves` allows 16-bit
    types."""
    if a.dtype not in LETTERS and not (halves and a.dtype in HALVES):
        *known, last = (str(dtype) for dtype in ((*HALVES, *LETTERS) if halves else LETTERS))
        raise TypeError(f"{name} is {a.dtype}, but must be {', '.join(known)} or {last}")
    if a.device.type not in ("cpu", "cuda", "meta"):
        raise TypeError(f"{name} is on {a.device}, but must be on a cpu or cuda device")
    if a.layout is not torch.strided or a.is_nested:
        layout = "is a nested tensor" if a.is_nested else f"has layout {a.layout}"
        raise TypeError(f"{name} {layout}, but must be a {torch.strided} tensor")


def check_together(first_name: str, first: Any, name: str, a: Any) -> None:
    """Raises TypeError unless an operand has the first one's element type and device."""
    if a.dtype is not first.dtype:
        raise TypeError(f"{name} is {a.dtype}, but {first_name} is {first.dtype}: both must have the same type")
    if a.device != first.device:
        raise TypeError(f"{name} is on {a.device}, but {first_name} is on {first.device}: both must be on the same device")


def check_pivots(first_name: str, first: Any, pivots: Any) -> None:
    """Raises TypeError unless pivots are 32-bit integers on the device of the factors."""
    if pivots.dtype is not torch.int32:
        raise TypeError(f"pivots is {pivots.dtype}, but must be torch.int32")
    if pivots.device != first.device:
        raise TypeError(f"pivots is on {pivots.device}, but {first_name} is on {first.device}: both must be on the same device")
