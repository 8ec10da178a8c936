import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Account } from '../../infra/simulator/world/account.ts';
import type { Endpoint } from '../../src/api/contract/endpoint.ts';
import runTrustReport from '../../src/api/endpoints/tools/runTrustReport.ts';
import type { Platform } from '../../src/kernel/platform.ts';
import { createLiveProgram, isOpen, type LiveProgram } from '../support/live.ts';
import { sighted, unavailable } from '../support/program.ts';

const AT = '2026-09-30T00:00:00.000Z';

let program: LiveProgram;
let key: string;
let subject: Account;
/** Suspended since the catalog has seen it. */
let gone: Account;
/** As long as Telegram's handles can be. */
const LONGEST = 'longest_bell'.padEnd(32, 'x');

// biome-ignore lint/suspicious/noExplicitAny: each test states what it expects
type Answer = { status: number; headers: any; data: any; meta: any; error: any };

const report = async (platform: Platform, handle: string): Promise<Answer> => {
  const { status, headers, body } = await program.post('/v2/tools/trust-report', { platform, handle }, key);
  const { data } = runTrustReport as Endpoint;
  if (status === 200) expect(z.parse(data, body.data)).toEqual(body.data);
  return { status, headers, ...body };
};

const part = ({ data }: Answer, name: string) =>
  data.parts.find((one: { part: string }) => one.part === name);
const concern = ({ data }: Answer, rule: string) =>
  data.rules.find((one: { rule: string }) => one.rule === rule).concern;

beforeAll(async () => {
  program = await createLiveProgram({ sessions: Array.from({ length: 30 }, (_, i) => `guest${i}`) });
  key = await program.issueKey(['tools:run']);
  subject = program.account('x', (one) => isOpen(one) && one.followers > 2_000 && one.handle.length <= 14);
  const profile = { id: subject.id, followers: subject.followers };
  await program.append(
    'x',
    subject.handle,
    sighted(subject.handle, AT, { ...profile, created_at: '2015-01-01T00:00:00.000Z' }),
  );
  gone = program.account('x', ({ status, handle }) => status === 'suspended' && handle.length <= 14);
  await program.append(
    'x',
    gone.handle,
    sighted(gone.handle, AT, { id: gone.id, followers: 2_000, created_at: '2015-01-01T00:00:00.000Z' }),
  );
  await program.append(
    'telegram',
    'old_channel',
    sighted('old_channel', AT, { followers: 900, created_at: '2015-01-01T00:00:00.000Z' }),
  );
  await program.append(
    'telegram',
    'old_channe1',
    sighted('old_channe1', AT, { followers: 90_000, created_at: '2015-01-01T00:00:00.000Z' }),
  );
  const created_at = '2015-01-01T00:00:00.000Z';
  await program.append(
    'telegram',
    'gone_channel',
    sighted('gone_channel', '2026-09-01T00:00:00.000Z', { followers: 2_000, created_at }),
    unavailable(AT, 'suspended'),
  );
  for (const [handle, followers] of [
    ['golden_bell', 5_000],
    ['golden_be11', 500_000],
    ['silver_bell', 5_000],
    ['silver_be1l', null],
    ['a_name_of_many_letters', 5_000],
    [LONGEST, 5_000],
    ['small_bells', 60],
    // One edit away, as many as are shown by default.
    ...Array.from('abcdefghjkmnopqrstuvxyz', (letter) => [`golden_bell${letter}`, 4_000] as const),
  ] as const)
    await program.append('telegram', handle, sighted(handle, AT, { followers, created_at }));
  await program.project();
});
afterAll(() => program.close());
afterEach(async () => {
  program.simulator.faults.clear();
  await program.database.db.query('delete from crawl.session_limits');
  await program.database.db.query('delete from crawl.session_states');
  await program.database.db.query('update crawl.buckets set paused_until = null');
});

describe('runTrustReport', () => {
  it('names the result of each part, and leaves unknown what could not be computed', async () => {
    const answer = await report('x', subject.handle);
    expect(answer.status).toBe(200);
    expect(answer.meta).toMatchObject({ source: 'mixed' });
    expect(part(answer, 'age')).toMatchObject({ status: 'known', result: { at_least: false } });
    expect(part(answer, 'audit')).toMatchObject({ status: 'known', result: { handle: subject.handle } });
    expect(part(answer, 'similarity')).toMatchObject({ status: 'known' });
    // The catalog of this test has neither posts nor listings.
    for (const name of ['score', 'valuation'])
      expect(part(answer, name)).toMatchObject({
        status: 'unknown',
        reason: 'insufficient_data',
        result: null,
      });
    expect([concern(answer, 'age'), concern(answer, 'look_alike'), concern(answer, 'score')]).toEqual([
      'none',
      'none',
      'unknown',
    ]);
    expect(answer.data.inputs.map(({ input }: { input: string }) => input)).toContain('audit: followers');
  });

  it('leaves the audience unknown if it looks like none that was labelled', async () => {
    const answer = await report('x', subject.handle);
    expect(answer.meta.warnings).toContain('audit: traits_outside_labels');
    expect(part(answer, 'audit').result.suspicious_share).not.toBeNull();
    expect(concern(answer, 'audience')).toBe('unknown');
  });

  it('leaves a part unknown, with the reason, if its platform fails', async () => {
    program.simulator.faults.set('x', 'server_error');
    const answer = await report('x', subject.handle);
    expect(answer.status).toBe(200);
    expect(answer.meta).toMatchObject({ source: 'catalog' });
    expect(part(answer, 'audit')).toMatchObject({ status: 'unknown', reason: 'platform_error' });
    expect(concern(answer, 'audience')).toBe('unknown');
    expect(concern(answer, 'age')).toBe('none');
  });

  it('has no audit where follower lists are not public, and a larger look-alike decides no verdict', async () => {
    const answer = await report('telegram', 'old_channel');
    expect(part(answer, 'audit')).toMatchObject({ status: 'unknown', reason: 'not_served' });
    expect(concern(answer, 'look_alike')).toBe('some');
    expect(answer.data.rules).toContainEqual({
      rule: 'look_alike',
      concern: 'some',
      can_be_caused_by_others: true,
    });
    expect(answer.data.verdict).toBe('no_concerns');
    expect(concern(await report('telegram', 'old_channe1'), 'look_alike')).toBe('none');
  });

  it('has no verdict without a concern for an account that its platform hides, and states its status', async () => {
    const { data } = await report('telegram', 'gone_channel');
    expect(data).toMatchObject({ status: 'suspended', verdict: 'unknown' });
    expect((await report('telegram', 'old_channe1')).data.status).toBe('active');
  });

  it('takes its status from the audit’s reading, whatever the catalog has', async () => {
    const answer = await report('x', gone.handle);
    expect(part(answer, 'audit')).toMatchObject({ status: 'unknown', reason: 'insufficient_data' });
    expect(answer.data).toMatchObject({ status: 'suspended', verdict: 'unknown' });
  });

  it('finds a larger look-alike behind any number of nearer handles, or says that it may be missed', async () => {
    expect(concern(await report('telegram', 'golden_bell'), 'look_alike')).toBe('some');
    // The followers of the other are not known; handles one edit away are not indexed.
    for (const handle of ['silver_bell', 'a_name_of_many_letters', LONGEST, 'small_bells'])
      expect(concern(await report('telegram', handle), 'look_alike'), handle).toBe('unknown');
  });

  it('answers 404, free, for an account of which nothing is known', async () => {
    const { status, error, headers } = await report('telegram', 'no_such_channel');
    expect([status, error.code]).toEqual([404, 'not_found']);
    expect(headers).toMatchObject({ 'x-request-cost': '0' });
    expect((await report('x', 'zz_nobody_zz')).status).toBe(404);
  });
});
