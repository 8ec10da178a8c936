import type { z } from 'zod';
import type { ErrorCode } from '../../kernel/errors/codes.ts';
import type { CursorPosition } from '../../read/cursor.ts';
import type { KnownKey } from '../../read/holders/keys.ts';
import type { ListReads } from '../../read/lists/lists.ts';
import type { Scope } from '../../write/holders/events.ts';
import type { Services } from '../services.ts';

const GROUPS = [
  'accounts',
  'directory',
  'people',
  'scrape',
  'insights',
  'research',
  'engines',
  'marketplace',
  'tools',
  'leads',
] as const;

/** What a handler gets: parsed input, what it may use, and the request's time. */
export interface EndpointRequest<Params, Query, Body> {
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  readonly services: Services;
  /** Reads of lists, in the caller's own turn; none is begun before the request is let in. */
  readonly lists: ListReads;
  readonly requestId: string;
  readonly caller: KnownKey;
  readonly nowMs: number;
  /** Where a list goes on; null for its first page, and where the endpoint is no list. */
  readonly after: CursorPosition | null;
  /** Most items of a list's page. */
  readonly limit: number;
  /** What a request does besides answering: done once it is let in, and not at all where it is turned away. */
  readonly afterAdmission: (effect: () => void) => void;
}

/** What a handler answers; the envelope makes the rest of it. */
export interface Answer<Data> {
  readonly data: Data;
  readonly source: 'catalog' | 'live' | 'mixed' | 'service';
  /** The oldest reading that counts, ms since 1970; null where nothing was read. */
  readonly readAtMs: number | null;
  /** For lists: where the next page begins. */
  readonly next?: CursorPosition | null;
}

/** One endpoint: everything that routing, metering, `/` and the API's description need to know. */
export interface Endpoint<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Data extends z.ZodType = z.ZodType,
> {
  readonly operation: string;
  readonly group: (typeof GROUPS)[number] | 'root';
  readonly method: 'GET' | 'POST';
  /** Below `/v2`, with `{name}` where a parameter goes. */
  readonly path: `/${string}`;
  /** Null for what any key may call. The plans that include the scope include the endpoint. */
  readonly scope: Scope | null;
  readonly meter: 'free' | 'catalog' | 'live';
  /** A list takes `limit` and `cursor` besides its own query, and answers `next_cursor`. */
  readonly list: boolean;
  readonly summary: string;
  readonly description: string;
  readonly params: Params;
  readonly query: Query;
  readonly body?: Body;
  readonly data: Data;
  /** Errors of its own, besides those that every endpoint of its kind can answer. */
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
   * Of a live endpoint: the answer of the catalog, which costs nothing, where it has one that will do; null else.
   * Tried before anything is charged.
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
