import type { FastifyInstance } from 'fastify';
import { ServiceError } from '../../kernel/errors.ts';
import type { Services } from '../services.ts';
import { createRateLimit } from './throttle.ts';

export const RECEIPT_KEYS_PATH = '/.well-known/sightline-keys.json';

/** Requests per address and second. */
const MAX_REQUESTS = 60;
/** The key never changes, but there is none before the first erasure. */
const MAX_AGE_S = 300;

/** The public keys that receipts of erasures are signed with, as a JSON Web Key Set (RFC 7517). Nobody needs a key for them. */
export const registerReceiptKeys = (
  app: FastifyInstance,
  { receiptKeys }: Pick<Services, 'receiptKeys'>,
): void => {
  const limit = createRateLimit(MAX_REQUESTS);
  app.get(RECEIPT_KEYS_PATH, async (request, reply) => {
    if (!limit.take(request.ip, 1))
      throw new ServiceError('rate_limited', 'Too many requests of your address in this second.');
    return reply
      .header('cache-control', `public, max-age=${MAX_AGE_S}`)
      .type('application/json; charset=utf-8')
      .send({ keys: await receiptKeys() });
  });
};
