import { expect, it } from 'vitest';
import { RECEIPT_KEYS_PATH } from '../../../src/api/plugins/receipt-keys.ts';
import { checkReceipt, receiptOf } from '../../../src/operations/subjects/receipts.ts';
import { makeMarker } from '../../../src/write/erasure/open-fence.ts';
import { createTestProgram } from '../../support/program.ts';

it('keys that receipts are signed with are published without a key, from the first erasure on', async () => {
  const program = await createTestProgram({ privacy: { PRIVACY_PAGE: 'off' } });
  try {
    const read = () => program.app.inject({ method: 'GET', url: RECEIPT_KEYS_PATH });
    expect((await read()).json()).toEqual({ keys: [] });
    await makeMarker(program.database.db, program.subjects.config.ERASURE_KEY);
    const { statusCode, headers, payload } = await read();
    expect(statusCode).toBe(200);
    expect(headers['cache-control']).toBe('public, max-age=300');
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
    const { keys } = JSON.parse(payload);
    expect(keys).toMatchObject([{ kty: 'OKP', crv: 'Ed25519', alg: 'EdDSA', use: 'sig' }]);
    expect(keys[0]).not.toHaveProperty('d');
    const state = { subject: 'ab'.repeat(32), state: 'forgotten' };
    const receipt = JSON.stringify(await receiptOf(program.subjects, state as never));
    expect(checkReceipt(receipt, payload)).toMatchObject({ ...state, kid: keys[0].kid });
    expect((await program.app.inject({ method: 'POST', url: RECEIPT_KEYS_PATH })).statusCode).toBe(405);
    const answers = await Promise.all(Array.from({ length: 80 }, read));
    expect(answers.map((answer) => answer.statusCode)).toContain(429);
  } finally {
    await program.close();
  }
});
