"""The library's routines as JAX primitives: shapes, lowering to custom calls, and vmap. Derivatives are in rules.py.

A primitive's operands are matrices (or vectors of pivots) with equal leading batch dimensions. Its options have the
names and constants of the C function's arguments; doubles are passed as their bits. The handlers (handlers.c) take and
return column-major matrices; XLA transposes arrays in another layout, often as part of computing them. The workspace is
an additional result of the custom call, of the size that the library asks for on the device the program is lowered
for.
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
from jax.interpreters import batching, mlir, xla

from .. import _library as lib

Shape = tuple[int, ...]

PRECISIONS = {"float32": 0, "float64": 1, "complex64": 2, "complex128": 3, "int32": 4}
_LETTERS = "sdcz"
_BACKENDS = {"cpu": lib.CPU, "cuda": lib.CUDA}


# ---- the compiled handlers

def _load() -> ctypes.CDLL:
    """Loads tephra_jax.so from the package, or from the directory of libtephra.so if that was given by path."""
    places = [Path(__file__).parent, *([Path(lib.PATH).parent] if os.sep in lib.PATH else [])]
    file = next((place / "tephra_jax.so" for place in places if (place / "tephra_jax.so").is_file()), None)
    if file is None:
        raise ImportError("tephra_jax.so, which tephra.jax needs, is neither in the package nor next to libtephra.so: "
                          "scripts/wheel.sh --native compiles it")
    return ctypes.CDLL(str(file))


def _address(function: Any) -> ctypes.c_void_p:
    return ctypes.cast(function, ctypes.c_void_p)


_handlers = _load()
_handlers.tephra_jax_routine.restype = _handlers.tephra_jax_arguments.restype = ctypes.c_char_p
_handlers.tephra_jax_library(_address(lib._set_thread_backend), _address(lib._last_error))


def _register() -> dict[str, int]:
    """Passes the library's functions to the handlers and registers these with XLA. Returns the routines' numbers by
    name."""
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
    """A routine's C function and its workspace query, or None, by precision."""
    if name == "lu_to_permutation":
        return {PRECISIONS["int32"]: (_address(lib._function("tephra_lu_to_permutation_strided_batched")), None)}
    asks = name + "_workspace"
    return {precision: (_address(lib.FUNCTIONS[name, letter]),
                        _address(lib.FUNCTIONS[asks, letter]) if (asks, letter) in lib.FUNCTIONS else None)
            for precision, letter in enumerate(_LETTERS)}


_NUMBERS = _register()


def _in_place(name: str) -> dict[int, int]:
    """Maps each operand that a function overwrites to the result it becomes, according to the handlers' table."""
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


def double_bits(x: float) -> int:
    """A double's bits, to pass it as an option."""
    number: int
    number, = struct.unpack("q", struct.pack("d", x))
    return number


# ---- primitives

def _varying_axes(x: Any) -> frozenset[Any]:
    """The mesh axes of a shard_map() over which an array varies."""
    aval = jax.typeof(x)
    found: frozenset[Any] = aval.vma if hasattr(aval, "vma") else aval.manual_axis_type.varying
    return found


def _match_varying_axes(operands: Sequence[Any]) -> list[Any]:
    """Makes all operands vary over the same mesh axes of a shard_map(), as primitives require."""
    every = [_varying_axes(x) for x in operands]
    union = frozenset[Any]().union(*every)
    return [jax.lax.pcast(x, tuple(union - own), to="varying") if union - own else x for x, own in zip(operands, every)]


def _batch_sharding(operands: Sequence[Any], ranks: Sequence[int]) -> Any:
    """How the operands' batch dimensions, broadcast together, are divided by explicit axes; None if there are none. A
    dimension that one operand has whole is divided as in the others."""
    avals = [*map(jax.typeof, operands)]
    mesh = next((mesh for aval in avals if not (mesh := aval.sharding.mesh).empty), None)
    if mesh is None or jax.sharding.AxisType.Explicit not in mesh.axis_types:
        return None
    found: list[Any] = [None] * max(aval.ndim - rank for aval, rank in zip(avals, ranks))
    for aval, rank in zip(avals, ranks):
        for i in range(-1, rank - aval.ndim - 1, -1):
            axes = aval.sharding.spec[i - rank]
            if axes is not None and found[i] not in (None, axes):
                raise _conflict(avals)
            found[i] = found[i] if axes is None else axes
    names = [name for axes in found if axes for name in (axes if isinstance(axes, tuple) else (axes,))]
    if len({*names}) != len(names):
        raise _conflict(avals)
    return jax.sharding.NamedSharding(mesh, jax.sharding.PartitionSpec(*found))


def _conflict(avals: Sequence[Any]) -> ValueError:
    given = " and ".join(f"{aval.str_short(True)} with {aval.sharding.spec}" for aval in avals)
    return ValueError(f"operands whose batch dimensions are divided differently: {given}; jax.sharding.reshard() one of them")


def _reshard(x: Any, batch: Sequence[Any], mesh: Any) -> Any:
    """Divides an array's leading dimensions as given, and no others."""
    spec = jax.sharding.PartitionSpec(*batch, *(None,) * (x.ndim - len(batch)))
    own = jax.typeof(x).sharding
    return x if own.mesh == mesh and own.spec == spec else jax.sharding.reshard(x, jax.sharding.NamedSharding(mesh, spec))


def divide_alike(operands: Sequence[Any], ranks: Sequence[int]) -> list[Any]:
    """Divides all operands' batch dimensions alike, if axes are explicit: primitives require it, and JAX's products, too.
    Matrices become whole."""
    sharding = _batch_sharding(operands, ranks)
    if sharding is None:
        return [*operands]

    def batch(x: Any, rank: int) -> Sequence[Any]:
        own = x.shape[:x.ndim - rank]
        common = sharding.spec[len(sharding.spec) - len(own):]
        return [None if size == 1 else axes for size, axes in zip(own, common)]

    return [_reshard(x, batch(x, rank), sharding.mesh) for x, rank in zip(operands, ranks)]


def spread(x: Any, outer: Shape, beside: Any) -> Any:
    """Broadcasts matrices to batch dimensions `outer`, divided as those of the matrices `beside`; see divide_alike()."""
    sharding = _batch_sharding((x, beside), (2, 2))
    shape = (*outer, *x.shape[-2:])
    if sharding is None or x.shape == shape:
        return jnp.broadcast_to(x, shape)
    spec = jax.sharding.PartitionSpec(*(None,) * (len(outer) - len(sharding.spec)), *sharding.spec, None, None)
    return jnp.broadcast_to(x, shape, out_sharding=jax.sharding.NamedSharding(sharding.mesh, spec))


def _batched_aval(aval: Any, batch: int, dims: Shape, dtype: Any) -> Any:
    """An abstract array with the batch dimensions of `aval` and its sharding over them."""
    spec = jax.sharding.PartitionSpec(*aval.sharding.spec[:batch], *(None,) * len(dims))
    return aval.update(shape=(*aval.shape[:batch], *dims), dtype=jnp.dtype(dtype), weak_type=False,
                       sharding=jax.sharding.NamedSharding(aval.sharding.mesh, spec))


def repeat(member: Any, batch_of: Any, rank: int) -> Any:
    """One array for each member, of `rank` dimensions, of another array, and sharded as that, for which JAX needs a mesh."""
    aval = jax.typeof(batch_of)
    aval = _batched_aval(aval, aval.ndim - rank, member.shape, member.dtype)
    sharding = None if jax.sharding.get_abstract_mesh().empty else aval.sharding
    return jax.lax.broadcast_in_dim(member, aval.shape, range(aval.ndim - member.ndim, aval.ndim), out_sharding=sharding)


def _column_major(rank: int) -> Shape:
    """The column-major layout: dimensions from minor to major."""
    return (rank - 2, rank - 1, *range(rank - 3, -1, -1))


def _partitioning_attributes(batch: int, operands: Sequence[Any], results: Sequence[Any]) -> dict[str, Any]:
    """The attributes that tell XLA that a call can be divided along its batch dimensions: their number, for the
    partitioner, and a sharding rule for Shardy, in which operands and results share the names of the batch
    dimensions."""
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


def _repeated(x: Any, size: int, like: Any) -> Any:
    """`size` times the array x, divided as the leading dimension of `like`."""
    own, sharding = jax.typeof(x).sharding, jax.typeof(like).sharding
    axes = sharding.spec[0]
    if axes is None:
        return jnp.broadcast_to(x, (size, *x.shape))
    target = jax.sharding.NamedSharding(sharding.mesh, jax.sharding.PartitionSpec(axes, *own.spec))
    return jnp.broadcast_to(x, (size, *x.shape), out_sharding=target)


def nan_where(info: Any, x: Any, value: float = jnp.nan) -> Any:
    """Replaces the matrices whose info is not 0 by NaN, or their tangents by another value."""
    return jnp.where((info != 0)[..., None, None], value, x)


class Routine:
    """A primitive. `results(*shapes of matrices, **options)` returns the shapes of the results' matrices. `discarded`
    does the same for results that are not passed on, such as operands that the C function overwrites. Both return
    (dims, is_integer).

    ranks            dimensions of one member of each operand: 2 for matrices, 1 for vectors
    aliases          returns which results may alias an operand, keyed by the operand's number; default: the handlers'
                     table
    target           the C function's name, if it differs from the primitive's
    derivative_only  the number of leading operands that only the derivatives use; the C function does not get them
    folds_rhs        whether vmap over the last operand alone may append the batch to its columns, or to its rows if
                     side is RIGHT; the first result then has the same layout
    nan              whether the first result is NaN where the second, info, is not 0. Part of the primitive, because one
                     that is linear in b could not be transposed if what is done with the solution depended on info
    empty            members of the results if an operand has no elements, in place of the call; default: zeros
    """

    def __init__(self, name: str, results: Callable[..., Any], *, ranks: Sequence[int] = (2,), target: str = "",
                 aliases: Callable[..., Any] | None = None, discarded: Callable[..., Any] | None = None,
                 derivative_only: int = 0, folds_rhs: bool = False, nan: bool = False,
                 empty: Callable[..., Any] | None = None) -> None:
        self.target, self.results, self.ranks = target or name, results, ranks
        self.aliases = aliases or (lambda *shapes, **options: _in_place(self.target))
        self.discarded = discarded or (lambda *shapes, **options: ())
        self.derivative_only, self.folds_rhs, self.nan = derivative_only, folds_rhs, nan
        self.empty = empty or (lambda *members, **options: members)
        self.primitive = Primitive(f"tephra_{name}")
        self.primitive.multiple_results = True
        # Outside of compiled functions. JAX's own way, because jax_debug_nans runs functions that return NaN without jit.
        self.primitive.def_impl(functools.partial(xla.apply_primitive, self.primitive))
        self.primitive.def_abstract_eval(self._abstract)
        batching.primitive_batchers[self.primitive] = self._batch
        for platform in _BACKENDS:
            mlir.register_lowering(self.primitive, functools.partial(self._lower, platform), platform=platform)

    def __call__(self, *operands: Any, **options: int) -> list[Any]:
        made: list[Any]
        operands = tuple(divide_alike(operands, self.ranks))
        if any(x.size == 0 for x in operands):
            batch = operands[0].ndim - self.ranks[0]
            members = [jnp.zeros(aval.shape[batch:], aval.dtype) for aval in self._abstract(*map(jax.typeof, operands), **options)]
            made = [repeat(x, operands[0], self.ranks[0]) for x in self.empty(*members, **options)]
        else:
            made = self.primitive.bind(*_match_varying_axes(operands), **options)
        return made

    def _members(self, avals: Sequence[Any]) -> list[Shape]:
        return [aval.shape[aval.ndim - rank:] for aval, rank in zip(avals, self.ranks)]

    def _avals(self, what: Callable[..., Any], avals: Sequence[Any], options: dict[str, int]) -> list[Any]:
        first = avals[0]
        batch = first.ndim - self.ranks[0]
        return [_batched_aval(first, batch, dims, jnp.int32 if is_integer else first.dtype)
                for dims, is_integer in what(*self._members(avals), **options)]

    def _abstract(self, *avals: Any, **options: int) -> list[Any]:
        if len({aval.shape[:aval.ndim - rank] for aval, rank in zip(avals, self.ranks)}) != 1:
            raise TypeError(f"{self.primitive}: operands of {[aval.shape for aval in avals]} differ in batch dimensions")
        return self._avals(self.results, avals, options)

    def _lower(self, platform: str, ctx: Any, *operands: Any, **options: int) -> Any:
        passed = ctx.avals_in[self.derivative_only:]
        results = [*ctx.avals_out, *self._avals(self.discarded, ctx.avals_in, options)]
        batch = ctx.avals_in[0].ndim - self.ranks[0]
        need = self._workspace_per_matrix(_BACKENDS[platform], batch, passed, results, options)
        if need:
            results.append(jax.core.ShapedArray((*passed[0].shape[:batch], need), jnp.uint8))
        layouts = [[_column_major(aval.ndim) if aval.ndim - batch == 2 else None for aval in avals]
                   for avals in (passed, results)]
        attributes = _partitioning_attributes(batch, passed, results) if batch and jax.device_count() > 1 else None
        lowering = jax.ffi.ffi_lowering(
            f"tephra_{self.target}", operand_layouts=layouts[0], result_layouts=layouts[1], extra_attributes=attributes,
            operand_output_aliases=self.aliases(*self._members(ctx.avals_in), **options))
        made = lowering(ctx.replace(avals_in=passed, avals_out=results), *operands[self.derivative_only:], **options)
        if self.nan:
            lowering = mlir.lower_fun(nan_where, multiple_results=False)
            x, info = ctx.avals_out
            made = [*lowering(ctx.replace(avals_in=[info, x], avals_out=[x]), made[1], made[0]), *made[1:]]
        return made[:len(ctx.avals_out)]

    def _workspace_per_matrix(self, backend: int, batch: int, operands: Sequence[Any], results: Sequence[Any],
                              options: dict[str, int]) -> int:
        """Bytes of workspace per matrix: enough for the whole batch, and for any device's share if XLA divides it."""
        members = [[aval.shape[batch:] for aval in avals] for avals in (operands, results)]
        count = math.prod(operands[0].shape[:batch])
        parts = {-(-count // devices) for devices in range(1, jax.device_count() + 1)} if batch else {1}

        def of(part: int) -> int:
            given, made = ([(part, *dims) for dims in shapes] for shapes in members)
            return -(-_workspace(self.target, backend, results[0].dtype, given, made, options) // part)

        return max(map(of, parts))

    def _batch(self, operands: Sequence[Any], dims: Sequence[int | None], **options: int) -> Any:
        # Columns are not divided, so right-hand sides that are do not become columns.
        if (self.folds_rhs and dims[-1] is not None and all(dim is None for dim in dims[:-1])
                and jax.typeof(operands[-1]).sharding.spec[dims[-1]] is None):
            return self._fold(operands, dims[-1], **options)
        size, = {x.shape[dim] for x, dim in zip(operands, dims) if dim is not None}
        moved = [None if dim is None else jnp.moveaxis(x, dim, 0) for x, dim in zip(operands, dims)]
        # Repeated matrices are divided as the operand that has the dimension.
        like = next(x for x in moved if x is not None)
        moved = [_repeated(y, size, like) if x is None else x for x, y in zip(moved, operands)]
        out = self(*moved, **options)
        return out, [0] * len(out)

    def _fold(self, operands: Sequence[Any], dim: int, **options: int) -> Any:
        """Folds several right-hand sides for the same matrices into one, so that the matrices are read or factored
        once."""
        *matrices, b = operands
        where = -3 if options.get("side") == lib.RIGHT else -2
        moved = jnp.moveaxis(b, dim, where)
        at = moved.ndim + where
        moved, = divide_alike((moved,), (3,))  # columns that are divided could not be merged
        shape = (*moved.shape[:at], math.prod(moved.shape[at:at + 2]), *moved.shape[at + 2:])
        first, *others = self(*matrices, moved.reshape(shape), **options)
        return [first.reshape(moved.shape), *others], [at, *(None,) * len(others)]


def _packed(a: Shape) -> Any:
    return (a, False), ((min(a),), True), ((), True)


def _qr(a: Shape, part: int) -> Any:
    m, n = a
    inner = m if part == lib.Q_FULL else min(m, n)
    return ((m, inner), False), ((inner, n), False)


def _identity_q(q: Any, r: Any, part: int) -> Any:
    """For a matrix without columns, the full Q is the identity."""
    return jnp.eye(q.shape[0], q.shape[1], dtype=q.dtype), r


def _identity_permutation(order: Any, m: int) -> Any:
    return jnp.arange(1, m + 1, dtype=order.dtype),


def _no_exchanged_columns(factors: Any, tau: Any, jpvt: Any) -> Any:
    return factors, tau, *_identity_permutation(jpvt, *jpvt.shape)


# The first operand of getrs and potrs, which only the derivatives use, is the matrix that the factors belong to.
geqrf = Routine("geqrf", lambda a: ((a, False), ((min(a),), False)))
qr = Routine("qr", _qr, aliases=lambda a, part: {0: 0} if part == lib.Q_THIN and a[0] >= a[1] else {},
             empty=_identity_q)
# geqrf for callers that use only R.
r = Routine("r", lambda a: ((a, False),), target="geqrf", discarded=lambda a: (((min(a),), False),))
orgqr = Routine("orgqr", lambda factors, tau: ((factors, False),), ranks=(2, 1))
ormqr = Routine("ormqr", lambda factors, tau, c, side, trans: ((c, False),), ranks=(2, 1, 2))
getrf = Routine("getrf", _packed)
permutation = Routine("lu_to_permutation", lambda pivots, m: (((m,), True),), ranks=(1,), empty=_identity_permutation)
gesv = Routine("gesv", lambda a, b: ((b, False), ((), True)), ranks=(2, 2), folds_rhs=True, nan=True,
               discarded=lambda a, b: ((a, False), ((a[0],), True)))
getrs = Routine("getrs", lambda a, lu, pivots, b, trans: ((b, False),), ranks=(2, 2, 1, 2), derivative_only=1,
                folds_rhs=True)
inv = Routine("inv", lambda a: ((a, False), ((), True)), aliases=lambda a: {0: 0})
potrf = Routine("potrf", lambda a, uplo: ((a, False), ((), True)))
potrs = Routine("potrs", lambda a, factor, b, uplo: ((b, False),), ranks=(2, 2, 2), derivative_only=1, folds_rhs=True)
potri = Routine("potri", lambda a, uplo: ((a, False), ((), True)))
trsm = Routine("trsm", lambda a, b, side, uplo, trans, diag: ((b, False),), ranks=(2, 2), folds_rhs=True)
gels = Routine("gels", lambda a, b, trans: ((b, False), ((), True)), ranks=(2, 2), folds_rhs=True, nan=True,
               discarded=lambda a, b, trans: ((a, False),))
geqp3 = Routine("geqp3", lambda a, jpvt: ((a, False), ((min(a),), False), (jpvt, True)), ranks=(2, 1), empty=_no_exchanged_columns)
gelsy = Routine("gelsy", lambda a, jpvt, b, rcond: ((b, False), ((), True)), ranks=(2, 1, 2), folds_rhs=True,
                discarded=lambda a, jpvt, b, rcond: ((a, False), (jpvt, True)))
gemm = Routine("gemm", lambda a, b, transa, transb: (((a[0], b[1]), False),), ranks=(2, 2))
