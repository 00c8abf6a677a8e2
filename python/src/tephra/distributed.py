"""QR and least squares of one tall matrix whose rows are distributed over the processes of torch.distributed (TSQR).

Either each process holds a block of rows, in the order of ranks, in a local tensor; or all processes hold a DTensor
that is sharded by rows. Only n x n blocks are communicated, for n columns: NCCL groups send them from device to device,
others through host memory.

The functions are collective: every process of the group must call them. If one process passes sizes that do not match,
or fails, all processes raise TephraError. The group's timeout limits the wait for a process that does not call.
"""
from __future__ import annotations

import contextlib
import ctypes
import sys
import time
import weakref
from collections.abc import Callable, Iterator
from ctypes import c_int, c_int64, c_size_t, c_void_p
from typing import Any, TypeVar

import torch
import torch.distributed as dist

from ._library import CPU, CUDA, Q_NONE, Q_THIN, TephraError, _function, call, failure
from ._operations import QR, LeastSquares

__all__ = ["lstsq", "qr"]

_ALLGATHER = ctypes.CFUNCTYPE(c_int, c_void_p, c_void_p, c_size_t, c_void_p)
_BROADCAST = ctypes.CFUNCTYPE(c_int, c_void_p, c_size_t, c_int, c_void_p)
_LETTERS = {torch.float32: "s", torch.float64: "d", torch.complex64: "c", torch.complex128: "z"}
_TYPES = {"i": c_int, "n": c_int64, "p": c_void_p}
_T = TypeVar("_T")


def _prototype(name: str, letters: str) -> Any:
    function = _function(name)
    function.argtypes = [_TYPES[letter] for letter in letters]
    return function


_create = _function("tephra_comm_create")
_create.argtypes = [c_int, c_int, _ALLGATHER, _BROADCAST, c_void_p, c_void_p]
_from_nccl = _prototype("tephra_comm_from_nccl", "pp")
_destroy = _prototype("tephra_comm_destroy", "p")
_QR = {letter: _prototype(f"tephra_{letter}qr_distributed", "pinnpnpnpnp") for letter in "sdcz"}
_GELS = {letter: _prototype(f"tephra_{letter}gels_distributed", "pnnnpnpnpnpp") for letter in "sdcz"}


def _bytes(address: int, size: int) -> torch.Tensor:
    return torch.frombuffer((ctypes.c_uint8 * size).from_address(address), dtype=torch.uint8)


@contextlib.contextmanager
def _lent(tensors: list[torch.Tensor]) -> Iterator[None]:
    """For a collective on these tensors; ends when the group has dropped its references to them.

    A thread of the group drops them shortly after the collective has returned, for which it must take Python's lock. If
    the interpreter begins to end before that, PyTorch aborts the process."""
    def references() -> int:
        return sum(sys.getrefcount(tensor) + getattr(tensor, "_use_count", int)() for tensor in tensors)
    before, until = references(), time.monotonic() + 1
    yield
    # On a device a collective may not have ended yet, and its tensors are dropped elsewhere.
    while tensors[0].is_cpu and references() > before and time.monotonic() < until:
        time.sleep(0)  # other threads may take the lock


class _Communicator:
    """A tephra_comm for a torch.distributed group and the tensors of one device."""

    def __init__(self, group: Any, device: torch.device) -> None:
        self.handle = c_void_p()
        # Weak, so that the group still ends when the program drops it.
        self.group_ref, self.device = weakref.ref(group), device
        self.size = dist.get_world_size(group)
        # The device of tensors passed to the group's collectives: NCCL does not accept host memory.
        self.collective_device = device if dist.get_backend(group) == "nccl" else torch.device("cpu")
        self.error: BaseException | None = None
        self.kind = CUDA if device.type == "cuda" else CPU
        place = ctypes.addressof(self.handle)
        nccl = self._nccl()
        if nccl:
            status = call(self.kind, _from_nccl, nccl, place)
        else:
            # The callbacks must live as long as the communicator.
            self.functions = _ALLGATHER(self._gather), _BROADCAST(self._broadcast)
            status = call(self.kind, _create, dist.get_rank(group), self.size, *self.functions, None, place)
        if status:
            raise failure(status)

    @property
    def group(self) -> Any:
        return self.group_ref()

    def __del__(self, destroy: Any = _destroy) -> None:  # bound here: at exit the module's names may be gone
        destroy(self.handle)

    def _nccl(self) -> int:
        """The group's ncclComm_t on this device, or 0 if PyTorch does not expose it."""
        if self.collective_device.type != "cuda":
            return 0
        backend = self.group._get_backend(self.device)
        if not hasattr(backend, "_comm_ptr"):
            return 0
        # PyTorch creates the communicator with the group's first collective.
        dist.all_reduce(torch.zeros(1, device=self.device), group=self.group)
        return int(backend._comm_ptr())

    def _guarded(self, what: Any) -> int:
        try:
            what()
            return 0
        except BaseException as error:  # must not propagate through C code; run() raises it afterwards
            self.error = error
            return 1

    def _gather(self, send: int, receive: int, size: int, _: Any) -> int:
        def gather() -> None:
            mine, *parts = (torch.empty(size, dtype=torch.uint8, device=self.collective_device)
                            for _ in range(self.size + 1))
            mine.copy_(_bytes(send, size))
            with _lent([mine, *parts]):
                dist.all_gather(parts, mine, group=self.group)
            _bytes(receive, size * self.size).copy_(torch.cat(parts))
        return self._guarded(gather)

    def _broadcast(self, buffer: int, size: int, root: int, _: Any) -> int:
        def broadcast() -> None:
            data, sent = _bytes(buffer, size), torch.empty(size, dtype=torch.uint8, device=self.collective_device)
            sent.copy_(data)
            with _lent([sent]):
                dist.broadcast(sent, dist.get_global_rank(self.group, root), group=self.group)
            data.copy_(sent)
        return self._guarded(broadcast)

    def run(self, function: Any, *arguments: Any) -> None:
        self.error = None
        if self.kind == CUDA:
            with torch.cuda.device(self.device):
                stream = torch.cuda.current_stream().cuda_stream
                status = call(self.kind, function, self.handle, *arguments, stream)
        else:
            status = call(self.kind, function, self.handle, *arguments, None)
        error, self.error = self.error, None
        if isinstance(error, Exception):
            raise TephraError("a collective of torch.distributed failed") from error
        if error is not None:  # such as KeyboardInterrupt
            raise error
        if status:
            raise failure(status)


_communicators: weakref.WeakKeyDictionary[Any, dict[torch.device, _Communicator]] = weakref.WeakKeyDictionary()


def _group_of(a: Any, group: Any) -> Any:
    """The group that was given, else that of a DTensor's mesh, else all processes."""
    if group is None:
        group = a.device_mesh.get_group() if hasattr(a, "device_mesh") else dist.group.WORLD
        if group is None:
            raise ValueError("there is no process group: call torch.distributed.init_process_group() first")
    if group == dist.GroupMember.NON_GROUP_MEMBER:
        raise ValueError("this process does not belong to the group")
    return group


def _prepared(a: Any, group: Any, prepare: Callable[[], _T]) -> _T:
    """What `prepare` returns. If it fails, the other processes are told by a call with invalid sizes; they would wait for this one."""
    try:
        return prepare()
    except Exception:
        with contextlib.suppress(Exception):  # what is wrong with the operands is reported
            group = _group_of(a, group)
            local = a.to_local() if hasattr(a, "device_mesh") else a
            nccl = dist.get_backend(group) == "nccl"
            own = torch.device("cuda", torch.cuda.current_device()) if nccl else torch.device("cpu")
            # Other libraries' arrays have a `device` of another kind.
            device = local.device if isinstance(local, torch.Tensor) else own
            _communicator(group, device).run(_QR["d"], Q_NONE, -1, 0, None, 1, None, 1, None, 1)
        raise


def _communicator(group: Any, device: torch.device) -> _Communicator:
    of_group = _communicators.setdefault(group, {})
    if device not in of_group:
        of_group[device] = _Communicator(group, device)
    return of_group[device]


class _Rows:
    """This process's rows of an operand, and for a DTensor its mesh and shape, to build DTensor results."""

    def __init__(self, name: str, a: Any, group: Any) -> None:
        self.mesh = None
        if hasattr(a, "device_mesh"):
            from torch.distributed.tensor import Shard
            if a.device_mesh.ndim != 1 or tuple(a.placements) != (Shard(0),):
                raise ValueError(f"{name} is a DTensor with placements {a.placements}, but only rows may be distributed, over a "
                                 "mesh of one dimension: [Shard(0)]")
            self.mesh, self.whole = a.device_mesh, a.shape
        self.group = _group_of(a, group)
        if self.mesh is not None:
            a = a.to_local()
        if not isinstance(a, torch.Tensor) or a.dtype not in _LETTERS:
            raise TypeError(f"{name} must be a tensor of float32, float64, complex64 or complex128")
        if a.device.type not in ("cpu", "cuda"):
            raise ValueError(f"{name} is on {a.device}, but must be on a cpu or cuda device")
        self.local = a.detach().resolve_conj().resolve_neg()

    def columns(self) -> torch.Tensor:
        """A column-major copy of the rows, transposed to a contiguous tensor."""
        return self.local.mT.clone(memory_format=torch.contiguous_format)

    def distributed(self, local: torch.Tensor, columns: int) -> Any:
        if self.mesh is None:
            return local
        from torch.distributed.tensor import DTensor, Shard
        shape = torch.Size([self.whole[0], columns])
        return DTensor.from_local(local.contiguous(), self.mesh, [Shard(0)], run_check=False, shape=shape, stride=(columns, 1))

    def replicated(self, local: torch.Tensor) -> Any:
        if self.mesh is None:
            return local
        from torch.distributed.tensor import DTensor, Replicate
        return DTensor.from_local(local.contiguous(), self.mesh, [Replicate()], run_check=False)


def _matrix(rows: _Rows, name: str) -> tuple[int, int]:
    if rows.local.ndim != 2:
        raise ValueError(f"{name} has {rows.local.ndim} dimensions, but must have 2")
    m, n = rows.local.shape
    return m, n


def qr(a: Any, group: Any = None, mode: str = "reduced") -> QR[Any, Any]:
    """QR factorisation a = Q R of a matrix whose rows are distributed over the processes of a group (None: all
    processes).

    `a` is this process's rows (m, n), or a DTensor with placements [Shard(0)]. m may differ between processes and may
    be 0, but the whole matrix must have at least n rows. Q has the same rows as `a` and is distributed like it; R (n,
    n) is returned in every process, as a replicated DTensor if `a` is a DTensor. R equals tephra.qr()'s R of the whole
    matrix, with LAPACK's signs, up to rounding, and is bitwise identical in all processes. With mode "r", Q is empty
    and not computed. Not differentiable.
    """
    def prepare() -> tuple[_Rows, torch.Tensor, torch.Tensor, torch.Tensor]:
        if mode not in ("reduced", "r"):
            raise ValueError(f"mode is {mode!r}, but must be 'reduced' or 'r'")
        rows = _Rows("a", a, group)
        m, n = _matrix(rows, "a")
        work = rows.columns()
        q, r = work.new_empty((n, m) if mode == "reduced" else (0,)), work.new_empty((n, n))
        return rows, work, q, r
    rows, work, q, r = _prepared(a, group, prepare)
    (n, m), thin = work.shape, mode == "reduced"
    ld = max(m, 1)
    communicator = _communicator(rows.group, work.device)
    communicator.run(_QR[_LETTERS[work.dtype]], Q_THIN if thin else Q_NONE, m, n, work.data_ptr(), ld, q.data_ptr(), ld,
                     r.data_ptr(), max(n, 1))
    return QR(rows.distributed(q.mT, n) if thin else q, rows.replicated(r.mT))


def lstsq(a: Any, b: Any, group: Any = None) -> LeastSquares[Any]:
    """The least squares solution of a x = b, whose rows are distributed over the processes of a group, in every
    process.

    `a` is this process's rows (m, n), as for qr(); `b` is the same rows of the right-hand sides, (m, nrhs) or (m,). The
    solution, (n, nrhs) or (n,), is bitwise identical in all processes. info, a 32-bit integer, is 0, or i if the i-th
    diagonal element of R is zero; then `a` is rank deficient and the solution is invalid. Unlike tephra.lstsq(), this
    does not scale `a` and `b`: the norms of their columns must not overflow. Not differentiable.
    """
    def prepare() -> tuple[_Rows, torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor, bool]:
        rows, right = _Rows("a", a, group), _Rows("b", b, group)
        m, n = _matrix(rows, "a")
        vector = right.local.ndim == 1
        if vector:
            right.local = right.local[:, None]
        b_rows, nrhs = _matrix(right, "b")
        if b_rows != m or right.local.dtype != rows.local.dtype or right.local.device != rows.local.device:
            raise ValueError(f"b has {b_rows} rows of {right.local.dtype} on {right.local.device}, but a has {m} of "
                             f"{rows.local.dtype} on {rows.local.device}")
        work = rows.columns()
        return rows, work, right.columns(), work.new_empty((nrhs, n)), work.new_zeros((), dtype=torch.int32), vector
    rows, work, rhs, x, info, vector = _prepared(a, group, prepare)
    (n, m), nrhs = work.shape, x.shape[0]
    ld = max(m, 1)
    communicator = _communicator(rows.group, work.device)
    communicator.run(_GELS[_LETTERS[work.dtype]], m, n, nrhs, work.data_ptr(), ld, rhs.data_ptr(), ld, x.data_ptr(), max(n, 1),
                     info.data_ptr())
    solution = x[0] if vector else x.mT
    return LeastSquares(rows.replicated(solution), info)
