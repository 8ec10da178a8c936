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

/** Input of a handler: parsed parameters, services, and the time of the request. */
export interface EndpointRequest<Params, Query, Body> {
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  readonly services: Services;
  /** List reads, queued per holder; they start only after the request is admitted. */
  readonly lists: ListReads;
  readonly requestId: string;
  readonly caller: KnownKey;
  readonly nowMs: number;
  /** Position after which a list resumes; null for its first page, or if the endpoint is no list. */
  readonly after: CursorPosition | null;
  /** Maximum items of the page. */
  readonly limit: number;
  /** Registers a side effect that runs once the request is admitted, and not if it is rejected. */
  readonly afterAdmission: (effect: () => void) => void;
}

/** Result of a handler; the envelope adds the rest. */
export interface Answer<Data> {
  readonly data: Data;
  readonly source: 'catalog' | 'live' | 'mixed' | 'service';
  /** Time of the oldest reading involved, ms since 1970; null if there was none. */
  readonly readAtMs: number | null;
  /** For lists: position of the next page. */
  readonly next?: CursorPosition | null;
}

/** An endpoint: everything that routing, metering, `GET /v2/` and the API description need. */
export interface Endpoint<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Data extends z.ZodType = z.ZodType,
> {
  readonly operation: string;
  readonly group: (typeof GROUPS)[number] | 'root';
  readonly method: 'GET' | 'POST';
  /** Below `/v2`, with `{name}` for parameters. */
  readonly path: `/${string}`;
  /** Null if any key may call it. Plans that include the scope include the endpoint. */
  readonly scope: Scope | null;
  readonly meter: 'free' | 'catalog' | 'live';
  /** A list accepts `limit` and `cursor`, and returns `next_cursor`. */
  readonly list: boolean;
  readonly summary: string;
  readonly description: string;
  readonly params: Params;
  readonly query: Query;
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
