import { createHash, randomBytes } from 'node:crypto';

const format = (b: Buffer): string => {
  const hex = b.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`;
};

// Random bytes are drawn in bulk: a system call per ID would be noticeable on the append path.
let pool = Buffer.alloc(0);
let used = 0;
const draw = (n: number): Buffer => {
  if (used + n > pool.length) {
    pool = randomBytes(4096);
    used = 0;
  }
  used += n;
  return pool.subarray(used - n, used);
};

/** A UUIDv7 (RFC 9562): ordered by the given millisecond, random below it. */
export const uuidV7 = (nowMs: number): string => {
  const b = Buffer.alloc(16);
  b.writeUIntBE(nowMs, 0, 6);
  draw(10).copy(b, 6);
  b[6] = ((b[6] as number) & 0x0f) | 0x70;
  b[8] = ((b[8] as number) & 0x3f) | 0x80;
  return format(b);
};

/** Namespace of Sightline's name-based IDs; a random constant. */
const NAMESPACE = Buffer.from('5f1d3c0a8a6e4d1b9c7e2b4f6a8d0c13', 'hex');

/** A UUIDv5 (RFC 9562) of a cause. The same cause gives the same ID, so that a retry is the same event. */
export const uuidV5 = (cause: string): string => {
  const b = createHash('sha1').update(NAMESPACE).update(cause).digest().subarray(0, 16);
  b[6] = ((b[6] as number) & 0x0f) | 0x50;
  b[8] = ((b[8] as number) & 0x3f) | 0x80;
  return format(b);
};

/** `req_` and 32 hex digits. */
export const requestId = (): string => `req_${draw(16).toString('hex')}`;
