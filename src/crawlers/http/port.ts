import type { Platform } from '../../kernel/platform.ts';

/** One request to a platform. Addresses are always the real platform's: a seam decides where they lead. */
export interface HttpRequest {
  readonly platform: Platform;
  readonly url: string;
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** An answer, whatever its status. */
export interface Page {
  /** The address that answered, after redirects. */
  readonly url: string;
  readonly status: number;
  /** Lower-case names. A redirect to a host that is not the platform's, or one too many, is not followed: its `location` is here. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Bytes of the body after decompression. */
  readonly bytes: number;
}

/** The one seam through which crawlers reach the outside world: live, record or replay. */
export interface Http {
  /** @throws {FetchError} where no usable answer came. */
  fetch(request: HttpRequest): Promise<Page>;
  close(): Promise<void>;
}

/** Waited for before a request is sent once more, or on to another address. What it throws ends the fetch. */
export type Permit = () => Promise<void>;

/** A seam that may send several requests for one that it is asked for. */
export interface Transport {
  /** @throws {FetchError} where no usable answer came. */
  fetch(request: HttpRequest, permit?: Permit): Promise<Page>;
  close(): Promise<void>;
}

export type FetchReason =
  | 'timeout'
  | 'http_error'
  | 'rate_limited'
  | 'too_large'
  | 'host_refused'
  | 'not_recorded'
  /** Nothing was sent: all requests to the platform wait, until the failure's `retryAfterMs` is over. */
  | 'paused'
  /** Nothing was sent: what would have answered gave false verdicts of late. */
  | 'distrusted'
  | 'aborted';

/** No usable answer: why, and how long the platform asked to wait where it said so. */
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
