import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

export interface Sealed {
  readonly keyId: string;
  readonly sealed: Buffer;
}

/** The first key seals, all open. */
export interface Keyring {
  /** @param context what the secret belongs to: it opens for that only. */
  seal(context: string, secret: string): Sealed;
  /** Null if no key of the ring opens it. */
  open(context: string, sealed: Sealed): string | null;
  /** Whether the ring has the key. */
  has(keyId: string): boolean;
  /** ID of the key that seals. */
  readonly keyId: string;
}

const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** A key with the digest that names it. */
const named = (text: string) => {
  const key = Buffer.from(text, 'base64');
  return {
    key,
    id: createHash('sha256').update('sightline sealing key').update(key).digest('hex').slice(0, 16),
  };
};

/**
 * AES-256-GCM, with the context as additional data.
 * @param newest the key that seals, and further ones that open: base64 of 32 bytes each.
 */
export const createKeyring = ([newest, ...older]: readonly [string, ...string[]]): Keyring => {
  const first = named(newest);
  const keys = [first, ...older.map(named)];
  return {
    keyId: first.id,
    has: (id) => keys.some((key) => key.id === id),
    seal: (context, secret) => {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv(CIPHER, first.key, iv).setAAD(Buffer.from(context));
      const body = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
      return { keyId: first.id, sealed: Buffer.concat([iv, body, cipher.getAuthTag()]) };
    },
    open: (context, { keyId, sealed }) => {
      const key = keys.find(({ id }) => id === keyId);
      if (key === undefined || sealed.length < IV_BYTES + TAG_BYTES) return null;
      const decipher = createDecipheriv(CIPHER, key.key, sealed.subarray(0, IV_BYTES))
        .setAAD(Buffer.from(context))
        .setAuthTag(sealed.subarray(-TAG_BYTES));
      try {
        return Buffer.concat([
          decipher.update(sealed.subarray(IV_BYTES, -TAG_BYTES)),
          decipher.final(),
        ]).toString();
      } catch {
        return null;
      }
    },
  };
};
