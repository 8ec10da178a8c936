"""The clients.

Generated from the contract of the endpoints by `npm run clients:generate`.
"""

from collections.abc import Sequence
from functools import cached_property

from . import models
from ._async import AsyncClient, AsyncConnection, AsyncItems
from ._core import Answer
from ._sync import Client, Connection, Items


class RawSightline:
    """The same functions, with all that came with an answer; of a list, one page."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def get_capabilities(
        self,
    ) -> Answer[models.Capabilities, models.Meta]:
        """What your key may call."""
        return self._connection.answer(
            "get_capabilities",
            models.Capabilities,
            models.Meta,
            {},
        )

    def check_account(
        self,
        *,
        platform: models.CheckAccountPlatform,
        handle: str,
    ) -> Answer[models.AccountCheck, models.Meta]:
        """Check an account in the catalog."""
        return self._connection.answer(
            "check_account",
            models.AccountCheck,
            models.Meta,
            {
                "platform": platform,
                "handle": handle,
            },
        )

    def check_account_live(
        self,
        *,
        platform: models.CheckAccountPlatform,
        handle: str,
        max_age_s: int | None = None,
    ) -> Answer[models.AccountCheck, models.Meta]:
        """Check an account on its platform."""
        return self._connection.answer(
            "check_account_live",
            models.AccountCheck,
            models.Meta,
            {
                "platform": platform,
                "handle": handle,
                "max_age_s": max_age_s,
            },
        )

    def check_accounts(
        self,
        *,
        accounts: Sequence[models.CheckAccountsAccounts],
        idempotency_key: str | None = None,
    ) -> Answer[models.CheckAccountsResult, models.Meta]:
        """Check up to 100 accounts in the catalog."""
        return self._connection.answer(
            "check_accounts",
            models.CheckAccountsResult,
            models.Meta,
            {
                "accounts": accounts,
            },
            idempotency_key,
        )

    def list_platforms(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Answer[list[models.Platform], models.ListMeta]:
        """The platforms."""
        return self._connection.page(
            "list_platforms",
            models.Platform,
            models.ListMeta,
            {
                "limit": limit,
                "cursor": cursor,
            },
        )

    def resolve_account(
        self,
        *,
        url: str,
    ) -> Answer[models.AccountCheck, models.Meta]:
        """Check the account of a profile URL."""
        return self._connection.answer(
            "resolve_account",
            models.AccountCheck,
            models.Meta,
            {
                "url": url,
            },
        )

    def get_directory_entry(
        self,
        *,
        platform: models.GetDirectoryEntryPlatform,
        id: str,
    ) -> Answer[models.DirectoryEntry, models.Meta]:
        """One entry of the catalog."""
        return self._connection.answer(
            "get_directory_entry",
            models.DirectoryEntry,
            models.Meta,
            {
                "platform": platform,
                "id": id,
            },
        )

    def get_directory_stats(
        self,
    ) -> Answer[models.GetDirectoryStatsResult, models.Meta]:
        """Statistics of the catalog."""
        return self._connection.answer(
            "get_directory_stats",
            models.GetDirectoryStatsResult,
            models.Meta,
            {},
        )

    def list_directory(
        self,
        *,
        platform: models.GetDirectoryEntryPlatform | None = None,
        q: str | None = None,
        min_followers: int | None = None,
        max_followers: int | None = None,
        verified: bool | None = None,
        status: models.ListDirectoryStatus | None = None,
        seen_since: str | None = None,
        created_since: str | None = None,
        sort: models.ListDirectorySort | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Answer[list[models.DirectoryEntry], models.ExportListMeta]:
        """The catalog of all directory platforms."""
        return self._connection.page(
            "list_directory",
            models.DirectoryEntry,
            models.ExportListMeta,
            {
                "platform": platform,
                "q": q,
                "min_followers": min_followers,
                "max_followers": max_followers,
                "verified": verified,
                "status": status,
                "seen_since": seen_since,
                "created_since": created_since,
                "sort": sort,
                "limit": limit,
                "cursor": cursor,
            },
        )

    def list_directory_changes(
        self,
        *,
        platform: models.GetDirectoryEntryPlatform | None = None,
        kind: models.ListDirectoryChangesKind | None = None,
        limit: int | None = None,
        after: models.ListDirectoryChangesAfter | None = None,
        cursor: str | None = None,
    ) -> Answer[list[models.DirectoryChange], models.FeedMeta]:
        """Changes of accounts in the catalog."""
        return self._connection.page(
            "list_directory_changes",
            models.DirectoryChange,
            models.FeedMeta,
            {
                "platform": platform,
                "kind": kind,
                "limit": limit,
                "after": after,
                "cursor": cursor,
            },
        )

    def list_entry_history(
        self,
        *,
        platform: models.GetDirectoryEntryPlatform,
        id: str,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Answer[list[models.HistoryPoint], models.ExportListMeta]:
        """History of an account."""
        return self._connection.page(
            "list_entry_history",
            models.HistoryPoint,
            models.ExportListMeta,
            {
                "platform": platform,
                "id": id,
                "limit": limit,
                "cursor": cursor,
            },
        )

    def list_entry_posts(
        self,
        *,
        platform: models.GetDirectoryEntryPlatform,
        id: str,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Answer[list[models.Post], models.ExportListMeta]:
        """Posts of an account."""
        return self._connection.page(
            "list_entry_posts",
            models.Post,
            models.ExportListMeta,
            {
                "platform": platform,
                "id": id,
                "limit": limit,
                "cursor": cursor,
            },
        )

    def list_platform_directory(
        self,
        *,
        platform: models.GetDirectoryEntryPlatform,
        q: str | None = None,
        min_followers: int | None = None,
        max_followers: int | None = None,
        verified: bool | None = None,
        status: models.ListDirectoryStatus | None = None,
        seen_since: str | None = None,
        created_since: str | None = None,
        sort: models.ListDirectorySort | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Answer[list[models.DirectoryEntry], models.ExportListMeta]:
        """The catalog of one platform."""
        return self._connection.page(
            "list_platform_directory",
            models.DirectoryEntry,
            models.ExportListMeta,
            {
                "platform": platform,
                "q": q,
                "min_followers": min_followers,
                "max_followers": max_followers,
                "verified": verified,
                "status": status,
                "seen_since": seen_since,
                "created_since": created_since,
                "sort": sort,
                "limit": limit,
                "cursor": cursor,
            },
        )

    def list_similar_entries(
        self,
        *,
        platform: models.GetDirectoryEntryPlatform,
        id: str,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Answer[list[models.SimilarEntry], models.ListMeta]:
        """Similar accounts."""
        return self._connection.page(
            "list_similar_entries",
            models.SimilarEntry,
            models.ListMeta,
            {
                "platform": platform,
                "id": id,
                "limit": limit,
                "cursor": cursor,
            },
        )

    def list_top_entries(
        self,
        *,
        by: models.ListTopEntriesBy | None = None,
        platform: models.GetDirectoryEntryPlatform | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Answer[list[models.DirectoryEntry], models.ExportListMeta]:
        """Largest and fastest growing accounts."""
        return self._connection.page(
            "list_top_entries",
            models.DirectoryEntry,
            models.ExportListMeta,
            {
                "by": by,
                "platform": platform,
                "limit": limit,
                "cursor": cursor,
            },
        )

    def get_engine(
        self,
        *,
        key: str,
        window: models.GetEngineWindow | None = None,
    ) -> Answer[models.Engine, models.Meta]:
        """Health of one crawler."""
        return self._connection.answer(
            "get_engine",
            models.Engine,
            models.Meta,
            {
                "key": key,
                "window": window,
            },
        )

    def list_engines(
        self,
        *,
        window: models.GetEngineWindow | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Answer[list[models.Engine], models.ListMeta]:
        """Health of every crawler."""
        return self._connection.page(
            "list_engines",
            models.Engine,
            models.ListMeta,
            {
                "window": window,
                "limit": limit,
                "cursor": cursor,
            },
        )

    def get_x_cohort_benchmarks(
        self,
    ) -> Answer[models.GetXCohortBenchmarksResult, models.DerivedMeta]:
        """Benchmarks for accounts of X by size."""
        return self._connection.answer(
            "get_x_cohort_benchmarks",
            models.GetXCohortBenchmarksResult,
            models.DerivedMeta,
            {},
        )

    def get_x_content_mix(
        self,
        *,
        handle: str,
        timezone: str | None = None,
        window_days: int | None = None,
    ) -> Answer[models.GetXContentMixResult, models.DerivedMeta]:
        """Content of an account of X, and its effect on engagement."""
        return self._connection.answer(
            "get_x_content_mix",
            models.GetXContentMixResult,
            models.DerivedMeta,
            {
                "handle": handle,
                "timezone": timezone,
                "window_days": window_days,
            },
        )

    def get_x_data_coverage(
        self,
    ) -> Answer[models.GetXDataCoverageResult, models.DerivedMeta]:
        """Data behind the insights on X."""
        return self._connection.answer(
            "get_x_data_coverage",
            models.GetXDataCoverageResult,
            models.DerivedMeta,
            {},
        )

    def get_x_engagement(
        self,
        *,
        handle: str,
        window_days: int | None = None,
    ) -> Answer[models.GetXEngagementResult, models.DerivedMeta]:
        """Engagement of the posts of an account of X."""
        return self._connection.answer(
            "get_x_engagement",
            models.GetXEngagementResult,
            models.DerivedMeta,
            {
                "handle": handle,
                "window_days": window_days,
            },
        )

    def get_x_growth(
        self,
        *,
        handle: str,
        from_: str | None = None,
        to: str | None = None,
    ) -> Answer[models.GetXGrowthResult, models.DerivedMeta]:
        """Follower growth of an account of X."""
        return self._connection.answer(
            "get_x_growth",
            models.GetXGrowthResult,
            models.DerivedMeta,
            {
                "handle": handle,
                "from": from_,
                "to": to,
            },
        )

    def get_x_insights(
        self,
        *,
        handle: str,
        window_days: int | None = None,
    ) -> Answer[models.GetXInsightsResult, models.DerivedMeta]:
        """Key figures of an account of X."""
        return self._connection.answer(
            "get_x_insights",
            models.GetXInsightsResult,
            models.DerivedMeta,
            {
                "handle": handle,
                "window_days": window_days,
            },
        )

    def get_x_population_patterns(
        self,
    ) -> Answer[models.GetXPopulationPatternsResult, models.DerivedMeta]:
        """When posts on X get more engagement."""
        return self._connection.answer(
            "get_x_population_patterns",
            models.GetXPopulationPatternsResult,
            models.DerivedMeta,
            {},
        )

    def get_x_posting_patterns(
        self,
        *,
        handle: str,
        timezone: str | None = None,
        window_days: int | None = None,
    ) -> Answer[models.GetXPostingPatternsResult, models.DerivedMeta]:
        """When the posts of an account of X get more engagement."""
        return self._connection.answer(
            "get_x_posting_patterns",
            models.GetXPostingPatternsResult,
            models.DerivedMeta,
            {
                "handle": handle,
                "timezone": timezone,
                "window_days": window_days,
            },
        )

    def list_x_peers(
        self,
        *,
        handle: str,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Answer[list[models.Peer], models.DerivedListMeta]:
        """Accounts of X of about the same size."""
        return self._connection.page(
            "list_x_peers",
            models.Peer,
            models.DerivedListMeta,
            {
                "handle": handle,
                "limit": limit,
                "cursor": cursor,
            },
        )

    def list_x_population_viral_posts(
        self,
        *,
        min_multiple: int | None = None,
        since: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Answer[list[models.PopulationViralPost], models.DerivedListMeta]:
        """Posts on X furthest above the median of their author."""
        return self._connection.page(
            "list_x_population_viral_posts",
            models.PopulationViralPost,
            models.DerivedListMeta,
            {
                "min_multiple": min_multiple,
                "since": since,
                "limit": limit,
                "cursor": cursor,
            },
        )

    def list_x_top_tweets(
        self,
        *,
        handle: str,
        sort: models.ListXTopTweetsSort | None = None,
        window_days: int | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Answer[list[models.InsightPost], models.DerivedListMeta]:
        """The posts of an account of X with the most engagement."""
        return self._connection.page(
            "list_x_top_tweets",
            models.InsightPost,
            models.DerivedListMeta,
            {
                "handle": handle,
                "sort": sort,
                "window_days": window_days,
                "limit": limit,
                "cursor": cursor,
            },
        )

    def list_x_viral_posts(
        self,
        *,
        handle: str,
        min_multiple: int | None = None,
        window_days: int | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Answer[list[models.InsightPost], models.DerivedListMeta]:
        """Posts of an account of X far above its median."""
        return self._connection.page(
            "list_x_viral_posts",
            models.InsightPost,
            models.DerivedListMeta,
            {
                "handle": handle,
                "min_multiple": min_multiple,
                "window_days": window_days,
                "limit": limit,
                "cursor": cursor,
            },
        )

    def export_follower_graph(
        self,
        *,
        handle: str,
        direction: models.ExportFollowerGraphDirection | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Answer[list[models.FollowEdge], models.CoveredListMeta]:
        """Followers of an X account, or accounts it follows, as edges."""
        return self._connection.page(
            "export_follower_graph",
            models.FollowEdge,
            models.CoveredListMeta,
            {
                "handle": handle,
                "direction": direction,
                "limit": limit,
                "cursor": cursor,
            },
        )

    def get_company(
        self,
        *,
        id: str,
    ) -> Answer[models.Company, models.Meta]:
        """One company of LinkedIn."""
        return self._connection.answer(
            "get_company",
            models.Company,
            models.Meta,
            {
                "id": id,
            },
        )

    def list_companies(
        self,
        *,
        industry: str | None = None,
        size: models.ListCompaniesSize | None = None,
        country: str | None = None,
        q: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Answer[list[models.Company], models.ExportListMeta]:
        """Companies of LinkedIn."""
        return self._connection.page(
            "list_companies",
            models.Company,
            models.ExportListMeta,
            {
                "industry": industry,
                "size": size,
                "country": country,
                "q": q,
                "limit": limit,
                "cursor": cursor,
            },
        )

    def list_decision_makers(
        self,
        *,
        seniority: models.ListDecisionMakersSeniority | None = None,
        function: models.ListDecisionMakersFunction | None = None,
        company: str | None = None,
        industry: str | None = None,
        size: models.ListCompaniesSize | None = None,
        country: str | None = None,
        q: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Answer[list[models.DecisionMaker], models.ExportListMeta]:
        """Decision makers of LinkedIn."""
        return self._connection.page(
            "list_decision_makers",
            models.DecisionMaker,
            models.ExportListMeta,
            {
                "seniority": seniority,
                "function": function,
                "company": company,
                "industry": industry,
                "size": size,
                "country": country,
                "q": q,
                "limit": limit,
                "cursor": cursor,
            },
        )

    def get_listing(
        self,
        *,
        id: str,
    ) -> Answer[models.Listing, models.Meta]:
        """One listing."""
        return self._connection.answer(
            "get_listing",
            models.Listing,
            models.Meta,
            {
                "id": id,
            },
        )

    def get_marketplace_pricing(
        self,
        *,
        platform: models.CheckAccountPlatform | None = None,
    ) -> Answer[models.GetMarketplacePricingResult, models.Meta]:
        """Current prices per thousand followers."""
        return self._connection.answer(
            "get_marketplace_pricing",
            models.GetMarketplacePricingResult,
            models.Meta,
            {
                "platform": platform,
            },
        )

    def get_marketplace_stats(
        self,
    ) -> Answer[models.GetMarketplaceStatsResult, models.Meta]:
        """Statistics of the marketplaces."""
        return self._connection.answer(
            "get_marketplace_stats",
            models.GetMarketplaceStatsResult,
            models.Meta,
            {},
        )

    def list_listings(
        self,
        *,
        platform: models.CheckAccountPlatform | None = None,
        status: models.ListListingsStatus | None = None,
        seller: str | None = None,
        min_price_usd: str | None = None,
        max_price_usd: str | None = None,
        min_followers: int | None = None,
        max_followers: int | None = None,
        sort: models.ListListingsSort | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Answer[list[models.Listing], models.ExportListMeta]:
        """Accounts that are for sale."""
        return self._connection.page(
            "list_listings",
            models.Listing,
            models.ExportListMeta,
            {
                "platform": platform,
                "status": status,
                "seller": seller,
                "min_price_usd": min_price_usd,
                "max_price_usd": max_price_usd,
                "min_followers": min_followers,
                "max_followers": max_followers,
                "sort": sort,
                "limit": limit,
                "cursor": cursor,
            },
        )

    def list_sellers(
        self,
        *,
        sort: models.ListSellersSort | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Answer[list[models.Seller], models.ExportListMeta]:
        """Leaderboard of sellers."""
        return self._connection.page(
            "list_sellers",
            models.Seller,
            models.ExportListMeta,
            {
                "sort": sort,
                "limit": limit,
                "cursor": cursor,
            },
        )

    def lookup_person(
        self,
        *,
        platform: models.CheckAccountPlatform | None = None,
        handle: str | None = None,
        url: str | None = None,
        person_id: str | None = None,
        min_confidence: str | None = None,
    ) -> Answer[models.LookedUpPerson, models.Meta]:
        """The person behind an account."""
        return self._connection.answer(
            "lookup_person",
            models.LookedUpPerson,
            models.Meta,
            {
                "platform": platform,
                "handle": handle,
                "url": url,
                "person_id": person_id,
                "min_confidence": min_confidence,
            },
        )

    def search_people(
        self,
        *,
        q: str,
        platform: models.CheckAccountPlatform | None = None,
        min_followers: int | None = None,
        min_confidence: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Answer[list[models.Person], models.ListMeta]:
        """Persons by name or handle."""
        return self._connection.page(
            "search_people",
            models.Person,
            models.ListMeta,
            {
                "q": q,
                "platform": platform,
                "min_followers": min_followers,
                "min_confidence": min_confidence,
                "limit": limit,
                "cursor": cursor,
            },
        )

    def get_finding(
        self,
        *,
        id: str,
    ) -> Answer[models.Finding, models.Meta]:
        """One finding."""
        return self._connection.answer(
            "get_finding",
            models.Finding,
            models.Meta,
            {
                "id": id,
            },
        )

    def list_findings(
        self,
        *,
        kind: models.ListFindingsKind | None = None,
        run: str | None = None,
        pool: str | None = None,
        status: models.ListFindingsStatus | None = None,
        since: str | None = None,
        until: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Answer[list[models.Finding], models.ListMeta]:
        """Findings of research."""
        return self._connection.page(
            "list_findings",
            models.Finding,
            models.ListMeta,
            {
                "kind": kind,
                "run": run,
                "pool": pool,
                "status": status,
                "since": since,
                "until": until,
                "limit": limit,
                "cursor": cursor,
            },
        )

    def list_research_events(
        self,
        *,
        run: str | None = None,
        pool: str | None = None,
        type: str | None = None,
        since: str | None = None,
        until: str | None = None,
        limit: int | None = None,
        after: models.ListDirectoryChangesAfter | None = None,
        cursor: str | None = None,
    ) -> Answer[list[models.ResearchEvent], models.FeedMeta]:
        """Events of research."""
        return self._connection.page(
            "list_research_events",
            models.ResearchEvent,
            models.FeedMeta,
            {
                "run": run,
                "pool": pool,
                "type": type,
                "since": since,
                "until": until,
                "limit": limit,
                "after": after,
                "cursor": cursor,
            },
        )

    def list_runs(
        self,
        *,
        status: models.ListRunsStatus | None = None,
        since: str | None = None,
        until: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Answer[list[models.ResearchRun], models.ListMeta]:
        """Runs of research."""
        return self._connection.page(
            "list_runs",
            models.ResearchRun,
            models.ListMeta,
            {
                "status": status,
                "since": since,
                "until": until,
                "limit": limit,
                "cursor": cursor,
            },
        )

    def scrape_x_followers(
        self,
        *,
        handle: str,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Answer[list[models.LiveFollower], models.AccountListMeta]:
        """Read an account’s followers on X."""
        return self._connection.page(
            "scrape_x_followers",
            models.LiveFollower,
            models.AccountListMeta,
            {
                "handle": handle,
                "limit": limit,
                "cursor": cursor,
            },
        )

    def scrape_x_tweet(
        self,
        *,
        id: str,
    ) -> Answer[models.ScrapeXTweetResult, models.Meta]:
        """Read one post of X."""
        return self._connection.answer(
            "scrape_x_tweet",
            models.ScrapeXTweetResult,
            models.Meta,
            {
                "id": id,
            },
        )

    def scrape_x_tweets(
        self,
        *,
        handle: str,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Answer[list[models.LivePost], models.AccountListMeta]:
        """Read an account’s posts on X."""
        return self._connection.page(
            "scrape_x_tweets",
            models.LivePost,
            models.AccountListMeta,
            {
                "handle": handle,
                "limit": limit,
                "cursor": cursor,
            },
        )

    def scrape_x_user(
        self,
        *,
        handle: str | None = None,
        id: str | None = None,
    ) -> Answer[models.LiveEntry, models.Meta]:
        """Read one account of X."""
        return self._connection.answer(
            "scrape_x_user",
            models.LiveEntry,
            models.Meta,
            {
                "handle": handle,
                "id": id,
            },
        )

    def scrape_x_users(
        self,
        *,
        handles: Sequence[str],
        idempotency_key: str | None = None,
    ) -> Answer[models.ScrapeXUsersResult, models.Meta]:
        """Read up to 50 accounts of X."""
        return self._connection.answer(
            "scrape_x_users",
            models.ScrapeXUsersResult,
            models.Meta,
            {
                "handles": handles,
            },
            idempotency_key,
        )

    def verify_bluesky_ownership(
        self,
        *,
        handle: str,
        reference: str | None = None,
        parts: str | None = None,
    ) -> Answer[models.OwnershipVerification, models.Meta]:
        """Verify the ownership of an account of Bluesky."""
        return self._connection.answer(
            "verify_bluesky_ownership",
            models.OwnershipVerification,
            models.Meta,
            {
                "handle": handle,
                "reference": reference,
                "parts": parts,
            },
        )

    def verify_instagram_ownership(
        self,
        *,
        handle: str,
        reference: str | None = None,
        parts: str | None = None,
    ) -> Answer[models.OwnershipVerification, models.Meta]:
        """Verify the ownership of an account of Instagram."""
        return self._connection.answer(
            "verify_instagram_ownership",
            models.OwnershipVerification,
            models.Meta,
            {
                "handle": handle,
                "reference": reference,
                "parts": parts,
            },
        )

    def verify_telegram_ownership(
        self,
        *,
        handle: str,
        reference: str | None = None,
        parts: str | None = None,
    ) -> Answer[models.OwnershipVerification, models.Meta]:
        """Verify the ownership of an account of Telegram."""
        return self._connection.answer(
            "verify_telegram_ownership",
            models.OwnershipVerification,
            models.Meta,
            {
                "handle": handle,
                "reference": reference,
                "parts": parts,
            },
        )

    def verify_tiktok_ownership(
        self,
        *,
        handle: str,
        reference: str | None = None,
        parts: str | None = None,
    ) -> Answer[models.OwnershipVerification, models.Meta]:
        """Verify the ownership of an account of TikTok."""
        return self._connection.answer(
            "verify_tiktok_ownership",
            models.OwnershipVerification,
            models.Meta,
            {
                "handle": handle,
                "reference": reference,
                "parts": parts,
            },
        )

    def verify_x_ownership(
        self,
        *,
        handle: str,
        reference: str | None = None,
        parts: str | None = None,
    ) -> Answer[models.OwnershipVerification, models.Meta]:
        """Verify the ownership of an account of X."""
        return self._connection.answer(
            "verify_x_ownership",
            models.OwnershipVerification,
            models.Meta,
            {
                "handle": handle,
                "reference": reference,
                "parts": parts,
            },
        )

    def verify_youtube_ownership(
        self,
        *,
        handle: str,
        reference: str | None = None,
        parts: str | None = None,
    ) -> Answer[models.OwnershipVerification, models.Meta]:
        """Verify the ownership of an account of YouTube."""
        return self._connection.answer(
            "verify_youtube_ownership",
            models.OwnershipVerification,
            models.Meta,
            {
                "handle": handle,
                "reference": reference,
                "parts": parts,
            },
        )

    def list_tools(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Answer[list[models.Tool], models.ListMeta]:
        """The tools."""
        return self._connection.page(
            "list_tools",
            models.Tool,
            models.ListMeta,
            {
                "limit": limit,
                "cursor": cursor,
            },
        )

    def run_account_age(
        self,
        *,
        platform: models.GetDirectoryEntryPlatform,
        handle: str,
        max_age_s: int | None = None,
        idempotency_key: str | None = None,
    ) -> Answer[models.RunAccountAgeResult, models.DerivedMeta]:
        """How old an account is."""
        return self._connection.answer(
            "run_account_age",
            models.RunAccountAgeResult,
            models.DerivedMeta,
            {
                "platform": platform,
                "handle": handle,
                "max_age_s": max_age_s,
            },
            idempotency_key,
        )

    def run_account_compare(
        self,
        *,
        accounts: Sequence[models.RunAccountCompareAccounts],
        platform: models.GetDirectoryEntryPlatform | None = None,
        handle: str | None = None,
        max_age_s: int | None = None,
        window_days: int | None = None,
        idempotency_key: str | None = None,
    ) -> Answer[models.RunAccountCompareResult, models.DerivedMeta]:
        """Accounts compared side by side."""
        return self._connection.answer(
            "run_account_compare",
            models.RunAccountCompareResult,
            models.DerivedMeta,
            {
                "accounts": accounts,
                "platform": platform,
                "handle": handle,
                "max_age_s": max_age_s,
                "window_days": window_days,
            },
            idempotency_key,
        )

    def run_account_score(
        self,
        *,
        platform: models.GetDirectoryEntryPlatform,
        handle: str,
        max_age_s: int | None = None,
        idempotency_key: str | None = None,
    ) -> Answer[models.RunAccountScoreResult, models.DerivedMeta]:
        """A score of an account, with its parts."""
        return self._connection.answer(
            "run_account_score",
            models.RunAccountScoreResult,
            models.DerivedMeta,
            {
                "platform": platform,
                "handle": handle,
                "max_age_s": max_age_s,
            },
            idempotency_key,
        )

    def run_audience_overlap(
        self,
        *,
        platform: models.RunAudienceOverlapPlatform,
        handle: str,
        other: models.RunAudienceOverlapOther,
        max_age_s: int | None = None,
        idempotency_key: str | None = None,
    ) -> Answer[models.RunAudienceOverlapResult, models.DerivedMeta]:
        """Overlap of the followers of two accounts."""
        return self._connection.answer(
            "run_audience_overlap",
            models.RunAudienceOverlapResult,
            models.DerivedMeta,
            {
                "platform": platform,
                "handle": handle,
                "other": other,
                "max_age_s": max_age_s,
            },
            idempotency_key,
        )

    def run_best_time_to_post(
        self,
        *,
        platform: models.GetDirectoryEntryPlatform,
        handle: str,
        max_age_s: int | None = None,
        timezone: str | None = None,
        window_days: int | None = None,
        idempotency_key: str | None = None,
    ) -> Answer[models.RunBestTimeToPostResult, models.DerivedMeta]:
        """When the posts of an account get more engagement."""
        return self._connection.answer(
            "run_best_time_to_post",
            models.RunBestTimeToPostResult,
            models.DerivedMeta,
            {
                "platform": platform,
                "handle": handle,
                "max_age_s": max_age_s,
                "timezone": timezone,
                "window_days": window_days,
            },
            idempotency_key,
        )

    def run_cross_platform_match(
        self,
        *,
        platform: models.CheckAccountPlatform,
        handle: str,
        max_age_s: int | None = None,
        idempotency_key: str | None = None,
    ) -> Answer[models.RunCrossPlatformMatchResult, models.DerivedMeta]:
        """Accounts of the same person on other platforms."""
        return self._connection.answer(
            "run_cross_platform_match",
            models.RunCrossPlatformMatchResult,
            models.DerivedMeta,
            {
                "platform": platform,
                "handle": handle,
                "max_age_s": max_age_s,
            },
            idempotency_key,
        )

    def run_engagement_authenticity(
        self,
        *,
        platform: models.GetDirectoryEntryPlatform,
        handle: str,
        max_age_s: int | None = None,
        window_days: int | None = None,
        idempotency_key: str | None = None,
    ) -> Answer[models.RunEngagementAuthenticityResult, models.DerivedMeta]:
        """Whether reactions are unusual for the platform."""
        return self._connection.answer(
            "run_engagement_authenticity",
            models.RunEngagementAuthenticityResult,
            models.DerivedMeta,
            {
                "platform": platform,
                "handle": handle,
                "max_age_s": max_age_s,
                "window_days": window_days,
            },
            idempotency_key,
        )

    def run_engagement_rate(
        self,
        *,
        platform: models.GetDirectoryEntryPlatform,
        handle: str,
        max_age_s: int | None = None,
        window_days: int | None = None,
        idempotency_key: str | None = None,
    ) -> Answer[models.RunEngagementRateResult, models.DerivedMeta]:
        """Engagement of the posts of an account."""
        return self._connection.answer(
            "run_engagement_rate",
            models.RunEngagementRateResult,
            models.DerivedMeta,
            {
                "platform": platform,
                "handle": handle,
                "max_age_s": max_age_s,
                "window_days": window_days,
            },
            idempotency_key,
        )

    def run_follower_audit(
        self,
        *,
        platform: models.RunAudienceOverlapPlatform,
        handle: str,
        max_age_s: int | None = None,
        sample_size: int | None = None,
        idempotency_key: str | None = None,
    ) -> Answer[models.RunFollowerAuditResult, models.DerivedMeta]:
        """How much of an audience is suspicious or inactive."""
        return self._connection.answer(
            "run_follower_audit",
            models.RunFollowerAuditResult,
            models.DerivedMeta,
            {
                "platform": platform,
                "handle": handle,
                "max_age_s": max_age_s,
                "sample_size": sample_size,
            },
            idempotency_key,
        )

    def run_follower_rank(
        self,
        *,
        platform: models.GetDirectoryEntryPlatform,
        handle: str | None = None,
        max_age_s: int | None = None,
        followers: int | None = None,
        idempotency_key: str | None = None,
    ) -> Answer[models.RunFollowerRankResult, models.DerivedMeta]:
        """Rank of an account or of a number of followers."""
        return self._connection.answer(
            "run_follower_rank",
            models.RunFollowerRankResult,
            models.DerivedMeta,
            {
                "platform": platform,
                "handle": handle,
                "max_age_s": max_age_s,
                "followers": followers,
            },
            idempotency_key,
        )

    def run_growth_projection(
        self,
        *,
        platform: models.GetDirectoryEntryPlatform,
        handle: str,
        days: int,
        max_age_s: int | None = None,
        idempotency_key: str | None = None,
    ) -> Answer[models.RunGrowthProjectionResult, models.DerivedMeta]:
        """Projected followers of an account."""
        return self._connection.answer(
            "run_growth_projection",
            models.RunGrowthProjectionResult,
            models.DerivedMeta,
            {
                "platform": platform,
                "handle": handle,
                "days": days,
                "max_age_s": max_age_s,
            },
            idempotency_key,
        )

    def run_handle_availability(
        self,
        *,
        handle: str,
        platform: models.CheckAccountPlatform | None = None,
        platforms: Sequence[models.CheckAccountPlatform] | None = None,
        max_age_s: int | None = None,
        idempotency_key: str | None = None,
    ) -> Answer[models.RunHandleAvailabilityResult, models.DerivedMeta]:
        """Whether a name is free."""
        return self._connection.answer(
            "run_handle_availability",
            models.RunHandleAvailabilityResult,
            models.DerivedMeta,
            {
                "handle": handle,
                "platform": platform,
                "platforms": platforms,
                "max_age_s": max_age_s,
            },
            idempotency_key,
        )

    def run_handle_similarity(
        self,
        *,
        platform: models.GetDirectoryEntryPlatform,
        handle: str,
        max_age_s: int | None = None,
        limit: int | None = None,
        idempotency_key: str | None = None,
    ) -> Answer[models.RunHandleSimilarityResult, models.DerivedMeta]:
        """Handles that look like another handle."""
        return self._connection.answer(
            "run_handle_similarity",
            models.RunHandleSimilarityResult,
            models.DerivedMeta,
            {
                "platform": platform,
                "handle": handle,
                "max_age_s": max_age_s,
                "limit": limit,
            },
            idempotency_key,
        )

    def run_post_price(
        self,
        *,
        platform: models.GetDirectoryEntryPlatform,
        handle: str,
        max_age_s: int | None = None,
        window_days: int | None = None,
        idempotency_key: str | None = None,
    ) -> Answer[models.RunPostPriceResult, models.DerivedMeta]:
        """What a paid post of an account would cost."""
        return self._connection.answer(
            "run_post_price",
            models.RunPostPriceResult,
            models.DerivedMeta,
            {
                "platform": platform,
                "handle": handle,
                "max_age_s": max_age_s,
                "window_days": window_days,
            },
            idempotency_key,
        )

    def run_shadowban_check(
        self,
        *,
        platform: models.RunShadowbanCheckPlatform,
        handle: str,
        max_age_s: int | None = None,
        idempotency_key: str | None = None,
    ) -> Answer[models.RunShadowbanCheckResult, models.DerivedMeta]:
        """Whether a platform hides an account without saying so."""
        return self._connection.answer(
            "run_shadowban_check",
            models.RunShadowbanCheckResult,
            models.DerivedMeta,
            {
                "platform": platform,
                "handle": handle,
                "max_age_s": max_age_s,
            },
            idempotency_key,
        )

    def run_trust_report(
        self,
        *,
        platform: models.GetDirectoryEntryPlatform,
        handle: str,
        max_age_s: int | None = None,
        idempotency_key: str | None = None,
    ) -> Answer[models.RunTrustReportResult, models.DerivedMeta]:
        """Evidence for and against trusting an account."""
        return self._connection.answer(
            "run_trust_report",
            models.RunTrustReportResult,
            models.DerivedMeta,
            {
                "platform": platform,
                "handle": handle,
                "max_age_s": max_age_s,
            },
            idempotency_key,
        )

    def run_username_score(
        self,
        *,
        handle: str,
        platform: models.CheckAccountPlatform | None = None,
        idempotency_key: str | None = None,
    ) -> Answer[models.RunUsernameScoreResult, models.DerivedMeta]:
        """How good a name is."""
        return self._connection.answer(
            "run_username_score",
            models.RunUsernameScoreResult,
            models.DerivedMeta,
            {
                "handle": handle,
                "platform": platform,
            },
            idempotency_key,
        )

    def run_valuation(
        self,
        *,
        platform: models.CheckAccountPlatform,
        handle: str,
        max_age_s: int | None = None,
        idempotency_key: str | None = None,
    ) -> Answer[models.RunValuationResult, models.DerivedMeta]:
        """Estimated sale price of an account."""
        return self._connection.answer(
            "run_valuation",
            models.RunValuationResult,
            models.DerivedMeta,
            {
                "platform": platform,
                "handle": handle,
                "max_age_s": max_age_s,
            },
            idempotency_key,
        )

    def run_virality_check(
        self,
        *,
        platform: models.RunViralityCheckPlatform,
        post_url: str,
        handle: str | None = None,
        max_age_s: int | None = None,
        idempotency_key: str | None = None,
    ) -> Answer[models.RunViralityCheckResult, models.DerivedMeta]:
        """How far a post exceeds its author’s median engagement."""
        return self._connection.answer(
            "run_virality_check",
            models.RunViralityCheckResult,
            models.DerivedMeta,
            {
                "platform": platform,
                "post_url": post_url,
                "handle": handle,
                "max_age_s": max_age_s,
            },
            idempotency_key,
        )


class Sightline(Client):
    __doc__ = Client.__doc__

    @cached_property
    def raw(self) -> RawSightline:
        """The same functions, with all that came with an answer; of a list, one page."""
        return RawSightline(self._connection)

    def get_capabilities(
        self,
    ) -> models.Capabilities:
        """What your key may call.

        Lists every endpoint with its scope, the cost of a call, and whether your key may call it. If it may not, the entry has the error that a call would return.

        Scope: none.

        Metered as: free. Lowest plan: free.
        """
        return self.raw.get_capabilities().data

    def check_account(
        self,
        *,
        platform: models.CheckAccountPlatform,
        handle: str,
    ) -> models.AccountCheck:
        """Check an account in the catalog.

        Whether the account exists, how large it is, and the age of the reading. `exists` is null for an account that was never read. It is also null for a handle that its account has left; `renamed_to` then has the current handle.

        Scope: `accounts:read`.

        Metered as: free. Lowest plan: free.
        """
        return self.raw.check_account(
            platform=platform,
            handle=handle,
        ).data

    def check_account_live(
        self,
        *,
        platform: models.CheckAccountPlatform,
        handle: str,
        max_age_s: int | None = None,
    ) -> models.AccountCheck:
        """Check an account on its platform.

        Reads the platform for this request and records the result in the catalog. The answer for a suspended, deactivated or absent account has no figures. With `max_age_s`, a recent enough reading from the catalog is returned instead, free of charge.

        Scope: `accounts:live`.

        Metered as: live. Lowest plan: starter.

        Sends at most 12 requests to platforms.

        Args:
            max_age_s: Return the catalog’s reading if none of its values is older than this many seconds.
        """
        return self.raw.check_account_live(
            platform=platform,
            handle=handle,
            max_age_s=max_age_s,
        ).data

    def check_accounts(
        self,
        *,
        accounts: Sequence[models.CheckAccountsAccounts],
        idempotency_key: str | None = None,
    ) -> models.CheckAccountsResult:
        """Check up to 100 accounts in the catalog.

        Checks many accounts at once, in the order of the request. An item that is not a valid account reference gets the status `unknown` and an error; the other items are not affected.

        Scope: `accounts:read`.

        Metered as: free. Lowest plan: free.
        """
        return self.raw.check_accounts(
            accounts=accounts,
            idempotency_key=idempotency_key,
        ).data

    def list_platforms(
        self,
        *,
        limit: int | None = None,
    ) -> Items[models.Platform, models.ListMeta]:
        """The platforms.

        Capabilities of each platform, the number of its accounts in the catalog, and the time of the newest sighting.

        Scope: `accounts:read`.

        Metered as: free. Lowest plan: free.

        Args:
            limit: Maximum items per page; default 25.
        """
        return Items(
            lambda cursor: self.raw.list_platforms(
                limit=limit,
                cursor=cursor,
            )
        )

    def resolve_account(
        self,
        *,
        url: str,
    ) -> models.AccountCheck:
        """Check the account of a profile URL.

        Accepts a profile URL of any platform, or `platform:handle`, and checks that account. Only YouTube can resolve its URLs with `/c/` or `/user/`: they are read live, which costs a live call and requires the scope `accounts:live`.

        Scope: `accounts:read`.

        Metered as: free. Lowest plan: free.

        Sends at most 18 requests to platforms.
        """
        return self.raw.resolve_account(
            url=url,
        ).data

    def get_directory_entry(
        self,
        *,
        platform: models.GetDirectoryEntryPlatform,
        id: str,
    ) -> models.DirectoryEntry:
        """One entry of the catalog.

        The newest reading of an account, by handle or by native ID. A native ID survives renames.

        Scope: `directory:read`.

        Metered as: catalog. Lowest plan: free.
        """
        return self.raw.get_directory_entry(
            platform=platform,
            id=id,
        ).data

    def get_directory_stats(
        self,
    ) -> models.GetDirectoryStatsResult:
        """Statistics of the catalog.

        By platform: number of accounts by status and size, and the age of their oldest values.

        Scope: `directory:read`.

        Metered as: catalog. Lowest plan: free.
        """
        return self.raw.get_directory_stats().data

    def list_directory(
        self,
        *,
        platform: models.GetDirectoryEntryPlatform | None = None,
        q: str | None = None,
        min_followers: int | None = None,
        max_followers: int | None = None,
        verified: bool | None = None,
        status: models.ListDirectoryStatus | None = None,
        seen_since: str | None = None,
        created_since: str | None = None,
        sort: models.ListDirectorySort | None = None,
        limit: int | None = None,
    ) -> Items[models.DirectoryEntry, models.ExportListMeta]:
        """The catalog of all directory platforms.

        Entries of the six directory platforms, filtered and sorted.

        Scope: `directory:read`.

        Metered as: catalog. Lowest plan: free.

        Args:
            q: Words that must each begin the handle or a word of the name; or a former handle that no other account uses now.
            seen_since: Last found to exist at this time or later.
            sort: Default `followers`. Unknown values sort last. `growth_30d` is the growth up to the last sighting of the account, however long ago that was.
            limit: Maximum items per page; default 25. A page costs one unit for every 100 rows or part of them.
        """
        return Items(
            lambda cursor: self.raw.list_directory(
                platform=platform,
                q=q,
                min_followers=min_followers,
                max_followers=max_followers,
                verified=verified,
                status=status,
                seen_since=seen_since,
                created_since=created_since,
                sort=sort,
                limit=limit,
                cursor=cursor,
            )
        )

    def list_directory_changes(
        self,
        *,
        platform: models.GetDirectoryEntryPlatform | None = None,
        kind: models.ListDirectoryChangesKind | None = None,
        limit: int | None = None,
        after: models.ListDirectoryChangesAfter | None = None,
    ) -> Items[models.DirectoryChange, models.FeedMeta]:
        """Changes of accounts in the catalog.

        Changes in log order, for mirroring the catalog. They cover all fields of an entry except counts, posts and the times of readings. A row is about the entry with its `id` or, if `id` is null, with its handle (for a rename, the former handle). An entry left with neither was found to be the same account as another one: drop it. Store `meta.resume_cursor`, and send it later as `cursor` to get the changes since. It is bound to the filters and valid as long as the operator keeps the secret that signed it.

        Scope: `directory:read`.

        Metered as: catalog. Lowest plan: free.

        Args:
            limit: Maximum items per page; default 25. A page costs one unit for every 100 rows or part of them.
            after: `now` returns an empty page whose `meta.resume_cursor` starts at the rows added from now on.
        """
        return Items(
            lambda cursor: self.raw.list_directory_changes(
                platform=platform,
                kind=kind,
                limit=limit,
                after=after,
                cursor=cursor,
            )
        )

    def list_entry_history(
        self,
        *,
        platform: models.GetDirectoryEntryPlatform,
        id: str,
        limit: int | None = None,
    ) -> Items[models.HistoryPoint, models.ExportListMeta]:
        """History of an account.

        The first reading of each day, and each reading that found a change of `handle` or `display_name` or `verified`; newest first.

        Scope: `directory:read`.

        Metered as: catalog. Lowest plan: free.

        Args:
            limit: Maximum items per page; default 25. A page costs one unit for every 100 rows or part of them.
        """
        return Items(
            lambda cursor: self.raw.list_entry_history(
                platform=platform,
                id=id,
                limit=limit,
                cursor=cursor,
            )
        )

    def list_entry_posts(
        self,
        *,
        platform: models.GetDirectoryEntryPlatform,
        id: str,
        limit: int | None = None,
    ) -> Items[models.Post, models.ExportListMeta]:
        """Posts of an account.

        Observed posts, newest first. For 60 days, the counts of an older post are recorded again if they have moved by 2 %. `observed_at` is the time of the oldest reading among these counts.

        Scope: `directory:read`.

        Metered as: catalog. Lowest plan: free.

        Args:
            limit: Maximum items per page; default 25. A page costs one unit for every 100 rows or part of them.
        """
        return Items(
            lambda cursor: self.raw.list_entry_posts(
                platform=platform,
                id=id,
                limit=limit,
                cursor=cursor,
            )
        )

    def list_platform_directory(
        self,
        *,
        platform: models.GetDirectoryEntryPlatform,
        q: str | None = None,
        min_followers: int | None = None,
        max_followers: int | None = None,
        verified: bool | None = None,
        status: models.ListDirectoryStatus | None = None,
        seen_since: str | None = None,
        created_since: str | None = None,
        sort: models.ListDirectorySort | None = None,
        limit: int | None = None,
    ) -> Items[models.DirectoryEntry, models.ExportListMeta]:
        """The catalog of one platform.

        Entries of one platform, filtered and sorted.

        Scope: `directory:read`.

        Metered as: catalog. Lowest plan: free.

        Args:
            q: Words that must each begin the handle or a word of the name; or a former handle that no other account uses now.
            seen_since: Last found to exist at this time or later.
            sort: Default `followers`. Unknown values sort last. `growth_30d` is the growth up to the last sighting of the account, however long ago that was.
            limit: Maximum items per page; default 25. A page costs one unit for every 100 rows or part of them.
        """
        return Items(
            lambda cursor: self.raw.list_platform_directory(
                platform=platform,
                q=q,
                min_followers=min_followers,
                max_followers=max_followers,
                verified=verified,
                status=status,
                seen_since=seen_since,
                created_since=created_since,
                sort=sort,
                limit=limit,
                cursor=cursor,
            )
        )

    def list_similar_entries(
        self,
        *,
        platform: models.GetDirectoryEntryPlatform,
        id: str,
        limit: int | None = None,
    ) -> Items[models.SimilarEntry, models.ListMeta]:
        """Similar accounts.

        Accounts of all directory platforms with a similar handle, name, links or size, most similar first. The comparison covers accounts that share a link, a word of the name, or a prefix of a word or of the handle, if at most 200 accounts share it, and 200 accounts with the same name. Similarity does not prove a common owner.

        Scope: `directory:read`.

        Metered as: catalog. Lowest plan: free.

        Args:
            limit: Maximum items per page; default 25.
        """
        return Items(
            lambda cursor: self.raw.list_similar_entries(
                platform=platform,
                id=id,
                limit=limit,
                cursor=cursor,
            )
        )

    def list_top_entries(
        self,
        *,
        by: models.ListTopEntriesBy | None = None,
        platform: models.GetDirectoryEntryPlatform | None = None,
        limit: int | None = None,
    ) -> Items[models.DirectoryEntry, models.ExportListMeta]:
        """Largest and fastest growing accounts.

        Accounts that the last reading found, ranked by followers or by growth. Growth is the followers at the last sighting minus those at the newest sighting at least 7 (or 30) and at most 60 days earlier. Rankings by growth include only accounts seen in the last 7 (or 30) days. Accounts whose value is unknown are omitted.

        Scope: `directory:read`.

        Metered as: catalog. Lowest plan: free.

        Args:
            by: Default `followers`.
            limit: Maximum items per page; default 25. A page costs one unit for every 100 rows or part of them.
        """
        return Items(
            lambda cursor: self.raw.list_top_entries(
                by=by,
                platform=platform,
                limit=limit,
                cursor=cursor,
            )
        )

    def get_engine(
        self,
        *,
        key: str,
        window: models.GetEngineWindow | None = None,
    ) -> models.Engine:
        """Health of one crawler.

        One engine by its key: the name of its platform, or `marketplace`. `meta.cache_age_s` is the age of its last report.

        Scope: `engines:read`.

        Metered as: catalog. Lowest plan: free.

        Args:
            window: Time window of `success_rate`, `outcomes` and `latency_ms`. Default `1h`.
        """
        return self.raw.get_engine(
            key=key,
            window=window,
        ).data

    def list_engines(
        self,
        *,
        window: models.GetEngineWindow | None = None,
        limit: int | None = None,
    ) -> Items[models.Engine, models.ListMeta]:
        """Health of every crawler.

        The engines that fill the catalog: one of each platform, and one that reads a marketplace. Workers report once a minute; `meta.cache_age_s` is the age of the oldest last report of an engine. A figure that can’t be computed is null, never 0.

        Scope: `engines:read`.

        Metered as: catalog. Lowest plan: free.

        Args:
            window: Time window of `success_rate`, `outcomes` and `latency_ms`. Default `1h`.
            limit: Maximum items per page; default 25.
        """
        return Items(
            lambda cursor: self.raw.list_engines(
                window=window,
                limit=limit,
                cursor=cursor,
            )
        )

    def get_x_cohort_benchmarks(
        self,
    ) -> models.GetXCohortBenchmarksResult:
        """Benchmarks for accounts of X by size.

        Percentiles of the figures of `/insights/x/{handle}` for eight size bands and for all accounts, as last computed. Bands and figures of fewer than 30 accounts are omitted. `framing` describes the sample.

        Scope: `insights:read`.

        Metered as: catalog. Lowest plan: starter.
        """
        return self.raw.get_x_cohort_benchmarks().data

    def get_x_content_mix(
        self,
        *,
        handle: str,
        timezone: str | None = None,
        window_days: int | None = None,
    ) -> models.GetXContentMixResult:
        """Content of an account of X, and its effect on engagement.

        Shares of the posts in the window by kind, and of the original posts by media, links, hashtags and mentions. `effects` compares the engagement of ripe original posts with and without a trait, at the same hour and age, with 95 % intervals; `significant` uses Benjamini and Hochberg’s procedure at 0.05. If the sample is too small, `effects` is null and the warning is `effects_need_more_posts`. `measurable: false` means that no difference is measurable. `meta.warnings`: `posts_not_ripe` (omitted), `order_unknown` (some posts were selected by the platform), `counts_rounded`, `dependence_unclear` (the posts do not tell how strongly they depend on each other, so that intervals may be too narrow for an account with streaks of its own), `window_not_covered` (older posts are not known), `window_ends_early` (posts of the last days are not known), `views_unknown`, `replies_unknown` (reading them requires a session), `followers_after_posts` (known from later readings only), `population_unknown` (not computed yet), `cohort_small` (fewer than 30 accounts of about the size).

        Scope: `insights:read`.

        Metered as: catalog. Lowest plan: starter.

        Args:
            timezone: IANA time zone of hours and weekdays, such as `Europe/Berlin`; default `UTC`.
            window_days: Length of the window before the account's last sighting, in days; default 365.
        """
        return self.raw.get_x_content_mix(
            handle=handle,
            timezone=timezone,
            window_days=window_days,
        ).data

    def get_x_data_coverage(
        self,
    ) -> models.GetXDataCoverageResult:
        """Data behind the insights on X.

        How many accounts and posts of X are in the catalog, and how many of them the figures use, as of the last computation.

        Scope: `insights:read`.

        Metered as: catalog. Lowest plan: starter.
        """
        return self.raw.get_x_data_coverage().data

    def get_x_engagement(
        self,
        *,
        handle: str,
        window_days: int | None = None,
    ) -> models.GetXEngagementResult:
        """Engagement of the posts of an account of X.

        Medians and quartiles of ripe original posts, with 95 % intervals, and medians by week. Engagement is the sum of likes, replies, reposts and quotes. Rates divide it by the followers at the time of the post, or by the views of the post. A figure known for fewer than 8 posts is null. `meta.warnings`: `posts_not_ripe` (omitted), `order_unknown` (some posts were selected by the platform), `counts_rounded`, `dependence_unclear` (the posts do not tell how strongly they depend on each other, so that intervals may be too narrow for an account with streaks of its own), `window_not_covered` (older posts are not known), `window_ends_early` (posts of the last days are not known), `views_unknown`, `replies_unknown` (reading them requires a session), `followers_after_posts` (known from later readings only), `population_unknown` (not computed yet), `cohort_small` (fewer than 30 accounts of about the size).

        Scope: `insights:read`.

        Metered as: catalog. Lowest plan: starter.

        Args:
            window_days: Length of the window before the account's last sighting, in days; default 30.
        """
        return self.raw.get_x_engagement(
            handle=handle,
            window_days=window_days,
        ).data

    def get_x_growth(
        self,
        *,
        handle: str,
        from_: str | None = None,
        to: str | None = None,
    ) -> models.GetXGrowthResult:
        """Follower growth of an account of X.

        Readings of the followers, the change from the first to the last, the median slope of all pairs of readings (Theil and Sen) with its 95 % interval, and changes that are far larger than usual. A change that all accounts of X share, such as a purge of bots, is attributed to the platform. A slope requires 8 readings.

        Scope: `insights:read`.

        Metered as: catalog. Lowest plan: starter.

        Args:
            from_: Default 90 days before `to`.
            to: Default: the last sighting of the account.
        """
        return self.raw.get_x_growth(
            handle=handle,
            from_=from_,
            to=to,
        ).data

    def get_x_insights(
        self,
        *,
        handle: str,
        window_days: int | None = None,
    ) -> models.GetXInsightsResult:
        """Key figures of an account of X.

        Medians of original posts, each with a 95 % interval in `intervals`: engagement by followers at the time of the post, engagement by views, and views. Also posts per week, and the percentile of the engagement by followers among the accounts nearest in size. Rates are shares: 0.01 is 1 %. `meta.warnings`: `posts_not_ripe` (omitted), `order_unknown` (some posts were selected by the platform), `counts_rounded`, `dependence_unclear` (the posts do not tell how strongly they depend on each other, so that intervals may be too narrow for an account with streaks of its own), `window_not_covered` (older posts are not known), `window_ends_early` (posts of the last days are not known), `views_unknown`, `replies_unknown` (reading them requires a session), `followers_after_posts` (known from later readings only), `population_unknown` (not computed yet), `cohort_small` (fewer than 30 accounts of about the size).

        Scope: `insights:read`.

        Metered as: catalog. Lowest plan: starter.

        Args:
            window_days: Length of the window before the account's last sighting, in days; default 30.
        """
        return self.raw.get_x_insights(
            handle=handle,
            window_days=window_days,
        ).data

    def get_x_population_patterns(
        self,
    ) -> models.GetXPopulationPatternsResult:
        """When posts on X get more engagement.

        Engagement by hour of the week (UTC) over a sample of authors. The posts of an hour are compared with the median of their author; the figure is the median over authors, with its 95 % interval, and null for fewer than 30 authors. Authors live in many time zones and choose when they post: the figures say nothing about causes.

        Scope: `insights:read`.

        Metered as: catalog. Lowest plan: starter.
        """
        return self.raw.get_x_population_patterns().data

    def get_x_posting_patterns(
        self,
        *,
        handle: str,
        timezone: str | None = None,
        window_days: int | None = None,
    ) -> models.GetXPostingPatternsResult:
        """When the posts of an account of X get more engagement.

        Engagement by hour of the week compared with the account’s usual engagement, with 95 % intervals. `best` has hours only if the effect of hour or weekday exceeds chance (Benjamini and Hochberg at 0.05); `significant: false` means that no difference is measurable. If the platform selected all posts, or if they vary too little, nothing is tested and `cells` is empty. `meta.warnings`: `posts_not_ripe` (omitted), `order_unknown` (some posts were selected by the platform), `counts_rounded`, `dependence_unclear` (the posts do not tell how strongly they depend on each other, so that intervals may be too narrow for an account with streaks of its own), `window_not_covered` (older posts are not known), `window_ends_early` (posts of the last days are not known), `views_unknown`, `replies_unknown` (reading them requires a session), `followers_after_posts` (known from later readings only), `population_unknown` (not computed yet), `cohort_small` (fewer than 30 accounts of about the size).

        Scope: `insights:read`.

        Metered as: catalog. Lowest plan: starter.

        Args:
            timezone: IANA time zone of hours and weekdays, such as `Europe/Berlin`; default `UTC`.
            window_days: Length of the window before the account's last sighting, in days; default 365.
        """
        return self.raw.get_x_posting_patterns(
            handle=handle,
            timezone=timezone,
            window_days=window_days,
        ).data

    def list_x_peers(
        self,
        *,
        handle: str,
        limit: int | None = None,
    ) -> Items[models.Peer, models.DerivedListMeta]:
        """Accounts of X of about the same size.

        The 200 accounts of the catalog with the nearest numbers of followers on a logarithmic scale, nearest first, with medians of their original posts of 30 days. They have from a third to three times as many followers. Accounts with fewer than 8 ripe original posts are omitted.

        Scope: `insights:read`.

        Metered as: catalog. Lowest plan: starter.

        Args:
            limit: Maximum items per page; default 25.
        """
        return Items(
            lambda cursor: self.raw.list_x_peers(
                handle=handle,
                limit=limit,
                cursor=cursor,
            )
        )

    def list_x_population_viral_posts(
        self,
        *,
        min_multiple: int | None = None,
        since: str | None = None,
        limit: int | None = None,
    ) -> Items[models.PopulationViralPost, models.DerivedListMeta]:
        """Posts on X furthest above the median of their author.

        Ripe original posts of the 30 days before the last sighting of their authors, by robust z-score, highest first. Each has at least three times its author’s median engagement and a robust z-score of at least 3.5; at most three are listed per author. A page may be short although it has a `next_cursor`.

        Scope: `insights:read`.

        Metered as: catalog. Lowest plan: starter.

        Args:
            min_multiple: Minimum multiple of the author's median; default 3.
            since: Published at this time or later.
            limit: Maximum items per page; default 25.
        """
        return Items(
            lambda cursor: self.raw.list_x_population_viral_posts(
                min_multiple=min_multiple,
                since=since,
                limit=limit,
                cursor=cursor,
            )
        )

    def list_x_top_tweets(
        self,
        *,
        handle: str,
        sort: models.ListXTopTweetsSort | None = None,
        window_days: int | None = None,
        limit: int | None = None,
    ) -> Items[models.InsightPost, models.DerivedListMeta]:
        """The posts of an account of X with the most engagement.

        Original posts of the window, highest count first; posts whose count is unknown come last. Young posts are listed with `is_ripe: false`. `meta.warnings`: `posts_not_ripe` (omitted), `order_unknown` (some posts were selected by the platform), `counts_rounded`, `dependence_unclear` (the posts do not tell how strongly they depend on each other, so that intervals may be too narrow for an account with streaks of its own), `window_not_covered` (older posts are not known), `window_ends_early` (posts of the last days are not known), `views_unknown`, `replies_unknown` (reading them requires a session), `followers_after_posts` (known from later readings only), `population_unknown` (not computed yet), `cohort_small` (fewer than 30 accounts of about the size).

        Scope: `insights:read`.

        Metered as: catalog. Lowest plan: starter.

        Args:
            sort: Default `engagement`.
            window_days: Length of the window before the account's last sighting, in days; default 30.
            limit: Maximum items per page; default 25.
        """
        return Items(
            lambda cursor: self.raw.list_x_top_tweets(
                handle=handle,
                sort=sort,
                window_days=window_days,
                limit=limit,
                cursor=cursor,
            )
        )

    def list_x_viral_posts(
        self,
        *,
        handle: str,
        min_multiple: int | None = None,
        window_days: int | None = None,
        limit: int | None = None,
    ) -> Items[models.InsightPost, models.DerivedListMeta]:
        """Posts of an account of X far above its median.

        Ripe original posts whose engagement is at least `min_multiple` times the median of all of them, highest multiple first. With fewer than 8 ripe posts the list is empty; `meta.coverage` has their number. `meta.warnings`: `posts_not_ripe` (omitted), `order_unknown` (some posts were selected by the platform), `counts_rounded`, `dependence_unclear` (the posts do not tell how strongly they depend on each other, so that intervals may be too narrow for an account with streaks of its own), `window_not_covered` (older posts are not known), `window_ends_early` (posts of the last days are not known), `views_unknown`, `replies_unknown` (reading them requires a session), `followers_after_posts` (known from later readings only), `population_unknown` (not computed yet), `cohort_small` (fewer than 30 accounts of about the size).

        Scope: `insights:read`.

        Metered as: catalog. Lowest plan: starter.

        Args:
            min_multiple: Minimum multiple of the median; default 3.
            window_days: Length of the window before the account's last sighting, in days; default 30.
            limit: Maximum items per page; default 25.
        """
        return Items(
            lambda cursor: self.raw.list_x_viral_posts(
                handle=handle,
                min_multiple=min_multiple,
                window_days=window_days,
                limit=limit,
                cursor=cursor,
            )
        )

    def export_follower_graph(
        self,
        *,
        handle: str,
        direction: models.ExportFollowerGraphDirection | None = None,
        limit: int | None = None,
    ) -> Items[models.FollowEdge, models.CoveredListMeta]:
        """Followers of an X account, or accounts it follows, as edges.

        Edges of a list that was read, in order of the members’ native IDs. `source` follows `target`; each is a handle, or `id:<native ID>` if no handle is known. An edge stays listed until a complete reading of the list no longer has it. Lists are read only up to the operator’s cap, and a reading may break off. `meta.coverage` (in NDJSON and CSV the header `X-List-Coverage`) says whether and when the list was read completely; otherwise, a missing edge may still exist. A list that was never read returns 404.

        Scope: `leads:read`.

        Metered as: catalog. Lowest plan: scale.

        Args:
            direction: Default `followers`.
            limit: Maximum items per page; default 25. A page costs one unit for every 100 rows or part of them.
        """
        return Items(
            lambda cursor: self.raw.export_follower_graph(
                handle=handle,
                direction=direction,
                limit=limit,
                cursor=cursor,
            )
        )

    def get_company(
        self,
        *,
        id: str,
    ) -> models.Company:
        """One company of LinkedIn.

        The facts of a company page, as last read. The ID of a company is its slug: public pages show no other ID.

        Scope: `leads:read`.

        Metered as: catalog. Lowest plan: scale.
        """
        return self.raw.get_company(
            id=id,
        ).data

    def list_companies(
        self,
        *,
        industry: str | None = None,
        size: models.ListCompaniesSize | None = None,
        country: str | None = None,
        q: str | None = None,
        limit: int | None = None,
    ) -> Items[models.Company, models.ExportListMeta]:
        """Companies of LinkedIn.

        Companies whose pages were read, in order of slug; companies whose page is gone are omitted. A company must match all filters. `industry` and `size_band` are null if the page does not show them.

        Scope: `leads:read`.

        Metered as: catalog. Lowest plan: scale.

        Args:
            industry: Industry as the page shows it; case, accents and punctuation make no difference.
            size: Employees.
            country: ISO 3166-1 alpha-2.
            q: Prefix of the slug. For a name, write dashes for spaces.
            limit: Maximum items per page; default 25. A page costs one unit for every 100 rows or part of them.
        """
        return Items(
            lambda cursor: self.raw.list_companies(
                industry=industry,
                size=size,
                country=country,
                q=q,
                limit=limit,
                cursor=cursor,
            )
        )

    def list_decision_makers(
        self,
        *,
        seniority: models.ListDecisionMakersSeniority | None = None,
        function: models.ListDecisionMakersFunction | None = None,
        company: str | None = None,
        industry: str | None = None,
        size: models.ListCompaniesSize | None = None,
        country: str | None = None,
        q: str | None = None,
        limit: int | None = None,
    ) -> Items[models.DecisionMaker, models.ExportListMeta]:
        """Decision makers of LinkedIn.

        People whose pages were read and whose title is that of an owner, a partner, or a director or above, in order of slug; `seniority` selects other titles. People whose page is gone are omitted. `seniority` and `function` are derived from the title, and null if it does not show them. `industry` and `size` are those of the employer; with them, a page may have fewer items than `limit` although `next_cursor` leads to more.

        Scope: `leads:read`.

        Metered as: catalog. Lowest plan: scale.

        Args:
            seniority: Default: `owner`, `cxo`, `partner`, `vp` and `director`. `any` is everyone, including people whose title shows no seniority.
            company: Slug of the employer.
            industry: Industry of the employer.
            size: Employees of the employer.
            country: ISO 3166-1 alpha-2.
            q: Prefix of the slug. For a name, write dashes for spaces.
            limit: Maximum items per page; default 25. A page costs one unit for every 100 rows or part of them.
        """
        return Items(
            lambda cursor: self.raw.list_decision_makers(
                seniority=seniority,
                function=function,
                company=company,
                industry=industry,
                size=size,
                country=country,
                q=q,
                limit=limit,
                cursor=cursor,
            )
        )

    def get_listing(
        self,
        *,
        id: str,
    ) -> models.Listing:
        """One listing.

        A listing by its ID, also after it was sold or withdrawn.

        Scope: `marketplace:read`.

        Metered as: catalog. Lowest plan: free.
        """
        return self.raw.get_listing(
            id=id,
        ).data

    def get_marketplace_pricing(
        self,
        *,
        platform: models.CheckAccountPlatform | None = None,
    ) -> models.GetMarketplacePricingResult:
        """Current prices per thousand followers.

        Quartiles of the price per thousand stated followers, by platform and follower band, separately for asking prices and prices paid. They are accurate to 1 %, and null for fewer than 10 values. Bands without any price are omitted.

        Scope: `marketplace:read`.

        Metered as: catalog. Lowest plan: free.
        """
        return self.raw.get_marketplace_pricing(
            platform=platform,
        ).data

    def get_marketplace_stats(
        self,
    ) -> models.GetMarketplaceStatsResult:
        """Statistics of the marketplaces.

        Listings, sellers and prices by platform. Quartiles are accurate to 1 %, and null for fewer than 10 values.

        Scope: `marketplace:read`.

        Metered as: catalog. Lowest plan: free.
        """
        return self.raw.get_marketplace_stats().data

    def list_listings(
        self,
        *,
        platform: models.CheckAccountPlatform | None = None,
        status: models.ListListingsStatus | None = None,
        seller: str | None = None,
        min_price_usd: str | None = None,
        max_price_usd: str | None = None,
        min_followers: int | None = None,
        max_followers: int | None = None,
        sort: models.ListListingsSort | None = None,
        limit: int | None = None,
    ) -> Items[models.Listing, models.ExportListMeta]:
        """Accounts that are for sale.

        Active listings; `status` selects sold or withdrawn ones instead. Price and followers are as stated by the marketplace; `verified_metrics` is the catalog’s own reading of the account.

        Scope: `marketplace:read`.

        Metered as: catalog. Lowest plan: free.

        Args:
            status: Default `active`.
            seller: `id` of a seller.
            min_price_usd: Asking price in US dollars, such as `99.95`.
            min_followers: As the seller states them.
            sort: Default `recent`: most recently changed first. `price` and `price_per_1k_followers` sort ascending, `price_desc` and `followers` descending. Unknown values sort last.
            limit: Maximum items per page; default 25. A page costs one unit for every 100 rows or part of them.
        """
        return Items(
            lambda cursor: self.raw.list_listings(
                platform=platform,
                status=status,
                seller=seller,
                min_price_usd=min_price_usd,
                max_price_usd=max_price_usd,
                min_followers=min_followers,
                max_followers=max_followers,
                sort=sort,
                limit=limit,
                cursor=cursor,
            )
        )

    def list_sellers(
        self,
        *,
        sort: models.ListSellersSort | None = None,
        limit: int | None = None,
    ) -> Items[models.Seller, models.ExportListMeta]:
        """Leaderboard of sellers.

        Sellers with an active or sold listing, highest value of `sort` first.

        Scope: `marketplace:read`.

        Metered as: catalog. Lowest plan: free.

        Args:
            sort: Default `sold`.
            limit: Maximum items per page; default 25. A page costs one unit for every 100 rows or part of them.
        """
        return Items(
            lambda cursor: self.raw.list_sellers(
                sort=sort,
                limit=limit,
                cursor=cursor,
            )
        )

    def lookup_person(
        self,
        *,
        platform: models.CheckAccountPlatform | None = None,
        handle: str | None = None,
        url: str | None = None,
        person_id: str | None = None,
        min_confidence: str | None = None,
    ) -> models.LookedUpPerson:
        """The person behind an account.

        The accounts of all platforms that evidence of both sides joins with the requested one, each with its confidence and the evidence whose weights add up to its log odds: links both ways, and link pages that list both. Links that nobody answers are claims, which join nobody: anyone can link to anyone under any name. An account without an answer is a person of its own.

        Scope: `people:read`.

        Metered as: catalog. Lowest plan: free.

        Args:
            url: A profile URL, or `platform:handle`.
            person_id: `person_id` of an earlier answer; `merged_into` names the person that it has become.
            min_confidence: Minimum confidence. Accounts below it are omitted, except the requested account (for `person_id`, the account that the ID was made from).
        """
        return self.raw.lookup_person(
            platform=platform,
            handle=handle,
            url=url,
            person_id=person_id,
            min_confidence=min_confidence,
        ).data

    def search_people(
        self,
        *,
        q: str,
        platform: models.CheckAccountPlatform | None = None,
        min_followers: int | None = None,
        min_confidence: str | None = None,
        limit: int | None = None,
    ) -> Items[models.Person, models.ListMeta]:
        """Persons by name or handle.

        Persons whose names or handles contain words that begin with the words of `q`, and persons of the account that last had the handle `q`. Persons with the largest account come first; sizes are ranked in steps of an eighth. Persons with LinkedIn accounts only require the scope `leads:read`. A page may have fewer items than `limit` although `next_cursor` leads to more.

        Scope: `people:read`.

        Metered as: catalog. Lowest plan: free.

        Args:
            platform: Persons with an account there.
            min_followers: Followers of the largest account; a LinkedIn account counts only if there is no other.
            min_confidence: Minimum confidence. Accounts below it are omitted, except the largest if all are below.
            limit: Maximum items per page; default 25.
        """
        return Items(
            lambda cursor: self.raw.search_people(
                q=q,
                platform=platform,
                min_followers=min_followers,
                min_confidence=min_confidence,
                limit=limit,
                cursor=cursor,
            )
        )

    def get_finding(
        self,
        *,
        id: str,
    ) -> models.Finding:
        """One finding.

        A finding by its ID, also after it was dismissed or superseded.

        Scope: `research:read`.

        Metered as: catalog. Lowest plan: growth.
        """
        return self.raw.get_finding(
            id=id,
        ).data

    def list_findings(
        self,
        *,
        kind: models.ListFindingsKind | None = None,
        run: str | None = None,
        pool: str | None = None,
        status: models.ListFindingsStatus | None = None,
        since: str | None = None,
        until: str | None = None,
        limit: int | None = None,
    ) -> Items[models.Finding, models.ListMeta]:
        """Findings of research.

        Findings of the research engine, newest first. A finding is a change that chance does not explain, with its figures and the events that support it. A lasting finding is recorded once a day and supersedes the previous one.

        Scope: `research:read`.

        Metered as: catalog. Lowest plan: growth.

        Args:
            kind: `pool_yield`: a pool discovers at least twice as many accounts a request as others. `pool_exhausted`: a pool discovers less than a tenth as many as on its best day. `pool_stale`: the accounts of a pool are read late. `demand_surge`: callers ask for at least twice as many accounts. `engine_fault`: readings stay inconclusive. `rename_wave`: at least twice as many accounts change their handle. `growth_cluster`: at least twice as many accounts of a pool jump in followers.
            run: `id` of a run.
            pool: Name of a pool.
            status: `open` until an operator confirms or dismisses it, or a newer finding supersedes it.
            since: Found at this time or later.
            until: Found before this time.
            limit: Maximum items per page; default 25.
        """
        return Items(
            lambda cursor: self.raw.list_findings(
                kind=kind,
                run=run,
                pool=pool,
                status=status,
                since=since,
                until=until,
                limit=limit,
                cursor=cursor,
            )
        )

    def list_research_events(
        self,
        *,
        run: str | None = None,
        pool: str | None = None,
        type: str | None = None,
        since: str | None = None,
        until: str | None = None,
        limit: int | None = None,
        after: models.ListDirectoryChangesAfter | None = None,
    ) -> Items[models.ResearchEvent, models.FeedMeta]:
        """Events of research.

        All events of research, in log order: figures, draws, findings, decisions, reviews and limits. Store `meta.resume_cursor`, and send it later as `cursor` to get the events since.

        Scope: `research:read`.

        Metered as: catalog. Lowest plan: growth.

        Args:
            run: `id` of a run.
            pool: Name of a pool.
            type: Type of the event, such as `ExpansionDecided`.
            since: At this time or later.
            until: Before this time.
            limit: Maximum items per page; default 25.
            after: `now` returns an empty page whose `meta.resume_cursor` starts at the rows added from now on.
        """
        return Items(
            lambda cursor: self.raw.list_research_events(
                run=run,
                pool=pool,
                type=type,
                since=since,
                until=until,
                limit=limit,
                after=after,
                cursor=cursor,
            )
        )

    def list_runs(
        self,
        *,
        status: models.ListRunsStatus | None = None,
        since: str | None = None,
        until: str | None = None,
        limit: int | None = None,
    ) -> Items[models.ResearchRun, models.ListMeta]:
        """Runs of research.

        Runs of the research engine, newest first. A run evaluates all pools, records findings, and decides which pools grow. A run whose process ended before the run did has failed.

        Scope: `research:read`.

        Metered as: catalog. Lowest plan: growth.

        Args:
            since: Started at this time or later.
            until: Started before this time.
            limit: Maximum items per page; default 25.
        """
        return Items(
            lambda cursor: self.raw.list_runs(
                status=status,
                since=since,
                until=until,
                limit=limit,
                cursor=cursor,
            )
        )

    def scrape_x_followers(
        self,
        *,
        handle: str,
        limit: int | None = None,
    ) -> Items[models.LiveFollower, models.AccountListMeta]:
        """Read an account’s followers on X.

        Reads a page of an account’s followers from X, newest followers first, and records it in the follower graph. Requires a session of the operator. Each page is a live call. X ends long lists early; `meta.account.capped` is then true on the last page.

        Scope: `scrape:live`.

        Metered as: live. Lowest plan: starter.

        Sends at most 18 requests to platforms.

        Args:
            limit: Maximum items per page; default 25.
        """
        return Items(
            lambda cursor: self.raw.scrape_x_followers(
                handle=handle,
                limit=limit,
                cursor=cursor,
            )
        )

    def scrape_x_tweet(
        self,
        *,
        id: str,
    ) -> models.ScrapeXTweetResult:
        """Read one post of X.

        Reads one post from X by its ID, and records it in the catalog. Requires a session of the operator. If the post is proven absent, or hidden together with its author, the call succeeds: `status` says so, and `post` is null.

        Scope: `scrape:live`.

        Metered as: live. Lowest plan: starter.

        Sends at most 6 requests to platforms.

        Args:
            id: ID of the post: the digits at the end of its address.
        """
        return self.raw.scrape_x_tweet(
            id=id,
        ).data

    def scrape_x_tweets(
        self,
        *,
        handle: str,
        limit: int | None = None,
    ) -> Items[models.LivePost, models.AccountListMeta]:
        """Read an account’s posts on X.

        Reads a page of an account’s own timeline from X, newest first, with reposts and replies; a pinned post comes first. Requires a session of the operator. Each page is a live call. `meta.account` describes the account; a private, suspended or absent account has no posts to show.

        Scope: `scrape:live`.

        Metered as: live. Lowest plan: starter.

        Sends at most 18 requests to platforms.

        Args:
            limit: Maximum items per page; default 25.
        """
        return Items(
            lambda cursor: self.raw.scrape_x_tweets(
                handle=handle,
                limit=limit,
                cursor=cursor,
            )
        )

    def scrape_x_user(
        self,
        *,
        handle: str | None = None,
        id: str | None = None,
    ) -> models.LiveEntry:
        """Read one account of X.

        Reads an account from X for this request and records it in the catalog. Name it by `handle` or by `id`; only a session of the operator can read by ID, or prove that a handle is unused. If the account is proven absent, suspended or deactivated, the call succeeds: `status` says so, and values that X does not show are null.

        Scope: `scrape:live`.

        Metered as: live. Lowest plan: starter.

        Sends at most 12 requests to platforms.

        Args:
            id: A native ID of X.
        """
        return self.raw.scrape_x_user(
            handle=handle,
            id=id,
        ).data

    def scrape_x_users(
        self,
        *,
        handles: Sequence[str],
        idempotency_key: str | None = None,
    ) -> models.ScrapeXUsersResult:
        """Read up to 50 accounts of X.

        Reads accounts from X for this request, each a live call of its own. An item that could not be read, or is not a handle of X, gets the status `unknown` and an error, and is refunded; the other items are not affected. An account named by several items is read and charged once. The batch must fit into the plan’s live calls per minute: a plan with 20 per minute allows at most 20 items. The time limit is 10 s per item, from its first request, and 60 s per batch.

        Scope: `scrape:live`.

        Metered as: live, by item; items without a result are refunded. Lowest plan: starter.

        Sends at most 12 requests to platforms for each item.
        """
        return self.raw.scrape_x_users(
            handles=handles,
            idempotency_key=idempotency_key,
        ).data

    def verify_bluesky_ownership(
        self,
        *,
        handle: str,
        reference: str | None = None,
        parts: str | None = None,
    ) -> models.OwnershipVerification:
        """Verify the ownership of an account of Bluesky.

        The first call returns a code. Once the owner shows it on the account, a later call finds it. Each call reads the platform and is a live call. A code belongs to the holder of the key, the `reference`, the handle and the day, and is valid for seven days. A code that is found proves that someone who has it could write to one of the `parts` of the account. Without a `reference`, all your users who ask for an account get the same code. If an account repeats what strangers write, a code in its posts proves only that one of them wrote it. Store `id`: it stays the same when the account is renamed and another account takes its handle. Only the account’s own original posts count.

        Scope: `verify:live`.

        Metered as: live. Lowest plan: starter.

        Sends at most 18 requests to platforms.

        Args:
            reference: Your own ID of the user who asks, so that each user gets a different code.
            parts: Parts of the account in which to look for the code, such as `bio` or `bio,name`. Default: all three.
        """
        return self.raw.verify_bluesky_ownership(
            handle=handle,
            reference=reference,
            parts=parts,
        ).data

    def verify_instagram_ownership(
        self,
        *,
        handle: str,
        reference: str | None = None,
        parts: str | None = None,
    ) -> models.OwnershipVerification:
        """Verify the ownership of an account of Instagram.

        The first call returns a code. Once the owner shows it on the account, a later call finds it. Each call reads the platform and is a live call. A code belongs to the holder of the key, the `reference`, the handle and the day, and is valid for seven days. A code that is found proves that someone who has it could write to one of the `parts` of the account. Without a `reference`, all your users who ask for an account get the same code. If an account repeats what strangers write, a code in its posts proves only that one of them wrote it. Store `id`: it stays the same when the account is renamed and another account takes its handle. Only the account’s own original posts count.

        Scope: `verify:live`.

        Metered as: live. Lowest plan: starter.

        Sends at most 18 requests to platforms.

        Args:
            reference: Your own ID of the user who asks, so that each user gets a different code.
            parts: Parts of the account in which to look for the code, such as `bio` or `bio,name`. Default: all three.
        """
        return self.raw.verify_instagram_ownership(
            handle=handle,
            reference=reference,
            parts=parts,
        ).data

    def verify_telegram_ownership(
        self,
        *,
        handle: str,
        reference: str | None = None,
        parts: str | None = None,
    ) -> models.OwnershipVerification:
        """Verify the ownership of an account of Telegram.

        The first call returns a code. Once the owner shows it on the account, a later call finds it. Each call reads the platform and is a live call. A code belongs to the holder of the key, the `reference`, the handle and the day, and is valid for seven days. A code that is found proves that someone who has it could write to one of the `parts` of the account. Without a `reference`, all your users who ask for an account get the same code. If an account repeats what strangers write, a code in its posts proves only that one of them wrote it. Store `id`: it stays the same when the account is renamed and another account takes its handle. Only the account’s own original posts count.

        Scope: `verify:live`.

        Metered as: live. Lowest plan: starter.

        Sends at most 18 requests to platforms.

        Args:
            reference: Your own ID of the user who asks, so that each user gets a different code.
            parts: Parts of the account in which to look for the code, such as `bio` or `bio,name`. Default: all three.
        """
        return self.raw.verify_telegram_ownership(
            handle=handle,
            reference=reference,
            parts=parts,
        ).data

    def verify_tiktok_ownership(
        self,
        *,
        handle: str,
        reference: str | None = None,
        parts: str | None = None,
    ) -> models.OwnershipVerification:
        """Verify the ownership of an account of TikTok.

        The first call returns a code. Once the owner shows it on the account, a later call finds it. Each call reads the platform and is a live call. A code belongs to the holder of the key, the `reference`, the handle and the day, and is valid for seven days. A code that is found proves that someone who has it could write to one of the `parts` of the account. Without a `reference`, all your users who ask for an account get the same code. If an account repeats what strangers write, a code in its posts proves only that one of them wrote it. Store `id`: it stays the same when the account is renamed and another account takes its handle. Only the account’s own original posts count.

        Scope: `verify:live`.

        Metered as: live. Lowest plan: starter.

        Sends at most 18 requests to platforms.

        Args:
            reference: Your own ID of the user who asks, so that each user gets a different code.
            parts: Parts of the account in which to look for the code, such as `bio` or `bio,name`. Default: all three.
        """
        return self.raw.verify_tiktok_ownership(
            handle=handle,
            reference=reference,
            parts=parts,
        ).data

    def verify_x_ownership(
        self,
        *,
        handle: str,
        reference: str | None = None,
        parts: str | None = None,
    ) -> models.OwnershipVerification:
        """Verify the ownership of an account of X.

        The first call returns a code. Once the owner shows it on the account, a later call finds it. Each call reads the platform and is a live call. A code belongs to the holder of the key, the `reference`, the handle and the day, and is valid for seven days. A code that is found proves that someone who has it could write to one of the `parts` of the account. Without a `reference`, all your users who ask for an account get the same code. If an account repeats what strangers write, a code in its posts proves only that one of them wrote it. Store `id`: it stays the same when the account is renamed and another account takes its handle. Only the account’s own original posts count.

        Scope: `verify:live`.

        Metered as: live. Lowest plan: starter.

        Sends at most 18 requests to platforms.

        Args:
            reference: Your own ID of the user who asks, so that each user gets a different code.
            parts: Parts of the account in which to look for the code, such as `bio` or `bio,name`. Default: all three.
        """
        return self.raw.verify_x_ownership(
            handle=handle,
            reference=reference,
            parts=parts,
        ).data

    def verify_youtube_ownership(
        self,
        *,
        handle: str,
        reference: str | None = None,
        parts: str | None = None,
    ) -> models.OwnershipVerification:
        """Verify the ownership of an account of YouTube.

        The first call returns a code. Once the owner shows it on the account, a later call finds it. Each call reads the platform and is a live call. A code belongs to the holder of the key, the `reference`, the handle and the day, and is valid for seven days. A code that is found proves that someone who has it could write to one of the `parts` of the account. Without a `reference`, all your users who ask for an account get the same code. If an account repeats what strangers write, a code in its posts proves only that one of them wrote it. Store `id`: it stays the same when the account is renamed and another account takes its handle. Only the account’s own original posts count.

        Scope: `verify:live`.

        Metered as: live. Lowest plan: starter.

        Sends at most 18 requests to platforms.

        Args:
            reference: Your own ID of the user who asks, so that each user gets a different code.
            parts: Parts of the account in which to look for the code, such as `bio` or `bio,name`. Default: all three.
        """
        return self.raw.verify_youtube_ownership(
            handle=handle,
            reference=reference,
            parts=parts,
        ).data

    def list_tools(
        self,
        *,
        limit: int | None = None,
    ) -> Items[models.Tool, models.ListMeta]:
        """The tools.

        Analysis tools, each with the schemas of its body and answer, the platforms that it serves, the maximum requests to platforms per call, and its cost on your plan.

        Scope: `tools:run`.

        Metered as: free. Lowest plan: starter.

        Args:
            limit: Maximum items per page; default 25.
        """
        return Items(
            lambda cursor: self.raw.list_tools(
                limit=limit,
                cursor=cursor,
            )
        )

    def run_account_age(
        self,
        *,
        platform: models.GetDirectoryEntryPlatform,
        handle: str,
        max_age_s: int | None = None,
        idempotency_key: str | None = None,
    ) -> models.RunAccountAgeResult:
        """How old an account is.

        The creation time stated by the profile, else the one encoded in the native ID (X, TikTok), else a bound: the account is at least as old as its first sighting. Method: Stated time, or the leading bits of the ID; docs/methods/tools.md has the formats.

        Scope: `tools:run`.

        Metered as: live. Lowest plan: starter.

        Args:
            max_age_s: Maximum age of the account’s reading, in seconds. If the reading is older, tools that read platforms read again, and tools that read the catalog answer 422 `insufficient_data`. By default, readings of any age are accepted.
        """
        return self.raw.run_account_age(
            platform=platform,
            handle=handle,
            max_age_s=max_age_s,
            idempotency_key=idempotency_key,
        ).data

    def run_account_compare(
        self,
        *,
        accounts: Sequence[models.RunAccountCompareAccounts],
        platform: models.GetDirectoryEntryPlatform | None = None,
        handle: str | None = None,
        max_age_s: int | None = None,
        window_days: int | None = None,
        idempotency_key: str | None = None,
    ) -> models.RunAccountCompareResult:
        """Accounts compared side by side.

        Followers and post figures of two to five accounts, with 95 % intervals, and for each figure the account with the highest value. It is `distinguishable` if its interval is above all others. A figure known for too few posts is null, and the account is left out of that comparison. Method: The figures of engagement-rate; intervals that do not overlap.

        Scope: `tools:run`.

        Metered as: live. Lowest plan: starter.

        Args:
            accounts: The accounts to compare: two to five, including the account of `handle` if that is given.
            max_age_s: Maximum age of the account’s reading, in seconds. If the reading is older, tools that read platforms read again, and tools that read the catalog answer 422 `insufficient_data`. By default, readings of any age are accepted.
            window_days: Length of the window before the account's last sighting, in days; default 30.
        """
        return self.raw.run_account_compare(
            accounts=accounts,
            platform=platform,
            handle=handle,
            max_age_s=max_age_s,
            window_days=window_days,
            idempotency_key=idempotency_key,
        ).data

    def run_account_score(
        self,
        *,
        platform: models.GetDirectoryEntryPlatform,
        handle: str,
        max_age_s: int | None = None,
        idempotency_key: str | None = None,
    ) -> models.RunAccountScoreResult:
        """A score of an account, with its parts.

        0 to 100 points: the weighted sum of reach, engagement, growth, activity, age and reactions; the answer shows the weights. An unknown part is null, and its weight is distributed over the others in proportion: `known_points` and `meta.coverage` state the points that the score rests on. Fewer than 70 are refused. The score is a convention, not an estimate. Method: A sum of six parts with fixed weights, in docs/methods/tools.md.

        Scope: `tools:run`.

        Metered as: live. Lowest plan: starter.

        Args:
            max_age_s: Maximum age of the account’s reading, in seconds. If the reading is older, tools that read platforms read again, and tools that read the catalog answer 422 `insufficient_data`. By default, readings of any age are accepted.
        """
        return self.raw.run_account_score(
            platform=platform,
            handle=handle,
            max_age_s=max_age_s,
            idempotency_key=idempotency_key,
        ).data

    def run_audience_overlap(
        self,
        *,
        platform: models.RunAudienceOverlapPlatform,
        handle: str,
        other: models.RunAudienceOverlapOther,
        max_age_s: int | None = None,
        idempotency_key: str | None = None,
    ) -> models.RunAudienceOverlapResult:
        """Overlap of the followers of two accounts.

        Followers that two accounts of a platform have in common, among those that were read. Up to 65,536 followers per list the result is exact; above, it comes from a coordinated sample of both lists, with its error. If a list was not read completely, `value` covers only what was read, and the bounds allow for any content of the unread rest. If the bounds of `shared` are wider than half of the smaller audience, there is no result. Method: Intersection of the lists, or coordinated sampling by a hash of IDs, as in docs/methods/tools.md.

        Scope: `tools:run`.

        Metered as: live. Lowest plan: starter.

        Args:
            max_age_s: Maximum age of the account’s reading, in seconds. If the reading is older, tools that read platforms read again, and tools that read the catalog answer 422 `insufficient_data`. By default, readings of any age are accepted.
        """
        return self.raw.run_audience_overlap(
            platform=platform,
            handle=handle,
            other=other,
            max_age_s=max_age_s,
            idempotency_key=idempotency_key,
        ).data

    def run_best_time_to_post(
        self,
        *,
        platform: models.GetDirectoryEntryPlatform,
        handle: str,
        max_age_s: int | None = None,
        timezone: str | None = None,
        window_days: int | None = None,
        idempotency_key: str | None = None,
    ) -> models.RunBestTimeToPostResult:
        """When the posts of an account get more engagement.

        Hours of the week whose posts get more engagement than usual, with 95 % intervals, if the effect of hour or weekday exceeds chance. `significant: false` means that no difference is measurable. Method: Regression with first harmonics of day and week; Benjamini and Hochberg at 0.05, as in docs/methods/insights.md.

        Scope: `tools:run`.

        Metered as: live. Lowest plan: starter.

        Args:
            max_age_s: Maximum age of the account’s reading, in seconds. If the reading is older, tools that read platforms read again, and tools that read the catalog answer 422 `insufficient_data`. By default, readings of any age are accepted.
            timezone: IANA time zone of hours and weekdays, such as `Europe/Berlin`; default `UTC`.
            window_days: Length of the window before the account's last sighting, in days; default 365.
        """
        return self.raw.run_best_time_to_post(
            platform=platform,
            handle=handle,
            max_age_s=max_age_s,
            timezone=timezone,
            window_days=window_days,
            idempotency_key=idempotency_key,
        ).data

    def run_cross_platform_match(
        self,
        *,
        platform: models.CheckAccountPlatform,
        handle: str,
        max_age_s: int | None = None,
        idempotency_key: str | None = None,
    ) -> models.RunCrossPlatformMatchResult:
        """Accounts of the same person on other platforms.

        Accounts of all platforms that evidence of both sides joins with the account, most certain first, each with its confidence and the evidence whose weights add up to its log odds. Neither names nor links that nobody answers make a match. Method: Log odds of links, names and pages, calibrated on simulated people, as in docs/methods/people.md.

        Scope: `tools:run`.

        Metered as: live. Lowest plan: starter.

        Args:
            max_age_s: Maximum age of the account’s reading, in seconds. If the reading is older, tools that read platforms read again, and tools that read the catalog answer 422 `insufficient_data`. By default, readings of any age are accepted.
        """
        return self.raw.run_cross_platform_match(
            platform=platform,
            handle=handle,
            max_age_s=max_age_s,
            idempotency_key=idempotency_key,
        ).data

    def run_engagement_authenticity(
        self,
        *,
        platform: models.GetDirectoryEntryPlatform,
        handle: str,
        max_age_s: int | None = None,
        window_days: int | None = None,
        idempotency_key: str | None = None,
    ) -> models.RunEngagementAuthenticityResult:
        """Whether reactions are unusual for the platform.

        How much the reactions of an account’s posts vary, and their comments, reposts and views per like, compared with accounts of the platform. A figure is flagged if its whole interval lies beyond the figures of 97.5 % of these accounts: each rule flags at most one account in forty, whatever the reason. A flag is not a verdict on a person. Method: Gini’s mean difference of ln reactions, ratios of totals, and percentiles among a sample of the platform’s accounts, as in docs/methods/tools.md.

        Scope: `tools:run`.

        Metered as: live. Lowest plan: starter.

        Args:
            max_age_s: Maximum age of the account’s reading, in seconds. If the reading is older, tools that read platforms read again, and tools that read the catalog answer 422 `insufficient_data`. By default, readings of any age are accepted.
            window_days: Length of the window before the account's last sighting, in days; default 90.
        """
        return self.raw.run_engagement_authenticity(
            platform=platform,
            handle=handle,
            max_age_s=max_age_s,
            window_days=window_days,
            idempotency_key=idempotency_key,
        ).data

    def run_engagement_rate(
        self,
        *,
        platform: models.GetDirectoryEntryPlatform,
        handle: str,
        max_age_s: int | None = None,
        window_days: int | None = None,
        idempotency_key: str | None = None,
    ) -> models.RunEngagementRateResult:
        """Engagement of the posts of an account.

        Medians of ripe original posts, with 95 % intervals and quartiles: engagement by followers at the time of the post, engagement by views, and engagement as a count. Also the percentile of the engagement by followers in the size band of the platform. Method: Medians and order statistics that withstand hot streaks, as in docs/methods/insights.md.

        Scope: `tools:run`.

        Metered as: live. Lowest plan: starter.

        Args:
            max_age_s: Maximum age of the account’s reading, in seconds. If the reading is older, tools that read platforms read again, and tools that read the catalog answer 422 `insufficient_data`. By default, readings of any age are accepted.
            window_days: Length of the window before the account's last sighting, in days; default 30.
        """
        return self.raw.run_engagement_rate(
            platform=platform,
            handle=handle,
            max_age_s=max_age_s,
            window_days=window_days,
            idempotency_key=idempotency_key,
        ).data

    def run_follower_audit(
        self,
        *,
        platform: models.RunAudienceOverlapPlatform,
        handle: str,
        max_age_s: int | None = None,
        sample_size: int | None = None,
        idempotency_key: str | None = None,
    ) -> models.RunFollowerAuditResult:
        """How much of an audience is suspicious or inactive.

        Reads the newest followers of an account and estimates the shares that are suspicious and inactive, with 95 % intervals. It also finds blocks of followers that were created together, with their dates. The shares describe an audience; the answer names no follower. Without a labelled sample from the operator, shares on X rest on a default model of accounts that were labelled in 2017 (`labels_of_other_lists`), and shares of other platforms are null (`uncalibrated`). `traits_outside_labels`: the audience looks like no mixture of the labelled classes. On X, a session of the operator is required. Method: Logistic scores of splines, prevalence by Rogan and Gladen with the interval of Lang and Reiczigel for a census, and a scan statistic of creation times, as in docs/methods/tools.md.

        Scope: `tools:run`.

        Metered as: live. Lowest plan: starter.

        Sends at most 40 requests to platforms. Tools that do run one at a time for each holder.

        Args:
            max_age_s: Maximum age of the account’s reading, in seconds. If the reading is older, tools that read platforms read again, and tools that read the catalog answer 422 `insufficient_data`. By default, readings of any age are accepted.
            sample_size: Maximum followers to read, newest first; default 500.
        """
        return self.raw.run_follower_audit(
            platform=platform,
            handle=handle,
            max_age_s=max_age_s,
            sample_size=sample_size,
            idempotency_key=idempotency_key,
        ).data

    def run_follower_rank(
        self,
        *,
        platform: models.GetDirectoryEntryPlatform,
        handle: str | None = None,
        max_age_s: int | None = None,
        followers: int | None = None,
        idempotency_key: str | None = None,
    ) -> models.RunFollowerRankResult:
        """Rank of an account or of a number of followers.

        The share of accounts with fewer followers and the rank from the top, for an account or a number of followers. Each has bounds between which it certainly lies. Method: The platform’s ladder of follower percentiles, accurate to 1 %. Between two percentiles, the rank is interpolated at a constant growth factor.

        Scope: `tools:run`.

        Metered as: live. Lowest plan: starter.

        Args:
            max_age_s: Maximum age of the account’s reading, in seconds. If the reading is older, tools that read platforms read again, and tools that read the catalog answer 422 `insufficient_data`. By default, readings of any age are accepted.
        """
        return self.raw.run_follower_rank(
            platform=platform,
            handle=handle,
            max_age_s=max_age_s,
            followers=followers,
            idempotency_key=idempotency_key,
        ).data

    def run_growth_projection(
        self,
        *,
        platform: models.GetDirectoryEntryPlatform,
        handle: str,
        days: int,
        max_age_s: int | None = None,
        idempotency_key: str | None = None,
    ) -> models.RunGrowthProjectionResult:
        """Projected followers of an account.

        Followers some days after the last reading, with bands of 50 % and 95 % probability. It requires 4 readings of followers over 14 days; until enough accounts of the platform can be compared, over twice the days that are projected. Method: A random walk with the share of the trend that persists on the platform, and quantiles of the errors of earlier projections for similar accounts, as in docs/methods/tools.md.

        Scope: `tools:run`.

        Metered as: live. Lowest plan: starter.

        Args:
            days: Days after the last reading.
            max_age_s: Maximum age of the account’s reading, in seconds. If the reading is older, tools that read platforms read again, and tools that read the catalog answer 422 `insufficient_data`. By default, readings of any age are accepted.
        """
        return self.raw.run_growth_projection(
            platform=platform,
            handle=handle,
            days=days,
            max_age_s=max_age_s,
            idempotency_key=idempotency_key,
        ).data

    def run_handle_availability(
        self,
        *,
        handle: str,
        platform: models.CheckAccountPlatform | None = None,
        platforms: Sequence[models.CheckAccountPlatform] | None = None,
        max_age_s: int | None = None,
        idempotency_key: str | None = None,
    ) -> models.RunHandleAvailabilityResult:
        """Whether a name is free.

        Whether a handle is taken on each platform, according to its account page or the platform’s registration form. A name is `available` only if the platform itself says so: on X, and on Bluesky below `.bsky.social`. On other platforms, a name without an account is `unknown`, because reserved and banned names have no page either. Method: The platform’s registration form, else the account page, as in docs/methods/tools.md.

        Scope: `tools:run`.

        Metered as: live. Lowest plan: starter.

        Sends at most 48 requests to platforms. Tools that do run one at a time for each holder.

        Args:
            platform: One platform, in place of `platforms`.
            platforms: All by default.
            max_age_s: Maximum age, in seconds, of a catalog reading that is used instead of reading the platform; default 86,400.
        """
        return self.raw.run_handle_availability(
            handle=handle,
            platform=platform,
            platforms=platforms,
            max_age_s=max_age_s,
            idempotency_key=idempotency_key,
        ).data

    def run_handle_similarity(
        self,
        *,
        platform: models.GetDirectoryEntryPlatform,
        handle: str,
        max_age_s: int | None = None,
        limit: int | None = None,
        idempotency_key: str | None = None,
    ) -> models.RunHandleSimilarityResult:
        """Handles that look like another handle.

        Accounts of the catalog whose handles look like a handle or are at most two edits away from it: fewest edits first, then largest. The handle need not belong to an account. If it does, also suspects: accounts of all platforms that pose as this account by name, bio, picture, links or handle, most certain first, and originals: those that it seems to copy itself. Where nothing tells which of two copies the other, both answers say so. Method: Skeletons of UTS 39, Damerau–Levenshtein distance, and risks whose parts and weights the answer shows, as in docs/methods/tools.md. The risks of suspects are calibrated on simulated people, as in docs/methods/people.md.

        Scope: `tools:run`.

        Metered as: live. Lowest plan: starter.

        Args:
            max_age_s: Maximum age of the account’s reading, in seconds. If the reading is older, tools that read platforms read again, and tools that read the catalog answer 422 `insufficient_data`. By default, readings of any age are accepted.
            limit: Maximum matches; default 20.
        """
        return self.raw.run_handle_similarity(
            platform=platform,
            handle=handle,
            max_age_s=max_age_s,
            limit=limit,
            idempotency_key=idempotency_key,
        ).data

    def run_post_price(
        self,
        *,
        platform: models.GetDirectoryEntryPlatform,
        handle: str,
        max_age_s: int | None = None,
        window_days: int | None = None,
        idempotency_key: str | None = None,
    ) -> models.RunPostPriceResult:
        """What a paid post of an account would cost.

        The price per thousand views of imported placements on the platform, times the median views of the account's ripe posts, with bounds that contain 80 % of placement prices. It requires 10 placements that state their views, and 8 ripe posts with views. Method: Quantiles of the price per thousand views, combined in quadrature with the error of the median views, as in docs/methods/tools.md.

        Scope: `tools:run`.

        Metered as: live. Lowest plan: starter.

        Args:
            max_age_s: Maximum age of the account’s reading, in seconds. If the reading is older, tools that read platforms read again, and tools that read the catalog answer 422 `insufficient_data`. By default, readings of any age are accepted.
            window_days: Length of the window before the account's last sighting, in days; default 90.
        """
        return self.raw.run_post_price(
            platform=platform,
            handle=handle,
            max_age_s=max_age_s,
            window_days=window_days,
            idempotency_key=idempotency_key,
        ).data

    def run_shadowban_check(
        self,
        *,
        platform: models.RunShadowbanCheckPlatform,
        handle: str,
        max_age_s: int | None = None,
        idempotency_key: str | None = None,
    ) -> models.RunShadowbanCheckResult:
        """Whether a platform hides an account without saying so.

        Looks for an account in the places where X shows accounts to strangers: in search, in the suggestions of the search box, and, for its replies, in their threads. Each part is `clear` if the account was seen there, `limited` if it was missing repeatedly while a control account was shown within the same minute, else `unknown`. The search box is controlled by three accounts that are no larger, each of which it has to suggest. Requires a session of the operator. Method: Search, suggestion, ghost and reply tests with controls, as in docs/methods/tools.md.

        Scope: `tools:run`.

        Metered as: live. Lowest plan: starter.

        Sends at most 48 requests to platforms. Tools that do run one at a time for each holder.

        Args:
            max_age_s: Maximum age of the account’s reading, in seconds. If the reading is older, tools that read platforms read again, and tools that read the catalog answer 422 `insufficient_data`. By default, readings of any age are accepted.
        """
        return self.raw.run_shadowban_check(
            platform=platform,
            handle=handle,
            max_age_s=max_age_s,
            idempotency_key=idempotency_key,
        ).data

    def run_trust_report(
        self,
        *,
        platform: models.GetDirectoryEntryPlatform,
        handle: str,
        max_age_s: int | None = None,
        idempotency_key: str | None = None,
    ) -> models.RunTrustReportResult:
        """Evidence for and against trusting an account.

        The results of follower audit, account score, account age, handle similarity and valuation, with the conclusions of five rules. The verdict rests on the rules that nobody else can cause: anybody can buy followers for an account, or look like it. A part that could not be computed is unknown, with the reason, and so is its rule. The verdict is about an account and its audience, never about a person. Method: Five rules with fixed thresholds over the results of other tools, in docs/methods/tools.md.

        Scope: `tools:run`.

        Metered as: live. Lowest plan: starter.

        Sends at most 40 requests to platforms. Tools that do run one at a time for each holder.

        Args:
            max_age_s: Maximum age of the account’s reading, in seconds. If the reading is older, tools that read platforms read again, and tools that read the catalog answer 422 `insufficient_data`. By default, readings of any age are accepted.
        """
        return self.raw.run_trust_report(
            platform=platform,
            handle=handle,
            max_age_s=max_age_s,
            idempotency_key=idempotency_key,
        ).data

    def run_username_score(
        self,
        *,
        handle: str,
        platform: models.CheckAccountPlatform | None = None,
        idempotency_key: str | None = None,
    ) -> models.RunUsernameScoreResult:
        """How good a name is.

        0 to 100 points for the length, the pattern and the pronounceability of a name. The score is the weighted sum of these parts. Method: A convention: a sum of three parts with fixed weights, as in docs/methods/tools.md.

        Scope: `tools:run`.

        Metered as: live. Lowest plan: starter.

        Args:
            platform: Platform whose rules for names apply; by default, those of any platform.
        """
        return self.raw.run_username_score(
            handle=handle,
            platform=platform,
            idempotency_key=idempotency_key,
        ).data

    def run_valuation(
        self,
        *,
        platform: models.CheckAccountPlatform,
        handle: str,
        max_age_s: int | None = None,
        idempotency_key: str | None = None,
    ) -> models.RunValuationResult:
        """Estimated sale price of an account.

        The estimated price of an account from imported sales: a middle value, and bounds that contain 80 % of prices paid. For LinkedIn it requires the scope `leads:read`. Prices paid and asking prices are separate: `low`, `mid` and `high` are prices paid. `mid` is the price of the typical sale (`typical`) times the multiples of all factors. Method: Robust regression of ln sold price on ln followers, age, engagement and platform with shrinkage, and quantiles of its leave-one-out errors, as in docs/methods/tools.md.

        Scope: `tools:run`.

        Metered as: live. Lowest plan: starter.

        Args:
            max_age_s: Maximum age of the account’s reading, in seconds. If the reading is older, tools that read platforms read again, and tools that read the catalog answer 422 `insufficient_data`. By default, readings of any age are accepted.
        """
        return self.raw.run_valuation(
            platform=platform,
            handle=handle,
            max_age_s=max_age_s,
            idempotency_key=idempotency_key,
        ).data

    def run_virality_check(
        self,
        *,
        platform: models.RunViralityCheckPlatform,
        post_url: str,
        handle: str | None = None,
        max_age_s: int | None = None,
        idempotency_key: str | None = None,
    ) -> models.RunViralityCheckResult:
        """How far a post exceeds its author’s median engagement.

        The engagement of a post as a multiple of the median of the author’s other ripe original posts, from 90 days before to 90 days after, and the robust z-score of its logarithm. A post is `viral` from a multiple of 3 and a z-score of 3.5. If the counts were read while the post was young, `at_least` is true: they may have grown since, so `viral` is true or null, never false. Method: Multiple of the median, and the modified z score of ln(1 + engagement) without the post itself, as in docs/methods/tools.md.

        Scope: `tools:run`.

        Metered as: live. Lowest plan: starter.

        Args:
            handle: Handle of the author, if the URL of the post does not name it.
            max_age_s: Maximum age of the account’s reading, in seconds. If the reading is older, tools that read platforms read again, and tools that read the catalog answer 422 `insufficient_data`. By default, readings of any age are accepted.
        """
        return self.raw.run_virality_check(
            platform=platform,
            post_url=post_url,
            handle=handle,
            max_age_s=max_age_s,
            idempotency_key=idempotency_key,
        ).data


class AsyncRawSightline:
    """The same functions, with all that came with an answer; of a list, one page."""

    def __init__(self, connection: AsyncConnection) -> None:
        self._connection = connection

    async def get_capabilities(
        self,
    ) -> Answer[models.Capabilities, models.Meta]:
        """What your key may call."""
        return await self._connection.answer(
            "get_capabilities",
            models.Capabilities,
            models.Meta,
            {},
        )

    async def check_account(
        self,
        *,
        platform: models.CheckAccountPlatform,
        handle: str,
    ) -> Answer[models.AccountCheck, models.Meta]:
        """Check an account in the catalog."""
        return await self._connection.answer(
            "check_account",
            models.AccountCheck,
            models.Meta,
            {
                "platform": platform,
                "handle": handle,
            },
        )

    async def check_account_live(
        self,
        *,
        platform: models.CheckAccountPlatform,
        handle: str,
        max_age_s: int | None = None,
    ) -> Answer[models.AccountCheck, models.Meta]:
        """Check an account on its platform."""
        return await self._connection.answer(
            "check_account_live",
            models.AccountCheck,
            models.Meta,
            {
                "platform": platform,
                "handle": handle,
                "max_age_s": max_age_s,
            },
        )

    async def check_accounts(
        self,
        *,
        accounts: Sequence[models.CheckAccountsAccounts],
        idempotency_key: str | None = None,
    ) -> Answer[models.CheckAccountsResult, models.Meta]:
        """Check up to 100 accounts in the catalog."""
        return await self._connection.answer(
            "check_accounts",
            models.CheckAccountsResult,
            models.Meta,
            {
                "accounts": accounts,
            },
            idempotency_key,
        )

    async def list_platforms(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Answer[list[models.Platform], models.ListMeta]:
        """The platforms."""
        return await self._connection.page(
            "list_platforms",
            models.Platform,
            models.ListMeta,
            {
                "limit": limit,
                "cursor": cursor,
            },
        )

    async def resolve_account(
        self,
        *,
        url: str,
    ) -> Answer[models.AccountCheck, models.Meta]:
        """Check the account of a profile URL."""
        return await self._connection.answer(
            "resolve_account",
            models.AccountCheck,
            models.Meta,
            {
                "url": url,
            },
        )

    async def get_directory_entry(
        self,
        *,
        platform: models.GetDirectoryEntryPlatform,
        id: str,
    ) -> Answer[models.DirectoryEntry, models.Meta]:
        """One entry of the catalog."""
        return await self._connection.answer(
            "get_directory_entry",
            models.DirectoryEntry,
            models.Meta,
            {
                "platform": platform,
                "id": id,
            },
        )

    async def get_directory_stats(
        self,
    ) -> Answer[models.GetDirectoryStatsResult, models.Meta]:
        """Statistics of the catalog."""
        return await self._connection.answer(
            "get_directory_stats",
            models.GetDirectoryStatsResult,
            models.Meta,
            {},
        )

    async def list_directory(
        self,
        *,
        platform: models.GetDirectoryEntryPlatform | None = None,
        q: str | None = None,
        min_followers: int | None = None,
        max_followers: int | None = None,
        verified: bool | None = None,
        status: models.ListDirectoryStatus | None = None,
        seen_since: str | None = None,
        created_since: str | None = None,
        sort: models.ListDirectorySort | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Answer[list[models.DirectoryEntry], models.ExportListMeta]:
        """The catalog of all directory platforms."""
        return await self._connection.page(
            "list_directory",
            models.DirectoryEntry,
            models.ExportListMeta,
            {
                "platform": platform,
                "q": q,
                "min_followers": min_followers,
                "max_followers": max_followers,
                "verified": verified,
                "status": status,
                "seen_since": seen_since,
                "created_since": created_since,
                "sort": sort,
                "limit": limit,
                "cursor": cursor,
            },
        )

    async def list_directory_changes(
        self,
        *,
        platform: models.GetDirectoryEntryPlatform | None = None,
        kind: models.ListDirectoryChangesKind | None = None,
        limit: int | None = None,
        after: models.ListDirectoryChangesAfter | None = None,
        cursor: str | None = None,
    ) -> Answer[list[models.DirectoryChange], models.FeedMeta]:
        """Changes of accounts in the catalog."""
        return await self._connection.page(
            "list_directory_changes",
            models.DirectoryChange,
            models.FeedMeta,
            {
                "platform": platform,
                "kind": kind,
                "limit": limit,
                "after": after,
                "cursor": cursor,
            },
        )

    async def list_entry_history(
        self,
        *,
        platform: models.GetDirectoryEntryPlatform,
        id: str,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Answer[list[models.HistoryPoint], models.ExportListMeta]:
        """History of an account."""
        return await self._connection.page(
            "list_entry_history",
            models.HistoryPoint,
            models.ExportListMeta,
            {
                "platform": platform,
                "id": id,
                "limit": limit,
                "cursor": cursor,
            },
        )

    async def list_entry_posts(
        self,
        *,
        platform: models.GetDirectoryEntryPlatform,
        id: str,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Answer[list[models.Post], models.ExportListMeta]:
        """Posts of an account."""
        return await self._connection.page(
            "list_entry_posts",
            models.Post,
            models.ExportListMeta,
            {
                "platform": platform,
                "id": id,
                "limit": limit,
                "cursor": cursor,
            },
        )

    async def list_platform_directory(
        self,
        *,
        platform: models.GetDirectoryEntryPlatform,
        q: str | None = None,
        min_followers: int | None = None,
        max_followers: int | None = None,
        verified: bool | None = None,
        status: models.ListDirectoryStatus | None = None,
        seen_since: str | None = None,
        created_since: str | None = None,
        sort: models.ListDirectorySort | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Answer[list[models.DirectoryEntry], models.ExportListMeta]:
        """The catalog of one platform."""
        return await self._connection.page(
            "list_platform_directory",
            models.DirectoryEntry,
            models.ExportListMeta,
            {
                "platform": platform,
                "q": q,
                "min_followers": min_followers,
                "max_followers": max_followers,
                "verified": verified,
                "status": status,
                "seen_since": seen_since,
                "created_since": created_since,
                "sort": sort,
                "limit": limit,
                "cursor": cursor,
            },
        )

    async def list_similar_entries(
        self,
        *,
        platform: models.GetDirectoryEntryPlatform,
        id: str,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Answer[list[models.SimilarEntry], models.ListMeta]:
        """Similar accounts."""
        return await self._connection.page(
            "list_similar_entries",
            models.SimilarEntry,
            models.ListMeta,
            {
                "platform": platform,
                "id": id,
                "limit": limit,
                "cursor": cursor,
            },
        )

    async def list_top_entries(
        self,
        *,
        by: models.ListTopEntriesBy | None = None,
        platform: models.GetDirectoryEntryPlatform | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Answer[list[models.DirectoryEntry], models.ExportListMeta]:
        """Largest and fastest growing accounts."""
        return await self._connection.page(
            "list_top_entries",
            models.DirectoryEntry,
            models.ExportListMeta,
            {
                "by": by,
                "platform": platform,
                "limit": limit,
                "cursor": cursor,
            },
        )

    async def get_engine(
        self,
        *,
        key: str,
        window: models.GetEngineWindow | None = None,
    ) -> Answer[models.Engine, models.Meta]:
        """Health of one crawler."""
        return await self._connection.answer(
            "get_engine",
            models.Engine,
            models.Meta,
            {
                "key": key,
                "window": window,
            },
        )

    async def list_engines(
        self,
        *,
        window: models.GetEngineWindow | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Answer[list[models.Engine], models.ListMeta]:
        """Health of every crawler."""
        return await self._connection.page(
            "list_engines",
            models.Engine,
            models.ListMeta,
            {
                "window": window,
                "limit": limit,
                "cursor": cursor,
            },
        )

    async def get_x_cohort_benchmarks(
        self,
    ) -> Answer[models.GetXCohortBenchmarksResult, models.DerivedMeta]:
        """Benchmarks for accounts of X by size."""
        return await self._connection.answer(
            "get_x_cohort_benchmarks",
            models.GetXCohortBenchmarksResult,
            models.DerivedMeta,
            {},
        )

    async def get_x_content_mix(
        self,
        *,
        handle: str,
        timezone: str | None = None,
        window_days: int | None = None,
    ) -> Answer[models.GetXContentMixResult, models.DerivedMeta]:
        """Content of an account of X, and its effect on engagement."""
        return await self._connection.answer(
            "get_x_content_mix",
            models.GetXContentMixResult,
            models.DerivedMeta,
            {
                "handle": handle,
                "timezone": timezone,
                "window_days": window_days,
            },
        )

    async def get_x_data_coverage(
        self,
    ) -> Answer[models.GetXDataCoverageResult, models.DerivedMeta]:
        """Data behind the insights on X."""
        return await self._connection.answer(
            "get_x_data_coverage",
            models.GetXDataCoverageResult,
            models.DerivedMeta,
            {},
        )

    async def get_x_engagement(
        self,
        *,
        handle: str,
        window_days: int | None = None,
    ) -> Answer[models.GetXEngagementResult, models.DerivedMeta]:
        """Engagement of the posts of an account of X."""
        return await self._connection.answer(
            "get_x_engagement",
            models.GetXEngagementResult,
            models.DerivedMeta,
            {
                "handle": handle,
                "window_days": window_days,
            },
        )

    async def get_x_growth(
        self,
        *,
        handle: str,
        from_: str | None = None,
        to: str | None = None,
    ) -> Answer[models.GetXGrowthResult, models.DerivedMeta]:
        """Follower growth of an account of X."""
        return await self._connection.answer(
            "get_x_growth",
            models.GetXGrowthResult,
            models.DerivedMeta,
            {
                "handle": handle,
                "from": from_,
                "to": to,
            },
        )

    async def get_x_insights(
        self,
        *,
        handle: str,
        window_days: int | None = None,
    ) -> Answer[models.GetXInsightsResult, models.DerivedMeta]:
        """Key figures of an account of X."""
        return await self._connection.answer(
            "get_x_insights",
            models.GetXInsightsResult,
            models.DerivedMeta,
            {
                "handle": handle,
                "window_days": window_days,
            },
        )

    async def get_x_population_patterns(
        self,
    ) -> Answer[models.GetXPopulationPatternsResult, models.DerivedMeta]:
        """When posts on X get more engagement."""
        return await self._connection.answer(
            "get_x_population_patterns",
            models.GetXPopulationPatternsResult,
            models.DerivedMeta,
            {},
        )

    async def get_x_posting_patterns(
        self,
        *,
        handle: str,
        timezone: str | None = None,
        window_days: int | None = None,
    ) -> Answer[models.GetXPostingPatternsResult, models.DerivedMeta]:
        """When the posts of an account of X get more engagement."""
        return await self._connection.answer(
            "get_x_posting_patterns",
            models.GetXPostingPatternsResult,
            models.DerivedMeta,
            {
                "handle": handle,
                "timezone": timezone,
                "window_days": window_days,
            },
        )

    async def list_x_peers(
        self,
        *,
        handle: str,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Answer[list[models.Peer], models.DerivedListMeta]:
        """Accounts of X of about the same size."""
        return await self._connection.page(
            "list_x_peers",
            models.Peer,
            models.DerivedListMeta,
            {
                "handle": handle,
                "limit": limit,
                "cursor": cursor,
            },
        )

    async def list_x_population_viral_posts(
        self,
        *,
        min_multiple: int | None = None,
        since: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Answer[list[models.PopulationViralPost], models.DerivedListMeta]:
        """Posts on X furthest above the median of their author."""
        return await self._connection.page(
            "list_x_population_viral_posts",
            models.PopulationViralPost,
            models.DerivedListMeta,
            {
                "min_multiple": min_multiple,
                "since": since,
                "limit": limit,
                "cursor": cursor,
            },
        )

    async def list_x_top_tweets(
        self,
        *,
        handle: str,
        sort: models.ListXTopTweetsSort | None = None,
        window_days: int | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Answer[list[models.InsightPost], models.DerivedListMeta]:
        """The posts of an account of X with the most engagement."""
        return await self._connection.page(
            "list_x_top_tweets",
            models.InsightPost,
            models.DerivedListMeta,
            {
                "handle": handle,
                "sort": sort,
                "window_days": window_days,
                "limit": limit,
                "cursor": cursor,
            },
        )

    async def list_x_viral_posts(
        self,
        *,
        handle: str,
        min_multiple: int | None = None,
        window_days: int | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Answer[list[models.InsightPost], models.DerivedListMeta]:
        """Posts of an account of X far above its median."""
        return await self._connection.page(
            "list_x_viral_posts",
            models.InsightPost,
            models.DerivedListMeta,
            {
                "handle": handle,
                "min_multiple": min_multiple,
                "window_days": window_days,
                "limit": limit,
                "cursor": cursor,
            },
        )

    async def export_follower_graph(
        self,
        *,
        handle: str,
        direction: models.ExportFollowerGraphDirection | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Answer[list[models.FollowEdge], models.CoveredListMeta]:
        """Followers of an X account, or accounts it follows, as edges."""
        return await self._connection.page(
            "export_follower_graph",
            models.FollowEdge,
            models.CoveredListMeta,
            {
                "handle": handle,
                "direction": direction,
                "limit": limit,
                "cursor": cursor,
            },
        )

    async def get_company(
        self,
        *,
        id: str,
    ) -> Answer[models.Company, models.Meta]:
        """One company of LinkedIn."""
        return await self._connection.answer(
            "get_company",
            models.Company,
            models.Meta,
            {
                "id": id,
            },
        )

    async def list_companies(
        self,
        *,
        industry: str | None = None,
        size: models.ListCompaniesSize | None = None,
        country: str | None = None,
        q: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Answer[list[models.Company], models.ExportListMeta]:
        """Companies of LinkedIn."""
        return await self._connection.page(
            "list_companies",
            models.Company,
            models.ExportListMeta,
            {
                "industry": industry,
                "size": size,
                "country": country,
                "q": q,
                "limit": limit,
                "cursor": cursor,
            },
        )

    async def list_decision_makers(
        self,
        *,
        seniority: models.ListDecisionMakersSeniority | None = None,
        function: models.ListDecisionMakersFunction | None = None,
        company: str | None = None,
        industry: str | None = None,
        size: models.ListCompaniesSize | None = None,
        country: str | None = None,
        q: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Answer[list[models.DecisionMaker], models.ExportListMeta]:
        """Decision makers of LinkedIn."""
        return await self._connection.page(
            "list_decision_makers",
            models.DecisionMaker,
            models.ExportListMeta,
            {
                "seniority": seniority,
                "function": function,
                "company": company,
                "industry": industry,
                "size": size,
                "country": country,
                "q": q,
                "limit": limit,
                "cursor": cursor,
            },
        )

    async def get_listing(
        self,
        *,
        id: str,
    ) -> Answer[models.Listing, models.Meta]:
        """One listing."""
        return await self._connection.answer(
            "get_listing",
            models.Listing,
            models.Meta,
            {
                "id": id,
            },
        )

    async def get_marketplace_pricing(
        self,
        *,
        platform: models.CheckAccountPlatform | None = None,
    ) -> Answer[models.GetMarketplacePricingResult, models.Meta]:
        """Current prices per thousand followers."""
        return await self._connection.answer(
            "get_marketplace_pricing",
            models.GetMarketplacePricingResult,
            models.Meta,
            {
                "platform": platform,
            },
        )

    async def get_marketplace_stats(
        self,
    ) -> Answer[models.GetMarketplaceStatsResult, models.Meta]:
        """Statistics of the marketplaces."""
        return await self._connection.answer(
            "get_marketplace_stats",
            models.GetMarketplaceStatsResult,
            models.Meta,
            {},
        )

    async def list_listings(
        self,
        *,
        platform: models.CheckAccountPlatform | None = None,
        status: models.ListListingsStatus | None = None,
        seller: str | None = None,
        min_price_usd: str | None = None,
        max_price_usd: str | None = None,
        min_followers: int | None = None,
        max_followers: int | None = None,
        sort: models.ListListingsSort | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Answer[list[models.Listing], models.ExportListMeta]:
        """Accounts that are for sale."""
        return await self._connection.page(
            "list_listings",
            models.Listing,
            models.ExportListMeta,
            {
                "platform": platform,
                "status": status,
                "seller": seller,
                "min_price_usd": min_price_usd,
                "max_price_usd": max_price_usd,
                "min_followers": min_followers,
                "max_followers": max_followers,
                "sort": sort,
                "limit": limit,
                "cursor": cursor,
            },
        )

    async def list_sellers(
        self,
        *,
        sort: models.ListSellersSort | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Answer[list[models.Seller], models.ExportListMeta]:
        """Leaderboard of sellers."""
        return await self._connection.page(
            "list_sellers",
            models.Seller,
            models.ExportListMeta,
            {
                "sort": sort,
                "limit": limit,
                "cursor": cursor,
            },
        )

    async def lookup_person(
        self,
        *,
        platform: models.CheckAccountPlatform | None = None,
        handle: str | None = None,
        url: str | None = None,
        person_id: str | None = None,
        min_confidence: str | None = None,
    ) -> Answer[models.LookedUpPerson, models.Meta]:
        """The person behind an account."""
        return await self._connection.answer(
            "lookup_person",
            models.LookedUpPerson,
            models.Meta,
            {
                "platform": platform,
                "handle": handle,
                "url": url,
                "person_id": person_id,
                "min_confidence": min_confidence,
            },
        )

    async def search_people(
        self,
        *,
        q: str,
        platform: models.CheckAccountPlatform | None = None,
        min_followers: int | None = None,
        min_confidence: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Answer[list[models.Person], models.ListMeta]:
        """Persons by name or handle."""
        return await self._connection.page(
            "search_people",
            models.Person,
            models.ListMeta,
            {
                "q": q,
                "platform": platform,
                "min_followers": min_followers,
                "min_confidence": min_confidence,
                "limit": limit,
                "cursor": cursor,
            },
        )

    async def get_finding(
        self,
        *,
        id: str,
    ) -> Answer[models.Finding, models.Meta]:
        """One finding."""
        return await self._connection.answer(
            "get_finding",
            models.Finding,
            models.Meta,
            {
                "id": id,
            },
        )

    async def list_findings(
        self,
        *,
        kind: models.ListFindingsKind | None = None,
        run: str | None = None,
        pool: str | None = None,
        status: models.ListFindingsStatus | None = None,
        since: str | None = None,
        until: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Answer[list[models.Finding], models.ListMeta]:
        """Findings of research."""
        return await self._connection.page(
            "list_findings",
            models.Finding,
            models.ListMeta,
            {
                "kind": kind,
                "run": run,
                "pool": pool,
                "status": status,
                "since": since,
                "until": until,
                "limit": limit,
                "cursor": cursor,
            },
        )

    async def list_research_events(
        self,
        *,
        run: str | None = None,
        pool: str | None = None,
        type: str | None = None,
        since: str | None = None,
        until: str | None = None,
        limit: int | None = None,
        after: models.ListDirectoryChangesAfter | None = None,
        cursor: str | None = None,
    ) -> Answer[list[models.ResearchEvent], models.FeedMeta]:
        """Events of research."""
        return await self._connection.page(
            "list_research_events",
            models.ResearchEvent,
            models.FeedMeta,
            {
                "run": run,
                "pool": pool,
                "type": type,
                "since": since,
                "until": until,
                "limit": limit,
                "after": after,
                "cursor": cursor,
            },
        )

    async def list_runs(
        self,
        *,
        status: models.ListRunsStatus | None = None,
        since: str | None = None,
        until: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Answer[list[models.ResearchRun], models.ListMeta]:
        """Runs of research."""
        return await self._connection.page(
            "list_runs",
            models.ResearchRun,
            models.ListMeta,
            {
                "status": status,
                "since": since,
                "until": until,
                "limit": limit,
                "cursor": cursor,
            },
        )

    async def scrape_x_followers(
        self,
        *,
        handle: str,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Answer[list[models.LiveFollower], models.AccountListMeta]:
        """Read an account’s followers on X."""
        return await self._connection.page(
            "scrape_x_followers",
            models.LiveFollower,
            models.AccountListMeta,
            {
                "handle": handle,
                "limit": limit,
                "cursor": cursor,
            },
        )

    async def scrape_x_tweet(
        self,
        *,
        id: str,
    ) -> Answer[models.ScrapeXTweetResult, models.Meta]:
        """Read one post of X."""
        return await self._connection.answer(
            "scrape_x_tweet",
            models.ScrapeXTweetResult,
            models.Meta,
            {
                "id": id,
            },
        )

    async def scrape_x_tweets(
        self,
        *,
        handle: str,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Answer[list[models.LivePost], models.AccountListMeta]:
        """Read an account’s posts on X."""
        return await self._connection.page(
            "scrape_x_tweets",
            models.LivePost,
            models.AccountListMeta,
            {
                "handle": handle,
                "limit": limit,
                "cursor": cursor,
            },
        )

    async def scrape_x_user(
        self,
        *,
        handle: str | None = None,
        id: str | None = None,
    ) -> Answer[models.LiveEntry, models.Meta]:
        """Read one account of X."""
        return await self._connection.answer(
            "scrape_x_user",
            models.LiveEntry,
            models.Meta,
            {
                "handle": handle,
                "id": id,
            },
        )

    async def scrape_x_users(
        self,
        *,
        handles: Sequence[str],
        idempotency_key: str | None = None,
    ) -> Answer[models.ScrapeXUsersResult, models.Meta]:
        """Read up to 50 accounts of X."""
        return await self._connection.answer(
            "scrape_x_users",
            models.ScrapeXUsersResult,
            models.Meta,
            {
                "handles": handles,
            },
            idempotency_key,
        )

    async def verify_bluesky_ownership(
        self,
        *,
        handle: str,
        reference: str | None = None,
        parts: str | None = None,
    ) -> Answer[models.OwnershipVerification, models.Meta]:
        """Verify the ownership of an account of Bluesky."""
        return await self._connection.answer(
            "verify_bluesky_ownership",
            models.OwnershipVerification,
            models.Meta,
            {
                "handle": handle,
                "reference": reference,
                "parts": parts,
            },
        )

    async def verify_instagram_ownership(
        self,
        *,
        handle: str,
        reference: str | None = None,
        parts: str | None = None,
    ) -> Answer[models.OwnershipVerification, models.Meta]:
        """Verify the ownership of an account of Instagram."""
        return await self._connection.answer(
            "verify_instagram_ownership",
            models.OwnershipVerification,
            models.Meta,
            {
                "handle": handle,
                "reference": reference,
                "parts": parts,
            },
        )

    async def verify_telegram_ownership(
        self,
        *,
        handle: str,
        reference: str | None = None,
        parts: str | None = None,
    ) -> Answer[models.OwnershipVerification, models.Meta]:
        """Verify the ownership of an account of Telegram."""
        return await self._connection.answer(
            "verify_telegram_ownership",
            models.OwnershipVerification,
            models.Meta,
            {
                "handle": handle,
                "reference": reference,
                "parts": parts,
            },
        )

    async def verify_tiktok_ownership(
        self,
        *,
        handle: str,
        reference: str | None = None,
        parts: str | None = None,
    ) -> Answer[models.OwnershipVerification, models.Meta]:
        """Verify the ownership of an account of TikTok."""
        return await self._connection.answer(
            "verify_tiktok_ownership",
            models.OwnershipVerification,
            models.Meta,
            {
                "handle": handle,
                "reference": reference,
                "parts": parts,
            },
        )

    async def verify_x_ownership(
        self,
        *,
        handle: str,
        reference: str | None = None,
        parts: str | None = None,
    ) -> Answer[models.OwnershipVerification, models.Meta]:
        """Verify the ownership of an account of X."""
        return await self._connection.answer(
            "verify_x_ownership",
            models.OwnershipVerification,
            models.Meta,
            {
                "handle": handle,
                "reference": reference,
                "parts": parts,
            },
        )

    async def verify_youtube_ownership(
        self,
        *,
        handle: str,
        reference: str | None = None,
        parts: str | None = None,
    ) -> Answer[models.OwnershipVerification, models.Meta]:
        """Verify the ownership of an account of YouTube."""
        return await self._connection.answer(
            "verify_youtube_ownership",
            models.OwnershipVerification,
            models.Meta,
            {
                "handle": handle,
                "reference": reference,
                "parts": parts,
            },
        )

    async def list_tools(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Answer[list[models.Tool], models.ListMeta]:
        """The tools."""
        return await self._connection.page(
            "list_tools",
            models.Tool,
            models.ListMeta,
            {
                "limit": limit,
                "cursor": cursor,
            },
        )

    async def run_account_age(
        self,
        *,
        platform: models.GetDirectoryEntryPlatform,
        handle: str,
        max_age_s: int | None = None,
        idempotency_key: str | None = None,
    ) -> Answer[models.RunAccountAgeResult, models.DerivedMeta]:
        """How old an account is."""
        return await self._connection.answer(
            "run_account_age",
            models.RunAccountAgeResult,
            models.DerivedMeta,
            {
                "platform": platform,
                "handle": handle,
                "max_age_s": max_age_s,
            },
            idempotency_key,
        )

    async def run_account_compare(
        self,
        *,
        accounts: Sequence[models.RunAccountCompareAccounts],
        platform: models.GetDirectoryEntryPlatform | None = None,
        handle: str | None = None,
        max_age_s: int | None = None,
        window_days: int | None = None,
        idempotency_key: str | None = None,
    ) -> Answer[models.RunAccountCompareResult, models.DerivedMeta]:
        """Accounts compared side by side."""
        return await self._connection.answer(
            "run_account_compare",
            models.RunAccountCompareResult,
            models.DerivedMeta,
            {
                "accounts": accounts,
                "platform": platform,
                "handle": handle,
                "max_age_s": max_age_s,
                "window_days": window_days,
            },
            idempotency_key,
        )

    async def run_account_score(
        self,
        *,
        platform: models.GetDirectoryEntryPlatform,
        handle: str,
        max_age_s: int | None = None,
        idempotency_key: str | None = None,
    ) -> Answer[models.RunAccountScoreResult, models.DerivedMeta]:
        """A score of an account, with its parts."""
        return await self._connection.answer(
            "run_account_score",
            models.RunAccountScoreResult,
            models.DerivedMeta,
            {
                "platform": platform,
                "handle": handle,
                "max_age_s": max_age_s,
            },
            idempotency_key,
        )

    async def run_audience_overlap(
        self,
        *,
        platform: models.RunAudienceOverlapPlatform,
        handle: str,
        other: models.RunAudienceOverlapOther,
        max_age_s: int | None = None,
        idempotency_key: str | None = None,
    ) -> Answer[models.RunAudienceOverlapResult, models.DerivedMeta]:
        """Overlap of the followers of two accounts."""
        return await self._connection.answer(
            "run_audience_overlap",
            models.RunAudienceOverlapResult,
            models.DerivedMeta,
            {
                "platform": platform,
                "handle": handle,
                "other": other,
                "max_age_s": max_age_s,
            },
            idempotency_key,
        )

    async def run_best_time_to_post(
        self,
        *,
        platform: models.GetDirectoryEntryPlatform,
        handle: str,
        max_age_s: int | None = None,
        timezone: str | None = None,
        window_days: int | None = None,
        idempotency_key: str | None = None,
    ) -> Answer[models.RunBestTimeToPostResult, models.DerivedMeta]:
        """When the posts of an account get more engagement."""
        return await self._connection.answer(
            "run_best_time_to_post",
            models.RunBestTimeToPostResult,
            models.DerivedMeta,
            {
                "platform": platform,
                "handle": handle,
                "max_age_s": max_age_s,
                "timezone": timezone,
                "window_days": window_days,
            },
            idempotency_key,
        )

    async def run_cross_platform_match(
        self,
        *,
        platform: models.CheckAccountPlatform,
        handle: str,
        max_age_s: int | None = None,
        idempotency_key: str | None = None,
    ) -> Answer[models.RunCrossPlatformMatchResult, models.DerivedMeta]:
        """Accounts of the same person on other platforms."""
        return await self._connection.answer(
            "run_cross_platform_match",
            models.RunCrossPlatformMatchResult,
            models.DerivedMeta,
            {
                "platform": platform,
                "handle": handle,
                "max_age_s": max_age_s,
            },
            idempotency_key,
        )

    async def run_engagement_authenticity(
        self,
        *,
        platform: models.GetDirectoryEntryPlatform,
        handle: str,
        max_age_s: int | None = None,
        window_days: int | None = None,
        idempotency_key: str | None = None,
    ) -> Answer[models.RunEngagementAuthenticityResult, models.DerivedMeta]:
        """Whether reactions are unusual for the platform."""
        return await self._connection.answer(
            "run_engagement_authenticity",
            models.RunEngagementAuthenticityResult,
            models.DerivedMeta,
            {
                "platform": platform,
                "handle": handle,
                "max_age_s": max_age_s,
                "window_days": window_days,
            },
            idempotency_key,
        )

    async def run_engagement_rate(
        self,
        *,
        platform: models.GetDirectoryEntryPlatform,
        handle: str,
        max_age_s: int | None = None,
        window_days: int | None = None,
        idempotency_key: str | None = None,
    ) -> Answer[models.RunEngagementRateResult, models.DerivedMeta]:
        """Engagement of the posts of an account."""
        return await self._connection.answer(
            "run_engagement_rate",
            models.RunEngagementRateResult,
            models.DerivedMeta,
            {
                "platform": platform,
                "handle": handle,
                "max_age_s": max_age_s,
                "window_days": window_days,
            },
            idempotency_key,
        )

    async def run_follower_audit(
        self,
        *,
        platform: models.RunAudienceOverlapPlatform,
        handle: str,
        max_age_s: int | None = None,
        sample_size: int | None = None,
        idempotency_key: str | None = None,
    ) -> Answer[models.RunFollowerAuditResult, models.DerivedMeta]:
        """How much of an audience is suspicious or inactive."""
        return await self._connection.answer(
            "run_follower_audit",
            models.RunFollowerAuditResult,
            models.DerivedMeta,
            {
                "platform": platform,
                "handle": handle,
                "max_age_s": max_age_s,
                "sample_size": sample_size,
            },
            idempotency_key,
        )

    async def run_follower_rank(
        self,
        *,
        platform: models.GetDirectoryEntryPlatform,
        handle: str | None = None,
        max_age_s: int | None = None,
        followers: int | None = None,
        idempotency_key: str | None = None,
    ) -> Answer[models.RunFollowerRankResult, models.DerivedMeta]:
        """Rank of an account or of a number of followers."""
        return await self._connection.answer(
            "run_follower_rank",
            models.RunFollowerRankResult,
            models.DerivedMeta,
            {
                "platform": platform,
                "handle": handle,
                "max_age_s": max_age_s,
                "followers": followers,
            },
            idempotency_key,
        )

    async def run_growth_projection(
        self,
        *,
        platform: models.GetDirectoryEntryPlatform,
        handle: str,
        days: int,
        max_age_s: int | None = None,
        idempotency_key: str | None = None,
    ) -> Answer[models.RunGrowthProjectionResult, models.DerivedMeta]:
        """Projected followers of an account."""
        return await self._connection.answer(
            "run_growth_projection",
            models.RunGrowthProjectionResult,
            models.DerivedMeta,
            {
                "platform": platform,
                "handle": handle,
                "days": days,
                "max_age_s": max_age_s,
            },
            idempotency_key,
        )

    async def run_handle_availability(
        self,
        *,
        handle: str,
        platform: models.CheckAccountPlatform | None = None,
        platforms: Sequence[models.CheckAccountPlatform] | None = None,
        max_age_s: int | None = None,
        idempotency_key: str | None = None,
    ) -> Answer[models.RunHandleAvailabilityResult, models.DerivedMeta]:
        """Whether a name is free."""
        return await self._connection.answer(
            "run_handle_availability",
            models.RunHandleAvailabilityResult,
            models.DerivedMeta,
            {
                "handle": handle,
                "platform": platform,
                "platforms": platforms,
                "max_age_s": max_age_s,
            },
            idempotency_key,
        )

    async def run_handle_similarity(
        self,
        *,
        platform: models.GetDirectoryEntryPlatform,
        handle: str,
        max_age_s: int | None = None,
        limit: int | None = None,
        idempotency_key: str | None = None,
    ) -> Answer[models.RunHandleSimilarityResult, models.DerivedMeta]:
        """Handles that look like another handle."""
        return await self._connection.answer(
            "run_handle_similarity",
            models.RunHandleSimilarityResult,
            models.DerivedMeta,
            {
                "platform": platform,
                "handle": handle,
                "max_age_s": max_age_s,
                "limit": limit,
            },
            idempotency_key,
        )

    async def run_post_price(
        self,
        *,
        platform: models.GetDirectoryEntryPlatform,
        handle: str,
        max_age_s: int | None = None,
        window_days: int | None = None,
        idempotency_key: str | None = None,
    ) -> Answer[models.RunPostPriceResult, models.DerivedMeta]:
        """What a paid post of an account would cost."""
        return await self._connection.answer(
            "run_post_price",
            models.RunPostPriceResult,
            models.DerivedMeta,
            {
                "platform": platform,
                "handle": handle,
                "max_age_s": max_age_s,
                "window_days": window_days,
            },
            idempotency_key,
        )

    async def run_shadowban_check(
        self,
        *,
        platform: models.RunShadowbanCheckPlatform,
        handle: str,
        max_age_s: int | None = None,
        idempotency_key: str | None = None,
    ) -> Answer[models.RunShadowbanCheckResult, models.DerivedMeta]:
        """Whether a platform hides an account without saying so."""
        return await self._connection.answer(
            "run_shadowban_check",
            models.RunShadowbanCheckResult,
            models.DerivedMeta,
            {
                "platform": platform,
                "handle": handle,
                "max_age_s": max_age_s,
            },
            idempotency_key,
        )

    async def run_trust_report(
        self,
        *,
        platform: models.GetDirectoryEntryPlatform,
        handle: str,
        max_age_s: int | None = None,
        idempotency_key: str | None = None,
    ) -> Answer[models.RunTrustReportResult, models.DerivedMeta]:
        """Evidence for and against trusting an account."""
        return await self._connection.answer(
            "run_trust_report",
            models.RunTrustReportResult,
            models.DerivedMeta,
            {
                "platform": platform,
                "handle": handle,
                "max_age_s": max_age_s,
            },
            idempotency_key,
        )

    async def run_username_score(
        self,
        *,
        handle: str,
        platform: models.CheckAccountPlatform | None = None,
        idempotency_key: str | None = None,
    ) -> Answer[models.RunUsernameScoreResult, models.DerivedMeta]:
        """How good a name is."""
        return await self._connection.answer(
            "run_username_score",
            models.RunUsernameScoreResult,
            models.DerivedMeta,
            {
                "handle": handle,
                "platform": platform,
            },
            idempotency_key,
        )

    async def run_valuation(
        self,
        *,
        platform: models.CheckAccountPlatform,
        handle: str,
        max_age_s: int | None = None,
        idempotency_key: str | None = None,
    ) -> Answer[models.RunValuationResult, models.DerivedMeta]:
        """Estimated sale price of an account."""
        return await self._connection.answer(
            "run_valuation",
            models.RunValuationResult,
            models.DerivedMeta,
            {
                "platform": platform,
                "handle": handle,
                "max_age_s": max_age_s,
            },
            idempotency_key,
        )

    async def run_virality_check(
        self,
        *,
        platform: models.RunViralityCheckPlatform,
        post_url: str,
        handle: str | None = None,
        max_age_s: int | None = None,
        idempotency_key: str | None = None,
    ) -> Answer[models.RunViralityCheckResult, models.DerivedMeta]:
        """How far a post exceeds its author’s median engagement."""
        return await self._connection.answer(
            "run_virality_check",
            models.RunViralityCheckResult,
            models.DerivedMeta,
            {
                "platform": platform,
                "post_url": post_url,
                "handle": handle,
                "max_age_s": max_age_s,
            },
            idempotency_key,
        )


class AsyncSightline(AsyncClient):
    __doc__ = AsyncClient.__doc__

    @cached_property
    def raw(self) -> AsyncRawSightline:
        """The same functions, with all that came with an answer; of a list, one page."""
        return AsyncRawSightline(self._connection)

    async def get_capabilities(
        self,
    ) -> models.Capabilities:
        """What your key may call.

        Lists every endpoint with its scope, the cost of a call, and whether your key may call it. If it may not, the entry has the error that a call would return.

        Scope: none.

        Metered as: free. Lowest plan: free.
        """
        answer = await self.raw.get_capabilities()
        return answer.data

    async def check_account(
        self,
        *,
        platform: models.CheckAccountPlatform,
        handle: str,
    ) -> models.AccountCheck:
        """Check an account in the catalog.

        Whether the account exists, how large it is, and the age of the reading. `exists` is null for an account that was never read. It is also null for a handle that its account has left; `renamed_to` then has the current handle.

        Scope: `accounts:read`.

        Metered as: free. Lowest plan: free.
        """
        answer = await self.raw.check_account(
            platform=platform,
            handle=handle,
        )
        return answer.data

    async def check_account_live(
        self,
        *,
        platform: models.CheckAccountPlatform,
        handle: str,
        max_age_s: int | None = None,
    ) -> models.AccountCheck:
        """Check an account on its platform.

        Reads the platform for this request and records the result in the catalog. The answer for a suspended, deactivated or absent account has no figures. With `max_age_s`, a recent enough reading from the catalog is returned instead, free of charge.

        Scope: `accounts:live`.

        Metered as: live. Lowest plan: starter.

        Sends at most 12 requests to platforms.

        Args:
            max_age_s: Return the catalog’s reading if none of its values is older than this many seconds.
        """
        answer = await self.raw.check_account_live(
            platform=platform,
            handle=handle,
            max_age_s=max_age_s,
        )
        return answer.data

    async def check_accounts(
        self,
        *,
        accounts: Sequence[models.CheckAccountsAccounts],
        idempotency_key: str | None = None,
    ) -> models.CheckAccountsResult:
        """Check up to 100 accounts in the catalog.

        Checks many accounts at once, in the order of the request. An item that is not a valid account reference gets the status `unknown` and an error; the other items are not affected.

        Scope: `accounts:read`.

        Metered as: free. Lowest plan: free.
        """
        answer = await self.raw.check_accounts(
            accounts=accounts,
            idempotency_key=idempotency_key,
        )
        return answer.data

    def list_platforms(
        self,
        *,
        limit: int | None = None,
    ) -> AsyncItems[models.Platform, models.ListMeta]:
        """The platforms.

        Capabilities of each platform, the number of its accounts in the catalog, and the time of the newest sighting.

        Scope: `accounts:read`.

        Metered as: free. Lowest plan: free.

        Args:
            limit: Maximum items per page; default 25.
        """
        return AsyncItems(
            lambda cursor: self.raw.list_platforms(
                limit=limit,
                cursor=cursor,
            )
        )

    async def resolve_account(
        self,
        *,
        url: str,
    ) -> models.AccountCheck:
        """Check the account of a profile URL.

        Accepts a profile URL of any platform, or `platform:handle`, and checks that account. Only YouTube can resolve its URLs with `/c/` or `/user/`: they are read live, which costs a live call and requires the scope `accounts:live`.

        Scope: `accounts:read`.

        Metered as: free. Lowest plan: free.

        Sends at most 18 requests to platforms.
        """
        answer = await self.raw.resolve_account(
            url=url,
        )
        return answer.data

    async def get_directory_entry(
        self,
        *,
        platform: models.GetDirectoryEntryPlatform,
        id: str,
    ) -> models.DirectoryEntry:
        """One entry of the catalog.

        The newest reading of an account, by handle or by native ID. A native ID survives renames.

        Scope: `directory:read`.

        Metered as: catalog. Lowest plan: free.
        """
        answer = await self.raw.get_directory_entry(
            platform=platform,
            id=id,
        )
        return answer.data

    async def get_directory_stats(
        self,
    ) -> models.GetDirectoryStatsResult:
        """Statistics of the catalog.

        By platform: number of accounts by status and size, and the age of their oldest values.

        Scope: `directory:read`.

        Metered as: catalog. Lowest plan: free.
        """
        answer = await self.raw.get_directory_stats()
        return answer.data

    def list_directory(
        self,
        *,
        platform: models.GetDirectoryEntryPlatform | None = None,
        q: str | None = None,
        min_followers: int | None = None,
        max_followers: int | None = None,
        verified: bool | None = None,
        status: models.ListDirectoryStatus | None = None,
        seen_since: str | None = None,
        created_since: str | None = None,
        sort: models.ListDirectorySort | None = None,
        limit: int | None = None,
    ) -> AsyncItems[models.DirectoryEntry, models.ExportListMeta]:
        """The catalog of all directory platforms.

        Entries of the six directory platforms, filtered and sorted.

        Scope: `directory:read`.

        Metered as: catalog. Lowest plan: free.

        Args:
            q: Words that must each begin the handle or a word of the name; or a former handle that no other account uses now.
            seen_since: Last found to exist at this time or later.
            sort: Default `followers`. Unknown values sort last. `growth_30d` is the growth up to the last sighting of the account, however long ago that was.
            limit: Maximum items per page; default 25. A page costs one unit for every 100 rows or part of them.
        """
        return AsyncItems(
            lambda cursor: self.raw.list_directory(
                platform=platform,
                q=q,
                min_followers=min_followers,
                max_followers=max_followers,
                verified=verified,
                status=status,
                seen_since=seen_since,
                created_since=created_since,
                sort=sort,
                limit=limit,
                cursor=cursor,
            )
        )

    def list_directory_changes(
        self,
        *,
        platform: models.GetDirectoryEntryPlatform | None = None,
        kind: models.ListDirectoryChangesKind | None = None,
        limit: int | None = None,
        after: models.ListDirectoryChangesAfter | None = None,
    ) -> AsyncItems[models.DirectoryChange, models.FeedMeta]:
        """Changes of accounts in the catalog.

        Changes in log order, for mirroring the catalog. They cover all fields of an entry except counts, posts and the times of readings. A row is about the entry with its `id` or, if `id` is null, with its handle (for a rename, the former handle). An entry left with neither was found to be the same account as another one: drop it. Store `meta.resume_cursor`, and send it later as `cursor` to get the changes since. It is bound to the filters and valid as long as the operator keeps the secret that signed it.

        Scope: `directory:read`.

        Metered as: catalog. Lowest plan: free.

        Args:
            limit: Maximum items per page; default 25. A page costs one unit for every 100 rows or part of them.
            after: `now` returns an empty page whose `meta.resume_cursor` starts at the rows added from now on.
        """
        return AsyncItems(
            lambda cursor: self.raw.list_directory_changes(
                platform=platform,
                kind=kind,
                limit=limit,
                after=after,
                cursor=cursor,
            )
        )

    def list_entry_history(
        self,
        *,
        platform: models.GetDirectoryEntryPlatform,
        id: str,
        limit: int | None = None,
    ) -> AsyncItems[models.HistoryPoint, models.ExportListMeta]:
        """History of an account.

        The first reading of each day, and each reading that found a change of `handle` or `display_name` or `verified`; newest first.

        Scope: `directory:read`.

        Metered as: catalog. Lowest plan: free.

        Args:
            limit: Maximum items per page; default 25. A page costs one unit for every 100 rows or part of them.
        """
        return AsyncItems(
            lambda cursor: self.raw.list_entry_history(
                platform=platform,
                id=id,
                limit=limit,
                cursor=cursor,
            )
        )

    def list_entry_posts(
        self,
        *,
        platform: models.GetDirectoryEntryPlatform,
        id: str,
        limit: int | None = None,
    ) -> AsyncItems[models.Post, models.ExportListMeta]:
        """Posts of an account.

        Observed posts, newest first. For 60 days, the counts of an older post are recorded again if they have moved by 2 %. `observed_at` is the time of the oldest reading among these counts.

        Scope: `directory:read`.

        Metered as: catalog. Lowest plan: free.

        Args:
            limit: Maximum items per page; default 25. A page costs one unit for every 100 rows or part of them.
        """
        return AsyncItems(
            lambda cursor: self.raw.list_entry_posts(
                platform=platform,
                id=id,
                limit=limit,
                cursor=cursor,
            )
        )

    def list_platform_directory(
        self,
        *,
        platform: models.GetDirectoryEntryPlatform,
        q: str | None = None,
        min_followers: int | None = None,
        max_followers: int | None = None,
        verified: bool | None = None,
        status: models.ListDirectoryStatus | None = None,
        seen_since: str | None = None,
        created_since: str | None = None,
        sort: models.ListDirectorySort | None = None,
        limit: int | None = None,
    ) -> AsyncItems[models.DirectoryEntry, models.ExportListMeta]:
        """The catalog of one platform.

        Entries of one platform, filtered and sorted.

        Scope: `directory:read`.

        Metered as: catalog. Lowest plan: free.

        Args:
            q: Words that must each begin the handle or a word of the name; or a former handle that no other account uses now.
            seen_since: Last found to exist at this time or later.
            sort: Default `followers`. Unknown values sort last. `growth_30d` is the growth up to the last sighting of the account, however long ago that was.
            limit: Maximum items per page; default 25. A page costs one unit for every 100 rows or part of them.
        """
        return AsyncItems(
            lambda cursor: self.raw.list_platform_directory(
                platform=platform,
                q=q,
                min_followers=min_followers,
                max_followers=max_followers,
                verified=verified,
                status=status,
                seen_since=seen_since,
                created_since=created_since,
                sort=sort,
                limit=limit,
                cursor=cursor,
            )
        )

    def list_similar_entries(
        self,
        *,
        platform: models.GetDirectoryEntryPlatform,
        id: str,
        limit: int | None = None,
    ) -> AsyncItems[models.SimilarEntry, models.ListMeta]:
        """Similar accounts.

        Accounts of all directory platforms with a similar handle, name, links or size, most similar first. The comparison covers accounts that share a link, a word of the name, or a prefix of a word or of the handle, if at most 200 accounts share it, and 200 accounts with the same name. Similarity does not prove a common owner.

        Scope: `directory:read`.

        Metered as: catalog. Lowest plan: free.

        Args:
            limit: Maximum items per page; default 25.
        """
        return AsyncItems(
            lambda cursor: self.raw.list_similar_entries(
                platform=platform,
                id=id,
                limit=limit,
                cursor=cursor,
            )
        )

    def list_top_entries(
        self,
        *,
        by: models.ListTopEntriesBy | None = None,
        platform: models.GetDirectoryEntryPlatform | None = None,
        limit: int | None = None,
    ) -> AsyncItems[models.DirectoryEntry, models.ExportListMeta]:
        """Largest and fastest growing accounts.

        Accounts that the last reading found, ranked by followers or by growth. Growth is the followers at the last sighting minus those at the newest sighting at least 7 (or 30) and at most 60 days earlier. Rankings by growth include only accounts seen in the last 7 (or 30) days. Accounts whose value is unknown are omitted.

        Scope: `directory:read`.

        Metered as: catalog. Lowest plan: free.

        Args:
            by: Default `followers`.
            limit: Maximum items per page; default 25. A page costs one unit for every 100 rows or part of them.
        """
        return AsyncItems(
            lambda cursor: self.raw.list_top_entries(
                by=by,
                platform=platform,
                limit=limit,
                cursor=cursor,
            )
        )

    async def get_engine(
        self,
        *,
        key: str,
        window: models.GetEngineWindow | None = None,
    ) -> models.Engine:
        """Health of one crawler.

        One engine by its key: the name of its platform, or `marketplace`. `meta.cache_age_s` is the age of its last report.

        Scope: `engines:read`.

        Metered as: catalog. Lowest plan: free.

        Args:
            window: Time window of `success_rate`, `outcomes` and `latency_ms`. Default `1h`.
        """
        answer = await self.raw.get_engine(
            key=key,
            window=window,
        )
        return answer.data

    def list_engines(
        self,
        *,
        window: models.GetEngineWindow | None = None,
        limit: int | None = None,
    ) -> AsyncItems[models.Engine, models.ListMeta]:
        """Health of every crawler.

        The engines that fill the catalog: one of each platform, and one that reads a marketplace. Workers report once a minute; `meta.cache_age_s` is the age of the oldest last report of an engine. A figure that can’t be computed is null, never 0.

        Scope: `engines:read`.

        Metered as: catalog. Lowest plan: free.

        Args:
            window: Time window of `success_rate`, `outcomes` and `latency_ms`. Default `1h`.
            limit: Maximum items per page; default 25.
        """
        return AsyncItems(
            lambda cursor: self.raw.list_engines(
                window=window,
                limit=limit,
                cursor=cursor,
            )
        )

    async def get_x_cohort_benchmarks(
        self,
    ) -> models.GetXCohortBenchmarksResult:
        """Benchmarks for accounts of X by size.

        Percentiles of the figures of `/insights/x/{handle}` for eight size bands and for all accounts, as last computed. Bands and figures of fewer than 30 accounts are omitted. `framing` describes the sample.

        Scope: `insights:read`.

        Metered as: catalog. Lowest plan: starter.
        """
        answer = await self.raw.get_x_cohort_benchmarks()
        return answer.data

    async def get_x_content_mix(
        self,
        *,
        handle: str,
        timezone: str | None = None,
        window_days: int | None = None,
    ) -> models.GetXContentMixResult:
        """Content of an account of X, and its effect on engagement.

        Shares of the posts in the window by kind, and of the original posts by media, links, hashtags and mentions. `effects` compares the engagement of ripe original posts with and without a trait, at the same hour and age, with 95 % intervals; `significant` uses Benjamini and Hochberg’s procedure at 0.05. If the sample is too small, `effects` is null and the warning is `effects_need_more_posts`. `measurable: false` means that no difference is measurable. `meta.warnings`: `posts_not_ripe` (omitted), `order_unknown` (some posts were selected by the platform), `counts_rounded`, `dependence_unclear` (the posts do not tell how strongly they depend on each other, so that intervals may be too narrow for an account with streaks of its own), `window_not_covered` (older posts are not known), `window_ends_early` (posts of the last days are not known), `views_unknown`, `replies_unknown` (reading them requires a session), `followers_after_posts` (known from later readings only), `population_unknown` (not computed yet), `cohort_small` (fewer than 30 accounts of about the size).

        Scope: `insights:read`.

        Metered as: catalog. Lowest plan: starter.

        Args:
            timezone: IANA time zone of hours and weekdays, such as `Europe/Berlin`; default `UTC`.
            window_days: Length of the window before the account's last sighting, in days; default 365.
        """
        answer = await self.raw.get_x_content_mix(
            handle=handle,
            timezone=timezone,
            window_days=window_days,
        )
        return answer.data

    async def get_x_data_coverage(
        self,
    ) -> models.GetXDataCoverageResult:
        """Data behind the insights on X.

        How many accounts and posts of X are in the catalog, and how many of them the figures use, as of the last computation.

        Scope: `insights:read`.

        Metered as: catalog. Lowest plan: starter.
        """
        answer = await self.raw.get_x_data_coverage()
        return answer.data

    async def get_x_engagement(
        self,
        *,
        handle: str,
        window_days: int | None = None,
    ) -> models.GetXEngagementResult:
        """Engagement of the posts of an account of X.

        Medians and quartiles of ripe original posts, with 95 % intervals, and medians by week. Engagement is the sum of likes, replies, reposts and quotes. Rates divide it by the followers at the time of the post, or by the views of the post. A figure known for fewer than 8 posts is null. `meta.warnings`: `posts_not_ripe` (omitted), `order_unknown` (some posts were selected by the platform), `counts_rounded`, `dependence_unclear` (the posts do not tell how strongly they depend on each other, so that intervals may be too narrow for an account with streaks of its own), `window_not_covered` (older posts are not known), `window_ends_early` (posts of the last days are not known), `views_unknown`, `replies_unknown` (reading them requires a session), `followers_after_posts` (known from later readings only), `population_unknown` (not computed yet), `cohort_small` (fewer than 30 accounts of about the size).

        Scope: `insights:read`.

        Metered as: catalog. Lowest plan: starter.

        Args:
            window_days: Length of the window before the account's last sighting, in days; default 30.
        """
        answer = await self.raw.get_x_engagement(
            handle=handle,
            window_days=window_days,
        )
        return answer.data

    async def get_x_growth(
        self,
        *,
        handle: str,
        from_: str | None = None,
        to: str | None = None,
    ) -> models.GetXGrowthResult:
        """Follower growth of an account of X.

        Readings of the followers, the change from the first to the last, the median slope of all pairs of readings (Theil and Sen) with its 95 % interval, and changes that are far larger than usual. A change that all accounts of X share, such as a purge of bots, is attributed to the platform. A slope requires 8 readings.

        Scope: `insights:read`.

        Metered as: catalog. Lowest plan: starter.

        Args:
            from_: Default 90 days before `to`.
            to: Default: the last sighting of the account.
        """
        answer = await self.raw.get_x_growth(
            handle=handle,
            from_=from_,
            to=to,
        )
        return answer.data

    async def get_x_insights(
        self,
        *,
        handle: str,
        window_days: int | None = None,
    ) -> models.GetXInsightsResult:
        """Key figures of an account of X.

        Medians of original posts, each with a 95 % interval in `intervals`: engagement by followers at the time of the post, engagement by views, and views. Also posts per week, and the percentile of the engagement by followers among the accounts nearest in size. Rates are shares: 0.01 is 1 %. `meta.warnings`: `posts_not_ripe` (omitted), `order_unknown` (some posts were selected by the platform), `counts_rounded`, `dependence_unclear` (the posts do not tell how strongly they depend on each other, so that intervals may be too narrow for an account with streaks of its own), `window_not_covered` (older posts are not known), `window_ends_early` (posts of the last days are not known), `views_unknown`, `replies_unknown` (reading them requires a session), `followers_after_posts` (known from later readings only), `population_unknown` (not computed yet), `cohort_small` (fewer than 30 accounts of about the size).

        Scope: `insights:read`.

        Metered as: catalog. Lowest plan: starter.

        Args:
            window_days: Length of the window before the account's last sighting, in days; default 30.
        """
        answer = await self.raw.get_x_insights(
            handle=handle,
            window_days=window_days,
        )
        return answer.data

    async def get_x_population_patterns(
        self,
    ) -> models.GetXPopulationPatternsResult:
        """When posts on X get more engagement.

        Engagement by hour of the week (UTC) over a sample of authors. The posts of an hour are compared with the median of their author; the figure is the median over authors, with its 95 % interval, and null for fewer than 30 authors. Authors live in many time zones and choose when they post: the figures say nothing about causes.

        Scope: `insights:read`.

        Metered as: catalog. Lowest plan: starter.
        """
        answer = await self.raw.get_x_population_patterns()
        return answer.data

    async def get_x_posting_patterns(
        self,
        *,
        handle: str,
        timezone: str | None = None,
        window_days: int | None = None,
    ) -> models.GetXPostingPatternsResult:
        """When the posts of an account of X get more engagement.

        Engagement by hour of the week compared with the account’s usual engagement, with 95 % intervals. `best` has hours only if the effect of hour or weekday exceeds chance (Benjamini and Hochberg at 0.05); `significant: false` means that no difference is measurable. If the platform selected all posts, or if they vary too little, nothing is tested and `cells` is empty. `meta.warnings`: `posts_not_ripe` (omitted), `order_unknown` (some posts were selected by the platform), `counts_rounded`, `dependence_unclear` (the posts do not tell how strongly they depend on each other, so that intervals may be too narrow for an account with streaks of its own), `window_not_covered` (older posts are not known), `window_ends_early` (posts of the last days are not known), `views_unknown`, `replies_unknown` (reading them requires a session), `followers_after_posts` (known from later readings only), `population_unknown` (not computed yet), `cohort_small` (fewer than 30 accounts of about the size).

        Scope: `insights:read`.

        Metered as: catalog. Lowest plan: starter.

        Args:
            timezone: IANA time zone of hours and weekdays, such as `Europe/Berlin`; default `UTC`.
            window_days: Length of the window before the account's last sighting, in days; default 365.
        """
        answer = await self.raw.get_x_posting_patterns(
            handle=handle,
            timezone=timezone,
            window_days=window_days,
        )
        return answer.data

    def list_x_peers(
        self,
        *,
        handle: str,
        limit: int | None = None,
    ) -> AsyncItems[models.Peer, models.DerivedListMeta]:
        """Accounts of X of about the same size.

        The 200 accounts of the catalog with the nearest numbers of followers on a logarithmic scale, nearest first, with medians of their original posts of 30 days. They have from a third to three times as many followers. Accounts with fewer than 8 ripe original posts are omitted.

        Scope: `insights:read`.

        Metered as: catalog. Lowest plan: starter.

        Args:
            limit: Maximum items per page; default 25.
        """
        return AsyncItems(
            lambda cursor: self.raw.list_x_peers(
                handle=handle,
                limit=limit,
                cursor=cursor,
            )
        )

    def list_x_population_viral_posts(
        self,
        *,
        min_multiple: int | None = None,
        since: str | None = None,
        limit: int | None = None,
    ) -> AsyncItems[models.PopulationViralPost, models.DerivedListMeta]:
        """Posts on X furthest above the median of their author.

        Ripe original posts of the 30 days before the last sighting of their authors, by robust z-score, highest first. Each has at least three times its author’s median engagement and a robust z-score of at least 3.5; at most three are listed per author. A page may be short although it has a `next_cursor`.

        Scope: `insights:read`.

        Metered as: catalog. Lowest plan: starter.

        Args:
            min_multiple: Minimum multiple of the author's median; default 3.
            since: Published at this time or later.
            limit: Maximum items per page; default 25.
        """
        return AsyncItems(
            lambda cursor: self.raw.list_x_population_viral_posts(
                min_multiple=min_multiple,
                since=since,
                limit=limit,
                cursor=cursor,
            )
        )

    def list_x_top_tweets(
        self,
        *,
        handle: str,
        sort: models.ListXTopTweetsSort | None = None,
        window_days: int | None = None,
        limit: int | None = None,
    ) -> AsyncItems[models.InsightPost, models.DerivedListMeta]:
        """The posts of an account of X with the most engagement.

        Original posts of the window, highest count first; posts whose count is unknown come last. Young posts are listed with `is_ripe: false`. `meta.warnings`: `posts_not_ripe` (omitted), `order_unknown` (some posts were selected by the platform), `counts_rounded`, `dependence_unclear` (the posts do not tell how strongly they depend on each other, so that intervals may be too narrow for an account with streaks of its own), `window_not_covered` (older posts are not known), `window_ends_early` (posts of the last days are not known), `views_unknown`, `replies_unknown` (reading them requires a session), `followers_after_posts` (known from later readings only), `population_unknown` (not computed yet), `cohort_small` (fewer than 30 accounts of about the size).

        Scope: `insights:read`.

        Metered as: catalog. Lowest plan: starter.

        Args:
            sort: Default `engagement`.
            window_days: Length of the window before the account's last sighting, in days; default 30.
            limit: Maximum items per page; default 25.
        """
        return AsyncItems(
            lambda cursor: self.raw.list_x_top_tweets(
                handle=handle,
                sort=sort,
                window_days=window_days,
                limit=limit,
                cursor=cursor,
            )
        )

    def list_x_viral_posts(
        self,
        *,
        handle: str,
        min_multiple: int | None = None,
        window_days: int | None = None,
        limit: int | None = None,
    ) -> AsyncItems[models.InsightPost, models.DerivedListMeta]:
        """Posts of an account of X far above its median.

        Ripe original posts whose engagement is at least `min_multiple` times the median of all of them, highest multiple first. With fewer than 8 ripe posts the list is empty; `meta.coverage` has their number. `meta.warnings`: `posts_not_ripe` (omitted), `order_unknown` (some posts were selected by the platform), `counts_rounded`, `dependence_unclear` (the posts do not tell how strongly they depend on each other, so that intervals may be too narrow for an account with streaks of its own), `window_not_covered` (older posts are not known), `window_ends_early` (posts of the last days are not known), `views_unknown`, `replies_unknown` (reading them requires a session), `followers_after_posts` (known from later readings only), `population_unknown` (not computed yet), `cohort_small` (fewer than 30 accounts of about the size).

        Scope: `insights:read`.

        Metered as: catalog. Lowest plan: starter.

        Args:
            min_multiple: Minimum multiple of the median; default 3.
            window_days: Length of the window before the account's last sighting, in days; default 30.
            limit: Maximum items per page; default 25.
        """
        return AsyncItems(
            lambda cursor: self.raw.list_x_viral_posts(
                handle=handle,
                min_multiple=min_multiple,
                window_days=window_days,
                limit=limit,
                cursor=cursor,
            )
        )

    def export_follower_graph(
        self,
        *,
        handle: str,
        direction: models.ExportFollowerGraphDirection | None = None,
        limit: int | None = None,
    ) -> AsyncItems[models.FollowEdge, models.CoveredListMeta]:
        """Followers of an X account, or accounts it follows, as edges.

        Edges of a list that was read, in order of the members’ native IDs. `source` follows `target`; each is a handle, or `id:<native ID>` if no handle is known. An edge stays listed until a complete reading of the list no longer has it. Lists are read only up to the operator’s cap, and a reading may break off. `meta.coverage` (in NDJSON and CSV the header `X-List-Coverage`) says whether and when the list was read completely; otherwise, a missing edge may still exist. A list that was never read returns 404.

        Scope: `leads:read`.

        Metered as: catalog. Lowest plan: scale.

        Args:
            direction: Default `followers`.
            limit: Maximum items per page; default 25. A page costs one unit for every 100 rows or part of them.
        """
        return AsyncItems(
            lambda cursor: self.raw.export_follower_graph(
                handle=handle,
                direction=direction,
                limit=limit,
                cursor=cursor,
            )
        )

    async def get_company(
        self,
        *,
        id: str,
    ) -> models.Company:
        """One company of LinkedIn.

        The facts of a company page, as last read. The ID of a company is its slug: public pages show no other ID.

        Scope: `leads:read`.

        Metered as: catalog. Lowest plan: scale.
        """
        answer = await self.raw.get_company(
            id=id,
        )
        return answer.data

    def list_companies(
        self,
        *,
        industry: str | None = None,
        size: models.ListCompaniesSize | None = None,
        country: str | None = None,
        q: str | None = None,
        limit: int | None = None,
    ) -> AsyncItems[models.Company, models.ExportListMeta]:
        """Companies of LinkedIn.

        Companies whose pages were read, in order of slug; companies whose page is gone are omitted. A company must match all filters. `industry` and `size_band` are null if the page does not show them.

        Scope: `leads:read`.

        Metered as: catalog. Lowest plan: scale.

        Args:
            industry: Industry as the page shows it; case, accents and punctuation make no difference.
            size: Employees.
            country: ISO 3166-1 alpha-2.
            q: Prefix of the slug. For a name, write dashes for spaces.
            limit: Maximum items per page; default 25. A page costs one unit for every 100 rows or part of them.
        """
        return AsyncItems(
            lambda cursor: self.raw.list_companies(
                industry=industry,
                size=size,
                country=country,
                q=q,
                limit=limit,
                cursor=cursor,
            )
        )

    def list_decision_makers(
        self,
        *,
        seniority: models.ListDecisionMakersSeniority | None = None,
        function: models.ListDecisionMakersFunction | None = None,
        company: str | None = None,
        industry: str | None = None,
        size: models.ListCompaniesSize | None = None,
        country: str | None = None,
        q: str | None = None,
        limit: int | None = None,
    ) -> AsyncItems[models.DecisionMaker, models.ExportListMeta]:
        """Decision makers of LinkedIn.

        People whose pages were read and whose title is that of an owner, a partner, or a director or above, in order of slug; `seniority` selects other titles. People whose page is gone are omitted. `seniority` and `function` are derived from the title, and null if it does not show them. `industry` and `size` are those of the employer; with them, a page may have fewer items than `limit` although `next_cursor` leads to more.

        Scope: `leads:read`.

        Metered as: catalog. Lowest plan: scale.

        Args:
            seniority: Default: `owner`, `cxo`, `partner`, `vp` and `director`. `any` is everyone, including people whose title shows no seniority.
            company: Slug of the employer.
            industry: Industry of the employer.
            size: Employees of the employer.
            country: ISO 3166-1 alpha-2.
            q: Prefix of the slug. For a name, write dashes for spaces.
            limit: Maximum items per page; default 25. A page costs one unit for every 100 rows or part of them.
        """
        return AsyncItems(
            lambda cursor: self.raw.list_decision_makers(
                seniority=seniority,
                function=function,
                company=company,
                industry=industry,
                size=size,
                country=country,
                q=q,
                limit=limit,
                cursor=cursor,
            )
        )

    async def get_listing(
        self,
        *,
        id: str,
    ) -> models.Listing:
        """One listing.

        A listing by its ID, also after it was sold or withdrawn.

        Scope: `marketplace:read`.

        Metered as: catalog. Lowest plan: free.
        """
        answer = await self.raw.get_listing(
            id=id,
        )
        return answer.data

    async def get_marketplace_pricing(
        self,
        *,
        platform: models.CheckAccountPlatform | None = None,
    ) -> models.GetMarketplacePricingResult:
        """Current prices per thousand followers.

        Quartiles of the price per thousand stated followers, by platform and follower band, separately for asking prices and prices paid. They are accurate to 1 %, and null for fewer than 10 values. Bands without any price are omitted.

        Scope: `marketplace:read`.

        Metered as: catalog. Lowest plan: free.
        """
        answer = await self.raw.get_marketplace_pricing(
            platform=platform,
        )
        return answer.data

    async def get_marketplace_stats(
        self,
    ) -> models.GetMarketplaceStatsResult:
        """Statistics of the marketplaces.

        Listings, sellers and prices by platform. Quartiles are accurate to 1 %, and null for fewer than 10 values.

        Scope: `marketplace:read`.

        Metered as: catalog. Lowest plan: free.
        """
        answer = await self.raw.get_marketplace_stats()
        return answer.data

    def list_listings(
        self,
        *,
        platform: models.CheckAccountPlatform | None = None,
        status: models.ListListingsStatus | None = None,
        seller: str | None = None,
        min_price_usd: str | None = None,
        max_price_usd: str | None = None,
        min_followers: int | None = None,
        max_followers: int | None = None,
        sort: models.ListListingsSort | None = None,
        limit: int | None = None,
    ) -> AsyncItems[models.Listing, models.ExportListMeta]:
        """Accounts that are for sale.

        Active listings; `status` selects sold or withdrawn ones instead. Price and followers are as stated by the marketplace; `verified_metrics` is the catalog’s own reading of the account.

        Scope: `marketplace:read`.

        Metered as: catalog. Lowest plan: free.

        Args:
            status: Default `active`.
            seller: `id` of a seller.
            min_price_usd: Asking price in US dollars, such as `99.95`.
            min_followers: As the seller states them.
            sort: Default `recent`: most recently changed first. `price` and `price_per_1k_followers` sort ascending, `price_desc` and `followers` descending. Unknown values sort last.
            limit: Maximum items per page; default 25. A page costs one unit for every 100 rows or part of them.
        """
        return AsyncItems(
            lambda cursor: self.raw.list_listings(
                platform=platform,
                status=status,
                seller=seller,
                min_price_usd=min_price_usd,
                max_price_usd=max_price_usd,
                min_followers=min_followers,
                max_followers=max_followers,
                sort=sort,
                limit=limit,
                cursor=cursor,
            )
        )

    def list_sellers(
        self,
        *,
        sort: models.ListSellersSort | None = None,
        limit: int | None = None,
    ) -> AsyncItems[models.Seller, models.ExportListMeta]:
        """Leaderboard of sellers.

        Sellers with an active or sold listing, highest value of `sort` first.

        Scope: `marketplace:read`.

        Metered as: catalog. Lowest plan: free.

        Args:
            sort: Default `sold`.
            limit: Maximum items per page; default 25. A page costs one unit for every 100 rows or part of them.
        """
        return AsyncItems(
            lambda cursor: self.raw.list_sellers(
                sort=sort,
                limit=limit,
                cursor=cursor,
            )
        )

    async def lookup_person(
        self,
        *,
        platform: models.CheckAccountPlatform | None = None,
        handle: str | None = None,
        url: str | None = None,
        person_id: str | None = None,
        min_confidence: str | None = None,
    ) -> models.LookedUpPerson:
        """The person behind an account.

        The accounts of all platforms that evidence of both sides joins with the requested one, each with its confidence and the evidence whose weights add up to its log odds: links both ways, and link pages that list both. Links that nobody answers are claims, which join nobody: anyone can link to anyone under any name. An account without an answer is a person of its own.

        Scope: `people:read`.

        Metered as: catalog. Lowest plan: free.

        Args:
            url: A profile URL, or `platform:handle`.
            person_id: `person_id` of an earlier answer; `merged_into` names the person that it has become.
            min_confidence: Minimum confidence. Accounts below it are omitted, except the requested account (for `person_id`, the account that the ID was made from).
        """
        answer = await self.raw.lookup_person(
            platform=platform,
            handle=handle,
            url=url,
            person_id=person_id,
            min_confidence=min_confidence,
        )
        return answer.data

    def search_people(
        self,
        *,
        q: str,
        platform: models.CheckAccountPlatform | None = None,
        min_followers: int | None = None,
        min_confidence: str | None = None,
        limit: int | None = None,
    ) -> AsyncItems[models.Person, models.ListMeta]:
        """Persons by name or handle.

        Persons whose names or handles contain words that begin with the words of `q`, and persons of the account that last had the handle `q`. Persons with the largest account come first; sizes are ranked in steps of an eighth. Persons with LinkedIn accounts only require the scope `leads:read`. A page may have fewer items than `limit` although `next_cursor` leads to more.

        Scope: `people:read`.

        Metered as: catalog. Lowest plan: free.

        Args:
            platform: Persons with an account there.
            min_followers: Followers of the largest account; a LinkedIn account counts only if there is no other.
            min_confidence: Minimum confidence. Accounts below it are omitted, except the largest if all are below.
            limit: Maximum items per page; default 25.
        """
        return AsyncItems(
            lambda cursor: self.raw.search_people(
                q=q,
                platform=platform,
                min_followers=min_followers,
                min_confidence=min_confidence,
                limit=limit,
                cursor=cursor,
            )
        )

    async def get_finding(
        self,
        *,
        id: str,
    ) -> models.Finding:
        """One finding.

        A finding by its ID, also after it was dismissed or superseded.

        Scope: `research:read`.

        Metered as: catalog. Lowest plan: growth.
        """
        answer = await self.raw.get_finding(
            id=id,
        )
        return answer.data

    def list_findings(
        self,
        *,
        kind: models.ListFindingsKind | None = None,
        run: str | None = None,
        pool: str | None = None,
        status: models.ListFindingsStatus | None = None,
        since: str | None = None,
        until: str | None = None,
        limit: int | None = None,
    ) -> AsyncItems[models.Finding, models.ListMeta]:
        """Findings of research.

        Findings of the research engine, newest first. A finding is a change that chance does not explain, with its figures and the events that support it. A lasting finding is recorded once a day and supersedes the previous one.

        Scope: `research:read`.

        Metered as: catalog. Lowest plan: growth.

        Args:
            kind: `pool_yield`: a pool discovers at least twice as many accounts a request as others. `pool_exhausted`: a pool discovers less than a tenth as many as on its best day. `pool_stale`: the accounts of a pool are read late. `demand_surge`: callers ask for at least twice as many accounts. `engine_fault`: readings stay inconclusive. `rename_wave`: at least twice as many accounts change their handle. `growth_cluster`: at least twice as many accounts of a pool jump in followers.
            run: `id` of a run.
            pool: Name of a pool.
            status: `open` until an operator confirms or dismisses it, or a newer finding supersedes it.
            since: Found at this time or later.
            until: Found before this time.
            limit: Maximum items per page; default 25.
        """
        return AsyncItems(
            lambda cursor: self.raw.list_findings(
                kind=kind,
                run=run,
                pool=pool,
                status=status,
                since=since,
                until=until,
                limit=limit,
                cursor=cursor,
            )
        )

    def list_research_events(
        self,
        *,
        run: str | None = None,
        pool: str | None = None,
        type: str | None = None,
        since: str | None = None,
        until: str | None = None,
        limit: int | None = None,
        after: models.ListDirectoryChangesAfter | None = None,
    ) -> AsyncItems[models.ResearchEvent, models.FeedMeta]:
        """Events of research.

        All events of research, in log order: figures, draws, findings, decisions, reviews and limits. Store `meta.resume_cursor`, and send it later as `cursor` to get the events since.

        Scope: `research:read`.

        Metered as: catalog. Lowest plan: growth.

        Args:
            run: `id` of a run.
            pool: Name of a pool.
            type: Type of the event, such as `ExpansionDecided`.
            since: At this time or later.
            until: Before this time.
            limit: Maximum items per page; default 25.
            after: `now` returns an empty page whose `meta.resume_cursor` starts at the rows added from now on.
        """
        return AsyncItems(
            lambda cursor: self.raw.list_research_events(
                run=run,
                pool=pool,
                type=type,
                since=since,
                until=until,
                limit=limit,
                after=after,
                cursor=cursor,
            )
        )

    def list_runs(
        self,
        *,
        status: models.ListRunsStatus | None = None,
        since: str | None = None,
        until: str | None = None,
        limit: int | None = None,
    ) -> AsyncItems[models.ResearchRun, models.ListMeta]:
        """Runs of research.

        Runs of the research engine, newest first. A run evaluates all pools, records findings, and decides which pools grow. A run whose process ended before the run did has failed.

        Scope: `research:read`.

        Metered as: catalog. Lowest plan: growth.

        Args:
            since: Started at this time or later.
            until: Started before this time.
            limit: Maximum items per page; default 25.
        """
        return AsyncItems(
            lambda cursor: self.raw.list_runs(
                status=status,
                since=since,
                until=until,
                limit=limit,
                cursor=cursor,
            )
        )

    def scrape_x_followers(
        self,
        *,
        handle: str,
        limit: int | None = None,
    ) -> AsyncItems[models.LiveFollower, models.AccountListMeta]:
        """Read an account’s followers on X.

        Reads a page of an account’s followers from X, newest followers first, and records it in the follower graph. Requires a session of the operator. Each page is a live call. X ends long lists early; `meta.account.capped` is then true on the last page.

        Scope: `scrape:live`.

        Metered as: live. Lowest plan: starter.

        Sends at most 18 requests to platforms.

        Args:
            limit: Maximum items per page; default 25.
        """
        return AsyncItems(
            lambda cursor: self.raw.scrape_x_followers(
                handle=handle,
                limit=limit,
                cursor=cursor,
            )
        )

    async def scrape_x_tweet(
        self,
        *,
        id: str,
    ) -> models.ScrapeXTweetResult:
        """Read one post of X.

        Reads one post from X by its ID, and records it in the catalog. Requires a session of the operator. If the post is proven absent, or hidden together with its author, the call succeeds: `status` says so, and `post` is null.

        Scope: `scrape:live`.

        Metered as: live. Lowest plan: starter.

        Sends at most 6 requests to platforms.

        Args:
            id: ID of the post: the digits at the end of its address.
        """
        answer = await self.raw.scrape_x_tweet(
            id=id,
        )
        return answer.data

    def scrape_x_tweets(
        self,
        *,
        handle: str,
        limit: int | None = None,
    ) -> AsyncItems[models.LivePost, models.AccountListMeta]:
        """Read an account’s posts on X.

        Reads a page of an account’s own timeline from X, newest first, with reposts and replies; a pinned post comes first. Requires a session of the operator. Each page is a live call. `meta.account` describes the account; a private, suspended or absent account has no posts to show.

        Scope: `scrape:live`.

        Metered as: live. Lowest plan: starter.

        Sends at most 18 requests to platforms.

        Args:
            limit: Maximum items per page; default 25.
        """
        return AsyncItems(
            lambda cursor: self.raw.scrape_x_tweets(
                handle=handle,
                limit=limit,
                cursor=cursor,
            )
        )

    async def scrape_x_user(
        self,
        *,
        handle: str | None = None,
        id: str | None = None,
    ) -> models.LiveEntry:
        """Read one account of X.

        Reads an account from X for this request and records it in the catalog. Name it by `handle` or by `id`; only a session of the operator can read by ID, or prove that a handle is unused. If the account is proven absent, suspended or deactivated, the call succeeds: `status` says so, and values that X does not show are null.

        Scope: `scrape:live`.

        Metered as: live. Lowest plan: starter.

        Sends at most 12 requests to platforms.

        Args:
            id: A native ID of X.
        """
        answer = await self.raw.scrape_x_user(
            handle=handle,
            id=id,
        )
        return answer.data

    async def scrape_x_users(
        self,
        *,
        handles: Sequence[str],
        idempotency_key: str | None = None,
    ) -> models.ScrapeXUsersResult:
        """Read up to 50 accounts of X.

        Reads accounts from X for this request, each a live call of its own. An item that could not be read, or is not a handle of X, gets the status `unknown` and an error, and is refunded; the other items are not affected. An account named by several items is read and charged once. The batch must fit into the plan’s live calls per minute: a plan with 20 per minute allows at most 20 items. The time limit is 10 s per item, from its first request, and 60 s per batch.

        Scope: `scrape:live`.

        Metered as: live, by item; items without a result are refunded. Lowest plan: starter.

        Sends at most 12 requests to platforms for each item.
        """
        answer = await self.raw.scrape_x_users(
            handles=handles,
            idempotency_key=idempotency_key,
        )
        return answer.data

    async def verify_bluesky_ownership(
        self,
        *,
        handle: str,
        reference: str | None = None,
        parts: str | None = None,
    ) -> models.OwnershipVerification:
        """Verify the ownership of an account of Bluesky.

        The first call returns a code. Once the owner shows it on the account, a later call finds it. Each call reads the platform and is a live call. A code belongs to the holder of the key, the `reference`, the handle and the day, and is valid for seven days. A code that is found proves that someone who has it could write to one of the `parts` of the account. Without a `reference`, all your users who ask for an account get the same code. If an account repeats what strangers write, a code in its posts proves only that one of them wrote it. Store `id`: it stays the same when the account is renamed and another account takes its handle. Only the account’s own original posts count.

        Scope: `verify:live`.

        Metered as: live. Lowest plan: starter.

        Sends at most 18 requests to platforms.

        Args:
            reference: Your own ID of the user who asks, so that each user gets a different code.
            parts: Parts of the account in which to look for the code, such as `bio` or `bio,name`. Default: all three.
        """
        answer = await self.raw.verify_bluesky_ownership(
            handle=handle,
            reference=reference,
            parts=parts,
        )
        return answer.data

    async def verify_instagram_ownership(
        self,
        *,
        handle: str,
        reference: str | None = None,
        parts: str | None = None,
    ) -> models.OwnershipVerification:
        """Verify the ownership of an account of Instagram.

        The first call returns a code. Once the owner shows it on the account, a later call finds it. Each call reads the platform and is a live call. A code belongs to the holder of the key, the `reference`, the handle and the day, and is valid for seven days. A code that is found proves that someone who has it could write to one of the `parts` of the account. Without a `reference`, all your users who ask for an account get the same code. If an account repeats what strangers write, a code in its posts proves only that one of them wrote it. Store `id`: it stays the same when the account is renamed and another account takes its handle. Only the account’s own original posts count.

        Scope: `verify:live`.

        Metered as: live. Lowest plan: starter.

        Sends at most 18 requests to platforms.

        Args:
            reference: Your own ID of the user who asks, so that each user gets a different code.
            parts: Parts of the account in which to look for the code, such as `bio` or `bio,name`. Default: all three.
        """
        answer = await self.raw.verify_instagram_ownership(
            handle=handle,
            reference=reference,
            parts=parts,
        )
        return answer.data

    async def verify_telegram_ownership(
        self,
        *,
        handle: str,
        reference: str | None = None,
        parts: str | None = None,
    ) -> models.OwnershipVerification:
        """Verify the ownership of an account of Telegram.

        The first call returns a code. Once the owner shows it on the account, a later call finds it. Each call reads the platform and is a live call. A code belongs to the holder of the key, the `reference`, the handle and the day, and is valid for seven days. A code that is found proves that someone who has it could write to one of the `parts` of the account. Without a `reference`, all your users who ask for an account get the same code. If an account repeats what strangers write, a code in its posts proves only that one of them wrote it. Store `id`: it stays the same when the account is renamed and another account takes its handle. Only the account’s own original posts count.

        Scope: `verify:live`.

        Metered as: live. Lowest plan: starter.

        Sends at most 18 requests to platforms.

        Args:
            reference: Your own ID of the user who asks, so that each user gets a different code.
            parts: Parts of the account in which to look for the code, such as `bio` or `bio,name`. Default: all three.
        """
        answer = await self.raw.verify_telegram_ownership(
            handle=handle,
            reference=reference,
            parts=parts,
        )
        return answer.data

    async def verify_tiktok_ownership(
        self,
        *,
        handle: str,
        reference: str | None = None,
        parts: str | None = None,
    ) -> models.OwnershipVerification:
        """Verify the ownership of an account of TikTok.

        The first call returns a code. Once the owner shows it on the account, a later call finds it. Each call reads the platform and is a live call. A code belongs to the holder of the key, the `reference`, the handle and the day, and is valid for seven days. A code that is found proves that someone who has it could write to one of the `parts` of the account. Without a `reference`, all your users who ask for an account get the same code. If an account repeats what strangers write, a code in its posts proves only that one of them wrote it. Store `id`: it stays the same when the account is renamed and another account takes its handle. Only the account’s own original posts count.

        Scope: `verify:live`.

        Metered as: live. Lowest plan: starter.

        Sends at most 18 requests to platforms.

        Args:
            reference: Your own ID of the user who asks, so that each user gets a different code.
            parts: Parts of the account in which to look for the code, such as `bio` or `bio,name`. Default: all three.
        """
        answer = await self.raw.verify_tiktok_ownership(
            handle=handle,
            reference=reference,
            parts=parts,
        )
        return answer.data

    async def verify_x_ownership(
        self,
        *,
        handle: str,
        reference: str | None = None,
        parts: str | None = None,
    ) -> models.OwnershipVerification:
        """Verify the ownership of an account of X.

        The first call returns a code. Once the owner shows it on the account, a later call finds it. Each call reads the platform and is a live call. A code belongs to the holder of the key, the `reference`, the handle and the day, and is valid for seven days. A code that is found proves that someone who has it could write to one of the `parts` of the account. Without a `reference`, all your users who ask for an account get the same code. If an account repeats what strangers write, a code in its posts proves only that one of them wrote it. Store `id`: it stays the same when the account is renamed and another account takes its handle. Only the account’s own original posts count.

        Scope: `verify:live`.

        Metered as: live. Lowest plan: starter.

        Sends at most 18 requests to platforms.

        Args:
            reference: Your own ID of the user who asks, so that each user gets a different code.
            parts: Parts of the account in which to look for the code, such as `bio` or `bio,name`. Default: all three.
        """
        answer = await self.raw.verify_x_ownership(
            handle=handle,
            reference=reference,
            parts=parts,
        )
        return answer.data

    async def verify_youtube_ownership(
        self,
        *,
        handle: str,
        reference: str | None = None,
        parts: str | None = None,
    ) -> models.OwnershipVerification:
        """Verify the ownership of an account of YouTube.

        The first call returns a code. Once the owner shows it on the account, a later call finds it. Each call reads the platform and is a live call. A code belongs to the holder of the key, the `reference`, the handle and the day, and is valid for seven days. A code that is found proves that someone who has it could write to one of the `parts` of the account. Without a `reference`, all your users who ask for an account get the same code. If an account repeats what strangers write, a code in its posts proves only that one of them wrote it. Store `id`: it stays the same when the account is renamed and another account takes its handle. Only the account’s own original posts count.

        Scope: `verify:live`.

        Metered as: live. Lowest plan: starter.

        Sends at most 18 requests to platforms.

        Args:
            reference: Your own ID of the user who asks, so that each user gets a different code.
            parts: Parts of the account in which to look for the code, such as `bio` or `bio,name`. Default: all three.
        """
        answer = await self.raw.verify_youtube_ownership(
            handle=handle,
            reference=reference,
            parts=parts,
        )
        return answer.data

    def list_tools(
        self,
        *,
        limit: int | None = None,
    ) -> AsyncItems[models.Tool, models.ListMeta]:
        """The tools.

        Analysis tools, each with the schemas of its body and answer, the platforms that it serves, the maximum requests to platforms per call, and its cost on your plan.

        Scope: `tools:run`.

        Metered as: free. Lowest plan: starter.

        Args:
            limit: Maximum items per page; default 25.
        """
        return AsyncItems(
            lambda cursor: self.raw.list_tools(
                limit=limit,
                cursor=cursor,
            )
        )

    async def run_account_age(
        self,
        *,
        platform: models.GetDirectoryEntryPlatform,
        handle: str,
        max_age_s: int | None = None,
        idempotency_key: str | None = None,
    ) -> models.RunAccountAgeResult:
        """How old an account is.

        The creation time stated by the profile, else the one encoded in the native ID (X, TikTok), else a bound: the account is at least as old as its first sighting. Method: Stated time, or the leading bits of the ID; docs/methods/tools.md has the formats.

        Scope: `tools:run`.

        Metered as: live. Lowest plan: starter.

        Args:
            max_age_s: Maximum age of the account’s reading, in seconds. If the reading is older, tools that read platforms read again, and tools that read the catalog answer 422 `insufficient_data`. By default, readings of any age are accepted.
        """
        answer = await self.raw.run_account_age(
            platform=platform,
            handle=handle,
            max_age_s=max_age_s,
            idempotency_key=idempotency_key,
        )
        return answer.data

    async def run_account_compare(
        self,
        *,
        accounts: Sequence[models.RunAccountCompareAccounts],
        platform: models.GetDirectoryEntryPlatform | None = None,
        handle: str | None = None,
        max_age_s: int | None = None,
        window_days: int | None = None,
        idempotency_key: str | None = None,
    ) -> models.RunAccountCompareResult:
        """Accounts compared side by side.

        Followers and post figures of two to five accounts, with 95 % intervals, and for each figure the account with the highest value. It is `distinguishable` if its interval is above all others. A figure known for too few posts is null, and the account is left out of that comparison. Method: The figures of engagement-rate; intervals that do not overlap.

        Scope: `tools:run`.

        Metered as: live. Lowest plan: starter.

        Args:
            accounts: The accounts to compare: two to five, including the account of `handle` if that is given.
            max_age_s: Maximum age of the account’s reading, in seconds. If the reading is older, tools that read platforms read again, and tools that read the catalog answer 422 `insufficient_data`. By default, readings of any age are accepted.
            window_days: Length of the window before the account's last sighting, in days; default 30.
        """
        answer = await self.raw.run_account_compare(
            accounts=accounts,
            platform=platform,
            handle=handle,
            max_age_s=max_age_s,
            window_days=window_days,
            idempotency_key=idempotency_key,
        )
        return answer.data

    async def run_account_score(
        self,
        *,
        platform: models.GetDirectoryEntryPlatform,
        handle: str,
        max_age_s: int | None = None,
        idempotency_key: str | None = None,
    ) -> models.RunAccountScoreResult:
        """A score of an account, with its parts.

        0 to 100 points: the weighted sum of reach, engagement, growth, activity, age and reactions; the answer shows the weights. An unknown part is null, and its weight is distributed over the others in proportion: `known_points` and `meta.coverage` state the points that the score rests on. Fewer than 70 are refused. The score is a convention, not an estimate. Method: A sum of six parts with fixed weights, in docs/methods/tools.md.

        Scope: `tools:run`.

        Metered as: live. Lowest plan: starter.

        Args:
            max_age_s: Maximum age of the account’s reading, in seconds. If the reading is older, tools that read platforms read again, and tools that read the catalog answer 422 `insufficient_data`. By default, readings of any age are accepted.
        """
        answer = await self.raw.run_account_score(
            platform=platform,
            handle=handle,
            max_age_s=max_age_s,
            idempotency_key=idempotency_key,
        )
        return answer.data

    async def run_audience_overlap(
        self,
        *,
        platform: models.RunAudienceOverlapPlatform,
        handle: str,
        other: models.RunAudienceOverlapOther,
        max_age_s: int | None = None,
        idempotency_key: str | None = None,
    ) -> models.RunAudienceOverlapResult:
        """Overlap of the followers of two accounts.

        Followers that two accounts of a platform have in common, among those that were read. Up to 65,536 followers per list the result is exact; above, it comes from a coordinated sample of both lists, with its error. If a list was not read completely, `value` covers only what was read, and the bounds allow for any content of the unread rest. If the bounds of `shared` are wider than half of the smaller audience, there is no result. Method: Intersection of the lists, or coordinated sampling by a hash of IDs, as in docs/methods/tools.md.

        Scope: `tools:run`.

        Metered as: live. Lowest plan: starter.

        Args:
            max_age_s: Maximum age of the account’s reading, in seconds. If the reading is older, tools that read platforms read again, and tools that read the catalog answer 422 `insufficient_data`. By default, readings of any age are accepted.
        """
        answer = await self.raw.run_audience_overlap(
            platform=platform,
            handle=handle,
            other=other,
            max_age_s=max_age_s,
            idempotency_key=idempotency_key,
        )
        return answer.data

    async def run_best_time_to_post(
        self,
        *,
        platform: models.GetDirectoryEntryPlatform,
        handle: str,
        max_age_s: int | None = None,
        timezone: str | None = None,
        window_days: int | None = None,
        idempotency_key: str | None = None,
    ) -> models.RunBestTimeToPostResult:
        """When the posts of an account get more engagement.

        Hours of the week whose posts get more engagement than usual, with 95 % intervals, if the effect of hour or weekday exceeds chance. `significant: false` means that no difference is measurable. Method: Regression with first harmonics of day and week; Benjamini and Hochberg at 0.05, as in docs/methods/insights.md.

        Scope: `tools:run`.

        Metered as: live. Lowest plan: starter.

        Args:
            max_age_s: Maximum age of the account’s reading, in seconds. If the reading is older, tools that read platforms read again, and tools that read the catalog answer 422 `insufficient_data`. By default, readings of any age are accepted.
            timezone: IANA time zone of hours and weekdays, such as `Europe/Berlin`; default `UTC`.
            window_days: Length of the window before the account's last sighting, in days; default 365.
        """
        answer = await self.raw.run_best_time_to_post(
            platform=platform,
            handle=handle,
            max_age_s=max_age_s,
            timezone=timezone,
            window_days=window_days,
            idempotency_key=idempotency_key,
        )
        return answer.data

    async def run_cross_platform_match(
        self,
        *,
        platform: models.CheckAccountPlatform,
        handle: str,
        max_age_s: int | None = None,
        idempotency_key: str | None = None,
    ) -> models.RunCrossPlatformMatchResult:
        """Accounts of the same person on other platforms.

        Accounts of all platforms that evidence of both sides joins with the account, most certain first, each with its confidence and the evidence whose weights add up to its log odds. Neither names nor links that nobody answers make a match. Method: Log odds of links, names and pages, calibrated on simulated people, as in docs/methods/people.md.

        Scope: `tools:run`.

        Metered as: live. Lowest plan: starter.

        Args:
            max_age_s: Maximum age of the account’s reading, in seconds. If the reading is older, tools that read platforms read again, and tools that read the catalog answer 422 `insufficient_data`. By default, readings of any age are accepted.
        """
        answer = await self.raw.run_cross_platform_match(
            platform=platform,
            handle=handle,
            max_age_s=max_age_s,
            idempotency_key=idempotency_key,
        )
        return answer.data

    async def run_engagement_authenticity(
        self,
        *,
        platform: models.GetDirectoryEntryPlatform,
        handle: str,
        max_age_s: int | None = None,
        window_days: int | None = None,
        idempotency_key: str | None = None,
    ) -> models.RunEngagementAuthenticityResult:
        """Whether reactions are unusual for the platform.

        How much the reactions of an account’s posts vary, and their comments, reposts and views per like, compared with accounts of the platform. A figure is flagged if its whole interval lies beyond the figures of 97.5 % of these accounts: each rule flags at most one account in forty, whatever the reason. A flag is not a verdict on a person. Method: Gini’s mean difference of ln reactions, ratios of totals, and percentiles among a sample of the platform’s accounts, as in docs/methods/tools.md.

        Scope: `tools:run`.

        Metered as: live. Lowest plan: starter.

        Args:
            max_age_s: Maximum age of the account’s reading, in seconds. If the reading is older, tools that read platforms read again, and tools that read the catalog answer 422 `insufficient_data`. By default, readings of any age are accepted.
            window_days: Length of the window before the account's last sighting, in days; default 90.
        """
        answer = await self.raw.run_engagement_authenticity(
            platform=platform,
            handle=handle,
            max_age_s=max_age_s,
            window_days=window_days,
            idempotency_key=idempotency_key,
        )
        return answer.data

    async def run_engagement_rate(
        self,
        *,
        platform: models.GetDirectoryEntryPlatform,
        handle: str,
        max_age_s: int | None = None,
        window_days: int | None = None,
        idempotency_key: str | None = None,
    ) -> models.RunEngagementRateResult:
        """Engagement of the posts of an account.

        Medians of ripe original posts, with 95 % intervals and quartiles: engagement by followers at the time of the post, engagement by views, and engagement as a count. Also the percentile of the engagement by followers in the size band of the platform. Method: Medians and order statistics that withstand hot streaks, as in docs/methods/insights.md.

        Scope: `tools:run`.

        Metered as: live. Lowest plan: starter.

        Args:
            max_age_s: Maximum age of the account’s reading, in seconds. If the reading is older, tools that read platforms read again, and tools that read the catalog answer 422 `insufficient_data`. By default, readings of any age are accepted.
            window_days: Length of the window before the account's last sighting, in days; default 30.
        """
        answer = await self.raw.run_engagement_rate(
            platform=platform,
            handle=handle,
            max_age_s=max_age_s,
            window_days=window_days,
            idempotency_key=idempotency_key,
        )
        return answer.data

    async def run_follower_audit(
        self,
        *,
        platform: models.RunAudienceOverlapPlatform,
        handle: str,
        max_age_s: int | None = None,
        sample_size: int | None = None,
        idempotency_key: str | None = None,
    ) -> models.RunFollowerAuditResult:
        """How much of an audience is suspicious or inactive.

        Reads the newest followers of an account and estimates the shares that are suspicious and inactive, with 95 % intervals. It also finds blocks of followers that were created together, with their dates. The shares describe an audience; the answer names no follower. Without a labelled sample from the operator, shares on X rest on a default model of accounts that were labelled in 2017 (`labels_of_other_lists`), and shares of other platforms are null (`uncalibrated`). `traits_outside_labels`: the audience looks like no mixture of the labelled classes. On X, a session of the operator is required. Method: Logistic scores of splines, prevalence by Rogan and Gladen with the interval of Lang and Reiczigel for a census, and a scan statistic of creation times, as in docs/methods/tools.md.

        Scope: `tools:run`.

        Metered as: live. Lowest plan: starter.

        Sends at most 40 requests to platforms. Tools that do run one at a time for each holder.

        Args:
            max_age_s: Maximum age of the account’s reading, in seconds. If the reading is older, tools that read platforms read again, and tools that read the catalog answer 422 `insufficient_data`. By default, readings of any age are accepted.
            sample_size: Maximum followers to read, newest first; default 500.
        """
        answer = await self.raw.run_follower_audit(
            platform=platform,
            handle=handle,
            max_age_s=max_age_s,
            sample_size=sample_size,
            idempotency_key=idempotency_key,
        )
        return answer.data

    async def run_follower_rank(
        self,
        *,
        platform: models.GetDirectoryEntryPlatform,
        handle: str | None = None,
        max_age_s: int | None = None,
        followers: int | None = None,
        idempotency_key: str | None = None,
    ) -> models.RunFollowerRankResult:
        """Rank of an account or of a number of followers.

        The share of accounts with fewer followers and the rank from the top, for an account or a number of followers. Each has bounds between which it certainly lies. Method: The platform’s ladder of follower percentiles, accurate to 1 %. Between two percentiles, the rank is interpolated at a constant growth factor.

        Scope: `tools:run`.

        Metered as: live. Lowest plan: starter.

        Args:
            max_age_s: Maximum age of the account’s reading, in seconds. If the reading is older, tools that read platforms read again, and tools that read the catalog answer 422 `insufficient_data`. By default, readings of any age are accepted.
        """
        answer = await self.raw.run_follower_rank(
            platform=platform,
            handle=handle,
            max_age_s=max_age_s,
            followers=followers,
            idempotency_key=idempotency_key,
        )
        return answer.data

    async def run_growth_projection(
        self,
        *,
        platform: models.GetDirectoryEntryPlatform,
        handle: str,
        days: int,
        max_age_s: int | None = None,
        idempotency_key: str | None = None,
    ) -> models.RunGrowthProjectionResult:
        """Projected followers of an account.

        Followers some days after the last reading, with bands of 50 % and 95 % probability. It requires 4 readings of followers over 14 days; until enough accounts of the platform can be compared, over twice the days that are projected. Method: A random walk with the share of the trend that persists on the platform, and quantiles of the errors of earlier projections for similar accounts, as in docs/methods/tools.md.

        Scope: `tools:run`.

        Metered as: live. Lowest plan: starter.

        Args:
            days: Days after the last reading.
            max_age_s: Maximum age of the account’s reading, in seconds. If the reading is older, tools that read platforms read again, and tools that read the catalog answer 422 `insufficient_data`. By default, readings of any age are accepted.
        """
        answer = await self.raw.run_growth_projection(
            platform=platform,
            handle=handle,
            days=days,
            max_age_s=max_age_s,
            idempotency_key=idempotency_key,
        )
        return answer.data

    async def run_handle_availability(
        self,
        *,
        handle: str,
        platform: models.CheckAccountPlatform | None = None,
        platforms: Sequence[models.CheckAccountPlatform] | None = None,
        max_age_s: int | None = None,
        idempotency_key: str | None = None,
    ) -> models.RunHandleAvailabilityResult:
        """Whether a name is free.

        Whether a handle is taken on each platform, according to its account page or the platform’s registration form. A name is `available` only if the platform itself says so: on X, and on Bluesky below `.bsky.social`. On other platforms, a name without an account is `unknown`, because reserved and banned names have no page either. Method: The platform’s registration form, else the account page, as in docs/methods/tools.md.

        Scope: `tools:run`.

        Metered as: live. Lowest plan: starter.

        Sends at most 48 requests to platforms. Tools that do run one at a time for each holder.

        Args:
            platform: One platform, in place of `platforms`.
            platforms: All by default.
            max_age_s: Maximum age, in seconds, of a catalog reading that is used instead of reading the platform; default 86,400.
        """
        answer = await self.raw.run_handle_availability(
            handle=handle,
            platform=platform,
            platforms=platforms,
            max_age_s=max_age_s,
            idempotency_key=idempotency_key,
        )
        return answer.data

    async def run_handle_similarity(
        self,
        *,
        platform: models.GetDirectoryEntryPlatform,
        handle: str,
        max_age_s: int | None = None,
        limit: int | None = None,
        idempotency_key: str | None = None,
    ) -> models.RunHandleSimilarityResult:
        """Handles that look like another handle.

        Accounts of the catalog whose handles look like a handle or are at most two edits away from it: fewest edits first, then largest. The handle need not belong to an account. If it does, also suspects: accounts of all platforms that pose as this account by name, bio, picture, links or handle, most certain first, and originals: those that it seems to copy itself. Where nothing tells which of two copies the other, both answers say so. Method: Skeletons of UTS 39, Damerau–Levenshtein distance, and risks whose parts and weights the answer shows, as in docs/methods/tools.md. The risks of suspects are calibrated on simulated people, as in docs/methods/people.md.

        Scope: `tools:run`.

        Metered as: live. Lowest plan: starter.

        Args:
            max_age_s: Maximum age of the account’s reading, in seconds. If the reading is older, tools that read platforms read again, and tools that read the catalog answer 422 `insufficient_data`. By default, readings of any age are accepted.
            limit: Maximum matches; default 20.
        """
        answer = await self.raw.run_handle_similarity(
            platform=platform,
            handle=handle,
            max_age_s=max_age_s,
            limit=limit,
            idempotency_key=idempotency_key,
        )
        return answer.data

    async def run_post_price(
        self,
        *,
        platform: models.GetDirectoryEntryPlatform,
        handle: str,
        max_age_s: int | None = None,
        window_days: int | None = None,
        idempotency_key: str | None = None,
    ) -> models.RunPostPriceResult:
        """What a paid post of an account would cost.

        The price per thousand views of imported placements on the platform, times the median views of the account's ripe posts, with bounds that contain 80 % of placement prices. It requires 10 placements that state their views, and 8 ripe posts with views. Method: Quantiles of the price per thousand views, combined in quadrature with the error of the median views, as in docs/methods/tools.md.

        Scope: `tools:run`.

        Metered as: live. Lowest plan: starter.

        Args:
            max_age_s: Maximum age of the account’s reading, in seconds. If the reading is older, tools that read platforms read again, and tools that read the catalog answer 422 `insufficient_data`. By default, readings of any age are accepted.
            window_days: Length of the window before the account's last sighting, in days; default 90.
        """
        answer = await self.raw.run_post_price(
            platform=platform,
            handle=handle,
            max_age_s=max_age_s,
            window_days=window_days,
            idempotency_key=idempotency_key,
        )
        return answer.data

    async def run_shadowban_check(
        self,
        *,
        platform: models.RunShadowbanCheckPlatform,
        handle: str,
        max_age_s: int | None = None,
        idempotency_key: str | None = None,
    ) -> models.RunShadowbanCheckResult:
        """Whether a platform hides an account without saying so.

        Looks for an account in the places where X shows accounts to strangers: in search, in the suggestions of the search box, and, for its replies, in their threads. Each part is `clear` if the account was seen there, `limited` if it was missing repeatedly while a control account was shown within the same minute, else `unknown`. The search box is controlled by three accounts that are no larger, each of which it has to suggest. Requires a session of the operator. Method: Search, suggestion, ghost and reply tests with controls, as in docs/methods/tools.md.

        Scope: `tools:run`.

        Metered as: live. Lowest plan: starter.

        Sends at most 48 requests to platforms. Tools that do run one at a time for each holder.

        Args:
            max_age_s: Maximum age of the account’s reading, in seconds. If the reading is older, tools that read platforms read again, and tools that read the catalog answer 422 `insufficient_data`. By default, readings of any age are accepted.
        """
        answer = await self.raw.run_shadowban_check(
            platform=platform,
            handle=handle,
            max_age_s=max_age_s,
            idempotency_key=idempotency_key,
        )
        return answer.data

    async def run_trust_report(
        self,
        *,
        platform: models.GetDirectoryEntryPlatform,
        handle: str,
        max_age_s: int | None = None,
        idempotency_key: str | None = None,
    ) -> models.RunTrustReportResult:
        """Evidence for and against trusting an account.

        The results of follower audit, account score, account age, handle similarity and valuation, with the conclusions of five rules. The verdict rests on the rules that nobody else can cause: anybody can buy followers for an account, or look like it. A part that could not be computed is unknown, with the reason, and so is its rule. The verdict is about an account and its audience, never about a person. Method: Five rules with fixed thresholds over the results of other tools, in docs/methods/tools.md.

        Scope: `tools:run`.

        Metered as: live. Lowest plan: starter.

        Sends at most 40 requests to platforms. Tools that do run one at a time for each holder.

        Args:
            max_age_s: Maximum age of the account’s reading, in seconds. If the reading is older, tools that read platforms read again, and tools that read the catalog answer 422 `insufficient_data`. By default, readings of any age are accepted.
        """
        answer = await self.raw.run_trust_report(
            platform=platform,
            handle=handle,
            max_age_s=max_age_s,
            idempotency_key=idempotency_key,
        )
        return answer.data

    async def run_username_score(
        self,
        *,
        handle: str,
        platform: models.CheckAccountPlatform | None = None,
        idempotency_key: str | None = None,
    ) -> models.RunUsernameScoreResult:
        """How good a name is.

        0 to 100 points for the length, the pattern and the pronounceability of a name. The score is the weighted sum of these parts. Method: A convention: a sum of three parts with fixed weights, as in docs/methods/tools.md.

        Scope: `tools:run`.

        Metered as: live. Lowest plan: starter.

        Args:
            platform: Platform whose rules for names apply; by default, those of any platform.
        """
        answer = await self.raw.run_username_score(
            handle=handle,
            platform=platform,
            idempotency_key=idempotency_key,
        )
        return answer.data

    async def run_valuation(
        self,
        *,
        platform: models.CheckAccountPlatform,
        handle: str,
        max_age_s: int | None = None,
        idempotency_key: str | None = None,
    ) -> models.RunValuationResult:
        """Estimated sale price of an account.

        The estimated price of an account from imported sales: a middle value, and bounds that contain 80 % of prices paid. For LinkedIn it requires the scope `leads:read`. Prices paid and asking prices are separate: `low`, `mid` and `high` are prices paid. `mid` is the price of the typical sale (`typical`) times the multiples of all factors. Method: Robust regression of ln sold price on ln followers, age, engagement and platform with shrinkage, and quantiles of its leave-one-out errors, as in docs/methods/tools.md.

        Scope: `tools:run`.

        Metered as: live. Lowest plan: starter.

        Args:
            max_age_s: Maximum age of the account’s reading, in seconds. If the reading is older, tools that read platforms read again, and tools that read the catalog answer 422 `insufficient_data`. By default, readings of any age are accepted.
        """
        answer = await self.raw.run_valuation(
            platform=platform,
            handle=handle,
            max_age_s=max_age_s,
            idempotency_key=idempotency_key,
        )
        return answer.data

    async def run_virality_check(
        self,
        *,
        platform: models.RunViralityCheckPlatform,
        post_url: str,
        handle: str | None = None,
        max_age_s: int | None = None,
        idempotency_key: str | None = None,
    ) -> models.RunViralityCheckResult:
        """How far a post exceeds its author’s median engagement.

        The engagement of a post as a multiple of the median of the author’s other ripe original posts, from 90 days before to 90 days after, and the robust z-score of its logarithm. A post is `viral` from a multiple of 3 and a z-score of 3.5. If the counts were read while the post was young, `at_least` is true: they may have grown since, so `viral` is true or null, never false. Method: Multiple of the median, and the modified z score of ln(1 + engagement) without the post itself, as in docs/methods/tools.md.

        Scope: `tools:run`.

        Metered as: live. Lowest plan: starter.

        Args:
            handle: Handle of the author, if the URL of the post does not name it.
            max_age_s: Maximum age of the account’s reading, in seconds. If the reading is older, tools that read platforms read again, and tools that read the catalog answer 422 `insufficient_data`. By default, readings of any age are accepted.
        """
        answer = await self.raw.run_virality_check(
            platform=platform,
            post_url=post_url,
            handle=handle,
            max_age_s=max_age_s,
            idempotency_key=idempotency_key,
        )
        return answer.data
