"""Does with the client for Python what each line of its input says, and writes down what came of it.

A line is a list: the name of a function here, and its parameters. `mode` is `sync` or `async`.
"""

from __future__ import annotations

import inspect
import json
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from unittest.mock import patch

import anyio
from pydantic import BaseModel

import sightline_client
from sightline_client import AsyncSightline, BudgetError, Sightline, SightlineError, models, or_none

KEY = "slk_00000000000000000000000000000000000000"


class Waits(list[float]):
    """Waits for no time, and writes down for how long it would have waited."""

    async def later(self, seconds: float) -> None:
        self.append(seconds)


def _client(mode: str, url: str, waits: Waits | None = None, **options: Any) -> Any:
    written = Waits() if waits is None else waits
    if mode == "sync":
        return Sightline(KEY, url, sleep=written.append, **options)
    return AsyncSightline(KEY, url, sleep=written.later, **options)


async def _awaited(answer: Any) -> Any:
    return await answer if inspect.isawaitable(answer) else answer


async def _collect(listed: Any, items: list[Any]) -> None:
    if hasattr(listed, "__aiter__"):
        async for item in listed:
            items.append(item)
    else:
        for item in listed:
            items.append(item)


async def _at_once(mode: str, calls: list[Callable[[], Any]]) -> list[Any]:
    """What calls made at once answer: in threads, or in tasks. Errors are given as answers."""
    answers: list[Any] = [None] * len(calls)
    limit = anyio.CapacityLimiter(32)

    async def call(i: int) -> None:
        async with limit:
            try:
                answers[i] = await _awaited(calls[i]())
            except Exception as error:
                answers[i] = error

    def call_in_thread(i: int) -> None:
        try:
            answers[i] = calls[i]()
        except Exception as error:
            answers[i] = error

    if mode == "sync":
        with ThreadPoolExecutor(32) as pool:
            list(pool.map(call_in_thread, range(len(calls))))
    else:
        async with anyio.create_task_group() as group:
            for i in range(len(calls)):
                group.start_soon(call, i)
    return answers


def _sent(value: Any) -> Any:
    """An answer as it was sent: without what it left out."""
    return value.model_dump(exclude_unset=True, warnings=False) if isinstance(value, BaseModel) else value


async def _described(mode: str, error: Exception) -> dict[str, Any]:
    def fail() -> object:
        raise error

    async def fail_later() -> object:
        raise error

    try:
        none = await _awaited(or_none(fail if mode == "sync" else fail_later))
    except Exception as raised:
        none = "thrown" if raised is error else repr(raised)
    if not isinstance(error, SightlineError):
        return {"name": type(error).__name__, "orNull": none}
    return {"name": error.code, "isAnswer": error.is_answer, "details": error.details, "orNull": none}


async def case(mode: str, url: str, function: str, parameters: Any, options: Any) -> object:
    waits = Waits()
    client = _client(mode, url, waits, **options)
    found: dict[str, Any] = {}
    try:
        answer = await _awaited(getattr(client, function)(**parameters))
        if hasattr(answer, "pages"):
            items: list[Any] = []
            found["items"] = items
            await _collect(answer, items)
        else:
            found["data"] = _sent(answer)
    except Exception as error:
        found["error"] = await _described(mode, error)
    if "items" in found:
        found["items"] = [_sent(item) for item in found["items"]]
    await _awaited(client.close())
    return {**found, "units": client.spent, "waits": waits}


async def faults(mode: str, url: str, handles: list[str], lists: int) -> object:
    """Lists and tools at once. Every list with other items, and every tool with another answer, is told."""
    client = _client(mode, url, retries=100)

    def whole_list() -> list[str]:
        return [item.handle for item in client.list_directory()]

    async def whole_list_of_task() -> list[str]:
        return [item.handle async for item in client.list_directory()]

    def tool(handle: str) -> Callable[[], Any]:
        return lambda: client.run_account_age(platform="x", handle=handle)

    answers = await _at_once(
        mode, [*[whole_list if mode == "sync" else whole_list_of_task] * lists, *map(tool, handles)]
    )
    await _awaited(client.close())
    wrong = [repr(each) for each in answers[:lists] if each != handles]
    for handle, answer in zip(handles, answers[lists:], strict=True):
        if not isinstance(answer, models.RunAccountAgeResult) or answer.handle != handle:
            wrong.append(repr(answer))
    return wrong


async def budget(mode: str, url: str, max_units: int, calls: int) -> object:
    used: list[int] = []
    client = _client(mode, url, max_units=max_units, on_usage=lambda usage, function: used.append(usage.cost))

    def call(i: int) -> Callable[[], Any]:
        return lambda: client.get_directory_entry(platform="x", id=f"h{i}")

    answers = await _at_once(mode, [call(i) for i in range(calls)])
    await _awaited(client.close())
    return {
        "answered": sum(isinstance(each, models.DirectoryEntry) for each in answers),
        "refused": sum(isinstance(each, BudgetError) for each in answers),
        "used": sum(used),
        "spent": client.spent,
    }


async def again(mode: str, url: str) -> object:
    """The errors of five calls under a budget of one unit."""
    client = _client(mode, url, max_units=1)
    told: list[str | None] = []
    for _ in range(5):
        try:
            await _awaited(client.get_directory_entry(platform="x", id="ada"))
            told.append(None)
        except Exception as error:
            told.append(getattr(error, "code", type(error).__name__))
    await _awaited(client.close())
    return told


async def stopped(mode: str, url: str) -> object:
    """The error of a caller who has seen enough when it is told of the usage."""

    def enough(usage: object, function: str) -> None:
        raise ValueError(function)

    client = _client(mode, url, on_usage=enough)
    try:
        await _awaited(client.check_account(platform="x", handle="ada"))
    except ValueError as error:
        return str(error)
    finally:
        await _awaited(client.close())
    return None


async def cancelled(mode: str, url: str) -> object:
    """A task that is cancelled while it waits."""
    with anyio.CancelScope() as scope:

        async def sleep(seconds: float) -> None:
            scope.cancel()
            await anyio.sleep_forever()

        async with AsyncSightline(KEY, url, sleep=sleep) as client:
            await client.check_account(platform="x", handle="ada")
    return scope.cancelled_caught


async def raw(mode: str, url: str) -> object:
    client = _client(mode, url + "/")
    answer = await _awaited(client.raw.get_directory_entry(platform="x", id="ada"))
    pages: list[Any] = []
    await _collect(client.list_directory_changes().pages(), pages)
    page = await _awaited(client.raw.list_directory_changes(cursor="r0"))
    await _awaited(client.close())
    return {
        "handle": answer.data.handle,
        "age": answer.meta.cache_age_s,
        "plan": answer.headers["x-plan"],
        "cost": answer.usage.cost,
        "remaining": answer.usage.quota.remaining,
        "left out": answer.data.followers,
        "resume": [each.meta.resume_cursor for each in pages],
        "kinds": [each.kind for each in page.data],
    }


async def sample(source: str) -> object:
    """The calls of a program: each function with its parameters, which have to be those of the client."""
    calls: list[Any] = []

    class Listened(Sightline):
        def __getattribute__(self, name: str) -> Any:
            found = object.__getattribute__(self, name)
            if name.startswith("_") or not callable(found) or name == "close":
                return found

            def call(**parameters: Any) -> list[Any]:
                inspect.signature(found).bind(**parameters)
                calls.append([name, parameters])
                return []

            return call

    program = compile(source, "sample", "exec")
    names = {"key": KEY, "url": "http://nowhere", "print": lambda *values: None}
    with patch.object(sightline_client, "Sightline", Listened):
        exec(program, names)
    return calls


async def main() -> None:
    for line in sys.stdin:
        name, given = json.loads(line)
        print(json.dumps({"found": await globals()[name](**given)}), flush=True)


anyio.run(main)
