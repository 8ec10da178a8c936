import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ServiceError } from '../../kernel/errors/service-error.ts';
import type { RateLimit } from '../pipeline/rate-limit.ts';

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

/** A document in one encoding, each with its own ETag, since their bytes differ. */
interface Encoded {
  readonly bytes: Buffer;
  readonly tag: string;
  readonly encoding: string | null;
}

const COMPRESS = {
  br: (bytes: Buffer) => brotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } }),
  gzip: (bytes: Buffer) => zip(bytes),
} as const;

/** The best encoding that a caller accepts (RFC 9110, 12.5.3); null for identity. */
const encodingOf = (header: string | undefined): keyof typeof COMPRESS | null => {
  const weights = new Map<string, number>();
  for (const part of (header ?? '').split(',')) {
    const [name = '', ...parameters] = part.split(';').map((each) => each.trim().toLowerCase());
    const weight = parameters.find((each) => each.startsWith('q='))?.slice(2);
    weights.set(name, weight === undefined ? 1 : Number(weight));
  }
  const takes = (name: string) => (weights.get(name) ?? weights.get('*') ?? 0) > 0;
  return takes('br') ? 'br' : takes('gzip') ? 'gzip' : null;
};

/**
 * Serves an immutable document: compressed once per encoding, on first request, with conditional requests.
 * @param limit bounds the bytes per address.
 */
export const serveDocument = (text: string, type: string, limit: RateLimit) => {
  const plain = Buffer.from(text);
  const digest = createHash('sha256').update(plain).digest('base64url').slice(0, 22);
  const made = new Map<string, Promise<Encoded>>();
  const encoded = (encoding: keyof typeof COMPRESS | null): Promise<Encoded> => {
    const name = encoding ?? 'plain';
    let found = made.get(name);
    if (found === undefined) {
      found = (encoding === null ? Promise.resolve(plain) : COMPRESS[encoding](plain)).then((bytes) => ({
        bytes,
        tag: encoding === null ? `"${digest}"` : `"${digest}-${encoding}"`,
        encoding,
      }));
      made.set(name, found);
    }
    return found;
  };
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { bytes, tag, encoding } = await encoded(encodingOf(request.headers['accept-encoding']));
    reply.header('etag', tag).header('vary', 'Accept-Encoding');
    const known = request.headers['if-none-match']?.split(',').map((each) => each.trim().replace(/^W\//, ''));
    if (known?.some((each) => each === tag || each === '*')) return reply.code(304).send();
    if (!limit.take(request.ip, bytes.length)) {
      throw new ServiceError('rate_limited', 'Too many bytes were sent to your address in this second.', {
        retryAfterS: 1,
      });
    }
    if (encoding !== null) reply.header('content-encoding', encoding);
    return reply.type(type).send(bytes);
  };
};
