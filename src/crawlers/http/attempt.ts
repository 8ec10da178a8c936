import type { IncomingHttpHeaders } from 'node:http';
import { type Dispatcher, errors } from 'undici';
import { errorMessage } from '../../kernel/errors.ts';
import { ACCEPT_ENCODING, decode, decompress, free, tooLarge } from './body.ts';
import { abortError, FetchError, type Page } from './port.ts';
import type { HttpTransport } from './transport.ts';

/** A request and its timeouts. */
interface ExchangeOptions {
  readonly dispatcher: Dispatcher;
  readonly origin: string;
  readonly path: string;
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  /** Timeout of connecting. */
  readonly connectMs: number;
  /** Timeout from connecting to the headers. */
  readonly headersMs: number;
  /** Total time for the body. */
  readonly bodyMs: number;
  /** On the wire, compressed. */
  readonly maxBytes: number;
  readonly signal?: AbortSignal | undefined;
}

interface Exchanged {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly raw: Buffer;
  /** Frees the memory of the response, `raw` included. */
  release(): void;
}

/** A part of the response timed out. */
class ResponseTimeoutError extends Error {
  readonly part: 'headers' | 'body';
  constructor(part: 'headers' | 'body') {
    super(`the ${part} timed out`);
    this.part = part;
  }
}

const flat = (headers: IncomingHttpHeaders): Record<string, string> => {
  const out: Record<string, string> = {};
  for (const name in headers) {
    const value = headers[name];
    if (value !== undefined) out[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return out;
};

/**
 * Sends a request and collects the response from the socket, without a stream in between, which would cost more
 * than parsing.
 */
const exchange = (options: ExchangeOptions): Promise<Exchanged> =>
  new Promise((resolve, reject) => {
    const { dispatcher, origin, path, method, headers, body, signal } = options;
    let controller: Dispatcher.DispatchController | undefined;
    let over = false;
    const end = () => {
      over = true;
      clearTimeout(timer);
      signal?.removeEventListener('abort', giveUp);
    };
    const fail = (error: Error) => {
      if (over) return;
      end();
      controller?.abort(error);
      reject(error);
    };
    const giveUp = () => fail(abortError(signal as AbortSignal));
    let timer = setTimeout(
      () => fail(new ResponseTimeoutError('headers')),
      options.connectMs + options.headersMs,
    );
    const parts: Buffer[] = [];
    let size = 0;
    let status = 0;
    let received: Record<string, string> = {};
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart: (started) => {
        controller = started;
        // It timed out, or was aborted, while waiting for a connection.
        if (over) {
          started.abort(new ResponseTimeoutError('headers'));
          return;
        }
        clearTimeout(timer);
        timer = setTimeout(() => fail(new ResponseTimeoutError('headers')), options.headersMs);
      },
      onResponseStart: (_controller, statusCode, responseHeaders) => {
        // Informational responses (103 Early Hints) are ignored.
        if (statusCode < 200) return;
        clearTimeout(timer);
        timer = setTimeout(() => fail(new ResponseTimeoutError('body')), options.bodyMs);
        status = statusCode;
        received = flat(responseHeaders);
      },
      onResponseData: (_controller, chunk) => {
        size += chunk.length;
        if (size > options.maxBytes) fail(tooLarge(options.maxBytes));
        else parts.push(chunk);
      },
      onResponseEnd: () => {
        if (over) return;
        end();
        const raw = parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts, size);
        const release = () => {
          for (const part of parts) free(part);
          free(raw);
        };
        resolve({ status, headers: received, raw, release });
      },
      onResponseError: (_controller, error) => fail(error),
    };
    signal?.addEventListener('abort', giveUp, { once: true });
    if (signal?.aborted === true) {
      giveUp();
      return;
    }
    try {
      dispatcher.dispatch(
        { origin, path, method, headers, body, headersTimeout: 0, bodyTimeout: 0 },
        handler,
      );
    } catch (error) {
      fail(error as Error);
    }
  });

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
