import { describe, expect, it } from 'vitest';
import { UNTAGGED } from '../../src/write/accounts/post.ts';
import { emptyProfile } from '../../src/write/accounts/reading.ts';
import { eventTypes } from '../../src/write/event-types.ts';
import { createDecoder } from '../../src/write/log/codec/decoder.ts';
import type { EventDefinition } from '../../src/write/log/event-definition.ts';
import { plainPost } from '../support/plain-post.ts';

const AT = '2026-06-01T00:00:00.000Z';
const READ = { observed_at: AT, source: 'crawler', surface: 'page' } as const;
const PROFILE = { ...emptyProfile('ann'), followers: 5 };
const DISCOVERED = { observed_at: AT, via: 'seed', pool: 'x-seeds', from: null };
const SIGHTED = { ...READ, status: 'active', profile: PROFILE };
const UNCHANGED = { ...READ, moved: { followers: 6 } };
const UNAVAILABLE = { ...READ, status: 'absent' };
/** The field of a reading that was unbounded in version 1, and within its bounds. */
const [UNBOUNDED, BOUNDED] = [{ surface: 'p'.repeat(300) }, { surface: 'p'.repeat(100) }];

/** A post as events had it before version 3. */
const UNTAGGED_POST = Object.fromEntries(
  Object.entries(plainPost('hello')).filter(([name]) => !(name in UNTAGGED)),
);
const POSTS = { ...READ, posts: [UNTAGGED_POST] };
const TAGGED_POSTS = {
  ...READ,
  posts: [{ ...UNTAGGED_POST, ...UNTAGGED }],
  moved: [],
  order: 'unknown',
  span: null,
};

const COMPANY = {
  ...READ,
  slug: 'acme',
  name: 'Acme',
  description: null,
  industry: null,
  size: null,
  employees: null,
  headquarters: null,
  country: null,
  founded: null,
  website: null,
  specialties: null,
};
const PERSON = {
  ...READ,
  slug: 'ada',
  name: 'Ada',
  title: null,
  company: null,
  location: null,
  country: null,
};

const POOL = {
  at: AT,
  pool: 'x-known',
  platform: 'x',
  rule: 'mention',
  share: 1,
  refresh_min_s: 60,
  refresh_max_s: 3_600,
  size_cap: 1_000,
};
const POOL_NOW = {
  ...POOL,
  seeds: null,
  depth: null,
  sources: [],
  refresh: 'by_change',
  refresh_factor: 1,
  refresh_threshold: null,
  requests_per_day: null,
  schedule: null,
  min_holders: 2,
};

const { min_holders: _h, ...WITHOUT_HOLDERS } = POOL_NOW;
const { refresh_threshold: _t, requests_per_day: _r, ...WITHOUT_THRESHOLD } = WITHOUT_HOLDERS;

const BATCH = {
  platform: 'x',
  started_at: AT,
  finished_at: AT,
  requests: 3,
  bytes: 900,
  outcomes: { present: 2, 'unknown:timeout': 1 },
  latency_ms: { p50: 10, p95: 20, p99: 20 },
  warnings: { 'no count': 1 },
};
const BATCH_NOW = {
  ...BATCH,
  worker: null,
  latency_bins: null,
  live: { requests: 0, bytes: 0 },
  pools: {},
  last_success_at: null,
  last_error: null,
};

const DEGRADED = { at: AT, platform: 'x', reason: 'challenge', detail: 'all' };
const RECOVERED = { at: AT, platform: 'x' };

const RUN_ID = '01a20253-e8b7-7fbe-97e0-f6d430ff7812';
const RUN = { at: AT, run: RUN_ID, seed: 7, policy: 'thompson-1', as_of: null, limits: { expansions: 3 } };
const EVALUATED = { at: AT, pool: 'seed-x', figures: { requests: 118 }, draws: [0.118] };

/** Data of an event as a version had it, and as every reader gets it. */
const STEPS: readonly (readonly [
  type: keyof typeof eventTypes,
  version: number,
  old: object,
  now: object,
])[] = [
  [
    'AccountDiscovered',
    1,
    { ...DISCOVERED, pool: 'x'.repeat(300) },
    { ...DISCOVERED, pool: `${'x'.repeat(83)}~0d4e2ca9e9cbced7` },
  ],
  ['AccountSighted', 1, { ...SIGHTED, ...UNBOUNDED }, { ...SIGHTED, ...BOUNDED, kept: null }],
  ['AccountSighted', 2, SIGHTED, { ...SIGHTED, kept: null }],
  ['AccountUnchanged', 1, { ...UNCHANGED, ...UNBOUNDED }, { ...UNCHANGED, ...BOUNDED, kept: null }],
  ['AccountUnchanged', 2, UNCHANGED, { ...UNCHANGED, kept: null }],
  ['AccountUnavailable', 1, { ...UNAVAILABLE, ...UNBOUNDED }, { ...UNAVAILABLE, ...BOUNDED }],
  ['PostsSighted', 1, POSTS, TAGGED_POSTS],
  ['PostsSighted', 2, POSTS, TAGGED_POSTS],
  ['CompanySighted', 1, COMPANY, { ...COMPANY, kept_since: null }],
  ['DecisionMakerSighted', 1, PERSON, { ...PERSON, kept_since: null }],
  ['PoolCreated', 1, POOL, POOL_NOW],
  ['PoolCreated', 2, WITHOUT_THRESHOLD, POOL_NOW],
  ['PoolCreated', 3, WITHOUT_HOLDERS, POOL_NOW],
  ['PoolTuned', 1, { at: AT, share: 2 }, { at: AT, share: 2, decision: null }],
  ['PoolTuned', 2, { at: AT, share: 2, decision: null }, { at: AT, share: 2, decision: null }],
  ['PoolTuned', 3, { at: AT, share: 2, decision: null }, { at: AT, share: 2, decision: null }],
  ['PoolPaused', 1, { at: AT, why: 'too dear' }, { at: AT, why: 'too dear', decision: null }],
  ['PoolResumed', 1, { at: AT }, { at: AT, decision: null }],
  ['ResearchRunStarted', 1, RUN, { ...RUN, trigger: 'schedule', pools: null, observe_only: false }],
  ['PoolEvaluated', 1, EVALUATED, { ...EVALUATED, platform: null, evidence: [] }],
  ['CrawlBatchCompleted', 1, BATCH, BATCH_NOW],
  ['CrawlBatchCompleted', 2, BATCH, BATCH_NOW],
  ['EngineDegraded', 1, DEGRADED, { ...DEGRADED, worker: null }],
  ['EngineDegraded', 2, DEGRADED, { ...DEGRADED, worker: null }],
  ['EngineRecovered', 1, RECOVERED, { ...RECOVERED, worker: null }],
  ['EngineRecovered', 2, RECOVERED, { ...RECOVERED, worker: null }],
];

const definitions: Readonly<Record<string, EventDefinition>> = eventTypes;
const decoder = createDecoder(eventTypes);

const decoded = (type: string, version: number, data: object) => {
  const event = decoder.decode({
    id: '0',
    stream: 'account-x:ann',
    revision: 0n,
    position: 1n,
    type,
    data,
    metadata: version === 1 ? {} : { version },
    recorded_at: AT,
  });
  return event?.data;
};

describe('upcasts', () => {
  it.each(STEPS)('%s of version %i is read as the present version has it', (type, version, old, now) => {
    expect(decoded(type, version, old)).toEqual(now);
    // What is read is what may be written today.
    expect(definitions[type]?.schema.safeParse(now).success).toBe(true);
  });

  it('each step of every event type has a test here', () => {
    const steps = Object.entries(definitions).flatMap(([type, { upcasts }]) =>
      Object.keys(upcasts).map((version) => `${type} ${version}`),
    );
    expect(STEPS.map(([type, version]) => `${type} ${version}`).toSorted()).toEqual(steps.toSorted());
  });

  it('each event type has a step from every version before its present one', () => {
    for (const [type, { version, upcasts }] of Object.entries(definitions))
      expect([type, Object.keys(upcasts).map(Number)]).toEqual([
        type,
        Array.from({ length: version - 1 }, (_, n) => n + 1),
      ]);
  });
});
