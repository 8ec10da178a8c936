import type { z } from 'zod';
import type { ToolName } from '../../analysis/evidence.ts';
import type { LiveCall } from '../../crawlers/live-read/live-queue.ts';
import type { ErrorCode } from '../../kernel/errors.ts';
import type { Platform } from '../../kernel/platform.ts';
import type { ListCoverage } from '../../read/follows.ts';
import type { KnownKey } from '../../read/holders.ts';
import type { CursorPosition } from '../../read/keyset.ts';
import type { ListReads } from '../../read/lists.ts';
import type { AccountStatus } from '../../write/accounts/account.ts';
import type { Scope } from '../../write/holders/plans.ts';
import type { Services } from '../services.ts';
import type { QueryRule } from './query-rules.ts';
import type { Visibility } from './visibility.ts';

/** The groups of endpoints, and what each is about. */
export const GROUPS = {
  accounts: 'Whether accounts exist, from the catalog or read live.',
  directory: 'The catalog of accounts: entries, lists, their history and changes.',
  people: 'Accounts of one person on several platforms, with the evidence.',
  scrape: 'Platform pages, read live for each request, and proofs of ownership.',
  insights: 'Figures of accounts and populations on X, with confidence intervals.',
  research: 'Findings, runs and events of the research engine.',
  engines: 'State and figures of the crawlers.',
  marketplace: 'Accounts on sale, with prices and sellers.',
  tools: 'Analyses of accounts, posts and names on request.',
  leads: 'Companies, decision makers and follower graphs.',
} as const;

/** Input of a handler: parsed parameters, services, and the time of the request. */
export interface EndpointRequest<Params, Query, Body> {
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  /** Of accounts, persons and live readings they have what the caller may see. */
  readonly services: Services;
  /** What the caller may see, for other reads. */
  readonly visible: Visibility;
  /** Reads that take turns in the queue of their holder, for lists and for endpoints with `usesReadQueue`. */
  readonly queuedReads: ListReads;
  readonly requestId: string;
  readonly caller: KnownKey;
  readonly nowMs: number;
  /** The call for reading platforms: with the requests that the endpoint may send, and a deadline from the start of the work. */
  readonly liveCall: LiveCall;
  /** Position after which a list resumes; null for its first page, or if the endpoint is no list. */
  readonly after: CursorPosition | null;
  /** Whether the caller wants only rows that are added to a feed from now on: an empty page with the cursor of its end. */
  readonly isFromNow: boolean;
  /** Maximum items of the page. */
  readonly limit: number;
  /** Registers a side effect to run once the request is admitted. */
  readonly afterAdmission: (effect: () => void) => void;
  /** Adds a warning to those of an answer with figures. */
  readonly warn: (warning: string) => void;
}

/** The sample of a derived figure. */
export interface Coverage {
  /** Inputs that were used. */
  readonly sampled: number;
  /** Inputs that exist; null if unknown. */
  readonly total: number | null;
  /** Whether a limit, and not the subject, ended the sample. */
  readonly capped: boolean;
}

/** The account whose list a page belongs to, as it was read for the page. */
export interface ListedAccount {
  readonly platform: Platform;
  readonly id: string | null;
  readonly handle: string | null;
  readonly status: AccountStatus;
  readonly followers: number | null;
  /** Whether the platform ended the list early; null while there is a next page, or if unknown. */
  readonly capped: boolean | null;
}

/** Result of a handler; the envelope adds the rest. */
export interface Answer<Data> {
  readonly data: Data;
  readonly source: 'catalog' | 'live' | 'mixed' | 'service';
  /** Time of the oldest reading involved, ms since 1970; null if there was none. */
  readonly readAtMs: number | null;
  /** For lists: position of the next page. */
  readonly next?: CursorPosition | null;
  /** For feeds: position after the last row, where later rows will follow. */
  readonly resumeAt?: CursorPosition;
  /** For lists that crawlers read: how much of the list their readings cover. */
  readonly listCoverage?: ListCoverage;
  /** For lists that belong to one account: that account. */
  readonly account?: ListedAccount;
  /** How many of the request's items have a result and stay charged; all by default. The others are refunded. */
  readonly used?: number;
  /** For derived figures: their sample; null without one. */
  readonly coverage?: Coverage | null;
  /** For derived figures: what limits their use, such as a stale input. */
  readonly warnings?: readonly string[];
}

/** A tool as the list of tools describes it. */
export interface Tool {
  /** Its evidence has a row in the table of that name. */
  readonly name: ToolName;
  readonly title: string;
  /** Platforms that it supports; none if it is about a name. */
  readonly platforms: readonly Platform[];
  /** Its method and data, in a sentence. */
  readonly method: string;
}

/** Whether each call of an endpoint may read a platform. */
export const readsPlatforms = ({
  meter,
  upstreamReads = 0,
}: Pick<Endpoint, 'meter' | 'upstreamReads'>): boolean => meter === 'live' && upstreamReads > 0;

/** An endpoint: everything that routing, metering, `GET /v2/` and the API description need. */
export interface Endpoint<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Data extends z.ZodType = z.ZodType,
> {
  readonly operation: string;
  readonly group: keyof typeof GROUPS | 'root';
  readonly method: 'GET' | 'POST';
  /** Below `/v2`, with `{name}` for parameters. */
  readonly path: `/${string}`;
  /** Null if any key may call it. Plans that include the scope include the endpoint. */
  readonly scope: Scope | null;
  readonly meter: 'free' | 'catalog' | 'live';
  /**
   * Maximum requests to platforms of a call, or of each of its items: retries and redirects included. A call can't send more.
   * None by default.
   */
  readonly upstreamReads?: number;
  /**
   * For an endpoint that is otherwise free: why this request needs a live read, as which it is then metered and authorized;
   * null if it needs none.
   */
  readonly needsLiveRead?: (
    request: Pick<EndpointRequest<z.output<Params>, z.output<Query>, unknown>, 'query'>,
  ) => string | null;
  /** A list accepts `limit` and `cursor`, and returns `next_cursor`. */
  readonly list: boolean;
  /** Whether simultaneous calls share one query, so that a burst costs little; the calls of all others take turns. */
  readonly sharesQueries?: true;
  /**
   * Whether an endpoint other than a list reads as much as one, through the queue of its holder. Its work waits for the
   * admission of the request; that of a look-up runs beside it.
   */
  readonly usesReadQueue?: boolean;
  /**
   * Maximum items of a list's page; 100 by default. A page costs a unit for each hundred rows begun. Lists of longer pages
   * are for exports: they answer NDJSON and CSV too.
   */
  readonly maxLimit?: number;
  /** Whether rows are added at the end of a list, so that its last page has a cursor for later rows (`Answer.resumeAt`). */
  readonly isFeed?: boolean;
  /** Whether crawlers read the list from a platform, perhaps in part (`Answer.listCoverage`). */
  readonly hasListCoverage?: boolean;
  /** Whether the list belongs to one account, which its `meta` describes (`Answer.account`). */
  readonly listsOfAccount?: boolean;
  /**
   * The number of items of a request. Each is a live call or catalog read of its own; items without a result are refunded
   * (`Answer.used`). By default a request is one call or read.
   */
  readonly items?: (
    request: Pick<
      EndpointRequest<z.output<Params>, z.output<Query>, z.output<Body>>,
      'params' | 'query' | 'body'
    >,
  ) => number;
  /**
   * Version of the method behind derived figures. The response then has `coverage`, `method_version` and `warnings` in
   * its meta, and a sample that is too small is `insufficient_data`, except for lists and tools that don't name it.
   */
  readonly methodVersion?: string;
  /** For tools. */
  readonly tool?: Tool;
  readonly summary: string;
  readonly description: string;
  readonly params: Params;
  readonly query: Query;
  /** Rules between parameters of the query, checked when it is parsed. */
  readonly queryRules?: readonly QueryRule<keyof z.output<Query> & string>[];
  readonly body?: Body;
  readonly data: Data;
  /** Specific errors, besides those of every endpoint of its kind. */
  readonly errors: readonly ErrorCode[];
  readonly example: {
    readonly params?: Readonly<Record<string, string>>;
    readonly query?: Readonly<Record<string, unknown>>;
    readonly body?: unknown;
    readonly data: z.input<Data>;
  };
  readonly handler: (
    request: EndpointRequest<z.output<Params>, z.output<Query>, z.output<Body>>,
  ) => Promise<Answer<z.input<Data>>>;
  /**
   * For live endpoints: a free answer from the directory if it suffices, else null. Tried before anything is
   * charged.
   */
  readonly fromCatalog?: (
    request: EndpointRequest<z.output<Params>, z.output<Query>, z.output<Body>>,
  ) => Promise<Answer<z.input<Data>> | null>;
}

/** Infers an endpoint's types from its schemas. */
export const endpoint = <
  Params extends z.ZodType,
  Query extends z.ZodType,
  Body extends z.ZodType,
  Data extends z.ZodType,
>(
  definition: Endpoint<Params, Query, Body, Data>,
): Endpoint => definition as unknown as Endpoint;
