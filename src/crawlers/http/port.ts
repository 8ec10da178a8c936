import type { Platform } from '../../kernel/platform.ts';

/** A request to a platform, or another source. URLs are always the real ones; the transport decides where they lead. */
export interface HttpRequest<Source extends string = Platform> {
  readonly platform: Source;
  readonly url: string;
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** For requests that need a session: the operation to count it for, and the ID of a particular session, if any. */
  readonly session?: { readonly operation: string; readonly id?: string | null };
  /** Name of the proxy to send it through; by default one that the platform has, if any. */
  readonly proxy?: string;
  /** The plain response to this request, if its scripts are to be run and the rendered page returned. */
  readonly render?: Page;
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
  /** ID of the session that sent the request, if one did. */
  readonly session?: string;
}

/** Port through which crawlers reach the outside world: live, recording or playback. */
export interface Http {
  /** @throws {FetchError} if there is no usable response. */
  fetch(request: HttpRequest): Promise<Page>;
  close(): Promise<void>;
}

/** Awaited before each retry and redirect. An error ends the fetch. */
export type Permit = () => Promise<void>;

export interface TransportOptions {
  readonly permit?: Permit;
  /** Ends the fetch. If its reason is a `FetchError`, that is thrown. */
  readonly signal?: AbortSignal | undefined;
}

/** HTTP that may send several requests for one fetch. */
export interface Transport<Source extends string = Platform> {
  /** @throws {FetchError} if there is no usable response. */
  fetch(request: HttpRequest<Source>, options?: TransportOptions): Promise<Page>;
  close(): Promise<void>;
}

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

/** The error with which a fired signal ends a fetch. */
export const abortError = (signal: AbortSignal): FetchError =>
  signal.reason instanceof FetchError
    ? signal.reason
    : new FetchError('aborted', 'Aborted before the response');

/** The result, unless the signal fires first. */
export const unlessFired = async <T>(signal: AbortSignal | undefined, asked: Promise<T>): Promise<T> => {
  if (signal === undefined) return asked;
  let giveUp = (): void => undefined;
  const given = new Promise<never>((_, reject) => {
    giveUp = () => reject(abortError(signal));
    signal.addEventListener('abort', giveUp, { once: true });
    if (signal.aborted) giveUp();
  });
  try {
    return await Promise.race([asked, given]);
  } finally {
    signal.removeEventListener('abort', giveUp);
  }
};

/** A proxy that an operator configured. */
export interface ProxyServer {
  readonly name: string;
  /** `http://` or `https://` with host and port, without credentials. */
  readonly url: string;
  /** Value of the header `Proxy-Authorization`; null without credentials. */
  readonly authorization: string | null;
  /** Platforms that are read through it. */
  readonly platforms: readonly Platform[];
  /** Certificate authorities to trust for platforms instead of the public ones; for tests. */
  readonly ca?: string;
}

type FetchReason =
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
  /** Not sent: it takes a session, and none is configured. */
  | 'no_session'
  /** It takes a session, and none is accepted by the platform or can be opened. */
  | 'session_unusable'
  /** Not sent: all sessions rest until the failure's `retryAfterMs` is over. */
  | 'session_limited'
  /** The proxy could not be used. */
  | 'proxy_failed'
  /** Not sent: the call that it is for has sent as many requests as it may. */
  | 'no_request_left'
  | 'aborted';
