"""What all public functions share: alternative argument names, `out`, and the fast path for plain tensors."""
from __future__ import annotations

import functools
import inspect
from typing import Any, Callable

from ._fronts import into


def _compiled() -> bool:
    return True  # the fast path stays off until PyTorch's front installs a real check


_tracing: Callable[[], bool] = _compiled  # whether torch.compile() is tracing, which rules out the fast path
_entries: list[Entry] = []


class Entry:
    """The implementations of a public function: `long` takes every call; `short`, the fast path, returns None for a
    call that must take the long path."""

    short: Callable[..., Any]

    def __init__(self, long: Callable[..., Any]) -> None:
        self.long = long
        _entries.append(self)


def cut_short(tracing: Callable[[], bool], way: Callable[[Callable[..., Any]], Callable[..., Any]]) -> None:
    """Enables the fast path of all public functions: `way` makes it from the long one."""
    global _tracing
    for entry in _entries:
        entry.short = way(entry.long)
    _tracing = tracing


def operation(**others: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Decorates a public function. `others` maps additional keyword names, those of torch.linalg or numpy.linalg, to
    the function's own parameters. The decorated function also takes `out`, the array or arrays that receive the
    results."""

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        def long(*arguments: Any, **named: Any) -> Any:
            out = None
            if named:
                for name in others.keys() & named.keys():
                    parameter = others[name]
                    if parameter in named:
                        raise TypeError(f"{function.__name__}() got {parameter!r} twice, as {name!r}, too")
                    named[parameter] = named.pop(name)
                out = named.pop("out", None)
            result = function(*arguments, **named)
            if out is None:
                return result
            operands = (*arguments, *named.values())
            if not isinstance(result, tuple):
                return into(out, result, operands)
            if not isinstance(out, (tuple, list)) or len(out) != len(result):
                raise TypeError(f"out is a {type(out).__name__}: a tuple of {len(result)} arrays is needed")
            filled: list[Any] = [r if r is None else into(o, r, operands) for o, r in zip(out, result)]
            return tuple(filled) if type(result) is tuple else type(result)(*filled)

        entry = Entry(long)

        @functools.wraps(function)
        def call(*arguments: Any, **named: Any) -> Any:
            if not _tracing():
                done = entry.short(*arguments, **named)
                if done is not None:
                    return done
            return long(*arguments, **named)

        signature = inspect.signature(function)
        parameters = [*signature.parameters.values(), inspect.Parameter("out", inspect.Parameter.KEYWORD_ONLY, default=None)]
        setattr(call, "__signature__", signature.replace(parameters=parameters))
        return call

    return decorate
