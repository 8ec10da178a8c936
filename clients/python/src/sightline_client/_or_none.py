from __future__ import annotations

from collections.abc import Awaitable, Callable
from inspect import isawaitable
from typing import Any, ParamSpec, TypeVar, overload

from ._core import SightlineError

T = TypeVar("T")
P = ParamSpec("P")


@overload
def or_none(
    call: Callable[P, Awaitable[T]], *args: P.args, **parameters: P.kwargs
) -> Awaitable[T | None]: ...
@overload
def or_none(call: Callable[P, T], *args: P.args, **parameters: P.kwargs) -> T | None: ...
def or_none(call: Callable[..., Any], *args: Any, **parameters: Any) -> Any:
    """What a call answers, and None if the service has no such thing, or can't read or compute it.

    It is given the function and its parameters: `or_none(sightline.get_directory_entry, platform="x", id="ada")`. Of an
    AsyncSightline it is awaited.
    """

    async def of(answer: Awaitable[T]) -> T | None:
        try:
            return await answer
        except SightlineError as error:
            if error.is_answer:
                return None
            raise

    try:
        answer = call(*args, **parameters)
    except SightlineError as error:
        if error.is_answer:
            return None
        raise
    return of(answer) if isawaitable(answer) else answer
