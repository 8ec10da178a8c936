import type { Platform } from '../../kernel/platform.ts';

/** A request to a platform, or another source. URLs are always the real ones; the transport decides where they lead. */
export interface HttpRequest<Source extends string = Platform> {
  readonly platform: Source;
  readonly url: string;
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** A response of any status. */
export interface Page {
  /** URL after redirects. */
  readonly url: string;
  readonly status: number;
  /** Lower-case names. Redirects to other hosts, or beyond the maximum, are not followed: `location` is in here. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Size of the body after decompression. */
  readonly bytes: number;
}

/** Port through which crawlers reach the outside world: live, recording or playback. */
export interface Http {
  /** @throws {FetchError} if there is no usable response. */
  fetch(request: HttpRequest): Promise<Page>;
  close(): Promise<void>;
}

/** Awaited before each retry and redirect. An error ends the fetch. */
export type Permit = () => Promise<void>;

/** HTTP that may send several requests for one fetch. */
export interface Transport<Source extends string = Platform> {
  /** @throws {FetchError} if there is no usable response. */
  fetch(request: HttpRequest<Source>, permit?: Permit): Promise<Page>;
  close(): Promise<void>;
}

export type FetchReason =
  | 'timeout'
  | 'http_error'
  | 'rate_limited'
  | 'too_large'
  | 'host_refused'
  | 'not_recorded'
  /** Not sent: the platform is paused until the failure's `retryAfterMs` is over. */
  | 'paused'
  /** Not sent: the surface recently gave false verdicts. */
  | 'distrusted'
  | 'aborted';

/** No usable response: the reason, and the wait that the platform requested, if any. */
export class FetchError extends Error {
  readonly reason: FetchReason;
  readonly retryAfterMs: number | null;
  constructor(
    reason: FetchReason,
    message: string,
    options: { retryAfterMs?: number; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.name = 'FetchError';
    this.reason = reason;
    this.retryAfterMs = options.retryAfterMs ?? null;
  }
}
