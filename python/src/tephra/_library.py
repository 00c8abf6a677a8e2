"""Finds and loads libtephra.so with ctypes; its constants, prototypes and errors."""
from __future__ import annotations

import ctypes
import os
from ctypes import c_char_p, c_double, c_int, c_int64, c_size_t, c_void_p
from pathlib import Path
from typing import Any

CPU, CUDA = 1, 2
LEFT, RIGHT = 141, 142
NO_TRANS, TRANS, CONJ_TRANS = 111, 112, 113
UPPER, LOWER = 121, 122
NON_UNIT, UNIT = 131, 132
Q_NONE, Q_THIN, Q_FULL = 0, 1, 2

# Argument types by letter: d is a double, i a C int, n a 64-bit size, p an address, s a size_t.
_LETTERS = {"d": c_double, "i": c_int, "n": c_int64, "p": c_void_p, "s": c_size_t}
_STRIDED = {
    "geqrf": "nnpnnpnnpsp",
    "geqrf_workspace": "nnnnnnp",
    "orgqr": "nnnpnnpnnp",
    "ormqr": "iinnnpnnpnpnnnp",
    "qr": "innpnnpnnpnnnpsp",
    "qr_workspace": "innnnnnnnnp",
    "gels": "innnpnnpnnpnpsp",
    "gels_workspace": "innnnnnnnp",
    "gels_iterative": "nnnpnnpnnpnndnpppnpsp",
    "gels_iterative_workspace": "nnnnnnnnnnp",
    "geqp3": "nnpnnpnpnpnpsp",
    "geqp3_workspace": "nnnnnnnp",
    "gelsy": "nnnpnnpnnpndpnpsp",
    "gelsy_workspace": "nnnnnnnnnp",
    "trsm": "iiiinnppnnpnnnp",
    "getrf": "nnpnnpnpnpsp",
    "getrf_workspace": "nnnnnnp",
    "getrs": "innpnnpnpnnnpsp",
    "getrs_workspace": "innnnnnnnp",
    "gesv": "nnpnnpnpnnpnpsp",
    "gesv_workspace": "nnnnnnnnp",
    "inv": "npnnpnnpnpsp",
    "inv_workspace": "nnnnnnp",
    "potrf": "inpnnpnpsp",
    "potrf_workspace": "innnnp",
    "potri": "inpnnpnpsp",
    "potri_workspace": "innnnp",
    "potrs": "innpnnpnnnpsp",
    "potrs_workspace": "innnnnnnp",
    "gemm": "iinnnppnnpnnppnnnp",
}
# The functions for 16-bit matrices take the element type as an additional first argument; all of them take a workspace.
STORAGE = {"h": 2, "b": 14}
_NARROW = {
    **{name: _STRIDED[name] for base in ("geqrf", "qr", "gesv", "potrf") for name in (base, base + "_workspace")},
    "gemm": "iinnnppnnpnnppnnnpsp",
    "gemm_workspace": "iinnnnnnnnnnp",
}


class TephraError(RuntimeError):
    """The library rejected a call, or the call failed; the message is the library's own."""


def _candidates() -> list[str]:
    named = os.environ.get("TEPHRA_LIBRARY")
    if named:
        return [named]
    carried = sorted((Path(__file__).parent / "lib").glob("libtephra.so*"))
    return [*map(str, carried), "libtephra.so.0.2"]


def _load() -> ctypes.CDLL:
    failures = []
    for name in _candidates():
        try:
            return ctypes.CDLL(name)
        except OSError as error:
            failures.append(str(error))
    raise ImportError("libtephra.so was not found; set TEPHRA_LIBRARY to its path (" + "; ".join(failures) + ")")


_library = _load()
PATH: str = _library._name  # passed on to the tephra program, which loads the same library


def _function(name: str) -> Any:
    try:
        return getattr(_library, name)
    except AttributeError:
        raise ImportError(f"{PATH} has no {name}: it is not libtephra.so, or not of the version that this package needs "
                          "(TEPHRA_LIBRARY selects the library)") from None


_last_error = _function("tephra_last_error")
_last_error.restype = c_char_p
_version = _function("tephra_version")
_version.restype = c_char_p
_set_thread_backend = _function("tephra_set_thread_backend")
_set_thread_backend.argtypes = [c_int]


def _prototypes() -> dict[tuple[str, str], Any]:
    functions = {}
    for operation, letters in _NARROW.items():
        base = operation.removesuffix("_workspace")
        function = _function(f"tephra_x{base}_strided_batched{operation[len(base):]}")
        function.argtypes = [_LETTERS[letter] for letter in "i" + letters]
        functions.update({(operation, letter): function for letter in STORAGE})
    for operation, letters in _STRIDED.items():
        base = operation.removesuffix("_workspace")
        suffix = operation[len(base):]
        for dtype in "sdcz":
            # LAPACK's names are orthogonal for real types, unitary for complex ones.
            name = {"orgqr": "ungqr", "ormqr": "unmqr"}.get(base, base) if dtype in "cz" else base
            function = _function(f"tephra_{dtype}{name}_strided_batched{suffix}")
            function.argtypes = [_LETTERS[letter] for letter in letters]
            functions[operation, dtype] = function
    return functions


# The C functions, keyed by operation and BLAS precision letter or a letter of STORAGE.
FUNCTIONS = _prototypes()

_scalars: dict[str, Any] = {"s": (ctypes.c_float * 1)(1), "d": (ctypes.c_double * 1)(1),
                            "c": (ctypes.c_float * 2)(1, 0), "z": (ctypes.c_double * 2)(1, 0)}
_scalars.update({letter: _scalars["s"] for letter in STORAGE})
_zero = (ctypes.c_double * 2)(0, 0)
# Addresses of the scalars one and zero, by precision letter.
ONE = {letter: ctypes.addressof(value) for letter, value in _scalars.items()}
ZERO = {letter: ctypes.addressof(_zero) for letter in _scalars}


def version() -> str:
    """Returns the library's version."""
    text: bytes = _version()
    return text.decode()


def failure(status: int) -> TephraError:
    """The error for a nonzero status of the last call on this thread."""
    return TephraError(_last_error().decode() or f"status {status}")


def typed(letter: str, arguments: tuple[Any, ...]) -> tuple[Any, ...]:
    """Prepends the element type to the arguments of the functions for 16-bit matrices, whose names do not imply it."""
    return (STORAGE[letter], *arguments) if letter in STORAGE else arguments


def call(kind: int, function: Any, *arguments: Any) -> int:
    """Calls a C function on the backend `kind`, whichever backend the process has selected: one process may hold both
    host and device arrays. Returns the function's status."""
    if _set_thread_backend(kind):
        raise TephraError(_last_error().decode() or f"backend {kind} is not usable")
    try:
        status: int = function(*arguments)
        return status
    finally:
        _set_thread_backend(0)


_workspaces: dict[Any, int] = {}


def workspace(kind: int, device: int, operation: str, letter: str, query: tuple[int, ...], again: bool = False) -> int:
    """Bytes of workspace that a call needs. The answer is cached; `again` repeats the query, after a call that rejected
    the cached size, which may change with the program's settings."""
    key = (device, operation, letter, query)
    size = None if again else _workspaces.get(key)
    if size is None:
        need = c_size_t()
        status = call(kind, FUNCTIONS[operation + "_workspace", letter], *typed(letter, query), ctypes.addressof(need))
        if status:
            raise failure(status)
        size = need.value
        if len(_workspaces) >= 4096:
            _workspaces.clear()
        _workspaces[key] = size
    return size
