import { createPublicKey, generateKeyPairSync, sign } from 'node:crypto';
import { expect, it } from 'vitest';
import { checkReceipt } from '../../../src/operations/subjects/receipts.ts';

const { privateKey } = generateKeyPairSync('ed25519');
const jwkOf = (key: typeof privateKey) => ({
  ...createPublicKey(key as never).export({ format: 'jwk' }),
  kid: 'one',
  alg: 'EdDSA',
  use: 'sig',
});
const keys = (...all: (typeof privateKey)[]) => JSON.stringify({ keys: all.map(jwkOf) });

const receipt = {
  subject: 'ab'.repeat(32),
  state: 'forgotten',
  rows: { 'crawl.demand': 1 },
  issued_at: '2026-11-29T00:00:00.000Z',
};
const signedBy = (key: typeof privateKey, said: object = receipt) =>
  JSON.stringify(
    {
      receipt: said,
      signature: sign(null, Buffer.from(JSON.stringify(said)), key).toString('base64url'),
      key: jwkOf(key),
    },
    null,
    2,
  );

it('a receipt is confirmed by the published key that signed it, however its file is indented', () => {
  const { privateKey: older } = generateKeyPairSync('ed25519');
  expect(checkReceipt(signedBy(privateKey), keys(older, privateKey))).toEqual({
    subject: receipt.subject,
    state: 'forgotten',
    issued_at: receipt.issued_at,
    kid: 'one',
  });
});

it('a receipt is refused if another installation signed it, whatever key stands in it, or if one field was changed', () => {
  const { privateKey: other } = generateKeyPairSync('ed25519');
  expect(() => checkReceipt(signedBy(other), keys(privateKey))).toThrow('None of the keys signed');
  const text = signedBy(privateKey);
  for (const field of Object.keys(receipt)) {
    const file = JSON.parse(text);
    file.receipt[field] = field === 'rows' ? {} : `${file.receipt[field]}x`;
    expect(() => checkReceipt(JSON.stringify(file), keys(privateKey)), field).toThrow(
      'None of the keys signed',
    );
  }
});

it.each(['', '{}', '[]', 'null', '{"keys":[{"kty":"RSA"}]}'])('%s is neither a receipt nor keys', (text) => {
  expect(() => checkReceipt(text, keys(privateKey))).toThrow('This is no receipt');
  expect(() => checkReceipt(signedBy(privateKey), text)).toThrow('These are no keys of receipts');
});
