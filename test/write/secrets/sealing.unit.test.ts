import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { createKeyring } from '../../../src/write/secrets.ts';

const key = () => randomBytes(32).toString('base64');

it('a secret opens only with its key, for its purpose, and unchanged', () => {
  const ring = createKeyring([key()]);
  const sealed = ring.seal('session a', 'the secret');
  expect(ring.open('session a', sealed)).toBe('the secret');
  expect(ring.open('session b', sealed)).toBeNull();
  expect(createKeyring([key()]).open('session a', sealed)).toBeNull();
  const changed = Buffer.from(sealed.sealed);
  changed[14] = (changed[14] as number) ^ 1;
  expect(ring.open('session a', { ...sealed, sealed: changed })).toBeNull();
  expect(ring.open('session a', { ...sealed, sealed: Buffer.alloc(3) })).toBeNull();
  expect(sealed.sealed.toString('latin1')).not.toContain('the secret');
});

it('the first key seals, and all of them open', () => {
  const [old, fresh] = [key(), key()];
  const before = createKeyring([old]).seal('c', 's');
  const ring = createKeyring([fresh, old]);
  expect(ring.open('c', before)).toBe('s');
  const after = ring.seal('c', 's');
  expect(after.keyId).toBe(ring.keyId);
  expect(createKeyring([old]).open('c', after)).toBeNull();
  expect(ring.has(before.keyId)).toBe(true);
});

it('the same secret is sealed differently each time', () => {
  const ring = createKeyring([key()]);
  expect(ring.seal('c', 's').sealed.equals(ring.seal('c', 's').sealed)).toBe(false);
});
