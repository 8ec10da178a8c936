"""Parts of answers.

Generated from the contract of the endpoints by `npm run clients:generate`.
"""

from typing import Any, Literal

from pydantic import Field
from typing_extensions import TypedDict

from ._core import NOT_SENT, Model

ErrorCode = (
    Literal[
        "invalid_request",
        "cursor_invalid",
        "key_missing",
        "key_invalid",
        "key_revoked",
        "budget_exhausted",
        "overage_cap_reached",
        "wallet_empty",
        "plan_required",
        "holder_suspended",
        "ip_not_allowed",
        "rate_limited",
        "live_rate_limited",
        "idempotency_in_flight",
        "idempotency_mismatch",
        "insufficient_data",
        "not_readable",
        "scope_missing",
        "not_found",
        "route_not_found",
        "method_not_allowed",
        "body_too_large",
        "request_timeout",
        "headers_too_large",
        "media_type_unsupported",
        "internal",
        "platform_error",
        "platform_layout_changed",
        "platform_unavailable",
        "platform_rate_limited",
        "platform_timeout",
        "service_unavailable",
    ]
    | str
)
"""Codes of errors."""


AccountCheckPlatform = (
    Literal[
        "x",
        "instagram",
        "tiktok",
        "youtube",
        "telegram",
        "bluesky",
        "linkedin",
    ]
    | str
)


AccountCheckStatus = (
    Literal[
        "active",
        "private",
        "suspended",
        "deactivated",
        "absent",
        "unknown",
        "renamed",
    ]
    | str
)


ErrorErrorDetailsItemQueuedReason = (
    Literal[
        "no_demand_pool",
        "pool_paused",
        "pool_retired",
        "pool_full",
        "too_few_holders",
        "engine_paused",
        "handle_needed",
        "read_before",
    ]
    | str
)


class MeasuredAt(Model):
    """Values that the last reading did not show, each with the time of the reading that did; omitted if there are none. All other values are from the last reading."""

    display_name: str | None = None
    """Name that the account shows; null if unknown."""
    followers: str | None = None
    """Followers; null if unknown."""
    following: str | None = None
    """Accounts that it follows; null if unknown."""
    posts: str | None = None
    """Posts; null if unknown."""
    verified: str | None = None
    """Whether the platform shows a badge; null if unknown."""
    bio: str | None = None
    """Bio of the account; null if unknown or none."""
    avatar_url: str | None = None
    """URL of the picture, which may expire; null if unknown or none."""
    location: str | None = None
    """Location as shown; null if unknown or none."""
    links: str | None = None
    """Links of the profile."""
    pronouns: str | None = None
    """Pronouns that the account shows; null if unknown or none."""
    status: str | None = None
    """Status."""


class AccountCheck(Model):
    platform: AccountCheckPlatform = NOT_SENT
    """The platform."""
    handle: str | None = None
    """Normalized; null if only the ID is known."""
    exists: bool | None = None
    """null: unknown; false: proven not to exist."""
    status: AccountCheckStatus = NOT_SENT
    """renamed: the account has left the handle, and no other account is known to have it."""
    renamed_to: str | None = None
    """For a renamed account: its current handle, or `id:<id>` if that is unknown."""
    queued: bool | None = None
    """For an unknown account: whether crawlers will read it, as this request asks."""
    queued_reason: ErrorErrorDetailsItemQueuedReason | None = None
    """For an unknown account that is not queued: the reason. `no_demand_pool`: no pool of the platform recruits accounts that callers ask for. `pool_paused`: the pool that has the account, or would recruit it, is paused. `pool_retired`: the pool that had the account is no longer read. `pool_full`: the pools that recruit accounts that callers ask for are full. `too_few_holders`: more holders must ask for the account. `engine_paused`: the engine of the platform is paused. `handle_needed`: crawlers read accounts of the platform only by handle. `read_before`: crawlers have read it: the result appears here within seconds, unless the account is absent."""
    display_name: str | None = None
    """For LinkedIn only with the scope `leads:read`."""
    followers: int | None = None
    """For LinkedIn only with the scope `leads:read`."""
    verified: bool | None = None
    """For LinkedIn only with the scope `leads:read`."""
    created_at: str | None = None
    """For LinkedIn only with the scope `leads:read`."""
    in_catalog: bool = NOT_SENT
    """Whether the catalog has the account."""
    first_seen_at: str | None = None
    """When it was first seen to exist."""
    last_seen_at: str | None = None
    """When it was last found to exist."""
    stale_s: int | None = None
    """Age in seconds of the oldest value here that can change; null if there is no reading."""
    measured_at: MeasuredAt | None = None
    """Times of values that are older than the last reading."""
    profile_url: str | None = None
    """Address of the page."""


ErrorErrorCode = (
    Literal[
        "invalid_request",
        "cursor_invalid",
        "key_missing",
        "key_invalid",
        "key_revoked",
        "budget_exhausted",
        "overage_cap_reached",
        "wallet_empty",
        "plan_required",
        "holder_suspended",
        "ip_not_allowed",
        "rate_limited",
        "live_rate_limited",
        "idempotency_in_flight",
        "idempotency_mismatch",
        "insufficient_data",
        "not_readable",
        "scope_missing",
        "not_found",
        "route_not_found",
        "method_not_allowed",
        "body_too_large",
        "request_timeout",
        "headers_too_large",
        "media_type_unsupported",
        "internal",
        "platform_error",
        "platform_layout_changed",
        "platform_unavailable",
        "platform_rate_limited",
        "platform_timeout",
        "service_unavailable",
    ]
    | str
)


class AccountCheckItemError(Model):
    code: ErrorErrorCode = NOT_SENT
    """Code of the error."""
    message: str = NOT_SENT
    """Text for people; it may change."""
    retry_after_s: int | None = None
    """Seconds after which to retry; null if a retry does not help."""


class AccountCheckItem(Model):
    platform: AccountCheckPlatform = NOT_SENT
    """The platform."""
    handle: str | None = None
    """Normalized; null if only the ID is known."""
    exists: bool | None = None
    """null: unknown; false: proven not to exist."""
    status: AccountCheckStatus = NOT_SENT
    """renamed: the account has left the handle, and no other account is known to have it."""
    renamed_to: str | None = None
    """For a renamed account: its current handle, or `id:<id>` if that is unknown."""
    queued: bool | None = None
    """For an unknown account: whether crawlers will read it, as this request asks."""
    queued_reason: ErrorErrorDetailsItemQueuedReason | None = None
    """For an unknown account that is not queued: the reason. `no_demand_pool`: no pool of the platform recruits accounts that callers ask for. `pool_paused`: the pool that has the account, or would recruit it, is paused. `pool_retired`: the pool that had the account is no longer read. `pool_full`: the pools that recruit accounts that callers ask for are full. `too_few_holders`: more holders must ask for the account. `engine_paused`: the engine of the platform is paused. `handle_needed`: crawlers read accounts of the platform only by handle. `read_before`: crawlers have read it: the result appears here within seconds, unless the account is absent."""
    display_name: str | None = None
    """For LinkedIn only with the scope `leads:read`."""
    followers: int | None = None
    """For LinkedIn only with the scope `leads:read`."""
    verified: bool | None = None
    """For LinkedIn only with the scope `leads:read`."""
    created_at: str | None = None
    """For LinkedIn only with the scope `leads:read`."""
    in_catalog: bool = NOT_SENT
    """Whether the catalog has the account."""
    first_seen_at: str | None = None
    """When it was first seen to exist."""
    last_seen_at: str | None = None
    """When it was last found to exist."""
    stale_s: int | None = None
    """Age in seconds of the oldest value here that can change; null if there is no reading."""
    measured_at: MeasuredAt | None = None
    """Times of values that are older than the last reading."""
    profile_url: str | None = None
    """Address of the page."""
    error: AccountCheckItemError | None = None
    """Why the account could not be looked up; null if it was."""


MetaSource = (
    Literal[
        "catalog",
        "live",
        "mixed",
        "service",
    ]
    | str
)


DirectoryEntryStatus = (
    Literal[
        "active",
        "private",
        "suspended",
        "deactivated",
        "absent",
        "unknown",
    ]
    | str
)


class AccountListMetaAccount(Model):
    platform: AccountCheckPlatform = NOT_SENT
    """The platform."""
    id: str | None = None
    """ID. For an account: its native ID on the platform, or null if unknown."""
    handle: str | None = None
    """Handle in normal form; null if the account has none, or if only the ID is known."""
    status: DirectoryEntryStatus = NOT_SENT
    """Status."""
    followers: int | None = None
    """Followers; null if unknown."""
    capped: bool | None = None
    """Whether the platform ended the list before its last member; null while there is a next page."""


class AccountListMeta(Model):
    request_id: str = NOT_SENT
    """ID of the request, for support."""
    generated_at: str = NOT_SENT
    """When the response was generated."""
    took_ms: int = NOT_SENT
    """Duration of the request in milliseconds."""
    source: MetaSource = NOT_SENT
    """Origin of the data: the catalog, a platform, both, or the service itself."""
    cache_age_s: int | None = None
    """Age in seconds of the oldest value in the response that can change; null if it has none."""
    next_cursor: str | None = None
    """`cursor` of the next page; null at the end. A short or empty page may still have a next one."""
    limit: int = NOT_SENT
    """Maximum items per page."""
    account: AccountListMetaAccount = NOT_SENT
    """The account that the list belongs to. If it is not active, the list is empty."""


CapabilitiesScopesItem = (
    Literal[
        "accounts:read",
        "accounts:live",
        "directory:read",
        "people:read",
        "scrape:live",
        "verify:live",
        "insights:read",
        "research:read",
        "engines:read",
        "marketplace:read",
        "tools:run",
        "leads:read",
    ]
    | str
)


CapabilitiesEndpointsItemMethod = (
    Literal[
        "GET",
        "POST",
    ]
    | str
)


CapabilitiesEndpointsItemMeter = (
    Literal[
        "free",
        "catalog",
        "live",
    ]
    | str
)


class CapabilitiesEndpointsItem(Model):
    group: str = NOT_SENT
    """Group of the endpoint."""
    operation: str = NOT_SENT
    """operationId in the OpenAPI description."""
    method: CapabilitiesEndpointsItemMethod = NOT_SENT
    """HTTP method."""
    path: str = NOT_SENT
    """Relative to the base address, which ends in `/v2`."""
    scope: CapabilitiesScopesItem | None = None
    """The scope that a key needs; null if any key may call."""
    meter: CapabilitiesEndpointsItemMeter = NOT_SENT
    """How a call is metered."""
    upstream_reads: int = NOT_SENT
    """Maximum requests to platforms of a call, or of each of its items, including repeated ones."""
    cost: int = NOT_SENT
    """Units of one call, or of each of its items, on your plan."""
    plan: str | None = None
    """The lowest plan that includes it; null if none does."""
    allowed: bool = NOT_SENT
    """Whether the key may call it."""
    reason: str | None = None
    """Error code that a call would return; null if it is allowed."""


class Capabilities(Model):
    plan: str = NOT_SENT
    """Plan of your key’s holder."""
    scopes: list[CapabilitiesScopesItem] = NOT_SENT
    """The scopes of your key."""
    endpoints: list[CapabilitiesEndpointsItem] = NOT_SENT
    """All endpoints, with their cost for this key."""


class ChangedValues(Model):
    id: str | None = None
    """ID. For an account: its native ID on the platform, or null if unknown."""
    handle: str | None = None
    """Handle in normal form; null if the account has none, or if only the ID is known."""
    status: DirectoryEntryStatus | None = None
    """Status."""
    verified: bool | None = None
    """Whether the platform shows a badge; null if unknown."""
    display_name: str | None = None
    """Name that the account shows; null if unknown."""
    created_at: str | None = None
    """When it was created; null if unknown."""
    bio: str | None = None
    """Bio of the account; null if unknown or none."""
    avatar_url: str | None = None
    """URL of the picture, which may expire; null if unknown or none."""
    location: str | None = None
    """Location as shown; null if unknown or none."""
    links: list[str] | None = None
    """Links of the profile."""
    pronouns: str | None = None
    """Pronouns that the account shows; null if unknown or none."""


class CheckAccountsResult(Model):
    items: list[AccountCheckItem] = NOT_SENT
    """Results, in the order of the request."""


ClaimEvidenceKind = (
    Literal[
        "bio_link",
        "mutual_link",
        "equal_name",
        "compatible_name",
        "equal_handle",
        "similar_handle",
        "equal_bio",
        "equal_picture",
        "disclaimer",
        "claimant_verified",
    ]
    | str
)


class PersonEvidenceFrom(Model):
    platform: AccountCheckPlatform = NOT_SENT
    """The platform."""
    handle: str | None = None
    """Handle in normal form; null if the account has none, or if only the ID is known."""
    id: str | None = None
    """Native ID on the platform; null if the platform has none or never showed it."""


class ClaimEvidence(Model):
    kind: ClaimEvidenceKind = NOT_SENT
    """What accompanies the link. But for `mutual_link`, all of it is in the hands of who links; a link both ways joins no accounts whose names or other evidence speak against it. `claimant_verified`: the platform has verified the other account, as whom the answer does not say."""
    from_: PersonEvidenceFrom = Field(default=NOT_SENT, alias="from")
    """Where it begins."""
    to: PersonEvidenceFrom = NOT_SENT
    """Where it ends."""
    observed_at: str = NOT_SENT
    """When it was read."""


class ClaimsAccountsItem(Model):
    platform: AccountCheckPlatform = NOT_SENT
    """The platform."""
    handle: str | None = None
    """Handle in normal form; null if the account has none, or if only the ID is known."""
    id: str | None = None
    """Native ID on the platform; null if the platform has none or never showed it."""
    profile_url: str | None = None
    """Address of the page."""
    status: DirectoryEntryStatus = NOT_SENT
    """Status."""
    followers: int | None = None
    """For LinkedIn only with the scope `leads:read`."""
    verified: bool | None = None
    """For LinkedIn only with the scope `leads:read`."""
    last_seen_at: str = NOT_SENT
    """When it was last seen to exist."""
    evidence: list[ClaimEvidence] = NOT_SENT
    """Evidence that supports it."""


class Claims(Model):
    total: int | None = None
    """null if more accounts have the name of the person than are compared."""
    accounts: list[ClaimsAccountsItem] = NOT_SENT
    """Accounts."""


CompanySizeBand = (
    Literal[
        "1",
        "2-10",
        "11-50",
        "51-200",
        "201-500",
        "501-1000",
        "1001-5000",
        "5001-10000",
        "10001+",
    ]
    | str
)


class LeadMeasuredAt(Model):
    """When facts or followers were read, if that was before `last_seen_at`."""

    facts: str | None = None
    """When the facts were read; a page shows all of them together."""
    followers: str | None = None
    """Followers; null if unknown."""


class Company(Model):
    id: str = NOT_SENT
    """ID. For an account: its native ID on the platform, or null if unknown."""
    slug: str = NOT_SENT
    """Slug of the address."""
    name: str | None = None
    """Name."""
    industry: str | None = None
    """Industry as the page names it; null if unknown."""
    size_band: CompanySizeBand | None = None
    """Band of employees; null if unknown."""
    employees: int | None = None
    """Employees; null if unknown."""
    headquarters: str | None = None
    """Headquarters; null if unknown."""
    country: str | None = None
    """Country; null if unknown."""
    website: str | None = None
    """Website; null if unknown."""
    founded: int | None = None
    """Year in which the company was founded; null if unknown."""
    followers: int | None = None
    """Followers; null if unknown."""
    description: str | None = None
    """Description; null if unknown."""
    specialties: list[str] = NOT_SENT
    """Specialties; null if unknown."""
    last_seen_at: str = NOT_SENT
    """When it was last seen to exist."""
    measured_at: LeadMeasuredAt | None = None
    """Times of values that are older than the last reading."""


ListCoverageStatus = (
    Literal[
        "whole",
        "capped",
        "broken_off",
    ]
    | str
)


class ListCoverage(Model):
    """How much of the list was read. Unless it is `whole`, members that are missing here may still be in the list."""

    status: ListCoverageStatus = NOT_SENT
    """How the last finished reading of the list ended. whole: complete. capped: the list continued beyond what was read. broken_off: no reading has finished."""
    ended_at: str | None = None
    """When that reading ended."""
    whole_at: str | None = None
    """Start of the last whole reading; null if there was none."""
    read_at: str = NOT_SENT
    """When any part of the list was read last."""


class CoveredListMeta(Model):
    request_id: str = NOT_SENT
    """ID of the request, for support."""
    generated_at: str = NOT_SENT
    """When the response was generated."""
    took_ms: int = NOT_SENT
    """Duration of the request in milliseconds."""
    source: MetaSource = NOT_SENT
    """Origin of the data: the catalog, a platform, both, or the service itself."""
    cache_age_s: int | None = None
    """Age in seconds of the oldest value in the response that can change; null if it has none."""
    next_cursor: str | None = None
    """`cursor` of the next page; null at the end. A short or empty page may still have a next one."""
    limit: int = NOT_SENT
    """Maximum items per page."""
    coverage: ListCoverage = NOT_SENT
    """Data that the answer is based on."""


CreationClusterKind = (
    Literal[
        "bought",
        "organic",
        "undecided",
    ]
    | str
)


class CreationCluster(Model):
    kind: CreationClusterKind = NOT_SENT
    """bought: most of its members are suspicious for reasons other than their age. organic: most are not."""
    can_be_caused_by_others: bool = NOT_SENT
    """Whether somebody else can cause this, without the account’s doing. Such evidence decides no verdict."""
    followers_n: int = NOT_SENT
    """Followers of the cluster."""
    first_position: int = NOT_SENT
    """Position in the list; 0 is the newest follower."""
    last_position: int = NOT_SENT
    """Position in the list; 0 is the newest follower."""
    created_from: str = NOT_SENT
    """When the first was created."""
    created_to: str = NOT_SENT
    """When the last was created."""
    false_alarm: float = NOT_SENT
    """Upper bound on the probability of such a run by chance."""


DecisionMakerSeniority = (
    Literal[
        "owner",
        "cxo",
        "partner",
        "vp",
        "director",
        "manager",
        "senior",
        "entry",
        "training",
    ]
    | str
)


DecisionMakerFunction = (
    Literal[
        "executive",
        "engineering",
        "product",
        "design",
        "data",
        "it",
        "marketing",
        "sales",
        "customer_success",
        "finance",
        "hr",
        "legal",
        "operations",
        "procurement",
        "research",
        "consulting",
        "media",
        "education",
        "healthcare",
        "public_sector",
        "real_estate",
        "hospitality",
        "trades",
        "administration",
        "other",
    ]
    | str
)


class DecisionMakerCompany(Model):
    id: str | None = None
    """ID. For an account: its native ID on the platform, or null if unknown."""
    name: str | None = None
    """Name."""


class DecisionMaker(Model):
    id: str = NOT_SENT
    """ID. For an account: its native ID on the platform, or null if unknown."""
    name: str | None = None
    """Name."""
    title: str | None = None
    """Title."""
    seniority: DecisionMakerSeniority | None = None
    """Seniority derived from the title; null if unknown."""
    function: DecisionMakerFunction | None = None
    """Function derived from the title; null if unknown."""
    company: DecisionMakerCompany | None = None
    """Company that the page names; null if unknown."""
    location: str | None = None
    """Location as shown; null if unknown or none."""
    country: str | None = None
    """Country; null if unknown."""
    profile_url: str = NOT_SENT
    """Address of the page."""
    last_seen_at: str = NOT_SENT
    """When it was last seen to exist."""
    measured_at: LeadMeasuredAt | None = None
    """Times of values that are older than the last reading."""


class DerivedMetaCoverage(Model):
    sampled: int = NOT_SENT
    """Inputs that were used."""
    total: int | None = None
    """Available inputs; null if unknown."""
    capped: bool = NOT_SENT
    """Whether a limit ended the sample."""


class DerivedListMeta(Model):
    request_id: str = NOT_SENT
    """ID of the request, for support."""
    generated_at: str = NOT_SENT
    """When the response was generated."""
    took_ms: int = NOT_SENT
    """Duration of the request in milliseconds."""
    source: MetaSource = NOT_SENT
    """Origin of the data: the catalog, a platform, both, or the service itself."""
    cache_age_s: int | None = None
    """Age in seconds of the oldest value in the response that can change; null if it has none."""
    next_cursor: str | None = None
    """`cursor` of the next page; null at the end. A short or empty page may still have a next one."""
    limit: int = NOT_SENT
    """Maximum items per page."""
    coverage: DerivedMetaCoverage | None = None
    """Data that the figures are based on; null if there is no sample."""
    method_version: str = NOT_SENT
    """Version of the method: figures of different versions differ."""
    warnings: list[str] = NOT_SENT
    """Limits on the use of the figures, such as a stale input."""


class DerivedMeta(Model):
    request_id: str = NOT_SENT
    """ID of the request, for support."""
    generated_at: str = NOT_SENT
    """When the response was generated."""
    took_ms: int = NOT_SENT
    """Duration of the request in milliseconds."""
    source: MetaSource = NOT_SENT
    """Origin of the data: the catalog, a platform, both, or the service itself."""
    cache_age_s: int | None = None
    """Age in seconds of the oldest value in the response that can change; null if it has none."""
    coverage: DerivedMetaCoverage | None = None
    """Data that the figures are based on; null if there is no sample."""
    method_version: str = NOT_SENT
    """Version of the method: figures of different versions differ."""
    warnings: list[str] = NOT_SENT
    """Limits on the use of the figures, such as a stale input."""


PlatformStatsPlatform = (
    Literal[
        "x",
        "instagram",
        "tiktok",
        "youtube",
        "telegram",
        "bluesky",
    ]
    | str
)


DirectoryChangeKind = (
    Literal[
        "discovered",
        "renamed",
        "suspended",
        "deactivated",
        "absent",
        "private",
        "public",
        "restored",
        "verified",
        "unverified",
        "jumped",
        "profile",
        "erased",
    ]
    | str
)


class DirectoryChange(Model):
    position: str = NOT_SENT
    """Position in the log."""
    at: str = NOT_SENT
    """Time of the reading or change."""
    platform: PlatformStatsPlatform = NOT_SENT
    """The platform."""
    id: str | None = None
    """The native ID; null if the platform has none or it was unknown at the time."""
    handle: str | None = None
    """The handle after the change; null for an account without one."""
    kind: DirectoryChangeKind = NOT_SENT
    """Kind."""
    before: str | float | bool | ChangedValues | None = None
    """Value before the change, by kind: `discovered`: null, and the values of the new entry; `renamed`: handles; the later one is null if the entry lost its handle to another entry; `suspended`, `deactivated`, `absent`, `private`, `public`, `restored`: statuses; `restored` ends one of the first three; `verified`, `unverified`: the badge, null where it is unknown; `jumped`: followers, after a change of at least a fifth and a thousand; `erased`: null; delete all that you have of the account, at once; `profile`: the changed values among `display_name`, `created_at`, `bio`, `avatar_url`, `location`, `links`, `pronouns`, `id`."""
    after: str | float | bool | ChangedValues | None = None
    """Value after the change, in the same form as `before`."""


class DirectoryEntry(Model):
    platform: AccountCheckPlatform = NOT_SENT
    """The platform."""
    id: str | None = None
    """ID. For an account: its native ID on the platform, or null if unknown."""
    handle: str | None = None
    """Handle in normal form; null if the account has none, or if only the ID is known."""
    display_name: str | None = None
    """Name that the account shows; null if unknown."""
    followers: int | None = None
    """Followers; null if unknown."""
    following: int | None = None
    """Accounts that it follows; null if unknown."""
    posts: int | None = None
    """Posts; null if unknown."""
    verified: bool | None = None
    """Whether the platform shows a badge; null if unknown."""
    created_at: str | None = None
    """When it was created; null if unknown."""
    bio: str | None = None
    """Bio of the account; null if unknown or none."""
    avatar_url: str | None = None
    """URL of the picture, which may expire; null if unknown or none."""
    location: str | None = None
    """Location as shown; null if unknown or none."""
    links: list[str] = NOT_SENT
    """Links of the profile."""
    pronouns: str | None = None
    """Pronouns that the account shows; null if unknown or none."""
    first_seen_at: str = NOT_SENT
    """When it was first seen to exist."""
    last_seen_at: str = NOT_SENT
    """When it was last seen to exist."""
    status: DirectoryEntryStatus = NOT_SENT
    """Status."""
    previous_handles: list[str] = NOT_SENT
    """Handles that the account had before."""
    measured_at: MeasuredAt | None = None
    """Times of values that are older than the last reading."""


EngineKey = (
    Literal[
        "x",
        "instagram",
        "tiktok",
        "youtube",
        "telegram",
        "bluesky",
        "linkedin",
        "marketplace",
    ]
    | str
)


EngineStatus = (
    Literal[
        "paused",
        "blocked",
        "degraded",
        "idle",
        "healthy",
    ]
    | str
)


class EngineAlarm(Model):
    reason: str = NOT_SENT
    """The reason."""
    since: str = NOT_SENT
    """When it began."""


class EngineThroughputPerMin(Model):
    last_1m: float | None = None
    """In the last minute."""
    last_1h: float | None = None
    """In the last hour."""
    last_24h: float | None = None
    """In the last day."""


EngineWindow = (
    Literal[
        "1m",
        "1h",
        "24h",
    ]
    | str
)


EngineOutcomes = dict[str, int]


class EngineLatencyMs(Model):
    p50: int | None = None
    """Median."""
    p95: int | None = None
    """95th percentile."""
    p99: int | None = None
    """99th percentile."""


class EngineFreshness(Model):
    p50_s: int | None = None
    """Median in seconds."""
    p95_s: int | None = None
    """95th percentile in seconds."""
    p99_s: int | None = None
    """99th percentile in seconds."""
    target_s: int | None = None
    """The longest age that a pool allows."""


class EnginePool(Model):
    pool: str = NOT_SENT
    """The pool."""
    paused: bool = NOT_SENT
    """Whether it is paused."""
    share: float = NOT_SENT
    """Its share of the engine's rate, relative to the other pools."""
    members: int = NOT_SENT
    """Accounts of the pool."""
    backlog: int = NOT_SENT
    """Accounts that are due."""
    oldest_due_s: int | None = None
    """How long the longest-waiting account has been due; null if none is due."""
    target_s: int = NOT_SENT
    """The oldest age of a reading that its refresh interval allows."""


class EngineLastError(Model):
    kind: str = NOT_SENT
    """Kind."""
    at: str = NOT_SENT
    """Time of the reading or change."""


class Engine(Model):
    key: EngineKey = NOT_SENT
    """Key of the engine."""
    platform: AccountCheckPlatform | None = None
    """Null for the engine that reads a marketplace."""
    status: EngineStatus = NOT_SENT
    """`paused`: by an operator. `blocked`: the platform refuses requests. `degraded`: readings stay inconclusive, or a surface showed false verdicts. `idle`: nothing was read for ten minutes. `healthy`: otherwise. If several apply, the first in this order."""
    alarm: EngineAlarm | None = None
    """Why the engine is blocked or degraded, even while paused; null without an alarm."""
    paused_since: str | None = None
    """When an operator paused it; null if it is not paused."""
    rate_per_s: float | None = None
    """Requests per second set by an operator; null if the configured rate applies."""
    workers: int = NOT_SENT
    """Processes that reported in the last hour."""
    throughput_per_min: EngineThroughputPerMin = NOT_SENT
    """Readings per minute, averaged over each window; null if nothing was reported in the window."""
    requests_per_min: float | None = None
    """Requests of the crawl in the last hour."""
    window: EngineWindow = NOT_SENT
    """The time window of the figures."""
    success_rate: float | None = None
    """Share of readings with a conclusive outcome; null without readings."""
    outcomes: EngineOutcomes = NOT_SENT
    """Readings by status; `unknown:` and a reason for inconclusive ones."""
    latency_ms: EngineLatencyMs = NOT_SENT
    """Time from the first request of a reading to its outcome, accurate to 1 %."""
    freshness: EngineFreshness = NOT_SENT
    """Ages of the last readings of accounts, with a resolution of five minutes."""
    catalog_size: int | None = None
    """Number of accounts that were read; for the marketplace engine, number of listings."""
    backlog: int | None = None
    """Accounts that are due in pools that are not paused; null without pools."""
    oldest_due_s: int | None = None
    """How long the longest-waiting account has been due; null if none is due."""
    pools: list[EnginePool] = NOT_SENT
    """Pools that it crawls."""
    projection_lag_s: int | None = None
    """Age of the oldest event that is not yet included in these figures."""
    last_success_at: str | None = None
    """When a reading last succeeded; null if none has."""
    last_error: EngineLastError | None = None
    """The last error; null if there was none."""


class ExportListMeta(Model):
    request_id: str = NOT_SENT
    """ID of the request, for support."""
    generated_at: str = NOT_SENT
    """When the response was generated."""
    took_ms: int = NOT_SENT
    """Duration of the request in milliseconds."""
    source: MetaSource = NOT_SENT
    """Origin of the data: the catalog, a platform, both, or the service itself."""
    cache_age_s: int | None = None
    """Age in seconds of the oldest value in the response that can change; null if it has none."""
    next_cursor: str | None = None
    """`cursor` of the next page; null at the end. A short or empty page may still have a next one."""
    limit: int = NOT_SENT
    """Maximum items per page."""


class FeedMeta(Model):
    request_id: str = NOT_SENT
    """ID of the request, for support."""
    generated_at: str = NOT_SENT
    """When the response was generated."""
    took_ms: int = NOT_SENT
    """Duration of the request in milliseconds."""
    source: MetaSource = NOT_SENT
    """Origin of the data: the catalog, a platform, both, or the service itself."""
    cache_age_s: int | None = None
    """Age in seconds of the oldest value in the response that can change; null if it has none."""
    next_cursor: str | None = None
    """`cursor` of the next page; null at the end. A short or empty page may still have a next one."""
    limit: int = NOT_SENT
    """Maximum items per page."""
    resume_cursor: str = NOT_SENT
    """`cursor` after the last row of the page. Store it, and send it later to get the rows added since. Unlike `next_cursor`, it is also present on the last page."""


FindingKind = (
    Literal[
        "pool_yield",
        "pool_exhausted",
        "pool_stale",
        "demand_surge",
        "engine_fault",
        "rename_wave",
        "growth_cluster",
    ]
    | str
)


FindingMetrics = dict[str, float | None]


FindingStatus = (
    Literal[
        "open",
        "confirmed",
        "dismissed",
        "superseded",
    ]
    | str
)


class FindingReview(Model):
    at: str = NOT_SENT
    """Time of the reading or change."""
    superseded_by: str | None = None
    """The finding that replaces it; null if none does."""


class Finding(Model):
    id: str = NOT_SENT
    """ID. For an account: its native ID on the platform, or null if unknown."""
    run_id: str = NOT_SENT
    """The run."""
    kind: FindingKind = NOT_SENT
    """`pool_yield`: a pool discovers at least twice as many accounts a request as others. `pool_exhausted`: a pool discovers less than a tenth as many as on its best day. `pool_stale`: the accounts of a pool are read late. `demand_surge`: callers ask for at least twice as many accounts. `engine_fault`: readings stay inconclusive. `rename_wave`: at least twice as many accounts change their handle. `growth_cluster`: at least twice as many accounts of a pool jump in followers."""
    subject: str = NOT_SENT
    """A pool, or an engine."""
    summary: str = NOT_SENT
    """What was found, in a sentence."""
    metrics: FindingMetrics = NOT_SENT
    """Figures that the rule measured. The finding follows from them alone."""
    confidence: float = NOT_SENT
    """1 - p, where p is the probability of such counts by chance."""
    decision: str | None = None
    """The decision of the run on the same pool; null for none."""
    evidence: list[str] = NOT_SENT
    """Positions of the events that support it, in log order."""
    status: FindingStatus = NOT_SENT
    """`open` until an operator confirms or dismisses it, or a newer finding supersedes it."""
    review: FindingReview | None = None
    """When it was confirmed, dismissed or superseded; null while it is open."""
    created_at: str = NOT_SENT
    """When it was created; null if unknown."""


class FollowEdge(Model):
    source: str = NOT_SENT
    """Who follows: a handle, or `id:<id>`."""
    target: str = NOT_SENT
    """Who is followed: a handle, or `id:<id>`."""
    first_seen_at: str = NOT_SENT
    """When it was first seen to exist."""
    last_seen_at: str = NOT_SENT
    """When it was last seen to exist."""


PlatformStatsByStatus = dict[str, int]


class PlatformStatsFreshnessS(Model):
    p50: int | None = None
    """Median."""
    p90: int | None = None
    """90th percentile."""
    p99: int | None = None
    """99th percentile."""


class PlatformStats(Model):
    platform: PlatformStatsPlatform = NOT_SENT
    """The platform."""
    accounts: int = NOT_SENT
    """Accounts in the catalog."""
    by_status: PlatformStatsByStatus = NOT_SENT
    """Accounts by status."""
    by_size: PlatformStatsByStatus = NOT_SENT
    """By followers; `unknown` if the platform hides them."""
    freshness_s: PlatformStatsFreshnessS = NOT_SENT
    """Age of the oldest value of each account, with a resolution of five minutes."""


class GetDirectoryStatsResult(Model):
    platforms: list[PlatformStats] = NOT_SENT
    """By platform."""


class PriceQuartiles(Model):
    n: int = NOT_SENT
    """Size of the sample."""
    p25: str | None = None
    """25th percentile."""
    p50: str | None = None
    """Median."""
    p75: str | None = None
    """75th percentile."""


class PriceBand(Model):
    platform: AccountCheckPlatform = NOT_SENT
    """The platform."""
    min_followers: int = NOT_SENT
    """Minimum number of followers, inclusive."""
    max_followers: int | None = None
    """null: no maximum."""
    asking_per_1k_usd: PriceQuartiles = NOT_SENT
    """Of active listings."""
    sold_per_1k_usd: PriceQuartiles = NOT_SENT
    """Of sold listings, by the price paid."""


class GetMarketplacePricingResult(Model):
    bands: list[PriceBand] = NOT_SENT
    """Bands."""


class PlatformMarket(Model):
    platform: AccountCheckPlatform = NOT_SENT
    """The platform."""
    active: int = NOT_SENT
    """Listings on sale."""
    sold: int = NOT_SENT
    """Listings that were sold."""
    withdrawn: int = NOT_SENT
    """Listings that were withdrawn."""
    asking_usd: PriceQuartiles = NOT_SENT
    """Asking prices of active listings."""
    sold_usd: PriceQuartiles = NOT_SENT
    """Prices paid, where they are known."""
    volume_usd: str | None = None
    """Sum of the known prices paid; null if none is known."""
    median_time_to_sell_s: int | None = None
    """Median time from listing to sale, over sales with both times; null if there are too few."""
    cpm_usd: PriceQuartiles = NOT_SENT
    """Price of a paid post per thousand views, over offers that state views."""


class GetMarketplaceStatsResult(Model):
    active: int = NOT_SENT
    """Listings on sale."""
    sold: int = NOT_SENT
    """Listings that were sold."""
    withdrawn: int = NOT_SENT
    """Listings that were withdrawn."""
    sellers: int = NOT_SENT
    """Sellers with an active or sold listing."""
    placements: int = NOT_SENT
    """Offers of paid posts."""
    platforms: list[PlatformMarket] = NOT_SENT
    """By platform."""


class Percentiles(Model):
    n: int = NOT_SENT
    """Size of the sample."""
    p10: float = NOT_SENT
    """10th percentile."""
    p25: float = NOT_SENT
    """25th percentile."""
    p50: float = NOT_SENT
    """Median."""
    p75: float = NOT_SENT
    """75th percentile."""
    p90: float = NOT_SENT
    """90th percentile."""


class GetXCohortBenchmarksResultAll(Model):
    engagement_rate_followers: Percentiles | None = None
    """Percentiles, accurate to 1 %; null for fewer than 30 accounts."""
    engagement_rate_views: Percentiles | None = None
    """Percentiles, accurate to 1 %; null for fewer than 30 accounts."""
    median_likes: Percentiles | None = None
    """Percentiles, accurate to 1 %; null for fewer than 30 accounts."""
    median_views: Percentiles | None = None
    """Percentiles, accurate to 1 %; null for fewer than 30 accounts."""
    posts_per_week: Percentiles | None = None
    """Percentiles, accurate to 1 %; null for fewer than 30 accounts."""


class GetXCohortBenchmarksResultBandsItem(Model):
    min_followers: int = NOT_SENT
    """Minimum number of followers, inclusive."""
    max_followers: int | None = None
    """Upper bound of followers, exclusive; null without a bound."""
    accounts: int = NOT_SENT
    """Accounts."""
    engagement_rate_followers: Percentiles | None = None
    """Percentiles, accurate to 1 %; null for fewer than 30 accounts."""
    engagement_rate_views: Percentiles | None = None
    """Percentiles, accurate to 1 %; null for fewer than 30 accounts."""
    median_likes: Percentiles | None = None
    """Percentiles, accurate to 1 %; null for fewer than 30 accounts."""
    median_views: Percentiles | None = None
    """Percentiles, accurate to 1 %; null for fewer than 30 accounts."""
    posts_per_week: Percentiles | None = None
    """Percentiles, accurate to 1 %; null for fewer than 30 accounts."""


class GetXCohortBenchmarksResult(Model):
    platform: Literal["x"] | str = NOT_SENT
    """The platform."""
    framing: str = NOT_SENT
    """Which population was sampled."""
    computed_at: str = NOT_SENT
    """When it was computed."""
    window_days: int = NOT_SENT
    """Days of the window."""
    all: GetXCohortBenchmarksResultAll = NOT_SENT
    """All bands together."""
    bands: list[GetXCohortBenchmarksResultBandsItem] = NOT_SENT
    """Bands."""


class InsightWindow(Model):
    """The time window of the posts. It ends at the last sighting of the account."""

    days: int = NOT_SENT
    """Days of the window."""
    from_: str = Field(default=NOT_SENT, alias="from")
    """Where it begins."""
    to: str = NOT_SENT
    """Where it ends."""


class GetXContentMixResultKinds(Model):
    original: float | None = None
    """Originals."""
    reply: float | None = None
    """Replies."""
    repost: float | None = None
    """Reposts."""
    quote: float | None = None
    """Quotes."""


class GetXContentMixResultMedia(Model):
    none: float | None = None
    """Without media."""
    photo: float | None = None
    """With a photo."""
    video: float | None = None
    """With a video."""
    link: float | None = None
    """With a link."""
    other: float | None = None
    """With something else."""


GetXContentMixResultEffectsItemTrait = (
    Literal[
        "media",
        "hashtags",
        "links",
        "length",
    ]
    | str
)


class GetXContentMixResultEffectsItem(Model):
    trait: GetXContentMixResultEffectsItemTrait = NOT_SENT
    """Trait of the posts."""
    share: float = NOT_SENT
    """Share."""
    effect_pct: float = NOT_SENT
    """Difference from the other posts, in percent."""
    low: float = NOT_SENT
    """Lower end of the interval."""
    high: float = NOT_SENT
    """Upper end of the interval."""
    q: float = NOT_SENT
    """False discovery rate at which it is significant."""
    significant: bool = NOT_SENT
    """Whether the interval excludes 0, that is, no difference."""


class GetXContentMixResult(Model):
    platform: Literal["x"] | str = NOT_SENT
    """The platform."""
    handle: str | None = None
    """Handle in normal form; null if the account has none, or if only the ID is known."""
    followers: int | None = None
    """Followers; null if unknown."""
    posts_sampled: int = NOT_SENT
    """Ripe original posts: their counts were read at least 72 hours after publication."""
    window: InsightWindow = NOT_SENT
    """The time window of the figures."""
    timezone: str = NOT_SENT
    """Time zone of the hours."""
    posts: int = NOT_SENT
    """Posts of all kinds."""
    kinds: GetXContentMixResultKinds = NOT_SENT
    """Posts by kind."""
    media: GetXContentMixResultMedia = NOT_SENT
    """Posts by their media."""
    with_links: float | None = None
    """Posts with links."""
    with_hashtags: float | None = None
    """Posts with hashtags."""
    with_mentions: float | None = None
    """Posts that name accounts."""
    median_length: float | None = None
    """UTF-16 code units."""
    measurable: bool | None = None
    """Posts whose engagement is known."""
    effects: list[GetXContentMixResultEffectsItem] | None = None
    """Differences in engagement by trait of a post; null if the sample is too small."""
    long_from: float | None = None
    """Length from which a text counts as long for this account."""


class GetXDataCoverageResult(Model):
    platform: Literal["x"] | str = NOT_SENT
    """The platform."""
    framing: str = NOT_SENT
    """Which population was sampled."""
    accounts: int = NOT_SENT
    """Accounts that the last reading found and that show their followers."""
    accounts_with_posts: int = NOT_SENT
    """Accounts with posts."""
    accounts_with_figures: int = NOT_SENT
    """Accounts with at least 8 ripe original posts in their window."""
    posts: int = NOT_SENT
    """Newest posts of accounts, at most 500 each."""
    posts_sampled: int = NOT_SENT
    """Posts that the figures use."""
    posts_with_views: int = NOT_SENT
    """Of these."""
    posts_ordered: int = NOT_SENT
    """Of these, posts from surfaces that sort by time."""
    window_start: str | None = None
    """When the oldest post was written."""
    window_end: str | None = None
    """When the newest post was written."""
    computed_at: str = NOT_SENT
    """When it was computed."""


class PostDistribution(Model):
    """Median with its 95 % interval, quartiles, and the number of posts."""

    median: float = NOT_SENT
    """Median."""
    low: float = NOT_SENT
    """Lower end of the interval."""
    high: float = NOT_SENT
    """Upper end of the interval."""
    p25: float = NOT_SENT
    """25th percentile."""
    p75: float = NOT_SENT
    """75th percentile."""
    n: int = NOT_SENT
    """Size of the sample."""


class GetXEngagementResultWeeklyItem(Model):
    from_: str = Field(default=NOT_SENT, alias="from")
    """Where it begins."""
    days: float = NOT_SENT
    """7; less in the first week if the window is not a whole number of weeks."""
    posts: int = NOT_SENT
    """Posts; null if unknown."""
    engagement: float | None = None
    """Likes, replies, reposts and quotes together."""
    likes: float | None = None
    """Likes; null if unknown."""
    views: float | None = None
    """Views; null if unknown."""


class GetXEngagementResult(Model):
    platform: Literal["x"] | str = NOT_SENT
    """The platform."""
    handle: str | None = None
    """Handle in normal form; null if the account has none, or if only the ID is known."""
    followers: int | None = None
    """Followers; null if unknown."""
    posts_sampled: int = NOT_SENT
    """Ripe original posts: their counts were read at least 72 hours after publication."""
    window: InsightWindow = NOT_SENT
    """The time window of the figures."""
    engagement_rate_followers: PostDistribution | None = None
    """Engagement of a post divided by followers; null if unknown."""
    engagement_rate_views: PostDistribution | None = None
    """Engagement of a post divided by its views; null if unknown."""
    engagement: PostDistribution | None = None
    """Likes, replies, reposts and quotes together."""
    likes: PostDistribution | None = None
    """Likes; null if unknown."""
    replies: PostDistribution | None = None
    """Replies; null if unknown."""
    reposts: PostDistribution | None = None
    """Reposts; null if unknown."""
    quotes: PostDistribution | None = None
    """Quotes; null if unknown."""
    views: PostDistribution | None = None
    """Views; null if unknown."""
    weekly: list[GetXEngagementResultWeeklyItem] = NOT_SENT
    """Medians of ripe posts by week, the last week ending at the last sighting."""


class GetXGrowthResultPerDayPct(Model):
    value: float = NOT_SENT
    """The value."""
    low: float = NOT_SENT
    """Lower end of the interval."""
    high: float = NOT_SENT
    """Upper end of the interval."""


GetXGrowthResultAnomaliesItemCause = (
    Literal[
        "own",
        "platform",
    ]
    | str
)


class GetXGrowthResultAnomaliesItem(Model):
    from_: str = Field(default=NOT_SENT, alias="from")
    """Where it begins."""
    to: str = NOT_SENT
    """Where it ends."""
    followers: int = NOT_SENT
    """Followers; null if unknown."""
    change_pct: float = NOT_SENT
    """Change in percent."""
    z: float = NOT_SENT
    """Distance from the median change, in robust standard deviations."""
    cause: GetXGrowthResultAnomaliesItemCause = NOT_SENT
    """What may have caused it."""


class GetXGrowthResultPointsItem(Model):
    at: str = NOT_SENT
    """Time of the reading or change."""
    followers: int = NOT_SENT
    """Followers; null if unknown."""


class GetXGrowthResult(Model):
    platform: Literal["x"] | str = NOT_SENT
    """The platform."""
    handle: str | None = None
    """Handle in normal form; null if the account has none, or if only the ID is known."""
    from_: str = Field(default=NOT_SENT, alias="from")
    """The first reading."""
    to: str = NOT_SENT
    """The last reading."""
    followers_from: int = NOT_SENT
    """Followers at the beginning."""
    followers_to: int = NOT_SENT
    """Followers at the end."""
    delta: int = NOT_SENT
    """Change of the followers."""
    change_pct: float | None = None
    """Change in percent."""
    per_day_pct: GetXGrowthResultPerDayPct | None = None
    """Slope of ln(followers) per day, in percent; null for too few readings."""
    per_day: GetXGrowthResultPerDayPct | None = None
    """The same in followers."""
    anomalies: list[GetXGrowthResultAnomaliesItem] = NOT_SENT
    """Changes far larger than the usual ones."""
    points: list[GetXGrowthResultPointsItem] = NOT_SENT
    """Points."""


class GetXInsightsResultCohortBand(Model):
    min_followers: int = NOT_SENT
    """Minimum number of followers, inclusive."""
    max_followers: int | None = None
    """Upper bound of followers, exclusive; null without a bound."""


class GetXInsightsResultCohort(Model):
    accounts: int = NOT_SENT
    """The accounts nearest in ln(followers), from a third to three times as many, with enough posts."""
    min_followers: int | None = None
    """Minimum number of followers, inclusive."""
    max_followers: int | None = None
    """Upper bound of followers, exclusive; null without a bound."""
    band: GetXInsightsResultCohortBand = NOT_SENT
    """Band of followers."""
    band_accounts: int | None = None
    """Accounts in the band."""
    percentile_in_band: float | None = None
    """Percentile in the band."""


class Interval(Model):
    """95 % interval."""

    low: float = NOT_SENT
    """Lower end of the interval."""
    high: float = NOT_SENT
    """Upper end of the interval."""


class GetXInsightsResultIntervals(Model):
    engagement_rate_followers: Interval | None = None
    """Engagement of a post divided by followers; null if unknown."""
    engagement_rate_views: Interval | None = None
    """Engagement of a post divided by its views; null if unknown."""
    percentile_in_cohort: Interval | None = None
    """Percentile among the cohort; null if unknown."""
    median_views: Interval | None = None
    """Median of the views; null if unknown."""
    posts_per_week: Interval | None = None
    """Posts per week; null if unknown."""


class GetXInsightsResult(Model):
    platform: Literal["x"] | str = NOT_SENT
    """The platform."""
    handle: str | None = None
    """Handle in normal form; null if the account has none, or if only the ID is known."""
    followers: int | None = None
    """Followers; null if unknown."""
    posts_sampled: int = NOT_SENT
    """Ripe original posts: their counts were read at least 72 hours after publication."""
    window: InsightWindow = NOT_SENT
    """The time window of the figures."""
    engagement_rate_followers: float | None = None
    """Engagement of a post divided by followers; null if unknown."""
    engagement_rate_views: float | None = None
    """Engagement of a post divided by its views; null if unknown."""
    percentile_in_cohort: float | None = None
    """Percentile among the cohort; null if unknown."""
    cohort: GetXInsightsResultCohort | None = None
    """Accounts that the account is compared with; null if there are too few."""
    median_views: float | None = None
    """Median of the views; null if unknown."""
    posts_per_week: float | None = None
    """Posts per week; null if unknown."""
    last_post_at: str | None = None
    """When the last post was written."""
    intervals: GetXInsightsResultIntervals = NOT_SENT
    """Intervals of the figures."""


class GetXPopulationPatternsResultCellsItem(Model):
    weekday: int = NOT_SENT
    """Day of the week."""
    hour: int = NOT_SENT
    """Hour of the day."""
    n: int = NOT_SENT
    """Size of the sample."""
    authors: int = NOT_SENT
    """Accounts that wrote the posts."""
    effect_pct: float | None = None
    """Difference from the other posts, in percent."""
    low: float | None = None
    """Lower end of the interval."""
    high: float | None = None
    """Upper end of the interval."""


class GetXPopulationPatternsResult(Model):
    platform: Literal["x"] | str = NOT_SENT
    """The platform."""
    framing: str = NOT_SENT
    """Which population was sampled."""
    computed_at: str = NOT_SENT
    """When it was computed."""
    timezone: Literal["UTC"] | str = NOT_SENT
    """Time zone of the hours."""
    authors: int = NOT_SENT
    """Accounts that wrote the posts."""
    posts: int = NOT_SENT
    """Posts; null if unknown."""
    cells: list[GetXPopulationPatternsResultCellsItem] = NOT_SENT
    """Hours with posts."""


class PatternCell(Model):
    weekday: int = NOT_SENT
    """ISO 8601: 1 is Monday."""
    hour: int = NOT_SENT
    """Hour of the day."""
    n: int = NOT_SENT
    """Ripe posts of the hour."""
    effect_pct: float = NOT_SENT
    """Difference from the other posts, in percent."""
    low: float = NOT_SENT
    """Lower end of the interval."""
    high: float = NOT_SENT
    """Upper end of the interval."""
    significant: bool = NOT_SENT
    """Whether the interval excludes 0, that is, no difference."""


class GetXPostingPatternsResult(Model):
    platform: Literal["x"] | str = NOT_SENT
    """The platform."""
    handle: str | None = None
    """Handle in normal form; null if the account has none, or if only the ID is known."""
    followers: int | None = None
    """Followers; null if unknown."""
    posts_sampled: int = NOT_SENT
    """Ripe original posts: their counts were read at least 72 hours after publication."""
    window: InsightWindow = NOT_SENT
    """The time window of the figures."""
    timezone: str = NOT_SENT
    """Time zone of the hours."""
    significant: bool | None = None
    """false: no difference is measurable. null: nothing was tested; the warning is `not_tested`."""
    q_hour: float | None = None
    """False discovery rate at which an hour is significant."""
    q_weekday: float | None = None
    """Null if too few weeks are known."""
    best: list[PatternCell] = NOT_SENT
    """Hours that are better than the others, as far as the sample shows."""
    cells: list[PatternCell] = NOT_SENT
    """All 168 hours of the week, or none."""


HandleAvailabilityStatus = (
    Literal[
        "available",
        "taken",
        "reserved",
        "invalid",
        "unknown",
    ]
    | str
)


HandleAvailabilityBasis = (
    Literal[
        "registration",
        "account",
        "suspended",
        "deactivated",
        "no_account",
        "unread",
        "grammar",
    ]
    | str
)


HandleAvailabilitySource = (
    Literal[
        "catalog",
        "live",
    ]
    | str
)


class HandleAvailability(Model):
    platform: AccountCheckPlatform = NOT_SENT
    """The platform."""
    handle: str | None = None
    """Normalized by the rules of the platform; null if it is not a handle there."""
    status: HandleAvailabilityStatus = NOT_SENT
    """available: the platform’s registration form accepts the name. reserved: the form refuses the name to everyone. invalid: the platform does not register such names, and no old account has this one. unknown: the name has no account, or the platform could not be read; neither proves that a name is free."""
    basis: HandleAvailabilityBasis = NOT_SENT
    """registration: stated by the registration form. account, suspended, deactivated: an account with this status has the name. no_account: no account has it. unread: nothing could be read. grammar: decided by the platform’s rules for new names."""
    source: HandleAvailabilitySource | None = None
    """Origin of the data: the catalog, a platform, both, or the service itself."""
    checked_at: str | None = None
    """When the platform was read."""
    error: AccountCheckItemError | None = None
    """Why the platform could not be read; null if it was read or did not have to be."""


class HistoryPoint(Model):
    at: str = NOT_SENT
    """Time of the reading or change."""
    handle: str | None = None
    """Handle in normal form; null if the account has none, or if only the ID is known."""
    display_name: str | None = None
    """Name that the account shows; null if unknown."""
    followers: int | None = None
    """Followers; null if unknown."""
    following: int | None = None
    """Accounts that it follows; null if unknown."""
    posts: int | None = None
    """Posts; null if unknown."""
    verified: bool | None = None
    """Whether the platform shows a badge; null if unknown."""


ImpersonationSuspectVerdict = (
    Literal[
        "likely",
        "possible",
        "unconfirmed_copy",
    ]
    | str
)


ImpersonationSuspectDirection = (
    Literal[
        "copies",
        "is_copied",
        "unknown",
    ]
    | str
)


ImpersonationSuspectPartsItemPart = (
    Literal[
        "prior",
        "name_as_written",
        "name_equal",
        "name_compatible",
        "name_partial",
        "bio_equal",
        "picture_equal",
        "links_equal",
        "links_equal_to_accounts",
        "no_links",
        "links_missing",
        "links_of_its_own",
        "handle_similar",
        "former_handle",
        "same_person",
        "other_person",
        "person_on_platform",
        "same_platform",
        "disclaimer",
        "size_apart",
        "larger",
        "younger",
        "verified",
    ]
    | str
)


class ImpersonationSuspectPartsItem(Model):
    part: ImpersonationSuspectPartsItemPart = NOT_SENT
    """The part."""
    value: float | None = None
    """null if unknown; the part then has no weight. Parts with the value 0 are not listed."""
    weight: float = NOT_SENT
    """Weight of the part."""
    can_be_caused_by_others: bool = NOT_SENT
    """Whether somebody else can cause this, without the account’s doing. Such evidence decides no verdict."""


class ImpersonationSuspect(Model):
    platform: AccountCheckPlatform = NOT_SENT
    """The platform."""
    handle: str | None = None
    """null if another account has the handle now."""
    id: str | None = None
    """ID. For an account: its native ID on the platform, or null if unknown."""
    profile_url: str | None = None
    """Address of the page."""
    display_name: str | None = None
    """Name that the account shows; null if unknown."""
    followers: int | None = None
    """Followers; null if unknown."""
    verified: bool | None = None
    """Whether the platform shows a badge; null if unknown."""
    last_seen_at: str = NOT_SENT
    """When it was last seen to exist."""
    verdict: ImpersonationSuspectVerdict = NOT_SENT
    """From the log odds: `likely` from 2, `possible` from −2.5. Less likely suspects are not listed. `unconfirmed_copy`: it links to the account, or to others of its person, shows what the account shows, and nothing answers it. An own account that its owner never linked to looks the same."""
    direction: ImpersonationSuspectDirection = NOT_SENT
    """`copies`: it copies the account. `is_copied`: the account copies it. `unknown`: one of the two copies the other. By left handles, verification, accounts that answer, size and age."""
    risk: float | None = None
    """1 / (1 + exp(−log odds)): the share of such suspects that were impersonators in simulated worlds; null of an unconfirmed copy, as nobody has measured how many of them are own accounts, and unless the direction is `copies`."""
    log_odds: float = NOT_SENT
    """Weighted sum of the values of the parts."""
    parts: list[ImpersonationSuspectPartsItem] = NOT_SENT
    """The parts."""


PostKind = (
    Literal[
        "original",
        "reply",
        "repost",
        "quote",
    ]
    | str
)


class InsightPost(Model):
    id: str = NOT_SENT
    """ID. For an account: its native ID on the platform, or null if unknown."""
    url: str | None = None
    """URL on the platform."""
    at: str = NOT_SENT
    """Time of the reading or change."""
    kind: PostKind = NOT_SENT
    """Kind."""
    text: str | None = None
    """Null if it is no longer kept."""
    likes: int | None = None
    """Likes; null if unknown."""
    replies: int | None = None
    """Replies; null if unknown."""
    reposts: int | None = None
    """Reposts; null if unknown."""
    quotes: int | None = None
    """Quotes; null if unknown."""
    views: int | None = None
    """Views; null if unknown."""
    engagement: int | None = None
    """Likes, replies, reposts and quotes, as far as they are shown."""
    engagement_rate_followers: float | None = None
    """Engagement divided by followers at the time of the post."""
    multiple: float | None = None
    """Engagement divided by the median of the author's ripe posts."""
    robust_z: float | None = None
    """0.6745 (x - median) / MAD, with x = ln(1 + engagement); null if half of the posts have the same engagement."""
    is_ripe: bool = NOT_SENT
    """Whether the post is old enough for its figures to be final."""
    observed_at: str = NOT_SENT
    """When the oldest of the counts was read."""


class ListMeta(Model):
    request_id: str = NOT_SENT
    """ID of the request, for support."""
    generated_at: str = NOT_SENT
    """When the response was generated."""
    took_ms: int = NOT_SENT
    """Duration of the request in milliseconds."""
    source: MetaSource = NOT_SENT
    """Origin of the data: the catalog, a platform, both, or the service itself."""
    cache_age_s: int | None = None
    """Age in seconds of the oldest value in the response that can change; null if it has none."""
    next_cursor: str | None = None
    """`cursor` of the next page; null at the end. A short or empty page may still have a next one."""
    limit: int = NOT_SENT
    """Maximum items per page."""


class ListingSeller(Model):
    id: str = NOT_SENT
    """ID. For an account: its native ID on the platform, or null if unknown."""
    name: str | None = None
    """Name."""


ListingStatus = (
    Literal[
        "active",
        "sold",
        "withdrawn",
    ]
    | str
)


class VerifiedMetrics(Model):
    handle: str = NOT_SENT
    """Handle in normal form; null if the account has none, or if only the ID is known."""
    followers: int | None = None
    """For LinkedIn only with the scope `leads:read`."""
    verified: bool | None = None
    """For LinkedIn only with the scope `leads:read`."""
    status: DirectoryEntryStatus = NOT_SENT
    """Status."""
    created_at: str | None = None
    """For LinkedIn only with the scope `leads:read`."""
    observed_at: str = NOT_SENT
    """When it was read."""
    stale_s: int = NOT_SENT
    """Age in seconds of the oldest value here that can change."""
    measured_at: MeasuredAt | None = None
    """Times of values that are older than the last reading."""


class Listing(Model):
    id: str = NOT_SENT
    """ID. For an account: its native ID on the platform, or null if unknown."""
    platform: AccountCheckPlatform = NOT_SENT
    """The platform."""
    handle: str | None = None
    """Normalized; null if the listing does not name the account."""
    title: str | None = None
    """Title."""
    followers: int | None = None
    """As the seller states it."""
    price_usd: str | None = None
    """Asking price in US dollars; null if it is on request."""
    price_per_1k_followers: str | None = None
    """Asking price per thousand stated followers."""
    seller: ListingSeller | None = None
    """The seller; null if unknown."""
    status: ListingStatus = NOT_SENT
    """Status."""
    listed_at: str | None = None
    """As the marketplace states it."""
    updated_at: str = NOT_SENT
    """When a change was last seen."""
    sold_at: str | None = None
    """When it was sold; null if it was not."""
    sold_price_usd: str | None = None
    """What was paid; null if unknown, or not sold."""
    url: str | None = None
    """URL on the platform."""
    verified_metrics: VerifiedMetrics | None = None
    """The catalog's own reading of the account; null if there is none."""


class LiveEntry(Model):
    platform: AccountCheckPlatform = NOT_SENT
    """The platform."""
    id: str | None = None
    """ID. For an account: its native ID on the platform, or null if unknown."""
    handle: str | None = None
    """Handle in normal form; null if the account has none, or if only the ID is known."""
    display_name: str | None = None
    """Name that the account shows; null if unknown."""
    followers: int | None = None
    """Followers; null if unknown."""
    following: int | None = None
    """Accounts that it follows; null if unknown."""
    posts: int | None = None
    """Posts; null if unknown."""
    verified: bool | None = None
    """Whether the platform shows a badge; null if unknown."""
    created_at: str | None = None
    """When it was created; null if unknown."""
    bio: str | None = None
    """Bio of the account; null if unknown or none."""
    avatar_url: str | None = None
    """URL of the picture, which may expire; null if unknown or none."""
    location: str | None = None
    """Location as shown; null if unknown or none."""
    links: list[str] = NOT_SENT
    """Links of the profile."""
    pronouns: str | None = None
    """Pronouns that the account shows; null if unknown or none."""
    first_seen_at: str | None = None
    """When it was first seen to exist."""
    last_seen_at: str | None = None
    """When it was last found to exist."""
    status: DirectoryEntryStatus = NOT_SENT
    """Status."""
    previous_handles: list[str] = NOT_SENT
    """Handles that the account had before."""
    measured_at: MeasuredAt | None = None
    """Times of values that are older than the last reading."""
    observed_at: str = NOT_SENT
    """When the platform was read."""


class LiveFollower(Model):
    id: str = NOT_SENT
    """ID. For an account: its native ID on the platform, or null if unknown."""
    handle: str | None = None
    """null: X lists the account without a name because it is suspended."""
    display_name: str | None = None
    """Name that the account shows; null if unknown."""
    followers: int | None = None
    """Followers; null if unknown."""
    following: int | None = None
    """Accounts that it follows; null if unknown."""
    posts: int | None = None
    """Posts; null if unknown."""
    verified: bool | None = None
    """Whether the platform shows a badge; null if unknown."""
    created_at: str | None = None
    """When it was created; null if unknown."""
    bio: str | None = None
    """Bio of the account; null if unknown or none."""
    avatar_url: str | None = None
    """URL of the picture, which may expire; null if unknown or none."""


LivePostMedia = (
    Literal[
        "none",
        "photo",
        "video",
        "link",
        "other",
    ]
    | str
)


class LivePostReplyTo(Model):
    post: str | None = None
    """The post; null if there is none."""
    account: str | None = None
    """The account; null if there is none."""


class LivePostAuthor(Model):
    id: str | None = None
    """ID. For an account: its native ID on the platform, or null if unknown."""
    handle: str = NOT_SENT
    """Handle in normal form; null if the account has none, or if only the ID is known."""


class LivePost(Model):
    id: str = NOT_SENT
    """ID. For an account: its native ID on the platform, or null if unknown."""
    url: str | None = None
    """URL on the platform."""
    at: str | None = None
    """Time of the reading or change."""
    kind: PostKind = NOT_SENT
    """Kind."""
    text: str | None = None
    """Text; null if it has none."""
    lang: str | None = None
    """Language code; null if unknown."""
    media: LivePostMedia | None = None
    """Kind of media; null if unknown."""
    hashtags: list[str] | None = None
    """Hashtags without the sign; null if unknown."""
    mentions: list[str] | None = None
    """Handles that the text names; null if unknown."""
    reply_to: LivePostReplyTo | None = None
    """ID of a post, and handle or ID of its author, as far as the platform shows them."""
    target: LivePostReplyTo | None = None
    """ID of a post, and handle or ID of its author, as far as the platform shows them."""
    likes: int | None = None
    """Likes; null if unknown."""
    replies: int | None = None
    """Replies; null if unknown."""
    reposts: int | None = None
    """Reposts; null if unknown."""
    quotes: int | None = None
    """Quotes; null if unknown."""
    views: int | None = None
    """Views; null if unknown."""
    pinned: bool | None = None
    """Whether its author pinned it; a pinned post is listed first. Null if not shown."""
    author: LivePostAuthor = NOT_SENT
    """Author of the post."""
    observed_at: str = NOT_SENT
    """When it was read."""


PersonEvidenceKind = (
    Literal[
        "mutual_link",
        "same_native_link",
        "name_and_handle",
        "same_profile",
        "disclaimer",
        "conflict",
    ]
    | str
)


class PersonEvidence(Model):
    kind: PersonEvidenceKind = NOT_SENT
    """`mutual_link`: the account and others of the person link to each other. `same_native_link`: they point at each other, at least one of them by a link page that lists them both. `name_and_handle`: how names and handles relate. `same_profile`: whether bios or pictures are equal. `disclaimer`: an account says that it is a parody or a fan. `conflict`: a second account of one platform."""
    weight: float = NOT_SENT
    """Added to the log odds; negative if it is evidence against the connection."""
    from_: PersonEvidenceFrom | None = Field(default=None, alias="from")
    """Where it begins."""
    to: PersonEvidenceFrom | None = None
    """Where it ends."""
    observed_at: str = NOT_SENT
    """When it was read."""


class PersonAccount(Model):
    platform: AccountCheckPlatform = NOT_SENT
    """The platform."""
    handle: str | None = None
    """Handle in normal form; null if the account has none, or if only the ID is known."""
    id: str | None = None
    """Native ID on the platform; null if the platform has none or never showed it."""
    profile_url: str | None = None
    """Address of the page."""
    status: DirectoryEntryStatus = NOT_SENT
    """Status."""
    followers: int | None = None
    """For LinkedIn only with the scope `leads:read`."""
    verified: bool | None = None
    """For LinkedIn only with the scope `leads:read`."""
    last_seen_at: str = NOT_SENT
    """When it was last seen to exist."""
    confidence: float | None = None
    """Probability that the account belongs to the same person as the others; null if it is the only one."""
    log_odds: float | None = None
    """The sum of the weights of its evidence: ln(confidence / (1 - confidence))."""
    evidence: list[PersonEvidence] = NOT_SENT
    """Evidence that supports it."""


class LookedUpPersonClaims(Model):
    received: Claims = NOT_SENT
    """Accounts with an agreeing name or handle that link to the person and are not confirmed: own ones, fans, and impersonators. At most 20, verified and large ones first."""
    made: Claims = NOT_SENT
    """Accounts that the person links to and that are not confirmed. At most 20, verified and large ones first."""


class LookedUpPerson(Model):
    person_id: str = NOT_SENT
    """ID of the person."""
    display_name: str | None = None
    """Name that the account shows; null if unknown."""
    accounts: list[PersonAccount] = NOT_SENT
    """The confirmed ones: each is joined to the others by evidence that both sides control."""
    claims: LookedUpPersonClaims = NOT_SENT
    """Links to and from accounts that are not confirmed. They have no confidence: how many of them are impersonators, nobody has measured."""
    confidence: float | None = None
    """Confidence of the least certain account; null if there is only one account."""
    merged_into: str | None = None
    """If no person has the requested `person_id` any more: the person that now has the account it was made from. Otherwise null."""


class Meta(Model):
    request_id: str = NOT_SENT
    """ID of the request, for support."""
    generated_at: str = NOT_SENT
    """When the response was generated."""
    took_ms: int = NOT_SENT
    """Duration of the request in milliseconds."""
    source: MetaSource = NOT_SENT
    """Origin of the data: the catalog, a platform, both, or the service itself."""
    cache_age_s: int | None = None
    """Age in seconds of the oldest value in the response that can change; null if it has none."""


OwnershipVerificationMatchedIn = (
    Literal[
        "bio",
        "name",
        "post",
    ]
    | str
)


class OwnershipVerification(Model):
    platform: AccountCheckPlatform = NOT_SENT
    """The platform."""
    handle: str | None = None
    """Normalized; null if only the ID is known."""
    id: str | None = None
    """The native ID; null if the platform does not show it."""
    status: DirectoryEntryStatus = NOT_SENT
    """Status."""
    verified: bool | None = None
    """Whether a code of the last seven days was found; null if none was found and a part could not be read (`checked` lacks that part)."""
    code: str = NOT_SENT
    """Code for the owner to show. It differs by day, account, caller and reference."""
    instructions: str = NOT_SENT
    """What the owner has to do."""
    matched_in: OwnershipVerificationMatchedIn | None = None
    """Where the code was found; null if nowhere."""
    checked: list[OwnershipVerificationMatchedIn] = NOT_SENT
    """The parts that were read. A code in any other part would not have been found."""
    checked_at: str = NOT_SENT
    """When it was checked."""
    expires_at: str = NOT_SENT
    """When `code` expires."""


class Peer(Model):
    platform: Literal["x"] | str = NOT_SENT
    """The platform."""
    handle: str = NOT_SENT
    """Handle in normal form; null if the account has none, or if only the ID is known."""
    followers: int = NOT_SENT
    """Followers; null if unknown."""
    rank: int | None = None
    """Rank among all of them by engagement by followers; 1 is the highest."""
    engagement_rate_followers: float | None = None
    """Engagement of a post divided by followers; null if unknown."""
    engagement_rate_views: float | None = None
    """Engagement of a post divided by its views; null if unknown."""
    median_views: float | None = None
    """Median of the views; null if unknown."""
    posts_per_week: float | None = None
    """Posts per week; null if unknown."""
    posts_sampled: int = NOT_SENT
    """Posts in the sample."""
    observed_at: str = NOT_SENT
    """Time of the sighting that the figures are from."""


class Person(Model):
    person_id: str = NOT_SENT
    """ID of the person."""
    display_name: str | None = None
    """Name that the account shows; null if unknown."""
    accounts: list[PersonAccount] = NOT_SENT
    """The confirmed ones: each is joined to the others by evidence that both sides control."""
    claims: LookedUpPersonClaims = NOT_SENT
    """Links to and from accounts that are not confirmed. They have no confidence: how many of them are impersonators, nobody has measured."""
    confidence: float | None = None
    """Confidence of the least certain account; null if there is only one account."""


class Platform(Model):
    platform: AccountCheckPlatform = NOT_SENT
    """The platform."""
    name: str = NOT_SENT
    """Name."""
    in_directory: bool = NOT_SENT
    """Whether accounts of the platform are in the directory."""
    live: bool = NOT_SENT
    """Whether accounts of the platform can be read live."""
    verify: bool = NOT_SENT
    """Whether ownership of accounts can be verified."""
    handle_pattern: str = NOT_SENT
    """Pattern of handles."""
    profile_url_template: str = NOT_SENT
    """URL of a profile page, with the placeholder `{handle}`."""
    accounts: int = NOT_SENT
    """Accounts in the catalog."""
    newest_sighting_at: str | None = None
    """When an account of the platform was last seen."""


class PopulationViralPost(Model):
    handle: str = NOT_SENT
    """Handle in normal form; null if the account has none, or if only the ID is known."""
    id: str = NOT_SENT
    """ID. For an account: its native ID on the platform, or null if unknown."""
    url: str | None = None
    """URL on the platform."""
    at: str = NOT_SENT
    """Time of the reading or change."""
    text: str | None = None
    """Null if it is no longer kept."""
    engagement: int = NOT_SENT
    """Likes, replies, reposts and quotes together."""
    multiple: float = NOT_SENT
    """Multiple of the author’s median."""
    robust_z: float = NOT_SENT
    """Robust z-score of the logarithm."""
    observed_at: str = NOT_SENT
    """When it was read."""


class Post(Model):
    id: str = NOT_SENT
    """ID. For an account: its native ID on the platform, or null if unknown."""
    url: str | None = None
    """URL on the platform."""
    at: str | None = None
    """Time of the reading or change."""
    kind: PostKind = NOT_SENT
    """Kind."""
    text: str | None = None
    """Text; null if it has none."""
    likes: int | None = None
    """Likes; null if unknown."""
    replies: int | None = None
    """Replies; null if unknown."""
    reposts: int | None = None
    """Reposts; null if unknown."""
    views: int | None = None
    """Views; null if unknown."""
    observed_at: str = NOT_SENT
    """When it was read."""


ResearchEventData = dict[str, Any]


class ResearchEvent(Model):
    position: str = NOT_SENT
    """Position in the log."""
    run_id: str | None = None
    """Null for limits, which operators set for all runs."""
    type: str = NOT_SENT
    """As in the event log, such as `PoolEvaluated`."""
    at: str = NOT_SENT
    """Time of the reading or change."""
    data: ResearchEventData = NOT_SENT
    """The rest of the event, without texts that are for operators."""


ResearchRunStatus = (
    Literal[
        "running",
        "completed",
        "failed",
    ]
    | str
)


ResearchRunTrigger = (
    Literal[
        "schedule",
        "operator",
    ]
    | str
)


class ResearchRun(Model):
    id: str = NOT_SENT
    """ID. For an account: its native ID on the platform, or null if unknown."""
    status: ResearchRunStatus = NOT_SENT
    """Status."""
    started_at: str = NOT_SENT
    """When the run began."""
    finished_at: str | None = None
    """Null while it is running."""
    seed: int = NOT_SENT
    """Seed of the random draws behind its decisions."""
    policy: str = NOT_SENT
    """Version of the rules that decided."""
    trigger: ResearchRunTrigger = NOT_SENT
    """Trigger of the run."""
    observe_only: bool = NOT_SENT
    """Whether the run only observed, carrying out none of its decisions."""
    pools_evaluated: int = NOT_SENT
    """Pools that were evaluated."""
    findings: int = NOT_SENT
    """Findings of the run."""
    expansions: int = NOT_SENT
    """Decisions that let a pool grow."""
    decisions: int = NOT_SENT
    """Decisions that change a pool."""
    failure: str | None = None
    """Why the run failed; null if it did not."""


RunAccountAgeResultBasis = (
    Literal[
        "profile",
        "id",
        "first_seen",
    ]
    | str
)


class ToolInputsItem(Model):
    input: str = NOT_SENT
    """The input."""
    observed_at: str | None = None
    """Time of the oldest reading used; for a population, the time of its computation."""
    age_s: int | None = None
    """Age of its reading in seconds."""


ToolInputs = list[ToolInputsItem]
"""Inputs of the result."""


class RunAccountAgeResult(Model):
    platform: AccountCheckPlatform = NOT_SENT
    """The platform."""
    handle: str | None = None
    """Handle in normal form; null if the account has none, or if only the ID is known."""
    created_at: str | None = None
    """Null if only a bound is known."""
    age_days: int = NOT_SENT
    """Age in days."""
    at_least: bool = NOT_SENT
    """Whether the account may be older."""
    basis: RunAccountAgeResultBasis = NOT_SENT
    """Basis of the age."""
    inputs: ToolInputs = NOT_SENT
    """Inputs of the result, each with its age."""
    not_known: list[str] = NOT_SENT
    """Limits of what the tool can know."""


class RunAccountCompareResultRowsItem(Model):
    platform: AccountCheckPlatform = NOT_SENT
    """The platform."""
    handle: str | None = None
    """Handle in normal form; null if the account has none, or if only the ID is known."""
    followers: int | None = None
    """Followers; null if unknown."""
    posts_n: int = NOT_SENT
    """Posts in the sample."""
    engagement_rate_followers: GetXGrowthResultPerDayPct | None = None
    """With its 95 % interval; null if too few posts show it."""
    engagement_rate_views: GetXGrowthResultPerDayPct | None = None
    """With its 95 % interval; null if too few posts show it."""
    median_engagement: GetXGrowthResultPerDayPct | None = None
    """With its 95 % interval; null if too few posts show it."""
    median_views: GetXGrowthResultPerDayPct | None = None
    """With its 95 % interval; null if too few posts show it."""
    posts_per_week: GetXGrowthResultPerDayPct | None = None
    """Original posts of the window by its weeks, with the 95 % interval of the rate in the long run; null if too few posts show it, and until the population of the platform was computed."""


RunAccountCompareResultBestByMetricItemMetric = (
    Literal[
        "engagement_rate_followers",
        "engagement_rate_views",
        "median_engagement",
        "median_views",
        "posts_per_week",
    ]
    | str
)


class RunAccountCompareResultBestByMetricItem(Model):
    metric: RunAccountCompareResultBestByMetricItemMetric = NOT_SENT
    """The metric."""
    index: int | None = None
    """Account of the row; null if fewer than two accounts show the figure."""
    distinguishable: bool = NOT_SENT
    """Whether the samples distinguish the best account from the next."""


class RunAccountCompareResult(Model):
    level: float = NOT_SENT
    """Confidence level of the intervals: the share of them that contain the true value."""
    rows: list[RunAccountCompareResultRowsItem] = NOT_SENT
    """The accounts, in the order of the request."""
    best_by_metric: list[RunAccountCompareResultBestByMetricItem] = NOT_SENT
    """The best account by each metric."""
    inputs: ToolInputs = NOT_SENT
    """Inputs of the result, each with its age."""
    not_known: list[str] = NOT_SENT
    """Limits of what the tool can know."""


RunAccountScoreResultGrade = (
    Literal[
        "A",
        "B",
        "C",
        "D",
        "E",
    ]
    | str
)


RunAccountScoreResultComponentsItemName = (
    Literal[
        "reach",
        "engagement",
        "growth",
        "activity",
        "age",
        "reactions",
    ]
    | str
)


class RunAccountScoreResultComponentsItem(Model):
    name: RunAccountScoreResultComponentsItemName = NOT_SENT
    """Name."""
    value: float | None = None
    """Null if unknown; the part then has no weight."""
    weight: float = NOT_SENT
    """Weight of the part."""
    points: float = NOT_SENT
    """Points."""
    can_be_caused_by_others: bool = NOT_SENT
    """Whether somebody else can cause this, without the account’s doing. Such evidence decides no verdict."""


class RunAccountScoreResult(Model):
    platform: AccountCheckPlatform = NOT_SENT
    """The platform."""
    handle: str | None = None
    """Handle in normal form; null if the account has none, or if only the ID is known."""
    status: DirectoryEntryStatus = NOT_SENT
    """Status of the account as of its last reading."""
    score: float = NOT_SENT
    """Score."""
    grade: RunAccountScoreResultGrade = NOT_SENT
    """A from 80 points, B from 65, C from 50, D from 35."""
    components: list[RunAccountScoreResultComponentsItem] = NOT_SENT
    """Components of the score."""
    known_points: float = NOT_SENT
    """Total weight of the known parts, out of 100."""
    inputs: ToolInputs = NOT_SENT
    """Inputs of the result, each with its age."""
    not_known: list[str] = NOT_SENT
    """Limits of what the tool can know."""


class RunAudienceOverlapResultA(Model):
    handle: str | None = None
    """Handle in normal form; null if the account has none, or if only the ID is known."""
    indexed: int = NOT_SENT
    """Followers of the list as it was read."""
    followers: int | None = None
    """As the account states them."""
    status: ListCoverageStatus = NOT_SENT
    """How the last reading of the list ended. Unless `whole`, any follower may be missing."""
    read_at: str = NOT_SENT
    """When the newest part of the list was read."""


class RunAudienceOverlapResultShared(Model):
    value: float = NOT_SENT
    """The value."""
    low: float = NOT_SENT
    """Lower end of the interval."""
    high: float = NOT_SENT
    """Upper end of the interval."""


class RunAudienceOverlapResult(Model):
    level: float = NOT_SENT
    """Confidence level of the intervals: the share of them that contain the true value."""
    platform: AccountCheckPlatform = NOT_SENT
    """The platform."""
    a: RunAudienceOverlapResultA = NOT_SENT
    """The first account."""
    b: RunAudienceOverlapResultA = NOT_SENT
    """The other account."""
    shared: RunAudienceOverlapResultShared = NOT_SENT
    """With its 95 % interval; exact if all three are equal."""
    share_of_a: RunAudienceOverlapResultShared | None = None
    """Share of the followers of `a`; null if their number is unknown."""
    share_of_b: RunAudienceOverlapResultShared | None = None
    """Share of the followers of `b`; null if their number is unknown."""
    jaccard: RunAudienceOverlapResultShared | None = None
    """Followers of both accounts divided by followers of either; null if their number is unknown."""
    capped: bool = NOT_SENT
    """Whether one of the lists was not read completely."""
    inputs: ToolInputs = NOT_SENT
    """Inputs of the result, each with its age."""
    not_known: list[str] = NOT_SENT
    """Limits of what the tool can know."""


class RunBestTimeToPostResult(Model):
    level: float = NOT_SENT
    """Confidence level of the intervals: the share of them that contain the true value."""
    platform: AccountCheckPlatform = NOT_SENT
    """The platform."""
    handle: str | None = None
    """Handle in normal form; null if the account has none, or if only the ID is known."""
    timezone: str = NOT_SENT
    """Time zone of the hours."""
    posts_n: int = NOT_SENT
    """Posts in the sample."""
    significant: bool | None = None
    """false: no difference is measurable. null: nothing was tested; the warning is `not_tested`."""
    best: list[PatternCell] = NOT_SENT
    """Hours that are better than the others, as far as the sample shows."""
    cells: list[PatternCell] = NOT_SENT
    """All 168 hours of the week; empty if the platform selected the posts."""
    inputs: ToolInputs = NOT_SENT
    """Inputs of the result, each with its age."""
    not_known: list[str] = NOT_SENT
    """Limits of what the tool can know."""


class RunCrossPlatformMatchResultCandidatesItem(Model):
    platform: AccountCheckPlatform = NOT_SENT
    """The platform."""
    handle: str | None = None
    """Handle in normal form; null if the account has none, or if only the ID is known."""
    profile_url: str | None = None
    """Address of the page."""
    confidence: float | None = None
    """Probability that it belongs to the same person."""
    evidence: list[PersonEvidence] = NOT_SENT
    """Evidence that supports it."""


class RunCrossPlatformMatchResult(Model):
    platform: AccountCheckPlatform = NOT_SENT
    """The platform."""
    handle: str | None = None
    """Handle in normal form; null if the account has none, or if only the ID is known."""
    person_id: str = NOT_SENT
    """ID of the person."""
    candidates: list[RunCrossPlatformMatchResultCandidatesItem] = NOT_SENT
    """Accounts that may belong to the same person."""
    inputs: ToolInputs = NOT_SENT
    """Inputs of the result, each with its age."""
    not_known: list[str] = NOT_SENT
    """Limits of what the tool can know."""


class RunEngagementAuthenticityResultVariancePercentile(Model):
    value: float = NOT_SENT
    """The value."""
    low: float = NOT_SENT
    """Lower end of the interval."""
    high: float = NOT_SENT
    """Upper end of the interval."""
    accounts: int = NOT_SENT
    """Accounts."""


class RunEngagementAuthenticityResultVariance(Model):
    value: float = NOT_SENT
    """The value."""
    low: float = NOT_SENT
    """Lower end of the interval."""
    high: float = NOT_SENT
    """Upper end of the interval."""
    posts_n: int = NOT_SENT
    """Posts in the sample."""
    percentile: RunEngagementAuthenticityResultVariancePercentile | None = None
    """Percentile among accounts of the platform, with its 95 % interval; null if too few are known."""


class RunEngagementAuthenticityResultRatios(Model):
    comments_per_like: RunEngagementAuthenticityResultVariance | None = None
    """With its 95 % interval; null if too few posts show it."""
    reposts_per_like: RunEngagementAuthenticityResultVariance | None = None
    """With its 95 % interval; null if too few posts show it."""
    views_per_like: RunEngagementAuthenticityResultVariance | None = None
    """With its 95 % interval; null if too few posts show it."""


RunEngagementAuthenticityResultFlagsItemRule = (
    Literal[
        "reactions_constant",
        "reactions_erratic",
        "few_comments",
        "many_comments",
        "few_reposts",
        "many_reposts",
        "few_views",
    ]
    | str
)


RunEngagementAuthenticityResultFlagsItemTrait = (
    Literal[
        "dispersion",
        "comments_per_like",
        "reposts_per_like",
        "views_per_like",
    ]
    | str
)


class RunEngagementAuthenticityResultFlagsItemEvidence(Model):
    value: float = NOT_SENT
    """The value."""
    low: float = NOT_SENT
    """Lower end of the interval."""
    high: float = NOT_SENT
    """Upper end of the interval."""
    posts_n: int = NOT_SENT
    """Posts in the sample."""


class RunEngagementAuthenticityResultFlagsItem(Model):
    rule: RunEngagementAuthenticityResultFlagsItemRule = NOT_SENT
    """The rule."""
    trait: RunEngagementAuthenticityResultFlagsItemTrait = NOT_SENT
    """Trait of the posts."""
    can_be_caused_by_others: bool = NOT_SENT
    """Whether somebody else can cause this, without the account’s doing. Such evidence decides no verdict."""
    threshold: float = NOT_SENT
    """The limit that it exceeds, from accounts of the platform."""
    evidence: RunEngagementAuthenticityResultFlagsItemEvidence = NOT_SENT
    """Evidence that supports it."""


class RunEngagementAuthenticityResult(Model):
    level: float = NOT_SENT
    """Confidence level of the intervals: the share of them that contain the true value."""
    platform: AccountCheckPlatform = NOT_SENT
    """The platform."""
    handle: str | None = None
    """Handle in normal form; null if the account has none, or if only the ID is known."""
    window_days: int = NOT_SENT
    """Days of the window."""
    posts_n: int = NOT_SENT
    """Posts in the sample."""
    variance: RunEngagementAuthenticityResultVariance | None = None
    """Standard deviation of ln(1 + reactions) over posts, with its 95 % interval."""
    ratios: RunEngagementAuthenticityResultRatios = NOT_SENT
    """Ratios of the figures, with their percentiles."""
    flags: list[RunEngagementAuthenticityResultFlagsItem] = NOT_SENT
    """Unusual figures."""
    inputs: ToolInputs = NOT_SENT
    """Inputs of the result, each with its age."""
    not_known: list[str] = NOT_SENT
    """Limits of what the tool can know."""


class RunEngagementRateResultPercentileInterval(Model):
    low: float = NOT_SENT
    """Lower end of the interval."""
    high: float = NOT_SENT
    """Upper end of the interval."""
    accounts: int = NOT_SENT
    """Accounts."""


class RunEngagementRateResult(Model):
    level: float = NOT_SENT
    """Confidence level of the intervals: the share of them that contain the true value."""
    platform: AccountCheckPlatform = NOT_SENT
    """The platform."""
    handle: str | None = None
    """Handle in normal form; null if the account has none, or if only the ID is known."""
    followers: int | None = None
    """Followers; null if unknown."""
    window_days: int = NOT_SENT
    """Days of the window."""
    posts_n: int = NOT_SENT
    """Posts in the sample."""
    engagement_rate_followers: PostDistribution | None = None
    """Engagement of a post divided by followers; null if unknown."""
    engagement_rate_views: PostDistribution | None = None
    """Engagement of a post divided by its views; null if unknown."""
    median_engagement: PostDistribution | None = None
    """Median of the engagement; null if unknown."""
    percentile: float | None = None
    """Percentile of the rate by followers in the size band of the platform; null before ladders are computed."""
    percentile_interval: RunEngagementRateResultPercentileInterval | None = None
    """95 % interval of the percentile, and the number of accounts in the size band; null if the percentile is."""
    inputs: ToolInputs = NOT_SENT
    """Inputs of the result, each with its age."""
    not_known: list[str] = NOT_SENT
    """Limits of what the tool can know."""


RunFollowerAuditResultPlatform = (
    Literal[
        "x",
        "bluesky",
    ]
    | str
)


RunFollowerAuditResultSampled = (
    Literal[
        "whole_list",
        "newest",
    ]
    | str
)


class RunFollowerAuditResultSuspiciousShare(Model):
    estimate: float = NOT_SENT
    """The estimate."""
    low: float = NOT_SENT
    """Lower end of the interval."""
    high: float = NOT_SENT
    """Upper end of the interval."""
    distinguishable: bool = NOT_SENT
    """false: the share can’t be distinguished from 0."""


class RunFollowerAuditResultClassifiedSuspicious(Model):
    share: float = NOT_SENT
    """Share."""
    low: float = NOT_SENT
    """Lower end of the interval."""
    high: float = NOT_SENT
    """Upper end of the interval."""


class RunFollowerAuditResultClassified(Model):
    suspicious: RunFollowerAuditResultClassifiedSuspicious = NOT_SENT
    """Figures of suspicious followers."""
    inactive: RunFollowerAuditResultClassifiedSuspicious | None = None
    """Figures of inactive followers."""


class RunFollowerAuditResultStrataItem(Model):
    first_position: int = NOT_SENT
    """Position in the list; 0 is the newest follower."""
    last_position: int = NOT_SENT
    """Position in the list; 0 is the newest follower."""
    suspicious: RunFollowerAuditResultClassifiedSuspicious = NOT_SENT
    """Figures of suspicious followers."""


class RunFollowerAuditResultSignals(Model):
    created_within_90_days: float | None = None
    """null: the list does not show it."""
    without_picture: float | None = None
    """null: the list does not show it."""
    without_bio: float | None = None
    """null: the list does not show it."""
    follows_20_times_its_followers: float | None = None
    """null: the list does not show it."""
    without_posts: float | None = None
    """null: the list does not show it."""


class RunFollowerAuditResultCalibrationTransferError(Model):
    median: float = NOT_SENT
    """Median."""
    largest: float = NOT_SENT
    """Largest error over the lists."""


class RunFollowerAuditResultCalibration(Model):
    model: str = NOT_SENT
    """operator: labels of the operator. x-2017: the default model of X."""
    year: int | None = None
    """When the accounts of a default model were labelled."""
    transfer_error: RunFollowerAuditResultCalibrationTransferError | None = None
    """By how much a share of 0.1 is off in audiences that are a quarter of the labelled accounts by age, followers, following or posts. The interval does not contain it. null: not measured for labels of the operator."""
    fitted_n: int = NOT_SENT
    """Labelled followers that the model was fitted to."""
    held_out_suspicious: int = NOT_SENT
    """Suspicious followers that the model was tested on."""
    held_out_inactive: int = NOT_SENT
    """Inactive followers that the model was tested on."""
    held_out_genuine: int = NOT_SENT
    """Genuine followers that the model was tested on."""
    sensitivity: float = NOT_SENT
    """Share of suspicious followers that the model finds."""
    specificity: float = NOT_SENT
    """Share of genuine followers that the model does not classify as suspicious."""


class RunFollowerAuditResult(Model):
    level: float = NOT_SENT
    """Confidence level of the intervals: the share of them that contain the true value."""
    platform: RunFollowerAuditResultPlatform = NOT_SENT
    """The platform."""
    handle: str = NOT_SENT
    """Handle in normal form; null if the account has none, or if only the ID is known."""
    followers: int | None = None
    """Followers; null if unknown."""
    sample_n: int = NOT_SENT
    """Accounts in the sample."""
    sampled: RunFollowerAuditResultSampled = NOT_SENT
    """Followers that the shares describe."""
    suspicious_share: RunFollowerAuditResultSuspiciousShare | None = None
    """Share with its 95 % interval; null without a labelled sample, or if the list does not show the required traits."""
    inactive_share: RunFollowerAuditResultSuspiciousShare | None = None
    """Share with its 95 % interval; null without a labelled sample, or if the list does not show the required traits."""
    classified: RunFollowerAuditResultClassified = NOT_SENT
    """Shares of the sample by class, not corrected for errors of the classifier."""
    strata: list[RunFollowerAuditResultStrataItem] = NOT_SENT
    """The same share by follow order, newest first."""
    signals: RunFollowerAuditResultSignals = NOT_SENT
    """Shares of followers with traits that indicate suspicious accounts."""
    creation_clusters: list[CreationCluster] = NOT_SENT
    """Followers that were created within a short time."""
    calibrated: bool = NOT_SENT
    """Whether the shares are calibrated with labelled followers."""
    calibration: RunFollowerAuditResultCalibration | None = None
    """The labelled sample; null without one."""
    inputs: ToolInputs = NOT_SENT
    """Inputs of the result, each with its age."""
    not_known: list[str] = NOT_SENT
    """Limits of what the tool can know."""


class RunFollowerRankResult(Model):
    platform: AccountCheckPlatform = NOT_SENT
    """The platform."""
    handle: str | None = None
    """Handle in normal form; null if the account has none, or if only the ID is known."""
    followers: int = NOT_SENT
    """Followers; null if unknown."""
    percentile: float = NOT_SENT
    """Percentile."""
    low: float = NOT_SENT
    """Lower end of the interval."""
    high: float = NOT_SENT
    """Upper end of the interval."""
    rank_estimate: int = NOT_SENT
    """Estimate of the rank."""
    rank_low: int = NOT_SENT
    """Best rank of the interval."""
    rank_high: int = NOT_SENT
    """Worst rank of the interval."""
    accounts: int = NOT_SENT
    """Accounts."""
    framing: str = NOT_SENT
    """Which population was sampled."""
    inputs: ToolInputs = NOT_SENT
    """Inputs of the result, each with its age."""
    not_known: list[str] = NOT_SENT
    """Limits of what the tool can know."""


class RunGrowthProjectionResultBandsItem(Model):
    level: float = NOT_SENT
    """Probability that the interval contains the value."""
    low: int = NOT_SENT
    """Lower end of the interval."""
    high: int = NOT_SENT
    """Upper end of the interval."""


class RunGrowthProjectionResult(Model):
    level: float = NOT_SENT
    """Confidence level of the intervals: the share of them that contain the true value."""
    platform: AccountCheckPlatform = NOT_SENT
    """The platform."""
    handle: str | None = None
    """Handle in normal form; null if the account has none, or if only the ID is known."""
    status: DirectoryEntryStatus = NOT_SENT
    """Status of the account as of its last reading."""
    followers: int = NOT_SENT
    """At the last reading."""
    at: str = NOT_SENT
    """The time of the projection."""
    projected: int = NOT_SENT
    """Projected followers."""
    low: int = NOT_SENT
    """Lower end of the 95 % band."""
    high: int = NOT_SENT
    """Upper end of the interval."""
    bands: list[RunGrowthProjectionResultBandsItem] = NOT_SENT
    """Bands."""
    daily_slope: float = NOT_SENT
    """Followers per day from the last reading to the projected number."""
    trend: float = NOT_SENT
    """Followers per day over the readings used."""
    persistence: float = NOT_SENT
    """The share of the trend that is assumed to persist."""
    comparisons: int | None = None
    """Number of earlier projections that the bands are computed from; null: the bands are computed from this account alone."""
    readings: int = NOT_SENT
    """Readings that were used."""
    inputs: ToolInputs = NOT_SENT
    """Inputs of the result, each with its age."""
    not_known: list[str] = NOT_SENT
    """Limits of what the tool can know."""


class RunHandleAvailabilityResult(Model):
    handle: str = NOT_SENT
    """Handle in normal form; null if the account has none, or if only the ID is known."""
    items: list[HandleAvailability] = NOT_SENT
    """Results, in the order of the request."""
    inputs: ToolInputs = NOT_SENT
    """Inputs of the result, each with its age."""
    not_known: list[str] = NOT_SENT
    """Limits of what the tool can know."""


SimilarHandlePartsItemPart = (
    Literal[
        "skeleton",
        "distance",
        "size",
    ]
    | str
)


class SimilarHandlePartsItem(Model):
    part: SimilarHandlePartsItemPart = NOT_SENT
    """The part."""
    value: float | None = None
    """null if unknown; the part then has no weight."""
    weight: float = NOT_SENT
    """Weight of the part."""
    can_be_caused_by_others: bool = NOT_SENT
    """Whether somebody else can cause this, without the account’s doing. Such evidence decides no verdict."""


class SimilarHandle(Model):
    handle: str = NOT_SENT
    """Handle in normal form; null if the account has none, or if only the ID is known."""
    display_name: str | None = None
    """Name that the account shows; null if unknown."""
    followers: int | None = None
    """Followers; null if unknown."""
    verified: bool | None = None
    """Whether the platform shows a badge; null if unknown."""
    distance: int = NOT_SENT
    """Damerau–Levenshtein distance; on Bluesky, between handles without `.bsky.social`."""
    skeleton_equal: bool = NOT_SENT
    """Whether they look the same by UTS 39, in any mix of upper and lower case."""
    risk: float = NOT_SENT
    """Weighted sum of the parts."""
    parts: list[SimilarHandlePartsItem] = NOT_SENT
    """The parts."""


class RunHandleSimilarityResult(Model):
    platform: AccountCheckPlatform = NOT_SENT
    """The platform."""
    handle: str = NOT_SENT
    """Handle in normal form; null if the account has none, or if only the ID is known."""
    followers: int | None = None
    """Followers; null if unknown."""
    matches: list[SimilarHandle] = NOT_SENT
    """Similar handles."""
    suspects: list[ImpersonationSuspect] | None = None
    """Accounts that pose as the account of the handle; null if no account is known to have the handle."""
    originals: list[ImpersonationSuspect] | None = None
    """Accounts that the account of the handle seems to copy; null like `suspects`."""
    suspects_compared: int | None = None
    """Number of compared accounts that share its name, its handle or a link."""
    inputs: ToolInputs = NOT_SENT
    """Inputs of the result, each with its age."""
    not_known: list[str] = NOT_SENT
    """Limits of what the tool can know."""


class RunPostPriceResultCpm(Model):
    low: str = NOT_SENT
    """US dollars, exact."""
    mid: str = NOT_SENT
    """US dollars, exact."""
    high: str = NOT_SENT
    """US dollars, exact."""


RunPostPriceResultBasis = (
    Literal[
        "measured_views",
        "stated_views",
    ]
    | str
)


class RunPostPriceResult(Model):
    level: float = NOT_SENT
    """Confidence level of the intervals: the share of them that contain the true value."""
    platform: AccountCheckPlatform = NOT_SENT
    """The platform."""
    handle: str | None = None
    """Handle in normal form; null if the account has none, or if only the ID is known."""
    low: str = NOT_SENT
    """US dollars, exact."""
    mid: str = NOT_SENT
    """US dollars, exact."""
    high: str = NOT_SENT
    """US dollars, exact."""
    currency: Literal["USD"] | str = NOT_SENT
    """Currency of the prices."""
    cpm: RunPostPriceResultCpm = NOT_SENT
    """Price per thousand views."""
    basis: RunPostPriceResultBasis = NOT_SENT
    """Whether the price per thousand views uses views measured by the catalog, or views stated by placements."""
    placements_n: int = NOT_SENT
    """Placements in the sample."""
    measured_n: int = NOT_SENT
    """Placements whose stated views were compared with measured ones; 0 if there are too few."""
    median_views: GetXGrowthResultPerDayPct = NOT_SENT
    """With its 95 % interval."""
    posts_n: int = NOT_SENT
    """Posts in the sample."""
    inputs: ToolInputs = NOT_SENT
    """Inputs of the result, each with its age."""
    not_known: list[str] = NOT_SENT
    """Limits of what the tool can know."""


RunShadowbanCheckResultSearch = (
    Literal[
        "clear",
        "limited",
        "unknown",
    ]
    | str
)


VisibilityEvidenceSurface = (
    Literal[
        "search",
        "suggestions",
        "thread",
    ]
    | str
)


VisibilityEvidenceOf = (
    Literal[
        "account",
        "control",
    ]
    | str
)


VisibilityEvidenceShown = (
    Literal[
        "shown",
        "hidden",
        "absent",
        "unknown",
    ]
    | str
)


class VisibilityEvidence(Model):
    surface: VisibilityEvidenceSurface = NOT_SENT
    """The surface that showed it."""
    of: VisibilityEvidenceOf = NOT_SENT
    """control: another account that must be shown there."""
    shown: VisibilityEvidenceShown = NOT_SENT
    """hidden: shown only when a reader asks for more replies. unknown: the surface could not be read."""
    can_be_caused_by_others: bool = NOT_SENT
    """Whether somebody else can cause this, as the author of a thread who hides a reply. The verdict on replies takes threads of several authors."""
    post: str | None = None
    """ID of the reply that was looked for in its thread."""
    observed_at: str = NOT_SENT
    """When it was read."""
    reason: str | None = None
    """Reason if the result is unknown."""


class RunShadowbanCheckResult(Model):
    platform: Literal["x"] | str = NOT_SENT
    """The platform."""
    handle: str = NOT_SENT
    """Handle in normal form; null if the account has none, or if only the ID is known."""
    status: DirectoryEntryStatus = NOT_SENT
    """Status of the account. Only an active account is looked for."""
    search: RunShadowbanCheckResultSearch = NOT_SENT
    """Whether searches find its posts."""
    suggestion: RunShadowbanCheckResultSearch = NOT_SENT
    """Whether the search box suggests it."""
    ghost: RunShadowbanCheckResultSearch = NOT_SENT
    """Whether its replies are shown."""
    reply_deboost: RunShadowbanCheckResultSearch = NOT_SENT
    """Whether its replies are shown only when asked for."""
    evidence: list[VisibilityEvidence] = NOT_SENT
    """Evidence that supports it."""
    inputs: ToolInputs = NOT_SENT
    """Inputs of the result, each with its age."""
    not_known: list[str] = NOT_SENT
    """Limits of what the tool can know."""


RunTrustReportResultVerdict = (
    Literal[
        "no_concerns",
        "some_concerns",
        "serious_concerns",
        "unknown",
    ]
    | str
)


RunTrustReportResultRulesItemRule = (
    Literal[
        "audience",
        "bought_followers",
        "age",
        "look_alike",
        "score",
    ]
    | str
)


RunTrustReportResultRulesItemConcern = (
    Literal[
        "none",
        "some",
        "serious",
        "unknown",
    ]
    | str
)


class RunTrustReportResultRulesItem(Model):
    rule: RunTrustReportResultRulesItemRule = NOT_SENT
    """The rule."""
    concern: RunTrustReportResultRulesItemConcern = NOT_SENT
    """What the rule found."""
    can_be_caused_by_others: bool = NOT_SENT
    """Whether somebody else can cause this, without the account’s doing. Such evidence decides no verdict."""


TrustPartPart = (
    Literal[
        "audit",
        "score",
        "age",
        "similarity",
        "valuation",
    ]
    | str
)


TrustPartStatus = (
    Literal[
        "known",
        "unknown",
    ]
    | str
)


class TrustPart(Model):
    part: TrustPartPart = NOT_SENT
    """The part."""
    status: TrustPartStatus = NOT_SENT
    """Status."""
    reason: str | None = None
    """null if the part is known. not_served: the platform does not show the required data. Otherwise the error code of the tool."""
    result: ResearchEventData | None = None
    """The result of the tool of that name, as the tool itself answers it."""


class RunTrustReportResult(Model):
    platform: AccountCheckPlatform = NOT_SENT
    """The platform."""
    handle: str = NOT_SENT
    """Handle in normal form; null if the account has none, or if only the ID is known."""
    status: DirectoryEntryStatus | None = None
    """Status of the account as of its last reading; active if its followers were read for the report. Null if the catalog has no reading of the account."""
    verdict: RunTrustReportResultVerdict = NOT_SENT
    """The gravest concern of the rules that nobody else can cause. Without any, it is unknown if such a rule is unknown, or if the account is neither active nor private."""
    rules: list[RunTrustReportResultRulesItem] = NOT_SENT
    """The rules, with what each found."""
    parts: list[TrustPart] = NOT_SENT
    """The parts."""
    inputs: ToolInputs = NOT_SENT
    """Inputs of the result, each with its age."""
    not_known: list[str] = NOT_SENT
    """Limits of what the tool can know."""


RunUsernameScoreResultPattern = (
    Literal[
        "letters",
        "letters_and_digits",
        "separated",
        "digits",
    ]
    | str
)


RunUsernameScoreResultComponentsItemPart = (
    Literal[
        "length",
        "pattern",
        "readability",
    ]
    | str
)


class RunUsernameScoreResultComponentsItem(Model):
    part: RunUsernameScoreResultComponentsItemPart = NOT_SENT
    """The part."""
    value: float = NOT_SENT
    """The value."""
    weight: float = NOT_SENT
    """Weight of the part."""
    points: float = NOT_SENT
    """Points."""


class RunUsernameScoreResult(Model):
    handle: str = NOT_SENT
    """Handle in normal form; null if the account has none, or if only the ID is known."""
    score: float = NOT_SENT
    """Score."""
    length: int = NOT_SENT
    """Characters."""
    pattern: RunUsernameScoreResultPattern = NOT_SENT
    """Pattern of the handle."""
    readability: float = NOT_SENT
    """How readable it is."""
    components: list[RunUsernameScoreResultComponentsItem] = NOT_SENT
    """Components of the score."""
    inputs: ToolInputs = NOT_SENT
    """Inputs of the result, each with its age."""
    not_known: list[str] = NOT_SENT
    """Limits of what the tool can know."""


class RunValuationResultSold(Model):
    n: int = NOT_SENT
    """Comparables, of all platforms."""
    low: str = NOT_SENT
    """US dollars, exact."""
    mid: str = NOT_SENT
    """US dollars, exact."""
    high: str = NOT_SENT
    """US dollars, exact."""
    left_out: int = NOT_SENT
    """Newest comparables that are left out, as no follower ever cost what they say."""


RunValuationResultFactorsItemFactor = (
    Literal[
        "followers",
        "platform",
        "age",
        "engagement",
    ]
    | str
)


class RunValuationResultFactorsItem(Model):
    factor: RunValuationResultFactorsItemFactor = NOT_SENT
    """The factor."""
    value: float | None = None
    """Followers, years, or engagement by followers."""
    multiple: float | None = None
    """Null if the value is unknown, or is an engagement of 0, which has no logarithm; the factor then has no effect."""


class RunValuationResult(Model):
    level: float = NOT_SENT
    """Confidence level of the intervals: the share of them that contain the true value."""
    platform: AccountCheckPlatform = NOT_SENT
    """The platform."""
    handle: str | None = None
    """Handle in normal form; null if the account has none, or if only the ID is known."""
    followers: int = NOT_SENT
    """Followers; null if unknown."""
    low: str = NOT_SENT
    """US dollars, exact."""
    mid: str = NOT_SENT
    """US dollars, exact."""
    high: str = NOT_SENT
    """US dollars, exact."""
    currency: Literal["USD"] | str = NOT_SENT
    """Currency of the prices."""
    comparables_n: int = NOT_SENT
    """Sales of the platform."""
    sold: RunValuationResultSold = NOT_SENT
    """Listings that were sold."""
    asking: RunValuationResultSold | None = None
    """Estimated asking price; null for fewer than 10 offers of the platform."""
    typical: str = NOT_SENT
    """US dollars, exact."""
    factors: list[RunValuationResultFactorsItem] = NOT_SENT
    """Factors that the price is multiplied by."""
    inputs: ToolInputs = NOT_SENT
    """Inputs of the result, each with its age."""
    not_known: list[str] = NOT_SENT
    """Limits of what the tool can know."""


class RunViralityCheckResult(Model):
    platform: AccountCheckPlatform = NOT_SENT
    """The platform."""
    handle: str | None = None
    """Handle in normal form; null if the account has none, or if only the ID is known."""
    post_id: str = NOT_SENT
    """ID of the post."""
    at: str = NOT_SENT
    """Time of the reading or change."""
    engagement: int = NOT_SENT
    """Likes, replies, reposts and quotes, as far as they are shown."""
    multiple: float = NOT_SENT
    """Multiple of the median of the other posts."""
    robust_z: float | None = None
    """Null if half of the other posts have the same engagement."""
    viral: bool | None = None
    """Null without a robust z-score, and for a post that was read before it was ripe and does not exceed the thresholds yet."""
    at_least: bool = NOT_SENT
    """Whether it was read before it was ripe."""
    baseline_n: int = NOT_SENT
    """Posts that the post is compared with."""
    baseline_median: float = NOT_SENT
    """Median engagement of these posts."""
    as_much_n: int = NOT_SENT
    """Other posts with at least as much engagement."""
    inputs: ToolInputs = NOT_SENT
    """Inputs of the result, each with its age."""
    not_known: list[str] = NOT_SENT
    """Limits of what the tool can know."""


ScrapeXTweetResultStatus = (
    Literal[
        "ok",
        "absent",
        "author_private",
        "author_suspended",
    ]
    | str
)


class ScrapeXTweetResult(Model):
    id: str = NOT_SENT
    """ID. For an account: its native ID on the platform, or null if unknown."""
    status: ScrapeXTweetResultStatus = NOT_SENT
    """absent: the post does not exist, or no longer exists."""
    post: LivePost | None = None
    """The post; null if there is none."""


ScrapeXUsersResultItemsItemStatus = (
    Literal[
        "ok",
        "absent",
        "unknown",
    ]
    | str
)


class ScrapeXUsersResultItemsItem(Model):
    handle: str = NOT_SENT
    """Normalized handle; unchanged if it is an ID or not a handle of X."""
    status: ScrapeXUsersResultItemsItemStatus = NOT_SENT
    """absent: proven not to exist. unknown: not read, and not charged."""
    account: LiveEntry | None = None
    """The account; null if there is none."""
    error: AccountCheckItemError | None = None
    """Why there is no result; null if there is one."""


class ScrapeXUsersResult(Model):
    items: list[ScrapeXUsersResultItemsItem] = NOT_SENT
    """Results, in the order of the request."""


class Seller(Model):
    id: str = NOT_SENT
    """ID. For an account: its native ID on the platform, or null if unknown."""
    name: str | None = None
    """Name."""
    active: int = NOT_SENT
    """Listings on sale."""
    sold: int = NOT_SENT
    """Listings that were sold."""
    volume_usd: str | None = None
    """Sum of the known prices paid, in US dollars; null if none is known."""
    priced_sales: int = NOT_SENT
    """Sales whose price is known."""
    median_time_to_sell_s: int | None = None
    """Median time from listing to sale, over sales with both times, accurate to 1 %; null without any."""


SimilarEntryReasonsItem = (
    Literal[
        "handle",
        "name",
        "shared_links",
        "size",
    ]
    | str
)


class SimilarEntry(Model):
    platform: PlatformStatsPlatform = NOT_SENT
    """The platform."""
    id: str | None = None
    """ID. For an account: its native ID on the platform, or null if unknown."""
    handle: str | None = None
    """Handle in normal form; null if the account has none, or if only the ID is known."""
    display_name: str | None = None
    """Name that the account shows; null if unknown."""
    followers: int | None = None
    """Followers; null if unknown."""
    measured_at: MeasuredAt | None = None
    """Times of values that are older than the last reading."""
    score: float = NOT_SENT
    """Score."""
    reasons: list[SimilarEntryReasonsItem] = NOT_SENT
    """What the two accounts have in common."""


class ToolEvidenceItem(Model):
    kind: str = NOT_SENT
    """Kind."""
    can_be_caused_by_others: bool = NOT_SENT
    """Whether somebody else can cause this, without the account’s doing. Such evidence decides no verdict."""


class Tool(Model):
    name: str = NOT_SENT
    """Name."""
    operation: str = NOT_SENT
    """operationId in the OpenAPI description."""
    path: str = NOT_SENT
    """Relative to the base address."""
    title: str = NOT_SENT
    """Title."""
    description: str = NOT_SENT
    """Description; null if unknown."""
    platforms: list[AccountCheckPlatform] = NOT_SENT
    """Platforms that the tool serves; any other is refused with 400. Empty if the tool is about a name."""
    input_schema: ResearchEventData = NOT_SENT
    """A JSON Schema, draft 2020-12."""
    output_schema: ResearchEventData = NOT_SENT
    """A JSON Schema, draft 2020-12."""
    upstream_reads: int = NOT_SENT
    """Maximum requests to platforms per call."""
    cost: int = NOT_SENT
    """Units of one call on your plan."""
    method: str = NOT_SENT
    """How the tool computes its result, and from what."""
    evidence: list[ToolEvidenceItem] = NOT_SENT
    """What its answers rest on, and what of it somebody else can cause."""


CheckAccountPlatform = Literal[
    "x",
    "instagram",
    "tiktok",
    "youtube",
    "telegram",
    "bluesky",
    "linkedin",
]


class CheckAccountsAccounts(TypedDict):
    platform: Literal[
        "x",
        "instagram",
        "tiktok",
        "youtube",
        "telegram",
        "bluesky",
        "linkedin",
    ]
    handle: str
    """A handle as `@<handle>`, a native ID as `id:<id>`, or either without its prefix. Any other text is answered with an error."""


GetDirectoryEntryPlatform = Literal[
    "x",
    "instagram",
    "tiktok",
    "youtube",
    "telegram",
    "bluesky",
]


ListDirectoryStatus = Literal[
    "active",
    "private",
    "suspended",
    "deactivated",
    "absent",
]


ListDirectorySort = Literal[
    "followers",
    "recent",
    "handle",
    "growth_30d",
]


ListDirectoryChangesKind = Literal[
    "discovered",
    "renamed",
    "suspended",
    "deactivated",
    "absent",
    "private",
    "public",
    "restored",
    "verified",
    "unverified",
    "jumped",
    "profile",
    "erased",
]


ListDirectoryChangesAfter = Literal["now"]


ListTopEntriesBy = Literal[
    "followers",
    "growth_7d",
    "growth_30d",
]


GetEngineWindow = Literal[
    "1m",
    "1h",
    "24h",
]


ListXTopTweetsSort = Literal[
    "engagement",
    "likes",
    "views",
]


ExportFollowerGraphDirection = Literal[
    "followers",
    "following",
]


ListCompaniesSize = Literal[
    "1",
    "2-10",
    "11-50",
    "51-200",
    "201-500",
    "501-1000",
    "1001-5000",
    "5001-10000",
    "10001+",
]


ListDecisionMakersSeniority = Literal[
    "owner",
    "cxo",
    "partner",
    "vp",
    "director",
    "manager",
    "senior",
    "entry",
    "training",
    "any",
]


ListDecisionMakersFunction = Literal[
    "executive",
    "engineering",
    "product",
    "design",
    "data",
    "it",
    "marketing",
    "sales",
    "customer_success",
    "finance",
    "hr",
    "legal",
    "operations",
    "procurement",
    "research",
    "consulting",
    "media",
    "education",
    "healthcare",
    "public_sector",
    "real_estate",
    "hospitality",
    "trades",
    "administration",
    "other",
]


ListListingsStatus = Literal[
    "active",
    "sold",
    "withdrawn",
]


ListListingsSort = Literal[
    "recent",
    "price",
    "price_desc",
    "price_per_1k_followers",
    "followers",
]


ListSellersSort = Literal[
    "active",
    "sold",
    "volume",
]


ListFindingsKind = Literal[
    "pool_yield",
    "pool_exhausted",
    "pool_stale",
    "demand_surge",
    "engine_fault",
    "rename_wave",
    "growth_cluster",
]


ListFindingsStatus = Literal[
    "open",
    "confirmed",
    "dismissed",
    "superseded",
]


ListRunsStatus = Literal[
    "running",
    "completed",
    "failed",
]


class RunAccountCompareAccounts(TypedDict):
    platform: Literal[
        "x",
        "instagram",
        "tiktok",
        "youtube",
        "telegram",
        "bluesky",
    ]
    handle: str


RunAudienceOverlapPlatform = Literal[
    "x",
    "bluesky",
]


class RunAudienceOverlapOther(TypedDict):
    platform: Literal[
        "x",
        "bluesky",
    ]
    handle: str


RunShadowbanCheckPlatform = Literal["x"]


RunViralityCheckPlatform = Literal[
    "x",
    "tiktok",
    "telegram",
    "bluesky",
]
