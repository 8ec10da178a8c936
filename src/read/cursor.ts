import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';
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

const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const SEAL_BYTES = 16;

/** A key of its own: the secret itself only signs. */
const sealingKey = ({ id, secret }: CursorSecret): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', secret, id, 'sightline sealed cursor', 32));

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
const bytesOf = (cursor: string, overhead: number): Buffer => {
  const bytes = Buffer.from(cursor, 'base64url');
  if (bytes.length <= overhead || bytes.toString('base64url') !== cursor) throw refusal('malformed');
  return bytes;
};

/** The plain text of a sealed cursor; null if this secret did not seal it. */
const unsealed = (secret: CursorSecret, bytes: Buffer): Buffer | null => {
  const decipher = createDecipheriv(CIPHER, sealingKey(secret), bytes.subarray(0, IV_BYTES));
  decipher.setAuthTag(bytes.subarray(-SEAL_BYTES));
  const plain = decipher.update(bytes.subarray(IV_BYTES, -SEAL_BYTES));
  try {
    return Buffer.concat([plain, decipher.final()]);
  } catch {
    return null;
  }
};

export const createCursors = (secrets: CursorSecrets) => {
  const newest = (): CursorSecret => {
    const secret = secrets()[0];
    if (secret === undefined)
      throw new ServiceError('service_unavailable', 'No cursor secret yet.', { retryAfterS: 1 });
    return secret;
  };
  const payloadOf = (secret: CursorSecret, scope: string, position: CursorPosition): Buffer =>
    Buffer.from(JSON.stringify([secret.id, scope, ...position]));

  return {
    /** base64url of `[secret id, scope, …position]` and its HMAC-SHA-256. */
    encode: (scope: string, position: CursorPosition): string => {
      const secret = newest();
      const payload = payloadOf(secret, scope, position);
      return Buffer.concat([payload, sign(secret, payload)]).toString('base64url');
    },

    /** @throws {ServiceError} `cursor_invalid` for anything that `encode` did not return for this scope. */
    decode: (scope: string, cursor: string): CursorPosition => {
      const bytes = bytesOf(cursor, TAG_BYTES);
      const payload = bytes.subarray(0, -TAG_BYTES);
      const tag = bytes.subarray(-TAG_BYTES);
      const secret = secrets().find((known) => timingSafeEqual(sign(known, payload), tag));
      if (secret === undefined) throw refusal('no secret verifies it');
      return positionOf(payload, secret, scope);
    },

    /** As `encode`, with AES-256-GCM: callers can neither change nor read the position. */
    seal: (scope: string, position: CursorPosition): string => {
      const secret = newest();
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv(CIPHER, sealingKey(secret), iv);
      const sealed = Buffer.concat([cipher.update(payloadOf(secret, scope, position)), cipher.final()]);
      return Buffer.concat([iv, sealed, cipher.getAuthTag()]).toString('base64url');
    },

    /** @throws {ServiceError} `cursor_invalid` for anything that `seal` did not return for this scope. */
    unseal: (scope: string, cursor: string): CursorPosition => {
      const bytes = bytesOf(cursor, IV_BYTES + SEAL_BYTES);
      for (const secret of secrets()) {
        const payload = unsealed(secret, bytes);
        if (payload !== null) return positionOf(payload, secret, scope);
      }
      throw refusal('no secret unseals it');
    },
  };
};

export type Cursors = ReturnType<typeof createCursors>;
