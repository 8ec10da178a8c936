import { errors } from 'undici';
import { errorMessage } from '../../kernel/errors.ts';
import { FetchError } from './port.ts';
import {
  checkedUrl,
  internetTransport,
  isAllowed,
  type Resolve,
  simulatorTransport,
  systemResolve,
  tooLarge,
} from './transport.ts';

export interface DownloadOptions {
  /** Hosts that may be asked, also by redirects. */
  readonly hosts: readonly string[];
  readonly userAgent: string;
  /** URL of a simulator that replaces every host; null for the hosts themselves. */
  readonly simulatorUrl: string | null;
  readonly signal: AbortSignal;
  readonly resolve?: Resolve;
  readonly limits?: Partial<DownloadLimits>;
}

/**
 * Downloads a file of any size as a stream, under the same rules as pages: https, listed hosts, public addresses that
 * are checked when connecting.
 * @throws {FetchError} here, or while the body is read.
 */
export const download = async <Result>(
  address: string,
  { hosts, userAgent, simulatorUrl, resolve, signal, ...options }: DownloadOptions,
  read: (download: Download) => Promise<Result>,
): Promise<Result> => {
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const transport =
    simulatorUrl === null
      ? internetTransport(resolve ?? systemResolve, limits.connectMs)
      : simulatorTransport(simulatorUrl, limits.connectMs);
  const until = AbortSignal.any([signal, AbortSignal.timeout(limits.totalMs)]);
  const request = async (url: URL) => {
    const { dispatcher, origin, path } = transport.to(url, null);
    return dispatcher
      .request({
        origin,
        path,
        method: 'GET',
        headers: { accept: '*/*', 'accept-encoding': 'identity', 'user-agent': userAgent },
        headersTimeout: limits.headersMs,
        bodyTimeout: limits.idleMs,
        signal: until,
      })
      .catch((error: unknown) => {
        throw failureOf(error);
      });
  };
  try {
    let url = checkedUrl(address, hosts);
    for (let hops = 0; ; hops++) {
      const { statusCode, headers, body } = await request(url);
      // An unread body emits its early end as an error event. A reader gets the error from its iteration.
      body.on('error', () => undefined);
      const location = headers.location;
      if (REDIRECTS.has(statusCode) && typeof location === 'string') {
        body.destroy();
        const next = URL.canParse(location, url) ? new URL(location, url) : null;
        if (next === null || !isAllowed(next, hosts))
          throw new FetchError(
            'host_refused',
            `Redirected to a host that is not allowed: ${next?.origin ?? 'no URL'}`,
          );
        if (hops === limits.maxRedirects) throw new FetchError('http_error', 'Redirected too often');
        url = next;
        continue;
      }
      if (statusCode !== 200) {
        body.destroy();
        throw new FetchError('http_error', `The server answered with status ${statusCode}`);
      }
      const length = Number(headers['content-length'] ?? Number.NaN);
      if (length > limits.maxBytes) {
        body.destroy();
        throw tooLarge(limits.maxBytes);
      }
      return await read({
        bytes: Number.isSafeInteger(length) ? length : null,
        body: bounded(body as AsyncIterable<Buffer>, limits.maxBytes),
      });
    }
  } finally {
    await transport.close();
  }
};

interface DownloadLimits {
  readonly connectMs: number;
  readonly headersMs: number;
  /** Maximum silence between two chunks. */
  readonly idleMs: number;
  /** Total time for the body. */
  readonly totalMs: number;
  readonly maxBytes: number;
  readonly maxRedirects: number;
}

const DEFAULT_LIMITS: DownloadLimits = {
  connectMs: 10_000,
  headersMs: 30_000,
  idleMs: 30_000,
  totalMs: 2 * 3_600_000,
  maxBytes: 4 * 1024 ** 3,
  maxRedirects: 5,
};

/** A file that is being received. */
interface Download {
  /** Null if the server does not say. */
  readonly bytes: number | null;
  /** The raw bytes, not decoded. */
  readonly body: AsyncIterable<Buffer>;
}

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

const failureOf = (error: unknown): FetchError => {
  if (error instanceof FetchError) return error;
  if (
    error instanceof errors.HeadersTimeoutError ||
    error instanceof errors.BodyTimeoutError ||
    error instanceof errors.ConnectTimeoutError ||
    (error as Error).name === 'TimeoutError'
  )
    return new FetchError('timeout', errorMessage(error), { cause: error });
  if ((error as Error).name === 'AbortError')
    return new FetchError('aborted', 'The download was stopped', { cause: error });
  return new FetchError('http_error', errorMessage(error), { cause: error });
};

async function* bounded(
  body: AsyncIterable<Buffer>,
  maxBytes: number,
): AsyncGenerator<Buffer, void, undefined> {
  let size = 0;
  try {
    for await (const chunk of body) {
      size += chunk.length;
      if (size > maxBytes) throw tooLarge(maxBytes);
      yield chunk;
    }
  } catch (error) {
    throw failureOf(error);
  }
}
