import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';
import { ServiceError } from '../../kernel/errors.ts';
import { GUIDE, GUIDE_TEXT, LLMS, PAGE, SCRIPT } from '../description/docs-paths.ts';
import type { RateLimit } from './throttle.ts';

/** A file of the reference, rendered. */
export interface DocsFile {
  readonly url: string;
  readonly text: string;
  readonly type: string;
}

export const DOCS_PATHS = [PAGE, SCRIPT, GUIDE, GUIDE_TEXT, LLMS] as const;

/**
 * Headers of what a browser may show. Keys are typed into the reference, so that it runs only what is served here and the
 * scripts that are in the page, sends to nobody else, and is in nobody's frame.
 */
const guardsOf = (text: string, type: string): Readonly<Record<string, string>> => {
  const page = type.startsWith('text/html') ? text : '';
  const scripts = [...page.matchAll(/<script(?![^>]*\ssrc=)[^>]*>(.*?)<\/script>/gs)].map(
    ([, script]) =>
      `'sha256-${createHash('sha256')
        .update(script as string)
        .digest('base64')}'`,
  );
  const policy = [
    `default-src 'none'`,
    `script-src ${["'self'", ...scripts].join(' ')}`,
    // The reference writes its own styles into the page.
    `style-src 'unsafe-inline'`,
    `img-src 'self' data:`,
    `font-src 'self' data:`,
    `connect-src 'self'`,
    `base-uri 'none'`,
    `form-action 'none'`,
    `frame-ancestors 'none'`,
  ].join('; ');
  return {
    'content-security-policy': policy,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
  };
};

/** Calls `make` once, and again only after a failure. */
export const onceMade = <T>(make: () => Promise<T>): (() => Promise<T>) => {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
};

/** `/docs`: the interactive API reference, and the guide; everything they load is served from here. */
export const registerDocsPage = (app: FastifyInstance, limit: RateLimit): void => {
  const serving = onceMade(
    async (): Promise<ReadonlyMap<string, Serve>> =>
      new Map((await docsFiles()).map(({ url, text, type }) => [url, serveDocument(text, type, limit)])),
  );
  for (const url of DOCS_PATHS) {
    app.get(url, async (request, reply) => {
      // Links of the page are relative to it.
      if (url === PAGE && request.url.split('?')[0] === '/docs') return reply.redirect(PAGE, 301);
      const serve = (await serving()).get(url);
      if (serve === undefined) throw new Error(`the API reference has no ${url}`);
      return serve(request, reply);
    });
  }
};

/**
 * Serves an immutable document with conditional requests, compressed once per encoding on first use. The compression
 * plugin would compress it for every request, which anybody can send without a key.
 * @param limit bounds the bytes per address.
 */
export const serveDocument = (text: string, type: string, limit: RateLimit) => {
  const plain = Buffer.from(text);
  const guards = guardsOf(text, type);
  const digest = createHash('sha256').update(plain).digest('base64url').slice(0, 22);
  const made = new Map<Encoding, Promise<Encoded>>();
  const encoded = (encoding: Encoding): Promise<Encoded> => {
    let found = made.get(encoding);
    if (found === undefined) {
      found = ENCODE[encoding](plain).then((bytes) => ({
        bytes,
        tag: encoding === 'identity' ? `"${digest}"` : `"${digest}-${encoding}"`,
      }));
      made.set(encoding, found);
    }
    return found;
  };
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const encoding = encodingOf(request);
    const { bytes, tag } = await encoded(encoding);
    reply.headers(guards).header('etag', tag).header('vary', 'Accept-Encoding');
    const known = request.headers['if-none-match']?.split(',').map((each) => each.trim().replace(/^W\//, ''));
    if (known?.some((each) => each === tag || each === '*')) return reply.code(304).send();
    if (!limit.take(request.ip, bytes.length)) {
      throw new ServiceError('rate_limited', 'Too many bytes were sent to your address in this second.', {
        retryAfterS: 1,
      });
    }
    if (encoding !== 'identity') reply.header('content-encoding', encoding);
    return reply.type(type).send(bytes);
  };
};

const RENDERER = new URL('./docs-files.worker.ts', import.meta.url);

/** Renders the files in a thread, since it takes a few hundred milliseconds in which no response may wait. */
const renderFiles = async (): Promise<readonly DocsFile[]> => {
  const worker = new Worker(RENDERER);
  // Rejects with the thread's error if it fails.
  const [files] = (await once(worker, 'message')) as [readonly DocsFile[]];
  return files;
};

/** Rendered on the first request, since most processes never serve the page. */
const docsFiles = onceMade(renderFiles);

type Serve = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

/** A document in one encoding, each with its own ETag, since their bytes differ. */
interface Encoded {
  readonly bytes: Buffer;
  readonly tag: string;
}

/** Encodings, the smallest result first. */
const ENCODINGS = ['br', 'gzip', 'identity'] as const;
type Encoding = (typeof ENCODINGS)[number];

const ENCODE: Readonly<Record<Encoding, (bytes: Buffer) => Promise<Buffer>>> = {
  br: (bytes) => brotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } }),
  gzip: (bytes) => zip(bytes),
  identity: (bytes) => Promise.resolve(bytes),
};

/** The smallest encoding that the caller accepts. */
const encodingOf = (request: FastifyRequest): Encoding => {
  const taken = new Negotiator(request).encodings([...ENCODINGS]);
  return ENCODINGS.find((each) => taken.includes(each)) ?? 'identity';
};
