"""The library's routines as primitives of JAX: shapes, lowering to custom calls, and vmap. Derivatives are in rules.py.

A primitive's operands are matrices (or vectors of pivots) with equal batch dimensions in front. Its options are those of the
C function, by their names and with its constants; doubles are their bits. XLA hands column-major matrices to the handlers (handlers.c) and gets
column-major results; where an array lies otherwise, XLA rearranges it, often while it computes it. The workspace is one more
result of the custom call, of the size that the library wants for the device that the program is lowered for.
"""
from __future__ import annotations

import ctypes
import functools
import itertools
import math
import os
import struct
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Callable

import jax
import jax.numpy as jnp
from jax.extend.core import Primitive
from jax.interpreters import batching, mlir

from .. import _library as lib

Shape = tuple[int, ...]

PRECISIONS = {"float32": 0, "float64": 1, "complex64": 2, "complex128": 3, "int32": 4}
_LETTERS = "sdcz"
_BACKENDS = {"cpu": lib.CPU, "cuda": lib.CUDA}


# ---- the compiled handlers

def _load() -> ctypes.CDLL:
    """The package's file, or the one beside the library, where that is a file that was named."""
    places = [Path(__file__).parent, *([Path(lib.PATH).parent] if os.sep in lib.PATH else [])]
    file = next((place / "tephra_jax.so" for place in places if (place / "tephra_jax.so").is_file()), None)
    if file is None:
        raise ImportError("tephra_jax.so, which tephra.jax needs, is neither in the package nor beside libtephra.so: "
                          "scripts/wheel.sh --native compiles it")
    return ctypes.CDLL(str(file))


def _address(function: Any) -> ctypes.c_void_p:
    return ctypes.cast(function, ctypes.c_void_p)


_handlers = _load()
_handlers.tephra_jax_routine.restype = _handlers.tephra_jax_arguments.restype = ctypes.c_char_p
_handlers.tephra_jax_library(_address(lib._set_thread_backend), _address(lib._last_error))


def _register() -> dict[str, int]:
    """Gives the handlers the library's functions and XLA the handlers; the routines' numbers by their names."""
    for precision, letter in enumerate(_LETTERS):
        _handlers.tephra_jax_copy(precision, _address(lib._function(f"tephra_{letter}lacpy_strided_batched")))
    numbers: dict[str, int] = {}
    for number in itertools.count():
        found = _handlers.tephra_jax_routine(number)
        if found is None:
            return numbers
        name = found.decode()
        numbers[name] = number
        for precision, (call, workspace) in _functions(name).items():
            _handlers.tephra_jax_functions(number, precision, call, workspace)
        for platform in _BACKENDS:
            handler = jax.ffi.pycapsule(getattr(_handlers, f"tephra_jax_{platform}_{name}"))
            jax.ffi.register_ffi_target(f"tephra_{name}", handler, platform="CUDA" if platform == "cuda" else platform)
        jax.ffi.register_ffi_target_as_batch_partitionable(f"tephra_{name}")
    raise AssertionError


def _functions(name: str) -> dict[int, tuple[Any, Any]]:
    """The C functions of a routine, and those that say its workspace, by precision."""
    if name == "lu_to_permutation":
        return {PRECISIONS["int32"]: (_address(lib._function("tephra_lu_to_permutation_strided_batched")), None)}
    asks = name + "_workspace"
    return {precision: (_address(lib.FUNCTIONS[name, letter]),
                        _address(lib.FUNCTIONS[asks, letter]) if (asks, letter) in lib.FUNCTIONS else None)
            for precision, letter in enumerate(_LETTERS)}


_NUMBERS = _register()


def _in_place(name: str) -> dict[int, int]:
    """The results that a function makes of operands in their place, by the operands' numbers; as the handlers' table says."""
    words = _handlers.tephra_jax_arguments(_NUMBERS[name]).decode().split()
    return {int(word[2]): "wxyz".index(word[1]) for word in words if word[0] in "=:"}


def _workspace(name: str, backend: int, dtype: Any, operands: Sequence[Shape], results: Sequence[Shape],
               options: dict[str, int]) -> int:
    """Bytes of workspace for a call on the current device."""
    shapes = [*operands, *results]
    dims = [int(size) for shape in shapes for size in (len(shape), *shape)]
    names = [name.encode() for name in options]
    need = ctypes.c_size_t()
    status = _handlers.tephra_jax_workspace(
        _NUMBERS[name], PRECISIONS[dtype.name], backend, len(operands), len(results), (ctypes.c_int64 * len(dims))(*dims),
        len(options), (ctypes.c_char_p * len(names))(*names), (ctypes.c_int64 * len(names))(*options.values()),
        ctypes.byref(need))
    if status:
        raise lib.failure(status)
    return need.value


def bits(x: float) -> int:
    """A double as an option."""
    number: int
    number, = struct.unpack("q", struct.pack("d", x))
    return number


# ---- primitives

def _varying(x: Any) -> frozenset[Any]:
    """The axes of a shard_map() over which an array differs from device to device."""
    aval = jax.typeof(x)
    found: frozenset[Any] = aval.vma if hasattr(aval, "vma") else aval.manual_axis_type.varying
    return found


def _alike(operands: Sequence[Any]) -> list[Any]:
    """The operands, varying over the same axes of a shard_map(): primitives do not mix what varies with what does not."""
    every = [_varying(x) for x in operands]
    union = frozenset[Any]().union(*every)
    return [jax.lax.pcast(x, tuple(union - own), to="varying") if union - own else x for x, own in zip(operands, every)]


def _like(aval: Any, batch: int, dims: Shape, dtype: Any) -> Any:
    """An abstract array with the batch dimensions of another one, sharded over them as it is."""
    spec = jax.sharding.PartitionSpec(*aval.sharding.spec[:batch], *(None,) * len(dims))
    return aval.update(shape=(*aval.shape[:batch], *dims), dtype=jnp.dtype(dtype), weak_type=False,
                       sharding=jax.sharding.NamedSharding(aval.sharding.mesh, spec))


def _column_major(rank: int) -> Shape:
    """From the fastest dimension to the slowest."""
    return (rank - 2, rank - 1, *range(rank - 3, -1, -1))


def _division(batch: int, operands: Sequence[Any], results: Sequence[Any]) -> dict[str, Any]:
    """What tells XLA that a call can be divided along its batch dimensions: how many these are, for the partitioner, and for
    Shardy, which decides how arrays are spread, a name for each dimension, the same one for the same batch dimension."""
    names = (chr(ord("i") + i) if i < 18 else f"z_{i - 17}" for i in itertools.count())
    outer = [next(names) for _ in range(batch)]
    sizes: dict[str, int] = dict(zip(outer, operands[0].shape))

    def dims(aval: Any) -> str:
        own = [next(names) for _ in aval.shape[batch:]]
        sizes.update(zip(own, aval.shape[batch:]))
        return "[" + ", ".join([*outer, *own]) + "]"

    sides = [", ".join(map(dims, avals)) for avals in (operands, results)]
    factors = ", ".join(f"{name}={size}" for name, size in sizes.items())
    return {"mhlo.frontend_attributes": mlir.ir_attribute({"num_batch_dims": str(batch)}),
            "sdy.sharding_rule": mlir.ir.Attribute.parse(
                f"#sdy.op_sharding_rule<({sides[0]})->({sides[1]}) {{{factors}}}, custom>")}


class Routine:
    """A primitive. `results(*shapes of matrices, **options)` gives the shapes of the results' matrices, and `hidden` those of
    results that nobody wants to see, as the C function's operands are overwritten; both as (dims, is_integer).

    ranks     dimensions of the operands' members: 2 for matrices, 1 for vectors
    aliases   a function that says which results may take the place of an operand, by its number, where they need not
    target    the C function, where it is not called as the primitive
    unread    so many operands in front are for the derivatives only: they are not passed
    folds     the first result is for the last operand, of which a batch alone, under vmap, is one matrix with more columns, or
              more rows where side is RIGHT
    empty     the results where an operand has no elements, zeros if it is not given: nothing is called then
    """

    def __init__(self, name: str, results: Callable[..., Any], *, ranks: Sequence[int] = (2,), target: str = "",
                 aliases: Callable[..., Any] | None = None, hidden: Callable[..., Any] | None = None, unread: int = 0,
                 folds: bool = False, empty: Callable[..., Any] | None = None) -> None:
        self.target, self.results, self.ranks = target or name, results, ranks
        self.aliases = aliases or (lambda *shapes, **options: _in_place(self.target))
        self.hidden, self.unread, self.folds = hidden or (lambda *shapes, **options: ()), unread, folds
        self.empty = empty or (lambda avals, **options: [jnp.zeros(aval.shape, aval.dtype) for aval in avals])
        self.primitive = Primitive(f"tephra_{name}")
        self.primitive.multiple_results = True
        self.primitive.def_impl(self._run)
        self.primitive.def_abstract_eval(self._abstract)
        self._compiled = functools.lru_cache(maxsize=256)(self._compile)
        batching.primitive_batchers[self.primitive] = self._batch
        for platform in _BACKENDS:
            mlir.register_lowering(self.primitive, functools.partial(self._lower, platform), platform=platform)

    def __call__(self, *operands: Any, **options: int) -> list[Any]:
        made: list[Any]
        if any(x.size == 0 for x in operands):
            made = self.empty(self._abstract(*map(jax.typeof, operands), **options), **options)
        else:
            made = self.primitive.bind(*_alike(operands), **options)
        return made

    def _run(self, *operands: Any, **options: int) -> Any:
        """Outside of any compiled function."""
        with jax.disable_jit(False):
            return self._compiled(tuple(options.items()))(*operands)

    def _compile(self, options: Any) -> Any:
        return jax.jit(functools.partial(self.primitive.bind, **dict(options)))

    def _members(self, avals: Sequence[Any]) -> list[Shape]:
        return [aval.shape[aval.ndim - rank:] for aval, rank in zip(avals, self.ranks)]

    def _avals(self, what: Callable[..., Any], avals: Sequence[Any], options: dict[str, int]) -> list[Any]:
        first = avals[0]
        batch = first.ndim - self.ranks[0]
        return [_like(first, batch, dims, jnp.int32 if is_integer else first.dtype)
                for dims, is_integer in what(*self._members(avals), **options)]

    def _abstract(self, *avals: Any, **options: int) -> list[Any]:
        if len({aval.shape[:aval.ndim - rank] for aval, rank in zip(avals, self.ranks)}) != 1:
            raise TypeError(f"{self.primitive}: operands of {[aval.shape for aval in avals]} differ in batch dimensions")
        return self._avals(self.results, avals, options)

    def _lower(self, platform: str, ctx: Any, *operands: Any, **options: int) -> Any:
        passed = ctx.avals_in[self.unread:]
        results = [*ctx.avals_out, *self._avals(self.hidden, ctx.avals_in, options)]
        batch = ctx.avals_in[0].ndim - self.ranks[0]
        need = self._need(_BACKENDS[platform], batch, passed, results, options)
        if need:
            results.append(jax.core.ShapedArray((*passed[0].shape[:batch], need), jnp.uint8))
        layouts = [[_column_major(aval.ndim) if aval.ndim - batch == 2 else None for aval in avals]
                   for avals in (passed, results)]
        attributes = _division(batch, passed, results) if batch and jax.device_count() > 1 else None
        lowering = jax.ffi.ffi_lowering(
            f"tephra_{self.target}", operand_layouts=layouts[0], result_layouts=layouts[1], extra_attributes=attributes,
            operand_output_aliases=self.aliases(*self._members(ctx.avals_in), **options))
        made = lowering(ctx.replace(avals_in=passed, avals_out=results), *operands[self.unread:], **options)
        return made[:len(ctx.avals_out)]

    def _need(self, backend: int, batch: int, operands: Sequence[Any], results: Sequence[Any], options: dict[str, int]) -> int:
        """Bytes of workspace for each matrix: enough for the batch, and for the part of it that one of several devices has."""
        members = [[aval.shape[batch:] for aval in avals] for avals in (operands, results)]
        count = math.prod(operands[0].shape[:batch])
        parts = {-(-count // devices) for devices in range(1, jax.device_count() + 1)} if batch else {1}

        def of(part: int) -> int:
            given, made = ([(part, *dims) for dims in shapes] for shapes in members)
            return -(-_workspace(self.target, backend, results[0].dtype, given, made, options) // part)

        return max(map(of, parts))

    def _batch(self, operands: Sequence[Any], dims: Sequence[int | None], **options: int) -> Any:
        if self.folds and dims[-1] is not None and all(dim is None for dim in dims[:-1]):
            return self._fold(operands, dims[-1], **options)
        size, = {x.shape[dim] for x, dim in zip(operands, dims) if dim is not None}
        moved = [jnp.broadcast_to(x, (size, *x.shape)) if dim is None else jnp.moveaxis(x, dim, 0)
                 for x, dim in zip(operands, dims)]
        out = self(*moved, **options)
        return out, [0] * len(out)

    def _fold(self, operands: Sequence[Any], dim: int, **options: int) -> Any:
        """Several right-hand sides for the same matrices: these are read or factored once."""
        *matrices, b = operands
        where = -3 if options.get("side") == lib.RIGHT else -2
        spread = jnp.moveaxis(b, dim, where)
        at = spread.ndim + where
        shape = (*spread.shape[:at], math.prod(spread.shape[at:at + 2]), *spread.shape[at + 2:])
        first, *others = self(*matrices, spread.reshape(shape), **options)
        return [first.reshape(spread.shape), *others], [at, *(None,) * len(others)]


def _packed(a: Shape) -> Any:
    return (a, False), ((min(a),), True), ((), True)


def _qr(a: Shape, part: int) -> Any:
    m, n = a
    inner = m if part == lib.Q_FULL else min(m, n)
    return ((m, inner), False), ((inner, n), False)


def _whole(avals: Any, part: int) -> Any:
    """A full Q of no columns is still one."""
    q, r = avals
    return [jnp.broadcast_to(jnp.eye(q.shape[-2], q.shape[-1], dtype=q.dtype), q.shape), jnp.zeros(r.shape, r.dtype)]


def _in_order(avals: Any, m: int) -> Any:
    return [jnp.broadcast_to(jnp.arange(1, m + 1, dtype=jnp.int32), avals[0].shape)]


# A primitive whose first operand is for derivatives only is called with the matrix that its factors belong to.
geqrf = Routine("geqrf", lambda a: ((a, False), ((min(a),), False)))
qr = Routine("qr", _qr, aliases=lambda a, part: {0: 0} if part == lib.Q_THIN and a[0] >= a[1] else {},
             empty=_whole)
# R in geqrf's factors, of which nothing else is used.
r = Routine("r", lambda a: ((a, False),), target="geqrf", hidden=lambda a: (((min(a),), False),))
orgqr = Routine("orgqr", lambda factors, tau: ((factors, False),), ranks=(2, 1))
ormqr = Routine("ormqr", lambda factors, tau, c, side, trans: ((c, False),), ranks=(2, 1, 2))
getrf = Routine("getrf", _packed)
permutation = Routine("lu_to_permutation", lambda pivots, m: (((m,), True),), ranks=(1,), empty=_in_order)
gesv = Routine("gesv", lambda a, b: ((b, False), ((), True)), ranks=(2, 2), folds=True,
               hidden=lambda a, b: ((a, False), ((a[0],), True)))
getrs = Routine("getrs", lambda a, lu, pivots, b, trans: ((b, False),), ranks=(2, 2, 1, 2), unread=1, folds=True)
inv = Routine("inv", lambda a: ((a, False), ((), True)), aliases=lambda a: {0: 0})
potrf = Routine("potrf", lambda a, uplo: ((a, False), ((), True)))
potrs = Routine("potrs", lambda a, factor, b, uplo: ((b, False),), ranks=(2, 2, 2), unread=1, folds=True)
potri = Routine("potri", lambda a, uplo: ((a, False), ((), True)))
trsm = Routine("trsm", lambda a, b, side, uplo, trans, diag: ((b, False),), ranks=(2, 2), folds=True)
gels = Routine("gels", lambda a, b, trans: ((b, False), ((), True)), ranks=(2, 2), folds=True,
               hidden=lambda a, b, trans: ((a, False),))
geqp3 = Routine("geqp3", lambda a, jpvt: ((a, False), ((min(a),), False), (jpvt, True)), ranks=(2, 1))
gelsy = Routine("gelsy", lambda a, jpvt, b, rcond: ((b, False), ((), True)), ranks=(2, 1, 2), folds=True,
                hidden=lambda a, jpvt, b, rcond: ((a, False), (jpvt, True)))
gemm = Routine("gemm", lambda a, b, transa, transb: (((a[0], b[1]), False),), ranks=(2, 2))
