import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import { free, tooLarge } from './body.ts';
import { abortError } from './port.ts';

/** A request and its timeouts. */
export interface ExchangeOptions {
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

export interface Exchanged {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly raw: Buffer;
  /** Frees the memory of the response, `raw` included. */
  release(): void;
}

/** A part of the response timed out. */
export class ResponseTimeoutError extends Error {
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
export const exchange = (options: ExchangeOptions): Promise<Exchanged> =>
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
