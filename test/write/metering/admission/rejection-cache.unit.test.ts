import { beforeEach, describe, expect, it } from 'vitest';
import type { Reason } from '../../../../src/write/metering/admit-batch.ts';
import type { Admitted, QuotaState } from '../../../../src/write/metering/quota.ts';
import { createRejectionCache, type RejectionCache } from '../../../../src/write/metering/rejections.ts';
import { catalogRead, testPlan } from '../../../support/metering.ts';

const STANDING: QuotaState = {
  plan: testPlan('slow', { requests_per_minute: 3, live_per_minute: 2 }),
  budgetUnits: 7,
  overageUnits: 0,
  liveCalls: 1,
  overage: 'off',
  capLeftMicroUsd: null,
  balanceMicroUsd: 0,
  endsAt: '2026-12-01T00:00:00Z',
  burstLeft: 0,
  burstResetS: 41,
  liveLeft: 1,
  liveResetS: 20,
};

let now: number;
let terms: string;
let counted: number;
let refusals: RejectionCache;

beforeEach(() => {
  now = 1_000_000;
  terms = 'schema 1';
  counted = 0;
  refusals = createRejectionCache(
    () => terms,
    {
      add: () => {
        counted += 1;
      },
      flush: async () => undefined,
    },
    () => now,
  );
});

const ask = catalogRead('acme');
const refusal = (refused: Reason): Promise<Admitted> =>
  Promise.resolve({ charge: null, refused, quota: STANDING });

describe('a holder whose rate limit is spent', () => {
  beforeEach(() => refusals.learn(ask, refusal('burst')));

  it('is rejected from memory with the rest of the minute, and counted', () => {
    now += 15_500;
    expect(refusals.find(ask)).toMatchObject({
      refused: 'burst',
      charge: null,
      quota: { burstLeft: 0, burstResetS: 26, liveLeft: 1, liveResetS: 5, budgetUnits: 7 },
    });
    now += 5_000;
    expect(refusals.find(ask)?.quota).toMatchObject({ liveLeft: 2, liveResetS: 60 });
    expect(counted).toBe(2);
  });

  it('is decided again before its minute can be over', () => {
    now += 39_999;
    expect(refusals.find(ask)).not.toBeNull();
    now += 1;
    expect(refusals.find(ask)).toBeNull();
    expect(refusals.has('acme')).toBe(false);
    expect(counted).toBe(1);
  });

  it('is decided again once any terms changed, or the clock was set back', async () => {
    terms = 'schema 2';
    expect(refusals.find(ask)).toBeNull();
    await refusals.learn(ask, refusal('burst'));
    expect(refusals.find(ask)).not.toBeNull();
    now -= 1;
    expect(refusals.find(ask)).toBeNull();
  });

  it('is not mistaken for another', () => {
    expect(refusals.find(catalogRead('other'))).toBeNull();
    expect(refusals.has('other')).toBe(false);
  });

  it('benefits from refunds made meanwhile', () => {
    refusals.refunded({
      holder: 'acme',
      period: 1,
      day: '2026-11-10',
      keyId: 'key_1',
      operation: 'checkAccountLive',
      budgetUnits: 5,
      overageUnits: 0,
      overageMicroUsd: 0,
      liveCalls: 1,
      reservation: null,
    });
    expect(refusals.find(ask)?.quota).toMatchObject({ budgetUnits: 2, liveCalls: 0 });
  });
});

it('is decided each time for an exhausted quota, before any work starts', async () => {
  await refusals.learn(ask, refusal('budget'));
  expect(refusals.find(ask)).toBeNull();
  expect(refusals.has('acme')).toBe(true);
  await refusals.learn(ask, refusal('burst'));
  await refusals.learn(ask, refusal('budget'));
  expect(refusals.find(ask)?.refused).toBe('burst');
});

it('is not rejected from memory on outdated terms', async () => {
  let decide: (admitted: Admitted) => void = () => undefined;
  const learning = refusals.learn(
    ask,
    new Promise((resolve) => {
      decide = resolve;
    }),
  );
  terms = 'schema 2';
  decide(await refusal('burst'));
  expect((await learning).refused).toBe('burst');
  expect(refusals.find(ask)).toBeNull();
});
