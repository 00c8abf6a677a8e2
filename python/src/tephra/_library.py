"""libtephra.so through ctypes: where it is, its prototypes, its errors."""
import ctypes
import os
from ctypes import c_char_p, c_int, c_int64, c_size_t, c_void_p
from pathlib import Path

CPU, CUDA = 1, 2
LEFT, RIGHT = 141, 142
NO_TRANS, TRANS, CONJ_TRANS = 111, 112, 113
UPPER, LOWER = 121, 122
NON_UNIT, UNIT = 131, 132
Q_NONE, Q_THIN, Q_FULL = 0, 1, 2

# Argument types by letter: i a C int, n a 64-bit size, p an address, s a size_t.
_LETTERS = {"i": c_int, "n": c_int64, "p": c_void_p, "s": c_size_t}
_STRIDED = {
    "geqrf": "nnpnnpnnpsp",
    "geqrf_workspace": "nnnnnnp",
    "orgqr": "nnnpnnpnnp",
    "ormqr": "iinnnpnnpnpnnnp",
    "qr": "innpnnpnnpnnnpsp",
    "qr_workspace": "innnnnnnnnp",
    "gels": "innnpnnpnnpnpsp",
    "gels_workspace": "innnnnnnnp",
    "trsm": "iiiinnppnnpnnnp",
}


class TephraError(RuntimeError):
    """A call that the library refused, or that failed; the text is the library's own."""


def _candidates():
    named = os.environ.get("TEPHRA_LIBRARY")
    if named:
        return [named]
    carried = sorted((Path(__file__).parent / "lib").glob("libtephra.so*"))
    return [*map(str, carried), "libtephra.so.0.1"]


def _load():
    failures = []
    for name in _candidates():
        try:
            return ctypes.CDLL(name)
        except OSError as error:
            failures.append(str(error))
    raise ImportError("libtephra.so was not found (TEPHRA_LIBRARY names one): " + "; ".join(failures))


_library = _load()
_library.tephra_last_error.restype = c_char_p
_library.tephra_version.restype = c_char_p


def _prototypes():
    functions = {}
    for operation, letters in _STRIDED.items():
        base, _, suffix = operation.partition("_")
        for dtype in "sdcz":
            # LAPACK's names: orthogonal for real types, unitary for complex ones.
            name = {"orgqr": "ungqr", "ormqr": "unmqr"}.get(base, base) if dtype in "cz" else base
            function = getattr(_library, f"tephra_{dtype}{name}_strided_batched" + (f"_{suffix}" if suffix else ""))
            function.argtypes = [_LETTERS[letter] for letter in letters]
            functions[operation, dtype] = function
    return functions


_FUNCTIONS = _prototypes()


def version():
    """The library's version."""
    return _library.tephra_version().decode()


def call(operation, dtype, *arguments):
    """Runs an operation (a key of _STRIDED) for a BLAS precision letter."""
    status = _FUNCTIONS[operation, dtype](*arguments)
    if status:
        raise TephraError(_library.tephra_last_error().decode() or f"status {status}")


class backend:
    """The backend of this thread's calls inside a `with` block: one process may hold host and device arrays."""

    def __init__(self, kind):
        self.kind = kind

    def __enter__(self):
        if _library.tephra_set_thread_backend(self.kind):
            raise TephraError(_library.tephra_last_error().decode() or f"backend {self.kind} cannot be used")

    def __exit__(self, *_):
        _library.tephra_set_thread_backend(0)
