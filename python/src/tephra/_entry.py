"""What all public functions share: alternative argument names, `out`, and the fast path for plain tensors."""
from __future__ import annotations

import functools
import inspect
from typing import Any, Callable

from ._fronts import into


def _always_tracing() -> bool:
    return True  # the initial check, which keeps the fast path off until PyTorch's front installs the real one


_is_tracing: Callable[[], bool] = _always_tracing  # whether torch.compile() is tracing, which rules out the fast path
_entries: list[Entry] = []


class Entry:
    """The implementations of a public function. `general` handles every call; `fast` returns None for a call that it
    does not handle."""

    fast: Callable[..., Any]

    def __init__(self, general: Callable[..., Any]) -> None:
        self.general = general
        _entries.append(self)


def enable_fast_path(is_tracing: Callable[[], bool],
                     fast_path: Callable[[Callable[..., Any]], Callable[..., Any]]) -> None:
    """Enables the fast path of all public functions. `fast_path` builds it from a function's general implementation."""
    global _is_tracing
    for entry in _entries:
        entry.fast = fast_path(entry.general)
    _is_tracing = is_tracing


def operation(**others: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Decorates a public function. `others` maps additional keyword names, those of torch.linalg or numpy.linalg, to
    the function's own parameters. The decorated function also takes `out`, the array or arrays that receive the
    results."""

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        def general(*arguments: Any, **named: Any) -> Any:
            out = None
            if named:
                for name in others.keys() & named.keys():
                    parameter = others[name]
                    if parameter in named:
                        raise TypeError(f"{function.__name__}() got {parameter!r} twice, the second time as {name!r}")
                    named[parameter] = named.pop(name)
                out = named.pop("out", None)
            result = function(*arguments, **named)
            if out is None:
                return result
            # Also the members of multi_dot()'s sequence.
            operands = [a for given in (*arguments, *named.values())
                        for a in (given if isinstance(given, (list, tuple)) else (given,))]
            if not isinstance(result, tuple):
                return into([out], [result], operands)[0]
            if not isinstance(out, (tuple, list)) or len(out) != len(result):
                raise TypeError(f"out is a {type(out).__name__}, but must be a tuple of {len(result)} arrays")
            filled = into(out, result, operands)
            return tuple(filled) if type(result) is tuple else type(result)(*filled)

        entry = Entry(general)

        @functools.wraps(function)
        def call(*arguments: Any, **named: Any) -> Any:
            if not _is_tracing():
                done = entry.fast(*arguments, **named)
                if done is not None:
                    return done
            return general(*arguments, **named)

        signature = inspect.signature(function)
        parameters = [*signature.parameters.values(), inspect.Parameter("out", inspect.Parameter.KEYWORD_ONLY, default=None)]
        setattr(call, "__signature__", signature.replace(parameters=parameters))
        return call

    return decorate
