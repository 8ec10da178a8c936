import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';
import { ServiceError } from '../../kernel/errors.ts';
import type { RateLimit } from '../pipeline/rate-limit.ts';

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

/** A document in one encoding, each with its own ETag, since their bytes differ. */
interface Encoded {
  readonly bytes: Buffer;
  readonly tag: string;
}

/** By their size. */
const ENCODINGS = ['br', 'gzip', 'identity'] as const;
type Encoding = (typeof ENCODINGS)[number];

const ENCODE: Readonly<Record<Encoding, (bytes: Buffer) => Promise<Buffer>>> = {
  br: (bytes) => brotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } }),
  gzip: (bytes) => zip(bytes),
  identity: (bytes) => Promise.resolve(bytes),
};

/** The smallest that the caller takes. */
const encodingOf = (request: FastifyRequest): Encoding => {
  const taken = new Negotiator(request).encodings([...ENCODINGS]);
  return ENCODINGS.find((each) => taken.includes(each)) ?? 'identity';
};

/**
 * Serves an immutable document: compressed once per encoding, on first request, with conditional requests. The plug-in for
 * compression would do it for each request, which anybody can send without a key.
 * @param limit bounds the bytes per address.
 */
export const serveDocument = (text: string, type: string, limit: RateLimit) => {
  const plain = Buffer.from(text);
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
    reply.header('etag', tag).header('vary', 'Accept-Encoding');
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
