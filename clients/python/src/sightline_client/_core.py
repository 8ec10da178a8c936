"""What the client for threads and the one for tasks share: everything that sends nothing and waits for nothing."""

from __future__ import annotations

import json
import random
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from math import ceil
from typing import Any, Generic, Literal, NamedTuple, TypeVar
from urllib.parse import quote, urlencode
from uuid import uuid4

import httpx
from pydantic import BaseModel, ConfigDict, ValidationError, ValidatorFunctionWrapHandler, field_validator

FIRST_WAIT_S = 0.5
ROWS_PER_UNIT = 100
DEFAULT_ROWS = 25

NOT_SENT: Any = None
"""What a field has that an answer left out: nothing is known of it."""


class Model(BaseModel):
    """A part of an answer. Fields and values that this release does not know are kept as they came."""

    model_config = ConfigDict(
        extra="allow",
        populate_by_name=True,
        serialize_by_alias=True,
        protected_namespaces=(),
    )

    @field_validator("*", mode="wrap")
    @classmethod
    def _keep(cls, value: Any, read: ValidatorFunctionWrapHandler) -> Any:
        try:
            return read(value)
        except ValidationError:
            return value


class Operation(NamedTuple):
    """How an operation is called and charged."""

    name: str
    method: Literal["GET", "POST"]
    path: str
    meter: Literal["free", "catalog", "live"]
    is_list: bool
    items: tuple[str, int] | None
    """A list in its body whose items may be charged each, and how many it has at most."""


@dataclass(frozen=True)
class Quota:
    """Units of the period, and when the next one starts."""

    limit: int
    used: int
    remaining: int
    reset: str


@dataclass(frozen=True)
class Overage:
    """Whether the wallet pays for units past the quota, units it paid for, and dollars left."""

    state: str
    used: int
    balance: str | None


@dataclass(frozen=True)
class Usage:
    """What an answer says of your usage. Values that it does not say are None."""

    cost: int
    """Units charged for the request."""
    plan: str | None
    quota: Quota | None
    overage: Overage | None


Data = TypeVar("Data")
Meta = TypeVar("Meta", bound=Model)
Part = TypeVar("Part", bound=Model)


@dataclass(frozen=True)
class Answer(Generic[Data, Meta]):
    """An answer with all that came with it."""

    data: Data
    meta: Meta
    """Where the data is from, how old it is, and when each value was measured."""
    headers: httpx.Headers
    usage: Usage


class SightlineError(Exception):
    """The service refused a call. Errors are free of charge."""

    def __init__(self, status: int, body: object, retry_after_s: float | None) -> None:
        error = body.get("error") if isinstance(body, dict) else None
        said: dict[str, Any] = error if isinstance(error, dict) else {}
        super().__init__(said.get("message", f"The service answered {status}."))
        self.code: str = said.get("code", "internal")
        self.status = status
        self.request_id: str | None = said.get("request_id")
        self.details: list[dict[str, Any]] = said.get("details", [])
        self.retry_after_s = retry_after_s
        """Seconds until the call may be repeated; None if that is unknown."""

    @property
    def is_answer(self) -> bool:
        """Whether it says something of what was asked for: that there is none, or that it can't be read or computed."""
        return self.status in (404, 422)


class ConnectionFailed(Exception):
    """No whole answer arrived. A live read may have been charged: it is not repeated."""


class BudgetError(Exception):
    """A call was not sent, since it could spend more than `max_units`."""


@dataclass(frozen=True)
class Options:
    """What both clients are told."""

    key: str
    url: str
    max_units: int | None
    on_usage: Callable[[Usage, str], None] | None
    retries: int
    max_wait_s: float
    timeout_s: float

    @property
    def timeout(self) -> httpx.Timeout:
        """A call that waits for a free connection has not begun."""
        return httpx.Timeout(self.timeout_s, pool=None)


@dataclass
class Hold:
    """Units that are kept for a call."""

    function: str
    units: int
    kept: int = 0


@dataclass
class Budget:
    """Units that were charged, and those that are kept for calls on their way. Threads share it."""

    max_units: int | None
    spent: int = 0
    _kept: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def keep(self, hold: Hold) -> None:
        """Keeps all units that a call can cost. Raises BudgetError if they are not left."""
        with self._lock:
            wanted = hold.units - hold.kept
            if self.max_units is not None and wanted > (left := self.max_units - self.spent - self._kept):
                raise BudgetError(
                    f"{hold.function} can cost {wanted} units, and {left} of {self.max_units} are left."
                )
            self._move(hold, wanted)

    def charge(self, hold: Hold, units: int) -> None:
        with self._lock:
            self.spent += units
            self._move(hold, -min(units, hold.kept))

    def release(self, hold: Hold) -> None:
        with self._lock:
            self._move(hold, -hold.kept)

    def _move(self, hold: Hold, units: int) -> None:
        hold.kept += units
        self._kept += units


def units_of(operation: Operation, parameters: Mapping[str, Any], cost: int) -> int:
    """Units that a call can cost, by what its operation costs."""
    if operation.items is not None:
        name, most = operation.items
        listed = parameters.get(name)
        return cost * (most if listed is None else len(listed))
    if operation.is_list:
        return cost * ceil((parameters.get("limit") or DEFAULT_ROWS) / ROWS_PER_UNIT)
    return cost


class Whole(NamedTuple):
    """An answer that arrived whole."""

    status: int
    headers: httpx.Headers
    body: Any


def whole_of(response: httpx.Response, content: bytes) -> Whole:
    """Raises httpx.DecodingError if the body is no JSON."""
    try:
        body = json.loads(content) if content else None
    except ValueError as error:
        raise httpx.DecodingError(str(error), request=response.request) from error
    return Whole(response.status_code, response.headers, body)


@dataclass
class Call:
    """A call and its attempts: what is sent, and whether and when it is sent again."""

    function: str
    operation: Operation
    parameters: Mapping[str, Any]
    options: Options
    idempotency_key: str | None
    _attempt: int = 0

    def request(self) -> dict[str, Any]:
        """Parameters go where the path has them, and the others into the body of a POST or the query."""
        rest = {name: value for name, value in self.parameters.items() if value is not None}
        path = self.operation.path
        for name in list(rest):
            if "{" + name + "}" in path:
                path = path.replace("{" + name + "}", quote(_text(rest.pop(name)), safe=""))
        url = f"{self.options.url.rstrip('/')}/v2{path}"
        headers = {"authorization": f"Bearer {self.options.key}"}
        if self.operation.method == "POST":
            self.idempotency_key = self.idempotency_key or str(uuid4())
            headers |= {"content-type": "application/json", "idempotency-key": self.idempotency_key}
            return {"method": "POST", "url": url, "headers": headers, "content": json.dumps(rest)}
        query = urlencode({name: _text(value) for name, value in rest.items()})
        return {"method": "GET", "url": f"{url}?{query}" if query else url, "headers": headers}

    def wait_after(self, whole: Whole) -> float | None:
        """Seconds to wait before the call is repeated; None if that was its last answer."""
        retry_after_s = _retry_after_s(whole.headers)
        if self._is_last or not _is_passing(whole) or (retry_after_s or 0) > self.options.max_wait_s:
            return None
        return self._wait(retry_after_s)

    def wait_after_failure(self, error: httpx.RequestError) -> float:
        """The same after an attempt without a whole answer. Raises ConnectionFailed if that was the last one."""
        if isinstance(error, httpx.UnsupportedProtocol):
            raise error
        is_unsent = isinstance(error, (httpx.ConnectError, httpx.ConnectTimeout))
        may_repeat = self.operation.method == "POST" or self.operation.meter != "live" or is_unsent
        if self._is_last or not may_repeat:
            why = str(error) or type(error).__name__
            raise ConnectionFailed(f"{self.function} got no whole answer: {why}") from error
        return self._wait(None)

    @property
    def _is_last(self) -> bool:
        return self._attempt >= self.options.retries

    def _wait(self, retry_after_s: float | None) -> float:
        growing_s = min(FIRST_WAIT_S * 2**self._attempt, self.options.max_wait_s)
        self._attempt += 1
        # Clients that failed together don't come again together.
        return (growing_s if retry_after_s is None else retry_after_s) * (1 + random.random() / 4)


def body_of(whole: Whole) -> dict[str, Any]:
    """Raises SightlineError unless the call was carried out."""
    if whole.status != 200 or not isinstance(whole.body, dict):
        raise SightlineError(whole.status, whole.body, _retry_after_s(whole.headers))
    return whole.body


def part_of(model: type[Part], value: Any) -> Part:
    """A part of an answer; what has another shape than ever described is given as it came."""
    return model.model_validate(value) if isinstance(value, dict) else value


def usage_in(headers: httpx.Headers) -> Usage:
    return Usage(
        cost=_number_in(headers, "x-request-cost"),
        plan=headers.get("x-plan"),
        quota=Quota(
            limit=_number_in(headers, "x-quota-limit"),
            used=_number_in(headers, "x-quota-used"),
            remaining=_number_in(headers, "x-quota-remaining"),
            reset=headers.get("x-quota-reset", ""),
        )
        if "x-quota-limit" in headers
        else None,
        overage=Overage(
            state=headers["x-overage"],
            used=_number_in(headers, "x-overage-used"),
            balance=headers.get("x-wallet-balance"),
        )
        if "x-overage" in headers
        else None,
    )


def costs_in(body: Mapping[str, Any]) -> dict[str, int]:
    """Units of a call of each operation on the plan of the key."""
    return {each["operation"]: each.get("cost") or 0 for each in body["data"]["endpoints"]}


def _number_in(headers: httpx.Headers, name: str) -> int:
    value = headers.get(name, "")
    return int(value) if value.isdecimal() else 0


def _retry_after_s(headers: httpx.Headers) -> int | None:
    """None also of a date, which proxies may send."""
    value = headers.get("retry-after", "")
    return int(value) if value.isdecimal() else None


def _is_passing(whole: Whole) -> bool:
    """Whether a refusal passes: also that of a repeated POST whose first attempt is still carried out."""
    if whole.status in (429, 503):
        return True
    return SightlineError(whole.status, whole.body, None).code == "idempotency_in_flight"


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)
