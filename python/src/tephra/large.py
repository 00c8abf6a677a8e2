"""QR, least squares, LU and Cholesky of one NumPy array on one or several GPUs, whose memory need not hold the array.

Only blocks of columns are on a device at a time. `host_columns` assigns the last columns to the host's cores. Without a
GPU, the CPU backend computes everything. The functions return when the result is complete. They need host memory for a
column-major copy of the array, unless it may be overwritten, and for Q.
"""
from __future__ import annotations

import ctypes
import operator
import sys
from collections.abc import Callable, Sequence
from ctypes import c_int, c_int64, c_void_p
from typing import Any, Union

import numpy as np

from ._adapters import LETTERS, Numpy
from ._library import CONJ_TRANS, LOWER, NO_TRANS, UPPER, _function, failure
from ._operations import QR, LeastSquares, LUFactors, solve_triangular

__all__ = ["cholesky", "lstsq", "lu_factor", "qr"]

_PROGRESS = ctypes.CFUNCTYPE(c_int, c_int64, c_int64, c_void_p)
# A callback that receives the steps done and the total; or whether to draw a progress bar. None draws one for long
# work, if tqdm is installed.
Progress = Union[None, bool, Callable[[int, int], None]]

_TYPES = {"i": c_int, "n": c_int64, "p": c_void_p, "f": _PROGRESS}


def _prototypes(name: str, letters: str) -> dict[str, Any]:
    functions = {}
    for letter in "sdcz":
        # LAPACK's names are orthogonal for real types, unitary for complex ones.
        function = _function(f"tephra_{letter}{name.replace('orm', 'unm') if letter in 'cz' else name}")
        function.argtypes = [_TYPES[kind] for kind in letters]
        functions[letter] = function
    return functions


_GEQRF = _prototypes("geqrf_host", "nnpnpnipfp")
_ORMQR = _prototypes("ormqr_host", "innnpnppnnipfp")
_GETRF = _prototypes("getrf_host", "nnpnppnipfp")
_POTRF = _prototypes("potrf_host", "inpnpnipfp")
_TILED = _prototypes("geqrf_tiled_devices", "nnpnnpnnnnipfp")
_TILED_SIZE = _prototypes("geqrf_tiled_tsize", "nnnp")
_TILED_ORMQR = _prototypes("ormqr_tiled", "innnpnpnpn")
_NUMPY = Numpy()
_LONG_RUNNING = 1 << 28  # elements; from here on a call takes seconds


class _ProgressReporter:
    """Reports progress to the caller's function or to a bar. An exception raised there, including KeyboardInterrupt,
    stops the C call and is raised again when it has returned."""

    def __init__(self, progress: Progress, size: int, title: str) -> None:
        if not (progress is None or isinstance(progress, bool) or callable(progress)):
            raise TypeError(f"progress is {progress!r}, but must be a function, True, False or None")
        self.error: BaseException | None = None
        self.bar: Any = None
        self.report: Callable[[int, int], None] | None = progress if callable(progress) else None
        if progress is True or progress is None and size >= _LONG_RUNNING and sys.stderr.isatty():
            try:
                from tqdm import tqdm
            except ImportError:
                if progress:
                    raise
            else:
                self.bar = tqdm(desc=title, unit="step")
                self.report = self._draw
        self.function = _PROGRESS(self._callback) if self.report else _PROGRESS()

    def _draw(self, done: int, total: int) -> None:
        self.bar.total = total
        self.bar.update(done - self.bar.n)

    def _callback(self, done: int, total: int, _: Any) -> int:
        try:
            assert self.report
            self.report(done, total)
            return 0
        except BaseException as error:
            self.error = error
            return 1

    def run(self, function: Any, *arguments: Any) -> None:
        try:
            status = function(*arguments, self.function, None)
        finally:
            if self.bar is not None:
                self.bar.close()
        if self.error is not None:
            raise self.error
        if status:
            raise failure(status)


def _integer(name: str, value: Any, bits: int) -> int:
    """An integer that C's type of so many bits can hold. ctypes would drop the other bits."""
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{name} is {value!r}, but must be an integer") from None
    if number.bit_length() >= bits:
        raise ValueError(f"{name} is {number}, which is too large")
    return number


class _Call:
    """The options of a call."""

    def __init__(self, budget: int, devices: Sequence[int] | None, progress: Progress, host_columns: int | None) -> None:
        self.budget, self.progress = _integer("budget", budget, 64), progress
        self.host_columns = -1 if host_columns is None else _integer("host_columns", host_columns, 64)
        numbers = [] if devices is None else [_integer("devices", device, 32) for device in devices]
        self.count = len(numbers)
        self.devices = (c_int * max(self.count, 1))(*numbers)
        if devices is not None and not self.count:
            raise ValueError("devices is empty: pass None for the current device")

    def factors(self, a: Any) -> tuple[Any, Any]:
        """Factors a column-major array in place. Returns R with the reflectors, and tau; or, with host columns, the T
        factors of the tiled factorisation instead of tau."""
        m, n = a.shape
        letter = LETTERS[a.dtype.name]
        if self.host_columns:
            size = c_int64()
            status = _TILED_SIZE[letter](m, n, 0, ctypes.addressof(size))
            if status:
                raise failure(status)
            t = np.empty(size.value, a.dtype)
            reporter = _ProgressReporter(self.progress, a.size, "geqrf")
            reporter.run(_TILED[letter], m, n, a.ctypes.data, max(m, 1), 0, t.ctypes.data, len(t), 0,
                         self.host_columns, self.budget, self.count, self.devices)
            return a, t
        tau = np.empty(min(m, n), a.dtype)
        reporter = _ProgressReporter(self.progress, a.size, "geqrf")
        reporter.run(_GEQRF[letter], m, n, a.ctypes.data, max(m, 1), tau.ctypes.data,
                     self.budget, self.count, self.devices)
        return a, tau

    def apply(self, trans: int, a: Any, tau: Any, c: Any) -> None:
        """Overwrites a column-major array C with op(Q) C."""
        (m, n), k, letter = c.shape, min(a.shape), LETTERS[a.dtype.name]
        if self.host_columns:
            status = _TILED_ORMQR[letter](trans, m, n, k, a.ctypes.data, max(m, 1), tau.ctypes.data, len(tau), c.ctypes.data, max(m, 1))
            if status:
                raise failure(status)
            return
        reporter = _ProgressReporter(self.progress, c.size, "ormqr")
        reporter.run(_ORMQR[letter], trans, m, n, k, a.ctypes.data, max(m, 1), tau.ctypes.data, c.ctypes.data,
                     max(m, 1), self.budget, self.count, self.devices)


def _checked(name: str, a: Any, dimensions: tuple[int, ...]) -> Any:
    """Checks an operand and returns it as a plain array, which shares its memory."""
    if not isinstance(a, np.ndarray):
        raise TypeError(f"{name} is a {type(a).__name__}, but must be a NumPy array")
    if not a.dtype.isnative:  # its conversion would be a copy
        raise TypeError(f"{name} is {a.dtype}, but must be in native byte order")
    a = _NUMPY.check(name, a)
    if a.ndim not in dimensions:
        raise ValueError(f"{name} has {a.ndim} dimensions, but must have {' or '.join(map(str, dimensions))}")
    return a


def _overwritable(a: Any, overwrite: bool) -> Any:
    """A column-major array that may be overwritten: `a` itself if `overwrite` allows it, else a copy."""
    if overwrite and a.flags.f_contiguous and a.flags.writeable:
        return a
    return np.array(a, order="F", copy=True)


def _largest(columns: Any) -> Any:
    """The largest real or imaginary part of each column of a column-major array, NaN aside."""
    numbers = columns.T.view(np.finfo(columns.dtype).dtype)
    return np.maximum(np.fmax.reduce(numbers, axis=1, initial=0), -np.fmin.reduce(numbers, axis=1, initial=0))


def _shifts(largest: Any) -> Any:
    """The exponents of the powers of two that bring numbers into the range in which quotients and sums are safe. 0 for
    those that are there, zero, or not finite."""
    info = np.finfo(largest.dtype)
    low = info.tiny / info.eps
    exponents = np.frexp(largest)[1]
    down = np.where((1 / low < largest) & np.isfinite(largest), np.frexp(1 / low)[1] - 1 - exponents, 0)
    return np.where((0 < largest) & (largest < low), np.frexp(low)[1] - exponents, down)


def _scale(columns: Any, exponents: Any) -> None:
    """Multiplies columns by powers of two. Results may overflow or underflow."""
    if np.any(exponents):
        with np.errstate(over="ignore", under="ignore", invalid="ignore"):
            columns *= np.exp2(exponents).astype(columns.real.dtype)


def qr(a: Any, mode: str = "reduced", *, overwrite_a: bool = False, budget: int = 0, devices: Sequence[int] | None = None,
       progress: Progress = None, host_columns: int | None = 0) -> QR[Any, Any]:
    """QR factorisation a = Q R of a NumPy array (m, n), with LAPACK's signs, as in tephra.qr(). Results are
    column-major.

    With mode "reduced", Q is (m, k) and R is (k, n), k = min(m, n); with "complete", Q is (m, m) and R is (m, n); with
    "r", only R is computed and Q is None. Raises TephraError if memory runs out.

    `overwrite_a` allows a column-major `a` to be overwritten. `budget` limits the bytes of memory used on each device;
    0 means what is free. `devices` are device numbers; None means the current device. `progress` is a function of the
    steps done and the total, True for a tqdm bar, or None for a bar on long work if tqdm is installed. `host_columns`
    is the number of last columns that the host's cores factor alongside the devices; None chooses it from measured
    rates. If it is not 0, and the host's cores have all columns or there is no device, R's signs are not LAPACK's.
    """
    call = _Call(budget, devices, progress, host_columns)
    if mode not in ("reduced", "complete", "r"):
        raise ValueError(f"mode is {mode!r}, but must be 'reduced', 'complete' or 'r'")
    a = _checked("a", a, (2,))
    m, n = a.shape
    k = min(m, n)
    factors, tau = call.factors(_overwritable(a, overwrite_a))
    columns = m if mode == "complete" else k
    r = np.zeros((columns, n), a.dtype, order="F")
    for j in range(n):
        r[:min(j + 1, k), j] = factors[:min(j + 1, k), j]
    if mode == "r":
        return QR(None, r)
    q = np.zeros((m, columns), a.dtype, order="F")
    np.fill_diagonal(q, 1)
    call.apply(NO_TRANS, factors, tau, q)
    return QR(q, r)


def lstsq(a: Any, b: Any, *, overwrite_a: bool = False, budget: int = 0, devices: Sequence[int] | None = None,
          progress: Progress = None, host_columns: int | None = 0) -> LeastSquares[Any]:
    """Least squares (m >= n) or minimum-norm (m < n) solution of a x = b, for a NumPy array `a` (m, n) of full rank.

    Like tephra.lstsq(). b is (m, nrhs), or a vector (m,). info is 0, or i if the i-th diagonal element of R is zero.
    The other arguments are those of qr().
    """
    call = _Call(budget, devices, progress, host_columns)
    a, b = _checked("a", a, (2,)), _checked("b", b, (1, 2))
    (m, n), vector = a.shape, b.ndim == 1
    if b.shape[0] != m or b.dtype != a.dtype:
        raise ValueError(f"b is {b.shape} of {b.dtype}, but must have {m} rows of {a.dtype}")
    right = b[:, None] if vector else b
    wide = m < n
    x = np.zeros((max(m, n), right.shape[1]), a.dtype, order="F")
    x[:m] = right  # before `a`, of which b may be a part, is overwritten
    # Numbers near the ends of the type's range are scaled, as by ?gels, so that norms do not overflow.
    tall = np.array(a.conj().T, order="F") if wide else _overwritable(a, overwrite_a)
    of_a, of_b = _shifts(_largest(tall).max(initial=0)), _shifts(_largest(x))
    _scale(tall, of_a)
    _scale(x, of_b)
    factors, tau = call.factors(tall)
    k = min(m, n)
    r = factors[:k, :k]
    if wide:
        # A = (Q R)^H, so x = Q y with R^H y = b.
        x[:k] = solve_triangular(np.conj(r).T, x[:k].copy(), upper=False) if k else x[:k]
        call.apply(NO_TRANS, factors, tau, x)
    else:
        call.apply(CONJ_TRANS, factors, tau, x)
        x[:k] = solve_triangular(r, x[:k].copy(), upper=True) if k else x[:k]
    zeros = np.flatnonzero(np.diagonal(r) == 0)
    x = x[:n]
    _scale(x, of_a - of_b)
    return LeastSquares(x[:, 0] if vector else x, int(zeros[0]) + 1 if len(zeros) else 0)


def lu_factor(a: Any, *, overwrite_a: bool = False, budget: int = 0, devices: Sequence[int] | None = None,
              progress: Progress = None) -> LUFactors[Any]:
    """LU factorisation with partial pivoting of a NumPy array (m, n), as in tephra.lu_factor(). LU is column-major.

    tephra.lu_solve(LU, pivots, b) solves a x = b. The other arguments are those of qr().
    """
    call = _Call(budget, devices, progress, 0)
    a = _checked("a", a, (2,))
    m, n = a.shape
    factors, pivots = _overwritable(a, overwrite_a), np.empty(min(m, n), np.int32)
    reporter = _ProgressReporter(progress, a.size, "getrf")
    reporter.run(_GETRF[LETTERS[a.dtype.name]], m, n, factors.ctypes.data, max(m, 1), pivots.ctypes.data, None,
             call.budget, call.count, call.devices)
    return LUFactors(factors, pivots)


def cholesky(a: Any, *, upper: bool = False, overwrite_a: bool = False, budget: int = 0,
             devices: Sequence[int] | None = None, progress: Progress = None) -> Any:
    """The Cholesky factor of a Hermitian positive definite NumPy array (n, n), as in tephra.cholesky(). Column-major.

    Only one triangle of `a` is read, and the other one of the result is zero. Raises numpy.linalg.LinAlgError if `a` is not
    positive definite. tephra.cholesky_solve(b, factor, upper) solves a x = b. The other arguments are those of qr().
    """
    call = _Call(budget, devices, progress, 0)
    a = _checked("a", a, (2,))
    n, columns = a.shape
    if n != columns:
        raise ValueError(f"a is {a.shape}, but must be square")
    factor, info = _overwritable(a, overwrite_a), c_int()
    reporter = _ProgressReporter(progress, a.size, "potrf")
    reporter.run(_POTRF[LETTERS[a.dtype.name]], UPPER if upper else LOWER, n, factor.ctypes.data, max(n, 1),
             ctypes.addressof(info), call.budget, call.count, call.devices)
    if info.value:
        raise np.linalg.LinAlgError(f"cholesky: the matrix is not positive definite: the leading minor of order {info.value} is not")
    for j in range(n):
        factor[slice(j + 1, n) if upper else slice(j), j] = 0
    return factor
