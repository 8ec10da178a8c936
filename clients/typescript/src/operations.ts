/** Generated from the contract of the endpoints by `npm run clients:generate`. */

/** Codes of errors. */
export type ErrorCode =
  | 'invalid_request'
  | 'cursor_invalid'
  | 'key_missing'
  | 'key_invalid'
  | 'key_revoked'
  | 'budget_exhausted'
  | 'overage_cap_reached'
  | 'wallet_empty'
  | 'plan_required'
  | 'holder_suspended'
  | 'ip_not_allowed'
  | 'rate_limited'
  | 'live_rate_limited'
  | 'idempotency_in_flight'
  | 'idempotency_mismatch'
  | 'insufficient_data'
  | 'not_readable'
  | 'scope_missing'
  | 'not_found'
  | 'route_not_found'
  | 'method_not_allowed'
  | 'body_too_large'
  | 'request_timeout'
  | 'headers_too_large'
  | 'media_type_unsupported'
  | 'internal'
  | 'platform_error'
  | 'platform_layout_changed'
  | 'platform_unavailable'
  | 'platform_rate_limited'
  | 'platform_timeout'
  | 'service_unavailable'
  | (string & {});

/** Every operation: its parameters, and what it answers; of a list, one of its items. */
export interface Operations {
  /** What your key may call.
   * Lists every endpoint with its scope, the cost of a call, and whether your key may call it. If it may not, the entry has the error that a call would return.
   * Scope: none.
   * Metered as: free. Lowest plan: free. */
  readonly getCapabilities: {
    readonly parameters: Readonly<Record<never, never>>;
    readonly data: Capabilities;
    readonly meta: Meta;
    readonly isList: false;
  };

  /** Check an account in the catalog.
   * Whether the account exists, how large it is, and the age of the reading. `exists` is null for an account that was never read. It is also null for a handle that its account has left; `renamed_to` then has the current handle.
   * Scope: `accounts:read`.
   * Metered as: free. Lowest plan: free. */
  readonly checkAccount: {
    readonly parameters: {
      readonly platform: 'x' | 'instagram' | 'tiktok' | 'youtube' | 'telegram' | 'bluesky' | 'linkedin';
      readonly handle: string;
    };
    readonly data: AccountCheck;
    readonly meta: Meta;
    readonly isList: false;
  };

  /** Check an account on its platform.
   * Reads the platform for this request and records the result in the catalog. The answer for a suspended, deactivated or absent account has no figures. With `max_age_s`, a recent enough reading from the catalog is returned instead, free of charge.
   * Scope: `accounts:live`.
   * Metered as: live. Lowest plan: starter.
   * Sends at most 12 requests to platforms. */
  readonly checkAccountLive: {
    readonly parameters: {
      readonly platform: 'x' | 'instagram' | 'tiktok' | 'youtube' | 'telegram' | 'bluesky' | 'linkedin';
      readonly handle: string;
      /** Return the catalog’s reading if none of its values is older than this many seconds. */
      readonly max_age_s?: number;
    };
    readonly data: AccountCheck;
    readonly meta: Meta;
    readonly isList: false;
  };

  /** Check up to 100 accounts in the catalog.
   * Checks many accounts at once, in the order of the request. An item that is not a valid account reference gets the status `unknown` and an error; the other items are not affected.
   * Scope: `accounts:read`.
   * Metered as: free. Lowest plan: free. */
  readonly checkAccounts: {
    readonly parameters: {
      readonly accounts: readonly {
        readonly platform: 'x' | 'instagram' | 'tiktok' | 'youtube' | 'telegram' | 'bluesky' | 'linkedin';
        /** A handle as `@<handle>`, a native ID as `id:<id>`, or either without its prefix. Any other text is answered with an error. */
        readonly handle: string;
      }[];
    };
    readonly data: CheckAccountsResult;
    readonly meta: Meta;
    readonly isList: false;
  };

  /** The platforms.
   * Capabilities of each platform, the number of its accounts in the catalog, and the time of the newest sighting.
   * Scope: `accounts:read`.
   * Metered as: free. Lowest plan: free. */
  readonly listPlatforms: {
    readonly parameters: {
      /** Maximum items per page; default 25. */
      readonly limit?: number;
    };
    readonly data: Platform;
    readonly meta: ListMeta;
    readonly isList: true;
  };

  /** Check the account of a profile URL.
   * Accepts a profile URL of any platform, or `platform:handle`, and checks that account. Only YouTube can resolve its URLs with `/c/` or `/user/`: they are read live, which costs a live call and requires the scope `accounts:live`.
   * Scope: `accounts:read`.
   * Metered as: free. Lowest plan: free.
   * Sends at most 18 requests to platforms. */
  readonly resolveAccount: {
    readonly parameters: {
      readonly url: string;
    };
    readonly data: AccountCheck;
    readonly meta: Meta;
    readonly isList: false;
  };

  /** One entry of the catalog.
   * The newest reading of an account, by handle or by native ID. A native ID survives renames.
   * Scope: `directory:read`.
   * Metered as: catalog. Lowest plan: free. */
  readonly getDirectoryEntry: {
    readonly parameters: {
      readonly platform: 'x' | 'instagram' | 'tiktok' | 'youtube' | 'telegram' | 'bluesky';
      readonly id: string;
    };
    readonly data: DirectoryEntry;
    readonly meta: Meta;
    readonly isList: false;
  };

  /** Statistics of the catalog.
   * By platform: number of accounts by status and size, and the age of their oldest values.
   * Scope: `directory:read`.
   * Metered as: catalog. Lowest plan: free. */
  readonly getDirectoryStats: {
    readonly parameters: Readonly<Record<never, never>>;
    readonly data: GetDirectoryStatsResult;
    readonly meta: Meta;
    readonly isList: false;
  };

  /** The catalog of all directory platforms.
   * Entries of the six directory platforms, filtered and sorted.
   * Scope: `directory:read`.
   * Metered as: catalog. Lowest plan: free. */
  readonly listDirectory: {
    readonly parameters: {
      readonly platform?: 'x' | 'instagram' | 'tiktok' | 'youtube' | 'telegram' | 'bluesky';
      /** Words that must each begin the handle or a word of the name; or a former handle that no other account uses now. */
      readonly q?: string;
      readonly min_followers?: number;
      readonly max_followers?: number;
      readonly verified?: boolean;
      readonly status?: 'active' | 'private' | 'suspended' | 'deactivated' | 'absent';
      /** Last found to exist at this time or later. */
      readonly seen_since?: string;
      readonly created_since?: string;
      /** Default `followers`. Unknown values sort last. `growth_30d` is the growth up to the last sighting of the account, however long ago that was. */
      readonly sort?: 'followers' | 'recent' | 'handle' | 'growth_30d';
      /** Maximum items per page; default 25. A page costs one unit for every 100 rows or part of them. */
      readonly limit?: number;
    };
    readonly data: DirectoryEntry;
    readonly meta: ExportListMeta;
    readonly isList: true;
  };

  /** Changes of accounts in the catalog.
   * Changes in log order, for mirroring the catalog. They cover all fields of an entry except counts, posts and the times of readings. A row is about the entry with its `id` or, if `id` is null, with its handle (for a rename, the former handle). An entry left with neither was found to be the same account as another one: drop it. Store `meta.resume_cursor`, and send it later as `cursor` to get the changes since. It is bound to the filters and valid as long as the operator keeps the secret that signed it.
   * Scope: `directory:read`.
   * Metered as: catalog. Lowest plan: free. */
  readonly listDirectoryChanges: {
    readonly parameters: {
      readonly platform?: 'x' | 'instagram' | 'tiktok' | 'youtube' | 'telegram' | 'bluesky';
      readonly kind?:
        | 'discovered'
        | 'renamed'
        | 'suspended'
        | 'deactivated'
        | 'absent'
        | 'private'
        | 'public'
        | 'restored'
        | 'verified'
        | 'unverified'
        | 'jumped'
        | 'profile'
        | 'erased';
      /** Maximum items per page; default 25. A page costs one unit for every 100 rows or part of them. */
      readonly limit?: number;
      /** `now` returns an empty page whose `meta.resume_cursor` starts at the rows added from now on. */
      readonly after?: 'now';
    };
    readonly data: DirectoryChange;
    readonly meta: FeedMeta;
    readonly isList: true;
  };

  /** History of an account.
   * The first reading of each day, and each reading that found a change of `handle` or `display_name` or `verified`; newest first.
   * Scope: `directory:read`.
   * Metered as: catalog. Lowest plan: free. */
  readonly listEntryHistory: {
    readonly parameters: {
      readonly platform: 'x' | 'instagram' | 'tiktok' | 'youtube' | 'telegram' | 'bluesky';
      readonly id: string;
      /** Maximum items per page; default 25. A page costs one unit for every 100 rows or part of them. */
      readonly limit?: number;
    };
    readonly data: HistoryPoint;
    readonly meta: ExportListMeta;
    readonly isList: true;
  };

  /** Posts of an account.
   * Observed posts, newest first. For 60 days, the counts of an older post are recorded again if they have moved by 2 %. `observed_at` is the time of the oldest reading among these counts.
   * Scope: `directory:read`.
   * Metered as: catalog. Lowest plan: free. */
  readonly listEntryPosts: {
    readonly parameters: {
      readonly platform: 'x' | 'instagram' | 'tiktok' | 'youtube' | 'telegram' | 'bluesky';
      readonly id: string;
      /** Maximum items per page; default 25. A page costs one unit for every 100 rows or part of them. */
      readonly limit?: number;
    };
    readonly data: Post;
    readonly meta: ExportListMeta;
    readonly isList: true;
  };

  /** The catalog of one platform.
   * Entries of one platform, filtered and sorted.
   * Scope: `directory:read`.
   * Metered as: catalog. Lowest plan: free. */
  readonly listPlatformDirectory: {
    readonly parameters: {
      readonly platform: 'x' | 'instagram' | 'tiktok' | 'youtube' | 'telegram' | 'bluesky';
      /** Words that must each begin the handle or a word of the name; or a former handle that no other account uses now. */
      readonly q?: string;
      readonly min_followers?: number;
      readonly max_followers?: number;
      readonly verified?: boolean;
      readonly status?: 'active' | 'private' | 'suspended' | 'deactivated' | 'absent';
      /** Last found to exist at this time or later. */
      readonly seen_since?: string;
      readonly created_since?: string;
      /** Default `followers`. Unknown values sort last. `growth_30d` is the growth up to the last sighting of the account, however long ago that was. */
      readonly sort?: 'followers' | 'recent' | 'handle' | 'growth_30d';
      /** Maximum items per page; default 25. A page costs one unit for every 100 rows or part of them. */
      readonly limit?: number;
    };
    readonly data: DirectoryEntry;
    readonly meta: ExportListMeta;
    readonly isList: true;
  };

  /** Similar accounts.
   * Accounts of all directory platforms with a similar handle, name, links or size, most similar first. The comparison covers accounts that share a link, a word of the name, or a prefix of a word or of the handle, if at most 200 accounts share it, and 200 accounts with the same name. Similarity does not prove a common owner.
   * Scope: `directory:read`.
   * Metered as: catalog. Lowest plan: free. */
  readonly listSimilarEntries: {
    readonly parameters: {
      readonly platform: 'x' | 'instagram' | 'tiktok' | 'youtube' | 'telegram' | 'bluesky';
      readonly id: string;
      /** Maximum items per page; default 25. */
      readonly limit?: number;
    };
    readonly data: SimilarEntry;
    readonly meta: ListMeta;
    readonly isList: true;
  };

  /** Largest and fastest growing accounts.
   * Accounts that the last reading found, ranked by followers or by growth. Growth is the followers at the last sighting minus those at the newest sighting at least 7 (or 30) and at most 60 days earlier. Rankings by growth include only accounts seen in the last 7 (or 30) days. Accounts whose value is unknown are omitted.
   * Scope: `directory:read`.
   * Metered as: catalog. Lowest plan: free. */
  readonly listTopEntries: {
    readonly parameters: {
      /** Default `followers`. */
      readonly by?: 'followers' | 'growth_7d' | 'growth_30d';
      readonly platform?: 'x' | 'instagram' | 'tiktok' | 'youtube' | 'telegram' | 'bluesky';
      /** Maximum items per page; default 25. A page costs one unit for every 100 rows or part of them. */
      readonly limit?: number;
    };
    readonly data: DirectoryEntry;
    readonly meta: ExportListMeta;
    readonly isList: true;
  };

  /** Health of one crawler.
   * One engine by its key: the name of its platform, or `marketplace`. `meta.cache_age_s` is the age of its last report.
   * Scope: `engines:read`.
   * Metered as: catalog. Lowest plan: free. */
  readonly getEngine: {
    readonly parameters: {
      readonly key: string;
      /** Time window of `success_rate`, `outcomes` and `latency_ms`. Default `1h`. */
      readonly window?: '1m' | '1h' | '24h';
    };
    readonly data: Engine;
    readonly meta: Meta;
    readonly isList: false;
  };

  /** Health of every crawler.
   * The engines that fill the catalog: one of each platform, and one that reads a marketplace. Workers report once a minute; `meta.cache_age_s` is the age of the oldest last report of an engine. A figure that can’t be computed is null, never 0.
   * Scope: `engines:read`.
   * Metered as: catalog. Lowest plan: free. */
  readonly listEngines: {
    readonly parameters: {
      /** Time window of `success_rate`, `outcomes` and `latency_ms`. Default `1h`. */
      readonly window?: '1m' | '1h' | '24h';
      /** Maximum items per page; default 25. */
      readonly limit?: number;
    };
    readonly data: Engine;
    readonly meta: ListMeta;
    readonly isList: true;
  };

  /** Benchmarks for accounts of X by size.
   * Percentiles of the figures of `/insights/x/{handle}` for eight size bands and for all accounts, as last computed. Bands and figures of fewer than 30 accounts are omitted. `framing` describes the sample.
   * Scope: `insights:read`.
   * Metered as: catalog. Lowest plan: starter. */
  readonly getXCohortBenchmarks: {
    readonly parameters: Readonly<Record<never, never>>;
    readonly data: GetXCohortBenchmarksResult;
    readonly meta: DerivedMeta;
    readonly isList: false;
  };

  /** Content of an account of X, and its effect on engagement.
   * Shares of the posts in the window by kind, and of the original posts by media, links, hashtags and mentions. `effects` compares the engagement of ripe original posts with and without a trait, at the same hour and age, with 95 % intervals; `significant` uses Benjamini and Hochberg’s procedure at 0.05. If the sample is too small, `effects` is null and the warning is `effects_need_more_posts`. `measurable: false` means that no difference is measurable. `meta.warnings`: `posts_not_ripe` (omitted), `order_unknown` (some posts were selected by the platform), `counts_rounded`, `dependence_unclear` (the posts do not tell how strongly they depend on each other, so that intervals may be too narrow for an account with streaks of its own), `window_not_covered` (older posts are not known), `window_ends_early` (posts of the last days are not known), `views_unknown`, `replies_unknown` (reading them requires a session), `followers_after_posts` (known from later readings only), `population_unknown` (not computed yet), `cohort_small` (fewer than 30 accounts of about the size).
   * Scope: `insights:read`.
   * Metered as: catalog. Lowest plan: starter. */
  readonly getXContentMix: {
    readonly parameters: {
      readonly handle: string;
      /** IANA time zone of hours and weekdays, such as `Europe/Berlin`; default `UTC`. */
      readonly timezone?: string;
      /** Length of the window before the account's last sighting, in days; default 365. */
      readonly window_days?: number;
    };
    readonly data: GetXContentMixResult;
    readonly meta: DerivedMeta;
    readonly isList: false;
  };

  /** Data behind the insights on X.
   * How many accounts and posts of X are in the catalog, and how many of them the figures use, as of the last computation.
   * Scope: `insights:read`.
   * Metered as: catalog. Lowest plan: starter. */
  readonly getXDataCoverage: {
    readonly parameters: Readonly<Record<never, never>>;
    readonly data: GetXDataCoverageResult;
    readonly meta: DerivedMeta;
    readonly isList: false;
  };

  /** Engagement of the posts of an account of X.
   * Medians and quartiles of ripe original posts, with 95 % intervals, and medians by week. Engagement is the sum of likes, replies, reposts and quotes. Rates divide it by the followers at the time of the post, or by the views of the post. A figure known for fewer than 8 posts is null. `meta.warnings`: `posts_not_ripe` (omitted), `order_unknown` (some posts were selected by the platform), `counts_rounded`, `dependence_unclear` (the posts do not tell how strongly they depend on each other, so that intervals may be too narrow for an account with streaks of its own), `window_not_covered` (older posts are not known), `window_ends_early` (posts of the last days are not known), `views_unknown`, `replies_unknown` (reading them requires a session), `followers_after_posts` (known from later readings only), `population_unknown` (not computed yet), `cohort_small` (fewer than 30 accounts of about the size).
   * Scope: `insights:read`.
   * Metered as: catalog. Lowest plan: starter. */
  readonly getXEngagement: {
    readonly parameters: {
      readonly handle: string;
      /** Length of the window before the account's last sighting, in days; default 30. */
      readonly window_days?: number;
    };
    readonly data: GetXEngagementResult;
    readonly meta: DerivedMeta;
    readonly isList: false;
  };

  /** Follower growth of an account of X.
   * Readings of the followers, the change from the first to the last, the median slope of all pairs of readings (Theil and Sen) with its 95 % interval, and changes that are far larger than usual. A change that all accounts of X share, such as a purge of bots, is attributed to the platform. A slope requires 8 readings.
   * Scope: `insights:read`.
   * Metered as: catalog. Lowest plan: starter. */
  readonly getXGrowth: {
    readonly parameters: {
      readonly handle: string;
      /** Default 90 days before `to`. */
      readonly from?: string;
      /** Default: the last sighting of the account. */
      readonly to?: string;
    };
    readonly data: GetXGrowthResult;
    readonly meta: DerivedMeta;
    readonly isList: false;
  };

  /** Key figures of an account of X.
   * Medians of original posts, each with a 95 % interval in `intervals`: engagement by followers at the time of the post, engagement by views, and views. Also posts per week, and the percentile of the engagement by followers among the accounts nearest in size. Rates are shares: 0.01 is 1 %. `meta.warnings`: `posts_not_ripe` (omitted), `order_unknown` (some posts were selected by the platform), `counts_rounded`, `dependence_unclear` (the posts do not tell how strongly they depend on each other, so that intervals may be too narrow for an account with streaks of its own), `window_not_covered` (older posts are not known), `window_ends_early` (posts of the last days are not known), `views_unknown`, `replies_unknown` (reading them requires a session), `followers_after_posts` (known from later readings only), `population_unknown` (not computed yet), `cohort_small` (fewer than 30 accounts of about the size).
   * Scope: `insights:read`.
   * Metered as: catalog. Lowest plan: starter. */
  readonly getXInsights: {
    readonly parameters: {
      readonly handle: string;
      /** Length of the window before the account's last sighting, in days; default 30. */
      readonly window_days?: number;
    };
    readonly data: GetXInsightsResult;
    readonly meta: DerivedMeta;
    readonly isList: false;
  };

  /** When posts on X get more engagement.
   * Engagement by hour of the week (UTC) over a sample of authors. The posts of an hour are compared with the median of their author; the figure is the median over authors, with its 95 % interval, and null for fewer than 30 authors. Authors live in many time zones and choose when they post: the figures say nothing about causes.
   * Scope: `insights:read`.
   * Metered as: catalog. Lowest plan: starter. */
  readonly getXPopulationPatterns: {
    readonly parameters: Readonly<Record<never, never>>;
    readonly data: GetXPopulationPatternsResult;
    readonly meta: DerivedMeta;
    readonly isList: false;
  };

  /** When the posts of an account of X get more engagement.
   * Engagement by hour of the week compared with the account’s usual engagement, with 95 % intervals. `best` has hours only if the effect of hour or weekday exceeds chance (Benjamini and Hochberg at 0.05); `significant: false` means that no difference is measurable. If the platform selected all posts, or if they vary too little, nothing is tested and `cells` is empty. `meta.warnings`: `posts_not_ripe` (omitted), `order_unknown` (some posts were selected by the platform), `counts_rounded`, `dependence_unclear` (the posts do not tell how strongly they depend on each other, so that intervals may be too narrow for an account with streaks of its own), `window_not_covered` (older posts are not known), `window_ends_early` (posts of the last days are not known), `views_unknown`, `replies_unknown` (reading them requires a session), `followers_after_posts` (known from later readings only), `population_unknown` (not computed yet), `cohort_small` (fewer than 30 accounts of about the size).
   * Scope: `insights:read`.
   * Metered as: catalog. Lowest plan: starter. */
  readonly getXPostingPatterns: {
    readonly parameters: {
      readonly handle: string;
      /** IANA time zone of hours and weekdays, such as `Europe/Berlin`; default `UTC`. */
      readonly timezone?: string;
      /** Length of the window before the account's last sighting, in days; default 365. */
      readonly window_days?: number;
    };
    readonly data: GetXPostingPatternsResult;
    readonly meta: DerivedMeta;
    readonly isList: false;
  };

  /** Accounts of X of about the same size.
   * The 200 accounts of the catalog with the nearest numbers of followers on a logarithmic scale, nearest first, with medians of their original posts of 30 days. They have from a third to three times as many followers. Accounts with fewer than 8 ripe original posts are omitted.
   * Scope: `insights:read`.
   * Metered as: catalog. Lowest plan: starter. */
  readonly listXPeers: {
    readonly parameters: {
      readonly handle: string;
      /** Maximum items per page; default 25. */
      readonly limit?: number;
    };
    readonly data: Peer;
    readonly meta: DerivedListMeta;
    readonly isList: true;
  };

  /** Posts on X furthest above the median of their author.
   * Ripe original posts of the 30 days before the last sighting of their authors, by robust z-score, highest first. Each has at least three times its author’s median engagement and a robust z-score of at least 3.5; at most three are listed per author. A page may be short although it has a `next_cursor`.
   * Scope: `insights:read`.
   * Metered as: catalog. Lowest plan: starter. */
  readonly listXPopulationViralPosts: {
    readonly parameters: {
      /** Minimum multiple of the author's median; default 3. */
      readonly min_multiple?: number;
      /** Published at this time or later. */
      readonly since?: string;
      /** Maximum items per page; default 25. */
      readonly limit?: number;
    };
    readonly data: PopulationViralPost;
    readonly meta: DerivedListMeta;
    readonly isList: true;
  };

  /** The posts of an account of X with the most engagement.
   * Original posts of the window, highest count first; posts whose count is unknown come last. Young posts are listed with `is_ripe: false`. `meta.warnings`: `posts_not_ripe` (omitted), `order_unknown` (some posts were selected by the platform), `counts_rounded`, `dependence_unclear` (the posts do not tell how strongly they depend on each other, so that intervals may be too narrow for an account with streaks of its own), `window_not_covered` (older posts are not known), `window_ends_early` (posts of the last days are not known), `views_unknown`, `replies_unknown` (reading them requires a session), `followers_after_posts` (known from later readings only), `population_unknown` (not computed yet), `cohort_small` (fewer than 30 accounts of about the size).
   * Scope: `insights:read`.
   * Metered as: catalog. Lowest plan: starter. */
  readonly listXTopTweets: {
    readonly parameters: {
      readonly handle: string;
      /** Default `engagement`. */
      readonly sort?: 'engagement' | 'likes' | 'views';
      /** Length of the window before the account's last sighting, in days; default 30. */
      readonly window_days?: number;
      /** Maximum items per page; default 25. */
      readonly limit?: number;
    };
    readonly data: InsightPost;
    readonly meta: DerivedListMeta;
    readonly isList: true;
  };

  /** Posts of an account of X far above its median.
   * Ripe original posts whose engagement is at least `min_multiple` times the median of all of them, highest multiple first. With fewer than 8 ripe posts the list is empty; `meta.coverage` has their number. `meta.warnings`: `posts_not_ripe` (omitted), `order_unknown` (some posts were selected by the platform), `counts_rounded`, `dependence_unclear` (the posts do not tell how strongly they depend on each other, so that intervals may be too narrow for an account with streaks of its own), `window_not_covered` (older posts are not known), `window_ends_early` (posts of the last days are not known), `views_unknown`, `replies_unknown` (reading them requires a session), `followers_after_posts` (known from later readings only), `population_unknown` (not computed yet), `cohort_small` (fewer than 30 accounts of about the size).
   * Scope: `insights:read`.
   * Metered as: catalog. Lowest plan: starter. */
  readonly listXViralPosts: {
    readonly parameters: {
      readonly handle: string;
      /** Minimum multiple of the median; default 3. */
      readonly min_multiple?: number;
      /** Length of the window before the account's last sighting, in days; default 30. */
      readonly window_days?: number;
      /** Maximum items per page; default 25. */
      readonly limit?: number;
    };
    readonly data: InsightPost;
    readonly meta: DerivedListMeta;
    readonly isList: true;
  };

  /** Followers of an X account, or accounts it follows, as edges.
   * Edges of a list that was read, in order of the members’ native IDs. `source` follows `target`; each is a handle, or `id:<native ID>` if no handle is known. An edge stays listed until a complete reading of the list no longer has it. Lists are read only up to the operator’s cap, and a reading may break off. `meta.coverage` (in NDJSON and CSV the header `X-List-Coverage`) says whether and when the list was read completely; otherwise, a missing edge may still exist. A list that was never read returns 404.
   * Scope: `leads:read`.
   * Metered as: catalog. Lowest plan: scale. */
  readonly exportFollowerGraph: {
    readonly parameters: {
      readonly handle: string;
      /** Default `followers`. */
      readonly direction?: 'followers' | 'following';
      /** Maximum items per page; default 25. A page costs one unit for every 100 rows or part of them. */
      readonly limit?: number;
    };
    readonly data: FollowEdge;
    readonly meta: CoveredListMeta;
    readonly isList: true;
  };

  /** One company of LinkedIn.
   * The facts of a company page, as last read. The ID of a company is its slug: public pages show no other ID.
   * Scope: `leads:read`.
   * Metered as: catalog. Lowest plan: scale. */
  readonly getCompany: {
    readonly parameters: {
      readonly id: string;
    };
    readonly data: Company;
    readonly meta: Meta;
    readonly isList: false;
  };

  /** Companies of LinkedIn.
   * Companies whose pages were read, in order of slug; companies whose page is gone are omitted. A company must match all filters. `industry` and `size_band` are null if the page does not show them.
   * Scope: `leads:read`.
   * Metered as: catalog. Lowest plan: scale. */
  readonly listCompanies: {
    readonly parameters: {
      /** Industry as the page shows it; case, accents and punctuation make no difference. */
      readonly industry?: string;
      /** Employees. */
      readonly size?:
        | '1'
        | '2-10'
        | '11-50'
        | '51-200'
        | '201-500'
        | '501-1000'
        | '1001-5000'
        | '5001-10000'
        | '10001+';
      /** ISO 3166-1 alpha-2. */
      readonly country?: string;
      /** Prefix of the slug. For a name, write dashes for spaces. */
      readonly q?: string;
      /** Maximum items per page; default 25. A page costs one unit for every 100 rows or part of them. */
      readonly limit?: number;
    };
    readonly data: Company;
    readonly meta: ExportListMeta;
    readonly isList: true;
  };

  /** Decision makers of LinkedIn.
   * People whose pages were read and whose title is that of an owner, a partner, or a director or above, in order of slug; `seniority` selects other titles. People whose page is gone are omitted. `seniority` and `function` are derived from the title, and null if it does not show them. `industry` and `size` are those of the employer; with them, a page may have fewer items than `limit` although `next_cursor` leads to more.
   * Scope: `leads:read`.
   * Metered as: catalog. Lowest plan: scale. */
  readonly listDecisionMakers: {
    readonly parameters: {
      /** Default: `owner`, `cxo`, `partner`, `vp` and `director`. `any` is everyone, including people whose title shows no seniority. */
      readonly seniority?:
        | 'owner'
        | 'cxo'
        | 'partner'
        | 'vp'
        | 'director'
        | 'manager'
        | 'senior'
        | 'entry'
        | 'training'
        | 'any';
      readonly function?:
        | 'executive'
        | 'engineering'
        | 'product'
        | 'design'
        | 'data'
        | 'it'
        | 'marketing'
        | 'sales'
        | 'customer_success'
        | 'finance'
        | 'hr'
        | 'legal'
        | 'operations'
        | 'procurement'
        | 'research'
        | 'consulting'
        | 'media'
        | 'education'
        | 'healthcare'
        | 'public_sector'
        | 'real_estate'
        | 'hospitality'
        | 'trades'
        | 'administration'
        | 'other';
      /** Slug of the employer. */
      readonly company?: string;
      /** Industry of the employer. */
      readonly industry?: string;
      /** Employees of the employer. */
      readonly size?:
        | '1'
        | '2-10'
        | '11-50'
        | '51-200'
        | '201-500'
        | '501-1000'
        | '1001-5000'
        | '5001-10000'
        | '10001+';
      /** ISO 3166-1 alpha-2. */
      readonly country?: string;
      /** Prefix of the slug. For a name, write dashes for spaces. */
      readonly q?: string;
      /** Maximum items per page; default 25. A page costs one unit for every 100 rows or part of them. */
      readonly limit?: number;
    };
    readonly data: DecisionMaker;
    readonly meta: ExportListMeta;
    readonly isList: true;
  };

  /** One listing.
   * A listing by its ID, also after it was sold or withdrawn.
   * Scope: `marketplace:read`.
   * Metered as: catalog. Lowest plan: free. */
  readonly getListing: {
    readonly parameters: {
      readonly id: string;
    };
    readonly data: Listing;
    readonly meta: Meta;
    readonly isList: false;
  };

  /** Current prices per thousand followers.
   * Quartiles of the price per thousand stated followers, by platform and follower band, separately for asking prices and prices paid. They are accurate to 1 %, and null for fewer than 10 values. Bands without any price are omitted.
   * Scope: `marketplace:read`.
   * Metered as: catalog. Lowest plan: free. */
  readonly getMarketplacePricing: {
    readonly parameters: {
      readonly platform?: 'x' | 'instagram' | 'tiktok' | 'youtube' | 'telegram' | 'bluesky' | 'linkedin';
    };
    readonly data: GetMarketplacePricingResult;
    readonly meta: Meta;
    readonly isList: false;
  };

  /** Statistics of the marketplaces.
   * Listings, sellers and prices by platform. Quartiles are accurate to 1 %, and null for fewer than 10 values.
   * Scope: `marketplace:read`.
   * Metered as: catalog. Lowest plan: free. */
  readonly getMarketplaceStats: {
    readonly parameters: Readonly<Record<never, never>>;
    readonly data: GetMarketplaceStatsResult;
    readonly meta: Meta;
    readonly isList: false;
  };

  /** Accounts that are for sale.
   * Active listings; `status` selects sold or withdrawn ones instead. Price and followers are as stated by the marketplace; `verified_metrics` is the catalog’s own reading of the account.
   * Scope: `marketplace:read`.
   * Metered as: catalog. Lowest plan: free. */
  readonly listListings: {
    readonly parameters: {
      readonly platform?: 'x' | 'instagram' | 'tiktok' | 'youtube' | 'telegram' | 'bluesky' | 'linkedin';
      /** Default `active`. */
      readonly status?: 'active' | 'sold' | 'withdrawn';
      /** `id` of a seller. */
      readonly seller?: string;
      /** Asking price in US dollars, such as `99.95`. */
      readonly min_price_usd?: string;
      readonly max_price_usd?: string;
      /** As the seller states them. */
      readonly min_followers?: number;
      readonly max_followers?: number;
      /** Default `recent`: most recently changed first. `price` and `price_per_1k_followers` sort ascending, `price_desc` and `followers` descending. Unknown values sort last. */
      readonly sort?: 'recent' | 'price' | 'price_desc' | 'price_per_1k_followers' | 'followers';
      /** Maximum items per page; default 25. A page costs one unit for every 100 rows or part of them. */
      readonly limit?: number;
    };
    readonly data: Listing;
    readonly meta: ExportListMeta;
    readonly isList: true;
  };

  /** Leaderboard of sellers.
   * Sellers with an active or sold listing, highest value of `sort` first.
   * Scope: `marketplace:read`.
   * Metered as: catalog. Lowest plan: free. */
  readonly listSellers: {
    readonly parameters: {
      /** Default `sold`. */
      readonly sort?: 'active' | 'sold' | 'volume';
      /** Maximum items per page; default 25. A page costs one unit for every 100 rows or part of them. */
      readonly limit?: number;
    };
    readonly data: Seller;
    readonly meta: ExportListMeta;
    readonly isList: true;
  };

  /** The person behind an account.
   * The accounts of all platforms that evidence of both sides joins with the requested one, each with its confidence and the evidence whose weights add up to its log odds: links both ways, and link pages that list both. Links that nobody answers are claims, which join nobody: anyone can link to anyone under any name. An account without an answer is a person of its own.
   * Scope: `people:read`.
   * Metered as: catalog. Lowest plan: free. */
  readonly lookupPerson: {
    readonly parameters: {
      readonly platform?: 'x' | 'instagram' | 'tiktok' | 'youtube' | 'telegram' | 'bluesky' | 'linkedin';
      readonly handle?: string;
      /** A profile URL, or `platform:handle`. */
      readonly url?: string;
      /** `person_id` of an earlier answer; `merged_into` names the person that it has become. */
      readonly person_id?: string;
      /** Minimum confidence. Accounts below it are omitted, except the requested account (for `person_id`, the account that the ID was made from). */
      readonly min_confidence?: string;
    };
    readonly data: LookedUpPerson;
    readonly meta: Meta;
    readonly isList: false;
  };

  /** Persons by name or handle.
   * Persons whose names or handles contain words that begin with the words of `q`, and persons of the account that last had the handle `q`. Persons with the largest account come first; sizes are ranked in steps of an eighth. Persons with LinkedIn accounts only require the scope `leads:read`. A page may have fewer items than `limit` although `next_cursor` leads to more.
   * Scope: `people:read`.
   * Metered as: catalog. Lowest plan: free. */
  readonly searchPeople: {
    readonly parameters: {
      readonly q: string;
      /** Persons with an account there. */
      readonly platform?: 'x' | 'instagram' | 'tiktok' | 'youtube' | 'telegram' | 'bluesky' | 'linkedin';
      /** Followers of the largest account; a LinkedIn account counts only if there is no other. */
      readonly min_followers?: number;
      /** Minimum confidence. Accounts below it are omitted, except the largest if all are below. */
      readonly min_confidence?: string;
      /** Maximum items per page; default 25. */
      readonly limit?: number;
    };
    readonly data: Person;
    readonly meta: ListMeta;
    readonly isList: true;
  };

  /** One finding.
   * A finding by its ID, also after it was dismissed or superseded.
   * Scope: `research:read`.
   * Metered as: catalog. Lowest plan: growth. */
  readonly getFinding: {
    readonly parameters: {
      readonly id: string;
    };
    readonly data: Finding;
    readonly meta: Meta;
    readonly isList: false;
  };

  /** Findings of research.
   * Findings of the research engine, newest first. A finding is a change that chance does not explain, with its figures and the events that support it. A lasting finding is recorded once a day and supersedes the previous one.
   * Scope: `research:read`.
   * Metered as: catalog. Lowest plan: growth. */
  readonly listFindings: {
    readonly parameters: {
      /** `pool_yield`: a pool discovers at least twice as many accounts a request as others. `pool_exhausted`: a pool discovers less than a tenth as many as on its best day. `pool_stale`: the accounts of a pool are read late. `demand_surge`: callers ask for at least twice as many accounts. `engine_fault`: readings stay inconclusive. `rename_wave`: at least twice as many accounts change their handle. `growth_cluster`: at least twice as many accounts of a pool jump in followers. */
      readonly kind?:
        | 'pool_yield'
        | 'pool_exhausted'
        | 'pool_stale'
        | 'demand_surge'
        | 'engine_fault'
        | 'rename_wave'
        | 'growth_cluster';
      /** `id` of a run. */
      readonly run?: string;
      /** Name of a pool. */
      readonly pool?: string;
      /** `open` until an operator confirms or dismisses it, or a newer finding supersedes it. */
      readonly status?: 'open' | 'confirmed' | 'dismissed' | 'superseded';
      /** Found at this time or later. */
      readonly since?: string;
      /** Found before this time. */
      readonly until?: string;
      /** Maximum items per page; default 25. */
      readonly limit?: number;
    };
    readonly data: Finding;
    readonly meta: ListMeta;
    readonly isList: true;
  };

  /** Events of research.
   * All events of research, in log order: figures, draws, findings, decisions, reviews and limits. Store `meta.resume_cursor`, and send it later as `cursor` to get the events since.
   * Scope: `research:read`.
   * Metered as: catalog. Lowest plan: growth. */
  readonly listResearchEvents: {
    readonly parameters: {
      /** `id` of a run. */
      readonly run?: string;
      /** Name of a pool. */
      readonly pool?: string;
      /** Type of the event, such as `ExpansionDecided`. */
      readonly type?: string;
      /** At this time or later. */
      readonly since?: string;
      /** Before this time. */
      readonly until?: string;
      /** Maximum items per page; default 25. */
      readonly limit?: number;
      /** `now` returns an empty page whose `meta.resume_cursor` starts at the rows added from now on. */
      readonly after?: 'now';
    };
    readonly data: ResearchEvent;
    readonly meta: FeedMeta;
    readonly isList: true;
  };

  /** Runs of research.
   * Runs of the research engine, newest first. A run evaluates all pools, records findings, and decides which pools grow. A run whose process ended before the run did has failed.
   * Scope: `research:read`.
   * Metered as: catalog. Lowest plan: growth. */
  readonly listRuns: {
    readonly parameters: {
      readonly status?: 'running' | 'completed' | 'failed';
      /** Started at this time or later. */
      readonly since?: string;
      /** Started before this time. */
      readonly until?: string;
      /** Maximum items per page; default 25. */
      readonly limit?: number;
    };
    readonly data: ResearchRun;
    readonly meta: ListMeta;
    readonly isList: true;
  };

  /** Read an account’s followers on X.
   * Reads a page of an account’s followers from X, newest followers first, and records it in the follower graph. Requires a session of the operator. Each page is a live call. X ends long lists early; `meta.account.capped` is then true on the last page.
   * Scope: `scrape:live`.
   * Metered as: live. Lowest plan: starter.
   * Sends at most 18 requests to platforms. */
  readonly scrapeXFollowers: {
    readonly parameters: {
      readonly handle: string;
      /** Maximum items per page; default 25. */
      readonly limit?: number;
    };
    readonly data: LiveFollower;
    readonly meta: AccountListMeta;
    readonly isList: true;
  };

  /** Read one post of X.
   * Reads one post from X by its ID, and records it in the catalog. Requires a session of the operator. If the post is proven absent, or hidden together with its author, the call succeeds: `status` says so, and `post` is null.
   * Scope: `scrape:live`.
   * Metered as: live. Lowest plan: starter.
   * Sends at most 6 requests to platforms. */
  readonly scrapeXTweet: {
    readonly parameters: {
      /** ID of the post: the digits at the end of its address. */
      readonly id: string;
    };
    readonly data: ScrapeXTweetResult;
    readonly meta: Meta;
    readonly isList: false;
  };

  /** Read an account’s posts on X.
   * Reads a page of an account’s own timeline from X, newest first, with reposts and replies; a pinned post comes first. Requires a session of the operator. Each page is a live call. `meta.account` describes the account; a private, suspended or absent account has no posts to show.
   * Scope: `scrape:live`.
   * Metered as: live. Lowest plan: starter.
   * Sends at most 18 requests to platforms. */
  readonly scrapeXTweets: {
    readonly parameters: {
      readonly handle: string;
      /** Maximum items per page; default 25. */
      readonly limit?: number;
    };
    readonly data: LivePost;
    readonly meta: AccountListMeta;
    readonly isList: true;
  };

  /** Read one account of X.
   * Reads an account from X for this request and records it in the catalog. Name it by `handle` or by `id`; only a session of the operator can read by ID, or prove that a handle is unused. If the account is proven absent, suspended or deactivated, the call succeeds: `status` says so, and values that X does not show are null.
   * Scope: `scrape:live`.
   * Metered as: live. Lowest plan: starter.
   * Sends at most 12 requests to platforms. */
  readonly scrapeXUser: {
    readonly parameters: {
      readonly handle?: string;
      /** A native ID of X. */
      readonly id?: string;
    };
    readonly data: LiveEntry;
    readonly meta: Meta;
    readonly isList: false;
  };

  /** Read up to 50 accounts of X.
   * Reads accounts from X for this request, each a live call of its own. An item that could not be read, or is not a handle of X, gets the status `unknown` and an error, and is refunded; the other items are not affected. An account named by several items is read and charged once. The batch must fit into the plan’s live calls per minute: a plan with 20 per minute allows at most 20 items. The time limit is 10 s per item, from its first request, and 60 s per batch.
   * Scope: `scrape:live`.
   * Metered as: live, by item; items without a result are refunded. Lowest plan: starter.
   * Sends at most 12 requests to platforms for each item. */
  readonly scrapeXUsers: {
    readonly parameters: {
      readonly handles: readonly string[];
    };
    readonly data: ScrapeXUsersResult;
    readonly meta: Meta;
    readonly isList: false;
  };

  /** Verify the ownership of an account of Bluesky.
   * The first call returns a code. Once the owner shows it on the account, a later call finds it. Each call reads the platform and is a live call. A code belongs to the holder of the key, the `reference`, the handle and the day, and is valid for seven days. A code that is found proves that someone who has it could write to one of the `parts` of the account. Without a `reference`, all your users who ask for an account get the same code. If an account repeats what strangers write, a code in its posts proves only that one of them wrote it. Store `id`: it stays the same when the account is renamed and another account takes its handle. Only the account’s own original posts count.
   * Scope: `verify:live`.
   * Metered as: live. Lowest plan: starter.
   * Sends at most 18 requests to platforms. */
  readonly verifyBlueskyOwnership: {
    readonly parameters: {
      readonly handle: string;
      /** Your own ID of the user who asks, so that each user gets a different code. */
      readonly reference?: string;
      /** Parts of the account in which to look for the code, such as `bio` or `bio,name`. Default: all three. */
      readonly parts?: string;
    };
    readonly data: OwnershipVerification;
    readonly meta: Meta;
    readonly isList: false;
  };

  /** Verify the ownership of an account of Instagram.
   * The first call returns a code. Once the owner shows it on the account, a later call finds it. Each call reads the platform and is a live call. A code belongs to the holder of the key, the `reference`, the handle and the day, and is valid for seven days. A code that is found proves that someone who has it could write to one of the `parts` of the account. Without a `reference`, all your users who ask for an account get the same code. If an account repeats what strangers write, a code in its posts proves only that one of them wrote it. Store `id`: it stays the same when the account is renamed and another account takes its handle. Only the account’s own original posts count.
   * Scope: `verify:live`.
   * Metered as: live. Lowest plan: starter.
   * Sends at most 18 requests to platforms. */
  readonly verifyInstagramOwnership: {
    readonly parameters: {
      readonly handle: string;
      /** Your own ID of the user who asks, so that each user gets a different code. */
      readonly reference?: string;
      /** Parts of the account in which to look for the code, such as `bio` or `bio,name`. Default: all three. */
      readonly parts?: string;
    };
    readonly data: OwnershipVerification;
    readonly meta: Meta;
    readonly isList: false;
  };

  /** Verify the ownership of an account of Telegram.
   * The first call returns a code. Once the owner shows it on the account, a later call finds it. Each call reads the platform and is a live call. A code belongs to the holder of the key, the `reference`, the handle and the day, and is valid for seven days. A code that is found proves that someone who has it could write to one of the `parts` of the account. Without a `reference`, all your users who ask for an account get the same code. If an account repeats what strangers write, a code in its posts proves only that one of them wrote it. Store `id`: it stays the same when the account is renamed and another account takes its handle. Only the account’s own original posts count.
   * Scope: `verify:live`.
   * Metered as: live. Lowest plan: starter.
   * Sends at most 18 requests to platforms. */
  readonly verifyTelegramOwnership: {
    readonly parameters: {
      readonly handle: string;
      /** Your own ID of the user who asks, so that each user gets a different code. */
      readonly reference?: string;
      /** Parts of the account in which to look for the code, such as `bio` or `bio,name`. Default: all three. */
      readonly parts?: string;
    };
    readonly data: OwnershipVerification;
    readonly meta: Meta;
    readonly isList: false;
  };

  /** Verify the ownership of an account of TikTok.
   * The first call returns a code. Once the owner shows it on the account, a later call finds it. Each call reads the platform and is a live call. A code belongs to the holder of the key, the `reference`, the handle and the day, and is valid for seven days. A code that is found proves that someone who has it could write to one of the `parts` of the account. Without a `reference`, all your users who ask for an account get the same code. If an account repeats what strangers write, a code in its posts proves only that one of them wrote it. Store `id`: it stays the same when the account is renamed and another account takes its handle. Only the account’s own original posts count.
   * Scope: `verify:live`.
   * Metered as: live. Lowest plan: starter.
   * Sends at most 18 requests to platforms. */
  readonly verifyTiktokOwnership: {
    readonly parameters: {
      readonly handle: string;
      /** Your own ID of the user who asks, so that each user gets a different code. */
      readonly reference?: string;
      /** Parts of the account in which to look for the code, such as `bio` or `bio,name`. Default: all three. */
      readonly parts?: string;
    };
    readonly data: OwnershipVerification;
    readonly meta: Meta;
    readonly isList: false;
  };

  /** Verify the ownership of an account of X.
   * The first call returns a code. Once the owner shows it on the account, a later call finds it. Each call reads the platform and is a live call. A code belongs to the holder of the key, the `reference`, the handle and the day, and is valid for seven days. A code that is found proves that someone who has it could write to one of the `parts` of the account. Without a `reference`, all your users who ask for an account get the same code. If an account repeats what strangers write, a code in its posts proves only that one of them wrote it. Store `id`: it stays the same when the account is renamed and another account takes its handle. Only the account’s own original posts count.
   * Scope: `verify:live`.
   * Metered as: live. Lowest plan: starter.
   * Sends at most 18 requests to platforms. */
  readonly verifyXOwnership: {
    readonly parameters: {
      readonly handle: string;
      /** Your own ID of the user who asks, so that each user gets a different code. */
      readonly reference?: string;
      /** Parts of the account in which to look for the code, such as `bio` or `bio,name`. Default: all three. */
      readonly parts?: string;
    };
    readonly data: OwnershipVerification;
    readonly meta: Meta;
    readonly isList: false;
  };

  /** Verify the ownership of an account of YouTube.
   * The first call returns a code. Once the owner shows it on the account, a later call finds it. Each call reads the platform and is a live call. A code belongs to the holder of the key, the `reference`, the handle and the day, and is valid for seven days. A code that is found proves that someone who has it could write to one of the `parts` of the account. Without a `reference`, all your users who ask for an account get the same code. If an account repeats what strangers write, a code in its posts proves only that one of them wrote it. Store `id`: it stays the same when the account is renamed and another account takes its handle. Only the account’s own original posts count.
   * Scope: `verify:live`.
   * Metered as: live. Lowest plan: starter.
   * Sends at most 18 requests to platforms. */
  readonly verifyYoutubeOwnership: {
    readonly parameters: {
      readonly handle: string;
      /** Your own ID of the user who asks, so that each user gets a different code. */
      readonly reference?: string;
      /** Parts of the account in which to look for the code, such as `bio` or `bio,name`. Default: all three. */
      readonly parts?: string;
    };
    readonly data: OwnershipVerification;
    readonly meta: Meta;
    readonly isList: false;
  };

  /** The tools.
   * Analysis tools, each with the schemas of its body and answer, the platforms that it serves, the maximum requests to platforms per call, and its cost on your plan.
   * Scope: `tools:run`.
   * Metered as: free. Lowest plan: starter. */
  readonly listTools: {
    readonly parameters: {
      /** Maximum items per page; default 25. */
      readonly limit?: number;
    };
    readonly data: Tool;
    readonly meta: ListMeta;
    readonly isList: true;
  };

  /** How old an account is.
   * The creation time stated by the profile, else the one encoded in the native ID (X, TikTok), else a bound: the account is at least as old as its first sighting. Method: Stated time, or the leading bits of the ID; docs/methods/tools.md has the formats.
   * Scope: `tools:run`.
   * Metered as: live. Lowest plan: starter. */
  readonly runAccountAge: {
    readonly parameters: {
      readonly platform: 'x' | 'instagram' | 'tiktok' | 'youtube' | 'telegram' | 'bluesky';
      readonly handle: string;
      /** Maximum age of the account’s reading, in seconds. If the reading is older, tools that read platforms read again, and tools that read the catalog answer 422 `insufficient_data`. By default, readings of any age are accepted. */
      readonly max_age_s?: number;
    };
    readonly data: RunAccountAgeResult;
    readonly meta: DerivedMeta;
    readonly isList: false;
  };

  /** Accounts compared side by side.
   * Followers and post figures of two to five accounts, with 95 % intervals, and for each figure the account with the highest value. It is `distinguishable` if its interval is above all others. A figure known for too few posts is null, and the account is left out of that comparison. Method: The figures of engagement-rate; intervals that do not overlap.
   * Scope: `tools:run`.
   * Metered as: live. Lowest plan: starter. */
  readonly runAccountCompare: {
    readonly parameters: {
      readonly platform?: 'x' | 'instagram' | 'tiktok' | 'youtube' | 'telegram' | 'bluesky';
      readonly handle?: string;
      /** Maximum age of the account’s reading, in seconds. If the reading is older, tools that read platforms read again, and tools that read the catalog answer 422 `insufficient_data`. By default, readings of any age are accepted. */
      readonly max_age_s?: number;
      /** The accounts to compare: two to five, including the account of `handle` if that is given. */
      readonly accounts: readonly {
        readonly platform: 'x' | 'instagram' | 'tiktok' | 'youtube' | 'telegram' | 'bluesky';
        readonly handle: string;
      }[];
      /** Length of the window before the account's last sighting, in days; default 30. */
      readonly window_days?: number;
    };
    readonly data: RunAccountCompareResult;
    readonly meta: DerivedMeta;
    readonly isList: false;
  };

  /** A score of an account, with its parts.
   * 0 to 100 points: the weighted sum of reach, engagement, growth, activity, age and reactions; the answer shows the weights. An unknown part is null, and its weight is distributed over the others in proportion: `known_points` and `meta.coverage` state the points that the score rests on. Fewer than 70 are refused. The score is a convention, not an estimate. Method: A sum of six parts with fixed weights, in docs/methods/tools.md.
   * Scope: `tools:run`.
   * Metered as: live. Lowest plan: starter. */
  readonly runAccountScore: {
    readonly parameters: {
      readonly platform: 'x' | 'instagram' | 'tiktok' | 'youtube' | 'telegram' | 'bluesky';
      readonly handle: string;
      /** Maximum age of the account’s reading, in seconds. If the reading is older, tools that read platforms read again, and tools that read the catalog answer 422 `insufficient_data`. By default, readings of any age are accepted. */
      readonly max_age_s?: number;
    };
    readonly data: RunAccountScoreResult;
    readonly meta: DerivedMeta;
    readonly isList: false;
  };

  /** Overlap of the followers of two accounts.
   * Followers that two accounts of a platform have in common, among those that were read. Up to 65,536 followers per list the result is exact; above, it comes from a coordinated sample of both lists, with its error. If a list was not read completely, `value` covers only what was read, and the bounds allow for any content of the unread rest. If the bounds of `shared` are wider than half of the smaller audience, there is no result. Method: Intersection of the lists, or coordinated sampling by a hash of IDs, as in docs/methods/tools.md.
   * Scope: `tools:run`.
   * Metered as: live. Lowest plan: starter. */
  readonly runAudienceOverlap: {
    readonly parameters: {
      readonly platform: 'x' | 'bluesky';
      readonly handle: string;
      /** Maximum age of the account’s reading, in seconds. If the reading is older, tools that read platforms read again, and tools that read the catalog answer 422 `insufficient_data`. By default, readings of any age are accepted. */
      readonly max_age_s?: number;
      readonly other: {
        readonly platform: 'x' | 'bluesky';
        readonly handle: string;
      };
    };
    readonly data: RunAudienceOverlapResult;
    readonly meta: DerivedMeta;
    readonly isList: false;
  };

  /** When the posts of an account get more engagement.
   * Hours of the week whose posts get more engagement than usual, with 95 % intervals, if the effect of hour or weekday exceeds chance. `significant: false` means that no difference is measurable. Method: Regression with first harmonics of day and week; Benjamini and Hochberg at 0.05, as in docs/methods/insights.md.
   * Scope: `tools:run`.
   * Metered as: live. Lowest plan: starter. */
  readonly runBestTimeToPost: {
    readonly parameters: {
      readonly platform: 'x' | 'instagram' | 'tiktok' | 'youtube' | 'telegram' | 'bluesky';
      readonly handle: string;
      /** Maximum age of the account’s reading, in seconds. If the reading is older, tools that read platforms read again, and tools that read the catalog answer 422 `insufficient_data`. By default, readings of any age are accepted. */
      readonly max_age_s?: number;
      /** IANA time zone of hours and weekdays, such as `Europe/Berlin`; default `UTC`. */
      readonly timezone?: string;
      /** Length of the window before the account's last sighting, in days; default 365. */
      readonly window_days?: number;
    };
    readonly data: RunBestTimeToPostResult;
    readonly meta: DerivedMeta;
    readonly isList: false;
  };

  /** Accounts of the same person on other platforms.
   * Accounts of all platforms that evidence of both sides joins with the account, most certain first, each with its confidence and the evidence whose weights add up to its log odds. Neither names nor links that nobody answers make a match. Method: Log odds of links, names and pages, calibrated on simulated people, as in docs/methods/people.md.
   * Scope: `tools:run`.
   * Metered as: live. Lowest plan: starter. */
  readonly runCrossPlatformMatch: {
    readonly parameters: {
      readonly platform: 'x' | 'instagram' | 'tiktok' | 'youtube' | 'telegram' | 'bluesky' | 'linkedin';
      readonly handle: string;
      /** Maximum age of the account’s reading, in seconds. If the reading is older, tools that read platforms read again, and tools that read the catalog answer 422 `insufficient_data`. By default, readings of any age are accepted. */
      readonly max_age_s?: number;
    };
    readonly data: RunCrossPlatformMatchResult;
    readonly meta: DerivedMeta;
    readonly isList: false;
  };

  /** Whether reactions are unusual for the platform.
   * How much the reactions of an account’s posts vary, and their comments, reposts and views per like, compared with accounts of the platform. A figure is flagged if its whole interval lies beyond the figures of 97.5 % of these accounts: each rule flags at most one account in forty, whatever the reason. A flag is not a verdict on a person. Method: Gini’s mean difference of ln reactions, ratios of totals, and percentiles among a sample of the platform’s accounts, as in docs/methods/tools.md.
   * Scope: `tools:run`.
   * Metered as: live. Lowest plan: starter. */
  readonly runEngagementAuthenticity: {
    readonly parameters: {
      readonly platform: 'x' | 'instagram' | 'tiktok' | 'youtube' | 'telegram' | 'bluesky';
      readonly handle: string;
      /** Maximum age of the account’s reading, in seconds. If the reading is older, tools that read platforms read again, and tools that read the catalog answer 422 `insufficient_data`. By default, readings of any age are accepted. */
      readonly max_age_s?: number;
      /** Length of the window before the account's last sighting, in days; default 90. */
      readonly window_days?: number;
    };
    readonly data: RunEngagementAuthenticityResult;
    readonly meta: DerivedMeta;
    readonly isList: false;
  };

  /** Engagement of the posts of an account.
   * Medians of ripe original posts, with 95 % intervals and quartiles: engagement by followers at the time of the post, engagement by views, and engagement as a count. Also the percentile of the engagement by followers in the size band of the platform. Method: Medians and order statistics that withstand hot streaks, as in docs/methods/insights.md.
   * Scope: `tools:run`.
   * Metered as: live. Lowest plan: starter. */
  readonly runEngagementRate: {
    readonly parameters: {
      readonly platform: 'x' | 'instagram' | 'tiktok' | 'youtube' | 'telegram' | 'bluesky';
      readonly handle: string;
      /** Maximum age of the account’s reading, in seconds. If the reading is older, tools that read platforms read again, and tools that read the catalog answer 422 `insufficient_data`. By default, readings of any age are accepted. */
      readonly max_age_s?: number;
      /** Length of the window before the account's last sighting, in days; default 30. */
      readonly window_days?: number;
    };
    readonly data: RunEngagementRateResult;
    readonly meta: DerivedMeta;
    readonly isList: false;
  };

  /** How much of an audience is suspicious or inactive.
   * Reads the newest followers of an account and estimates the shares that are suspicious and inactive, with 95 % intervals. It also finds blocks of followers that were created together, with their dates. The shares describe an audience; the answer names no follower. Without a labelled sample from the operator, shares on X rest on a default model of accounts that were labelled in 2017 (`labels_of_other_lists`), and shares of other platforms are null (`uncalibrated`). `traits_outside_labels`: the audience looks like no mixture of the labelled classes. On X, a session of the operator is required. Method: Logistic scores of splines, prevalence by Rogan and Gladen with the interval of Lang and Reiczigel for a census, and a scan statistic of creation times, as in docs/methods/tools.md.
   * Scope: `tools:run`.
   * Metered as: live. Lowest plan: starter.
   * Sends at most 40 requests to platforms. Tools that do run one at a time for each holder. */
  readonly runFollowerAudit: {
    readonly parameters: {
      readonly platform: 'x' | 'bluesky';
      readonly handle: string;
      /** Maximum age of the account’s reading, in seconds. If the reading is older, tools that read platforms read again, and tools that read the catalog answer 422 `insufficient_data`. By default, readings of any age are accepted. */
      readonly max_age_s?: number;
      /** Maximum followers to read, newest first; default 500. */
      readonly sample_size?: number;
    };
    readonly data: RunFollowerAuditResult;
    readonly meta: DerivedMeta;
    readonly isList: false;
  };

  /** Rank of an account or of a number of followers.
   * The share of accounts with fewer followers and the rank from the top, for an account or a number of followers. Each has bounds between which it certainly lies. Method: The platform’s ladder of follower percentiles, accurate to 1 %. Between two percentiles, the rank is interpolated at a constant growth factor.
   * Scope: `tools:run`.
   * Metered as: live. Lowest plan: starter. */
  readonly runFollowerRank: {
    readonly parameters: {
      readonly platform: 'x' | 'instagram' | 'tiktok' | 'youtube' | 'telegram' | 'bluesky';
      readonly handle?: string;
      /** Maximum age of the account’s reading, in seconds. If the reading is older, tools that read platforms read again, and tools that read the catalog answer 422 `insufficient_data`. By default, readings of any age are accepted. */
      readonly max_age_s?: number;
      readonly followers?: number;
    };
    readonly data: RunFollowerRankResult;
    readonly meta: DerivedMeta;
    readonly isList: false;
  };

  /** Projected followers of an account.
   * Followers some days after the last reading, with bands of 50 % and 95 % probability. It requires 4 readings of followers over 14 days; until enough accounts of the platform can be compared, over twice the days that are projected. Method: A random walk with the share of the trend that persists on the platform, and quantiles of the errors of earlier projections for similar accounts, as in docs/methods/tools.md.
   * Scope: `tools:run`.
   * Metered as: live. Lowest plan: starter. */
  readonly runGrowthProjection: {
    readonly parameters: {
      readonly platform: 'x' | 'instagram' | 'tiktok' | 'youtube' | 'telegram' | 'bluesky';
      readonly handle: string;
      /** Maximum age of the account’s reading, in seconds. If the reading is older, tools that read platforms read again, and tools that read the catalog answer 422 `insufficient_data`. By default, readings of any age are accepted. */
      readonly max_age_s?: number;
      /** Days after the last reading. */
      readonly days: number;
    };
    readonly data: RunGrowthProjectionResult;
    readonly meta: DerivedMeta;
    readonly isList: false;
  };

  /** Whether a name is free.
   * Whether a handle is taken on each platform, according to its account page or the platform’s registration form. A name is `available` only if the platform itself says so: on X, and on Bluesky below `.bsky.social`. On other platforms, a name without an account is `unknown`, because reserved and banned names have no page either. Method: The platform’s registration form, else the account page, as in docs/methods/tools.md.
   * Scope: `tools:run`.
   * Metered as: live. Lowest plan: starter.
   * Sends at most 48 requests to platforms. Tools that do run one at a time for each holder. */
  readonly runHandleAvailability: {
    readonly parameters: {
      readonly handle: string;
      /** One platform, in place of `platforms`. */
      readonly platform?: 'x' | 'instagram' | 'tiktok' | 'youtube' | 'telegram' | 'bluesky' | 'linkedin';
      /** All by default. */
      readonly platforms?: readonly (
        | 'x'
        | 'instagram'
        | 'tiktok'
        | 'youtube'
        | 'telegram'
        | 'bluesky'
        | 'linkedin'
      )[];
      /** Maximum age, in seconds, of a catalog reading that is used instead of reading the platform; default 86,400. */
      readonly max_age_s?: number;
    };
    readonly data: RunHandleAvailabilityResult;
    readonly meta: DerivedMeta;
    readonly isList: false;
  };

  /** Handles that look like another handle.
   * Accounts of the catalog whose handles look like a handle or are at most two edits away from it: fewest edits first, then largest. The handle need not belong to an account. If it does, also suspects: accounts of all platforms that pose as this account by name, bio, picture, links or handle, most certain first, and originals: those that it seems to copy itself. Where nothing tells which of two copies the other, both answers say so. Method: Skeletons of UTS 39, Damerau–Levenshtein distance, and risks whose parts and weights the answer shows, as in docs/methods/tools.md. The risks of suspects are calibrated on simulated people, as in docs/methods/people.md.
   * Scope: `tools:run`.
   * Metered as: live. Lowest plan: starter. */
  readonly runHandleSimilarity: {
    readonly parameters: {
      readonly platform: 'x' | 'instagram' | 'tiktok' | 'youtube' | 'telegram' | 'bluesky';
      readonly handle: string;
      /** Maximum age of the account’s reading, in seconds. If the reading is older, tools that read platforms read again, and tools that read the catalog answer 422 `insufficient_data`. By default, readings of any age are accepted. */
      readonly max_age_s?: number;
      /** Maximum matches; default 20. */
      readonly limit?: number;
    };
    readonly data: RunHandleSimilarityResult;
    readonly meta: DerivedMeta;
    readonly isList: false;
  };

  /** What a paid post of an account would cost.
   * The price per thousand views of imported placements on the platform, times the median views of the account's ripe posts, with bounds that contain 80 % of placement prices. It requires 10 placements that state their views, and 8 ripe posts with views. Method: Quantiles of the price per thousand views, combined in quadrature with the error of the median views, as in docs/methods/tools.md.
   * Scope: `tools:run`.
   * Metered as: live. Lowest plan: starter. */
  readonly runPostPrice: {
    readonly parameters: {
      readonly platform: 'x' | 'instagram' | 'tiktok' | 'youtube' | 'telegram' | 'bluesky';
      readonly handle: string;
      /** Maximum age of the account’s reading, in seconds. If the reading is older, tools that read platforms read again, and tools that read the catalog answer 422 `insufficient_data`. By default, readings of any age are accepted. */
      readonly max_age_s?: number;
      /** Length of the window before the account's last sighting, in days; default 90. */
      readonly window_days?: number;
    };
    readonly data: RunPostPriceResult;
    readonly meta: DerivedMeta;
    readonly isList: false;
  };

  /** Whether a platform hides an account without saying so.
   * Looks for an account in the places where X shows accounts to strangers: in search, in the suggestions of the search box, and, for its replies, in their threads. Each part is `clear` if the account was seen there, `limited` if it was missing repeatedly while a control account was shown within the same minute, else `unknown`. The search box is controlled by three accounts that are no larger, each of which it has to suggest. Requires a session of the operator. Method: Search, suggestion, ghost and reply tests with controls, as in docs/methods/tools.md.
   * Scope: `tools:run`.
   * Metered as: live. Lowest plan: starter.
   * Sends at most 48 requests to platforms. Tools that do run one at a time for each holder. */
  readonly runShadowbanCheck: {
    readonly parameters: {
      readonly platform: 'x';
      readonly handle: string;
      /** Maximum age of the account’s reading, in seconds. If the reading is older, tools that read platforms read again, and tools that read the catalog answer 422 `insufficient_data`. By default, readings of any age are accepted. */
      readonly max_age_s?: number;
    };
    readonly data: RunShadowbanCheckResult;
    readonly meta: DerivedMeta;
    readonly isList: false;
  };

  /** Evidence for and against trusting an account.
   * The results of follower audit, account score, account age, handle similarity and valuation, with the conclusions of five rules. The verdict rests on the rules that nobody else can cause: anybody can buy followers for an account, or look like it. A part that could not be computed is unknown, with the reason, and so is its rule. The verdict is about an account and its audience, never about a person. Method: Five rules with fixed thresholds over the results of other tools, in docs/methods/tools.md.
   * Scope: `tools:run`.
   * Metered as: live. Lowest plan: starter.
   * Sends at most 40 requests to platforms. Tools that do run one at a time for each holder. */
  readonly runTrustReport: {
    readonly parameters: {
      readonly platform: 'x' | 'instagram' | 'tiktok' | 'youtube' | 'telegram' | 'bluesky';
      readonly handle: string;
      /** Maximum age of the account’s reading, in seconds. If the reading is older, tools that read platforms read again, and tools that read the catalog answer 422 `insufficient_data`. By default, readings of any age are accepted. */
      readonly max_age_s?: number;
    };
    readonly data: RunTrustReportResult;
    readonly meta: DerivedMeta;
    readonly isList: false;
  };

  /** How good a name is.
   * 0 to 100 points for the length, the pattern and the pronounceability of a name. The score is the weighted sum of these parts. Method: A convention: a sum of three parts with fixed weights, as in docs/methods/tools.md.
   * Scope: `tools:run`.
   * Metered as: live. Lowest plan: starter. */
  readonly runUsernameScore: {
    readonly parameters: {
      /** Platform whose rules for names apply; by default, those of any platform. */
      readonly platform?: 'x' | 'instagram' | 'tiktok' | 'youtube' | 'telegram' | 'bluesky' | 'linkedin';
      readonly handle: string;
    };
    readonly data: RunUsernameScoreResult;
    readonly meta: DerivedMeta;
    readonly isList: false;
  };

  /** Estimated sale price of an account.
   * The estimated price of an account from imported sales: a middle value, and bounds that contain 80 % of prices paid. For LinkedIn it requires the scope `leads:read`. Prices paid and asking prices are separate: `low`, `mid` and `high` are prices paid. `mid` is the price of the typical sale (`typical`) times the multiples of all factors. Method: Robust regression of ln sold price on ln followers, age, engagement and platform with shrinkage, and quantiles of its leave-one-out errors, as in docs/methods/tools.md.
   * Scope: `tools:run`.
   * Metered as: live. Lowest plan: starter. */
  readonly runValuation: {
    readonly parameters: {
      readonly platform: 'x' | 'instagram' | 'tiktok' | 'youtube' | 'telegram' | 'bluesky' | 'linkedin';
      readonly handle: string;
      /** Maximum age of the account’s reading, in seconds. If the reading is older, tools that read platforms read again, and tools that read the catalog answer 422 `insufficient_data`. By default, readings of any age are accepted. */
      readonly max_age_s?: number;
    };
    readonly data: RunValuationResult;
    readonly meta: DerivedMeta;
    readonly isList: false;
  };

  /** How far a post exceeds its author’s median engagement.
   * The engagement of a post as a multiple of the median of the author’s other ripe original posts, from 90 days before to 90 days after, and the robust z-score of its logarithm. A post is `viral` from a multiple of 3 and a z-score of 3.5. If the counts were read while the post was young, `at_least` is true: they may have grown since, so `viral` is true or null, never false. Method: Multiple of the median, and the modified z score of ln(1 + engagement) without the post itself, as in docs/methods/tools.md.
   * Scope: `tools:run`.
   * Metered as: live. Lowest plan: starter. */
  readonly runViralityCheck: {
    readonly parameters: {
      readonly platform: 'x' | 'tiktok' | 'telegram' | 'bluesky';
      /** Handle of the author, if the URL of the post does not name it. */
      readonly handle?: string;
      /** Maximum age of the account’s reading, in seconds. If the reading is older, tools that read platforms read again, and tools that read the catalog answer 422 `insufficient_data`. By default, readings of any age are accepted. */
      readonly max_age_s?: number;
      readonly post_url: string;
    };
    readonly data: RunViralityCheckResult;
    readonly meta: DerivedMeta;
    readonly isList: false;
  };
}

/** Method, path and meter of each operation, whether it is a list, and a list in its body whose items may be charged each. */
export const OPERATIONS: {
  readonly [Name in keyof Operations]: readonly [
    method: 'GET' | 'POST',
    path: string,
    meter: 'free' | 'catalog' | 'live',
    isList: boolean,
    items: readonly [name: string, max: number] | null,
  ];
} = {
  getCapabilities: ['GET', '/', 'free', false, null],
  checkAccount: ['GET', '/accounts/{platform}/{handle}', 'free', false, null],
  checkAccountLive: ['GET', '/accounts/{platform}/{handle}/live', 'live', false, null],
  checkAccounts: ['POST', '/accounts/check', 'free', false, ['accounts', 100]],
  listPlatforms: ['GET', '/accounts/platforms', 'free', true, null],
  resolveAccount: ['GET', '/accounts/resolve', 'free', false, null],
  getDirectoryEntry: ['GET', '/directory/{platform}/{id}', 'catalog', false, null],
  getDirectoryStats: ['GET', '/directory/stats', 'catalog', false, null],
  listDirectory: ['GET', '/directory', 'catalog', true, null],
  listDirectoryChanges: ['GET', '/directory/changes', 'catalog', true, null],
  listEntryHistory: ['GET', '/directory/{platform}/{id}/history', 'catalog', true, null],
  listEntryPosts: ['GET', '/directory/{platform}/{id}/posts', 'catalog', true, null],
  listPlatformDirectory: ['GET', '/directory/{platform}', 'catalog', true, null],
  listSimilarEntries: ['GET', '/directory/{platform}/{id}/similar', 'catalog', true, null],
  listTopEntries: ['GET', '/directory/top', 'catalog', true, null],
  getEngine: ['GET', '/engines/{key}', 'catalog', false, null],
  listEngines: ['GET', '/engines', 'catalog', true, null],
  getXCohortBenchmarks: ['GET', '/insights/x/cohort-benchmarks', 'catalog', false, null],
  getXContentMix: ['GET', '/insights/x/{handle}/content-mix', 'catalog', false, null],
  getXDataCoverage: ['GET', '/insights/x/data-coverage', 'catalog', false, null],
  getXEngagement: ['GET', '/insights/x/{handle}/engagement', 'catalog', false, null],
  getXGrowth: ['GET', '/insights/x/{handle}/growth', 'catalog', false, null],
  getXInsights: ['GET', '/insights/x/{handle}', 'catalog', false, null],
  getXPopulationPatterns: ['GET', '/insights/x/posting-patterns', 'catalog', false, null],
  getXPostingPatterns: ['GET', '/insights/x/{handle}/posting-patterns', 'catalog', false, null],
  listXPeers: ['GET', '/insights/x/{handle}/peers', 'catalog', true, null],
  listXPopulationViralPosts: ['GET', '/insights/x/viral-posts', 'catalog', true, null],
  listXTopTweets: ['GET', '/insights/x/{handle}/top-tweets', 'catalog', true, null],
  listXViralPosts: ['GET', '/insights/x/{handle}/viral-posts', 'catalog', true, null],
  exportFollowerGraph: ['GET', '/leads/x/follower-graph', 'catalog', true, null],
  getCompany: ['GET', '/leads/linkedin/companies/{id}', 'catalog', false, null],
  listCompanies: ['GET', '/leads/linkedin/companies', 'catalog', true, null],
  listDecisionMakers: ['GET', '/leads/linkedin/people', 'catalog', true, null],
  getListing: ['GET', '/marketplace/listings/{id}', 'catalog', false, null],
  getMarketplacePricing: ['GET', '/marketplace/pricing', 'catalog', false, null],
  getMarketplaceStats: ['GET', '/marketplace/stats', 'catalog', false, null],
  listListings: ['GET', '/marketplace/listings', 'catalog', true, null],
  listSellers: ['GET', '/marketplace/sellers', 'catalog', true, null],
  lookupPerson: ['GET', '/people/lookup', 'catalog', false, null],
  searchPeople: ['GET', '/people/search', 'catalog', true, null],
  getFinding: ['GET', '/research/findings/{id}', 'catalog', false, null],
  listFindings: ['GET', '/research/findings', 'catalog', true, null],
  listResearchEvents: ['GET', '/research/events', 'catalog', true, null],
  listRuns: ['GET', '/research/runs', 'catalog', true, null],
  scrapeXFollowers: ['GET', '/scrape/x/followers', 'live', true, null],
  scrapeXTweet: ['GET', '/scrape/x/tweet', 'live', false, null],
  scrapeXTweets: ['GET', '/scrape/x/tweets', 'live', true, null],
  scrapeXUser: ['GET', '/scrape/x/user', 'live', false, null],
  scrapeXUsers: ['POST', '/scrape/x/users', 'live', false, ['handles', 50]],
  verifyBlueskyOwnership: ['GET', '/scrape/bluesky/verify', 'live', false, null],
  verifyInstagramOwnership: ['GET', '/scrape/instagram/verify', 'live', false, null],
  verifyTelegramOwnership: ['GET', '/scrape/telegram/verify', 'live', false, null],
  verifyTiktokOwnership: ['GET', '/scrape/tiktok/verify', 'live', false, null],
  verifyXOwnership: ['GET', '/scrape/x/verify', 'live', false, null],
  verifyYoutubeOwnership: ['GET', '/scrape/youtube/verify', 'live', false, null],
  listTools: ['GET', '/tools', 'free', true, null],
  runAccountAge: ['POST', '/tools/account-age', 'live', false, null],
  runAccountCompare: ['POST', '/tools/account-compare', 'live', false, ['accounts', 5]],
  runAccountScore: ['POST', '/tools/account-score', 'live', false, null],
  runAudienceOverlap: ['POST', '/tools/audience-overlap', 'live', false, null],
  runBestTimeToPost: ['POST', '/tools/best-time-to-post', 'live', false, null],
  runCrossPlatformMatch: ['POST', '/tools/cross-platform-match', 'live', false, null],
  runEngagementAuthenticity: ['POST', '/tools/engagement-authenticity', 'live', false, null],
  runEngagementRate: ['POST', '/tools/engagement-rate', 'live', false, null],
  runFollowerAudit: ['POST', '/tools/follower-audit', 'live', false, null],
  runFollowerRank: ['POST', '/tools/follower-rank', 'live', false, null],
  runGrowthProjection: ['POST', '/tools/growth-projection', 'live', false, null],
  runHandleAvailability: ['POST', '/tools/handle-availability', 'live', false, ['platforms', 7]],
  runHandleSimilarity: ['POST', '/tools/handle-similarity', 'live', false, null],
  runPostPrice: ['POST', '/tools/post-price', 'live', false, null],
  runShadowbanCheck: ['POST', '/tools/shadowban-check', 'live', false, null],
  runTrustReport: ['POST', '/tools/trust-report', 'live', false, null],
  runUsernameScore: ['POST', '/tools/username-score', 'live', false, null],
  runValuation: ['POST', '/tools/valuation', 'live', false, null],
  runViralityCheck: ['POST', '/tools/virality-check', 'live', false, null],
};

export interface AccountCheck {
  /** The platform. */
  readonly platform: AccountCheckPlatform;
  /** Normalized; null if only the ID is known. */
  readonly handle: string | null;
  /** null: unknown; false: proven not to exist. */
  readonly exists: boolean | null;
  /** renamed: the account has left the handle, and no other account is known to have it. */
  readonly status: AccountCheckStatus;
  /** For a renamed account: its current handle, or `id:<id>` if that is unknown. */
  readonly renamed_to?: string;
  /** For an unknown account: whether crawlers will read it, as this request asks. */
  readonly queued?: boolean;
  /** For an unknown account that is not queued: the reason. `no_demand_pool`: no pool of the platform recruits accounts that callers ask for. `pool_paused`: the pool that has the account, or would recruit it, is paused. `pool_retired`: the pool that had the account is no longer read. `pool_full`: the pools that recruit accounts that callers ask for are full. `too_few_holders`: more holders must ask for the account. `engine_paused`: the engine of the platform is paused. `handle_needed`: crawlers read accounts of the platform only by handle. `read_before`: crawlers have read it: the result appears here within seconds, unless the account is absent. */
  readonly queued_reason?: ErrorErrorDetailsItemQueuedReason;
  /** For LinkedIn only with the scope `leads:read`. */
  readonly display_name: string | null;
  /** For LinkedIn only with the scope `leads:read`. */
  readonly followers: number | null;
  /** For LinkedIn only with the scope `leads:read`. */
  readonly verified: boolean | null;
  /** For LinkedIn only with the scope `leads:read`. */
  readonly created_at: string | null;
  /** Whether the catalog has the account. */
  readonly in_catalog: boolean;
  /** When it was first seen to exist. */
  readonly first_seen_at: string | null;
  /** When it was last found to exist. */
  readonly last_seen_at: string | null;
  /** Age in seconds of the oldest value here that can change; null if there is no reading. */
  readonly stale_s: number | null;
  /** Times of values that are older than the last reading. */
  readonly measured_at?: MeasuredAt;
  /** Address of the page. */
  readonly profile_url: string | null;
}

export interface AccountCheckItem {
  /** The platform. */
  readonly platform: AccountCheckPlatform;
  /** Normalized; null if only the ID is known. */
  readonly handle: string | null;
  /** null: unknown; false: proven not to exist. */
  readonly exists: boolean | null;
  /** renamed: the account has left the handle, and no other account is known to have it. */
  readonly status: AccountCheckStatus;
  /** For a renamed account: its current handle, or `id:<id>` if that is unknown. */
  readonly renamed_to?: string;
  /** For an unknown account: whether crawlers will read it, as this request asks. */
  readonly queued?: boolean;
  /** For an unknown account that is not queued: the reason. `no_demand_pool`: no pool of the platform recruits accounts that callers ask for. `pool_paused`: the pool that has the account, or would recruit it, is paused. `pool_retired`: the pool that had the account is no longer read. `pool_full`: the pools that recruit accounts that callers ask for are full. `too_few_holders`: more holders must ask for the account. `engine_paused`: the engine of the platform is paused. `handle_needed`: crawlers read accounts of the platform only by handle. `read_before`: crawlers have read it: the result appears here within seconds, unless the account is absent. */
  readonly queued_reason?: ErrorErrorDetailsItemQueuedReason;
  /** For LinkedIn only with the scope `leads:read`. */
  readonly display_name: string | null;
  /** For LinkedIn only with the scope `leads:read`. */
  readonly followers: number | null;
  /** For LinkedIn only with the scope `leads:read`. */
  readonly verified: boolean | null;
  /** For LinkedIn only with the scope `leads:read`. */
  readonly created_at: string | null;
  /** Whether the catalog has the account. */
  readonly in_catalog: boolean;
  /** When it was first seen to exist. */
  readonly first_seen_at: string | null;
  /** When it was last found to exist. */
  readonly last_seen_at: string | null;
  /** Age in seconds of the oldest value here that can change; null if there is no reading. */
  readonly stale_s: number | null;
  /** Times of values that are older than the last reading. */
  readonly measured_at?: MeasuredAt;
  /** Address of the page. */
  readonly profile_url: string | null;
  /** Why the account could not be looked up; null if it was. */
  readonly error: AccountCheckItemError | null;
}

export interface AccountCheckItemError {
  /** Code of the error. */
  readonly code: ErrorErrorCode;
  /** Text for people; it may change. */
  readonly message: string;
  /** Seconds after which to retry; null if a retry does not help. */
  readonly retry_after_s: number | null;
}

export type AccountCheckPlatform =
  | 'x'
  | 'instagram'
  | 'tiktok'
  | 'youtube'
  | 'telegram'
  | 'bluesky'
  | 'linkedin'
  | (string & {});

export type AccountCheckStatus =
  | 'active'
  | 'private'
  | 'suspended'
  | 'deactivated'
  | 'absent'
  | 'unknown'
  | 'renamed'
  | (string & {});

export interface AccountListMeta {
  /** ID of the request, for support. */
  readonly request_id: string;
  /** When the response was generated. */
  readonly generated_at: string;
  /** Duration of the request in milliseconds. */
  readonly took_ms: number;
  /** Origin of the data: the catalog, a platform, both, or the service itself. */
  readonly source: MetaSource;
  /** Age in seconds of the oldest value in the response that can change; null if it has none. */
  readonly cache_age_s: number | null;
  /** `cursor` of the next page; null at the end. A short or empty page may still have a next one. */
  readonly next_cursor: string | null;
  /** Maximum items per page. */
  readonly limit: number;
  /** The account that the list belongs to. If it is not active, the list is empty. */
  readonly account: AccountListMetaAccount;
}

export interface AccountListMetaAccount {
  /** The platform. */
  readonly platform: AccountCheckPlatform;
  /** ID. For an account: its native ID on the platform, or null if unknown. */
  readonly id: string | null;
  /** Handle in normal form; null if the account has none, or if only the ID is known. */
  readonly handle: string | null;
  /** Status. */
  readonly status: DirectoryEntryStatus;
  /** Followers; null if unknown. */
  readonly followers: number | null;
  /** Whether the platform ended the list before its last member; null while there is a next page. */
  readonly capped: boolean | null;
}

export interface Capabilities {
  /** Plan of your key’s holder. */
  readonly plan: string;
  /** The scopes of your key. */
  readonly scopes: readonly CapabilitiesScopesItem[];
  /** All endpoints, with their cost for this key. */
  readonly endpoints: readonly CapabilitiesEndpointsItem[];
}

export interface CapabilitiesEndpointsItem {
  /** Group of the endpoint. */
  readonly group: string;
  /** operationId in the OpenAPI description. */
  readonly operation: string;
  /** HTTP method. */
  readonly method: CapabilitiesEndpointsItemMethod;
  /** Relative to the base address, which ends in `/v2`. */
  readonly path: string;
  /** The scope that a key needs; null if any key may call. */
  readonly scope: CapabilitiesScopesItem | null;
  /** How a call is metered. */
  readonly meter: CapabilitiesEndpointsItemMeter;
  /** Maximum requests to platforms of a call, or of each of its items, including repeated ones. */
  readonly upstream_reads: number;
  /** Units of one call, or of each of its items, on your plan. */
  readonly cost: number;
  /** The lowest plan that includes it; null if none does. */
  readonly plan: string | null;
  /** Whether the key may call it. */
  readonly allowed: boolean;
  /** Error code that a call would return; null if it is allowed. */
  readonly reason: string | null;
}

export type CapabilitiesEndpointsItemMeter = 'free' | 'catalog' | 'live' | (string & {});

export type CapabilitiesEndpointsItemMethod = 'GET' | 'POST' | (string & {});

export type CapabilitiesScopesItem =
  | 'accounts:read'
  | 'accounts:live'
  | 'directory:read'
  | 'people:read'
  | 'scrape:live'
  | 'verify:live'
  | 'insights:read'
  | 'research:read'
  | 'engines:read'
  | 'marketplace:read'
  | 'tools:run'
  | 'leads:read'
  | (string & {});

export interface ChangedValues {
  /** ID. For an account: its native ID on the platform, or null if unknown. */
  readonly id?: string | null;
  /** Handle in normal form; null if the account has none, or if only the ID is known. */
  readonly handle?: string | null;
  /** Status. */
  readonly status?: DirectoryEntryStatus;
  /** Whether the platform shows a badge; null if unknown. */
  readonly verified?: boolean | null;
  /** Name that the account shows; null if unknown. */
  readonly display_name?: string | null;
  /** When it was created; null if unknown. */
  readonly created_at?: string | null;
  /** Bio of the account; null if unknown or none. */
  readonly bio?: string | null;
  /** URL of the picture, which may expire; null if unknown or none. */
  readonly avatar_url?: string | null;
  /** Location as shown; null if unknown or none. */
  readonly location?: string | null;
  /** Links of the profile. */
  readonly links?: readonly string[];
  /** Pronouns that the account shows; null if unknown or none. */
  readonly pronouns?: string | null;
}

export interface CheckAccountsResult {
  /** Results, in the order of the request. */
  readonly items: readonly AccountCheckItem[];
}

export interface ClaimEvidence {
  /** What accompanies the link. But for `mutual_link`, all of it is in the hands of who links; a link both ways joins no accounts whose names or other evidence speak against it. `claimant_verified`: the platform has verified the other account, as whom the answer does not say. */
  readonly kind: ClaimEvidenceKind;
  /** Where it begins. */
  readonly from: PersonEvidenceFrom;
  /** Where it ends. */
  readonly to: PersonEvidenceFrom;
  /** When it was read. */
  readonly observed_at: string;
}

export type ClaimEvidenceKind =
  | 'bio_link'
  | 'mutual_link'
  | 'equal_name'
  | 'compatible_name'
  | 'equal_handle'
  | 'similar_handle'
  | 'equal_bio'
  | 'equal_picture'
  | 'disclaimer'
  | 'claimant_verified'
  | (string & {});

export interface Claims {
  /** null if more accounts have the name of the person than are compared. */
  readonly total: number | null;
  /** Accounts. */
  readonly accounts: readonly ClaimsAccountsItem[];
}

export interface ClaimsAccountsItem {
  /** The platform. */
  readonly platform: AccountCheckPlatform;
  /** Handle in normal form; null if the account has none, or if only the ID is known. */
  readonly handle: string | null;
  /** Native ID on the platform; null if the platform has none or never showed it. */
  readonly id: string | null;
  /** Address of the page. */
  readonly profile_url: string | null;
  /** Status. */
  readonly status: DirectoryEntryStatus;
  /** For LinkedIn only with the scope `leads:read`. */
  readonly followers: number | null;
  /** For LinkedIn only with the scope `leads:read`. */
  readonly verified: boolean | null;
  /** When it was last seen to exist. */
  readonly last_seen_at: string;
  /** Evidence that supports it. */
  readonly evidence: readonly ClaimEvidence[];
}

export interface Company {
  /** ID. For an account: its native ID on the platform, or null if unknown. */
  readonly id: string;
  /** Slug of the address. */
  readonly slug: string;
  /** Name. */
  readonly name: string | null;
  /** Industry as the page names it; null if unknown. */
  readonly industry: string | null;
  /** Band of employees; null if unknown. */
  readonly size_band: CompanySizeBand | null;
  /** Employees; null if unknown. */
  readonly employees: number | null;
  /** Headquarters; null if unknown. */
  readonly headquarters: string | null;
  /** Country; null if unknown. */
  readonly country: string | null;
  /** Website; null if unknown. */
  readonly website: string | null;
  /** Year in which the company was founded; null if unknown. */
  readonly founded: number | null;
  /** Followers; null if unknown. */
  readonly followers: number | null;
  /** Description; null if unknown. */
  readonly description: string | null;
  /** Specialties; null if unknown. */
  readonly specialties: readonly string[];
  /** When it was last seen to exist. */
  readonly last_seen_at: string;
  /** Times of values that are older than the last reading. */
  readonly measured_at?: LeadMeasuredAt;
}

export type CompanySizeBand =
  | '1'
  | '2-10'
  | '11-50'
  | '51-200'
  | '201-500'
  | '501-1000'
  | '1001-5000'
  | '5001-10000'
  | '10001+'
  | (string & {});

export interface CoveredListMeta {
  /** ID of the request, for support. */
  readonly request_id: string;
  /** When the response was generated. */
  readonly generated_at: string;
  /** Duration of the request in milliseconds. */
  readonly took_ms: number;
  /** Origin of the data: the catalog, a platform, both, or the service itself. */
  readonly source: MetaSource;
  /** Age in seconds of the oldest value in the response that can change; null if it has none. */
  readonly cache_age_s: number | null;
  /** `cursor` of the next page; null at the end. A short or empty page may still have a next one. */
  readonly next_cursor: string | null;
  /** Maximum items per page. */
  readonly limit: number;
  /** Data that the answer is based on. */
  readonly coverage: ListCoverage;
}

export interface CreationCluster {
  /** bought: most of its members are suspicious for reasons other than their age. organic: most are not. */
  readonly kind: CreationClusterKind;
  /** Whether somebody else can cause this, without the account’s doing. Such evidence decides no verdict. */
  readonly can_be_caused_by_others: boolean;
  /** Followers of the cluster. */
  readonly followers_n: number;
  /** Position in the list; 0 is the newest follower. */
  readonly first_position: number;
  /** Position in the list; 0 is the newest follower. */
  readonly last_position: number;
  /** When the first was created. */
  readonly created_from: string;
  /** When the last was created. */
  readonly created_to: string;
  /** Upper bound on the probability of such a run by chance. */
  readonly false_alarm: number;
}

export type CreationClusterKind = 'bought' | 'organic' | 'undecided' | (string & {});

export interface DecisionMaker {
  /** ID. For an account: its native ID on the platform, or null if unknown. */
  readonly id: string;
  /** Name. */
  readonly name: string | null;
  /** Title. */
  readonly title: string | null;
  /** Seniority derived from the title; null if unknown. */
  readonly seniority: DecisionMakerSeniority | null;
  /** Function derived from the title; null if unknown. */
  readonly function: DecisionMakerFunction | null;
  /** Company that the page names; null if unknown. */
  readonly company: DecisionMakerCompany | null;
  /** Location as shown; null if unknown or none. */
  readonly location: string | null;
  /** Country; null if unknown. */
  readonly country: string | null;
  /** Address of the page. */
  readonly profile_url: string;
  /** When it was last seen to exist. */
  readonly last_seen_at: string;
  /** Times of values that are older than the last reading. */
  readonly measured_at?: LeadMeasuredAt;
}

export interface DecisionMakerCompany {
  /** ID. For an account: its native ID on the platform, or null if unknown. */
  readonly id: string | null;
  /** Name. */
  readonly name: string | null;
}

export type DecisionMakerFunction =
  | 'executive'
  | 'engineering'
  | 'product'
  | 'design'
  | 'data'
  | 'it'
  | 'marketing'
  | 'sales'
  | 'customer_success'
  | 'finance'
  | 'hr'
  | 'legal'
  | 'operations'
  | 'procurement'
  | 'research'
  | 'consulting'
  | 'media'
  | 'education'
  | 'healthcare'
  | 'public_sector'
  | 'real_estate'
  | 'hospitality'
  | 'trades'
  | 'administration'
  | 'other'
  | (string & {});

export type DecisionMakerSeniority =
  | 'owner'
  | 'cxo'
  | 'partner'
  | 'vp'
  | 'director'
  | 'manager'
  | 'senior'
  | 'entry'
  | 'training'
  | (string & {});

export interface DerivedListMeta {
  /** ID of the request, for support. */
  readonly request_id: string;
  /** When the response was generated. */
  readonly generated_at: string;
  /** Duration of the request in milliseconds. */
  readonly took_ms: number;
  /** Origin of the data: the catalog, a platform, both, or the service itself. */
  readonly source: MetaSource;
  /** Age in seconds of the oldest value in the response that can change; null if it has none. */
  readonly cache_age_s: number | null;
  /** `cursor` of the next page; null at the end. A short or empty page may still have a next one. */
  readonly next_cursor: string | null;
  /** Maximum items per page. */
  readonly limit: number;
  /** Data that the figures are based on; null if there is no sample. */
  readonly coverage: DerivedMetaCoverage | null;
  /** Version of the method: figures of different versions differ. */
  readonly method_version: string;
  /** Limits on the use of the figures, such as a stale input. */
  readonly warnings: readonly string[];
}

export interface DerivedMeta {
  /** ID of the request, for support. */
  readonly request_id: string;
  /** When the response was generated. */
  readonly generated_at: string;
  /** Duration of the request in milliseconds. */
  readonly took_ms: number;
  /** Origin of the data: the catalog, a platform, both, or the service itself. */
  readonly source: MetaSource;
  /** Age in seconds of the oldest value in the response that can change; null if it has none. */
  readonly cache_age_s: number | null;
  /** Data that the figures are based on; null if there is no sample. */
  readonly coverage: DerivedMetaCoverage | null;
  /** Version of the method: figures of different versions differ. */
  readonly method_version: string;
  /** Limits on the use of the figures, such as a stale input. */
  readonly warnings: readonly string[];
}

export interface DerivedMetaCoverage {
  /** Inputs that were used. */
  readonly sampled: number;
  /** Available inputs; null if unknown. */
  readonly total: number | null;
  /** Whether a limit ended the sample. */
  readonly capped: boolean;
}

export interface DirectoryChange {
  /** Position in the log. */
  readonly position: string;
  /** Time of the reading or change. */
  readonly at: string;
  /** The platform. */
  readonly platform: PlatformStatsPlatform;
  /** The native ID; null if the platform has none or it was unknown at the time. */
  readonly id: string | null;
  /** The handle after the change; null for an account without one. */
  readonly handle: string | null;
  /** Kind. */
  readonly kind: DirectoryChangeKind;
  /** Value before the change, by kind: `discovered`: null, and the values of the new entry; `renamed`: handles; the later one is null if the entry lost its handle to another entry; `suspended`, `deactivated`, `absent`, `private`, `public`, `restored`: statuses; `restored` ends one of the first three; `verified`, `unverified`: the badge, null where it is unknown; `jumped`: followers, after a change of at least a fifth and a thousand; `erased`: null; delete all that you have of the account, at once; `profile`: the changed values among `display_name`, `created_at`, `bio`, `avatar_url`, `location`, `links`, `pronouns`, `id`. */
  readonly before: string | number | boolean | ChangedValues | null;
  /** Value after the change, in the same form as `before`. */
  readonly after: string | number | boolean | ChangedValues | null;
}

export type DirectoryChangeKind =
  | 'discovered'
  | 'renamed'
  | 'suspended'
  | 'deactivated'
  | 'absent'
  | 'private'
  | 'public'
  | 'restored'
  | 'verified'
  | 'unverified'
  | 'jumped'
  | 'profile'
  | 'erased'
  | (string & {});

export interface DirectoryEntry {
  /** The platform. */
  readonly platform: AccountCheckPlatform;
  /** ID. For an account: its native ID on the platform, or null if unknown. */
  readonly id: string | null;
  /** Handle in normal form; null if the account has none, or if only the ID is known. */
  readonly handle: string | null;
  /** Name that the account shows; null if unknown. */
  readonly display_name: string | null;
  /** Followers; null if unknown. */
  readonly followers: number | null;
  /** Accounts that it follows; null if unknown. */
  readonly following: number | null;
  /** Posts; null if unknown. */
  readonly posts: number | null;
  /** Whether the platform shows a badge; null if unknown. */
  readonly verified: boolean | null;
  /** When it was created; null if unknown. */
  readonly created_at: string | null;
  /** Bio of the account; null if unknown or none. */
  readonly bio: string | null;
  /** URL of the picture, which may expire; null if unknown or none. */
  readonly avatar_url: string | null;
  /** Location as shown; null if unknown or none. */
  readonly location: string | null;
  /** Links of the profile. */
  readonly links: readonly string[];
  /** Pronouns that the account shows; null if unknown or none. */
  readonly pronouns: string | null;
  /** When it was first seen to exist. */
  readonly first_seen_at: string;
  /** When it was last seen to exist. */
  readonly last_seen_at: string;
  /** Status. */
  readonly status: DirectoryEntryStatus;
  /** Handles that the account had before. */
  readonly previous_handles: readonly string[];
  /** Times of values that are older than the last reading. */
  readonly measured_at?: MeasuredAt;
}

export type DirectoryEntryStatus =
  | 'active'
  | 'private'
  | 'suspended'
  | 'deactivated'
  | 'absent'
  | 'unknown'
  | (string & {});

export interface Engine {
  /** Key of the engine. */
  readonly key: EngineKey;
  /** Null for the engine that reads a marketplace. */
  readonly platform: AccountCheckPlatform | null;
  /** `paused`: by an operator. `blocked`: the platform refuses requests. `degraded`: readings stay inconclusive, or a surface showed false verdicts. `idle`: nothing was read for ten minutes. `healthy`: otherwise. If several apply, the first in this order. */
  readonly status: EngineStatus;
  /** Why the engine is blocked or degraded, even while paused; null without an alarm. */
  readonly alarm: EngineAlarm | null;
  /** When an operator paused it; null if it is not paused. */
  readonly paused_since: string | null;
  /** Requests per second set by an operator; null if the configured rate applies. */
  readonly rate_per_s: number | null;
  /** Processes that reported in the last hour. */
  readonly workers: number;
  /** Readings per minute, averaged over each window; null if nothing was reported in the window. */
  readonly throughput_per_min: EngineThroughputPerMin;
  /** Requests of the crawl in the last hour. */
  readonly requests_per_min: number | null;
  /** The time window of the figures. */
  readonly window: EngineWindow;
  /** Share of readings with a conclusive outcome; null without readings. */
  readonly success_rate: number | null;
  /** Readings by status; `unknown:` and a reason for inconclusive ones. */
  readonly outcomes: EngineOutcomes;
  /** Time from the first request of a reading to its outcome, accurate to 1 %. */
  readonly latency_ms: EngineLatencyMs;
  /** Ages of the last readings of accounts, with a resolution of five minutes. */
  readonly freshness: EngineFreshness;
  /** Number of accounts that were read; for the marketplace engine, number of listings. */
  readonly catalog_size: number | null;
  /** Accounts that are due in pools that are not paused; null without pools. */
  readonly backlog: number | null;
  /** How long the longest-waiting account has been due; null if none is due. */
  readonly oldest_due_s: number | null;
  /** Pools that it crawls. */
  readonly pools: readonly EnginePool[];
  /** Age of the oldest event that is not yet included in these figures. */
  readonly projection_lag_s: number | null;
  /** When a reading last succeeded; null if none has. */
  readonly last_success_at: string | null;
  /** The last error; null if there was none. */
  readonly last_error: EngineLastError | null;
}

export interface EngineAlarm {
  /** The reason. */
  readonly reason: string;
  /** When it began. */
  readonly since: string;
}

export interface EngineFreshness {
  /** Median in seconds. */
  readonly p50_s: number | null;
  /** 95th percentile in seconds. */
  readonly p95_s: number | null;
  /** 99th percentile in seconds. */
  readonly p99_s: number | null;
  /** The longest age that a pool allows. */
  readonly target_s: number | null;
}

export type EngineKey =
  | 'x'
  | 'instagram'
  | 'tiktok'
  | 'youtube'
  | 'telegram'
  | 'bluesky'
  | 'linkedin'
  | 'marketplace'
  | (string & {});

export interface EngineLastError {
  /** Kind. */
  readonly kind: string;
  /** Time of the reading or change. */
  readonly at: string;
}

export interface EngineLatencyMs {
  /** Median. */
  readonly p50: number | null;
  /** 95th percentile. */
  readonly p95: number | null;
  /** 99th percentile. */
  readonly p99: number | null;
}

export type EngineOutcomes = Readonly<Record<string, number>>;

export interface EnginePool {
  /** The pool. */
  readonly pool: string;
  /** Whether it is paused. */
  readonly paused: boolean;
  /** Its share of the engine's rate, relative to the other pools. */
  readonly share: number;
  /** Accounts of the pool. */
  readonly members: number;
  /** Accounts that are due. */
  readonly backlog: number;
  /** How long the longest-waiting account has been due; null if none is due. */
  readonly oldest_due_s: number | null;
  /** The oldest age of a reading that its refresh interval allows. */
  readonly target_s: number;
}

export type EngineStatus = 'paused' | 'blocked' | 'degraded' | 'idle' | 'healthy' | (string & {});

export interface EngineThroughputPerMin {
  /** In the last minute. */
  readonly last_1m: number | null;
  /** In the last hour. */
  readonly last_1h: number | null;
  /** In the last day. */
  readonly last_24h: number | null;
}

export type EngineWindow = '1m' | '1h' | '24h' | (string & {});

export type ErrorErrorCode =
  | 'invalid_request'
  | 'cursor_invalid'
  | 'key_missing'
  | 'key_invalid'
  | 'key_revoked'
  | 'budget_exhausted'
  | 'overage_cap_reached'
  | 'wallet_empty'
  | 'plan_required'
  | 'holder_suspended'
  | 'ip_not_allowed'
  | 'rate_limited'
  | 'live_rate_limited'
  | 'idempotency_in_flight'
  | 'idempotency_mismatch'
  | 'insufficient_data'
  | 'not_readable'
  | 'scope_missing'
  | 'not_found'
  | 'route_not_found'
  | 'method_not_allowed'
  | 'body_too_large'
  | 'request_timeout'
  | 'headers_too_large'
  | 'media_type_unsupported'
  | 'internal'
  | 'platform_error'
  | 'platform_layout_changed'
  | 'platform_unavailable'
  | 'platform_rate_limited'
  | 'platform_timeout'
  | 'service_unavailable'
  | (string & {});

export type ErrorErrorDetailsItemQueuedReason =
  | 'no_demand_pool'
  | 'pool_paused'
  | 'pool_retired'
  | 'pool_full'
  | 'too_few_holders'
  | 'engine_paused'
  | 'handle_needed'
  | 'read_before'
  | (string & {});

export interface ExportListMeta {
  /** ID of the request, for support. */
  readonly request_id: string;
  /** When the response was generated. */
  readonly generated_at: string;
  /** Duration of the request in milliseconds. */
  readonly took_ms: number;
  /** Origin of the data: the catalog, a platform, both, or the service itself. */
  readonly source: MetaSource;
  /** Age in seconds of the oldest value in the response that can change; null if it has none. */
  readonly cache_age_s: number | null;
  /** `cursor` of the next page; null at the end. A short or empty page may still have a next one. */
  readonly next_cursor: string | null;
  /** Maximum items per page. */
  readonly limit: number;
}

export interface FeedMeta {
  /** ID of the request, for support. */
  readonly request_id: string;
  /** When the response was generated. */
  readonly generated_at: string;
  /** Duration of the request in milliseconds. */
  readonly took_ms: number;
  /** Origin of the data: the catalog, a platform, both, or the service itself. */
  readonly source: MetaSource;
  /** Age in seconds of the oldest value in the response that can change; null if it has none. */
  readonly cache_age_s: number | null;
  /** `cursor` of the next page; null at the end. A short or empty page may still have a next one. */
  readonly next_cursor: string | null;
  /** Maximum items per page. */
  readonly limit: number;
  /** `cursor` after the last row of the page. Store it, and send it later to get the rows added since. Unlike `next_cursor`, it is also present on the last page. */
  readonly resume_cursor: string;
}

export interface Finding {
  /** ID. For an account: its native ID on the platform, or null if unknown. */
  readonly id: string;
  /** The run. */
  readonly run_id: string;
  /** `pool_yield`: a pool discovers at least twice as many accounts a request as others. `pool_exhausted`: a pool discovers less than a tenth as many as on its best day. `pool_stale`: the accounts of a pool are read late. `demand_surge`: callers ask for at least twice as many accounts. `engine_fault`: readings stay inconclusive. `rename_wave`: at least twice as many accounts change their handle. `growth_cluster`: at least twice as many accounts of a pool jump in followers. */
  readonly kind: FindingKind;
  /** A pool, or an engine. */
  readonly subject: string;
  /** What was found, in a sentence. */
  readonly summary: string;
  /** Figures that the rule measured. The finding follows from them alone. */
  readonly metrics: FindingMetrics;
  /** 1 - p, where p is the probability of such counts by chance. */
  readonly confidence: number;
  /** The decision of the run on the same pool; null for none. */
  readonly decision: string | null;
  /** Positions of the events that support it, in log order. */
  readonly evidence: readonly string[];
  /** `open` until an operator confirms or dismisses it, or a newer finding supersedes it. */
  readonly status: FindingStatus;
  /** When it was confirmed, dismissed or superseded; null while it is open. */
  readonly review: FindingReview | null;
  /** When it was created; null if unknown. */
  readonly created_at: string;
}

export type FindingKind =
  | 'pool_yield'
  | 'pool_exhausted'
  | 'pool_stale'
  | 'demand_surge'
  | 'engine_fault'
  | 'rename_wave'
  | 'growth_cluster'
  | (string & {});

export type FindingMetrics = Readonly<Record<string, number | null>>;

export interface FindingReview {
  /** Time of the reading or change. */
  readonly at: string;
  /** The finding that replaces it; null if none does. */
  readonly superseded_by: string | null;
}

export type FindingStatus = 'open' | 'confirmed' | 'dismissed' | 'superseded' | (string & {});

export interface FollowEdge {
  /** Who follows: a handle, or `id:<id>`. */
  readonly source: string;
  /** Who is followed: a handle, or `id:<id>`. */
  readonly target: string;
  /** When it was first seen to exist. */
  readonly first_seen_at: string;
  /** When it was last seen to exist. */
  readonly last_seen_at: string;
}

export interface GetDirectoryStatsResult {
  /** By platform. */
  readonly platforms: readonly PlatformStats[];
}

export interface GetMarketplacePricingResult {
  /** Bands. */
  readonly bands: readonly PriceBand[];
}

export interface GetMarketplaceStatsResult {
  /** Listings on sale. */
  readonly active: number;
  /** Listings that were sold. */
  readonly sold: number;
  /** Listings that were withdrawn. */
  readonly withdrawn: number;
  /** Sellers with an active or sold listing. */
  readonly sellers: number;
  /** Offers of paid posts. */
  readonly placements: number;
  /** By platform. */
  readonly platforms: readonly PlatformMarket[];
}

export interface GetXCohortBenchmarksResult {
  /** The platform. */
  readonly platform: 'x';
  /** Which population was sampled. */
  readonly framing: string;
  /** When it was computed. */
  readonly computed_at: string;
  /** Days of the window. */
  readonly window_days: number;
  /** All bands together. */
  readonly all: GetXCohortBenchmarksResultAll;
  /** Bands. */
  readonly bands: readonly GetXCohortBenchmarksResultBandsItem[];
}

export interface GetXCohortBenchmarksResultAll {
  /** Percentiles, accurate to 1 %; null for fewer than 30 accounts. */
  readonly engagement_rate_followers: Percentiles | null;
  /** Percentiles, accurate to 1 %; null for fewer than 30 accounts. */
  readonly engagement_rate_views: Percentiles | null;
  /** Percentiles, accurate to 1 %; null for fewer than 30 accounts. */
  readonly median_likes: Percentiles | null;
  /** Percentiles, accurate to 1 %; null for fewer than 30 accounts. */
  readonly median_views: Percentiles | null;
  /** Percentiles, accurate to 1 %; null for fewer than 30 accounts. */
  readonly posts_per_week: Percentiles | null;
}

export interface GetXCohortBenchmarksResultBandsItem {
  /** Minimum number of followers, inclusive. */
  readonly min_followers: number;
  /** Upper bound of followers, exclusive; null without a bound. */
  readonly max_followers: number | null;
  /** Accounts. */
  readonly accounts: number;
  /** Percentiles, accurate to 1 %; null for fewer than 30 accounts. */
  readonly engagement_rate_followers: Percentiles | null;
  /** Percentiles, accurate to 1 %; null for fewer than 30 accounts. */
  readonly engagement_rate_views: Percentiles | null;
  /** Percentiles, accurate to 1 %; null for fewer than 30 accounts. */
  readonly median_likes: Percentiles | null;
  /** Percentiles, accurate to 1 %; null for fewer than 30 accounts. */
  readonly median_views: Percentiles | null;
  /** Percentiles, accurate to 1 %; null for fewer than 30 accounts. */
  readonly posts_per_week: Percentiles | null;
}

export interface GetXContentMixResult {
  /** The platform. */
  readonly platform: 'x';
  /** Handle in normal form; null if the account has none, or if only the ID is known. */
  readonly handle: string | null;
  /** Followers; null if unknown. */
  readonly followers: number | null;
  /** Ripe original posts: their counts were read at least 72 hours after publication. */
  readonly posts_sampled: number;
  /** The time window of the figures. */
  readonly window: InsightWindow;
  /** Time zone of the hours. */
  readonly timezone: string;
  /** Posts of all kinds. */
  readonly posts: number;
  /** Posts by kind. */
  readonly kinds: GetXContentMixResultKinds;
  /** Posts by their media. */
  readonly media: GetXContentMixResultMedia;
  /** Posts with links. */
  readonly with_links: number | null;
  /** Posts with hashtags. */
  readonly with_hashtags: number | null;
  /** Posts that name accounts. */
  readonly with_mentions: number | null;
  /** UTF-16 code units. */
  readonly median_length: number | null;
  /** Posts whose engagement is known. */
  readonly measurable: boolean | null;
  /** Differences in engagement by trait of a post; null if the sample is too small. */
  readonly effects: readonly GetXContentMixResultEffectsItem[] | null;
  /** Length from which a text counts as long for this account. */
  readonly long_from: number | null;
}

export interface GetXContentMixResultEffectsItem {
  /** Trait of the posts. */
  readonly trait: GetXContentMixResultEffectsItemTrait;
  /** Share. */
  readonly share: number;
  /** Difference from the other posts, in percent. */
  readonly effect_pct: number;
  /** Lower end of the interval. */
  readonly low: number;
  /** Upper end of the interval. */
  readonly high: number;
  /** False discovery rate at which it is significant. */
  readonly q: number;
  /** Whether the interval excludes 0, that is, no difference. */
  readonly significant: boolean;
}

export type GetXContentMixResultEffectsItemTrait = 'media' | 'hashtags' | 'links' | 'length' | (string & {});

export interface GetXContentMixResultKinds {
  /** Originals. */
  readonly original: number | null;
  /** Replies. */
  readonly reply: number | null;
  /** Reposts. */
  readonly repost: number | null;
  /** Quotes. */
  readonly quote: number | null;
}

export interface GetXContentMixResultMedia {
  /** Without media. */
  readonly none: number | null;
  /** With a photo. */
  readonly photo: number | null;
  /** With a video. */
  readonly video: number | null;
  /** With a link. */
  readonly link: number | null;
  /** With something else. */
  readonly other: number | null;
}

export interface GetXDataCoverageResult {
  /** The platform. */
  readonly platform: 'x';
  /** Which population was sampled. */
  readonly framing: string;
  /** Accounts that the last reading found and that show their followers. */
  readonly accounts: number;
  /** Accounts with posts. */
  readonly accounts_with_posts: number;
  /** Accounts with at least 8 ripe original posts in their window. */
  readonly accounts_with_figures: number;
  /** Newest posts of accounts, at most 500 each. */
  readonly posts: number;
  /** Posts that the figures use. */
  readonly posts_sampled: number;
  /** Of these. */
  readonly posts_with_views: number;
  /** Of these, posts from surfaces that sort by time. */
  readonly posts_ordered: number;
  /** When the oldest post was written. */
  readonly window_start: string | null;
  /** When the newest post was written. */
  readonly window_end: string | null;
  /** When it was computed. */
  readonly computed_at: string;
}

export interface GetXEngagementResult {
  /** The platform. */
  readonly platform: 'x';
  /** Handle in normal form; null if the account has none, or if only the ID is known. */
  readonly handle: string | null;
  /** Followers; null if unknown. */
  readonly followers: number | null;
  /** Ripe original posts: their counts were read at least 72 hours after publication. */
  readonly posts_sampled: number;
  /** The time window of the figures. */
  readonly window: InsightWindow;
  /** Engagement of a post divided by followers; null if unknown. */
  readonly engagement_rate_followers: PostDistribution | null;
  /** Engagement of a post divided by its views; null if unknown. */
  readonly engagement_rate_views: PostDistribution | null;
  /** Likes, replies, reposts and quotes together. */
  readonly engagement: PostDistribution | null;
  /** Likes; null if unknown. */
  readonly likes: PostDistribution | null;
  /** Replies; null if unknown. */
  readonly replies: PostDistribution | null;
  /** Reposts; null if unknown. */
  readonly reposts: PostDistribution | null;
  /** Quotes; null if unknown. */
  readonly quotes: PostDistribution | null;
  /** Views; null if unknown. */
  readonly views: PostDistribution | null;
  /** Medians of ripe posts by week, the last week ending at the last sighting. */
  readonly weekly: readonly GetXEngagementResultWeeklyItem[];
}

export interface GetXEngagementResultWeeklyItem {
  /** Where it begins. */
  readonly from: string;
  /** 7; less in the first week if the window is not a whole number of weeks. */
  readonly days: number;
  /** Posts; null if unknown. */
  readonly posts: number;
  /** Likes, replies, reposts and quotes together. */
  readonly engagement: number | null;
  /** Likes; null if unknown. */
  readonly likes: number | null;
  /** Views; null if unknown. */
  readonly views: number | null;
}

export interface GetXGrowthResult {
  /** The platform. */
  readonly platform: 'x';
  /** Handle in normal form; null if the account has none, or if only the ID is known. */
  readonly handle: string | null;
  /** The first reading. */
  readonly from: string;
  /** The last reading. */
  readonly to: string;
  /** Followers at the beginning. */
  readonly followers_from: number;
  /** Followers at the end. */
  readonly followers_to: number;
  /** Change of the followers. */
  readonly delta: number;
  /** Change in percent. */
  readonly change_pct: number | null;
  /** Slope of ln(followers) per day, in percent; null for too few readings. */
  readonly per_day_pct: GetXGrowthResultPerDayPct | null;
  /** The same in followers. */
  readonly per_day: GetXGrowthResultPerDayPct | null;
  /** Changes far larger than the usual ones. */
  readonly anomalies: readonly GetXGrowthResultAnomaliesItem[];
  /** Points. */
  readonly points: readonly GetXGrowthResultPointsItem[];
}

export interface GetXGrowthResultAnomaliesItem {
  /** Where it begins. */
  readonly from: string;
  /** Where it ends. */
  readonly to: string;
  /** Followers; null if unknown. */
  readonly followers: number;
  /** Change in percent. */
  readonly change_pct: number;
  /** Distance from the median change, in robust standard deviations. */
  readonly z: number;
  /** What may have caused it. */
  readonly cause: GetXGrowthResultAnomaliesItemCause;
}

export type GetXGrowthResultAnomaliesItemCause = 'own' | 'platform' | (string & {});

export interface GetXGrowthResultPerDayPct {
  /** The value. */
  readonly value: number;
  /** Lower end of the interval. */
  readonly low: number;
  /** Upper end of the interval. */
  readonly high: number;
}

export interface GetXGrowthResultPointsItem {
  /** Time of the reading or change. */
  readonly at: string;
  /** Followers; null if unknown. */
  readonly followers: number;
}

export interface GetXInsightsResult {
  /** The platform. */
  readonly platform: 'x';
  /** Handle in normal form; null if the account has none, or if only the ID is known. */
  readonly handle: string | null;
  /** Followers; null if unknown. */
  readonly followers: number | null;
  /** Ripe original posts: their counts were read at least 72 hours after publication. */
  readonly posts_sampled: number;
  /** The time window of the figures. */
  readonly window: InsightWindow;
  /** Engagement of a post divided by followers; null if unknown. */
  readonly engagement_rate_followers: number | null;
  /** Engagement of a post divided by its views; null if unknown. */
  readonly engagement_rate_views: number | null;
  /** Percentile among the cohort; null if unknown. */
  readonly percentile_in_cohort: number | null;
  /** Accounts that the account is compared with; null if there are too few. */
  readonly cohort: GetXInsightsResultCohort | null;
  /** Median of the views; null if unknown. */
  readonly median_views: number | null;
  /** Posts per week; null if unknown. */
  readonly posts_per_week: number | null;
  /** When the last post was written. */
  readonly last_post_at: string | null;
  /** Intervals of the figures. */
  readonly intervals: GetXInsightsResultIntervals;
}

export interface GetXInsightsResultCohort {
  /** The accounts nearest in ln(followers), from a third to three times as many, with enough posts. */
  readonly accounts: number;
  /** Minimum number of followers, inclusive. */
  readonly min_followers: number | null;
  /** Upper bound of followers, exclusive; null without a bound. */
  readonly max_followers: number | null;
  /** Band of followers. */
  readonly band: GetXInsightsResultCohortBand;
  /** Accounts in the band. */
  readonly band_accounts: number | null;
  /** Percentile in the band. */
  readonly percentile_in_band: number | null;
}

export interface GetXInsightsResultCohortBand {
  /** Minimum number of followers, inclusive. */
  readonly min_followers: number;
  /** Upper bound of followers, exclusive; null without a bound. */
  readonly max_followers: number | null;
}

export interface GetXInsightsResultIntervals {
  /** Engagement of a post divided by followers; null if unknown. */
  readonly engagement_rate_followers: Interval | null;
  /** Engagement of a post divided by its views; null if unknown. */
  readonly engagement_rate_views: Interval | null;
  /** Percentile among the cohort; null if unknown. */
  readonly percentile_in_cohort: Interval | null;
  /** Median of the views; null if unknown. */
  readonly median_views: Interval | null;
  /** Posts per week; null if unknown. */
  readonly posts_per_week: Interval | null;
}

export interface GetXPopulationPatternsResult {
  /** The platform. */
  readonly platform: 'x';
  /** Which population was sampled. */
  readonly framing: string;
  /** When it was computed. */
  readonly computed_at: string;
  /** Time zone of the hours. */
  readonly timezone: 'UTC';
  /** Accounts that wrote the posts. */
  readonly authors: number;
  /** Posts; null if unknown. */
  readonly posts: number;
  /** Hours with posts. */
  readonly cells: readonly GetXPopulationPatternsResultCellsItem[];
}

export interface GetXPopulationPatternsResultCellsItem {
  /** Day of the week. */
  readonly weekday: number;
  /** Hour of the day. */
  readonly hour: number;
  /** Size of the sample. */
  readonly n: number;
  /** Accounts that wrote the posts. */
  readonly authors: number;
  /** Difference from the other posts, in percent. */
  readonly effect_pct: number | null;
  /** Lower end of the interval. */
  readonly low: number | null;
  /** Upper end of the interval. */
  readonly high: number | null;
}

export interface GetXPostingPatternsResult {
  /** The platform. */
  readonly platform: 'x';
  /** Handle in normal form; null if the account has none, or if only the ID is known. */
  readonly handle: string | null;
  /** Followers; null if unknown. */
  readonly followers: number | null;
  /** Ripe original posts: their counts were read at least 72 hours after publication. */
  readonly posts_sampled: number;
  /** The time window of the figures. */
  readonly window: InsightWindow;
  /** Time zone of the hours. */
  readonly timezone: string;
  /** false: no difference is measurable. null: nothing was tested; the warning is `not_tested`. */
  readonly significant: boolean | null;
  /** False discovery rate at which an hour is significant. */
  readonly q_hour: number | null;
  /** Null if too few weeks are known. */
  readonly q_weekday: number | null;
  /** Hours that are better than the others, as far as the sample shows. */
  readonly best: readonly PatternCell[];
  /** All 168 hours of the week, or none. */
  readonly cells: readonly PatternCell[];
}

export interface HandleAvailability {
  /** The platform. */
  readonly platform: AccountCheckPlatform;
  /** Normalized by the rules of the platform; null if it is not a handle there. */
  readonly handle: string | null;
  /** available: the platform’s registration form accepts the name. reserved: the form refuses the name to everyone. invalid: the platform does not register such names, and no old account has this one. unknown: the name has no account, or the platform could not be read; neither proves that a name is free. */
  readonly status: HandleAvailabilityStatus;
  /** registration: stated by the registration form. account, suspended, deactivated: an account with this status has the name. no_account: no account has it. unread: nothing could be read. grammar: decided by the platform’s rules for new names. */
  readonly basis: HandleAvailabilityBasis;
  /** Origin of the data: the catalog, a platform, both, or the service itself. */
  readonly source: HandleAvailabilitySource | null;
  /** When the platform was read. */
  readonly checked_at: string | null;
  /** Why the platform could not be read; null if it was read or did not have to be. */
  readonly error: AccountCheckItemError | null;
}

export type HandleAvailabilityBasis =
  | 'registration'
  | 'account'
  | 'suspended'
  | 'deactivated'
  | 'no_account'
  | 'unread'
  | 'grammar'
  | (string & {});

export type HandleAvailabilitySource = 'catalog' | 'live' | (string & {});

export type HandleAvailabilityStatus =
  | 'available'
  | 'taken'
  | 'reserved'
  | 'invalid'
  | 'unknown'
  | (string & {});

export interface HistoryPoint {
  /** Time of the reading or change. */
  readonly at: string;
  /** Handle in normal form; null if the account has none, or if only the ID is known. */
  readonly handle: string | null;
  /** Name that the account shows; null if unknown. */
  readonly display_name: string | null;
  /** Followers; null if unknown. */
  readonly followers: number | null;
  /** Accounts that it follows; null if unknown. */
  readonly following: number | null;
  /** Posts; null if unknown. */
  readonly posts: number | null;
  /** Whether the platform shows a badge; null if unknown. */
  readonly verified: boolean | null;
}

export interface ImpersonationSuspect {
  /** The platform. */
  readonly platform: AccountCheckPlatform;
  /** null if another account has the handle now. */
  readonly handle: string | null;
  /** ID. For an account: its native ID on the platform, or null if unknown. */
  readonly id: string | null;
  /** Address of the page. */
  readonly profile_url: string | null;
  /** Name that the account shows; null if unknown. */
  readonly display_name: string | null;
  /** Followers; null if unknown. */
  readonly followers: number | null;
  /** Whether the platform shows a badge; null if unknown. */
  readonly verified: boolean | null;
  /** When it was last seen to exist. */
  readonly last_seen_at: string;
  /** From the log odds: `likely` from 2, `possible` from −2.5. Less likely suspects are not listed. `unconfirmed_copy`: it links to the account, or to others of its person, shows what the account shows, and nothing answers it. An own account that its owner never linked to looks the same. */
  readonly verdict: ImpersonationSuspectVerdict;
  /** `copies`: it copies the account. `is_copied`: the account copies it. `unknown`: one of the two copies the other. By left handles, verification, accounts that answer, size and age. */
  readonly direction: ImpersonationSuspectDirection;
  /** 1 / (1 + exp(−log odds)): the share of such suspects that were impersonators in simulated worlds; null of an unconfirmed copy, as nobody has measured how many of them are own accounts, and unless the direction is `copies`. */
  readonly risk: number | null;
  /** Weighted sum of the values of the parts. */
  readonly log_odds: number;
  /** The parts. */
  readonly parts: readonly ImpersonationSuspectPartsItem[];
}

export type ImpersonationSuspectDirection = 'copies' | 'is_copied' | 'unknown' | (string & {});

export interface ImpersonationSuspectPartsItem {
  /** The part. */
  readonly part: ImpersonationSuspectPartsItemPart;
  /** null if unknown; the part then has no weight. Parts with the value 0 are not listed. */
  readonly value: number | null;
  /** Weight of the part. */
  readonly weight: number;
  /** Whether somebody else can cause this, without the account’s doing. Such evidence decides no verdict. */
  readonly can_be_caused_by_others: boolean;
}

export type ImpersonationSuspectPartsItemPart =
  | 'prior'
  | 'name_as_written'
  | 'name_equal'
  | 'name_compatible'
  | 'name_partial'
  | 'bio_equal'
  | 'picture_equal'
  | 'links_equal'
  | 'links_equal_to_accounts'
  | 'no_links'
  | 'links_missing'
  | 'links_of_its_own'
  | 'handle_similar'
  | 'former_handle'
  | 'same_person'
  | 'other_person'
  | 'person_on_platform'
  | 'same_platform'
  | 'disclaimer'
  | 'size_apart'
  | 'larger'
  | 'younger'
  | 'verified'
  | (string & {});

export type ImpersonationSuspectVerdict = 'likely' | 'possible' | 'unconfirmed_copy' | (string & {});

export interface InsightPost {
  /** ID. For an account: its native ID on the platform, or null if unknown. */
  readonly id: string;
  /** URL on the platform. */
  readonly url: string | null;
  /** Time of the reading or change. */
  readonly at: string;
  /** Kind. */
  readonly kind: PostKind;
  /** Null if it is no longer kept. */
  readonly text: string | null;
  /** Likes; null if unknown. */
  readonly likes: number | null;
  /** Replies; null if unknown. */
  readonly replies: number | null;
  /** Reposts; null if unknown. */
  readonly reposts: number | null;
  /** Quotes; null if unknown. */
  readonly quotes: number | null;
  /** Views; null if unknown. */
  readonly views: number | null;
  /** Likes, replies, reposts and quotes, as far as they are shown. */
  readonly engagement: number | null;
  /** Engagement divided by followers at the time of the post. */
  readonly engagement_rate_followers: number | null;
  /** Engagement divided by the median of the author's ripe posts. */
  readonly multiple: number | null;
  /** 0.6745 (x - median) / MAD, with x = ln(1 + engagement); null if half of the posts have the same engagement. */
  readonly robust_z: number | null;
  /** Whether the post is old enough for its figures to be final. */
  readonly is_ripe: boolean;
  /** When the oldest of the counts was read. */
  readonly observed_at: string;
}

/** The time window of the posts. It ends at the last sighting of the account. */
export interface InsightWindow {
  /** Days of the window. */
  readonly days: number;
  /** Where it begins. */
  readonly from: string;
  /** Where it ends. */
  readonly to: string;
}

/** 95 % interval. */
export interface Interval {
  /** Lower end of the interval. */
  readonly low: number;
  /** Upper end of the interval. */
  readonly high: number;
}

/** When facts or followers were read, if that was before `last_seen_at`. */
export interface LeadMeasuredAt {
  /** When the facts were read; a page shows all of them together. */
  readonly facts?: string;
  /** Followers; null if unknown. */
  readonly followers?: string;
}

/** How much of the list was read. Unless it is `whole`, members that are missing here may still be in the list. */
export interface ListCoverage {
  /** How the last finished reading of the list ended. whole: complete. capped: the list continued beyond what was read. broken_off: no reading has finished. */
  readonly status: ListCoverageStatus;
  /** When that reading ended. */
  readonly ended_at: string | null;
  /** Start of the last whole reading; null if there was none. */
  readonly whole_at: string | null;
  /** When any part of the list was read last. */
  readonly read_at: string;
}

export type ListCoverageStatus = 'whole' | 'capped' | 'broken_off' | (string & {});

export interface ListMeta {
  /** ID of the request, for support. */
  readonly request_id: string;
  /** When the response was generated. */
  readonly generated_at: string;
  /** Duration of the request in milliseconds. */
  readonly took_ms: number;
  /** Origin of the data: the catalog, a platform, both, or the service itself. */
  readonly source: MetaSource;
  /** Age in seconds of the oldest value in the response that can change; null if it has none. */
  readonly cache_age_s: number | null;
  /** `cursor` of the next page; null at the end. A short or empty page may still have a next one. */
  readonly next_cursor: string | null;
  /** Maximum items per page. */
  readonly limit: number;
}

export interface Listing {
  /** ID. For an account: its native ID on the platform, or null if unknown. */
  readonly id: string;
  /** The platform. */
  readonly platform: AccountCheckPlatform;
  /** Normalized; null if the listing does not name the account. */
  readonly handle: string | null;
  /** Title. */
  readonly title: string | null;
  /** As the seller states it. */
  readonly followers: number | null;
  /** Asking price in US dollars; null if it is on request. */
  readonly price_usd: string | null;
  /** Asking price per thousand stated followers. */
  readonly price_per_1k_followers: string | null;
  /** The seller; null if unknown. */
  readonly seller: ListingSeller | null;
  /** Status. */
  readonly status: ListingStatus;
  /** As the marketplace states it. */
  readonly listed_at: string | null;
  /** When a change was last seen. */
  readonly updated_at: string;
  /** When it was sold; null if it was not. */
  readonly sold_at: string | null;
  /** What was paid; null if unknown, or not sold. */
  readonly sold_price_usd: string | null;
  /** URL on the platform. */
  readonly url: string | null;
  /** The catalog's own reading of the account; null if there is none. */
  readonly verified_metrics: VerifiedMetrics | null;
}

export interface ListingSeller {
  /** ID. For an account: its native ID on the platform, or null if unknown. */
  readonly id: string;
  /** Name. */
  readonly name: string | null;
}

export type ListingStatus = 'active' | 'sold' | 'withdrawn' | (string & {});

export interface LiveEntry {
  /** The platform. */
  readonly platform: AccountCheckPlatform;
  /** ID. For an account: its native ID on the platform, or null if unknown. */
  readonly id: string | null;
  /** Handle in normal form; null if the account has none, or if only the ID is known. */
  readonly handle: string | null;
  /** Name that the account shows; null if unknown. */
  readonly display_name: string | null;
  /** Followers; null if unknown. */
  readonly followers: number | null;
  /** Accounts that it follows; null if unknown. */
  readonly following: number | null;
  /** Posts; null if unknown. */
  readonly posts: number | null;
  /** Whether the platform shows a badge; null if unknown. */
  readonly verified: boolean | null;
  /** When it was created; null if unknown. */
  readonly created_at: string | null;
  /** Bio of the account; null if unknown or none. */
  readonly bio: string | null;
  /** URL of the picture, which may expire; null if unknown or none. */
  readonly avatar_url: string | null;
  /** Location as shown; null if unknown or none. */
  readonly location: string | null;
  /** Links of the profile. */
  readonly links: readonly string[];
  /** Pronouns that the account shows; null if unknown or none. */
  readonly pronouns: string | null;
  /** When it was first seen to exist. */
  readonly first_seen_at: string | null;
  /** When it was last found to exist. */
  readonly last_seen_at: string | null;
  /** Status. */
  readonly status: DirectoryEntryStatus;
  /** Handles that the account had before. */
  readonly previous_handles: readonly string[];
  /** Times of values that are older than the last reading. */
  readonly measured_at?: MeasuredAt;
  /** When the platform was read. */
  readonly observed_at: string;
}

export interface LiveFollower {
  /** ID. For an account: its native ID on the platform, or null if unknown. */
  readonly id: string;
  /** null: X lists the account without a name because it is suspended. */
  readonly handle: string | null;
  /** Name that the account shows; null if unknown. */
  readonly display_name: string | null;
  /** Followers; null if unknown. */
  readonly followers: number | null;
  /** Accounts that it follows; null if unknown. */
  readonly following: number | null;
  /** Posts; null if unknown. */
  readonly posts: number | null;
  /** Whether the platform shows a badge; null if unknown. */
  readonly verified: boolean | null;
  /** When it was created; null if unknown. */
  readonly created_at: string | null;
  /** Bio of the account; null if unknown or none. */
  readonly bio: string | null;
  /** URL of the picture, which may expire; null if unknown or none. */
  readonly avatar_url: string | null;
}

export interface LivePost {
  /** ID. For an account: its native ID on the platform, or null if unknown. */
  readonly id: string;
  /** URL on the platform. */
  readonly url: string | null;
  /** Time of the reading or change. */
  readonly at: string | null;
  /** Kind. */
  readonly kind: PostKind;
  /** Text; null if it has none. */
  readonly text: string | null;
  /** Language code; null if unknown. */
  readonly lang: string | null;
  /** Kind of media; null if unknown. */
  readonly media: LivePostMedia | null;
  /** Hashtags without the sign; null if unknown. */
  readonly hashtags: readonly string[] | null;
  /** Handles that the text names; null if unknown. */
  readonly mentions: readonly string[] | null;
  /** ID of a post, and handle or ID of its author, as far as the platform shows them. */
  readonly reply_to: LivePostReplyTo | null;
  /** ID of a post, and handle or ID of its author, as far as the platform shows them. */
  readonly target: LivePostReplyTo | null;
  /** Likes; null if unknown. */
  readonly likes: number | null;
  /** Replies; null if unknown. */
  readonly replies: number | null;
  /** Reposts; null if unknown. */
  readonly reposts: number | null;
  /** Quotes; null if unknown. */
  readonly quotes: number | null;
  /** Views; null if unknown. */
  readonly views: number | null;
  /** Whether its author pinned it; a pinned post is listed first. Null if not shown. */
  readonly pinned: boolean | null;
  /** Author of the post. */
  readonly author: LivePostAuthor;
  /** When it was read. */
  readonly observed_at: string;
}

export interface LivePostAuthor {
  /** ID. For an account: its native ID on the platform, or null if unknown. */
  readonly id: string | null;
  /** Handle in normal form; null if the account has none, or if only the ID is known. */
  readonly handle: string;
}

export type LivePostMedia = 'none' | 'photo' | 'video' | 'link' | 'other' | (string & {});

export interface LivePostReplyTo {
  /** The post; null if there is none. */
  readonly post: string | null;
  /** The account; null if there is none. */
  readonly account: string | null;
}

export interface LookedUpPerson {
  /** ID of the person. */
  readonly person_id: string;
  /** Name that the account shows; null if unknown. */
  readonly display_name: string | null;
  /** The confirmed ones: each is joined to the others by evidence that both sides control. */
  readonly accounts: readonly PersonAccount[];
  /** Links to and from accounts that are not confirmed. They have no confidence: how many of them are impersonators, nobody has measured. */
  readonly claims: LookedUpPersonClaims;
  /** Confidence of the least certain account; null if there is only one account. */
  readonly confidence: number | null;
  /** If no person has the requested `person_id` any more: the person that now has the account it was made from. Otherwise null. */
  readonly merged_into: string | null;
}

export interface LookedUpPersonClaims {
  /** Accounts with an agreeing name or handle that link to the person and are not confirmed: own ones, fans, and impersonators. At most 20, verified and large ones first. */
  readonly received: Claims;
  /** Accounts that the person links to and that are not confirmed. At most 20, verified and large ones first. */
  readonly made: Claims;
}

/** Values that the last reading did not show, each with the time of the reading that did; omitted if there are none. All other values are from the last reading. */
export interface MeasuredAt {
  /** Name that the account shows; null if unknown. */
  readonly display_name?: string;
  /** Followers; null if unknown. */
  readonly followers?: string;
  /** Accounts that it follows; null if unknown. */
  readonly following?: string;
  /** Posts; null if unknown. */
  readonly posts?: string;
  /** Whether the platform shows a badge; null if unknown. */
  readonly verified?: string;
  /** Bio of the account; null if unknown or none. */
  readonly bio?: string;
  /** URL of the picture, which may expire; null if unknown or none. */
  readonly avatar_url?: string;
  /** Location as shown; null if unknown or none. */
  readonly location?: string;
  /** Links of the profile. */
  readonly links?: string;
  /** Pronouns that the account shows; null if unknown or none. */
  readonly pronouns?: string;
  /** Status. */
  readonly status?: string;
}

export interface Meta {
  /** ID of the request, for support. */
  readonly request_id: string;
  /** When the response was generated. */
  readonly generated_at: string;
  /** Duration of the request in milliseconds. */
  readonly took_ms: number;
  /** Origin of the data: the catalog, a platform, both, or the service itself. */
  readonly source: MetaSource;
  /** Age in seconds of the oldest value in the response that can change; null if it has none. */
  readonly cache_age_s: number | null;
}

export type MetaSource = 'catalog' | 'live' | 'mixed' | 'service' | (string & {});

export interface OwnershipVerification {
  /** The platform. */
  readonly platform: AccountCheckPlatform;
  /** Normalized; null if only the ID is known. */
  readonly handle: string | null;
  /** The native ID; null if the platform does not show it. */
  readonly id: string | null;
  /** Status. */
  readonly status: DirectoryEntryStatus;
  /** Whether a code of the last seven days was found; null if none was found and a part could not be read (`checked` lacks that part). */
  readonly verified: boolean | null;
  /** Code for the owner to show. It differs by day, account, caller and reference. */
  readonly code: string;
  /** What the owner has to do. */
  readonly instructions: string;
  /** Where the code was found; null if nowhere. */
  readonly matched_in: OwnershipVerificationMatchedIn | null;
  /** The parts that were read. A code in any other part would not have been found. */
  readonly checked: readonly OwnershipVerificationMatchedIn[];
  /** When it was checked. */
  readonly checked_at: string;
  /** When `code` expires. */
  readonly expires_at: string;
}

export type OwnershipVerificationMatchedIn = 'bio' | 'name' | 'post' | (string & {});

export interface PatternCell {
  /** ISO 8601: 1 is Monday. */
  readonly weekday: number;
  /** Hour of the day. */
  readonly hour: number;
  /** Ripe posts of the hour. */
  readonly n: number;
  /** Difference from the other posts, in percent. */
  readonly effect_pct: number;
  /** Lower end of the interval. */
  readonly low: number;
  /** Upper end of the interval. */
  readonly high: number;
  /** Whether the interval excludes 0, that is, no difference. */
  readonly significant: boolean;
}

export interface Peer {
  /** The platform. */
  readonly platform: 'x';
  /** Handle in normal form; null if the account has none, or if only the ID is known. */
  readonly handle: string;
  /** Followers; null if unknown. */
  readonly followers: number;
  /** Rank among all of them by engagement by followers; 1 is the highest. */
  readonly rank: number | null;
  /** Engagement of a post divided by followers; null if unknown. */
  readonly engagement_rate_followers: number | null;
  /** Engagement of a post divided by its views; null if unknown. */
  readonly engagement_rate_views: number | null;
  /** Median of the views; null if unknown. */
  readonly median_views: number | null;
  /** Posts per week; null if unknown. */
  readonly posts_per_week: number | null;
  /** Posts in the sample. */
  readonly posts_sampled: number;
  /** Time of the sighting that the figures are from. */
  readonly observed_at: string;
}

export interface Percentiles {
  /** Size of the sample. */
  readonly n: number;
  /** 10th percentile. */
  readonly p10: number;
  /** 25th percentile. */
  readonly p25: number;
  /** Median. */
  readonly p50: number;
  /** 75th percentile. */
  readonly p75: number;
  /** 90th percentile. */
  readonly p90: number;
}

export interface Person {
  /** ID of the person. */
  readonly person_id: string;
  /** Name that the account shows; null if unknown. */
  readonly display_name: string | null;
  /** The confirmed ones: each is joined to the others by evidence that both sides control. */
  readonly accounts: readonly PersonAccount[];
  /** Links to and from accounts that are not confirmed. They have no confidence: how many of them are impersonators, nobody has measured. */
  readonly claims: LookedUpPersonClaims;
  /** Confidence of the least certain account; null if there is only one account. */
  readonly confidence: number | null;
}

export interface PersonAccount {
  /** The platform. */
  readonly platform: AccountCheckPlatform;
  /** Handle in normal form; null if the account has none, or if only the ID is known. */
  readonly handle: string | null;
  /** Native ID on the platform; null if the platform has none or never showed it. */
  readonly id: string | null;
  /** Address of the page. */
  readonly profile_url: string | null;
  /** Status. */
  readonly status: DirectoryEntryStatus;
  /** For LinkedIn only with the scope `leads:read`. */
  readonly followers: number | null;
  /** For LinkedIn only with the scope `leads:read`. */
  readonly verified: boolean | null;
  /** When it was last seen to exist. */
  readonly last_seen_at: string;
  /** Probability that the account belongs to the same person as the others; null if it is the only one. */
  readonly confidence: number | null;
  /** The sum of the weights of its evidence: ln(confidence / (1 - confidence)). */
  readonly log_odds: number | null;
  /** Evidence that supports it. */
  readonly evidence: readonly PersonEvidence[];
}

export interface PersonEvidence {
  /** `mutual_link`: the account and others of the person link to each other. `same_native_link`: they point at each other, at least one of them by a link page that lists them both. `name_and_handle`: how names and handles relate. `same_profile`: whether bios or pictures are equal. `disclaimer`: an account says that it is a parody or a fan. `conflict`: a second account of one platform. */
  readonly kind: PersonEvidenceKind;
  /** Added to the log odds; negative if it is evidence against the connection. */
  readonly weight: number;
  /** Where it begins. */
  readonly from: PersonEvidenceFrom | null;
  /** Where it ends. */
  readonly to: PersonEvidenceFrom | null;
  /** When it was read. */
  readonly observed_at: string;
}

export interface PersonEvidenceFrom {
  /** The platform. */
  readonly platform: AccountCheckPlatform;
  /** Handle in normal form; null if the account has none, or if only the ID is known. */
  readonly handle: string | null;
  /** Native ID on the platform; null if the platform has none or never showed it. */
  readonly id: string | null;
}

export type PersonEvidenceKind =
  | 'mutual_link'
  | 'same_native_link'
  | 'name_and_handle'
  | 'same_profile'
  | 'disclaimer'
  | 'conflict'
  | (string & {});

export interface Platform {
  /** The platform. */
  readonly platform: AccountCheckPlatform;
  /** Name. */
  readonly name: string;
  /** Whether accounts of the platform are in the directory. */
  readonly in_directory: boolean;
  /** Whether accounts of the platform can be read live. */
  readonly live: boolean;
  /** Whether ownership of accounts can be verified. */
  readonly verify: boolean;
  /** Pattern of handles. */
  readonly handle_pattern: string;
  /** URL of a profile page, with the placeholder `{handle}`. */
  readonly profile_url_template: string;
  /** Accounts in the catalog. */
  readonly accounts: number;
  /** When an account of the platform was last seen. */
  readonly newest_sighting_at: string | null;
}

export interface PlatformMarket {
  /** The platform. */
  readonly platform: AccountCheckPlatform;
  /** Listings on sale. */
  readonly active: number;
  /** Listings that were sold. */
  readonly sold: number;
  /** Listings that were withdrawn. */
  readonly withdrawn: number;
  /** Asking prices of active listings. */
  readonly asking_usd: PriceQuartiles;
  /** Prices paid, where they are known. */
  readonly sold_usd: PriceQuartiles;
  /** Sum of the known prices paid; null if none is known. */
  readonly volume_usd: string | null;
  /** Median time from listing to sale, over sales with both times; null if there are too few. */
  readonly median_time_to_sell_s: number | null;
  /** Price of a paid post per thousand views, over offers that state views. */
  readonly cpm_usd: PriceQuartiles;
}

export interface PlatformStats {
  /** The platform. */
  readonly platform: PlatformStatsPlatform;
  /** Accounts in the catalog. */
  readonly accounts: number;
  /** Accounts by status. */
  readonly by_status: PlatformStatsByStatus;
  /** By followers; `unknown` if the platform hides them. */
  readonly by_size: PlatformStatsByStatus;
  /** Age of the oldest value of each account, with a resolution of five minutes. */
  readonly freshness_s: PlatformStatsFreshnessS;
}

export type PlatformStatsByStatus = Readonly<Record<string, number>>;

export interface PlatformStatsFreshnessS {
  /** Median. */
  readonly p50: number | null;
  /** 90th percentile. */
  readonly p90: number | null;
  /** 99th percentile. */
  readonly p99: number | null;
}

export type PlatformStatsPlatform =
  | 'x'
  | 'instagram'
  | 'tiktok'
  | 'youtube'
  | 'telegram'
  | 'bluesky'
  | (string & {});

export interface PopulationViralPost {
  /** Handle in normal form; null if the account has none, or if only the ID is known. */
  readonly handle: string;
  /** ID. For an account: its native ID on the platform, or null if unknown. */
  readonly id: string;
  /** URL on the platform. */
  readonly url: string | null;
  /** Time of the reading or change. */
  readonly at: string;
  /** Null if it is no longer kept. */
  readonly text: string | null;
  /** Likes, replies, reposts and quotes together. */
  readonly engagement: number;
  /** Multiple of the author’s median. */
  readonly multiple: number;
  /** Robust z-score of the logarithm. */
  readonly robust_z: number;
  /** When it was read. */
  readonly observed_at: string;
}

export interface Post {
  /** ID. For an account: its native ID on the platform, or null if unknown. */
  readonly id: string;
  /** URL on the platform. */
  readonly url: string | null;
  /** Time of the reading or change. */
  readonly at: string | null;
  /** Kind. */
  readonly kind: PostKind;
  /** Text; null if it has none. */
  readonly text: string | null;
  /** Likes; null if unknown. */
  readonly likes: number | null;
  /** Replies; null if unknown. */
  readonly replies: number | null;
  /** Reposts; null if unknown. */
  readonly reposts: number | null;
  /** Views; null if unknown. */
  readonly views: number | null;
  /** When it was read. */
  readonly observed_at: string;
}

/** Median with its 95 % interval, quartiles, and the number of posts. */
export interface PostDistribution {
  /** Median. */
  readonly median: number;
  /** Lower end of the interval. */
  readonly low: number;
  /** Upper end of the interval. */
  readonly high: number;
  /** 25th percentile. */
  readonly p25: number;
  /** 75th percentile. */
  readonly p75: number;
  /** Size of the sample. */
  readonly n: number;
}

export type PostKind = 'original' | 'reply' | 'repost' | 'quote' | (string & {});

export interface PriceBand {
  /** The platform. */
  readonly platform: AccountCheckPlatform;
  /** Minimum number of followers, inclusive. */
  readonly min_followers: number;
  /** null: no maximum. */
  readonly max_followers: number | null;
  /** Of active listings. */
  readonly asking_per_1k_usd: PriceQuartiles;
  /** Of sold listings, by the price paid. */
  readonly sold_per_1k_usd: PriceQuartiles;
}

export interface PriceQuartiles {
  /** Size of the sample. */
  readonly n: number;
  /** 25th percentile. */
  readonly p25: string | null;
  /** Median. */
  readonly p50: string | null;
  /** 75th percentile. */
  readonly p75: string | null;
}

export interface ResearchEvent {
  /** Position in the log. */
  readonly position: string;
  /** Null for limits, which operators set for all runs. */
  readonly run_id: string | null;
  /** As in the event log, such as `PoolEvaluated`. */
  readonly type: string;
  /** Time of the reading or change. */
  readonly at: string;
  /** The rest of the event, without texts that are for operators. */
  readonly data: ResearchEventData;
}

export type ResearchEventData = Readonly<Record<string, unknown>>;

export interface ResearchRun {
  /** ID. For an account: its native ID on the platform, or null if unknown. */
  readonly id: string;
  /** Status. */
  readonly status: ResearchRunStatus;
  /** When the run began. */
  readonly started_at: string;
  /** Null while it is running. */
  readonly finished_at: string | null;
  /** Seed of the random draws behind its decisions. */
  readonly seed: number;
  /** Version of the rules that decided. */
  readonly policy: string;
  /** Trigger of the run. */
  readonly trigger: ResearchRunTrigger;
  /** Whether the run only observed, carrying out none of its decisions. */
  readonly observe_only: boolean;
  /** Pools that were evaluated. */
  readonly pools_evaluated: number;
  /** Findings of the run. */
  readonly findings: number;
  /** Decisions that let a pool grow. */
  readonly expansions: number;
  /** Decisions that change a pool. */
  readonly decisions: number;
  /** Why the run failed; null if it did not. */
  readonly failure: string | null;
}

export type ResearchRunStatus = 'running' | 'completed' | 'failed' | (string & {});

export type ResearchRunTrigger = 'schedule' | 'operator' | (string & {});

export interface RunAccountAgeResult {
  /** The platform. */
  readonly platform: AccountCheckPlatform;
  /** Handle in normal form; null if the account has none, or if only the ID is known. */
  readonly handle: string | null;
  /** Null if only a bound is known. */
  readonly created_at: string | null;
  /** Age in days. */
  readonly age_days: number;
  /** Whether the account may be older. */
  readonly at_least: boolean;
  /** Basis of the age. */
  readonly basis: RunAccountAgeResultBasis;
  /** Inputs of the result, each with its age. */
  readonly inputs: ToolInputs;
  /** Limits of what the tool can know. */
  readonly not_known: readonly string[];
}

export type RunAccountAgeResultBasis = 'profile' | 'id' | 'first_seen' | (string & {});

export interface RunAccountCompareResult {
  /** Confidence level of the intervals: the share of them that contain the true value. */
  readonly level: number;
  /** The accounts, in the order of the request. */
  readonly rows: readonly RunAccountCompareResultRowsItem[];
  /** The best account by each metric. */
  readonly best_by_metric: readonly RunAccountCompareResultBestByMetricItem[];
  /** Inputs of the result, each with its age. */
  readonly inputs: ToolInputs;
  /** Limits of what the tool can know. */
  readonly not_known: readonly string[];
}

export interface RunAccountCompareResultBestByMetricItem {
  /** The metric. */
  readonly metric: RunAccountCompareResultBestByMetricItemMetric;
  /** Account of the row; null if fewer than two accounts show the figure. */
  readonly index: number | null;
  /** Whether the samples distinguish the best account from the next. */
  readonly distinguishable: boolean;
}

export type RunAccountCompareResultBestByMetricItemMetric =
  | 'engagement_rate_followers'
  | 'engagement_rate_views'
  | 'median_engagement'
  | 'median_views'
  | 'posts_per_week'
  | (string & {});

export interface RunAccountCompareResultRowsItem {
  /** The platform. */
  readonly platform: AccountCheckPlatform;
  /** Handle in normal form; null if the account has none, or if only the ID is known. */
  readonly handle: string | null;
  /** Followers; null if unknown. */
  readonly followers: number | null;
  /** Posts in the sample. */
  readonly posts_n: number;
  /** With its 95 % interval; null if too few posts show it. */
  readonly engagement_rate_followers: GetXGrowthResultPerDayPct | null;
  /** With its 95 % interval; null if too few posts show it. */
  readonly engagement_rate_views: GetXGrowthResultPerDayPct | null;
  /** With its 95 % interval; null if too few posts show it. */
  readonly median_engagement: GetXGrowthResultPerDayPct | null;
  /** With its 95 % interval; null if too few posts show it. */
  readonly median_views: GetXGrowthResultPerDayPct | null;
  /** Original posts of the window by its weeks, with the 95 % interval of the rate in the long run; null if too few posts show it, and until the population of the platform was computed. */
  readonly posts_per_week: GetXGrowthResultPerDayPct | null;
}

export interface RunAccountScoreResult {
  /** The platform. */
  readonly platform: AccountCheckPlatform;
  /** Handle in normal form; null if the account has none, or if only the ID is known. */
  readonly handle: string | null;
  /** Status of the account as of its last reading. */
  readonly status: DirectoryEntryStatus;
  /** Score. */
  readonly score: number;
  /** A from 80 points, B from 65, C from 50, D from 35. */
  readonly grade: RunAccountScoreResultGrade;
  /** Components of the score. */
  readonly components: readonly RunAccountScoreResultComponentsItem[];
  /** Total weight of the known parts, out of 100. */
  readonly known_points: number;
  /** Inputs of the result, each with its age. */
  readonly inputs: ToolInputs;
  /** Limits of what the tool can know. */
  readonly not_known: readonly string[];
}

export interface RunAccountScoreResultComponentsItem {
  /** Name. */
  readonly name: RunAccountScoreResultComponentsItemName;
  /** Null if unknown; the part then has no weight. */
  readonly value: number | null;
  /** Weight of the part. */
  readonly weight: number;
  /** Points. */
  readonly points: number;
  /** Whether somebody else can cause this, without the account’s doing. Such evidence decides no verdict. */
  readonly can_be_caused_by_others: boolean;
}

export type RunAccountScoreResultComponentsItemName =
  | 'reach'
  | 'engagement'
  | 'growth'
  | 'activity'
  | 'age'
  | 'reactions'
  | (string & {});

export type RunAccountScoreResultGrade = 'A' | 'B' | 'C' | 'D' | 'E' | (string & {});

export interface RunAudienceOverlapResult {
  /** Confidence level of the intervals: the share of them that contain the true value. */
  readonly level: number;
  /** The platform. */
  readonly platform: AccountCheckPlatform;
  /** The first account. */
  readonly a: RunAudienceOverlapResultA;
  /** The other account. */
  readonly b: RunAudienceOverlapResultA;
  /** With its 95 % interval; exact if all three are equal. */
  readonly shared: RunAudienceOverlapResultShared;
  /** Share of the followers of `a`; null if their number is unknown. */
  readonly share_of_a: RunAudienceOverlapResultShared | null;
  /** Share of the followers of `b`; null if their number is unknown. */
  readonly share_of_b: RunAudienceOverlapResultShared | null;
  /** Followers of both accounts divided by followers of either; null if their number is unknown. */
  readonly jaccard: RunAudienceOverlapResultShared | null;
  /** Whether one of the lists was not read completely. */
  readonly capped: boolean;
  /** Inputs of the result, each with its age. */
  readonly inputs: ToolInputs;
  /** Limits of what the tool can know. */
  readonly not_known: readonly string[];
}

export interface RunAudienceOverlapResultA {
  /** Handle in normal form; null if the account has none, or if only the ID is known. */
  readonly handle: string | null;
  /** Followers of the list as it was read. */
  readonly indexed: number;
  /** As the account states them. */
  readonly followers: number | null;
  /** How the last reading of the list ended. Unless `whole`, any follower may be missing. */
  readonly status: ListCoverageStatus;
  /** When the newest part of the list was read. */
  readonly read_at: string;
}

export interface RunAudienceOverlapResultShared {
  /** The value. */
  readonly value: number;
  /** Lower end of the interval. */
  readonly low: number;
  /** Upper end of the interval. */
  readonly high: number;
}

export interface RunBestTimeToPostResult {
  /** Confidence level of the intervals: the share of them that contain the true value. */
  readonly level: number;
  /** The platform. */
  readonly platform: AccountCheckPlatform;
  /** Handle in normal form; null if the account has none, or if only the ID is known. */
  readonly handle: string | null;
  /** Time zone of the hours. */
  readonly timezone: string;
  /** Posts in the sample. */
  readonly posts_n: number;
  /** false: no difference is measurable. null: nothing was tested; the warning is `not_tested`. */
  readonly significant: boolean | null;
  /** Hours that are better than the others, as far as the sample shows. */
  readonly best: readonly PatternCell[];
  /** All 168 hours of the week; empty if the platform selected the posts. */
  readonly cells: readonly PatternCell[];
  /** Inputs of the result, each with its age. */
  readonly inputs: ToolInputs;
  /** Limits of what the tool can know. */
  readonly not_known: readonly string[];
}

export interface RunCrossPlatformMatchResult {
  /** The platform. */
  readonly platform: AccountCheckPlatform;
  /** Handle in normal form; null if the account has none, or if only the ID is known. */
  readonly handle: string | null;
  /** ID of the person. */
  readonly person_id: string;
  /** Accounts that may belong to the same person. */
  readonly candidates: readonly RunCrossPlatformMatchResultCandidatesItem[];
  /** Inputs of the result, each with its age. */
  readonly inputs: ToolInputs;
  /** Limits of what the tool can know. */
  readonly not_known: readonly string[];
}

export interface RunCrossPlatformMatchResultCandidatesItem {
  /** The platform. */
  readonly platform: AccountCheckPlatform;
  /** Handle in normal form; null if the account has none, or if only the ID is known. */
  readonly handle: string | null;
  /** Address of the page. */
  readonly profile_url: string | null;
  /** Probability that it belongs to the same person. */
  readonly confidence: number | null;
  /** Evidence that supports it. */
  readonly evidence: readonly PersonEvidence[];
}

export interface RunEngagementAuthenticityResult {
  /** Confidence level of the intervals: the share of them that contain the true value. */
  readonly level: number;
  /** The platform. */
  readonly platform: AccountCheckPlatform;
  /** Handle in normal form; null if the account has none, or if only the ID is known. */
  readonly handle: string | null;
  /** Days of the window. */
  readonly window_days: number;
  /** Posts in the sample. */
  readonly posts_n: number;
  /** Standard deviation of ln(1 + reactions) over posts, with its 95 % interval. */
  readonly variance: RunEngagementAuthenticityResultVariance | null;
  /** Ratios of the figures, with their percentiles. */
  readonly ratios: RunEngagementAuthenticityResultRatios;
  /** Unusual figures. */
  readonly flags: readonly RunEngagementAuthenticityResultFlagsItem[];
  /** Inputs of the result, each with its age. */
  readonly inputs: ToolInputs;
  /** Limits of what the tool can know. */
  readonly not_known: readonly string[];
}

export interface RunEngagementAuthenticityResultFlagsItem {
  /** The rule. */
  readonly rule: RunEngagementAuthenticityResultFlagsItemRule;
  /** Trait of the posts. */
  readonly trait: RunEngagementAuthenticityResultFlagsItemTrait;
  /** Whether somebody else can cause this, without the account’s doing. Such evidence decides no verdict. */
  readonly can_be_caused_by_others: boolean;
  /** The limit that it exceeds, from accounts of the platform. */
  readonly threshold: number;
  /** Evidence that supports it. */
  readonly evidence: RunEngagementAuthenticityResultFlagsItemEvidence;
}

export interface RunEngagementAuthenticityResultFlagsItemEvidence {
  /** The value. */
  readonly value: number;
  /** Lower end of the interval. */
  readonly low: number;
  /** Upper end of the interval. */
  readonly high: number;
  /** Posts in the sample. */
  readonly posts_n: number;
}

export type RunEngagementAuthenticityResultFlagsItemRule =
  | 'reactions_constant'
  | 'reactions_erratic'
  | 'few_comments'
  | 'many_comments'
  | 'few_reposts'
  | 'many_reposts'
  | 'few_views'
  | (string & {});

export type RunEngagementAuthenticityResultFlagsItemTrait =
  | 'dispersion'
  | 'comments_per_like'
  | 'reposts_per_like'
  | 'views_per_like'
  | (string & {});

export interface RunEngagementAuthenticityResultRatios {
  /** With its 95 % interval; null if too few posts show it. */
  readonly comments_per_like: RunEngagementAuthenticityResultVariance | null;
  /** With its 95 % interval; null if too few posts show it. */
  readonly reposts_per_like: RunEngagementAuthenticityResultVariance | null;
  /** With its 95 % interval; null if too few posts show it. */
  readonly views_per_like: RunEngagementAuthenticityResultVariance | null;
}

export interface RunEngagementAuthenticityResultVariance {
  /** The value. */
  readonly value: number;
  /** Lower end of the interval. */
  readonly low: number;
  /** Upper end of the interval. */
  readonly high: number;
  /** Posts in the sample. */
  readonly posts_n: number;
  /** Percentile among accounts of the platform, with its 95 % interval; null if too few are known. */
  readonly percentile: RunEngagementAuthenticityResultVariancePercentile | null;
}

export interface RunEngagementAuthenticityResultVariancePercentile {
  /** The value. */
  readonly value: number;
  /** Lower end of the interval. */
  readonly low: number;
  /** Upper end of the interval. */
  readonly high: number;
  /** Accounts. */
  readonly accounts: number;
}

export interface RunEngagementRateResult {
  /** Confidence level of the intervals: the share of them that contain the true value. */
  readonly level: number;
  /** The platform. */
  readonly platform: AccountCheckPlatform;
  /** Handle in normal form; null if the account has none, or if only the ID is known. */
  readonly handle: string | null;
  /** Followers; null if unknown. */
  readonly followers: number | null;
  /** Days of the window. */
  readonly window_days: number;
  /** Posts in the sample. */
  readonly posts_n: number;
  /** Engagement of a post divided by followers; null if unknown. */
  readonly engagement_rate_followers: PostDistribution | null;
  /** Engagement of a post divided by its views; null if unknown. */
  readonly engagement_rate_views: PostDistribution | null;
  /** Median of the engagement; null if unknown. */
  readonly median_engagement: PostDistribution | null;
  /** Percentile of the rate by followers in the size band of the platform; null before ladders are computed. */
  readonly percentile: number | null;
  /** 95 % interval of the percentile, and the number of accounts in the size band; null if the percentile is. */
  readonly percentile_interval: RunEngagementRateResultPercentileInterval | null;
  /** Inputs of the result, each with its age. */
  readonly inputs: ToolInputs;
  /** Limits of what the tool can know. */
  readonly not_known: readonly string[];
}

export interface RunEngagementRateResultPercentileInterval {
  /** Lower end of the interval. */
  readonly low: number;
  /** Upper end of the interval. */
  readonly high: number;
  /** Accounts. */
  readonly accounts: number;
}

export interface RunFollowerAuditResult {
  /** Confidence level of the intervals: the share of them that contain the true value. */
  readonly level: number;
  /** The platform. */
  readonly platform: RunFollowerAuditResultPlatform;
  /** Handle in normal form; null if the account has none, or if only the ID is known. */
  readonly handle: string;
  /** Followers; null if unknown. */
  readonly followers: number | null;
  /** Accounts in the sample. */
  readonly sample_n: number;
  /** Followers that the shares describe. */
  readonly sampled: RunFollowerAuditResultSampled;
  /** Share with its 95 % interval; null without a labelled sample, or if the list does not show the required traits. */
  readonly suspicious_share: RunFollowerAuditResultSuspiciousShare | null;
  /** Share with its 95 % interval; null without a labelled sample, or if the list does not show the required traits. */
  readonly inactive_share: RunFollowerAuditResultSuspiciousShare | null;
  /** Shares of the sample by class, not corrected for errors of the classifier. */
  readonly classified: RunFollowerAuditResultClassified;
  /** The same share by follow order, newest first. */
  readonly strata: readonly RunFollowerAuditResultStrataItem[];
  /** Shares of followers with traits that indicate suspicious accounts. */
  readonly signals: RunFollowerAuditResultSignals;
  /** Followers that were created within a short time. */
  readonly creation_clusters: readonly CreationCluster[];
  /** Whether the shares are calibrated with labelled followers. */
  readonly calibrated: boolean;
  /** The labelled sample; null without one. */
  readonly calibration: RunFollowerAuditResultCalibration | null;
  /** Inputs of the result, each with its age. */
  readonly inputs: ToolInputs;
  /** Limits of what the tool can know. */
  readonly not_known: readonly string[];
}

export interface RunFollowerAuditResultCalibration {
  /** operator: labels of the operator. x-2017: the default model of X. */
  readonly model: string;
  /** When the accounts of a default model were labelled. */
  readonly year: number | null;
  /** By how much a share of 0.1 is off in audiences that are a quarter of the labelled accounts by age, followers, following or posts. The interval does not contain it. null: not measured for labels of the operator. */
  readonly transfer_error: RunFollowerAuditResultCalibrationTransferError | null;
  /** Labelled followers that the model was fitted to. */
  readonly fitted_n: number;
  /** Suspicious followers that the model was tested on. */
  readonly held_out_suspicious: number;
  /** Inactive followers that the model was tested on. */
  readonly held_out_inactive: number;
  /** Genuine followers that the model was tested on. */
  readonly held_out_genuine: number;
  /** Share of suspicious followers that the model finds. */
  readonly sensitivity: number;
  /** Share of genuine followers that the model does not classify as suspicious. */
  readonly specificity: number;
}

export interface RunFollowerAuditResultCalibrationTransferError {
  /** Median. */
  readonly median: number;
  /** Largest error over the lists. */
  readonly largest: number;
}

export interface RunFollowerAuditResultClassified {
  /** Figures of suspicious followers. */
  readonly suspicious: RunFollowerAuditResultClassifiedSuspicious;
  /** Figures of inactive followers. */
  readonly inactive: RunFollowerAuditResultClassifiedSuspicious | null;
}

export interface RunFollowerAuditResultClassifiedSuspicious {
  /** Share. */
  readonly share: number;
  /** Lower end of the interval. */
  readonly low: number;
  /** Upper end of the interval. */
  readonly high: number;
}

export type RunFollowerAuditResultPlatform = 'x' | 'bluesky' | (string & {});

export type RunFollowerAuditResultSampled = 'whole_list' | 'newest' | (string & {});

export interface RunFollowerAuditResultSignals {
  /** null: the list does not show it. */
  readonly created_within_90_days: number | null;
  /** null: the list does not show it. */
  readonly without_picture: number | null;
  /** null: the list does not show it. */
  readonly without_bio: number | null;
  /** null: the list does not show it. */
  readonly follows_20_times_its_followers: number | null;
  /** null: the list does not show it. */
  readonly without_posts: number | null;
}

export interface RunFollowerAuditResultStrataItem {
  /** Position in the list; 0 is the newest follower. */
  readonly first_position: number;
  /** Position in the list; 0 is the newest follower. */
  readonly last_position: number;
  /** Figures of suspicious followers. */
  readonly suspicious: RunFollowerAuditResultClassifiedSuspicious;
}

export interface RunFollowerAuditResultSuspiciousShare {
  /** The estimate. */
  readonly estimate: number;
  /** Lower end of the interval. */
  readonly low: number;
  /** Upper end of the interval. */
  readonly high: number;
  /** false: the share can’t be distinguished from 0. */
  readonly distinguishable: boolean;
}

export interface RunFollowerRankResult {
  /** The platform. */
  readonly platform: AccountCheckPlatform;
  /** Handle in normal form; null if the account has none, or if only the ID is known. */
  readonly handle: string | null;
  /** Followers; null if unknown. */
  readonly followers: number;
  /** Percentile. */
  readonly percentile: number;
  /** Lower end of the interval. */
  readonly low: number;
  /** Upper end of the interval. */
  readonly high: number;
  /** Estimate of the rank. */
  readonly rank_estimate: number;
  /** Best rank of the interval. */
  readonly rank_low: number;
  /** Worst rank of the interval. */
  readonly rank_high: number;
  /** Accounts. */
  readonly accounts: number;
  /** Which population was sampled. */
  readonly framing: string;
  /** Inputs of the result, each with its age. */
  readonly inputs: ToolInputs;
  /** Limits of what the tool can know. */
  readonly not_known: readonly string[];
}

export interface RunGrowthProjectionResult {
  /** Confidence level of the intervals: the share of them that contain the true value. */
  readonly level: number;
  /** The platform. */
  readonly platform: AccountCheckPlatform;
  /** Handle in normal form; null if the account has none, or if only the ID is known. */
  readonly handle: string | null;
  /** Status of the account as of its last reading. */
  readonly status: DirectoryEntryStatus;
  /** At the last reading. */
  readonly followers: number;
  /** The time of the projection. */
  readonly at: string;
  /** Projected followers. */
  readonly projected: number;
  /** Lower end of the 95 % band. */
  readonly low: number;
  /** Upper end of the interval. */
  readonly high: number;
  /** Bands. */
  readonly bands: readonly RunGrowthProjectionResultBandsItem[];
  /** Followers per day from the last reading to the projected number. */
  readonly daily_slope: number;
  /** Followers per day over the readings used. */
  readonly trend: number;
  /** The share of the trend that is assumed to persist. */
  readonly persistence: number;
  /** Number of earlier projections that the bands are computed from; null: the bands are computed from this account alone. */
  readonly comparisons: number | null;
  /** Readings that were used. */
  readonly readings: number;
  /** Inputs of the result, each with its age. */
  readonly inputs: ToolInputs;
  /** Limits of what the tool can know. */
  readonly not_known: readonly string[];
}

export interface RunGrowthProjectionResultBandsItem {
  /** Probability that the interval contains the value. */
  readonly level: number;
  /** Lower end of the interval. */
  readonly low: number;
  /** Upper end of the interval. */
  readonly high: number;
}

export interface RunHandleAvailabilityResult {
  /** Handle in normal form; null if the account has none, or if only the ID is known. */
  readonly handle: string;
  /** Results, in the order of the request. */
  readonly items: readonly HandleAvailability[];
  /** Inputs of the result, each with its age. */
  readonly inputs: ToolInputs;
  /** Limits of what the tool can know. */
  readonly not_known: readonly string[];
}

export interface RunHandleSimilarityResult {
  /** The platform. */
  readonly platform: AccountCheckPlatform;
  /** Handle in normal form; null if the account has none, or if only the ID is known. */
  readonly handle: string;
  /** Followers; null if unknown. */
  readonly followers: number | null;
  /** Similar handles. */
  readonly matches: readonly SimilarHandle[];
  /** Accounts that pose as the account of the handle; null if no account is known to have the handle. */
  readonly suspects: readonly ImpersonationSuspect[] | null;
  /** Accounts that the account of the handle seems to copy; null like `suspects`. */
  readonly originals: readonly ImpersonationSuspect[] | null;
  /** Number of compared accounts that share its name, its handle or a link. */
  readonly suspects_compared: number | null;
  /** Inputs of the result, each with its age. */
  readonly inputs: ToolInputs;
  /** Limits of what the tool can know. */
  readonly not_known: readonly string[];
}

export interface RunPostPriceResult {
  /** Confidence level of the intervals: the share of them that contain the true value. */
  readonly level: number;
  /** The platform. */
  readonly platform: AccountCheckPlatform;
  /** Handle in normal form; null if the account has none, or if only the ID is known. */
  readonly handle: string | null;
  /** US dollars, exact. */
  readonly low: string;
  /** US dollars, exact. */
  readonly mid: string;
  /** US dollars, exact. */
  readonly high: string;
  /** Currency of the prices. */
  readonly currency: 'USD';
  /** Price per thousand views. */
  readonly cpm: RunPostPriceResultCpm;
  /** Whether the price per thousand views uses views measured by the catalog, or views stated by placements. */
  readonly basis: RunPostPriceResultBasis;
  /** Placements in the sample. */
  readonly placements_n: number;
  /** Placements whose stated views were compared with measured ones; 0 if there are too few. */
  readonly measured_n: number;
  /** With its 95 % interval. */
  readonly median_views: GetXGrowthResultPerDayPct;
  /** Posts in the sample. */
  readonly posts_n: number;
  /** Inputs of the result, each with its age. */
  readonly inputs: ToolInputs;
  /** Limits of what the tool can know. */
  readonly not_known: readonly string[];
}

export type RunPostPriceResultBasis = 'measured_views' | 'stated_views' | (string & {});

export interface RunPostPriceResultCpm {
  /** US dollars, exact. */
  readonly low: string;
  /** US dollars, exact. */
  readonly mid: string;
  /** US dollars, exact. */
  readonly high: string;
}

export interface RunShadowbanCheckResult {
  /** The platform. */
  readonly platform: 'x';
  /** Handle in normal form; null if the account has none, or if only the ID is known. */
  readonly handle: string;
  /** Status of the account. Only an active account is looked for. */
  readonly status: DirectoryEntryStatus;
  /** Whether searches find its posts. */
  readonly search: RunShadowbanCheckResultSearch;
  /** Whether the search box suggests it. */
  readonly suggestion: RunShadowbanCheckResultSearch;
  /** Whether its replies are shown. */
  readonly ghost: RunShadowbanCheckResultSearch;
  /** Whether its replies are shown only when asked for. */
  readonly reply_deboost: RunShadowbanCheckResultSearch;
  /** Evidence that supports it. */
  readonly evidence: readonly VisibilityEvidence[];
  /** Inputs of the result, each with its age. */
  readonly inputs: ToolInputs;
  /** Limits of what the tool can know. */
  readonly not_known: readonly string[];
}

export type RunShadowbanCheckResultSearch = 'clear' | 'limited' | 'unknown' | (string & {});

export interface RunTrustReportResult {
  /** The platform. */
  readonly platform: AccountCheckPlatform;
  /** Handle in normal form; null if the account has none, or if only the ID is known. */
  readonly handle: string;
  /** Status of the account as of its last reading; active if its followers were read for the report. Null if the catalog has no reading of the account. */
  readonly status: DirectoryEntryStatus | null;
  /** The gravest concern of the rules that nobody else can cause. Without any, it is unknown if such a rule is unknown, or if the account is neither active nor private. */
  readonly verdict: RunTrustReportResultVerdict;
  /** The rules, with what each found. */
  readonly rules: readonly RunTrustReportResultRulesItem[];
  /** The parts. */
  readonly parts: readonly TrustPart[];
  /** Inputs of the result, each with its age. */
  readonly inputs: ToolInputs;
  /** Limits of what the tool can know. */
  readonly not_known: readonly string[];
}

export interface RunTrustReportResultRulesItem {
  /** The rule. */
  readonly rule: RunTrustReportResultRulesItemRule;
  /** What the rule found. */
  readonly concern: RunTrustReportResultRulesItemConcern;
  /** Whether somebody else can cause this, without the account’s doing. Such evidence decides no verdict. */
  readonly can_be_caused_by_others: boolean;
}

export type RunTrustReportResultRulesItemConcern = 'none' | 'some' | 'serious' | 'unknown' | (string & {});

export type RunTrustReportResultRulesItemRule =
  | 'audience'
  | 'bought_followers'
  | 'age'
  | 'look_alike'
  | 'score'
  | (string & {});

export type RunTrustReportResultVerdict =
  | 'no_concerns'
  | 'some_concerns'
  | 'serious_concerns'
  | 'unknown'
  | (string & {});

export interface RunUsernameScoreResult {
  /** Handle in normal form; null if the account has none, or if only the ID is known. */
  readonly handle: string;
  /** Score. */
  readonly score: number;
  /** Characters. */
  readonly length: number;
  /** Pattern of the handle. */
  readonly pattern: RunUsernameScoreResultPattern;
  /** How readable it is. */
  readonly readability: number;
  /** Components of the score. */
  readonly components: readonly RunUsernameScoreResultComponentsItem[];
  /** Inputs of the result, each with its age. */
  readonly inputs: ToolInputs;
  /** Limits of what the tool can know. */
  readonly not_known: readonly string[];
}

export interface RunUsernameScoreResultComponentsItem {
  /** The part. */
  readonly part: RunUsernameScoreResultComponentsItemPart;
  /** The value. */
  readonly value: number;
  /** Weight of the part. */
  readonly weight: number;
  /** Points. */
  readonly points: number;
}

export type RunUsernameScoreResultComponentsItemPart = 'length' | 'pattern' | 'readability' | (string & {});

export type RunUsernameScoreResultPattern =
  | 'letters'
  | 'letters_and_digits'
  | 'separated'
  | 'digits'
  | (string & {});

export interface RunValuationResult {
  /** Confidence level of the intervals: the share of them that contain the true value. */
  readonly level: number;
  /** The platform. */
  readonly platform: AccountCheckPlatform;
  /** Handle in normal form; null if the account has none, or if only the ID is known. */
  readonly handle: string | null;
  /** Followers; null if unknown. */
  readonly followers: number;
  /** US dollars, exact. */
  readonly low: string;
  /** US dollars, exact. */
  readonly mid: string;
  /** US dollars, exact. */
  readonly high: string;
  /** Currency of the prices. */
  readonly currency: 'USD';
  /** Sales of the platform. */
  readonly comparables_n: number;
  /** Listings that were sold. */
  readonly sold: RunValuationResultSold;
  /** Estimated asking price; null for fewer than 10 offers of the platform. */
  readonly asking: RunValuationResultSold | null;
  /** US dollars, exact. */
  readonly typical: string;
  /** Factors that the price is multiplied by. */
  readonly factors: readonly RunValuationResultFactorsItem[];
  /** Inputs of the result, each with its age. */
  readonly inputs: ToolInputs;
  /** Limits of what the tool can know. */
  readonly not_known: readonly string[];
}

export interface RunValuationResultFactorsItem {
  /** The factor. */
  readonly factor: RunValuationResultFactorsItemFactor;
  /** Followers, years, or engagement by followers. */
  readonly value: number | null;
  /** Null if the value is unknown, or is an engagement of 0, which has no logarithm; the factor then has no effect. */
  readonly multiple: number | null;
}

export type RunValuationResultFactorsItemFactor =
  | 'followers'
  | 'platform'
  | 'age'
  | 'engagement'
  | (string & {});

export interface RunValuationResultSold {
  /** Comparables, of all platforms. */
  readonly n: number;
  /** US dollars, exact. */
  readonly low: string;
  /** US dollars, exact. */
  readonly mid: string;
  /** US dollars, exact. */
  readonly high: string;
  /** Newest comparables that are left out, as no follower ever cost what they say. */
  readonly left_out: number;
}

export interface RunViralityCheckResult {
  /** The platform. */
  readonly platform: AccountCheckPlatform;
  /** Handle in normal form; null if the account has none, or if only the ID is known. */
  readonly handle: string | null;
  /** ID of the post. */
  readonly post_id: string;
  /** Time of the reading or change. */
  readonly at: string;
  /** Likes, replies, reposts and quotes, as far as they are shown. */
  readonly engagement: number;
  /** Multiple of the median of the other posts. */
  readonly multiple: number;
  /** Null if half of the other posts have the same engagement. */
  readonly robust_z: number | null;
  /** Null without a robust z-score, and for a post that was read before it was ripe and does not exceed the thresholds yet. */
  readonly viral: boolean | null;
  /** Whether it was read before it was ripe. */
  readonly at_least: boolean;
  /** Posts that the post is compared with. */
  readonly baseline_n: number;
  /** Median engagement of these posts. */
  readonly baseline_median: number;
  /** Other posts with at least as much engagement. */
  readonly as_much_n: number;
  /** Inputs of the result, each with its age. */
  readonly inputs: ToolInputs;
  /** Limits of what the tool can know. */
  readonly not_known: readonly string[];
}

export interface ScrapeXTweetResult {
  /** ID. For an account: its native ID on the platform, or null if unknown. */
  readonly id: string;
  /** absent: the post does not exist, or no longer exists. */
  readonly status: ScrapeXTweetResultStatus;
  /** The post; null if there is none. */
  readonly post: LivePost | null;
}

export type ScrapeXTweetResultStatus =
  | 'ok'
  | 'absent'
  | 'author_private'
  | 'author_suspended'
  | (string & {});

export interface ScrapeXUsersResult {
  /** Results, in the order of the request. */
  readonly items: readonly ScrapeXUsersResultItemsItem[];
}

export interface ScrapeXUsersResultItemsItem {
  /** Normalized handle; unchanged if it is an ID or not a handle of X. */
  readonly handle: string;
  /** absent: proven not to exist. unknown: not read, and not charged. */
  readonly status: ScrapeXUsersResultItemsItemStatus;
  /** The account; null if there is none. */
  readonly account: LiveEntry | null;
  /** Why there is no result; null if there is one. */
  readonly error: AccountCheckItemError | null;
}

export type ScrapeXUsersResultItemsItemStatus = 'ok' | 'absent' | 'unknown' | (string & {});

export interface Seller {
  /** ID. For an account: its native ID on the platform, or null if unknown. */
  readonly id: string;
  /** Name. */
  readonly name: string | null;
  /** Listings on sale. */
  readonly active: number;
  /** Listings that were sold. */
  readonly sold: number;
  /** Sum of the known prices paid, in US dollars; null if none is known. */
  readonly volume_usd: string | null;
  /** Sales whose price is known. */
  readonly priced_sales: number;
  /** Median time from listing to sale, over sales with both times, accurate to 1 %; null without any. */
  readonly median_time_to_sell_s: number | null;
}

export interface SimilarEntry {
  /** The platform. */
  readonly platform: PlatformStatsPlatform;
  /** ID. For an account: its native ID on the platform, or null if unknown. */
  readonly id: string | null;
  /** Handle in normal form; null if the account has none, or if only the ID is known. */
  readonly handle: string | null;
  /** Name that the account shows; null if unknown. */
  readonly display_name: string | null;
  /** Followers; null if unknown. */
  readonly followers: number | null;
  /** Times of values that are older than the last reading. */
  readonly measured_at?: MeasuredAt;
  /** Score. */
  readonly score: number;
  /** What the two accounts have in common. */
  readonly reasons: readonly SimilarEntryReasonsItem[];
}

export type SimilarEntryReasonsItem = 'handle' | 'name' | 'shared_links' | 'size' | (string & {});

export interface SimilarHandle {
  /** Handle in normal form; null if the account has none, or if only the ID is known. */
  readonly handle: string;
  /** Name that the account shows; null if unknown. */
  readonly display_name: string | null;
  /** Followers; null if unknown. */
  readonly followers: number | null;
  /** Whether the platform shows a badge; null if unknown. */
  readonly verified: boolean | null;
  /** Damerau–Levenshtein distance; on Bluesky, between handles without `.bsky.social`. */
  readonly distance: number;
  /** Whether they look the same by UTS 39, in any mix of upper and lower case. */
  readonly skeleton_equal: boolean;
  /** Weighted sum of the parts. */
  readonly risk: number;
  /** The parts. */
  readonly parts: readonly SimilarHandlePartsItem[];
}

export interface SimilarHandlePartsItem {
  /** The part. */
  readonly part: SimilarHandlePartsItemPart;
  /** null if unknown; the part then has no weight. */
  readonly value: number | null;
  /** Weight of the part. */
  readonly weight: number;
  /** Whether somebody else can cause this, without the account’s doing. Such evidence decides no verdict. */
  readonly can_be_caused_by_others: boolean;
}

export type SimilarHandlePartsItemPart = 'skeleton' | 'distance' | 'size' | (string & {});

export interface Tool {
  /** Name. */
  readonly name: string;
  /** operationId in the OpenAPI description. */
  readonly operation: string;
  /** Relative to the base address. */
  readonly path: string;
  /** Title. */
  readonly title: string;
  /** Description; null if unknown. */
  readonly description: string;
  /** Platforms that the tool serves; any other is refused with 400. Empty if the tool is about a name. */
  readonly platforms: readonly AccountCheckPlatform[];
  /** A JSON Schema, draft 2020-12. */
  readonly input_schema: ResearchEventData;
  /** A JSON Schema, draft 2020-12. */
  readonly output_schema: ResearchEventData;
  /** Maximum requests to platforms per call. */
  readonly upstream_reads: number;
  /** Units of one call on your plan. */
  readonly cost: number;
  /** How the tool computes its result, and from what. */
  readonly method: string;
  /** What its answers rest on, and what of it somebody else can cause. */
  readonly evidence: readonly ToolEvidenceItem[];
}

export interface ToolEvidenceItem {
  /** Kind. */
  readonly kind: string;
  /** Whether somebody else can cause this, without the account’s doing. Such evidence decides no verdict. */
  readonly can_be_caused_by_others: boolean;
}

/** Inputs of the result. */
export type ToolInputs = readonly ToolInputsItem[];

export interface ToolInputsItem {
  /** The input. */
  readonly input: string;
  /** Time of the oldest reading used; for a population, the time of its computation. */
  readonly observed_at: string | null;
  /** Age of its reading in seconds. */
  readonly age_s: number | null;
}

export interface TrustPart {
  /** The part. */
  readonly part: TrustPartPart;
  /** Status. */
  readonly status: TrustPartStatus;
  /** null if the part is known. not_served: the platform does not show the required data. Otherwise the error code of the tool. */
  readonly reason: string | null;
  /** The result of the tool of that name, as the tool itself answers it. */
  readonly result: ResearchEventData | null;
}

export type TrustPartPart = 'audit' | 'score' | 'age' | 'similarity' | 'valuation' | (string & {});

export type TrustPartStatus = 'known' | 'unknown' | (string & {});

export interface VerifiedMetrics {
  /** Handle in normal form; null if the account has none, or if only the ID is known. */
  readonly handle: string;
  /** For LinkedIn only with the scope `leads:read`. */
  readonly followers: number | null;
  /** For LinkedIn only with the scope `leads:read`. */
  readonly verified: boolean | null;
  /** Status. */
  readonly status: DirectoryEntryStatus;
  /** For LinkedIn only with the scope `leads:read`. */
  readonly created_at: string | null;
  /** When it was read. */
  readonly observed_at: string;
  /** Age in seconds of the oldest value here that can change. */
  readonly stale_s: number;
  /** Times of values that are older than the last reading. */
  readonly measured_at?: MeasuredAt;
}

export interface VisibilityEvidence {
  /** The surface that showed it. */
  readonly surface: VisibilityEvidenceSurface;
  /** control: another account that must be shown there. */
  readonly of: VisibilityEvidenceOf;
  /** hidden: shown only when a reader asks for more replies. unknown: the surface could not be read. */
  readonly shown: VisibilityEvidenceShown;
  /** Whether somebody else can cause this, as the author of a thread who hides a reply. The verdict on replies takes threads of several authors. */
  readonly can_be_caused_by_others: boolean;
  /** ID of the reply that was looked for in its thread. */
  readonly post: string | null;
  /** When it was read. */
  readonly observed_at: string;
  /** Reason if the result is unknown. */
  readonly reason: string | null;
}

export type VisibilityEvidenceOf = 'account' | 'control' | (string & {});

export type VisibilityEvidenceShown = 'shown' | 'hidden' | 'absent' | 'unknown' | (string & {});

export type VisibilityEvidenceSurface = 'search' | 'suggestions' | 'thread' | (string & {});
