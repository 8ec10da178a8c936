"""Checks of what the API promises beyond what a description of it can say, and who calls it."""

import ast
import itertools
import re
import sys
import threading
from datetime import datetime, timedelta, timezone
from decimal import Decimal

import schemathesis

# Python 3.11 confuses the recursion depths of threads that parse at the same time (python/cpython#106905).
parse_alone = ast.parse
parsing = threading.RLock()


def parse_in_turn(*args, **kwargs):
    """ast.parse, one thread at a time."""
    with parsing:
        return parse_alone(*args, **kwargs)


ast.parse = parse_in_turn

# Headers of HTTP itself, which no description lists.
OF_HTTP = {
    "connection",
    "content-encoding",
    "content-length",
    "content-type",
    "date",
    "keep-alive",
    "transfer-encoding",
    "vary",
}

# Places whose values only the service knows: which names a platform has, which cursors it handed out, and which time
# zones there are; and whether a time begins after the last sighting of an account, where its end is not given.
KNOWN_TO_THE_SERVICE = re.compile(
    r"params\.(handle|id)|query\.(url|handle|id|company|timezone|from)|body\.(handle|timezone|post_url|other\.(handle|platform)|accounts\.\d+\.handle)"
)

# Simulated platforms answer as the real ones do: some accounts are behind a wall.
OF_PLATFORMS = re.compile(r"platform_\w+")

callers = itertools.count(1)

PROGRESS_EVERY = 500


def error_of(response):
    """The error of a failure; empty where the body is none."""
    try:
        return response.json()["error"]
    except (KeyError, TypeError, ValueError):
        return {}


def resolved(case, part):
    """A part of the description without a reference: what operations share is a component."""
    while part is not None and "$ref" in part:
        names = part["$ref"].removeprefix("#/").split("/")
        part = case.operation.schema.raw_schema
        for name in names:
            part = part[name]
    return part


def order_of(bound):
    """What a bound is compared by: a number, or the milliseconds of a time."""
    time = re.fullmatch(r"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d+))?(Z|[+-]\d\d:\d\d)", str(bound))
    if time is None:
        return Decimal(str(bound))
    instant = datetime.fromisoformat(time[1] + ("+00:00" if time[3] == "Z" else time[3]))
    seconds = (instant - datetime(1970, 1, 1, tzinfo=timezone.utc)) // timedelta(seconds=1)
    return Decimal(seconds * 1_000 + int(((time[2] or "") + "000")[:3]))


def violates(rule, query):
    """Whether a query violates a rule between its parameters, which the schema of none of them states."""
    if rule["kind"] == "exactly_one":
        return sum(name in query for name in rule["fields"]) != 1
    if rule["kind"] == "at_most_one":
        return sum(name in query for name in rule["fields"]) > 1
    if rule["kind"] == "together":
        return sum(name in query for name in rule["fields"]) not in (0, len(rule["fields"]))
    if rule["kind"] == "ordered":
        least, most = query.get(rule["least"]), query.get(rule["most"])
        return least is not None and most is not None and order_of(least) > order_of(most)
    raise ValueError(f"a rule of an unknown kind: {rule}")


def refused_by(rule):
    """The place that the refusal of a query names, if it violates a rule."""
    return f"query.{rule['least']}" if rule["kind"] == "ordered" else "query"


@schemathesis.hook
def before_call(context, case, kwargs):
    """Comes from an address of its own: what goes without a valid key is limited by address."""
    n = next(callers)
    if n % PROGRESS_EVERY == 0:
        print(f"fuzz: {n} requests of this round", file=sys.stderr, flush=True)
    case.headers["X-Forwarded-For"] = f"10.{n >> 16 & 255}.{n >> 8 & 255}.{n & 255}"


@schemathesis.check
def no_fault_of_ours(ctx, response, case):
    """A status of 5xx is a platform's fault, on the endpoints that read platforms, or a finding."""
    if response.status_code < 500:
        return
    code = error_of(response).get("code", "")
    path = case.operation.path
    reads_platforms = path.endswith("/live") or path.startswith(("/scrape/", "/tools/"))
    assert OF_PLATFORMS.fullmatch(code) and reads_platforms, (
        f"{response.status_code} {code or 'without a code'}"
    )


@schemathesis.check
def nothing_undocumented(ctx, response, case):
    """Every header of a documented answer is documented."""
    responses = case.operation.definition.raw["responses"]
    described = resolved(case, responses.get(str(response.status_code)))
    if described is None:
        return
    known = {name.lower() for name in described.get("headers", {})} | OF_HTTP
    unknown = sorted({name.lower() for name in response.headers} - known)
    assert not unknown, f"headers that are not documented: {', '.join(unknown)}"


@schemathesis.check
def traceable(ctx, response, case):
    """Every answer names its request; every failure has the documented shape and names the same request."""
    named = response.headers.get("x-request-id", [""])[0]
    assert re.fullmatch(r"req_[0-9a-f]{32}", named), f"X-Request-Id is {named!r}"
    if response.status_code >= 400 and case.method.upper() != "HEAD":
        error = error_of(response)
        assert error.get("request_id") == named, f"the error is {error}"
        assert error.get("code") and error.get("message"), f"the error is {error}"


@schemathesis.check
def not_held_up(ctx, response, case):
    """What is refused for being one of many was not tried: a run of such proves nothing."""
    assert response.status_code != 429, "the run's own plan holds it up"


@schemathesis.check
def valid_input_is_taken(ctx, response, case):
    """What conforms to the schemas and to the rules between parameters is taken, but for what only the service knows."""
    meta = case.meta
    # A stateful phase hands values of answers on, whatever the schema of their new place says.
    if meta is None or not meta.generation.mode.is_positive or meta.phase.name == "stateful":
        return
    if response.status_code not in (400, 405, 406, 411, 413, 414, 415, 422):
        return
    error = error_of(response)
    if case.method.upper() != case.operation.method.upper():
        return
    # The first two depend on what was asked before, the last ones on what the catalog has and what platforms show.
    if error.get("code") in ("cursor_invalid", "idempotency_mismatch", "insufficient_data", "not_readable"):
        return
    places = {detail["path"] for detail in error.get("details", [])}
    rules = case.operation.definition.raw.get("x-query-rules", [])
    violated = {refused_by(rule) for rule in rules if violates(rule, case.query or {})}
    if places and places <= violated:
        return
    if places and all(KNOWN_TO_THE_SERVICE.fullmatch(place) for place in places):
        return
    raise AssertionError(f"{response.status_code}: {error.get('message')} {sorted(places)}")


@schemathesis.check
def rules_are_kept(ctx, response, case):
    """A query that violates a rule between its parameters is not answered."""
    rules = case.operation.definition.raw.get("x-query-rules", [])
    if case.meta is None or not case.meta.generation.mode.is_positive or response.status_code >= 400:
        return
    violated = [rule for rule in rules if violates(rule, case.query or {})]
    assert not violated, f"answered although it violates {violated}"
