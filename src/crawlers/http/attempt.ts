import { errors } from 'undici';
import { errorMessage } from '../../kernel/errors/error-message.ts';
import { ACCEPT_ENCODING, decode, decompress, free } from './body.ts';
import { exchange, ResponseTimeoutError } from './exchange.ts';
import { FetchError, type Page } from './port.ts';
import type { HttpTransport } from './transport.ts';

export interface Limits {
  readonly connectMs: number;
  readonly headersMs: number;
  /** Total time for the body. */
  readonly bodyMs: number;
  /** After decompression. */
  readonly maxBytes: number;
  readonly maxRedirects: number;
  readonly retries: number;
}

/** A request ready to be sent. */
export interface Outgoing {
  readonly url: URL;
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  readonly proxy: string | null;
  /** Further attempts at most. */
  readonly retries: number;
}

/** A failed attempt, and whether the same request may be retried. */
export class AttemptError extends Error {
  readonly failure: FetchError;
  readonly idempotent: boolean;
  constructor(failure: FetchError, idempotent: boolean) {
    super(failure.message, { cause: failure });
    this.failure = failure;
    this.idempotent = idempotent;
  }
}

/**
 * Sends one request and reads the whole response; follows no redirect.
 * @throws {AttemptError}
 */
export const attempt = async (
  outgoing: Outgoing,
  route: HttpTransport,
  limits: Limits,
  signal?: AbortSignal,
): Promise<Page> => {
  try {
    const { status, headers, raw, release } = await exchange({
      ...route.to(outgoing.url, outgoing.proxy),
      method: outgoing.method,
      headers: { 'accept-encoding': ACCEPT_ENCODING, ...outgoing.headers },
      body: outgoing.body,
      connectMs: limits.connectMs,
      headersMs: limits.headersMs,
      bodyMs: limits.bodyMs,
      maxBytes: limits.maxBytes,
      signal,
    });
    const data = await decompress(raw, headers['content-encoding'], limits.maxBytes);
    const page = {
      url: outgoing.url.href,
      status,
      headers,
      body: decode(data, headers['content-type']),
      bytes: data.length,
    };
    free(data);
    release();
    return page;
  } catch (error) {
    throw failureOf(error, outgoing);
  }
};

/** Errors raised before anything was sent: even a POST may be retried. */
const UNSENT = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'ENETUNREACH', 'EHOSTUNREACH']);

const failureOf = (error: unknown, { url, method }: Outgoing): AttemptError => {
  const where = `${method} ${url.origin}${url.pathname}`;
  if (error instanceof ResponseTimeoutError || error instanceof errors.ConnectTimeoutError) {
    const message = `${where}: ${error.message}`;
    return new AttemptError(new FetchError('timeout', message, { cause: error }), false);
  }
  if (error instanceof FetchError)
    return new AttemptError(error, error.reason === 'http_error' && method === 'GET');
  if (error instanceof errors.ClientDestroyedError || error instanceof errors.ClientClosedError) {
    return new AttemptError(new FetchError('aborted', `${where}: client closed`, { cause: error }), false);
  }
  const code = (error as NodeJS.ErrnoException | null)?.code ?? '';
  const failure = new FetchError('http_error', `${where}: ${errorMessage(error)}`, { cause: error });
  return new AttemptError(failure, method === 'GET' || UNSENT.has(code));
};
