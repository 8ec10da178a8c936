import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { ServiceError } from '../kernel/errors/service-error.ts';

/** A secret that signs cursors. */
interface CursorSecret {
  readonly id: string;
  readonly secret: Buffer;
}

/** Current secrets: the first signs, all verify. */
export type CursorSecrets = () => readonly CursorSecret[];

/** Resume position of a list: sort values of the last returned row. */
export type CursorPosition = readonly (string | number)[];

const positionSchema = z.array(z.union([z.string(), z.number()])).min(1);
const TAG_BYTES = 32;
const DIGEST_BYTES = 12;

/** What a cursor is bound to: the list, and everything that affects its rows or order. */
export const cursorScope = (route: string, filters: Readonly<Record<string, unknown>>): string => {
  const canonical = Object.entries(filters)
    .filter(([, value]) => value !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256')
    .update(JSON.stringify([route, canonical]))
    .digest()
    .subarray(0, DIGEST_BYTES)
    .toString('base64url');
};

const sign = (secret: CursorSecret, payload: Buffer): Buffer =>
  createHmac('sha256', secret.secret).update(payload).digest();

export const createCursors = (secrets: CursorSecrets) => ({
  /** base64url of `[secret id, scope, …position]` and its HMAC-SHA-256. */
  encode: (scope: string, position: CursorPosition): string => {
    const secret = secrets()[0];
    if (secret === undefined)
      throw new ServiceError('service_unavailable', 'No cursor secret yet.', { retryAfterS: 1 });
    const payload = Buffer.from(JSON.stringify([secret.id, scope, ...position]));
    return Buffer.concat([payload, sign(secret, payload)]).toString('base64url');
  },

  /** @throws {ServiceError} `cursor_invalid` for anything that `encode` did not return for this scope. */
  decode: (scope: string, cursor: string): CursorPosition => {
    const refuse = (internal: string) =>
      new ServiceError(
        'cursor_invalid',
        'This cursor does not belong to this list. Restart without `cursor`.',
        {
          internal,
        },
      );
    const bytes = Buffer.from(cursor, 'base64url');
    // Decoding is lenient; only the canonical spelling is accepted.
    if (bytes.length <= TAG_BYTES || bytes.toString('base64url') !== cursor) throw refuse('malformed');
    const payload = bytes.subarray(0, -TAG_BYTES);
    const tag = bytes.subarray(-TAG_BYTES);
    const secret = secrets().find((known) => timingSafeEqual(sign(known, payload), tag));
    if (secret === undefined) throw refuse('no secret verifies it');
    const [id, bound, ...position] = JSON.parse(payload.toString()) as [string, string, ...unknown[]];
    if (id !== secret.id) throw refuse('made with another secret');
    if (bound !== scope) throw refuse('issued for another list or other filters');
    return positionSchema.parse(position);
  },
});

export type Cursors = ReturnType<typeof createCursors>;
