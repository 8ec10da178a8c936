"""Calls of a client for tasks of asyncio or trio."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from types import TracebackType
from typing import Any, Generic, TypeVar

import anyio
import httpx
from typing_extensions import Self

from . import _core as core
from ._operations import OPERATIONS

Item = TypeVar("Item")
Meta = TypeVar("Meta", bound=core.Model)
Part = TypeVar("Part", bound=core.Model)


class AsyncItems(Generic[Item, Meta]):
    """The items of a list, over all of its pages."""

    def __init__(self, page: Callable[[str | None], Awaitable[core.Answer[list[Item], Meta]]]) -> None:
        self._page = page

    async def pages(self) -> AsyncIterator[core.Answer[list[Item], Meta]]:
        """Page by page, each with what came with it."""
        cursor = None
        while True:
            page = await self._page(cursor)
            yield page
            cursor = getattr(page.meta, "next_cursor", None)
            if cursor is None:
                return

    async def __aiter__(self) -> AsyncIterator[Item]:
        async for page in self.pages():
            for item in page.data:
                yield item


class AsyncConnection:
    """Sends calls, and repeats those that can be repeated."""

    def __init__(
        self,
        options: core.Options,
        transport: httpx.AsyncBaseTransport | None,
        sleep: Callable[[float], Awaitable[object]],
    ) -> None:
        self.budget = core.Budget(options.max_units)
        self.http = httpx.AsyncClient(timeout=options.timeout, transport=transport)
        self._options = options
        self._sleep = sleep
        self._costs: dict[str, int] | None = None
        self._costs_lock = anyio.Lock()

    async def answer(
        self,
        function: str,
        data: type[Part],
        meta: type[Meta],
        parameters: Mapping[str, Any],
        idempotency_key: str | None = None,
    ) -> core.Answer[Part, Meta]:
        headers, body = await self._carried_out(function, parameters, idempotency_key)
        return core.Answer(
            core.part_of(data, body.get("data")),
            core.part_of(meta, body.get("meta")),
            headers,
            core.usage_in(headers),
        )

    async def page(
        self,
        function: str,
        item: type[Part],
        meta: type[Meta],
        parameters: Mapping[str, Any],
    ) -> core.Answer[list[Part], Meta]:
        headers, body = await self._carried_out(function, parameters, None)
        return core.Answer(
            [core.part_of(item, each) for each in body.get("data") or []],
            core.part_of(meta, body.get("meta")),
            headers,
            core.usage_in(headers),
        )

    async def _carried_out(
        self, function: str, parameters: Mapping[str, Any], idempotency_key: str | None
    ) -> tuple[httpx.Headers, dict[str, Any]]:
        call = core.Call(function, OPERATIONS[function], parameters, self._options, idempotency_key)
        hold = core.Hold(function, await self._units(call))
        self.budget.keep(hold)
        try:
            while True:
                try:
                    whole = await self._send(call, hold)
                except httpx.RequestError as error:
                    wait_s = call.wait_after_failure(error)
                else:
                    next_s = call.wait_after(whole)
                    if next_s is None:
                        return whole.headers, core.body_of(whole)
                    wait_s = next_s
                await self._sleep(wait_s)
                if call.operation.method == "GET":
                    # An attempt that was cut may have been charged, and so may the next.
                    self.budget.keep(hold)
        finally:
            self.budget.release(hold)

    async def _send(self, call: core.Call, hold: core.Hold) -> core.Whole:
        async with self.http.stream(**call.request()) as response:
            # Charged once it is sent, whether or not it arrives whole.
            usage = core.usage_in(response.headers)
            self.budget.charge(hold, usage.cost)
            if self._options.on_usage is not None:
                self._options.on_usage(usage, call.function)
            ends = time.monotonic() + self._options.timeout_s
            content = bytearray()
            async for chunk in response.aiter_bytes():
                content += chunk
                if time.monotonic() > ends:
                    raise httpx.ReadTimeout("it arrived too slowly", request=response.request)
            return core.whole_of(response, bytes(content))

    async def _units(self, call: core.Call) -> int:
        if self._options.max_units is None or call.operation.meter == "free":
            return 0
        async with self._costs_lock:
            if self._costs is None:
                self._costs = core.costs_in((await self._carried_out("get_capabilities", {}, None))[1])
        return core.units_of(call.operation, call.parameters, self._costs.get(call.operation.name, 0))


class AsyncClient:
    """A client of a Sightline service, for tasks. It has a function for each operation; a list is iterated.

    It waits as `Retry-After` says after 429 and 503, and repeats what was cut on its way; a catalog read that was cut
    costs its unit again. A POST is charged once however often it is sent. A live read by GET is not repeated.

    Raises SightlineError if the service refuses a call, ConnectionFailed if no whole answer arrives, and BudgetError
    if a call could spend more than `max_units`.
    """

    def __init__(
        self,
        key: str,
        url: str = "http://127.0.0.1:8080",
        *,
        max_units: int | None = None,
        on_usage: Callable[[core.Usage, str], None] | None = None,
        retries: int = 4,
        max_wait_s: float = 60,
        timeout_s: float = 60,
        transport: httpx.AsyncBaseTransport | None = None,
        sleep: Callable[[float], Awaitable[object]] = anyio.sleep,
    ) -> None:
        """
        Args:
            key: The key that the operator of the service issued: `slk_…`.
            url: The address of the service.
            max_units: Units that this client may spend. A call that could spend more is not sent.
            on_usage: Told of each answer: what it cost and what is left, and the name of the function.
            retries: How often a call is repeated.
            max_wait_s: The longest `Retry-After` that is waited for.
            timeout_s: How long an answer may take until it begins, and from then until it has arrived.
            transport: How httpx sends requests.
            sleep: How it waits between attempts; tests of yours may not wait at all.
        """
        options = core.Options(key, url, max_units, on_usage, retries, max_wait_s, timeout_s)
        self._connection = AsyncConnection(options, transport, sleep)

    @property
    def spent(self) -> int:
        """Units that this client was charged."""
        return self._connection.budget.spent

    async def close(self) -> None:
        await self._connection.http.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()
