import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { quotaOf, registerHolder, usageOf } from '../support/holders.ts';
import { createTestProgram, sighted, type TestProgram } from '../support/program.ts';

const START = new Date(Date.now() - 86_400_000).toISOString();

let program: TestProgram;
let key: string;

beforeAll(async () => {
  program = await createTestProgram();
  key = await registerHolder(program, 'caller', 'growth', START);
  await program.append('x', 'ada', sighted('ada', START, { id: '101', followers: 5 }));
  await program.project();
});
afterAll(() => program.close());

const PATHS = [
  ['a look-up', '/v2/directory/x/ada', 1],
  ['a list', '/v2/directory', 1],
  ['a page that costs by the row', '/v2/directory/changes?limit=1000', 1],
  ['a free answer', '/v2/marketplace/pricing', 1],
] as const;

describe('an answer that the caller already has', () => {
  it.for(PATHS)('costs nothing: %s', async ([, path]) => {
    const first = await program.get(path, key);
    expect(first.status).toBe(200);
    const etag = String(first.headers.etag);
    const before = [quotaOf(first), await usageOf(program, 'caller')] as const;
    const again = await program.get(path, key, { 'if-none-match': `W/"other", ${etag}` });
    expect(again.status).toBe(304);
    const quota = quotaOf(again);
    expect(quota['x-request-cost']).toBe('0');
    expect(quota['x-quota-used']).toBe(before[0]['x-quota-used']);
    const usage = await usageOf(program, 'caller');
    expect([usage.budget_units, usage.live_calls]).toEqual([before[1].budget_units, before[1].live_calls]);
    // What has changed is paid for.
    const changed = await program.get(path, key, { 'if-none-match': 'W/"other"' });
    expect([changed.status, quotaOf(changed)['x-request-cost']]).toEqual([
      200,
      quotaOf(first)['x-request-cost'],
    ]);
  });

  it('counts for the rate limit', async () => {
    const { headers } = await program.get('/v2/directory/x/ada', key);
    const remaining = (text: unknown) => Number(/"burst";r=(\d+)/.exec(String(text))?.[1]);
    const again = await program.get('/v2/directory/x/ada', key, { 'if-none-match': String(headers.etag) });
    expect(again.status).toBe(304);
    expect(remaining(again.headers.ratelimit)).toBe(remaining(headers.ratelimit) - 1);
  });

  it('is refused to a caller who could not pay for it', async () => {
    const spent = await registerHolder(program, 'spent', 'free', START);
    const { headers } = await program.get('/v2/directory/x/ada', spent);
    await program.database.db.query(`update metering.accounts set budget_units = 500 where holder = 'spent'`);
    const again = await program.get('/v2/directory/x/ada', spent, { 'if-none-match': String(headers.etag) });
    expect([again.status, again.body.error.code]).toEqual([402, 'budget_exhausted']);
  });
});
