import { errors } from 'undici';
import { messageOf } from '../../kernel/errors.ts';
import { ACCEPT_ENCODING, decode, decompress } from './body.ts';
import { exchange, Late } from './exchange.ts';
import { FetchFailure, type Page } from './port.ts';
import type { Route } from './route.ts';

export interface Limits {
  readonly connectMs: number;
  readonly headersMs: number;
  /** For the whole body, however steadily it drips. */
  readonly bodyMs: number;
  /** After decompression. */
  readonly maxBytes: number;
  readonly maxRedirects: number;
  readonly retries: number;
}

/** One request to one address, ready to be sent. */
export interface Outgoing {
  readonly url: URL;
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

/** A failure of one attempt, and whether the same request may be sent again. */
export class AttemptFailure extends Error {
  readonly failure: FetchFailure;
  readonly repeatable: boolean;
  constructor(failure: FetchFailure, repeatable: boolean) {
    super(failure.message, { cause: failure });
    this.failure = failure;
    this.repeatable = repeatable;
  }
}

/**
 * Sends one request and reads its answer whole, following nothing.
 * @throws {AttemptFailure}
 */
export const attempt = async (outgoing: Outgoing, route: Route, limits: Limits): Promise<Page> => {
  try {
    const { status, headers, raw } = await exchange({
      ...route.to(outgoing.url),
      method: outgoing.method,
      headers: { 'accept-encoding': ACCEPT_ENCODING, ...outgoing.headers },
      body: outgoing.body,
      connectMs: limits.connectMs,
      headersMs: limits.headersMs,
      bodyMs: limits.bodyMs,
      maxBytes: limits.maxBytes,
    });
    const data = await decompress(raw, headers['content-encoding'], limits.maxBytes);
    return {
      url: outgoing.url.href,
      status,
      headers,
      body: decode(data, headers['content-type']),
      bytes: data.length,
    };
  } catch (error) {
    throw failureOf(error, outgoing);
  }
};

/** Errors that came before anything was sent: even a POST may be sent again. */
const UNSENT = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'ENETUNREACH', 'EHOSTUNREACH']);

const failureOf = (error: unknown, { url, method }: Outgoing): AttemptFailure => {
  const where = `${method} ${url.origin}${url.pathname}`;
  if (error instanceof Late || error instanceof errors.ConnectTimeoutError) {
    const message = `${where}: ${error.message}`;
    return new AttemptFailure(new FetchFailure('timeout', message, { cause: error }), false);
  }
  if (error instanceof FetchFailure)
    return new AttemptFailure(error, error.reason === 'http_error' && method === 'GET');
  if (error instanceof errors.ClientDestroyedError || error instanceof errors.ClientClosedError) {
    return new AttemptFailure(
      new FetchFailure('aborted', `${where}: closed meanwhile`, { cause: error }),
      false,
    );
  }
  const code = (error as NodeJS.ErrnoException | null)?.code ?? '';
  const failure = new FetchFailure('http_error', `${where}: ${messageOf(error)}`, { cause: error });
  return new AttemptFailure(failure, method === 'GET' || UNSENT.has(code));
};
