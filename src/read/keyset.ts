/** Keyset pagination: sealed cursors and pages. */

import { createCipheriv, createDecipheriv, createHash, createHmac } from 'node:crypto';
import { z } from 'zod';
import { ServiceError } from '../kernel/errors.ts';

/** A secret that seals cursors. */
interface CursorSecret {
  readonly id: string;
  readonly secret: Buffer;
}

/** Current secrets: the first seals, all open. */
export type CursorSecrets = () => readonly CursorSecret[];

/** Resume position of a list: sort values of the last returned row. */
export type CursorPosition = readonly (string | number)[];

const positionSchema = z.array(z.union([z.string(), z.number()])).min(1);
const DIGEST_BYTES = 12;

/** The scope of a cursor: the list, and everything that affects its rows or order. */
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

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Derived keys: the secret itself is used for nothing else. */
const keyOf = ({ secret }: CursorSecret, use: 'seal' | 'nonce'): Buffer =>
  createHmac('sha256', secret).update(`sightline cursor ${use}`).digest();

/** The nonce follows from the payload, so that an unchanged page keeps its cursor and its ETag. */
const nonceOf = (secret: CursorSecret, payload: Buffer): Buffer =>
  createHmac('sha256', keyOf(secret, 'nonce')).update(payload).digest().subarray(0, NONCE_BYTES);

const positionOf = (payload: Buffer, secret: CursorSecret, scope: string): CursorPosition => {
  const [id, bound, ...position] = JSON.parse(payload.toString()) as [string, string, ...unknown[]];
  if (id !== secret.id) throw refusal('made with another secret');
  if (bound !== scope) throw refusal('issued for another list or other filters');
  return positionSchema.parse(position);
};

const refusal = (internal: string): ServiceError =>
  new ServiceError('cursor_invalid', 'This cursor does not belong to this list. Restart without `cursor`.', {
    internal,
    details: [{ path: 'query.cursor', message: 'not a cursor of this list' }],
  });

/** Decoding is lenient; only the canonical spelling is accepted. */
const bytesOf = (cursor: string): Buffer => {
  const bytes = Buffer.from(cursor, 'base64url');
  if (bytes.length <= NONCE_BYTES + TAG_BYTES || bytes.toString('base64url') !== cursor)
    throw refusal('malformed');
  return bytes;
};

/** The payload of a cursor; null if this secret did not seal it. */
const opened = (secret: CursorSecret, bytes: Buffer): Buffer | null => {
  const decipher = createDecipheriv(CIPHER, keyOf(secret, 'seal'), bytes.subarray(0, NONCE_BYTES));
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  const payload = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES));
  try {
    return Buffer.concat([payload, decipher.final()]);
  } catch {
    return null;
  }
};

/**
 * Cursors of lists. Callers can neither read nor change the position, which may hold a platform's state, such as a session's own
 * cursor.
 */
export const createCursors = (secrets: CursorSecrets) => ({
  /** base64url of a nonce, `[secret id, scope, …position]` by AES-256-GCM, and its tag. */
  encode: (scope: string, position: CursorPosition): string => {
    const secret = secrets()[0];
    if (secret === undefined)
      throw new ServiceError('service_unavailable', 'No cursor secret yet.', { retryAfterS: 1 });
    const payload = Buffer.from(JSON.stringify([secret.id, scope, ...position]));
    const nonce = nonceOf(secret, payload);
    const cipher = createCipheriv(CIPHER, keyOf(secret, 'seal'), nonce);
    const sealed = Buffer.concat([cipher.update(payload), cipher.final()]);
    return Buffer.concat([nonce, sealed, cipher.getAuthTag()]).toString('base64url');
  },

  /** @throws {ServiceError} `cursor_invalid` for anything that `encode` did not return for this scope. */
  decode: (scope: string, cursor: string): CursorPosition => {
    const bytes = bytesOf(cursor);
    for (const secret of secrets()) {
      const payload = opened(secret, bytes);
      if (payload !== null) return positionOf(payload, secret, scope);
    }
    throw refusal('no secret opens it');
  },
});

export type Cursors = ReturnType<typeof createCursors>;

/** A page of a list. */
export interface ListPage<Item> {
  readonly items: readonly Item[];
  /** Position of the next page; null at the end. */
  readonly next: CursorPosition | null;
  /** Time of the oldest reading on the page, ms since 1970; null if there is none. */
  readonly oldestMs: number | null;
}

/** Cuts a page from rows fetched with a limit of one more than the page size. */
export const pageOf = <Row, Item>(
  rows: readonly Row[],
  limit: number,
  read: {
    readonly item: (row: Row) => Item;
    readonly position: (row: Row) => CursorPosition;
    readonly observedMs: (row: Row) => number | null;
  },
): ListPage<Item> => {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  let oldestMs: number | null = null;
  for (const row of shown) {
    const ms = read.observedMs(row);
    if (ms !== null && (oldestMs === null || ms < oldestMs)) oldestMs = ms;
  }
  return {
    items: shown.map(read.item),
    next: rows.length > limit && last !== undefined ? read.position(last) : null,
    oldestMs,
  };
};
